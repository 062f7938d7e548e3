/* ops/quantize.c - layers with 8-bit weights, and the hooks that nn_linear and nn_embedding call
   if a model has them. ops/quantize_four.c has the layers with weights of 4 bits, and
   model/quantized.c rounds weights while loading.

   A product reads the bytes as they are, as it reads f16 (kernels/matmul). A program after it
   multiplies by the scales and adds the bias. With one scale for each output, that equals
   scaling the weights, and plans can join the program with the next ones. */
#include "ops/index_private.h"
#include "ops/program.h"
#include "ops/quantize_private.h"

#ifndef NN_NO_MIXED_PRECISION

typedef struct nn__quantize {
    nn__quantizer hooks; /* first: nn_model.quantizer is this */
    nn_quantize_desc desc; /* its texts are in the model's arena */
    nn_site site;
    bool *fitted, *skipped; /* of each target, of each name to skip: it matched a layer */
} nn__quantize;

static nn__quantize *nn__quantize_of(const nn_model *net) {
    return (nn__quantize *)(void *)net->quantizer;
}

/* ---- rules ----------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__quantized_refuses(nn__tape *tape, const nn_node *weight) {
    if (!nn__wants(weight)) return false;
    tape->failed = true;
    for (const nn_node *node = weight->graph->first; node; node = node->next) {
        if (!node->scale || !node->wanted) continue;
        nn__fault *fault = nn__add_node_fault(tape->faults, NN__FAULT_DTYPE, node);
        if (fault) fault->order = node->order;
        nn__fault_operand(fault, "weight", node, false);
        nn__fault_cause(tape->faults, fault,
                        NN__TEXT("\"%s\" is stored in %d bits (nn_quantize), which the small steps "
                                 "of training would not change"),
                        node->name, nn__stored_bits(node));
        nn__fault_fix(tape->faults, fault,
                      NN__TEXT("nn_freeze(net, \"%s\", true) to train what is around it, nn_lora "
                               "for adapters beside it, or nn_quantize_desc.skip"),
                      node->name);
    }
    return true;
}

static void nn__quantized_linear_back(nn__tape *tape, nn_node *node, nn_node *dy,
                                      bool transposed) {
    if (nn__quantized_refuses(tape, node->inputs[1])) return;
    nn__op_give_product(tape, node->inputs[0], dy, node->inputs[1], false, transposed);
}
static void nn__quantized_linear_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__quantized_linear_back(tape, node, dy, false);
}
static void nn__quantized_transposed_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__quantized_linear_back(tape, node, dy, true);
}
static void nn__quantized_embedding_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    (void)dy;
    nn__quantized_refuses(tape, node->inputs[1]);
}
#endif

static void nn__quantized_linear_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    (void)node;
    nn__op_product_args(&args->gemm, &lowering->output, &lowering->inputs[0], &lowering->inputs[1],
                        false, true);
    args->gemm.scratch = lowering->scratch;
}
static void nn__quantized_transposed_lower(const nn_node *node, const nn__lowering *lowering,
                                           nn__args *args) {
    (void)node;
    nn__op_product_args(&args->gemm, &lowering->output, &lowering->inputs[0], &lowering->inputs[1],
                        false, false);
    args->gemm.scratch = lowering->scratch;
}
static double nn__quantized_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn_shape x = node->inputs[0]->shape;
    return 2.0 * (double)nn__count(&lowering->output) * (double)x.extent[x.rank - 1];
}

/* The rules keep the names of the plain layers, which nn_lora looks for. */
static const nn__rule nn__rule_quantized_linear = {"linear",
                                                   NN_KERNEL_GEMM,
                                                   NN__LAYER | NN__HALVES,
                                                   NN_ACTIVATION_NONE,
                                                   nn__quantized_linear_lower,
                                                   NN__GRADIENT(nn__quantized_linear_gradient),
                                                   nn__quantized_flops,
                                                   NULL,
                                                   NULL};
static const nn__rule nn__rule_quantized_transposed = {
    "linear_transposed",
    NN_KERNEL_GEMM,
    NN__LAYER | NN__HALVES,
    NN_ACTIVATION_NONE,
    nn__quantized_transposed_lower,
    NN__GRADIENT(nn__quantized_transposed_gradient),
    nn__quantized_flops,
    NULL,
    NULL};
static const nn__rule nn__rule_quantized_embedding = {
    "embedding",
    NN_KERNEL_GATHER,
    NN__DYNAMIC | NN__STATUS | NN__LAYER | NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,
    nn__op_embedding_lower,
    NN__GRADIENT(nn__quantized_embedding_gradient),
    NULL,
    NULL,
    NULL};
static const nn__rule nn__rule_quantized_scale = {"scale",
                                                  NN_KERNEL_POINTWISE,
                                                  NN__ANY_DTYPE,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_program_lower,
                                                  NN__GRADIENT(nn__op_program_gradient),
                                                  nn__op_program_flops,
                                                  NULL,
                                                  NULL};

NN_PRIVATE const nn__rule *nn__quantized_gather(void) { return &nn__rule_quantized_embedding; }

/* ---- nodes ----------------------------------------------------------------------------------- */

NN_PRIVATE nn_node *nn__quantized_shared(nn_model *net, nn_site site, const char *layer, int bits,
                                         bool turned) {
    char name[2 * NN_NAME_BYTES], where[96];
    nn__problem problem;
    nn__join_text(name, sizeof name, layer, ".", "weight");
    nn_node *weight = *nn__leaf_list(&net->graph, name);
    while (weight && !(weight->kind == NN__PARAMETER && strcmp(weight->name, name) == 0))
        weight = nn__next_leaf(weight);
    if (!weight || (weight->scale && weight->turned == turned && nn__stored_bits(weight) == bits))
        return weight;
    memset(&problem, 0, sizeof problem);
    nn__problem_set(&problem, NN_ERROR_DTYPE,
                    NN__TEXT("leave the layer out: nn_quantize_desc.skip"),
                    weight->scale ? NN__TEXT("the layer shares \"%s\", described at %s the "
                                             "other way round: its scales are those of the "
                                             "other axis")
                                  : NN__TEXT("the layer shares \"%s\", described at %s, which "
                                             "has no scales"),
                    name, nn__format_site(weight->site, where, sizeof where));
    return nn__poison_problem(net, site, "quantize", layer, NULL, NULL, 0, &problem);
}

/* Adds the weight and its scales. First values lie within +-bound, in steps of bound / 127.
   turned: the outputs are the last axis. Poisoned: a fault says why. */
static nn_node *nn__quantized_weight(nn_model *net, nn_site site, const char *layer,
                                     const nn_shape *shape, float bound, bool shared,
                                     bool turned) {
    char name[2 * NN_NAME_BYTES];
    nn_shape outputs;
    nn_node *weight = shared ? nn__quantized_shared(net, site, layer, 8, turned) : NULL;
    if (weight && weight->poisoned) return weight;
    if (weight) return nn__add_parameter(net, site, layer, "weight", shape, bound, true);
    memset(&outputs, 0, sizeof outputs);
    outputs.rank = 1;
    outputs.extent[0] = shape->extent[turned ? 1 : 0];
    nn__join_text(name, sizeof name, layer, ".", "weight_scale");
    nn_node *scale = nn_buffer_at(site, net, name, NN_F32, outputs, (double)bound / 127.0);
    if (scale->poisoned) return scale;
    weight = nn__add_parameter(net, site, layer, "weight", shape, bound, false);
    if (weight->poisoned) return weight;
    weight->dtype = NN_I8;
    weight->start.low = -127.0f;
    weight->start.high = 127.0f;
    weight->scale = scale;
    weight->turned = turned;
    return weight;
}

/* Describes inputs[0] * inputs[1] (+ inputs[2]), named after the layer. */
static nn_node *nn__quantized_scale(nn_model *net, nn_site site, const char *layer,
                                    nn_node *const *inputs, int count, const nn_shape *shape) {
    static const char *const roles[] = {"product", "scale", "bias"};
    static const nn_instruction with_bias[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                               {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                               {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f},
                                               {NN_CODE_INPUT, 2, 0, 0, 0.0f},
                                               {NN_CODE_ADD, 2, 3, 0, 0.0f}};
    const int length = count > 2 ? NN__COUNT(with_bias) : 3;
    char name[2 * NN_NAME_BYTES];
    nn__program_params params;
    memset(&params, 0, sizeof params);
    params.program.code = with_bias;
    params.program.count = (uint8_t)length;
    params.program.input_count = (uint8_t)count;
    params.program.output_count = 1;
    params.program.output[0] = (uint8_t)(length - 1);
    nn__join_text(name, sizeof name, layer, ".", "scaled");
    nn__install_code_multiply(net->nn);
    nn__install_code_add(net->nn);
    nn__install_program_dtypes(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_quantized_scale, "scale", name, inputs, roles,
                        count, NN_F32, shape, &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

static nn_node *nn__quantized_linear(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     const nn_linear_desc *desc, bool transposed) {
    static const char *const roles[] = {"input", "weight"};
    const int32_t in = x->shape.extent[x->shape.rank - 1], out = desc->out_features;
    const float bound = nn__fan_bound(in);
    nn_node *inputs[3];
    nn_shape flat, shape = x->shape;
    const nn_quantize_desc *chosen = &nn__quantize_of(net)->desc;
    if (chosen->bits == 4)
        return nn__four_linear(site, net, name, x, desc, transposed, chosen->minimums);
    memset(&flat, 0, sizeof flat);
    flat.rank = 2;
    flat.extent[0] = transposed ? in : out;
    flat.extent[1] = transposed ? out : in;
    inputs[0] = x;
    inputs[1] = nn__quantized_weight(net, site, name, &flat, bound, desc->shared, transposed);
    if (inputs[1]->poisoned) return nn__poison(net);
    nn_node *scale = inputs[1]->scale;
    flat.rank = 1;
    flat.extent[0] = out;
    flat.extent[1] = 0;
    if (!desc->no_bias)
        inputs[2] = nn__add_parameter(net, site, name, "bias", &flat, bound, desc->shared);
    if (!desc->no_bias && inputs[2]->poisoned) return nn__poison(net);
    shape.extent[shape.rank - 1] = out;
    nn__install_matmul_bytes(net->nn);
    const nn__rule *rule =
        transposed ? &nn__rule_quantized_transposed : &nn__rule_quantized_linear;
    inputs[0] = nn__new_node(&net->graph, site, rule, rule->name, name, inputs, roles, 2, NN_F32,
                             &shape, NULL, 0);
    if (inputs[0]->poisoned) return inputs[0];
    inputs[1] = scale;
    return nn__quantized_scale(net, site, name, inputs, desc->no_bias ? 2 : 3, &shape);
}

/* Describes two gathers with one index: the stored rows, and their scales. */
static nn_node *nn__quantized_embedding(nn_site site, nn_model *net, const char *name,
                                        nn_node *index, const nn_embedding_desc *desc,
                                        nn_shape shape) {
    static const char *const roles[] = {"index", "weight"};
    char scales[2 * NN_NAME_BYTES];
    nn_node *inputs[2], *parts[2];
    nn_shape flat, column = index->shape;
    const nn_quantize_desc *chosen = &nn__quantize_of(net)->desc;
    if (chosen->bits == 4)
        return nn__four_embedding(site, net, name, index, desc, shape, chosen->minimums);
    memset(&flat, 0, sizeof flat);
    flat.rank = 2;
    flat.extent[0] = desc->num_embeddings;
    flat.extent[1] = desc->embedding_dim;
    inputs[0] = index;
    inputs[1] = nn__quantized_weight(net, site, name, &flat, 4.0f, desc->shared, false);
    if (inputs[1]->poisoned) return nn__poison(net);
    nn__install_gather(net->nn);
    parts[0] = nn__new_node(&net->graph, site, &nn__rule_quantized_embedding, "embedding", name,
                            inputs, roles, 2, NN_I8, &shape, desc, sizeof *desc);
    if (parts[0]->poisoned) return parts[0];
#ifndef NN_NO_TRAINING
    if (!nn__op_embedding_start(net, site, parts[0], desc)) return nn__poison(net);
#endif
    inputs[1] = inputs[1]->scale;
    nn__store_number(NN_F32, &inputs[1]->start.stream, 4.0 / 127.0); /* also for a shared table */
    nn__join_text(scales, sizeof scales, name, ".", "scales");
    parts[1] = nn__new_node(&net->graph, site, &nn__rule_quantized_embedding, "embedding", scales,
                            inputs, roles, 2, NN_F32, &column, desc, sizeof *desc);
    if (parts[1]->poisoned) return parts[1];
    column.extent[column.rank++] = 1;
    parts[1] = nn_reshape_at(site, net, parts[1], column);
    return parts[1]->poisoned ? parts[1]
                              : nn__quantized_scale(net, site, name, parts, 2, &shape);
}

/* ---- choice of layers ------------------------------------------------------------------------ */

/* True if one of the names fits the layer. fitted: marks each one that does; may be NULL. */
static bool nn__quantize_fits(const nn_texts *names, const char *layer, bool *fitted) {
    bool any = false;
    for (int i = 0; i < names->count; i++) {
        if (!nn__layer_fits(names->text[i], layer)) continue;
        any = true;
        if (fitted) fitted[i] = true;
    }
    return any;
}

static bool nn__quantize_takes(nn_model *net, const char *layer) {
    nn__quantize *quantize = nn__quantize_of(net);
    const nn_quantize_desc *desc = &quantize->desc;
    const bool fits = nn__quantize_fits(&desc->targets, layer, quantize->fitted);
    /* marked also if no target matches */
    const bool skip = nn__quantize_fits(&desc->skip, layer, quantize->skipped);
    return !skip && (fits || desc->targets.count == 0);
}

static void nn__quantize_unfit(const nn__quantize *quantize, nn__faults *faults,
                               const nn_texts *names, const bool *fitted, const char *what) {
    for (int i = 0; i < names->count; i++) {
        if (fitted[i]) continue;
        nn__fault *fault =
            nn__add_fault(faults, NN__FAULT_ARGUMENT, "nn_quantize", names->text[i],
                          quantize->site);
        nn__fault_cause(faults, fault,
                        NN__TEXT("%s \"%s\" fits no linear layer and no embedding that was "
                                 "described after it"),
                        what, names->text[i]);
        nn__fault_fix(faults, fault,
                      NN__TEXT("a whole name, its end after a dot (\"q_proj\"), or stars for any "
                               "text (\"layers.*.q_proj\")"));
    }
}

static void nn__quantize_check(const nn_model *net, nn__faults *faults) {
    const nn__quantize *quantize = nn__quantize_of(net);
    nn__quantize_unfit(quantize, faults, &quantize->desc.targets, quantize->fitted, "the target");
    nn__quantize_unfit(quantize, faults, &quantize->desc.skip, quantize->skipped, "skip");
}

/* Copies what the desc points to, and the marks. */
static bool nn__quantize_texts(nn__quantize *quantize, nn__arena *arena, const bool *fitted,
                               const bool *skipped) {
    const size_t targets = sizeof(bool) * (size_t)quantize->desc.targets.count,
                 skip = sizeof(bool) * (size_t)quantize->desc.skip.count;
    quantize->fitted = (bool *)nn__arena_take(arena, targets);
    quantize->skipped = (bool *)nn__arena_take(arena, skip);
    if (!quantize->fitted || !quantize->skipped) return false;
    if (fitted) memcpy(quantize->fitted, fitted, targets);
    if (skipped) memcpy(quantize->skipped, skipped, skip);
    return nn__arena_texts(arena, &quantize->desc.targets) &&
           nn__arena_texts(arena, &quantize->desc.skip);
}

/* Copies the quantizer for nn_copy_model. */
static bool nn__quantize_copy(const nn_model *from, nn_model *to) {
    nn__quantize *quantize = (nn__quantize *)nn__arena_take(&to->graph.arena, sizeof *quantize);
    if (!quantize) return false;
    *quantize = *nn__quantize_of(from);
    to->quantizer = &quantize->hooks;
    return nn__quantize_texts(quantize, &to->graph.arena, quantize->fitted, quantize->skipped);
}

/* ---- nn_quantize ----------------------------------------------------------------------------- */

static nn_result nn__quantize_check_names(nn_context *nn, const nn_texts *names, const char *field,
                                          nn_site site) {
    if (!nn__check_list(nn, site, "nn_quantize", field, names->text, names->count, true))
        return NN_ERROR_ARGUMENT;
    for (int i = 0; i < names->count; i++)
        if (!names->text[i][0])
            return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_quantize: %s[%d] is empty", field,
                               i);
    return NN_OK;
}

/* Fails if a layer that matches was described before nn_quantize: it would silently stay
   unquantized. */
static nn_result nn__quantize_check_layers(nn_model *net, const nn_quantize_desc *desc,
                                           nn_site site) {
    char where[96];
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (node->kind != NN__OPERATION || !(node->rule->flags & NN__LAYER) ||
            (strcmp(node->rule->name, "linear") != 0 &&
             strcmp(node->rule->name, "linear_transposed") != 0 &&
             strcmp(node->rule->name, "embedding") != 0) ||
            (desc->targets.count > 0 && !nn__quantize_fits(&desc->targets, node->name, NULL)) ||
            nn__quantize_fits(&desc->skip, node->name, NULL))
            continue;
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_quantize: the layer \"%s\" was described at %s, before "
                           "nn_quantize, and would stay as it is; call nn_quantize first, or name "
                           "it in .skip",
                           node->name, nn__format_site(node->site, where, sizeof where));
    }
    return NN_OK;
}

static nn_result nn__inside_quantize(nn_site site, nn_model *net, const nn_quantize_desc *given) {
    nn_quantize_desc desc;
    char where[96];
    if (nn__model_gone(net, site, "nn_quantize")) return NN_ERROR_ARGUMENT;
    memset(&desc, 0, sizeof desc);
    if (given) desc = *given;
    if (net->quantizer)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_quantize: it was called for the model \"%s\" already, at %s; one "
                           "call has room for all targets",
                           net->name,
                           nn__format_site(nn__quantize_of(net)->site, where, sizeof where));
    if (desc.bits != 0 && desc.bits != 8 && desc.bits != 4)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_quantize: bits is %d; wanted 8, 4, or 0 for 8", desc.bits);
    if (desc.minimums && desc.bits != 4)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_quantize: minimums belong to groups of 4 bits, and bits is %d; set "
                           ".bits = 4, or leave .minimums out",
                           desc.bits ? desc.bits : 8);
    if (desc.bits == 4 && desc.dtype != NN_DTYPE_DEFAULT)
        return nn__fail_at(net->nn, site, NN_ERROR_DTYPE,
                           "nn_quantize: dtype is %s beside .bits = 4, whose weights are always "
                           "pairs in bytes; leave dtype out",
                           nn_dtype_name(desc.dtype));
    if (desc.dtype != NN_DTYPE_DEFAULT && desc.dtype != NN_I8)
        return nn__fail_at(net->nn, site, NN_ERROR_DTYPE,
                           "nn_quantize: dtype is %s; wanted NN_I8, or 0 (nn_model_desc.dtype "
                           "stores weights in f16 and bf16)",
                           nn_dtype_name(desc.dtype));
    nn_result result = nn__quantize_check_names(net->nn, &desc.targets, "targets", site);
    if (result == NN_OK) result = nn__quantize_check_names(net->nn, &desc.skip, "skip", site);
    if (result == NN_OK) result = nn__quantize_check_layers(net, &desc, site);
    if (result != NN_OK) return result;
    nn__quantize *quantize = (nn__quantize *)nn__arena_take(&net->graph.arena, sizeof *quantize);
    if (quantize) quantize->desc = desc;
    if (!quantize || !nn__quantize_texts(quantize, &net->graph.arena, NULL, NULL))
        return nn__fail_memory(net->nn, "nn_quantize", sizeof *quantize);
    quantize->site = site;
    quantize->hooks.takes = nn__quantize_takes;
    quantize->hooks.linear = nn__quantized_linear;
    quantize->hooks.embedding = nn__quantized_embedding;
    quantize->hooks.check = nn__quantize_check;
    quantize->hooks.copy = nn__quantize_copy;
    net->quantizer = &quantize->hooks;
    return NN_OK;
}

NN_API nn_result nn_quantize_at(nn_site site, nn_model *net, const nn_quantize_desc *desc) {
    return NN__ALONE(net ? net->nn : NULL, "nn_quantize", site,
                     nn__inside_quantize(site, net, desc));
}

#endif /* NN_NO_MIXED_PRECISION */

typedef int nn__quantize_part; /* a part must not be empty under NN_NO_MIXED_PRECISION */
