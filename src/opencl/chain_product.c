/* opencl/chain_product.c - products as calls of a chain: a layer, or a gradient of its weight or
   input. chain_tiles.c writes the text for GPUs. */
#include "kernels/matmul/opencl.h"
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)

static void nn__opencl_product_list(const void *args, nn__opencl_chain_views *views) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    nn__opencl_chain_add(views, &g->a, false);
    nn__opencl_chain_add(views, &g->b, false);
    nn__opencl_chain_add(views, &g->epilogue.bias, false);
    nn__opencl_chain_add(views, &g->y, true);
}

/* Records whether an operand with rows of whole float4 is aligned to them. For other operands the
   text must not depend on the alignment. */
static void nn__opencl_product_align(nn__opencl_chain *chain, const nn_view *view, int32_t width) {
    const int i = nn__opencl_chain_find(chain, view);
    if (width % 4 == 0) chain->storages[i].aligned = view->offset % 16 == 0;
}

static nn__opencl_link nn__opencl_product_judge(nn__opencl_chain *chain, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    int64_t products = 1;
    for (int i = 0; i < NN_GEMM_BATCH; i++) products *= g->batch[i] ? g->batch[i] : 1;
    const bool sums = g->transpose_a;
    const nn_view *const bias = &g->epilogue.bias;
    if (products != 1 || g->accumulate || nn__opencl_gemm_residual(g) ||
        (sums && g->transpose_b) ||
        (sums && (nn__opencl_present(bias) || g->epilogue.activation)) || g->a.dtype != NN_F32 ||
        g->b.dtype != NN_F32) {
        chain->why = "its form of product is not supported in a joined kernel";
        return NN__LINK_NONE;
    }
    chain->why = "its layer is wider than 128";
    if (g->n > NN__CHAIN_WIDTH || (sums ? g->m : g->k) > NN__CHAIN_WIDTH || g->k < 1)
        return NN__LINK_NONE;
    chain->why = "it has another number of rows, or too many";
    if (!nn__opencl_chain_height(chain, sums ? g->k : g->m) ||
        !nn__opencl_chain_rows(chain, &g->a) || !nn__opencl_chain_whole(chain, bias))
        return NN__LINK_NONE;
    if (!(sums ? nn__opencl_chain_rows(chain, &g->b) : nn__opencl_chain_whole(chain, &g->b)))
        return NN__LINK_NONE;
    nn__opencl_product_align(chain, &g->a, sums ? g->m : g->k);
    nn__opencl_product_align(chain, &g->b, g->transpose_b ? g->k : g->n);
    nn__opencl_product_align(chain, &g->y, g->n);
    chain->work += 2.0 * (double)g->m * (double)g->n * (double)g->k;
    nn__opencl_chain_makes(chain, &g->y, sums ? NN__LINK_SUMS : NN__LINK_ROWS,
                           sums ? (int64_t)g->m * g->n : 0);
    return sums ? NN__LINK_SUMS : NN__LINK_ROWS;
}

static uint64_t nn__opencl_product_key(const nn__opencl_chain *chain, const void *args,
                                       uint64_t key) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    uint32_t words[4];
    (void)chain;
    words[0] = g->transpose_a ? (uint32_t)g->m : (uint32_t)g->k;
    words[1] = (uint32_t)g->n;
    words[2] = (g->transpose_a ? 1u : 0) + (g->transpose_b ? 2u : 0);
    words[3] = (uint32_t)g->epilogue.activation +
               (nn__opencl_present(&g->epilogue.bias) ? 1u << 16 : 0);
    return nn__opencl_hash(key, words, sizeof words);
}

static void nn__opencl_product_give(nn__opencl_launch *launch, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    nn__opencl_uint(launch, (uint32_t)(g->transpose_a ? g->k : g->m));
}

static void nn__opencl_product_put(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    nn__opencl_chain_put_product(w, i, g);
}

/* Adds the partial sums of all groups. */
static void nn__opencl_product_finish(nn__opencl_chain_writer *w, int i, const void *args) {
    if (w->chain->link[i] == NN__LINK_SUMS)
        nn__opencl_chain_put_left(w, &((const nn_gemm_args *)args)->y, "1.0f");
}

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_product(void) {
    static const nn__opencl_chain_kind product = {
        nn__opencl_product_list, nn__opencl_product_judge,    nn__opencl_product_key,
        nn__opencl_product_give, nn__opencl_kind_rows_numbers, nn__opencl_product_put,
        nn__opencl_product_finish, NULL, NULL};
    return &product;
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
