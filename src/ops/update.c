/* ops/update.c - the nodes of an update, which only trainers add: the optimizer's step and gradient
   clipping. SGD, Adam and AdamW have a kernel; the other optimizers are programs
   (ops/recipe.c). */
#include "ops/private.h"

#ifndef NN_NO_TRAINING

/* ---- update ---------------------------------------------------------------------------------- */

static bool nn__op_update_has_moment1(const nn__update_params *p) {
    return p->optimizer != NN_SGD || p->momentum != 0.0f;
}
static bool nn__op_update_has_moment2(const nn__update_params *p) { return p->optimizer != NN_SGD; }

static void nn__op_update_cut(nn_view *view, int32_t first, int32_t count) {
    if (!nn__present(view)) return;
    view->offset += (uint64_t)first * sizeof(float);
    memset(&view->shape, 0, sizeof view->shape);
    view->shape.rank = 1;
    view->shape.extent[0] = count;
}

static void nn__op_update_lower(const nn_node *node, const nn__lowering *lowering,
                                nn__args *arguments) {
    const nn__update_params *p = (const nn__update_params *)node->params;
    nn_update_args *args = &arguments->update;
    const int stride = 2 + nn__op_update_has_moment1(p) + nn__op_update_has_moment2(p);
    const int count = p->part_count ? p->part_count : p->count;
    if (lowering->renewed) { /* another plan may have filled in the items since */
        *lowering->renewed = *p->items_of == arguments;
        args->learning_rate = lowering->values->learning_rate * p->rate_factor;
        args->step = lowering->values->step;
        return;
    }
    *p->items_of = arguments;
    memset(args, 0, sizeof *args);
    for (int i = 0; i < count; i++) {
        const nn__update_part *part = p->part_count ? &p->parts[i] : NULL;
        const nn_view *view = lowering->inputs + stride * (part ? part->item : i);
        nn_update_item *item = &p->items[i];
        memset(item, 0, sizeof *item);
        item->parameter = *view++;
        item->gradient = *view++;
        item->gradient.shape = item->parameter.shape;
        if (nn__op_update_has_moment1(p)) item->moment1 = *view++;
        if (nn__op_update_has_moment2(p)) item->moment2 = *view++;
        if (!part) continue;
        nn__op_update_cut(&item->parameter, part->first, part->count);
        nn__op_update_cut(&item->gradient, part->first, part->count);
        nn__op_update_cut(&item->moment1, part->kept, part->count);
        nn__op_update_cut(&item->moment2, part->kept, part->count);
    }
    if (stride * p->count < node->input_count)
        args->gradient_scale = lowering->inputs[stride * p->count];
    args->items = p->items;
    args->count = count;
    args->optimizer = p->optimizer;
    args->learning_rate = lowering->values->learning_rate * p->rate_factor;
    args->weight_decay = p->weight_decay;
    args->momentum = p->momentum;
    args->dampening = p->dampening;
    args->beta1 = p->beta1;
    args->beta2 = p->beta2;
    args->epsilon = p->epsilon;
    args->nesterov = p->nesterov;
    args->step = lowering->values->step;
    args->status = lowering->status;
}

static NN__UNUSED double nn__op_update_flops(const nn_node *node, const nn__lowering *lowering) {
    double sum = 0.0;
    (void)node;
    for (int i = 0; i < node->input_count; i++) sum += (double)nn__count(&lowering->inputs[i]);
    return 2.0 * sum;
}

/* True for the parameter and the moments of each item, but not for gradients and the scale. */
static bool nn__op_update_writes(const nn_node *node, int input) {
    const nn__update_params *p = (const nn__update_params *)node->params;
    const int stride = 2 + nn__op_update_has_moment1(p) + nn__op_update_has_moment2(p);
    return input < stride * p->count && input % stride != 1;
}

static const nn__rule nn__rule_update = {
    "update",           NN_KERNEL_UPDATE,    NN__DYNAMIC | NN__RENEWS | NN__EFFECT | NN__STATUS,
    NN_ACTIVATION_NONE, nn__op_update_lower, NULL,
    NN__FLOPS(nn__op_update_flops), NULL, nn__op_update_writes};

NN_PRIVATE nn_shape nn__op_number(void) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    return shape;
}

static nn_node *nn__op_update_no_memory(nn__tape *tape, uint64_t bytes) {
    nn__fail_memory(tape->nn, "an update", bytes);
    tape->failed = true;
    return nn__poison(tape->graph->model);
}

NN_PRIVATE nn_node *nn__add_update(nn__tape *tape, nn_site site, nn_node *const *parameters,
                                   nn_node *const *gradients, nn_node *const *moments,
                                   nn_node *scale, const nn__update_params *params) {
    nn__update_params p = *params;
    size_t most = (size_t)p.count * 4 + 1;
    nn_node **inputs = (nn_node **)nn__arena_take(&tape->graph->arena, most * sizeof(nn_node *)),
            *node;
    const size_t items = sizeof(nn_update_item) * (size_t)nn__maxi(p.count, p.part_count);
    int count = 0;
    if (p.optimizer == NN_OPTIMIZER_DEFAULT) p.optimizer = NN_SGD;
    p.items = (nn_update_item *)nn__arena_take(&tape->graph->arena, items);
    p.items_of = (const nn__args **)nn__arena_take(&tape->graph->arena, sizeof *p.items_of);
    if (!inputs || !p.items || !p.items_of) return nn__op_update_no_memory(tape, (uint64_t)items);
    for (int i = 0; i < p.count; i++) {
        inputs[count++] = parameters[i];
        inputs[count++] = gradients[i];
        for (int k = nn__op_update_has_moment1(&p) + nn__op_update_has_moment2(&p); k > 0; k--)
            inputs[count++] = *moments++;
    }
    if (scale) inputs[count++] = scale;
    nn__install_update(tape->nn);
    node = nn__add_node(tape->graph, site, &nn__rule_update, "update", NULL, inputs, NULL, count,
                        NN_F32, nn__op_number(), &p, sizeof p);
    if (node->poisoned) tape->failed = true;
    return node;
}

/* ---- clip ------------------------------------------------------------------------------------ */

static void nn__op_clip_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn__update_params *p = (const nn__update_params *)node->params;
    memset(&args->clip, 0, sizeof args->clip);
    for (int i = 0; i < p->count; i++) {
        memset(&p->items[i], 0, sizeof p->items[i]);
        p->items[i].gradient = lowering->inputs[i];
    }
    args->clip.items = p->items;
    args->clip.count = p->count;
    args->clip.max_norm = p->max_norm;
    args->clip.scale = lowering->output;
    args->clip.scratch = lowering->scratch;
}

/* Dynamic, because another plan may have filled the node's items since. */
static const nn__rule nn__rule_clip = {
    "clip", NN_KERNEL_CLIP, NN__DYNAMIC, NN_ACTIVATION_NONE, nn__op_clip_lower, NULL,
    NN__FLOPS(nn__op_update_flops), NULL, NULL};

NN_PRIVATE nn_node *nn__add_clip(nn__tape *tape, nn_site site, nn_node *const *gradients, int count,
                                 float max_norm) {
    nn__update_params p;
    nn_node *node;
    memset(&p, 0, sizeof p);
    p.count = count;
    p.max_norm = max_norm;
    p.items = (nn_update_item *)nn__arena_take(&tape->graph->arena,
                                               (size_t)count * sizeof(nn_update_item));
    if (!p.items) return nn__op_update_no_memory(tape, (uint64_t)count * sizeof(nn_update_item));
    nn__install_update(tape->nn);
    node = nn__add_node(tape->graph, site, &nn__rule_clip, "clip", NULL, gradients, NULL, count,
                        NN_F32, nn__op_number(), &p, sizeof p);
    if (node->poisoned) tape->failed = true;
    return node;
}

#endif /* NN_NO_TRAINING */
