/* tests/model/test_quantize.c - 8-bit weights: rounding at a load, products compared with double on
   every instruction set and on OpenCL, files, training around them and through them, copies,
   mistakes. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_quantize.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "error.h"
#include "open.h"
#include "memory_files.h"
#include "scarce.h"
#include "test.h"
#include "lists.h"

#include <float.h>
#include <stdlib.h>

enum { ROWS = 9, A = 20, B = 24, C = 6 }; /* of small nets */
enum { IN = 517, WIDE = 1030, DEEP = 300, SOME = 260, WORDS = 37, EMBED = 70, MOST = 40 };

typedef struct net {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *u, *ids, *z;
    nn_node *fc, *tr, *table, *head;
} net;

static net describe(nn_context *nn, const nn_quantize_desc *quantize, bool quantized) {
    net n = {.nn = nn};
    nn_model *m = n.model = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    if (quantized) nn_quantize(m, quantize);
    n.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    n.u = nn_input(m, "u", NN_F32, NN_SHAPE(NN_BATCH, DEEP));
    n.z = nn_input(m, "z", NN_F32, NN_SHAPE(NN_BATCH, EMBED));
    n.ids = nn_input(m, "ids", NN_I32, NN_SHAPE(NN_BATCH));
    n.fc = nn_linear(m, "net.fc", n.x, &(nn_linear_desc){.out_features = WIDE});
    n.tr = nn_linear_transposed(m, "net.tr", n.u, &(nn_linear_desc){.out_features = SOME});
    n.table = nn_embedding(
        m, "table", n.ids, &(nn_embedding_desc){.num_embeddings = WORDS, .embedding_dim = EMBED});
    n.head = nn_linear(m, "table", n.z,
                       &(nn_linear_desc){.out_features = WORDS, .no_bias = true, .shared = true});
    return n;
}

static uint32_t counter;
static float number(void) { /* in [-1, 1), some digits of it */
    counter = counter * 1664525u + 1013904223u;
    return (float)(int32_t)(counter >> 8 & 0xffff) / 32768.0f - 1.0f;
}

/* ---- files in memory ------------------------------------------------------------------------- */

typedef struct file {
    char *bytes;
    size_t size;
} file;

static void collect(void *user, const char *text, size_t length) {
    file *f = (file *)user;
    f->bytes = (char *)realloc(f->bytes, f->size + length);
    memcpy(f->bytes + f->size, text, length);
    f->size += length;
}

static file saved(nn_model *model) {
    file f = {NULL, 0};
    nn_save_weights_to(model, (nn_writer){collect, &f});
    return f;
}

static float fc[WIDE * IN], tr[DEEP * SOME], table[WORDS * EMBED], bias[WIDE];

/* Makes a file of f32 weights with rows of any size, one of zeros, and halves of steps. */
static file plain_file(void) {
    net n = describe(nn_open(NULL), NULL, false);
    counter = 3;
    for (int i = 0; i < WIDE; i++) {
        const float size = ldexpf(1.0f, i % 40 - 20);
        for (int k = 0; k < IN; k++) fc[i * IN + k] = i == 5 ? 0.0f : size * number();
        bias[i] = number();
    }
    for (int k = 0; k < IN; k++) fc[7 * IN + k] = (float)(k % 255 - 127) + 0.5f;
    fc[7 * IN] = 127.0f; /* a step is 1 */
    for (int k = 0; k < IN; k++) fc[9 * IN + k] = 1e-44f * (float)(k % 9);
    for (int i = 0; i < DEEP * SOME; i++)
        tr[i] = i % SOME == 3 ? 0.0f : number() * (float)(1 + i % SOME);
    for (int i = 0; i < WORDS * EMBED; i++) table[i] = number();
    nn_upload_tensor(nn_find_tensor(n.model, "net.fc.weight"), fc, sizeof fc);
    nn_upload_tensor(nn_find_tensor(n.model, "net.fc.bias"), bias, sizeof bias);
    nn_upload_tensor(nn_find_tensor(n.model, "net.tr.weight"), tr, sizeof tr);
    nn_upload_tensor(nn_find_tensor(n.model, "table.weight"), table, sizeof table);
    file f = saved(n.model);
    if (!fine(n.nn)) f.size = 0;
    nn_close(n.nn);
    return f;
}

static file floats; /* of plain_file */

static bool load(nn_model *model, file f) {
    return nn_load_weights_from(model, f.bytes, f.size, NULL) == NN_OK;
}

/* ---- what a load rounds to ------------------------------------------------------------------- */

/* Checks one row of `count` numbers, `step` apart. */
static void check_row(const float *row, const int8_t *bytes, float scale, int count, int step) {
    float most = 0;
    for (int k = 0; k < count; k++) most = fmaxf(most, fabsf(row[k * step]));
    const float wanted = most == 0 ? 0 : fmaxf(most / 127.0f, FLT_MIN);
    ENSURE(scale == wanted);
    for (int k = 0; k < count; k++) {
        const double q = (double)bytes[k * step], x = (double)row[k * step];
        const double bound = most < 1e-36f ? 6e-39 : (double)most / 254 * (1 + 1.0 / 1048576);
        ENSURE(q >= -127 && q <= 127);
        ENSURE(fabs(q * (double)scale - x) <= bound);
        if (scale > 0) ENSURE(q == nearbyint(x / (double)scale)); /* halves to even */
    }
}

static int8_t fc8[WIDE * IN], tr8[DEEP * SOME], table8[WORDS * EMBED];
static float fc_scale[WIDE], tr_scale[SOME], table_scale[WORDS];

static void get(nn_model *model, const char *name, void *to, size_t bytes) {
    nn_download_tensor(nn_find_tensor(model, name), to, bytes);
}
static void get_all(nn_model *model) {
    get(model, "net.fc.weight", fc8, sizeof fc8);
    get(model, "net.fc.weight_scale", fc_scale, sizeof fc_scale);
    get(model, "net.tr.weight", tr8, sizeof tr8);
    get(model, "net.tr.weight_scale", tr_scale, sizeof tr_scale);
    get(model, "table.weight", table8, sizeof table8);
    get(model, "table.weight_scale", table_scale, sizeof table_scale);
}

static void test_rounding(void) {
    nn_loaded loaded;
    net n = describe(nn_open(NULL), NULL, true);
    ENSURE(nn_load_weights_from(n.model, floats.bytes, floats.size,
                                &(nn_load_weights_desc){.loaded = &loaded}) == NN_OK);
    ENSURE(loaded.loaded == 8 && loaded.tensors == 8 && loaded.unexpected == 0);
    get_all(n.model);
    ENSURE(fine(n.nn));
    for (int i = 0; i < WIDE; i++) check_row(fc + i * IN, fc8 + i * IN, fc_scale[i], IN, 1);
    for (int i = 0; i < SOME; i++) check_row(tr + i, tr8 + i, tr_scale[i], DEEP, SOME);
    for (int i = 0; i < WORDS; i++)
        check_row(table + i * EMBED, table8 + i * EMBED, table_scale[i], EMBED, 1);
    ENSURE(fc_scale[5] == 0 && tr_scale[3] == 0);
    nn_close(n.nn);
}

/* Files of bf16 and f16 give the same as files of the same numbers in f32. */
static void test_other_floats(void) {
    static float back[EMBED];
    static int8_t from32[WORDS * EMBED];
    for (int t = 0; t < 2; t++) {
        nn_context *nn = nn_open(NULL);
        nn_model *half = nn_make_model(nn, &(nn_model_desc){.dtype = t ? NN_F16 : NN_BF16});
        nn_model *wide = nn_make_model(nn, NULL), *small[2];
        nn_model *both[] = {half, wide};
        for (int i = 0; i < 4; i++) {
            nn_model *m = i < 2 ? both[i] : (small[i - 2] = nn_make_model(nn, NULL));
            if (i >= 2) nn_quantize(m, NULL);
            nn_linear(m, "l", nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, EMBED)),
                      &(nn_linear_desc){.out_features = WORDS, .no_bias = true});
        }
        file f = saved(half);
        ENSURE(load(wide, f) && load(small[0], f));
        file g = saved(wide);
        ENSURE(load(small[1], g));
        get(small[0], "l.weight", table8, sizeof table8);
        get(small[1], "l.weight", from32, sizeof from32);
        ENSURE(memcmp(table8, from32, sizeof from32) == 0);
        get(small[0], "l.weight_scale", table_scale, sizeof table_scale);
        get(small[1], "l.weight_scale", back, sizeof table_scale);
        ENSURE(memcmp(table_scale, back, sizeof table_scale) == 0 && fine(nn));
        free(f.bytes), free(g.bytes);
        nn_close(nn);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

static float x[MOST * IN], u[MOST * DEEP], z[MOST * EMBED];
static int32_t ids[MOST];
static float fc_y[MOST * WIDE], tr_y[MOST * SOME], table_y[MOST * EMBED], head_y[MOST * WORDS];

static void run(const net *n, nn_plan *plan, int batch, bool sliced) {
    nn_upload(plan, n->x, x, sizeof(float) * (size_t)(batch * IN));
    nn_upload(plan, n->u, u, sizeof(float) * (size_t)(batch * DEEP));
    nn_upload(plan, n->z, z, sizeof(float) * (size_t)(batch * EMBED));
    nn_upload(plan, n->ids, ids, sizeof(int32_t) * (size_t)batch);
    if (sliced)
        while (nn_run_for(plan, 1) == NN_PENDING) continue;
    else
        nn_run(plan);
    nn_download(plan, n->fc, fc_y, sizeof(float) * (size_t)(batch * WIDE));
    nn_download(plan, n->tr, tr_y, sizeof(float) * (size_t)(batch * SOME));
    nn_download(plan, n->table, table_y, sizeof(float) * (size_t)(batch * EMBED));
    nn_download(plan, n->head, head_y, sizeof(float) * (size_t)(batch * WORDS));
}

static nn_plan *plan_of(const net *n, int batch) {
    return nn_make_plan(
        n->model,
        &(nn_plan_desc){.outputs = NN_NODES(n->fc, n->tr, n->table, n->head), .batch = batch});
}

/* Compares y with the sum in double over the stored numbers. */
static void check_product(const float *y, const float *a, const int8_t *w, const float *scale,
                          const float *add, int rows, int columns, int depth, int row, int step) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = add ? (double)add[j] : 0, size = fabs(sum);
            for (int k = 0; k < depth; k++) {
                const double term = (double)a[i * depth + k] * (double)scale[j] *
                                    (double)w[(ptrdiff_t)j * row + (ptrdiff_t)k * step];
                sum += term;
                size += fabs(term);
            }
            if (fabs((double)y[i * columns + j] - sum) <= 2e-6 * size) continue;
            test_fail(__FILE__, __LINE__, "(%d, %d) is %.9g, wanted %.9g +- %.2g", i, j,
                      (double)y[i * columns + j], sum, 2e-6 * size);
            return;
        }
}

static void check_all(int batch) {
    check_product(fc_y, x, fc8, fc_scale, bias, batch, WIDE, IN, IN, 1);
    check_product(tr_y, u, tr8, tr_scale, NULL, batch, SOME, DEEP, 1, SOME);
    check_product(head_y, z, table8, table_scale, NULL, batch, WORDS, EMBED, EMBED, 1);
    for (int i = 0; i < batch * EMBED; i++) {
        const int row = ids[i / EMBED];
        ENSURE(table_y[i] == (float)table8[row * EMBED + i % EMBED] * table_scale[row]);
    }
}

static void fill_inputs(void) {
    counter = 11;
    for (int i = 0; i < MOST * IN; i++) x[i] = number();
    for (int i = 0; i < MOST * DEEP; i++) u[i] = number();
    for (int i = 0; i < MOST * EMBED; i++) z[i] = number();
    for (int i = 0; i < MOST; i++) ids[i] = (i * 17 + 5) % WORDS;
}

/* The biases of net.tr are first values: zeros here. */
static bool prepare(const net *n) {
    static const float none[SOME];
    if (!load(n->model, floats)) return false;
    nn_upload_tensor(nn_find_tensor(n->model, "net.tr.bias"), none, sizeof none);
    get_all(n->model);
    fill_inputs();
    return fine(n->nn);
}

static const int batches[] = {1, 2, 3, 5, 12, 13, 40};
enum { BATCHES = sizeof batches / sizeof batches[0] };

static void on_instructions(nn_instruction_set set) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.instructions = set;
    desc.threads = 1;
    nn_context *nn = OPEN_WITH_SET(&desc);
    if (!nn) return;
    net n = describe(nn, NULL, true);
    ENSURE(prepare(&n));
    nn_plan *plan = plan_of(&n, MOST);
    for (int b = 0; b < BATCHES; b++) {
        run(&n, plan, batches[b], false);
        ENSURE(fine(nn));
        check_all(batches[b]);
    }
    nn_close(nn);
}

static void test_products(void) {
    on_instructions(NN_INSTRUCTIONS_PLAIN);
    on_instructions(NN_INSTRUCTIONS_AVX2);
    on_instructions(NN_INSTRUCTIONS_AVX512);
    on_instructions(OTHER_SET);
}

static void test_threads_and_slices(void) {
    static float first[4][MOST * WIDE];
    for (int threads = 1; threads <= 3; threads++)
        for (int sliced = 0; sliced < 2; sliced++) {
            net n = describe(nn_open(&(nn_desc){.threads = threads}), NULL, true);
            ENSURE(prepare(&n));
            nn_plan *plan = plan_of(&n, MOST);
            for (int b = 0; b < 4; b++) {
                run(&n, plan, batches[2 * b], sliced);
                memcpy(fc_y + batches[2 * b] * SOME, tr_y, sizeof(float) * SOME);
                ENSURE(fine(n.nn));
                if (threads == 1 && !sliced) memcpy(first[b], fc_y, sizeof fc_y);
                ENSURE(memcmp(first[b], fc_y, sizeof(float) * (size_t)(batches[2 * b] * SOME)) ==
                       0);
            }
            nn_close(n.nn);
        }
}

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    if (!OPEN_OPENCL(nn)) {
        nn_close(nn);
        return;
    }
    net n = describe(nn, NULL, true);
    ENSURE(prepare(&n));
    nn_move_model(n.model, nn_opencl(0)); /* bytes and scales go along */
    nn_plan *plan = plan_of(&n, MOST);
    for (int b = 0; b < BATCHES; b += 3) {
        run(&n, plan, batches[b], false);
        ENSURE(fine(nn));
        check_all(batches[b]);
    }
    net m = describe(nn, NULL, true); /* loaded there */
    nn_move_model(m.model, nn_opencl(0));
    int8_t *there = (int8_t *)malloc(sizeof fc8);
    ENSURE(load(m.model, floats));
    get(m.model, "net.fc.weight", there, sizeof fc8);
    ENSURE(memcmp(there, fc8, sizeof fc8) == 0 && fine(nn));
    free(there);
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

/* ---- memory and files ------------------------------------------------------------------------ */

static void test_bytes(void) {
    net n = describe(nn_open(NULL), NULL, true);
    nn_plan *plan =
        nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.fc, n.tr, n.table, n.head),
                                              .dry_run = true});
    const uint64_t weights = nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_PARAMETERS),
                   scales = nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_CONSTANTS);
    const uint64_t least = WIDE * IN + DEEP * SOME + WORDS * EMBED + 4 * (WIDE + SOME);
    ENSURE(fine(n.nn) && weights >= least && weights < least + 5 * 64);
    ENSURE(scales >= 4 * (WIDE + SOME + WORDS) && scales < 4 * (WIDE + SOME + WORDS) + 4 * 64);
    ENSURE(nn_node_dtype(n.fc) == NN_F32 && nn_node_dtype(n.table) == NN_F32);
    nn_close(n.nn);
}

static void test_files(void) {
    nn_context *nn = nn_open(NULL);
    net n = describe(nn, NULL, true), m = describe(nn, NULL, true);
    ENSURE(prepare(&n));
    file f = saved(n.model);
    ENSURE(f.size < floats.size / 3 && load(m.model, f));
    file g = saved(m.model);
    ENSURE(fine(nn) && f.size == g.size && memcmp(f.bytes, g.bytes, f.size) == 0);
    ENSURE(strstr(f.bytes + 8, "\"net.fc.weight\":{\"dtype\":\"I8\",\"shape\":[1030,517]"));
    ENSURE(strstr(f.bytes + 8, "\"net.fc.weight_scale\":{\"dtype\":\"F32\",\"shape\":[1030]"));
    net plain = describe(nn, NULL, false);
    ENSURE(!load(plain.model, f) && says(nn, "\"net.fc.weight\" is i8 in the file"));
    /* without the scales, their names changed, and with them beside floats */
    nn_load_weights_desc part = {.renames = NN_RENAMES({"*weight_scale", NULL})};
    ENSURE(nn_load_weights_from(m.model, f.bytes, f.size, &part) != NN_OK &&
           says(nn, "\"net.fc.weight\" and its scales belong together"));
    part.non_strict = true;
    ENSURE(nn_load_weights_from(m.model, f.bytes, f.size, &part) != NN_OK &&
           says(nn, "belong together, and the file has only one"));
    ENSURE(nn_load_weights_from(plain.model, f.bytes, f.size, &part) != NN_OK &&
           says(nn, "call nn_quantize before"));
    RENAME_AT(part.renames, 0) = (nn_rename){"table.weight_scale", "net.tr.weight_scale"};
    RENAME_AT(part.renames, 1) = (nn_rename){"net.tr.weight_scale", "table.weight_scale"};
    ENSURE(nn_load_weights_from(m.model, f.bytes, f.size, &part) != NN_OK &&
           says(nn, "\"table.weight_scale\" is (260) in the file, (37) in the model"));
    part = (nn_load_weights_desc){.renames = NN_RENAMES({"net.fc.bias", "net.fc.weight_scale"})};
    ENSURE(nn_load_weights_from(m.model, floats.bytes, floats.size, &part) != NN_OK &&
           says(nn, "holds floats in the file, and its scales are there as well"));
    file h = saved(m.model); /* nothing was loaded */
    ENSURE(h.size == g.size && memcmp(h.bytes, g.bytes, g.size) == 0);
    free(f.bytes), free(g.bytes), free(h.bytes);
    nn_close(nn);
}

static void test_not_finite(void) {
    nn_context *nn = nn_open(NULL);
    net n = describe(nn, NULL, true), plain = describe(nn, NULL, false);
    ENSURE(load(plain.model, floats) && load(n.model, floats));
    file before = saved(n.model);
    for (int i = 0; i < 2; i++) {
        const float kept = fc[3 * IN + 2];
        fc[3 * IN + 2] = i ? INFINITY : NAN;
        nn_upload_tensor(nn_find_tensor(plain.model, "net.fc.weight"), fc, sizeof fc);
        fc[3 * IN + 2] = kept;
        file f = saved(plain.model);
        ENSURE(!load(n.model, f) && says(nn, "not finite, at (3, 2)"));
        free(f.bytes);
    }
    file after = saved(n.model);
    ENSURE(after.size == before.size && memcmp(after.bytes, before.bytes, after.size) == 0);
    free(before.bytes), free(after.bytes);
    nn_close(nn);
}

static int reads, changed_read; /* that one finds other numbers than the one before */
static bool changing_read(void *user, void *from, uint64_t offset, void *data, size_t bytes) {
    const bool well = memory_read(user, from, offset, data, bytes);
    if (well && ++reads == changed_read) memset(data, 0x7e, bytes); /* 8e37 */
    return well;
}

/* Another program writes the file meanwhile, so the scales belong to other numbers. */
static void test_it_changes(void) {
    memory_disk disk;
    int8_t bytes[A * B], after[A * B];
    memset(&disk, 0, sizeof disk);
    nn_desc open = {.files = memory_files(&disk)};
    open.files.read = changing_read;
    nn_context *nn = nn_open(&open);
    nn_model *m = nn_make_model(nn, NULL), *from = nn_make_model(nn, NULL);
    const nn_linear_desc desc = {.out_features = B, .no_bias = true};
    nn_linear(from, "l", nn_input(from, "x", NN_F32, NN_SHAPE(1, A)), &desc);
    nn_quantize(m, NULL);
    nn_linear(m, "l", nn_input(m, "x", NN_F32, NN_SHAPE(1, A)), &desc);
    ENSURE(nn_save_weights(from, "plain") == NN_OK);
    reads = changed_read = 0;
    ENSURE(nn_load_weights(m, "plain", NULL) == NN_OK);
    changed_read = 2 * reads; /* the last one of all */
    get(m, "l.weight", bytes, sizeof bytes);
    ENSURE(nn_load_weights(m, "plain", NULL) == NN_ERROR_FILE &&
           says(nn, "changed while it was read"));
    ENSURE(reads == changed_read);
    get(m, "l.weight", after, sizeof after);
    ENSURE(memcmp(bytes, after, sizeof bytes) == 0 && fine(nn));
    nn_close(nn);
    memory_free(&disk);
}

/* Memory, or the disk, fails at each of its calls in turn: all or nothing, and nothing is lost. */
static void test_it_fails(void) {
    for (int disk_fails = 0; disk_fails < 2; disk_fails++) {
        int failures = 0;
        bool well = false;
        for (int fail = 1; !well; fail++) {
            memory_disk disk;
            scarce memory;
            int8_t bytes[A * B], after[A * B];
            float scale[B], scale_after[B];
            memset(&disk, 0, sizeof disk);
            memset(&memory, 0, sizeof memory);
            nn_context *nn = nn_open(&(nn_desc){.threads = 1,
                                                .files = memory_files(&disk),
                                                .allocator = scarce_memory(&memory)});
            nn_model *m = nn_make_model(nn, NULL), *from = nn_make_model(nn, NULL);
            nn_linear_desc desc = {.out_features = B};
            nn_linear(from, "l", nn_input(from, "x", NN_F32, NN_SHAPE(1, A)), &desc);
            ENSURE(nn_save_weights(from, "plain") == NN_OK);
            memory.calls = disk.operations = 0;
            if (disk_fails) disk.fail_at = fail;
            else memory.fail_at = fail;
            well = nn_quantize(m, &(nn_quantize_desc){.targets = NN_TEXTS("l")}) == NN_OK;
            nn_linear(m, "l", nn_input(m, "x", NN_F32, NN_SHAPE(1, A)), &desc);
            well = well && nn_find_tensor(m, "l.weight");
            if (well) {
                get(m, "l.weight", bytes, sizeof bytes);
                get(m, "l.weight_scale", scale, sizeof scale);
                well = nn_load_weights(m, "plain", NULL) == NN_OK;
                get(m, "l.weight", after, sizeof after);
                get(m, "l.weight_scale", scale_after, sizeof scale_after);
                ENSURE((memcmp(bytes, after, sizeof bytes) != 0) == well);
                ENSURE((memcmp(scale, scale_after, sizeof scale) != 0) == well);
            }
            failures += !well;
            memory.fail_at = disk.fail_at = 0;
            ENSURE(well == (nn_error(nn) == NULL) && disk.open_files == 0);
            nn_close(nn);
            ENSURE(memory.live == 0);
            memory_free(&disk);
        }
        ENSURE(failures > 4 && failures < 100);
    }
}

static void test_copies(void) {
    static float y[MOST * WIDE];
    nn_context *nn = nn_open(NULL);
    net n = describe(nn, NULL, true), c = n;
    ENSURE(prepare(&n));
    run(&n, plan_of(&n, 3), 3, false);
    memcpy(y, fc_y, sizeof y);
    c.model = nn_copy_model(n.model, NULL);
    c.x = nn_copied_node(c.model, n.x), c.u = nn_copied_node(c.model, n.u);
    c.z = nn_copied_node(c.model, n.z), c.ids = nn_copied_node(c.model, n.ids);
    c.fc = nn_copied_node(c.model, n.fc), c.tr = nn_copied_node(c.model, n.tr);
    c.table = nn_copied_node(c.model, n.table), c.head = nn_copied_node(c.model, n.head);
    net other = describe(nn, NULL, true);
    ENSURE(nn_blend_weights(other.model, n.model, 1.0f) == NN_OK);
    ENSURE(nn_blend_weights(other.model, n.model, 0.5f) != NN_OK && says(nn, "stored in 8 bits"));
    nn_free_model(n.model);
    run(&c, plan_of(&c, 3), 3, false);
    ENSURE(fine(nn) && memcmp(y, fc_y, sizeof(float) * 3 * WIDE) == 0);
    check_all(3);
    run(&other, plan_of(&other, 3), 3, false);
    ENSURE(memcmp(y, fc_y, sizeof(float) * 3 * WIDE) == 0);
    ENSURE(load(c.model, floats)); /* a copy knows which scales are whose */
    nn_linear(c.model, "late", c.x, &(nn_linear_desc){.out_features = 4});
    ENSURE(nn_tensor_dtype(nn_find_tensor(c.model, "late.weight")) == NN_I8 && fine(nn));
    nn_close(nn);
}

/* First values are those of the f32 layer, within a step. */
static void test_first_values(void) {
    nn_context *nn = nn_open(NULL);
    net n = describe(nn, NULL, true), plain = describe(nn, NULL, false);
    get_all(n.model);
    static float wide[WIDE * IN], words[WORDS * EMBED];
    get(plain.model, "net.fc.weight", wide, sizeof wide);
    get(plain.model, "table.weight", words, sizeof words);
    ENSURE(fine(nn));
    for (int i = 0; i < WIDE * IN; i++)
        ENSURE_CLOSE((float)fc8[i] * fc_scale[i / IN], wide[i], fc_scale[0] * 0.501);
    for (int i = 0; i < WORDS * EMBED; i++)
        ENSURE_CLOSE((float)table8[i] * table_scale[i / EMBED], fmaxf(-4, fminf(4, words[i])),
                     4.0 / 127 * 0.501);
    nn_close(nn);
}

/* ---- training -------------------------------------------------------------------------------- */

typedef struct small {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *target, *loss;
} small;

static small describe_small(nn_context *nn, bool quantized, bool lora, bool turned) {
    small s = {.nn = nn};
    nn_model *m = s.model = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    if (quantized) nn_quantize(m, &(nn_quantize_desc){.skip = NN_TEXTS("last")});
    if (lora) nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("first", "second"), .r = 2});
    s.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, A));
    s.target = nn_input(m, "target", NN_F32, NN_SHAPE(NN_BATCH, C));
    nn_linear_desc desc = {.out_features = B};
    nn_node *h = turned ? nn_linear_transposed(m, "first", s.x, &desc)
                        : nn_linear(m, "first", s.x, &desc);
    h = nn_tanh(m, h);
    h = turned ? nn_linear_transposed(m, "second", h, &desc) : nn_linear(m, "second", h, &desc);
    h = nn_linear(m, "last", nn_relu(m, h), &(nn_linear_desc){.out_features = C});
    s.loss = nn_mse_loss(m, h, s.target, NULL);
    return s;
}

static nn_trainer *train(const small *s, int steps, float *loss) {
    nn_trainer *trainer = nn_make_trainer(
        s->model, s->loss,
        &(nn_trainer_desc){.batch = ROWS, .optimizer = NN_ADAM, .learning_rate = 0.01f});
    if (!trainer) return NULL;
    nn_upload(nn_trainer_plan(trainer), s->x, x, sizeof(float) * ROWS * A);
    nn_upload(nn_trainer_plan(trainer), s->target, z, sizeof(float) * ROWS * C);
    for (int i = 0; i < steps; i++) {
        nn_train_on_inputs(trainer);
        if (i == 0) nn_read_loss(trainer, &loss[0]);
    }
    nn_read_loss(trainer, &loss[1]);
    return trainer;
}

/* Gives the f32 twin the numbers that the bytes stand for. */
static void widen_into(const small *from, const small *to, const char *layer, int rows,
                       int columns, bool turned) {
    char name[32];
    int8_t bytes[B * B];
    float scale[B], wide[B * B];
    snprintf(name, sizeof name, "%s.weight", layer);
    get(from->model, name, bytes, (size_t)(rows * columns));
    nn_tensor *weight = nn_find_tensor(to->model, name);
    snprintf(name, sizeof name, "%s.weight_scale", layer);
    const int outputs = turned ? columns : rows;
    get(from->model, name, scale, sizeof(float) * (size_t)outputs);
    for (int i = 0; i < outputs; i++) scale[i] *= 1 + (float)(i % 5) / 4; /* alike at first */
    nn_upload_tensor(nn_find_tensor(from->model, name), scale, sizeof(float) * (size_t)outputs);
    for (int i = 0; i < rows * columns; i++)
        wide[i] = (float)bytes[i] * scale[turned ? i % columns : i / columns];
    nn_upload_tensor(weight, wide, sizeof(float) * (size_t)(rows * columns));
}

static void test_training(void) {
    float loss[2];
    fill_inputs();
    nn_context *nn = nn_open(NULL);
    small s = describe_small(nn, true, false, false);
    ENSURE(!train(&s, 1, loss));
    ENSURE(strstr(nn_error(nn), "\"first.weight\" is stored in 8 bits (nn_quantize)") &&
           strstr(nn_error(nn), "nn_freeze(net, \"first.weight\", true)") &&
           says(nn, "\"second.weight\" is stored in 8 bits"));
    nn_freeze(s.model, "first.weight", true);
    ENSURE(!train(&s, 1, loss) && !strstr(nn_error(nn), "first") && says(nn, "\"second.weight\""));
    nn_freeze(s.model, "second.weight", true);
    ENSURE(train(&s, 60, loss) && fine(nn) && loss[1] < loss[0] / 2);
    nn_close(nn);
}

/* Adapters of 8-bit weights learn the same as adapters of these weights in f32. */
static void test_lora(void) {
    for (int turned = 0; turned < 2; turned++) {
        static float a[2][2 * B], b[2][2 * B];
        float loss[2][2];
        fill_inputs();
        nn_context *nn = nn_open(NULL);
        small s[2] = {describe_small(nn, true, true, turned),
                      describe_small(nn, false, true, turned)};
        widen_into(&s[0], &s[1], "first", turned ? A : B, turned ? B : A, turned);
        widen_into(&s[0], &s[1], "second", B, B, turned);
        ENSURE(fine(nn));
        for (int k = 0; k < 2; k++) {
            ENSURE(train(&s[k], 20, loss[k]));
            get(s[k].model, "first.lora_A.weight", a[k], sizeof(float) * 2 * A);
            get(s[k].model, "second.lora_B.weight", b[k], sizeof(float) * 2 * B);
        }
        ENSURE(fine(nn) && loss[0][1] < loss[0][0]);
        ENSURE_CLOSE(loss[0][1], loss[1][1], 1e-5);
        for (int i = 0; i < 2 * A; i++) ENSURE_CLOSE(a[0][i], a[1][i], 2e-5);
        for (int i = 0; i < 2 * B; i++) ENSURE_CLOSE(b[0][i], b[1][i], 2e-5);
        nn_close(nn);
        nn = nn_open(NULL);
        small merged = describe_small(nn, true, true, turned);
        ENSURE(nn_merge_lora(merged.model, false) != NN_OK &&
               says(nn, "\"first.weight\" is stored in 8 bits"));
        ENSURE(nn_initialise(merged.model, "first.weight",
                             &(nn_init_desc){.init = NN_INIT_ZEROS}) != NN_OK &&
               says(nn, "stored in 8 bits"));
        nn_close(nn);
    }
}

/* A checkpoint has the bytes and the scales. */
static void test_checkpoint(void) {
    const char *path = "build/test_quantize.checkpoint";
    float loss[2], first[2];
    fill_inputs();
    nn_context *nn = nn_open(NULL);
    small s = describe_small(nn, true, true, false), t = describe_small(nn, true, true, false);
    nn_trainer *trainer = train(&s, 5, loss), *other = train(&t, 1, first);
    nn_save_checkpoint(trainer, path, NULL);
    nn_load_checkpoint(other, path, NULL);
    file f = saved(s.model), g = saved(t.model);
    ENSURE(fine(nn) && f.size == g.size && memcmp(f.bytes, g.bytes, f.size) == 0);
    free(f.bytes), free(g.bytes);
    remove(path);
    nn_close(nn);
}

/* ---- which layers ---------------------------------------------------------------------------- */

/* Returns the largest difference between a quantised weight and the one in f32, in steps of the
   scale. */
static float steps_apart(const float *row, const int8_t *bytes, float scale, int count) {
    float most = 0;
    for (int k = 0; k < count; k++)
        most = fmaxf(most, fabsf((float)bytes[k] - fmaxf(-127, fminf(127, row[k] / scale))));
    return most;
}

/* Weights begin as in f32 with the same seed. */
static void test_initial_values(void) {
    static float first[WIDE * IN], rows[WORDS * EMBED];
    nn_context *nn = nn_open(NULL);
    net quantized = describe(nn, NULL, true), plain = describe(nn, NULL, false);
    ENSURE(plan_of(&quantized, 1) && plan_of(&plain, 1));
    get_all(quantized.model);
    get(plain.model, "net.fc.weight", first, sizeof first);
    get(plain.model, "table.weight", rows, sizeof rows);
    ENSURE(fine(nn));
    ENSURE(steps_apart(first, fc8, fc_scale[0], WIDE * IN) < 0.51f);
    ENSURE(steps_apart(rows, table8, table_scale[0], WORDS * EMBED) < 0.51f);
    nn_close(nn);
}

static void test_names(void) {
    nn_context *nn = nn_open(NULL);
    const nn_quantize_desc desc = {.targets = NN_TEXTS("net.*", "table"), .skip = NN_TEXTS("tr")};
    net n = describe(nn, &desc, true);
    ENSURE(nn_tensor_dtype(nn_find_tensor(n.model, "net.fc.weight")) == NN_I8);
    ENSURE(nn_tensor_dtype(nn_find_tensor(n.model, "net.tr.weight")) == NN_F32);
    ENSURE(nn_tensor_dtype(nn_find_tensor(n.model, "table.weight")) == NN_I8 && fine(nn));
    n = describe(nn, &(nn_quantize_desc){.targets = NN_TEXTS("fd")}, true);
    ENSURE(!plan_of(&n, 1) && says(nn, "the target \"fd\" fits no linear layer"));
    n = describe(nn, &(nn_quantize_desc){.skip = NN_TEXTS("lm_head")}, true);
    ENSURE(!plan_of(&n, 1) && says(nn, "skip \"lm_head\" fits no linear layer"));
    n = describe(nn, &(nn_quantize_desc){.targets = NN_TEXTS("fc"), .skip = NN_TEXTS("table")},
                 true);
    ENSURE(plan_of(&n, 1) && fine(nn)); /* no target fits that one, and it stays as it is */
    n = describe(nn, NULL, false);
    ENSURE(nn_quantize(n.model, NULL) != NN_OK && says(nn, "\"net.fc\" was described at"));
    ENSURE(nn_quantize(n.model, &(nn_quantize_desc){.targets = NN_TEXTS("late")}) == NN_OK);
    ENSURE(nn_quantize(n.model, NULL) != NN_OK && says(nn, "was called for the model"));
    nn_model *m = nn_make_model(nn, NULL);
    ENSURE(nn_quantize(m, &(nn_quantize_desc){.dtype = NN_U8}) != NN_OK && says(nn, "is u8"));
    ENSURE(nn_quantize(m, &(nn_quantize_desc){.targets = NN_TEXTS("")}) != NN_OK &&
           says(nn, "is empty"));
    ENSURE(nn_quantize(NULL, NULL) != NN_OK);
    /* one weight in both orders, and one without scales */
    nn_quantize(m, NULL);
    nn_node *in = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 8));
    nn_parameter(m, "own.weight", NN_SHAPE(8, 8), 0, 0);
    nn_linear_desc square = {.out_features = 8, .shared = true};
    nn_node *y = nn_linear_transposed(m, "a", nn_linear(m, "a", in, &square), &square);
    ENSURE(!nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)}) &&
           says(nn, "the other way round"));
    nn_model *k = nn_make_model(nn, NULL);
    nn_quantize(k, NULL);
    in = nn_input(k, "x", NN_F32, NN_SHAPE(NN_BATCH, 8));
    nn_parameter(k, "own.weight", NN_SHAPE(8, 8), 0, 0);
    y = nn_linear(k, "own", in, &square);
    ENSURE(!nn_make_plan(k, &(nn_plan_desc){.outputs = NN_NODES(y)}) &&
           says(nn, "which has no scales"));
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    floats = plain_file();
    RUN(test_initial_values);
    RUN(test_rounding);
    RUN(test_other_floats);
    RUN(test_products);
    RUN(test_threads_and_slices);
    RUN(test_opencl);
    RUN(test_bytes);
    RUN(test_files);
    RUN(test_not_finite);
    RUN(test_it_changes);
    RUN(test_it_fails);
    RUN(test_copies);
    RUN(test_first_values);
    RUN(test_training);
    RUN(test_lora);
    RUN(test_checkpoint);
    RUN(test_names);
    free(floats.bytes);
    return test_report();
}
