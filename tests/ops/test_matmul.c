/* test_matmul.c: nn_matmul for vectors, matrices and batches with broadcasting, of f32, f16 and
   bf16, with every transposition. The described net, the immediate call and the gradients are
   compared with loops in double that follow the definition. Free extents, and the errors for shapes
   that do not fit, are tested too. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "halves.h"
#include "inside.h"
#include "open.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

#define AT          nn_make_site("net.c", 7)
#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

enum { MOST = 4096 };

static uint32_t word_seed = 1;
static uint32_t word(void) {
    uint32_t words[4];
    nn_random_words(5, 77, word_seed++, words);
    return words[0];
}
static int draw(int below) { return (int)(word() % (uint32_t)below); }

static nn_device on;

/* The context with OpenCL is kept from product to product: PoCL takes 50 ms for each program of a
   new one. Its objects are freed with it, at the end of test_opencl. */
static nn_context *kept;

static nn_context *open_nn(int threads) {
    nn_desc desc;
    nn_context *nn;
    if (on.kind != NN_CPU && kept) {
        nn_clear_error(kept);
        return kept;
    }
    ZERO(desc);
    desc.threads = threads;
    nn = nn_open(&desc);
#ifdef NN_TEST_OPENCL
    if (on.kind != NN_CPU) {
        nn_opencl_desc opencl;
        ZERO(opencl);
        OPEN_OPENCL_WITH(nn, &opencl);
        kept = nn;
    }
#endif
    return nn;
}

static void close_nn(nn_context *nn) {
    if (nn != kept) nn_close(nn);
}

/* ---- a product by its definition ------------------------------------------------------------- */

typedef struct product {
    nn_shape a, b, y; /* y: the shape of the result, computed by NumPy's rules */
    nn_dtype a_type, b_type;
    nn_matmul_desc desc;
    double a_value[MOST], b_value[MOST], y_value[MOST], y_scale[MOST];
    double weight[MOST], a_slope[MOST], b_slope[MOST]; /* of the sum of weight * y */
} product;

static int count(nn_shape s) {
    int n = 1;
    for (int i = 0; i < s.rank; i++) n *= s.extent[i];
    return n;
}

/* Returns extent `from_last` of the batch, which ends before the last two; 1 beyond it. */
static int batch_extent(nn_shape s, int from_last) {
    return from_last < s.rank - 2 ? s.extent[s.rank - 3 - from_last] : 1;
}

/* Returns the index of the element where the matrix with these batch indices begins. */
static int matrix_at(nn_shape s, const int *index, int size) {
    int at = 0, step = size;
    for (int i = 0; i < 4; i++) {
        int extent = batch_extent(s, i);
        if (extent > 1) at += index[i] * step;
        step *= extent;
    }
    return at;
}

static void define(product *p) {
    const bool row = p->a.rank == 1, column = p->b.rank == 1;
    const int *ae = p->a.extent + p->a.rank, *be = p->b.extent + p->b.rank; /* past the last */
    const bool ta = p->desc.transpose_a, tb = p->desc.transpose_b;
    const int m = row ? 1 : ae[ta ? -1 : -2], k = row ? ae[-1] : ae[ta ? -2 : -1],
              n = column ? 1 : be[tb ? -2 : -1];
    int e[4], at[4], y = 0, rank = p->a.rank > p->b.rank ? p->a.rank : p->b.rank;
    memset(p->a_slope, 0, sizeof p->a_slope);
    memset(p->b_slope, 0, sizeof p->b_slope);
    ZERO(p->y);
    for (int i = rank - 3; i >= 0; i--) {
        int one = batch_extent(p->a, i), other = batch_extent(p->b, i);
        p->y.extent[p->y.rank++] = one == 1 ? other : one;
    }
    if (!row) p->y.extent[p->y.rank++] = m;
    if (!column) p->y.extent[p->y.rank++] = n;
    for (int i = 0; i < 4; i++) {
        int one = batch_extent(p->a, i), other = batch_extent(p->b, i);
        e[i] = one == 1 ? other : one;
    }
    for (at[3] = 0; at[3] < e[3]; at[3]++)
        for (at[2] = 0; at[2] < e[2]; at[2]++)
            for (at[1] = 0; at[1] < e[1]; at[1]++)
                for (at[0] = 0; at[0] < e[0]; at[0]++) {
                    int a0 = matrix_at(p->a, at, m * k), b0 = matrix_at(p->b, at, k * n);
                    for (int i = 0; i < m * n; i++, y++) {
                        double sum = 0, scale = 0;
                        for (int l = 0; l < k; l++) {
                            int from_a = a0 + (ta ? l * m + i / n : i / n * k + l),
                                from_b = b0 + (tb ? i % n * k + l : l * n + i % n);
                            double term = p->a_value[from_a] * p->b_value[from_b];
                            sum += term;
                            scale += fabs(term);
                            p->a_slope[from_a] += p->weight[y] * p->b_value[from_b];
                            p->b_slope[from_b] += p->weight[y] * p->a_value[from_a];
                        }
                        p->y_value[y] = sum;
                        p->y_scale[y] = scale;
                    }
                }
}

static nn_dtype draw_type(void) {
    int i = draw(5);
    return i == 0 ? NN_F16 : i == 1 ? NN_BF16 : NN_F32;
}

static void draw_values(double *values, int n, nn_dtype dtype) {
    for (int i = 0; i < n; i++) {
        double x = (double)nn_word_to_uniform(word()) * 2 - 1;
        values[i] = dtype == NN_F32 ? (double)(float)x : value_of(dtype, pattern_of(dtype, x));
    }
}

/* Draws two shapes that fit, with at most 4096 numbers in each of the three. */
static void draw_product(product *p, int most) {
    for (;;) {
        int a_rank = 1 + draw(6), b_rank = 1 + draw(6);
        int m = 1 + draw(most), n = 1 + draw(most), k = 1 + draw(most);
        ZERO(p->a);
        ZERO(p->b);
        p->desc.transpose_a = a_rank > 1 && draw(2);
        p->desc.transpose_b = b_rank > 1 && draw(2);
        p->a.rank = a_rank;
        p->b.rank = b_rank;
        for (int i = 0; i < 4; i++) {
            int extent = 1 + draw(4), thin = draw(4);
            if (i < a_rank - 2) p->a.extent[a_rank - 3 - i] = thin == 1 ? 1 : extent;
            if (i < b_rank - 2) p->b.extent[b_rank - 3 - i] = thin == 2 ? 1 : extent;
        }
        p->a.extent[a_rank - 1] = p->desc.transpose_a ? m : k;
        if (a_rank > 1) p->a.extent[a_rank - 2] = p->desc.transpose_a ? k : m;
        p->b.extent[b_rank - 1] = b_rank == 1 || p->desc.transpose_b ? k : n;
        if (b_rank > 1) p->b.extent[b_rank - 2] = p->desc.transpose_b ? n : k;
        int products = 1;
        for (int i = 0; i < 4; i++) {
            int one = batch_extent(p->a, i), other = batch_extent(p->b, i);
            products *= one == 1 ? other : one;
        }
        if (count(p->a) <= MOST && count(p->b) <= MOST && products * m * n <= MOST) break;
    }
    p->a_type = draw_type();
    p->b_type = draw_type();
    draw_values(p->a_value, count(p->a), p->a_type);
    draw_values(p->b_value, count(p->b), p->b_type);
    draw_values(p->weight, MOST, NN_F32);
    define(p);
}

static const char *words_of(const product *p) {
    static char text[400];
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    snprintf(text, sizeof text, "%s %s%s by %s %s%s", nn_dtype_name(p->a_type),
             nn__format_shape(p->a, one, sizeof one), p->desc.transpose_a ? "^T" : "",
             nn_dtype_name(p->b_type), nn__format_shape(p->b, other, sizeof other),
             p->desc.transpose_b ? "^T" : "");
    return text;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static nn_tensor *make(nn_context *nn, const char *name, nn_dtype dtype, nn_shape shape,
                       const double *values) {
    union {
        float number[MOST];
        uint16_t half[MOST];
    } data;
    nn_tensor_desc desc;
    ZERO(desc);
    desc.name = name;
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = on;
    nn_tensor *tensor = nn_make_tensor(nn, &desc);
    for (int i = 0; values && i < count(shape); i++)
        if (dtype == NN_F32) data.number[i] = (float)values[i];
        else data.half[i] = (uint16_t)pattern_of(dtype, values[i]);
    if (values) (void)nn_upload_tensor(tensor, &data, (size_t)nn_tensor_bytes(tensor));
    return tensor;
}

static bool is_near(const product *p, const char *what, const float *got, const double *wanted,
                 const double *scale, int n) {
    for (int i = 0; i < n; i++)
        if (test_wrong(!(fabs((double)got[i] - wanted[i]) <= 4e-6 * (scale ? scale[i] : 16) + 1e-7))) {
            test_fail(__FILE__, __LINE__, "%s: %s[%d] is %.9g, wanted %.9g", words_of(p), what, i,
                      (double)got[i], wanted[i]);
            return false;
        }
    return true;
}

static bool same_shape(const product *p, nn_shape shape) {
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    if (nn_same_shape(shape, p->y)) return true;
    test_fail(__FILE__, __LINE__, "%s: y is %s, wanted %s", words_of(p),
              nn__format_shape(shape, have, sizeof have),
              nn__format_shape(p->y, want, sizeof want));
    return false;
}

/* ---- every pair of shapes -------------------------------------------------------------------- */

static product current;

/* Compares the immediate call, the net, and the net in slices. */
static bool one_forward(const product *p) {
    static float got[MOST], again[MOST];
    nn_context *nn = open_nn(3);
    nn_tensor *a = make(nn, "a", p->a_type, p->a, p->a_value),
              *b = make(nn, "b", p->b_type, p->b, p->b_value),
              *y = make(nn, "y", NN_F32, p->y, NULL);
    nn_model_desc model;
    nn_plan_desc desc;
    nn_result result = NN_PENDING;
    const int n = count(p->y);
    ZERO(model);
    ZERO(desc);
    model.device = on;
    nn_model *net = nn_make_model(nn, &model);
    nn_node *node = nn_matmul(net, nn_constant(net, "a", a), nn_constant(net, "b", b), &p->desc);
    bool fine = same_shape(p, nn_node_shape(node)) &&
                nn_matmul_forward(y, a, b, &p->desc) == NN_OK &&
                nn_download_tensor(y, got, sizeof(float) * (size_t)n) == NN_OK &&
                is_near(p, "immediate y", got, p->y_value, p->y_scale, n);
    NODE_AT(desc.outputs, 0) = node;
    desc.poison = true;
    nn_plan *plan = nn_make_plan(net, &desc);
    fine = fine && plan && nn_run(plan) == NN_OK &&
           nn_download(plan, node, again, sizeof(float) * (size_t)n) == NN_OK &&
           memcmp(got, again, sizeof(float) * (size_t)n) == 0;
    while (fine && result == NN_PENDING) result = nn_run_for(plan, 1);
    fine = fine && result == NN_OK &&
           nn_download(plan, node, again, sizeof(float) * (size_t)n) == NN_OK &&
           memcmp(got, again, sizeof(float) * (size_t)n) == 0;
    for (int i = 0; plan && fine && i < plan->step_count; i++)
        if (test_wrong(strcmp(plan->steps[i].node->operation, "matmul") != 0))
            test_fail(__FILE__, __LINE__, "%s: there is a step \"%s\"", words_of(p),
                      plan->steps[i].node->operation);
    if (test_wrong(!fine || nn_error(nn)))
        test_fail(__FILE__, __LINE__, "%s: %s", words_of(p), nn_error(nn) ? nn_error(nn) : "?");
    close_nn(nn);
    return fine;
}

static void forward_here(int tries, int most) {
    for (int i = 0; i < tries; i++) {
        draw_product(&current, most);
        if (!one_forward(&current)) return;
    }
}

static void test_forward(void) {
    on = nn_cpu();
    forward_here(1500, 6);
    forward_here(60, 40);
}

/* Checks the immediate call, including halves: both gradients are overwritten, then added to, then
   computed alone. A gradient that is left out stays as it is. */
static bool one_backward(const product *p, int threads) {
    static float got[2][MOST], twice[2][MOST], alone[2][MOST];
    static double doubled[MOST];
    nn_context *nn = open_nn(threads);
    nn_tensor *a = make(nn, "a", p->a_type, p->a, p->a_value),
              *b = make(nn, "b", p->b_type, p->b, p->b_value),
              *dy = make(nn, "dy", NN_F32, p->y, p->weight),
              *dx[2] = {make(nn, "da", NN_F32, p->a, p->b_slope),
                        make(nn, "db", NN_F32, p->b, p->a_slope)};
    size_t bytes[2] = {(size_t)nn_tensor_bytes(dx[0]), (size_t)nn_tensor_bytes(dx[1])};
    bool fine = nn_matmul_backward(dx[0], dx[1], dy, a, b, &p->desc, false) == NN_OK;
    for (int k = 0; k < 2; k++)
        fine = fine && nn_download_tensor(dx[k], got[k], bytes[k]) == NN_OK &&
               is_near(p, k ? "immediate db" : "immediate da", got[k], k ? p->b_slope : p->a_slope,
                    NULL, (int)(bytes[k] / 4));
    fine = fine && nn_matmul_backward(dx[0], dx[1], dy, a, b, &p->desc, true) == NN_OK;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < (int)(bytes[k] / 4); i++)
            doubled[i] = 2 * (k ? p->b_slope : p->a_slope)[i];
        fine = fine && nn_download_tensor(dx[k], twice[k], bytes[k]) == NN_OK &&
               is_near(p, k ? "twice db" : "twice da", twice[k], doubled, NULL, (int)(bytes[k] / 4));
    }
    for (int k = 0; k < 2 && fine; k++) {
        fine = nn_matmul_backward(k ? NULL : dx[0], k ? dx[1] : NULL, dy, a, b, &p->desc, false) ==
                   NN_OK &&
               nn_download_tensor(dx[0], alone[0], bytes[0]) == NN_OK &&
               nn_download_tensor(dx[1], alone[1], bytes[1]) == NN_OK &&
               memcmp(alone[0], got[0], bytes[0]) == 0 &&
               memcmp(alone[1], k ? got[1] : twice[1], bytes[1]) == 0;
    }
    if (test_wrong(!fine || nn_error(nn)))
        test_fail(__FILE__, __LINE__, "%s: %s", words_of(p), nn_error(nn) ? nn_error(nn) : "?");
    close_nn(nn);
    return fine;
}

static void backward_here(int tries, int most) {
    for (int i = 0; i < tries; i++) {
        draw_product(&current, most);
        if (!one_backward(&current, 1 + i % 3)) return;
    }
}

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    on = nn_opencl(0);
    nn_context *nn = open_nn(1);
    bool there = nn__find_device(nn, on) != NULL;
    close_nn(nn);
    if (there) {
        forward_here(60, 6);
        forward_here(20, 40);
        backward_here(40, 6);
        backward_here(10, 30);
    }
    nn_close(kept);
    kept = NULL;
    on = nn_cpu();
    if (!there) SKIP("no OpenCL device");
#else
    SKIP("built without OpenCL");
#endif
}

/* Any number of threads gives the same bytes, for batches large enough to be cut. */
static void test_threads(void) {
    static const int sizes[][4] = {{3, 70, 90, 300}, {40, 33, 20, 17}, {700, 4, 5, 3}};
    on = nn_cpu();
    for (int i = 0; i < 3; i++) {
        float *first = NULL;
        for (int threads = 1; threads <= 4; threads++) {
            nn_context *nn = open_nn(threads);
            const int *s = sizes[i];
            nn_shape shapes[3] = {NN_SHAPE(s[0], s[1], s[3]), NN_SHAPE(s[0], s[3], s[2]),
                                  NN_SHAPE(s[0], s[1], s[2])};
            nn_tensor *tensor[3];
            for (int t = 0; t < 3; t++) {
                nn_tensor_desc desc;
                ZERO(desc);
                desc.shape = shapes[t];
                tensor[t] = nn_make_tensor(nn, &desc);
                float *x = (float *)nn_tensor_data(tensor[t]);
                for (int e = 0; e < count(shapes[t]); e++)
                    x[e] = (float)((e * 7919 + t * 31) % 1009) / 503.0f - 1.0f;
            }
            nn_tensor *y = tensor[2];
            ENSURE(nn_matmul_forward(y, tensor[0], tensor[1], NULL) == NN_OK);
            if (!first) {
                first = (float *)malloc((size_t)nn_tensor_bytes(y));
                memcpy(first, nn_tensor_data(y), (size_t)nn_tensor_bytes(y));
            }
            ENSURE(memcmp(first, nn_tensor_data(y), (size_t)nn_tensor_bytes(y)) == 0);
            close_nn(nn);
        }
        free(first);
    }
}

/* ---- products so large that they are cut and copied ------------------------------------------ */

/* Compares y (m, n) = a b, or twice that where it accumulates, with sums in double of every 97th
   number. k can be so long that several units sum its pieces. Without instruction sets all of k is
   summed in one chain; then the error may also be twice that of such a chain of floats, which is
   computed here as well. */
static void large_product(const int *s, int way, int threads, float *cached_bytes) {
    const int m = s[0], n = s[1], k = s[2];
    const bool ta = way & 1, tb = way & 2, add = way & 4;
    nn_context *nn = open_nn(threads);
    nn_shape shapes[4] = {ta ? NN_SHAPE(k, m) : NN_SHAPE(m, k),
                          tb ? NN_SHAPE(n, k) : NN_SHAPE(k, n), NN_SHAPE(m, n), NN_SHAPE(m, n)};
    float *x[4];
    nn_tensor *tensor[4];
    for (int t = 0; t < 4; t++) {
        nn_tensor_desc desc;
        ZERO(desc);
        desc.shape = shapes[t];
        tensor[t] = nn_make_tensor(nn, &desc);
        x[t] = (float *)nn_tensor_data(tensor[t]);
        for (int e = 0; e < count(shapes[t]); e++)
            x[t][e] = (float)(((unsigned)e * 7919u + (unsigned)t * 31u) % 1009u) / 503.0f - 1.0f;
    }
    nn_matmul_desc desc;
    ZERO(desc);
    desc.transpose_a = ta;
    desc.transpose_b = tb;
    if (!add) {
        ENSURE(nn_matmul_forward(tensor[2], tensor[0], tensor[1], &desc) == NN_OK);
    } else { /* as the gradient of a weight: a^T dy, accumulated */
        ZERO(desc);
        for (int i = 0; i < 2; i++)
            ENSURE(nn_matmul_backward(NULL, tensor[2], tensor[1], tensor[0], tensor[3], &desc,
                                      i == 1) == NN_OK);
    }
    for (int e = 0; e < m * n; e += 97) {
        double sum = 0, size = 0, allowed;
        float chain = 0;
        for (int p = 0; p < k; p++) {
            const float one = x[0][ta ? p * m + e / n : e / n * k + p];
            const float other = x[1][tb ? e % n * k + p : p * n + e % n];
            sum += (double)one * (double)other;
            size += fabs((double)one * (double)other);
            chain += one * other;
        }
        allowed = 1e-6 * size;
#ifdef NN_NO_SIMD
        allowed = fmax(allowed, (add ? 4 : 2) * fabs((double)chain - sum));
#else
        (void)chain;
#endif
        if (fabs((double)x[2][e] - (add ? 2 : 1) * sum) <= allowed) continue;
        test_fail(__FILE__, __LINE__, "m %d, n %d, k %d, way %d: number %d is %.9g, not %.9g", m, n,
                  k, way, e, (double)x[2][e], sum);
        break;
    }
    if (threads == 1) memcpy(cached_bytes, x[2], (size_t)nn_tensor_bytes(tensor[2]));
    ENSURE(memcmp(cached_bytes, x[2], (size_t)nn_tensor_bytes(tensor[2])) == 0);
    close_nn(nn);
}

static void test_large_products(void) {
    static const int sizes[][3] = {{130, 64, 1100}, {97, 35, 1030}, {70, 192, 70},
                                    {257, 128, 65}, {40, 33, 4100}, {610, 130, 330},
                                    /* enough numbers for tiles with prefetch, copies of a */
                                    {2053, 70, 1500}, {600, 70, 5120}};
    static float first[2053 * 70];
    on = nn_cpu();
    for (int i = 0; i < 8; i++)
        for (int way = 0; way < 6; way++) /* 4 would be an a that is not transposed */
            for (int threads = 1; threads <= 3 && way != 4; threads++)
                large_product(sizes[i], way, threads, first);
}

/* One column by one row, so large that it is written past the caches: sums of one product each. */
static void test_outer_past_caches(void) {
    enum { M = 2100, N = 3208 };
    for (int threads = 1; threads < 4; threads += 2) {
        nn_context *nn = open_nn(threads);
        nn_shape shapes[3] = {NN_SHAPE(1, M), NN_SHAPE(1, N), NN_SHAPE(M, N)};
        nn_tensor *tensor[3];
        float *x[3];
        nn_matmul_desc desc;
        int wrong = 0;
        ZERO(desc);
        desc.transpose_a = true;
        for (int t = 0; t < 3; t++) {
            nn_tensor_desc made;
            ZERO(made);
            made.shape = shapes[t];
            tensor[t] = nn_make_tensor(nn, &made);
            x[t] = (float *)nn_tensor_data(tensor[t]);
            for (int e = 0; t < 2 && e < count(shapes[t]); e++) x[t][e] = (float)(e % 97 - 31 * t);
        }
        ENSURE(nn_matmul_forward(tensor[2], tensor[0], tensor[1], &desc) == NN_OK);
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) wrong += x[2][i * N + j] != x[0][i] * x[1][j];
        ENSURE(wrong == 0);
        close_nn(nn);
    }
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* y is linear in each operand, so that the gradients of the sum of weight * y are sums which the
   definition gives as well. The operands are the two parameters, or one of them with a constant. */
static bool one_gradient(product *p, int trained) {
    static float got[MOST];
    nn_context *nn = open_nn(2);
    nn_model *net = nn_make_model(nn, NULL);
    nn_trainer_desc desc;
    bool fine = true;
    ZERO(desc);
    desc.gradients = true;
    desc.batch = 1;
    nn_node *in[2];
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "b" : "a";
        nn_shape shape = i ? p->b : p->a;
        nn_tensor *values = make(nn, name, NN_F32, shape, i ? p->b_value : p->a_value);
        if (trained >> i & 1) {
            in[i] = nn_parameter(net, name, shape, 0, 0);
            fine = fine && nn_copy(nn_find_tensor(net, name), values) == NN_OK;
        } else {
            in[i] = nn_constant(net, name, values);
        }
    }
    nn_node *y = nn_matmul(net, in[0], in[1], &p->desc);
    nn_node *weight = nn_constant(net, "weight", make(nn, "weight", NN_F32, p->y, p->weight));
    nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, nn_multiply(net, y, weight)), &desc);
    fine = fine && trainer && nn_backward(trainer) == NN_OK;
    for (int i = 0; i < 2 && fine; i++)
        if (trained >> i & 1) {
            const int n = count(i ? p->b : p->a);
            fine = nn_read_gradient(trainer, i ? "b" : "a", got, sizeof(float) * (size_t)n) ==
                       NN_OK &&
                   is_near(p, i ? "db" : "da", got, i ? p->b_slope : p->a_slope, NULL, n);
        }
    if (test_wrong(!fine || nn_error(nn)))
        test_fail(__FILE__, __LINE__, "%s: %s", words_of(p), nn_error(nn) ? nn_error(nn) : "?");
    close_nn(nn);
    return fine;
}

static void test_gradients(void) {
    on = nn_cpu();
    for (int i = 0; i < 500; i++) {
        draw_product(&current, 5);
        for (int k = 0; k < 2; k++) { /* parameters are f32 here */
            nn_dtype *type = k ? &current.b_type : &current.a_type;
            *type = NN_F32;
        }
        if (!one_gradient(&current, 1 + i % 3)) return;
    }
}

static void test_backward(void) {
    on = nn_cpu();
    backward_here(650, 5);
    backward_here(50, 30);
    /* what does not fit is an error, and nothing is written */
    nn_context *nn = open_nn(1);
    float ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, da[6] = {7}, db[8] = {8};
    nn_tensor *a = nn_wrap(nn, "a", NN_F32, NN_SHAPE(3, 2), ones),
              *b = nn_wrap(nn, "b", NN_F32, NN_SHAPE(2, 4), ones),
              *dy = nn_wrap(nn, "dy", NN_F32, NN_SHAPE(3, 4), ones),
              *to_a = nn_wrap(nn, "da", NN_F32, NN_SHAPE(3, 2), da),
              *to_b = nn_wrap(nn, "db", NN_F32, NN_SHAPE(4, 2), db);
    ENSURE(nn_matmul_backward_at(AT, to_a, to_b, dy, a, b, NULL, false) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(nn),
                "nn_matmul_backward at net.c:7: db has the shape (4, 2); wanted (2, 4)");
    ENSURE(da[0] == 7 && db[0] == 8);
    nn_clear_error(nn);
    ENSURE(nn_matmul_backward(to_a, NULL, a, a, b, NULL, false) == NN_ERROR_SHAPE && da[0] == 7);
    nn_clear_error(nn);
    ENSURE(nn_matmul_backward(to_a, NULL, dy, a, NULL, NULL, false) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_matmul_backward(a, NULL, dy, a, b, NULL, false) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_matmul_backward(to_a, NULL, dy, a, b, NULL, false) == NN_OK && da[0] == 4);
    close_nn(nn);
}

/* A weight that all of a batch shares: its gradient is one product, not a sum of many. */
static void test_shared_weight_is_one_product(void) {
    nn_context *nn = open_nn(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 6)),
            *w = nn_parameter(net, "w", NN_SHAPE(6, 5), -1, 1);
    nn_trainer_desc desc;
    ZERO(desc);
    desc.batch = 3;
    desc.time = 4;
    nn_trainer *trainer =
        nn_make_trainer(net, nn_mean(net, nn_square(net, nn_matmul(net, x, w, NULL))), &desc);
    ENSURE(trainer);
    nn_plan *plan = nn_trainer_plan(trainer);
    float data[3 * 4 * 6] = {0};
    int products = 0;
    ENSURE(nn_upload(plan, x, data, sizeof data) == NN_OK && nn_train_on_inputs(trainer) == NN_OK);
    for (int i = 0; i < plan->step_count; i++) {
        const nn_gemm_args *g = (const nn_gemm_args *)plan->steps[i].args;
        if (plan->steps[i].node->rule->kernel != NN_KERNEL_GEMM) continue;
        products++;
        ENSURE(nn__gemm_products(g) == 1 && (g->m == 12 || g->k == 12));
        ENSURE(nn__bytes(&g->y) == 6 * 5 * 4 || nn__bytes(&g->y) == 12 * 5 * 4);
    }
    ENSURE(products == 2);
    close_nn(nn);
}

/* ---- free extents ---------------------------------------------------------------------------- */

enum { BATCH = 3, TIME = 4, WIDTH = 5 };

/* Compares softmax(q k^T) v, with the batch and the time free, with loops. */
static void test_attention(void) {
    float q[BATCH * TIME * WIDTH], got[BATCH * TIME * WIDTH];
    nn_context *nn = open_nn(2);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, WIDTH)), *scores, *y;
    nn_matmul_desc transposed;
    nn_plan_desc desc;
    ZERO(transposed);
    ZERO(desc);
    transposed.transpose_b = true;
    scores = nn_matmul(net, x, x, &transposed);
    ENSURE(nn_same_shape(nn_node_shape(scores), NN_SHAPE(NN_BATCH, NN_TIME, NN_TIME)));
    y = nn_matmul(net, nn_softmax(net, scores), x, NULL);
    ENSURE(nn_same_shape(nn_node_shape(y), NN_SHAPE(NN_BATCH, NN_TIME, WIDTH)));
    NODE_AT(desc.outputs, 0) = y;
    desc.batch = BATCH;
    desc.time = TIME;
    nn_plan *plan = nn_make_plan(net, &desc);
    ENSURE(plan);
    for (int i = 0; i < BATCH * TIME * WIDTH; i++) q[i] = (float)(i * 37 % 23) / 11.0f - 1.0f;
    for (int pair = 0; pair < BATCH * TIME; pair++) {
        int batch = 1 + pair * 5 % (BATCH * TIME) / TIME, time = 1 + pair * 5 % TIME;
        size_t bytes = sizeof(float) * (size_t)(batch * time * WIDTH);
        ENSURE(nn_set_time(plan, time) == NN_OK && nn_upload(plan, x, q, bytes) == NN_OK);
        ENSURE(nn_run(plan) == NN_OK && nn_download(plan, y, got, bytes) == NN_OK);
        for (int b = 0; b < batch; b++)
            for (int t = 0; t < time; t++) {
                const float *rows = q + b * time * WIDTH;
                double part[TIME], all = 0;
                for (int s = 0; s < time; s++) {
                    double sum = 0;
                    for (int d = 0; d < WIDTH; d++)
                        sum += (double)rows[t * WIDTH + d] * (double)rows[s * WIDTH + d];
                    all += part[s] = exp(sum);
                }
                for (int d = 0; d < WIDTH; d++) {
                    double sum = 0;
                    for (int s = 0; s < time; s++)
                        sum += part[s] / all * (double)rows[s * WIDTH + d];
                    ENSURE_CLOSE(got[(b * time + t) * WIDTH + d], sum, 1e-5);
                }
            }
    }
    ENSURE(!nn_error(nn));
    close_nn(nn);
}

/* Tests the batch as rows, as columns, and as the extent that is summed over. */
static void test_batch_anywhere(void) {
    float x[2 * BATCH * 2], got[64];
    nn_context *nn = open_nn(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(2, NN_BATCH, 2)), *y[3];
    nn_matmul_desc ta, tb;
    nn_plan_desc desc;
    ZERO(ta);
    ZERO(tb);
    ZERO(desc);
    ta.transpose_a = tb.transpose_b = true;
    y[0] = nn_matmul(net, in, in, &ta); /* (2, 2, 2), summed over the batch */
    y[1] = nn_matmul(net, in, y[0], NULL); /* (2, batch, 2) */
    y[2] = nn_matmul(net, y[0], in, &tb); /* (2, 2, batch) */
    ENSURE(nn_same_shape(nn_node_shape(y[2]), NN_SHAPE(2, 2, NN_BATCH)));
    for (int i = 0; i < 3; i++) NODE_AT(desc.outputs, i) = y[i];
    desc.batch = BATCH;
    nn_plan *plan = nn_make_plan(net, &desc);
    ENSURE(plan);
    for (int i = 0; i < 4 * BATCH; i++) x[i] = (float)(i % 5) - 1.5f;
    for (int batch = BATCH; batch > 0; batch--) {
        float sums[2][2][2];
        memset(sums, 0, sizeof sums);
        ENSURE(nn_upload(plan, in, x, sizeof(float) * 4 * (size_t)batch) == NN_OK);
        ENSURE(nn_run(plan) == NN_OK);
        for (int g = 0; g < 2; g++)
            for (int i = 0; i < 4; i++)
                for (int s = 0; s < batch; s++)
                    sums[g][i / 2][i % 2] +=
                        x[(g * batch + s) * 2 + i / 2] * x[(g * batch + s) * 2 + i % 2];
        ENSURE(nn_download(plan, y[0], got, sizeof sums) == NN_OK);
        for (int i = 0; i < 8; i++) ENSURE_CLOSE(got[i], (&sums[0][0][0])[i], 1e-5);
        ENSURE(nn_download(plan, y[1], got, sizeof(float) * 4 * (size_t)batch) == NN_OK);
        for (int i = 0; i < 4 * batch; i++) {
            const float *row = x + i / 2 * 2;
            const int g = i / 2 / batch;
            ENSURE_CLOSE(got[i], row[0] * sums[g][0][i % 2] + row[1] * sums[g][1][i % 2], 1e-5);
        }
        ENSURE(nn_download(plan, y[2], got, sizeof(float) * 4 * (size_t)batch) == NN_OK);
        for (int i = 0; i < 4 * batch; i++) {
            const int s = i % batch, r = i / batch % 2, g = i / batch / 2;
            const float *row = x + (g * batch + s) * 2;
            ENSURE_CLOSE(got[i], row[0] * sums[g][r][0] + row[1] * sums[g][r][1], 1e-5);
        }
    }
    close_nn(nn);
}

/* ---- f16 and bf16 as they are stored --------------------------------------------------------- */

/* Neither forward nor backward makes an f32 copy of weights that are stored in half, and the loss
   is that of an f32 net with the rounded weights. */
static void test_halves_without_copies(void) {
    for (int h = 0; h < 2; h++) {
        float loss[2];
        for (int wide = 0; wide < 2; wide++) {
            nn_context *nn = open_nn(2);
            nn_model_desc model;
            nn_linear_desc linear;
            nn_trainer_desc desc;
            float x[7 * 40];
            ZERO(model);
            ZERO(linear);
            ZERO(desc);
            model.dtype = wide ? NN_F32 : halves[h];
            model.seed = 3;
            nn_model *net = nn_make_model(nn, &model);
            linear.out_features = 30;
            linear.no_bias = true;
            nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 40));
            nn_node *y = nn_linear(net, "b", nn_relu(net, nn_linear(net, "a", in, &linear)),
                                   &linear);
            desc.batch = 7;
            desc.optimizer = NN_SGD;
            desc.learning_rate = 1e-9f;
            nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, nn_square(net, y)), &desc);
            ENSURE(trainer);
            if (wide) { /* the rounded weights of the other model */
                for (int i = 0; i < 2; i++) {
                    nn_tensor *w = nn_find_tensor(net, i ? "b.weight" : "a.weight");
                    float *value = (float *)nn_tensor_data(w);
                    for (int e = 0; e < (int)nn_shape_count(nn_tensor_shape(w)); e++)
                        value[e] = (float)value_of(halves[h], pattern_of(halves[h], value[e]));
                }
            }
            nn_plan *plan = nn_trainer_plan(trainer);
            for (int i = 0; i < plan->step_count; i++)
                if (!wide && strcmp(plan->steps[i].node->operation, "cast") == 0 &&
                    plan->steps[i].node->dtype == NN_F32 &&
                    !strstr(plan->steps[i].node->name, ".master")) /* which the optimizer keeps */
                    test_fail(__FILE__, __LINE__, "there is a cast \"%s\"",
                              plan->steps[i].node->name);
            for (int i = 0; i < 7 * 40; i++) x[i] = (float)(i * 13 % 29) / 14.0f - 1.0f;
            ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK &&
                   nn_train_on_inputs(trainer) == NN_OK);
            ENSURE(nn_read_loss(trainer, &loss[wide]) == NN_OK);
            close_nn(nn);
        }
        ENSURE(loss[0] > 0);
        ENSURE_CLOSE(loss[0], loss[1], 1e-6 * loss[1]);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the newest fault: "matmul: cause | fix". */
static const char *last_fault(nn_model *net, char *text, size_t size) {
    const nn__fault *fault = net->faults.last;
    if (!fault) return NULL;
    snprintf(text, size, "%s: %s | %s", fault->operation, fault->cause ? fault->cause : "",
             fault->fix ? fault->fix : "");
    return text;
}
#define FAULT(node, words)                                                                         \
    do {                                                                                           \
        int before = nn_fault_count(net);                                                          \
        (void)(node);                                                                              \
        ENSURE(nn_fault_count(net) == before + 1);                                                 \
        ENSURE_TEXT(last_fault(net, text, sizeof text), words);                                    \
    } while (0)

static void test_faults(void) {
    char text[600];
    nn_context *nn = open_nn(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *a = nn_input(net, "a", NN_F32, NN_SHAPE(NN_BATCH, 3, 4)),
            *b = nn_input(net, "b", NN_F32, NN_SHAPE(2, 5, 4)),
            *v = nn_input(net, "v", NN_F32, NN_SHAPE(7)),
            *whole = nn_input(net, "whole", NN_I32, NN_SHAPE(4, 2)),
            *c = nn_input(net, "c", NN_F32, NN_SHAPE(NN_TIME, 5, 4));
    nn_matmul_desc ta, tb;
    ZERO(ta);
    ZERO(tb);
    ta.transpose_a = tb.transpose_b = true;
    FAULT(nn_matmul(net, b, b, NULL),
          "matmul: a is (2, 5, 4) and b is (2, 5, 4); axis 2 of a and axis 1 of b are summed over "
          "and must be equal | make them equal: with .transpose_b they are");
    FAULT(nn_matmul(net, nn_reshape(net, b, NN_SHAPE(2, 4, 5)), whole = nn_input(net, "w", NN_F32,
                    NN_SHAPE(4, 2)), NULL),
          "matmul: a is (2, 4, 5) and b is (4, 2); axis 2 of a and axis 0 of b are summed over and "
          "must be equal | make them equal: with .transpose_a they are");
    FAULT(nn_matmul(net, a, v, NULL),
          "matmul: a is (batch, 3, 4) and b is (7); axis 2 of a and axis 0 of b are summed over "
          "and must be equal | make them equal");
    FAULT(nn_matmul(net, a, b, &tb),
          "matmul: a is (batch, 3, 4) and b is (2, 5, 4); axis 0 of a and axis 0 of b count "
          "products and do not fit each other | make them equal, or one of them 1");
    FAULT(nn_matmul(net, a, c, &tb),
          "matmul: a is (batch, 3, 4) and b is (time, 5, 4); axis 0 of a and axis 0 of b count "
          "products and do not fit each other | make them equal, or one of them 1");
    FAULT(nn_matmul(net, nn_input(net, "d", NN_F32, NN_SHAPE(3, 1, 2, 4)),
                    nn_input(net, "e", NN_F32, NN_SHAPE(2, 6, 4, 5)), NULL),
          "matmul: a is (3, 1, 2, 4) and b is (2, 6, 4, 5); axis 0 of a and axis 0 of b count "
          "products and do not fit each other | make them equal, or one of them 1");
    FAULT(nn_matmul(net, v, whole, &ta),
          "matmul: a is a vector (7), which has nothing to transpose | leave out .transpose_a");
    FAULT(nn_matmul(net, nn_input(net, "i", NN_I32, NN_SHAPE(3, 4)), whole, NULL),
          "matmul: a is i32; matmul wants f32 | give a as f32");
    FAULT(nn_matmul(net, nn_sum(net, v), whole, NULL),
          "matmul: a is one number; matmul wants vectors or matrices | nn_multiply multiplies by a "
          "number");
    FAULT(nn_matmul(net, a, NULL, NULL),
          "matmul: b is NULL | pass the node that nn_input or another builder returned");
    close_nn(nn);
}

static void test_immediate_refuses(void) {
    nn_context *nn = open_nn(1);
    double zero[MOST];
    memset(zero, 0, sizeof zero);
    on = nn_cpu();
    nn_tensor *a = make(nn, "a", NN_F32, NN_SHAPE(2, 3, 4), zero),
              *b = make(nn, "b", NN_F16, NN_SHAPE(4, 5), zero),
              *y = make(nn, "y", NN_F32, NN_SHAPE(2, 3, 4), NULL);
    ENSURE(nn_matmul_forward_at(AT, y, a, b, NULL) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(nn), "nn_matmul_forward at net.c:7: y has the shape (2, 3, 4); wanted "
                              "(2, 3, 5)");
    nn_clear_error(nn);
    ENSURE(nn_matmul_forward_at(AT, y, a, a, NULL) == NN_ERROR_SHAPE);
    nn_clear_error(nn);
    ENSURE(nn_matmul_forward_at(AT, b, a, a, NULL) == NN_ERROR_DTYPE);
    nn_clear_error(nn);
    ENSURE(nn_matmul_forward_at(AT, a, a, b, NULL) == NN_ERROR_ARGUMENT); /* shares memory */
    nn_clear_error(nn);
    ENSURE(nn_matmul_forward_at(AT, NULL, NULL, NULL, NULL) < 0);
    close_nn(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_forward);
    RUN(test_opencl);
    RUN(test_threads);
    RUN(test_large_products);
    RUN(test_outer_past_caches);
    RUN(test_gradients);
    RUN(test_backward);
    RUN(test_shared_weight_is_one_product);
    RUN(test_attention);
    RUN(test_batch_anywhere);
    RUN(test_halves_without_copies);
    RUN(test_faults);
    RUN(test_immediate_refuses);
    return test_report();
}
