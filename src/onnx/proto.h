/* onnx/proto.h - writes protobuf messages into bytes that grow. */
#pragma once

#include "onnx/emit.h"

NN__ONNX_PRIVATE void nn__onnx_add_bytes(nn__onnx_growing *to, const void *bytes, size_t size);
NN__ONNX_PRIVATE void nn__onnx_add_varint(nn__onnx_growing *to, uint64_t number);
/* Write fields of a message: a varint, a float, a text, bytes or a message in itself. */
NN__ONNX_PRIVATE void nn__onnx_field_int(nn__onnx_growing *to, uint32_t field, int64_t number);
NN__ONNX_PRIVATE void nn__onnx_field_real(nn__onnx_growing *to, uint32_t field, float number);
NN__ONNX_PRIVATE void nn__onnx_field_text(nn__onnx_growing *to, uint32_t field, const char *text);
NN__ONNX_PRIVATE void nn__onnx_field_bytes(nn__onnx_growing *to, uint32_t field, const void *bytes,
                                           size_t size);
static inline void nn__onnx_field_message(nn__onnx_growing *to, uint32_t field,
                                          const nn__onnx_growing *message) {
    nn__onnx_field_bytes(to, field, message->at, message->size);
}
NN__ONNX_PRIVATE void nn__onnx_forget(nn__onnx_growing *bytes);
