/* ops/private.h - what the trainer and the plan need of the operations, and what immediate calls
   share. */
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
    int flags; /* NN__OPTIONAL, NN__WRITTEN, NN__IN_ITS_PLACE, NN__OR_HALF */
    nn_dtype dtype;
} nn__given;
enum {
    NN__OPTIONAL = 1, /* may be NULL; spelled `true` in the tables */
    NN__WRITTEN = 2, /* the call writes to it, so it must not share memory with any other operand */
    NN__IN_ITS_PLACE =
        4,      /* it is written, but may be exactly the memory of another operand (y == x) */
    NN__OR_HALF = 8 /* f16 and bf16 will do as well as the dtype */
};
/* Checks NULL, dtype, read-only, one context, one device, that the device is open, and that what is
   written shares no memory with other operands. On success *nn and *device are set. */
NN_PRIVATE nn_result nn__check_given(nn_site site, const char *who, const nn__given *given,
                                     int count, nn_context **nn, nn_device *device);
/* A call of one kernel from the operation's rule: checks the operands, asks `infer`, holds the
   outputs (the first `outputs` of `given`; a NULL one behind the first is absent) and the
   parameters of a layer against its answer, lets `install` bring the CPU's kernel, lowers, and
   runs. params: the rule's. */
NN_PRIVATE nn_result nn__immediate(nn_site site, const char *who, const nn__rule *rule,
                                   nn__install install, const nn__given *given, int outputs,
                                   int count, const void *params);
/* Of this the shapes alone, for a backward call: of checked tensors, with a gradient in the place
   of its value. */
NN_PRIVATE bool nn__shapes_fit(const nn__rule *rule, const nn__given *given, int outputs, int count,
                               const void *params, nn__problem *problem);
/* Holds the outputs, and the parameters of a layer, against the answer; false: the first that has
   another type is the problem. */
NN_PRIVATE bool nn__hold_types(const nn__inference *inference, const nn__given *given, int outputs,
                               int count);
NN_PRIVATE nn_result nn__check_shapes(nn_site site, const char *who, nn_context *nn,
                                      const nn__rule *rule, const nn__given *given, int outputs,
                                      int count, const void *params);
/* Asks support and scratch, prepares, runs. args->scratch is found through `scratch` (NULL: kernel
   needs none). */
NN_PRIVATE nn_result nn__run_immediate(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, nn_kernel kernel, void *args,
                                       nn_view *scratch);
/* All of it but to run: what may fail for want of memory or of a kernel. */
NN_PRIVATE nn_result nn__prepare_immediate(nn_site site, const char *who, nn_context *nn,
                                           nn_device device, nn_kernel kernel, void *args,
                                           nn_view *scratch);
NN_PRIVATE nn_result nn__fail_problem(nn_context *nn, nn_site site, const char *who,
                                      const nn__problem *problem);
NN_PRIVATE nn_result nn__fail_shape(nn_context *nn, nn_site site, const char *who, const char *role,
                                    nn_shape wanted, nn_shape given);
/* NN_OK, or nn__fail_shape when the tensor (NULL: NN_OK) has another shape. */
NN_PRIVATE nn_result nn__want_shape(nn_context *nn, nn_site site, const char *who, const char *role,
                                    nn_shape wanted, const nn_tensor *tensor);

/* ---- what checks share: shapes with symbolic extents ----------------------------------------- */

/* The product of extents [first, end) as one extent; false: there is none (nn__extent_multiply). */
NN_PRIVATE bool nn__fold_extents(nn_shape shape, int first, int end, int32_t *extent);
/* Elements at a batch and a time of 1; false: beyond int64. */
NN_PRIVATE bool nn__symbolic_count(nn_shape shape, int64_t *count);
/* NumPy's broadcasting; false: they do not fit. */
NN_PRIVATE bool nn__broadcast_shapes(nn_shape a, nn_shape b, nn_shape *y);
/* The axes as bits, bit i for axis i of x; false: what is wrong with them is in `problem`. */
NN_PRIVATE bool nn__op_axes(nn_shape x, const nn_axes *axes, uint32_t *bits, nn__problem *problem);
/* One axis, counted from 0 in *found; false: there is none, which `problem` says. field: what the
   message calls it. */
NN_PRIVATE bool nn__want_axis(nn__problem *problem, const char *field, nn_shape x, int axis,
                              int32_t *found);
/* x's shape with 1 in the axes. */
NN_PRIVATE nn_shape nn__keep_axes(nn_shape x, uint32_t axes);
/* True when `y`, the result of a and b, has at most one extent that depends on the batch. */
NN_PRIVATE bool nn__want_one_batch(nn__problem *problem, nn_shape y, nn_shape a, nn_shape b);
/* Reports "label is u8; cross_entropy wants i32"; true when the dtype is the wanted one, or for a
   wanted f32 f16 or bf16, which become f32 when the node is added. Not for tensors of immediate
   calls: nn__check_given. */
NN_PRIVATE bool nn__want_dtype(nn__problem *problem, const char *operation, const char *role,
                               nn_dtype given, nn_dtype wanted);
/* Reports "weight has the shape (3, 4); wanted (3, 5)"; true when they are equal. */
NN_PRIVATE bool nn__want_role_shape(nn__problem *problem, const char *role, nn_shape wanted,
                                    nn_shape given);
/* Reports "stride is -1; it must be at least 1" of a desc's field; returns false. Where 0 is the
   only number, or false, `wanted` is "0: and why" or "false: and why", and the field is to be left
   out; "1: ..." likewise where 0 means 1. */
NN_PRIVATE bool nn__refuse_number(nn__problem *problem, const char *field, int value,
                                  const char *wanted);
/* Whether a probability or a weight is one, 0 and 1 included; else reports it. */
NN_PRIVATE bool nn__want_fraction(nn__problem *problem, const char *field, float value,
                                  const char *fix);
/* The same of an argument of the call. */
NN_PRIVATE bool nn__refuse_argument(nn__problem *problem, const char *name, int value,
                                    const char *wanted);
/* The extent floor((x + more) / stride) + 1, which may be a free one (not with NN_NO_REPORTS, to
   keep a firmware small); false: there is none, or none
   for every batch and time. */
NN_PRIVATE bool nn__count_windows(int32_t x, int64_t more, int64_t stride, int32_t *windows);
/* True when height and width of x (N, C, H, W), with the padding around them, stay below 2^30:
   kernels count the places of a window in an int. */
NN_PRIVATE bool nn__want_padded(nn__problem *problem, const char *source, nn_shape x,
                                int64_t around_h, int64_t around_w);
/* True when x is (N, C, H, W) and no extent from `known` on is free. source: how messages call
   x. */
NN_PRIVATE bool nn__want_image(nn__problem *problem, const char *operation, const char *source,
                               nn_shape x, int known);

/* "" or, when pictures of this shape seem to have their channels last, words about it for a
   cause. */
NN_PRIVATE const char *nn__channels_last_words(nn_shape x);

/* logits (N, C, d...) f32 and label (N, d...) i32. */
NN_PRIVATE bool nn__want_labels(nn__problem *problem, const char *operation, nn__type logits,
                                nn__type label);

#ifndef NN_NO_TRAINING
/* Is it the gradient of a layer's weight: the product of input 0, transposed, with input 1, whose
   rows are those of the batch? (ops/linear.c) */
NN_PRIVATE bool nn__is_weight_product(const nn_node *node);
/* Is it the gradient of the weight of a 2-d convolution, 3 x 3 with strides of one and no bias, of
   which there is a kernel over shards? Then in *args (or NULL) is what follows from shapes, but for
   how many pictures there are. (ops/conv2d.c) */
NN_PRIVATE bool nn__op_shard_conv2d(const nn_node *node, nn_shard_conv2d_args *args);
#endif
/* The args of the product of a and b, each seen as a matrix of (all extents but the last, the
   last). (ops/linear.c) */
NN_PRIVATE void nn__op_product_args(nn_gemm_args *gemm, const nn_view *y, const nn_view *a,
                                    const nn_view *b, bool transpose_a, bool transpose_b);
/* The args of a copy of x to y, which have one shape and dtype. piece: room for one. */
NN_PRIVATE void nn__op_copy_args(nn_strided_copy_args *args, nn_copy_piece *piece,
                                 const nn_view *y, const nn_view *x);

/* ---- nodes of which other operations are composed, poisoned when an input is ----------------- */

/* y is x, in its dtype. */
NN_PRIVATE const nn__rule *nn__copy_rule(void);

NN_PRIVATE nn_node *nn__add_unary(nn__graph *graph, nn_site site, const char *operation,
                                  const char *name, const char *const *roles, nn_pointwise_op op,
                                  nn_node *x, float scalar);
/* x weight^T + bias (NULL: none), as nn_linear has it; x is f32 and ends with in_features. */
NN_PRIVATE nn_node *nn__add_linear(nn__graph *graph, nn_site site, const char *operation,
                                   const char *name, nn_node *x, nn_node *weight, nn_node *bias);
NN_PRIVATE nn_node *nn__add_binary(nn__graph *graph, nn_site site, const char *operation,
                                   const char *name, const char *const *roles, nn_pointwise_op op,
                                   nn_node *a, nn_node *b);
/* shape: of the result, with or without the axes. */
NN_PRIVATE nn_node *nn__add_reduce(nn__graph *graph, nn_site site, const char *operation,
                                   const char *const *roles, nn_reduction reduction, nn_node *x,
                                   uint32_t axes, nn_shape shape);

#ifdef NN_NO_TRAINING
#define NN__GRADIENT(function) NULL
#else
#define NN__GRADIENT(function) function
/* The same for gradient rules: nodes on the device of `like`, named after it. */
NN_PRIVATE nn_node *nn__tape_unary(nn__tape *tape, nn_pointwise_op op, nn_node *x, float scalar,
                                   const nn_node *like);
NN_PRIVATE nn_node *nn__tape_binary(nn__tape *tape, nn_pointwise_op op, nn_node *a, nn_node *b,
                                    const nn_node *like);
/* The numbers of the kernel of a reduction's gradient; false: it has none, or the axes are not the
   last ones of x. */
NN_PRIVATE bool nn__op_slope_args(nn_reduce_backward_args *args, nn_reduction reduction,
                                  nn_shape x, uint32_t axes, int correction);
NN_PRIVATE nn_node *nn__tape_reduce(nn__tape *tape, nn_reduction reduction, nn_node *x,
                                    uint32_t axes, nn_shape shape, const nn_node *like);
/* Is the node a reduction? Then which one. */
NN_PRIVATE bool nn__is_reduction(const nn_node *node, nn_reduction *reduction);
NN_PRIVATE nn_node *nn__tape_reshape(nn__tape *tape, nn_node *x, nn_shape shape,
                                     const nn_node *like);
NN_PRIVATE nn_node *nn__tape_expand(nn__tape *tape, nn_node *x, nn_shape shape,
                                    const nn_node *like);
/* A program with one output, of inputs that are broadcast; its code lives as long as the tape. The
   caller installs its instructions. (ops/program.c) */
NN_PRIVATE nn_node *nn__tape_program(nn__tape *tape, const nn_program *program,
                                     const float *scalars, nn_node *const *inputs,
                                     const nn_node *like);
/* The product of two matrices. */
NN_PRIVATE nn_node *nn__tape_matmul(nn__tape *tape, const nn_node *like, nn_node *a, nn_node *b,
                                    bool transpose_a, bool transpose_b, nn_shape shape);
/* The product of a and b, each seen as a matrix of (all extents but the last, the last), is the
   gradient of x. (ops/linear.c) */
NN_PRIVATE void nn__op_give_product(nn__tape *tape, nn_node *x, nn_node *a, nn_node *b,
                                    bool transpose_a, bool transpose_b);
/* The sum of two gradients of one value: what a tape's `add` is. */
NN_PRIVATE nn_node *nn__tape_add(nn__tape *tape, nn_node *a, nn_node *b);
/* dy summed over the axes along which x was stretched. */
static inline NN__UNUSED nn_node *nn__tape_sum_to(nn__tape *tape, nn_node *dy, const nn_node *x) {
    return tape->sum_to(tape, dy, x);
}
NN_PRIVATE nn_node *nn__tape_make_sum(nn__tape *tape, nn_node *dy, const nn_node *x);
NN_PRIVATE void nn__tape_program_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
#endif

#ifndef NN_NO_TRAINING
/* ---- nodes that only trainers add ------------------------------------------------------------ */

/* Numbers [first, first + count) of item `item`; they are numbers [kept, kept + count) of its
   moments. */
typedef struct nn__update_part {
    int32_t item, first, count, kept;
} nn__update_part;

typedef struct nn__update_params {
    nn_update_item *items;    /* in the graph's arena; views filled at each lowering */
    const nn__args **items_of; /* the same: the arguments that it was of last */
    int32_t count;
    int32_t part_count;           /* 0: items are updated as wholes */
    const nn__update_part *parts; /* in the graph's arena: what is updated of the items */
    nn_optimizer optimizer;
    float weight_decay, momentum, dampening, beta1, beta2, epsilon, max_norm;
    float rate_factor; /* times the learning rate of each step */
    bool nesterov;
} nn__update_params;
/* Inputs for item i: parameter, gradient, moment1 (if the optimizer has it), moment2 (if it has
   it); then, if clipped, the scale. moments: for each parameter as many as the optimizer has. The
   learning rate and the step come from the run values. */
NN_PRIVATE nn_node *nn__add_update(nn__tape *tape, nn_site site, nn_node *const *parameters,
                                   nn_node *const *gradients, nn_node *const *moments,
                                   nn_node *scale, const nn__update_params *params);
/* Around the update of parameters that are stored in f16 or bf16, on their f32 masters: before it a
   master that does not round to its parameter becomes the parameter, after it the parameter becomes
   the rounded master. */
NN_PRIVATE nn_node *nn__add_refresh_masters(nn__tape *tape, nn_site site, nn_node *const *masters,
                                            nn_node *const *parameters, int count);
NN_PRIVATE nn_node *nn__add_store_masters(nn__tape *tape, nn_site site, nn_node *const *masters,
                                          nn_node *const *parameters, int count);
/* One number: the factor that limits the norm of all gradients. */
NN_PRIVATE nn_node *nn__add_clip(nn__tape *tape, nn_site site, nn_node *const *gradients, int count,
                                 float max_norm);
/* counts (C, C) i32 += the batch's confusion; the shapes were checked. */
NN_PRIVATE nn_node *nn__add_confusion(nn__tape *tape, nn_site site, nn_node *counts,
                                      nn_node *logits, nn_node *label);
/* The params of nn_metric's node; NULL: it is another one. */
typedef struct nn__metric {
    nn_metric_function function;
    void *user;
    int32_t thresholds; /* not 0: a wrong number of them, which is a fault */
} nn__metric;
NN_PRIVATE const nn__metric *nn__metric_of(const nn_node *node);
/* total (2) += (value, 1) * batch * time; total may be NULL: only checks value. Of nn_metric's K
   sums total has (2 K) numbers: the sums, and what their additions rounded away. */
NN_PRIVATE nn_node *nn__add_accumulate(nn__tape *tape, nn_site site, nn_node *total, nn_node *value,
                                       bool check);
#endif
#ifndef NN_NO_REPORTS
/* Can a norm by running statistics become part of the product or convolution before it? */
NN_PRIVATE bool nn__op_can_fold(const nn_node *product, const nn_node *norm);
/* The product with folded weights: its input 1 is the node that folds, whose next output is the
   bias. All in the arena, in no graph. NULL: no memory. */
NN_PRIVATE nn_node *nn__op_fold(nn__arena *arena, const nn_node *product, const nn_node *norm);
/* Is the node that kernel of a conv2d, or of a max_pool2d with windows of 2 x 2 side by side? */
NN_PRIVATE bool nn__op_is_conv2d(const nn_node *node, nn_kernel kernel);
NN_PRIVATE bool nn__op_is_pairs(const nn_node *node, nn_kernel kernel);
/* A convolution of 1 x 1 that mixes all channels of each place; one whose sums have few inputs; one
   of each channel by itself; the sum of two nodes of its own shape: what a separable convolution is
   made of (ops/separable.c). */
NN_PRIVATE bool nn__op_is_point(const nn_node *conv);
NN_PRIVATE bool nn__op_is_stem(const nn_node *conv);
NN_PRIVATE bool nn__op_is_depthwise(const nn_node *conv);
NN_PRIVATE bool nn__op_is_addition(const nn_node *node);
#define NN__SEPARABLE_INPUTS 8
typedef struct nn__separable_parts {
    const nn_node *expand, *depth, *project; /* expand: or NULL */
    nn_node *residual;                       /* or NULL */
    nn_activation first, second;             /* behind expand, behind depth */
} nn__separable_parts;
/* All of it as one node, whose inputs are x, of each convolution weight and bias, and the residual;
   nn__op_separable_weights: the input behind the last weight or bias. In the arena, in no graph.
   NULL: no memory. */
NN_PRIVATE nn_node *nn__op_separable(nn__arena *arena, const nn__separable_parts *parts);
NN_PRIVATE int nn__op_separable_weights(const nn_node *node);
/* Can such a convolution and such a maximum be one block? (ops/conv_pool.c) */
NN_PRIVATE bool nn__op_can_block(const nn_node *conv, const nn_node *pool);
/* The block: inputs as the convolution's, outputs y and the places of the maxima. In the arena, in
   no graph. NULL: no memory. */
NN_PRIVATE nn_node *nn__op_block(nn__arena *arena, const nn_node *conv, const nn_node *pool);
#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__op_is_relu_gradient(const nn_node *node); /* of y and dy */
/* Is it a product of a tape, neither of whose inputs is transposed? The sum of all rows? */
NN_PRIVATE bool nn__op_is_plain_product(const nn_node *node);
NN_PRIVATE bool nn__op_is_sum_of_rows(const nn_node *node);
/* All gradients of a linear layer (ops/launches.c), in the place of its weight's; inputs: dy, x,
   and weight where dx is wanted. */
NN_PRIVATE nn_node *nn__op_linear_gradients(nn__arena *arena, const nn_node *weight,
                                            nn_node *const *inputs, int count);
/* Is it a cross entropy that gives one number, the gradient of a cross entropy, or what adds one
   number to a total or checks it? */
NN_PRIVATE bool nn__op_is_one_loss(const nn_node *node);
NN_PRIVATE bool nn__op_is_loss_gradient(const nn_node *node);
NN_PRIVATE bool nn__op_is_total(const nn_node *node, bool *has_total, bool *check);
/* All three (ops/launches.c), in the place of the loss; inputs: those of the gradient, and the
   total. */
NN_PRIVATE nn_node *nn__op_loss_head(nn__arena *arena, const nn_node *loss,
                                     nn_node *const *inputs, int count, bool has_total,
                                     bool check);
/* Do both nodes move running statistics, in the same way? And one that moves those of several
   (ops/norm_gradient.c), whose inputs follow one another. */
NN_PRIVATE bool nn__op_tracks_like(const nn_node *a, const nn_node *b);
NN_PRIVATE nn_node *nn__op_tracks(nn__arena *arena, const nn_node *first, nn_node **inputs,
                                  int count);
/* In the place of a gradient of the convolution, which is given; inputs: dy, y, the places, and the
   given one's second input. */
NN_PRIVATE nn_node *nn__op_block_gradient(nn__arena *arena, const nn_node *gradient,
                                          nn_node *const *inputs, const nn_node *conv);
#endif
#endif
/* nn_expression of a node or of several, the later ones of which may be NULL. numbers: three,
   called p, q and r in the text, or NULL (ops/expression.c). */
NN_PRIVATE nn_node *nn__add_text(nn_site site, nn_model *net, const char *name, const char *text,
                                 nn_node *a, nn_node *b, nn_node *c, nn_node *d,
                                 const float *numbers);
/* Numbers 1, 2, 3 ... along the axis of x (-1 or -2); the other one of the two has one element,
   unless its extent is free (ops/matrix.c). */
NN_PRIVATE nn_node *nn__op_counted_along(nn_site site, nn_model *net, nn_node *x, int axis);
/* nn_transfer_at (ops/transfer.c) and its gradient: a node with rule nn__rule_transfer on `device`;
   the plan does the work. */
NN_PRIVATE nn_node *nn__add_transfer(nn__graph *graph, nn_site site, nn_node *x, nn_device device);
