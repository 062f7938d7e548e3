/* graph/model.h - describes a net: models, inputs, parameters, buffers and the devices of
   operations. A description allocates host memory only and touches no device.

   A model is a list of nodes. A node stands for a value that some operation will compute; a tensor
   is storage. They are different types, so the compiler tells them apart. Builders (nn_conv2d ...)
   never return NULL. A mistake is recorded as a fault, and the builder returns a poisoned node.
   Later operations on that node report nothing more, and the plan reports all faults at once. */
#pragma once

#include "base/list.h"
#include "tensor/tensor.h"

typedef struct nn_model nn_model;
typedef struct nn_node nn_node;

/* A list of nodes (base/list.h): NN_NODES(a, b, c) counts its arguments. */
typedef struct nn_nodes {
    nn_node *const *node;
    int count;
    NN__LIST_CALLS(nn_nodes, nn_node *, node)
} nn_nodes;
#define NN_NODES(...) NN__LIST(nn_nodes, nn_node *, __VA_ARGS__)

typedef struct nn_model_desc {
    const char *name; /* default: "model". Used in reports; copied */
    nn_device device; /* default: the context's. The device of parameters and operations, except
                         between nn_device_begin and nn_device_end */
    /* default: 0. Seed of initial values, dropout and everything else that is random in this
       model */
    uint64_t seed;
    /* default: NN_F32. With NN_F16 or NN_BF16 parameters take half the memory and half the file.
       Operations still compute in f32 (ops/cast.h), and a trainer keeps f32 master copies. Initial
       values are those of f32, rounded. For activations use nn_cast */
    nn_dtype dtype;
} nn_model_desc;

/* Makes a model. Returns NULL and an error if there is no memory, or if dtype is not NN_F32, NN_F16
   or NN_BF16 (under NN_NO_MIXED_PRECISION: if it is not NN_F32). desc may be NULL. */
NN_API nn_model *nn_make_model_at(nn_site site, nn_context *nn, const nn_model_desc *desc);
#define nn_make_model(...) nn_make_model_at(NN_HERE, __VA_ARGS__)
/* Frees a model with its plans and trainers; NULL is allowed. It is an error, and nothing is freed,
   while something else uses one of its tensors: a view, or a plan of another model that is bound to
   it. Later calls with the model, its plans or its trainers are errors that name this call. Its
   nodes and tensors must not be used any more. */
NN_API void nn_free_model_at(nn_site site, nn_model *net);
#define nn_free_model(...) nn_free_model_at(NN_HERE, __VA_ARGS__)

/* Returns the context that the model was made in; NULL for NULL. */
NN_API nn_context *nn_model_context(const nn_model *net);

/* Describes an input, which the program fills before each run: with nn_upload, nn_bind, or a
   loader's field of the same name. One extent may be NN_BATCH, usually the first, and one NN_TIME:
   (NN_BATCH, NN_TIME, 8), (NN_TIME, 4). Or one may be NN_BATCH_TIME. All other extents are positive
   numbers. */
NN_API nn_node *nn_input_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                            nn_shape shape);
#define nn_input(...) nn_input_at(NN_HERE, __VA_ARGS__)

/* Adds a tensor to the model as a constant, such as class weights or positional encodings. It is
   copied to the model's device when the first plan is made, and `tensor` cannot be freed before
   that. It is moved with the model and saved under `name`, but never trained. */
NN_API nn_node *nn_constant_at(nn_site site, nn_model *net, const char *name, nn_tensor *tensor);
#define nn_constant(...) nn_constant_at(NN_HERE, __VA_ARGS__)

/* Uses a tensor of yours in place. It is neither moved nor saved, each run reads its current
   values, and it must outlive the plans. */
NN_API nn_node *nn_borrow_at(nn_site site, nn_model *net, nn_tensor *tensor);
#define nn_borrow(...) nn_borrow_at(NN_HERE, __VA_ARGS__)

/* Describes a parameter that is trained, moved and saved under `name`. Its initial values are
   uniform in [low, high); if low == high, all have that value. */
NN_API nn_node *nn_parameter_at(nn_site site, nn_model *net, const char *name, nn_shape shape,
                                float low, float high);
#define nn_parameter(...) nn_parameter_at(NN_HERE, __VA_ARGS__)

/* Describes state that is not a parameter, as torch.nn.Module.register_buffer does: running
   statistics, counters, caches. It is saved, loaded, moved and checkpointed under `name`, written
   by operations (nn_assign), and never trained. It has any dtype; every element starts as
   `value`. */
NN_API nn_node *nn_buffer_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                             nn_shape shape, double value);
#define nn_buffer(...) nn_buffer_at(NN_HERE, __VA_ARGS__)

/* Returns output k of the operation that computes `node`: nn_max_pool2d has the maxima as output 0
   and their indices as output 1. Output 0 is the node that the builder returned. */
NN_API nn_node *nn_output_at(nn_site site, nn_node *node, int k);
#define nn_output(...) nn_output_at(NN_HERE, __VA_ARGS__)

/* Places the operations and parameters described up to the matching nn_device_end on `device`.
   Calls may be nested. */
NN_API void nn_device_begin_at(nn_site site, nn_model *net, nn_device device);
#define nn_device_begin(...) nn_device_begin_at(NN_HERE, __VA_ARGS__)
NN_API void nn_device_end_at(nn_site site, nn_model *net);
#define nn_device_end(...) nn_device_end_at(NN_HERE, __VA_ARGS__)

#ifndef NN_NO_TRAINING
/* Saves memory as torch.utils.checkpoint does. Of the values computed between here and
   nn_recompute_end, a trainer keeps only those that later operations read. The backward pass
   computes the others again, which costs one more forward pass of the block per step. Dropout draws
   the same masks, and buffers are written once. nn_write_plan says what is repeated and what is not
   kept.

   On the CPU the bytes are the same, unless a block's end separates a convolution or its relu from
   the 2 x 2 max pooling after it: that prevents their fusion, and sums are added in another order.
   On other devices the last bits may differ, because their compilers round the different kernels
   differently. A layer of a deep net is a good block; blocks cannot be nested. Plans that do not
   train ignore blocks. */
NN_API void nn_recompute_begin_at(nn_site site, nn_model *net);
#define nn_recompute_begin(...) nn_recompute_begin_at(NN_HERE, __VA_ARGS__)
NN_API void nn_recompute_end_at(nn_site site, nn_model *net);
#define nn_recompute_end(...) nn_recompute_end_at(NN_HERE, __VA_ARGS__)
#endif

/* Copies the value of x to another device; only this operation crosses devices inside a step. In
   training the gradient crosses back. */
NN_API nn_node *nn_transfer_at(nn_site site, nn_model *net, nn_node *x, nn_device device);
#define nn_transfer(...) nn_transfer_at(NN_HERE, __VA_ARGS__)

/* Makes plans from now on keep this value until the end of a run, so that nn_download can read it.
   Returns x. */
NN_API nn_node *nn_keep(nn_node *x);

/* Stops gradients, as torch.Tensor.detach: trainers made from now on treat the result as a
   constant. It costs nothing. */
NN_API nn_node *nn_detach_at(nn_site site, nn_model *net, nn_node *x);
#define nn_detach(...) nn_detach_at(NN_HERE, __VA_ARGS__)

NN_API const char *nn_node_name(const nn_node *node);
NN_API nn_shape nn_node_shape(const nn_node *node); /* symbolic extents included */
NN_API nn_dtype nn_node_dtype(const nn_node *node);
NN_API nn_device nn_node_device(const nn_node *node);

/* ---- mistakes -------------------------------------------------------------------------------- */

/* Returns the number of faults found so far in the description; a plan adds those of placement. */
NN_API int nn_fault_count(const nn_model *net);
/* Writes the whole report of faults, as in nn_error; nothing if there are none. */
NN_API void nn_write_faults(const nn_model *net, nn_writer writer);

/* For builders of your own that call other builders: records a mistake under the name of your
   operation and returns the poisoned node, about which later operations report nothing. name and
   fix may be NULL; texts are copied. Returns NULL if net is NULL. */
NN_API nn_node *nn_record_fault_at(nn_site site, nn_model *net, const char *operation,
                                   const char *name, const char *cause, const char *fix);
#define nn_record_fault(...) nn_record_fault_at(NN_HERE, __VA_ARGS__)

/* ---- parameters ------------------------------------------------------------------------------ */

/* These calls find parameters, buffers and constants by their PyTorch state_dict names
   ("conv1.weight") or in the order of description. Their memory is allocated and initialised by the
   first plan, load or call of nn_find_tensor. */
NN_API int nn_parameter_count(const nn_model *net);        /* those that are trained */
NN_API int64_t nn_parameter_elements(const nn_model *net); /* number of elements in them */
NN_API nn_tensor *nn_find_tensor_at(nn_site site, nn_model *net,
                                    const char *name); /* NULL if there is none or the model has
                                                          faults */
#define nn_find_tensor(...) nn_find_tensor_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* Returns the node of a parameter, such as "fc1.weight" of a layer, for nn_gradient and for losses
   that read it. NULL and an error if there is none of that name. */
NN_API nn_node *nn_find_parameter_at(nn_site site, nn_model *net, const char *name);
#define nn_find_parameter(...) nn_find_parameter_at(NN_HERE, __VA_ARGS__)
#endif
NN_API int nn_model_tensor_count(const nn_model *net);      /* parameters, buffers and constants */
NN_API nn_tensor *nn_model_tensor_at(nn_model *net, int i); /* NULL before their memory exists */
/* Freezes or unfreezes a parameter given by its whole name, or all whose names begin with `prefix`
   if that ends with a dot. Trainers made from now on do not train frozen parameters; existing
   trainers are not changed. */
NN_API nn_result nn_freeze_at(nn_site site, nn_model *net, const char *prefix, bool frozen);
#define nn_freeze(...) nn_freeze_at(NN_HERE, __VA_ARGS__)
/* Lets parameters begin as zeros instead of random numbers, for a net whose weights are loaded
   before its first run (torch.nn.utils.skip_init). Drawing takes some ns for each number. prefix as
   for nn_freeze. Initial values that are not random (the ones of norms) stay, and so do those of
   parameters that have memory, because a plan was made or a tensor was asked for. */
NN_API nn_result nn_start_at_zero_at(nn_site site, nn_model *net, const char *prefix);
#define nn_start_at_zero(...) nn_start_at_zero_at(NN_HERE, __VA_ARGS__)
