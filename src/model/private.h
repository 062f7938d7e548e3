/* model/private.h - moving graphs between devices: what nn_move_model and nn_move_trainer share. */
#pragma once

#include "model/arrays.h"
#include "model/initialise.h"
#include "model/weights.h"
#include "plan/private.h"

#ifndef NN_NO_TRAINING
/* The first values of one parameter: model/initialise_values.c. */
typedef struct nn__init_job {
    nn_init_desc desc; /* defaults filled in */
    const char *name;
    nn_shape shape;
    int64_t count;
    uint64_t seed, stream;
} nn__init_job;
/* Bytes that the values are made in, beside them. */
NN_PRIVATE size_t nn__init_scratch(const nn__init_job *job);
NN_PRIVATE void nn__init_values(const nn__init_job *job, void *scratch, float *values);
#endif

/* A move that may still be taken back. In between the tensors are on the new device and the old
   storage is kept. */
typedef struct nn__move_item nn__move_item;
typedef struct nn__move_block nn__move_block;
typedef struct nn__move {
    nn_model *net;
    nn__graph *graphs[2];
    int graph_count;
    nn__move_item *items; /* nodes that change their device */
    int item_count, item_room;
    nn__move_block *blocks; /* storage that changes it */
    int block_count, block_room;
    nn_device device; /* this and the next three: those of the other side of the swap */
    uint32_t generation;
    nn_site moved;
    const char *mover;
} nn__move;

/* Allocates, copies, waits, swaps. Does not touch plans. Nothing is changed on a failure; after
   success exactly one of commit (releases the old storage) and undo follows, and neither can
   fail. */
NN_PRIVATE nn_result nn__move_begin(nn__move *move, nn_model *net, nn__graph *second,
                                    nn_device device, nn_site site, const char *who);
NN_PRIVATE void nn__move_commit(nn__move *move);
NN_PRIVATE void nn__move_undo(nn__move *move);
#ifndef NN_NO_TRAINING
/* An error where averages stand in the place of parameters: what `who` writes there would be lost
   when they are put back. (model/blend.c) */
NN_PRIVATE nn_result nn__check_averaged(const nn_model *net, nn_site site, const char *who);
/* An error where the weights without their adapters are kept, to come back: what `who` writes would
   be lost. (model/lora_merge.c) */
NN_PRIVATE nn_result nn__check_unmerged(const nn_model *net, nn_site site, const char *who);
/* to + tau * (from - to), in place; tau 1 is a copy. status: NULL, or the word of their device:
   while it tells a fault, a blend of f32 with tau < 1 changes nothing. (model/blend.c) */
NN_PRIVATE nn_result nn__blend_one(nn_tensor *to, nn_tensor *from, float tau,
                                   const nn_view *status, nn_site site);
#else
#define nn__check_averaged(net, site, who) ((void)(net), (void)(site), (void)(who), NN_OK)
#define nn__check_unmerged(net, site, who) NN_OK
#endif
/* begin and commit: moves the leaves of up to two graphs (a model's, a trainer's or NULL) and the
   devices of their nodes. */
NN_PRIVATE nn_result nn__move_graphs(nn_model *net, nn__graph *second, nn_device device,
                                     nn_site site, const char *who);

#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
/* nn_copy_model in the name of `who`; the model is there. (model/copy.c) */
NN_PRIVATE nn_model *nn__copy_model(nn_model *net, const nn_copy_desc *desc, nn_site site,
                                    const char *who);
#endif

#ifndef NN_NO_FILES
/* ---- state: tensors under the names of a file (model/state.c) -------------------------------- */

#define NN__RENAMES          16 /* as in nn_load_weights_desc */
#define NN__OPTIMIZER_PREFIX "optimizer.state."
#define NN__TRAINER_PREFIX   "trainer."
#define NN__STATE_NAME                                                                             \
    (NN_NAME_BYTES + 48) /* a parameter's name, with the prefix and a moment's name */

typedef struct nn__state_item {
    char name[NN__STATE_NAME]; /* in the file */
    nn_tensor *tensor;
    int entry; /* of the file; -1: none, the tensor stays as it is */
    bool optional; /* it may be missing in the file */
    int scale; /* a weight of 8 bits: the item with its scales; else -1 */
    bool turned; /* which are those of columns */
    bool derived; /* scales that are made from the numbers of their weight */
    int block; /* where it is staged */
    uint64_t offset;
} nn__state_item;

/* Memory beside the tensors of one device. */
typedef struct nn__state_block {
    nn_device device;
    void *handle;
    uint64_t bytes;
} nn__state_block;

typedef struct nn__state nn__state;
struct nn__state {
    nn_context *nn;
    nn_model *net;
    nn_site site;
    const char *who;           /* "nn_load_weights" */
    const char *owner, *whole; /* "model" and "the model"; "trainer" and "the trainer of" */
    nn__state_item *items;
    int count, room;
    bool non_strict;          /* missing and unexpected are no mistakes */
    const nn_rename *renames; /* NN__RENAMES of them, or NULL */
    /* NULL: nothing. An unexpected name that is fine */
    bool (*ignores)(const nn__state *state, const char *name);
    /* NULL: nothing. Whatever else does not fit: a line for each, and how many */
    int (*differs)(const nn__state *state, const nn_safetensors *file, const nn_writer *writer);
    const void *user;
    nn__state_block *blocks;
    int block_count, block_room;
    char *staging;
    size_t staging_bytes;
    int64_t piece; /* numbers */
};

/* A list with room for so many; false and an error: no memory. Then add, stage, apply, and always
   end. */
NN_PRIVATE bool nn__state_begin(nn__state *state, nn_model *net, int room, nn_site site,
                                const char *who);
NN_PRIVATE void nn__state_add(nn__state *state, const char *name, nn_tensor *tensor);
NN_PRIVATE void nn__state_add_model(nn__state *state); /* parameters and constants */
/* Compares, reads and checks the whole file; the tensors stay as they are. */
NN_PRIVATE nn_result nn__state_stage(nn__state *state, const nn_safetensors *file);
/* The staged values become the tensors': copies inside each device, which only a broken one
   refuses. */
NN_PRIVATE nn_result nn__state_apply(nn__state *state);
NN_PRIVATE void nn__state_end(nn__state *state);
/* `part` numbers of an entry from number `done` on: into the staging, and to the checksum (NULL:
   none). */
NN_PRIVATE nn_result nn__state_piece(const nn__state *state, const nn_safetensors *file,
                                     const nn_safetensors_entry *entry, int64_t done, int64_t part,
                                     nn__checksum *checksum);
#ifndef NN_NO_REPORTS
/* Weights of 8 bits (model/quantized.c): finds their scales in the list; counts what does not fit,
   with a writer also in words; reads an entry of floats and stages it and its scales. */
NN_PRIVATE void nn__state_add_scales(nn__state *state);
NN_PRIVATE int nn__state_compare_scales(nn__state *state, const nn_safetensors *file,
                                        const nn_writer *writer);
NN_PRIVATE nn_result nn__state_quantize(const nn__state *state, const nn_safetensors *file, int i,
                                        const nn__state_item *item, nn__checksum *checksum);
#else
#define nn__state_add_scales(state)                               ((void)(state))
#define nn__state_compare_scales(state, file, writer)             0
#define nn__state_quantize(state, file, i, item, checksum)        NN_OK
#endif
/* What follows the prefix; NULL: the text does not begin with it. */
NN_PRIVATE const char *nn__begins(const char *text, const char *prefix);
/* Is the path good, the model without faults, and does every tensor of it exist? Also for
   saving. */
NN_PRIVATE nn_result nn__weights_ready(nn_model *net, const char *path, nn_site site,
                                       const char *who);
/* Opens a file; its result is the error when there is none. */
NN_PRIVATE nn_result nn__open_state(nn_context *nn, const char *path, nn_site site,
                                    nn_safetensors **file);
#endif

#ifndef NN_NO_TRAINING
/* One tensor becomes what a program makes of it, another one and a scalar: computed in f32 and
   rounded once to its dtype. The program's codes must be installed. (model/blend.c) */
NN_PRIVATE nn_result nn__combine(nn_tensor *to, const nn_tensor *from, float scalar,
                                 const nn_instruction *code, uint8_t count, nn_site site,
                                 const char *who);
#endif
