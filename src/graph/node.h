/* graph/node.h - nodes, and the graphs that own them. What a node computes is said by its rule
   (graph/rule.h). */
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

/* Of one operation, the first included. Only gradients have more than two. */
#ifdef NN_NO_TRAINING
#define NN__MAX_OUTPUTS 2
#else
#define NN__MAX_OUTPUTS 4
#endif

/* What a parameter or state starts as: uniform in [low, high) from the seed of its model and its
   ordinal. A buffer: each element has the first bytes of `stream`. */
typedef struct nn__start {
    float low, high;
    uint64_t stream;
#ifndef NN_NO_TRAINING
    bool normal; /* instead: of mean 0 and variance 1 */
    int64_t zeros_from, zeros; /* elements that start as 0 */
#endif
} nn__start;

struct nn_node {
    nn__graph *graph;
    nn_node *next; /* in the order of description, which is an order of execution */
    const nn__rule *rule; /* operations only */
    const char *name;
    nn_shape shape;
    nn_device device;
    struct nn__scope *scope; /* the nn_on_device in force; NULL: the model's own device */
    nn_node **inputs;
    int input_count;
    nn_node *more;  /* the next output of the same operation; NULL: the last one */
    nn_node *owner; /* OUTPUT: the operation, which is its own first output */
    void *params;             /* the rule's, in the graph's arena */
#ifndef NN_NO_REPORTS
    const char *operation;    /* for messages: "linear"; leaves: "input", "parameter" ... */
    nn_node *alike;           /* leaf: the next one in its list of the graph's `leaves` */
    const char *const *roles; /* names of the inputs for messages: "input", "weight", "bias" */
    /* a weight of nn_quantize: the leaf with its scales, one for each row, or for each column */
    nn_node *scale;
    bool turned; /* for each column */
    bool early; /* runs as soon as what it reads is there, not in the order of description */
#endif
    nn_tensor *tensor; /* storage of a leaf once it exists; of BORROWED and the source of CONSTANT
                          from the beginning */
    nn__start start;
    nn_tensor *source; /* CONSTANT: the user's tensor, until copied */
    nn_site site;
    nn__node_kind kind;
    nn_dtype dtype;
    bool poisoned, keep;
    bool moves; /* leaf or operation on the model's own device, goes along with nn_move_model */
    bool wanted; /* autodiff: a parameter stands behind it; plan: reachable. Inside one call only */
    /* Rarely asked, and so one byte: a small processor has room for neither more bytes nor more
       code. */
    bool frozen : 1, detached : 1;
    bool remembers : 1; /* an operation whose output is a state that a plan keeps from run to run,
                           of which its kernel writes parts */
    bool of_others : 1; /* plan: a buffer that its trainer does not write. Inside one call only */
    bool averaged : 1;  /* a parameter in whose place an average stands: nn_swap_average */
#ifndef NN_NO_TRAINING
    bool adapter; /* a parameter of nn_lora: */
    bool merged;  /* the layer's weight has it inside, and no file holds it */
#endif
    int value;         /* plan: index of its value, inside one call only */
#ifndef NN_NO_TRAINING
    int readers;       /* autodiff: how often nodes of the model read it */
    nn_node *gradient; /* autodiff */
    /* of a region: what computes it again in the backward pass; of that one: what it repeats */
    nn_node *again;
    int region; /* of nn_recompute_begin, from 1; 0: none */
    bool repeats; /* it is the second one */
#endif
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
    int order; /* in the model's description; faults are reported in it */
    uint32_t params_bytes; /* for nn_copy_model */
#endif
};

#ifndef NN_NO_REPORTS
#define nn__operation(node)                 ((node)->operation)
#define nn__set_operation(node, its_name)   ((void)((node)->operation = (its_name)))
#else
#define nn__operation(node)                 ((void)(node), "")
#define nn__set_operation(node, its_name)   ((void)(node), (void)(its_name))
#endif

/* Output k of an operation, 0 being the operation's own node; NULL: it has fewer. */
static inline NN__UNUSED nn_node *nn__output(nn_node *node, int k) {
    while (node && k-- > 0) node = node->more;
    return node;
}

/* What messages call an input. */
static inline NN__UNUSED const char *nn__role(const nn_node *node, int input) {
#ifdef NN_NO_REPORTS
    (void)node, (void)input;
    return "";
#else
    return node->roles ? node->roles[input] : "input";
#endif
}

/* Bytes of a node's value at this batch and time; 0: more than there can be. */
NN_PRIVATE size_t nn__node_bytes(const nn_node *node, int32_t batch, int32_t time);

/* Leaves that files hold, by their names. */
static inline NN__UNUSED bool nn__is_saved(const nn_node *node) {
#ifndef NN_NO_TRAINING
    if (node->merged) return false;
#endif
    return node->kind == NN__PARAMETER || node->kind == NN__CONSTANT || node->kind == NN__BUFFER;
}

/* Leaves whose storage the graph allocates. */
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

/* One allocation on one device for all the leaves of a graph that got their storage together. In
   the graph's arena. */
typedef struct nn__leaf_block {
    struct nn__leaf_block *next;
    nn_device device;
    void *handle;
    uint64_t bytes;
} nn__leaf_block;

/* How many nodes of one operation have no name of their own. A graph has few of these, however many
   nodes. */
typedef struct nn__tally {
    struct nn__tally *next;
    const char *operation;
    int count;
} nn__tally;

struct nn_plan; /* of a room below */

/* A model's nodes, or those that a trainer adds (gradients, updates, states). */
struct nn__graph {
    nn_context *nn;
    nn_model *model; /* the model itself, also for a trainer's graph */
    bool together;   /* of a trainer: its batch norms are those of several plans */
#ifndef NN_NO_TRAINING
    /* of a trainer: nn__plan_launches, which only its plans need */
    bool (*launches)(struct nn_plan *plan);
#endif
    nn__arena arena;
    nn_node *first, *last;
    nn__leaf_block *blocks;
#ifndef NN_NO_REPORTS
    /* Leaves by a hash of their names, linked by `alike`: four times the lists when there are more
       leaves than lists. */
    nn_node *few_leaves[256], **leaves; /* NULL: few_leaves */
    uint32_t leaf_lists, leaf_count;    /* lists of `leaves` */
    struct nn__tally *tallies; /* of nodes without a name of their own, by operation */
#endif
};

/* What a description says that is allowed and probably not meant. */
typedef struct nn__warning {
    struct nn__warning *next;
    const char *text; /* whole, in the model's arena */
} nn__warning;

/* What nn_output gives of an operation that is made of others. In the model's arena. */
typedef struct nn__result {
    struct nn__result *next;
    const nn_node *node;
    nn_node *result;
    int k;
} nn__result;

#ifndef NN_NO_TRAINING
/* What a model with adapters is asked, so that only programs that have some link them
   (ops/lora.c). */
typedef struct nn__adapters {
    /* y of the layer with its adapter, or y itself; poisoned like it */
    nn_node *(*adapt)(nn_site site, nn_model *net, const char *name, nn_node *x, nn_node *y,
                      bool transposed);
    void (*check)(const nn_model *net, nn__faults *faults); /* targets that nothing fits */
    bool (*copy)(const nn_model *from, nn_model *to);       /* false: no memory */
} nn__adapters;
#endif

struct nn_model {
    nn__owned owned;
    nn_context *nn;
    nn__graph graph;
    nn__faults faults;
#ifndef NN_NO_REPORTS
    nn__warning *warnings, *last_warning;
#endif
    nn__scope *scope; /* innermost one in force */
#ifndef NN_NO_REPORTS
    nn__quantizer *quantizer; /* NULL: no weights of 8 bits */
#endif
    char name[NN_NAME_BYTES];
    nn_device device;
    bool device_is_default; /* the user named none */
    nn_dtype dtype; /* of parameters */
    uint64_t seed;
    uint64_t streams; /* parameters and random operations so far */
    nn_site site; /* where it was made; of a shell: where it was freed */
#ifndef NN_NO_REPORTS
    bool gone; /* freed: a shell, which owns nothing and answers every call with an error */
#endif
    uint32_t generation;  /* raised by every move */
    nn_site moved;        /* by the last one */
    const char *mover;    /* the function that was: "nn_move_model" */
    nn__slicing *slicing; /* runs in slices under way, of its plans and of its trainers' */
    nn__owned dependents; /* plans and trainers, freed with the model */
    nn__result *results;  /* the last one first */
    int order;            /* next one */
    nn_node poison;       /* what builders return for everything that does not fit */
#ifndef NN_NO_TRAINING
    int fits; /* calls of nn_fit under way that train it */
    int region, regions; /* nn_recompute_begin: the open one, or 0; how many there were */
    nn_site region_site;
    nn__adapters *adapters; /* NULL: none. With them parameters start frozen */
    /* Not 0: an update broke off half way in the training step of this number. What is saved of
       the model is that of two steps, until all of it is given anew. */
    int64_t torn;
#endif
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
    const nn_model *original; /* what nn_copy_model copied; NULL: nothing, or it was freed */
    int copied; /* nodes of an order below this were described by the original */
#endif
};

/* Has the node this name, or a name that begins with a prefix that ends in a dot? */
NN_PRIVATE bool nn__named(const nn_node *node, const char *prefix);
NN_PRIVATE void nn__model_destroy(nn__owned *owned); /* tells a model among what a context owns */
/* True for NULL, and for a model that was freed, with an error in the name of `who`. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__model_gone(const nn_model *net, nn_site site, const char *who);
#else
#define nn__model_gone(net, site, who) ((void)(site), (void)(who), !(net))
#endif
/* NN_OK, or the error of the call `who` that would take what a broken update left for weights. */
#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__check_untorn(const nn_model *net, nn_site site, const char *who);
#define nn__mend(net) ((void)((net)->torn = 0)) /* all tensors have been given anew */
#else
#define nn__check_untorn(net, site, who) ((void)(net), (void)(site), (void)(who), NN_OK)
#define nn__mend(net)                    ((void)(net))
#endif
NN_PRIVATE void nn__graph_init(nn__graph *graph, nn_model *model);
NN_PRIVATE void nn__graph_free(nn__graph *graph);
#if !defined(NN_NO_TRAINING) || !defined(NN_NO_REPORTS)
/* Does the name of a layer fit: stars, or the whole name, or its end behind a dot? */
NN_PRIVATE bool nn__layer_fits(const char *pattern, const char *layer);
#endif
/* Allocates the storage of every leaf that has none (one block a device), sets first values,
   uploads them ("init" in the ledger). All or nothing. */
NN_PRIVATE nn_result nn__materialize(nn__graph *graph, nn_site site);
#ifndef NN_NO_TRAINING
/* The first values of a leaf to a tensor like its own. */
NN_PRIVATE nn_result nn__fill_first_values(const nn_node *node, nn_tensor *to, nn_site site);
/* Is the node a parameter whose name fits: one name, a beginning that ends with a dot, or stars,
   each for any text? */
NN_PRIVATE bool nn__pattern_fits(const char *pattern, const nn_node *node);
#ifndef NN_NO_REPORTS
/* Levenshtein's: characters that are added, left out or replaced. */
NN_PRIVATE int nn__name_distance(const char *a, const char *b);
#endif
/* Does a parameter of the model fit? If none does, that is an error of the call `who`; what: "" or
   what the pattern is, with a space behind. */
NN_PRIVATE bool nn__pattern_check(nn_model *net, const char *who, const char *what,
                                  const char *pattern, nn_site site);
#endif
