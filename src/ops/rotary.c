/* ops/rotary.c - rotary position embedding: one kernel; its inverse rotation is the gradient. */
#include "ops/rotary.h"
#include "kernels/install_sequence.h"
#include "ops/private.h"

typedef struct nn__op_rotary {
    nn_rotary_embedding_desc desc; /* its node is NULL */
    bool positions, inverse;
} nn__op_rotary;

static bool nn__op_rotary_numbers(const nn_rotary_embedding_desc *desc, nn__problem *problem) {
    const float numbers[] = {desc->base, desc->factor, desc->low_freq_factor,
                             desc->high_freq_factor};
    static const char *const names[] = {"base", "factor", "low_freq_factor", "high_freq_factor"};
    for (int i = 0; i < NN__COUNT(numbers); i++)
        if (!(numbers[i] >= 0.0f && numbers[i] <= 3.402823466e38f))
            return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out"),
                                   NN__TEXT("%s is %g; it must be above 0"), names[i],
                                   (double)numbers[i]);
    if (desc->offset < 0 || desc->offset > INT32_MAX / 2)
        return nn__refuse_number(problem, "offset", desc->offset, "0 to 2^30");
    if (desc->original_max_position_embeddings < 0)
        return nn__refuse_number(problem, "original_max_position_embeddings",
                                 desc->original_max_position_embeddings, "at least 1, or 0");
    const float low = desc->low_freq_factor > 0.0f ? desc->low_freq_factor : 1.0f,
                high = desc->high_freq_factor > 0.0f ? desc->high_freq_factor : 4.0f;
    if (low < high) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("Llama 3.1 has 1 and 4"),
                           NN__TEXT("low_freq_factor is %g and high_freq_factor %g; the first must "
                                    "be less"),
                           (double)low, (double)high);
}

static bool nn__op_rotary_infer(nn__inference *inference) {
    const nn__op_rotary *params = (const nn__op_rotary *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    nn_shape samples;
    if (!nn__want_dtype(problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32) ||
        !nn__op_rotary_numbers(&params->desc, problem))
        return false;
    nn__format_shape(x, text, sizeof text);
    if (x.rank != 4)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it"),
                               NN__TEXT("%s is %s; rotary_embedding wants %s"), source, text,
                               params->desc.heads_inside ? "(N, L, H, E)" : "(N, H, L, E)");
    if (nn__is_symbolic(x.extent[3]))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("the length is extent 2, or extent 1 with .heads_inside"),
                               NN__TEXT("the last extent of %s %s depends on the %s"), source, text,
                               nn__free_words(x.extent[3]));
    const int width = params->desc.rotary_dim ? params->desc.rotary_dim : x.extent[3];
    if (width < 0 || width % 2 || width > x.extent[3])
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .rotary_dim"),
                               NN__TEXT("rotary_dim is %d; for %s %s it must be even and at most "
                                        "%d"),
                               width, source, text, (int)x.extent[3]);
    inference->outputs[0] = inference->inputs[0];
    if (!params->positions) return true;
    memset(&samples, 0, sizeof samples);
    samples.rank = 1;
    samples.extent[0] = x.extent[0];
    if (inference->inputs[1].shape.rank == 2) {
        samples.rank = 2;
        samples.extent[1] = x.extent[params->desc.heads_inside ? 1 : 2];
    }
    if (params->desc.offset)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave one of them out"),
                               NN__TEXT("offset is %d and positions are given"),
                               params->desc.offset);
    return nn__want_dtype(problem, inference->operation, inference->roles[1],
                          inference->inputs[1].dtype, NN_I32) &&
           nn__want_role_shape(problem, inference->roles[1], samples, inference->inputs[1].shape);
}

static void nn__op_rotary_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    const nn__op_rotary *params = (const nn__op_rotary *)node->params;
    const nn_rotary_embedding_desc *desc = &params->desc;
    nn_rotary_args *args = &all->rotary;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    if (params->positions) args->positions = lowering->inputs[1];
    args->width = desc->rotary_dim ? desc->rotary_dim : args->x.shape.extent[3];
    args->offset = desc->offset;
    args->original = desc->original_max_position_embeddings;
    args->base = desc->base > 0.0f ? desc->base : 10000.0f;
    args->factor = desc->factor > 0.0f ? desc->factor : 1.0f;
    args->low = desc->low_freq_factor > 0.0f ? desc->low_freq_factor : 1.0f;
    args->high = desc->high_freq_factor > 0.0f ? desc->high_freq_factor : 4.0f;
    args->interleaved = desc->interleaved;
    args->heads_inside = desc->heads_inside;
    args->inverse = params->inverse;
    args->scratch = lowering->scratch;
}

#ifndef NN_NO_TRAINING
static void nn__op_rotary_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
#endif

static const nn__rule nn__rule_rotary = {"rotary_embedding",
                                         NN_KERNEL_ROTARY,
                                         NN__IN_PLACE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_rotary_lower,
                                         NN__GRADIENT(nn__op_rotary_gradient),
                                         NULL,
                                         nn__op_rotary_infer,
                                         NULL};

#ifndef NN_NO_TRAINING
static void nn__op_rotary_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_rotary params = *(const nn__op_rotary *)node->params;
    nn_node *inputs[2];
    if (!nn__wants(node->inputs[0])) return;
    params.inverse = !params.inverse;
    inputs[0] = dy;
    if (params.positions) inputs[1] = node->inputs[1];
    nn__give_gradient(tape, node->inputs[0],
                      nn__tape_node(tape, &nn__rule_rotary, node->inputs[0], ".grad", inputs,
                                    params.positions ? 2 : 1, NN_F32, node->shape, &params,
                                    sizeof params));
}
#endif

static nn__op_rotary nn__op_rotary_params(const nn_rotary_embedding_desc *desc) {
    nn__op_rotary params;
    memset(&params, 0, sizeof params);
    if (desc) params.desc = *desc;
    params.desc.positions = NULL;
    return params;
}

NN_API nn_node *nn_rotary_embedding_at(nn_site site, nn_model *net, nn_node *x,
                                       const nn_rotary_embedding_desc *desc) {
    static const char *const roles[] = {"input", "positions"};
    nn__op_rotary params = nn__op_rotary_params(desc);
    nn_node *inputs[2];
    inputs[0] = x;
    inputs[1] = desc ? desc->positions : NULL;
    params.positions = inputs[1] != NULL;
    return nn__build(site, net, &nn__rule_rotary, nn__install_rotary, NULL, inputs, roles,
                     params.positions ? 2 : 1, &params, sizeof params);
}

static nn_result nn__op_rotary_call(nn_site site, const char *who, const nn__given *given,
                                    const nn_tensor *positions, bool inverse,
                                    const nn_rotary_embedding_desc *desc) {
    nn__op_rotary params = nn__op_rotary_params(desc);
    nn__given all[3];
    memcpy(all, given, 2 * sizeof *all);
    all[2].role = "positions";
    all[2].tensor = positions;
    all[2].flags = 0;
    all[2].dtype = NN_I32;
    params.positions = positions != NULL;
    params.inverse = inverse;
    if (desc && desc->positions)
        return nn__fail_at(given[1].tensor ? given[1].tensor->nn : NULL, site, NN_ERROR_ARGUMENT,
                           "%s: desc has a node for positions; give the tensor as an argument",
                           who);
    return nn__immediate(site, who, &nn__rule_rotary, nn__install_rotary, all, 1, positions ? 3 : 2,
                         &params);
}

NN_API nn_result nn_rotary_embedding_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                const nn_tensor *positions,
                                                const nn_rotary_embedding_desc *desc) {
    const nn__given given[] = {{"y", y, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
                               {"x", x, 0, NN_F32}};
    return nn__op_rotary_call(site, "nn_rotary_embedding_forward", given, positions, false, desc);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_rotary_embedding_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                                 const nn_tensor *positions,
                                                 const nn_rotary_embedding_desc *desc) {
    const nn__given given[] = {{"dx", dx, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
                               {"dy", dy, 0, NN_F32}};
    return nn__op_rotary_call(site, "nn_rotary_embedding_backward", given, positions, true, desc);
}
#endif
