/* tests/model/test_quantize_four.c - weights of 4 bits: rounding at a load, products compared with
   double on every instruction set and on OpenCL, files, training around them and through them,
   copies, mistakes. tests/kernels/random_nibble.h draws cases of the kernels. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_quantize.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "error.h"
#include "halves.h"
#include "open.h"
#include "scarce.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

/* Widths of the layers. 96, 160 and 544 are not multiples of 128, the weights of a vector. */
enum { IN = 544, WIDE = 70, DEEP = 160, SOME = 67, WORDS = 37, EMBED = 96, MOST = 13 };

typedef struct net {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *u, *ids, *z;
    nn_node *fc, *tr, *table, *head;
} net;

static net describe(nn_context *nn, int bits, bool minimums) {
    net n = {.nn = nn};
    nn_model *m = n.model = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    if (bits) nn_quantize(m, &(nn_quantize_desc){.bits = bits, .minimums = minimums});
    n.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    n.u = nn_input(m, "u", NN_F32, NN_SHAPE(NN_BATCH, 1, DEEP));
    n.z = nn_input(m, "z", NN_F32, NN_SHAPE(NN_BATCH, EMBED));
    n.ids = nn_input(m, "ids", NN_I32, NN_SHAPE(NN_BATCH));
    n.fc = nn_linear(m, "net.fc", n.x, &(nn_linear_desc){.out_features = WIDE});
    n.tr = nn_linear_transposed(m, "net.tr", n.u,
                                &(nn_linear_desc){.out_features = SOME, .no_bias = true});
    n.table = nn_embedding(
        m, "table", n.ids, &(nn_embedding_desc){.num_embeddings = WORDS, .embedding_dim = EMBED});
    n.head = nn_linear(m, "table", n.z,
                       &(nn_linear_desc){.out_features = WORDS, .no_bias = true, .shared = true});
    return n;
}

static uint32_t counter;
static float number(void) { /* in [-1, 1) */
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
static bool load(nn_model *model, file f) {
    return nn_load_weights_from(model, f.bytes, f.size, NULL) == NN_OK;
}
static void get(nn_model *model, const char *name, void *to, size_t bytes) {
    nn_download_tensor(nn_find_tensor(model, name), to, bytes);
}

static float fc[WIDE * IN], tr[DEEP * SOME], table[WORDS * EMBED], bias[WIDE];
static file floats; /* of f32 weights: groups of many sizes, one of zeros, one of equal numbers */

static void make_floats(void) {
    net n = describe(nn_open(NULL), 0, false);
    counter = 3;
    for (int i = 0; i < WIDE * IN; i++) fc[i] = ldexpf(number(), i / 32 % 25 - 15);
    for (int i = 0; i < 32; i++) fc[5 * IN + i] = 0, fc[6 * IN + i] = 0.3f;
    for (int i = 0; i < DEEP * SOME; i++) tr[i] = number() * (float)(1 + i % SOME);
    for (int i = 0; i < WORDS * EMBED; i++) table[i] = number();
    for (int i = 0; i < WIDE; i++) bias[i] = number();
    nn_upload_tensor(nn_find_tensor(n.model, "net.fc.weight"), fc, sizeof fc);
    nn_upload_tensor(nn_find_tensor(n.model, "net.fc.bias"), bias, sizeof bias);
    nn_upload_tensor(nn_find_tensor(n.model, "net.tr.weight"), tr, sizeof tr);
    nn_upload_tensor(nn_find_tensor(n.model, "table.weight"), table, sizeof table);
    floats = saved(n.model);
    ENSURE(fine(n.nn));
    nn_close(n.nn);
}

/* ---- the stored weights ---------------------------------------------------------------------- */

/* A stored weight as numbers in double, row by row of outputs. */
typedef struct stored {
    int outputs, inputs;
    double w[WIDE * IN], size[WIDE * IN / 32], least[WIDE * IN / 32];
} stored;

static stored of_fc, of_tr, of_table;

static void unpack(nn_model *model, const char *layer, int outputs, int inputs, bool minimums,
                   stored *to) {
    static uint8_t bytes[WIDE * IN / 2];
    static uint16_t scale[WIDE * IN / 32], minimum[WIDE * IN / 32];
    const int groups = outputs * inputs / 32;
    char name[40];
    snprintf(name, sizeof name, "%s.weight", layer);
    get(model, name, bytes, (size_t)(16 * groups));
    snprintf(name, sizeof name, "%s.weight_scale", layer);
    get(model, name, scale, sizeof *scale * (size_t)groups);
    snprintf(name, sizeof name, "%s.weight_min", layer);
    if (minimums) get(model, name, minimum, sizeof *minimum * (size_t)groups);
    to->outputs = outputs;
    to->inputs = inputs;
    for (int g = 0; g < groups; g++) {
        const double d = value_of(NN_F16, scale[g]);
        to->size[g] = d;
        to->least[g] = minimums ? value_of(NN_F16, minimum[g]) : -8 * d;
        for (int i = 0; i < 32; i++) {
            const int byte = bytes[16 * g + i % 16], q = i < 16 ? byte & 15 : byte >> 4;
            to->w[32 * g + i] = d * q + to->least[g];
        }
    }
}

static void unpack_all(nn_model *model, bool minimums) {
    unpack(model, "net.fc", WIDE, IN, minimums, &of_fc);
    unpack(model, "net.tr", SOME, DEEP, minimums, &of_tr);
    unpack(model, "table", WORDS, EMBED, minimums, &of_table);
}

/* Checks that each number was rounded to the nearest of the 16 values of its group, and that the
   scale (and minimum) of the group follow from its extremes. row, column: the steps in `from`. */
static void check_rounding(const stored *s, const float *from, int row, int column, bool minimums) {
    for (int g = 0; g < s->outputs * s->inputs / 32; g++) {
        const double d = s->size[g];
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 32; i++) {
            const int at = 32 * g + i, output = at / s->inputs, input = at % s->inputs;
            const double x = (double)from[output * row + input * column];
            double nearest = INFINITY;
            low = fmin(low, x), high = fmax(high, x);
            for (int q = 0; q < 16; q++) nearest = fmin(nearest, fabs(d * q + s->least[g] - x));
            ENSURE(fabs(s->w[at] - x) <= nearest + 1e-12 * fabs(x));
        }
        const double wanted = minimums ? (high - low) / 15 : (-low > high ? low : high) / -8;
        ENSURE(fabs(d - wanted) <= fabs(wanted) / 2048 + 3.0e-8);
        if (minimums) ENSURE(fabs(s->least[g] - low) <= fabs(low) / 2048 + 3.0e-8);
    }
}

static void test_rounding(void) {
    for (int minimums = 0; minimums < 2; minimums++) {
        nn_loaded loaded;
        net n = describe(nn_open(NULL), 4, minimums);
        ENSURE(nn_load_weights_from(n.model, floats.bytes, floats.size,
                                    &(nn_load_weights_desc){.loaded = &loaded}) == NN_OK);
        unpack_all(n.model, minimums);
        ENSURE(fine(n.nn));
        check_rounding(&of_fc, fc, IN, 1, minimums);
        check_rounding(&of_tr, tr, 1, SOME, minimums);
        check_rounding(&of_table, table, EMBED, 1, minimums);
        nn_close(n.nn);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

static float x[MOST * IN], u[MOST * DEEP], z[MOST * EMBED];
static int32_t ids[MOST];
static float fc_y[MOST * WIDE], tr_y[MOST * SOME], table_y[MOST * EMBED], head_y[MOST * WORDS];

static void fill_inputs(void) {
    counter = 11;
    for (int i = 0; i < MOST * IN; i++) x[i] = number() * (i / 32 % 5 == 2 ? 0.001f : 1.0f);
    for (int i = 0; i < MOST * DEEP; i++) u[i] = i / 32 == 3 ? 0 : number();
    for (int i = 0; i < MOST * EMBED; i++) z[i] = number();
    for (int i = 0; i < MOST; i++) ids[i] = (i * 17 + 5) % WORDS;
}

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

/* Compares y with the product, in double, of the stored weights and the numbers of `a` rounded to 8
   bits. */
static void check_product(const float *y, const float *a, const stored *s, const float *add,
                          int rows) {
    static double rounded[IN];
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < s->inputs; k += 32) {
            float most = 0;
            for (int e = 0; e < 32; e++) most = fmaxf(most, fabsf(a[i * s->inputs + k + e]));
            for (int e = 0; e < 32; e++)
                rounded[k + e] = most == 0 ? 0
                                           : nearbyint((double)(a[i * s->inputs + k + e] *
                                                                (127.0f / most))) *
                                                 (double)(most / 127.0f);
        }
        for (int j = 0; j < s->outputs; j++) {
            double sum = add ? (double)add[j] : 0, size = fabs(sum);
            for (int k = 0; k < s->inputs; k++) {
                const double term = rounded[k] * s->w[j * s->inputs + k];
                sum += term;
                size += fabs(rounded[k]) * (fabs(s->w[j * s->inputs + k]) +
                                            fabs(s->least[(j * s->inputs + k) / 32]));
            }
            if (fabs((double)y[i * s->outputs + j] - sum) <= 2e-6 * size) continue;
            test_fail(__FILE__, __LINE__, "(%d, %d) is %.9g, wanted %.9g +- %.2g", i, j,
                      (double)y[i * s->outputs + j], sum, 2e-6 * size);
            return;
        }
    }
}

static void check_all(int batch) {
    check_product(fc_y, x, &of_fc, bias, batch);
    check_product(tr_y, u, &of_tr, NULL, batch);
    check_product(head_y, z, &of_table, NULL, batch);
    for (int i = 0; i < batch * EMBED; i++) {
        const double wanted = of_table.w[ids[i / EMBED] * EMBED + i % EMBED];
        ENSURE_CLOSE(table_y[i], wanted, 1e-6 * fabs(wanted) + 1e-7);
    }
}

static bool prepare(const net *n, bool minimums) {
    if (!load(n->model, floats)) return false;
    unpack_all(n->model, minimums);
    fill_inputs();
    return fine(n->nn);
}

static const int batches[] = {1, 2, 3, 4, 5, 13};
enum { BATCHES = sizeof batches / sizeof batches[0] };

static void on_instructions(nn_instruction_set set) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.instructions = set;
    desc.threads = 1;
    for (int minimums = 0; minimums < 2; minimums++) {
        nn_context *nn = OPEN_WITH_SET(&desc);
        if (!nn) return;
        net n = describe(nn, 4, minimums);
        ENSURE(prepare(&n, minimums));
        nn_plan *plan = plan_of(&n, MOST);
        for (int b = 0; b < BATCHES; b++) {
            run(&n, plan, batches[b], false);
            ENSURE(fine(nn));
            check_all(batches[b]);
        }
        nn_close(nn);
    }
}

static void test_products(void) {
    on_instructions(NN_INSTRUCTIONS_PLAIN);
    on_instructions(NN_INSTRUCTIONS_AVX2);
    on_instructions(NN_INSTRUCTIONS_AVX512);
    on_instructions(OTHER_SET);
}

/* The bytes depend neither on the number of threads nor on slices. */
static void test_threads_and_slices(void) {
    static float first[2][MOST * WIDE];
    for (int threads = 1; threads <= 3; threads++)
        for (int k = 0; k < 4; k++) {
            const bool minimums = k / 2, sliced = k % 2;
            net n = describe(nn_open(&(nn_desc){.threads = threads}), 4, minimums);
            ENSURE(prepare(&n, minimums));
            run(&n, plan_of(&n, MOST), MOST, sliced);
            ENSURE(fine(n.nn));
            if (threads == 1 && !sliced) memcpy(first[minimums], fc_y, sizeof fc_y);
            ENSURE(memcmp(fc_y, first[minimums], sizeof fc_y) == 0);
            nn_close(n.nn);
        }
}

/* A number that is not finite makes its own row NaN, and no other. */
static void test_not_finite_activations(void) {
    for (int i = 0; i < 2; i++) {
        net n = describe(nn_open(NULL), 4, i);
        ENSURE(prepare(&n, i));
        x[2 * IN + 40] = i ? INFINITY : NAN;
        run(&n, plan_of(&n, MOST), 5, false);
        ENSURE(fine(n.nn));
        for (int k = 0; k < 5 * WIDE; k++) ENSURE((fc_y[k] != fc_y[k]) == (k / WIDE == 2));
        nn_close(n.nn);
    }
}

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    for (int minimums = 0; minimums < 2; minimums++) {
        nn_context *nn = nn_open(NULL);
        if (!OPEN_OPENCL(nn)) {
            nn_close(nn);
            return;
        }
        net n = describe(nn, 4, minimums);
        ENSURE(prepare(&n, minimums));
        nn_move_model(n.model, nn_opencl(0));
        nn_plan *plan = plan_of(&n, MOST);
        for (int b = 0; b < BATCHES; b += 4) {
            run(&n, plan, batches[b], false);
            ENSURE(fine(nn));
            check_all(batches[b]);
        }
        nn_close(nn);
    }
#else
    SKIP("built without OpenCL");
#endif
}

/* ---- memory and files ------------------------------------------------------------------------ */

static void test_files(void) {
    nn_context *nn = nn_open(NULL);
    for (int minimums = 0; minimums < 2; minimums++) {
        net n = describe(nn, 4, minimums), m = describe(nn, 4, minimums);
        ENSURE(prepare(&n, minimums));
        file f = saved(n.model);
        ENSURE(f.size < floats.size / 5 && load(m.model, f));
        file g = saved(m.model);
        ENSURE(fine(nn) && f.size == g.size && memcmp(f.bytes, g.bytes, f.size) == 0);
        ENSURE(strstr(f.bytes + 8, "\"net.tr.weight\":{\"dtype\":\"U8\",\"shape\":[67,80]"));
        ENSURE(strstr(f.bytes + 8, "\"net.tr.weight_scale\":{\"dtype\":\"F16\",\"shape\":[67,5]"));
        ENSURE((strstr(f.bytes + 8, "weight_min") != NULL) == minimums);
        net plain = describe(nn, 0, false), eight = describe(nn, 8, false),
            other = describe(nn, 4, !minimums);
        ENSURE(!load(plain.model, f) &&
               says(nn, "\"net.fc.weight\" is u8 in the file, which means weights of 4 bits"));
        ENSURE(!load(eight.model, f) && says(nn, "set nn_quantize_desc.bits = 4"));
        ENSURE(!load(other.model, f) &&
               says(nn, minimums ? "unexpected:  \"net.fc.weight_min\"" : "only some of them"));
        file h = saved(eight.model);
        ENSURE(!load(m.model, h) && says(nn, "leave nn_quantize_desc.bits out"));
        file same = saved(m.model); /* nothing was loaded */
        ENSURE(same.size == g.size && memcmp(same.bytes, g.bytes, g.size) == 0);
        free(f.bytes), free(g.bytes), free(h.bytes), free(same.bytes);
    }
    nn_close(nn);
}

static void test_wrong_numbers(void) {
    nn_context *nn = nn_open(NULL);
    static const float wrong[] = {NAN, INFINITY, 1e6f};
    net n = describe(nn, 4, false), plain = describe(nn, 0, false);
    ENSURE(load(plain.model, floats) && load(n.model, floats));
    file before = saved(n.model);
    for (int i = 0; i < 3; i++) {
        const float kept = tr[40 * SOME + 2]; /* input 40 of output 2 */
        tr[40 * SOME + 2] = wrong[i];
        nn_upload_tensor(nn_find_tensor(plain.model, "net.tr.weight"), tr, sizeof tr);
        tr[40 * SOME + 2] = kept;
        file f = saved(plain.model);
        ENSURE(!load(n.model, f) && says(nn, "among inputs 32 to 63 of output 2"));
        free(f.bytes);
    }
    file after = saved(n.model);
    ENSURE(after.size == before.size && memcmp(after.bytes, before.bytes, after.size) == 0);
    free(before.bytes), free(after.bytes);
    nn_close(nn);
}

/* Each allocation fails in turn. The load then reports an error, and no memory leaks. */
static void test_memory_fails(void) {
    int failures = 0;
    bool well = false;
    for (int fail = 1; !well; fail++) {
        scarce memory;
        memset(&memory, 0, sizeof memory);
        nn_context *nn =
            nn_open(&(nn_desc){.threads = 1, .allocator = scarce_memory(&memory)});
        memory.calls = 0;
        memory.fail_at = fail;
        net n = describe(nn, 4, true);
        well = nn_find_tensor(n.model, "net.fc.weight") && load(n.model, floats);
        failures += !well;
        memory.fail_at = 0;
        ENSURE(well == (nn_error(nn) == NULL));
        nn_close(nn);
        ENSURE(memory.live == 0);
    }
    ENSURE(failures > 4 && failures < 300);
}

static void test_copies(void) {
    static float y[MOST * WIDE];
    nn_context *nn = nn_open(NULL);
    net n = describe(nn, 4, true), c = n;
    ENSURE(prepare(&n, true));
    run(&n, plan_of(&n, 3), 3, false);
    memcpy(y, fc_y, sizeof y);
    c.model = nn_copy_model(n.model, NULL);
    c.x = nn_copied_node(c.model, n.x), c.u = nn_copied_node(c.model, n.u);
    c.z = nn_copied_node(c.model, n.z), c.ids = nn_copied_node(c.model, n.ids);
    c.fc = nn_copied_node(c.model, n.fc), c.tr = nn_copied_node(c.model, n.tr);
    c.table = nn_copied_node(c.model, n.table), c.head = nn_copied_node(c.model, n.head);
    net other = describe(nn, 4, true);
    ENSURE(nn_blend_weights(other.model, n.model, 0.5f) != NN_OK && says(nn, "stored in 4 bits"));
    ENSURE(nn_blend_weights(other.model, n.model, 1.0f) == NN_OK);
    nn_free_model(n.model);
    run(&c, plan_of(&c, 3), 3, false);
    ENSURE(fine(nn) && memcmp(y, fc_y, sizeof(float) * 3 * WIDE) == 0);
    run(&other, plan_of(&other, 3), 3, false);
    ENSURE(memcmp(y, fc_y, sizeof(float) * 3 * WIDE) == 0);
    ENSURE(load(c.model, floats)); /* a copy knows which scales and minimums are whose */
    nn_linear(c.model, "late", c.x, &(nn_linear_desc){.out_features = 4});
    ENSURE(nn_tensor_dtype(nn_find_tensor(c.model, "late.weight")) == NN_U8 && fine(nn));
    nn_close(nn);
}

/* The first values of a layer go from minus the bound of PyTorch's layer to 7/8 of that bound.
   Those of a table have a variance of 1. */
static void test_first_values(void) {
    net n = describe(nn_open(NULL), 4, false);
    const double bound = 1 / sqrt((double)IN);
    double least = 0, most = 0, squares = 0;
    unpack_all(n.model, false);
    ENSURE(fine(n.nn));
    for (int i = 0; i < WIDE * IN; i++) {
        least = fmin(least, of_fc.w[i]), most = fmax(most, of_fc.w[i]);
    }
    ENSURE(fabs(least + bound) < bound * 0.002 && fabs(most - bound * 7 / 8) < bound * 0.002);
    for (int i = 0; i < WORDS * EMBED; i++) squares += of_table.w[i] * of_table.w[i];
    ENSURE(fabs(squares / (WORDS * EMBED) - 1) < 0.06);
    nn_close(n.nn);
}

/* ---- training -------------------------------------------------------------------------------- */

enum { A = 32, B = 64, C = 6, ROWS = 9 };

typedef struct small {
    nn_model *model;
    nn_node *x, *target, *loss;
} small;

static small describe_small(nn_context *nn, bool quantized, bool lora, bool turned) {
    small s;
    nn_model *m = s.model = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    if (quantized)
        nn_quantize(m, &(nn_quantize_desc){.bits = 4, .skip = NN_TEXTS("before", "last")});
    if (lora) nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("first"), .r = 2});
    s.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, A));
    s.target = nn_input(m, "target", NN_F32, NN_SHAPE(NN_BATCH, C));
    nn_linear_desc desc = {.out_features = B};
    nn_node *h = nn_linear(m, "before", s.x, &(nn_linear_desc){.out_features = A});
    h = turned ? nn_linear_transposed(m, "first", h, &desc) : nn_linear(m, "first", h, &desc);
    h = nn_linear(m, "last", nn_tanh(m, h), &(nn_linear_desc){.out_features = C});
    s.loss = nn_mse_loss(m, h, s.target, NULL);
    return s;
}

static nn_trainer *train(const small *s, int steps, float *loss) {
    nn_trainer *trainer = nn_make_trainer(
        s->model, s->loss,
        &(nn_trainer_desc){.batch = ROWS, .optimizer = NN_SGD, .learning_rate = 0.05f});
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

static void test_training(void) {
    for (int turned = 0; turned < 2; turned++) {
        float loss[2], before[2][A * A], step[2][A * A];
        fill_inputs();
        nn_context *nn = nn_open(NULL);
        small s[2] = {describe_small(nn, true, false, turned),
                      describe_small(nn, false, false, turned)};
        ENSURE(!train(&s[0], 1, loss));
        ENSURE(strstr(nn_error(nn), "\"first.weight\" is stored in 4 bits (nn_quantize)") &&
               says(nn, "nn_freeze(net, \"first.weight\", true)"));
        /* the twin in f32 has the same numbers, and the layers before and after learn the same */
        static float wide[B * A];
        unpack(s[0].model, "first", B, A, false, &of_fc);
        for (int i = 0; i < A * B; i++)
            wide[turned ? i % A * B + i / A : i] = (float)of_fc.w[i];
        nn_upload_tensor(nn_find_tensor(s[1].model, "first.weight"), wide, sizeof wide);
        static const char *const same[] = {"before.weight", "before.bias", "first.bias",
                                           "last.weight", "last.bias"};
        for (int k = 0; k < 5; k++) {
            static float numbers[B * A];
            nn_tensor *to = nn_find_tensor(s[1].model, same[k]);
            const size_t bytes = sizeof(float) * (size_t)nn_shape_count(nn_tensor_shape(to));
            get(s[0].model, same[k], numbers, bytes);
            nn_upload_tensor(to, numbers, bytes);
        }
        double error = 0, size = 0;
        for (int k = 0; k < 2; k++) {
            nn_freeze(s[k].model, "first.weight", true);
            get(s[k].model, "before.weight", before[k], sizeof before[k]);
            ENSURE(train(&s[k], 1, loss));
            get(s[k].model, "before.weight", step[k], sizeof step[k]);
        }
        for (int i = 0; i < A * A; i++) {
            const double a = (double)step[0][i] - (double)before[0][i],
                         b = (double)step[1][i] - (double)before[1][i];
            error += (a - b) * (a - b), size += b * b;
        }
        /* only the activations of the first product are rounded */
        ENSURE(size > 0 && error < 4e-4 * size);
        ENSURE(fine(nn));
        nn_close(nn);
        nn = nn_open(NULL);
        small adapted = describe_small(nn, true, true, turned);
        ENSURE(train(&adapted, 40, loss) && loss[1] < loss[0] && fine(nn));
        nn_close(nn);
        nn = nn_open(NULL);
        adapted = describe_small(nn, true, true, turned);
        ENSURE(nn_merge_lora(adapted.model, false) != NN_OK && says(nn, "stored in 4 bits"));
        ENSURE(nn_initialise(adapted.model, "first.weight",
                             &(nn_init_desc){.init = NN_INIT_ZEROS}) != NN_OK &&
               says(nn, "stored in 4 bits"));
        nn_close(nn);
    }
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static bool refused(nn_quantize_desc desc, const char *text) {
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, NULL);
    const bool well = nn_quantize(m, &desc) != NN_OK && says(nn, text);
    nn_close(nn);
    return well;
}

static void test_mistakes(void) {
    ENSURE(refused((nn_quantize_desc){.bits = 5}, "bits is 5; wanted 8, 4, or 0 for 8"));
    ENSURE(refused((nn_quantize_desc){.minimums = true}, "minimums belong to groups of 4 bits"));
    ENSURE(refused((nn_quantize_desc){.bits = 4, .dtype = NN_I8}, "dtype is i8 beside .bits = 4"));
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, NULL);
    nn_quantize(m, &(nn_quantize_desc){.bits = 4});
    nn_node *y = nn_linear(m, "odd", nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 48)),
                           &(nn_linear_desc){.out_features = 4});
    ENSURE(!nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 1}) &&
           says(nn, "each row of its weight has 48 numbers; weights of 4 bits have groups of 32"));
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    make_floats();
    RUN(test_rounding);
    RUN(test_products);
    RUN(test_threads_and_slices);
    RUN(test_not_finite_activations);
    RUN(test_opencl);
    RUN(test_files);
    RUN(test_wrong_numbers);
    RUN(test_memory_fails);
    RUN(test_copies);
    RUN(test_first_values);
    RUN(test_training);
    RUN(test_mistakes);
    free(floats.bytes);
    return test_report();
}
