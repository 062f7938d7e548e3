/* opencl/chain_update.c - the end of a chain: gradient clipping and parameter updates.

   If a single work-group updates everything, it needs many loads in flight at once: several numbers
   of a large parameter, or all parameters with at most one number per work-item. */
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)
#define NN__CHAIN_LITTLE        8 /* most small parameters that are read at once */
#define NN__UPDATE_NUMBERS      (1 << 15) /* most numbers that one work-group updates */

/* ---- gradients are clipped ------------------------------------------------------------------- */

static void nn__opencl_clip_list(const void *args, nn__opencl_chain_views *views) {
    const nn_clip_args *c = (const nn_clip_args *)args;
    for (int32_t i = 0; i < c->count; i++)
        nn__opencl_chain_add(views, &c->items[i].gradient, false);
    nn__opencl_chain_add(views, &c->scale, true);
    nn__opencl_chain_add(views, &c->norm, true);
}

static nn__opencl_link nn__opencl_clip_judge(nn__opencl_chain *chain, const void *given) {
    const nn_clip_args *args = (const nn_clip_args *)given;
    chain->why = "it needs the norm of all gradients first";
    if (chain->by_rows) return NN__LINK_NONE;
    for (int32_t i = 0; i < args->count; i++) {
        chain->work += 2.0 * (double)nn__opencl_count(&args->items[i].gradient);
        if (nn__opencl_count(&args->items[i].gradient) > NN__UPDATE_NUMBERS) return NN__LINK_NONE;
    }
    return NN__LINK_LAST;
}

static uint64_t nn__opencl_clip_key(const nn__opencl_chain *chain, const void *args, uint64_t key) {
    const nn_clip_args *c = (const nn_clip_args *)args;
    (void)chain;
    for (int32_t i = 0; i < c->count; i++) {
        const int64_t count = nn__opencl_count(&c->items[i].gradient);
        key = nn__opencl_hash(key, &count, sizeof count);
    }
    return key;
}

static void nn__opencl_clip_give(nn__opencl_launch *launch, const void *args) {
    nn__opencl_float(launch, ((const nn_clip_args *)args)->max_norm);
}

static void nn__opencl_clip_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "float", "limit", i);
}

static void nn__opencl_clip_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_clip_args *c = (const nn_clip_args *)args;
    NN__CHAIN_PUT(w, "    {\n    float squares = 0.0f;\n");
    for (int32_t k = 0; k < c->count; k++)
        NN__CHAIN_PUT(w, "    squares += nn_chain_squares(%s, %uu);\n",
                      NN__CHAIN_NAME(w, &c->items[k].gradient),
                      (unsigned)nn__opencl_count(&c->items[k].gradient));
    NN__CHAIN_PUT(w, "    float length = sqrt(nn_chain_total(squares, lanes));\n"
                     "    float factor = limit%d / (length + 1e-6f);\n"
                     "    if (NN_LANE == 0) {\n        %s[0] = factor > 1.0f ? 1.0f : factor;\n",
                  i, NN__CHAIN_NAME(w, &c->scale));
    if (nn__opencl_present(&c->norm))
        NN__CHAIN_PUT(w, "        %s[0] = length;\n", NN__CHAIN_NAME(w, &c->norm));
    NN__CHAIN_PUT(w, "    }\n    }\n");
}

/* ---- the update ------------------------------------------------------------------------------ */

static void nn__opencl_update_list(const void *args, nn__opencl_chain_views *views) {
    const nn_update_args *u = (const nn_update_args *)args;
    nn__opencl_chain_add(views, &u->gradient_scale, false);
    for (int32_t i = 0; i < u->count; i++) {
        nn__opencl_chain_add(views, &u->items[i].gradient, false);
        nn__opencl_chain_add(views, &u->items[i].parameter, true);
        nn__opencl_chain_add(views, &u->items[i].moment1, true);
        nn__opencl_chain_add(views, &u->items[i].moment2, true);
    }
}

static nn__opencl_link nn__opencl_update_judge(nn__opencl_chain *chain, const void *given) {
    const nn_update_args *args = (const nn_update_args *)given;
    int64_t numbers = 0;
    chain->why = "it updates too many numbers";
    if (!nn__opencl_chain_status(chain, &args->status) ||
        !nn__opencl_chain_whole(chain, &args->gradient_scale))
        return NN__LINK_NONE;
    for (int32_t i = 0; i < args->count; i++) {
        const nn_update_item *item = &args->items[i];
        const nn__opencl_link made = nn__opencl_chain_made(chain, &item->gradient);
        const bool added = made == NN__LINK_SUMS || made == NN__LINK_TOTAL;
        numbers += nn__opencl_count(&item->parameter);
        if ((chain->by_rows && made != NN__LINK_NONE && !added) ||
            (chain->by_rows &&
             nn__opencl_chain_made(chain, &item->parameter) != NN__LINK_NONE))
            return NN__LINK_NONE;
    }
    if (numbers > (chain->by_rows ? 1 << 22 : NN__UPDATE_NUMBERS)) return NN__LINK_NONE;
    for (int32_t i = 0; i < args->count; i++) {
        nn__opencl_chain_makes(chain, &args->items[i].parameter, NN__LINK_LAST, 0);
        nn__opencl_chain_makes(chain, &args->items[i].moment1, NN__LINK_LAST, 0);
        nn__opencl_chain_makes(chain, &args->items[i].moment2, NN__LINK_LAST, 0);
    }
    chain->work += 8.0 * (double)numbers;
    return NN__LINK_LAST;
}

static uint64_t nn__opencl_update_key(const nn__opencl_chain *chain, const void *args,
                                      uint64_t key) {
    const nn_update_args *u = (const nn_update_args *)args;
    int64_t words[2];
    (void)chain;
    words[0] = (int64_t)u->optimizer, words[1] = nn__opencl_present(&u->gradient_scale);
    key = nn__opencl_hash(key, words, sizeof words);
    for (int32_t i = 0; i < u->count; i++) {
        const int64_t count = nn__opencl_count(&u->items[i].parameter);
        key = nn__opencl_hash(key, &count, sizeof count);
    }
    return key;
}

static void nn__opencl_update_give(nn__opencl_launch *launch, const void *args) {
    nn__opencl_update_numbers(launch, (const nn_update_args *)args);
}

static void nn__opencl_update_put_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    const bool sgd = ((const nn_update_args *)args)->optimizer == NN_SGD;
    for (int f = 0; f < (sgd ? 6 : 9); f++)
        nn__opencl_chain_put_float(w, sgd && f >= 4 ? "int" : "float", i, f);
}

/* Writes the arguments after the tensors. */
static void nn__opencl_update_put_rates(nn__opencl_chain_writer *w, int i, bool adam) {
    for (int f = 0; f < (adam ? 9 : 6); f++) NN__CHAIN_PUT(w, ", f%d_%d", i, f);
    NN__CHAIN_PUT(w, ");\n");
}

/* Updates parameters with at most one number per work-item: all are read before any is written. */
static void nn__opencl_update_put_little(nn__opencl_chain_writer *w, int i, bool adam,
                                         const nn_update_item *const *items, int count) {
    NN__CHAIN_PUT(w, "    {\n");
    for (int k = 0; k < count; k++)
        NN__CHAIN_PUT(w, "    NN_%s_TAKE(%d, %s, %s, %s, %s, %uu)\n", adam ? "ADAM" : "SGD", k,
                      NN__CHAIN_NAME(w, &items[k]->parameter),
                      NN__CHAIN_NAME(w, &items[k]->gradient), NN__CHAIN_NAME(w, &items[k]->moment1),
                      NN__CHAIN_NAME(w, &items[k]->moment2),
                      (unsigned)nn__opencl_count(&items[k]->parameter));
    for (int k = 0; k < count; k++) {
        NN__CHAIN_PUT(w, "    if (lane < %uu) nn_chain_%s_at(%s + lane, ",
                      (unsigned)nn__opencl_count(&items[k]->parameter), adam ? "adam" : "sgd",
                      NN__CHAIN_NAME(w, &items[k]->parameter));
        NN__CHAIN_PUT(w, nn__opencl_present(&items[k]->moment1) ? "%s + lane, " : "%s, ",
                      NN__CHAIN_NAME(w, &items[k]->moment1));
        if (adam) NN__CHAIN_PUT(w, "%s + lane, ", NN__CHAIN_NAME(w, &items[k]->moment2));
        NN__CHAIN_PUT(w, adam ? "d%d, x%d, m1%d, m2%d" : "d%d, x%d, m1%d", k, k, k, k);
        nn__opencl_update_put_rates(w, i, adam);
    }
    NN__CHAIN_PUT(w, "    }\n");
}

static void nn__opencl_update_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_update_args *u = (const nn_update_args *)args;
    const bool adam = u->optimizer == NN_ADAM || u->optimizer == NN_ADAMW,
               group = nn__opencl_phase_is_whole(w->phase);
    const nn_update_item *little[NN__CHAIN_LITTLE];
    int count = 0;
    NN__CHAIN_PUT(w, "    if (!faulty) {\n    float scale = ");
    if (nn__opencl_present(&u->gradient_scale))
        NN__CHAIN_PUT(w, "%s[0];\n", NN__CHAIN_NAME(w, &u->gradient_scale));
    else
        NN__CHAIN_PUT(w, "1.0f;\n");
    for (int32_t k = 0; k < u->count; k++) {
        const nn_update_item *item = &u->items[k];
        const int64_t numbers = nn__opencl_count(&item->parameter);
        if (group && numbers <= NN__CHAIN_LANES && nn__opencl_chain_is_wide(w->chain->device)) {
            little[count++] = item;
            if (count < NN__CHAIN_LITTLE) continue;
            nn__opencl_update_put_little(w, i, adam, little, count);
            count = 0;
            continue;
        }
        NN__CHAIN_PUT(w, "    nn_chain_%s(%s, %s, %s, ", adam ? "adam" : "sgd",
                      NN__CHAIN_NAME(w, &item->parameter), NN__CHAIN_NAME(w, &item->gradient),
                      NN__CHAIN_NAME(w, &item->moment1));
        if (adam) NN__CHAIN_PUT(w, "%s, ", NN__CHAIN_NAME(w, &item->moment2));
        NN__CHAIN_PUT(w, "%uu, %uu, scale", (unsigned)numbers,
                      !group                          ? 1u
                      : numbers > 4 * NN__CHAIN_LANES ? 8u
                                                      : 4u);
        nn__opencl_update_put_rates(w, i, adam);
    }
    if (count) nn__opencl_update_put_little(w, i, adam, little, count);
    NN__CHAIN_PUT(w, "    }\n");
}

static const nn_view *nn__opencl_update_status(const void *args, uint32_t *step) {
    (void)step; /* it sets no fault */
    return &((const nn_update_args *)args)->status;
}

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_update(const nn_call *call) {
    static const nn__opencl_chain_kind clip = {
        nn__opencl_clip_list, nn__opencl_clip_judge,   nn__opencl_clip_key,
        nn__opencl_clip_give, nn__opencl_clip_numbers, nn__opencl_clip_put,
        NULL,                 NULL,                    NULL};
    static const nn__opencl_chain_kind update = {
        nn__opencl_update_list, nn__opencl_update_judge,       nn__opencl_update_key,
        nn__opencl_update_give, nn__opencl_update_put_numbers, nn__opencl_update_put,
        NULL,                   nn__opencl_update_status,      NULL};
    return call->kernel == NN_KERNEL_CLIP ? &clip : &update;
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
#undef NN__CHAIN_LITTLE
#undef NN__UPDATE_NUMBERS
