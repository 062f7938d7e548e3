/* graph/model.h - describing a net: models, inputs, parameters, buffers, devices of operations.
   Nothing here touches a device: a description allocates host memory only.

   A model is a list of nodes. A node is a place in a description (what some operation will
   produce), a tensor is storage; the compiler keeps them apart. Builders (nn_conv2d ...) never
       return NULL: what does not fit is
   recorded as a fault, a poisoned node comes back, later operations on it stay silent, and the plan
   reports all faults at once. */
#pragma once

#include "tensor/tensor.h"

typedef struct nn_model nn_model;
typedef struct nn_node nn_node;

typedef struct nn_model_desc {
    const char *name; /* default: "model". For reports; copied */
    nn_device device; /* default: the context's. Where parameters live and operations run, unless
                         nn_on_device says else */
    /* default: 0. Of parameters, dropout and whatever else is random in this model */
    uint64_t seed;
    nn_dtype dtype; /* default: NN_F32. NN_F16, NN_BF16: its parameters are stored so, in half the
                       memory and half the file; operations still compute in f32 (ops/cast.h), and a
                       trainer keeps f32 masters. First values are those of f32, rounded. For
                       activations: nn_cast */
} nn_model_desc;

/* NULL and an error when there is no memory, or for another dtype (with NN_NO_REPORTS: than f32).
   desc may be NULL. */
NN_API nn_model *nn_make_model_at(nn_site site, nn_context *nn, const nn_model_desc *desc);
#define nn_make_model(...) nn_make_model_at(NN_HERE, __VA_ARGS__)
/* Frees its plans and trainers too; NULL is allowed. An error, and nothing is freed, while
   something else uses one of its tensors: a view, or the plan of another model that it is bound to.
   A later call with the model, or with one of its plans or trainers, is an error that names this
   one; nodes and tensors of the model are not to be used. */
NN_API void nn_free_model_at(nn_site site, nn_model *net);
#define nn_free_model(...) nn_free_model_at(NN_HERE, __VA_ARGS__)

/* The context that it was made in; NULL for NULL. */
NN_API nn_context *nn_model_context(const nn_model *net);

/* A place that the program fills before each run: nn_upload, nn_bind, or a loader's field of the
   same name. One extent may be NN_BATCH, usually the first, and one NN_TIME: (NN_BATCH, NN_TIME,
   8), (NN_TIME, 4); or one is NN_BATCH_TIME. All others are positive. */
NN_API nn_node *nn_input_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                            nn_shape shape);
#define nn_input(...) nn_input_at(NN_HERE, __VA_ARGS__)

/* A tensor that belongs to the model: copied to the model's device when the first plan is made
   (`tensor` cannot be freed before), moved with it, saved with it under `name`, never trained.
   Class weights, positional encodings ... */
NN_API nn_node *nn_constant_at(nn_site site, nn_model *net, const char *name, nn_tensor *tensor);
#define nn_constant(...) nn_constant_at(NN_HERE, __VA_ARGS__)

/* A tensor of yours, where it stands: not moved, not saved; read anew at each run; must outlive the
   plans. */
NN_API nn_node *nn_borrow_at(nn_site site, nn_model *net, nn_tensor *tensor);
#define nn_borrow(...) nn_borrow_at(NN_HERE, __VA_ARGS__)

/* A parameter of your own: trained, moved, saved under `name`. Starts uniform in [low, high); low
   == high: that value. */
NN_API nn_node *nn_parameter_at(nn_site site, nn_model *net, const char *name, nn_shape shape,
                                float low, float high);
#define nn_parameter(...) nn_parameter_at(NN_HERE, __VA_ARGS__)

/* State of the model that is no parameter, as torch.nn.Module.register_buffer: running statistics,
   counters, caches. Saved, loaded, moved and checkpointed under `name`, written by operations
       (nn_assign), never trained. Any dtype;
   every element starts as `value`. */
NN_API nn_node *nn_buffer_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                             nn_shape shape, double value);
#define nn_buffer(...) nn_buffer_at(NN_HERE, __VA_ARGS__)

/* Output k of the operation behind `node`, where one has several (nn_max_pool2d: 0 the maxima, 1
   their indices);
   0 is the node that the builder returned. */
NN_API nn_node *nn_output_at(nn_site site, nn_node *node, int k);
#define nn_output(...) nn_output_at(NN_HERE, __VA_ARGS__)

/* Operations and parameters described from here to the matching nn_end_device are on `device`.
   Nests. */
NN_API void nn_on_device_at(nn_site site, nn_model *net, nn_device device);
#define nn_on_device(...) nn_on_device_at(NN_HERE, __VA_ARGS__)
NN_API void nn_end_device_at(nn_site site, nn_model *net);
#define nn_end_device(...) nn_end_device_at(NN_HERE, __VA_ARGS__)

#ifndef NN_NO_TRAINING
/* torch.utils.checkpoint, for when memory is short: a trainer keeps nothing of what the operations
   from here to nn_recompute_end make but what others read behind them; the backward pass computes
   it again when it comes there. Dropout draws the same masks, and buffers are written once. On the
   CPU the bytes are the same, but where an end parts a convolution or its relu from the 2 x 2
   maximum after it, which would be one step: sums then have another order. On other devices the
   last bits may differ, because their compilers round otherwise in the steps that the plan makes.
   One more forward pass of the block for each step; nn_write_plan says what is repeated and what is
   not kept. A layer of a deep net is a good block; blocks do not stand in each other. Plans that do
   not train are as without. */
NN_API void nn_recompute_begin_at(nn_site site, nn_model *net);
#define nn_recompute_begin(...) nn_recompute_begin_at(NN_HERE, __VA_ARGS__)
NN_API void nn_recompute_end_at(nn_site site, nn_model *net);
#define nn_recompute_end(...) nn_recompute_end_at(NN_HERE, __VA_ARGS__)
#endif

/* The value of x on another device: the only way a step crosses devices. In training its gradient
   crosses back. */
NN_API nn_node *nn_transfer_at(nn_site site, nn_model *net, nn_node *x, nn_device device);
#define nn_transfer(...) nn_transfer_at(NN_HERE, __VA_ARGS__)

/* Plans made from now on keep this value until the end of a run, so that nn_download can read it.
   Returns x. */
NN_API nn_node *nn_keep(nn_node *x);

/* Stops gradients: x as a constant, in every trainer made from now on. torch.Tensor.detach. Costs
   nothing. */
NN_API nn_node *nn_detach_at(nn_site site, nn_model *net, nn_node *x);
#define nn_detach(...) nn_detach_at(NN_HERE, __VA_ARGS__)

NN_API const char *nn_node_name(const nn_node *node);
NN_API nn_shape nn_node_shape(const nn_node *node); /* with symbolic extents */
NN_API nn_dtype nn_node_dtype(const nn_node *node);
NN_API nn_device nn_node_device(const nn_node *node);

/* ---- mistakes -------------------------------------------------------------------------------- */

/* Faults found so far while describing; a plan adds those of placement. */
NN_API int nn_fault_count(const nn_model *net);
/* The report as nn_error would have it, whole. Nothing is written when there are no faults. */
NN_API void nn_write_faults(const nn_model *net, nn_writer writer);

/* For builders of your own, made of others: records what does not fit as they do, under the name of
   your operation, and returns the poisoned node, on which later ones stay silent. name and fix may
   be NULL; texts are copied. NULL when net is NULL. */
NN_API nn_node *nn_record_fault_at(nn_site site, nn_model *net, const char *operation,
                                   const char *name, const char *cause, const char *fix);
#define nn_record_fault(...) nn_record_fault_at(NN_HERE, __VA_ARGS__)

/* ---- parameters ------------------------------------------------------------------------------ */

/* Parameters, buffers and constants by their PyTorch state_dict names ("conv1.weight"), in the
   order of description. Their memory is allocated and initialised at the first plan, load or call
   of nn_find_tensor. */
NN_API int nn_parameter_count(const nn_model *net);        /* of trained ones */
NN_API int64_t nn_parameter_elements(const nn_model *net); /* numbers in them */
NN_API nn_tensor *nn_find_tensor_at(nn_site site, nn_model *net,
                                    const char *name); /* NULL: none, or the model has faults */
#define nn_find_tensor(...) nn_find_tensor_at(NN_HERE, __VA_ARGS__)
NN_API int nn_model_tensor_count(const nn_model *net);      /* parameters, buffers and constants */
NN_API nn_tensor *nn_model_tensor_at(nn_model *net, int i); /* NULL before their memory exists */
/* Excludes a parameter (by its whole name, or all that begin with `prefix` when it ends with a dot)
   from training, in trainers made from now on; one made before goes on as it was made. */
NN_API nn_result nn_freeze_at(nn_site site, nn_model *net, const char *prefix, bool frozen);
#define nn_freeze(...) nn_freeze_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_model *nn_make_model_at(nn_site site, nn_context *nn, const nn_model_desc &desc) {
    return nn_make_model_at(site, nn, &desc);
}
}
#endif
