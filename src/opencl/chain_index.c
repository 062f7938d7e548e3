/* opencl/chain_index.c - calls of a chain that access elements by index, and faults of single rows:
   an index or label out of range. */
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)

/* ---- faults ---------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_chain_put_fault(nn__opencl_chain_writer *w, int i) {
    const nn_view *at;
    const char *const fault = nn__opencl_chain_fault_of(&w->chain->calls[i], &at);
    const unsigned part = (unsigned)nn__opencl_chain_part(w, at);
    if (w->phase != NN__PHASE_REST)
        NN__CHAIN_PUT(w, "    wrong%d = nn_chain_total(wrong%d, lanes);\n", i, i);
    if (w->phase == NN__PHASE_ROWS) {
        NN__CHAIN_PUT(w, "    if (NN_LANE == 0) part[%u] = more ? part[%u] + wrong%d : wrong%d;\n",
                      part, part, i, i);
        return;
    }
    if (w->phase == NN__PHASE_REST)
        NN__CHAIN_PUT(w, "    if (nn_chain_sum(parts + %u, %uu, groups) > 0.0f) {\n", part,
                      (unsigned)w->chain->parts);
    else
        NN__CHAIN_PUT(w, "    if (wrong%d > 0.0f) {\n", i);
    NN__CHAIN_PUT(w, "        faulty = true;\n        if (NN_LANE == 0) nn_set_status(status, "
                     "status_offset, step, %s);\n    }\n", fault);
}

/* Records the result, with room for a fault mark if there is a status word. */
static nn__opencl_link nn__opencl_index_makes(nn__opencl_chain *chain, const nn_view *y,
                                              const nn_view *status) {
    nn__opencl_chain_makes(chain, y, NN__LINK_ROWS, nn__opencl_present(status) ? 1 : 0);
    chain->work += 4.0 * (double)nn__opencl_count(y);
    return NN__LINK_ROWS;
}

/* Returns the result for an index out of range: NaN with a status word, else zero. */
static const char *nn__opencl_index_outside(const nn_view *status) {
    return nn__opencl_present(status) ? "0xffffffffu" : "0u";
}

/* ---- rows by their numbers ------------------------------------------------------------------- */

static void nn__opencl_gather_list(const void *args, nn__opencl_chain_views *views) {
    const nn_gather_args *g = (const nn_gather_args *)args;
    nn__opencl_chain_add(views, &g->x, false);
    nn__opencl_chain_add(views, &g->index, false);
    nn__opencl_chain_add(views, &g->y, true);
}

/* Returns the words of four bytes in a view. */
static int64_t nn__opencl_gather_words(const nn_view *view) {
    return nn__opencl_count(view) / (nn__opencl_stored(view) ? 2 : 1);
}

/* Returns the words of a row. */
static uint32_t nn__opencl_gather_inner(const nn_gather_args *g) {
    return (uint32_t)(nn__opencl_gather_words(&g->x) / g->x.shape.extent[0]);
}

static nn__opencl_link nn__opencl_gather_judge(nn__opencl_chain *chain, const void *args) {
    const nn_gather_args *g = (const nn_gather_args *)args;
    chain->why = "its index is not along axis 0";
    if (g->axis != 0 || g->x.shape.rank < 1 || !nn__opencl_kind_fits(chain, &g->y) ||
        !nn__opencl_kind_fits(chain, &g->index) || nn__opencl_count(&g->x) > INT32_MAX ||
        !nn__opencl_chain_status(chain, &g->status) ||
        !nn__opencl_chain_whole(chain, &g->x) || !nn__opencl_chain_rows(chain, &g->index))
        return NN__LINK_NONE;
    chain->why = "its rows of halves are not whole words of four bytes";
    if (nn__opencl_stored(&g->x) && nn__opencl_count(&g->x) / g->x.shape.extent[0] % 2 != 0)
        return NN__LINK_NONE;
    return nn__opencl_index_makes(chain, &g->y, &g->status);
}

static uint64_t nn__opencl_gather_key(const nn__opencl_chain *chain, const void *args,
                                      uint64_t key) {
    const nn_gather_args *g = (const nn_gather_args *)args;
    uint32_t words[3];
    words[0] = nn__opencl_gather_inner(g);
    words[1] = nn__opencl_present(&g->status);
    words[2] = nn__opencl_kind_each(chain, nn__opencl_gather_words(&g->y));
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_gather_give(nn__opencl_launch *launch, const void *args) {
    const nn_gather_args *g = (const nn_gather_args *)args;
    nn__opencl_uint(launch, (uint32_t)nn__opencl_gather_words(&g->y));
    nn__opencl_uint(launch, (uint32_t)g->x.shape.extent[0]);
}

static void nn__opencl_gather_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    nn__opencl_chain_put_one(w, "uint", "n", i);
}

static void nn__opencl_gather_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_gather_args *g = (const nn_gather_args *)args;
    const unsigned inner = (unsigned)nn__opencl_gather_inner(g);
    NN__CHAIN_PUT(w, "    float wrong%d = 0.0f;\n", i);
    nn__opencl_kind_put_loop(w, i, nn__opencl_kind_each(w->chain, nn__opencl_gather_words(&g->y)));
    NN__CHAIN_PUT(w, "        uint at = (uint)((const __global int *)%s)[r / %uu];\n"
                     "        if (at >= n%d) wrong%d = 1.0f;\n",
                  NN__CHAIN_NAME(w, &g->index), inner, i, i);
    NN__CHAIN_PUT(w, "        ((__global uint *)%s)[r] = at < n%d ? ((const __global uint *)%s)[at "
                     "* %uu + r %% %uu] : %s;\n    }\n",
                  NN__CHAIN_NAME(w, &g->y), i, NN__CHAIN_NAME(w, &g->x), inner, inner,
                  nn__opencl_index_outside(&g->status));
    if (nn__opencl_present(&g->status)) nn__opencl_chain_put_fault(w, i);
}

/* ---- elements of each row by their numbers --------------------------------------------------- */

static bool nn__opencl_is_along_rows(nn__opencl_chain *chain, const nn_view *whole,
                                     const nn_view *index, int32_t axis) {
    chain->why = "its index does not select within each row";
    return axis == 1 && whole->shape.rank == 2 && index->shape.rank == 2 &&
           whole->shape.extent[0] == index->shape.extent[0] && whole->dtype == NN_F32 &&
           nn__opencl_kind_fits(chain, whole) && nn__opencl_kind_fits(chain, index) &&
           nn__opencl_chain_rows(chain, index);
}

static void nn__opencl_take_list(const void *args, nn__opencl_chain_views *views) {
    const nn_gather_elements_args *g = (const nn_gather_elements_args *)args;
    nn__opencl_chain_add(views, &g->x, false);
    nn__opencl_chain_add(views, &g->index, false);
    nn__opencl_chain_add(views, &g->y, true);
}

static nn__opencl_link nn__opencl_take_judge(nn__opencl_chain *chain, const void *args) {
    const nn_gather_elements_args *g = (const nn_gather_elements_args *)args;
    if (!nn__opencl_is_along_rows(chain, &g->x, &g->index, g->axis) ||
        !nn__opencl_chain_rows(chain, &g->x) || !nn__opencl_chain_status(chain, &g->status))
        return NN__LINK_NONE;
    return nn__opencl_index_makes(chain, &g->y, &g->status);
}

static uint64_t nn__opencl_take_key(const nn__opencl_chain *chain, const void *args,
                                    uint64_t key) {
    const nn_gather_elements_args *g = (const nn_gather_elements_args *)args;
    int32_t words[3];
    (void)chain;
    words[0] = g->x.shape.extent[1], words[1] = g->index.shape.extent[1];
    words[2] = nn__opencl_present(&g->status);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_take_give(nn__opencl_launch *launch, const void *args) {
    const nn_gather_elements_args *g = (const nn_gather_elements_args *)args;
    nn__opencl_uint(launch, (uint32_t)nn__opencl_count(&g->index));
}

static void nn__opencl_take_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_gather_elements_args *g = (const nn_gather_elements_args *)args;
    const unsigned each = (unsigned)g->index.shape.extent[1], n = (unsigned)g->x.shape.extent[1];
    NN__CHAIN_PUT(w, "    float wrong%d = 0.0f;\n", i);
    nn__opencl_kind_put_loop(w, i, each);
    NN__CHAIN_PUT(w, "        uint at = (uint)((const __global int *)%s)[r];\n"
                     "        if (at >= %uu) wrong%d = 1.0f;\n",
                  NN__CHAIN_NAME(w, &g->index), n, i);
    NN__CHAIN_PUT(w, "        ((__global uint *)%s)[r] = at < %uu ? ((const __global uint *)%s)[r "
                     "/ %uu * %uu + at] : %s;\n    }\n",
                  NN__CHAIN_NAME(w, &g->y), n, NN__CHAIN_NAME(w, &g->x), each, n,
                  nn__opencl_index_outside(&g->status));
    if (nn__opencl_present(&g->status)) nn__opencl_chain_put_fault(w, i);
}

static void nn__opencl_place_list(const void *args, nn__opencl_chain_views *views) {
    const nn_scatter_elements_args *s = (const nn_scatter_elements_args *)args;
    nn__opencl_chain_add(views, &s->base, false);
    nn__opencl_chain_add(views, &s->x, false);
    nn__opencl_chain_add(views, &s->index, false);
    nn__opencl_chain_add(views, &s->y, true);
}

static nn__opencl_link nn__opencl_place_judge(nn__opencl_chain *chain, const void *args) {
    const nn_scatter_elements_args *s = (const nn_scatter_elements_args *)args;
    if (s->combine > NN_COMBINE_REPLACE ||
        !nn__opencl_is_along_rows(chain, &s->y, &s->index, s->axis) ||
        !nn__opencl_chain_rows(chain, &s->base) || !nn__opencl_chain_rows(chain, &s->x) ||
        !nn__opencl_chain_status(chain, &s->status))
        return NN__LINK_NONE;
    return nn__opencl_index_makes(chain, &s->y, &s->status);
}

static uint64_t nn__opencl_place_key(const nn__opencl_chain *chain, const void *args,
                                     uint64_t key) {
    const nn_scatter_elements_args *s = (const nn_scatter_elements_args *)args;
    int32_t words[6];
    (void)chain;
    words[0] = s->y.shape.extent[1], words[1] = s->index.shape.extent[1];
    words[2] = nn__opencl_present(&s->status), words[3] = (int32_t)s->combine;
    words[4] = nn__opencl_present(&s->base), words[5] = nn__opencl_present(&s->x);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_place_give(nn__opencl_launch *launch, const void *args) {
    const nn_scatter_elements_args *s = (const nn_scatter_elements_args *)args;
    nn__opencl_uint(launch, (uint32_t)s->y.shape.extent[0]);
    nn__opencl_float(launch, s->value);
}

static void nn__opencl_place_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    nn__opencl_chain_put_one(w, "float", "value", i);
}

/* A row belongs to one work-item, so repeated indices are added in order. */
static void nn__opencl_place_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_scatter_elements_args *s = (const nn_scatter_elements_args *)args;
    NN__CHAIN_PUT(w, "    float wrong%d = 0.0f;\n", i);
    nn__opencl_kind_put_loop(w, i, 1);
    NN__CHAIN_PUT(w, "        if (nn_chain_scatter(%s, %s, %s, (const __global int *)%s, r, %uu, "
                     "%uu, value%d, %d)) wrong%d = 1.0f;\n    }\n",
                  NN__CHAIN_NAME(w, &s->y), NN__CHAIN_NAME(w, &s->base), NN__CHAIN_NAME(w, &s->x),
                  NN__CHAIN_NAME(w, &s->index), (unsigned)s->y.shape.extent[1],
                  (unsigned)s->index.shape.extent[1], i, (int)s->combine, i);
    if (nn__opencl_present(&s->status)) nn__opencl_chain_put_fault(w, i);
}

/* ---- the kinds ------------------------------------------------------------------------------- */

static const char *nn__opencl_index_fault(const nn_view *status) {
    return nn__opencl_present(status) ? "NN_FAULT_INDEX" : NULL;
}

static const nn_view *nn__opencl_gather_status(const void *args, uint32_t *step) {
    *step = ((const nn_gather_args *)args)->step;
    return &((const nn_gather_args *)args)->status;
}
static const char *nn__opencl_gather_fault(const void *args, const nn_view **at) {
    *at = &((const nn_gather_args *)args)->y;
    return nn__opencl_index_fault(&((const nn_gather_args *)args)->status);
}

static const nn_view *nn__opencl_take_status(const void *args, uint32_t *step) {
    *step = ((const nn_gather_elements_args *)args)->step;
    return &((const nn_gather_elements_args *)args)->status;
}
static const char *nn__opencl_take_fault(const void *args, const nn_view **at) {
    *at = &((const nn_gather_elements_args *)args)->y;
    return nn__opencl_index_fault(&((const nn_gather_elements_args *)args)->status);
}

static const nn_view *nn__opencl_place_status(const void *args, uint32_t *step) {
    *step = ((const nn_scatter_elements_args *)args)->step;
    return &((const nn_scatter_elements_args *)args)->status;
}
static const char *nn__opencl_place_fault(const void *args, const nn_view **at) {
    *at = &((const nn_scatter_elements_args *)args)->y;
    return nn__opencl_index_fault(&((const nn_scatter_elements_args *)args)->status);
}

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_index(const nn_call *call) {
    static const nn__opencl_chain_kind gather = {
        nn__opencl_gather_list, nn__opencl_gather_judge,   nn__opencl_gather_key,
        nn__opencl_gather_give, nn__opencl_gather_numbers, nn__opencl_gather_put,
        NULL,                   nn__opencl_gather_status,  nn__opencl_gather_fault};
    static const nn__opencl_chain_kind take = {
        nn__opencl_take_list, nn__opencl_take_judge,        nn__opencl_take_key,
        nn__opencl_take_give, nn__opencl_kind_rows_numbers, nn__opencl_take_put,
        NULL,                 nn__opencl_take_status,       nn__opencl_take_fault};
    static const nn__opencl_chain_kind place = {
        nn__opencl_place_list, nn__opencl_place_judge,   nn__opencl_place_key,
        nn__opencl_place_give, nn__opencl_place_numbers, nn__opencl_place_put,
        NULL,                  nn__opencl_place_status,  nn__opencl_place_fault};
    if (call->kernel == NN_KERNEL_GATHER) return &gather;
    return call->kernel == NN_KERNEL_GATHER_ELEMENTS ? &take : &place;
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
