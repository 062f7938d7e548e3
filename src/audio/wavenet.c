/* audio/wavenet.c - the WaveNet of Neural Amp Modeler.

   Some arrays of layers follow each other. Each layer is a dilated causal convolution plus a 1 x 1
   convolution of the input (the condition), an activation or a gate, and a 1 x 1 convolution that
   is added to what came in. The sum of all activations of an array goes through the array's head,
   whose result begins the sum of the next array; the last one is the output, times head_scale.
   Source: van den Oord et al., 2016; the fields and the order of weights are those of
   NeuralAmpModelerCore. */
#include "audio/private.h"

typedef struct nn__audio_array {
    size_t at; /* the object */
    int number;
    int32_t in, condition, channels, bottleneck;
    int32_t head_in, head_out, head_kernel, head_dilation, head1x1_groups;
    int32_t groups, mixin_groups, layer1x1_groups;
    bool head_bias, head1x1, layer1x1;
    size_t dilations, kernels, activations, gates, seconds; /* lists, or one value for all */
} nn__audio_array;

/* Returns the element of a list that belongs to a layer; a value that is not a list belongs to
   all. */
static size_t nn__audio_of_layer(nn__audio_file *file, size_t list, int layer, const char *key) {
    size_t at = list;
    if (nn__audio_kind(file, list) != '[') return list;
    at = nn__audio_first(file, list);
    for (int i = 0; i < layer; i++) at = nn__audio_next(file, at);
    if (!at)
        nn__audio_fail(file, NN_ERROR_FORMAT, "%q has fewer elements than \"dilations\"", key);
    return at;
}

static void nn__audio_refuse_fields(nn__audio_file *file, const nn__audio_array *array) {
    static const char *const films[] = {"conv_pre_film",       "conv_post_film",
                                        "input_mixin_pre_film", "input_mixin_post_film",
                                        "activation_pre_film", "activation_post_film",
                                        "layer1x1_post_film",  "head1x1_post_film"};
    for (int i = 0; i < 8; i++) {
        const size_t film = nn__audio_member(file, array->at, films[i]);
        if (film && nn__audio_kind(file, film) != 'f' &&
            nn__audio_truth(file, film, "active", true))
            nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                           "%q is active, and FiLM is not supported; export the net without FiLM",
                           films[i]);
    }
    if (nn__audio_kind(file, nn__audio_member(file, array->at, "slimmable")) == '{')
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "\"slimmable\" channels are not supported; export the net in one size");
}

/* Reads the head of an array: an object, or the older head_size and head_bias. */
static void nn__audio_read_head(nn__audio_file *file, nn__audio_array *array) {
    const size_t head = nn__audio_member(file, array->at, "head");
    const int32_t most = NN__AUDIO_CHANNELS;
    array->head_kernel = array->head_dilation = 1;
    if (!head) {
        array->head_out = nn__audio_whole(file, array->at, "head_size", 0, 1, most);
        array->head_bias = nn__audio_truth(file, array->at, "head_bias", false);
        return;
    }
    array->head_out = nn__audio_whole(file, head, "out_channels", 0, 1, most);
    array->head_kernel = nn__audio_whole(file, head, "kernel_size", 0, 1, NN__AUDIO_KERNEL);
    array->head_dilation = nn__audio_whole(file, head, "head_dilation", 1, 1, NN__AUDIO_KERNEL);
    array->head_bias = nn__audio_truth(file, head, "bias", false);
}

static void nn__audio_read_array(nn__audio_file *file, nn__audio_array *array) {
    const size_t at = array->at, first = nn__audio_member(file, at, "layer1x1"),
                 second = nn__audio_member(file, at, "head1x1");
    const int32_t most = NN__AUDIO_CHANNELS;
    array->in = nn__audio_whole(file, at, "input_size", 0, 1, most);
    array->condition = nn__audio_whole(file, at, "condition_size", 0, 1, most);
    array->channels = nn__audio_whole(file, at, "channels", 0, 1, most);
    array->bottleneck = nn__audio_whole(file, at, "bottleneck", array->channels, 1, most);
    array->groups = nn__audio_whole(file, at, "groups_input", 1, 1, most);
    array->mixin_groups = nn__audio_whole(file, at, "groups_input_mixin", 1, 1, most);
    array->layer1x1 = nn__audio_truth(file, first, "active", true);
    array->layer1x1_groups = nn__audio_whole(file, first, "groups", 1, 1, most);
    array->head1x1 = nn__audio_truth(file, second, "active", false);
    array->head1x1_groups = nn__audio_whole(file, second, "groups", 1, 1, most);
    array->head_in = array->head1x1 ? nn__audio_whole(file, second, "out_channels", 0, 1, most)
                                    : array->bottleneck;
    array->dilations = nn__audio_want(file, at, "dilations", '[');
    array->kernels = nn__audio_member(file, at, "kernel_sizes");
    if (!array->kernels) array->kernels = nn__audio_member(file, at, "kernel_size");
    array->activations = nn__audio_member(file, at, "activation");
    array->gates = nn__audio_member(file, at, "gating_mode");
    array->seconds = nn__audio_member(file, at, "secondary_activation");
    nn__audio_read_head(file, array);
    nn__audio_refuse_fields(file, array);
    if (!array->layer1x1 && array->bottleneck != array->channels)
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "\"bottleneck\" differs from \"channels\", which only a net with "
                       "\"layer1x1\" may have");
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static nn_node *nn__audio_one_by_one(nn__audio_file *file, const nn__audio_array *array,
                                     const char *part, int layer, nn_node *x, int32_t in,
                                     int32_t out, int32_t groups, bool bias) {
    char name[NN_NAME_BYTES];
    nn__audio_conv conv;
    conv.in = in;
    conv.out = out;
    conv.kernel = conv.dilation = 1;
    conv.groups = groups;
    conv.bias = bias;
    if (layer < 0) nn__audio_name(file, name, "arrays.%d.%s", array->number, part);
    else nn__audio_name(file, name, "arrays.%d.layers.%d.%s", array->number, layer, part);
    return nn__audio_take_conv(file, name, x, &conv);
}

static nn_node *nn__audio_plus(nn__audio_file *file, nn_node *a, nn_node *b) {
    return file->describing && a ? nn_add_at(file->site, file->net, a, b) : b;
}

typedef enum nn__audio_gate {
    NN__AUDIO_PLAIN,
    NN__AUDIO_GATED,  /* activation(a) second(b) */
    NN__AUDIO_BLENDED /* second(b) activation(a) + (1 - second(b)) a */
} nn__audio_gate;

static nn__audio_gate nn__audio_gate_of(nn__audio_file *file, const nn__audio_array *array,
                                        int layer) {
    const size_t gate = nn__audio_of_layer(file, array->gates, layer, "gating_mode");
    char text[64];
    if (!gate)
        return nn__audio_truth(file, array->at, "gated", false) ? NN__AUDIO_GATED
                                                                : NN__AUDIO_PLAIN;
    if (nn__audio_is(file, gate, "gated")) return NN__AUDIO_GATED;
    if (nn__audio_is(file, gate, "blended")) return NN__AUDIO_BLENDED;
    if (!nn__audio_is(file, gate, "none"))
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "\"gating_mode\" %q is not supported; none, gated and blended are",
                       nn__audio_string(file, gate, text));
    return NN__AUDIO_PLAIN;
}

/* Returns z (N, bottleneck or twice that, T) after the activation and the gate. */
static nn_node *nn__audio_activate(nn__audio_file *file, const nn__audio_array *array, int layer,
                                   nn__audio_gate gate, nn_node *z) {
    const size_t act = nn__audio_of_layer(file, array->activations, layer, "activation");
    const size_t second = nn__audio_of_layer(file, array->seconds, layer, "secondary_activation");
    char name[NN_NAME_BYTES];
    nn_node *half[2] = {z, NULL}, *a, *b;
    if (gate != NN__AUDIO_PLAIN && file->describing)
        nn_chunk_at(file->site, file->net, z, half, 2, 1);
    nn__audio_name(file, name, "arrays.%d.layers.%d.activation", array->number, layer);
    a = nn__audio_nam_activation(file, act, name, half[0], array->bottleneck);
    if (gate == NN__AUDIO_PLAIN) return a;
    nn__audio_name(file, name, "arrays.%d.layers.%d.secondary", array->number, layer);
    if (second && array->gates)
        b = nn__audio_nam_activation(file, second, name, half[1], array->bottleneck);
    else
        b = file->describing ? nn_sigmoid_at(file->site, file->net, half[1]) : NULL;
    if (!file->describing) return NULL;
    if (gate == NN__AUDIO_GATED) return nn_multiply_at(file->site, file->net, a, b);
    return nn_lerp_at(file->site, file->net, half[0], a, b);
}

/* Describes a layer: *x becomes the next one's input; returns what is added to the head's sum. */
static nn_node *nn__audio_layer_of(nn__audio_file *file, const nn__audio_array *array, int layer,
                                   int32_t dilation, nn_node *condition, nn_node **x) {
    const nn__audio_gate gate = nn__audio_gate_of(file, array, layer);
    const int32_t z_channels = array->bottleneck * (gate == NN__AUDIO_PLAIN ? 1 : 2);
    const size_t kernel = nn__audio_of_layer(file, array->kernels, layer, "kernel_sizes");
    char name[NN_NAME_BYTES];
    nn__audio_conv conv;
    nn_node *z, *mixed, *to_next, *to_head;
    conv.in = array->channels;
    conv.out = z_channels;
    conv.kernel = nn__audio_whole_at(file, kernel, "kernel_size", 1, NN__AUDIO_KERNEL);
    conv.dilation = dilation;
    conv.groups = array->groups;
    conv.bias = true;
    nn__audio_name(file, name, "arrays.%d.layers.%d.conv", array->number, layer);
    if (file->info.warm_up < 1 << 28 && (int64_t)dilation * (conv.kernel - 1) < 1 << 28)
        file->info.warm_up += dilation * (conv.kernel - 1);
    z = nn__audio_take_conv(file, name, *x, &conv);
    mixed = nn__audio_one_by_one(file, array, "mixin", layer, condition, array->condition,
                                 z_channels, array->mixin_groups, false);
    z = nn__audio_activate(file, array, layer, gate, nn__audio_plus(file, z, mixed));
    if (array->layer1x1) {
        to_next = nn__audio_one_by_one(file, array, "layer1x1", layer, z, array->bottleneck,
                                       array->channels, array->layer1x1_groups, true);
        *x = nn__audio_plus(file, *x, to_next);
    }
    to_head = array->head1x1
                  ? nn__audio_one_by_one(file, array, "head1x1", layer, z, array->bottleneck,
                                         array->head_in, array->head1x1_groups, true)
                  : z;
    return to_head;
}

/* Describes an array of layers over *x; returns its head. sum: the head of the array before, or
   NULL. */
static nn_node *nn__audio_array_node(nn__audio_file *file, const nn__audio_array *array,
                                     nn_node *condition, nn_node **x, nn_node *sum) {
    char name[NN_NAME_BYTES];
    nn__audio_conv head;
    int layer = 0;
    *x = nn__audio_one_by_one(file, array, "rechannel", -1, *x, array->in, array->channels, 1,
                              false);
    for (size_t at = nn__audio_first(file, array->dilations); at && !file->failed; layer++) {
        const int32_t dilation = nn__audio_whole_at(file, at, "dilations", 1, NN__AUDIO_KERNEL);
        nn_node *part = nn__audio_layer_of(file, array, layer, dilation, condition, x);
        sum = nn__audio_plus(file, sum, part);
        if (layer == NN__AUDIO_LAYERS)
            nn__audio_fail(file, NN_ERROR_LIMIT, "more than 1,024 layers");
        at = nn__audio_next(file, at);
    }
    if (layer == 0) nn__audio_fail(file, NN_ERROR_FORMAT, "\"dilations\" is empty");
    head.in = array->head_in;
    head.out = array->head_out;
    head.kernel = array->head_kernel;
    head.dilation = array->head_dilation;
    head.groups = 1;
    head.bias = array->head_bias;
    if (file->info.warm_up < 1 << 28 && (int64_t)head.dilation * (head.kernel - 1) < 1 << 28)
        file->info.warm_up += head.dilation * (head.kernel - 1);
    nn__audio_name(file, name, "arrays.%d.head", array->number);
    return nn__audio_take_conv(file, name, sum, &head);
}

/* Returns the head after all arrays: an activation and a convolution, one or more times. */
static nn_node *nn__audio_last_head(nn__audio_file *file, size_t head, nn_node *y,
                                    int32_t channels) {
    const size_t kernels = nn__audio_want(file, head, "kernel_sizes", '[');
    const size_t act = nn__audio_member(file, head, "activation");
    const int32_t middle = nn__audio_whole(file, head, "channels", 0, 1, NN__AUDIO_CHANNELS);
    const int32_t out = nn__audio_whole(file, head, "out_channels", 0, 1, NN__AUDIO_CHANNELS);
    char name[NN_NAME_BYTES];
    nn__audio_conv conv;
    int number = 0;
    if (nn__audio_whole(file, head, "in_channels", channels, 1, NN__AUDIO_CHANNELS) != channels)
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "head: \"in_channels\" differs from the width of the last head, %d",
                       (int64_t)channels);
    if (!file->failed && !nn__audio_first(file, kernels))
        nn__audio_fail(file, NN_ERROR_FORMAT, "head: \"kernel_sizes\" is empty");
    conv.in = channels;
    conv.dilation = conv.groups = 1;
    conv.bias = true;
    for (size_t at = nn__audio_first(file, kernels); at && !file->failed; number++) {
        const size_t next = nn__audio_next(file, at);
        if (number == NN__AUDIO_LAYERS)
            nn__audio_fail(file, NN_ERROR_LIMIT, "head: more than 1,024 layers");
        conv.kernel = nn__audio_whole_at(file, at, "kernel_sizes", 1, NN__AUDIO_KERNEL);
        conv.out = next ? middle : out;
        nn__audio_name(file, name, "head.%d.activation", number);
        y = nn__audio_nam_activation(file, act, name, y, conv.in);
        nn__audio_name(file, name, "head.%d", number);
        y = nn__audio_take_conv(file, name, y, &conv);
        if (file->info.warm_up < 1 << 28) file->info.warm_up += conv.kernel - 1;
        conv.in = conv.out;
        at = next;
    }
    file->info.output_channels = out;
    return y;
}

NN__AUDIO_PRIVATE nn_node *nn__audio_wavenet(nn__audio_file *file, size_t config) {
    const size_t arrays = nn__audio_want(file, config, "layers", '[');
    const size_t head = nn__audio_member(file, config, "head");
    const int32_t in = nn__audio_whole(file, config, "in_channels", 1, 1, NN__AUDIO_CHANNELS);
    nn_node *condition = nn__audio_turned(file, nn__audio_input(file, in)), *x = condition,
            *y = NULL;
    nn__audio_array array;
    int32_t before = in, head_before = 0;
    memset(&array, 0, sizeof array);
    file->info.warm_up = 1;
    if (nn__audio_member(file, config, "condition_dsp"))
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "\"condition_dsp\" is not supported; export the net without it");
    for (array.at = nn__audio_first(file, arrays); array.at && !file->failed; array.number++) {
        nn__audio_words words;
        memset(&words, 0, sizeof words);
        nn__audio_say(&words, "WaveNet, layers[%d]", (int64_t)array.number);
        memcpy(file->layer, words.text, sizeof file->layer - 1);
        nn__audio_read_array(file, &array);
        if (array.in != before || array.condition != in ||
            (head_before && array.head_in != head_before))
            nn__audio_fail(file, NN_ERROR_FORMAT,
                           "\"input_size\", \"condition_size\" and the width of the head are %d, "
                           "%d and %d; the layers before give %d, %d and %d",
                           (int64_t)array.in, (int64_t)array.condition, (int64_t)array.head_in,
                           (int64_t)before, (int64_t)in,
                           (int64_t)(head_before ? head_before : array.head_in));
        if (!file->failed) y = nn__audio_array_node(file, &array, condition, &x, y);
        before = array.channels;
        head_before = array.head_out;
        array.at = nn__audio_next(file, array.at);
    }
    if (array.number == 0) nn__audio_fail(file, NN_ERROR_FORMAT, "\"layers\" is empty");
    file->info.output_channels = head_before;
    if (!file->describing || !head) memcpy(file->layer, "WaveNet", sizeof "WaveNet");
    /* The scale is the last weight, but it is used before the last head. */
    y = nn__audio_scaled(file, y, file->scale);
    if (head) y = nn__audio_last_head(file, head, y, head_before);
    if (!file->describing) file->scale = nn__audio_take(file);
    return nn__audio_turned(file, y);
}
