/* tests/group/test_ranks_agree.c - ranks get an error before the first step if they differ in
   a number that no shape shows: strides, epsilons, probabilities, slopes, constants of
   expressions. Every field of every kernel's arguments is a view, a number that is compared, or
   named as one that is not. */
#define NN_IMPLEMENTATION
#include "nn_more.h"
#include "nn_group.h"
#include "nn_sequence.h"

#include "test.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- every field of the arguments ------------------------------------------------------------ */

static unsigned char known[1 << 16]; /* bytes of the arguments that some list names */

/* Finds bytes that no list names and that are not padding up to a boundary of 8. Only a forgotten
   bool beside bools looks like padding. */
static int forgotten(size_t bytes, size_t *where) {
    int count = 0;
    for (size_t i = 0; i < bytes; i++) {
        size_t end = i;
        if (known[i]) continue;
        while (end < bytes && !known[end]) end++;
        if (end % 4 != 0 || end - i > (end % 8 ? 3 : 7)) *where = i, count++;
        i = end;
    }
    return count;
}

#define MARK(field, bytes)                                                                         \
    memset(known + ((const char *)&a->field - (const char *)a), 1, (size_t)(bytes));
#define NUMBER(field) MARK(field, sizeof a->field)
#define VIEWS(role, field, count) MARK(field, sizeof(nn_view) * (size_t)(count))
#define ITEMS(role, items, many, field, count)
#define CHECK(number, upper, lower, type, family)                                                  \
    {                                                                                              \
        type zero, *a = &zero;                                                                     \
        size_t where = 0;                                                                          \
        memset(a, 0, sizeof *a);                                                                   \
        memset(known, 0, sizeof known);                                                            \
        prepare(NN_KERNEL_##upper, a);                                                             \
        NN_##upper##_VIEWS(VIEWS, ITEMS) NN_##upper##_NUMBERS(NUMBER, NUMBER, NUMBER)              \
        if (forgotten(sizeof *a, &where))                                                          \
            test_fail(__FILE__, __LINE__,                                                          \
                      "%s: neither its views nor its numbers name byte %d of %s of %d bytes",      \
                      #upper, (int)where, #type, (int)sizeof *a);                                  \
        kernels++;                                                                                 \
    }

/* Sets the counts in arguments whose number of views varies. */
static void prepare(nn_kernel kernel, void *args) {
    if (kernel == NN_KERNEL_CUSTOM) ((nn_custom_args *)args)->input_count = 8;
    if (kernel != NN_KERNEL_POINTWISE) return;
    ((nn_program_args *)args)->program.input_count = NN_PROGRAM_INPUTS;
    ((nn_program_args *)args)->program.output_count = NN_PROGRAM_OUTPUTS;
}

static void test_every_field_is_listed(void) {
    int kernels = 0;
    NN_KERNELS(CHECK)
    ENSURE(kernels > 30);
}

/* ---- one number of one operation ------------------------------------------------------------- */

typedef struct rank {
    pthread_t thread;
    nn_meeting *meeting;
    int32_t number;
    int which;
    bool differs;
    nn_result result;
    char error[2048];
} rank;

/* x (batch, 4, 8, 8), ids (batch, 4). d 0 and 1 give the same shapes and differ in one number. */
#define F(a, b) (d ? (b) : (a))
static nn_node *window(nn_model *m, nn_node *x, int which, int d) {
    nn_conv2d_desc conv = {.out_channels = 4, .kernel = 3, .padding = 1};
    nn_pool2d_desc pool = {.kernel = 2, .padding = 1};
    nn_resize_desc resize = {.size = 5, .mode = NN_RESIZE_LINEAR, .align_corners = d};
    switch (which) {
    case 0:
        conv.stride = F(2, 1);
        conv.padding = F(3, 0);
        return nn_conv2d(m, "c", x, &conv);
    case 1:
        conv.padding = conv.dilation = F(1, 2);
        return nn_conv2d(m, "c", x, &conv);
    case 2: pool.count_only_inside = d; return nn_avg_pool2d(m, x, &pool);
    case 3: pool.divisor = F(3, 5); return nn_avg_pool2d(m, x, &pool);
    case 4: return d ? nn_max_pool2d(m, x, &pool) : nn_avg_pool2d(m, x, &pool);
    default: return nn_resize(m, x, &resize);
    }
}

static nn_node *norm(nn_model *m, nn_node *x, int which, int d) {
    const float epsilon = F(1e-5f, 2e-5f);
    switch (which) {
    case 0: return nn_layer_norm(m, "n", x, &(nn_layer_norm_desc){.epsilon = epsilon});
    case 1: return nn_group_norm(m, "n", x, &(nn_group_norm_desc){.num_groups = F(2, 4)});
    case 2: return nn_batch_norm2d(m, "n", x, &(nn_batch_norm_desc){.epsilon = epsilon});
    case 3: return nn_batch_norm2d(m, "n", x, &(nn_batch_norm_desc){.momentum = F(0.1f, 0.2f)});
    case 4: return nn_batch_norm2d(m, "n", x, &(nn_batch_norm_desc){.frozen = d});
    default: return nn_rms_norm(m, "n", x, &(nn_rms_norm_desc){.epsilon = epsilon});
    }
}

static nn_node *element(nn_model *m, nn_node *x, int which, int d) {
    switch (which) {
    case 0: return nn_dropout(m, x, F(0.25f, 0.5f));
    case 1: return nn_dropout2d(m, x, F(0.25f, 0.5f));
    case 2: return nn_leaky_relu(m, x, &(nn_leaky_relu_desc){.negative_slope = F(0.1f, 0.2f)});
    case 3: return nn_clamp(m, x, F(-1.0f, -2.0f), 1.0f);
    case 4: return nn_multiply(m, x, nn_offset(m, x, F(1.0f, 2.0f)));
    case 5: return nn_expression(m, d ? "x * 3" : "x * 2", x);
    case 6: return d ? nn_tanh(m, x) : nn_sigmoid(m, x);
    case 7: return nn_subtract(m, F(nn_relu(m, x), x), F(x, nn_relu(m, x)));
    default: return d ? nn_detach(m, nn_relu(m, x)) : nn_relu(m, x);
    }
}

static nn_node *arrangement(nn_model *m, nn_node *x, int which, int d) {
    switch (which) {
    case 0: return nn_roll(m, x, F(1, 2), 2);
    case 1: return nn_flip(m, x, NN_AXES(F(2, 3)));
    case 2: return nn_slice(m, x, &(nn_slice_desc){.axis = 2, .start = d, .stop = F(7, 8)});
    case 3: return nn_transpose(m, x, F(2, 1), F(3, 1));
    case 4: return nn_pad(m, x, &(nn_pad_desc){.left = 1, .value = F(1.0f, 2.0f)});
    case 5: return nn_pad(m, x, &(nn_pad_desc){.left = F(1, 0), .right = F(0, 1)});
    case 6: return nn_cumsum(m, x, F(2, 3));
    case 7: return nn_sort(m, x, 2, &(nn_sort_desc){.descending = d});
    default: return nn_var(m, x, NN_AXES(2, 3), true, F(0, 1));
    }
}

static nn_node *row(nn_model *m, nn_node *ids, int which, int d) {
    nn_embedding_desc desc = {
        .num_embeddings = 9, .embedding_dim = 3, .padding = true, .padding_idx = F(1, 2)};
    nn_node *y;
    if (which == 0) return nn_embedding(m, "e", ids, &desc); /* which only gradients know */
    desc.padding = false;
    desc.padding_idx = 0;
    y = nn_embedding(m, "e", ids, &desc);
    if (which == 1) return nn_lstm(m, "l", y, &(nn_lstm_desc){.hidden_size = 2, .layers = 2,
                                                              .dropout = F(0.1f, 0.2f)});
    return nn_rnn(m, "r", y, &(nn_rnn_desc){.hidden_size = 2,
                                             .nonlinearity = F(NN_ACTIVATION_TANH,
                                                               NN_ACTIVATION_RELU)});
}

static nn_node *loss_of(nn_model *m, nn_node *y, nn_node *label, int which, int d) {
    nn_cross_entropy_desc desc = {.label_smoothing = 0.1f};
    y = nn_linear(m, "out", nn_flatten(m, y), &(nn_linear_desc){.out_features = 3});
    if (which == 0) desc.label_smoothing = F(0.1f, 0.2f);
    if (which == 1) desc.ignore = true, desc.ignore_index = F(1, 2);
    if (which == 2)
        return nn_huber_loss(m, y, nn_scale(m, y, 0.5f), &(nn_huber_desc){.delta = F(1.0f, 2.0f)});
    return nn_cross_entropy(m, y, label, &desc);
}

enum { WINDOWS = 6, NORMS = 6, ELEMENTS = 9, ARRANGEMENTS = 9, ROWS = 3, LOSSES = 3 };
enum { PRECISION = WINDOWS + NORMS + ELEMENTS + ARRANGEMENTS + ROWS + LOSSES, AUTOCAST, CASES };

static nn_node *describe(nn_model *m, int which, int d) {
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 8, 8));
    nn_node *ids = nn_input(m, "ids", NN_I32, NN_SHAPE(NN_BATCH, 4));
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH)), *y = NULL;
    int i = which;
    /* a detached node also depends on a parameter */
    if (which == AUTOCAST) nn_autocast_begin(m, d ? NN_BF16 : NN_F16);
    x = nn_conv2d(m, "first", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 1});
    if (which == AUTOCAST) nn_autocast_end(m);
    if (i >= 0 && i < WINDOWS) y = window(m, x, i, d);
    i -= WINDOWS;
    if (i >= 0 && i < NORMS) y = norm(m, x, i, d);
    i -= NORMS;
    if (i >= 0 && i < ELEMENTS) y = element(m, x, i, d);
    i -= ELEMENTS;
    if (i >= 0 && i < ARRANGEMENTS) y = arrangement(m, x, i, d);
    i -= ARRANGEMENTS;
    if (i >= 0 && i < ROWS) y = row(m, ids, i, d);
    i -= ROWS;
    return loss_of(m, y ? y : x, label, i, d);
}

static void *train(void *data) {
    rank *self = (rank *)data;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_group *group = nn_join_meeting(nn, self->meeting, self->number, 20);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 3});
    const bool d = self->differs && self->number == 1;
    nn_node *loss = describe(m, self->which, d);
    nn_trainer_desc desc = {.batch = 8, .group = group};
    if (self->which == PRECISION) desc.precision = F(NN_PRECISION_HIGH, NN_PRECISION_MEDIUM);
    nn_trainer *trainer = nn_make_trainer(m, loss, &desc);
    self->result = trainer ? NN_OK : nn_error_code(nn);
    snprintf(self->error, sizeof self->error, "%s", nn_error(nn) ? nn_error(nn) : "");
    nn_close(nn);
    return NULL;
}

static void run_both(rank *ranks, void *(*work)(void *data), int which, bool differs) {
    nn_context *owner = nn_open(NULL);
    nn_meeting *meeting = nn_make_meeting(owner, 2);
    memset(ranks, 0, 2 * sizeof *ranks);
    for (int r = 0; r < 2; r++) {
        ranks[r].meeting = meeting;
        ranks[r].number = r;
        ranks[r].which = which;
        ranks[r].differs = differs;
        if (pthread_create(&ranks[r].thread, NULL, work, &ranks[r]) != 0) abort();
    }
    for (int r = 0; r < 2; r++) pthread_join(ranks[r].thread, NULL);
    nn_close(owner);
}

static void test_every_number_is_compared(void) {
    rank ranks[2];
    for (int which = 0; which < CASES; which++) {
        run_both(ranks, train, which, false);
        for (int r = 0; r < 2; r++)
            if (test_wrong(ranks[r].result != NN_OK))
                test_fail(__FILE__, __LINE__, "case %d, rank %d: %s", which, r, ranks[r].error);
        run_both(ranks, train, which, true);
        for (int r = 0; r < 2; r++)
            if (test_wrong(ranks[r].result != NN_ERROR_GROUP ||
                !strstr(ranks[r].error, ": the ranks differ in ") ||
                !strstr(ranks[r].error, "\n  rank 1: ")))
                test_fail(__FILE__, __LINE__, "case %d, rank %d: %s", which, r, ranks[r].error);
    }
}

/* Messages have names and values as the program has them. */
static void test_the_words(void) {
    rank ranks[2];
    run_both(ranks, train, WINDOWS, true);
    for (int r = 0; r < 2; r++)
        ENSURE(strstr(ranks[r].error, "rank 1: layer_norm \"n\" epsilon is 2e-05 ("));
    run_both(ranks, train, PRECISION, true);
    for (int r = 0; r < 2; r++)
        ENSURE(strstr(ranks[r].error,
                      "rank 1: precision is NN_PRECISION_MEDIUM; rank 0: NN_PRECISION_HIGH"));
    run_both(ranks, train, 1, true);
    for (int r = 0; r < 2; r++)
        ENSURE(strstr(ranks[r].error, "4 differences; nothing was begun") &&
               strstr(ranks[r].error,
                      "rank 1: conv2d \"c\" params.dilation_h is 2; rank 0: 1"));
    run_both(ranks, train, 4, true); /* of a missing node nothing else is reported */
    for (int r = 0; r < 2; r++)
        ENSURE(strstr(ranks[r].error, "3 differences; nothing was begun") &&
               strstr(ranks[r].error, "avg_pool2d \"avg_pool2d\" is not there; rank 0: (batch, "));
}

/* ---- loaders --------------------------------------------------------------------------------- */

static void *load(void *data) {
    static const uint8_t pictures[4 * 3 * 4 * 4];
    rank *self = (rank *)data;
    const bool d = self->differs && self->number == 1;
    const int which = d ? self->which : -1;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_group *group = nn_join_meeting(nn, self->meeting, self->number, 20);
    nn_augment_desc augment = {.crop = 4, .padding = which == 0 ? 2 : 1, .flip = 0.5f};
    nn_field field = {.name = "x", .shape = NN_SHAPE(3, 4, 4), .data = pictures};
    nn_loader_desc loader = {.batch = 2, .augment = &augment, .group = group};
    field.data_dtype = NN_U8;
    augment.std[1] = which == 1 ? 0.5f : 0.25f;
    if (which == 2) augment.flip = 0.25f;
    if (which == 3) field.scale = 0.5f;
    if (which == 4) loader.augment = NULL;
    loader.dataset =
        nn_make_dataset(nn, &(nn_dataset_desc){.count = 4, .fields = NN_FIELDS(field)});
    self->result = nn_make_loader(nn, &loader) ? NN_OK : nn_error_code(nn);
    snprintf(self->error, sizeof self->error, "%s", nn_error(nn) ? nn_error(nn) : "");
    nn_close(nn);
    return NULL;
}

static void test_loaders(void) {
    static const char *const wanted[] = {
        "augment crop, padding, cutout is 4 x 0, 2, 0; rank 0: 4 x 0, 1, 0", "augment std is ",
        "mixup, flip is ", "field \"x\" scale, offset is 0.5 (", "augment mean is not there"};
    rank ranks[2];
    for (int which = 0; which < 5; which++)
        for (int differs = 0; differs < 2; differs++) {
            run_both(ranks, load, which, differs != 0);
            for (int r = 0; r < 2; r++)
                if (test_wrong(ranks[r].result != (differs ? NN_ERROR_GROUP : NN_OK) ||
                    (differs && !strstr(ranks[r].error, wanted[which]))))
                    test_fail(__FILE__, __LINE__, "%d: %s", which, ranks[r].error);
        }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_every_field_is_listed);
    RUN(test_every_number_is_compared);
    RUN(test_the_words);
    RUN(test_loaders);
    return test_report();
}
