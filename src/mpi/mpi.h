/* mpi/mpi.h - the processes of an MPI communicator as the ranks of a group. Any MPI 3 will do: Open
   MPI, MPICH, Intel MPI, MS-MPI. Everything that crosses the wire is MPI's; ranks of one machine
   exchange bytes through memory that they share.

   In one file of the program: #define NN_MPI_IMPLEMENTATION (beside NN_IMPLEMENTATION there or
   elsewhere), then #include "nn_mpi.h". Compile with mpicc, start with mpirun:

       nn_context *nn = nn_open(NULL);
       nn_group *group = nn_mpi_open(nn, NULL);
       ... nn_group_sum(group, tensor) and so on
       nn_close(nn);

       mpicc program.c -o program -lm -lpthread && mpirun -n 4 ./program

   A program that was not started by mpirun is a group of one rank.

   MPI may be initialised before (MPI_Init, or MPI_Init_thread with any level) or not: then
   nn_mpi_open does it, and freeing the group calls MPI_Finalize, after which MPI cannot be used
   again in this process. Programs that open several groups, one after the other, call MPI_Init and
   MPI_Finalize themselves.

   Sums go on beside the program's work where MPI may be called from a thread of the library: at the
   level MPI_THREAD_MULTIPLE, which nn_mpi_open asks for, or MPI_THREAD_SERIALIZED if nn_mpi_open
   initialised MPI. Elsewhere all calls of MPI happen inside the calls of the library, which then
   must come from the thread that MPI calls its main thread.

   After the loss of a rank (NN_ERROR_GROUP) nothing of MPI can be trusted: the group's end leaves
   MPI as it is, and MPI_Finalize, which may wait for the lost rank for ever, is not called. End the
   program. Most starters kill all processes as soon as one of them dies, before they could tell
   what happened; Open MPI 4 lets them live with --mca orte_abort_on_non_zero_status 0
   --enable-recovery. MPICH over UCX ends a process itself that was copying from a lost one of the
   same machine; not with UCX_TLS=^cma in the environment, nor with memory of our own (below). */
#pragma once

#include "nn_group.h"

#include <mpi.h>

#ifndef NN_NO_TRAINING
typedef struct nn_mpi_desc {
    MPI_Comm comm;  /* default: MPI_COMM_WORLD. A duplicate is used. Of up to 1,024 processes */
    double timeout; /* seconds; default: 60. So long a rank may be silent */
    bool no_thread; /* default: false. true: no thread of the library calls MPI */
    /* default: false: ranks of one machine (MPI_Get_processor_name) exchange their bytes through
       2 MB of memory of each rank in /dev/shm, which all of them map (as an open file without a
       name: nothing is left of it, however a process ends). Where all ranks are of one machine the
       gradients of trainers with shards on the CPU lie there too, and are added in place; docker
       gives /dev/shm 64 MB unless told --shm-size. Where memory cannot be had, bytes travel in the
       2 MB, or through MPI. true: through MPI */
    bool no_shared_memory;
} nn_mpi_desc;

/* All processes of the communicator call it. NULL: nn_error tells, and names a rank that was lost
   in the middle of it; then no process has a group. */
NN_API nn_group *nn_mpi_open_at(nn_site site, nn_context *nn, const nn_mpi_desc *desc);
#define nn_mpi_open(...) nn_mpi_open_at(NN_HERE, __VA_ARGS__)
#endif
