/* test_schedules.c - learning rates of 60 steps compared with PyTorch's schedulers
   (tests/golden/schedules.py): by nn_scheduled_rate, by a trainer that steps, and by one that
   resumes from a checkpoint. Errors name the mistake in a schedule. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "memory_files.h"
#include "sim_device.h"
#include "inside.h"
#include "test.h"

#include "golden/schedules.h"
#include "lists.h"

enum { SCHEDULES = sizeof golden_schedules / sizeof golden_schedules[0], STEPS = 60 };

/* Allows 4 ulp of a float, because PyTorch computes in double. */
static void compare(int k, int step, const char *how, double rate) {
    double wanted = golden_schedules[k].rate[step];
    if (test_wrong(fabs(rate - wanted) > 4 * 1.2e-7 * (double)golden_schedules[k].learning_rate))
        test_fail(__FILE__, __LINE__, "schedule %d, step %d (%s): the rate is %.9g, PyTorch's %.9g",
                  k, step, how, rate, wanted);
}

static void rates_are_pytorchs(void) {
    for (int k = 0; k < SCHEDULES; k++)
        for (int step = 0; step < STEPS; step++)
            compare(k, step, "nn_scheduled_rate",
                    (double)nn_scheduled_rate(&golden_schedules[k].schedule,
                                              golden_schedules[k].learning_rate, step));
}

/* SGD subtracts the rate of each step from a parameter whose gradient is 1. */
static void trainers_step_with_them(void) {
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < SCHEDULES; k++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *w = nn_parameter(net, "w", NN_SHAPE(1), 0, 0);
        nn_trainer_desc desc = {.schedule = golden_schedules[k].schedule,
                                .learning_rate = golden_schedules[k].learning_rate};
        nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, w), &desc);
        float *value = (float *)nn_tensor_data(nn_find_tensor(net, "w"));
        ENSURE(trainer && value);
        for (int step = 0; step < STEPS; step++) {
            compare(k, step, "nn_learning_rate", (double)nn_learning_rate(trainer));
            value[0] = 0;
            nn_train_on_inputs(trainer);
            compare(k, step, "a step", -(double)value[0]);
        }
        if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_free_model(net);
    }
    nn_close(nn);
}

static nn_trainer *make(nn_context *nn, const nn_schedule *schedule, float rate, nn_model **made) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *w = nn_parameter(net, "w", NN_SHAPE(1), 0, 0);
    nn_trainer_desc desc = {.learning_rate = rate};
    if (schedule) desc.schedule = *schedule;
    if (made) *made = net;
    return nn_make_trainer(net, nn_sum(net, w), &desc);
}

/* The file has the schedule, but not its function, which the trainer must have. */
static void checkpoints_keep_them(void) {
    static memory_disk disk;
    nn_desc open = {.files = memory_files(&disk)};
    nn_context *nn = nn_open(&open);
    for (int k = 0; k < SCHEDULES; k++) {
        const nn_schedule *schedule = &golden_schedules[k].schedule;
        nn_trainer *first = make(nn, schedule, golden_schedules[k].learning_rate, NULL);
        nn_trainer *second = make(nn, schedule->function ? schedule : NULL, 1.0f, NULL);
        for (int step = 0; step < 17; step++) ENSURE(nn_train_on_inputs(first) == NN_OK);
        ENSURE(nn_save_checkpoint(first, "a", NULL) == NN_OK);
        ENSURE(nn_load_checkpoint(second, "a", NULL) == NN_OK);
        for (int step = 17; step < STEPS; step++) {
            compare(k, step, "after a checkpoint", (double)nn_learning_rate(second));
            ENSURE(nn_train_on_inputs(second) == NN_OK);
        }
        if (schedule->function) {
            nn_trainer *third = make(nn, NULL, 1.0f, NULL);
            ENSURE(nn_load_checkpoint(third, "a", NULL) < 0 && strstr(nn_error(nn), ".function"));
            ENSURE(nn_trainer_step(third) == 0 && nn_learning_rate(third) == 1.0f);
            nn_clear_error(nn);
        }
        if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "schedule %d: %s", k, nn_error(nn));
    }
    nn_close(nn);
    memory_free(&disk);
}

/* Tests more milestones than the 8 that older files have, in a list that does not outlive the call.
   */
static void many_milestones(void) {
    static memory_disk disk;
    nn_desc open = {.files = memory_files(&disk)};
    nn_context *nn = nn_open(&open);
    int64_t steps[64];
    for (int i = 0; i < 64; i++) steps[i] = i < 63 ? 2 * i + 1 : INT64_MAX;
    const nn_schedule schedule = {.kind = NN_SCHEDULE_MULTI_STEP, .gamma = 0.5f,
                                  .milestones = {steps, 64}};
    nn_trainer *first = make(nn, &schedule, 1.0f, NULL), *second = make(nn, NULL, 1.0f, NULL);
    memset(steps, 0, sizeof steps);
    for (int step = 0; step < 20; step++) {
        ENSURE(nn_learning_rate(first) == ldexpf(1.0f, -((step + 1) / 2)));
        ENSURE(nn_train_on_inputs(first) == NN_OK);
    }
    ENSURE(nn_save_checkpoint(first, "m", NULL) == NN_OK);
    ENSURE(nn_load_checkpoint(second, "m", NULL) == NN_OK);
    for (int step = 20; step < 126; step++) {
        ENSURE(nn_learning_rate(second) == ldexpf(1.0f, -((step + 1) / 2)));
        ENSURE(nn_train_on_inputs(second) == NN_OK);
    }
    ENSURE(nn_set_schedule(second, NULL) == NN_OK && nn_learning_rate(second) == 1.0f);
    nn_close(nn);
    memory_free(&disk);
}

static float no_rate(void *user, float base, int64_t step) {
    return step == 1 ? *(float *)user : base;
}

static void what_is_wrong_is_named(void) {
    float bad[3] = {-1.0f, NAN, INFINITY};
    int64_t many[65] = {1};
    const struct {
        nn_schedule schedule;
        const char *says;
    } wrong[] = {
        {{.kind = (nn_schedule_kind)10}, "schedule.kind is 10"},
        {{.kind = NN_SCHEDULE_ONE_CYCLE}, "schedule.steps is 0"},
        {{.kind = NN_SCHEDULE_COSINE_RESTARTS}, "schedule.steps is 0"},
        {{.kind = NN_SCHEDULE_LINEAR, .steps = -1}, "schedule.steps is -1"},
        {{.kind = NN_SCHEDULE_MULTI_STEP}, "schedule.milestones has 0 numbers"},
        {{.kind = NN_SCHEDULE_MULTI_STEP, .milestones = NN_INTEGERS(-4)},
         "schedule.milestones[0] is -4"},
        {{.milestones = {NULL, 3}}, "schedule.milestones"},
        {{.kind = NN_SCHEDULE_MULTI_STEP, .milestones = {many, 65}},
         "schedule.milestones has 65 numbers"},
        {{.kind = NN_SCHEDULE_COSINE_RESTARTS, .steps = 3, .steps_factor = -2},
         "schedule.steps_factor is -2"},
        {{.kind = NN_SCHEDULE_EXPONENTIAL}, "schedule.gamma is 0"},
        {{.kind = NN_SCHEDULE_FUNCTION}, "schedule.function is NULL"},
        {{.kind = NN_SCHEDULE_POLYNOMIAL, .power = -2.0f}, ".power -2"},
        {{.kind = NN_SCHEDULE_ONE_CYCLE, .steps = 9, .pct_start = 1.5f}, ".pct_start 1.5"},
        {{.kind = NN_SCHEDULE_ONE_CYCLE, .steps = 9, .div_factor = NN_NONE}, ".div_factor"},
    };
    nn_context *nn = nn_open(NULL);
    nn_trainer *trainer = make(nn, NULL, 0.5f, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ENSURE(nn_set_schedule(trainer, &wrong[i].schedule) == NN_ERROR_ARGUMENT);
        if (test_wrong(!nn_error(nn) || !strstr(nn_error(nn), wrong[i].says)))
            test_fail(__FILE__, __LINE__, "%d: wanted \"%s\", the error is \"%s\"", (int)i,
                      wrong[i].says, nn_error(nn) ? nn_error(nn) : "");
        ENSURE(nn_learning_rate(trainer) == 0.5f);
        nn_clear_error(nn);
    }
    for (int i = 0; i < 3; i++) { /* A rate that is not a number updates nothing. */
        nn_schedule schedule = {.kind = NN_SCHEDULE_FUNCTION, .function = no_rate, .user = &bad[i]};
        nn_model *net;
        nn_trainer *steps = make(nn, &schedule, 0.5f, &net);
        const float *w = (const float *)nn_tensor_data(nn_find_tensor(net, "w"));
        float before;
        ENSURE(nn_train_on_inputs(steps) == NN_OK);
        before = w[0];
        ENSURE(nn_train_on_inputs(steps) == NN_ERROR_ARGUMENT && w[0] == before);
        ENSURE(strstr(nn_error(nn), "schedule.function returned") && nn_trainer_step(steps) == 1);
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* Tests cases to which PyTorch has no answer: steps after the last one of a cycle, a rise of no
   length, and lengths beyond int64. */
static void they_end(void) {
    nn_schedule cycle = {.kind = NN_SCHEDULE_ONE_CYCLE, .steps = 8, .pct_start = 0.125f};
    nn_schedule again = {.kind = NN_SCHEDULE_COSINE_RESTARTS, .steps = 7, .steps_factor = 9};
    ENSURE(nn_scheduled_rate(&cycle, 1.0f, 0) == 1.0f);
    ENSURE_CLOSE(nn_scheduled_rate(&cycle, 1.0f, 7), 1.0 / 25 / 1e4, 1e-12);
    ENSURE_CLOSE(nn_scheduled_rate(&cycle, 1.0f, INT64_MAX), 1.0 / 25 / 1e4, 1e-12);
    ENSURE(nn_scheduled_rate(&again, 1.0f, 7) == 1.0f);
    ENSURE(nn_scheduled_rate(&again, 1.0f, INT64_MAX) >= 0.0f);
}

/* ---- the loss of epochs ---------------------------------------------------------------------- */

static void plateaus_are_pytorchs(void) {
    for (size_t k = 0; k < sizeof golden_plateaus / sizeof golden_plateaus[0]; k++) {
        nn_progress progress;
        float rate = 0.5f;
        memset(&progress, 0, sizeof progress);
        for (int i = 0; i < STEPS; i++) {
            const double wanted = golden_plateaus[k].rate[i];
            rate = nn__plateau_rate(&golden_plateaus[k].plateau, &progress, i == 0,
                                    golden_losses[i], rate);
            if (test_wrong(fabs((double)rate - wanted) > 1e-6 * wanted))
                test_fail(__FILE__, __LINE__, "plateau %d, epoch %d: the rate is %.9g, not %.9g",
                          (int)k, i, (double)rate, wanted);
        }
    }
}

/* A run with one step an epoch, in which w falls by the rate, and validation losses are given. */
typedef struct fitted {
    nn_context *nn;
    nn_trainer *trainer;
    nn_tensor *w;
    float x, y[2], losses[12], seen[13]; /* seen: w after each epoch */
    int32_t cancel;
    nn_progress last;
} fitted;

static bool next_loss(void *user, const nn_progress *progress) {
    fitted *run = (fitted *)user;
    if (!progress->epoch_ended) return true;
    if (test_wrong(progress->validation.loss != (double)run->x))
        test_fail(__FILE__, __LINE__, "the validation loss is %g", progress->validation.loss);
    run->seen[progress->epoch] = *(float *)nn_tensor_data(run->w);
    run->x = run->losses[progress->epoch % 12];
    return progress->epoch != run->cancel;
}

static nn_loader *one_sample(nn_context *nn, const float *x, const float *y) {
    nn_dataset_desc data = {.count = 1};
    nn_loader_desc desc = {.batch = 1};
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).data = x;
    FIELD_AT(data.fields, 1).name = "y";
    FIELD_AT(data.fields, 1).data = y;
    desc.dataset = nn_make_dataset(nn, &data);
    return nn_make_loader(nn, &desc);
}

static nn_result fit(fitted *run, memory_disk *disk, nn_fit_desc *desc, int32_t at) {
    static const float losses[12] = {4, 3, 2, 2.5f, 2.4f, 2.3f, 2, 1.99f, 3, 3, 3, 3};
    nn_desc open = {.files = memory_files(disk)};
    nn_trainer_desc train = {.learning_rate = 0.5f};
    nn_loader *loader, *validation;
    nn_model *net;
    nn_node *x, *y, *w;
    memset(run, 0, sizeof *run);
    memcpy(run->losses, losses, sizeof losses);
    run->x = losses[at];
    run->y[0] = 1;
    run->nn = nn_open(&open);
    net = nn_make_model(run->nn, NULL);
    x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH));
    y = nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH));
    w = nn_parameter(net, "w", NN_SHAPE(1), 0, 0);
    run->trainer =
        nn_make_trainer(net, nn_mean(net, nn_add(net, x, nn_multiply(net, y, w))), &train);
    run->w = nn_find_tensor(net, "w");
    loader = one_sample(run->nn, &run->y[1], &run->y[0]);
    validation = one_sample(run->nn, &run->x, &run->y[1]);
    desc->validation = validation;
    desc->callback = next_loss;
    desc->user = run;
    desc->last = &run->last;
    return nn_fit(run->trainer, loader, desc);
}

static void fits_watch_the_loss(void) {
    static memory_disk disk;
    nn_fit_desc desc = {.epochs = 12};
    fitted whole, part;
    desc.plateau.on = true;
    desc.plateau.patience = 1;
    desc.plateau.factor = 0.5f;
    desc.stop.patience = 4;
    desc.stop.min_delta = 0.125f;
    ENSURE(fit(&whole, &disk, &desc, 0) == NN_OK);
    ENSURE(whole.last.stopped && whole.last.epoch == 7 && whole.last.best_epoch == 3);
    ENSURE(nn_learning_rate(whole.trainer) == 0.125f && nn_trainer_step(whole.trainer) == 7);
    desc.checkpoint.path = "a";
    desc.checkpoint.best = desc.checkpoint.resume = true;
    for (int32_t at = 1; at < 8; at++) { /* stopped after each epoch, and resumed */
        desc.callback = next_loss;
        memory_free(&disk);
        memset(&disk, 0, sizeof disk);
        desc.stop.patience = 0; /* The first half may run without the second one's stop. */
        if (at > 2) desc.stop.patience = 4;
        desc.epochs = at;
        ENSURE(fit(&part, &disk, &desc, 0) == NN_OK);
        nn_close(part.nn);
        desc.epochs = 12;
        desc.stop.patience = 4;
        ENSURE(fit(&part, &disk, &desc, at) == NN_OK && !nn_error(part.nn));
        ENSURE(part.last.stopped && part.last.epoch == 7);
        ENSURE(nn_learning_rate(part.trainer) == 0.125f && nn_trainer_step(part.trainer) == 7);
        ENSURE(*(float *)nn_tensor_data(part.w) == whole.seen[7]);
        nn_close(part.nn);
    }
    /* With more patience the run continues. At its end the whole trainer is as it was after the
       best epoch. */
    desc.stop.patience = 20;
    desc.stop.restore_best = true;
    ENSURE(fit(&part, &disk, &desc, 7) == NN_OK && !part.last.stopped && part.last.epoch == 12);
    ENSURE(part.last.best_epoch == 8 && nn_trainer_step(part.trainer) == 8);
    ENSURE(*(float *)nn_tensor_data(part.w) == part.seen[8] && !nn_error(part.nn));
    nn_close(part.nn);
    nn_close(whole.nn);
    memory_free(&disk);
    /* Without a file, copies in memory bring back the best epoch. */
    memset(&desc, 0, sizeof desc);
    desc.epochs = 12;
    for (int32_t patience = 0; patience < 3; patience += 2) {
        desc.stop.patience = patience;
        desc.stop.restore_best = true;
        ENSURE(fit(&part, &disk, &desc, 0) == NN_OK && !nn_error(part.nn));
        ENSURE(part.last.epoch == (patience ? 5 : 12) && part.last.stopped == (patience > 0));
        const int32_t best = part.last.best_epoch;
        ENSURE(best == (patience ? 3 : 8) && nn_trainer_step(part.trainer) == best);
        ENSURE(*(float *)nn_tensor_data(part.w) == part.seen[best]);
        nn_close(part.nn);
    }
}

static void what_is_wrong_in_a_fit_is_named(void) {
    static memory_disk disk;
    const char *const says[] = {"plateau.factor", "plateau.patience", "plateau.threshold",
                                "stop.patience", "stop.restore_best"};
    for (int i = 0; i < 5; i++) {
        nn_fit_desc desc = {.epochs = 1};
        fitted run;
        if (i == 0) desc.plateau.factor = 1.0f;
        if (i == 1) desc.plateau.patience = -2;
        if (i == 2) desc.plateau.min_rate = NAN;
        if (i == 3) desc.stop.min_delta = -0.5f;
        if (i == 4) desc.stop.restore_best = true, desc.checkpoint.path = "a";
        ENSURE(fit(&run, &disk, &desc, 0) == NN_ERROR_ARGUMENT &&
               strstr(nn_error(run.nn), says[i]));
        ENSURE(nn_trainer_step(run.trainer) == 0);
        nn_close(run.nn);
    }
    memory_free(&disk);
}

/* ---- averages -------------------------------------------------------------------------------- */

static nn_trainer *averaging(nn_context *nn, nn_average_desc average, bool gradients,
                             nn_tensor **w) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *v = nn_parameter(net, "w", NN_SHAPE(3), 0, 0);
    nn_trainer_desc desc = {.learning_rate = 0.25f, .average = average, .gradients = gradients};
    nn_trainer *trainer;
    desc.momentum = 0.5f;
    trainer = nn_make_trainer(net, nn_sum(net, nn_multiply(net, v, v)), &desc);
    *w = nn_find_tensor(net, "w");
    for (int i = 0; trainer && i < 3; i++) ((float *)nn_tensor_data(*w))[i] = (float)(i + 1);
    return trainer;
}

/* Compares with swa_utils' formulas in double: every kind of step, with a checkpoint in between. */
static void averages_are_pytorchs(void) {
    static memory_disk disk;
    const nn_average_desc kinds[] = {{.kind = NN_AVERAGE_EMA},
                                     {.kind = NN_AVERAGE_EMA, .decay = 0.75f, .start = 2},
                                     {.kind = NN_AVERAGE_EMA, .decay = NN_NONE},
                                     {.kind = NN_AVERAGE_SWA},
                                     {.kind = NN_AVERAGE_SWA, .start = 3, .every = 2}};
    nn_desc open = {.files = memory_files(&disk)};
    nn_context *nn = nn_open(&open);
    for (int k = 0; k < 10; k++) {
        const nn_average_desc *desc = &kinds[k / 2];
        const double decay = desc->decay == 0 ? 0.999 : desc->decay < 0 ? 0 : desc->decay;
        const int every = desc->every ? desc->every : 1;
        nn_tensor *w;
        nn_trainer *trainer = averaging(nn, *desc, k % 2, &w);
        double mean[3] = {0, 0, 0};
        int times = 0;
        ENSURE(trainer && nn_swap_average(trainer) == NN_ERROR_ARGUMENT);
        ENSURE(strstr(nn_error(nn), "nothing was averaged"));
        nn_clear_error(nn);
        for (int step = 1; step <= 12; step++) {
            const float *now = (const float *)nn_tensor_data(w);
            float kept[3];
            ENSURE(nn_train_on_inputs(trainer) == NN_OK);
            if (step > desc->start && (step - desc->start) % every == 0) {
                for (int i = 0; i < 3; i++) {
                    const double v = (double)now[i];
                    if (times == 0)
                        mean[i] = v;
                    else if (desc->kind == NN_AVERAGE_EMA)
                        mean[i] = decay * mean[i] + (1 - decay) * v;
                    else
                        mean[i] += (v - mean[i]) / (times + 1);
                }
                times++;
            }
            if (step == 7) { /* continues in another trainer */
                nn_trainer *next = averaging(nn, *desc, k % 2, &w);
                ENSURE(nn_save_checkpoint(trainer, "a", NULL) == NN_OK);
                ENSURE(nn_load_checkpoint(next, "a", NULL) == NN_OK);
                trainer = next;
                now = (const float *)nn_tensor_data(w);
            }
            if (times == 0) continue;
            memcpy(kept, now, sizeof kept);
            ENSURE(nn_swap_average(trainer) == NN_OK);
            for (int i = 0; i < 3; i++) ENSURE_CLOSE(now[i], mean[i], 1e-6 * (i + 1));
            if (step == 9) { /* Every mistake between the two calls is found. */
                ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_ARGUMENT &&
                       nn_trainer_step(trainer) == 9);
                ENSURE(nn_save_checkpoint(trainer, "b", NULL) == NN_ERROR_ARGUMENT);
                ENSURE(nn_load_checkpoint(trainer, "a", NULL) == NN_ERROR_ARGUMENT);
                ENSURE(strstr(nn_error(nn), "hold their average"));
                nn_clear_error(nn);
            }
            ENSURE(nn_swap_average(trainer) == NN_OK && memcmp(now, kept, sizeof kept) == 0);
        }
        if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "average %d: %s", k, nn_error(nn));
    }
    { /* A file without an average begins a new one; wrong numbers are named. */
        nn_tensor *w;
        nn_average_desc none = {.kind = NN_AVERAGE_NONE}, bad = {.kind = NN_AVERAGE_EMA};
        nn_trainer *first = averaging(nn, none, false, &w), *next = averaging(nn, bad, false, &w);
        ENSURE(nn_swap_average(first) == NN_ERROR_ARGUMENT && nn_train_on_inputs(first) == NN_OK);
        ENSURE(nn_train_on_inputs(next) == NN_OK && nn_save_checkpoint(first, "a", NULL) == NN_OK);
        nn_clear_error(nn);
        ENSURE(nn_load_checkpoint(next, "a", NULL) == NN_OK);
        ENSURE(nn_swap_average(next) == NN_ERROR_ARGUMENT && nn_train_on_inputs(next) == NN_OK);
        bad.decay = 1.5f;
        nn_clear_error(nn);
        ENSURE(!averaging(nn, bad, false, &w) && strstr(nn_error(nn), ".decay 1.5"));
    }
    nn_close(nn);
    memory_free(&disk);
}

/* The average moves with the trainer, also while it stands in the parameters' place, and is updated
   on a device with a queue that the host cannot reach. */
static void averages_move(void) {
    const nn_average_desc average = {.kind = NN_AVERAGE_EMA, .decay = 0.5f};
    nn_context *nn = nn_open(NULL);
    sim_desc desc;
    nn_device device;
    sim_device *sim;
    nn_tensor *a, *b;
    nn_trainer *stays = averaging(nn, average, false, &a);
    nn_trainer *moves = averaging(nn, average, false, &b);
    float here[3], there[3];
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    sim = sim_open(nn, &desc, &device);
    for (int i = 0; i < 3; i++)
        ENSURE(nn_train_on_inputs(stays) == NN_OK && nn_train_on_inputs(moves) == NN_OK);
    ENSURE(nn_move_trainer(moves, device) == NN_OK);
    for (int i = 0; i < 3; i++)
        ENSURE(nn_train_on_inputs(stays) == NN_OK && nn_train_on_inputs(moves) == NN_OK);
    ENSURE(nn_swap_average(stays) == NN_OK && nn_swap_average(moves) == NN_OK);
    ENSURE(nn_download_tensor(a, here, sizeof here) == NN_OK);
    ENSURE(nn_download_tensor(b, there, sizeof there) == NN_OK);
    for (int i = 0; i < 3; i++) ENSURE_CLOSE(there[i], here[i], 1e-6);
    ENSURE(nn_move_trainer(moves, nn_cpu()) == NN_OK &&
           nn_train_on_inputs(moves) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_swap_average(stays) == NN_OK && nn_swap_average(moves) == NN_OK);
    ENSURE(nn_train_on_inputs(stays) == NN_OK && nn_train_on_inputs(moves) == NN_OK);
    ENSURE(nn_download_tensor(a, here, sizeof here) == NN_OK);
    ENSURE(nn_download_tensor(b, there, sizeof there) == NN_OK);
    for (int i = 0; i < 3; i++) ENSURE_CLOSE(there[i], here[i], 1e-6);
    if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(rates_are_pytorchs);
    RUN(trainers_step_with_them);
    RUN(checkpoints_keep_them);
    RUN(many_milestones);
    RUN(what_is_wrong_is_named);
    RUN(they_end);
    RUN(plateaus_are_pytorchs);
    RUN(fits_watch_the_loss);
    RUN(what_is_wrong_in_a_fit_is_named);
    RUN(averages_are_pytorchs);
    RUN(averages_move);
    return test_report();
}
