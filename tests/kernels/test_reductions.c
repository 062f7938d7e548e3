/* test_reductions.c: the immediate gradients of reductions, on the CPU and on OpenCL, compared with
   finite differences of plain loops in double; ties, zeros, accumulation and mistakes; rows that are
   shorter than a vector. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "test.h"
#include "open.h"

enum { A = 3, B = 4, C = 5, N = A * B * C };

static nn_context *nn;
static nn_device on;

/* Returns the index of the result that element i belongs to. The axes are bits. */
static int result_of(int i, unsigned axes) {
    int at[3], y = 0;
    const int extent[3] = {A, B, C};
    at[2] = i % C, at[1] = i / C % B, at[0] = i / C / B;
    for (int k = 0; k < 3; k++)
        if (!(axes >> k & 1u)) y = y * extent[k] + at[k];
    return y;
}

/* Returns result y of x. */
static double reduce(nn_reduction reduction, const double *x, unsigned axes, int y,
                     int correction) {
    double sum = 0, product = 1, squares = 0, most = -INFINITY, least = INFINITY, powers = 0;
    double spread = 0;
    int count = 0;
    for (int i = 0; i < N; i++) {
        if (result_of(i, axes) != y) continue;
        count++;
        sum += x[i], product *= x[i], squares += x[i] * x[i], powers += exp(x[i]);
        most = x[i] > most ? x[i] : most;
        least = x[i] < least ? x[i] : least;
    }
    for (int i = 0; i < N; i++)
        if (result_of(i, axes) == y) spread += (x[i] - sum / count) * (x[i] - sum / count);
    switch (reduction) {
    case NN_SUM: return sum;
    case NN_MAX: return most;
    case NN_MIN: return least;
    case NN_PROD: return product;
    case NN_SUM_OF_SQUARES: return squares;
    case NN_NORM: return sqrt(squares);
    case NN_LOGSUMEXP: return log(powers);
    case NN_VAR: return spread / (count - correction);
    case NN_STD: return sqrt(spread / (count - correction));
    default: return sum / count;
    }
}

static nn_tensor *put(const float *numbers, nn_shape shape) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = shape;
    desc.device = on;
    nn_tensor *tensor = nn_make_tensor(nn, &desc);
    if (numbers) nn_upload_tensor(tensor, numbers, (size_t)nn_tensor_bytes(tensor));
    return tensor;
}

static void gradients(nn_reduction reduction, unsigned bits, int correction, bool accumulate) {
    const nn_axes axes = bits == 7u   ? NN_ALL_AXES
                         : bits == 2u ? NN_AXES(1)
                         : bits == 5u ? NN_AXES(0, 2)
                         : bits == 6u ? NN_AXES(1, 2)
                                      : NN_AXES(-1);
    const bool variance = reduction == NN_VAR || reduction == NN_STD;
    float x[N], dy[N], got[N];
    double wide[N];
    int results = 0;
    nn_shape shape = NN_SHAPE(A, B, C), kept = shape;
    for (int i = 0; i < 3; i++)
        if (bits >> i & 1u) kept.extent[i] = 1;
    for (int i = 0; i < N; i++) {
        uint32_t words[4];
        nn_random_words(3, bits, (uint64_t)i, words);
        x[i] = 0.25f + 2.0f * nn_word_to_uniform(words[0]);
        if (i % 3 == 0) x[i] = -x[i];
        if (reduction == NN_PROD && i % 17 == 4) x[i] = 0.0f; /* none, one or more in a row */
        wide[i] = (double)x[i];
        dy[i] = nn_word_to_uniform(words[1]) - 0.25f;
        got[i] = 1.0f;
        if (result_of(i, bits) >= results) results = result_of(i, bits) + 1;
    }
    nn_tensor *tx = put(x, shape), *ty = put(NULL, kept), *tdy = put(dy, kept),
              *tdx = put(got, shape);
    nn_result result =
        variance ? nn_variance_forward(ty, reduction, tx, axes, correction)
                 : nn_reduce_forward(ty, reduction, tx, axes);
    ENSURE(result == NN_OK);
    result = variance ? nn_variance_backward(tdx, reduction, tdy, tx, ty, axes, correction,
                                             accumulate)
                      : nn_reduce_backward(tdx, reduction, tdy, tx, ty, axes, accumulate);
    if (result != NN_OK) printf("%s\n", nn_error(nn));
    ENSURE(result == NN_OK && nn_download_tensor(tdx, got, sizeof got) == NN_OK);
    for (int i = 0; i < N; i++) {
        const int y = result_of(i, bits);
        const double was = wide[i], step = 1e-5;
        wide[i] = was + step;
        double slope = reduce(reduction, wide, bits, y, correction);
        wide[i] = was - step;
        slope = (slope - reduce(reduction, wide, bits, y, correction)) / (2 * step);
        wide[i] = was;
        ENSURE_CLOSE(got[i], slope * (double)dy[y] + (accumulate ? 1.0 : 0.0),
                     2e-4 * (1.0 + fabs(slope)));
    }
    nn_free_tensor(tx), nn_free_tensor(ty), nn_free_tensor(tdy), nn_free_tensor(tdx);
}

static void gradients_by_differences(void) {
    static const nn_reduction all[] = {NN_MEAN, NN_SUM,         NN_MAX,  NN_MIN,       NN_PROD,
                                       NN_VAR,  NN_SUM_OF_SQUARES, NN_NORM, NN_LOGSUMEXP, NN_STD};
    static const unsigned bits[] = {2, 5, 7, 4, 6};
    for (size_t r = 0; r < sizeof all / sizeof *all; r++)
        for (int b = 0; b < 5; b++)
            for (int way = 0; way < 3; way++) gradients(all[r], bits[b], way % 2, way == 2);
    ENSURE(nn_error(nn) == NULL);
}

/* Equal extremes share the gradient; a norm or deviation of 0 has the gradient 0. */
static void gradients_of_ties(void) {
    static const float x[6] = {2, 2, 1, 0, 0, 0}, dy[2] = {6, 5};
    float got[6];
    nn_tensor *tx = put(x, NN_SHAPE(2, 3)), *ty = put(NULL, NN_SHAPE(2, 1)),
              *tdy = put(dy, NN_SHAPE(2, 1)), *tdx = put(NULL, NN_SHAPE(2, 3));
    ENSURE(nn_reduce_forward(ty, NN_MAX, tx, NN_AXES(1)) == NN_OK &&
           nn_reduce_backward(tdx, NN_MAX, tdy, tx, ty, NN_AXES(1), false) == NN_OK);
    ENSURE(nn_download_tensor(tdx, got, sizeof got) == NN_OK);
    ENSURE_CLOSE(got[0], 3, 1e-6);
    ENSURE_CLOSE(got[2], 0, 0);
    ENSURE_CLOSE(got[4], 5.0 / 3.0, 1e-6);
    ENSURE(nn_reduce_forward(ty, NN_NORM, tx, NN_AXES(1)) == NN_OK &&
           nn_reduce_backward(tdx, NN_NORM, tdy, tx, ty, NN_AXES(1), false) == NN_OK);
    ENSURE(nn_download_tensor(tdx, got, sizeof got) == NN_OK);
    ENSURE_CLOSE(got[0], 4, 1e-6);
    ENSURE_CLOSE(got[4], 0, 0);
    ENSURE(nn_reduce_forward(ty, NN_STD, tx, NN_AXES(1)) == NN_OK &&
           nn_reduce_backward(tdx, NN_STD, tdy, tx, ty, NN_AXES(1), false) == NN_OK);
    ENSURE(nn_download_tensor(tdx, got, sizeof got) == NN_OK);
    ENSURE_CLOSE(got[4], 0, 0);
    nn_free_tensor(tx), nn_free_tensor(ty), nn_free_tensor(tdy), nn_free_tensor(tdx);
}

static bool refuses(nn_result result, nn_result wanted, const char *words) {
    const bool told = nn_error(nn) && strstr(nn_error(nn), words);
    nn_clear_error(nn);
    return result == wanted && told;
}

static void mistakes(void) {
    nn_tensor *x = put(NULL, NN_SHAPE(2, 3)), *y = put(NULL, NN_SHAPE(2, 1)),
              *dx = put(NULL, NN_SHAPE(2, 3));
    ENSURE(refuses(nn_reduce_backward(NULL, NN_SUM, y, x, y, NN_AXES(1), false), NN_ERROR_ARGUMENT,
                   "dx is NULL"));
    ENSURE(refuses(nn_reduce_backward(dx, NN_ARGMAX, y, x, y, NN_AXES(1), false),
                   NN_ERROR_ARGUMENT, "has no gradient"));
    ENSURE(refuses(nn_reduce_backward(dx, NN_MAX, y, x, NULL, NN_AXES(1), false),
                   NN_ERROR_ARGUMENT, "y is NULL"));
    ENSURE(refuses(nn_reduce_backward(dx, NN_SUM, x, x, NULL, NN_AXES(1), false), NN_ERROR_SHAPE,
                   "dy has the shape (2, 3); wanted (2, 1)"));
    ENSURE(refuses(nn_reduce_backward(x, NN_SUM, y, x, NULL, NN_AXES(1), false),
                   NN_ERROR_ARGUMENT, "shares memory"));
    ENSURE(refuses(nn_reduce_backward(dx, NN_SUM, y, x, NULL, NN_AXES(2), false),
                   NN_ERROR_ARGUMENT, "nn_reduce_backward"));
    ENSURE(refuses(nn_variance_backward(dx, NN_VAR, y, x, NULL, NN_AXES(1), -1, false),
                   NN_ERROR_ARGUMENT, "correction is -1"));
    ENSURE(nn_reduce_backward(NULL, NN_SUM, NULL, NULL, NULL, NN_AXES(1), false) ==
           NN_ERROR_ARGUMENT);
    nn_free_tensor(x), nn_free_tensor(y), nn_free_tensor(dx);
}

/* After the first call of its kind nothing is allocated, and what does not fit into the scratch that
   the program allows is refused before anything is written. */
static void scratch_of_the_context(void) {
    static const nn_reduction all[] = {NN_MEAN, NN_SUM,         NN_MAX,  NN_MIN,       NN_PROD,
                                       NN_VAR,  NN_SUM_OF_SQUARES, NN_NORM, NN_LOGSUMEXP, NN_STD};
    static const float ones[6] = {1, 1, 1, 1, 1, 1};
    nn_tensor *x = put(ones, NN_SHAPE(2, 3)), *y = put(ones, NN_SHAPE(2, 1)),
              *dx = put(ones, NN_SHAPE(2, 3));
    uint64_t calls = 0;
    for (int turn = 0; turn < 2; turn++) {
        calls = nn_context_memory(nn).calls;
        for (size_t r = 0; r < sizeof all / sizeof *all; r++)
            for (int add = 0; add < 2; add++)
                ENSURE(nn_reduce_backward(dx, all[r], y, x, y, NN_AXES(1), add != 0) == NN_OK);
    }
    ENSURE(nn_context_memory(nn).calls == calls);
    nn_free_tensor(x), nn_free_tensor(y), nn_free_tensor(dx);

    nn_context *usual = nn;
    nn_desc desc;
    float got[40 * 3];
    memset(&desc, 0, sizeof desc);
    desc.scratch_bytes = 32768;
    nn = nn_open(&desc);
    for (int i = 0; i < 120; i++) got[i] = 3;
    x = put(got, NN_SHAPE(40, 3)), y = put(NULL, NN_SHAPE(40, 1)), dx = put(got, NN_SHAPE(40, 3));
    ENSURE(nn_reduce_backward(dx, NN_VAR, y, x, y, NN_AXES(1), false) == NN_OK);
    ENSURE(nn_upload_tensor(dx, got, sizeof got) == NN_OK);
    nn_tensor *wide = put(NULL, NN_SHAPE(3, 20000)), *rows = put(NULL, NN_SHAPE(1, 20000)),
              *to = put(NULL, NN_SHAPE(3, 20000));
    ENSURE(nn_fill_zero(to) == NN_OK);
    ENSURE(refuses(nn_reduce_backward(to, NN_MAX, rows, wide, rows, NN_AXES(0), false),
                   NN_ERROR_MEMORY, "nn_desc.scratch_bytes allows 32768"));
    const float *left = (const float *)nn_tensor_const_data(to);
    for (int i = 0; i < 60000; i++) ENSURE(left[i] == 0);
    nn_close(nn);
    nn = usual;
}

enum { SHORT_ROWS = 19, SHORT_MOST = 9 };

/* Returns a number of a test of short rows; a few rows have a NaN or an infinity. */
static float special(int row, int k, int n) {
    uint32_t words[4];
    nn_random_words(5, (uint64_t)(row * 16 + k), (uint64_t)n, words);
    if (row % 6 == 1 && k == row % n) return NAN;
    if (row % 6 == 3 && k == row % n) return INFINITY;
    if (row % 6 == 4 && k == row % n) return -INFINITY;
    return 4.0f * nn_word_to_uniform(words[0]) - 2.0f;
}

/* Largest numbers, sums and softmax of rows that are shorter than a vector, and of the next longer
   ones. A NaN wins, wherever in the row it is. */
static void short_rows(void) {
    float x[SHORT_ROWS * SHORT_MOST], most[SHORT_ROWS], sum[SHORT_ROWS],
        soft[SHORT_ROWS * SHORT_MOST];
    for (int n = 1; n <= SHORT_MOST; n++) {
        const nn_shape shape = NN_SHAPE(SHORT_ROWS, n), one = NN_SHAPE(SHORT_ROWS, 1);
        for (int i = 0; i < SHORT_ROWS * n; i++) x[i] = special(i / n, i % n, n);
        nn_tensor *from = put(x, shape), *to = put(NULL, one), *wide = put(NULL, shape);
        ENSURE(nn_reduce_forward(to, NN_MAX, from, NN_AXES(1)) == NN_OK);
        ENSURE(nn_download_tensor(to, most, sizeof most) == NN_OK);
        ENSURE(nn_reduce_forward(to, NN_SUM, from, NN_AXES(1)) == NN_OK);
        ENSURE(nn_download_tensor(to, sum, sizeof sum) == NN_OK);
        ENSURE(nn_softmax_forward(wide, from, false) == NN_OK);
        ENSURE(nn_download_tensor(wide, soft, sizeof *soft * SHORT_ROWS * (size_t)n) == NN_OK);
        for (int row = 0; row < SHORT_ROWS; row++) {
            const float *at = x + row * n, *y = soft + row * n;
            double largest = -INFINITY, total = 0, exps = 0;
            for (int k = 0; k < n; k++) {
                total += at[k];
                if (at[k] > largest || at[k] != at[k]) largest = at[k];
                if (largest != largest) break;
            }
            for (int k = 0; k < n; k++) exps += exp((double)at[k] - largest);
            ENSURE(most[row] == (float)largest || (largest != largest && most[row] != most[row]));
            ENSURE(total != total ? sum[row] != sum[row]
                                  : sum[row] == (float)total || fabs(sum[row] - total) < 1e-5);
            for (int k = 0; k < n; k++) {
                const double wanted = exp((double)at[k] - largest) / exps;
                ENSURE(wanted != wanted ? y[k] != y[k] : fabs(y[k] - wanted) < 1e-6);
            }
        }
        nn_free_tensor(from);
        nn_free_tensor(to);
        nn_free_tensor(wide);
    }
}

int main(int argc, char **argv) {
    nn_desc desc;
    test_start(argc, argv);
    memset(&desc, 0, sizeof desc);
    desc.threads = 2;
    nn = nn_open(&desc);
    on = nn_cpu();
    RUN(gradients_by_differences);
    RUN(gradients_of_ties);
    RUN(short_rows);
    RUN(mistakes);
    RUN(scratch_of_the_context);
#ifdef NN_TEST_OPENCL
    if (OPEN_OPENCL(nn)) {
        on = nn_opencl(0);
        RUN(gradients_by_differences);
        RUN(gradients_of_ties);
        RUN(short_rows);
    }
#endif
    nn_close(nn);
    return test_report();
}
