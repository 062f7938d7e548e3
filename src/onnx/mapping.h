/* onnx/mapping.h - one node of a graph, to its mapping: what the files map_*.c and fold_*.c use. */
#pragma once

#include "onnx/private.h"

/* A mapping is a function that looks at a node's operands and attributes, calls builders of nn.h,
   and gives the results:

       static void nn__onnx_relu(nn__onnx_node *n) {
           nn__onnx_give(n, 0, nn_relu_at(n->site, n->net, nn__onnx_x(n, 0)), nn__onnx_dtype(n, 0));
       }

   It is called once for the trial and once for the user's net, and must do the same both times.
   Whatever it cannot express it refuses with nn__onnx_refuse and returns. It need not look for
   errors of its own calls: after a refusal, or without memory, all of them do nothing and return
   poisoned nodes, 0 or NULL, which builders accept. Faults that builders record (shapes that do not
   fit) become refusals with the fault's text.

   A mapping may also give known numbers (nn__onnx_give_known). If the tables have a fold function
   for the operator, it was called first. So a mapping mostly sees at least one computed operand; if
   not, they are numbers that are too large to be computed while reading, or weights.

   The tables at the ends of the files name the operators: see nn__onnx_operator. */
struct nn__onnx_node {
    nn__onnx_walk *walk;
    nn_model *net; /* for builders */
    nn_site site;  /* for builders */
    const nn__onnx_op *op;
    nn__onnx_scope *scope;
    int32_t opset; /* version of the operator's domain: what the operator means */
    nn__onnx_value **operands, **results; /* NULL: left out */
    int32_t operand_count, result_count;
    int32_t pattern_kind; /* of a mapping of patterns.c */
    const char *const *pattern_inputs; /* the same */
    bool refused;
};

typedef struct nn__onnx_operator {
    const char *domain; /* "" is ai.onnx */
    const char *type;
    int32_t since, until;           /* opsets, both included; until 0: to the newest */
    void (*map)(nn__onnx_node *n);  /* NULL: this line has none */
    bool (*fold)(nn__onnx_node *n); /* NULL: this line has none. Returns false, having given
                                       nothing, if it cannot: then the operator is mapped */
} nn__onnx_operator;

/* The tables, each ended by a line of NULL. A new file with mappings adds its name here, and to
   src/nn_onnx.h. */
NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table(int i); /* NULL: there are no more */
#define NN__ONNX_TABLES(X)                                                                         \
    X(fold_shapes)                                                                                 \
    X(fold_elements)                                                                               \
    X(fold_arrange)                                                                                \
    X(fold_reduce)                                                                                 \
    X(map_sources)                                                                                 \
    X(map_elementwise)                                                                             \
    X(map_arithmetic)                                                                              \
    X(map_bits)                                                                                    \
    X(map_extending)                                                                               \
    X(map_reducing)                                                                                \
    X(map_indexing)                                                                                \
    X(map_choosing)                                                                                \
    X(map_arranging)                                                                               \
    X(map_conv)                                                                                    \
    X(map_pool)                                                                                    \
    X(map_norm)                                                                                    \
    X(map_product)                                                                                 \
    X(map_attention)                                                                               \
    X(map_recurrent)                                                                               \
    X(map_quantised)                                                                               \
    X(map_integers)                                                                                \
    X(map_resize)                                                                                  \
    X(map_grid)                                                                                    \
    X(map_signal)                                                                                  \
    X(map_own)                                                                                     \
    X(map_microsoft)
#define NN__X(name) NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_##name(void);
NN__ONNX_TABLES(NN__X)
#undef NN__X
enum {
#define NN__X(name) NN__ONNX_TABLE_##name,
    NN__ONNX_TABLES(NN__X)
#undef NN__X
        NN__ONNX_TABLE_COUNT
};
/* Returns the first line of the tables for an operator that has a mapping, or with `fold` the first
   one that has a fold function; NULL: there is none. */
NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_lookup(const char *domain, const char *type,
                                                          int64_t opset, bool fold);
/* True if there is a line for any opset. */
NN__ONNX_PRIVATE bool nn__onnx_is_mapped(const char *domain, const char *type);

/* Refuses the node: the cause in words (format as nn__onnx_say), and what the user can do instead,
   NULL if there is nothing. The results are then never read. Returns false. */
NN__ONNX_PRIVATE bool nn__onnx_refuse(nn__onnx_node *n, const char *fix, const char *cause, ...);

/* Operands. i counts from 0; one that is left out ("") keeps its place. */
static inline bool nn__onnx_has(const nn__onnx_node *n, int i) {
    return i >= 0 && i < n->operand_count && n->operands[i] != NULL;
}
NN__ONNX_PRIVATE nn__onnx_type nn__onnx_dtype(const nn__onnx_node *n, int i); /* in ONNX */
NN__ONNX_PRIVATE int nn__onnx_rank(const nn__onnx_node *n, int i);
/* Returns extents, free ones as NN_BATCH and NN_TIME. Known numbers of more than NN_MAX_RANK axes
   are refused. */
NN__ONNX_PRIVATE nn_shape nn__onnx_shape(nn__onnx_node *n, int i);
/* Returns the known numbers of an operand; NULL: it is computed or left out. */
static inline const nn__onnx_tensor *nn__onnx_known(const nn__onnx_node *n, int i) {
    return nn__onnx_has(n, i) ? n->operands[i]->known : NULL;
}
/* Does the same, but refuses a computed operand: "operand 1 (axes) is computed". */
NN__ONNX_PRIVATE const nn__onnx_tensor *nn__onnx_numbers(nn__onnx_node *n, int i, const char *role);
/* Writes the whole numbers of a known operand and returns their count; -1 after a refusal: it is
   computed, has more than `most` numbers, or depends on a free extent. Numbers are clamped to
   int32. */
NN__ONNX_PRIVATE int nn__onnx_wholes(nn__onnx_node *n, int i, const char *role, int32_t *to,
                                     int most);
/* Does the same for extents: free ones as NN_BATCH, NN_TIME and their multiples. 0 and -1 are
   numbers that mean what the operator says: *plain[k] tells -1 from NN_BATCH. plain may be NULL. */
NN__ONNX_PRIVATE int nn__onnx_extents(nn__onnx_node *n, int i, const char *role, int32_t *to,
                                      bool *plain, int most);
/* True if the operand is known and all its numbers are one; writes it. */
NN__ONNX_PRIVATE bool nn__onnx_scalar(const nn__onnx_node *n, int i, double *number);

/* Returns an operand as an f32 node to compute with. Whole numbers and truth values are cast,
   exactly below 2^24; f16 and f64 are f32 here. */
NN__ONNX_PRIVATE nn_node *nn__onnx_x(nn__onnx_node *n, int i);
/* Returns an operand as an i32 node: indices and labels. */
NN__ONNX_PRIVATE nn_node *nn__onnx_index(nn__onnx_node *n, int i);
/* Returns the node of an operand as it is (f32, i32 or u8), for operations that only move
   elements. */
NN__ONNX_PRIVATE nn_node *nn__onnx_raw(nn__onnx_node *n, int i);
/* Returns numbers of the mapping, or known numbers, as an f32 constant. */
NN__ONNX_PRIVATE nn_node *nn__onnx_constant(nn__onnx_node *n, const float *numbers, nn_shape shape);
NN__ONNX_PRIVATE nn_node *nn__onnx_constant_of(nn__onnx_node *n, const nn__onnx_tensor *tensor,
                                               nn_dtype dtype);
/* Returns a scratch array of the walk, zeroed; NULL without memory (the call has the error). */
NN__ONNX_PRIVATE void *nn__onnx_scratch(nn__onnx_node *n, uint64_t bytes);

/* Return attributes, or their defaults. In a function's body they may stand for those of its
   call. */
NN__ONNX_PRIVATE const nn__onnx_attribute *nn__onnx_attribute_of(const nn__onnx_node *n,
                                                                 const char *name);
NN__ONNX_PRIVATE int64_t nn__onnx_int(const nn__onnx_node *n, const char *name, int64_t absent);
NN__ONNX_PRIVATE double nn__onnx_float(const nn__onnx_node *n, const char *name, double absent);
NN__ONNX_PRIVATE const char *nn__onnx_string(const nn__onnx_node *n, const char *name,
                                             const char *absent);
static inline bool nn__onnx_is(const nn__onnx_node *n, const char *name, const char *absent,
                               const char *text) {
    return strcmp(nn__onnx_string(n, name, absent), text) == 0;
}
/* Writes a list of whole numbers, clamped to int32, and returns its count; -1: it is absent; -2
   after a refusal, it has more than `most`. */
NN__ONNX_PRIVATE int nn__onnx_ints(nn__onnx_node *n, const char *name, int32_t *to, int most);
/* Returns the attribute "axis" from 0 on, for an operand with `rank` axes; -1 after a refusal: out
   of range. */
NN__ONNX_PRIVATE int nn__onnx_axis(nn__onnx_node *n, int64_t absent, int rank);

/* Results. dtype is the value's in ONNX, whatever the node's is: a whole number that was computed
   in f32 is given as it is, and cast where an operator or an output wants it otherwise. */
static inline bool nn__onnx_wants(const nn__onnx_node *n, int k) {
    return k < n->result_count && n->results[k] != NULL;
}
NN__ONNX_PRIVATE void nn__onnx_give(nn__onnx_node *n, int k, nn_node *node, nn__onnx_type dtype);
NN__ONNX_PRIVATE void nn__onnx_give_known(nn__onnx_node *n, int k, const nn__onnx_tensor *tensor);
/* Gives the operand as the result, known or not: Identity, Dropout. */
NN__ONNX_PRIVATE void nn__onnx_pass(nn__onnx_node *n, int k, int i);

/* Layers with weights that are trained. The name comes from the initializer of the operand `weight`
   (or `bias`, -1: none), if it ends in ".weight" (".bias"), else from the node; it is unique, and
   begins with the prefix. *shared becomes true, and the earlier name is returned, if another node
   of this operator had the same two tensors: pass it to the builder's desc. */
NN__ONNX_PRIVATE const char *nn__onnx_layer(nn__onnx_node *n, int weight, int bias, bool *shared);
/* Lets nn_load_onnx_weights set the parameter "layer.part" to these numbers, in this order. shape:
   that of the parameter, to be compared with their number; may be NULL. Not for shared
   layers. */
NN__ONNX_PRIVATE void nn__onnx_load(nn__onnx_node *n, const char *layer, const char *part,
                                    const nn__onnx_tensor *tensor, const nn_shape *shape);
/* Does the same for a buffer. */
NN__ONNX_PRIVATE void nn__onnx_load_buffer(nn__onnx_node *n, const char *layer, const char *part,
                                           const nn__onnx_tensor *tensor);
/* Returns a parameter of its own, as a node, for a weight that no layer takes: "layer.part". */
NN__ONNX_PRIVATE nn_node *nn__onnx_parameter(nn__onnx_node *n, const char *layer, const char *part,
                                             const nn__onnx_tensor *tensor);
/* Makes a tensor of the walk for changed weights (gates in another order, transposed), of f32;
 *data receives its zeroed numbers, to be filled with nn__onnx_put_real. */
NN__ONNX_PRIVATE nn__onnx_tensor *nn__onnx_new(nn__onnx_node *n, nn__onnx_type type, int32_t rank,
                                               const int64_t *extents, unsigned char **data);
