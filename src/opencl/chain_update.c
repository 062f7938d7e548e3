/* opencl/chain_update.c - the end of a chain's text: gradients are clipped, parameters updated.

   A launch waits for what it reads; where one work-group updates all, it has as much as possible on
   the way at the same time: several numbers of a large parameter, and all parameters that have one
   number for each work-item. */
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)
#define NN__CHAIN_LITTLE        8 /* parameters that are read at once */

NN__OPENCL_PRIVATE void nn__opencl_chain_put_clip(nn__opencl_chain_writer *w, int i,
                                                  const nn_clip_args *c) {
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

/* What stands behind the tensors in an update's calls. */
static void nn__opencl_chain_put_rates(nn__opencl_chain_writer *w, int i, bool adam) {
    for (int f = 0; f < (adam ? 9 : 6); f++) NN__CHAIN_PUT(w, ", f%d_%d", i, f);
    NN__CHAIN_PUT(w, ");\n");
}

/* Parameters of at most one number for each work-item: all are read before one is written. */
static void nn__opencl_chain_put_little(nn__opencl_chain_writer *w, int i, bool adam,
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
        nn__opencl_chain_put_rates(w, i, adam);
    }
    NN__CHAIN_PUT(w, "    }\n");
}

NN__OPENCL_PRIVATE void nn__opencl_chain_put_update(nn__opencl_chain_writer *w, int i,
                                                    const nn_update_args *u) {
    const bool adam = u->optimizer == NN_ADAM || u->optimizer == NN_ADAMW,
               group = nn__opencl_phase_is_whole(w->phase) && !w->chain->device->cpu;
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
            nn__opencl_chain_put_little(w, i, adam, little, count);
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
        nn__opencl_chain_put_rates(w, i, adam);
    }
    if (count) nn__opencl_chain_put_little(w, i, adam, little, count);
    NN__CHAIN_PUT(w, "    }\n");
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
#undef NN__CHAIN_LITTLE
