/* bench/bench_nanogpt.c - nanoGPT's CPU recipe on a text, to the end: the work of
   bench/bench_nanogpt.py.

     bench_nanogpt text [steps [threads [seed [profile | bf16 | f16]]]]
   Default: 2,000 steps, a thread for each core, seed 1337, f32; bf16 and f16 train in a region of
   nn_autocast_begin. The first nine tenths of the text are learnt; the losses are those of the first tenth, which is in the training data, and of the last
   one, which is not. Prints the milliseconds of a step (minimum, median, all in all), and both
   losses; with `profile` also where the time goes. Last come the losses of the same weights, stored
   in 8 and 4 bits. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#include "nn_more.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nanogpt.h"

static uint64_t now_ns(const nn_context *nn) {
    const nn_clock *clock = &nn_context_desc(nn)->clock;
    return clock->now(clock->user);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int32_t x[GPT_BATCH * GPT_CONTEXT], y[GPT_BATCH * GPT_CONTEXT];

/* Returns the mean loss over consecutive pieces of the text. */
static double loss_of(gpt *g, nn_plan *plan, const int32_t *ids, size_t count) {
    size_t batches = count / (GPT_BATCH * GPT_CONTEXT + 1);
    double sum = 0;
    for (size_t i = 0; i < batches; i++) {
        float loss = 0;
        memcpy(x, ids + i * GPT_BATCH * GPT_CONTEXT, sizeof x);
        memcpy(y, ids + i * GPT_BATCH * GPT_CONTEXT + 1, sizeof y);
        nn_upload(plan, g->ids, x, sizeof x);
        nn_upload(plan, g->labels, y, sizeof y);
        nn_run(plan);
        nn_download(plan, g->loss, &loss, sizeof loss);
        sum += (double)loss / (double)batches;
    }
    return sum;
}

typedef struct stored {
    char *bytes;
    size_t size;
} stored;

static void collect(void *user, const char *text, size_t length) {
    stored *s = (stored *)user;
    s->bytes = (char *)realloc(s->bytes, s->size + length);
    memcpy(s->bytes + s->size, text, length);
    s->size += length;
}

/* Prints the losses of new text with the weights of a trained net in fewer bits. */
static void print_stored(nn_context *nn, const gpt *trained, int vocabulary, const int32_t *places,
                         const int32_t *ids, size_t count) {
    static const int bits[] = {8, 4, 4};
    stored s = {NULL, 0};
    nn_save_weights_to(trained->net, (nn_writer){collect, &s});
    for (int i = 0; i < 3; i++) {
        gpt_bits = bits[i];
        gpt_minimums = i == 2;
        gpt g = gpt_describe(nn, vocabulary, 1);
        nn_load_weights_from(g.net, s.bytes, s.size, NULL);
        nn_plan *test = nn_make_plan(g.net, &(nn_plan_desc){.outputs = NN_NODES(g.loss),
                                                            .batch = GPT_BATCH,
                                                            .time = GPT_CONTEXT});
        nn_upload(test, g.places, places, sizeof *places * GPT_CONTEXT);
        printf("          weights of %d bits%s: loss of new text %.4f\n", bits[i],
               i == 2 ? " with minimums" : "", loss_of(&g, test, ids, count));
    }
    free(s.bytes);
}

int main(int argc, char **argv) {
    int steps = argc > 2 ? atoi(argv[2]) : 2000, vocabulary;
    uint64_t seed = argc > 4 ? (uint64_t)atoi(argv[4]) : 1337;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    unsigned char *text = malloc(1 << 22);
    int32_t *ids = malloc(sizeof *ids << 22), places[GPT_CONTEXT];
    double *times = malloc(sizeof *times * (size_t)(steps + 1)), sum = 0;
    size_t bytes = file && text ? fread(text, 1, 1 << 22, file) : 0, learnt = bytes * 9 / 10;
    nn_context *nn = nn_open(&(nn_desc){.threads = argc > 3 ? atoi(argv[3]) : 0});
    nn_plan *plan, *test;
    nn_trainer *trainer;
    gpt g;
    if (file) fclose(file);
    if (bytes < 10000 || !ids || !times || steps < 1) {
        printf("bench_nanogpt: give a text of 10,000 bytes or more\n");
        return 1;
    }
    const char *how = argc > 5 ? argv[5] : "";
    gpt_autocast = strcmp(how, "bf16") == 0  ? NN_BF16
                   : strcmp(how, "f16") == 0 ? NN_F16
                                             : NN_DTYPE_DEFAULT;
    vocabulary = gpt_encode(text, bytes, ids);
    g = gpt_describe(nn, vocabulary, seed);
    trainer = gpt_train(&g, steps);
    plan = nn_trainer_plan(trainer);
    test = nn_make_plan(g.net, &(nn_plan_desc){.outputs = NN_NODES(g.loss),
                                               .batch = GPT_BATCH,
                                               .time = GPT_CONTEXT});
    for (int32_t i = 0; i < GPT_CONTEXT; i++) places[i] = i;
    nn_upload(plan, g.places, places, sizeof places);
    nn_upload(test, g.places, places, sizeof places);
    if (strcmp(how, "profile") == 0) nn_start_profile(plan);
    for (int step = 0; step < steps && !nn_error(nn); step++) {
        uint64_t start = now_ns(nn);
        gpt_batch(ids, learnt, seed, (uint64_t)step, x, y);
        nn_upload(plan, g.ids, x, sizeof x);
        nn_upload(plan, g.labels, y, sizeof y);
        nn_train_on_inputs(trainer);
        times[step] = (double)(now_ns(nn) - start) / 1e6;
        sum += times[step];
    }
    if (strcmp(how, "profile") == 0) nn_write_profile(plan, (nn_writer){nn_write_stdout, NULL});
    qsort(times, (size_t)steps, sizeof *times, compare);
    printf("nn.h      step minimum %.2f median %.2f ms, all %.1f s; loss %.3f, of new text %.4f\n",
           times[0], times[steps / 2], sum / 1e3, loss_of(&g, test, ids, bytes - learnt),
           loss_of(&g, test, ids + learnt, bytes - learnt));
    gpt_autocast = NN_DTYPE_DEFAULT;
    print_stored(nn, &g, vocabulary, places, ids + learnt, bytes - learnt);
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    nn_close(nn);
    free(text);
    free(ids);
    free(times);
    return 0;
}
