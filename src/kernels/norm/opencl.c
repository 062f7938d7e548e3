/* kernels/norm/opencl.c - norms on OpenCL: which of them fit; running statistics, and norms folded
   into the layer before them (kernels/norm/opencl.cl). The norms themselves are in
   kernels/norm/opencl_teams.c. */
#include "kernels/norm/opencl.h"

static const char *nn__opencl_norm_refuses_cut(const nn_norm_cut *cut) {
    const int64_t channels = (int64_t)cut->groups * cut->channels;
    const int64_t size = cut->across ? cut->outer * cut->inner : cut->channels * cut->inner;
    return size > INT32_MAX || channels > INT32_MAX ? "a normalized set has more than 2^31 numbers"
                                                    : NULL;
}

/* ---- forward and backward -------------------------------------------------------------------- */

static uint64_t nn__opencl_norm_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_norm_team_scratch((const nn_norm_args *)args);
}

static int32_t nn__opencl_norm_units(nn__opencl *device, const void *args) {
    (void)device, (void)args;
    return 2;
}

static nn_result nn__opencl_norm_run(nn__opencl *device, const void *args, int32_t first,
                                     int32_t count) {
    return nn__opencl_norm_team_forward(device, (const nn_norm_args *)args, first, count);
}

static const char *nn__opencl_norm_refuses(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_norm_refuses_cut(&((const nn_norm_args *)args)->cut);
}

/* True if no operand but x and y is f16 or bf16. */
static bool nn__opencl_norm_halves(nn__opencl *device, const void *arguments) {
    const nn_norm_args *args = (const nn_norm_args *)arguments;
    const nn_view *others[] = {&args->weight,   &args->bias,         &args->mean,       &args->rstd,
                               &args->variance, &args->running_mean, &args->running_var};
    (void)device;
    for (int i = 0; i < 7; i++)
        if (nn__opencl_stored(others[i])) return false;
    return true;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_norm_forward(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_norm_refuses, nn__opencl_norm_scratch,
                                             nn__opencl_norm_units, nn__opencl_norm_run,
                                             nn__opencl_norm_halves};
    return &kernel;
}

static uint64_t nn__opencl_norm_backward_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_norm_team_backward_scratch((const nn_norm_backward_args *)args);
}

static int32_t nn__opencl_norm_backward_units(nn__opencl *device, const void *args) {
    (void)device, (void)args;
    return 3;
}

static nn_result nn__opencl_norm_backward_run(nn__opencl *device, const void *args, int32_t first,
                                              int32_t count) {
    return nn__opencl_norm_team_backward(device, (const nn_norm_backward_args *)args, first, count);
}

static const char *nn__opencl_norm_backward_refuses(nn__opencl *device, const void *args) {
    const nn_norm_backward_args *g = (const nn_norm_backward_args *)args;
    (void)device;
    if (nn__opencl_present(&g->residual) &&
        (!nn__opencl_rows_are(&g->cut) || !nn__opencl_present(&g->dx) || g->accumulate ||
         nn__opencl_stored(&g->dx) || nn__opencl_stored(&g->residual)))
        return "the gradient of a norm with a residual must be f32 and that of rows";
    return nn__opencl_norm_refuses_cut(&g->cut);
}

/* True if no operand but dx, dy and x is f16 or bf16. */
static bool nn__opencl_norm_backward_halves(nn__opencl *device, const void *arguments) {
    const nn_norm_backward_args *args = (const nn_norm_backward_args *)arguments;
    (void)device;
    return !nn__opencl_stored(&args->weight) && !nn__opencl_stored(&args->dweight) &&
           !nn__opencl_stored(&args->dbias) && !nn__opencl_stored(&args->mean) &&
           !nn__opencl_stored(&args->rstd);
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_norm_backward(void) {
    static const nn__opencl_kernel kernel = {
        nn__opencl_norm_backward_refuses, nn__opencl_norm_backward_scratch,
        nn__opencl_norm_backward_units, nn__opencl_norm_backward_run,
        nn__opencl_norm_backward_halves};
    return &kernel;
}

/* ---- running statistics ---------------------------------------------------------------------- */

#define NN__NORM_TRACKS 128 /* most items of a launch */

/* Returns how many of the first of `count` items share their buffers. */
static int32_t nn__opencl_norm_tracks_together(const nn_norm_track_item *items, int32_t count) {
    int32_t n = 1;
    while (n < count && n < NN__NORM_TRACKS &&
           items[n].running_mean.handle == items->running_mean.handle &&
           items[n].running_var.handle == items->running_var.handle &&
           items[n].count.handle == items->count.handle &&
           items[n].mean.handle == items->mean.handle &&
           items[n].variance.handle == items->variance.handle)
        n++;
    return n;
}

static nn_result nn__opencl_norm_tracks(nn__opencl *device, const nn_norm_track_args *args,
                                        const nn_norm_track_item *items, int32_t count) {
    uint64_t table[7 * NN__NORM_TRACKS], *entry = table;
    nn_view base[5];
    size_t groups = (size_t)count, local;
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_track", "");
    for (int32_t i = 0; i < count; i++) {
        const int64_t channels = nn__opencl_count(&items[i].running_mean);
        *entry++ = nn__opencl_offset(&items[i].running_mean);
        *entry++ = nn__opencl_offset(&items[i].running_var);
        *entry++ = nn__opencl_offset(&items[i].count) / 2;
        *entry++ = nn__opencl_offset(&items[i].mean);
        *entry++ = nn__opencl_offset(&items[i].variance);
        *entry++ = (uint64_t)channels;
        *entry++ = (uint64_t)(nn__opencl_count(&items[i].mean) / channels);
    }
    base[0] = nn__opencl_base(&items->running_mean);
    base[1] = nn__opencl_base(&items->running_var);
    base[2] = nn__opencl_base(&items->count);
    base[3] = nn__opencl_base(&items->mean);
    base[4] = nn__opencl_base(&items->variance);
    for (int i = 0; i < 5; i++) nn__opencl_view(&launch, &base[i]);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_table(&launch, table, (size_t)(entry - table));
    nn__opencl_float(&launch, args->momentum);
    nn__opencl_int(&launch, args->cumulative);
    local = nn__opencl_group(&launch, 256);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* Runs the only unit. */
static nn_result nn__opencl_norm_track_run(nn__opencl *device, const void *arguments, int32_t first,
                                           int32_t count) {
    const nn_norm_track_args *args = (const nn_norm_track_args *)arguments;
    nn_result result = NN_OK;
    (void)first, (void)count;
    for (int32_t i = 0, some; i < args->item_count && result == NN_OK; i += some) {
        some = nn__opencl_norm_tracks_together(args->items + i, args->item_count - i);
        result = nn__opencl_norm_tracks(device, args, args->items + i, some);
    }
    return result;
}
#undef NN__NORM_TRACKS

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_norm_track(void) {
    static const nn__opencl_kernel kernel = {NULL, NULL, NULL, nn__opencl_norm_track_run, NULL};
    return &kernel;
}

/* ---- fold ------------------------------------------------------------------------------------ */

/* Runs work-items (width, rows), in groups along a row. */
static nn_result nn__opencl_norm_run_rows(nn__opencl_launch *launch, int64_t width, int64_t rows) {
    size_t local[2], groups[2];
    local[0] = nn__opencl_group(launch, 256);
    local[1] = 1;
    while (local[0] > 1 && local[0] / 2 >= (size_t)width) {
        local[0] /= 2;
        if (local[1] * 2 <= (size_t)rows && rows % (int64_t)(local[1] * 2) == 0) local[1] *= 2;
    }
    groups[0] = ((size_t)width + local[0] - 1) / local[0];
    groups[1] = (size_t)rows / local[1];
    return nn__opencl_run(launch, 2, groups, local);
}

static nn_result nn__opencl_norm_fold_run(nn__opencl *device, const void *arguments, int32_t first,
                                          int32_t count) {
    const nn_norm_fold_args *args = (const nn_norm_fold_args *)arguments;
    const int64_t channels = args->weight.shape.extent[0],
                  row = nn__opencl_count(&args->weight) / channels;
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_fold", "");
    (void)first, (void)count; /* there is one unit */
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->bias);
    nn__opencl_view(&launch, &args->from);
    nn__opencl_view(&launch, &args->from_bias);
    nn__opencl_view(&launch, &args->norm_weight);
    nn__opencl_view(&launch, &args->norm_bias);
    nn__opencl_view(&launch, &args->running_mean);
    nn__opencl_view(&launch, &args->running_var);
    nn__opencl_float(&launch, args->epsilon);
    nn__opencl_uint(&launch, (uint32_t)row);
    return nn__opencl_norm_run_rows(&launch, row, channels);
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_norm_fold(void) {
    static const nn__opencl_kernel kernel = {NULL, NULL, NULL, nn__opencl_norm_fold_run, NULL};
    return &kernel;
}
