/* onnx/write.h - prints a net as C source: a function that describes the same net with calls of
   nn.h, and its weights.

       nn_write_c(net, &(nn_c_desc){.name = "vad", .outputs = NN_NODES(y),
                                    .writer = {nn_write_file, file}});

   A program uses the printed header like this:

       nn_model *net = nn_make_model(nn, NULL);
       vad_nodes vad = vad_describe(net);          // its inputs and outputs
       vad_load(net);
       nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(vad.y)});

   The text is valid C99 and C++11 and may be edited. It has one or a few lines for each operation,
   and keeps the names of the net. A program that uses it needs neither nn_onnx.h nor the file that
   the net came from.

   IT DOES NOT print training. The function describes what an inference plan computes: dropout is
   left out, and every node is on the model's device. */
#pragma once

#include "onnx/onnx.h"

typedef struct nn_c_desc {
    /* default: "net". Prefix of every name that is printed; a C identifier */
    const char *name;
    nn_nodes outputs; /* the values that the net computes; at least one */
    /* default: the names of the nodes. One for each output, in the order of the outputs. They are
       changed to C identifiers and become fields of the struct of nodes */
    nn_texts output_names;
    nn_writer writer; /* must be given. Receives the text, in pieces */
    /* default: none; the text then has arrays with the weights, about 12 bytes of text for each
       number. nn_use_weights can read them in place, from flash. Otherwise the path of a
       safetensors file: nn_write_c writes the weights of the whole model to it, and NAME_load loads
       them. Not under NN_NO_FILES */
    const char *weights;
} nn_c_desc;

/* Prints C source of the operations that the outputs need. The net that it describes, in a model of
   the same dtype, computes the same bytes on the same device. Extents of NN_BATCH and NN_TIME stay
   free. Numbers in arrays are exact: f32 is printed in decimals; f16, bf16, and tensors with NaN or
   infinities are printed as their bits. Constants of the net (nn_constant) are described as buffers
   of the same names. Weights are read from the device that they are on (the ledger shows the
   copies), and are allocated if no plan was made yet.

   Layers become calls of the layers (nn_conv2d, nn_lstm ...). An element-wise operation becomes the
   call of its name or an nn_expression. Operations that only move elements become nn_slice,
   nn_permute, nn_concat and the like.

   Errors: NN_ERROR_FAULTS if the description has faults, which are listed. NN_ERROR_UNSUPPORTED if
   operations cannot be printed (custom functions, random numbers, weights of 8 bits,
   borrowed tensors, caches): the error lists all of them, each with its name and the cause, and
   nothing is written. NN_ERROR_ARGUMENT for a missing writer, missing or foreign outputs, and a
   name that is no C identifier. NN_ERROR_FILE, NN_ERROR_MEMORY. */
NN_API nn_result nn_write_c_at(nn_site site, nn_model *net, const nn_c_desc *desc);
#define nn_write_c(...) nn_write_c_at(NN_HERE, __VA_ARGS__)
