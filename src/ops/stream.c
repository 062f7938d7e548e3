/* ops/stream.c - conv1d and 1-d pools of a stream: causal, with the last inputs in a state. The
   gradient of a convolution is that of one with padding on the left; a trainer that carries its
   states adds the part of the weight's gradient that reads the state. */
#include "ops/conv_private.h"
#include "ops/pool.h"
#include "ops/private.h"
#include "ops/state.h"

#ifndef NN_NO_RARE_OPTIONS

#define NN__STREAM_MEMORY (1 << 24) /* a state counts its inputs in f32 */

/* The params of a node. */
typedef struct nn__op_stream {
    nn_conv1d_desc desc; /* of a pool: kernel, stride, dilation */
    nn_stream_way way;
    bool largest; /* of a pool, for messages */
    bool padded;  /* the pool's desc asked for padding or ceil */
} nn__op_stream;

static int64_t nn__op_stream_memory(const nn_conv1d_desc *desc) {
    const int64_t stride = desc->stride ? desc->stride : 1,
                  dilation = desc->dilation ? desc->dilation : 1;
    return (desc->kernel - 1) * dilation - (stride - 1);
}

/* Returns the convolution with padding on the left alone, which has the same gradients. */
static nn_conv2d_desc nn__op_stream_as_2d(const nn_conv1d_desc *desc) {
    nn_conv1d_desc line = *desc;
    line.padding = (int)nn__op_stream_memory(desc);
    line.padding_right = NN_NONE;
    return nn__op_conv1d_as_2d(&line);
}

/* ---- check ----------------------------------------------------------------------------------- */

/* Checks what convolutions and pools have in common: the memory, and that the stride divides the
   block. */
static bool nn__op_stream_block(nn__inference *inference, const nn_conv1d_desc *desc) {
    const nn_shape x = inference->inputs[0].shape;
    const int64_t memory = nn__op_stream_memory(desc);
    const int stride = desc->stride ? desc->stride : 1;
    nn__problem *problem = inference->problem;
    nn_shape samples = x;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    nn__format_shape(x, text, sizeof text);
    if (x.rank != 3)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s %s has %d extents; a stream is (N, C, L)"), source,
                               text, (int)x.rank);
    samples.rank = 2;
    if (!nn__want_state_shape(problem, source, samples)) return false;
    if (memory < 0)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("a kernel that covers the stride, or a smaller stride"),
                               NN__TEXT("a stream of stride %d skips inputs with a kernel of %d"),
                               stride, desc->kernel);
    if (memory >= NN__STREAM_MEMORY || memory * x.extent[1] > INT32_MAX / 8)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("a smaller kernel or dilation"),
                               NN__TEXT("the last %lld inputs of %d channels are too many to keep"),
                               (long long)memory, (int)x.extent[1]);
    if (nn__extent_factor(x.extent[2]) % stride == 0) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE,
                           NN__TEXT("a block of whole strides: nn_multiply_extents(NN_TIME, "
                                    "stride), or a multiple of the stride"),
                           NN__TEXT("the stride %d does not divide extent 2 of %s %s"), stride,
                           source, text);
}

static bool nn__op_stream_conv_infer(nn__inference *inference) {
    const nn_conv1d_desc *desc = &((const nn__op_stream *)inference->params)->desc;
    nn__problem *problem = inference->problem;
    if (!nn__op_conv1d_numbers(desc, problem)) return false;
    if (desc->padding || desc->padding_right || desc->same ||
        desc->padding_mode != NN_PADDING_ZEROS)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("leave .padding, .padding_right, .same and .padding_mode "
                                        "out"),
                               NN__TEXT("a streaming convolution reads the inputs of the "
                                        "previous run instead of padding"));
    if (!nn__op_stream_block(inference, desc)) return false;
    const nn_conv2d_desc picture = nn__op_stream_as_2d(desc);
    return nn__op_conv1d_ask(inference, &picture);
}

static bool nn__op_stream_pool_infer(nn__inference *inference) {
    const nn__op_stream *params = (const nn__op_stream *)inference->params;
    const nn_conv1d_desc *desc = &params->desc;
    nn__problem *problem = inference->problem;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype,
                        NN_F32) ||
        !nn__op_conv1d_numbers(desc, problem))
        return false;
    if (!params->largest && desc->dilation > 1)
        return nn__refuse_number(problem, "dilation", desc->dilation,
                                 "1: only the maximum of a window can leave places out");
    if (params->padded)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("leave .padding and .ceil out"),
                               NN__TEXT("a streaming pool reads the inputs of the previous "
                                        "run instead of padding"));
    if (!nn__op_stream_block(inference, desc)) return false;
    nn_shape *y = &inference->outputs[0].shape;
    inference->outputs[0] = inference->inputs[0];
    nn__count_windows(y->extent[2], -desc->stride, desc->stride, &y->extent[2]);
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Inputs: x, the state if there is a memory, and for a convolution the weight and bias. */
static void nn__op_stream_lower(const nn_node *node, const nn__lowering *lowering,
                                nn__args *all) {
    const nn__op_stream *params = (const nn__op_stream *)node->params;
    const nn_conv1d_desc *desc = &params->desc;
    nn_stream_args *args = &all->stream_forward;
    int next = 1;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    if (nn__op_stream_memory(desc) > 0) args->state = lowering->inputs[next++];
    if (params->way == NN_STREAM_CONV) args->weight = lowering->inputs[next++];
    if (next < node->input_count) args->epilogue.bias = lowering->inputs[next];
    args->epilogue.activation = lowering->activation;
    args->scratch = lowering->scratch;
    args->kernel = desc->kernel;
    args->stride = desc->stride ? desc->stride : 1;
    args->dilation = desc->dilation ? desc->dilation : 1;
    args->groups = desc->groups ? desc->groups : 1;
    args->way = params->way;
}

static NN__UNUSED double nn__op_stream_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_stream *params = (const nn__op_stream *)node->params;
    const double numbers = (double)nn__count(&lowering->output);
    if (params->way != NN_STREAM_CONV) return numbers * params->desc.kernel;
    return 2.0 * numbers * params->desc.kernel * (double)lowering->inputs[0].shape.extent[1] /
           (params->desc.groups ? params->desc.groups : 1);
}

/* inputs: the state, the block */
static void nn__op_stream_push_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *all) {
    (void)node;
    memset(&all->stream_push, 0, sizeof all->stream_push);
    all->stream_push.state = lowering->inputs[0];
    all->stream_push.x = lowering->inputs[1];
    all->stream_push.status = lowering->status;
}
static bool nn__op_stream_push_writes(const nn_node *node, int input) {
    (void)node;
    return input == 0;
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* inputs: dy, x, and the state if there is a memory; output: dweight of a convolution, else dx */
static void nn__op_stream_back_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *all) {
    const nn__op_stream *params = (const nn__op_stream *)node->params;
    const nn_conv1d_desc *desc = &params->desc;
    nn_stream_backward_args *args = &all->stream_backward;
    memset(args, 0, sizeof *args);
    if (params->way == NN_STREAM_CONV)
        args->dweight = lowering->output;
    else
        args->dx = lowering->output;
    args->dy = lowering->inputs[0];
    args->x = lowering->inputs[1];
    if (node->input_count > 2) args->state = lowering->inputs[2];
    args->kernel = desc->kernel;
    args->stride = desc->stride ? desc->stride : 1;
    args->dilation = desc->dilation ? desc->dilation : 1;
    args->groups = desc->groups ? desc->groups : 1;
    args->way = params->way;
}

static const nn__rule nn__rule_stream_backward = {
    "stream_backward", NN_KERNEL_STREAM_BACKWARD, 0,    NN_ACTIVATION_NONE,
    nn__op_stream_back_lower, NULL,               NULL, NULL, NULL};

static void nn__op_stream_pool_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *inputs[3];
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = x;
    inputs[2] = node->input_count > 1 ? node->inputs[1] : NULL;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_stream_backward, x, ".grad", inputs,
                                    inputs[2] ? 3 : 2, NN_F32, x->shape, node->params,
                                    sizeof(nn__op_stream)));
}

static void nn__op_stream_conv_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_stream *params = (const nn__op_stream *)node->params;
    const nn_conv2d_desc picture = nn__op_stream_as_2d(&params->desc);
    const bool keeps = nn__op_stream_memory(&params->desc) > 0;
    nn_node plain = *node, *inputs[3]; /* the convolution without its state */
    int count = 0;
    for (int i = 0; i < node->input_count; i++)
        if (i != 1 || !keeps) inputs[count++] = node->inputs[i];
    plain.inputs = inputs;
    plain.input_count = count;
    nn__op_conv2d_give(tape, &plain, dy, &picture);
    if (!keeps || !tape->graph->carries || !nn__wants(node->inputs[2])) return;
    nn_node *weight = node->inputs[2];
    inputs[0] = dy;
    inputs[1] = node->inputs[0];
    inputs[2] = node->inputs[1];
    nn__give_gradient(tape, weight,
                      nn__tape_node(tape, &nn__rule_stream_backward, weight, ".grad", inputs, 3,
                                    NN_F32, weight->shape, params, sizeof *params));
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

static const nn__rule nn__rule_stream_conv = {"conv1d",
                                              NN_KERNEL_STREAM_FORWARD,
                                              NN__EPILOGUE | NN__LAYER,
                                              NN_ACTIVATION_NONE,
                                              nn__op_stream_lower,
                                              NN__GRADIENT(nn__op_stream_conv_gradient),
                                              NN__FLOPS(nn__op_stream_flops),
                                              nn__op_stream_conv_infer,
                                              NULL};
#define NN__STREAM_POOL_RULE(name)                                                                 \
    {                                                                                              \
        name, NN_KERNEL_STREAM_FORWARD, 0, NN_ACTIVATION_NONE, nn__op_stream_lower,                \
            NN__GRADIENT(nn__op_stream_pool_gradient), NN__FLOPS(nn__op_stream_flops),             \
            nn__op_stream_pool_infer, NULL                                                         \
    }
static const nn__rule nn__rule_stream_max = NN__STREAM_POOL_RULE("max_pool1d");
static const nn__rule nn__rule_stream_average = NN__STREAM_POOL_RULE("avg_pool1d");
#undef NN__STREAM_POOL_RULE
static const nn__rule nn__rule_stream_push = {
    "push",    NN_KERNEL_STREAM_PUSH, NN__EFFECT | NN__CONTINUES, NN_ACTIVATION_NONE,
    nn__op_stream_push_lower, NULL, NULL, NULL, nn__op_stream_push_writes};
/* These rules check a description before its state is added. */
static const nn__rule nn__rule_stream_conv_checks =
    NN__COMPOSED_LAYER("conv1d", nn__op_stream_conv_infer);
static const nn__rule nn__rule_stream_max_checks =
    NN__COMPOSED_RULE("max_pool1d", nn__op_stream_pool_infer);
static const nn__rule nn__rule_stream_average_checks =
    NN__COMPOSED_RULE("avg_pool1d", nn__op_stream_pool_infer);

/* Adds the state of a stream x (N, C, L). */
static nn_node *nn__op_stream_state(nn_site site, nn_model *net, const char *name, const nn_node *x,
                                    int64_t memory) {
    char text[NN_NAME_BYTES + 8];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = x->shape.extent[0];
    shape.extent[1] = NN_STREAM_STATE(x->shape.extent[1], (int32_t)memory);
    nn__join_text(text, sizeof text, name, ".state", "");
    return nn__states_of(net)->add(net, site, text, NN_F32, &shape);
}

/* Adds the operation, its state and the push that continues it. */
static nn_node *nn__op_stream_build(nn_site site, nn_model *net, const nn__rule *rule,
                                    const nn__rule *checks, const char *name, nn_node *x,
                                    const nn__op_stream *params) {
    static const char *const with[] = {"input", "state", "weight", "bias"};
    static const char *const without[] = {"input", "weight", "bias"};
    nn_node *inputs[2], *node;
    int count = 1;
    x = nn__build(site, net, checks, NULL, name, &x, without, 1, params, 0);
    if (!x || x->poisoned) return x;
    const int64_t memory = nn__op_stream_memory(&params->desc);
    inputs[0] = x;
    if (memory > 0) {
        inputs[count++] =
            nn__op_stream_state(site, net, name ? name : rule->name, x, memory);
        if (inputs[1]->poisoned) return inputs[1];
    }
    node = nn__build(site, net, rule, nn__install_stream, name, inputs, count > 1 ? with : without,
                     count, params, sizeof *params);
    if (!node || node->poisoned || memory == 0) return node;
    inputs[0] = inputs[1];
    inputs[1] = nn__op_assign_value(net, site, x);
    if (inputs[1]->poisoned) return inputs[1];
    nn_node *push = nn__add_node(&net->graph, site, &nn__rule_stream_push, "push", NULL, inputs,
                                 with, 2, NN_F32, inputs[0]->shape, NULL, 0);
    if (push->poisoned) return push;
    nn__place_like(push, inputs[0]);
    inputs[0]->continued = true;
    return node;
}

static nn_node *nn__op_stream_conv1d(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     const nn_conv1d_desc *desc) {
    nn__op_stream params;
    memset(&params, 0, sizeof params);
    params.desc = *desc;
    nn_node *node = nn__op_stream_build(site, net, &nn__rule_stream_conv,
                                        &nn__rule_stream_conv_checks, name, x, &params);
#ifndef NN_NO_TRAINING
    nn__install_conv2d(net->nn); /* the gradients */
#endif
    return node;
}

static nn_node *nn__op_stream_pool1d(nn_site site, nn_model *net, nn_node *x,
                                     const nn_pool1d_desc *desc, bool largest) {
    nn__op_stream params;
    memset(&params, 0, sizeof params);
    params.desc.kernel = desc->kernel;
    params.desc.stride = desc->stride ? desc->stride : desc->kernel;
    params.desc.dilation = desc->dilation;
    params.largest = largest;
    params.padded = desc->padding || desc->ceil;
    params.way = largest                   ? NN_STREAM_MAX
                 : desc->count_only_inside ? NN_STREAM_AVERAGE_INSIDE
                                           : NN_STREAM_AVERAGE;
    return nn__op_stream_build(site, net, largest ? &nn__rule_stream_max : &nn__rule_stream_average,
                               largest ? &nn__rule_stream_max_checks
                                       : &nn__rule_stream_average_checks,
                               NULL, x, &params);
}

static const nn__streaming nn__streaming_calls = {nn__op_stream_conv1d, nn__op_stream_pool1d};

NN_PRIVATE const nn__streaming *nn__streaming_of(nn_model *net, nn_site site,
                                                 const char *operation, const char *name) {
    nn__problem problem;
#ifndef NN__ONE_PIECE
    if (net->nn->streaming) return net->nn->streaming;
#else
    (void)nn__streaming_calls; /* programs without this feature have no states */
#endif
    memset(&problem, 0, sizeof problem);
    nn__problem_set(&problem, NN_ERROR_UNSUPPORTED,
                    NN__TEXT("call nn_use_streaming(net) first, as the macros do"),
                    NN__TEXT("this program has no streams"));
    nn__poison_problem(net, site, operation, name, NULL, NULL, 0, &problem);
    return NULL;
}
#undef NN__STREAM_MEMORY

#endif

NN_API void nn_use_streaming(nn_model *net) {
#if !defined(NN_NO_RARE_OPTIONS) && !defined(NN__ONE_PIECE)
    if (!net || nn__model_gone(net, nn__no_site(), "nn_use_streaming")) return;
    nn_use_states(net);
    net->nn->streaming = &nn__streaming_calls;
#else
    (void)net;
#endif
}
