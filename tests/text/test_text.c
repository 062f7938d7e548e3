/* tests/text/test_text.c - tokenizers (nn_text.h) compared with Hugging Face's on the same files
   and strings (tests/golden/text.py). Then features that those lack: files in memory, batches in
   tensors, text piece by piece, error texts, and memory that runs out. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"
#ifdef NN_TEST_LINKED
#include "text/private.h" /* as inside.h has it for nn.h */
#endif

#include <stdio.h>
#include <stdlib.h>

#include "memory_files.h"
#include "scarce.h"
#include "test.h"
#include "text_strings.h"

#define MODEL(more) "\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1},\"merges\":[]" more "}"

/* ---- helpers --------------------------------------------------------------------------------- */

static char *read_text(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    char *text = (char *)malloc(1 << 17);
    *bytes = file && text ? fread(text, 1, (1 << 17) - 1, file) : 0;
    if (file) fclose(file);
    if (text) text[*bytes] = 0;
    return text;
}

/* Returns the tokenizer.json of a case: its parts, then the vocabulary from the file of its
   model. */
static char *text_of_case(const text_case *given) {
    char path[100], *model, *text;
    size_t bytes, parts = strlen(given->parts);
    snprintf(path, sizeof path, "tests/golden/text/%s.json", given->model);
    model = read_text(path, &bytes);
    while (bytes > 0 && model[bytes - 1] <= ' ') bytes--;
    text = (char *)malloc(parts + bytes + 2);
    memcpy(text, given->parts, parts);
    if (bytes > 0) memcpy(text + parts, model + 1, bytes - 1);
    memcpy(text + parts + bytes - (bytes > 0), "}", 2);
    free(model);
    return text;
}

static const text_case *find_case(const char *name) {
    for (size_t i = 0; i < sizeof text_cases / sizeof text_cases[0]; i++)
        if (strcmp(text_cases[i].name, name) == 0) return &text_cases[i];
    return NULL;
}

static nn_context *open_context(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    return nn_open(&desc);
}

static nn_tokenizer *open_text(nn_context *nn, const char *text) {
    nn_tokenizer_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.data = text;
    desc.bytes = strlen(text);
    return nn_open_tokenizer(nn, &desc);
}

static nn_tokenizer *open_case(nn_context *nn, const char *name) {
    char *text = text_of_case(find_case(name));
    nn_tokenizer *tokenizer = open_text(nn, text);
    if (!tokenizer) printf("%s: %s\n", name, nn_error(nn));
    free(text);
    return tokenizer;
}

#define MOST 8192
typedef struct result {
    int32_t ids[MOST], types[MOST], starts[MOST], ends[MOST], sequence[MOST];
    nn_tokens tokens;
    char text[16384];
    size_t length;
} result;
static result made;

static nn_result encode(nn_tokenizer *tokenizer, const char *text, size_t bytes,
                        const nn_encode_desc *desc) {
    memset(&made.tokens, 0, sizeof made.tokens);
    made.tokens.ids = made.ids;
    made.tokens.type_ids = made.types;
    made.tokens.starts = made.starts;
    made.tokens.ends = made.ends;
    made.tokens.sequence_ids = made.sequence;
    made.tokens.capacity = MOST;
    return nn_encode(tokenizer, text, bytes, desc, &made.tokens);
}

static nn_writer into_made(nn_text *text) {
    nn_writer writer;
    text->buffer = made.text;
    text->size = sizeof made.text;
    text->length = 0;
    made.text[0] = 0;
    writer.function = nn_write_text;
    writer.user = text;
    return writer;
}

static const char *decode(nn_tokenizer *tokenizer, const int32_t *ids, int32_t count,
                          bool special) {
    nn_text text;
    nn_writer writer = into_made(&text);
    nn_decode_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.special_tokens = special;
    if (nn_decode(tokenizer, ids, count, &desc, writer) != NN_OK) return "(an error)";
    made.length = text.length;
    return made.text;
}

/* ---- beside Hugging Face's ------------------------------------------------------------------- */

static uint32_t mix(uint32_t hash, uint32_t number) { return (hash ^ number) * 16777619u; }

/* Stores for each byte of a text the number of its character, as Python's errors="replace" counts
   characters: a broken sequence ends before the first byte that cannot continue it. */
static void count_characters(const text_string *s, uint32_t *number) {
    const unsigned char *c = (const unsigned char *)s->text;
    uint32_t count = 0;
    for (size_t at = 0; at < s->bytes; count++) {
        size_t more = c[at] < 0xc2 || c[at] > 0xf4 ? 0 : c[at] < 0xe0 ? 1 : c[at] < 0xf0 ? 2 : 3;
        unsigned low = c[at] == 0xe0 ? 0xa0 : c[at] == 0xf0 ? 0x90 : 0x80;
        unsigned high = c[at] == 0xed ? 0x9f : c[at] == 0xf4 ? 0x8f : 0xbf;
        number[at++] = count;
        for (; more > 0 && at < s->bytes && c[at] >= low && c[at] <= high; more--) {
            number[at++] = count;
            low = 0x80;
            high = 0xbf;
        }
    }
    number[s->bytes] = count;
}

static uint32_t mix_tokens(uint32_t hash, const uint32_t *first, const uint32_t *second) {
    hash = mix(hash, (uint32_t)made.tokens.count);
    for (int32_t i = 0; i < made.tokens.count; i++) {
        const uint32_t *number = made.sequence[i] == 1 ? second : first;
        hash = mix(hash, (uint32_t)made.ids[i]);
        hash = mix(hash, number[made.starts[i]]);
        hash = mix(hash, number[made.ends[i]]);
        hash = mix(hash, (uint32_t)made.types[i]);
        hash = mix(hash, made.sequence[i] < 0);
    }
    return hash;
}

static uint32_t mix_text(uint32_t hash) {
    for (size_t i = 0; i < made.length; i++) hash = mix(hash, (unsigned char)made.text[i]);
    return hash;
}

/* Checks that the pieces of a stream together are the whole text. */
static bool same_in_pieces(nn_tokenizer *tokenizer) {
    static char whole[sizeof made.text];
    size_t length = made.length;
    nn_decode_stream stream;
    nn_text text;
    nn_writer writer;
    memcpy(whole, made.text, length);
    memset(&stream, 0, sizeof stream);
    writer = into_made(&text);
    for (int32_t i = 0; i < made.tokens.count; i++) {
        size_t before = text.length;
        nn_decode_next(tokenizer, &stream, made.ids[i], writer);
        for (size_t at = before, more; at < text.length; at += more) {
            nn__text_decode(made.text, text.length, at, &more);
            if (at + more == text.length && !nn__text_is_utf8(made.text + at, more)) return false;
        }
    }
    nn_decode_end(tokenizer, &stream, writer);
    return text.length == length && memcmp(whole, made.text, length) == 0 && stream.held == 0;
}

static uint32_t hash_string(nn_tokenizer *tokenizer, uint32_t hash, uint32_t index) {
    static text_string s;
    static uint32_t number[sizeof s.text];
    text_make(&s, index);
    count_characters(&s, number);
    if (encode(tokenizer, s.text, s.bytes, NULL) != NN_OK) return 0;
    hash = mix_tokens(hash, number, NULL);
    decode(tokenizer, made.ids, made.tokens.count, false);
    hash = mix_text(hash);
    if (index % 8 == 0 && !same_in_pieces(tokenizer)) return 0;
    decode(tokenizer, made.ids, made.tokens.count, true);
    return mix_text(hash);
}

static uint32_t hash_pair(nn_tokenizer *tokenizer, uint32_t hash, uint32_t index) {
    static text_string s[2];
    static uint32_t numbers[2][sizeof s[0].text];
    nn_encode_desc desc;
    for (uint32_t i = 0; i < 2; i++) {
        text_make(&s[i], index + i);
        count_characters(&s[i], numbers[i]);
    }
    memset(&desc, 0, sizeof desc);
    desc.pair = s[1].text;
    desc.pair_bytes = s[1].bytes;
    desc.max_length = 8 + (int32_t)(index % 20);
    desc.truncation = (nn_truncation)(index % 3);
    desc.truncate_left = index % 5 == 0;
    desc.no_special_tokens = index % 4 == 0;
    if (encode(tokenizer, s[0].text, s[0].bytes, &desc) != NN_OK) {
        nn_clear_error(tokenizer->nn);
        return mix(hash, 77);
    }
    return mix_tokens(hash, numbers[0], numbers[1]);
}

/* Compares the hash of each block of strings, and reports the blocks that differ. */
static void compare_blocks(const text_case *given, nn_tokenizer *tokenizer, const unsigned *wanted,
                           uint32_t start, uint32_t count, uint32_t block, bool pair) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t hash = 2166136261u, first = start + i * block;
        for (uint32_t j = first; j < first + block; j++)
            hash = pair ? hash_pair(tokenizer, hash, j) : hash_string(tokenizer, hash, j);
        if (test_wrong(hash != wanted[i]))
            test_fail(__FILE__, __LINE__, "%s: %s %u to %u: %08x, wanted %08x%s%s", given->name,
                      pair ? "pairs" : "strings", first, first + block, hash, wanted[i],
                      nn_error(tokenizer->nn) ? ": " : "",
                      nn_error(tokenizer->nn) ? nn_error(tokenizer->nn) : "");
    }
}

static void test_hugging_face(void) {
    bool full = getenv("NN_FULL") && strcmp(getenv("NN_FULL"), "0") != 0;
    for (size_t i = 0; i < sizeof text_cases / sizeof text_cases[0]; i++) {
        const text_case *given = &text_cases[i];
        nn_context *nn = open_context();
        nn_tokenizer *tokenizer = open_case(nn, given->name);
        ENSURE(tokenizer);
        compare_blocks(given, tokenizer, given->hashes, 0, 50, 100, false);
        compare_blocks(given, tokenizer, given->pairs, 0, 5, 100, true);
        if (full)
            compare_blocks(given, tokenizer, given->more, 5000 + 10000 * (uint32_t)i, 10, 1000, false);
        nn_close(nn);
    }
}

/* Learns from the first strings: compares every token, and the ids of the later strings. */
static void test_learning(void) {
    for (size_t i = 0; i < sizeof text_learnt / sizeof text_learnt[0]; i++) {
        const unsigned *given = text_learnt[i];
        static text_string s;
        char *text = (char *)malloc((size_t)given[0] * sizeof s.text);
        size_t bytes = 0;
        uint32_t hash = 2166136261u;
        nn_context *nn = open_context();
        nn_train_tokenizer_desc desc;
        nn_tokenizer *tokenizer;
        memset(&desc, 0, sizeof desc);
        desc.vocab_size = (int32_t)given[1];
        desc.min_frequency = (int32_t)given[2];
        desc.pattern = (nn_pattern)given[3];
        desc.special_tokens[0] = "<|endoftext|>";
        desc.special_tokens[1] = "<mask>";
        for (uint32_t j = 0; j < given[0]; j++) {
            text_make(&s, j);
            memcpy(text + bytes, s.text, s.bytes);
            bytes += s.bytes;
        }
        tokenizer = nn_train_tokenizer(nn, text, bytes, &desc);
        free(text);
        ENSURE(tokenizer);
        if (test_wrong((unsigned)nn_vocab_size(tokenizer) != given[4]))
            test_fail(__FILE__, __LINE__, "case %d: %d tokens, wanted %u", (int)i,
                      nn_vocab_size(tokenizer), given[4]);
        for (int32_t id = 0; id < nn_vocab_size(tokenizer); id++) {
            const char *token = nn_token_text(tokenizer, id);
            for (; *token; token++) hash = mix(hash, (unsigned char)*token);
            hash = mix(hash, '\n');
        }
        for (uint32_t j = given[0]; j < given[0] + 100; j++)
            hash = hash_string(tokenizer, hash, j);
        if (test_wrong(hash != given[5]))
            test_fail(__FILE__, __LINE__, "case %d: %08x, wanted %08x", (int)i, hash, given[5]);
        nn_close(nn);
    }
}

/* ---- bytes and characters -------------------------------------------------------------------- */

static void test_bytes_and_characters(void) {
    static const char text[] = "na\xc3\xafve \xf0\x9f\x90\x8d";
    nn_context *nn = open_context();
    nn_tokenizer *bytes = nn_make_byte_tokenizer(nn);
    nn_tokenizer *letters = nn_make_char_tokenizer(nn, text, sizeof text - 1);
    ENSURE(bytes && letters);
    ENSURE(nn_vocab_size(bytes) == 256 && nn_vocab_size(letters) == 7);
    ENSURE(encode(bytes, text, sizeof text - 1, NULL) == NN_OK && made.tokens.count == 11);
    for (int i = 0; i < 11; i++) ENSURE(made.ids[i] == (unsigned char)text[i]);
    ENSURE_TEXT(decode(bytes, made.ids, made.tokens.count, false), text);
    ENSURE(same_in_pieces(bytes));
    ENSURE(encode(letters, text, sizeof text - 1, NULL) == NN_OK && made.tokens.count == 7);
    /* In the order of code points: blank a e n v U+00EF U+1F40D. */
    ENSURE(made.ids[0] == 3 && made.ids[2] == 5 && made.ids[6] == 6 && made.ids[5] == 0);
    ENSURE(made.starts[2] == 2 && made.ends[2] == 4);
    ENSURE_TEXT(decode(letters, made.ids, made.tokens.count, false), text);
    ENSURE(nn_token_id(letters, "v") == 4 && nn_token_id(letters, "z") == -1);
    ENSURE_TEXT(nn_token_text(letters, 5), "\xc3\xaf");
    ENSURE(encode(letters, "vex", 3, NULL) == NN_ERROR_INDEX);
    ENSURE(strstr(nn_error(nn), "\"x\" (U+0078)"));
    nn_free_tokenizer(letters); /* the other one is nn_close's */
    nn_close(nn);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void test_files(void) {
    static const char words[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\r\nhello\nwor\n##ld\n!\n";
    static const char vocab[] = "{\"a\":0,\"b\":1,\"ab\":2,\"\\u0120\":3,\"\\u0120ab\":4,"
                                "\"<|endoftext|>\":5}";
    static const char merges[] = "#version: 0.2\na b\n\xc4\xa0 ab\n";
    memory_disk disk;
    nn_desc desc;
    nn_tokenizer_desc from;
    nn_context *nn;
    nn_tokenizer *bert, *gpt2;
    memset(&disk, 0, sizeof disk);
    memset(&desc, 0, sizeof desc);
    memset(&from, 0, sizeof from);
    desc.threads = 1;
    desc.files = memory_files(&disk);
    memory_put(&disk, "vocab.txt", words, sizeof words - 1);
    memory_put(&disk, "vocab.json", vocab, sizeof vocab - 1);
    memory_put(&disk, "merges.txt", merges, sizeof merges - 1);
    nn = nn_open(&desc);
    from.path = "vocab.txt";
    bert = nn_open_tokenizer(nn, &from);
    ENSURE(bert);
    ENSURE(encode(bert, "H\xc3\xa9llo World!", 13, NULL) == NN_OK && made.tokens.count == 6);
    ENSURE(made.ids[0] == 2 && made.ids[1] == 4 && made.ids[2] == 5 && made.ids[3] == 6);
    ENSURE(made.starts[3] == 10 && made.ends[3] == 12 && made.sequence[5] == -1);
    ENSURE_TEXT(decode(bert, made.ids, made.tokens.count, false), "hello world!");
    from.path = "vocab.json";
    from.merges = "merges.txt";
    gpt2 = nn_open_tokenizer(nn, &from);
    ENSURE(gpt2);
    ENSURE(encode(gpt2, "ab ab<|endoftext|>", 18, NULL) == NN_OK && made.tokens.count == 3);
    ENSURE(made.ids[0] == 2 && made.ids[1] == 4 && made.ids[2] == 5);
    ENSURE_TEXT(decode(gpt2, made.ids, 3, true), "ab ab<|endoftext|>");
    from.path = "nothing.json";
    ENSURE(!nn_open_tokenizer(nn, &from) && nn_error_code(nn) == NN_ERROR_FILE);
    ENSURE(strstr(nn_error(nn), "nothing.json") && disk.open_files == 0);
    nn_close(nn);
    memory_free(&disk);
}

/* ---- saving ---------------------------------------------------------------------------------- */

static uint32_t hash_strings(nn_tokenizer *tokenizer, uint32_t first, uint32_t count) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = first; i < first + count; i++) hash = hash_string(tokenizer, hash, i);
    return hash;
}

/* Hashes the tokens of every special word, with blanks around it. */
static uint32_t hash_specials(nn_tokenizer *tokenizer) {
    static char text[1024];
    static uint32_t number[1024];
    text[0] = 0;
    for (int i = 0; i < TEXT_SPECIALS; i++) {
        strcat(text, i % 3 ? "  " : " a");
        strcat(text, text_specials[i]);
    }
    for (uint32_t i = 0; i < 1024; i++) number[i] = i;
    if (encode(tokenizer, text, strlen(text), NULL) != NN_OK) return 0;
    return mix_tokens(2166136261u, number, NULL);
}

/* A saved tokenizer opens again, gives the same ids for strings, and is saved to the same bytes
   once more. tests/tokenizers/compare.py opens such files with Hugging Face's. */
static void test_saving(void) {
    memory_disk disk;
    nn_desc desc;
    nn_train_tokenizer_desc train;
    memset(&disk, 0, sizeof disk);
    memset(&desc, 0, sizeof desc);
    memset(&train, 0, sizeof train);
    desc.threads = 1;
    desc.files = memory_files(&disk);
    train.vocab_size = 300;
    train.pattern = NN_PATTERN_GPT4O;
    train.special_tokens[0] = "<|\"end\"\\\n|>";
    for (size_t i = 0; i < sizeof text_cases / sizeof text_cases[0] + 3; i++) {
        bool given = i < sizeof text_cases / sizeof text_cases[0];
        const char *name = given ? text_cases[i].name : i % 3 == 0 ? "trained" : "bytes or chars";
        static const char letters[] = "a \"\\\x01\n\xc3\xa9\xf0\x9f\x90\x8dz";
        nn_context *nn = nn_open(&desc);
        nn_tokenizer *first, *second;
        nn_tokenizer_desc from;
        const memory_file *file;
        memset(&from, 0, sizeof from);
        if (given) first = open_case(nn, name);
        else if (i % 3 == 0) first = nn_train_tokenizer(nn, text_words[0], strlen(text_words[0]), &train);
        else if (i % 3 == 1) first = nn_make_byte_tokenizer(nn);
        else first = nn_make_char_tokenizer(nn, letters, sizeof letters - 1);
        ENSURE(first && nn_save_tokenizer(first, "a.json") == NN_OK);
        from.path = "a.json";
        second = nn_open_tokenizer(nn, &from);
        if (test_wrong(!second)) test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(nn));
        ENSURE(second && nn_vocab_size(second) == nn_vocab_size(first));
        ENSURE(nn_save_tokenizer(second, "b.json") == NN_OK && disk.open_files == 0);
        file = memory_find(&disk, "a.json");
        if (test_wrong(memory_find(&disk, "b.json")->size != file->size ||
            memcmp(memory_find(&disk, "b.json")->bytes, file->bytes, file->size) != 0))
            test_fail(__FILE__, __LINE__, "%s: saving it again gives another file", name);
        if (test_wrong(given && (hash_strings(first, 60, 20) != hash_strings(second, 60, 20) ||
                      hash_specials(first) != hash_specials(second))))
            test_fail(__FILE__, __LINE__, "%s: the opened file gives other ids", name);
        for (int k = 0; !given && k < 2; k++) {
            nn_tokenizer *tokenizer = k ? second : first;
            int32_t ids[32];
            ENSURE(encode(tokenizer, letters, sizeof letters - 1, NULL) == NN_OK);
            if (k == 0) memcpy(ids, made.ids, sizeof ids);
            ENSURE(memcmp(ids, made.ids, (size_t)made.tokens.count * sizeof ids[0]) == 0);
            ENSURE_TEXT(decode(tokenizer, made.ids, made.tokens.count, false), letters);
        }
        nn_close(nn);
    }
    memory_free(&disk);
}

/* Each operation of the disk fails in turn: the old file stays, and nothing else is left. */
static void test_saving_fails(void) {
    memory_disk disk;
    nn_desc desc;
    nn_context *nn;
    nn_tokenizer *tokenizer;
    nn_writer none;
    int failures = 0;
    memset(&disk, 0, sizeof disk);
    memset(&desc, 0, sizeof desc);
    memset(&none, 0, sizeof none);
    desc.threads = 1;
    desc.files = memory_files(&disk);
    nn = nn_open(&desc);
    tokenizer = nn_make_byte_tokenizer(nn);
    memory_put(&disk, "a.json", "old", 3);
    for (int fail = 1; fail < 10; fail++) {
        const memory_file *file;
        nn_result saved;
        disk.operations = 0;
        disk.fail_at = fail;
        saved = nn_save_tokenizer(tokenizer, "a.json");
        disk.fail_at = 0;
        file = memory_find(&disk, "a.json");
        if (saved == NN_OK) break;
        failures++;
        ENSURE(saved == NN_ERROR_FILE && strstr(nn_error(nn), "\"a.json\" cannot be written"));
        ENSURE(file && file->size == 3 && memcmp(file->bytes, "old", 3) == 0);
        ENSURE(disk.open_files == 0);
        nn_clear_error(nn);
    }
    ENSURE(failures >= 4 && memory_find(&disk, "a.json")->size > 1000);
    ENSURE(nn_save_tokenizer(NULL, "a.json") == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_tokenizer(tokenizer, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_tokenizer_to(tokenizer, none) == NN_ERROR_ARGUMENT);
    nn_close(nn);
    memory_free(&disk);
}

/* ---- batches --------------------------------------------------------------------------------- */

static void test_batches(void) {
    static const nn_batch_text texts[2] = {{"the", 3, NULL, 0}, {"the world", 9, "unable", 6}};
    nn_context *nn = open_context();
    nn_tokenizer *bert = open_case(nn, "bert"), *gpt2 = open_case(nn, "gpt2");
    int32_t ids[2][12], mask[2][12], types[2][12];
    nn_encode_desc desc;
    nn_tensor *tensors[3];
    memset(&desc, 0, sizeof desc);
    tensors[0] = nn_wrap(nn, "ids", NN_I32, NN_SHAPE(2, 12), ids);
    tensors[1] = nn_wrap(nn, "mask", NN_I32, NN_SHAPE(2, 12), mask);
    tensors[2] = nn_wrap(nn, "types", NN_I32, NN_SHAPE(2, 12), types);
    ENSURE(nn_encode_batch(bert, texts, 2, NULL, tensors[0], tensors[1], tensors[2]) == NN_OK);
    for (int row = 0; row < 2; row++) {
        nn_tokens counted;
        memset(&counted, 0, sizeof counted);
        desc.pair = texts[row].pair;
        desc.pair_bytes = texts[row].pair_bytes;
        ENSURE(nn_encode(bert, texts[row].text, texts[row].bytes, &desc, &counted) == NN_OK);
        ENSURE(encode(bert, texts[row].text, texts[row].bytes, &desc) == NN_OK);
        ENSURE(counted.count == made.tokens.count && counted.count > 2 && counted.count < 12);
        for (int32_t i = 0; i < 12; i++) {
            bool is_token = i < counted.count;
            ENSURE(mask[row][i] == is_token && ids[row][i] == (is_token ? made.ids[i] : 0));
            ENSURE(types[row][i] == (is_token ? made.types[i] : 0));
        }
    }
    /* GPT-2's has no token for padding: one is named, and put on the left. */
    memset(ids, 9, sizeof ids);
    ENSURE(nn_encode_batch(gpt2, texts, 1, NULL, tensors[0], NULL, NULL) == NN_ERROR_SHAPE);
    ENSURE(nn_encode_batch(gpt2, texts, 2, NULL, tensors[0], NULL, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(ids[0][0] == 0x09090909); /* nothing was written */
    nn_clear_error(nn);
    memset(&desc, 0, sizeof desc);
    desc.pad_left = true;
    desc.pad_token = "<|endoftext|>";
    ENSURE(nn_encode_batch(gpt2, texts, 2, &desc, tensors[0], tensors[1], NULL) == NN_OK);
    ENSURE(encode(gpt2, "the", 3, NULL) == NN_OK && made.tokens.count == 1);
    ENSURE(ids[0][11] == made.ids[0] && mask[0][11] == 1 && ids[0][10] == 0 && mask[0][10] == 0);
    desc.pad_token = "<none>";
    ENSURE(nn_encode_batch(gpt2, texts, 2, &desc, tensors[0], NULL, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "pad_token \"<none>\""));
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

/* Opens a file with one thing wrong, and expects these words in the message. */
static void expect_refusal(const char *text, nn_result code, const char *words) {
    nn_context *nn = open_context();
    nn_memory_use before = nn_context_memory(nn);
    nn_tokenizer *tokenizer = open_text(nn, text);
    const char *error = nn_error(nn);
    if (test_wrong(tokenizer || nn_error_code(nn) != code || !error || !strstr(error, words)))
        test_fail(__FILE__, __LINE__, "%s: %s; wanted \"%s\"", text, error ? error : "no error",
                  words);
    if (test_wrong(nn_context_memory(nn).live_bytes != before.live_bytes))
        test_fail(__FILE__, __LINE__, "%s: memory is leaked", text);
    nn_close(nn);
}


#define MODEL_END "\"behavior\":\"Isolated\",\"invert\":false}," MODEL("") "}"

static void test_refused_files(void) {
    char deep[400];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"a\":", 5);
    deep[sizeof deep - 1] = 0;
    expect_refusal("", NN_ERROR_FORMAT, "does not begin with an object");
    expect_refusal("[]", NN_ERROR_FORMAT, "line 1: the file does not begin");
    expect_refusal("{}", NN_ERROR_FORMAT, "model; wanted an object");
    expect_refusal("{\n\"a\": tru}", NN_ERROR_FORMAT, "line 2: a value is missing");
    expect_refusal("{\"a\": 1,}", NN_ERROR_FORMAT, "an object lacks a key");
    expect_refusal("{\"a\": 01}", NN_ERROR_FORMAT, "a comma or a closing bracket");
    expect_refusal("{\"a\": \"\\ud800\"}", NN_ERROR_FORMAT, "surrogate");
    expect_refusal("{\"a\": \"\\x\"}", NN_ERROR_FORMAT, "unknown escape");
    expect_refusal("{\"a\": \"\xff\"}", NN_ERROR_FORMAT, "not UTF-8");
    expect_refusal("{\"a\": \"b", NN_ERROR_FORMAT, "a string does not end");
    expect_refusal("{\"a\": {}", NN_ERROR_FORMAT, "a comma or a closing bracket");
    expect_refusal("{} x", NN_ERROR_FORMAT, "after the last");
    expect_refusal(deep, NN_ERROR_FORMAT, "more than 64");
    expect_refusal("{\n\n\"colour\":1," MODEL("") "}", NN_ERROR_UNSUPPORTED,
                   "line 3: the key \"colour\" is not supported");
    expect_refusal("{\"version\":1,\"version\":1," MODEL("") "}", NN_ERROR_FORMAT, "occurs twice");
    expect_refusal("{\"model\":{\"type\":\"WordLevel\",\"vocab\":{}}}", NN_ERROR_FORMAT,
                   "BPE, WordPiece or Unigram");
    expect_refusal("{" MODEL(",\"dropout\":0.1") "}", NN_ERROR_FORMAT, "dropout");
    expect_refusal("{" MODEL(",\"unk_token\":\"<u>\"") "}", NN_ERROR_FORMAT, "unk_token");
    expect_refusal("{\"normalizer\":{\"type\":\"Nmt\"}," MODEL("") "}", NN_ERROR_UNSUPPORTED,
                   "the normalizer \"Nmt\" is not supported");
    expect_refusal("{\"normalizer\":{\"type\":\"NFC\",\"x\":1}," MODEL("") "}",
                   NN_ERROR_UNSUPPORTED, "the key \"x\" is not supported; supported keys: type");
    expect_refusal("{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a+?\"},"
                   "\"behavior\":\"Isolated\",\"invert\":false}," MODEL("") "}",
                   NN_ERROR_UNSUPPORTED, "line 1: the regular expression \"a+?\" of Split is not");
    expect_refusal("{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"String\":\"\"},"
                   "\"behavior\":\"Isolated\",\"invert\":false}," MODEL("") "}",
                   NN_ERROR_FORMAT, "not empty");
    expect_refusal("{\"post_processor\":{\"type\":\"Mystery\"}," MODEL("") "}",
                   NN_ERROR_UNSUPPORTED, "Mystery");
    expect_refusal("{\"truncation\":{\"max_length\":8,\"strategy\":\"DoNotTruncate\"}," MODEL("") "}",
                   NN_ERROR_FORMAT, "strategy; wanted \"LongestFirst\"");
    expect_refusal("{\"decoder\":{\"type\":\"CTC\"}," MODEL("") "}", NN_ERROR_UNSUPPORTED,
                   "the decoder \"CTC\"");
    expect_refusal("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"a\":1},\"merges\":[]}}",
                   NN_ERROR_FORMAT, "a token that occurs twice");
    expect_refusal("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":0},\"merges\":[]}}",
                   NN_ERROR_FORMAT, "\"a\" and \"b\" have the same id, 0");
    expect_refusal("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":2000000000},\"merges\":[]}}",
                   NN_ERROR_FORMAT, "has id 2000000000");
    expect_refusal("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":1e3},\"merges\":[]}}",
                   NN_ERROR_FORMAT, "a token without an id");
    expect_refusal("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1},\"merges\":\n[\"a b\"]}}",
                   NN_ERROR_FORMAT, "line 2: a merge whose result");
    expect_refusal("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[\"a\"]}}",
                   NN_ERROR_FORMAT, "not two tokens");
    expect_refusal("{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",\"b\"]]}}", NN_ERROR_FORMAT,
                   "[[\"token\", score], ...]");
    expect_refusal("{\"model\":{\"type\":\"Unigram\",\"unk_id\":1,\"vocab\":[[\"a\",-1]]}}",
                   NN_ERROR_FORMAT, "unk_id; wanted the id of a token");
    expect_refusal("{\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"ab\"}," MODEL("") "}",
                   NN_ERROR_FORMAT, "replacement; wanted one character");
    expect_refusal("{\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"_\",\"prepend_scheme\":"
                   "\"last\"}," MODEL("") "}", NN_ERROR_FORMAT, "always, first or never");
}

/* Splitting by an expression cuts a text where Oniguruma does: the ends of all pieces are given, in
   bytes. */
static void test_expressions(void) {
    static const struct {
        const char *regex, *text, *ends;
    } known[] = {
        {"(\077i:'s|'t|'re|'ve|'m|'ll|'d)", "He'S '\305\277 I'LL 'K x", "2 4 5 8 10 13 18"},
        {"(\077i:k+)", "Kk\342\204\252j", "5 6"},
        {"\134p{Lu}+", "AB\307\205c\303\200", "2 5 7"},
        {"\134p{Lt}", "AB\307\205c", "2 4 5"},
        {"\134p{Ll}+", "ab\307\205\303\237A", "2 4 6 7"},
        {"\134p{Lm}+", "a\312\260\312\261B", "1 5 6"},
        {"\134p{Lo}+", "a\302\252\327\220\327\221", "1 7"},
        {"[\134p{P}\134p{S}]+", "a.$+\302\277x", "1 6 7"},
        {"\134P{L}+", "a12b", "1 3 4"},
        {"\134p{M}", "a\314\201b", "1 3 4"},
        {"\134S+", "a b\302\240c", "1 2 3 5 6"},
        {"[^\134s\134p{L}]+", "a12 b", "1 3 5"},
        {"a{2}", "aaaaa", "2 4 5"},
        {"a{2,}", "aaaaab a", "5 8"},
        {"a{1,3}", "aaaaa", "3 5"},
        {"a\077+ab", "aab", "3"},
        {"a++b|a", "aaab aa", "4 5 6 7"},
        {"(\077>a|ab)c|b", "abcac", "1 2 3 5"},
        {"(\077:a|ab)c|b", "abcac", "3 5"},
        {"a(\077=b)", "aab", "1 2 3"},
        {"a(\077!b)", "aab", "1 3"},
        {"\134s+(\077!\134S)|\134s+", "a   b  ", "1 3 4 5 7"},
        {"\134s*[\134r\134n]+", "a  \012 \015\012  b", "1 7 10"},
        {"(ab)\077c", "abcc", "3 4"},
        {"(ab|a(\077:bc)\077)d", "abcdad", "4 6"},
        {"[a-c-]+", "ab-d", "3 4"},
        {"[\134]\134\134^]+", "a]\134^", "1 4"},
        {"\134.\134*\134+\134\077", "a.*+\077", "1 5"},
        {"[\344\270\200-\351\276\245]+", "a\346\274\242\345\255\227b", "1 7 8"},
        {"\134n|\134t|\134f|\134v|\134r", "a\012\011\014\013\015", "1 2 3 4 5 6"},
        {"[^ab]", "abc\303\251a", "2 3 5 6"},
        {"x|yy|y", "yyyx", "2 3 4"},
        {"\303\251+", "a\303\251\303\251", "1 5"},
        {"[!\042#$%&'()*+,\134-./:;<=>\077@\134[\134\134\134]^_`{|}~][A-Za-z]+", "a.bc[De", "1 4 7"},
        {"<\134|end\134|>|[\134p{L}]+", "<|end|>ab<|", "7 9 11"},
        {"(a*+)b", "aab", "3"},
        {"a*ab|a", "aaab", "4"},
        {"(\077i:[ab]+)", "aBc", "2 3"}};
    nn_context *nn = open_context();
    nn_tokenizer *tokenizer = open_text(nn, "{" MODEL("") "}");
    nn__text_call call = nn__text_begin(nn, nn_make_site(__FILE__, __LINE__), "test");
    ENSURE(tokenizer);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        nn__text_scan scan;
        nn__text_step step;
        char ends[100] = "";
        const char *why;
        bool found;
        memset(&step, 0, sizeof step);
        step.kind = NN__TEXT_SPLIT_REGEX;
        step.regex = nn__regex_read(&call, tokenizer, known[i].regex, strlen(known[i].regex), &why);
        if (test_wrong(!step.regex)) test_fail(__FILE__, __LINE__, "%s: %s", known[i].regex, why);
        scan.u = tokenizer->unicode;
        scan.text = known[i].text;
        scan.end = strlen(known[i].text);
        scan.left = 100000;
        for (size_t at = 0; step.regex && at < scan.end;) {
            at = nn__text_next_piece(&scan, &step, at, &found);
            sprintf(ends + strlen(ends), "%s%d", *ends ? " " : "", (int)at);
        }
        if (test_wrong(strcmp(ends, known[i].ends) != 0))
            test_fail(__FILE__, __LINE__, "%s: %s, wanted %s", known[i].regex, ends, known[i].ends);
    }
    nn_close(nn);
}

/* "ab" costs as much as the dearest token, but an unknown character costs 10 more than that. */
static void test_unigram_unknown(void) {
    nn_context *nn = open_context();
    nn_tokenizer *tokenizer = open_text(
        nn, "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"<u>\",0],[\"b\",1],[\"ab\",-5]]}}");
    ENSURE(tokenizer && encode(tokenizer, "ab", 2, NULL) == NN_OK && made.tokens.count == 1);
    ENSURE(made.ids[0] == 2 && made.ends[0] == 2);
    ENSURE(encode(tokenizer, "xyb", 3, NULL) == NN_OK && made.tokens.count == 2);
    ENSURE(made.ids[0] == 0 && made.ends[0] == 2 && made.ids[1] == 1);
    nn_close(nn);
}

/* byte_fallback of a byte-level model: if the vocabulary lacks the letter that stands for a byte,
   the tokens of the letter's own bytes take its place, as in Hugging Face's. All of them have the
   position of the byte. Many such bytes in a row need two symbols each. */
static void test_byte_level_falls_back(void) {
    static const int32_t right[4] = {1, 3, 4, 2};
    char blanks[100];
    nn_context *nn = open_context();
    nn_tokenizer *tokenizer = open_text(
        nn, "{\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":"
            "true,\"use_regex\":false},\"model\":{\"type\":\"BPE\",\"unk_token\":\"<unk>\","
            "\"byte_fallback\":true,\"vocab\":{\"<unk>\":0,\"a\":1,\"<0x78>\":2,\"<0xC4>\":3,"
            "\"<0xA0>\":4},\"merges\":[]}}");
    ENSURE(tokenizer && encode(tokenizer, "a x", 3, NULL) == NN_OK && made.tokens.count == 4);
    ENSURE(memcmp(made.ids, right, sizeof right) == 0);
    ENSURE(made.starts[1] == 1 && made.ends[1] == 2 && made.starts[2] == 1 && made.ends[2] == 2);
    ENSURE(encode(tokenizer, "ay", 2, NULL) == NN_OK && made.tokens.count == 2 && made.ids[1] == 0);
    memset(blanks, ' ', sizeof blanks);
    ENSURE(encode(tokenizer, blanks, sizeof blanks, NULL) == NN_OK && made.tokens.count == 200);
    nn_close(nn);
}

/* The tokenizer refuses a regular expression that it does not understand, or that would never
   end. */
static void test_refused_expressions(void) {
    static const char *const wrong[][2] = {{"a*", "match an empty text"},
                                           {"(a|b*)", "match an empty text"},
                                           {"a|", "match an empty text"},
                                           {"(?!a)", "match an empty text"},
                                           {"a+?", "a lazy repeat"},
                                           {"a{1,2}+", "repeat of a repeat"},
                                           {"(ab)+", "group that repeats"},
                                           {"[a", "class without ]"},
                                           {"(a", "group without )"},
                                           {"a)", "without its group"},
                                           {"[]a]", "begins with ]"},
                                           {"[a[b]]", "class in a class"},
                                           {"[b-a]", "range"},
                                           {"\\w", "letter after"},
                                           {"\\p{Han}", "a property other"},
                                           {"a$", "needs a \\"},
                                           {".", "needs a \\"},
                                           {"(?<=a)b", "(?: (?i:"},
                                           {"(?i:\xc3\xa9)", "not ASCII"},
                                           {"(?i:ss)", "ligatures too"},
                                           {"a{3,2}", "empty"},
                                           {"a{99999}", "below 10000"},
                                           {"a{2", "that does not end"},
                                           {"\\", "at the end"},
                                           {"((((((((((a))))))))))", "too deep"}};
    static char many[2000];
    strcpy(many, "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"b");
    for (int i = 0; i < 600; i++) strcat(many, "a?");
    strcat(many, "\"}," MODEL_END);
    expect_refusal(many, NN_ERROR_UNSUPPORTED, "more than 512");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[300], spelled[64], *to = spelled;
        for (const char *c = wrong[i][0]; *c; c++) {
            if (*c == '\\') *to++ = '\\';
            *to++ = *c;
        }
        *to = 0;
        snprintf(text, sizeof text,
                 "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"%s\"}," MODEL_END,
                 spelled);
        expect_refusal(text, NN_ERROR_UNSUPPORTED, wrong[i][1]);
    }
}

/* An expression with two ways to match each repeat would take forever, so the text is refused. */
static void test_endless_expression(void) {
    enum { LONG = 1 << 16 };
    nn_context *nn = open_context();
    nn_tokenizer *tokenizer = open_text(
        nn, "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a*a*a*b|a\"}," MODEL_END);
    char *text = (char *)malloc(LONG);
    nn_tokens tokens;
    memset(&tokens, 0, sizeof tokens);
    memset(text, 'a', LONG);
    ENSURE(tokenizer);
    ENSURE(nn_encode(tokenizer, text, 20, NULL, &tokens) == NN_OK && tokens.count == 20);
    ENSURE(nn_encode(tokenizer, text, LONG, NULL, &tokens) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(nn), "takes too long on a text of 65536 bytes"));
    free(text);
    nn_close(nn);
}

static void test_refused_calls(void) {
    nn_context *nn = open_context();
    nn_tokenizer *gpt2 = open_case(nn, "gpt2");
    nn_encode_desc desc;
    nn_decode_stream stream;
    nn_text text;
    nn_writer writer = into_made(&text);
    int32_t ids[3] = {0, 5, 7}, id = 900;
    nn_tokens tokens;
    memset(&desc, 0, sizeof desc);
    memset(&tokens, 0, sizeof tokens);
    memset(&stream, 0, sizeof stream);
    ENSURE(nn_encode(NULL, "a", 1, NULL, &tokens) == NN_ERROR_ARGUMENT);
    ENSURE(nn_encode(gpt2, "a", 1, NULL, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_encode(gpt2, NULL, 1, NULL, &tokens) == NN_ERROR_ARGUMENT);
    ENSURE(nn_encode(gpt2, NULL, 0, NULL, &tokens) == NN_OK && tokens.count == 0);
    nn_clear_error(nn);
    tokens.ids = ids;
    tokens.capacity = 3;
    ENSURE(nn_encode(gpt2, "QZXW", 4, NULL, &tokens) == NN_ERROR_ARGUMENT && tokens.count == 4);
    ENSURE(ids[0] == 0 && strstr(nn_error(nn), "has 4 tokens, but tokens->capacity is 3"));
    nn_clear_error(nn);
    ENSURE(nn_decode(gpt2, &id, 1, NULL, writer) == NN_ERROR_INDEX);
    ENSURE(strstr(nn_error(nn), "id 900 at index 0") && text.length == 0);
    nn_clear_error(nn);
    id = -1;
    ENSURE(nn_decode_next(gpt2, &stream, id, writer) == NN_ERROR_INDEX);
    stream.held = 400;
    ENSURE(nn_decode_next(gpt2, &stream, 0, writer) == NN_ERROR_ARGUMENT);
    memset(&stream, 0, sizeof stream);
    stream.pending[0] = 0xc3;
    stream.held = stream.count = 1;
    memset(&writer, 0, sizeof writer); /* text that nobody gets */
    ENSURE(nn_decode(gpt2, &stream.count, 1, NULL, writer) == NN_ERROR_ARGUMENT);
    ENSURE(nn_decode_next(gpt2, &stream, 0, writer) == NN_ERROR_ARGUMENT);
    ENSURE(nn_decode_end(gpt2, &stream, writer) == NN_ERROR_ARGUMENT);
    ENSURE(stream.held == 1 && stream.count == 1);
    desc.truncation = (nn_truncation)3;
    ENSURE(nn_encode(gpt2, "a", 1, &desc, &tokens) == NN_ERROR_ARGUMENT);
    desc.truncation = NN_TRUNCATION_LONGEST_FIRST;
    desc.pair_bytes = 1; /* and no pair */
    ENSURE(nn_encode(gpt2, "a", 1, &desc, &tokens) == NN_ERROR_ARGUMENT);
    desc.pair_bytes = 0;
    ENSURE(nn_encode(gpt2, "a", 0, &desc, &tokens) == NN_OK);
    desc.max_length = -7;
    ENSURE(nn_encode(gpt2, "a", 1, &desc, &tokens) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "id -1")); /* the first one stays */
    nn_close(nn);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory runs out at each call of the allocator in turn. */
static void test_memory_runs_out(void) {
    char *text = text_of_case(find_case("qwen2"));
    int failures = 0;
    for (int fail = 1; fail < 200; fail++) {
        scarce memory;
        nn_desc desc;
        nn_context *nn;
        nn_tokenizer *tokenizer;
        nn_text heard;
        nn_writer writer = into_made(&heard);
        bool well = false;
        memset(&memory, 0, sizeof memory);
        memset(&desc, 0, sizeof desc);
        desc.threads = 1;
        desc.allocator = scarce_memory(&memory);
        nn = nn_open(&desc);
        ENSURE(nn);
        memory.calls = 0;
        memory.fail_at = fail;
        tokenizer = open_text(nn, text);
        if (tokenizer && encode(tokenizer, "e\xcc\x81 caf\xff\xc3\xa9", 11, NULL) == NN_OK &&
            nn_decode(tokenizer, made.ids, made.tokens.count, NULL, writer) == NN_OK)
            well = true;
        failures += !well;
        ENSURE(well == (nn_error(nn) == NULL));
        ENSURE(well || nn_error_code(nn) == NN_ERROR_MEMORY);
        nn_close(nn);
        ENSURE(memory.live == 0);
        if (well) break;
    }
    ENSURE(failures > 8 && failures < 150);
    free(text);
}

/* Tests one word of a megabyte, and a letter with as many marks: the time must not be quadratic. */
static void test_long_words(void) {
    enum { LONG = 1 << 20 };
    char *text = (char *)malloc(LONG);
    nn_context *nn = open_context();
    nn_tokenizer *qwen2 = open_case(nn, "qwen2"), *bert = open_case(nn, "bert");
    nn_tokens tokens;
    memset(&tokens, 0, sizeof tokens);
    memset(text, 'e', LONG);
    ENSURE(nn_encode(qwen2, text, LONG, NULL, &tokens) == NN_OK && tokens.count > 1000);
    ENSURE(nn_encode(bert, text, LONG, NULL, &tokens) == NN_OK && tokens.count == 3);
    for (int i = 0; i < LONG / 2; i++) memcpy(text + 2 * i, i & 1 ? "\xcc\x81" : "\xcc\xa3", 2);
    ENSURE(nn_encode(qwen2, text, LONG, NULL, &tokens) == NN_OK && tokens.count > 1000);
    ENSURE(nn_encode(bert, text, LONG, NULL, &tokens) == NN_OK && tokens.count == 2);
    free(text);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_bytes_and_characters);
    RUN(test_files);
    RUN(test_saving);
    RUN(test_saving_fails);
    RUN(test_batches);
    RUN(test_hugging_face);
    RUN(test_learning);
    RUN(test_refused_files);
    RUN(test_expressions);
    RUN(test_unigram_unknown);
    RUN(test_byte_level_falls_back);
    RUN(test_refused_expressions);
    RUN(test_endless_expression);
    RUN(test_refused_calls);
    RUN(test_memory_runs_out);
    RUN(test_long_words);
    return test_report();
}
