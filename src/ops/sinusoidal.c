/* ops/sinusoidal.c - sinusoidal positions: the rotary kernel applied to pairs (0, 1), with
   inverse rotation. */
#include "ops/sinusoidal.h"
#include "kernels/install_sequence.h"
#include "ops/private.h"

static bool nn__op_sinusoidal_infer(nn__inference *inference) {
    const nn_sinusoidal_desc *desc = (const nn_sinusoidal_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    nn_shape samples;
    nn__format_shape(x, text, sizeof text);
    if (x.rank != 3)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it"),
                               NN__TEXT("%s is %s; sinusoidal_positions wants (N, L, E)"), source,
                               text);
    if (nn__is_symbolic(x.extent[2]) || x.extent[2] % 2)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("an even number of features"),
                               NN__TEXT("the last extent of %s %s must be an even number"), source,
                               text);
    if (!(desc->base >= 0.0f && desc->base <= 3.402823466e38f))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out for 10000"),
                               NN__TEXT("base is %g; it must be above 0"), (double)desc->base);
    if (desc->offset < 0 || desc->offset > INT32_MAX / 2)
        return nn__refuse_number(problem, "offset", desc->offset, "0 to 2^30");
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = x;
    if (inference->input_count == 1) {
        inference->outputs[0].shape.extent[0] = 1;
        return true;
    }
    if (desc->offset)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave one of them out"),
                               NN__TEXT("offset is %d and positions are given"), desc->offset);
    memset(&samples, 0, sizeof samples);
    samples.rank = 1;
    samples.extent[0] = x.extent[0];
    return nn__want_dtype(problem, inference->operation, inference->roles[1],
                          inference->inputs[1].dtype, NN_I32) &&
           nn__want_role_shape(problem, inference->roles[1], samples, inference->inputs[1].shape);
}

static void nn__op_sinusoidal_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *all) {
    const nn_sinusoidal_desc *desc = (const nn_sinusoidal_desc *)node->params;
    nn_rotary_args *args = &all->rotary;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->y.shape.rank = 4; /* one head */
    args->y.shape.extent[3] = args->y.shape.extent[2];
    args->y.shape.extent[2] = args->y.shape.extent[1];
    args->y.shape.extent[1] = 1;
    if (node->input_count > 1) args->positions = lowering->inputs[1];
    args->width = args->y.shape.extent[3];
    args->offset = desc->offset;
    args->base = desc->base > 0.0f ? desc->base : 10000.0f;
    args->factor = args->low = 1.0f;
    args->high = 4.0f;
    args->interleaved = !desc->halves;
    args->inverse = true;
    args->scratch = lowering->scratch;
}

/* No gradient: the result does not depend on the values of x. */
static const nn__rule nn__rule_sinusoidal = {"sinusoidal_positions",
                                             NN_KERNEL_ROTARY,
                                             NN__ANY_DTYPE,
                                             NN_ACTIVATION_NONE,
                                             nn__op_sinusoidal_lower,
                                             NULL,
                                             NULL,
                                             nn__op_sinusoidal_infer,
                                             NULL};

NN_API nn_node *nn_sinusoidal_positions_at(nn_site site, nn_model *net, nn_node *x,
                                           const nn_sinusoidal_desc *desc) {
    static const char *const roles[] = {"input", "positions"};
    nn_sinusoidal_desc params;
    nn_node *inputs[2];
    memset(&params, 0, sizeof params);
    if (desc) params = *desc;
    inputs[0] = x;
    inputs[1] = params.positions;
    params.positions = NULL;
    return nn__build(site, net, &nn__rule_sinusoidal, nn__install_rotary, NULL, inputs, roles,
                     inputs[1] ? 2 : 1, &params, sizeof params);
}
