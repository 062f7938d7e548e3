/* tests/language/gguf_tokenizer.h - tokenizers in GGUF files, for test_gguf.c: they give the ids of
   vocab.json and merges.txt with the same tokens. */
#pragma once

enum { LETTERS = 256, MERGES = 12, TOKENS = LETTERS + MERGES + 2 };
/* Merges of letters and of results of merges; G stands for the letter of a blank. */
static const char *const merges[MERGES][2] = {
    {"t", "h"}, {"th", "e"}, {"G", "the"}, {"i", "n"},  {"G", "a"}, {"1", "2"},
    {"12", "3"}, {"e", "r"},  {"th", "er"}, {"G", "th"}, {"'", "s"}, {"\xc3\x83", "\xc2\xa9"}};

/* Writes GPT-2's letter of a byte. */
static void letter(int byte, char *to) {
    int point = byte, odd = 0;
    for (int i = 0; i < byte; i++) odd += i < 33 || (i > 126 && i < 161) || i == 173;
    if (byte < 33 || (byte > 126 && byte < 161) || byte == 173) point = 256 + odd;
    if (point < 128) to[0] = (char)point, to[1] = 0;
    else to[0] = (char)(0xc0 | point >> 6), to[1] = (char)(0x80 | (point & 63)), to[2] = 0;
}
static void token_text(int id, char *to) {
    to[0] = 0;
    if (id < LETTERS) letter(id, to);
    else if (id >= LETTERS + MERGES) strcpy(to, id == TOKENS - 1 ? "<|endoftext|>" : "<|begin|>");
    for (int i = 0; id >= LETTERS && id < LETTERS + MERGES && i < 2; i++)
        strcat(to, strcmp(merges[id - LETTERS][i], "G") == 0 ? "\xc4\xa0" : merges[id - LETTERS][i]);
}
static void merge_text(int i, char *to) {
    const bool blank = strcmp(merges[i][0], "G") == 0;
    sprintf(to, "%s %s", blank ? "\xc4\xa0" : merges[i][0], merges[i][1]);
}

static void text_in(gguf_file *f, const char *text) {
    gguf_number(GGUF_HEAD(f), strlen(text), 8);
    gguf_put(GGUF_HEAD(f), text, strlen(text));
}
static void begin_array(gguf_file *f, const char *name, uint32_t type, uint64_t count) {
    gguf_key(f, name, 9);
    gguf_number(GGUF_HEAD(f), type, 4);
    gguf_number(GGUF_HEAD(f), count, 8);
}
/* Puts a file with a tokenizer on the disk. pre, model: NULL: none. bos: -1: no such keys. */
static void put_tokenizer(memory_disk *disk, const char *model, const char *pre, int bos) {
    char text[64];
    gguf_file f;
    gguf_begin(&f);
    gguf_text(&f, "general.architecture", "gpt2");
    if (model) gguf_text(&f, "tokenizer.ggml.model", model);
    if (pre) gguf_text(&f, "tokenizer.ggml.pre", pre);
    begin_array(&f, "tokenizer.ggml.tokens", 8, TOKENS);
    for (int id = 0; id < TOKENS; id++) token_text(id, text), text_in(&f, text);
    begin_array(&f, "tokenizer.ggml.token_type", 5, TOKENS);
    for (int id = 0; id < TOKENS; id++)
        gguf_number(GGUF_HEAD(&f), id < LETTERS + MERGES ? 1 : 3, 4);
    begin_array(&f, "tokenizer.ggml.merges", 8, MERGES);
    for (int i = 0; i < MERGES; i++) merge_text(i, text), text_in(&f, text);
    if (bos >= 0) {
        gguf_key(&f, "tokenizer.ggml.add_bos_token", 7);
        gguf_number(GGUF_HEAD(&f), 1, 1);
        gguf_count(&f, "tokenizer.ggml.bos_token_id", (uint32_t)bos);
    }
    gguf_end(&f);
    memory_put(disk, "t.gguf", f.bytes, f.size);
    gguf_free(&f);
}
/* Puts vocab.json and merges.txt with the same tokens on the disk. */
static void put_gpt2(memory_disk *disk) {
    static char vocab[1 << 14], lines[1 << 10];
    size_t at = 0, line = 0;
    for (int id = 0; id < TOKENS; id++) {
        char text[64];
        token_text(id, text);
        at += (size_t)sprintf(vocab + at, "%s\"%s%s\": %d", id ? ", " : "{",
                              *text == '"' || *text == '\\' ? "\\" : "", text, id);
    }
    at += (size_t)sprintf(vocab + at, "}");
    for (int i = 0; i < MERGES; i++) {
        char text[64];
        merge_text(i, text);
        line += (size_t)sprintf(lines + line, "%s\n", text);
    }
    memory_put(disk, "vocab.json", vocab, at);
    memory_put(disk, "merges.txt", lines, line);
}

/* Both tokenizers give the same ids, after `before` further ones. Returns their number. */
static int same_ids(nn_tokenizer *a, nn_tokenizer *b, const char *text, int before) {
    static int32_t ids[2][256];
    nn_tokens one = {.ids = ids[0], .capacity = 256}, other = {.ids = ids[1], .capacity = 256};
    ENSURE_OR(-1, nn_encode(a, text, strlen(text), NULL, &one) == NN_OK);
    ENSURE_OR(-1, nn_encode(b, text, strlen(text), NULL, &other) == NN_OK);
    ENSURE_OR(-1, one.count == other.count + before);
    ENSURE_OR(-1, memcmp(ids[0] + before, ids[1], (size_t)other.count * sizeof **ids) == 0);
    ENSURE_OR(-1, before == 0 || ids[0][0] == TOKENS - 2);
    return other.count;
}

static void test_tokenizers(void) {
    static const struct {
        const char *pre;
        nn_pattern pattern;
    } kinds[] = {{NULL, NN_PATTERN_GPT2},
                 {"gpt-2", NN_PATTERN_GPT2},
                 {"llama-bpe", NN_PATTERN_LLAMA3},
                 {"qwen2", NN_PATTERN_QWEN2},
                 {"gpt-4o", NN_PATTERN_GPT4O}};
    static const char *const texts[] = {"the other thing is in the 12345 brother's \xc3\xa9tat",
                                        "THE'S a\n\n  1212123 \"\\ there<|endoftext|> then", ""};
    memory_disk disk;
    memset(&disk, 0, sizeof disk);
    put_gpt2(&disk);
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        const int bos = kinds[i].pattern == NN_PATTERN_LLAMA3 ? TOKENS - 2 : -1;
        nn_context *nn = nn_open(&(nn_desc){.files = memory_files(&disk)});
        put_tokenizer(&disk, "gpt2", kinds[i].pre, bos);
        nn_tokenizer *a = nn_open_tokenizer(nn, &(nn_tokenizer_desc){.path = "t.gguf"});
        nn_tokenizer *b = nn_open_tokenizer(
            nn, &(nn_tokenizer_desc){
                    .path = "vocab.json", .merges = "merges.txt", .pattern = kinds[i].pattern});
        ENSURE(a && b);
        ENSURE(nn_vocab_size(a) == TOKENS && nn_token_id(a, "<|endoftext|>") == TOKENS - 1);
        for (int k = 0; k < 3; k++) {
            const int count = same_ids(a, b, texts[k], bos >= 0);
            ENSURE(k == 2 ? count == 0 : count > 10 && count < (int)strlen(texts[k]) - 4);
        }
        nn_close(nn);
    }
    memory_free(&disk);
}

static void test_tokenizer_mistakes(void) {
    static const struct {
        const char *model, *pre;
        int bos;
        const char *words;
    } cases[] = {{"llama", NULL, -1, "has a tokenizer of the kind \"llama\""},
                 {NULL, NULL, -1, "only gpt2 is read"},
                 {"gpt2", "starcoder", -1, "splits words as \"starcoder\""},
                 {"gpt2", "gpt-2", TOKENS, "has no token to begin texts with"}};
    memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.files = memory_files(&disk)});
    for (int i = 0; i < 4; i++) {
        put_tokenizer(&disk, cases[i].model, cases[i].pre, cases[i].bos);
        ENSURE(!nn_open_tokenizer(nn, &(nn_tokenizer_desc){.path = "t.gguf"}));
        ENSURE(strstr(nn_error(nn), cases[i].words));
        nn_clear_error(nn);
    }
    ENSURE(!nn_open_tokenizer(nn, &(nn_tokenizer_desc){.path = "none.gguf"}));
    nn_clear_error(nn);
    nn_close(nn);
    memory_free(&disk);
}
