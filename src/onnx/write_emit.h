/* onnx/write_emit.h - what the files write_*.c use to print a net as C.

   As in save.c, each operation is seen through the arguments of its kernel, at two batches and
   times (emit.h). The function of the kernel's family prints a call:

       nn__c_begin(w, "nn_grid_sample");
       nn__c_arg(w, "%s", nn__c_in(w, &a->x));
       nn__c_field_true(w, "align_corners", a->align_corners);
       nn__c_end(w, "nn_grid_sample_desc", &a->y);

   A value is the name of its variable in the text. Copies are taken apart by save_copy.c, whose
   operators (Slice, Transpose, Concat ...) nn__c_end_op prints as calls. */
#pragma once

#include "onnx/proto.h"
#include "onnx/write.h"

typedef struct nn__c_writer {
    nn__onnx_emitter e; /* first: the functions of emit.h take its address */
    const nn_c_desc *desc;
    const char *name; /* desc->name or its default */
    nn_node **nodes;  /* the nodes that the outputs need, in order */
    int32_t count;
    nn__onnx_growing body;         /* the statements of NAME_describe */
    nn__onnx_growing args, fields; /* of the call that is being printed */
    const char *call;
    nn__onnx_map layers;       /* names of layers that were printed */
    nn__onnx_map variables;    /* C names that are taken */
    nn__onnx_map arrays;       /* names of arrays that are taken */
    nn__onnx_map members;      /* names of fields that are taken */
    nn__onnx_map results;      /* variables of recurrent layers, by their names */
    nn__onnx_node_table alone; /* leaves that are read by something other than their layer */
    nn__onnx_node_table owned; /* leaves that a layer describes */
    bool more, sequence, quantize; /* the text calls functions of nn_more.h, of nn_sequence.h ... */
} nn__c_writer;

static inline nn__c_writer *nn__c_of(nn__onnx_emitter *e) { return (nn__c_writer *)(void *)e; }

/* ---- text ------------------------------------------------------------------------------------ */

/* Appends to bytes; format as nn__onnx_say. At most 1,100 characters a call. */
NN__ONNX_PRIVATE void nn__c_print(nn__onnx_growing *to, const char *format, ...);
/* Prints an #include of nn.h, and of the optional files that the text needs. */
NN__ONNX_PRIVATE void nn__c_includes(const nn__c_writer *w, nn__onnx_growing *to);
/* Returns a text of the arena. */
NN__ONNX_PRIVATE const char *nn__c_text(nn__c_writer *w, const char *format, ...);
/* Returns a number that reads back to the same f32: "0.1f", "INFINITY". bare: without the f, and
   with the words of nn_expression. */
NN__ONNX_PRIVATE const char *nn__c_real(nn__c_writer *w, float number, bool bare);
/* Writes it to 32 bytes. The number must be finite. */
NN__ONNX_PRIVATE void nn__c_digits(float number, char *to);
/* Returns a text such as "NN_SHAPE(NN_BATCH, 3)". */
NN__ONNX_PRIVATE const char *nn__c_shape(nn__c_writer *w, const nn_shape *shape);
/* Returns a text in quotes. */
NN__ONNX_PRIVATE const char *nn__c_quoted(nn__c_writer *w, const char *text);
/* "NN_F32" */
NN__ONNX_PRIVATE const char *nn__c_dtype(nn_dtype dtype);
/* Returns a new C name in a table, made of `base`. */
NN__ONNX_PRIVATE const char *nn__c_new_name(nn__c_writer *w, nn__onnx_map *names, const char *base);

/* ---- calls ----------------------------------------------------------------------------------- */

/* Begins the call of a builder, whose first argument is net. */
NN__ONNX_PRIVATE void nn__c_begin(nn__c_writer *w, const char *call);
/* Prints a further argument as text; format as nn__onnx_say. */
NN__ONNX_PRIVATE void nn__c_arg(nn__c_writer *w, const char *format, ...);
/* Prints fields of the desc. A number that is the default is left out. */
NN__ONNX_PRIVATE void nn__c_field(nn__c_writer *w, const char *field, int64_t number,
                                  int64_t usual);
/* Prints a number whose default may be another than 0: 0 is then printed as NN_NONE. */
NN__ONNX_PRIVATE void nn__c_field_or_none(nn__c_writer *w, const char *field, int64_t number,
                                          int64_t usual);
NN__ONNX_PRIVATE void nn__c_field_real(nn__c_writer *w, const char *field, float number,
                                       float usual);
NN__ONNX_PRIVATE void nn__c_field_true(nn__c_writer *w, const char *field, bool value);
NN__ONNX_PRIVATE void nn__c_field_text(nn__c_writer *w, const char *field, const char *text);
/* Prints the node of a view, if it is present. */
NN__ONNX_PRIVATE void nn__c_field_node(nn__c_writer *w, const char *field, const nn_view *view);
/* Ends the call, which gives the value of a view. type: that of the desc, which is NULL if no field
   was printed. type NULL: the call has no desc. */
NN__ONNX_PRIVATE void nn__c_end(nn__c_writer *w, const char *type, const nn_view *y);
/* Does what nn__c_end does, with a variable of this name, which is returned. */
NN__ONNX_PRIVATE const char *nn__c_end_as(nn__c_writer *w, const char *type, const char *name);

/* Returns the value of a view's node. */
NN__ONNX_PRIVATE const char *nn__c_in(nn__c_writer *w, const nn_view *view);
/* Returns the value of a view, reshaped to what the kernel sees. */
NN__ONNX_PRIVATE const char *nn__c_seen(nn__c_writer *w, const nn_view *a, const nn_view *b);
/* True if the kernel's view has the shape of its node. */
NN__ONNX_PRIVATE bool nn__c_is_whole(const nn_view *view);
/* Prints an operator of save_copy.c. */
NN__ONNX_PRIVATE void nn__c_end_op(nn__onnx_emitter *e);

/* ---- layers ---------------------------------------------------------------------------------- */

/* Returns the layer that a leaf belongs to, if its name ends in ".part"; NULL: it does not, or is
   no leaf. */
NN__ONNX_PRIVATE const char *nn__c_layer_of(nn__c_writer *w, const nn_node *leaf, const char *part);
/* Does the same for all leaves of an operation: the layer of the call that describes them; NULL:
   they are read as nodes. */
NN__ONNX_PRIVATE const char *nn__c_layer_at(nn__c_writer *w, const nn_node_description *d);
/* True if the leaf is one that the layer describes. */
NN__ONNX_PRIVATE bool nn__c_is_part(const nn_node *node, const char *layer);
/* Begins the call of a layer: name and x. shared is set if its parameters exist. */
NN__ONNX_PRIVATE void nn__c_begin_layer(nn__c_writer *w, const char *call, const char *layer,
                                        const char *x);

/* Returns the padding at the end of an axis of x that makes y; -1: none does, at both sizes. */
NN__ONNX_PRIVATE int nn__c_end_padding(int x, int y, int x2, int y2, int kernel, int stride,
                                       int padding, int dilation);
/* Prints the fields of a convolution's window. line: of one axis. */
NN__ONNX_PRIVATE void nn__c_windows(nn__c_writer *w, const nn_conv2d_params *p, bool line);
/* Returns the extent of a pool's result. */
NN__ONNX_PRIVATE int nn__c_pooled(int x, int kernel, int stride, int padding, bool ceil);

/* ---- families: a and b are the arguments at the two batches and times ------------------------ */

#define NN__C_WRITERS(X)                                                                           \
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
    X(ROTARY, rotary, nn_rotary_args)                                                              \
    X(CTC_FORWARD, ctc, nn_ctc_args)                                                               \
    X(STREAM_FORWARD, stream, nn_stream_args)                                                      \
    X(INTEGER_CONV2D, integer_conv2d, nn_integer_conv2d_args)                                      \
    X(INTEGER_POOL2D, integer_pool2d, nn_integer_pool2d_args)                                      \
    X(INTEGER_ADD, integer_add, nn_integer_add_args)                                               \
    X(INTEGER_MULTIPLY, integer_multiply, nn_integer_multiply_args)                                \
    X(INTEGER_TABLE, integer_table, nn_integer_table_args)                                         \
    X(INTEGER_RESIZE2D, integer_resize2d, nn_integer_resize2d_args)                                \
    X(INTEGER_RECURRENT, integer_recurrent, nn_integer_recurrent_args)                             \
    X(INTEGER_SOFTMAX, integer_softmax, nn_integer_softmax_args)                                   \
    X(QUANTIZE, quantize, nn_quantize_args)                                                        \
    X(DEQUANTIZE, dequantize, nn_quantize_args)
#define NN__X(kernel, name, args)                                                                  \
    NN__ONNX_PRIVATE void nn__c_write_##name(nn__c_writer *w, const args *a, const args *b);
NN__C_WRITERS(NN__X)
#undef NN__X

/* ---- the text -------------------------------------------------------------------------------- */

/* write_recurrent.c. True if a node is a part of a recurrent layer that its call describes: the
   product of the inputs, the states after the last step. Sets the node's value. */
NN__ONNX_PRIVATE bool nn__c_is_recurrent_part(nn__c_writer *w, nn_node *node);
/* Returns the node that is needed for input k of a node: in recurrent layers not what the call of
   the layer makes again (the mask of x, slices of the first states). NULL: none. */
NN__ONNX_PRIVATE const nn_node *nn__c_recurrent_reads(nn__c_writer *w, const nn_node *node, int k);
/* True if a node is an input that keeps its value from run to run (nn_state). *next receives what
   it becomes; NULL if a layer says so. next may be NULL. */
NN__ONNX_PRIVATE bool nn__c_is_state(const nn__c_writer *w, const nn_node *node, nn_node **next);
/* write_weights.c. True if the printed function describes this leaf with numbers. */
NN__ONNX_PRIVATE bool nn__c_has_numbers(nn__c_writer *w, const nn_node *node);
/* Writes the file of desc->weights, if one is given. False: an error. */
NN__ONNX_PRIVATE bool nn__c_save_weights(nn__c_writer *w);
/* Prints the array of a leaf to desc->writer and returns its name; "": an error. */
NN__ONNX_PRIVATE const char *nn__c_array_of(nn__c_writer *w, const nn_node *node);
/* Prints the arrays to desc->writer, or what loads the file, and NAME_load. False: an error. */
NN__ONNX_PRIVATE bool nn__c_write_weights(nn__c_writer *w);

/* ---- write.c --------------------------------------------------------------------------------- */

/* Lists all nodes of the net. False: no memory. */
NN__ONNX_PRIVATE bool nn__c_list_nodes(nn__c_writer *w);
/* True for a C identifier of fewer than 64 characters. */
NN__ONNX_PRIVATE bool nn__c_is_identifier(const char *name);
