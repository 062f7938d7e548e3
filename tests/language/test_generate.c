/* tests/language/test_generate.c - text generation (nn_text.h): the choice of a token, compared
   with the logits processors of transformers (tests/golden/sampling.py); the callbacks; many texts
   at once, in slices, on any number of threads; error texts; memory that runs out. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"
#ifdef NN_TEST_LINKED
#include "language/generate_private.h" /* as inside.h has it for nn.h */
#endif

#include <stdio.h>
#include <stdlib.h>

#include "golden/sampling.h"
#include "sim_device.h"
#include "lists.h"
#include "scarce.h"
#include "test.h"

enum { MOST = 64 };

/* ---- how a token is chosen ------------------------------------------------------------------- */

static float scores[1000], kept[1000];
static double weights[1000];
static int32_t order[1000];
static uint32_t seen[32];

static nn__sampler sampler_of(int32_t size) {
    nn__sampler sampler = {scores, kept, weights, order, seen, size};
    return sampler;
}

static uint32_t hash(uint32_t x) {
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

static void hashed_logits(uint32_t number) {
    uint32_t coarse = number % 4 == 3 ? 65536 : 1;
    for (uint32_t i = 0; i < 64; i++)
        scores[i] = (float)((int)(hash(number * 64 + i) % (14u << 16) / coarse * coarse) -
                            (8 << 16)) /
                    65536.0f;
}

/* Compares the tokens that are left, their scores, and the weights for drawing. */
static void test_as_transformers_has_it(void) {
    for (uint32_t k = 0; k < sizeof sampling_cases / sizeof sampling_cases[0]; k++) {
        const struct sampling_case *wanted = &sampling_cases[k];
        nn__sampler sampler = sampler_of(64);
        nn_sampling s = {(float)wanted->penalty, true, (float)wanted->temperature, wanted->top_k,
                         (float)wanted->top_p,   (float)wanted->min_p, 0};
        int32_t ids[MOST];
        uint64_t left = 0;
        double total = 0, entropy = 0;
        float largest = -INFINITY, smallest = INFINITY;
        hashed_logits(k);
        for (int i = 0; i < wanted->ids; i++)
            ids[i] = (int32_t)(hash(7777 + k * 64 + (uint32_t)i) % 64);
        ENSURE(nn__sample_process(&sampler, &s, ids, wanted->ids));
        for (int i = 0; i < 64; i++) total += weights[i];
        for (int i = 0; i < 64; i++) {
            if (weights[i] <= 0) continue;
            left |= (uint64_t)1 << i;
            entropy -= weights[i] / total * log(weights[i] / total);
            if (scores[i] > largest) largest = scores[i];
            if (scores[i] < smallest) smallest = scores[i];
        }
        if (left != wanted->left)
            test_fail(__FILE__, __LINE__, "case %d: other tokens are left: %016llx, not %016llx",
                      (int)k, (unsigned long long)left, (unsigned long long)wanted->left);
        ENSURE_CLOSE(largest, wanted->largest, 4e-7 * fabs(wanted->largest));
        ENSURE_CLOSE(smallest, wanted->smallest, 4e-7 * fabs(wanted->smallest));
        ENSURE_CLOSE(entropy, wanted->entropy, 1e-6);
        for (int i = 0; i < 2; i++) ENSURE(seen[i] == 0);
    }
}

static int count_left(int size) {
    int left = 0;
    for (int i = 0; i < size; i++) left += weights[i] > 0;
    return left;
}

/* Of 997 logits with many equal ones: top-k leaves k and those equal to the last one; top-p leaves
   the fewest that reach the share; the likeliest token is always left. */
static void test_what_is_left(void) {
    for (uint32_t k = 0; k < 60; k++) {
        nn__sampler sampler = sampler_of(997);
        nn_sampling s = {.sample = true};
        float least = INFINITY;
        double total = 0, share = 0;
        int equal = 0, above = 0, left;
        for (uint32_t round = 0; round < 2; round++) {
            for (uint32_t i = 0; i < 997; i++)
                scores[i] = (float)(hash(k * 1000 + i) % (k < 30 ? 100 : 1000000)) /
                            (k < 30 ? 10.0f : 100000.0f);
            if (round == 0) { /* what top-p chooses from */
                ENSURE(nn__sample_process(&sampler, &s, NULL, 0));
                for (int i = 0; i < 997; i++) total += weights[i];
                s.top_p = 0.05f + (float)k * 0.015f;
            }
        }
        ENSURE(nn__sample_process(&sampler, &s, NULL, 0));
        left = count_left(997);
        for (int i = 0; i < 997; i++) {
            share += weights[i] / total;
            if (weights[i] > 0 && scores[i] < least) least = scores[i];
        }
        ENSURE(left >= 1 && share >= (double)s.top_p - 1e-12);
        for (int i = 0; i < 997; i++)
            if (weights[i] > 0 && scores[i] <= least) {
                ENSURE(share - weights[i] / total < (double)s.top_p);
                break;
            }

        s.top_p = 0;
        s.top_k = 1 + (int32_t)(hash(k) % 200);
        for (uint32_t i = 0; i < 997; i++)
            scores[i] = (float)(hash(k * 1000 + i) % (k < 30 ? 100 : 1000000));
        ENSURE(nn__sample_process(&sampler, &s, NULL, 0));
        left = 0;
        least = INFINITY;
        for (int i = 0; i < 997; i++) {
            if (scores[i] == -INFINITY) continue;
            left++;
            if (scores[i] < least) least = scores[i];
        }
        for (uint32_t i = 0; i < 997; i++) {
            float score = (float)(hash(k * 1000 + i) % (k < 30 ? 100 : 1000000));
            equal += score == least;
            above += score > least;
        }
        ENSURE(above < s.top_k && above + equal >= s.top_k && left == above + equal);
    }
}

/* 40,000 draws from eight tokens: Pearson's chi squared with 7 degrees of freedom is above 24.3 once
   in a thousand seeds. */
static void test_frequencies(void) {
    enum { DRAWS = 40000 };
    nn__sampler sampler = sampler_of(8);
    nn_sampling s = {.sample = true, .temperature = 1.5f, .seed = 42};
    int counts[8] = {0};
    double total = 0, chi = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        int32_t id;
        for (int i = 0; i < 8; i++) scores[i] = (float)i * 0.6f - 3;
        id = nn__sample_token(&sampler, &s, NULL, draw % 200, (uint64_t)draw / 200);
        ENSURE(id >= 0 && id < 8);
        counts[id]++;
    }
    for (int i = 0; i < 8; i++) total += exp(i * 0.4);
    for (int i = 0; i < 8; i++) {
        double wanted = DRAWS * exp(i * 0.4) / total;
        chi += (counts[i] - wanted) * (counts[i] - wanted) / wanted;
    }
    ENSURE(chi < 24.3 && chi > 0.6);
}

static void test_no_token(void) {
    nn__sampler sampler = sampler_of(3);
    for (int sample = 0; sample < 2; sample++) {
        nn_sampling s = {.sample = sample == 1, .seed = 3};
        float bad[3] = {NAN, INFINITY, -INFINITY};
        for (int k = 0; k < 3; k++) {
            scores[0] = scores[1] = k == 2 ? -INFINITY : 1.0f;
            scores[2] = bad[k];
            ENSURE(nn__sample_token(&sampler, &s, NULL, 0, 0) == -1);
        }
        scores[0] = scores[2] = -INFINITY;
        scores[1] = -5;
        ENSURE(nn__sample_token(&sampler, &s, NULL, 0, 0) == 1);
        scores[0] = scores[1] = scores[2] = 2;
        if (!sample) ENSURE(nn__sample_token(&sampler, &s, NULL, 0, 0) == 0);
    }
}

/* ---- a model that says what it is told ------------------------------------------------------- */

typedef struct script {
    nn_context *nn;
    nn_model *net;
    nn_tokenizer *tokenizer;
    nn_generator_desc desc;
    nn_generator *generator;
    char heard[1024];
    size_t length;
    int pieces, refuse_at; /* 0: never */
    bool whole;            /* every piece was UTF-8 */
} script;

static bool hear(void *user, int32_t text, const char *piece, size_t bytes) {
    script *s = (script *)user;
    if (text == 0 && s->length + bytes < sizeof s->heard) {
        memcpy(s->heard + s->length, piece, bytes);
        s->length += bytes;
        s->heard[s->length] = 0;
    }
    s->pieces++;
    s->whole &= bytes > 0 && nn__text_is_utf8(piece, bytes);
    return s->pieces != s->refuse_at;
}

/* Opens a net that writes the byte told[i] after place i. */
static void script_open(script *s, const nn_desc *desc, const unsigned char *told, int count) {
    static float table[MOST * 256];
    nn_shape places = NN_SHAPE(NN_TIME);
    nn_node *x;
    memset(s, 0, sizeof *s);
    memset(table, 0, sizeof table);
    for (int i = 0; i < count; i++) table[i * 256 + told[i]] = 9;
    s->nn = nn_open(desc);
    s->net = nn_make_model(s->nn, NULL);
    s->tokenizer = nn_make_byte_tokenizer(s->nn);
    s->desc.ids = nn_input(s->net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    s->desc.places = nn_input(s->net, "places", NN_I32, places);
    x = nn_embedding(s->net, "script", s->desc.places,
                     &(nn_embedding_desc){.num_embeddings = MOST, .embedding_dim = 256});
    s->desc.logits = nn_add(s->net,
                            nn_embedding(s->net, "heard", s->desc.ids,
                                         &(nn_embedding_desc){.num_embeddings = 256,
                                                              .embedding_dim = 256}),
                            x);
    nn_initialise(s->net, "heard.weight", &(nn_init_desc){.init = NN_INIT_ZEROS});
    nn_initialise(s->net, "script.weight",
                  &(nn_init_desc){.init = NN_INIT_VALUES, .values = table, .count = MOST * 256});
    s->desc.tokenizer = s->tokenizer;
    s->desc.context = MOST;
    s->desc.write.function = hear;
    s->desc.write.user = s;
    s->whole = true;
}

static nn_result script_say(script *s, const char *prompt) {
    nn_result result;
    if (!s->generator) s->generator = nn_make_generator(s->net, &s->desc);
    s->length = 0;
    s->heard[0] = 0;
    if (prompt) {
        result = nn_prompt(s->generator, 0, prompt, strlen(prompt));
        if (result != NN_OK) return result;
    }
    return nn_generate(s->generator);
}

static const nn_desc one_thread = {.threads = 1};

static void test_what_is_heard(void) {
    static const char told[] = "01 caf\xc3\xa9, \xe2\x82\xac\xf0\x9f\x9a\xa2! "
                               "and so on and on and on and on and on";
    script s;
    int32_t count;
    nn_text text;
    char again[256];
    script_open(&s, &one_thread, (const unsigned char *)told, (int)sizeof told - 1);
    s.desc.max_tokens = 19;
    TEXT_AT(s.desc.end_tokens, 0) = "!";
    ENSURE(script_say(&s, "ab") == NN_OK); /* places 0 and 1 are read, but not the text there */
    ENSURE_TEXT(s.heard, "1 caf\xc3\xa9, \xe2\x82\xac\xf0\x9f\x9a\xa2");
    ENSURE(s.whole && s.pieces == 10 && nn_text_ending(s.generator, 0) == NN_ENDED_BY_TOKEN);
    ENSURE(nn_answer_ids(s.generator, 0, &count)[0] == '1' && count == 17);
    ENSURE(nn_text_ids(s.generator, 0, &count)[0] == 'a' && count == 19);
    text.buffer = again;
    text.size = sizeof again;
    text.length = 0;
    ENSURE(nn_write_answer(s.generator, 0, (nn_writer){nn_write_text, &text}) == NN_OK);
    ENSURE_TEXT(again, s.heard);
    ENSURE(nn_write_answer(s.generator, 0, (nn_writer){NULL, NULL}) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(s.nn), "the writer has no function"));
    nn_clear_error(s.nn);
    /* A further turn continues after all that: 22 tokens, then the logits of place 21. */
    ENSURE(script_say(&s, "xyz") == NN_OK);
    ENSURE(memcmp(s.heard, told + 21, 19) == 0 && s.length == 19);
    ENSURE(nn_text_ending(s.generator, 0) == NN_ENDED_BY_LENGTH);
    nn_close(s.nn);
    /* Half a character comes before the token that ends the text. */
    script_open(&s, &one_thread, (const unsigned char *)"_ab\xe2\x82!", 6);
    TEXT_AT(s.desc.end_tokens, 0) = "!";
    text.length = 0;
    ENSURE(script_say(&s, "__") == NN_OK);
    ENSURE_TEXT(s.heard, "ab\xef\xbf\xbd");
    ENSURE(nn_write_answer(s.generator, 0, (nn_writer){nn_write_text, &text}) == NN_OK);
    ENSURE_TEXT(again, s.heard);
    nn_close(s.nn);
}

static void test_limits(void) {
    unsigned char told[MOST];
    char again[64] = "";
    nn_text text = {again, sizeof again, 0};
    int32_t count = 0;
    script s;
    for (int i = 0; i < MOST; i++) told[i] = (unsigned char)('a' + i % 26);
    script_open(&s, &one_thread, told, MOST);
    s.desc.max_tokens = 5;
    ENSURE(script_say(&s, "___") == NN_OK);
    ENSURE_TEXT(s.heard, "cdefg");
    ENSURE(nn_text_ending(s.generator, 0) == NN_ENDED_BY_LENGTH);
    ENSURE(script_say(&s, NULL) == NN_OK); /* continues from there */
    ENSURE_TEXT(s.heard, "hijkl");
    for (int i = 0; i < 10; i++) ENSURE(script_say(&s, NULL) == NN_OK);
    ENSURE(script_say(&s, NULL) == NN_OK);
    ENSURE(nn_text_ending(s.generator, 0) == NN_ENDED_BY_CONTEXT && s.length == 1);
    ENSURE(script_say(&s, NULL) == NN_ERROR_ARGUMENT && strstr(nn_error(s.nn), "no text"));
    nn_clear_error(s.nn);
    ENSURE(script_say(&s, "more") == NN_ERROR_ARGUMENT && strstr(nn_error(s.nn), "(.context)"));
    nn_clear_error(s.nn);
    ENSURE(nn_forget(s.generator, -1) == NN_OK);
    s.refuse_at = s.pieces + 3;
    ENSURE(script_say(&s, "____") == NN_CANCELLED);
    ENSURE_TEXT(s.heard, "def");
    ENSURE(nn_text_ending(s.generator, 0) == NN_ENDED_BY_CALLER && !nn_error(s.nn));
    ENSURE(script_say(&s, NULL) == NN_OK);
    ENSURE_TEXT(s.heard, "ghijk");
    /* The generation is cancelled from outside, in the middle of a run. */
    ENSURE(nn_prompt(s.generator, 0, "_", 1) == NN_OK);
    while (nn_generate_for(s.generator, 0) == NN_PENDING && s.length < 7) continue;
    nn_cancel_generation(s.generator);
    ENSURE(nn_prompt(s.generator, 0, "_", 1) == NN_ERROR_ARGUMENT);
    ENSURE(nn_generate(s.generator) == NN_CANCELLED);
    nn_clear_error(s.nn);
    ENSURE(nn_prompt(s.generator, 0, "_", 1) == NN_OK);
    nn_close(s.nn);

    /* If the caller ends a text, bytes held back are not written, and the end of that text does not
       affect a later turn of another text. */
    script_open(&s, &one_thread, told, MOST);
    s.desc.batch = 2;
    s.desc.max_tokens = 5;
    TEXT_AT(s.desc.stop, 0) = "fg!";
    s.generator = nn_make_generator(s.net, &s.desc);
    ENSURE(nn_prompt(s.generator, 0, "___", 3) == NN_OK);
    for (; count < 4; nn_answer_ids(s.generator, 0, &count))
        ENSURE(nn_generate_for(s.generator, 0) == NN_PENDING);
    nn_cancel_generation(s.generator);
    ENSURE(nn_generate(s.generator) == NN_CANCELLED);
    ENSURE_TEXT(s.heard, "cde");
    ENSURE(nn_write_answer(s.generator, 0, (nn_writer){nn_write_text, &text}) == NN_OK);
    ENSURE_TEXT(again, "cde");
    ENSURE(nn_prompt(s.generator, 1, "___", 3) == NN_OK && nn_generate(s.generator) == NN_OK);
    ENSURE(nn_text_ending(s.generator, 0) == NN_ENDED_BY_CALLER);
    nn_close(s.nn);

    /* Without a cache the text may slide through the context. */
    script_open(&s, &one_thread, told, MOST);
    s.desc.slide = true;
    s.desc.context = 4;
    s.desc.longest = 20;
    ENSURE(script_say(&s, "abcdefgh") == NN_OK);
    ENSURE_TEXT(s.heard, "dddddddddddd"); /* always after the fourth place */
    nn_close(s.nn);
}

/* Random bytes, most of them not UTF-8, and stop words across tokens: the written text is that of
   all tokens together, up to the first stop word, and nothing after it is ever written. */
static void test_stop_words(void) {
    for (uint32_t k = 0; k < 120; k++) {
        static const char *const letters[] = {"a", "b", "ab", "\xc3\xa9", "\xe2\x82\xac", "\xc3",
                                              "\x80", "\xe2\x82", "a", "b"};
        unsigned char told[MOST];
        char all[512], words[4][16];
        int count = 0;
        size_t end;
        int32_t ids[MOST];
        nn_text text = {all, sizeof all, 0};
        script s;
        for (uint32_t i = 0; count < MOST - 3; i++) {
            const char *letter = letters[hash(k * 977 + i) % 10];
            memcpy(told + count, letter, strlen(letter));
            count += (int)strlen(letter);
        }
        script_open(&s, &one_thread, told, count);
        s.desc.max_tokens = count - 1;
        for (uint32_t i = 0; i < k % 5 && i < 4; i++) {
            words[i][0] = 0;
            for (uint32_t j = 0; j < 2 + hash(k * 7 + i) % 4; j++)
                strcat(words[i], letters[hash(k * 31 + i * 5 + j) % 5]);
            TEXT_AT(s.desc.stop, (int)i) = words[i];
        }
        ENSURE(script_say(&s, "_") == NN_OK);
        for (int i = 0; i < count - 1; i++) ids[i] = told[i];
        ENSURE(nn_decode(s.tokenizer, ids, count - 1, NULL, (nn_writer){nn_write_text, &text}) ==
               NN_OK);
        end = text.length;
        for (uint32_t i = 0; i < k % 5 && i < 4; i++) {
            const char *found = strstr(all, words[i]);
            if (found && (size_t)(found - all) < end) end = (size_t)(found - all);
        }
        if (nn_text_ending(s.generator, 0) != (end < text.length ? NN_ENDED_BY_WORD
                                                                 : NN_ENDED_BY_LENGTH))
            test_fail(__FILE__, __LINE__, "case %d ended otherwise", (int)k);
        all[end] = 0;
        ENSURE_TEXT(s.heard, all);
        ENSURE(s.whole);
        nn_close(s.nn);
    }
}

/* A tokenizer that writes blanks between words and puts a token before the first prompt, and fewer
   ids than logits: a turn continues the text before it. */
static void test_words(void) {
    static const char json[] =
        "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[{\"id\":1,"
        "\"content\":\"[CLS]\",\"single_word\":false,\"lstrip\":false,\"rstrip\":false,"
        "\"normalized\":false,\"special\":true}],\"normalizer\":null,\"pre_tokenizer\":{\"type\":"
        "\"Whitespace\"},\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{"
        "\"SpecialToken\":{\"id\":\"[CLS]\",\"type_id\":0}},{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],"
        "\"pair\":[{\"Sequence\":{\"id\":\"A\",\"type_id\":0}},{\"Sequence\":{\"id\":\"B\",\"type_id\":1}}],"
        "\"special_tokens\":{\"[CLS]\":{\"id\":\"[CLS]\",\"ids\":[1],\"tokens\":[\"[CLS]\"]}}},"
        "\"decoder\":{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":false},\"model\":{\"type\":"
        "\"WordPiece\",\"unk_token\":\"[UNK]\",\"continuing_subword_prefix\":\"##\","
        "\"max_input_chars_per_word\":100,\"vocab\":{\"[UNK]\":0,\"[CLS]\":1,\"one\":2,\"two\":3,"
        "\"##s\":4,\"three\":7}}}";
    static const unsigned char told[] = {7, 7, 7, 4, 1, 200, 2, 7, 7, 3, 2, 7, 7, 7, 7, 7};
    char again[64];
    nn_text text = {again, sizeof again, 0};
    const int32_t *ids;
    int32_t count;
    script s;
    script_open(&s, &one_thread, told, (int)sizeof told);
    s.desc.tokenizer =
        nn_open_tokenizer(s.nn, &(nn_tokenizer_desc){.data = json, .bytes = sizeof json - 1});
    ENSURE(!nn_make_generator(s.net, &s.desc) && strstr(nn_error(s.nn), ".padded_vocabulary"));
    nn_clear_error(s.nn);
    s.desc.padded_vocabulary = true;
    s.desc.max_tokens = 5;
    ENSURE(script_say(&s, "one two") == NN_OK); /* [CLS] one two */
    ENSURE_TEXT(s.heard, " threes [UNK] one");  /* 200 is no token: the first of the others */
    ids = nn_text_ids(s.generator, 0, &count);
    ENSURE(count == 8 && ids[0] == 1 && ids[1] == 2 && ids[2] == 3 && ids[5] == 1 && ids[6] == 0);
    ENSURE(script_say(&s, "two") == NN_OK);
    ENSURE_TEXT(s.heard, " three two one three three");
    ENSURE(nn_text_ids(s.generator, 0, &count)[8] == 3 && count == 14);
    ENSURE(nn_write_answer(s.generator, 0, (nn_writer){nn_write_text, &text}) == NN_OK);
    ENSURE_TEXT(again, s.heard);
    ENSURE(script_say(&s, NULL) == NN_OK && strncmp(s.heard, " three three ", 13) == 0);
    nn_close(s.nn);
}

/* ---- a model with attention ------------------------------------------------------------------ */

typedef struct small_gpt {
    nn_context *nn;
    nn_model *net;
    nn_generator_desc desc;
} small_gpt;

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz .,";

static bool eight_bits; /* its weights: nn_quantize */

static void gpt_open(small_gpt *g, const nn_desc *desc, bool picks, bool cached) {
    int size = (int)sizeof alphabet - 1;
    nn_node *x, *y, *q, *k, *v;
    nn_cache_desc cache = {.length = 40, .heads_inside = true};
    nn_shape heads = NN_SHAPE(NN_BATCH, NN_TIME, 2, 8);
    memset(g, 0, sizeof *g);
    g->nn = nn_open(desc);
    g->net = nn_make_model(g->nn, &(nn_model_desc){.seed = 5});
    if (eight_bits) nn_quantize(g->net, NULL);
    g->desc.tokenizer = nn_make_char_tokenizer(g->nn, alphabet, (size_t)size);
    g->desc.ids = nn_input(g->net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    x = nn_embedding(g->net, "wte", g->desc.ids,
                     &(nn_embedding_desc){.num_embeddings = size, .embedding_dim = 16});
    q = nn_reshape(g->net, nn_linear(g->net, "q", x, &(nn_linear_desc){.out_features = 16}), heads);
    k = nn_reshape(g->net, nn_linear(g->net, "k", x, &(nn_linear_desc){.out_features = 16}), heads);
    v = nn_reshape(g->net, nn_linear(g->net, "v", x, &(nn_linear_desc){.out_features = 16}), heads);
    if (cached) {
        g->desc.positions = nn_input(g->net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
        k = nn_cache(g->net, "keys", k, g->desc.positions, &cache);
        v = nn_cache(g->net, "values", v, g->desc.positions, &cache);
    }
    y = nn_scaled_dot_product_attention(
        g->net, q, k, v,
        &(nn_scaled_dot_product_attention_desc){.is_causal = true,
                                                .heads_inside = true,
                                                .alibi = true,
                                                .positions = g->desc.positions});
    x = nn_add(g->net, x, nn_reshape(g->net, y, NN_SHAPE(NN_BATCH, NN_TIME, 16)));
    if (picks) {
        g->desc.last = nn_input(g->net, "last", NN_I32, NN_SHAPE(NN_BATCH));
        x = nn_pick_rows(g->net, x, g->desc.last);
    }
    g->desc.logits = nn_linear(g->net, "head", x, &(nn_linear_desc){.out_features = size});
    g->desc.context = 40;
    g->desc.batch = 3;
    g->desc.sampling.sample = true;
    g->desc.sampling.seed = 9;
}

static const char *const prompts[3] = {"hello", "a", "what is it, you"};

/* Generates the texts of all three, or of one alone, and concatenates them. */
static const char *gpt_write(small_gpt *g, int only, int64_t slice) {
    static char all[512];
    nn_text text = {all, sizeof all, 0};
    nn_generator *generator = nn_make_generator(g->net, &g->desc);
    nn_result result = NN_OK;
    all[0] = 0;
    for (int i = 0; i < 3; i++)
        if (only < 0 || only == i) nn_prompt(generator, i, prompts[i], strlen(prompts[i]));
    do result = slice < 0 ? nn_generate(generator) : nn_generate_for(generator, slice);
    while (result == NN_PENDING);
    for (int i = 0; i < 3; i++)
        nn_write_answer(generator, i, (nn_writer){nn_write_text, &text});
    nn_free_generator(generator);
    return result == NN_OK ? all : nn_error(g->nn);
}

/* Weights of 8 bits, each a number times the scale of its row, write what the same weights in f32
   write: the likeliest tokens, and drawn ones. */
static void test_eight_bits(void) {
    for (int k = 0; k < 8; k++) {
        char wanted[512];
        small_gpt small, wide;
        const nn_desc desc = {.threads = 1 + k % 2};
        eight_bits = true;
        gpt_open(&small, &desc, k / 2 % 2 == 1, true);
        eight_bits = false;
        gpt_open(&wide, &desc, k / 2 % 2 == 1, true);
        small.desc.sampling.sample = wide.desc.sampling.sample = k / 4 == 1;
        ENSURE(nn_find_tensor(small.net, "head.weight") && nn_find_tensor(wide.net, "head.weight"));
        for (int t = 0; t < nn_model_tensor_count(wide.net); t++) {
            nn_tensor *to = nn_model_tensor_at(wide.net, t);
            nn_tensor *from = nn_find_tensor(small.net, nn_tensor_name(to));
            const nn_shape shape = nn_tensor_shape(to);
            float numbers[32 * 32], scale[32];
            char name[64];
            if (nn_tensor_dtype(from) == NN_F32) {
                nn_upload_tensor(to, nn_tensor_const_data(from), (size_t)nn_tensor_bytes(from));
                continue;
            }
            snprintf(name, sizeof name, "%s_scale", nn_tensor_name(to));
            nn_tensor *scales = nn_find_tensor(small.net, name);
            for (int i = 0; i < shape.extent[0]; i++) /* which are alike at first */
                scale[i] = ((const float *)nn_tensor_const_data(scales))[i] *
                           (1 + (float)(i % 5) * 0.25f);
            nn_upload_tensor(scales, scale, sizeof(float) * (size_t)shape.extent[0]);
            for (int i = 0; i < nn_shape_count(shape); i++)
                numbers[i] = (float)((const int8_t *)nn_tensor_const_data(from))[i] *
                             scale[i / shape.extent[1]];
            nn_upload_tensor(to, numbers, sizeof(float) * (size_t)nn_shape_count(shape));
        }
        strcpy(wanted, gpt_write(&wide, -1, -1));
        ENSURE_TEXT(gpt_write(&small, -1, k % 2 ? 0 : -1), wanted);
        ENSURE(strlen(wanted) == 3 * 40 - 5 - 1 - 15 && !nn_error(small.nn) && !nn_error(wide.nn));
        nn_close(small.nn);
        nn_close(wide.nn);
    }
}

/* The texts are the same with 1, 2 and 4 threads, whole and in slices, with rows selected before
   the last product or after it, with a cache and without; and each text alone is what it is with
   its neighbours. Another seed gives other texts. */
static void test_same_text(void) {
    char wanted[512] = "", alone[512] = "", other[512];
    small_gpt g;
    for (int threads = 1; threads <= 4; threads *= 2)
        for (int picks = 0; picks < 4; picks++) {
            gpt_open(&g, &(nn_desc){.threads = threads}, picks % 2 == 1, picks / 2 == 1);
            for (int64_t slice = -1; slice < 2000; slice = slice < 0 ? 0 : slice + 999) {
                const char *text = gpt_write(&g, -1, slice);
                if (!wanted[0]) strcpy(wanted, text);
                ENSURE_TEXT(text, wanted);
            }
            nn_close(g.nn);
        }
    ENSURE(strlen(wanted) == 3 * 40 - 5 - 1 - 15);
    gpt_open(&g, &one_thread, false, false);
    for (int i = 0; i < 3; i++) strcat(alone, gpt_write(&g, i, -1));
    ENSURE_TEXT(alone, wanted);
    g.desc.sampling.seed = 10;
    strcpy(other, gpt_write(&g, -1, -1));
    ENSURE(strcmp(other, wanted) != 0 && strlen(other) == strlen(wanted));
    nn_close(g.nn);
}

/* A text that is written in several calls equals the text of one call. */
static void test_goes_on(void) {
    small_gpt g;
    char whole[256] = "", parts[256] = "";
    nn_text text = {whole, sizeof whole, 0}, more = {parts, sizeof parts, 0};
    nn_generator *generator;
    gpt_open(&g, &one_thread, false, true);
    g.desc.max_tokens = 21;
    generator = nn_make_generator(g.net, &g.desc);
    nn_prompt(generator, 0, "some", 4);
    ENSURE(nn_generate(generator) == NN_OK);
    nn_write_answer(generator, 0, (nn_writer){nn_write_text, &text});
    nn_free_generator(generator);
    g.desc.max_tokens = 7;
    generator = nn_make_generator(g.net, &g.desc);
    nn_prompt(generator, 0, "some", 4);
    for (int i = 0; i < 3; i++) {
        ENSURE(nn_generate(generator) == NN_OK);
        nn_write_answer(generator, 0, (nn_writer){nn_write_text, &more});
    }
    ENSURE_TEXT(parts, whole);
    ENSURE(strlen(whole) == 21);
    nn_close(g.nn);
}

/* A text that is full does not hold up the prompt of its neighbour. */
static void test_full_neighbour(void) {
    small_gpt g;
    nn_generator *generator;
    gpt_open(&g, &one_thread, false, true);
    g.desc.chunk = 16;
    generator = nn_make_generator(g.net, &g.desc);
    nn_prompt(generator, 0, "some", 4);
    ENSURE(nn_generate(generator) == NN_OK);
    ENSURE(nn_text_ending(generator, 0) == NN_ENDED_BY_CONTEXT);
    nn_prompt(generator, 1, "some of the others", 18);
    nn_generate_for(generator, 0);
    ENSURE(nn_plan_time(nn_generator_plan(generator)) == 16);
    ENSURE(nn_generate(generator) == NN_OK && nn_forget(generator, 0) == NN_OK);
    nn_prompt(generator, 0, "some", 4);
    ENSURE(nn_generate(generator) == NN_OK && nn_error(g.nn) == NULL);
    nn_close(g.nn);
}

/* Turns of several texts with a cache and prompts in chunks of any width. A generator that reads
   the whole text each time gives the same texts, and the same logits within rounding. */
static void test_cache(void) {
    for (int k = 0; k < 12; k++) {
        small_gpt g[2];
        nn_generator *generators[2];
        float logits[2][29];
        const int32_t *ids[2];
        int32_t counts[2];
        for (int cached = 0; cached < 2; cached++) {
            nn_view view;
            gpt_open(&g[cached], &one_thread, k % 2 == 1, cached == 1);
            g[cached].desc.chunk = 1 + k / 2 * 3;
            g[cached].desc.max_tokens = 4;
            generators[cached] = nn_make_generator(g[cached].net, &g[cached].desc);
            for (int turn = 0; turn < 5; turn++) {
                for (int i = 0; i < 3; i++)
                    if (hash((uint32_t)(turn * 50 + i + k * 1000)) % 2 || turn == 4 || turn + i == 0)
                        nn_prompt(generators[cached], i, &"mississippi"[turn], (size_t)(5 - turn));
                nn_generate(generators[cached]);
            }
            ENSURE(nn_forget(generators[cached], 1) == NN_OK);
            nn_prompt(generators[cached], 1, "over again", 10);
            ENSURE(nn_generate(generators[cached]) == NN_OK);
            view = nn_plan_view(nn_generator_plan(generators[cached]), g[cached].desc.logits);
            memcpy(logits[cached],
                   (const char *)view.handle + view.offset +
                       sizeof logits[0] * (k % 2 || cached ? 1 : (size_t)(2 * 13 - 1)),
                   sizeof logits[0]);
        }
        for (int i = 0; i < 3; i++) {
            for (int cached = 0; cached < 2; cached++)
                ids[cached] = nn_text_ids(generators[cached], i, &counts[cached]);
            ENSURE(counts[0] == counts[1] && counts[0] >= 5);
            ENSURE(memcmp(ids[0], ids[1], (size_t)counts[0] * sizeof *ids[0]) == 0);
        }
        for (int i = 0; i < 29; i++) ENSURE_CLOSE(logits[0][i], logits[1][i], 1e-5);
        for (int cached = 0; cached < 2; cached++) {
            if (nn_error(g[cached].nn)) ENSURE_TEXT(nn_error(g[cached].nn), "");
            nn_close(g[cached].nn);
        }
    }
}

/* ---- crossings ------------------------------------------------------------------------------- */

static uint64_t crossed(const nn_context *nn, const char *name, nn_crossing crossing) {
    uint64_t bytes = 0;
    for (int i = 0; i < nn_ledger_count(nn); i++)
        if (strcmp(nn_ledger_at(nn, i).tensor, name) == 0 &&
            nn_ledger_at(nn, i).crossing == crossing)
            bytes += nn_ledger_at(nn, i).logical_bytes;
    return bytes;
}

static void test_ledger(void) {
    sim_desc simulated;
    nn_device device;
    nn_context *nn;
    sim_device *sim;
    nn_tokenizer *tokenizer;
    nn_generator *generator;
    nn_model *net;
    nn_node *ids, *last, *x;
    nn_generator_desc desc;
    memset(&simulated, 0, sizeof simulated);
    memset(&desc, 0, sizeof desc);
    nn = nn_open(&one_thread);
    sim = sim_open(nn, &simulated, &device);
    tokenizer = nn_make_char_tokenizer(nn, alphabet, sizeof alphabet - 1);
    net = nn_make_model(nn, &(nn_model_desc){.device = device});
    ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    last = nn_input(net, "last", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_embedding(net, "table", ids,
                     &(nn_embedding_desc){.num_embeddings = 29, .embedding_dim = 29});
    desc.tokenizer = tokenizer;
    desc.ids = ids;
    desc.last = last;
    desc.logits = nn_linear(net, "head", nn_pick_rows(net, x, last),
                            &(nn_linear_desc){.out_features = 29});
    desc.context = 20;
    desc.max_tokens = 4;
    generator = nn_make_generator(net, &desc);
    ENSURE(generator && nn_prompt(generator, 0, "abc", 3) == NN_OK);
    nn_reset_ledger(nn);
    ENSURE(nn_generate(generator) == NN_OK);
    ENSURE(crossed(nn, "ids", NN_CROSS_UPLOAD) == (3 + 4 + 5 + 6) * 4);
    ENSURE(crossed(nn, "last", NN_CROSS_UPLOAD) == 4 * 4);
    ENSURE(crossed(nn, "head", NN_CROSS_DOWNLOAD) == 4 * 29 * 4);
    /* A generator made for the device continues on the CPU, but not the other way round. */
    ENSURE(nn_move_model(net, nn_cpu()) == NN_OK);
    ENSURE(nn_replan(nn_generator_plan(generator)) == NN_OK && nn_generate(generator) == NN_OK);
    nn_free_generator(generator);
    generator = nn_make_generator(net, &desc);
    ENSURE(generator && nn_prompt(generator, 0, "abc", 3) == NN_OK);
    ENSURE(nn_move_model(net, device) == NN_OK);
    ENSURE(nn_replan(nn_generator_plan(generator)) == NN_OK);
    ENSURE(nn_generate(generator) == NN_ERROR_DEVICE &&
           strstr(nn_error(nn), "call nn_make_generator again"));
    nn_clear_error(nn);
    nn_free_generator(generator);

    /* Ids stay on the CPU while the table is on the device. */
    nn_device_begin(net, nn_cpu());
    desc.ids = nn_input(net, "far", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_device_end(net);
    desc.last = NULL;
    desc.logits = nn_embedding(
        net, "table", desc.ids,
        &(nn_embedding_desc){.num_embeddings = 29, .embedding_dim = 29, .shared = true});
    ENSURE(!nn_make_generator(net, &desc) && strstr(nn_error(nn), "wrong device") &&
           strstr(nn_error(nn), "\"far\""));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

#define REFUSED(change, code, words)                                             \
    do {                                                                         \
        nn_generator_desc desc = g.desc;                                         \
        change;                                                                  \
        nn_clear_error(g.nn);                                                    \
        ENSURE(!nn_make_generator(g.net, &desc));                                \
        ENSURE(nn_error_code(g.nn) == (code));                                   \
        if (!strstr(nn_error(g.nn), words)) ENSURE_TEXT(nn_error(g.nn), words);  \
    } while (0)

static void test_mistakes(void) {
    small_gpt g, cached;
    nn_node *floats, *fixed, *from, *sum;
    nn_context *other;
    nn_generator *generator;
    int32_t ids[50] = {0};
    gpt_open(&g, &one_thread, false, false);
    floats = nn_input(g.net, "floats", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME));
    fixed = nn_input(g.net, "fixed", NN_I32, NN_SHAPE(NN_BATCH, 7));
    REFUSED(desc.ids = floats, NN_ERROR_DTYPE, "ids \"floats\" is f32; wanted an input");
    REFUSED(desc.ids = fixed, NN_ERROR_SHAPE, "ids \"fixed\" has another shape");
    REFUSED(desc.positions = fixed, NN_ERROR_SHAPE, "positions \"fixed\"");
    REFUSED(desc.last = fixed, NN_ERROR_SHAPE, "last \"fixed\"");
    REFUSED(desc.places = floats, NN_ERROR_DTYPE, "places \"floats\" is f32");
    REFUSED(desc.last = nn_input(g.net, "last", NN_I32, NN_SHAPE(NN_BATCH)), NN_ERROR_SHAPE,
            "as .last is given");
    REFUSED(desc.logits = desc.ids, NN_ERROR_DTYPE, "wanted f32");
    REFUSED(desc.tokenizer = nn_make_char_tokenizer(g.nn, "abc", 3), NN_ERROR_SHAPE,
            "are for 29 tokens, but the tokenizer has 3 ids; it belongs to another model, or");
    REFUSED(desc.tokenizer = nn_make_byte_tokenizer(g.nn), NN_ERROR_SHAPE,
            "are for 29 tokens, but the tokenizer has 256");
    REFUSED(desc.tokenizer = NULL, NN_ERROR_ARGUMENT, "desc->tokenizer is NULL");
    REFUSED(desc.places = desc.ids, NN_ERROR_ARGUMENT, "\"ids\" is given twice among");
    REFUSED(desc.places = nn_input(g.net, "spare", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)),
            NN_ERROR_ARGUMENT, "\"spare\" is no input of this plan");
    from = nn_input(g.net, "from", NN_I32, NN_SHAPE(NN_BATCH));
    sum = nn_unsqueeze(g.net, nn_unsqueeze(g.net, nn_cast(g.net, from, NN_F32), 1), 2);
    sum = nn_add(g.net, g.desc.logits, sum);
    REFUSED(desc.logits = sum;
            desc.positions = from, NN_ERROR_ARGUMENT, "do not come from a cache");
    gpt_open(&cached, &one_thread, false, true);
    cached.desc.context = 41;
    ENSURE(!nn_make_generator(cached.net, &cached.desc));
    ENSURE(nn_error_code(cached.nn) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(cached.nn), "context is 41, but a cache of the model has a length of 40"));
    cached.desc.context = 40;
    nn_clear_error(cached.nn);
    cached.desc.positions = from = nn_input(cached.net, "from", NN_I32, NN_SHAPE(NN_BATCH));
    sum = nn_unsqueeze(cached.net, nn_unsqueeze(cached.net, nn_cast(cached.net, from, NN_F32), 1), 2);
    cached.desc.logits = nn_add(cached.net, cached.desc.logits, sum);
    ENSURE(!nn_make_generator(cached.net, &cached.desc));
    ENSURE(strstr(nn_error(cached.nn), "is \"from\", but the cache reads \"positions\""));
    cached.desc.positions = NULL;
    nn_clear_error(cached.nn);
    ENSURE(!nn_make_generator(cached.net, &cached.desc));
    ENSURE(strstr(nn_error(cached.nn), "come from a cache, and .positions is missing"));
    nn_close(cached.nn);
    other = nn_open(&one_thread);
    REFUSED(desc.tokenizer = nn_make_byte_tokenizer(other), NN_ERROR_ARGUMENT, "another context");
    nn_close(other);
    REFUSED(desc.context = 0, NN_ERROR_ARGUMENT, "context must be given");
    REFUSED(desc.ids = NULL, NN_ERROR_ARGUMENT, "desc->ids is NULL");
    REFUSED(desc.slide = true;
            desc.positions = fixed, NN_ERROR_ARGUMENT, ".slide is set and the model has a cache");
    REFUSED(TEXT_AT(desc.end_tokens, 0) = "<end>", NN_ERROR_ARGUMENT, "end token \"<end>\"");
    REFUSED(TEXT_AT(desc.stop, 0) = "\xff", NN_ERROR_ARGUMENT, "not UTF-8");
    REFUSED(desc.sampling.sample = false; desc.sampling.top_k = 5, NN_ERROR_ARGUMENT, "top_k");
    REFUSED(desc.sampling.top_p = 1.5f, NN_ERROR_ARGUMENT, "top_p");
    REFUSED(desc.sampling.temperature = -1, NN_ERROR_ARGUMENT, "temperature");
    REFUSED(desc.sampling.repetition_penalty = -1, NN_ERROR_ARGUMENT, "repetition_penalty");
    nn_clear_error(g.nn);
    generator = nn_make_generator(g.net, &g.desc);
    ENSURE(nn_prompt(generator, 3, "a", 1) == NN_ERROR_ARGUMENT && strstr(nn_error(g.nn), "text 3"));
    ENSURE(nn_prompt(generator, 0, "", 0) == NN_ERROR_ARGUMENT);
    ENSURE(nn_prompt(generator, 0, "Q", 1) != NN_OK); /* the error comes from the tokenizer */
    ENSURE(nn_prompt_ids(generator, 0, ids, 40) == NN_ERROR_ARGUMENT);
    ids[2] = 29;
    ENSURE(nn_prompt_ids(generator, 0, ids, 5) == NN_ERROR_INDEX);
    ENSURE(nn_generate(generator) == NN_ERROR_ARGUMENT);
    ENSURE(nn_prompt_ids(generator, 0, ids, 2) == NN_OK); /* refused prompts added nothing */
    nn_clear_error(g.nn);
    ENSURE(nn_generate(generator) == NN_OK && !nn_error(g.nn));
    ENSURE(!nn_make_generator(NULL, &g.desc) && !nn_make_generator(g.net, NULL));
    nn_free_generator(NULL);
    ENSURE(nn_generate(NULL) == NN_ERROR_ARGUMENT && nn_text_ending(NULL, 0) == NN_ENDED_NOT);
    /* Objects are freed in the wrong order. The generator's plan and the tokenizer stay, but
       the plan is freed with its model. */
    nn_clear_error(g.nn);
    nn_free_plan(nn_generator_plan(generator));
    ENSURE(strstr(nn_error(g.nn), "nn_free_generator frees both"));
    ENSURE(nn_replan(nn_generator_plan(generator)) == NN_OK);
    nn_clear_error(g.nn);
    nn_free_plan(nn_generator_plan(generator));
    ENSURE(nn_error(g.nn) != NULL);
    nn_clear_error(g.nn);
    ENSURE(nn_prompt(generator, 1, "a", 1) == NN_OK && nn_generate(generator) == NN_OK);
    ENSURE(nn_forget(generator, 1) == NN_OK);
    nn_free_tokenizer(g.desc.tokenizer);
    ENSURE(strstr(nn_error(g.nn), "a generator still uses the tokenizer") &&
           nn_prompt(generator, 1, "a", 1) == NN_OK);
    nn_clear_error(g.nn);
    nn_free_model(g.net);
    ENSURE(nn_forget(generator, 0) == NN_OK && nn_prompt(generator, 0, "a", 1) == NN_OK);
    ENSURE(nn_generate(generator) != NN_OK);
    nn_clear_error(g.nn);
    nn_free_generator(generator);
    ENSURE(strstr(nn_error(g.nn), "freed with its model"));
    nn_close(g.nn);
}

/* ENSURE returns from a void function; this one only reports the failure. */
#define EXPECT(condition) ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, "%s", #condition))

/* A generator's .write makes calls that it must not make: all are refused, and the text
   continues. */
static bool meddle(void *user, int32_t text, const char *piece, size_t bytes) {
    script *s = (script *)user;
    nn_context *nn = s->nn;
    EXPECT(nn_prompt(s->generator, text, "x", 1) == NN_ERROR_ARGUMENT);
    EXPECT(nn_forget(s->generator, -1) == NN_ERROR_ARGUMENT);
    EXPECT(nn_generate(s->generator) == NN_ERROR_ARGUMENT);
    EXPECT(nn_generate_for(s->generator, 1) == NN_ERROR_ARGUMENT);
    EXPECT(strstr(nn_error(nn), "called from the generator's own .write"));
    nn_clear_error(nn);
    nn_free_generator(s->generator);
    EXPECT(nn_error(nn) && strstr(nn_error(nn), "nothing was freed"));
    nn_clear_error(nn);
    return hear(user, text, piece, bytes);
}

static void test_meddling(void) {
    static const unsigned char told[] = "??abcde";
    script s;
    script_open(&s, &one_thread, told, (int)sizeof told - 1);
    s.desc.write.function = meddle;
    s.desc.max_tokens = 4;
    ENSURE(script_say(&s, "abc") == NN_OK && s.pieces > 0);
    ENSURE_TEXT(s.heard, "abcd");
    nn_close(s.nn);
}

/* A logit that is NaN is an error of the run, which may be tried again. */
static void test_nan(void) {
    small_gpt g;
    nn_generator *generator;
    nn_tensor *bias;
    float values[29] = {0};
    gpt_open(&g, &one_thread, false, false);
    generator = nn_make_generator(g.net, &g.desc);
    bias = nn_find_tensor(g.net, "head.bias");
    values[3] = NAN;
    nn_upload_tensor(bias, values, sizeof values);
    nn_prompt(generator, 0, "abc", 3);
    ENSURE(nn_generate(generator) == NN_ERROR_NAN && strstr(nn_error(g.nn), "after token 2 of"));
    values[3] = 0;
    nn_upload_tensor(bias, values, sizeof values);
    nn_clear_error(g.nn);
    ENSURE(nn_generate(generator) == NN_OK);
    nn_close(g.nn);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory runs out at each call of the allocator in turn, while a generator is made and prompted;
   generating takes none. */
static void test_memory_runs_out(void) {
    int failures = 0;
    for (int fail = 1; fail < 400; fail++) {
        scarce memory;
        nn_desc desc;
        small_gpt g;
        nn_generator *generator;
        bool well = false;
        int calls;
        memset(&memory, 0, sizeof memory);
        memset(&desc, 0, sizeof desc);
        desc.threads = 1;
        desc.allocator = scarce_memory(&memory);
        gpt_open(&g, &desc, fail % 4 == 1, fail % 4 < 2);
        g.desc.max_tokens = 5;
        TEXT_AT(g.desc.stop, 0) = "zzzz";
        memory.calls = 0;
        memory.fail_at = fail;
        generator = nn_make_generator(g.net, &g.desc);
        if (generator && nn_prompt(generator, 0, "hello", 5) == NN_OK) {
            calls = memory.calls;
            well = nn_generate(generator) == NN_OK;
            ENSURE(well && memory.calls == calls);
            ENSURE(nn_prompt(generator, 0, "hello", 5) == NN_OK);
            ENSURE(nn_generate(generator) == NN_OK && memory.calls == calls);
        }
        failures += !well;
        ENSURE(well == (nn_error(g.nn) == NULL));
        ENSURE(well || nn_error_code(g.nn) == NN_ERROR_MEMORY);
        if (fail % 2) nn_free_generator(generator);
        nn_close(g.nn);
        ENSURE(memory.live == 0);
        if (well) break;
    }
    ENSURE(failures > 3 && failures < 300);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_as_transformers_has_it);
    RUN(test_what_is_left);
    RUN(test_frequencies);
    RUN(test_no_token);
    RUN(test_what_is_heard);
    RUN(test_limits);
    RUN(test_stop_words);
    RUN(test_words);
    RUN(test_same_text);
    RUN(test_eight_bits);
    RUN(test_goes_on);
    RUN(test_full_neighbour);
    RUN(test_cache);
    RUN(test_ledger);
    RUN(test_mistakes);
    RUN(test_meddling);
    RUN(test_nan);
    RUN(test_memory_runs_out);
    return test_report();
}
