/* tests/plan/test_profile.c - profiles and the self-test, with a clock that the test controls:
   every time is exact. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_self_test.h"

#include "sim_device.h"
#include "open.h"
#include "lists.h"

#include <stdlib.h>

#define TICK 100 /* ns that pass between two looks at the clock */

static uint64_t host_time;
static uint64_t tick(void *user) {
    (void)user;
    return host_time += TICK;
}

static nn_context *open_ticking(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.clock.now = tick;
    host_time = 1000;
    return nn_open(&desc);
}

/* ---- a small reader of JSON: is it well-formed? ---------------------------------------------- */

static const char *json_value(const char *at);

static const char *json_space(const char *at) {
    while (at && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) at++;
    return at;
}

static const char *json_string(const char *at) {
    if (*at++ != '"') return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 32) return NULL;
        if (*at != '\\') continue;
        at++;
        if (*at == 'u') {
            for (int i = 1; i <= 4; i++)
                if (!strchr("0123456789abcdefABCDEF", at[i]) || !at[i]) return NULL;
            at += 4;
        } else if (!*at || !strchr("\"\\/bfnrt", *at))
            return NULL;
    }
    return at + 1;
}

static const char *json_list(const char *at, char end, bool keys) {
    at = json_space(at + 1);
    if (*at == end) return at + 1;
    for (;;) {
        if (keys) {
            at = json_space(json_string(json_space(at)));
            if (!at || *at++ != ':') return NULL;
        }
        at = json_space(json_value(at));
        if (!at || (*at != ',' && *at != end)) return NULL;
        if (*at++ == end) return at;
    }
}

static const char *json_value(const char *at) {
    char *end;
    at = json_space(at);
    if (*at == '{') return json_list(at, '}', true);
    if (*at == '[') return json_list(at, ']', false);
    if (*at == '"') return json_string(at);
    strtod(at, &end);
    return end == at ? NULL : end;
}

static bool json_is_whole(const char *text) {
    const char *end = json_value(text);
    end = json_space(end);
    return end && *end == 0;
}

/* ---- a net ----------------------------------------------------------------------------------- */

typedef struct task {
    nn_context *nn;
    nn_node *x, *y;
    nn_plan *plan;
} task;

/* Describes linear, relu and softmax. */
static bool describe(task *t, nn_context *nn, nn_device device) {
    nn_model_desc model;
    nn_linear_desc linear;
    nn_plan_desc desc;
    nn_model *net;
    memset(&model, 0, sizeof model);
    model.name = "a \"net\"";
    model.device = device;
    net = nn_make_model(nn, &model);
    memset(&linear, 0, sizeof linear);
    linear.out_features = 4;
    t->nn = nn;
    t->x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    t->y = nn_softmax(net, nn_relu(net, nn_linear(net, "fc\\1", t->x, &linear)));
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = t->y;
    desc.batch = 2;
    t->plan = nn_make_plan(net, &desc);
    return t->plan != NULL;
}

static bool run_once(task *t) {
    static const float x[6] = {1, 2, 3, 4, 5, 6};
    return nn_upload(t->plan, t->x, x, sizeof x) == NN_OK && nn_run(t->plan) == NN_OK;
}

typedef void (*report)(nn_plan *plan, nn_writer writer);
static const char *text_of(report write, nn_plan *plan) {
    static char text[1 << 20];
    nn_text out = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &out};
    text[0] = 0;
    write(plan, writer);
    return out.length < sizeof text ? text : "(cut)";
}

static int count_of(const char *text, const char *words) {
    int count = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

/* ---- profiles -------------------------------------------------------------------------------- */

static void test_cpu_times_are_exact(void) {
    nn_context *nn = open_ticking();
    task t;
    nn_profile_entry entry;
    nn_memory_use before, during;
    ENSURE(describe(&t, nn, nn_cpu()));
    ENSURE(run_once(&t)); /* before it starts: not counted */
    ENSURE(nn_profile_count(t.plan) == 0);
    before = nn_context_memory(nn);
    ENSURE(nn_start_profile(t.plan) == NN_OK);
    during = nn_context_memory(nn);
    for (int i = 0; i < 5; i++) ENSURE(run_once(&t));
    ENSURE(nn_context_memory(nn).calls == during.calls);
    ENSURE(nn_profile_count(t.plan) == 2);
    entry = nn_profile_at(t.plan, 0);
    ENSURE_TEXT(entry.operation, "linear+relu");
    ENSURE_TEXT(entry.name, "relu");
    ENSURE(entry.device.kind == NN_CPU && entry.timed && entry.calls == 5);
    ENSURE(entry.nanoseconds == 5 * TICK);
    ENSURE(entry.flops == 5 * 2.0 * 2 * 3 * 4 || entry.flops == 5 * (2.0 * 2 * 3 * 4 + 2 * 4));
    ENSURE(entry.bytes == 5 * 4.0 * (2 * 3 + 4 * 3 + 4 + 2 * 4));
    entry = nn_profile_at(t.plan, 1);
    ENSURE_TEXT(entry.operation, "softmax");
    ENSURE(entry.calls == 5 && entry.nanoseconds == 5 * TICK);
    entry = nn_profile_at(t.plan, 2);
    ENSURE(entry.calls == 0 && !entry.timed);
    const char *text = text_of(nn_write_profile, t.plan);
    ENSURE(strstr(text, "profile of \"a \"net\"\": 5 runs") != NULL);
    ENSURE(strstr(text, "      10          1.0        0.1  100.0") != NULL);
    /* six looks at the clock in a run: five ticks, two of them in steps */
    ENSURE(strstr(text, "in nn_run: 2.5 us") != NULL);
    /* one look between the steps of a run; five from run to run: its end, the upload's two, start,
       first step */
    ENSURE(strstr(text, "on cpu: 1.0 us in steps, 2.5 us between them") != NULL);
    nn_stop_profile(t.plan);
    ENSURE(nn_context_memory(nn).live_bytes == before.live_bytes);
    uint64_t then = host_time;
    ENSURE(run_once(&t) && host_time == then); /* nothing reads the clock any more */
    ENSURE(nn_profile_count(t.plan) == 0);
    ENSURE(strstr(text_of(nn_write_profile, t.plan), "nn_start_profile(plan)") != NULL);
    ENSURE(json_is_whole(text_of(nn_write_trace, t.plan)));
    nn_close(nn);
}

static void test_trace_is_json(void) {
    nn_context *nn = open_ticking();
    task t;
    ENSURE(describe(&t, nn, nn_cpu()));
    ENSURE(nn_start_profile(t.plan) == NN_OK);
    ENSURE(run_once(&t) && run_once(&t));
    const char *text = text_of(nn_write_trace, t.plan);
    ENSURE(json_is_whole(text));
    ENSURE(!json_is_whole("{\"a\":[1,2,]}") && !json_is_whole("{\"a\" 1}") && !json_is_whole("[1"));
    ENSURE(count_of(text, "\"cat\":\"step\"") == 4 && count_of(text, "\"cat\":\"host\"") == 2);
    ENSURE(count_of(text, "\"cat\":\"crossing\",\"name\":\"x\"") == 2); /* the uploads */
    ENSURE(strstr(text, "\"model\":\"a \\\"net\\\"\"") != NULL);
    ENSURE(strstr(text, "\"left_out\":0") != NULL);
    ENSURE(strstr(text, "\"tid\":0,\"ts\":0.200") ==
           NULL); /* the first step starts three looks after the upload */
    ENSURE(strstr(text, "\"pid\":1,\"tid\":0,\"ts\":0.300,\"dur\":0.100") != NULL);
    nn_close(nn);
}

static void test_the_ring_is_bounded(void) {
    nn_context *nn = open_ticking();
    task t;
    nn_memory_use use;
    ENSURE(describe(&t, nn, nn_cpu()) && nn_start_profile(t.plan) == NN_OK);
    ENSURE(run_once(&t));
    use = nn_context_memory(nn);
    for (int i = 0; i < 1999; i++) ENSURE(nn_run(t.plan) == NN_OK);
    ENSURE(nn_context_memory(nn).calls == use.calls);
    ENSURE(nn_profile_count(t.plan) == 2 && nn_profile_at(t.plan, 0).nanoseconds == 2000 * TICK);
    const char *at = strstr(text_of(nn_write_trace, t.plan), "\"left_out\":");
    ENSURE(at && atoi(at + 11) == 3 * 2000 - 4096);
    nn_close(nn); /* frees the profile with the plan */
}

/* In a sliced run a step counts as one call, however many pieces it has. Its time is the sum over
   the pieces. */
static void test_slices(void) {
    nn_context *nn = open_ticking();
    task t;
    nn_result result;
    static const float x[6] = {1, 2, 3, 4, 5, 6};
    ENSURE(describe(&t, nn, nn_cpu()) && nn_start_profile(t.plan) == NN_OK);
    ENSURE(nn_upload(t.plan, t.x, x, sizeof x) == NN_OK);
    while ((result = nn_run_for(t.plan, 0)) == NN_PENDING)
        ENSURE(nn_start_profile(t.plan) == NN_ERROR_ARGUMENT);
    ENSURE(result == NN_OK);
    nn_clear_error(nn);
    ENSURE(nn_profile_count(t.plan) == 2);
    ENSURE(nn_profile_at(t.plan, 0).calls == 1 && nn_profile_at(t.plan, 1).calls == 1);
    ENSURE(nn_profile_at(t.plan, 0).nanoseconds >= TICK &&
           nn_profile_at(t.plan, 1).nanoseconds >= TICK);
    nn_close(nn);
}

/* ---- a device with a queue and a clock of its own -------------------------------------------- */

#define MARKS 4096
static sim_device *queue_device;
static uint64_t device_time, piece_begun, spans[MARKS][2];
static bool has_times;
static int marks;

static nn_result queue_mark(void *state, nn_fence *fence) {
    sim_device *sim = (sim_device *)state;
    if (!fence) {
        piece_begun = device_time += 7; /* idle since the last piece */
        return NN_OK;
    }
    fence->device = sim->device;
    fence->value = has_times ? sim->fence : 0;
    marks++;
    spans[sim->fence % MARKS][0] = piece_begun;
    spans[sim->fence % MARKS][1] = device_time += 1000;
    return NN_OK;
}

static bool queue_span(void *state, nn_fence fence, uint64_t *start, uint64_t *end) {
    sim_device *sim = (sim_device *)state;
    if (fence.value > sim->done || sim->fence - fence.value > 32) /* asked too early, or too late */
        sim_violation(sim, "span", "not between its fence and 32 later (value, done, given)",
                      fence.value, sim->done, sim->fence);
    *start = spans[fence.value % MARKS][0];
    *end = spans[fence.value % MARKS][1];
    return true;
}

static nn_device open_queue(nn_context *nn, bool times) {
    sim_desc desc;
    nn_device device;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    queue_device = sim_open(nn, &desc, &device);
    queue_device->backend.mark = queue_mark;
    queue_device->backend.span = queue_span;
    has_times = times;
    device_time = 5000000000u; /* a clock far from the host's */
    marks = 0;
    return device;
}

static void test_device_times(void) {
    nn_context *nn = open_ticking();
    task t;
    nn_device device = open_queue(nn, true);
    ENSURE(describe(&t, nn, device) && nn_start_profile(t.plan) == NN_OK);
    for (int i = 0; i < 20; i++) ENSURE(run_once(&t)); /* an upload each: 3 fences a run */
    ENSURE(marks == 40);
    ENSURE(queue_device->counters[SIM_FINISH] == 0); /* nothing waited for everything */
    ENSURE(nn_profile_count(t.plan) == 2);
    for (int i = 0; i < 2; i++) {
        nn_profile_entry entry = nn_profile_at(t.plan, i);
        ENSURE(entry.calls == 20 && entry.timed && entry.nanoseconds == 20 * 1000);
        ENSURE(nn_same_device(entry.device, device));
    }
    const char *text = text_of(nn_write_profile, t.plan);
    ENSURE(strstr(text, "40.0 us in steps, 0.3 us between them") != NULL); /* 39 * 7 ns */
    text = text_of(nn_write_trace, t.plan);
    ENSURE(json_is_whole(text));
    ENSURE(count_of(text, "\"tid\":0,\"ts\"") == 40 && count_of(text, "\"dur\":1.000") == 40);
    ENSURE(strstr(text, "compute queue") != NULL && strstr(text, "transfers") != NULL);
    ENSURE(strstr(text, "5000000.") == NULL); /* all on the host's clock */
    nn_close(nn);
    ENSURE(sim_free(queue_device) == 0);
}

static void test_device_without_times(void) {
    nn_context *nn = open_ticking();
    task t;
    nn_device device = open_queue(nn, false);
    ENSURE(describe(&t, nn, device) && nn_start_profile(t.plan) == NN_OK);
    for (int i = 0; i < 3; i++) ENSURE(run_once(&t));
    ENSURE(nn_profile_count(t.plan) == 2);
    nn_profile_entry entry = nn_profile_at(t.plan, 0);
    ENSURE(entry.calls == 3 && !entry.timed && entry.nanoseconds == 0);
    const char *text = text_of(nn_write_profile, t.plan);
    ENSURE(strstr(text, "no times; its backend tells none") != NULL);
    ENSURE(strstr(text, "       3            -          -      -         -        -\n") != NULL);
    ENSURE(nn_error(nn) == NULL);
    text = text_of(nn_write_trace, t.plan);
    ENSURE(json_is_whole(text) && count_of(text, "\"cat\":\"step\"") == 0 &&
           count_of(text, "\"cat\":\"host\"") == 3);
    nn_close(nn);
    ENSURE(sim_free(queue_device) == 0);
}

/* A transfer blocks the host: its row has the time of the host's clock, and appears once, on the
   track of transfers. */
static void test_transfer_between_devices(void) {
    nn_context *nn = open_ticking();
    nn_device device = open_queue(nn, true);
    nn_plan_desc desc;
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)),
            *far_x = nn_transfer(net, x, device), *y;
    nn_plan *plan;
    static const float data[3] = {1, 2, 3};
    nn_device_begin(net, device);
    y = nn_relu(net, far_x);
    nn_device_end(net);
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = y;
    plan = nn_make_plan(net, &desc);
    ENSURE(plan && nn_start_profile(plan) == NN_OK);
    ENSURE(nn_upload(plan, x, data, sizeof data) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_profile_count(plan) == 2);
    ENSURE(nn_profile_at(plan, 0).nanoseconds == TICK &&
           nn_profile_at(plan, 1).nanoseconds == 1000);
    const char *text = text_of(nn_write_trace, plan);
    ENSURE(json_is_whole(text));
    ENSURE(count_of(text, "\"cat\":\"crossing\"") == 1); /* the upload; the transfer is a step */
    ENSURE(strstr(text, "\"pid\":2,\"tid\":2,") != NULL);
    nn_close(nn);
    ENSURE(sim_free(queue_device) == 0);
}

/* A step that fails records no call, and nn_replan ends a profile. */
static void test_failure_and_replan(void) {
    nn_context *nn = open_ticking();
    task t;
    nn_device device = open_queue(nn, true);
    ENSURE(describe(&t, nn, device) && nn_start_profile(t.plan) == NN_OK);
    ENSURE(run_once(&t));
    sim_fail_at(queue_device, 1);
    ENSURE(nn_run(t.plan) < 0);
    sim_fail_at(queue_device, 0);
    ENSURE(nn_profile_count(t.plan) == 2);
    ENSURE(nn_profile_at(t.plan, 0).calls == 1 && nn_profile_at(t.plan, 1).calls == 1);
    nn_clear_error(nn);
    ENSURE(nn_replan(t.plan) == NN_OK);
    ENSURE(nn_profile_count(t.plan) == 0);
    ENSURE(run_once(&t)); /* no watch was left behind */
    ENSURE(nn_start_profile(t.plan) == NN_OK && nn_start_profile(t.plan) == NN_OK); /* anew */
    ENSURE(nn_start_profile(NULL) == NN_ERROR_ARGUMENT);
    nn_stop_profile(NULL);
    nn_write_profile(NULL, (nn_writer){NULL, NULL});
    nn_write_trace(NULL, (nn_writer){NULL, NULL});
    nn_close(nn);
    ENSURE(sim_free(queue_device) == 0);
}

/* ---- the self-test --------------------------------------------------------------------------- */

static char table[1 << 14];
static nn_result test_device(nn_context *nn, nn_device device) {
    nn_text out = {table, sizeof table, 0};
    nn_writer writer = {nn_write_text, &out};
    table[0] = 0;
    return nn_self_test(nn, device, writer);
}

/* A kernel's number may be unused. Plain loops, with which the others are compared, make a
   convolution's gradient shard by shard (tests/kernels/test_backends.c compares it with doubles). */
#define ONE(number, upper, lower, args, family) +1
#ifdef NN_NO_SIMD
#define ALONE "shard_conv2d             absent  the device has no such kernel"
#else
#define ALONE "shard_conv2d             absent  plain C has no kernel to compare with"
#endif
enum { KERNELS = NN_KERNELS(ONE) - 1 };

/* All kernels with a case pass, on the CPU with every instruction set and on a simulated device.
   The self-test leaves nothing behind. */
static void test_self_test_all_right(void) {
    int kernels = KERNELS;
    for (int set = NN_INSTRUCTIONS_PLAIN; set <= LAST_SET; set++) {
        nn_desc desc;
        nn_context *nn;
        memset(&desc, 0, sizeof desc);
        desc.instructions = (nn_instruction_set)set;
        desc.threads = 2;
        nn = OPEN_WITH_SET(&desc);
        if (!nn) continue;
        nn_memory_use before, after;
        ENSURE(test_device(nn, nn_cpu()) == NN_OK);
        ENSURE(count_of(table, "right ") == kernels && count_of(table, "WRONG") == 0);
        ENSURE(strstr(table, ALONE) != NULL);
        if (set == NN_INSTRUCTIONS_PLAIN) { /* once again, without leaks */
            nn_reset_ledger(nn);
            before = nn_context_memory(nn); /* the ledger's rows stay */
            ENSURE(test_device(nn, nn_cpu()) == NN_OK);
            after = nn_context_memory(nn);
            ENSURE(after.live_bytes == before.live_bytes);
            ENSURE(nn_ledger_count(nn) == 2); /* up and down */
            ENSURE_TEXT(nn_ledger_at(nn, 0).tensor, "self-test");
        }
        ENSURE(nn_error(nn) == NULL);
        nn_close(nn);
    }
    for (int asynchronous = 0; asynchronous < 2; asynchronous++) {
        nn_context *nn = nn_open(NULL);
        sim_desc desc;
        sim_device *sim;
        nn_device device;
        memset(&desc, 0, sizeof desc);
        desc.asynchronous = asynchronous;
        desc.missing[NN_KERNEL_CLIP] = true;
        desc.refuse[NN_KERNEL_CUSTOM] = "it takes no texts";
        sim = sim_open(nn, &desc, &device);
        ENSURE(test_device(nn, device) == NN_OK);
        ENSURE(count_of(table, "right ") == kernels - 2);
        ENSURE(strstr(table, "clip                     absent  the device has no such kernel\n") !=
               NULL);
        ENSURE(strstr(table, "custom                   absent  it takes no texts\n") != NULL);
        ENSURE(sim->live_bytes == 0);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
}

/* Every program multiplies where it should add. */
static bool broken;
static nn_result wrong_pointwise(void *state, nn_kernel kernel, const void *arguments,
                                 nn_range range) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program_args other;
    memset(&other, 0, sizeof other); /* a plan has room for the program's own inputs only */
    memcpy(&other, args,
           offsetof(nn_program_args, inputs) + sizeof(nn_view) * args->program.input_count);
    memcpy(code, args->program.code, sizeof code[0] * args->program.count);
    for (int i = 0; broken && i < args->program.count; i++)
        if (code[i].code == NN_CODE_ADD) code[i].code = NN_CODE_MULTIPLY;
    other.program.code = code;
    return sim_run_kernel(state, kernel, &other, range);
}

/* The last number of a result is left as it was. */
static nn_result wrong_softmax(void *state, nn_kernel kernel, const void *arguments,
                               nn_range range) {
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    nn_softmax_args other = *args;
    if (broken) {
        other.y.shape.extent[0]--;
        other.x.shape.extent[0]--;
        if (range.count > 0) range.count--;
    }
    return sim_run_kernel(state, kernel, &other, range);
}

static nn_result late_gemm(void *state, nn_kernel kernel, const void *arguments, nn_range range) {
    return broken ? NN_ERROR_BACKEND : sim_run_kernel(state, kernel, arguments, range);
}

/* One number in the middle is NaN. */
static nn_result nan_random(void *state, nn_kernel kernel, const void *arguments, nn_range range) {
    const nn_random_args *args = (const nn_random_args *)arguments;
    nn_result result = sim_run_kernel(state, kernel, args, range);
    float *y = (float *)(void *)sim_real((sim_device *)state, "random", args->y.handle,
                                         args->y.offset, 1000);
    if (broken) y[100] = (float)NAN;
    return result;
}

/* The results are right, but one number too many is written. */
static nn_result wide_accuracy(void *state, nn_kernel kernel, const void *arguments,
                               nn_range range) {
    const nn_accuracy_args *args = (const nn_accuracy_args *)arguments;
    nn_result result = sim_run_kernel(state, kernel, args, range);
    float *y = (float *)(void *)sim_real((sim_device *)state, "accuracy", args->y.handle,
                                         args->y.offset, 8);
    if (broken) y[1] = 1;
    return result;
}

/* The first integer of one dtype is wrong, by one or by more than 16 bits hold. */
static nn_dtype wrong_dtype;
static nn_result wrong_gather(void *state, nn_kernel kernel, const void *arguments,
                              nn_range range) {
    const nn_gather_args *args = (const nn_gather_args *)arguments;
    nn_result result = sim_run_kernel(state, kernel, args, range);
    unsigned char *y = (unsigned char *)sim_real((sim_device *)state, "gather", args->y.handle,
                                                 args->y.offset, 4);
    if (args->y.dtype == wrong_dtype) y[wrong_dtype == NN_U8 ? 0 : 2] ^= 1;
    return result;
}

static void test_self_test_names_whole_numbers(void) {
    static const nn_dtype dtypes[2] = {NN_U8, NN_I32};
    for (int i = 0; i < 2; i++) {
        nn_context *nn = nn_open(NULL);
        nn_device device;
        sim_desc sim_is;
        int is = 0, wanted = 0;
        memset(&sim_is, 0, sizeof sim_is);
        sim_device *sim = sim_open(nn, &sim_is, &device);
        sim->backend.kernels[NN_KERNEL_GATHER] = wrong_gather;
        wrong_dtype = dtypes[i];
        ENSURE(test_device(nn, device) == NN_ERROR_UNSUPPORTED && count_of(table, "WRONG") == 1);
        const char *at = strstr(table, ": whole number 0 is ");
        ENSURE(at && sscanf(at, ": whole number 0 is %d, wanted %d", &is, &wanted) == 2);
        ENSURE(dtypes[i] != NN_U8 || (is >= 0 && is < 256 && wanted >= 0 && wanted < 256));
        ENSURE((is ^ wanted) == (dtypes[i] == NN_U8 ? 1 : 65536));
        nn_clear_error(nn);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
}

static void test_self_test_finds_what_is_wrong(void) {
    nn_context *nn = nn_open(NULL);
    sim_device *sim;
    nn_device device;
    nn_model_desc model;
    nn_plan_desc desc;
    nn_plan *plan, *old;
    task t;
    sim_desc sim_is;
    memset(&sim_is, 0, sizeof sim_is);
    sim = sim_open(nn, &sim_is, &device);
    sim->backend.kernels[NN_KERNEL_POINTWISE] = wrong_pointwise;
    sim->backend.kernels[NN_KERNEL_SOFTMAX_FORWARD] = wrong_softmax;
    sim->backend.kernels[NN_KERNEL_GEMM] = late_gemm;
    sim->backend.kernels[NN_KERNEL_RANDOM] = nan_random;
    sim->backend.kernels[NN_KERNEL_ACCURACY] = wide_accuracy;
    broken = true;
    ENSURE(describe(&t, nn, device)); /* an old plan continues */
    old = t.plan;
    ENSURE(test_device(nn, device) == NN_ERROR_UNSUPPORTED);
    ENSURE(count_of(table, "right ") == KERNELS - 5 && count_of(table, "WRONG") == 5);
    ENSURE(strstr(table, "pointwise                WRONG   every even instruction over (3, 37, 11): ") !=
           NULL);
    ENSURE(strstr(table, "softmax_forward          WRONG   (9, 7): number 56 is ") != NULL);
    ENSURE(strstr(table, "gemm                     WRONG   m 5, n 7, k 3, activation 0, "
                         "batch 1 x 1, f32 by f32: ") != NULL);
    ENSURE(strstr(table, "random                   WRONG   1031 numbers: number 100 is ") != NULL);
    ENSURE(strstr(table, "accuracy                 WRONG   (53, 3), with ties: it wrote outside of "
                         "its results") != NULL);
    ENSURE(
        strstr(
            nn_error(nn),
            "computes wrong numbers in gemm, softmax_forward, accuracy, random, pointwise; "
            "plans refuse them") != NULL);
    nn_clear_error(nn);
    broken = false;
    ENSURE(run_once(&t) && old == t.plan);

    /* a new plan is refused, with the reason */
    memset(&model, 0, sizeof model);
    model.device = device;
    nn_model *net = nn_make_model(nn, &model);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = nn_softmax(net, x);
    ENSURE(nn_make_plan(net, &desc) == NULL && nn_error_code(nn) == NN_ERROR_FAULTS);
    ENSURE(strstr(nn_error(nn), "cannot do it: failed the self-test: (9, 7): number 56 is ") !=
           NULL);
    nn_clear_error(nn);
    /* so are immediate calls */
    nn_tensor_desc tensor;
    memset(&tensor, 0, sizeof tensor);
    tensor.shape = NN_SHAPE(2, 3);
    tensor.device = device;
    nn_tensor *there = nn_make_tensor(nn, &tensor), *result = nn_make_tensor(nn, &tensor);
    ENSURE(there && result && nn_softmax_forward(result, there, false) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(nn), "failed the self-test: (9, 7)") != NULL);
    nn_clear_error(nn);
    /* others work */
    nn_pool2d_desc pool;
    memset(&pool, 0, sizeof pool);
    pool.kernel = 2;
    net = nn_make_model(nn, &model);
    x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, 4, 4));
    NODE_AT(desc.outputs, 0) = nn_max_pool2d(net, x, &pool);
    plan = nn_make_plan(net, &desc);
    ENSURE(plan != NULL);

    /* repaired, the next self-test takes it back */
    ENSURE(test_device(nn, device) == NN_OK);
    net = nn_make_model(nn, &model);
    x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    NODE_AT(desc.outputs, 0) = nn_softmax(net, x);
    ENSURE(nn_make_plan(net, &desc) != NULL);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* Every call of the device fails once. There is an error and no leak, and no kernel that computes
   correctly is marked. */
static void test_self_test_fails_cleanly(void) {
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    for (int n = 1; n < 60; n += 7) {
        nn_context *nn = nn_open(NULL);
        nn_device device;
        sim_device *sim = sim_open(nn, &desc, &device);
        sim_fail_at(sim, n);
        ENSURE(test_device(nn, device) < 0 && nn_error(nn) != NULL);
        sim_fail_at(sim, 0);
        ENSURE(sim->live_bytes == 0);
        ENSURE(test_device(nn, device) == NN_OK);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
    nn_context *nn = nn_open(NULL);
    nn_device none = nn_cpu();
    none.kind = NN_USER_1;
    ENSURE(test_device(nn, none) == NN_ERROR_DEVICE);
    ENSURE(test_device(NULL, nn_cpu()) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_cpu_times_are_exact);
    RUN(test_trace_is_json);
    RUN(test_the_ring_is_bounded);
    RUN(test_slices);
    RUN(test_device_times);
    RUN(test_device_without_times);
    RUN(test_transfer_between_devices);
    RUN(test_failure_and_replan);
    RUN(test_self_test_all_right);
    RUN(test_self_test_finds_what_is_wrong);
    RUN(test_self_test_names_whole_numbers);
    RUN(test_self_test_fails_cleanly);
    return test_report();
}
