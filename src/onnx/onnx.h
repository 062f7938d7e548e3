/* onnx/onnx.h - reads ONNX files: describes their nets as ordinary nodes of a model, and loads
   their weights.

       nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.path = "angle.onnx"});
       nn_node *y = nn_onnx_net(net, "angle", file, NULL);
       nn_load_onnx_weights(net, file);
       nn_close_onnx(file);

   From then on the net is like any other: plan it, train it, freeze parts of it, move it, save it
   with nn_save_weights. Only the shapes of inputs and the meaning of values that steer the net must
   be known while it is described (.extents, .values).

   IT DOES NOT support operators whose result has a shape that depends on numbers (NonZero,
   NonMaxSuppression), strings, sequences or random numbers. A file that needs them is refused, with
   every reason at once; .outputs can often name the values before them. Integers of 64 bits
   are i32 here, and f64 and f16 are f32: whole numbers that are computed with are exact below 2^24.
   There are at most 6 axes. */
#pragma once

#include "nn_more.h"
#include "nn_sequence.h"
#include "nn_quantize.h"

typedef struct nn_onnx nn_onnx;

/* Either path or bytes must be given. */
typedef struct nn_onnx_desc {
    /* Path of the file, which nn_desc.files opens. Its external data, if it has any, is read from
       files beside it or below its folder, never from elsewhere */
    const char *path;
    /* A file in memory (a resource of the program). It is read in place: it must stay as it is
       until nn_close_onnx. Such a file cannot have external data */
    const void *bytes;
    size_t size; /* of bytes */
} nn_onnx_desc;

/* Reads and checks a file. Nothing is described yet. Returns NULL and an error if it cannot be read
   or is damaged. The file is never trusted: every length is checked before it is used, and the
   memory that is taken is at most 64 MB more than three times the size of the file and its external
   data. */
NN_API nn_onnx *nn_open_onnx_at(nn_site site, nn_context *nn, const nn_onnx_desc *desc);
#define nn_open_onnx(...) nn_open_onnx_at(NN_HERE, __VA_ARGS__)
/* Frees the file; NULL is allowed. Nets that were described from it stay as they are. */
NN_API void nn_close_onnx(nn_onnx *file);

/* Writes what is in the file: producer and opsets, inputs with their shapes and the names of their
   free extents, outputs, operators with counts, the number of weights, and the operators that are
   not supported. */
NN_API void nn_write_onnx(const nn_onnx *file, nn_writer writer);
/* Returns a value of the file's metadata ("character" of OCR models: the characters, one per line);
   NULL if there is none of that name. The text lives as long as the file. */
NN_API const char *nn_onnx_metadata(const nn_onnx *file, const char *key);

/* Lets the next calls of nn_onnx_net describe the products of quantised operators as products of
   8-bit integers, which take a quarter of the memory and, on processors with dot products of bytes,
   much less time: nn_quantized_linear for MatMul and Gemm between QuantizeLinear and
   DequantizeLinear, MatMulInteger, QLinearMatMul, DynamicQuantizeMatMul and MatMulIntegerToFloat
   with known 8-bit weights; nn_quantized_conv2d for Conv between them, ConvInteger and QLinearConv
   over one or two axes without groups; nn_quantized_lstm for DynamicQuantizeLSTM, whose states are
   then quantised, too. Other operators stay in f32.

   Call it between nn_open_onnx and nn_onnx_net. Without it such layers are f32 layers with the
   same exact sums, which can be trained, run on OpenCL devices and be written with nn_save_onnx
   and nn_write_c; layers of integers can do none of that. A program without this call does not
   contain them. Returns NN_ERROR_ARGUMENT if file is NULL. */
NN_API nn_result nn_onnx_integers_at(nn_site site, nn_onnx *file);
#define nn_onnx_integers(...) nn_onnx_integers_at(NN_HERE, __VA_ARGS__)

/* A node of yours in the place of an input. */
typedef struct nn_onnx_input {
    const char *name; /* of the file's input */
    nn_node *node;    /* of the same net; f32, i32, u8 or bool as the file's input, i32 for i64 */
} nn_onnx_input;
/* NN_ONNX_INPUTS({ "x", x }, { "mask", mask }) */
typedef struct nn_onnx_inputs {
    const nn_onnx_input *input;
    int count;
    NN__LIST_CALLS(nn_onnx_inputs, nn_onnx_input, input)
} nn_onnx_inputs;
#define NN_ONNX_INPUTS(...) NN__LIST(nn_onnx_inputs, nn_onnx_input, __VA_ARGS__)

/* The value of a free extent. */
typedef struct nn_onnx_extent {
    /* As the file calls it, "batch" or "sequence"; or "input.1" for axis 1 of an input, which also
       reaches those without a name */
    const char *name;
    int32_t extent; /* a number, NN_BATCH or NN_TIME, or a product of nn_multiply_extents */
} nn_onnx_extent;
/* NN_ONNX_EXTENTS({ "sequence", NN_TIME }, { "input.1", 80 }) */
typedef struct nn_onnx_extents {
    const nn_onnx_extent *extent;
    int count;
    NN__LIST_CALLS(nn_onnx_extents, nn_onnx_extent, extent)
} nn_onnx_extents;
#define NN_ONNX_EXTENTS(...) NN__LIST(nn_onnx_extents, nn_onnx_extent, __VA_ARGS__)

/* An input that is fixed while the net is described, and is no longer an input then. */
typedef struct nn_onnx_fixed {
    const char *name; /* of the file's input */
    double value;     /* every element has it */
} nn_onnx_fixed;
/* NN_ONNX_VALUES({ "sr", 16000 }) */
typedef struct nn_onnx_values {
    const nn_onnx_fixed *value;
    int count;
    NN__LIST_CALLS(nn_onnx_values, nn_onnx_fixed, value)
} nn_onnx_values;
#define NN_ONNX_VALUES(...) NN__LIST(nn_onnx_values, nn_onnx_fixed, __VA_ARGS__)

typedef struct nn_onnx_net_desc {
    /* default: an nn_input for each input of the file, with its name (after the prefix and a dot).
       Inputs that are given here are not made */
    nn_onnx_inputs inputs;
    /* default: a free first axis of an input is NN_BATCH. Every other free extent must be given,
       unless a node in .inputs shows what it is */
    nn_onnx_extents extents;
    nn_onnx_values values; /* default: none. Chooses branches: NN_ONNX_VALUES({ "sr", 16000 }) */
    /* default: the file's outputs, all of them. Names of outputs or of any values inside. Only what
       they need is described */
    nn_texts outputs;
    /* default: false. true: training computes with the file's running statistics of batch norms and
       does not change them, as after torch's eval() of these layers. For fine-tuning a part of a
       net: nn_freeze alone stops weights, not statistics */
    bool frozen_batch_norms;
} nn_onnx_net_desc;

/* Describes the file's net in `net` and returns the node of its first output; nn_onnx_node has the
   others, and the inputs. Whole numbers are i32 nodes (u8 and i8 where the net has bytes), truth
   values u8, all else f32. name is the prefix of every parameter and input: "vad" makes
   "vad.conv1.weight". NULL: no prefix. desc may be NULL. A file may be described any number of
   times, in one net or in several.

   Describing takes no more memory than the limit of nn_open_onnx leaves, besides the net itself and
   two f32 copies of weights of 8 bits and fewer.

   If a part of the file is not supported, nothing is described: the error lists every reason with
   the node, its operator and opset, the cause and a way out, and the result is the poisoned node of
   a fault, so that no plan is made.

   Weights of layers (Conv, Gemm, MatMul, norms, recurrent layers, tables of embeddings) are
   parameters, which are zeros until nn_load_onnx_weights and can be trained; all other numbers are
   constants that have their values at once. An initializer "conv1.weight" keeps its name. Others,
   and numbers in Constant nodes, are called after the node that uses them: "NODE.weight",
   "NODE.bias". */
NN_API nn_node *nn_onnx_net_at(nn_site site, nn_model *net, const char *name, nn_onnx *file,
                               const nn_onnx_net_desc *desc);
#define nn_onnx_net(...) nn_onnx_net_at(NN_HERE, __VA_ARGS__)

/* Returns the node of an input or output, by its name in the file, that the last call of
   nn_onnx_net for this file described in `net`: nn_upload needs the inputs. NULL if there is none;
   with an error if the net was freed. */
NN_API nn_node *nn_onnx_node(const nn_model *net, const nn_onnx *file, const char *name);

/* Sets the parameters that nn_onnx_net has described in `net` to the file's values, on whatever
   device they are. All or nothing: if one of them is missing or has another shape, each is named
   and none is changed. Other parameters of the net keep their values. After a refused nn_onnx_net
   it returns NN_ERROR_FAULTS, and adds no message to the one that nn_error has. */
NN_API nn_result nn_load_onnx_weights_at(nn_site site, nn_model *net, nn_onnx *file);
#define nn_load_onnx_weights(...) nn_load_onnx_weights_at(NN_HERE, __VA_ARGS__)

/* Returns the name of the initializer or Constant output that a parameter or constant of a
   described net was made of; or, for the name of an initializer, the name of its parameter. NULL if
   there is none. The text lives as long as the file. */
NN_API const char *nn_onnx_name(const nn_onnx *file, const char *name);
