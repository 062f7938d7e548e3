/* tests/fuzz/fuzz_audio.c - reads any bytes as a file of RTNeural and of Neural Amp Modeler. There
   must be no crash and no leak, and either an error or a net, which is planned and run if it is
   small.

   The fuzzer:
   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_audio.c
   Its small corpus, for `make test`:
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_audio.c */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_AUDIO_IMPLEMENTATION
#include "nn_audio.h"

#define FUZZ_NAME "fuzz_audio"
#include "fuzz.h"

#include "../audio/audio_files.h"

enum { FUZZ_SAMPLES = 4 };

/* Runs a net on a few samples if it has few weights and channels. */
static bool fuzz_play(nn_model *net, nn_node *y, const nn_audio_info *info) {
    float in[FUZZ_SAMPLES * 16] = {0}, out[FUZZ_SAMPLES * 16];
    const void *inputs[] = {in};
    void *outputs[] = {out};
    nn_plan_desc desc;
    nn_plan *plan;
    uint64_t bytes = 0;
    memset(&desc, 0, sizeof desc);
    desc.outputs = NN_NODES(y);
    desc.time = FUZZ_SAMPLES;
    fuzz_ensure(strcmp(nn_node_name(info->input), "amp.input") == 0);
    fuzz_ensure(info->input_channels > 0 && info->output_channels > 0 && info->warm_up >= 0);
    if (nn_parameter_elements(net) > 10000) return true;
    if (info->input_channels > 16 || info->output_channels > 16) return true;
    desc.dry_run = true;
    plan = nn_make_plan(net, &desc);
    if (!plan) return false;
    for (int c = 0; c < NN_MEMORY_CATEGORY_COUNT; c++)
        bytes += nn_plan_bytes(plan, nn_cpu(), (nn_memory_category)c);
    if (bytes > 1 << 20) return true;
    nn_free_plan(plan);
    desc.dry_run = false;
    plan = nn_make_plan(net, &desc);
    if (!plan || nn_run_on(plan, inputs, outputs) != NN_OK) return false;
    fuzz_touch(out, sizeof *out * FUZZ_SAMPLES * (size_t)info->output_channels);
    return true;
}

static bool fuzz_read(nn_context *nn, bool nam) {
    nn_audio_info info;
    nn_audio_desc desc;
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *y;
    bool described;
    memset(&info, 0, sizeof info);
    memset(&desc, 0, sizeof desc);
    desc.info = &info;
    desc.name = "amp";
    y = nam ? nn_nam_net(net, "f", &desc) : nn_rtneural_net(net, "f", &desc);
    described = nn_fault_count(net) == 0;
    fuzz_ensure(described == (nn_error(nn) == NULL));
    fuzz_ensure(described || (info.input == NULL && nn_parameter_elements(net) == 0));
    if (described) described = fuzz_play(net, y, &info);
    nn_free_model(net);
    return described;
}

/* Each reader refuses files of the other format, so at most one of the two describes a net. */
static bool fuzz_one(nn_context *nn) {
    const bool rtneural = fuzz_read(nn, false);
    if (rtneural) return true;
    nn_clear_error(nn);
    return fuzz_read(nn, true);
}

/* Writes small files: layers of RTNeural; an LSTM, a WaveNet, a ConvNet of Neural Amp Modeler. */
static size_t fuzz_seed(int number, unsigned char *to) {
    static const char *const seeds[] = {
        "{\"in_shape\": [null, null, 1], \"layers\": ["
        "{\"type\": \"conv1d\", \"activation\": \"relu\", \"shape\": [null, null, 4], "
        "\"kernel_size\": [3], \"dilation\": [2], \"groups\": 1, \"weights\": [#3x1x4, #4]}, "
        "{\"type\": \"batchnorm\", \"shape\": [null, null, 4], \"epsilon\": 0.01, "
        "\"weights\": [#4, #4, #4, [~4]]}, "
        "{\"type\": \"gru\", \"activation\": \"tanh\", \"shape\": [null, null, 2], "
        "\"weights\": [#4x6, #2x6, #2x6]}, "
        "{\"type\": \"dense\", \"activation\": \"\", \"shape\": [null, null, 1], "
        "\"weights\": [#2x1, #1]}]}",
        "{\"in_shape\": [null, null, 2], \"layers\": ["
        "{\"type\": \"lstm\", \"activation\": \"\", \"shape\": [null, null, 3], "
        "\"weights\": [#2x12, #3x12, #12]}, "
        "{\"type\": \"prelu\", \"shape\": [null, null, 3], \"weights\": [#1x3]}, "
        "{\"type\": \"activation\", \"activation\": \"softmax\", \"shape\": [null, null, 3], "
        "\"weights\": []}]}",
        "{\"version\": \"0.5.4\", \"architecture\": \"LSTM\", \"config\": {\"input_size\": 1, "
        "\"hidden_size\": 2, \"num_layers\": 1}, \"sample_rate\": 48000, "
        "\"weights\": [@24, @8, !4, @3]}",
        "{\"version\": \"0.5.0\", \"architecture\": \"WaveNet\", \"config\": {\"layers\": ["
        "{\"input_size\": 1, \"condition_size\": 1, \"head_size\": 2, \"channels\": 3, "
        "\"kernel_size\": 3, \"dilations\": [1, 2], \"activation\": \"Tanh\", \"gated\": false, "
        "\"head_bias\": false}, "
        "{\"input_size\": 3, \"condition_size\": 1, \"head_size\": 1, \"channels\": 2, "
        "\"kernel_size\": 3, \"dilations\": [8], \"activation\": \"ReLU\", \"gated\": true, "
        "\"head_bias\": true}], \"head\": null, \"head_scale\": 0.02}, \"weights\": [@147]}",
        "{\"version\": \"0.6.0\", \"architecture\": \"ConvNet\", \"config\": {\"channels\": 2, "
        "\"dilations\": [2, 5], \"batchnorm\": false, \"activation\": {\"type\": \"PReLU\", "
        "\"negative_slope\": 0.3}}, \"weights\": [@6, @10, @3]}",
        "{\"version\": \"0.5.0\", \"architecture\": \"Linear\", \"config\": {\"receptive_field\": "
        "9, \"bias\": true}, \"weights\": [@10]}",
    };
    audio_fill(seeds[number % (int)(sizeof seeds / sizeof *seeds)]);
    memcpy(to, audio_text, audio_size);
    return audio_size;
}
#define FUZZ_WORDS                                                                                 \
    "\"layers\"", "\"weights\"", "[", "]", "{", "}", ",", "null", "true", "-1", "0", "1e39",       \
        "2147483648", "\"WaveNet\"", "\"ConvNet\"", "\"SlimmableContainer\"", "\"submodels\"",     \
        "\"model\"", "\"dilations\"", "\"groups\"", "\"gating_mode\"", "\"kernel_sizes\""
#include "fuzz_main.h"
