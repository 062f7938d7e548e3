/* ops/linear.c - the fully connected layer: one gemm. Each operand is seen as a matrix whose
   columns are its last extent. */
#include "ops/matmul_private.h"
#include "ops/private.h"
#include "ops/quantizer.h"

#include <math.h>

/* A firmware links only the product of f32; nn_matmul takes all dtypes. */
#ifdef NN_NO_MIXED_PRECISION
#define NN__LINEAR_INSTALL nn__install_matmul
#else
#define NN__LINEAR_INSTALL nn__install_matmul_general
#endif

/* ---- check ----------------------------------------------------------------------------------- */

/* True if the extents before the last can be folded into the rows of a matrix. */
static bool nn__op_linear_rows(nn_shape x, const char *source, nn__problem *problem) {
#ifdef NN_NO_REPORTS
    (void)x, (void)source,
        (void)problem; /* plans compare every value with the memory there is */
#else
    char text[NN__SHAPE_TEXT];
    int64_t rows;
    if (nn__free_extents(x, NN__OF_BATCH) > 1)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("keep one extent of the batch"),
                               NN__TEXT("%d extents of %s %s depend on the batch; at most one may"),
                               nn__free_extents(x, NN__OF_BATCH), source,
                               nn__format_shape(x, text, sizeof text));
    if (!nn__symbolic_count(x, &rows) || rows / x.extent[x.rank - 1] > INT32_MAX)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                               NN__TEXT("%s %s has more rows than fit into 31 bits"), source,
                               nn__format_shape(x, text, sizeof text));
#endif
    return true;
}

/* Returns " = 16 * 32 * 32" if x is a flatten of a known shape, as a hint for messages. */
static const char *nn__op_linear_product(const nn__inference *inference, char *text, size_t size) {
#ifndef NN_NO_REPORTS
    const nn_node *x = inference->nodes ? inference->nodes[0] : NULL;
    nn_shape from;
    size_t used = 0;
    text[0] = 0;
    if (!x || !x->operation || strcmp(x->operation, "flatten") != 0 || x->input_count != 1)
        return text;
    from = x->inputs[0]->shape;
    if (from.rank < 3) return text;
    for (int i = 1; i < from.rank; i++) {
        if (nn__is_symbolic(from.extent[i]) || used >= size) {
            text[0] = 0;
            return text;
        }
        used +=
            nn__format(text + used, size - used, i == 1 ? " = %d" : " * %d", (int)from.extent[i]);
    }
#else
    (void)inference, (void)size;
#endif
    return text;
}

/* Reports that in_features is not the last extent of x. */
static bool nn__op_linear_features(const nn__inference *inference, int said, nn_shape x,
                                   const char *source) {
    nn__problem *problem = inference->problem;
    const int in = (int)x.extent[x.rank - 1];
    char fix[96], product[64];
#ifndef NN_NO_REPORTS
    char text[NN__SHAPE_TEXT];
    int32_t sample = 0;
    if (x.rank > 2 && nn__fold_extents(x, 1, x.rank, &sample) && sample == said)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("nn_flatten it first"),
            NN__TEXT("in_features is %d, which is all of a sample of %s %s; linear takes the "
                     "last extent alone, %d"),
            said, source, nn__format_shape(x, text, sizeof text), in);
#endif
    nn__explain(fix, sizeof fix, ".in_features = %d, or leave it out", in);
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT(fix),
                           NN__TEXT("in_features is %d, but %s has %d%s features"), said, source,
                           in, nn__op_linear_product(inference, product, sizeof product));
}

static bool nn__op_linear_check(nn__inference *inference, const nn_linear_desc *desc, nn_shape x) {
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    int32_t in;
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_linear_desc with .out_features"),
                               NN__TEXT("desc is NULL"));
    if (desc->out_features <= 0)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .out_features"),
                               NN__TEXT("out_features is %d; it must be at least 1"),
                               desc->out_features);
    if (x.rank < 1)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("reshape it to (..., in_features)"),
            NN__TEXT("%s is one number; linear wants (..., in_features)"), source);
    in = x.extent[x.rank - 1];
    if (nn__is_symbolic(in))
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("nn_transpose puts another extent last"),
            NN__TEXT("the last extent of %s %s depends on the %s; it is in_features"), source,
            nn__format_shape(x, text, sizeof text), nn__free_words(in));
    if (desc->in_features != 0 && desc->in_features != in)
        return nn__op_linear_features(inference, desc->in_features, x, source);
    return nn__op_linear_rows(x, source, problem);
}

static bool nn__op_linear_infer(nn__inference *inference) {
    const nn_linear_desc *desc = (const nn_linear_desc *)inference->params;
    const nn__type *x = inference->inputs;
    if (!nn__want_dtype(inference->problem, "linear", "input", x->dtype, NN_F32)) return false;
    if (!nn__op_linear_check(inference, desc, x->shape)) return false;
    inference->outputs[0] = *x;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape.extent[x->shape.rank - 1] = desc->out_features;
    inference->parameter_count = desc->no_bias ? 1 : 2;
    inference->shared = desc->shared;
    for (int i = 0; i < 2; i++) {
        inference->parameters[i].rank = 2 - i;
        inference->parameters[i].extent[0] = desc->out_features;
    }
    inference->parameters[0].extent[1] = x->shape.extent[x->shape.rank - 1];
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Folds all extents but the last into rows. Too many rows become -1, which no device supports
   (nn__supports). */
NN_PRIVATE void nn__op_matrix(nn_view *matrix, const nn_view *view) {
    const int before = view->shape.rank - 1;
    int64_t rows = 1;
    int32_t last = view->shape.rank ? view->shape.extent[before] : 1;
    for (int i = 0; i < before && rows >= 0; i++) {
        rows *= view->shape.extent[i];
#ifndef NN_NO_REPORTS /* a small processor has too little memory for that many rows */
        if (rows > INT32_MAX) rows = -1;
#endif
    }
    *matrix = *view;
    memset(&matrix->shape, 0, sizeof matrix->shape);
    matrix->shape.rank = 2;
    matrix->shape.extent[0] = (int32_t)rows;
    matrix->shape.extent[1] = last;
}

NN_PRIVATE void nn__op_product_args(nn_gemm_args *gemm, const nn_view *y, const nn_view *a,
                                    const nn_view *b, bool transpose_a, bool transpose_b) {
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

static void nn__op_product_lower_as(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args, bool transpose_a, bool transpose_b) {
    nn__op_product_args(&args->gemm, &lowering->output, &lowering->inputs[0], &lowering->inputs[1],
                        transpose_a, transpose_b);
    if (node->input_count > 2) args->gemm.epilogue.bias = lowering->inputs[2];
    args->gemm.epilogue.activation = lowering->activation;
    args->gemm.scratch = lowering->scratch;
}

static void nn__op_linear_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    nn__op_product_lower_as(node, lowering, args, false, true);
}

/* Each element of the result sums over the last extent of the input. */
static NN__UNUSED double nn__op_linear_flops(const nn_node *node, const nn__lowering *lowering) {
    nn_view a;
    (void)node;
    nn__op_matrix(&a, &lowering->inputs[0]);
    return 2.0 * (double)nn__count(&lowering->output) * (double)a.shape.extent[1];
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
typedef struct nn__op_product_params {
    bool transpose_a, transpose_b;
} nn__op_product_params;

static void nn__op_product_lower(const nn_node *node, const nn__lowering *lowering,
                                 nn__args *args) {
    const nn__op_product_params *params = (const nn__op_product_params *)node->params;
    nn__op_product_lower_as(node, lowering, args, params->transpose_a, params->transpose_b);
}

static NN__UNUSED double nn__op_product_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_product_params *params = (const nn__op_product_params *)node->params;
    nn_view a;
    nn__op_matrix(&a, &lowering->inputs[0]);
    return 2.0 * (double)nn__count(&lowering->output) *
           (double)a.shape.extent[params->transpose_a ? 0 : 1];
}

static const nn__rule nn__rule_product = {
    "product", NN_KERNEL_GEMM, NN__HALVES, NN_ACTIVATION_NONE, nn__op_product_lower,
    nn__gradient_again, NN__FLOPS(nn__op_product_flops), NULL, NULL};

NN_PRIVATE void nn__op_give_product(nn__tape *tape, nn_node *x, nn_node *a, nn_node *b,
                                    bool transpose_a, bool transpose_b) {
    nn__op_product_params params;
    nn_node *inputs[2];
    if (!nn__wants(x)) return;
    params.transpose_a = transpose_a;
    params.transpose_b = transpose_b;
    inputs[0] = a;
    inputs[1] = b;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_product, x, ".grad", inputs, 2, NN_F32,
                                    x->shape, &params, sizeof params));
}

/* y = A B, where A is a or its transpose, gives dA = dy B^T and dB = A^T dy. */
NN_PRIVATE void nn__op_product_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_product_params *params = (const nn__op_product_params *)node->params;
    const bool ta = params->transpose_a, tb = params->transpose_b;
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    if (ta) nn__op_give_product(tape, a, b, dy, tb, true);
    else nn__op_give_product(tape, a, dy, b, false, !tb);
    if (tb) nn__op_give_product(tape, b, dy, a, true, ta);
    else nn__op_give_product(tape, b, a, dy, !ta, false);
}

NN_PRIVATE bool nn__is_weight_product(const nn_node *node) {
    const nn__op_product_params *params = (const nn__op_product_params *)node->params;
    return node->kind == NN__OPERATION && node->rule == &nn__rule_product &&
           params->transpose_a && !params->transpose_b && node->shape.rank == 2;
}

NN_PRIVATE bool nn__op_is_plain_product(const nn_node *node) {
    const nn__op_product_params *params = (const nn__op_product_params *)node->params;
    return node->kind == NN__OPERATION && node->rule == &nn__rule_product &&
           !params->transpose_a && !params->transpose_b;
}

static void nn__op_linear_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *weight = node->inputs[1],
            *bias = node->input_count > 2 ? node->inputs[2] : NULL;
    nn__op_give_product(tape, weight, dy, x, true, false);
    if (nn__wants(bias)) nn__give_gradient(tape, bias, nn__tape_sum_to(tape, dy, bias));
    nn__op_give_product(tape, x, dy, weight, false, false);
}

#endif

static const nn__rule nn__rule_linear = {"linear",
                                         NN_KERNEL_GEMM,
                                         NN__EPILOGUE | NN__LAYER | NN__HALVES | NN__FOLDED,
                                         NN_ACTIVATION_NONE,
                                         nn__op_linear_lower,
                                         NN__GRADIENT(nn__op_linear_gradient),
                                         NN__FLOPS(nn__op_linear_flops),
                                         nn__op_linear_infer,
                                         NULL};

#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__op_is_linear(const nn_node *node) {
    if (node->kind != NN__OPERATION || node->rule != &nn__rule_linear) return false;
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i]->dtype != NN_F32) return false;
    return true;
}
#endif

/* ---- linear_transposed: weight (in_features, out_features) ----------------------------------- */

static const nn__rule nn__rule_linear_transposed =
    NN__COMPOSED_LAYER("linear_transposed", nn__op_linear_infer);

static void nn__op_linear_in_out_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    nn__op_product_lower_as(node, lowering, args, false, false);
}

#ifndef NN_NO_TRAINING
static void nn__op_linear_in_out_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *weight = node->inputs[1],
            *bias = node->input_count > 2 ? node->inputs[2] : NULL;
    nn__op_give_product(tape, weight, x, dy, true, false);
    if (nn__wants(bias)) nn__give_gradient(tape, bias, nn__tape_sum_to(tape, dy, bias));
    nn__op_give_product(tape, x, dy, weight, false, true);
}
#endif

static const nn__rule nn__rule_linear_in_out = {"linear_transposed",
                                                NN_KERNEL_GEMM,
                                                NN__EPILOGUE | NN__LAYER | NN__HALVES,
                                                NN_ACTIVATION_NONE,
                                                nn__op_linear_in_out_lower,
                                                NN__GRADIENT(nn__op_linear_in_out_gradient),
                                                NN__FLOPS(nn__op_linear_flops),
                                                NULL,
                                                NULL};

/* ---- builders -------------------------------------------------------------------------------- */

#ifndef NN_NO_MIXED_PRECISION
static const nn__rule nn__rule_linear_checked = NN__COMPOSED_LAYER("linear", nn__op_linear_infer);

/* Returns the layer with an 8-bit weight. */
static nn_node *nn__op_linear_quantized(nn_site site, nn_model *net, const char *name, nn_node *x,
                                        const nn_linear_desc *desc, bool transposed) {
    static const char *const roles[] = {"input"};
    const nn__rule *rule = transposed ? &nn__rule_linear_transposed : &nn__rule_linear_checked;
    x = nn__build(site, net, rule, NULL, name, &x, roles, 1, desc, 0);
    if (!x || x->poisoned) return x;
    return net->quantizer->linear(site, net, name, x, desc, transposed);
}
#else
#define nn__quantizes(net, name)                                      false
#define nn__op_linear_quantized(site, net, name, x, desc, transposed) NULL
#endif

NN_API nn_node *nn_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_linear_desc *desc) {
    static const char *const roles[] = {"input", "weight", "bias"};
#ifdef NN_NO_TRAINING
    if (nn__quantizes(net, name)) return nn__op_linear_quantized(site, net, name, x, desc, false);
    return nn__build(site, net, &nn__rule_linear, NN__LINEAR_INSTALL, name, &x, roles, 1, desc, 0);
#else
    nn_node *y = nn__quantizes(net, name)
                     ? nn__op_linear_quantized(site, net, name, x, desc, false)
                     : nn__build(site, net, &nn__rule_linear, NN__LINEAR_INSTALL, name, &x, roles,
                                 1, desc, 0);
    return y && net->adapters ? net->adapters->adapt(site, net, name, x, y, false) : y;
#endif
}

static nn_node *nn__op_linear_in_out(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     const nn_linear_desc *desc) {
    static const char *const roles[] = {"input", "weight", "bias"};
    const nn__rule *rule = &nn__rule_linear_transposed;
    nn_node *inputs[3];
    nn_shape shape, flat;
    inputs[0] = nn__build(site, net, rule, NULL, name, &x, roles, 1, desc, 0);
    if (!inputs[0] || inputs[0]->poisoned) return inputs[0];
    memset(&flat, 0, sizeof flat);
    flat.rank = 2;
    flat.extent[0] = x->shape.extent[x->shape.rank - 1];
    flat.extent[1] = desc->out_features;
    const float bound = nn__fan_bound(flat.extent[0]);
    inputs[1] = nn__add_parameter(net, site, name, "weight", &flat, bound, desc->shared);
    flat.rank = 1;
    flat.extent[0] = desc->out_features;
    flat.extent[1] = 0;
    if (!desc->no_bias)
        inputs[2] = nn__add_parameter(net, site, name, "bias", &flat, bound, desc->shared);
    if (inputs[1]->poisoned || (!desc->no_bias && inputs[2]->poisoned)) return nn__poison(net);
    shape = x->shape;
    shape.extent[shape.rank - 1] = desc->out_features;
    NN__LINEAR_INSTALL(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_linear_in_out, rule->name, name, inputs, roles,
                        desc->no_bias ? 2 : 3, NN_F32, &shape, NULL, 0);
}

NN_API nn_node *nn_linear_transposed_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                        const nn_linear_desc *desc) {
    nn_node *y = nn__quantizes(net, name)
                     ? nn__op_linear_quantized(site, net, name, x, desc, true)
                     : nn__op_linear_in_out(site, net, name, x, desc);
#ifndef NN_NO_TRAINING
    if (y && net->adapters) return net->adapters->adapt(site, net, name, x, y, true);
#endif
    return y;
}

NN_PRIVATE nn_node *nn__add_linear(nn__graph *graph, nn_site site, const char *operation,
                                   const char *name, nn_node *x, nn_node *weight, nn_node *bias) {
    static const char *const roles[] = {"input", "weight", "bias"};
    nn_node *inputs[3];
    nn_shape shape = x->shape;
    inputs[0] = x;
    inputs[1] = weight;
    inputs[2] = bias;
    shape.extent[shape.rank - 1] = weight->shape.extent[0];
    NN__LINEAR_INSTALL(graph->nn);
    return nn__add_node(graph, site, &nn__rule_linear, operation, name, inputs, roles,
                        bias ? 3 : 2, NN_F32, shape, NULL, 0);
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* Infers the shape of y for immediate calls: weight (out_features, in_features) replaces the
   desc. */
static bool nn__op_linear_call_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape, weight = inference->inputs[1].shape;
    nn_shape wanted = x;
    nn_linear_desc desc;
    char have[NN__SHAPE_TEXT];
    if (weight.rank != 2)
        return nn__problem_set(
            inference->problem, NN_ERROR_SHAPE, "",
            NN__TEXT("weight has the shape %s; wanted (out_features, in_features)"),
            nn__format_shape(weight, have, sizeof have));
    memset(&desc, 0, sizeof desc);
    desc.out_features = weight.extent[0];
    desc.in_features = weight.extent[1];
    desc.no_bias = inference->input_count < 3;
    if (x.rank > 0) wanted.extent[x.rank - 1] = desc.in_features;
    if (!nn__want_role_shape(inference->problem, inference->roles[0], wanted, x) ||
        !nn__want_dtype(inference->problem, "linear", "weight", inference->inputs[1].dtype, NN_F32))
        return false;
    inference->params = &desc;
    const bool fine = nn__op_linear_infer(inference);
    inference->params = NULL;
    return fine;
}

static const nn__rule nn__rule_linear_call = {
    "linear", NN_KERNEL_GEMM,           0,   NN_ACTIVATION_NONE, nn__op_linear_lower, NULL,
    NULL,     nn__op_linear_call_infer, NULL};

NN_API nn_result nn_linear_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32},
                               {"x", x, NN__OR_HALF, NN_F32},
                               {"weight", weight, NN__OR_HALF, NN_F32},
                               {"bias", bias, true, NN_F32}};
    return nn__immediate(site, "nn_linear_forward", &nn__rule_linear_call, NN__LINEAR_INSTALL,
                         given, 1, NN__COUNT(given), NULL);
}

#ifndef NN_NO_TRAINING
static nn_result nn__op_linear_dbias(nn_site site, nn_context *nn, nn_device device,
                                     nn_tensor *dbias, const nn_tensor *dy, bool accumulate) {
    nn_reduce_args args;
    memset(&args, 0, sizeof args);
    nn__op_matrix(&args.x, &dy->view);
    nn__op_matrix(&args.y, &dbias->view);
    args.axes = 1;
    args.reduction = NN_SUM;
    args.scale = 1.0f;
    args.accumulate = accumulate;
    nn__install_reduce(nn);
    return nn__run_immediate(site, "nn_linear_backward", nn, device, NN_KERNEL_REDUCE, &args,
                             &args.scratch);
}

NN_API nn_result nn_linear_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, bool accumulate) {
    const nn__given given[] = {{"dx", dx, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dweight", dweight, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dbias", dbias, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dy", dy, false, NN_F32},
                               {"x", x, NN__OR_HALF, NN_F32},
                               {"weight", weight, NN__OR_HALF, NN_F32}};
    const nn__given forward[] = {{"dy", dy, 0, NN_F32},
                                 {"x", x, 0, NN_F32},
                                 {"weight", weight, 0, NN_F32},
                                 {"dbias", dbias, 0, NN_F32}};
    const char *who = "nn_linear_backward";
    nn_context *nn;
    nn_device device;
    nn_gemm_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, &nn__rule_linear_call, forward, 1,
                                  NN__COUNT(forward), NULL);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dx", x->view.shape, dx);
    if (result == NN_OK)
        result = nn__want_shape(nn, site, who, "dweight", weight->view.shape, dweight);
    if (result != NN_OK) return result;
    NN__LINEAR_INSTALL(nn);
    if (dweight) {
        nn__op_product_args(&args, &dweight->view, &dy->view, &x->view, true, false);
        args.accumulate = accumulate;
        result = nn__run_immediate(site, who, nn, device, NN_KERNEL_GEMM, &args, &args.scratch);
    }
    if (result == NN_OK && dbias)
        result = nn__op_linear_dbias(site, nn, device, dbias, dy, accumulate);
    if (result == NN_OK && dx) {
        nn__op_product_args(&args, &dx->view, &dy->view, &weight->view, false, false);
        args.accumulate = accumulate;
        result = nn__run_immediate(site, who, nn, device, NN_KERNEL_GEMM, &args, &args.scratch);
    }
    return result;
}
#endif

#undef NN__LINEAR_INSTALL
#ifdef NN_NO_MIXED_PRECISION
#undef nn__quantizes
#undef nn__op_linear_quantized
#endif
