/* audio/layers.c - what both formats are made of: names, weights, convolutions. */
#include "audio/private.h"

NN__AUDIO_PRIVATE const char *nn__audio_name(nn__audio_file *file, char name[NN_NAME_BYTES],
                                             const char *format, ...) {
    nn__audio_words words;
    va_list arguments;
    memset(&words, 0, sizeof words);
    va_start(arguments, format);
    if (file->desc->name && *file->desc->name) nn__audio_say(&words, "%s.", file->desc->name);
    for (; *format; format++) { /* %d: an int, %s: a text */
        if (format[0] == '%' && format[1] == 'd')
            nn__audio_say(&words, "%d", (int64_t)va_arg(arguments, int)), format++;
        else if (format[0] == '%' && format[1] == 's')
            nn__audio_say(&words, "%s", va_arg(arguments, const char *)), format++;
        else if (words.length + 1 < sizeof words.text)
            words.text[words.length++] = *format;
    }
    va_end(arguments);
    if (words.length >= NN_NAME_BYTES) words.length = NN_NAME_BYTES - 1;
    memcpy(name, words.text, words.length);
    name[words.length] = 0;
    return name;
}

NN__AUDIO_PRIVATE float *nn__audio_weight_of(nn__audio_file *file, const char *name,
                                             const char *part, uint64_t count) {
    /* A number takes at least two bytes of a file, so the file cannot hold more numbers than
       this. */
    const uint64_t limit = 2 * (uint64_t)file->size + NN__AUDIO_MEMORY;
    nn__audio_weight *weight = NULL;
    uint64_t bytes;
    if (file->failed || file->describing) return NULL;
    if (count > limit / sizeof(float) || file->taken > limit - count * sizeof(float)) {
        nn__audio_fail(file, NN_ERROR_FORMAT, "%q needs %d numbers, more than the file can hold",
                       part, (int64_t)count);
        return NULL;
    }
    bytes = sizeof *weight + count * sizeof(float);
    if (bytes <= SIZE_MAX) weight = (nn__audio_weight *)nn_take_memory(file->nn, (size_t)bytes);
    if (!weight) {
        nn__audio_fail(file, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)bytes);
        return NULL;
    }
    file->taken += bytes;
    weight->bytes = (size_t)bytes;
    weight->count = (size_t)count;
    weight->numbers = (float *)(void *)(weight + 1);
    if (strlen(name) + strlen(part) + 2 <= NN_NAME_BYTES) {
        memcpy(weight->name, name, strlen(name));
        weight->name[strlen(name)] = '.';
        memcpy(weight->name + strlen(name) + 1, part, strlen(part) + 1);
    }
    *file->last_weight = weight;
    file->last_weight = &weight->next;
    return weight->numbers;
}

NN__AUDIO_PRIVATE float nn__audio_float(nn__audio_file *file, size_t at) {
    const double number = nn__audio_number(file, at);
    if (nn__audio_kind(file, at) == '0' && fabs(number) <= (double)FLT_MAX) return (float)number;
    nn__audio_fail(file, NN_ERROR_FORMAT, "a weight is not a number in the range of f32");
    return 0;
}

NN__AUDIO_PRIVATE float nn__audio_take(nn__audio_file *file) {
    const size_t at = file->stream;
    if (file->failed || file->describing) return 0;
    if (at == 0) {
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "its \"config\" needs more weights than the %d of \"weights\"",
                       file->stream_count);
        return 0;
    }
    file->streamed++;
    file->stream = nn__audio_next(file, at);
    return nn__audio_float(file, at);
}

NN__AUDIO_PRIVATE nn_node *nn__audio_input(nn__audio_file *file, int32_t channels) {
    char name[NN_NAME_BYTES];
    nn_node *input = file->desc->input;
    file->info.input_channels = channels;
    if (input && !file->failed) {
        const nn_shape shape = nn_node_shape(input);
        if (shape.rank != 3 || shape.extent[2] != channels || nn_node_dtype(input) != NN_F32)
            nn__audio_fail(file, NN_ERROR_SHAPE,
                           "desc.input %q is not an f32 node of shape (NN_BATCH, NN_TIME, %d)",
                           nn_node_name(input), (int64_t)channels);
    }
    if (!file->describing) return NULL;
    if (!input)
        input = nn_input_at(file->site, file->net, nn__audio_name(file, name, "input"), NN_F32,
                            NN_SHAPE(NN_BATCH, NN_TIME, channels));
    file->info.input = input;
    return input;
}

NN__AUDIO_PRIVATE nn_node *nn__audio_conv_node(nn__audio_file *file, const char *name, nn_node *x,
                                               const nn__audio_conv *conv) {
    nn_conv1d_desc desc;
    if (!file->describing) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.in_channels = conv->in;
    desc.out_channels = conv->out;
    desc.kernel = conv->kernel;
    desc.dilation = conv->dilation;
    desc.groups = conv->groups;
    desc.no_bias = !conv->bias;
    desc.streaming = true;
    nn_use_streaming(file->net);
    return nn_conv1d_at(file->site, file->net, name, x, &desc);
}

NN__AUDIO_PRIVATE nn_node *nn__audio_take_conv(nn__audio_file *file, const char *name, nn_node *x,
                                               const nn__audio_conv *conv) {
    const uint64_t channels = (uint64_t)conv->out * (uint64_t)(conv->in / conv->groups);
    const uint64_t count = channels * (uint64_t)conv->kernel;
    float *to;
    if (conv->in % conv->groups != 0 || conv->out % conv->groups != 0)
        nn__audio_fail(file, NN_ERROR_FORMAT,
                       "%d \"groups\" do not divide %d input channels and %d output channels",
                       (int64_t)conv->groups, (int64_t)conv->in, (int64_t)conv->out);
    to = nn__audio_weight_of(file, name, "weight", count);
    for (uint64_t i = 0; to && i < count; i++) to[i] = nn__audio_take(file);
    to = conv->bias ? nn__audio_weight_of(file, name, "bias", (uint64_t)conv->out) : NULL;
    for (int32_t i = 0; to && i < conv->out; i++) to[i] = nn__audio_take(file);
    return nn__audio_conv_node(file, name, x, conv);
}

NN__AUDIO_PRIVATE nn_node *nn__audio_expression(nn__audio_file *file, const char *text, nn_node *x,
                                                const char *const *names, const float *numbers,
                                                int count) {
    nn_expression_desc desc;
    if (!file->describing) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.text = text;
    desc.inputs.node = &x;
    desc.inputs.count = 1;
    desc.number_names.text = names;
    desc.numbers.number = numbers;
    desc.number_names.count = desc.numbers.count = count;
    return nn_make_expression_at(file->site, file->net, &desc);
}

NN__AUDIO_PRIVATE nn_node *nn__audio_scaled(nn__audio_file *file, nn_node *x, float by) {
    const char *const name = "by";
    return nn__audio_expression(file, "x: by * x", x, &name, &by, 1);
}
