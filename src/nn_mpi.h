/* nn_mpi.h - groups of nn.h over MPI. This is the list of its parts. */
#ifndef NN_MPI_H
#define NN_MPI_H

/* CONTENTS */

#include "nn_group.h"

/* ---- MPI: the processes of a communicator as the ranks of a group ---- */
#include "mpi/mpi.h"
#include "mpi/overloads.h"

#endif /* NN_MPI_H: stop here if you only want the API. */

#if defined(NN_MPI_IMPLEMENTATION) && !defined(NN_MPI_IMPLEMENTED)
#define NN_MPI_IMPLEMENTED
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#endif
/* ---- IMPLEMENTATION: memory in common, exchanges with a deadline, opening and closing ---- */
#include "mpi/shared.c"
#include "mpi/window.c"
#include "mpi/exchange.c"
#include "mpi/open.c"
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif
