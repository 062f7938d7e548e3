/* ops/integer_check.c - which numbers the buffers of integer operations may have. Files, uploads
   and arrays are checked, because a damaged shift or zero point would overflow in a kernel, and a
   damaged scale gives results without a meaning. */
#include "ops/integer_private.h"

#ifndef NN_NO_FILES

typedef enum nn__integer_kind {
    NN__INTEGER_ANY,
    NN__INTEGER_BYTE, /* a zero point, or an end of y */
    NN__INTEGER_MULTIPLIER,
    NN__INTEGER_SHIFT,
    NN__INTEGER_EXPONENTIAL,
    NN__INTEGER_PART, /* of a row or column of a resized image */
    NN__INTEGER_SCALE, /* f32 */
    NN__INTEGER_ZERO   /* a zero point as f32 */
} nn__integer_kind;

static nn__integer_kind nn__integer_factor_kind(int64_t at, int64_t row) {
    return at / row % 2 ? NN__INTEGER_SHIFT : NN__INTEGER_MULTIPLIER;
}

/* Returns what number `at` of a buffer is, which is input `input` of a node. */
static nn__integer_kind nn__integer_kind_of(const nn_node *node, int input, int64_t at) {
    const nn_shape *shape = &node->inputs[input]->shape;
    switch ((int)node->rule->kernel) {
    case NN_KERNEL_INTEGER_CONV2D:
        if (input == 3) return nn__integer_factor_kind(at, shape->extent[1]);
        return input == 4 ? NN__INTEGER_BYTE : NN__INTEGER_ANY;
    case NN_KERNEL_INTEGER_POOL2D:
        return input == 1 && at == NN_INTEGER_X ? NN__INTEGER_BYTE : NN__INTEGER_ANY;
    case NN_KERNEL_INTEGER_ADD:
        if (input != 2) return NN__INTEGER_ANY;
        return at < NN_INTEGER_ADD_MULTIPLIER || at >= NN_INTEGER_ADD_LOW ? NN__INTEGER_BYTE
               : at < NN_INTEGER_ADD_SHIFT ? NN__INTEGER_MULTIPLIER
                                           : NN__INTEGER_SHIFT;
    case NN_KERNEL_INTEGER_MULTIPLY:
        if (input != 2) return NN__INTEGER_ANY;
        return at == NN_INTEGER_MULTIPLY_MULTIPLIER ? NN__INTEGER_MULTIPLIER
               : at == NN_INTEGER_MULTIPLY_SHIFT    ? NN__INTEGER_SHIFT
                                                    : NN__INTEGER_BYTE;
    case NN_KERNEL_INTEGER_RESIZE2D:
        return input > 0 && at >= 2 * (int64_t)shape->extent[1] ? NN__INTEGER_PART
                                                                : NN__INTEGER_ANY;
    case NN_KERNEL_INTEGER_SOFTMAX:
        if (input != 2) return input == 1 ? NN__INTEGER_EXPONENTIAL : NN__INTEGER_ANY;
        return at == NN_INTEGER_SOFTMAX_MULTIPLIER ? NN__INTEGER_MULTIPLIER
               : at == NN_INTEGER_SOFTMAX_SHIFT    ? NN__INTEGER_SHIFT
                                                   : NN__INTEGER_BYTE;
    case NN_KERNEL_INTEGER_RECURRENT:
        if (input == 4) return nn__integer_factor_kind(at, shape->extent[1]);
        if (input != 5 || at == NN_INTEGER_RECURRENT_CELL) return NN__INTEGER_ANY;
        return at == NN_INTEGER_RECURRENT_MULTIPLIER ? NN__INTEGER_MULTIPLIER
               : at == NN_INTEGER_RECURRENT_SHIFT    ? NN__INTEGER_SHIFT
                                                     : NN__INTEGER_BYTE;
    case NN_KERNEL_QUANTIZE:
    case NN_KERNEL_DEQUANTIZE:
        return input != 1 ? NN__INTEGER_ANY : at == 0 ? NN__INTEGER_SCALE : NN__INTEGER_ZERO;
    default: return NN__INTEGER_ANY;
    }
}

static const char *nn__integer_wrong_number(nn__integer_kind kind, int32_t number) {
    float real;
    memcpy(&real, &number, sizeof real);
    switch (kind) {
    case NN__INTEGER_SCALE: /* 0 before numbers were loaded */
        return real >= 0.0f && real - real == 0.0f ? NULL : "a finite scale of at least 0";
    case NN__INTEGER_ZERO:
        return real >= -128.0f && real <= 127.0f && real == (float)(int)real
                   ? NULL
                   : "a whole zero point from -128 to 127";
    case NN__INTEGER_BYTE:
        return number < -128 || number > 127 ? "a zero point or end from -128 to 127" : NULL;
    case NN__INTEGER_MULTIPLIER:
        return number < 0 ? "a multiplier of at least 0" : NULL;
    case NN__INTEGER_SHIFT:
        return number < -31 || number > 30 ? "a shift from -31 to 30" : NULL;
    case NN__INTEGER_EXPONENTIAL:
        return number < 0 || number > 1 << 30 ? "an exponential from 0 to 1073741824" : NULL;
    case NN__INTEGER_PART:
        return number < 0 || number > 1024 ? "a part from 0 to 1024" : NULL;
    default: return NULL;
    }
}

static const char *nn__integer_wrong_in(const nn_model *net, const nn_tensor *tensor,
                                        const int32_t *numbers, int64_t first, int64_t count,
                                        int64_t *at) {
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (node->kind != NN__OPERATION) continue;
        if (tensor->view.dtype == NN_F32 && node->rule->kernel != NN_KERNEL_QUANTIZE &&
            node->rule->kernel != NN_KERNEL_DEQUANTIZE)
            continue;
        for (int input = 0; input < node->input_count; input++) {
            if (node->inputs[input]->tensor != tensor) continue;
            for (int64_t i = 0; i < count; i++) {
                const char *wanted = nn__integer_wrong_number(
                    nn__integer_kind_of(node, input, first + i), numbers[i]);
                *at = i;
                if (wanted) return wanted;
            }
        }
    }
    return NULL;
}

static const char *nn__integer_wrong(const nn_model *net, const nn_tensor *tensor,
                                     const int32_t *numbers, int64_t first, int64_t count,
                                     int64_t *at) {
    if (net) return nn__integer_wrong_in(net, tensor, numbers, first, count, at);
    const nn__owned *head = &tensor->nn->owned;
    for (const nn__owned *one = head->next; one != head; one = one->next) {
        const char *wanted =
            one->destroy == nn__model_destroy
                ? nn__integer_wrong_in((const nn_model *)one, tensor, numbers, first, count, at)
                : NULL;
        if (wanted) return wanted;
    }
    return NULL;
}

NN_PRIVATE void nn__integer_check_files(nn_context *nn) { nn->wrong_integers = nn__integer_wrong; }
#endif

typedef int nn__integer_check_part; /* a part must not be empty under NN_NO_FILES */
