/* ops/shuffle.c - pixel and channel shuffles: a reshape that separates the axes, a permutation,
   and a reshape to the result. */
#include "ops/shuffle.h"
#include "ops/arrange.h"
#include "ops/private.h"

typedef struct nn__op_shuffled {
    nn_shape wide, y;
    nn_axes order; /* of wide */
} nn__op_shuffled;

static bool nn__op_shuffle_divides(nn__problem *problem, nn_shape x, int axis, const char *field,
                                   int by, int square) {
    char text[NN__SHAPE_TEXT];
    nn__format_shape(x, text, sizeof text);
    if (nn__is_symbolic(x.extent[axis]))
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("give it a fixed extent"),
                               NN__TEXT("axis %d of %s is cut by %s and depends on the %s"), axis,
                               text, field, nn__free_words(x.extent[axis]));
    if (x.extent[axis] % (by * square) == 0) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("make it a multiple"),
                           NN__TEXT("axis %d of %s is no multiple of %d; %s is %d"), axis, text,
                           by * square, field, by);
}

static bool nn__op_shuffle_check(nn__inference *inference, const char *field, int number) {
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    if (x.rank < 3)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("the input %s has %d axes; %s wants at least 3"),
                               nn__format_shape(x, text, sizeof text), (int)x.rank,
                               inference->operation);
    if (number >= 1 && number <= 32767) return true;
    return nn__refuse_argument(inference->problem, field, number, "from 1 to 32767");
}

static bool nn__op_shuffle_fits(nn__inference *inference, bool fits) {
    char text[NN__SHAPE_TEXT];
    if (fits) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                           NN__TEXT("extents of %s have a product that cannot be an extent"),
                           nn__format_shape(inference->inputs[0].shape, text, sizeof text));
}

/* (B, C, i, j, H, W) <-> (B, C, H, i, W, j) */
static bool nn__op_pixels_settle(nn_shape x, int factor, bool undo, nn__op_shuffled *to) {
    const int32_t c = x.extent[x.rank - 3], h = x.extent[x.rank - 2], w = x.extent[x.rank - 1],
                  wide[2][6] = {{1, c / factor / factor, factor, factor, h, w},
                                {1, c, h / factor, factor, w / factor, factor}};
    static const int order[2][6] = {{0, 1, 4, 2, 5, 3}, {0, 1, 3, 5, 2, 4}};
    memset(to, 0, sizeof *to);
    to->wide.rank = to->order.count = 6;
    for (int i = 0; i < 6; i++) {
        to->wide.extent[i] = wide[undo][i];
        to->order.axis[i] = order[undo][i];
    }
    to->y = x;
    if (undo) {
        to->y.extent[x.rank - 2] = wide[1][2];
        to->y.extent[x.rank - 1] = wide[1][4];
        return nn__extent_multiply(c, factor * factor, &to->y.extent[x.rank - 3]) &&
               nn__fold_extents(x, 0, x.rank - 3, &to->wide.extent[0]);
    }
    to->y.extent[x.rank - 3] = wide[0][1];
    return nn__extent_multiply(h, factor, &to->y.extent[x.rank - 2]) &&
           nn__extent_multiply(w, factor, &to->y.extent[x.rank - 1]) &&
           nn__fold_extents(x, 0, x.rank - 3, &to->wide.extent[0]);
}

/* (N, g, C / g, places) to (N, C / g, g, places) */
static bool nn__op_channels_settle(nn_shape x, int groups, nn__op_shuffled *to) {
    memset(to, 0, sizeof *to);
    to->y = x;
    to->wide.rank = to->order.count = 4;
    to->wide.extent[0] = x.extent[0];
    to->wide.extent[1] = groups;
    to->wide.extent[2] = x.extent[1] / groups;
    to->order.axis[1] = 2;
    to->order.axis[2] = 1;
    to->order.axis[3] = 3;
    return nn__fold_extents(x, 2, x.rank, &to->wide.extent[3]);
}

static nn_node *nn__op_shuffle_node(nn_site site, nn_model *net, nn_node *x,
                                    const nn__op_shuffled *to) {
    x = nn_permute_at(site, net, nn_reshape_at(site, net, x, to->wide), to->order);
    return nn_reshape_at(site, net, x, to->y);
}

/* ---- the functions; params: the factor or the number of groups, an int ----------------------- */

static bool nn__op_pixel_shuffle_infer(nn__inference *inference) {
    const int factor = *(const int *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__op_shuffled to;
    return nn__op_shuffle_check(inference, "factor", factor) &&
           nn__op_shuffle_divides(inference->problem, x, x.rank - 3, "factor", factor, factor) &&
           nn__op_shuffle_fits(inference, nn__op_pixels_settle(x, factor, false, &to));
}
static bool nn__op_pixel_unshuffle_infer(nn__inference *inference) {
    const int factor = *(const int *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__op_shuffled to;
    return nn__op_shuffle_check(inference, "factor", factor) &&
           nn__op_shuffle_divides(inference->problem, x, x.rank - 2, "factor", factor, 1) &&
           nn__op_shuffle_divides(inference->problem, x, x.rank - 1, "factor", factor, 1) &&
           nn__op_shuffle_fits(inference, nn__op_pixels_settle(x, factor, true, &to));
}
static bool nn__op_channel_shuffle_infer(nn__inference *inference) {
    const int groups = *(const int *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__op_shuffled to;
    return nn__op_shuffle_check(inference, "groups", groups) &&
           nn__op_shuffle_divides(inference->problem, x, 1, "groups", groups, 1) &&
           nn__op_shuffle_fits(inference, nn__op_channels_settle(x, groups, &to));
}
static const nn__rule nn__rule_pixel_shuffle =
    NN__COMPOSED_RULE("pixel_shuffle", nn__op_pixel_shuffle_infer);
static const nn__rule nn__rule_pixel_unshuffle =
    NN__COMPOSED_RULE("pixel_unshuffle", nn__op_pixel_unshuffle_infer);
static const nn__rule nn__rule_channel_shuffle =
    NN__COMPOSED_RULE("channel_shuffle", nn__op_channel_shuffle_infer);

NN_API nn_node *nn_pixel_shuffle_at(nn_site site, nn_model *net, nn_node *x, int factor) {
    nn__op_shuffled to;
    x = nn__build_unary(site, net, &nn__rule_pixel_shuffle, NULL, x, &factor, 0);
    if (!x || x->poisoned) return x;
    nn__op_pixels_settle(x->shape, factor, false, &to);
    return nn__op_shuffle_node(site, net, x, &to);
}

NN_API nn_node *nn_pixel_unshuffle_at(nn_site site, nn_model *net, nn_node *x, int factor) {
    nn__op_shuffled to;
    x = nn__build_unary(site, net, &nn__rule_pixel_unshuffle, NULL, x, &factor, 0);
    if (!x || x->poisoned) return x;
    nn__op_pixels_settle(x->shape, factor, true, &to);
    return nn__op_shuffle_node(site, net, x, &to);
}

NN_API nn_node *nn_channel_shuffle_at(nn_site site, nn_model *net, nn_node *x, int groups) {
    nn__op_shuffled to;
    x = nn__build_unary(site, net, &nn__rule_channel_shuffle, NULL, x, &groups, 0);
    if (!x || x->poisoned) return x;
    nn__op_channels_settle(x->shape, groups, &to);
    return nn__op_shuffle_node(site, net, x, &to);
}
