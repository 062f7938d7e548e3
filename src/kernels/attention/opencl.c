/* kernels/attention/opencl.c - attention on OpenCL. The kernels: kernels/attention/opencl.cl,
   opencl_tiles.cl and opencl_mma.cl. */
#include "opencl/private.h"

#define NN__ATTENTION_LANES  16  /* rows per work-item on CPUs */
#define NN__ATTENTION_TILE   32  /* rows per unit on GPUs */
#define NN__ATTENTION_UNITS  64   /* rows per unit on matrix units, whose work-groups have 256 */
#define NN__ATTENTION_BIASES 256 /* numbers of the mask's gradient per unit */
#define NN__ATTENTION_FEW    64  /* one query: keys per turn, and work-items of a group */
#define NN__ATTENTION_FEW_GROUPS 4 /* work-groups of 64 per compute unit that are wanted */

typedef struct nn__opencl_attention {
    int32_t N, H, K, L, S, E, V;
    bool tiles;
    nn__opencl_rounding rounding; /* other than ROUND_NOT: on matrix units */
    int32_t rows; /* rows per unit */
} nn__opencl_attention;

/* True if the program builds with work-groups of 256. Otherwise tiles in f32 take its place. */
static bool nn__opencl_attention_builds(nn__opencl *device, nn__opencl_rounding rounding) {
    signed char *tested = &device->mma_attention[rounding == NN__OPENCL_ROUND_BF16];
    const bool had_error = nn_error_code(device->nn) != NN_OK;
    nn__opencl_program_kernel *found = NULL;
    char options[96];
    if (*tested) return *tested > 0;
    nn__opencl_mma_options(device, rounding, NN__ATTENTION_UNITS, options, sizeof options);
    *tested = nn__opencl_find_kernel(device, "attention", "nn_attention_dkv_mma", options,
                                     &found) == NN_OK &&
                      found->group >= 4 * NN__ATTENTION_UNITS
                  ? 1
                  : -1;
    if (*tested > 0) return true;
    nn__opencl_log(device->nn, "opencl: attention on matrix units did not build, so it is "
                               "computed in f32");
    if (!had_error) nn_clear_error(device->nn);
    return false;
}

/* Returns the format to which attention rounds. Small operands stay in f32, because they would
   leave most of a tile empty. */
static nn__opencl_rounding nn__opencl_attention_rounds(nn__opencl *device,
                                                       const nn_attention_args *args,
                                                       const nn__opencl_attention *a) {
    nn__opencl_rounding rounding;
    if (args->precision <= NN_PRECISION_HIGHEST || device->mma == NN__OPENCL_MMA_NONE ||
        nn__opencl_family_of(device) != NN__OPENCL_TILES || !nn__opencl_mma_fits(device, 128) ||
        (!device->mma_always && (a->L < 32 || a->S < 32 || a->E < 16)))
        return NN__OPENCL_ROUND_NOT;
    /* f16 has more bits than bf16; TF32 holds all of them */
    rounding = nn__opencl_rounding_of(device, args->precision == NN_PRECISION_MEDIUM &&
                                                      (args->k.dtype == NN_F16 ||
                                                       args->v.dtype == NN_F16)
                                                  ? NN_PRECISION_HIGH
                                                  : args->precision);
    return rounding != NN__OPENCL_ROUND_NOT && nn__opencl_attention_builds(device, rounding)
               ? rounding
               : NN__OPENCL_ROUND_NOT;
}

static nn__opencl_attention nn__opencl_attention_of(nn__opencl *device,
                                                    const nn_attention_args *args) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    const int heads = args->heads_inside ? 2 : 1;
    nn__opencl_attention a;
    const int32_t *q = args->q.shape.extent, *k = args->k.shape.extent;
    a.N = q[0], a.H = q[heads], a.L = q[3 - heads], a.E = q[3];
    a.K = k[heads], a.S = k[3 - heads], a.V = args->v.shape.extent[3];
    a.tiles = (family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES) &&
              device->group >= 64; /* small tiles have 8 x 8 work-items */
    a.rounding = nn__opencl_attention_rounds(device, args, &a);
    a.rows = a.rounding != NN__OPENCL_ROUND_NOT ? NN__ATTENTION_UNITS
             : a.tiles                          ? NN__ATTENTION_TILE
                                                : NN__ATTENTION_LANES;
    return a;
}

static int64_t nn__opencl_attention_queries(const nn__opencl_attention *a) {
    return (int64_t)a->N * a->H * nn__opencl_ceil_div(a->L, a->rows);
}
static int64_t nn__opencl_attention_keys(const nn__opencl_attention *a) {
    return (int64_t)a->N * a->K * nn__opencl_ceil_div(a->S, a->rows);
}

/* Returns the side of a work-group of tiles; 0: the "rows" kernels run. */
static int nn__opencl_attention_side(nn__opencl *device, const nn__opencl_attention *a) {
    return !a->tiles ? 0 : nn__opencl_family_of(device) == NN__OPENCL_TILES ? 16 : 8;
}

/* True if q, y or dy is f16 or bf16. */
static bool nn__opencl_attention_others(const nn_attention_args *args) {
    return nn__opencl_stored(&args->q) || nn__opencl_stored(&args->y) ||
           nn__opencl_stored(&args->dy);
}

static const char *nn__opencl_attention_refuses(nn__opencl *device, const void *arguments) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn__opencl_attention a = nn__opencl_attention_of(device, args);
    if (nn__opencl_attention_queries(&a) + nn__opencl_attention_keys(&a) > INT32_MAX / 64)
        return "attention on OpenCL needs fewer than 2^25 blocks of queries and keys";
    if (nn__opencl_present(&args->mask) && nn__opencl_count(&args->mask) > INT32_MAX)
        return "attention on OpenCL needs a mask of fewer than 2^31 elements";
    if (!a.tiles && nn__opencl_attention_others(args))
        return "attention without tiles reads q, y and dy in f32";
    if (!args->heads_inside && (args->q_row || args->k_row || args->v_row))
        return "attention reads parts of longer rows only with the heads inside";
    return NULL;
}

/* True if the kernel takes f16 and bf16 for q, y and dy, and nothing else is stored so. Matrix
   units do, and so do the tiles that replace them for short sequences. */
static bool nn__opencl_attention_halves(nn__opencl *device, const void *arguments) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn_view *others[] = {&args->log_sum, &args->mask, &args->dq,
                               &args->dk,      &args->dv,   &args->dmask};
    for (int i = 0; i < 6; i++)
        if (nn__opencl_stored(others[i])) return false;
    return !nn__opencl_present(&args->dmask) &&
           nn__opencl_attention_rounding(device, args) != NN__OPENCL_ROUND_NOT;
}

/* ---- launching ------------------------------------------------------------------------------- */

/* Begins a launch. side: that of a work-group of tiles; 0: the "rows" kernels. */
static nn__opencl_launch nn__opencl_attention_begin(nn__opencl *device,
                                                    const nn_attention_args *args,
                                                    const char *entry, int side) {
    const nn__opencl_attention a = nn__opencl_attention_of(device, args);
    const int q = nn__opencl_stored(&args->q), dy = nn__opencl_stored(&args->dy),
              y = nn__opencl_stored(&args->y);
    const bool halves =
        q || dy || y || nn__opencl_stored(&args->k) || nn__opencl_stored(&args->v);
    char options[256] = "";
    if (a.rounding != NN__OPENCL_ROUND_NOT)
        nn__opencl_mma_options(device, a.rounding, NN__ATTENTION_UNITS, options, sizeof options);
    else if (side)
        nn__opencl_format(options, sizeof options, "-DNN_ATTENTION_SIDE=%d -DNN_ATTENTION_WIDE=%d",
                          side, a.E > 64 || a.V > 64 ? 128 : 64);
    const size_t length = strlen(options);
    if (halves && options[0])
        nn__opencl_format(options + length, sizeof options - length,
                          q || dy || y ? " -DNN_ATTENTION_HALVES -DNN_ATTENTION_Q=%d "
                                         "-DNN_ATTENTION_DY=%d -DNN_ATTENTION_Y=%d"
                                       : " -DNN_ATTENTION_HALVES",
                          q, dy, y);
    return nn__opencl_begin(device, "attention", entry, options);
}

/* Returns the numbers from one position of q (i 0), k or v (2) to the next. parts: as the args say;
   else the rows follow each other. */
static int32_t nn__opencl_attention_row(const nn_attention_args *args,
                                        const nn__opencl_attention *a, int i, bool parts) {
    const int32_t row = i == 0 ? args->q_row : i == 1 ? args->k_row : args->v_row,
                  width = i == 2 ? a->V : a->E;
    if (!args->heads_inside) return width;
    return parts && row ? row : (i ? a->K : a->H) * width;
}

/* Sets NN_ATTENTION_ARGUMENTS of the kernels. */
static void nn__opencl_attention_give(nn__opencl_launch *launch, const nn__opencl_attention *a,
                                      const nn_attention_args *args, int32_t first) {
    const int32_t *mask = args->mask.shape.extent;
    const bool has = nn__opencl_present(&args->mask);
    const nn_view *views[] = {&args->q,       &args->k,         &args->v,     &args->mask,
                              &args->lengths, &args->positions, &args->starts};
    const uint64_t words[] = {args->seed, args->stream, args->counter};
    int32_t shape[16], more[16];
    memset(more, 0, sizeof more);
    for (int i = 0; i < 7; i++) nn__opencl_view(launch, views[i]);
    shape[0] = a->N, shape[1] = a->H, shape[2] = a->K, shape[3] = a->L;
    shape[4] = a->S, shape[5] = a->E, shape[6] = a->V, shape[7] = args->offset;
    shape[8] = args->window, shape[9] = args->causal, shape[10] = args->heads_inside;
    shape[11] = args->alibi, shape[12] = first;
    if (has) {
        more[0] = args->mask.dtype == NN_F32 ? 1 : 2;
        more[1] = mask[0] > 1 ? mask[1] * mask[2] * mask[3] : 0;
        more[2] = mask[1] > 1 ? mask[2] * mask[3] : 0;
        more[3] = mask[2] > 1 ? mask[3] : 0;
        more[4] = mask[3] > 1;
    }
    for (int i = 0; i < 6; i++)
        more[5 + i] = (int32_t)(uint32_t)(words[i / 2] >> (i % 2 ? 32 : 0));
    more[11] = nn__opencl_stored(&args->k), more[12] = nn__opencl_stored(&args->v);
    for (int i = 0; i < 3; i++) shape[13 + i] = nn__opencl_attention_row(args, a, i, true);
    for (int i = 0; i < 3; i++) more[13 + i] = nn__opencl_attention_row(args, a, i, args->joined);
    nn__opencl_bytes(launch, sizeof shape, shape);
    nn__opencl_bytes(launch, sizeof more, more);
    nn__opencl_float(launch, args->scale);
    nn__opencl_float(launch, args->dropout);
}

/* The arguments before NN_ATTENTION_ARGUMENTS in each kernel. */
typedef struct nn__opencl_attention_pass {
    const char *rows, *tiles, *units; /* names of the kernels */
    const nn_view *views[5];
    int views_count;
    bool status;   /* forward only */
    int side;      /* backward rows: 1 queries, 2 keys */
    uint64_t work; /* bytes of scratch before the blocks of rows */
} nn__opencl_attention_pass;

static nn_result nn__opencl_attention_launch(nn__opencl *device, const nn_attention_args *args,
                                             const nn__opencl_attention_pass *pass, int32_t first,
                                             int32_t count) {
    const nn__opencl_attention a = nn__opencl_attention_of(device, args);
    int side = nn__opencl_attention_side(device, &a);
    const nn_view work = nn__opencl_part(&args->scratch, pass->work, 0);
    nn_view none;
    memset(&none, 0, sizeof none);
    const bool units = a.rounding != NN__OPENCL_ROUND_NOT;
    nn__opencl_launch launch = nn__opencl_attention_begin(
        device, args, units ? pass->units : side ? pass->tiles : pass->rows, side);
    if (!units && side == 16 && launch.result == NN_OK && launch.group < 256)
        launch = nn__opencl_attention_begin(device, args, pass->tiles, side = 8);
    /* work-groups per unit */
    const int32_t each = !units && side == 8 ? NN__ATTENTION_TILE / 16 : 1;
    for (int i = 0; i < pass->views_count; i++) {
        nn__opencl_view(&launch, pass->views[i]);
        /* no second result */
        if (!side && pass->side == 1 && i == 0) nn__opencl_view(&launch, &none);
    }
    if (!side) nn__opencl_view(&launch, &work);
    if (!side && pass->side) nn__opencl_int(&launch, pass->side - 1);
    if (pass->status) {
        nn__opencl_view(&launch, &args->status);
        nn__opencl_uint(&launch, args->step);
    }
    nn__opencl_attention_give(&launch, &a, args, first * each);
    size_t groups[2] = {(size_t)count * (size_t)each, 1}, local[2];
    local[0] = local[1] = side ? (size_t)side : 1;
    if (units) local[0] = 4 * NN__ATTENTION_UNITS, local[1] = 1;
    return nn__opencl_run(&launch, 2, groups, local);
}

/* ---- one query per sequence ------------------------------------------------------------------ */

/* How the keys of each head are divided among work-groups. */
typedef struct nn__opencl_attention_few {
    int32_t parts; /* 0: not divided */
    bool gathers; /* the last work-group of a head joins the parts; else another launch does */
    uint64_t bytes; /* of scratch */
} nn__opencl_attention_few;

static nn__opencl_attention_few nn__opencl_attention_few_of(const nn__opencl *device,
                                                            const nn_attention_args *args,
                                                            const nn__opencl_attention *a) {
    const int64_t heads = (int64_t)a->N * a->H;
    nn__opencl_attention_few few;
    int64_t parts = NN__ATTENTION_FEW_GROUPS * (int64_t)device->units / (heads > 0 ? heads : 1);
    memset(&few, 0, sizeof few);
    if (a->L != 1 || heads == 0 || args->dropout > 0 || a->rounding != NN__OPENCL_ROUND_NOT ||
        nn__opencl_family_of(device) != NN__OPENCL_TILES || a->E > 128 || a->V > 128 ||
        a->E < 1 || a->V < 1 || a->S < NN__ATTENTION_FEW)
        return few;
    if (parts > nn__opencl_ceil_div(a->S, NN__ATTENTION_FEW))
        parts = nn__opencl_ceil_div(a->S, NN__ATTENTION_FEW);
    few.parts = parts < 1 ? 1 : (int32_t)parts;
    few.gathers = device->gathers && heads <= NN__OPENCL_TURNS;
    few.bytes = (uint64_t)heads * (uint64_t)few.parts * (uint64_t)(a->V + 2) * sizeof(float);
    return few;
}

/* Begins a launch. False: the device gives the kernel smaller work-groups than it needs. */
static bool nn__opencl_attention_few_begin(nn__opencl *device, const nn_attention_args *args,
                                           const nn__opencl_attention *a,
                                           const nn__opencl_attention_few *few, const char *entry,
                                           nn__opencl_launch *launch) {
    const bool fours = a->E % 4 == 0 && args->k_row % 4 == 0 &&
                       args->k.offset % (4 * nn_dtype_size(args->k.dtype)) == 0;
    const int q = nn__opencl_stored(&args->q), y = nn__opencl_stored(&args->y);
    const bool halves = q || y || nn__opencl_stored(&args->k) || nn__opencl_stored(&args->v);
    char options[256];
    size_t used = nn__opencl_format(
        options, sizeof options,
        "-DNN_ATTENTION_FEW=%d -DNN_ATTENTION_WIDE=%d -DNN_ATTENTION_VECTOR=%d "
        "-DNN_ATTENTION_GATHER=%d%s",
        NN__ATTENTION_FEW, a->E > 64 || a->V > 64 ? 128 : 64, fours ? 1 : 0, few->gathers ? 1 : 0,
        halves ? " -DNN_ATTENTION_HALVES" : "");
    if (q || y)
        nn__opencl_format(options + used, sizeof options - used,
                          " -DNN_ATTENTION_Q=%d -DNN_ATTENTION_Y=%d", q, y);
    *launch = nn__opencl_begin(device, "attention", entry, options);
    return launch->result < 0 ||
           nn__opencl_group(launch, NN__ATTENTION_FEW) == NN__ATTENTION_FEW;
}

static nn_result nn__opencl_attention_few_join(nn__opencl *device, const nn_attention_args *args,
                                               const nn__opencl_attention *a,
                                               const nn__opencl_attention_few *few,
                                               int32_t first, int32_t count) {
    const nn_view pieces = nn__opencl_part(&args->scratch, 0, few->bytes);
    nn__opencl_launch launch;
    size_t groups = (size_t)count, local = NN__ATTENTION_FEW;
    nn__opencl_attention_few_begin(device, args, a, few, "nn_attention_join", &launch);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->log_sum);
    nn__opencl_view(&launch, &pieces);
    nn__opencl_int(&launch, few->parts);
    nn__opencl_int(&launch, a->V);
    nn__opencl_int(&launch, first);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* Runs heads [first, first + count). *fits false: nothing was done. */
static nn_result nn__opencl_attention_few_run(nn__opencl *device, const nn_attention_args *args,
                                              const nn__opencl_attention *a,
                                              const nn__opencl_attention_few *few, int32_t first,
                                              int32_t count, bool *fits) {
    const nn_view pieces = nn__opencl_part(&args->scratch, 0, few->bytes);
    nn__opencl_launch launch;
    size_t groups[2], local[2] = {NN__ATTENTION_FEW, 1};
    *fits = nn__opencl_attention_few_begin(device, args, a, few, "nn_attention_few", &launch);
    if (launch.result < 0 || !*fits) return launch.result;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->log_sum);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_uint(&launch, args->step);
    nn__opencl_view(&launch, &pieces);
    nn__opencl_turns(&launch, few->gathers);
    nn__opencl_attention_give(&launch, a, args, first);
    groups[0] = (size_t)few->parts, groups[1] = (size_t)count;
    const nn_result result = nn__opencl_run(&launch, 2, groups, local);
    if (result < 0 || few->gathers) return result;
    return nn__opencl_attention_few_join(device, args, a, few, first, count);
}

/* ---- forward --------------------------------------------------------------------------------- */

static int32_t nn__opencl_attention_units(nn__opencl *device, const void *args) {
    const nn__opencl_attention a = nn__opencl_attention_of(device, (const nn_attention_args *)args);
    return (int32_t)nn__opencl_attention_queries(&a);
}

static uint64_t nn__opencl_attention_scratch(nn__opencl *device, const void *args) {
    const nn__opencl_attention a = nn__opencl_attention_of(device, (const nn_attention_args *)args);
    if (a.tiles)
        return nn__opencl_attention_few_of(device, (const nn_attention_args *)args, &a).bytes;
    return (uint64_t)nn__opencl_attention_queries(&a) * NN__ATTENTION_LANES * sizeof(float) *
           (uint64_t)(a.E + a.V);
}

static nn_result nn__opencl_attention_run(nn__opencl *device, const void *arguments, int32_t first,
                                          int32_t count) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn__opencl_attention a = nn__opencl_attention_of(device, args);
    const nn__opencl_attention_few few = nn__opencl_attention_few_of(device, args, &a);
    nn__opencl_attention_pass pass;
    if (few.parts) {
        bool fits;
        const nn_result result =
            nn__opencl_attention_few_run(device, args, &a, &few, first, count, &fits);
        if (fits) return result;
    }
    memset(&pass, 0, sizeof pass);
    pass.rows = "nn_attention_forward_rows";
    pass.tiles = "nn_attention_forward_tiles";
    pass.units = "nn_attention_forward_mma";
    pass.views[pass.views_count++] = &args->y;
    pass.views[pass.views_count++] = &args->log_sum;
    pass.status = true;
    return nn__opencl_attention_launch(device, args, &pass, first, count);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Returns the number of elements of the mask's gradient. */
static int32_t nn__opencl_attention_biases(const nn_attention_args *args) {
    return nn__opencl_present(&args->dmask) ? (int32_t)nn__opencl_count(&args->mask) : 0;
}

/* Units: delta (with tiles, dq's kernel computes it), blocks of queries for dq, blocks of keys for
   dk and dv, numbers of dmask. */
static int32_t nn__opencl_attention_back_units(nn__opencl *device, const void *arguments) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn__opencl_attention a = nn__opencl_attention_of(device, args);
    return (int32_t)(1 + nn__opencl_attention_queries(&a) + nn__opencl_attention_keys(&a)) +
           nn__opencl_ceil_div(nn__opencl_attention_biases(args), NN__ATTENTION_BIASES);
}

static uint64_t nn__opencl_attention_delta_bytes(const nn__opencl_attention *a) {
    return ((uint64_t)a->N * (uint64_t)a->H * (uint64_t)a->L * sizeof(float) + 63) / 64 * 64;
}
static uint64_t nn__opencl_attention_back_scratch(nn__opencl *device, const void *args) {
    const nn__opencl_attention a = nn__opencl_attention_of(device, (const nn_attention_args *)args);
    const int64_t queries = nn__opencl_attention_queries(&a), keys = nn__opencl_attention_keys(&a);
    return nn__opencl_attention_delta_bytes(&a) +
           (a.tiles ? 0
                    : (uint64_t)(queries > keys ? queries : keys) * NN__ATTENTION_LANES *
                          sizeof(float) * (uint64_t)(2 * (a.E + a.V)));
}

static nn_result nn__opencl_attention_delta(nn__opencl *device, const nn_attention_args *args,
                                            const nn__opencl_attention *a, const nn_view *delta) {
    const uint64_t rows = (uint64_t)a->N * (uint64_t)a->H * (uint64_t)a->L;
    nn__opencl_launch launch = nn__opencl_attention_begin(device, args, "nn_attention_delta",
                                                          nn__opencl_attention_side(device, a));
    nn__opencl_view(&launch, delta);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_int(&launch, a->H);
    nn__opencl_int(&launch, a->L);
    nn__opencl_int(&launch, a->V);
    nn__opencl_int(&launch, args->heads_inside);
    nn__opencl_ulong(&launch, rows);
    return nn__opencl_run_flat(&launch, rows, 64);
}

static nn_result nn__opencl_attention_dmask(nn__opencl *device, const nn_attention_args *args,
                                            const nn__opencl_attention *a, const nn_view *delta,
                                            int32_t first, int32_t count) {
    const int32_t from = first * NN__ATTENTION_BIASES,
                  left = nn__opencl_attention_biases(args) - from;
    const int32_t numbers = count > left / NN__ATTENTION_BIASES ? left
                                                                : count * NN__ATTENTION_BIASES;
    nn__opencl_launch launch = nn__opencl_attention_begin(device, args, "nn_attention_dmask",
                                                          nn__opencl_attention_side(device, a));
    nn__opencl_view(&launch, &args->dmask);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->log_sum);
    nn__opencl_view(&launch, delta);
    nn__opencl_bytes(&launch, 4 * sizeof(int32_t), args->mask.shape.extent);
    nn__opencl_int(&launch, numbers);
    nn__opencl_attention_give(&launch, a, args, from);
    return nn__opencl_run_flat(&launch, (uint64_t)numbers, 64);
}

static nn_result nn__opencl_attention_back_run(nn__opencl *device, const void *arguments,
                                               int32_t first, int32_t count) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn__opencl_attention a = nn__opencl_attention_of(device, args);
    const int32_t queries = (int32_t)nn__opencl_attention_queries(&a);
    const uint64_t delta_bytes = nn__opencl_attention_delta_bytes(&a);
    const nn_view delta = nn__opencl_part(&args->scratch, 0, delta_bytes);
    nn__opencl_attention_pass pass;
    nn_result result = NN_OK;
    int32_t end = first + count;
    memset(&pass, 0, sizeof pass);
    pass.work = delta_bytes;
    if (first == 0) {
        if (!a.tiles || a.rounding != NN__OPENCL_ROUND_NOT || !nn__opencl_present(&args->dq))
            result = nn__opencl_attention_delta(device, args, &a, &delta);
        first++;
    }
    first--, end--; /* from now on counted from the first block of queries */
    const int32_t stop = end < queries ? end : queries;
    if (result == NN_OK && first < stop && nn__opencl_present(&args->dq)) {
        const nn_view *views[5] = {&args->dq, &args->dy, &args->y, &args->log_sum, &delta};
        for (int i = 0; i < 5; i++) /* only tiles read y */
            if ((a.tiles && a.rounding == NN__OPENCL_ROUND_NOT) || i != 2)
                pass.views[pass.views_count++] = views[i];
        pass.rows = "nn_attention_backward_rows";
        pass.side = 1;
        pass.tiles = "nn_attention_dq_tiles";
        pass.units = "nn_attention_dq_mma";
        result = nn__opencl_attention_launch(device, args, &pass, first, stop - first);
    }
    if (first < queries) first = queries;
    const int32_t both = queries + (int32_t)nn__opencl_attention_keys(&a);
    const int32_t close = end < both ? end : both;
    if (result == NN_OK && first < close &&
        (nn__opencl_present(&args->dk) || nn__opencl_present(&args->dv))) {
        const nn_view *views[5] = {&args->dk, &args->dv, &args->dy, &args->log_sum, &delta};
        memcpy(pass.views, views, sizeof views);
        pass.views_count = 5;
        pass.rows = "nn_attention_backward_rows";
        pass.side = 2;
        pass.tiles = "nn_attention_dkv_tiles";
        pass.units = "nn_attention_dkv_mma";
        result = nn__opencl_attention_launch(device, args, &pass, first - queries, close - first);
    }
    if (first < both) first = both;
    if (result == NN_OK && first < end)
        result = nn__opencl_attention_dmask(device, args, &a, &delta, first - both, end - first);
    return result;
}

#undef NN__ATTENTION_LANES
#undef NN__ATTENTION_TILE
#undef NN__ATTENTION_UNITS
#undef NN__ATTENTION_BIASES
#undef NN__ATTENTION_FEW
#undef NN__ATTENTION_FEW_GROUPS

NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_attention_rounding(
    nn__opencl *device, const nn_attention_args *args) {
    return nn__opencl_attention_of(device, args).rounding;
}

static const nn__opencl_kernel nn__opencl_attention_forward = {
    nn__opencl_attention_refuses, nn__opencl_attention_scratch, nn__opencl_attention_units,
    nn__opencl_attention_run, nn__opencl_attention_halves};
static const nn__opencl_kernel nn__opencl_attention_backward = {
    nn__opencl_attention_refuses, nn__opencl_attention_back_scratch,
    nn__opencl_attention_back_units, nn__opencl_attention_back_run, nn__opencl_attention_halves};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_attention_forward(void) {
    return &nn__opencl_attention_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_attention_backward(void) {
    return &nn__opencl_attention_backward;
}
