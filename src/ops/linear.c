/* ops/linear.c - the fully connected layer and the matrix product. Both are one gemm in which every
   operand is seen as a matrix of (all extents but the last, the last). */
#include "ops/private.h"

#include <math.h>

/* ---- check ----------------------------------------------------------------------------------- */

/* Can the extents before the last be the rows of a matrix? */
static bool nn__op_linear_rows(nn_shape x, const char *source, nn__problem *problem) {
#ifdef NN_NO_REPORTS
    (void)x, (void)source, (void)problem; /* the plan holds every value against the memory that there is */
#else
    char text[NN__SHAPE_TEXT];
    int64_t rows;
    if (nn__free_extents(x, NN__OF_BATCH) > 1)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("keep one extent of the batch"),
                               NN__TEXT("%d extents of %s %s depend on the batch; at most one may"),
                               nn__free_extents(x, NN__OF_BATCH), source, nn__format_shape(x, text, sizeof text));
    if (!nn__symbolic_count(x, &rows) || rows / x.extent[x.rank - 1] > INT32_MAX)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                               NN__TEXT("%s %s has more rows than fit into 31 bits"), source,
                               nn__format_shape(x, text, sizeof text));
#endif
    return true;
}

/* in: features of x; source: its name with quotes, product: " = 16 * 32 * 32" or "". */
static bool nn__op_linear_check(nn_shape x, const nn_linear_desc *desc, const char *source,
                                const char *product, int32_t *in, nn_shape *y, nn__problem *problem) {
    char text[NN__SHAPE_TEXT], fix[96];
    int32_t sample;
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give a nn_linear_desc with .out_features"),
                               NN__TEXT("desc is NULL"));
    if (desc->out_features <= 0)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .out_features"),
                               NN__TEXT("out_features is %d; it must be at least 1"), desc->out_features);
    if (x.rank < 1)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("reshape it to (..., in_features)"),
                               NN__TEXT("%s is one number; linear wants (..., in_features)"), source);
    *in = x.extent[x.rank - 1];
    if (nn__is_symbolic(*in))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_transpose puts another extent last"),
                               NN__TEXT("the last extent of %s %s depends on the %s; it is in_features"),
                               source, nn__format_shape(x, text, sizeof text), nn__free_words(*in));
    if (desc->in_features != 0 && desc->in_features != *in && x.rank > 2 &&
        nn__fold_extents(x, 1, x.rank, &sample) && sample == desc->in_features)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_flatten it first"),
                               NN__TEXT("in_features is %d, which is all of a sample of %s %s; linear takes the last "
                                        "extent alone, %d"),
                               desc->in_features, source, nn__format_shape(x, text, sizeof text), (int)*in);
    if (desc->in_features != 0 && desc->in_features != *in) {
        nn__explain(fix, sizeof fix, ".in_features = %d, or leave it out", (int)*in);
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT(fix),
                               NN__TEXT("in_features is %d, but %s has %d%s features"), desc->in_features,
                               source, (int)*in, product);
    }
    if (!nn__op_linear_rows(x, source, problem)) return false;
    *y = x;
    y->extent[x.rank - 1] = desc->out_features;
    return true;
}

/* " = 16 * 32 * 32" when x is a flatten of a known shape. */
static const char *nn__op_linear_product(const nn_node *x, char *text, size_t size) {
    nn_shape from;
    size_t used = 0;
    text[0] = 0;
    if (!x->operation || strcmp(x->operation, "flatten") != 0 || x->input_count != 1) return text;
    from = x->inputs[0]->shape;
    if (from.rank < 3) return text;
    for (int i = 1; i < from.rank; i++) {
        if (nn__is_symbolic(from.extent[i]) || used >= size) {
            text[0] = 0;
            return text;
        }
        used += nn__explain(text + used, size - used, i == 1 ? " = %d" : " * %d", (int)from.extent[i]);
    }
    return text;
}

static bool nn__op_matmul_check(nn_shape a, nn_shape b, nn_shape *y, nn__problem *problem) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    nn__format_shape(a, one, sizeof one);
    nn__format_shape(b, other, sizeof other);
    if (a.rank != 2 || b.rank != 2)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("reshape them to two extents each"),
                               NN__TEXT("a is %s and b is %s; matmul wants (M, K) and (K, N)"), one, other);
    if (a.extent[1] != b.extent[0])
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("make them equal; nn_linear multiplies by a transposed weight"),
            NN__TEXT("a is %s and b is %s; the last extent of a must be the first of b"), one, other);
    *y = a;
    y->extent[1] = b.extent[1];
    return nn__want_one_batch(problem, *y, a, b);
}

/* ---- lowering -------------------------------------------------------------------------------- */

typedef struct nn__op_product_params {
    bool transpose_a, transpose_b;
} nn__op_product_params;

/* The view with all extents but the last folded into rows; -1 when there are more than fit, which no device
   supports (nn__supports). */
static void nn__op_matrix(nn_view *matrix, const nn_view *view) {
    const int before = view->shape.rank - 1;
    int64_t rows = 1;
    int32_t last = view->shape.rank ? view->shape.extent[before] : 1;
    for (int i = 0; i < before && rows >= 0; i++) {
        rows *= view->shape.extent[i];
#ifndef NN_NO_REPORTS /* a small processor has no memory for as many */
        if (rows > INT32_MAX) rows = -1;
#endif
    }
    *matrix = *view;
    memset(&matrix->shape, 0, sizeof matrix->shape);
    matrix->shape.rank = 2;
    matrix->shape.extent[0] = (int32_t)rows;
    matrix->shape.extent[1] = last;
}

static void nn__op_product_args(nn_gemm_args *gemm, const nn_view *y, const nn_view *a, const nn_view *b,
                                bool transpose_a, bool transpose_b) {
    memset(gemm, 0, sizeof *gemm);
    nn__op_matrix(&gemm->y, y);
    nn__op_matrix(&gemm->a, a);
    nn__op_matrix(&gemm->b, b);
    gemm->transpose_a = transpose_a;
    gemm->transpose_b = transpose_b;
    gemm->m = gemm->a.shape.extent[transpose_a ? 1 : 0];
    gemm->k = gemm->a.shape.extent[transpose_a ? 0 : 1];
    gemm->n = gemm->b.shape.extent[transpose_b ? 0 : 1];
}

static void nn__op_product_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn__op_product_params *params = (const nn__op_product_params *)node->params;
    nn__op_product_args(&args->gemm, &lowering->output, &lowering->inputs[0], &lowering->inputs[1],
                        params->transpose_a, params->transpose_b);
    if (node->input_count > 2) args->gemm.epilogue.bias = lowering->inputs[2];
    args->gemm.epilogue.activation = lowering->activation;
    args->gemm.scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_product_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_product_params *params = (const nn__op_product_params *)node->params;
    nn_view a;
    nn__op_matrix(&a, &lowering->inputs[0]);
    return 2.0 * (double)nn__count(&lowering->output) * (double)a.shape.extent[params->transpose_a ? 0 : 1];
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static const nn__rule nn__rule_product = {
    "product", NN_KERNEL_GEMM, 0, NN_ACTIVATION_NONE, nn__op_product_lower, NULL,
    NN__FLOPS(nn__op_product_flops), NULL, NULL};

static void nn__op_give_product(nn__tape *tape, nn_node *x, nn_node *a, nn_node *b, bool transpose_a,
                                bool transpose_b) {
    nn__op_product_params params;
    nn_node *inputs[2];
    if (!nn__wants(x)) return;
    params.transpose_a = transpose_a;
    params.transpose_b = transpose_b;
    inputs[0] = a;
    inputs[1] = b;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_product, x, ".grad", inputs, 2, NN_F32, x->shape, &params,
                                    sizeof params));
}

static void nn__op_linear_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *weight = node->inputs[1],
            *bias = node->input_count > 2 ? node->inputs[2] : NULL;
    nn__op_give_product(tape, weight, dy, x, true, false);
    if (nn__wants(bias)) nn__give_gradient(tape, bias, nn__tape_sum_to(tape, dy, bias));
    nn__op_give_product(tape, x, dy, weight, false, false);
}

static void nn__op_matmul_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    nn__op_give_product(tape, a, dy, b, false, true);
    nn__op_give_product(tape, b, a, dy, true, false);
}
#endif

static const nn__rule nn__rule_linear = {"linear",
                                         NN_KERNEL_GEMM,
                                         NN__EPILOGUE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_product_lower,
                                         NN__GRADIENT(nn__op_linear_gradient),
                                         NN__FLOPS(nn__op_product_flops), NULL, NULL};
static const nn__rule nn__rule_matmul = {"matmul",
                                         NN_KERNEL_GEMM,
                                         NN__EPILOGUE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_product_lower,
                                         NN__GRADIENT(nn__op_matmul_gradient),
                                         NN__FLOPS(nn__op_product_flops), NULL, NULL};

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_linear_desc *desc) {
    static const char *const roles[] = {"input", "weight", "bias"};
    nn__op_product_params params = {false, true};
    nn__problem problem;
    nn_node *inputs[3] = {NULL, NULL, NULL};
    nn_shape y, weight, bias;
    char source[NN_NAME_BYTES + 4], product[64];
    int32_t in;
    float bound;
    int count = desc && desc->no_bias ? 2 : 3;
    inputs[0] = x;
    if (!nn__check_inputs(net, site, "linear", name, inputs, roles, 1)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    nn__explain(source, sizeof source, "\"%s\"", x->name);
    nn__op_linear_product(x, product, sizeof product);
    if (!nn__want_layer_name(&problem, name) ||
        !nn__want_dtype(&problem, "linear", "input", x->dtype, NN_F32) ||
        !nn__op_linear_check(x->shape, desc, source, product, &in, &y, &problem))
        return nn__poison_problem(net, site, "linear", name, inputs, roles, 1, &problem);
    nn__install_gemm(net->nn);
    bound = nn__fan_bound(in);
    memset(&weight, 0, sizeof weight);
    weight.rank = 2;
    weight.extent[0] = desc->out_features;
    weight.extent[1] = in;
    memset(&bias, 0, sizeof bias);
    bias.rank = 1;
    bias.extent[0] = desc->out_features;
    inputs[1] = nn__add_parameter(net, site, name, "weight", weight, bound, desc->shared);
    if (count > 2) inputs[2] = nn__add_parameter(net, site, name, "bias", bias, bound, desc->shared);
    for (int i = 1; i < count; i++)
        if (inputs[i]->poisoned) return nn__poison(net);
    return nn__add_node(&net->graph, site, &nn__rule_linear, "linear", name, inputs, roles, count, NN_F32, y,
                        &params, sizeof params);
}

NN_API nn_node *nn_matmul_at(nn_site site, nn_model *net, nn_node *a, nn_node *b) {
    static const char *const roles[] = {"a", "b"};
    nn__op_product_params params = {false, false};
    nn__problem problem;
    nn_node *inputs[2];
    nn_shape y;
    inputs[0] = a;
    inputs[1] = b;
    if (!nn__check_inputs(net, site, "matmul", NULL, inputs, roles, 2)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (!nn__want_dtype(&problem, "matmul", "a", a->dtype, NN_F32) ||
        !nn__want_dtype(&problem, "matmul", "b", b->dtype, NN_F32) ||
        !nn__op_matmul_check(a->shape, b->shape, &y, &problem))
        return nn__poison_problem(net, site, "matmul", NULL, inputs, roles, 2, &problem);
    nn__install_gemm(net->nn);
    return nn__add_node(&net->graph, site, &nn__rule_matmul, "matmul", NULL, inputs, roles, 2, NN_F32, y,
                        &params, sizeof params);
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* The shapes of x, weight and, if given, bias and y, which may be a gradient of the same shape. */
static nn_result nn__op_linear_shapes(nn_context *nn, nn_site site, const char *who, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias, const char *bias_role,
                                      const nn_tensor *y, const char *y_role) {
    nn__problem problem;
    nn_linear_desc desc;
    nn_shape wanted, vector;
    char text[NN__SHAPE_TEXT];
    int32_t in;
    nn_result result;
    memset(&problem, 0, sizeof problem);
    memset(&desc, 0, sizeof desc);
    if (weight->view.shape.rank != 2)
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "%s: weight has the shape %s; wanted (out_features, in_features)", who,
                           nn__format_shape(weight->view.shape, text, sizeof text));
    desc.out_features = weight->view.shape.extent[0];
    desc.in_features = weight->view.shape.extent[1];
    if (x->view.shape.rank > 0 && x->view.shape.extent[x->view.shape.rank - 1] != desc.in_features) {
        wanted = x->view.shape;
        wanted.extent[wanted.rank - 1] = desc.in_features;
        return nn__fail_shape(nn, site, who, "x", wanted, x->view.shape);
    }
    if (!nn__op_linear_check(x->view.shape, &desc, "x", "", &in, &wanted, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    memset(&vector, 0, sizeof vector);
    vector.rank = 1;
    vector.extent[0] = desc.out_features;
    result = nn__want_shape(nn, site, who, bias_role, vector, bias);
    return result == NN_OK ? nn__want_shape(nn, site, who, y_role, wanted, y) : result;
}

NN_API nn_result nn_linear_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, const nn_tensor *weight,
                                      const nn_tensor *bias) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32},
                               {"x", x, false, NN_F32},
                               {"weight", weight, false, NN_F32},
                               {"bias", bias, true, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_gemm_args args;
    nn_result result = nn__check_given(site, "nn_linear_forward", given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__op_linear_shapes(nn, site, "nn_linear_forward", x, weight, bias, "bias", y, "y");
    if (result != NN_OK) return result;
    nn__install_gemm(nn);
    nn__op_product_args(&args, &y->view, &x->view, &weight->view, false, true);
    args.epilogue.bias = nn_tensor_view(bias);
    return nn__run_immediate(site, "nn_linear_forward", nn, device, NN_KERNEL_GEMM, &args, &args.scratch);
}

#ifndef NN_NO_TRAINING
static nn_result nn__op_linear_dbias(nn_site site, nn_context *nn, nn_device device, nn_tensor *dbias,
                                     const nn_tensor *dy, bool accumulate) {
    nn_reduce_args args;
    memset(&args, 0, sizeof args);
    nn__op_matrix(&args.x, &dy->view);
    nn__op_matrix(&args.y, &dbias->view);
    args.axes = 1;
    args.reduction = NN_SUM;
    args.scale = 1.0f;
    args.accumulate = accumulate;
    nn__install_reduce(nn);
    return nn__run_immediate(site, "nn_linear_backward", nn, device, NN_KERNEL_REDUCE, &args, &args.scratch);
}

NN_API nn_result nn_linear_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight, nn_tensor *dbias,
                                       const nn_tensor *dy, const nn_tensor *x, const nn_tensor *weight,
                                       bool accumulate) {
    const nn__given given[] = {{"dx", dx, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dweight", dweight, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dbias", dbias, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dy", dy, false, NN_F32},
                               {"x", x, false, NN_F32},
                               {"weight", weight, false, NN_F32}};
    const char *who = "nn_linear_backward";
    nn_context *nn;
    nn_device device;
    nn_gemm_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK) result = nn__op_linear_shapes(nn, site, who, x, weight, dbias, "dbias", dy, "dy");
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dx", x->view.shape, dx);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dweight", weight->view.shape, dweight);
    if (result != NN_OK) return result;
    nn__install_gemm(nn);
    if (dweight) {
        nn__op_product_args(&args, &dweight->view, &dy->view, &x->view, true, false);
        args.accumulate = accumulate;
        result = nn__run_immediate(site, who, nn, device, NN_KERNEL_GEMM, &args, &args.scratch);
    }
    if (result == NN_OK && dbias) result = nn__op_linear_dbias(site, nn, device, dbias, dy, accumulate);
    if (result == NN_OK && dx) {
        nn__op_product_args(&args, &dx->view, &dy->view, &weight->view, false, false);
        args.accumulate = accumulate;
        result = nn__run_immediate(site, who, nn, device, NN_KERNEL_GEMM, &args, &args.scratch);
    }
    return result;
}
#endif
