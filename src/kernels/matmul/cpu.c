/* kernels/matmul/cpu.c - the matrix product: computes units and pieces of the depth, copies
   operands whose order in memory would make reading slow. kernels/matmul/cpu_tiles.c walks over the
   tiles. */
#include "kernels/matmul/cpu.h"

#ifndef NN_NO_SIMD /* without: kernels/matmul/cpu_small.c */
static const char *nn__gemm_refuses(const nn__cpu *cpu, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    const char *why = nn__refuses_dtypes(g);
    if (!why && !cpu->bytes && (g->a.dtype == NN_I8 || g->b.dtype == NN_I8))
        why = NN__TEXT("products of i8 are not installed; call nn_use_all_kernels(nn)");
    return why ? why : nn__refuses_activation(cpu, g->epilogue.activation);
}

/* ---- a unit ---------------------------------------------------------------------------------- */

NN_PRIVATE void nn__gemm_fetch(const nn__gemm_cut *cut, const nn_view *matrix, ptrdiff_t at,
                               int n, float *to) {
    if (matrix->dtype == NN_F32)
        cut->set->pick(to, nn__f32(matrix) + at, 1, n);
    else if (matrix->dtype == NN_I8)
        cut->bytes->widen(to, nn__i8(matrix) + at, n);
    else
        cut->set->widen(to, nn__halves(matrix) + at, matrix->dtype == NN_F16, n);
}

static void nn__gemm_copy_a(const nn__gemm_cut *cut, const nn_gemm_args *g,
                            const nn__gemm_part *part, int p, int depth, float *to) {
    if (g->transpose_a && !cut->half_a)
        for (int e = 0; e < depth; e++)
            memcpy(to + e * cut->a_row, nn__f32(&g->a) + (ptrdiff_t)(p + e) * g->m + part->i,
                   (size_t)part->rows * sizeof *to);
    else if (g->transpose_a)
        for (int e = 0; e < depth; e++)
            nn__gemm_fetch(cut, &g->a, (ptrdiff_t)(p + e) * g->m + part->i, part->rows,
                           to + e * cut->a_row);
    else
        for (int e = 0; e < part->rows; e++) {
            const ptrdiff_t at = (ptrdiff_t)(part->i + e) * g->k + p;
            if (!cut->half_a && e + 2 < part->rows)
                nn__gemm_ahead(nn__f32(&g->a) + at + 2 * (ptrdiff_t)g->k, depth);
            nn__gemm_fetch(cut, &g->a, at, depth, to + e * cut->a_row);
        }
}

/* Copies strips of the usual widths without a call. */
static inline void nn__gemm_copy_line(float *to, const float *from, int n) {
    if (n == 16)
        memcpy(to, from, 16 * sizeof *to);
    else if (n == 32)
        memcpy(to, from, 32 * sizeof *to);
    else
        memcpy(to, from, (size_t)n * sizeof *to);
}

/* Copies f32 into consecutive strips as wide as a tile. The rows of the matrix itself may be so far
   apart that a strip of it would not fit into the sets of the first-level cache. */
static void nn__gemm_copy_strips(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                 const nn__gemm_part *part, int p, int depth, float *to) {
    const int wide = cut->set->columns;
    const ptrdiff_t strip = (ptrdiff_t)wide * cut->depth;
    if (g->transpose_b) {
        for (int j = 0; j < part->columns; j += wide, to += strip)
            cut->set->transpose(to, wide, nn__f32(&g->b) + (ptrdiff_t)(part->j + j) * g->k + p,
                                g->k, nn__mini(wide, part->columns - j), depth);
        return;
    }
    for (int e = 0; e < depth; e++) {
        const float *from = nn__f32(&g->b) + (ptrdiff_t)(p + e) * g->n + part->j;
        float *at = to + e * wide;
        if (e + 4 < depth) nn__gemm_ahead(from + 4 * (ptrdiff_t)g->n, part->columns);
        for (int j = 0; j < part->columns; j += wide, at += strip)
            nn__gemm_copy_line(at, from + j, nn__mini(wide, part->columns - j));
    }
}

/* wide: room for a strip of a transposed b that is widened before it is turned. */
static void nn__gemm_copy_b(const nn__gemm_cut *cut, const nn_gemm_args *g,
                            const nn__gemm_part *part, int p, int depth, float *to, float *wide) {
    if (!cut->half_b) {
        nn__gemm_copy_strips(cut, g, part, p, depth, to);
        return;
    }
    if (!g->transpose_b) {
        for (int e = 0; e < depth; e++)
            nn__gemm_fetch(cut, &g->b, (ptrdiff_t)(p + e) * g->n + part->j, part->columns,
                           to + e * cut->b_row);
        return;
    }
    const ptrdiff_t wide_row = nn__spread(cut->depth);
    for (int j = 0; j < part->columns; j += NN__GEMM_STRIP) {
        const int rows = nn__mini(NN__GEMM_STRIP, part->columns - j);
        for (int e = 0; e < rows; e++)
            nn__gemm_fetch(cut, &g->b, (ptrdiff_t)(part->j + j + e) * g->k + p, depth,
                           wide + e * wide_row);
        cut->set->transpose(to + j, cut->b_row, wide, wide_row, rows, depth);
    }
}

/* Computes one depth of a part, in blocks of rows. Their piece of a stays in the second cache
   beside that of b. */
static void nn__gemm_run_blocks(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                const nn__gemm_part *part, nn__product *x, int p, float *a_copy) {
    const ptrdiff_t a_row = cut->copy_a ? cut->a_row : g->transpose_a ? g->m : g->k;
    float *y = x->y;
    nn__gemm_part block = *part;
    x->a_row = g->transpose_a ? 1 : a_row;
    x->a_step = g->transpose_a ? a_row : 1;
    for (int i = 0; i < part->rows; i += cut->m_block) {
        block.i = part->i + i;
        block.rows = nn__mini(cut->m_block, part->rows - i);
        if (cut->copy_a) nn__gemm_copy_a(cut, g, &block, p, x->depth, a_copy);
        x->a = cut->copy_a      ? a_copy
               : g->transpose_a ? nn__f32(&g->a) + (ptrdiff_t)p * g->m + block.i
                                : nn__f32(&g->a) + (ptrdiff_t)block.i * g->k + p;
        x->y = y + i * x->y_row;
        x->rows = block.rows;
        nn__multiply_tiles(cut->set, x);
        x->b_from = NULL;
    }
    x->y = y;
}

static void nn__gemm_run_part(const nn__gemm_cut *cut, const nn_gemm_args *g,
                              const nn__gemm_part *part, nn__product *x, void *own) {
    int32_t *offset = (int32_t *)own;
    float *a_copy = (float *)own + nn__align_up((size_t)cut->depth, 16);
    float *b_copy = a_copy + (cut->copy_a ? (size_t)cut->a_row *
                                                (size_t)(g->transpose_a ? cut->depth : cut->m_block)
                                          : 0);
    const bool strips = cut->copy_b && !cut->half_b;
    /* the first tiles copy b while they read it, unless that is soon done */
    const bool fused = strips && !g->transpose_b && cut->set->tile_copy &&
                       cut->depth >= NN__GEMM_SHORT && part->rows >= cut->set->rows;
    const ptrdiff_t b_row = strips ? cut->set->columns : cut->copy_b ? cut->b_row : g->n;
    const bool last = x->last;
    x->b_strip = strips ? (ptrdiff_t)cut->set->columns * cut->depth : 0;
    for (int p = 0; p < cut->depth; p++) offset[p] = (int32_t)(p * b_row);
    x->b_offset = offset;
    x->columns = part->columns;
    int p = part->p;
    do {
        const int depth = nn__mini(cut->depth, part->end - p);
        const float *b = cut->half_b      ? NULL
                         : g->transpose_b ? nn__f32(&g->b) + (ptrdiff_t)part->j * g->k + p
                                          : nn__f32(&g->b) + (ptrdiff_t)p * g->n + part->j;
        if (cut->copy_b && !fused)
            nn__gemm_copy_b(cut, g, part, p, depth, b_copy,
                            b_copy + (size_t)cut->b_row * (size_t)cut->depth);
        x->b = cut->copy_b ? b_copy : b;
        x->b_from = fused ? b : NULL;
        x->b_from_row = g->n;
        x->depth = depth;
        x->last = last && p + depth >= part->end;
        nn__gemm_run_blocks(cut, g, part, x, p, a_copy);
        x->add = true;
        p += depth;
    } while (p < part->end);
}

static void nn__gemm_product(nn__product *x, const nn__cpu *cpu, const nn_gemm_args *g, int i,
                             int j) {
    memset(x, 0, sizeof *x);
    x->y = nn__f32(&g->y) + (ptrdiff_t)i * g->n + j;
    x->y_row = g->n;
    x->add = g->accumulate;
    x->last = true;
    x->column_bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) + j : NULL;
    x->activate = cpu->activations[g->epilogue.activation];
}

NN_PRIVATE bool nn__gemm_is_alone(const nn__cpu *cpu, const nn_gemm_args *g) {
    return g->m == 1 && g->a.dtype == NN_F32 && g->b.dtype == NN_F32 && nn__gemm_by_dots(g) &&
           nn__gemm_is_small(cpu, g);
}

/* Computes the same sums as nn__gemm_run_row. */
NN_PRIVATE void nn__gemm_run_alone(const nn__cpu *cpu, const nn_gemm_args *g) {
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    const nn__activate activate = cpu->activations[g->epilogue.activation];
    const nn__clamp clamp = nn__clamp_of(activate);
    const float *bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) : NULL;
    nn__dots dots;
    dots.a = nn__f32(&g->a);
    dots.b = nn__f32(&g->b);
    dots.y = nn__f32(&g->y);
    dots.a_row = dots.b_row = g->k;
    dots.y_row = 0;
    dots.y_step = 1;
    dots.rows = 1;
    dots.columns = g->n;
    dots.depth = g->k;
    dots.add = g->accumulate;
    nn__gemm_row_dot(set, g)(&dots);
    if (bias || clamp) set->finish(dots.y, 0, 1, g->n, NULL, bias, clamp);
    if (activate && !clamp) activate(dots.y, g->n);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static int nn__gemm_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    if (phase > 1 || (phase == 1 && g->k < NN__GEMM_SPLIT * 2)) return 0;
    if (nn__gemm_is_small(cpu, g)) return 1 - phase;
    const nn__gemm_cut cut = nn__gemm_make_cut(cpu, g);
    if (phase == 1)
        return cut.k_units > 1
                   ? cut.products * nn__mini(NN__GEMM_UNITS, nn__ceil_div(g->m, 4))
                   : 0;
    return (int)nn__min64(INT32_MAX, (int64_t)nn__ceil_div(cut.products, cut.group) * cut.m_units *
                                         cut.n_units * cut.k_units);
}

/* Adds the pieces of k, in ascending order. */
static void nn__gemm_add_pieces(const nn__gemm_cut *cut, const nn__cpu *cpu, const nn_gemm_args *g,
                                int unit, const float *shared) {
    const int units = nn__mini(NN__GEMM_UNITS, nn__ceil_div(g->m, 4));
    const int from = (int)((int64_t)g->m * unit / units),
              to = (int)((int64_t)g->m * (unit + 1) / units);
    const size_t piece = (size_t)g->m * (size_t)g->n;
    float ones[NN__GEMM_PIECES];
    nn__product x;
    nn__gemm_product(&x, cpu, g, from, 0);
    for (int e = 0; e < cut->k_units; e++) ones[e] = 1.0f;
    for (int i = from; i < to; i++)
        nn__row_add(cpu, x.y + (ptrdiff_t)(i - from) * g->n, ones,
                    shared + (size_t)i * (size_t)g->n, (ptrdiff_t)piece, cut->k_units, g->n, x.add);
    if (to > from) nn__gemm_finish(cut->set, &x, x.y, 0, to - from, 0, g->n);
}

/* Runs one unit of one product. pieces: the sums of its pieces of k. */
NN_PRIVATE void nn__gemm_run_unit(const nn__gemm_cut *cut, const nn__cpu *cpu,
                                  const nn_gemm_args *g, int unit, float *pieces, void *own) {
    const int piece = unit % cut->k_units, j_unit = unit / cut->k_units % cut->n_units;
    nn__gemm_part part;
    nn__product x;
    part.i = unit / cut->k_units / cut->n_units * cut->m_size;
    part.j = j_unit * cut->n_size;
    part.rows = nn__mini(cut->m_size, g->m - part.i);
    part.columns = nn__mini(cut->n_size, g->n - part.j);
    part.p = piece * cut->k_size;
    part.end = nn__mini(g->k, part.p + cut->k_size);
    nn__gemm_product(&x, cpu, g, part.i, part.j);
    if (cut->k_units > 1) {
        x.y = pieces + ((size_t)piece * (size_t)g->m + (size_t)part.i) * (size_t)g->n +
              (size_t)part.j;
        x.add = false;
        x.last = false;
    }
    if (cut->dot)
        nn__gemm_run_dots(cut, g, &part, &x, (float *)own);
    else if (cut->row)
        nn__gemm_run_wide(cut, g, &part, &x);
    else if (cut->outer)
        nn__gemm_run_outer(cut, cpu, g, &part, &x);
    else
        nn__gemm_run_part(cut, g, &part, &x, own);
}

static void nn__gemm_unit(const nn__cpu *cpu, const void *args, int phase, int unit, void *shared,
                          void *own) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    if (nn__gemm_is_alone(cpu, g)) {
        nn__gemm_run_alone(cpu, g);
        return;
    }
    if (nn__gemm_is_thin(nn__gemm_set_of(cpu), g)) {
        nn__gemm_run_thin(nn__gemm_set_of(cpu), g);
        return;
    }
    const nn__gemm_cut cut = nn__gemm_make_cut(cpu, g);
    const int each = phase == 1 ? nn__mini(NN__GEMM_UNITS, nn__ceil_div(g->m, 4))
                                : cut.m_units * cut.n_units * cut.k_units;
    const int from = cut.products == 1 ? 0 : unit / each * cut.group,
              to = nn__mini(cut.products, from + cut.group);
    nn_gemm_args one;
    if (cut.products > 1) {
        one = *g;
        unit %= each;
    }
    for (int product = from; product < to; product++) {
        float *pieces = (float *)shared;
        if (cut.products > 1) nn__gemm_select(&one, g, product);
        if (cut.k_units > 1)
            pieces += (size_t)product * (size_t)cut.k_units * (size_t)g->m * (size_t)g->n;
        if (phase == 1)
            nn__gemm_add_pieces(&cut, cpu, cut.products > 1 ? &one : g, unit, pieces);
        else
            nn__gemm_run_unit(&cut, cpu, cut.products > 1 ? &one : g, unit, pieces, own);
    }
}

static size_t nn__gemm_shared_bytes(const nn__cpu *cpu, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    if (g->k < NN__GEMM_SPLIT * 2) return 0;
    const nn__gemm_cut cut = nn__gemm_make_cut(cpu, g);
    if (cut.k_units == 1) return 0;
    return (size_t)cut.products * (size_t)cut.k_units * (size_t)g->m * (size_t)g->n * sizeof(float);
}

static size_t nn__gemm_own_bytes(const nn__cpu *cpu, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    if (nn__gemm_by_dots(g)) {
        const size_t rows = (4 + NN__GEMM_FEW) * (NN__GEMM_DOTS + 16);
        const bool halves = g->a.dtype != NN_F32 || g->b.dtype != NN_F32;
        const bool whole_a = g->a.dtype != NN_F32 && g->b.dtype != NN_F32;
        if (!halves) return 0;
        return (whole_a && (size_t)g->k > rows ? (size_t)g->k : rows) * sizeof(float);
    }
    if (nn__gemm_is_outer(g) || nn__gemm_by_row(g)) return 0;
    const nn__gemm_cut cut = nn__gemm_make_cut(cpu, g);
    size_t floats = nn__align_up((size_t)cut.depth, 16);
    if (cut.copy_a)
        floats += (size_t)cut.a_row * (size_t)(g->transpose_a ? cut.depth : cut.m_block);
    if (cut.copy_b) floats += (size_t)cut.b_row * (size_t)cut.depth;
    if (cut.half_b && g->transpose_b) floats += NN__GEMM_STRIP * (size_t)nn__spread(cut.depth);
    return floats * sizeof(float);
}

static const nn__cpu_kernel nn__gemm_kernel = {nn__gemm_units, nn__gemm_unit, nn__gemm_shared_bytes,
                                               nn__gemm_own_bytes, nn__gemm_refuses};

NN_PRIVATE void nn__install_matmul(nn_context *nn) {
    NN__CPU_INSTALL(nn, GEMM, gemm, &nn__gemm_kernel);
    nn__install_chains(nn);
}

NN_PRIVATE void nn__install_matmul_general(nn_context *nn) { nn__install_matmul(nn); }

NN_PRIVATE void nn__install_matmul_bytes(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    nn__install_matmul(nn);
    if (cpu) cpu->bytes = nn__gemm_bytes_of(cpu);
}
#endif
