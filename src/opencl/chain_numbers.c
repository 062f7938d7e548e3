/* opencl/chain_numbers.c - what calls of a chain have besides their views: given to a launch, and
   in the text, in the same order. */
#include "opencl/chain.h"

static void nn__opencl_chain_scalars(nn__opencl_launch *launch, const nn_program_args *args) {
    bool draws = false;
    for (int i = 0; i < args->program.count; i++)
        draws = draws || args->program.code[i].code == NN_CODE_RANDOM;
    nn__opencl_uint(launch, (uint32_t)nn__opencl_count(&args->outputs[0]));
    for (int k = 0; k < args->program.scalar_count; k++)
        nn__opencl_float(launch, args->scalars[k]);
    if (!draws) return;
    nn__opencl_ulong(launch, args->seed);
    nn__opencl_ulong(launch, args->stream);
    nn__opencl_ulong(launch, args->counter);
}

NN__OPENCL_PRIVATE void nn__opencl_chain_numbers(nn__opencl_launch *launch, const nn_call *call) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    if (kind) {
        kind->give(launch, call->args);
        return;
    }
    switch ((int)call->kernel) {
    case NN_KERNEL_GEMM: {
        const nn_gemm_args *g = (const nn_gemm_args *)call->args;
        nn__opencl_uint(launch, (uint32_t)(g->transpose_a ? g->k : g->m));
        break;
    }
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD:
        nn__opencl_uint(launch,
                        (uint32_t)((const nn_softmax_args *)call->args)->x.shape.extent[0]);
        break;
    case NN_KERNEL_POINTWISE:
        nn__opencl_chain_scalars(launch, (const nn_program_args *)call->args);
        break;
    case NN_KERNEL_REDUCE: {
        const nn_reduce_args *r = (const nn_reduce_args *)call->args;
        const int64_t count = nn__opencl_count(&r->x), of = count / nn__opencl_count(&r->y);
        nn__opencl_uint(launch, (uint32_t)(nn__opencl_count(&r->y) == 1 && r->axes != 1
                                               ? count
                                               : r->x.shape.extent[0]));
        nn__opencl_float(launch, r->reduction == NN_MEAN
                                     ? (float)((double)r->scale / (double)of)
                                     : r->scale);
        break;
    }
    case NN_KERNEL_CROSS_ENTROPY_FORWARD:
    case NN_KERNEL_CROSS_ENTROPY_BACKWARD: {
        const nn_cross_entropy_args *e = (const nn_cross_entropy_args *)call->args;
        nn__opencl_uint(launch, (uint32_t)e->logits.shape.extent[0]);
        nn__opencl_int(launch, e->ignore_index);
        nn__opencl_float(launch, e->label_smoothing);
        break;
    }
    case NN_KERNEL_ACCUMULATE: {
        const nn_accumulate_args *a = (const nn_accumulate_args *)call->args;
        nn__opencl_float(launch, a->weight);
        break;
    }
    case NN_KERNEL_CLIP:
        nn__opencl_float(launch, ((const nn_clip_args *)call->args)->max_norm);
        break;
    default: nn__opencl_update_numbers(launch, (const nn_update_args *)call->args); break;
    }
}

/* ---- the same in the text -------------------------------------------------------------------- */

/* A number of `type`: ", uint m3" or "const uint m3 = run[7];". */
static void nn__opencl_chain_put_number(nn__opencl_chain_writer *w, const char *type,
                                        const char *name) {
    const int at = w->word;
    if (w->phase != NN__PHASE_RUNS) {
        NN__OPENCL_PUT(&w->out, ", %s %s", type, name);
        return;
    }
    w->word += strcmp(type, "ulong") == 0 ? 2 : 1;
    if (w->word == at + 2)
        NN__OPENCL_PUT(&w->out, "    const ulong %s = as_ulong((uint2)(run[%d], run[%d]));\n", name,
                       at, at + 1);
    else
        NN__OPENCL_PUT(&w->out, "    const %s %s = as_%s(run[%d]);\n", type, name, type, at);
}

NN__OPENCL_PRIVATE void nn__opencl_chain_put_one(nn__opencl_chain_writer *w, const char *type,
                                                 const char *letters, int i) {
    char name[32];
    nn__opencl_format(name, sizeof name, "%s%d", letters, i);
    nn__opencl_chain_put_number(w, type, name);
}

static void nn__opencl_chain_put_float(nn__opencl_chain_writer *w, const char *type, int i, int k) {
    char name[32];
    nn__opencl_format(name, sizeof name, "f%d_%d", i, k);
    nn__opencl_chain_put_number(w, type, name);
}

static void nn__opencl_chain_put_scalars(nn__opencl_chain_writer *w, int i,
                                         const nn_program *program) {
    bool draws = false;
    for (int k = 0; k < program->count; k++)
        draws = draws || program->code[k].code == NN_CODE_RANDOM;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    for (int k = 0; k < program->scalar_count; k++) nn__opencl_chain_put_float(w, "float", i, k);
    if (!draws) return;
    nn__opencl_chain_put_one(w, "ulong", "seed", i);
    nn__opencl_chain_put_one(w, "ulong", "stream", i);
    nn__opencl_chain_put_one(w, "ulong", "counter", i);
}

static void nn__opencl_chain_put_numbers(nn__opencl_chain_writer *w, int i) {
    const nn_call *call = &w->chain->calls[i];
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    if (kind) {
        kind->put_numbers(w, i, call->args);
        return;
    }
    switch ((int)call->kernel) {
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD:
    case NN_KERNEL_GEMM: nn__opencl_chain_put_one(w, "uint", "m", i); break;
    case NN_KERNEL_POINTWISE:
        nn__opencl_chain_put_scalars(w, i, &((const nn_program_args *)call->args)->program);
        break;
    case NN_KERNEL_REDUCE:
        nn__opencl_chain_put_one(w, "uint", "m", i);
        nn__opencl_chain_put_float(w, "float", i, 0);
        break;
    case NN_KERNEL_ACCUMULATE: nn__opencl_chain_put_one(w, "float", "weight", i); break;
    case NN_KERNEL_CLIP: nn__opencl_chain_put_one(w, "float", "limit", i); break;
    case NN_KERNEL_UPDATE: {
        const bool sgd = ((const nn_update_args *)call->args)->optimizer == NN_SGD;
        for (int f = 0; f < (sgd ? 6 : 9); f++)
            nn__opencl_chain_put_float(w, sgd && f >= 4 ? "int" : "float", i, f);
        break;
    }
    default:
        nn__opencl_chain_put_one(w, "uint", "m", i);
        nn__opencl_chain_put_one(w, "int", "ignore", i);
        nn__opencl_chain_put_one(w, "float", "smoothing", i);
        break;
    }
}

/* What may differ from run to run: places that the text does not know, and numbers. */
static void nn__opencl_chain_put_given(nn__opencl_chain_writer *w) {
    nn__opencl_chain *chain = w->chain;
    nn__opencl_chain_put_number(w, "uint", "step");
    for (int s = 0; s < chain->storage_count; s++) {
        char name[16];
        nn__opencl_format(name, sizeof name, "o%d", s);
        if (w->phase != NN__PHASE_RUNS || !chain->storages[s].own)
            nn__opencl_chain_put_number(w, "uint", name);
    }
    for (int i = 0; i < chain->count; i++) nn__opencl_chain_put_numbers(w, i);
}

NN__OPENCL_PRIVATE void nn__opencl_chain_put_parameters(nn__opencl_chain_writer *w) {
    const nn__opencl_chain *chain = w->chain;
    const bool runs = w->phase == NN__PHASE_RUNS;
    NN__OPENCL_PUT(&w->out, "__kernel %svoid nn_chain(__global uint *status, ulong status_offset%s",
                  w->phase != NN__PHASE_REST && nn__opencl_chain_is_wide(chain->device)
                      ? "__attribute__((reqd_work_group_size(256, 1, 1))) "
                      : "",
                  runs ? ""
                       : ",\n    __global float *parts, ulong parts_offset, uint rows, uint piece, "
                         "uint groups");
    for (int b = 0; b < NN__CHAIN_BUFFERS; b++)
        NN__OPENCL_PUT(&w->out, ",\n    __global float *b%d, ulong b%d_offset", b, b);
    NN__OPENCL_PUT(&w->out, "\n   ");
    if (!runs) {
        nn__opencl_chain_put_given(w);
        return;
    }
    for (int s = 0; s < chain->storage_count; s++)
        if (chain->storages[s].own) NN__OPENCL_PUT(&w->out, ", uint o%d", s);
    NN__OPENCL_PUT(&w->out, ",\n    const __global uint *run, uint runs");
}

NN__OPENCL_PRIVATE void nn__opencl_chain_put_run(nn__opencl_chain_writer *w) {
    NN__OPENCL_PUT(&w->out, "    for (; runs > 0; runs--) {\n"
                            "    const uint none = none_of[0], lane = NN_LANE + none;\n");
    nn__opencl_chain_put_given(w);
}

/* For the status word: that of the run, which all calls have. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_step(const nn__opencl_chain *chain) {
    for (int i = 0; i < chain->count; i++) {
        const nn_call *call = &chain->calls[i];
        if (call->kernel == NN_KERNEL_ACCUMULATE)
            return ((const nn_accumulate_args *)call->args)->step;
        if (call->kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD)
            return ((const nn_cross_entropy_args *)call->args)->step;
        if (call->kernel == NN_KERNEL_GATHER)
            return ((const nn_gather_args *)call->args)->step;
        if (call->kernel == NN_KERNEL_GATHER_ELEMENTS)
            return ((const nn_gather_elements_args *)call->args)->step;
        if (call->kernel == NN_KERNEL_SCATTER_ELEMENTS)
            return ((const nn_scatter_elements_args *)call->args)->step;
    }
    return 0;
}
