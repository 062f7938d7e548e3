/* digits.c - the half of the digits page that computes: draws digits, trains a net on them, reads
   pictures. web/worker.js calls the functions marked WEB and reads results in the module's memory.
   A function that fails returns 0 or a NaN, and web_text() says why; leave out NN_NO_REPORTS to
   have the whole message instead of one line. */
#define NN_STATIC
#define NN_NO_REPORTS
#define NN_NO_THREADS
#define NN_NO_STDIO
#define NN_NO_MIXED_PRECISION
#define NN_NO_CALL_SITES
#include "../nn.h"

#include "../examples/draw_digits.h"
#include <stdlib.h>

#ifdef __wasm__
#define WEB(name) __attribute__((export_name(#name), used))
#else
#define WEB(name)
#endif

enum {
    BATCH = 64,
    POOL = 8000, /* training digits; the first steps draw them, so that learning starts at once */
    TESTS = 500, /* digits that the net never learns from */
    OWN = 200,   /* digits of the visitor; the oldest ones give way */
    OWN_SHARE = 8 /* places of a batch that they take at most */
};

static struct {
    nn_context *nn;
    nn_model *net;
    nn_node *image, *label, *probabilities;
    nn_trainer *trainer;
    nn_plan *one, *many; /* infer a batch of 1 and of BATCH */
    uint64_t seed, step;
    int drawn, own_count, own_next;
    unsigned char *saved;
    size_t saved_bytes, saved_room;
    bool saved_short;
} web;
static unsigned char pool[POOL][DIGIT_PIXELS], tests[TESTS][DIGIT_PIXELS];
static unsigned char own[OWN][DIGIT_PIXELS], own_labels[OWN], guesses[TESTS];
static unsigned char picture[DIGIT_PIXELS]; /* what web_read and web_teach take */
static float scores[BATCH * 10], batch[BATCH * DIGIT_PIXELS];
static int32_t labels[BATCH];

/* Where the page reads and writes. */
WEB(web_text) const char *web_text(void) {
    const char *error = nn_error(web.nn);
    return error ? error : web.saved_short ? "there is no memory for the file" : "";
}
WEB(web_picture) unsigned char *web_picture(void) { return picture; }
WEB(web_tests) unsigned char *web_tests(void) { return tests[0]; }
WEB(web_test_count) int web_test_count(void) { return TESTS; }
WEB(web_guesses) unsigned char *web_guesses(void) { return guesses; }
WEB(web_scores) float *web_scores(void) { return scores; }
WEB(web_batch) float *web_batch(void) { return batch; }
WEB(web_own_count) int web_own_count(void) { return web.own_count; }
WEB(web_room) void *web_room(size_t bytes) { return malloc(bytes ? bytes : 1); }
WEB(web_release) void web_release(void *memory) { free(memory); }

static nn_node *conv(nn_node *x, const char *name, int channels) {
    return nn_relu(web.net, nn_conv2d(web.net, name, x, &(nn_conv2d_desc){.out_channels = channels,
                                                                          .kernel = 3,
                                                                          .padding = 1}));
}

static nn_node *halve(nn_node *x) {
    return nn_max_pool2d(web.net, x, &(nn_pool2d_desc){.kernel = 2});
}

static nn_node *dense(nn_node *x, const char *name, int features) {
    return nn_linear(web.net, name, x, &(nn_linear_desc){.out_features = features});
}

/* The nets that the page offers. */
static nn_node *describe(int net, nn_node *x) {
    nn_model *m = web.net;
    if (net == 0) return dense(nn_flatten(m, halve(conv(x, "conv1", 16))), "fc", 10);
    if (net == 1) {
        x = halve(conv(halve(conv(x, "conv1", 16)), "conv2", 32));
        return dense(nn_relu(m, dense(nn_flatten(m, x), "fc1", 64)), "fc2", 10);
    }
    x = nn_relu(m, dense(nn_flatten(m, x), "fc1", 128));
    return dense(nn_relu(m, dense(x, "fc2", 64)), "fc3", 10);
}

/* Starts anew: net 0, 1 or 2 (one convolution, two, none), optimizer 0 (SGD with momentum) or 1
   (Adam). Pictures that were drawn stay. Returns 1, or 0 with a text. */
WEB(web_start) int web_start(int net, int optimizer, float rate, int seed) {
    nn_close(web.nn);
    web.step = 0;
    web.nn = nn_open(NULL);
    web.net = nn_make_model(web.nn, &(nn_model_desc){.name = "digits", .seed = (uint64_t)seed});
    web.image = nn_input(web.net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    web.label = nn_input(web.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *logits = describe(net, web.image);
    web.probabilities = nn_softmax(web.net, logits);
    web.trainer = nn_make_trainer(web.net, nn_cross_entropy(web.net, logits, web.label, NULL),
                                  &(nn_trainer_desc){.batch = BATCH,
                                                     .optimizer = optimizer ? NN_ADAM : NN_SGD,
                                                     .momentum = optimizer ? 0.0f : 0.9f,
                                                     .learning_rate = rate});
    nn_plan_desc infer = {.outputs = NN_NODES(web.probabilities), .batch = BATCH};
    web.many = nn_make_plan(web.net, &infer);
    infer.batch = 1;
    web.one = nn_make_plan(web.net, &infer);
    if (web.seed != (uint64_t)seed) web.drawn = 0;
    web.seed = (uint64_t)seed;
    for (int i = 0; i < TESTS && !web.drawn; i++)
        draw_digit(i % 10, web.seed + 1000000, (uint64_t)i, tests[i]);
    return web.trainer && web.many && web.one;
}

/* One of the visitor's digits, moved by up to two pixels each way. */
static void place_own(int place, uint32_t word) {
    const int i = (int)(word % (uint32_t)web.own_count);
    const int right = (int)(word >> 16) % 5 - 2, down = (int)(word >> 24) % 5 - 2;
    float *x = batch + place * DIGIT_PIXELS;
    memset(x, 0, sizeof *x * DIGIT_PIXELS);
    for (int row = 0; row < DIGIT_SIZE; row++)
        for (int column = 0; column < DIGIT_SIZE; column++) {
            const int to_row = row + down, to_column = column + right;
            if (to_row < 0 || to_row >= DIGIT_SIZE || to_column < 0 || to_column >= DIGIT_SIZE)
                continue;
            x[to_row * DIGIT_SIZE + to_column] =
                (float)own[i][row * DIGIT_SIZE + column] * (1.0f / 255);
        }
    labels[place] = own_labels[i];
}

/* Fills batch and labels: new digits until the pool is full, then old ones by chance. */
static void choose_batch(void) {
    uint32_t words[4];
    const int own_places = web.own_count < OWN_SHARE ? web.own_count : OWN_SHARE;
    for (int i = 0; i < BATCH; i++) {
        nn_random_words(web.seed, web.step, (uint64_t)i, words);
        if (i < own_places) {
            place_own(i, words[0]);
            continue;
        }
        int from = (int)(words[0] % POOL);
        if (web.drawn < POOL) {
            from = web.drawn++;
            draw_digit(from % 10, web.seed, (uint64_t)from, pool[from]);
        }
        labels[i] = from % 10;
        for (int k = 0; k < DIGIT_PIXELS; k++)
            batch[i * DIGIT_PIXELS + k] = (float)pool[from][k] * (1.0f / 255);
    }
}

/* One training step. Returns its loss, or a NaN with a text. */
WEB(web_step) float web_step(void) {
    float loss = 0;
    nn_plan *plan = nn_trainer_plan(web.trainer);
    nn_clear_error(web.nn);
    choose_batch();
    web.step++;
    if (nn_upload(plan, web.image, batch, sizeof batch) != NN_OK ||
        nn_upload(plan, web.label, labels, sizeof labels) != NN_OK ||
        nn_train_on_inputs(web.trainer) != NN_OK || nn_read_loss(web.trainer, &loss) != NN_OK)
        return (float)NAN;
    return loss;
}

static int best_of(const float *row) {
    int best = 0;
    for (int k = 1; k < 10; k++) best = row[k] > row[best] ? k : best;
    return best;
}

/* Reads the test digits into web_guesses(). Returns how many are right, or -1 with a text. */
WEB(web_test) int web_test(void) {
    int right = 0;
    nn_clear_error(web.nn);
    for (int first = 0; first < TESTS; first += BATCH) {
        const int count = TESTS - first < BATCH ? TESTS - first : BATCH;
        memset(batch, 0, sizeof batch);
        for (int i = 0; i < count * DIGIT_PIXELS; i++)
            batch[i] = (float)tests[first][i] * (1.0f / 255);
        if (nn_upload(web.many, web.image, batch, sizeof batch) != NN_OK ||
            nn_run(web.many) != NN_OK ||
            nn_download(web.many, web.probabilities, scores, sizeof scores) != NN_OK)
            return -1;
        for (int i = 0; i < count; i++) {
            guesses[first + i] = (unsigned char)best_of(scores + 10 * i);
            right += guesses[first + i] == (first + i) % 10;
        }
    }
    return right;
}

/* Reads web_picture(): the ten probabilities come to web_scores(). Returns the likeliest digit, or
   -1 with a text. */
WEB(web_read) int web_read(void) {
    nn_clear_error(web.nn);
    for (int i = 0; i < DIGIT_PIXELS; i++) batch[i] = (float)picture[i] * (1.0f / 255);
    if (nn_upload(web.one, web.image, batch, sizeof(float) * DIGIT_PIXELS) != NN_OK ||
        nn_run(web.one) != NN_OK ||
        nn_download(web.one, web.probabilities, scores, sizeof(float) * 10) != NN_OK)
        return -1;
    return best_of(scores);
}

/* Draws a digit that is in neither set into web_picture(). */
WEB(web_draw) void web_draw(int digit, int number) {
    draw_digit(digit, web.seed + 2000000, (uint64_t)number, picture);
}

/* Keeps web_picture() with its label; the next steps learn from it. Returns how many are kept. */
WEB(web_teach) int web_teach(int label) {
    memcpy(own[web.own_next], picture, DIGIT_PIXELS);
    own_labels[web.own_next] = (unsigned char)label;
    web.own_next = (web.own_next + 1) % OWN;
    if (web.own_count < OWN) web.own_count++;
    return web.own_count;
}
WEB(web_forget) void web_forget(void) { web.own_count = web.own_next = 0; }

static void keep(void *user, const char *text, size_t size) {
    (void)user;
    if (web.saved_bytes + size > web.saved_room) {
        const size_t room = 2 * (web.saved_bytes + size);
        unsigned char *more = realloc(web.saved, room);
        if (!more) { /* web_save sees it */
            web.saved_short = true;
            return;
        }
        web.saved = more, web.saved_room = room;
    }
    memcpy(web.saved + web.saved_bytes, text, size);
    web.saved_bytes += size;
}

/* Writes the weights as a safetensors file to web_saved(). Returns its bytes, or 0 with a text. */
WEB(web_save) size_t web_save(void) {
    nn_clear_error(web.nn);
    web.saved_bytes = 0, web.saved_short = false;
    const nn_result result = nn_save_weights_to(web.net, (nn_writer){.function = keep});
    return result == NN_OK && !web.saved_short ? web.saved_bytes : 0;
}
WEB(web_saved) unsigned char *web_saved(void) { return web.saved; }

/* Takes the weights of a safetensors file. Returns 1, or 0 with a text and nothing changed. */
WEB(web_load) int web_load(const void *bytes, size_t size) {
    nn_clear_error(web.nn);
    return nn_load_weights_from(web.net, bytes, size, NULL) == NN_OK;
}
