/* quantize/net.c - nn_quantize_net: checks, and describes the new model. The order is: find
   the layers, decide which values become integers, measure their ranges, describe the new model,
   compute its integers, compare both models. */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE void *nn__integers_take(nn__integers *q, size_t bytes) {
    void *memory = nn__arena_take(&q->arena, bytes ? bytes : 1);
    if (!memory) nn__fail_memory(q->nn, q->call, bytes);
    return memory;
}

/* ---- describing ------------------------------------------------------------------------------ */

static nn_node *nn__integers_real(nn__integers *q, int at);

/* Returns the shape of a line as an image of height 1; other shapes stay as they are. */
static nn_shape nn__integers_picture(const nn__integers_node *of) {
    nn_shape to = of->node->shape;
    if (!of->image || to.rank != 3) return to;
    to.rank = 4;
    to.extent[3] = to.extent[2];
    to.extent[2] = 1;
    return to;
}
NN_PRIVATE nn_shape nn__integers_shape(const nn__integers_node *of) {
    return of->image ? nn__integers_last(&of->node->shape) : of->node->shape;
}

/* Returns the leaf with the scale of a value, named after its layer. */
static nn_node *nn__integers_leaf(nn__integers *q, nn__integers_node *of, const char *name) {
    if (of->same >= 0) {
        of = nn__integers_scaled(q, (int)(of - q->all));
        name = nn__integers_layer_of(q, (int)(of - q->all))->node->name;
    }
    if (of->leaf) return of->leaf;
    of->leaf = nn__integer_scale_leaf(q->to, of->node->site, name);
    if (of->leaf->poisoned || nn__integers_scale(q, of->leaf, of->scale, of->zero) != NN_OK)
        return nn__poison(q->to);
    return of->leaf;
}

NN_PRIVATE nn_node *nn__integers_leaf_of(nn__integers *q, int at) {
    return nn__integers_leaf(q, &q->all[at], nn__integers_layer_of(q, at)->node->name);
}

NN_PRIVATE nn_result nn__integers_own_scale(nn__integers *q, nn__integers_node *value,
                                            const char *name) {
    if (value->same >= 0) return NN_OK;
    return nn__integers_leaf(q, value, name)->poisoned ? NN_ERROR_MEMORY : NN_OK;
}

NN_PRIVATE nn_node *nn__integers_whole(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at];
    if (of->made || !of->entry) return of->made;
    const int from = of->way == NN__WAY_FAKE ? of->x : at; /* names do not depend on the way */
    const nn_node *input = q->all[from].node;
    const nn_shape shape = nn__integers_shape(of), picture = nn__integers_picture(of);
    if (q->all[from].given == at) {
        of->made = nn_input_at(input->site, q->to, input->name, NN_I8, shape);
        of->made->order = input->order;
        return nn__integers_leaf(q, of, input->name)->poisoned ? NULL : of->made;
    }
    nn_node *x = nn__integers_real(q, from);
    if (!x) return NULL;
    if (picture.rank != x->shape.rank) x = nn_reshape_at(of->node->site, q->to, x, picture);
    of->made = nn__integer_quantize(q->to, of->node->site, input->name, x,
                                    nn__integers_leaf(q, of, input->name), of->image, &shape);
    return of->made;
}

/* Returns the f32 value of the integers of a value. A flattened image has its channels last: it
   becomes an image again on the way. NULL: no memory. */
static nn_node *nn__integers_from_whole(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at], *scaled = nn__integers_scaled(q, at);
    const nn_site site = of->node->site;
    nn_node *x = nn__integers_whole(q, at);
    if (!x || x->poisoned) return NULL;
    const char *name = x->name;
    nn_shape picture = nn__integers_picture(of);
    if (of->flat[0]) {
        picture.rank = 4;
        for (int i = 0; i < 3; i++) picture.extent[1 + i] = of->flat[i];
        x = nn_reshape_at(site, q->to, x, nn__integers_last(&picture));
    }
    nn_node *made = nn__integer_dequantize(q->to, site, name, x, nn__integers_leaf(q, scaled, name),
                                           of->image || of->flat[0], &picture);
    if (picture.rank != of->node->shape.rank)
        made = nn_reshape_at(site, q->to, made, of->node->shape);
    if (made->poisoned) return NULL;
    made->order = of->node->order;
    made->keep = of->node->keep;
    return made;
}

/* Returns the f32 value in the new model: a copy, or from integers. NULL: no memory. */
static nn_node *nn__integers_real(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at];
    nn_node **made = &q->copy.nodes[at];
    if (*made) return *made;
    if (of->given >= 0) { /* something in f32 reads it, too */
        nn__integers_node *entry = &q->all[of->given];
        nn_node *x = nn__integers_whole(q, of->given);
        if (!x) return NULL;
        const nn_shape picture = nn__integers_picture(entry);
        *made = nn__integer_dequantize(q->to, of->node->site, x->name, x,
                                       nn__integers_leaf(q, entry, x->name), entry->image,
                                       &picture);
        if (picture.rank != of->node->shape.rank)
            *made = nn_reshape_at(of->node->site, q->to, *made, of->node->shape);
        return (*made)->poisoned ? (*made = NULL) : *made;
    }
    if (of->whole && (!of->entry || of->way == NN__WAY_FAKE) && (!of->flat[0] || of->learned))
        return *made = nn__integers_from_whole(q, at);
    if (of->node->owner) {
        nn__integers_node *owner = &q->all[nn__integers_at_node(q, of->node->owner)];
        if (owner->way == NN__WAY_RECURRENT) {
            *made = nn__integers_last_state(q, owner);
            return (*made)->poisoned ? (*made = NULL) : *made;
        }
    }
    for (int i = 0; i < of->node->input_count; i++)
        if (!nn__integers_real(q, nn__integers_at_node(q, of->node->inputs[i]))) return NULL;
    if (of->node->owner) /* the owner makes its further outputs, such as this one */
        return nn__integers_real(q, nn__integers_at_node(q, of->node->owner)) ? *made : NULL;
    *made = nn__copy_node(&q->copy, of->node);
    for (nn_node *more = of->node->more; more && *made; more = more->more) {
        const int next = nn__integers_at_node(q, more);
        q->copy.nodes[next] = nn__copy_node(&q->copy, more);
        if (!q->copy.nodes[next]) return NULL;
    }
    return *made;
}

static nn_result nn__integers_build_layer(nn__integers *q, nn__integers_node *of) {
    nn__integers_node *value = &q->all[of->value];
    nn_node *x = nn__integers_whole(q, of->x);
    const int32_t *from = q->all[of->weight].node->shape.extent, groups = of->window.groups;
    const nn_shape shape = nn__integers_shape(value);
    nn_shape weight;
    if (!x) return NN_ERROR_MEMORY;
    memset(&weight, 0, sizeof weight);
    weight.rank = 4;
    weight.extent[0] = nn__integers_outputs(q, of);
    weight.extent[1] = of->window.kernel_h;
    weight.extent[2] = of->window.kernel_w;
    weight.extent[3] = of->transposed ? from[0] / groups : from[of->turned ? 0 : 1];
    if (nn__integers_is_depthwise(q, of)) {
        weight.rank = 3;
        weight.extent[0] = of->window.kernel_h;
        weight.extent[1] = of->window.kernel_w;
        weight.extent[2] = from[0];
        weight.extent[3] = 0;
    }
    value->made = nn__integer_conv2d(q->to, of->node->site, of->node->name, x, &weight, &of->window,
                                     of->way == NN__WAY_LINEAR ? NN__INTEGER_LINEAR
                                     : of->transposed          ? NN__INTEGER_TRANSPOSED
                                                               : NN__INTEGER_CONV,
                                     &shape);
    if (value->made->poisoned) return NN_ERROR_MEMORY;
    nn_result result = nn__integers_layer(q, of, value->made);
    return result == NN_OK ? nn__integers_own_scale(q, value, of->node->name) : result;
}

static nn_result nn__integers_build_add(nn__integers *q, nn__integers_node *of) {
    nn__integers_node *value = &q->all[of->value];
    nn_node *a = nn__integers_whole(q, of->x), *b = nn__integers_whole(q, of->other);
    if (!a || !b) return NN_ERROR_MEMORY;
    value->made = nn__integer_add(q->to, of->node->site, of->node->name, a, b);
    if (value->made->poisoned) return NN_ERROR_MEMORY;
    nn_result result = nn__integers_sum(q, of, value->made);
    return result == NN_OK ? nn__integers_own_scale(q, value, of->node->name) : result;
}

static nn_result nn__integers_build_product(nn__integers *q, nn__integers_node *of) {
    nn__integers_node *value = &q->all[of->value];
    nn_node *a = nn__integers_whole(q, of->x), *b = nn__integers_whole(q, of->other);
    if (!a || !b) return NN_ERROR_MEMORY;
    if (!nn__equal_shapes(&a->shape, &b->shape) && b->shape.extent[3] != a->shape.extent[3]) {
        const nn_shape last = nn__integers_last(&b->shape);
        b = nn_reshape_at(of->node->site, q->to, b, last);
    }
    value->made = nn__integer_multiply(q->to, of->node->site, of->node->name, a, b);
    if (value->made->poisoned) return NN_ERROR_MEMORY;
    nn_result result = nn__integers_product(q, of, value->made);
    return result == NN_OK ? nn__integers_own_scale(q, value, of->node->name) : result;
}

static nn_result nn__integers_build_table(nn__integers *q, nn__integers_node *of) {
    nn__integers_node *value = &q->all[of->value];
    nn_node *x = nn__integers_whole(q, of->x);
    if (!x) return NN_ERROR_MEMORY;
    value->made = nn__integer_table(q->to, of->node->site, of->node->name, x);
    if (value->made->poisoned) return NN_ERROR_MEMORY;
    nn_result result = nn__integers_table(q, of, value->made);
    return result == NN_OK ? nn__integers_own_scale(q, value, of->node->name) : result;
}

static nn_result nn__integers_build_one(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at];
    const bool layer = of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR;
    nn_shape shape;
    if (layer) return nn__integers_build_layer(q, of);
    if (of->way == NN__WAY_ADD) return nn__integers_build_add(q, of);
    if (of->way == NN__WAY_MULTIPLY) return nn__integers_build_product(q, of);
    if (of->way == NN__WAY_TABLE) return nn__integers_build_table(q, of);
    if (of->way == NN__WAY_SOFTMAX) return nn__integers_build_softmax(q, of);
    if (of->way == NN__WAY_CONCAT) return nn__integers_build_concat(q, of);
    if (of->way == NN__WAY_RECURRENT) return nn__integers_build_recurrent(q, of);
    if (of->way == NN__WAY_PART) return NN_OK;
    if (of->whole && !of->entry) { /* a pool, a slice, an alias ... */
        nn_node *x = nn__integers_whole(q, of->x);
        if (!x) return NN_ERROR_MEMORY;
        shape = nn__integers_shape(of);
        if (of->way == NN__WAY_RESIZE) return nn__integers_build_resize(q, of, x, &shape);
        if (of->way == NN__WAY_SLICE) return nn__integers_build_slice(q, of, x);
        if (of->way == NN__WAY_ALIAS) {
            of->made = nn__equal_shapes(&shape, &x->shape)
                           ? x
                           : nn_reshape_at(of->node->site, q->to, x, shape);
            return of->made->poisoned ? NN_ERROR_MEMORY : NN_OK;
        }
        of->made = nn__integer_pool2d(q->to, of->node->site, of->node->name, x, &of->pool, &shape);
        return of->made->poisoned ? NN_ERROR_MEMORY : nn__integers_pool(q, of, of->made);
    }
    if (of->whole && of->way == NN__WAY_FAKE) return NN_OK;
    if (of->given >= 0) return nn__integers_whole(q, of->given) ? NN_OK : NN_ERROR_MEMORY;
    const bool copied = of->node->kind == NN__INPUT ||
                        (of->node->kind == NN__OPERATION && !nn__has_effect(of->node));
    return !copied || nn__integers_real(q, at) ? NN_OK : NN_ERROR_MEMORY;
}

/* Adds to the new model the results of nn_output whose nodes it has. */
static nn_result nn__integers_results(nn__integers *q) {
    for (const nn__result *from = q->net->results; from; from = from->next) {
        nn_node *node = nn__copy_of(&q->copy, from->node),
                *result = nn__copy_of(&q->copy, from->result);
        if (node && result) nn__add_result(node, from->k, result);
    }
    return NN_OK;
}

/* Reports a buffer of a layer that has the name of another tensor of the new model. */
static nn_result nn__integers_check_names(nn__integers *q) {
    for (const nn_node *node = q->to->graph.first; node; node = node->next) {
        if (!nn__is_saved(node)) continue;
        const nn_node *other = *nn__leaf_list(&q->to->graph, node->name);
        for (; other; other = nn__next_leaf(other))
            if (other != node && nn__is_saved(other) && strcmp(other->name, node->name) == 0)
                return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                                   "%s: \"%s\" would be two tensors, one of the model "
                                   "\"%s\" and one of a layer in integers; give one another name",
                                   q->call, node->name, q->net->name);
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__integers_build(nn__integers *q) {
    nn_result result = NN_OK;
    nn__integers_find_given(q);
    for (int i = 0; i < q->count && result == NN_OK; i++)
        result = q->train ? nn__integers_train_one(q, i) : nn__integers_build_one(q, i);
    for (int i = 0; i < q->count && result == NN_OK && !q->train; i++) {
        const nn__integers_node *of = &q->all[i];
        const bool value = of->whole && of->same < 0 && !of->entry;
        if ((of->output || value) && !nn__integers_real(q, i)) result = NN_ERROR_MEMORY;
    }
    if (result == NN_OK && !q->train) result = nn__integers_keep_outputs(q);
    if (result == NN_OK) result = nn__integers_results(q);
    if (q->to->faults.count > 0) /* such as two buffers of one name */
        result = nn__fail_faults(q->nn, q->to->name, &q->to->faults, NULL);
    else if (result == NN_ERROR_MEMORY)
        nn__fail_memory(q->nn, q->call, sizeof(nn_node));
    if (result == NN_OK) result = nn__integers_check_names(q);
    q->nn->cross = nn__cross;
    if (result == NN_OK) result = nn__materialize(&q->to->graph, q->site);
    for (nn_node *node = q->to->graph.first; node; node = node->next) {
        if (node->source) nn__unuse_tensor(node->source);
        node->source = NULL;
    }
    for (const nn__integers_fill_one *fill = q->fills; fill && result == NN_OK; fill = fill->next)
        result = nn__upload(q->nn, fill->node->device, &fill->node->tensor->view, fill->data,
                            fill->bytes, "quantize", q->site, NULL);
    nn__weights_change(q->nn);
    return result;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static nn_result nn__integers_check_model(nn__integers *q) {
    const nn_model *net = q->net;
    const char *cause = NULL, *fix = NULL;
    if (net->faults.count > 0) return nn__fail_faults(net->nn, net->name, &q->net->faults, NULL);
    if (net->adapters) cause = "has adapters", fix = "call nn_merge_lora first";
    if (q->train && net->prepared)
        cause = "is prepared already", fix = "train it, or give the original";
    if (net->gradients) cause = "has gradients as nodes", fix = "describe the net without them";
#ifndef NN_NO_MIXED_PRECISION
    if (net->quantizer) cause = "has the 8-bit weights of nn_quantize", fix = "leave that out";
#endif
    for (const nn_node *node = net->graph.first; node && !cause; node = node->next)
        if (nn__is_state(node))
            cause = "has a value that lives from run to run (.stateful, .streaming, nn_state)",
            fix = "integers have no states; quantise a model without it";
    if (cause)
        return nn__fail_at(q->nn, q->site, NN_ERROR_UNSUPPORTED, "%s: the model \"%s\" %s; %s",
                           q->call, net->name, cause, fix);
    if ((q->desc.equalize || q->desc.correct_bias) && (q->train || net->prepared))
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: .%s is for nn_quantize_net of an f32 model; training learns the "
                           "weights and scales of the model \"%s\"",
                           q->call, q->desc.equalize ? "equalize" : "correct_bias", net->name);
    if (q->train && (q->desc.integer_inputs || q->desc.integer_outputs))
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: .%s is for nn_quantize_net; a model is trained in f32", q->call,
                           q->desc.integer_inputs ? "integer_inputs" : "integer_outputs");
    if (q->desc.correct_bias && !q->loader)
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: .correct_bias measures errors, but there is no loader; give one, "
                           "or leave it out to load the weights of a file",
                           q->call);
    if (q->loader && q->loader->nn != q->nn)
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: the loader and the model belong to different contexts", q->call);
    if ((unsigned)q->desc.calibration > NN_CALIBRATION_ENTROPY)
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: calibration is %d; wanted an nn_calibration", q->call,
                           (int)q->desc.calibration);
    if (!(q->desc.percentile >= 0.0f && q->desc.percentile <= 100.0f))
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: percentile is %g; wanted more than 0, up to 100", q->call,
                           (double)q->desc.percentile);
    if (q->desc.batches < 0)
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: batches is %d; wanted at least 1, or 0 for all", q->call,
                           q->desc.batches);
    if (!nn__check_list(q->nn, q->site, q->call, "skip", q->desc.skip.text, q->desc.skip.count,
                        true) ||
        !nn__check_list(q->nn, q->site, q->call, "outputs", q->desc.outputs.node,
                        q->desc.outputs.count, true))
        return NN_ERROR_ARGUMENT;
    nn_result result = nn__check_slicing(q->nn, net->slicing, NULL, false, q->site, q->call);
    if (result == NN_OK) result = nn__check_untorn(net, q->site, q->call);
    return result == NN_OK ? nn__materialize(&q->net->graph, q->site) : result;
}

static nn_result nn__integers_list(nn__integers *q) {
    size_t count = 0;
    for (const nn_node *node = q->net->graph.first; node; node = node->next) count++;
    q->all = (nn__integers_node *)nn__integers_take(q, sizeof *q->all * count);
    q->orders = (int *)nn__integers_take(q, sizeof *q->orders * count);
    q->places = (int *)nn__integers_take(q, sizeof *q->places * count);
    q->copy.nodes = (nn_node **)nn__integers_take(q, sizeof *q->copy.nodes * count);
    if (!q->all || !q->orders || !q->places || !q->copy.nodes) return NN_ERROR_MEMORY;
    for (nn_node *node = q->net->graph.first; node; node = node->next) {
        nn__integers_node *of = &q->all[q->count];
        of->node = node;
        of->x = of->other = of->reader = of->weight = of->bias = of->mean = of->variance = -1;
        of->value = of->norm = of->clamp = of->same = -1;
        int at = q->count++; /* nodes of nn_prepare_qat come in no order */
        for (; at > 0 && q->orders[at - 1] > node->order; at--)
            q->orders[at] = q->orders[at - 1], q->places[at] = q->places[at - 1];
        q->orders[at] = node->order;
        q->places[at] = q->count - 1;
        if (node->kind == NN__OPERATION && node->rule->kernel == NN_KERNEL_INTEGER_CONV2D)
            return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                               "%s: the model \"%s\" is quantised already; give the "
                               "original",
                               q->call, q->net->name);
    }
    return NN_OK;
}

static nn_result nn__integers_any(const nn__integers *q) {
    const nn__integers_node *layer = NULL;
    for (int i = 0; i < q->count; i++) {
        const nn__integers_node *of = &q->all[i];
        if (of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR || of->way == NN__WAY_RECURRENT)
            return NN_OK;
        if (!layer && of->way == NN__WAY_REAL && of->weight >= 0 && of->why) layer = of;
    }
    if (layer)
        return nn__fail_at(q->nn, q->site, NN_ERROR_UNSUPPORTED,
                           "%s: no layer of the model \"%s\" can compute in integers; \"%s\" "
                           "cannot: %s",
                           q->call, q->net->name, layer->node->name, layer->why);
    return nn__fail_at(q->nn, q->site, NN_ERROR_UNSUPPORTED,
                       "%s: the model \"%s\" has no layer that can compute in "
                       "integers: linear or conv2d of f32 values",
                       q->call, q->net->name);
}

static nn_result nn__integers_model(nn__integers *q) {
    nn_model_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.device = q->net->device;
    desc.name = q->desc.name ? q->desc.name : q->net->name;
    desc.seed = q->net->seed;
    q->to = nn_make_model_at(q->site, q->nn, &desc);
    if (!q->to) return NN_ERROR_MEMORY;
    q->to->device_is_default = q->net->device_is_default;
    q->to->streams = q->net->streams;
    q->to->order = q->to->copied = q->net->order;
    q->to->original = q->net;
    q->to->prepared = q->train;
    q->copy.from = q->net;
    q->copy.to = q->to;
    q->copy.orders = q->orders;
    q->copy.places = q->places;
    q->copy.count = q->count;
    return NN_OK;
}

static nn_model *nn__inside_quantize_net(nn_site site, nn_model *net, nn_loader *loader,
                                         const nn_quantize_net_desc *desc, const char *call,
                                         bool train) {
    nn__integers q;
    if (nn__model_gone(net, site, call)) return NULL;
    memset(&q, 0, sizeof q);
    q.call = call;
    q.train = train;
    q.nn = net->nn;
    q.net = net;
    q.loader = loader;
    q.site = site;
    q.arena.memory = &net->nn->memory;
    if (desc) q.desc = *desc;
    nn_result result = nn__integers_check_model(&q);
    if (result == NN_OK) result = nn__integers_list(&q);
    if (result == NN_OK) result = nn__integers_find(&q);
    if (result == NN_OK) result = nn__integers_decide(&q);
    if (result == NN_OK) result = nn__integers_any(&q);
    if (result == NN_OK) result = nn__integers_choose_bits(&q);
    if (result == NN_OK && q.desc.equalize) result = nn__integers_equalize(&q);
    if (result == NN_OK) result = nn__integers_measure(&q);
    if (result == NN_OK) result = nn__integers_model(&q);
    if (result == NN_OK) result = nn__integers_build(&q);
    if (result == NN_OK && q.desc.correct_bias) result = nn__integers_correct(&q);
    if (result == NN_OK) result = nn__integers_report(&q);
    if (result != NN_OK && q.to) {
        nn__disown(&q.to->owned);
        nn__model_destroy(&q.to->owned);
        q.to = NULL;
    }
    nn__arena_free(&q.arena);
    return q.to;
}

NN_API nn_model *nn_quantize_net_at(nn_site site, nn_model *net, nn_loader *loader,
                                    const nn_quantize_net_desc *desc) {
    static const char *const call = "nn_quantize_net";
    nn_context *nn = net ? net->nn : NULL;
    if (!nn__enter(nn, call, site)) return NULL;
    nn_model *made = nn__inside_quantize_net(site, net, loader, desc, call, false);
    nn__leave(nn, NN_OK);
    return made;
}

NN_API nn_model *nn_prepare_qat_at(nn_site site, nn_model *net, nn_loader *loader,
                                   const nn_quantize_net_desc *desc) {
    static const char *const call = "nn_prepare_qat";
    nn_context *nn = net ? net->nn : NULL;
    if (!nn__enter(nn, call, site)) return NULL;
    nn_model *made = nn__inside_quantize_net(site, net, loader, desc, call, true);
    nn__leave(nn, NN_OK);
    return made;
}
#endif

typedef int nn__integers_net_part; /* a part must not be empty under NN__NO_TRAINER */
