/* quantize/train.c - nn_prepare_qat: the copy of a net that computes in f32 what
   nn_quantize_net computes in integers, with gradients. A layer rounds its weight, and each value
   that will be integers is rounded with a scale that is learned. */
#include "ops/program.h"
#include "quantize/private.h"

#ifndef NN__NO_TRAINER
#include "ops/fake_quantize.h"
#include "ops/reduce.h"
#include "ops/table.h"

/* Returns the learned scale of a value: exp(name.log_scale). Its gradient is divided by
   sqrt(elements of a sample * 127), so that it is not larger than those of weights. Source: Esser
   et al., section 2.2; for the logarithm: Jain et al., "Trained Quantization Thresholds", 2020. */
static nn_node *nn__integers_learned(nn__integers *q, nn__integers_node *of, const char *name) {
    const nn_site site = of->node->site;
    char text[2 * NN_NAME_BYTES];
    nn_shape one;
    float numbers[2];
    if (of->leaf) return of->leaf;
    memset(&one, 0, sizeof one);
    one.rank = 1;
    one.extent[0] = 1;
    numbers[0] = (float)nn__log((double)of->scale); /* not log: the same bytes everywhere */
    numbers[1] = (float)of->zero;
    nn__join_text(text, sizeof text, name, ".", "log_scale");
    nn_node *log_scale = nn_parameter_at(site, q->to, text, one, 0.0f, 0.0f);
    nn__join_text(text, sizeof text, name, ".", "zero_point");
    of->zeros = nn_buffer_at(site, q->to, text, NN_F32, one, 0.0);
    if (nn__integers_numbers(q, log_scale, &numbers[0], 1) != NN_OK ||
        nn__integers_numbers(q, of->zeros, &numbers[1], 1) != NN_OK)
        return nn__poison(q->to);
    const double elements = (double)nn__node_bytes(of->node, 1, 1) / sizeof(float);
    const float part = (float)(1.0 / sqrt(elements * 127.0));
    nn_node *gentle = nn_scale_at(site, q->to, log_scale, part);
    gentle = nn_subtract_at(site, q->to, gentle, nn_detach_at(site, q->to, gentle));
    gentle = nn_add_at(site, q->to, nn_detach_at(site, q->to, log_scale), gentle);
    return of->leaf = nn_exp_at(site, q->to, gentle);
}

/* Returns the value of a node as its integers will represent it. name: of its layer. */
static nn_node *nn__integers_rounded(nn__integers *q, int at, const char *name, nn_node *x) {
    nn__integers_node *scaled = nn__integers_scaled(q, at);
    if (scaled != &q->all[at]) name = nn__integers_layer_of(q, (int)(scaled - q->all))->node->name;
    nn_node *scale = nn__integers_learned(q, scaled, name);
    return nn_fake_quantize_at(q->all[at].node->site, q->to, x, scale, scaled->zeros, NULL);
}

/* Copies a node and what it reads. A copy that stands for no node of the original has an order of
   its own. */
static nn_node *nn__integers_copy(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at];
    nn_node **made = &q->copy.nodes[at];
    if (*made) return *made;
    if (of->node->owner) {
        if (!nn__integers_copy(q, nn__integers_at_node(q, of->node->owner))) return NULL;
        return *made ? *made : (*made = nn__copy_node(&q->copy, of->node));
    }
    for (int i = 0; i < of->node->input_count; i++)
        if (!nn__integers_copy(q, nn__integers_at_node(q, of->node->inputs[i]))) return NULL;
    return *made = nn__copy_node(&q->copy, of->node);
}

/* True for a flattened value that an operation in f32 reads, too. nn_quantize_net gives that
   operation the exact value, because integers have another order of elements. */
static bool nn__integers_is_split(const nn__integers *q, int at) {
    const nn__integers_node *of = &q->all[at];
    if (of->way != NN__WAY_ALIAS || !of->whole || of->entry || !of->flat[0]) return false;
    if (of->output) return true;
    for (int k = 0; k < q->count; k++) {
        const nn__integers_node *reader = &q->all[k];
        if (reader->node->kind != NN__OPERATION ||
            (reader->way != NN__WAY_REAL && (reader->way != NN__WAY_ALIAS || reader->whole)))
            continue;
        for (int i = 0; i < reader->node->input_count; i++)
            if (reader->node->inputs[i] == of->node) return true;
    }
    return false;
}

/* Returns what a layer reads: an entry is rounded for it alone. */
static nn_node *nn__integers_operand(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at];
    nn_node *x = nn__integers_copy(q, at);
    if (x && nn__integers_is_split(q, at)) {
        nn_node *from = of->made ? NULL : nn__integers_operand(q, of->x);
        if (from) of->made = nn_reshape_at(of->node->site, q->to, from, of->node->shape);
        return of->made && !of->made->poisoned ? of->made : NULL;
    }
    if (!x || !of->entry) return x;
    if (!of->made) of->made = nn__integers_rounded(q, at, of->node->name, x);
    return of->made;
}

/* Copies an operation that reads rounded values. The roundings are described before it, because a
   plan computes nodes in the order of their description. */
static nn_node *nn__integers_copy_reader(nn__integers *q, int at) {
    const nn_node *node = q->all[at].node;
    for (int k = 0; k < node->input_count; k++)
        if (!nn__integers_operand(q, nn__integers_at_node(q, node->inputs[k]))) return NULL;
    nn_node *made = nn__integers_copy(q, at);
    for (int k = 0; made && k < node->input_count; k++)
        made->inputs[k] = nn__integers_operand(q, nn__integers_at_node(q, node->inputs[k]));
    return made;
}

/* Rounds a weight, with a scale for each output channel: its largest absolute value / 127,
   or / 7. */
static nn_node *nn__integers_round_weight(nn__integers *q, const nn__integers_node *layer,
                                          nn_node *weight) {
    const nn_site site = layer->node->site;
    nn_fake_quantize_desc desc;
    nn_axes axes;
    memset(&desc, 0, sizeof desc);
    memset(&axes, 0, sizeof axes);
    desc.axis = layer->turned || layer->transposed ? 1 : 0;
    desc.quant_min = (float)-layer->levels;
    desc.quant_max = (float)layer->levels;
    for (int i = 0; i < weight->shape.rank; i++)
        if (i != desc.axis) axes.axis[axes.count++] = i;
    nn_node *largest =
        nn_reduce_at(site, q->to, NN_MAX, nn_abs_at(site, q->to, weight), axes, false);
    nn_node *scale =
        nn_scale_at(site, q->to, nn_clamp_min_at(site, q->to, largest, 1e-30f),
                    1.0f / (float)layer->levels);
    return nn_fake_quantize_at(site, q->to, weight, nn_detach_at(site, q->to, scale), NULL, &desc);
}

/* Copies weight and bias, and folds the batch norm into them. */
static nn_result nn__integers_parameters(nn__integers *q, nn__integers_node *of, nn_node **weight,
                                         nn_node **bias) {
    const nn_node *from = q->all[of->weight].node;
    const size_t all = nn__node_bytes(from, 1, 1) / sizeof(float);
    const size_t K = (size_t)nn__integers_outputs(q, of);
    const bool again = q->copy.nodes[of->weight] != NULL;
    char text[2 * NN_NAME_BYTES];
    nn_shape shape;
    *weight = nn__integers_copy(q, of->weight);
    *bias = of->bias >= 0 ? nn__integers_copy(q, of->bias) : NULL;
    if (!*weight || (of->bias >= 0 && !*bias)) return NN_ERROR_MEMORY;
    if (of->norm < 0) return NN_OK;
    if (again || q->all[of->weight].readers > 1)
        return nn__fail_at(q->nn, q->site, NN_ERROR_UNSUPPORTED,
                           "%s: \"%s\" shares its weight with another operation, so the batch norm "
                           "after it cannot become a part of it; name the layer in .skip",
                           q->call, of->node->name);
    float *numbers = nn__integers_read(q, of->weight, all, 0.0f),
          *offsets = numbers ? nn__integers_read(q, of->bias, K, 0.0f) : NULL;
    if (!offsets || !nn__integers_fold(q, of, numbers, offsets, K, all / K))
        return nn_error_code(q->nn) < 0 ? nn_error_code(q->nn) : NN_ERROR_MEMORY;
    if (!*bias) {
        memset(&shape, 0, sizeof shape);
        shape.rank = 1;
        shape.extent[0] = (int32_t)K;
        nn__join_text(text, sizeof text, of->node->name, ".", "bias");
        *bias = nn_parameter_at(of->node->site, q->to, text, shape, 0.0f, 0.0f);
    }
    nn_result result = nn__integers_numbers(q, *weight, numbers, all);
    return result == NN_OK ? nn__integers_numbers(q, *bias, offsets, K) : result;
}

/* Describes a layer: its node, with a rounded weight, and perhaps a bias that it did not have. */
static nn_result nn__integers_train_layer(nn__integers *q, nn__integers_node *of) {
    const int at = (int)(of - q->all), input = of->node->input_count;
    nn_node *weight, *bias, *x = nn__integers_operand(q, of->x);
    nn_result result = nn__integers_parameters(q, of, &weight, &bias);
    if (result != NN_OK || !x) return result != NN_OK ? result : NN_ERROR_MEMORY;
    nn_node *rounded = nn__integers_round_weight(q, of, weight);
    nn_node *made = nn__copy_node(&q->copy, of->node);
    nn_node **inputs =
        (nn_node **)nn__arena_take(&q->to->graph.arena, sizeof *inputs * (size_t)(input + 1));
    if (!made || !inputs || rounded->poisoned) return NN_ERROR_MEMORY;
    memcpy(inputs, made->inputs, sizeof *inputs * (size_t)input);
    inputs[0] = x;
    inputs[1] = rounded;
    made->inputs = inputs;
    if (bias) inputs[2] = bias, made->input_count = 3;
    made->order = q->to->order++;
    q->copy.nodes[at] = made;
    if (of->norm >= 0) q->copy.nodes[of->norm] = made;
    return NN_OK;
}

/* Rounds the result of a layer, of an addition or of a mean. */
static nn_result nn__integers_train_value(nn__integers *q, int at, const char *name) {
    nn_node *x = nn__integers_copy(q, at);
    if (!x) return NN_ERROR_MEMORY;
    nn_node *rounded = nn__integers_rounded(q, at, name, x);
    if (rounded->poisoned) return NN_ERROR_MEMORY;
    x->order = q->to->order++;
    x->keep = false;
    rounded->order = q->all[at].node->order;
    rounded->keep = q->all[at].node->keep;
    q->copy.nodes[at] = rounded;
    return NN_OK;
}

/* True for the update of the running statistics of a batch norm that became part of a layer. */
static bool nn__integers_is_folded(const nn__integers *q, const nn_node *effect) {
    for (int i = 0; i < q->count; i++) {
        const int norm =
            q->all[i].way == NN__WAY_CONV || q->all[i].way == NN__WAY_LINEAR ? q->all[i].norm : -1;
        for (int k = 0; k < effect->input_count && norm >= 0; k++)
            if (effect->inputs[k] == q->all[norm].node ||
                (q->all[norm].mean >= 0 && effect->inputs[k] == q->all[q->all[norm].mean].node))
                return true;
    }
    return false;
}

NN_PRIVATE nn_result nn__integers_train_one(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at];
    const bool layer = of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR;
    nn_result result = NN_OK;
    if (of->way == NN__WAY_PART) return NN_OK;
    if (layer) result = nn__integers_train_layer(q, of);
    if (result == NN_OK && layer) return nn__integers_train_value(q, of->value, of->node->name);
    if (result != NN_OK) return result;
    if (nn__integers_joins(of->way)) { /* a sum, a product, a function of one number */
        nn_node *made = nn__integers_copy_reader(q, at);
        return made ? nn__integers_train_value(q, of->value, of->node->name) : NN_ERROR_MEMORY;
    }
    if (of->node->kind != NN__INPUT && of->node->kind != NN__OPERATION) return NN_OK;
    if (nn__has_effect(of->node) && nn__integers_is_folded(q, of->node)) return NN_OK;
    nn_node *made = nn__integers_copy(q, at);
    if (!made) return NN_ERROR_MEMORY;
    if (!of->whole || of->entry) return NN_OK;
    if (of->way == NN__WAY_POOL || of->way == NN__WAY_RESIZE || of->way == NN__WAY_SLICE ||
        (of->way == NN__WAY_ALIAS && !nn__integers_is_split(q, at)))
        made->inputs[0] = nn__integers_operand(q, of->x);
    return (of->way == NN__WAY_POOL && of->pool.kind == NN_POOL_AVERAGE) ||
                   (of->way == NN__WAY_RESIZE && of->resize.mode == NN_RESIZE_LINEAR)
               ? nn__integers_train_value(q, at, of->node->name)
               : NN_OK;
}
#endif

typedef int nn__integers_train_part; /* a part must not be empty under NN__NO_TRAINER */
