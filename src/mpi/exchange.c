/* mpi/exchange.c - exchanges messages with a deadline: it tests requests again and again and never
   blocks. Bytes go through buffers of our own, so that a late message of a rank that was given up
   is not written into the caller's memory. */
#include "mpi/private.h"

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <sched.h>
#include <sys/select.h>
#include <sys/time.h>
#endif

#ifndef NN_NO_TRAINING

NN__MPI_PRIVATE void *nn__mpi_allocate(size_t bytes) {
    void *memory = NULL;
    if (MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &memory) != MPI_SUCCESS || !memory)
        return NULL;
    memset(memory, 0, bytes);
    return memory;
}

/* Gives the processor to others: at first to whoever wants it, later for longer. beside: the
   program computes meanwhile, and polling without a rest would take its time. */
static void nn__mpi_rest(const nn__mpi_patience *patience, double waited, bool beside) {
#ifdef _WIN32
    (void)patience;
    Sleep(waited < (beside ? 2e-5 : 1e-3) ? 0 : 1);
#else
    struct timeval moment;
    if (waited < (beside ? 2e-5 : 1e-3)) {
        sched_yield();
        return;
    }
    if (patience->of && nn__mpi_doze(patience->of, patience->seen)) return;
    moment.tv_sec = 0;
    moment.tv_usec = 50;
    select(0, NULL, NULL, NULL, &moment);
#endif
}

NN__MPI_PRIVATE bool nn__mpi_pause(nn__mpi_patience *patience, bool beside,
                                   bool (*go_on)(void *of), void *of) {
    double now;
    if (patience->looks++ < 100) return true;
    now = MPI_Wtime();
    if (patience->start == 0.0) patience->start = patience->asked = now;
    if (now - patience->asked >= 2e-3) {
        if (!go_on(of)) return false;
        patience->asked = now;
    }
    nn__mpi_rest(patience, now - patience->start, beside);
    return true;
}

NN__MPI_PRIVATE bool nn__mpi_wait(MPI_Request *requests, int count, bool beside,
                                  bool (*go_on)(void *of), void *of) {
    nn__mpi_patience patience;
    memset(&patience, 0, sizeof patience);
    do {
        int done = 1;
        for (int i = 0; i < count && done; i++)
            if (MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
        if (done) return true;
    } while (nn__mpi_pause(&patience, beside, go_on, of));
    return false;
}

/* ---- giving up ------------------------------------------------------------------------------- */

/* Gives up a request. If it cannot be cancelled, MPI keeps its buffer for ever, and the next
   message gets another one. */
static void nn__mpi_abandon(MPI_Request *request, bool receives, char **buffer) {
    int done = 0;
    if (*request == MPI_REQUEST_NULL) return;
    if (receives) MPI_Cancel(request);
    for (int i = 0; i < 100 && !done; i++)
        if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
    if (done) return;
    MPI_Request_free(request);
    *buffer = NULL;
}

static bool nn__mpi_has_buffers(nn__mpi *mpi) {
    if (!mpi->out) mpi->out = (char *)nn__mpi_allocate(NN_GROUP_PIECE);
    if (!mpi->in) mpi->in = (char *)nn__mpi_allocate(NN_GROUP_PIECE);
    return mpi->out && mpi->in;
}

/* True if the program called MPI_Finalize before it freed the group. MPI would end a process that
   continues. */
static bool nn__mpi_over(nn__mpi *mpi) {
    int finalized = 0;
    MPI_Finalized(&finalized);
    mpi->lost |= finalized != 0;
    return finalized != 0;
}

NN__MPI_PRIVATE nn_result nn__mpi_exchange(void *user, int32_t peer, const void *send,
                                           size_t send_bytes, void *receive, size_t receive_bytes,
                                           bool (*go_on)(void *of), void *of) {
    nn__mpi *mpi = (nn__mpi *)user;
    MPI_Request requests[2];
    bool begun = true;
    int is_main = 1;
    if (nn__mpi_over(mpi)) return NN_ERROR_GROUP;
    requests[0] = requests[1] = MPI_REQUEST_NULL;
    MPI_Is_thread_main(&is_main);
    if (mpi->silent || (mpi->main_only && !is_main) || !nn__mpi_has_buffers(mpi)) {
        mpi->lost = true;
        return NN_ERROR_GROUP;
    }
    if (mpi->segment && mpi->peers[peer].segment) {
        if (nn__mpi_pass(mpi, peer, send, send_bytes, receive, receive_bytes,
                         mpi->by_main && !is_main, go_on, of))
            return NN_OK;
        mpi->lost = true;
        return NN_ERROR_GROUP;
    }
    if (receive_bytes)
        begun = MPI_Irecv(mpi->in, (int)receive_bytes, MPI_BYTE, peer, NN__MPI_DATA, mpi->comm,
                          &requests[0]) == MPI_SUCCESS;
    if (begun && send_bytes) {
        memcpy(mpi->out, send, send_bytes);
        begun = MPI_Isend(mpi->out, (int)send_bytes, MPI_BYTE, peer, NN__MPI_DATA, mpi->comm,
                          &requests[1]) == MPI_SUCCESS;
    }
    if (begun && nn__mpi_wait(requests, 2, mpi->by_main && !is_main, go_on, of)) {
        if (receive_bytes) memcpy(receive, mpi->in, receive_bytes);
        return NN_OK;
    }
    mpi->lost = true;
    nn__mpi_abandon(&requests[0], true, &mpi->in);
    nn__mpi_abandon(&requests[1], false, &mpi->out);
    return NN_ERROR_GROUP;
}

/* ---- telling --------------------------------------------------------------------------------- */

NN__MPI_PRIVATE void nn__mpi_tell(void *user, const char *text) {
    nn__mpi *mpi = (nn__mpi *)user;
    size_t length = strlen(text);
    mpi->lost = true;
    if (mpi->note || nn__mpi_over(mpi)) return;
    mpi->note = (char *)nn__mpi_allocate(NN__MPI_NOTE);
    mpi->notes = (MPI_Request *)nn__mpi_allocate(sizeof *mpi->notes * (size_t)mpi->size);
    if (!mpi->note || !mpi->notes) return;
    memcpy(mpi->note, text, length < NN__MPI_NOTE ? length : NN__MPI_NOTE - 1);
    for (int i = 0; i < mpi->size; i++) {
        mpi->notes[i] = MPI_REQUEST_NULL;
        if (i != mpi->rank)
            MPI_Isend(mpi->note, NN__MPI_NOTE, MPI_BYTE, i, NN__MPI_TOLD, mpi->comm,
                      &mpi->notes[i]);
    }
}

NN__MPI_PRIVATE bool nn__mpi_told(void *user, char *text, size_t size) {
    nn__mpi *mpi = (nn__mpi *)user;
    char note[NN__MPI_NOTE];
    MPI_Status status;
    int there = 0;
    if (size > 0 && nn__mpi_over(mpi)) {
        static const char over[] =
            "MPI_Finalize was called before nn_free_group; free the group first";
        memcpy(text, over, size < sizeof over ? size : sizeof over);
        text[size - 1] = 0;
        return true;
    }
    if (size == 0 || MPI_Iprobe(MPI_ANY_SOURCE, NN__MPI_TOLD, mpi->comm, &there, &status) !=
                         MPI_SUCCESS || !there)
        return false;
    if (MPI_Recv(note, NN__MPI_NOTE, MPI_BYTE, status.MPI_SOURCE, NN__MPI_TOLD, mpi->comm,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    mpi->lost = true;
    note[NN__MPI_NOTE - 1] = 0;
    if (size > sizeof note) size = sizeof note;
    memcpy(text, note, size);
    text[size - 1] = 0;
    return true;
}

static bool nn__mpi_before(void *of) { return MPI_Wtime() < *(const double *)of; }

NN__MPI_PRIVATE void nn__mpi_flush(nn__mpi *mpi) {
    double until = MPI_Wtime() + 1.0;
    if (mpi->note && mpi->notes) nn__mpi_wait(mpi->notes, mpi->size, false, nn__mpi_before, &until);
}

#endif
