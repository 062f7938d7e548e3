/* graph/private.h - nodes, graphs, faults, and the rule that an operation brings. */
#pragma once

#include "graph/model.h"
#include "tensor/private.h"

typedef struct nn__graph nn__graph;
typedef struct nn__rule nn__rule;

typedef enum nn__node_kind {
    NN__OPERATION,
    NN__INPUT,
    NN__PARAMETER,
    NN__CONSTANT, /* copied from a user's tensor */
    NN__STATE,    /* of a trainer: moments, accumulators */
    NN__BORROWED,
    NN__EXTRA /* second result of the operation `extra_of` */
} nn__node_kind;

/* What a parameter or state starts as: uniform in [low, high) from the seed of its model and its ordinal. */
typedef struct nn__start {
    float low, high;
    uint64_t stream;
} nn__start;

struct nn_node {
    nn__graph *graph;
    nn_node *next; /* in the order of description, which is an order of execution */
    nn__node_kind kind;
    const nn__rule *rule; /* operations only */
    const char *name;
    const char *operation; /* for messages: "linear"; leaves: "input", "parameter" ... */
    nn_site site;
    nn_dtype dtype;
    nn_shape shape;
    nn_device device;
    struct nn__scope *scope; /* the nn_on_device in force; NULL: the model's own device */
    nn_node **inputs;
    int input_count;
    nn_node *extra, *extra_of;
    void *params;             /* the rule's, in the graph's arena */
    const char *const *roles; /* names of the inputs for messages: "input", "weight", "bias" */
    nn__start start;
    nn_tensor *tensor; /* storage of a leaf once it exists; of BORROWED and the source of CONSTANT from the
                          beginning */
    nn_tensor *source; /* CONSTANT: the user's tensor, until copied */
    bool poisoned, keep, frozen, detached;
    bool moves;    /* leaf or operation on the model's own device, goes along with nn_move_model */
    bool numbered; /* its name was made from the operation's */
    int order;     /* in the model's description; faults are reported in it */
    /* used inside one call only */
    nn_node *gradient; /* autodiff */
    bool wanted;       /* autodiff: a parameter stands behind it; plan: reachable */
    int value;         /* plan: index of its value */
};

typedef struct nn__scope {
    struct nn__scope *outer;
    nn_device device;
    nn_site site;
    bool ended;
} nn__scope;

/* ---- faults ---------------------------------------------------------------------------------- */

typedef enum nn__fault_kind {
    NN__FAULT_SHAPE,
    NN__FAULT_DTYPE,
    NN__FAULT_ARGUMENT,
    NN__FAULT_DEVICE, /* an operand on the wrong device */
    NN__FAULT_NOT_OPEN,
    NN__FAULT_UNSUPPORTED, /* no kernel there */
    NN__FAULT_CONTEXT,     /* of another context or model */
    NN__FAULT_INPUT        /* bound or uploaded data */
} nn__fault_kind;

typedef struct nn__operand {
    const char *role, *name;
    nn_shape shape;
    nn_dtype dtype;
    nn_device device;
    bool show_device;
} nn__operand;

typedef struct nn__fault {
    struct nn__fault *next;
    nn__fault_kind kind;
    const char *operation, *name; /* linear "fc" */
    nn_site site;
    int order;
    nn__operand operands[4];
    int operand_count;
    const char *cause, *fix;
} nn__fault;

typedef struct nn__faults {
    nn__arena *arena;
    nn__fault *first, *last;
    int count;
    bool no_memory; /* a fault could not be recorded */
} nn__faults;

/* Texts are formatted into the arena. Under NN_NO_REPORTS faults are only counted. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn__fault *nn__add_fault(nn__faults *faults, nn__fault_kind kind, const char *operation,
                                    const char *name, nn_site site);
NN_PRIVATE void nn__fault_operand(nn__fault *fault, const char *role, const nn_node *node,
                                  bool show_device); /* fault NULL: nothing */
NN_PRIVATE void nn__fault_shape_operand(nn__fault *fault, const char *role, const char *name, nn_shape shape,
                                        nn_dtype dtype);
NN_PRIVATE void nn__fault_cause(nn__faults *faults, nn__fault *fault, const char *format, ...);
NN_PRIVATE void nn__fault_fix(nn__faults *faults, nn__fault *fault, const char *format, ...);
#else
static inline NN__UNUSED nn__fault *nn__count_fault(nn__faults *faults) {
    faults->count++;
    return NULL;
}
static inline NN__UNUSED void nn__fault_nothing(const void *faults, const void *fault) {
    (void)faults, (void)fault;
}
#define nn__add_fault(faults, kind, operation, name, site) \
    ((void)(kind), (void)(operation), (void)(name), (void)(site), nn__count_fault(faults))
#define nn__fault_operand(fault, role, node, show_device) \
    ((void)(role), (void)(node), (void)(show_device), nn__fault_nothing(NULL, fault))
#define nn__fault_shape_operand(fault, role, name, shape, dtype) \
    ((void)(role), (void)(shape), (void)(dtype), nn__fault_nothing(NULL, fault))
#define nn__fault_cause(faults, fault, ...) (NN__NO_TEXT(__VA_ARGS__), nn__fault_nothing(faults, fault))
#define nn__fault_fix(faults, fault, ...)   (NN__NO_TEXT(__VA_ARGS__), nn__fault_nothing(faults, fault))
#endif
/* Into the order of description. */
NN_PRIVATE void nn__sort_faults(nn__faults *faults);
/* Writes the report; both lists (second may be NULL), in the order of description. `where` names the model. */
NN_PRIVATE void nn__write_fault_report(const nn_context *nn, const char *where, const nn__faults *first,
                                       const nn__faults *second, nn_writer writer);
/* The same as the context's error. Returns NN_ERROR_FAULTS. */
NN_PRIVATE nn_result nn__fail_faults(nn_context *nn, const char *where, const nn__faults *first,
                                     const nn__faults *second);

/* ---- graphs ---------------------------------------------------------------------------------- */

/* One allocation on one device for all the leaves of a graph that got their storage together. In the graph's
   arena. */
typedef struct nn__leaf_block {
    struct nn__leaf_block *next;
    nn_device device;
    void *handle;
    uint64_t bytes;
} nn__leaf_block;

/* A model's nodes, or those that a trainer adds (gradients, updates, states). */
struct nn__graph {
    nn_context *nn;
    nn_model *model; /* the model itself, also for a trainer's graph */
    nn__arena arena;
    nn_node *first, *last;
    nn__leaf_block *blocks;
};

struct nn_model {
    nn__owned owned;
    nn_context *nn;
    nn__graph graph;
    nn__faults faults;
    nn__scope *scope; /* innermost one in force */
    char name[NN_NAME_BYTES];
    nn_device device;
    bool device_is_default; /* the user named none */
    uint64_t seed;
    uint64_t streams; /* parameters and random operations so far */
    nn_site site;
    uint32_t generation;  /* raised by every move */
    nn_site moved;        /* by the last one */
    const char *mover;    /* the function that was: "nn_move_model" */
    nn__slicing *slicing; /* runs in slices under way, of its plans and of its trainers' */
    nn__owned dependents; /* plans and trainers, freed with the model */
    int order;            /* next one */
    nn_node poison;       /* what builders return for everything that does not fit */
};

NN_PRIVATE void nn__graph_init(nn__graph *graph, nn_model *model);
NN_PRIVATE void nn__graph_free(nn__graph *graph);
/* Allocates the storage of every leaf that has none (one block a device), sets first values, uploads them
   ("init" in the ledger). All or nothing. */
NN_PRIVATE nn_result nn__materialize(nn__graph *graph, nn_site site);

/* ---- rules: what an operation knows about itself --------------------------------------------- */

typedef struct nn__tape nn__tape;

/* What changes from run to run and travels as kernel arguments. */
typedef struct nn__run_values {
    int32_t batch;
    float learning_rate;
    int64_t step; /* of the optimizer, from 1; also the counter of dropout */
    uint64_t seed;
    bool training;
} nn__run_values;

/* Views of one node's operands when it becomes a kernel's arguments. Handles are NULL before memory exists. */
typedef struct nn__lowering {
    const nn_view *inputs; /* as node->inputs */
    nn_view output, extra;
    nn_view scratch; /* zeroed until its size is known */
    nn_view status;
    nn_activation activation; /* fused into this node's epilogue */
    const nn__run_values *values;
} nn__lowering;

typedef union nn__args {
#define NN__X(upper, lower, args) args lower;
    NN_KERNELS(NN__X)
#undef NN__X
} nn__args;

enum {
    NN__ALIAS = 1,     /* no kernel: the output is input 0 under another shape */
    NN__IN_PLACE = 2,  /* the output may take the storage of input 0 */
    NN__DYNAMIC = 4,   /* lower anew at each run: arguments depend on run values */
    NN__EFFECT = 8,    /* writes into its inputs (update, accumulate): is a reason to run */
    NN__STATUS = 16,   /* uses the status word */
    NN__TRANSFER = 32, /* input 0 is on another device; no kernel: the plan crosses */
    NN__EPILOGUE = 64  /* an activation may be fused into it */
};

struct nn__rule {
    char name[24]; /* inside, so that it leaves a program together with its rule */
    nn_kernel kernel;
    unsigned flags;
    nn_activation fuses; /* this node is an activation that an epilogue can do */
    void (*lower)(const nn_node *node, const nn__lowering *lowering, nn__args *args); /* NULL: no kernel */
    /* Adds nodes for the gradients of the inputs: nn__give_gradient(tape, node->inputs[0], dx). NULL: not
       differentiable. */
    void (*gradient)(nn__tape *tape, nn_node *node, nn_node *dy);
    double (*flops)(const nn_node *node,
                    const nn__lowering *lowering); /* NULL: one per element of the output */
};
#ifdef NN_NO_REPORTS
#define NN__FLOPS(function) NULL
#else
#define NN__FLOPS(function) function
#endif

/* ---- building nodes -------------------------------------------------------------------------- */

/* Starts an operation: checks model and inputs (NULL, other model or context: faults). Returns false if the
   node must be poisoned: then return nn__poison(net). Also false when net is NULL. */
NN_PRIVATE bool nn__check_inputs(nn_model *net, nn_site site, const char *operation, const char *name,
                                 nn_node *const *inputs, const char *const *roles, int count);
/* The model's poisoned node; NULL only if net is NULL. */
NN_PRIVATE nn_node *nn__poison(nn_model *net);
/* A node of the model; never NULL (no memory: the poisoned one). name NULL: the rule's name, "relu", "relu_2"
   ... params (params_bytes) are copied. The shape has symbolic extents. */
NN_PRIVATE nn_node *nn__add_node(nn__graph *graph, nn_site site, const nn__rule *rule, const char *operation,
                                 const char *name, nn_node *const *inputs, const char *const *roles,
                                 int count, nn_dtype dtype, nn_shape shape, const void *params,
                                 size_t params_bytes);
NN_PRIVATE nn_node *nn__add_extra(nn_node *node, const char *suffix, nn_dtype dtype, nn_shape shape);
NN_PRIVATE nn_node *nn__add_leaf(nn__graph *graph, nn_site site, nn__node_kind kind, const char *name,
                                 nn_dtype dtype, nn_shape shape);
/* Parameter "layer.part" of the model, uniform in [-bound, bound). */
NN_PRIVATE nn_node *nn__add_parameter(nn_model *net, nn_site site, const char *layer, const char *part,
                                      nn_shape shape, float bound);
/* What PyTorch's layers start with: uniform in [-bound, bound), bound = 1 / sqrt(fan_in). */
NN_PRIVATE float nn__fan_bound(int64_t fan_in);
/* A fault of a builder, with its inputs as operands. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn__fault *nn__build_fault(nn_model *net, nn__fault_kind kind, nn_site site, const char *operation,
                                      const char *name, nn_node *const *inputs, const char *const *roles,
                                      int count);
#else
#define nn__build_fault(net, kind, site, operation, name, inputs, roles, count) \
    ((void)(inputs), (void)(roles), (void)(count), \
     nn__add_fault(&(net)->faults, kind, operation, name, site))
#endif

/* ---- a check that a builder and its immediate call share ------------------------------------- */

typedef struct nn__problem {
    nn_result code; /* NN_OK: none */
#ifndef NN_NO_REPORTS
    char cause[240], fix[160];
#endif
} nn__problem;
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__problem_set(nn__problem *problem, nn_result code, const char *fix, const char *cause,
                                ...); /* returns false */
#else
static inline NN__UNUSED bool nn__problem_set_code(nn__problem *problem, nn_result code) {
    problem->code = code;
    return false;
}
#define nn__problem_set(problem, code, fix, ...) \
    ((void)(fix), NN__NO_TEXT(__VA_ARGS__), nn__problem_set_code(problem, code))
#endif
/* Records it as a fault and returns the poisoned node. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn_node *nn__poison_problem(nn_model *net, nn_site site, const char *operation, const char *name,
                                       nn_node *const *inputs, const char *const *roles, int count,
                                       const nn__problem *problem);
#else
#define nn__poison_problem(net, site, operation, name, inputs, roles, count, problem) \
    ((void)(problem), (void)nn__build_fault(net, 0, site, operation, name, inputs, roles, count), \
     nn__poison(net))
#endif

/* ---- autodiff: reverse mode over the list of nodes ------------------------------------------- */
#ifndef NN_NO_TRAINING
struct nn__tape {
    nn__graph *graph; /* where gradient nodes go */
    nn_context *nn;
    bool failed; /* no memory, or an operation without a gradient (a fault says which) */
    nn__faults *faults;
};
/* Adds to tape->graph the gradients of loss (one number) with respect to everything wanted behind it.
   Afterwards parameter->gradient is the node of its gradient (NULL: the loss does not depend on it), until
   the next call. */
NN_PRIVATE bool nn__backward(nn__tape *tape, nn_node *loss);
/* For gradient rules: does anybody want the gradient of x? */
static inline NN__UNUSED bool nn__wants(const nn_node *x) { return x && x->wanted; }
/* Adds dx to the gradient of x (an add node when there is one already). */
NN_PRIVATE void nn__give_gradient(nn__tape *tape, nn_node *x, nn_node *dx);
/* A node of the tape, on the device of `like`, named like it with a suffix ("fc.weight" + ".grad"). */
NN_PRIVATE nn_node *nn__tape_node(nn__tape *tape, const nn__rule *rule, const nn_node *like,
                                  const char *suffix, nn_node *const *inputs, int count, nn_dtype dtype,
                                  nn_shape shape, const void *params, size_t params_bytes);
/* The rule by which two gradients are added; set by ops/pointwise. */
NN_PRIVATE nn_node *nn__tape_add(nn__tape *tape, nn_node *a, nn_node *b);
#endif
