/* Convolutions of rows by Winograd's algorithm F(4, 3), which plans that only infer use
   (kernels/conv2d/cpu_winograd_line.c): their accuracy for any taps, padding, dilation and groups,
   compared with plain loops in double; the same bytes for any number of threads and slices; and
   plans that ask for direct convolutions. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"
#include "open.h"

#include <stdlib.h>

static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_AVX512, NN_INSTRUCTIONS_AVX2,
                                          OTHER_SET, NN_INSTRUCTIONS_PLAIN};

static uint32_t seed;
static int below(int n) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

enum { MOST = 4 * 80 * 96 };
static float x[MOST], y[MOST], again[MOST];

typedef struct line {
    int N, C, L, K, taps, padding, dilation, groups, out;
    bool relu;
} line;

/* Runs a plan of one convolution of x. Returns true if it says that it uses F(4, 3). weight and
   bias receive copies of the parameters, if they are not NULL. */
static bool run_line(nn_context *nn, const line *c, bool direct, bool sliced, float *to,
                     float *weight, float *bias) {
    static char text[8000];
    nn_text said = {text, sizeof text, 0};
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, c->C, c->L));
    nn_node *out = nn_conv1d(net, "conv", in,
                             &(nn_conv1d_desc){.out_channels = c->K,
                                               .kernel = c->taps,
                                               .padding = c->padding,
                                               .dilation = c->dilation,
                                               .groups = c->groups});
    if (c->relu) out = nn_relu(net, out);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out),
                                                      .batch = c->N,
                                                      .direct_convolutions = direct});
    ENSURE(plan && nn_upload(plan, in, x, sizeof(float) * (size_t)(c->N * c->C * c->L)) == NN_OK);
    for (int i = 0; i < 2; i++) { /* the second run finds the weights transformed */
        if (sliced)
            while (nn_run_for(plan, 1) == NN_PENDING) continue;
        else
            ENSURE(nn_run(plan) == NN_OK);
    }
    ENSURE(nn_download(plan, out, to, sizeof(float) * (size_t)(c->N * c->K * c->out)) == NN_OK);
    if (weight)
        memcpy(weight, nn_tensor_data(nn_find_tensor(net, "conv.weight")),
               sizeof(float) * (size_t)(c->K * c->C / c->groups * c->taps));
    if (bias)
        memcpy(bias, nn_tensor_data(nn_find_tensor(net, "conv.bias")),
               sizeof(float) * (size_t)c->K);
    text[0] = 0;
    nn_write_plan(plan, (nn_writer){nn_write_text, &said});
    nn_free_model(net);
    return strstr(text, "F(4, 3)") != NULL;
}

/* Returns the largest error of one row of y, in units of 2^-24 of the largest sum of absolute
   products within a tile's reach. */
static double row_error(const line *c, const float *weight, const float *bias, int n, int k) {
    const int C = c->C / c->groups, first = k / (c->K / c->groups) * C;
    double value[96], scale[96], most = 0;
    for (int t = 0; t < c->out; t++) {
        value[t] = bias[k], scale[t] = fabs((double)bias[k]);
        for (int e = 0; e < C; e++)
            for (int s = 0; s < c->taps; s++) {
                const int at = t - c->padding + s * c->dilation;
                if (at < 0 || at >= c->L) continue;
                const double product = (double)weight[(k * C + e) * c->taps + s] *
                                       (double)x[(n * c->C + first + e) * c->L + at];
                value[t] += product;
                scale[t] += fabs(product);
            }
        if (c->relu && value[t] < 0) value[t] = 0;
    }
    for (int t = 0; t < c->out; t++) {
        double unit = 0;
        for (int i = -3; i <= 3; i++) {
            const int near = t + i * c->dilation;
            if (near >= 0 && near < c->out) unit = fmax(unit, scale[near]);
        }
        const double error =
            fabs((double)y[(n * c->K + k) * c->out + t] - value[t]) / unit * 16777216;
        if (!(error <= most)) most = error;
    }
    return most;
}

static line random_line(int i) {
    line c;
    c.groups = i % 5 == 4 ? 2 : 1;
    c.N = 1 + below(4);
    c.C = (16 + below(60 / c.groups)) / c.groups * c.groups;
    c.K = (16 + below(60 / c.groups)) / c.groups * c.groups;
    if (c.groups == 2) c.C = 32 + 2 * below(20), c.K = 32 + 2 * below(20);
    c.taps = 3 + below(8);
    c.dilation = 1 + (i % 3 ? 0 : below(3));
    c.L = 12 * c.dilation + c.taps + below(40);
    c.padding = below((c.taps - 2) * c.dilation + 1);
    c.out = c.L + 2 * c.padding - (c.taps - 1) * c.dilation;
    c.relu = i % 4 == 1;
    return c;
}

static void accuracy(void) {
    static float weight[80 * 80 * 10], bias[80];
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = sets[s], .threads = 2}));
        int lines = 0;
        double worst = 0;
        seed = 11;
        for (int i = 0; nn && i < 60; i++) {
            const line c = random_line(i);
            if (c.out < 1 || c.out > 96) continue;
            for (int e = 0; e < c.N * c.C * c.L; e++) x[e] = (float)below(2001) / 1000 - 1;
            lines += run_line(nn, &c, false, false, y, weight, bias);
            for (int e = 0; e < 8; e++) {
                const int n = below(c.N), k = e < 4 ? e : below(c.K);
                worst = fmax(worst, row_error(&c, weight, bias, n, k));
            }
        }
        if (nn && getenv("NN_TELL"))
            printf("%s: %d lines, %.2f\n", nn_instruction_set_name(nn), lines, worst);
        ENSURE(!nn || worst <= 8);
        ENSURE(!nn || (sets[s] == NN_INSTRUCTIONS_PLAIN ? lines == 0 : lines > 20));
        nn_close(nn);
    }
}

static const line shapes[] = {{1, 48, 40, 70, 3, 1, 1, 1, 40, false},
                              {3, 48, 40, 40, 9, 8, 2, 1, 40, true},
                              {2, 64, 33, 34, 5, 6, 3, 2, 33, false},
                              {4, 20, 61, 18, 7, 0, 1, 1, 55, false}};

static void same_bytes(void) {
    static const int threads[] = {1, 2, 3, 8};
    seed = 3;
    for (int i = 0; i < MOST; i++) x[i] = (float)below(2001) / 1000 - 1;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const line *c = &shapes[i];
        const size_t bytes = sizeof(float) * (size_t)(c->N * c->K * c->out);
        for (int t = 0; t < 4; t++) {
            nn_context *nn = nn_open(&(nn_desc){.threads = threads[t]});
            const bool vectors = strcmp(nn_instruction_set_name(nn), "plain") != 0;
            ENSURE(run_line(nn, c, false, t == 2, t ? again : y, NULL, NULL) == vectors);
            ENSURE(t == 0 || memcmp(y, again, bytes) == 0);
            if (t == 3) { /* direct sums differ in the last bits */
                double most = 0;
                ENSURE(!run_line(nn, c, true, false, again, NULL, NULL));
                for (int k = 0; k < c->N * c->K * c->out; k++)
                    most = fmax(most, fabs((double)y[k] - (double)again[k]));
                ENSURE(most < 1e-5 && (most > 0) == vectors);
            }
            nn_close(nn);
        }
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(accuracy);
    RUN(same_bytes);
    return test_report();
}
