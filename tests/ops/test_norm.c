/* test_norm.c: norms except for their values: running statistics, batches of one, faults,
   checkpoints, files, storage in f16 and bf16, threads, errors. The tests run on the CPU and on a
   simulated device whose queue runs late. tests/golden/catalogue/norm.py compares the values with
   PyTorch's. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "sim_device.h"
#include "test.h"
#include "lists.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

static nn_context *nn;
static nn_device simulated;

/* x (batch, 2), batch norm, two classes. */
typedef struct net {
    nn_model *model;
    nn_node *x, *label, *y, *logits;
    nn_trainer *trainer;
} net;

static void make_net(net *n, nn_device device, const nn_batch_norm_desc *norm, nn_dtype dtype) {
    nn_model_desc model;
    nn_linear_desc linear;
    nn_trainer_desc desc;
    ZERO(*n), ZERO(model), ZERO(linear), ZERO(desc);
    model.device = device;
    model.dtype = dtype;
    nn_clear_error(nn);
    n->model = nn_make_model(nn, &model);
    n->x = nn_input(n->model, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    n->label = nn_input(n->model, "label", NN_I32, NN_SHAPE(NN_BATCH));
    n->y = nn_keep(nn_batch_norm1d(n->model, "bn", n->x, norm));
    linear.out_features = 2;
    n->logits = nn_linear(n->model, "fc", n->y, &linear);
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.125f;
    desc.batch = 4;
    n->trainer = nn_make_trainer(
        n->model,
        nn_cross_entropy(n->model, n->logits, n->label, (const nn_cross_entropy_desc *)NULL),
        &desc);
}

static void free_net(net *n) {
    nn_free_trainer(n->trainer);
    nn_free_model(n->model);
}

static nn_result step(net *n, int batch, float first, int32_t last_label) {
    float x[4][2] = {{1, 4}, {3, 8}, {1, 6}, {3, 6}};
    int32_t label[4] = {0, 1, 1, 0};
    nn_plan *plan = nn_trainer_plan(n->trainer);
    x[0][0] = first;
    label[batch - 1] = last_label;
    nn_result result = nn_upload(plan, n->x, x, sizeof x[0] * (size_t)batch);
    if (result == NN_OK) result = nn_upload(plan, n->label, label, 4 * (size_t)batch);
    return result == NN_OK ? nn_train_on_inputs(n->trainer) : result;
}

typedef struct state {
    float mean[2], variance[2];
    int64_t count;
} state;

static state read_state(net *n) {
    state s;
    ZERO(s);
    nn_download_tensor(nn_find_tensor(n->model, "bn.running_mean"), s.mean, sizeof s.mean);
    nn_download_tensor(nn_find_tensor(n->model, "bn.running_var"), s.variance, sizeof s.variance);
    nn_download_tensor(nn_find_tensor(n->model, "bn.num_batches_tracked"), &s.count,
                       sizeof s.count);
    return s;
}

/* pytorch#3122, #19902, #60528, #77427: the variance used to normalise is divided by the count, and
   the variance for running_var by the count - 1; momentum is the weight of the new statistics. */
static void unbiased_goes_to_running_var(nn_device device) {
    net n;
    float y[4][2], loss;
    make_net(&n, device, NULL, NN_F32);
    ENSURE(step(&n, 4, 1, 0) == NN_OK && nn_read_loss(n.trainer, &loss) == NN_OK);
    nn_download(nn_trainer_plan(n.trainer), n.y, y, sizeof y);
    ENSURE_CLOSE(y[0][0], -1 / sqrt(1 + 1e-5), 1e-6); /* of 1 3 1 3: mean 2, variance 1 */
    ENSURE_CLOSE(y[1][1], 2 / sqrt(2 + 1e-5), 1e-6);  /* of 4 8 6 6: mean 6, variance 2 */
    state s = read_state(&n);
    ENSURE_CLOSE(s.mean[0], 0.1 * 2, 1e-6);
    ENSURE_CLOSE(s.mean[1], 0.1 * 6, 1e-6);
    ENSURE_CLOSE(s.variance[0], 0.9 + 0.1 * 4 / 3, 1e-6);
    ENSURE_CLOSE(s.variance[1], 0.9 + 0.1 * 8 / 3, 1e-6);
    ENSURE(s.count == 1);
    free_net(&n);
}

/* A plan uses the running statistics as the last step has left them, and changes nothing. */
static void plans_use_running_stats(nn_device device) {
    const float x[2] = {3, 6};
    float y[2];
    net n;
    make_net(&n, device, NULL, NN_F32);
    ENSURE(step(&n, 4, 1, 0) == NN_OK && nn_finish(nn) == NN_OK);
    nn_plan_desc desc;
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = n.y;
    nn_plan *plan = nn_make_plan(n.model, &desc);
    for (int round = 0; round < 3; round++) {
        state before = read_state(&n), after;
        float weight[2], bias[2];
        nn_download_tensor(nn_find_tensor(n.model, "bn.weight"), weight, sizeof weight);
        nn_download_tensor(nn_find_tensor(n.model, "bn.bias"), bias, sizeof bias);
        /* batch of one */
        ENSURE(nn_upload(plan, n.x, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, n.y, y, sizeof y) == NN_OK);
        for (int i = 0; i < 2; i++)
            ENSURE_CLOSE(y[i],
                         (double)(x[i] - before.mean[i]) / sqrt((double)before.variance[i] + 1e-5) *
                                 (double)weight[i] +
                             (double)bias[i],
                         1e-5);
        after = read_state(&n);
        ENSURE(memcmp(&before, &after, sizeof before) == 0 && after.count == round + 1);
        ENSURE(step(&n, 4, 5, 0) == NN_OK && nn_finish(nn) == NN_OK); /* another mean */
    }
    nn_free_plan(plan);
    free_net(&n);
}

/* A last batch of one sample, or a trainer for batches of one sample, has no variance. This is an
   error before anything runs, and nothing changes. .frozen uses the running statistics. */
static void one_value_is_refused(nn_device device) {
    nn_batch_norm_desc norm;
    state before, after;
    float fc[4], fc_after[4];
    net n;
    make_net(&n, device, NULL, NN_F32);
    ENSURE(step(&n, 4, 1, 0) == NN_OK && nn_finish(nn) == NN_OK);
    before = read_state(&n);
    nn_download_tensor(nn_find_tensor(n.model, "fc.weight"), fc, sizeof fc);
    ENSURE(step(&n, 1, 1, 0) == NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), "one number for each channel at a batch of 1") != NULL);
    after = read_state(&n);
    nn_download_tensor(nn_find_tensor(n.model, "fc.weight"), fc_after, sizeof fc);
    ENSURE(memcmp(&before, &after, sizeof before) == 0 && memcmp(fc, fc_after, sizeof fc) == 0);
    nn_clear_error(nn);
    ENSURE(step(&n, 2, 1, 0) == NN_OK);
    free_net(&n);

    nn_model *model = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *x = nn_input(model, "x", NN_F32, NN_SHAPE(1, 2));
    nn_trainer_desc desc;
    ZERO(desc);
    desc.batch = 1;
    nn_node *loss = nn_mean(model, nn_batch_norm1d(model, "bn", x, NULL), NN_ALL_AXES, false);
    ENSURE(nn_make_trainer(model, loss, &desc) == NULL);
    ENSURE(strstr(nn_error(nn), "one number for each channel") != NULL);
    nn_free_model(model);

    ZERO(norm);
    norm.frozen = true;
    make_net(&n, device, &norm, NN_F32);
    ENSURE(step(&n, 1, 1, 0) == NN_OK && nn_finish(nn) == NN_OK);
    after = read_state(&n);
    ENSURE(after.count == 0 && after.mean[0] == 0.0f && after.variance[1] == 1.0f);
    free_net(&n);
}

/* After a label out of range, parameters and statistics have not changed. */
static void a_fault_leaves_the_statistics(nn_device device) {
    state before, after;
    float loss;
    net n;
    make_net(&n, device, NULL, NN_F32);
    ENSURE(step(&n, 4, 1, 0) == NN_OK && nn_read_loss(n.trainer, &loss) == NN_OK);
    before = read_state(&n);
    nn_result result = step(&n, 4, 100, 9);
    if (result == NN_OK) result = nn_read_loss(n.trainer, &loss);
    ENSURE(result == NN_ERROR_LABEL);
    after = read_state(&n);
    ENSURE(memcmp(&before, &after, sizeof before) == 0);
    nn_clear_error(nn);
    free_net(&n);
}

static void on_the_cpu(void) {
    unbiased_goes_to_running_var(nn_cpu());
    plans_use_running_stats(nn_cpu());
    one_value_is_refused(nn_cpu());
    a_fault_leaves_the_statistics(nn_cpu());
}
static void on_a_late_device(void) {
    unbiased_goes_to_running_var(simulated);
    plans_use_running_stats(simulated);
    one_value_is_refused(simulated);
    a_fault_leaves_the_statistics(simulated);
}

static void cumulative_is_the_mean_of_all(void) {
    nn_batch_norm_desc norm;
    net n;
    ZERO(norm);
    norm.cumulative = true;
    make_net(&n, nn_cpu(), &norm, NN_F32);
    ENSURE(step(&n, 4, 1, 0) == NN_OK && step(&n, 4, 3, 0) == NN_OK && step(&n, 4, 9, 0) == NN_OK);
    const state s = read_state(&n);
    ENSURE_CLOSE(s.mean[0], (2 + 2.5 + 4) / 3, 1e-6);
    ENSURE_CLOSE(s.mean[1], 6, 1e-6);
    ENSURE_CLOSE(s.variance[1], 8.0 / 3, 1e-6); /* nothing is left of the 1 that it began with */
    ENSURE(s.count == 3);
    free_net(&n);
}

static void read_all(net *n, float *to) {
    static const char *const names[] = {"bn.weight",      "bn.bias",   "bn.running_mean",
                                        "bn.running_var", "fc.weight", "fc.bias"};
    for (int i = 0; i < 6; i++, to += 4)
        nn_download_tensor(nn_find_tensor(n->model, names[i]), to,
                           (size_t)nn_tensor_bytes(nn_find_tensor(n->model, names[i])));
}

/* Four steps give the same bytes as two steps, a checkpoint, and two more steps of another
   trainer. */
static void a_checkpoint_goes_on(void) {
    const char *path = "build/test_norm.checkpoint";
    float whole[24], parts[24];
    net n, other;
    ZERO(whole), ZERO(parts);
    make_net(&n, nn_cpu(), NULL, NN_F32);
    ENSURE(step(&n, 4, 1, 0) == NN_OK && step(&n, 4, 2, 0) == NN_OK);
    ENSURE(nn_save_checkpoint(n.trainer, path, (const nn_checkpoint_desc *)NULL) == NN_OK);
    ENSURE(step(&n, 4, 7, 1) == NN_OK && step(&n, 4, 5, 0) == NN_OK);
    read_all(&n, whole);
    make_net(&other, nn_cpu(), NULL, NN_F32);
    ENSURE(step(&other, 4, -3, 1) == NN_OK);
    ENSURE(nn_load_checkpoint(other.trainer, path, (const nn_checkpoint_desc *)NULL) == NN_OK);
    ENSURE(read_state(&other).count == 2);
    ENSURE(step(&other, 4, 7, 1) == NN_OK && step(&other, 4, 5, 0) == NN_OK);
    read_all(&other, parts);
    ENSURE(memcmp(whole, parts, sizeof whole) == 0 && read_state(&other).count == 4);
    remove(path);
    free_net(&other);
    free_net(&n);
}

/* A file has the names and dtypes of PyTorch's state_dict. */
static void a_file_is_pytorchs(void) {
    const char *path = "build/test_norm.safetensors";
    static const char *const names[] = {"bn.weight", "bn.bias", "bn.running_mean", "bn.running_var",
                                        "bn.num_batches_tracked"};
    net n;
    make_net(&n, nn_cpu(), NULL, NN_F32);
    ENSURE(step(&n, 4, 1, 0) == NN_OK);
    ENSURE(nn_save_weights(n.model, path) == NN_OK);
    nn_safetensors *file = nn_open_safetensors(nn, path);
    for (int i = 0; i < 5; i++) {
        nn_safetensors_entry entry;
        const int at = nn_safetensors_find(file, names[i]);
        ENSURE(at >= 0);
        entry = nn_safetensors_at(file, at);
        ENSURE(entry.dtype == (i == 4 ? NN_I64 : NN_F32));
        ENSURE(entry.shape.rank == (i == 4 ? 0 : 1));
    }
    nn_close_safetensors(file);
    ENSURE(step(&n, 4, 1, 0) == NN_OK && read_state(&n).count == 2);
    ENSURE(nn_load_weights(n.model, path, NULL) == NN_OK && read_state(&n).count == 1);
    remove(path);
    free_net(&n);
}

/* Each use of a shared layer moves its statistics, one after the other. */
static void a_shared_layer_counts_each_use(void) {
    nn_batch_norm_desc norm;
    nn_trainer_desc desc;
    const float x[4] = {1, 3, 1, 3};
    ZERO(norm), ZERO(desc);
    nn_clear_error(nn);
    nn_model *model = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *in = nn_input(model, "x", NN_F32, NN_SHAPE(4, 1));
    norm.shared = true;
    nn_node *one = nn_batch_norm1d(model, "bn", in, &norm),
            *two = nn_batch_norm1d(model, "bn", nn_scale(model, in, 2.0f), &norm);
    nn_node *loss = nn_mean(model, nn_square(model, nn_add(model, one, two)), NN_ALL_AXES, false);
    nn_trainer *trainer = nn_make_trainer(model, loss, &desc);
    ENSURE(nn_parameter_count(model) == 2);
    ENSURE(nn_upload(nn_trainer_plan(trainer), in, x, sizeof x) == NN_OK);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    float mean;
    int64_t count;
    nn_download_tensor(nn_find_tensor(model, "bn.running_mean"), &mean, sizeof mean);
    nn_download_tensor(nn_find_tensor(model, "bn.num_batches_tracked"), &count, sizeof count);
    ENSURE_CLOSE(mean, 0.9 * (0.1 * 2) + 0.1 * 4, 1e-6);
    ENSURE(count == 2);
    nn_free_trainer(trainer);
    nn_free_model(model);
}

/* Parameters in halves; the statistics stay f32. */
static void parameters_in_halves(void) {
    static const nn_dtype dtypes[] = {NN_F16, NN_BF16};
    for (int i = 0; i < 2; i++) {
        net n;
        make_net(&n, nn_cpu(), NULL, dtypes[i]);
        nn_tensor *weight = nn_find_tensor(n.model, "bn.weight");
        ENSURE(nn_tensor_dtype(weight) == dtypes[i]);
        uint16_t bits[2] = {0, 0};
        nn_download_tensor(weight, bits, sizeof bits);
        ENSURE(bits[0] == (i ? 0x3f80 : 0x3c00)); /* 1 */
        ENSURE(step(&n, 4, 1, 0) == NN_OK);
        nn_download_tensor(weight, bits, sizeof bits);
        ENSURE(bits[0] != (i ? 0x3f80 : 0x3c00));
        ENSURE_CLOSE(read_state(&n).mean[0], 0.2, 1e-6);
        free_net(&n);
    }
}

/* The statistics have no gradient: a loss that needs one is a fault, not a wrong gradient. */
static void statistics_have_no_gradient(void) {
    nn_trainer_desc desc;
    ZERO(desc);
    nn_clear_error(nn);
    nn_model *model = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *x = nn_parameter(model, "x", NN_SHAPE(4, 3), -1.0f, 1.0f);
    nn_node *y = nn_layer_norm(model, "ln", x, NULL);
    nn_node *loss = nn_mean(model, nn_output(y, 1), NN_ALL_AXES, false);
    ENSURE(nn_make_trainer(model, loss, &desc) == NULL);
    ENSURE(strstr(nn_error(nn), "\"ln.mean\", which has no gradient") != NULL);
    nn_free_model(model);
}

static int kernels_of(nn_plan *plan, const char *what) {
    static char text[20000];
    nn_text to = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &to};
    int count = 0;
    ZERO(text);
    nn_write_plan(plan, writer);
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++) count++;
    return count;
}

/* A plan joins a norm and the activation after it, and computes both. */
static void an_activation_is_part_of_it(void) {
    const float x[2][2] = {{1, 4}, {3, 8}};
    float y[2][2];
    nn_plan_desc desc;
    ZERO(desc);
    nn_clear_error(nn);
    nn_model *model = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *in = nn_input(model, "x", NN_F32, NN_SHAPE(2, 2));
    nn_node *out = nn_relu(model, nn_layer_norm(model, "ln", in, NULL));
    NODE_AT(desc.outputs, 0) = out;
    nn_plan *plan = nn_make_plan(model, &desc);
    ENSURE(kernels_of(plan, " layer_norm+relu ") == 1);
    ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, out, y, sizeof y) == NN_OK);
    for (int i = 0; i < 2; i++) { /* deviations 1.5 and 2.5 */
        ENSURE(y[i][0] == 0.0f);
        ENSURE_CLOSE(y[i][1], (i ? 2.5 : 1.5) / sqrt((i ? 6.25 : 2.25) + 1e-5), 1e-6);
    }
    nn_free_plan(plan);
    nn_free_model(model);
}

/* ---- fold ------------------------------------------------------------------------------------ */

/* Fills parameters and statistics with numbers that differ from channel to channel. */
static void fill(nn_model *model, float offset) {
    for (int i = 0; i < nn_model_tensor_count(model); i++) {
        nn_tensor *tensor = nn_model_tensor_at(model, i);
        float numbers[256];
        if (!tensor || nn_tensor_dtype(tensor) != NN_F32) continue;
        const size_t count = (size_t)nn_tensor_bytes(tensor) / sizeof *numbers;
        for (size_t k = 0; k < count; k++)
            numbers[k] = 0.25f + offset + (float)((k * 37 + (size_t)i * 11) % 17) / 16;
        nn_upload_tensor(tensor, numbers, (size_t)nn_tensor_bytes(tensor));
    }
}

typedef nn_node *(*build_chain)(nn_model *model, nn_node *x, bool keep);
static nn_node *conv_chain(nn_model *model, nn_node *x, bool keep) {
    nn_conv2d_desc conv;
    ZERO(conv);
    conv.out_channels = 3;
    conv.kernel = 3;
    conv.no_bias = true;
    nn_node *y = nn_conv2d(model, "conv", x, &conv);
    if (keep) nn_keep(y); /* then it cannot be part of the norm */
    return nn_relu(model, nn_batch_norm2d(model, "bn", y, NULL));
}
static nn_node *linear_chain(nn_model *model, nn_node *x, bool keep) {
    nn_linear_desc linear;
    nn_batch_norm_desc norm;
    ZERO(linear), ZERO(norm);
    linear.out_features = 4;
    norm.no_affine = true;
    nn_node *y = nn_linear(model, "fc", nn_flatten(model, x), &linear);
    if (keep) nn_keep(y);
    return nn_tanh(model, nn_batch_norm1d(model, "bn", y, &norm));
}

static nn_dtype stored; /* dtype of the parameters of the next models */

static nn_plan *plan_of(build_chain build, bool keep, nn_device device, nn_model **model,
                        nn_node **x, nn_node **y) {
    nn_model_desc desc;
    nn_plan_desc plan;
    ZERO(desc), ZERO(plan);
    desc.device = device;
    desc.dtype = stored;
    *model = nn_make_model(nn, &desc);
    *x = nn_input(*model, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 4, 4));
    *y = build(*model, *x, keep);
    NODE_AT(plan.outputs, 0) = *y;
    plan.batch = 32;
    return nn_make_plan(*model, &plan);
}

/* With and without folding, the values agree within rounding, even for weights that are loaded
   after the plan was made. */
static void folding_keeps_the_values(build_chain build, nn_device device, int count) {
    static float in[32 * 32], one[32 * 32], two[32 * 32];
    nn_model *model[2];
    nn_node *x[2], *y[2];
    nn_plan *plan[2];
    nn_clear_error(nn);
    for (int i = 0; i < 2; i++) plan[i] = plan_of(build, i == 1, device, &model[i], &x[i], &y[i]);
    ENSURE(plan[0] && plan[1]);
    ENSURE(kernels_of(plan[0], "fold") > 0 && kernels_of(plan[1], "fold") == 0);
    ENSURE(kernels_of(plan[0], " + batch_norm") > 0);
    for (int i = 0; i < 32 * 32; i++) in[i] = (float)(i % 23) / 8 - 1;
    for (int way = 0; way < 2; way++) { /* then with other weights and a smaller batch */
        const size_t batch = way ? 32 : 5;
        for (int i = 0; i < 2; i++) {
            fill(model[i], way ? 0.5f : 0.0f);
            ENSURE(nn_upload(plan[i], x[i], in, batch * 32 * sizeof *in) == NN_OK);
            ENSURE(nn_run(plan[i]) == NN_OK);
            ENSURE(nn_download(plan[i], y[i], i ? two : one,
                               batch * (size_t)count * sizeof *in) == NN_OK);
        }
        double largest = 0;
        for (size_t i = 0; i < batch * (size_t)count; i++) {
            ENSURE_CLOSE(one[i], two[i], 4e-6 * (1 + fabs((double)two[i])));
            largest = fmax(largest, fabs((double)two[i]));
        }
        ENSURE(largest > 0.1);
    }
    ENSURE(nn_error(nn) == NULL);
    for (int i = 0; i < 2; i++) {
        nn_free_plan(plan[i]);
        nn_free_model(model[i]);
    }
}

/* The statistics beside the result exist if the program asks for them. */
static void statistics_are_not_folded_away(nn_device device) {
    static float in[32], y[12], mean[3], rstd[3];
    nn_model_desc desc;
    nn_plan_desc outputs;
    nn_conv2d_desc conv;
    ZERO(desc), ZERO(outputs), ZERO(conv);
    desc.device = device;
    nn_model *model = nn_make_model(nn, &desc);
    nn_node *x = nn_input(model, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 4, 4));
    conv.out_channels = conv.kernel = 3;
    nn_node *norm = nn_batch_norm2d(model, "bn", nn_conv2d(model, "conv", x, &conv), NULL);
    NODE_AT(outputs.outputs, 0) = nn_relu(model, norm);
    NODE_AT(outputs.outputs, 1) = nn_output(norm, 1);
    NODE_AT(outputs.outputs, 2) = nn_output(norm, 2);
    nn_plan *plan = nn_make_plan(model, &outputs);
    fill(model, 0.0f);
    ENSURE(nn_upload(plan, x, in, sizeof in) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, outputs.outputs.node[0], y, sizeof y) == NN_OK);
    ENSURE(nn_download(plan, outputs.outputs.node[1], mean, sizeof mean) == NN_OK);
    ENSURE(nn_download(plan, outputs.outputs.node[2], rstd, sizeof rstd) == NN_OK);
    float want[2][3];
    nn_download_tensor(nn_find_tensor(model, "bn.running_mean"), want[0], sizeof want[0]);
    nn_download_tensor(nn_find_tensor(model, "bn.running_var"), want[1], sizeof want[1]);
    for (int i = 0; i < 3; i++) {
        ENSURE(mean[i] == want[0][i]);
        ENSURE_CLOSE(rstd[i], 1 / sqrt((double)want[1][i] + 1e-5), 1e-6);
    }
    nn_free_plan(plan);
    nn_free_model(model);
}

/* Besides four tensors of the norm, the bias of the fold has one number for each channel. */
static void a_fold_has_one_bias_for_each_channel(void) {
    nn_model *model;
    nn_node *x, *y;
    nn_plan *plan = plan_of(conv_chain, false, nn_cpu(), &model, &x, &y);
    ENSURE(plan && kernels_of(plan, " (3) ") == 5);
    nn_free_plan(plan);
    nn_free_model(model);
}

static void folds(void) {
    a_fold_has_one_bias_for_each_channel();
    statistics_are_not_folded_away(nn_cpu());
    statistics_are_not_folded_away(simulated);
    folding_keeps_the_values(conv_chain, nn_cpu(), 12);
    folding_keeps_the_values(linear_chain, nn_cpu(), 4);
    folding_keeps_the_values(conv_chain, simulated, 12);
    /* The casts of the norm's own weights stand between the product and the norm. */
    stored = NN_BF16;
    folding_keeps_the_values(conv_chain, nn_cpu(), 12);
    folding_keeps_the_values(conv_chain, simulated, 12);
    stored = NN_F32;
}

/* ---- immediate ------------------------------------------------------------------------------- */

static nn_tensor *numbers(nn_context *context, int a, int b, int c) {
    int32_t extents[3];
    nn_tensor_desc desc;
    ZERO(desc);
    extents[0] = a, extents[1] = b, extents[2] = c;
    desc.name = "numbers";
    desc.shape = nn_make_shape(extents, c ? 3 : b ? 2 : 1);
    nn_tensor *tensor = nn_make_tensor(context, &desc);
    float *to = (float *)nn_tensor_data(tensor);
    for (size_t i = 0; i < nn_tensor_bytes(tensor) / sizeof *to; i++)
        to[i] = (float)((i * 7919 + 13) % 1009) / 500 - 1;
    return tensor;
}

static void append(nn_tensor *const *t, int tensors, float *to, size_t *used) {
    for (int i = 0; i < tensors; i++) {
        memcpy(to + *used, nn_tensor_data(t[i]), (size_t)nn_tensor_bytes(t[i]));
        *used += (size_t)nn_tensor_bytes(t[i]) / sizeof *to;
    }
}

/* Runs one layer for each path through the kernels, forward and backward, and softmax, into `to`.
   past: stores bypass the caches. */
static void run_once(int threads, bool past, int outer, int channels, int inner, float *to,
                     size_t *count) {
    nn_desc desc;
    nn_group_norm_desc group;
    nn_tensor *t[10];
    size_t used = 0;
    ZERO(desc), ZERO(group);
    desc.threads = threads;
    desc.scratch_bytes = 16 << 20;
    nn_context *own = nn_open(&desc);
    ((nn__cpu *)own->cpu)->stream_bytes = past ? 0 : INT64_MAX;
    nn_tensor *x = numbers(own, outer, channels, inner), *dy = numbers(own, outer, channels, inner),
              *weight = numbers(own, channels, 0, 0);
    for (int i = 0; i < 2; i++) t[i] = numbers(own, outer, channels, inner);
    for (int i = 2; i < 7; i++) t[i] = numbers(own, channels, 0, 0);
    ENSURE(nn_batch_norm_forward(t[0], t[2], t[3], t[4], x, weight, NULL, NULL, NULL, 0.0f) ==
           NN_OK);
    ENSURE(nn_batch_norm_backward(t[1], t[5], t[6], dy, x, weight, t[2], t[3], false, false) ==
           NN_OK);
    append(t, 7, to, &used);
    group.num_groups = 2;
    for (int i = 7; i < 9; i++) t[i] = numbers(own, outer, 2, 0);
    ENSURE(nn_group_norm_forward(t[0], t[7], t[8], x, weight, NULL, &group) == NN_OK);
    ENSURE(nn_group_norm_backward(t[1], t[5], t[6], dy, x, weight, t[7], t[8], &group, false) ==
           NN_OK);
    append(t, 7, to, &used);
    for (int i = 2; i < 4; i++) t[i] = numbers(own, outer, channels, 1);
    for (int i = 4; i < 8; i++) t[i] = numbers(own, inner, 0, 0);
    ENSURE(nn_layer_norm_forward(t[0], t[2], t[3], x, t[6], t[7], NULL) == NN_OK);
    ENSURE(nn_layer_norm_backward(t[1], t[4], t[5], dy, x, t[6], t[2], t[3], NULL, false) == NN_OK);
    append(t, 6, to, &used);
    ENSURE(nn_softmax_backward(t[0], dy, x, false) == NN_OK);
    ENSURE(nn_softmax_backward(t[1], dy, x, true) == NN_OK);
    append(t, 2, to, &used);
    ENSURE(nn_softmax_forward(t[0], x, false) == NN_OK);
    ENSURE(nn_softmax_forward(t[1], x, true) == NN_OK);
    append(t, 2, to, &used);
    ENSURE(nn_error(own) == NULL);
    nn_close(own);
    *count = used;
}

static void threads_give_the_same_bytes(void) {
    static const int shapes[][3] = {{300, 64, 1}, {33, 18, 50}, {9, 40, 900}, {6, 2, 4000}};
    static float one[3600000], three[3600000];
    for (int i = 0; i < 4; i++) {
        const int *s = shapes[i];
        size_t used = 0, again = 1;
        run_once(1, false, s[0], s[1], s[2], one, &used);
        run_once(3, true, s[0], s[1], s[2], three, &again);
        ENSURE(used == again && used <= 3600000);
        ENSURE(memcmp(one, three, used * sizeof *one) == 0);
    }
}

static void immediate_errors(void) {
    nn_tensor *x = numbers(nn, 3, 4, 0), *y = numbers(nn, 3, 4, 0), *four = numbers(nn, 4, 0, 0),
              *three = numbers(nn, 3, 0, 0), *bad = numbers(nn, 5, 0, 0);
    nn_layer_norm_desc layer;
    nn_clear_error(nn);
    ZERO(layer);
    ENSURE(nn_layer_norm_forward(NULL, NULL, NULL, x, four, four, NULL) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_layer_norm_forward(y, NULL, NULL, x, three, NULL, NULL) == NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), "weight has the shape (3); wanted (4)") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_layer_norm_forward(y, bad, NULL, x, NULL, NULL, NULL) == NN_ERROR_SHAPE);
    nn_clear_error(nn);
    layer.normalized_shape = NN_SHAPE(3);
    ENSURE(nn_layer_norm_forward(y, NULL, NULL, x, NULL, NULL, &layer) == NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), "normalized_shape is (3)") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_group_norm_forward(y, NULL, NULL, x, NULL, NULL, NULL) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_batch_norm_forward(y, NULL, NULL, NULL, x, NULL, NULL, four, NULL, 0.0f) ==
           NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "give both or none") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_batch_norm_forward(y, NULL, NULL, NULL, x, NULL, NULL, bad, four, 0.0f) ==
           NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), "running_mean has the shape (5); wanted (4)") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_batch_norm_forward(y, NULL, NULL, NULL, x, NULL, NULL, four, bad, 0.0f) ==
           NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), "running_var has the shape (5); wanted (4)") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_batch_norm_forward(y, NULL, NULL, NULL, x, NULL, NULL, NULL, NULL, -1.5f) ==
           NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_batch_norm_backward(y, bad, NULL, x, x, NULL, four, four, false, false) ==
           NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), "dweight has the shape (5); wanted (4)") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_batch_norm_forward(y, NULL, NULL, NULL, x, four, NULL, NULL, NULL, 0.0f) == NN_OK);
}

/* Describes norms with mistakes; the errors name them. */
static void description_errors(void) {
    nn_group_norm_desc group;
    nn_batch_norm_desc batch;
    ZERO(group), ZERO(batch);
    nn_clear_error(nn);
    nn_model *model = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *x = nn_input(model, "x", NN_F32, NN_SHAPE(NN_BATCH, 6, 2, 2));
    group.num_groups = 4;
    batch.frozen = batch.no_running_stats = true;
    nn_node *outputs[6];
    outputs[5] = nn_batch_norm2d(model, "e", nn_reshape(model, x, NN_SHAPE(NN_BATCH, 6, 2, 2, 1)), NULL);
    outputs[0] = nn_group_norm(model, "a", x, &group);
    outputs[1] = nn_batch_norm1d(model, "b", x, NULL);
    outputs[2] = nn_batch_norm2d(model, "c", x, &batch);
    outputs[3] = nn_layer_norm(model, NULL, x, NULL);
    outputs[4] =
        nn_instance_norm(model, "d", nn_reshape(model, x, NN_SHAPE(NN_BATCH, 24, 1)), NULL);
    nn_plan_desc desc;
    ZERO(desc);
    for (int i = 0; i < 6; i++) NODE_AT(desc.outputs, i) = outputs[i];
    ENSURE(nn_make_plan(model, &desc) == NULL);
    ENSURE(strstr(nn_error(nn), "has 5 extents; batch_norm wants 4: (N, C, H, W)"));
    ENSURE(strstr(nn_error(nn), "num_groups is 4, and \"x\" (batch, 6, 2, 2) has 6 channels"));
    ENSURE(strstr(nn_error(nn), "has 4 extents; batch_norm wants 2 or 3: (N, C) or (N, C, L)"));
    ENSURE(strstr(nn_error(nn), "frozen normalises by running statistics"));
    ENSURE(strstr(nn_error(nn), "the layer has no name"));
    ENSURE(strstr(nn_error(nn), "has one number, whose variance is always 0"));
    nn_free_model(model);
}

int main(int argc, char **argv) {
    nn_desc desc;
    sim_desc sim;
    test_start(argc, argv);
    ZERO(desc), ZERO(sim);
    desc.threads = 2;
    desc.scratch_bytes = 1 << 20;
    nn = nn_open(&desc);
    sim.asynchronous = true;
    sim_device *device = sim_open(nn, &sim, &simulated);
    RUN(on_the_cpu);
    RUN(on_a_late_device);
    RUN(cumulative_is_the_mean_of_all);
    RUN(a_checkpoint_goes_on);
    RUN(a_file_is_pytorchs);
    RUN(a_shared_layer_counts_each_use);
    RUN(parameters_in_halves);
    RUN(statistics_have_no_gradient);
    RUN(an_activation_is_part_of_it);
    RUN(folds);
    RUN(threads_give_the_same_bytes);
    RUN(immediate_errors);
    RUN(description_errors);
    nn_close(nn);
    if (sim_free(device) != 0) test_failed++;
    return test_report();
}
