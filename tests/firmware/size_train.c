/* size_train.c - training on a device, with the trainer of NN_NO_TRAINING_OPTIONS, one block and no
   malloc. -DTRAIN=0 an MLP 4-64-64-2, batches of 8, SGD; 1 the same with Adam; 2 a convolutional
   net on 28x28 (conv8-relu-pool-conv16-relu-pool-linear10), a batch of 4 as four batches of 1, SGD;
   3 only its last layer, batches of 1. The first steps of the MLP are compared with plain loops, and
   every loss must fall. Prints a line:

     net, bytes of the block, of the stack, instructions of a step

   Instructions are counted as in size_tiny.c. The host prints 0 for these and for the stack. */
#define NN_ERROR_BYTES 256
#define NN_MEASURE_BLOCK
#define FIRMWARE_TRAINS
#include "firmware.h"

#include "size_print.h"

#ifndef TRAIN
#define TRAIN 0
#endif

static char block[1 << 20];
static uint32_t train_state = 1;

static float train_random(void) { /* in [-1, 1) */
    train_state = train_state * 1664525u + 1013904223u;
    return (float)(int)(train_state >> 8) / 8388608.0f - 1.0f;
}

static nn_node *train_linear(nn_model *net, const char *name, nn_node *x, int out) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = out;
    return nn_linear(net, name, x, &desc);
}

#if TRAIN < 2
enum { BATCH = 8, STEPS = 200, IN = 4, CLASSES = 2, CALLS = 1 };
static nn_node *describe(nn_model *net, nn_node *x) {
    x = nn_relu(net, train_linear(net, "fc1", x, 64));
    x = nn_relu(net, train_linear(net, "fc2", x, 64));
    return train_linear(net, "fc3", x, 2);
}
static nn_shape shape_of_x(void) { return NN_SHAPE(NN_BATCH, 4); }
/* Draws one of two classes: inside or outside of a ball. */
static int32_t draw(float *x) {
    float square = 0.0f;
    for (int i = 0; i < IN; i++) square += (x[i] = train_random()) * x[i];
    return square > 1.2f;
}
#else
enum { BATCH = 1, STEPS = TRAIN == 3 ? 24 : 6, IN = 28 * 28, CLASSES = 10 };
enum { CALLS = TRAIN == 3 ? 1 : 4 };
static nn_node *train_conv(nn_model *net, const char *name, nn_node *x, int out) {
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    conv.out_channels = out;
    conv.kernel = 3;
    conv.padding = 1;
    pool.kernel = 2;
    return nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, name, x, &conv)), &pool);
}
static nn_node *describe(nn_model *net, nn_node *x) {
    x = train_conv(net, "conv1", x, 8);
    x = train_conv(net, "conv2", x, 16);
    if (TRAIN == 3) nn_freeze(net, "conv1.", true), nn_freeze(net, "conv2.", true);
    return train_linear(net, "fc", nn_flatten(net, x), 10);
}
static nn_shape shape_of_x(void) { return NN_SHAPE(NN_BATCH, 1, 28, 28); }
/* Draws a bar whose position is the class. */
static int32_t draw(float *x) {
    const int label = (int)((train_random() + 1.0f) * 5.0f) % CLASSES;
    for (int i = 0; i < IN; i++)
        x[i] = train_random() * 0.1f + (i % 28 / 2 == label + 2 ? 1.0f : 0.0f);
    return label;
}
#endif

/* ---- the MLP in plain loops ------------------------------------------------------------------ */

#if TRAIN < 2
typedef struct plain_layer {
    int in, out;
    float weight[64 * 64], bias[64], y[BATCH * 64], dy[BATCH * 64];
    float m[64 * 64 + 64], v[64 * 64 + 64];
} plain_layer;
static plain_layer plain[3];

/* Changes a number by its gradient: torch.optim.SGD, or Adam. The epsilon is large, so that the
   rounding of small gradients does not determine the direction of their steps. */
static void plain_update(float *number, float gradient, float *m, float *v, int step, float rate) {
    double root1 = 1.0, root2 = 1.0;
    if (TRAIN == 0) {
        *number -= rate * gradient;
        return;
    }
    *m = 0.9f * *m + 0.1f * gradient;
    *v = 0.999f * *v + 0.001f * gradient * gradient;
    for (int i = 0; i < step; i++) root1 *= 0.9, root2 *= 0.999;
    *number -= (float)((double)rate / (1.0 - root1) * (double)*m /
                       (sqrt((double)*v / (1.0 - root2)) + 1e-3));
}

/* Makes one step and returns the loss before it. */
static float plain_step(const float *x, const int32_t *label, int step, float rate) {
    float loss = 0.0f;
    for (int l = 0; l < 3; l++) {
        plain_layer *at = &plain[l];
        const float *from = l ? plain[l - 1].y : x;
        for (int n = 0; n < BATCH; n++)
            for (int k = 0; k < at->out; k++) {
                float sum = at->bias[k];
                for (int i = 0; i < at->in; i++)
                    sum += at->weight[k * at->in + i] * from[n * at->in + i];
                at->y[n * at->out + k] = l < 2 && sum < 0.0f ? 0.0f : sum;
            }
    }
    for (int n = 0; n < BATCH; n++) {
        const float *y = plain[2].y + 2 * n;
        const float other = expf(y[1 - label[n]] - y[label[n]]), p = 1.0f / (1.0f + other);
        loss -= logf(p) / BATCH;
        plain[2].dy[2 * n + label[n]] = (p - 1.0f) / BATCH;
        plain[2].dy[2 * n + 1 - label[n]] = (1.0f - p) / BATCH;
    }
    for (int l = 2; l >= 0; l--) {
        plain_layer *at = &plain[l];
        const float *from = l ? plain[l - 1].y : x;
        for (int n = 0; l && n < BATCH; n++)
            for (int i = 0; i < at->in; i++) {
                float sum = 0.0f;
                for (int k = 0; k < at->out; k++)
                    sum += at->dy[n * at->out + k] * at->weight[k * at->in + i];
                plain[l - 1].dy[n * at->in + i] = from[n * at->in + i] > 0.0f ? sum : 0.0f;
            }
        for (int k = 0; k < at->out; k++)
            for (int i = 0; i <= at->in; i++) { /* the last one is the bias */
                const int j = i < at->in ? k * at->in + i : at->in * at->out + k;
                float sum = 0.0f;
                for (int n = 0; n < BATCH; n++)
                    sum += at->dy[n * at->out + k] * (i < at->in ? from[n * at->in + i] : 1.0f);
                plain_update(i < at->in ? &at->weight[j] : &at->bias[k], sum, &at->m[j], &at->v[j],
                             step, rate);
            }
    }
    return loss;
}

/* Copies the net's first values to the plain layers, or compares them: false if they differ. */
static bool plain_same(nn_model *net, bool copy) {
    static const char *const names[] = {"fc1.weight", "fc2.weight", "fc3.weight",
                                        "fc1.bias",   "fc2.bias",   "fc3.bias"};
    static const int widths[] = {4, 64, 64, 2};
    static float numbers[64 * 64];
    bool same = true;
    for (int i = 0; i < 6; i++) {
        plain_layer *at = &plain[i % 3];
        const int count = (i < 3 ? widths[i] : 1) * widths[i % 3 + 1];
        float *own = i < 3 ? at->weight : at->bias;
        at->in = widths[i % 3], at->out = widths[i % 3 + 1];
        if (nn_download_tensor(nn_find_tensor(net, names[i]), copy ? own : numbers,
                               sizeof(float) * (size_t)count) != NN_OK)
            return false;
        for (int k = 0; !copy && k < count; k++) same = same && fabsf(numbers[k] - own[k]) < 2e-5f;
    }
    return same;
}
#endif

/* ---- a training run -------------------------------------------------------------------------- */

static float xs[4 * BATCH * IN];
static int32_t labels[4 * BATCH];

/* Trains on four batches in turn. Returns 0, or the place of the failure. */
static int train(nn_model *net, nn_trainer *trainer, nn_node *x, nn_node *label, float rate) {
    nn_plan *plan = nn_trainer_plan(trainer);
    float first = 0.0f, last = 0.0f, loss;
    for (int i = 0; i < 4 * BATCH; i++) labels[i] = draw(xs + i * IN);
    for (int i = 0; i < STEPS * CALLS; i++) {
        const float *batch = xs + i % 4 * BATCH * IN;
        if (nn_upload(plan, x, batch, sizeof(float) * BATCH * IN) != NN_OK ||
            nn_upload(plan, label, labels + i % 4 * BATCH, sizeof(int32_t) * BATCH) != NN_OK)
            return 3;
        size_begin();
        if (nn_train_on_inputs(trainer) != NN_OK || nn_read_loss(trainer, &loss) != NN_OK) return 4;
        if (i < 4) first += loss;
        if (i >= STEPS * CALLS - 4) last += loss;
#if TRAIN < 2
        if (i < 4 && !(fabsf(plain_step(batch, labels + i % 4 * BATCH, i + 1, rate) - loss) < 1e-5f))
            return 5;
        if (i == 3 && !plain_same(net, false)) return 6;
#endif
    }
    (void)net, (void)rate;
    if (nn_trainer_step(trainer) != STEPS) return 7;
    return last < 0.8f * first ? 0 : 8;
}

int main(void) {
    static const char *const names[] = {"mlp-sgd", "mlp-adam", "digits-sgd", "digits-last"};
    const size_t lost = (16 - (size_t)((uintptr_t)block % 16)) % 16;
    const float rate = TRAIN == 1 ? 0.01f : TRAIN == 0 ? 0.3f : 0.05f;
    nn_desc desc;
    nn_trainer_desc trains;
    nn_model_desc seeded;
    int failed = 2;
    memset(&desc, 0, sizeof desc);
    memset(&trains, 0, sizeof trains);
    memset(&seeded, 0, sizeof seeded);
    desc.block = block + lost;
    desc.block_bytes = sizeof block - lost;
    seeded.seed = 1;
    trains.batch = BATCH;
    trains.accumulate = CALLS;
    trains.optimizer = TRAIN == 1 ? NN_ADAM : NN_SGD;
    trains.learning_rate = rate;
    trains.epsilon = 1e-3f;
    size_paint();
    nn_context *nn = nn_open(&desc);
    nn_model *net = nn_make_model(nn, &seeded);
    nn_node *x = nn_input(net, "x", NN_F32, shape_of_x());
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_trainer *trainer =
        nn_make_trainer(net, nn_cross_entropy(net, describe(net, x), label, NULL), &trains);
    if (!trainer) return 1;
#if TRAIN < 2
    if (!plain_same(net, true)) return 2;
#endif
    failed = train(net, trainer, x, label, rate);
    if (failed) return failed;
    size_begin();
    if (nn_train_on_inputs(trainer) != NN_OK) return 9;
    const unsigned instructions = size_end();
    const size_t bytes = (size_t)nn_context_memory(nn).block_needed_bytes, stack = size_stack();
    size_say(names[TRAIN]);
    size_number((unsigned)bytes);
    size_number((unsigned)stack);
    size_number(instructions);
    size_say("\n");
    nn_close(nn);
    return 0;
}
