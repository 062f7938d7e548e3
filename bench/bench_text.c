/* bench/bench_text.c - measures text to ids: megabytes a second of a file, line by line, on one
   thread, with each tokenizer.json named. bench/bench_text.py makes such files, and times Hugging
   Face's tokenizers on the same lines.

     bench_text text tokenizer.json...      prints: file, MB/s, tokens, milliseconds to open */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"

#include <stdio.h>
#include <stdlib.h>

static int32_t ids[1 << 20];

static double now(nn_context *nn) {
    return (double)nn_context_desc(nn)->clock.now(nn_context_desc(nn)->clock.user) * 1e-9;
}

/* Encodes all lines once. Returns the number of tokens, or -1. */
static int64_t encode_lines(nn_tokenizer *tokenizer, const char *text, size_t bytes) {
    int64_t count = 0;
    for (size_t at = 0; at < bytes;) {
        const char *end = (const char *)memchr(text + at, '\n', bytes - at);
        size_t length = end ? (size_t)(end - (text + at)) + 1 : bytes - at;
        nn_tokens tokens;
        memset(&tokens, 0, sizeof tokens);
        tokens.ids = ids;
        tokens.capacity = 1 << 20;
        if (nn_encode(tokenizer, text + at, length, NULL, &tokens) != NN_OK) return -1;
        count += tokens.count;
        at += length;
    }
    return count;
}

int main(int argc, char **argv) {
    nn_desc desc;
    nn_context *nn;
    FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
    char *text = (char *)malloc(1 << 26);
    size_t bytes = file && text ? fread(text, 1, 1 << 26, file) : 0;
    if (file) fclose(file);
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    nn = nn_open(&desc);
    if (bytes == 0) {
        printf("usage: bench_text text tokenizer.json...\n");
        nn_close(nn);
        free(text);
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        nn_tokenizer_desc from;
        nn_tokenizer *tokenizer;
        double start = now(nn), opened, best = 1e30;
        int64_t count = 0;
        memset(&from, 0, sizeof from);
        from.path = argv[i];
        tokenizer = nn_open_tokenizer(nn, &from);
        opened = now(nn) - start;
        for (int round = 0; round < 5; round++) {
            start = now(nn);
            count = encode_lines(tokenizer, text, bytes);
            if (now(nn) - start < best) best = now(nn) - start;
        }
        if (count < 0 || nn_error(nn)) printf("%s: %s\n", argv[i], nn_error(nn));
        else
            printf("%s %.2f %lld %.2f\n", argv[i], (double)bytes * 1e-6 / best, (long long)count,
                   opened * 1e3);
        nn_clear_error(nn);
        nn_free_tokenizer(tokenizer);
    }
    free(text);
    nn_close(nn);
    return 0;
}
