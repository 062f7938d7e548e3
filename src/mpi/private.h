/* mpi/private.h - the inside of a group over MPI. */
#pragma once

#include "mpi/mpi.h"

#include <string.h>

/* As in nn.h: static in the drop-in. */
#if defined(__GNUC__) || defined(__TINYC__)
#define NN__MPI_UNUSED __attribute__((unused))
#else
#define NN__MPI_UNUSED
#endif
#ifdef NN_PRIVATE
#define NN__MPI_PRIVATE NN_PRIVATE
#elif defined(NN_MPI_IMPLEMENTATION)
#define NN__MPI_PRIVATE static NN__MPI_UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN__MPI_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN__MPI_PRIVATE extern
#endif

#ifndef NN_NO_TRAINING
#define NN__MPI_NOTE  512 /* bytes of a text that one rank tells all others */

/* One rank. All of it, and the buffers, are MPI_Alloc_mem's: what MPI still uses when a rank is
   lost is left to it. */
typedef struct nn__mpi {
    MPI_Comm comm; /* ours alone */
    int rank, size;
    bool finalizes; /* MPI was initialised here */
    bool main_only; /* only MPI's main thread may call it */
    bool by_main;   /* that thread opened the group: any other one is the library's */
    bool lost;      /* MPI may wait for a rank that does not come: only its memory is touched */
    bool silent;    /* never a group: says nothing to the others */
    char *out, *in; /* NN_GROUP_PIECE bytes each, between MPI and the caller's memory */
    char *note;     /* what this rank tells; NULL: nothing yet */
    MPI_Request *notes; /* size */
} nn__mpi;

/* NULL: no memory. */
NN__MPI_PRIVATE void *nn__mpi_allocate(size_t bytes);
/* Waits for all requests. beside: on a thread of the library's own. False: go_on said so, or MPI
   failed; some may be under way. */
NN__MPI_PRIVATE bool nn__mpi_wait(MPI_Request *requests, int count, bool beside,
                                  bool (*go_on)(void *of), void *of);
NN__MPI_PRIVATE nn_result nn__mpi_exchange(void *user, int32_t peer, const void *send,
                                           size_t send_bytes, void *receive, size_t receive_bytes,
                                           bool (*go_on)(void *of), void *of);
NN__MPI_PRIVATE void nn__mpi_tell(void *user, const char *text);
NN__MPI_PRIVATE bool nn__mpi_told(void *user, char *text, size_t size);
/* Gives all others a moment to take what was told. */
NN__MPI_PRIVATE void nn__mpi_flush(nn__mpi *mpi);
#endif
