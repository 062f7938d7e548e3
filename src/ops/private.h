/* ops/private.h - what the trainer and the plan need to know about operations, and the helpers
   that immediate calls share. */
#pragma once

#include "graph/private.h"
#include "kernels/install.h"
#include "ops/assign.h"
#include "ops/cast.h"
#include "ops/conv2d.h"
#include "ops/custom.h"
#include "ops/linear.h"
#include "ops/loss.h"
#include "ops/matmul.h"
#include "ops/metric.h"
#include "ops/pointwise.h"
#include "ops/pool2d.h"
#include "ops/reduce.h"
#include "ops/reshape.h"
#include "ops/softmax.h"

/* ---- immediate calls ------------------------------------------------------------------------- */

/* One operand of an immediate call. */
typedef struct nn__given {
    const char *role; /* "x" */
    const nn_tensor *tensor;
    int flags; /* NN__OPTIONAL | NN__WRITTEN | ... */
    nn_dtype dtype;
} nn__given;
enum {
    NN__OPTIONAL = 1, /* may be NULL; spelled `true` in the tables */
    NN__WRITTEN = 2, /* the call writes it, so it must not share memory with any other operand */
    NN__IN_ITS_PLACE =
        4,      /* written, but may be exactly the memory of another operand (y == x) */
    NN__OR_HALF = 8 /* f16 and bf16 are accepted too */
};
/* Checks that the operands are not NULL, have the right dtype, are in one context, are on one
   device that is open, and that no written operand is read-only or shares memory with another
   one. On success *nn and *device are set. */
NN_PRIVATE nn_result nn__check_given(nn_site site, const char *who, const nn__given *given,
                                     int count, nn_context **nn, nn_device *device);
/* Runs one kernel at once, as the operation's rule describes it: checks the operands, calls
   `infer`, compares the outputs and a layer's parameters with its answer, calls `install` to
   bring the CPU's kernel, lowers and runs. The first `outputs` elements of `given` are the
   outputs; each but the first may be NULL. params: the rule's. */
NN_PRIVATE nn_result nn__immediate(nn_site site, const char *who, const nn__rule *rule,
                                   nn__install install, const nn__given *given, int outputs,
                                   int count, const void *params);
/* Checks only the shapes of an immediate call. It is for backward calls, whose tensors are already
   checked and which pass a gradient in the place of its value. */
NN_PRIVATE bool nn__shapes_fit(const nn__rule *rule, const nn__given *given, int outputs, int count,
                               const void *params, nn__problem *problem);
/* Compares the outputs and a layer's parameters with the answer of `infer`. False: `problem`
   names the first one of another type. */
NN_PRIVATE bool nn__hold_types(const nn__inference *inference, const nn__given *given, int outputs,
                               int count);
NN_PRIVATE nn_result nn__check_shapes(nn_site site, const char *who, nn_context *nn,
                                      const nn__rule *rule, const nn__given *given, int outputs,
                                      int count, const void *params);
/* Asks the kernel for support and scratch, prepares it and runs it. *scratch is the args' field
   for the scratch view; NULL: the kernel needs none. */
NN_PRIVATE nn_result nn__run_immediate(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, nn_kernel kernel, void *args,
                                       nn_view *scratch);
/* Does all that nn__run_immediate does, except the run. It fails if memory or the kernel is
   missing. */
NN_PRIVATE nn_result nn__prepare_immediate(nn_site site, const char *who, nn_context *nn,
                                           nn_device device, nn_kernel kernel, void *args,
                                           nn_view *scratch);
NN_PRIVATE nn_result nn__fail_problem(nn_context *nn, nn_site site, const char *who,
                                      const nn__problem *problem);
NN_PRIVATE nn_result nn__fail_shape(nn_context *nn, nn_site site, const char *who, const char *role,
                                    nn_shape wanted, nn_shape given);
/* NN_OK if the tensor has the wanted shape or is NULL; else nn__fail_shape. */
NN_PRIVATE nn_result nn__want_shape(nn_context *nn, nn_site site, const char *who, const char *role,
                                    nn_shape wanted, const nn_tensor *tensor);

/* ---- shapes with symbolic extents, for checks ------------------------------------------------ */

/* Multiplies extents [first, end) into one extent. False if the product is no extent
   (nn__extent_multiply). */
NN_PRIVATE bool nn__fold_extents(nn_shape shape, int first, int end, int32_t *extent);
/* Computes the number of elements for a batch and a time of 1. False if it overflows int64. */
NN_PRIVATE bool nn__symbolic_count(nn_shape shape, int64_t *count);
/* Broadcasts as NumPy does. False if the shapes do not fit. */
NN_PRIVATE bool nn__broadcast_shapes(nn_shape a, nn_shape b, nn_shape *y);
/* Converts axes to bits: bit i stands for axis i of x. False: `problem` says which axis is
   wrong. */
NN_PRIVATE bool nn__op_axes(nn_shape x, const nn_axes *axes, uint32_t *bits, nn__problem *problem);
/* Resolves an axis that may be negative to *found, counted from 0. False if x has no such axis.
   field: the name of the axis in messages. */
NN_PRIVATE bool nn__want_axis(nn__problem *problem, const char *field, nn_shape x, int axis,
                              int32_t *found);
/* Returns x's shape with an extent of 1 along the axes. */
NN_PRIVATE nn_shape nn__keep_axes(nn_shape x, uint32_t axes);
/* True if `y`, the result of a and b, has at most one extent that depends on the batch. */
NN_PRIVATE bool nn__want_one_batch(nn__problem *problem, nn_shape y, nn_shape a, nn_shape b);
/* True if the dtype is the wanted one; else reports "label is u8; cross_entropy wants i32".
   Where f32 is wanted, f16 and bf16 pass too, since the node widens them. Immediate calls use
   nn__check_given instead. */
NN_PRIVATE bool nn__want_dtype(nn__problem *problem, const char *operation, const char *role,
                               nn_dtype given, nn_dtype wanted);
/* True if the shapes are equal; else reports "weight has the shape (3, 4); wanted (3, 5)". */
NN_PRIVATE bool nn__want_role_shape(nn__problem *problem, const char *role, nn_shape wanted,
                                    nn_shape given);
/* Reports "stride is -1; it must be at least 1" for a field of a desc; returns false. If 0 (or
   false) is the only legal value, `wanted` is "0: reason" ("false: reason") and the message asks
   to leave the field out. Use "1: reason" where 0 means 1. */
NN_PRIVATE bool nn__refuse_number(nn__problem *problem, const char *field, int value,
                                  const char *wanted);
/* A field of a desc that exists once for all axes and once for each of them: `all` is .kernel, h
   and w are .kernel_h and .kernel_w. A number of an axis, unless it is 0, replaces `all` there;
   NN_NONE is 0.
   Fills in to[0] (depth or height) and the following ones. problem may be NULL; else returns false
   and reports numbers that are not legal, or an `all` that no axis uses. (ops/per_axis.c) */
typedef enum nn__per_axis {
    NN__PER_AXIS_KERNEL,      /* at least 1 */
    NN__PER_AXIS_STEP,        /* at least 1; default: 1 */
    NN__PER_AXIS_POOL_STRIDE, /* at least 1; to stays 0 where the kernel is the default */
    NN__PER_AXIS_PADDING      /* at least 0 */
} nn__per_axis;
NN_PRIVATE bool nn__per_axis_2d(nn__problem *problem, const char *field, nn__per_axis kind, int all,
                                int h, int w, int *to);
NN_PRIVATE bool nn__per_axis_3d(nn__problem *problem, const char *field, nn__per_axis kind, int all,
                                int d, int h, int w, int *to);
/* Writes "padding_h" for axis 0 of 2, or axis 1 of 3, and so on into text; returns text. */
enum { NN__AXIS_FIELD = 32 };
NN_PRIVATE const char *nn__axis_field(char *text, const char *field, int axis, int count);
/* True if `value` is in [0, 1]; else reports it. */
NN_PRIVATE bool nn__want_fraction(nn__problem *problem, const char *field, float value,
                                  const char *fix);
/* Does what nn__refuse_number does, for an argument of the call. */
NN_PRIVATE bool nn__refuse_argument(nn__problem *problem, const char *name, int value,
                                    const char *wanted);
/* Computes the extent floor((x + more) / stride) + 1. x may be symbolic, except under
   NN_NO_RARE_OPTIONS, to keep a firmware small. False if there is no such extent, or none for every
   batch and time. */
NN_PRIVATE bool nn__count_windows(int32_t x, int64_t more, int64_t stride, int32_t *windows);
/* True if height and width of x (N, C, H, W) with their padding stay below 2^30: kernels count
   the places of a window in an int. */
NN_PRIVATE bool nn__want_padded(nn__problem *problem, const char *source, nn_shape x,
                                int64_t around_h, int64_t around_w);
/* True if x is (N, C, H, W) and its extents from axis `known` on are not symbolic. source: the
   name of x in messages. */
NN_PRIVATE bool nn__want_image(nn__problem *problem, const char *operation, const char *source,
                               nn_shape x, int known);

/* Returns a hint for a message if the shape looks like channels last; else "". */
NN_PRIVATE const char *nn__channels_last_words(nn_shape x);

/* Checks logits (N, C, d...) f32 and label (N, d...) i32. */
NN_PRIVATE bool nn__want_labels(nn__problem *problem, const char *operation, nn__type logits,
                                nn__type label);

#ifndef NN_NO_TRAINING
/* True if the node is the gradient of a linear layer's weight: input 0, transposed, times input
   1, with the samples of the batch as their rows. (ops/linear.c) */
NN_PRIVATE bool nn__is_weight_product(const nn_node *node);
/* True if the node is the weight gradient of a conv2d that has a kernel over shards: 3 x 3,
   stride and dilation 1, no bias gradient. *args (may be NULL) then gets everything that follows
   from shapes, except for the number of images. (ops/conv2d.c) */
NN_PRIVATE bool nn__op_shard_conv2d(const nn_node *node, nn_shard_conv2d_args *args);
#endif
/* Fills in the args of the product of a and b. Each is seen as a matrix whose columns are its last
   extent. (ops/linear.c) */
NN_PRIVATE void nn__op_product_args(nn_gemm_args *gemm, const nn_view *y, const nn_view *a,
                                    const nn_view *b, bool transpose_a, bool transpose_b);
/* Fills in the args of a copy of x to y, which have the same shape and dtype. piece: room for
   one. */
NN_PRIVATE void nn__op_copy_args(nn_strided_copy_args *args, nn_copy_piece *piece,
                                 const nn_view *y, const nn_view *x);

/* ---- nodes that builders compose: poisoned if an input is ------------------------------------ */

/* Returns the rule of a copy in any dtype. */
NN_PRIVATE const nn__rule *nn__copy_rule(void);

/* line: a line of ops/table.txt, such as nn__table_abs() (ops/program.h). scalar: its number, if it
   has one. */
struct nn__line;
NN_PRIVATE nn_node *nn__add_unary(nn__graph *graph, nn_site site, const char *operation,
                                  const char *name, const char *const *roles,
                                  const struct nn__line *line, nn_node *x, float scalar);
/* Adds x weight^T + bias (NULL: none), as in nn_linear. x is f32 and its last extent is
   in_features. */
NN_PRIVATE nn_node *nn__add_linear(nn__graph *graph, nn_site site, const char *operation,
                                   const char *name, nn_node *x, nn_node *weight, nn_node *bias);
NN_PRIVATE nn_node *nn__add_binary(nn__graph *graph, nn_site site, const char *operation,
                                   const char *name, const char *const *roles,
                                   const struct nn__line *line, nn_node *a, nn_node *b);
/* shape: of the result, with or without the reduced axes. */
NN_PRIVATE nn_node *nn__add_reduce(nn__graph *graph, nn_site site, const char *operation,
                                   const char *const *roles, nn_reduction reduction, nn_node *x,
                                   uint32_t axes, nn_shape shape);

#ifdef NN_NO_TRAINING
#define NN__GRADIENT(function) NULL
#else
#define NN__GRADIENT(function) function
/* Does the same for gradient rules. The nodes get the device and the name of `like`. */
NN_PRIVATE nn_node *nn__tape_unary(nn__tape *tape, const struct nn__line *line, nn_node *x,
                                   float scalar, const nn_node *like);
NN_PRIVATE nn_node *nn__tape_binary(nn__tape *tape, const struct nn__line *line, nn_node *a,
                                    nn_node *b, const nn_node *like);
/* Fills in the args of the kernel of a reduction's gradient. False if there is no such kernel, or
   if the axes are not the last ones of x. */
NN_PRIVATE bool nn__op_slope_args(nn_reduce_backward_args *args, nn_reduction reduction,
                                  nn_shape x, uint32_t axes, int correction);
NN_PRIVATE nn_node *nn__tape_reduce(nn__tape *tape, nn_reduction reduction, nn_node *x,
                                    uint32_t axes, nn_shape shape, const nn_node *like);
/* True if the node is a reduction; *reduction says which. */
NN_PRIVATE bool nn__is_reduction(const nn_node *node, nn_reduction *reduction);
NN_PRIVATE nn_node *nn__tape_reshape(nn__tape *tape, nn_node *x, nn_shape shape,
                                     const nn_node *like);
NN_PRIVATE nn_node *nn__tape_expand(nn__tape *tape, nn_node *x, nn_shape shape,
                                    const nn_node *like);
/* Returns a pointwise program with one output; its inputs are broadcast. The code lives as long as
   the tape. The caller installs the instructions. (ops/program.c) */
NN_PRIVATE nn_node *nn__tape_program(nn__tape *tape, const nn_program *program,
                                     const float *scalars, nn_node *const *inputs,
                                     const nn_node *like);
NN_PRIVATE nn_node *nn__tape_matmul(nn__tape *tape, const nn_node *like, nn_node *a, nn_node *b,
                                    bool transpose_a, bool transpose_b, nn_shape shape);
/* Gives x the product of a and b as its gradient. Each is seen as a matrix whose columns are its
   last extent. (ops/linear.c) */
NN_PRIVATE void nn__op_give_product(nn__tape *tape, nn_node *x, nn_node *a, nn_node *b,
                                    bool transpose_a, bool transpose_b);
/* Adds two gradients of one value; is the tape's `add`. */
NN_PRIVATE nn_node *nn__tape_add(nn__tape *tape, nn_node *a, nn_node *b);
/* Sums dy over the axes along which x was broadcast. */
static inline NN__UNUSED nn_node *nn__tape_sum_to(nn__tape *tape, nn_node *dy, const nn_node *x) {
    return tape->sum_to(tape, dy, x);
}
NN_PRIVATE nn_node *nn__tape_make_sum(nn__tape *tape, nn_node *dy, const nn_node *x);
NN_PRIVATE void nn__tape_program_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
/* Makes a tape that adds nodes to `graph`. */
NN_PRIVATE void nn__tape_open(nn__tape *tape, nn__graph *graph, nn__faults *faults);
/* Gradients of gradients, which only ops/again.c calls (through nn_gradient). Each rule is in the
   file of its operation. */
/* Reports that the node, a gradient, has none itself. why: NULL, or the reason. (ops/again.c) */
NN_PRIVATE void nn__again_ends(nn__tape *tape, const nn_node *node, const char *why);
/* Gives dy's values at the maxima, or its means by the rule `average`. */
NN_PRIVATE void nn__op_pool_again(nn__tape *tape, nn_node *node, nn_node *dy,
                                  const nn__rule *average, size_t params_bytes);
NN_PRIVATE void nn__op_product_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_matmul_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_mean_scale_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_pool2d_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_window_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_softmax_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_cross_entropy_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_arrange_again_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_index_again(nn__tape *tape, nn_node *node, nn_node *dy);
/* Returns a node of x's shape with the same number everywhere; it does not depend on the values of
   x. */
NN_PRIVATE nn_node *nn__tape_filled(nn__tape *tape, nn_node *x, float value);
/* nn__gradients.own for nodes of ops/arrange_pieces.c. */
NN_PRIVATE void nn__op_arrange_own(nn_node *node,
                                   nn_node *(*copy_of)(const void *copy, const nn_node *node),
                                   const void *copy);
#endif

#ifndef NN_NO_TRAINING
/* ---- nodes that only trainers add ------------------------------------------------------------ */

/* A piece of item `item`: its numbers [first, first + count). In the item's moments they are the
   numbers [kept, kept + count). */
typedef struct nn__update_part {
    int32_t item, first, count, kept;
} nn__update_part;

typedef struct nn__update_params {
    nn_update_item *items;    /* in the graph's arena; each lowering fills in the views */
    /* in the graph's arena: the args for which the items were last filled in */
    const nn__args **items_of;
    int32_t count;
    int32_t part_count;           /* 0: items are updated as a whole */
    const nn__update_part *parts; /* in the graph's arena: the pieces to update */
    nn_optimizer optimizer;
    float weight_decay, momentum, dampening, beta1, beta2, epsilon, max_norm;
    float rate_factor; /* multiplies each step's learning rate */
    bool nesterov;
} nn__update_params;
/* Updates parameters. `moments` has, for each parameter, as many nodes as the optimizer has
   moments. The node's inputs are, for each item: parameter, gradient, moment1, moment2 (if there
   are any); then the clip scale, if given. Learning rate and step come from the run values. The
   caller places the node. */
NN_PRIVATE nn_node *nn__add_update(nn__tape *tape, nn_site site, nn_node *const *parameters,
                                   nn_node *const *gradients, nn_node *const *moments,
                                   nn_node *scale, const nn__update_params *params);
/* These go before and after the update of parameters that are stored in f16 or bf16 and have f32
   masters. Refresh copies a parameter to its master if the master does not round to it. Store
   rounds the masters into the parameters. */
NN_PRIVATE nn_node *nn__add_refresh_masters(nn__tape *tape, nn_site site, nn_node *const *masters,
                                            nn_node *const *parameters, int count);
NN_PRIVATE nn_node *nn__add_store_masters(nn__tape *tape, nn_site site, nn_node *const *masters,
                                          nn_node *const *parameters, int count);
/* Returns one number: the factor that limits the norm of all gradients. The caller places the
   node. */
NN_PRIVATE nn_node *nn__add_clip(nn__tape *tape, nn_site site, nn_node *const *gradients, int count,
                                 float max_norm);
/* Adds the batch's confusion matrix to counts (C, C) i32. The shapes are already checked. */
NN_PRIVATE nn_node *nn__add_confusion(nn__tape *tape, nn_site site, nn_node *counts,
                                      nn_node *logits, nn_node *label);
/* The params of nn_metric's node; nn__metric_of is NULL for other nodes. */
typedef struct nn__metric {
    nn_metric_function function;
    void *user;
    int32_t thresholds; /* not 0: an illegal number of thresholds, which is a fault */
} nn__metric;
NN_PRIVATE const nn__metric *nn__metric_of(const nn_node *node);
/* NULL, or a faulty node if a metric cannot have this number of thresholds. */
NN_PRIVATE nn_node *nn__metric_refuse(nn_site site, nn_model *net, nn_node *y, int thresholds);
NN_PRIVATE nn_shape nn__op_number(void); /* one number: the shape of effects */
/* total (2) += (value, 1) * batch * time. total NULL: only checks value. For the K sums of
   nn_metric, total has 2 K numbers: the sums, and the rounding errors of their additions. */
NN_PRIVATE nn_node *nn__add_accumulate(nn__tape *tape, nn_site site, nn_node *total, nn_node *value,
                                       bool check);
#endif
/* Lets plans make a sum the end of a linear layer's product (ops/residual_fusion.c). */
NN_PRIVATE void nn__install_residual(nn_context *nn);
#ifndef NN_NO_SPEEDUPS
/* The fusions that builders of norms with running statistics, maximum pools, convolutions,
   recurrent layers and attention add to the context. Each is in a file of its own,
   ops/..._fusion.c. */
NN_PRIVATE const nn__fusion *nn__op_fold_fusion(void);
NN_PRIVATE const nn__fusion *nn__op_prelu_fusion(void);
NN_PRIVATE const nn__fusion *nn__op_block_fusion(void);
NN_PRIVATE const nn__fusion *nn__op_separable_fusion(void);
/* True if the node is a slice of neighbours along the last axis. *first: the first of them.
   (ops/arrange_pieces.c) */
NN_PRIVATE bool nn__op_is_last_slice(const nn_node *node, int32_t *first);
#ifndef NN_NO_TRAINING
/* Returns the slice whose gradient is this input of a joined gradient of slices; NULL: the node is
   none. (ops/arrange_pieces.c) */
NN_PRIVATE const nn_node *nn__op_slice_of(const nn_node *node, int input);
#endif
/* True if a norm by running statistics can be folded into the product or convolution before it. */
NN_PRIVATE bool nn__op_can_fold(const nn_node *product, const nn_node *norm);
/* Returns the product with folded weights. Its input 1 is a new node that computes the weight, and
   as a further output the bias. Both are in the arena and in no graph. NULL: no memory. */
NN_PRIVATE nn_node *nn__op_fold(nn__arena *arena, const nn_node *product, const nn_node *norm);
/* True if the node is a conv2d, or a max_pool2d with windows of 2 x 2 and stride 2, or a gradient
   of one. */
NN_PRIVATE bool nn__op_is_conv2d(const nn_node *node);
NN_PRIVATE bool nn__op_is_pairs(const nn_node *node);
/* The parts of a separable convolution (ops/separable.c), for nodes of its kernels: a 1 x 1
   convolution; a convolution with few inputs for each sum; a depthwise convolution; the sum of two
   nodes of its own shape. */
NN_PRIVATE bool nn__op_is_point(const nn_node *conv);
NN_PRIVATE bool nn__op_is_stem(const nn_node *conv);
NN_PRIVATE bool nn__op_is_depthwise(const nn_node *conv);
NN_PRIVATE bool nn__op_is_addition(const nn_node *node);
#define NN__SEPARABLE_INPUTS 8
typedef struct nn__separable_parts {
    const nn_node *expand, *depth, *project; /* expand may be NULL */
    nn_node *residual;                       /* may be NULL */
    nn_activation first, second;             /* after expand, after depth */
} nn__separable_parts;
/* Returns all of it as one node. Its inputs are x, then weight and bias of each convolution, then
   the residual. nn__op_separable_weights returns the index after the last weight or bias. The node
   is in the arena and in no graph. NULL: no memory. */
NN_PRIVATE nn_node *nn__op_separable(nn__arena *arena, const nn__separable_parts *parts);
NN_PRIVATE int nn__op_separable_weights(const nn_node *node);
#ifndef NN_NO_SPEEDUPS
/* True for a layer of nn_linear whose numbers are all f32. */
NN_PRIVATE bool nn__op_is_linear(const nn_node *node);
/* Joins a recurrent layer with the linear layers before and after it (ops/recurrent_whole.c). These
   functions are called through nn_context, so that programs without such a layer do not link them.
   can: false if one of them has a form that the kernel lacks. head may be NULL. made: the node, in
   the arena, in no graph; NULL: no memory. Its inputs: x; weight and bias (if any) of `input`, the
   recurrent layer and the head; then h0 and c0 (if any). weights: one past the last weight or
   bias. */
typedef struct nn__whole_layers {
    bool (*can)(const nn_node *input, const nn_node *layer, const nn_node *head);
    nn_node *(*made)(nn__arena *arena, const nn_node *input, const nn_node *layer,
                     const nn_node *head);
    int (*weights)(const nn_node *node);
} nn__whole_layers;
#define NN__WHOLE_INPUTS 9 /* the most inputs of such a node */
#endif
/* True if the convolution and the max pool can be one block. (ops/conv_pool.c) */
NN_PRIVATE bool nn__op_can_block(const nn_node *conv, const nn_node *pool);
/* Returns the block. Inputs: the convolution's; outputs: y and the indices of the maxima. The node
   is in the arena and in no graph. NULL: no memory. */
NN_PRIVATE nn_node *nn__op_block(nn__arena *arena, const nn_node *conv, const nn_node *pool);
#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__op_is_relu_gradient(const nn_node *node); /* inputs y and dy */
/* True for a product that a tape added, with neither input transposed; true for a sum over all
   rows. */
NN_PRIVATE bool nn__op_is_plain_product(const nn_node *node);
NN_PRIVATE bool nn__op_is_sum_of_rows(const nn_node *node);
/* Returns all gradients of a linear layer as one node, which replaces that of its weight
   (ops/launches.c). Inputs: dy, x, and weight if dx is needed. */
NN_PRIVATE nn_node *nn__op_linear_gradients(nn__arena *arena, const nn_node *weight,
                                            nn_node *const *inputs, int count);
/* True for: a cross entropy that gives one number; the gradient of a cross entropy; a node that
   adds one number to a total or checks it. */
NN_PRIVATE bool nn__op_is_one_loss(const nn_node *node);
NN_PRIVATE bool nn__op_is_loss_gradient(const nn_node *node);
NN_PRIVATE bool nn__op_is_total(const nn_node *node, bool *has_total, bool *check);
/* Returns all three as one node, which replaces the loss (ops/launches.c). Inputs: those of the
   gradient, then the total. */
NN_PRIVATE nn_node *nn__op_loss_head(nn__arena *arena, const nn_node *loss,
                                     nn_node *const *inputs, int count, bool has_total,
                                     bool check);
/* True if both nodes update running statistics in the same way. nn__op_tracks makes one node
   that updates those of several (ops/norm_gradient.c); their inputs follow one another. */
NN_PRIVATE bool nn__op_tracks_like(const nn_node *a, const nn_node *b);
NN_PRIVATE nn_node *nn__op_tracks(nn__arena *arena, const nn_node *first, nn_node **inputs,
                                  int count);
/* Returns the gradient of a block, which replaces `gradient` of its convolution. Inputs: dy, y, the
   indices of the maxima, and input 1 of `gradient`. */
NN_PRIVATE nn_node *nn__op_block_gradient(nn__arena *arena, const nn_node *gradient,
                                          nn_node *const *inputs, const nn_node *conv);
#endif
#endif
/* Adds an nn_expression of up to four nodes; those at the end may be NULL. numbers: three, called
   p, q and r in the text, or NULL (ops/expression.c). */
NN_PRIVATE nn_node *nn__add_text(nn_site site, nn_model *net, const char *name, const char *text,
                                 nn_node *a, nn_node *b, nn_node *c, nn_node *d,
                                 const float *numbers);
/* For layers that have states; other programs do not link them. add: a state of zeros, whose name
   gets a number if it is taken. continues: what the state becomes at the end of a run. */
typedef struct nn__states {
    nn_node *(*add)(nn_model *net, nn_site site, const char *name, nn_dtype dtype,
                    const nn_shape *shape);
    void (*continues)(nn_model *net, nn_site site, nn_node *state, nn_node *value);
} nn__states;
#ifndef NN_NO_RARE_OPTIONS
/* The same for convolutions and pools of a stream (ops/stream.c). */
struct nn_conv1d_desc;
struct nn_pool1d_desc;
typedef struct nn__streaming {
    nn_node *(*conv1d)(nn_site site, nn_model *net, const char *name, nn_node *x,
                       const struct nn_conv1d_desc *desc);
    nn_node *(*pool1d)(nn_site site, nn_model *net, nn_node *x, const struct nn_pool1d_desc *desc,
                       bool largest);
} nn__streaming;
/* NULL, and a fault of the operation: nn_use_streaming was not called. */
NN_PRIVATE const nn__streaming *nn__streaming_of(nn_model *net, nn_site site,
                                                 const char *operation, const char *name);
#endif
static inline NN__UNUSED const nn__states *nn__states_of(const nn_model *net) {
#ifdef NN__ONE_PIECE
    (void)net;
    return NULL; /* the smallest programs have none */
#else
    return net->nn->states;
#endif
}
NN_PRIVATE void nn__add_continue(nn_model *net, nn_site site, nn_node *state, nn_node *value);
/* Returns the value, or a copy if it is stored in a buffer or state, which may change earlier. */
NN_PRIVATE nn_node *nn__op_assign_value(nn_model *net, nn_site site, nn_node *value);
/* Refuses free extents other than a batch in extent 0. what: for the message, "the state". */
NN_PRIVATE bool nn__want_state_shape(nn__problem *problem, const char *what, nn_shape shape);
/* Adds the node of nn_transfer_at or of its gradient (ops/transfer.c), with the rule
   nn__rule_transfer. The plan does the work. */
NN_PRIVATE nn_node *nn__add_transfer(nn__graph *graph, nn_site site, nn_node *x, nn_device device);
