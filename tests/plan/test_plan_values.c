/* test_plan_values.c: a plan returns the values that were computed: values that share memory,
   values that were not kept, inputs that changed since, the status of a run, and parameters in the
   middle of a step. */
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"
#include "nn_more.h"

#include "sim_device.h"
#include "lists.h"

#include <stdint.h>
#include <stdlib.h>

static nn_context *open_one(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    return nn_open(&desc);
}

static nn_plan *plan_of(nn_model *net, nn_node *a, nn_node *b, int batch) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = a;
    if (b) NODE_AT(desc.outputs, 1) = b;
    desc.batch = batch;
    return nn_make_plan(net, &desc);
}

static nn_node *linear(nn_model *net, const char *name, nn_node *x, int out) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = out;
    return nn_linear(net, name, x, &desc);
}

/* ---- an activation that a product applies ---------------------------------------------------- */

/* Inputs from -9 to 9, and NaN: the product's epilogue and the separate operation give the same
   results. */
static void test_epilogue_clamps(void) {
    enum { COUNT = 37, ROWS = 3 };
    static float weight[COUNT], x[ROWS] = {1, -1, NAN}, fused[ROWS * COUNT], apart[ROWS * COUNT];
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node *between = linear(net, "fc", input, COUNT), *y = nn_relu6(net, between);
    nn_plan *plan = plan_of(net, y, NULL, ROWS), *both = plan_of(net, y, between, ROWS);
    memset(weight, 0, sizeof weight);
    nn_upload_tensor(nn_find_tensor(net, "fc.bias"), weight, sizeof weight);
    for (int i = 0; i < COUNT; i++) weight[i] = (float)(i - COUNT / 2) * 0.5f;
    nn_upload_tensor(nn_find_tensor(net, "fc.weight"), weight, sizeof weight);
    nn_start_profile(plan);
    nn_start_profile(both);
    ENSURE(nn_profile_count(plan) == 1 && nn_profile_count(both) == 2);
    ENSURE(nn_upload(plan, input, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_upload(both, input, x, sizeof x) == NN_OK && nn_run(both) == NN_OK);
    ENSURE(nn_download(plan, y, fused, sizeof fused) == NN_OK);
    ENSURE(nn_download(both, y, apart, sizeof apart) == NN_OK);
    ENSURE(memcmp(fused, apart, sizeof fused / ROWS * 2) == 0);
    for (int i = 0; i < COUNT; i++) {
        const float value = weight[i];
        ENSURE(fused[i] == (value <= 0 ? 0 : value > 6 ? 6 : value));
        ENSURE(fused[2 * COUNT + i] != fused[2 * COUNT + i]);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

/* ---- a dying operand that broadcasting stretches --------------------------------------------- */

static nn_node *binary(nn_model *net, int op, nn_node *a, nn_node *b) {
    switch (op) {
    case 0: return nn_add(net, a, b);
    case 1: return nn_subtract(net, a, b);
    case 2: return nn_multiply(net, a, b);
    case 3: return nn_divide(net, a, b);
    case 4: return nn_maximum(net, a, b);
    default: return nn_minimum(net, a, b);
    }
}

static float binary_of(int op, float a, float b) {
    switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;
    case 4: return a > b ? a : b;
    default: return a < b ? a : b;
    }
}

/* The steps that compute and read a value are joined, but a reshape, which is an output, also reads
   it. The value is then stored, whichever operand it is. */
static void test_joined_beside_an_alias(void) {
    static const float x[4] = {1, -2, 3, -4}, z[4] = {-5, 6, 7, -8};
    float seen[4], sum[4];
    nn_context *nn = open_one();
    for (int first = 0; first < 2; first++)
        for (int before = 0; before < 2; before++) {
            nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
            nn_node *one = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 2)),
                    *other = nn_input(net, "z", NN_F32, NN_SHAPE(NN_BATCH, 2, 2)), *v, *a;
            if (before) v = nn_square(net, one), a = nn_relu(net, other);
            else a = nn_relu(net, other), v = nn_square(net, one);
            nn_node *both = first ? nn_subtract(net, v, a) : nn_subtract(net, a, v);
            nn_node *view = nn_reshape(net, v, NN_SHAPE(NN_BATCH, 4));
            nn_plan *plan = plan_of(net, view, both, 1);
            ENSURE(nn_upload(plan, one, x, sizeof x) == NN_OK &&
                   nn_upload(plan, other, z, sizeof z) == NN_OK && nn_run(plan) == NN_OK);
            ENSURE(nn_download(plan, view, seen, sizeof seen) == NN_OK &&
                   nn_download(plan, both, sum, sizeof sum) == NN_OK);
            for (int i = 0; i < 4; i++) {
                const float square = x[i] * x[i], up = z[i] > 0 ? z[i] : 0;
                ENSURE(seen[i] == square && sum[i] == (first ? square - up : up - square));
            }
            nn_free_model(net);
        }
    nn_close(nn);
}

/* A step that joins three steps stores its result and none of the values between, whichever operand
   is joined first. */
static void test_joined_stores_one_value(void) {
    enum { COUNT = 64 };
    for (int first = 0; first < 2; first++)
        for (int before = 0; before < 2; before++) {
            nn_context *nn = open_one();
            nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
            nn_node *one = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, COUNT)),
                    *other = nn_input(net, "z", NN_F32, NN_SHAPE(NN_BATCH, COUNT)), *v, *a;
            if (before)
                v = nn_square(net, one), a = nn_relu(net, other);
            else
                a = nn_relu(net, other), v = nn_square(net, one);
            nn_node *both = first ? nn_subtract(net, v, a) : nn_subtract(net, a, v);
            nn_plan *plan = plan_of(net, both, NULL, 1);
            nn_start_profile(plan);
            ENSURE(nn_profile_count(plan) == 1);
            ENSURE(nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_ACTIVATIONS) == COUNT * sizeof(float));
            nn_close(nn);
        }
}

/* Tests every operation with pairs of small shapes, each side broadcast in turn. The sizes of all
   shapes round up to a few lines of memory, so an operand and a result of different shapes can seem
   to have the same size. */
static void test_broadcast_over_dying_operand(void) {
    nn_context *nn = open_one();
    for (int op = 0; op < 6; op++)
        for (int rows = 1; rows <= 4; rows++)
            for (int form = 0; form < 6; form++) {
                nn_model *net = nn_make_model(nn, NULL);
                const int columns = 4;
                nn_shape small = form % 3 == 0   ? NN_SHAPE(NN_BATCH, 1)
                                 : form % 3 == 1 ? NN_SHAPE(1, columns)
                                                 : NN_SHAPE(1, 1);
                nn_node *g = nn_input(net, "g", NN_F32, small),
                        *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, columns));
                nn_node *dying = nn_scale(net, g, 2.0f), *other = nn_scale(net, x, 3.0f);
                nn_node *y =
                    form < 3 ? binary(net, op, dying, other) : binary(net, op, other, dying);
                nn_plan *plan = plan_of(net, y, NULL, rows);
                float gs[16], xs[16], ys[16];
                const int gs_count = form % 3 == 0 ? rows : form % 3 == 1 ? columns : 1;
                for (int i = 0; i < 16; i++) gs[i] = (float)(i + 1), xs[i] = (float)(20 - i);
                ENSURE(plan && nn_upload(plan, g, gs, sizeof(float) * (size_t)gs_count) == NN_OK);
                ENSURE(nn_upload(plan, x, xs, sizeof(float) * (size_t)(rows * columns)) == NN_OK &&
                       nn_run(plan) == NN_OK);
                ENSURE(nn_download(plan, y, ys, sizeof(float) * (size_t)(rows * columns)) == NN_OK);
                for (int i = 0; i < rows * columns; i++) {
                    float a = 2 * gs[form % 3 == 0   ? i / columns
                                     : form % 3 == 1 ? i % columns
                                                     : 0],
                          b = 3 * xs[i];
                    ENSURE_CLOSE(ys[i], form < 3 ? binary_of(op, a, b) : binary_of(op, b, a), 1e-5);
                }
                nn_free_model(net);
            }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* Compares the gradient of a parameter that is broadcast over the batch with differences of the
   loss. */
static void test_broadcast_gradients(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *p = nn_parameter(net, "p", NN_SHAPE(4), 0.1f, 0.9f);
    nn_node *y =
        nn_multiply(net, nn_sigmoid(net, p), nn_tanh(net, nn_multiply(net, nn_exp(net, p), x)));
    nn_node *loss = nn_mean(net, nn_square(net, y));
    nn_trainer_desc desc;
    float xs[16], before[4], after[4], up, down;
    memset(&desc, 0, sizeof desc);
    desc.batch = 4;
    desc.learning_rate = 1.0f;
    nn_trainer *trainer = nn_make_trainer(net, loss, &desc);
    nn_plan *plan = plan_of(net, loss, NULL, 4);
    ENSURE(trainer && plan);
    for (int i = 0; i < 16; i++) xs[i] = (float)(i * 5 % 7) * 0.3f - 1.0f;
    nn_tensor *tensor = nn_find_tensor(net, "p");
    ENSURE(nn_download_tensor(tensor, before, sizeof before) == NN_OK);
    ENSURE(nn_upload(nn_trainer_plan(trainer), x, xs, sizeof xs) == NN_OK &&
           nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(nn_download_tensor(tensor, after, sizeof after) == NN_OK);
    ENSURE(nn_upload(plan, x, xs, sizeof xs) == NN_OK);
    for (int i = 0; i < 4; i++) {
        float moved[4];
        memcpy(moved, before, sizeof moved);
        moved[i] = before[i] + 1e-2f;
        ENSURE(nn_upload_tensor(tensor, moved, sizeof moved) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, loss, &up, sizeof up) == NN_OK);
        moved[i] = before[i] - 1e-2f;
        ENSURE(nn_upload_tensor(tensor, moved, sizeof moved) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, loss, &down, sizeof down) == NN_OK);
        ENSURE_CLOSE(before[i] - after[i], (up - down) / 2e-2f, 1e-3);
    }
    nn_close(nn);
}

/* ---- what a plan holds ----------------------------------------------------------------------- */

static void test_only_kept_values_come_back(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(16)), *a = nn_scale(net, x, 2.0f),
            *b = nn_negate(net, a);
    nn_node *y = nn_exp(net, b);
    nn_plan *plan = plan_of(net, y, NULL, 1);
    float xs[16], ys[16];
    for (int i = 0; i < 16; i++) xs[i] = (float)i * 0.1f, ys[i] = -7;
    ENSURE(nn_upload(plan, x, xs, sizeof xs) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, a, ys, sizeof ys) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "nn_keep") != NULL && ys[0] == -7);
    nn_clear_error(nn);
    ENSURE(nn_download(plan, b, ys, sizeof ys) == NN_ERROR_ARGUMENT &&
           !nn_plan_view(plan, a).handle && !nn_plan_view(plan, b).handle);
    nn_clear_error(nn);
    ENSURE(nn_plan_view(plan, y).handle && nn_download(plan, y, ys, sizeof ys) == NN_OK);
    ENSURE_CLOSE(ys[5], exp(-1.0), 1e-5);
    nn_keep(a);
    plan = plan_of(net, y, NULL, 1);
    ENSURE(nn_upload(plan, x, xs, sizeof xs) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, a, ys, sizeof ys) == NN_OK);
    ENSURE(ys[5] == 1.0f && !nn_error(nn));
    nn_close(nn);
}

static void test_inputs_given_since(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 50)), *y = nn_relu(net, x);
    nn_plan *plan = plan_of(net, y, NULL, 2);
    nn_tensor_desc desc;
    float out[100];
    memset(&desc, 0, sizeof desc);
    memset(out, 0, sizeof out);
    desc.shape = NN_SHAPE(1, 50);
    nn_tensor *good = nn_make_tensor(nn, &desc), *bad;
    desc.shape = NN_SHAPE(1);
    desc.dtype = NN_U8;
    bad = nn_make_tensor(nn, &desc);
    ENSURE(nn_bind(plan, x, good) == NN_OK && nn_plan_view(plan, x).handle &&
           nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, x, out, 50 * sizeof(float)) == NN_OK);
    ENSURE(nn_bind(plan, x, bad) == NN_OK && !nn_plan_view(plan, x).handle); /* it does not fit */
    ENSURE(nn_download(plan, x, out, 50 * sizeof(float)) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    nn_free_tensor(good); /* replaced, so it may be freed */
    ENSURE(nn_download(plan, x, out, 50 * sizeof(float)) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_upload(plan, x, out, sizeof out) == NN_OK &&
           nn_download(plan, x, out, 50 * sizeof(float)) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_run(plan) == NN_OK && nn_download(plan, x, out, sizeof out) == NN_OK &&
           nn_download(plan, y, out, sizeof out) == NN_OK);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static void test_refused_upload(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2)),
            *z = nn_input(net, "z", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *y = nn_add(net, x, z);
    nn_plan *plan = plan_of(net, y, NULL, 4);
    nn_ledger_limits limits;
    float data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8];
    memset(&limits, 0, sizeof limits);
    limits.upload_bytes = NN_LEDGER_NOTHING;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_upload(plan, x, data, sizeof data) == NN_ERROR_LIMIT &&
           nn_run(plan) == NN_ERROR_FAULTS);
    nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);
    nn_clear_error(nn);
    ENSURE(nn_upload(plan, x, data, sizeof data) == NN_OK &&
           nn_upload(plan, z, data, sizeof data) == NN_OK && nn_run(plan) == NN_OK);
    nn_ledger_limit(nn, &limits); /* earlier values stay */
    ENSURE(nn_upload(plan, x, data, 8) == NN_ERROR_LIMIT && nn_run(plan) == NN_OK);
    nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);
    ENSURE(nn_download(plan, y, out, sizeof out) == NN_OK && out[7] == 16);
    nn_close(nn);
}

/* The batch may be any extent, and may be multiplied. */
static void test_batch_anywhere(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(3, NN_BATCH)),
            *z = nn_input(net, "z", NN_F32, NN_SHAPE(2, NN_BATCH, 5));
    nn_plan *plan = plan_of(net, nn_relu(net, x), nn_relu(net, z), 4);
    nn_tensor_desc desc;
    float data[40];
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < 40; i++) data[i] = (float)i;
    ENSURE(plan);
    for (int batch = 1; batch <= 4; batch++) {
        ENSURE(nn_upload(plan, x, data, sizeof(float) * 3 * (size_t)batch) == NN_OK);
        ENSURE(nn_upload(plan, z, data, sizeof(float) * 10 * (size_t)batch) == NN_OK);
        ENSURE(nn_run(plan) == NN_OK && nn_plan_batch(plan) == batch);
    }
    desc.shape = NN_SHAPE(3, 2);
    ENSURE(nn_bind(plan, x, nn_make_tensor(nn, &desc)) == NN_OK &&
           nn_run(plan) == NN_ERROR_FAULTS); /* 2 and 4 */
    nn_clear_error(nn);
    desc.shape = NN_SHAPE(3, 4);
    ENSURE(nn_bind(plan, x, nn_make_tensor(nn, &desc)) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_upload(plan, x, data, sizeof(float) * 15) == NN_ERROR_SHAPE); /* 5 samples */
    nn_close(nn);
}

/* ---- values of a trainer that are views of changed tensors ---------------------------------- */

/* The loss and kept values of a step are those before its update, even if they are a parameter or a
   view of one. */
static void test_views_of_parameters(void) {
    for (int form = 0; form < 8; form++) {
        nn_context *nn = open_one();
        nn_model *net = nn_make_model(nn, NULL);
        const bool bare = form & 1, apart = form & 2, sliced = form & 4;
        nn_node *w = nn_parameter(net, "w", NN_SHAPE(1), 2, 2),
                *loss = bare ? w : nn_keep(nn_reshape(net, w, NN_SHAPE(1, 1)));
        nn_node *frozen = nn_parameter(net, "frozen", NN_SHAPE(1), 5, 5),
                *kept = nn_keep(nn_flatten(net, nn_reshape(net, frozen, NN_SHAPE(1, 1))));
        nn_node *again = nn_keep(nn_reshape(net, nn_detach(net, loss), NN_SHAPE(1, 1, 1)));
        nn_trainer_desc desc;
        nn_report report;
        float value = 0;
        memset(&desc, 0, sizeof desc);
        desc.learning_rate = 0.5f;
        desc.gradients = apart;
        nn_freeze(net, "frozen", true);
        nn_node *whole = nn_add(net, loss, nn_scale(net, nn_add(net, again, kept), 0.0f));
        nn_trainer *trainer = nn_make_trainer(
            net, form == 3 || form == 1 ? loss : nn_reshape(net, whole, NN_SHAPE(1)), &desc);
        ENSURE(trainer);
        for (int step = 0; step < 3; step++) {
            const float before = 2 - 0.5f * (float)step; /* the gradient is 1 */
            nn_result result = NN_PENDING;
            while (sliced && (result = nn_train_step_for(trainer, NULL, 0)) == NN_PENDING) continue;
            if (!sliced) result = nn_train_on_inputs(trainer);
            ENSURE(result == NN_OK && nn_read_loss(trainer, &value) == NN_OK);
            ENSURE_CLOSE(value, before, 1e-6);
            if (!bare)
                ENSURE(nn_download(nn_trainer_plan(trainer), loss, &value, sizeof value) == NN_OK);
            ENSURE_CLOSE(value, before, 1e-6);
            if (form != 1 && form != 3) {
                ENSURE(nn_download(nn_trainer_plan(trainer), again, &value, sizeof value) == NN_OK);
                ENSURE_CLOSE(value, before, 1e-6);
                ENSURE(nn_download(nn_trainer_plan(trainer), kept, &value, sizeof value) == NN_OK &&
                       value == 5);
            }
            ENSURE(nn_download_tensor(nn_find_tensor(net, "w"), &value, sizeof value) == NN_OK);
            ENSURE_CLOSE(value, before - 0.5f, 1e-6);
        }
        ENSURE(nn_read_report(trainer, &report) == NN_OK);
        ENSURE_CLOSE(report.loss, 1.5, 1e-6);
        if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_close(nn);
    }
}

/* ---- the status of a run --------------------------------------------------------------------- */

static void test_status_is_of_one_run(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *l = nn_input(net, "logits", NN_F32, NN_SHAPE(NN_BATCH, 3)),
            *t = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *loss = nn_cross_entropy(net, l, t, NULL);
    nn_plan *plan = plan_of(net, loss, NULL, 2);
    float logits[6] = {1, 2, 3, 4, 5, 6}, value = 0;
    int32_t bad[2] = {0, 7}, good[2] = {0, 1};
    for (int i = 0; i < 3; i++) {
        ENSURE(nn_upload(plan, l, logits, sizeof logits) == NN_OK &&
               nn_upload(plan, t, bad, sizeof bad) == NN_OK);
        ENSURE(nn_run(plan) == NN_ERROR_LABEL && strstr(nn_error(nn), "[0, 3)") != NULL);
        nn_clear_error(nn);
        ENSURE(nn_upload(plan, t, good, sizeof good) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, loss, &value, sizeof value) == NN_OK && value > 1 &&
               !nn_error(nn));
    }
    nn_close(nn);
}

/* On a device with a queue the step with the fault cannot report it; a later step does, without
   waiting. */
static void test_fault_on_a_queue(void) {
    nn_context *nn = open_one();
    sim_desc sim_wanted;
    nn_device device;
    nn_model_desc where;
    nn_trainer_desc desc;
    float xs[2] = {1, 2}, target = 3;
    memset(&sim_wanted, 0, sizeof sim_wanted);
    memset(&where, 0, sizeof where);
    memset(&desc, 0, sizeof desc);
    sim_wanted.asynchronous = true;
    sim_device *sim = sim_open(nn, &sim_wanted, &device);
    where.device = device;
    nn_model *net = nn_make_model(nn, &where);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2)),
            *t = nn_input(net, "t", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_trainer *trainer =
        nn_make_trainer(net, nn_mse_loss(net, linear(net, "fc", x, 1), t, NULL), &desc);
    ENSURE(trainer);
    for (int fault = 0; fault < 2; fault++) {
        int accepted = 0;
        int64_t before = nn_trainer_step(trainer);
        nn_result result = NN_OK;
        for (int i = 0; i < 10 && result == NN_OK; i++) {
            xs[0] = i == 0 ? NAN : 1;
            ENSURE(nn_upload(nn_trainer_plan(trainer), x, xs, sizeof xs) == NN_OK);
            ENSURE(nn_upload(nn_trainer_plan(trainer), t, &target, sizeof target) == NN_OK);
            result = nn_train_on_inputs(trainer);
            accepted += result == NN_OK;
            if (i >= 2) ENSURE(nn_finish(nn) == NN_OK); /* now the queue has reached it */
        }
        ENSURE(result == NN_ERROR_NAN && accepted >= 1 && accepted <= 5);
        ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_NAN); /* until it is cleared */
        nn_clear_error(nn);
        ENSURE(nn_clear_fault(trainer) == NN_OK && nn_trainer_step(trainer) == before);
        xs[0] = 1;
        ENSURE(nn_upload(nn_trainer_plan(trainer), x, xs, sizeof xs) == NN_OK &&
               nn_train_on_inputs(trainer) == NN_OK);
        ENSURE(nn_finish(nn) == NN_OK && nn_train_on_inputs(trainer) == NN_OK && !nn_error(nn));
    }
    nn_ledger_limits limits; /* the status word does not count towards a limit on downloads */
    memset(&limits, 0, sizeof limits);
    limits.download_bytes = NN_LEDGER_NOTHING;
    ENSURE(nn_finish(nn) == NN_OK && nn_train_on_inputs(trainer) == NN_OK);
    nn_ledger_limit(nn, &limits);
    for (int i = 0; i < 3; i++)
        ENSURE(nn_train_on_inputs(trainer) == NN_OK && nn_finish(nn) == NN_OK);
    ENSURE(!nn_error(nn));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* A call returns the code of its own failure, whatever failed before it. */
static void test_own_codes(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_plan *plan = plan_of(net, linear(net, "fc", x, 2), NULL, 1);
    float data[2] = {0, 0};
    nn_device nowhere = nn_make_device(NN_USER_0, 3);
    ENSURE(nn_move_model(net, nowhere) == NN_ERROR_DEVICE && nn_error_code(nn) == NN_ERROR_DEVICE);
    ENSURE(nn_upload(plan, NULL, data, sizeof data) == NN_ERROR_ARGUMENT &&
           nn_bind(plan, NULL, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_upload(plan, x, data, 3) == NN_ERROR_SHAPE);
    ENSURE(nn_load_weights(net, "/nonexistent/weights.safetensors", NULL) == NN_ERROR_FILE);
    ENSURE(nn_error_code(nn) == NN_ERROR_DEVICE); /* the context remembers the first */
    nn_close(nn);
}

/* ---- gradients apart from their update ------------------------------------------------------- */

/* A refused pass leaves the gradients of the last one. A step in slices holds parameters until its
   update, which is also cut into slices, is done. */
static void test_gradients_apart(void) {
    enum { WIDTH = 96 }; /* the update is more than one unit */
    nn_context *nn = open_one();
    nn_trainer_desc desc;
    nn_node *x[2];
    nn_trainer *trainers[2];
    nn_model *nets[2];
    static float xs[WIDTH], kept[WIDTH * WIDTH], now[WIDTH * WIDTH], first[WIDTH * WIDTH];
    nn_report report;
    int passes = 0, calls = 0;
    nn_result result;
    memset(&desc, 0, sizeof desc);
    desc.optimizer = NN_ADAM;
    for (int i = 0; i < WIDTH; i++) xs[i] = (float)(i % 7) - 3;
    for (int i = 0; i < 2; i++) { /* two equal trainers, one of which keeps gradients */
        nets[i] = nn_make_model(nn, NULL);
        x[i] = nn_input(nets[i], "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
        desc.gradients = i == 1;
        nn_node *y =
            linear(nets[i], "b", nn_tanh(nets[i], linear(nets[i], "a", x[i], WIDTH)), WIDTH);
        trainers[i] = nn_make_trainer(nets[i], nn_mean(nets[i], nn_square(nets[i], y)), &desc);
        ENSURE(trainers[i]);
    }
    ENSURE(nn_train_on_inputs(trainers[1]) == NN_ERROR_FAULTS); /* nothing was given yet */
    nn_clear_error(nn);
    for (int i = 0; i < 2; i++)
        ENSURE(nn_upload(nn_trainer_plan(trainers[i]), x[i], xs, sizeof xs) == NN_OK &&
               nn_train_on_inputs(trainers[i]) == NN_OK);
    ENSURE(nn_read_gradient(trainers[1], "a.weight", kept, sizeof kept) == NN_OK);
    ENSURE(nn_bind(nn_trainer_plan(trainers[1]), x[1], NULL) == NN_OK);
    ENSURE(nn_backward(trainers[1]) == NN_ERROR_FAULTS &&
           nn_train_on_inputs(trainers[1]) == NN_ERROR_FAULTS);
    nn_clear_error(nn);
    ENSURE(nn_read_gradient(trainers[1], "a.weight", now, sizeof now) == NN_OK &&
           memcmp(kept, now, sizeof now) == 0);
    ENSURE(nn_read_report(trainers[1], &report) == NN_OK && report.samples == 1 &&
           nn_trainer_step(trainers[1]) == 1);
    /* refused because another plan is running in slices: nothing was computed, and nothing is
       lost */
    nn_plan *plan = plan_of(nets[1], linear(nets[1], "other", x[1], 3),
                            nn_scale(nets[1], linear(nets[1], "more", x[1], 3), 2), 1);
    ENSURE(plan && nn_upload(plan, x[1], xs, sizeof xs) == NN_OK &&
           nn_run_for(plan, 0) == NN_PENDING);
    ENSURE(nn_upload(nn_trainer_plan(trainers[1]), x[1], xs, sizeof xs) == NN_OK &&
           nn_train_on_inputs(trainers[1]) == NN_ERROR_ARGUMENT);
    ENSURE(nn_read_gradient(trainers[1], "a.weight", now, sizeof now) == NN_OK &&
           memcmp(kept, now, sizeof now) == 0);
    nn_clear_error(nn);
    nn_free_plan(plan);
    ENSURE(nn_read_report(trainers[1], &report) == NN_OK && report.samples == 0);
    /* in slices */
    nn_tensor *weight = nn_find_tensor(nets[1], "a.weight");
    ENSURE(nn_download_tensor(weight, first, sizeof first) == NN_OK);
    while ((result = nn_train_step_for(trainers[1], NULL, 0)) == NN_PENDING) {
        calls++;
        ENSURE(nn_upload_tensor(weight, first, sizeof first) < 0 && nn_update(trainers[1]) < 0 &&
               nn_read_report(trainers[1], &report) < 0);
        ENSURE(nn_move_trainer(trainers[1], nn_cpu()) < 0 || nn_trainer_step(trainers[1]) == 1);
        nn_clear_error(nn);
        if (nn_download_tensor(weight, now, sizeof now) == NN_OK)
            passes += memcmp(first, now, sizeof now) == 0;
        nn_clear_error(nn);
    }
    ENSURE(result == NN_OK && nn_trainer_step(trainers[1]) == 2 &&
           calls > passes); /* the update has slices of its own */
    ENSURE(nn_train_on_inputs(trainers[0]) == NN_OK);
    ENSURE(nn_download_tensor(nn_find_tensor(nets[0], "a.weight"), first, sizeof first) == NN_OK);
    ENSURE(nn_download_tensor(weight, now, sizeof now) == NN_OK &&
           memcmp(first, now, sizeof now) == 0);
    /* a fault between the halves is reported, and cleared */
    xs[0] = NAN;
    ENSURE(nn_upload(nn_trainer_plan(trainers[1]), x[1], xs, sizeof xs) == NN_OK);
    while ((result = nn_train_step_for(trainers[1], NULL, 0)) == NN_PENDING) continue;
    ENSURE(result == NN_ERROR_NAN);
    nn_clear_error(nn);
    xs[0] = 1;
    ENSURE(nn_clear_fault(trainers[1]) == NN_OK &&
           nn_upload(nn_trainer_plan(trainers[1]), x[1], xs, sizeof xs) == NN_OK);
    ENSURE(nn_train_on_inputs(trainers[1]) == NN_OK && nn_trainer_step(trainers[1]) == 3 &&
           !nn_error(nn));
    nn_close(nn);
}

static int warmed;
static bool count_warmed(void *user, int done, int count, const char *name) {
    (void)user, (void)done, (void)name;
    warmed = count;
    return true;
}

/* The kernels of nn_update are prepared, too. */
static void test_prewarm_of_updates(void) {
    int counts[2];
    for (int i = 0; i < 2; i++) {
        nn_context *nn = open_one();
        nn_model *net = nn_make_model(nn, NULL);
        nn_trainer_desc desc;
        nn_prewarm_progress progress;
        memset(&desc, 0, sizeof desc);
        memset(&progress, 0, sizeof progress);
        progress.function = count_warmed;
        desc.gradients = i == 1;
        desc.max_norm = 1; /* two steps of the update */
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
        nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, linear(net, "a", x, 4)), &desc);
        ENSURE(trainer && nn_prewarm(nn_trainer_plan(trainer), &progress) == NN_OK);
        counts[i] = warmed;
        nn_close(nn);
    }
    ENSURE(counts[1] == counts[0] + 1); /* the step that adds gradients to their sum */
}

/* ---- large plans ----------------------------------------------------------------------------- */

/* A plan of 10,000 products gives the values of a plain loop. bench/bench_plan measures how long
   it takes to make such a plan. */
static void test_plan_of_many_steps(void) {
    enum { LAYERS = 10000 };
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)), *y = x;
    float value[4] = { 1, -2, 3, 0.5f }, found[4];
    for (int k = 0; k < LAYERS; k++) {
        char name[32];
        snprintf(name, sizeof name, "fc%d", k);
        y = linear(net, name, y, 4);
    }
    nn_plan *plan = plan_of(net, y, NULL, 1);
    if (!plan) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    /* Layers keep their input, except that every thousandth rotates the values by one place and
       adds its index. */
    nn_init_desc eye, zero;
    memset(&eye, 0, sizeof eye);
    memset(&zero, 0, sizeof zero);
    eye.init = NN_INIT_EYE;
    zero.init = NN_INIT_ZEROS;
    ENSURE(nn_initialise(net, "*.weight", &eye) == NN_OK);
    ENSURE(nn_initialise(net, "*.bias", &zero) == NN_OK);
    for (int k = 0; k < LAYERS; k += 1000) {
        char name[32];
        float weight[16] = { 0 }, bias[4] = { 0 };
        for (int i = 0; i < 4; i++) weight[i * 4 + (i + 1) % 4] = 1, bias[i] = (float)k;
        snprintf(name, sizeof name, "fc%d.weight", k);
        ENSURE(nn_upload_tensor(nn_find_tensor(net, name), weight, sizeof weight) == NN_OK);
        snprintf(name, sizeof name, "fc%d.bias", k);
        ENSURE(nn_upload_tensor(nn_find_tensor(net, name), bias, sizeof bias) == NN_OK);
    }
    ENSURE(nn_upload(plan, x, value, sizeof value) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, y, found, sizeof found) == NN_OK);
    for (int i = 0; i < 4; i++) ENSURE(found[i] == value[(i + 10) % 4] + 45000);
    nn_close(nn);
}

/* ---- scratch of every batch ------------------------------------------------------------------ */

static uint64_t (*cpu_scratch)(void *state, nn_kernel kernel, const void *args);

/* A product of 613 rows needs far more memory than one of any other number of rows; all others need
   a little. */
static uint64_t scratch_of_613(void *state, nn_kernel kernel, const void *args) {
    if (kernel != NN_KERNEL_GEMM) return cpu_scratch(state, kernel, args);
    const nn_view *y = &((const nn_gemm_args *)args)->y;
    return y->shape.extent[y->shape.rank - 2] == 613 ? 1 << 20 : 256;
}

static void close_nothing(void *state) { (void)state; }

static void test_scratch_of_every_batch(void) {
    nn_context *nn = open_one();
    void *state = NULL;
    nn_backend backend;
    nn_device device;
    nn_model_desc where;
    static float xs[1024 * 4];
    memset(&where, 0, sizeof where);
    nn_use_all_kernels(nn);
    backend = *nn_device_backend(nn, nn_cpu(), &state);
    cpu_scratch = backend.scratch_bytes;
    backend.scratch_bytes = scratch_of_613;
    backend.close = close_nothing;
    backend.kind = NN_USER_0;
    ENSURE(nn_add_backend(nn, &backend, state, &device) == NN_OK);
    where.device = device;
    nn_model *net = nn_make_model(nn, &where);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_plan *plan = plan_of(net, linear(net, "fc", x, 4), NULL, 1024);
    ENSURE(plan);
    for (int batch = 600; batch < 630; batch++)
        ENSURE(nn_upload(plan, x, xs, sizeof(float) * 4 * (size_t)batch) == NN_OK &&
               nn_run(plan) == NN_OK);
    ENSURE(nn_plan_bytes(plan, device, NN_MEMORY_SCRATCH) >= 1 << 20 && !nn_error(nn));
    nn_close(nn);
}

/* ---- runs in slices -------------------------------------------------------------------------- */

/* While a step is pending, other runs read parameters as a whole or not at all, and nobody changes
   them. */
static void test_slices_of_parameters(void) {
    enum { LAYERS = 4, WIDTH = 64 };
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH)), *y = x;
    static float xs[WIDTH], first[WIDTH * WIDTH], seen[WIDTH * WIDTH], ys[WIDTH];
    char name[16];
    nn_trainer_desc desc;
    int slices = 0, refused = 0, read = 0;
    nn_result result;
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < LAYERS; i++)
        snprintf(name, sizeof name, "fc%d", i), y = linear(net, name, y, WIDTH);
    nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, nn_square(net, y)), &desc);
    nn_plan *plan = plan_of(net, y, NULL, 1);
    ENSURE(trainer && plan);
    for (int i = 0; i < WIDTH; i++) xs[i] = (float)(i % 5) - 2;
    ENSURE(nn_upload(nn_trainer_plan(trainer), x, xs, sizeof xs) == NN_OK &&
           nn_upload(plan, x, xs, sizeof xs) == NN_OK);
    nn_tensor *weight = nn_find_tensor(net, "fc0.weight");
    ENSURE(nn_download_tensor(weight, first, sizeof first) == NN_OK);
    while ((result = nn_train_step_for(trainer, NULL, 0)) == NN_PENDING) { /* one piece each */
        nn_result reading = nn_download_tensor(weight, seen, sizeof seen), running = nn_run(plan);
        slices++;
        ENSURE(reading == running);
        ENSURE(reading == NN_OK ? !nn_error(nn) && memcmp(first, seen, sizeof seen) == 0
                                : nn_error(nn) != NULL);
        read += reading == NN_OK;
        refused += reading == NN_ERROR_ARGUMENT;
        if (reading != NN_OK)
            ENSURE(strstr(nn_error(nn), "test_plan_values.c") &&
                   nn_save_weights(net, "half.safetensors") < 0);
        nn_clear_error(nn);
        ENSURE(nn_upload_tensor(weight, first, sizeof first) < 0 &&
               nn_fill_zero(weight) < 0); /* in every slice */
        nn_clear_error(nn);
    }
    ENSURE(result == NN_OK && slices > 10 && read > 0 && refused > 0 && read + refused == slices);
    ENSURE(nn_run(plan) == NN_OK && nn_download_tensor(weight, seen, sizeof seen) == NN_OK);
    ENSURE(memcmp(first, seen, sizeof seen) != 0);
    /* conversely, an update does not start while a plan runs in slices */
    ENSURE(nn_run_for(plan, 0) == NN_PENDING && nn_train_on_inputs(trainer) == NN_ERROR_ARGUMENT);
    while ((result = nn_train_step_for(trainer, NULL, 0)) == NN_PENDING) continue;
    ENSURE(result == NN_ERROR_ARGUMENT && strstr(nn_error(nn), "still reads"));
    nn_clear_error(nn);
    while ((result = nn_run_for(plan, 0)) == NN_PENDING) continue;
    ENSURE(result == NN_OK && nn_download(plan, y, ys, sizeof ys) == NN_OK);
    while ((result = nn_train_step_for(trainer, NULL, 0)) == NN_PENDING)
        continue; /* and then it continues */
    ENSURE(result == NN_OK && nn_trainer_step(trainer) == 2 && !nn_error(nn));
    ENSURE(nn_run_for(plan, 0) ==
           NN_PENDING); /* given up in the middle: it blocks nobody any more */
    nn_free_plan(plan);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK && !nn_error(nn));
    nn_close(nn);
}

static void test_moves_wait_for_slices(void) {
    nn_context *nn = open_one();
    nn_device device;
    sim_device *sim = sim_open(nn, NULL, &device);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 8)),
            *y = linear(net, "b", nn_tanh(net, linear(net, "a", x, 8)), 8);
    nn_plan *plan = plan_of(net, y, NULL, 4);
    float xs[32], ys[32], whole[32];
    memset(xs, 0, sizeof xs);
    ENSURE(nn_upload(plan, x, xs, sizeof xs) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, y, whole, sizeof whole) == NN_OK);
    ENSURE(nn_run_for(plan, 0) == NN_PENDING && nn_move_model(net, device) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    while (nn_run_for(plan, 0) == NN_PENDING) continue;
    ENSURE(nn_download(plan, y, ys, sizeof ys) == NN_OK && memcmp(ys, whole, sizeof ys) == 0);
    ENSURE(nn_move_model(net, device) == NN_OK);
    ENSURE(!nn_plan_view(plan, y).handle && !nn_error(nn)); /* stale but harmless */
    ENSURE(nn_replan(plan) == NN_OK && nn_upload(plan, x, xs, sizeof xs) == NN_OK &&
           nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, ys, sizeof ys) == NN_OK);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* The budget decides how many pieces of work a call does. */
static void test_budgets(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 8)), *y = x;
    char name[16];
    float xs[8];
    int calls[2] = {0, 0};
    memset(xs, 0, sizeof xs);
    for (int i = 0; i < 5; i++) snprintf(name, sizeof name, "fc%d", i), y = linear(net, name, y, 8);
    nn_plan *plan = plan_of(net, y, NULL, 1);
    ENSURE(nn_upload(plan, x, xs, sizeof xs) == NN_OK);
    for (int i = 0; i < 2; i++)
        while (calls[i]++, nn_run_for(plan, i ? 1000000000 : 0) == NN_PENDING) continue;
    ENSURE(calls[0] >= 5 && calls[1] <= 2);
    nn_close(nn);
}

/* ---- a plan that only counts ----------------------------------------------------------------- */

static uint64_t count_of(const nn_plan *plan, int category) {
    return nn_plan_bytes(plan, nn_cpu(), (nn_memory_category)category);
}

typedef struct dry_net {
    nn_model *model;
    nn_node *x, *y;
} dry_net;

static dry_net dry_net_of(nn_context *nn, int width) {
    dry_net made;
    made.model = nn_make_model(nn, NULL);
    made.x = nn_input(made.model, "x", NN_F32, NN_SHAPE(NN_BATCH, width));
    made.y = nn_relu(made.model, linear(made.model, "a", made.x, width));
    made.y = nn_softmax(made.model, linear(made.model, "b", made.y, 8));
    return made;
}

static nn_plan *dry_plan_of(const dry_net *net, int batch, bool dry_run) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = net->y;
    desc.batch = batch;
    desc.dry_run = dry_run;
    return nn_make_plan(net->model, &desc);
}

/* A dry plan has the same figures as a plan with memory, but takes no memory. It also counts nets
   whose parameters fit into no machine. Calls that need the memory say why they fail. */
static void test_dry_run(void) {
    nn_context *nn = open_one();
    dry_net net = dry_net_of(nn, 512), huge = dry_net_of(nn, 2000000);
    float x[512] = {0}, y[8];
    nn_prewarm_progress none;
    memset(&none, 0, sizeof none);
    const uint64_t before = nn_context_memory(nn).live_bytes;
    nn_plan *dry = dry_plan_of(&net, 64, true);
    ENSURE(dry && !nn_error(nn));
    ENSURE(nn_context_memory(nn).live_bytes - before < 64 * 1024); /* the books */
    ENSURE(count_of(dry, NN_MEMORY_PARAMETERS) > (uint64_t)4 * 512 * 512);
    nn_plan *too_large = dry_plan_of(&huge, 1, true);
    ENSURE(too_large && !nn_error(nn));
    ENSURE(count_of(too_large, NN_MEMORY_PARAMETERS) > (uint64_t)4 * 2000000 * 2000000);
    nn_plan *real = dry_plan_of(&net, 64, false);
    ENSURE(real && !nn_error(nn));
    for (int i = 0; i < NN_MEMORY_CATEGORY_COUNT; i++) ENSURE(count_of(dry, i) == count_of(real, i));
    ENSURE(nn_plan_allocated(dry, nn_cpu()) == nn_plan_allocated(real, nn_cpu()));
    ENSURE(nn_plan_lower_bound(dry, nn_cpu()) == nn_plan_lower_bound(real, nn_cpu()));
    for (int again = 0; again < 2; again++) { /* the second time after nn_replan */
        ENSURE(nn_run(dry) == NN_ERROR_ARGUMENT);
        ENSURE(nn_error(nn) && strstr(nn_error(nn), "nn_run") == nn_error(nn) &&
               strstr(nn_error(nn), "is a dry run"));
        nn_clear_error(nn);
        ENSURE(nn_run_for(dry, 100) == NN_ERROR_ARGUMENT);
        ENSURE(nn_upload(dry, net.x, x, sizeof x) == NN_ERROR_ARGUMENT);
        ENSURE(nn_bind(dry, net.x, NULL) == NN_ERROR_ARGUMENT);
        ENSURE(nn_download(dry, net.y, y, sizeof y) == NN_ERROR_ARGUMENT);
        ENSURE(nn_prewarm(dry, &none) == NN_ERROR_ARGUMENT);
        ENSURE(!nn_plan_view(dry, net.y).handle && nn_plan_view(dry, net.y).dtype == 0);
        nn_clear_error(nn);
        ENSURE(nn_replan(dry) == NN_OK);
    }
    nn_free_plan(dry);
    ENSURE(nn_upload(real, net.x, x, sizeof x) == NN_OK && nn_run(real) == NN_OK);
    ENSURE(nn_download(real, net.y, y, sizeof y) == NN_OK);
    nn_close(nn);
}

/* Repeats the test with a trainer, which has gradients, moments and f32 masters of its own: calls
   that need their memory say why they fail. */
static void test_dry_trainer(void) {
    nn_context *nn = open_one();
    dry_net net = dry_net_of(nn, 512), huge = dry_net_of(nn, 2000000);
    nn_trainer_desc desc;
    nn_report report;
    float number = 0;
    memset(&desc, 0, sizeof desc);
    desc.batch = 64;
    desc.optimizer = NN_ADAM;
    desc.gradients = true;
    desc.average.kind = NN_AVERAGE_EMA;
    desc.dry_run = true;
    nn_node *loss = nn_mean(net.model, net.y), *lost = nn_mean(huge.model, huge.y);
    const uint64_t before = nn_context_memory(nn).live_bytes;
    nn_trainer *dry = nn_make_trainer(net.model, loss, &desc);
    ENSURE(dry && !nn_error(nn));
    ENSURE(nn_context_memory(nn).live_bytes - before < 256 * 1024); /* the books */
    nn_trainer *too_large = nn_make_trainer(huge.model, lost, &desc);
    ENSURE(too_large && !nn_error(nn));
    ENSURE(count_of(nn_trainer_plan(too_large), NN_MEMORY_PARAMETERS) >
           (uint64_t)4 * 2000000 * 2000000);
    uint64_t counts[NN_MEMORY_CATEGORY_COUNT];
    for (int i = 0; i < NN_MEMORY_CATEGORY_COUNT; i++)
        counts[i] = count_of(nn_trainer_plan(dry), i);
    const uint64_t allocated = nn_plan_allocated(nn_trainer_plan(dry), nn_cpu());
#define DRY(call)                                                                                  \
    do {                                                                                           \
        ENSURE((call) == NN_ERROR_ARGUMENT);                                                       \
        ENSURE(nn_error(nn) && strstr(nn_error(nn), "is a dry run and has no memory"));            \
        nn_clear_error(nn);                                                                        \
    } while (0)
    DRY(nn_train_on_inputs(dry));
    DRY(nn_backward(dry));
    DRY(nn_update(dry));
    DRY(nn_read_loss(dry, &number));
    DRY(nn_read_report(dry, &report));
    DRY(nn_read_gradient(dry, "a.weight", &number, sizeof number));
    DRY(nn_clip_gradients(dry, 1.0f, NULL));
    DRY(nn_swap_average(dry));
    DRY(nn_move_trainer(dry, nn_cpu()));
    DRY(nn_save_checkpoint(dry, "dry.checkpoint", NULL));
    DRY(nn_load_checkpoint(dry, "dry.checkpoint", NULL));
    DRY(nn_run(nn_trainer_plan(dry)));
#undef DRY
    nn_set_learning_rate(dry, 0.5f);
    ENSURE(nn_learning_rate(dry) == 0.5f && nn_trainer_step(dry) == 0 && !nn_error(nn));
    nn_free_trainer(dry);
    desc.dry_run = false;
    nn_trainer *real = nn_make_trainer(net.model, loss, &desc);
    ENSURE(real && !nn_error(nn));
    for (int i = 0; i < NN_MEMORY_CATEGORY_COUNT; i++)
        ENSURE(counts[i] == count_of(nn_trainer_plan(real), i));
    ENSURE(nn_plan_allocated(nn_trainer_plan(real), nn_cpu()) == allocated);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_dry_run);
    RUN(test_dry_trainer);
    RUN(test_epilogue_clamps);
    RUN(test_joined_beside_an_alias);
    RUN(test_joined_stores_one_value);
    RUN(test_broadcast_over_dying_operand);
    RUN(test_broadcast_gradients);
    RUN(test_only_kept_values_come_back);
    RUN(test_inputs_given_since);
    RUN(test_refused_upload);
    RUN(test_batch_anywhere);
    RUN(test_views_of_parameters);
    RUN(test_status_is_of_one_run);
    RUN(test_fault_on_a_queue);
    RUN(test_own_codes);
    RUN(test_gradients_apart);
    RUN(test_prewarm_of_updates);
    RUN(test_plan_of_many_steps);
    RUN(test_scratch_of_every_batch);
    RUN(test_slices_of_parameters);
    RUN(test_moves_wait_for_slices);
    RUN(test_budgets);
    return test_report();
}
