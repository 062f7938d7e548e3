/* tests/train/test_quantize_recurrent.c - lstm and gru in 8-bit integers (nn_quantize_net): drawn
   sequences are classified as well as in f32; drawn nets of several layers and directions stay near
   f32 and have the same bytes on every instruction set, in slices, on OpenCL, and after saving and
   loading; what stays in f32 says why. The kernel is tested in tests/kernels/random_integer.h.

     NN_FULL=1 test_quantize_recurrent     2,000 nets instead of 40 */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "open.h"
#include "test.h"

/* ---- a net that learns sequences ------------------------------------------------------------- */

enum { SAMPLES = 2000, STEPS = 24, WIDE = 3, CLASSES = 6 };

static float sequences[2 * SAMPLES][STEPS][WIDE];
static int32_t classes[2 * SAMPLES];

static float drawn(uint64_t at) {
    uint32_t words[4];
    nn_random_words(91, 3, at, words);
    return nn_word_to_uniform(words[0]) * 2 - 1;
}

/* A sequence is a noisy wave. Its class is the order in which two pulses come: which of three
   columns has the first, and whether the second one is up or down. */
static void draw_sequences(void) {
    uint64_t at = 0;
    for (int i = 0; i < 2 * SAMPLES; i++) {
        const int class = i % CLASSES, column = class % WIDE,
                  first = 2 + (int)((drawn(at++) + 1) * 4), second = first + 4 +
                  (int)((drawn(at++) + 1) * 4), other = (int)((drawn(at++) + 1) * 1.5f) % WIDE;
        const float phase = 3 * drawn(at++);
        classes[i] = class;
        for (int t = 0; t < STEPS; t++)
            for (int c = 0; c < WIDE; c++)
                sequences[i][t][c] = 0.3f * sinf(phase + 0.7f * (float)t + (float)c) +
                                     0.4f * drawn(at++);
        sequences[i][first][column] += 1.6f;
        sequences[i][second][other] += class < WIDE ? 1.6f : -1.6f;
    }
}

static nn_loader *sequence_loader(nn_context *nn, int first, bool shuffle) {
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = SAMPLES,
                .fields = NN_FIELDS(
                    {.name = "x", .shape = {{STEPS, WIDE}, 2}, .data = sequences[first]},
                    {.name = "label", .dtype = NN_I32, .data = classes + first})});
    return nn_make_loader(
        nn, &(nn_loader_desc){.dataset = dataset, .batch = 50, .seed = 1, .shuffle = shuffle});
}

typedef struct learner {
    nn_model *net;
    nn_node *x, *label, *scores, *loss;
} learner;

static learner describe_learner(nn_context *nn, bool gru) {
    learner l;
    l.net = nn_make_model(nn, &(nn_model_desc){.name = "sequences", .seed = 3});
    l.x = nn_input(l.net, "x", NN_F32, NN_SHAPE(NN_BATCH, STEPS, WIDE));
    l.label = nn_input(l.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *y = gru ? nn_gru(l.net, "rnn", l.x, &(nn_gru_desc){.hidden_size = 24})
                     : nn_lstm(l.net, "rnn", l.x, &(nn_lstm_desc){.hidden_size = 24});
    y = nn_slice(l.net, y, &(nn_slice_desc){.axis = 1, .start = STEPS - 1, .stop = STEPS});
    y = nn_reshape(l.net, y, NN_SHAPE(NN_BATCH, 24));
    l.scores = nn_linear(l.net, "head", y, &(nn_linear_desc){.out_features = CLASSES});
    l.loss = nn_cross_entropy(l.net, l.scores, l.label, NULL);
    return l;
}

static int count_right(const learner *l, nn_model *net, nn_node *scores, nn_loader *loader) {
    float batch[50][CLASSES];
    int right = 0, at = SAMPLES;
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(scores), .batch = 50});
    nn_node *x = net == l->net ? l->x : nn_copied_node(net, l->x);
    ENSURE_OR(-1, plan != NULL && x != NULL);
    nn_start_epoch(loader, 0);
    while (nn_next_batch(loader)) {
        const int n = nn_loader_batch(loader);
        ENSURE_OR(-1, nn_bind(plan, x, nn_batch_tensor(loader, "x")) == NN_OK);
        ENSURE_OR(-1, nn_run(plan) == NN_OK);
        ENSURE_OR(-1, nn_download(plan, scores, batch, (size_t)n * sizeof batch[0]) == NN_OK);
        for (int i = 0; i < n; i++, at++) {
            int best = 0;
            for (int k = 1; k < CLASSES; k++) best = batch[i][k] > batch[i][best] ? k : best;
            right += best == classes[at];
        }
    }
    nn_free_plan(plan);
    return right;
}

static char report[16384];
static void write_report(void *user, const char *text, size_t length) {
    (void)user;
    const size_t used = strlen(report);
    if (used + length >= sizeof report) return;
    memcpy(report + used, text, length);
    report[used + length] = 0;
}

static void learn(bool gru) {
    nn_context *nn = nn_open(NULL);
    draw_sequences();
    learner l = describe_learner(nn, gru);
    nn_loader *train = sequence_loader(nn, 0, true), *test = sequence_loader(nn, SAMPLES, false);
    nn_trainer *trainer = nn_make_trainer(
        l.net, l.loss,
        &(nn_trainer_desc){.batch = 50, .optimizer = NN_ADAM, .learning_rate = 1e-2f});
    for (int epoch = 0; epoch < 24; epoch++)
        while (nn_next_batch(train)) ENSURE(nn_train_step(trainer, train) == NN_OK);
    nn_free_trainer(trainer);
    const int before = count_right(&l, l.net, l.scores, test);
    report[0] = 0;
    nn_model *whole = nn_quantize_net(
        l.net, train,
        &(nn_quantize_net_desc){.batches = 6,
                                .outputs = NN_NODES(l.scores),
                                .report.function = write_report});
    const int after =
        whole ? count_right(&l, whole, nn_copied_node(whole, l.scores), test) : -1;
    if (getenv("NN_VERBOSE")) printf("%d -> %d of %d\n%s", before, after, SAMPLES, report);
    ENSURE(before > SAMPLES * 85 / 100);
    /* half a point */
    if (test_wrong(abs(before - after) * 200 > SAMPLES))
        test_fail(__FILE__, __LINE__, "%d of %d sequences in f32, %d in integers", before, SAMPLES,
                  after);
    ENSURE(strstr(report, gru ? "gru" : "lstm") && strstr(report, "rnn_l0"));
    ENSURE(!strstr(report, "rnn_l0 ") || !strstr(report, "rnn_l0.input "));
    ENSURE(fine(nn));
    nn_close(nn);
}
static void test_lstm_learns(void) { learn(false); }
static void test_gru_learns(void) { learn(true); }

/* ---- drawn nets ------------------------------------------------------------------------------ */

enum { BATCH = 5, MOST = BATCH * 12 * 40, OUTPUTS = 3 };

static uint64_t draws, seed;
static int pick(int n) {
    uint32_t words[4];
    nn_random_words(seed, 5, draws++, words);
    return (int)(words[0] % (uint32_t)n);
}

typedef struct drawn_net {
    nn_model *net;
    nn_node *x, *output[OUTPUTS]; /* y through a linear layer; h_n; of an lstm c_n */
    int steps, wide, outputs;
} drawn_net;

static drawn_net describe_drawn(nn_context *nn, uint64_t from) {
    drawn_net d;
    seed = from, draws = 0;
    d.net = nn_make_model(nn, &(nn_model_desc){.name = "drawn", .seed = from});
    d.steps = 1 + pick(12), d.wide = 1 + pick(40);
    d.x = nn_input(d.net, "x", NN_F32, NN_SHAPE(NN_BATCH, d.steps, d.wide));
    const bool gru = pick(2), both = pick(3) == 0, bare = pick(4) == 0;
    const int hidden = 1 + pick(both ? 16 : 33), layers = 1 + pick(2);
    nn_node *x = d.x;
    if (pick(3) == 0)
        x = nn_relu(d.net, nn_linear(d.net, "before", x, &(nn_linear_desc){.out_features = 12}));
    nn_node *y = gru ? nn_gru(d.net, "rnn", x,
                              &(nn_gru_desc){.hidden_size = hidden, .layers = layers,
                                             .bidirectional = both, .no_bias = bare})
                     : nn_lstm(d.net, "rnn", x,
                               &(nn_lstm_desc){.hidden_size = hidden, .layers = layers,
                                               .bidirectional = both, .no_bias = bare});
    d.output[1] = nn_output(y, 1);
    d.output[2] = gru ? NULL : nn_output(y, 2);
    d.outputs = gru ? 2 : 3;
    d.output[0] = pick(4) ? nn_linear(d.net, "after", y, &(nn_linear_desc){.out_features = 7}) : y;
    return d;
}

static float numbers[MOST], results[4][OUTPUTS][MOST];

static int elements(const nn_node *node) {
    const nn_shape shape = nn_node_shape(node);
    int64_t all = 1;
    for (int i = 0; i < shape.rank; i++)
        all *= shape.extent[i] == NN_BATCH ? BATCH : shape.extent[i];
    return (int)all;
}

static bool run_drawn(const drawn_net *d, nn_model *net, float to[OUTPUTS][MOST], bool slices) {
    nn_node *outputs[OUTPUTS];
    nn_node *x = net == d->net ? d->x : nn_copied_node(net, d->x);
    for (int i = 0; i < d->outputs; i++) {
        outputs[i] = net == d->net ? d->output[i] : nn_copied_node(net, d->output[i]);
        ENSURE_OR(false, outputs[i] != NULL);
    }
    nn_plan *plan = nn_make_plan(
        net, &(nn_plan_desc){.outputs = {outputs, d->outputs}, .batch = BATCH, .poison = true});
    ENSURE_OR(false, plan != NULL);
    ENSURE_OR(false, nn_upload(plan, x, numbers,
                               sizeof(float) * (size_t)(BATCH * d->steps * d->wide)) == NN_OK);
    nn_result result;
    for (int run = 0; run < 2; run++) { /* the second one uses packed weights */
        do result = slices ? nn_run_for(plan, 1) : nn_run(plan);
        while (result == NN_PENDING);
        ENSURE_OR(false, result == NN_OK);
    }
    for (int i = 0; i < d->outputs; i++)
        ENSURE_OR(false, nn_download(plan, outputs[i], to[i],
                                     sizeof(float) * (size_t)elements(d->output[i])) == NN_OK);
    nn_free_plan(plan);
    return true;
}

static bool equal_results(const drawn_net *d, int a, int b) {
    for (int i = 0; i < d->outputs; i++)
        if (memcmp(results[a][i], results[b][i],
                   sizeof(float) * (size_t)elements(d->output[i])) != 0)
            return false;
    return true;
}

static nn_loader *drawn_loader(nn_context *nn, const drawn_net *d) {
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = BATCH,
                .fields = NN_FIELDS(
                    {.name = "x", .shape = {{d->steps, d->wide}, 2}, .data = numbers})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = BATCH});
}

static void write_nowhere(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

/* Fills a net of the same description from a file, on another instruction set. */
static void check_file(const drawn_net *d, nn_model *whole, int number, nn_instruction_set set) {
    static const char path[] = "quantize_recurrent.safetensors";
    nn_context *nn =
        nn_open(&(nn_desc){.instructions = set, .threads = 2, .log.function = write_nowhere});
    if (!nn) return; /* this machine does not have the set */
    ENSURE(nn_save_weights(whole, path) == NN_OK);
    drawn_net other = describe_drawn(nn, (uint64_t)number);
    nn_model *loaded = nn_quantize_net(
        other.net, NULL, &(nn_quantize_net_desc){.outputs = {other.output, other.outputs}});
    if (test_wrong(!loaded || nn_load_weights(loaded, path, NULL) != NN_OK))
        test_fail(__FILE__, __LINE__, "net %d: %s", number, nn_error(nn));
    else if (run_drawn(&other, loaded, results[2], false) && test_wrong(!equal_results(d, 1, 2)))
        test_fail(__FILE__, __LINE__, "net %d: other bytes of a file, instructions %d", number,
                  (int)set);
    remove(path);
    nn_close(nn);
}

/* Moves the model to an OpenCL device, where it gives the same bytes. */
static void check_opencl(const drawn_net *d, nn_context *nn, nn_model *whole, int number) {
#ifdef NN_TEST_OPENCL
    static const nn_opencl_desc own = {.no_lending = true, .cache_folder = ""};
    if (number % 4 || !OPEN_OPENCL_WITH(nn, &own)) return;
    ENSURE(nn_move_model(whole, nn_opencl(0)) == NN_OK);
    if (run_drawn(d, whole, results[2], false) && test_wrong(!equal_results(d, 1, 2)))
        test_fail(__FILE__, __LINE__, "net %d: other bytes on OpenCL", number);
#else
    (void)d, (void)nn, (void)whole, (void)number;
#endif
}

static void check_drawn(int number) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1 + number % 3});
    drawn_net d = describe_drawn(nn, (uint64_t)number);
    for (int i = 0; i < BATCH * d.steps * d.wide; i++)
        numbers[i] = 1.5f * drawn((uint64_t)number * 100000 + (uint64_t)i);
    if (!run_drawn(&d, d.net, results[0], false)) { /* the net gets its weights */
        nn_close(nn);
        return;
    }
    /* weights twice as large as those of a fresh net, so that gates reach their ends */
    for (int t = 0; t < nn_model_tensor_count(d.net); t++) {
        static float values[4 * 40 * 80];
        nn_tensor *tensor = nn_model_tensor_at(d.net, t);
        const size_t bytes = nn_tensor_bytes(tensor);
        ENSURE(bytes <= sizeof values && nn_download_tensor(tensor, values, bytes) == NN_OK);
        for (size_t i = 0; i < bytes / sizeof(float); i++) values[i] *= 2.0f;
        ENSURE(nn_upload_tensor(tensor, values, bytes) == NN_OK);
    }
    nn_model *whole =
        nn_quantize_net(d.net, drawn_loader(nn, &d),
                        &(nn_quantize_net_desc){.outputs = {d.output, d.outputs}});
    if (test_wrong(!whole)) {
        test_fail(__FILE__, __LINE__, "net %d: %s", number, nn_error(nn));
        nn_close(nn);
        return;
    }
    if (!run_drawn(&d, d.net, results[0], false) || !run_drawn(&d, whole, results[1], false)) {
        nn_close(nn);
        return;
    }
    for (int i = 0; i < d.outputs; i++) {
        double off = 0, all = 1e-9;
        for (int k = 0; k < elements(d.output[i]); k++) {
            const double real = (double)results[0][i][k];
            off += ((double)results[1][i][k] - real) * ((double)results[1][i][k] - real);
            all += real * real;
        }
        if (test_wrong(!(sqrt(off / all) < 0.1)))
            test_fail(__FILE__, __LINE__, "net %d, output %d: integers differ by %.4f", number, i,
                      sqrt(off / all));
    }
    if (run_drawn(&d, whole, results[2], true) && test_wrong(!equal_results(&d, 1, 2)))
        test_fail(__FILE__, __LINE__, "net %d: other bytes in slices", number);
    for (int set = NN_INSTRUCTIONS_PLAIN; set <= NN_INSTRUCTIONS_SIMD128; set++)
        check_file(&d, whole, number, (nn_instruction_set)set);
    check_opencl(&d, nn, whole, number);
    ENSURE(fine(nn));
    nn_close(nn);
}

static void test_drawn_nets(void) {
    const char *full = getenv("NN_FULL");
    const int most = full && *full == '1' ? 2000 : 40;
    for (int i = 1; i <= most && test_this_failed < 10; i++) check_drawn(i);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_lstm_learns);
    RUN(test_gru_learns);
    RUN(test_drawn_nets);
    return test_report();
}
