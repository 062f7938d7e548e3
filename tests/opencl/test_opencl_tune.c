/* test_opencl_tune.c: nn_opencl_tune, its table on the disk, and which entry is used when. Times
   are not judged: whichever tile was fastest, the rest must follow from it. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "inside.h"
#include "memory_files.h"
#include "test.h"

#include "opencl_as_gpu.h"
#include "lists.h"

enum { BATCH = 24, INPUTS = 96, OUTPUTS = 40 };

static nn_device first;
static char said[4000]; /* the log */

static void hear(void *user, const char *text, size_t length) {
    size_t used = strlen(said);
    (void)user;
    if (length > sizeof said - 1 - used) length = sizeof said - 1 - used;
    memcpy(said + used, text, length);
    said[used + length] = 0;
}

/* Opens a context on the disk; NULL: no OpenCL device. */
static nn_context *open_on(memory_disk *disk) {
    nn_opencl_desc desc;
    nn_desc open;
    nn_context *nn;
    memset(&open, 0, sizeof open);
    memset(&desc, 0, sizeof desc);
    open.files = memory_files(disk);
    open.log.function = hear;
    desc.cache_folder = "cache";
    desc.no_clblast = true;
    said[0] = 0;
    nn = nn_open(&open);
    if (nn_opencl_open(nn, &desc) == NN_OK) return nn;
    nn_close(nn);
    return NULL;
}

/* Begins a test: with an empty disk, and a context on it. */
#ifdef NN_OPENCL_NO_CACHE
#define NEEDS_DISK SKIP("built with NN_OPENCL_NO_CACHE");
#else
#define NEEDS_DISK
#endif
#define OPEN_OR_SKIP(nn, disk)                                                                     \
    memory_disk disk;                                                                              \
    memset(&disk, 0, sizeof disk);                                                                 \
    nn_context *nn = open_on(&disk);                                                               \
    if (!nn) SKIP("no OpenCL device here")

static nn__opencl *state_of(nn_context *nn) {
    void *state = NULL;
    nn_device_backend(nn, first, &state);
    return (nn__opencl *)state;
}

/* Plans a linear layer with this number of outputs; its product has m 24 and k 96. */
static nn_plan *describe(nn_context *nn, int32_t outputs, bool dry, nn_node **x, nn_node **y) {
    nn_model_desc model;
    nn_linear_desc linear;
    nn_plan_desc plan;
    nn_model *net;
    memset(&model, 0, sizeof model);
    memset(&linear, 0, sizeof linear);
    memset(&plan, 0, sizeof plan);
    model.device = first;
    model.seed = 1;
    net = nn_make_model(nn, &model);
    *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, INPUTS));
    linear.out_features = outputs;
    *y = nn_linear(net, "fc", *x, &linear);
    NODE_AT(plan.outputs, 0) = *y;
    plan.batch = BATCH;
    plan.dry_run = dry;
    plan.separate_steps = true;
    return nn_make_plan(net, &plan);
}

static memory_file *the_table(memory_disk *disk) {
    for (int i = 0; i < MEMORY_FILES; i++)
        if (strstr(disk->files[i].name, ".tiles")) return &disk->files[i];
    return NULL;
}

static int lines_of(const memory_file *file, const char *word) {
    int count = 0;
    const size_t length = strlen(word);
    for (size_t i = 0; file && i + length <= file->size; i++)
        count += memcmp(file->bytes + i, word, length) == 0;
    return count;
}

static nn_result tune(nn_context *nn, nn_plan *plan, bool again, nn_opencl_tuning *tuning) {
    nn_opencl_tune_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.plan = plan;
    desc.again = again;
    return nn_opencl_tune(nn, first, &desc, tuning);
}

static bool plan_says(nn_plan *plan, const char *words) {
    char text[4000];
    nn_text to = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, NULL};
    writer.user = &to;
    nn_write_plan(plan, writer);
    return strstr(text, words) != NULL;
}

static void run(nn_plan *plan, nn_node *x, nn_node *y, float *result, size_t bytes) {
    static float values[BATCH * INPUTS];
    for (int i = 0; i < BATCH * INPUTS; i++) values[i] = (float)(i * 37 % 101 - 50) / 64;
    ENSURE(nn_upload(plan, x, values, sizeof values) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, y, result, bytes) == NN_OK);
}

/* Changes the table as if a tile other than the judged one, which this product can have, had been
   measured. */
static int32_t put_other_tile(nn__opencl *state, nn__opencl_entry *entry) {
    nn__opencl_shape_args args;
    int count = 0;
    int32_t judged;
    nn__opencl_args_of(&entry->shape, &args);
    memset(&entry->now, 0, sizeof entry->now);
    judged = nn__opencl_taken(state, NN_KERNEL_GEMM, &args).tile;
    nn__opencl_tile_names(NN_KERNEL_GEMM, &count);
    for (int32_t tile = 1; tile < count; tile++)
        if (tile != judged && nn__opencl_fits(state, NN_KERNEL_GEMM, &args, tile)) {
            entry->measured.tile = entry->now.tile = tile;
            entry->measured.splits = entry->now.splits = 1;
            return tile;
        }
    return 0;
}

/* Measurements of a dry run are kept on the disk, found by the next opening, and give the same
   bytes. */
static void test_kept(void) {
    static float once[BATCH * OUTPUTS], again[BATCH * OUTPUTS];
    nn_opencl_tuning tuning;
    nn_node *x, *y;
    nn_plan *plan;
    int32_t other;
    int count = 0;
    char words[80];
    OPEN_OR_SKIP(nn, disk);
    NEEDS_DISK
    plan = describe(nn, OUTPUTS, true, &x, &y);
    ENSURE(nn_plan_calls(plan, NULL, NULL) == 1);
    ENSURE(tune(nn, plan, false, &tuning) == NN_OK);
    ENSURE(tuning.shapes == 1 && tuning.measured == 1 && tuning.known == 0 && tuning.left == 0 &&
           tuning.in_use && tuning.saved && !nn_error(nn));
    ENSURE(the_table(&disk) && lines_of(the_table(&disk), "\ngemm 24 40 96 ") == 1);
    ENSURE(tune(nn, plan, false, &tuning) == NN_OK && tuning.known == 1 && tuning.measured == 0);
    ENSURE(tune(nn, plan, true, &tuning) == NN_OK && tuning.known == 0 && tuning.measured == 1);
    ENSURE(state_of(nn)->live == 0);
    other = put_other_tile(state_of(nn), &state_of(nn)->entries[0]);
    ENSURE(nn__opencl_write_entries(state_of(nn)));
    plan = describe(nn, OUTPUTS, false, &x, &y);
    if (other) { /* not on devices whose work-groups are too small for any tile */
        snprintf(words, sizeof words, "%s, measured",
                 nn__opencl_tile_names(NN_KERNEL_GEMM, &count)[other]);
        ENSURE(plan_says(plan, words));
    }
    run(plan, x, y, once, sizeof once);
    /* A plan exists already, so the measurements apply only to later plans. */
    ENSURE(tune(nn, plan, true, &tuning) == NN_OK && tuning.measured == 1 && !tuning.in_use);
    ENSURE(!other || plan_says(plan, words));
    run(plan, x, y, again, sizeof again);
    ENSURE(memcmp(once, again, sizeof once) == 0);
    put_other_tile(state_of(nn), &state_of(nn)->entries[0]);
    ENSURE(nn__opencl_write_entries(state_of(nn)) && !nn_error(nn));
    nn_close(nn);
    nn = open_on(&disk);
    plan = describe(nn, OUTPUTS, false, &x, &y);
    ENSURE(!other || plan_says(plan, words));
    run(plan, x, y, again, sizeof again);
    ENSURE(memcmp(once, again, sizeof once) == 0 && !nn_error(nn));
    nn_close(nn);
    memory_free(&disk);
}

/* A damaged table is ignored, and the log says so. A disk that cannot be written is no error. */
static void test_bad_disk(void) {
    nn_opencl_tuning tuning;
    nn_node *x, *y;
    memory_file *table;
    nn_plan *plan;
    OPEN_OR_SKIP(nn, disk);
    NEEDS_DISK
    plan = describe(nn, OUTPUTS, true, &x, &y);
    disk.fail_writes_only = true;
    disk.fail_at = 1;
    ENSURE(tune(nn, plan, false, &tuning) == NN_OK && tuning.measured == 1 && tuning.in_use);
    ENSURE(!tuning.saved && strstr(said, "cannot be written") && !nn_error(nn));
    disk.fail_at = 0;
    ENSURE(tune(nn, plan, false, &tuning) == NN_OK && tuning.known == 1 && tuning.saved);
    nn_close(nn);
    for (int damage = 0; damage < 4; damage++) {
        table = the_table(&disk);
        ENSURE(table && table->size > 60);
        if (damage == 0) table->bytes[table->size / 2] ^= 1;
        if (damage == 1) table->size /= 2;
        if (damage == 2) table->bytes[26] ^= 1; /* the version */
        if (damage == 3) memset(table->bytes, 0, table->size);
        nn = open_on(&disk);
        ENSURE(state_of(nn)->entry_count == 0 && !nn_error(nn) &&
               strstr(said, "are ignored: ") != NULL);
        plan = describe(nn, OUTPUTS, true, &x, &y);
        ENSURE(tune(nn, plan, false, &tuning) == NN_OK && tuning.measured == 1 && tuning.saved);
        nn_close(nn);
        nn = open_on(&disk);
        ENSURE(state_of(nn)->entry_count == 1 && !said[0]);
        nn_close(nn);
    }
    memory_free(&disk);
}

/* Two programs tune at the same time: the second also writes the entries of the first. */
static void test_two_at_once(void) {
    nn_opencl_tuning tuning;
    nn_node *x, *y;
    nn_context *two;
    OPEN_OR_SKIP(one, disk);
    NEEDS_DISK
    two = open_on(&disk);
    ENSURE(tune(one, describe(one, OUTPUTS, true, &x, &y), false, &tuning) == NN_OK);
    ENSURE(state_of(two)->entry_count == 0);
    ENSURE(tune(two, describe(two, 2 * OUTPUTS, true, &x, &y), false, &tuning) == NN_OK);
    ENSURE(lines_of(the_table(&disk), "\ngemm ") == 2 && state_of(two)->entry_count == 2);
    nn_close(one);
    nn_close(two);
    memory_free(&disk);
}

/* Common shapes also decide for shapes near them; shapes of a plan decide only for themselves. */
static void test_near(void) {
    nn_gemm_args g;
    nn__opencl_shape shape;
    nn__opencl_entry *entry;
    OPEN_OR_SKIP(nn, disk);
    memset(&g, 0, sizeof g);
    g.m = g.n = g.k = 100;
    g.a.dtype = g.b.dtype = NN_F32;
    ENSURE(nn__opencl_shape_of(NN_KERNEL_GEMM, &g, &shape));
    entry = nn__opencl_add_entry(state_of(nn), &shape);
    ENSURE(entry != NULL);
    entry->now.tile = 3;
    entry->counts = true;
    ENSURE(nn__opencl_choose(state_of(nn), NN_KERNEL_GEMM, &g).tile == 3);
    g.m = 120;
    ENSURE(nn__opencl_choose(state_of(nn), NN_KERNEL_GEMM, &g).tile == 0);
    entry->usual = true;
    ENSURE(nn__opencl_choose(state_of(nn), NN_KERNEL_GEMM, &g).tile == 3);
    g.m = 150;
    g.n = 67;
    ENSURE(nn__opencl_choose(state_of(nn), NN_KERNEL_GEMM, &g).tile == 3);
    g.n = 66;
    ENSURE(nn__opencl_choose(state_of(nn), NN_KERNEL_GEMM, &g).tile == 0);
    g.n = 100;
    g.transpose_b = true;
    ENSURE(nn__opencl_choose(state_of(nn), NN_KERNEL_GEMM, &g).tile == 0);
    nn_close(nn);
}

static void test_errors(void) {
    nn_opencl_tune_desc desc;
    nn_opencl_tuning tuning;
    nn_plan_desc plan;
    OPEN_OR_SKIP(nn, disk);
    memset(&desc, 0, sizeof desc);
    memset(&plan, 0, sizeof plan);
    ENSURE(nn_opencl_tune(NULL, first, &desc, &tuning) == NN_ERROR_ARGUMENT);
    ENSURE(nn_opencl_tune(nn, nn_cpu(), &desc, &tuning) == NN_ERROR_DEVICE &&
           strstr(nn_error(nn), "nn_opencl_tune: cpu is not an open OpenCL device"));
    nn_clear_error(nn);
    desc.seconds = -1;
    ENSURE(nn_opencl_tune(nn, first, &desc, &tuning) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "desc.seconds"));
    nn_clear_error(nn);
    desc.seconds = 1e-9; /* no time for any */
    ENSURE(nn_opencl_tune(nn, first, &desc, &tuning) == NN_OK && tuning.measured <= 1 &&
           tuning.left == tuning.shapes - tuning.measured && tuning.shapes > 50);
    {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(4));
        NODE_AT(plan.outputs, 0) = nn_relu(net, x);
        desc.plan = nn_make_plan(net, &plan);
        ENSURE(nn_opencl_tune(nn, first, &desc, &tuning) == NN_ERROR_ARGUMENT &&
               strstr(nn_error(nn), "no product and no convolution"));
    }
    nn_close(nn);
    memory_free(&disk);
}

/* ---- Winograd's way, which is a tile like others --------------------------------------------- */

static uint32_t drawn = 1;
static int below(int n) {
    drawn = drawn * 1664525u + 1013904223u;
    return (int)((drawn >> 9) % (uint32_t)n);
}

static nn_tensor *random_tensor(nn_context *nn, nn_device device, nn_shape shape, uint32_t seed) {
    nn_tensor_desc desc;
    nn_tensor *tensor;
    float *values = (float *)malloc((size_t)nn_shape_count(shape) * sizeof(float));
    memset(&desc, 0, sizeof desc);
    desc.shape = shape;
    desc.device = device;
    tensor = nn_make_tensor(nn, &desc);
    for (int64_t i = 0; i < nn_shape_count(shape); i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
    nn_upload_tensor(tensor, values, (size_t)nn_tensor_bytes(tensor));
    free(values);
    return tensor;
}

/* True if the values agree within the manual's bound for Winograd, in sums of `terms` products
   below 1. */
static bool alike(nn_tensor *a, nn_tensor *b, int terms) {
    const size_t bytes = (size_t)nn_tensor_bytes(a);
    float *u = (float *)malloc(bytes), *v = (float *)malloc(bytes);
    bool fine = nn_download_tensor(a, u, bytes) == NN_OK;
    fine = nn_download_tensor(b, v, bytes) == NN_OK && fine;
    for (size_t i = 0; i < bytes / sizeof *u; i++)
        if (!(fabsf(u[i] - v[i]) <= 16.0f / 16777216.0f * (float)(terms + 2))) fine = false;
    free(u), free(v);
    return fine;
}

/* Computes one convolution forward, and its input's gradient, on the CPU and on the device. */
static void one_winograd(nn_context *nn) {
    const int groups = below(3) ? 1 : 2, C = groups * 4 * (1 + below(5)),
              K = groups * 4 * (2 + below(11)), N = 1 + below(3), H = 2 + below(12),
              W = 2 + below(12);
    const bool accumulate = below(2) != 0;
    nn_tensor *x[2], *w[2], *b[2], *y[2], *dx[2], *dw[2];
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.padding = 1 + below(2), desc.padding_w = 1 + below(2), desc.groups = groups;
    for (int i = 0; i < 2; i++) {
        const nn_device device = i ? first : nn_cpu();
        const nn_shape picture = NN_SHAPE(N, C, H, W), filter = NN_SHAPE(K, C / groups, 3, 3);
        x[i] = random_tensor(nn, device, picture, 1), dx[i] = random_tensor(nn, device, picture, 2);
        w[i] = random_tensor(nn, device, filter, 3), dw[i] = random_tensor(nn, device, filter, 4);
        b[i] = random_tensor(nn, device, NN_SHAPE(K), 5);
        y[i] = random_tensor(nn, device, NN_SHAPE(N, K, H + 2 * desc.padding - 2,
                                                  W + 2 * desc.padding_w - 2), 6);
        ENSURE(nn_conv2d_backward(dx[i], dw[i], NULL, y[i], x[i], w[i], &desc, accumulate) ==
               NN_OK);
        ENSURE(nn_conv2d_forward(y[i], x[i], w[i], b[i], &desc) == NN_OK);
    }
    ENSURE(alike(dx[0], dx[1], 9 * K / groups) && alike(y[0], y[1], 9 * C / groups));
    for (int i = 0; i < 2; i++) {
        nn_free_tensor(x[i]), nn_free_tensor(dx[i]), nn_free_tensor(w[i]), nn_free_tensor(dw[i]);
        nn_free_tensor(b[i]), nn_free_tensor(y[i]);
    }
}

static bool takes(nn__opencl *state, nn_kernel kernel, const nn_conv2d_args *a, const char *words) {
    char text[100];
    const char *way = nn__opencl_way(state, kernel, a, text, sizeof text);
    return way && strcmp(way, words) == 0;
}

/* Winograd is used where it is judged to be faster on a GPU of 132 units, but not where direct sums
   are asked for or the filter is dilated. Then it is forced, and random shapes are compared with
   the CPU; with NN_FULL=1, 2,000 of them. */
static void test_winograd(void) {
    const int32_t image[] = {32, 64, 56, 56}, filter[] = {64, 64, 3, 3};
    nn_opencl_desc desc;
    nn_context *nn;
    nn__opencl *state;
    nn_desc open;
    nn_conv2d_args a;
    bool was_cpu;
    memset(&open, 0, sizeof open);
    memset(&desc, 0, sizeof desc);
    memset(&a, 0, sizeof a);
    open.scratch_bytes = (size_t)16 << 20;
    desc.cache_folder = "";
    desc.no_clblast = true;
    nn = nn_open(&open);
    if (nn_opencl_open(nn, &desc) != NN_OK) {
        nn_close(nn);
        SKIP("no OpenCL device here");
    }
    state = state_of(nn);
    if (state->group < 256 || state->local_memory < 32768) {
        nn_close(nn);
        SKIP("work-groups or local memory are too small here");
    }
    was_cpu = state->cpu;
    a.x.shape = a.y.shape = nn_make_shape(image, 4);
    a.weight.shape = nn_make_shape(filter, 4);
    a.weight.dtype = NN_F32;
    a.params.kernel_h = a.params.kernel_w = 3;
    a.params.stride_h = a.params.stride_w = a.params.padding_h = a.params.padding_w = 1;
    a.params.dilation_h = a.params.dilation_w = a.params.groups = 1;
    state->cpu = false, state->gpu = true, state->units = 132;
    ENSURE(takes(state, NN_KERNEL_CONV2D_FORWARD, &a, "winograd, judged"));
    ENSURE(takes(state, NN_KERNEL_CONV2D_BACKWARD_INPUT, &a, "winograd, judged"));
    a.direct = true;
    ENSURE(takes(state, NN_KERNEL_CONV2D_FORWARD, &a, "patches, judged"));
    a.direct = false;
    a.params.dilation_h = 2;
    a.params.padding_h = 2;
    ENSURE(takes(state, NN_KERNEL_CONV2D_FORWARD, &a, "64x256, judged"));
    state->forced = NN__OPENCL_TILES;
    state->trying = true;
    state->trial.tile = NN__OPENCL_CONV_TILE_WINOGRAD;
    state->trial.splits = 1;
    for (int i = 0; i < (getenv("NN_FULL") ? 2000 : 6) && !test_this_failed; i++) one_winograd(nn);
    state->trying = false;
    state->cpu = was_cpu;
    nn_close(nn);
}

int main(int argc, char **argv) {
    first = nn_opencl(0);
    test_start(argc, argv);
    RUN(test_kept);
    RUN(test_bad_disk);
    RUN(test_two_at_once);
    RUN(test_near);
    RUN(test_errors);
    RUN(test_winograd);
    return test_report();
}
