/* tests/opencl/test_opencl_profile.c - profiles on every OpenCL device: times from queues that
   record them, and rows without times for queues that do not. Times are compared with each other,
   never with a limit. (tests/kernels/test_backends.c runs the self-test on these devices.) */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdlib.h>

#include "test.h"

#include "opencl_as_gpu.h"
#include "lists.h"

enum { BATCH = 16, PIXELS = 144, RUNS = 30 };

static nn_context *open_with(const nn_opencl_desc *wanted, bool profile) {
    nn_opencl_desc desc;
    nn_context *nn = nn_open(NULL);
    memset(&desc, 0, sizeof desc);
    if (wanted) desc = *wanted;
    desc.profile = profile;
    desc.cache_folder = "";
    if (nn && nn_opencl_open(nn, &desc) == NN_OK) return nn;
    nn_close(nn);
    return NULL;
}

static nn_node *image, *label; /* of the last trainer */

static nn_trainer *make_trainer(nn_context *nn, nn_device device) {
    nn_model_desc model;
    nn_linear_desc layer;
    nn_conv2d_desc conv;
    nn_trainer_desc desc;
    nn_model *net;
    nn_node *x;
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&conv, 0, sizeof conv);
    memset(&desc, 0, sizeof desc);
    model.device = device;
    conv.out_channels = 4;
    conv.kernel = 3;
    layer.out_features = 5;
    net = nn_make_model(nn, &model);
    image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 12, 12));
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_relu(net, nn_conv2d(net, "conv", image, &conv));
    x = nn_linear(net, "fc", nn_flatten(net, x), &layer);
    desc.batch = BATCH;
    desc.separate_steps = true; /* so that each has a time */
    return nn_make_trainer(net, nn_cross_entropy(net, x, label, NULL), &desc);
}

static bool train(nn_trainer *trainer, nn_plan *plan, int runs) {
    static float images[BATCH * PIXELS];
    static int32_t labels[BATCH];
    for (int i = 0; i < BATCH * PIXELS; i++) images[i] = (float)(i * 37 % 101) / 101;
    for (int i = 0; i < BATCH; i++) labels[i] = i % 5;
    for (int i = 0; i < runs; i++)
        if (nn_upload(plan, image, images, sizeof images) < 0 ||
            nn_upload(plan, label, labels, sizeof labels) < 0 || nn_train_on_inputs(trainer) < 0)
            return false;
    return true;
}

static char text[1 << 20];
static const char *written(void (*write)(nn_plan *, nn_writer), nn_plan *plan) {
    nn_text out = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &out};
    text[0] = 0;
    write(plan, writer);
    return text;
}

static int count_of(const char *where, const char *words) {
    int count = 0;
    for (const char *at = strstr(where, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

/* Makes more marks than a device keeps events for, with uploads in between. */
static void times_on(nn_context *nn, nn_device device) {
    nn_trainer *trainer = make_trainer(nn, device);
    nn_plan *plan = nn_trainer_plan(trainer);
    uint64_t sum = 0;
    int steps;
    ENSURE(trainer && train(trainer, plan, 1));
    ENSURE(nn_start_profile(plan) == NN_OK);
    nn_memory_use before = nn_context_memory(nn);
    ENSURE(train(trainer, plan, RUNS));
    ENSURE(nn_context_memory(nn).calls == before.calls);
    steps = nn_profile_count(plan);
    ENSURE(steps > 5);
    for (int i = 0; i < steps; i++) {
        nn_profile_entry entry = nn_profile_at(plan, i);
        if (entry.calls != RUNS || !entry.timed || entry.nanoseconds == 0)
            test_fail(__FILE__, __LINE__, "%s %s: %d calls, %s, %d ns", entry.operation, entry.name,
                      (int)entry.calls, entry.timed ? "timed" : "not timed",
                      (int)entry.nanoseconds);
        sum += entry.nanoseconds;
    }
    ENSURE(strstr(written(nn_write_profile, plan), " us in steps, ") != NULL);
    const char *between = strstr(strstr(text, " us in steps, "), ", ") + 2;
    ENSURE(atof(between) >=
           0); /* pieces of an in-order queue do not overlap: all of them fit into the whole */
    ENSURE(count_of(written(nn_write_trace, plan), "\"cat\":\"step\"") == steps * RUNS && sum > 0);
    /* the status word follows each step unless an earlier one is still on its way */
    int words = count_of(text, "\"name\":\"status\""),
        crossings = count_of(text, "\"cat\":\"crossing\"");
    ENSURE(words >= 1 && words <= RUNS && crossings == 2 * RUNS + words);
    ENSURE(count_of(text, "\"cat\":\"host\"") == RUNS);
    ENSURE(nn_error(nn) == NULL);
    nn_stop_profile(plan);
    ENSURE(train(trainer, plan, 3));
    nn_finish(nn);
}

/* Two plans are profiled at once, as a program that draws and learns has them: the one that rests
   keeps its times while the other uses up the device's events. */
static void test_times_of_two_plans(void) {
    nn_context *nn = open_with(NULL, true);
    if (!nn) SKIP("no OpenCL device here");
    nn_device device = nn_device_at(nn, 1);
    nn_trainer *rests = make_trainer(nn, device);
    nn_plan *resting = nn_trainer_plan(rests);
    ENSURE(rests && nn_start_profile(resting) == NN_OK && train(rests, resting, 2));
    nn_trainer *works = make_trainer(nn, device);
    nn_plan *working = nn_trainer_plan(works);
    ENSURE(works && nn_start_profile(working) == NN_OK && train(works, working, 4));
    ENSURE(nn_profile_count(resting) > 5 && nn_profile_count(working) > 5);
    for (int i = nn_profile_count(resting); i-- > 0;) {
        nn_profile_entry mine = nn_profile_at(resting, i), other = nn_profile_at(working, i);
        ENSURE(mine.calls == 2 && mine.timed && other.calls == 4 && other.timed);
    }
    nn_close(nn);
}

static void test_times(void) {
    nn_context *nn = open_with(NULL, true);
    if (!nn) SKIP("no OpenCL device here");
    for (int i = 1; i < nn_device_count(nn); i++) times_on(nn, nn_device_at(nn, i));
    nn_close(nn);
}

/* An upload with a fence travels on the copy queue; its times are there as well. */
static void test_fence_of_an_upload(void) {
    nn_context *nn = open_with(NULL, true);
    const nn_backend *backend;
    static char bytes[1 << 16];
    void *state = NULL, *handle = NULL;
    uint64_t start = 0, end = 0;
    nn_fence fence;
    if (!nn) SKIP("no OpenCL device here");
    backend = nn_device_backend(nn, nn_device_at(nn, 1), &state);
    ENSURE(backend->alloc(state, sizeof bytes, &handle) == NN_OK);
    ENSURE(backend->upload(state, handle, 0, bytes, sizeof bytes, &fence) == NN_OK);
    ENSURE(backend->fence_wait(state, fence) == NN_OK);
    ENSURE(backend->span(state, fence, &start, &end) && start > 0 && end >= start);
    /* a piece without any work is a moment */
    ENSURE(backend->mark(state, NULL) == NN_OK && backend->mark(state, &fence) == NN_OK);
    ENSURE(fence.value != 0 && backend->fence_wait(state, fence) == NN_OK);
    ENSURE(backend->finish(state) == NN_OK);
    backend->release(state, handle, sizeof bytes);
    nn_close(nn);
}

/* Returns the number of lines of the trace that have both texts. */
static int lines_with(const char *words, const char *others) {
    int count = 0;
    for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *a = strstr(line, words), *b = strstr(line, others);
        count += a && a < end && b && b < end;
    }
    return count;
}

/* A loader's batches travel with fences, ahead of the steps that read them: their crossings appear
   on the copy queue's track, by the device's clock where it records times. */
static void loader_on(nn_context *nn, int number, bool times) {
    enum { BATCHES = 6 };
    const nn_device device = nn_device_at(nn, number);
    static unsigned char images[BATCHES * BATCH * PIXELS];
    static int32_t labels[BATCHES * BATCH];
    nn_trainer *trainer = make_trainer(nn, device);
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_dataset_desc dataset;
    nn_loader_desc desc;
    nn_loader *loader;
    char track[64];
    int batches = 0;
    for (size_t i = 0; i < sizeof images; i++) images[i] = (unsigned char)(i * 37 % 101);
    for (int i = 0; i < BATCHES * BATCH; i++) labels[i] = i % 5;
    memset(&dataset, 0, sizeof dataset);
    memset(&desc, 0, sizeof desc);
    dataset.count = BATCHES * BATCH;
    FIELD_AT(dataset.fields, 0).name = "image";
    FIELD_AT(dataset.fields, 0).shape = NN_SHAPE(1, 12, 12);
    FIELD_AT(dataset.fields, 0).data = images;
    FIELD_AT(dataset.fields, 0).data_dtype = NN_U8;
    FIELD_AT(dataset.fields, 1).name = "label";
    FIELD_AT(dataset.fields, 1).dtype = NN_I32;
    FIELD_AT(dataset.fields, 1).data = labels;
    desc.dataset = nn_make_dataset(nn, &dataset);
    desc.batch = BATCH;
    desc.device = device;
    desc.workers = 1;
    loader = nn_make_loader(nn, &desc);
    ENSURE(loader && nn_start_profile(plan) == NN_OK);
    while (nn_next_batch(loader)) {
        batches++;
        ENSURE(nn_bind(plan, image, nn_batch_tensor(loader, "image")) == NN_OK);
        ENSURE(nn_bind(plan, label, nn_batch_tensor(loader, "label")) == NN_OK);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    }
    ENSURE(batches == BATCHES && nn_error(nn) == NULL);
    written(nn_write_trace, plan);
    snprintf(track, sizeof track, "\"pid\":%d,\"tid\":1,\"ts\":", number + 1);
    ENSURE(lines_with(track, "\"cat\":\"crossing\",\"name\":\"image\"") == BATCHES);
    ENSURE(lines_with(track, "\"cat\":\"crossing\",\"name\":\"label\"") == BATCHES);
    ENSURE(lines_with(track, "\"cat\":\"crossing\"") == count_of(text, "\"cat\":\"crossing\""));
    ENSURE(count_of(text, "\"copy queue\"") == 1);
    ENSURE(lines_with("\"cat\":\"step\"", track) == 0);
    ENSURE(count_of(text, "\"cat\":\"step\"") == (times ? nn_profile_count(plan) * BATCHES : 0));
}

static void test_loader_on_the_copy_queue(void) {
    for (int times = 0; times < 2; times++) {
        nn_context *nn = open_with(NULL, times);
        if (!nn) SKIP("no OpenCL device here");
        for (int i = 1; i < nn_device_count(nn); i++) loader_on(nn, i, times);
        nn_close(nn);
    }
}

/* Queues without the profiling flag, our own and an adopted one: calls are counted, times are not
   there. */
static void without_times_on(nn_context *nn) {
    nn_trainer *trainer = make_trainer(nn, nn_device_at(nn, 1));
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_profile_entry entry;
    ENSURE(trainer && nn_start_profile(plan) == NN_OK && train(trainer, plan, 3));
    ENSURE(nn_profile_count(plan) > 5);
    entry = nn_profile_at(plan, 0);
    ENSURE(entry.calls == 3 && !entry.timed && entry.nanoseconds == 0);
    ENSURE(strstr(written(nn_write_profile, plan),
                  "on opencl:0: no times; its queue records none") != NULL);
    ENSURE(strstr(text, " 0.0 ") == NULL);
    ENSURE(count_of(written(nn_write_trace, plan), "\"cat\":\"step\"") == 0);
    ENSURE(count_of(text, "\"cat\":\"host\"") == 3);
    nn_text out = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &out};
    ENSURE(nn_write_html(trainer, NULL, writer) == NN_OK);
    const char *times = strstr(text, "<h2>Time by operation</h2>");
    ENSURE(times && strstr(times, "steps have no times: their device records none") &&
           !strstr(times, "GFLOP/s"));
    ENSURE(nn_error(nn) == NULL);
}

static void test_without_the_flag(void) {
    nn_context *nn = open_with(NULL, false), *guest;
    nn_opencl_desc desc;
    if (!nn) SKIP("no OpenCL device here");
    without_times_on(nn);
    memset(&desc, 0, sizeof desc);
    ENSURE(nn_opencl_handles(nn, nn_device_at(nn, 1), &desc.context, &desc.device, &desc.queue));
    guest = open_with(&desc, true); /* this has no effect on an existing queue */
    ENSURE(guest != NULL);
    without_times_on(guest);
    nn_close(guest);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_times);
    RUN(test_times_of_two_plans);
    RUN(test_fence_of_an_upload);
    RUN(test_loader_on_the_copy_queue);
    RUN(test_without_the_flag);
    return test_report();
}
