/* kernels/norm/opencl_teams.c - norms on OpenCL. Forward is one launch if a team of work-items
   can process a set, and two if sets are cut into pieces. Backward is one to three launches, which
   also sum the gradients of weight and bias. A unit is a launch. kernels/norm/opencl_teams.cl has
   the kernels. */
#include "kernels/norm/opencl.h"

#define NN__NORM_GROUP  256  /* work-items per group, as in the kernels */
#define NN__NORM_PIECE  8192 /* numbers per piece */
#define NN__NORM_PLACES 64   /* most rows of a block, as in the kernels */
#define NN__NORM_EACH   8    /* numbers per work-item, approximately */
#define NN__NORM_SIDE   16   /* neighbours that one memory read brings */

/* Sets, or lines of sets, and their pieces. */
typedef struct nn__opencl_teams {
    int64_t sets, size, run, jump, inner, pieces, piece;
    bool across;
} nn__opencl_teams;

static void nn__opencl_teams_pieces(nn__opencl_teams *t) {
    t->pieces = (t->size + NN__NORM_PIECE - 1) / NN__NORM_PIECE;
    if (t->pieces > 64) t->pieces = 64;
    t->piece = (t->size + t->pieces - 1) / t->pieces;
    t->pieces = (t->size + t->piece - 1) / t->piece;
}

static nn__opencl_teams nn__opencl_teams_of(const nn_norm_cut *cut) {
    nn__opencl_teams t;
    t.across = cut->across;
    t.inner = cut->inner;
    t.sets = cut->across ? cut->groups : cut->outer * cut->groups;
    t.run = cut->across ? cut->inner : cut->channels * cut->inner;
    t.jump = cut->across ? cut->groups * cut->inner : cut->inner;
    t.size = cut->across ? cut->outer * cut->inner : t.run;
    nn__opencl_teams_pieces(&t);
    return t;
}

static int64_t nn__opencl_teams_channels(const nn_norm_cut *cut) {
    return (int64_t)cut->groups * cut->channels;
}

/* Begins a launch of the program for the dtypes of x, y, dy and dx. NULL: f32. */
static nn__opencl_launch nn__opencl_teams_begin(nn__opencl *device, const char *entry,
                                                const nn_view *x, const nn_view *y,
                                                const nn_view *dy, const nn_view *dx) {
    const int types[4] = {nn__opencl_stored(x), nn__opencl_stored(y), nn__opencl_stored(dy),
                          nn__opencl_stored(dx)};
    char options[96];
    if (!types[0] && !types[1] && !types[2] && !types[3])
        return nn__opencl_begin(device, "norm", entry, "");
    nn__opencl_format(options, sizeof options,
                      "-DNN_NORM_X=%d -DNN_NORM_Y=%d -DNN_NORM_DY=%d -DNN_NORM_DX=%d", types[0],
                      types[1], types[2], types[3]);
    return nn__opencl_begin(device, "norm", entry, options);
}

static nn_view nn__opencl_teams_part(const nn_view *scratch, uint64_t from, uint64_t floats) {
    return nn__opencl_part(scratch, from * sizeof(float), floats * sizeof(float));
}

/* Chooses the work-items of a group (*local) and returns its number of teams. If
   there are few sets, smaller groups spread them over the device. */
static uint32_t nn__opencl_teams_choose(const nn__opencl_launch *launch, int64_t count,
                                        int64_t numbers, int64_t side, size_t *local) {
    size_t lanes = 1, teams;
    *local = nn__opencl_group(launch, NN__NORM_GROUP);
    while (lanes < *local && (int64_t)lanes * NN__NORM_EACH < numbers) lanes *= 2;
    while (lanes > 1 && (int64_t)(*local / lanes) < side) lanes /= 2;
    teams = *local / lanes;
    while (side <= 1 && teams > 1 && *local > 32 &&
           count / (int64_t)teams < (int64_t)launch->device->units) {
        teams /= 2;
        *local /= 2;
    }
    return (uint32_t)teams;
}

/* Returns how many neighbouring sets should be side by side in a group. */
static int64_t nn__opencl_teams_side(const nn__opencl_teams *t) {
    return t->across && t->inner < NN__NORM_SIDE ? NN__NORM_SIDE / t->inner : 1;
}

/* Passes the arguments that describe the sets. Returns the number of teams per group. */
static uint32_t nn__opencl_teams_give(nn__opencl_launch *launch, const nn__opencl_teams *t,
                                      size_t *local) {
    const uint32_t teams = nn__opencl_teams_choose(launch, t->sets * t->pieces, t->piece,
                                                   nn__opencl_teams_side(t), local);
    nn__opencl_uint(launch, (uint32_t)t->inner);
    nn__opencl_ulong(launch, (uint64_t)t->jump);
    nn__opencl_ulong(launch, (uint64_t)t->run);
    nn__opencl_uint(launch, (uint32_t)t->size);
    nn__opencl_uint(launch, (uint32_t)t->pieces);
    nn__opencl_uint(launch, (uint32_t)t->piece);
    nn__opencl_ulong(launch, (uint64_t)t->sets);
    nn__opencl_uint(launch, teams);
    nn__opencl_int(launch, t->across);
    return teams;
}

static size_t nn__opencl_teams_groups(int64_t count, uint32_t teams) {
    return (size_t)((count + teams - 1) / teams);
}

/* ---- forward --------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE uint64_t nn__opencl_norm_team_scratch(const nn_norm_args *args) {
    const nn__opencl_teams t = nn__opencl_teams_of(&args->cut);
    return 2 * (uint64_t)(t.sets * t.pieces) * sizeof(float);
}

static nn_result nn__opencl_teams_moments(nn__opencl *device, const nn_norm_args *args,
                                          const nn__opencl_teams *t, const nn_view *parts) {
    nn__opencl_launch launch = nn__opencl_teams_begin(device, "nn_norm_team_pieces", &args->x, NULL,
                                                      NULL, NULL);
    size_t local, groups;
    nn__opencl_view(&launch, parts);
    nn__opencl_view(&launch, &args->x);
    groups = nn__opencl_teams_groups(t->sets * t->pieces,
                                     nn__opencl_teams_give(&launch, t, &local));
    nn__opencl_int(&launch, args->rms);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

static nn_result nn__opencl_teams_apply(nn__opencl *device, const nn_norm_args *args,
                                        const nn__opencl_teams *t, const nn_view *parts) {
    nn__opencl_launch launch = nn__opencl_teams_begin(device, "nn_norm_team_forward", &args->x,
                                                      &args->y, NULL, NULL);
    size_t local, groups;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->bias);
    nn__opencl_view(&launch, parts);
    nn__opencl_view(&launch, &args->running_mean);
    nn__opencl_view(&launch, &args->running_var);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_view(&launch, &args->rstd);
    nn__opencl_view(&launch, &args->variance);
    groups = nn__opencl_teams_groups(t->sets * t->pieces,
                                     nn__opencl_teams_give(&launch, t, &local));
    nn__opencl_uint(&launch, (uint32_t)args->cut.channels);
    nn__opencl_uint(&launch, (uint32_t)args->cut.groups);
    nn__opencl_float(&launch, args->epsilon);
    nn__opencl_int(&launch, args->rms);
    nn__opencl_int(&launch, (int32_t)args->activation);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_norm_team_forward(nn__opencl *device,
                                                          const nn_norm_args *args, int32_t first,
                                                          int32_t count) {
    const nn__opencl_teams t = nn__opencl_teams_of(&args->cut);
    const bool apart = t.pieces > 1 && !nn__opencl_present(&args->running_mean);
    nn_view parts;
    nn_result result = NN_OK;
    memset(&parts, 0, sizeof parts);
    if (apart) parts = nn__opencl_teams_part(&args->scratch, 0, 2 * (uint64_t)(t.sets * t.pieces));
    if (first == 0 && apart) result = nn__opencl_teams_moments(device, args, &t, &parts);
    if (result == NN_OK && first <= 1 && first + count > 1)
        result = nn__opencl_teams_apply(device, args, &t, &parts);
    return result;
}

/* ---- backward: rows whose numbers have a weight each ----------------------------------------- */

/* Blocks of rows, and whether the rows are first cut into pieces. */
typedef struct nn__opencl_rows {
    int64_t all, outer, places, blocks, columns;
    bool cut;
} nn__opencl_rows;

static nn__opencl_rows nn__opencl_rows_of(const nn_norm_cut *cut) {
    nn__opencl_rows r;
    r.all = cut->channels;
    r.outer = cut->outer;
    r.cut = r.all > NN__NORM_PIECE && r.outer <= NN__NORM_PLACES;
    r.columns = r.cut ? NN__NORM_GROUP * 4 : r.all;
    r.places = 4;
    while (r.places < NN__NORM_PLACES && (r.cut ? r.places < r.outer : r.places * 256 < r.outer))
        r.places *= 2;
    r.blocks = (r.outer + r.places - 1) / r.places;
    return r;
}

static nn__opencl_launch nn__opencl_rows_begin(nn__opencl *device,
                                               const nn_norm_backward_args *args, bool more) {
    char options[96];
    if (!more)
        return nn__opencl_teams_begin(device, "nn_norm_team_rows", &args->x, NULL, &args->dy,
                                      &args->dx);
    nn__opencl_format(options, sizeof options,
                      "-DNN_NORM_X=%d -DNN_NORM_DY=%d -DNN_NORM_RESIDUAL=1",
                      nn__opencl_stored(&args->x), nn__opencl_stored(&args->dy));
    return nn__opencl_begin(device, "norm", "nn_norm_team_rows", options);
}

static nn_result nn__opencl_rows_run(nn__opencl *device, const nn_norm_backward_args *args,
                                     const nn__opencl_rows *r, const nn__opencl_teams *t,
                                     const nn_view *parts, const nn_view *blocks) {
    const bool more = nn__opencl_present(&args->residual);
    nn__opencl_launch launch = nn__opencl_rows_begin(device, args, more);
    size_t groups[2], local[2];
    nn__opencl_view(&launch, &args->dx);
    nn__opencl_view(&launch, &args->dweight);
    nn__opencl_view(&launch, &args->dbias);
    nn__opencl_view(&launch, blocks);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_view(&launch, &args->rstd);
    nn__opencl_view(&launch, parts);
    nn__opencl_uint(&launch, (uint32_t)r->all);
    nn__opencl_uint(&launch, (uint32_t)r->columns);
    nn__opencl_ulong(&launch, (uint64_t)r->outer);
    nn__opencl_uint(&launch, (uint32_t)r->places);
    nn__opencl_uint(&launch, (uint32_t)t->pieces);
    nn__opencl_int(&launch, nn__opencl_present(&args->dx) && !args->fixed);
    nn__opencl_int(&launch, args->accumulate);
    if (more) nn__opencl_view(&launch, &args->residual);
    local[0] = nn__opencl_group(&launch, NN__NORM_GROUP), local[1] = 1;
    groups[0] = (size_t)((r->all + r->columns - 1) / r->columns), groups[1] = (size_t)r->blocks;
    return nn__opencl_run(&launch, 2, groups, local);
}

static nn_result nn__opencl_rows_join(nn__opencl *device, const nn_norm_backward_args *args,
                                      const nn__opencl_rows *r, const nn_view *blocks) {
    nn__opencl_launch launch = nn__opencl_begin(device, "norm", "nn_norm_team_blocks", "");
    size_t local, groups;
    const uint32_t teams =
        nn__opencl_teams_choose(&launch, r->all, r->blocks, NN__NORM_SIDE, &local);
    nn__opencl_view(&launch, &args->dweight);
    nn__opencl_view(&launch, &args->dbias);
    nn__opencl_view(&launch, blocks);
    nn__opencl_uint(&launch, (uint32_t)r->all);
    nn__opencl_uint(&launch, (uint32_t)r->blocks);
    nn__opencl_uint(&launch, teams);
    nn__opencl_int(&launch, args->accumulate);
    groups = nn__opencl_teams_groups(r->all, teams);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Returns the sets from which dx is computed: sets across, or the lines of sets, with one channel
   per line and `per` lines per set. Without weights and their gradients, a whole set is one
   line. */
static nn__opencl_teams nn__opencl_teams_lines(const nn_norm_backward_args *args, int64_t *per) {
    const nn_norm_cut *cut = &args->cut;
    nn__opencl_teams t = nn__opencl_teams_of(cut);
    *per = 1;
    if (cut->across || nn__opencl_rows_are(cut)) return t;
    if (!nn__opencl_present(&args->weight) && !nn__opencl_present(&args->dweight) &&
        !nn__opencl_present(&args->dbias)) {
        t.inner = t.jump = t.run;
        return t;
    }
    *per = cut->channels;
    t.sets = cut->outer * nn__opencl_teams_channels(cut);
    t.size = t.run = t.jump = cut->inner;
    nn__opencl_teams_pieces(&t);
    return t;
}

static nn_result nn__opencl_teams_sums(nn__opencl *device, const nn_norm_backward_args *args,
                                       const nn__opencl_teams *t, int64_t per,
                                       const nn_view *parts) {
    nn__opencl_launch launch = nn__opencl_teams_begin(device, "nn_norm_team_sums", &args->x, NULL,
                                                      &args->dy, NULL);
    nn_view weight = args->weight;
    size_t local, groups;
    if (!nn__opencl_rows_are(&args->cut)) memset(&weight, 0, sizeof weight);
    nn__opencl_view(&launch, parts);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &weight);
    nn__opencl_view(&launch, &args->mean);
    groups = nn__opencl_teams_groups(t->sets * t->pieces,
                                     nn__opencl_teams_give(&launch, t, &local));
    nn__opencl_uint(&launch, (uint32_t)per);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

static nn_result nn__opencl_teams_dx(nn__opencl *device, const nn_norm_backward_args *args,
                                     const nn__opencl_teams *t, int64_t per,
                                     const nn_view *parts) {
    const int64_t all = nn__opencl_teams_channels(&args->cut);
    const bool affine = nn__opencl_present(&args->dweight) || nn__opencl_present(&args->dbias);
    nn__opencl_launch launch = nn__opencl_teams_begin(device, "nn_norm_team_dx", &args->x, NULL,
                                                      &args->dy, &args->dx);
    size_t local, groups, dx_groups = 0;
    nn__opencl_view(&launch, &args->dx);
    nn__opencl_view(&launch, &args->dweight);
    nn__opencl_view(&launch, &args->dbias);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->mean);
    nn__opencl_view(&launch, &args->rstd);
    nn__opencl_view(&launch, parts);
    const uint32_t teams = nn__opencl_teams_give(&launch, t, &local);
    if (args->cut.across || nn__opencl_present(&args->dx))
        dx_groups = nn__opencl_teams_groups(t->sets * t->pieces, teams);
    groups = dx_groups;
    if (affine && !args->cut.across) groups += nn__opencl_teams_groups(all, teams);
    nn__opencl_uint(&launch, (uint32_t)per);
    nn__opencl_uint(&launch, (uint32_t)all);
    nn__opencl_ulong(&launch, (uint64_t)args->cut.outer);
    nn__opencl_ulong(&launch, (uint64_t)dx_groups);
    nn__opencl_int(&launch, args->fixed);
    nn__opencl_int(&launch, args->accumulate);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

NN__OPENCL_PRIVATE uint64_t
nn__opencl_norm_team_backward_scratch(const nn_norm_backward_args *args) {
    int64_t per;
    const nn__opencl_teams t = nn__opencl_teams_lines(args, &per);
    const nn__opencl_rows r = nn__opencl_rows_of(&args->cut);
    uint64_t floats = 2 * (uint64_t)(t.sets * t.pieces);
    if (nn__opencl_rows_are(&args->cut)) floats += 2 * (uint64_t)(r.blocks * r.all);
    return floats * sizeof(float);
}

/* dx may be dy itself: a launch that writes dx reads only those numbers of dy that the same
   work-item writes later. */
NN__OPENCL_PRIVATE nn_result nn__opencl_norm_team_backward(nn__opencl *device,
                                                           const nn_norm_backward_args *args,
                                                           int32_t first, int32_t count) {
    int64_t per;
    const nn__opencl_teams t = nn__opencl_teams_lines(args, &per);
    const nn__opencl_rows r = nn__opencl_rows_of(&args->cut);
    const bool rows = nn__opencl_rows_are(&args->cut),
               affine = nn__opencl_present(&args->dweight) || nn__opencl_present(&args->dbias),
               moved = nn__opencl_present(&args->dx) && !args->fixed,
               wanted = rows ? moved && r.cut : (affine || moved) && (per > 1 || t.pieces > 1 ||
                                                                 (affine && !args->cut.across));
    const uint64_t floats = 2 * (uint64_t)(t.sets * t.pieces);
    nn_view parts, blocks;
    nn_result result = NN_OK;
    memset(&parts, 0, sizeof parts);
    memset(&blocks, 0, sizeof blocks);
    if (wanted) parts = nn__opencl_teams_part(&args->scratch, 0, floats);
    if (rows && affine && r.blocks > 1)
        blocks = nn__opencl_teams_part(&args->scratch, floats, 2 * (uint64_t)(r.blocks * r.all));
    for (int32_t unit = first; unit < first + count && result == NN_OK; unit++) {
        if (unit == 0 && wanted) result = nn__opencl_teams_sums(device, args, &t, per, &parts);
        if (unit == 1)
            result = rows ? nn__opencl_rows_run(device, args, &r, &t, &parts, &blocks)
                          : nn__opencl_teams_dx(device, args, &t, per, &parts);
        if (unit == 2 && nn__opencl_present(&blocks))
            result = nn__opencl_rows_join(device, args, &r, &blocks);
    }
    return result;
}

#undef NN__NORM_GROUP
#undef NN__NORM_PIECE
#undef NN__NORM_PLACES
#undef NN__NORM_EACH
#undef NN__NORM_SIDE
