/* opencl/chain_loss.c - cross entropy, its gradient, and the running total of losses, as calls of a
   chain. */
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)
/* most rows if every work-group must add the weights of all rows */
#define NN__LOSS_WEIGHED (1 << 16)

/* ---- the cross entropy ----------------------------------------------------------------------- */

static void nn__opencl_loss_reads(const nn_cross_entropy_args *e, nn__opencl_chain_views *views) {
    nn__opencl_chain_add(views, &e->logits, false);
    nn__opencl_chain_add(views, &e->label, false);
    nn__opencl_chain_add(views, &e->weight, false);
}
static void nn__opencl_loss_list(const void *args, nn__opencl_chain_views *views) {
    const nn_cross_entropy_args *e = (const nn_cross_entropy_args *)args;
    nn__opencl_loss_reads(e, views);
    nn__opencl_chain_add(views, &e->loss, true);
}
static void nn__opencl_loss_slope_list(const void *args, nn__opencl_chain_views *views) {
    const nn_cross_entropy_args *e = (const nn_cross_entropy_args *)args;
    nn__opencl_loss_reads(e, views);
    nn__opencl_chain_add(views, &e->dloss, false);
    nn__opencl_chain_add(views, &e->dlogits, true);
}

static nn__opencl_link nn__opencl_loss_judge(nn__opencl_chain *chain,
                                             const nn_cross_entropy_args *args, bool backward) {
    const nn_shape *x = &args->logits.shape;
    chain->why = "its form of cross entropy is not supported in a joined kernel";
    const bool each = args->reduction == NN_REDUCTION_NONE;
    if (x->rank != 2 || x->extent[1] > NN__CHAIN_WIDTH ||
        (chain->by_rows && backward && args->reduction == NN_MEAN &&
         (nn__opencl_present(&args->weight) || args->ignore) &&
         x->extent[0] > NN__LOSS_WEIGHED) ||
        !nn__opencl_chain_height(chain, x->extent[0]) ||
        !nn__opencl_chain_status(chain, &args->status))
        return NN__LINK_NONE;
    if (!nn__opencl_chain_rows(chain, &args->logits) ||
        !nn__opencl_chain_whole(chain, &args->label) ||
        !nn__opencl_chain_whole(chain, &args->weight) ||
        (backward && !(each ? nn__opencl_chain_rows(chain, &args->dloss)
                            : nn__opencl_chain_number(chain, &args->dloss))))
        return NN__LINK_NONE;
    const nn__opencl_link link = backward || each ? NN__LINK_ROWS : NN__LINK_TOTAL;
    nn__opencl_chain_makes(chain, backward ? &args->dlogits : &args->loss, link,
                           backward ? 0
                           : each   ? 1 /* the mark of a fault */
                                    : 3);
    chain->work += 20.0 * (double)nn__opencl_count(&args->logits);
    return link;
}

static nn__opencl_link nn__opencl_loss_forward(nn__opencl_chain *chain, const void *args) {
    return nn__opencl_loss_judge(chain, (const nn_cross_entropy_args *)args, false);
}
static nn__opencl_link nn__opencl_loss_backward(nn__opencl_chain *chain, const void *args) {
    return nn__opencl_loss_judge(chain, (const nn_cross_entropy_args *)args, true);
}

static uint64_t nn__opencl_loss_key(const nn__opencl_chain *chain, const void *args, uint64_t key) {
    const nn_cross_entropy_args *e = (const nn_cross_entropy_args *)args;
    uint32_t words[2];
    (void)chain;
    words[0] = (uint32_t)e->logits.shape.extent[1];
    words[1] = (e->ignore ? 1u : 0) + (e->log_probabilities ? 2u : 0) +
               (e->reduction == NN_MEAN ? 4u : 0) + (nn__opencl_present(&e->weight) ? 8u : 0) +
               (e->reduction == NN_REDUCTION_NONE ? 16u : 0);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_loss_give(nn__opencl_launch *launch, const void *args) {
    const nn_cross_entropy_args *e = (const nn_cross_entropy_args *)args;
    nn__opencl_uint(launch, (uint32_t)e->logits.shape.extent[0]);
    nn__opencl_int(launch, e->ignore_index);
    nn__opencl_float(launch, e->label_smoothing);
}

static void nn__opencl_loss_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    nn__opencl_chain_put_one(w, "int", "ignore", i);
    nn__opencl_chain_put_one(w, "float", "smoothing", i);
}

/* Writes the end of a loss, whose three sums are in `t`. */
static void nn__opencl_loss_put_end(nn__opencl_chain_writer *w, int i,
                                    const nn_cross_entropy_args *e, const char *first) {
    NN__CHAIN_PUT(w, "    if (t[2] > 0.0f) {\n        faulty = true;\n"
                     "        if (%s) nn_set_status(status, status_offset, step, "
                     "NN_FAULT_LABEL);\n    }\n", first);
    NN__CHAIN_PUT(w, "    total%d = t[2] > 0.0f ? NAN : %s;\n    if (%s) %s[0] = total%d;\n", i,
                  e->reduction == NN_MEAN ? "t[0] / t[1]" : "t[0]", first,
                  NN__CHAIN_NAME(w, &e->loss), i);
}

/* Writes the factor of the gradient of each row. If rows have different weights, every work-group
   adds up all of them. */
static void nn__opencl_loss_put_scale(nn__opencl_chain_writer *w, int i,
                                      const nn_cross_entropy_args *e, int flags) {
    const bool by_rows = w->phase == NN__PHASE_ROWS;
    const nn__opencl_storage *number = nn__opencl_chain_storage(w, &e->dloss);
    if (!nn__opencl_present(&e->dloss) || e->reduction == NN_REDUCTION_NONE)
        NN__CHAIN_PUT(w, "    float scale = 1.0f;\n");
    else if (by_rows && number && number->made == NN__LINK_NUMBER)
        NN__CHAIN_PUT(w, "    float scale = part[%u];\n", (unsigned)number->part);
    else
        NN__CHAIN_PUT(w, "    float scale = %s[0];\n", NN__CHAIN_NAME(w, &e->dloss));
    if (e->reduction != NN_MEAN) return;
    if (by_rows && (e->ignore || nn__opencl_present(&e->weight)))
        NN__CHAIN_PUT(w, "    float all = nn_chain_total(nn_chain_weights((const __global int *)"
                         "%s, %s, %d, %d, ignore%d, rows), lanes);\n",
                      NN__CHAIN_NAME(w, &e->label), NN__CHAIN_NAME(w, &e->weight),
                      (int)e->logits.shape.extent[1], flags, i);
    else
        NN__CHAIN_PUT(w, "    float all = %s;\n", by_rows ? "(float)rows" : "t[1]");
    NN__CHAIN_PUT(w, "    if (scale != 0.0f) scale /= all;\n");
}

static void nn__opencl_loss_put_slope(nn__opencl_chain_writer *w, int i,
                                      const nn_cross_entropy_args *e, int flags,
                                      const char *rows) {
    nn__opencl_loss_put_scale(w, i, e, flags);
    NN__CHAIN_PUT(w, "    nn_chain_slope(%s, %s, (const __global int *)%s, %s, %s, %d, %d, "
                     "ignore%d, smoothing%d, scale, %s);\n    }\n",
                  NN__CHAIN_NAME(w, &e->dlogits), NN__CHAIN_NAME(w, &e->logits),
                  NN__CHAIN_NAME(w, &e->label), NN__CHAIN_NAME(w, &e->weight),
                  e->reduction == NN_REDUCTION_NONE ? NN__CHAIN_NAME(w, &e->dloss) : "0",
                  (int)e->logits.shape.extent[1], flags, i, i, rows);
}

static void nn__opencl_loss_put(nn__opencl_chain_writer *w, int i,
                                const nn_cross_entropy_args *e, bool backward) {
    char range[32];
    const int classes = e->logits.shape.extent[1];
    const int flags = (e->ignore ? 1 : 0) + (e->log_probabilities ? 2 : 0);
    const char *rows = nn__opencl_chain_range(w, i, range, sizeof range);
    const bool by_rows = w->phase == NN__PHASE_ROWS, each = e->reduction == NN_REDUCTION_NONE;
    if (each && !backward) NN__CHAIN_PUT(w, "    float wrong%d;\n", i);
    NN__CHAIN_PUT(w, "    {\n");
    if (!backward || (!by_rows && e->reduction == NN_MEAN)) {
        const char *const logits = NN__CHAIN_NAME(w, &e->logits);
        NN__CHAIN_PUT(w, "    float t[3];\n    nn_chain_entropy(t, %s, %s, (const __global int *)"
                         "%s, %s, %d, %d, ignore%d, smoothing%d, %s);\n",
                      each ? NN__CHAIN_NAME(w, &e->loss) : "0", logits,
                      NN__CHAIN_NAME(w, &e->label), NN__CHAIN_NAME(w, &e->weight), classes, flags,
                      i, i, rows);
        if (!each)
            NN__CHAIN_PUT(w, "    for (int k = 0; k < 3; k++) t[k] = nn_chain_total(t[k], "
                             "lanes);\n");
    }
    if (backward) {
        nn__opencl_loss_put_slope(w, i, e, flags, rows);
    } else if (each) {
        NN__CHAIN_PUT(w, "    wrong%d = t[2];\n    }\n", i);
        nn__opencl_chain_put_fault(w, i);
    } else if (by_rows) {
        const unsigned part = (unsigned)nn__opencl_chain_part(w, &e->loss);
        NN__CHAIN_PUT(w, "    if (NN_LANE == 0)\n        for (int k = 0; k < 3; k++)\n"
                         "            part[%u + k] = more ? part[%u + k] + t[k] : t[k];\n    }\n",
                      part, part);
    } else {
        nn__opencl_loss_put_end(w, i, e, "NN_LANE == 0");
        NN__CHAIN_PUT(w, "    }\n");
    }
}

static void nn__opencl_loss_put_forward(nn__opencl_chain_writer *w, int i, const void *args) {
    nn__opencl_loss_put(w, i, (const nn_cross_entropy_args *)args, false);
}
static void nn__opencl_loss_put_backward(nn__opencl_chain_writer *w, int i, const void *args) {
    nn__opencl_loss_put(w, i, (const nn_cross_entropy_args *)args, true);
}

static void nn__opencl_loss_finish(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_cross_entropy_args *e = (const nn_cross_entropy_args *)args;
    if (w->chain->link[i] != NN__LINK_TOTAL) return;
    NN__CHAIN_PUT(w, "    {\n    float t[3];\n    for (uint k = 0; k < 3; k++)\n"
                     "        t[k] = nn_chain_sum(parts + %u + k, %uu, groups);\n",
                  (unsigned)nn__opencl_chain_part(w, &e->loss), (unsigned)w->chain->parts);
    nn__opencl_loss_put_end(w, i, e, "NN_LANE == 0");
    NN__CHAIN_PUT(w, "    }\n");
}

static const nn_view *nn__opencl_loss_status(const void *args, uint32_t *step) {
    *step = ((const nn_cross_entropy_args *)args)->step;
    return &((const nn_cross_entropy_args *)args)->status;
}

/* A reduced loss reports wrong labels itself. */
static const char *nn__opencl_loss_fault(const void *args, const nn_view **at) {
    const nn_cross_entropy_args *e = (const nn_cross_entropy_args *)args;
    *at = &e->loss;
    return e->reduction == NN_REDUCTION_NONE ? "NN_FAULT_LABEL" : NULL;
}

/* ---- the total of all steps ------------------------------------------------------------------ */

static void nn__opencl_total_list(const void *args, nn__opencl_chain_views *views) {
    const nn_accumulate_args *a = (const nn_accumulate_args *)args;
    nn__opencl_chain_add(views, &a->value, false);
    nn__opencl_chain_add(views, &a->total, true);
}

static nn__opencl_link nn__opencl_total_judge(nn__opencl_chain *chain, const void *given) {
    const nn_accumulate_args *args = (const nn_accumulate_args *)given;
    const nn__opencl_link made = nn__opencl_chain_made(chain, &args->value);
    chain->why = "its metric has several numbers";
    if (args->sums || !nn__opencl_chain_status(chain, &args->status) ||
        (chain->by_rows && made != NN__LINK_NONE && made != NN__LINK_TOTAL) ||
        !nn__opencl_chain_whole(chain, &args->total))
        return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &args->total, NN__LINK_LAST, 0);
    return NN__LINK_LAST;
}

static uint64_t nn__opencl_total_key(const nn__opencl_chain *chain, const void *args,
                                     uint64_t key) {
    const nn_accumulate_args *a = (const nn_accumulate_args *)args;
    uint32_t words[2];
    (void)chain;
    words[0] = a->check, words[1] = nn__opencl_present(&a->total);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_total_give(nn__opencl_launch *launch, const void *args) {
    nn__opencl_float(launch, ((const nn_accumulate_args *)args)->weight);
}

static void nn__opencl_total_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "float", "weight", i);
}

/* Returns the call that wrote the view as a total; -1: none. */
static int nn__opencl_total_of(const nn__opencl_chain_writer *w, const nn_view *view) {
    for (int i = 0; i < w->chain->count; i++) {
        nn__opencl_chain_views views;
        if (w->chain->link[i] != NN__LINK_TOTAL) continue;
        nn__opencl_chain_list(&w->chain->calls[i], &views);
        const nn_view *y = views.view[views.count - 1];
        if (y->handle == view->handle && y->offset == view->offset) return i;
    }
    return -1;
}

static void nn__opencl_total_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_accumulate_args *a = (const nn_accumulate_args *)args;
    const int total = nn__opencl_total_of(w, &a->value);
    if (w->phase == NN__PHASE_REST && total >= 0)
        NN__CHAIN_PUT(w, "    {\n    float value = total%d;\n", total);
    else
        NN__CHAIN_PUT(w, "    {\n    float value = %s[0];\n", NN__CHAIN_NAME(w, &a->value));
    if (a->check)
        NN__CHAIN_PUT(w, "    if (!(fabs(value) < INFINITY)) {\n        if (NN_LANE == 0) "
                         "nn_set_status(status, status_offset, step, NN_FAULT_LOSS);\n"
                         "        faulty = true;\n    }\n");
    if (nn__opencl_present(&a->total))
        NN__CHAIN_PUT(w, "    if (!faulty && NN_LANE == 0) {\n        %s[0] += value * weight%d;\n"
                         "        %s[1] += weight%d;\n    }\n",
                      NN__CHAIN_NAME(w, &a->total), i, NN__CHAIN_NAME(w, &a->total), i);
    NN__CHAIN_PUT(w, "    }\n");
}

static const nn_view *nn__opencl_total_status(const void *args, uint32_t *step) {
    *step = ((const nn_accumulate_args *)args)->step;
    return &((const nn_accumulate_args *)args)->status;
}

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_loss(const nn_call *call) {
    static const nn__opencl_chain_kind forward = {
        nn__opencl_loss_list,   nn__opencl_loss_forward, nn__opencl_loss_key,
        nn__opencl_loss_give,   nn__opencl_loss_numbers, nn__opencl_loss_put_forward,
        nn__opencl_loss_finish, nn__opencl_loss_status,  nn__opencl_loss_fault};
    static const nn__opencl_chain_kind backward = {
        nn__opencl_loss_slope_list, nn__opencl_loss_backward, nn__opencl_loss_key,
        nn__opencl_loss_give,       nn__opencl_loss_numbers,  nn__opencl_loss_put_backward,
        NULL,                       nn__opencl_loss_status,   NULL};
    static const nn__opencl_chain_kind total = {
        nn__opencl_total_list, nn__opencl_total_judge,   nn__opencl_total_key,
        nn__opencl_total_give, nn__opencl_total_numbers, nn__opencl_total_put,
        NULL,                  nn__opencl_total_status,  NULL};
    if (call->kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD) return &forward;
    return call->kernel == NN_KERNEL_CROSS_ENTROPY_BACKWARD ? &backward : &total;
}

#undef NN__LOSS_WEIGHED
#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
