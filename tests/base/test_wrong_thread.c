/* tests/base/test_wrong_thread.c - only one thread at a time may use a context. A call from a
   second thread is refused with an error that names both calls, and nothing is damaged. test-full
   also runs this under ThreadSanitizer. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdio.h>

#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"
#include "open.h"

#if !defined(_WIN32) && !defined(NN_NO_THREADS) && !defined(__TINYC__)
#include <pthread.h>

enum { FEATURES = 24, BATCH = 8, RUNS = 300 };

typedef struct net {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *y;
    nn_plan *plan[2];
    float xs[BATCH][FEATURES], want[BATCH][FEATURES];
} net;

static void open_net(net *of, nn_desc *desc) {
    memset(of, 0, sizeof *of);
    desc->threads = 2;
    of->nn = nn_open(desc);
    of->model = nn_make_model(of->nn, NULL);
    of->x = nn_input(of->model, "x", NN_F32, NN_SHAPE(NN_BATCH, FEATURES));
    nn_linear_desc linear = {.out_features = FEATURES};
    of->y = nn_relu(of->model, nn_linear(of->model, "fc", of->x, &linear));
    nn_plan_desc plan = {.outputs = NN_NODES(of->y), .batch = BATCH};
    for (int k = 0; k < 2; k++) of->plan[k] = nn_make_plan(of->model, &plan);
    for (int i = 0; i < BATCH * FEATURES; i++)
        of->xs[i / FEATURES][i % FEATURES] = (float)(i % 13) - 6;
    nn_upload(of->plan[0], of->x, of->xs, sizeof of->xs);
    nn_run(of->plan[0]);
    ENSURE(nn_download(of->plan[0], of->y, of->want, sizeof of->want) == NN_OK);
}

/* ---- two threads that do not wait for each other --------------------------------------------- */

typedef struct runner {
    net *of;
    int k, refused, wrong, other, fewer;
} runner;

static void *run_many(void *user) {
    runner *self = (runner *)user;
    net *of = self->of;
    float out[BATCH][FEATURES];
    bool given = false; /* until an upload succeeds, a run is a fault */
    for (int i = 0; i < RUNS; i++) {
        nn_result up = nn_upload(of->plan[self->k], of->x, of->xs, sizeof of->xs);
        nn_result run = nn_run(of->plan[self->k]);
        nn_result down = nn_download(of->plan[self->k], of->y, out, sizeof out);
        nn_result all[3] = {up, run, down};
        given = given || up == NN_OK;
        for (int n = 0; n < 3; n++) {
            if (all[n] == NN_ERROR_BUSY) self->refused++;
            else if (all[n] == NN_ERROR_FAULTS && !given) continue;
            else if (all[n] != NN_OK && all[n] != NN_ERROR_ARGUMENT) self->other++;
        }
        if (down == NN_OK && memcmp(out, of->want, sizeof out) != 0) self->wrong++;
        if (i % 50 == 0) { /* neither the texts of errors nor memory may race */
            const char *error = nn_error(of->nn);
            if (error && !strstr(error, "one thread at a time")) self->other++;
            nn_tensor_desc desc = {.shape = NN_SHAPE(3)};
            nn_free_tensor(nn_make_tensor(of->nn, &desc));
        }
    }
    return NULL;
}

static void test_two_threads(void) {
    nn_desc desc = {.scratch_bytes = 0};
    net of;
    runner both[2];
    pthread_t thread[2];
    open_net(&of, &desc);
    memset(both, 0, sizeof both);
    for (int k = 0; k < 2; k++) both[k].of = &of, both[k].k = k;
    for (int k = 0; k < 2; k++) ENSURE(pthread_create(&thread[k], NULL, run_many, &both[k]) == 0);
    for (int k = 0; k < 2; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < 2; k++) ENSURE(both[k].wrong == 0 && both[k].other == 0);
    if (both[0].refused + both[1].refused > 0) ENSURE(nn_error_code(of.nn) == NN_ERROR_BUSY);
    nn_clear_error(of.nn);
    /* The context is intact: the next caller that comes alone gets the usual results. */
    float out[BATCH][FEATURES];
    ENSURE(nn_upload(of.plan[1], of.x, of.xs, sizeof of.xs) == NN_OK &&
           nn_run(of.plan[1]) == NN_OK);
    ENSURE(nn_download(of.plan[1], of.y, out, sizeof out) == NN_OK &&
           memcmp(out, of.want, sizeof out) == 0);
    ENSURE(nn_error(of.nn) == NULL);
    nn_close(of.nn);
}

/* ---- a second thread while the first is inside for sure: in a callback ----------------------- */

typedef struct meeting {
    net *of;
    int line;                   /* of the second thread's nn_run */
    nn_result run, make, plan;  /* what the second thread got */
    bool tensor, text;
    int calls;
    nn_result again;            /* the result of the first thread's call inside its call */
} meeting;

static void *visit(void *user) {
    meeting *self = (meeting *)user;
    net *of = self->of;
    self->line = __LINE__ + 1;
    self->run = nn_run(of->plan[1]);
    nn_tensor_desc desc = {.shape = NN_SHAPE(3)};
    self->tensor = nn_make_tensor(of->nn, &desc) != NULL;
    self->text = strstr(nn_error(of->nn), "one thread at a time") != NULL;
    self->make = nn_error_code(of->nn);
    self->plan = nn_save_weights(of->model, "build/never_written.safetensors");
    nn_free_plan(of->plan[1]);
    nn_close(of->nn);
    nn_clear_error(of->nn);
    return NULL;
}

static void meet(void *user, const char *text, size_t length) {
    meeting *self = (meeting *)user;
    pthread_t thread;
    (void)text, (void)length;
    if (self->calls++) return;
    self->again = nn_upload(self->of->plan[0], self->of->x, self->of->xs, sizeof self->of->xs);
    ENSURE(pthread_create(&thread, NULL, visit, self) == 0);
    pthread_join(thread, NULL);
}

static void test_named(void) {
    nn_desc desc = {.scratch_bytes = 0};
    net of;
    meeting met;
    char want[200];
    open_net(&of, &desc);
    memset(&met, 0, sizeof met);
    met.of = &of;
    nn_writer writer = {meet, &met};
    int line = __LINE__ + 1;
    ENSURE(nn_write_weights(of.model, "net", writer) == NN_OK);
    ENSURE(met.again == NN_OK);
    ENSURE(met.run == NN_ERROR_BUSY && met.make == NN_ERROR_BUSY && met.plan == NN_ERROR_BUSY);
    ENSURE(!met.tensor && met.text);
    ENSURE(nn_error_code(of.nn) == NN_ERROR_BUSY);
    snprintf(want, sizeof want,
             "nn_run at test_wrong_thread.c:%d: this context is inside nn_write_weights at test_wrong_thread.c:%d "
             "on another thread; "
             "one context belongs to one thread at a time",
             met.line, line);
    ENSURE_TEXT(nn_error(of.nn), want);
    nn_clear_error(of.nn);
    ENSURE(nn_upload(of.plan[1], of.x, of.xs, sizeof of.xs) == NN_OK &&
           nn_run(of.plan[1]) == NN_OK); /* not freed */
    nn_close(of.nn);
}

/* ---- handing a context over ------------------------------------------------------------------ */

static void *run_once(void *user) {
    net *of = (net *)user;
    float out[BATCH][FEATURES];
    bool same = nn_upload(of->plan[0], of->x, of->xs, sizeof of->xs) == NN_OK &&
                nn_run(of->plan[0]) == NN_OK &&
                nn_download(of->plan[0], of->y, out, sizeof out) == NN_OK &&
                memcmp(out, of->want, sizeof out) == 0;
    return same ? user : NULL;
}

static void test_handed_over(void) {
    nn_desc desc = {.scratch_bytes = 0};
    net of;
    open_net(&of, &desc);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void *same = NULL;
        ENSURE(pthread_create(&thread, NULL, run_once, &of) == 0);
        pthread_join(thread, &same);
        ENSURE(same && run_once(&of));
    }
    ENSURE(nn_error(of.nn) == NULL);
    nn_close(of.nn);
}

/* ---- immediate calls ------------------------------------------------------------------------- */

static void *add_many(void *user) {
    nn_context *nn = (nn_context *)user;
    float x[64], y[64];
    int bad = 0;
    for (int i = 0; i < 64; i++) x[i] = (float)i;
    for (int i = 0; i < RUNS; i++) {
        nn_tensor *a = nn_wrap(nn, "a", NN_F32, NN_SHAPE(64), x),
                  *b = nn_wrap(nn, "b", NN_F32, NN_SHAPE(64), y);
        y[63] = 0;
        nn_result result = nn_negate_forward(b, a);
        if (result == NN_OK && y[63] != -63) bad++;
        if (result != NN_OK && result != NN_ERROR_BUSY && a && b) bad++;
        nn_free_tensor(b);
        nn_free_tensor(a);
    }
    return bad ? user : NULL;
}

static void test_immediate(void) {
    nn_desc desc = {.threads = 2};
    nn_context *nn = nn_open(&desc);
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) ENSURE(pthread_create(&thread[k], NULL, add_many, nn) == 0);
    for (int k = 0; k < 2; k++) {
        void *bad = NULL;
        pthread_join(thread[k], &bad);
        ENSURE(!bad);
    }
    nn_clear_error(nn);
    ENSURE(!add_many(nn));
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_two_threads);
    RUN(test_named);
    RUN(test_handed_over);
    RUN(test_immediate);
    return test_report();
}
#else
int main(void) {
    puts("SKIP test_wrong_thread: no threads here\ntest_wrong_thread: 0 passed, 0 failed, 1 skipped");
    return 0;
}
#endif
