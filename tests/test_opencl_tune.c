/* test_opencl_tune.c: nn_opencl_tune, its table on the disk, and what counts of it when. Times are
   not judged here: whatever was fastest, the rest has to follow. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>

#include "inside.h"
#include "memory_files.h"
#include "test.h"

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

/* NULL: no OpenCL device. */
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

/* A test's start: an empty disk, and a context on it. */
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
    nn_get_backend(nn, first, &state);
    return (nn__opencl *)state;
}

/* A linear layer of so many outputs; its product is m 24, k 96. */
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
    plan.outputs[0] = *y;
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

/* Another tile than the judged one, which this product can have; the table is changed as if it had
   been measured. */
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

/* Measured from a dry run, kept on the disk, found by the next opening, the same bytes. */
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
    /* A plan is there: what is measured now counts later. */
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

/* A table that is damaged counts as none, and the log says so; a disk that takes none is no
   error. */
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

/* Two that tune at once: the second writes what the first has written too. */
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

/* Usual shapes stand for those near them; the ones of a plan for themselves. */
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
           strstr(nn_error(nn), "nn_opencl_tune: cpu is no open OpenCL device"));
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
        plan.outputs[0] = nn_relu(net, x);
        desc.plan = nn_make_plan(net, &plan);
        ENSURE(nn_opencl_tune(nn, first, &desc, &tuning) == NN_ERROR_ARGUMENT &&
               strstr(nn_error(nn), "no product and no convolution"));
    }
    nn_close(nn);
    memory_free(&disk);
}

int main(int argc, char **argv) {
    first = nn_opencl(0);
    test_start(argc, argv);
    RUN(test_kept);
    RUN(test_bad_disk);
    RUN(test_two_at_once);
    RUN(test_near);
    RUN(test_errors);
    return test_report();
}
