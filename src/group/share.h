/* group/share.h - what the ranks of a group tell each other about a trainer: whether they train the
   same, and the state of rank 0. */
#pragma once

#include "group/ranks.h"
#include "train/trainer.h"

/* A description in lines "key<tab>value<newline>". */
typedef struct nn__share_text {
    void (*write)(const void *user, const nn_writer *writer);
    const void *user;
    const char *what; /* for messages: "what they train" */
} nn__share_text;

/* NN_OK, or an error on all ranks that lists all lines which differ, by rank and key. */
NN_PRIVATE nn_result nn__share_compare(nn_group *group, const nn__share_text *text, nn_site site,
                                       const char *who);
/* `bytes` of rank `from` to all, at most room_bytes at a time. tensor: where they are, or go to;
   NULL: this rank only passes them on. All ranks give the same room_bytes. The answer is the
   same on all ranks; what failed here behind the last piece is in *mine, which the next call
   brings along, and in the end nn__group_agree. *mine is NN_OK before the first one. */
NN_PRIVATE nn_result nn__share_bytes(nn_group *group, const nn_tensor *tensor, uint64_t bytes,
                                     int32_t from, void *room, size_t room_bytes, nn_result *mine,
                                     nn_site site, const char *who);
/* A tensor of rank 0 to all, by way of room[room_bytes] where its memory is not the host's. */
NN_PRIVATE nn_result nn__share_tensor(nn_group *group, const nn_tensor *tensor, void *room,
                                      size_t room_bytes, nn_result *mine, nn_site site,
                                      const char *who);

/* What a node of the trainer's model or of its gradients is told beside shapes, in lines that begin
   with `key` (group/share_numbers.c). room: of as many bytes as nn__share_node_room says. */
NN_PRIVATE size_t nn__share_node_room(const nn_trainer *trainer);
NN_PRIVATE void nn__share_node_numbers(const nn_writer *writer, const nn_trainer *trainer,
                                  const nn_node *node, const char *key, void *room);
