/* onnx/map_resize.c - Resize and Upsample in all their versions. What PyTorch has is nn_resize; all
   else is resampled one axis after the other. */
#include "onnx/resample.h"

typedef struct nn__onnx_resize {
    nn_shape shape; /* of x */
    nn__onnx_resample axes[NN_MAX_RANK];
    bool changed[NN_MAX_RANK], by_size; /* by_size: sizes were given, not scales */
} nn__onnx_resize;

static bool nn__onnx_resize_mode(nn__onnx_node *n, nn__onnx_resample *r) {
    static const char *const places[] = {
        "half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn",
        "align_corners", "asymmetric",           "tf_crop_and_resize"};
    static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                            "ceil"};
    const bool old = n->opset < 11;
    const char *place =
        nn__onnx_string(n, "coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
    const char *rounding = nn__onnx_string(n, "nearest_mode", old ? "floor" : "round_prefer_floor");
    const char *mode = nn__onnx_string(n, "mode", "nearest");
    int i = 0, k = 0;
    while (i < 7 && strcmp(places[i], place) != 0) i++;
    while (k < 4 && strcmp(roundings[k], rounding) != 0) k++;
    if (i == 7 || k == 4)
        return nn__onnx_refuse(n, NULL, "its mode %q is not supported",
                               i == 7 ? place : rounding);
    if (strcmp(mode, "nearest") != 0 && strcmp(mode, "cubic") != 0 &&
        strcmp(mode, "linear") != 0 && strcmp(mode, "bilinear") != 0)
        return nn__onnx_refuse(n, NULL, "its mode %q is not supported", mode);
    r->places = (nn__onnx_places)i;
    r->rounding = (nn__onnx_rounding)k;
    r->kernel = strcmp(mode, "nearest") == 0 ? NN__ONNX_NEAREST
                : strcmp(mode, "cubic") == 0 ? NN__ONNX_CUBIC
                                             : NN__ONNX_LINEAR;
    r->cubic = nn__onnx_float(n, "cubic_coeff_a", -0.75);
    r->antialias = nn__onnx_int(n, "antialias", 0) != 0;
    r->exclude = nn__onnx_int(n, "exclude_outside", 0) != 0;
    r->scale = 1;
    return true;
}

/* Sets an axis by its scale. out: what sizes say; 0: they say nothing. */
static bool nn__onnx_set_scale(nn__onnx_node *n, nn__onnx_resize *z, int axis, double scale,
                               int32_t out) {
    nn__onnx_resample *r = &z->axes[axis];
    uint8_t powers;
    const int64_t number = nn__onnx_split_extent(z->shape.extent[axis], &powers);
    const double exact = (double)((float)number * (float)scale); /* computed as onnxruntime does */
    if (!(scale > 0) || exact > INT32_MAX)
        return nn__onnx_refuse(n, NULL, "one of its scales is not a number above 0");
    r->scale = scale;
    if (n->opset < 11 && scale < 1) r->rounding = NN__ONNX_CEIL; /* onnxruntime's meaning */
    if (powers && scale != 1 && exact != floor(exact))
        return nn__onnx_refuse(n, "give that extent a number in .extents",
                               "the new size depends on a free extent");
    r->out = out ? out : nn__onnx_join_extent((int64_t)floor(exact), powers);
    z->changed[axis] = r->out != r->extent || r->places == NN__ONNX_CROP;
    if (r->out == 0) return nn__onnx_refuse(n, NULL, "its output has an extent of 0");
    return true;
}

/* Reads the sizes of `count` axes. With keep_aspect_ratio_policy there is one scale for all. */
static bool nn__onnx_read_sizes(nn__onnx_node *n, nn__onnx_resize *z, const int32_t *which,
                                int count) {
    const char *policy = nn__onnx_string(n, "keep_aspect_ratio_policy", "stretch");
    const bool stretch = strcmp(policy, "stretch") == 0;
    const bool larger = strcmp(policy, "not_smaller") == 0;
    int32_t sizes[NN_MAX_RANK];
    double ratios[NN_MAX_RANK], one = 0;
    if (nn__onnx_extents(n, 3, "sizes", sizes, NULL, NN_MAX_RANK) != count)
        return nn__onnx_refuse(n, NULL, "its sizes does not have one number for each axis");
    for (int i = 0; i < count; i++) {
        uint8_t a, b;
        const double out = (double)nn__onnx_split_extent(sizes[i], &a);
        const double extent = (double)nn__onnx_split_extent(z->shape.extent[which[i]], &b);
        if (a != b)
            return nn__onnx_refuse(
                n, "give that extent a number in .extents",
                "one of its sizes is not a multiple of the free extent that it replaces");
        ratios[i] = out / extent;
        if (i == 0 || (larger ? ratios[i] > one : ratios[i] < one)) one = ratios[i];
    }
    z->by_size = stretch;
    for (int i = 0; i < count; i++) {
        const int32_t extent = z->shape.extent[which[i]];
        const int32_t out = stretch || extent < 0 ? sizes[i] : (int32_t)floor(extent * one + 0.5);
        if (!nn__onnx_set_scale(n, z, which[i], stretch ? ratios[i] : one, out)) return false;
    }
    return true;
}

static bool nn__onnx_read_scales(nn__onnx_node *n, nn__onnx_resize *z, const int32_t *which,
                                 int count) {
    const bool upsample = strcmp(n->op->type, "Upsample") == 0;
    const int operand = upsample || n->opset < 11 ? 1 : 2;
    const nn__onnx_attribute *list = nn__onnx_attribute_of(n, "scales");
    const nn__onnx_tensor *known =
        list && list->reals ? NULL : nn__onnx_numbers(n, operand, "scales");
    const uint64_t found = known ? known->count : list ? list->count : 0;
    if (n->refused) return false;
    if (found != (uint64_t)count || (known && !known->data))
        return nn__onnx_refuse(n, NULL, "its scales does not have one number for each axis");
    for (int i = 0; i < count; i++)
        if (!nn__onnx_set_scale(n, z, which[i],
                                known ? nn__onnx_real(known, (uint64_t)i) : list->reals[i], 0))
            return false;
    return true;
}

static bool nn__onnx_read_resize(nn__onnx_node *n, nn__onnx_resize *z) {
    const nn__onnx_tensor *region;
    int32_t which[NN_MAX_RANK];
    int count = nn__onnx_ints(n, "axes", which, NN_MAX_RANK);
    memset(z, 0, sizeof *z);
    z->shape = nn__onnx_shape(n, 0);
    if (count == -2 || !nn__onnx_resize_mode(n, &z->axes[0])) return false;
    for (int i = 0; i < z->shape.rank; i++) {
        z->axes[i] = z->axes[0];
        z->axes[i].extent = z->axes[i].out = z->shape.extent[i];
        z->axes[i].end = 1;
        if (count < 0) which[i] = i;
    }
    if (count < 0) count = z->shape.rank;
    for (int i = 0; i < count; i++) {
        if (which[i] < 0) which[i] += z->shape.rank;
        if (which[i] < 0 || which[i] >= z->shape.rank)
            return nn__onnx_refuse(n, NULL, "one of its axes is out of range");
    }
    if (z->axes[0].places == NN__ONNX_CROP) {
        region = nn__onnx_numbers(n, 1, "roi");
        if (!region) return false;
        if (region->count != 2 * (uint64_t)count || !region->data)
            return nn__onnx_refuse(n, NULL, "its roi does not have two numbers for each axis");
        for (int i = 0; i < count; i++) {
            z->axes[which[i]].begin = nn__onnx_real(region, (uint64_t)i);
            z->axes[which[i]].end = nn__onnx_real(region, (uint64_t)(i + count));
        }
    }
    return n->opset >= 11 && nn__onnx_has(n, 3) && nn__onnx_rank(n, 3) == 1 &&
                   nn__onnx_shape(n, 3).extent[0] > 0
               ? nn__onnx_read_sizes(n, z, which, count)
               : nn__onnx_read_scales(n, z, which, count);
}

/* ---- what PyTorch has ------------------------------------------------------------------------ */

/* True if the nearest elements are those of PyTorch's "nearest", given sizes or scales. */
static bool nn__onnx_as_nearest(const nn__onnx_resample *r, bool exact, bool by_size) {
    const float step = (float)(by_size ? (double)r->extent / r->out : 1 / r->scale);
    if (r->extent < 0) { /* whole repetitions, or whole steps */
        const bool whole = r->scale == floor(r->scale);
        if (exact || by_size) return false;
        return r->out == r->extent ||
               (r->places == NN__ONNX_ASYMMETRIC && r->rounding == NN__ONNX_FLOOR) ||
               (whole && r->places == NN__ONNX_HALF_PIXEL && r->rounding == NN__ONNX_PREFER_FLOOR);
    }
    if (r->out > (1 << 24) || (!by_size && (int32_t)(r->extent * r->scale) != r->out)) return false;
    for (int32_t i = 0; i < r->out; i++) {
        const float place = floorf(((float)i + (exact ? 0.5f : 0.0f)) * step);
        const int32_t chosen = place > (float)(r->extent - 1) ? r->extent - 1 : (int32_t)place;
        if (chosen != nn__onnx_nearest(r, i)) return false;
    }
    return true;
}

/* True if the scale makes a whole extent, so that sizes say the same. */
static bool nn__onnx_whole_scale(const nn__onnx_resample *r) {
    return r->extent > 0 && fabs(r->scale * r->extent - r->out) <= 1e-6 * r->out;
}

/* True if linear and cubic places are PyTorch's, which align the corners of the rounded size. */
static bool nn__onnx_as_torch(const nn__onnx_resample *r) {
    if (r->antialias || r->exclude) return false;
    if (r->places == NN__ONNX_HALF_PIXEL) return true;
    if (r->places == NN__ONNX_PYTORCH_HALF_PIXEL) return r->out > 1 || r->out < 0;
    return (r->places == NN__ONNX_HALF_PIXEL_SYMMETRIC || r->places == NN__ONNX_ALIGN_CORNERS) &&
           (r->extent > 0 ? nn__onnx_whole_scale(r) : r->places == NN__ONNX_ALIGN_CORNERS);
}

/* Describes nn_resize of lines and images; NULL: the operator has another meaning. */
static nn_node *nn__onnx_resize_torch(nn__onnx_node *n, const nn__onnx_resize *z, nn_node *x) {
    const nn__onnx_resample *h = &z->axes[2], *w = &z->axes[z->shape.rank == 4 ? 3 : 2];
    bool by_size = z->by_size && h->out > 0 && w->out > 0;
    nn_resize_desc desc;
    memset(&desc, 0, sizeof desc);
    if (z->shape.rank < 3 || z->shape.rank > 4 || z->changed[0] || z->changed[1]) return NULL;
    if (h->kernel == NN__ONNX_NEAREST) {
        int way = 0;
        for (; way < 4; way++)
            if (nn__onnx_as_nearest(h, way >= 2, way % 2 == 0) &&
                nn__onnx_as_nearest(w, way >= 2, way % 2 == 0))
                break;
        if (way == 4) return NULL;
        by_size = way % 2 == 0;
        desc.mode = way >= 2 ? NN_RESIZE_NEAREST_EXACT : NN_RESIZE_NEAREST;
    } else {
        if (!nn__onnx_as_torch(h) || !nn__onnx_as_torch(w)) return NULL;
        by_size = by_size || (nn__onnx_whole_scale(h) && nn__onnx_whole_scale(w));
        if (!by_size && h->extent > 0 && floor(h->extent * h->scale) != h->out) return NULL;
        if (!by_size && w->extent > 0 && floor(w->extent * w->scale) != w->out) return NULL;
        if (h->kernel == NN__ONNX_CUBIC && z->shape.rank == 3) return NULL;
        desc.mode = h->kernel == NN__ONNX_CUBIC ? NN_RESIZE_CUBIC : NN_RESIZE_LINEAR;
        desc.align_corners = h->places == NN__ONNX_ALIGN_CORNERS;
        if (h->kernel == NN__ONNX_CUBIC) desc.cubic = (float)h->cubic;
    }
    if (by_size) {
        desc.size = h->out;
        desc.size_w = w->out;
    } else {
        desc.scale_factor = h->scale;
        desc.scale_factor_w = w->scale;
    }
    return nn_resize_at(n->site, n->net, x, &desc);
}

static void nn__onnx_map_resize(nn__onnx_node *n) {
    const double beyond = nn__onnx_float(n, "extrapolation_value", 0);
    nn__onnx_resize z;
    nn_node *x, *y, *inside = NULL;
    if (!nn__onnx_read_resize(n, &z)) return;
    x = nn__onnx_x(n, 0);
    y = nn__onnx_resize_torch(n, &z, x);
    for (int i = 0; i < z.shape.rank && !y; i++) {
        if (z.changed[i] && (z.axes[i].extent < 0 || z.axes[i].out < 0)) {
            nn__onnx_refuse(n, "give that extent a number in .extents",
                            "its sampling positions depend on a free extent");
            return;
        }
        if (!z.changed[i]) continue;
        x = nn__onnx_resampled(n, x, i, &z.axes[i]);
        if (z.axes[i].places == NN__ONNX_CROP) {
            nn_node *one = nn__onnx_inside(n, z.shape.rank, i, &z.axes[i]);
            inside = inside ? nn_multiply_at(n->site, n->net, inside, one) : one;
        }
    }
    if (!y) y = x;
    if (inside) y = nn__onnx_express(n, "x, i: i > 0 ? x : p", y, inside, NULL, beyond, 0);
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_resize(void) {
    static const nn__onnx_operator lines[] = {{"", "Resize", 10, 0, nn__onnx_map_resize, NULL},
                                              {"", "Upsample", 7, 9, nn__onnx_map_resize, NULL},
                                              {"", "Upsample", 10, 10, nn__onnx_map_resize, NULL},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
