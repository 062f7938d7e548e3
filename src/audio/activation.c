/* audio/activation.c - the activations of both formats. */
#include "audio/private.h"

/* Activations without numbers, by their names in Keras and in NAM. */
typedef enum nn__audio_act {
    NN__AUDIO_TANH,
    NN__AUDIO_RELU,
    NN__AUDIO_SIGMOID,
    NN__AUDIO_ELU,
    NN__AUDIO_SOFTMAX,
    NN__AUDIO_HARDTANH,
    NN__AUDIO_SILU,
    NN__AUDIO_HARDSWISH,
    NN__AUDIO_SOFTSIGN,
    NN__AUDIO_ACTS
} nn__audio_act;
static const struct {
    const char *keras, *nam; /* "": the format does not have it */
} nn__audio_acts[NN__AUDIO_ACTS] = {{"tanh", "Tanh"}, {"relu", "ReLU"}, {"sigmoid", "Sigmoid"},
                                    {"elu", ""},      {"softmax", ""},  {"", "Hardtanh"},
                                    {"", "SiLU"},     {"", "Hardswish"}, {"", "Softsign"}};

static nn_node *nn__audio_act_node(nn__audio_file *file, nn__audio_act act, nn_node *x) {
    const nn_site site = file->site;
    nn_model *net = file->net;
    if (!file->describing) return NULL;
    switch (act) {
    case NN__AUDIO_TANH: return nn_tanh_at(site, net, x);
    case NN__AUDIO_RELU: return nn_relu_at(site, net, x);
    case NN__AUDIO_SIGMOID: return nn_sigmoid_at(site, net, x);
    case NN__AUDIO_ELU: return nn_elu_at(site, net, x, NULL);
    case NN__AUDIO_SOFTMAX: return nn_softmax_at(site, net, x);
    case NN__AUDIO_HARDTANH: return nn_hardtanh_at(site, net, x, NULL);
    case NN__AUDIO_SILU: return nn_silu_at(site, net, x);
    case NN__AUDIO_HARDSWISH: return nn_hardswish_at(site, net, x);
    default: return nn_softsign_at(site, net, x);
    }
}

NN__AUDIO_PRIVATE nn_node *nn__audio_keras_activation(nn__audio_file *file, size_t at,
                                                      nn_node *x) {
    char text[64];
    if (at == 0 || nn__audio_is(file, at, "")) return x;
    for (int i = 0; i < NN__AUDIO_ACTS; i++)
        if (*nn__audio_acts[i].keras && nn__audio_is(file, at, nn__audio_acts[i].keras))
            return nn__audio_act_node(file, (nn__audio_act)i, x);
    nn__audio_fail(file, NN_ERROR_UNSUPPORTED,
                   "the activation %q is not one of RTNeural's: tanh, relu, sigmoid, softmax, elu",
                   nn__audio_string(file, at, text));
    return x;
}

/* Returns a number of an activation's object. */
static float nn__audio_slope(nn__audio_file *file, size_t at, const char *key, float absent) {
    const size_t value = nn__audio_member(file, at, key);
    return value ? nn__audio_float(file, value) : absent;
}

static nn_node *nn__audio_leaky(nn__audio_file *file, nn_node *x, float slope) {
    const char *const name = "slope";
    return nn__audio_expression(file, "x: x > 0 ? x : slope * x", x, &name, &slope, 1);
}

static nn_node *nn__audio_leaky_hardtanh(nn__audio_file *file, size_t at, nn_node *x) {
    static const char *const names[4] = {"min_val", "max_val", "min_slope", "max_slope"};
    float numbers[4];
    for (int i = 0; i < 4; i++)
        numbers[i] = nn__audio_slope(file, at, names[i], i == 0 ? -1.0f : i == 1 ? 1.0f : 0.01f);
    return nn__audio_expression(file,
                                "x: x < min_val ? (x - min_val) * min_slope + min_val : x > "
                                "max_val ? (x - max_val) * max_slope + max_val : x",
                                x, names, numbers, 4);
}

/* Multiplies negative numbers of x by a slope for each channel, the parameter "NAME.weight". */
static nn_node *nn__audio_slopes(nn__audio_file *file, size_t list, const char *name, nn_node *x,
                                 int32_t channels) {
    const int64_t count = nn__audio_length(file, list);
    nn_prelu_desc desc;
    float *to;
    if (count != channels) {
        nn__audio_fail(file, NN_ERROR_FORMAT, "\"negative_slopes\" has %d numbers for %d channels",
                       count, (int64_t)channels);
        return x;
    }
    to = nn__audio_weight_of(file, name, "weight", (uint64_t)channels);
    for (size_t at = nn__audio_first(file, list); to && at; at = nn__audio_next(file, at))
        *to++ = nn__audio_float(file, at);
    if (!file->describing) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.num_parameters = channels;
    return nn_prelu_at(file->site, file->net, name, x, &desc);
}

NN__AUDIO_PRIVATE nn_node *nn__audio_nam_activation(nn__audio_file *file, size_t at,
                                                    const char *name, nn_node *x,
                                                    int32_t channels) {
    const bool object = nn__audio_kind(file, at) == '{';
    const size_t type = object ? nn__audio_want(file, at, "type", '"') : at;
    char text[64];
    for (int i = 0; i < NN__AUDIO_ACTS; i++)
        if (*nn__audio_acts[i].nam && nn__audio_is(file, type, nn__audio_acts[i].nam))
            return nn__audio_act_node(file, (nn__audio_act)i, x);
    if (nn__audio_is(file, type, "LeakyReLU"))
        return nn__audio_leaky(file, x, nn__audio_slope(file, at, "negative_slope", 0.01f));
    if (nn__audio_is(file, type, "PReLU")) {
        const size_t one = nn__audio_member(file, at, "negative_slope");
        const size_t list = one ? 0 : nn__audio_member(file, at, "negative_slopes");
        return list ? nn__audio_slopes(file, list, name, x, channels)
                    : nn__audio_leaky(file, x, one ? nn__audio_float(file, one) : 0.01f);
    }
    if (nn__audio_is(file, type, "LeakyHardtanh") || nn__audio_is(file, type, "LeakyHardTanh"))
        return nn__audio_leaky_hardtanh(file, at, x);
    nn__audio_fail(file, NN_ERROR_UNSUPPORTED, "the activation %q is not supported%s",
                   nn__audio_string(file, type, text),
                   nn__audio_is(file, type, "Fasttanh") ? "; write Tanh instead" : "");
    return x;
}
