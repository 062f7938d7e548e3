/* kernels/update/choices.h - the optimizers that a user chooses from. */
#pragma once

typedef enum nn_optimizer {
    NN_OPTIMIZER_DEFAULT, /* NN_SGD */
    NN_SGD,               /* torch.optim.SGD */
    NN_ADAM,              /* torch.optim.Adam */
    NN_ADAMW              /* torch.optim.AdamW */
} nn_optimizer;
