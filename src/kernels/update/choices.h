/* kernels/update/choices.h - the optimizers that a user chooses from. */
#pragma once

/* Formulas, states and defaults are those of torch.optim, unless noted. ops/optimizers.txt has all
   formulas. */
typedef enum nn_optimizer {
    NN_OPTIMIZER_DEFAULT, /* NN_SGD */
    NN_SGD,               /* torch.optim.SGD */
    /* torch.optim.Adam. On the CPU a moment below FLT_MIN becomes 0, as on most GPUs, because such
       numbers are slow and change no parameter. If epsilon is far below the default, such
       moments stay */
    NN_ADAM,
    NN_ADAMW,             /* torch.optim.AdamW; moments as above */
    NN_RMSPROP,           /* torch.optim.RMSprop */
    NN_ADAGRAD,           /* torch.optim.Adagrad */
    NN_ADADELTA,          /* torch.optim.Adadelta */
    NN_NADAM,             /* torch.optim.NAdam */
    NN_RADAM,             /* torch.optim.RAdam */
    NN_ADAMAX,            /* torch.optim.Adamax */
    NN_LION,              /* Chen et al., "Symbolic Discovery of Optimization Algorithms", 2023,
                             arXiv 2302.06675, algorithm 2 */
    NN_ASGD,              /* torch.optim.ASGD; the average is the state "ax". With a schedule, a
                             step uses its own rate, where PyTorch uses that of the step before */
    NN_RPROP,             /* torch.optim.Rprop, for gradients of the whole data set */
    NN_MUON               /* torch.optim.Muon, for matrices only; the five Newton-Schulz products
                             are f32, where PyTorch rounds to bfloat16 */
} nn_optimizer;
