/* cpu/direct.c - kernel calls of nn_run_on: the phases, units and scratch of a kernel, looked up
   once. */
#include "device/direct.h"

#include "cpu/private.h"

#ifndef NN__ONE_PIECE

typedef void (*nn__prepare_function)(const nn__cpu *cpu, const void *args, int phase, int unit,
                                    void *shared, void *own);

static void nn__prepare_units(const nn__prepared *part) {
    const nn__prepare_function unit = (nn__prepare_function)part->unit;
    for (int i = 0; i < part->count; i++)
        unit((const nn__cpu *)part->device, part->args, part->phase, i, part->shared, part->own);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Returns the bytes of a copy that keeps the order of all elements; 0: it is another copy. */
static size_t nn__prepare_plain(const nn_strided_copy_args *args) {
    const nn_copy_piece *piece = args->pieces;
    int64_t count = 1;
    if (args->count != 1 || args->fill || args->accumulate || nn__present(&args->status)) return 0;
    for (int i = NN_COPY_AXES - 1; i >= 0; i--) {
        if (piece->extent[i] == 1) continue;
        if (piece->x_stride[i] != count || piece->y_stride[i] != count) return 0;
        count *= piece->extent[i];
    }
    return (size_t)count * nn_dtype_size(args->y.dtype);
}

static void nn__prepare_copy(const nn__prepared *part) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)part->args;
    const nn_copy_piece *piece = args->pieces;
    const size_t size = nn_dtype_size(args->y.dtype);
    memcpy((char *)args->y.handle + args->y.offset + (size_t)piece->y_first * size,
           (const char *)piece->x.handle + piece->x.offset + (size_t)piece->x_first * size,
           part->bytes);
}

static bool nn__prepare_copies(nn_kernel kernel, const void *args, const nn_view **to,
                              const nn_view **from) {
    const nn_strided_copy_args *copy = (const nn_strided_copy_args *)args;
    if (kernel != NN_KERNEL_STRIDED_COPY || !nn__prepare_plain(copy) || copy->pieces->x_first ||
        copy->pieces->y_first)
        return false;
    *to = &copy->y;
    *from = &copy->pieces->x;
    return true;
}

/* ---- all kernels ----------------------------------------------------------------------------- */

/* Returns the form of the kernel for nn_run_on, or NULL. */
static const nn__cpu_single *nn__prepare_single(const nn__cpu *cpu, nn_kernel kernel) {
    if (!cpu || cpu->workers != 1) return NULL;
    switch ((int)kernel) {
    case NN_KERNEL_STREAM_FORWARD: return cpu->singles[NN__SINGLE_STREAM];
    case NN_KERNEL_STREAM_PUSH: return cpu->singles[NN__SINGLE_PUSH];
    case NN_KERNEL_RECURRENT_WHOLE: return cpu->singles[NN__SINGLE_WHOLE];
    default: return NULL;
    }
}
static size_t nn__prepare_bytes(const nn_context *nn, nn_kernel kernel, const void *args) {
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    const nn__cpu_single *single = nn__prepare_single(cpu, kernel);
    return single && single->bytes ? single->bytes(cpu, args) : 0;
}

/* Finds the scratch. False: there is none, which the kernel reports itself. */
static bool nn__prepare_scratch(const nn__cpu *cpu, const nn__cpu_kernel *functions,
                               nn_kernel kernel, const void *args, nn__prepared *part) {
    const size_t shared = functions->shared_bytes ? functions->shared_bytes(cpu, args) : 0,
                 own = functions->own_bytes ? functions->own_bytes(cpu, args) : 0;
    const nn_view *scratch = nn__kernel_scratch(kernel, args);
    if (!shared && !own) return true;
    if (!scratch || !scratch->handle) return false;
    char *memory = (char *)scratch->handle + scratch->offset;
    if (shared) part->shared = memory;
    if (own) part->own = memory + nn__align_up(shared, NN__ALIGNMENT);
    return true;
}

static int nn__prepare_call(const nn_context *nn, nn_kernel kernel, const void *args, void *memory,
                           nn__prepared *parts) {
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    const nn__cpu_kernel *functions =
        cpu && kernel > NN_KERNEL_NONE && kernel < NN_KERNEL_COUNT ? cpu->kernels[kernel] : NULL;
    const nn__cpu_single *single = nn__prepare_single(cpu, kernel);
    int count = 0;
    nn__prepared part;
    if (!functions || cpu->workers > 1 || kernel == NN_KERNEL_CUSTOM) return 0; /* it may fail */
    memset(&part, 0, sizeof part);
    part.device = cpu;
    part.args = args;
    part.made = memory;
    if (kernel == NN_KERNEL_STRIDED_COPY)
        part.bytes = nn__prepare_plain((const nn_strided_copy_args *)args);
    if (part.bytes) part.go = nn__prepare_copy;
    if (!nn__prepare_scratch(cpu, functions, kernel, args, &part)) return 0;
    if (single && (memory || !single->bytes)) part.go = single->make(cpu, args, memory);
    if (part.go) {
        parts[0] = part;
        return 1;
    }
    part.go = nn__prepare_units;
    part.unit = (void (*)(void))functions->unit;
    for (;; part.phase++) {
        part.count = functions->units(cpu, args, part.phase);
        if (part.count <= 0) return count;
        if (count == NN__PREPARED_MOST) return 0;
        parts[count++] = part;
    }
}

static const nn__preparing nn__prepare_preparing = {nn__prepare_bytes, nn__prepare_call,
                                                   nn__prepare_copies};

NN_PRIVATE void nn__install_prepared(nn_context *nn) { nn->preparing = &nn__prepare_preparing; }
#endif

typedef int nn__cpu_direct_part; /* a part must not be empty in the smallest programs */
