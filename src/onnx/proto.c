/* onnx/proto.c - writes protobuf messages into bytes that grow. */
#include "onnx/proto.h"

NN__ONNX_PRIVATE void nn__onnx_add_bytes(nn__onnx_growing *to, const void *bytes, size_t size) {
    if (to->failed || size == 0) return;
    if (to->room - to->size < size) {
        size_t room = to->room ? to->room : 256;
        unsigned char *at;
        while (room - to->size < size && room <= SIZE_MAX / 2) room *= 2;
        at = room - to->size < size ? NULL : (unsigned char *)nn_take_memory(to->nn, room);
        if (!at) {
            to->failed = true;
            return;
        }
        if (to->size > 0) memcpy(at, to->at, to->size);
        nn_give_memory(to->nn, to->at, to->room);
        to->at = at;
        to->room = room;
    }
    memcpy(to->at + to->size, bytes, size);
    to->size += size;
}

NN__ONNX_PRIVATE void nn__onnx_forget(nn__onnx_growing *bytes) {
    nn_give_memory(bytes->nn, bytes->at, bytes->room);
    bytes->at = NULL;
    bytes->size = bytes->room = 0;
}

NN__ONNX_PRIVATE void nn__onnx_add_varint(nn__onnx_growing *to, uint64_t number) {
    unsigned char bytes[10];
    size_t count = 0;
    do {
        bytes[count] = (unsigned char)(number & 127);
        number >>= 7;
        if (number) bytes[count] |= 128;
        count++;
    } while (number);
    nn__onnx_add_bytes(to, bytes, count);
}

NN__ONNX_PRIVATE void nn__onnx_field_int(nn__onnx_growing *to, uint32_t field, int64_t number) {
    nn__onnx_add_varint(to, (uint64_t)field << 3);
    nn__onnx_add_varint(to, (uint64_t)number);
}

NN__ONNX_PRIVATE void nn__onnx_field_real(nn__onnx_growing *to, uint32_t field, float number) {
    uint32_t bits;
    unsigned char bytes[4];
    memcpy(&bits, &number, sizeof bits);
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(bits >> 8 * i);
    nn__onnx_add_varint(to, (uint64_t)field << 3 | 5);
    nn__onnx_add_bytes(to, bytes, 4);
}

NN__ONNX_PRIVATE void nn__onnx_field_bytes(nn__onnx_growing *to, uint32_t field, const void *bytes,
                                           size_t size) {
    nn__onnx_add_varint(to, (uint64_t)field << 3 | 2);
    nn__onnx_add_varint(to, size);
    nn__onnx_add_bytes(to, bytes, size);
}

NN__ONNX_PRIVATE void nn__onnx_field_text(nn__onnx_growing *to, uint32_t field, const char *text) {
    nn__onnx_field_bytes(to, field, text, strlen(text));
}
