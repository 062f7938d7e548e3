/* opencl/chain_tiles.c - products of a chain on GPUs. A work-item keeps a tile of 1, 2 or 4 rows by
   4 columns in registers, and reads its operands from local memory.

   chain_cache.c decides what is in local memory. Its rows are an odd number of float4 apart, so
   that neighbours use different banks, and are padded with zeros to whole float4. An operand that
   does not fit is loaded in blocks of columns, or read from global memory. */
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
/* Compilers unroll loops with known ends until registers run out; this prevents it. */
#define NN__CHAIN_ONCE "        _Pragma(\"unroll 1\") "
/* Loads from global memory. A single work-group keeps four loads in flight. Otherwise several
   work-groups on a compute unit overlap their loads, if registers allow. */
#define NN__CHAIN_FOUR(w) \
    (nn__opencl_phase_is_whole((w)->phase) ? "    _Pragma(\"unroll 4\") " : "    ")

/* nn_row4: reads four numbers of a row, with zeros after its end. nn_all4: for rows of whole
   float4. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_tile_words(nn__opencl_writer *w) {
    NN__OPENCL_PUT(w, "%s",
    "float4 nn_row4(const __global float *x, uint c, uint width) {\n"
    "    if (c + 4u <= width) return vload4(0, x + c);\n"
    "    return (float4)(c < width ? x[c] : 0.0f, c + 1u < width ? x[c + 1u] : 0.0f,\n"
    "                    c + 2u < width ? x[c + 2u] : 0.0f, 0.0f);\n"
    "}\n"
    "float4 nn_all4(const __global float *x, uint c, uint width) {\n"
    "    return *(const __global float4 *)(x + c);\n"
    "}\n"
    "#define NN_AT4(at) (*(const __local float4 *)(cache + (at)))\n"
    "#define NN_DOT4(s, a, b) \\\n"
    "    s = mad((a).w, (b).w, mad((a).z, (b).z, mad((a).y, (b).y, mad((a).x, (b).x, s))))\n");
}

/* ---- operands -------------------------------------------------------------------------------- */

/* An operand of `width` columns, and where it is. rows: at most. */
typedef struct nn__opencl_chain_source {
    const nn_view *view;
    uint32_t rows, width;
    bool of_rows; /* its rows are those of the chain; else all rows of a weight */
    bool local;
    uint32_t at, stride;
} nn__opencl_chain_source;

static uint32_t nn__opencl_chain_end_of(const nn__opencl_chain_source *x) {
    return x->at + (x->rows + 3) / 4 * 4 * x->stride;
}

/* Returns the function that reads four numbers of a view: nn_all4 if its rows are aligned and
   consist of whole float4, else nn_row4. */
static const char *nn__opencl_chain_reader(const nn__opencl_chain_writer *w, const nn_view *view,
                                           uint32_t width) {
    const int s = nn__opencl_chain_find(w->chain, view);
    return s >= 0 && w->chain->storages[s].aligned && width % 4 == 0 ? "nn_all4" : "nn_row4";
}

/* Loads the operand: the chain's rows in this piece, or all rows of a weight. */
static void nn__opencl_chain_put_stage(nn__opencl_chain_writer *w,
                                       const nn__opencl_chain_source *x) {
    const unsigned vectors = (unsigned)(x->width + 3) / 4;
    const char *name = nn__opencl_chain_name(w, x->view);
    const char *four = nn__opencl_chain_reader(w, x->view, x->width);
    if (x->of_rows)
        NN__CHAIN_PUT(w, "%sfor (uint e = lane; e < count * %uu; e += NN_WIDTH) {\n"
                         "        uint r = e / %uu, c = e %s %uu * 4u;\n"
                         "        *(__local float4 *)(cache + %uu + r * %uu + c) =\n"
                         "            %s(%s + (from + r) * %uu, c, %uu);\n    }\n",
                      NN__CHAIN_FOUR(w), vectors, vectors, "%", vectors, (unsigned)x->at,
                      (unsigned)x->stride, four, name,
                      (unsigned)x->width, (unsigned)x->width);
    else
        NN__CHAIN_PUT(w, "%sfor (uint e = lane; e < %uu; e += NN_WIDTH) {\n"
                         "        uint r = e / %uu, c = e %s %uu * 4u;\n"
                         "        *(__local float4 *)(cache + %uu + r * %uu + c) = r < %uu ?\n"
                         "            %s(%s + r * %uu, c, %uu) : (float4)(0.0f);\n    }\n",
                      NN__CHAIN_FOUR(w), (unsigned)((x->rows + 3) / 4 * 4) * vectors, vectors, "%",
                      vectors,
                      (unsigned)x->at, (unsigned)x->stride, (unsigned)x->rows, four, name,
                      (unsigned)x->width, (unsigned)x->width);
}

/* Finds the operand in the cache, or makes room for it. Returns true if it must still be loaded. */
static bool nn__opencl_chain_locate(nn__opencl_chain_writer *w, nn__opencl_chain_source *x,
                                    int call) {
    const int storage = nn__opencl_chain_find(w->chain, x->view);
    nn__opencl_chain_entry *e = nn__opencl_chain_entry_of(w, storage, x->width);
    const bool here = e != NULL;
    if (!e) e = nn__opencl_chain_enter(w, storage, x->rows, x->width, call, -1);
    if (!e) return false;
    e->held = call;
    x->local = true;
    x->at = e->at;
    x->stride = e->stride;
    return !here;
}

/* Writes the expression for the float4 at row `row` and column `column`. */
static const char *nn__opencl_chain_four(nn__opencl_chain_writer *w,
                                         const nn__opencl_chain_source *x, const char *row,
                                         const char *column, char *text, size_t size) {
    if (x->local)
        nn__opencl_format(text, size, "NN_AT4(%uu + (%s) * %uu + %s)", (unsigned)x->at, row,
                          (unsigned)x->stride, column);
    else
        nn__opencl_format(text, size, "%s(%s + (%s%s) * %uu, %s, %uu)",
                          nn__opencl_chain_reader(w, x->view, x->width),
                          nn__opencl_chain_name(w, x->view), x->of_rows ? "from + " : "", row,
                          (unsigned)x->width, column, (unsigned)x->width);
    return text;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

typedef struct nn__opencl_chain_tile {
    const nn_gemm_args *args;
    nn__opencl_chain_source a, b;
    uint32_t rows, m, n, k; /* rows: of the result, at most; the sum runs over k, or over the
                               chain's rows */
    uint32_t tall, block;   /* rows of a tile; columns of a block */
    bool blocks;
    const nn__opencl_chain_entry *to; /* where the result stays in local memory; NULL: nowhere */
    char y[32];
} nn__opencl_chain_tile;

static const char *const nn__opencl_chain_lane_of[] = {"x", "y", "z", "w"};

/* Writes dot products of rows of a and rows of b. The columns of a tile are `across` apart, so that
   neighbours store to adjacent addresses. */
static void nn__opencl_chain_put_dots(nn__opencl_chain_writer *w, const nn__opencl_chain_tile *t) {
    char text[160], row[40];
    NN__CHAIN_PUT(w, NN__CHAIN_ONCE "for (uint u = 0; u < %uu; u += 4u) {\n",
                  (unsigned)t->k);
    for (int c = 0; c < 4; c++) {
        if (t->b.local) /* rows of a block are counted from its first column */
            nn__opencl_format(row, sizeof row, "k%d", c);
        else
            nn__opencl_format(row, sizeof row, "block + k%d", c);
        NN__CHAIN_PUT(w, "            float4 w%d = %s;\n", c,
                      nn__opencl_chain_four(w, &t->b, row, "u", text, sizeof text));
    }
    for (uint32_t j = 0; j < t->tall; j++) {
        nn__opencl_format(row, sizeof row, "r%u", (unsigned)j);
        NN__CHAIN_PUT(w, "            { float4 a = %s;\n",
                      nn__opencl_chain_four(w, &t->a, row, "u", text, sizeof text));
        for (int c = 0; c < 4; c++)
            NN__CHAIN_PUT(w, "              NN_DOT4(s%u.%s, a, w%d);\n", (unsigned)j,
                          nn__opencl_chain_lane_of[c], c);
        NN__CHAIN_PUT(w, "            }\n");
    }
    NN__CHAIN_PUT(w, "        }\n");
}

/* Writes products of rows of a and columns of b. */
static void nn__opencl_chain_put_plain(nn__opencl_chain_writer *w,
                                       const nn__opencl_chain_tile *t) {
    char text[160], row[40];
    const char *column = t->b.local ? "c" : "block + c";
    NN__CHAIN_PUT(w, NN__CHAIN_ONCE "for (uint u = 0; u < %uu; u += 4u) {\n",
                  (unsigned)t->k);
    for (uint32_t u = 0; u < 4; u++) {
        if (t->b.local) /* there are zeros after the last row */
            nn__opencl_format(row, sizeof row, "u + %uu", (unsigned)u);
        else
            nn__opencl_format(row, sizeof row, "min(u + %uu, %uu)", (unsigned)u,
                              (unsigned)t->k - 1);
        NN__CHAIN_PUT(w, "            float4 w%u = %s;\n", (unsigned)u,
                      nn__opencl_chain_four(w, &t->b, row, column, text, sizeof text));
    }
    for (uint32_t j = 0; j < t->tall; j++) {
        nn__opencl_format(row, sizeof row, "r%u", (unsigned)j);
        NN__CHAIN_PUT(w, "            { float4 a = %s;\n",
                      nn__opencl_chain_four(w, &t->a, row, "u", text, sizeof text));
        for (int u = 0; u < 4; u++)
            NN__CHAIN_PUT(w, "              s%u = mad((float4)(a.%s), w%d, s%u);\n", (unsigned)j,
                          nn__opencl_chain_lane_of[u], u, (unsigned)j);
        NN__CHAIN_PUT(w, "            }\n");
    }
    NN__CHAIN_PUT(w, "        }\n");
}

/* Writes sums over the chain's rows: the columns of a are the rows of the result. */
static void nn__opencl_chain_put_sums(nn__opencl_chain_writer *w, const nn__opencl_chain_tile *t) {
    char text[160];
    NN__CHAIN_PUT(w, "        _Pragma(\"unroll 4\") for (uint u = 0; u < count; u++) {\n"
                     "            float4 w0 = %s;\n",
                  nn__opencl_chain_four(w, &t->b, "u", "c", text, sizeof text));
    if (t->tall == 4)
        NN__CHAIN_PUT(w, "            float4 a = %s;\n",
                      nn__opencl_chain_four(w, &t->a, "u", "r", text, sizeof text));
    for (uint32_t j = 0; j < t->tall; j++) {
        if (t->tall == 4)
            NN__CHAIN_PUT(w, "            s%u = mad((float4)(a.%s), w0, s%u);\n", (unsigned)j,
                          nn__opencl_chain_lane_of[j], (unsigned)j);
        else if (t->a.local)
            NN__CHAIN_PUT(w, "            s%u = mad((float4)(cache[%uu + u * %uu + r%u]), w0, "
                             "s%u);\n", (unsigned)j, (unsigned)t->a.at, (unsigned)t->a.stride,
                          (unsigned)j, (unsigned)j);
        else
            NN__CHAIN_PUT(w, "            s%u = mad((float4)(%s[(from + u) * %uu + r%u]), w0, "
                             "s%u);\n", (unsigned)j, nn__opencl_chain_name(w, t->a.view),
                          (unsigned)t->m, (unsigned)j, (unsigned)j);
    }
    NN__CHAIN_PUT(w, "        }\n");
}

/* Writes column c of the tile, as a column of the whole result. */
static void nn__opencl_chain_column(const nn__opencl_chain_tile *t, int c, char *text,
                                    size_t size) {
    nn__opencl_format(text, size, t->args->transpose_b ? "block + c%d" : "block + c + %du", c);
}

/* Stores row j of the tile in global memory, and in local memory if it is read there. */
static void nn__opencl_chain_put_result(nn__opencl_chain_writer *w,
                                        const nn__opencl_chain_tile *t, uint32_t j) {
    const nn_gemm_args *g = t->args;
    const bool sums = g->transpose_a, adds = sums && w->phase == NN__PHASE_ROWS;
    const bool bias = nn__opencl_present(&g->epilogue.bias);
    const unsigned n = (unsigned)t->n;
    char at[40];
    NN__CHAIN_PUT(w, "        if (r + %uu < %s) {\n", (unsigned)j, sums ? "rows_of" : "count");
    for (int c = 0; c < 4; c++) {
        const char *lane = nn__opencl_chain_lane_of[c];
        if (bias) NN__CHAIN_PUT(w, "            s%u.%s += bias%d;\n", (unsigned)j, lane, c);
        if (g->epilogue.activation)
            NN__CHAIN_PUT(w, "            s%u.%s = nn_activate(%d, s%u.%s);\n", (unsigned)j, lane,
                          (int)g->epilogue.activation, (unsigned)j, lane);
    }
    NN__CHAIN_PUT(w, "            __global float *to = %s + (%sr + %uu) * %uu;\n", t->y,
                  sums ? "" : "from + ", (unsigned)j, n);
    if (!g->transpose_b && n % 4 == 0) {
        const bool whole = adds || strcmp(nn__opencl_chain_reader(w, &g->y, t->n), "nn_all4") == 0;
        if (adds)
            NN__CHAIN_PUT(w, "            if (more) s%u += nn_all4(to, c, 0);\n", (unsigned)j);
        NN__CHAIN_PUT(w, whole ? "            *(__global float4 *)(to + block + c) = s%u;\n"
                               : "            vstore4(s%u, 0, to + block + c);\n", (unsigned)j);
    }
    for (int c = 0; (g->transpose_b || n % 4) && c < 4; c++) {
        nn__opencl_chain_column(t, c, at, sizeof at);
        NN__CHAIN_PUT(w, "            ");
        if (n % 4 || (t->blocks && n % t->block)) NN__CHAIN_PUT(w, "if (%s < %uu) ", at, n);
        NN__CHAIN_PUT(w, "to[%s] = s%u.%s", at, (unsigned)j, nn__opencl_chain_lane_of[c]);
        if (adds) NN__CHAIN_PUT(w, " + (more ? to[%s] : 0.0f)", at);
        NN__CHAIN_PUT(w, ";\n");
    }
    if (t->to && !g->transpose_b && n % 4 == 0)
        NN__CHAIN_PUT(w, "            *(__local float4 *)(cache + %uu + (r + %uu) * %uu + block + "
                         "c) = s%u;\n", (unsigned)t->to->at, (unsigned)j, (unsigned)t->to->stride,
                      (unsigned)j);
    for (int c = 0; t->to && (g->transpose_b || n % 4) && c < 4; c++) {
        nn__opencl_chain_column(t, c, at, sizeof at);
        NN__CHAIN_PUT(w, "            cache[%uu + (r + %uu) * %uu + %s] = ", (unsigned)t->to->at,
                      (unsigned)j, (unsigned)t->to->stride, at);
        if (n % 4)
            NN__CHAIN_PUT(w, "%s < %uu ? s%u.%s : 0.0f;\n", at, n, (unsigned)j,
                          nn__opencl_chain_lane_of[c]);
        else
            NN__CHAIN_PUT(w, "s%u.%s;\n", (unsigned)j, nn__opencl_chain_lane_of[c]);
    }
    NN__CHAIN_PUT(w, "        }\n");
}

static void nn__opencl_chain_put_tiles(nn__opencl_chain_writer *w, const nn__opencl_chain_tile *t) {
    const nn_gemm_args *g = t->args;
    const bool sums = g->transpose_a;
    const unsigned across = (unsigned)(t->block + 3) / 4, tall = (unsigned)t->tall;
    const char *bias = nn__opencl_chain_name(w, &g->epilogue.bias);
    NN__CHAIN_PUT(w, "    for (uint e = lane; e < (%s + %uu) / %uu * %uu; e += NN_WIDTH) {\n"
                     "        uint r = e / %uu * %uu, c = e %s %uu%s;\n",
                  sums ? "rows_of" : "count", tall - 1, tall, across, across, tall, "%", across,
                  g->transpose_b ? "" : " * 4u");
    if (t->blocks && !g->transpose_b && t->n % t->block)
        NN__CHAIN_PUT(w, "        if (block + c >= %uu) continue;\n", (unsigned)t->n);
    for (unsigned j = 0; j < tall; j++) {
        /* rows in local memory are padded to whole tiles */
        const bool there = t->a.local || (sums && tall == 4);
        NN__CHAIN_PUT(w, there ? "        uint r%u = r + %uu;\n"
                               : "        uint r%u = min(r + %uu, %s - 1u);\n",
                      j, j, sums ? "rows_of" : "count");
        NN__CHAIN_PUT(w, "        float4 s%u = (float4)(0.0f);\n", j);
    }
    for (unsigned c = 0; g->transpose_b && c < 4; c++)
        NN__CHAIN_PUT(w, "        uint c%u = c + %uu, k%u = min(c%u, %uu - block);\n", c,
                      c * across, c, c, (unsigned)t->n - 1);
    if (g->transpose_b) nn__opencl_chain_put_dots(w, t);
    else if (sums) nn__opencl_chain_put_sums(w, t);
    else nn__opencl_chain_put_plain(w, t);
    for (unsigned c = 0; nn__opencl_present(&g->epilogue.bias) && c < 4; c++)
        NN__CHAIN_PUT(w, g->transpose_b ? "        float bias%u = %s[block + k%u];\n"
                                        : "        float bias%u = %s[min(block + c + %uu, %uu)];\n",
                      c, bias, c, (unsigned)t->n - 1);
    for (uint32_t j = 0; j < t->tall; j++) nn__opencl_chain_put_result(w, t, j);
    NN__CHAIN_PUT(w, "        (void)r0;\n    }\n");
}

/* ---- a product ------------------------------------------------------------------------------- */

/* Returns the width of the column blocks in which a weight that does not fit is loaded; 0: there is
   not even room for blocks. */
static uint32_t nn__opencl_chain_block(const nn__opencl_chain_writer *w,
                                       const nn__opencl_chain_tile *t, uint32_t *at) {
    for (uint32_t block = 64; block >= 16; block /= 2) {
        const uint32_t rows = t->args->transpose_b ? block : (t->k + 3) / 4 * 4;
        const uint32_t floats =
            rows * nn__opencl_chain_stride(t->args->transpose_b ? t->k : block);
        if (block >= t->n) continue;
        *at = nn__opencl_chain_hole(w, floats);
        if (*at != UINT32_MAX) return block;
    }
    return 0;
}

static void nn__opencl_chain_put_blocks(nn__opencl_chain_writer *w, nn__opencl_chain_tile *t,
                                        uint32_t at) {
    const bool dots = t->args->transpose_b;
    const uint32_t width = dots ? t->k : t->block, rows = dots ? t->block : (t->k + 3) / 4 * 4;
    const unsigned vectors = (unsigned)(width + 3) / 4;
    const char *name = nn__opencl_chain_name(w, &t->args->b);
    t->b.local = true, t->b.at = at, t->b.stride = nn__opencl_chain_stride(width);
    const uint32_t end = at + rows * t->b.stride;
    if (w->deepest < end) w->deepest = end;
    NN__CHAIN_PUT(w, "    for (uint block = 0; block < %uu; block += %uu) {\n    NN_NEXT\n"
                     "    for (uint e = lane; e < %uu; e += NN_WIDTH) {\n"
                     "        uint r = e / %uu, c = e %s %uu * 4u;\n",
                  (unsigned)t->n, (unsigned)t->block, (unsigned)rows * vectors, vectors, "%",
                  vectors);
    if (dots)
        NN__CHAIN_PUT(w, "        *(__local float4 *)(cache + %uu + r * %uu + c) =\n"
                         "            %s(%s + min(block + r, %uu) * %uu, c, %uu);\n    }\n",
                      (unsigned)at, (unsigned)t->b.stride,
                      nn__opencl_chain_reader(w, &t->args->b, t->k), name, (unsigned)t->n - 1,
                      (unsigned)t->k, (unsigned)t->k);
    else
        NN__CHAIN_PUT(w, "        *(__local float4 *)(cache + %uu + r * %uu + c) = r < %uu ?\n"
                         "            nn_row4(%s + r * %uu, block + c, %uu) : (float4)(0.0f);\n"
                         "    }\n", (unsigned)at, (unsigned)t->b.stride, (unsigned)t->k, name,
                      (unsigned)t->n, (unsigned)t->n);
    NN__CHAIN_PUT(w, "    NN_NEXT\n");
    nn__opencl_chain_put_tiles(w, t);
    NN__CHAIN_PUT(w, "    }\n");
    nn__opencl_chain_touch(w, at, end, true);
}

/* Loads operands into local memory, with the necessary barriers. */
static void nn__opencl_chain_bring(nn__opencl_chain_writer *w, nn__opencl_chain_tile *t, int i) {
    nn__opencl_chain_source *const both[2] = {&t->a, &t->b};
    bool brings[2] = {false, false}, next = w->touch_count + 6 > NN__CHAIN_TOUCHES;
    for (int o = 0; o < 2; o++) {
        const int storage = nn__opencl_chain_find(w->chain, both[o]->view);
        brings[o] = nn__opencl_chain_locate(w, both[o], i);
        if (brings[o])
            next = next || w->chain->storages[storage].written ||
                   nn__opencl_chain_meets(w, both[o]->at, nn__opencl_chain_end_of(both[o]), true);
    }
    if (next) nn__opencl_chain_put_next(w);
    for (int o = 0; o < 2; o++) {
        if (!brings[o]) continue;
        nn__opencl_chain_put_stage(w, both[o]);
        nn__opencl_chain_touch(w, both[o]->at, nn__opencl_chain_end_of(both[o]), true);
        w->chain->storages[nn__opencl_chain_find(w->chain, both[o]->view)].read = true;
    }
}

/* Writes the barriers that the product itself needs, and records its accesses. */
static void nn__opencl_chain_settle(nn__opencl_chain_writer *w, const nn__opencl_chain_tile *t) {
    const nn__opencl_chain_source *const both[2] = {&t->a, &t->b};
    const nn_gemm_args *g = t->args;
    nn__opencl_storage *storages = w->chain->storages;
    const int y = nn__opencl_chain_find(w->chain, &g->y);
    const int bias = nn__opencl_chain_find(w->chain, &g->epilogue.bias);
    bool next = storages[y].read || storages[y].written || (bias >= 0 && storages[bias].written);
    for (int o = 0; o < 2; o++) {
        const nn__opencl_chain_source *x = both[o];
        next = next ||
               (x->local ? nn__opencl_chain_meets(w, x->at, nn__opencl_chain_end_of(x), false)
                         : storages[nn__opencl_chain_find(w->chain, x->view)].written);
    }
    if (t->to) next = next || nn__opencl_chain_meets(w, t->to->at, t->to->at + t->to->floats, true);
    if (next) nn__opencl_chain_put_next(w);
    for (int o = 0; o < 2; o++) {
        const nn__opencl_chain_source *x = both[o];
        if (x->local) nn__opencl_chain_touch(w, x->at, nn__opencl_chain_end_of(x), false);
        else storages[nn__opencl_chain_find(w->chain, x->view)].read = true;
    }
    if (t->to) nn__opencl_chain_touch(w, t->to->at, t->to->at + t->to->floats, true);
    if (bias >= 0) storages[bias].read = true;
    storages[y].written = true;
}

NN__OPENCL_PRIVATE void nn__opencl_chain_put_product(nn__opencl_chain_writer *w, int i,
                                                     const nn_gemm_args *g) {
    const nn__opencl_chain *chain = w->chain;
    const bool sums = g->transpose_a, by_rows = w->phase == NN__PHASE_ROWS;
    const uint32_t most = by_rows ? chain->piece : chain->most[i];
    nn__opencl_chain_tile tile, *t = &tile;
    uint32_t at = 0;
    memset(t, 0, sizeof *t);
    t->args = g;
    t->m = (uint32_t)g->m, t->n = t->block = (uint32_t)g->n, t->k = (uint32_t)g->k;
    t->rows = sums ? t->m : most;
    t->a.view = &g->a, t->b.view = &g->b;
    t->a.of_rows = true, t->b.of_rows = sums;
    t->a.rows = most, t->a.width = sums ? t->m : t->k;
    t->b.rows = sums ? most : g->transpose_b ? t->n : t->k;
    t->b.width = g->transpose_b ? t->k : t->n;
    for (t->tall = 4; t->tall > 1 && (t->rows + t->tall - 1) / t->tall * ((t->n + 3) / 4) <
                                         NN__CHAIN_LANES;)
        t->tall /= 2;
    nn__opencl_format(t->y, sizeof t->y, "%s", nn__opencl_chain_name(w, &g->y));
    if (by_rows && sums)
        nn__opencl_format(t->y, sizeof t->y, "(part + %u)",
                          (unsigned)nn__opencl_chain_part(w, &g->y));
    if (by_rows)
        NN__CHAIN_PUT(w, "    {\n    const uint from = row, count = row_end - row");
    else
        NN__CHAIN_PUT(w, "    {\n    const uint from = 0, count = m%d", i);
    NN__CHAIN_PUT(w, ", rows_of = %uu;\n", (unsigned)t->rows);
    nn__opencl_chain_bring(w, t, i);
    nn__opencl_chain_forget(w, &g->y);
    if (!t->b.local && !sums) t->block = nn__opencl_chain_block(w, t, &at);
    t->blocks = t->block && t->block < t->n;
    if (!t->block) t->block = t->n;
    if (!sums) {
        const int y = nn__opencl_chain_find(chain, &g->y);
        const int use = nn__opencl_chain_next_use(w, y, i + 1);
        if (use < NN__CHAIN_CALLS && !t->blocks)
            t->to = nn__opencl_chain_enter(w, y, most, t->n, i, use);
    }
    nn__opencl_chain_settle(w, t);
    if (t->blocks) {
        nn__opencl_chain_put_blocks(w, t, at);
    } else {
        NN__CHAIN_PUT(w, "    const uint block = 0;\n");
        nn__opencl_chain_put_tiles(w, t);
    }
    NN__CHAIN_PUT(w, "    (void)from, (void)rows_of;\n    }\n");
}

/* ---- sums of columns, as the gradient of a bias ---------------------------------------------- */

/* y[c] = scale * (sum of x[r][c] over the rows). Several work-items share a column, if the
   work-group is large enough. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_columns(nn__opencl_chain_writer *w, int i,
                                                     const nn_view *x, uint32_t n, const char *y,
                                                     const char *scale) {
    const bool by_rows = w->phase == NN__PHASE_ROWS;
    const nn__opencl_chain_entry *e =
        nn__opencl_chain_entry_of(w, nn__opencl_chain_find(w->chain, x), n);
    unsigned wide = 1;
    while (wide < n) wide *= 2;
    if (e && nn__opencl_chain_meets(w, e->at, e->at + e->floats, false))
        nn__opencl_chain_put_next(w);
    if (by_rows)
        NN__CHAIN_PUT(w, "    {\n    const uint from = row, count = row_end - row;\n");
    else
        NN__CHAIN_PUT(w, "    {\n    const uint from = 0, count = m%d;\n", i);
    NN__CHAIN_PUT(w, "    __global float *to = %s;\n", y);
    /* There are few partial sums, so one work-item adds them in sequence. */
    NN__CHAIN_PUT(w, "    const uint parts_of = min(max(NN_WIDTH / %uu, 1u), 16u);\n"
                     "    const uint c0 = lane %s %uu;\n    float sum = 0.0f;\n"
                     "    for (uint r = lane / %uu; c0 < %uu && r < count; r += parts_of)\n",
                  wide, "%", wide, wide, (unsigned)n);
    if (e && w->touch_count < NN__CHAIN_TOUCHES) {
        NN__CHAIN_PUT(w, "        sum += cache[%uu + r * %uu + c0];\n", (unsigned)e->at,
                      (unsigned)e->stride);
        nn__opencl_chain_touch(w, e->at, e->at + e->floats, false);
    } else {
        NN__CHAIN_PUT(w, "        sum += %s[(from + r) * %uu + c0];\n",
                      nn__opencl_chain_name(w, x), (unsigned)n);
    }
    NN__CHAIN_PUT(w, "    NN_BARRIER(CLK_LOCAL_MEM_FENCE);\n    lanes[lane] = sum;\n"
                     "    NN_BARRIER(CLK_LOCAL_MEM_FENCE);\n"
                     "    if (lane < %uu) {\n        sum = 0.0f;\n"
                     "        for (uint q = 0; q < parts_of; q++) sum += lanes[q * %uu + lane];\n"
                     "        to[lane] = %ssum * %s;\n    }\n    (void)from;\n    }\n",
                  (unsigned)n, wide, by_rows ? "(more ? to[lane] : 0.0f) + " : "", scale);
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_ONCE
#undef NN__CHAIN_FOUR
