/* base/helpers.c - helper threads, which work beside the caller until they are dismissed, with
   one lock and two condition variables. The code that opens them decides what they do. */
#include "base/rounding.h"
#include "base/system.h"

#ifdef NN__THREADS

typedef struct nn__helper {
    nn__helpers *helpers;
    int number;
    bool ended; /* guarded by the lock */
    nn__thread_handle thread;
} nn__helper;

struct nn__helpers {
    size_t bytes; /* of this allocation: this struct, the threads, the data */
    int count;
    int present; /* guarded by the lock: helpers that have not ended */
    bool quits;  /* guarded by the lock */
    void (*run)(nn__helpers *helpers, void *data, int number);
    void *data;
    int process;           /* the process that has the threads */
    nn__rounding rounding; /* guarded by the lock: settings of the last thread that called wake */
    nn__helper *one;
    nn__thread_mutex mutex;
    nn__thread_condition wake, told;
};

NN__THREAD_MAIN nn__helpers_serve(void *data) {
    nn__helper *self = (nn__helper *)data;
    nn__helpers *helpers = self->helpers;
    nn__thread_lock(&helpers->mutex);
    nn__set_rounding(helpers->rounding);
    nn__thread_unlock(&helpers->mutex);
    helpers->run(helpers, helpers->data, self->number);
    nn__thread_lock(&helpers->mutex);
    self->ended = true;
    helpers->present--;
    nn__thread_wake(&helpers->told);
    nn__thread_unlock(&helpers->mutex);
    return NN__THREAD_MAIN_RESULT;
}

NN_PRIVATE void nn__helpers_lock(nn__helpers *helpers) { nn__thread_lock(&helpers->mutex); }
NN_PRIVATE void nn__helpers_unlock(nn__helpers *helpers) { nn__thread_unlock(&helpers->mutex); }
NN_PRIVATE void nn__helpers_wake(nn__helpers *helpers) {
    helpers->rounding = nn__get_rounding();
    nn__thread_wake(&helpers->wake);
}
NN_PRIVATE void nn__helpers_tell(nn__helpers *helpers) { nn__thread_wake(&helpers->told); }
NN_PRIVATE bool nn__helpers_quits(const nn__helpers *helpers) { return helpers->quits; }
NN_PRIVATE int nn__helpers_count(const nn__helpers *helpers) {
    return helpers ? helpers->count : 0;
}
NN_PRIVATE void nn__helpers_wait(nn__helpers *helpers) {
    nn__thread_wait(&helpers->wake, &helpers->mutex);
    nn__set_rounding(helpers->rounding);
}
NN_PRIVATE bool nn__helpers_lost(const nn__helpers *helpers) {
    return helpers->process != nn__thread_process();
}

NN_PRIVATE int nn__helpers_listen(nn__helpers *helpers, bool briefly) {
    if (briefly) return nn__thread_wait_briefly(&helpers->told, &helpers->mutex);
    nn__thread_wait(&helpers->told, &helpers->mutex);
    return 0;
}

NN_PRIVATE nn__helpers *nn__helpers_open(nn__memory *memory, int count, size_t data_bytes,
                                         void (*run)(nn__helpers *helpers, void *data, int number),
                                         void **data) {
    size_t own = nn__align_up(sizeof(nn__helpers), NN__ALIGNMENT), all;
    nn__helpers *helpers;
    if (memory->block || count < 1) return NULL;
    all = own + nn__align_up((size_t)count * sizeof(nn__helper), NN__ALIGNMENT);
    if (data_bytes > SIZE_MAX - all) return NULL;
    helpers = (nn__helpers *)nn__allocate(memory, all + data_bytes);
    if (!helpers) return NULL;
    helpers->bytes = all + data_bytes;
    helpers->run = run;
    helpers->process = nn__thread_process();
    helpers->rounding = nn__get_rounding();
    helpers->one = (nn__helper *)(void *)((char *)helpers + own);
    helpers->data = *data = (char *)helpers + all;
    if (!nn__thread_prepare(&helpers->mutex, &helpers->wake, &helpers->told)) {
        nn__release(memory, helpers, helpers->bytes);
        return NULL;
    }
    nn__thread_lock(&helpers->mutex); /* no helper reads this before it is complete */
    for (int i = 0; i < count; i++) {
        helpers->one[i].helpers = helpers;
        helpers->one[i].number = i;
        if (!nn__thread_start(&helpers->one[i].thread, nn__helpers_serve, &helpers->one[i], 0))
            break;
        helpers->count = helpers->present = i + 1;
    }
    nn__thread_unlock(&helpers->mutex);
    if (helpers->count > 0) return helpers;
    nn__helpers_close(memory, helpers, 0);
    return NULL;
}

NN_PRIVATE void nn__helpers_dismiss(nn__helpers *helpers) {
    nn__thread_lock(&helpers->mutex);
    helpers->quits = true;
    nn__thread_wake(&helpers->wake);
    nn__thread_unlock(&helpers->mutex);
}

NN_PRIVATE bool nn__helpers_gone(nn__helpers *helpers, int milliseconds) {
    bool gone;
    nn__thread_lock(&helpers->mutex);
    for (int passed = 0; helpers->present > 0 && passed < milliseconds;)
        passed += nn__thread_wait_briefly(&helpers->told, &helpers->mutex);
    gone = helpers->present == 0;
    nn__thread_unlock(&helpers->mutex);
    return gone;
}

NN_PRIVATE bool nn__helpers_close(nn__memory *memory, nn__helpers *helpers, int milliseconds) {
    int left = 0;
    if (!helpers) return true;
    /* after fork() there are no threads to wait for, and the lock may be held for ever */
    if (nn__helpers_lost(helpers)) {
        nn__release(memory, helpers, helpers->bytes);
        return true;
    }
    nn__helpers_dismiss(helpers);
    if (milliseconds > 0) nn__helpers_gone(helpers, milliseconds);
    for (int i = 0; i < helpers->count; i++) {
        bool ended;
        nn__thread_lock(&helpers->mutex);
        ended = helpers->one[i].ended || milliseconds <= 0;
        nn__thread_unlock(&helpers->mutex);
        if (ended)
            nn__thread_join(helpers->one[i].thread);
        else
            nn__thread_detach(helpers->one[i].thread);
        left += !ended;
    }
    if (left > 0) return false;
    nn__thread_dispose(&helpers->mutex, &helpers->wake, &helpers->told);
    nn__release(memory, helpers, helpers->bytes);
    return true;
}

NN_PRIVATE int nn__helpers_process(void) { return nn__thread_process(); }

#else

NN_PRIVATE int nn__helpers_process(void) { return 0; }
NN_PRIVATE void nn__helpers_lock(nn__helpers *helpers) { (void)helpers; }
NN_PRIVATE void nn__helpers_unlock(nn__helpers *helpers) { (void)helpers; }
NN_PRIVATE void nn__helpers_wake(nn__helpers *helpers) { (void)helpers; }
NN_PRIVATE void nn__helpers_tell(nn__helpers *helpers) { (void)helpers; }
NN_PRIVATE bool nn__helpers_quits(const nn__helpers *helpers) { return helpers == NULL; }
NN_PRIVATE int nn__helpers_count(const nn__helpers *helpers) { return helpers != NULL; }
NN_PRIVATE void nn__helpers_wait(nn__helpers *helpers) { (void)helpers; }
NN_PRIVATE bool nn__helpers_lost(const nn__helpers *helpers) { return helpers == NULL; }
NN_PRIVATE int nn__helpers_listen(nn__helpers *helpers, bool briefly) { return helpers && briefly; }
NN_PRIVATE nn__helpers *nn__helpers_open(nn__memory *memory, int count, size_t data_bytes,
                                         void (*run)(nn__helpers *helpers, void *data, int number),
                                         void **data) {
    (void)memory, (void)count, (void)data_bytes, (void)run, (void)data;
    return NULL;
}
NN_PRIVATE void nn__helpers_dismiss(nn__helpers *helpers) { (void)helpers; }
NN_PRIVATE bool nn__helpers_gone(nn__helpers *helpers, int milliseconds) {
    return !helpers && milliseconds >= 0;
}
NN_PRIVATE bool nn__helpers_close(nn__memory *memory, nn__helpers *helpers, int milliseconds) {
    return memory && !helpers && milliseconds >= 0;
}

#endif
