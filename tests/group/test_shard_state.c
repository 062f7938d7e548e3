/* tests/group/test_shard_state.c - nn_trainer_desc.shard_state with threads of this process as
   ranks. Checkpoints have the same bytes as without it, for every optimizer and any number of
   ranks; each rank needs less memory; an error on one rank is an error on all. Known mistakes of
   peers: pytorch#94210 (ZeroRedundancyOptimizer: a state that only its ranks can load),
   DeepSpeed#4295 (a checkpoint requires its number of ranks), pytorch#73134 (frozen parameters
   break the dealing). */
#define _POSIX_C_SOURCE 200809L
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "inside.h"
#include "rank_jobs.h"
#include "lists.h"

static job sharing(void) {
    job like = usual();
    like.desc.shard_state = true;
    return like;
}

/* ---- the same bytes -------------------------------------------------------------------------- */

/* whole: with operations that need whole parameters. If there are more ranks than parameters (six),
   the last ranks update nothing. Otherwise each rank has a part of each bucket; the number of such
   ranks is a power of two. */
static void check_ranks(bool whole) {
    static const int64_t buckets[] = {0, 1, 0, 300, 1, 0, 0, 64};
    static job one;
    job like = sharing();
    like.hidden = whole ? 0 : 230; /* 2,760 numbers and more: parts of any size */
    like.desc.max_norm = whole ? 0.5f : 0.0f;
    if (whole) like.desc.average.kind = NN_AVERAGE_EMA;
    like.desc.average.decay = 0.8f;
    const uint64_t file = train_alone(&one, &like);
    ENSURE(one.result == NN_OK);
    for (int32_t size = 1; size <= RANKS; size = next_size(size)) {
        like.desc.bucket_bytes = buckets[size - 1];
        same(&like, size, one.hash, file, "ranks");
    }
    /* all ranks with memory of their own, only the last ones, two devices each */
    for (int simulated = 0; simulated <= 2; simulated++)
        for (int two = simulated == 0; two < 2; two++) {
            like.simulated = simulated;
            like.two = two != 0;
            like.desc.bucket_bytes = simulated * 64;
            same(&like, 2 + two, one.hash, file, "devices");
        }
}

static void test_ranks(void) {
    check_ranks(true);
    check_ranks(false);
}

static void test_optimizers(void) {
    static const nn_parameter_group biases[] = {{.pattern = "*.bias", .optimizer = NN_ADAMW},
                                                {.pattern = "bn.", .optimizer = NN_SGD}};
    static job one;
    for (int o = NN_SGD; o <= NN_MUON; o++) {
        job like = sharing();
        like.steps = 3;
        like.desc.optimizer = (nn_optimizer)o;
        like.desc.adam.amsgrad = o == NN_ADAMW;
        like.desc.rmsprop.centered = o == NN_RMSPROP;
        like.desc.momentum = 0.9f;
        like.desc.max_value = o == NN_ADAM ? 0.01f : 0.0f;
        if (o == NN_MUON) like.desc.groups = (nn_parameter_groups){biases, 2};
        const uint64_t file = train_alone(&one, &like);
        ENSURE(one.result == NN_OK);
        same(&like, getenv("NN_FULL") ? 2 + o % 3 : 2, one.hash, file, "optimizer");
    }
}

/* Tests frozen parameters, groups, masters of f16 and bf16 with their averages, and accumulation.
   */
static void test_what_goes_with_it(void) {
    static job one;
    for (int i = 0; i < 5; i++) {
        job like = sharing();
        if (i == 0)
            GROUP_AT(like.desc.groups, 0) =
                (nn_parameter_group){.pattern = "hidden.", .frozen = true};
        if (i == 1)
            GROUP_AT(like.desc.groups, 0) = (nn_parameter_group){
                .pattern = "*.bias", .optimizer = NN_RMSPROP, .rate_factor = 0.5f};
        if (i == 2 || i == 3) {
            like.dtype = i == 2 ? NN_F16 : NN_BF16;
            like.desc.average.kind = NN_AVERAGE_SWA;
            like.desc.average.start = 1;
        }
        if (i == 4) like.desc.accumulate = 2, like.steps = 6;
        const uint64_t file = train_alone(&one, &like);
        ENSURE(one.result == NN_OK);
        same(&like, 2, one.hash, file, "what goes with it");
        like.simulated = i % 2 + 1;
        same(&like, 3, one.hash, file, "what goes with it, on devices");
    }
}

/* Memory through which parameters travel is held only if they are not sent from their own
   memory. */
static void hold_room(job *self) {
    make_trainer(self);
    if (self->result != NN_OK) return;
    const nn__owners *owners = self->trainer->owners;
    if (owners->cut != (self->desc.max_norm == 0.0f) || owners->cut != !owners->room)
        self->result = NN_ERROR_ARGUMENT;
}

static void test_room(void) {
    static job ranks[2];
    job like = sharing();
    like.work = hold_room;
    for (int whole = 0; whole < 2; whole++) {
        like.desc.max_norm = whole ? 0.5f : 0.0f;
        run(ranks, 2, &like);
        for (int r = 0; r < 2; r++) ENSURE(ranks[r].result == NN_OK);
    }
}

/* Gradients that the program asks for cover all parameters, on every rank. */
static void by_hand(job *self) {
    float gradient[CLASSES], norm = 0.0f;
    make_trainer(self);
    make_loader(self);
    for (int i = 0; i < 2 && self->result == NN_OK; i++) {
        float part[2];
        while (!nn_next_batch(self->loader)) {}
        nn_plan *plan = nn_trainer_plan(self->trainer);
        nn_bind(plan, self->x, nn_batch_tensor(self->loader, "x"));
        nn_bind(plan, self->label, nn_batch_tensor(self->loader, "label"));
        self->result = nn_backward(self->trainer);
        if (self->result == NN_OK)
            self->result = nn_clip_gradients(self->trainer, 0.5f, &norm);
        if (self->result == NN_OK)
            self->result =
                nn_read_gradient(self->trainer, "out.bias", gradient, sizeof gradient);
        part[0] = norm;
        part[1] = gradient[1];
        hash_bytes(&self->other, part, sizeof part);
        if (self->result == NN_OK) self->result = nn_update(self->trainer);
    }
    self->hash = hash_net(self->net);
}

static void test_by_hand(void) {
    static job one, ranks[4];
    job like = sharing();
    like.work = by_hand;
    like.desc.gradients = true;
    train_alone(&one, &like);
    ENSURE(one.result == NN_OK && one.other != 0);
    run(ranks, 4, &like);
    for (int r = 0; r < 4; r++)
        if (test_wrong(ranks[r].result != NN_OK || ranks[r].hash != one.hash || ranks[r].other != one.other))
            test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
}

/* ---- checkpoints, averages, moving ----------------------------------------------------------- */

/* Four ranks that share the state save a checkpoint. Any number of ranks continues from it, sharing
   or not, and vice versa. */
static void check_resume(bool averages) {
    static const char *const kept = "build/test_shard_state.kept";
    static job whole, ranks[RANKS];
    job like = sharing();
    like.steps = 6;
    like.hidden = averages ? 0 : 230;
    if (averages) like.desc.average.kind = NN_AVERAGE_EMA; /* and parameters are dealt as wholes */
    const uint64_t file = train_alone(&whole, &like);
    for (int shares = 0; shares < 2; shares++) {
        like.steps = 4;
        like.load = NULL;
        like.desc.shard_state = shares == 1;
        run(ranks, 4, &like);
        ENSURE(ranks[3].result == NN_OK && rename(path, kept) == 0);
        like.steps = 2;
        like.load = kept;
        for (int32_t size = 1; size <= RANKS; size = next_size(size)) {
            like.desc.shard_state = shares == 0 || size != 3;
            like.simulated = size == 2 ? 2 : 0;
            same(&like, size, whole.hash, file, "resumed");
        }
    }
    remove(kept);
}

static void test_resume(void) {
    check_resume(true);
    check_resume(false);
}

static void swap(job *self) {
    nn_report report;
    make_trainer(self);
    make_loader(self);
    step(self, 3);
    if (self->result == NN_OK) self->result = nn_swap_average(self->trainer);
    self->other = hash_net(self->net);
    if (self->result == NN_OK) self->result = nn_evaluate(self->trainer, self->loader, &report);
    hash_bytes(&self->other, &report.loss, sizeof report.loss);
    if (self->result == NN_OK) self->result = nn_swap_average(self->trainer);
    self->hash = hash_net(self->net);
}

static void test_averages(void) {
    static job one, ranks[4];
    for (int i = 0; i < 3; i++) {
        job like = sharing();
        like.work = swap;
        like.dtype = i == 2 ? NN_BF16 : NN_F32;
        like.desc.average.kind = NN_AVERAGE_EMA;
        like.desc.average.decay = 0.7f;
        train_alone(&one, &like);
        ENSURE(one.result == NN_OK && one.other != one.hash);
        like.simulated = i;
        run(ranks, 4, &like);
        for (int r = 0; r < 4; r++)
            if (test_wrong(ranks[r].result != NN_OK || ranks[r].hash != one.hash ||
                ranks[r].other != one.other))
                test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
    }
}

static void move(job *self) {
    const nn_device there = self->device;
    self->device = nn_cpu();
    make_trainer(self);
    make_loader(self);
    step(self, 2);
    nn_free_loader(self->loader);
    if (self->result == NN_OK) self->result = nn_move_trainer(self->trainer, there);
    self->device = there;
    make_loader(self);
    step(self, 2);
    self->hash = hash_net(self->net);
}

static void test_moving(void) {
    static job one, ranks[3];
    job like = sharing();
    like.work = move;
    train_alone(&one, &like);
    like.simulated = 2;
    for (int size = 2; size <= 3; size++) { /* with parameters cut, and as wholes */
        run(ranks, size, &like);
        for (int r = 0; r < size; r++)
            if (test_wrong(ranks[r].result != NN_OK || ranks[r].hash != one.hash))
                test_fail(__FILE__, __LINE__, "rank %d of %d: %s", r, size, ranks[r].error);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Adam's moments take twice the bytes of the parameters. Each rank keeps the moments of its own
   parameters and needs less memory. */
static void test_memory(void) {
    static job ranks[4], whole[4];
    job like = sharing();
    like.hidden = 2000;
    like.steps = 1;
    like.desc.bucket_bytes = 4096;
    run(ranks, 4, &like);
    like.desc.shard_state = false;
    run(whole, 4, &like);
    for (int r = 0; r < 4; r++) {
        static const size_t kept[] = {71808, 71936, 71936, 72344};
        const size_t all = 288024, room = 4096, saved = whole[r].live - ranks[r].live;
        char wanted[80];
        snprintf(wanted, sizeof wanted, "this rank keeps %zu of %zu bytes", kept[r], all);
        ENSURE(ranks[r].result == NN_OK && whole[r].result == NN_OK);
        ENSURE(ranks[r].hash == whole[r].hash && whole[r].live > ranks[r].live);
        ENSURE(strstr(ranks[r].text, wanted) && !strstr(whole[r].text, "shard_state"));
        ENSURE(strstr(ranks[r].text, "parameters, and has only the gradients of these"));
        ENSURE(strstr(ranks[r].text, "each rank then gives up to 36172 bytes of them to all") &&
               !strstr(ranks[r].text, "through"));
        /* The names of moments take less memory, too. But the lists of what travels take one more
           of the arena's pieces of 4,096 bytes. */
        if (test_wrong(saved + room + 5000 < all - kept[r] || saved + room > all - kept[r] + 16000))
            test_fail(__FILE__, __LINE__, "rank %d: %zu bytes less; wanted %zu - %zu", r, saved,
                      all - kept[r], room);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void differ(job *self) {
    if (self->rank == self->odd) self->desc.shard_state = false;
    make_trainer(self);
}

/* One rank clears its gradients before the update. */
static void hurry(job *self) {
    make_trainer(self);
    make_loader(self);
    while (!nn_next_batch(self->loader)) {}
    nn_plan *plan = nn_trainer_plan(self->trainer);
    nn_bind(plan, self->x, nn_batch_tensor(self->loader, "x"));
    nn_bind(plan, self->label, nn_batch_tensor(self->loader, "label"));
    self->result = nn_backward(self->trainer);
    if (self->rank == self->odd) nn_zero_gradients(self->trainer);
    if (self->result == NN_OK) self->result = nn_update(self->trainer);
    self->hash = hash_net(self->net);
}

/* One rank cannot exchange its average. */
static void lonely(job *self) {
    make_trainer(self);
    make_loader(self);
    if (self->rank != self->odd) step(self, 0);
    self->result = nn_swap_average(self->trainer);
}

static void test_faults(void) {
    static const struct {
        void (*work)(job *self);
        nn_result result;
        const char *words;
    } cases[] = {{differ, NN_ERROR_GROUP, "rank 1: shard_state is 0; rank 0: 1"},
                 {hurry, NN_ERROR_ARGUMENT, "no nn_backward since the last update"},
                 {lonely, NN_ERROR_ARGUMENT, "nothing was averaged"}};
    static job ranks[3];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        job like = sharing();
        like.work = cases[c].work;
        like.odd = 1;
        like.desc.gradients = true;
        like.desc.average.kind = NN_AVERAGE_EMA;
        run(ranks, 3, &like);
        for (int r = 0; r < 3; r++)
            if (test_wrong(ranks[r].result != cases[c].result || !strstr(ranks[r].error, cases[c].words) ||
                ranks[r].hash != ranks[0].hash))
                test_fail(__FILE__, __LINE__, "case %d, rank %d: %d: %s", (int)c, r,
                          (int)ranks[r].result, ranks[r].error);
    }
    /* devices of one rank do not share; one rank has all */
    job like = sharing();
    like.work = make_trainer;
    like.alone = like.two = true;
    run(ranks, 1, &like);
    ENSURE(ranks[0].result == NN_ERROR_UNSUPPORTED &&
           strstr(ranks[0].error, "shard_state shares the optimizer's state between the ranks"));
    like.two = false;
    run(ranks, 1, &like);
    ENSURE(ranks[0].result == NN_OK);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

/* Counts the bytes of one step in the ledger's rows "exchange": downloads in `hash`, uploads in
   `other`. live: the number of rows that a later step adds. */
static void carry(job *self) {
    uint64_t bytes[2] = {0, 0};
    make_trainer(self);
    make_loader(self);
    step(self, 2);
    const int rows = nn_ledger_count(self->nn);
    step(self, 2);
    self->live = (size_t)(nn_ledger_count(self->nn) - rows);
    nn_reset_ledger(self->nn);
    step(self, 1);
    for (int i = 0; i < nn_ledger_count(self->nn); i++) {
        const nn_ledger_entry row = nn_ledger_at(self->nn, i);
        if (strcmp(row.tensor, "exchange") == 0)
            bytes[row.crossing == NN_CROSS_UPLOAD] += row.logical_bytes;
    }
    self->hash = bytes[0];
    self->other = bytes[1];
}

/* Besides the gradients, each rank downloads its own parameters and uploads the parameters of all
   others. Nothing else crosses, and no step adds a row of its own to the ledger. */
static void test_ledger(void) {
    /* hidden (10, 12) and 10, bn 10 and 10, out (3, 10) and 3 */
    const uint64_t parameters = sizeof(float) * (120 + 10 + 10 + 10 + 30 + 3);
    for (int32_t size = 2; size <= 3; size++) {
        static job plain[RANKS], ranks[RANKS];
        uint64_t down = 0;
        job like = sharing();
        like.work = carry;
        like.simulated = 1;
        run(ranks, size, &like);
        like.desc.shard_state = false;
        run(plain, size, &like);
        for (int32_t r = 0; r < size; r++) {
            const uint64_t own = ranks[r].hash - plain[r].hash;
            down += own;
            if (test_wrong(ranks[r].result != NN_OK || plain[r].hash == 0 || ranks[r].live != 0 ||
                ranks[r].other - plain[r].other != parameters - own))
                test_fail(__FILE__, __LINE__, "rank %d of %d: %d down, %d up, %d new rows: %s",
                          (int)r, (int)size, (int)own, (int)(ranks[r].other - plain[r].other),
                          (int)ranks[r].live, ranks[r].error);
        }
        ENSURE(down == parameters);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    if (!begin_jobs("test_shard_state")) {
        RUN(no_threads);
        return test_report();
    }
    RUN(test_ranks);
    RUN(test_optimizers);
    RUN(test_what_goes_with_it);
    RUN(test_room);
    RUN(test_by_hand);
    RUN(test_resume);
    RUN(test_averages);
    RUN(test_moving);
    RUN(test_memory);
    RUN(test_faults);
    RUN(test_ledger);
    remove(path);
    return test_report();
}
