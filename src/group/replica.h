/* group/replica.h - a trainer on several devices of one context: each further device has a copy of
   the model, a replica, and runs a part of the shards of each batch.

   The first device has the model itself. Before a step, the replicas receive what the last step
   changed (or everything, if something else may have changed the model). After it their leaves come
   back and are added in the tree of all shards, and one update follows on the first device. So
   replicas cannot drift apart, moments exist once, and devices of several kinds end with the same
   weights. */
#pragma once

#include "group/shard.h"
#include "train/trainer.h"

/* The plans of a trainer: its step's and its evaluation's. */
enum { NN__REPLICA_STEP, NN__REPLICA_EVALUATION, NN__REPLICA_PLANS };

/* An input of a replica's plans: memory for the device's part of the batch. */
typedef struct nn__inbox {
    /* value numbers, by plan: in the trainer's and in the replica's; -1: the plan does not read
       it */
    int from[NN__REPLICA_PLANS], to[NN__REPLICA_PLANS];
    void *handle;
    uint64_t room; /* bytes */
    nn_tensor tensor;
} nn__inbox;

typedef struct nn__replica {
    nn_device device;
    nn_model *net;       /* a copy of the trainer's model without another owner */
    nn_trainer *trainer; /* the trainer of `net`; it has no update */
    nn__inbox *inboxes;
    int inbox_count;
    int32_t samples; /* in the current step */
} nn__replica;

typedef struct nn__replicas {
    int count; /* number of devices after the first one; 0: there are none */
    nn__replica list[NN__DEVICES - 1];
    bool *follows; /* for each leaf of the model's graph: true if steps change it */
    int leaf_count;
    char *staging; /* host memory for bytes that cross from one device to another */
    uint64_t staging_bytes;
    bool pinned;      /* `staging` is memory of the device `owner` */
    nn_device owner;
    /* Values of nn_context.changes. own: changes by the trainer's own steps. entry: all changes
       when the last of these steps began. foreign: changes by others, when that step began. seen:
       the same when the replicas last became equal to the model */
    uint64_t own, entry, foreign, seen;
    uint64_t weights, leaf; /* bytes that cross for each replica in a step, besides samples */
    uint64_t all;           /* bytes that cross if something else may have changed the model */
} nn__replicas;
