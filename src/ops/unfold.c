/* ops/unfold.c - unfold is one strided copy whose axes are samples, channels, places in a
   window, and windows. fold is the same copy backwards; if windows overlap, it makes one copy
   for each place in a window and adds them. Padding is an nn_pad before, or a cut after. */
#include "ops/unfold.h"
#include "ops/arrange.h"
#include "ops/private.h"

/* The fields of both descs with defaults filled in; [0] is the height. */
typedef struct nn__op_windows {
    int32_t pieces; /* of a fold or of unfold's gradient; see NN__PIECES */
    int kernel[2], stride[2], padding[2], dilation[2];
    int out[2]; /* fold: the result's extents, including its padding */
    int said[4][3]; /* the desc's numbers in the same order, each for all axes, height, width */
    bool missing;
} nn__op_windows;

enum { NN__OP_WINDOWS_MOST = 4096 };

/* Returns the extent of the image that a window covers. */
static int64_t nn__op_windows_cover(const nn__op_windows *p, int axis) {
    return (int64_t)p->dilation[axis] * (p->kernel[axis] - 1) + 1;
}
static bool nn__op_windows_overlap(const nn__op_windows *p, int axis) {
    return nn__op_windows_cover(p, axis) > p->stride[axis];
}

/* Fills in the numbers of both axes, and checks them if `problem` is not NULL. */
static bool nn__op_windows_axes_of(nn__op_windows *p, nn__problem *problem) {
    static const char *const names[] = {"kernel", "stride", "padding", "dilation"};
    static const nn__per_axis kinds[] = {NN__PER_AXIS_KERNEL, NN__PER_AXIS_STEP,
                                         NN__PER_AXIS_PADDING, NN__PER_AXIS_STEP};
    int *to[4];
    to[0] = p->kernel, to[1] = p->stride, to[2] = p->padding, to[3] = p->dilation;
    for (int i = 0; i < 4; i++)
        if (!nn__per_axis_2d(problem, names[i], kinds[i], p->said[i][0], p->said[i][1],
                             p->said[i][2], to[i]))
            return false;
    return true;
}

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_windows_numbers(const nn__op_windows *p, nn__inference *inference) {
    nn__problem *problem = inference->problem;
    int64_t places = 1;
    if (p->missing)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give one with .kernel"),
                               NN__TEXT("desc is NULL"));
    nn__op_windows checked = *p;
    if (!nn__op_windows_axes_of(&checked, problem)) return false;
    for (int i = 0; i < 2; i++)
        if (nn__op_windows_overlap(p, i)) places *= p->kernel[i];
    if (places <= NN__OP_WINDOWS_MOST && (int64_t)p->kernel[0] * p->kernel[1] <= INT32_MAX)
        return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("a smaller kernel, or a stride that it does not exceed"),
                           NN__TEXT("a window of %d x %d places is too large; where windows "
                                    "overlap, one may have at most %d places"),
                           p->kernel[0], p->kernel[1], (int)NN__OP_WINDOWS_MOST);
}

/* Counts the windows over an image with these extents (height, width), to which padding is added
   here. */
static bool nn__op_windows_count(nn__inference *inference, const nn__op_windows *p,
                                 const int32_t *image, int32_t *columns) {
    int32_t count[2];
    int64_t has[2];
    for (int i = 0; i < 2; i++) {
        const int64_t around = 2 * (int64_t)p->padding[i];
        has[i] = image[i] + around;
        if (!nn__count_windows(image[i], around - nn__op_windows_cover(p, i), p->stride[i],
                               &count[i]))
            return nn__problem_set(
                inference->problem, NN_ERROR_SHAPE,
                NN__TEXT("a smaller kernel or dilation, or more padding; an extent that is free "
                         "needs a stride that divides it"),
                NN__TEXT("windows cover %lld x %lld places and do not fit into the image with its "
                         "padding"),
                (long long)nn__op_windows_cover(p, 0), (long long)nn__op_windows_cover(p, 1));
    }
    if (has[0] <= INT32_MAX / 2 && has[1] <= INT32_MAX / 2 &&
        nn__extent_multiply(count[0], count[1], columns))
        return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("a smaller image, less "
                                                                        "padding, or a larger "
                                                                        "stride"),
                           NN__TEXT("an image of %lld x %lld with its padding has more windows or "
                                    "places than an extent can hold"),
                           (long long)has[0], (long long)has[1]);
}

static bool nn__op_windows_unfold_infer(nn__inference *inference) {
    const nn__op_windows *p = (const nn__op_windows *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__type *y = &inference->outputs[0];
    char name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    if (!nn__op_windows_numbers(p, inference) ||
        !nn__want_image(inference->problem, inference->operation, source, x, 4) ||
        (nn__is_symbolic(x.extent[1]) &&
         !nn__want_image(inference->problem, inference->operation, source, x, 1)))
        return false;
    *y = inference->inputs[0];
    memset(&y->shape, 0, sizeof y->shape);
    y->shape.rank = 3;
    y->shape.extent[0] = x.extent[0];
    if (!nn__op_windows_count(inference, p, x.extent + 2, &y->shape.extent[2])) return false;
    if (nn__extent_multiply(x.extent[1], p->kernel[0] * p->kernel[1], &y->shape.extent[1]) &&
        nn__free_extents(y->shape, NN__OF_BATCH) < 2)
        return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("a smaller kernel"),
                           NN__TEXT("%d channels of %d x %d places are more than an extent "
                                    "holds, or two extents of the result would depend on the "
                                    "batch"),
                           (int)x.extent[1], p->kernel[0], p->kernel[1]);
}

static bool nn__op_windows_fold_infer(nn__inference *inference) {
    const nn__op_windows *p = (const nn__op_windows *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    nn__type *y = &inference->outputs[0];
    char text[NN__SHAPE_TEXT];
    int32_t columns, image[2];
    if (!nn__want_dtype(problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32) ||
        !nn__op_windows_numbers(p, inference))
        return false;
    for (int i = 0; i < 2; i++) {
        image[i] = p->out[i];
        if (image[i] < 1)
            return nn__refuse_number(problem, i ? "out_w" : "out_h", image[i], "at least 1");
    }
    if (!nn__op_windows_count(inference, p, image, &columns)) return false;
    const int places = p->kernel[0] * p->kernel[1];
    nn__format_shape(x, text, sizeof text);
    if (x.rank != 3 || nn__is_symbolic(x.extent[1]) || x.extent[1] % places ||
        x.extent[2] != columns)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_unfold gives this shape"),
                               NN__TEXT("%s is %s; wanted (N, a multiple of the %d places of a "
                                        "window, %d windows of an image of %d x %d)"),
                               inference->roles[0], text, places, (int)columns, p->out[0],
                               p->out[1]);
    y->dtype = NN_F32;
    memset(&y->shape, 0, sizeof y->shape);
    y->shape.rank = 4;
    y->shape.extent[0] = x.extent[0];
    y->shape.extent[1] = x.extent[1] / places;
    for (int i = 0; i < 2; i++) y->shape.extent[2 + i] = p->out[i] + 2 * p->padding[i];
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Computes the axes of one piece that covers everything, and its strides in the padded image and in
   the columns. */
static void nn__op_windows_axes(const nn__op_windows *p, nn_shape image, int32_t *extent,
                                int64_t *of_image, int64_t *of_columns) {
    const int64_t height = image.extent[2], width = image.extent[3];
    int64_t step = 1;
    extent[0] = image.extent[0];
    extent[1] = image.extent[1];
    of_image[0] = image.extent[1] * height * width;
    of_image[1] = height * width;
    for (int i = 0; i < 2; i++) {
        const int64_t row = i ? 1 : width;
        extent[2 + i] = p->kernel[i];
        extent[4 + i] =
            (int32_t)((image.extent[2 + i] - nn__op_windows_cover(p, i)) / p->stride[i]) + 1;
        of_image[2 + i] = p->dilation[i] * row;
        of_image[4 + i] = p->stride[i] * row;
    }
    for (int i = NN_COPY_AXES - 1; i >= 0; step *= extent[i--]) of_columns[i] = step;
}

static void nn__op_windows_take(const nn_node *node, const nn__lowering *lowering,
                                nn__args *arguments) {
    nn_strided_copy_args *args = &arguments->strided_copy;
    nn_copy_piece *piece = (nn_copy_piece *)lowering->pieces;
    memset(args, 0, sizeof *args);
    memset(piece, 0, sizeof *piece);
    nn__op_windows_axes((const nn__op_windows *)node->params, lowering->inputs[0].shape,
                        piece->extent, piece->x_stride, piece->y_stride);
    piece->x = lowering->inputs[0];
    args->y = lowering->output;
    args->pieces = piece;
    args->count = 1;
}

static void nn__op_windows_put(const nn_node *node, const nn__lowering *lowering,
                               nn__args *arguments) {
    const nn__op_windows *p = (const nn__op_windows *)node->params;
    nn_strided_copy_args *args = &arguments->strided_copy;
    nn_copy_piece *pieces = (nn_copy_piece *)lowering->pieces, whole;
    int count[2];
    memset(&whole, 0, sizeof whole);
    nn__op_windows_axes(p, lowering->output.shape, whole.extent, whole.y_stride, whole.x_stride);
    whole.x = lowering->inputs[0];
    for (int i = 0; i < 2; i++) count[i] = nn__op_windows_overlap(p, i) ? p->kernel[i] : 1;
    for (int i = 0; i < count[0] * count[1]; i++) {
        const int at[2] = {i / count[1], i % count[1]};
        pieces[i] = whole;
        for (int k = 0; k < 2; k++) {
            if (count[k] > 1) pieces[i].extent[2 + k] = 1;
            pieces[i].x_first += at[k] * whole.x_stride[2 + k];
            pieces[i].y_first += at[k] * whole.y_stride[2 + k];
        }
    }
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->pieces = pieces;
    args->count = count[0] * count[1];
    args->fill = true;
    args->accumulate = args->count > 1;
}

/* ---- rules ----------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static const nn__rule nn__rule_unfold_backward = {"unfold_backward",
                                                  NN_KERNEL_STRIDED_COPY,
                                                  NN__PIECES,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_windows_put,
                                                  nn__gradient_again,
                                                  NULL,
                                                  NULL,
                                                  NULL};
static const nn__rule nn__rule_windows_fold_backward = {"fold_backward",
                                                        NN_KERNEL_STRIDED_COPY,
                                                        0,
                                                        NN_ACTIVATION_NONE,
                                                        nn__op_windows_take,
                                                        nn__gradient_again,
                                                        NULL,
                                                        NULL,
                                                        NULL};

static void nn__op_windows_give(nn__tape *tape, nn_node *node, nn_node *dy, const nn__rule *rule) {
    nn_node *x = node->inputs[0];
    if (nn__wants(x))
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, rule, x, ".grad", &dy, 1, NN_F32, x->shape,
                                        node->params, sizeof(nn__op_windows)));
}
/* Taking windows and putting them back are each other's transposes. */
static void nn__op_windows_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_windows_give(tape, node, dy,
                        node->rule == &nn__rule_unfold_backward ? &nn__rule_windows_fold_backward
                                                                : &nn__rule_unfold_backward);
}
static void nn__op_windows_unfold_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    tape->nn->again[NN__AGAIN_WINDOWS] = nn__op_windows_again;
    nn__op_windows_give(tape, node, dy, &nn__rule_unfold_backward);
}
static void nn__op_windows_fold_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    tape->nn->again[NN__AGAIN_WINDOWS] = nn__op_windows_again;
    nn__op_windows_give(tape, node, dy, &nn__rule_windows_fold_backward);
}
#endif

static const nn__rule nn__rule_unfold = {"unfold",
                                         NN_KERNEL_STRIDED_COPY,
                                         NN__DYNAMIC | NN__ANY_DTYPE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_windows_take,
                                         NN__GRADIENT(nn__op_windows_unfold_gradient),
                                         NULL,
                                         nn__op_windows_unfold_infer,
                                         NULL};
static const nn__rule nn__rule_windows_fold = {"fold",
                                               NN_KERNEL_STRIDED_COPY,
                                               NN__DYNAMIC | NN__PIECES,
                                               NN_ACTIVATION_NONE,
                                               nn__op_windows_put,
                                               NN__GRADIENT(nn__op_windows_fold_gradient),
                                               NULL,
                                               nn__op_windows_fold_infer,
                                               NULL};
static const nn__rule nn__rule_unfold_padded =
    NN__COMPOSED_RULE("unfold", nn__op_windows_unfold_infer);

/* ---- builders -------------------------------------------------------------------------------- */

/* Copies the fields that both descs have. */
#define NN__OP_WINDOWS_FIELDS(p, desc)                                                             \
    do {                                                                                           \
        const int said[4][3] = {{(desc)->kernel, (desc)->kernel_h, (desc)->kernel_w},              \
                                {(desc)->stride, (desc)->stride_h, (desc)->stride_w},              \
                                {(desc)->padding, (desc)->padding_h, (desc)->padding_w},           \
                                {(desc)->dilation, (desc)->dilation_h, (desc)->dilation_w}};       \
        memcpy((p).said, said, sizeof said);                                                       \
        (p).missing = false;                                                                       \
        nn__op_windows_axes_of(&(p), NULL);                                                        \
    } while (0)

/* Returns the number of pieces: one for each place in a window, counting only the axes along which
   windows overlap. The result is clamped, because the desc is not checked yet. */
static int32_t nn__op_windows_pieces(const nn__op_windows *p) {
    int64_t count = 1;
    for (int i = 0; i < 2; i++)
        if (p->kernel[i] > 1 && p->kernel[i] <= NN__OP_WINDOWS_MOST && nn__op_windows_overlap(p, i))
            count *= p->kernel[i];
    return (int32_t)nn__min64(count, NN__OP_WINDOWS_MOST);
}

/* Pads all sides of x by `sign` times the padding. */
static nn_node *nn__op_windows_pad(nn_site site, nn_model *net, nn_node *x, const nn__op_windows *p,
                                   int sign) {
    nn_pad_desc pad;
    if (!p->padding[0] && !p->padding[1]) return x;
    memset(&pad, 0, sizeof pad);
    pad.top = pad.bottom = sign * p->padding[0];
    pad.left = pad.right = sign * p->padding[1];
    return nn_pad_at(site, net, x, &pad);
}

NN_API nn_node *nn_unfold_at(nn_site site, nn_model *net, nn_node *x, const nn_unfold_desc *desc) {
    nn__op_windows p;
    memset(&p, 0, sizeof p);
    p.missing = true;
    if (desc) NN__OP_WINDOWS_FIELDS(p, desc);
    p.pieces = nn__op_windows_pieces(&p);
    if (p.padding[0] || p.padding[1]) {
        x = nn__build_unary(site, net, &nn__rule_unfold_padded, NULL, x, &p, 0);
        if (!x || x->poisoned) return x;
        x = nn__op_windows_pad(site, net, x, &p, 1);
        p.padding[0] = p.padding[1] = 0;
    }
    return nn__build_unary(site, net, &nn__rule_unfold, nn__install_strided_copy, x, &p, sizeof p);
}

NN_API nn_node *nn_fold_at(nn_site site, nn_model *net, nn_node *x, const nn_fold_desc *desc) {
    nn__op_windows p;
    memset(&p, 0, sizeof p);
    p.missing = true;
    if (desc) {
        NN__OP_WINDOWS_FIELDS(p, desc);
        p.out[0] = desc->out_h;
        p.out[1] = desc->out_w;
    }
    p.pieces = nn__op_windows_pieces(&p);
    x = nn__build_unary(site, net, &nn__rule_windows_fold, nn__install_strided_copy, x, &p,
                        sizeof p);
    if (!x || x->poisoned) return x;
    return nn__op_windows_pad(site, net, x, &p, -1);
}
#undef NN__OP_WINDOWS_FIELDS
