/* graph/rule.h - the rule of an operation: a constant struct with everything that builders, plans,
   gradients and immediate calls need to know about the operation. */
#pragma once

#include "graph/node.h"

typedef struct nn__tape nn__tape;

/* Values that change from run to run. Kernels receive them as arguments. */
typedef struct nn__run_values {
    int32_t batch, time;
    float learning_rate;
    int64_t step; /* the optimizer's step number, from 1; also the counter of dropout */
    uint64_t seed;
    bool training;
#ifndef NN_NO_TRAINING
    int32_t shard; /* in a trainer: number of the local shard that the pass computes */
#endif
} nn__run_values;

/* The views from which `lower` fills a kernel's arguments. Handles are NULL before memory
   exists. */
typedef struct nn__lowering {
    const nn_view *inputs; /* in the order of node->inputs */
    /* more: further outputs; absent if nothing reads them */
    nn_view output, more[NN__MAX_OUTPUTS - 1];
    nn_view scratch; /* zeroed until its size is known */
    nn_view status;
    void *pieces; /* room for the list of a strided copy; each plan has its own */
    nn_activation activation; /* fused into the kernel as its epilogue */
    const nn__run_values *values;
#ifndef NN_NO_TRAINING
    /* NULL: `lower` fills all arguments. Else the arguments are those of an earlier run, and only
       `values` is given: if only run values need to change, `lower` sets them and *renewed. If not,
       it is called again for all arguments. */
    bool *renewed;
#endif
} nn__lowering;

typedef union nn__args {
#define NN__X(number, upper, lower, args, family) args lower;
    NN_KERNELS(NN__X)
#undef NN__X
} nn__args;

enum {
    NN__ALIAS = 1,    /* no kernel: the output is input 0 with another shape */
    NN__IN_PLACE = 2, /* the output may use the storage of input 0 */
    /* the gradient of the logits, which is output 0, or 1 of a whole loss, may use the storage of
       input 0 on devices where launches are dear. CPU plans keep the two apart, as they always
       did */
    NN__LOGITS_IN_PLACE = 524288,
    NN__DYNAMIC = 4,  /* arguments depend on run values, so they are computed in each run */
    /* besides NN__DYNAMIC: `lower` can set just these (nn__lowering.renewed) */
    NN__RENEWS = 131072,
    /* writes into its inputs (update, accumulate); always runs, and has no result */
    NN__EFFECT = 8,
    NN__STATUS = 16,    /* uses the status word */
#ifdef NN__ONE_PIECE
    NN__TRANSFER = 0, /* with one device a transfer is NN__ALIAS or a fault */
#else
    NN__TRANSFER = 32,  /* input 0 is on another device; no kernel: the plan copies */
#endif
    NN__EPILOGUE = 64,  /* an activation can be fused into the kernel */
    NN__TRAINING = 128, /* an effect that only training plans include */
    /* an effect that writes a state of nn_state, its input 0, at the end of each run that reads the
       state; in training it does so only if the trainer carries its states */
    NN__CONTINUES = 262144,
    NN__LAYER = 512,    /* has parameters, which are named after it */
    NN__HALVES = 2048,  /* a product: inputs 0 and 1 may be f16 or bf16 */
    /* makes no node: the builder adds nodes of other rules. It has a name, and an `infer` that
       checks what theirs cannot */
    NN__COMPOSED = 1024,
    /* training normalises output 0 by statistics of sets; output 1 has one number per set. Refused
       if each set has one number */
    NN__SPREAD = 4096,
    NN__WHEN_TRAINING = 8192, /* an alias in plans that do not train: dropout */
    NN__FOLDS = 16384,  /* a norm that, with running statistics, can be folded into the product
                           before it */
    NN__FOLDED = 32768, /* such a product; inputs: x, weight (outputs first), bias */
    /* a strided copy; the first int32 of its params is the number of pieces */
    NN__PIECES = 65536,
    NN__ANY_DTYPE =
        256 /* its kernel takes operands as they are stored; every other operation computes in f32,
               and operands of f16 and bf16 are widened for it (graph/cast.c) */
};

/* The type of a value. */
typedef struct nn__type {
    nn_dtype dtype;
    nn_shape shape; /* with symbolic extents in a description, with numbers in an immediate call */
} nn__type;
static inline NN__UNUSED nn__type nn__type_of(const nn_node *node) {
    nn__type type;
    type.dtype = node->dtype;
    type.shape = node->shape;
    return type;
}
#define NN__COMPOSED_RULE(name, infer)                                                             \
    {name, NN_KERNEL_NONE, NN__COMPOSED, NN_ACTIVATION_NONE, NULL, NULL, NULL, infer, NULL}
/* The same for a composed layer, which has parameters and therefore needs a name. */
#define NN__COMPOSED_LAYER(name, infer)                                                            \
    {                                                                                              \
        name, NN_KERNEL_NONE, NN__COMPOSED | NN__LAYER, NN_ACTIVATION_NONE, NULL, NULL, NULL,      \
            infer, NULL                                                                            \
    }

/* The question to a rule's `infer`: the types of the outputs for inputs of these types. A layer is
   asked before its parameters exist: it gets only the inputs before them, and also answers their
   shapes. */
typedef struct nn__inference {
    const char *operation; /* for messages */
    const void *params;    /* the rule's params; NULL: the caller gave no desc */
    const nn__type *inputs;
    const char *const *roles; /* names of the inputs for messages */
    nn_node *const *nodes;    /* the input nodes; NULL in an immediate call */
    int input_count;
    nn__type outputs[NN__MAX_OUTPUTS];
    nn_shape parameters[2]; /* of a layer: weight and bias. An immediate call has tensors for
                               them */
    int parameter_count;
    bool shared; /* the parameters may belong to an earlier layer of this name */
    nn__problem *problem;
} nn__inference;

struct nn__rule {
    char name[28]; /* in the struct, so that unused names are dropped with their rules */
    nn_kernel kernel;
    unsigned flags;
    nn_activation fuses; /* the activation that this node computes, if kernels can fuse it */
    /* NULL: no kernel */
    void (*lower)(const nn_node *node, const nn__lowering *lowering, nn__args *args);
    /* Adds nodes for the gradients of the inputs: nn__give_gradient(tape, node->inputs[0], dx). dy
       is the gradient of output 0, nn__gradient_of(node, k) that of output k, NULL if the loss does
       not depend on it. If there is one output, dy is not NULL. NULL: not differentiable. */
    void (*gradient)(nn__tape *tape, nn_node *node, nn_node *dy);
    double (*flops)(const nn_node *node,
                    const nn__lowering *lowering); /* NULL: one for each element of the output */
    /* Computes the types of the outputs, or states a problem and returns false. A pure function:
       builder, immediate call and tests all ask it. NULL: users cannot call the operation
       (gradients, updates), and whoever adds the node gives the types. */
    bool (*infer)(nn__inference *inference);
    /* True if the operation writes this input, which is a leaf. NULL: writes none. Call nn__writes
       instead. */
    bool (*writes)(const nn_node *node, int input);
};

/* Returns the largest number of pieces of a strided copy: one for each input, at least two, or the
   node's own number. */
static inline NN__UNUSED int32_t nn__piece_room(const nn_node *node) {
    if (node->rule->flags & NN__PIECES) return 2 + *(const int32_t *)node->params;
    return node->input_count > 2 ? node->input_count : 2;
}
static inline NN__UNUSED bool nn__has_effect(const nn_node *node) {
#if defined(NN__ONE_PIECE) && defined(NN_NO_TRAINING)
    (void)node; /* only training writes into leaves, and the smallest programs have no states */
    return false;
#else
    return node->kind == NN__OPERATION && (node->rule->flags & NN__EFFECT);
#endif
}
/* True if the effect writes a state, and nothing of the model. */
static inline NN__UNUSED bool nn__continues(const nn_node *node) {
    return nn__has_effect(node) && (node->rule->flags & NN__CONTINUES);
}
/* True if the model describes the effect, not a trainer. It runs at the end of a step. */
static inline NN__UNUSED bool nn__is_model_effect(const nn_node *node) {
    return nn__has_effect(node) && (node->rule->flags & NN__TRAINING);
}
static inline NN__UNUSED bool nn__writes(const nn_node *node, int input) {
    return nn__has_effect(node) && node->rule->writes && node->rule->writes(node, input);
}
#ifdef NN_NO_REPORTS
#define NN__FLOPS(function) NULL
#else
#define NN__FLOPS(function) function
#endif
