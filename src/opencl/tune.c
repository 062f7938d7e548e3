/* opencl/tune.c - nn_opencl_tune: runs each shape with every possible tile and stores the fastest.
   The tiles are listed beside their kernels (opencl_choice.c); opencl/choice.c uses the results. */
#include "opencl/private.h"

#define NN__OPENCL_TUNE_SECONDS 30.0
#define NN__OPENCL_TUNE_ROUNDS  3         /* the fastest round counts */
#define NN__OPENCL_TUNE_SPAN    2000000u  /* approximate time of a round, in ns */
#define NN__OPENCL_TUNE_RUNS    50        /* most runs in a round */
/* a tile wins if the judged one takes at least this percentage of its time */
#define NN__OPENCL_TUNE_BETTER  103u
#define NN__OPENCL_TUNE_TILES   40

/* ---- shapes ---------------------------------------------------------------------------------- */

typedef struct nn__opencl_shapes {
    nn__opencl *device;
    nn__opencl_shape *list;
    int count, room;
    bool no_memory;
} nn__opencl_shapes;

static void nn__opencl_tune_add(nn__opencl_shapes *shapes, const nn__opencl_shape *shape) {
    nn_context *nn = shapes->device->nn;
    for (int i = 0; i < shapes->count; i++)
        if (shapes->list[i].kernel == shape->kernel &&
            memcmp(shapes->list[i].numbers, shape->numbers, sizeof shape->numbers) == 0)
            return;
    if (shapes->count == shapes->room) {
        const int room = shapes->room ? 2 * shapes->room : 64;
        nn__opencl_shape *more =
            (nn__opencl_shape *)nn_take_memory(nn, (size_t)room * sizeof *more);
        if (!more) {
            shapes->no_memory = true;
            return;
        }
        if (shapes->count) memcpy(more, shapes->list, (size_t)shapes->count * sizeof *more);
        nn_give_memory(nn, shapes->list, (size_t)shapes->room * sizeof *more);
        shapes->list = more;
        shapes->room = room;
    }
    shapes->list[shapes->count++] = *shape;
}

static void nn__opencl_tune_visit(void *user, nn_device device, int kernel, const void *args) {
    nn__opencl_shapes *shapes = (nn__opencl_shapes *)user;
    nn__opencl_shape shape;
    if (nn_same_device(device, shapes->device->device) &&
        nn__opencl_shape_of((nn_kernel)kernel, args, &shape))
        nn__opencl_tune_add(shapes, &shape);
}

static void nn__opencl_tune_usual_product(nn__opencl_shapes *shapes, int32_t m, int32_t n,
                                          int32_t k) {
    nn_gemm_args g;
    nn__opencl_shape shape;
    for (int turned = 0; turned < 3; turned++) { /* y = x w^T, dx = dy w, dw = dy^T x */
        memset(&g, 0, sizeof g);
        g.m = turned == 2 ? n : m;
        g.n = turned == 0 ? n : k;
        g.k = turned == 0 ? k : turned == 1 ? n : m;
        g.transpose_b = turned == 0;
        g.transpose_a = turned == 2;
        g.a.dtype = g.b.dtype = NN_F32;
        nn__opencl_shape_of(NN_KERNEL_GEMM, &g, &shape);
        nn__opencl_tune_add(shapes, &shape);
    }
}

/* Adds convolutions of 32 images: channels of x and y, extent of x, kernel size, stride. */
static void nn__opencl_tune_usual_convolution(nn__opencl_shapes *shapes, int32_t c, int32_t k,
                                              int32_t places, int32_t taps, int32_t stride) {
    static const nn_kernel kernels[] = {NN_KERNEL_CONV2D_FORWARD, NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                        NN_KERNEL_CONV2D_BACKWARD_WEIGHT};
    const int32_t out = (places + taps / 2 * 2 - taps) / stride + 1;
    const int32_t x[] = {32, c, places, places}, y[] = {32, k, out, out};
    nn_conv2d_args a;
    nn__opencl_shape shape;
    memset(&a, 0, sizeof a);
    a.x.shape = nn_make_shape(x, 4);
    a.y.shape = nn_make_shape(y, 4);
    a.weight.dtype = NN_F32;
    a.params.kernel_h = a.params.kernel_w = taps;
    a.params.stride_h = a.params.stride_w = stride;
    a.params.padding_h = a.params.padding_w = taps / 2;
    a.params.dilation_h = a.params.dilation_w = a.params.groups = 1;
    for (int i = 0; i < 3; i++) {
        nn__opencl_shape_of(kernels[i], &a, &shape);
        nn__opencl_tune_add(shapes, &shape);
    }
}

/* From fast to slow, because the time is limited. */
static void nn__opencl_tune_usual(nn__opencl_shapes *shapes) {
    static const int32_t products[][3] = {{64, 128, 784},    {64, 512, 512},    {64, 1024, 1024},
                                          {256, 256, 256},   {256, 1024, 1024}, {512, 512, 512},
                                          {1024, 1024, 1024}, {1024, 768, 3072},
                                          {2048, 2048, 2048}, {4096, 4096, 4096}};
    static const int32_t convolutions[][5] = {
        {16, 32, 28, 3, 1},   {32, 64, 28, 3, 1},   {64, 64, 56, 1, 1},   {512, 512, 7, 3, 1},
        {256, 256, 14, 3, 1}, {128, 128, 28, 3, 1}, {64, 64, 56, 3, 1},   {256, 512, 14, 3, 2},
        {128, 256, 28, 3, 2}, {64, 128, 56, 3, 2},  {256, 1024, 14, 1, 1}, {3, 64, 224, 7, 2}};
    for (size_t i = 0; i < sizeof convolutions / sizeof convolutions[0]; i++) {
        if (i < sizeof products / sizeof products[0])
            nn__opencl_tune_usual_product(shapes, products[i][0], products[i][1], products[i][2]);
        nn__opencl_tune_usual_convolution(shapes, convolutions[i][0], convolutions[i][1],
                                          convolutions[i][2], convolutions[i][3],
                                          convolutions[i][4]);
    }
}

/* ---- one shape ------------------------------------------------------------------------------- */

typedef struct nn__opencl_tuner {
    nn__opencl *device;
    nn_kernel kernel;
    nn__opencl_shape_args args;
    nn_view *views[4]; /* operands, result, scratch; NULL: none */
    uint64_t bytes[4];
    nn__opencl_choice tiles[NN__OPENCL_TUNE_TILES]; /* the first is the judged one */
    nn__opencl_choice taken[NN__OPENCL_TUNE_TILES];
    uint64_t time[NN__OPENCL_TUNE_TILES]; /* ns of one run; 0: out of the race */
    int32_t runs[NN__OPENCL_TUNE_TILES];
    int count;
} nn__opencl_tuner;

static uint64_t nn__opencl_tune_now(const nn__opencl *device) {
    const nn_clock *clock = &nn_context_desc(device->nn)->clock;
    return clock->now ? clock->now(clock->user) : 0;
}

/* Adds a tile, unless it gives the same choice as an earlier one. */
static void nn__opencl_tune_add_tile(nn__opencl_tuner *tuner, int32_t tile, int32_t splits) {
    const int at = tuner->count;
    uint64_t scratch;
    if (at == NN__OPENCL_TUNE_TILES) return;
    tuner->device->trial.tile = tile;
    tuner->device->trial.splits = splits;
    tuner->tiles[at] = tuner->device->trial;
    tuner->taken[at] = nn__opencl_taken(tuner->device, tuner->kernel, &tuner->args);
    for (int i = 0; i < at; i++)
        if (tuner->taken[i].tile == tuner->taken[at].tile &&
            tuner->taken[i].splits == tuner->taken[at].splits)
            return;
    scratch = tuner->device->backend.scratch_bytes(tuner->device, tuner->kernel, &tuner->args);
    if (scratch > tuner->bytes[3]) tuner->bytes[3] = scratch;
    tuner->count++;
}

/* Lists each tile with the number of sums that its rule chooses, with half of it, and with twice
   that number. */
static void nn__opencl_tune_list(nn__opencl_tuner *tuner) {
    int count = 0;
    tuner->count = 0;
    nn__opencl_tile_names(tuner->kernel, &count);
    nn__opencl_tune_add_tile(tuner, 0, 0);
    for (int32_t tile = 1; tile < count; tile++) {
        const int before = tuner->count;
        int32_t splits;
        if (!nn__opencl_fits(tuner->device, tuner->kernel, &tuner->args, tile)) continue;
        nn__opencl_tune_add_tile(tuner, tile, 0);
        splits = before < NN__OPENCL_TUNE_TILES ? tuner->taken[before].splits : 1;
        nn__opencl_tune_add_tile(tuner, tile, splits / 2 > 0 ? splits / 2 : 1);
        nn__opencl_tune_add_tile(tuner, tile, splits * 2);
    }
}

static void nn__opencl_tune_views(nn__opencl_tuner *tuner, const nn__opencl_shape *shape) {
    nn__opencl_args_of(shape, &tuner->args);
    memset(tuner->bytes, 0, sizeof tuner->bytes);
    if (shape->kernel == NN_KERNEL_GEMM) {
        tuner->views[0] = &tuner->args.gemm.a;
        tuner->views[1] = &tuner->args.gemm.b;
        tuner->views[2] = &tuner->args.gemm.y;
        tuner->views[3] = &tuner->args.gemm.scratch;
    } else {
        tuner->views[0] = &tuner->args.conv.x;
        tuner->views[1] = &tuner->args.conv.weight;
        tuner->views[2] = &tuner->args.conv.y;
        tuner->views[3] = &tuner->args.conv.scratch;
    }
    for (int i = 0; i < 3; i++)
        if (nn__opencl_present(tuner->views[i]))
            tuner->bytes[i] = (uint64_t)nn__opencl_count(tuner->views[i]) *
                              (uint64_t)nn_dtype_size(tuner->views[i]->dtype);
}

static void nn__opencl_tune_release(nn__opencl_tuner *tuner) {
    for (int i = 0; i < 4; i++)
        if (tuner->views[i]->handle)
            tuner->device->backend.release(tuner->device, tuner->views[i]->handle,
                                           tuner->bytes[i]);
}

/* Fills operands with ordinary numbers: 0x3c3c3c3c is 0.0115, as a half 1.06. */
static nn_result nn__opencl_tune_allocate(nn__opencl_tuner *tuner) {
    nn__opencl *device = tuner->device;
    nn_result result = NN_OK;
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) sum += tuner->bytes[i];
    if (device->memory > 0 && sum > device->memory / 2) return NN_ERROR_MEMORY;
    for (int i = 0; i < 4 && result >= 0; i++) {
        if (!tuner->bytes[i]) continue;
        result = device->backend.alloc(device, tuner->bytes[i], &tuner->views[i]->handle);
        if (result >= 0)
            result = device->backend.fill(device, tuner->views[i]->handle, 0, tuner->bytes[i],
                                          0x3c);
    }
    tuner->views[3]->dtype = NN_U8;
    tuner->views[3]->shape.rank = 1;
    tuner->views[3]->shape.extent[0] =
        tuner->bytes[3] < INT32_MAX ? (int32_t)tuner->bytes[3] : INT32_MAX;
    return result;
}

/* Returns the time of `runs` runs in ns, or a negative nn_result. */
static int64_t nn__opencl_tune_run(nn__opencl_tuner *tuner, int tile, int32_t runs) {
    nn__opencl *device = tuner->device;
    const nn_range all = {0, -1};
    nn_result result = NN_OK;
    uint64_t start, end;
    device->trial = tuner->tiles[tile];
    start = nn__opencl_tune_now(device);
    for (int32_t i = 0; i < runs && result >= 0; i++)
        result = device->backend.kernels[tuner->kernel](device, tuner->kernel, &tuner->args, all);
    if (result >= 0) result = device->backend.finish(device);
    end = nn__opencl_tune_now(device);
    if (result < 0) return result;
    return end > start ? (int64_t)(end - start) : 1;
}

/* Clears the error of a tile that failed, since it is not the program's error. */
static void nn__opencl_tune_forgive(nn_context *nn, bool had_error) {
    if (!had_error) nn_clear_error(nn);
}

static nn_result nn__opencl_tune_race(nn__opencl_tuner *tuner) {
    nn_context *nn = tuner->device->nn;
    const bool had_error = nn_error_code(nn) != NN_OK;
    uint64_t fastest = UINT64_MAX;
    for (int i = 0; i < tuner->count; i++) {
        int64_t time = nn__opencl_tune_run(tuner, i, 1); /* builds the program */
        if (time >= 0) time = nn__opencl_tune_run(tuner, i, 1);
        if (time < 0 && i == 0) return (nn_result)time;
        if (time < 0) nn__opencl_tune_forgive(nn, had_error);
        tuner->time[i] = time < 0 ? 0 : (uint64_t)time;
        if (time >= 0 && (uint64_t)time < fastest) fastest = (uint64_t)time;
        tuner->runs[i] = time <= 0 ? 1 : (int32_t)(NN__OPENCL_TUNE_SPAN / (uint64_t)time);
        if (tuner->runs[i] < 1) tuner->runs[i] = 1;
        if (tuner->runs[i] > NN__OPENCL_TUNE_RUNS) tuner->runs[i] = NN__OPENCL_TUNE_RUNS;
    }
    for (int i = 1; i < tuner->count; i++)
        if (tuner->time[i] / 2 > fastest) tuner->time[i] = 0;
    for (int round = 0; round < NN__OPENCL_TUNE_ROUNDS; round++)
        for (int i = 0; i < tuner->count; i++) {
            const int64_t time =
                tuner->time[i] ? nn__opencl_tune_run(tuner, i, tuner->runs[i]) : 0;
            const uint64_t one = time > 0 ? (uint64_t)time / (uint64_t)tuner->runs[i] : 0;
            if (time < 0 && i == 0) return (nn_result)time;
            if (time < 0) nn__opencl_tune_forgive(nn, had_error);
            if (time < 0) tuner->time[i] = 0;
            if (one > 0 && (round == 0 || one < tuner->time[i])) tuner->time[i] = one;
        }
    return NN_OK;
}

/* Measures one shape. NN_NOT_FOUND: not enough memory on the device. */
static nn_result nn__opencl_tune_shape(nn__opencl_tuner *tuner, const nn__opencl_shape *shape,
                                       nn__opencl_entry *entry) {
    nn_context *nn = tuner->device->nn;
    const bool had_error = nn_error_code(nn) != NN_OK;
    nn_result result;
    int best = 0;
    tuner->kernel = shape->kernel;
    nn__opencl_tune_views(tuner, shape);
    tuner->device->trying = true;
    nn__opencl_tune_list(tuner);
    result = nn__opencl_tune_allocate(tuner);
    if (result < 0) {
        nn__opencl_tune_forgive(nn, had_error);
        result = result == NN_ERROR_MEMORY ? NN_NOT_FOUND : result;
    } else {
        result = nn__opencl_tune_race(tuner);
    }
    tuner->device->backend.finish(tuner->device);
    nn__opencl_tune_release(tuner);
    tuner->device->trying = false;
    if (result != NN_OK) return result;
    for (int i = 1; i < tuner->count; i++)
        if (tuner->time[i] && tuner->time[i] < tuner->time[best]) best = i;
    if (tuner->time[0] * 100 < tuner->time[best] * NN__OPENCL_TUNE_BETTER) best = 0;
    memset(&entry->measured, 0, sizeof entry->measured);
    if (best > 0) entry->measured = tuner->taken[best];
    entry->judged_time = tuner->time[0];
    entry->time = tuner->time[best];
    return NN_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static nn_result nn__opencl_tune_all(const nn__opencl_shapes *shapes,
                                     const nn_opencl_tune_desc *desc, nn__opencl_tuner *tuner,
                                     nn_opencl_tuning *tuning) {
    nn__opencl *device = shapes->device;
    const double seconds = desc->seconds > 0 ? desc->seconds : NN__OPENCL_TUNE_SECONDS;
    const uint64_t start = nn__opencl_tune_now(device);
    nn_result result = NN_OK;
    for (int i = 0; i < shapes->count && result >= 0; i++) {
        nn__opencl_entry measured, *entry = nn__opencl_find_entry(device, &shapes->list[i]);
        if (entry && !desc->again) {
            tuning->known++;
            continue;
        }
        memset(&measured, 0, sizeof measured);
        result = (double)(nn__opencl_tune_now(device) - start) * 1e-9 > seconds
                     ? NN_NOT_FOUND
                     : nn__opencl_tune_shape(tuner, &shapes->list[i], &measured);
        if (result == NN_OK) entry = nn__opencl_add_entry(device, &shapes->list[i]);
        if (result == NN_NOT_FOUND || (result == NN_OK && !entry)) tuning->left++;
        if (result != NN_OK || !entry) continue;
        entry->measured = measured.measured;
        entry->judged_time = measured.judged_time;
        entry->time = measured.time;
        entry->usual = !desc->plan;
        if (!device->begun) entry->now = entry->measured;
        if (!device->begun) entry->counts = true;
        tuning->measured++;
        tuning->changed += entry->measured.tile != 0;
    }
    return result < 0 ? result : NN_OK;
}

static nn_result nn__opencl_tune_wrong(nn_context *nn, const char *what) {
    char text[200];
    nn__opencl_format(text, sizeof text, "nn_opencl_tune: %s", what);
    return nn_record_error(nn, NN_ERROR_ARGUMENT, text);
}

static nn_result nn__opencl_tune_begin(nn__opencl_shapes *shapes, const nn_opencl_tune_desc *desc) {
    nn_context *nn = shapes->device->nn;
    if (!(desc->seconds >= 0))
        return nn__opencl_tune_wrong(nn, "desc.seconds is negative or NaN");
    if (desc->plan)
        nn_plan_calls(desc->plan, nn__opencl_tune_visit, shapes);
    else
        nn__opencl_tune_usual(shapes);
    if (shapes->no_memory)
        return nn_record_error(nn, NN_ERROR_MEMORY, "nn_opencl_tune: no memory for the shapes");
    if (shapes->count == 0)
        return nn__opencl_tune_wrong(
            nn, "desc.plan was freed, or gives no product and no convolution to this device");
    return NN_OK;
}

NN_API nn_result nn_opencl_tune_at(nn_site site, nn_context *nn, nn_device device,
                                   const nn_opencl_tune_desc *desc, nn_opencl_tuning *tuning) {
    nn__opencl_shapes shapes;
    nn_opencl_tune_desc all;
    nn_opencl_tuning own;
    nn__opencl_tuner *tuner;
    nn_result result;
    (void)site;
    if (!tuning) tuning = &own;
    memset(tuning, 0, sizeof *tuning);
    memset(&shapes, 0, sizeof shapes);
    memset(&all, 0, sizeof all);
    if (desc) all = *desc;
    if (!nn) return NN_ERROR_ARGUMENT;
    shapes.device = nn__opencl_open_need(nn, "nn_opencl_tune", device);
    if (!shapes.device) return NN_ERROR_DEVICE;
    result = nn__opencl_tune_begin(&shapes, &all);
    tuning->shapes = shapes.count;
    tuner = (nn__opencl_tuner *)nn_take_memory(nn, sizeof *tuner);
    if (result == NN_OK && !tuner)
        result = nn_record_error(nn, NN_ERROR_MEMORY, "nn_opencl_tune: no memory");
    if (result == NN_OK) {
        tuner->device = shapes.device;
        /* a plan with memory has sized its scratch for its tiles, even before it ran */
        if (shapes.device->live > 0) shapes.device->begun = true;
        result = nn__opencl_tune_all(&shapes, &all, tuner, tuning);
        if (result < 0)
            nn_record_error(nn, result, "nn_opencl_tune: a product or convolution failed");
        tuning->in_use = !shapes.device->begun;
        tuning->saved = nn__opencl_write_entries(shapes.device);
    }
    nn_give_memory(nn, tuner, sizeof *tuner);
    nn_give_memory(nn, shapes.list, (size_t)shapes.room * sizeof *shapes.list);
    return result;
}

/* Formats nanoseconds as microseconds with one decimal. */
static void nn__opencl_tune_time(uint64_t ns, char *text, size_t size) {
    const uint64_t tenths = (ns + 50) / 100;
    nn__opencl_format(text, size, "%llu.%llu", (unsigned long long)(tenths / 10),
                      (unsigned long long)(tenths % 10));
}

NN_API void nn_opencl_write_tuning(nn_context *nn, nn_device device, nn_writer writer) {
    nn__opencl *state = nn__opencl_open_need(nn, "nn_opencl_write_tuning", device);
    char line[640], judged[32], best[32];
    if (!state || !writer.function) return;
    for (int i = 0; i < state->entry_count; i++) {
        const nn__opencl_entry *entry = &state->entries[i];
        const bool now = entry->counts && entry->now.tile == entry->measured.tile &&
                         entry->now.splits == entry->measured.splits;
        size_t used = nn__opencl_format_entry(entry, line, 400);
        nn__opencl_tune_time(entry->judged_time, judged, sizeof judged);
        nn__opencl_tune_time(entry->time, best, sizeof best);
        /* the numbers after "=" are for machines */
        while (used > 0 && line[used - 1] != '=') used--;
        nn__opencl_format(line + used, sizeof line - used,
                          " %s, %d sums, %s us; judged %s us%s%s\n",
                          nn__opencl_tile_name(entry),
                          entry->measured.splits ? (int)entry->measured.splits : 1, best, judged,
                          entry->usual ? "; and for shapes near it" : "",
                          now ? "" : "; from the next opening on");
        writer.function(writer.user, line, strlen(line));
    }
}

#undef NN__OPENCL_TUNE_SECONDS
#undef NN__OPENCL_TUNE_ROUNDS
#undef NN__OPENCL_TUNE_SPAN
#undef NN__OPENCL_TUNE_RUNS
#undef NN__OPENCL_TUNE_BETTER
#undef NN__OPENCL_TUNE_TILES
