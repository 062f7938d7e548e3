/* test_kv_cache.c - the cache of keys and values that a plan keeps from run to run. A transformer
   gives the same results with and without it, however a text is cut into chunks, alone and in
   batches of texts of several lengths, and with every way to run it. Also tests ownership, and
   every error text. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_device.h"
#include "test.h"
#include "open.h"

enum { WORDS = 11, WIDTH = 16, HEADS = 4, GROUPS = 2, EACH = WIDTH / HEADS, LENGTH = 24, BATCH = 3 };

typedef struct text {
    char buffer[20000];
    size_t length;
} text;

static void append(void *user, const char *from, size_t length) {
    text *to = (text *)user;
    if (length > sizeof to->buffer - 1 - to->length) length = sizeof to->buffer - 1 - to->length;
    memcpy(to->buffer + to->length, from, length);
    to->length += length;
}
static bool holds(const char *said, const char *words) {
    if (said && strstr(said, words)) return true;
    test_fail(__FILE__, __LINE__, "\"%s\" is not in \"%s\"", words, said ? said : "(null)");
    return false;
}

/* ---- a small transformer, with caches and without -------------------------------------------- */

typedef struct pair {
    nn_model *net;
    nn_node *all, *whole;                    /* without: ids (batch, time) to logits */
    nn_node *ids, *positions, *logits, *k[2], *v[2]; /* with */
} pair;

static nn_node *project(nn_model *net, const char *layer, const char *what, nn_node *x, int wide) {
    char name[32];
    snprintf(name, sizeof name, "%s.%s", layer, what);
    return nn_linear(net, name, x, &(nn_linear_desc){.out_features = wide, .shared = true});
}
static nn_node *in_heads(nn_model *net, nn_node *x, int heads, bool inside) {
    x = nn_reshape(net, x, NN_SHAPE(NN_BATCH, NN_TIME, heads, EACH));
    return inside ? x : nn_transpose(net, x, 1, 2);
}

static nn_node *describe(pair *p, nn_node *ids, nn_node *positions, nn_dtype dtype, bool inside) {
    nn_model *net = p->net;
    nn_node *x = nn_embedding(net, "words", ids,
                              &(nn_embedding_desc){.num_embeddings = WORDS, .embedding_dim = WIDTH,
                                                   .shared = true});
    for (int i = 0; i < 2; i++) {
        const char *layer = i ? "1" : "0";
        nn_rotary_embedding_desc turn = {.positions = positions, .heads_inside = inside};
        nn_scaled_dot_product_attention_desc desc = {
            .positions = positions, .is_causal = true, .heads_inside = inside};
        nn_node *q = in_heads(net, project(net, layer, "q", x, WIDTH), HEADS, inside),
                *k = in_heads(net, project(net, layer, "k", x, GROUPS * EACH), GROUPS, inside),
                *v = in_heads(net, project(net, layer, "v", x, GROUPS * EACH), GROUPS, inside);
        q = nn_rotary_embedding(net, q, &turn);
        k = nn_rotary_embedding(net, k, &turn);
        if (positions) {
            nn_cache_desc cache = {.length = LENGTH, .dtype = dtype, .heads_inside = inside};
            k = p->k[i] = nn_cache(net, i ? "k1" : "k0", k, positions, &cache);
            v = p->v[i] = nn_cache(net, i ? "v1" : "v0", v, positions, &cache);
        }
        nn_node *y = nn_scaled_dot_product_attention(net, q, k, v, &desc);
        if (!inside) y = nn_transpose(net, y, 1, 2);
        y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, NN_TIME, WIDTH));
        x = nn_add(net, x, project(net, layer, "out", y, WIDTH));
    }
    return project(net, "all", "logits", nn_tanh(net, x), WORDS);
}

static pair make(nn_context *nn, nn_device device, nn_dtype dtype, bool inside) {
    pair p;
    memset(&p, 0, sizeof p);
    p.net = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device, .seed = 3});
    p.all = nn_input(p.net, "all", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    p.ids = nn_input(p.net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    p.positions = nn_input(p.net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
    p.whole = describe(&p, p.all, NULL, dtype, inside);
    p.logits = describe(&p, p.ids, p.positions, dtype, inside);
    return p;
}
static nn_plan *decoder(const pair *p, int batch, int time) {
    return nn_make_plan(p->net, &(nn_plan_desc){.outputs = NN_NODES(p->logits), .batch = batch,
                                                .time = time, .poison = true});
}

static int other_words; /* raised for another text */
static int32_t word(int sample, int i) {
    return (int32_t)((sample * 31 + i * i * 7 + i + other_words * (i % 3 + 1)) % WORDS);
}

/* Computes the logits of each text in one run, without a cache. */
static bool answers(const pair *p, float *to, int length) {
    nn_plan *plan = nn_make_plan(
        p->net, &(nn_plan_desc){.outputs = NN_NODES(p->whole), .batch = BATCH, .time = LENGTH});
    int32_t ids[BATCH * LENGTH];
    for (int i = 0; i < BATCH * length; i++) ids[i] = word(i / length, i % length);
    nn_set_time(plan, length);
    nn_upload(plan, p->all, ids, sizeof(int32_t) * (size_t)(BATCH * length));
    nn_run(plan);
    nn_result result =
        nn_download(plan, p->whole, to, sizeof(float) * (size_t)(BATCH * length * WORDS));
    nn_free_plan(plan);
    return result == NN_OK;
}

/* Runs once on rows [from[n], from[n] + time) of each of `batch` texts, and stores the logits in
   `to`, which may be NULL. */
static nn_result step(const pair *p, nn_plan *plan, int batch, int time, const int32_t *from,
                      float *to, bool sliced) {
    int32_t ids[BATCH * LENGTH];
    for (int n = 0; n < batch; n++)
        for (int i = 0; i < time; i++) ids[n * time + i] = word(n, from[n] + i);
    nn_set_time(plan, time);
    nn_upload(plan, p->ids, ids, sizeof(int32_t) * (size_t)(batch * time));
    nn_upload(plan, p->positions, from, sizeof(int32_t) * (size_t)batch);
    nn_result result = NN_PENDING;
    while (sliced && result == NN_PENDING) result = nn_run_for(plan, 0);
    if (!sliced) result = nn_run(plan);
    if (result == NN_OK && to)
        result = nn_download(plan, p->logits, to, sizeof(float) * (size_t)(batch * time * WORDS));
    return result;
}

static void compare(const float *got, const float *wanted, int count, double tolerance) {
    for (int i = 0; i < count && !test_this_failed; i++)
        ENSURE_CLOSE(got[i], wanted[i], tolerance);
}

/* Reads a text in chunks of several sizes, some of one word. The same plan then reads a second text
   from position 0, in slices. */
static void in_chunks(nn_context *nn, nn_device device, nn_dtype dtype, bool inside,
                      double tolerance) {
    static const int chunks[] = {5, 1, 7, 3, 1, 1, 1, 5};
    float wanted[BATCH * LENGTH * WORDS], got[BATCH * LENGTH * WORDS];
    pair p = make(nn, device, dtype, inside);
    nn_plan *plan = decoder(&p, BATCH, 7);
    ENSURE(plan);
    for (int again = 0; again < 2; again++) {
        int32_t from[BATCH] = {0, 0, 0};
        other_words = again;
        ENSURE(answers(&p, wanted, LENGTH));
        for (int c = 0; c < 8; c++) {
            ENSURE(step(&p, plan, BATCH, chunks[c], from, got, again == 1) == NN_OK);
            for (int n = 0; n < BATCH; n++)
                compare(got + n * chunks[c] * WORDS,
                        wanted + (n * LENGTH + from[n]) * WORDS, chunks[c] * WORDS, tolerance);
            for (int n = 0; n < BATCH; n++) from[n] += chunks[c];
        }
    }
    ENSURE(nn_error(nn) == NULL);
    nn_free_model(p.net);
}

static void chunks_give_the_whole(void) {
    nn_context *nn = nn_open(NULL);
    in_chunks(nn, nn_cpu(), NN_F32, false, 1e-5);
    in_chunks(nn, nn_cpu(), NN_F32, true, 1e-5);
    in_chunks(nn, nn_cpu(), NN_F16, true, 2e-3);
    in_chunks(nn, nn_cpu(), NN_BF16, false, 2e-2);
    nn_close(nn);
}

/* Texts of 13, 4 and 9 words in one batch: in the first run the short ones are padded, and then
   each continues from its own end. */
static void several_lengths(nn_context *nn, nn_device device) {
    int32_t from[BATCH] = {0, 0, 0}, length[BATCH] = {13, 4, 9};
    float wanted[BATCH * LENGTH * WORDS], got[BATCH * LENGTH * WORDS];
    pair p = make(nn, device, NN_F32, true);
    nn_plan *plan = decoder(&p, BATCH, 13);
    ENSURE(plan && answers(&p, wanted, LENGTH));
    ENSURE(step(&p, plan, BATCH, 13, from, got, false) == NN_OK);
    for (int n = 0; n < BATCH; n++) from[n] = length[n];
    for (int i = 0; i < 11; i++) {
        ENSURE(step(&p, plan, BATCH, 1, from, got, false) == NN_OK);
        for (int n = 0; n < BATCH; n++)
            compare(got + n * WORDS, wanted + (n * LENGTH + from[n]) * WORDS, WORDS, 1e-5);
        for (int n = 0; n < BATCH; n++) from[n]++;
    }
    nn_free_model(p.net);
}
static void texts_of_several_lengths(void) {
    nn_context *nn = nn_open(NULL);
    several_lengths(nn, nn_cpu());
    nn_close(nn);
}

static void same_bytes_for_any_threads_and_slices(void) {
    float first[BATCH * 7 * WORDS], got[BATCH * 7 * WORDS];
    for (int way = 0; way < 4; way++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = way % 2 ? 3 : 1});
        pair p = make(nn, nn_cpu(), NN_BF16, false);
        nn_plan *plan = decoder(&p, BATCH, 7);
        int32_t from[BATCH] = {0, 0, 0};
        ENSURE(step(&p, plan, BATCH, 7, from, NULL, way > 1) == NN_OK);
        for (int n = 0; n < BATCH; n++) from[n] = 7;
        ENSURE(step(&p, plan, BATCH, 5, from, way ? got : first, way > 1) == NN_OK);
        ENSURE(!way || memcmp(first, got, sizeof(float) * BATCH * 5 * WORDS) == 0);
        nn_close(nn);
    }
}

/* ---- ownership and place of the state -------------------------------------------------------- */

static void memory_is_counted_and_shown(void) {
    nn_context *nn = nn_open(NULL);
    pair p = make(nn, nn_cpu(), NN_F16, false);
    nn_plan *plan = decoder(&p, BATCH, 7);
    text said = {{0}, 0};
    const uint64_t each = (uint64_t)2 * BATCH * GROUPS * LENGTH * EACH, all = 4 * each;
    ENSURE(nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_STATE) == all);
    uint64_t own = 0;
    for (int c = NN_MEMORY_STATE; c < NN_MEMORY_CATEGORY_COUNT; c++)
        own += nn_plan_bytes(plan, nn_cpu(), (nn_memory_category)c);
    ENSURE(nn_plan_allocated(plan, nn_cpu()) == own);
    ENSURE(nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_INPUTS) < each);
    nn_write_plan(plan, (nn_writer){append, &said});
    const char *row = strstr(said.buffer, "\n      k0 ");
    ENSURE(row && strstr(row, " state ") && strstr(row, " state ") < strchr(row + 1, '\n'));
    nn_close(nn);
}

/* Each plan has a state of its own. Two plans can read and write one bound tensor instead. */
static void a_tensor_takes_its_place(void) {
    nn_context *nn = nn_open(NULL);
    pair p = make(nn, nn_cpu(), NN_F32, false);
    float wanted[BATCH * LENGTH * WORDS], got[BATCH * LENGTH * WORDS];
    nn_plan *prefill = decoder(&p, 1, 9), *decode = decoder(&p, 1, 1);
    nn_node *nodes[4] = {p.k[0], p.v[0], p.k[1], p.v[1]};
    int32_t zero = 0, at = 9;
    ENSURE(prefill && decode && answers(&p, wanted, LENGTH));
    ENSURE(step(&p, prefill, 1, 9, &zero, NULL, false) == NN_OK);
    ENSURE(step(&p, decode, 1, 1, &at, got, false) == NN_OK);
    ENSURE(fabsf(got[0] - wanted[9 * WORDS]) > 1e-4f); /* it did not read the first 9 */
    for (int i = 0; i < 4; i++) {
        nn_tensor *shared = nn_make_tensor(
            nn, &(nn_tensor_desc){.name = "shared", .shape = NN_SHAPE(1, GROUPS, LENGTH, EACH)});
        ENSURE(nn_bind(prefill, nodes[i], shared) == NN_OK);
        ENSURE(nn_bind(decode, nodes[i], shared) == NN_OK);
    }
    ENSURE(step(&p, prefill, 1, 9, &zero, NULL, false) == NN_OK);
    for (; at < LENGTH; at++) {
        ENSURE(step(&p, decode, 1, 1, &at, got, false) == NN_OK);
        compare(got, wanted + at * WORDS, WORDS, 1e-5);
    }
    nn_close(nn);
}

/* Copies the state of one plan as bytes into another. */
static void saved_and_put_back(void) {
    nn_context *nn = nn_open(NULL);
    pair p = make(nn, nn_cpu(), NN_F16, true);
    nn_node *nodes[4] = {p.k[0], p.v[0], p.k[1], p.v[1]};
    static uint16_t kept[4][BATCH * LENGTH * GROUPS * EACH];
    float wanted[BATCH * WORDS], got[BATCH * WORDS];
    nn_plan *one = decoder(&p, BATCH, 9), *other = decoder(&p, BATCH, 9);
    int32_t zero[BATCH] = {0, 0, 0}, at[BATCH] = {9, 9, 9};
    ENSURE(step(&p, one, BATCH, 9, zero, NULL, false) == NN_OK);
    for (int i = 0; i < 4; i++) {
        ENSURE(nn_download(one, nodes[i], kept[i], sizeof kept[i]) == NN_OK);
        ENSURE(nn_upload(other, nodes[i], kept[i], sizeof kept[i]) == NN_OK);
    }
    ENSURE(step(&p, one, BATCH, 1, at, wanted, false) == NN_OK);
    ENSURE(step(&p, other, BATCH, 1, at, got, false) == NN_OK);
    ENSURE(memcmp(wanted, got, sizeof got) == 0);
    ENSURE(step(&p, other, 1, 1, at, got, false) == NN_OK); /* the first sample alone */
    compare(got, wanted, WORDS, 1e-5);
    ENSURE(nn_clear_caches(other) == NN_OK);
    ENSURE(step(&p, other, BATCH, 1, at, got, false) == NN_OK);
    for (int k = 0; k < 4; k++) { /* all caches are cleared */
        ENSURE(nn_download(other, nodes[k], kept[k], sizeof kept[k]) == NN_OK);
        for (int i = 0; i < 9 * GROUPS * EACH; i++) ENSURE(kept[k][i] == 0);
        ENSURE(kept[k][9 * GROUPS * EACH] != 0);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

/* A copy of the model has the caches too, and its plans have states of their own. */
static void a_copy_has_its_own(void) {
    nn_context *nn = nn_open(NULL);
    pair p = make(nn, nn_cpu(), NN_F32, false), q = p;
    float wanted[WORDS], got[WORDS];
    int32_t zero = 0, at = 4;
    q.net = nn_copy_model(p.net, NULL);
    q.ids = nn_copied_node(q.net, p.ids), q.positions = nn_copied_node(q.net, p.positions);
    q.logits = nn_copied_node(q.net, p.logits);
    ENSURE(q.ids && q.positions && q.logits);
    nn_plan *one = decoder(&p, 1, 4), *other = decoder(&q, 1, 4);
    ENSURE(step(&p, one, 1, 4, &zero, NULL, false) == NN_OK);
    ENSURE(step(&p, one, 1, 1, &at, wanted, false) == NN_OK);
    ENSURE(step(&q, other, 1, 4, &zero, NULL, false) == NN_OK);
    ENSURE(step(&q, other, 1, 1, &at, got, false) == NN_OK);
    ENSURE(memcmp(wanted, got, sizeof got) == 0);
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

#define FAULT(call, words)                                                                         \
    do {                                                                                           \
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});                        \
        nn_node *k = nn_input(net, "key", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME, 8)),              \
                *flat = nn_input(net, "flat", NN_F32, NN_SHAPE(NN_BATCH)),                         \
                *long_one = nn_input(net, "long", NN_F32, NN_SHAPE(NN_BATCH, 2, 9, 8)),            \
                *whole = nn_input(net, "whole", NN_I32, NN_SHAPE(NN_BATCH, 2, NN_TIME, 8)),        \
                *at = nn_input(net, "at", NN_I32, NN_SHAPE(NN_BATCH));                             \
        text said = {{0}, 0};                                                                      \
        (void)flat, (void)long_one, (void)whole, (void)k, (void)at;                                \
        ENSURE((call) != NULL && nn_fault_count(net) == 1);                                        \
        nn_write_faults(net, (nn_writer){append, &said});                                          \
        ENSURE(holds(said.buffer, words));                                                         \
        nn_free_model(net);                                                                        \
        nn_clear_error(nn);                                                                        \
    } while (0)
#define CACHE(x, at, ...) nn_cache(net, "kept", x, at, &(nn_cache_desc){__VA_ARGS__})

/* A report counts one operation for each number that is written. */
static void flops_are_the_rows(void) {
    static char report[1 << 14];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 10, 50)),
            *at = nn_input(net, "at", NN_I32, NN_SHAPE(NN_BATCH)), *kept = CACHE(x, at, .length = 30);
    nn_text out = {.buffer = report, .size = sizeof report};
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(kept)});
    ENSURE(plan != NULL);
    nn_write_plan(plan, (nn_writer){nn_write_text, &out});
    ENSURE(holds(report, "1 steps, 1.0 kflop a run"));
    nn_close(nn);
}

static void mistakes_in_words(void) {
    nn_context *nn = nn_open(NULL);
    FAULT(CACHE(k, at, .dtype = NN_F16), "length is 0; it must be at least 1");
    FAULT(CACHE(k, at, .length = 5, .dtype = NN_I8), "dtype is i8; a cache is f32, f16 or bf16");
    FAULT(CACHE(k, flat, .length = 5), "positions is f32; cache wants i32");
    FAULT(CACHE(k, whole, .length = 5), "positions has the shape (batch, 2, time, 8); wanted (batch)");
    FAULT(CACHE(whole, at, .length = 5), "x is i32; cache wants f32");
    FAULT(CACHE(flat, at, .length = 5), "\"flat\" is (batch); cache wants (N, heads, L, E)");
    FAULT(CACHE(k, at, .length = 5, .heads_inside = true), "extent 2 of \"key\" (batch, 2, time, 8) "
                                                           "depends on the time");
    FAULT(CACHE(long_one, at, .length = 8), "has 9 rows for a cache of length 8");
    FAULT(nn_cache(net, "kept", NULL, at, &(nn_cache_desc){.length = 3}), "x is NULL");
    nn_close(nn);
}

/* Nothing is written when one position does not fit. */
static void position_out_of_range(nn_context *nn, nn_device device) {
    static float before[BATCH * GROUPS * LENGTH * EACH], after[BATCH * GROUPS * LENGTH * EACH];
    pair p = make(nn, device, NN_F32, false);
    nn_plan *plan = decoder(&p, BATCH, 7);
    int32_t at[BATCH] = {0, 3, 5};
    float logits[BATCH * 7 * WORDS];
    ENSURE(step(&p, plan, BATCH, 7, at, NULL, false) == NN_OK);
    ENSURE(nn_download(plan, p.k[0], before, sizeof before) == NN_OK);
    for (int way = 0; way < 2; way++) {
        at[1] = way ? -1 : LENGTH - 6;
        ENSURE(step(&p, plan, BATCH, 7, at, logits, way > 0) == NN_ERROR_LABEL);
        ENSURE(holds(nn_error(nn), "a position is out of range: \"k0\" has 24 positions, and each of "
                                   "\"positions\" must be at least 0 and leave room for the 7 of "
                                   "the run; nothing was written"));
        nn_clear_error(nn);
        const nn_view view = nn_plan_view(plan, p.k[0]);
        nn_tensor *seen = nn_wrap_handle(nn, device, "seen", NN_F32,
                                         NN_SHAPE(BATCH, GROUPS, LENGTH, EACH), view.handle,
                                         view.offset);
        ENSURE(nn_download_tensor(seen, after, sizeof after) == NN_OK);
        nn_free_tensor(seen);
        ENSURE(memcmp(before, after, sizeof after) == 0);
    }
    nn_free_model(p.net);
}
static void positions_out_of_range(void) {
    nn_context *nn = nn_open(NULL);
    position_out_of_range(nn, nn_cpu());
    nn_close(nn);
}

static void bound_tensors_that_do_not_fit(void) {
    nn_context *nn = nn_open(NULL);
    pair p = make(nn, nn_cpu(), NN_F32, false);
    nn_plan *plan = decoder(&p, 2, 7);
    int32_t at[BATCH] = {0, 0, 0};
    static float memory[2 * GROUPS * LENGTH * EACH];
    const nn_tensor_desc descs[6] = {
        {.name = "short", .shape = NN_SHAPE(2, GROUPS, LENGTH - 1, EACH)},
        {.name = "many", .shape = NN_SHAPE(3, GROUPS, LENGTH, EACH)},
        {.name = "few", .shape = NN_SHAPE(1, GROUPS, LENGTH, EACH)},
        {.name = "halves", .shape = NN_SHAPE(2, GROUPS, LENGTH, EACH), .dtype = NN_F16},
        {.name = "fixed", .shape = NN_SHAPE(2, GROUPS, LENGTH, EACH), .data = memory,
         .read_only = true},
        {.name = "twice", .shape = NN_SHAPE(2, GROUPS, LENGTH, EACH)}};
    static const char *const words[] = {"\"short\"", "batches of 1 to 2 fit", "its batch is 1",
                                        "\"halves\"", "it is read-only",
                                        "the same memory is bound in another place of the plan"};
    for (int i = 0; i < 6; i++) {
        nn_tensor *tensor = nn_make_tensor(nn, &descs[i]);
        ENSURE(tensor && nn_bind(plan, p.k[1], tensor) == NN_OK);
        if (i == 5) ENSURE(nn_bind(plan, p.v[0], tensor) == NN_OK);
        ENSURE(step(&p, plan, 2, 7, at, NULL, false) == NN_ERROR_FAULTS);
        ENSURE(holds(nn_error(nn), words[i]) && holds(nn_error(nn), i == 2 ? "\"ids\"" : "\"k1\""));
        nn_clear_error(nn);
        nn_bind(plan, p.v[0], NULL), nn_bind(plan, p.k[1], NULL);
        ENSURE(step(&p, plan, 2, 7, at, NULL, false) == NN_OK);
    }
    nn_close(nn);
}

static void a_training_refuses_it(void) {
    nn_context *nn = nn_open(NULL);
    pair p = make(nn, nn_cpu(), NN_F32, false);
    nn_node *label = nn_input(p.net, "label", NN_I32, NN_SHAPE(NN_BATCH)),
            *loss = nn_cross_entropy(p.net, nn_mean(p.net, p.logits, NN_AXES(1), false), label, NULL);
    ENSURE(nn_make_trainer(p.net, loss, &(nn_trainer_desc){.batch = 2}) == NULL);
    ENSURE(holds(nn_error(nn), "cache \"k0\"") && holds(nn_error(nn), "it has no gradient") &&
           holds(nn_error(nn), "a second time without nn_cache"));
    nn_close(nn);
}

/* Finds the input that says where all caches write, and the shortest cache. There is no such input
   if there are two, or if a node computes the positions. */
static void what_the_caches_of_a_plan_are_for(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME, 4)),
            *at = nn_input(net, "at", NN_I32, NN_SHAPE(NN_BATCH)),
            *other = nn_input(net, "other", NN_I32, NN_SHAPE(NN_BATCH)),
            *made = nn_cast(net, nn_input(net, "rough", NN_F32, NN_SHAPE(NN_BATCH)), NN_I32);
    struct {
        nn_node *first, *second, *positions;
    } cases[] = {{at, at, at}, {at, other, NULL}, {other, at, NULL}, {made, made, NULL},
                 {made, at, NULL}, {at, made, NULL}};
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        char name[2][16];
        for (int k = 0; k < 2; k++) snprintf(name[k], sizeof name[k], "%d.%d", i, k);
        nn_node *a = nn_cache(net, name[0], x, cases[i].first, &(nn_cache_desc){.length = 9 - i}),
                *b = nn_cache(net, name[1], x, cases[i].second, &(nn_cache_desc){.length = 5 + i});
        nn_plan *plan =
            nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(a, b), .batch = 2, .time = 2});
        ENSURE(plan != NULL);
        const nn_cache_use use = nn_plan_caches(plan);
        ENSURE(use.count == 2 && use.positions == cases[i].positions);
        ENSURE(use.length == (i < 2 ? 5 + i : 9 - i));
        nn_free_plan(plan);
    }
    nn_plan *without = nn_make_plan(
        net, &(nn_plan_desc){.outputs = NN_NODES(nn_square(net, x)), .batch = 1, .time = 1});
    ENSURE(without && nn_plan_caches(without).count == 0 && !nn_plan_caches(without).positions);
    nn_close(nn);
}

/* ---- a second device ------------------------------------------------------------------------- */

/* A move and nn_replan take the state along; a bound tensor has to be bound again. */
static void moves_with_the_plan(nn_context *nn, nn_device device) {
    char name[16];
    nn_format_device(device, name, sizeof name);
    pair p = make(nn, nn_cpu(), NN_F32, false);
    float wanted[BATCH * LENGTH * WORDS], got[BATCH * LENGTH * WORDS];
    nn_plan *plan = decoder(&p, BATCH, 7);
    int32_t from[BATCH] = {0, 0, 0};
    ENSURE(plan && answers(&p, wanted, LENGTH));
    for (int i = 0; i < 3; i++) {
        const nn_device to = i == 1 ? nn_cpu() : device;
        ENSURE(step(&p, plan, BATCH, 7, from, got, false) == NN_OK);
        for (int n = 0; n < BATCH; n++)
            compare(got + n * 7 * WORDS, wanted + (n * LENGTH + from[n]) * WORDS, 7 * WORDS, 1e-5);
        ENSURE(nn_move_model(p.net, to) == NN_OK && nn_replan(plan) == NN_OK);
        for (int n = 0; n < BATCH; n++) from[n] += 7;
    }
    ENSURE(step(&p, plan, BATCH, 3, from, got, false) == NN_OK);
    for (int n = 0; n < BATCH; n++)
        compare(got + n * 3 * WORDS, wanted + (n * LENGTH + from[n]) * WORDS, 3 * WORDS, 1e-5);
    nn_tensor *mine = nn_make_tensor(nn, &(nn_tensor_desc){.device = nn_cpu(), .shape = NN_SHAPE(
                                                               BATCH, GROUPS, LENGTH, EACH)});
    nn_bind(plan, p.k[0], mine);
    ENSURE(step(&p, plan, BATCH, 3, from, NULL, false) == NN_ERROR_FAULTS);
    ENSURE(holds(nn_error(nn), "cache \"k0\"") && holds(nn_error(nn), name));
    nn_clear_error(nn);
    ENSURE(nn_move_model(p.net, nn_cpu()) == NN_OK && nn_replan(plan) == NN_OK);
    ENSURE(step(&p, plan, BATCH, 3, from, NULL, false) == NN_ERROR_FAULTS);
    ENSURE(holds(nn_error(nn), "no tensor is bound to it any more"));
    nn_close(nn);
}
static void moves_to_a_simulated_device(void) {
    for (int way = 0; way < 2; way++) {
        nn_context *nn = nn_open(NULL);
        sim_desc desc;
        nn_device device;
        memset(&desc, 0, sizeof desc);
        desc.asynchronous = way == 1;
        sim_device *sim = sim_open(nn, &desc, &device);
        ENSURE(sim != NULL);
        moves_with_the_plan(nn, device);
        ENSURE(sim_free(sim) == 0);
    }
}

#ifdef NN_TEST_OPENCL
static void on_opencl(void) {
    nn_context *nn = nn_open(NULL);
    if (!OPEN_OPENCL(nn)) {
        nn_close(nn);
        return;
    }
    in_chunks(nn, nn_opencl(0), NN_F32, true, 1e-5);
    in_chunks(nn, nn_opencl(0), NN_BF16, false, 2e-2);
    several_lengths(nn, nn_opencl(0));
    position_out_of_range(nn, nn_opencl(0));
    nn_close(nn);
}
static void moves_to_opencl(void) {
    nn_context *nn = nn_open(NULL);
    if (!OPEN_OPENCL(nn)) nn_close(nn);
    else moves_with_the_plan(nn, nn_opencl(0));
}
#endif

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(chunks_give_the_whole);
    RUN(texts_of_several_lengths);
    RUN(same_bytes_for_any_threads_and_slices);
    RUN(memory_is_counted_and_shown);
    RUN(a_tensor_takes_its_place);
    RUN(saved_and_put_back);
    RUN(a_copy_has_its_own);
    RUN(flops_are_the_rows);
    RUN(mistakes_in_words);
    RUN(positions_out_of_range);
    RUN(bound_tensors_that_do_not_fit);
    RUN(a_training_refuses_it);
    RUN(what_the_caches_of_a_plan_are_for);
    RUN(moves_to_a_simulated_device);
#ifdef NN_TEST_OPENCL
    RUN(on_opencl);
    RUN(moves_to_opencl);
#endif
    return test_report();
}
