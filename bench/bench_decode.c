/* bench/bench_decode.c - one sequence or a few, token by token, through GPT-2 124M (12 layers of
   768, random weights) with a cache of 1,024 positions, beside the time that reading its weights
   and the keys and values so far takes at the bandwidth that as many threads of this machine reach
   on plain reading. bench/pytorch_decode.py times PyTorch on the same shapes alternately with it.

     bench_decode [threads] [f32|bf16|f16|i8] [position] [sequences] [in_out]

   Default: a row for each dtype, and 1 sequence. in_out: the weights of layers lie the
   other way round, as those of GPT-2's files (nn_linear_transposed).
   i8: all weights of nn_quantize, biases and norms in f32, the cache in bf16. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 12, WIDTH = 768, HEADS = 12, WORDS = 50257, LENGTH = 1024, TOKENS = 12, MOST = 16 };

static double now(nn_context *nn) {
    return (double)nn_context_desc(nn)->clock.now(nn_context_desc(nn)->clock.user) * 1e-9;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- the bandwidth of reading ------------------------------------------------------------------ */

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

/* ---- the net ----------------------------------------------------------------------------------- */

static bool in_out;

static nn_node *linear(nn_model *net, int layer, const char *what, nn_node *x, int wide) {
    nn_linear_desc desc;
    char name[32];
    memset(&desc, 0, sizeof desc);
    desc.out_features = wide;
    desc.no_bias = layer < 0;
    snprintf(name, sizeof name, "%d.%s", layer, what);
    return in_out && layer >= 0 ? nn_linear_transposed(net, name, x, &desc)
                                : nn_linear(net, name, x, &desc);
}
static nn_node *norm(nn_model *net, int layer, const char *what, nn_node *x) {
    char name[32];
    snprintf(name, sizeof name, "%d.%s", layer, what);
    return nn_layer_norm(net, name, x, NULL);
}
static nn_node *part(nn_model *net, nn_node *qkv, int which) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = 2, slice.start = which * WIDTH, slice.stop = (which + 1) * WIDTH;
    return nn_reshape(net, nn_slice(net, qkv, &slice),
                      NN_SHAPE(NN_BATCH, NN_TIME, HEADS, WIDTH / HEADS));
}

static nn_node *describe(nn_model *net, nn_node *ids, nn_node *places, nn_node *positions,
                         nn_dtype dtype) {
    nn_embedding_desc words, place;
    nn_scaled_dot_product_attention_desc attend;
    nn_cache_desc cache;
    memset(&words, 0, sizeof words), memset(&attend, 0, sizeof attend);
    memset(&cache, 0, sizeof cache);
    words.num_embeddings = LENGTH, words.embedding_dim = WIDTH; /* as many rows as are read */
    place = words;
    attend.positions = positions, attend.is_causal = attend.heads_inside = true;
    cache.length = LENGTH, cache.dtype = dtype, cache.heads_inside = true;
    nn_node *x = nn_add(net, nn_embedding(net, "wte", ids, &words),
                        nn_embedding(net, "wpe", places, &place));
    for (int i = 0; i < LAYERS; i++) {
        nn_node *qkv = linear(net, i, "qkv", norm(net, i, "ln_1", x), 3 * WIDTH);
        nn_node *k = nn_cache(net, "k", part(net, qkv, 1), positions, &cache),
                *v = nn_cache(net, "v", part(net, qkv, 2), positions, &cache);
        nn_node *y = nn_scaled_dot_product_attention(net, part(net, qkv, 0), k, v, &attend);
        y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, NN_TIME, WIDTH));
        x = nn_add(net, x, linear(net, i, "out", y, WIDTH));
        y = linear(net, i, "up", norm(net, i, "ln_2", x), 4 * WIDTH);
        x = nn_add(net, x, linear(net, i, "down", nn_gelu_tanh(net, y), WIDTH));
    }
    return linear(net, -1, "head", norm(net, -1, "ln", x), WORDS);
}

static void row(int threads, nn_dtype type, int position, int batch, const char *memory,
                size_t most) {
    nn_desc desc;
    nn_model_desc described;
    nn_plan_desc planned;
    memset(&desc, 0, sizeof desc), memset(&described, 0, sizeof described);
    memset(&planned, 0, sizeof planned);
    desc.threads = threads;
    desc.log.function = nn_write_stderr;
    nn_context *nn = nn_open(&desc);
    const nn_dtype dtype = type == NN_I8 ? NN_BF16 : type; /* of the cache */
    described.dtype = type == NN_I8 ? NN_F32 : type, described.seed = 1;
    nn_model *net = nn_make_model(nn, &described);
    if (type == NN_I8) nn_quantize(net, NULL);
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)),
            *places = nn_input(net, "places", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)),
            *positions = nn_input(net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
    planned.batch = batch;
    planned.outputs = NN_NODES(describe(net, ids, places, positions, dtype));
    nn_plan *plan = nn_make_plan(net, &planned);
    size_t bytes =
        ((size_t)LAYERS * 12 * WIDTH * WIDTH + (size_t)WORDS * WIDTH) * nn_dtype_size(type) +
        (size_t)LAYERS * 2 * (size_t)batch * (size_t)position * WIDTH * nn_dtype_size(dtype);
    double took[TOKENS], reading[TOKENS];
    if (bytes > most) bytes = most;
    for (int i = 0; plan && i < TOKENS; i++) {
        int32_t id[MOST], at[MOST];
        for (int n = 0; n < batch; n++) id[n] = i + n, at[n] = position + i;
        nn_upload(plan, ids, id, sizeof *id * (size_t)batch);
        nn_upload(plan, places, at, sizeof *at * (size_t)batch);
        nn_upload(plan, positions, at, sizeof *at * (size_t)batch);
        reading[i] = read_all(nn, memory, bytes, threads);
        const double start = now(nn);
        if (nn_run(plan) != NN_OK) break;
        took[i] = now(nn) - start;
    }
    if (nn_error(nn)) {
        printf("%s\n", nn_error(nn));
    } else {
        qsort(took, TOKENS, sizeof *took, compare), qsort(reading, TOKENS, sizeof *reading, compare);
        if (batch > 1) printf("%d sequences, ", batch);
        printf("%-5s %d threads, position %4d: %7.2f ms a token (least %7.2f), reading %4.0f MB "
               "%7.2f ms (%5.1f GB/s), ratio %.2f, of the least %.2f\n",
               nn_dtype_name(type), threads, position, took[TOKENS / 2] * 1e3, took[0] * 1e3,
               (double)bytes * 1e-6, reading[TOKENS / 2] * 1e3,
               (double)bytes / reading[TOKENS / 2] * 1e-9, took[TOKENS / 2] / reading[TOKENS / 2],
               took[0] / reading[0]);
        fflush(stdout);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    static const nn_dtype types[] = {NN_F32, NN_BF16, NN_F16, NN_I8};
    static const int places[] = {16, 1000};
    const size_t most = (size_t)640 << 20;
    char *block = (char *)malloc(most + 64), *memory = block + (64 - (size_t)block % 64);
    const int batch = argc > 4 ? atoi(argv[4]) : 1;
    in_out = argc > 5;
    if (!block || batch < 1 || batch > MOST) return 1;
    memset(block, 1, most + 64);
    for (int threads = 1; threads <= 2; threads++)
        for (int t = 0; t < 4; t++)
            for (int p = 0; p < 2; p++) {
                if (argc > 1 && atoi(argv[1]) != threads) continue;
                if (argc > 2 && strcmp(argv[2], nn_dtype_name(types[t])) != 0) continue;
                if (argc > 3 && atoi(argv[3]) != places[p]) continue;
                row(threads, types[t], places[p], batch, memory, most);
            }
    free(block);
    return 0;
}
