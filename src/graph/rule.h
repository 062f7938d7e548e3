/* graph/rule.h - what an operation knows about itself. One constant rule for each kind of node;
   everything that a builder, a plan, a gradient or an immediate call needs to know of an operation
   is asked of it. */
#pragma once

#include "graph/node.h"

typedef struct nn__tape nn__tape;

/* What changes from run to run and travels as kernel arguments. */
typedef struct nn__run_values {
    int32_t batch, time;
    float learning_rate;
    int64_t step; /* of the optimizer, from 1; also the counter of dropout */
    uint64_t seed;
    bool training;
#ifndef NN_NO_TRAINING
    int32_t shard; /* of a trainer: which of those here the pass is of */
#endif
} nn__run_values;

/* Views of one node's operands when it becomes a kernel's arguments. Handles are NULL before memory
   exists. */
typedef struct nn__lowering {
    const nn_view *inputs; /* as node->inputs */
    nn_view output, more[NN__MAX_OUTPUTS - 1]; /* of the further outputs; absent: nobody reads it */
    nn_view scratch; /* zeroed until its size is known */
    nn_view status;
    void *pieces; /* room for a strided copy's list, which each plan has of its own */
    nn_activation activation; /* fused into this node's epilogue */
    const nn__run_values *values;
#ifndef NN_NO_TRAINING
    /* NULL: the arguments are wanted whole. Else of all above but `values` nothing is given: the
       arguments are as they were, and where what depends on run values is all that they need,
       `lower` sets that, and this to true; where it is not, they will be wanted whole. */
    bool *renewed;
#endif
} nn__lowering;

typedef union nn__args {
#define NN__X(number, upper, lower, args, family) args lower;
    NN_KERNELS(NN__X)
#undef NN__X
} nn__args;

enum {
    NN__ALIAS = 1,    /* no kernel: the output is input 0 under another shape */
    NN__IN_PLACE = 2, /* the output may take the storage of input 0 */
    NN__DYNAMIC = 4,  /* lower anew at each run: arguments depend on run values */
    /* besides: few of them do, and `lower` may be asked for these alone (nn__lowering.renewed) */
    NN__RENEWS = 131072,
    /* writes into its inputs (update, accumulate): is a reason to run, and has no result */
    NN__EFFECT = 8,
    NN__STATUS = 16,    /* uses the status word */
#ifdef NN__ONE_PIECE
    NN__TRANSFER = 0, /* a plan has one device: a transfer there is NN__ALIAS, any other a fault */
#else
    NN__TRANSFER = 32,  /* input 0 is on another device; no kernel: the plan crosses */
#endif
    NN__EPILOGUE = 64,  /* an activation may be fused into it */
    NN__TRAINING = 128, /* an effect that only training plans have */
    NN__LAYER = 512,    /* has parameters, which are named after it */
    NN__HALVES = 2048,  /* a product: inputs 0 and 1 may be f16 or bf16 */
    /* no node: the builder adds nodes of other rules. It has a name and `infer`, which checks what
       theirs cannot say */
    NN__COMPOSED = 1024,
    /* A training normalises output 0 by the statistics of sets, which output 1 has one number of:
       a step in which each set has one number is refused */
    NN__SPREAD = 4096,
    NN__WHEN_TRAINING = 8192, /* NN__ALIAS in plans that do not train: dropout */
    NN__FOLDS = 16384,  /* a norm that by running statistics may join the product before it */
    NN__FOLDED = 32768, /* such a product: inputs are x, weight (outputs first), bias */
    /* a strided copy of as many pieces as the first int32 of its params says */
    NN__PIECES = 65536,
    NN__ANY_DTYPE =
        256 /* its kernel takes operands as they are stored; every other operation computes in f32,
               and operands of f16 and bf16 are widened for it (graph/cast.c) */
};

/* What a value is, without where it stands. */
typedef struct nn__type {
    nn_dtype dtype;
    nn_shape shape; /* with symbolic extents in a description, without in an immediate call */
} nn__type;
static inline NN__UNUSED nn__type nn__type_of(const nn_node *node) {
    nn__type type;
    type.dtype = node->dtype;
    type.shape = node->shape;
    return type;
}
#define NN__COMPOSED_RULE(name, infer)                                                             \
    {name, NN_KERNEL_NONE, NN__COMPOSED, NN_ACTIVATION_NONE, NULL, NULL, NULL, infer, NULL}
/* The same for what has parameters, and therefore needs a name. */
#define NN__COMPOSED_LAYER(name, infer)                                                            \
    {                                                                                              \
        name, NN_KERNEL_NONE, NN__COMPOSED | NN__LAYER, NN_ACTIVATION_NONE, NULL, NULL, NULL,      \
            infer, NULL                                                                            \
    }

/* One question to a rule: of which types are the outputs for inputs of these types? A layer is
   asked before its parameters exist: then the inputs are those before them, and the answer has the
   shapes of the parameters. */
typedef struct nn__inference {
    const char *operation; /* for messages */
    const void *params;    /* the rule's; NULL: the caller gave no desc */
    const nn__type *inputs;
    const char *const *roles; /* what messages call the inputs */
    nn_node *const *nodes;    /* the inputs of a description; NULL: those of an immediate call */
    int input_count;
    nn__type outputs[NN__MAX_OUTPUTS];
    nn_shape parameters[2]; /* "weight" and "bias" of a layer; an immediate call was given tensors
                               for them */
    int parameter_count;
    bool shared; /* the parameters may be those of an earlier layer of this name */
    nn__problem *problem;
} nn__inference;

struct nn__rule {
    char name[24]; /* inside, so that it leaves a program together with its rule */
    nn_kernel kernel;
    unsigned flags;
    nn_activation fuses; /* this node is an activation that an epilogue can do */
    /* NULL: no kernel */
    void (*lower)(const nn_node *node, const nn__lowering *lowering, nn__args *args);
    /* Adds nodes for the gradients of the inputs: nn__give_gradient(tape, node->inputs[0], dx). dy
       is the gradient of output 0, nn__gradient_of(node, k) that of output k; it is NULL where the
       loss does not depend on the output. For a node with one output the function is only called
       when there is a dy. NULL: the operation is not differentiable. */
    void (*gradient)(nn__tape *tape, nn_node *node, nn_node *dy);
    double (*flops)(const nn_node *node,
                    const nn__lowering *lowering); /* NULL: one per element of the output */
    /* Types of the outputs, or a problem and false. A pure function: the builder, the immediate
       call and tests ask the same one, so that they cannot disagree. NULL: no user calls it (the
       nodes of gradients and trainers), and whoever adds the node says them. */
    bool (*infer)(nn__inference *inference);
    /* Does the operation change this input, a leaf? NULL: none of them. The one place that knows;
       ask nn__writes. */
    bool (*writes)(const nn_node *node, int input);
};

/* Pieces that a strided copy of the node may have: two, one for each input, or its own number. */
static inline NN__UNUSED int32_t nn__piece_room(const nn_node *node) {
    if (node->rule->flags & NN__PIECES) return 2 + *(const int32_t *)node->params;
    return node->input_count > 2 ? node->input_count : 2;
}
static inline NN__UNUSED bool nn__has_effect(const nn_node *node) {
#ifdef NN_NO_TRAINING
    (void)node; /* only training writes into leaves */
    return false;
#else
    return node->kind == NN__OPERATION && (node->rule->flags & NN__EFFECT);
#endif
}
/* One that the model describes, not a trainer: it comes at the end of a step. */
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
