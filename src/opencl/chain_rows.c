/* opencl/chain_rows.c - calls of a chain whose results belong to single rows: reductions over other
   axes, their gradients, running sums, slices. Losses and activations consist of them. */
#include "opencl/chain.h"

#include <math.h>

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)
#define NN__KIND_LONG   1024 /* most numbers that one work-item processes */
#define NN__KIND_PIECES 64 /* most pieces of all copies in a chain: each is a loop of the text */

/* ---- shared by all kinds --------------------------------------------------------------------- */

/* True if the view has the chain's rows and is small enough for a chain. */
NN__OPENCL_PRIVATE bool nn__opencl_kind_fits(nn__opencl_chain *chain, const nn_view *view) {
    const int64_t most = chain->by_rows ? INT32_MAX : NN__CHAIN_ROWS * NN__CHAIN_WIDTH;
    if (view->shape.rank < 1 || nn__opencl_count(view) > most) return false;
    return !chain->by_rows || nn__opencl_chain_height(chain, view->shape.extent[0]);
}

/* Returns the number of elements in a row, if the chain is split by rows. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_kind_each(const nn__opencl_chain *chain, int64_t count) {
    return chain->by_rows && chain->rows ? (uint32_t)(count / chain->rows) : 0;
}

/* Begins a loop over results, or over rows. each: number of results in a row. */
NN__OPENCL_PRIVATE void nn__opencl_kind_put_loop(nn__opencl_chain_writer *w, int i, uint32_t each) {
    if (w->phase == NN__PHASE_ROWS)
        NN__CHAIN_PUT(w, "    for (uint r = row * %uu + NN_LANE; r < row_end * %uu; "
                         "r += NN_WIDTH) {\n", (unsigned)each, (unsigned)each);
    else
        NN__CHAIN_PUT(w, "    for (uint r = NN_LANE; r < m%d; r += NN_WIDTH) {\n", i);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* x as (outer, n, inner), with the middle axis reduced. nn__opencl_kind_cut returns false if the
   reduced axes are not adjacent. */
typedef struct nn__opencl_kind_axes {
    int64_t outer, n, inner;
} nn__opencl_kind_axes;

static bool nn__opencl_kind_cut(const nn_shape *x, uint32_t axes, nn__opencl_kind_axes *cut) {
    cut->outer = cut->n = cut->inner = 1;
    for (int i = 0; i < x->rank; i++) {
        const bool reduced = axes >> i & 1;
        if (x->extent[i] == 1) continue;
        if (reduced && cut->inner > 1) return false;
        if (reduced) cut->n *= x->extent[i];
        else if (cut->n > 1) cut->inner *= x->extent[i];
        else cut->outer *= x->extent[i];
    }
    return true;
}

static void nn__opencl_kind_reduce_list(const void *args, nn__opencl_chain_views *views) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    nn__opencl_chain_add(views, &r->x, false);
    nn__opencl_chain_add(views, &r->y, true);
}

static nn__opencl_link nn__opencl_kind_reduce_judge(nn__opencl_chain *chain, const void *args) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    nn__opencl_kind_axes cut;
    chain->why = "its form of reduction is not supported in a joined kernel";
    if (r->reduction == NN_REDUCTION_DEFAULT || r->x.dtype != NN_F32 ||
        !nn__opencl_kind_fits(chain, &r->x) || (chain->by_rows && r->axes & 1) ||
        !nn__opencl_kind_cut(&r->x.shape, r->axes, &cut) || cut.n > NN__KIND_LONG ||
        !nn__opencl_chain_rows(chain, &r->x))
        return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &r->y, NN__LINK_ROWS, 0);
    chain->work += (r->reduction == NN_LOGSUMEXP ? 12.0 : 2.0) * (double)nn__opencl_count(&r->x);
    return NN__LINK_ROWS;
}

static uint64_t nn__opencl_kind_reduce_key(const nn__opencl_chain *chain, const void *args,
                                           uint64_t key) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    nn__opencl_kind_axes cut;
    uint32_t words[4];
    nn__opencl_kind_cut(&r->x.shape, r->axes, &cut);
    words[0] = (uint32_t)r->reduction, words[1] = r->accumulate, words[2] = (uint32_t)cut.inner;
    words[3] = nn__opencl_kind_each(chain, cut.outer * cut.inner);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_kind_reduce_give(nn__opencl_launch *launch, const void *args) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    nn__opencl_kind_axes cut;
    nn__opencl_kind_cut(&r->x.shape, r->axes, &cut);
    nn__opencl_uint(launch, (uint32_t)(cut.outer * cut.inner));
    nn__opencl_uint(launch, (uint32_t)cut.n);
    nn__opencl_float(launch, r->reduction == NN_MEAN ? (float)((double)r->scale / (double)cut.n)
                                                     : r->scale);
    nn__opencl_float(launch, cut.n > r->correction ? (float)(cut.n - r->correction) : 0.0f);
}

static void nn__opencl_kind_reduce_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    nn__opencl_chain_put_one(w, "uint", "n", i);
    nn__opencl_chain_put_one(w, "float", "scale", i);
    nn__opencl_chain_put_one(w, "float", "divisor", i);
}

static void nn__opencl_kind_reduce_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_reduce_args *r = (const nn_reduce_args *)args;
    const bool best = r->reduction == NN_ARGMAX || r->reduction == NN_ARGMIN;
    const char *x = NN__CHAIN_NAME(w, &r->x), *y = NN__CHAIN_NAME(w, &r->y);
    nn__opencl_kind_axes cut;
    nn__opencl_kind_cut(&r->x.shape, r->axes, &cut);
    const unsigned inner = (unsigned)cut.inner;
    nn__opencl_kind_put_loop(w, i, nn__opencl_kind_each(w->chain, cut.outer * cut.inner));
    NN__CHAIN_PUT(w, "        const __global float *from = %s + r / %uu * (n%d * %uu) + r %% "
                     "%uu;\n", x, inner, i, inner, inner);
    if (best)
        NN__CHAIN_PUT(w, "        ((__global int *)%s)[r] = nn_chain_best(from, n%d, %uu, %d);\n"
                         "    }\n", y, i, inner, (int)(r->reduction == NN_ARGMIN));
    else
        NN__CHAIN_PUT(w, "        %s[r] = %s%s%snn_chain_fold(from, n%d, %uu, %d, divisor%d) * "
                         "scale%d;\n    }\n", y, r->accumulate ? y : "",
                      r->accumulate ? "[r]" : "", r->accumulate ? " + " : "", i, inner,
                      (int)r->reduction, i, i);
}

/* ---- gradients of reductions ----------------------------------------------------------------- */

static void nn__opencl_kind_slope_list(const void *args, nn__opencl_chain_views *views) {
    const nn_reduce_backward_args *r = (const nn_reduce_backward_args *)args;
    nn__opencl_chain_add(views, &r->dy, false);
    nn__opencl_chain_add(views, &r->x, false);
    nn__opencl_chain_add(views, &r->y, false);
    nn__opencl_chain_add(views, &r->dx, true);
}

static nn__opencl_link nn__opencl_kind_slope_judge(nn__opencl_chain *chain, const void *args) {
    const nn_reduce_backward_args *r = (const nn_reduce_backward_args *)args;
    const int64_t results = nn__opencl_count(&r->dy), n = nn__opencl_count(&r->x) / results;
    chain->why = "its form of reduction gradient is not supported in a joined kernel";
    if (!nn__opencl_kind_fits(chain, &r->x) || n > NN__KIND_LONG || r->reduction == NN_PROD ||
        (chain->by_rows && results % chain->rows != 0) ||
        !nn__opencl_chain_rows(chain, &r->x) || !nn__opencl_chain_rows(chain, &r->dy) ||
        !nn__opencl_chain_rows(chain, &r->y))
        return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &r->dx, NN__LINK_ROWS, 0);
    chain->work += 8.0 * (double)nn__opencl_count(&r->x);
    return NN__LINK_ROWS;
}

static uint64_t nn__opencl_kind_slope_key(const nn__opencl_chain *chain, const void *args,
                                          uint64_t key) {
    const nn_reduce_backward_args *r = (const nn_reduce_backward_args *)args;
    uint32_t words[4];
    words[0] = (uint32_t)r->reduction, words[1] = r->accumulate;
    words[2] = nn__opencl_kind_each(chain, nn__opencl_count(&r->dy));
    words[3] = nn__opencl_present(&r->y);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_kind_slope_give(nn__opencl_launch *launch, const void *args) {
    const nn_reduce_backward_args *r = (const nn_reduce_backward_args *)args;
    const int64_t results = nn__opencl_count(&r->dy), n = nn__opencl_count(&r->x) / results;
    nn__opencl_uint(launch, (uint32_t)results);
    nn__opencl_uint(launch, (uint32_t)n);
    nn__opencl_float(launch, n > r->correction ? 1.0f / (float)(n - r->correction) : INFINITY);
}

static void nn__opencl_kind_slope_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    nn__opencl_chain_put_one(w, "uint", "n", i);
    nn__opencl_chain_put_one(w, "float", "scale", i);
}

static void nn__opencl_kind_slope_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_reduce_backward_args *r = (const nn_reduce_backward_args *)args;
    const bool reads = r->reduction != NN_VAR && r->reduction != NN_SUM_OF_SQUARES;
    nn__opencl_kind_put_loop(w, i, nn__opencl_kind_each(w->chain, nn__opencl_count(&r->dy)));
    NN__CHAIN_PUT(w, "        nn_chain_row_slope(%s + r * n%d, %s + r * n%d, %s%s, %s[r], n%d, %d, "
                     "%d, scale%d);\n    }\n", NN__CHAIN_NAME(w, &r->dx), i,
                  NN__CHAIN_NAME(w, &r->x), i, reads ? NN__CHAIN_NAME(w, &r->y) : "0.0f",
                  reads ? "[r]" : "", NN__CHAIN_NAME(w, &r->dy), i, (int)r->reduction,
                  (int)r->accumulate, i);
}

/* ---- running sums ---------------------------------------------------------------------------- */

static void nn__opencl_kind_scan_list(const void *args, nn__opencl_chain_views *views) {
    const nn_scan_args *s = (const nn_scan_args *)args;
    nn__opencl_chain_add(views, &s->x, false);
    nn__opencl_chain_add(views, &s->y, true);
}

static nn__opencl_link nn__opencl_kind_scan_judge(nn__opencl_chain *chain, const void *args) {
    const nn_scan_args *s = (const nn_scan_args *)args;
    nn__opencl_kind_axes cut;
    chain->why = "its scan is not a sum";
    if (s->kind != NN_SCAN_SUM || nn__opencl_present(&s->index) || s->x.dtype != NN_F32 ||
        !nn__opencl_kind_fits(chain, &s->x) || (chain->by_rows && s->axis == 0) ||
        !nn__opencl_kind_cut(&s->x.shape, 1u << s->axis, &cut) || cut.n > NN__KIND_LONG ||
        !nn__opencl_chain_rows(chain, &s->x))
        return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &s->y, NN__LINK_ROWS, 0);
    chain->work += 4.0 * (double)nn__opencl_count(&s->x);
    return NN__LINK_ROWS;
}

static uint64_t nn__opencl_kind_scan_key(const nn__opencl_chain *chain, const void *args,
                                         uint64_t key) {
    const nn_scan_args *s = (const nn_scan_args *)args;
    nn__opencl_kind_axes cut;
    uint32_t words[3];
    nn__opencl_kind_cut(&s->x.shape, 1u << s->axis, &cut);
    words[0] = s->reverse, words[1] = (uint32_t)cut.inner;
    words[2] = nn__opencl_kind_each(chain, cut.outer * cut.inner);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_kind_scan_give(nn__opencl_launch *launch, const void *args) {
    const nn_scan_args *s = (const nn_scan_args *)args;
    nn__opencl_kind_axes cut;
    nn__opencl_kind_cut(&s->x.shape, 1u << s->axis, &cut);
    nn__opencl_uint(launch, (uint32_t)(cut.outer * cut.inner));
    nn__opencl_uint(launch, (uint32_t)cut.n);
}

static void nn__opencl_kind_scan_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    nn__opencl_chain_put_one(w, "uint", "n", i);
}

static void nn__opencl_kind_scan_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_scan_args *s = (const nn_scan_args *)args;
    nn__opencl_kind_axes cut;
    nn__opencl_kind_cut(&s->x.shape, 1u << s->axis, &cut);
    const unsigned inner = (unsigned)cut.inner;
    nn__opencl_kind_put_loop(w, i, nn__opencl_kind_each(w->chain, cut.outer * cut.inner));
    NN__CHAIN_PUT(w, "        uint at = r / %uu * (n%d * %uu) + r %% %uu;\n        "
                     "nn_chain_scan(%s + at, %s + at, n%d, %uu, %d);\n    }\n",
                  inner, i, inner, inner,
                  NN__CHAIN_NAME(w, &s->y), NN__CHAIN_NAME(w, &s->x), i, inner, (int)s->reverse);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* A piece that copies rows of x to rows of y. nn__opencl_kind_piece returns false if it is not of
   this form. */
typedef struct nn__opencl_kind_rows {
    int64_t each, x_row, y_row;            /* elements per row; distances between rows */
    int64_t x_low, x_high, y_low, y_high;  /* first and last element within a row */
    int first; /* the axis of the rows */
} nn__opencl_kind_rows;

static void nn__opencl_kind_reach(int64_t step, int32_t extent, int64_t *low, int64_t *high) {
    *(step < 0 ? low : high) += step * (extent - 1);
}

static bool nn__opencl_kind_piece(const nn_view *y, const nn_copy_piece *piece,
                                  nn__opencl_kind_rows *rows) {
    if (y->shape.rank < 1 || y->shape.rank > NN_COPY_AXES) return false;
    const int64_t all = y->shape.extent[0];
    const int first = NN_COPY_AXES - y->shape.rank;
    memset(rows, 0, sizeof *rows);
    rows->each = 1, rows->first = first;
    rows->x_low = rows->x_high = piece->x_first;
    rows->y_low = rows->y_high = piece->y_first;
    rows->x_row = nn__opencl_count(&piece->x) / all;
    rows->y_row = nn__opencl_count(y) / all;
    for (int a = 0; a < NN_COPY_AXES; a++) {
        if (a < first && piece->extent[a] != 1) return false;
        if (a <= first) continue;
        rows->each *= piece->extent[a];
        nn__opencl_kind_reach(piece->x_stride[a], piece->extent[a], &rows->x_low, &rows->x_high);
        nn__opencl_kind_reach(piece->y_stride[a], piece->extent[a], &rows->y_low, &rows->y_high);
    }
    return piece->extent[first] == all && nn__opencl_count(&piece->x) == rows->x_row * all &&
           (all == 1 || (piece->x_stride[first] == rows->x_row &&
                         piece->y_stride[first] == rows->y_row)) &&
           rows->x_low >= 0 && rows->x_high < rows->x_row && rows->y_low >= 0 &&
           rows->y_high < rows->y_row;
}

static void nn__opencl_kind_copy_list(const void *args, nn__opencl_chain_views *views) {
    const nn_strided_copy_args *c = (const nn_strided_copy_args *)args;
    for (int32_t i = 0; i < c->count; i++) nn__opencl_chain_add(views, &c->pieces[i].x, false);
    nn__opencl_chain_add(views, &c->y, true);
}

static nn__opencl_link nn__opencl_kind_copy_judge(nn__opencl_chain *chain, const void *args) {
    const nn_strided_copy_args *c = (const nn_strided_copy_args *)args;
    nn__opencl_kind_rows rows;
    chain->why = "it moves elements from row to row";
    if (c->count < 1 || chain->pieces + c->count > NN__KIND_PIECES ||
        !nn__opencl_kind_fits(chain, &c->y) ||
        (chain->by_rows && nn__opencl_present(&c->status)) ||
        !nn__opencl_chain_status(chain, &c->status))
        return NN__LINK_NONE;
    for (int32_t i = 0; i < c->count; i++)
        if (!nn__opencl_kind_piece(&c->y, &c->pieces[i], &rows) ||
            !nn__opencl_kind_fits(chain, &c->pieces[i].x) ||
            !nn__opencl_chain_rows(chain, &c->pieces[i].x))
            return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &c->y, NN__LINK_ROWS, 0);
    chain->pieces += c->count;
    chain->work += 4.0 * (double)nn__opencl_count(&c->y);
    return NN__LINK_ROWS;
}

/* The text contains everything except the number of rows. */
static uint64_t nn__opencl_kind_copy_key(const nn__opencl_chain *chain, const void *args,
                                         uint64_t key) {
    const nn_strided_copy_args *c = (const nn_strided_copy_args *)args;
    nn__opencl_kind_rows rows;
    uint64_t words[5];
    (void)chain;
    words[0] = (uint64_t)c->count, words[1] = c->fill, words[2] = c->accumulate;
    words[3] = c->fill ? c->value : 0, words[4] = nn__opencl_present(&c->status);
    key = nn__opencl_hash(key, words, sizeof words);
    for (int32_t i = 0; i < c->count; i++) {
        const nn_copy_piece *p = &c->pieces[i];
        int64_t numbers[4 + 3 * NN_COPY_AXES];
        int count = 4;
        nn__opencl_kind_piece(&c->y, p, &rows);
        numbers[0] = rows.x_row, numbers[1] = rows.y_row;
        numbers[2] = p->x_first, numbers[3] = p->y_first;
        for (int a = rows.first + 1; a < NN_COPY_AXES; a++) {
            numbers[count++] = p->extent[a];
            numbers[count++] = p->x_stride[a], numbers[count++] = p->y_stride[a];
        }
        key = nn__opencl_hash(key, numbers, sizeof numbers[0] * (size_t)count);
    }
    return key;
}

static void nn__opencl_kind_copy_give(nn__opencl_launch *launch, const void *args) {
    const nn_strided_copy_args *c = (const nn_strided_copy_args *)args;
    nn__opencl_uint(launch, (uint32_t)c->y.shape.extent[0]);
}

NN__OPENCL_PRIVATE void nn__opencl_kind_rows_numbers(nn__opencl_chain_writer *w, int i,
                                                     const void *args) {
    (void)args;
    nn__opencl_chain_put_one(w, "uint", "m", i);
}

/* Writes the place of element q in a row: the start, and a term for each axis. */
static void nn__opencl_kind_put_place(nn__opencl_chain_writer *w, const nn_copy_piece *p, int first,
                                      const int64_t *stride, int64_t start) {
    uint32_t below = 1;
    NN__CHAIN_PUT(w, "%d", (int)start);
    for (int a = NN_COPY_AXES - 1; a > first; a--) {
        if (p->extent[a] != 1)
            NN__CHAIN_PUT(w, " + (int)(q / %uu %% %uu) * (%d)", (unsigned)below,
                          (unsigned)p->extent[a], (int)stride[a]);
        below *= (uint32_t)p->extent[a];
    }
}

/* Begins a loop over the elements of rows [row, row_end), or of all m rows, with `each` elements in
   a row. */
static void nn__opencl_kind_put_elements(nn__opencl_chain_writer *w, int i, uint32_t each,
                                         const char *guard) {
    const bool by_rows = w->phase == NN__PHASE_ROWS;
    if (by_rows)
        NN__CHAIN_PUT(w, "    %sfor (uint i = row * %uu + NN_LANE; i < row_end * %uu; "
                         "i += NN_WIDTH) {\n", guard, (unsigned)each, (unsigned)each);
    else
        NN__CHAIN_PUT(w, "    %sfor (uint i = NN_LANE; i < m%d * %uu; i += NN_WIDTH) {\n", guard, i,
                      (unsigned)each);
    NN__CHAIN_PUT(w, "        uint r = i / %uu, q = i %% %uu;\n", (unsigned)each, (unsigned)each);
}

/* True if the piece writes where an earlier piece since the last barrier has written. */
static bool nn__opencl_kind_meets(const nn_strided_copy_args *c, int32_t since, int32_t i) {
    nn__opencl_kind_rows mine, other;
    nn__opencl_kind_piece(&c->y, &c->pieces[i], &mine);
    for (int32_t k = since; k < i; k++) {
        nn__opencl_kind_piece(&c->y, &c->pieces[k], &other);
        if (mine.y_low <= other.y_high && other.y_low <= mine.y_high) return true;
    }
    return false;
}

static void nn__opencl_kind_copy_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_strided_copy_args *c = (const nn_strided_copy_args *)args;
    const char *const guard = nn__opencl_present(&c->status) ? "if (!faulty) " : "";
    const char *const type = c->accumulate ? "float" : "uint"; /* copies bits unchanged */
    const char *const y = NN__CHAIN_NAME(w, &c->y);
    nn__opencl_kind_rows rows;
    int32_t since = 0;
    if (c->fill) {
        nn__opencl_kind_piece(&c->y, &c->pieces[0], &rows);
        nn__opencl_kind_put_elements(w, i, (uint32_t)rows.y_row, guard);
        NN__CHAIN_PUT(w, "        ((__global uint *)%s)[r * %uu + q] = %uu;\n    }\n    NN_NEXT\n",
                      y, (unsigned)rows.y_row, (unsigned)c->value);
    }
    for (int32_t k = 0; k < c->count; k++) {
        const nn_copy_piece *p = &c->pieces[k];
        nn__opencl_kind_piece(&c->y, p, &rows);
        if (nn__opencl_kind_meets(c, since, k)) {
            NN__CHAIN_PUT(w, "    NN_NEXT\n");
            since = k;
        }
        nn__opencl_kind_put_elements(w, i, (uint32_t)rows.each, guard);
        NN__CHAIN_PUT(w, "        ((__global %s *)%s)[r * %uu + (uint)(", type, y,
                      (unsigned)rows.y_row);
        nn__opencl_kind_put_place(w, p, rows.first, p->y_stride, p->y_first);
        NN__CHAIN_PUT(w, ")] %s ((const __global %s *)%s)[r * %uu + (uint)(",
                      c->accumulate ? "+=" : "=", type, NN__CHAIN_NAME(w, &p->x),
                      (unsigned)rows.x_row);
        nn__opencl_kind_put_place(w, p, rows.first, p->x_stride, p->x_first);
        NN__CHAIN_PUT(w, ")];\n    }\n");
    }
}

/* ---- the kinds ------------------------------------------------------------------------------- */

static const nn_view *nn__opencl_kind_copy_status(const void *args, uint32_t *step) {
    (void)step; /* it sets no fault */
    return &((const nn_strided_copy_args *)args)->status;
}

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_of_rows(const nn_call *call) {
    static const nn__opencl_chain_kind reduce = {
        nn__opencl_kind_reduce_list, nn__opencl_kind_reduce_judge,   nn__opencl_kind_reduce_key,
        nn__opencl_kind_reduce_give, nn__opencl_kind_reduce_numbers, nn__opencl_kind_reduce_put,
        NULL,                        NULL,                           NULL};
    static const nn__opencl_chain_kind slope = {
        nn__opencl_kind_slope_list, nn__opencl_kind_slope_judge,   nn__opencl_kind_slope_key,
        nn__opencl_kind_slope_give, nn__opencl_kind_slope_numbers, nn__opencl_kind_slope_put,
        NULL,                       NULL,                          NULL};
    static const nn__opencl_chain_kind scan = {
        nn__opencl_kind_scan_list, nn__opencl_kind_scan_judge,   nn__opencl_kind_scan_key,
        nn__opencl_kind_scan_give, nn__opencl_kind_scan_numbers, nn__opencl_kind_scan_put,
        NULL,                      NULL,                         NULL};
    static const nn__opencl_chain_kind copy = {
        nn__opencl_kind_copy_list, nn__opencl_kind_copy_judge,   nn__opencl_kind_copy_key,
        nn__opencl_kind_copy_give, nn__opencl_kind_rows_numbers, nn__opencl_kind_copy_put,
        NULL,                      nn__opencl_kind_copy_status,  NULL};
    if (call->kernel == NN_KERNEL_REDUCE_BACKWARD) return &slope;
    if (call->kernel == NN_KERNEL_SCAN) return &scan;
    return call->kernel == NN_KERNEL_STRIDED_COPY ? &copy : &reduce;
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
#undef NN__KIND_LONG
#undef NN__KIND_PIECES
