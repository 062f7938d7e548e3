/* random_graph.h: draws random nets from a table of operations, each with its plain evaluation in
   double.

   A new operation needs one entry in graph_ops: `choose` picks inputs and numbers and sets the
   shape (false: nothing fits), `build` describes it, `evaluate` computes it. An item is a node, an
   input or a parameter; the parameters of a layer are items of their own, found by name in the
   model. Shapes have the free extents of descriptions, the batch and the time. Values are computed
   while drawing, so that nets whose numbers explode are not drawn. Used by test_random_graphs.c. */
#ifndef NN_RANDOM_GRAPH_H
#define NN_RANDOM_GRAPH_H

#include "nn_more.h"
#include "nn_quantize.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "lists.h"

enum { GRAPH_ITEMS = 64, GRAPH_ELEMENTS = 480, GRAPH_BATCH = 4, GRAPH_TIME = 3, GRAPH_CLASSES = 5 };
enum { GRAPH_RANK = 2 }; /* of adapters */
#define GRAPH_ALPHA 3.0

typedef struct graph graph;
typedef struct graph_item graph_item;
typedef struct graph_op {
    const char *name;
    bool (*choose)(graph *g, graph_item *y);
    nn_node *(*build)(graph *g, nn_model *net, graph_item *y);
    void (*evaluate)(graph *g, graph_item *y);
    int variant; /* for operations that share the three functions */
} graph_op;

/* Which operations are recomputed in the backward pass: none, one block in every third net, or
   several blocks in every net, one of which may contain the loss. */
typedef enum graph_blocks_drawn {
    GRAPH_BLOCK_IN_SOME,
    GRAPH_BLOCK_IN_NONE,
    GRAPH_BLOCKS_IN_ALL
} graph_blocks_drawn;

typedef enum graph_kind { GRAPH_OPERATION, GRAPH_INPUT, GRAPH_LABEL, GRAPH_PARAMETER } graph_kind;

struct graph_item {
    graph_kind kind;
    const graph_op *op;
    int in[6], ins;
    int p[8];
    double f;
    nn_shape shape;
    char name[40];
    bool owned;    /* a layer's parameter, which the layer describes */
    int bytes;     /* for an 8-bit parameter: the axis of its outputs, from 1; otherwise 0 */
    float *scales; /* its scales: v is a whole number up to 127 times the scale of its output */
    bool frozen;   /* a parameter that nn_freeze excludes from training */
    bool detached; /* nothing before it is trained through it */
    double *v; /* values at the current batch and time: room for GRAPH_BATCH * GRAPH_ELEMENTS, then
                  equally many rounding errors of casts */
    nn_node *node;
};

struct graph {
    uint64_t seed, counter;
    graph_item items[GRAPH_ITEMS];
    int count;
    nn_dtype storage; /* of inputs and parameters */
    int batch, time; /* the current ones */
    bool single; /* every operation's results are rounded to float */
    bool hold;   /* for differences: detached items keep their values, and casts their rounding
                    errors */
    bool doubtful; /* f32 has few digits of a result, or a number was so close to the middle
                      between two f16 or bf16 numbers that the last place of a float decides */
    int terms[3], term_kind[3], term_count;
    int blocks; /* a graph_blocks_drawn */
    nn_dtype autocast; /* of regions of nn_autocast_begin; 0: there are none */
    int label, labels; /* items: one label for each sample, and for each step of each sample (0:
                          there are none) */
};

/* ---- random numbers -------------------------------------------------------------------------- */

static uint32_t graph_word(graph *g) {
    uint32_t words[4];
    nn_random_words(g->seed, 99, g->counter++, words);
    return words[0];
}
static int graph_draw(graph *g, int below) { return (int)(graph_word(g) % (uint32_t)below); }
static double graph_uniform(graph *g) { return (double)nn_word_to_uniform(graph_word(g)) * 2 - 1; }

/* ---- shapes ---------------------------------------------------------------------------------- */

static int graph_extent(const graph *g, int extent) {
    return nn__resolve_extent(extent, g->batch, g->time);
}
static int graph_elements(const graph *g, nn_shape s) {
    int n = 1;
    for (int i = 0; i < s.rank; i++) n *= graph_extent(g, s.extent[i]);
    return n;
}
static int graph_sample(nn_shape s) { /* number of elements of one sample at the largest time */
    int n = 1;
    for (int i = 0; i < s.rank; i++) n *= nn__resolve_extent(s.extent[i], 1, GRAPH_TIME);
    return n;
}
static int graph_batches(nn_shape s) { return nn__free_extents(s, NN__OF_BATCH); }
/* Returns the number of elements of axes [first, end). */
static int graph_span(const graph *g, nn_shape s, int first, int end) {
    int n = 1;
    for (int i = first; i < end; i++) n *= graph_extent(g, s.extent[i]);
    return n;
}

/* ---- storage --------------------------------------------------------------------------------- */

/* Rounds to 11 (f16) or 8 (bf16) digits; below the normal numbers, to a fixed place. `doubtful`:
   see graph. */
static double graph_round(nn_dtype dtype, double x, bool *doubtful) {
    int exponent, least = dtype == NN_F16 ? -13 : -125;
    frexp(x, &exponent);
    double place = ldexp(1, (exponent < least ? least : exponent) - (dtype == NN_F16 ? 11 : 8)),
           count = x / place;
    if (fabs(count - floor(count) - 0.5) < 2e-3) *doubtful = true;
    return nearbyint(count) * place;
}

/* ---- items ----------------------------------------------------------------------------------- */

static graph_item *graph_add(graph *g, graph_kind kind, nn_shape shape) {
    graph_item *item = &g->items[g->count];
    memset(item, 0, sizeof *item);
    item->kind = kind;
    item->shape = shape;
    if (kind == GRAPH_PARAMETER) { /* in every fourth net, a third of the parameters */
        uint32_t words[4];
        nn_random_words(g->seed, 97, (uint64_t)g->count, words);
        item->frozen = g->seed % 4 == 3 && words[0] % 3 == 0;
    }
    item->detached = kind != GRAPH_PARAMETER || item->frozen;
    item->v = (double *)calloc(2 * GRAPH_BATCH * GRAPH_ELEMENTS, sizeof(double));
    snprintf(item->name, sizeof item->name, "%c%d", kind == GRAPH_PARAMETER ? 'p' : 'x', g->count);
    g->count++;
    if (kind == GRAPH_LABEL) {
        for (int i = 0; i < GRAPH_BATCH * GRAPH_TIME; i++)
            item->v[i] = graph_draw(g, GRAPH_CLASSES);
    } else {
        for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS; i++) item->v[i] = (float)graph_uniform(g);
    }
    bool near_middle;
    for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS && g->storage != NN_F32 && kind != GRAPH_LABEL;
         i++)
        item->v[i] = graph_round(g->storage, item->v[i], &near_middle);
    return item;
}

/* Adds a parameter of the layer y, as an item after it; -1: too large. */
static int graph_own(graph *g, graph_item *y, const char *part, nn_shape shape) {
    graph_item *item;
    if (g->count >= GRAPH_ITEMS - 4 || graph_sample(shape) > GRAPH_ELEMENTS) return -1;
    item = graph_add(g, GRAPH_PARAMETER, shape);
    item->owned = true;
    snprintf(item->name, sizeof item->name, "%.18s.%.20s", y->name, part);
    return g->count - 1;
}

/* Adds a weight of nn_quantize likewise, with one scale for each index of the axis and values that
   8 bits represent exactly. It is not trained. The name of the layer tells its kind. */
static int graph_own_bytes(graph *g, graph_item *y, nn_shape shape, int axis) {
    const int at = graph_own(g, y, "weight", shape), columns = shape.extent[1];
    if (at < 0) return at;
    graph_item *item = &g->items[at];
    item->detached = true;
    item->bytes = axis + 1;
    item->scales = (float *)calloc((size_t)shape.extent[axis], sizeof(float));
    for (int k = 0; k < shape.extent[axis]; k++)
        item->scales[k] = (float)(64 + graph_draw(g, 192)) / 32768;
    for (int i = 0, all = shape.extent[0] * columns; i < all; i++)
        item->v[i] = (graph_draw(g, 255) - 127) * (double)item->scales[axis ? i % columns
                                                                            : i / columns];
    return at;
}

/* Picks any item with numbers; -1: none found that `fits`. */
static int graph_pick(graph *g, bool (*fits)(const graph_item *item)) {
    for (int tries = 0; tries < 12; tries++) {
        int from =
            g->count - 1 - graph_draw(g, g->count < 8 || graph_draw(g, 3) == 0 ? g->count : 8);
        const graph_item *item = &g->items[from];
        if (item->kind != GRAPH_LABEL && !item->owned && (!fits || fits(item))) return from;
    }
    return -1;
}
static bool graph_any(const graph_item *item) { return item->shape.rank >= 1; }
static bool graph_image(const graph_item *item) {
    const nn_shape *s = &item->shape;
    return s->rank == 4 && s->extent[1] > 0 && s->extent[2] > 0 && s->extent[3] > 0;
}
static bool graph_last_known(const graph_item *item) {
    return item->shape.rank >= 1 && item->shape.extent[item->shape.rank - 1] > 0;
}

#define IN(k)  (&g->items[y->in[k]])
#define V(k)   (IN(k)->v)
#define KEEP(x) (g->single ? (double)(float)(x) : (x))

/* ---- layers ---------------------------------------------------------------------------------- */

/* Bits of the variant: a transposed weight; an adapter of nn_lora, whose two weights are trained
   like all others; an 8-bit weight. */
enum { LINEAR_TURNED = 1, LINEAR_ADAPTED = 2, LINEAR_BYTES = 4 };
static const char *const graph_layers[] = {"plain", "tuned", "byte", "tuned_byte"};

static bool graph_choose_linear(graph *g, graph_item *y) {
    const int variant = y->op->variant;
    const bool turned = variant & LINEAR_TURNED, adapted = variant & LINEAR_ADAPTED;
    if (adapted && g->storage != NN_F32) return false; /* adapters are f32 in any model */
    if (variant > 1) snprintf(y->name, sizeof y->name, "L%d.%s", g->count, graph_layers[variant / 2]);
    if ((y->in[0] = graph_pick(g, graph_last_known)) < 0) return false;
    nn_shape x = IN(0)->shape;
    int in = x.extent[x.rank - 1], out = 1 + graph_draw(g, 6);
    y->shape = x;
    y->shape.extent[x.rank - 1] = out;
    const nn_shape weight = turned ? NN_SHAPE(in, out) : NN_SHAPE(out, in);
    y->in[1] = variant & LINEAR_BYTES ? graph_own_bytes(g, y, weight, turned)
                                      : graph_own(g, y, "weight", weight);
    y->p[0] = graph_draw(g, 3) > 0;
    if (y->p[0]) y->in[2] = graph_own(g, y, "bias", NN_SHAPE(out));
    y->ins = 2 + y->p[0];
    if (adapted) {
        y->in[y->ins++] = graph_own(g, y, "lora_A.weight", NN_SHAPE(GRAPH_RANK, in));
        y->in[y->ins++] = graph_own(g, y, "lora_B.weight", NN_SHAPE(out, GRAPH_RANK));
    }
    for (int k = 1; k < y->ins; k++)
        if (y->in[k] < 0) return false;
    return true;
}
static nn_node *graph_build_linear(graph *g, nn_model *net, graph_item *y) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = y->shape.extent[y->shape.rank - 1];
    desc.no_bias = !y->p[0];
    if (y->op->variant & LINEAR_TURNED) return nn_linear_transposed(net, y->name, IN(0)->node, &desc);
    return nn_linear(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_linear(graph *g, graph_item *y) {
    int out = y->shape.extent[y->shape.rank - 1], in = IN(1)->shape.extent[y->op->variant % 2 == 0];
    int rows = graph_span(g, y->shape, 0, y->shape.rank - 1);
    const bool turned = y->op->variant & LINEAR_TURNED; /* the weight is (in, out) */
    const bool adapted = y->op->variant & LINEAR_ADAPTED;
    for (int r = 0; r < rows; r++) {
        double small[GRAPH_RANK] = {0};
        for (int a = 0; a < GRAPH_RANK && adapted; a++)
            for (int i = 0; i < in; i++)
                small[a] = KEEP(small[a] + V(0)[r * in + i] * V(y->ins - 2)[a * in + i]);
        for (int o = 0; o < out; o++) {
            double sum = 0;
            for (int i = 0; i < in; i++)
                sum = KEEP(sum + V(0)[r * in + i] * V(1)[turned ? i * out + o : o * in + i]);
            sum = KEEP(sum + (y->p[0] ? V(2)[o] : 0));
            for (int a = 0; a < GRAPH_RANK && adapted; a++)
                sum = KEEP(sum + GRAPH_ALPHA / GRAPH_RANK * small[a] *
                                     V(y->ins - 1)[o * GRAPH_RANK + a]);
            y->v[r * out + o] = sum;
        }
    }
}

/* Broadcasts the batch axes: the axes of a and b before the last two. False: they do not fit. */
static bool graph_batch_of(nn_shape a, nn_shape b, nn_shape *y) {
    const int rank = a.rank > b.rank ? a.rank : b.rank;
    memset(y, 0, sizeof *y);
    for (int i = rank - 3; i >= 0; i--) { /* i: from the last axis */
        int p = i < a.rank - 2 ? a.extent[a.rank - 3 - i] : 1,
            q = i < b.rank - 2 ? b.extent[b.rank - 3 - i] : 1;
        if (p != q && p != 1 && q != 1) return false;
        y->extent[y->rank++] = p == 1 ? q : p;
    }
    return true;
}
/* Sets the shape if the two can be multiplied. p[0], p[1]: transposed. */
static bool graph_multiplies(const graph *g, graph_item *y) {
    const nn_shape a = IN(0)->shape, b = IN(1)->shape;
    const int k = a.extent[a.rank - (a.rank > 1 && y->p[0] ? 2 : 1)];
    if (b.extent[b.rank - (b.rank > 1 && !y->p[1] ? 2 : 1)] != k) return false;
    if (!graph_batch_of(a, b, &y->shape)) return false;
    if (a.rank > 1) y->shape.extent[y->shape.rank++] = a.extent[a.rank - (y->p[0] ? 1 : 2)];
    if (b.rank > 1) y->shape.extent[y->shape.rank++] = b.extent[b.rank - (y->p[1] ? 2 : 1)];
    return graph_batches(y->shape) < 2 && graph_sample(y->shape) <= GRAPH_ELEMENTS;
}
static bool graph_choose_matmul(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    const nn_shape a = IN(0)->shape;
    y->ins = 2;
    y->p[0] = a.rank > 1 && graph_draw(g, 3) == 0;
    for (int tries = 0; tries < 8; tries++) { /* tries another item */
        if ((y->in[1] = graph_pick(g, graph_any)) < 0) return false;
        y->p[1] = IN(1)->shape.rank > 1 && graph_draw(g, 2);
        if (graph_multiplies(g, y)) return true;
    }
    const int k = a.extent[a.rank - (y->p[0] ? 2 : 1)], n = 1 + graph_draw(g, 5);
    nn_shape b;
    if (k < 0 || g->count >= GRAPH_ITEMS - 4) return false;
    memset(&b, 0, sizeof b);
    if (graph_draw(g, 3) == 0) b.extent[b.rank++] = 1 + graph_draw(g, 2);
    y->p[1] = graph_draw(g, 2);
    b.extent[b.rank++] = y->p[1] ? n : k;
    b.extent[b.rank++] = y->p[1] ? k : n;
    graph_add(g, GRAPH_PARAMETER, b);
    y->in[1] = g->count - 1;
    return graph_multiplies(g, y);
}
static nn_node *graph_build_matmul(graph *g, nn_model *net, graph_item *y) {
    nn_matmul_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.transpose_a = y->p[0];
    desc.transpose_b = y->p[1];
    return nn_matmul(net, IN(0)->node, IN(1)->node, &desc);
}
/* Returns the number of the matrix of x that product `which` of y's batch uses. */
static int graph_matrix_of(const graph *g, nn_shape x, nn_shape batch, int which) {
    int at = 0, step = 1;
    for (int i = 0; i < batch.rank; i++) { /* from the last axis */
        int extent = graph_extent(g, batch.extent[batch.rank - 1 - i]),
            own = i < x.rank - 2 ? graph_extent(g, x.extent[x.rank - 3 - i]) : 1;
        if (own > 1) at += which % extent * step;
        which /= extent;
        step *= own;
    }
    return at;
}
static void graph_eval_matmul(graph *g, graph_item *y) {
    const nn_shape a = IN(0)->shape, b = IN(1)->shape;
    const int ta = y->p[0], tb = y->p[1];
    nn_shape batch;
    (void)graph_batch_of(a, b, &batch);
    const int products = graph_span(g, batch, 0, batch.rank);
    const int m = a.rank > 1 ? graph_extent(g, a.extent[a.rank - (ta ? 1 : 2)]) : 1,
              k = graph_extent(g, a.extent[a.rank - (ta ? 2 : 1)]),
              n = b.rank > 1 ? graph_extent(g, b.extent[b.rank - (tb ? 2 : 1)]) : 1;
    for (int i = 0; i < products * m * n; i++) {
        const int which = i / (m * n), r = i / n % m, c = i % n;
        const double *p = V(0) + graph_matrix_of(g, a, batch, which) * m * k,
                     *q = V(1) + graph_matrix_of(g, b, batch, which) * k * n;
        double sum = 0;
        for (int l = 0; l < k; l++)
            sum = KEEP(sum + p[ta ? l * m + r : r * k + l] * q[tb ? c * k + l : l * n + c]);
        y->v[i] = sum;
    }
}

static bool graph_choose_conv2d(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    nn_shape x = IN(0)->shape;
    int *p = y->p, C = x.extent[1], groups = C > 1 && graph_draw(g, 3) == 0 ? (C % 2 ? C : 2) : 1;
    int K = groups * (1 + graph_draw(g, 3));
    if (groups == 1 && graph_draw(g, 3) == 0) K = 8 + graph_draw(g, 9); /* a vector of channels */
    p[0] = 1 + graph_draw(g, 3), p[1] = 1 + graph_draw(g, 3), p[2] = 1 + graph_draw(g, 2),
    p[3] = graph_draw(g, 2);
    p[4] = 1 + graph_draw(g, 2), p[5] = groups, p[6] = graph_draw(g, 3) > 0;
    int OH = (x.extent[2] + 2 * p[3] - p[4] * (p[0] - 1) - 1) / p[2] + 1;
    int OW = (x.extent[3] + 2 * p[3] - p[4] * (p[1] - 1) - 1) / p[2] + 1;
    if (x.extent[2] + 2 * p[3] < p[4] * (p[0] - 1) + 1 ||
        x.extent[3] + 2 * p[3] < p[4] * (p[1] - 1) + 1)
        return false;
    y->shape = x;
    y->shape.extent[1] = K, y->shape.extent[2] = OH, y->shape.extent[3] = OW;
    if (graph_sample(y->shape) > GRAPH_ELEMENTS) return false;
    y->in[1] = graph_own(g, y, "weight", NN_SHAPE(K, C / groups, p[0], p[1]));
    if (p[6]) y->in[2] = graph_own(g, y, "bias", NN_SHAPE(K));
    y->ins = 2 + p[6];
    return y->in[1] >= 0;
}
static nn_node *graph_build_conv2d(graph *g, nn_model *net, graph_item *y) {
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = y->shape.extent[1];
    desc.kernel = y->p[0], desc.kernel_w = y->p[1], desc.stride = y->p[2], desc.padding = y->p[3];
    desc.dilation = y->p[4], desc.groups = y->p[5], desc.no_bias = !y->p[6];
    return nn_conv2d(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_conv2d(graph *g, graph_item *y) {
    const int *p = y->p, *ye = y->shape.extent, *xe = IN(0)->shape.extent, each = xe[1] / p[5];
    int N = graph_extent(g, ye[0]), i = 0;
    for (int n = 0; n < N; n++)
        for (int k = 0; k < ye[1]; k++)
            for (int oh = 0; oh < ye[2]; oh++)
                for (int ow = 0; ow < ye[3]; ow++) {
                    double sum = p[6] ? V(2)[k] : 0;
                    for (int c = 0; c < each; c++)
                        for (int r = 0; r < p[0]; r++)
                            for (int s = 0; s < p[1]; s++) {
                                int h = oh * p[2] - p[3] + r * p[4],
                                    w = ow * p[2] - p[3] + s * p[4];
                                int channel = k / (ye[1] / p[5]) * each + c;
                                if (h < 0 || w < 0 || h >= xe[2] || w >= xe[3]) continue;
                                sum = KEEP(sum +
                                           V(0)[((n * xe[1] + channel) * xe[2] + h) * xe[3] + w] *
                                               V(1)[((k * each + c) * p[0] + r) * p[1] + s]);
                            }
                    y->v[i++] = sum;
                }
}

/* (batch, channels, places); the number of places may be the time. */
static bool graph_line(const graph_item *item) {
    const nn_shape *s = &item->shape;
    return s->rank == 3 && s->extent[1] > 0 && nn__extent_kind(s->extent[2]) % 2 == 0;
}
/* A test that clears the states before each run sets this. */
static TEST_UNUSED bool graph_memories;
/* True if a layer on x keeps a state from run to run. No number is drawn for it, so that the other
   layers of a seed stay as they were. */
static bool graph_remembers(const graph *g, const graph_item *x) {
    return graph_memories && x->shape.extent[0] == NN_BATCH && (g->seed + (uint64_t)g->count) % 3 == 0;
}
/* p: kernel, stride, padding, padding_right, dilation, groups, bias; same, or 2: a stream */
static bool graph_choose_conv1d(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_line)) < 0) return false;
    nn_shape x = IN(0)->shape;
    int *p = y->p, C = x.extent[1], K;
    p[5] = graph_draw(g, 3) == 0 ? C : 1, K = p[5] * (1 + graph_draw(g, 2));
    p[0] = 1 + graph_draw(g, 3), p[1] = 1 + graph_draw(g, 2), p[4] = 1 + graph_draw(g, 2);
    p[2] = graph_draw(g, 3), p[3] = graph_draw(g, 3), p[6] = graph_draw(g, 3) > 0;
    p[7] = x.extent[2] < 0 || graph_draw(g, 3) == 0;
    y->shape = x;
    y->shape.extent[1] = K;
    if (p[7]) { /* an odd place goes to the right */
        p[1] = 1, p[2] = p[4] * (p[0] - 1) / 2, p[3] = p[4] * (p[0] - 1) - p[2];
        if (graph_remembers(g, IN(0))) p[2] += p[3], p[3] = 0, p[7] = 2;
    } else {
        int room = x.extent[2] + p[2] + p[3] - p[4] * (p[0] - 1) - 1;
        if (room < 0) return false;
        y->shape.extent[2] = room / p[1] + 1;
    }
    if (graph_sample(y->shape) > GRAPH_ELEMENTS) return false;
    y->in[1] = graph_own(g, y, "weight", NN_SHAPE(K, C / p[5], p[0]));
    if (p[6]) y->in[2] = graph_own(g, y, "bias", NN_SHAPE(K));
    y->ins = 2 + p[6];
    return y->in[1] >= 0;
}
static nn_node *graph_build_conv1d(graph *g, nn_model *net, graph_item *y) {
    const int *p = y->p;
    nn_conv1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = y->shape.extent[1], desc.kernel = p[0], desc.dilation = p[4];
    desc.groups = p[5], desc.no_bias = !p[6], desc.same = p[7] == 1, desc.streaming = p[7] == 2;
    if (!p[7]) desc.stride = p[1], desc.padding = p[2], desc.padding_right = p[3] ? p[3] : NN_NONE;
    return nn_conv1d(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_conv1d(graph *g, graph_item *y) {
    const int *p = y->p, C = IN(0)->shape.extent[1], K = y->shape.extent[1], each = C / p[5];
    int N = graph_extent(g, y->shape.extent[0]), L = graph_extent(g, IN(0)->shape.extent[2]),
        OL = graph_extent(g, y->shape.extent[2]), i = 0;
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int o = 0; o < OL; o++) {
                double sum = p[6] ? V(2)[k] : 0;
                for (int c = 0; c < each; c++)
                    for (int r = 0; r < p[0]; r++) {
                        int l = o * p[1] - p[2] + r * p[4], channel = k / (K / p[5]) * each + c;
                        if (l < 0 || l >= L) continue;
                        sum = KEEP(sum + V(0)[(n * C + channel) * L + l] *
                                             V(1)[(k * each + c) * p[0] + r]);
                    }
                y->v[i++] = sum;
            }
}

/* p: kernel, kernel_w, stride, padding, output_padding, dilation, groups, bias */
static bool graph_choose_transposed(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    nn_shape x = IN(0)->shape;
    int *p = y->p, C = x.extent[1];
    p[6] = C > 1 && graph_draw(g, 3) == 0 ? C : 1;
    int K = p[6] * (1 + graph_draw(g, 2));
    p[0] = 1 + graph_draw(g, 3), p[1] = 1 + graph_draw(g, 3), p[2] = 1 + graph_draw(g, 3);
    p[3] = graph_draw(g, 2), p[5] = 1 + graph_draw(g, 2), p[7] = graph_draw(g, 3) > 0;
    p[4] = graph_draw(g, p[2] > p[5] ? p[2] : p[5]);
    y->shape = x;
    y->shape.extent[1] = K;
    for (int i = 0; i < 2; i++) {
        y->shape.extent[2 + i] =
            (x.extent[2 + i] - 1) * p[2] - 2 * p[3] + p[5] * (p[i] - 1) + p[4] + 1;
        if (y->shape.extent[2 + i] < 1) return false;
    }
    if (graph_sample(y->shape) > GRAPH_ELEMENTS) return false;
    y->in[1] = graph_own(g, y, "weight", NN_SHAPE(C, K / p[6], p[0], p[1]));
    if (p[7]) y->in[2] = graph_own(g, y, "bias", NN_SHAPE(K));
    y->ins = 2 + p[7];
    return y->in[1] >= 0;
}
static nn_node *graph_build_transposed(graph *g, nn_model *net, graph_item *y) {
    const int *p = y->p;
    nn_conv_transpose2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = y->shape.extent[1], desc.kernel = p[0], desc.kernel_w = p[1];
    desc.stride = p[2], desc.padding = p[3], desc.output_padding = p[4], desc.dilation = p[5];
    desc.groups = p[6], desc.no_bias = !p[7];
    return nn_conv_transpose2d(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_transposed(graph *g, graph_item *y) {
    const int *p = y->p, *ye = y->shape.extent, *xe = IN(0)->shape.extent;
    int N = graph_extent(g, ye[0]), C = xe[1], each = C / p[6], out = ye[1] / p[6], i = 0;
    for (int n = 0; n < N; n++)
        for (int k = 0; k < ye[1]; k++)
            for (int oh = 0; oh < ye[2]; oh++)
                for (int ow = 0; ow < ye[3]; ow++) {
                    double sum = p[7] ? V(2)[k] : 0;
                    for (int c = k / out * each; c < (k / out + 1) * each; c++)
                        for (int r = 0; r < p[0]; r++)
                            for (int s = 0; s < p[1]; s++) {
                                int h = oh + p[3] - r * p[5], w = ow + p[3] - s * p[5];
                                if (h < 0 || w < 0 || h % p[2] || w % p[2]) continue;
                                h /= p[2], w /= p[2];
                                if (h >= xe[2] || w >= xe[3]) continue;
                                sum = KEEP(sum +
                                           V(0)[((n * C + c) * xe[2] + h) * xe[3] + w] *
                                               V(1)[((c * out + k % out) * p[0] + r) * p[1] + s]);
                            }
                    y->v[i++] = sum;
                }
}

/* Returns the number of windows of a pool along an axis, as in PyTorch; 0: none. */
static int graph_pool_extent(int extent, int reach, int stride, int padding, bool ceil) {
    const int room = extent + 2 * padding - reach + (ceil ? stride - 1 : 0);
    int windows = room < 0 ? 0 : room / stride + 1;
    if (ceil && windows && (windows - 1) * stride >= extent + padding) windows--;
    return windows;
}

/* variant: the mode of nn_pad. p: left, right, top, bottom; negative ones cut */
static bool graph_choose_pad_mode(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    for (int i = 0; i < 4; i++) {
        int32_t *extent = &y->shape.extent[i < 2 ? 3 : 2];
        int room = IN(0)->shape.extent[i < 2 ? 3 : 2] - (y->op->variant == NN_PADDING_REFLECT);
        y->p[i] = room > 3 && graph_draw(g, 4) == 0 ? -1 : graph_draw(g, room > 2 ? 3 : room + 1);
        *extent += y->p[i];
    }
    return true;
}
static nn_node *graph_build_pad_mode(graph *g, nn_model *net, graph_item *y) {
    nn_pad_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.left = y->p[0], desc.right = y->p[1], desc.top = y->p[2], desc.bottom = y->p[3];
    desc.mode = (nn_padding_mode)y->op->variant;
    return nn_pad(net, IN(0)->node, &desc);
}
/* Returns the source of place i of an axis: circular padding is cut first, the others last. */
static int graph_padded(int mode, int i, int extent, int before, int after) {
    int cut = before < 0 ? -before : 0, left = extent - cut - (after < 0 ? -after : 0);
    i -= before;
    if (mode == NN_PADDING_CIRCULAR) return ((i - cut) % left + left) % left + cut;
    if (mode == NN_PADDING_REPLICATE) return i < 0 ? 0 : i >= extent ? extent - 1 : i;
    return i < 0 ? -i : i >= extent ? 2 * (extent - 1) - i : i;
}
static void graph_eval_pad_mode(graph *g, graph_item *y) {
    const int *p = y->p, *ye = y->shape.extent, *xe = IN(0)->shape.extent;
    int planes = graph_extent(g, ye[0]) * ye[1], i = 0;
    for (int n = 0; n < planes; n++)
        for (int h = 0; h < ye[2]; h++)
            for (int w = 0; w < ye[3]; w++)
                y->v[i++] = V(0)[(n * xe[2] + graph_padded(y->op->variant, h, xe[2], p[2], p[3])) *
                                     xe[3] +
                                 graph_padded(y->op->variant, w, xe[3], p[0], p[1])];
}

/* variant 0: maximum, 1: average */
static bool graph_choose_pool(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    nn_shape x = IN(0)->shape;
    y->ins = 1;
    y->p[0] = 2 + graph_draw(g, 2), y->p[1] = 1 + graph_draw(g, 3), y->p[2] = graph_draw(g, 2);
    y->p[3] = y->op->variant ? 1 : 1 + graph_draw(g, 2); /* dilation */
    y->p[4] = graph_draw(g, 2); /* rounded up */
    y->shape = x;
    for (int i = 2; i < 4; i++) {
        y->shape.extent[i] = graph_pool_extent(x.extent[i], (y->p[0] - 1) * y->p[3] + 1, y->p[1],
                                               y->p[2], y->p[4] != 0);
        if (!y->shape.extent[i]) return false;
    }
    return true;
}
static nn_node *graph_build_pool(graph *g, nn_model *net, graph_item *y) {
    nn_pool2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = y->p[0], desc.stride = y->p[1], desc.padding = y->p[2];
    desc.dilation = y->p[3], desc.ceil = y->p[4] != 0;
    return y->op->variant ? nn_avg_pool2d(net, IN(0)->node, &desc)
                          : nn_max_pool2d(net, IN(0)->node, &desc);
}
/* Returns the number of positions of window o that an average divides by, including those in the
   padding but none beyond. */
static int graph_counted(int o, const int *p, int extent) {
    const int first = o * p[1] - p[2], end = first + p[0];
    return (end < extent + p[2] ? end : extent + p[2]) - first;
}
static void graph_eval_pool(graph *g, graph_item *y) {
    const int *p = y->p, *ye = y->shape.extent, *xe = IN(0)->shape.extent;
    int planes = graph_extent(g, ye[0]) * ye[1], i = 0;
    for (int n = 0; n < planes; n++)
        for (int oh = 0; oh < ye[2]; oh++)
            for (int ow = 0; ow < ye[3]; ow++) {
                double sum = 0, most = -INFINITY;
                for (int r = 0; r < p[0]; r++)
                    for (int s = 0; s < p[0]; s++) {
                        int h = oh * p[1] - p[2] + r * p[3], w = ow * p[1] - p[2] + s * p[3];
                        if (h < 0 || w < 0 || h >= xe[2] || w >= xe[3]) continue;
                        double x = V(0)[(n * xe[2] + h) * xe[3] + w];
                        sum = KEEP(sum + x);
                        if (x > most) most = x;
                    }
                y->v[i++] = y->op->variant ? KEEP(sum / (graph_counted(oh, p, xe[2]) *
                                                         graph_counted(ow, p, xe[3])))
                                           : most;
            }
}

/* Pools over lines, whose number of places may be the time: windows keep it or divide it. variant
   0: maximum, 1: average, + 2: adaptive, p[3] its result. p: kernel, stride, padding */
static bool graph_choose_pool1d(graph *g, graph_item *y) {
    static const int keep[][3] = {{1, 1, 0}, {3, 1, 1}, {2, 2, 0}, {3, 2, 1}};
    if ((y->in[0] = graph_pick(g, graph_line)) < 0) return false;
    const int32_t L = IN(0)->shape.extent[2];
    int *p = y->p;
    y->ins = 1;
    y->shape = IN(0)->shape;
    memcpy(p, keep[graph_draw(g, 4)], sizeof keep[0]);
    p[3] = 1 + graph_draw(g, 3);
    if (y->op->variant & 2) {
        y->shape.extent[2] = p[3];
        return true;
    }
    if (L >= 0) {
        if (L + 2 * p[2] < p[0]) return false;
        y->shape.extent[2] = (L + 2 * p[2] - p[0]) / p[1] + 1;
        return true;
    }
    return nn__extent_factor(L) % p[1] == 0 &&
           nn__extent_make(nn__extent_factor(L) / p[1], nn__extent_kind(L), &y->shape.extent[2]);
}
static nn_node *graph_build_pool1d(graph *g, nn_model *net, graph_item *y) {
    nn_pool1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = y->p[0], desc.stride = y->p[1], desc.padding = y->p[2];
    switch (y->op->variant) {
    case 0: return nn_max_pool1d(net, IN(0)->node, &desc);
    case 1: return nn_avg_pool1d(net, IN(0)->node, &desc);
    case 2: return nn_adaptive_max_pool1d(net, IN(0)->node, y->p[3]);
    default: return nn_adaptive_avg_pool1d(net, IN(0)->node, y->p[3]);
    }
}
static void graph_eval_pool1d(graph *g, graph_item *y) {
    const int *p = y->p, L = graph_extent(g, IN(0)->shape.extent[2]),
              OL = graph_extent(g, y->shape.extent[2]),
              lines = graph_extent(g, y->shape.extent[0]) * y->shape.extent[1];
    const bool adaptive = y->op->variant >= 2;
    for (int n = 0; n < lines; n++)
        for (int o = 0; o < OL; o++) {
            const int first = adaptive ? o * L / OL : o * p[1] - p[2],
                      end = adaptive ? ((o + 1) * L + OL - 1) / OL : first + p[0];
            double sum = 0, most = -INFINITY;
            for (int l = first < 0 ? 0 : first; l < end && l < L; l++) {
                sum = KEEP(sum + V(0)[n * L + l]);
                if (V(0)[n * L + l] > most) most = V(0)[n * L + l];
            }
            y->v[n * OL + o] =
                y->op->variant & 1 ? KEEP(sum / (adaptive ? end - first : p[0])) : most;
        }
}

/* variant 0: maximum, 1: average. p: extents of the result */
static bool graph_choose_adaptive(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    for (int i = 0; i < 2; i++) y->p[i] = y->shape.extent[2 + i] = 1 + graph_draw(g, 4);
    return true;
}
static nn_node *graph_build_adaptive(graph *g, nn_model *net, graph_item *y) {
    (void)g;
    return y->op->variant ? nn_adaptive_avg_pool2d(net, IN(0)->node, y->p[0], y->p[1])
                          : nn_adaptive_max_pool2d(net, IN(0)->node, y->p[0], y->p[1]);
}
static void graph_eval_adaptive(graph *g, graph_item *y) {
    const int *ye = y->shape.extent, *xe = IN(0)->shape.extent;
    int planes = graph_extent(g, ye[0]) * ye[1], i = 0;
    for (int n = 0; n < planes; n++)
        for (int oh = 0; oh < ye[2]; oh++)
            for (int ow = 0; ow < ye[3]; ow++) {
                double sum = 0, most = -INFINITY;
                int count = 0;
                for (int h = oh * xe[2] / ye[2]; h * ye[2] < (oh + 1) * xe[2]; h++)
                    for (int w = ow * xe[3] / ye[3]; w * ye[3] < (ow + 1) * xe[3]; w++) {
                        double x = V(0)[(n * xe[2] + h) * xe[3] + w];
                        sum = KEEP(sum + x);
                        if (x > most) most = x;
                        count++;
                    }
                y->v[i++] = y->op->variant ? KEEP(sum / count) : most;
            }
}

/* variant: nn_resize_mode. p: extents of the result, or by scale_factor f; p[2]: align_corners */
static bool graph_choose_resize(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->f = graph_draw(g, 2) ? 0.0 : 0.75 + 0.75 * graph_draw(g, 2);
    y->p[2] = y->op->variant >= NN_RESIZE_LINEAR && graph_draw(g, 2);
    for (int i = 0; i < 2; i++) {
        int *e = &y->shape.extent[2 + i];
        *e = y->p[i] = y->f > 0 ? (int)(*e * y->f) : 1 + graph_draw(g, 5);
        if (*e < 1 || *e > 6) return false;
    }
    return true;
}
static nn_node *graph_build_resize(graph *g, nn_model *net, graph_item *y) {
    nn_resize_desc desc;
    (void)g;
    memset(&desc, 0, sizeof desc);
    desc.mode = (nn_resize_mode)y->op->variant, desc.align_corners = y->p[2] > 0;
    desc.scale_factor = y->f;
    if (!(y->f > 0)) desc.size = y->p[0], desc.size_w = y->p[1];
    return nn_resize(net, IN(0)->node, &desc);
}
/* Stores the four places and weights of number i of y along an axis in `at` and `w`. */
static void graph_resize_axis(graph *g, graph_item *y, int i, int x, int out, int *at, double *w) {
    const bool cubic = y->op->variant == NN_RESIZE_CUBIC;
    const double step = y->p[2]     ? (out > 1 ? (x - 1.0) / (out - 1) : 0)
                        : y->f > 0 ? 1 / y->f
                                    : (double)x / out;
    double s = y->p[2] ? i * step : (i + 0.5) * step - 0.5;
    if (y->op->variant == NN_RESIZE_NEAREST) s = floor((double)((float)i * (float)step));
    if (!cubic && s < 0) s = 0;
    if (y->op->variant == NN_RESIZE_LINEAR && x == out) s = i;
    const int below = (int)fmin(floor(s), x - 1);
    const double t = KEEP(fmin(s - below, 1)), u = 1 - t, a = -0.75;
    for (int k = 0; k < 4; k++) {
        const int j = below - 1 + k;
        at[k] = j < 0 ? 0 : j >= x ? x - 1 : j;
        w[k] = 0;
    }
    w[1] = KEEP(u), w[2] = t;
    if (!cubic) return;
    w[0] = KEEP(a * (t * t * t - 2 * t * t + t)), w[3] = KEEP(a * (u * u * u - 2 * u * u + u));
    w[1] = KEEP((a + 2) * t * t * t - (a + 3) * t * t + 1);
    w[2] = KEEP((a + 2) * u * u * u - (a + 3) * u * u + 1);
}
static void graph_eval_resize(graph *g, graph_item *y) {
    const int *ye = y->shape.extent, *xe = IN(0)->shape.extent;
    const int planes = graph_extent(g, ye[0]) * ye[1];
    int h[4], w[4], i = 0;
    double wh[4], ww[4];
    for (int n = 0; n < planes; n++)
        for (int oh = 0; oh < ye[2]; oh++)
            for (int ow = 0; ow < ye[3]; ow++) {
                double sum = 0;
                graph_resize_axis(g, y, oh, xe[2], ye[2], h, wh);
                graph_resize_axis(g, y, ow, xe[3], ye[3], w, ww);
                for (int a = 0; a < 4; a++)
                    for (int b = 0; b < 4; b++)
                        if (wh[a] != 0 && ww[b] != 0)
                            sum =
                                KEEP(sum + wh[a] * ww[b] * V(0)[(n * xe[2] + h[a]) * xe[3] + w[b]]);
                y->v[i++] = sum;
            }
}

/* Bilinear grid sampling. The places are the first two channels of the second image. p: padding,
   align_corners */
static bool graph_choose_grid(graph *g, graph_item *y) {
    for (int k = 0; k < 2; k++)
        if ((y->in[k] = graph_pick(g, graph_image)) < 0) return false;
    const int *x = IN(0)->shape.extent, *q = IN(1)->shape.extent;
    if (x[0] != q[0] || q[1] < 2) return false;
    y->ins = 2;
    y->shape = IN(0)->shape;
    y->shape.extent[2] = q[2], y->shape.extent[3] = q[3];
    y->p[0] = graph_draw(g, 2), y->p[1] = graph_draw(g, 2);
    return true;
}
static nn_node *graph_build_grid(graph *g, nn_model *net, graph_item *y) {
    nn_slice_desc two = {1, 0, 2, 1};
    nn_grid_sample_desc desc = {NN_GRID_BILINEAR, (nn_grid_padding)y->p[0], y->p[1] > 0};
    (void)g;
    return nn_grid_sample(
        net, IN(0)->node,
        nn_permute(net, nn_slice(net, IN(1)->node, &two), NN_AXES(0, 2, 3, 1)), &desc);
}
/* Converts a place of an axis to pixels. */
static double graph_pixel(graph *g, const graph_item *y, double v, int size) {
    double at = y->p[1] ? KEEP(KEEP(v + 1) / 2 * (size - 1))
                        : KEEP((KEEP(KEEP(v + 1) * size) - 1) / 2);
    return y->p[0] ? fmin(fmax(at, 0), size - 1) : at;
}
static void graph_eval_grid(graph *g, graph_item *y) {
    const int *ye = y->shape.extent, *xe = IN(0)->shape.extent, *qe = IN(1)->shape.extent;
    const int N = graph_extent(g, ye[0]), P = ye[2] * ye[3];
    for (int n = 0; n < N; n++)
        for (int i = 0; i < P; i++) {
            const double w = graph_pixel(g, y, V(1)[n * qe[1] * P + i], xe[3]),
                         h = graph_pixel(g, y, V(1)[(n * qe[1] + 1) * P + i], xe[2]);
            for (int c = 0; c < ye[1]; c++) {
                double sum = 0;
                for (int k = 0; k < xe[2] * xe[3]; k++) {
                    const double a = 1 - fabs(h - k / xe[3]), b = 1 - fabs(w - k % xe[3]);
                    if (a > 0 && b > 0)
                        sum = KEEP(sum + KEEP(KEEP(a) * KEEP(b)) *
                                             V(0)[(n * ye[1] + c) * xe[2] * xe[3] + k]);
                }
                y->v[(n * ye[1] + c) * P + i] = sum;
            }
        }
}

/* ---- other shapes ---------------------------------------------------------------------------- */

/* Joins two adjacent axes, or splits one axis into two factors. */
static bool graph_choose_reshape_free(graph *g, graph_item *y) {
    nn_shape x = IN(0)->shape;
    int32_t *e = y->shape.extent, at = graph_draw(g, x.rank),
            kind = (int32_t)nn__extent_kind(x.extent[at]), low = 1;
    y->shape = x;
    if (at + 1 < x.rank && graph_draw(g, 2)) {
        for (int i = at + 1; i + 1 < x.rank; i++) e[i] = x.extent[i + 1];
        y->shape.rank--;
        return nn__extent_multiply(x.extent[at], x.extent[at + 1], &e[at]);
    }
    if (x.rank == NN_MAX_RANK) return false;
    for (int i = x.rank; i > at + 1; i--) e[i] = x.extent[i - 1];
    y->shape.rank++;
    while (low < 4 && nn__extent_factor(x.extent[at]) % (low + 1) == 0) low++;
    /* batch * time can only be split in this order; other extents may have their factor on either
       side */
    e[at] = kind == 3 ? NN_BATCH : low;
    return nn__extent_make(nn__extent_factor(x.extent[at]) / (kind == 3 ? 1 : low),
                           kind == 3 ? NN__OF_TIME : (unsigned)kind, &e[at + 1]);
}
/* Keeps the first axis and splits the rest anew into 1 to 3 factors. */
static bool graph_choose_reshape(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    int rest = 1, rank = 1 + graph_draw(g, 3), behind = 0;
    y->ins = 1;
    for (int i = 1; i < x.rank; i++) behind += x.extent[i] < 0;
    if (behind || graph_draw(g, 4) == 0) return graph_choose_reshape_free(g, y);
    for (int i = 1; i < x.rank; i++) rest *= x.extent[i];
    y->shape = x;
    y->shape.rank = 1 + rank;
    for (int i = 1; i <= rank; i++) {
        int factor = i == rank ? rest : 1 + graph_draw(g, 4);
        while (rest % factor) factor--;
        y->shape.extent[i] = factor;
        rest /= factor;
    }
    return true;
}
static nn_node *graph_build_reshape(graph *g, nn_model *net, graph_item *y) {
    return nn_reshape(net, IN(0)->node, y->shape);
}
static void graph_eval_copy(graph *g, graph_item *y) {
    memcpy(y->v, V(0), sizeof(double) * (size_t)graph_elements(g, y->shape));
}
static bool graph_choose_detach(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    return true;
}
static void graph_eval_detach(graph *g, graph_item *y) {
    if (!g->hold) graph_eval_copy(g, y);
}
static nn_node *graph_build_detach(graph *g, nn_model *net, graph_item *y) {
    return nn_detach(net, IN(0)->node);
}

/* ---- casts ----------------------------------------------------------------------------------- */

static bool graph_choose_cast(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    return true;
}
static nn_node *graph_build_cast(graph *g, nn_model *net, graph_item *y) {
    return nn_cast(net, IN(0)->node, y->op->variant ? NN_BF16 : NN_F16);
}
/* If every result is rounded to float, the cast does not round. Otherwise the difference from the
   operand is the rounding error of the cast. A gradient passes as if nothing had been rounded, so
   differences keep the error. */
static void graph_eval_cast(graph *g, graph_item *y) {
    double *lost = y->v + GRAPH_BATCH * GRAPH_ELEMENTS;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double x = V(0)[i];
        if (g->single) {
            y->v[i] = x;
        } else if (g->hold) {
            y->v[i] = x - lost[i];
        } else {
            y->v[i] = graph_round(y->op->variant ? NN_BF16 : NN_F16, x, &g->doubtful);
            lost[i] = x - y->v[i];
        }
    }
}
/* Widens an operand for operations that need one dtype for all, or f32. */
static nn_node *graph_wide(nn_model *net, nn_node *x) { return nn_cast(net, x, NN_F32); }

/* ---- element-wise ---------------------------------------------------------------------------- */

typedef enum graph_unary {
    GRAPH_RELU,
    GRAPH_SIGMOID,
    GRAPH_TANH,
    GRAPH_GELU,
    GRAPH_EXP,
    GRAPH_LOG,
    GRAPH_SQRT,
    GRAPH_SQUARE,
    GRAPH_ABS,
    GRAPH_NEGATE,
    GRAPH_SOFTPLUS,
    GRAPH_LEAKY_RELU,
    GRAPH_SCALE,
    GRAPH_OFFSET,
    GRAPH_SILU,
    GRAPH_MISH,
    GRAPH_HARDSWISH,
    GRAPH_SIN,
    GRAPH_ERF,
    GRAPH_SOFTSIGN,
    GRAPH_ELU,
    GRAPH_RELU6,
    GRAPH_RSQRT
} graph_unary;
static bool graph_choose_unary(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, NULL)) < 0) return false;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0, all = graph_elements(g, IN(0)->shape); i < all; i++) {
        if (V(0)[i] < least) least = V(0)[i];
        if (V(0)[i] > most) most = V(0)[i];
    }
    if (y->op->variant == GRAPH_EXP && most > 3) return false;
    if ((y->op->variant == GRAPH_LOG || y->op->variant == GRAPH_SQRT ||
         y->op->variant == GRAPH_RSQRT) &&
        least < 0.2)
        return false;
    if (y->op->variant == GRAPH_SQUARE && (most > 5 || least < -5)) return false;
    y->ins = 1;
    y->f = (float)(graph_uniform(g) * 0.9);
    y->shape = IN(0)->shape;
    return true;
}
static nn_node *graph_build_unary(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = IN(0)->node;
    switch ((graph_unary)y->op->variant) {
    case GRAPH_RELU: return nn_relu(net, x);
    case GRAPH_SIGMOID: return nn_sigmoid(net, x);
    case GRAPH_TANH: return nn_tanh(net, x);
    case GRAPH_GELU: return nn_gelu(net, x);
    case GRAPH_EXP: return nn_exp(net, x);
    case GRAPH_LOG: return nn_log(net, x);
    case GRAPH_SQRT: return nn_sqrt(net, x);
    case GRAPH_SQUARE: return nn_square(net, x);
    case GRAPH_ABS: return nn_abs(net, x);
    case GRAPH_NEGATE: return nn_negate(net, x);
    case GRAPH_SOFTPLUS: return nn_softplus(net, x, NULL);
    case GRAPH_LEAKY_RELU:
        return nn_leaky_relu(
            net, x, &(nn_leaky_relu_desc){.negative_slope = y->f != 0 ? (float)y->f : NN_NONE});
    case GRAPH_SCALE: return nn_scale(net, x, (float)y->f);
    case GRAPH_SILU: return nn_silu(net, x);
    case GRAPH_MISH: return nn_mish(net, x);
    case GRAPH_HARDSWISH: return nn_hardswish(net, x);
    case GRAPH_SIN: return nn_sin(net, x);
    case GRAPH_ERF: return nn_erf(net, x);
    case GRAPH_SOFTSIGN: return nn_softsign(net, x);
    case GRAPH_ELU: return nn_elu(net, x, &(nn_elu_desc){.alpha = 0.7f});
    case GRAPH_RELU6: return nn_relu6(net, x);
    case GRAPH_RSQRT: return nn_rsqrt(net, x);
    default: return nn_offset(net, x, (float)y->f);
    }
}
static double graph_unary_of(graph_unary op, double x, double f) {
    switch (op) {
    case GRAPH_RELU: return x > 0 ? x : 0;
    case GRAPH_SIGMOID: return 1 / (1 + exp(-x));
    case GRAPH_TANH: return tanh(x);
    case GRAPH_GELU: return 0.5 * x * (1 + erf(x * 0.70710678118654752));
    case GRAPH_EXP: return exp(x);
    case GRAPH_LOG: return log(x);
    case GRAPH_SQRT: return sqrt(x);
    case GRAPH_SQUARE: return x * x;
    case GRAPH_ABS: return fabs(x);
    case GRAPH_NEGATE: return -x;
    case GRAPH_SOFTPLUS: return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
    case GRAPH_LEAKY_RELU: return x > 0 ? x : f * x;
    case GRAPH_SCALE: return x * f;
    case GRAPH_SILU: return x / (1 + exp(-x));
    case GRAPH_MISH: return x * tanh(graph_unary_of(GRAPH_SOFTPLUS, x, 0));
    case GRAPH_HARDSWISH: return x <= -3 ? 0 : x >= 3 ? x : x * (x + 3) / 6;
    case GRAPH_SIN: return sin(x);
    case GRAPH_ERF: return erf(x);
    case GRAPH_SOFTSIGN: return x / (1 + fabs(x));
    case GRAPH_ELU: return x > 0 ? x : (double)0.7f * expm1(x);
    case GRAPH_RELU6: return x < 0 ? 0 : x > 6 ? 6 : x;
    case GRAPH_RSQRT: return 1 / sqrt(x);
    default: return x + f;
    }
}
static void graph_eval_unary(graph *g, graph_item *y) {
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = KEEP(graph_unary_of((graph_unary)y->op->variant, V(0)[i], y->f));
}

/* Computes the shape of NumPy's broadcasting. False: the shapes do not fit, or two extents of the
   result would depend on the batch. Two may depend on the time. */
static bool graph_broadcast(nn_shape a, nn_shape b, nn_shape *y) {
    nn_shape wide = a.rank >= b.rank ? a : b, thin = a.rank >= b.rank ? b : a;
    int missing = wide.rank - thin.rank;
    for (int i = 0; i < thin.rank; i++) {
        int *p = &wide.extent[missing + i], q = thin.extent[i];
        if (*p != q && *p != 1 && q != 1) return false;
        if (*p == 1) *p = q;
    }
    *y = wide;
    return graph_batches(wide) <= 1 && graph_sample(wide) <= GRAPH_ELEMENTS;
}
/* Returns the index into the broadcast x for element i of y. */
static int graph_stretched(const graph *g, nn_shape x, nn_shape y, int i) {
    int index = 0, stride = 1, missing = y.rank - x.rank;
    for (int a = y.rank - 1; a >= 0; a--) {
        int extent = graph_extent(g, y.extent[a]), at = i % extent;
        i /= extent;
        if (a < missing) continue;
        int own = graph_extent(g, x.extent[a - missing]);
        if (x.extent[a - missing] != 1) index += at * stride;
        stride *= own;
    }
    return index;
}
typedef enum graph_binary {
    GRAPH_ADD,
    GRAPH_SUBTRACT,
    GRAPH_MULTIPLY,
    GRAPH_DIVIDE,
    GRAPH_MAXIMUM,
    GRAPH_MINIMUM
} graph_binary;
static bool graph_choose_binary(graph *g, graph_item *y) {
    y->ins = 2;
    if (graph_draw(g, 2) &&
        g->count < GRAPH_ITEMS - 4) { /* with a parameter, broadcast along some axes */
        if ((y->in[0] = graph_pick(g, NULL)) < 0) return false;
        nn_shape s = IN(0)->shape;
        for (int i = 0; i < s.rank; i++)
            if (s.extent[i] < 0 || graph_draw(g, 3) == 0) s.extent[i] = 1;
        int drop = s.rank ? graph_draw(g, s.rank + 1) : 0;
        for (int i = 0; i + drop < s.rank; i++) s.extent[i] = s.extent[i + drop];
        s.rank -= drop;
        graph_add(g, GRAPH_PARAMETER, s);
        y->in[1] = g->count - 1;
        if (graph_draw(g, 2)) y->in[1] = y->in[0], y->in[0] = g->count - 1;
    } else {
        y->in[0] = graph_pick(g, NULL), y->in[1] = graph_pick(g, NULL);
    }
    if (y->in[0] < 0 || y->in[1] < 0 || !graph_broadcast(IN(0)->shape, IN(1)->shape, &y->shape))
        return false;
    for (int i = 0; y->op->variant == GRAPH_DIVIDE && i < graph_elements(g, IN(1)->shape); i++)
        if (fabs(V(1)[i]) < 0.2) return false;
    return true;
}
static nn_node *graph_build_binary(graph *g, nn_model *net, graph_item *y) {
    nn_node *a = IN(0)->node, *b = IN(1)->node;
    switch ((graph_binary)y->op->variant) {
    case GRAPH_ADD: return nn_add(net, a, b);
    case GRAPH_SUBTRACT: return nn_subtract(net, a, b);
    case GRAPH_MULTIPLY: return nn_multiply(net, a, b);
    case GRAPH_DIVIDE: return nn_divide(net, a, b);
    case GRAPH_MAXIMUM: return nn_maximum(net, a, b);
    default: return nn_minimum(net, a, b);
    }
}
static void graph_eval_binary(graph *g, graph_item *y) {
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double a = V(0)[graph_stretched(g, IN(0)->shape, y->shape, i)];
        double b = V(1)[graph_stretched(g, IN(1)->shape, y->shape, i)];
        switch ((graph_binary)y->op->variant) {
        case GRAPH_ADD: y->v[i] = KEEP(a + b); break;
        case GRAPH_SUBTRACT: y->v[i] = KEEP(a - b); break;
        case GRAPH_MULTIPLY: y->v[i] = KEEP(a * b); break;
        case GRAPH_DIVIDE: y->v[i] = KEEP(a / b); break;
        case GRAPH_MAXIMUM: y->v[i] = a > b ? a : b; break;
        default: y->v[i] = a < b ? a : b; break;
        }
    }
}

/* Expressions of three operands; variant: which one. */
static const char *const graph_texts[] = {
    "a, b, c: a * sigmoid(b) + (1 - sigmoid(b)) * c", "a, b, c: (a - b) / (1 + c * c) + 0.25 * b^2",
    /* continuous where a equals b, because rounding may decide which is larger */
    "a, b, c: max(min(a, b), -abs(c)) + (a > b ? c * (a - b) : tanh(c * (b - a)))",
};
static bool graph_choose_expression(graph *g, graph_item *y) {
    nn_shape both;
    y->ins = 3;
    for (int k = 0; k < 3; k++)
        if ((y->in[k] = graph_pick(g, NULL)) < 0) return false;
    if (graph_draw(g, 2)) y->in[2] = y->in[graph_draw(g, 2)];
    return graph_broadcast(IN(0)->shape, IN(1)->shape, &both) &&
           graph_broadcast(both, IN(2)->shape, &y->shape);
}
static nn_node *graph_build_expression(graph *g, nn_model *net, graph_item *y) {
    return nn_expression(net, graph_texts[y->op->variant], IN(0)->node, IN(1)->node, IN(2)->node);
}
static void graph_eval_expression(graph *g, graph_item *y) {
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double v[3], s;
        for (int k = 0; k < 3; k++) v[k] = V(k)[graph_stretched(g, IN(k)->shape, y->shape, i)];
        switch (y->op->variant) {
        case 0:
            s = KEEP(1 / (1 + exp(-v[1])));
            y->v[i] = KEEP(KEEP(v[0] * s) + KEEP((1 - s) * v[2]));
            break;
        case 1: y->v[i] = KEEP(KEEP((v[0] - v[1]) / (1 + v[2] * v[2])) + 0.25 * v[1] * v[1]); break;
        default:
            s = v[0] < v[1] ? v[0] : v[1];
            y->v[i] = KEEP(
                (s > -fabs(v[2]) ? s : -fabs(v[2])) +
                (v[0] > v[1] ? v[2] * KEEP(v[0] - v[1]) : tanh(KEEP(v[2] * KEEP(v[1] - v[0])))));
            break;
        }
    }
}

/* ---- over axes ------------------------------------------------------------------------------- */

/* variant: an nn_reduction. p[0]: axes as bits, p[1]: keep them */
static bool graph_choose_reduce(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    y->ins = 1;
    y->p[0] = 1 + graph_draw(g, (1 << x.rank) - 1);
    y->p[1] = graph_draw(g, 2);
    y->shape = x;
    y->shape.rank = 0;
    for (int i = 0; i < x.rank; i++) {
        bool gone = y->p[0] >> i & 1;
        if (!gone || y->p[1]) y->shape.extent[y->shape.rank++] = gone ? 1 : x.extent[i];
    }
    return true;
}
static void graph_eval_reduce(graph *g, graph_item *y) {
    nn_shape x = IN(0)->shape, kept = x;
    int n = graph_elements(g, x), m = graph_elements(g, y->shape);
    for (int i = 0; i < x.rank; i++)
        if (y->p[0] >> i & 1) kept.extent[i] = 1;
    nn_reduction op = (nn_reduction)y->op->variant;
    double *mean = (double *)calloc((size_t)m, sizeof *mean),
           *largest = (double *)calloc((size_t)m, sizeof *largest);
    for (int i = 0; i < m; i++) {
        y->v[i] = op == NN_MAX ? -INFINITY : op == NN_MIN ? INFINITY : op == NN_PROD ? 1 : 0;
        largest[i] = -INFINITY;
    }
    for (int i = 0; i < n; i++) {
        int at = graph_stretched(g, kept, x, i);
        mean[at] += V(0)[i] / (n / m);
        largest[at] = V(0)[i] > largest[at] ? V(0)[i] : largest[at];
    }
    for (int i = 0; i < n; i++) {
        int at = graph_stretched(g, kept, x, i);
        double *to = &y->v[at], v = V(0)[i];
        if (op == NN_MAX) *to = v > *to ? v : *to;
        else if (op == NN_MIN) *to = v < *to ? v : *to;
        else if (op == NN_PROD) *to = KEEP(*to * v);
        else if (op == NN_SUM_OF_SQUARES) *to = KEEP(*to + v * v);
        else if (op == NN_LOGSUMEXP) *to = KEEP(*to + exp(v - largest[at]));
        else if (op == NN_VAR) *to = KEEP(*to + (v - mean[at]) * (v - mean[at]));
        else *to = KEEP(*to + v);
    }
    for (int i = 0; i < m; i++) {
        if (op == NN_MEAN || op == NN_VAR) y->v[i] = KEEP(y->v[i] / (n / m));
        if (op == NN_LOGSUMEXP) y->v[i] = KEEP(log(y->v[i]) + largest[i]);
    }
    free(mean);
    free(largest);
}
static nn_node *graph_build_reduce(graph *g, nn_model *net, graph_item *y) {
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    for (int i = 0; i < IN(0)->shape.rank; i++)
        if (y->p[0] >> i & 1) axes.axis[axes.count++] = i;
    if (y->op->variant == NN_VAR) return nn_var(net, IN(0)->node, axes, y->p[1] != 0, 0);
    return nn_reduce(net, (nn_reduction)y->op->variant, IN(0)->node, axes, y->p[1] != 0);
}

static bool graph_choose_cumsum(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->p[0] = graph_draw(g, y->shape.rank);
    return true;
}
static nn_node *graph_build_cumsum(graph *g, nn_model *net, graph_item *y) {
    return nn_cumsum(net, IN(0)->node, y->p[0] - y->shape.rank);
}
static void graph_eval_cumsum(graph *g, graph_item *y) {
    int n = graph_extent(g, y->shape.extent[y->p[0]]),
        inner = graph_span(g, y->shape, y->p[0] + 1, y->shape.rank);
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = KEEP(V(0)[i] + (i / inner % n ? y->v[i - inner] : 0));
}

/* variant 0: lstm, 1: gru, 2: rnn. in[1]: the first of the parameters, which are adjacent items.
   p[0]: directions, p[1]: biases, p[2]: which output, p[3]: the width, p[4]: in[2] has the
   lengths, p[5]: it keeps its state. */
static bool graph_sequence(const graph_item *item) {
    return item->shape.rank == 3 && item->shape.extent[2] > 0 && graph_batches(item->shape) <= 1;
}
static bool graph_choose_recurrent(graph *g, graph_item *y) {
    static const char *const ends[] = {"_l0", "_l0_reverse"};
    static const char *const parts[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
    const int kinds = y->op->variant == 0 ? 4 : y->op->variant == 1 ? 3 : 1;
    if ((y->in[0] = graph_pick(g, graph_sequence)) < 0) return false;
    const nn_shape x = IN(0)->shape;
    const int directions = 1 + graph_draw(g, 2), biases = graph_draw(g, 3) > 0,
              output = graph_draw(g, 3) == 0 ? 1 + graph_draw(g, y->op->variant == 0 ? 2 : 1) : 0,
              wide = 1 + graph_draw(g, 3),
              /* an input may not have an extent of twice the batch */
              lengths = graph_draw(g, 3) == 0 &&
                        (x.extent[0] > 0 || x.extent[0] == NN_BATCH || x.extent[0] == NN_TIME);
    const int first = g->count;
    y->p[0] = directions, y->p[1] = biases, y->p[2] = output, y->p[3] = wide, y->p[4] = lengths;
    y->p[5] = directions == 1 && graph_remembers(g, IN(0));
    y->shape = output ? NN_SHAPE(directions, x.extent[0], wide)
                      : NN_SHAPE(x.extent[0], x.extent[1], directions * wide);
    if (graph_sample(y->shape) > GRAPH_ELEMENTS || g->count > GRAPH_ITEMS - 14) return false;
    for (int i = 0; i < 4 * directions; i++) {
        char part[24];
        if (i % 4 >= 2 && !biases) continue;
        snprintf(part, sizeof part, "%s%s", parts[i % 4], ends[i / 4]);
        nn_shape shape = NN_SHAPE(kinds * wide, i % 4 ? wide : x.extent[2]);
        if (i % 4 >= 2) shape.rank = 1;
        if (graph_own(g, y, part, shape) < 0) return false;
    }
    y->in[1] = first;
    y->ins = 2 + lengths;
    if (!lengths) return true;
    y->in[2] = g->count;
    graph_item *steps = graph_add(g, GRAPH_LABEL, NN_SHAPE(x.extent[0]));
    const int most = x.extent[1] > 0 ? x.extent[1] : 1; /* a free extent may become 1 */
    for (int i = 0; i < GRAPH_BATCH * GRAPH_TIME || i < x.extent[0]; i++)
        steps->v[i] = graph_draw(g, most + 1);
    return true;
}
static nn_node *graph_build_recurrent(graph *g, nn_model *net, graph_item *y) {
    nn_lstm_desc lstm;
    nn_gru_desc gru;
    nn_rnn_desc rnn;
    nn_node *node;
    memset(&lstm, 0, sizeof lstm), memset(&gru, 0, sizeof gru), memset(&rnn, 0, sizeof rnn);
    lstm.hidden_size = gru.hidden_size = rnn.hidden_size = y->p[3];
    lstm.bidirectional = gru.bidirectional = rnn.bidirectional = y->p[0] == 2;
    lstm.no_bias = gru.no_bias = rnn.no_bias = !y->p[1];
    lstm.stateful = gru.stateful = rnn.stateful = y->p[5];
    lstm.lengths = gru.lengths = rnn.lengths = y->p[4] ? IN(2)->node : NULL;
    node = y->op->variant == 0   ? nn_lstm(net, y->name, IN(0)->node, &lstm)
           : y->op->variant == 1 ? nn_gru(net, y->name, IN(0)->node, &gru)
                                 : nn_rnn(net, y->name, IN(0)->node, &rnn);
    return nn_output(node, y->p[2]);
}
/* Returns row k of weight v + bias. */
static double graph_gate(const graph *g, const graph_item *weight, const double *v, int k,
                         const graph_item *bias) {
    const int n = weight->shape.extent[1];
    double sum = 0;
    for (int i = 0; i < n; i++) sum = KEEP(sum + weight->v[k * n + i] * v[i]);
    return KEEP(sum + (bias ? bias->v[k] : 0));
}
static double graph_logistic(double x) { return 1 / (1 + exp(-x)); }
static void graph_eval_recurrent(graph *g, graph_item *y) {
    const nn_shape shape = IN(0)->shape;
    const int N = graph_extent(g, shape.extent[0]), T = graph_extent(g, shape.extent[1]),
              C = shape.extent[2], H = y->p[3], D = y->p[0], each = y->p[1] ? 4 : 2;
    for (int row = 0; row < N * D; row++) {
        const int n = row / D, d = row % D, steps = y->p[4] ? (int)V(2)[n] : T;
        const graph_item *p = IN(1) + d * each;
        double h[4] = {0}, c[4] = {0}, next[4];
        for (int e = 0; e < T; e++) {
            const int t = d && e < steps ? steps - 1 - e : e;
            const double *x = V(0) + (n * T + t) * C;
            for (int k = 0; k < H; k++) {
                double in[4], own[4];
                for (int i = 0; i < p->shape.extent[0] / H; i++) {
                    in[i] = graph_gate(g, p, x, i * H + k, y->p[1] ? p + 2 : NULL);
                    own[i] = graph_gate(g, p + 1, h, i * H + k, y->p[1] ? p + 3 : NULL);
                }
                if (y->op->variant == 2) {
                    next[k] = KEEP(tanh(in[0] + own[0]));
                } else if (y->op->variant == 1) {
                    const double r = graph_logistic(in[0] + own[0]),
                                 z = graph_logistic(in[1] + own[1]);
                    next[k] = KEEP((1 - z) * tanh(in[2] + r * own[2]) + z * h[k]);
                } else {
                    const double keep = graph_logistic(in[1] + own[1]) * c[k],
                                 add = graph_logistic(in[0] + own[0]) * tanh(in[2] + own[2]);
                    if (e < steps) c[k] = KEEP(keep + add);
                    next[k] = KEEP(graph_logistic(in[3] + own[3]) * tanh(c[k]));
                }
            }
            for (int k = 0; k < H; k++) {
                if (e < steps) h[k] = next[k];
                if (!y->p[2]) y->v[((n * T + t) * D + d) * H + k] = e < steps ? h[k] : 0;
            }
        }
        for (int k = 0; y->p[2] && k < H; k++)
            y->v[(d * N + n) * H + k] = y->p[2] == 1 ? h[k] : c[k];
    }
}

/* Looks up rows of a table by the labels of samples or of their steps. variant 1: an 8-bit
   table. */
static bool graph_choose_embedding(graph *g, graph_item *y) {
    int rank;
    y->in[0] = g->labels && graph_draw(g, 2) ? g->labels : g->label;
    y->ins = 2;
    y->shape = IN(0)->shape;
    rank = y->shape.rank++;
    y->shape.extent[rank] = 1 + graph_draw(g, 6);
    const nn_shape table = NN_SHAPE(GRAPH_CLASSES, y->shape.extent[rank]);
    if (y->op->variant) snprintf(y->name, sizeof y->name, "L%d.%s", g->count, graph_layers[2]);
    y->in[1] = y->op->variant ? graph_own_bytes(g, y, table, 0) : graph_own(g, y, "weight", table);
    return y->in[1] >= 0;
}
static nn_node *graph_build_embedding(graph *g, nn_model *net, graph_item *y) {
    nn_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_embeddings = GRAPH_CLASSES;
    desc.embedding_dim = y->shape.extent[y->shape.rank - 1];
    return nn_embedding(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_embedding(graph *g, graph_item *y) {
    int dim = y->shape.extent[y->shape.rank - 1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = V(1)[(int)V(0)[i / dim] * dim + i % dim];
}

/* p[0]: the axis; in[1]: an input of its own, with the indices. */
static bool graph_choose_index_select(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 2;
    y->shape = IN(0)->shape;
    y->p[0] = graph_draw(g, y->shape.rank);
    int extent = y->shape.extent[y->p[0]], n = 1 + graph_draw(g, 6);
    if (extent < 1) return false;
    y->shape.extent[y->p[0]] = n;
    y->in[1] = g->count;
    graph_add(g, GRAPH_LABEL, NN_SHAPE(n));
    for (int i = 0; i < n; i++) IN(1)->v[i] = graph_draw(g, extent);
    return true;
}
static nn_node *graph_build_index_select(graph *g, nn_model *net, graph_item *y) {
    return nn_index_select(net, IN(0)->node, y->p[0] - y->shape.rank, IN(1)->node);
}
static void graph_eval_index_select(graph *g, graph_item *y) {
    int n = y->shape.extent[y->p[0]], extent = IN(0)->shape.extent[y->p[0]],
        inner = graph_span(g, y->shape, y->p[0] + 1, y->shape.rank);
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = V(0)[(i / inner / n * extent + (int)V(1)[i / inner % n]) * inner + i % inner];
}

/* p[0]: the axis. Vectors close to zero are avoided: float cannot represent their direction. */
static bool graph_choose_normalize(graph *g, graph_item *y) {
    if (!graph_choose_cumsum(g, y)) return false;
    int n = graph_extent(g, y->shape.extent[y->p[0]]),
        inner = graph_span(g, y->shape, y->p[0] + 1, y->shape.rank);
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += pow(V(0)[(i / inner / n * n + k) * inner + i % inner], 2);
        if (sum < 0.04) return false;
    }
    return true;
}
static nn_node *graph_build_normalize(graph *g, nn_model *net, graph_item *y) {
    return nn_normalize(net, IN(0)->node, y->p[0]);
}
static void graph_eval_normalize(graph *g, graph_item *y) {
    int n = graph_extent(g, y->shape.extent[y->p[0]]),
        inner = graph_span(g, y->shape, y->p[0] + 1, y->shape.rank);
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum = KEEP(sum + pow(V(0)[(i / inner / n * n + k) * inner + i % inner], 2));
        y->v[i] = KEEP(V(0)[i] / fmax(KEEP(sqrt(sum)), 1e-12));
    }
}

/* variant: the factor of pixel_shuffle, or 0 for channel_shuffle with p[1] groups. */
static bool graph_choose_shuffle(graph *g, graph_item *y) {
    const int factor = y->op->variant;
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    y->ins = 1;
    y->shape = x;
    if (x.rank < 3) return false;
    int axis = factor ? x.rank - 3 : 1;
    if (x.extent[axis] < 2 || (factor && x.extent[axis] % (factor * factor))) return false;
    y->p[1] = x.extent[axis] % 2 ? x.extent[axis] : 2;
    if (!factor) return true;
    y->shape.extent[axis] /= factor * factor;
    y->shape.extent[axis + 1] = nn_multiply_extents(x.extent[axis + 1], factor);
    y->shape.extent[axis + 2] = nn_multiply_extents(x.extent[axis + 2], factor);
    return true;
}
static nn_node *graph_build_shuffle(graph *g, nn_model *net, graph_item *y) {
    return y->op->variant ? nn_pixel_shuffle(net, IN(0)->node, y->op->variant)
                          : nn_channel_shuffle(net, IN(0)->node, y->p[1]);
}
static void graph_eval_shuffle(graph *g, graph_item *y) {
    const int r = y->op->variant, rank = y->shape.rank, groups = y->p[1];
    if (!r) {
        int channels = y->shape.extent[1], inner = graph_span(g, y->shape, 2, rank);
        for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
            int c = i / inner % channels, from = c % groups * (channels / groups) + c / groups;
            y->v[i] = V(0)[i + (from - c) * inner];
        }
        return;
    }
    int h = graph_extent(g, y->shape.extent[rank - 2]),
        w = graph_extent(g, y->shape.extent[rank - 1]);
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        int column = i % w, row = i / w % h, plane = i / w / h;
        plane = (plane * r + row % r) * r + column % r;
        y->v[i] = V(0)[(plane * (h / r) + row / r) * (w / r) + column / r];
    }
}

/* Chooses the last axis, and a vector that is a parameter. */
static bool graph_choose_cosine(graph *g, graph_item *y) {
    if (g->count >= GRAPH_ITEMS - 4 || (y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    int n = x.extent[x.rank - 1];
    if (n < 1) return false;
    graph_add(g, GRAPH_PARAMETER, NN_SHAPE(n));
    y->in[1] = g->count - 1;
    y->ins = 2;
    y->shape = x;
    y->shape.extent[--y->shape.rank] = 0;
    /* vectors close to 0 have no direction */
    for (int row = -1; row < graph_elements(g, y->shape); row++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += pow(row < 0 ? V(1)[i] : V(0)[row * n + i], 2);
        if (sum < 0.04) return false;
    }
    return true;
}
static nn_node *graph_build_cosine(graph *g, nn_model *net, graph_item *y) {
    return nn_cosine_similarity(net, IN(0)->node, IN(1)->node, -1);
}
static void graph_eval_cosine(graph *g, graph_item *y) {
    int n = IN(1)->shape.extent[0];
    for (int row = 0; row < graph_elements(g, y->shape); row++) {
        double a = 0, b = 0, sum = 0;
        for (int i = 0; i < n; i++) {
            a = KEEP(a + pow(V(0)[row * n + i], 2));
            b = KEEP(b + pow(V(1)[i], 2));
            sum = KEEP(sum + V(0)[row * n + i] * V(1)[i]);
        }
        y->v[row] = KEEP(sum / KEEP(fmax(sqrt(a), 1e-8)) / KEEP(fmax(sqrt(b), 1e-8)));
    }
}

/* Multiplies along the last axis with a parameter (p[1], n) and sums; p[1] becomes the first axis.
   */
static const char *const graph_sums[] = {"", "a,ea->e", "ab,eb->ea", "abc,ec->eab",
                                         "abcd,ed->eabc"};
static bool graph_choose_einsum(graph *g, graph_item *y) {
    if (g->count >= GRAPH_ITEMS - 4 || (y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    if (x.rank < 1 || x.rank > 4 || x.extent[x.rank - 1] < 1) return false;
    y->p[1] = 1 + graph_draw(g, 3);
    graph_add(g, GRAPH_PARAMETER, NN_SHAPE(y->p[1], x.extent[x.rank - 1]));
    y->in[1] = g->count - 1;
    y->ins = 2;
    y->shape = x;
    for (int i = x.rank - 1; i > 0; i--) y->shape.extent[i] = x.extent[i - 1];
    y->shape.extent[0] = y->p[1];
    return true;
}
static nn_node *graph_build_einsum(graph *g, nn_model *net, graph_item *y) {
    return nn_einsum(net, graph_sums[y->shape.rank], NN_NODES(IN(0)->node, IN(1)->node));
}
static void graph_eval_einsum(graph *g, graph_item *y) {
    int n = IN(1)->shape.extent[1], rows = graph_elements(g, IN(0)->shape) / n;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum = KEEP(sum + V(0)[i % rows * n + k] * V(1)[i / rows * n + k]);
        y->v[i] = sum;
    }
}

/* ---- trained slopes -------------------------------------------------------------------------- */

static bool graph_channels(const graph_item *item) {
    return item->shape.rank >= 2 && item->shape.extent[1] > 0;
}
/* p[1]: number of slopes, one or one for each channel. Numbers near 0 are avoided: they have two
   derivatives. */
static bool graph_choose_prelu(graph *g, graph_item *y) {
    y->in[0] = graph_pick(g, graph_channels);
    if (y->in[0] < 0) return false;
    y->shape = IN(0)->shape;
    y->p[1] = graph_draw(g, 2) ? y->shape.extent[1] : 1;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        if (fabs(V(0)[i]) < 0.02) return false;
    y->in[1] = graph_own(g, y, "weight", NN_SHAPE(y->p[1]));
    y->ins = 2;
    return y->in[1] >= 0;
}
static nn_node *graph_build_prelu(graph *g, nn_model *net, graph_item *y) {
    nn_prelu_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_parameters = y->p[1];
    return nn_prelu(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_prelu(graph *g, graph_item *y) {
    const int inner = graph_span(g, y->shape, 2, y->shape.rank), channels = y->shape.extent[1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = V(0)[i] > 0 ? V(0)[i]
                              : KEEP(V(1)[y->p[1] > 1 ? i / inner % channels : 0] * V(0)[i]);
}

/* ---- rounding as in integers ----------------------------------------------------------------- */

/* p[1]: number of scales, one or one for each channel. The operation's gradient ignores its steps,
   which differences would see, so both operands are detached. */
static double graph_scaled(graph *g, const graph_item *y, int i) {
    const int inner = graph_span(g, y->shape, 2, y->shape.rank), channels = y->shape.extent[1];
    return V(0)[i] / (0.1 + fabs(V(1)[y->p[1] > 1 ? i / inner % channels : 0]));
}
static bool graph_choose_fake_quantize(graph *g, graph_item *y) {
    y->in[0] = graph_pick(g, graph_channels);
    if (y->in[0] < 0) return false;
    y->shape = IN(0)->shape;
    y->p[1] = graph_draw(g, 2) ? y->shape.extent[1] : 1;
    if (g->count >= GRAPH_ITEMS - 4) return false;
    y->in[1] = g->count;
    y->ins = 2;
    graph_add(g, GRAPH_PARAMETER, NN_SHAPE(y->p[1]));
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        const double q = graph_scaled(g, y, i);
        if (fabs(q - floor(q) - 0.5) < 0.02 || fabs(q) > 1000) return false;
    }
    return true;
}
static nn_node *graph_build_fake_quantize(graph *g, nn_model *net, graph_item *y) {
    nn_fake_quantize_desc desc;
    nn_node *x = nn_detach(net, IN(0)->node), *scale = nn_detach(net, IN(1)->node);
    memset(&desc, 0, sizeof desc);
    desc.axis = 1;
    desc.quant_min = -3;
    desc.quant_max = 5;
    return nn_fake_quantize(net, x, nn_offset(net, nn_abs(net, scale), 0.1f), NULL, &desc);
}
static void graph_eval_fake_quantize(graph *g, graph_item *y) {
    const int inner = graph_span(g, y->shape, 2, y->shape.rank), channels = y->shape.extent[1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all && !g->hold; i++) {
        const double scale = 0.1 + fabs(V(1)[y->p[1] > 1 ? i / inner % channels : 0]);
        y->v[i] = fmin(fmax(floor(graph_scaled(g, y, i) + 0.5), -3), 5) * scale;
    }
}

/* ---- norms ----------------------------------------------------------------------------------- */

/* variant 0: layer_norm, 1: rms_norm, over the last axis; 2: group_norm with p[1] groups; 3:
   batch_norm with the batch's statistics; 4: with running ones, which plans fold into the operation
   before it. Sets of nearly equal numbers are avoided: for them a difference is no derivative. */
enum { GRAPH_LAYER_NORM, GRAPH_RMS_NORM, GRAPH_GROUP_NORM, GRAPH_BATCH_NORM, GRAPH_FROZEN_NORM };
/* The layout of x: `count` numbers, in pieces of `inner` numbers of a channel. A set is `length`
   adjacent numbers; for the batch's statistics, it has to be searched among all. */
typedef struct graph_norm_layout {
    int count, inner, channels, length;
    bool across; /* a set is a channel of all samples */
} graph_norm_layout;
static graph_norm_layout graph_norm_layout_of(const graph *g, const graph_item *y) {
    const nn_shape x = y->shape;
    const bool last = y->op->variant <= GRAPH_RMS_NORM;
    graph_norm_layout l;
    l.count = graph_elements(g, x);
    l.inner = last ? 1 : graph_span(g, x, 2, x.rank);
    l.channels = x.extent[last ? x.rank - 1 : 1];
    l.across = y->op->variant >= GRAPH_BATCH_NORM;
    l.length = l.across ? l.count : last ? l.channels : l.channels / y->p[1] * l.inner;
    return l;
}
static int graph_norm_channel(const graph_norm_layout *l, int i) {
    return i / l->inner % l->channels;
}
/* These iterate over a set: i runs from the first number to the limit, and graph_norm_has says if i
   belongs to the set. */
static int graph_norm_first(const graph_norm_layout *l, int set) {
    return l->across ? 0 : set * l->length;
}
static int graph_norm_limit(const graph_norm_layout *l, int set) {
    const int limit = l->across ? l->count : (set + 1) * l->length;
    return limit < l->count ? limit : l->count;
}
static bool graph_norm_has(const graph_norm_layout *l, int set, int i) {
    return !l->across || graph_norm_channel(l, i) == set;
}
/* Computes mean and variance of a set; returns the number of its elements. */
static int graph_norm_moments(const graph *g, const graph_item *y, const double *x, int set,
                              double *mean, double *variance) {
    const graph_norm_layout l = graph_norm_layout_of(g, y);
    const int first = graph_norm_first(&l, set), limit = graph_norm_limit(&l, set);
    int n = 0;
    *mean = *variance = 0;
    if (y->op->variant == GRAPH_FROZEN_NORM) return *variance = 1, set < y->shape.extent[1];
    for (int i = first; i < limit; i++)
        if (graph_norm_has(&l, set, i)) *mean += x[i], n++;
    *mean = y->op->variant == GRAPH_RMS_NORM || !n ? 0 : *mean / n;
    for (int i = first; i < limit; i++)
        if (graph_norm_has(&l, set, i)) *variance += (x[i] - *mean) * (x[i] - *mean);
    if (n) *variance /= n;
    return n;
}
static bool graph_choose_norm(graph *g, graph_item *y) {
    const int variant = y->op->variant;
    double mean, variance;
    y->in[0] = graph_pick(g, variant <= GRAPH_RMS_NORM ? graph_last_known : graph_channels);
    if (y->in[0] < 0) return false;
    nn_shape x = y->shape = IN(0)->shape;
    int channels = x.extent[variant <= GRAPH_RMS_NORM ? x.rank - 1 : 1];
    y->p[1] = channels % 2 == 0 ? 2 : 1;
    if (variant >= GRAPH_BATCH_NORM && x.rank > 5) return false;
    if (variant == GRAPH_BATCH_NORM) { /* a batch of one sample must have a variance */
        int least = 1;
        for (int i = 0; i < x.rank; i++)
            if (i != 1 && x.extent[i] > 1) least *= x.extent[i];
        if (least < 2) return false;
    }
    for (int set = 0; graph_norm_moments(g, y, V(0), set, &mean, &variance) > 0; set++)
        if (variance < 0.04) return false;
    y->in[1] = graph_own(g, y, "weight", NN_SHAPE(channels));
    if (variant != GRAPH_RMS_NORM) y->in[2] = graph_own(g, y, "bias", NN_SHAPE(channels));
    y->ins = variant == GRAPH_RMS_NORM ? 2 : 3;
    return y->in[1] >= 0 && (y->ins == 2 || y->in[2] >= 0);
}
static nn_node *graph_build_norm(graph *g, nn_model *net, graph_item *y) {
    nn_group_norm_desc group;
    nn_batch_norm_desc batch;
    memset(&group, 0, sizeof group);
    memset(&batch, 0, sizeof batch);
    group.num_groups = y->p[1];
    batch.no_running_stats = y->op->variant == GRAPH_BATCH_NORM;
    batch.frozen = !batch.no_running_stats;
    switch (y->op->variant) {
        case GRAPH_LAYER_NORM: return nn_layer_norm(net, y->name, IN(0)->node, NULL);
        case GRAPH_RMS_NORM: return nn_rms_norm(net, y->name, IN(0)->node, NULL);
        case GRAPH_GROUP_NORM: return nn_group_norm(net, y->name, IN(0)->node, &group);
        default: break;
    }
    return y->shape.rank == 5   ? nn_batch_norm3d(net, y->name, IN(0)->node, &batch)
           : y->shape.rank == 4 ? nn_batch_norm2d(net, y->name, IN(0)->node, &batch)
                                : nn_batch_norm1d(net, y->name, IN(0)->node, &batch);
}
static void graph_eval_norm(graph *g, graph_item *y) {
    const double epsilon = y->op->variant == GRAPH_RMS_NORM ? 1.1920928955078125e-7 : 1e-5;
    const graph_norm_layout l = graph_norm_layout_of(g, y);
    double mean, variance;
    for (int set = 0; graph_norm_moments(g, y, V(0), set, &mean, &variance) > 0; set++)
        for (int i = graph_norm_first(&l, set); i < graph_norm_limit(&l, set); i++)
            if (graph_norm_has(&l, set, i)) {
                const int channel = graph_norm_channel(&l, i);
                y->v[i] = KEEP(KEEP((V(0)[i] - mean) / sqrt(variance + epsilon)) * V(1)[channel] +
                               (y->ins == 3 ? V(2)[channel] : 0));
            }
}

/* variant 1: the logarithm */
static bool graph_choose_softmax(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    return true;
}
static nn_node *graph_build_softmax(graph *g, nn_model *net, graph_item *y) {
    return y->op->variant ? nn_log_softmax(net, IN(0)->node) : nn_softmax(net, IN(0)->node);
}
static void graph_log_softmax(const graph *g, double *y, const double *x, int n) {
    double most = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    for (int i = 0; i < n; i++) sum = KEEP(sum + exp(x[i] - most));
    for (int i = 0; i < n; i++) y[i] = KEEP(x[i] - most - log(sum));
}
static void graph_eval_softmax(graph *g, graph_item *y) {
    int n = graph_extent(g, y->shape.extent[y->shape.rank - 1]),
        rows = graph_elements(g, y->shape) / n;
    for (int r = 0; r < rows; r++) graph_log_softmax(g, y->v + r * n, V(0) + r * n, n);
    for (int i = 0; !y->op->variant && i < rows * n; i++) y->v[i] = KEEP(exp(y->v[i]));
}

/* ---- rearranging ----------------------------------------------------------------------------- */

typedef enum graph_arrange {
    GRAPH_PERMUTE,
    GRAPH_SLICE,
    GRAPH_CONCAT,
    GRAPH_PAD,
    GRAPH_FLIP,
    GRAPH_ROLL
} graph_arrange;
/* p[0]: axis, p[1] to p[3]: numbers; permute and flip: p[i] for each axis */
static bool graph_choose_arrange(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    int *p = y->p, axis = graph_draw(g, x.rank), extent = x.extent[axis];
    y->ins = 1;
    y->shape = x;
    p[0] = axis;
    switch ((graph_arrange)y->op->variant) {
    case GRAPH_PERMUTE:
        for (int i = 0; i < x.rank; i++) p[i] = i;
        for (int i = x.rank - 1; i > 0; i--) {
            int k = graph_draw(g, i + 1), keep = p[i];
            p[i] = p[k], p[k] = keep;
        }
        for (int i = 0; i < x.rank; i++) y->shape.extent[i] = x.extent[p[i]];
        return true;
    case GRAPH_SLICE:
        if (extent < 0) return false;
        p[1] = graph_draw(g, extent), p[2] = p[1] + 1 + graph_draw(g, extent),
        p[3] = 1 + graph_draw(g, 2);
        if (p[2] > extent) p[2] = extent;
        y->shape.extent[axis] = (p[2] - p[1] + p[3] - 1) / p[3];
        return true;
    case GRAPH_CONCAT:
        y->in[1] = y->in[0];
        for (int i = 0; i < g->count; i++) { /* another operand that fits */
            nn_shape other = g->items[i].shape;
            if (g->items[i].kind == GRAPH_LABEL || g->items[i].owned || other.rank != x.rank)
                continue;
            if (nn__extent_kind(other.extent[axis]) != nn__extent_kind(extent)) continue;
            other.extent[axis] = extent;
            if (nn_same_shape(other, x)) y->in[1] = i;
        }
        y->ins = 2;
        return nn__extent_add(extent, IN(1)->shape.extent[axis], &y->shape.extent[axis]);
    case GRAPH_PAD:
        y->f = graph_draw(g, 2) * 0.5;
        if (x.extent[x.rank - 1] < 0) { /* a shift, sometimes by the whole axis */
            p[1] = graph_draw(g, 5) - 2, p[2] = -p[1];
            return true;
        }
        p[1] = graph_draw(g, 3) - (x.extent[x.rank - 1] > 1), p[2] = graph_draw(g, 3);
        y->shape.extent[x.rank - 1] += p[1] + p[2];
        return true;
    case GRAPH_FLIP:
        for (int i = 0; i < x.rank; i++) p[i] = graph_draw(g, 2);
        p[axis] = 1; /* no axis named: all of them */
        return true;
    default: p[1] = graph_draw(g, 9) - 4; return true;
    }
}
static nn_node *graph_build_arrange(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = IN(0)->node, *pair[2];
    nn_axes order;
    nn_slice_desc slice;
    nn_pad_desc pad;
    nn_nodes both;
    memset(&order, 0, sizeof order);
    memset(&slice, 0, sizeof slice);
    memset(&pad, 0, sizeof pad);
    switch ((graph_arrange)y->op->variant) {
    case GRAPH_PERMUTE:
        for (order.count = 0; order.count < y->shape.rank; order.count++)
            order.axis[order.count] = y->p[order.count];
        return nn_permute(net, x, order);
    case GRAPH_SLICE:
        slice.axis = y->p[0], slice.start = y->p[1], slice.stop = y->p[2], slice.step = y->p[3];
        return nn_slice(net, x, &slice);
    case GRAPH_CONCAT:
        pair[0] = graph_wide(net, x), pair[1] = graph_wide(net, IN(1)->node);
        both.node = pair, both.count = 2;
        return nn_concat(net, both, y->p[0]);
    case GRAPH_PAD:
        pad.left = y->p[1], pad.right = y->p[2], pad.value = (float)y->f;
        return nn_pad(net, graph_wide(net, x), &pad);
    case GRAPH_FLIP:
        for (int i = 0; i < y->shape.rank; i++)
            if (y->p[i]) order.axis[order.count++] = i;
        return nn_flip(net, x, order);
    default: return nn_roll(net, x, y->p[1], y->p[0]);
    }
}
static void graph_eval_arrange(graph *g, graph_item *y) {
    int n = graph_elements(g, y->shape), rank = y->shape.rank, axis = y->p[0];
    for (int i = 0; i < n; i++) {
        int at[NN_MAX_RANK], from[NN_MAX_RANK], rest = i, k = 0, index = 0;
        for (int a = rank - 1; a >= 0; a--) {
            int extent = graph_extent(g, y->shape.extent[a]);
            at[a] = from[a] = rest % extent, rest /= extent;
        }
        switch ((graph_arrange)y->op->variant) {
        case GRAPH_PERMUTE:
            for (int a = 0; a < rank; a++) from[y->p[a]] = at[a];
            break;
        case GRAPH_SLICE: from[axis] = y->p[1] + at[axis] * y->p[3]; break;
        case GRAPH_CONCAT:
            if (at[axis] >= graph_extent(g, IN(0)->shape.extent[axis]))
                from[axis] -= graph_extent(g, IN(0)->shape.extent[axis]), k = 1;
            break;
        case GRAPH_PAD: from[rank - 1] -= y->p[1]; break;
        case GRAPH_FLIP:
            for (int a = 0; a < rank; a++)
                if (y->p[a]) from[a] = graph_extent(g, y->shape.extent[a]) - 1 - at[a];
            break;
        default: {
            int extent = graph_extent(g, y->shape.extent[axis]);
            from[axis] = ((at[axis] - y->p[1]) % extent + extent) % extent;
            break;
        }
        }
        for (int a = 0; a < rank; a++) {
            int extent = graph_extent(g, IN(k)->shape.extent[a]);
            if (from[a] < 0 || from[a] >= extent) index = -1;
            if (index >= 0) index = index * extent + from[a];
        }
        y->v[i] = index < 0 ? y->f : V(k)[index];
    }
}

#include "random_graph_index.h"
#include "random_graph_pool.h"
#include "random_graph_volume.h"
#include "random_graph_names.h"

/* ---- the table ------------------------------------------------------------------------------- */

#define GRAPH_UNARY(name, variant)                                                                 \
    { name, graph_choose_unary, graph_build_unary, graph_eval_unary, variant }
#define GRAPH_BINARY(name, variant)                                                                \
    { name, graph_choose_binary, graph_build_binary, graph_eval_binary, variant }
#define GRAPH_EXPRESSION(name, variant)                                                            \
    { name, graph_choose_expression, graph_build_expression, graph_eval_expression, variant }
#define GRAPH_ARRANGE(name, variant)                                                               \
    { name, graph_choose_arrange, graph_build_arrange, graph_eval_arrange, variant }
#define GRAPH_REDUCE(name, variant)                                                                \
    { name, graph_choose_reduce, graph_build_reduce, graph_eval_reduce, variant }
static const graph_op graph_ops[] = {
    {"linear", graph_choose_linear, graph_build_linear, graph_eval_linear, 0},
    {"linear_transposed", graph_choose_linear, graph_build_linear, graph_eval_linear, 1},
    {"linear", graph_choose_linear, graph_build_linear, graph_eval_linear, 2},
    {"linear_transposed", graph_choose_linear, graph_build_linear, graph_eval_linear, 3},
    {"linear", graph_choose_linear, graph_build_linear, graph_eval_linear, 4},
    {"linear_transposed", graph_choose_linear, graph_build_linear, graph_eval_linear, 5},
    {"linear", graph_choose_linear, graph_build_linear, graph_eval_linear, 6},
    {"linear_transposed", graph_choose_linear, graph_build_linear, graph_eval_linear, 7},
    {"matmul", graph_choose_matmul, graph_build_matmul, graph_eval_matmul, 0},
    {"conv2d", graph_choose_conv2d, graph_build_conv2d, graph_eval_conv2d, 0},
    {"conv2d", graph_choose_conv2d, graph_build_conv2d, graph_eval_conv2d, 0},
    {"conv1d", graph_choose_conv1d, graph_build_conv1d, graph_eval_conv1d, 0},
    {"conv_transpose2d", graph_choose_transposed, graph_build_transposed, graph_eval_transposed, 0},
    {"pad", graph_choose_pad_mode, graph_build_pad_mode, graph_eval_pad_mode,
     NN_PADDING_REFLECT},
    {"pad", graph_choose_pad_mode, graph_build_pad_mode, graph_eval_pad_mode,
     NN_PADDING_REPLICATE},
    {"pad", graph_choose_pad_mode, graph_build_pad_mode, graph_eval_pad_mode,
     NN_PADDING_CIRCULAR},
    {"max_pool2d", graph_choose_pool, graph_build_pool, graph_eval_pool, 0},
    {"avg_pool2d", graph_choose_pool, graph_build_pool, graph_eval_pool, 1},
    {"max_pool1d", graph_choose_pool1d, graph_build_pool1d, graph_eval_pool1d, 0},
    {"avg_pool1d", graph_choose_pool1d, graph_build_pool1d, graph_eval_pool1d, 1},
    {"adaptive_max_pool1d", graph_choose_pool1d, graph_build_pool1d, graph_eval_pool1d, 2},
    {"adaptive_avg_pool1d", graph_choose_pool1d, graph_build_pool1d, graph_eval_pool1d, 3},
    {"adaptive_max_pool2d", graph_choose_adaptive, graph_build_adaptive, graph_eval_adaptive, 0},
    {"adaptive_avg_pool2d", graph_choose_adaptive, graph_build_adaptive, graph_eval_adaptive, 1},
    {"lp_pool1d", graph_choose_lp, graph_build_lp, graph_eval_lp, 0},
    {"lp_pool2d", graph_choose_lp, graph_build_lp, graph_eval_lp, 1},
    {"global_max_pool2d", graph_choose_global_max, graph_build_global_max,
     graph_eval_global_max, 0},
    GRAPH_VOLUMES,
    GRAPH_NAMES,
    {"dropout", graph_choose_dropout, graph_build_dropout, graph_eval_copy, GRAPH_DROPOUT},
    {"dropout1d", graph_choose_dropout, graph_build_dropout, graph_eval_copy, GRAPH_DROPOUT_1D},
    {"dropout2d", graph_choose_dropout, graph_build_dropout, graph_eval_copy, GRAPH_DROPOUT_2D},
    {"dropout3d", graph_choose_dropout, graph_build_dropout, graph_eval_copy, GRAPH_DROPOUT_3D},
    {"alpha_dropout", graph_choose_dropout, graph_build_dropout, graph_eval_copy,
     GRAPH_ALPHA_DROPOUT},
    {"feature_alpha_dropout", graph_choose_dropout, graph_build_dropout, graph_eval_copy,
     GRAPH_FEATURE_ALPHA_DROPOUT},
    {"max_unpool1d", graph_choose_unpool, graph_build_unpool, graph_eval_unpool, 0},
    {"max_unpool2d", graph_choose_unpool, graph_build_unpool, graph_eval_unpool, 1},
    {"max_unpool1d", graph_choose_unpool, graph_build_unpool, graph_eval_unpool, 2},
    {"max_unpool2d", graph_choose_unpool, graph_build_unpool, graph_eval_unpool, 3},
    {"resize", graph_choose_resize, graph_build_resize, graph_eval_resize, NN_RESIZE_NEAREST},
    {"resize", graph_choose_resize, graph_build_resize, graph_eval_resize, NN_RESIZE_LINEAR},
    {"resize", graph_choose_resize, graph_build_resize, graph_eval_resize, NN_RESIZE_CUBIC},
    {"grid_sample", graph_choose_grid, graph_build_grid, graph_eval_grid, 0},
    {"reshape", graph_choose_reshape, graph_build_reshape, graph_eval_copy, 0},
    {"reshape", graph_choose_reshape, graph_build_reshape, graph_eval_copy, 0},
    {"detach", graph_choose_detach, graph_build_detach, graph_eval_detach, 0},
    {"cast", graph_choose_cast, graph_build_cast, graph_eval_cast, 0},
    {"cast", graph_choose_cast, graph_build_cast, graph_eval_cast, 1},
    {"softmax", graph_choose_softmax, graph_build_softmax, graph_eval_softmax, 0},
    {"log_softmax", graph_choose_softmax, graph_build_softmax, graph_eval_softmax, 1},
    GRAPH_ARRANGE("permute", GRAPH_PERMUTE),
    GRAPH_ARRANGE("slice", GRAPH_SLICE),
    GRAPH_ARRANGE("concat", GRAPH_CONCAT),
    GRAPH_ARRANGE("pad", GRAPH_PAD),
    GRAPH_ARRANGE("flip", GRAPH_FLIP),
    GRAPH_ARRANGE("roll", GRAPH_ROLL),
    {"normalize", graph_choose_normalize, graph_build_normalize, graph_eval_normalize, 0},
    {"einsum", graph_choose_einsum, graph_build_einsum, graph_eval_einsum, 0},
    {"cosine_similarity", graph_choose_cosine, graph_build_cosine, graph_eval_cosine, 0},
    {"channel_shuffle", graph_choose_shuffle, graph_build_shuffle, graph_eval_shuffle, 0},
    {"pixel_shuffle", graph_choose_shuffle, graph_build_shuffle, graph_eval_shuffle, 2},
    {"layer_norm", graph_choose_norm, graph_build_norm, graph_eval_norm, GRAPH_LAYER_NORM},
    {"prelu", graph_choose_prelu, graph_build_prelu, graph_eval_prelu, 0},
    {"fake_quantize", graph_choose_fake_quantize, graph_build_fake_quantize, graph_eval_fake_quantize, 0},
    {"rms_norm", graph_choose_norm, graph_build_norm, graph_eval_norm, GRAPH_RMS_NORM},
    {"group_norm", graph_choose_norm, graph_build_norm, graph_eval_norm, GRAPH_GROUP_NORM},
    {"batch_norm", graph_choose_norm, graph_build_norm, graph_eval_norm, GRAPH_BATCH_NORM},
    {"batch_norm", graph_choose_norm, graph_build_norm, graph_eval_norm, GRAPH_FROZEN_NORM},
    {"lstm", graph_choose_recurrent, graph_build_recurrent, graph_eval_recurrent, 0},
    {"gru", graph_choose_recurrent, graph_build_recurrent, graph_eval_recurrent, 1},
    {"rnn", graph_choose_recurrent, graph_build_recurrent, graph_eval_recurrent, 2},
    {"embedding", graph_choose_embedding, graph_build_embedding, graph_eval_embedding, 0},
    {"embedding", graph_choose_embedding, graph_build_embedding, graph_eval_embedding, 1},
    {"index_select", graph_choose_index_select, graph_build_index_select, graph_eval_index_select,
     0},
    {"gather", graph_choose_gather, graph_build_gather, graph_eval_gather, 0},
    {"scatter_add", graph_choose_scatter, graph_build_scatter, graph_eval_scatter, 0},
    {"scatter", graph_choose_scatter, graph_build_scatter, graph_eval_scatter, 1},
    {"scatter_value", graph_choose_scatter, graph_build_scatter, graph_eval_scatter, 2},
    {"scatter_reduce", graph_choose_scatter, graph_build_scatter, graph_eval_scatter, 3},
    {"one_hot", graph_choose_one_hot, graph_build_one_hot, graph_eval_one_hot, 0},
    {"sort", graph_choose_sort, graph_build_sort, graph_eval_sort, 0},
    {"sort", graph_choose_sort, graph_build_sort, graph_eval_sort, 1},
    {"top_k", graph_choose_sort, graph_build_sort, graph_eval_sort, 2},
    {"top_k", graph_choose_sort, graph_build_sort, graph_eval_sort, 3},
    {"kthvalue", graph_choose_sort, graph_build_sort, graph_eval_sort, 4},
    {"median", graph_choose_sort, graph_build_sort, graph_eval_sort, 5},
    {"diff", graph_choose_matrix, graph_build_matrix, graph_eval_matrix, 0},
    {"tril", graph_choose_matrix, graph_build_matrix, graph_eval_matrix, 1},
    {"triu", graph_choose_matrix, graph_build_matrix, graph_eval_matrix, 2},
    {"split", graph_choose_matrix, graph_build_matrix, graph_eval_matrix, 3},
    {"outer", graph_choose_outer, graph_build_outer, graph_eval_outer, 0},
    {"cumprod", graph_choose_running, graph_build_running, graph_eval_running, 0},
    {"logcumsumexp", graph_choose_running, graph_build_running, graph_eval_running, 1},
    {"cummax", graph_choose_running, graph_build_running, graph_eval_running, 2},
    {"cummin", graph_choose_running, graph_build_running, graph_eval_running, 3},
    {"pairwise_distance", graph_choose_distance, graph_build_distance, graph_eval_distance, 0},
    {"cdist", graph_choose_distance, graph_build_distance, graph_eval_distance, 1},
    {"embedding_bag", graph_choose_bag, graph_build_bag, graph_eval_bag, 0},
    {"embedding_bag", graph_choose_bag, graph_build_bag, graph_eval_bag, 1},
    {"masked_fill", graph_choose_masked, graph_build_masked, graph_eval_masked, 0},
    {"nan_to_num", graph_choose_masked, graph_build_masked, graph_eval_masked, 1},
    {"nan_to_num", graph_choose_masked, graph_build_masked, graph_eval_masked, 2},
    {"nan_to_num", graph_choose_masked, graph_build_masked, graph_eval_masked, 3},
    {"pixel_unshuffle", graph_choose_unshuffle, graph_build_unshuffle, graph_eval_unshuffle, 2},
    {"ctc_loss", graph_choose_ctc, graph_build_ctc, graph_eval_ctc, 0},
    {"rotary_embedding", graph_choose_rotary, graph_build_rotary, graph_eval_rotary, 0},
    {"rotary_embedding", graph_choose_rotary, graph_build_rotary, graph_eval_rotary, 1},
    {"sinusoidal_positions", graph_choose_rotary, graph_build_sinusoidal, graph_eval_sinusoidal, 0},
    {"sinusoidal_positions", graph_choose_rotary, graph_build_sinusoidal, graph_eval_sinusoidal, 1},
    {"scaled_dot_product_attention", graph_choose_attention, graph_build_attention,
     graph_eval_attention, 0},
    {"scaled_dot_product_attention", graph_choose_attention, graph_build_attention,
     graph_eval_attention, 1},
    {"scaled_dot_product_attention", graph_choose_attention, graph_build_attention,
     graph_eval_attention, 2},
    {"scaled_dot_product_attention", graph_choose_attention, graph_build_attention,
     graph_eval_attention, 3},
    {"cumsum", graph_choose_cumsum, graph_build_cumsum, graph_eval_cumsum, 0},
    GRAPH_REDUCE("sum", NN_SUM),
    GRAPH_REDUCE("mean", NN_MEAN),
    GRAPH_REDUCE("amax", NN_MAX),
    GRAPH_REDUCE("amin", NN_MIN),
    GRAPH_REDUCE("prod", NN_PROD),
    GRAPH_REDUCE("sum_of_squares", NN_SUM_OF_SQUARES),
    GRAPH_REDUCE("logsumexp", NN_LOGSUMEXP),
    GRAPH_REDUCE("var", NN_VAR),
    GRAPH_UNARY("relu", GRAPH_RELU),
    GRAPH_UNARY("sigmoid", GRAPH_SIGMOID),
    GRAPH_UNARY("tanh", GRAPH_TANH),
    GRAPH_UNARY("gelu", GRAPH_GELU),
    GRAPH_UNARY("exp", GRAPH_EXP),
    GRAPH_UNARY("log", GRAPH_LOG),
    GRAPH_UNARY("sqrt", GRAPH_SQRT),
    GRAPH_UNARY("square", GRAPH_SQUARE),
    GRAPH_UNARY("abs", GRAPH_ABS),
    GRAPH_UNARY("negate", GRAPH_NEGATE),
    GRAPH_UNARY("softplus", GRAPH_SOFTPLUS),
    GRAPH_UNARY("leaky_relu", GRAPH_LEAKY_RELU),
    GRAPH_UNARY("scale", GRAPH_SCALE),
    GRAPH_UNARY("offset", GRAPH_OFFSET),
    GRAPH_UNARY("silu", GRAPH_SILU),
    GRAPH_UNARY("mish", GRAPH_MISH),
    GRAPH_UNARY("hardswish", GRAPH_HARDSWISH),
    GRAPH_UNARY("sin", GRAPH_SIN),
    GRAPH_UNARY("erf", GRAPH_ERF),
    GRAPH_UNARY("softsign", GRAPH_SOFTSIGN),
    GRAPH_UNARY("elu", GRAPH_ELU),
    GRAPH_UNARY("relu6", GRAPH_RELU6),
    GRAPH_UNARY("rsqrt", GRAPH_RSQRT),
    GRAPH_EXPRESSION("blend", 0),
    GRAPH_EXPRESSION("ratio", 1),
    GRAPH_EXPRESSION("clipped", 2),
    GRAPH_BINARY("add", GRAPH_ADD),
    GRAPH_BINARY("subtract", GRAPH_SUBTRACT),
    GRAPH_BINARY("multiply", GRAPH_MULTIPLY),
    GRAPH_BINARY("divide", GRAPH_DIVIDE),
    GRAPH_BINARY("maximum", GRAPH_MAXIMUM),
    GRAPH_BINARY("minimum", GRAPH_MINIMUM),
};
enum { GRAPH_OPS = (int)(sizeof graph_ops / sizeof graph_ops[0]) };

/* ---- a whole net ----------------------------------------------------------------------------- */

/* How the loss reads an item. */
typedef enum graph_term {
    GRAPH_MEAN_SQUARE,
    GRAPH_SUM,
    GRAPH_CROSS_ENTROPY,
    GRAPH_BCE, /* from here on: of each element, with a target of 0.5 */
    GRAPH_L1,
    GRAPH_SMOOTH_L1,
    GRAPH_HUBER,
    GRAPH_SOFT_MARGIN,
    GRAPH_HINGE,
    GRAPH_GAUSSIAN,
    GRAPH_TERMS
} graph_term;
/* The builders of these losses, in the same order; "" for none. */
static TEST_UNUSED const char *const graph_term_names[GRAPH_TERMS] = {
    "", "", "cross_entropy", "bce_with_logits", "l1_loss", "smooth_l1_loss", "huber_loss",
    "soft_margin_loss", "hinge_embedding_loss", "gaussian_nll_loss"};

/* Returns the loss of one element. */
static double graph_lost(int kind, double x) {
    const double d = fabs(x - 0.5);
    switch (kind) {
    case GRAPH_L1: return d;
    case GRAPH_SMOOTH_L1: return d < 0.5 ? d * d : d - 0.25;
    case GRAPH_HUBER: return d < 0.75 ? 0.5 * d * d : 0.75 * (d - 0.375);
    case GRAPH_SOFT_MARGIN: return graph_unary_of(GRAPH_SOFTPLUS, -0.5 * x, 0);
    case GRAPH_HINGE: return (x < 1 ? 1 - x : 0) + x; /* neither 1 nor -1: both terms count */
    case GRAPH_GAUSSIAN: return 0.5 * (log(0.5) + d * d / 0.5);
    default: return graph_unary_of(GRAPH_SOFTPLUS, x, 0) - x * 0.5;
    }
}
static nn_node *graph_loss_of(nn_model *net, int kind, nn_node *x, nn_node *half) {
    nn_smooth_l1_desc smooth_l1;
    nn_huber_desc huber;
    memset(&smooth_l1, 0, sizeof smooth_l1);
    memset(&huber, 0, sizeof huber);
    smooth_l1.beta = 0.5f;
    smooth_l1.reduction = NN_REDUCTION_NONE;
    huber.delta = 0.75f;
    switch (kind) {
    case GRAPH_L1: return nn_l1_loss(net, x, half, NULL);
    case GRAPH_SMOOTH_L1: return nn_mean(net, nn_smooth_l1_loss(net, x, half, &smooth_l1));
    case GRAPH_HUBER: return nn_huber_loss(net, x, half, &huber);
    case GRAPH_SOFT_MARGIN: return nn_soft_margin_loss(net, x, half, NULL);
    case GRAPH_HINGE: return nn_hinge_embedding_loss(net, x, half, NULL);
    case GRAPH_GAUSSIAN: return nn_gaussian_nll_loss(net, x, half, half, NULL);
    default: return nn_bce_with_logits(net, x, half, NULL);
    }
}

static TEST_UNUSED void graph_evaluate(graph *g, int batch, int time) {
    g->batch = batch;
    g->time = time;
    if (!g->hold && !g->single) g->doubtful = false;
    for (int i = 0; i < g->count; i++)
        if (g->items[i].kind == GRAPH_OPERATION) g->items[i].op->evaluate(g, &g->items[i]);
}

static TEST_UNUSED double graph_loss(graph *g) {
    double loss = 0, row[GRAPH_CLASSES];
    for (int t = 0; t < g->term_count; t++) {
        const graph_item *x = &g->items[g->terms[t]];
        int n = graph_elements(g, x->shape), rows = n / GRAPH_CLASSES;
        int label = x->shape.extent[0] == NN_BATCH ? g->label : g->labels;
        double sum = 0;
        switch (g->term_kind[t]) {
        case GRAPH_MEAN_SQUARE:
            for (int i = 0; i < n; i++) sum += x->v[i] * x->v[i];
            loss += sum / n;
            break;
        case GRAPH_SUM:
            for (int i = 0; i < n; i++) sum += x->v[i];
            loss += sum;
            break;
        case GRAPH_CROSS_ENTROPY:
            for (int r = 0; r < rows; r++) {
                graph_log_softmax(g, row, x->v + r * GRAPH_CLASSES, GRAPH_CLASSES);
                sum -= row[(int)g->items[label].v[r]];
            }
            loss += sum / rows;
            break;
        default:
            for (int i = 0; i < n; i++) sum += graph_lost(g->term_kind[t], x->v[i]);
            loss += sum / n;
            break;
        }
    }
    return loss;
}

static bool graph_sane(const graph *g, const graph_item *y) {
    if (graph_sample(y->shape) > GRAPH_ELEMENTS || y->shape.rank > NN_MAX_RANK) return false;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        if (!(fabs(y->v[i]) < 60)) return false;
    return true;
}

/* True if the numbers of the whole net are sane at the current batch and time. Drawing only checked
   the largest. */
static TEST_UNUSED bool graph_all_sane(const graph *g) {
    for (int i = 0; i < g->count; i++)
        if (g->items[i].kind == GRAPH_OPERATION && !graph_sane(g, &g->items[i])) return false;
    return true;
}

static TEST_UNUSED void graph_free(graph *g) {
    for (int i = 0; i < g->count; i++) free(g->items[i].v), free(g->items[i].scales);
    g->count = 0;
}

static void graph_add_operation(graph *g) {
    const graph_op *op = &graph_ops[graph_draw(g, GRAPH_OPS)];
    graph_item y;
    int before = g->count;
    memset(&y, 0, sizeof y);
    y.op = op;
    snprintf(y.name, sizeof y.name, "L%d", g->count);
    bool fits = op->choose(g, &y);
    if (fits) {
        y.v = (double *)calloc(2 * GRAPH_BATCH * GRAPH_ELEMENTS, sizeof(double));
        y.kind = GRAPH_OPERATION;
        y.detached = true;
        for (int k = 0; k < y.ins; k++) y.detached = y.detached && g->items[y.in[k]].detached;
        if (op->build == graph_build_detach || op->build == graph_build_fake_quantize)
            y.detached = true;
        fits = graph_sample(y.shape) <= GRAPH_ELEMENTS;
        if (fits) op->evaluate(g, &y);
        fits = fits && graph_sane(g, &y);
        if (fits) g->items[g->count++] = y;
        else free(y.v);
    }
    if (!fits) /* and removes its other items */
        while (g->count > before) g->count--, free(g->items[g->count].v), free(g->items[g->count].scales);
}

/* Draws the net of this seed, always the same. False: the net has no loss that depends on a trained
   parameter. */
static TEST_UNUSED bool graph_make(graph *g, uint64_t seed, int operations) {
    memset(g, 0, sizeof *g);
    g->seed = seed;
    g->batch = GRAPH_BATCH;
    g->storage = seed % 6 == 1 ? NN_F16 : seed % 6 == 4 ? NN_BF16 : NN_F32;
    g->time = GRAPH_TIME;
    graph_add(g, GRAPH_INPUT, NN_SHAPE(NN_BATCH, 1 + graph_draw(g, 9)));
    graph_add(g, GRAPH_INPUT,
              NN_SHAPE(NN_BATCH, 1 + graph_draw(g, 4), 2 + graph_draw(g, 7), 2 + graph_draw(g, 7)));
    g->label = g->count;
    graph_add(g, GRAPH_LABEL, NN_SHAPE(NN_BATCH));
    if (graph_draw(g, 2)) { /* sequences, and numbers that all samples share at each time */
        graph_add(
            g, GRAPH_INPUT,
            NN_SHAPE(NN_BATCH, NN_TIME, graph_draw(g, 2) ? GRAPH_CLASSES : 1 + graph_draw(g, 6)));
        graph_add(g, GRAPH_INPUT,
                  graph_draw(g, 2) ? NN_SHAPE(NN_TIME, 1 + graph_draw(g, 5))
                                   : NN_SHAPE(NN_TIME, NN_BATCH));
        g->labels = g->count;
        graph_add(g, GRAPH_LABEL, NN_SHAPE(NN_BATCH, NN_TIME));
    }
    if (graph_draw(g, 2))
        graph_add(g, GRAPH_PARAMETER, NN_SHAPE(1 + graph_draw(g, 5), 1 + graph_draw(g, 5)));
    if (graph_draw(g, 2)) /* trained planes or lines */
        graph_add(g, GRAPH_PARAMETER,
                  graph_draw(g, 2) ? NN_SHAPE(1 + graph_draw(g, 2), 1 + graph_draw(g, 4),
                                              1 + graph_draw(g, 5), 1 + graph_draw(g, 5))
                                   : NN_SHAPE(1 + graph_draw(g, 4), 1 + graph_draw(g, 4),
                                              1 + graph_draw(g, 7)));
    for (int i = 0; i < 4 * operations && g->count < operations + 4 && g->count < GRAPH_ITEMS - 6;
         i++)
        graph_add_operation(g);
    for (int i = g->count - 1; i >= 0 && g->term_count < 3; i--) {
        const graph_item *x = &g->items[i];
        if (x->kind != GRAPH_OPERATION || x->detached || (g->term_count && graph_draw(g, 2)))
            continue;
        bool classes = x->shape.rank == 2 && x->shape.extent[1] == GRAPH_CLASSES &&
                       (x->shape.extent[0] == NN_BATCH || x->shape.extent[0] == NN_BATCH_TIME);
        int kind = graph_draw(g, GRAPH_TERMS);
        if (classes && graph_draw(g, 3)) kind = GRAPH_CROSS_ENTROPY;
        if (kind == GRAPH_CROSS_ENTROPY && !classes) kind = GRAPH_MEAN_SQUARE;
        g->terms[g->term_count] = i;
        g->term_kind[g->term_count++] = kind;
    }
    return g->term_count > 0;
}

/* True if the net has a layer of this kind. */
static bool graph_has_layer(const graph *g, const char *layer) {
    for (int i = 0; i < g->count; i++) {
        const char *dot = g->items[i].kind == GRAPH_OPERATION ? strchr(g->items[i].name, '.') : NULL;
        if (dot && strcmp(dot + 1, layer) == 0) return true;
    }
    return false;
}

/* Adds adapters and 8-bit weights to the layers drawn with them. Returns true if there are
   adapters. */
static bool graph_adapt(const graph *g, nn_model *net) {
    nn_lora_desc lora;
    nn_quantize_desc quantize;
    int adapters = 0, bytes = 0;
    memset(&lora, 0, sizeof lora);
    memset(&quantize, 0, sizeof quantize);
    for (int k = 1; k < 4; k++) {
        if (!graph_has_layer(g, graph_layers[k])) continue;
        if (k & 1) TEXT_AT(lora.targets, adapters++) = graph_layers[k];
        if (k & 2) TEXT_AT(quantize.targets, bytes++) = graph_layers[k];
    }
    lora.r = GRAPH_RANK;
    lora.alpha = (float)GRAPH_ALPHA;
    if (bytes) nn_quantize(net, &quantize);
    if (adapters) nn_lora(net, &lora);
    return adapters > 0;
}

/* Begins and ends blocks of nn_recompute_begin before item `at`. The loss is described after index
   g->count, and the description ends at g->count + 1. */
static void graph_put_blocks(const graph *g, nn_model *net, int at, bool *open) {
    uint32_t words[4];
    bool begin, end;
    nn_random_words(g->seed, 98, g->blocks == GRAPH_BLOCKS_IN_ALL ? (uint64_t)at + 1 : 0, words);
    if (g->blocks == GRAPH_BLOCKS_IN_ALL) {
        begin = words[0] % 3 == 0;
        end = *open && (begin || words[1] % 4 == 0);
    } else {
        const int from = words[0] % 3 || g->blocks == GRAPH_BLOCK_IN_NONE
                             ? g->count
                             : (int)(words[1] % (uint32_t)g->count);
        begin = at == from && at < g->count;
        end = *open && (at == from + 1 + (int)(words[2] % (uint32_t)g->count) || at == g->count);
    }
    if (end || (*open && at > g->count)) nn_recompute_end(net), *open = false;
    if (begin && at <= g->count) nn_recompute_begin(net), *open = true;
}

/* Begins and ends regions of nn_autocast_begin before item `at`, as graph_put_blocks does. */
static void graph_put_autocast(const graph *g, nn_model *net, int at, bool *open) {
    uint32_t words[4];
    nn_random_words(g->seed, 97, (uint64_t)at + 1, words);
    const bool begin = g->autocast && at <= g->count && (at == 0 || words[0] % 3 == 0);
    if (*open && (begin || at > g->count || words[1] % 6 == 0)) {
        nn_autocast_end(net);
        *open = false;
    }
    if (begin) {
        nn_autocast_begin(net, g->autocast);
        *open = true;
    }
}

/* Describes the net and returns its loss. keep_all: keeps every node. */
static TEST_UNUSED nn_node *graph_describe(graph *g, nn_model *net, bool keep_all) {
    nn_node *loss = NULL, *term;
    bool open = false, cast = false;
    const bool adapted = graph_adapt(g, net);
    for (int i = 0; i < g->count; i++) {
        graph_item *y = &g->items[i];
        graph_put_blocks(g, net, i, &open);
        graph_put_autocast(g, net, i, &cast);
        if (y->owned) continue;
        switch (y->kind) {
        case GRAPH_INPUT: y->node = nn_input(net, y->name, g->storage, y->shape); break;
        case GRAPH_LABEL: y->node = nn_input(net, y->name, NN_I32, y->shape); break;
        case GRAPH_PARAMETER: y->node = nn_parameter(net, y->name, y->shape, -1, 1); break;
        case GRAPH_OPERATION:
            y->node = y->op->build(g, net, y);
            if (keep_all) nn_keep(y->node);
            break;
        }
    }
    graph_put_blocks(g, net, g->count, &open);
    graph_put_autocast(g, net, g->count, &cast);
    for (int i = 0; i < g->count; i++) { /* nn_lora froze them */
        const graph_item *p = &g->items[i];
        if (p->kind == GRAPH_PARAMETER && (adapted || p->bytes || p->frozen))
            nn_freeze(net, p->name, p->bytes > 0 || p->frozen);
    }
    for (int t = 0; t < g->term_count; t++) {
        nn_node *x = g->items[g->terms[t]].node;
        switch (g->term_kind[t]) {
        case GRAPH_MEAN_SQUARE: term = nn_mean(net, nn_square(net, x)); break;
        case GRAPH_SUM: term = nn_sum(net, x); break;
        case GRAPH_CROSS_ENTROPY: {
            nn_node *label = g->items[g->label].node;
            if (nn_node_shape(x).extent[0] == NN_BATCH_TIME)
                label = nn_reshape(net, g->items[g->labels].node, NN_SHAPE(NN_BATCH_TIME));
            term = nn_cross_entropy(net, x, label, NULL);
            break;
        }
        default: {
            nn_node *half = nn_offset(net, nn_scale(net, nn_detach(net, x), 0.0f), 0.5f);
            term = graph_loss_of(net, g->term_kind[t], x, half);
            break;
        }
        }
        loss = loss ? nn_add(net, loss, term) : term;
    }
    graph_put_blocks(g, net, g->count + 1, &open);
    graph_put_autocast(g, net, g->count + 1, &cast);
    return loss;
}

#endif /* NN_RANDOM_GRAPH_H */
