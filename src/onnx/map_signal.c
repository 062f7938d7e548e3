/* onnx/map_signal.c - DFT and STFT as products with tables of cosines and sines; windows and mel
   weights, which are folded into constants. */
#include "onnx/windows.h"
#include "onnx/parts.h"

#define NN__ONNX_PI 3.14159265358979323846

/* ---- numbers --------------------------------------------------------------------------------- */

/* Folds the windows of Hann, Hamming and Blackman: a - b cos(w) + c cos(2 w). */
static bool nn__onnx_fold_window(nn__onnx_node *n) {
    static const struct {
        const char *type;
        double a, b, c;
    } kinds[] = {{"HannWindow", 0.5, 0.5, 0},
                 {"HammingWindow", 25.0 / 46, 21.0 / 46, 0},
                 {"BlackmanWindow", 0.42, 0.5, 0.08}};
    const nn__onnx_type type = (nn__onnx_type)nn__onnx_int(n, "output_datatype", NN__ONNX_FLOAT);
    double size, span;
    int64_t extent;
    unsigned char *data;
    nn__onnx_tensor *made;
    int k = 0;
    if (!nn__onnx_scalar(n, 0, &size) || !(size >= 1 && size <= (1 << 24))) return false;
    if (nn__onnx_type_size(type) == 0) return false;
    while (k < 2 && strcmp(kinds[k].type, n->op->type) != 0) k++;
    extent = (int64_t)size;
    span = nn__onnx_int(n, "periodic", 1) != 0 ? size : size - 1;
    made = nn__onnx_new(n, type, 1, &extent, &data);
    for (int64_t i = 0; made && i < extent; i++) {
        const double angle = span > 0 ? 2 * NN__ONNX_PI * (double)i / span : 0;
        nn__onnx_put_real(data, type, (uint64_t)i,
                          kinds[k].a - kinds[k].b * cos(angle) + kinds[k].c * cos(2 * angle));
    }
    nn__onnx_give_known(n, 0, made);
    return true;
}

static double nn__onnx_mel(double hertz) { return 2595 * log1p(hertz / 700) / log(10.0); }

/* Returns edge i of the triangles, as a bin of the spectrum. */
static int64_t nn__onnx_mel_edge(const double *v, int64_t i) {
    const double low = nn__onnx_mel(v[3]), step = (nn__onnx_mel(v[4]) - low) / (v[0] + 2);
    const double hertz = 700 * expm1((low + step * (double)i) / 2595 * log(10.0));
    const double bin = floor((v[1] + 1) * hertz / v[2]), last = floor(v[1] / 2);
    return bin < 0 ? 0 : (int64_t)(bin > last ? last : bin);
}

/* The operands are: number of mel bins, length of the transform, samples a second, lowest and
   highest frequency. */
static bool nn__onnx_fold_mel(nn__onnx_node *n) {
    const nn__onnx_type type = (nn__onnx_type)nn__onnx_int(n, "output_datatype", NN__ONNX_FLOAT);
    double v[5];
    int64_t extents[2];
    unsigned char *data;
    nn__onnx_tensor *made;
    for (int i = 0; i < 5; i++)
        if (!nn__onnx_scalar(n, i, &v[i])) return false;
    if (!(v[0] >= 1 && v[0] <= 65536 && v[1] >= 1 && v[1] <= (1 << 24) && v[2] > 0)) return false;
    if (!(v[3] >= 0 && v[4] >= 0 && v[3] < 1e9 && v[4] < 1e9)) return false;
    if (nn__onnx_type_size(type) == 0 || v[0] * v[1] * 4 > NN__ONNX_FOLDED) return false;
    extents[0] = (int64_t)v[1] / 2 + 1;
    extents[1] = (int64_t)v[0];
    made = nn__onnx_new(n, type, 2, extents, &data);
    for (int64_t i = 0; made && i < extents[1]; i++) {
        const int64_t low = nn__onnx_mel_edge(v, i), at = nn__onnx_mel_edge(v, i + 1);
        const int64_t high = nn__onnx_mel_edge(v, i + 2);
        for (int64_t j = low; j <= at; j++)
            nn__onnx_put_real(data, type, (uint64_t)(j * extents[1] + i),
                              at == low ? 1 : (double)(j - low) / (double)(at - low));
        for (int64_t j = at; j < high; j++)
            nn__onnx_put_real(data, type, (uint64_t)(j * extents[1] + i),
                              (double)(high - j) / (double)(high - at));
    }
    nn__onnx_give_known(n, 0, made);
    return true;
}

/* ---- transforms ------------------------------------------------------------------------------ */

/* A transform of `in` numbers, each with `in_parts` (1: real, 2: complex), into `out`. */
typedef struct nn__onnx_transform {
    int64_t length, in, out; /* length: of the transform */
    int in_parts, out_parts;
    bool inverse, onesided;
} nn__onnx_transform;

/* Returns the factor of part p of number i in part q of result k. */
static double nn__onnx_transform_weight(const nn__onnx_transform *t, int64_t i, int p, int64_t k,
                                        int q) {
    const double angle = 2 * NN__ONNX_PI * (double)(i * k % t->length) / (double)t->length;
    const double turn = t->inverse ? angle : -angle;
    double weight = p == q ? cos(turn) : p == 0 ? sin(turn) : -sin(turn);
    if (i >= t->length) return 0; /* cut off */
    if (t->inverse) weight /= (double)t->length;
    /* the other half of a one-sided spectrum is not stored */
    if (t->inverse && t->onesided && i > 0 && 2 * i < t->length) weight *= 2;
    if (t->inverse && t->onesided && 2 * i > t->length) return 0;
    return weight;
}

/* Returns the table (in * in_parts, out * out_parts), or its transpose. window: a factor of each
   number, or NULL. */
static nn_node *nn__onnx_transform_table(nn__onnx_node *n, const nn__onnx_transform *t, bool turned,
                                         const nn__onnx_tensor *window) {
    const int64_t rows = t->in * t->in_parts, columns = t->out * t->out_parts;
    int64_t extents[3];
    unsigned char *data;
    nn__onnx_tensor *made;
    if ((double)rows * (double)columns * 4 > NN__ONNX_FOLDED) {
        nn__onnx_refuse(n, NULL,
                        "its transform would need a table of %d by %d numbers, which is too large",
                        rows, columns);
        return NULL;
    }
    extents[0] = turned ? columns : rows;
    extents[1] = turned ? 1 : columns;
    extents[2] = rows;
    made = nn__onnx_new(n, NN__ONNX_FLOAT, turned ? 3 : 2, extents, &data);
    for (int64_t row = 0; made && row < rows; row++) {
        const int64_t i = row / t->in_parts;
        const double factor = window ? nn__onnx_real(window, (uint64_t)i) : 1;
        for (int64_t column = 0; column < columns; column++)
            nn__onnx_put_real(data, NN__ONNX_FLOAT,
                              (uint64_t)(turned ? column * rows + row : row * columns + column),
                              factor * nn__onnx_transform_weight(t, i, (int)(row % t->in_parts),
                                                                 column / t->out_parts,
                                                                 (int)(column % t->out_parts)));
    }
    return nn__onnx_constant_of(n, made, NN_F32);
}

/* Returns the axis, from the attribute or, from opset 20 on, operand 2. -1: refused. */
static int nn__onnx_dft_axis(nn__onnx_node *n, int rank) {
    int32_t axis = -2;
    if (n->opset < 20) return nn__onnx_axis(n, 1, rank);
    if (nn__onnx_has(n, 2) && nn__onnx_wholes(n, 2, "axis", &axis, 1) != 1) return -1;
    if (axis < 0) axis += rank;
    if (axis >= 0 && axis < rank - 1) return (int)axis;
    nn__onnx_refuse(n, NULL, "its axis is out of range, or the last one");
    return -1;
}

static void nn__onnx_map_dft(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int rank = shape.rank, axis = nn__onnx_dft_axis(n, rank);
    nn__onnx_transform t;
    int order[NN_MAX_RANK];
    int32_t length = 0;
    nn_shape flat;
    nn_node *x, *table;
    if (axis < 0) return;
    memset(&t, 0, sizeof t);
    t.inverse = nn__onnx_int(n, "inverse", 0) != 0;
    t.onesided = nn__onnx_int(n, "onesided", 0) != 0;
    t.in = shape.extent[axis];
    t.in_parts = shape.extent[rank - 1];
    if (nn__onnx_has(n, 1) && nn__onnx_wholes(n, 1, "dft_length", &length, 1) != 1) return;
    if (axis >= rank - 1 || t.in < 1 || t.in_parts < 1 || t.in_parts > 2) {
        nn__onnx_refuse(n, "give the extent of the signal a number in .extents",
                        "the length of its signal is free, or its last axis is not 1 or 2");
        return;
    }
    t.length = length > 0 ? length : t.inverse && t.onesided ? 2 * (t.in - 1) : t.in;
    t.out = t.onesided && !t.inverse ? t.length / 2 + 1 : t.length;
    t.out_parts = t.onesided && t.inverse ? 1 : 2;
    for (int i = 0; i < rank; i++) order[i] = i;
    order[axis] = rank - 2;
    order[rank - 2] = axis;
    x = nn__onnx_ordered(n, nn__onnx_x(n, 0), order, rank);
    flat = nn_node_shape(x);
    flat.rank = rank - 1;
    flat.extent[rank - 2] = (int32_t)(t.in * t.in_parts);
    table = nn__onnx_transform_table(n, &t, false, NULL);
    x = nn_matmul_at(n->site, n->net, nn__onnx_reshaped(n, x, flat), table, NULL);
    flat.rank = rank;
    flat.extent[rank - 2] = (int32_t)t.out;
    flat.extent[rank - 1] = t.out_parts;
    x = nn__onnx_reshaped(n, x, flat);
    nn__onnx_give(n, 0, nn__onnx_ordered(n, x, order, rank), nn__onnx_dtype(n, 0));
}

/* Describes STFT as a convolution whose kernels are rows of the table. */
static void nn__onnx_map_stft(nn__onnx_node *n) {
    static const int order[] = {0, 2, 1};
    const nn_shape shape = nn__onnx_shape(n, 0);
    const nn__onnx_tensor *window = nn__onnx_has(n, 2) ? nn__onnx_numbers(n, 2, "window") : NULL;
    nn__onnx_transform t;
    nn__onnx_window w;
    int32_t step, length = 0, extents[4];
    nn_node *x;
    if (n->refused || nn__onnx_wholes(n, 1, "frame_step", &step, 1) != 1) return;
    if (nn__onnx_has(n, 3) && nn__onnx_wholes(n, 3, "frame_length", &length, 1) != 1) return;
    if (length == 0) length = window ? (int32_t)window->count : shape.extent[1];
    if ((shape.rank == 3 && shape.extent[2] != 1) || shape.rank < 2 || length < 1 || step < 1 ||
        (window && (window->count != (uint64_t)length || !window->data))) {
        nn__onnx_refuse(n, NULL, "its signal is complex, or its lengths do not fit each other");
        return;
    }
    memset(&t, 0, sizeof t);
    t.length = t.in = length;
    t.in_parts = 1;
    t.out_parts = 2;
    t.out = nn__onnx_int(n, "onesided", 1) != 0 ? length / 2 + 1 : length;
    memset(&w, 0, sizeof w);
    w.count = w.dilation[0] = 1;
    w.kernel[0] = length;
    w.stride[0] = step;
    extents[0] = shape.extent[0];
    extents[1] = 1;
    extents[2] = shape.extent[1];
    x = nn__onnx_shaped(n, nn__onnx_x(n, 0), 3, extents);
    x = nn__onnx_convolve(n, x, nn__onnx_transform_table(n, &t, true, window), &w, 1);
    x = nn__onnx_ordered(n, x, order, 3);
    extents[1] = nn_node_shape(x).extent[1];
    extents[2] = (int32_t)t.out;
    extents[3] = 2;
    nn__onnx_give(n, 0, nn__onnx_shaped(n, x, 4, extents), nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_signal(void) {
    static const nn__onnx_operator lines[] = {
        {"", "HannWindow", 17, 0, NULL, nn__onnx_fold_window},
        {"", "HammingWindow", 17, 0, NULL, nn__onnx_fold_window},
        {"", "BlackmanWindow", 17, 0, NULL, nn__onnx_fold_window},
        {"", "MelWeightMatrix", 17, 0, NULL, nn__onnx_fold_mel},
        {"", "DFT", 17, 0, nn__onnx_map_dft, NULL},
        {"", "STFT", 17, 0, nn__onnx_map_stft, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
