/* tests/graph/test_gradient.c - nn_gradient: PyTorch's values, plans that train and that do not,
   copies, blocks, devices, shards, and what it refuses. Random nets: test_random_gradients.c. */
#define NN_IMPLEMENTATION
#include "nn_group.h"
#include "nn_more.h"
#include "nn_sequence.h"

#include "error.h"
#include "golden/gradients.h"
#include "sim_device.h"
#include "test.h"

#include <stdlib.h>

enum { MOST = 4096 };
static float numbers[MOST];

/* ---- PyTorch's values ------------------------------------------------------------------------ */

/* Returns the same numbers as `some` of tests/golden/gradients.py. */
static const float *some(int count, int salt) {
    for (int i = 0; i < count; i++)
        numbers[i] = (float)((i * 7919 + salt * 101 + 13) % 1000) / 500.0f - 1.0f;
    return numbers;
}

static bool set(nn_model *net, const char *name, int count, int salt) {
    return nn_upload_tensor(nn_find_tensor(net, name), some(count, salt),
                            sizeof(float) * (size_t)count) == NN_OK;
}

static bool equals(const float *got, const double *want, int count, const char *what) {
    test_checked(count);
    for (int i = 0; i < count; i++)
        if (!(fabs((double)got[i] - want[i]) <= 2e-5 * (1 + fabs(want[i])))) {
            test_fail(__FILE__, __LINE__, "%s[%d] is %.8g, wanted %.8g", what, i, (double)got[i],
                      want[i]);
            return false;
        }
    return true;
}

static bool holds(nn_plan *plan, nn_node *node, const double *want, int count) {
    static float got[MOST];
    return nn_download(plan, node, got, sizeof(float) * (size_t)count) == NN_OK &&
           equals(got, want, count, nn_node_name(node));
}
#define HOLDS(plan, node, golden)                                                                  \
    ENSURE(holds(plan, node, golden, (int)(sizeof golden / sizeof golden[0])))

static bool learns(nn_trainer *trainer, const char *name, const double *want, int count) {
    static float got[MOST];
    return nn_read_gradient(trainer, name, got, sizeof(float) * (size_t)count) == NN_OK &&
           equals(got, want, count, name);
}
#define LEARNS(trainer, name, golden)                                                              \
    ENSURE(learns(trainer, name, golden, (int)(sizeof golden / sizeof golden[0])))

/* Sums over everything but the batch. */
static nn_node *norm_of_each(nn_model *net, nn_node *x) {
    return nn_sqrt(net, nn_sum(net, nn_square(net, x), NN_AXES(1, 2, 3)));
}

static nn_node *penalty(nn_model *net, nn_node *x, nn_node **dx) {
    nn_node *h =
        nn_conv2d(net, "c1", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3, .padding = 1});
    h = nn_group_norm(net, "n", h, &(nn_group_norm_desc){.num_groups = 2});
    h = nn_max_pool2d(net, nn_silu(net, h), &(nn_pool2d_desc){.kernel = 2});
    h = nn_conv2d(net, "c2", h,
                  &(nn_conv2d_desc){.out_channels = 3, .kernel = 3, .padding = 1, .no_bias = true});
    h = nn_linear(net, "f", nn_flatten(net, nn_softmax(net, h)),
                  &(nn_linear_desc){.out_features = 1, .no_bias = true});
    *dx = nn_gradient(net, nn_sum(net, h, NN_ALL_AXES), x, NULL);
    nn_node *off = nn_offset(net, norm_of_each(net, *dx), -1.0f);
    return nn_mean(net, nn_square(net, off), NN_ALL_AXES);
}

static void set_penalty(nn_model *net) {
    ENSURE(set(net, "c1.weight", 72, 2) && set(net, "c1.bias", 4, 3));
    ENSURE(set(net, "n.weight", 4, 4) && set(net, "n.bias", 4, 5));
    ENSURE(set(net, "c2.weight", 108, 6) && set(net, "f.weight", 27, 7));
}

/* A gradient penalty is trained. */
static void test_penalty(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 6, 6)), *dx;
    nn_node *loss = penalty(net, x, &dx);
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = 3, .gradients = true, .poison = true});
    ENSURE(trainer && fine(nn));
    set_penalty(net);
    ENSURE(nn_upload(nn_trainer_plan(trainer), x, some(216, 1), 216 * 4) == NN_OK);
    ENSURE(nn_backward(trainer) == NN_OK);
    LEARNS(trainer, "c1.weight", golden_penalty_w1);
    LEARNS(trainer, "c1.bias", golden_penalty_b1);
    LEARNS(trainer, "n.weight", golden_penalty_gw);
    LEARNS(trainer, "c2.weight", golden_penalty_w2);
    LEARNS(trainer, "f.weight", golden_penalty_w3);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(dx, loss), .batch = 3});
    ENSURE(nn_upload(plan, x, some(216, 1), 216 * 4) == NN_OK && nn_run(plan) == NN_OK);
    HOLDS(plan, dx, golden_penalty_dx);
    HOLDS(plan, loss, golden_penalty_loss);
    nn_close(nn);
}

/* A Hessian-vector product of a cross entropy. */
static void test_hessian_vector(void) {
    static const int32_t label_data[] = {1, 3, 0, 2, 3};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *v = nn_input(net, "v", NN_F32, NN_SHAPE(4, 6));
    nn_node *logits =
        nn_linear(net, "f", nn_tanh(net, x), &(nn_linear_desc){.out_features = 4, .no_bias = true});
    nn_node *w = nn_find_parameter(net, "f.weight");
    nn_node *loss = nn_cross_entropy(net, logits, label, NULL);
    nn_node *dw = nn_gradient(net, loss, w, NULL);
    nn_node *product = nn_gradient(net, dw, w, &(nn_gradient_desc){.grad_outputs = v});
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(loss, dw, product), .batch = 5});
    ENSURE(plan && fine(nn) && set(net, "f.weight", 24, 2));
    ENSURE(nn_upload(plan, x, some(30, 1), 120) == NN_OK);
    ENSURE(nn_upload(plan, v, some(24, 3), 96) == NN_OK);
    ENSURE(nn_upload(plan, label, label_data, sizeof label_data) == NN_OK && nn_run(plan) == NN_OK);
    HOLDS(plan, loss, golden_entropy_loss);
    HOLDS(plan, dw, golden_entropy_dw);
    HOLDS(plan, product, golden_entropy_product);
    nn_close(nn);
}

/* A second derivative in a loss, whose gradients for the net's parameters are third derivatives. */
static void test_physics(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *t = nn_input(net, "t", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node *h = nn_tanh(net, nn_linear(net, "a", t, &(nn_linear_desc){.out_features = 5}));
    nn_node *y = nn_linear(net, "b", h, &(nn_linear_desc){.out_features = 1, .no_bias = true});
    nn_node *dy = nn_gradient(net, nn_sum(net, y, NN_ALL_AXES), t, NULL);
    nn_node *ddy = nn_gradient(net, nn_sum(net, dy, NN_ALL_AXES), t, NULL);
    nn_node *loss = nn_mean(net, nn_square(net, nn_add(net, ddy, y)), NN_ALL_AXES);
    nn_keep(dy);
    nn_keep(ddy);
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = 7, .gradients = true, .poison = true});
    ENSURE(trainer && fine(nn));
    ENSURE(set(net, "a.weight", 5, 2) && set(net, "a.bias", 5, 3) && set(net, "b.weight", 5, 4));
    nn_plan *plan = nn_trainer_plan(trainer);
    ENSURE(nn_upload(plan, t, some(7, 1), 28) == NN_OK && nn_backward(trainer) == NN_OK);
    HOLDS(plan, dy, golden_physics_dy);
    HOLDS(plan, ddy, golden_physics_ddy);
    HOLDS(plan, loss, golden_physics_loss);
    LEARNS(trainer, "a.weight", golden_physics_w1);
    LEARNS(trainer, "a.bias", golden_physics_b1);
    LEARNS(trainer, "b.weight", golden_physics_w2);
    nn_close(nn);
}

/* ---- training or not ------------------------------------------------------------------------- */

/* The gradient has the mask of the forward pass; a plan that does not train has none. */
static void check_dropout(nn_node *(*drop)(nn_site site, nn_model *net, nn_node *x, float p)) {
    enum { N = 64 };
    float x[N * 4], y[N * 4], g[N * 4];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 1, 1));
    nn_node *one = nn_parameter(net, "p", (nn_shape){.rank = 0}, 1, 1);
    nn_node *out = drop(NN_HERE, net, in, 0.5f);
    nn_node *dx = nn_gradient(net, nn_sum(net, out, NN_ALL_AXES), in, NULL);
    nn_node *loss = nn_mean(net, nn_multiply(net, nn_multiply(net, out, dx), one), NN_ALL_AXES);
    nn_keep(out);
    nn_keep(dx);
    nn_trainer *trainer = nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = N});
    nn_plan *step = nn_trainer_plan(trainer);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out, dx), .batch = N});
    for (int i = 0; i < N * 4; i++) x[i] = 1 + (float)(i % 7);
    ENSURE(nn_upload(step, in, x, sizeof x) == NN_OK && nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(nn_download(step, out, y, sizeof y) == NN_OK);
    ENSURE(nn_download(step, dx, g, sizeof g) == NN_OK);
    int dropped = 0;
    for (int i = 0; i < N * 4; i++) {
        ENSURE(y[i] == g[i] * x[i] && (g[i] == 0 || g[i] == 2));
        dropped += g[i] == 0;
    }
    ENSURE(dropped > N && dropped < 3 * N);
    ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, dx, g, sizeof g) == NN_OK);
    for (int i = 0; i < N * 4; i++) ENSURE(g[i] == 1);
    ENSURE(fine(nn));
    nn_close(nn);
}
static void test_dropout(void) { check_dropout(nn_dropout_at); }
static void test_dropout2d(void) { check_dropout(nn_dropout2d_at); }

/* A batch norm in a plan that does not train is a line, whose slope follows from the running
   variance; around it are the neighbours with which plans fuse it. In training the sum of its
   normalised results is constant. */
static void test_batch_norm(void) {
    float x[2 * 2 * 8 * 8], g[2 * 3 * 8 * 8], var[3], loss[2];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 8, 8));
    nn_node *h =
        nn_conv2d(net, "c", in, &(nn_conv2d_desc){.out_channels = 3, .kernel = 3, .padding = 1});
    nn_node *norm = nn_batch_norm2d(net, "n", h, NULL);
    nn_node *pool = nn_max_pool2d(net, nn_relu(net, norm), &(nn_pool2d_desc){.kernel = 2});
    nn_node *s = nn_sum(net, nn_square(net, pool), NN_ALL_AXES);
    nn_node *dx = nn_gradient(net, s, in, NULL);
    nn_node *flat = nn_keep(nn_gradient(net, nn_sum(net, norm, NN_ALL_AXES), h, NULL));
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(s, dx, flat), .batch = 2});
    nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, nn_square(net, dx), NN_ALL_AXES),
                                          &(nn_trainer_desc){.batch = 2});
    ENSURE(!trainer && says(nn, "norm_backward) is not differentiable again"));
    trainer = nn_make_trainer(net, s, &(nn_trainer_desc){.batch = 2, .learning_rate = 1e-9f});
    for (int i = 0; i < 3; i++) var[i] = 0.25f + (float)i;
    ENSURE(plan && trainer && fine(nn));
    memcpy(x, some(256, 5), sizeof x);
    ENSURE(nn_upload(nn_trainer_plan(trainer), in, x, sizeof x) == NN_OK);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "n.running_var"), var, sizeof var) == NN_OK);
    ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, flat, g, sizeof(float) * 2 * 3 * 64) == NN_OK);
    for (int i = 0; i < 2 * 3 * 64; i++)
        ENSURE_CLOSE(g[i], 1 / sqrt((double)var[i / 64 % 3] + 1e-5), 1e-5);
    ENSURE(nn_download(plan, dx, g, sizeof x) == NN_OK);
    for (int i = 0; i < 256; i += 37) { /* central differences, wide enough for floats */
        for (int k = 0; k < 2; k++) {
            const float was = x[i];
            x[i] += k ? -0.01f : 0.01f;
            ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
            ENSURE(nn_download(plan, s, &loss[k], 4) == NN_OK);
            x[i] = was;
        }
        ENSURE_CLOSE(g[i], (loss[0] - loss[1]) / 0.02f, 0.02 * (1 + fabs((double)g[i])));
    }
    nn_close(nn);
}

/* In a step that trains, the norm's own statistics move with x, which changes the gradient. */
static void test_batch_norm_trains(void) {
    float g[4 * 3];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *norm = nn_batch_norm1d(net, "n", in, NULL);
    nn_node *dx = nn_keep(nn_gradient(net, nn_sum(net, norm, NN_ALL_AXES), in, NULL));
    nn_node *loss = nn_mean(net, nn_square(net, norm), NN_ALL_AXES);
    loss = nn_add(net, loss, nn_mean(net, nn_detach(net, dx), NN_ALL_AXES));
    nn_trainer *trainer = nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = 4});
    ENSURE(trainer && fine(nn));
    ENSURE(nn_upload(nn_trainer_plan(trainer), in, some(12, 3), 48) == NN_OK);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(nn_download(nn_trainer_plan(trainer), dx, g, sizeof g) == NN_OK);
    for (int i = 0; i < 12; i++) ENSURE_CLOSE(g[i], 0, 1e-4);
    nn_close(nn);
}

/* ---- a node like any other ------------------------------------------------------------------- */

/* Tests operations that move elements and refer back to earlier nodes, and means over the
   batch. */
static nn_node *arranged(nn_model *net, nn_node *x, nn_node **dx) {
    nn_node *a = nn_slice(net, x, &(nn_slice_desc){.axis = 1, .stop = 3});
    nn_node *b = nn_slice(net, x, &(nn_slice_desc){.axis = 1, .start = 3});
    nn_node *c = nn_concat(net, NN_NODES(b, nn_square(net, a), x), 1);
    c = nn_sin(net, nn_flip(net, nn_permute(net, c, NN_AXES(1, 0)), NN_AXES(0)));
    nn_node *p = nn_parameter(net, "p", NN_SHAPE(12, 1), 0.5f, 1);
    nn_node *y = nn_mean(net, nn_multiply(net, c, p), NN_ALL_AXES);
    *dx = nn_gradient(net, y, x, NULL);
    nn_node *s = nn_sum(net, nn_square(net, *dx), NN_ALL_AXES);
    return nn_add(net, y, nn_gradients(net, s, NN_NODES(p), &p, NULL) == p ? s : y);
}

/* A copy outlives its original. */
static void test_copies(void) {
    float x[5 * 6], want[5 * 6], got[5 * 6], losses[2];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6)), *dx;
    nn_node *loss = arranged(net, in, &dx);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(dx, loss), .batch = 5});
    ENSURE(plan && fine(nn));
    memcpy(x, some(30, 4), sizeof x);
    ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, dx, want, sizeof want) == NN_OK);
    ENSURE(nn_download(plan, loss, &losses[0], 4) == NN_OK);
    nn_model *copy = nn_copy_model(net, NULL);
    nn_node *nodes[] = {nn_copied_node(copy, in), nn_copied_node(copy, dx),
                        nn_copied_node(copy, loss)};
    nn_free_model(net);
    plan = nn_make_plan(copy, &(nn_plan_desc){.outputs = NN_NODES(nodes[1], nodes[2]), .batch = 5});
    ENSURE(plan && fine(nn));
    ENSURE(nn_upload(plan, nodes[0], x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, nodes[1], got, sizeof got) == NN_OK);
    ENSURE(nn_download(plan, nodes[2], &losses[1], 4) == NN_OK);
    ENSURE(memcmp(got, want, sizeof got) == 0 && losses[0] == losses[1]);
    ENSURE(nn_make_trainer(copy, nodes[2], &(nn_trainer_desc){.batch = 5}) != NULL && fine(nn));
    nn_close(nn);
}

/* Takes gradients of y with respect to itself, to x and a frozen parameter in one call, and to an
   input that y does not read. The model's files do not change. */
static void test_nodes(void) {
    float got[6];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(2, 3));
    nn_node *p = nn_parameter(net, "p", NN_SHAPE(3), 2, 2), *dx[2];
    nn_node *y = nn_sum(net, nn_multiply(net, nn_multiply(net, x, p), p), NN_ALL_AXES);
    const int tensors = nn_model_tensor_count(net);
    ENSURE(nn_freeze(net, "p", true) == NN_OK);
    nn_node *own = nn_gradient(net, y, y, NULL);
    ENSURE(nn_gradients(net, y, NN_NODES(x, p), dx, NULL) == dx[0]);
    nn_node *z = nn_input(net, "z", NN_F32, NN_SHAPE(4));
    nn_node *other = nn_gradient(net, y, z, &(nn_gradient_desc){.allow_unused = true});
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(own, dx[0], dx[1], other)});
    ENSURE(plan && fine(nn) && nn_model_tensor_count(net) == tensors);
    const float ones[] = {1, 1, 1, 1, 1, 1};
    ENSURE(nn_upload(plan, x, ones, sizeof ones) == NN_OK);
    ENSURE(nn_upload(plan, z, ones, 16) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, own, got, 4) == NN_OK && got[0] == 1);
    ENSURE(nn_download(plan, dx[0], got, 24) == NN_OK && got[0] == 4 && got[5] == 4);
    ENSURE(nn_download(plan, dx[1], got, 12) == NN_OK && got[0] == 8 && got[2] == 8);
    ENSURE(nn_download(plan, other, got, 16) == NN_OK && got[0] == 0 && got[3] == 0);
    nn_close(nn);
}

/* A block that is recomputed gives the same bytes, and a gradient crosses to another device and
   back. */
static void test_blocks_and_devices(void) {
    float losses[3];
    for (int kind = 0; kind < 3; kind++) {
        nn_context *nn = nn_open(NULL);
        nn_device device = nn_cpu();
        sim_desc desc;
        sim_device *sim = NULL;
        memset(&desc, 0, sizeof desc);
        if (kind == 2) sim = sim_open(nn, &desc, &device);
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 3});
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)), *h = x;
        if (kind == 1) nn_recompute_begin(net);
        h = nn_tanh(net, nn_linear(net, "a", h, &(nn_linear_desc){.out_features = 8}));
        h = nn_softmax(net, nn_linear(net, "b", h, &(nn_linear_desc){.out_features = 8}));
        if (kind == 1) nn_recompute_end(net);
        if (kind == 2) {
            nn_device_begin(net, device);
            h = nn_exp(net, nn_transfer(net, h, device));
            nn_device_end(net);
            h = nn_transfer(net, h, nn_cpu());
        } else {
            h = nn_exp(net, h);
        }
        h = nn_linear(net, "c", h, &(nn_linear_desc){.out_features = 2});
        nn_node *dx = nn_gradient(net, nn_sum(net, h, NN_ALL_AXES), x, NULL);
        nn_node *loss = nn_mean(net, nn_square(net, dx), NN_ALL_AXES);
        nn_trainer *trainer = nn_make_trainer(
            net, loss, &(nn_trainer_desc){.batch = 3, .learning_rate = 0.1f, .poison = true});
        ENSURE(trainer && fine(nn));
        for (int i = 0; i < 3; i++) {
            ENSURE(nn_upload(nn_trainer_plan(trainer), x, some(12, i), 48) == NN_OK);
            ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        }
        ENSURE(nn_read_loss(trainer, &losses[kind]) == NN_OK && losses[kind] > 0);
        nn_close(nn);
        if (sim) ENSURE(sim_free(sim) == 0);
    }
    ENSURE(losses[0] == losses[1]);
    ENSURE_CLOSE(losses[2], losses[0], 1e-5 * (double)losses[0]);
}

/* A gradient penalty is trained in shards. The bytes are the same on any number of threads, and the
   results are nearly those of one batch. */
static void test_shards(void) {
    float weights[3][72];
    for (int kind = 0; kind < 3; kind++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = kind == 1 ? 1 : 2});
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 6, 6)), *dx;
        nn_node *loss = penalty(net, x, &dx);
        nn_trainer *trainer = nn_make_trainer(
            net, loss,
            &(nn_trainer_desc){
                .batch = 4, .shards = kind == 2 ? 1 : 2, .optimizer = NN_SGD, .learning_rate = 1});
        nn_tensor *batch = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(4, 2, 6, 6)});
        ENSURE(trainer && fine(nn));
        set_penalty(net);
        ENSURE(nn_upload_tensor(batch, some(288, 1), 288 * 4) == NN_OK);
        ENSURE(nn_bind(nn_trainer_plan(trainer), x, batch) == NN_OK);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        ENSURE(nn_download_tensor(nn_find_tensor(net, "c1.weight"), weights[kind], 288) == NN_OK);
        nn_close(nn);
    }
    ENSURE(memcmp(weights[0], weights[1], sizeof weights[0]) == 0);
    for (int i = 0; i < 72; i++) ENSURE_CLOSE(weights[0][i], weights[2][i], 1e-4);
}

/* Statistics of the whole batch are not those that the gradient of a shard would need. */
static void test_over_all(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *h = nn_batch_norm1d(net, "n", nn_square(net, x), NULL);
    nn_node *dx = nn_gradient(net, nn_sum(net, nn_square(net, h), NN_ALL_AXES), x, NULL);
    nn_node *loss = nn_mean(net, nn_add(net, nn_square(net, h), nn_detach(net, dx)), NN_ALL_AXES);
    nn_trainer_desc desc = {.batch = 4, .shards = 2, .batch_norm = NN_OVER_ALL};
    ENSURE(!nn_make_trainer(net, loss, &desc) && says(nn, "is a gradient of nn_gradient through"));
    desc.batch_norm = NN_PER_SHARD;
    ENSURE(nn_make_trainer(net, loss, &desc) != NULL && fine(nn));
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static nn_node *in(nn_model *net) { return nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)); }

#define REFUSED(words, ...)                                                                        \
    do {                                                                                           \
        nn_model *net = nn_make_model(nn, NULL);                                                   \
        nn_node *x = in(net), *dx = NULL;                                                          \
        (void)x;                                                                                   \
        __VA_ARGS__;                                                                               \
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(dx), .batch = 2});   \
        ENSURE(!plan && says(nn, words));                                                          \
        nn_free_model(net);                                                                        \
    } while (0)

static nn_result no_function(void *user, const nn_custom_args *args) {
    (void)user, (void)args;
    return NN_OK;
}

static nn_node *sum(nn_model *net, nn_node *x) { return nn_sum(net, x, NN_ALL_AXES); }

/* Returns the gradient of the sum of the squares of y's gradient. */
static nn_node *second(nn_model *net, nn_node *y, nn_node *x) {
    nn_node *dx = nn_gradient(net, sum(net, y), x, NULL);
    return nn_gradient(net, sum(net, nn_square(net, dx)), x, NULL);
}

static void test_mistakes(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *stranger = nn_make_model(nn, &(nn_model_desc){.name = "stranger"});
    nn_node *other = in(stranger);
    REFUSED("\"exp\" does not depend on \"z\"",
            dx = nn_gradient(net, nn_exp(net, nn_parameter(net, "p", (nn_shape){.rank = 0}, 0, 0)),
                             nn_input(net, "z", NN_F32, NN_SHAPE(2)), NULL));
    REFUSED("\"sum\" does not depend on \"x\"",
            dx = nn_gradient(net, sum(net, nn_detach(net, x)), x, NULL));
    REFUSED("\"sum\" does not depend on \"x\"",
            dx = nn_gradient(net, sum(net, nn_floor(net, x)), x, NULL));
    REFUSED(".allow_unused = true gives zeros",
            dx = nn_gradient(net, sum(net, nn_floor(net, x)), x, NULL));
    REFUSED("y is not one number, and there is no grad_outputs", dx = nn_gradient(net, x, x, NULL));
    REFUSED(
        "grad_outputs is not f32 in the shape of y",
        dx = nn_gradient(net, nn_exp(net, x), x, &(nn_gradient_desc){.grad_outputs = sum(net, x)}));
    REFUSED("y is NULL", dx = nn_gradient(net, NULL, x, NULL));
    REFUSED("x is NULL", dx = nn_gradient(net, sum(net, x), NULL, NULL));
    REFUSED("x belongs to the model \"stranger\"", dx = nn_gradient(net, sum(net, x), other, NULL));
    REFUSED("whole numbers have no gradient",
            dx = nn_gradient(net, sum(net, x), nn_input(net, "i", NN_I32, NN_SHAPE(2)), NULL));
    REFUSED("there is no x", dx = nn_gradients(net, sum(net, x), (nn_nodes){NULL, 0}, &x, NULL));
    REFUSED("dx is NULL", dx = nn_gradients(net, sum(net, x), NN_NODES(x), NULL, NULL));
    ENSURE(nn_gradient(NULL, other, other, NULL) == NULL);
    ENSURE(nn_find_parameter(stranger, "w") == NULL && says(nn, "has no parameter \"w\""));
    nn_close(nn);
}

/* Operations whose gradients have no gradient are named, where they are used. */
static void test_not_again(void) {
    nn_context *nn = nn_open(NULL);
    REFUSED("recurrent_backward) is not differentiable again",
            nn_node *s = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 3, 1));
            dx = second(net, nn_lstm(net, "lstm", s, &(nn_lstm_desc){.hidden_size = 2}), x));
    REFUSED("scan_backward) is not differentiable again",
            dx = second(net, nn_cumprod(net, x, 1), x));
    REFUSED("custom_backward) is not differentiable again",
            const nn_custom_desc desc = {.inputs = NN_NODES(x),
                                         .shape = NN_SHAPE(NN_BATCH, 3),
                                         .function = no_function,
                                         .gradients = NN_CUSTOM_FUNCTIONS(no_function)};
            dx = second(net, nn_custom(net, "own", &desc), x));
    REFUSED("a norm with running statistics is another function",
            dx = second(net, nn_batch_norm1d(net, "n", x, NULL), x));
    REFUSED("label_smoothing is for the first gradient only",
            nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
            dx = second(
                net,
                nn_cross_entropy(net, x, label, &(nn_cross_entropy_desc){.label_smoothing = 0.1f}),
                x));
    REFUSED("nn_detach the gradient to use it as a constant",
            dx = second(net, nn_cumprod(net, x, 1), x));
    nn_close(nn);
}

/* A trainer finds the mistake, too. */
static void test_trainer_not_again(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 1));
    nn_node *h = nn_lstm(net, "lstm", x, &(nn_lstm_desc){.hidden_size = 2});
    nn_node *dx = nn_gradient(net, sum(net, h), x, NULL);
    ENSURE(fine(nn));
    ENSURE(!nn_make_trainer(net, sum(net, nn_square(net, dx)), &(nn_trainer_desc){.batch = 2}));
    ENSURE(says(nn, "recurrent_backward) is not differentiable again"));
    ENSURE(nn_make_trainer(net, sum(net, nn_add(net, nn_square(net, h), nn_detach(net, h))),
                           &(nn_trainer_desc){.batch = 2}) != NULL &&
           fine(nn));
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_penalty);
    RUN(test_hessian_vector);
    RUN(test_physics);
    RUN(test_dropout);
    RUN(test_dropout2d);
    RUN(test_batch_norm);
    RUN(test_batch_norm_trains);
    RUN(test_copies);
    RUN(test_nodes);
    RUN(test_blocks_and_devices);
    RUN(test_shards);
    RUN(test_over_all);
    RUN(test_mistakes);
    RUN(test_not_again);
    RUN(test_trainer_not_again);
    return test_report();
}
