/* opencl/chain_numbers.c - declares the arguments of a chain that are not views: as parameters, or
   for several runs as values read from a table. */
#include "opencl/chain.h"

/* Declares a number of `type`: ", uint m3" or "const uint m3 = run[7];". */
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

NN__OPENCL_PRIVATE void nn__opencl_chain_put_float(nn__opencl_chain_writer *w, const char *type,
                                                   int i, int k) {
    char name[32];
    nn__opencl_format(name, sizeof name, "f%d_%d", i, k);
    nn__opencl_chain_put_number(w, type, name);
}

/* Declares what may differ from run to run: places that are not constants of the source, and
   numbers. */
static void nn__opencl_chain_put_given(nn__opencl_chain_writer *w) {
    nn__opencl_chain *chain = w->chain;
    nn__opencl_chain_put_number(w, "uint", "step");
    for (int s = 0; s < chain->storage_count; s++) {
        char name[16];
        nn__opencl_format(name, sizeof name, "o%d", s);
        if (w->phase != NN__PHASE_RUNS || !chain->storages[s].own)
            nn__opencl_chain_put_number(w, "uint", name);
    }
    for (int i = 0; i < chain->count; i++)
        nn__opencl_chain_kind_of(&chain->calls[i])->put_numbers(w, i, chain->calls[i].args);
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
