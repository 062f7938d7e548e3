/* audio/nam.c - nn_nam_net: the frame of a .nam file, and its smaller architectures.

   A file has one list of weights, in the order in which NeuralAmpModelerCore reads them:
     LSTM     for each layer: the weights of input and state side by side (4 H, in + H), one bias (4
              H), the initial h and c; then the head (out, H) and its bias
     Linear   an impulse response, newest sample first, and a bias
     ConvNet  for each block: a convolution of two taps, then its bias, or a batch norm (mean,
              variance, weight, bias, epsilon), which is folded into the convolution; then the head
     WaveNet  see wavenet.c */
#include "audio/private.h"

static nn_node *nn__audio_linear(nn__audio_file *file, size_t config) {
    char name[NN_NAME_BYTES];
    nn__audio_conv conv;
    nn_node *x;
    float *to;
    memset(&conv, 0, sizeof conv);
    conv.in = conv.out = conv.dilation = conv.groups = 1;
    nn__audio_whole(file, config, "in_channels", 1, 1, 1);
    nn__audio_whole(file, config, "out_channels", 1, 1, 1);
    conv.kernel = nn__audio_whole(file, config, "receptive_field", 0, 1, NN__AUDIO_KERNEL);
    conv.bias = true;
    x = nn__audio_turned(file, nn__audio_input(file, 1));
    nn__audio_name(file, name, "taps");
    to = nn__audio_weight_of(file, name, "weight", (uint64_t)conv.kernel);
    for (int32_t i = conv.kernel - 1; to && i >= 0; i--) to[i] = nn__audio_take(file);
    to = nn__audio_weight_of(file, name, "bias", 1);
    if (to && nn__audio_truth(file, config, "bias", false)) *to = nn__audio_take(file);
    file->info.output_channels = 1;
    file->info.warm_up = conv.kernel;
    return nn__audio_turned(file, nn__audio_conv_node(file, name, x, &conv));
}

static void nn__audio_take_cell(nn__audio_file *file, const char *name, int layer, int32_t in,
                                int32_t hidden) {
    static const char *const parts[4] = {"weight_ih_l", "weight_hh_l", "bias_ih_l", "bias_hh_l"};
    const uint64_t rows = 4 * (uint64_t)hidden;
    float *to[4];
    for (int i = 0; i < 4; i++) {
        nn__audio_words part;
        memset(&part, 0, sizeof part);
        nn__audio_say(&part, "%s%d", parts[i], (int64_t)layer);
        to[i] = nn__audio_weight_of(file, name, part.text,
                                    i == 0   ? rows * (uint64_t)in
                                    : i == 1 ? rows * (uint64_t)hidden
                                             : rows);
    }
    if (!to[3]) return;
    for (uint64_t row = 0; row < rows; row++) {
        for (int32_t i = 0; i < in; i++) *to[0]++ = nn__audio_take(file);
        for (int32_t i = 0; i < hidden; i++) *to[1]++ = nn__audio_take(file);
    }
    for (uint64_t row = 0; row < rows; row++) to[2][row] = nn__audio_take(file);
    /* bias_hh stays 0; the initial state is not kept: audio.h says why */
    for (int32_t i = 0; i < 2 * hidden; i++) nn__audio_take(file);
}

static nn_node *nn__audio_lstm(nn__audio_file *file, size_t config) {
    char name[NN_NAME_BYTES];
    const int32_t in = nn__audio_whole(file, config, "input_size", 0, 1, NN__AUDIO_CHANNELS);
    const int32_t hidden = nn__audio_whole(file, config, "hidden_size", 0, 1, NN__AUDIO_CHANNELS);
    const int32_t layers = nn__audio_whole(file, config, "num_layers", 0, 1, 64);
    const int32_t out = nn__audio_whole(file, config, "out_channels", 1, 1, NN__AUDIO_CHANNELS);
    nn_node *x = nn__audio_input(file, in);
    nn_lstm_desc lstm;
    nn_linear_desc head;
    float *to;
    if (nn__audio_whole(file, config, "in_channels", in, 1, NN__AUDIO_CHANNELS) != in)
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "\"in_channels\" differs from \"input_size\", which is %d", (int64_t)in);
    nn__audio_name(file, name, "lstm");
    for (int i = 0; i < layers; i++)
        nn__audio_take_cell(file, name, i, i == 0 ? in : hidden, hidden);
    file->info.output_channels = out;
    file->info.warm_up = file->info.sample_rate >= 4 ? (int32_t)(0.5 * file->info.sample_rate) : 1;
    if (file->describing) {
        memset(&lstm, 0, sizeof lstm);
        lstm.hidden_size = hidden;
        lstm.layers = layers;
        lstm.stateful = true;
        nn_use_states(file->net);
        x = nn_lstm_at(file->site, file->net, name, x, &lstm);
    }
    nn__audio_name(file, name, "head");
    to = nn__audio_weight_of(file, name, "weight", (uint64_t)out * (uint64_t)hidden);
    for (int32_t i = 0; to && i < out * hidden; i++) to[i] = nn__audio_take(file);
    to = nn__audio_weight_of(file, name, "bias", (uint64_t)out);
    for (int32_t i = 0; to && i < out; i++) to[i] = nn__audio_take(file);
    if (!file->describing) return NULL;
    memset(&head, 0, sizeof head);
    head.out_features = out;
    return nn_linear_at(file->site, file->net, name, x, &head);
}

/* Takes the weights of a convolution and of the batch norm after it, as one convolution. */
static void nn__audio_take_folded(nn__audio_file *file, const char *name,
                                  const nn__audio_conv *conv) {
    const int32_t row = conv->in / conv->groups * conv->kernel;
    float *weight = nn__audio_weight_of(file, name, "weight", (uint64_t)conv->out * (uint64_t)row);
    float *bias = nn__audio_weight_of(file, name, "bias", (uint64_t)conv->out);
    const size_t bytes = 3 * (size_t)conv->out * sizeof(float); /* mean, variance, weight */
    float *norm = bias ? (float *)nn_take_memory(file->nn, bytes) : NULL;
    double epsilon;
    if (!norm) {
        nn__audio_fail(file, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)bytes);
        return;
    }
    for (int32_t i = 0; i < conv->out * row; i++) weight[i] = nn__audio_take(file);
    for (int32_t i = 0; i < 3 * conv->out; i++) norm[i] = nn__audio_take(file);
    for (int32_t i = 0; i < conv->out; i++) bias[i] = nn__audio_take(file);
    epsilon = (double)nn__audio_take(file);
    for (int32_t k = 0; k < conv->out; k++) {
        const double variance = (double)norm[conv->out + k] + epsilon;
        const double scale = (double)norm[2 * conv->out + k] / sqrt(variance);
        if (!(variance > 0))
            nn__audio_fail(file, NN_ERROR_FORMAT,
                           "a running variance of its batch norm plus epsilon is not above 0");
        for (int32_t i = 0; i < row; i++)
            weight[k * row + i] = (float)((double)weight[k * row + i] * scale);
        bias[k] = (float)((double)bias[k] - scale * (double)norm[k]);
    }
    nn_give_memory(file->nn, norm, bytes);
}

static nn_node *nn__audio_convnet(nn__audio_file *file, size_t config) {
    char name[NN_NAME_BYTES];
    const size_t dilations = nn__audio_want(file, config, "dilations", '[');
    const size_t activation = nn__audio_member(file, config, "activation");
    const bool norm = nn__audio_truth(file, config, "batchnorm", false);
    nn__audio_conv conv;
    nn_node *x;
    int block = 0;
    conv.in = nn__audio_whole(file, config, "in_channels", 1, 1, NN__AUDIO_CHANNELS);
    conv.out = nn__audio_whole(file, config, "channels", 0, 1, NN__AUDIO_CHANNELS);
    conv.groups = nn__audio_whole(file, config, "groups", 1, 1, NN__AUDIO_CHANNELS);
    conv.kernel = 2;
    conv.bias = true;
    x = nn__audio_turned(file, nn__audio_input(file, conv.in));
    file->info.warm_up = 1;
    for (size_t at = nn__audio_first(file, dilations); at && !file->failed; block++) {
        conv.dilation = nn__audio_whole_at(file, at, "dilations", 1, NN__AUDIO_KERNEL);
        nn__audio_name(file, name, "blocks.%d.conv", block);
        if (block == NN__AUDIO_LAYERS)
            nn__audio_fail(file, NN_ERROR_LIMIT, "\"dilations\" has more than 1,024 elements");
        if (conv.in % conv.groups != 0 || conv.out % conv.groups != 0)
            nn__audio_fail(file, NN_ERROR_FORMAT,
                           "\"groups\" does not divide the numbers of input and output channels");
        if (norm && !file->describing && !file->failed) nn__audio_take_folded(file, name, &conv);
        x = norm ? nn__audio_conv_node(file, name, x, &conv)
                 : nn__audio_take_conv(file, name, x, &conv);
        nn__audio_name(file, name, "blocks.%d.activation", block);
        x = nn__audio_nam_activation(file, activation, name, x, conv.out);
        file->info.warm_up += conv.dilation;
        conv.in = conv.out;
        at = nn__audio_next(file, at);
    }
    if (block == 0) nn__audio_fail(file, NN_ERROR_FORMAT, "\"dilations\" is empty");
    conv.out = nn__audio_whole(file, config, "out_channels", 1, 1, NN__AUDIO_CHANNELS);
    conv.kernel = conv.dilation = conv.groups = 1;
    nn__audio_name(file, name, "head");
    file->info.output_channels = conv.out;
    return nn__audio_turned(file, nn__audio_take_conv(file, name, x, &conv));
}

/* ---- the frame ------------------------------------------------------------------------------- */

/* Checks that the version is from 0.5 to 0.7, such as "0.5.4". */
static void nn__audio_check_version(nn__audio_file *file, size_t root) {
    const size_t version = nn__audio_want(file, root, "version", '"');
    char text[64];
    nn__audio_string(file, version, text);
    if (!file->failed && !(strncmp(text, "0.", 2) == 0 && text[2] >= '5' && text[2] <= '7' &&
                           text[3] == '.'))
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "the file has \"version\" %q; versions 0.5 to 0.7 are supported", text);
}

/* Returns the last net of a container, which is its largest, or the net of a plain file. */
static size_t nn__audio_largest(nn__audio_file *file, size_t root) {
    while (!file->failed && nn__audio_is(file, nn__audio_member(file, root, "architecture"),
                                         "SlimmableContainer")) {
        const size_t config = nn__audio_want(file, root, "config", '{');
        size_t last = 0;
        for (size_t at = nn__audio_first(file, nn__audio_want(file, config, "submodels", '['));
             at; at = nn__audio_next(file, at))
            last = at;
        nn__audio_check_version(file, root);
        root = nn__audio_want(file, last, "model", '{');
    }
    return root;
}

static nn_node *nn__audio_nam(nn__audio_file *file, size_t root) {
    size_t architecture, config, weights, rate;
    nn_node *y = NULL;
    char text[64];
    root = nn__audio_largest(file, root);
    nn__audio_check_version(file, root);
    architecture = nn__audio_want(file, root, "architecture", '"');
    config = nn__audio_want(file, root, "config", '{');
    weights = nn__audio_want(file, root, "weights", '[');
    rate = nn__audio_member(file, root, "sample_rate");
    if (file->failed) return NULL;
    file->info.sample_rate = nn__audio_number(file, rate);
    if (!(file->info.sample_rate >= 0 && file->info.sample_rate < 1e9)) {
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "\"sample_rate\" is not a number of Hz from 0 to 1e9");
        file->info.sample_rate = 0; /* the rest of the file is read with this rate */
    }
    file->stream = nn__audio_first(file, weights);
    file->stream_count = nn__audio_length(file, weights);
    memcpy(file->layer, nn__audio_string(file, architecture, text), sizeof text);
    if (nn__audio_is(file, architecture, "LSTM")) y = nn__audio_lstm(file, config);
    else if (nn__audio_is(file, architecture, "WaveNet")) y = nn__audio_wavenet(file, config);
    else if (nn__audio_is(file, architecture, "ConvNet")) y = nn__audio_convnet(file, config);
    else if (nn__audio_is(file, architecture, "Linear")) y = nn__audio_linear(file, config);
    else
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "this \"architecture\" is not supported; WaveNet, LSTM, ConvNet, Linear and "
                       "SlimmableContainer are");
    if (!file->describing && file->stream)
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "its \"config\" needs %d weights, but \"weights\" has %d", file->streamed,
                       file->stream_count);
    return y;
}

NN_API nn_node *nn_nam_net_at(nn_site site, nn_model *net, const char *path,
                              const nn_audio_desc *desc) {
    return nn__audio_net(site, net, "nn_nam_net", path, desc, nn__audio_nam);
}
