/* audio/rtneural.c - nn_rtneural_net: the layers of RTNeural's exporter for Keras.

   Keras' order of axes and gates becomes PyTorch's: a dense kernel is (in, out), that of a
   convolution (kernel, in / groups, out), those of recurrent layers are (in, gates H); gates are z
   r h (gru) and i f c o (lstm). */
#include "audio/private.h"

typedef struct nn__audio_layer {
    size_t at; /* the layer's object */
    size_t weights;
    char name[NN_NAME_BYTES];
    int32_t in, out;
} nn__audio_layer;

/* Reads a nested list of numbers with these extents, at most 3. Element i, j, k goes to to[i *
   step[0] + j * step[1] + k * step[2]]. */
static void nn__audio_read(nn__audio_file *file, size_t list, const char *what, int rank,
                           const int32_t *extent, const int32_t *step, float *to) {
    if (file->failed) return;
    if (rank == 0) {
        const float number = nn__audio_float(file, list);
        if (to) *to = number;
        return;
    }
    if (nn__audio_kind(file, list) != '[' || nn__audio_length(file, list) != extent[0]) {
        nn__audio_fail(file, NN_ERROR_FORMAT, "%s: a list of %d was expected, not %s of %d", what,
                       (int64_t)extent[0], nn__audio_kind(file, list) == '[' ? "one" : "a value",
                       nn__audio_length(file, list));
        return;
    }
    for (size_t at = nn__audio_first(file, list); at; at = nn__audio_next(file, at)) {
        nn__audio_read(file, at, what, rank - 1, extent + 1, step + 1, to);
        if (to) to += step[0];
    }
}

/* Returns the weight with this number of a layer; 0 after an error. */
static size_t nn__audio_part(nn__audio_file *file, const nn__audio_layer *layer, int number) {
    size_t at = nn__audio_first(file, layer->weights);
    for (int i = 0; i < number; i++) at = nn__audio_next(file, at);
    if (!at)
        nn__audio_fail(file, NN_ERROR_FORMAT, "\"weights\" has no element %d", (int64_t)number);
    return at;
}

static void nn__audio_read_vector(nn__audio_file *file, const nn__audio_layer *layer, int number,
                                  const char *part, int32_t count) {
    const int32_t one = 1;
    float *to = nn__audio_weight_of(file, layer->name, part, (uint64_t)count);
    if (to)
        nn__audio_read(file, nn__audio_part(file, layer, number), part, 1, &count, &one, to);
}

/* Reads a matrix (rows, columns) of the file and transposes it to (columns, rows). */
static void nn__audio_read_turned(nn__audio_file *file, size_t at, const char *what, int32_t rows,
                                  int32_t columns, float *to) {
    const int32_t extent[2] = {rows, columns}, step[2] = {1, rows};
    if (to) nn__audio_read(file, at, what, 2, extent, step, to);
}

static nn_node *nn__audio_dense(nn__audio_file *file, nn__audio_layer *layer, nn_node *x) {
    const bool bias = nn__audio_length(file, layer->weights) > 1;
    const uint64_t count = (uint64_t)layer->in * (uint64_t)layer->out;
    nn_linear_desc desc;
    float *to = nn__audio_weight_of(file, layer->name, "weight", count);
    if (to)
        nn__audio_read_turned(file, nn__audio_part(file, layer, 0), "weights[0]", layer->in,
                              layer->out, to);
    if (bias) nn__audio_read_vector(file, layer, 1, "bias", layer->out);
    if (file->describing) {
        memset(&desc, 0, sizeof desc);
        desc.out_features = layer->out;
        desc.no_bias = !bias;
        x = nn_linear_at(file->site, file->net, layer->name, x, &desc);
    }
    return nn__audio_keras_activation(file, nn__audio_member(file, layer->at, "activation"), x);
}

/* "kernel_size" and the like are a number or a list with one. */
static int32_t nn__audio_only(nn__audio_file *file, size_t at, const char *key, int32_t absent,
                              int32_t most) {
    size_t value = nn__audio_member(file, at, key);
    if (!value && absent > 0) return absent;
    if (nn__audio_kind(file, value) == '[' && nn__audio_length(file, value) == 1)
        value = nn__audio_first(file, value);
    return nn__audio_whole_at(file, value, key, 1, most);
}

static nn_node *nn__audio_conv_layer(nn__audio_file *file, nn__audio_layer *layer, nn_node *x) {
    nn__audio_conv conv;
    float *to;
    conv.in = layer->in;
    conv.out = layer->out;
    conv.kernel = nn__audio_only(file, layer->at, "kernel_size", 0, NN__AUDIO_KERNEL);
    conv.dilation = nn__audio_only(file, layer->at, "dilation", 1, NN__AUDIO_KERNEL);
    conv.groups = nn__audio_only(file, layer->at, "groups", 1, layer->in);
    conv.bias = true;
    if (nn__audio_only(file, layer->at, "strides", 1, NN__AUDIO_KERNEL) != 1 ||
        nn__audio_only(file, layer->at, "stride", 1, NN__AUDIO_KERNEL) != 1)
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "a stride other than 1 is not supported, as in RTNeural's loader");
    if (layer->in % conv.groups != 0 || layer->out % conv.groups != 0) {
        nn__audio_fail(
            file, NN_ERROR_FORMAT,
            "\"groups\" is %d, which does not divide %d input channels and %d output channels",
            (int64_t)conv.groups, (int64_t)layer->in, (int64_t)layer->out);
        return x;
    }
    to = nn__audio_weight_of(file, layer->name, "weight",
                             (uint64_t)layer->out * (uint64_t)(layer->in / conv.groups) *
                                 (uint64_t)conv.kernel);
    if (to) {
        const int32_t extent[3] = {conv.kernel, layer->in / conv.groups, layer->out};
        const int32_t step[3] = {1, conv.kernel, conv.kernel * (layer->in / conv.groups)};
        nn__audio_read(file, nn__audio_part(file, layer, 0), "weights[0]", 3, extent, step, to);
    }
    nn__audio_read_vector(file, layer, 1, "bias", layer->out);
    x = nn__audio_turned(file, x);
    x = nn__audio_turned(file, nn__audio_conv_node(file, layer->name, x, &conv));
    return nn__audio_keras_activation(file, nn__audio_member(file, layer->at, "activation"), x);
}

/* Exchanges the gates z and r of rows that begin with z: PyTorch has r z n. */
static void nn__audio_swap_gates(float *rows, int32_t hidden, int32_t columns) {
    const size_t block = (size_t)hidden * (size_t)columns;
    for (size_t i = 0; rows && i < block; i++) {
        const float z = rows[i];
        rows[i] = rows[block + i];
        rows[block + i] = z;
    }
}

static void nn__audio_read_gates(nn__audio_file *file, nn__audio_layer *layer, int number,
                                 int32_t gates, int32_t columns, const char *part) {
    const int32_t rows = gates * layer->out;
    float *to = nn__audio_weight_of(file, layer->name, part, (uint64_t)rows * (uint64_t)columns);
    if (!to) return;
    nn__audio_read_turned(file, nn__audio_part(file, layer, number),
                          number == 0 ? "weights[0]" : "weights[1]", columns, rows, to);
    if (gates == 3) nn__audio_swap_gates(to, layer->out, columns);
}

static void nn__audio_read_biases(nn__audio_file *file, nn__audio_layer *layer, int32_t gates) {
    static const char *const parts[2] = {"bias_ih_l0", "bias_hh_l0"};
    const int32_t rows = gates * layer->out, one = 1;
    const size_t list = file->describing ? 0 : nn__audio_part(file, layer, 2);
    size_t at = gates == 3 ? nn__audio_first(file, list) : list;
    if (gates == 3 && list && nn__audio_length(file, list) != 2) {
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "weights[2] is not of shape (2, %d); train the GRU with reset_after=True, "
                       "which RTNeural requires",
                       (int64_t)rows);
        return;
    }
    for (int i = 0; i < 2; i++) { /* the second bias of an lstm is 0 */
        float *to = nn__audio_weight_of(file, layer->name, parts[i], (uint64_t)rows);
        if (to && at) nn__audio_read(file, at, "weights[2]", 1, &rows, &one, to);
        if (to && gates == 3) nn__audio_swap_gates(to, layer->out, 1);
        at = gates == 3 ? nn__audio_next(file, at) : 0;
    }
}

static nn_node *nn__audio_recurrent(nn__audio_file *file, nn__audio_layer *layer, nn_node *x,
                                    int32_t gates) {
    const size_t act = nn__audio_member(file, layer->at, "activation");
    if (act && !nn__audio_is(file, act, "") && !nn__audio_is(file, act, "tanh"))
        nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                       "\"activation\" is not \"tanh\", the only one that RTNeural computes; train "
                       "the layer with tanh");
    nn__audio_read_gates(file, layer, 0, gates, layer->in, "weight_ih_l0");
    nn__audio_read_gates(file, layer, 1, gates, layer->out, "weight_hh_l0");
    nn__audio_read_biases(file, layer, gates);
    if (!file->describing) return NULL;
    nn_use_states(file->net);
    if (gates == 3) {
        nn_gru_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.hidden_size = layer->out;
        desc.stateful = true;
        return nn_gru_at(file->site, file->net, layer->name, x, &desc);
    } else {
        nn_lstm_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.hidden_size = layer->out;
        desc.stateful = true;
        return nn_lstm_at(file->site, file->net, layer->name, x, &desc);
    }
}

static nn_node *nn__audio_batch_norm(nn__audio_file *file, nn__audio_layer *layer, nn_node *x) {
    const int64_t parts = nn__audio_length(file, layer->weights);
    const int first = parts == 4 ? 2 : 0;
    const size_t at = nn__audio_want(file, layer->at, "epsilon", '0');
    const float epsilon = at ? nn__audio_float(file, at) : 1;
    nn_batch_norm_desc desc;
    if (parts != 2 && parts != 4)
        nn__audio_fail(
            file, NN_ERROR_FORMAT,
            "\"weights\" has %d elements; a batchnorm has 4, or 2 without gamma and beta", parts);
    if (!(epsilon > 0)) nn__audio_fail(file, NN_ERROR_FORMAT, "\"epsilon\" is not above 0");
    if (parts == 4) {
        nn__audio_read_vector(file, layer, 0, "weight", layer->in);
        nn__audio_read_vector(file, layer, 1, "bias", layer->in);
    }
    nn__audio_read_vector(file, layer, first, "running_mean", layer->in);
    nn__audio_read_vector(file, layer, first + 1, "running_var", layer->in);
    if (!file->describing) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.epsilon = epsilon;
    desc.no_affine = parts == 2;
    x = nn_batch_norm1d_at(file->site, file->net, layer->name, nn__audio_turned(file, x), &desc);
    return nn__audio_turned(file, x);
}

static nn_node *nn__audio_prelu(nn__audio_file *file, nn__audio_layer *layer, nn_node *x) {
    const size_t rows = file->describing ? 0 : nn__audio_part(file, layer, 0);
    const size_t list = file->describing
                            ? nn__audio_first(file, nn__audio_first(file, layer->weights))
                            : nn__audio_first(file, rows);
    const int32_t count = nn__audio_length(file, list) == 1 ? 1 : layer->in, one = 1;
    float *to = nn__audio_weight_of(file, layer->name, "weight", (uint64_t)count);
    nn_prelu_desc desc;
    if (to) nn__audio_read(file, list, "weights[0][0]", 1, &count, &one, to);
    if (!file->describing) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.num_parameters = count;
    x = nn_prelu_at(file->site, file->net, layer->name, nn__audio_turned(file, x), &desc);
    return nn__audio_turned(file, x);
}

/* ---- the net --------------------------------------------------------------------------------- */

/* Returns the last extent of a shape. */
static int32_t nn__audio_last(nn__audio_file *file, size_t at, const char *key) {
    size_t last = 0;
    const size_t list = nn__audio_want(file, at, key, '[');
    for (size_t i = nn__audio_first(file, list); i; i = nn__audio_next(file, i)) last = i;
    return file->failed ? 1 : nn__audio_whole_at(file, last, key, 1, NN__AUDIO_CHANNELS);
}

static nn_node *nn__audio_layer_node(nn__audio_file *file, nn__audio_layer *layer, nn_node *x,
                                     size_t type) {
    char text[64];
    const bool same = nn__audio_is(file, type, "batchnorm") || nn__audio_is(file, type, "prelu") ||
                      nn__audio_is(file, type, "activation");
    layer->out = nn__audio_last(file, layer->at, "shape");
    layer->weights = nn__audio_want(file, layer->at, "weights", '[');
    if (same && layer->out != layer->in)
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "\"shape\" ends with %d, but the layer gets %d channels",
                       (int64_t)layer->out, (int64_t)layer->in);
    if (file->failed) return NULL;
    if (nn__audio_is(file, type, "dense") || nn__audio_is(file, type, "time-distributed-dense"))
        return nn__audio_dense(file, layer, x);
    if (nn__audio_is(file, type, "conv1d")) return nn__audio_conv_layer(file, layer, x);
    if (nn__audio_is(file, type, "gru")) return nn__audio_recurrent(file, layer, x, 3);
    if (nn__audio_is(file, type, "lstm")) return nn__audio_recurrent(file, layer, x, 4);
    if (nn__audio_is(file, type, "batchnorm")) return nn__audio_batch_norm(file, layer, x);
    if (nn__audio_is(file, type, "prelu")) return nn__audio_prelu(file, layer, x);
    if (nn__audio_is(file, type, "activation"))
        return nn__audio_keras_activation(file, nn__audio_want(file, layer->at, "activation", '"'),
                                          x);
    nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                   "layers of type %q are not supported; describe the net with calls of nn.h",
                   nn__audio_string(file, type, text));
    return NULL;
}

static nn_node *nn__audio_rtneural(nn__audio_file *file, size_t root) {
    const size_t layers = nn__audio_member(file, root, "layers");
    nn__audio_layer layer;
    nn__audio_words words;
    char text[64];
    nn_node *x;
    int number = 0;
    if (nn__audio_kind(file, layers) != '[' || !nn__audio_member(file, root, "in_shape")) {
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "\"in_shape\" or the list \"layers\" is missing; "
                       "model_utils.save_model writes both; for weights of PyTorch save a "
                       "safetensors file, describe the net and call nn_load_weights");
        return NULL;
    }
    memset(&layer, 0, sizeof layer);
    layer.out = nn__audio_last(file, root, "in_shape");
    x = nn__audio_input(file, layer.out);
    for (size_t at = nn__audio_first(file, layers); at && !file->failed; number++) {
        const size_t type = nn__audio_want(file, at, "type", '"');
        memset(&words, 0, sizeof words);
        nn__audio_say(&words, "layers[%d] (%s)", (int64_t)number,
                      nn__audio_string(file, type, text));
        memcpy(file->layer, words.text, sizeof file->layer - 1);
        if (number == NN__AUDIO_LAYERS)
            nn__audio_fail(file, NN_ERROR_LIMIT, "more than 1,024 layers");
        layer.at = at;
        layer.in = layer.out;
        nn__audio_name(file, layer.name, "layers.%d", number);
        x = nn__audio_layer_node(file, &layer, x, type);
        at = nn__audio_next(file, at);
    }
    if (number == 0) nn__audio_fail(file, NN_ERROR_FORMAT, "\"layers\" is empty");
    *file->layer = 0;
    file->info.output_channels = layer.out;
    return x;
}

NN_API nn_node *nn_rtneural_net_at(nn_site site, nn_model *net, const char *path,
                                   const nn_audio_desc *desc) {
    return nn__audio_net(site, net, "nn_rtneural_net", path, desc, nn__audio_rtneural);
}
