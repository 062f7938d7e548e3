/* plan/launches.c - joins steps of a training on devices where a launch costs more than the work of
   a small step. Joined are:

   - the gradients of a linear layer's weight, bias and input, with the gradient of a relu before
     it
   - a loss with its gradient and its running total
   - the updates of the running statistics of norms

   Steps stay separate if anything else reads the values between them. Narrow layers are left to
   plan/chain.c, which joins more steps. The joined steps add in another order than the separate
   ones. */
#include "plan/private.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)

#define NN__LAUNCHES_NARROW 128 /* widest layer, in features, that chains take */

static bool nn__launches_matter(const nn_plan *plan, const nn__step *step) {
    const nn__open_device *open =
        step->device >= 0 ? nn__find_device(plan->nn, plan->devices[step->device].device) : NULL;
    return open && nn__launches_are_dear(open);
}

/* Returns the first step after `after`, on its device, that reads the value as input `which` and
   satisfies `is`; -1: none. */
static int nn__launches_reader(const nn_plan *plan, int value, int which, int after,
                               bool (*is)(const nn_node *node)) {
    for (int s = after + 1; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->device == plan->steps[after].device && step->node->input_count > which &&
            step->inputs[which] == value && is(step->node))
            return s;
    }
    return -1;
}

/* True if the device supports the joined step. */
static bool nn__launches_supports(nn_plan *plan, nn__step *step) {
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    const nn_kernel kernel = step->node->rule->kernel;
    char reason[200];
    nn__args args;
    if (!open || !nn__has_kernel(open->backend, kernel)) return false;
    nn__resolve_views(plan);
    step->args = &args;
    nn__lower_step(plan, step);
    step->args = NULL;
    return nn__supports(open, kernel, &args, reason, sizeof reason);
}

/* True if chains take the layer with this weight. */
static bool nn__launches_is_narrow(const nn_plan *plan, int step, const nn_node *weight) {
    const nn__open_device *open =
        nn__find_device(plan->nn, plan->devices[plan->steps[step].device].device);
    return open && open->backend->chain_make && weight->shape.rank == 2 &&
           weight->shape.extent[0] <= NN__LAUNCHES_NARROW &&
           weight->shape.extent[1] <= NN__LAUNCHES_NARROW;
}

static bool nn__launches_f32(const nn__step *step) {
    for (int i = 0; i < step->node->input_count; i++)
        if (step->node->inputs[i]->dtype != NN_F32) return false;
    return true;
}

/* ---- the gradients of a linear layer --------------------------------------------------------- */

/* Indices of steps; -1: absent. */
typedef struct nn__launches_linear {
    int weight, bias, input, relu;
} nn__launches_linear;

/* Returns the relu's gradient, if it alone reads dx and the relu's output is the layer's input;
   else -1. */
static int nn__launches_relu(const nn_plan *plan, const nn__launches_linear *layer) {
    const int x = plan->steps[layer->weight].inputs[1], dx = plan->steps[layer->input].output;
    const nn__value *value = &plan->values[dx];
    if (value->place != NN__PLACE_ARENA || value->kept || value->uses != 1) return -1;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->device == plan->steps[layer->weight].device &&
            nn__op_is_relu_gradient(step->node) && nn__root(plan, step->inputs[1]) == value &&
            nn__root(plan, step->inputs[0]) == nn__root(plan, x) && step->output >= 0 &&
            plan->values[step->inputs[1]].uses == 1 && !plan->values[step->inputs[1]].kept)
            return s;
    }
    return -1;
}

static bool nn__launches_find_linear(const nn_plan *plan, int s, nn__launches_linear *layer) {
    const nn__step *step = &plan->steps[s];
    layer->weight = s;
    layer->bias = layer->input = layer->relu = -1;
    if (step->device < 0 || !nn__is_weight_product(step->node) || !nn__launches_f32(step) ||
        nn__launches_is_narrow(plan, s, step->node))
        return false;
    const int dy = step->inputs[0];
    /* The tape has the three in succession. */
    for (int i = s + 1; i < plan->step_count && i <= s + 2; i++) {
        const nn__step *other = &plan->steps[i];
        if (other->device != step->device || other->inputs[0] != dy || !nn__launches_f32(other))
            break;
        if (layer->bias < 0 && nn__op_is_sum_of_rows(other->node))
            layer->bias = i;
        else if (layer->input < 0 && nn__op_is_plain_product(other->node) &&
                 nn_same_shape(other->node->inputs[1]->shape, step->node->shape))
            layer->input = i;
        else
            break;
    }
    if (layer->input >= 0) layer->relu = nn__launches_relu(plan, layer);
    return layer->bias >= 0 || layer->input >= 0;
}

/* Replaces the gradient steps by one, if the device supports it. False: no memory. */
static bool nn__launches_make_linear(nn_plan *plan, const nn__launches_linear *layer) {
    nn__step *weight = &plan->steps[layer->weight], made = *weight;
    const int count = layer->input >= 0 ? 3 : 2;
    int *inputs = (int *)nn__arena_take(&plan->arena, sizeof *inputs * 3);
    nn_node *nodes[3];
    if (!inputs) return false;
    inputs[0] = weight->inputs[0];
    inputs[1] = weight->inputs[1];
    inputs[2] = layer->input >= 0 ? plan->steps[layer->input].inputs[1] : -1;
    for (int i = 0; i < count; i++) nodes[i] = plan->values[inputs[i]].node;
    made.node = nn__op_linear_gradients(&plan->arena, weight->node, nodes, count);
    if (!made.node) return false;
    made.inputs = inputs;
    made.more[0] = layer->bias >= 0 ? plan->steps[layer->bias].output : -1;
    made.more[1] = layer->relu >= 0    ? plan->steps[layer->relu].output
                   : layer->input >= 0 ? plan->steps[layer->input].output
                                       : -1;
    made.activation = layer->relu >= 0 ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    if (!nn__launches_supports(plan, &made)) return true;
    *weight = made;
    plan->values[inputs[0]].uses -= (layer->bias >= 0) + (layer->input >= 0);
    if (layer->bias >= 0) plan->steps[layer->bias].device = -1; /* marks it as gone */
    if (layer->relu >= 0) {
        plan->values[plan->steps[layer->input].output].uses = 0;
        plan->values[plan->steps[layer->relu].inputs[0]].uses--;
        plan->values[plan->steps[layer->relu].inputs[1]].uses = 0;
        plan->steps[layer->relu].device = -1;
    }
    if (layer->input >= 0) plan->steps[layer->input].device = -1;
    return true;
}

/* ---- a loss ---------------------------------------------------------------------------------- */

/* Returns the step that adds the loss of step f to its total, or only checks it. -1: there is none,
   or a step between the two may report a fault, which must come first. */
static int nn__launches_total(const nn_plan *plan, int f, int b) {
    const int loss = plan->steps[f].output;
    bool has_total, check;
    for (int s = f + 1; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (s == b || step->device < 0) continue;
        if (nn__op_is_total(step->node, &has_total, &check) &&
            step->inputs[has_total ? 1 : 0] == loss)
            return step->device == plan->steps[f].device ? s : -1;
        if ((step->node->rule->flags & NN__STATUS) || nn__has_effect(step->node)) return -1;
    }
    return -1;
}

/* True if the value exists before step f. */
static bool nn__launches_is_ready(const nn_plan *plan, int value, int f) {
    const int root = (int)(nn__root(plan, value) - plan->values);
    for (int s = f; s < plan->step_count; s++)
        for (int k = -1; k < NN__MAX_OUTPUTS - 1; k++)
            if ((k < 0 ? plan->steps[s].output : plan->steps[s].more[k]) == root) return false;
    return true;
}

/* True if the logits come from a layer that chains take, through operations that chains take
   too. */
static bool nn__launches_in_chain(const nn_plan *plan, int f) {
    int value = plan->steps[f].inputs[0];
    for (int s = f - 1; s >= 0; s--) {
        const nn__step *step = &plan->steps[s];
        const nn_kernel kernel = step->node->rule->kernel;
        if (step->output != value) continue;
        if (kernel == NN_KERNEL_GEMM)
            return nn__launches_is_narrow(plan, s, step->node->inputs[1]);
        if (kernel != NN_KERNEL_SOFTMAX_FORWARD && kernel != NN_KERNEL_POINTWISE) return false;
        if (step->node->input_count < 1) return false;
        value = step->inputs[0];
    }
    return false;
}

/* Moves the total next to the loss's gradient, so that a chain can contain both. */
static void nn__launches_move(nn_plan *plan, int total, int b) {
    const nn__step moved = plan->steps[total];
    memmove(&plan->steps[b + 2], &plan->steps[b + 1], sizeof moved * (size_t)(total - b - 1));
    plan->steps[b + 1] = moved;
}

/* Replaces the loss, its gradient and its total by one step. False: no memory. */
static bool nn__launches_make_loss(nn_plan *plan, int f, int b, int total) {
    nn__step *forward = &plan->steps[f], *backward = &plan->steps[b], made = *forward;
    const nn__step *adds = total >= 0 ? &plan->steps[total] : NULL;
    int *inputs = (int *)nn__arena_take(&plan->arena, sizeof *inputs * 5);
    int count = backward->node->input_count;
    bool has_total = false, check = false;
    nn_node *nodes[5];
    if (!inputs) return false;
    for (int i = 0; i < count; i++) inputs[i] = backward->inputs[i];
    if (adds && nn__op_is_total(adds->node, &has_total, &check) && has_total)
        inputs[count++] = adds->inputs[0];
    for (int i = 0; i < count; i++) nodes[i] = plan->values[inputs[i]].node;
    made.node = nn__op_loss_head(&plan->arena, forward->node, nodes, count, has_total, check);
    if (!made.node) return false;
    made.inputs = inputs;
    made.more[0] = backward->output;
    if (!nn__launches_supports(plan, &made)) return true;
    for (int i = 0; i < forward->node->input_count; i++) plan->values[forward->inputs[i]].uses--;
    if (adds) plan->values[forward->output].uses--;
    *forward = made;
    backward->device = -1;
    if (total >= 0) plan->steps[total].device = -1;
    return true;
}

static bool nn__launches_loss(nn_plan *plan, int f) {
    const nn__step *forward = &plan->steps[f];
    if (forward->output < 0 || !nn__op_is_one_loss(forward->node)) return true;
    const int b = nn__launches_reader(plan, forward->inputs[0], 0, f, nn__op_is_loss_gradient);
    if (b < 0) return true;
    const nn__step *backward = &plan->steps[b];
    const int count = forward->node->input_count;
    if (backward->node->input_count != count + 1 || backward->output < 0 ||
        memcmp(backward->node->params, forward->node->params, sizeof(nn_cross_entropy_options)) ||
        !nn__launches_is_ready(plan, backward->inputs[count], f))
        return true;
    for (int i = 0; i < count; i++)
        if (backward->inputs[i] != forward->inputs[i]) return true;
    const int total = nn__launches_total(plan, f, b);
    if (!nn__launches_in_chain(plan, f)) return nn__launches_make_loss(plan, f, b, total);
    if (total > b) nn__launches_move(plan, total, b);
    return true;
}

/* ---- running statistics ---------------------------------------------------------------------- */

/* True if step `next` can update its statistics together with the steps from s on. The same buffer
   must not occur twice. */
static bool nn__launches_track(const nn_plan *plan, int s, int next) {
    const nn__step *to = &plan->steps[next];
    if (next >= plan->step_count || to->device != plan->steps[s].device ||
        !nn__op_tracks_like(plan->steps[s].node, to->node))
        return false;
    for (int i = s; i < next; i++)
        for (int k = 0; k < 3; k++)
            if (nn__root(plan, plan->steps[i].inputs[k]) == nn__root(plan, to->inputs[k]))
                return false;
    return true;
}

/* Joins successive updates of statistics. False: no memory. */
static bool nn__launches_tracks(nn_plan *plan, int s) {
    int count = 1, next = 0;
    while (nn__launches_track(plan, s, s + count)) count++;
    if (count == 1) return true;
    nn__step made = plan->steps[s];
    nn_node **nodes =
        (nn_node **)nn__arena_take(&plan->arena, sizeof *nodes * (size_t)(5 * count));
    made.inputs = (int *)nn__arena_take(&plan->arena, sizeof *made.inputs * (size_t)(5 * count));
    if (!nodes || !made.inputs) return false;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 5; k++, next++) {
            made.inputs[next] = plan->steps[s + i].inputs[k];
            nodes[next] = plan->steps[s + i].node->inputs[k];
        }
    made.node = nn__op_tracks(&plan->arena, made.node, nodes, next);
    if (!made.node) return false;
    if (!nn__launches_supports(plan, &made)) return true;
    plan->steps[s] = made;
    for (int i = 1; i < count; i++) plan->steps[s + i].device = -1;
    return true;
}

NN_PRIVATE bool nn__plan_launches(nn_plan *plan) {
    nn__launches_linear layer;
    int kept = 0;
    if (plan->desc.separate_steps) return true;
    for (int s = 0; plan->training && s < plan->step_count; s++) {
        if (!nn__launches_matter(plan, &plan->steps[s])) continue;
        if (nn__launches_find_linear(plan, s, &layer) && !nn__launches_make_linear(plan, &layer))
            return false;
        if (!nn__launches_loss(plan, s) || !nn__launches_tracks(plan, s)) return false;
    }
    for (int s = 0; s < plan->step_count; s++)
        if (plan->steps[s].device >= 0) plan->steps[kept++] = plan->steps[s];
    plan->step_count = kept;
    return true;
}

#undef NN__LAUNCHES_NARROW

#endif

typedef int nn__plan_launches_part; /* a part must not be empty under NN_NO_SPEEDUPS */
