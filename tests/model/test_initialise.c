/* test_initialise.c - nn_initialise against PyTorch's torch.nn.init (tests/golden/initialise.py):
   distributions, exact values, orthogonality; patterns, seeds, devices, dtypes, and mistakes. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "error.h"
#include "inside.h"
#include "open.h"
#include "test.h"

#include "golden/initialise.h"

#include <stdlib.h>

enum {
    MOST = 16384,
    DRAWN = sizeof golden_drawn / sizeof golden_drawn[0],
    EXACT = sizeof golden_exact / sizeof golden_exact[0],
    LAYERS = sizeof golden_layers / sizeof golden_layers[0]
};

static float numbers[MOST], others[MOST];

static int compare_floats(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void read_tensor(nn_model *net, const char *name, float *to) {
    nn_tensor *tensor = nn_find_tensor(net, name);
    nn_download_tensor(tensor, to, nn_tensor_bytes(tensor));
}

/* Stores the numbers of one parameter that was initialised by the desc. Returns how many. */
static int draw(nn_context *nn, const nn_init_desc *desc, nn_shape shape, float *to) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    int count = (int)nn_shape_count(shape);
    nn_parameter(net, "w", shape, 0, 0);
    nn_initialise(net, "w", desc);
    nn_download_tensor(nn_find_tensor(net, "w"), to, (size_t)count * sizeof(float));
    if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    nn_clear_error(nn);
    nn_free_model(net);
    return count;
}

/* Allows six standard deviations of chance, and 0.3 % for errors of the deciles themselves. */
static void distributions_are_pytorchs(void) {
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < DRAWN; k++) {
        const struct golden_drawn *g = &golden_drawn[k];
        int n = draw(nn, &g->desc, nn_make_shape(g->extent, g->rank), numbers);
        double mean = 0, square = 0, chance = 6 / sqrt((double)n);
        bool bounded = g->desc.init == NN_INIT_KAIMING_UNIFORM || g->desc.init == NN_INIT_UNIFORM ||
                       g->desc.init == NN_INIT_XAVIER_UNIFORM ||
                       (g->desc.init == NN_INIT_TRUNC_NORMAL && g->desc.std != 0.02f);
        qsort(numbers, (size_t)n, sizeof *numbers, compare_floats);
        for (int i = 0; i < n; i++) mean += (double)numbers[i] / n;
        for (int i = 0; i < n; i++) square += pow((double)numbers[i] - mean, 2) / n;
        if (test_wrong(fabs(mean - g->mean) > chance * g->deviation))
            test_fail(__FILE__, __LINE__, "%d: the mean is %g, PyTorch's %g", k, mean, g->mean);
        if (test_wrong(fabs(sqrt(square) / g->deviation - 1) > chance))
            test_fail(__FILE__, __LINE__, "%d: the deviation is %g, PyTorch's %g", k, sqrt(square),
                      g->deviation);
        if (bounded) {
            double width = g->largest - g->least;
            ENSURE_CLOSE(numbers[0], g->least, width * 10 / n + 1e-5 * width);
            ENSURE_CLOSE(numbers[n - 1], g->largest, width * 10 / n + 1e-5 * width);
            ENSURE((double)numbers[0] >= g->least - 1e-4 * width);
            ENSURE((double)numbers[n - 1] <= g->largest + 1e-4 * width);
        }
        for (int j = 1; j < 10; j++) {
            int below = 0, equal = 0;
            double share;
            for (int i = 0; i < n; i++) {
                below += (double)numbers[i] < g->decile[j - 1];
                equal += (double)numbers[i] == g->decile[j - 1]; /* the zeros of NN_INIT_SPARSE */
            }
            share = j / 10.0 * n;
            if (test_wrong(share < below - chance * n / 2 - n * 0.003 ||
                share > below + equal + chance * n / 2 + n * 0.003))
                test_fail(__FILE__, __LINE__, "%d: %g are below %g, which is PyTorch's decile %d",
                          k, (double)below / n, g->decile[j - 1], j);
        }
    }
    nn_close(nn);
}

static void what_is_exact_is_pytorchs(void) {
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < EXACT; k++) {
        const struct golden_exact *g = &golden_exact[k];
        int n = draw(nn, &g->desc, nn_make_shape(g->extent, g->rank), numbers);
        for (int i = 0; i < n; i++) {
            double wanted = g->numbers[0] == '=' ? atof(g->numbers + 1) : g->numbers[i] - '0';
            if (test_wrong(fabs((double)numbers[i] - wanted) > 1e-29))
                test_fail(__FILE__, __LINE__, "%d: number %d is %g, PyTorch's is %g", k, i,
                          (double)numbers[i], wanted);
        }
        ENSURE(g->numbers[0] == '=' || (int)strlen(g->numbers) == n);
    }
    nn_close(nn);
}

static void orthogonal_ones_are(void) {
    static const int sizes[][2] = {{1, 1}, {5, 5}, {7, 30}, {30, 7}, {64, 64}, {100, 3}};
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < 6; k++) {
        int rows = sizes[k][0], columns = sizes[k][1], side = rows < columns ? rows : columns;
        nn_init_desc desc = {.init = NN_INIT_ORTHOGONAL, .gain = 1.5f};
        draw(nn, &desc, NN_SHAPE(rows, columns), numbers);
        for (int a = 0; a < side; a++)
            for (int b = 0; b <= a; b++) {
                double product = 0;
                for (int i = 0; i < (rows < columns ? columns : rows); i++)
                    product +=
                        rows < columns
                            ? (double)numbers[a * columns + i] * (double)numbers[b * columns + i]
                            : (double)numbers[i * columns + a] * (double)numbers[i * columns + b];
                ENSURE_CLOSE(product, a == b ? 2.25 : 0, 1e-6);
            }
    }
    nn_close(nn);
}

static void sparse_ones_are(void) {
    nn_context *nn = nn_open(NULL);
    nn_init_desc desc = {.init = NN_INIT_SPARSE, .sparsity = 0.31f};
    int rows_of_zeros = 0;
    draw(nn, &desc, NN_SHAPE(10, 8), numbers);
    for (int column = 0; column < 8; column++) {
        int zeros = 0;
        for (int row = 0; row < 10; row++) zeros += numbers[row * 8 + column] == 0;
        ENSURE(zeros == 4); /* ceil(3.1) */
    }
    for (int row = 0; row < 10; row++) {
        int zeros = 0;
        for (int column = 0; column < 8; column++) zeros += numbers[row * 8 + column] == 0;
        rows_of_zeros += zeros == 8;
    }
    ENSURE(rows_of_zeros < 4); /* columns have their zeros in different rows */
    nn_close(nn);
}

/* Checks what each parameter of each layer starts as without nn_initialise. */
static void layers_start_as_pytorchs(void) {
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < LAYERS; k++) {
        const struct golden_layer *g = &golden_layers[k];
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 11});
        nn_tensor *tensor;
        int n;
        double mean = 0, square = 0, chance, width = g->largest - g->least;
        g->build(net);
        tensor = nn_find_tensor(net, g->name);
        if (test_wrong(!tensor || nn_tensor_bytes(tensor) > sizeof numbers)) {
            test_fail(__FILE__, __LINE__, "%s: %s", g->name, nn_error(nn));
            nn_clear_error(nn);
            continue;
        }
        read_tensor(net, g->name, numbers);
        n = (int)(nn_tensor_bytes(tensor) / sizeof(float));
        chance = 6 / sqrt((double)n);
        qsort(numbers, (size_t)n, sizeof *numbers, compare_floats);
        for (int i = 0; i < n; i++) mean += (double)numbers[i];
        mean /= n;
        for (int i = 0; i < n; i++) square += pow((double)numbers[i] - mean, 2) / n;
        if (test_wrong(n != g->count || fabs(mean - g->mean) > chance * g->deviation + 1e-7 ||
            fabs(sqrt(square) - g->deviation) > chance * g->deviation ||
            (g->uniform && ((double)numbers[0] < g->least - 1e-4 * width ||
                            (double)numbers[n - 1] > g->largest + 1e-4 * width))))
            test_fail(__FILE__, __LINE__,
                      "\"%s\" (layer %d): %d numbers, mean %g, deviation %g, from %g to %g; "
                      "PyTorch: %d, %g, %g, %g, %g",
                      g->name, k, n, mean, sqrt(square), (double)numbers[0], (double)numbers[n - 1],
                      g->count, g->mean, g->deviation, g->least, g->largest);
        nn_free_model(net);
    }
    nn_close(nn);
}

/* ---- patterns and seeds ---------------------------------------------------------------------- */

static nn_model *two_layers(nn_context *nn, bool turned, nn_device device) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7, .device = device});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6));
    nn_linear(net, turned ? "fc2" : "fc1", x, &(nn_linear_desc){.out_features = 5});
    nn_linear(net, turned ? "fc1" : "fc2", x, &(nn_linear_desc){.out_features = 5});
    return net;
}

static void patterns_choose(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = two_layers(nn, false, nn_cpu());
    nn_init_desc ones = {.init = NN_INIT_ONES}, zeros = {.init = NN_INIT_ZEROS};
    float before[30];
    read_tensor(net, "fc2.weight", before);
    ENSURE(nn_initialise(net, "fc1.", &ones) == NN_OK);
    read_tensor(net, "fc1.weight", numbers);
    ENSURE(numbers[0] == 1 && numbers[29] == 1);
    read_tensor(net, "fc2.weight", numbers);
    ENSURE(memcmp(numbers, before, sizeof before) == 0);
    ENSURE(nn_initialise(net, "*.bias", &zeros) == NN_OK);
    read_tensor(net, "fc1.bias", numbers);
    read_tensor(net, "fc2.bias", others);
    ENSURE(numbers[4] == 0 && others[0] == 0);
    read_tensor(net, "fc1.weight", numbers);
    ENSURE(numbers[7] == 1);
    /* and back to what PyTorch's layer starts with */
    ENSURE(nn_initialise(net, "fc2.weight", &ones) == NN_OK);
    ENSURE(nn_initialise(net, "*", NULL) == NN_OK);
    read_tensor(net, "fc2.weight", numbers);
    ENSURE(memcmp(numbers, before, sizeof before) == 0);
    nn_close(nn);
}

/* The numbers depend on seed and name, not on the order, the other layers or the device. */
static void seeds_and_names_decide(void) {
    nn_init_desc desc = {.init = NN_INIT_KAIMING_NORMAL}, seeded = desc;
    nn_context *nn = nn_open(NULL);
    nn_model *one = two_layers(nn, false, nn_cpu()), *other = two_layers(nn, true, nn_cpu());
    seeded.seed = 8;
    nn_initialise(one, "fc*.weight", &desc);
    nn_initialise(other, "fc2.weight", &desc);
    nn_initialise(other, "fc1.weight", &desc);
    read_tensor(one, "fc1.weight", numbers);
    read_tensor(other, "fc1.weight", others);
    ENSURE(memcmp(numbers, others, 30 * sizeof(float)) == 0);
    read_tensor(one, "fc2.weight", others);
    ENSURE(memcmp(numbers, others, 30 * sizeof(float)) != 0);
    nn_initialise(one, "fc1.weight", &seeded);
    read_tensor(one, "fc1.weight", others);
    ENSURE(memcmp(numbers, others, 30 * sizeof(float)) != 0);
    seeded.seed = 7; /* the model's */
    nn_initialise(one, "fc1.weight", &seeded);
    read_tensor(one, "fc1.weight", others);
    ENSURE(memcmp(numbers, others, 30 * sizeof(float)) == 0);
#ifdef NN_TEST_OPENCL
    if (OPEN_OPENCL(nn)) {
        nn_model *there = two_layers(nn, false, nn_opencl(0));
        ENSURE(nn_initialise(there, "fc*.weight", &desc) == NN_OK);
        read_tensor(there, "fc1.weight", others);
        ENSURE(memcmp(numbers, others, 30 * sizeof(float)) == 0);
    }
#endif
    nn_close(nn);
}

static void halves_are_rounded(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.dtype = NN_BF16});
    nn_init_desc desc = {.init = NN_INIT_CONSTANT, .value = 1.2345f};
    uint16_t bits[3];
    nn_parameter(net, "w", NN_SHAPE(3), 0, 0);
    ENSURE(nn_initialise(net, "w", &desc) == NN_OK);
    nn_download_tensor(nn_find_tensor(net, "w"), bits, sizeof bits);
    ENSURE(bits[0] == 0x3f9e && bits[2] == 0x3f9e);
    nn_close(nn);
}

static void fill_by_place(void *user, const char *name, nn_shape shape, float *values,
                          int64_t count) {
    *(int *)user += shape.rank * 100 + (int)strlen(name);
    for (int64_t i = 0; i < count; i++) values[i] = (float)i / 2;
}

static void values_of_your_own(void) {
    static const float five[5] = {1, -2, 3, -4, 5};
    nn_context *nn = nn_open(NULL);
    nn_model *net = two_layers(nn, false, nn_cpu());
    int seen = 0;
    nn_init_desc array = {.init = NN_INIT_VALUES, .values = five, .count = 5};
    nn_init_desc own = {.init = NN_INIT_FUNCTION, .function = fill_by_place, .user = &seen};
    ENSURE(nn_initialise(net, "*.bias", &array) == NN_OK);
    read_tensor(net, "fc2.bias", numbers);
    ENSURE(memcmp(numbers, five, sizeof five) == 0);
    ENSURE(nn_initialise(net, "fc1.", &own) == NN_OK);
    ENSURE(seen == 200 + 10 + 100 + 8);
    read_tensor(net, "fc1.weight", numbers);
    ENSURE(numbers[29] == 14.5f);
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void mistakes_change_nothing(void) {
    static const float five[5] = {1, 2, 3, 4, 5};
    static const struct {
        nn_init_desc desc;
        const char *pattern, *part;
    } wrong[] = {
        {{.init = NN_INIT_EYE}, "fc1.", "\"fc1.bias\" is (5); NN_INIT_EYE wants two axes"},
        {{.init = NN_INIT_KAIMING_NORMAL}, "*", "NN_INIT_KAIMING_NORMAL wants two axes or more"},
        {{.init = NN_INIT_DIRAC}, "fc1.weight", "wants three, four or five axes"},
        {{.init = NN_INIT_ONES}, "fc3.weight", "fits no parameter of \"model\"; the closest is"},
        {{.init = NN_INIT_ONES}, NULL, "\"\" fits no parameter"},
        {{.init = (nn_init)99}, "*", "init is 99; wanted one of nn_init"},
        {{.init = NN_INIT_SPARSE}, "fc1.weight", "sparsity is 0; wanted more than 0, at most 1"},
        {{.init = NN_INIT_NORMAL, .std = -3}, "*", "std is -3; wanted 0 or more"},
        {{.init = NN_INIT_UNIFORM, .low = 2, .high = 1}, "*", "low is 2; wanted at most .high"},
        {{.init = NN_INIT_VALUES}, "*", "NN_INIT_VALUES needs .values, which is NULL"},
        {{.init = NN_INIT_FUNCTION}, "*", "NN_INIT_FUNCTION needs .function, which is NULL"},
        {{.init = NN_INIT_VALUES, .values = five, .count = 5},
         "fc1.",
         "\"fc1.weight\" is (5, 6), which is 30 numbers; .count is 5"}};
    nn_context *nn = nn_open(NULL);
    nn_model *net = two_layers(nn, false, nn_cpu());
    float before[30], bias[5];
    read_tensor(net, "fc1.weight", before);
    read_tensor(net, "fc1.bias", bias);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ENSURE(nn_initialise(net, wrong[i].pattern, &wrong[i].desc) < 0);
        ENSURE(says(nn, wrong[i].part));
        read_tensor(net, "fc1.weight", numbers);
        read_tensor(net, "fc1.bias", others);
        ENSURE(memcmp(numbers, before, sizeof before) == 0);
        ENSURE(memcmp(others, bias, sizeof bias) == 0);
    }
    ENSURE(nn_initialise(NULL, "*", NULL) < 0);
    nn_close(nn);
}

/* The first call that needs memory for the parameters reports the device that is not open. */
static void a_device_that_is_not_open_is_named(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = two_layers(nn, false, nn_opencl(3));
    ENSURE(nn_initialise(net, "*", NULL) == NN_ERROR_DEVICE);
    ENSURE(strstr(nn_error(nn), "the model's parameters at test_initialise.c:") != NULL);
    ENSURE(strstr(nn_error(nn), ": opencl:3 is not open; open devices: cpu; ") != NULL);
    nn_close(nn);
}

/* Returns the number that element i of a parameter starts as, by its definition. */
static double first_value(const nn_node *leaf, uint64_t seed, int i) {
    uint32_t words[4];
    nn_random_words(seed, leaf->start.stream, (uint64_t)i / 4, words);
    if (leaf->start.normal) {
        const uint32_t *pair = words + i % 4 / 2 * 2;
        const double angle = 6.283185307179586 * (double)nn_word_to_uniform(pair[1]);
        return sqrt(-2.0 * log(1.0 - (double)nn_word_to_uniform(pair[0]))) *
               (i % 2 ? sin(angle) : cos(angle));
    }
    return (double)leaf->start.low +
           (double)nn_word_to_uniform(words[i % 4]) *
               ((double)leaf->start.high - (double)leaf->start.low);
}

/* Each first value depends only on its index, also in a tensor that is drawn and uploaded in
   several pieces. The padding row is zeros. */
static void first_values_are_those_of_their_places(void) {
    enum { ROWS = 1187, COLUMNS = 83, PADDING = 790, OUTPUTS = 501 };
    static float table[ROWS * COLUMNS], weight[OUTPUTS * COLUMNS];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 11});
    nn_node *x = nn_input(net, "index", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *row = nn_embedding(net, "table", x,
                                &(nn_embedding_desc){.num_embeddings = ROWS,
                                                     .embedding_dim = COLUMNS,
                                                     .padding = true,
                                                     .padding_idx = PADDING});
    nn_node *y = nn_linear(net, "fc", row, &(nn_linear_desc){.out_features = OUTPUTS});
    const nn_node *normal = row->inputs[1], *even = y->inputs[1];
    double worst = 0;
    ENSURE(nn_make_plan(net, &(nn_plan_desc){.batch = 1, .outputs = NN_NODES(y)}) != NULL);
    ENSURE(normal->start.normal && !even->start.normal);
    read_tensor(net, "table.weight", table);
    read_tensor(net, "fc.weight", weight);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const double wanted = i / COLUMNS == PADDING ? 0.0 : first_value(normal, 11, i);
        worst = fmax(worst, fabs((double)table[i] - wanted));
    }
    ENSURE(worst < 4e-6); /* angles are floats, and the largest numbers are near 6 */
    for (int i = 0; i < OUTPUTS * COLUMNS; i++)
        ENSURE_CLOSE(weight[i], first_value(even, 11, i), 1e-7);
    nn_close(nn);
}

/* First values are made and sent in pieces of 64 KiB, none of which is empty. */
static void pieces_are_counted(void) {
    static const int32_t counts[] = {1, 16383, 16384, 16385, 32768, 49151};
    nn_context *nn = nn_open(NULL);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        uint64_t sent = 0, bytes = 0;
        nn_parameter(net, "w", NN_SHAPE(counts[i]), -1, 1);
        nn_reset_ledger(nn);
        ENSURE(nn_find_tensor(net, "w") != NULL);
        for (int k = 0; k < nn_ledger_count(nn); k++) {
            const nn_ledger_entry entry = nn_ledger_at(nn, k);
            ENSURE_TEXT(entry.tensor, "init");
            sent += entry.count, bytes += entry.logical_bytes;
        }
        ENSURE(sent == (uint64_t)(counts[i] + 16383) / 16384 && bytes == 4 * (uint64_t)counts[i]);
        nn_free_model(net);
    }
    nn_close(nn);
}

/* NN_NONE stands for a slope of 0, and differs from a slope of -1. */
static void a_slope_may_start_at_minus_one(void) {
    static const struct {
        float given, wanted;
    } cases[] = {{-1.0f, -1.0f}, {(float)NN_NONE, 0.0f}, {0.0f, 0.25f}, {-0.5f, -0.5f}};
    nn_context *nn = nn_open(NULL);
    ENSURE(nn);
    for (int i = 0; i < 4; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
        nn_tensor *weight;
        ENSURE(nn_prelu(net, "p", x, &(nn_prelu_desc){.init = cases[i].given}));
        weight = nn_find_tensor(net, "p.weight");
        ENSURE(weight);
        ENSURE(*(const float *)nn_tensor_data(weight) == cases[i].wanted);
        nn_free_model(net);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(first_values_are_those_of_their_places);
    RUN(distributions_are_pytorchs);
    RUN(what_is_exact_is_pytorchs);
    RUN(layers_start_as_pytorchs);
    RUN(orthogonal_ones_are);
    RUN(sparse_ones_are);
    RUN(patterns_choose);
    RUN(seeds_and_names_decide);
    RUN(halves_are_rounded);
    RUN(values_of_your_own);
    RUN(mistakes_change_nothing);
    RUN(a_device_that_is_not_open_is_named);
    RUN(pieces_are_counted);
    RUN(a_slope_may_start_at_minus_one);
    return test_report();
}
