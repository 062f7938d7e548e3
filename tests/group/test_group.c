/* tests/group/test_group.c - the collectives of groups, with threads of this process as ranks. Sums
   are compared bit by bit with the tree computed here. Errors name the ranks that differ, leave or
   are silent. */
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "inside.h"
#include "rank_shared.h"
#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define RANKS 8

/* One meeting. Tests that mostly wait run at the same time. */
typedef struct scene {
    nn_context *owner;
    nn_meeting *meeting;
    int32_t size, odd; /* the rank that does something else */
    int32_t blind;     /* the rank that reaches nobody */
    int fail_at;       /* calls of exchange before the odd rank falls silent */
    int awake;         /* ranks that have returned; under the lock */
    pthread_mutex_t lock;
    pthread_cond_t bell;
    struct rank *ranks;
} scene;

typedef struct rank {
    pthread_t thread;
    scene *scene;
    nn_meeting *meeting;
    int32_t rank, size;
    double timeout;
    void (*work)(struct rank *self);
    nn_context *nn;
    nn_group *group;
    nn_result result;
    int64_t count; /* given to the work: how many numbers to sum, or how many allocations succeed */
    int wrong;
    char error[1024];
} rank;

static void *run_rank(void *data) {
    rank *self = (rank *)data;
    const char *error;
    nn_desc desc = {.threads = 1};
    self->nn = nn_open(&desc);
    self->group = nn_join_meeting(self->nn, self->meeting, self->rank, self->timeout);
    if (self->group)
        self->work(self);
    else
        self->wrong++;
    error = nn_error(self->nn);
    snprintf(self->error, sizeof self->error, "%s", error ? error : "");
    nn_close(self->nn);
    return NULL;
}

static void begin_ranks(scene *all, rank *ranks, int32_t size, int64_t count, double timeout,
                        void (*work)(rank *self)) {
    all->owner = nn_open(NULL);
    all->meeting = nn_make_meeting(all->owner, size);
    all->size = size;
    all->ranks = ranks;
    all->awake = 0;
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->bell, NULL);
    memset(ranks, 0, sizeof *ranks * (size_t)size);
    for (int32_t r = 0; r < size; r++) {
        ranks[r].scene = all;
        ranks[r].meeting = all->meeting;
        ranks[r].rank = r;
        ranks[r].size = size;
        ranks[r].count = count;
        ranks[r].timeout = timeout;
        ranks[r].work = work;
        if (pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]) != 0) abort();
    }
}

static void end_ranks(scene *all) {
    for (int32_t r = 0; r < all->size; r++) pthread_join(all->ranks[r].thread, NULL);
    nn_free_meeting(all->meeting);
    if (nn_error(all->owner)) all->ranks[0].wrong++;
    nn_close(all->owner);
    pthread_cond_destroy(&all->bell);
    pthread_mutex_destroy(&all->lock);
}

/* All ranks do the work; then each has its result, and the words of its context. */
static void run_ranks(rank *ranks, int32_t size, int64_t count, double timeout,
                      void (*work)(rank *self)) {
    scene all;
    memset(&all, 0, sizeof all);
    begin_ranks(&all, ranks, size, count, timeout, work);
    end_ranks(&all);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Returns numbers so different in size that another order of addition gives other bits. */
static float value_of(int32_t r, int64_t i) {
    uint32_t bits = (uint32_t)(i * 40503 + r * 9176 + 77) * 2654435761u;
    if (i % 1009 == 5 && r == (int32_t)(i % 3)) return NAN;
    if (i % 1013 == 6 && r == 1) return INFINITY;
    return ((float)(bits >> 8) / 8388608.0f - 1.0f) * (bits & 1 ? 1.0f : 4097.0f);
}

/* Returns how many pairs of sums[left] are added next. First some pairs are added, so that the
   number of sums left is a power of two, then all pairs, again and again. */
static int32_t pairs_of(int32_t left) {
    int32_t power = 1;
    while (2 * power < left) power *= 2;
    return left - power;
}

static float tree_of(int32_t size, int64_t i) {
    volatile float sums[RANKS];
    for (int32_t r = 0; r < size; r++) sums[r] = value_of(r, i);
    for (int32_t left = size, pairs; left > 1; left -= pairs) {
        pairs = pairs_of(left);
        for (int32_t r = 0; r < pairs; r++) sums[r] = sums[2 * r] + sums[2 * r + 1];
        for (int32_t r = pairs; r < left - pairs; r++) sums[r] = sums[r + pairs];
    }
    return sums[0];
}

static bool same_float(float a, float b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void sum_floats(rank *self) {
    const size_t count = (size_t)self->count;
    float *values = (float *)malloc(sizeof *values * (count + 1)), guard = 12345.0f;
    for (size_t i = 0; i < count; i++) values[i] = value_of(self->rank, (int64_t)i);
    values[count] = guard;
    self->result = nn__group_sum(self->group, values, count, NN_HERE, "test");
    for (size_t i = 0; i < count; i++)
        self->wrong += !same_float(values[i], tree_of(self->size, (int64_t)i));
    self->wrong += values[count] != guard;
    /* all have the same bytes: each rank sends its hash to the others */
    uint32_t hash = 0, all[RANKS];
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = hash * 31 + bits;
    }
    self->wrong +=
        nn__group_gather(self->group, &hash, sizeof hash, all, NN_HERE, "test") != NN_OK;
    for (int32_t r = 0; r < self->size; r++) self->wrong += all[r] != hash;
    free(values);
}

static void test_sums_are_trees(void) {
    static const int64_t counts[] = {0, 1, 2, 3, 7, 1023, 1024, 1025, 5003, 300007};
    rank ranks[RANKS];
    for (int32_t size = 1; size <= RANKS; size++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            if (counts[c] > 100000 && size != 2 && size != 3 && size != 8) continue;
            run_ranks(ranks, size, counts[c], 0, sum_floats);
            for (int32_t r = 0; r < size; r++)
                if (test_wrong(ranks[r].result != NN_OK || ranks[r].wrong))
                    test_fail(__FILE__, __LINE__, "rank %d of %d, %d numbers: %s, %d wrong: %s",
                              (int)r, (int)size, (int)counts[c], nn_result_text(ranks[r].result),
                              ranks[r].wrong, ranks[r].error);
        }
    }
}

static void *share_nothing(void *user, size_t bytes, void *place) {
    (void)user, (void)bytes, (void)place;
    return NULL;
}
static void *reach_nothing(void *user, int32_t peer, const void *place, size_t bytes) {
    (void)user, (void)peer, (void)place, (void)bytes;
    return NULL;
}

/* Each rank's part of the sum reaches all ranks, through the window or by messages. Memory between
   runs[0] and runs[1] receives nothing. */
static int spread_window(rank *self, float *leaf, size_t count) {
    const size_t gap = count / 3, behind = gap + count / 7;
    float *numbers = (float *)malloc(sizeof *numbers * count);
    const nn__group_span sum = {.at = NULL, .first = 0, .count = count};
    const nn__group_span runs[2] = {
        {.at = (char *)numbers, .first = 0, .count = gap},
        {.at = (char *)(numbers + behind), .first = behind, .count = count - behind}};
    size_t first, mine;
    int wrong;
    nn__group_scattered(self->size, self->rank, count, &first, &mine);
    for (size_t i = 0; i < count; i++)
        numbers[i] = i >= first && i < first + mine ? value_of(RANKS, (int64_t)i) : -1.0f;
    wrong = nn__group_spread(self->group, NN_OK, &sum, 1, runs, 2, leaf, NN_HERE, "test") != NN_OK;
    for (size_t i = 0; i < count; i++) {
        const bool travels = i < gap || i >= behind, has = i >= first && i < first + mine;
        const float wanted = travels || has ? value_of(RANKS, (int64_t)i) : -1.0f;
        wrong += !same_float(numbers[i], wanted);
    }
    free(numbers);
    return wrong;
}

/* Sums in place: the whole sum on all ranks, or a part on each rank that is then spread. Memory
   before and after it does not change. If the odd rank shares no memory or reaches nobody, messages
   are sent, as for memory elsewhere. */
static void sum_windows(rank *self) {
    enum { BEFORE = 48 };
    const size_t count = (size_t)self->count;
    const int32_t odd = self->scene->odd, blind = self->scene->blind;
    float *values = (float *)malloc(sizeof *values * (BEFORE + count + 1)), *own = values;
    nn__window *window;
    share_memory(self->group);
    if (odd == self->rank) self->group->desc.share = share_nothing;
    if (blind == self->rank) self->group->desc.reach = reach_nothing;
    window = nn__window_open(self->group, sizeof *values * (BEFORE + count + 1), "test");
    if (nn__window_meet(self->group, window, NN_HERE, "test") != NN_OK) self->wrong++;
    if (window->own) own = (float *)(void *)window->own;
    self->wrong += (odd < 0 && blind < 0) != window->met;
    for (int round = 0; round < (self->size & (self->size - 1) ? 2 : 3); round++) {
        size_t first = 0, some = count;
        nn__group_job job;
        if (round == 2) nn__group_scattered(self->size, self->rank, count, &first, &some);
        for (size_t i = 0; i < BEFORE + count + 1; i++)
            own[i] = i < BEFORE || i == BEFORE + count ? (float)self->rank
                                                       : value_of(self->rank, (int64_t)i - BEFORE);
        nn__group_begin_sum(self->group, &job, own + BEFORE, count, round == 2, NULL, 0.0, NN_OK, 0,
                            round > 0, NN_HERE, "test");
        self->result = nn__group_end(self->group, &job);
        self->wrong += (job.window != NULL) != window->met;
        for (size_t i = first; i < first + some; i++)
            self->wrong += !same_float(own[BEFORE + i], tree_of(self->size, (int64_t)i));
        if (round == 2) self->wrong += spread_window(self, own + BEFORE, count);
        for (size_t i = 0; i < BEFORE; i++) self->wrong += own[i] != (float)self->rank;
        self->wrong += own[BEFORE + count] != (float)self->rank;
        /* others ask for it only after all ranks have checked */
        if (nn__group_agree(self->group, NN_OK, NULL, NN_HERE, "test") != NN_OK) self->wrong++;
    }
    if (count > 1) nn__window_drop(self->group, window); /* else its group does */
    self->wrong += count > 1 && self->group->windows != NULL;
    free(values);
}

static void test_sums_in_place(void) {
    static const int64_t counts[] = {1, 17, 5003, 2048, 4100};
    rank ranks[RANKS];
    for (int32_t size = 2; size <= RANKS; size++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            scene all;
            memset(&all, 0, sizeof all);
            all.odd = c == 3 ? size - 1 : -1;
            all.blind = c == 4 ? size / 2 : -1;
            begin_ranks(&all, ranks, size, counts[c], 0, sum_windows);
            end_ranks(&all);
            for (int32_t r = 0; r < size; r++)
                if (test_wrong(ranks[r].result != NN_OK || ranks[r].wrong))
                    test_fail(__FILE__, __LINE__, "rank %d of %d, %d numbers: %s, %d wrong: %s",
                              (int)r, (int)size, (int)counts[c], nn_result_text(ranks[r].result),
                              ranks[r].wrong, ranks[r].error);
        }
    }
    ENSURE(shared_blocks == 0);
}

/* Sums more bytes than one exchange carries. */
static void test_large_sum(void) {
    rank ranks[RANKS];
    run_ranks(ranks, 2, 1200001, 0, sum_floats);
    for (int32_t r = 0; r < 2; r++) ENSURE(ranks[r].result == NN_OK && ranks[r].wrong == 0);
}

static void sum_tensors(rank *self) {
    const float bf16_sum = 0.5f * (float)(self->size * (self->size + 1) / 2);
    int32_t small[5];
    int64_t large[3];
    uint16_t narrow[2];
    for (int i = 0; i < 5; i++) small[i] = 1000000000 + self->rank + i;
    for (int i = 0; i < 3; i++) large[i] = ((int64_t)1 << 40) * (self->rank + 1) + i;
    narrow[0] = narrow[1] = 0;
    {
        float value = 0.5f * (float)(self->rank + 1);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        narrow[0] = narrow[1] = (uint16_t)(bits >> 16);
    }
    nn_tensor *a = nn_wrap(self->nn, "a", NN_I32, NN_SHAPE(5), small);
    nn_tensor *b = nn_wrap(self->nn, "b", NN_I64, NN_SHAPE(3), large);
    nn_tensor *c = nn_wrap(self->nn, "c", NN_BF16, NN_SHAPE(2), narrow);
    self->wrong += nn_group_sum(self->group, a) != NN_OK;
    self->wrong += nn_group_sum(self->group, b) != NN_OK;
    self->wrong += nn_group_sum(self->group, c) != NN_OK;
    for (int i = 0; i < 5; i++) {
        uint32_t sum = 0;
        for (int32_t r = 0; r < self->size; r++) sum += (uint32_t)(1000000000 + r + i);
        self->wrong += (uint32_t)small[i] != sum;
    }
    for (int i = 0; i < 3; i++)
        self->wrong += large[i] != ((int64_t)1 << 40) * (self->size * (self->size + 1) / 2) +
                                       (int64_t)i * self->size;
    for (int i = 0; i < 2; i++) {
        uint32_t bits = (uint32_t)narrow[i] << 16;
        float value;
        memcpy(&value, &bits, sizeof value);
        self->wrong += value != bf16_sum;
    }
    /* from each rank in turn */
    for (int32_t from = 0; from < self->size; from++) {
        int32_t numbers[3] = {self->rank, self->rank + 1, self->rank + 2};
        nn_tensor *t = nn_wrap(self->nn, "t", NN_I32, NN_SHAPE(3), numbers);
        self->wrong += nn_group_broadcast(self->group, t, from) != NN_OK;
        for (int i = 0; i < 3; i++) self->wrong += numbers[i] != from + i;
        nn_free_tensor(t);
    }
}

static void test_tensors(void) {
    rank ranks[RANKS];
    for (int32_t size = 1; size <= RANKS; size++) {
        run_ranks(ranks, size, 0, 0, sum_tensors);
        for (int32_t r = 0; r < size; r++) {
            if (ranks[r].error[0]) printf("  %s\n", ranks[r].error);
            ENSURE(ranks[r].wrong == 0 && !ranks[r].error[0]);
        }
    }
}

/* ---- agreement ------------------------------------------------------------------------------- */

static void agree_in_turn(rank *self) {
    for (int32_t bad = 0; bad < self->size; bad++) {
        char wanted[64];
        nn_result result;
        if (self->rank == bad) nn_group_broadcast(NULL, NULL, 0);
        nn_clear_error(self->nn);
        result = nn_group_agree(self->group, self->rank >= bad ? NN_ERROR_NAN : NN_OK);
        snprintf(wanted, sizeof wanted, "rank %d: the loss is NaN", (int)bad);
        self->wrong += result != NN_ERROR_NAN || !nn_error(self->nn) ||
                       !strstr(nn_error(self->nn), wanted);
        nn_clear_error(self->nn);
        self->wrong += nn_group_agree(self->group, NN_OK) != NN_OK;
        self->wrong += nn_group_agree(self->group, self->rank == bad ? NN_CANCELLED : NN_OK) !=
                       NN_CANCELLED;
        self->wrong += nn_error(self->nn) != NULL;
    }
    /* numbers that travel with an agreement are added in the same tree */
    double news[2] = {0.1 * (self->rank + 1), 1.0}, sum[RANKS];
    for (int32_t r = 0; r < self->size; r++) sum[r] = 0.1 * (r + 1);
    for (int32_t left = self->size, pairs; left > 1; left -= pairs) {
        pairs = pairs_of(left);
        for (int32_t r = 0; r < pairs; r++) sum[r] = sum[2 * r] + sum[2 * r + 1];
        for (int32_t r = pairs; r < left - pairs; r++) sum[r] = sum[r + pairs];
    }
    self->wrong += nn__group_news(self->group, NN_OK, NULL, news, 2, NN_HERE, "test") != NN_OK;
    self->wrong += news[0] != sum[0] || news[1] != self->size;
}

static void test_agreement(void) {
    rank ranks[RANKS];
    for (int32_t size = 1; size <= RANKS; size++) {
        run_ranks(ranks, size, 0, 0, agree_in_turn);
        for (int32_t r = 0; r < size; r++) ENSURE(ranks[r].wrong == 0);
    }
}

/* ---- ranks that differ ----------------------------------------------------------------------- */

static int32_t odd; /* the rank that does something else */

static void sum_or_agree(rank *self) {
    float values[10] = {1};
    nn_tensor *t = nn_wrap(self->nn, "t", NN_F32, NN_SHAPE(10), values);
    self->result = self->rank == odd ? nn_group_sum(self->group, t)
                                     : nn_group_agree(self->group, NN_OK);
    self->wrong += values[0] != 1.0f;
    self->wrong += strstr(nn_error(self->nn), "nn_group_sum at test_group.c:") == NULL ||
                   strstr(nn_error(self->nn), "(40 bytes of f32)") == NULL;
    /* The group still works. */
    self->wrong += nn_group_sum(self->group, t) != NN_OK || values[0] != (float)self->size;
}

static void sums_of_two_sizes(rank *self) {
    float values[10] = {1};
    nn_tensor *t = nn_wrap(self->nn, "t", NN_F32, NN_SHAPE(self->rank == odd ? 9 : 10), values);
    self->result = nn_group_sum(self->group, t);
    self->wrong += values[0] != 1.0f;
}

static void broadcasts_from_two(rank *self) {
    float values[10] = {1};
    nn_tensor *t = nn_wrap(self->nn, "t", NN_F32, NN_SHAPE(10), values);
    self->result = nn_group_broadcast(self->group, t, self->rank == odd);
}

/* One rank hands in a tensor that cannot be summed, and all get its message. */
static void a_bad_argument(rank *self) {
    uint8_t bytes[4] = {0};
    float values[4] = {1, 2, 3, 4};
    nn_tensor *t = self->rank == odd ? nn_wrap(self->nn, "pixels", NN_U8, NN_SHAPE(4), bytes)
                                     : nn_wrap(self->nn, "t", NN_F32, NN_SHAPE(4), values);
    self->result = nn_group_sum(self->group, t);
    self->wrong += values[3] != 4.0f;
}

static void test_different_calls(void) {
    rank ranks[RANKS];
    char wanted[64];
    for (int32_t size = 2; size <= RANKS; size++) {
        for (odd = 0; odd < size; odd++) {
            run_ranks(ranks, size, 0, 0, sum_or_agree);
            snprintf(wanted, sizeof wanted, "rank %d is in nn_group_sum", (int)odd);
            for (int32_t r = 0; r < size; r++)
                ENSURE(ranks[r].result == NN_ERROR_GROUP && !ranks[r].wrong &&
                       strstr(ranks[r].error, wanted));
        }
        for (odd = 0; odd < size; odd++) {
            run_ranks(ranks, size, 0, 0, sums_of_two_sizes);
            snprintf(wanted, sizeof wanted, "rank %d is in nn_group_sum", (int)odd);
            for (int32_t r = 0; r < size; r++)
                ENSURE(ranks[r].result == NN_ERROR_GROUP && !ranks[r].wrong &&
                       strstr(ranks[r].error, wanted) && strstr(ranks[r].error, "(36 bytes"));
        }
    }
    odd = 1;
    run_ranks(ranks, 4, 0, 0, broadcasts_from_two);
    ENSURE(ranks[3].result == NN_ERROR_GROUP && strstr(ranks[3].error, "from rank 1"));
    for (odd = 0; odd < 4; odd++) {
        run_ranks(ranks, 4, 0, 0, a_bad_argument);
        for (int32_t r = 0; r < 4; r++)
            ENSURE(strstr(ranks[r].error, "\"pixels\" is u8") && !ranks[r].wrong);
    }
}

/* ---- ranks that are missing ------------------------------------------------------------------ */

static void leave_early(rank *self) {
    float values[10] = {1};
    nn_tensor *t = nn_wrap(self->nn, "t", NN_F32, NN_SHAPE(10), values);
    self->wrong += nn_group_sum(self->group, t) != NN_OK;
    values[0] = 7;
    if (self->rank == odd) {
        nn_open_safetensors(self->nn, "/nowhere/at_all");
        nn_free_group(self->group); /* The group's thread runs on for a while. */
        self->group = NULL;
        self->result = NN_ERROR_GROUP;
        return;
    }
    self->result = nn_group_sum(self->group, t);
    self->wrong += values[0] != 7.0f;
    for (int i = 0; i < 3; i++) self->wrong += nn_group_agree(self->group, NN_OK) != NN_ERROR_GROUP;
}

static void test_a_rank_leaves(void) {
    rank ranks[RANKS];
    char wanted[64];
    for (int32_t size = 2; size <= RANKS; size++) {
        for (odd = 0; odd < size; odd++) {
            run_ranks(ranks, size, 0, 0, leave_early);
            snprintf(wanted, sizeof wanted, "rank %d left the group; its first error: ", (int)odd);
            for (int32_t r = 0; r < size; r++) {
                ENSURE(ranks[r].result == NN_ERROR_GROUP && !ranks[r].wrong);
                ENSURE(r == odd || strstr(ranks[r].error, wanted));
                ENSURE(strstr(ranks[r].error, "/nowhere/at_all"));
            }
        }
    }
}

/* Sleeps until all other ranks have given up. */
static void wait_for_the_others(scene *all) {
    pthread_mutex_lock(&all->lock);
    while (all->awake < all->size - 1) pthread_cond_wait(&all->bell, &all->lock);
    pthread_mutex_unlock(&all->lock);
}

static void give_up(rank *self) {
    scene *all = self->scene;
    pthread_mutex_lock(&all->lock);
    all->awake += self->rank != all->odd;
    pthread_cond_broadcast(&all->bell);
    pthread_mutex_unlock(&all->lock);
}

/* The silent rank comes when all others have given up, and must not hang. */
static void one_is_silent(rank *self) {
    if (self->rank == self->scene->odd) wait_for_the_others(self->scene);
    self->result = nn_group_agree(self->group, NN_OK);
    give_up(self);
}

/* True if all others name the odd rank. */
static bool is_named(const scene *all) {
    char wanted[64];
    bool named = true;
    snprintf(wanted, sizeof wanted, "rank %d did not answer", (int)all->odd);
    for (int32_t r = 0; r < all->size; r++) {
        if (test_wrong(all->ranks[r].result != NN_ERROR_GROUP ||
            (r != all->odd && !strstr(all->ranks[r].error, "did not answer"))))
            test_fail(__FILE__, __LINE__, "rank %d of %d, odd %d: %s", (int)r, (int)all->size,
                      (int)all->odd, all->ranks[r].error);
        named = named && (r == all->odd || strstr(all->ranks[r].error, wanted));
    }
    return named;
}

/* Runs `count` scenes at the same time. Every rank ends with the error, and names the
   silent one. Where the machine is so busy that a thread stands still for as long as the timeout,
   another rank may be named; then the scenes run again with a longer timeout. */
static void ensure_named(scene *scenes, rank (*ranks)[RANKS], int count,
                         void (*work)(rank *self)) {
    static const double timeouts[] = {0.05, 0.5, 4};
    for (int i = 0; i < 3 && count > 0; i++) {
        int unnamed = 0;
        for (int s = 0; s < count; s++)
            begin_ranks(&scenes[s], ranks[s], scenes[s].size, 0, timeouts[i], work);
        for (int s = 0; s < count; s++) {
            end_ranks(&scenes[s]);
            if (!is_named(&scenes[s])) scenes[unnamed++] = scenes[s];
        }
        count = unnamed;
    }
    ENSURE(count == 0);
}

static void test_a_rank_is_silent(void) {
    static rank ranks[9][RANKS];
    scene scenes[9];
    int count = 0;
    memset(scenes, 0, sizeof scenes);
    for (int32_t size = 2; size <= 4; size++)
        for (int32_t silent = 0; silent < size; silent++) {
            scenes[count].size = size;
            scenes[count++].odd = silent;
        }
    ensure_named(scenes, ranks, count, one_is_silent);
}

/* A rank that stops in the middle of a sum: functions of a group whose exchange fails from some
   call on. */
typedef struct faulty {
    nn_result (*exchange)(void *user, int32_t peer, const void *send, size_t send_bytes,
                          void *receive, size_t receive_bytes, bool (*go_on)(void *of), void *of);
    void (*tell)(void *user, const char *text);
    bool (*told)(void *user, char *text, size_t size);
    void *user;
    int left;
    scene *scene;
} faulty;
static void tell_on(void *user, const char *text) {
    faulty *self = (faulty *)user;
    self->tell(self->user, text);
}
static bool told_on(void *user, char *text, size_t size) {
    faulty *self = (faulty *)user;
    return self->told(self->user, text, size);
}
static int fail_at;

static nn_result exchange_so_often(void *user, int32_t peer, const void *send, size_t send_bytes,
                                   void *receive, size_t receive_bytes, bool (*go_on)(void *of),
                                   void *of) {
    faulty *self = (faulty *)user;
    if (self->left-- == 0) return NN_ERROR_GROUP;
    return self->exchange(self->user, peer, send, send_bytes, receive, receive_bytes, go_on, of);
}

static void stop_in_a_sum(rank *self) {
    static const size_t count = 3000;
    float *values = (float *)malloc(sizeof *values * count);
    nn_tensor *t = nn_wrap(self->nn, "t", NN_F32, NN_SHAPE(3000), values);
    faulty fault;
    for (size_t i = 0; i < count; i++) values[i] = 1.0f;
    fault.exchange = self->group->desc.exchange;
    fault.user = self->group->desc.user;
    fault.left = fail_at;
    if (self->rank == odd) {
        self->group->desc.exchange = exchange_so_often;
        self->group->desc.user = &fault;
        self->group->desc.tell = NULL;
        self->group->desc.told = NULL;
    }
    self->result = nn_group_sum(self->group, t);
    for (size_t i = 0; i < count; i++)
        self->wrong += values[i] != (self->result == NN_OK ? (float)self->size : 1.0f);
    if (self->result == NN_OK) self->result = nn_group_agree(self->group, NN_OK);
    self->group->desc.exchange = fault.exchange;
    self->group->desc.user = fault.user;
    free(values);
}

/* Whichever exchange fails, all ranks have the error, at the sum or at the next collective. */
static void test_a_rank_stops(void) {
    rank ranks[RANKS];
    odd = 2;
    for (fail_at = 0; fail_at < 6; fail_at++) {
        run_ranks(ranks, 4, 0, 1, stop_in_a_sum); /* whoever is said to be missing */
        for (int32_t r = 0; r < 4; r++) {
            ENSURE(ranks[r].result == NN_ERROR_GROUP && !ranks[r].wrong);
            if (r != odd) ENSURE(strstr(ranks[r].error, "rank "));
        }
    }
}

/* A rank falls silent after its first exchanges, in the middle of a collective. The others wait in
   different exchanges, some for one another, and some are in the next collective already. All name
   the silent rank nevertheless. */
static nn_result exchange_then_silent(void *user, int32_t peer, const void *send, size_t send_bytes,
                                      void *receive, size_t receive_bytes, bool (*go_on)(void *of),
                                      void *of) {
    faulty *self = (faulty *)user;
    if (self->left-- > 0)
        return self->exchange(self->user, peer, send, send_bytes, receive, receive_bytes, go_on,
                              of);
    wait_for_the_others(self->scene);
    return NN_ERROR_GROUP;
}

static void fall_silent(rank *self) {
    float values[3000] = {0};
    nn_tensor *t = nn_wrap(self->nn, "t", NN_F32, NN_SHAPE(3000), values);
    faulty fault;
    fault.exchange = self->group->desc.exchange;
    fault.tell = self->group->desc.tell;
    fault.told = self->group->desc.told;
    fault.user = self->group->desc.user;
    fault.left = self->scene->fail_at;
    fault.scene = self->scene;
    if (self->rank == self->scene->odd) {
        self->group->desc.exchange = exchange_then_silent;
        self->group->desc.tell = tell_on;
        self->group->desc.told = told_on;
        self->group->desc.user = &fault;
    }
    for (int i = 0; i < 9 && self->result == NN_OK; i++)
        self->result =
            i % 3 == 1 ? nn_group_sum(self->group, t) : nn_group_agree(self->group, NN_OK);
    give_up(self);
    self->group->desc.exchange = fault.exchange;
    self->group->desc.tell = fault.tell;
    self->group->desc.told = fault.told;
    self->group->desc.user = fault.user;
}

static void test_a_rank_falls_silent(void) {
    static rank ranks[12][RANKS];
    scene scenes[12];
    const bool full = getenv("NN_FULL") != NULL;
    for (int32_t size = full ? 3 : 4; size <= (full ? 7 : 4); size++)
        for (int32_t silent = full ? 0 : 3; silent < size; silent++) {
            int count = 0;
            memset(scenes, 0, sizeof scenes);
            for (int after = 1; after < (full ? 12 : 8); after += full ? 1 : 3) {
                scenes[count].size = size;
                scenes[count].odd = silent;
                scenes[count++].fail_at = after;
            }
            ensure_named(scenes, ranks, count, fall_silent);
        }
}

/* The other ranks never come: freeing the group does not wait for them (no timeout would end that
   wait), and a rank that comes later gets an error. */
static void test_alone_in_a_meeting(void) {
    nn_context *nn = nn_open(NULL), *other = nn_open(NULL);
    nn_meeting *here = nn_make_meeting(nn, 2);
    nn_group *late;
    ENSURE(nn_join_meeting(nn, here, 0, 1e30) != NULL);
    nn_free_group(nn_join_meeting(other, here, 1, 1e30)); /* both have come, and done nothing */
    nn_close(other);
    other = nn_open(NULL);
    late = nn_join_meeting(other, here, 1, 1e30);
    nn_free_group(late);
    nn_close(other);
    nn_close(nn);
    nn = nn_open(NULL);
    other = nn_open(NULL);
    here = nn_make_meeting(nn, 2);
    nn_free_group(nn_join_meeting(other, here, 0, 1e30));
    late = nn_join_meeting(nn, here, 1, 1e30);
    ENSURE(nn_group_agree(late, NN_OK) == NN_ERROR_GROUP);
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "rank 0 is gone"));
    nn_close(nn);
    nn_close(other);
}

/* ---- beside other work ----------------------------------------------------------------------- */

/* If the number of ranks is a power of two, every second sum is scattered: each rank then has its
   part, and at the end all ranks have the whole, except for numbers 900 to 1,099, which are not
   sent. */
static void sums_beside(rank *self) {
    enum { BUCKETS = 5, COUNT = 2000 };
    const bool scatters = (self->size & (self->size - 1)) == 0;
    nn__group_span sums[BUCKETS], spans[2 * BUCKETS];
    static float all[RANKS][BUCKETS][COUNT];
    nn__group_job jobs[BUCKETS];
    for (int b = 0; b < BUCKETS; b++)
        for (int i = 0; i < COUNT; i++) all[self->rank][b][i] = value_of(self->rank, b * COUNT + i);
    for (int b = 0; b < BUCKETS; b++)
        nn__group_begin_sum(self->group, &jobs[b], all[self->rank][b], COUNT,
                            scatters && b % 2, NULL, 0.0, NN_OK, 0, true, NN_HERE, "test");
    self->wrong += nn_group_agree(self->group, NN_OK) != NN_OK; /* in its turn */
    for (int b = BUCKETS - 1; b >= 0; b--)
        self->wrong += nn__group_end(self->group, &jobs[b]) != NN_OK;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < BUCKETS; b++) {
            size_t first = 0, count = COUNT;
            if (scatters && b % 2)
                nn__group_scattered(self->size, self->rank, COUNT, &first, &count);
            for (size_t i = 0; i < COUNT; i++) {
                const bool mine = i >= first && i < first + count, apart = i >= 900 && i < 1100;
                float *number = &all[self->rank][b][i];
                const bool same = same_float(*number, tree_of(self->size, b * COUNT + (int)i));
                self->wrong += (mine || (pass && !apart)) && !same;
                if (pass == 0 && !mine) *number = -1.0f;
                self->wrong += pass && !mine && apart && *number != -1.0f;
            }
            sums[b].first = (size_t)b * COUNT;
            sums[b].count = COUNT;
            for (int k = 0; k < 2; k++) {
                nn__group_span *span = &spans[2 * b + k];
                span->first = sums[b].first + (k ? 1100 : 0);
                span->count = 900;
                span->at = (char *)(all[self->rank][b] + (k ? 1100 : 0));
            }
        }
        if (pass || !scatters) break;
        self->wrong += nn__group_spread(self->group, NN_OK, sums, BUCKETS, spans, 2 * BUCKETS,
                                        NULL, NN_HERE, "test") != NN_OK;
    }
}

static void test_sums_beside(void) {
    rank ranks[RANKS];
    for (int32_t size = 1; size <= RANKS; size++) {
        run_ranks(ranks, size, 0, 0, sums_beside);
        for (int32_t r = 0; r < size; r++) ENSURE(ranks[r].wrong == 0);
    }
}

/* ---- making, memory -------------------------------------------------------------------------- */

static void join_again(rank *self) {
    for (int i = 0; i < 20; i++) {
        self->wrong += nn_group_agree(self->group, NN_OK) != NN_OK;
        nn_free_group(self->group);
        self->group = nn_join_meeting(self->nn, self->meeting, self->rank, 0);
        self->wrong += !self->group;
    }
}

static void test_joining_again(void) {
    rank ranks[RANKS];
    run_ranks(ranks, 4, 0, 0, join_again);
    for (int32_t r = 0; r < 4; r++) {
        if (ranks[r].error[0]) printf("  %s\n", ranks[r].error);
        ENSURE(ranks[r].wrong == 0 && !ranks[r].error[0]);
    }
}

static void test_alone(void) {
    nn_context *nn = nn_open(NULL);
    float values[3] = {1, 2, 3};
    nn_tensor *t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(3), values);
    nn_group *group = nn_make_group(nn, NULL);
    nn_group_desc desc = {.size = 1025};
    ENSURE(group && nn_group_rank(group) == 0 && nn_group_size(group) == 1);
    ENSURE(nn_group_rank(NULL) == -1 && nn_group_size(NULL) == 0);
    ENSURE(nn_group_sum(group, t) == NN_OK && values[2] == 3.0f);
    ENSURE(nn_group_broadcast(group, t, 0) == NN_OK && nn_group_agree(group, NN_OK) == NN_OK);
    ENSURE(!nn_error(nn));
    ENSURE(nn_group_broadcast(group, t, 1) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "from is 1"));
    nn_clear_error(nn);
    ENSURE(!nn_make_group(nn, &desc) && strstr(nn_error(nn), "from 1 to 1024"));
    nn_clear_error(nn);
    desc.size = 2;
    ENSURE(!nn_make_group(nn, &desc) && strstr(nn_error(nn), "desc.exchange"));
    nn_clear_error(nn);
    desc.rank = 2;
    ENSURE(!nn_make_group(nn, &desc) && strstr(nn_error(nn), "rank is 2"));
    nn_clear_error(nn);
    desc.size = 1, desc.rank = 0, desc.timeout = -1;
    ENSURE(!nn_make_group(nn, &desc) && strstr(nn_error(nn), "timeout is -1"));
    nn_clear_error(nn);
    desc.timeout = 0, desc.version = 9;
    ENSURE(!nn_make_group(nn, &desc) && strstr(nn_error(nn), "version is 9"));
    nn_clear_error(nn);
    nn__use_group(group, "nn_make_trainer", NN_HERE);
    nn_free_group(group);
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "nn_make_trainer at test_group.c"));
    nn_clear_error(nn);
    nn__unuse_group(group);
    nn_free_group(group);
    nn_meeting *two = nn_make_meeting(nn, 2);
    nn_group *first = nn_join_meeting(nn, two, 0, 0.01);
    ENSURE(first && !nn_join_meeting(nn, two, 0, 0) && strstr(nn_error(nn), "already"));
    nn_clear_error(nn);
    ENSURE(!nn_join_meeting(nn, two, 2, 0) && !nn_make_meeting(nn, 1025));
    nn_clear_error(nn);
    nn_free_meeting(two);
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "1 ranks are still in it"));
    nn_clear_error(nn);
    nn_free_group(first);
    nn_free_meeting(two);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

typedef struct short_memory {
    int left;
} short_memory;

static void *take_memory(void *user, size_t bytes, size_t alignment) {
    short_memory *memory = (short_memory *)user;
    char *block, *aligned;
    if (memory->left == 0) return NULL;
    memory->left--;
    block = (char *)malloc(bytes + alignment + sizeof(void *));
    if (!block) return NULL;
    aligned = block + sizeof(void *) + alignment;
    aligned -= (uintptr_t)aligned % alignment;
    memcpy(aligned - sizeof(void *), &block, sizeof block);
    return aligned;
}

static void give_memory(void *user, void *memory, size_t bytes, size_t alignment) {
    char *block;
    (void)user, (void)bytes, (void)alignment;
    memcpy(&block, (char *)memory - sizeof(void *), sizeof block);
    free(block);
}

/* The allocator of rank 1 has no memory from some call on: nothing hangs, and no rank returns NN_OK
   if another one failed. */
static void sum_with_little(rank *self) {
    short_memory memory = {100000};
    nn_context *nn = self->nn;
    float values[6] = {1, 2, 3, 4, 5, 6};
    nn_group *group = self->group;
    nn_tensor *t;
    if (self->rank == 1) {
        nn_desc desc = {.threads = 1,
                        .allocator = {.allocate = take_memory, .release = give_memory,
                                      .user = &memory}};
        nn_free_group(self->group);
        nn = nn_open(&desc);
        group = nn_join_meeting(nn, self->meeting, 1, 0);
    } else {
        nn_free_group(self->group);
        group = nn_join_meeting(nn, self->meeting, 0, 0);
    }
    t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(6), values);
    memory.left = (int)self->count;
    self->result = nn_group_sum(group, t);
    self->wrong += values[0] != (self->result == NN_OK ? 2.0f : 1.0f);
    if (self->rank == 0 && self->result != NN_OK)
        self->wrong += !strstr(nn_error(nn), "rank 1: nn_group_sum: \"t\" of 24 bytes");
    memory.left = 100000;
    nn_clear_error(nn);
    if (self->rank == 1) nn_close(nn);
    else nn_free_group(group);
}

static void test_no_memory(void) {
    rank ranks[RANKS];
    for (int64_t left = 0; left < 3; left++) {
        run_ranks(ranks, 2, left, 0, sum_with_little);
        ENSURE(!ranks[0].wrong && !ranks[1].wrong && ranks[0].result == ranks[1].result);
        ENSURE(ranks[0].result == (left == 0 ? NN_ERROR_MEMORY : NN_OK));
    }
    /* making them: every allocation in turn */
    for (int left = 0, made = 0; !made; left++) {
        short_memory memory = {100000};
        nn_desc desc = {.threads = 1,
                        .allocator = {.allocate = take_memory, .release = give_memory,
                                      .user = &memory}};
        nn_context *nn = nn_open(&desc);
        memory.left = left;
        nn_meeting *two = nn_make_meeting(nn, 2);
        nn_group *group = nn_join_meeting(nn, two, 0, 0.01);
        made = group != NULL;
        ENSURE(made || (nn_error(nn) && (left > 3 || nn_error_code(nn) == NN_ERROR_MEMORY)));
        memory.left = 100000;
        nn_free_group(group);
        nn_clear_error(nn);
        nn_free_meeting(two);
        ENSURE(!nn_error(nn));
        nn_close(nn);
    }
}

/* Ranks are threads here, and the library has none without atomics. */
static bool has_threads(void) {
#if defined(NN_NO_THREADS) || defined(__TINYC__)
    return false;
#else
    return true;
#endif
}
static void no_threads(void) { SKIP("this build or compiler has no threads"); }

/* A rank that another one gave up arrives after all, with its message. Ranks that know of the
   accusation wait for a quarter of the timeout for the answers of the others, and compute nothing
   meanwhile. */
static int accusations;

static nn_result exchange_at_once(void *user, int32_t peer, const void *send, size_t send_bytes,
                                  void *receive, size_t receive_bytes, bool (*go_on)(void *of),
                                  void *of) {
    (void)user, (void)peer, (void)go_on, (void)of;
    memcpy(receive, send, receive_bytes < send_bytes ? receive_bytes : send_bytes);
    return NN_OK;
}
static void tell_nobody(void *user, const char *text) { (void)user, (void)text; }
static bool told_once(void *user, char *text, size_t size) {
    (void)user;
    if (accusations-- != 1) return false;
    snprintf(text, size, "1 2 rank 1 did not answer rank 2");
    return true;
}

static void test_waiting_sleeps(void) {
    nn_context *nn = nn_open(NULL);
    nn_group *group = nn_make_group(nn, &(nn_group_desc){.rank = 0,
                                                         .size = 4,
                                                         .timeout = 1.0,
                                                         .exchange = exchange_at_once,
                                                         .tell = tell_nobody,
                                                         .told = told_once});
    accusations = 1;
    const uint64_t before = nn__system_now();
    const clock_t busy = clock();
    ENSURE(nn_group_agree(group, NN_OK) == NN_ERROR_GROUP);
    const double took = (double)(nn__system_now() - before) / 1e9;
    const double worked = (double)(clock() - busy) / CLOCKS_PER_SEC;
    ENSURE(strstr(nn_error(nn), "rank 1 did not answer rank 2"));
    if (test_wrong(took < 0.25 || worked > 0.12))
        test_fail(__FILE__, __LINE__, "waited %g seconds, of which it computed for %g", took,
                  worked);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    if (!has_threads()) {
        RUN(no_threads);
        return test_report();
    }
    RUN(test_sums_are_trees);
    RUN(test_sums_in_place);
    RUN(test_large_sum);
    RUN(test_tensors);
    RUN(test_agreement);
    RUN(test_different_calls);
    RUN(test_a_rank_leaves);
    RUN(test_a_rank_is_silent);
    RUN(test_a_rank_stops);
    RUN(test_a_rank_falls_silent);
    RUN(test_waiting_sleeps);
    RUN(test_alone_in_a_meeting);
    RUN(test_sums_beside);
    RUN(test_joining_again);
    RUN(test_alone);
    RUN(test_no_memory);
    return test_report();
}
