/* model/quantized.c - loads 8-bit weights (ops/quantize.h). Floats of a file are rounded while they
   are read, in two passes, so they are never all in memory. Also compares files with weights of 8
   and 4 bits. */
#include "model/private.h"

#if !defined(NN_NO_FILES) && !defined(NN_NO_MIXED_PRECISION)

#include <math.h>

static bool nn__quantized_floats(nn_dtype dtype) {
    return dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16 || dtype == NN_F64;
}

NN_PRIVATE void nn__state_add_scales(nn__state *state) {
    int k = 0;
    for (const nn_node *node = state->net->graph.first; node; node = node->next) {
        if (!nn__is_saved(node)) continue;
        nn__state_item *item = &state->items[k++];
        for (int s = 0; node->scale && s < state->count; s++) {
            if (state->items[s].tensor == node->scale->tensor) item->scale = s;
            if (node->minimum && state->items[s].tensor == node->minimum->tensor) item->minimum = s;
        }
        item->turned = node->turned;
        item->four = node->scale && nn__stored_bits(node) == 4;
    }
}

/* True if the file is of a net that nn_quantize_net made, which has another message. */
static bool nn__quantized_whole(const nn_safetensors *file, const nn__state_item *item) {
    char text[2 * NN_NAME_BYTES];
    const char *dot = strrchr(item->name, '.');
    if (!dot) return false;
    nn__format(text, sizeof text, "%.*s.factor", (int)(dot - item->name), item->name);
    return nn_safetensors_find(file, text) >= 0;
}

NN_PRIVATE nn_shape nn__state_floats_shape(const nn__state_item *item, nn_dtype dtype) {
    nn_shape shape = item->tensor->view.shape;
    if (!item->four || !nn__quantized_floats(dtype)) return shape;
    shape.extent[1] *= 2;
    if (item->turned) {
        const int32_t outputs = shape.extent[0];
        shape.extent[0] = shape.extent[1];
        shape.extent[1] = outputs;
    }
    return shape;
}

/* Returns the fault of a float weight whose entry has another dtype; NULL: none. */
static const char *nn__quantized_float_fault(const nn_safetensors *file, const nn__state_item *item,
                                             nn_dtype dtype) {
    if (!nn__quantized_floats(item->tensor->view.dtype) || item->tensor->view.shape.rank != 2 ||
        nn__quantized_whole(file, item))
        return NULL;
    if (dtype == NN_I8)
        return "is i8 in the file, which means 8-bit weights; call nn_quantize before the layers "
               "are described";
    return dtype == NN_U8 ? "is u8 in the file, which means weights of 4 bits; call nn_quantize "
                            "with .bits = 4 before the layers are described"
                          : NULL;
}

/* Decides whether the scales come from the file or are computed from the weight's floats. Returns
   the error; NULL: none. */
static const char *nn__quantized_fault(nn__state *state, const nn_safetensors *file,
                                       nn__state_item *item) {
    const nn_dtype dtype =
        item->entry < 0 ? NN_DTYPE_DEFAULT : nn_safetensors_at(file, item->entry).dtype;
    if (item->scale < 0) return nn__quantized_float_fault(file, item, dtype);
    nn__state_item *parts[2];
    int count = 0, given = 0;
    parts[count++] = &state->items[item->scale];
    if (item->minimum >= 0) parts[count++] = &state->items[item->minimum];
    for (int i = 0; i < count; i++) {
        parts[i]->derived = nn__quantized_floats(dtype) && parts[i]->entry < 0;
        given += parts[i]->entry >= 0;
    }
    if (nn__quantized_floats(dtype))
        return !given ? NULL : "holds floats in the file, and its scales are there as well";
    if (dtype == item->tensor->view.dtype || item->entry < 0) {
        if (given == (item->entry < 0 ? 0 : count)) return NULL;
        return count == 1 ? "and its scales belong together, and the file has only one of them"
                          : "and its scales and minimums belong together, and the file has only "
                            "some of them; nn_quantize_desc.minimums says whether there are any";
    }
    if (item->four)
        return dtype == NN_I8 ? "is i8 in the file, which means 8-bit weights; leave "
                                "nn_quantize_desc.bits out"
                              : "is neither u8 nor of floats in the file";
    return dtype == NN_U8 ? "is u8 in the file, which means weights of 4 bits; set "
                            "nn_quantize_desc.bits = 4"
                          : "is neither i8 nor of floats in the file";
}

NN_PRIVATE int nn__state_compare_scales(nn__state *state, const nn_safetensors *file,
                                        const nn_writer *writer) {
    int faults = 0;
    for (int i = 0; i < state->count; i++) state->items[i].derived = false;
    for (int i = 0; i < state->count; i++) {
        const char *fault = nn__quantized_fault(state, file, &state->items[i]);
        if (!fault) continue;
        nn__print(writer, "\n  %d bits:      \"%s\" %s", state->items[i].four ? 4 : 8,
                  state->items[i].name, fault);
        faults++;
    }
    return faults;
}

/* State of reading the numbers of an entry in pieces. */
typedef struct nn__quantized {
    const nn__state *state;
    const nn_safetensors *file;
    nn_safetensors_entry entry;
    const nn__state_item *item;
    int64_t count, done, columns;
    float *scales; /* the largest magnitudes at first */
    float *numbers; /* of the current piece */
} nn__quantized;

static nn_result nn__quantized_piece(nn__quantized *q, nn__checksum *checksum, int64_t *part) {
    const nn__state *state = q->state;
    *part = nn__min64(q->count - q->done, state->piece);
    nn_result result = nn__state_piece(state, q->file, &q->entry, q->done, *part, checksum);
    if (result != NN_OK) return result;
    q->numbers = (float *)(void *)(state->staging + (size_t)state->piece * 8);
    nn__convert_from_file(q->entry.dtype, state->staging, NN_F32, q->numbers, *part);
    return NN_OK;
}

static nn_result nn__quantized_largest(nn__quantized *q, nn__checksum *checksum) {
    const nn__state *state = q->state;
    for (int64_t part; q->done < q->count; q->done += part) {
        nn_result result = nn__quantized_piece(q, checksum, &part);
        if (result != NN_OK) return result;
        int64_t row = q->done / q->columns, column = q->done % q->columns;
        for (int64_t i = 0; i < part; i++) {
            const float size = fabsf(q->numbers[i]);
            float *largest = &q->scales[q->item->turned ? column : row];
            if (!(size <= FLT_MAX))
                return nn__fail_at(state->nn, state->site, NN_ERROR_FORMAT,
                                   "%s: \"%s\" of \"%s\" has a number that is not finite, at "
                                   "(%lld, %lld); weights of 8 bits have none; nothing was loaded",
                                   state->who, q->entry.name, q->file->path, (long long)row,
                                   (long long)column);
            if (size > *largest) *largest = size;
            if (++column == q->columns) column = 0, row++;
        }
    }
    return NN_OK;
}

/* Rounds to nearest even, in any rounding mode of the host. x must lie between -127.5 and 127.5. */
static int nn__quantized_round(double x) {
    const double size = x < 0 ? -x : x;
    int whole = (int)size;
    const double rest = size - whole; /* exact */
    if (rest > 0.5 || (rest == 0.5 && whole % 2)) whole++;
    return x < 0 ? -whole : whole;
}

static nn_result nn__quantized_bytes(nn__quantized *q) {
    const nn__state *state = q->state;
    const nn_tensor *tensor = q->item->tensor;
    nn_view view = tensor->view;
    int8_t *bytes = (int8_t *)(state->staging + (size_t)state->piece * 12);
    view.handle = state->blocks[q->item->block].handle;
    view.offset = q->item->offset;
    q->done = 0;
    for (int64_t part; q->done < q->count; q->done += part) {
        nn_result result = nn__quantized_piece(q, NULL, &part);
        if (result != NN_OK) return result;
        int64_t row = q->done / q->columns, column = q->done % q->columns;
        for (int64_t i = 0; i < part; i++) {
            const double scale = (double)q->scales[q->item->turned ? column : row],
                         x = (double)q->numbers[i] / (scale > 0 ? scale : 1e-300);
            if (!(x > -127.5 && x < 127.5)) /* the scales ensured at most 127 */
                return nn__fail_at(state->nn, state->site, NN_ERROR_FILE,
                                   "%s: \"%s\" of \"%s\" changed while it was read; nothing was "
                                   "loaded",
                                   state->who, q->entry.name, q->file->path);
            bytes[i] = (int8_t)nn__quantized_round(x);
            if (++column == q->columns) column = 0, row++;
        }
        result = nn__upload(state->nn, tensor->device, &view, bytes, (uint64_t)part, tensor->name,
                            state->site, NULL);
        if (result != NN_OK) return result;
        view.offset += (uint64_t)part;
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__state_quantize(const nn__state *state, const nn_safetensors *file, int i,
                                        const nn__state_item *item, nn__checksum *checksum) {
    if (item->four) return nn__state_quantize_four(state, file, i, item, checksum);
    const nn__state_item *scale = &state->items[item->scale];
    const nn_shape shape = item->tensor->view.shape;
    const int32_t outputs = scale->tensor->view.shape.extent[0];
    const size_t bytes = (size_t)outputs * sizeof(float);
    nn_view view = scale->tensor->view;
    nn__quantized q;
    memset(&q, 0, sizeof q);
    q.state = state;
    q.file = file;
    q.entry = nn_safetensors_at(file, i);
    q.item = item;
    q.columns = shape.extent[1];
    q.count = nn_shape_count(shape);
    q.scales = (float *)nn__allocate(&state->nn->memory, bytes);
    if (!q.scales) return nn__fail_memory(state->nn, state->who, bytes);
    memset(q.scales, 0, bytes);
    nn_result result = nn__quantized_largest(&q, checksum);
    for (int32_t k = 0; k < outputs; k++)
        if (q.scales[k] > 0.0f) q.scales[k] = fmaxf(q.scales[k] / 127.0f, FLT_MIN);
    if (result == NN_OK) result = nn__quantized_bytes(&q);
    view.handle = state->blocks[scale->block].handle;
    view.offset = scale->offset;
    if (result == NN_OK)
        result = nn__upload(state->nn, scale->tensor->device, &view, q.scales, bytes,
                            scale->tensor->name, state->site, NULL);
    nn__release(&state->nn->memory, q.scales, bytes);
    return result;
}

#endif

typedef int nn__quantized_part; /* a part must not be empty */
