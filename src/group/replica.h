/* group/replica.h - a trainer on several devices of one context: each further device has a copy of
   the model and runs a share of the shards of each batch.

   The first device has the truth. Before a step the others get what the last one changed (with
   everything else, once somebody else may have changed something), after it their leaves come back
   and are added in the tree of all shards, and one update follows, on the first device. So replicas
   cannot drift apart, moments are there once, and devices of several kinds end with one set of
   weights. */
#pragma once

#include "group/shard.h"
#include "train/trainer.h"

/* Which plan of a trainer: the step's, or the one that evaluates. */
enum { NN__REPLICA_STEP, NN__REPLICA_EVALUATION, NN__REPLICA_PLANS };

/* An input of a replica's plans: the part of the batch that the device works on. */
typedef struct nn__inbox {
    /* values by plan: of the trainer's, of the replica's; -1: the plan does not read it */
    int from[NN__REPLICA_PLANS], to[NN__REPLICA_PLANS];
    void *handle;
    uint64_t room; /* bytes */
    nn_tensor tensor;
} nn__inbox;

typedef struct nn__replica {
    nn_device device;
    nn_model *net;       /* a copy of the trainer's, which nobody else owns */
    nn_trainer *trainer; /* of that: it has no update */
    nn__inbox *inboxes;
    int inbox_count;
    int32_t samples; /* of the step under way */
} nn__replica;

typedef struct nn__replicas {
    int count; /* devices but the first one; 0: there are none */
    nn__replica list[NN__DEVICES - 1];
    bool *follows; /* by the leaves of the model's graph: steps change it */
    int leaf_count;
    char *staging; /* host memory through which bytes pass from one device to another */
    uint64_t staging_bytes;
    bool pinned;      /* `staging` is memory of the device `owner` */
    nn_device owner;
    /* Of nn_context.changes: those of the trainer's own steps, all when the last of them began, and
       those of others, when that step began and when replicas were made equal to the model */
    uint64_t own, entry, foreign, seen;
    uint64_t weights, leaf; /* bytes that cross for each of them in a step; beside its samples */
    uint64_t all;           /* of everything that is copied when something else may have changed */
} nn__replicas;
