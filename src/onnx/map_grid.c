/* onnx/map_grid.c - GridSample, AffineGrid, RoiAlign. */
#include "onnx/parts.h"

static void nn__onnx_map_grid_sample(nn__onnx_node *n) {
    const char *mode = nn__onnx_string(n, "mode", "linear");
    const char *padding = nn__onnx_string(n, "padding_mode", "zeros");
    const bool linear = strcmp(mode, "linear") == 0 || strcmp(mode, "bilinear") == 0,
               cubic = strcmp(mode, "cubic") == 0 || strcmp(mode, "bicubic") == 0,
               border = strcmp(padding, "border") == 0,
               reflects = strcmp(padding, "reflection") == 0;
    nn_grid_sample_desc desc;
    if ((!linear && !cubic && strcmp(mode, "nearest") != 0) ||
        (!border && !reflects && strcmp(padding, "zeros") != 0)) {
        nn__onnx_refuse(n, NULL, "its mode %q or padding_mode %q is not supported", mode, padding);
        return;
    }
    if (nn__onnx_rank(n, 0) != 4) {
        nn__onnx_refuse(n, NULL, "it samples %s; nn_grid_sample takes images (N, C, H, W)",
                        nn__onnx_rank(n, 0) == 5 ? "volumes" : "another rank");
        return;
    }
    memset(&desc, 0, sizeof desc);
    desc.mode = cubic ? NN_GRID_BICUBIC : linear ? NN_GRID_BILINEAR : NN_GRID_NEAREST;
    desc.padding_mode = border ? NN_GRID_BORDER : reflects ? NN_GRID_REFLECTION : NN_GRID_ZEROS;
    desc.align_corners = nn__onnx_int(n, "align_corners", 0) != 0;
    nn__onnx_give(n, 0,
                  nn_grid_sample_at(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_x(n, 1), &desc),
                  nn__onnx_dtype(n, 0));
}

/* Describes the places of a grid (D H W, 4). Their product with each sample's matrix is its
   grid. */
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
        for (int axis = 2; axis >= 0; axis--) { /* the coordinate of the last axis comes first */
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
                            "its size is not that of an image or a volume with known extents");
            return;
        }
    if (count == 5)
        nn__onnx_affine_volume(n, size, corners);
    else if (count == 4)
        nn__onnx_give(
            n, 0, nn_affine_grid_at(n->site, n->net, nn__onnx_x(n, 0), size[2], size[3], corners),
            nn__onnx_dtype(n, 0));
}

/* ---- RoiAlign -------------------------------------------------------------------------------- */

/* Regions of an image, sampled at `ratio` places a cell along each axis. Source: He et al., "Mask
   R-CNN", 2017. */
typedef struct nn__onnx_regions {
    nn_node *rois;               /* (R, 4): x1, y1, x2, y2 */
    int32_t size[2], picture[2]; /* height and width of the result, of the image */
    int32_t ratio;
    double scale;
    bool largest; /* mode max: the largest of all samples, not their mean */
    bool half; /* places are moved by half a pixel, and regions may be smaller than one */
} nn__onnx_regions;

/* Returns the places along an axis (0: the height) in pixels, (R, size * ratio). */
static nn_node *nn__onnx_region_places(nn__onnx_node *n, const nn__onnx_regions *r, int axis) {
    const int32_t count = r->size[axis] * r->ratio;
    nn_node *low = nn__onnx_cut(n, r->rois, 1, 1 - axis, 2 - axis, 1);
    nn_node *high = nn__onnx_cut(n, r->rois, 1, 3 - axis, 4 - axis, 1);
    int64_t extents[2];
    unsigned char *data;
    nn__onnx_tensor *parts;
    extents[0] = 1;
    extents[1] = count;
    parts = nn__onnx_new(n, NN__ONNX_FLOAT, 2, extents, &data);
    if (!parts) return NULL;
    for (int32_t i = 0; i < count; i++)
        nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)i, (i + 0.5) / count);
    return nn__onnx_express(n,
                            r->half ? "a, b, k: a * p - q + (b - a) * p * k"
                                    : "a, b, k: a * p - q + max((b - a) * p, 1) * k",
                            low, high, nn__onnx_constant_of(n, parts, NN_F32), r->scale,
                            r->half ? 0.5 : 0);
}

/* Returns a value of each place along an axis, for all places: (R, 1, rows, 1) or (R, 1, 1,
   columns). */
static nn_node *nn__onnx_region_axis(nn__onnx_node *n, nn_node *places, int axis) {
    const nn_shape shape = nn_node_shape(places);
    int32_t extents[4];
    extents[0] = shape.extent[0];
    extents[1] = 1;
    extents[2] = axis == 0 ? shape.extent[1] : 1;
    extents[3] = axis == 0 ? 1 : shape.extent[1];
    return nn__onnx_shaped(n, places, 4, extents);
}

/* Samples the images (R, C, H, W) at rows and columns from -1 to 1. */
static nn_node *nn__onnx_sampled(nn__onnx_node *n, const nn__onnx_regions *r, nn_node *x,
                                 nn_node *const *places, nn_grid_mode mode) {
    nn_grid_sample_desc desc;
    nn_node *parts[2];
    nn_nodes list;
    nn_shape all;
    memset(&desc, 0, sizeof desc);
    memset(&all, 0, sizeof all);
    all.rank = 4;
    all.extent[0] = nn_node_shape(r->rois).extent[0];
    all.extent[1] = 1;
    all.extent[2] = r->size[0] * r->ratio;
    all.extent[3] = r->size[1] * r->ratio;
    for (int axis = 0; axis < 2; axis++)
        parts[1 - axis] = nn_expand_at(n->site, n->net, places[axis], all);
    list.node = parts;
    list.count = 2;
    desc.mode = mode;
    desc.padding_mode = NN_GRID_BORDER;
    desc.align_corners = true;
    return nn_grid_sample_at(
        n->site, n->net, x,
        nn_squeeze_at(n->site, n->net, nn_stack_at(n->site, n->net, list, 4), nn__onnx_one_axis(1)),
        &desc);
}

/* Returns the largest of the four pixels around each place, each times its weight in the bilinear
   sum, as the mode max is defined. places: in pixels, within the image. */
static nn_node *nn__onnx_largest_corner(nn__onnx_node *n, const nn__onnx_regions *r, nn_node *x,
                                        nn_node *const *places) {
    static const char *const pixel[2] = {"x: floor(x) * q - 1", "x: min(floor(x) + 1, p) * q - 1"},
                             *const weight[2] = {"x: 1 - (x - floor(x))", "x: x - floor(x)"};
    nn_node *largest = NULL;
    for (int corner = 0; corner < 4; corner++) {
        nn_node *at[2], *value = NULL;
        for (int axis = 0; axis < 2; axis++) {
            const double last = r->picture[axis] - 1;
            at[axis] = nn__onnx_express(n, pixel[corner >> axis & 1], places[axis], NULL, NULL,
                                        last, last > 0 ? 2 / last : 0);
        }
        value = nn__onnx_sampled(n, r, x, at, NN_GRID_NEAREST);
        for (int axis = 0; axis < 2; axis++)
            value = nn_multiply_at(
                n->site, n->net, value,
                nn__onnx_express(n, weight[corner >> axis & 1], places[axis], NULL, NULL, 0, 0));
        largest = largest ? nn_maximum_at(n->site, n->net, largest, value) : value;
    }
    return largest;
}

/* Samples the images; what lies more than a pixel outside is 0. */
static nn_node *nn__onnx_sample_regions(nn__onnx_node *n, const nn__onnx_regions *r, nn_node *x) {
    nn_node *inside = NULL, *places[2];
    for (int axis = 0; axis < 2; axis++) {
        const double last = r->picture[axis] - 1;
        nn_node *place = nn__onnx_region_axis(n, nn__onnx_region_places(n, r, axis), axis), *within;
        within =
            nn__onnx_express(n, "x: x >= q && x <= p", place, NULL, NULL, r->picture[axis], -1);
        inside = inside ? nn_multiply_at(n->site, n->net, inside, within) : within;
        places[axis] = nn__onnx_express(
            n, r->largest ? "x: clamp(x, 0, p)" : "x: clamp(x, 0, p) * q - 1", place, NULL, NULL,
            last, last > 0 ? 2 / last : 0);
    }
    x = r->largest ? nn__onnx_largest_corner(n, r, x, places)
                   : nn__onnx_sampled(n, r, x, places, NN_GRID_BILINEAR);
    return nn_multiply_at(n->site, n->net, x, inside);
}

static void nn__onnx_map_roi_align(nn__onnx_node *n) {
    const nn_shape x = nn__onnx_shape(n, 0);
    const char *before = n->opset < 16 ? "output_half_pixel" : "half_pixel";
    nn__onnx_regions r;
    nn_pool2d_desc pool;
    nn_node *y;
    memset(&r, 0, sizeof r);
    memset(&pool, 0, sizeof pool);
    r.rois = nn__onnx_x(n, 1);
    r.size[0] = (int32_t)nn__onnx_int(n, "output_height", 1);
    r.size[1] = (int32_t)nn__onnx_int(n, "output_width", 1);
    r.ratio = pool.kernel = (int32_t)nn__onnx_int(n, "sampling_ratio", 0);
    r.scale = nn__onnx_float(n, "spatial_scale", 1);
    r.half = nn__onnx_is(n, "coordinate_transformation_mode", before, "half_pixel");
    r.largest = nn__onnx_is(n, "mode", "avg", "max");
    if (!r.largest && !nn__onnx_is(n, "mode", "avg", "avg")) {
        nn__onnx_refuse(n, NULL, "its mode is %q; wanted avg or max",
                        nn__onnx_string(n, "mode", "avg"));
    } else if (r.ratio < 1 || r.ratio > 64) {
        nn__onnx_refuse(n, "export it with a sampling_ratio of 1 to 64",
                        "its sampling_ratio is 0 or above 64; with 0 the number of samples depends "
                        "on each region");
    } else if (x.rank != 4 || x.extent[2] < 1 || x.extent[3] < 1 || r.size[0] < 1 ||
               r.size[1] < 1 || r.size[0] > 4096 || r.size[1] > 4096 || nn__onnx_rank(n, 1) != 2) {
        nn__onnx_refuse(n, "give the extents numbers in .extents",
                        "its image, its regions or its output have free extents");
    } else {
        r.picture[0] = x.extent[2];
        r.picture[1] = x.extent[3];
        y = nn_index_select_at(n->site, n->net, nn__onnx_x(n, 0), 0, nn__onnx_index(n, 2));
        y = nn__onnx_sample_regions(n, &r, y);
        if (r.ratio > 1)
            y = r.largest ? nn_max_pool2d_at(n->site, n->net, y, &pool)
                          : nn_avg_pool2d_at(n->site, n->net, y, &pool);
        nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
    }
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_grid(void) {
    static const nn__onnx_operator lines[] = {
        {"", "GridSample", 16, 0, nn__onnx_map_grid_sample, NULL},
        {"", "AffineGrid", 20, 0, nn__onnx_map_affine_grid, NULL},
        {"", "RoiAlign", 10, 0, nn__onnx_map_roi_align, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
