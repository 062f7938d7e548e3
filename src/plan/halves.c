/* plan/halves.c - leaves out casts on devices whose kernels read and write f16 and bf16 themselves
   (nn_backend.halves).

   A cast to f32 is left out if each of its readers takes the half value. A cast from f32 is left
   out if nothing else reads the value and its producer can write the half dtype. A value is also
   stored in half if each of its readers would round it to the same dtype. Such readers are products
   with bf16 operands, and copies into values of that dtype.

   No other value changes by a byte: a widened number is the same number, and a kernel rounds its
   result as the cast does.

   Kernels are asked at the plan's largest batch and time. At a smaller batch, a product may compute
   in f32 (it has fewer rows than matrix units want), but it still reads the half value. So its
   result may differ from that of a plan made for the smaller batch, within the error that the
   precision allows. */
#include "plan/private.h"

#include "graph/build.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_MIXED_PRECISION)

typedef struct nn__halving {
    nn_plan *plan;
    int *producer; /* of each storage: the only step that writes it; -1: none, or several */
    int *reads;    /* of each storage: the number of its reads by steps */
    bool *kept;    /* of each storage: one of its values is an output, or outlives the run */
} nn__halving;

static int nn__halves_root(const nn_plan *plan, int value) {
    return (int)(nn__root(plan, value) - plan->values);
}

static int nn__halves_output(const nn__step *step, int k) {
    return k ? step->more[k - 1] : step->output;
}

/* True if the step is a cast between f32 and a half dtype on a device with nn_backend.halves.
   narrows: the cast is from f32; otherwise it is to f32. */
static bool nn__halves_is_cast(const nn_plan *plan, const nn__step *step, bool narrows) {
    const nn_node *node = step->node;
    if (step->device < 0 || step->output < 0 || node->rule != nn__cast_rule(NN_F32)) return false;
    const nn_dtype from = plan->values[step->inputs[0]].node->dtype,
                   to = plan->values[step->output].node->dtype;
    const nn__open_device *open = nn__find_device(plan->nn, node->device);
    return (narrows ? from == NN_F32 && nn__is_half(to) : nn__is_half(from) && to == NN_F32) &&
           open && open->backend->halves;
}

/* ---- casts to f32 ---------------------------------------------------------------------------- */

/* Lets the step read `half` in place of `wide` if it can. Returns the number of inputs that
   changed. */
static int nn__halves_read(nn_plan *plan, nn__step *step, int wide, int half) {
    const int inputs = step->node->input_count;
    int count = 0;
    for (int i = 0; i < inputs; i++) {
        count += step->inputs[i] == wide;
        if (step->inputs[i] == half || (step->inputs[i] == wide && nn__writes(step->node, i)))
            return 0;
    }
    if (count == 0) return 0;
    /* A kernel may keep f16 operands as they are where it rounds f32 ones to bf16. */
    const bool rounds = nn__plan_rounds_to_bf16(plan, step);
    for (int i = 0; i < inputs; i++)
        if (step->inputs[i] == wide) step->inputs[i] = half;
    if (nn__plan_takes_halves(plan, step) && nn__plan_rounds_to_bf16(plan, step) == rounds)
        return count;
    for (int i = 0; i < inputs; i++)
        if (step->inputs[i] == half) step->inputs[i] = wide;
    return 0;
}

/* True if no step writes into the storage of an existing value. A half value that a later step
   changes must be widened where the cast is. */
static bool nn__halves_is_steady(const nn__halving *all, int value) {
    const nn_plan *plan = all->plan;
    const int root = nn__halves_root(plan, value);
    for (int s = 0; s < plan->step_count; s++)
        for (int i = 0; i < plan->steps[s].node->input_count; i++)
            if (nn__writes(plan->steps[s].node, i) &&
                nn__halves_root(plan, plan->steps[s].inputs[i]) == root)
                return false;
    return true;
}

static void nn__halves_widening(nn__halving *all, int c) {
    nn_plan *plan = all->plan;
    nn__step *cast = &plan->steps[c];
    const int wide = cast->output, half = cast->inputs[0];
    if (plan->values[wide].place != NN__PLACE_ARENA || plan->values[wide].kept ||
        !nn__halves_is_steady(all, half))
        return;
    for (int s = c + 1; s < plan->step_count; s++) {
        if (plan->steps[s].device != cast->device) continue;
        const int count = nn__halves_read(plan, &plan->steps[s], wide, half);
        plan->values[wide].uses -= count;
        plan->values[half].uses += count;
    }
    if (plan->values[wide].uses > 0) return;
    plan->values[half].uses--;
    cast->device = -1; /* the step is left out */
}

/* ---- casts from f32 -------------------------------------------------------------------------- */

static void nn__halves_look(nn__halving *all) {
    const nn_plan *plan = all->plan;
    for (int i = 0; i < plan->value_count; i++) {
        all->producer[i] = -1;
        all->reads[i] = 0;
        all->kept[i] = false;
    }
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].kept || plan->values[i].place > NN__PLACE_ALIAS ||
            plan->values[i].front)
            all->kept[nn__halves_root(plan, i)] = true;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->device < 0) continue;
        for (int i = 0; i < step->node->input_count; i++) {
            const int root = nn__halves_root(plan, step->inputs[i]);
            all->reads[root]++;
            if (nn__writes(step->node, i)) all->kept[root] = true;
        }
        for (int k = 0; k < NN__MAX_OUTPUTS; k++) {
            const int value = nn__halves_output(step, k);
            if (value < 0) continue;
            const int root = nn__halves_root(plan, value);
            all->kept[root] = all->kept[root] || all->producer[root] >= 0 || root != value;
            all->producer[root] = s;
        }
    }
}

/* Stores the value that the cast reads in the cast's dtype, and makes the cast's value an alias of
   it. False: no memory. */
static bool nn__halves_narrowing(nn__halving *all, int c) {
    nn_plan *plan = all->plan;
    nn__step *cast = &plan->steps[c];
    const int half = cast->output, root = nn__halves_root(plan, cast->inputs[0]);
    nn__value *value = &plan->values[root];
    const int p = all->producer[root];
    if (p < 0 || plan->steps[p].device != cast->device || all->kept[root] ||
        all->reads[root] != 1 || value->place != NN__PLACE_ARENA || value->node->dtype != NN_F32 ||
        plan->values[half].place != NN__PLACE_ARENA || plan->values[half].kept)
        return true;
    nn_node *const wide = value->node,
            *const node = (nn_node *)nn__arena_take(&plan->arena, sizeof *node);
    if (!node) return false;
    *node = *wide;
    node->dtype = plan->values[half].node->dtype;
    value->node = node;
    if (!nn__plan_takes_halves(plan, &plan->steps[p])) {
        value->node = wide;
        return true;
    }
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *alias = &plan->values[i];
        if (i != half && !(alias->place == NN__PLACE_ALIAS && alias->alias_of == half)) continue;
        alias->place = NN__PLACE_ALIAS;
        alias->alias_of = root;
    }
    all->reads[root] += all->reads[half] - 1;
    value->uses += plan->values[half].uses;
    plan->values[cast->inputs[0]].uses--;
    cast->device = -1;
    return true;
}

/* ---- values that every reader rounds --------------------------------------------------------- */

/* Returns the dtype to which the step rounds this input; 0: it does not round. */
static nn_dtype nn__halves_rounds(nn_plan *plan, nn__step *step, int input) {
    const nn_kernel kernel = step->node->rule->kernel;
    if (kernel == NN_KERNEL_STRIDED_COPY && step->output >= 0) {
        const nn_dtype to = plan->values[step->output].node->dtype;
        return nn__is_half(to) ? to : NN_DTYPE_DEFAULT;
    }
    if (input > 1 || (kernel != NN_KERNEL_GEMM && kernel != NN_KERNEL_CONV2D_FORWARD &&
                      kernel != NN_KERNEL_CONV2D_BACKWARD_INPUT &&
                      kernel != NN_KERNEL_CONV2D_BACKWARD_WEIGHT))
        return NN_DTYPE_DEFAULT;
    return nn__plan_rounds_to_bf16(plan, step) ? NN_BF16 : NN_DTYPE_DEFAULT;
}

/* Returns the dtype to which all readers of the storage round it; 0: there is none. */
static nn_dtype nn__halves_common(nn__halving *all, int root) {
    nn_plan *plan = all->plan;
    nn_dtype common = NN_DTYPE_DEFAULT;
    for (int s = all->producer[root] + 1; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        for (int i = 0; step->device >= 0 && i < step->node->input_count; i++) {
            if (nn__halves_root(plan, step->inputs[i]) != root) continue;
            const nn_dtype to = nn__halves_rounds(plan, step, i);
            if (!to || (common && to != common)) return NN_DTYPE_DEFAULT;
            common = to;
        }
    }
    return common;
}

/* True if the producer and all readers of the storage take its dtype. */
static bool nn__halves_all_take(nn__halving *all, int root) {
    nn_plan *plan = all->plan;
    if (!nn__plan_takes_halves(plan, &plan->steps[all->producer[root]])) return false;
    for (int s = all->producer[root] + 1; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        bool reads = false;
        for (int i = 0; step->device >= 0 && i < step->node->input_count; i++)
            reads = reads || nn__halves_root(plan, step->inputs[i]) == root;
        if (reads && !nn__plan_takes_halves(plan, step)) return false;
    }
    return true;
}

/* Gives the value and its aliases copies of their nodes with this dtype. False: no memory. */
static bool nn__halves_retype(nn__halving *all, int root, nn_dtype dtype) {
    nn_plan *plan = all->plan;
    for (int i = 0; i < plan->value_count; i++) {
        if (nn__halves_root(plan, i) != root) continue;
        nn_node *node = (nn_node *)nn__arena_take(&plan->arena, sizeof *node);
        if (!node) return false;
        *node = *plan->values[i].node;
        node->dtype = dtype;
        plan->values[i].node = node;
    }
    return true;
}

/* Stores the value in half if all readers round it to one half dtype. False: no memory. */
static bool nn__halves_rounded(nn__halving *all, int root) {
    nn_plan *plan = all->plan;
    const nn__value *value = &plan->values[root];
    const int p = all->producer[root];
    if (p < 0 || plan->steps[p].device < 0 || all->kept[root] || all->reads[root] == 0 ||
        value->place != NN__PLACE_ARENA || value->node->dtype != NN_F32)
        return true;
    const nn__open_device *open = nn__find_device(plan->nn, plan->steps[p].node->device);
    if (!open || !open->backend->halves) return true;
    for (int s = p + 1; s < plan->step_count; s++)
        for (int i = 0; plan->steps[s].device >= 0 && i < plan->steps[s].node->input_count; i++)
            if (nn__halves_root(plan, plan->steps[s].inputs[i]) == root &&
                plan->steps[s].device != plan->steps[p].device)
                return true;
    const nn_dtype common = nn__halves_common(all, root);
    if (!common) return true;
    if (!nn__halves_retype(all, root, common)) return false;
    return nn__halves_all_take(all, root) || nn__halves_retype(all, root, NN_F32);
}

/* Tries values from the last to the first: when a copy has become half, its source may, too. */
static bool nn__halves_round(nn__halving *all) {
    const nn_plan *plan = all->plan;
    bool fine = true;
    for (int i = plan->value_count - 1; fine && i >= 0; i--)
        fine = nn__halves_rounded(all, i);
    return fine;
}

/* ---- the pass -------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__plan_halves(nn_plan *plan) {
    const size_t values = (size_t)plan->value_count,
                 bytes = (2 * sizeof(int) + sizeof(bool)) * values;
    nn__halving all;
    int casts = 0, kept = 0;
    bool fine = true;
    for (int s = 0; s < plan->step_count; s++)
        casts += nn__halves_is_cast(plan, &plan->steps[s], false) ||
                 nn__halves_is_cast(plan, &plan->steps[s], true);
    if (casts == 0 && plan->desc.precision != NN_PRECISION_MEDIUM) return true;
    all.plan = plan;
    all.producer = (int *)nn__allocate(&plan->nn->memory, bytes);
    if (!all.producer) return false;
    all.reads = all.producer + values;
    all.kept = (bool *)(void *)(all.reads + values);
    for (int s = 0; s < plan->step_count; s++)
        if (nn__halves_is_cast(plan, &plan->steps[s], false)) nn__halves_widening(&all, s);
    nn__halves_look(&all);
    for (int s = 0; fine && s < plan->step_count; s++)
        if (nn__halves_is_cast(plan, &plan->steps[s], true)) fine = nn__halves_narrowing(&all, s);
    fine = fine && nn__halves_round(&all);
    nn__release(&plan->nn->memory, all.producer, bytes);
    fine = fine && nn__plan_casts(plan);
    for (int s = 0; s < plan->step_count; s++)
        if (plan->steps[s].device >= 0) plan->steps[kept++] = plan->steps[s];
    plan->step_count = kept;
    return fine;
}

#endif

typedef int nn__plan_halves_part; /* a part must not be empty under NN_NO_MIXED_PRECISION */
