/* Tests nets of RTNeural and Neural Amp Modeler: every layer against the results of those
   libraries, blocks of any length, the messages of mistakes, and damaged files. */
#define NN_IMPLEMENTATION
#define NN_AUDIO_IMPLEMENTATION
#include "nn_audio.h"

#include "audio_cases.h"
#include "test.h"

enum { SAMPLES = 60 };
static char said[4000];
static nn_text words = {said, sizeof said, 0};

static nn_context *open_quietly(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.log.function = nn_write_text, desc.log.user = &words;
    words.length = 0, said[0] = 0;
    return nn_open(&desc);
}

static nn_node *describe(nn_model *net, const char *name, nn_audio_desc *desc) {
    desc->bytes = audio_text, desc->size = audio_size;
    return strstr(name, ".json") ? nn_rtneural_net(net, NULL, desc) : nn_nam_net(net, NULL, desc);
}

/* Runs the file in audio_text in blocks of this length. */
static bool play(const char *name, int block, float y[SAMPLES]) {
    nn_context *nn = open_quietly();
    nn_model *net = nn_make_model(nn, NULL);
    nn_audio_info info;
    nn_audio_desc desc;
    memset(&info, 0, sizeof info);
    memset(&desc, 0, sizeof desc);
    desc.info = &info, desc.name = "amp";
    nn_node *out = describe(net, name, &desc);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .time = block});
    bool fine = plan && info.input_channels == 1 && info.output_channels == 1;
    for (int t = 0; fine && t < SAMPLES; t += block) {
        float in[SAMPLES];
        const void *inputs[] = {in};
        void *outputs[] = {y + t};
        for (int i = 0; i < block; i++) in[i] = audio_input(t + i);
        fine = nn_run_on(plan, inputs, outputs) == NN_OK;
    }
    nn_close(nn);
    return fine;
}

static void like_the_others(void) {
    for (int i = 0; i < AUDIO_CASES; i++) {
        float y[SAMPLES], largest = 0;
        audio_fill(audio_cases[i].text);
        const bool fine = play(audio_cases[i].name, 1, y);
        if (test_wrong(!fine)) test_fail(__FILE__, __LINE__, "%s: %s", audio_cases[i].name, said);
        for (int t = 0; fine && t < SAMPLES; t++) largest = fmaxf(largest, fabsf(y[t]));
        for (int k = 0; fine && k < 12; k++)
            ENSURE_CLOSE(y[k < 6 ? k : 44 + k], audio_cases[i].expected[k], 1e-5f * largest);
    }
}

static void blocks(void) {
    static const int lengths[] = {4, 15, 60};
    for (int i = 0; i < AUDIO_CASES; i++) {
        float one[SAMPLES], many[SAMPLES];
        audio_fill(audio_cases[i].text);
        for (int k = 0; k < 3; k++)
            if (test_wrong(!play(audio_cases[i].name, 1, one) ||
                           !play(audio_cases[i].name, lengths[k], many) ||
                           memcmp(one, many, sizeof one) != 0))
                test_fail(__FILE__, __LINE__, "%s in blocks of %d", audio_cases[i].name,
                          lengths[k]);
    }
}

/* ---- mistakes -------------------------------------------------------------------------------- */

/* Replaces the first place of a text in the file. */
static void replace(const char *from, const char *to) {
    char *at = strstr(audio_text, from);
    if (!at) {
        test_fail(__FILE__, __LINE__, "no %s", from);
        return;
    }
    const size_t rest = audio_size - (size_t)(at - audio_text) - strlen(from) + 1;
    memmove(at + strlen(to), at + strlen(from), rest);
    memcpy(at, to, strlen(to));
    audio_size = audio_size - strlen(from) + strlen(to);
}

static void mistakes(void) {
    static const struct {
        int file;
        const char *from, *to, *says;
    } edits[] = {
        {0, "\"gru\"", "\"conv2d\"", "layers[4] (conv2d): layers of type \"conv2d\""},
        {0, "\"relu\"", "\"selu\"",
         "layers[1] (conv1d): the activation \"selu\" is not one of RTNeural"},
        {0, "\"groups\": 2", "\"groups\": 5", "\"groups\""},
        {0, "[3]", "[4]", "weights[0]: a list of 4 was expected"},
        {0, "[3]", "[3.5]", "\"kernel_size\" is not a whole number"},
        {0, "\"epsilon\": 0.01", "\"epsilon\": -1", "\"epsilon\" is not above 0"},
        {0, "in_shape", "inshape", "nn_load_weights"},
        {0, "null, 5]", "null, 6]", "layers[4] (gru)"},
        {0, "null, 5]", "null, 99999]", "\"shape\" is not a whole number from 1 to 4096"},
        {0, ": [null", ": [NaN", "line 1 is not JSON"},
        {1, "0.5.4", "0.9.0", "\"version\" \"0.9.0\""},
        {1, "LSTM", "GRU", "this \"architecture\" is not supported"},
        {1, "\"hidden_size\": 3", "\"hidden_size\": 4", "more weights than the 160"},
        {1, "\"hidden_size\": 3", "\"hidden_size\": 2", "\"weights\" has 160"},
        {1, "48000", "-1", "\"sample_rate\" is not a number of Hz"},
        {1, "48000", "1e999", "\"sample_rate\" is not a number of Hz"},
        {1, "\"num_layers\": 2", "\"num_layers\": -2", "\"num_layers\" is not a whole number"},
        {1, "\"weights\": [", "\"weights\": [1e99, ", "not a number in the range of f32"},
        {2, "Tanh", "Fasttanh", "write Tanh instead"},
        {2, "\"kernel_size\": 3", "\"kernel_size\": 3000000", "\"kernel_size\" is not a whole"},
        {2, "\"input_size\": 3", "\"input_size\": 4", "WaveNet, layers[1]: \"input_size\""},
        {2, "\"head\": null", "\"condition_dsp\": {}", "\"condition_dsp\" is not supported"},
        {3, "\"active\": false, \"shift\"", "\"active\": true, \"shift\"", "\"conv_pre_film\""},
        {3, "blended", "mixed", "\"gating_mode\" \"mixed\""},
        {3, "[0.04, 0.5]", "[0.04]", "\"negative_slopes\" has 1 numbers for 2 channels"},
        {3, "[2, 3, 2]", "[2, 3]", "fewer elements than \"dilations\""},
        {3, "\"groups_input\": 2", "\"groups_input\": 3", "3 \"groups\" do not divide 4"},
        {4, "0.01", "-90", "a running variance of its batch norm"},
        {6, "\"receptive_field\": 9", "\"receptive_field\": 0", "\"receptive_field\""},
    };
    for (int i = 0; i < (int)(sizeof edits / sizeof *edits); i++) {
        nn_context *nn;
        nn_audio_desc desc;
        nn_audio_info info;
        nn = open_quietly();
        nn_model *net = nn_make_model(nn, NULL);
        memset(&desc, 0, sizeof desc);
        memset(&info, 77, sizeof info);
        desc.info = &info;
        audio_fill(audio_cases[edits[i].file].text);
        replace(edits[i].from, edits[i].to);
        const uint64_t before = nn_context_memory(nn).live_bytes;
        nn_node *y = describe(net, audio_cases[edits[i].file].name, &desc);
        if (test_wrong(!y || !nn_error(nn) || !strstr(said, edits[i].says) ||
                       !strstr(said, "test_audio.c:") || nn_fault_count(net) != 1 ||
                       nn_parameter_count(net) != 0 || info.input_channels != 0x4d4d4d4d))
            test_fail(__FILE__, __LINE__, "%s -> %s says: %s", edits[i].from, edits[i].to, said);
        ENSURE(!nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y)}));
        ENSURE(nn_context_memory(nn).live_bytes < before + 20000);
        nn_close(nn);
    }
}

static void arguments(void) {
    nn_context *nn = open_quietly();
    nn_model *net = nn_make_model(nn, NULL);
    nn_audio_desc desc;
    memset(&desc, 0, sizeof desc);
    ENSURE(!nn_nam_net(NULL, "x.nam", (const nn_audio_desc *)NULL));
    nn_nam_net(net, NULL, (const nn_audio_desc *)NULL);
    ENSURE(strstr(said, "give either a path or desc.bytes"));
    nn_rtneural_net(net, "absent.json", (const nn_audio_desc *)NULL);
    ENSURE(strstr(said, "\"absent.json\" cannot be opened"));
    ENSURE(nn_fault_count(net) == 2);
    nn_close(nn);

    nn = open_quietly(), net = nn_make_model(nn, NULL);
    audio_fill(audio_cases[6].text);
    desc.input = nn_input(net, "wide", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2));
    describe(net, "linear.nam", &desc);
    ENSURE(strstr(said, "desc.input \"wide\" is not an f32 node of shape (NN_BATCH, NN_TIME, 1)"));
    nn_close(nn);

    nn = open_quietly(), net = nn_make_model(nn, &(nn_model_desc){.dtype = NN_F16});
    desc.input = NULL;
    describe(net, "linear.nam", &desc);
    ENSURE(strstr(said, "make the model with .dtype = NN_F32"));
    nn_close(nn);

    FILE *file = fopen("linear.nam", "wb"); /* the file is read from a path, twice, under two names
                                               */
    ENSURE(file);
    fwrite(audio_text, 1, audio_size, file), fclose(file);
    nn = open_quietly(), net = nn_make_model(nn, NULL);
    nn_nam_net(net, "linear.nam", &(nn_audio_desc){.name = "a"});
    nn_nam_net(net, "./linear.nam", &(nn_audio_desc){.name = "b"});
    ENSURE(nn_fault_count(net) == 0 && nn_find_tensor(net, "a.taps.weight") &&
           nn_find_tensor(net, "b.taps.bias") && !nn_error(nn));
    nn_nam_net(net, "linear.nam", &(nn_audio_desc){.name = "a"}); /* the name is taken */
    ENSURE(nn_fault_count(net) > 0);
    nn_close(nn);
}

/* ---- damaged files --------------------------------------------------------------------------- */

/* Describes any file: either it works, or there are an error and a fault. */
static bool survives(const char *name, const char *bytes, size_t size) {
    nn_context *nn = open_quietly();
    nn_model *net = nn_make_model(nn, NULL);
    nn_audio_desc desc;
    char *exact = (char *)malloc(size + 1); /* so that a sanitizer sees its end */
    bool fine = exact != NULL;
    if (fine) memcpy(exact + 1, bytes, size);
    memset(&desc, 0, sizeof desc);
    desc.bytes = exact + 1, desc.size = size;
    nn_node *y = strstr(name, ".json") ? nn_rtneural_net(net, NULL, &desc)
                                       : nn_nam_net(net, NULL, &desc);
    fine = fine && y && (nn_fault_count(net) > 0) == (nn_error(nn) != NULL);
    nn_close(nn);
    free(exact);
    return fine;
}

static void cut_off(void) {
    for (int i = 0; i < AUDIO_CASES; i++) {
        audio_fill(audio_cases[i].text);
        for (size_t size = 0; size < audio_size; size++)
            if (test_wrong(!survives(audio_cases[i].name, audio_text, size)))
                test_fail(__FILE__, __LINE__, "%s cut off at %d", audio_cases[i].name, (int)size);
    }
}

static void flipped_bits(void) {
    for (int i = 0; i < 2000; i++) {
        uint32_t at[4];
        const audio_case *one = &audio_cases[i % AUDIO_CASES];
        audio_fill(one->text);
        nn_random_words(5, 1, (uint64_t)i, at);
        audio_text[at[0] % audio_size] ^= (char)(1 << at[1] % 7);
        if (test_wrong(!survives(one->name, audio_text, audio_size)))
            test_fail(__FILE__, __LINE__, "%s with bit flip %d: %s", one->name, i, said);
    }
}

static void deep(void) {
    char text[400];
    memset(text, '[', sizeof text);
    memcpy(text, "{\"a\":", 5);
    ENSURE(survives("x.nam", text, sizeof text) && strstr(said, "nested more than 64 deep"));
    ENSURE(survives("x.json", "{}", 2) && strstr(said, "\"in_shape\" or the list"));
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(like_the_others);
    RUN(blocks);
    RUN(mistakes);
    RUN(arguments);
    RUN(cut_off);
    RUN(flipped_bits);
    RUN(deep);
    return test_report();
}
