/* Portable arithmetic: six nets train to the same bytes on every processor, compiler and C
   library. The hashes in portable_nets.h are those of x86-64 with gcc; `make test-targets`
   compares other compilers and processors with them. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "open.h"
#include "test.h"

#include "portable_nets.h"

static uint32_t train(nn_instruction_set set, int i, int threads) {
    nn_context *nn = OPEN_WITH_SET(&(
        (nn_desc){.threads = threads, .instructions = set}));
    if (!nn) return 0;
    const uint32_t hash = portable_train(nn, i);
    if (test_wrong(!hash))
        test_fail(__FILE__, __LINE__, "%s: %s", portable_nets[i].name, nn_error(nn));
    nn_close(nn);
    return hash;
}

static void check(nn_instruction_set set) {
    for (int i = 0; i < PORTABLE_NETS; i++) {
        const uint32_t hash = train(set, i, 1);
        if (!hash) return; /* this build or this machine lacks the set */
        if (test_wrong(hash != portable_nets[i].hash))
            test_fail(__FILE__, __LINE__, "%s has the hash 0x%08x", portable_nets[i].name, (unsigned)hash);
        if (test_wrong(train(set, i, 3) != hash))
            test_fail(__FILE__, __LINE__, "%s has other bytes with three threads", portable_nets[i].name);
    }
}
static void any_processor(void) { check(NN_INSTRUCTIONS_PORTABLE); }
static void avx2(void) { check(NN_INSTRUCTIONS_PORTABLE_AVX2); }
static void avx512(void) { check(NN_INSTRUCTIONS_PORTABLE_AVX512); }

/* ---- layers that are wide enough for tiles of every height, Winograd's algorithm and blocks -- */

enum { WIDE_NETS = 3, WIDE_BATCH = 4, WIDE_NUMBERS = 3 * 40 * 40 };

static nn_node *describe_wide(nn_model *net, nn_node *x, int which) {
    if (which == 0) { /* a block of few channels, and a row of windows that is not a whole vector */
        x = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 3, 40, 40));
        x = nn_conv2d(net, "a", x, &(nn_conv2d_desc){.out_channels = 13, .kernel = 3, .padding = 1});
        x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    } else if (which == 1) { /* panels: of Winograd, of a block, strided and of 1 x 1 */
        x = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 12, 20, 20));
        x = nn_conv2d(net, "a", x, &(nn_conv2d_desc){.out_channels = 35, .kernel = 3, .padding = 1});
        x = nn_conv2d(net, "b", nn_relu(net, x),
                      &(nn_conv2d_desc){.out_channels = 42, .kernel = 3, .padding = 1});
        x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
        x = nn_conv2d(net, "c", x, &(nn_conv2d_desc){.out_channels = 23, .kernel = 1});
        x = nn_conv2d(net, "d", nn_relu6(net, x), &(nn_conv2d_desc){.out_channels = 19,
                                                                    .kernel = 5, .stride = 2});
    } else { /* products */
        x = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 48, 100));
        x = nn_relu(net, nn_linear(net, "a", x, &(nn_linear_desc){.out_features = 77}));
        x = nn_linear(net, "b", x, &(nn_linear_desc){.out_features = 45});
    }
    return nn_linear(net, "out", nn_flatten(net, x), &(nn_linear_desc){.out_features = 5});
}

/* Returns the hash of the net after two steps; 0: this build or this machine lacks the set. */
static uint32_t train_wide(nn_instruction_set set, int which, int threads) {
    static float in[WIDE_BATCH * WIDE_NUMBERS];
    const int32_t labels[WIDE_BATCH] = {0, 3, 1, 4};
    nn_context *nn = OPEN_WITH_SET(&((nn_desc){.threads = threads, .instructions = set}));
    if (!nn) return 0;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDE_NUMBERS)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH)),
            *y = nn_cross_entropy(net, describe_wide(net, x, which), label, NULL);
    nn_trainer *trainer =
        nn_make_trainer(net, y, &(nn_trainer_desc){.batch = WIDE_BATCH, .optimizer = NN_ADAM});
    for (int i = 0; i < WIDE_BATCH * WIDE_NUMBERS; i++)
        in[i] = (float)((uint32_t)(i + 1) * 2654435761u >> 8) / 16777216.0f - 0.5f;
    bool fine = trainer && nn_upload(nn_trainer_plan(trainer), x, in, sizeof in) == NN_OK &&
                nn_upload(nn_trainer_plan(trainer), label, labels, sizeof labels) == NN_OK;
    for (int step = 0; fine && step < 2; step++) fine = nn_train_on_inputs(trainer) == NN_OK;
    const uint32_t hash = fine ? hash_of(net) : 0;
    if (test_wrong(!hash)) test_fail(__FILE__, __LINE__, "wide net %d: %s", which, nn_error(nn));
    nn_close(nn);
    return hash;
}

/* All portable sets that are here give the same bytes. */
static void wide(void) {
    static const nn_instruction_set sets[] = {
        NN_INSTRUCTIONS_PORTABLE, NN_INSTRUCTIONS_PORTABLE_AVX2, NN_INSTRUCTIONS_PORTABLE_AVX512};
    for (int which = 0; which < WIDE_NETS; which++) {
        uint32_t expected = 0;
        for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
            const uint32_t hash = train_wide(sets[i], which, 1 + 2 * (int)(i % 2));
            if (!expected) expected = hash;
            if (test_wrong(hash && hash != expected))
                test_fail(__FILE__, __LINE__, "wide net %d has the hash 0x%08x with set %d, not 0x%08x",
                          which, (unsigned)hash, (int)sets[i], (unsigned)expected);
        }
    }
}

/* Without NN_WITH_PORTABLE, and with a set that is not portable, nn_open says what to do. */
static void refusals(void) {
    char words[400] = "";
    nn_text said = {words, sizeof words, 0};
    nn_desc desc = {.arithmetic = NN_ARITHMETIC_PORTABLE, .instructions = NN_INSTRUCTIONS_PLAIN};
    desc.log.function = nn_write_text, desc.log.user = &said;
    ENSURE(!nn_open(&desc));
    ENSURE(strstr(words, "nn_open: desc.arithmetic is NN_ARITHMETIC_PORTABLE, which "));
    ENSURE(strstr(words, "NN_WITH_PORTABLE") || strstr(words, "leave one of them 0"));
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(any_processor);
    RUN(avx2);
    RUN(avx512);
    RUN(wide);
    RUN(refusals);
    return test_report();
}
