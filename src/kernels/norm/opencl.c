/* kernels/norm/opencl.c - norms on OpenCL. On CPUs a launch takes the moments of pieces of sets,
   one joins them to the statistics of sets, one writes the results; the same for gradients. A unit
   is a launch. The kernels: kernels/norm/opencl.cl; GPUs: kernels/norm/opencl_teams.c. */
#include "kernels/norm/opencl.h"

/* How a tensor is cut: numbers of a set and of its lines, and pieces of a set. */
typedef struct nn__opencl_norm {
    int64_t sets, size, run, step, pieces, piece;
    int64_t all;   /* channels */
    int64_t width; /* numbers of a row of the last launch, and how many rows there are */
    int64_t rows;
    int64_t places, blocks; /* outer places of a block of dweight's sums */
} nn__opencl_norm;

static nn__opencl_norm nn__opencl_norm_cut(const nn_norm_cut *cut) {
    nn__opencl_norm n;
    n.sets = cut->across ? cut->groups : cut->outer * cut->groups;
    n.run = cut->across ? cut->inner : cut->channels * cut->inner;
    n.step = cut->across ? cut->groups * cut->inner : 0;
    n.size = cut->across ? cut->outer * cut->inner : n.run;
    n.pieces = (n.size + 8191) / 8192;
    if (n.pieces > 64) n.pieces = 64;
    n.piece = (n.size + n.pieces - 1) / n.pieces;
    n.pieces = (n.size + n.piece - 1) / n.piece;
    n.all = (int64_t)cut->groups * cut->channels;
    n.width = cut->inner > 1 ? cut->inner : n.all;
    n.rows = cut->inner > 1 ? cut->outer * n.all : cut->outer;
    n.places = cut->outer <= 64 * 16 ? 16 : (cut->outer + 63) / 64;
    n.blocks = (cut->outer + n.places - 1) / n.places;
    return n;
}

/* The scratch: two numbers for each piece, two for each set, then the blocks of dweight. */
static uint64_t nn__opencl_norm_floats(const nn__opencl_norm *n, int part) {
    const uint64_t pieces = 2 * (uint64_t)(n->sets * n->pieces), sets = 2 * (uint64_t)n->sets;
    return part == 0 ? 0 : part == 1 ? pieces : pieces + sets;
}
static nn_view nn__opencl_norm_part(const nn_view *scratch, const nn__opencl_norm *n, int part) {
    const uint64_t from = nn__opencl_norm_floats(n, part), bytes = sizeof(float);
    const uint64_t end =
        part < 2 ? nn__opencl_norm_floats(n, part + 1) : from + 2 * (uint64_t)(n->blocks * n->all);
    return nn__opencl_part(scratch, from * bytes, (end - from) * bytes);
}

static const char *nn__opencl_norm_refuses_cut(const nn_norm_cut *cut) {
    const nn__opencl_norm n = nn__opencl_norm_cut(cut);
    return n.size > INT32_MAX || n.width > INT32_MAX ? "a set of more than 2^31 numbers" : NULL;
}

/* Runs a kernel whose last argument is the number of pieces. */
static nn_result nn__opencl_norm_run_pieces(nn__opencl_launch *launch, const nn__opencl_norm *n) {
    const uint64_t count = (uint64_t)(n->sets * n->pieces);
    nn__opencl_ulong(launch, count);
    return nn__opencl_run_flat(launch, count, n->run < 16 ? 16 : 1);
}

static void nn__opencl_norm_lines(nn__opencl_launch *launch, const nn__opencl_norm *n) {
    nn__opencl_uint(launch, (uint32_t)n->run);
    nn__opencl_ulong(launch, (uint64_t)n->step);
    nn__opencl_uint(launch, (uint32_t)n->size);
    nn__opencl_uint(launch, (uint32_t)n->pieces);
    nn__opencl_uint(launch, (uint32_t)n->piece);
}

/* Work-items (width, rows): a row is cut into groups. */
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

/* ---- forward --------------------------------------------------------------------------------- */

static nn_result nn__opencl_norm_moments(nn__opencl *device, const nn_norm_args *args,
                                         const nn__opencl_norm *n) {
    const nn_view parts = nn__opencl_norm_part(&args->scratch, n, 0);
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_moments_item", "");
    nn__opencl_view(&launch, &parts);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_norm_lines(&launch, n);
    nn__opencl_int(&launch, args->rms);
    return nn__opencl_norm_run_pieces(&launch, n);
}

static nn_result nn__opencl_norm_finish(nn__opencl *device, const nn_norm_args *args,
                                        const nn__opencl_norm *n) {
    const nn_view parts = nn__opencl_norm_part(&args->scratch, n, 0),
                  stats = nn__opencl_norm_part(&args->scratch, n, 1);
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_finish", "");
    nn__opencl_view(&launch, &stats);
    nn__opencl_view(&launch, &parts);
    nn__opencl_view(&launch, &args->running_mean);
    nn__opencl_view(&launch, &args->running_var);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_view(&launch, &args->rstd);
    nn__opencl_view(&launch, &args->variance);
    nn__opencl_uint(&launch, (uint32_t)n->size);
    nn__opencl_uint(&launch, (uint32_t)n->pieces);
    nn__opencl_uint(&launch, (uint32_t)n->piece);
    nn__opencl_float(&launch, args->epsilon);
    nn__opencl_int(&launch, args->rms);
    nn__opencl_ulong(&launch, (uint64_t)n->sets);
    return nn__opencl_run_flat(&launch, (uint64_t)n->sets, 64);
}

static nn_result nn__opencl_norm_apply(nn__opencl *device, const nn_norm_args *args,
                                       const nn__opencl_norm *n) {
    const nn_view stats = nn__opencl_norm_part(&args->scratch, n, 1);
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_apply", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->bias);
    nn__opencl_view(&launch, &stats);
    nn__opencl_uint(&launch, (uint32_t)args->cut.inner);
    nn__opencl_uint(&launch, (uint32_t)n->all);
    nn__opencl_uint(&launch, (uint32_t)args->cut.channels);
    nn__opencl_int(&launch, args->cut.across);
    nn__opencl_int(&launch, (int32_t)args->activation);
    return nn__opencl_norm_run_rows(&launch, n->width, n->rows);
}

static uint64_t nn__opencl_norm_scratch(nn__opencl *device, const void *arguments) {
    const nn_norm_args *args = (const nn_norm_args *)arguments;
    const nn__opencl_norm n = nn__opencl_norm_cut(&args->cut);
    if (nn__opencl_norm_teams(device)) return nn__opencl_norm_team_scratch(args);
    return nn__opencl_norm_floats(&n, 2) * sizeof(float);
}

static int32_t nn__opencl_norm_units(nn__opencl *device, const void *arguments) {
    (void)arguments;
    return nn__opencl_norm_teams(device) ? 2 : 3;
}

static nn_result nn__opencl_norm_run(nn__opencl *device, const void *arguments, int32_t first,
                                     int32_t count) {
    const nn_norm_args *args = (const nn_norm_args *)arguments;
    const nn__opencl_norm n = nn__opencl_norm_cut(&args->cut);
    nn_result result = NN_OK;
    if (nn__opencl_norm_teams(device))
        return nn__opencl_norm_team_forward(device, args, first, count);
    for (int32_t unit = first; unit < first + count && result == NN_OK; unit++) {
        if (unit == 0 && !nn__opencl_present(&args->running_mean))
            result = nn__opencl_norm_moments(device, args, &n);
        if (unit == 1) result = nn__opencl_norm_finish(device, args, &n);
        if (unit == 2 && nn__opencl_present(&args->y))
            result = nn__opencl_norm_apply(device, args, &n);
    }
    return result;
}

static const char *nn__opencl_norm_refuses(nn__opencl *device, const void *arguments) {
    (void)device;
    return nn__opencl_norm_refuses_cut(&((const nn_norm_args *)arguments)->cut);
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_norm_forward(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_norm_refuses, nn__opencl_norm_scratch,
                                             nn__opencl_norm_units, nn__opencl_norm_run};
    return &kernel;
}

/* ---- backward -------------------------------------------------------------------------------- */

static nn_result nn__opencl_norm_sums(nn__opencl *device, const nn_norm_backward_args *args,
                                      const nn__opencl_norm *n) {
    const nn_view parts = nn__opencl_norm_part(&args->scratch, n, 0);
    nn_view weight = args->weight;
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_sums_item", "");
    if (args->cut.across) memset(&weight, 0, sizeof weight);
    nn__opencl_view(&launch, &parts);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &weight);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_norm_lines(&launch, n);
    nn__opencl_uint(&launch, (uint32_t)args->cut.inner);
    nn__opencl_uint(&launch, (uint32_t)args->cut.channels);
    nn__opencl_uint(&launch, (uint32_t)args->cut.groups);
    return nn__opencl_norm_run_pieces(&launch, n);
}

static nn_result nn__opencl_norm_factors(nn__opencl *device, const nn_norm_backward_args *args,
                                         const nn__opencl_norm *n) {
    const nn_view parts = nn__opencl_norm_part(&args->scratch, n, 0),
                  factors = nn__opencl_norm_part(&args->scratch, n, 1);
    nn_view absent;
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_finish_backward", "");
    memset(&absent, 0, sizeof absent);
    nn__opencl_view(&launch, &factors);
    nn__opencl_view(&launch, &parts);
    nn__opencl_view(&launch, args->cut.across ? &args->weight : &absent);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_view(&launch, &args->rstd);
    nn__opencl_view(&launch, args->cut.across ? &args->dweight : &absent);
    nn__opencl_view(&launch, args->cut.across ? &args->dbias : &absent);
    nn__opencl_uint(&launch, (uint32_t)n->size);
    nn__opencl_uint(&launch, (uint32_t)n->pieces);
    nn__opencl_int(&launch, args->fixed);
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_ulong(&launch, (uint64_t)n->sets);
    return nn__opencl_run_flat(&launch, (uint64_t)n->sets, 64);
}

static nn_result nn__opencl_norm_blocks(nn__opencl *device, const nn_norm_backward_args *args,
                                        const nn__opencl_norm *n) {
    const nn_view blocks = nn__opencl_norm_part(&args->scratch, n, 2);
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_blocks", "");
    nn__opencl_view(&launch, &blocks);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_view(&launch, &args->rstd);
    nn__opencl_uint(&launch, (uint32_t)args->cut.inner);
    nn__opencl_uint(&launch, (uint32_t)n->all);
    nn__opencl_uint(&launch, (uint32_t)args->cut.channels);
    nn__opencl_ulong(&launch, (uint64_t)args->cut.outer);
    nn__opencl_ulong(&launch, (uint64_t)n->places);
    return nn__opencl_norm_run_rows(&launch, n->all, n->blocks);
}

static nn_result nn__opencl_norm_join(nn__opencl *device, const nn_norm_backward_args *args,
                                      const nn__opencl_norm *n) {
    const nn_view blocks = nn__opencl_norm_part(&args->scratch, n, 2);
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_join_blocks", "");
    nn__opencl_view(&launch, &args->dweight);
    nn__opencl_view(&launch, &args->dbias);
    nn__opencl_view(&launch, &blocks);
    nn__opencl_uint(&launch, (uint32_t)n->all);
    nn__opencl_uint(&launch, (uint32_t)n->blocks);
    nn__opencl_int(&launch, args->accumulate);
    return nn__opencl_run_flat(&launch, (uint64_t)n->all, 64);
}

static nn_result nn__opencl_norm_dx(nn__opencl *device, const nn_norm_backward_args *args,
                                    const nn__opencl_norm *n) {
    const nn_view factors = nn__opencl_norm_part(&args->scratch, n, 1);
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_dx", "");
    nn__opencl_view(&launch, &args->dx);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_view(&launch, &args->rstd);
    nn__opencl_view(&launch, &factors);
    nn__opencl_uint(&launch, (uint32_t)args->cut.inner);
    nn__opencl_uint(&launch, (uint32_t)n->all);
    nn__opencl_uint(&launch, (uint32_t)args->cut.channels);
    nn__opencl_int(&launch, args->cut.across);
    nn__opencl_int(&launch, args->fixed);
    nn__opencl_int(&launch, args->accumulate);
    return nn__opencl_norm_run_rows(&launch, n->width, n->rows);
}

static uint64_t nn__opencl_norm_backward_scratch(nn__opencl *device, const void *arguments) {
    const nn_norm_backward_args *args = (const nn_norm_backward_args *)arguments;
    const nn__opencl_norm n = nn__opencl_norm_cut(&args->cut);
    if (nn__opencl_norm_teams(device)) return nn__opencl_norm_team_backward_scratch(args);
    return (nn__opencl_norm_floats(&n, 2) + 2 * (uint64_t)(n.blocks * n.all)) * sizeof(float);
}

static int32_t nn__opencl_norm_backward_units(nn__opencl *device, const void *arguments) {
    (void)arguments;
    return nn__opencl_norm_teams(device) ? 3 : 5;
}

/* dx may lie over dy, so it comes last. */
static nn_result nn__opencl_norm_backward_run(nn__opencl *device, const void *arguments,
                                              int32_t first, int32_t count) {
    const nn_norm_backward_args *args = (const nn_norm_backward_args *)arguments;
    const nn__opencl_norm n = nn__opencl_norm_cut(&args->cut);
    const bool affine = nn__opencl_present(&args->dweight) || nn__opencl_present(&args->dbias),
               blocks = affine && !args->cut.across, dx = nn__opencl_present(&args->dx),
               sums = (affine && args->cut.across) || (dx && !args->fixed);
    nn_result result = NN_OK;
    if (nn__opencl_norm_teams(device))
        return nn__opencl_norm_team_backward(device, args, first, count);
    for (int32_t unit = first; unit < first + count && result == NN_OK; unit++) {
        if (unit == 0 && sums) result = nn__opencl_norm_sums(device, args, &n);
        if (unit == 1 && sums) result = nn__opencl_norm_factors(device, args, &n);
        if (unit == 2 && blocks) result = nn__opencl_norm_blocks(device, args, &n);
        if (unit == 3 && blocks) result = nn__opencl_norm_join(device, args, &n);
        if (unit == 4 && dx) result = nn__opencl_norm_dx(device, args, &n);
    }
    return result;
}

static const char *nn__opencl_norm_backward_refuses(nn__opencl *device, const void *arguments) {
    (void)device;
    return nn__opencl_norm_refuses_cut(&((const nn_norm_backward_args *)arguments)->cut);
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_norm_backward(void) {
    static const nn__opencl_kernel kernel = {
        nn__opencl_norm_backward_refuses, nn__opencl_norm_backward_scratch,
        nn__opencl_norm_backward_units, nn__opencl_norm_backward_run};
    return &kernel;
}

/* ---- running statistics ---------------------------------------------------------------------- */

#define NN__NORM_TRACKS 128 /* items of a launch, at most */

/* How many of the items, of which there are `count`, share their buffers. */
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
    local = device->cpu ? 1 : nn__opencl_group(&launch, 256);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* One unit. */
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
    static const nn__opencl_kernel kernel = {NULL, NULL, NULL, nn__opencl_norm_track_run};
    return &kernel;
}

/* ---- fold ------------------------------------------------------------------------------------ */

static nn_result nn__opencl_norm_fold_run(nn__opencl *device, const void *arguments, int32_t first,
                                          int32_t count) {
    const nn_norm_fold_args *args = (const nn_norm_fold_args *)arguments;
    const int64_t channels = args->weight.shape.extent[0],
                  row = nn__opencl_count(&args->weight) / channels;
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_fold", "");
    (void)first, (void)count; /* one unit */
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
    static const nn__opencl_kernel kernel = {NULL, NULL, NULL, nn__opencl_norm_fold_run};
    return &kernel;
}
