/* audio/file.c - a file of either format: its bytes, its errors, and the two runs over it. */
#include "audio/private.h"

/* ---- messages -------------------------------------------------------------------------------- */

static void nn__audio_letter(nn__audio_words *words, char letter) {
    if (words->length + 1 < sizeof words->text) words->text[words->length++] = letter;
    words->text[words->length] = 0;
}

static void nn__audio_say_whole(nn__audio_words *words, int64_t value) {
    char digits[24];
    int count = 0;
    uint64_t rest = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    if (value < 0) nn__audio_letter(words, '-');
    do digits[count++] = (char)('0' + (int)(rest % 10));
    while ((rest /= 10) > 0);
    while (count > 0) nn__audio_letter(words, digits[--count]);
}

static void nn__audio_say_real(nn__audio_words *words, double value) {
    const double size = fabs(value);
    if (value != value || size > 1e15) {
        nn__audio_say(words, value != value ? "nan" : value > 0 ? "a huge number" : "-huge");
        return;
    }
    if (value < 0) nn__audio_letter(words, '-');
    nn__audio_say_whole(words, (int64_t)size);
    if (size == floor(size)) return;
    nn__audio_letter(words, '.');
    for (double rest = size - floor(size), place = 0; place < 3; place++) {
        rest *= 10;
        nn__audio_letter(words, (char)('0' + (int)rest));
        rest -= floor(rest);
    }
}

static void nn__audio_quote(nn__audio_words *words, const char *text) {
    size_t at = 0;
    nn__audio_letter(words, '"');
    for (; text[at] && at < 60; at++) {
        const unsigned char c = (unsigned char)text[at];
        nn__audio_letter(words, c < 32 || c > 126 ? '?' : text[at]);
    }
    nn__audio_letter(words, '"');
}

static void nn__audio_say_with(nn__audio_words *words, const char *format, va_list *arguments) {
    for (; *format; format++) {
        if (*format != '%') {
            nn__audio_letter(words, *format);
            continue;
        }
        format++;
        if (*format == 'd') {
            nn__audio_say_whole(words, va_arg(*arguments, int64_t));
        } else if (*format == 'g') {
            nn__audio_say_real(words, va_arg(*arguments, double));
        } else {
            const char *text = va_arg(*arguments, const char *);
            if (*format == 'q') nn__audio_quote(words, text);
            else while (*text) nn__audio_letter(words, *text++);
        }
    }
}

NN__AUDIO_PRIVATE void nn__audio_say(nn__audio_words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    nn__audio_say_with(words, format, &arguments);
    va_end(arguments);
}

NN__AUDIO_PRIVATE bool nn__audio_fail(nn__audio_file *file, nn_result code, const char *format,
                                      ...) {
    nn__audio_words words, cause;
    va_list arguments;
    if (file->failed) return false;
    file->failed = true;
    file->code = code;
    memset(&words, 0, sizeof words);
    memset(&cause, 0, sizeof cause);
    nn__audio_say(&words, "%s", file->call);
#if !defined(NN_NO_CALL_SITES) || !defined(NN_NO_REPORTS)
    if (file->site.file)
        nn__audio_say(&words, " at %s:%d", file->site.file, (int64_t)file->site.line);
#endif
    nn__audio_say(&cause, "%s%s%s: ", file->label, *file->layer ? ", " : "", file->layer);
    va_start(arguments, format);
    nn__audio_say_with(&cause, format, &arguments);
    va_end(arguments);
    nn__audio_say(&words, ": %s", cause.text);
    memcpy(file->cause, cause.text, sizeof file->cause);
    nn_record_error(file->nn, code, words.text);
    return false;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool nn__audio_slurp(nn__audio_file *file, const char *path) {
    const nn_files *files = &nn_context_desc(file->nn)->files;
    uint64_t bytes = 0;
    void *handle;
    bool whole;
    if (!files->open || !files->read || !files->size || !files->close)
        return nn__audio_fail(file, NN_ERROR_FILE,
                              "this program was built without files; give desc.bytes");
    handle = files->open(files->user, path, false);
    if (!handle) return nn__audio_fail(file, NN_ERROR_FILE, "%q cannot be opened", path);
    whole = files->size(files->user, handle, &bytes) && bytes < (uint64_t)1 << 31;
    if (whole && bytes > 0) {
        file->memory = nn_take_memory(file->nn, (size_t)bytes);
        whole = file->memory && files->read(files->user, handle, 0, file->memory, (size_t)bytes);
    }
    files->close(files->user, handle);
    file->text = (const char *)file->memory;
    file->size = (size_t)bytes;
    return whole ||
           nn__audio_fail(file, NN_ERROR_FILE, "%q cannot be read, or has 2 GB or more", path);
}

static bool nn__audio_open(nn__audio_file *file, const char *path) {
    const nn_audio_desc *desc = file->desc;
    file->label = "the file in memory";
    if (path)
        for (const char *at = file->label = path; *at; at++)
            if (*at == '/' || *at == '\\') file->label = at + 1;
    if (!path == !desc->bytes)
        return nn__audio_fail(file, NN_ERROR_ARGUMENT, "give either a path or desc.bytes");
    if (desc->name && strlen(desc->name) > NN_NAME_BYTES / 4)
        return nn__audio_fail(file, NN_ERROR_ARGUMENT, "desc.name is longer than %d bytes",
                              (int64_t)NN_NAME_BYTES / 4);
    if (path) return nn__audio_slurp(file, path);
    file->text = (const char *)desc->bytes;
    file->size = desc->size;
    return file->size < (size_t)1 << 31 ||
           nn__audio_fail(file, NN_ERROR_ARGUMENT, "desc.size is 2 GB or more");
}

/* ---- both runs ------------------------------------------------------------------------------- */

/* All tensors must be there before the first one is written. */
static bool nn__audio_set_weights(nn__audio_file *file) {
    for (int run = 0; run < 2; run++)
        for (const nn__audio_weight *w = file->weights; w && !file->failed; w = w->next) {
            nn_tensor *tensor = nn_find_tensor_at(file->site, file->net, w->name);
            if (!tensor || (uint64_t)nn_shape_count(nn_tensor_shape(tensor)) != w->count)
                nn__audio_fail(
                    file, NN_ERROR_FAULTS,
                    "the tensor %q could not be allocated, or differs in size from the file",
                    w->name);
            else if (nn_tensor_dtype(tensor) != NN_F32)
                nn__audio_fail(file, NN_ERROR_DTYPE,
                               "%q is not f32; make the model with .dtype = NN_F32", w->name);
            else if (run == 1 && nn_upload_tensor_at(file->site, tensor, w->numbers,
                                                     w->count * sizeof *w->numbers) != NN_OK)
                file->failed = true;
        }
    return !file->failed;
}

static nn_node *nn__audio_describe(nn__audio_file *file, size_t root, nn__audio_build *build) {
    const int faults = nn_fault_count(file->net);
    nn_node *y;
    file->describing = true;
    y = build(file, root);
    if (file->failed || !y) return NULL;
    /* a name that is taken, a bad desc.input: the net's report has it */
    if (nn_fault_count(file->net) > faults) return y;
    for (const nn__audio_weight *w = file->weights; w; w = w->next)
        if (!strstr(w->name, ".running_")) nn_start_at_zero_at(file->site, file->net, w->name);
    if (nn_fault_count(file->net) > 0) return y; /* earlier ones: no plan will be made */
    return nn__audio_set_weights(file) ? y : NULL;
}

NN__AUDIO_PRIVATE nn_node *nn__audio_net(nn_site site, nn_model *net, const char *call,
                                         const char *path, const nn_audio_desc *desc,
                                         nn__audio_build *build) {
    nn_audio_desc none;
    nn__audio_file file;
    nn_node *y = NULL;
    size_t root = 0;
    if (!net) return NULL;
    memset(&none, 0, sizeof none);
    memset(&file, 0, sizeof file);
    file.nn = nn_model_context(net);
    file.site = site;
    file.call = call;
    file.net = net;
    file.desc = desc ? desc : &none;
    file.last_weight = &file.weights;
    if (nn__audio_open(&file, path) && nn__audio_check_json(&file, &root)) {
        build(&file, root);
        if (!file.failed) y = nn__audio_describe(&file, root, build);
    }
    if (!y)
        y = nn_record_fault_at(site, net, call + 3, file.desc->name, file.cause, NULL);
    else if (file.desc->info)
        *file.desc->info = file.info;
    while (file.weights) {
        nn__audio_weight *next = file.weights->next;
        nn_give_memory(file.nn, file.weights, file.weights->bytes);
        file.weights = next;
    }
    nn_give_memory(file.nn, file.memory, file.size);
    return y;
}
