/* graph/node.h - nodes, and the graphs that own them. A node's rule (graph/rule.h) says what it
   computes. */
#pragma once

#include "graph/fault.h"

typedef struct nn__graph nn__graph;
typedef struct nn__rule nn__rule;
typedef struct nn__quantizer nn__quantizer; /* ops/quantize_private.h */

typedef enum nn__node_kind {
    NN__OPERATION,
    NN__INPUT,
    NN__PARAMETER,
    NN__CONSTANT, /* copied from a user's tensor */
    NN__STATE,    /* of a trainer: moments, accumulators */
    NN__BORROWED,
    NN__OUTPUT, /* a further output of the operation `owner` */
    /* state of the model: saved and moved like a parameter, written by operations, never trained */
    NN__BUFFER
} nn__node_kind;

/* Most outputs of one operation, the first included. Only gradients have more than two. */
#ifdef NN_NO_TRAINING
#define NN__MAX_OUTPUTS 2
#else
#define NN__MAX_OUTPUTS 4
#endif

#ifdef NN__LEAN
typedef int32_t nn__zero_count;
#else
typedef int64_t nn__zero_count;
#endif

/* Initial values of a parameter or state: uniform in [low, high), drawn from the model's seed and
   `stream`. Each element of a buffer has the first bytes of `stream`. */
typedef struct nn__start {
    float low, high;
    uint64_t stream;
#ifndef NN_NO_TRAINING
    /* nn__materialize_normal for normal values with mean 0 and variance 1; NULL: uniform ones.
       Programs without such values do not contain the function */
    void (*normal)(const nn_model *net, const nn_node *leaf, size_t first, size_t count,
                   float *values);
    /* zeros: the number of elements, from zeros_from on, that start as 0 */
    nn__zero_count zeros_from, zeros;
#endif
} nn__start;

struct nn_node {
    nn__graph *graph;
    nn_node *next; /* in the order of description, which is a valid order of execution */
    const nn__rule *rule; /* operations only */
    const char *name;
    nn_shape shape;
    nn_device device;
    struct nn__scope *scope; /* the innermost nn_device_begin; NULL: the model's device */
    nn_node **inputs;
    int input_count;
    nn_node *more;  /* the next output of the operation; NULL: this is the last */
    nn_node *owner; /* OUTPUT: the operation's node, which is its output 0 */
    void *params;             /* of the rule; in the graph's arena */
#ifndef NN__LEAN
    const char *operation;    /* for messages: "linear"; for leaves "input", "parameter" ... */
    nn_node *alike;           /* leaf: next in its list of graph->leaves */
    const char *const *roles; /* names of the inputs in messages: "input", "weight", "bias" */
    /* a weight of nn_quantize: the leaf with its scales, one per row, or per column. With weights
       of 4 bits, one per group; minimum: NULL, or the leaf with their minimums */
    nn_node *scale, *minimum;
    /* Of nn_autocast_begin. narrow: the value's cast to a half dtype, or NULL. viewed: an alias of
       the value that has such a cast, or NULL. halved: the half dtype in which other operations
       read the value, or 0. autocast: the half dtype of a product that was described in such a
       region, and of its gradients; 0: none */
    nn_node *narrow, *viewed;
    uint8_t halved, autocast;
    bool turned; /* the scales are per column; of 4 bits: files have the weight transposed */
    bool early; /* runs as soon as its inputs exist, not in the order of description */
#endif
    nn_tensor *tensor; /* storage of a leaf, once allocated; a BORROWED node has it from the
                          beginning */
    nn__start start;
    nn_tensor *source; /* CONSTANT: the user's tensor, until copied */
    nn_site site;
    nn__node_kind kind;
    nn_dtype dtype;
    bool poisoned, keep;
    bool moves; /* is on the model's own device, and moves with nn_move_model */
    bool wanted; /* autodiff: depends on a parameter; plan: is needed. Valid inside one call only */
    /* Rarely used, and so packed into one byte, which saves memory on small processors. */
    bool frozen : 1, detached : 1;
    bool remembers : 1; /* the output is a state that a plan keeps from run to run; the kernel
                           writes parts of it */
    bool of_others : 1; /* plan: a buffer that the trainer leaves to others. Valid inside one call
                           only */
    bool averaged : 1;  /* a parameter that holds its average now: nn_swap_average */
    bool continued : 1; /* a state of nn_state that an operation writes at the end of a run */
#ifndef NN_NO_TRAINING
    bool adapter; /* a parameter of nn_lora */
    bool merged;  /* the layer's weight includes it, and files do not contain it */
#endif
    int value;         /* plan: index of its value, valid inside one call only */
#ifndef NN_NO_TRAINING
    int readers;       /* autodiff: number of reads by nodes of the model */
    nn_node *gradient; /* autodiff */
    /* a node of a recompute region and its repetition refer to each other */
    nn_node *again;
    int region; /* number of its nn_recompute_begin, from 1; 0: none */
    bool repeats; /* it is the repetition */
#endif
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
    int order; /* position in the model's description; orders the faults */
    uint32_t params_bytes; /* for nn_copy_model */
#endif
};

#ifndef NN__LEAN
#define nn__operation(node)                 ((node)->operation)
#define nn__set_operation(node, its_name)   ((void)((node)->operation = (its_name)))
#else
#define nn__operation(node)                 ((void)(node), "")
#define nn__set_operation(node, its_name)   ((void)(node), (void)(its_name))
#endif

#ifndef NN_NO_MIXED_PRECISION
/* Functions for a model with nn_autocast_begin. Only programs that call it link them
   (ops/autocast.c). */
typedef struct nn__autocasts {
    /* Called for each new operation: replaces inputs by their casts, and decides how the result is
       stored. False: no memory. */
    bool (*read)(nn__graph *graph, nn_node *node);
    /* adds a fault if a region was not ended */
    void (*check)(const nn_model *net, nn__faults *faults);
} nn__autocasts;

/* Returns the number of bits of a weight of nn_quantize. */
static inline NN__UNUSED int nn__stored_bits(const nn_node *weight) {
    return weight->dtype == NN_U8 ? 4 : 8;
}
#endif

/* Returns output k of an operation; output 0 is its own node. NULL: it has fewer. */
static inline NN__UNUSED nn_node *nn__output(nn_node *node, int k) {
    while (node && k-- > 0) node = node->more;
    return node;
}

/* Returns the name of an input in messages. */
static inline NN__UNUSED const char *nn__role(const nn_node *node, int input) {
#ifdef NN_NO_REPORTS
    (void)node, (void)input;
    return "";
#else
    return node->roles ? node->roles[input] : "input";
#endif
}

/* Returns the bytes of a node's value at this batch and time; 0: overflow. */
NN_PRIVATE size_t nn__node_bytes(const nn_node *node, int32_t batch, int32_t time);

/* True for nn_state: an input whose value a plan keeps from run to run. */
static inline NN__UNUSED bool nn__is_state(const nn_node *node) {
    return node->kind == NN__INPUT && node->remembers;
}

/* True for leaves that weight files contain. */
static inline NN__UNUSED bool nn__is_saved(const nn_node *node) {
#ifndef NN_NO_TRAINING
    if (node->merged) return false;
#endif
    return node->kind == NN__PARAMETER || node->kind == NN__CONSTANT || node->kind == NN__BUFFER;
}

/* True for leaves whose storage the graph allocates. */
static inline NN__UNUSED bool nn__is_stored(const nn_node *node) {
#ifndef NN_NO_TRAINING
    if (node->merged) return true;
#endif
    return nn__is_saved(node) || node->kind == NN__STATE;
}

typedef struct nn__scope {
    struct nn__scope *outer;
    nn_device device;
    nn_site site;
    bool ended;
} nn__scope;

/* ---- graphs ---------------------------------------------------------------------------------- */

/* One allocation on a device, for all leaves of a graph that were allocated together. In the
   graph's arena. */
typedef struct nn__leaf_block {
    struct nn__leaf_block *next;
    nn_device device;
    void *handle;
    uint64_t bytes;
} nn__leaf_block;

/* Counts the unnamed nodes of one operation. */
typedef struct nn__name_counter {
    struct nn__name_counter *next;
    const char *operation;
    int count;
} nn__name_counter;

struct nn_plan; /* of a room below */
struct nn__tape; /* graph/tape.h */

/* The nodes of a model, or those that a trainer adds (gradients, updates, states). */
struct nn__graph {
    nn_context *nn;
    nn_model *model; /* also set in a trainer's graph */
    bool together;   /* a trainer's: batch norms use statistics of several plans */
    bool carries;    /* a trainer's: a step continues from the states of the step before */
#ifndef NN_NO_MIXED_PRECISION
    nn_dtype autocast; /* of the nodes that are added now: nn_node.autocast */
    bool taping;       /* a model's: the nodes that are added now are gradients (nn_gradient) */
#endif
#ifndef NN_NO_TRAINING
    /* a trainer's: nn__plan_launches; other programs need not link it */
    bool (*launches)(struct nn_plan *plan);
#endif
    nn__arena arena;
    nn_node *first, *last;
    nn__leaf_block *blocks;
#ifndef NN__LEAN
    /* Leaves in lists by the hash of their names, linked by `alike`. When there are more leaves
       than lists, the number of lists is multiplied by four. */
    nn_node *fixed_leaves[256], **leaves; /* NULL: fixed_leaves */
    uint32_t leaf_lists, leaf_count;    /* leaf_lists: number of lists in `leaves` */
#endif
#ifndef NN__UNNUMBERED
    struct nn__name_counter *name_counters; /* unnamed nodes, by operation */
#endif
};

/* A warning: a description that is allowed but probably a mistake. */
typedef struct nn__warning {
    struct nn__warning *next;
    const char *text; /* the whole line, in the model's arena */
} nn__warning;

/* What nn_output returns for an operation that consists of others. In the model's arena. */
typedef struct nn__result {
    struct nn__result *next;
    const nn_node *node;
    nn_node *result;
    int k;
} nn__result;

#ifndef NN_NO_TRAINING
/* Functions for a model with adapters. Only programs that use adapters link them (ops/lora.c). */
typedef struct nn__adapters {
    /* returns y of the layer plus its adapter, or y itself; poisoned if y is */
    nn_node *(*adapt)(nn_site site, nn_model *net, const char *name, nn_node *x, nn_node *y,
                      bool transposed);
    /* adds a fault for each target that matches no layer */
    void (*check)(const nn_model *net, nn__faults *faults);
    bool (*copy)(const nn_model *from, nn_model *to);       /* false: no memory */
    bool kept; /* merged, and the weights as they were before are kept to be restored */
} nn__adapters;

/* Functions for a model with nodes that are gradients. Only programs that call nn_gradient link
   them (ops/again.c). */
typedef struct nn__gradients {
    /* the tape's `again` */
    void (*again)(struct nn__tape *tape, nn_node *node, nn_node *dy);
    /* the tape's `unpool` */
    nn_node *(*unpool)(struct nn__tape *tape, nn_node *dy, nn_node *index, const nn_node *like);
    /* For nn_copy_model: replaces the nodes to which the params refer by their copies, which
       copy_of finds. */
    void (*own)(nn_node *node, nn_node *(*copy_of)(const void *copy, const nn_node *node),
                const void *copy);
} nn__gradients;
#endif

struct nn_model {
    nn__owned owned;
    nn_context *nn;
    nn__graph graph;
    nn__faults faults;
#ifndef NN_NO_REPORTS
    nn__warning *warnings, *last_warning;
#endif
    nn__scope *scope; /* the innermost open one */
#ifndef NN_NO_MIXED_PRECISION
    nn__quantizer *quantizer; /* NULL: no weights of 8 or 4 bits */
    const nn__autocasts *autocasts; /* NULL: nn_autocast_begin was never called */
    nn_site autocast_site;          /* of the last call */
#endif
    char name[NN_NAME_BYTES];
    nn_device device;
    bool device_is_default; /* the user gave no device */
    nn_dtype dtype; /* of parameters */
    uint64_t seed;
    uint64_t streams; /* number of parameters and random operations so far */
    nn_site site; /* where it was made; of a shell: where it was freed */
#ifndef NN_NO_REPORTS
    bool gone; /* freed: a shell that owns nothing and answers every call with an error */
#endif
    uint32_t generation;  /* counts the moves */
    nn_site moved;        /* where the last move was called */
    const char *mover;    /* the function that moved it: "nn_move_model" */
    nn__slicing *slicing; /* runs in slices of its plans and its trainers' plans */
    nn__owned dependents; /* plans and trainers, freed with the model */
    nn__result *results;  /* newest first */
    int order;            /* the next node's order */
    nn_node poison;       /* returned by builders after a fault */
#ifndef NN_NO_TRAINING
    int fits; /* number of running nn_fit calls that train it */
    int region, regions; /* region: the open nn_recompute_begin, or 0; regions: the number so far */
    nn_site region_site;
    bool prepared; /* nn_prepare_qat made it */
    nn__adapters *adapters; /* NULL: none. With adapters, new parameters are frozen */
    const nn__gradients *gradients; /* NULL: no node is a gradient (nn_gradient) */
    /* Not 0: the update of this training step broke off half way. The parameters mix two steps
       until all of them are set anew. */
    int64_t torn;
#endif
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
    const nn_model *original; /* the model that nn_copy_model copied; NULL: none, or it was freed */
    int copied; /* nodes with a smaller order were copied from the original */
#endif
};

/* True if the node has this name, or if the prefix ends in a dot and the name begins with it. */
NN_PRIVATE bool nn__named(const nn_node *node, const char *prefix);
/* Frees a model. Its address also identifies models in a context's list. */
NN_PRIVATE void nn__model_destroy(nn__owned *owned);
/* True if the model is NULL or was freed. The latter is an error in the name of `who`. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__model_gone(const nn_model *net, nn_site site, const char *who);
#else
#define nn__model_gone(net, site, who) ((void)(site), (void)(who), !(net))
#endif
/* Fails, in the name of `who`, if the weights mix two steps after a broken update. */
#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__refuse_torn(const nn_model *net, nn_site site, const char *who);
static inline NN__UNUSED nn_result nn__check_untorn(const nn_model *net, nn_site site,
                                                    const char *who) {
    return net->torn ? nn__refuse_torn(net, site, who) : NN_OK;
}
#define nn__mend(net) ((void)((net)->torn = 0)) /* all tensors were set anew */
#else
#define nn__check_untorn(net, site, who) ((void)(net), (void)(site), (void)(who), NN_OK)
#define nn__mend(net)                    ((void)(net))
#endif
NN_PRIVATE void nn__graph_init(nn__graph *graph, nn_model *model);
NN_PRIVATE void nn__graph_free(nn__graph *graph);
#if !defined(NN_NO_TRAINING) || !defined(NN_NO_REPORTS) || !defined(NN_NO_MIXED_PRECISION)
/* True if a layer's name matches: stars, the whole name, or its end after a dot. */
NN_PRIVATE bool nn__layer_fits(const char *pattern, const char *layer);
#endif
/* Allocates the storage of every leaf that has none, and uploads initial values ("init" in the
   ledger). After a failure nothing has changed. */
NN_PRIVATE nn_result nn__materialize(nn__graph *graph, nn_site site);
#ifndef NN_NO_TRAINING
/* Computes elements [first, first + count) of a leaf whose initial values are normally
   distributed. */
NN_PRIVATE void nn__materialize_normal(const nn_model *net, const nn_node *leaf, size_t first,
                                       size_t count, float *values);
#endif
#ifndef NN_NO_TRAINING
/* Writes a leaf's initial values to a tensor of the same type. */
NN_PRIVATE nn_result nn__fill_first_values(const nn_node *node, nn_tensor *to, nn_site site);
/* True if the node is a parameter that matches: its name, a beginning that ends with a dot, or
   stars for any text. */
NN_PRIVATE bool nn__pattern_fits(const char *pattern, const nn_node *node);
#ifndef NN_NO_REPORTS
/* Returns the Levenshtein distance: the number of characters to insert, delete or replace. */
NN_PRIVATE int nn__name_distance(const char *a, const char *b);
#endif
/* Fails, in the name of `who`, if no parameter of the model matches. what: "", or a description of
   the pattern that ends with a space. */
NN_PRIVATE bool nn__pattern_check(nn_model *net, const char *who, const char *what,
                                  const char *pattern, nn_site site);
#endif
