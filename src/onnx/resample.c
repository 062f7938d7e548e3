/* onnx/resample.c - resampling along one axis. */
#include "onnx/resample.h"

/* Computes in f32 as onnxruntime does, so positions between two elements are rounded in the same
   way. */
NN__ONNX_PRIVATE double nn__onnx_place_of(const nn__onnx_resample *r, int32_t i) {
    const float scale = (float)r->scale, last = (float)(r->extent - 1), at = (float)i;
    const float half = (at + 0.5f) / scale - 0.5f;
    const float exact = scale * (float)r->extent; /* not rounded, unlike the extent of y */
    const float begin = (float)r->begin, end = (float)r->end;
    switch (r->places) {
    case NN__ONNX_HALF_PIXEL_SYMMETRIC:
        return (double)((float)r->extent / 2 * (1 - (float)r->out / exact) + half);
    case NN__ONNX_PYTORCH_HALF_PIXEL: return r->out > 1 ? (double)half : 0;
    case NN__ONNX_TF_HALF_PIXEL: return (double)(half + 0.5f);
    case NN__ONNX_ALIGN_CORNERS: return r->out > 1 ? (double)(at * last / (exact - 1)) : 0;
    case NN__ONNX_ASYMMETRIC: return (double)(at / scale);
    case NN__ONNX_CROP:
        return (double)(r->out > 1 ? begin * last + at * (end - begin) * last / (exact - 1)
                                   : 0.5f * (begin + end) * last);
    default: return (double)half;
    }
}

NN__ONNX_PRIVATE int32_t nn__onnx_nearest(const nn__onnx_resample *r, int32_t i) {
    double x = nn__onnx_place_of(r, i);
    x = r->rounding == NN__ONNX_FLOOR         ? floor(x)
        : r->rounding == NN__ONNX_CEIL        ? ceil(x)
        : r->rounding == NN__ONNX_PREFER_CEIL ? floor(x + 0.5)
                                              : ceil(x - 0.5);
    return !(x > 0) ? 0 : x > r->extent - 1 ? r->extent - 1 : (int32_t)x;
}

static bool nn__onnx_is_inside(const nn__onnx_resample *r, int32_t i) {
    const double x = nn__onnx_place_of(r, i);
    return r->places != NN__ONNX_CROP || (x >= 0 && x <= r->extent - 1);
}

/* Returns the weight of an element at this distance. */
static double nn__onnx_weight_at(const nn__onnx_resample *r, double x) {
    const double a = r->cubic;
    x = fabs(x);
    if (r->kernel == NN__ONNX_LINEAR) return x < 1 ? 1 - x : 0;
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Adds the weights of row i. An element outside x counts as the element at the edge, or is left out
   (exclude). */
static void nn__onnx_fill_row(const nn__onnx_resample *r, int32_t i, double *row) {
    const double x = nn__onnx_place_of(r, i);
    const double narrow = r->antialias && r->scale < 1 ? r->scale : 1;
    const double reach = (r->kernel == NN__ONNX_LINEAR ? 1 : 2) / narrow;
    double sum = 0;
    if (!nn__onnx_is_inside(r, i)) return;
    for (double p = ceil(x - reach); p <= x + reach; p++) {
        const double weight = nn__onnx_weight_at(r, (p - x) * narrow);
        const bool outside = p < 0 || p > r->extent - 1;
        if (outside && r->exclude) continue;
        row[p < 0 ? 0 : p > r->extent - 1 ? r->extent - 1 : (int32_t)p] += weight;
        sum += weight;
    }
    for (int32_t k = 0; k < r->extent && sum != 0; k++) row[k] /= sum;
}

static nn_node *nn__onnx_chosen(nn__onnx_node *n, nn_node *x, int axis,
                                const nn__onnx_resample *r) {
    int64_t extent = r->out;
    unsigned char *data;
    nn__onnx_tensor *places = nn__onnx_new(n, NN__ONNX_INT32, 1, &extent, &data);
    for (int32_t i = 0; places && i < r->out; i++)
        nn__onnx_put_whole(data, NN__ONNX_INT32, (uint64_t)i, nn__onnx_nearest(r, i));
    return nn_index_select_at(n->site, n->net, x, axis, nn__onnx_constant_of(n, places, NN_I32));
}

NN__ONNX_PRIVATE nn_node *nn__onnx_resampled(nn__onnx_node *n, nn_node *x, int axis,
                                             const nn__onnx_resample *r) {
    const int rank = nn_node_shape(x).rank;
    int64_t extents[2];
    unsigned char *data;
    double *row;
    nn__onnx_tensor *made;
    nn_node *matrix;
    nn_matmul_desc turned;
    if (r->kernel == NN__ONNX_NEAREST) return nn__onnx_chosen(n, x, axis, r);
    extents[0] = r->out;
    extents[1] = r->extent;
    made = nn__onnx_new(n, NN__ONNX_FLOAT, 2, extents, &data);
    row = (double *)nn__onnx_scratch(n, (uint64_t)r->extent * sizeof *row);
    for (int32_t i = 0; made && row && i < r->out; i++) {
        for (int32_t k = 0; k < r->extent; k++) row[k] = 0;
        nn__onnx_fill_row(r, i, row);
        for (int32_t k = 0; k < r->extent; k++)
            nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)i * (uint64_t)r->extent + (uint64_t)k,
                              row[k]);
    }
    matrix = nn__onnx_constant_of(n, made, NN_F32);
    memset(&turned, 0, sizeof turned);
    turned.transpose_b = true;
    if (axis == rank - 1) return nn_matmul_at(n->site, n->net, x, matrix, &turned);
    if (axis == rank - 2) return nn_matmul_at(n->site, n->net, matrix, x, NULL);
    x = nn_transpose_at(n->site, n->net, x, axis, rank - 1);
    x = nn_matmul_at(n->site, n->net, x, matrix, &turned);
    return nn_transpose_at(n->site, n->net, x, axis, rank - 1);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_inside(nn__onnx_node *n, int rank, int axis,
                                          const nn__onnx_resample *r) {
    int64_t extents[NN__ONNX_RANK];
    unsigned char *data;
    nn__onnx_tensor *made;
    for (int i = 0; i < rank; i++) extents[i] = i == axis ? r->out : 1;
    made = nn__onnx_new(n, NN__ONNX_FLOAT, rank, extents, &data);
    for (int32_t i = 0; made && i < r->out; i++)
        nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)i, nn__onnx_is_inside(r, i));
    return nn__onnx_constant_of(n, made, NN_F32);
}
