/* kernels/matmul/cpu_cut.c - how a product is cut into units, and which operands are copied. */
#include "kernels/matmul/cpu.h"

#ifndef NN_NO_SIMD

/* True if rows are so far apart that they fall into the same few sets of a cache. */
static bool nn__gemm_far(int row, int period) { return row >= 256 && row % period == 0; }

static int nn__gemm_halve(int size, int least, int round) {
    return nn__maxi(least, nn__ceil_div(nn__ceil_div(size, 2), round) * round);
}

static void nn__gemm_split(nn__gemm_cut *cut, const nn_gemm_args *g, int wanted, int64_t pieces) {
    if (g->steady || g->k < NN__GEMM_SPLIT * 2) return;
    const int64_t most = nn__min64(pieces, wanted / ((int64_t)cut->m_units * cut->n_units));
    const int splits = nn__mini((int)most, g->k / NN__GEMM_SPLIT);
    if (splits < 2) return;
    cut->k_size = nn__ceil_div(nn__ceil_div(g->k, splits), 16) * 16;
    cut->k_units = nn__ceil_div(g->k, cut->k_size);
}

/* True if there are few sums and each has many products, as in the gradient of a large vocabulary's
   input. Any cut but one along k would copy b or read a once more. */
static bool nn__gemm_is_deep(const nn_gemm_args *g) {
    return g->m > NN__GEMM_FEW && g->k / 8 >= g->m && g->k / 8 >= g->n;
}

/* Returns the largest number of rows of a unit. Units of a shallow product may have more rows, so
   that fewer units transpose b. */
static int nn__gemm_high(const nn_gemm_args *g, int usual) {
    if (g->transpose_a) return nn__maxi(usual, 128);
    if (g->transpose_b && g->k > 0) return nn__maxi(usual, nn__mini(256, 32768 / g->k));
    return usual;
}

NN_PRIVATE bool nn__gemm_by_dots(const nn_gemm_args *g) {
    return !g->steady && !g->transpose_a && g->transpose_b &&
           (g->m <= NN__GEMM_FEW || g->n <= NN__GEMM_FEW) && g->k > 0 && !nn__gemm_is_outer(g);
}

NN_PRIVATE bool nn__gemm_by_row(const nn_gemm_args *g) {
    return g->m == 1 && !g->steady && !g->transpose_b && g->n >= 64 && g->k >= 64;
}

NN_PRIVATE bool nn__gemm_is_outer(const nn_gemm_args *g) {
    return g->k == 1 && !g->steady && g->m > 1 && g->n >= 16 && g->a.dtype == NN_F32 &&
           g->b.dtype == NN_F32;
}

/* Halves the units until there are about as many as wanted. tiles: the smallest width of
   a unit, in tiles. */
static void nn__gemm_cut_sides(nn__gemm_cut *cut, const nn_gemm_args *g, int wanted, int tiles,
                               int *m_size, int *n_size) {
    const int m_least = cut->dot ? 4 : cut->set->rows * 2,
              n_least = cut->row || cut->outer ? NN__GEMM_WIDE / 8
                        : cut->dot ? 16
                                   : cut->set->columns * tiles;
    /* Cutting m copies b once more, cutting n copies a once more; the copy of a transposed b is the
       slowest. */
    const int weight = g->transpose_b && !cut->dot ? 4 : 1;
    while ((int64_t)cut->m_units * cut->n_units * cut->k_units * 4 < wanted * 3 &&
           (*m_size > m_least || *n_size > n_least)) {
        if (*n_size > n_least && (*m_size <= m_least || *n_size * weight > *m_size))
            *n_size = nn__gemm_halve(*n_size, n_least, cut->dot ? 4 : cut->set->columns);
        else
            *m_size = nn__gemm_halve(*m_size, m_least, cut->dot ? 4 : 1);
        cut->m_units = nn__ceil_div(g->m, *m_size);
        cut->n_units = nn__ceil_div(g->n, *n_size);
    }
}

/* Cuts the sides again, into no more units than are wanted, because a unit copies its b once for
   all rows. If b is transposed, a unit may be one tile wide: that costs less than transposing b
   twice. */
static void nn__gemm_cut_anew(nn__gemm_cut *cut, const nn_gemm_args *g, int wanted, int *m_size,
                              int *n_size) {
    *m_size = g->m;
    *n_size = nn__ceil_div(g->n, nn__ceil_div(g->n, NN__GEMM_BROAD));
    *n_size = nn__ceil_div(*n_size, cut->set->columns) * cut->set->columns;
    if (g->transpose_a && *m_size < g->m) *m_size = nn__ceil_div(*m_size, 16) * 16;
    cut->m_units = nn__ceil_div(g->m, *m_size);
    cut->n_units = nn__ceil_div(g->n, *n_size);
    nn__gemm_cut_sides(cut, g, wanted, g->transpose_b ? 1 : 2, m_size, n_size);
}

/* True if the steps of a tile read a from the same few sets of a cache, or each from a page of its
   own. */
static bool nn__gemm_scatters_a(const nn_gemm_args *g) {
    if (!g->transpose_a) return nn__gemm_far(g->k, 1024);
    return nn__gemm_far(g->m, 128) || g->m >= NN__GEMM_PAGES;
}

/* Chooses the depth of a tile, and the operands that are copied because their layout is slow to
   read. */
static void nn__gemm_cut_copies(nn__gemm_cut *cut, const nn_gemm_args *g) {
    const nn__gemm_set *set = cut->set;
    const int m_unit = nn__mini(cut->m_size, g->m), n_unit = nn__mini(cut->n_size, g->n);
    cut->m_block = m_unit;
    if (m_unit > NN__GEMM_HIGH) /* the rows of a transposed a are copied in whole cache lines */
        cut->m_block =
            nn__ceil_div(nn__ceil_div(m_unit, nn__ceil_div(m_unit, NN__GEMM_HIGH)), 16) * 16;
    cut->depth = cut->k_size;
    if (cut->depth > NN__DEPTH + 64)
        cut->depth =
            nn__ceil_div(nn__ceil_div(cut->k_size, nn__ceil_div(cut->k_size, NN__DEPTH + 64)),
                         16) * 16;
    /* if few rows read b, and it is too large for the cache, it is read along its rows */
    const bool thin = !g->steady && !g->transpose_b && !cut->half_b && m_unit <= set->rows * 4 &&
                      (int64_t)g->n * g->k >= NN__GEMM_FAR;
    if (thin) cut->depth = nn__mini(cut->depth, NN__GEMM_SHORT);
    cut->copy_a = cut->half_a || (nn__gemm_scatters_a(g) && n_unit > set->columns);
    cut->copy_b =
        g->transpose_b || cut->half_b || (int64_t)cut->depth * g->n > INT32_MAX / 2 ||
        (!thin && m_unit > set->rows &&
         (nn__gemm_far(g->n, 256) || (int64_t)g->n * g->k > (1 << 20))) ||
        (m_unit > set->rows * 8 && cut->depth >= 64 && g->n >= 64 &&
         (g->n % 64 == 0 || (int64_t)g->n * cut->depth > 8192));
    cut->a_row = nn__spread(g->transpose_a ? cut->m_block : cut->depth);
    cut->b_row =
        cut->half_b ? nn__spread(n_unit) : nn__ceil_div(n_unit, set->columns) * set->columns;
}

/* Returns the work of a product in units. If few multiplications share a number of the larger
   operand, the time is that of reading the operand from memory. */
static double nn__gemm_work(const nn_gemm_args *g) {
    const int sharing = nn__maxi(1, nn__mini(g->m, g->n));
    const double slow = sharing < NN__GEMM_SHARING ? (double)NN__GEMM_SHARING / sharing : 1.0;
    return slow * g->m * g->n * g->k / (double)NN__GEMM_UNIT_WORK;
}

NN_PRIVATE bool nn__gemm_is_small(const nn__cpu *cpu, const nn_gemm_args *g) {
    return g->n <= 256 && g->m <= nn__gemm_set_of(cpu)->rows * 16 && nn__gemm_products(g) == 1 &&
           nn__gemm_work(g) < 2;
}

NN_PRIVATE nn__gemm_cut nn__gemm_make_cut(const nn__cpu *cpu, const nn_gemm_args *g) {
    nn__gemm_cut cut;
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    memset(&cut, 0, sizeof cut);
    cut.set = set;
    cut.bytes = cpu->bytes;
    cut.k_size = g->k;
    cut.k_units = 1;
    cut.half_a = g->a.dtype != NN_F32;
    cut.half_b = g->b.dtype != NN_F32;
    cut.products = (int)nn__gemm_products(g);
    cut.group = 1;
    cut.dot = nn__gemm_by_dots(g);
    cut.row = nn__gemm_by_row(g);
    cut.outer = nn__gemm_is_outer(g);
    if (nn__gemm_is_small(cpu, g)) {
        cut.m_size = g->m;
        cut.n_size = nn__ceil_div(g->n, set->columns) * set->columns;
        cut.m_units = cut.n_units = 1;
        if (!cut.dot && !cut.row && !cut.outer) nn__gemm_cut_copies(&cut, g);
        return cut;
    }
    const double work = nn__gemm_work(g);
    /* the products of a batch share the workers */
    const int most =
        cut.products == 1 ? NN__GEMM_UNITS : nn__ceil_div(NN__GEMM_UNITS, cut.products);
    const int wanted = work < 2 ? 1 : work < most ? (int)work : most;
    const int wide = cut.row || cut.outer ? NN__GEMM_WIDE : 256;
    /* divided before it is rounded up, because n may be INT32_MAX */
    int m_size = g->m, n_size = nn__ceil_div(g->n, nn__ceil_div(g->n, wide));
    n_size = nn__ceil_div(n_size, set->columns) * set->columns;
    const int high = nn__gemm_high(g, set->rows * 16);
    if (m_size > high) m_size = nn__ceil_div(g->m, nn__ceil_div(g->m, high));
    /* the rows of a transposed a are copied in whole cache lines */
    if (g->transpose_a && m_size < g->m) m_size = nn__ceil_div(m_size, 16) * 16;
    if (m_size == g->m && n_size >= g->n) { /* one unit: most products of a small net */
        cut.m_units = cut.n_units = 1;
    } else {
        cut.m_units = nn__ceil_div(g->m, m_size);
        cut.n_units = nn__ceil_div(g->n, n_size);
    }
    /* Dot products are best cut along k. So are few sums of many products, as in the gradient of a
       weight: any other cut copies a or b once more. */
    if (cut.row || (cut.dot && g->m > 1))
        nn__gemm_split(&cut, g, wanted, NN__GEMM_PIECES);
    else if (g->transpose_a || nn__gemm_is_deep(g))
        nn__gemm_split(&cut, g, wanted,
                       nn__min64(NN__GEMM_PIECES, NN__GEMM_SUMS / ((int64_t)g->m * g->n + 1)));
    nn__gemm_cut_sides(&cut, g, wanted, 2, &m_size, &n_size);
    if (cut.k_units == 1) nn__gemm_split(&cut, g, wanted, NN__GEMM_PIECES);
    /* The division of k determines the rounding of the sums, so it depends on shapes alone. The
       sides are divided again, into no more units than keep these workers busy, because each
       division copies an operand once more. A unit still takes less than a millisecond, so that a
       run in slices ends in time. */
    const int busy =
                  nn__ceil_div(cpu->workers == 1 ? 1 : NN__GEMM_UNITS_EACH * cpu->workers,
                               cut.products),
              brief = (int)(work / (double)NN__GEMM_UNIT_MOST);
    if (!cut.dot && !cut.row && !cut.outer && (busy < wanted || busy < brief))
        nn__gemm_cut_anew(&cut, g, nn__maxi(busy, brief), &m_size, &n_size);
    cut.m_size = m_size;
    cut.n_size = n_size;
    if (cut.products > 1 && cut.m_units == 1 && cut.n_units == 1 && work < 0.25) {
        const double count = 0.25 / (work + 1.0 / (double)NN__GEMM_UNIT_WORK);
        cut.group = nn__mini((int)count, cut.products);
    }
    if (!cut.dot && !cut.row && !cut.outer) nn__gemm_cut_copies(&cut, g);
    return cut;
}

#endif
