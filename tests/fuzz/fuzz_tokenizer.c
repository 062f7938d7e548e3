/* tests/fuzz/fuzz_tokenizer.c - reads any bytes as a tokenizer.json. There must be no crash and no
   leak, and either a tokenizer or an error. One that opens encodes the file's own bytes, and what
   comes out decodes, at once and piece by piece alike.

   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_tokenizer.c     the fuzzer
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_tokenizer.c                                its small corpus, for
   `make test` */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"

#define FUZZ_NAME "fuzz_tokenizer"
#define FUZZ_WORDS                                                                                 \
    "{", "}", "[", "]", ",", ":", "\"", "null", "true", "false", "0", "-1", "7", "1e9", "65536",    \
        "\\u0000", "\\ud83d\\ude00", "{\"type\":\"NFKC\"},", "\"Replace\"", "\"Prepend\"",            \
        "{\"Regex\":\"", "{\"String\":\"", "\\\\p{L}", "\\\\p{Lu}+", "\\\\s+", "(?i:", "(?!\\\\S)", "[^",   \
        "{1,3}", "?+", "*", "|", ")", "\"Split\"", "\"Metaspace\"", "\"Unigram\"", "[\"l\",-1.5],",    \
        "\"first\"", "\"MergedWithNext\"", "\"byte_fallback\":true,", "\"<0xE2>\":8,", "\"o l\",",  \
        "\"end_of_word_suffix\":\"l\",", "\"ignore_merges\":true,", "\"unk_id\":0,", "\xe2\x96\x81"
#include "fuzz.h"

typedef struct fuzz_text {
    char bytes[65536];
    size_t length;
} fuzz_text;

static void fuzz_write(void *user, const char *text, size_t length) {
    fuzz_text *to = (fuzz_text *)user;
    if (length > sizeof to->bytes - to->length) length = sizeof to->bytes - to->length;
    memcpy(to->bytes + to->length, text, length);
    to->length += length;
}

/* Encodes a text, and decodes the result. */
static void fuzz_encode(nn_context *nn, nn_tokenizer *tokenizer, const char *text, size_t bytes) {
    static int32_t ids[8192], starts[8192], ends[8192];
    static fuzz_text whole, pieces;
    nn_decode_stream stream;
    nn_tokens tokens;
    nn_writer writer;
    memset(&tokens, 0, sizeof tokens);
    tokens.ids = ids;
    tokens.starts = starts;
    tokens.ends = ends;
    tokens.capacity = 8192;
    if (nn_encode(tokenizer, text, bytes, NULL, &tokens) != NN_OK) {
        fuzz_ensure(nn_error(nn) != NULL);
        nn_clear_error(nn);
        return;
    }
    for (int32_t i = 0; i < tokens.count; i++)
        fuzz_ensure(ids[i] >= 0 && ids[i] < nn_vocab_size(tokenizer) && starts[i] >= 0 &&
                    starts[i] <= ends[i] && (size_t)ends[i] <= bytes);
    fuzz_touch(ids, sizeof ids[0] * (size_t)tokens.count);
    whole.length = pieces.length = 0;
    writer.function = fuzz_write;
    writer.user = &whole;
    fuzz_ensure(nn_decode(tokenizer, ids, tokens.count, NULL, writer) == NN_OK);
    writer.user = &pieces;
    memset(&stream, 0, sizeof stream);
    for (int32_t i = 0; i < tokens.count; i++)
        fuzz_ensure(nn_decode_next(tokenizer, &stream, ids[i], writer) == NN_OK);
    fuzz_ensure(nn_decode_end(tokenizer, &stream, writer) == NN_OK);
    fuzz_ensure(whole.length == pieces.length &&
                memcmp(whole.bytes, pieces.bytes, whole.length) == 0);
}

static const char fuzz_line[] = "Hello, w\xc3\xb6rld's 123\n\n [MASK] \xff lol  \xe2\x96\x81lo";

/* An opened tokenizer can be saved, opens again, and gives the same ids. */
static void fuzz_save(nn_context *nn, nn_tokenizer *tokenizer) {
    static fuzz_text saved;
    static int32_t ids[2][512];
    nn_tokenizer_desc desc;
    nn_tokenizer *again;
    nn_writer writer;
    nn_tokens tokens[2];
    nn_result results[2];
    writer.function = fuzz_write;
    writer.user = &saved;
    saved.length = 0;
    fuzz_ensure(nn_save_tokenizer_to(tokenizer, writer) == NN_OK);
    memset(&desc, 0, sizeof desc);
    desc.data = saved.bytes;
    desc.bytes = saved.length;
    again = nn_open_tokenizer(nn, &desc);
    if (!again) fprintf(stderr, "%s\n%.*s\n", nn_error(nn), (int)saved.length, saved.bytes);
    fuzz_ensure(again != NULL);
    memset(tokens, 0, sizeof tokens);
    for (int i = 0; i < 2; i++) {
        tokens[i].ids = ids[i];
        tokens[i].capacity = 512;
        results[i] = nn_encode(i ? again : tokenizer, fuzz_line, sizeof fuzz_line - 1, NULL, &tokens[i]);
        nn_clear_error(nn);
    }
    fuzz_ensure(results[0] == results[1] && tokens[0].count == tokens[1].count);
    fuzz_ensure(results[0] != NN_OK ||
                memcmp(ids[0], ids[1], sizeof ids[0][0] * (size_t)tokens[0].count) == 0);
    nn_free_tokenizer(again);
}

static bool fuzz_one(nn_context *nn) {
    static char copy[4096];
    nn_tokenizer_desc desc;
    nn_tokenizer *tokenizer;
    void *file = nn_context_desc(nn)->files.open(nn_context_desc(nn)->files.user, "f", false);
    uint64_t bytes = 0;
    nn_context_desc(nn)->files.size(nn_context_desc(nn)->files.user, file, &bytes);
    if (bytes > sizeof copy) bytes = sizeof copy;
    nn_context_desc(nn)->files.read(nn_context_desc(nn)->files.user, file, 0, copy, (size_t)bytes);
    nn_context_desc(nn)->files.close(nn_context_desc(nn)->files.user, file);
    memset(&desc, 0, sizeof desc);
    desc.path = "f";
    tokenizer = nn_open_tokenizer(nn, &desc);
    if (!tokenizer) return false;
    fuzz_encode(nn, tokenizer, copy, (size_t)bytes);
    fuzz_encode(nn, tokenizer, fuzz_line, sizeof fuzz_line - 1);
    fuzz_save(nn, tokenizer);
    nn_free_tokenizer(tokenizer);
    return true;
}

/* Writes small files that together have most of the supported parts. */
static size_t fuzz_seed(int number, unsigned char *bytes) {
    static const char *const normalizers[5] = {
        "null", "{\"type\":\"NFC\"}",
        "{\"type\":\"BertNormalizer\",\"clean_text\":true,\"handle_chinese_chars\":true,"
        "\"strip_accents\":null,\"lowercase\":true}",
        "{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFKD\"},{\"type\":\"StripAccents\"},"
        "{\"type\":\"Replace\",\"pattern\":{\"String\":\" \"},\"content\":\"_\"}]}",
        "{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Prepend\",\"prepend\":\"_\"},"
        "{\"type\":\"Strip\",\"strip_left\":true,\"strip_right\":false},{\"type\":\"Lowercase\"}]}"};
    static const char *const splitters[6] = {
        "{\"type\":\"ByteLevel\",\"add_prefix_space\":true,\"trim_offsets\":true,"
        "\"use_regex\":true}",
        "{\"type\":\"BertPreTokenizer\"}",
        "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Whitespace\"},{\"type\":\"Digits\","
        "\"individual_digits\":true}]}",
        "{\"type\":\"Split\",\"pattern\":{\"String\":\"l\"},\"behavior\":\"MergedWithNext\","
        "\"invert\":false}",
        "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"[^\\\\r\\\\p{L}]?[\\\\p{Lu}]*[\\\\p{Ll}\\\\p{M}]+(?i:'s)?|"
        "\\\\p{N}{1,3}|\\\\s+(?!\\\\S)|[^l]\"},\"behavior\":\"Isolated\",\"invert\":false}",
        "{\"type\":\"Metaspace\",\"replacement\":\"_\",\"prepend_scheme\":\"first\",\"split\":true}"};
    static const char *const posts[2] = {
        "{\"type\":\"ByteLevel\",\"add_prefix_space\":true,\"trim_offsets\":true}",
        "{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\"x\",\"type_id\":0}},"
        "{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],\"pair\":[{\"Sequence\":{\"id\":\"A\","
        "\"type_id\":0}},{\"Sequence\":{\"id\":\"B\",\"type_id\":1}}],\"special_tokens\":{\"x\":"
        "{\"id\":\"x\",\"ids\":[3],\"tokens\":[\"[MASK]\"]}}}"};
    static const char *const decoders[3] = {
        "{\"type\":\"ByteLevel\"}", "{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true}",
        "{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Replace\",\"pattern\":{\"String\":\"_\"},"
        "\"content\":\" \"},{\"type\":\"ByteFallback\"},{\"type\":\"Fuse\"},{\"type\":\"Strip\","
        "\"content\":\" \",\"start\":1,\"stop\":0}]}"};
    bool pieces = number % 6 == 1;
    if (number % 6 == 5) /* the last one is for Unigram */
        return (size_t)sprintf(
            (char *)bytes,
            "{\"normalizer\":%s,\"pre_tokenizer\":%s,\"decoder\":{\"type\":\"Metaspace\",\"replacement\":"
            "\"_\"},\"model\":{\"type\":\"Unigram\",\"unk_id\":%s,\"byte_fallback\":%s,\"vocab\":[[\"<u>\",0],"
            "[\"_l\",-2.25],[\"o\",-3],[\"lo\",-3.5e0],[\"<0xC3>\",-5],[\"<0xB6>\",0.5],[\"_\",-4]]}}",
            normalizers[number % 5], splitters[5], number % 4 ? "0" : "null",
            number % 2 ? "true" : "false");
    return (size_t)sprintf(
        (char *)bytes,
        "{\"version\":\"1.0\",\"added_tokens\":[{\"id\":3,\"content\":\"[MASK]\",\"lstrip\":true,"
        "\"rstrip\":%s,\"single_word\":false,\"normalized\":%s,\"special\":true}],"
        "\"normalizer\":%s,\"pre_tokenizer\":%s,\"post_processor\":%s,\"decoder\":%s,"
        "\"model\":{\"type\":\"%s\",%s\"vocab\":{\"l\":0,\"o\":1,\"lo\":2,\"e\":4,\"##l\":5,\"<u>\":6,"
        "\"\\u00c3\":7}%s}}",
        number % 3 ? "true" : "false", number % 2 ? "true" : "false", normalizers[number % 5],
        splitters[number % 6], posts[number % 2], decoders[number % 3],
        pieces ? "WordPiece" : "BPE",
        pieces ? "\"unk_token\":\"<u>\",\"continuing_subword_prefix\":\"##\","
                 "\"max_input_chars_per_word\":9,"
               : "\"unk_token\":\"<u>\",\"fuse_unk\":true,\"byte_fallback\":true,",
        pieces ? "" : ",\"merges\":[\"l o\"]");
}

#include "fuzz_main.h"
