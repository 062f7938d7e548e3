/* kernels/matmul/cpu_chain.c - runs the steps of a small net as one on the CPU: forward, loss,
   backward and update in turn on the calling thread. All that depends on shapes alone is prepared
   beforehand. The matrices of its products stay in the first caches; other kernels may come between
   them if a single thread would run them anyway. The bytes are those of separate steps. */
#include "kernels/matmul/cpu.h"

#if !defined(NN_NO_SIMD) && !defined(NN_NO_SPEEDUPS)

#define NN__CHAIN_PHASES  4         /* most phases of a kernel */
#define NN__CHAIN_NUMBERS (1 << 15) /* of a matrix */

typedef enum nn__cpu_link_kind {
    NN__CPU_LINK_CALL,
    NN__CPU_LINK_UNIT,  /* a product as its kernel does it, which is cut already */
    NN__CPU_LINK_ALONE, /* one row */
    NN__CPU_LINK_THIN   /* few columns of a gradient */
} nn__cpu_link_kind;

typedef struct nn__cpu_link {
    const nn__cpu_kernel *functions;
    nn__cpu_link_kind kind;
    int phases;
    size_t shared_bytes;
    bool owns;
    nn__gemm_cut cut;
} nn__cpu_link;

typedef struct nn__cpu_chain {
    int count;
    nn__cpu_link link[1]; /* as many as count says */
} nn__cpu_chain;

static size_t nn__cpu_chain_bytes(int count) {
    return sizeof(nn__cpu_chain) + sizeof(nn__cpu_link) * (size_t)count;
}

/* ---- choice and preparation of calls --------------------------------------------------------- */

static bool nn__cpu_chain_product(const nn__cpu *cpu, const nn_gemm_args *g, nn__cpu_link *link) {
    if (!nn__gemm_is_small(cpu, g) || (int64_t)g->m * g->k > NN__CHAIN_NUMBERS ||
        (int64_t)g->k * g->n > NN__CHAIN_NUMBERS || (int64_t)g->m * g->n > NN__CHAIN_NUMBERS)
        return false;
    link->cut = nn__gemm_make_cut(cpu, g);
    link->kind = nn__gemm_is_alone(cpu, g)                       ? NN__CPU_LINK_ALONE
                 : nn__gemm_is_thin(nn__gemm_set_of(cpu), g)     ? NN__CPU_LINK_THIN
                                                                 : NN__CPU_LINK_UNIT;
    return true;
}

/* True if one thread would run the whole call. Also returns what the call needs. */
static bool nn__cpu_chain_look(const nn__cpu *cpu, const nn_call *call, nn__cpu_link *link) {
    const nn__cpu_kernel *functions = cpu->kernels[call->kernel];
    memset(link, 0, sizeof *link);
    if (!functions || call->kernel == NN_KERNEL_CUSTOM) return false;
    /* it caches packed weights only as a separate step */
    if (call->kernel == NN_KERNEL_RECURRENT_WHOLE) return false;
    link->functions = functions;
    for (;; link->phases++) {
        const int units = functions->units(cpu, call->args, link->phases);
        if (units == 0) break;
        if (units != 1 || link->phases == NN__CHAIN_PHASES) return false;
    }
    if (functions->shared_bytes)
        link->shared_bytes = nn__align_up(functions->shared_bytes(cpu, call->args), NN__ALIGNMENT);
    link->owns = functions->own_bytes &&
                 (!link->shared_bytes || functions->own_bytes(cpu, call->args) > 0);
    return call->kernel != NN_KERNEL_GEMM ||
           nn__cpu_chain_product(cpu, (const nn_gemm_args *)call->args, link);
}

static int32_t nn__cpu_chain_make(void *state, const nn_call *calls, int32_t count, void **made,
                                  uint64_t *scratch_bytes, char *why, size_t why_bytes) {
    const nn__cpu *cpu = (const nn__cpu *)state;
    nn__cpu_link link;
    int32_t taken = 0;
    bool products = false;
    (void)why, (void)why_bytes;
    for (; taken < count && nn__cpu_chain_look(cpu, &calls[taken], &link); taken++)
        products = products || calls[taken].kernel == NN_KERNEL_GEMM;
    *made = NULL;
    *scratch_bytes = 0; /* beyond that of the calls */
    if (taken < 2 || !products) return 0;
    nn__cpu_chain *chain =
        (nn__cpu_chain *)nn__allocate(&cpu->nn->memory, nn__cpu_chain_bytes(taken));
    if (!chain) return -1;
    chain->count = taken;
    *made = chain;
    return taken;
}

static void nn__cpu_chain_free(void *state, void *made) {
    nn__release(&((const nn__cpu *)state)->nn->memory, made,
                nn__cpu_chain_bytes(((const nn__cpu_chain *)made)->count));
}

static nn_result nn__cpu_chain_prepare(void *state, void *made, const nn_call *calls,
                                       const nn_view *scratch) {
    const nn__cpu *cpu = (const nn__cpu *)state;
    nn__cpu_chain *chain = (nn__cpu_chain *)made;
    (void)scratch;
    for (int i = 0; i < chain->count; i++)
        if (!nn__cpu_chain_look(cpu, &calls[i], &chain->link[i])) return NN_ERROR_UNSUPPORTED;
    return NN_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

static nn_result nn__cpu_chain_run(void *state, void *made, const nn_call *calls,
                                   const nn_view *scratch) {
    const nn__cpu *cpu = (const nn__cpu *)state;
    const nn__cpu_chain *chain = (const nn__cpu_chain *)made;
    char *memory = scratch->handle ? (char *)scratch->handle + scratch->offset : NULL;
    for (int i = 0; i < chain->count; i++) {
        const nn__cpu_link *link = &chain->link[i];
        const nn_gemm_args *g = (const nn_gemm_args *)calls[i].args;
        void *own = link->owns && memory ? memory + link->shared_bytes : NULL;
        switch (link->kind) {
        case NN__CPU_LINK_CALL:
            for (int phase = 0; phase < link->phases; phase++)
                link->functions->unit(cpu, calls[i].args, phase, 0,
                                      link->shared_bytes ? memory : NULL, own);
            break;
        case NN__CPU_LINK_UNIT: nn__gemm_run_unit(&link->cut, cpu, g, 0, NULL, own); break;
        case NN__CPU_LINK_ALONE: nn__gemm_run_alone(cpu, g); break;
        case NN__CPU_LINK_THIN: nn__gemm_run_thin(nn__gemm_set_of(cpu), g); break;
        }
    }
    return NN_OK;
}

NN_PRIVATE void nn__install_chains(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (!cpu) return;
    cpu->backend.chain_make = nn__cpu_chain_make;
    cpu->backend.chain_prepare = nn__cpu_chain_prepare;
    cpu->backend.chain_run = nn__cpu_chain_run;
    cpu->backend.chain_free = nn__cpu_chain_free;
}

#undef NN__CHAIN_PHASES
#undef NN__CHAIN_NUMBERS
#endif

typedef int nn__matmul_chain_part; /* a part must not be empty under NN_NO_SIMD */
