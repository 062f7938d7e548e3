/* train/ring.c - gathers samples into a ring of batches, by worker threads ahead of use or by the
   calling thread. Any number of workers gives the same bytes, because a sample's place follows from
   its position.

   Workers use only the ring: no context, no allocator, no log. A function of the user writes into
   its worker's memory, which is copied into the ring only if the epoch has not changed. So only a
   call that needs a sample waits for the function that delivers it, and a hanging function cannot
   write into the ring later. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#define NN__RING_NOTE                                                                              \
    1000 /* milliseconds to wait for a user's function at the end, before the log says so */

/* ---- one sample ------------------------------------------------------------------------------ */

NN_PRIVATE int32_t nn__ring_order(const nn__ring *ring, int64_t position) {
    /* If the samples do not divide evenly, the last ranks begin again at the start. */
    int64_t i = (position * ring->world + ring->rank) % ring->total;
    return ring->order ? ring->order[i] : (int32_t)i;
}

NN_PRIVATE int32_t nn__ring_sample(const nn__ring *ring, int64_t position) {
    if (ring->whole) { /* this rank's samples of each batch, one batch after the other */
        const int64_t i = position - ring->first;
        position = ring->first + i / ring->batch * ring->whole + ring->before + i % ring->batch;
    }
    return nn__ring_order(ring, position);
}

static int32_t nn__ring_slot(const nn__ring *ring, int64_t position) {
    return (int32_t)((position - ring->first) / ring->batch % ring->slots);
}

static char *nn__ring_place(const nn__ring *ring, int field, int64_t position) {
    const nn__ring_row *row = &ring->row[field];
    uint64_t i = (uint64_t)((position - ring->first) % ring->batch);
    return row->rows + row->slot_bytes * (uint64_t)nn__ring_slot(ring, position) + row->bytes * i;
}

static void nn__ring_put(const nn__ring *ring, int field, const char *from, char *to) {
    if (ring->row[field].converts)
        nn__field_convert(&ring->fields[field], from, to);
    else
        memcpy(to, from, (size_t)ring->row[field].data_bytes);
}

/* Writes samples from the arrays, or one sample that a function wrote to `raw`. */
static void nn__ring_write(const nn__ring *ring, const char *raw, int64_t position, int32_t count) {
    for (int f = 0; f < ring->field_count; f++) {
        const nn__ring_row *row = &ring->row[f];
        for (int32_t i = 0; i < count; i++) {
            const char *from =
                raw ? raw + row->raw_offset
                    : (const char *)ring->fields[f].data +
                          row->data_bytes * (uint64_t)nn__ring_sample(ring, position + i);
            nn__ring_put(ring, f, from, nn__ring_place(ring, f, position + i));
        }
    }
}

/* Calls the function on the calling thread. Fields that are not converted go directly to their
   place. */
static nn_result nn__ring_call(const nn__ring *ring, int64_t position) {
    char *raw = ring->workers[0].raw;
    void **to = ring->workers[0].to;
    nn_result result;
    for (int f = 0; f < ring->field_count; f++)
        to[f] = ring->row[f].converts ? raw + ring->row[f].raw_offset
                                      : nn__ring_place(ring, f, position);
    result = ring->get(ring->user, nn__ring_sample(ring, position), to);
    for (int f = 0; f < ring->field_count && result == NN_OK; f++)
        if (ring->row[f].converts)
            nn__ring_put(ring, f, (char *)to[f], nn__ring_place(ring, f, position));
    return result;
}

/* ---- a worker -------------------------------------------------------------------------------- */

/* Calls the user's function, during which the lock is released; NN_OK if there is none. */
static nn_result nn__ring_ask(nn__ring *ring, nn__ring_worker *self, int64_t position) {
    nn_result result;
    void **to = self->to;
    if (!ring->get) return NN_OK;
    for (int f = 0; f < ring->field_count; f++) to[f] = self->raw + ring->row[f].raw_offset;
    self->position = (int32_t)position;
    self->sample = nn__ring_sample(ring, position);
    self->generation = ring->generation;
    self->calling = true;
    nn__helpers_unlock(ring->helpers);
    result = ring->get(ring->user, self->sample, to);
    nn__helpers_lock(ring->helpers);
    self->calling = false;
    ring->progress++;
    return result;
}

/* Gathers the next samples. Called with the lock held, which is released in between. */
static void nn__ring_work(nn__ring *ring, nn__ring_worker *self) {
    int64_t position = ring->next;
    /* Number of samples that the batch still needs. */
    int64_t left = ring->batch - (position - ring->first) % ring->batch;
    int64_t most = nn__min64(nn__min64(left, ring->limit - position), ring->unit);
    int32_t count = (int32_t)most, slot = nn__ring_slot(ring, position);
    uint32_t generation = ring->generation;
    uint64_t start = nn__system_now();
    nn_result result;
    ring->next += count;
    result = nn__ring_ask(ring, self, position);
    if (generation != ring->generation || nn__helpers_quits(ring->helpers)) return;
    if (result != NN_OK) {
        if (ring->failed < 0 || position < ring->failed) {
            ring->failed = position;
            ring->failure = result;
        }
    } else {
        ring->writing++;
        nn__helpers_unlock(ring->helpers);
        nn__ring_write(ring, ring->get ? self->raw : NULL, position, count);
        nn__helpers_lock(ring->helpers);
        ring->writing--;
        if (generation == ring->generation) ring->done[slot] += count;
        ring->gather_ns += nn__system_now() - start;
    }
}

static void nn__ring_run(nn__helpers *helpers, void *data, int member) {
    nn__ring *ring = (nn__ring *)data;
    nn__helpers_lock(helpers);
    while (!nn__helpers_quits(helpers)) {
        if (ring->next < ring->limit && ring->failed < 0) {
            nn__ring_work(ring, &ring->workers[member]);
            nn__helpers_tell(helpers);
        } else {
            nn__helpers_wait(helpers);
        }
    }
    nn__helpers_unlock(helpers);
}

/* ---- the caller ------------------------------------------------------------------------------ */

/* Returns the ring's helpers. In a child of fork() their threads do not exist: the caller continues
   without them. */
static nn__helpers *nn__ring_helpers(nn__ring *ring) {
    if (ring->helpers && nn__helpers_lost(ring->helpers)) {
        ring->lost = ring->helpers;
        ring->helpers = NULL;
        ring->writing = 0;
    }
    return ring->helpers;
}

NN_PRIVATE void nn__ring_stop(nn__ring *ring) {
    if (nn__ring_helpers(ring)) nn__helpers_lock(ring->helpers);
    ring->generation++;
    ring->next = ring->limit = ring->end = 0;
    ring->failed = -1;
    while (ring->helpers && ring->writing > 0) nn__helpers_listen(ring->helpers, false);
    if (ring->helpers) nn__helpers_unlock(ring->helpers);
}

NN_PRIVATE void nn__ring_start(nn__ring *ring, int64_t first, int64_t end) {
    if (nn__ring_helpers(ring)) nn__helpers_lock(ring->helpers);
    ring->first = ring->next = ring->limit = first;
    ring->end = end;
    ring->failed = -1;
    memset(ring->done, 0, sizeof *ring->done * (size_t)ring->slots);
    if (ring->helpers) nn__helpers_unlock(ring->helpers);
}

/* Of the workers that are inside the user's function, returns the one with the earliest position.
   Without `any`, only positions of the current epoch before `end` count. NULL: there is none. */
static const nn__ring_worker *nn__ring_caller(const nn__ring *ring, int64_t end, bool any) {
    const nn__ring_worker *first = NULL;
    for (int i = 0; i < ring->worker_count; i++) {
        const nn__ring_worker *worker = &ring->workers[i];
        if (!worker->calling) continue;
        if (!any && (worker->generation != ring->generation || worker->position >= end)) continue;
        if (!first || worker->position < first->position) first = worker;
    }
    return first;
}

/* Waits until the batch is there, or will never be. Called with the lock held. */
static nn__ring_answer nn__ring_await(nn__ring *ring, int64_t first, int32_t samples,
                                      int milliseconds) {
    int32_t slot = nn__ring_slot(ring, first);
    uint32_t seen = ring->progress;
    for (int passed = 0;;) {
        if (ring->done[slot] == samples) return NN__RING_READY;
        if (ring->failed >= 0 && ring->failed < first + samples &&
            !nn__ring_caller(ring, ring->failed, false))
            return NN__RING_FAILED; /* All earlier calls have returned. */
        if (milliseconds > 0 && passed >= milliseconds && nn__ring_caller(ring, 0, true))
            return NN__RING_HANGS;
        passed += nn__helpers_listen(ring->helpers, milliseconds > 0);
        if (ring->progress != seen) passed = 0; /* Other calls return, so the ring does not hang. */
        seen = ring->progress;
    }
}

NN_PRIVATE nn__ring_answer nn__ring_fetch(nn__ring *ring, int64_t first, int32_t samples,
                                          int64_t room, int milliseconds, int32_t *sample,
                                          nn_result *failure) {
    nn__ring_answer answer = NN__RING_READY;
    if (!nn__ring_helpers(ring)) {
        if (!ring->get) nn__ring_write(ring, NULL, first, samples);
        for (int32_t i = 0; ring->get && i < samples; i++) {
            *failure = nn__ring_call(ring, first + i);
            *sample = nn__ring_sample(ring, first + i);
            if (*failure != NN_OK) return NN__RING_FAILED;
        }
        return NN__RING_READY;
    }
    nn__helpers_lock(ring->helpers);
    room = nn__min64(room, ring->end);
    if (room > ring->limit) {
        ring->limit = room;
        nn__helpers_wake(ring->helpers);
    }
    answer = nn__ring_await(ring, first, samples, milliseconds);
    if (answer == NN__RING_READY) ring->done[nn__ring_slot(ring, first)] = 0;
    if (answer == NN__RING_FAILED) {
        *sample = nn__ring_sample(ring, ring->failed);
        *failure = ring->failure;
    }
    if (answer == NN__RING_HANGS) {
        const nn__ring_worker *worker = nn__ring_caller(ring, first + samples, false);
        if (!worker) worker = nn__ring_caller(ring, 0, true);
        *sample = worker->sample;
        *failure = NN_ERROR_CALLBACK;
    }
    nn__helpers_unlock(ring->helpers);
    return answer;
}

NN_PRIVATE bool nn__ring_ready(nn__ring *ring, int64_t first, int32_t samples) {
    bool ready;
    if (!nn__ring_helpers(ring)) return false;
    nn__helpers_lock(ring->helpers);
    ready = ring->done[nn__ring_slot(ring, first)] == samples;
    nn__helpers_unlock(ring->helpers);
    return ready;
}

/* ---- making and freeing ---------------------------------------------------------------------- */

/* Offsets of the arrays after the ring, in bytes from its start. */
typedef struct nn__ring_layout {
    uint64_t fields, rows, workers, to, done, order, raw, raw_bytes, end;
} nn__ring_layout;

static nn__ring_layout nn__ring_lay_out(const nn_dataset *dataset, const nn_loader_desc *desc,
                                        int workers, int32_t slots) {
    nn__ring_layout at;
    memset(&at, 0, sizeof at);
    for (int f = 0; dataset->get && f < dataset->field_count; f++)
        at.raw_bytes += nn__padded(nn__field_data_bytes(&dataset->fields[f]));
    const uint64_t fields = (uint64_t)dataset->field_count;
    at.fields = nn__padded(sizeof(nn__ring));
    at.rows = at.fields + nn__padded(fields * sizeof(nn_field));
    at.workers = at.rows + nn__padded(fields * sizeof(nn__ring_row));
    at.to = at.workers + nn__padded((uint64_t)workers * sizeof(nn__ring_worker));
    at.done = at.to + nn__padded((uint64_t)workers * fields * sizeof(void *));
    at.order = at.done + nn__padded((uint64_t)slots * sizeof(int32_t));
    at.raw = at.order + nn__padded(desc->shuffle ? (uint64_t)dataset->count * sizeof(int32_t) : 0);
    at.end = at.raw + (uint64_t)workers * at.raw_bytes;
    if (at.raw_bytes > UINT64_MAX >> 12) at.end = UINT64_MAX; /* No machine has that much memory. */
    return at;
}

static void nn__ring_fill(nn__ring *ring, const nn_dataset *dataset, const nn_loader_desc *desc,
                          const nn__ring_layout *at) {
    char *base = (char *)ring;
    uint64_t raw_offset = 0;
    ring->field_count = dataset->field_count;
    ring->fields = (nn_field *)(void *)(base + at->fields);
    ring->row = (nn__ring_row *)(void *)(base + at->rows);
    ring->get = dataset->get;
    ring->user = dataset->user;
    ring->total = dataset->count;
    ring->rank = desc->rank;
    ring->world = desc->world;
    ring->batch = desc->batch;
    ring->failed = -1;
    ring->workers = (nn__ring_worker *)(void *)(base + at->workers);
    ring->done = (int32_t *)(void *)(base + at->done);
    if (desc->shuffle) ring->order = (int32_t *)(void *)(base + at->order);
    for (int i = 0; i < ring->worker_count; i++) {
        ring->workers[i].raw = base + at->raw + at->raw_bytes * (uint64_t)i;
        ring->workers[i].to = (void **)(void *)(base + at->to) + i * ring->field_count;
    }
    for (int f = 0; f < ring->field_count; f++) {
        nn__ring_row *row = &ring->row[f];
        ring->fields[f] = dataset->fields[f];
        row->data_bytes = nn__field_data_bytes(&dataset->fields[f]);
        row->raw_offset = raw_offset;
        raw_offset += nn__padded(row->data_bytes);
    }
    /* Calls of a user's function are handed out one by one. Copies are handed out in pieces small
       enough for every worker to get some of a batch. */
    ring->unit = ring->get ? 1 : nn__maxi(1, nn__mini(64, ring->batch / (2 * ring->worker_count)));
}

NN_PRIVATE nn__ring *nn__ring_make(nn_context *nn, const nn_loader_desc *desc, size_t *bytes) {
    const nn_dataset *dataset = desc->dataset;
    int32_t slots = 1 + (desc->prefetch > 0 ? desc->prefetch : 2);
    nn__ring_layout at = nn__ring_lay_out(dataset, desc, desc->workers, slots);
    nn__helpers *helpers = NULL;
    nn__ring *ring;
    void *data = NULL;
    if (desc->workers > 0 && at.end <= SIZE_MAX / 2)
        helpers = nn__helpers_open(&nn->memory, desc->workers, (size_t)at.end, nn__ring_run, &data);
    ring = (nn__ring *)data;
    if (!helpers) {
        slots = 1 + desc->prefetch;
        at = nn__ring_lay_out(dataset, desc, 1, slots);
        ring =
            at.end <= SIZE_MAX / 2 ? (nn__ring *)nn__allocate(&nn->memory, (size_t)at.end) : NULL;
        if (!ring) {
            nn__fail_memory(nn, "nn_make_loader", at.end);
            return NULL;
        }
    }
    *bytes = (size_t)at.end;
    if (helpers) nn__helpers_lock(helpers);
    ring->helpers = helpers;
    ring->slots = slots;
    ring->worker_count = helpers ? nn__helpers_count(helpers) : 1;
    nn__ring_fill(ring, dataset, desc, &at);
    if (helpers) nn__helpers_unlock(helpers);
    return ring;
}

/* Returns the sample of a worker that is still inside its function. */
static int32_t nn__ring_stuck(nn__ring *ring) {
    const nn__ring_worker *worker;
    int32_t sample;
    nn__helpers_lock(ring->helpers);
    worker = nn__ring_caller(ring, 0, true);
    sample = worker ? worker->sample : -1;
    nn__helpers_unlock(ring->helpers);
    return sample;
}

NN_PRIVATE void nn__ring_free(nn_context *nn, nn__ring *ring, size_t bytes, int milliseconds,
                              const char *who) {
    nn__helpers *helpers = ring ? nn__ring_helpers(ring) : NULL;
    if (ring && ring->lost) {
        nn__helpers_close(&nn->memory, ring->lost, milliseconds); /* This frees the ring as well. */
        return;
    }
    if (!helpers) {
        nn__release(&nn->memory, ring, bytes);
        return;
    }
    nn__ring_stop(ring); /* From here on no worker writes rows. */
    nn__helpers_dismiss(helpers);
    if (milliseconds == 0 && !nn__helpers_gone(helpers, NN__RING_NOTE) && nn->log.function) {
        char text[200];
        nn__explain(text, sizeof text,
                    "nn: %s: waiting for the dataset's function to return from sample %d "
                    "(nn_loader_desc.timeout "
                    "would limit that)\n",
                    who, (int)nn__ring_stuck(ring));
        nn->log.function(nn->log.user, text, strlen(text));
    }
    if (nn__helpers_close(&nn->memory, helpers, milliseconds)) return;
    nn__fail(nn, NN_ERROR_CALLBACK,
             "%s: the dataset's function has not returned from sample %d; its thread and %llu "
             "bytes are left to "
             "it: keep what it reads, or let it return",
             who, (int)nn__ring_stuck(ring), (unsigned long long)bytes);
}

#undef NN__RING_NOTE
#endif /* NN__NO_TRAINER */

typedef int nn__ring_part; /* a part must not be empty under NN__NO_TRAINER */
