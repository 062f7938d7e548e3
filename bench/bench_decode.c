/* bench/bench_decode.c - one sequence or a few, token by token, through GPT-2 124M (12 layers of
   768, random weights) or a Llama of 135M (30 layers of 576), with a cache of 1,024 positions,
   compared with the time in which as many threads of this machine read its weights and the keys and
   values so far in a plain loop. bench/pytorch_decode.py times PyTorch on the same shapes
   alternately with it.

     bench_decode [threads] [f32|bf16|f16|i8|i4|i8+i4] [position] [sequences] [in_out|llama]

   Default: a row for each kind of weights, and 1 sequence. in_out: the weights of layers lie the
   other way round, as those of GPT-2's files (nn_linear_transposed). llama: the Llama.
   i8, i4: all weights of nn_quantize with 8 and 4 bits, biases and norms in f32, the cache in bf16.
   i8+i4: both nets, a token of each alternately, and the ratio of their times. With one thread also
   the processor's time, which other programs change less than the clock's. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"
#include "nn_quantize.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAYERS = 12, WIDTH = 768, HEADS = 12, WORDS = 50257, LENGTH = 1024, TOKENS = 24, MOST = 16 };

static double now(nn_context *nn) {
    return (double)nn_context_desc(nn)->clock.now(nn_context_desc(nn)->clock.user) * 1e-9;
}

/* Returns the seconds that the process has had a processor. */
static double busy(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- the bandwidth of reading ---------------------------------------------------------------- */

typedef struct share {
    const char *from;
    size_t bytes;
    uint64_t sum;
} share;

static void *read_share(void *user) {
    share *s = (share *)user;
#if defined(__GNUC__) && !defined(__TINYC__)
    typedef uint64_t eight __attribute__((vector_size(64), aligned(64)));
    eight sum[4] = {{0}};
    for (size_t at = 0; at + 256 <= s->bytes; at += 256)
        for (int k = 0; k < 4; k++) sum[k] += *(const eight *)(const void *)(s->from + at + 64 * k);
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < 8; l++) s->sum += sum[k][l];
#else
    for (size_t at = 0; at + 8 <= s->bytes; at += 8) s->sum += *(const uint64_t *)(s->from + at);
#endif
    return NULL;
}

/* Returns the seconds that one reading of everything takes. */
static double read_all(nn_context *nn, const char *from, size_t bytes, int threads) {
    pthread_t thread[64];
    share shares[64];
    const size_t each = bytes / (size_t)threads / 64 * 64;
    const double start = now(nn);
    for (int i = 0; i < threads; i++) {
        shares[i].from = from + (size_t)i * each, shares[i].bytes = each, shares[i].sum = 0;
        if (i > 0) pthread_create(&thread[i], NULL, read_share, &shares[i]);
    }
    read_share(&shares[0]);
    for (int i = 1; i < threads; i++) pthread_join(thread[i], NULL);
    return now(nn) - start;
}

/* ---- the nets -------------------------------------------------------------------------------- */

static bool in_out, llama;

static nn_node *linear(nn_model *net, int layer, const char *what, nn_node *x, int wide) {
    nn_linear_desc desc;
    char name[32];
    memset(&desc, 0, sizeof desc);
    desc.out_features = wide;
    desc.no_bias = layer < 0 || llama;
    snprintf(name, sizeof name, "%d.%s", layer, what);
    return in_out && layer >= 0 ? nn_linear_transposed(net, name, x, &desc)
                                : nn_linear(net, name, x, &desc);
}
static nn_node *norm(nn_model *net, int layer, const char *what, nn_node *x) {
    char name[32];
    snprintf(name, sizeof name, "%d.%s", layer, what);
    return llama ? nn_rms_norm(net, name, x, NULL) : nn_layer_norm(net, name, x, NULL);
}
static nn_node *part(nn_model *net, nn_node *qkv, int which) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = 2, slice.start = which * WIDTH, slice.stop = (which + 1) * WIDTH;
    return nn_reshape(net, nn_slice(net, qkv, &slice),
                      NN_SHAPE(NN_BATCH, NN_TIME, HEADS, WIDTH / HEADS));
}

typedef struct inputs {
    nn_node *ids, *places, *positions;
} inputs;

static nn_node *attend(nn_model *net, const inputs *in, nn_node *q, nn_node *k, nn_node *v,
                       nn_dtype dtype, int width) {
    nn_scaled_dot_product_attention_desc desc;
    nn_cache_desc cache;
    memset(&desc, 0, sizeof desc), memset(&cache, 0, sizeof cache);
    desc.positions = in->positions, desc.is_causal = desc.heads_inside = true;
    cache.length = LENGTH, cache.dtype = dtype, cache.heads_inside = true;
    k = nn_cache(net, "k", k, in->positions, &cache);
    v = nn_cache(net, "v", v, in->positions, &cache);
    return nn_reshape(net, nn_scaled_dot_product_attention(net, q, k, v, &desc),
                      NN_SHAPE(NN_BATCH, NN_TIME, width));
}

static nn_node *describe(nn_model *net, const inputs *in, nn_dtype dtype) {
    nn_embedding_desc words;
    memset(&words, 0, sizeof words);
    words.num_embeddings = LENGTH, words.embedding_dim = WIDTH; /* as many rows as are read */
    nn_node *x = nn_add(net, nn_embedding(net, "wte", in->ids, &words),
                        nn_embedding(net, "wpe", in->places, &words));
    for (int i = 0; i < LAYERS; i++) {
        nn_node *qkv = linear(net, i, "qkv", norm(net, i, "ln_1", x), 3 * WIDTH);
        nn_node *y = attend(net, in, part(net, qkv, 0), part(net, qkv, 1), part(net, qkv, 2),
                            dtype, WIDTH);
        x = nn_add(net, x, linear(net, i, "out", y, WIDTH));
        y = linear(net, i, "up", norm(net, i, "ln_2", x), 4 * WIDTH);
        x = nn_add(net, x, linear(net, i, "down", nn_gelu_tanh(net, y), WIDTH));
    }
    return linear(net, -1, "head", norm(net, -1, "ln", x), WORDS);
}

/* Nine heads of 64 numbers, three of them for keys and values. */
enum { L_LAYERS = 30, L_WIDTH = 576, L_KEYS = 192, L_DEEP = 1536, L_WORDS = 49152 };

static nn_node *heads(nn_model *net, const inputs *in, nn_node *x, int count, bool turn) {
    nn_rotary_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.positions = in->positions, desc.heads_inside = true;
    x = nn_reshape(net, x, NN_SHAPE(NN_BATCH, NN_TIME, count, 64));
    return turn ? nn_rotary_embedding(net, x, &desc) : x;
}

static nn_node *describe_llama(nn_model *net, const inputs *in, nn_dtype dtype) {
    nn_embedding_desc words;
    memset(&words, 0, sizeof words);
    words.num_embeddings = LENGTH, words.embedding_dim = L_WIDTH;
    nn_node *x = nn_embedding(net, "wte", in->ids, &words);
    for (int i = 0; i < L_LAYERS; i++) {
        nn_node *h = norm(net, i, "ln_1", x), *y;
        y = attend(net, in, heads(net, in, linear(net, i, "q", h, L_WIDTH), 9, true),
                   heads(net, in, linear(net, i, "k", h, L_KEYS), 3, true),
                   heads(net, in, linear(net, i, "v", h, L_KEYS), 3, false), dtype, L_WIDTH);
        x = nn_add(net, x, linear(net, i, "out", y, L_WIDTH));
        h = norm(net, i, "ln_2", x);
        y = nn_multiply(net, nn_silu(net, linear(net, i, "gate", h, L_DEEP)),
                        linear(net, i, "up", h, L_DEEP));
        x = nn_add(net, x, linear(net, i, "down", y, L_WIDTH));
    }
    return linear(net, -1, "head", norm(net, -1, "ln", x), L_WORDS);
}

/* ---- measuring ------------------------------------------------------------------------------- */

typedef enum weights { W_F32, W_BF16, W_F16, W_I8, W_I4, W_COUNT } weights;
static const char *const names[] = {"f32", "bf16", "f16", "i8", "i4"};
static const double bits[] = {32, 16, 16, 8, 4.5};

typedef struct run_net {
    weights kind;
    int threads, position, batch;
    nn_context *nn;
    nn_plan *plan;
    inputs in;
    size_t bytes;
    double took[TOKENS], busy[TOKENS], reading[TOKENS];
} run_net;

static void open_net(run_net *r, size_t most) {
    static const nn_dtype dtypes[] = {NN_F32, NN_BF16, NN_F16, NN_F32, NN_F32};
    const nn_dtype cache = r->kind >= W_I8 ? NN_BF16 : dtypes[r->kind];
    nn_desc desc;
    nn_model_desc described;
    nn_plan_desc planned;
    nn_quantize_desc quantize;
    memset(&desc, 0, sizeof desc), memset(&described, 0, sizeof described);
    memset(&planned, 0, sizeof planned), memset(&quantize, 0, sizeof quantize);
    desc.threads = r->threads;
    desc.log.function = nn_write_stderr;
    r->nn = nn_open(&desc);
    described.dtype = dtypes[r->kind], described.seed = 1;
    nn_model *net = nn_make_model(r->nn, &described);
    quantize.bits = r->kind == W_I4 ? 4 : 8;
    if (r->kind >= W_I8) nn_quantize(net, &quantize);
    r->in.ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    r->in.positions = nn_input(net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
    if (!llama) r->in.places = nn_input(net, "places", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    planned.batch = r->batch;
    planned.outputs =
        NN_NODES(llama ? describe_llama(net, &r->in, cache) : describe(net, &r->in, cache));
    r->plan = nn_make_plan(net, &planned);
    const double numbers =
        llama ? (double)L_LAYERS * (2.0 * L_WIDTH * (L_WIDTH + L_KEYS) + 3.0 * L_WIDTH * L_DEEP) +
                    (double)L_WORDS * L_WIDTH
              : (double)LAYERS * 12 * WIDTH * WIDTH + (double)WORDS * WIDTH;
    r->bytes = (size_t)(numbers * bits[r->kind] / 8) +
               (size_t)(llama ? L_LAYERS : LAYERS) * 2 * (size_t)(r->batch * r->position) *
                   (size_t)(llama ? L_KEYS : WIDTH) * nn_dtype_size(cache);
    if (r->bytes > most) r->bytes = most;
}

static void one_token(run_net *r, int i, const char *memory) {
    int32_t id[MOST], at[MOST];
    if (!r->plan) return;
    for (int n = 0; n < r->batch; n++) id[n] = i + n, at[n] = r->position + i;
    nn_upload(r->plan, r->in.ids, id, sizeof *id * (size_t)r->batch);
    if (r->in.places) nn_upload(r->plan, r->in.places, at, sizeof *at * (size_t)r->batch);
    nn_upload(r->plan, r->in.positions, at, sizeof *at * (size_t)r->batch);
    r->reading[i] = read_all(r->nn, memory, r->bytes, r->threads);
    const double start = now(r->nn), begin = busy();
    nn_run(r->plan);
    r->took[i] = now(r->nn) - start;
    r->busy[i] = busy() - begin;
}

static void report(run_net *r) {
    if (nn_error(r->nn)) {
        printf("%s\n", nn_error(r->nn));
        return;
    }
    qsort(r->took, TOKENS, sizeof *r->took, compare);
    qsort(r->busy, TOKENS, sizeof *r->busy, compare);
    qsort(r->reading, TOKENS, sizeof *r->reading, compare);
    if (r->batch > 1) printf("%d sequences, ", r->batch);
    printf("%-5s %d threads, position %4d: %7.2f ms a token (least %7.2f), reading %4.0f MB "
           "%7.2f ms (%5.1f GB/s), ratio %.2f, of the least %.2f\n",
           names[r->kind], r->threads, r->position, r->took[TOKENS / 2] * 1e3, r->took[0] * 1e3,
           (double)r->bytes * 1e-6, r->reading[TOKENS / 2] * 1e3,
           (double)r->bytes / r->reading[TOKENS / 2] * 1e-9,
           r->took[TOKENS / 2] / r->reading[TOKENS / 2], r->took[0] / r->reading[0]);
    fflush(stdout);
}

/* Runs one net, or two in turns. */
static void rows(const weights *kinds, int count, int threads, int position, int batch,
                 const char *memory, size_t most) {
    run_net r[2];
    memset(r, 0, sizeof r);
    for (int k = 0; k < count; k++) {
        r[k].kind = kinds[k], r[k].threads = threads, r[k].position = position;
        r[k].batch = batch;
        open_net(&r[k], most);
    }
    for (int i = 0; i < TOKENS; i++)
        for (int k = 0; k < count; k++) one_token(&r[k], i, memory);
    for (int k = 0; k < count; k++) report(&r[k]);
    if (count > 1)
        printf("      speed of %s: %.2f times that of %s, by the least times %.2f\n",
               names[kinds[1]], r[0].took[TOKENS / 2] / r[1].took[TOKENS / 2], names[kinds[0]],
               r[0].took[0] / r[1].took[0]);
    if (count > 1 && threads == 1)
        printf("      of the processor: %.2f and %.2f ms a token (least %.2f and %.2f), ratio %.2f "
               "(%.2f)\n",
               r[0].busy[TOKENS / 2] * 1e3, r[1].busy[TOKENS / 2] * 1e3, r[0].busy[0] * 1e3,
               r[1].busy[0] * 1e3, r[0].busy[TOKENS / 2] / r[1].busy[TOKENS / 2],
               r[0].busy[0] / r[1].busy[0]);
    for (int k = 0; k < count; k++) nn_close(r[k].nn);
}

int main(int argc, char **argv) {
    static const weights both[] = {W_I8, W_I4};
    static const int places[] = {16, 1000};
    const size_t most = (size_t)640 << 20;
    char *block = (char *)malloc(most + 64), *memory = block + (64 - (size_t)block % 64);
    const int batch = argc > 4 ? atoi(argv[4]) : 1;
    in_out = argc > 5 && strcmp(argv[5], "in_out") == 0;
    llama = argc > 5 && strcmp(argv[5], "llama") == 0;
    if (!block || batch < 1 || batch > MOST) return 1;
    memset(block, 1, most + 64);
    for (int threads = 1; threads <= 2; threads++)
        for (int p = 0; p < 2; p++) {
            if (argc > 1 && atoi(argv[1]) != threads) continue;
            if (argc > 3 && atoi(argv[3]) != places[p]) continue;
            for (int t = W_F32; t < W_COUNT; t++) {
                const weights kind = (weights)t;
                if (argc > 2 && strcmp(argv[2], names[t]) != 0) continue;
                rows(&kind, 1, threads, places[p], batch, memory, most);
            }
            if (argc > 2 && strcmp(argv[2], "i8+i4") == 0)
                rows(both, 2, threads, places[p], batch, memory, most);
        }
    free(block);
    return 0;
}
