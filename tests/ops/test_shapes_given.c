/* test_shapes_given.c: calls every function that takes a shape or a list of axes with a rank far
   beyond the limit: each call is refused with a text, and none crashes. Also tests that by default
   there are as many threads as the process may use. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "nn.h"
#include "test.h"

#include <limits.h>
#include <string.h>
#ifdef __linux__
#include <sched.h>
#endif

enum { KINDS = 13 };

static nn_node *built(nn_model *net, nn_node *x, int kind, nn_shape s, nn_axes a) {
    nn_layer_norm_desc layer = {.normalized_shape = s};
    nn_rms_norm_desc rms = {.normalized_shape = s};
    nn_custom_desc custom = {.inputs = NN_NODES(x), .shape = s};
    switch (kind) {
    case 0: return nn_repeat(net, x, s);
    case 1: return nn_layer_norm(net, "n", x, &layer);
    case 2: return nn_expand(net, x, s);
    case 3: return nn_rms_norm(net, "n", x, &rms);
    case 4: return nn_unflatten(net, x, 1, s);
    case 5: return nn_reshape(net, x, s);
    case 6: return nn_permute(net, x, a);
    case 7: return nn_reduce(net, NN_SUM, x, a, false);
    case 8: return nn_flip(net, x, a);
    case 9: return nn_squeeze(net, x, a);
    case 10: return nn_input(net, "other", NN_F32, s);
    case 11: return nn_parameter(net, "p", s, -1, 1);
    default: return nn_custom(net, "own", &custom);
    }
}

static void ranks_out_of_range(void) {
    static const int ranks[] = {7, 8, 100, 1 << 20, INT_MAX, -1, -7, INT_MIN};
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < (int)(sizeof ranks / sizeof *ranks); i++) {
            nn_context *nn = nn_open(&(nn_desc){.threads = 1});
            nn_model *net = nn_make_model(nn, NULL);
            nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
            const nn_shape s = {{1, 2, 1, 2, 1, 1}, ranks[i]};
            const nn_axes a = {{0, 1, 0, 1, 0, 1}, ranks[i]};
            nn_plan_desc desc = {.outputs = NN_NODES(built(net, x, kind, s, a)), .batch = 2};
            if (test_wrong(nn_make_plan(net, &desc) || !nn_error(nn)))
                test_fail(__FILE__, __LINE__, "kind %d, rank %d: taken", kind, ranks[i]);
            nn_close(nn);
        }
}

/* Tests shapes and axes outside of models. */
static void tensors_and_calls(void) {
    static const int ranks[] = {7, 100, INT_MAX, -1, INT_MIN};
    float numbers[8] = {0};
    for (int i = 0; i < (int)(sizeof ranks / sizeof *ranks); i++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        nn_tensor *x = nn_wrap(nn, "x", NN_F32, NN_SHAPE(2, 4), numbers);
        nn_tensor *y = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(2, 4)});
        const nn_shape s = {{1, 2, 1, 2, 1, 1}, ranks[i]};
        const nn_axes a = {{0, 1, 0, 1, 0, 1}, ranks[i]};
        ENSURE(!nn_wrap(nn, "s", NN_F32, s, numbers) && nn_error(nn));
        nn_clear_error(nn);
        ENSURE(!nn_make_tensor(nn, &(nn_tensor_desc){.shape = s}) && nn_error(nn));
        nn_clear_error(nn);
        ENSURE(!nn_make_reshaped(x, s) && nn_error(nn));
        nn_clear_error(nn);
        ENSURE(nn_permute_forward(y, x, a) != NN_OK && nn_error(nn));
        nn_clear_error(nn);
        ENSURE(nn_flip_forward(y, x, a) != NN_OK && nn_error(nn));
        nn_clear_error(nn);
        ENSURE(nn_reduce_forward(y, NN_SUM, x, a) != NN_OK && nn_error(nn));
        ENSURE(nn_shape_count(s) == -1 && !nn_same_shape(s, s));
        ENSURE(nn_augment_shape(NULL, s).rank == 0);
        nn_close(nn);
    }
}

/* Tests labels of a sequence beside logits with the classes last: the advice names the axis. */
static void labels_of_a_sequence(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 7, 5));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH, 7));
    nn_plan_desc desc = {.outputs = NN_NODES(nn_cross_entropy(net, x, label, NULL))};
    ENSURE(!nn_make_plan(net, &desc));
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "axis 1") && strstr(nn_error(nn), "nn_permute"));
    nn_close(nn);
}

static void threads_by_affinity(void) {
#ifdef __linux__
    cpu_set_t before, one;
    if (sched_getaffinity(0, sizeof before, &before) || CPU_COUNT(&before) < 2)
        SKIP("one processor only");
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    ENSURE(sched_setaffinity(0, sizeof one, &one) == 0);
    nn_context *nn = nn_open(NULL);
    ENSURE(nn_thread_count(nn) == 1);
    nn_close(nn);
    sched_setaffinity(0, sizeof before, &before);
#else
    SKIP("affinity is Linux's here");
#endif
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(ranks_out_of_range);
    RUN(tensors_and_calls);
    RUN(labels_of_a_sequence);
    RUN(threads_by_affinity);
    return test_report();
}
