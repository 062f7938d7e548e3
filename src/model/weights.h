/* model/weights.h - saving, loading and moving what a model has learned. */
#pragma once

#include "graph/model.h"

/* Moves parameters, constants and every operation described on the model's own device to `device`:
   all of it, or nothing. What nn_on_device put elsewhere stays. Tensor handles stay valid; plans of
   this model become stale (nn_replan). */
NN_API nn_result nn_move_model_at(nn_site site, nn_model *net, nn_device device);
#define nn_move_model(...) nn_move_model_at(NN_HERE, __VA_ARGS__)

typedef struct nn_copy_desc {
    const char *name; /* default: the model's. For reports; copied */
    /* default: the model's. Where the copy's parameters live and its operations run, as after
       nn_move_model: what nn_on_device put elsewhere, and tensors of nn_borrow, stay there */
    nn_device device;
} nn_copy_desc;

/* copy.deepcopy: a second model with the same description (operations, shared layers, inputs and
   parameters of the same names, buffers, constants, seed, frozen marks) and the values of now:
   target networks, frozen copies, a model to be evaluated while the first one trains. From then on
   both go their own ways, and either may be freed first; they share only what is yours: borrowed
   tensors, the `user` of custom operations. To another device the values cross once, each under its
   name in the ledger. Plans and trainers are not copied. NULL and an error: no memory, a device
   that is not open, a model with faults, a step in slices under way. desc may be NULL. */
NN_API nn_model *nn_copy_model_at(nn_site site, nn_model *net, const nn_copy_desc *desc);
#define nn_copy_model(...) nn_copy_model_at(NN_HERE, __VA_ARGS__)
/* The node of a copy that stands for a node of its original: an input, a loss. NULL and an error
   when there is none: the node is of another model, was described later, or the original was
   freed. */
NN_API nn_node *nn_copied_node_at(nn_site site, nn_model *copy, const nn_node *node);
#define nn_copied_node(...) nn_copied_node_at(NN_HERE, __VA_ARGS__)
#ifdef __cplusplus
extern "C++" {
inline nn_model *nn_copy_model_at(nn_site site, nn_model *net, const nn_copy_desc &desc) {
    return nn_copy_model_at(site, net, &desc);
}
}
#endif

#ifndef NN_NO_TRAINING
/* Target networks: parameters and buffers become to + tau * (from - to), each on its device; tau 1
   copies. The models have the same description: names, shapes and devices must match, or nothing is
   changed. tau in [0, 1]. In f16 and bf16 a step smaller than half of a number's last place is
   rounded away: with a small tau, keep the target in f32. */
NN_API nn_result nn_blend_weights_at(nn_site site, nn_model *to, nn_model *from, float tau);
#define nn_blend_weights(...) nn_blend_weights_at(NN_HERE, __VA_ARGS__)
#endif

#ifndef NN_NO_FILES
/* Parameters and constants to a safetensors file under their PyTorch state_dict names. The old file
   survives every failure. An error where the update of a training in shards broke off half way (a
   device or a rank failed), which leaves parameters of two steps: nn_load_checkpoint goes on from
   the last whole ones. */
NN_API nn_result nn_save_weights_at(nn_site site, nn_model *net, const char *path);
#define nn_save_weights(...) nn_save_weights_at(NN_HERE, __VA_ARGS__)
/* Strict: names and shapes must match exactly; every missing, unexpected and wrongly shaped tensor
   is reported at once, and then nothing was loaded. F16, BF16 and F64 are converted. The file may
   come from PyTorch (safetensors.torch.save_file), or be a checkpoint, of which the weights are
   taken. It is read in pieces; until the end the new values lie beside the old ones on their
   device. */
NN_API nn_result nn_load_weights_at(nn_site site, nn_model *net, const char *path);
#define nn_load_weights(...) nn_load_weights_at(NN_HERE, __VA_ARGS__)

/* Names that begin with `from` begin with `to` instead: {"module.", ""} takes a prefix away, {"",
   "net."} adds one. With a star in `from`, the whole name has to fit, and the star in `to` becomes
   what the first one stood for: {"backbone.*", "*"}, {"*.gamma", "*.weight"}.
   to NULL: tensors of these names are left out. The first that fits counts. */
typedef struct nn_rename {
    const char *from; /* NULL ends the list */
    const char *to;
} nn_rename;

/* "12 of 14": what a load took. With .non_strict a load that left something out also says so in the
   log. */
typedef struct nn_loaded {
    int32_t loaded;     /* tensors of the model that were in the file */
    int32_t tensors;    /* of the model */
    int32_t unexpected; /* in the file, and passed over */
} nn_loaded;

/* For transfer learning: another head, names of another program. Frozen or not (nn_freeze), what is
   in the file is
   loaded. */
typedef struct nn_load_weights_desc {
    bool non_strict; /* default: false. true: what is missing in the file stays as it is, and what
                        is unexpected there is passed over, as with PyTorch's strict=False; wrong
                        shapes are mistakes still (leave them out by a rename), and so is a file of
                        which nothing fits */
    nn_rename renames[16]; /* default: none. Of names in the file */
    nn_loaded *loaded;    /* default: none. How much was loaded; filled on success */
} nn_load_weights_desc;

/* nn_load_weights with choices. desc may be NULL. */
NN_API nn_result nn_load_weights_with_at(nn_site site, nn_model *net, const char *path,
                                         const nn_load_weights_desc *desc);
#define nn_load_weights_with(...) nn_load_weights_with_at(NN_HERE, __VA_ARGS__)

/* The same from a safetensors file in memory (a resource of the program, a download), which is only
   read during the call. desc may be NULL: strict. */
NN_API nn_result nn_load_weights_from_at(nn_site site, nn_model *net, const void *bytes,
                                         size_t size, const nn_load_weights_desc *desc);
#define nn_load_weights_from(...) nn_load_weights_from_at(NN_HERE, __VA_ARGS__)
/* What nn_save_weights would write, to a writer, in pieces from the first byte to the last. A
   failure in between (a device that cannot be read) leaves a piece of a file there. */
NN_API nn_result nn_save_weights_to_at(nn_site site, nn_model *net, nn_writer writer);
#define nn_save_weights_to(...) nn_save_weights_to_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_load_weights_from_at(nn_site site, nn_model *net, const void *bytes,
                                         size_t size, const nn_load_weights_desc &desc) {
    return nn_load_weights_from_at(site, net, bytes, size, &desc);
}
inline nn_result nn_load_weights_with_at(nn_site site, nn_model *net, const char *path,
                                         const nn_load_weights_desc &desc) {
    return nn_load_weights_with_at(site, net, path, &desc);
}
}
#endif
#endif
