/* tests/onnx/protobuf.h - writes small ONNX files for the tests: protobuf fields, one after the other,
   into a buffer. A message is written into a buffer of its own, then put into the outer one. */
#pragma once

#include "test.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct blob {
    unsigned char at[65536];
    size_t size;
} blob;

static TEST_UNUSED void put_varint(blob *to, uint64_t number) {
    do {
        to->at[to->size++] = (unsigned char)((number & 127) | (number > 127 ? 128 : 0));
        number >>= 7;
    } while (number > 0);
}

static TEST_UNUSED void put_number(blob *to, uint32_t field, int64_t number) {
    put_varint(to, field << 3);
    put_varint(to, (uint64_t)number);
}

static TEST_UNUSED void put_bytes(blob *to, uint32_t field, const void *data, size_t size) {
    put_varint(to, field << 3 | 2);
    put_varint(to, size);
    if (size > 0) memcpy(to->at + to->size, data, size);
    to->size += size;
}

static TEST_UNUSED void put_text(blob *to, uint32_t field, const char *text) {
    put_bytes(to, field, text, strlen(text));
}

static TEST_UNUSED void put_message(blob *to, uint32_t field, const blob *message) {
    put_bytes(to, field, message->at, message->size);
}

static TEST_UNUSED void put_float(blob *to, uint32_t field, float number) {
    put_varint(to, field << 3 | 5);
    memcpy(to->at + to->size, &number, 4); /* the tests run on little-endian machines */
    to->size += 4;
}

/* ---- tensors --------------------------------------------------------------------------------- */

enum {
    ONNX_FLOAT = 1,
    ONNX_UINT8 = 2,
    ONNX_INT8 = 3,
    ONNX_INT32 = 6,
    ONNX_INT64 = 7,
    ONNX_BOOL = 9
};

/* Returns a TensorProto with raw_data. `shape` is a list of extents, "2,3"; "" for one number. */
static TEST_UNUSED blob tensor(const char *name, int dtype, const char *shape, const void *data,
                                size_t size) {
    blob to = {.size = 0};
    for (const char *at = shape; *at; at += strcspn(at, ","), at += *at == ',')
        put_number(&to, 1, strtol(at, NULL, 10));
    put_number(&to, 2, dtype);
    put_text(&to, 8, name);
    put_bytes(&to, 9, data, size);
    return to;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Returns a NodeProto for a text such as "Add a,b -> y" with names of operands and results.
   Attributes are appended to it. */
static TEST_UNUSED blob node(const char *text) {
    blob to = {.size = 0};
    char word[64];
    size_t length = strcspn(text, " ");
    const char *type = text;
    const size_t type_length = length;
    uint32_t field = 1;
    text += length;
    while (*text) {
        if (*text == ' ' || *text == ',') {
            const int empty = *text == ',' && (text[1] == ',' || text[1] == ' ');
            text++;
            if (empty) put_text(&to, field, "");
            continue;
        }
        if (strncmp(text, "->", 2) == 0) {
            field = 2;
            text += 2;
            continue;
        }
        length = strcspn(text, ", ");
        memcpy(word, text, length);
        word[length] = 0;
        put_text(&to, field, word);
        text += length;
    }
    put_bytes(&to, 4, type, type_length);
    return to;
}

static TEST_UNUSED void with_int(blob *op, const char *name, int64_t number) {
    blob to = {.size = 0};
    put_text(&to, 1, name);
    put_number(&to, 3, number);
    put_number(&to, 20, 2);
    put_message(op, 5, &to);
}

static TEST_UNUSED void with_text(blob *op, const char *name, const char *text) {
    blob to = {.size = 0};
    put_text(&to, 1, name);
    put_text(&to, 4, text);
    put_number(&to, 20, 3);
    put_message(op, 5, &to);
}

static TEST_UNUSED void with_ints(blob *op, const char *name, int count, ...) {
    blob to = {.size = 0};
    va_list numbers;
    va_start(numbers, count);
    put_text(&to, 1, name);
    for (int i = 0; i < count; i++) put_number(&to, 8, va_arg(numbers, int));
    va_end(numbers);
    put_number(&to, 20, 7);
    put_message(op, 5, &to);
}

static TEST_UNUSED void with_message(blob *op, const char *name, int type, const blob *message) {
    blob to = {.size = 0};
    put_text(&to, 1, name);
    put_message(&to, type == 4 ? 5 : 6, message);
    put_number(&to, 20, type);
    put_message(op, 5, &to);
}

/* ---- graphs and models ----------------------------------------------------------------------- */

/* Returns a ValueInfoProto. The shape "batch,3,?" has names for free extents, and "?" for nameless
   ones. */
static TEST_UNUSED blob info(const char *name, int dtype, const char *shape) {
    blob to = {.size = 0}, type = {.size = 0}, of_tensor = {.size = 0}, extents = {.size = 0};
    put_text(&to, 1, name);
    for (const char *at = shape; *at; at += strcspn(at, ","), at += *at == ',') {
        blob extent = {.size = 0};
        if (*at >= '0' && *at <= '9')
            put_number(&extent, 1, strtol(at, NULL, 10));
        else if (*at != '?')
            put_bytes(&extent, 2, at, strcspn(at, ","));
        put_message(&extents, 1, &extent);
    }
    put_number(&of_tensor, 1, dtype);
    put_message(&of_tensor, 2, &extents);
    put_message(&type, 1, &of_tensor);
    put_message(&to, 2, &type);
    return to;
}

/* Puts a message into a field of a graph: node 1, initializer 5, input 11, output 12. */
static TEST_UNUSED void add(blob *graph, uint32_t field, blob message) {
    put_message(graph, field, &message);
}

/* Returns a ModelProto around a graph. */
static TEST_UNUSED blob model_of(const blob *graph, int opset) {
    blob to = {.size = 0}, import = {.size = 0};
    put_number(&to, 1, 8);
    put_text(&to, 2, "nn.h tests");
    put_text(&import, 1, "");
    put_number(&import, 2, opset);
    put_message(&to, 8, &import);
    put_message(&to, 7, graph);
    return to;
}
