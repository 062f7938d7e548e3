/* onnx/report.c - nn_write_onnx. */
#include "onnx/private.h"

NN_API void nn_write_onnx(const nn_onnx *file, nn_writer writer) {
    if (!file || !writer.function) return;
    writer.function(writer.user, file->label, strlen(file->label));
    writer.function(writer.user, "\n", 1);
}
