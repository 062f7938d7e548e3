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

enum { NN__MPI_DATA = 1, NN__MPI_TOLD = 2, NN__MPI_OPEN = 3 }; /* tags of messages */

#if defined(__GNUC__) && !defined(__TINYC__) && !defined(_WIN32)
#define NN__MPI_SHARED /* ranks of one machine have memory in common */
#endif

typedef struct nn__mpi_segment nn__mpi_segment;

/* A file that other processes of this machine can map. */
typedef struct nn__mpi_file {
    char path[64]; /* where it is open: "/proc/<process>/fd/<file>" */
    uint32_t token[2]; /* which nothing else has */
} nn__mpi_file;

/* Memory of a trainer: this rank's own, or what it reaches of another one's (mpi/window.c). */
typedef struct nn__mpi_window {
    struct nn__mpi_window *next;
    void *memory;
    size_t bytes; /* that are mapped */
    int file;     /* open, so that others find it; -1: another rank's */
} nn__mpi_window;

/* What a rank shares with another one of its machine. */
typedef struct nn__mpi_peer {
    nn__mpi_segment *segment; /* the peer's, mapped here; NULL: its messages are MPI's */
    uint32_t sent, received;  /* messages to and from it */
} nn__mpi_peer;

/* What the ranks said of something that each tried. */
typedef struct nn__mpi_answer {
    int first;            /* that did not succeed; the number of ranks: all did */
    int missing, silent; /* the first rank that did not answer in time, and how many did not */
} nn__mpi_answer;

/* How long one wait has lasted, in seconds of MPI_Wtime. All 0 at its start. */
typedef struct nn__mpi_patience {
    double start, asked;
    int looks;
    struct nn__mpi *of; /* waits for a peer that rings, and so often it had rung; NULL: for MPI */
    uint32_t seen;
} nn__mpi_patience;

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
    nn__mpi_segment *segment; /* this rank's; NULL: nothing is shared */
    nn__mpi_peer *peers;      /* size; NULL: the same */
    uint32_t messages;        /* that went through the segment */
    nn__mpi_window *windows;
} nn__mpi;

/* NULL: no memory. */
NN__MPI_PRIVATE void *nn__mpi_allocate(size_t bytes);
/* Waits for all requests. beside: on a thread of the library's own. False: go_on said so, or MPI
   failed; some may be under way. */
NN__MPI_PRIVATE bool nn__mpi_wait(MPI_Request *requests, int count, bool beside,
                                  bool (*go_on)(void *of), void *of);
/* Between two looks. False: go_on said so. */
NN__MPI_PRIVATE bool nn__mpi_pause(nn__mpi_patience *patience, bool beside,
                                   bool (*go_on)(void *of), void *of);
/* Of each rank the same number of bytes, by rank. False: not in time; `all` is left to MPI. */
NN__MPI_PRIVATE bool nn__mpi_gather(MPI_Comm comm, void *mine, void *all, size_t bytes,
                                    double seconds);
/* Did all succeed? Rank 0 hears the others for as long as `seconds`, and a little longer, and then
   tells those who answered. */
NN__MPI_PRIVATE nn__mpi_answer nn__mpi_agree(MPI_Comm comm, bool ready, int rank, int size,
                                             double seconds);
NN__MPI_PRIVATE nn_result nn__mpi_exchange(void *user, int32_t peer, const void *send,
                                           size_t send_bytes, void *receive, size_t receive_bytes,
                                           bool (*go_on)(void *of), void *of);
NN__MPI_PRIVATE void nn__mpi_tell(void *user, const char *text);
NN__MPI_PRIVATE bool nn__mpi_told(void *user, char *text, size_t size);
/* Memory in common with the other ranks of this machine, if all ranks want it and all such memory
   can be mapped. The answer says whether all ranks are there. */
NN__MPI_PRIVATE nn__mpi_answer nn__mpi_share(nn__mpi *mpi, bool wanted, double seconds);
NN__MPI_PRIVATE void nn__mpi_unshare(nn__mpi *mpi);
#ifdef NN__MPI_SHARED
/* The memory of an open file; NULL: the system refuses, or the file has another size. */
NN__MPI_PRIVATE void *nn__mpi_map(int file, size_t bytes);
/* The memory of a new file of zeros, all of which exist: a file system that is full says so here,
   and not when the memory is written. *file: open until all have mapped it; -1: there is none. */
NN__MPI_PRIVATE void *nn__mpi_create(nn__mpi_file *place, size_t bytes, int *file);
/* The same memory in another process. NULL: there is nothing. */
NN__MPI_PRIVATE void *nn__mpi_find(const nn__mpi_file *place, size_t bytes);
#endif
/* nn_group_desc.share, reach and unshare, and all that is left of them. */
NN__MPI_PRIVATE void *nn__mpi_window_share(void *user, size_t bytes, void *place);
NN__MPI_PRIVATE void *nn__mpi_window_reach(void *user, int32_t peer, const void *place,
                                           size_t bytes);
NN__MPI_PRIVATE void nn__mpi_window_unshare(void *user, void *memory);
NN__MPI_PRIVATE void nn__mpi_window_close(nn__mpi *mpi);
/* Sleeps until a peer has rung more often than `seen` times, or for 2 milliseconds. False: this
   system cannot. */
NN__MPI_PRIVATE bool nn__mpi_doze(nn__mpi *mpi, uint32_t seen);
/* nn__mpi_exchange with a peer whose segment is mapped. False: go_on said so, or the peer sent a
   message of another size. */
NN__MPI_PRIVATE bool nn__mpi_pass(nn__mpi *mpi, int32_t peer, const void *send, size_t send_bytes,
                                  void *receive, size_t receive_bytes, bool beside,
                                  bool (*go_on)(void *of), void *of);
/* Gives all others a moment to take what was told. */
NN__MPI_PRIVATE void nn__mpi_flush(nn__mpi *mpi);
#endif
