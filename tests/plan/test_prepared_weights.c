/* test_prepared_weights.c: packed weights that a plan caches are never stale. Each way to change a
   weight is used between two runs of one plan, which is compared with a plan that packs them in
   every run. */
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#include "test.h"
#include "lists.h"

#include <stdint.h>
#include <stdlib.h>

enum { BATCH = 3, SIDE = 12, IN = 8, OUT = 40, CLASSES = 5 };

static float picture[BATCH * IN * SIDE * SIDE];

typedef struct world {
    nn_context *nn;
    nn_model *net;
    nn_node *x, *label, *y, *loss;
    nn_plan *kept, *plain;
    nn_trainer *trainer;
} world;

static nn_node *described; /* the weight of a layer of the last net */

/* Describes a 3 x 3 convolution with a norm; two more with norms, the first of stride 2, with more
   weights than results; a depthwise one with a norm; two 1 x 1; and a product with a norm. */
static nn_node *describe(nn_model *net, nn_node *x) {
    nn_conv2d_desc conv;
    nn_linear_desc linear;
    memset(&conv, 0, sizeof conv);
    memset(&linear, 0, sizeof linear);
    conv.out_channels = OUT;
    conv.kernel = 3;
    conv.padding = 1;
    conv.no_bias = true;
    x = nn_relu(net, nn_batch_norm2d(net, "bn1", nn_conv2d(net, "conv1", x, &conv), NULL));
    conv.stride = 2;
    x = nn_relu6(net, nn_batch_norm2d(net, "bn2", nn_conv2d(net, "conv2", x, &conv), NULL));
    conv.stride = 0; /* one image and two use different algorithms */
    x = nn_relu(net, nn_batch_norm2d(net, "bn6", nn_conv2d(net, "conv6", x, &conv), NULL));
    conv.groups = OUT;
    x = nn_batch_norm2d(net, "bn3", nn_conv2d(net, "conv3", x, &conv), NULL);
    conv.groups = 0;
    conv.no_bias = false;
    conv.kernel = 1;
    conv.padding = 0;
    x = nn_relu(net, nn_conv2d(net, "conv4", x, &conv));
    conv.no_bias = true;
    described = nn_parameter(net, "described", NN_SHAPE(OUT, OUT, 1, 1), -0.2f, 0.2f);
    x = nn_relu(net, nn_functional_conv2d(net, x, described, NULL, &conv));
    linear.out_features = CLASSES;
    x = nn_linear(net, "fc", nn_flatten(net, x), &linear);
    return nn_batch_norm1d(net, "bn5", x, NULL);
}

static nn_plan *plan_of(world *w, bool plain) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = w->y;
    desc.batch = BATCH;
    desc.poison = true;
    desc.plain_weights = plain;
    return nn_make_plan(w->net, &desc);
}

static world open_world(int threads) {
    world w;
    nn_desc desc;
    nn_model_desc model;
    nn_trainer_desc trainer;
    memset(&w, 0, sizeof w);
    memset(&desc, 0, sizeof desc);
    memset(&model, 0, sizeof model);
    memset(&trainer, 0, sizeof trainer);
    desc.threads = threads;
    model.seed = 7;
    w.nn = nn_open(&desc);
    w.net = nn_make_model(w.nn, &model);
    w.x = nn_input(w.net, "x", NN_F32, NN_SHAPE(NN_BATCH, IN, SIDE, SIDE));
    w.y = describe(w.net, w.x);
    w.label = nn_input(w.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    w.loss = nn_cross_entropy(w.net, w.y, w.label, NULL);
    trainer.batch = BATCH;
    trainer.learning_rate = 0.1f;
    trainer.average.kind = NN_AVERAGE_EMA;
    w.trainer = nn_make_trainer(w.net, w.loss, &trainer);
    w.kept = plan_of(&w, false);
    w.plain = plan_of(&w, true);
    for (int i = 0; i < BATCH * IN * SIDE * SIDE; i++)
        picture[i] = (float)(i * 37 % 101) / 50 - 1;
    return w;
}

static bool close_world(world *w) {
    const bool fine = w->nn && !nn_error(w->nn);
    if (w->nn && !fine) printf("%s\n", nn_error(w->nn));
    nn_close(w->nn);
    return fine;
}

static bool run(const world *w, nn_plan *plan, int batch, float *to) {
    return nn_upload(plan, w->x, picture, sizeof picture / BATCH * (size_t)batch) == NN_OK &&
           nn_run(plan) == NN_OK &&
           nn_download(plan, w->y, to, sizeof(float) * CLASSES * (size_t)batch) == NN_OK;
}

static bool close_to(const float *a, const float *b, int count) {
    for (int i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= 2e-4f * (1 + fabsf(b[i])))) return false;
    return true;
}

/* The plan that keeps packed weights and the plan that packs them in every run compute the same;
   they may differ by rounding. */
static bool agree(const world *w, int batch) {
    float kept[BATCH * CLASSES], plain[BATCH * CLASSES];
    return run(w, w->kept, batch, kept) && run(w, w->plain, batch, plain) &&
           close_to(kept, plain, batch * CLASSES);
}

static nn_tensor *weight(const world *w) { return nn_find_tensor(w->net, "conv1.weight"); }

/* Returns new numbers for a tensor, in host memory that the caller frees. */
static float *others(const nn_tensor *tensor, float offset) {
    const size_t count = (size_t)nn_tensor_bytes(tensor) / sizeof(float);
    float *numbers = (float *)malloc(count * sizeof(float));
    for (size_t i = 0; numbers && i < count; i++)
        numbers[i] = offset + (float)(i * 29 % 83) / 83 - 0.5f;
    return numbers;
}

/* ---- ways to change a weight ----------------------------------------------------------------- */

static float shift; /* each change writes other numbers */

static bool by_upload(world *w) {
    float *numbers = others(weight(w), shift);
    const nn_result result = nn_upload_tensor(weight(w), numbers, nn_tensor_bytes(weight(w)));
    free(numbers);
    return result == NN_OK;
}
static bool by_upload_of_a_statistic(world *w) {
    nn_tensor *tensor = nn_find_tensor(w->net, "bn2.running_mean");
    float *numbers = others(tensor, shift);
    const nn_result result = nn_upload_tensor(tensor, numbers, nn_tensor_bytes(tensor));
    free(numbers);
    return result == NN_OK;
}
static bool by_upload_into_a_view(world *w) {
    nn_tensor *view = nn_make_view(weight(w), 3, 2);
    float *numbers = others(view, shift);
    const nn_result result = nn_upload_tensor(view, numbers, nn_tensor_bytes(view));
    free(numbers);
    nn_free_tensor(view);
    return result == NN_OK;
}
static bool by_copy(world *w) {
    nn_tensor_desc desc;
    float *numbers = others(weight(w), shift);
    memset(&desc, 0, sizeof desc);
    desc.shape = nn_tensor_shape(weight(w));
    desc.data = numbers;
    nn_tensor *from = nn_make_tensor(w->nn, &desc);
    const nn_result result = nn_copy(weight(w), from);
    nn_free_tensor(from);
    free(numbers);
    return result == NN_OK;
}
static bool by_zeros(world *w) {
    nn_tensor *tensor = nn_find_tensor(w->net, "bn1.bias");
    float *numbers = others(tensor, shift);
    const bool fine = nn_upload_tensor(tensor, numbers, nn_tensor_bytes(tensor)) == NN_OK;
    free(numbers);
    return fine && agree(w, 2) && nn_fill_zero(tensor) == NN_OK;
}
static bool by_map(world *w) {
    float *at = (float *)nn_map_tensor(weight(w), true);
    if (at) at[5] += 1 + shift;
    return nn_unmap_tensor(weight(w)) == NN_OK && at;
}
/* The view is mapped while the plan runs, and written to after the run. */
static bool by_map_of_a_view(world *w) {
    float numbers[BATCH * CLASSES];
    nn_tensor *view = nn_make_reshaped(weight(w), NN_SHAPE(OUT * IN * 9));
    float *at = (float *)nn_map_tensor(view, true);
    const bool ran = run(w, w->kept, 2, numbers);
    if (at) at[7] += 1 + shift;
    const bool fine = nn_unmap_tensor(view) == NN_OK && at && ran;
    nn_free_tensor(view);
    return fine;
}
static bool by_an_operation(world *w) {
    nn_tensor *copy = nn_copy_to(weight(w), nn_cpu());
    const bool fine = nn_sigmoid_forward(weight(w), copy) == NN_OK;
    nn_free_tensor(copy);
    return fine;
}
static bool by_a_step(world *w) {
    static const int32_t labels[BATCH] = {1, 4, 0};
    nn_plan *step = nn_trainer_plan(w->trainer);
    return nn_upload(step, w->x, picture, sizeof picture) == NN_OK &&
           nn_upload(step, w->label, labels, sizeof labels) == NN_OK &&
           nn_train_on_inputs(w->trainer) == NN_OK;
}
static bool by_a_step_in_slices(world *w) {
    static const int32_t labels[BATCH] = {1, 4, 0};
    nn_dataset_desc set;
    nn_loader_desc desc;
    memset(&set, 0, sizeof set);
    memset(&desc, 0, sizeof desc);
    set.count = BATCH;
    FIELD_AT(set.fields, 0).name = "x";
    FIELD_AT(set.fields, 0).shape = NN_SHAPE(IN, SIDE, SIDE);
    FIELD_AT(set.fields, 0).data = picture;
    FIELD_AT(set.fields, 0).bytes = sizeof picture;
    FIELD_AT(set.fields, 1).name = "label";
    FIELD_AT(set.fields, 1).dtype = NN_I32;
    FIELD_AT(set.fields, 1).data = labels;
    FIELD_AT(set.fields, 1).bytes = sizeof labels;
    desc.dataset = nn_make_dataset(w->nn, &set);
    desc.batch = BATCH;
    nn_loader *loader = nn_make_loader(w->nn, &desc);
    nn_result result = nn_next_batch(loader) ? NN_PENDING : NN_ERROR_ARGUMENT;
    while (result == NN_PENDING) result = nn_train_step_for(w->trainer, loader, 0);
    return result == NN_OK;
}
static bool by_an_average(world *w) {
    return by_a_step(w) && by_a_step(w) && agree(w, 2) && nn_swap_average(w->trainer) == NN_OK &&
           agree(w, 3) && agree(w, 3) && nn_swap_average(w->trainer) == NN_OK;
}
static bool by_initialise(world *w) {
    nn_init_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.init = shift > 0.3f && shift < 0.5f ? NN_INIT_ORTHOGONAL : NN_INIT_NORMAL;
    return nn_initialise(w->net, "conv*.weight", &desc) == NN_OK;
}
static bool by_blend(world *w) {
    nn_model *copy = nn_copy_model(w->net, NULL);
    const bool fine = by_upload(w) && agree(w, 1) && nn_blend_weights(w->net, copy, 0.25f) == NN_OK;
    nn_free_model(copy);
    return fine;
}
typedef struct bytes {
    char *at;
    size_t count;
} bytes;
static void write_bytes(void *user, const char *text, size_t length) {
    bytes *to = (bytes *)user;
    char *at = (char *)realloc(to->at, to->count + length);
    if (!at) return;
    memcpy(at + to->count, text, length);
    to->at = at;
    to->count += length;
}
static bool by_load(world *w) {
    bytes file = {NULL, 0};
    nn_writer writer = {write_bytes, &file};
    const bool fine = nn_save_weights_to(w->net, writer) == NN_OK && by_upload(w) && agree(w, 2) &&
                      nn_load_weights_from(w->net, file.at, file.count, NULL) == NN_OK;
    free(file.at);
    return fine;
}
/* These two calls give the program an address. The library cannot see writes through it. */
static float *address;
static bool by_a_pointer(world *w) {
    if (!address) address = (float *)nn_tensor_data(weight(w));
    if (address) address[11] += 1 + shift;
    return address != NULL;
}
static bool by_a_view(world *w) {
    if (!address) {
        const nn_view view = nn_tensor_view(nn_find_tensor(w->net, "bn1.weight"));
        address = (float *)(void *)((char *)view.handle + view.offset);
    }
    address[2] += 1 + shift;
    return true;
}
static bool by_a_view_of_the_plan(world *w) {
    if (!address) {
        const nn_view view = nn_plan_view(w->kept, described);
        address = (float *)(void *)((char *)view.handle + view.offset);
    }
    for (int k = 0; k < OUT * OUT; k++) address[k] += (float)(k % 7) * shift;
    return true;
}
static bool by_a_pointer_of_a_view(world *w) {
    if (!address) {
        nn_tensor *view = nn_make_view(nn_find_tensor(w->net, "conv2.weight"), 4, 1);
        address = (float *)nn_tensor_data(view);
        nn_free_tensor(view);
    }
    if (address) address[1] += 1 + shift;
    return address != NULL;
}

typedef struct way {
    const char *name;
    bool (*change)(world *w);
} way;
static const way ways[] = {{"upload", by_upload},
                           {"upload of a statistic", by_upload_of_a_statistic},
                           {"upload into a view", by_upload_into_a_view},
                           {"copy", by_copy},
                           {"zeros", by_zeros},
                           {"map", by_map},
                           {"map of a view", by_map_of_a_view},
                           {"operation", by_an_operation},
                           {"step", by_a_step},
                           {"step in slices", by_a_step_in_slices},
                           {"average", by_an_average},
                           {"initialise", by_initialise},
                           {"blend", by_blend},
                           {"load", by_load},
                           {"pointer", by_a_pointer},
                           {"view", by_a_view},
                           {"view of the plan", by_a_view_of_the_plan},
                           {"pointer of a view", by_a_pointer_of_a_view}};

/* Makes each change three times, between runs of several batches. Each one, except by_load and
   by_zeros, must alter what the plans compute. */
static void prepared_weights_are_never_stale(void) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        float before[BATCH * CLASSES], after[BATCH * CLASSES];
        world w = open_world(1);
        address = NULL;
        ENSURE(w.trainer && w.kept && w.plain && agree(&w, 3) && agree(&w, 3));
        for (int k = 0; k < 3; k++) {
            shift = 0.2f * (float)(k + 1);
            ENSURE(run(&w, w.plain, 3, before));
            if (!ways[i].change(&w)) test_fail(__FILE__, __LINE__, "%s failed", ways[i].name);
            if (!agree(&w, 3)) test_fail(__FILE__, __LINE__, "stale after %s", ways[i].name);
            ENSURE(run(&w, w.plain, 3, after));
            const bool same = ways[i].change == by_load || ways[i].change == by_zeros;
            if (!same && !memcmp(before, after, sizeof after))
                test_fail(__FILE__, __LINE__, "%s changes nothing", ways[i].name);
            if (!agree(&w, 1 + k) || !agree(&w, 3))
                test_fail(__FILE__, __LINE__, "stale after %s", ways[i].name);
        }
        ENSURE(close_world(&w));
    }
}

/* If the first run after a change has a batch that caches nothing, the next batch with cached
   weights still sees the change. */
static void prepared_weights_of_another_batch_are_not_stale(void) {
    enum { ROOM = BATCH * OUT * 9 };
    float kept[ROOM], plain[ROOM], before[ROOM];
    world w;
    nn_plan_desc desc;
    nn_conv2d_desc conv;
    memset(&w, 0, sizeof w);
    memset(&desc, 0, sizeof desc);
    memset(&conv, 0, sizeof conv);
    conv.out_channels = OUT;
    conv.kernel = 1;
    w.nn = nn_open(NULL);
    w.net = nn_make_model(w.nn, NULL);
    w.x = nn_input(w.net, "x", NN_F32, NN_SHAPE(NN_BATCH, OUT, 3, 3)); /* few places */
    w.y = nn_conv2d(w.net, "conv1", w.x, &conv);
    NODE_AT(desc.outputs, 0) = w.y;
    desc.batch = BATCH;
    w.kept = nn_make_plan(w.net, &desc);
    desc.plain_weights = true;
    w.plain = nn_make_plan(w.net, &desc);
    ENSURE(w.kept && w.plain);
#ifndef NN_NO_SIMD /* plain loops read the weights of such a convolution without packing */
    ENSURE(nn_plan_bytes(w.kept, nn_cpu(), NN_MEMORY_PREPARED) > 0);
#endif
    for (int i = 0; i < ROOM; i++) picture[i] = (float)(i * 37 % 101) / 50 - 1;
    for (int k = 0; k < 4; k++) { /* batches of 3, 1, 1 after the change, 3 */
        const int batch = k % 3 ? 1 : BATCH;
        const size_t size = sizeof picture[0] * (size_t)batch * OUT * 9;
        if (k == 2) ENSURE(by_upload(&w));
        ENSURE(nn_upload(w.kept, w.x, picture, size) == NN_OK && nn_run(w.kept) == NN_OK);
        ENSURE(nn_upload(w.plain, w.x, picture, size) == NN_OK && nn_run(w.plain) == NN_OK);
        ENSURE(nn_download(w.kept, w.y, kept, size) == NN_OK);
        ENSURE(nn_download(w.plain, w.y, plain, size) == NN_OK);
        ENSURE(close_to(kept, plain, batch * OUT * 9));
        ENSURE(k != 3 || !close_to(plain, before, ROOM));
        if (k == 0) memcpy(before, plain, sizeof before);
    }
    ENSURE(close_world(&w));
}

/* Packed weights are kept: a write through a read-only pointer has no effect until a call announces
   it. They are counted where nn_plan_bytes says. */
static void weights_are_prepared_once(void) {
    float first[BATCH * CLASSES], second[BATCH * CLASSES];
    world w = open_world(1);
    ENSURE(w.kept && run(&w, w.kept, 3, first));
    ENSURE(nn_plan_bytes(w.kept, nn_cpu(), NN_MEMORY_PREPARED) > 0);
    ENSURE(nn_plan_bytes(w.plain, nn_cpu(), NN_MEMORY_PREPARED) == 0);
    for (int k = 0; k < 2; k++) {
        nn_plan *plan = k ? w.plain : w.kept;
        uint64_t sum = 0;
        for (int c = NN_MEMORY_INPUTS; c < NN_MEMORY_CATEGORY_COUNT; c++)
            sum += nn_plan_bytes(plan, nn_cpu(), (nn_memory_category)c);
        ENSURE(sum == nn_plan_allocated(plan, nn_cpu()));
    }
    float *secret = (float *)(uintptr_t)nn_tensor_const_data(weight(&w));
    float *statistic =
        (float *)(uintptr_t)nn_tensor_const_data(nn_find_tensor(w.net, "bn3.running_var"));
    secret[3] += 10, statistic[2] += 10;
    ENSURE(run(&w, w.kept, 3, second) && !memcmp(first, second, sizeof first));
    ENSURE(run(&w, w.kept, 2, second) && !memcmp(first, second, sizeof first / 3 * 2));
    ENSURE(by_upload_of_a_statistic(&w) && agree(&w, 3) && run(&w, w.kept, 3, second));
    ENSURE(memcmp(first, second, sizeof first));
    ENSURE(close_world(&w));
}

/* Any number of threads and slices give the same bytes, in the run that prepares the weights and in
   the next. */
static void prepared_weights_give_the_same_bytes(void) {
    float want[BATCH * CLASSES], got[BATCH * CLASSES];
    for (int threads = 1; threads <= 3; threads++) {
        world w = open_world(threads);
        ENSURE(w.kept && run(&w, w.kept, 3, threads == 1 ? want : got));
        ENSURE(threads == 1 || !memcmp(want, got, sizeof got));
        for (int k = 0; k < 3; k++) {
            nn_result result = NN_PENDING;
            int slices = 0;
            if (k == 1) /* made anew, in slices */
                ENSURE(nn_map_tensor(weight(&w), true) && nn_unmap_tensor(weight(&w)) == NN_OK);
            ENSURE(nn_upload(w.kept, w.x, picture, sizeof picture) == NN_OK);
            for (; result == NN_PENDING; slices++) result = nn_run_for(w.kept, 0);
            ENSURE(result == NN_OK && slices > 5);
            ENSURE(nn_download(w.kept, w.y, got, sizeof got) == NN_OK);
            ENSURE(!memcmp(want, got, sizeof got));
        }
        ENSURE(close_world(&w));
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(prepared_weights_are_never_stale);
    RUN(prepared_weights_of_another_batch_are_not_stale);
    RUN(weights_are_prepared_once);
    RUN(prepared_weights_give_the_same_bytes);
    return test_report();
}
