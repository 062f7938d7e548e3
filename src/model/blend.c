/* model/blend.c - target networks: moves the weights of one model towards those of another, on each
   device. */
#include "model/private.h"

#ifndef NN_NO_TRAINING

static bool nn__blend_takes(const nn_node *node) {
    return nn__is_saved(node) && node->kind != NN__CONSTANT;
}

static nn_node *nn__blend_next(nn_node *node) {
    while (node && !nn__blend_takes(node)) node = node->next;
    return node;
}

/* Fails at the first difference between the two descriptions. */
static nn_result nn__blend_compare(const nn_node *to, const nn_node *from, nn_site site) {
    const char *const who = "nn_blend_weights";
    nn_context *nn = to->graph->nn;
    char wanted[NN__SHAPE_TEXT], given[NN__SHAPE_TEXT], here[32], there[32];
    if (strcmp(to->name, from->name) != 0)
        return nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "%s: \"%s\" of the first model is \"%s\" in the second; wanted two models of the same "
            "description; nothing was changed",
            who, to->name, from->name);
    if (!nn_same_shape(to->shape, from->shape) || to->dtype != from->dtype)
        return nn__fail_at(
            nn, site, NN_ERROR_SHAPE,
            "%s: \"%s\" is %s %s in the first model, %s %s in the second; nothing was changed", who,
            to->name, nn__format_shape(to->shape, wanted, sizeof wanted), nn_dtype_name(to->dtype),
            nn__format_shape(from->shape, given, sizeof given), nn_dtype_name(from->dtype));
    if (!nn_same_device(to->tensor->device, from->tensor->device))
        return nn__fail_at(nn, site, NN_ERROR_DEVICE,
                           "%s: \"%s\" is on %s in the first model, on %s in the second; "
                           "nn_move_model takes one of "
                           "them there; nothing was changed",
                           who, to->name, nn_format_device(to->tensor->device, here, sizeof here),
                           nn_format_device(from->tensor->device, there, sizeof there));
    if (nn__is_mapped(to->tensor)) return nn__fail_mapped(to->tensor, site, who);
    if (nn__is_mapped(from->tensor)) return nn__fail_mapped(from->tensor, site, who);
    return nn__check_writable(to->tensor, site, who);
}

static nn_result nn__blend_check(nn_model *to, nn_model *from, float tau, nn_site site) {
    nn_node *a, *b;
    if (!from || from->nn != to->nn || from == to)
        return nn__fail_at(to->nn, site, NN_ERROR_ARGUMENT, "nn_blend_weights: %s",
                           !from        ? "from is NULL"
                           : from == to ? "both models are the same one"
                                        : "the models belong to two contexts; make both with one");
    if (!(tau >= 0.0f && tau <= 1.0f))
        return nn__fail_at(to->nn, site, NN_ERROR_ARGUMENT,
                           "nn_blend_weights: tau is %g; wanted 0 to 1", (double)tau);
    a = nn__blend_next(to->graph.first);
    b = nn__blend_next(from->graph.first);
    for (; a && b; a = nn__blend_next(a->next), b = nn__blend_next(b->next)) {
        nn_result result = nn__blend_compare(a, b, site);
#ifndef NN_NO_MIXED_PRECISION
        if (result == NN_OK && a->scale && tau < 1.0f)
            result = nn__fail_at(to->nn, site, NN_ERROR_DTYPE,
                                 "nn_blend_weights: \"%s\" is stored in %d bits (nn_quantize), "
                                 "which a blend would not change by less than a step; tau 1 copies",
                                 a->name, nn__stored_bits(a));
#endif
        if (result != NN_OK) return result;
    }
    if (!a && !b) return NN_OK;
    return nn__fail_at(to->nn, site, NN_ERROR_ARGUMENT,
                       "nn_blend_weights: \"%s\" is in the %s model only; wanted two models of the "
                       "same description; "
                       "nothing was changed",
                       a ? a->name : b->name, a ? "first" : "second");
}

NN_PRIVATE nn_result nn__check_unmerged(const nn_model *net, nn_site site, const char *who) {
    if (!net->adapters || !net->adapters->kept) return NN_OK;
    return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                       "%s: the adapters of \"%s\" are inside its weights, and the old weights are "
                       "kept; nn_unmerge_lora first",
                       who, net->name);
}

NN_PRIVATE nn_result nn__check_averaged(const nn_model *net, nn_site site, const char *who) {
    for (const nn_node *node = net->graph.first; node; node = node->next)
        if (node->averaged)
            return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                               "%s: \"%s\" of \"%s\" holds its average; call nn_swap_average once "
                               "more, with the trainer that put it there",
                               who, node->name, net->name);
    return NN_OK;
}

NN_PRIVATE nn_result nn__combine(nn_tensor *to, const nn_tensor *from, float scalar,
                                 const nn_instruction *code, uint8_t count, nn_site site,
                                 const char *who) {
    nn_program_args args;
    memset(&args, 0, sizeof args);
    args.program.code = code;
    args.program.count = count;
    args.program.input_count = 2;
    args.program.output_count = args.program.scalar_count = 1;
    args.program.output[0] = (uint8_t)(count - 1);
    args.scalars[0] = scalar;
    args.inputs[0] = args.outputs[0] = to->view;
    args.inputs[1] = from->view;
    nn__install_cast(to->nn);
    return nn__run_immediate(site, who, to->nn, to->device, NN_KERNEL_POINTWISE, &args,
                             &args.scratch);
}

/* Blends one f16 or bf16 tensor. It is computed in f32 and rounded once. */
static nn_result nn__blend_half(nn_tensor *to, nn_tensor *from, float tau, nn_site site) {
    static const nn_instruction code[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_SCALAR, 0, 0, 0, 0.0f},   {NN_CODE_SUBTRACT, 1, 0, 0, 0.0f},
        {NN_CODE_MULTIPLY, 3, 2, 0, 0.0f}, {NN_CODE_ADD, 0, 4, 0, 0.0f}};
    nn__install_code_add(to->nn);
    nn__install_code_subtract(to->nn);
    nn__install_code_multiply(to->nn);
    return nn__combine(to, from, tau, code, NN__COUNT(code), site, "nn_blend_weights");
}

/* Blends one tensor. A step of SGD does it in place: with learning rate -tau, `from` as the
   gradient and weight decay -1, it computes p - -tau * (from - p). */
NN_PRIVATE nn_result nn__blend_one(nn_tensor *to, nn_tensor *from, float tau,
                                   const nn_view *status, nn_site site) {
    nn_update_item item;
    nn_update_args args;
    if (tau != 1.0f && nn__is_half(to->view.dtype)) return nn__blend_half(to, from, tau, site);
    if (tau == 1.0f || to->view.dtype != NN_F32) return nn_copy_at(site, to, from);
    memset(&item, 0, sizeof item);
    memset(&args, 0, sizeof args);
    item.parameter = to->view;
    item.gradient = from->view;
    if (status) args.status = *status;
    args.items = &item;
    args.count = 1;
    args.optimizer = NN_SGD;
    args.learning_rate = -tau;
    args.weight_decay = -1.0f;
    args.step = 1;
    return nn__run_immediate(site, "nn_blend_weights", to->nn, to->device, NN_KERNEL_UPDATE, &args,
                             NULL);
}

static nn_result nn__inside_blend_weights(nn_site site, nn_model *to, nn_model *from, float tau) {
    const char *const who = "nn_blend_weights";
    nn_node *a, *b;
    nn_result result;
    if (nn__model_gone(to, site, who) || (from && nn__model_gone(from, site, who)))
        return NN_ERROR_ARGUMENT;
    if (to->faults.count > 0) return nn__fail_faults(to->nn, to->name, &to->faults, NULL);
    if (from && from->faults.count > 0)
        return nn__fail_faults(to->nn, from->name, &from->faults, NULL);
    result = nn__check_averaged(to, site, who);
    if (result == NN_OK) result = nn__check_unmerged(to, site, who);
    if (result == NN_OK) result = nn__materialize(&to->graph, site);
    if (result == NN_OK && from && from->nn == to->nn)
        result = nn__materialize(&from->graph, site);
    if (result == NN_OK) result = nn__blend_check(to, from, tau, site);
    if (result == NN_OK && tau != 1.0f) result = nn__check_untorn(to, site, who);
    if (result == NN_OK) result = nn__check_untorn(from, site, who);
    if (result != NN_OK || tau == 0.0f) return result;
    nn__install_update(to->nn);
    nn__weights_change(to->nn);
    a = nn__blend_next(to->graph.first);
    b = nn__blend_next(from->graph.first);
    for (; a && b && result == NN_OK; a = nn__blend_next(a->next), b = nn__blend_next(b->next))
        result = nn__blend_one(a->tensor, b->tensor, tau, NULL, site);
    if (result == NN_OK) nn__mend(to);
    return result;
}

NN_API nn_result nn_blend_weights_at(nn_site site, nn_model *to, nn_model *from, float tau) {
    return NN__ALONE(to ? to->nn : NULL, "nn_blend_weights", site,
                     nn__inside_blend_weights(site, to, from, tau));
}

#endif /* NN_NO_TRAINING */

typedef int nn__blend_part; /* a part must not be empty under NN_NO_TRAINING */
