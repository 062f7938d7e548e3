/* test_state.c - what a plan keeps from run to run: states, layers with .stateful and .streaming.
   Pieces of random lengths give the same bytes as the whole sequence, for every such layer, on every
   instruction set and OpenCL, with voices, resets and slices. Training and every error text are
   tested too. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_device.h"
#include "test.h"
#include "open.h"

enum { BATCH = 3, CHANNELS = 4, LENGTH = 60, MOST = BATCH * LENGTH * 40 };

typedef struct text {
    char buffer[20000];
    size_t length;
} text;

static void append(void *user, const char *from, size_t length) {
    text *to = (text *)user;
    if (length > sizeof to->buffer - 1 - to->length) length = sizeof to->buffer - 1 - to->length;
    memcpy(to->buffer + to->length, from, length);
    to->length += length;
    to->buffer[to->length] = 0;
}
static bool holds(const char *said, const char *words) {
    if (said && strstr(said, words)) return true;
    test_fail(__FILE__, __LINE__, "\"%s\" is not in \"%s\"", words, said ? said : "(null)");
    return false;
}

static float number(int i) {
    uint32_t words[4];
    nn_random_words(5, 1, (uint64_t)i, words);
    return (float)(int)(words[0] >> 8) / 8388608.0f - 1.0f;
}
static int chance(int *seed, int most) { /* 1 ... most */
    uint32_t words[4];
    nn_random_words(6, 2, (uint64_t)(*seed)++, words);
    return 1 + (int)(words[0] % (uint32_t)most);
}

/* ---- nets ------------------------------------------------------------------------------------ */

/* A net with a memory. x is (N, T, C) or, of a signal, (N, C, T * factor). */
typedef struct net {
    nn_model *net;
    nn_node *x, *y;
    bool signal;
    int factor, shrinks; /* steps of x for one of T; those for one of y */
} net;

typedef enum kind {
    LSTM, LSTM_DEEP, LSTM_PROJECTED, GRU, RNN, RELU_RNN, CONV, CONV_DILATED, CONV_STRIDED,
    CONV_DEPTHWISE, CONV_ONE, MAX_POOL, AVERAGE_POOL, AVERAGE_INSIDE, MAX_POOL_OVER, OWN, LSTM_CELL,
    GRU_CELL, RNN_CELL, TWICE, DEEP, STACK, KINDS
} kind;
static const char *const kind_names[KINDS] = {
    "lstm", "lstm of 2 layers", "lstm with a projection", "gru", "rnn", "rnn with relu", "conv1d",
    "conv1d, dilated", "conv1d with a stride", "conv1d, depthwise", "conv1d of 1", "max pool",
    "average pool", "average inside", "max pool without a memory", "own state", "lstm cell",
    "gru cell", "rnn cell", "gru applied twice", "a product of 1200 numbers", "wavenet"};

/* Describes states by hand: a moving average, and a delay line of two states. */
static nn_node *own_state(nn_model *m, nn_node *x) {
    nn_node *mean = nn_state(m, "mean", NN_F32, NN_SHAPE(NN_BATCH, CHANNELS));
    nn_node *before = nn_state(m, "before", NN_F32, NN_SHAPE(NN_BATCH, CHANNELS));
    nn_node *now = nn_reshape(m, x, NN_SHAPE(NN_BATCH, CHANNELS));
    nn_node *next = nn_add(m, nn_scale(m, mean, 0.75f), nn_scale(m, now, 0.25f));
    nn_assign(m, mean, next);
    nn_node *far = nn_state(m, "far", NN_F32, NN_SHAPE(NN_BATCH, CHANNELS));
    nn_assign(m, before, now);
    nn_assign(m, far, before); /* the value before this run, although `before` changes, too */
    return nn_add(m, next, nn_add(m, nn_scale(m, before, 3), nn_scale(m, far, 10)));
}

static nn_node *describe(net *n, kind what) {
    nn_model *m = n->net;
    nn_node *x = n->x;
    switch (what) {
    case LSTM: return nn_lstm(m, "l", x, &(nn_lstm_desc){.hidden_size = 9, .stateful = true});
    case LSTM_DEEP:
        return nn_lstm(m, "l", x,
                       &(nn_lstm_desc){.hidden_size = 17, .layers = 2, .stateful = true});
    case LSTM_PROJECTED:
        return nn_lstm(m, "l", x,
                       &(nn_lstm_desc){.hidden_size = 12, .proj_size = 5, .stateful = true});
    case GRU: return nn_gru(m, "l", x, &(nn_gru_desc){.hidden_size = 16, .stateful = true});
    case RNN: return nn_rnn(m, "l", x, &(nn_rnn_desc){.hidden_size = 7, .stateful = true});
    case RELU_RNN:
        return nn_rnn(m, "l", x, &(nn_rnn_desc){.hidden_size = 33, .stateful = true,
                                                .nonlinearity = NN_ACTIVATION_RELU});
    case CONV:
        return nn_tanh(m, nn_conv1d(m, "c", x, &(nn_conv1d_desc){.out_channels = 6, .kernel = 3,
                                                                 .streaming = true}));
    case CONV_DILATED:
        return nn_conv1d(m, "c", x, &(nn_conv1d_desc){.out_channels = 5, .kernel = 3,
                                                      .dilation = 11, .streaming = true});
    case CONV_STRIDED:
        return nn_conv1d(m, "c", x, &(nn_conv1d_desc){.out_channels = 7, .kernel = 5, .stride = 2,
                                                      .dilation = 2, .streaming = true});
    case CONV_DEPTHWISE:
        return nn_conv1d(m, "c", x, &(nn_conv1d_desc){.out_channels = 8, .kernel = 4,
                                                      .groups = CHANNELS, .no_bias = true,
                                                      .streaming = true});
    case CONV_ONE:
        return nn_conv1d(m, "c", x, &(nn_conv1d_desc){.out_channels = 6, .kernel = 1,
                                                      .streaming = true});
    case MAX_POOL:
        return nn_max_pool1d(m, x, &(nn_pool1d_desc){.kernel = 3, .stride = 1, .dilation = 4,
                                                     .streaming = true});
    case AVERAGE_POOL:
        return nn_avg_pool1d(m, x, &(nn_pool1d_desc){.kernel = 5, .stride = 2, .streaming = true});
    case AVERAGE_INSIDE:
        return nn_avg_pool1d(m, x, &(nn_pool1d_desc){.kernel = 4, .stride = 1,
                                                     .count_only_inside = true,
                                                     .streaming = true});
    case MAX_POOL_OVER:
        return nn_max_pool1d(m, x, &(nn_pool1d_desc){.kernel = 2, .streaming = true});
    case OWN: return own_state(m, x);
    case LSTM_CELL:
        return nn_lstm_cell(m, "l", nn_reshape(m, x, NN_SHAPE(NN_BATCH, CHANNELS)),
                            &(nn_lstm_cell_desc){.hidden_size = 9, .stateful = true});
    case GRU_CELL:
        return nn_gru_cell(m, "l", nn_reshape(m, x, NN_SHAPE(NN_BATCH, CHANNELS)),
                           &(nn_gru_cell_desc){.hidden_size = 16, .stateful = true});
    case RNN_CELL:
        return nn_rnn_cell(m, "l", nn_reshape(m, x, NN_SHAPE(NN_BATCH, CHANNELS)),
                           &(nn_rnn_cell_desc){.hidden_size = 7, .stateful = true});
    case TWICE: /* each application has a state of its own */
        x = nn_gru(m, "l", x, &(nn_gru_desc){.hidden_size = CHANNELS, .stateful = true});
        return nn_gru(m, "l", x, &(nn_gru_desc){.hidden_size = CHANNELS, .stateful = true,
                                                .shared = true});
    case DEEP: /* its sums are never split, however many rows it has */
        x = nn_tanh(m, nn_linear(m, "up", x, &(nn_linear_desc){.out_features = 1200}));
        x = nn_linear(m, "down", x, &(nn_linear_desc){.out_features = 48});
        return nn_gru(m, "l", x, &(nn_gru_desc){.hidden_size = 7, .stateful = true});
    default: break;
    }
    nn_node *skip = NULL; /* STACK: gated convolutions with skips, a linear layer over channels */
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "d%d", i);
        nn_node *z = nn_conv1d(m, name, x, &(nn_conv1d_desc){.out_channels = 2 * CHANNELS,
                                                             .kernel = 3, .dilation = 1 << (2 * i),
                                                             .streaming = true});
        z = nn_glu(m, z, 1);
        snprintf(name, sizeof name, "p%d", i);
        z = nn_conv1d(m, name, z, &(nn_conv1d_desc){.out_channels = CHANNELS, .kernel = 1,
                                                    .streaming = true});
        skip = skip ? nn_add(m, skip, z) : z;
        x = nn_add(m, x, z);
    }
    return nn_linear(m, "head", nn_transpose(m, skip, 1, 2), &(nn_linear_desc){.out_features = 2});
}

static bool is_signal(kind what) { return (what >= CONV && what <= MAX_POOL_OVER) || what == STACK; }

/* True if the net runs one step at a time. */
static bool is_step(kind what) { return what >= OWN && what <= RNN_CELL; }

static net make(nn_context *nn, nn_device device, kind what) {
    net n;
    memset(&n, 0, sizeof n);
    n.net = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device, .seed = 3});
    n.signal = is_signal(what);
    n.factor = what == CONV_STRIDED || what == AVERAGE_POOL || what == MAX_POOL_OVER ? 2 : 1;
    n.shrinks = n.factor;
    if (is_step(what))
        n.x = nn_input(n.net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, CHANNELS));
    else if (!n.signal)
        n.x = nn_input(n.net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, CHANNELS));
    else
        n.x = nn_input(n.net, "x", NN_F32, NN_SHAPE(NN_BATCH, CHANNELS, NN_TIME));
    if (n.factor == 2) { /* time in pairs: (N, 2 C, T) to (N, C, 2 T) */
        nn_free_model(n.net);
        n.net = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device, .seed = 3});
        nn_node *pairs =
            nn_input(n.net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2, CHANNELS));
        nn_node *line = nn_reshape(
            n.net, pairs, NN_SHAPE(NN_BATCH, nn_multiply_extents(NN_TIME, 2), CHANNELS));
        n.x = nn_transpose(n.net, line, 1, 2);
        n.y = describe(&n, what);
        n.x = pairs;
        n.signal = false;
        n.y = nn_transpose(n.net, n.y, 1, 2);
        return n;
    }
    n.y = describe(&n, what);
    if (n.signal && what != STACK) n.y = nn_transpose(n.net, n.y, 1, 2); /* time before channels */
    return n;
}

static nn_plan *plan_of(const net *n, int batch, int time) {
    return nn_make_plan(n->net, &(nn_plan_desc){.outputs = NN_NODES(n->y), .batch = batch, .time = time});
}

/* Copies the steps [t, t + count) of `batch` samples from x (BATCH, LENGTH, each) to the layout of
   the net. */
static void piece(const net *n, const float *x, int batch, int t, int count, float *to) {
    const int each = CHANNELS * n->factor;
    for (int s = 0; s < batch; s++)
        for (int i = 0; i < count; i++)
            for (int c = 0; c < each; c++)
                to[n->signal ? (s * each + c) * count + i : (s * count + i) * each + c] =
                    x[(s * LENGTH + t + i) * each + c];
}

/* Runs a piece and puts its results, (batch, count, width), at step t of y (BATCH, LENGTH, width).
   slices: in slices. */
static bool run_piece(nn_plan *plan, const net *n, const float *x, int batch, int t, int count,
                      float *y, int width, bool slices) {
    static float in[MOST], out[MOST];
    const int each = CHANNELS * n->factor;
    piece(n, x, batch, t, count, in);
    nn_result result = nn_set_time(plan, count);
    if (result == NN_OK)
        result = nn_upload(plan, n->x, in, sizeof(float) * (size_t)(batch * count * each));
    if (!slices && result == NN_OK) result = nn_run(plan);
    if (slices && result == NN_OK)
        do result = nn_run_for(plan, 0);
        while (result == NN_PENDING);
    if (result == NN_OK)
        result = nn_download(plan, n->y, out, sizeof(float) * (size_t)(batch * count * width));
    for (int s = 0; s < batch && result == NN_OK; s++)
        memcpy(y + (s * LENGTH + t) * width, out + s * count * width,
               sizeof(float) * (size_t)(count * width));
    return result == NN_OK;
}

/* True if the text of the plan has these words. */
static bool told(const nn_plan *plan, const char *words) {
    static text all;
    all.length = 0;
    nn_write_plan(plan, (nn_writer){append, &all});
    return strstr(all.buffer, words) != NULL;
}

static int width_of(const net *n) {
    const nn_shape shape = nn_node_shape(n->y);
    return shape.extent[shape.rank - 1];
}

/* ---- pieces give the bytes of the whole ------------------------------------------------------ */

static bool same_in_pieces(nn_context *nn, nn_device device, kind what, int batch, bool slices) {
    static float x[MOST], whole[MOST], streamed[MOST];
    const net n = make(nn, device, what);
    const int most = is_step(what) ? 1 : LENGTH, width = width_of(&n);
    nn_plan *all = plan_of(&n, batch, most), *plan = plan_of(&n, batch, most);
    bool fine = all && plan;
    int seed = (int)what * 100 + batch;
    for (int i = 0; i < MOST; i++) x[i] = number(i), whole[i] = streamed[i] = 0;
    for (int t = 0; fine && t < LENGTH; t += most)
        fine = run_piece(all, &n, x, batch, t, most, whole, width, false);
    for (int t = 0; fine && t < LENGTH;) {
        int count = chance(&seed, t % 3 == 0 ? 3 : 20);
        if (count > most) count = most;
        if (count > LENGTH - t) count = LENGTH - t;
        fine = run_piece(plan, &n, x, batch, t, count, streamed, width, slices && t % 2);
        t += count;
    }
    if (!fine) test_fail(__FILE__, __LINE__, "%s: %s", kind_names[what], nn_error(nn));
    if (fine && memcmp(whole, streamed, sizeof whole) != 0) {
        int at = 0;
        while (memcmp(&whole[at], &streamed[at], 4) == 0) at++;
        test_fail(__FILE__, __LINE__, "%s, batch %d: number %d is %.9g in pieces, %.9g whole",
                  kind_names[what], batch, at, (double)streamed[at], (double)whole[at]);
        fine = false;
    }
    nn_free_model(n.net);
    return fine;
}

static void pieces_are_the_whole_on_every_set(void) {
    for (int set = (int)NN_INSTRUCTIONS_PLAIN; set <= (int)LAST_SET; set++) {
        nn_context *nn = OPEN_WITH_SET(
            &((nn_desc){.instructions = (nn_instruction_set)set, .threads = 1}));
        if (!nn) continue;
        for (int what = 0; what < KINDS; what++) {
            ENSURE(same_in_pieces(nn, nn_cpu(), (kind)what, 1, false));
            ENSURE(same_in_pieces(nn, nn_cpu(), (kind)what, BATCH, false));
        }
        nn_close(nn);
    }
}

/* Each kind of layer may be the first of its context that streams or has states. */
static void each_kind_is_the_first(void) {
    for (int what = 0; what < KINDS; what++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        const net n = make(nn, nn_cpu(), (kind)what);
        if (test_wrong(!plan_of(&n, 1, is_step((kind)what) ? 1 : LENGTH)))
            test_fail(__FILE__, __LINE__, "%s: %s", kind_names[what], nn_error(nn));
        nn_close(nn);
    }
}

static void pieces_in_slices_and_by_threads(void) {
    for (int threads = 1; threads <= 4; threads += 3) {
        nn_context *nn = nn_open(&(nn_desc){.threads = threads});
        for (int what = 0; what < KINDS; what++)
            ENSURE(same_in_pieces(nn, nn_cpu(), (kind)what, BATCH, true));
        nn_close(nn);
    }
}

#ifdef NN_TEST_OPENCL
static void pieces_on_opencl(void) {
    nn_context *nn = nn_open(NULL);
    if (OPEN_OPENCL(nn))
        for (int what = 0; what < KINDS; what++)
            ENSURE(same_in_pieces(nn, nn_opencl(0), (kind)what, BATCH, what == GRU));
    nn_close(nn);
}
#endif

/* ---- voices ---------------------------------------------------------------------------------- */

/* A layer that is applied twice has a state for each application, with a name of its own. */
static void applications_have_states_of_their_own(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    const net n = make(nn, nn_cpu(), TWICE);
    nn_plan *plan = plan_of(&n, BATCH, LENGTH);
    ENSURE(plan && told(plan, " l.state_l0 ") && told(plan, " l.state_l0_2 "));
    nn_close(nn);
}

/* Clearing one voice, saving one and restoring it in another plan, and runs with fewer samples
   change no other voice. */
static void voices_are_apart(void) {
    static float x[MOST], a[MOST], b[MOST];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    const kind kinds[] = {LSTM, GRU, CONV_DILATED, STACK};
    for (int i = 0; i < MOST; i++) x[i] = number(1000 + i);
    for (int k = 0; k < 4; k++) {
        const net n = make(nn, nn_cpu(), kinds[k]);
        nn_plan *plan = plan_of(&n, BATCH, LENGTH), *other = plan_of(&n, BATCH, LENGTH);
        const int width = width_of(&n);
        const size_t row = sizeof(float) * (size_t)(20 * width);
        /* voice 1 begins again at step 20, and repeats its first results from there */
        ENSURE(run_piece(plan, &n, x, BATCH, 20, 20, a, width, false));
        ENSURE(run_piece(other, &n, x, BATCH, 0, 20, b, width, false));
        ENSURE(nn_clear_states(other, 1) == NN_OK);
        ENSURE(run_piece(other, &n, x, BATCH, 20, 20, b, width, false));
        ENSURE(memcmp(a + (LENGTH + 20) * width, b + (LENGTH + 20) * width, row) == 0);
        ENSURE(memcmp(a + 20 * width, b + 20 * width, row) != 0);
        /* saved, disturbed, restored: the run after it repeats */
        const size_t bytes = nn_states_bytes(other, 2), all = nn_states_bytes(other, NN_ALL_SAMPLES);
        ENSURE(bytes > 0 && all == BATCH * bytes);
        char *saved = (char *)malloc(all);
        ENSURE(nn_save_states(other, NN_ALL_SAMPLES, saved, all) == NN_OK);
        ENSURE(run_piece(other, &n, x, BATCH, 40, 20, a, width, false));
        ENSURE(nn_restore_states(other, NN_ALL_SAMPLES, saved, all) == NN_OK);
        ENSURE(run_piece(other, &n, x, BATCH, 40, 20, b, width, false));
        for (int s = 0; s < BATCH; s++)
            ENSURE(memcmp(a + (s * LENGTH + 40) * width, b + (s * LENGTH + 40) * width, row) == 0);
        /* one voice alone, restored in another plan */
        ENSURE(nn_clear_states(plan, NN_ALL_SAMPLES) == NN_OK);
        ENSURE(run_piece(plan, &n, x, BATCH, 0, 20, a, width, false));
        ENSURE(nn_save_states(plan, 2, saved, bytes) == NN_OK);
        ENSURE(nn_clear_states(other, NN_ALL_SAMPLES) == NN_OK);
        ENSURE(nn_restore_states(other, 2, saved, bytes) == NN_OK);
        ENSURE(run_piece(plan, &n, x, BATCH, 20, 20, a, width, false));
        ENSURE(run_piece(other, &n, x, BATCH, 20, 20, b, width, false));
        ENSURE(memcmp(a + (2 * LENGTH + 20) * width, b + (2 * LENGTH + 20) * width, row) == 0);
        ENSURE(memcmp(a + 20 * width, b + 20 * width, row) != 0);
        /* a run of the first voice leaves the others as they are */
        ENSURE(nn_clear_states(plan, NN_ALL_SAMPLES) == NN_OK &&
               nn_clear_states(other, NN_ALL_SAMPLES) == NN_OK);
        ENSURE(run_piece(plan, &n, x, BATCH, 0, 20, a, width, false));
        ENSURE(run_piece(other, &n, x, BATCH, 0, 20, b, width, false));
        ENSURE(run_piece(other, &n, x, 1, 30, 7, b, width, false));
        ENSURE(run_piece(plan, &n, x, BATCH, 20, 20, a, width, false));
        ENSURE(run_piece(other, &n, x, BATCH, 20, 20, b, width, false));
        ENSURE(memcmp(a + (LENGTH + 20) * width, b + (LENGTH + 20) * width, row) == 0);
        ENSURE(memcmp(a + 20 * width, b + 20 * width, row) != 0);
        free(saved);
        nn_free_model(n.net);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* A run with an index out of range leaves every state as it was. */
static void a_fault_leaves_the_states(nn_context *nn, nn_device device) {
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.device = device, .seed = 3});
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)),
            *x = nn_embedding(m, "e", label, &(nn_embedding_desc){.num_embeddings = 5,
                                                                  .embedding_dim = CHANNELS});
    nn_node *h = nn_lstm(m, "l", x, &(nn_lstm_desc){.hidden_size = 9, .stateful = true}),
            *z = nn_conv1d(m, "c", nn_transpose(m, x, 1, 2),
                           &(nn_conv1d_desc){.out_channels = 6, .kernel = 3, .dilation = 2,
                                             .streaming = true});
    nn_plan *plan = nn_make_plan(
        m, &(nn_plan_desc){.outputs = NN_NODES(h, z), .batch = BATCH, .time = 7});
    int32_t labels[BATCH * 7];
    float results[BATCH * 7 * 9];
    const size_t all = nn_states_bytes(plan, NN_ALL_SAMPLES);
    char *before = (char *)malloc(all), *after = (char *)malloc(all);
    for (int round = 0; round < 4; round++) {
        const bool wrong = round == 1 || round == 2;
        for (int i = 0; i < BATCH * 7; i++) labels[i] = (i + round) % 5;
        if (wrong) labels[13] = 5;
        ENSURE(nn_save_states(plan, NN_ALL_SAMPLES, before, all) == NN_OK);
        ENSURE(nn_upload(plan, label, labels, sizeof labels) == NN_OK);
        if (wrong) {
            /* a device may say so when results are read */
            ENSURE(nn_run(plan) < 0 || nn_download(plan, h, results, sizeof results) < 0);
            holds(nn_error(nn), "an index is out of range");
            nn_clear_error(nn);
        } else {
            ENSURE(nn_run(plan) == NN_OK);
        }
        ENSURE(nn_save_states(plan, NN_ALL_SAMPLES, after, all) == NN_OK);
        ENSURE((memcmp(before, after, all) == 0) == wrong);
    }
    free(before), free(after);
    ENSURE(!nn_error(nn));
    nn_free_model(m);
}

static void faults_leave_the_states(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    a_fault_leaves_the_states(nn, nn_cpu());
    nn_close(nn);
#ifdef NN_TEST_OPENCL
    nn = nn_open(NULL);
    if (OPEN_OPENCL(nn)) a_fault_leaves_the_states(nn, nn_opencl(0));
    nn_close(nn);
#endif
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void states_move(nn_context *nn, nn_device to, kind what) {
    static float x[MOST], a[MOST], b[MOST];
    const net n = make(nn, nn_cpu(), what), same = make(nn, nn_cpu(), what);
    nn_plan *plan = plan_of(&n, BATCH, LENGTH), *still = plan_of(&same, BATCH, LENGTH);
    const int width = width_of(&n);
    for (int i = 0; i < MOST; i++) x[i] = number(3000 + i);
    ENSURE(run_piece(plan, &n, x, BATCH, 0, 13, a, width, false));
    ENSURE(nn_move_model(n.net, to) == NN_OK && nn_replan(plan) == NN_OK);
    ENSURE(run_piece(plan, &n, x, BATCH, 13, 20, a, width, false));
    ENSURE(nn_move_model(n.net, nn_cpu()) == NN_OK && nn_replan(plan) == NN_OK);
    ENSURE(run_piece(plan, &n, x, BATCH, 33, 20, a, width, false));
    ENSURE(run_piece(still, &same, x, BATCH, 0, 53, b, width, false));
    for (int s = 0; s < BATCH; s++)
        for (int i = 0; i < 53 * width; i++)
            ENSURE_CLOSE(a[s * LENGTH * width + i], b[s * LENGTH * width + i], 1e-4f);
    ENSURE(!nn_error(nn));
    nn_free_model(n.net);
    nn_free_model(same.net);
}

static void states_move_to_a_simulated_device(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    sim_desc desc;
    nn_device device;
    memset(&desc, 0, sizeof desc);
    sim_device *sim = sim_open(nn, &desc, &device);
    states_move(nn, device, LSTM);
    states_move(nn, device, CONV_DILATED);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- training -------------------------------------------------------------------------------- */

enum { STEPS = 8 };

/* Returns the loss of a net of one layer: the mean of its squared results. */
static nn_node *loss_of(nn_model *m, nn_node *y) { return nn_mean(m, nn_multiply(m, y, y), NN_ALL_AXES, false); }

static float *weights_of(nn_model *m, const char *name, int *count) {
    nn_tensor *tensor = nn_find_tensor(m, name);
    *count = (int)(nn_tensor_bytes(tensor) / sizeof(float));
    float *to = (float *)malloc(sizeof(float) * (size_t)*count);
    nn_download_tensor(tensor, to, sizeof(float) * (size_t)*count);
    return to;
}

/* A step that carries its state has the gradient of a net that is given the history as input. */
static void carried_gradient(nn_context *nn, bool conv) {
    nn_model *a = nn_make_model(nn, &(nn_model_desc){.seed = 8}),
             *b = nn_make_model(nn, &(nn_model_desc){.seed = 8});
    const int reach = 4, length = STEPS + (conv ? reach : 0);
    const char *weight = conv ? "l.weight" : "l.weight_hh_l0";
    nn_node *x = nn_input(a, "x", NN_F32, conv ? NN_SHAPE(NN_BATCH, 2, STEPS)
                                               : NN_SHAPE(NN_BATCH, STEPS, 2)),
            *z = nn_input(b, "x", NN_F32, conv ? NN_SHAPE(NN_BATCH, 2, STEPS + reach)
                                               : NN_SHAPE(NN_BATCH, STEPS, 2)),
            *h = conv ? NULL : nn_input(b, "h", NN_F32, NN_SHAPE(1, NN_BATCH, 3));
    nn_node *p = conv ? nn_conv1d(a, "l", x, &(nn_conv1d_desc){.out_channels = 3, .kernel = 3,
                                                               .dilation = 2, .streaming = true})
                      : nn_gru(a, "l", x, &(nn_gru_desc){.hidden_size = 3, .stateful = true}),
            *q = conv ? nn_conv1d(b, "l", z, &(nn_conv1d_desc){.out_channels = 3, .kernel = 3,
                                                               .dilation = 2})
                      : nn_gru(b, "l", z, &(nn_gru_desc){.hidden_size = 3, .h_0 = h});
    nn_trainer *carries = nn_make_trainer(
        a, loss_of(a, p), &(nn_trainer_desc){.batch = 2, .learning_rate = 1, .carry_states = true});
    nn_trainer *given =
        nn_make_trainer(b, loss_of(b, q), &(nn_trainer_desc){.batch = 2, .learning_rate = 1});
    ENSURE(carries && given);
    float first[2 * 2 * STEPS], second[2 * 2 * STEPS], joined[2 * 2 * (STEPS + 4)];
    for (int i = 0; i < 2 * 2 * STEPS; i++) first[i] = number(i), second[i] = number(500 + i);
    int count;
    float *start = weights_of(a, weight, &count), *all[4];
    nn_plan *plan = nn_trainer_plan(carries);
    static const char *const names[] = {"l.weight_ih_l0", "l.weight_hh_l0", "l.bias_ih_l0",
                                        "l.bias_hh_l0"};
    nn_upload(plan, x, first, sizeof first);
    for (int i = 0; i < 4 && !conv; i++) all[i] = weights_of(a, names[i], &count);
    ENSURE(nn_trainer_step(carries) >= 0 && nn_train_on_inputs(carries) == NN_OK);
    /* the weights of the beginning; the state stays */
    if (conv) {
        nn_tensor *tensor = nn_find_tensor(a, weight), *bias = nn_find_tensor(a, "l.bias");
        int n;
        float *was = weights_of(b, "l.bias", &n);
        nn_upload_tensor(tensor, start, sizeof(float) * (size_t)(nn_tensor_bytes(tensor) / sizeof(float)));
        nn_upload_tensor(bias, was, sizeof(float) * (size_t)n);
        free(was);
    }
    for (int i = 0; i < 4 && !conv; i++) {
        nn_tensor *tensor = nn_find_tensor(a, names[i]);
        nn_upload_tensor(tensor, all[i], sizeof(float) * (size_t)(nn_tensor_bytes(tensor) / sizeof(float)));
        free(all[i]);
    }
    float state[2 * 3];
    if (!conv) {
        nn_model *r = nn_make_model(nn, &(nn_model_desc){.seed = 8});
        nn_node *u = nn_input(r, "x", NN_F32, NN_SHAPE(NN_BATCH, STEPS, 2)),
                *v = nn_gru(r, "l", u, &(nn_gru_desc){.hidden_size = 3});
        nn_plan *runs = nn_make_plan(r, &(nn_plan_desc){.outputs = NN_NODES(nn_output(v, 1)), .batch = 2});
        nn_upload(runs, u, first, sizeof first);
        nn_run(runs);
        nn_download(runs, nn_output(v, 1), state, sizeof state);
        nn_free_model(r);
    }
    nn_upload(plan, x, second, sizeof second);
    ENSURE(nn_train_on_inputs(carries) == NN_OK);
    for (int row = 0; row < 4; row++)
        for (int t = 0; t < length && conv; t++)
            joined[row * length + t] = t < reach ? first[row * STEPS + STEPS - reach + t]
                                                 : second[row * STEPS + t - reach];
    nn_plan *other = nn_trainer_plan(given);
    nn_upload(other, z, conv ? joined : second, conv ? sizeof joined : sizeof second);
    if (!conv) nn_upload(other, h, state, sizeof state);
    ENSURE(nn_train_on_inputs(given) == NN_OK);
    float *one = weights_of(a, weight, &count), *two = weights_of(b, weight, &count);
    bool moved = false;
    for (int i = 0; i < count; i++) {
        ENSURE_CLOSE(one[i], two[i], 1e-5f);
        moved = moved || fabsf(one[i] - start[i]) > 1e-3f;
    }
    ENSURE(moved && !nn_error(nn));
    free(one), free(two), free(start);
    nn_free_model(a);
    nn_free_model(b);
}

static void carried_gradients(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    carried_gradient(nn, true);
    carried_gradient(nn, false);
    nn_close(nn);
}

/* Without .carry_states every step begins with zeros. With it, only the first step does, and the
   one after nn_clear_states. */
static void steps_begin_with_zeros(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    for (int carries = 0; carries < 2; carries++) {
        nn_model *m = nn_make_model(nn, NULL);
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2));
        nn_node *y = nn_lstm(m, "l", x, &(nn_lstm_desc){.hidden_size = 4, .stateful = true});
        nn_trainer *trainer = nn_make_trainer(
            m, loss_of(m, y),
            &(nn_trainer_desc){.batch = 2, .time = STEPS, .learning_rate = NN_NONE,
                               .carry_states = carries});
        float block[2 * STEPS * 2], losses[3];
        for (int i = 0; i < 2 * STEPS * 2; i++) block[i] = number(i);
        nn_upload(nn_trainer_plan(trainer), x, block, sizeof block);
        for (int i = 0; i < 3; i++) {
            if (i == 2)
                ENSURE(nn_clear_states(nn_trainer_plan(trainer), NN_ALL_SAMPLES) == NN_OK);
            ENSURE(nn_train_on_inputs(trainer) == NN_OK);
            ENSURE(nn_read_loss(trainer, &losses[i]) == NN_OK);
        }
        ENSURE((losses[0] == losses[1]) == !carries);
        ENSURE(losses[0] == losses[2]);
        nn_free_model(m);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* A checkpoint contains carried states: the run that loads it continues with the same loss. */
static void checkpoints_have_carried_states(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    float block[2 * STEPS * 2], losses[2] = {0, 0};
    for (int i = 0; i < 2 * STEPS * 2; i++) block[i] = number(70 + i);
    for (int run = 0; run < 2; run++) {
        nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 1 + (uint64_t)run});
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2));
        nn_node *y = nn_gru(m, "l", x, &(nn_gru_desc){.hidden_size = 4, .stateful = true});
        nn_trainer *trainer = nn_make_trainer(m, loss_of(m, y),
                                              &(nn_trainer_desc){.batch = 2, .time = STEPS,
                                                                 .carry_states = true});
        nn_upload(nn_trainer_plan(trainer), x, block, sizeof block);
        if (run == 0) ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        if (run == 0) ENSURE(nn_save_checkpoint(trainer, "state.safetensors", NULL) == NN_OK);
        if (run == 1) ENSURE(nn_load_checkpoint(trainer, "state.safetensors", NULL) == NN_OK);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        ENSURE(nn_read_loss(trainer, &losses[run]) == NN_OK);
        nn_free_model(m);
    }
    ENSURE(losses[0] != 0 && !nn_error(nn));
    if (losses[0] != losses[1])
        test_fail(__FILE__, __LINE__, "%.9g and %.9g", (double)losses[0], (double)losses[1]);
    remove("state.safetensors");
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

#define FAULT(statement, words)                                                                    \
    do {                                                                                           \
        nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net"});                          \
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 6)),                     \
                *line = nn_input(m, "line", NN_F32, NN_SHAPE(NN_BATCH, 4, NN_TIME)),               \
                *flat = nn_input(m, "flat", NN_F32, NN_SHAPE(NN_BATCH, 6)),                        \
                *late = nn_input(m, "late", NN_F32, NN_SHAPE(NN_TIME, NN_BATCH, 6)), *y = NULL;    \
        nn_node *h = nn_state(m, "h", NN_F32, NN_SHAPE(NN_BATCH, 6));                              \
        (void)x, (void)line, (void)flat, (void)late, (void)h;                                      \
        statement;                                                                                 \
        nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y ? y : x), .time = 5});       \
        ENSURE(!plan);                                                                             \
        holds(nn_error(nn), words);                                                                \
        nn_clear_error(nn);                                                                        \
        nn_free_model(m);                                                                          \
    } while (0)

static void mistakes_in_words(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    FAULT(y = nn_lstm(m, "l", flat, &(nn_lstm_desc){.hidden_size = 3, .stateful = true}),
          "\"flat\" is (batch, 6); lstm wants (N, T, C)");
    FAULT(y = nn_lstm(m, "l", x, &(nn_lstm_desc){.hidden_size = 3, .stateful = true,
                                                 .bidirectional = true}),
          "leave .bidirectional or .stateful out");
    FAULT(y = nn_gru(m, "l", x, &(nn_gru_desc){.hidden_size = 3, .stateful = true,
                                               .h_0 = nn_reshape(m, h, NN_SHAPE(1, NN_BATCH, 6))}),
          "a stateful layer has its own initial state, and h_0 is given");
    FAULT(y = nn_gru(m, "l", late, &(nn_gru_desc){.hidden_size = 3, .stateful = true}),
          "\"late\" (time) depends on the time in extent 0");
    FAULT(y = nn_gru_cell(m, "l", flat, &(nn_gru_cell_desc){.hidden_size = 6, .stateful = true,
                                                            .h_0 = h}),
          "h_0 is given");
    FAULT(nn_state(m, "s", NN_F32, NN_SHAPE(6, NN_BATCH)), "depends on the batch in extent 1");
    FAULT(nn_state(m, "s", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME)), "depends on the time in extent 1");
    FAULT(nn_state(m, "s", NN_U8, NN_SHAPE(NN_BATCH, 2)), "dtype is u8; operations write f32 and i32");
    FAULT(nn_state(m, "h", NN_F32, NN_SHAPE(NN_BATCH)), "this name was already used at");
    FAULT(y = nn_add(m, h, flat), "nothing says what it becomes in the next run");
    FAULT((nn_assign(m, h, flat), nn_assign(m, h, flat)), "the state \"h\" is continued already");
    FAULT(nn_assign(m, h, x), "value is (batch, time, 6), but the state \"h\" is (batch, 6)");
    FAULT(nn_assign(m, x, flat), "\"x\" (input) is neither a buffer nor a state");
#define STREAM(...) y = nn_conv1d(m, "c", line, &(nn_conv1d_desc){__VA_ARGS__, .streaming = true})
    FAULT(STREAM(.out_channels = 2, .kernel = 3, .padding = 1), "leave .padding");
    FAULT(STREAM(.out_channels = 2, .kernel = 3, .same = true), "leave .padding");
    FAULT(STREAM(.out_channels = 2, .kernel = 3, .stride = 2),
          "the stride 2 does not divide extent 2 of \"line\" (batch, 4, time)");
    FAULT(STREAM(.out_channels = 2, .kernel = 2, .stride = 3),
          "a stream of stride 3 skips inputs with a kernel of 2");
    FAULT(STREAM(.out_channels = 2, .kernel = 0), "kernel is 0");
    FAULT(STREAM(.out_channels = 2, .kernel = 3, .groups = 3), "groups is 3");
    FAULT(y = nn_conv1d(m, "c", flat, &(nn_conv1d_desc){.out_channels = 2, .kernel = 3,
                                                        .streaming = true}),
          "a stream is (N, C, L)");
    FAULT(y = nn_max_pool1d(m, line, &(nn_pool1d_desc){.kernel = 3, .streaming = true}),
          "the stride 3 does not divide extent 2");
    FAULT(y = nn_avg_pool1d(m, line, &(nn_pool1d_desc){.kernel = 3, .stride = 1, .padding = 1,
                                                       .streaming = true}),
          "leave .padding and .ceil out");
    FAULT(y = nn_avg_pool1d(m, line, &(nn_pool1d_desc){.kernel = 2, .stride = 1, .dilation = 2,
                                                       .streaming = true}),
          "only the maximum of a window can leave places out");
    nn_close(nn);
}

static void mistakes_at_run_time(void) {
    text said = {{0}, 0};
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .log = {append, &said}});
    const net n = make(nn, nn_cpu(), GRU);
    nn_plan *plan = plan_of(&n, 2, 5);
    char bytes[400];
    ENSURE(nn_clear_states(NULL, 0) == NN_ERROR_ARGUMENT);
    ENSURE(nn_clear_states(plan, 2) == NN_ERROR_ARGUMENT);
    holds(nn_error(nn), "sample is 2; this plan has the samples 0 to 1");
    nn_clear_error(nn);
    ENSURE(nn_save_states(plan, 0, bytes, 8) == NN_ERROR_SHAPE);
    holds(nn_error(nn), "the states have 64 bytes, not 8");
    nn_clear_error(nn);
    ENSURE(nn_restore_states(plan, 0, NULL, 64) == NN_ERROR_ARGUMENT);
    holds(nn_error(nn), "the address is NULL");
    nn_clear_error(nn);
    ENSURE(nn_states_bytes(plan, 5) == 0 && nn_states_bytes(NULL, 0) == 0);
    nn_node *label = nn_output(n.y, 1);
    ENSURE(label != NULL);
    nn_trainer_desc desc = {.batch = 4, .carry_states = true, .shards = 2};
    ENSURE(!nn_make_trainer(n.net, loss_of(n.net, n.y), &desc));
    ENSURE(nn_error(nn) != NULL);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(pieces_are_the_whole_on_every_set);
    RUN(each_kind_is_the_first);
    RUN(pieces_in_slices_and_by_threads);
    RUN(applications_have_states_of_their_own);
    RUN(voices_are_apart);
    RUN(faults_leave_the_states);
    RUN(states_move_to_a_simulated_device);
    RUN(carried_gradients);
    RUN(steps_begin_with_zeros);
    RUN(checkpoints_have_carried_states);
    RUN(mistakes_in_words);
    RUN(mistakes_at_run_time);
#ifdef NN_TEST_OPENCL
    RUN(pieces_on_opencl);
#endif
    return test_report();
}
