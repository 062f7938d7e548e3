/* onnx/write_plan_layout.c - gives the values of a plan of constants their places in its block.
   Values that are never needed at the same time share memory; the result of a pointwise operation
   takes over the memory of an input that nothing reads afterwards. */
#include "onnx/planned.h"

enum { NN__PLANNED_ALIGNMENT = 16 };

static int nn__planned_root(const nn__planned *p, int value) {
    while (p->values[value].same >= 0) value = p->values[value].same;
    return value;
}

/* Lets a pointwise step write to the memory of an input of the same shape and dtype. */
static void nn__planned_in_place(nn__planned *p, int s) {
    const nn__planned_step *step = &p->steps[s];
    if (step->kernel->kernel != NN_KERNEL_POINTWISE || step->fields[0] == 0) return;
    const nn__planned_tensor *y = &p->tensors[step->fields[0] - 1];
    nn__planned_value *to = &p->values[y->value];
    for (int i = 1; i < step->kernel->count && step->kernel->fields[i].kind == 'v'; i++) {
        const nn__planned_tensor *x = step->fields[i] ? &p->tensors[step->fields[i] - 1] : NULL;
        if (!x || p->values[x->value].leaf || x->dtype != y->dtype ||
            !nn_same_shape(x->shape, y->shape))
            continue;
        const int root = nn__planned_root(p, x->value);
        nn__planned_value *from = &p->values[root];
        if (from->last != s || to->first != s || from->bytes < to->bytes) continue;
        to->same = root;
        from->last = to->last;
        return;
    }
}

static bool nn__planned_meet(const nn__planned_value *a, const nn__planned_value *b) {
    return a->first <= b->last && b->first <= a->last;
}

/* Returns the lowest place at which the value overlaps no placed value that lives at the same
   time. */
static int64_t nn__planned_place(const nn__planned *p, const int *placed, int count, int value) {
    const nn__planned_value *v = &p->values[value];
    int64_t at = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < count; i++) {
            const nn__planned_value *other = &p->values[placed[i]];
            if (!nn__planned_meet(v, other) || at >= other->offset + other->bytes ||
                at + v->bytes <= other->offset)
                continue;
            at = (other->offset + other->bytes + NN__PLANNED_ALIGNMENT - 1) /
                 NN__PLANNED_ALIGNMENT * NN__PLANNED_ALIGNMENT;
            moved = true;
        }
    }
    return at;
}

/* Returns the largest value that has no place yet; -1: all have one. */
static int nn__planned_largest(const nn__planned *p, const bool *done) {
    int best = -1;
    for (int i = 0; i < p->value_count; i++) {
        const nn__planned_value *v = &p->values[i];
        if (done[i] || v->leaf || v->same >= 0 || v->bytes == 0) continue;
        if (best < 0 || v->bytes > p->values[best].bytes) best = i;
    }
    return best;
}

NN__ONNX_PRIVATE bool nn__planned_lay_out(nn__planned *p) {
    int *placed = (int *)nn__onnx_take(p->w.e.call, &p->w.e.arena,
                                       (uint64_t)(p->value_count + 1) * sizeof *placed);
    bool *done = (bool *)nn__onnx_take(p->w.e.call, &p->w.e.arena,
                                       (uint64_t)(p->value_count + 1) * sizeof *done);
    int count = 0;
    if (!placed || !done) return false;
    for (int i = 0; i < p->value_count; i++) {
        nn__planned_value *v = &p->values[i];
        if (nn_describe_node(v->node).kind == NN_NODE_INPUT) v->first = -1;
        if (v->output) v->last = INT_MAX;
    }
    for (int s = 0; s < p->step_count; s++) nn__planned_in_place(p, s);
    for (int v; (v = nn__planned_largest(p, done)) >= 0; done[v] = true, placed[count++] = v) {
        const int64_t at = nn__planned_place(p, placed, count, v);
        p->values[v].offset = at;
        if (at + p->values[v].bytes > p->activations) p->activations = at + p->values[v].bytes;
    }
    for (int i = 0; i < p->value_count; i++)
        p->values[i].offset = p->values[nn__planned_root(p, i)].offset;
    p->activations = (p->activations + NN__PLANNED_ALIGNMENT - 1) / NN__PLANNED_ALIGNMENT *
                     NN__PLANNED_ALIGNMENT;
    return true;
}
