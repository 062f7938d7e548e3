/* kernels/reduce/opencl_fold.c - launches the reductions other than sum, mean and maximum. They are
   cut like those: the pieces of a result go to scratch, and a second launch merges them in
   order. */
#include "kernels/reduce/opencl.h"

#define NN__FOLD_RESULTS 4096 /* results per unit of the second phase */
#define NN__FOLD_ONLY    "-DNN_REDUCE_ONLY=2"

static int64_t nn__opencl_fold_join_units(const nn__opencl_reduction *r) {
    return r->pieces == 1 ? 0 : nn__opencl_ceil_div(nn__opencl_reduce_results(r), NN__FOLD_RESULTS);
}

static int32_t nn__opencl_fold_units(nn__opencl *device, const void *args) {
    (void)device;
    const nn__opencl_reduction r = nn__opencl_reduce_plan((const nn_reduce_args *)args);
    return nn__opencl_reduce_phase_units(&r) + (int32_t)nn__opencl_fold_join_units(&r);
}

/* Returns the bytes of three words for each piece of each result. */
static uint64_t nn__opencl_fold_scratch(nn__opencl *device, const void *args) {
    const nn__opencl_reduction r = nn__opencl_reduce_plan((const nn_reduce_args *)args);
    (void)device;
    return r.pieces > 1 ? (uint64_t)(nn__opencl_reduce_results(&r) * r.pieces) * 3 * sizeof(float)
                        : 0;
}

static float nn__opencl_fold_divisor(const nn_reduce_args *args) {
    const int64_t count = nn__opencl_count(&args->x) / nn__opencl_count(&args->y);
    return count > args->correction ? (float)(count - args->correction) : 0.0f;
}

static nn_result nn__opencl_fold_pieces(nn__opencl *device, const nn_reduce_args *args,
                                        const nn__opencl_reduction *r, const nn_view *parts,
                                        int64_t first, int64_t end) {
    const int64_t rows = r->piece_rows < r->reduced_rows ? r->piece_rows : r->reduced_rows;
    nn__opencl_launch launch = nn__opencl_begin(
        device, "reduce", r->across ? "nn_fold_across" : "nn_fold_along", NN__FOLD_ONLY);
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, parts);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_int(&launch, (int32_t)args->reduction);
    nn__opencl_float(&launch, nn__opencl_fold_divisor(args));
    nn__opencl_float(&launch, args->scale);
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_reduce_cuts(&launch, r);
    nn__opencl_ulong(&launch, (uint64_t)nn__opencl_reduce_results(r));
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    if (r->across) return nn__opencl_run_flat(&launch, (uint64_t)((end - first) * r->width), 64);
    if (rows * r->width > 32 && launch.result == NN_OK &&
        nn__opencl_group(&launch, 64) == 64) {
        const size_t groups = (size_t)(end - first), local = 64;
        nn__opencl_int(&launch, 64);
        return nn__opencl_run(&launch, 1, &groups, &local);
    }
    nn__opencl_int(&launch, 1);
    return nn__opencl_run_flat(&launch, (uint64_t)(end - first), 64);
}

static nn_result nn__opencl_fold_join(nn__opencl *device, const nn_reduce_args *args,
                                      const nn__opencl_reduction *r, const nn_view *parts,
                                      int64_t first, int64_t end) {
    nn__opencl_launch launch = nn__opencl_begin(device, "reduce", "nn_fold_join", NN__FOLD_ONLY);
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, parts);
    nn__opencl_int(&launch, (int32_t)args->reduction);
    nn__opencl_float(&launch, nn__opencl_fold_divisor(args));
    nn__opencl_float(&launch, args->scale);
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_ulong(&launch, (uint64_t)nn__opencl_reduce_results(r));
    nn__opencl_ulong(&launch, (uint64_t)r->pieces);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end - first), 64);
}

static int64_t nn__opencl_fold_least(int64_t a, int64_t b) { return a < b ? a : b; }

static nn_result nn__opencl_fold_run(nn__opencl *device, const void *arguments, int32_t first,
                                     int32_t count) {
    const nn_reduce_args *args = (const nn_reduce_args *)arguments;
    const nn__opencl_reduction r = nn__opencl_reduce_plan(args);
    const int64_t units = nn__opencl_reduce_phase_units(&r), end = (int64_t)first + count,
                  unit = nn__opencl_reduce_unit(&r), tasks = nn__opencl_reduce_tasks(&r);
    nn_view parts;
    nn_result result;
    memset(&parts, 0, sizeof parts);
    if (r.pieces > 1)
        parts = nn__opencl_part(&args->scratch, 0, nn__opencl_fold_scratch(device, args));
    result = nn__opencl_fold_pieces(
        device, args, &r, &parts, first * unit,
        nn__opencl_fold_least(nn__opencl_fold_least(end, units) * unit, tasks));
    if (result != NN_OK || r.pieces == 1 || end <= units) return result;
    return nn__opencl_fold_join(
        device, args, &r, &parts, (first > units ? first - units : 0) * NN__FOLD_RESULTS,
        nn__opencl_fold_least((end - units) * NN__FOLD_RESULTS, nn__opencl_reduce_results(&r)));
}
#undef NN__FOLD_RESULTS
#undef NN__FOLD_ONLY

static const char *nn__opencl_fold_refuses(nn__opencl *device, const void *arguments) {
    const nn_reduce_args *args = (const nn_reduce_args *)arguments;
    const bool arg = args->reduction == NN_ARGMAX || args->reduction == NN_ARGMIN;
    (void)device;
    if (args->x.dtype != NN_F32 || args->y.dtype != (arg ? NN_I32 : NN_F32))
        return "reduce computes with f32 only";
    if (arg && nn__opencl_count(&args->x) / nn__opencl_count(&args->y) > INT32_MAX)
        return "argmax and argmin count in 31 bits, and there are more than 2^31 numbers";
    return NULL;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_fold(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_fold_refuses, nn__opencl_fold_scratch,
                                             nn__opencl_fold_units, nn__opencl_fold_run, NULL};
    return &kernel;
}
