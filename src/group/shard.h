/* group/shard.h - a trainer's batch in shards: equal parts by position, each of which gives its own
   gradient, loss and new buffers. What they give is added in one binary tree over their numbers, so
   that any share of them on any rank makes the same sum.

   What a shard leaves is a *leaf*: one piece of memory of f32 numbers, each times what the shard
   counts for: gradients, in the order in which the backward pass completes them, then samples,
   counted, loss, metrics, buffers. Leaves are added as a whole. */
#pragma once

#include "ops/counted.h"
#include "train/data.h"
#include "group/ranks.h"

/* A buffer that a training step writes. Each shard starts from what it was before the step. */
typedef struct nn__carried {
    nn_node *buffer;
    nn_node *saved; /* state: the buffer as it was before the step */
    nn_node *leaf;  /* state in the leaf; NULL: no floats, then `first` */
    nn_node *first; /* state: what the first shard that has samples made of it */
} nn__carried;

typedef enum nn__whole_kind {
    NN__WHOLE_NOT,
    NN__WHOLE_PRODUCT,
    NN__WHOLE_CONVOLUTION
} nn__whole_kind;

/* A gradient that is made of all shards of a device at once (group/shard_product.c). */
typedef struct nn__whole {
    nn_node *one;         /* the gradient that a pass would make, which it leaves out */
    nn_node *operands[2]; /* its inputs: what a pass makes */
    int32_t at[2];        /* where they are kept in a row of the bucket's */
    nn_node *keeps[3];    /* the nodes that write them, and how many rows there are; or NULL */
    nn_node *gradient;    /* state, in the leaf */
    /* of the step under way: rows (pictures) of a shard, and of all that passed */
    int32_t rows, total;
} nn__whole;

/* Numbers of the leaf that travel to the other ranks at once. */
typedef struct nn__bucket {
    nn__group_job job;
    int32_t first, count;
    bool narrow;    /* gradients that travel as bf16 */
    bool whole;     /* gradients that are made of all shards here at once */
    int whole_first, whole_count; /* which of these begin with this bucket */
    /* State (shards, numbers of one at most) of such gradients: what each shard counts for, unless
       all are alike, rows of each gradient, operands. And the node that writes the first of them */
    nn_node *kept, *weighs;
    /* Operands may travel in the place of sums (group/operands.c): the state has rows for the
       shards of all ranks */
    bool gathers;
    nn_node *node;  /* after which they are complete; NULL: at the end of the shard */
    int until;      /* steps of the plan as far as that node */
    nn_fence there; /* of a download */
} nn__bucket;

/* Host memory for the leaf of a device that has memory of its own. */
typedef struct nn__staging {
    char *host; /* NULL: none is needed */
    uint64_t bytes;
    bool pinned; /* memory of the device `owner` */
    nn_device owner;
} nn__staging;

/* The sum over the ranks of a step under way: so many buckets were taken from the device, given to
   the group, and are back. */
typedef struct nn__exchange {
    nn__bucket *buckets; /* in the order in which they travel, which is that of the leaf */
    int count;
    nn__staging staging;
    nn__staging fresh; /* while the trainer moves: what takes its place */
    nn__window *window; /* the leaf, where other ranks reach it; NULL: there is none */
    int begun, sent, ended;
    bool failed; /* a bucket did, on all ranks */
    uint64_t chain;
    uint64_t passed; /* nn__system_now when this rank's shards were done */
    nn_site site;
    const char *who;
} nn__exchange;

/* An input of a plan while a shard's samples stand for the whole of what was bound. */
typedef struct nn__slice {
    int value; /* of the plan */
    nn_tensor *whole, face;
    int32_t rows, row; /* of the first axis: all, and those of a sample */
} nn__slice;

/* NN_OVER_ALL: a plan of the step for each shard of a device, and where they meet. */
typedef struct nn__lane {
    nn_plan *plan;    /* the first one is the trainer's */
    nn_plan *fresh;   /* while the trainer moves: what takes its place */
    nn_tensor *faces; /* by the plan's inputs: what is bound to them, of the others */
    int32_t samples;  /* of the step under way */
} nn__lane;

typedef struct nn__together {
    nn__lane *lanes;
    int32_t lane_count; /* 0: batch norms are those of each shard */
    int *points;        /* steps of the plans at which they meet */
    int point_count;
    int32_t channels;    /* the most that a batch norm has */
    nn_node *statistics; /* state: rows of nn__together_row numbers */
    float *numbers;      /* its rows, on the host */
    /* parts (1, channels, 2): of the shards here, and of all ranks */
    double *own, *all;
    int met;     /* points of the step under way at which all ranks were */
    bool agreed; /* all ranks know of the error that ended the step */
} nn__together;

static inline NN__UNUSED int32_t nn__together_row(int32_t channels) {
    return (channels + 15) / 16 * 16;
}

/* nn_trainer_desc.shard_state: each parameter, or each part of it, belongs to one rank, which alone
   has its moments, updates it and gives it to the others (group/owners.c). */
typedef struct nn__owners {
    int32_t ranks, rank; /* ranks 0: each rank has the moments of all and updates all */
    bool cut; /* each has a part of each bucket; the sums of gradients come to it alone */
    uint64_t most;       /* bytes of parameters of the rank that has the most of them */
    /* of a leaf that is cut: its buckets, and the pieces of parameters in its gradients' place */
    nn__group_span *sums, *runs;
    int sum_count, run_count;
    /* host memory through which parameters that are not cut travel: `piece` of each rank */
    char *room;
    size_t piece, room_bytes;
    /* Of rank 0, while a checkpoint is written or read: moments and averages of the others, by the
       numbers of moments, then of trained parameters. NULL: there are none here */
    nn_tensor *guests;
    char *guest_bytes;
    size_t guest_room, guest_list;
} nn__owners;

/* What a rank owns, piece by piece; all but `rank` is 0 before the first one. rank -1: all of a
   leaf that is cut. */
typedef struct nn__owned_piece {
    int32_t rank;
    int next, gradient; /* a bucket (of wholes: of trainer->trained), and its first gradient, */
    int32_t leaf;       /* which begins there in the leaf */
    nn_node *parameter;
    /* numbers of it, and which of the rank's own numbers of it they are */
    int32_t first, count, kept;
    int32_t at; /* in a leaf that is cut */
} nn__owned_piece;

/* nn_trainer_desc.wire = NN_BF16: every sum of the tree is rounded, and what that leaves over is
   added to the same sum of the next step (group/wire.c). */
typedef struct nn__wire {
    nn_node *bytes;      /* state: the gradients of the leaf as they travel; NULL: they are f32 */
    nn_node **rests;     /* states: what is left over of each sum here, by levels of the tree */
    int32_t rest_count, offsets[12]; /* of the levels in `rests` */
    int32_t numbers;                 /* of each */
    float *away;         /* host memory: the same of the sums over ranks */
    size_t away_bytes;
} nn__wire;

typedef struct nn__shards {
    int32_t count; /* 0: the trainer has none */
    int32_t share; /* samples of each, at most */
    int32_t first, own;
    int32_t mine; /* of these, those of the trainer's own device: the first ones */
    bool asked; /* for gradients: nn_trainer_desc.gradients */
    nn_node *samples, *counted, *loss, *metrics[8];
    nn_node *end;  /* the last state of the leaf */
    nn_node *last; /* state: the loss of the last step */
    nn__carried *carried;
    int carried_count;
    nn_node *pending[10]; /* states as large as the leaf: sums of 1, 2, 4 ... shards */
    int pending_count;
    /* states: the gradients of the batches before, and what they counted; NULL: each step has one
       batch */
    nn_node *kept, *before;
    nn_node *evaluations; /* state (own, n): the evaluation's totals of each shard */
    /* Before the first step on a device what follows the exchange is only prepared, so that it
       cannot fail on one rank alone */
    bool rehearses;
    nn_device rehearsed;
    double *parts;        /* (count, n): room for those of all ranks */
    float *numbers;       /* the same */
    nn__whole *wholes;
    int whole_count;
    bool operands; /* those of buckets that gather travel: all ranks can do that */
    nn__exchange exchange;
    nn__wire wire;
    nn__slice *slices;
    int slice_count;
    nn__together together;
} nn__shards;
