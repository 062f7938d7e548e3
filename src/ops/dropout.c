/* ops/dropout.c - dropout of whole channels: one program makes a mask with one number for each
   channel, another applies it. Plans that do not train have neither. */
#include "ops/dropout.h"
#include "ops/arrange.h"
#include "ops/program.h"

#include <math.h>

/* What x has to be, and how many of its first axes the mask has. */
typedef struct nn__op_dropped {
    float probability;
    int least, most; /* smallest and largest rank of x */
    int single;      /* the rank at which x has no batch axis; 0: never */
    bool alpha;
} nn__op_dropped;

static bool nn__op_dropped_infer(nn__inference *inference) {
    const nn__op_dropped *params = (const nn__op_dropped *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    if (!nn__op_unary_infer(inference)) return false;
    if (!(params->probability >= 0.0f && params->probability <= 1.0f))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("0.5f drops half"),
                               NN__TEXT("the probability is %g; it must be in [0, 1]"),
                               (double)params->probability);
    nn__format_shape(x, text, sizeof text);
    if (x.rank < params->least || x.rank > params->most)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE,
            NN__TEXT("nn_reshape it to this shape; nn_dropout drops single numbers"),
            NN__TEXT("%s %s has %d extents; %s wants %d to %d"), source, text, (int)x.rank,
            inference->operation, params->least, params->most);
    if (params->single && x.rank == params->single && nn__free_extents(x, NN__OF_BATCH) &&
        nn__is_symbolic(x.extent[0]))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_dropout drops single numbers"),
                               NN__TEXT("%s of %s %s, where the batch stands for the channels, "
                                        "would drop whole samples"),
                               inference->operation, source, text);
    return true;
}

#ifdef NN_NO_TRAINING
#define NN__DROPPED_RULE(name)                                                                     \
    {name, NN_KERNEL_NONE, NN__ALIAS, NN_ACTIVATION_NONE, NULL, NULL, NULL,                        \
     nn__op_dropped_infer, NULL}
#else
#define NN__DROPPED_RULE(name)                                                                     \
    {name,                                                                                         \
     NN_KERNEL_POINTWISE,                                                                          \
     NN__IN_PLACE | NN__DYNAMIC | NN__WHEN_TRAINING,                                               \
     NN_ACTIVATION_NONE,                                                                           \
     nn__op_program_lower,                                                                         \
     nn__op_program_gradient,                                                                      \
     nn__op_program_flops,                                                                         \
     nn__op_dropped_infer,                                                                         \
     NULL}
#endif
enum { NN__DROP_1D, NN__DROP_2D, NN__DROP_3D, NN__DROP_ALPHA, NN__DROP_ALPHA_CHANNELS };
static const nn__rule nn__rule_dropped[] = {
    NN__DROPPED_RULE("dropout1d"), NN__DROPPED_RULE("dropout2d"), NN__DROPPED_RULE("dropout3d"),
    NN__DROPPED_RULE("alpha_dropout"), NN__DROPPED_RULE("feature_alpha_dropout")};
#undef NN__DROPPED_RULE
#ifndef NN_NO_TRAINING
static const nn__rule nn__rule_dropped_check[] = {
    NN__COMPOSED_RULE("dropout1d", nn__op_dropped_infer),
    NN__COMPOSED_RULE("dropout2d", nn__op_dropped_infer),
    NN__COMPOSED_RULE("dropout3d", nn__op_dropped_infer),
    NN__COMPOSED_RULE("alpha_dropout", nn__op_dropped_infer),
    NN__COMPOSED_RULE("feature_alpha_dropout", nn__op_dropped_infer)};
/* dynamic: each step has a new mask */
static const nn__rule nn__rule_drop_mask = {"dropout_mask",
                                            NN_KERNEL_POINTWISE,
                                            NN__IN_PLACE | NN__DYNAMIC,
                                            NN_ACTIVATION_NONE,
                                            nn__op_program_lower,
                                            nn__op_program_gradient,
                                            nn__op_program_flops,
                                            NULL,
                                            NULL};
#endif

#ifdef NN_NO_TRAINING
static nn_node *nn__op_dropped_build(nn_site site, nn_model *net, int which, nn_node *x,
                                     const nn__op_dropped *params) {
    return nn__build_unary(site, net, &nn__rule_dropped[which], NULL, x, params, sizeof *params);
}
#else
/* random >= probability ? 1 : 0. Of the input only the shape matters. */
static const nn_instruction nn__op_mask_code[] = {
    {NN_CODE_INPUT, 0, 0, 0, 0.0f},         {NN_CODE_RANDOM, 0, 0, 0, 0.0f},
    {NN_CODE_SCALAR, 0, 0, 0, 0.0f},        {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},
    {NN_CODE_CONSTANT, 0, 0, 0, 1.0f},      {NN_CODE_GREATER_EQUAL, 1, 2, 0, 0.0f},
    {NN_CODE_SELECT, 5, 4, 3, 0.0f}};

/* (mask ? x : scalar 0) * scalar 1 + scalar 2, where the mask is input 1 */
static const nn_instruction nn__op_masked_code[] = {
    {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
    {NN_CODE_SCALAR, 0, 0, 0, 0.0f},   {NN_CODE_SCALAR, 1, 0, 0, 0.0f},
    {NN_CODE_SCALAR, 2, 0, 0, 0.0f},   {NN_CODE_SELECT, 1, 0, 2, 0.0f},
    {NN_CODE_MULTIPLY, 5, 3, 0, 0.0f}, {NN_CODE_ADD, 6, 4, 0, 0.0f}};

/* The same, where the mask is random >= scalar 3 for each element. */
static const nn_instruction nn__op_drawn_code[] = {
    {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_RANDOM, 0, 0, 0, 0.0f},
    {NN_CODE_SCALAR, 3, 0, 0, 0.0f},   {NN_CODE_GREATER_EQUAL, 1, 2, 0, 0.0f},
    {NN_CODE_SCALAR, 0, 0, 0, 0.0f},   {NN_CODE_SCALAR, 1, 0, 0, 0.0f},
    {NN_CODE_SCALAR, 2, 0, 0, 0.0f},   {NN_CODE_SELECT, 3, 0, 4, 0.0f},
    {NN_CODE_MULTIPLY, 7, 5, 0, 0.0f}, {NN_CODE_ADD, 8, 6, 0, 0.0f}};

static void nn__op_dropped_install(nn_context *nn) {
    nn__install_code_random(nn);
    nn__install_code_greater_equal(nn);
    nn__install_code_select(nn);
    nn__install_code_multiply(nn);
    nn__install_code_add(nn);
}

static void nn__op_dropped_program(nn__program_params *params, const nn_instruction *code,
                                   int count, int inputs, int scalars) {
    memset(params, 0, sizeof *params);
    params->program.code = code;
    params->program.count = (uint8_t)count;
    params->program.input_count = (uint8_t)inputs;
    params->program.output_count = 1;
    params->program.scalar_count = (uint8_t)scalars;
    params->program.output[0] = (uint8_t)(count - 1);
}

/* Fills in the scalars of the programs in this file. alpha and the formula: PyTorch's
   Dropout.cpp. */
static void nn__op_dropped_numbers(const nn__op_dropped *params, float *numbers) {
    const double alpha = -1.7580993408473766, p = (double)params->probability;
    const double by = 1.0 / sqrt((alpha * alpha * p + 1.0) * (1.0 - p));
    memset(numbers, 0, 4 * sizeof *numbers);
    numbers[3] = params->probability;
    if (params->probability == 1.0f) return;
    numbers[0] = params->alpha ? (float)alpha : 0.0f;
    numbers[1] = (float)(params->alpha ? by : 1.0 / (1.0 - p));
    numbers[2] = params->alpha ? (float)(-alpha * p * by) : 0.0f;
}

/* Returns a mask with one number for all elements along the axes from `first` on. */
static nn_node *nn__op_dropped_mask(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                    int first, float probability) {
    static const char *const roles[] = {"input"};
    nn__program_params params;
    nn_slice_desc slice;
    x = nn_detach_at(site, net, x);
    memset(&slice, 0, sizeof slice);
    slice.stop = 1;
    for (int i = first; i < x->shape.rank && !x->poisoned; i++) {
        nn_axes axis;
        if (x->shape.extent[i] == 1) continue;
        memset(&axis, 0, sizeof axis);
        axis.count = 1;
        axis.axis[0] = slice.axis = i;
        x = nn__is_symbolic(x->shape.extent[i]) ? nn_reduce_at(site, net, NN_MAX, x, axis, true)
                                                : nn_slice_at(site, net, x, &slice);
    }
    if (x->poisoned) return x;
    nn__op_dropped_program(&params, nn__op_mask_code, NN__COUNT(nn__op_mask_code), 1, 1);
    params.scalars[0] = probability;
    params.stream = net->streams++;
    return nn_detach_at(site, net,
                        nn__add_node(&net->graph, site, &nn__rule_drop_mask, rule->name, NULL, &x,
                                     roles, 1, NN_F32, x->shape, &params,
                                     NN__PROGRAM_PARAMS_BYTES(&params)));
}

static nn_node *nn__op_dropped_build(nn_site site, nn_model *net, int which, nn_node *x,
                                     const nn__op_dropped *given) {
    static const char *const roles[] = {"input", "mask"};
    const nn__rule *rule = &nn__rule_dropped[which];
    const bool channels = which != NN__DROP_ALPHA;
    nn__program_params params;
    float numbers[4];
    nn_node *inputs[2];
    x = nn__build_unary(site, net, &nn__rule_dropped_check[which], NULL, x, given, 0);
    if (!x || x->poisoned) return x;
    nn__op_dropped_install(net->nn);
    nn__op_program_dtypes(net->nn, &x, 1);
    nn__op_dropped_numbers(given, numbers);
    if (channels)
        nn__op_dropped_program(&params, nn__op_masked_code, NN__COUNT(nn__op_masked_code), 2, 3);
    else
        nn__op_dropped_program(&params, nn__op_drawn_code, NN__COUNT(nn__op_drawn_code), 1, 4);
    memcpy(params.scalars, numbers, sizeof numbers);
    inputs[0] = x;
    inputs[1] = NULL;
    if (channels)
        inputs[1] = nn__op_dropped_mask(site, net, rule, x, x->shape.rank == given->single ? 1 : 2,
                                        given->probability);
    else
        params.stream = net->streams++;
    if (inputs[1] && inputs[1]->poisoned) return inputs[1];
    return nn__add_node(&net->graph, site, rule, rule->name, NULL, inputs, roles, channels ? 2 : 1,
                        NN_F32, x->shape, &params, NN__PROGRAM_PARAMS_BYTES(&params));
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_dropout1d_at(nn_site site, nn_model *net, nn_node *x, float probability) {
    const nn__op_dropped params = {probability, 2, 3, 2, false};
    return nn__op_dropped_build(site, net, NN__DROP_1D, x, &params);
}
NN_API nn_node *nn_dropout2d_at(nn_site site, nn_model *net, nn_node *x, float probability) {
    const nn__op_dropped params = {probability, 3, 4, 0, false};
    return nn__op_dropped_build(site, net, NN__DROP_2D, x, &params);
}
NN_API nn_node *nn_dropout3d_at(nn_site site, nn_model *net, nn_node *x, float probability) {
    const nn__op_dropped params = {probability, 4, 5, 4, false};
    return nn__op_dropped_build(site, net, NN__DROP_3D, x, &params);
}
NN_API nn_node *nn_alpha_dropout_at(nn_site site, nn_model *net, nn_node *x, float probability) {
    const nn__op_dropped params = {probability, 0, NN_MAX_RANK, 0, true};
    return nn__op_dropped_build(site, net, NN__DROP_ALPHA, x, &params);
}
NN_API nn_node *nn_feature_alpha_dropout_at(nn_site site, nn_model *net, nn_node *x,
                                            float probability) {
    const nn__op_dropped params = {probability, 2, NN_MAX_RANK, 0, true};
    return nn__op_dropped_build(site, net, NN__DROP_ALPHA_CHANNELS, x, &params);
}
