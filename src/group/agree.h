/* group/agree.h - what the ranks of a group exchange about a trainer: a description of what they
   train, to be compared, and the state of rank 0. */
#pragma once

#include "group/ranks.h"
#include "train/trainer.h"

/* A description in lines "key<tab>value<newline>". */
typedef struct nn__agree_text {
    void (*write)(const void *user, const nn_writer *writer);
    const void *user;
    const char *what; /* for messages: "what they train" */
} nn__agree_text;

/* Compares the texts of all ranks. Returns NN_OK, or on all ranks an error that lists all lines
   that differ, by rank and key. */
NN_PRIVATE nn_result nn__agree_compare(nn_group *group, const nn__agree_text *text, nn_site site,
                                       const char *who);
/* Copies `bytes` of rank `from` to all ranks, at most room_bytes at a time. tensor: their source or
   destination; NULL: this rank only passes them on. All ranks give the same room_bytes. Returns the
   same result on all ranks. An error of this rank after the last piece is in *mine: pass it to the
   next call, and at the end to nn__group_agree. *mine is NN_OK before the first call. */
NN_PRIVATE nn_result nn__agree_bytes(nn_group *group, const nn_tensor *tensor, uint64_t bytes,
                                     int32_t from, void *room, size_t room_bytes, nn_result *mine,
                                     nn_site site, const char *who);
/* Copies a tensor of rank 0 to all ranks, through room[room_bytes] if its memory is not the
   host's. */
NN_PRIVATE nn_result nn__agree_tensor(nn_group *group, const nn_tensor *tensor, void *room,
                                      size_t room_bytes, nn_result *mine, nn_site site,
                                      const char *who);

/* Writes what determines a node besides shapes, in lines that begin with `key`
   (group/agree_numbers.c). The node is one of the trainer's model or of its gradients. room:
   nn__agree_node_room bytes. */
NN_PRIVATE size_t nn__agree_node_room(const nn_trainer *trainer);
NN_PRIVATE void nn__agree_node_numbers(const nn_writer *writer, const nn_trainer *trainer,
                                  const nn_node *node, const char *key, void *room);
