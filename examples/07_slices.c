/* 07_slices.c - a game loop of 60 frames a second gives the net 1 ms of each frame to learn and to
   predict, and its own memory and job system instead of malloc and threads. The net learns to
   predict where a moving target will be.
   Run:    cc -O2 07_slices.c -o slices -lm && ./slices
   Prints: every 60 frames the steps finished, the loss, and the mean and worst time that the net
           took in a frame; at the end how much of its one block of memory it used. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCH = 256, HIDDEN = 512, BUDGET = 1000 }; /* microseconds of a frame of 16,667 */

/* The game's job system. This stub does the items itself, the last first; order and threads do
   not matter. */
static void run_jobs(void *user, int count, void (*item)(void *data, int i), void *data) {
    int *jobs = user;
    *jobs += count;
    while (count-- > 0) item(data, count);
}

/* What the game has seen: position and velocity of the target now, its position a moment later. */
static void observe(uint64_t batch, float seen[BATCH][4], float later[BATCH][2]) {
    for (int n = 0; n < BATCH; n++) {
        uint32_t words[4];
        nn_random_words(5, batch, (uint64_t)n, words);
        for (int i = 0; i < 4; i++) seen[n][i] = 2.0f * nn_word_to_uniform(words[i]) - 1.0f;
        for (int i = 0; i < 2; i++) {
            float at = seen[n][i] + seen[n][i + 2];
            /* it bounces off the walls */
            later[n][i] = at > 1.0f ? 2.0f - at : at < -1.0f ? -2.0f - at : at;
        }
    }
}

int main(void) {
    static unsigned char block[24 << 20]; /* all memory of the library; it calls malloc nowhere */
    static float         seen[BATCH][4], later[BATCH][2];
    int                  jobs = 0, frames = getenv("NN_SHORT") ? 60 : 600;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr,
                                        .block = block, .block_bytes = sizeof block,
                                        .jobs = {.run = run_jobs, .workers = 4, .user = &jobs}});
    nn_model   *net = nn_make_model(nn, &(nn_model_desc){.name = "aim", .seed = 1});
    nn_node    *now = nn_input(net, "now", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *then = nn_input(net, "then", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *x =
        nn_relu(net, nn_linear(net, "fc1", now, &(nn_linear_desc){.out_features = HIDDEN}));
    x = nn_relu(net, nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = HIDDEN}));
    nn_node    *guess = nn_linear(net, "fc3", x, &(nn_linear_desc){.out_features = 2});
    nn_node    *error = nn_mse_loss(net, guess, then, NULL);
    nn_trainer *trainer = nn_make_trainer(
        net, error,
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 2e-3f});
    nn_plan *learn = nn_trainer_plan(trainer);
    nn_plan *think = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(guess), .batch = 1});
    nn_memory_use before = nn_context_memory(nn);

    bool   learning = false;
    double spent = 0, worst = 0;
    for (int frame = 1; frame <= frames && !nn_error(nn); frame++) {
        /* ... input, physics, drawing: the other 15 ms ... */
        clock_t start = clock(); /* processor time; this program has one thread */
        if (!learning) { /* new data, between two steps only: they must not change during one */
            observe((uint64_t)nn_trainer_step(trainer), seen, later);
            nn_upload(learn, now, seen, sizeof seen);
            nn_upload(learn, then, later, sizeof later);
        }
        /* NULL: no loader, the inputs are filled above */
        learning = nn_train_step_for(trainer, NULL, BUDGET) == NN_PENDING;
        double took = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
        spent += took;
        worst = took > worst ? took : worst;
        if (frame % (frames / 10) == 0) {
            nn_report report = {0};
            while (learning) learning = nn_train_step_for(trainer, NULL, BUDGET) == NN_PENDING;
            nn_read_report(trainer, &report);
            printf("frame %3d  step %3lld  loss %.5f  mean %.2f ms  worst %.2f ms\n", frame,
                   (long long)report.step, report.loss, spent / (frames / 10), worst);
            spent = worst = 0;
        }
    }
    float target[4] = {0.6f, 0.0f, 0.8f, -0.5f}, lead[2]; /* it will bounce */
    int   slices = 1;
    nn_upload(think, now, target, sizeof target);
    while (nn_run_for(think, 10) == NN_PENDING) slices++;
    if (nn_download(think, guess, lead, sizeof lead) == NN_OK)
        printf("at (0.6, 0.0), moving (0.8, -0.5): it will be at (0.6, -0.5).\n"
               "The net says (%.2f, %.2f), thought in %d slices\n",
               (double)lead[0], (double)lead[1], slices);
    nn_memory_use after = nn_context_memory(nn);
    printf("%llu of %zu bytes of the block, %llu allocations after the plans, %d jobs\n",
           (unsigned long long)after.peak_bytes, sizeof block,
           (unsigned long long)(after.calls - before.calls), jobs);
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
