/* Tests convolutions by Winograd's algorithm (kernels/conv2d/cpu_winograd.h): their accuracy on the
   shapes of real nets, which the manual quotes; the effect of a NaN and an infinity; the same bytes
   for any number of threads, slices and images; and plans that ask for direct convolutions. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"
#include "open.h"

#include <stdlib.h>

static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_AVX512, NN_INSTRUCTIONS_AVX2,
                                          OTHER_SET};

static nn_context *open_with(nn_instruction_set set, int threads) {
    return OPEN_WITH_SET(
        (&(nn_desc){.instructions = set, .threads = threads, .scratch_bytes = (size_t)128 << 20}));
}

static uint32_t seed = 1;
static int below(int n) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

static nn_tensor *tensor(nn_context *nn, nn_shape shape) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.shape = shape});
    float *to = (float *)nn_tensor_data(t);
    for (int64_t i = 0; to && i < nn_shape_count(shape); i++)
        to[i] = (float)below(1 << 24) / 8388608.0f - 1.0f;
    return t;
}

typedef struct conv {
    int N, C, H, W, K, padding, groups;
} conv;

typedef struct layer {
    conv c;
    nn_tensor *x, *y, *w, *b, *dx, *dy, *dw, *db, *old, *old_w, *old_b; /* old: before the run */
} layer;

static void copy(nn_tensor *to, nn_tensor *from) {
    memcpy(nn_tensor_data(to), nn_tensor_data(from), (size_t)nn_tensor_bytes(to));
}

static void make_layer(layer *l, nn_context *nn, conv c) {
    const nn_shape x = NN_SHAPE(c.N, c.C, c.H, c.W),
                   y = NN_SHAPE(c.N, c.K, c.H + 2 * c.padding - 2, c.W + 2 * c.padding - 2);
    l->c = c;
    l->x = tensor(nn, x), l->dx = tensor(nn, x), l->old = tensor(nn, x);
    l->y = tensor(nn, y), l->dy = tensor(nn, y);
    nn_tensor **weights[] = {&l->w, &l->dw, &l->old_w}, **biases[] = {&l->b, &l->db, &l->old_b};
    for (int i = 0; i < 3; i++) {
        *weights[i] = tensor(nn, NN_SHAPE(c.K, c.C / c.groups, 3, 3));
        *biases[i] = tensor(nn, NN_SHAPE(c.K));
    }
    copy(l->dx, l->old), copy(l->dw, l->old_w), copy(l->db, l->old_b);
}

static nn_result run_layer(layer *l, bool accumulate) {
    const nn_conv2d_desc desc = {.padding = l->c.padding, .groups = l->c.groups};
    const nn_result result = nn_conv2d_forward(l->y, l->x, l->w, l->b, &desc);
    return result != NN_OK ? result
                           : nn_conv2d_backward(l->dx, l->dw, l->db, l->dy, l->x, l->w, &desc,
                                                accumulate);
}

static void free_layer(layer *l) {
    nn_free_tensor(l->x), nn_free_tensor(l->y), nn_free_tensor(l->w), nn_free_tensor(l->b);
    nn_free_tensor(l->dx), nn_free_tensor(l->dy), nn_free_tensor(l->old), nn_free_tensor(l->dw);
    nn_free_tensor(l->db), nn_free_tensor(l->old_w), nn_free_tensor(l->old_b);
}

/* The value of an element, the sum of all absolute products, and the sum of floats in order. */
typedef struct place {
    double value, scale;
    float plain;
} place;

static void add(place *p, float a, float b) {
    p->value += (double)a * (double)b;
    p->scale += fabs((double)a * (double)b);
    p->plain += a * b;
}

static const float *at(nn_tensor *t, int n, int c, int h, int w) {
    const int32_t *e = nn_tensor_view(t).shape.extent;
    if (h < 0 || w < 0 || h >= e[2] || w >= e[3]) return NULL;
    return (const float *)nn_tensor_data(t) + (((int64_t)n * e[1] + c) * e[2] + h) * e[3] + w;
}

/* Computes the value and the sums of a place for one element of y (back: of dx). */
static place sum_of(const layer *l, bool back, int n, int k, int h, int w) {
    const conv *c = &l->c;
    const int C = c->C / c->groups, K = c->K / c->groups;
    const int group = back ? k / C : k / K;
    place p = {0, 0, 0};
    for (int i = 0; i < (back ? K : C); i++)
        for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
                const float *from = back ? at(l->dy, n, group * K + i, h + c->padding - r,
                                              w + c->padding - s)
                                         : at(l->x, n, group * C + i, h - c->padding + r,
                                              w - c->padding + s);
                const float *weight =
                    back ? at(l->w, group * K + i, k % C, r, s) : at(l->w, k, i, r, s);
                if (from) add(&p, *from, *weight);
            }
    if (!back) add(&p, ((const float *)nn_tensor_data(l->b))[k], 1);
    return p;
}

/* Errors in units of 2^-24 of the largest sum of absolute products in the element's tile. */
typedef struct errors {
    double most, square, plain_square;
    int count;
} errors;

/* Measures some elements of y (back: of dx). A tile has `side` elements along an axis. */
static void measure(errors *e, const layer *l, bool back, int side, int places,
                    bool accumulated) {
    nn_tensor *t = back ? l->dx : l->y;
    const int32_t *extent = nn_tensor_view(t).shape.extent;
    for (int i = 0; i < places; i++, e->count++) {
        const int n = below(extent[0]), k = below(extent[1]), h = below(extent[2]),
                  w = below(extent[3]);
        place p = sum_of(l, back, n, k, h, w);
        if (accumulated) add(&p, *at(l->old, n, k, h, w), 1);
        double scale = p.scale;
        for (int j = 0; j < 4; j++) { /* the corners of the tile's inside stand for all of it */
            const int row = h / side * side + side / 4 + j / 2,
                      column = w / side * side + side / 4 + j % 2;
            if (row < extent[2] && column < extent[3])
                scale = fmax(scale, sum_of(l, back, n, k, row, column).scale);
        }
        const double error = fabs((double)*at(t, n, k, h, w) - p.value) / scale * 16777216,
                     plain = fabs((double)p.plain - p.value) / scale * 16777216;
        if (!(error <= e->most)) e->most = error;
        e->square += error * error;
        e->plain_square += plain * plain;
    }
}

/* Measures the errors of dweight, where the sums of a tile's taps have about the same size, and
   of dbias. */
static void measure_weights(errors *e, const layer *l, int places, bool accumulated) {
    const conv *c = &l->c;
    const int C = c->C / c->groups, K = c->K / c->groups, side = c->padding;
    const int32_t *out = nn_tensor_view(l->y).shape.extent;
    for (int i = 0; i < places; i++, e->count++) {
        const int k = below(c->K), channel = below(C), r = below(3), s = below(3);
        const bool bias = i % 8 == 0;
        place p = {0, 0, 0};
        for (int n = 0; n < c->N; n++)
            for (int h = 0; h < out[2]; h++)
                for (int w = 0; w < out[3]; w++) {
                    const float one = 1, *dy = at(l->dy, n, k, h, w),
                                *x = at(l->x, n, k / K * C + channel, h - side + r, w - side + s);
                    if (bias || x) add(&p, *dy, bias ? one : *x);
                }
        const int64_t place_of = bias ? k : ((int64_t)k * C + channel) * 9 + r * 3 + s;
        nn_tensor *to = bias ? l->db : l->dw, *old = bias ? l->old_b : l->old_w;
        if (accumulated) add(&p, ((const float *)nn_tensor_data(old))[place_of], 1);
        const double found = (double)((const float *)nn_tensor_data(to))[place_of],
                     error = fabs(found - p.value) / p.scale * 16777216,
                     plain = fabs((double)p.plain - p.value) / p.scale * 16777216;
        if (!(error <= e->most)) e->most = error;
        e->square += error * error;
        e->plain_square += plain * plain;
    }
}

/* Tests the manual's bounds on the 3 x 3 layers of ResNet-18 and 50, for 224 x 224 and 32 x 32. */
static void test_accuracy(void) {
    static const conv shapes[] = {{1, 64, 56, 56, 64, 1, 1},   {1, 128, 28, 28, 128, 1, 1},
                                  {1, 256, 14, 14, 256, 1, 1}, {2, 512, 7, 7, 512, 1, 1},
                                  {1, 64, 32, 32, 64, 1, 1},   {2, 128, 16, 16, 128, 1, 1},
                                  {4, 256, 8, 8, 256, 1, 1},   {8, 512, 4, 4, 512, 1, 1}};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        nn_context *nn = open_with(sets[s], 2);
        for (size_t i = 0; nn && i < sizeof shapes / sizeof shapes[0]; i++) {
            layer l;
            make_layer(&l, nn, shapes[i]);
            ENSURE(run_layer(&l, false) == NN_OK);
            for (int back = 0; back < 3; back++) {
                errors e = {0, 0, 0, 0};
                if (back < 2)
                    measure(&e, &l, back, 4, 48, false);
                else
                    measure_weights(&e, &l, 48, false);
                if (getenv("NN_TELL"))
                    printf("%d %dx%d %d: most %.2f, rms %.2f, plain %.2f\n", l.c.C, l.c.H, l.c.W,
                           back, e.most, sqrt(e.square / e.count),
                           sqrt(e.plain_square / e.count));
                ENSURE(e.most <= 8);
                ENSURE(sqrt(e.square / e.count) <= (back < 2 ? 1.5 : 2));
            }
            free_layer(&l);
        }
        nn_close(nn);
    }
}

/* Tests any extents, padding, groups and sums, also shapes that direct sums compute. */
static void test_shapes(void) {
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        nn_context *nn = open_with(sets[s], 2);
        seed = 7;
        for (int i = 0; nn && i < 80; i++) {
            const int groups = i % 5 == 0 ? 2 : 1;
            const int channels = i % 8 == 3 ? 1 + below(4) : 8 + below(60);
            const conv c = {1 + below(7), channels * groups, 3 + below(26), 3 + below(26),
                            (8 + below(60)) * groups, below(3), groups};
            errors e = {0, 0, 0, 0};
            layer l;
            make_layer(&l, nn, c);
            ENSURE(run_layer(&l, i % 3 == 0) == NN_OK);
            measure(&e, &l, false, 4, 40, false);
            measure(&e, &l, true, 4, 40, i % 3 == 0);
            measure_weights(&e, &l, 20, i % 3 == 0);
            if (e.most > 16) printf("%d %d %d %d %d pad %d: ", c.N, c.C, c.H, c.W, c.K, c.padding);
            ENSURE(e.most <= 16);
            free_layer(&l);
        }
        nn_close(nn);
    }
}

/* Layers with too few channels for Winograd's algorithm use direct sums, whose errors are smaller.
   */
static void test_few(void) {
    double most = 0, square[3] = {0, 0, 0};
    int count[3] = {0, 0, 0};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        nn_context *nn = open_with(sets[s], 2);
        seed = 9;
        for (int i = 0; nn && i < 96; i++) {
            const int groups = i % 7 == 0 ? 2 : 1, width = i % 2 ? 26 + below(8) : 56 + below(30);
            const conv c = {1 + below(6), (1 + below(i % 3 ? 4 : 7)) * groups, 3 + below(40), width,
                            (1 + below(i % 5 ? 20 : 70)) * groups, below(3), groups};
            layer l;
            make_layer(&l, nn, c);
            ENSURE(run_layer(&l, i % 3 == 0) == NN_OK);
            for (int what = 0; what < 3; what++) {
                errors e = {0, 0, 0, 0};
                if (what < 2)
                    measure(&e, &l, what == 1, 2, 24, what == 1 && i % 3 == 0);
                else
                    measure_weights(&e, &l, 16, i % 3 == 0);
                if (getenv("NN_TELL"))
                    printf("%d: %d %d %d %d %d pad %d: most %.2f, rms %.2f, plain %.2f\n", what, c.N,
                           c.C, c.H, c.W, c.K, c.padding, e.most, sqrt(e.square / e.count),
                           sqrt(e.plain_square / e.count));
                ENSURE(e.most <= 4);
                most = fmax(most, e.most);
                square[what] += e.square;
                count[what] += e.count;
            }
            free_layer(&l);
        }
        nn_close(nn);
    }
    if (getenv("NN_TELL"))
        printf("most %.2f, rms %.2f %.2f %.2f\n", most, sqrt(square[0] / count[0]),
               sqrt(square[1] / count[1]), sqrt(square[2] / count[2]));
    for (int what = 0; what < 3; what++) ENSURE(square[what] <= 0.25 * count[what]);
}

/* Stores y, dx, dweight and dbias of a layer that has only some images of the whole layer, from
   `first` on. */
static void bytes_of(nn_context *nn, conv c, int first, int pictures, float *y, float *dx,
                     float *dw) {
    layer l, part;
    seed = 3;
    make_layer(&l, nn, c);
    c.N = pictures;
    make_layer(&part, nn, c);
    memcpy(nn_tensor_data(part.x), at(l.x, first, 0, 0, 0), (size_t)nn_tensor_bytes(part.x));
    memcpy(nn_tensor_data(part.dy), at(l.dy, first, 0, 0, 0), (size_t)nn_tensor_bytes(part.dy));
    copy(part.w, l.w), copy(part.b, l.b);
    if (run_layer(&part, false) == NN_OK) {
        memcpy(y, nn_tensor_data(part.y), (size_t)nn_tensor_bytes(part.y));
        memcpy(dx, nn_tensor_data(part.dx), (size_t)nn_tensor_bytes(part.dx));
        if (dw) memcpy(dw, nn_tensor_data(part.dw), (size_t)nn_tensor_bytes(part.dw));
        if (dw) memcpy(dw + 9 * c.C / c.groups * c.K, nn_tensor_data(part.db), (size_t)c.K * 4);
    }
    free_layer(&l);
    free_layer(&part);
}

/* Few and many tiles take different paths, and so do few and many images. All paths give the same
   bytes. */
static void test_same_bytes(void) {
    static const conv shapes[] = {{6, 48, 9, 10, 40, 1, 1}, {6, 300, 8, 8, 20, 1, 1},
                                  {6, 64, 21, 18, 66, 1, 2},
                                  /* few channels, by direct sums */
                                  {6, 3, 20, 31, 10, 1, 1}, {6, 3, 65, 59, 19, 1, 1},
                                  {6, 14, 33, 64, 6, 1, 2}, {6, 1, 40, 28, 37, 1, 1},
                                  /* dweight in several parts */ {6, 40, 60, 76, 40, 1, 1}};
    static const int threads[] = {1, 2, 3, 8};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const conv c = shapes[i];
        const size_t y_floats = (size_t)(c.N * c.K * c.H * c.W),
                     x_floats = (size_t)(c.N * c.C * c.H * c.W);
        const size_t w_floats = (size_t)((9 * c.C / c.groups + 1) * c.K);
        float *y[2], *dx[2], *dw[2];
        for (int k = 0; k < 2; k++) {
            dw[k] = (float *)calloc(w_floats, sizeof(float));
            y[k] = (float *)calloc(y_floats, sizeof(float));
            dx[k] = (float *)calloc(x_floats, sizeof(float));
        }
        for (int t = 0; t < 4; t++) {
            nn_context *nn = open_with(NN_INSTRUCTIONS_DEFAULT, threads[t]);
            bytes_of(nn, c, 0, c.N, y[t > 0], dx[t > 0], dw[t > 0]);
            ENSURE(!t || memcmp(dw[0], dw[1], w_floats * sizeof(float)) == 0);
            ENSURE(!t || memcmp(y[0], y[1], y_floats * sizeof(float)) == 0);
            ENSURE(!t || memcmp(dx[0], dx[1], x_floats * sizeof(float)) == 0);
            nn_close(nn);
        }
        nn_context *nn = open_with(NN_INSTRUCTIONS_DEFAULT, 2);
        for (int size = 2; size <= 3; size++)
            for (int first = 0; first < c.N; first += size)
                bytes_of(nn, c, first, size, y[1] + (size_t)first * (y_floats / 6),
                         dx[1] + (size_t)first * (x_floats / 6), NULL);
        ENSURE(memcmp(y[0], y[1], y_floats * sizeof(float)) == 0);
        ENSURE(memcmp(dx[0], dx[1], x_floats * sizeof(float)) == 0);
        nn_close(nn);
        for (int k = 0; k < 2; k++) free(y[k]), free(dx[k]), free(dw[k]);
    }
}

enum { PICTURES = 4, CHANNELS = 48, SIDE = 12, PLANE = SIDE * SIDE };
enum { FLOATS = PICTURES * CHANNELS * PLANE };

/* Computes y of a plan for x, sliced or not. */
static void run_plan(nn_context *nn, bool direct, bool sliced, const float *x, float *y) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, CHANNELS, SIDE, SIDE));
    nn_node *out = nn_conv2d(
        net, "conv", in,
        &(nn_conv2d_desc){.out_channels = CHANNELS, .kernel = 3, .padding = 1, .no_bias = true});
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out),
                                                      .batch = PICTURES,
                                                      .direct_convolutions = direct});
    nn_upload(plan, in, x, FLOATS * sizeof(float));
    if (sliced)
        while (nn_run_for(plan, 1) == NN_PENDING) continue;
    else
        nn_run(plan);
    nn_download(plan, out, y, FLOATS * sizeof(float));
    nn_free_model(net);
}

static float numbers[FLOATS], direct[FLOATS], fast[FLOATS], again[FLOATS];

static bool has_vectors(nn_context *nn) {
    return strcmp(nn_instruction_set_name(nn), "plain") != 0;
}

/* A plan that asks for direct convolutions computes other bytes where there are vectors, but
   numbers that are close; slices change no byte. */
static void test_direct(void) {
    nn_context *nn = open_with(NN_INSTRUCTIONS_DEFAULT, 2);
    for (int i = 0; i < FLOATS; i++) numbers[i] = (float)below(1000) / 500.0f - 1.0f;
    run_plan(nn, false, false, numbers, fast);
    run_plan(nn, true, false, numbers, direct);
    ENSURE(nn_error(nn) == NULL);
    double most = 0;
    for (int i = 0; i < FLOATS; i++) most = fmax(most, fabs((double)fast[i] - (double)direct[i]));
    ENSURE(most < 1e-5);
    ENSURE((memcmp(fast, direct, sizeof fast) != 0) == has_vectors(nn));
    run_plan(nn, false, true, numbers, again);
    ENSURE(memcmp(fast, again, sizeof fast) == 0);
    nn_close(nn);
}

static void train_once(nn_context *nn, bool asked, float *weight) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, CHANNELS, SIDE, SIDE)), *y = x;
    for (int i = 0; i < 2; i++)
        y = nn_conv2d(net, i ? "b" : "a", y,
                      &(nn_conv2d_desc){.out_channels = CHANNELS, .kernel = 3, .padding = 1});
    nn_trainer *trainer =
        nn_make_trainer(net, nn_mean(net, nn_square(net, y), NN_ALL_AXES),
                        &(nn_trainer_desc){.batch = PICTURES,
                                           .learning_rate = 1,
                                           .direct_convolutions = asked});
    nn_upload(nn_trainer_plan(trainer), x, numbers, sizeof numbers);
    nn_train_on_inputs(trainer);
    memcpy(weight, nn_tensor_data(nn_find_tensor(net, "a.weight")), 9 * CHANNELS * CHANNELS * 4);
    nn_free_model(net);
}

static void test_direct_trainer(void) {
    nn_context *nn = open_with(NN_INSTRUCTIONS_DEFAULT, 2);
    const size_t bytes = 9 * CHANNELS * CHANNELS * 4;
    train_once(nn, false, fast);
    train_once(nn, true, direct);
    ENSURE(nn_error(nn) == NULL);
    ENSURE((memcmp(fast, direct, bytes) != 0) == has_vectors(nn));
    train_once(nn, true, again);
    ENSURE(memcmp(direct, again, bytes) == 0);
    nn_close(nn);
}

/* An infinity or a NaN reaches every tile whose 6 x 6 inputs contain it, and no other tile, image
   or channel of y. With direct sums it reaches only 3 x 3 results. */
static void test_not_finite(void) {
    nn_context *nn = open_with(NN_INSTRUCTIONS_DEFAULT, 2);
    for (int i = 0; i < FLOATS; i++) numbers[i] = (float)below(1000) / 500.0f - 1.0f;
    run_plan(nn, false, false, numbers, fast);
    for (int what = 0; what < 2; what++) {
        const int n = 1, h = 5, w = 6; /* it reaches only the tile in the middle */
        const float kept = numbers[(n * CHANNELS + 7) * PLANE + h * SIDE + w];
        numbers[(n * CHANNELS + 7) * PLANE + h * SIDE + w] = what ? (float)NAN : (float)INFINITY;
        run_plan(nn, false, false, numbers, again);
        run_plan(nn, true, false, numbers, direct);
        for (int i = 0; i < FLOATS; i++) {
            const int row = i % PLANE / SIDE, column = i % SIDE;
            const bool picture = i / PLANE / CHANNELS == n,
                       near = picture && abs(row - h) <= 1 && abs(column - w) <= 1,
                       tile = picture && row / 4 == 1 && column / 4 == 1;
            ENSURE(isfinite(direct[i]) == !near);
            ENSURE(!near || !isfinite(again[i]));
            if (!has_vectors(nn)) continue;
            ENSURE(isfinite(again[i]) == !tile);
            ENSURE(tile || memcmp(&again[i], &fast[i], sizeof(float)) == 0);
        }
        numbers[(n * CHANNELS + 7) * PLANE + h * SIDE + w] = kept;
    }
    nn_close(nn);
}

/* The last layers of VGG and ResNet need no .scratch_bytes: the transforms of 512 x 512 filters and
   of some images fit into the default. */
static void test_default_scratch(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 2});
    layer l;
    make_layer(&l, nn, (conv){6, 512, 14, 14, 512, 1, 1});
    const nn_conv2d_desc desc = {.padding = 1};
    ENSURE(nn_conv2d_backward(NULL, l.dw, l.db, l.dy, l.x, l.w, &desc, false) == NN_OK);
    errors e = {0, 0, 0, 0};
    measure_weights(&e, &l, 8, false);
    ENSURE(e.most <= 8);
    free_layer(&l);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_accuracy);
    RUN(test_default_scratch);
    RUN(test_shapes);
    RUN(test_few);
    RUN(test_same_bytes);
    RUN(test_direct);
    RUN(test_direct_trainer);
    RUN(test_not_finite);
    return test_report();
}
