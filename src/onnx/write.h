/* onnx/write.h - prints a net as C source: a function that describes the same net with calls of
   nn.h, and its weights.

       nn_write_c(net, &(nn_c_desc){.name = "vad", .outputs = NN_NODES(y),
                                    .writer = {nn_write_file, file}});

   The header that this prints is used so:

       nn_model *net = nn_make_model(nn, NULL);
       vad_nodes vad = vad_describe(net);          // its inputs and outputs
       vad_load(net);
       nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(vad.y)});

   The text is C99 and C++11, has a line or a few for each operation, under the names that the net
   has, and may be edited. A program that uses it needs neither nn_onnx.h nor the file that the net
   came from.

   DOES NOT: print training. The function describes what a plan computes that infers: dropout is
   left out, and every node is on the model's device. */
#pragma once

#include "onnx/onnx.h"

typedef struct nn_c_desc {
    /* default: "net". Begins the names of everything that is printed; a C identifier */
    const char *name;
    nn_nodes outputs; /* the values that the net computes; at least one */
    /* default: the names of the nodes. One for each output, in their order: fields of the struct of
       nodes, made C identifiers */
    nn_texts output_names;
    nn_writer writer; /* must be given. Receives the text, in pieces */
    /* default: none, the text has arrays with the weights, of about 12 bytes a number, which
       nn_use_weights can read in place, from flash. Else the path of a safetensors file, which
       nn_write_c writes with the weights of the whole model, and which NAME_load then loads. Not
       under NN_NO_FILES */
    const char *weights;
} nn_c_desc;

/* Prints C source of the operations that the outputs need. Compiled and described in a model of the
   same dtype, it computes the same bytes on the same device. Extents of NN_BATCH and NN_TIME stay
   free. Numbers in arrays are exact: those of f32 in decimals, those of f16 and bf16, and tensors
   with NaN or infinities, as their bits. Constants of the net (nn_constant) are described as
   buffers of their names. Weights are read from whatever device they are on, which the ledger
   shows, and are allocated if no plan was made yet.

   Operations of layers become calls of the layers (nn_conv2d, nn_lstm ...), element-wise ones the
   call of their name or an nn_expression, and what only moves elements nn_slice, nn_permute,
   nn_concat and the like.

   Errors: NN_ERROR_FAULTS if the description has faults, which are listed. NN_ERROR_UNSUPPORTED if
   operations cannot be said (functions of the program's own, random numbers, weights of 8 bits,
   borrowed tensors, caches): the error lists all of them, each with its name and the cause, and
   nothing is written. NN_ERROR_ARGUMENT for a missing writer, missing or foreign outputs, and a
   name that is no C identifier. NN_ERROR_FILE, NN_ERROR_MEMORY. */
NN_API nn_result nn_write_c_at(nn_site site, nn_model *net, const nn_c_desc *desc);
#define nn_write_c(...) nn_write_c_at(NN_HERE, __VA_ARGS__)
