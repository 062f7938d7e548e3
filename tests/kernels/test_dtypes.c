/* test_dtypes.c: f16 and bf16 as storage. Compares every bit pattern of both, through nn_cast in
   both directions, with arithmetic in double. Also tests casts that are inserted before operations
   in f32. The tests run on the CPU and on OpenCL. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "halves.h"
#include "test.h"
#include "open.h"
#include "lists.h"

#include <stdio.h>
#include <stdlib.h>

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

static nn_device on; /* of the running test */

/* A context for each kind of device, kept from test to test: PoCL takes 50 ms for each program of a
   new one. Objects that a test makes in it live until close_all. */
static nn_context *contexts[2];

static nn_context *open_nn(void) {
    nn_context **nn = &contexts[on.kind != NN_CPU];
    nn_desc desc;
    ZERO(desc);
    desc.threads = 1;
    if (!*nn) {
        *nn = nn_open(&desc);
#ifdef NN_TEST_OPENCL
        if (on.kind != NN_CPU) OPEN_OPENCL(*nn);
#endif
    }
    nn_clear_error(*nn);
    return *nn;
}

static void close_all(void) {
    for (int i = 0; i < 2; i++) nn_close(contexts[i]);
}

/* Runs the test on each device of this machine. */
static void everywhere(void (*test)(void)) {
    on = nn_cpu();
    test();
#ifdef NN_TEST_OPENCL
    on = nn_opencl(0);
    nn_context *nn = open_nn();
    bool there = nn_is_open(nn, on);
    if (there) test();
    else SKIP_PART("no OpenCL device here");
#endif
}

static nn_tensor *make(nn_context *nn, const char *name, nn_dtype dtype, nn_shape shape) {
    nn_tensor_desc desc;
    ZERO(desc);
    desc.name = name;
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = on;
    return nn_make_tensor(nn, &desc);
}

/* ---- plain conversions ----------------------------------------------------------------------- */

enum { PATTERNS = 65536 };

/* ---- every pattern --------------------------------------------------------------------------- */

static void patterns_here(void) {
    static uint16_t patterns[PATTERNS], back[PATTERNS];
    static float numbers[PATTERNS], wanted[PATTERNS];
    nn_context *nn = open_nn();
    for (int h = 0; h < 2; h++) {
        nn_tensor *half = make(nn, "half", halves[h], NN_SHAPE(PATTERNS)),
                  *wide = make(nn, "wide", NN_F32, NN_SHAPE(PATTERNS));
        for (int i = 0; i < PATTERNS; i++) {
            patterns[i] = (uint16_t)i;
            wanted[i] = (float)value_of(halves[h], (unsigned)i);
        }
        ENSURE(nn_upload_tensor(half, patterns, sizeof patterns) == NN_OK);
        ENSURE(nn_cast_forward(wide, half) == NN_OK);
        ENSURE(nn_download_tensor(wide, numbers, sizeof numbers) == NN_OK);
        for (int i = 0; i < PATTERNS; i++) {
            bool nan = wanted[i] != wanted[i];
            ENSURE(nan ? numbers[i] != numbers[i] : memcmp(&numbers[i], &wanted[i], 4) == 0);
        }
        ENSURE(nn_cast_forward(half, wide) == NN_OK);
        ENSURE(nn_download_tensor(half, back, sizeof back) == NN_OK);
        for (int i = 0; i < PATTERNS; i++) ENSURE(same_pattern(halves[h], back[i], patterns[i]));
    }
    ENSURE(nn_error(nn) == NULL);
}
static void every_pattern_both_ways(void) { everywhere(patterns_here); }

/* Tests the middle between any two neighbours, and the floats next to it. It also tests overflow,
   underflow and subnormal floats. */
static void rounding_here(void) {
    static float numbers[PATTERNS];
    static uint16_t found[PATTERNS];
    nn_context *nn = open_nn();
    for (int h = 0; h < 2; h++) {
        nn_tensor *half = make(nn, "half", halves[h], NN_SHAPE(PATTERNS)),
                  *wide = make(nn, "wide", NN_F32, NN_SHAPE(PATTERNS));
        for (int beside = -1; beside <= 1; beside++) {
            for (int i = 0; i < PATTERNS; i++) {
                unsigned next = (unsigned)i + 1;
                double a = value_of(halves[h], (unsigned)i),
                       b = next < PATTERNS ? value_of(halves[h], next) : a;
                if (fabs(b) > 1e39) b = 2 * a - value_of(halves[h], (unsigned)i - 1);
                numbers[i] = (float)((a + b) / 2);
                if (beside) numbers[i] = nextafterf(numbers[i], beside < 0 ? -INFINITY : INFINITY);
                if (fabsf(numbers[i]) < 1.2e-38f)
                    numbers[i] = 0; /* devices may take a float's subnormals for 0 */
            }
            ENSURE(nn_upload_tensor(wide, numbers, sizeof numbers) == NN_OK);
            ENSURE(nn_cast_forward(half, wide) == NN_OK);
            ENSURE(nn_download_tensor(half, found, sizeof found) == NN_OK);
            for (int i = 0; i < PATTERNS; i++) {
                unsigned want = pattern_of(halves[h], (double)numbers[i]);
                if (same_pattern(halves[h], found[i], want)) continue;
                test_fail(__FILE__, __LINE__, "%s of %.9g is %04x, wanted %04x",
                          nn_dtype_name(halves[h]), (double)numbers[i], found[i], want);
            }
        }
    }
}
static void rounds_to_nearest_even(void) { everywhere(rounding_here); }

/* Golden: torch.tensor(x).to(dtype) of PyTorch 2, where that is defined; saturated where it is
   not. */
static void whole_here(void) {
    static const float x[8] = {2.5f, -2.5f, 0.99f, -0.99f, 127.9f, 300.0f, -300.0f, NAN};
    static const int32_t i32[8] = {2, -2, 0, 0, 127, 300, -300, 0};
    static const int8_t i8[8] = {2, -2, 0, 0, 127, 127, -128, 0};
    static const uint8_t u8[8] = {2, 0, 0, 0, 127, 255, 0, 0};
    static const uint8_t truth[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const uint16_t f16[8] = {0x4100, 0xc100, 0x3bec, 0xbbec, 0x57fe, 0x5cb0, 0xdcb0, 0x7e00};
    static const uint16_t bf16[8] = {0x4020, 0xc020, 0x3f7d, 0xbf7d,
                                     0x4300, 0x4396, 0xc396, 0x7fc0};
    const struct { nn_dtype dtype; const void *wanted; size_t size;
    } cases[] = {{NN_I32, i32, 4},    {NN_I8, i8, 1},   {NN_U8, u8, 1},
                 {NN_BOOL, truth, 1}, {NN_F16, f16, 2}, {NN_BF16, bf16, 2}};
    nn_context *nn = open_nn();
    nn_tensor *wide = make(nn, "wide", NN_F32, NN_SHAPE(8));
    ENSURE(nn_upload_tensor(wide, x, sizeof x) == NN_OK);
    for (int c = 0; c < 6; c++) {
        char found[32];
        nn_tensor *to = make(nn, "to", cases[c].dtype, NN_SHAPE(8));
        ENSURE(nn_cast_forward(to, wide) == NN_OK);
        ENSURE(nn_download_tensor(to, found, 8 * cases[c].size) == NN_OK);
        if (memcmp(found, cases[c].wanted, 8 * cases[c].size - (c > 3 ? 2 : 0)) != 0)
            test_fail(__FILE__, __LINE__, "%s differs", nn_dtype_name(cases[c].dtype));
    }
}
static void golden_of_every_dtype(void) { everywhere(whole_here); }

/* ---- nets ------------------------------------------------------------------------------------ */

static float uniform(int i) {
    uint32_t words[4];
    nn_random_words(5, 3, (uint64_t)i, words);
    return 2 * nn_word_to_uniform(words[0]) - 1;
}

typedef struct text {
    char at[20000];
    size_t length;
} text;
static void write_text(void *user, const char *from, size_t length) {
    text *to = (text *)user;
    if (to->length + length + 1 > sizeof to->at) return;
    memcpy(to->at + to->length, from, length);
    to->length += length;
    to->at[to->length] = 0;
}

static nn_plan *plan_of(nn_model *net, nn_node *a, nn_node *b, int batch) {
    nn_plan_desc desc;
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = a;
    if (b) NODE_AT(desc.outputs, 1) = b;
    desc.batch = batch;
    return nn_make_plan(net, &desc);
}

static nn_model *model_of(nn_context *nn, nn_dtype dtype) {
    nn_model_desc desc;
    ZERO(desc);
    desc.device = on;
    desc.seed = 3;
    desc.dtype = dtype;
    return nn_make_model(nn, &desc);
}

/* One net for images in `dtype`; stored: the dtype of an activation. */
static nn_node *describe(nn_model *net, nn_dtype dtype, nn_dtype stored, nn_node **picture,
                         nn_node **middle) {
    nn_conv2d_desc conv;
    nn_linear_desc linear;
    ZERO(conv);
    ZERO(linear);
    conv.out_channels = 4;
    conv.kernel = 3;
    linear.out_features = 5;
    *picture = nn_input(net, "picture", dtype, NN_SHAPE(NN_BATCH, 2, 6, 6));
    nn_node *x = nn_relu(net, nn_conv2d(net, "conv", *picture, &conv));
    *middle = x = nn_cast(net, x, stored);
    x = nn_add(net, nn_silu(net, x), nn_permute(net, x, NN_AXES(0, 1, 3, 2)));
    return nn_softmax(net, nn_linear(net, "fc", nn_flatten(net, x), &linear));
}

enum { BATCH = 3, PIXELS = BATCH * 2 * 6 * 6, SCORES = BATCH * 5, MIDDLE = BATCH * 4 * 4 * 4 };

/* The same numbers as f16 and as f32 inputs give the same bytes, because everything is computed in
   f32. An activation that is stored in a half is rounded. */
static void net_here(void) {
    for (int h = 0; h < 2; h++) {
        nn_context *nn = open_nn();
        nn_model *wide = model_of(nn, NN_F32), *half = model_of(nn, NN_F32);
        nn_node *pictures[2], *middles[2], *scores[2];
        float numbers[PIXELS], found[2][SCORES], plain[MIDDLE];
        uint16_t patterns[PIXELS], stored[MIDDLE];
        text *words = (text *)calloc(1, sizeof *words);
        nn_writer writer;
        for (int i = 0; i < PIXELS; i++) {
            patterns[i] = (uint16_t)pattern_of(halves[h], (double)uniform(i));
            numbers[i] = (float)value_of(halves[h], patterns[i]);
        }
        scores[0] = describe(wide, NN_F32, NN_F32, &pictures[0], &middles[0]);
        scores[1] = describe(half, halves[h], NN_F32, &pictures[1], &middles[1]);
        nn_plan *plans[2] = {plan_of(wide, scores[0], middles[0], BATCH),
                             plan_of(half, scores[1], NULL, BATCH)};
        ENSURE(nn_upload(plans[0], pictures[0], numbers, sizeof numbers) == NN_OK);
        ENSURE(nn_upload(plans[1], pictures[1], patterns, sizeof patterns) == NN_OK);
        for (int k = 0; k < 2; k++) {
            ENSURE(nn_run(plans[k]) == NN_OK);
            ENSURE(nn_download(plans[k], scores[k], found[k], sizeof found[k]) == NN_OK);
        }
        ENSURE(memcmp(found[0], found[1], sizeof found[0]) == 0);
        ENSURE(nn_download(plans[0], middles[0], plain, sizeof plain) == NN_OK);
        writer.function = write_text;
        writer.user = words;
        nn_write_plan(plans[1], writer);
        ENSURE(strstr(words->at, "cast") && strstr(words->at, "picture.f32"));

        nn_model *third = model_of(nn, NN_F32);
        nn_node *rounded = describe(third, NN_F32, halves[h], &pictures[0], &middles[0]);
        nn_plan *plan = plan_of(third, rounded, middles[0], BATCH);
        ENSURE(nn_node_dtype(middles[0]) == halves[h]);
        ENSURE(nn_node_dtype(rounded) == NN_F32);
        ENSURE(nn_upload(plan, pictures[0], numbers, sizeof numbers) == NN_OK);
        ENSURE(nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, middles[0], stored, sizeof stored) == NN_OK);
        for (int i = 0; i < MIDDLE; i++)
            ENSURE(stored[i] == pattern_of(halves[h], (double)plain[i]));
        ENSURE(nn_download(plan, rounded, found[1], sizeof found[1]) == NN_OK);
        for (int i = 0; i < SCORES; i++)
            ENSURE_CLOSE(found[1][i], found[0][i], halves[h] == NN_F16 ? 1e-3 : 1e-2);
        ENSURE(memcmp(found[0], found[1], sizeof found[0]) != 0);
        if (nn_error(nn)) printf("%s\n", nn_error(nn));
        ENSURE(nn_error(nn) == NULL);
        free(words);
    }
}
static void nets_read_and_store_halves(void) { everywhere(net_here); }

/* y = mean((cast(w x) in a half)^2): dw is the mean of 2 y x in f32, where y is the stored
   value. */
static void gradient_here(void) {
    for (int h = 0; h < 2; h++) {
        enum { N = 40 };
        float x[N], w[N], dw[N];
        nn_trainer_desc desc;
        nn_context *nn = open_nn();
        nn_model *net = model_of(nn, NN_F32);
        nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, N)),
                *weight = nn_parameter(net, "w", NN_SHAPE(N), -1, 1);
        nn_node *y = nn_cast(net, nn_multiply(net, in, weight), halves[h]);
        nn_node *loss = nn_mean(net, nn_multiply(net, y, y));
        ZERO(desc);
        desc.batch = 1;
        desc.gradients = true;
        nn_trainer *trainer = nn_make_trainer(net, loss, &desc);
        if (!trainer) printf("%s\n", nn_error(nn));
        ENSURE(trainer);
        for (int i = 0; i < N; i++) x[i] = uniform(i);
        ENSURE(nn_download_tensor(nn_find_tensor(net, "w"), w, sizeof w) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(trainer), in, x, sizeof x) == NN_OK);
        ENSURE(nn_backward(trainer) == NN_OK);
        ENSURE(nn_read_gradient(trainer, "w", dw, sizeof dw) == NN_OK);
        for (int i = 0; i < N; i++) {
            double stored = value_of(halves[h], pattern_of(halves[h], (double)(x[i] * w[i])));
            ENSURE_CLOSE(dw[i], 2 * stored * (double)x[i] / N, 1e-7);
        }
    }
}
static void gradients_pass_casts(void) { everywhere(gradient_here); }

/* ---- parameters ------------------------------------------------------------------------------ */

static nn_node *layers(nn_model *net, nn_node **x) {
    nn_linear_desc linear;
    ZERO(linear);
    *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6));
    linear.out_features = 16;
    nn_node *y = nn_tanh(net, nn_linear(net, "a", *x, &linear));
    linear.out_features = 3;
    return nn_linear(net, "b", y, &linear);
}

enum { WEIGHTS = 16 * 6 };

/* Bytes of a file in memory. */
typedef struct bytes {
    char at[40000];
    size_t length;
} bytes;
static void write_bytes(void *user, const char *from, size_t length) {
    bytes *to = (bytes *)user;
    if (to->length + length > sizeof to->at) return;
    memcpy(to->at + to->length, from, length);
    to->length += length;
}

static bytes *saved(nn_model *net) {
    bytes *file = (bytes *)calloc(1, sizeof *file);
    nn_writer writer;
    writer.function = write_bytes;
    writer.user = file;
    if (nn_save_weights_to(net, writer) != NN_OK) file->length = 0;
    return file;
}

/* Initial values are those of f32, rounded. Files of any float dtype load into any other, rounded
   once. A model saves its own dtype. */
static void parameters_here(void) {
    for (int h = 0; h < 2; h++) {
        nn_context *nn = open_nn();
        nn_model *wide = model_of(nn, NN_F32), *half = model_of(nn, halves[h]),
                 *again = model_of(nn, halves[h]);
        nn_node *x;
        float numbers[WEIGHTS], widened[WEIGHTS];
        uint16_t stored[WEIGHTS], other[WEIGHTS];
        const char *words = halves[h] == NN_F16 ? "\"dtype\":\"F16\"" : "\"dtype\":\"BF16\"";
        layers(wide, &x);
        layers(half, &x);
        layers(again, &x);
        nn_tensor *weight = nn_find_tensor(half, "a.weight");
        ENSURE(nn_tensor_dtype(weight) == halves[h]);
        ENSURE(nn_tensor_bytes(weight) == 2 * WEIGHTS);
        ENSURE(nn_download_tensor(nn_find_tensor(wide, "a.weight"), numbers, sizeof numbers) ==
               NN_OK);
        ENSURE(nn_download_tensor(weight, stored, sizeof stored) == NN_OK);
        for (int i = 0; i < WEIGHTS; i++)
            ENSURE(stored[i] == pattern_of(halves[h], (double)numbers[i]));

        for (int i = 0; i < WEIGHTS; i++) numbers[i] = 3 * uniform(900 + i);
        ENSURE(nn_upload_tensor(nn_find_tensor(wide, "a.weight"), numbers, sizeof numbers) ==
               NN_OK);
        bytes *file = saved(wide);
        ENSURE(nn_load_weights_from(half, file->at, file->length, NULL) == NN_OK);
        ENSURE(nn_download_tensor(weight, stored, sizeof stored) == NN_OK);
        for (int i = 0; i < WEIGHTS; i++)
            ENSURE(stored[i] == pattern_of(halves[h], (double)numbers[i]));
        free(file);

        file = saved(half);
        ENSURE(file->length > 8);
        file->at[sizeof file->at - 1] = 0;
        ENSURE(strstr(file->at + 8, words) != NULL);
        ENSURE(nn_load_weights_from(again, file->at, file->length, NULL) == NN_OK);
        ENSURE(nn_download_tensor(nn_find_tensor(again, "a.weight"), other, sizeof other) == NN_OK);
        ENSURE(memcmp(stored, other, sizeof stored) == 0);
        ENSURE(nn_load_weights_from(wide, file->at, file->length, NULL) == NN_OK);
        ENSURE(nn_download_tensor(nn_find_tensor(wide, "a.weight"), widened, sizeof widened) ==
               NN_OK);
        for (int i = 0; i < WEIGHTS; i++)
            ENSURE((double)widened[i] == value_of(halves[h], stored[i]));
        free(file);
        if (nn_error(nn)) printf("%s\n", nn_error(nn));
        ENSURE(nn_error(nn) == NULL);
    }
}
static void parameters_of_halves(void) { everywhere(parameters_here); }

/* Copies the bytes of all parameters. */
static size_t state_of(nn_model *net, char *to) {
    size_t length = 0;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        nn_download_tensor(tensor, to + length, (size_t)nn_tensor_bytes(tensor));
        length += (size_t)nn_tensor_bytes(tensor);
    }
    return length;
}

enum { SAMPLES = 8, STEPS = 60 };

typedef struct run {
    nn_context *nn;
    nn_model *net;
    nn_trainer *trainer;
    nn_node *x, *target, *loss;
} run;

static run start(nn_dtype dtype, nn_optimizer optimizer, bool gradients, float rate) {
    run r;
    nn_trainer_desc desc;
    ZERO(r);
    ZERO(desc);
    r.nn = open_nn();
    r.net = model_of(r.nn, dtype);
    nn_node *y = layers(r.net, &r.x);
    r.target = nn_input(r.net, "target", NN_F32, NN_SHAPE(NN_BATCH, 3));
    r.loss = nn_mse_loss(r.net, y, r.target, NULL);
    desc.batch = SAMPLES;
    desc.optimizer = optimizer;
    desc.learning_rate = rate;
    desc.gradients = gradients;
    if (optimizer == NN_SGD) desc.momentum = 0.9f;
    r.trainer = nn_make_trainer(r.net, r.loss, &desc);
    if (!r.trainer) printf("%s\n", nn_error(r.nn));
    return r;
}

static bool go(run *r, int first, int steps, float *loss) {
    float x[SAMPLES * 6], target[SAMPLES * 3];
    for (int s = first; s < first + steps; s++) {
        for (int i = 0; i < SAMPLES * 6; i++) x[i] = uniform(s % 4 * 1000 + i);
        for (int i = 0; i < SAMPLES * 3; i++) target[i] = x[i / 3 * 6 + i % 3] * x[i / 3 * 6 + 3];
        nn_plan *plan = nn_trainer_plan(r->trainer);
        if (nn_upload(plan, r->x, x, sizeof x) != NN_OK ||
            nn_upload(plan, r->target, target, sizeof target) != NN_OK ||
            nn_train_on_inputs(r->trainer) != NN_OK)
            return false;
    }
    return nn_read_loss(r->trainer, loss) == NN_OK;
}

/* The loss follows that of f32 within the rounding of the storage, because steps far smaller than
   half of a parameter's last place add up in the f32 masters. Without masters, training with this
   rate would make no progress. */
static void follows_here(void) {
    for (int c = 0; c < 6; c++) {
        const nn_optimizer optimizers[] = {NN_SGD, NN_ADAM, NN_ADAMW};
        nn_optimizer optimizer = optimizers[c % 3];
        nn_dtype dtype = halves[c / 3];
        if (on.kind != NN_CPU && optimizer != NN_ADAM) continue; /* a short test */
        float losses[2], first[2], rate = optimizer == NN_SGD ? 2e-3f : 1e-4f;
        run wide = start(NN_F32, optimizer, false, rate),
            half = start(dtype, optimizer, false, rate);
        ENSURE(wide.trainer && half.trainer);
        ENSURE(go(&wide, 0, 1, &first[0]) && go(&half, 0, 1, &first[1]));
        ENSURE(go(&wide, 1, 400, &losses[0]) && go(&half, 1, 400, &losses[1]));
        double learned = (double)(first[0] - losses[0]), also = (double)(first[1] - losses[1]);
        ENSURE(learned > 0.02);
        ENSURE_CLOSE(also / learned, 1, dtype == NN_F16 ? 0.02 : 0.15);
    }
}
static void training_follows_f32(void) { everywhere(follows_here); }

static const char *const checkpoint_path = "build/test_dtypes.checkpoint";

/* A run that was stopped and resumed has the bytes of one that was not stopped, and of one whose
   steps are cut in two. */
static void resumed_here(void) {
    for (int h = 0; h < 2; h++) {
        static char whole[4000], part[4000], split[4000];
        float loss;
        size_t length;
        run a = start(halves[h], NN_ADAM, false, 1e-3f),
            b = start(halves[h], NN_ADAM, false, 1e-3f), c;
        run d = start(halves[h], NN_ADAM, true, 1e-3f);
        ENSURE(go(&a, 0, STEPS, &loss));
        length = state_of(a.net, whole);
        ENSURE(length == 2 * (16 * 6 + 16 + 3 * 16 + 3));
        ENSURE(go(&b, 0, STEPS / 2, &loss));
        ENSURE(nn_save_checkpoint(b.trainer, checkpoint_path, NULL) == NN_OK);
        c = start(halves[h], NN_ADAM, false, 1e-3f);
        ENSURE(nn_load_checkpoint(c.trainer, checkpoint_path, NULL) == NN_OK);
        nn_safetensors *file = nn_open_safetensors(c.nn, checkpoint_path);
        bool master = false;
        for (int i = 0; i < nn_safetensors_count(file); i++) {
            nn_safetensors_entry entry = nn_safetensors_at(file, i);
            master |=
                strcmp(entry.name, "optimizer.state.a.weight.master") == 0 && entry.dtype == NN_F32;
        }
        ENSURE(master);
        nn_close_safetensors(file);
        ENSURE(go(&c, STEPS / 2, STEPS - STEPS / 2, &loss));
        ENSURE(state_of(c.net, part) == length);
        ENSURE(memcmp(whole, part, length) == 0);
        ENSURE(go(&d, 0, STEPS, &loss));
        ENSURE(state_of(d.net, split) == length);
        ENSURE(memcmp(whole, split, length) == 0);
        remove(checkpoint_path);
    }
}
static void resumed_runs_have_the_same_bytes(void) { everywhere(resumed_here); }

/* Weights that are written between two steps replace the masters: by a load, by an upload, and when
   they move with their trainer. */
static void written_here(void) {
    run r = start(NN_BF16, NN_SGD, false, 1e-3f), plain = start(NN_BF16, NN_SGD, false, 1e-3f);
    static char one[4000], other[4000];
    uint16_t ones[WEIGHTS], after[WEIGHTS];
    float loss;
    ENSURE(go(&r, 0, 5, &loss));
    for (int i = 0; i < WEIGHTS; i++) ones[i] = (uint16_t)pattern_of(NN_BF16, 1 + (i % 5) * 0.5);
    ENSURE(nn_upload_tensor(nn_find_tensor(r.net, "a.weight"), ones, sizeof ones) == NN_OK);
    ENSURE(go(&r, 5, 1, &loss));
    ENSURE(nn_download_tensor(nn_find_tensor(r.net, "a.weight"), after, sizeof after) == NN_OK);
    for (int i = 0; i < WEIGHTS; i++)
        ENSURE_CLOSE(value_of(NN_BF16, after[i]), value_of(NN_BF16, ones[i]), 0.1);
    r = start(NN_BF16, NN_SGD, false, 1e-3f);
    ENSURE(go(&plain, 0, 20, &loss) && go(&r, 0, 10, &loss));
    if (on.kind == NN_CPU) {
        ENSURE(nn_move_trainer(r.trainer, nn_cpu()) == NN_OK);
    } else { /* there and back: the other device's results differ in a few last places */
        ENSURE(nn_move_trainer(r.trainer, nn_cpu()) == NN_OK);
        ENSURE(nn_move_trainer(r.trainer, on) == NN_OK);
    }
    ENSURE(go(&r, 10, 10, &loss));
    ENSURE(state_of(r.net, one) == state_of(plain.net, other));
    ENSURE(memcmp(one, other, state_of(r.net, one)) == 0);
}
static void written_weights_count(void) { everywhere(written_here); }

/* Every device trains in the same way: parameters agree within two units in the last place. */
static void devices_agree(void) {
#ifdef NN_TEST_OPENCL
    for (int h = 0; h < 2; h++) {
        float losses[2];
        static uint16_t found[2][WEIGHTS];
        for (int k = 0; k < 2; k++) {
            on = k ? nn_opencl(0) : nn_cpu();
            run r = start(halves[h], NN_SGD, false, 1e-2f);
            if (!r.trainer) SKIP("no OpenCL device");
            ENSURE(go(&r, 0, STEPS, &losses[k]));
            ENSURE(nn_download_tensor(nn_find_tensor(r.net, "a.weight"), found[k],
                                      sizeof found[k]) == NN_OK);
        }
        ENSURE_CLOSE(losses[0], losses[1], 1e-3);
        for (int i = 0; i < WEIGHTS; i++) ENSURE(abs((int)found[0][i] - (int)found[1][i]) <= 2);
    }
#else
    SKIP("built without OpenCL");
#endif
}

/* Weights move by tau and are rounded, as those of a target network of f16 do. */
static void blends_halves(void) {
    on = nn_cpu();
    for (int h = 0; h < 2; h++) {
        nn_context *nn = open_nn();
        nn_model *to = model_of(nn, halves[h]), *from = model_of(nn, halves[h]);
        uint16_t a[WEIGHTS], b[WEIGHTS], found[WEIGHTS];
        nn_node *x;
        layers(to, &x);
        layers(from, &x);
        for (int i = 0; i < WEIGHTS; i++) {
            a[i] = (uint16_t)pattern_of(halves[h], (double)uniform(i));
            b[i] = (uint16_t)pattern_of(halves[h], (double)uniform(i + 500));
        }
        ENSURE(nn_upload_tensor(nn_find_tensor(to, "a.weight"), a, sizeof a) == NN_OK);
        ENSURE(nn_upload_tensor(nn_find_tensor(from, "a.weight"), b, sizeof b) == NN_OK);
        ENSURE(nn_blend_weights(to, from, 0.25f) == NN_OK);
        ENSURE(nn_download_tensor(nn_find_tensor(to, "a.weight"), found, sizeof found) == NN_OK);
        for (int i = 0; i < WEIGHTS; i++) {
            double p = value_of(halves[h], a[i]), q = value_of(halves[h], b[i]),
                   want = p + 0.25 * (q - p);
            ENSURE_CLOSE(value_of(halves[h], found[i]), want,
                         fabs(want) * (halves[h] == NN_F16 ? 1.0 / 2048 : 1.0 / 256) + 1e-7);
        }
    }
}

/* Arrays of bit patterns, as nn_write_weights prints them, are used in place. */
static void arrays_of_halves(void) {
    on = nn_cpu();
    for (int h = 0; h < 2; h++) {
        nn_context *nn = open_nn();
        nn_model *copied = model_of(nn, halves[h]), *placed = model_of(nn, halves[h]),
                 *other = model_of(nn, halves[1 - h]);
        nn_node *x[3], *y[2];
        uint16_t patterns[4][WEIGHTS];
        const char *const names[] = {"a.weight", "a.bias", "b.weight", "b.bias"};
        nn_weights_array arrays[4];
        float numbers[2 * 6], found[2][2 * 3];
        text *header = (text *)calloc(1, sizeof *header);
        nn_writer writer;
        y[0] = layers(copied, &x[0]);
        y[1] = layers(placed, &x[1]);
        layers(other, &x[2]);
        for (int i = 0; i < 4; i++) {
            nn_tensor *tensor = nn_find_tensor(copied, names[i]);
            arrays[i].name = names[i];
            arrays[i].dtype = halves[h];
            arrays[i].shape = nn_tensor_shape(tensor);
            arrays[i].data = patterns[i];
            ENSURE(nn_download_tensor(tensor, patterns[i], (size_t)nn_tensor_bytes(tensor)) ==
                   NN_OK);
        }
        writer.function = write_text;
        writer.user = header;
        ENSURE(nn_write_weights(copied, "net", writer) == NN_OK);
        ENSURE(strstr(header->at, "static const uint16_t net_a_weight[96] = {"));
        ENSURE(strstr(header->at, halves[h] == NN_F16 ? "{\"a.weight\", NN_F16, {{16, 6}, 2}"
                                                      : "{\"a.weight\", NN_BF16, {{16, 6}, 2}"));
        char first[24];
        snprintf(first, sizeof first, "{\n    %u,", (unsigned)patterns[0][0]);
        ENSURE(strstr(header->at, first));
        ENSURE(nn_use_weights(placed, arrays, 4, &(nn_use_weights_desc){.in_place = true}) ==
               NN_OK);
        ENSURE(nn_tensor_const_data(nn_find_tensor(placed, "a.weight")) ==
               (const void *)patterns[0]);
        for (int i = 0; i < 12; i++) numbers[i] = uniform(i);
        for (int k = 0; k < 2; k++) {
            nn_plan *plan = plan_of(k ? placed : copied, y[k], NULL, 2);
            ENSURE(nn_upload(plan, x[k], numbers, sizeof numbers) == NN_OK &&
                   nn_run(plan) == NN_OK);
            ENSURE(nn_download(plan, y[k], found[k], sizeof found[k]) == NN_OK);
        }
        ENSURE(memcmp(found[0], found[1], sizeof found[0]) == 0);
        ENSURE(nn_use_weights(other, arrays, 4, NULL) !=
               NN_OK); /* dtypes match exactly, or nothing is loaded */
        ENSURE(strstr(nn_error(nn), "a.weight"));
        nn_clear_error(nn);
        free(header);
    }
}

/* In a trainer no f32 copy of a value or weight that is stored in a half lives from the forward
   pass until its gradient: layers keep the inputs of the casts, which take half the bytes. */
static void halves_take_half(void) {
    on = nn_cpu();
    uint64_t activations[3];
    for (int k = 0; k < 3; k++) { /* f32; f16 between the layers; bf16 in them */
        nn_linear_desc linear;
        nn_trainer_desc desc;
        ZERO(linear);
        ZERO(desc);
        nn_context *nn = open_nn();
        nn_model *net = model_of(nn, k == 2 ? NN_BF16 : NN_F32);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64)), *y = x;
        linear.out_features = 64;
        for (int i = 0; i < 16; i++) {
            char name[8];
            snprintf(name, sizeof name, "l%d", i);
            y = nn_linear(net, name, y, &linear);
            y = k == 1 ? nn_cast(net, y, NN_F16) : y;
        }
        desc.batch = 256;
        nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, y), &desc);
        ENSURE(trainer);
        activations[k] = nn_plan_bytes(nn_trainer_plan(trainer), on, NN_MEMORY_ACTIVATIONS);
    }
    ENSURE(activations[1] * 10 < activations[0] * 7);
    ENSURE(activations[2] <= activations[0] + 4 * 64 * 64 * 4); /* a few weights at a time */
}

/* ---- mistakes -------------------------------------------------------------------------------- */

#define FAULT(node, words)                                                                         \
    do {                                                                                           \
        text *said = (text *)calloc(1, sizeof *said);                                              \
        nn_writer to = {write_text, said};                                                         \
        (void)(node);                                                                              \
        nn_write_faults(net, to);                                                                  \
        if (!strstr(said->at, words))                                                              \
            test_fail(__FILE__, __LINE__, "no \"%s\" in: %s", words, said->at);                    \
        free(said);                                                                                \
    } while (0)

static void what_cannot_be(void) {
    nn_conv2d_desc conv;
    ZERO(conv);
    on = nn_cpu();
    conv.out_channels = conv.kernel = 1;
    nn_context *nn = open_nn();
    nn_model *net = model_of(nn, NN_F32);
    nn_node *whole = nn_input(net, "whole", NN_I32, NN_SHAPE(NN_BATCH, 1, 2, 2)),
            *half = nn_input(net, "half", NN_F16, NN_SHAPE(NN_BATCH, 1, 2, 2));
    nn_node *wide = nn_input(net, "wide", NN_F32, NN_SHAPE(NN_BATCH, 1, 2, 2)),
            *both[2] = {wide, half}, *deep;
    nn_nodes pair = {both, 2};
    ENSURE(nn_cast(net, half, NN_F16) == half);
    ENSURE(nn_fault_count(net) == 0);
    deep = nn_input(net, "deep", NN_F64, NN_SHAPE(NN_BATCH));
    FAULT(nn_conv2d(net, "c", whole, &conv), "input is i32; conv2d wants f32");
    FAULT(nn_concat(net, pair, 1), "\"half\" is f16; concat wants one dtype");
    FAULT(nn_cast(net, wide, NN_F64), "f64 cannot be cast");
    FAULT(nn_cast(net, deep, NN_F32), "f64 cannot be cast");
    FAULT(nn_cast(net, wide, (nn_dtype)99), "99 is no dtype");
    FAULT(nn_cast(net, NULL, NN_F16), "input is NULL");
    ENSURE(nn_cast(NULL, wide, NN_F16) == NULL);
    nn_model_desc whole_numbers;
    ZERO(whole_numbers);
    whole_numbers.dtype = NN_I32;
    nn_clear_error(nn);
    ENSURE(nn_make_model(nn, &whole_numbers) == NULL);
    ENSURE(strstr(nn_error(nn), "dtype is i32; wanted f32, f16 or bf16"));
    nn_clear_error(nn);
    nn_tensor *a = make(nn, "a", NN_F16, NN_SHAPE(4)), *b = make(nn, "b", NN_F16, NN_SHAPE(4)),
              *c = make(nn, "c", NN_F32, NN_SHAPE(5));
    ENSURE(nn_relu_forward(b, a) == NN_ERROR_DTYPE);
    ENSURE(nn_cast_forward(c, a) == NN_ERROR_SHAPE);
    ENSURE(nn_cast_forward(NULL, a) == NN_ERROR_ARGUMENT);
    ENSURE(nn_cast_forward(a, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_cast_forward(NULL, NULL) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(every_pattern_both_ways);
    RUN(rounds_to_nearest_even);
    RUN(golden_of_every_dtype);
    RUN(nets_read_and_store_halves);
    RUN(gradients_pass_casts);
    RUN(parameters_of_halves);
    RUN(training_follows_f32);
    RUN(resumed_runs_have_the_same_bytes);
    RUN(written_weights_count);
    RUN(devices_agree);
    RUN(blends_halves);
    RUN(arrays_of_halves);
    RUN(halves_take_half);
    RUN(what_cannot_be);
    close_all();
    return test_report();
}
