/* kernels/list.h - THE ONE TABLE of kernels. It and the folder of each family give the kernels'
   numbers and names, the slots of a backend, the scratch memory, the use of each view, the
   self-test, the tests, the benchmark and the lists of parts.

   A new family is a line here and a folder in kernels/ with args.h, cpu.c, opencl.c, opencl.cl,
   cases.h and reference.h. tools/families.c finds the parts, and docs/contributing.md says what
   each must define.

   A *_desc is what a user writes: zero means default. A *_args is what a kernel gets: views with
   every extent known, and numbers with every default filled in. A zeroed view (dtype 0) is absent.
   Until memory is allocated, views have dtype and shape but a NULL handle. `scratch` has the bytes
   that scratch_bytes() asked for, aligned to 64. `status` is the device's status word, see
   device/backend.h. In gradients, dx means "the derivative of the loss with respect to x". */
#pragma once

#include "kernels/args.h"

/* X(NUMBER, ENUM, field, arguments, family). A number is permanent: new kernels are appended, and
   the number of a removed kernel is not used again. The family is the folder.

   BASIC KERNELS are those that operations describe. A device without one of them cannot do its
   operations. */
#define NN_BASIC_KERNELS(X)                                                                        \
    X(1, GEMM, gemm, nn_gemm_args, matmul)                                                         \
    X(2, CONV2D_FORWARD, conv2d_forward, nn_conv2d_args, conv2d)                                   \
    X(3, CONV2D_BACKWARD_INPUT, conv2d_backward_input, nn_conv2d_args, conv2d)                     \
    X(4, CONV2D_BACKWARD_WEIGHT, conv2d_backward_weight, nn_conv2d_args, conv2d)                   \
    X(5, POOL2D_FORWARD, pool2d_forward, nn_pool2d_args, pool2d)                                   \
    X(6, POOL2D_BACKWARD, pool2d_backward, nn_pool2d_args, pool2d)                                 \
    X(9, REDUCE, reduce, nn_reduce_args, reduce)                                                   \
    X(10, SOFTMAX_FORWARD, softmax_forward, nn_softmax_args, softmax)                              \
    X(11, SOFTMAX_BACKWARD, softmax_backward, nn_softmax_args, softmax)                            \
    X(12, CROSS_ENTROPY_FORWARD, cross_entropy_forward, nn_cross_entropy_args, cross_entropy)      \
    X(13, CROSS_ENTROPY_BACKWARD, cross_entropy_backward, nn_cross_entropy_args, cross_entropy)    \
    X(14, ACCURACY, accuracy, nn_accuracy_args, metric)                                            \
    X(15, CLIP, clip, nn_clip_args, update)                                                        \
    X(16, UPDATE, update, nn_update_args, update)                                                  \
    X(17, ACCUMULATE, accumulate, nn_accumulate_args, metric)                                      \
    X(18, RANDOM, random, nn_random_args, random)                                                  \
    X(19, CUSTOM, custom, nn_custom_args, custom)                                                  \
    X(20, GATHER, gather, nn_gather_args, gather)                                                  \
    X(21, AUGMENT, augment, nn_augment_args, augment)                                              \
    X(22, CONFUSION, confusion, nn_confusion_args, metric)                                         \
    X(23, POINTWISE, pointwise, nn_program_args, pointwise)                                        \
    X(24, STRIDED_COPY, strided_copy, nn_strided_copy_args, strided_copy)                          \
    X(25, FOLD, fold, nn_reduce_args, reduce)                                                      \
    X(26, SCAN, scan, nn_scan_args, scan)                                                          \
    X(27, SCATTER_ADD, scatter_add, nn_scatter_add_args, scatter_add)                              \
    X(28, NORM_FORWARD, norm_forward, nn_norm_args, norm)                                          \
    X(29, NORM_BACKWARD, norm_backward, nn_norm_backward_args, norm)                               \
    X(30, NORM_TRACK, norm_track, nn_norm_track_args, norm)                                        \
    X(34, RECURRENT_FORWARD, recurrent_forward, nn_recurrent_args, recurrent)                      \
    X(35, RECURRENT_BACKWARD, recurrent_backward, nn_recurrent_backward_args, recurrent)           \
    X(38, RESIZE_FORWARD, resize_forward, nn_resize_args, resize)                                  \
    X(39, RESIZE_BACKWARD, resize_backward, nn_resize_args, resize)                                \
    X(40, GRID_SAMPLE_FORWARD, grid_sample_forward, nn_grid_sample_args, grid_sample)              \
    X(41, GRID_SAMPLE_BACKWARD, grid_sample_backward, nn_grid_sample_args, grid_sample)            \
    X(42, SORT, sort, nn_sort_args, sort)                                                          \
    X(43, CTC_FORWARD, ctc_forward, nn_ctc_args, ctc)                                              \
    X(44, CTC_BACKWARD, ctc_backward, nn_ctc_args, ctc)                                            \
    X(49, GATHER_ELEMENTS, gather_elements, nn_gather_elements_args, elements)                     \
    X(50, SCATTER_ELEMENTS, scatter_elements, nn_scatter_elements_args, elements)                  \
    X(51, SCAN_BACKWARD, scan_backward, nn_scan_backward_args, scan)                               \
    X(52, ATTENTION_FORWARD, attention_forward, nn_attention_args, attention)                      \
    X(53, ATTENTION_BACKWARD, attention_backward, nn_attention_args, attention)                    \
    X(54, ROTARY, rotary, nn_rotary_args, rotary)                                                  \
    X(55, CACHE, cache, nn_cache_args, cache)                                                      \
    X(66, REDUCE_BACKWARD, reduce_backward, nn_reduce_backward_args, reduce)                       \
    X(72, STREAM_FORWARD, stream_forward, nn_stream_args, stream)                                  \
    X(73, STREAM_PUSH, stream_push, nn_stream_push_args, stream)                                   \
    X(74, STREAM_BACKWARD, stream_backward, nn_stream_backward_args, stream)                       \
    X(75, INTEGER_CONV2D, integer_conv2d, nn_integer_conv2d_args, integer)                         \
    X(76, INTEGER_POOL2D, integer_pool2d, nn_integer_pool2d_args, integer)                         \
    X(77, INTEGER_ADD, integer_add, nn_integer_add_args, integer)                                  \
    X(78, QUANTIZE, quantize, nn_quantize_args, integer)                                           \
    X(79, DEQUANTIZE, dequantize, nn_quantize_args, integer)                                       \
    X(81, QUANTIZE_EVEN, quantize_even, nn_quantize_even_args, quantized)                          \
    X(82, QUANTIZED_LINEAR, quantized_linear, nn_quantized_linear_args, quantized)                 \
    X(83, QUANTIZED_LSTM, quantized_lstm, nn_quantized_lstm_args, quantized)                       \
    X(84, QUANTIZED_CONV2D, quantized_conv2d, nn_quantized_conv2d_args, quantized)                 \
    X(85, INTEGER_TABLE, integer_table, nn_integer_table_args, integer)                            \
    X(86, INTEGER_MULTIPLY, integer_multiply, nn_integer_multiply_args, integer)                   \
    X(87, NIBBLE_LINEAR, nibble_linear, nn_nibble_linear_args, nibble)                             \
    X(88, NIBBLE_FLOATS, nibble_floats, nn_nibble_floats_args, nibble)                             \
    X(89, INTEGER_RESIZE2D, integer_resize2d, nn_integer_resize2d_args, integer)                   \
    X(90, INTEGER_RECURRENT, integer_recurrent, nn_integer_recurrent_args, integer)                \
    X(91, INTEGER_SOFTMAX, integer_softmax, nn_integer_softmax_args, integer)

/* COMPOSED KERNELS do the work of several basic ones. No operation describes them: they come from a
   plan that joins its steps, or from a group that adds the gradients of shards. They are used only
   where the device has them and supports their arguments; elsewhere the basic kernels run. So a
   device has those that make it faster, and its author need not know any of them. */
#define NN_COMPOSED_KERNELS(X)                                                                     \
    X(31, NORM_FOLD, norm_fold, nn_norm_fold_args, norm)                                           \
    X(56, SHARD_SUM, shard_sum, nn_shard_sum_args, shard_sum)                                      \
    X(57, CONV_POOL_FORWARD, conv_pool_forward, nn_conv_pool_args, conv_pool)                      \
    X(58, CONV_POOL_BACKWARD_WEIGHT, conv_pool_backward_weight, nn_conv_pool_args, conv_pool)      \
    X(59, CONV_POOL_BACKWARD_INPUT, conv_pool_backward_input, nn_conv_pool_args, conv_pool)        \
    X(60, SHARD_PRODUCT, shard_product, nn_shard_product_args, shard_sum)                          \
    X(62, LINEAR_GRADIENT, linear_gradient, nn_linear_gradient_args, linear_gradient)              \
    X(63, CROSS_ENTROPY_HEAD, cross_entropy_head, nn_cross_entropy_head_args, cross_entropy)       \
    X(64, SEPARABLE, separable, nn_separable_args, separable)                                      \
    X(65, SHARD_CONV2D, shard_conv2d, nn_shard_conv2d_args, conv2d)                                \
    X(80, RECURRENT_WHOLE, recurrent_whole, nn_recurrent_whole_args, recurrent_whole)

#define NN_KERNELS(X) NN_BASIC_KERNELS(X) NN_COMPOSED_KERNELS(X)

union nn__kernel_numbers { /* as large as the largest number */
#define NN__X(number, upper, lower, args, family) char lower[number];
    NN_KERNELS(NN__X)
#undef NN__X
};

typedef enum nn_kernel {
    NN_KERNEL_NONE = 0, /* no work: a reshape */
#define NN__X(number, upper, lower, args, family) NN_KERNEL_##upper = number,
    NN_KERNELS(NN__X)
#undef NN__X
    /* one more than the largest number */
    NN_KERNEL_COUNT = (int)sizeof(union nn__kernel_numbers) + 1
} nn_kernel;

NN_API const char *nn_kernel_name(nn_kernel kernel); /* "conv2d_forward" */

/* HOW A KERNEL USES ITS VIEWS. NN_<KERNEL>_VIEWS(VIEW, ITEM), beside its arguments, lists
     VIEW(ROLE, field, count)              `count` views from a->field on; a is the arguments
     ITEM(ROLE, items, many, field, count) the same in each of the a->many items that a->items
     points to
   The user of the list defines the two macros. Absent views are listed too. Roles:
     IN       read only
     OUT      written completely
     SUM      OUT, or CHANGED if a->accumulate is set
     KEPT     OUT, or CHANGED if a->accumulate or a status word is set
     CHANGED  read and written: parameters, totals, the status word
     SCRATCH  private to the kernel: contents undefined before and after */

/* THE OTHER ARGUMENTS OF A KERNEL. NN_<KERNEL>_NUMBERS(INT, REAL, OTHER), beside its arguments,
   lists the fields that are not views:
     INT(field)    an integer, an enum or a bool; ranks that train together compare it
     REAL(field)   a float, compared in the same way
     OTHER(field)  follows from shapes or changes from run to run; also pointers, and views that
                   another kernel with the same arguments uses
   tests/group/test_ranks_agree.c finds fields that are in neither list. */
