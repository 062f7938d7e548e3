/* onnx/save.h - writes a net as an ONNX file that other runtimes read.

       nn_save_onnx(net, "digits.onnx", &(nn_onnx_save_desc){.outputs = NN_NODES(logits)});

   DOES NOT: write training. A file computes the same as a plan for inference: dropout is left
   out, batch norms use their running statistics, and losses are values like any others. */
#pragma once

#include "onnx/onnx.h"

typedef struct nn_onnx_save_desc {
    nn_nodes outputs; /* the values that the file computes; at least one */
    /* default: the names of the nodes. Names of the outputs in the file: one for each output, in
       their order */
    nn_texts output_names;
    /* default: nothing. Keys and values alternately: NN_TEXTS("labels", "cat\ndog");
       nn_onnx_metadata reads them */
    nn_texts metadata;
    /* default: false, which puts the weights into the file, unless they have more than 1.9 GB.
       true: puts them into a second file beside it, which has ".data" after its name. A model of
       more than 2 GB needs this, since no protobuf message can be larger */
    bool external;
    /* default: 17. 13 to 22: the opset of the file, for a program that reads older or newer files
       only. Operations that this opset has no operator for are refused */
    int opset;
    /* default: none. Receives the bytes of the file, in pieces, instead of a path; .external is
       then an error */
    nn_writer writer;
} nn_onnx_save_desc;

/* Writes a net as an ONNX file (opset 17, IR version 8) with all operations that the outputs need,
   their weights under their names, and the inputs that these read. NN_BATCH and NN_TIME stay free:
   they are the extents "batch" and "time" of the file. Well-known operations come out as operators
   of their name (Conv, Gemm, LayerNormalization, LSTM ...); element-wise ones are written out. An
   operation that ONNX has no operator for (expm1, log1p, hypot ...) becomes a function in the file,
   of the domain "nn.h", whose body has ordinary operators.

   A file keeps nothing from run to run. The state of a stateful layer is an input of the file,
   "NAME.state_l0", and whatever runs it must give back the state after the last step: nn_output of
   the layer is that state if it is among the outputs. Caches are refused.

   path: the file. It is written as nn_save_weights does: the old file stays until the new one is
   complete. NULL if desc->writer is given. Weights are read from whatever device they are on, which
   the ledger shows, and are allocated if no plan was made yet.

   Errors: NN_ERROR_FAULTS if the description has faults, which are listed. NN_ERROR_UNSUPPORTED if
   operations cannot be expressed in ONNX: the error lists all of them, each with its name and the
   cause, and no file remains. NN_ERROR_ARGUMENT for missing or foreign outputs, for two outputs of
   one name, and for another opset. NN_ERROR_FILE, NN_ERROR_MEMORY. */
NN_API nn_result nn_save_onnx_at(nn_site site, nn_model *net, const char *path,
                                 const nn_onnx_save_desc *desc);
#define nn_save_onnx(...) nn_save_onnx_at(NN_HERE, __VA_ARGS__)
