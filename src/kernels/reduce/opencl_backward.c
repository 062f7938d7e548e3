/* kernels/reduce/opencl_backward.c - launches the gradients of reductions along the last axes. A
   task is a piece of a row; a unit is a number of tasks. If rows have several pieces, reductions
   that need the mean or the number of equal extremes gather it first. */
#include "kernels/reduce/opencl.h"

#define NN__SLOPE_PIECE  4096 /* least numbers per piece, if a row has several */
#define NN__SLOPE_PIECES 64   /* most pieces of a row */

typedef struct nn__opencl_slope {
    int64_t rows, n, width, pieces, unit; /* unit: tasks per unit */
    int64_t tasks;
    bool gathers; /* needs a separate gathering launch */
    bool alone;   /* a work-item has a whole row */
} nn__opencl_slope;

static nn__opencl_slope nn__opencl_slope_cut(const nn_reduce_backward_args *args) {
    const nn_reduction reduction = args->reduction;
    nn__opencl_slope s;
    s.rows = nn__opencl_count(&args->dy);
    s.n = nn__opencl_count(&args->x) / s.rows;
    s.width = (s.n + NN__SLOPE_PIECES - 1) / NN__SLOPE_PIECES;
    if (s.width < NN__SLOPE_PIECE) s.width = NN__SLOPE_PIECE;
    s.alone = reduction == NN_PROD;
    if (s.alone) s.width = s.n;
    s.pieces = (s.n + s.width - 1) / s.width;
    s.tasks = s.rows * s.pieces;
    s.unit = (1 << 20) / (s.n < s.width ? s.n : s.width);
    if (s.unit < 1) s.unit = 1;
    s.gathers = s.pieces > 1 && (reduction == NN_MAX || reduction == NN_MIN ||
                                 reduction == NN_VAR || reduction == NN_STD);
    return s;
}

static int32_t nn__opencl_slope_units(nn__opencl *device, const void *args) {
    (void)device;
    const nn__opencl_slope s =
        nn__opencl_slope_cut((const nn_reduce_backward_args *)args);
    return (s.gathers ? 2 : 1) * nn__opencl_ceil_div(s.tasks, s.unit);
}

static uint64_t nn__opencl_slope_scratch(nn__opencl *device, const void *args) {
    (void)device;
    const nn__opencl_slope s =
        nn__opencl_slope_cut((const nn_reduce_backward_args *)args);
    return s.gathers ? (uint64_t)s.tasks * sizeof(float) : 0;
}

/* Passes the arguments that both launches have, and launches `lanes` work-items per task. */
static nn_result nn__opencl_slope_launch(nn__opencl_launch *launch,
                                         const nn__opencl_slope *s, int64_t first, int64_t end) {
    nn__opencl_ulong(launch, (uint64_t)s->n);
    nn__opencl_ulong(launch, (uint64_t)s->width);
    nn__opencl_ulong(launch, (uint64_t)s->pieces);
    nn__opencl_ulong(launch, (uint64_t)first);
    nn__opencl_ulong(launch, (uint64_t)end);
    if (s->n > 32 && !s->alone && launch->result == NN_OK &&
        nn__opencl_group(launch, 64) == 64) {
        const size_t groups = (size_t)(end - first), local = 64;
        nn__opencl_int(launch, 64);
        return nn__opencl_run(launch, 1, &groups, &local);
    }
    nn__opencl_int(launch, 1);
    return nn__opencl_run_flat(launch, (uint64_t)(end - first), 64);
}

static nn_result nn__opencl_slope_gather(nn__opencl *device, const nn_reduce_backward_args *args,
                                         const nn__opencl_slope *s, const nn_view *parts,
                                         int64_t first, int64_t end) {
    nn__opencl_launch launch =
        nn__opencl_begin(device, "reduce", "nn_slope_parts", "-DNN_REDUCE_ONLY=3");
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, parts);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_int(&launch, (int32_t)args->reduction);
    return nn__opencl_slope_launch(&launch, s, first, end);
}

static nn_result nn__opencl_slope_rows(nn__opencl *device, const nn_reduce_backward_args *args,
                                       const nn__opencl_slope *s, const nn_view *parts,
                                       int64_t first, int64_t end) {
    const double over = (double)s->n - (double)args->correction;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "reduce", "nn_slope_rows", "-DNN_REDUCE_ONLY=3");
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, &args->dx);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, parts);
    nn__opencl_int(&launch, (int32_t)args->reduction);
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_float(&launch, (float)(1.0 / (over > 0.0 ? over : 0.0)));
    return nn__opencl_slope_launch(&launch, s, first, end);
}

static int64_t nn__opencl_slope_least(int64_t a, int64_t b) { return a < b ? a : b; }

static nn_result nn__opencl_slope_run(nn__opencl *device, const void *arguments, int32_t first,
                                      int32_t count) {
    const nn_reduce_backward_args *args = (const nn_reduce_backward_args *)arguments;
    const nn__opencl_slope s = nn__opencl_slope_cut(args);
    const int64_t end = (int64_t)first + count,
                  gathering = s.gathers ? nn__opencl_ceil_div(s.tasks, s.unit) : 0;
    nn_view parts;
    nn_result result = NN_OK;
    memset(&parts, 0, sizeof parts);
    if (s.gathers) {
        parts = nn__opencl_part(&args->scratch, 0, nn__opencl_slope_scratch(device, args));
        result = nn__opencl_slope_gather(
            device, args, &s, &parts, first * s.unit,
            nn__opencl_slope_least(nn__opencl_slope_least(end, gathering) * s.unit, s.tasks));
    }
    if (result != NN_OK || (end <= gathering && gathering)) return result;
    return nn__opencl_slope_rows(device, args, &s, &parts,
                                 (first > gathering ? first - gathering : 0) * s.unit,
                                 nn__opencl_slope_least((end - gathering) * s.unit, s.tasks));
}
#undef NN__SLOPE_PIECE
#undef NN__SLOPE_PIECES

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_reduce_backward(void) {
    static const nn__opencl_kernel kernel = {NULL, nn__opencl_slope_scratch, nn__opencl_slope_units,
                                             nn__opencl_slope_run, NULL};
    return &kernel;
}
