/* tests/train/test_optimizers.c - every optimizer, parameter groups, clipping and accumulation,
   compared with parameters from PyTorch (tests/golden/optimizers.py), on each instruction set and
   on OpenCL. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#ifdef NN_TEST_OPENCL
#include "nn_opencl.h"
#endif

#include "test.h"
#include "open.h"

#include "golden/optimizers.h"
#include "lists.h"

#include <float.h>
#include <stdlib.h>

enum { WEIGHTS = 15, NUMBERS = 18 };

/* A linear layer with the golden start, and its loss. */
typedef struct layer {
    nn_model *net;
    nn_node *x, *y, *loss;
} layer;

static layer make_layer(nn_context *nn, nn_device device) {
    layer l;
    l.net = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device});
    l.x = nn_input(l.net, "x", NN_F32, NN_SHAPE(NN_BATCH, 5));
    l.y = nn_input(l.net, "y", NN_F32, NN_SHAPE(NN_BATCH, 3));
    l.loss = nn_mse_loss(l.net, nn_linear(l.net, "fc", l.x, &(nn_linear_desc){.out_features = 3}),
                         l.y, NULL);
    nn_upload_tensor(nn_find_tensor(l.net, "fc.weight"), optimizer_start, WEIGHTS * sizeof(float));
    nn_upload_tensor(nn_find_tensor(l.net, "fc.bias"), optimizer_start + WEIGHTS,
                     3 * sizeof(float));
    return l;
}

static void give_batch(const layer *l, nn_trainer *trainer, int k) {
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_upload(plan, l->x, optimizer_x + k % 4 * 20, 20 * sizeof(float));
    nn_upload(plan, l->y, optimizer_y + k % 4 * 12, 12 * sizeof(float));
}

static void read_layer(const layer *l, float *to) {
    nn_download_tensor(nn_find_tensor(l->net, "fc.weight"), to, WEIGHTS * sizeof(float));
    nn_download_tensor(nn_find_tensor(l->net, "fc.bias"), to + WEIGHTS, 3 * sizeof(float));
}

/* ---- 20 steps -------------------------------------------------------------------------------- */

static void check_steps(nn_context *nn, nn_device device, const char *name, nn_trainer_desc desc,
                        const double *golden, double error) {
    layer l = make_layer(nn, device);
    float values[NUMBERS];
    nn_trainer *trainer;
    double largest = 0;
    desc.batch = 4;
    trainer = nn_make_trainer(l.net, l.loss, &desc);
    for (int k = 0; k < OPTIMIZER_STEPS; k++) {
        give_batch(&l, trainer, k);
        nn_train_on_inputs(trainer);
    }
    read_layer(&l, values);
    if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(nn));
    /* four times the error of PyTorch's float32, and half of the last place of a number near 1 */
    for (int i = 0; i < NUMBERS; i++)
        if (fabs((double)values[i] - golden[i]) > largest)
            largest = fabs((double)values[i] - golden[i]);
    if (test_wrong(!(largest <= 4 * error + 6e-8)))
        test_fail(__FILE__, __LINE__, "%s: error %.3g, PyTorch's float32 has %.3g", name, largest,
                  error);
    nn_clear_error(nn);
    nn_free_model(l.net);
}

/* Checks all cases if `every` is set; otherwise only a few, for devices that compile each case. */
static void check_all(nn_context *nn, nn_device device, bool every) {
    static const char some[] = " adam rmsprop_centered_momentum adadelta_rho clip_muon ";
#define CASE(name, error, ...)                                                                     \
    if (every || strstr(some, " " #name " "))                                                      \
        check_steps(nn, device, #name, (nn_trainer_desc){__VA_ARGS__}, optimizer_##name, error);
    OPTIMIZER_CASES(CASE)
#undef CASE
}

static void check_set(nn_instruction_set set) {
    nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = set, .threads = 2}));
    if (!nn) return;
    check_all(nn, nn_cpu(), true);
    nn_close(nn);
}

/* ---- moments, and parameters whose steps are made together ------------------------------------
 */

enum { SMALL_ITEMS = 3, SMALL_MOST = 40 };

/* Makes a step of Adam over parameters of 37, 3 and 40 numbers in one call, with gradients of 0 and
   moments from far below FLT_MIN to some above it. Stores parameters and both moments in `to`. */
static void step_small(nn_instruction_set set, float to[SMALL_ITEMS][3][SMALL_MOST]) {
    static const int32_t counts[SMALL_ITEMS] = {37, 3, SMALL_MOST};
    static float zero[SMALL_MOST];
    nn_context *nn = nn_open(&(nn_desc){.instructions = set});
    nn_update_item items[SMALL_ITEMS];
    nn_update_args args = {.items = items,
                           .count = SMALL_ITEMS,
                           .optimizer = NN_ADAM,
                           .learning_rate = 1e-3f,
                           .beta1 = 0.9f,
                           .beta2 = 0.999f,
                           .epsilon = 1e-8f,
                           .step = 1000};
    memset(items, 0, sizeof items);
    for (int i = 0; i < SMALL_ITEMS; i++) {
        nn_view view = {.dtype = NN_F32, .shape = {.rank = 1, .extent = {counts[i]}}};
        for (int j = 0; j < counts[i]; j++) {
            to[i][0][j] = 1.0f + (float)j;
            to[i][1][j] = (j % 2 ? -1e-38f : 1e-38f) * (float)(j - 2) * (i ? 1e-3f : 0.3f);
            to[i][2][j] = 1e-38f * (float)(j + 1) * (i ? 1e-3f : 0.3f);
        }
        view.handle = to[i][0], items[i].parameter = view;
        view.handle = to[i][1], items[i].moment1 = view;
        view.handle = to[i][2], items[i].moment2 = view;
        view.handle = zero, items[i].gradient = view;
    }
    nn_use_all_kernels(nn);
    ENSURE(nn_run_kernel(nn, nn_cpu(), NN_KERNEL_UPDATE, &args, (nn_range){0, -1}) == NN_OK);
    nn_close(nn);
}

/* Without an epsilon the smallest gradients make steps as large as any others, although the moment
   of their squares is subnormal. */
static void test_small_moments_without_epsilon(void) {
    enum { COUNT = 37 };
    for (int set = NN_INSTRUCTIONS_DEFAULT; set <= NN_INSTRUCTIONS_AVX2; set++) {
        float numbers[4][COUNT];
        nn_update_item item;
        nn_update_args args = {.items = &item,
                               .count = 1,
                               .optimizer = NN_ADAM,
                               .learning_rate = 1e-3f,
                               .beta1 = 0.9f,
                               .beta2 = 0.999f,
                               .step = 1};
        nn_view view = {.dtype = NN_F32, .shape = {.rank = 1, .extent = {COUNT}}};
        nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = (nn_instruction_set)set}));
        if (!nn) continue;
        memset(&item, 0, sizeof item);
        memset(numbers, 0, sizeof numbers);
        view.handle = numbers[0], item.parameter = view;
        view.handle = numbers[1], item.moment1 = view;
        view.handle = numbers[2], item.moment2 = view;
        view.handle = numbers[3], item.gradient = view;
        for (int i = 0; i < COUNT; i++) numbers[3][i] = 1e-19f;
        nn_use_all_kernels(nn);
        ENSURE(nn_run_kernel(nn, nn_cpu(), NN_KERNEL_UPDATE, &args, (nn_range){0, -1}) == NN_OK);
        for (int i = 0; i < COUNT; i++) ENSURE(fabsf(numbers[0][i] + 1e-3f) < 1e-6f);
        nn_close(nn);
    }
}

/* No moment stays subnormal, and all sets give the same bytes. */
static void test_small_moments(void) {
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_AVX2, NN_INSTRUCTIONS_DEFAULT};
    static float plain[SMALL_ITEMS][3][SMALL_MOST], other[SMALL_ITEMS][3][SMALL_MOST];
    int zeros = 0, normal = 0;
    step_small(NN_INSTRUCTIONS_PLAIN, plain);
    for (int i = 0; i < SMALL_ITEMS; i++)
        for (int m = 1; m < 3; m++)
            for (int j = 0; j < SMALL_MOST; j++) {
                const float size = fabsf(plain[i][m][j]);
                ENSURE(size == 0.0f || size >= FLT_MIN);
                zeros += size == 0.0f, normal += size != 0.0f;
            }
    ENSURE(zeros > 40 && normal > 40);
    ENSURE(plain[1][0][2] == 3.0f && plain[2][0][39] == 40.0f);
    for (int s = 0; s < 2; s++) {
        nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = sets[s]}));
        const bool there = nn != NULL;
        nn_close(nn);
        if (!there) continue;
        memset(other, 0, sizeof other);
        step_small(sets[s], other);
        ENSURE(memcmp(plain, other, sizeof plain) == 0);
    }
}

/* ---- the same bytes with any vectors and threads --------------------------------------------- */

enum { BYTES_ITEMS = 8, BYTES_NUMBERS = 20041 };
static const int bytes_sizes[BYTES_ITEMS] = {1, 3, 15, 16, 17, 72, 4097, 15820};

/* Makes three steps of parameters of odd sizes. Without max_norm, the third has a NaN and a large
   number among its gradients. Stores the parameters in `to`. */
static void step_bytes(nn_instruction_set set, int threads, const nn_trainer_desc *desc,
                       float *to) {
    nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = set, .threads = threads}));
    if (!nn) return; /* compare_bytes notices that nothing was stored */
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 3});
    nn_node *loss = NULL;
    float *at = to;
    char name[32];
    for (int i = 0; i < BYTES_ITEMS; i++) {
        snprintf(name, sizeof name, "p%d", i);
        nn_node *p = nn_parameter(net, name, NN_SHAPE(bytes_sizes[i]), -1, 1);
        p = nn_square(net, p);
        p = nn_sum(net, nn_add(net, p, nn_sqrt(net, p))); /* at 0 its gradient is NaN */
        loss = loss ? nn_add(net, loss, p) : p;
    }
    nn_trainer *trainer = nn_make_trainer(net, loss, desc);
    const float odd[3] = {0.0f, 1e15f, -1e-20f};
    for (int k = 0; k < 3; k++) {
        if (k == 2 && desc->max_norm == 0.0f) /* otherwise a single NaN makes the norm NaN */
            nn_upload_tensor(nn_find_tensor(net, "p1"), odd, sizeof odd);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    }
    for (int i = 0; i < BYTES_ITEMS; i++, at += bytes_sizes[i - 1]) {
        snprintf(name, sizeof name, "p%d", i);
        nn_download_tensor(nn_find_tensor(net, name), at, sizeof(float) * (size_t)bytes_sizes[i]);
    }
    nn_close(nn);
}

static void compare_bytes(const nn_trainer_desc *desc) {
    static const int threads[] = {1, 2, 3, 8};
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_AVX2, NN_INSTRUCTIONS_DEFAULT};
    static float plain[BYTES_NUMBERS], other[BYTES_NUMBERS];
    step_bytes(NN_INSTRUCTIONS_PLAIN, 1, desc, plain);
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 4; t++) {
            memset(other, 0, sizeof other);
            step_bytes(sets[s], threads[t], desc, other);
            if (other[0] == 0.0f) continue; /* not on this machine */
            test_checked(BYTES_NUMBERS);
            for (int i = 0; i < BYTES_NUMBERS; i++) {
                const bool nan = plain[i] != plain[i] && other[i] != other[i];
                if (nan || memcmp(&plain[i], &other[i], sizeof(float)) == 0) continue;
                test_fail(__FILE__, __LINE__, "optimizer %d, set %d, %d threads: %d is %.9g, not %.9g",
                          (int)desc->optimizer, (int)sets[s], threads[t], i, (double)other[i],
                          (double)plain[i]);
                break;
            }
        }
}

static void test_bytes(void) {
    int sum = 0;
    for (int i = 0; i < BYTES_ITEMS; i++) sum += bytes_sizes[i];
    ENSURE(sum == BYTES_NUMBERS);
    for (int o = NN_SGD; o <= NN_RPROP; o++)
        for (int way = 0; way < 6; way++) {
            nn_trainer_desc desc = {.optimizer = (nn_optimizer)o, .learning_rate = 0.01f};
            desc.weight_decay = way % 2 ? 0.1f : 0.0f;
            desc.max_value = o <= NN_ADAMW || way == 2 ? 0.75f : 0.0f; /* then it has no kernel */
            desc.max_norm = way == 3 ? 10.0f : 0.0f;
            desc.momentum = way >= 4 && (o == NN_SGD || o == NN_RMSPROP) ? 0.9f : 0.0f;
            desc.sgd.nesterov = way == 5 && o == NN_SGD;
            desc.rmsprop.centered = (way == 1 || way == 5) && o == NN_RMSPROP;
            desc.adam.amsgrad = way >= 4 && (o == NN_ADAM || o == NN_ADAMW);
            compare_bytes(&desc);
        }
}

static void test_plain(void) { check_set(NN_INSTRUCTIONS_PLAIN); }
static void test_avx2(void) { check_set(NN_INSTRUCTIONS_AVX2); }
static void test_vectors(void) { check_set(NN_INSTRUCTIONS_DEFAULT); }
/* ---- gradients between backward and update --------------------------------------------------- */

static void check_gradients(nn_context *nn, nn_device device) {
    layer l = make_layer(nn, device);
    nn_trainer *trainer = nn_make_trainer(
        l.net, l.loss,
        &(nn_trainer_desc){.batch = 4, .learning_rate = 0.5f, .momentum = 0.9f, .gradients = true});
    float before[NUMBERS], g[NUMBERS], clipped[NUMBERS], after[NUMBERS], norm = 0, again = 0;
    double squares = 0;
    give_batch(&l, trainer, 1);
    ENSURE(nn_clip_gradients(trainer, 1.0f, NULL) == NN_ERROR_ARGUMENT); /* no gradients yet */
    nn_clear_error(nn);
    ENSURE(nn_backward(trainer) == NN_OK);
    ENSURE(nn_read_gradient(trainer, "fc.weight", g, sizeof(float) * WEIGHTS) == NN_OK);
    ENSURE(nn_read_gradient(trainer, "fc.bias", g + WEIGHTS, sizeof(float) * 3) == NN_OK);
    for (int i = 0; i < NUMBERS; i++) squares += (double)g[i] * (double)g[i];
    ENSURE(nn_clip_gradients(trainer, INFINITY, &norm) == NN_OK); /* only the norm */
    ENSURE_CLOSE(norm, sqrt(squares), 1e-6 * sqrt(squares));
    ENSURE(nn_clip_gradients(trainer, norm / 4, &again) == NN_OK);
    ENSURE(norm == again);
    ENSURE(nn_clip_gradient_values(trainer, 0.05f) == NN_OK);
    ENSURE(nn_read_gradient(trainer, "fc.weight", clipped, sizeof(float) * WEIGHTS) == NN_OK);
    ENSURE(nn_read_gradient(trainer, "fc.bias", clipped + WEIGHTS, sizeof(float) * 3) == NN_OK);
    for (int i = 0; i < NUMBERS; i++) {
        double want = (double)g[i] / 4;
        want = want > 0.05 ? 0.05 : want < -0.05 ? -0.05 : want;
        ENSURE_CLOSE(clipped[i], want, 1e-6);
    }
    for (int i = 0; i < 3; i++) clipped[WEIGHTS + i] = (float)i - 1;
    ENSURE(nn_write_gradient(trainer, "fc.bias", clipped + WEIGHTS, 8) == NN_ERROR_ARGUMENT);
    ENSURE(nn_write_gradient(trainer, "fc.bia", clipped, 12) == NN_ERROR_ARGUMENT);
    ENSURE(nn_write_gradient(trainer, "fc.bias", NULL, 12) == NN_ERROR_ARGUMENT);
    ENSURE(nn_clip_gradients(trainer, -1.0f, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_clip_gradient_values(trainer, NAN) == NN_ERROR_ARGUMENT);
    ENSURE(nn_write_gradient(NULL, "fc.bias", NULL, 12) == NN_ERROR_ARGUMENT);
    ENSURE(nn_clip_gradients(NULL, 1, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_clip_gradient_values(NULL, 1) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_write_gradient(trainer, "fc.bias", clipped + WEIGHTS, 12) == NN_OK);
    read_layer(&l, before);
    ENSURE(nn_update(trainer) == NN_OK);
    read_layer(&l, after);
    for (int i = 0; i < NUMBERS; i++)
        ENSURE_CLOSE(after[i], (double)before[i] - 0.5 * (double)clipped[i], 1e-6);
    /* without a backward pass: a gradient that is not written is 0, and its momentum continues */
    ENSURE(nn_write_gradient(trainer, "fc.bias", clipped + WEIGHTS, 12) == NN_OK);
    ENSURE(nn_update(trainer) == NN_OK);
    read_layer(&l, before);
    for (int i = 0; i < NUMBERS; i++)
        ENSURE_CLOSE(before[i],
                     (double)after[i] - 0.5 * (i < WEIGHTS ? 0.9 : 1.9) * (double)clipped[i], 1e-6);
    ENSURE(nn_update(trainer) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    nn_free_model(l.net);
}

static void test_gradients(void) {
    nn_context *nn = nn_open(NULL);
    check_gradients(nn, nn_cpu());
    nn_close(nn);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void check_refused(nn_context *nn, const layer *l, nn_trainer_desc desc, const char *words) {
    nn_trainer *trainer = nn_make_trainer(l->net, l->loss, &desc);
    if (test_wrong(trainer || !nn_error(nn) || !strstr(nn_error(nn), words)))
        test_fail(__FILE__, __LINE__, "wanted \"%s\", got \"%s\"", words,
                  nn_error(nn) ? nn_error(nn) : "(no error)");
    nn_clear_error(nn);
}

static void test_group_errors(void) {
    nn_context *nn = nn_open(NULL);
    layer l = make_layer(nn, nn_cpu());
    check_refused(nn, &l, (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "*.bais"})},
                  "\"*.bais\" fits no parameter of \"net\"; the closest is \"fc.bias\"");
    check_refused(nn, &l,
                  (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "fc.weigth", .frozen = true})},
                  "the closest is \"fc.weight\"");
    check_refused(nn, &l,
                  (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "fc.weight", .max_rank = 1})},
                  "max_rank is 1");
    check_refused(nn, &l, (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "*", .max_rank = -1})},
                  "max_rank is -1");
    check_refused(nn, &l,
                  (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "fc.*", .beta1 = 1.0f})},
                  "groups[0].beta1 is 1; wanted a number in [0, 1)");
    check_refused(
        nn, &l,
        (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "fc.*", .optimizer = (nn_optimizer)99})},
        "groups[0].optimizer is 99");
    check_refused(nn, &l, (nn_trainer_desc){.optimizer = (nn_optimizer)-1}, "optimizer is -1");
    check_refused(nn, &l, (nn_trainer_desc){.optimizer = NN_MUON}, "\"fc.bias\" is (3)");
    check_refused(nn, &l, (nn_trainer_desc){.optimizer = NN_ADADELTA, .adadelta = {.rho = 1.5f}},
                  "adadelta.rho is 1.5; wanted a number in [0, 1]");
    check_refused(nn, &l,
                  (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "*.bias"},
                                               {.pattern = "fc."},
                                               {.pattern = "*", .rate_factor = 2})},
                  "groups[2]: every parameter that \"*\" fits belongs to a group before it, such "
                  "as groups[0], \"*.bias\"");
    check_refused(nn, &l, (nn_trainer_desc){.optimizer = NN_RPROP, .rprop = {.etaplus = 0.9f}},
                  "rprop.etaminus is 0.5, .etaplus 0.9, .step_size_min 1e-06");
    check_refused(nn, &l,
                  (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "fc.*",
                                                .optimizer = NN_RPROP,
                                                .rprop = {.step_size_max = 1e-9f}})},
                  "groups[0].rprop.etaminus is 0.5, .etaplus 1.2, .step_size_min 1e-06, .step_size_max "
                  "1e-09; wanted 0 < etaminus");
    check_refused(nn, &l, (nn_trainer_desc){.optimizer = NN_ADAM, .rprop = {.etaplus = 1.1f}},
                  "rprop.etaplus is given, but the optimizer is \"adam\" and no group uses "
                  "\"rprop\"; set .optimizer");
    check_refused(nn, &l, (nn_trainer_desc){.optimizer = NN_ADAM, .muon = {.newton_schulz_steps = 3}},
                  "muon is given, but the optimizer is \"adam\"");
    check_refused(
        nn, &l,
        (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "fc.*", .adam = {.amsgrad = true}})},
        "groups[0].adam.amsgrad is given, but the group's optimizer is \"sgd\"");
    check_refused(nn, &l, (nn_trainer_desc){.groups = NN_GROUPS({.pattern = "*", .frozen = true})},
                  "no parameter that is trained");
    nn_close(nn);
}

/* The first matching group counts. Frozen parameters keep their bytes and need no gradient. */
static void test_groups(void) {
    nn_context *nn = nn_open(NULL);
    layer l = make_layer(nn, nn_cpu());
    float before[NUMBERS], after[NUMBERS], gradient[WEIGHTS];
    nn_trainer *trainer = nn_make_trainer(
        l.net, l.loss,
        &(nn_trainer_desc){
            .batch = 4,
            .gradients = true,
            .optimizer = NN_ADAM,
            .groups = NN_GROUPS({.pattern = "fc.weight", .frozen = true}, {.pattern = "fc."})});
    read_layer(&l, before);
    give_batch(&l, trainer, 0);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    read_layer(&l, after);
    ENSURE(memcmp(before, after, sizeof(float) * WEIGHTS) == 0);
    for (int i = WEIGHTS; i < NUMBERS; i++) ENSURE(before[i] != after[i]);
    ENSURE(nn_read_gradient(trainer, "fc.weight", gradient, sizeof gradient) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    /* the first group has all parameters of rank 1, and the next one the matrices */
    ENSURE(nn_make_trainer(l.net, l.loss,
                           &(nn_trainer_desc){.groups = NN_GROUPS({.pattern = "*", .max_rank = 1},
                                                         {.pattern = "fc.", .beta1 = 0.5f})}));
    /* another trainer of the model trains the parameters that this one does not */
    trainer = nn_make_trainer(l.net, l.loss, &(nn_trainer_desc){.batch = 4});
    give_batch(&l, trainer, 0);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    read_layer(&l, after);
    for (int i = 0; i < NUMBERS; i++) ENSURE(before[i] != after[i]);
    nn_close(nn);
}

/* A pattern with .max_rank takes only parameters of low rank: here the bias. */
static void test_max_rank(void) {
    nn_context *nn = nn_open(NULL);
    layer l = make_layer(nn, nn_cpu());
    float before[NUMBERS], after[NUMBERS];
    nn_trainer *trainer = nn_make_trainer(
        l.net, l.loss,
        &(nn_trainer_desc){.batch = 4,
                           .groups = NN_GROUPS({.pattern = "*", .max_rank = 1, .frozen = true})});
    read_layer(&l, before);
    give_batch(&l, trainer, 0);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    read_layer(&l, after);
    ENSURE(memcmp(before + WEIGHTS, after + WEIGHTS, sizeof(float) * 3) == 0);
    for (int i = 0; i < WEIGHTS; i++) ENSURE(before[i] != after[i]);
    nn_close(nn);
}

static void steps(const layer *l, nn_trainer *trainer, int first, int end);

/* A setting of a group has the same effect as that setting of a trainer. */
static void test_group_numbers(void) {
#define NUMBER(o, field, value) {o, #field, {.field = value}, {.field = value}}
    static const struct {
        nn_optimizer optimizer;
        const char *name;
        nn_trainer_desc trainer;
        nn_parameter_group group;
    } cases[] = {NUMBER(NN_SGD, weight_decay, 0.3f), NUMBER(NN_RMSPROP, momentum, 0.7f),
                 NUMBER(NN_RMSPROP, rmsprop.alpha, 0.6f), NUMBER(NN_ASGD, asgd.alpha, NN_NONE),
                 NUMBER(NN_ADAM, beta1, 0.5f), NUMBER(NN_LION, beta2, 0.6f),
                 NUMBER(NN_ADAMW, epsilon, 0.1f), NUMBER(NN_ADADELTA, adadelta.rho, NN_NONE),
                 NUMBER(NN_ADAGRAD, adagrad.learning_rate_decay, 0.5f),
                 NUMBER(NN_ADAGRAD, adagrad.initial_accumulator_value, 0.7f),
                 NUMBER(NN_NADAM, nadam.momentum_decay, 0.9f), NUMBER(NN_ASGD, asgd.lambd, 0.8f),
                 NUMBER(NN_RPROP, rprop.etaminus, 0.9f), NUMBER(NN_RPROP, rprop.etaplus, 2.0f),
                 NUMBER(NN_RPROP, rprop.step_size_min, 0.2f),
                 NUMBER(NN_RPROP, rprop.step_size_max, 0.002f),
                 NUMBER(NN_ADAM, adam.amsgrad, true), NUMBER(NN_ADAMW, adam.amsgrad, true),
                 NUMBER(NN_RMSPROP, rmsprop.centered, true)};
#undef NUMBER
    nn_context *nn = nn_open(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float after[3][NUMBERS];
        for (int k = 0; k < 3; k++) { /* set by nobody, by the trainer, by the group */
            nn_trainer_desc desc;
            layer l = make_layer(nn, nn_cpu());
            memset(&desc, 0, sizeof desc);
            if (k == 1) desc = cases[i].trainer;
            if (k == 2) GROUP_AT(desc.groups, 0) = cases[i].group;
            GROUP_AT(desc.groups, 0).pattern = "*";
            desc.optimizer = cases[i].optimizer;
            desc.batch = 4;
            steps(&l, nn_make_trainer(l.net, l.loss, &desc), 0, 6);
            read_layer(&l, after[k]);
            nn_free_model(l.net);
        }
        if (test_wrong(memcmp(after[1], after[2], sizeof *after) != 0))
            test_fail(__FILE__, __LINE__, "groups[0].%s is not the trainer's", cases[i].name);
        if (test_wrong(memcmp(after[0], after[1], sizeof *after) == 0))
            test_fail(__FILE__, __LINE__, "%s does nothing", cases[i].name);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* A hundred groups with one parameter each: each parameter is trained with its group's settings. */
static void test_many_groups(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, NULL);
    static nn_trainer_desc desc;
    static char names[100][8];
    const int count = 100;
    nn_node *sum = NULL;
    memset(&desc, 0, sizeof desc);
    desc.learning_rate = 1.0f;
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        nn_node *p = nn_parameter(m, names[i], NN_SHAPE(1), 0, 0);
        sum = sum ? nn_add(m, sum, p) : p;
        GROUP_AT(desc.groups, i).pattern = names[i];
        GROUP_AT(desc.groups, i).rate_factor = (float)(i + 1);
    }
    nn_trainer *trainer = nn_make_trainer(m, nn_sum(m, sum), &desc);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    for (int i = 0; i < count; i++)
        ENSURE(*(float *)nn_tensor_data(nn_find_tensor(m, names[i])) == -(float)(i + 1));
    nn_close(nn);
}

/* No optimizer changes a group with .rate_factor = NN_NONE, which is a rate of 0. Muon takes only
   matrices, and leaves the bias to SGD. */
static void test_no_rate(void) {
    for (int o = NN_SGD; o <= NN_MUON; o++) {
        nn_context *nn = nn_open(NULL);
        layer l = make_layer(nn, nn_cpu());
        float before[NUMBERS], after[NUMBERS];
        nn_trainer_desc desc = {.batch = 4,
                                .optimizer = (nn_optimizer)o,
                                .groups =
                                    NN_GROUPS({.pattern = "fc.weight", .rate_factor = NN_NONE})};
        if (o == NN_MUON) {
            GROUP_AT(desc.groups, 1).pattern = "fc.bias";
            GROUP_AT(desc.groups, 1).optimizer = NN_SGD;
        }
        nn_trainer *trainer = nn_make_trainer(l.net, l.loss, &desc);
        read_layer(&l, before);
        steps(&l, trainer, 0, 3);
        read_layer(&l, after);
        ENSURE(memcmp(before, after, sizeof(float) * WEIGHTS) == 0);
        for (int i = WEIGHTS; i < NUMBERS; i++) ENSURE(before[i] != after[i]);
        nn_close(nn);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* If the loss is NaN, parameters and states keep their bytes, whatever the optimizer. */
static void test_faults(void) {
    nn_context *nn = nn_open(NULL);
    for (int o = NN_SGD; o <= NN_MUON; o++) {
        layer l = make_layer(nn, nn_cpu());
        float x[20], before[NUMBERS], after[NUMBERS], golden[NUMBERS];
        nn_trainer_desc desc = {.batch = 4,
                                .optimizer = (nn_optimizer)o,
                                .learning_rate = 0.1f,
                                .groups = NN_GROUPS({.pattern = "*.bias", .optimizer = NN_SGD})};
        for (int twice = 0; twice < 2; twice++) {
            nn_trainer *trainer = nn_make_trainer(l.net, l.loss, &desc);
            nn_upload_tensor(nn_find_tensor(l.net, "fc.weight"), optimizer_start, 60);
            nn_upload_tensor(nn_find_tensor(l.net, "fc.bias"), optimizer_start + WEIGHTS, 12);
            give_batch(&l, trainer, 0);
            ENSURE(nn_train_on_inputs(trainer) == NN_OK);
            read_layer(&l, before);
            memcpy(x, optimizer_x, sizeof x);
            x[7] = NAN;
            if (twice) nn_upload(nn_trainer_plan(trainer), l.x, x, sizeof x);
            if (twice) ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_NAN);
            read_layer(&l, after);
            ENSURE(memcmp(before, after, sizeof after) == 0);
            if (twice) nn_clear_fault(trainer);
            give_batch(&l, trainer, 1);
            nn_clear_error(nn);
            ENSURE(nn_train_on_inputs(trainer) == NN_OK); /* from the states before the fault */
            read_layer(&l, twice ? after : golden);
        }
        ENSURE(memcmp(golden, after, sizeof after) == 0);
        nn_free_model(l.net);
    }
    nn_close(nn);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void steps(const layer *l, nn_trainer *trainer, int first, int end) {
    for (int k = first; k < end; k++) {
        give_batch(l, trainer, k);
        nn_train_on_inputs(trainer);
    }
}

/* A run that is saved after 7 of 14 steps and loaded into a new model ends in the same bytes. */
static void check_resume(nn_context *nn, const char *name, nn_trainer_desc desc) {
    static const char path[] = "build/test_optimizers.safetensors";
    layer one = make_layer(nn, nn_cpu()), two = make_layer(nn, nn_cpu());
    float whole[NUMBERS], parts[NUMBERS];
    desc.batch = 4;
    nn_trainer *first = nn_make_trainer(one.net, one.loss, &desc),
               *second = nn_make_trainer(two.net, two.loss, &desc);
    steps(&one, first, 0, 7);
    nn_save_checkpoint(first, path, NULL);
    steps(&one, first, 7, 14);
    steps(&two, second, 0, 2); /* states of its own, which the file replaces */
    nn_load_checkpoint(second, path, NULL);
    steps(&two, second, 7, 14);
    read_layer(&one, whole);
    read_layer(&two, parts);
    if (test_wrong(nn_error(nn) || memcmp(whole, parts, sizeof whole) != 0))
        test_fail(__FILE__, __LINE__, "%s: a resumed run differs; %s", name,
                  nn_error(nn) ? nn_error(nn) : "");
    nn_clear_error(nn);
    nn_free_model(one.net);
    nn_free_model(two.net);
    remove(path);
}

static void test_resume(void) {
    nn_context *nn = nn_open(NULL);
#define CASE(name, error, ...) check_resume(nn, #name, (nn_trainer_desc){__VA_ARGS__});
    OPTIMIZER_CASES(CASE)
#undef CASE
    nn_close(nn);
}

/* States have the names of torch.optim. A file of another optimizer or variant is refused. */
static void test_state_names(void) {
    static const char path[] = "build/test_optimizers.safetensors";
    static const char *const names[] = {
        "optimizer.state.fc.weight.square_avg", "optimizer.state.fc.weight.momentum_buffer",
        "optimizer.state.fc.weight.grad_avg",   "optimizer.state.fc.bias.exp_avg",
        "optimizer.state.fc.bias.exp_avg_sq",   "optimizer.state.fc.bias.max_exp_avg_sq"};
    nn_trainer_desc desc = {.batch = 4,
                            .optimizer = NN_RMSPROP,
                            .momentum = 0.9f,
                            .rmsprop = {.centered = true},
                            .adam = {.amsgrad = true},
                            .groups = NN_GROUPS({.pattern = "*.bias", .optimizer = NN_ADAMW})};
    nn_context *nn = nn_open(NULL);
    layer l = make_layer(nn, nn_cpu());
    nn_trainer *trainer = nn_make_trainer(l.net, l.loss, &desc);
    steps(&l, trainer, 0, 1);
    ENSURE(nn_save_checkpoint(trainer, path, NULL) == NN_OK);
    nn_safetensors *file = nn_open_safetensors(nn, path);
    for (int i = 0; i < 6; i++) {
        int found = 0;
        for (int k = 0; k < nn_safetensors_count(file); k++)
            found += strcmp(nn_safetensors_at(file, k).name, names[i]) == 0;
        if (test_wrong(!found)) test_fail(__FILE__, __LINE__, "the checkpoint lacks %s", names[i]);
    }
    ENSURE_TEXT(nn_safetensors_metadata(file, "optimizer"), "rmsprop adamw");
    nn_close_safetensors(file);
    desc.adam.amsgrad = false;
    trainer = nn_make_trainer(l.net, l.loss, &desc);
    ENSURE(nn_load_checkpoint(trainer, path, NULL) != NN_OK);
    ENSURE(strstr(nn_error(nn), "fc.bias.max_exp_avg_sq") != NULL);
    nn_clear_error(nn);
    GROUP_AT(desc.groups, 0).optimizer = NN_ADAM;
    trainer = nn_make_trainer(l.net, l.loss, &desc);
    ENSURE(nn_load_checkpoint(trainer, path, NULL) != NN_OK);
    ENSURE(strstr(nn_error(nn), "is rmsprop adamw in the file, rmsprop adam in the trainer"));
    nn_clear_error(nn);
    remove(path);
    nn_close(nn);
}

/* ---- several trainers of one model ----------------------------------------------------------- */

enum { CODE = 4 };

/* Concatenates all tensors of the model whose names begin with this text. */
static int read_part(nn_model *net, const char *part, float *to) {
    int count = 0;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        if (strncmp(nn_tensor_name(tensor), part, strlen(part)) != 0) continue;
        nn_download_tensor(tensor, to + count, (size_t)nn_tensor_bytes(tensor));
        count += (int)(nn_tensor_bytes(tensor) / sizeof(float));
    }
    return count;
}

/* Describes a net with a running mean of its values, like that of batch_norm. */
static nn_node *part(nn_model *net, const char *name, nn_node *x, int out) {
    char text[64];
    nn_node *y, *mean;
    snprintf(text, sizeof text, "%s.fc", name);
    y = nn_linear(net, text, x, &(nn_linear_desc){.out_features = out});
    snprintf(text, sizeof text, "%s.fc.running_mean", name);
    mean = nn_buffer(net, text, NN_F32, NN_SHAPE(out), 0.0);
    nn_assign(net, mean,
              nn_lerp(net, mean, nn_mean(net, y, NN_AXES(0)),
                      nn_expression(net, "m: 0 * m + 0.5", mean)));
    return y;
}

/* A small GAN: generator and discriminator, each with its loss and its trainer. Neither trainer
   changes a byte of the other's parameters, buffers or moments. */
static void test_two_trainers(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "gan"});
    nn_node *z = nn_input(net, "z", NN_F32, NN_SHAPE(NN_BATCH, CODE));
    nn_node *real = nn_input(net, "real", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *fake = part(net, "generator", z, 3);
    nn_node *judged = part(net, "discriminator", nn_concat(net, NN_NODES(fake, real), 0), 1);
    nn_node *loss = nn_mean(net, nn_square(net, judged)), *other = nn_negate(net, loss);
    float g[2][64], d[2][64], zs[2 * CODE], reals[6];
    int gs, ds;
    nn_trainer *generator = nn_make_trainer(
        net, loss,
        &(nn_trainer_desc){.batch = 2, .optimizer = NN_ADAM, .parameters = NN_TEXTS("generator.")});
    nn_trainer *discriminator = nn_make_trainer(
        net, other,
        &(nn_trainer_desc){.batch = 2,
                           .optimizer = NN_RMSPROP,
                           .momentum = 0.5f,
                           .parameters = NN_TEXTS("discriminator.fc.weight", "*r.fc.bias"),
                           .groups = NN_GROUPS({.pattern = "generator.fc.bias", .frozen = true})});
    ENSURE(generator && discriminator);
    for (int i = 0; i < 2 * CODE; i++) zs[i] = optimizer_x[i];
    for (int i = 0; i < 6; i++) reals[i] = optimizer_y[i];
    for (int k = 0; k < 6; k++) {
        nn_trainer *trainer = k % 2 ? discriminator : generator;
        nn_upload(nn_trainer_plan(trainer), z, zs, sizeof zs);
        nn_upload(nn_trainer_plan(trainer), real, reals, sizeof reals);
        gs = read_part(net, "generator.", g[0]);
        ds = read_part(net, "discriminator.", d[0]);
        ENSURE(gs == 3 * CODE + 3 + 3 && ds == 3 + 1 + 1);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        read_part(net, "generator.", g[1]);
        read_part(net, "discriminator.", d[1]);
        for (int i = 0; i < gs; i++) ENSURE((g[0][i] == g[1][i]) == (k % 2 == 1));
        for (int i = 0; i < ds; i++) ENSURE((d[0][i] == d[1][i]) == (k % 2 == 0));
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- storage and devices --------------------------------------------------------------------- */

/* Parameters in f16: the optimizer works on f32 masters, so that steps below their rounding add
   up. */
static void test_halves(void) {
    static const nn_optimizer optimizers[] = {NN_RMSPROP, NN_ADADELTA, NN_NADAM, NN_MUON};
    nn_context *nn = nn_open(NULL);
    for (int o = 0; o < 4; o++) {
        double sums[2] = {0, 0};
        for (int half = 0; half < 2; half++) {
            nn_model *net = nn_make_model(
                nn, &(nn_model_desc){.name = "net", .seed = 5, .dtype = half ? NN_F16 : NN_F32});
            layer l = {net, nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 5)),
                       nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 3)), NULL};
            nn_node *y =
                nn_linear(net, "fc", l.x, &(nn_linear_desc){.out_features = 3, .no_bias = true});
            l.loss = nn_mse_loss(net, y, l.y, NULL);
            nn_trainer *trainer = nn_make_trainer(
                net, l.loss,
                &(nn_trainer_desc){.batch = 4, .optimizer = optimizers[o], .learning_rate = 1e-4f});
            for (int k = 0; k < 40; k++) {
                float loss = 0;
                give_batch(&l, trainer, k);
                ENSURE(nn_train_on_inputs(trainer) == NN_OK);
                ENSURE(nn_read_loss(trainer, &loss) == NN_OK);
                if (k >= 36) sums[half] += (double)loss;
            }
            nn_free_model(net);
        }
        ENSURE_CLOSE(sums[0], sums[1], 2e-3 * sums[0]);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

#ifdef NN_TEST_OPENCL
/* A trainer moves to the device in the middle of training, with all of its state, and back. */
static void check_moves(nn_context *nn, nn_trainer_desc desc) {
    layer one = make_layer(nn, nn_cpu()), two = make_layer(nn, nn_cpu());
    float stayed[NUMBERS], moved[NUMBERS];
    desc.batch = 4;
    nn_trainer *first = nn_make_trainer(one.net, one.loss, &desc),
               *second = nn_make_trainer(two.net, two.loss, &desc);
    steps(&one, first, 0, 12);
    steps(&two, second, 0, 4);
    ENSURE(nn_move_trainer(second, nn_opencl(0)) == NN_OK);
    steps(&two, second, 4, 8);
    ENSURE(nn_move_trainer(second, nn_cpu()) == NN_OK);
    steps(&two, second, 8, 12);
    read_layer(&one, stayed);
    read_layer(&two, moved);
    for (int i = 0; i < NUMBERS; i++) ENSURE_CLOSE(moved[i], stayed[i], 1e-5);
    nn_free_model(one.net);
    nn_free_model(two.net);
}
#endif

#ifdef NN_TEST_OPENCL
/* Twenty parameters of sizes around those of vectors, blocks and units: a device that updates
   several in one launch gives each the result of the CPU. sliced: a step is made in several calls.
 */
static void check_many(nn_context *nn, nn_optimizer optimizer, bool sliced) {
    static const int sizes[] = {1, 3, 16, 17, 4096, 4097, 70000, 5, 1, 33};
    static float values[2][70000];
    enum { PARAMETERS = 20 };
    nn_model *nets[2];
    char name[32];
    for (int d = 0; d < 2; d++) {
        nn_model *net = nets[d] = nn_make_model(
            nn, &(nn_model_desc){.name = "net", .seed = 3, .device = d ? nn_opencl(0) : nn_cpu()});
        nn_node *loss = NULL;
        for (int i = 0; i < PARAMETERS; i++) {
            snprintf(name, sizeof name, "p%d", i);
            nn_node *p = nn_parameter(net, name, NN_SHAPE(sizes[i % 10]), -1, 1);
            p = nn_sum(net, nn_square(net, p));
            loss = loss ? nn_add(net, loss, p) : p;
        }
        nn_trainer *trainer = nn_make_trainer(
            net, loss,
            &(nn_trainer_desc){
                .optimizer = optimizer, .max_norm = 10, .max_value = 0.5f, .epsilon = 1e-3f});
        for (int k = 0; k < 3; k++) {
            nn_result result = NN_OK;
            if (sliced)
                while ((result = nn_train_step_for(trainer, NULL, 0)) == NN_PENDING) {
                }
            else
                result = nn_train_on_inputs(trainer);
            ENSURE(result == NN_OK);
        }
    }
    for (int i = 0; i < PARAMETERS; i++) {
        size_t bytes = sizeof(float) * (size_t)sizes[i % 10];
        snprintf(name, sizeof name, "p%d", i);
        for (int d = 0; d < 2; d++)
            nn_download_tensor(nn_find_tensor(nets[d], name), values[d], bytes);
        for (int k = 0; k < sizes[i % 10]; k++)
            if (test_wrong(fabs((double)values[0][k] - (double)values[1][k]) > 2e-6)) {
                test_fail(__FILE__, __LINE__, "%s[%d]: %.9g, the CPU has %.9g", name, k,
                          (double)values[1][k], (double)values[0][k]);
                break;
            }
    }
    nn_free_model(nets[0]);
    nn_free_model(nets[1]);
}
#endif

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    if (OPEN_OPENCL(nn)) {
        check_all(nn, nn_opencl(0), getenv("NN_FULL") != NULL);
        check_moves(nn, (nn_trainer_desc){.optimizer = NN_RMSPROP,
                                          .rmsprop = {.centered = true},
                                          .momentum = 0.5f,
                                          .learning_rate = 1e-3f});
        check_gradients(nn, nn_opencl(0));
        check_many(nn, NN_RMSPROP, false);
        check_many(nn, NN_RMSPROP, true);
        /* with .max_value Adam is a program, and fewer parameters fit into a launch */
        check_many(nn, NN_ADAM, false);
    }
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_plain);
    RUN(test_avx2);
    RUN(test_vectors);
    RUN(test_bytes);
    RUN(test_small_moments);
    RUN(test_small_moments_without_epsilon);
    RUN(test_gradients);
    RUN(test_group_errors);
    RUN(test_groups);
    RUN(test_max_rank);
    RUN(test_group_numbers);
    RUN(test_many_groups);
    RUN(test_no_rate);
    RUN(test_faults);
    RUN(test_resume);
    RUN(test_state_names);
    RUN(test_two_trainers);
    RUN(test_halves);
    RUN(test_opencl);
    return test_report();
}
