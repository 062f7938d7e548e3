/* test_run_on.c - nn_run_on: the bytes of nn_run on the caller's memory, whatever changes between
   two calls, and every error. A section that traps allocations, locks and system calls finishes a
   million runs. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "systems.h"
#include "test.h"

#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                  \
    !defined(__SANITIZE_THREAD__)
#define CAN_TRAP 1
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- traps, which replace libc's functions in the whole program ------------------------------ */

static volatile int trapping, trapped;
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void __libc_free(void *old);
static void trap(void) {
    if (trapping) trapped++;
}
void *malloc(size_t bytes) { trap(); return __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { trap(); return __libc_calloc(count, bytes); }
void *realloc(void *old, size_t bytes) { trap(); return __libc_realloc(old, bytes); }
void free(void *old) { trap(); __libc_free(old); }
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*next)(pthread_mutex_t *);
    trap();
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    return next(mutex);
}
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    static int (*next)(pthread_cond_t *, pthread_mutex_t *);
    trap();
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pthread_cond_wait");
    return next(condition, mutex);
}
#endif

static bool holds(const char *said, const char *words) {
    if (said && strstr(said, words)) return true;
    test_fail(__FILE__, __LINE__, "\"%s\" is not in \"%s\"", words, said ? said : "(null)");
    return false;
}

/* ---- nets --------------------------------------------------------------------------------------- */

enum { TIME = 16, MOST = 4096, NETS = 8 };

typedef struct net {
    nn_model *net;
    nn_node *x[2], *y[2];
    int xs, ys, x_count[2], y_count[2]; /* numbers for each step */
    bool timed;
} net;

static net make(nn_context *nn, int which) {
    net n;
    memset(&n, 0, sizeof n);
    n.net = nn_make_model(nn, &(nn_model_desc){.seed = 4});
    nn_model *m = n.net;
    n.xs = n.ys = 1;
    n.timed = true;
    switch (which) {
    case 0: /* a small net of dense layers, with two inputs and two outputs */
        n.xs = n.ys = 2;
        n.timed = false;
        n.x[0] = nn_input(m, "a", NN_F32, NN_SHAPE(NN_BATCH, 3));
        n.x[1] = nn_input(m, "b", NN_F32, NN_SHAPE(NN_BATCH, 8));
        n.y[0] = nn_tanh(m, nn_linear(m, "one", nn_concat(m, NN_NODES(n.x[0], n.x[1]), 1),
                                      &(nn_linear_desc){.out_features = 8}));
        n.y[1] = nn_add(m, nn_linear(m, "two", n.y[0], &(nn_linear_desc){.out_features = 8}),
                        n.x[1]);
        n.x_count[0] = 3, n.x_count[1] = 8, n.y_count[0] = n.y_count[1] = 8;
        break;
    case 1: /* convolutions, whose weights the plan keeps packed */
        n.timed = false;
        n.x[0] = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 10, 10));
        n.y[0] = nn_relu(m, nn_conv2d(m, "c", n.x[0], &(nn_conv2d_desc){.out_channels = 8,
                                                                        .kernel = 3, .same = true}));
        n.y[0] = nn_linear(m, "l", nn_flatten(m, n.y[0]), &(nn_linear_desc){.out_features = 5});
        n.x_count[0] = 300, n.y_count[0] = 5;
        break;
    case 2:
        n.x[0] = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2));
        n.y[0] = nn_lstm(m, "r", n.x[0], &(nn_lstm_desc){.hidden_size = 9, .stateful = true});
        n.y[0] = nn_linear(m, "l", n.y[0], &(nn_linear_desc){.out_features = 1});
        n.x_count[0] = 2, n.y_count[0] = 1;
        break;
    case 3:
        n.x[0] = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME));
        n.y[0] = nn_tanh(m, nn_conv1d(m, "c", n.x[0], &(nn_conv1d_desc){.out_channels = 40,
                                                                        .kernel = 3, .dilation = 4,
                                                                        .streaming = true}));
        n.x_count[0] = 2, n.y_count[0] = 40; /* more than two vectors */
        break;
    case 4: /* gated dilated convolutions, with skips and residuals */
        n.x[0] = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME));
        for (int i = 0; i < 3; i++) {
            char name[16];
            snprintf(name, sizeof name, "d%d", i);
            nn_node *z = i ? n.y[0] : n.x[0];
            z = nn_conv1d(m, name, z, &(nn_conv1d_desc){.out_channels = 18, .kernel = 2 + i,
                                                        .dilation = 1 << i, .streaming = true,
                                                        .no_bias = i == 1});
            snprintf(name, sizeof name, "p%d", i);
            z = nn_conv1d(m, name, nn_glu(m, z, 1), &(nn_conv1d_desc){.out_channels = 9,
                                                                      .kernel = 1,
                                                                      .streaming = true});
            n.y[0] = i ? nn_add(m, n.y[0], z) : nn_relu(m, z);
        }
        n.x_count[0] = 2, n.y_count[0] = 9;
        break;
    case 5: /* two layers, and no linear layer after them */
        n.x[0] = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 3));
        n.y[0] = nn_gru(m, "r", n.x[0], &(nn_gru_desc){.hidden_size = 17, .layers = 2,
                                                       .stateful = true});
        n.x_count[0] = 3, n.y_count[0] = 17;
        break;
    case 6: /* the last state is an output, too: it stays where it is */
        n.x[0] = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2));
        n.y[0] = nn_lstm(m, "r", n.x[0], &(nn_lstm_desc){.hidden_size = 5, .stateful = true});
        n.y[1] = nn_add(m, n.y[0], nn_transpose(m, nn_output(n.y[0], 1), 0, 1));
        n.ys = 2;
        n.x_count[0] = 2, n.y_count[0] = 5, n.y_count[1] = 5;
        break;
    default: /* an input that is only read through a view */
        n.x[0] = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 4));
        n.y[0] = nn_softmax(m, nn_reshape(m, n.x[0], NN_SHAPE(NN_BATCH, NN_TIME, 2, 2)), 3);
        n.x_count[0] = n.y_count[0] = 4;
    }
    return n;
}

static nn_plan *plan_of(const net *n) {
    return nn_make_plan(n->net, &(nn_plan_desc){.outputs = {n->y, n->ys},
                                                .time = n->timed ? TIME : 1});
}

static float memory[2][2][MOST]; /* two places for each input, so that addresses change */

static bool by_run(nn_plan *plan, const net *n, int time, int round, float *to) {
    nn_result result = nn_set_time(plan, n->timed ? time : 0);
    for (int i = 0; i < n->xs && result == NN_OK; i++)
        result = nn_upload(plan, n->x[i], memory[round % 2][i],
                           sizeof(float) * (size_t)(n->x_count[i] * time));
    if (result == NN_OK) result = nn_run(plan);
    for (int i = 0; i < n->ys && result == NN_OK; i++)
        result = nn_download(plan, n->y[i], to + i * MOST,
                             sizeof(float) * (size_t)(n->y_count[i] * time));
    return result == NN_OK;
}

static bool on_memory(nn_plan *plan, const net *n, int time, int round, float *to) {
    const void *inputs[2] = {memory[round % 2][0], memory[round % 2][1]};
    void *outputs[2] = {to, to + MOST};
    return nn_set_time(plan, n->timed ? time : 0) == NN_OK &&
           nn_run_on(plan, inputs, outputs) == NN_OK;
}

static void same_bytes_as_a_run(void) {
    static float a[2 * MOST], b[2 * MOST];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    for (int which = 0; which < NETS; which++) {
        const net n = make(nn, which);
        nn_plan *plan = plan_of(&n), *direct = plan_of(&n);
        for (int round = 0; round < 13; round++) {
            const int time = !n.timed || round > 8 ? 1 : round < 4 ? TIME : 1 + round;
            for (int i = 0; i < 2 * MOST; i++) {
                memory[round % 2][i / MOST][i % MOST] = sinf((float)(i * 7 + round));
                a[i] = b[i] = -5;
            }
            const char *const packed[NETS] = {NULL, "c.weight", "r.weight_hh_l0", "c.weight",
                                              "d1.weight", "r.weight_ih_l1"};
            if ((round == 3 || round == 11) && packed[which]) { /* is packed again */
                nn_tensor *weight = nn_find_tensor(n.net, packed[which]);
                static float zeros[MOST];
                for (int i = 0; i < MOST; i++) zeros[i] = round == 3 ? 0 : 0.01f * (float)(i % 7);
                nn_upload_tensor(weight, zeros, nn_tensor_bytes(weight));
            }
            ENSURE(by_run(plan, &n, time, round, a));
            if (round == 6) ENSURE(by_run(direct, &n, time, round, b)); /* and back */
            else ENSURE(on_memory(direct, &n, time, round, b));
            if (memcmp(a, b, sizeof a) != 0)
                test_fail(__FILE__, __LINE__, "net %d, round %d", which, round);
        }
        nn_free_model(n.net);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* The first run after a move or nn_replan prepares everything again. */
static void after_a_change(void) {
    static float a[2 * MOST], b[2 * MOST];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    const net n = make(nn, 2);
    nn_plan *plan = plan_of(&n), *direct = plan_of(&n);
    for (int i = 0; i < MOST; i++) memory[0][0][i] = cosf((float)i);
    ENSURE(by_run(plan, &n, TIME, 0, a) && on_memory(direct, &n, TIME, 0, b));
    ENSURE(nn_replan(direct) == NN_OK);
    ENSURE(by_run(plan, &n, TIME, 0, a) && on_memory(direct, &n, TIME, 0, b));
    ENSURE(memcmp(a, b, sizeof(float) * TIME) == 0);
    ENSURE(nn_clear_states(plan, NN_ALL_SAMPLES) == NN_OK &&
           nn_clear_states(direct, NN_ALL_SAMPLES) == NN_OK);
    ENSURE(by_run(plan, &n, TIME, 0, a) && on_memory(direct, &n, TIME, 0, b));
    ENSURE(memcmp(a, b, sizeof(float) * TIME) == 0);
    const int rows = nn_ledger_count(nn);
    ENSURE(on_memory(direct, &n, TIME, 0, b));
    ENSURE(nn_ledger_count(nn) == rows);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static int taken; /* allocations of the library */
static void *take(void *user, size_t bytes, size_t alignment) {
    (void)user;
    taken++;
    return allocate_aligned(bytes, alignment);
}
static void release(void *user, void *old, size_t bytes, size_t alignment) {
    (void)user, (void)bytes, (void)alignment;
    free_aligned(old);
}

/* A run at another time prepares everything again, in the memory that the plan has by then. */
static void preparing_again_takes_no_memory(void) {
    static float y[2 * MOST];
    for (int which = 2; which <= 3; which++) {
        nn_context *nn =
            nn_open(&(nn_desc){.threads = 1, .allocator = {.allocate = take, .release = release}});
        const net n = make(nn, which);
        nn_plan *plan = plan_of(&n);
        int before = 0;
        for (int round = 0; round < 200; round++) {
            if (round == 8) before = taken;
            ENSURE(on_memory(plan, &n, round % 2 ? TIME : 1, 0, y));
        }
        ENSURE(taken == before);
        ENSURE(!nn_error(nn));
        nn_close(nn);
    }
}

/* Packed weights that the program changes through an address, which it took after or before the
   first run, change in the next run. */
static void weights_by_address(void) {
    static float a[2 * MOST], b[2 * MOST];
    static const char *const names[] = {"c.weight", "r.weight_hh_l0", "c.weight"};
    for (int which = 1; which <= 3; which++)
        for (int before = 0; before < 2; before++) {
            nn_context *nn = nn_open(&(nn_desc){.threads = 1});
            const net n = make(nn, which);
            nn_plan *plan = plan_of(&n), *direct = plan_of(&n);
            const nn_tensor *weight = nn_find_tensor(n.net, names[which - 1]);
            float *numbers = before ? (float *)nn_tensor_data(weight) : NULL;
            for (int i = 0; i < 2 * MOST; i++) memory[0][i / MOST][i % MOST] = cosf((float)i);
            for (int round = 0; round < 4; round++) {
                if (round > 0 && !numbers) numbers = (float *)nn_tensor_data(weight);
                if (round > 0) numbers[0] += 0.5f;
                ENSURE(by_run(plan, &n, 1, 0, a) && on_memory(direct, &n, 1, 0, b));
                if (memcmp(a, b, sizeof(float) * (size_t)n.y_count[0]) != 0)
                    test_fail(__FILE__, __LINE__, "net %d, round %d, before %d", which, round,
                              before);
            }
            ENSURE(!nn_error(nn));
            nn_close(nn);
        }
}

/* Begins a run inside a run of the same plan, as another thread might. */
typedef struct again {
    nn_plan *plan;
    nn_result result;
    int calls;
} again;
static nn_result run_again(void *user, const nn_custom_args *args) {
    again *a = (again *)user;
    float x[4] = {0}, y[4];
    const void *inputs[1] = {x};
    void *outputs[1] = {y};
    memcpy((char *)args->output.handle + args->output.offset,
           (const char *)args->input[0].handle + args->input[0].offset, sizeof x);
    if (a->calls++ == 1) a->result = nn_run_on(a->plan, inputs, outputs);
    return NN_OK;
}
static void one_run_at_a_time(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *m = nn_make_model(nn, NULL);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    again a = {NULL, NN_OK, 0};
    nn_custom_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.inputs = NN_NODES(x);
    desc.shape = NN_SHAPE(NN_BATCH, 4);
    desc.function = run_again;
    desc.user = &a;
    nn_node *y = nn_custom(m, "again", &desc);
    a.plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)});
    float in[4] = {1, 2, 3, 4}, out[4];
    const void *inputs[1] = {in};
    void *outputs[1] = {out};
    ENSURE(nn_run_on(a.plan, inputs, outputs) == NN_OK); /* prepares */
    ENSURE(nn_run_on(a.plan, inputs, outputs) == NN_OK);
    ENSURE(a.result == NN_ERROR_BUSY && a.calls == 2);
    holds(nn_error(nn), "another thread is inside a run of this plan");
    nn_clear_error(nn);
    ENSURE(nn_run_on(a.plan, inputs, outputs) == NN_OK && out[3] == 4);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static void mistakes_in_words(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    const net n = make(nn, 0);
    nn_plan *plan = plan_of(&n);
    float a[8] = {0}, b[8], c[8];
    const void *inputs[2] = {a, NULL};
    void *outputs[2] = {b, c};
    ENSURE(nn_run_on(NULL, inputs, outputs) == NN_ERROR_ARGUMENT);
    ENSURE(nn_run_on(plan, inputs, outputs) == NN_ERROR_ARGUMENT);
    holds(nn_error(nn), "input 1 is NULL; this plan has 2 inputs and 2 outputs");
    nn_clear_error(nn);
    ENSURE(nn_run_on(plan, NULL, outputs) == NN_ERROR_ARGUMENT);
    holds(nn_error(nn), "input 0 is NULL");
    nn_clear_error(nn);
    inputs[1] = a;
    outputs[1] = NULL;
    ENSURE(nn_run_on(plan, inputs, outputs) == NN_ERROR_ARGUMENT);
    holds(nn_error(nn), "output 1 is NULL");
    nn_clear_error(nn);
    outputs[1] = c;
    ENSURE(nn_run_on(plan, inputs, outputs) == NN_OK);
    ENSURE(nn_download(plan, n.y[0], b, sizeof b) == NN_ERROR_ARGUMENT); /* it is not there */
    holds(nn_error(nn), "has no value yet; call nn_run first");
    nn_clear_error(nn);
    nn_plan *parameter = nn_make_plan(n.net, &(nn_plan_desc){.outputs = NN_NODES(n.x[0])});
    ENSURE(nn_run_on(parameter, inputs, outputs) == NN_ERROR_UNSUPPORTED);
    holds(nn_error(nn), "no step computes this output");
    nn_clear_error(nn);
    nn_plan *twice = nn_make_plan(
        n.net, &(nn_plan_desc){.outputs = NN_NODES(n.y[0], nn_reshape(n.net, n.y[0],
                                                              NN_SHAPE(NN_BATCH, 2, 4)))});
    ENSURE(nn_run_on(twice, inputs, outputs) == NN_ERROR_UNSUPPORTED);
    holds(nn_error(nn), "the same memory as another one");
    nn_clear_error(nn);
    nn_trainer *trainer =
        nn_make_trainer(n.net, nn_mean(n.net, n.y[1], NN_ALL_AXES, false), NULL);
    ENSURE(nn_run_on(nn_trainer_plan(trainer), inputs, outputs) == NN_ERROR_ARGUMENT);
    holds(nn_error(nn), "belongs to a trainer");
    nn_close(nn);
}

/* ---- the real-time section ----------------------------------------------------------------------- */

#ifdef CAN_TRAP
enum { RUNS = 1000000 };

static void a_million_runs_without_allocations_and_locks(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    for (int which = 2; which < 4; which++) {
        const net n = make(nn, which);
        nn_plan *plan = plan_of(&n);
        static float b[2 * MOST];
        ENSURE(on_memory(plan, &n, 1, 0, b));
        const void *inputs[1] = {memory[0][0]};
        void *outputs[1] = {b};
        nn_result result = NN_OK;
        trapped = 0;
        trapping = 1;
        for (int i = 0; i < RUNS / 2 && result == NN_OK; i++)
            result = nn_run_on(plan, inputs, outputs);
        trapping = 0;
        ENSURE(result == NN_OK);
        ENSURE(trapped == 0);
    }
    trapping = 1; /* the trap itself works */
    free(malloc(8));
    trapping = 0;
    ENSURE(trapped == 2);
    nn_close(nn);
}

/* Runs in a child process, which every system call but _exit would end. */
static void a_million_runs_without_system_calls(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    const net n = make(nn, 2);
    nn_plan *plan = plan_of(&n);
    static float b[2 * MOST];
    int status = 0;
    ENSURE(on_memory(plan, &n, 1, 0, b));
    const void *inputs[1] = {memory[0][0]};
    void *outputs[1] = {b};
    const pid_t child = fork();
    if (child == 0) {
        nn_result result = NN_OK;
        if (prctl(PR_SET_SECCOMP, 1 /* strict */, 0, 0, 0) != 0) _exit(77);
        for (int i = 0; i < RUNS && result == NN_OK; i++)
            result = nn_run_on(plan, inputs, outputs);
        syscall(SYS_exit, result == NN_OK ? 0 : 1);
    }
    ENSURE(child > 0 && waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        SKIP("this machine does not allow seccomp");
    ENSURE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    nn_close(nn);
}
#endif

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(same_bytes_as_a_run);
    RUN(after_a_change);
    RUN(preparing_again_takes_no_memory);
    RUN(weights_by_address);
    RUN(one_run_at_a_time);
    RUN(mistakes_in_words);
#ifdef CAN_TRAP
    RUN(a_million_runs_without_allocations_and_locks);
    RUN(a_million_runs_without_system_calls);
#endif
    return test_report();
}
