/* group/shard.h - a trainer's batch in shards: equal parts by position, each of which gives its own
   gradient, loss and new buffers. They are added in one binary tree over the shards' numbers, so
   any distribution of shards over ranks gives the same sum.

   The result of a shard is a *leaf*: one piece of memory of f32 numbers, each multiplied by the
   weight of the shard. A leaf has the gradients, in the order in which the backward pass completes
   them, then samples, counted, loss, metrics, buffers. Leaves are added as a whole. */
#pragma once

#include "ops/counted.h"
#include "train/data.h"
#include "group/ranks.h"

/* A buffer that a training step writes. Each shard begins with its value before the step. */
typedef struct nn__carried {
    nn_node *buffer;
    nn_node *saved; /* state: the buffer as it was before the step */
    nn_node *leaf;  /* state in the leaf; NULL: the buffer is not float, use `first` */
    nn_node *first; /* state: its value after the first shard that has samples */
} nn__carried;

typedef enum nn__whole_kind {
    NN__WHOLE_NOT,
    NN__WHOLE_PRODUCT,
    NN__WHOLE_CONVOLUTION
} nn__whole_kind;

/* A gradient that is computed for all shards of a device at once (group/shard_product.c). */
typedef struct nn__whole {
    nn_node *one;         /* the gradient node of a single pass, which leaves it out */
    nn_node *operands[2]; /* its inputs, which each pass computes */
    int32_t at[2];        /* their offsets in a row of the bucket's */
    nn_node *keeps[3];    /* the nodes that store them and the number of rows; or NULL */
    nn_node *gradient;    /* state, in the leaf */
    /* in the current step: rows (images) of a shard, and of all shards before */
    int32_t rows, total;
} nn__whole;

/* Numbers of the leaf that travel to the other ranks together. */
typedef struct nn__bucket {
    nn__group_job job;
    int32_t first, count;
    bool narrow;    /* its gradients travel as bf16 */
    bool whole;     /* its gradients are computed for all shards here at once */
    int whole_first, whole_count; /* the gradients that begin in this bucket */
    /* For such gradients: a state with a row for each shard. A row has the weight of the shard
       (unless all weights are equal), the number of rows of each gradient, and the operands.
       weighs: the node that writes the weights */
    nn_node *kept, *weighs;
    /* operands may travel instead of sums (group/operands.c), so the state has rows for the shards
       of all ranks */
    bool gathers;
    nn_node *node;  /* the node that completes it; NULL: complete at the end of the shard */
    int until;      /* number of the plan's steps up to that node */
    nn_fence there; /* fence of its download */
} nn__bucket;

/* Host memory for the leaf, if the device has its own memory. */
typedef struct nn__staging {
    char *host; /* NULL: not needed */
    uint64_t bytes;
    bool pinned; /* memory of the device `owner` */
    nn_device owner;
} nn__staging;

/* The current step's sum over the ranks. begun, sent and ended count the buckets that were
   downloaded from the device, given to the group, and are back. */
typedef struct nn__exchange {
    nn__bucket *buckets; /* in the order in which they travel, which is the order in the leaf */
    int count;
    nn__staging staging;
    nn__staging fresh; /* while the trainer moves: its replacement */
    nn__window *window; /* the memory of the leaf, if other ranks reach it; else NULL */
    int begun, sent, ended;
    bool failed; /* a bucket failed, on all ranks */
    uint64_t chain;
    uint64_t passed; /* nn__system_now after this rank's shards */
    nn_site site;
    const char *who;
} nn__exchange;

/* An input of a plan, cut to the samples of one shard. */
typedef struct nn__slice {
    int value; /* index in the plan's values */
    nn_tensor *whole, face;
    int32_t rows, row; /* along the first axis: of the whole batch, and of one sample */
} nn__slice;

/* NN_OVER_ALL: a plan of the step for each shard of a device. */
typedef struct nn__lane {
    nn_plan *plan;    /* the first one is the trainer's */
    nn_plan *fresh;   /* while the trainer moves: its replacement */
    nn_tensor *faces; /* for the other lanes: the tensors bound to the plan's inputs */
    int32_t samples;  /* in the current step */
} nn__lane;

typedef struct nn__together {
    nn__lane *lanes;
    int32_t lane_count; /* 0: each shard has its own batch-norm statistics */
    int *points;        /* the steps of the plans at which the lanes meet */
    int point_count;
    int32_t channels;    /* of the largest batch norm */
    nn_node *statistics; /* state: rows of nn__together_row numbers */
    float *numbers;      /* host copy of the rows */
    /* parts (1, channels, 2): of the shards here, and of all ranks */
    double *own, *all;
    int met;     /* number of points of the current step that all ranks have passed */
    bool agreed; /* all ranks know the error that ended the step */
} nn__together;

static inline NN__UNUSED int32_t nn__together_row(int32_t channels) {
    return (channels + 15) / 16 * 16;
}

/* nn_trainer_desc.shard_state: the owner rank of each parameter, or of each part of one. The owner
   alone has its moments, updates it and sends it to the others (group/owners.c). */
typedef struct nn__owners {
    int32_t ranks, rank; /* ranks 0: no owners, each rank has all moments and updates everything */
    bool cut; /* each rank owns a part of each bucket and alone receives its sums of gradients */
    uint64_t most;       /* bytes of parameters on the rank that has most of them */
    /* if cut: the buckets of the leaf, and the pieces of parameters in the places of their
       gradients */
    nn__group_span *sums, *runs;
    int sum_count, run_count;
    /* if not cut: host memory through which parameters travel, `piece` bytes for each rank */
    char *room;
    size_t piece, room_bytes;
    /* On rank 0, while a checkpoint is written or read: moments and averages of the other ranks, by
       the numbers of moments, then of trained parameters. Else NULL */
    nn_tensor *guests;
    char *guest_bytes;
    size_t guest_room, guest_list;
} nn__owners;

/* Iterator over the pieces that a rank owns. All fields except `rank` are 0 before the first piece.
   rank -1: all ranks, if cut. */
typedef struct nn__owned_piece {
    int32_t rank;
    int next, gradient; /* the bucket (if not cut: the index in trainer->trained) and its first
                           gradient */
    int32_t leaf;       /* where that gradient begins in the leaf */
    nn_node *parameter;
    /* the piece has the numbers first to first + count - 1 of the parameter; kept: the offset of
       the piece among the rank's own numbers of the parameter */
    int32_t first, count, kept;
    int32_t at; /* offset in the leaf, if cut */
} nn__owned_piece;

/* nn_trainer_desc.wire = NN_BF16: every sum in the tree is rounded, and the rounding error (the
   rest) is added to the same sum in the next step (group/wire.c). */
typedef struct nn__wire {
    nn_node *bytes;      /* state: the gradients of the leaf as bf16; NULL: nothing is rounded */
    nn_node **rests;     /* states: the rests of the sums here, by levels of the tree */
    int32_t rest_count, offsets[12]; /* offsets of the levels in `rests` */
    int32_t numbers;                 /* of each rest */
    float *away;         /* host memory: the rests of sums over ranks */
    size_t away_bytes;
} nn__wire;

typedef struct nn__shards {
    int32_t count; /* number of shards; 0: there are none */
    int32_t shard_samples; /* most samples of a shard */
    int32_t first, own;
    int32_t mine; /* number of own shards on the trainer's own device: the first ones */
    bool asked; /* the program set nn_trainer_desc.gradients */
    nn_node *samples, *counted, *loss;
    nn_node **metrics; /* in the tape's arena */
    nn_node *end;  /* the last state of the leaf */
    nn_node *last; /* state: the loss of the last step */
    nn__carried *carried;
    int carried_count;
    nn_node *pending[10]; /* states like the leaf: pending sums of 1, 2, 4 ... shards */
    int pending_count;
    /* states: the gradients of the earlier batches, and their weight; NULL: each step has one
       batch */
    nn_node *kept, *before;
    nn_node *evaluations; /* state (own, n): the evaluation totals of each shard */
    /* rehearsal: before the first step on a device, the work after the exchange is only prepared,
       so that it cannot fail on one rank alone */
    bool rehearses;
    nn_device rehearsed;
    double *parts;        /* (count, n): the evaluation totals of all ranks */
    float *numbers;       /* the same as f32 */
    nn__whole *wholes;
    int whole_count;
    bool operands; /* operands travel for buckets that gather: all ranks can do that */
    nn__exchange exchange;
    nn__wire wire;
    nn__slice *slices;
    int slice_count;
    nn__together together;
} nn__shards;
