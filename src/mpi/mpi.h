/* mpi/mpi.h - the processes of an MPI communicator as the ranks of a group. Any implementation of
   MPI 3 works: Open MPI, MPICH, Intel MPI, MS-MPI. Ranks of one machine exchange bytes through
   shared memory, all others through MPI.

   In one file of the program: #define NN_MPI_IMPLEMENTATION (NN_IMPLEMENTATION may be there or
   elsewhere), then #include "nn_mpi.h". Compile with mpicc, start with mpirun:

       nn_context *nn = nn_open(NULL);
       nn_group *group = nn_mpi_open(nn, NULL);
       ... nn_group_sum(group, tensor) and so on
       nn_close(nn);

       mpicc program.c -o program -lm -lpthread && mpirun -n 4 ./program

   A program that was not started by mpirun is a group of one rank.

   The program may initialise MPI itself (MPI_Init, or MPI_Init_thread with any level). If it did
   not, nn_mpi_open does, and freeing the group calls MPI_Finalize, after which this process cannot
   use MPI again. Programs that open several groups, one after the other, call MPI_Init and
   MPI_Finalize themselves.

   Sums run during the program's own work if a thread of the library may call MPI: at the level
   MPI_THREAD_MULTIPLE, which nn_mpi_open asks for, or at MPI_THREAD_SERIALIZED if nn_mpi_open
   initialised MPI. Otherwise the library calls MPI only inside its own calls, which must then come
   from MPI's main thread.

   After the loss of a rank (NN_ERROR_GROUP) the state of MPI is unknown. Freeing the group then
   leaves MPI alone and does not call MPI_Finalize, which might wait for the lost rank for ever. End
   the program. Most starters kill all processes as soon as one of them dies, before the others can
   report what happened. Open MPI 4 lets them live with --mca orte_abort_on_non_zero_status 0
   --enable-recovery. MPICH over UCX ends a process that was copying from a lost process of the same
   machine; UCX_TLS=^cma in the environment prevents that, and so does shared memory (below). */
#pragma once

#include "nn_group.h"

#include <mpi.h>

#ifndef NN_NO_TRAINING
typedef struct nn_mpi_desc {
    MPI_Comm comm;  /* default: MPI_COMM_WORLD. At most 1,024 processes. A duplicate is used */
    double timeout; /* default: 60. Seconds after which a silent rank counts as lost */
    bool no_thread; /* default: false. true: no thread of the library calls MPI */
    /* default: false: ranks of one machine (MPI_Get_processor_name) exchange bytes through shared
       memory in /dev/shm, 2 MB for each rank. It is an open file without a name, so nothing is left
       of it, however a process ends. If all ranks are on one machine, the gradients of trainers
       with shards on the CPU are in shared memory, too, and are added in place; docker gives
       /dev/shm 64 MB unless --shm-size says more. Without memory for that, bytes go through the
       2 MB, or through MPI. true: all bytes go through MPI */
    bool no_shared_memory;
} nn_mpi_desc;

/* All processes of the communicator must call it. NULL: nn_error has the reason and names a rank
   that was lost during the call; then no process has a group. */
NN_API nn_group *nn_mpi_open_at(nn_site site, nn_context *nn, const nn_mpi_desc *desc);
#define nn_mpi_open(...) nn_mpi_open_at(NN_HERE, __VA_ARGS__)
#endif
