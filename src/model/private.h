/* model/private.h - moving graphs between devices: what nn_move_model and nn_move_trainer share. */
#pragma once

#include "model/arrays.h"
#include "model/weights.h"
#include "plan/private.h"

/* A move that may still be taken back. In between the tensors are on the new device and the old storage is
   kept. */
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
    nn_device device; /* this and the next two: those of the other side of the swap */
    uint32_t generation;
    nn_site moved;
} nn__move;

/* Allocates, copies, waits, swaps. Does not touch plans. Nothing is changed on a failure; after success
   exactly one of commit (releases the old storage) and undo follows, and neither can fail. */
NN_PRIVATE nn_result nn__move_begin(nn__move *move, nn_model *net, nn__graph *second, nn_device device,
                                    nn_site site, const char *who);
NN_PRIVATE void nn__move_commit(nn__move *move);
NN_PRIVATE void nn__move_undo(nn__move *move);
/* begin and commit: moves the leaves of up to two graphs (a model's, a trainer's or NULL) and the devices of
   their nodes. */
NN_PRIVATE nn_result nn__move_graphs(nn_model *net, nn__graph *second, nn_device device, nn_site site,
                                     const char *who);
