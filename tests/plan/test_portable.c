/* Portable arithmetic: five nets train to the same bytes on every processor, compiler and C
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
    RUN(refusals);
    return test_report();
}
