/* mpi/private.h - declarations that the files of the room share. */
#pragma once

#include "mpi/mpi.h"

#include <string.h>

/* As in nn.h, private functions are static in the drop-in. */
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
#define NN__MPI_NOTE  512 /* bytes of a text that a rank tells all others */

enum { NN__MPI_DATA = 1, NN__MPI_TOLD = 2, NN__MPI_OPEN = 3 }; /* tags of messages */

#if defined(__GNUC__) && !defined(__TINYC__) && !defined(_WIN32)
#define NN__MPI_SHARED /* ranks of one machine share memory */
#endif

typedef struct nn__mpi_segment nn__mpi_segment;

/* A file that other processes of this machine can map. */
typedef struct nn__mpi_file {
    char path[64]; /* where it is open: "/proc/<process>/fd/<file>" */
    uint32_t token[2]; /* unique to this file */
} nn__mpi_file;

/* Memory of a trainer that is mapped: this rank's own, or another rank's (mpi/window.c). */
typedef struct nn__mpi_window {
    struct nn__mpi_window *next;
    void *memory;
    size_t bytes; /* mapped bytes */
    int file;     /* open, so that others find it; -1: another rank's */
} nn__mpi_window;

/* What a rank shares with another rank of its machine. */
typedef struct nn__mpi_peer {
    nn__mpi_segment *segment; /* the peer's, mapped here; NULL: MPI passes its messages */
    uint32_t sent, received;  /* number of messages to and from it */
} nn__mpi_peer;

/* What the ranks answered after each of them tried something. */
typedef struct nn__mpi_answer {
    int first;            /* the first that failed; the number of ranks: none did */
    int missing, silent; /* the first rank that did not answer in time; how many did not */
} nn__mpi_answer;

/* How long one wait has lasted, in seconds of MPI_Wtime. It begins as all 0. */
typedef struct nn__mpi_patience {
    double start, asked;
    int looks;
    struct nn__mpi *of; /* the rank that waits for a peer to ring; NULL: it waits for MPI */
    uint32_t seen;
} nn__mpi_patience;

/* One rank. This struct and its buffers are from MPI_Alloc_mem: after a rank is lost, memory that
   MPI still uses is not freed. */
typedef struct nn__mpi {
    MPI_Comm comm; /* used by this group only */
    int rank, size;
    bool finalizes; /* MPI was initialised here */
    bool main_only; /* only MPI's main thread may call it */
    bool by_main;   /* MPI's main thread opened the group: any other thread is the library's */
    bool lost;      /* a rank is lost, and MPI may wait for it: closing frees only what is shared */
    bool silent;    /* the group was not made: it tells the others nothing */
    char *out, *in; /* NN_GROUP_PIECE bytes each, between MPI and the caller's memory */
    char *note;     /* what this rank tells; NULL: nothing yet */
    MPI_Request *notes; /* `size` elements */
    nn__mpi_segment *segment; /* this rank's; NULL: nothing is shared */
    nn__mpi_peer *peers;      /* `size` elements; NULL: nothing is shared */
    uint32_t messages;        /* number of messages through the segment */
    nn__mpi_window *windows;
} nn__mpi;

/* Returns memory of zeros; NULL: there is none. */
NN__MPI_PRIVATE void *nn__mpi_allocate(size_t bytes);
/* Waits for all requests. beside: the caller is a thread of the library. Returns false if go_on
   returned false or MPI failed; some requests may then still be under way. */
NN__MPI_PRIVATE bool nn__mpi_wait(MPI_Request *requests, int count, bool beside,
                                  bool (*go_on)(void *of), void *of);
/* Waits a moment before the caller tests its requests again. False: go_on returned false. */
NN__MPI_PRIVATE bool nn__mpi_pause(nn__mpi_patience *patience, bool beside,
                                   bool (*go_on)(void *of), void *of);
/* Gathers the same number of bytes from each rank into `all`, ordered by rank. Returns false if the
   ranks are not all in time; then `all` must not be freed. */
NN__MPI_PRIVATE bool nn__mpi_gather(MPI_Comm comm, void *mine, void *all, size_t bytes,
                                    double seconds);
/* Finds out whether all ranks succeeded. Rank 0 waits for the others' answers for a little more
   than `seconds`, and then tells the ranks that answered. */
NN__MPI_PRIVATE nn__mpi_answer nn__mpi_agree(MPI_Comm comm, bool ready, int rank, int size,
                                             double seconds);
NN__MPI_PRIVATE nn_result nn__mpi_exchange(void *user, int32_t peer, const void *send,
                                           size_t send_bytes, void *receive, size_t receive_bytes,
                                           bool (*go_on)(void *of), void *of);
NN__MPI_PRIVATE void nn__mpi_tell(void *user, const char *text);
NN__MPI_PRIVATE bool nn__mpi_told(void *user, char *text, size_t size);
/* Shares memory with the other ranks of this machine, if all ranks want it and can map it. The
   answer says whether all ranks are there. */
NN__MPI_PRIVATE nn__mpi_answer nn__mpi_share(nn__mpi *mpi, bool wanted, double seconds);
NN__MPI_PRIVATE void nn__mpi_unshare(nn__mpi *mpi);
#ifdef NN__MPI_SHARED
/* Maps an open file. NULL: the system refuses, or the file has another size. */
NN__MPI_PRIVATE void *nn__mpi_map(int file, size_t bytes);
/* Creates and maps a file of zeros. All of it is written, so that a full file system shows here and
   not later. The caller closes *file when all ranks have mapped it; -1: no file was created. */
NN__MPI_PRIVATE void *nn__mpi_create(nn__mpi_file *place, size_t bytes, int *file);
/* Maps the same file in another process. NULL: it is not there. */
NN__MPI_PRIVATE void *nn__mpi_find(const nn__mpi_file *place, size_t bytes);
#endif
/* These are nn_group_desc.share, reach and unshare; close frees all windows that are left. */
NN__MPI_PRIVATE void *nn__mpi_window_share(void *user, size_t bytes, void *place);
NN__MPI_PRIVATE void *nn__mpi_window_reach(void *user, int32_t peer, const void *place,
                                           size_t bytes);
NN__MPI_PRIVATE void nn__mpi_window_unshare(void *user, void *memory);
NN__MPI_PRIVATE void nn__mpi_window_close(nn__mpi *mpi);
/* Sleeps until a peer has rung more often than `seen` times, or for 2 milliseconds. Returns false
   if no peer has rung and this system cannot wait for one. */
NN__MPI_PRIVATE bool nn__mpi_doze(nn__mpi *mpi, uint32_t seen);
/* Does nn__mpi_exchange with a peer whose segment is mapped. False: go_on returned false, or the
   peer's message has another size. */
NN__MPI_PRIVATE bool nn__mpi_pass(nn__mpi *mpi, int32_t peer, const void *send, size_t send_bytes,
                                  void *receive, size_t receive_bytes, bool beside,
                                  bool (*go_on)(void *of), void *of);
/* Waits a moment, so that the other ranks can receive the note. */
NN__MPI_PRIVATE void nn__mpi_flush(nn__mpi *mpi);
#endif
