/* answers.c - what nn_text.h makes of many strings, for compare.py in this folder.
     answers WHAT STRINGS ANSWERS [SAVED]
   WHAT: a tokenizer.json, a vocab.txt, "a.json+merges.txt", "bytes", "chars:TEXT FILE", or
   "train:TEXT FILE:VOCABULARY SIZE:PATTERN". STRINGS: each a length of 4 bytes, and the text. For
   each string, ANSWERS has a count, the ids, the start and end of each token in characters, the
   types, and the lengths and bytes of the text decoded without special tokens and with them. SAVED:
   where the tokenizer is saved as well. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST 65536
static int32_t ids[MOST], starts[MOST], ends[MOST], types[MOST], places[2 * MOST];
static int32_t number[1 << 20];
static char decoded[1 << 20];

static char *read_all(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    char *text;
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    text = (char *)malloc(*bytes + 1);
    if (fread(text, 1, *bytes, file) != *bytes) *bytes = 0;
    text[*bytes] = 0;
    fclose(file);
    return text;
}

static nn_tokenizer *open_tokenizer(nn_context *nn, char *what) {
    nn_tokenizer_desc desc;
    char *plus = strchr(what, '+'), *text;
    size_t bytes;
    memset(&desc, 0, sizeof desc);
    if (strcmp(what, "bytes") == 0) return nn_make_byte_tokenizer(nn);
    if (strncmp(what, "chars:", 6) == 0) {
        text = read_all(what + 6, &bytes);
        return nn_make_char_tokenizer(nn, text, bytes);
    }
    if (strncmp(what, "train:", 6) == 0) {
        nn_train_tokenizer_desc train;
        char *size = strchr(what + 6, ':'), *pattern;
        memset(&train, 0, sizeof train);
        *size++ = 0;
        pattern = strchr(size, ':');
        train.vocab_size = atoi(size);
        train.pattern = (nn_pattern)atoi(pattern + 1);
        train.special_tokens[0] = "<|endoftext|>";
        train.special_tokens[1] = "<mask>";
        text = read_all(what + 6, &bytes);
        return nn_train_tokenizer(nn, text, bytes, &train);
    }
    if (plus) {
        *plus = 0;
        desc.merges = plus + 1;
    }
    desc.path = what;
    return nn_open_tokenizer(nn, &desc);
}

static void put(FILE *to, const void *data, size_t bytes) {
    if (fwrite(data, 1, bytes, to) != bytes) exit(3);
}

static void put_decoded(FILE *to, nn_tokenizer *tokenizer, int32_t count, bool special) {
    nn_decode_desc desc;
    nn_text text;
    nn_writer writer;
    int32_t length;
    memset(&desc, 0, sizeof desc);
    desc.special_tokens = special;
    text.buffer = decoded;
    text.size = sizeof decoded;
    text.length = 0;
    writer.function = nn_write_text;
    writer.user = &text;
    nn_decode(tokenizer, ids, count, &desc, writer);
    length = (int32_t)text.length;
    put(to, &length, 4);
    put(to, decoded, text.length);
}

/* Stores the number of each byte's character, as Python's errors="replace" counts them. */
static void count_characters(const char *text, size_t bytes) {
    const unsigned char *c = (const unsigned char *)text;
    int32_t count = 0;
    for (size_t at = 0; at < bytes; count++) {
        size_t more = c[at] < 0xc2 || c[at] > 0xf4 ? 0 : c[at] < 0xe0 ? 1 : c[at] < 0xf0 ? 2 : 3;
        unsigned low = c[at] == 0xe0 ? 0xa0 : c[at] == 0xf0 ? 0x90 : 0x80;
        unsigned high = c[at] == 0xed ? 0x9f : c[at] == 0xf4 ? 0x8f : 0xbf;
        number[at++] = count;
        for (; more > 0 && at < bytes && c[at] >= low && c[at] <= high; more--) {
            number[at++] = count;
            low = 0x80;
            high = 0xbf;
        }
    }
    number[bytes] = count;
}

int main(int argc, char **argv) {
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *tokenizer = argc > 3 ? open_tokenizer(nn, argv[1]) : NULL;
    size_t bytes = 0;
    char *strings = argc > 3 ? read_all(argv[2], &bytes) : NULL;
    FILE *to = argc > 3 ? fopen(argv[3], "wb") : NULL;
    nn_tokens tokens;
    memset(&tokens, 0, sizeof tokens);
    tokens.ids = ids;
    tokens.starts = starts;
    tokens.ends = ends;
    tokens.type_ids = types;
    tokens.capacity = MOST;
    if (tokenizer && argc > 4) nn_save_tokenizer(tokenizer, argv[4]);
    for (size_t at = 0; to && tokenizer && at + 4 <= bytes && !nn_error(nn);) {
        int32_t length;
        memcpy(&length, strings + at, 4);
        nn_encode(tokenizer, strings + at + 4, (size_t)length, NULL, &tokens);
        if (nn_error(nn)) break;
        count_characters(strings + at + 4, (size_t)length);
        for (int32_t i = 0; i < tokens.count; i++) {
            places[2 * i] = number[starts[i]];
            places[2 * i + 1] = number[ends[i]];
        }
        at += 4 + (size_t)length;
        put(to, &tokens.count, 4);
        put(to, ids, 4 * (size_t)tokens.count);
        put(to, places, 8 * (size_t)tokens.count);
        put(to, types, 4 * (size_t)tokens.count);
        put_decoded(to, tokenizer, tokens.count, false);
        put_decoded(to, tokenizer, tokens.count, true);
    }
    if (nn_error(nn)) fprintf(stderr, "%s\n", nn_error(nn));
    if (to) fclose(to);
    free(strings);
    argc = !tokenizer || !to || nn_error(nn) != NULL;
    nn_close(nn);
    return argc;
}
