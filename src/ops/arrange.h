/* ops/arrange.h - rearranges elements: permute, slice, concat, split, stack, pad, flip, roll,
   repeat.

   One kernel does all of them and their gradients, on every dtype. Axes are counted from 0;
   negative ones count from the end, as in PyTorch. The batch may be permuted, flipped, rolled and
   concatenated (to a multiple of the batch), but not sliced or padded, because its length is not
   known before a run. The same holds for the time. nn_pad can shift both. */
#pragma once

#include "graph/model.h"
#include "ops/axes.h"
#include "ops/conv2d.h"
#include "tensor/tensor.h"

/* torch.permute: axis i of the result is axis order.axis[i] of x; name every axis once.
   nn_permute(net, x, NN_AXES(0, 2, 3, 1)) turns (N, C, H, W) into (N, H, W, C). */
NN_API nn_node *nn_permute_at(nn_site site, nn_model *net, nn_node *x, nn_axes order);
#define nn_permute(...) nn_permute_at(NN_HERE, __VA_ARGS__)
/* torch.transpose: swaps two axes. */
NN_API nn_node *nn_transpose_at(nn_site site, nn_model *net, nn_node *x, int axis, int other);
#define nn_transpose(...) nn_transpose_at(NN_HERE, __VA_ARGS__)

/* x[..., start:stop:step, ...] along one axis, as in Python: negative numbers count from the end,
   and indices out of range are clamped. An empty slice is a fault. */
typedef struct nn_slice_desc {
    int axis;
    int start; /* default: 0 */
    int stop;  /* the index after the last element; default: the end */
    int step;  /* default: 1; at least 1, as in PyTorch. nn_flip reverses */
} nn_slice_desc;
NN_API nn_node *nn_slice_at(nn_site site, nn_model *net, nn_node *x, const nn_slice_desc *desc);
#define nn_slice(...) nn_slice_at(NN_HERE, __VA_ARGS__)

/* torch.cat: nn_concat(net, NN_NODES(a, b, c), 1). All extents except that of the axis must be
   equal. */
NN_API nn_node *nn_concat_at(nn_site site, nn_model *net, nn_nodes inputs, int axis);
#define nn_concat(...) nn_concat_at(NN_HERE, __VA_ARGS__)
/* torch.stack: joins the nodes along a new axis. */
NN_API nn_node *nn_stack_at(nn_site site, nn_model *net, nn_nodes inputs, int axis);
#define nn_stack(...) nn_stack_at(NN_HERE, __VA_ARGS__)
/* torch.chunk: cuts the axis into count pieces of extent / count, rounded up, and writes them to
   parts[0 .. count); the last one may be smaller. If that would make fewer pieces (6 in 4 gives 2,
   2, 2), it is a fault, and all are poisoned. Returns parts[0]. */
NN_API nn_node *nn_chunk_at(nn_site site, nn_model *net, nn_node *x, nn_node **parts, int count,
                            int axis);
#define nn_chunk(...) nn_chunk_at(NN_HERE, __VA_ARGS__)

/* torch.nn.functional.pad on the last three axes (depth, height and width); a negative number
   crops. Along the batch or the time, the crop at one end must equal the padding at the other:
   .left = 2, .right = -2 shifts x by two steps, and a run of at most two steps holds only
   .value. */
typedef struct nn_pad_desc {
    int left, right, top, bottom; /* default: 0 */
    int front, back;       /* default: 0. On the third axis from the end, the depth of volumes */
    float value;           /* default: 0; a whole number for integer dtypes */
    /* default: constant, `value`. In the other modes, which are made of slices, flips and
       concatenations of x, a `value` is a fault; the immediate call does not have them. REFLECT
       needs padding less than the extent, CIRCULAR at most the extent */
    nn_padding_mode mode;
} nn_pad_desc;
NN_API nn_node *nn_pad_at(nn_site site, nn_model *net, nn_node *x, const nn_pad_desc *desc);
#define nn_pad(...) nn_pad_at(NN_HERE, __VA_ARGS__)

/* torch.flip: reverses the order of elements along these axes. */
NN_API nn_node *nn_flip_at(nn_site site, nn_model *net, nn_node *x, nn_axes axes);
#define nn_flip(...) nn_flip_at(NN_HERE, __VA_ARGS__)
/* torch.roll: element i moves to i + shift, and elements that leave at one end enter at the
   other. */
NN_API nn_node *nn_roll_at(nn_site site, nn_model *net, nn_node *x, int shift, int axis);
#define nn_roll(...) nn_roll_at(NN_HERE, __VA_ARGS__)
/* torch.Tensor.repeat: times[i] copies along axis i. times has x's rank or more; then its first
   extents are new axes. */
NN_API nn_node *nn_repeat_at(nn_site site, nn_model *net, nn_node *x, nn_shape times);
#define nn_repeat(...) nn_repeat_at(NN_HERE, __VA_ARGS__)
/* torch.repeat_interleave: repeats each element along the axis: with 2 repeats, 1 2 becomes 1 1 2
   2. PyTorch also takes a count per element; for that, use nn_index_select with the indices written
   out. x has at most NN_MAX_RANK - 1 axes. */
NN_API nn_node *nn_repeat_interleave_at(nn_site site, nn_model *net, nn_node *x, int repeats,
                                        int axis);
#define nn_repeat_interleave(...) nn_repeat_interleave_at(NN_HERE, __VA_ARGS__)
/* torch.Tensor.expand, torch.broadcast_to: repeats extents of 1 to those of `shape`, which may also
   be NN_BATCH or NN_TIME; f32. 0 keeps x's extent (PyTorch's -1, which is NN_BATCH here). shape has
   x's rank or more; then its first extents are new axes. The gradient is summed over the repeated
   axes. */
NN_API nn_node *nn_expand_at(nn_site site, nn_model *net, nn_node *x, nn_shape shape);
#define nn_expand(...) nn_expand_at(NN_HERE, __VA_ARGS__)

/* ---- immediate: y has the shape that the node would have; it shares no memory with x --------- */

NN_API nn_result nn_permute_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                       nn_axes order);
#define nn_permute_forward(...) nn_permute_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_slice_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                     const nn_slice_desc *desc);
#define nn_slice_forward(...) nn_slice_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_concat_forward_at(nn_site site, nn_tensor *y, const nn_tensor *const *x,
                                      int count, int axis);
#define nn_concat_forward(...) nn_concat_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_pad_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                   const nn_pad_desc *desc);
#define nn_pad_forward(...) nn_pad_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_flip_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, nn_axes axes);
#define nn_flip_forward(...) nn_flip_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_roll_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int shift,
                                    int axis);
#define nn_roll_forward(...) nn_roll_forward_at(NN_HERE, __VA_ARGS__)
