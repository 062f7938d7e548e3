/* kernels/shard_sum/cpu_product.c - the gradient of a weight from all shards at once on the CPU. A
   unit computes a block of y: the products of the shards, one after the other, are added to the
   pending sums while these are in a near cache. So each number of a and b is read once per row or
   column of blocks, and each number of y is written once, however many shards there are. */
#include "cpu/gemm.h"
#include "kernels/shard_sum/cpu.h"

#ifndef NN_NO_TRAINING

#define NN__SHARD_PRODUCT_COLUMNS 256 /* columns per block */
#define NN__SHARD_PRODUCT_LEVELS  11  /* most pending sums, plus one in progress */

/* How y is cut into blocks. */
typedef struct nn__shard_blocks {
    int rows, columns; /* of a block */
    int high, wide;    /* blocks of a column, of a row */
    int depth;         /* rows of a shard between two visits of a block */
    int levels;        /* blocks of sums: the pending ones, and one in progress */
} nn__shard_blocks;

static nn__shard_blocks nn__shard_product_cut(const nn__cpu *cpu,
                                              const nn_shard_product_args *args) {
    nn__shard_blocks cut;
    cut.rows = nn__mini(nn__gemm_set_of(cpu)->rows * 2, nn__maxi(args->m, 1));
    cut.columns = NN__SHARD_PRODUCT_COLUMNS;
    cut.high = nn__ceil_div(args->m, cut.rows);
    cut.wide = nn__ceil_div(args->n, cut.columns);
    cut.depth = nn__mini(NN__DEPTH, nn__maxi(args->rows, 1));
    cut.levels = 1;
    while (args->shards >> cut.levels) cut.levels++;
    return cut;
}

static int nn__shard_product_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__shard_blocks cut =
        nn__shard_product_cut(cpu, (const nn_shard_product_args *)args);
    return phase ? 0 : nn__maxi(1, cut.high * cut.wide);
}

static size_t nn__shard_product_own(const nn__cpu *cpu, const void *args) {
    const nn__shard_blocks cut =
        nn__shard_product_cut(cpu, (const nn_shard_product_args *)args);
    return (nn__align_up((size_t)cut.depth, 16) +
            (size_t)cut.levels * (size_t)cut.rows * (size_t)cut.columns) * sizeof(float);
}

/* Computes to = a + b. Rows of a and b are rows of blocks; rows of `to` are to_row apart. */
static void nn__shard_product_add(const nn__cpu *cpu, const nn__shard_blocks *cut, int rows,
                                  int columns, float *to, ptrdiff_t to_row, const float *a,
                                  const float *b) {
    for (int r = 0; r < rows; r++, to += to_row, a += cut->columns, b += cut->columns)
        nn__shard_add_row(cpu, to, a, b, columns);
}

static int nn__shard_product_rows(const nn_shard_product_args *args, int shard) {
    if (nn__present(&args->counts)) {
        const float count = nn__f32(&args->counts)[(ptrdiff_t)shard * args->weight_step] *
                            (float)args->count_rows;
        return count >= (float)args->rows ? args->rows : count > 0.0f ? (int)count : 0;
    }
    const int64_t left = args->total - (int64_t)shard * args->rows;
    return (int)nn__max64(0, nn__min64(args->rows, left));
}

/* Computes the product of one shard for the block at (i, j). */
static void nn__shard_product_of(const nn__cpu *cpu, const nn__shard_blocks *cut,
                                 const nn_shard_product_args *args, int shard, nn__product *x,
                                 ptrdiff_t i, ptrdiff_t j) {
    const float *a = nn__f32(&args->a) + (ptrdiff_t)shard * args->a_step + i,
                *b = nn__f32(&args->b) + (ptrdiff_t)shard * args->b_step + j;
    const int rows = nn__shard_product_rows(args, shard);
    x->add = false;
    if (rows == 0) /* a sum of no products: 0, but still a leaf of the tree */
        for (int r = 0; r < x->rows; r++)
            memset(x->y + r * x->y_row, 0, (size_t)x->columns * sizeof(float));
    for (int p = 0; p < rows; p += cut->depth, x->add = true) {
        x->depth = nn__mini(cut->depth, rows - p);
        x->a = a + (ptrdiff_t)p * args->a_row;
        x->b = b + (ptrdiff_t)p * args->n;
        nn__multiply_tiles(nn__gemm_set_of(cpu), x);
    }
    for (int r = 0; r < x->rows && rows > 0 && nn__present(&args->weights); r++)
        nn__shard_weigh(cpu, x->y + r * x->y_row,
                        nn__f32(&args->weights)[(ptrdiff_t)shard * args->weight_step],
                        x->columns);
}

static void nn__shard_product_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_shard_product_args *args = (const nn_shard_product_args *)arguments;
    const nn__shard_blocks cut = nn__shard_product_cut(cpu, args);
    if (cut.high == 0 || cut.wide == 0) return;
    const int i = unit % cut.high * cut.rows, j = unit / cut.high * cut.columns;
    const size_t block = (size_t)cut.rows * (size_t)cut.columns;
    int32_t *offset = (int32_t *)own;
    float *room = (float *)own + nn__align_up((size_t)cut.depth, 16);
    float *sums[NN__SHARD_PRODUCT_LEVELS + 1];
    float *const y = nn__f32(&args->y) + (ptrdiff_t)i * args->n + j;
    nn__product x;
    (void)phase, (void)shared;
    memset(&x, 0, sizeof x);
    x.rows = nn__mini(cut.rows, args->m - i);
    x.columns = nn__mini(cut.columns, args->n - j);
    x.a_row = 1;
    x.a_step = args->a_row;
    x.b_offset = offset;
    for (int p = 0; p < cut.depth; p++) offset[p] = (int32_t)((ptrdiff_t)p * args->n);
    for (int k = 0; k < cut.levels; k++) sums[k] = room + (size_t)k * block;
    for (int s = 0; s < args->shards; s++) {
        const bool last = s + 1 == args->shards;
        float *sum = sums[cut.levels - 1]; /* the free one */
        x.y = last && s == 0 ? y : sum;
        x.y_row = x.y == y ? args->n : cut.columns;
        nn__shard_product_of(cpu, &cut, args, s, &x, i, j);
        int level = 0;
        for (; s >> level & 1; level++) {
            const bool whole = last && s >> level == 1;
            nn__shard_product_add(cpu, &cut, x.rows, x.columns, whole ? y : sum,
                                  whole ? args->n : cut.columns, sums[level], sum);
        }
        if (last) break;
        sums[cut.levels - 1] = sums[level]; /* the sum is pending until its other half is done */
        sums[level] = sum;
    }
}

#undef NN__SHARD_PRODUCT_COLUMNS
#undef NN__SHARD_PRODUCT_LEVELS

static const char *nn__shard_product_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_shard_product_args *args = (const nn_shard_product_args *)arguments;
    (void)cpu;
    return (int64_t)nn__mini(NN__DEPTH, args->rows) * args->n > INT32_MAX / 2
               ? NN__TEXT("the rows of a product over shards are too long for its tiles")
               : NULL;
}

static const nn__cpu_kernel nn__shard_product_kernel = {
    nn__shard_product_units, nn__shard_product_unit, NULL, nn__shard_product_own,
    nn__shard_product_refuses};

NN_PRIVATE void nn__install_shard_product(nn_context *nn) {
    NN__CPU_INSTALL(nn, SHARD_PRODUCT, shard_product, &nn__shard_product_kernel);
}
#endif

typedef int nn__shard_product_part; /* a file must not be empty under NN_NO_TRAINING */
