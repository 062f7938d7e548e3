/* model/private.h - the inside of the room: moving graphs, and lists of tensors in files. */
#pragma once

#include "model/arrays.h"
#include "model/initialise.h"
#include "model/weights.h"
#include "plan/private.h"

#ifndef NN_NO_TRAINING
/* One parameter to initialise (model/initialise_values.c). */
typedef struct nn__init_job {
    nn_init_desc desc; /* defaults filled in */
    const char *name;
    nn_shape shape;
    int64_t count;
    uint64_t seed, stream;
} nn__init_job;
/* Returns the bytes of temporary memory that nn__init_values needs. */
NN_PRIVATE size_t nn__init_scratch(const nn__init_job *job);
NN_PRIVATE void nn__init_values(const nn__init_job *job, void *scratch, float *values);
#endif

/* A move that can still be undone. The tensors are on the new device, and the old storage is
   kept. */
typedef struct nn__move_item nn__move_item;
typedef struct nn__move_block nn__move_block;
typedef struct nn__move {
    nn_model *net;
    nn__graph *graphs[2];
    int graph_count;
    nn__move_item *items; /* nodes that move */
    int item_count, item_room;
    nn__move_block *blocks; /* storage that moves */
    int block_count, block_room;
    nn_device device; /* this and the next three belong to the other side of the swap */
    uint32_t generation;
    nn_site moved;
    const char *mover;
} nn__move;

/* Allocates, copies, waits and swaps; plans are not changed. After a failure nothing has changed.
   After success call commit, which releases the old storage, or undo. Neither can fail. */
NN_PRIVATE nn_result nn__move_begin(nn__move *move, nn_model *net, nn__graph *second,
                                    nn_device device, nn_site site, const char *who);
NN_PRIVATE void nn__move_commit(nn__move *move);
NN_PRIVATE void nn__move_undo(nn__move *move);
#ifndef NN_NO_TRAINING
/* Fails if parameters hold averages: anything written now would be lost when they are swapped back.
   (model/blend.c) */
NN_PRIVATE nn_result nn__check_averaged(const nn_model *net, nn_site site, const char *who);
/* Fails if original weights without adapters are saved for restoring: anything written now would be
   lost then. (model/blend.c) */
NN_PRIVATE nn_result nn__check_unmerged(const nn_model *net, nn_site site, const char *who);
/* Computes to + tau * (from - to) in place; tau 1 copies. status: NULL, or the status word of the
   device: if it holds a fault, a blend of f32 with tau < 1 changes nothing. (model/blend.c) */
NN_PRIVATE nn_result nn__blend_one(nn_tensor *to, nn_tensor *from, float tau,
                                   const nn_view *status, nn_site site);
#else
#define nn__check_averaged(net, site, who) ((void)(net), (void)(site), (void)(who), NN_OK)
#define nn__check_unmerged(net, site, who) NN_OK
#endif
/* Moves the leaves of up to two graphs (a model's, and a trainer's or NULL), and their nodes'
   devices: begin and commit. */
NN_PRIVATE nn_result nn__move_graphs(nn_model *net, nn__graph *second, nn_device device,
                                     nn_site site, const char *who);

#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
/* A model while it is copied (model/copy.c). */
typedef struct nn__copy {
    nn_model *from, *to;
    nn_node **nodes;   /* of the copy, in the order of the originals */
    const int *orders; /* of the originals, ascending */
    const int *places; /* NULL, or the places in nodes that belong to the orders */
    int count;
    /* the scope copied last, and its copy: most successive nodes have the same one */
    const nn__scope *scope;
    nn__scope *scope_copy;
} nn__copy;
/* Returns the copy of an earlier node of the original; NULL for NULL. */
NN_PRIVATE nn_node *nn__copy_of(const nn__copy *copy, const nn_node *node);
/* Appends a copy of the node to the model `to`, without memory on a device. Its inputs are the
   copies of the original's. NULL: no memory. */
NN_PRIVATE nn_node *nn__copy_node(nn__copy *copy, nn_node *from);
/* Is nn_copy_model in the name of `who`. The model must be valid. (model/copy.c) */
NN_PRIVATE nn_model *nn__copy_model(nn_model *net, const nn_copy_desc *desc, nn_site site,
                                    const char *who);
#endif

#ifndef NN_NO_FILES
/* ---- state: tensors under the names of a file (model/state.c) -------------------------------- */

#define NN__OPTIMIZER_PREFIX "optimizer.state."
#define NN__TRAINER_PREFIX   "trainer."
#define NN__STATE_NAME                                                                             \
    (NN_NAME_BYTES + 48) /* a parameter's name, with the prefix and a moment's name */

typedef struct nn__state_item {
    char name[NN__STATE_NAME]; /* in the file */
    nn_tensor *tensor;
    int entry; /* index in the file; -1: none, and the tensor is not changed */
    bool optional; /* may be missing in the file */
    int scale; /* weights of nn_quantize: index of the item with their scales; else -1 */
    int minimum; /* of 4 bits: index of the item with their minimums; else -1 */
    bool turned; /* the scales are per column; of 4 bits: files have the weight transposed */
    bool four; /* weights of 4 bits */
    bool derived; /* scales and minimums that are computed from the weight's floats */
    int block; /* the temporary block that holds it */
    uint64_t offset;
} nn__state_item;

/* Temporary memory on one device. */
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
    const char *who;           /* for errors: "nn_load_weights" */
    const char *owner, *whole; /* "model" and "the model"; "trainer" and "the trainer of" */
    nn__state_item *items;
    int count, room;
    bool non_strict;          /* missing and unexpected names are allowed */
    nn_renames renames; /* checked by nn__check_renames */
    /* NULL, or returns true for an unexpected name that is allowed */
    bool (*ignores)(const nn__state *state, const char *name);
    /* NULL, or checks more: returns the number of mismatches and writes a line for each */
    int (*differs)(const nn__state *state, const nn_safetensors *file, const nn_writer *writer);
    const void *user;
    nn__state_block *blocks;
    int block_count, block_room;
    char *staging;
    size_t staging_bytes;
    int64_t piece; /* in numbers */
};

/* Reports a number of a file for which an operation on integers would overflow. */
NN_PRIVATE nn_result nn__state_check_integers(const nn__state *state, const nn_safetensors *file,
                                              const nn__state_item *item, const void *numbers,
                                              int64_t first, int64_t count);
/* False and an error if the list is damaged or renames no name. */
NN_PRIVATE bool nn__check_renames(nn_context *nn, const nn_renames *renames, nn_site site,
                                  const char *who);
/* Starts a list with room for `room` items. False, with an error: no memory. Then call add, stage
   and apply, and always end. */
NN_PRIVATE bool nn__state_begin(nn__state *state, nn_model *net, int room, nn_site site,
                                const char *who);
NN_PRIVATE void nn__state_add(nn__state *state, const char *name, nn_tensor *tensor);
NN_PRIVATE void nn__state_add_model(nn__state *state); /* all saved tensors of the model */
/* Compares, reads and verifies the whole file. The tensors do not change. */
NN_PRIVATE nn_result nn__state_stage(nn__state *state, const nn_safetensors *file);
/* Copies the staged values into the tensors. Only a broken device can fail here. */
NN_PRIVATE nn_result nn__state_apply(nn__state *state);
NN_PRIVATE void nn__state_end(nn__state *state);
/* Reads `part` numbers of an entry, from number `done` on, into the staging memory, and adds them
   to the checksum (NULL: none). */
NN_PRIVATE nn_result nn__state_piece(const nn__state *state, const nn_safetensors *file,
                                     const nn_safetensors_entry *entry, int64_t done, int64_t part,
                                     nn__checksum *checksum);
#ifndef NN_NO_MIXED_PRECISION
/* Weights of 8 and 4 bits (model/quantized.c). add_scales: finds their scales in the list.
   compare_scales: returns the number of mismatches; with a writer, writes a line for each.
   quantize: reads an entry of floats, and stages the weight, its scales and its minimums.
   floats_shape: returns the shape of the weight in a file of floats, which differs for 4 bits. */
NN_PRIVATE void nn__state_add_scales(nn__state *state);
NN_PRIVATE int nn__state_compare_scales(nn__state *state, const nn_safetensors *file,
                                        const nn_writer *writer);
NN_PRIVATE nn_result nn__state_quantize(const nn__state *state, const nn_safetensors *file, int i,
                                        const nn__state_item *item, nn__checksum *checksum);
NN_PRIVATE nn_shape nn__state_floats_shape(const nn__state_item *item, nn_dtype dtype);
/* Does the same for weights of 4 bits (model/quantized_four.c). */
NN_PRIVATE nn_result nn__state_quantize_four(const nn__state *state, const nn_safetensors *file,
                                             int i, const nn__state_item *item,
                                             nn__checksum *checksum);
/* Rounds the 32 numbers x[0], x[step] ... of a group to 4 bits: 16 bytes, the bits of the scale in
   f16 and, unless NULL, those of the minimum. False: a number is not finite, or too large. */
NN_PRIVATE bool nn__round_nibbles(const float *x, ptrdiff_t step, uint8_t *bytes, uint16_t *scale,
                                  uint16_t *minimum);
#else
#define nn__state_floats_shape(item, dtype) ((void)(dtype), (item)->tensor->view.shape)
#define nn__state_add_scales(state)                               ((void)(state))
#define nn__state_compare_scales(state, file, writer)             0
#define nn__state_quantize(state, file, i, item, checksum)        NN_OK
#endif
/* Returns the text after the prefix; NULL: the text does not begin with it. */
NN_PRIVATE const char *nn__begins(const char *text, const char *prefix);
/* Fails if the path is empty or the model has faults. Makes all its tensors. Also for saving. */
NN_PRIVATE nn_result nn__weights_ready(nn_model *net, const char *path, nn_site site,
                                       const char *who);
/* Opens a file; fails if there is none. */
NN_PRIVATE nn_result nn__open_state(nn_context *nn, const char *path, nn_site site,
                                    nn_safetensors **file);
#endif

#ifndef NN_NO_TRAINING
/* Runs a pointwise program on `to`, `from` and a scalar, in place in `to`. Computes in f32 and
   rounds once. The program's instructions must be installed. (model/blend.c) */
NN_PRIVATE nn_result nn__combine(nn_tensor *to, const nn_tensor *from, float scalar,
                                 const nn_instruction *code, uint8_t count, nn_site site,
                                 const char *who);
#endif
