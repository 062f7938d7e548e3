/* ops/quantize_four.c - layers with weights of 4 bits in groups of 32 (ops/quantize.h). Their
   kernels are in kernels/nibble. */
#include "ops/index_private.h"
#include "ops/matmul_private.h"
#include "ops/quantize_private.h"

#ifndef NN_NO_MIXED_PRECISION

/* ---- rules ----------------------------------------------------------------------------------- */

/* Inputs: x, weight, scale, then the minimum and the bias if there are any. */
typedef struct nn__four_params {
    bool minimums, bias;
} nn__four_params;

static void nn__four_linear_lower(const nn_node *node, const nn__lowering *lowering,
                                  nn__args *args) {
    const nn__four_params *params = (const nn__four_params *)node->params;
    const nn_view *in = lowering->inputs;
    nn_nibble_linear_args *to = &args->nibble_linear;
    memset(to, 0, sizeof *to);
    nn__op_matrix(&to->y, &lowering->output);
    nn__op_matrix(&to->x, &in[0]);
    to->weight = in[1];
    to->scale = in[2];
    if (params->minimums) to->minimum = in[3];
    if (params->bias) to->bias = in[params->minimums ? 4 : 3];
    to->scratch = lowering->scratch;
}

static double nn__four_linear_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn_shape x = node->inputs[0]->shape;
    return 2.0 * (double)nn__count(&lowering->output) * (double)x.extent[x.rank - 1];
}

/* Inputs: rows of bytes, rows of scales, then rows of minimums if there are any. */
static void nn__four_floats_lower(const nn_node *node, const nn__lowering *lowering,
                                  nn__args *args) {
    nn_nibble_floats_args *to = &args->nibble_floats;
    memset(to, 0, sizeof *to);
    nn__op_matrix(&to->y, &lowering->output);
    nn__op_matrix(&to->weight, &lowering->inputs[0]);
    nn__op_matrix(&to->scale, &lowering->inputs[1]);
    if (node->input_count > 2) nn__op_matrix(&to->minimum, &lowering->inputs[2]);
}

static const nn__rule nn__rule_four_floats = {"nibble_floats",
                                              NN_KERNEL_NIBBLE_FLOATS,
                                              NN__ANY_DTYPE,
                                              NN_ACTIVATION_NONE,
                                              nn__four_floats_lower,
                                              NULL,
                                              NULL,
                                              NULL,
                                              NULL};

#ifndef NN_NO_TRAINING
/* dx = dy times the weight in f32, which exists only during the product. */
static void nn__four_linear_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__four_params *params = (const nn__four_params *)node->params;
    nn_node *x = node->inputs[0], *weight = node->inputs[1],
            *bias = params->bias ? node->inputs[params->minimums ? 4 : 3] : NULL;
    nn_shape shape;
    if (nn__quantized_refuses(tape, weight)) return;
    if (nn__wants(bias)) nn__give_gradient(tape, bias, nn__tape_sum_to(tape, dy, bias));
    if (!nn__wants(x)) return;
    shape = weight->shape;
    shape.extent[1] *= 2;
    nn_node *floats =
        nn__tape_node(tape, &nn__rule_four_floats, weight, ".floats", node->inputs + 1,
                      params->minimums ? 3 : 2, NN_F32, shape, NULL, 0);
    nn__op_give_product(tape, x, dy, floats, false, false);
}
#endif

/* The rule keeps the name of the plain layer, which nn_lora looks for. */
static const nn__rule nn__rule_four_linear = {"linear",
                                              NN_KERNEL_NIBBLE_LINEAR,
                                              NN__LAYER | NN__ANY_DTYPE,
                                              NN_ACTIVATION_NONE,
                                              nn__four_linear_lower,
                                              NN__GRADIENT(nn__four_linear_gradient),
                                              nn__four_linear_flops,
                                              NULL,
                                              NULL};
static const nn__rule nn__rule_four_transposed = {"linear_transposed",
                                                  NN_KERNEL_NIBBLE_LINEAR,
                                                  NN__LAYER | NN__ANY_DTYPE,
                                                  NN_ACTIVATION_NONE,
                                                  nn__four_linear_lower,
                                                  NN__GRADIENT(nn__four_linear_gradient),
                                                  nn__four_linear_flops,
                                                  NULL,
                                                  NULL};

/* ---- nodes ----------------------------------------------------------------------------------- */

static nn_node *nn__four_part(nn_model *net, nn_site site, const char *layer, const char *part,
                              int32_t outputs, int32_t inputs, double value) {
    char name[2 * NN_NAME_BYTES];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = outputs;
    shape.extent[1] = inputs / NN_NIBBLE_GROUP;
    nn__join_text(name, sizeof name, layer, ".", part);
    return nn_buffer_at(site, net, name, NN_F16, shape, value);
}

/* Adds the weight, its scales and its minimums. First values are 16 steps within +-bound.
   Poisoned: a fault says why. */
static nn_node *nn__four_weight(nn_model *net, nn_site site, const char *layer, int32_t outputs,
                                int32_t inputs, float bound, bool shared, bool turned,
                                bool minimums) {
    nn_node *weight = shared ? nn__quantized_shared(net, site, layer, 4, turned) : NULL, *scale,
            *minimum = NULL;
    nn__problem problem;
    nn_shape shape;
    memset(&problem, 0, sizeof problem);
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = outputs;
    shape.extent[1] = inputs / 2;
    if (inputs % NN_NIBBLE_GROUP) {
        nn__problem_set(&problem, NN_ERROR_SHAPE,
                        NN__TEXT("leave the layer out: nn_quantize_desc.skip, or .bits = 8"),
                        NN__TEXT("each row of its weight has %d numbers; weights of 4 bits have "
                                 "groups of %d"),
                        (int)inputs, NN_NIBBLE_GROUP);
        return nn__poison_problem(net, site, "quantize", layer, NULL, NULL, 0, &problem);
    }
    if (weight && weight->poisoned) return weight;
    if (weight) return nn__add_parameter(net, site, layer, "weight", &shape, bound, true);
    scale = nn__four_part(net, site, layer, "weight_scale", outputs, inputs,
                          (double)bound / (minimums ? 7.5 : 8.0));
    if (minimums)
        minimum = nn__four_part(net, site, layer, "weight_min", outputs, inputs, -(double)bound);
    if (scale->poisoned || (minimum && minimum->poisoned)) return nn__poison(net);
    weight = nn__add_parameter(net, site, layer, "weight", &shape, bound, false);
    if (weight->poisoned) return weight;
    weight->dtype = NN_U8;
    weight->start.low = 0.0f;
    weight->start.high = 255.99f; /* conversions truncate */
    weight->scale = scale;
    weight->minimum = minimum;
    weight->turned = turned;
    return weight;
}

NN_PRIVATE nn_node *nn__four_linear(nn_site site, nn_model *net, const char *name, nn_node *x,
                                    const nn_linear_desc *desc, bool transposed, bool minimums) {
    static const char *const all[] = {"input", "weight", "scale", "minimum", "bias"},
                      *const some[] = {"input", "weight", "scale", "bias"};
    const int32_t in = x->shape.extent[x->shape.rank - 1], out = desc->out_features;
    const float bound = nn__fan_bound(in);
    nn__four_params params;
    nn_node *inputs[5];
    nn_shape flat, shape = x->shape;
    int count = 3;
    memset(&params, 0, sizeof params);
    memset(&flat, 0, sizeof flat);
    inputs[0] = nn__is_half(x->dtype) ? nn_cast_at(site, net, x, NN_F32) : x;
    inputs[1] = nn__four_weight(net, site, name, out, in, bound, desc->shared, transposed,
                                minimums);
    if (inputs[0]->poisoned || inputs[1]->poisoned) return nn__poison(net);
    inputs[2] = inputs[1]->scale;
    params.minimums = inputs[1]->minimum != NULL;
    if (params.minimums) inputs[count++] = inputs[1]->minimum;
    params.bias = !desc->no_bias;
    flat.rank = 1;
    flat.extent[0] = out;
    if (params.bias) {
        nn_node *bias = nn__add_parameter(net, site, name, "bias", &flat, bound, desc->shared);
        if (bias->poisoned) return bias;
        inputs[count++] =
            nn__is_half(bias->dtype) ? nn_cast_at(site, net, bias, NN_F32) : bias;
        if (inputs[count - 1]->poisoned) return nn__poison(net);
    }
    shape.extent[shape.rank - 1] = out;
    nn__install_nibble(net->nn);
    const nn__rule *rule = transposed ? &nn__rule_four_transposed : &nn__rule_four_linear;
    return nn__new_node(&net->graph, site, rule, rule->name, name, inputs,
                        params.minimums ? all : some, count, NN_F32, &shape, &params,
                        sizeof params);
}

/* Describes gathers of the rows of bytes, of scales and of minimums with one index, and a kernel
   that makes floats of them. */
NN_PRIVATE nn_node *nn__four_embedding(nn_site site, nn_model *net, const char *name,
                                       nn_node *index, const nn_embedding_desc *desc,
                                       nn_shape shape, bool minimums) {
    static const char *const roles[] = {"index", "weight"},
                      *const parts[] = {"bytes", "scales", "minimums"};
    char text[2 * NN_NAME_BYTES];
    nn_node *inputs[2], *rows[3];
    nn_shape row = shape;
    int count = 2;
    /* sixteen steps with variance 1: 4.61 of them are a standard deviation */
    nn_node *weight = nn__four_weight(net, site, name, desc->num_embeddings, desc->embedding_dim,
                                      8.0f / 4.61f, desc->shared, false, minimums);
    if (weight->poisoned) return nn__poison(net);
    const nn_node *const from[] = {weight, weight->scale, weight->minimum};
    if (weight->minimum) count++;
    nn__install_gather(net->nn);
    nn__install_nibble(net->nn);
    inputs[0] = index;
    for (int i = 0; i < count; i++) {
        inputs[1] = (nn_node *)from[i];
        row.extent[row.rank - 1] = from[i]->shape.extent[1];
        nn__join_text(text, sizeof text, name, ".", parts[i]);
        rows[i] = nn__new_node(&net->graph, site, nn__quantized_gather(), "embedding",
                               i == 0 ? name : text, inputs, roles, 2, from[i]->dtype, &row, desc,
                               sizeof *desc);
        if (rows[i]->poisoned) return rows[i];
    }
    nn__join_text(text, sizeof text, name, ".", "floats");
    return nn__new_node(&net->graph, site, &nn__rule_four_floats, "nibble_floats", text, rows,
                        parts, count, NN_F32, &shape, NULL, 0);
}

#endif

typedef int nn__quantize_four_part; /* a part must not be empty under NN_NO_MIXED_PRECISION */
