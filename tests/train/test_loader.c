/* Loaders: any number of workers gives the same batches; positions, ranks, failing and hanging
   functions, and memory that is never overwritten too early. */
#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"

#include <stdlib.h>

#include "error.h"
#include "sim_device.h"
#include "test.h"
#include "lists.h"

#include <pthread.h>
#include <time.h>

#define COUNT 53
#define WIDTH 5
#define BATCH 7
#define EPOCH_BYTES (COUNT * (WIDTH * 4 + 4))
#define TRAVEL_BYTES (WIDTH + 4) /* of a sample: the device converts pixels to numbers */

static const int worker_counts[] = {0, 1, 2, 8};

static nn_site here(int line) { return nn_make_site("f.c", line); }

static void nap(int milliseconds) {
    struct timespec time;
    time.tv_sec = milliseconds / 1000;
    time.tv_nsec = milliseconds % 1000 * 1000000L;
    nanosleep(&time, NULL);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Input and output of the function below. */
typedef struct source {
    pthread_mutex_t mutex;
    pthread_cond_t  changed;
    pthread_t       caller; /* the thread of the context */
    int32_t bad, worse; /* these samples fail; -1: none */
    int32_t hangs; /* this one does not return before `open`; -1: none */
    bool    open;
    bool    uneven; /* samples take different times */
    int     calls, inside, calls_of_caller;
} source;

static void source_init(source *s) {
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->caller = pthread_self();
    s->bad = s->worse = s->hangs = -1;
}

static void source_set(source *s, int32_t bad, int32_t worse, int32_t hangs) {
    pthread_mutex_lock(&s->mutex);
    s->bad = bad;
    s->worse = worse;
    s->hangs = hangs;
    pthread_mutex_unlock(&s->mutex);
}

static void source_open(source *s) {
    pthread_mutex_lock(&s->mutex);
    s->open = true;
    pthread_cond_broadcast(&s->changed);
    while (s->inside > 0) pthread_cond_wait(&s->changed, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
}

static nn_result get_sample(void *user, int32_t sample, void *const *to) {
    source *s = (source *)user;
    bool fails;
    pthread_mutex_lock(&s->mutex);
    s->calls++;
    s->inside++;
    s->calls_of_caller += pthread_equal(pthread_self(), s->caller) != 0;
    if (sample == s->hangs)
        while (!s->open) pthread_cond_wait(&s->changed, &s->mutex);
    fails = sample == s->bad || sample == s->worse;
    pthread_mutex_unlock(&s->mutex);
    if (s->uneven && sample % 5 == 0) nap(1);
    for (int i = 0; i < WIDTH; i++) ((uint8_t *)to[0])[i] = (uint8_t)(3 * sample + i);
    *(int32_t *)to[1] = 1000 + sample;
    pthread_mutex_lock(&s->mutex);
    s->inside--;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    return fails ? NN_ERROR_FORMAT : NN_OK;
}

/* Makes a dataset from the function if `s` is given, else from arrays; both have the same
   samples. */
static nn_dataset *make_dataset(nn_context *nn, source *s, int32_t count) {
    static uint8_t pixels[COUNT * WIDTH];
    static int32_t labels[COUNT];
    nn_dataset_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.count = count;
    FIELD_AT(desc.fields, 0).name = "x";
    FIELD_AT(desc.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(desc.fields, 0).data_dtype = NN_U8;
    FIELD_AT(desc.fields, 0).scale = 1.0f / 255;
    FIELD_AT(desc.fields, 1).name = "label";
    FIELD_AT(desc.fields, 1).dtype = NN_I32;
    if (s) {
        desc.get = get_sample;
        desc.user = s;
        return nn_make_dataset(nn, &desc);
    }
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < WIDTH; j++) pixels[i * WIDTH + j] = (uint8_t)(3 * i + j);
        labels[i] = 1000 + i;
    }
    FIELD_AT(desc.fields, 0).data = pixels;
    FIELD_AT(desc.fields, 1).data = labels;
    return nn_make_dataset(nn, &desc);
}

static nn_loader_desc desc_of(nn_dataset *dataset, int workers, int prefetch) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = dataset;
    desc.batch = BATCH;
    desc.shuffle = true;
    desc.seed = 11;
    desc.workers = workers;
    desc.prefetch = prefetch;
    return desc;
}

static nn_loader *make_loader(nn_context *nn, nn_dataset *dataset, int workers, int prefetch) {
    nn_loader_desc desc = desc_of(dataset, workers, prefetch);
    return nn_make_loader(nn, &desc);
}

/* Reads both fields of the current batch. Returns the number of bytes. */
static size_t read_batch(nn_loader *loader, char *to) {
    nn_tensor *x = nn_batch_tensor(loader, "x"), *label = nn_batch_tensor(loader, "label");
    size_t first = (size_t)nn_tensor_bytes(x), second = (size_t)nn_tensor_bytes(label);
    if (nn_download_tensor(x, to, first) != NN_OK ||
        nn_download_tensor(label, to + first, second) != NN_OK)
        return 0;
    return first + second;
}

/* Reads the rest of the epoch. Returns the number of bytes; 0: an error. */
static size_t read_epoch(nn_loader *loader, char *to) {
    size_t bytes = 0;
    while (nn_next_batch_at(here(1), loader)) bytes += read_batch(loader, to + bytes);
    return nn_loader_result(loader) == NN_END ? bytes : 0;
}

static nn_context *open_one(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    return nn_open(&desc);
}

/* Opens a simulated device that puts everything off as long as it may. */
static sim_device *open_lazy(nn_context *nn, bool pinned, nn_device *device) {
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    desc.no_host_memory = !pinned;
    return sim_open(nn, &desc, device);
}

static bool have_workers; /* not under NN_NO_THREADS, nor with tcc */

static void look_for_workers(void) {
    source s;
    nn_context *nn = open_one();
    source_init(&s);
    have_workers =
        nn_next_batch(make_loader(nn, make_dataset(nn, &s, COUNT), 1, 0)) && s.calls_of_caller == 0;
    nn_close(nn);
}

/* ---- the same batches ------------------------------------------------------------------------ */

static void same_batches(nn_context *nn, nn_device device, source *s) {
    static char expected[3][EPOCH_BYTES], got[EPOCH_BYTES];
    nn_dataset *dataset = make_dataset(nn, s, COUNT);
    for (int i = 0; i < 4; i++) {
        for (int prefetch = 0; prefetch < 4; prefetch += 1 + (i > 1)) {
            nn_loader_desc desc = desc_of(dataset, worker_counts[i], prefetch);
            nn_loader *loader;
            uint64_t calls;
            desc.device = device;
            if (s) s->calls = s->calls_of_caller = 0;
            loader = nn_make_loader_at(here(2), nn, &desc);
            ENSURE(loader);
            for (int epoch = 0; epoch < 3; epoch++) {
                calls = nn_context_memory(nn).calls;
                ENSURE(read_epoch(loader, i == 0 && prefetch == 0 ? expected[epoch] : got) ==
                       EPOCH_BYTES);
                ENSURE(nn_loader_epoch(loader) == epoch);
                if (i > 0 || prefetch > 0) ENSURE(memcmp(got, expected[epoch], EPOCH_BYTES) == 0);
                if (i > 0 || prefetch > 0) ENSURE(nn_context_memory(nn).calls == calls);
            }
            if (s)
                ENSURE(s->calls == 3 * COUNT &&
                       s->calls_of_caller == (worker_counts[i] && have_workers ? 0 : s->calls));
            ENSURE(nn_loader_counters(loader).batches == 3 * 8 &&
                   nn_loader_counters(loader).bytes == 3 * COUNT * TRAVEL_BYTES);
            nn_free_loader(loader);
        }
    }
    ENSURE(memcmp(expected[0], expected[1], EPOCH_BYTES) != 0);
    ENSURE(!nn_error(nn));
}

static void test_same_batches(void) {
    source s;
    nn_context *nn = open_one();
    source_init(&s);
    s.uneven = true;
    same_batches(nn, nn_cpu(), NULL);
    same_batches(nn, nn_cpu(), &s);
    for (int pinned = 0; pinned < 2; pinned++) {
        nn_device device;
        nn_context *other = open_one();
        sim_device *sim = open_lazy(other, pinned != 0, &device);
        same_batches(other, device, NULL);
        same_batches(other, device, &s);
        ENSURE((sim->counters[SIM_HOST_ALLOC] > 0) == (pinned != 0));
        nn_close(other);
        ENSURE(sim_free(sim) == 0);
    }
    nn_close(nn);
}

/* Without threads `workers` changes nothing. */
static void test_workers_in_a_block(void) {
    static char expected[EPOCH_BYTES], got[EPOCH_BYTES];
    void *block = malloc(1 << 20);
    nn_desc desc;
    nn_loader *loader;
    source s;
    nn_context *nn = open_one();
    loader = make_loader(nn, make_dataset(nn, NULL, COUNT), 0, 0);
    ENSURE(read_epoch(loader, expected) == EPOCH_BYTES);
    nn_close(nn);
    source_init(&s);
    memset(&desc, 0, sizeof desc);
    desc.block = block;
    desc.block_bytes = 1 << 20;
    nn = nn_open(&desc);
    loader = make_loader(nn, make_dataset(nn, &s, COUNT), 4, 0);
    ENSURE(loader && read_epoch(loader, got) == EPOCH_BYTES &&
           memcmp(got, expected, EPOCH_BYTES) == 0);
    ENSURE(s.calls_of_caller == COUNT && !nn_error(nn));
    nn_close(nn);
    free(block);
}

/* ---- positions ------------------------------------------------------------------------------- */

static void test_position(void) {
    static char expected[EPOCH_BYTES], got[EPOCH_BYTES];
    source s;
    nn_context *nn = open_one();
    nn_dataset *dataset;
    source_init(&s);
    s.uneven = true;
    dataset = make_dataset(nn, &s, COUNT);
    for (int i = 0; i < 4; i++) {
        nn_loader *loader = make_loader(nn, dataset, worker_counts[i], 0), *fresh;
        nn_loader_state state;
        size_t bytes, rest;
        for (int batch = 0; batch < 13; batch++) /* into the second epoch */
            ENSURE(nn_next_batch(loader) ||
                   (nn_loader_result(loader) == NN_END && nn_next_batch(loader)));
        state = nn_loader_position(loader);
        ENSURE(state.epoch == 1 && state.position == 5 * BATCH && state.seed == 11);
        ENSURE(nn_next_batch(loader));
        bytes = read_batch(loader, expected);
        rest = read_epoch(loader, expected + bytes);
        ENSURE(bytes > 0 && rest > 0);
        fresh = make_loader(nn, dataset, worker_counts[3 - i], 1);
        ENSURE(nn_next_batch(fresh)); /* has batches in flight, of another epoch */
        ENSURE(nn_set_loader_position(fresh, &state) == NN_OK && nn_loader_batch(fresh) == 0);
        ENSURE(read_epoch(fresh, got) == bytes + rest && memcmp(got, expected, bytes + rest) == 0);
        ENSURE(nn_set_loader_position(loader, &state) == NN_OK && nn_next_batch(loader));
        ENSURE(nn_set_loader_position(loader, &state) ==
               NN_OK); /* in the middle, with a ring full of batches */
        ENSURE(read_epoch(loader, got) == bytes + rest && memcmp(got, expected, bytes + rest) == 0);
        nn_free_loader(fresh);
        nn_free_loader(loader);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- ranks: torch.utils.data.DistributedSampler ---------------------------------------------- */

static int read_labels(nn_loader *loader, int32_t *labels) {
    int count = 0;
    while (nn_next_batch(loader)) {
        const int32_t *data = (const int32_t *)nn_tensor_data(nn_batch_tensor(loader, "label"));
        for (int i = 0; i < nn_loader_batch(loader); i++) labels[count++] = data[i] - 1000;
    }
    return count;
}

static void check_ranks(nn_context *nn, int32_t count, int32_t world, bool drop, bool shuffle,
                        int workers) {
    nn_dataset *dataset = make_dataset(nn, NULL, count);
    int32_t order[COUNT], labels[64], wanted[64];
    int32_t each = drop ? count / world : (count + world - 1) / world;
    for (int32_t rank = 0; rank < world; rank++) {
        nn_loader_desc desc = desc_of(dataset, workers, 0);
        nn_loader *loader;
        desc.batch = 3;
        desc.shuffle = shuffle;
        desc.rank = rank;
        desc.world = world;
        desc.drop_last = drop;
        loader = nn_make_loader(nn, &desc);
        ENSURE(loader);
        for (int epoch = 0; epoch < 2; epoch++) {
            int32_t n = drop ? each / 3 * 3 : each;
            for (int32_t i = 0; i < count; i++) order[i] = i;
            if (shuffle) nn_random_permutation(11, (uint64_t)epoch, order, count);
            for (int32_t i = 0; i < n; i++) wanted[i] = order[(rank + i * world) % count];
            ENSURE(nn_batches_per_epoch(loader) == (n + 2) / 3);
            ENSURE(read_labels(loader, labels) == n &&
                   memcmp(labels, wanted, sizeof *labels * (size_t)n) == 0);
        }
        nn_free_loader(loader);
    }
}

static void test_ranks(void) {
    /* list(DistributedSampler(range(10), 4, r, shuffle=False)) of PyTorch 1.13 for r = 0 ... 3, and
       for a dataset of two samples, r = 4 of 5 */
    static const int32_t torch[4][3] = {{0, 4, 8}, {1, 5, 9}, {2, 6, 0}, {3, 7, 1}};
    int32_t labels[64];
    nn_context *nn = open_one();
    nn_dataset *ten = make_dataset(nn, NULL, 10), *two = make_dataset(nn, NULL, 2);
    nn_loader_desc desc = desc_of(ten, 0, 0);
    desc.shuffle = false;
    desc.world = 4;
    for (desc.rank = 0; desc.rank < 4; desc.rank++) {
        nn_loader *loader = nn_make_loader(nn, &desc);
        ENSURE(loader && read_labels(loader, labels) == 3 &&
               memcmp(labels, torch[desc.rank], sizeof torch[0]) == 0);
    }
    desc.dataset = two;
    desc.world = 5;
    desc.rank = 4;
    ENSURE(read_labels(nn_make_loader(nn, &desc), labels) == 1 && labels[0] == 0);
    for (int shuffle = 0; shuffle < 2; shuffle++) {
        for (int workers = 0; workers < 3; workers += 2) {
            check_ranks(nn, 10, 3, false, shuffle != 0, workers);
            check_ranks(nn, 10, 3, true, shuffle != 0, workers);
            check_ranks(nn, COUNT, 4, false, shuffle != 0, workers);
            check_ranks(nn, 12, 4, true, shuffle != 0, workers);
        }
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- functions that fail or hang ------------------------------------------------------------- */

static void test_failing_function(void) {
    static char expected[EPOCH_BYTES], got[EPOCH_BYTES];
    source s;
    int32_t order[COUNT];
    nn_context *nn = open_one();
    nn_dataset *dataset;
    source_init(&s);
    dataset = make_dataset(nn, &s, COUNT);
    nn_random_permutation(11, 0, order, COUNT);
    ENSURE(read_epoch(make_loader(nn, dataset, 0, 0), expected) == EPOCH_BYTES);
    for (int i = 0; i < 4; i++) {
        char wanted[256];
        size_t bytes = 0;
        nn_loader *loader = make_loader(nn, dataset, worker_counts[i], 3);
        source_set(&s, order[4 * BATCH + 2], order[4 * BATCH + 5], -1); /* in the fifth batch */
        for (int batch = 0; batch < 4; batch++) {
            ENSURE(nn_next_batch(loader));
            bytes += read_batch(loader, got + bytes);
        }
        ENSURE(memcmp(got, expected, bytes) == 0 && !nn_error(nn));
        ENSURE(!nn_next_batch_at(here(7), loader) && nn_loader_result(loader) == NN_ERROR_FORMAT);
        snprintf(wanted, sizeof wanted,
                 "nn_next_batch at f.c:7: sample %d: the function of the dataset returned -10: not "
                 "a file of that "
                 "format, or a damaged one; epoch 0 ends here",
                 (int)s.bad);
        ENSURE_TEXT(nn_error(nn), wanted);
        nn_clear_error(nn);
        source_set(&s, -1, -1, -1);
        ENSURE(nn_start_epoch(loader, 0) == NN_OK && read_epoch(loader, got) == EPOCH_BYTES);
        ENSURE(memcmp(got, expected, EPOCH_BYTES) == 0);
        source_set(&s, order[0], -1, -1);
        ENSURE(nn_start_epoch(loader, 0) == NN_OK && !nn_next_batch(loader));
        nn_clear_error(nn);
        source_set(&s, -1, -1, -1);
        ENSURE(read_epoch(loader, got) == EPOCH_BYTES && nn_loader_epoch(loader) == 1);
        nn_free_loader(loader);
    }
    nn_close(nn);
}

static nn_loader *hanging_loader(nn_context *nn, nn_dataset *dataset, int workers, float timeout) {
    nn_loader_desc desc = desc_of(dataset, workers, 0);
    desc.timeout = timeout;
    return nn_make_loader(nn, &desc);
}

static void test_hanging_function(void) {
    static char expected[3][EPOCH_BYTES], got[EPOCH_BYTES];
    source s;
    int32_t order[COUNT];
    char wanted[256];
    nn_context *nn = open_one();
    nn_dataset *dataset;
    nn_loader *loader;
    size_t bytes = 0;
    if (!have_workers) nn_close(nn);
    if (!have_workers) SKIP("no threads here");
    source_init(&s);
    dataset = make_dataset(nn, &s, COUNT);
    loader = make_loader(nn, dataset, 0, 0);
    for (int epoch = 0; epoch < 3; epoch++)
        ENSURE(read_epoch(loader, expected[epoch]) == EPOCH_BYTES);
    loader = hanging_loader(nn, dataset, 2, 0.15f);
    nn_random_permutation(11, 0, order, COUNT);
    source_set(&s, -1, -1,
               order[4 * BATCH + 1]); /* in the fifth batch: its place is in the second of three */
    snprintf(wanted, sizeof wanted,
             "nn_next_batch at f.c:8: sample %d: the function of the dataset did not return within "
             "150 ms "
             "(nn_loader_desc.timeout); epoch 0 ends here",
             (int)order[4 * BATCH + 1]);
    while (nn_next_batch_at(here(8), loader)) bytes += read_batch(loader, got + bytes);
    ENSURE(bytes == 4 * BATCH * (WIDTH * 4 + 4) && memcmp(got, expected[0], bytes) == 0 &&
           nn_loader_result(loader) == NN_ERROR_CALLBACK);
    ENSURE_TEXT(nn_error(nn), wanted);
    nn_clear_error(nn);
    source_set(&s, -1, -1, -1); /* the first worker still waits; the other one continues alone */
    ENSURE(read_epoch(loader, got) == EPOCH_BYTES && memcmp(got, expected[1], EPOCH_BYTES) == 0);
    bytes = 0;
    for (int batch = 0; nn_next_batch(loader); batch++) {
        bytes += read_batch(loader, got + bytes);
        if (batch == 0) nap(3); /* those ahead are there */
        if (batch == 0)
            source_open(&s); /* it returns, but its place belongs to another sample now */
        if (batch == 0) nap(3);
    }
    ENSURE(bytes == EPOCH_BYTES && memcmp(got, expected[2], EPOCH_BYTES) == 0);
    nn_free_loader(loader);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* Memory that a stuck thread still uses must not be freed; this allocator counts the memory in
   use. */
typedef struct keeper {
    void    *pieces[256];
    int      count;
    uint64_t live;
} keeper;

static void *keeper_allocate(void *user, size_t bytes, size_t alignment) {
    keeper *k = (keeper *)user;
    char *block = (char *)malloc(bytes + alignment + sizeof(void *)), *memory;
    if (!block) return NULL;
    memory = (char *)(((uintptr_t)block + sizeof(void *) + alignment - 1) / alignment * alignment);
    memcpy(memory - sizeof(void *), &block, sizeof block);
    k->live += bytes;
    if (k->count < 256) k->pieces[k->count++] = block;
    return memory;
}

static void keeper_release(void *user, void *memory, size_t bytes, size_t alignment) {
    keeper *k = (keeper *)user;
    void *block;
    (void)alignment;
    memcpy(&block, (char *)memory - sizeof(void *), sizeof block);
    k->live -= bytes;
    for (int i = 0; i < k->count; i++)
        if (k->pieces[i] == block) k->pieces[i] = k->pieces[--k->count];
    free(block);
}

/* how: 0 nn_free_loader, 1 nn_free_dataset, 2 nn_close */
static void leave_stuck(int how) {
    static source sources[3]; /* a thread that was left still reads one of them */
    static keeper keepers[3]; /* they still point to the memory of such a thread */
    static const char *const names[] = {"nn_free_loader", "nn_free_dataset", "nn_close"};
    source *s = &sources[how];
    keeper *kept = &keepers[how];
    nn_desc desc;
    nn_text out;
    char text[1024], wanted[128];
    nn_context *nn;
    nn_loader *loader;
    nn_dataset *dataset;
    memset(&desc, 0, sizeof desc);
    memset(&out, 0, sizeof out);
    out.buffer = text;
    out.size = sizeof text;
    text[0] = 0;
    source_init(s);
    s->hangs = 9;
    desc.threads = 1;
    desc.allocator.allocate = keeper_allocate;
    desc.allocator.release = keeper_release;
    desc.allocator.user = kept;
    desc.log.function = nn_write_text;
    desc.log.user = &out;
    nn = nn_open(&desc);
    dataset = make_dataset(nn, s, COUNT);
    loader = hanging_loader(nn, dataset, 3, 0.06f);
    while (nn_next_batch(loader)) continue;
    ENSURE(nn_loader_result(loader) == NN_ERROR_CALLBACK && strstr(nn_error(nn), "sample 9:"));
    nn_clear_error(nn);
    text[0] = 0;
    out.length = 0;
    if (how == 0) nn_free_loader(loader);
    if (how == 1) nn_free_dataset(dataset);
    if (how == 1) ENSURE(!nn_next_batch(loader) && nn_loader_result(loader) == NN_ERROR_ARGUMENT);
    nn_close(nn);
    snprintf(wanted, sizeof wanted,
             "%s: the dataset's function has not returned from sample 9; its thread and ",
             names[how]);
    ENSURE(strstr(text, wanted) == text);
    ENSURE(kept->live > 0 && kept->live < 10000 && kept->count == 1); /* the ring, nothing else */
    source_open(s);
    nap(5); /* it still has to leave */
}

static void test_leaving_a_stuck_thread(void) {
    if (!have_workers) SKIP("no threads here");
    for (int how = 0; how < 3; how++) leave_stuck(how);
}

/* Without a timeout, nn_close waits for the dataset's function, and logs a line when that takes
   long. The listener lets the function return only after that line. */
typedef struct listener {
    source *s;
    char    text[256];
} listener;

static void listen(void *user, const char *text, size_t length) {
    listener *l = (listener *)user;
    snprintf(l->text, sizeof l->text, "%.*s", (int)length, text);
    pthread_mutex_lock(&l->s->mutex);
    l->s->open = true;
    pthread_cond_broadcast(&l->s->changed);
    pthread_mutex_unlock(&l->s->mutex);
}

static void test_waiting_at_the_end(void) {
    source s;
    listener l;
    nn_desc desc;
    nn_loader_desc load;
    nn_context *nn;
    int calls = 0;
    if (!have_workers) SKIP("no threads here");
    source_init(&s);
    memset(&l, 0, sizeof l);
    memset(&desc, 0, sizeof desc);
    l.s = &s;
    desc.log.function = listen;
    desc.log.user = &l;
    nn = nn_open(&desc);
    s.hangs = 40;
    load = desc_of(make_dataset(nn, &s, COUNT), 2, 7);
    load.shuffle = false;
    ENSURE(nn_next_batch(nn_make_loader(nn, &load)));
    while (calls < 41) { /* the 40th is gathered ahead */
        nap(1);
        pthread_mutex_lock(&s.mutex);
        calls = s.calls;
        pthread_mutex_unlock(&s.mutex);
    }
    nn_close(nn);
    ENSURE_TEXT(l.text, "nn: nn_close: waiting for the dataset's function to return from sample 40 "
                        "(nn_loader_desc.timeout would limit that)\n");
}

/* ---- memory that is filled again ------------------------------------------------------------- */

/* The device delays everything. When it copies a batch at last, the memory must still hold that
   batch. workers -1: the dataset is on the device. */
static void reuse(int workers, int prefetch, bool pinned) {
    static char expected[EPOCH_BYTES];
    char got[EPOCH_BYTES];
    size_t bytes = 0;
    nn_tensor *copies[2 * 8];
    int count = 0;
    nn_device device;
    nn_context *nn = open_one();
    sim_device *sim = open_lazy(nn, pinned, &device);
    nn_dataset *dataset = make_dataset(nn, NULL, COUNT);
    nn_loader_desc desc = desc_of(dataset, workers < 0 ? 0 : workers, prefetch);
    nn_loader *loader = make_loader(nn, dataset, 0, 0);
    ENSURE(read_epoch(loader, expected) == EPOCH_BYTES);
    desc.on_device = workers < 0;
    desc.device = device;
    loader = nn_make_loader(nn, &desc);
    while (nn_next_batch(loader)) {
        copies[count++] = nn_copy_to(nn_batch_tensor(loader, "x"), device);
        copies[count++] = nn_copy_to(nn_batch_tensor(loader, "label"), device);
        ENSURE(copies[count - 1] && copies[count - 2]);
        if (workers > 0) nap(2); /* they go as far ahead as they may */
    }
    ENSURE(count == 16);
    for (int i = 0; i < count; i++) {
        ENSURE(nn_download_tensor(copies[i], got + bytes, (size_t)nn_tensor_bytes(copies[i])) ==
               NN_OK);
        bytes += (size_t)nn_tensor_bytes(copies[i]);
    }
    ENSURE(bytes == EPOCH_BYTES && memcmp(got, expected, EPOCH_BYTES) == 0);
    ENSURE(!nn_error(nn));
    if (workers)
        ENSURE(nn_start_epoch(loader, 0) == NN_OK && nn_next_batch(loader) &&
               nn_start_epoch(loader, 0) == NN_OK);
    if (workers)
        ENSURE(read_epoch(loader, got) == EPOCH_BYTES && memcmp(got, expected, EPOCH_BYTES) == 0);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_no_early_reuse(void) {
    for (int workers = -1; workers < 4; workers++) {
        for (int prefetch = 0; prefetch < 3; prefetch++) reuse(workers, prefetch, prefetch != 1);
    }
}

static void test_ledger(void) {
    nn_device device;
    nn_context *nn = open_one();
    sim_device *sim = open_lazy(nn, true, &device);
    nn_loader_desc desc = desc_of(make_dataset(nn, NULL, COUNT), 2, 0);
    nn_loader *loader;
    nn_ledger_limits limits;
    desc.device = device;
    loader = nn_make_loader(nn, &desc);
    for (int i = 0; i < 3; i++) ENSURE(nn_next_batch_at(here(5), loader));
    ENSURE(nn_ledger_count(nn) == 2 &&
           nn_ledger_bytes(nn, NN_CROSS_UPLOAD) == 3 * BATCH * TRAVEL_BYTES);
    for (int i = 0; i < 2; i++) {
        nn_ledger_entry entry = nn_ledger_at(nn, i);
        uint64_t bytes = strcmp(entry.tensor, "x") == 0 ? WIDTH : 4;
        ENSURE(entry.count == 3 && entry.way == NN_WAY_COPIED && entry.site.line == 5);
        ENSURE(entry.logical_bytes == 3 * BATCH * bytes &&
               entry.physical_bytes == 3 * BATCH * bytes);
    }
    memset(&limits, 0, sizeof limits);
    limits.upload_bytes = BATCH * TRAVEL_BYTES;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_next_batch(loader) && !nn_next_batch(loader) &&
           nn_loader_result(loader) == NN_ERROR_LIMIT);
    nn_clear_error(nn);
    nn_ledger_limit(nn, NULL);
    ENSURE(nn_next_batch(loader) && nn_loader_epoch(loader) == 1 && !nn_error(nn));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* Waits until the next batch is gathered, and then sends it, as nn_train_step does. */
static bool send_ahead(nn_loader *loader) {
    for (int i = 0;
         i < 5000 && !nn__ring_ready(loader->ring, loader->position, nn__loader_next(loader)); i++)
        nap(1);
    nn__loader_ahead(loader);
    return loader->ahead;
}

/* The next batch travels once, before it is requested; ledger and position do not show that yet. */
static void each_ahead(nn_context *nn, sim_device *sim, nn_loader *loader, const char *expected) {
    static char got[EPOCH_BYTES];
    size_t bytes = 0;
    for (int batch = 0; batch < 8; batch++) {
        uint64_t before = sim->counters[SIM_UPLOAD];
        ENSURE(nn_next_batch(loader) &&
               nn_loader_batch(loader) == (batch < 7 ? BATCH : COUNT % BATCH));
        ENSURE(nn_ledger_bytes(nn, NN_CROSS_UPLOAD) ==
               (uint64_t)nn_loader_position(loader).position * TRAVEL_BYTES);
        ENSURE(nn_loader_counters(loader).bytes == nn_ledger_bytes(nn, NN_CROSS_UPLOAD));
        ENSURE(send_ahead(loader) == (batch < 7));
        ENSURE(sim->counters[SIM_UPLOAD] == before + (batch == 0 ? 4 : batch < 7 ? 2 : 0));
        bytes += read_batch(loader, got + bytes);
    }
    ENSURE(bytes == EPOCH_BYTES && memcmp(got, expected, EPOCH_BYTES) == 0);
    ENSURE(!nn_next_batch(loader) && nn_loader_result(loader) == NN_END);
}

/* A batch that was sent ahead and is not wanted any more does no harm. */
static void none_wanted(nn_loader *loader, const char *expected) {
    static char got[EPOCH_BYTES];
    nn_loader_state state;
    size_t bytes;
    ENSURE(nn_start_epoch(loader, 0) == NN_OK);
    for (int batch = 0; batch < 3; batch++) ENSURE(nn_next_batch(loader) && send_ahead(loader));
    state = nn_loader_position(loader);
    ENSURE(state.position == 3 * BATCH);
    ENSURE(nn_start_epoch(loader, 3) == NN_OK && nn_next_batch(loader) && send_ahead(loader));
    ENSURE(nn_set_loader_position(loader, &state) == NN_OK);
    bytes = read_epoch(loader, got);
    ENSURE(bytes > 0 && memcmp(got, expected + EPOCH_BYTES - bytes, bytes) == 0);
}

/* With a limit, nothing is loaded ahead. A limit that is set later refuses the batch. */
static void limits_ahead(nn_context *nn, nn_loader *loader, const char *expected) {
    static char got[EPOCH_BYTES];
    const size_t first = BATCH * (WIDTH * 4 + 4);
    nn_ledger_limits limits;
    memset(&limits, 0, sizeof limits);
    ENSURE(nn_start_epoch(loader, 0) == NN_OK && nn_next_batch(loader) && send_ahead(loader));
    limits.upload_bytes = NN_LEDGER_NOTHING;
    nn_ledger_limit(nn, &limits);
    ENSURE(!nn_next_batch(loader) && nn_loader_result(loader) == NN_ERROR_LIMIT);
    nn_clear_error(nn);
    limits.upload_bytes = 1 << 20;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_start_epoch(loader, 0) == NN_OK && nn_next_batch(loader) && !send_ahead(loader));
    ENSURE(read_epoch(loader, got) == EPOCH_BYTES - first &&
           memcmp(got, expected + first, EPOCH_BYTES - first) == 0);
    nn_ledger_limit(nn, NULL);
}

static void test_upload_ahead(void) {
    static char expected[EPOCH_BYTES];
    nn_device device;
    nn_context *nn = open_one();
    sim_device *sim = open_lazy(nn, true, &device);
    nn_loader_desc desc = desc_of(make_dataset(nn, NULL, COUNT), 2, 7);
    nn_loader *loader;
    ENSURE(read_epoch(make_loader(nn, desc.dataset, 0, 0), expected) == EPOCH_BYTES);
    desc.device = device;
    loader = nn_make_loader(nn, &desc);
    nn_reset_ledger(nn);
    if (have_workers) {
        each_ahead(nn, sim, loader, expected);
        none_wanted(loader, expected);
        limits_ahead(nn, loader, expected);
        ENSURE(nn_start_epoch(loader, 0) == NN_OK && nn_next_batch(loader) &&
               send_ahead(loader)); /* and everything works */
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
    if (!have_workers) SKIP("no threads here");
}

/* Each call of a device fails in turn. That is an error, unless the call was an upload ahead of its
   turn, which is repeated; and nothing is left behind. */
static void test_failing_device(void) {
    static char expected[EPOCH_BYTES];
    int64_t failures = 0;
    nn_context *plain = open_one();
    ENSURE(read_epoch(make_loader(plain, make_dataset(plain, NULL, COUNT), 0, 0), expected) ==
           EPOCH_BYTES);
    nn_close(plain);
    for (int64_t nth = 1; nth < 200; nth++) {
        static char got[2 * EPOCH_BYTES];
        nn_device device;
        nn_context *nn = open_one();
        sim_device *sim = open_lazy(nn, true, &device);
        nn_loader_desc desc = desc_of(make_dataset(nn, NULL, COUNT), 2, 0);
        nn_loader *loader;
        bool fine, over;
        desc.device = device;
        sim_fail_at(sim, nth);
        loader = nn_make_loader(nn, &desc);
        fine = loader && read_epoch(loader, got) == EPOCH_BYTES;
        over = sim->fallible < sim->fail_at; /* there was no such call */
        ENSURE(fine == (nn_error(nn) == NULL));
        if (fine) ENSURE(memcmp(got, expected, EPOCH_BYTES) == 0);
        nn_clear_error(nn);
        sim->fail_at = 0;
        if (loader)
            ENSURE(nn_start_epoch(loader, 0) == NN_OK && read_epoch(loader, got) == EPOCH_BYTES);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
        if (over) break;
        failures += !fine;
    }
    ENSURE(failures > 20 && failures < 199);
}

/* ---- steps that read a loader ---------------------------------------------------------------- */

typedef struct job {
    nn_model   *net;
    nn_node    *x, *logits;
    nn_trainer *trainer;
} job;

static bool describe(job *j, nn_context *nn, nn_device device) {
    nn_model_desc model;
    nn_trainer_desc train;
    nn_node *label, *y;
    memset(&model, 0, sizeof model);
    memset(&train, 0, sizeof train);
    model.device = device;
    model.seed = 4;
    j->net = nn_make_model(nn, &model);
    j->x = nn_input(j->net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    label = nn_input(j->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    y = nn_reshape(j->net, j->x, NN_SHAPE(NN_BATCH, 1, WIDTH)); /* an alias of the batch */
    y = nn_flatten(j->net, y);
    {
        nn_linear_desc linear;
        memset(&linear, 0, sizeof linear);
        linear.out_features = 1000 + COUNT;
        j->logits = nn_linear(j->net, "fc", y, &linear);
    }
    train.batch = BATCH;
    train.learning_rate = 0.1f;
    train.momentum = 0.9f;
    {
        nn_cross_entropy_desc loss;
        memset(&loss, 0, sizeof loss);
        j->trainer =
            nn_make_trainer(j->net, nn_cross_entropy(j->net, j->logits, label, &loss), &train);
    }
    return j->trainer != NULL;
}

static size_t train(nn_context *nn, nn_device device, int workers, int prefetch, float *to) {
    job j;
    nn_loader_desc desc = desc_of(make_dataset(nn, NULL, COUNT), workers, prefetch);
    nn_loader *loader;
    nn_tensor *weight;
    desc.device = device;
    loader = nn_make_loader(nn, &desc);
    if (!loader || !describe(&j, nn, device)) return 0;
    for (int epoch = 0; epoch < 3; epoch++) {
        while (nn_next_batch(loader))
            if (nn_train_step(j.trainer, loader) != NN_OK) return 0;
    }
    weight = nn_find_tensor(j.net, "fc.weight");
    return nn_download_tensor(weight, to, (size_t)nn_tensor_bytes(weight)) == NN_OK
               ? (size_t)nn_tensor_bytes(weight)
               : 0;
}

static void test_training(void) {
    static float expected[(1000 + COUNT) * WIDTH], got[(1000 + COUNT) * WIDTH];
    nn_context *nn = open_one();
    ENSURE(train(nn, nn_cpu(), 0, 0, expected) == sizeof expected);
    for (int workers = 0; workers < 4; workers++) {
        for (int prefetch = 0; prefetch < 4; prefetch++) {
            ENSURE(train(nn, nn_cpu(), workers, prefetch, got) == sizeof got);
            ENSURE(memcmp(got, expected, sizeof got) == 0);
        }
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
    for (int workers = 0; workers < 3; workers++) {
        nn_device device;
        nn_context *other = open_one();
        sim_device *sim = open_lazy(other, true, &device);
        ENSURE(train(other, device, workers, workers, got) == sizeof got);
        ENSURE(memcmp(got, expected, sizeof got) == 0);
        ENSURE(!nn_error(other));
        nn_close(other);
        ENSURE(sim_free(sim) == 0);
    }
}

/* A plan to which a batch was bound once reads every later batch, and prepares nothing anew for
   it. */
static void test_bound_once(void) {
    static float one[BATCH * (1000 + COUNT)], two[BATCH * (1000 + COUNT)];
    nn_device device;
    job j;
    nn_plan_desc plan_desc;
    nn_plan *follows, *anew;
    nn_context *nn = open_one();
    sim_device *sim = open_lazy(nn, true, &device);
    nn_loader_desc desc = desc_of(make_dataset(nn, NULL, COUNT), 0, 2);
    nn_loader *loader;
    uint64_t prepared = 0;
    desc.device = device;
    desc.drop_last = true;
    loader = nn_make_loader(nn, &desc);
    ENSURE(loader && describe(&j, nn, device));
    memset(&plan_desc, 0, sizeof plan_desc);
    NODE_AT(plan_desc.outputs, 0) = j.logits;
    plan_desc.batch = BATCH;
    follows = nn_make_plan(j.net, &plan_desc);
    anew = nn_make_plan(j.net, &plan_desc);
    for (int i = 0; nn_next_batch(loader); i++) {
        static float x[BATCH * WIDTH];
        if (i == 0) ENSURE(nn_bind(follows, j.x, nn_batch_tensor(loader, "x")) == NN_OK);
        ENSURE(nn_download_tensor(nn_batch_tensor(loader, "x"), x, sizeof x) == NN_OK);
        if (i == 1) prepared = sim->counters[SIM_PREPARE];
        ENSURE(nn_run(follows) == NN_OK &&
               nn_download(follows, j.logits, one, sizeof one) == NN_OK);
        if (i > 0) ENSURE(sim->counters[SIM_PREPARE] == prepared);
        ENSURE(nn_upload(anew, j.x, x, sizeof x) == NN_OK);
        ENSURE(nn_run(anew) == NN_OK && nn_download(anew, j.logits, two, sizeof two) == NN_OK);
        ENSURE(memcmp(one, two, sizeof one) == 0);
        prepared = sim->counters[SIM_PREPARE];
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- a dataset on the device ----------------------------------------------------------------- */

static void on_device(nn_context *nn, nn_device device, source *s, int32_t world, int prefetch) {
    static char expected[EPOCH_BYTES], got[EPOCH_BYTES];
    nn_loader_desc desc = desc_of(make_dataset(nn, s, COUNT), 0, 0);
    nn_loader *here_loader, *there;
    nn_loader_state state;
    uint64_t calls;
    desc.world = world;
    desc.rank = world - 1;
    here_loader = nn_make_loader(nn, &desc);
    desc.device = device;
    desc.on_device = true;
    desc.workers = 2;
    desc.prefetch = prefetch;
    nn_reset_ledger(nn);
    there = nn_make_loader(nn, &desc);
    ENSURE(here_loader && there);
    ENSURE(nn_ledger_count(nn) == 1 && strcmp(nn_ledger_at(nn, 0).tensor, "dataset") == 0);
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_UPLOAD) == COUNT * TRAVEL_BYTES);
    for (int epoch = 0; epoch < 2; epoch++) {
        size_t bytes = read_epoch(here_loader, expected);
        nn_reset_ledger(nn);
        calls = nn_context_memory(nn).calls;
        ENSURE(bytes > 0 && read_epoch(there, got) == bytes && memcmp(got, expected, bytes) == 0);
        ENSURE(nn_ledger_bytes(nn, NN_CROSS_UPLOAD) == bytes / (WIDTH * 4 + 4) * 4);
        ENSURE(epoch == 0 || nn_context_memory(nn).calls - calls <= 3); /* rows of the ledger */
    }
    ENSURE(nn_next_batch(there) && nn_next_batch(there));
    state = nn_loader_position(there);
    ENSURE(nn_set_loader_position(here_loader, &state) == NN_OK);
    {
        size_t bytes = read_epoch(here_loader, expected);
        ENSURE(nn_set_loader_position(there, &state) == NN_OK);
        ENSURE(read_epoch(there, got) == bytes && memcmp(got, expected, bytes) == 0);
    }
    ENSURE(nn_loader_counters(there).bytes > 0 && !nn_error(nn));
}

/* A plan that borrows a loader's tensor reads each batch in place. A short batch is refused,
   because the rows after it belong to an earlier batch. */
static void test_borrowed(void) {
    static float samples[13][3];
    nn_context *nn = nn_open(NULL);
    nn_dataset_desc data;
    nn_loader_desc desc;
    nn_plan_desc plan_desc;
    memset(&data, 0, sizeof data);
    memset(&desc, 0, sizeof desc);
    memset(&plan_desc, 0, sizeof plan_desc);
    for (int i = 0; i < 39; i++) samples[i / 3][i % 3] = (float)i;
    data.count = 13;
    FIELD_AT(data.fields, 0).name = "x", FIELD_AT(data.fields, 0).shape = NN_SHAPE(3),
                          FIELD_AT(data.fields, 0).data = samples;
    nn_dataset *dataset = nn_make_dataset(nn, &data);
    desc.dataset = dataset, desc.batch = 2, desc.workers = 1;
    nn_loader *loader = nn_make_loader(nn, &desc);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *y = nn_relu(net, nn_borrow(net, nn_batch_tensor(loader, "x")));
    NODE_AT(plan_desc.outputs, 0) = y;
    nn_plan *plan = nn_make_plan(net, &plan_desc);
    for (int batch = 0; batch < 6; batch++) {
        float numbers[6];
        ENSURE(nn_next_batch(loader) && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, y, numbers, sizeof numbers) == NN_OK);
        for (int i = 0; i < 6; i++) ENSURE(numbers[i] == (float)(6 * batch + i));
    }
    ENSURE(nn_next_batch(loader) && nn_run(plan) == NN_ERROR_SHAPE);
    ENSURE(says(nn, "\"x\" of nn_borrow was (2, 3) and is (1, 3) now"));
    nn_close(nn);
}

static void test_on_device(void) {
    source s;
    nn_context *nn = open_one();
    source_init(&s);
    for (int world = 1; world < 4; world += 2) {
        nn_device device;
        nn_context *other = open_one();
        sim_device *sim = open_lazy(other, true, &device);
        for (int prefetch = 0; prefetch < 40; prefetch = prefetch * 3 + 2) {
            on_device(nn, nn_cpu(), NULL, world, prefetch);
            on_device(nn, nn_cpu(), &s, world, prefetch);
            on_device(other, device, NULL, world, prefetch);
            on_device(other, device, &s, world, prefetch);
        }
        nn_close(other);
        ENSURE(sim_free(sim) == 0);
    }
    nn_close(nn);
}

static void test_on_device_refused(void) {
    nn_device device;
    sim_desc desc;
    sim_device *sim;
    source s;
    nn_context *nn = open_one();
    nn_loader_desc load;
    memset(&desc, 0, sizeof desc);
    desc.refuse[NN_KERNEL_GATHER] = "it is Sunday";
    sim = sim_open(nn, &desc, &device);
    load = desc_of(make_dataset(nn, NULL, COUNT), 0, 0);
    load.device = device;
    load.on_device = true;
    ENSURE(!nn_make_loader_at(here(6), nn, &load));
    ENSURE_TEXT(nn_error(nn), "nn_make_loader at f.c:6: user0:0 cannot run gather: it is Sunday");
    nn_clear_error(nn);
    source_init(&s);
    s.bad = 20;
    load.dataset = make_dataset(nn, &s, COUNT);
    ENSURE(!nn_make_loader_at(here(6), nn, &load));
    ENSURE_TEXT(nn_error(nn), "nn_make_loader at f.c:6: sample 20: the function of the dataset "
                              "returned -10: not a file of "
                              "that format, or a damaged one");
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- descs ----------------------------------------------------------------------------------- */

static void refused(nn_context *nn, const nn_loader_desc *desc, const char *text) {
    ENSURE(!nn_make_loader_at(here(4), nn, desc));
    ENSURE_TEXT(nn_error(nn), text);
    nn_clear_error(nn);
}

static void test_wrong_descs(void) {
    nn_context *nn = open_one();
    nn_dataset *dataset = make_dataset(nn, NULL, 10);
    nn_loader_desc desc = desc_of(dataset, 0, 0);
    desc.workers = -1;
    refused(nn, &desc, "nn_make_loader at f.c:4: workers is -1; wanted 0 to 256");
    desc = desc_of(dataset, 2, -3);
    refused(nn, &desc, "nn_make_loader at f.c:4: prefetch is -3; wanted 0 to 4096 batches");
    desc = desc_of(dataset, 2, 0);
    desc.timeout = -1.0f;
    refused(nn, &desc, "nn_make_loader at f.c:4: timeout is -1; wanted seconds, or 0 for none");
    desc = desc_of(dataset, 0, 0);
    desc.rank = 2;
    refused(nn, &desc,
            "nn_make_loader at f.c:4: rank is 2 and world 1; wanted a rank from 0 to world - 1");
    desc.world = 2;
    refused(nn, &desc,
            "nn_make_loader at f.c:4: rank is 2 and world 2; wanted a rank from 0 to world - 1");
    desc.rank = 1;
    desc.drop_last = true;
    refused(nn, &desc,
            "nn_make_loader at f.c:4: with drop_last and a batch of 7, 5 samples make no batch at "
            "all; a "
            "smaller batch, or no drop_last");
    ENSURE(nn_loader_counters(NULL).batches == 0);
    nn_close(nn);
}

/* NN_DATA and NN_DATA_OF pass the type and the size of arrays. */
static void test_data_of_arrays(void) {
    static uint8_t pixels[6 * 4];
    static float rows[6][4];
    uint8_t *pointer = pixels;
    nn_context *nn = open_one();
    for (int way = 0; way < 9; way++) {
        const size_t counts[] = {0, (size_t)-24, SIZE_MAX / 4 + 7}; /* * 4 is 24, if it wraps */
        nn_dataset_desc whole = {
            .fields = NN_FIELDS({.name = "x", .shape = {{4}, 1}, NN_DATA(pixels)}), .count = 6};
        nn_dataset_desc part = {
            .fields = NN_FIELDS({.name = "x", .shape = {{4}, 1}, NN_DATA_OF(pointer, 5 * 4)}),
            .count = 6};
        nn_dataset_desc lost = {
            .fields = NN_FIELDS({.name = "x", .shape = {{4}, 1}, NN_DATA(pointer)}), .count = 6};
        nn_dataset_desc table = {
            .fields = NN_FIELDS({.name = "x", .shape = {{4}, 1}, NN_DATA(rows)}), .count = 6};
        nn_dataset_desc given = {
            .fields = NN_FIELDS({.name = "x", .shape = {{4}, 1}, NN_DATA_OF(pointer, 6 * 4)}),
            .count = 6};
        nn_dataset_desc wrong = {
            .fields = NN_FIELDS(
                {.name = "x", .shape = {{4}, 1}, NN_DATA_OF(&rows[0][0], counts[way % 3])}),
            .count = 6};
        if (way == 5) table.count = 7;
        nn_dataset *dataset = nn_make_dataset(nn, way == 0   ? &whole
                                                  : way == 1 ? &part
                                                  : way == 2 ? &lost
                                                  : way == 3 ? &given
                                                  : way < 6  ? &table
                                                             : &wrong);
        const bool told =
            whole.fields.field[0].data_dtype == NN_U8; /* a compiler that knows _Generic */
        if (way == 4 || (told && (way == 0 || way == 3))) {
            ENSURE(dataset != NULL && nn_error(nn) == NULL);
        } else {
            ENSURE(dataset == NULL &&
                   strstr(nn_error(nn), way < 6 ? ".bytes is " : "the count given to NN_DATA_OF"));
            if (way == 2) ENSURE(strstr(nn_error(nn), "NN_DATA_OF(pointer, count)"));
        }
        nn_clear_error(nn);
        nn_free_dataset(dataset);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    look_for_workers();
    RUN(test_same_batches);
    RUN(test_workers_in_a_block);
    RUN(test_position);
    RUN(test_ranks);
    RUN(test_failing_function);
    RUN(test_hanging_function);
    RUN(test_leaving_a_stuck_thread);
    RUN(test_waiting_at_the_end);
    RUN(test_no_early_reuse);
    RUN(test_ledger);
    RUN(test_upload_ahead);
    RUN(test_failing_device);
    RUN(test_training);
    RUN(test_bound_once);
    RUN(test_borrowed);
    RUN(test_on_device);
    RUN(test_on_device_refused);
    RUN(test_wrong_descs);
    RUN(test_data_of_arrays);
    return test_report();
}
