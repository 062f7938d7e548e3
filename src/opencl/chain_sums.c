/* opencl/chain_sums.c - sums over the rows, and softmax of each row, as calls of a chain. */
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)

/* ---- sums over all axes, or down the columns of a matrix ------------------------------------- */

static bool nn__opencl_sums_is(const nn_reduce_args *r) {
    const int rank = r->x.shape.rank;
    return (r->reduction == NN_MEAN || r->reduction == NN_SUM) && !r->accumulate && rank >= 1 &&
           (r->axes + 1 == 1u << rank || (rank == 2 && r->axes == 1));
}

static void nn__opencl_sums_list(const void *args, nn__opencl_chain_views *views) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    nn__opencl_chain_add(views, &r->x, false);
    nn__opencl_chain_add(views, &r->y, true);
}

static nn__opencl_link nn__opencl_sums_judge(nn__opencl_chain *chain, const void *given) {
    const nn_reduce_args *args = (const nn_reduce_args *)given;
    const nn_shape *x = &args->x.shape;
    const bool all = args->axes + 1 == 1u << x->rank, columns = !all;
    chain->why = "its form of reduction is not supported in a joined kernel";
    if (args->x.dtype != NN_F32 || (columns && x->extent[1] > NN__CHAIN_WIDTH) ||
        nn__opencl_count(&args->x) >
            (chain->by_rows ? INT32_MAX : NN__CHAIN_ROWS * NN__CHAIN_WIDTH))
        return NN__LINK_NONE;
    if ((columns || chain->by_rows) && !nn__opencl_chain_height(chain, x->extent[0]))
        return NN__LINK_NONE;
    if (!nn__opencl_chain_rows(chain, &args->x)) return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &args->y, all ? NN__LINK_TOTAL : NN__LINK_SUMS,
                           all ? 1 : x->extent[1]);
    chain->work += 2.0 * (double)nn__opencl_count(&args->x);
    return all ? NN__LINK_TOTAL : NN__LINK_SUMS;
}

static uint64_t nn__opencl_sums_key(const nn__opencl_chain *chain, const void *args, uint64_t key) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    uint32_t words[3];
    words[0] = r->axes + 64u * (uint32_t)r->x.shape.rank;
    words[1] = (uint32_t)r->x.shape.extent[r->x.shape.rank - 1];
    words[2] = nn__opencl_kind_each(chain, nn__opencl_count(&r->x));
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_sums_give(nn__opencl_launch *launch, const void *args) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    const int64_t count = nn__opencl_count(&r->x), of = count / nn__opencl_count(&r->y);
    nn__opencl_uint(launch, (uint32_t)(nn__opencl_count(&r->y) == 1 && r->axes != 1
                                           ? count
                                           : r->x.shape.extent[0]));
    nn__opencl_float(launch, r->reduction == NN_MEAN ? (float)((double)r->scale / (double)of)
                                                     : r->scale);
}

static void nn__opencl_sums_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    nn__opencl_chain_put_float(w, "float", i, 0);
}

static void nn__opencl_sums_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    char scale[16];
    const nn_shape *x = &r->x.shape;
    const unsigned part = (unsigned)nn__opencl_chain_part(w, &r->y);
    if (w->chain->link[i] == NN__LINK_SUMS) {
        char to[24];
        nn__opencl_format(to, sizeof to, w->phase == NN__PHASE_ROWS ? "part + %u" : "p%u",
                          w->phase == NN__PHASE_ROWS
                              ? part
                              : (unsigned)nn__opencl_chain_find(w->chain, &r->y));
        nn__opencl_format(scale, sizeof scale, "f%d_0", i);
        nn__opencl_chain_put_columns(w, i, &r->x, (uint32_t)x->extent[1], to,
                                     w->phase == NN__PHASE_ROWS ? "1.0f" : scale);
        return;
    }
    NN__CHAIN_PUT(w, "    {\n");
    if (w->phase == NN__PHASE_ROWS) {
        const unsigned each = (unsigned)(nn__opencl_count(&r->x) / w->chain->rows);
        NN__CHAIN_PUT(w, "    float t = nn_chain_total(nn_chain_elements(%s, row * %uu, row_end * "
                         "%uu), lanes);\n    if (NN_LANE == 0) part[%u] = more ? part[%u] + t : "
                         "t;\n    }\n", NN__CHAIN_NAME(w, &r->x), each, each, part, part);
        return;
    }
    NN__CHAIN_PUT(w, "    float t = nn_chain_total(nn_chain_elements(%s, 0u, m%d), lanes);\n"
                     "    if (NN_LANE == 0) %s[0] = t * f%d_0;\n    }\n",
                  NN__CHAIN_NAME(w, &r->x), i, NN__CHAIN_NAME(w, &r->y), i);
}

NN__OPENCL_PRIVATE void nn__opencl_chain_put_left(nn__opencl_chain_writer *w, const nn_view *y,
                                                  const char *scale) {
    NN__CHAIN_PUT(w, "    nn_chain_finish(%s, parts + %u, %uu, groups, %uu, %s);\n",
                  NN__CHAIN_NAME(w, y), (unsigned)nn__opencl_chain_part(w, y),
                  (unsigned)w->chain->parts, (unsigned)nn__opencl_count(y), scale);
}

static void nn__opencl_sums_finish(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_view *y = &((const nn_reduce_args *)args)->y;
    char scale[24];
    nn__opencl_format(scale, sizeof scale, "f%d_0", i);
    if (w->chain->link[i] == NN__LINK_SUMS)
        nn__opencl_chain_put_left(w, y, scale);
    else
        NN__CHAIN_PUT(w, "    total%d = nn_chain_sum(parts + %u, %uu, groups) * %s;\n"
                         "    if (NN_LANE == 0) %s[0] = total%d;\n", i,
                      (unsigned)nn__opencl_chain_part(w, y), (unsigned)w->chain->parts, scale,
                      NN__CHAIN_NAME(w, y), i);
}

/* ---- softmax --------------------------------------------------------------------------------- */

static void nn__opencl_softmax_list(const void *args, nn__opencl_chain_views *views) {
    const nn_softmax_args *x = (const nn_softmax_args *)args;
    nn__opencl_chain_add(views, &x->x, false);
    nn__opencl_chain_add(views, &x->y, true);
}
static void nn__opencl_softmax_slope_list(const void *args, nn__opencl_chain_views *views) {
    const nn_softmax_args *x = (const nn_softmax_args *)args;
    nn__opencl_chain_add(views, &x->y, false);
    nn__opencl_chain_add(views, &x->dy, false);
    nn__opencl_chain_add(views, &x->x, true);
}

static nn__opencl_link nn__opencl_softmax_judge(nn__opencl_chain *chain,
                                                const nn_softmax_args *args, bool backward) {
    const nn_shape *x = &args->x.shape;
    chain->why = "its form of softmax is not supported in a joined kernel";
    if (x->rank != 2 || x->extent[1] > NN__CHAIN_WIDTH ||
        !nn__opencl_chain_height(chain, x->extent[0]) ||
        !nn__opencl_chain_rows(chain, backward ? &args->y : &args->x) ||
        (backward && !nn__opencl_chain_rows(chain, &args->dy)))
        return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, backward ? &args->x : &args->y, NN__LINK_ROWS, 0);
    chain->work += 20.0 * (double)nn__opencl_count(&args->x);
    return NN__LINK_ROWS;
}

static nn__opencl_link nn__opencl_softmax_link(nn__opencl_chain *chain, const void *args) {
    return nn__opencl_softmax_judge(chain, (const nn_softmax_args *)args, false);
}
static nn__opencl_link nn__opencl_softmax_slope_link(nn__opencl_chain *chain, const void *args) {
    return nn__opencl_softmax_judge(chain, (const nn_softmax_args *)args, true);
}

static uint64_t nn__opencl_softmax_key(const nn__opencl_chain *chain, const void *args,
                                       uint64_t key) {
    const nn_softmax_args *x = (const nn_softmax_args *)args;
    uint32_t words[2];
    (void)chain;
    words[0] = (uint32_t)x->x.shape.extent[1], words[1] = x->logarithm;
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_softmax_give(nn__opencl_launch *launch, const void *args) {
    nn__opencl_uint(launch, (uint32_t)((const nn_softmax_args *)args)->x.shape.extent[0]);
}

static void nn__opencl_softmax_put(nn__opencl_chain_writer *w, int i, const nn_softmax_args *x,
                                   bool backward) {
    char range[32];
    const char *rows = nn__opencl_chain_range(w, i, range, sizeof range);
    NN__CHAIN_PUT(w, "    nn_chain_softmax%s(%s, %s, ", backward ? "_slope" : "",
                  NN__CHAIN_NAME(w, backward ? &x->x : &x->y),
                  NN__CHAIN_NAME(w, backward ? &x->y : &x->x));
    if (backward) NN__CHAIN_PUT(w, "%s, ", NN__CHAIN_NAME(w, &x->dy));
    NN__CHAIN_PUT(w, "%uu, %d, %s);\n", (unsigned)x->x.shape.extent[1], (int)x->logarithm, rows);
}

static void nn__opencl_softmax_put_forward(nn__opencl_chain_writer *w, int i, const void *args) {
    nn__opencl_softmax_put(w, i, (const nn_softmax_args *)args, false);
}
static void nn__opencl_softmax_put_backward(nn__opencl_chain_writer *w, int i, const void *args) {
    nn__opencl_softmax_put(w, i, (const nn_softmax_args *)args, true);
}

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_sums(const nn_call *call) {
    static const nn__opencl_chain_kind sums = {
        nn__opencl_sums_list,    nn__opencl_sums_judge, nn__opencl_sums_key,
        nn__opencl_sums_give,    nn__opencl_sums_numbers, nn__opencl_sums_put,
        nn__opencl_sums_finish, NULL, NULL};
    static const nn__opencl_chain_kind forward = {
        nn__opencl_softmax_list, nn__opencl_softmax_link,   nn__opencl_softmax_key,
        nn__opencl_softmax_give, nn__opencl_kind_rows_numbers, nn__opencl_softmax_put_forward,
        NULL,                    NULL,                         NULL};
    static const nn__opencl_chain_kind backward = {
        nn__opencl_softmax_slope_list,
        nn__opencl_softmax_slope_link,
        nn__opencl_softmax_key,
        nn__opencl_softmax_give,
        nn__opencl_kind_rows_numbers,
        nn__opencl_softmax_put_backward,
        NULL,
        NULL,
        NULL};
    if (call->kernel == NN_KERNEL_SOFTMAX_FORWARD) return &forward;
    if (call->kernel == NN_KERNEL_SOFTMAX_BACKWARD) return &backward;
    return nn__opencl_sums_is((const nn_reduce_args *)call->args) ? &sums : NULL;
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
