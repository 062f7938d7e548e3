/* onnx/wire.c - protobuf: fields of a message, one after the other, without a copy. Every length is
   compared with what is left before it is used. */
#include "onnx/private.h"

NN__ONNX_PRIVATE bool nn__onnx_varint(nn__onnx_bytes *bytes, uint64_t *number) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && bytes->size > 0; shift += 7) {
        const unsigned char byte = *bytes->at;
        bytes->at++;
        bytes->size--;
        if (shift < 64) value |= (uint64_t)(byte & 127u) << shift;
        if (byte < 128) {
            *number = value;
            return true;
        }
    }
    return false;
}

static uint64_t nn__onnx_little(const unsigned char *at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = bytes; i > 0; i--) value = value << 8 | at[i - 1];
    return value;
}

static void nn__onnx_skip(nn__onnx_bytes *bytes, size_t count) {
    bytes->at += count;
    bytes->size -= count;
}

NN__ONNX_PRIVATE bool nn__onnx_next(nn__onnx_cursor *cursor) {
    nn__onnx_bytes *rest = &cursor->rest;
    uint64_t tag, size;
    if (cursor->damaged || rest->size == 0) return false;
    cursor->damaged = true; /* until the whole field is read */
    if (!nn__onnx_varint(rest, &tag) || tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return false;
    cursor->field = (uint32_t)(tag >> 3);
    cursor->wire = (uint32_t)(tag & 7);
    cursor->number = 0;
    cursor->bytes.at = NULL;
    cursor->bytes.size = 0;
    if (cursor->wire == 0) {
        if (!nn__onnx_varint(rest, &cursor->number)) return false;
    } else if (cursor->wire == 1 || cursor->wire == 5) {
        size = cursor->wire == 1 ? 8 : 4;
        if (rest->size < size) return false;
        cursor->number = nn__onnx_little(rest->at, (size_t)size);
        nn__onnx_skip(rest, (size_t)size);
    } else if (cursor->wire == 2) {
        if (!nn__onnx_varint(rest, &size) || size > rest->size) return false;
        cursor->bytes.at = rest->at;
        cursor->bytes.size = (size_t)size;
        nn__onnx_skip(rest, (size_t)size);
    } else {
        return false; /* groups are older than ONNX */
    }
    cursor->damaged = false;
    return true;
}

static void nn__onnx_store_number(void *to, uint64_t i, uint32_t stored, uint64_t number) {
    if (stored > 0)
        nn__onnx_store((unsigned char *)to + i * stored, number, stored);
    else
        ((uint64_t *)to)[i] = number;
}

/* Reads the numbers of a packed field. */
static bool nn__onnx_packed(nn__onnx_bytes bytes, uint32_t size, void *to, uint32_t stored,
                            uint64_t *count) {
    uint64_t number;
    if (size > 0 && bytes.size % size != 0) return false;
    if (size > 0 && !to) {
        *count += bytes.size / size;
        return true;
    }
    while (bytes.size > 0) {
        if (size > 0) {
            number = nn__onnx_little(bytes.at, size);
            nn__onnx_skip(&bytes, size);
        } else if (!nn__onnx_varint(&bytes, &number)) {
            return false;
        }
        if (to) nn__onnx_store_number(to, *count, stored, number);
        ++*count;
    }
    return true;
}

NN__ONNX_PRIVATE bool nn__onnx_repeated(nn__onnx_bytes message, uint32_t field, uint32_t size,
                                        void *to, uint32_t stored, uint64_t *count) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    const uint32_t wire = size == 8 ? 1 : size == 4 ? 5 : 0;
    *count = 0;
    while (nn__onnx_next(&cursor)) {
        if (cursor.field != field) continue;
        if (cursor.wire == 2) {
            if (!nn__onnx_packed(cursor.bytes, size, to, stored, count)) return false;
        } else if (cursor.wire == wire) {
            if (to) nn__onnx_store_number(to, *count, stored, cursor.number);
            ++*count;
        } else {
            return false;
        }
    }
    return !cursor.damaged;
}
