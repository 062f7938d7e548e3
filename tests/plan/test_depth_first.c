/* test_depth_first.c: convolutions that a plan runs depth first, as one step, compared with a plan
   of separate steps: random nets, any number of threads and slices, and cases that must stay
   separate. */
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#include "test.h"
#include "lists.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST = 1 << 20 };

static float picture[MOST], wanted[MOST], got[MOST], first[MOST];

static uint32_t state = 1;
static int pick(int below) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

typedef struct shape {
    int batch, in, height, width, middle, out;
    int kernel, kernel_w, stride, padding, dilation;
    bool expands, norms, bias, adds;
    int activation; /* 0 none, 1 relu, 2 relu6, 3 tanh */
    int first, step, around; /* of the expanding convolution: kernel, stride, padding */
} shape;

typedef struct net {
    nn_context *nn;
    nn_model *net;
    nn_node *x, *first, *middle, *y;
    nn_plan *bands, *plain;
} net;

static nn_node *layer(nn_model *model, const char *name, nn_node *x, const shape *s, int out,
                      bool depthwise, bool activates) {
    char norm[32];
    nn_conv2d_desc conv;
    memset(&conv, 0, sizeof conv);
    conv.out_channels = out;
    conv.kernel = conv.kernel_w = 1;
    conv.no_bias = !s->bias;
    if (depthwise) {
        conv.groups = out;
        conv.kernel = s->kernel, conv.kernel_w = s->kernel_w;
        conv.stride = s->stride, conv.padding = s->padding, conv.dilation = s->dilation;
    } else if (!strcmp(name, "expand")) {
        conv.kernel = conv.kernel_w = s->first;
        conv.stride = s->step, conv.padding = s->around;
    }
    x = nn_conv2d(model, name, x, &conv);
    snprintf(norm, sizeof norm, "%s_norm", name);
    if (s->norms) x = nn_batch_norm2d(model, norm, x, NULL);
    if (!activates || s->activation == 0) return x;
    return s->activation == 1   ? nn_relu(model, x)
           : s->activation == 2 ? nn_relu6(model, x)
                                : nn_tanh(model, x);
}

/* Fills in numbers that differ from those of a new model, so that norms have an effect. */
static void fill(nn_model *model, const char *name, const char *part, float offset) {
    char text[64];
    snprintf(text, sizeof text, "%s%s", name, part);
    nn_tensor *tensor = nn_find_tensor(model, text);
    const size_t bytes = (size_t)nn_tensor_bytes(tensor);
    float *numbers = (float *)malloc(bytes);
    for (size_t i = 0; numbers && i < bytes / sizeof(float); i++)
        numbers[i] = (float)(pick(2001) - 1000) / 2000 + offset;
    ENSURE(numbers && nn_upload_tensor(tensor, numbers, bytes) == NN_OK);
    free(numbers);
}
static void fill_layer(nn_model *model, const char *name, const shape *s) {
    fill(model, name, ".weight", 0);
    if (s->bias) fill(model, name, ".bias", 0);
    if (!s->norms) return;
    fill(model, name, "_norm.weight", 0.5f);
    fill(model, name, "_norm.bias", 0);
    fill(model, name, "_norm.running_mean", 0);
    fill(model, name, "_norm.running_var", 1);
}

static nn_plan *plan_of(const net *n, const shape *s, bool plain) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = n->y;
    desc.batch = s->batch;
    desc.plain_weights = plain;
    desc.poison = true;
    return nn_make_plan(n->net, &desc);
}

/* A 1 x 1 convolution comes first, so that the expanded value is not an input. */
static net open_net(const shape *s, int threads) {
    net n;
    nn_desc desc;
    nn_model_desc model;
    memset(&n, 0, sizeof n);
    memset(&desc, 0, sizeof desc);
    memset(&model, 0, sizeof model);
    desc.threads = threads;
    model.seed = 5;
    n.nn = nn_open(&desc);
    n.net = nn_make_model(n.nn, &model);
    n.x = nn_input(n.net, "x", NN_F32, NN_SHAPE(NN_BATCH, s->in, s->height, s->width));
    n.first = s->expands ? layer(n.net, "expand", n.x, s, s->middle, false, true) : n.x;
    n.middle = layer(n.net, "depth", n.first, s, s->expands ? s->middle : s->in, true, true);
    n.y = layer(n.net, "project", n.middle, s, s->out, false, pick(3) == 0);
    if (s->adds) n.y = pick(2) ? nn_add(n.net, n.x, n.y) : nn_add(n.net, n.y, n.x);
    fill_layer(n.net, "depth", s);
    fill_layer(n.net, "project", s);
    if (s->expands) fill_layer(n.net, "expand", s);
    n.bands = plan_of(&n, s, false);
    n.plain = plan_of(&n, s, true);
    return n;
}

static bool close_net(net *n) {
    const bool fine = n->nn && !nn_error(n->nn);
    if (n->nn && !fine) printf("%s\n", nn_error(n->nn));
    nn_close(n->nn);
    return fine;
}

typedef struct text {
    char at[1 << 16];
    size_t length;
} text;
static void write_text(void *user, const char *from, size_t length) {
    text *to = (text *)user;
    if (to->length + length >= sizeof to->at) return;
    memcpy(to->at + to->length, from, length);
    to->at[to->length += length] = 0;
}
/* Returns how often the plan's text has the word. */
static int told(nn_plan *plan, const char *word) {
    static text all;
    nn_writer writer;
    int count = 0;
    writer.function = write_text, writer.user = &all;
    all.length = 0;
    nn_write_plan(plan, writer);
    for (const char *at = all.at; (at = strstr(at, word)) != NULL; at++) count++;
    return count;
}

static size_t bytes_of(const nn_node *node, int batch) {
    const nn_shape of = nn_node_shape(node);
    return sizeof(float) * (size_t)batch *
           (size_t)(of.extent[1] * of.extent[2] * of.extent[3]);
}

static bool run(const net *n, nn_plan *plan, int batch, float *to) {
    return nn_upload(plan, n->x, picture, bytes_of(n->x, batch)) == NN_OK &&
           nn_run(plan) == NN_OK &&
           nn_download(plan, n->y, to, bytes_of(n->y, batch)) == NN_OK;
}

static bool agree(const net *n, int batch) {
    const size_t count = bytes_of(n->y, batch) / sizeof(float);
    if (!run(n, n->bands, batch, got) || !run(n, n->plain, batch, wanted)) return false;
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(got[i] - wanted[i]) <= 2e-5f * (8 + fabsf(wanted[i])))) return false;
    return true;
}

static shape random_shape(void) {
    shape s;
    memset(&s, 0, sizeof s);
    s.expands = pick(3) > 0;
    s.batch = 1 + pick(3) * pick(3);
    s.in = s.expands ? 1 + pick(20) : 8 + pick(70);
    s.middle = s.expands ? 8 + pick(90) : s.in;
    s.out = 8 + pick(70);
    s.kernel = pick(4) ? 3 : 1 + pick(5);
    s.kernel_w = pick(4) ? s.kernel : 2 + pick(4);
    s.stride = 1 + pick(2) + pick(2) * pick(2);
    s.padding = pick(4) ? s.kernel / 2 : pick(s.kernel + 2);
    s.dilation = pick(5) ? 1 : 2;
    s.height = (s.kernel - 1) * s.dilation + 1 + pick(pick(3) ? 16 : 60);
    s.width = (s.kernel_w - 1) * s.dilation + 1 + pick(24);
    s.norms = pick(2), s.bias = pick(2), s.activation = pick(4);
    s.first = s.step = 1;
    s.adds = s.expands && pick(2);
    if (s.adds) { /* y has the positions of x */
        s.stride = 1, s.dilation = 1, s.out = s.in = 8 + pick(30);
        s.kernel = s.kernel_w = 2 * pick(3) + 1 + 2 * (pick(2) == 0);
        if (s.kernel == 1) s.kernel = s.kernel_w = 3;
        s.padding = s.kernel / 2;
    } else if (s.expands && pick(2)) { /* as the first one of a net */
        s.first = 1 + pick(4), s.step = 1 + pick(3), s.around = pick(s.first + 1);
        s.in = 1 + pick(4);
        s.height = (s.height - 1) * s.step + s.first;
        s.width = (s.width - 1) * s.step + s.first;
    }
    return s;
}

/* The one step that replaces all others gives the same results, in batches of any size. */
static void bands_agree_with_steps(void) {
    for (int i = 0; i < 60; i++) {
        state = (uint32_t)i + 77;
        const shape s = random_shape();
        net n = open_net(&s, 1 + i % 3);
        if (!n.bands || !n.plain || s.kernel * s.kernel_w < 2) {
            ENSURE(s.kernel * s.kernel_w < 2 || (n.bands && n.plain));
            ENSURE(close_net(&n));
            continue;
        }
        ENSURE(bytes_of(n.x, s.batch) <= sizeof picture && bytes_of(n.y, s.batch) <= sizeof got);
        for (size_t k = 0; k < bytes_of(n.x, s.batch) / sizeof(float); k++)
            picture[k] = (float)(pick(2001) - 1000) / 500;
        ENSURE(told(n.bands, "depth first") == 1 && told(n.plain, "depth first") == 0);
        if (!agree(&n, s.batch) || !agree(&n, 1) || !agree(&n, s.batch))
            test_fail(__FILE__, __LINE__, "net %d: %d x (%d, %d, %d) over %d to %d, %d x %d", i,
                      s.batch, s.in, s.height, s.width, s.middle, s.out, s.kernel, s.kernel_w);
        ENSURE(close_net(&n));
    }
}

/* Any number of threads, and slices, give the same bytes: tall images are cut into bands by the
   number of threads, and small ones into panels. */
static void bands_give_the_same_bytes(void) {
    static const shape shapes[] = {
        {1, 9, 60, 12, 40, 9, 3, 3, 1, 1, 1, true, true, false, true, 2, 1, 1, 0},
        {1, 8, 57, 9, 70, 20, 3, 3, 2, 1, 1, true, true, true, false, 1, 1, 1, 0},
        {1, 40, 64, 11, 40, 12, 3, 3, 1, 1, 1, false, true, false, false, 2, 1, 1, 0},
        {2, 12, 7, 7, 100, 40, 3, 3, 1, 1, 1, true, true, true, false, 2, 1, 1, 0},
        {1, 3, 90, 21, 32, 16, 3, 3, 1, 1, 1, true, true, false, false, 2, 3, 2, 1},
        {9, 5, 9, 8, 24, 8, 5, 5, 1, 2, 1, true, false, true, false, 3, 1, 1, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        for (int threads = 1; threads <= 8; threads += threads == 3 ? 5 : 1) {
            state = 99;
            net n = open_net(s, threads);
            nn_result result = NN_PENDING;
            const size_t bytes = bytes_of(n.y, s->batch);
            for (size_t k = 0; k < bytes_of(n.x, s->batch) / sizeof(float); k++)
                picture[k] = (float)(k * 37 % 101) / 50 - 1;
            ENSURE(n.bands && told(n.bands, "depth first") == 1 && agree(&n, s->batch));
            ENSURE(told(n.bands, " conv2d ") == 0);
            ENSURE(run(&n, n.bands, s->batch, threads == 1 ? first : got));
            ENSURE(threads == 1 || !memcmp(got, first, bytes));
            ENSURE(nn_upload(n.bands, n.x, picture, bytes_of(n.x, s->batch)) == NN_OK);
            while (result == NN_PENDING) result = nn_run_for(n.bands, 0);
            ENSURE(result == NN_OK && nn_download(n.bands, n.y, got, bytes) == NN_OK);
            ENSURE(!memcmp(got, first, bytes));
            ENSURE(close_net(&n));
        }
    }
}

/* A value that something else reads is stored, and a plan that trains keeps separate steps. */
static void steps_stay_where_others_read(void) {
    static const shape s = {2, 12, 9, 9, 24, 12, 3, 3, 1, 1, 1, true, true, false, true, 2, 1,
                            1, 0};
    for (int which = 0; which < 5; which++) {
        state = 5;
        net n = open_net(&s, 1);
        nn_plan_desc desc;
        memset(&desc, 0, sizeof desc);
        NODE_AT(desc.outputs, 0) = n.y;
        desc.batch = s.batch;
        if (which == 0) NODE_AT(desc.outputs, 1) = n.middle;
        if (which == 1) NODE_AT(desc.outputs, 1) = n.first;
        if (which == 2)
            n.y = NODE_AT(desc.outputs, 0) = nn_relu(n.net, n.y); /* joined with the sum */
        if (which == 3) NODE_AT(desc.outputs, 1) = nn_tanh(n.net, n.middle);
        desc.separate_steps = which == 4;
        n.bands = nn_make_plan(n.net, &desc);
        desc.plain_weights = true;
        n.plain = nn_make_plan(n.net, &desc);
        for (size_t k = 0; k < bytes_of(n.x, s.batch) / sizeof(float); k++)
            picture[k] = (float)(k * 37 % 101) / 50 - 1;
        ENSURE(n.bands && n.plain);
        ENSURE(told(n.bands, "depth first") == (which == 1 || which == 2));
        ENSURE(agree(&n, s.batch));
        ENSURE(close_net(&n));
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(bands_agree_with_steps);
    RUN(bands_give_the_same_bytes);
    RUN(steps_stay_where_others_read);
    return test_report();
}
