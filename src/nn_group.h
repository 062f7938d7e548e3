/* nn_group.h - training that is shared by shards, devices, threads and processes. This is the
   list of its parts. */
#ifndef NN_GROUP_H
#define NN_GROUP_H

/* CONTENTS */

#include "nn.h"
#ifdef NN__GROUPS_LEFT_OUT
#error "nn_group.h: include it before nn.h where NN_IMPLEMENTATION or NN_STATIC is defined"
#endif

/* ---- GROUPS: ranks, and what they do together ---- */
#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
#include "group/group.h"
#include "group/overloads.h"
#endif

#endif /* NN_GROUP_H: stop here if you only want the API. */

#if defined(NN__IMPLEMENTED_HERE) && !defined(NN__GROUPS_LEFT_OUT) &&                              \
    !defined(NN_GROUP_IMPLEMENTED)
#define NN_GROUP_IMPLEMENTED
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#elif defined(_MSC_VER)
#pragma warning(push)
#ifdef NN__OWN_API
#pragma warning(disable : 4505)
#endif
#endif
/* ---- IMPLEMENTATION, ranks: collectives between two ranks, made of exchanges ---- */
#include "group/collective_data.c"
/* Kernels and exchanges take the time of a step; the rest is compiled for size. */
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "group/blame.c"
#include "group/window.c"
#include "group/collective.c"
#include "group/group.c"
#include "group/group_tensor.c"
#include "group/meeting.c"
/* ---- shards: a step in parts, of which each rank and device makes some ---- */
#include "group/owners.c"
#include "group/owners_checkpoint.c"
#include "group/operands.c"
#include "group/shard_product.c"
#include "group/shard_describe.c"
#include "group/shard_note.c"
#include "group/wire.c"
#include "group/shard_exchange.c"
#include "group/shard_slices.c"
#include "group/shard_commit.c"
#include "group/shard_together.c"
#include "group/shard_meet.c"
#include "group/shard_sum.c"
#include "group/shard.c"
#include "group/shard_evaluate.c"
/* ---- replicas: several devices of one context ---- */
#include "group/replica.c"
#include "group/replica_step.c"
/* ---- what ranks compare, and the table through which trainers call this ---- */
#include "group/agree_numbers.c"
#include "group/agree.c"
#include "group/agree_loader.c"
#include "group/agree_fit.c"
#include "group/sharing.c"
#undef NN__RARELY
#define NN__RARELY
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#endif
