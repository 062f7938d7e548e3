/* 11_resume.c - training that can be stopped at any moment. Ctrl-C saves and ends; the same command
   continues with the next batch, as if nothing had happened. If the program is killed, at most 50
   steps are lost. The learning rate warms up, then falls in a cosine.
   Run:    cc -O2 11_resume.c -o resume -lm -lpthread && ./resume     (Ctrl-C, then ./resume again;
           ./resume 3: stops by itself after 3 reports)
   Prints: whether it continues, a line for every epoch, and at the end how well it learned; or how
   to continue. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 4000, EPOCHS = 20, BATCH = 40 };
static const char *const FILE_NAME = "resume.checkpoint";

static volatile sig_atomic_t stopped; /* a signal handler may do no more than set this */
static void on_interrupt(int signal_number) {
    (void)signal_number;
    stopped = 1;
}

/* Called at every report: false ends nn_fit after the step, with a checkpoint. */
static bool go_on(void *user, const nn_progress *progress) {
    int *reports_left = (int *)user;
    (void)progress;
    if (*reports_left > 0 && --*reports_left == 0) stopped = 1;
    return !stopped;
}

/* Draws two spirals, one of each class, that wind around each other. */
static void draw(float (*points)[2], int32_t *labels) {
    uint32_t words[4];
    for (int i = 0; i < POINTS; i++) {
        nn_random_words(1, 0, (uint64_t)i, words);
        float turn = 6.0f * sqrtf(nn_word_to_uniform(words[0])),
              noise = 0.2f * (nn_word_to_uniform(words[1]) - 0.5f);
        labels[i] = i % 2;
        points[i][0] = (turn + noise) / 6.0f * cosf(turn + 3.1416f * (float)(i % 2));
        points[i][1] = (turn + noise) / 6.0f * sinf(turn + 3.1416f * (float)(i % 2));
    }
}

int main(int argc, char **argv) {
    static float   points[POINTS][2];
    static int32_t labels[POINTS];
    int            reports_left = argc > 1 ? atoi(argv[1]) : 0;
    nn_progress    last = {0};
    signal(SIGINT, on_interrupt);
    draw(points, labels);

    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model   *net = nn_make_model(nn, &(nn_model_desc){.name = "spirals", .seed = 1});
    nn_node    *point = nn_input(net, "point", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node    *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_relu(net, nn_linear(net, "fc1", point, &(nn_linear_desc){.out_features = 64}));
    x = nn_relu(net, nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 64}));
    nn_node *logits = nn_linear(net, "fc3", x, &(nn_linear_desc){.out_features = 2});

    nn_dataset *spirals = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = POINTS,
                .fields = NN_FIELDS({.name = "point", .shape = NN_SHAPE(2), .data = points},
                                    {.name = "label", .dtype = NN_I32, .data = labels})});
    nn_loader *loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = spirals, .batch = BATCH, .shuffle = true});
    nn_trainer *trainer = nn_make_trainer(
        net, nn_cross_entropy(net, logits, label, NULL),
        &(nn_trainer_desc){.batch = BATCH,
                           .optimizer = NN_ADAM,
                           .learning_rate = 0.01f,
                           .schedule = {.kind = NN_SCHEDULE_COSINE,
                                        .steps = EPOCHS * POINTS / BATCH - 100,
                                        .warmup = 100},
                           .metrics = NN_NODES(nn_accuracy(net, logits, label))});

    printf("%s %s\n", nn_has_checkpoint(nn, FILE_NAME) ? "continues from" : "begins; there is no",
           FILE_NAME);
    nn_result result =
        nn_fit(trainer, loader,
               &(nn_fit_desc){.epochs = EPOCHS,
                              .report_every = 10,
                              .progress = true,
                              .writer.function = nn_write_stdout,
                              .callback = go_on,
                              .user = &reports_left,
                              .last = &last,
                              .checkpoint = {.path = FILE_NAME, .every = 50, .resume = true}});
    if (result == NN_CANCELLED) {
        printf("stopped in epoch %d after step %d; run it again to continue\n", (int)last.epoch,
               (int)nn_trainer_step(trainer));
    } else if (result == NN_OK) {
        printf("done after step %d: loss %.6f, %.1f %% right\n", (int)nn_trainer_step(trainer),
               last.train.loss, 100 * last.train.metrics[0]);
        remove(FILE_NAME);
    }
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
