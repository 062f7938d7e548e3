/* plan/launches.c - joins steps of training on devices where a launch costs more than the work of
   a small step. Joined are:

   - the gradients of a linear layer's weight, bias and input, with the gradient of a relu before
     it
   - a loss with its gradient and its running total
   - the updates of the running statistics of norms

   Steps stay separate if anything else reads the values between them. Narrow layers are left to
   plan/chain.c, which joins more steps. The joined steps do not add in the order of the separate
   ones. */
#include "plan/private.h"

#include "graph/build.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)

#define NN__LAUNCHES_NARROW 128 /* widest layer, in features, that chains take */

static bool nn__launches_matter(const nn_plan *plan, const nn__step *step) {
    const nn__open_device *open =
        step->device >= 0 ? nn__find_device(plan->nn, plan->devices[step->device].device) : NULL;
    return open && nn__launches_are_dear(open);
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

enum { NN__LINEAR_WEIGHT, NN__LINEAR_BIAS, NN__LINEAR_INPUT, NN__LINEAR_RELU };

static bool nn__linear_fits(nn__steps *list, int *found) {
    const nn_plan *plan = (const nn_plan *)list->plan;
    const nn__step *weight = &list->steps[found[NN__LINEAR_WEIGHT]];
    for (int p = NN__LINEAR_BIAS; p <= NN__LINEAR_INPUT; p++)
        if (found[p] >= 0 && !nn__launches_f32(&list->steps[found[p]])) found[p] = -1;
    int *const input = &found[NN__LINEAR_INPUT];
    if (*input >= 0 && !nn_same_shape(list->steps[*input].node->inputs[1]->shape,
                                      weight->node->shape))
        *input = -1;
    if (*input < 0) found[NN__LINEAR_RELU] = -1;
    return nn__launches_matter(plan, weight) && nn__launches_f32(weight) &&
           !nn__launches_is_narrow(plan, found[NN__LINEAR_WEIGHT], weight->node) &&
           (*input >= 0 || found[NN__LINEAR_BIAS] >= 0);
}

static bool nn__linear_make(nn__steps *list, const int *found, nn__step *made) {
    const int bias = found[NN__LINEAR_BIAS], input = found[NN__LINEAR_INPUT],
              relu = found[NN__LINEAR_RELU], count = input >= 0 ? 3 : 2;
    const nn_node *weight = list->steps[found[NN__LINEAR_WEIGHT]].node;
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * 3);
    nn_node *nodes[3];
    if (!inputs) return false;
    inputs[0] = made->inputs[0];
    inputs[1] = made->inputs[1];
    inputs[2] = input >= 0 ? list->steps[input].inputs[1] : -1;
    for (int i = 0; i < count; i++) nodes[i] = list->values[inputs[i]].node;
    made->node = nn__op_linear_gradients(list->arena, weight, nodes, count);
    made->inputs = inputs;
    made->more[0] = bias >= 0 ? list->steps[bias].output : -1;
    made->more[1] = relu >= 0    ? list->steps[relu].output
                    : input >= 0 ? list->steps[input].output
                                 : -1;
    made->activation = relu >= 0 ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    return made->node != NULL;
}

/* The tape has the gradients of a layer in succession. The relu is that of the layer's input. */
static const nn__fusion_part nn__linear_pattern[] = {
    {NN_KERNEL_GEMM, 0, nn__is_weight_product, 0, {{0, 0, 0, 0}}},
    {NN_KERNEL_REDUCE, NN__PART_OPTIONAL | NN__PART_NEAR, nn__op_is_sum_of_rows, 1,
     {{0, NN__LINEAR_WEIGHT, 0, 0}}},
    {NN_KERNEL_GEMM, NN__PART_OPTIONAL | NN__PART_NEAR, nn__op_is_plain_product, 1,
     {{0, NN__LINEAR_WEIGHT, 0, 0}}},
    {NN_KERNEL_POINTWISE, NN__PART_OPTIONAL | NN__PART_ALONE | NN__PART_STORAGE,
     nn__op_is_relu_gradient, 2,
     {{1, NN__LINEAR_INPUT, NN__RESULT(0), 0}, {0, NN__LINEAR_WEIGHT, 1, 0}}}};
static const nn__fusion nn__linear_fusion = {
    nn__linear_pattern, NN__COUNT(nn__linear_pattern), nn__linear_fits, nn__linear_make,
    0, 0, 0, false, 0, NULL};

/* ---- a loss ---------------------------------------------------------------------------------- */

enum { NN__LOSS_FORWARD, NN__LOSS_BACKWARD, NN__LOSS_TOTAL };

/* True if the node adds a loss to its total, or only checks it. */
static bool nn__loss_is_total(const nn_node *node) {
    bool has_total, check;
    return nn__op_is_total(node, &has_total, &check);
}

#ifndef NN_NO_MIXED_PRECISION
/* Returns the step that widens a half value to this one, or NULL. */
static nn__step *nn__loss_cast(nn_plan *plan, int value) {
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        if (step->device >= 0 && step->output == value &&
            step->node->rule == nn__cast_rule(NN_F32) &&
            nn__is_half(plan->values[step->inputs[0]].node->dtype))
            return step;
    }
    return NULL;
}

/* Lets a gradient of the loss read the loss's own logits. With nn_autocast_begin both have casts of
   the same half value, and the gradient's cast is left out. */
static void nn__loss_share(nn_plan *plan, int f) {
    const int logits = plan->steps[f].inputs[0];
    const nn__step *cast = nn__loss_cast(plan, logits);
    for (int s = f + 1; cast && s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        if (step->device != cast->device || !nn__op_is_loss_gradient(step->node)) continue;
        const int other = step->inputs[0];
        nn__step *const own = nn__loss_cast(plan, other);
        if (!own || own == cast || own->inputs[0] != cast->inputs[0] ||
            own->device != cast->device || plan->values[other].kept ||
            plan->values[other].uses != 1)
            continue;
        step->inputs[0] = logits;
        plan->values[logits].uses++;
        plan->values[other].uses = 0;
        plan->values[own->inputs[0]].uses--;
        own->device = -1;
    }
}

#else
#define nn__loss_share(plan, f) ((void)(f))
#endif

/* True if a step between the loss and its total may report a fault, which must come first. */
static bool nn__loss_waits(const nn__steps *list, const int *found) {
    for (int s = found[NN__LOSS_FORWARD] + 1; s < found[NN__LOSS_TOTAL]; s++)
        if (s != found[NN__LOSS_BACKWARD] && list->steps[s].device >= 0 &&
            ((list->steps[s].node->rule->flags & NN__STATUS) ||
             nn__has_effect(list->steps[s].node)))
            return true;
    return false;
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
        if (nn__is_half(plan->values[value].node->dtype)) return false; /* chains read f32 */
        if (kernel == NN_KERNEL_GEMM)
            return nn__launches_is_narrow(plan, s, step->node->inputs[1]);
        if (kernel != NN_KERNEL_SOFTMAX_FORWARD && kernel != NN_KERNEL_POINTWISE) return false;
        if (step->node->input_count < 1) return false;
        value = step->inputs[0];
    }
    return false;
}

/* True if the gradient is that of this loss with the same operands. Drops a total that must come
   later. */
static bool nn__loss_is_whole(nn__steps *list, int *found) {
    const nn__step *forward = &list->steps[found[NN__LOSS_FORWARD]];
    const nn__step *backward = &list->steps[found[NN__LOSS_BACKWARD]];
    const int count = forward->node->input_count;
    if (!nn__launches_matter((const nn_plan *)list->plan, forward) ||
        backward->node->input_count != count + 1 || backward->output < 0 ||
        memcmp(backward->node->params, forward->node->params, sizeof(nn_cross_entropy_options)) ||
        !nn__launches_is_ready((const nn_plan *)list->plan, backward->inputs[count],
                               found[NN__LOSS_FORWARD]))
        return false;
    for (int i = 0; i < count; i++)
        if (backward->inputs[i] != forward->inputs[i]) return false;
    if (nn__loss_waits(list, found)) found[NN__LOSS_TOTAL] = -1;
    return true;
}

/* A loss of a narrow layer is left to chains, but its total moves to just after its gradient, so
   that a chain can contain both. */
static bool nn__loss_fits(nn__steps *list, int *found) {
    const int b = found[NN__LOSS_BACKWARD];
    if (!nn__loss_is_whole(list, found)) return false;
    if (!nn__launches_in_chain((const nn_plan *)list->plan, found[NN__LOSS_FORWARD])) return true;
    const int total = found[NN__LOSS_TOTAL];
    if (total > b) {
        const nn__step moved = list->steps[total];
        memmove(&list->steps[b + 2], &list->steps[b + 1], sizeof moved * (size_t)(total - b - 1));
        list->steps[b + 1] = moved;
    }
    return false;
}

static bool nn__loss_make(nn__steps *list, const int *found, nn__step *made) {
    const nn__step *forward = &list->steps[found[NN__LOSS_FORWARD]];
    const nn__step *backward = &list->steps[found[NN__LOSS_BACKWARD]];
    const nn__step *adds =
        found[NN__LOSS_TOTAL] >= 0 ? &list->steps[found[NN__LOSS_TOTAL]] : NULL;
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * 5);
    int count = backward->node->input_count;
    bool has_total = false, check = false;
    nn_node *nodes[5];
    if (!inputs) return false;
    for (int i = 0; i < count; i++) inputs[i] = backward->inputs[i];
    if (adds && nn__op_is_total(adds->node, &has_total, &check) && has_total)
        inputs[count++] = adds->inputs[0];
    for (int i = 0; i < count; i++) nodes[i] = list->values[inputs[i]].node;
    made->node =
        nn__op_loss_head(list->arena, forward->node, nodes, count, has_total, check);
    made->inputs = inputs;
    made->more[0] = backward->output;
    return made->node != NULL;
}

static const nn__fusion_part nn__loss_pattern[] = {
    {NN_KERNEL_CROSS_ENTROPY_FORWARD, 0, nn__op_is_one_loss, 0, {{0, 0, 0, 0}}},
    {NN_KERNEL_CROSS_ENTROPY_BACKWARD, 0, nn__op_is_loss_gradient, 1,
     {{0, NN__LOSS_FORWARD, 0, 0}}},
    {NN_KERNEL_NONE, NN__PART_OPTIONAL, nn__loss_is_total, 1,
     {{NN__ANY_INPUT, NN__LOSS_FORWARD, NN__RESULT(0), 0}}}};
static const nn__fusion nn__loss_fusion = {
    nn__loss_pattern, NN__COUNT(nn__loss_pattern), nn__loss_fits, nn__loss_make,
    0, 0, 0, false, 0, NULL};

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
    if (!nn__plan_supports(plan, &made)) return true;
    plan->steps[s] = made;
    for (int i = 1; i < count; i++) plan->steps[s + i].device = -1;
    return true;
}

NN_PRIVATE bool nn__plan_launches(nn_plan *plan) {
    int kept = 0;
    if (plan->desc.separate_steps || !plan->training) return true;
    plan->nn->fuse = nn__fuse;
    for (int s = 0; s < plan->step_count; s++)
        if (nn__op_is_one_loss(plan->steps[s].node) &&
            nn__launches_matter(plan, &plan->steps[s]))
            nn__loss_share(plan, s);
    if (!nn__plan_apply(plan, &nn__linear_fusion) || !nn__plan_apply(plan, &nn__loss_fusion))
        return false;
    for (int s = 0; s < plan->step_count; s++)
        if (nn__launches_matter(plan, &plan->steps[s]) && !nn__launches_tracks(plan, s))
            return false;
    for (int s = 0; s < plan->step_count; s++)
        if (plan->steps[s].device >= 0) plan->steps[kept++] = plan->steps[s];
    plan->step_count = kept;
    return true;
}

#undef NN__LAUNCHES_NARROW
#undef nn__loss_share

#endif

typedef int nn__plan_launches_part; /* a part must not be empty under NN_NO_SPEEDUPS */
