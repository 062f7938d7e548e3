/* model/weights.h - saves, loads, moves and copies the weights of a model. */
#pragma once

#include "graph/model.h"

/* Moves the model to `device`: its parameters, constants and every operation described on its own
   device, all or nothing. Operations that nn_device_begin placed elsewhere stay there. Tensor
   handles stay valid; plans of this model become stale (nn_replan). */
NN_API nn_result nn_move_model_at(nn_site site, nn_model *net, nn_device device);
#define nn_move_model(...) nn_move_model_at(NN_HERE, __VA_ARGS__)

typedef struct nn_copy_desc {
    const char *name; /* default: the model's. Used in reports; copied */
    /* default: the model's. The device of the copy's parameters and operations, as after
       nn_move_model: whatever nn_device_begin placed elsewhere, and nn_borrow's tensors, stay there
       */
    nn_device device;
} nn_copy_desc;

/* Copies a model, as copy.deepcopy: a second model with the same description (operations, shared
   layers, inputs, parameters, buffers, constants, seed, frozen marks) and the current values. Use
   it for target networks, frozen copies, or to evaluate a model while the first one trains. The two
   are independent, and either may be freed first; they share only what is yours: borrowed tensors
   and the `user` of custom operations. On another device, each value crosses once, under its name
   in the ledger. Plans and trainers are not copied. Returns NULL and an error if there is no
   memory, the device is not open, the model has faults, or a sliced step is pending. desc may be
   NULL. */
NN_API nn_model *nn_copy_model_at(nn_site site, nn_model *net, const nn_copy_desc *desc);
#define nn_copy_model(...) nn_copy_model_at(NN_HERE, __VA_ARGS__)
/* Returns the copy's node for a node of the original, such as an input or a loss. Returns NULL and
   an error if there is none: the node belongs to another model, was described later, or the
   original was freed. */
NN_API nn_node *nn_copied_node_at(nn_site site, nn_model *copy, const nn_node *node);
#define nn_copied_node(...) nn_copied_node_at(NN_HERE, __VA_ARGS__)

#ifndef NN_NO_TRAINING
/* Updates a target network: every parameter and buffer of `to` becomes to + tau * (from - to), each
   on its device; tau in [0, 1], where 1 copies. Names, shapes and devices of the models must match,
   or nothing is changed. In f16 and bf16 a change below half of a number's last place is rounded
   away; with a small tau, keep the target in f32. */
NN_API nn_result nn_blend_weights_at(nn_site site, nn_model *to, nn_model *from, float tau);
#define nn_blend_weights(...) nn_blend_weights_at(NN_HERE, __VA_ARGS__)
#endif

#ifndef NN_NO_FILES
/* Saves parameters, buffers and constants to a safetensors file under their PyTorch state_dict
   names. The old file survives every failure. It is an error if the update of a sharded training
   broke off half way (a device or a rank failed), because the parameters are then of two steps;
   nn_load_checkpoint goes back to the last complete ones. */
NN_API nn_result nn_save_weights_at(nn_site site, nn_model *net, const char *path);
#define nn_save_weights(...) nn_save_weights_at(NN_HERE, __VA_ARGS__)
/* Renames tensors while loading. Without a star, a name that begins with `from` begins with `to`
   instead: {"module.", ""} removes a prefix, {"", "net."} adds one. With a star in `from`, the
   whole name must match, and the star in `to` becomes the text that the first star matched:
   {"backbone.*", "*"}, {"*.gamma", "*.weight"}. If `to` is NULL, tensors of these names are left
   out. The first rename that matches is used. */
typedef struct nn_rename {
    const char *from;
    const char *to;
} nn_rename;
/* NN_RENAMES({ "module.", "" }, { "*.gamma", "*.weight" }) */
typedef struct nn_renames {
    const nn_rename *rename;
    int count;
    NN__LIST_CALLS(nn_renames, nn_rename, rename)
} nn_renames;
#define NN_RENAMES(...) NN__LIST(nn_renames, nn_rename, __VA_ARGS__)

/* How many tensors a load has loaded, "12 of 14". A .non_strict load that left something out also
   says so in the log. */
typedef struct nn_loaded {
    int32_t loaded;     /* tensors of the model that were in the file */
    int32_t tensors;    /* tensors of the model */
    int32_t unexpected; /* tensors of the file that were ignored */
} nn_loaded;

/* Options for transfer learning: another head, or other names. Frozen parameters (nn_freeze) are
   loaded, too. */
typedef struct nn_load_weights_desc {
    /* default: false. true, as PyTorch's strict=False: tensors that the file lacks keep their
       values, and unexpected ones are ignored. Wrong shapes are still errors (leave such tensors
       out with a rename), and so is a file in which nothing matches */
    bool non_strict;
    nn_renames renames; /* default: none. Applied to names in the file */
    nn_loaded *loaded;    /* default: none. Receives the counts on success */
    /* default: the context's, nn_desc.files. For nn_load_weights: open, read, size and close of a
       file that is not one of them, such as a part of an archive, or one of another format that
       these functions show as safetensors. Only used during the call */
    const nn_files *files;
} nn_load_weights_desc;

/* Loads a file strictly: names and shapes must match exactly. Every missing, unexpected and wrongly
   shaped tensor is reported, and then nothing was loaded. F16, BF16 and F64 are converted. The file
   may come from PyTorch (safetensors.torch.save_file) or be a checkpoint, whose weights are used.
   It is read in pieces; until the end the new values are in memory on the device beside the old
   ones.
   desc may be NULL: strict, without renames. */
NN_API nn_result nn_load_weights_at(nn_site site, nn_model *net, const char *path,
                                    const nn_load_weights_desc *desc);
#define nn_load_weights(...) nn_load_weights_at(NN_HERE, __VA_ARGS__)

/* Loads from a safetensors file in memory (a resource of the program, a download), which is read
   only during the call. desc may be NULL: strict. */
NN_API nn_result nn_load_weights_from_at(nn_site site, nn_model *net, const void *bytes,
                                         size_t size, const nn_load_weights_desc *desc);
#define nn_load_weights_from(...) nn_load_weights_from_at(NN_HERE, __VA_ARGS__)
/* Writes the file of nn_save_weights to a writer, in order. After a failure on the way (a device
   that cannot be read) the writer has received only a part. */
NN_API nn_result nn_save_weights_to_at(nn_site site, nn_model *net, nn_writer writer);
#define nn_save_weights_to(...) nn_save_weights_to_at(NN_HERE, __VA_ARGS__)
#endif
