/* kernels/reduce/opencl.c - sum, mean and maximum over any axes: folds the axes and cuts them into
   pieces that depend only on the shape.

   Axes are folded until kept and reduced ones alternate. The innermost axis decides between the two
   cases of kernels/reduce/opencl.cl. The pieces of a result go to scratch, and a second launch adds
   them in order, or the last work-group of the first one. */
#include "kernels/reduce/opencl.h"

#define NN__REDUCE_PIECE  4096 /* numbers per piece along a row */
#define NN__REDUCE_ROWS   64   /* least rows per piece across */
#define NN__REDUCE_PIECES 256  /* most pieces of a column */
#define NN__REDUCE_WIDTH  128  /* columns per block across */

static void nn__opencl_reduce_cut(nn__opencl_reduction *r) {
    if (r->across) {
        for (r->width = 1; r->width < r->row && r->width < NN__REDUCE_WIDTH;) r->width *= 2;
        r->piece_rows = (r->reduced_rows + NN__REDUCE_PIECES - 1) / NN__REDUCE_PIECES;
        r->piece_rows = (r->piece_rows + NN__REDUCE_ROWS - 1) / NN__REDUCE_ROWS * NN__REDUCE_ROWS;
    } else {
        r->width = r->row < NN__REDUCE_PIECE ? r->row : NN__REDUCE_PIECE;
        r->piece_rows = NN__REDUCE_PIECE / r->width;
    }
    r->row_pieces = (r->row + r->width - 1) / r->width;
    r->pieces = (r->reduced_rows + r->piece_rows - 1) / r->piece_rows;
    if (!r->across) r->pieces *= r->row_pieces;
}

NN__OPENCL_PRIVATE nn__opencl_reduction nn__opencl_reduce_plan(const nn_reduce_args *args) {
    nn__opencl_reduction r;
    uint64_t step = 1;
    bool started = false, before = false;
    memset(&r, 0, sizeof r);
    r.row = r.kept_rows = r.reduced_rows = 1;
    for (int i = args->x.shape.rank - 1; i >= 0; i--) {
        int32_t extent = args->x.shape.extent[i];
        bool reduce = (args->axes >> i & 1u) != 0;
        nn__opencl_axes *axes = reduce ? &r.reduced : &r.kept;
        if (extent == 1) continue;
        if (!started)
            r.row = extent, r.across = !reduce;
        else if (reduce == before && axes->rank)
            axes->extent[axes->rank - 1] *= (uint64_t)extent;
        else if (reduce == before)
            r.row *= extent;
        else {
            axes->extent[axes->rank] = (uint64_t)extent, axes->step[axes->rank] = step;
            axes->rank++;
        }
        started = true, before = reduce;
        step *= (uint64_t)extent;
    }
    for (int i = 0; i < r.kept.rank; i++) r.kept_rows *= (int64_t)r.kept.extent[i];
    for (int i = 0; i < r.reduced.rank; i++) r.reduced_rows *= (int64_t)r.reduced.extent[i];
    nn__opencl_reduce_cut(&r);
    return r;
}

/* The second launch reduces a matrix of (results, pieces) along, or of (pieces, results) across. */
static nn__opencl_reduction nn__opencl_reduce_second(const nn__opencl_reduction *r) {
    nn__opencl_reduction second;
    int64_t results = nn__opencl_reduce_results(r);
    memset(&second, 0, sizeof second);
    second.across = r->across;
    second.row = second.width = r->across ? results : r->pieces;
    second.kept_rows = r->across ? 1 : results;
    second.reduced_rows = second.piece_rows = r->across ? r->pieces : 1;
    second.row_pieces = second.pieces = 1;
    if (r->across) {
        second.reduced.rank = 1, second.reduced.extent[0] = (uint64_t)r->pieces,
        second.reduced.step[0] = (uint64_t)results;
        second.width = NN__REDUCE_WIDTH,
        second.row_pieces = (results + second.width - 1) / second.width;
    } else
        second.kept.rank = 1, second.kept.extent[0] = (uint64_t)results,
        second.kept.step[0] = (uint64_t)r->pieces;
    return second;
}

NN__OPENCL_PRIVATE int64_t nn__opencl_reduce_tasks(const nn__opencl_reduction *r) {
    return r->kept_rows * r->pieces * (r->across ? r->row_pieces : 1);
}
NN__OPENCL_PRIVATE int64_t nn__opencl_reduce_unit(const nn__opencl_reduction *r) {
    int64_t rows = r->piece_rows < r->reduced_rows ? r->piece_rows : r->reduced_rows,
            unit = (1 << 20) / (rows * r->width);
    return unit > 0 ? unit : 1;
}

NN__OPENCL_PRIVATE int32_t nn__opencl_reduce_phase_units(const nn__opencl_reduction *r) {
    return nn__opencl_ceil_div(nn__opencl_reduce_tasks(r), nn__opencl_reduce_unit(r));
}

static int32_t nn__opencl_reduce_units(nn__opencl *device, const void *args) {
    (void)device;
    nn__opencl_reduction r = nn__opencl_reduce_plan((const nn_reduce_args *)args), second;
    if (r.pieces == 1) return nn__opencl_reduce_phase_units(&r);
    second = nn__opencl_reduce_second(&r);
    return nn__opencl_reduce_phase_units(&r) +
           nn__opencl_reduce_phase_units(&second);
}

static uint64_t nn__opencl_reduce_scratch(nn__opencl *device, const void *args) {
    nn__opencl_reduction r = nn__opencl_reduce_plan((const nn_reduce_args *)args);
    (void)device;
    return r.pieces > 1 ? (uint64_t)(nn__opencl_reduce_results(&r) * r.pieces) * sizeof(float) : 0;
}

static void nn__opencl_reduce_axes(nn__opencl_launch *launch, const nn__opencl_axes *axes) {
    nn__opencl_int(launch, axes->rank);
    for (int i = 0; i < 2; i++) nn__opencl_ulong(launch, axes->rank > i ? axes->extent[i] : 1);
    for (int i = 0; i < 3; i++) nn__opencl_ulong(launch, axes->rank > i ? axes->step[i] : 0);
}

NN__OPENCL_PRIVATE void nn__opencl_reduce_cuts(nn__opencl_launch *launch,
                                               const nn__opencl_reduction *r) {
    nn__opencl_ulong(launch, (uint64_t)r->row);
    nn__opencl_ulong(launch, (uint64_t)r->width);
    nn__opencl_ulong(launch, (uint64_t)r->row_pieces);
    nn__opencl_ulong(launch, (uint64_t)r->reduced_rows);
    nn__opencl_ulong(launch, (uint64_t)r->piece_rows);
    nn__opencl_ulong(launch, (uint64_t)r->pieces);
    nn__opencl_reduce_axes(launch, &r->kept);
    nn__opencl_reduce_axes(launch, &r->reduced);
}

typedef enum nn__opencl_reduce_way {
    NN__REDUCE_ITEMS,
    NN__REDUCE_GROUPS,
    NN__REDUCE_COLUMNS
} nn__opencl_reduce_way;

static nn__opencl_launch nn__opencl_reduce_begin(nn__opencl *device, const nn__opencl_reduction *r,
                                                 nn__opencl_reduce_way *way) {
    nn__opencl_launch launch;
    if (r->across) {
        *way = NN__REDUCE_COLUMNS;
        return nn__opencl_begin(device, "reduce", "nn_reduce_across", "-DNN_REDUCE_ONLY=1");
    }
    if (device->group >= 64 && r->width > 16) {
        *way = NN__REDUCE_GROUPS;
        launch = nn__opencl_begin(device, "reduce", "nn_reduce_along_group", "-DNN_REDUCE_ONLY=1");
        if (launch.result != NN_OK || nn__opencl_group(&launch, 64) == 64) return launch;
    }
    *way = NN__REDUCE_ITEMS;
    return nn__opencl_begin(
        device, "reduce", r->width > 16 ? "nn_reduce_along" : "nn_reduce_along_each",
        "");
}

/* Runs tasks [first, end) of a launch. last: they are results, not pieces. */
static nn_result nn__opencl_reduce_launch(nn__opencl *device, const nn_reduce_args *args,
                                          const nn__opencl_reduction *r, const nn_view *y,
                                          const nn_view *x, bool last, float divisor, int64_t first,
                                          int64_t end) {
    nn__opencl_reduce_way way;
    nn__opencl_launch launch = nn__opencl_reduce_begin(device, r, &way);
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, y);
    nn__opencl_view(&launch, x);
    nn__opencl_int(&launch, args->reduction == NN_MAX);
    nn__opencl_float(&launch, last ? divisor : 1.0f);
    nn__opencl_float(&launch, last ? args->scale : 1.0f);
    nn__opencl_int(&launch, last && args->accumulate);
    nn__opencl_reduce_cuts(&launch, r);
    if (r->across) nn__opencl_ulong(&launch, (uint64_t)r->kept_rows);
    nn__opencl_ulong(&launch, (uint64_t)first);
    if (way == NN__REDUCE_GROUPS) {
        size_t groups = (size_t)(end - first), local = 64;
        return nn__opencl_run(&launch, 1, &groups, &local);
    }
    nn__opencl_ulong(&launch, (uint64_t)end);
    if (way == NN__REDUCE_COLUMNS) {
        size_t local = nn__opencl_group(&launch, (size_t)(r->width < 64 ? 64 : r->width)),
               items = (size_t)((end - first) * r->width);
        size_t groups = (items + local - 1) / local;
        return nn__opencl_run(&launch, 1, &groups, &local);
    }
    nn__opencl_uint(&launch, 1);
    return nn__opencl_run_flat(&launch, (uint64_t)(end - first), 64);
}

static nn_result nn__opencl_reduce_phase(nn__opencl *device, const nn_reduce_args *args,
                                         const nn__opencl_reduction *r, const nn_view *y,
                                         const nn_view *x, bool last, float divisor, int64_t first,
                                         int64_t end) {
    int64_t unit = nn__opencl_reduce_unit(r), tasks = nn__opencl_reduce_tasks(r),
            stop = end * unit;
    if (first < 0) first = 0;
    return nn__opencl_reduce_launch(device, args, r, y, x, last, divisor, first * unit,
                                    stop < tasks ? stop : tasks);
}

static int64_t nn__opencl_reduce_local(const nn__opencl_reduction *r) {
    return r->width < 64 ? 64 : r->width;
}

/* True if one launch may do everything: the last work-group of a block of columns adds its
   pieces. */
static bool nn__opencl_reduce_gathers(const nn__opencl *device, const nn__opencl_reduction *r) {
    return device->gathers && r->across && r->pieces > 1 &&
           r->kept_rows * ((r->row + 63) / 64) <= NN__OPENCL_TURNS;
}

/* Runs all units in one launch. *done is set to false if the kernel gets no large work-group. */
static nn_result nn__opencl_reduce_whole(nn__opencl *device, const nn_reduce_args *args,
                                         const nn__opencl_reduction *r, const nn_view *parts,
                                         float divisor, bool *done) {
    nn__opencl_launch launch =
        nn__opencl_begin(device, "reduce", "nn_reduce_whole", "-DNN_REDUCE_ONLY=4");
    size_t local[3] = {(size_t)nn__opencl_reduce_local(r), 1, 1}, groups[3];
    *done = launch.result != NN_OK || nn__opencl_group(&launch, local[0]) == local[0];
    if (!*done) return NN_OK;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_int(&launch, args->reduction == NN_MAX);
    nn__opencl_float(&launch, divisor);
    nn__opencl_float(&launch, args->scale);
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_reduce_cuts(&launch, r);
    nn__opencl_ulong(&launch, (uint64_t)r->kept_rows);
    nn__opencl_view(&launch, parts);
    nn__opencl_turns(&launch, true);
    groups[0] = ((size_t)r->row + local[0] - 1) / local[0];
    groups[1] = (size_t)r->pieces;
    groups[2] = (size_t)r->kept_rows;
    return nn__opencl_run(&launch, 3, groups, local);
}

static nn_result nn__opencl_reduce_run(nn__opencl *device, const void *arguments, int32_t first,
                                       int32_t count) {
    const nn_reduce_args *args = (const nn_reduce_args *)arguments;
    nn__opencl_reduction r = nn__opencl_reduce_plan(args), second;
    bool mean = args->reduction == NN_MEAN || args->reduction == NN_REDUCTION_DEFAULT;
    float divisor =
        mean ? (float)((double)nn__opencl_count(&args->x) / (double)nn__opencl_count(&args->y))
             : 1.0f;
    int64_t units = nn__opencl_reduce_phase_units(&r), end = (int64_t)first + count;
    nn_view parts;
    nn_result result;
    if (r.pieces == 1)
        return nn__opencl_reduce_phase(device, args, &r, &args->y, &args->x, true, divisor, first,
                                       end);
    second = nn__opencl_reduce_second(&r);
    parts = nn__opencl_part(&args->scratch, 0, nn__opencl_reduce_scratch(device, args));
    if (first == 0 && end == units + nn__opencl_reduce_phase_units(&second) &&
        nn__opencl_reduce_gathers(device, &r)) {
        bool done;
        result = nn__opencl_reduce_whole(device, args, &r, &parts, divisor, &done);
        if (result != NN_OK || (done && !device->dry)) return result;
    }
    result = nn__opencl_reduce_phase(device, args, &r, &parts, &args->x, false, divisor, first,
                                     end < units ? end : units);
    if (result != NN_OK || (end <= units && !device->dry)) return result;
    return nn__opencl_reduce_phase(device, args, &second, &args->y, &parts, true, divisor,
                                   first - units, end - units);
}
#undef NN__REDUCE_PIECE
#undef NN__REDUCE_ROWS
#undef NN__REDUCE_PIECES
#undef NN__REDUCE_WIDTH

static const char *nn__opencl_reduce_refuses(nn__opencl *device, const void *arguments) {
    const nn_reduce_args *args = (const nn_reduce_args *)arguments;
    (void)device;
    return args->x.dtype == NN_F32 && args->y.dtype == NN_F32 ? NULL
                                                              : "reduce computes with f32 only";
}

static const nn__opencl_kernel nn__opencl_reduce_kernel = {
    nn__opencl_reduce_refuses, nn__opencl_reduce_scratch, nn__opencl_reduce_units,
    nn__opencl_reduce_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_reduce(void) {
    return &nn__opencl_reduce_kernel;
}
