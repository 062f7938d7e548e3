/* model/quantized_four.c - rounds weights to 4 bits in groups of 32 (ops/quantize.h) while a file
   of floats is read. At most 32 rows of the floats are in memory at a time. */
#include "model/private.h"

#if !defined(NN_NO_FILES) && !defined(NN_NO_MIXED_PRECISION)

#include <math.h>

/* Stores a number in f16. False: it is too large. *value: the stored number. */
static bool nn__four_half(double number, uint16_t *half, double *value) {
    unsigned char stored[2]; /* as in a file */
    nn__store_number(NN_F16, half, number);
    stored[0] = (unsigned char)(*half & 255);
    stored[1] = (unsigned char)(*half >> 8);
    *value = nn__load_number(NN_F16, stored);
    return fabs(*value) <= 65504.0;
}

NN_PRIVATE bool nn__round_nibbles(const float *x, ptrdiff_t step, uint8_t *bytes, uint16_t *scale,
                                  uint16_t *minimum) {
    double least = (double)x[0], most = least, d, m;
    int q[32];
    for (int i = 0; i < 32; i++) {
        const double number = (double)x[i * step];
        if (!(fabs(number) <= FLT_MAX)) return false;
        if (number < least) least = number;
        if (number > most) most = number;
    }
    if (minimum) {
        if (!nn__four_half(least, minimum, &m) || !nn__four_half((most - least) / 15.0, scale, &d))
            return false;
    } else {
        if (!nn__four_half((-least > most ? least : most) / -8.0, scale, &d)) return false;
        m = -8.0 * d;
    }
    for (int i = 0; i < 32; i++) {
        const double t = d == 0.0 ? (minimum ? 0.0 : 8.0) : ((double)x[i * step] - m) / d;
        q[i] = t < 0.5 ? 0 : t >= 15.0 ? 15 : (int)(t + 0.5);
    }
    for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)(q[i] | q[i + 16] << 4);
    return true;
}

/* State of reading the floats of an entry. */
typedef struct nn__four {
    const nn__state *state;
    const nn_safetensors *file;
    nn_safetensors_entry entry;
    const nn__state_item *item;
    int64_t outputs, inputs, groups; /* groups: of a row */
    int64_t band, columns; /* numbers that are rounded together, and of a row of the file */
    char *memory;
    size_t bytes;
    float *numbers;
    uint8_t *weight;
    uint16_t *scale, *minimum; /* minimum may be NULL */
} nn__four;

static nn_result nn__four_make(nn__four *f) {
    const size_t weight = (size_t)(f->outputs * f->inputs / 2),
                 scale = (size_t)(f->outputs * f->groups) * sizeof(uint16_t),
                 numbers = (size_t)f->band * sizeof(float);
    f->bytes = numbers + weight + 2 * scale;
    f->memory = (char *)nn__allocate(&f->state->nn->memory, f->bytes);
    if (!f->memory) return nn__fail_memory(f->state->nn, f->state->who, f->bytes);
    f->numbers = (float *)(void *)f->memory;
    f->weight = (uint8_t *)f->memory + numbers;
    f->scale = (uint16_t *)(void *)(f->weight + weight);
    if (f->item->minimum >= 0) f->minimum = f->scale + f->outputs * f->groups;
    return NN_OK;
}

/* Rounds the numbers of the band that begins at number `first` of the file. */
static nn_result nn__four_band(const nn__four *f, int64_t first) {
    const bool turned = f->item->turned;
    const int64_t count = turned ? f->outputs : f->groups;
    for (int64_t i = 0; i < count; i++) {
        const int64_t output = turned ? i : first / f->inputs,
                      group = turned ? first / f->columns / 32 : i, at = output * f->groups + group;
        if (!nn__round_nibbles(f->numbers + (turned ? i : 32 * i),
                               turned ? (ptrdiff_t)f->columns : 1, f->weight + 16 * at,
                               f->scale + at, f->minimum ? f->minimum + at : NULL))
            return nn__fail_at(f->state->nn, f->state->site, NN_ERROR_FORMAT,
                               "%s: \"%s\" of \"%s\" has a number that is not finite or exceeds "
                               "524,032, among inputs %lld to %lld of output %lld; weights of 4 "
                               "bits have none (65,504 with minimums); nothing was loaded",
                               f->state->who, f->entry.name, f->file->path, (long long)(32 * group),
                               (long long)(32 * group + 31), (long long)output);
    }
    return NN_OK;
}

static nn_result nn__four_read(nn__four *f, nn__checksum *checksum) {
    const nn__state *state = f->state;
    const int64_t count = f->outputs * f->inputs;
    for (int64_t done = 0; done < count;) {
        const int64_t part = nn__min64(f->band - done % f->band,
                                       nn__min64(count - done, state->piece));
        nn_result result = nn__state_piece(state, f->file, &f->entry, done, part, checksum);
        if (result != NN_OK) return result;
        nn__convert_from_file(f->entry.dtype, state->staging, NN_F32, f->numbers + done % f->band,
                              part);
        done += part;
        if (done % f->band == 0) result = nn__four_band(f, done - f->band);
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

static nn_result nn__four_put(const nn__four *f, const nn__state_item *item, const void *from) {
    nn_view view = item->tensor->view;
    view.handle = f->state->blocks[item->block].handle;
    view.offset = item->offset;
    return nn__upload(f->state->nn, item->tensor->device, &view, from, nn__bytes(&view),
                      item->tensor->name, f->state->site, NULL);
}

NN_PRIVATE nn_result nn__state_quantize_four(const nn__state *state, const nn_safetensors *file,
                                             int i, const nn__state_item *item,
                                             nn__checksum *checksum) {
    const nn_shape shape = item->tensor->view.shape;
    nn__four f;
    memset(&f, 0, sizeof f);
    f.state = state;
    f.file = file;
    f.entry = nn_safetensors_at(file, i);
    f.item = item;
    f.outputs = shape.extent[0];
    f.inputs = (int64_t)shape.extent[1] * 2;
    f.groups = f.inputs / 32;
    f.columns = item->turned ? f.outputs : f.inputs;
    f.band = item->turned ? 32 * f.outputs : f.inputs;
    nn_result result = nn__four_make(&f);
    if (result == NN_OK) result = nn__four_read(&f, checksum);
    if (result == NN_OK) result = nn__four_put(&f, item, f.weight);
    if (result == NN_OK) result = nn__four_put(&f, &state->items[item->scale], f.scale);
    if (result == NN_OK && f.minimum)
        result = nn__four_put(&f, &state->items[item->minimum], f.minimum);
    nn__release(&state->nn->memory, f.memory, f.bytes);
    return result;
}

#endif

typedef int nn__quantized_four_part; /* a part must not be empty */
