/* onnx/map_grid.c - GridSample, AffineGrid. */
#include "onnx/parts.h"

static void nn__onnx_map_grid_sample(nn__onnx_node *n) {
    const char *mode = nn__onnx_string(n, "mode", "linear");
    const char *padding = nn__onnx_string(n, "padding_mode", "zeros");
    nn_grid_sample_desc desc;
    if (nn__onnx_rank(n, 0) != 4) {
        nn__onnx_refuse(n, NULL, "it samples %s; nn_grid_sample takes pictures",
                        nn__onnx_rank(n, 0) == 5 ? "volumes" : "no pictures");
        return;
    }
    memset(&desc, 0, sizeof desc);
    desc.mode = strcmp(mode, "nearest") == 0                                 ? NN_GRID_NEAREST
                : strcmp(mode, "cubic") == 0 || strcmp(mode, "bicubic") == 0 ? NN_GRID_BICUBIC
                                                                             : NN_GRID_BILINEAR;
    desc.padding_mode = strcmp(padding, "border") == 0       ? NN_GRID_BORDER
                        : strcmp(padding, "reflection") == 0 ? NN_GRID_REFLECTION
                                                             : NN_GRID_ZEROS;
    desc.align_corners = nn__onnx_int(n, "align_corners", 0) != 0;
    nn__onnx_give(n, 0,
                  nn_grid_sample_at(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_x(n, 1), &desc),
                  nn__onnx_dtype(n, 0));
}

/* The places of a grid (D H W, 4), whose product with each sample's matrix is its grid. */
static void nn__onnx_affine_volume(nn__onnx_node *n, const int32_t *size, bool corners) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    int64_t extents[2];
    int32_t result[5];
    unsigned char *data;
    nn__onnx_tensor *places;
    nn_matmul_desc turned;
    nn_node *y;
    extents[0] = (int64_t)size[2] * size[3] * size[4];
    extents[1] = 4;
    places = nn__onnx_new(n, NN__ONNX_FLOAT, 2, extents, &data);
    for (int64_t i = 0; places && i < extents[0]; i++) {
        int64_t rest = i;
        for (int axis = 2; axis >= 0; axis--) { /* x is the last axis, and comes first */
            const int32_t extent = size[axis + 2];
            const double at = (double)(rest % extent);
            const double place = !corners     ? (2 * at + 1) / extent - 1
                                 : extent > 1 ? 2 * at / (extent - 1) - 1
                                              : -1;
            nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)(i * 4 + 2 - axis), place);
            rest /= extent;
        }
        nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)(i * 4 + 3), 1);
    }
    memset(&turned, 0, sizeof turned);
    turned.transpose_b = true;
    y = nn_matmul_at(n->site, n->net, nn__onnx_constant_of(n, places, NN_F32), nn__onnx_x(n, 0),
                     &turned);
    result[0] = shape.extent[0];
    for (int i = 1; i < 4; i++) result[i] = size[i + 1];
    result[4] = 3;
    nn__onnx_give(n, 0, nn__onnx_shaped(n, y, 5, result), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_affine_grid(nn__onnx_node *n) {
    const bool corners = nn__onnx_int(n, "align_corners", 0) != 0;
    int32_t size[5];
    const int count = nn__onnx_extents(n, 1, "size", size, NULL, 5);
    if (count < 0) return;
    for (int i = 2; i < count; i++)
        if (count < 4 || size[i] < 1 || size[i] > (1 << 20)) {
            nn__onnx_refuse(n, "give the extents numbers in .extents",
                            "its size is no picture or volume of known extents");
            return;
        }
    if (count == 5)
        nn__onnx_affine_volume(n, size, corners);
    else if (count == 4)
        nn__onnx_give(
            n, 0, nn_affine_grid_at(n->site, n->net, nn__onnx_x(n, 0), size[2], size[3], corners),
            nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_grid(void) {
    static const nn__onnx_operator lines[] = {
        {"", "GridSample", 16, 0, nn__onnx_map_grid_sample, NULL},
        {"", "AffineGrid", 20, 0, nn__onnx_map_affine_grid, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
