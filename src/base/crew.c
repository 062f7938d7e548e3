/* base/crew.c - a crew: a few threads that work beside the caller until they are dismissed, with
   a lock and two condition variables. The code that opens the crew decides what they do. */
#include "base/rounding.h"
#include "base/system.h"

#ifdef NN__THREADS

typedef struct nn__crew_member {
    nn__crew *crew;
    int number;
    bool ended; /* guarded by the lock */
    nn__thread_handle thread;
} nn__crew_member;

struct nn__crew {
    size_t bytes; /* of this allocation: the crew, its members, the data */
    int members;
    int present; /* guarded by the lock: members that have not ended */
    bool quits;  /* guarded by the lock */
    void (*run)(nn__crew *crew, void *data, int member);
    void *data;
    int process;           /* the process that has the threads */
    nn__rounding rounding; /* guarded by the lock: settings of the last thread that called wake */
    nn__crew_member *member;
    nn__thread_mutex mutex;
    nn__thread_condition wake, told;
};

NN__THREAD_MAIN nn__crew_serve(void *data) {
    nn__crew_member *self = (nn__crew_member *)data;
    nn__crew *crew = self->crew;
    nn__thread_lock(&crew->mutex);
    nn__set_rounding(crew->rounding);
    nn__thread_unlock(&crew->mutex);
    crew->run(crew, crew->data, self->number);
    nn__thread_lock(&crew->mutex);
    self->ended = true;
    crew->present--;
    nn__thread_wake(&crew->told);
    nn__thread_unlock(&crew->mutex);
    return NN__THREAD_MAIN_RESULT;
}

NN_PRIVATE void nn__crew_lock(nn__crew *crew) { nn__thread_lock(&crew->mutex); }
NN_PRIVATE void nn__crew_unlock(nn__crew *crew) { nn__thread_unlock(&crew->mutex); }
NN_PRIVATE void nn__crew_wake(nn__crew *crew) {
    crew->rounding = nn__get_rounding();
    nn__thread_wake(&crew->wake);
}
NN_PRIVATE void nn__crew_tell(nn__crew *crew) { nn__thread_wake(&crew->told); }
NN_PRIVATE bool nn__crew_quits(const nn__crew *crew) { return crew->quits; }
NN_PRIVATE int nn__crew_members(const nn__crew *crew) { return crew ? crew->members : 0; }
NN_PRIVATE void nn__crew_wait(nn__crew *crew) {
    nn__thread_wait(&crew->wake, &crew->mutex);
    nn__set_rounding(crew->rounding);
}
NN_PRIVATE bool nn__crew_lost(const nn__crew *crew) {
    return crew->process != nn__thread_process();
}

NN_PRIVATE int nn__crew_listen(nn__crew *crew, bool briefly) {
    if (briefly) return nn__thread_wait_briefly(&crew->told, &crew->mutex);
    nn__thread_wait(&crew->told, &crew->mutex);
    return 0;
}

NN_PRIVATE nn__crew *nn__crew_open(nn__memory *memory, int members, size_t data_bytes,
                                   void (*run)(nn__crew *crew, void *data, int member),
                                   void **data) {
    size_t own = nn__align_up(sizeof(nn__crew), NN__ALIGNMENT), all;
    nn__crew *crew;
    if (memory->block || members < 1) return NULL;
    all = own + nn__align_up((size_t)members * sizeof(nn__crew_member), NN__ALIGNMENT);
    if (data_bytes > SIZE_MAX - all) return NULL;
    crew = (nn__crew *)nn__allocate(memory, all + data_bytes);
    if (!crew) return NULL;
    crew->bytes = all + data_bytes;
    crew->run = run;
    crew->process = nn__thread_process();
    crew->rounding = nn__get_rounding();
    crew->member = (nn__crew_member *)(void *)((char *)crew + own);
    crew->data = *data = (char *)crew + all;
    if (!nn__thread_prepare(&crew->mutex, &crew->wake, &crew->told)) {
        nn__release(memory, crew, crew->bytes);
        return NULL;
    }
    nn__thread_lock(&crew->mutex); /* no member reads the crew before it is complete */
    for (int i = 0; i < members; i++) {
        crew->member[i].crew = crew;
        crew->member[i].number = i;
        if (!nn__thread_start(&crew->member[i].thread, nn__crew_serve, &crew->member[i])) break;
        crew->members = crew->present = i + 1;
    }
    nn__thread_unlock(&crew->mutex);
    if (crew->members > 0) return crew;
    nn__crew_close(memory, crew, 0);
    return NULL;
}

NN_PRIVATE void nn__crew_dismiss(nn__crew *crew) {
    nn__thread_lock(&crew->mutex);
    crew->quits = true;
    nn__thread_wake(&crew->wake);
    nn__thread_unlock(&crew->mutex);
}

NN_PRIVATE bool nn__crew_gone(nn__crew *crew, int milliseconds) {
    bool gone;
    nn__thread_lock(&crew->mutex);
    for (int passed = 0; crew->present > 0 && passed < milliseconds;)
        passed += nn__thread_wait_briefly(&crew->told, &crew->mutex);
    gone = crew->present == 0;
    nn__thread_unlock(&crew->mutex);
    return gone;
}

NN_PRIVATE bool nn__crew_close(nn__memory *memory, nn__crew *crew, int milliseconds) {
    int left = 0;
    if (!crew) return true;
    /* after fork() there are no threads to wait for, and the lock may be held for ever */
    if (nn__crew_lost(crew)) {
        nn__release(memory, crew, crew->bytes);
        return true;
    }
    nn__crew_dismiss(crew);
    if (milliseconds > 0) nn__crew_gone(crew, milliseconds);
    for (int i = 0; i < crew->members; i++) {
        bool ended;
        nn__thread_lock(&crew->mutex);
        ended = crew->member[i].ended || milliseconds <= 0;
        nn__thread_unlock(&crew->mutex);
        if (ended)
            nn__thread_join(crew->member[i].thread);
        else
            nn__thread_detach(crew->member[i].thread);
        left += !ended;
    }
    if (left > 0) return false;
    nn__thread_dispose(&crew->mutex, &crew->wake, &crew->told);
    nn__release(memory, crew, crew->bytes);
    return true;
}

NN_PRIVATE int nn__crew_process(void) { return nn__thread_process(); }

#else

NN_PRIVATE int nn__crew_process(void) { return 0; }
NN_PRIVATE void nn__crew_lock(nn__crew *crew) { (void)crew; }
NN_PRIVATE void nn__crew_unlock(nn__crew *crew) { (void)crew; }
NN_PRIVATE void nn__crew_wake(nn__crew *crew) { (void)crew; }
NN_PRIVATE void nn__crew_tell(nn__crew *crew) { (void)crew; }
NN_PRIVATE bool nn__crew_quits(const nn__crew *crew) { return crew == NULL; }
NN_PRIVATE int nn__crew_members(const nn__crew *crew) { return crew != NULL; }
NN_PRIVATE void nn__crew_wait(nn__crew *crew) { (void)crew; }
NN_PRIVATE bool nn__crew_lost(const nn__crew *crew) { return crew == NULL; }
NN_PRIVATE int nn__crew_listen(nn__crew *crew, bool briefly) { return crew && briefly; }
NN_PRIVATE nn__crew *nn__crew_open(nn__memory *memory, int members, size_t data_bytes,
                                   void (*run)(nn__crew *crew, void *data, int member),
                                   void **data) {
    (void)memory, (void)members, (void)data_bytes, (void)run, (void)data;
    return NULL;
}
NN_PRIVATE void nn__crew_dismiss(nn__crew *crew) { (void)crew; }
NN_PRIVATE bool nn__crew_gone(nn__crew *crew, int milliseconds) {
    return !crew && milliseconds >= 0;
}
NN_PRIVATE bool nn__crew_close(nn__memory *memory, nn__crew *crew, int milliseconds) {
    return memory && !crew && milliseconds >= 0;
}

#endif
