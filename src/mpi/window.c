/* mpi/window.c - memory where ranks of one machine add gradients in place: a file without a name
   that every rank of the machine maps. There is no such memory if a rank is on another machine,
   or if a rank forbids it (nn_mpi_desc.no_shared_memory). */
#include "mpi/private.h"

#ifndef NN_NO_TRAINING
#ifdef NN__MPI_SHARED
#include <sys/mman.h>
#include <unistd.h>
#if defined(__linux__) && defined(__LP64__)
#include <sys/syscall.h>
#ifndef __cplusplus
long syscall(long number, ...); /* which -std=c99 hides */
#endif
#endif

#define NN__MPI_TAIL 4096 /* bytes after the trainer's, which hold the token */

/* True if every rank is on this machine and none forbids shared memory. */
static bool nn__mpi_is_together(const nn__mpi *mpi) {
    if (!mpi->segment || mpi->lost) return false;
    for (int i = 0; i < mpi->size; i++)
        if (i != mpi->rank && !mpi->peers[i].segment) return false;
    return true;
}

/* Adds what was mapped to the list and returns it. NULL: nothing was mapped, or there is no memory
   for the list. */
static void *nn__mpi_window_add(nn__mpi *mpi, void *memory, size_t bytes, int file) {
    nn__mpi_window *window =
        memory ? (nn__mpi_window *)nn__mpi_allocate(sizeof *window) : NULL;
    if (!window) {
        if (memory) munmap(memory, bytes);
        if (file >= 0) close(file);
        return NULL;
    }
    window->memory = memory;
    window->bytes = bytes;
    window->file = file;
    window->next = mpi->windows;
    mpi->windows = window;
    return memory;
}

static void nn__mpi_window_drop(nn__mpi_window *window) {
    int finalized = 0;
    munmap(window->memory, window->bytes);
    if (window->file >= 0) close(window->file);
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Free_mem(window);
}

static size_t nn__mpi_window_bytes(size_t bytes) {
    return (bytes + 4095) / 4096 * 4096 + NN__MPI_TAIL;
}

/* Asks for huge pages, because gradients are large and few pages are translated faster. */
static void nn__mpi_window_advise(void *memory, size_t bytes) {
#ifdef SYS_madvise
    syscall(SYS_madvise, memory, bytes, 14 /* MADV_HUGEPAGE */);
#else
    (void)memory, (void)bytes;
#endif
}

NN__MPI_PRIVATE void *nn__mpi_window_share(void *user, size_t bytes, void *place) {
    nn__mpi *mpi = (nn__mpi *)user;
    const size_t whole = nn__mpi_window_bytes(bytes);
    nn__mpi_file named;
    char *memory;
    int file = -1;
    memset(&named, 0, sizeof named);
    if (!nn__mpi_is_together(mpi)) return NULL;
    memory = (char *)nn__mpi_create(&named, whole, &file);
    if (memory) {
        nn__mpi_window_advise(memory, whole);
        memcpy(memory + whole - NN__MPI_TAIL, named.token, sizeof named.token);
        memcpy(place, &named, sizeof named);
    }
    return nn__mpi_window_add(mpi, memory, whole, file);
}

NN__MPI_PRIVATE void *nn__mpi_window_reach(void *user, int32_t peer, const void *place,
                                           size_t bytes) {
    nn__mpi *mpi = (nn__mpi *)user;
    const size_t whole = nn__mpi_window_bytes(bytes);
    nn__mpi_file named;
    char *memory;
    memcpy(&named, place, sizeof named);
    if (!nn__mpi_is_together(mpi) || peer < 0 || !named.path[0]) return NULL;
    named.path[sizeof named.path - 1] = 0;
    memory = (char *)nn__mpi_find(&named, whole);
    if (memory && memcmp(memory + whole - NN__MPI_TAIL, named.token, sizeof named.token) != 0) {
        munmap(memory, whole);
        memory = NULL;
    }
    if (memory) nn__mpi_window_advise(memory, whole);
    return nn__mpi_window_add(mpi, memory, whole, -1);
}

NN__MPI_PRIVATE void nn__mpi_window_unshare(void *user, void *memory) {
    nn__mpi_window **at = &((nn__mpi *)user)->windows, *window;
    while (*at && (*at)->memory != memory) at = &(*at)->next;
    window = *at;
    if (!window) return;
    *at = window->next;
    nn__mpi_window_drop(window);
}

NN__MPI_PRIVATE void nn__mpi_window_close(nn__mpi *mpi) {
    while (mpi->windows) nn__mpi_window_unshare(mpi, mpi->windows->memory);
}

#undef NN__MPI_TAIL
#else

NN__MPI_PRIVATE void *nn__mpi_window_share(void *user, size_t bytes, void *place) {
    (void)user, (void)bytes, (void)place;
    return NULL;
}
NN__MPI_PRIVATE void *nn__mpi_window_reach(void *user, int32_t peer, const void *place,
                                           size_t bytes) {
    (void)user, (void)peer, (void)place, (void)bytes;
    return NULL;
}
NN__MPI_PRIVATE void nn__mpi_window_unshare(void *user, void *memory) { (void)user, (void)memory; }
NN__MPI_PRIVATE void nn__mpi_window_close(nn__mpi *mpi) { (void)mpi; }

#endif
#endif
