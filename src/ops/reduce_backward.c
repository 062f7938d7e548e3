/* ops/reduce_backward.c - the immediate calls for gradients of reductions: one kernel if the
   axes are the last ones, else element-wise programs and reductions, with the formulas of
   ops/reduce.c. Intermediate values are in the context's scratch. */
#include "ops/private.h"

#ifndef NN_NO_TRAINING

typedef struct nn__reduce_call {
    nn_site site;
    const char *who;
    nn_context *nn;
    nn_device device;
    nn_tensor *dx;
    const nn_tensor *dy, *x, *y;
    nn_tensor between[2]; /* scratch of dy's shape */
    nn_tensor work;       /* of x's shape: dx itself, unless gradients are added to it */
    nn_reduction reduction;
    nn_axes axes;
    double count; /* the number of elements per result, minus the correction */
    bool accumulate;
} nn__reduce_call;

/* ---- programs: inputs first; the last instruction is the result ------------------------------ */

#define NN__AT(code, a, b) {NN_CODE_##code, a, b, 0, 0.0f}
#define NN__ZERO           {NN_CODE_CONSTANT, 0, 0, 0, 0.0f}
/* dy * k */
static const nn_instruction nn__reduce_spread[] = {NN__AT(INPUT, 0, 0), NN__AT(SCALAR, 0, 0),
                                                   NN__AT(MULTIPLY, 0, 1)};
/* x, dy: x * dy * k */
static const nn_instruction nn__reduce_square[] = {NN__AT(INPUT, 0, 0), NN__AT(INPUT, 1, 0),
                                                   NN__AT(MULTIPLY, 0, 1), NN__AT(SCALAR, 0, 0),
                                                   NN__AT(MULTIPLY, 2, 3)};
/* x, y, dy: x / (y + (y == 0)) * dy */
static const nn_instruction nn__reduce_norm[] = {
    NN__AT(INPUT, 0, 0), NN__AT(INPUT, 1, 0), NN__AT(INPUT, 2, 0),  NN__ZERO,
    NN__AT(EQUAL, 1, 3), NN__AT(ADD, 1, 4),   NN__AT(DIVIDE, 0, 5), NN__AT(MULTIPLY, 6, 2)};
/* x, y, dy: exp(x - y) * dy */
static const nn_instruction nn__reduce_logsumexp[] = {
    NN__AT(INPUT, 0, 0),    NN__AT(INPUT, 1, 0), NN__AT(INPUT, 2, 0),
    NN__AT(SUBTRACT, 0, 1), NN__AT(EXP, 3, 0),   NN__AT(MULTIPLY, 4, 2)};
/* x, mean, dy: (x - mean) * dy * k */
static const nn_instruction nn__reduce_variance[] = {
    NN__AT(INPUT, 0, 0),    NN__AT(INPUT, 1, 0),  NN__AT(INPUT, 2, 0),   NN__AT(SUBTRACT, 0, 1),
    NN__AT(MULTIPLY, 3, 2), NN__AT(SCALAR, 0, 0), NN__AT(MULTIPLY, 4, 5)};
/* x, mean, dy, y: (x - mean) / (y + (y == 0)) * dy * k */
static const nn_instruction nn__reduce_deviation[] = {
    NN__AT(INPUT, 0, 0),   NN__AT(INPUT, 1, 0),    NN__AT(INPUT, 2, 0),    NN__AT(INPUT, 3, 0),
    NN__ZERO,              NN__AT(EQUAL, 3, 4),    NN__AT(ADD, 3, 5),      NN__AT(SUBTRACT, 0, 1),
    NN__AT(DIVIDE, 7, 6),  NN__AT(MULTIPLY, 8, 2), NN__AT(SCALAR, 0, 0),   NN__AT(MULTIPLY, 9, 10)};
/* x, y: x == y */
static const nn_instruction nn__reduce_equal[] = {NN__AT(INPUT, 0, 0), NN__AT(INPUT, 1, 0),
                                                  NN__AT(EQUAL, 0, 1)};
/* dy, count of equal elements: dy / count */
static const nn_instruction nn__reduce_divide_ties[] = {NN__AT(INPUT, 0, 0), NN__AT(INPUT, 1, 0),
                                                        NN__AT(DIVIDE, 0, 1)};
/* x, y, share: (x == y) * share */
static const nn_instruction nn__reduce_pick_ties[] = {NN__AT(INPUT, 0, 0), NN__AT(INPUT, 1, 0),
                                                      NN__AT(INPUT, 2, 0), NN__AT(EQUAL, 0, 1),
                                                      NN__AT(MULTIPLY, 3, 2)};
/* x: x == 0 */
static const nn_instruction nn__reduce_zero[] = {NN__AT(INPUT, 0, 0), NN__ZERO,
                                                 NN__AT(EQUAL, 0, 1)};
/* x: x + (x == 0) */
static const nn_instruction nn__reduce_no_zero[] = {NN__AT(INPUT, 0, 0), NN__ZERO,
                                                    NN__AT(EQUAL, 0, 1), NN__AT(ADD, 0, 2)};
/* x, zeros (their number), p (the product of all others), dy: p / (x + (x == 0)) * ((x == 0) ==
   zeros) * dy */
static const nn_instruction nn__reduce_others[] = {
    NN__AT(INPUT, 0, 0), NN__AT(INPUT, 1, 0),  NN__AT(INPUT, 2, 0), NN__AT(INPUT, 3, 0),
    NN__ZERO,            NN__AT(EQUAL, 0, 4),  NN__AT(ADD, 0, 5),   NN__AT(DIVIDE, 2, 6),
    NN__AT(EQUAL, 5, 1), NN__AT(MULTIPLY, 7, 8), NN__AT(MULTIPLY, 9, 3)};
#undef NN__AT
#undef NN__ZERO

/* ---- formulas -------------------------------------------------------------------------------- */

/* The tensors of a call. FIRST, SECOND and WORK are intermediate values. */
enum { NN__REDUCE_X, NN__REDUCE_Y, NN__REDUCE_DY, NN__REDUCE_FIRST, NN__REDUCE_SECOND,
       NN__REDUCE_WORK, NN__REDUCE_DX };

/* A program, or a reduction of its first input. Inputs after the last one are X and not read. */
typedef struct nn__reduce_step {
    const nn_instruction *code; /* NULL: a reduction */
    uint8_t length, reduction;
    uint8_t to, inputs, input[4];
} nn__reduce_step;

#define NN__RUN(code, to, inputs, a, b, c, d)                                                      \
    {nn__reduce_##code, NN__COUNT(nn__reduce_##code), 0, NN__REDUCE_##to, inputs,                  \
     {NN__REDUCE_##a, NN__REDUCE_##b, NN__REDUCE_##c, NN__REDUCE_##d}}
#define NN__FOLD(reduction, from, to)                                                              \
    {NULL, 0, NN_##reduction, NN__REDUCE_##to, 1, {NN__REDUCE_##from, 0, 0, 0}}
static const nn__reduce_step nn__reduce_spread_steps[] = {NN__RUN(spread, DX, 1, DY, X, X, X)};
static const nn__reduce_step nn__reduce_square_steps[] = {NN__RUN(square, DX, 2, X, DY, X, X)};
static const nn__reduce_step nn__reduce_norm_steps[] = {NN__RUN(norm, DX, 3, X, Y, DY, X)};
static const nn__reduce_step nn__reduce_logsumexp_steps[] = {
    NN__RUN(logsumexp, DX, 3, X, Y, DY, X)};
static const nn__reduce_step nn__reduce_variance_steps[] = {
    NN__FOLD(MEAN, X, FIRST), NN__RUN(variance, DX, 3, X, FIRST, DY, X)};
static const nn__reduce_step nn__reduce_deviation_steps[] = {
    NN__FOLD(MEAN, X, FIRST), NN__RUN(deviation, DX, 4, X, FIRST, DY, Y)};
/* Equal extremes share dy evenly, as in torch.amax. */
static const nn__reduce_step nn__reduce_extreme_steps[] = {
    NN__RUN(equal, WORK, 2, X, Y, X, X), NN__FOLD(SUM, WORK, FIRST),
    NN__RUN(divide_ties, SECOND, 2, DY, FIRST, X, X), NN__RUN(pick_ties, DX, 3, X, Y, SECOND, X)};
/* dy times the product of all other elements. */
static const nn__reduce_step nn__reduce_product_steps[] = {
    NN__RUN(zero, WORK, 1, X, X, X, X), NN__FOLD(SUM, WORK, FIRST),
    NN__RUN(no_zero, WORK, 1, X, X, X, X), NN__FOLD(PROD, WORK, SECOND),
    NN__RUN(others, DX, 4, X, FIRST, SECOND, DY)};
#undef NN__RUN
#undef NN__FOLD

/* k: the number of the programs; over: it is divided by the number of elements per result. */
typedef struct nn__reduce_formula {
    nn_reduction reduction;
    const nn__reduce_step *steps;
    int count;
    float k;
    bool over;
} nn__reduce_formula;

#define NN__FORMULA(reduction, name, k, over)                                                      \
    {NN_##reduction, nn__reduce_##name##_steps, NN__COUNT(nn__reduce_##name##_steps), k, over}
static const nn__reduce_formula nn__reduce_formulas[] = {
    NN__FORMULA(MEAN, spread, 1.0f, true),
    NN__FORMULA(SUM, spread, 1.0f, false),
    NN__FORMULA(SUM_OF_SQUARES, square, 2.0f, false),
    NN__FORMULA(NORM, norm, 0.0f, false),
    NN__FORMULA(LOGSUMEXP, logsumexp, 0.0f, false),
    NN__FORMULA(MAX, extreme, 0.0f, false),
    NN__FORMULA(MIN, extreme, 0.0f, false),
    NN__FORMULA(PROD, product, 0.0f, false),
    NN__FORMULA(VAR, variance, 2.0f, true),
    NN__FORMULA(STD, deviation, 1.0f, true)};
#undef NN__FORMULA

static nn_result nn__reduce_run(nn__reduce_call *c, const nn__reduce_step *step, float k) {
    nn_tensor *const made[] = {&c->between[0], &c->between[1], &c->work, c->dx};
    const nn_tensor *const all[] = {c->x, c->y, c->dy, made[0], made[1], made[2]};
    nn_tensor *to = made[step->to - NN__REDUCE_FIRST];
    nn_program_args args;
    if (!step->code)
        return nn_reduce_forward_at(c->site, to, (nn_reduction)step->reduction,
                                    all[step->input[0]], c->axes);
    memset(&args, 0, sizeof args);
    args.program.code = step->code;
    args.program.count = step->length;
    args.program.input_count = step->inputs;
    args.program.output_count = args.program.scalar_count = 1;
    args.program.output[0] = (uint8_t)(step->length - 1);
    args.scalars[0] = k;
    args.outputs[0] = to->view;
    for (int i = 0; i < step->inputs; i++) args.inputs[i] = all[step->input[i]]->view;
    args.accumulate = c->accumulate && step->to == NN__REDUCE_DX;
    return nn__run_immediate(c->site, c->who, c->nn, c->device, NN_KERNEL_POINTWISE, &args,
                             &args.scratch);
}

/* The gradient of a sum is dy, repeated for each element. */
static nn_result nn__reduce_repeat(const nn__reduce_call *c) {
    const nn_shape *x = &c->dx->view.shape, *y = &c->dy->view.shape;
    nn_strided_copy_args args;
    nn_copy_piece piece;
    int64_t to = 1, from = 1;
    memset(&args, 0, sizeof args);
    memset(&piece, 0, sizeof piece);
    for (int i = 0; i < NN_COPY_AXES; i++) piece.extent[i] = 1;
    for (int i = x->rank - 1; i >= 0; i--) {
        const int axis = NN_COPY_AXES - x->rank + i;
        piece.extent[axis] = x->extent[i];
        piece.y_stride[axis] = to;
        piece.x_stride[axis] = y->extent[i] == 1 ? 0 : from;
        to *= x->extent[i], from *= y->extent[i];
    }
    piece.x = c->dy->view;
    args.y = c->dx->view;
    args.pieces = &piece;
    args.count = 1;
    nn__install_strided_copy(c->nn);
    return nn__run_immediate(c->site, c->who, c->nn, c->device, NN_KERNEL_STRIDED_COPY, &args,
                             NULL);
}

static nn_result nn__reduce_gradient_of(nn__reduce_call *c) {
    const nn__reduce_formula *formula = nn__reduce_formulas;
    nn_result result = NN_OK;
    if (c->reduction == NN_SUM && !c->accumulate && nn__count(&c->dx->view) != 0)
        return nn__reduce_repeat(c);
    while (formula->reduction != c->reduction) formula++;
    const double all = formula->over ? (c->count > 0.0 ? c->count : 0.0) : 1.0;
    for (int i = 0; i < formula->count && result == NN_OK; i++)
        result = nn__reduce_run(c, &formula->steps[i], (float)((double)formula->k / all));
    return result;
}

/* ---- intermediate values --------------------------------------------------------------------- */

/* Makes a tensor in scratch at *offset, like another one but f32. Nobody frees it. */
static void nn__reduce_place(nn_tensor *tensor, const nn_tensor *like, const nn_view *scratch,
                             uint64_t *offset) {
    *tensor = *like;
    tensor->name = "between";
    tensor->owns = tensor->read_only = false;
    tensor->holder = NN__HELD_BY_USER;
#ifndef NN__ONE_PIECE
    tensor->slicing = NULL;
#endif
    tensor->view.handle = scratch->handle;
    tensor->view.offset = scratch->offset + *offset;
    *offset += nn__padded(tensor->bytes);
}

static nn_result nn__reduce_gradient_run(nn__reduce_call *c) {
    const bool product = c->reduction == NN_PROD,
               extreme = c->reduction == NN_MAX || c->reduction == NN_MIN,
               works = product || extreme, apart = works && c->accumulate;
    const int between = works ? 2 : c->reduction == NN_VAR || c->reduction == NN_STD ? 1 : 0;
    uint64_t offset = 0;
    nn_view scratch;
    const nn_result result =
        nn__hold_scratch(c->nn, c->device,
                         (uint64_t)between * nn__padded(c->dy->bytes) +
                             (apart ? nn__padded(c->x->bytes) : 0),
                         c->who, &scratch);
    if (result != NN_OK) return result;
    for (int i = 0; i < between; i++)
        nn__reduce_place(&c->between[i], c->dy, &scratch, &offset);
    if (apart) nn__reduce_place(&c->work, c->x, &scratch, &offset);
    else c->work = *c->dx;
    nn__install_pointwise(c->nn);
    return nn__reduce_gradient_of(c);
}

/* Along the last axes: runs the one kernel. */
static nn_result nn__reduce_slope(const nn__reduce_call *c, nn_reduce_backward_args *args) {
    args->dx = c->dx->view;
    args->dy = c->dy->view;
    args->x = c->x->view;
    if (c->y) args->y = c->y->view;
    args->accumulate = c->accumulate;
    nn__install_reduce_backward(c->nn);
    return nn__run_immediate(c->site, c->who, c->nn, c->device, NN_KERNEL_REDUCE_BACKWARD, args,
                             &args->scratch);
}

/* True if the gradient needs the result y. */
static bool nn__reduce_reads_result(nn_reduction reduction) {
    return reduction == NN_MAX || reduction == NN_MIN || reduction == NN_NORM ||
           reduction == NN_LOGSUMEXP || reduction == NN_STD;
}

static nn_result nn__reduce_backward(nn_site site, const char *who, nn_tensor *dx,
                                     nn_reduction reduction, const nn_tensor *dy,
                                     const nn_tensor *x, const nn_tensor *y, nn_axes axes,
                                     int correction, bool accumulate) {
    const int wanted = nn__reduce_reads_result(reduction) ? 0 : (int)NN__OPTIONAL;
    const nn__given given[] = {{"dx", dx, NN__WRITTEN, NN_F32},
                               {"dy", dy, false, NN_F32},
                               {"x", x, false, NN_F32},
                               {"y", y, wanted, NN_F32}};
    nn__reduce_call call;
    nn_reduce_backward_args slope;
    nn__problem problem;
    nn_context *nn;
    uint32_t bits;
    memset(&call, 0, sizeof call);
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &call.device);
    if (result != NN_OK) return result;
    if (reduction == NN_REDUCTION_DEFAULT) reduction = NN_MEAN;
    if ((int)reduction < NN_MEAN || reduction > NN_STD ||
        (reduction >= NN_ANY && reduction <= NN_ARGMIN))
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: reduction %d has no gradient; those of any, all, argmax and argmin "
                           "are 0 everywhere",
                           who, (int)reduction);
    if (correction < 0)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: correction is %d; it must be at least 0", who, correction);
    memset(&problem, 0, sizeof problem);
    if (!nn__op_axes(x->view.shape, &axes, &bits, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    const nn_shape kept = nn__keep_axes(x->view.shape, bits);
    result = nn__want_shape(nn, site, who, "dx", x->view.shape, dx);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dy", kept, dy);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "y", kept, y);
    if (result != NN_OK) return result;
    call.site = site;
    call.who = who;
    call.nn = nn;
    call.dx = dx;
    call.dy = dy;
    call.x = x;
    call.y = y;
    call.reduction = reduction;
    call.axes = axes;
    call.count = (double)nn__count(&x->view) / (double)nn__count(&dy->view);
    if (reduction == NN_VAR || reduction == NN_STD) call.count -= (double)correction;
    call.accumulate = accumulate;
    return nn__op_slope_args(&slope, reduction, x->view.shape, bits, correction)
               ? nn__reduce_slope(&call, &slope)
               : nn__reduce_gradient_run(&call);
}

NN_API nn_result nn_reduce_backward_at(nn_site site, nn_tensor *dx, nn_reduction reduction,
                                       const nn_tensor *dy, const nn_tensor *x, const nn_tensor *y,
                                       nn_axes axes, bool accumulate) {
    return nn__reduce_backward(site, "nn_reduce_backward", dx, reduction, dy, x, y, axes, 1,
                               accumulate);
}

NN_API nn_result nn_variance_backward_at(nn_site site, nn_tensor *dx, nn_reduction reduction,
                                         const nn_tensor *dy, const nn_tensor *x,
                                         const nn_tensor *y, nn_axes axes, int correction,
                                         bool accumulate) {
    return nn__reduce_backward(site, "nn_variance_backward", dx, reduction, dy, x, y, axes,
                               correction, accumulate);
}

#endif /* NN_NO_TRAINING */

typedef int nn__reduce_backward_part; /* a part must not be empty under NN_NO_TRAINING */
