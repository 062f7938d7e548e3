/* tests/fuzz/fuzz_history.c - reads any bytes as a history: no crash, no leak, and an accepted
   history is written, read and written again with the same bytes.

   The fuzzer:
   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_history.c
   Its small corpus, for `make test`:
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_history.c */
#define NN_IMPLEMENTATION
#include "nn.h"

#define FUZZ_NAME "fuzz_history"
#include "fuzz.h"

/* The text is in memory of exactly its size, so that a sanitizer sees reads beyond its end. */
static char *fuzz_lines(const nn_history *history, size_t *size) {
    nn_text out = {NULL, 0, 0};
    nn_writer writer = {nn_write_text, &out};
    nn_write_history(history, writer);
    out.size = out.length + 1;
    out.buffer = (char *)malloc(out.size);
    out.buffer[0] = 0; /* an empty history writes nothing */
    out.length = 0;
    nn_write_history(history, writer);
    *size = out.length;
    return out.buffer;
}

static bool fuzz_one(nn_context *nn) {
    const nn_files *files = &nn_context_desc(nn)->files;
    void *handle = files->open(files->user, "f", false);
    uint64_t bytes = 0;
    size_t size = handle && files->size(files->user, handle, &bytes) ? (size_t)bytes : 0;
    char *text = (char *)malloc(size > 0 ? size : 1), *once, *twice;
    nn_history *history = nn_make_history(nn, NULL);
    bool accepted;
    if (handle && size > 0) fuzz_ensure(files->read(files->user, handle, 0, text, size));
    if (handle) files->close(files->user, handle);
    accepted = nn_read_history(history, text, size) == NN_OK;
    free(text);
    if (accepted) {
        once = fuzz_lines(history, &size);
        fuzz_touch(once, size);
        fuzz_ensure(nn_read_history(history, once, size) == NN_OK);
        twice = fuzz_lines(history, &size);
        fuzz_ensure(strcmp(once, twice) == 0);
        for (int i = 0; i < nn_history_count(history); i++)
            fuzz_touch(nn_history_at(history, i), sizeof(nn_record));
        free(once);
        free(twice);
    } else {
        fuzz_ensure(nn_history_count(history) == 0);
    }
    nn_free_history(history);
    return accepted;
}

static size_t fuzz_seed(int number, unsigned char *bytes) {
    static const char *metrics[3] = {"", "\"accuracy\":0.5",
                                     "\"a\\\"b\":null,\"\\u0001\":-1.25e-07"};
    const char *metric = metrics[number % 3];
    size_t length = 0;
    for (int line = 0; line <= number % 4; line++) {
        char validation[200];
        snprintf(validation, sizeof validation, "{\"loss\":%d.5,\"samples\":%d,\"metrics\":{%s}}",
                 number, line + 1, metric);
        length += (size_t)snprintf(
            (char *)bytes + length, 4096 - length,
            "{\"epoch\":%d,\"epoch_ended\":%s,\"step\":%d,\"train\":{\"loss\":0.%d,\"samples\":64,"
            "\"metrics\":{%s}},"
            "\"validation\":%s,\"learning_rate\":0.001,\"steps\":10,\"seconds\":1e+%d,\"step_"
            "seconds\":0.%d,\"wait_seconds\":0,"
            "\"uploaded\":%d,\"downloaded\":0,\"between\":0,\"samples_a_second\":null}\n",
            line, line % 2 ? "true" : "false", number * 100, number, metric,
            line % 2 ? validation : "null", number, line, number);
    }
    return length;
}

#include "fuzz_main.h"
