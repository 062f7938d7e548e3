/* graph/inspect.h - what a model's nodes are and what they compute, for programs that read a net:
   exporters, drawings, converters to other formats.

       for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
           const nn_node_description d = nn_describe_node(node);
           ...
       }

   The library computes about 250 kinds of operations with about fifty kinds of kernels. So a reader
   of nets needs no list of operations: nn_node_call gives it the kernel of a node and the filled
   arguments (kernels/list.h), the same that a device gets.

   Operations that are made of others appear as these others, in their order. What a plan does to a
   net (fused activations, folded norms, packed weights) is not seen here: each node computes what
   it was described to compute. */
#pragma once

#include "base/result.h"
#include "graph/model.h"
#include "kernels/list.h"

typedef enum nn_node_kind {
    NN_NODE_NONE,      /* NULL, or a node that stands for a fault */
    NN_NODE_OPERATION, /* its node is output 0 */
    NN_NODE_OUTPUT,    /* output 1, 2 ... of the operation `owner` */
    NN_NODE_INPUT,
    NN_NODE_PARAMETER,
    NN_NODE_CONSTANT, /* nn_constant */
    NN_NODE_BUFFER,   /* nn_buffer, running statistics, scales of 8-bit weights */
    NN_NODE_TENSOR    /* nn_borrow */
} nn_node_kind;

/* Name, shape, dtype and device: nn_node_name and its neighbours. All pointers live as long as the
   model, and are NULL where nothing is meant. */
typedef struct nn_node_description {
    nn_node_kind kind;
    const char *operation;   /* "linear"; of leaves "input", "parameter" ... (empty for leaves under
                                NN_NO_REPORTS) */
    nn_node *const *inputs;  /* of the operation, parameters included, in its own order */
    int input_count;
    nn_node *owner;          /* OPERATION: the node itself; OUTPUT: the operation's node */
    int output;              /* OUTPUT: its number, from 1; else 0 */
    int output_count;        /* OPERATION: number of outputs */
    nn_kernel kernel;        /* OPERATION: what nn_node_call gives; else NN_KERNEL_NONE */
    /* OPERATION without a kernel: the result is input 0, in another shape or dtype view (reshape,
       flatten, detach, dropout of a plan that does not train) or on another device (transfer) */
    bool alias;
    /* OPERATION that changes its inputs while training (nn_assign, running statistics). Plans that
       infer leave it out, and no operation reads its result */
    bool effect;
    bool remembers; /* OPERATION: its result is kept from run to run (nn_cache) */
    bool frozen;    /* PARAMETER: nn_freeze */
    nn_tensor *tensor; /* of a leaf: its storage; NULL before there is memory (nn_find_tensor makes
                          it) and of inputs */
    nn_site site;      /* where it was described */
} nn_node_description;

/* Returns the first node of a model (after NULL) or the one that was described after `after`. NULL:
   there is none. The order of description is an order of execution: inputs come before the
   operations that read them. Nodes of trainers (gradients, updates) are not among them. */
NN_API nn_node *nn_next_node(const nn_model *net, const nn_node *after);

/* Describes a node. NULL and poisoned nodes are of the kind NN_NODE_NONE. */
NN_API nn_node_description nn_describe_node(const nn_node *node);

/* Calls `each` once with the kernel of an operation and its arguments, a pointer to the struct that
   kernels/list.h names for it. The arguments are those of a plan that does not train, at this batch
   and time; 0 means 1. They are valid during the call.

   There is no memory in them: the `handle` of each view is the node whose value it is, an
   nn_node *, and an absent view (dtype 0) has none. Scratch memory and status words are absent. All
   further outputs are present, also those that nothing reads.

   Errors: NN_ERROR_ARGUMENT if the node is not an operation with a kernel, if the batch or the time
   is negative, or if `each` is NULL; NN_ERROR_MEMORY. `each` is then not called. */
NN_API nn_result nn_node_call_at(nn_site site, const nn_node *node, int batch, int time,
                                 void (*each)(void *user, nn_kernel kernel, const void *args),
                                 void *user);
#define nn_node_call(...) nn_node_call_at(NN_HERE, __VA_ARGS__)
