/* onnx/emit.h - what the files save_*.c use to write a net: one operator after the other,
   constants, refusals.

   save.c goes over the nodes of the net in their order. For each it has the kernel's arguments at
   two batches and times (NN__ONNX_B1 ... ), so that a number of the arguments shows what it is a
   multiple of; the handles of views are nodes (graph/inspect.h). The function of the kernel's
   family emits operators:

       nn__onnx_begin_op(e, "Softmax");
       nn__onnx_op_in(e, nn__onnx_in(e, &a->x));
       nn__onnx_op_int(e, "axis", -1);
       nn__onnx_op_end(e, nn__onnx_out(e, &a->y));

   A value is its name in the file. Nothing need be checked while emitting: after a refusal, or
   without memory, everything else does nothing. Operators whose results nothing reads are left out
   at the end, so a function may emit more than is needed. */
#pragma once

#include "onnx/mapping.h"
#include "onnx/save.h"

/* The two batches and times. Extents that are numbers, or multiples of the batch, the time or both
   have four different ratios. */
enum { NN__ONNX_B1 = 8, NN__ONNX_B2 = 10, NN__ONNX_T1 = 24, NN__ONNX_T2 = 36 };

/* A buffer that grows. */
typedef struct nn__onnx_growing {
    nn_context *nn;
    unsigned char *at;
    size_t size, room;
    bool failed; /* there was no memory */
} nn__onnx_growing;

/* An operator of the file: a finished NodeProto, and the names that say whether it is needed. */
typedef struct nn__onnx_emitted {
    size_t from, size; /* in emitter.nodes */
    const char **names; /* inputs, then outputs */
    int inputs, outputs;
    bool needed;
} nn__onnx_emitted;

/* Numbers of the file: a tensor of the net, or bytes. */
typedef struct nn__onnx_numbers_out {
    struct nn__onnx_numbers_out *next;
    const char *name;
    nn_dtype dtype; /* NN_I64 for indices */
    nn_shape shape;
    nn_tensor *tensor; /* NULL: data */
    const void *data;
    uint64_t bytes, offset; /* offset: in the file of external data */
} nn__onnx_numbers_out;

/* A table from nodes to texts. */
typedef struct nn__onnx_node_table {
    const nn_node **keys;
    const char **texts;
    uint32_t slots, used;
} nn__onnx_node_table;

enum { NN__ONNX_OP_NAMES = 40 };

typedef struct nn__onnx_emitter {
    nn__onnx_call *call;
    nn_model *net;
    const char *path; /* NULL: desc->writer */
    const nn_onnx_save_desc *desc;
    int opset; /* of the file; 17 while C source is written */
    nn__onnx_arena arena;
    const char **outputs; /* names in the file */
    int output_count;
    nn__onnx_growing nodes, node, piece; /* piece: an attribute */
    nn__onnx_emitted *ops;
    int32_t op_count, op_room;
    nn__onnx_map names;   /* values of the file that exist */
    nn__onnx_map layers;  /* names of operators that nn__onnx_op_layer gave */
    nn__onnx_map shared;  /* constants by what they are */
    nn__onnx_map functions; /* of the domain "nn.h" that are used */
    nn__onnx_numbers_out *numbers, **last_numbers;
    nn__onnx_node_table values, needed; /* names of values; nodes that the outputs need */
    void *roundings;        /* to 8 bits, whose scales are known (save_rounding.c) */
    nn_node *current;       /* which is being emitted */
    const char *sizes[2];   /* the batch and the time as values, once they were needed */
    /* the operator that is being emitted */
    const char *op_names[NN__ONNX_OP_NAMES];
    int op_inputs;
    const char *op_type, *op_name; /* op_name: NULL, or a name for the file and the importer */
    /* NULL: an ONNX file is written. Else what ends an operator instead (write_copy.c); it sets
       op_made to the value. Lists of numbers and shapes are then texts */
    void (*end_op)(struct nn__onnx_emitter *e);
    const char *op_made;
    int32_t op_axis, op_order[2 * NN_COPY_AXES]; /* the last int, the last ints */
    int op_order_count;
    uint64_t padding; /* the bits of the number that the last Pad fills with */
    /* why operations cannot be written */
    nn__onnx_message refusals;
    int32_t refusal_count, refused_before;
} nn__onnx_emitter;

/* save.c: true if the lists have arrays without NULL and as many names as nodes, or no names. */
NN__ONNX_PRIVATE bool nn__onnx_check_ends(nn__onnx_call *call, nn_nodes outputs, nn_texts names);
/* True if the net has no faults and the outputs are nodes of it. */
NN__ONNX_PRIVATE bool nn__onnx_check_outputs(nn__onnx_call *call, nn_model *net, nn_nodes outputs);
/* True while nothing was refused for the current node and there is memory. */
static inline bool nn__onnx_writes_on(const nn__onnx_emitter *e) {
    return e->call->code == NN_OK && e->refusal_count == e->refused_before;
}
/* Refuses the current node. Returns false. Format as nn__onnx_say. */
NN__ONNX_PRIVATE bool nn__onnx_cannot(nn__onnx_emitter *e, const char *cause, ...);

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the value of a node that was emitted before; "" after a refusal. */
NN__ONNX_PRIVATE const char *nn__onnx_value_of(nn__onnx_emitter *e, const nn_node *node);
NN__ONNX_PRIVATE bool nn__onnx_set_value(nn__onnx_emitter *e, const nn_node *node,
                                         const char *value);
/* True if the outputs need this output of an operation. */
NN__ONNX_PRIVATE bool nn__onnx_is_needed(const nn__onnx_emitter *e, const nn_view *view);
NN__ONNX_PRIVATE const char *nn__onnx_text_of(const nn__onnx_node_table *table,
                                              const nn_node *node);
NN__ONNX_PRIVATE bool nn__onnx_set_text(nn__onnx_emitter *e, nn__onnx_node_table *table,
                                        const nn_node *node, const char *text);
/* Returns a new name of the file: `base`, or base_2 ... */
NN__ONNX_PRIVATE const char *nn__onnx_new_name(nn__onnx_emitter *e, const char *base);
/* Returns a view's value, as it is stored or (x) as f32. "" for an absent view: an operand left
   out. */
NN__ONNX_PRIVATE const char *nn__onnx_in(nn__onnx_emitter *e, const nn_view *view);
NN__ONNX_PRIVATE const char *nn__onnx_in_x(nn__onnx_emitter *e, const nn_view *view);
/* Returns the node of a view; NULL: it is absent. */
static inline nn_node *nn__onnx_node_at(const nn_view *view) {
    return view->dtype ? (nn_node *)view->handle : NULL;
}
/* Value in emitter.needed for a node that was written together with another one. */
#define NN__ONNX_WRITTEN "written"
/* Declares the value of a node that the view is of, and returns its name. */
NN__ONNX_PRIVATE const char *nn__onnx_out(nn__onnx_emitter *e, const nn_view *view);
/* Lets a value that was made without a name be that of a node. */
NN__ONNX_PRIVATE void nn__onnx_name_out(nn__onnx_emitter *e, const nn_view *view,
                                        const char *value);

/* ---- operators ------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE void nn__onnx_begin_op(nn__onnx_emitter *e, const char *type);
/* Begins an operator of the domain "nn.h". */
NN__ONNX_PRIVATE void nn__onnx_begin_function(nn__onnx_emitter *e, const char *type);
NN__ONNX_PRIVATE void nn__onnx_op_in(nn__onnx_emitter *e, const char *value);
/* Gives the operator the name of a layer, which the importer uses for its weights. Without this
   call it has the name of its first result. */
NN__ONNX_PRIVATE void nn__onnx_op_layer(nn__onnx_emitter *e, const char *name);
NN__ONNX_PRIVATE void nn__onnx_op_int(nn__onnx_emitter *e, const char *name, int64_t number);
NN__ONNX_PRIVATE void nn__onnx_op_real(nn__onnx_emitter *e, const char *name, double number);
NN__ONNX_PRIVATE void nn__onnx_op_text(nn__onnx_emitter *e, const char *name, const char *text);
NN__ONNX_PRIVATE void nn__onnx_op_ints(nn__onnx_emitter *e, const char *name,
                                       const int32_t *numbers, int count);
NN__ONNX_PRIVATE void nn__onnx_op_texts(nn__onnx_emitter *e, const char *name,
                                        const char *const *texts, int count);
/* Ends the operator. out: the name of its result; NULL: a new one. Returns the name. */
NN__ONNX_PRIVATE const char *nn__onnx_op_end(nn__onnx_emitter *e, const char *out);
/* Ends an operator with several results. Results with the name "" are left out. */
NN__ONNX_PRIVATE void nn__onnx_op_end_all(nn__onnx_emitter *e, const char *const *out, int count);
/* Emits an operator without attributes, of one to three operands. b and c may be NULL. */
NN__ONNX_PRIVATE const char *nn__onnx_emit(nn__onnx_emitter *e, const char *type, const char *a,
                                            const char *b, const char *c, const char *out);
NN__ONNX_PRIVATE const char *nn__onnx_cast_to(nn__onnx_emitter *e, const char *x, nn_dtype dtype,
                                              const char *out);
NN__ONNX_PRIVATE const char *nn__onnx_transposed_axes(nn__onnx_emitter *e, const char *x,
                                                      const int32_t *order, int rank,
                                                      const char *out);

/* Emits a reduction over axes, which are an operand or an attribute, as the opset wants. */
NN__ONNX_PRIVATE const char *nn__onnx_axes_out(nn__onnx_emitter *e, const char *type,
                                               const char *x, const int32_t *axes, int count,
                                               bool keep, const char *out);

/* ---- numbers --------------------------------------------------------------------------------- */

/* Emits a number without axes as a constant. */
NN__ONNX_PRIVATE const char *nn__onnx_real_out(nn__onnx_emitter *e, double number);
/* Emits a list of whole numbers as an int64 constant. */
NN__ONNX_PRIVATE const char *nn__onnx_wholes_out(nn__onnx_emitter *e, const int32_t *numbers,
                                                 int count);
static inline const char *nn__onnx_whole_out(nn__onnx_emitter *e, int32_t number) {
    return nn__onnx_wholes_out(e, &number, 1);
}
/* Emits numbers of any kind as a constant. The arena must hold them. NN_F32 for f32, NN_I64 for
   indices. */
NN__ONNX_PRIVATE const char *nn__onnx_emit_numbers(nn__onnx_emitter *e, const char *base,
                                                 nn_dtype dtype, nn_shape shape, const void *data);
/* If a node is the f32 copy of a parameter of halves, returns that parameter, else the node. */
NN__ONNX_PRIVATE const nn_node *nn__onnx_stored(const nn_node *node);
/* Returns the values of a leaf of f32 or halves as f32, copied from its device; NULL after a
   refusal. */
NN__ONNX_PRIVATE float *nn__onnx_leaf_numbers(nn__onnx_emitter *e, const nn_node *leaf);

/* Returns the number of a dtype in the file. */
NN__ONNX_PRIVATE int nn__onnx_type_of(nn_dtype dtype);

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Returns the extent that is `first` at the first batch and time and `second` at the second; 0:
   none is. */
NN__ONNX_PRIVATE int32_t nn__onnx_extent_seen(int64_t first, int64_t second);
/* Returns the shape of a view, with free extents. */
NN__ONNX_PRIVATE nn_shape nn__onnx_shape_seen(nn__onnx_emitter *e, const nn_view *first,
                                              const nn_view *second);
/* Returns an operand in the shape that the kernel sees, which may differ from the node's: as it
   is stored, or (x) as f32. */
NN__ONNX_PRIVATE const char *nn__onnx_seen(nn__onnx_emitter *e, const nn_view *a,
                                           const nn_view *b);
NN__ONNX_PRIVATE const char *nn__onnx_seen_x(nn__onnx_emitter *e, const nn_view *a,
                                             const nn_view *b);
/* Ends an operator whose result has the shape that the kernel sees. */
NN__ONNX_PRIVATE void nn__onnx_end_seen(nn__onnx_emitter *e, const nn_view *a, const nn_view *b);
/* Returns a shape as an operand of Reshape and Expand. */
NN__ONNX_PRIVATE const char *nn__onnx_shape_out(nn__onnx_emitter *e, const nn_shape *shape);
/* Returns x in another shape; x itself if it has that shape. from: the shape that it has. */
NN__ONNX_PRIVATE const char *nn__onnx_reshape_out(nn__onnx_emitter *e, const char *x,
                                                  const nn_shape *from, const nn_shape *to,
                                                  const char *out);

/* ---- save_rounding.c ------------------------------------------------------------------------- */

/* Sees whether a node is an nn_fake_quantize that becomes QuantizeLinear and DequantizeLinear, and
   computes its scales, perhaps with a plan. Returns the number of inputs that the file then needs:
   1, or 0 if it rounds a weight. -1: it is written as any other operation. */
NN__ONNX_PRIVATE int nn__onnx_find_rounding(nn__onnx_emitter *e, nn_node *node);
/* Emits such a node. False: the node is something else. */
NN__ONNX_PRIVATE bool nn__onnx_emit_rounding(nn__onnx_emitter *e, nn_node *node);

/* ---- save_attention.c: what attention and rotary positions share ----------------------------- */

/* Returns a shape of four extents. */
NN__ONNX_PRIVATE nn_shape nn__onnx_four(int32_t a, int32_t b, int32_t c, int32_t d);
/* Emits first, first + 1 ... along one axis of a shape that is 1 elsewhere. */
NN__ONNX_PRIVATE const char *nn__onnx_counted_out(nn__onnx_emitter *e, const nn_shape *shape,
                                                  int axis, double first);
/* Returns i32 numbers of samples, or of samples and rows, as f32 (N, 1, L or 1, 1). */
NN__ONNX_PRIVATE const char *nn__onnx_per_row(nn__onnx_emitter *e, const nn_view *a, int axis);

/* ---- families: a and b are the arguments at the two batches and times ------------------------ */

#define NN__ONNX_SAVERS(X)                                                                         \
    X(POINTWISE, pointwise, nn_program_args)                                                       \
    X(GEMM, gemm, nn_gemm_args)                                                                    \
    X(CONV2D_FORWARD, conv2d, nn_conv2d_args)                                                      \
    X(CONV2D_BACKWARD_INPUT, conv_transpose, nn_conv2d_args)                                       \
    X(POOL2D_FORWARD, pool2d, nn_pool2d_args)                                                      \
    X(REDUCE, reduce, nn_reduce_args)                                                              \
    X(FOLD, reduce, nn_reduce_args)                                                                \
    X(SOFTMAX_FORWARD, softmax, nn_softmax_args)                                                   \
    X(CROSS_ENTROPY_FORWARD, cross_entropy, nn_cross_entropy_args)                                 \
    X(ACCURACY, accuracy, nn_accuracy_args)                                                        \
    X(NORM_FORWARD, norm, nn_norm_args)                                                            \
    X(RECURRENT_FORWARD, recurrent, nn_recurrent_args)                                             \
    X(STRIDED_COPY, copy, nn_strided_copy_args)                                                    \
    X(GATHER, gather, nn_gather_args)                                                              \
    X(GATHER_ELEMENTS, gather_elements, nn_gather_elements_args)                                   \
    X(SCATTER_ELEMENTS, scatter_elements, nn_scatter_elements_args)                                \
    X(SCAN, scan, nn_scan_args)                                                                    \
    X(SORT, sort, nn_sort_args)                                                                    \
    X(RESIZE_FORWARD, resize, nn_resize_args)                                                      \
    X(GRID_SAMPLE_FORWARD, grid_sample, nn_grid_sample_args)                                       \
    X(ATTENTION_FORWARD, attention, nn_attention_args)                                             \
    X(ROTARY, rotary, nn_rotary_args)
#define NN__X(kernel, name, args)                                                                  \
    NN__ONNX_PRIVATE void nn__onnx_save_##name(nn__onnx_emitter *e, const args *a, const args *b);
NN__ONNX_SAVERS(NN__X)
#undef NN__X
/* save_functions.c: writes the FunctionProtos of the functions that are used. */
NN__ONNX_PRIVATE void nn__onnx_write_functions(nn__onnx_emitter *e, nn__onnx_growing *to);
