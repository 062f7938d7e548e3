/* ops/attention_fusion.c - lets attention read q, k and v where one product put all of them, and
   write their gradients there, on devices whose kernels step over the rest of a row
   (nn_attention_args.q_row). Caches take their keys and values from there, too. The slices of that
   product are no steps then, and neither is the join of their gradients. Two caches that follow
   each other are written by one step. No result changes by a byte. */
#include "ops/attention_private.h"

#ifndef NN_NO_SPEEDUPS

/* A slice of the last axis. */
typedef struct nn__attention_slice {
    int step;
    int root; /* value of the slice */
    int x;    /* value that it is cut from */
    int32_t first, count, row; /* numbers before it, in it, and in a row of x */
} nn__attention_slice;

/* A node with everything that it refers to. */
typedef struct nn__attention_node {
    nn_node node, *nodes[NN__ATTENTION_INPUTS];
    nn__op_attention params;
    nn__op_cache cache; /* the params of a cache */
    int inputs[NN__ATTENTION_INPUTS];
} nn__attention_node;

static int nn__heads_root(const nn__steps *list, int value) {
    return (int)(nn__value_root(list->values, value) - list->values);
}

static bool nn__heads_is_cache(const nn_node *node) {
    return node->rule->kernel == NN_KERNEL_CACHE;
}

/* Returns the first input that may be a part of a row: q, or the x of a cache; -1: none may.
   *count: the number of such inputs. */
static int nn__heads_first(const nn_node *node, int *count) {
    const nn_kernel kernel = node->rule->kernel;
    *count = kernel == NN_KERNEL_CACHE ? 1 : 3;
    return kernel == NN_KERNEL_ATTENTION_FORWARD || kernel == NN_KERNEL_CACHE ? 0
           : kernel == NN_KERNEL_ATTENTION_BACKWARD                          ? 3
                                                                             : -1;
}

static bool nn__heads_inside(const nn_node *node) {
    return nn__heads_is_cache(node) ? ((const nn__op_cache *)node->params)->desc.heads_inside
                                    : ((const nn__op_attention *)node->params)->desc.heads_inside;
}

/* True if the value is in the plan's memory, and nothing outside the steps reads it. */
static bool nn__heads_is_inner(const nn__steps *list, int root) {
    for (int i = 0; i < list->value_count; i++)
        if (nn__heads_root(list, i) == root && (list->values[i].kept || list->values[i].front))
            return false;
    return list->values[root].place == NN__PLACE_ARENA;
}

/* Returns the number of the step's inputs that have this storage. */
static int nn__heads_reads(const nn__steps *list, const nn__step *step, int root) {
    int count = 0;
    for (int i = 0; step->device >= 0 && i < step->node->input_count; i++)
        count += nn__heads_root(list, step->inputs[i]) == root;
    return count;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* True if the step reads the slice only as q, k, v or the x of a cache, with the heads inside. */
static bool nn__heads_takes(const nn__steps *list, const nn__step *step,
                                const nn__attention_slice *slice) {
    int count;
    const int first = nn__heads_first(step->node, &count);
    if (first < 0 || step->device != list->steps[slice->step].device ||
        !nn__heads_inside(step->node))
        return false;
    for (int i = 0; i < step->node->input_count; i++) {
        if (nn__heads_root(list, step->inputs[i]) != slice->root) continue;
        const int32_t *extent = list->values[step->inputs[i]].node->shape.extent;
        if (i < first || i >= first + count || (int64_t)extent[2] * extent[3] != slice->count)
            return false;
    }
    return true;
}

/* Fills in a copy of the step that reads the tensor from which the slice is cut. */
static void nn__heads_make(const nn__steps *list, const nn__step *step,
                               const nn__attention_slice *slice, nn__attention_node *to,
                               nn__step *made) {
    const bool cache = nn__heads_is_cache(step->node);
    int count;
    const int first = nn__heads_first(step->node, &count);
    *made = *step;
    to->node = *step->node;
    if (cache) to->cache = *(const nn__op_cache *)step->node->params;
    else to->params = *(const nn__op_attention *)step->node->params;
    for (int i = 0; i < to->node.input_count; i++) {
        const bool cut = nn__heads_root(list, step->inputs[i]) == slice->root;
        to->inputs[i] = cut ? slice->x : step->inputs[i];
        to->nodes[i] = cut ? list->values[slice->x].node : step->node->inputs[i];
        if (!cut) continue;
        nn__attention_part *part = &(cache ? to->cache.parts : to->params.parts)[i - first];
        part->first = slice->first;
        part->row = slice->row;
        part->shape = list->values[step->inputs[i]].node->shape;
    }
    to->node.inputs = to->nodes;
    to->node.params = cache ? (void *)&to->cache : (void *)&to->params;
    made->node = &to->node;
    made->inputs = to->inputs;
}

/* Fills in the slice of step s. False: it is none, or something else than attention reads it, or
   a device refuses. */
static bool nn__heads_cut(nn__steps *list, int s, nn__attention_slice *slice) {
    const nn__step *step = &list->steps[s];
    int readers = 0;
    if (step->device < 0 || step->output < 0 || !nn__op_is_last_slice(step->node, &slice->first))
        return false;
    slice->step = s;
    slice->root = step->output;
    slice->x = step->inputs[0];
    const nn_node *x = list->values[slice->x].node, *y = list->values[slice->root].node;
    slice->row = x->shape.extent[x->shape.rank - 1];
    slice->count = y->shape.extent[y->shape.rank - 1];
    if (x->dtype != y->dtype || !nn__heads_is_inner(list, slice->root) ||
        nn__value_root(list->values, slice->x)->place != NN__PLACE_ARENA)
        return false;
    for (int r = 0; r < list->step_count; r++) {
        nn__attention_node node;
        nn__step made;
        if (!nn__heads_reads(list, &list->steps[r], slice->root)) continue;
        if (!nn__heads_takes(list, &list->steps[r], slice)) return false;
        nn__heads_make(list, &list->steps[r], slice, &node, &made);
        if (!list->supports(list, &made)) return false;
        readers++;
    }
    return readers > 0;
}

/* Lets all readers of the slice read its source. False: no memory. */
static bool nn__heads_skip(nn__steps *list, const nn__attention_slice *slice) {
    for (int r = 0; r < list->step_count; r++) {
        nn__step *step = &list->steps[r], made;
        const int reads = nn__heads_reads(list, step, slice->root);
        if (!reads) continue;
        nn__attention_node *node = (nn__attention_node *)nn__arena_take(list->arena, sizeof *node);
        if (!node) return false;
        nn__heads_make(list, step, slice, node, &made);
        for (int i = 0; i < node->node.input_count; i++)
            if (made.inputs[i] != step->inputs[i]) list->values[step->inputs[i]].uses--;
        list->values[slice->x].uses += reads;
        *step = made;
    }
    list->values[slice->x].uses--;
    list->steps[slice->step].device = -1;
    return true;
}

/* ---- caches ---------------------------------------------------------------------------------- */

/* Lets a step write the cache of the next step, too, if both have the same positions. False: no
   memory. */
static bool nn__heads_pair(nn__steps *list, int s) {
    nn__step *step = &list->steps[s], made = *step;
    int t = s + 1;
    if (step->device < 0 || !nn__heads_is_cache(step->node)) return true;
    while (t < list->step_count && list->steps[t].device < 0) t++;
    if (t == list->step_count || !nn__heads_is_cache(list->steps[t].node)) return true;
    const nn__step *next = &list->steps[t];
    const nn__op_cache *params = (const nn__op_cache *)step->node->params,
                       *other = (const nn__op_cache *)next->node->params;
    if (step->device != next->device || params->pair || other->pair ||
        params->desc.length != other->desc.length || params->desc.dtype != other->desc.dtype ||
        params->desc.heads_inside != other->desc.heads_inside ||
        nn__heads_root(list, step->inputs[1]) != nn__heads_root(list, next->inputs[1]))
        return true;
    nn__attention_node *node = (nn__attention_node *)nn__arena_take(list->arena, sizeof *node);
    if (!node) return false;
    node->node = *step->node;
    node->cache = *params;
    node->cache.pair = true;
    node->cache.parts[1] = other->parts[0];
    for (int i = 0; i < 3; i++) {
        const nn__step *from = i < 2 ? step : next;
        node->inputs[i] = from->inputs[i % 2];
        node->nodes[i] = from->node->inputs[i % 2];
    }
    node->node.inputs = node->nodes;
    node->node.input_count = 3;
    node->node.params = &node->cache;
    made.node = &node->node;
    made.inputs = node->inputs;
    made.more[0] = next->output;
    if (!list->supports(list, &made)) return true;
    list->values[next->inputs[1]].uses--;
    list->steps[t].device = -1;
    *step = made;
    return true;
}

/* ---- gradients ------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static int nn__heads_output(const nn__step *step, int k) {
    return k ? step->more[k - 1] : step->output;
}

/* Returns the only step that reads the gradient of q, k or v, if it is a join of slices; -1: there
   is none. */
static int nn__heads_reader(const nn__steps *list, int root) {
    int found = -1;
    if (root < 0 || !nn__heads_is_inner(list, root)) return -1;
    for (int r = 0; r < list->step_count; r++) {
        const int reads = nn__heads_reads(list, &list->steps[r], root);
        if (!reads) continue;
        if (found >= 0 || reads > 1 || !nn__op_slice_of(list->steps[r].node, 0)) return -1;
        found = r;
    }
    return found;
}

/* True if input i of the join is the gradient of output k of the attention step, and goes where
   its operand is. */
static bool nn__heads_fits(const nn__steps *list, const nn__step *step, const nn__step *join,
                               int k) {
    const nn__attention_part *part = &((const nn__op_attention *)step->node->params)->parts[k];
    for (int i = 0; i < join->node->input_count; i++) {
        int32_t first;
        if (nn__heads_root(list, join->inputs[i]) != nn__heads_output(step, k)) continue;
        return nn__op_is_last_slice(nn__op_slice_of(join->node, i), &first) &&
               first == part->first;
    }
    return false;
}

/* Lets step s write the gradients of q, k and v where a later step would join them. False: no
   memory. */
static bool nn__heads_join(nn__steps *list, int s) {
    nn__step *step = &list->steps[s], made = *step;
    const nn__op_attention *params = (const nn__op_attention *)step->node->params;
    int32_t sum = 0;
    int g = -1;
    if (step->device < 0 || step->node->rule->kernel != NN_KERNEL_ATTENTION_BACKWARD) return true;
    for (int k = 0; k < 3; k++) {
        if (!params->gives[k] || !params->parts[k].row ||
            nn__heads_root(list, step->inputs[3 + k]) !=
                nn__heads_root(list, step->inputs[3]))
            return true;
        const int reader = nn__heads_reader(list, nn__heads_output(step, k));
        if (reader < 0 || (g >= 0 && reader != g)) return true;
        g = reader;
        sum += params->parts[k].shape.extent[2] * params->parts[k].shape.extent[3];
        if (!nn__heads_fits(list, step, &list->steps[g], k)) return true;
    }
    const nn__step *join = &list->steps[g];
    const nn_node *dx = list->values[join->output].node;
    if (join->device != step->device || join->node->input_count != 3 ||
        join->activation != NN_ACTIVATION_NONE || dx->dtype != NN_F32 ||
        sum != params->parts[0].row || dx->shape.extent[dx->shape.rank - 1] != sum)
        return true;
    nn__attention_node *node = (nn__attention_node *)nn__arena_take(list->arena, sizeof *node);
    if (!node) return false;
    node->node = *step->node;
    node->params = *params;
    node->params.joined = true;
    node->node.params = &node->params;
    made.node = &node->node;
    made.output = join->output;
    made.more[0] = params->gives[3] ? step->more[2] : -1;
    made.more[1] = made.more[2] = -1;
    if (!list->supports(list, &made)) return true;
    for (int i = 0; i < 3; i++) list->values[join->inputs[i]].uses--;
    list->steps[g].device = -1;
    *step = made;
    return true;
}
#endif

/* Returns false without memory. */
static bool nn__heads_whole(nn__steps *list) {
    nn__attention_slice slice;
    for (int s = 0; s < list->step_count; s++)
        if (nn__heads_cut(list, s, &slice) && !nn__heads_skip(list, &slice)) return false;
    for (int s = 0; s < list->step_count; s++)
        if (!nn__heads_pair(list, s)) return false;
#ifndef NN_NO_TRAINING
    for (int s = 0; s < list->step_count; s++)
        if (!nn__heads_join(list, s)) return false;
#endif
    return true;
}

static const nn__fusion nn__heads_fusion = {
    NULL, 0, NULL, NULL, NN__WHEN_JOINING, 0, 0, false, 0, nn__heads_whole};

NN_PRIVATE const nn__fusion *nn__op_attention_fusion(void) { return &nn__heads_fusion; }

#endif

typedef int nn__ops_attention_fusion_part; /* a part must not be empty under NN_NO_SPEEDUPS */
