/* kernels/matmul/cpu_chain.c - the steps of a small net as one on the CPU: forward, loss, backward
   and update one after the other on the calling thread, with everything known beforehand that
   depends on shapes alone. Its products are those of matrices that stay in the first caches; any
   other kernel may stand between them as long as one thread would do it all anyway. The bytes are
   those of the steps apart. */
#include "kernels/matmul/cpu.h"

#if !defined(NN_NO_SIMD) && !defined(NN_NO_REPORTS)

#define NN__CHAIN_PHASES  4         /* of a kernel, at most */
#define NN__CHAIN_NUMBERS (1 << 15) /* of a matrix */
#define NN__CHAIN_DEEP    256       /* steps of a sum that tiles make in one visit */

typedef enum nn__cpu_link_kind {
    NN__CPU_LINK_CALL,
    NN__CPU_LINK_UNIT,  /* a product as its kernel does it, which is cut already */
    NN__CPU_LINK_ALONE, /* one row */
    NN__CPU_LINK_THIN,  /* few columns of a gradient */
    NN__CPU_LINK_NEAR,  /* in one go */
    NN__CPU_LINK_GATED, /* the same, with relu's gradient, which is the next call */
    NN__CPU_LINK_DONE   /* by the one before */
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

/* ---- which calls, and how -------------------------------------------------------------------- */

static bool nn__cpu_chain_is_near(const nn__cpu *cpu, const nn_gemm_args *g,
                                  const nn__gemm_cut *cut) {
#ifdef NN__HAVE_X86
    return cpu->instructions == NN_INSTRUCTIONS_AVX512 && !cut->dot && !cut->row && !cut->outer &&
           !cut->half_a && !cut->half_b && g->k > 0 && g->k <= NN__CHAIN_DEEP &&
           (g->epilogue.activation == NN_ACTIVATION_NONE ||
            g->epilogue.activation == NN_ACTIVATION_RELU);
#else
    (void)cpu, (void)g, (void)cut;
    return false;
#endif
}

static bool nn__cpu_chain_product(const nn__cpu *cpu, const nn_gemm_args *g, nn__cpu_link *link) {
    if (!nn__gemm_is_small(cpu, g) || (int64_t)g->m * g->k > NN__CHAIN_NUMBERS ||
        (int64_t)g->k * g->n > NN__CHAIN_NUMBERS || (int64_t)g->m * g->n > NN__CHAIN_NUMBERS)
        return false;
    link->cut = nn__gemm_make_cut(cpu, g);
    link->kind = nn__gemm_is_alone(cpu, g)                       ? NN__CPU_LINK_ALONE
                 : nn__gemm_is_thin(nn__gemm_set_of(cpu), g)     ? NN__CPU_LINK_THIN
                 : nn__cpu_chain_is_near(cpu, g, &link->cut)     ? NN__CPU_LINK_NEAR
                                                                 : NN__CPU_LINK_UNIT;
    return true;
}

/* Would one thread do all of it, and what does it need? */
static bool nn__cpu_chain_look(const nn__cpu *cpu, const nn_call *call, nn__cpu_link *link) {
    const nn__cpu_kernel *functions = cpu->kernels[call->kernel];
    memset(link, 0, sizeof *link);
    if (!functions || call->kernel == NN_KERNEL_CUSTOM) return false;
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

static bool nn__cpu_chain_apart(const nn_view *a, const nn_view *b) {
    const float *x = nn__f32(a), *y = nn__f32(b);
    return x + nn__count(a) <= y || y + nn__count(b) <= x;
}

/* Is the call relu's gradient of what the product makes: 0 where relu's result is at or below 0?
   It may stand in place of one of the two, but not of what the product still reads. */
static bool nn__cpu_chain_is_gate(const nn_gemm_args *g, const nn_call *call) {
    static const nn_instruction code[5] = {{NN_CODE_INPUT, 0, 0, 0, 0},
                                           {NN_CODE_CONSTANT, 0, 0, 0, 0},
                                           {NN_CODE_LESS_EQUAL, 0, 1, 0, 0},
                                           {NN_CODE_INPUT, 1, 0, 0, 0},
                                           {NN_CODE_SELECT, 2, 1, 3, 0}};
    const nn_program_args *p = (const nn_program_args *)call->args;
    const int64_t count = (int64_t)g->m * g->n;
    if (call->kernel != NN_KERNEL_POINTWISE || p->item_count || p->accumulate ||
        nn__present(&p->status) || p->program.count != 5 || p->program.input_count != 2 ||
        p->program.output_count != 1 || p->program.output[0] != 4)
        return false;
    for (int i = 0; i < 5; i++) {
        const nn_instruction *at = &p->program.code[i];
        if (at->code != code[i].code || at->a != code[i].a || at->b != code[i].b ||
            at->c != code[i].c || at->value != 0.0f)
            return false;
    }
    const nn_view *gate = &p->inputs[0], *gated = &p->outputs[0];
    return nn__f32(&p->inputs[1]) == nn__f32(&g->y) && gate->dtype == NN_F32 &&
           gated->dtype == NN_F32 && nn__count(gate) == count &&
           nn__count(&p->inputs[1]) == count && nn__count(gated) == count &&
           nn__cpu_chain_apart(gate, &g->y) && nn__cpu_chain_apart(gated, &g->a) &&
           nn__cpu_chain_apart(gated, &g->b) &&
           (nn__f32(gated) == nn__f32(gate) || nn__cpu_chain_apart(gated, gate)) &&
           (nn__f32(gated) == nn__f32(&g->y) || nn__cpu_chain_apart(gated, &g->y));
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
    for (int i = 0; i + 1 < chain->count; i++)
        if (chain->link[i].kind == NN__CPU_LINK_NEAR &&
            nn__cpu_chain_is_gate((const nn_gemm_args *)calls[i].args, &calls[i + 1])) {
            chain->link[i].kind = NN__CPU_LINK_GATED;
            chain->link[i + 1].kind = NN__CPU_LINK_DONE;
        }
    return NN_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

#ifdef NN__HAVE_X86
/* gate: the call behind it, or NULL. */
static void nn__cpu_chain_run_near(const nn__cpu *cpu, const nn_gemm_args *g,
                                   const nn_program_args *gate, float *scratch) {
    nn__near_product x;
    x.a = nn__f32(&g->a);
    x.a_row = g->transpose_a ? 1 : g->k;
    x.a_step = g->transpose_a ? g->m : 1;
    x.b = nn__f32(&g->b);
    x.b_row = g->n;
    x.y = nn__f32(&g->y);
    x.bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) : NULL;
    x.gate = gate ? nn__f32(&gate->inputs[0]) : NULL;
    x.gated = gate ? nn__f32(&gate->outputs[0]) : NULL;
    x.rows = g->m;
    x.columns = g->n;
    x.depth = g->k;
    x.add = g->accumulate;
    x.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    if (g->transpose_b) {
        nn__gemm_set_of(cpu)->transpose(scratch, g->n, x.b, g->k, g->n, g->k);
        x.b = scratch;
    }
    nn__avx512_block(&x);
}
#else
#define nn__cpu_chain_run_near(cpu, g, gate, scratch) ((void)(scratch))
#endif

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
        case NN__CPU_LINK_NEAR: nn__cpu_chain_run_near(cpu, g, NULL, (float *)own); break;
        case NN__CPU_LINK_GATED:
            nn__cpu_chain_run_near(cpu, g, (const nn_program_args *)calls[i + 1].args,
                                   (float *)own);
            break;
        case NN__CPU_LINK_DONE: break;
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
#undef NN__CHAIN_DEEP
#endif

typedef int nn__matmul_chain_part; /* a part must not be empty under NN_NO_SIMD */
