/* Made by tests/golden/catalogue/bounds.py with PyTorch 2.15.0; not edited by hand. */

static void bounds_relu_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu(net, in[0]);
}
static void bounds_relu_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_relu(net, nn_offset(net, in[0], 0)), -0.75f);
}
static void bounds_relu_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu(net, in[0]);
}
static void bounds_relu_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_relu(net, nn_offset(net, in[0], 0)), -0.75f);
}
static void bounds_relu6_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu6(net, in[0]);
}
static void bounds_relu6_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_relu6(net, nn_offset(net, in[0], 0)), -0.75f);
}
static void bounds_relu6_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu6(net, in[0]);
}
static void bounds_relu6_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_relu6(net, nn_offset(net, in[0], 0)), -0.75f);
}
static void bounds_hardtanh_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardtanh(net, in[0], NULL);
}
static void bounds_hardtanh_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_hardtanh(net, nn_offset(net, in[0], 0), NULL), -0.75f);
}
static void bounds_hardtanh_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardtanh(net, in[0], NULL);
}
static void bounds_hardtanh_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_hardtanh(net, nn_offset(net, in[0], 0), NULL), -0.75f);
}
static void bounds_hardsigmoid_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardsigmoid(net, in[0]);
}
static void bounds_hardsigmoid_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_hardsigmoid(net, nn_offset(net, in[0], 0)), -0.75f);
}
static void bounds_hardsigmoid_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardsigmoid(net, in[0]);
}
static void bounds_hardsigmoid_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_hardsigmoid(net, nn_offset(net, in[0], 0)), -0.75f);
}
static void bounds_hardswish_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardswish(net, in[0]);
}
static void bounds_hardswish_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_hardswish(net, nn_offset(net, in[0], 0)), -0.75f);
}
static void bounds_softshrink_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softshrink(net, in[0], NULL);
}
static void bounds_softshrink_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_softshrink(net, nn_offset(net, in[0], 0), NULL), -0.75f);
}
static void bounds_softshrink_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softshrink(net, in[0], NULL);
}
static void bounds_softshrink_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_softshrink(net, nn_offset(net, in[0], 0), NULL), -0.75f);
}
static void bounds_hardshrink_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardshrink(net, in[0], NULL);
}
static void bounds_hardshrink_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_hardshrink(net, nn_offset(net, in[0], 0), NULL), -0.75f);
}
static void bounds_hardshrink_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardshrink(net, in[0], NULL);
}
static void bounds_hardshrink_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_hardshrink(net, nn_offset(net, in[0], 0), NULL), -0.75f);
}
static void bounds_threshold_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_threshold(net, in[0], 0.25f, -3);
}
static void bounds_threshold_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_threshold(net, nn_offset(net, in[0], 0), 0.25f, -3), -0.75f);
}
static void bounds_threshold_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_threshold(net, in[0], 0.25f, -3);
}
static void bounds_threshold_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_threshold(net, nn_offset(net, in[0], 0), 0.25f, -3), -0.75f);
}
static void bounds_clamp_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp(net, in[0], -1, 0.5f);
}
static void bounds_clamp_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_clamp(net, nn_offset(net, in[0], 0), -1, 0.5f), -0.75f);
}
static void bounds_clamp_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp(net, in[0], -1, 0.5f);
}
static void bounds_clamp_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_clamp(net, nn_offset(net, in[0], 0), -1, 0.5f), -0.75f);
}
static void bounds_clamp_min_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_min(net, in[0], 0.5f);
}
static void bounds_clamp_min_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_clamp_min(net, nn_offset(net, in[0], 0), 0.5f), -0.75f);
}
static void bounds_clamp_min_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_min(net, in[0], 0.5f);
}
static void bounds_clamp_min_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_clamp_min(net, nn_offset(net, in[0], 0), 0.5f), -0.75f);
}
static void bounds_clamp_max_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_max(net, in[0], 0.5f);
}
static void bounds_clamp_max_nan_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_clamp_max(net, nn_offset(net, in[0], 0), 0.5f), -0.75f);
}
static void bounds_clamp_max_bounds(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_max(net, in[0], 0.5f);
}
static void bounds_clamp_max_bounds_chain(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_clamp_max(net, nn_offset(net, in[0], 0), 0.5f), -0.75f);
}

enum { catalogue_bounds_sparse = 16 };

static const double catalogue_bounds_numbers[] = {
    1e301,0.375,1e301,0.09375,-0.78125,1.890625,1e301,0.375,1e301,1e301,0.375,1e301,
    -0.0703125,0.5859375,-1.41796875,1e301,-0.28125,1e301,1e302,-1e302,0,0.09375,0,0,
    1e302,0,0,-1e302,0,-1,0,0,0,-0.,-0.,-0.,1e301,0.375,1e301,0.09375,-0.78125,
    1.890625,1e301,0.375,1e301,1e301,0.375,1e301,-0.0703125,0.5859375,-1.41796875,1e301,
    -0.28125,1e301,1e302,-1e302,0,0,0,0,6,0,0,-1e302,0,6,0,0,0,-0.,-0.,-4.5,
    1e301,0.375,1e301,0.09375,-0.78125,1.890625,1e301,0.375,1e301,1e301,0.375,1e301,
    -0.0703125,0.5859375,-1.41796875,1e301,-0.28125,1e301,1e302,-1e302,-1,0,0,0,1,-1,
    -1,-1e302,-1,1,0,0,0,0.75,0.75,-0.75,1e301,0.375,1e301,0,-0.130208337,0,1e301,
    0.5625,1e301,1e301,0.375,1e301,0,0.0976562529,0,1e301,-0.421875,1e301,1e302,-1e302,
    -3,0,0,0,1,0,0,-1e302,-3,3,0,0,0,-0.,-0.,-0.75,1e302,-1e302,-3,0.09375,0,
    0,1e302,1e301,-0.,-1e302,-3,3,0,0,-1.41796875,1e301,0,-2.25,1e301,0.375,1e301,
    0.09375,0,1.890625,1e301,0,1e301,1e301,0.375,1e301,-0.0703125,0,-1.41796875,1e301,
    -0.,1e301,1e302,-1e302,-0.5,0.09375,-0.78125,0,1e302,-1e302,-0.,-1e302,-0.5,0.5,
    -0.0703125,0,0,1e302,0,-0.,1e301,0.375,1e301,0.09375,0,1.890625,1e301,0,1e301,
    1e301,0.375,1e301,-0.0703125,0,-1.41796875,1e301,-0.,1e301,1e302,-1e302,-0.5,
    0.09375,-0.78125,0,1e302,-1e302,0,-1e302,-0.5,0.5,-0.0703125,0,0,1e302,-0.,-0.,
    1e301,0.375,1e301,0.09375,-0.78125,1.890625,1e301,0.375,1e301,1e301,0.375,1e301,
    -0.0703125,0.5859375,-1.41796875,1e301,-0.28125,1e301,1e302,-1e302,0.25,0.09375,0,0,
    1e302,-3,-3,-1e302,0.25,0.5,0,0,-1.41796875,2.25,2.25,-0.375,1e301,0.375,1e301,
    0,-0.78125,0,1e301,0.375,1e301,1e301,0.375,1e301,0,0.5859375,0,1e301,-0.28125,
    1e301,1e302,-1e302,-1,0,0,0,0.5,-1,-1,-1e302,-1,0.5,0,0,0,0.75,0.75,-0.375,
    1e301,0.375,1e301,0,0,0,1e301,0.5,1e301,1e301,0.375,1e301,0,0,0,1e301,-0.375,
    1e301,1e302,-1e302,0.5,0.09375,0,0,1e302,0.5,0.5,-1e302,0.5,1,0,0,-1.41796875,
    -0.375,-0.375,-0.75,1e301,0.375,1e301,0,-0.78125,0,1e301,0.375,1e301,1e301,0.375,
    1e301,0,0.5859375,0,1e301,-0.28125,1e301,1e302,-1e302,0.5,0,-0.78125,0,0.5,
    -1e302,0.5,-1e302,0.5,-1,-0.0703125,0,-1.41796875,1e302,-0.375,0.75};

/* name, role, kind, kind's number, seed, rank, extents, own numbers, expected, error,
   gradient, error */
static const catalogue_row catalogue_bounds_rows[] = {
    {"in0", 'x', 's', 0, 60832, 1, {3}, 0, -1, 0, 3, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 6, 0, -1, 0},
    {"in0", 'x', 's', 0, 173760, 1, {3}, 9, -1, 0, 12, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 15, 0, -1, 0},
    {"in0", 'x', 's', 0, 114224, 1, {3}, 18, -1, 0, 21, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 24, 0, -1, 0},
    {"in0", 'x', 's', 0, 256432, 1, {3}, 27, -1, 0, 30, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 33, 0, -1, 0},
    {"in0", 'x', 's', 0, 71744, 1, {3}, 36, -1, 0, 39, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 42, 0, -1, 0},
    {"in0", 'x', 's', 0, 194432, 1, {3}, 45, -1, 0, 48, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 51, 0, -1, 0},
    {"in0", 'x', 's', 0, 130480, 1, {3}, 54, -1, 0, 57, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 60, 0, -1, 0},
    {"in0", 'x', 's', 0, 282448, 1, {3}, 63, -1, 0, 66, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 69, 0, -1, 0},
    {"in0", 'x', 's', 0, 130336, 1, {3}, 72, -1, 0, 75, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 78, 0, -1, 0},
    {"in0", 'x', 's', 0, 282304, 1, {3}, 81, -1, 0, 84, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 87, 0, -1, 0},
    {"in0", 'x', 's', 0, 205104, 1, {3}, 90, -1, 0, 93, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 96, 0, -1, 0},
    {"in0", 'x', 's', 0, 386352, 1, {3}, 99, -1, 0, 102, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 105, 0, -1, 0},
    {"in0", 'x', 's', 0, 201040, 1, {3}, 108, -1, 0, 111, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 114, 0, -1, 0},
    {"in0", 'x', 's', 0, 382288, 1, {3}, 117, -1, 0, 120, 3e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 123, 0, -1, 0},
    {"in0", 'x', 's', 0, 291840, 1, {3}, 126, -1, 0, 129, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 132, 0, -1, 0},
    {"in0", 'x', 's', 0, 502368, 1, {3}, 135, -1, 0, 138, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 141, 0, -1, 0},
    {"in0", 'x', 's', 0, 234896, 1, {3}, 144, -1, 0, 147, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 150, 0, -1, 0},
    {"in0", 'x', 's', 0, 425904, 1, {3}, 153, -1, 0, 156, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 159, 0, -1, 0},
    {"in0", 'x', 's', 0, 178720, 1, {3}, 162, -1, 0, 165, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 168, 0, -1, 0},
    {"in0", 'x', 's', 0, 350208, 1, {3}, 171, -1, 0, 174, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 177, 0, -1, 0},
    {"in0", 'x', 's', 0, 264176, 1, {3}, 180, -1, 0, 183, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 186, 0, -1, 0},
    {"in0", 'x', 's', 0, 464944, 1, {3}, 189, -1, 0, 192, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 195, 0, -1, 0},
    {"in0", 'x', 's', 0, 177648, 1, {3}, 198, -1, 0, 201, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 204, 0, -1, 0},
    {"in0", 'x', 's', 0, 349136, 1, {3}, 207, -1, 0, 210, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 213, 0, -1, 0},
    {"in0", 'x', 's', 0, 263104, 1, {3}, 216, -1, 0, 219, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 222, 0, -1, 0},
    {"in0", 'x', 's', 0, 463872, 1, {3}, 225, -1, 0, 228, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 231, 0, -1, 0},
    {"in0", 'x', 's', 0, 153024, 1, {3}, 234, -1, 0, 237, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 240, 0, -1, 0},
    {"in0", 'x', 's', 0, 314752, 1, {3}, 243, -1, 0, 246, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 249, 0, -1, 0},
    {"in0", 'x', 's', 0, 233136, 1, {3}, 252, -1, 0, 255, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 258, 0, -1, 0},
    {"in0", 'x', 's', 0, 424144, 1, {3}, 261, -1, 0, 264, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 267, 0, -1, 0},
    {"in0", 'x', 's', 0, 75328, 1, {3}, 270, -1, 0, 273, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 276, 0, -1, 0},
    {"in0", 'x', 's', 0, 198016, 1, {3}, 279, -1, 0, 282, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 285, 0, -1, 0},
    {"in0", 'x', 's', 0, 134064, 1, {3}, 288, -1, 0, 291, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 294, 0, -1, 0},
    {"in0", 'x', 's', 0, 286032, 1, {3}, 297, -1, 0, 300, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 303, 0, -1, 0},
    {"in0", 'x', 's', 0, 152304, 1, {3}, 306, -1, 0, 309, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 312, 0, -1, 0},
    {"in0", 'x', 's', 0, 314032, 1, {3}, 315, -1, 0, 318, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 321, 0, -1, 0},
    {"in0", 'x', 's', 0, 232416, 1, {3}, 324, -1, 0, 327, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 330, 0, -1, 0},
    {"in0", 'x', 's', 0, 423424, 1, {3}, 333, -1, 0, 336, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 339, 0, -1, 0},
    {"in0", 'x', 's', 0, 152720, 1, {3}, 342, -1, 0, 345, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 348, 0, -1, 0},
    {"in0", 'x', 's', 0, 314448, 1, {3}, 351, -1, 0, 354, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 357, 0, -1, 0},
    {"in0", 'x', 's', 0, 232832, 1, {3}, 360, -1, 0, 363, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 366, 0, -1, 0},
    {"in0", 'x', 's', 0, 423840, 1, {3}, 369, -1, 0, 372, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 375, 0, -1, 0},
};

static const catalogue_case catalogue_bounds_cases[] = {
    {"relu_nan", bounds_relu_nan, 0, 2, CATALOGUE_BOTH, false},
    {"relu_nan_chain", bounds_relu_nan_chain, 2, 2, CATALOGUE_BOTH, false},
    {"relu_bounds", bounds_relu_bounds, 4, 2, CATALOGUE_BOTH, false},
    {"relu_bounds_chain", bounds_relu_bounds_chain, 6, 2, CATALOGUE_BOTH, false},
    {"relu6_nan", bounds_relu6_nan, 8, 2, CATALOGUE_BOTH, false},
    {"relu6_nan_chain", bounds_relu6_nan_chain, 10, 2, CATALOGUE_BOTH, false},
    {"relu6_bounds", bounds_relu6_bounds, 12, 2, CATALOGUE_BOTH, false},
    {"relu6_bounds_chain", bounds_relu6_bounds_chain, 14, 2, CATALOGUE_BOTH, false},
    {"hardtanh_nan", bounds_hardtanh_nan, 16, 2, CATALOGUE_BOTH, false},
    {"hardtanh_nan_chain", bounds_hardtanh_nan_chain, 18, 2, CATALOGUE_BOTH, false},
    {"hardtanh_bounds", bounds_hardtanh_bounds, 20, 2, CATALOGUE_BOTH, false},
    {"hardtanh_bounds_chain", bounds_hardtanh_bounds_chain, 22, 2, CATALOGUE_BOTH, false},
    {"hardsigmoid_nan", bounds_hardsigmoid_nan, 24, 2, CATALOGUE_BOTH, false},
    {"hardsigmoid_nan_chain", bounds_hardsigmoid_nan_chain, 26, 2, CATALOGUE_BOTH, false},
    {"hardsigmoid_bounds", bounds_hardsigmoid_bounds, 28, 2, CATALOGUE_BOTH, false},
    {"hardsigmoid_bounds_chain", bounds_hardsigmoid_bounds_chain, 30, 2, CATALOGUE_BOTH, false},
    {"hardswish_bounds", bounds_hardswish_bounds, 32, 2, CATALOGUE_BOTH, false},
    {"hardswish_bounds_chain", bounds_hardswish_bounds_chain, 34, 2, CATALOGUE_BOTH, false},
    {"softshrink_nan", bounds_softshrink_nan, 36, 2, CATALOGUE_BOTH, false},
    {"softshrink_nan_chain", bounds_softshrink_nan_chain, 38, 2, CATALOGUE_BOTH, false},
    {"softshrink_bounds", bounds_softshrink_bounds, 40, 2, CATALOGUE_BOTH, false},
    {"softshrink_bounds_chain", bounds_softshrink_bounds_chain, 42, 2, CATALOGUE_BOTH, false},
    {"hardshrink_nan", bounds_hardshrink_nan, 44, 2, CATALOGUE_BOTH, false},
    {"hardshrink_nan_chain", bounds_hardshrink_nan_chain, 46, 2, CATALOGUE_BOTH, false},
    {"hardshrink_bounds", bounds_hardshrink_bounds, 48, 2, CATALOGUE_BOTH, false},
    {"hardshrink_bounds_chain", bounds_hardshrink_bounds_chain, 50, 2, CATALOGUE_BOTH, false},
    {"threshold_nan", bounds_threshold_nan, 52, 2, CATALOGUE_BOTH, false},
    {"threshold_nan_chain", bounds_threshold_nan_chain, 54, 2, CATALOGUE_BOTH, false},
    {"threshold_bounds", bounds_threshold_bounds, 56, 2, CATALOGUE_BOTH, false},
    {"threshold_bounds_chain", bounds_threshold_bounds_chain, 58, 2, CATALOGUE_BOTH, false},
    {"clamp_nan", bounds_clamp_nan, 60, 2, CATALOGUE_BOTH, false},
    {"clamp_nan_chain", bounds_clamp_nan_chain, 62, 2, CATALOGUE_BOTH, false},
    {"clamp_bounds", bounds_clamp_bounds, 64, 2, CATALOGUE_BOTH, false},
    {"clamp_bounds_chain", bounds_clamp_bounds_chain, 66, 2, CATALOGUE_BOTH, false},
    {"clamp_min_nan", bounds_clamp_min_nan, 68, 2, CATALOGUE_BOTH, false},
    {"clamp_min_nan_chain", bounds_clamp_min_nan_chain, 70, 2, CATALOGUE_BOTH, false},
    {"clamp_min_bounds", bounds_clamp_min_bounds, 72, 2, CATALOGUE_BOTH, false},
    {"clamp_min_bounds_chain", bounds_clamp_min_bounds_chain, 74, 2, CATALOGUE_BOTH, false},
    {"clamp_max_nan", bounds_clamp_max_nan, 76, 2, CATALOGUE_BOTH, false},
    {"clamp_max_nan_chain", bounds_clamp_max_nan_chain, 78, 2, CATALOGUE_BOTH, false},
    {"clamp_max_bounds", bounds_clamp_max_bounds, 80, 2, CATALOGUE_BOTH, false},
    {"clamp_max_bounds_chain", bounds_clamp_max_bounds_chain, 82, 2, CATALOGUE_BOTH, false},
};
