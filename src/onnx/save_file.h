/* onnx/save_file.h - puts the messages of a file together and writes it. */
#pragma once

#include "onnx/proto.h"

/* Writes the file of everything that was emitted. nodes: those that the outputs need. False: an
   error of the call, and no file is left behind. */
NN__ONNX_PRIVATE bool nn__onnx_write_file(nn__onnx_emitter *e, nn_node *const *nodes,
                                          int32_t count);
