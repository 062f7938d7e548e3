/* ops/reduce.h - reductions over axes: torch.sum, mean, amax, amin, prod, argmax, norm, logsumexp,
   var ... */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"
#include "ops/axes.h"

/* torch.sum(x, (1, 2)) is nn_sum(net, x, NN_AXES(1, 2)) or nn_reduce(net, NN_SUM, x, NN_AXES(1, 2),
   false). With keep_axes the axes stay with extent 1, else they are removed. See nn_reduction for
   the formulas. NN_MAX and NN_MIN divide their gradient evenly among equal values, as torch.amax
   does; NN_ANY, NN_ALL, NN_ARGMAX and NN_ARGMIN have no gradient. Reducing the batch axis gives one
   result for all samples, which is rarely wanted except for a loss. */
NN_API nn_node *nn_reduce_at(nn_site site, nn_model *net, nn_reduction reduction, nn_node *x,
                             nn_axes axes, bool keep_axes);
#define nn_reduce(...) nn_reduce_at(NN_HERE, __VA_ARGS__)
/* NN_VAR or NN_STD with divisor max(0, count - correction). */
NN_API nn_node *nn_variance_at(nn_site site, nn_model *net, nn_reduction reduction, nn_node *x,
                               nn_axes axes, bool keep_axes, int correction);

/* Arguments: (net, x), (net, x, axes) or (net, x, axes, keep_axes); without axes, over all. */
#define nn_sum(net, ...)            NN__REDUCE(net, NN_SUM, __VA_ARGS__)
#define nn_mean(net, ...)           NN__REDUCE(net, NN_MEAN, __VA_ARGS__)
#define nn_amax(net, ...)           NN__REDUCE(net, NN_MAX, __VA_ARGS__)
#define nn_amin(net, ...)           NN__REDUCE(net, NN_MIN, __VA_ARGS__)
#define nn_prod(net, ...)           NN__REDUCE(net, NN_PROD, __VA_ARGS__)
#define nn_any(net, ...)            NN__REDUCE(net, NN_ANY, __VA_ARGS__)
#define nn_all(net, ...)            NN__REDUCE(net, NN_ALL, __VA_ARGS__)
#define nn_argmax(net, ...)         NN__REDUCE(net, NN_ARGMAX, __VA_ARGS__)
#define nn_argmin(net, ...)         NN__REDUCE(net, NN_ARGMIN, __VA_ARGS__)
#define nn_sum_of_squares(net, ...) NN__REDUCE(net, NN_SUM_OF_SQUARES, __VA_ARGS__)
#define nn_norm(net, ...)           NN__REDUCE(net, NN_NORM, __VA_ARGS__)
#define nn_logsumexp(net, ...)      NN__REDUCE(net, NN_LOGSUMEXP, __VA_ARGS__)
/* These also take (net, x, axes, keep_axes, correction); the default is 1, as in PyTorch. */
#define nn_var(net, ...) NN__REDUCE(net, NN_VAR, __VA_ARGS__)
#define nn_std(net, ...) NN__REDUCE(net, NN_STD, __VA_ARGS__)

/* NN__REDUCE_n has n arguments after the first two. EXPAND is for MSVC, which passes __VA_ARGS__ as
   one argument. */
#define NN__REDUCE_EXPAND(x)               x
#define NN__REDUCE_COUNT(a, b, c, d, n, ...) n
#define NN__REDUCE_JOIN_(a, b)             a##b
#define NN__REDUCE_JOIN(a, b)              NN__REDUCE_JOIN_(a, b)
#define NN__REDUCE_1(net, r, x)            nn_reduce_at(NN_HERE, net, r, x, NN_ALL_AXES, false)
#define NN__REDUCE_2(net, r, x, axes)      nn_reduce_at(NN_HERE, net, r, x, axes, false)
#define NN__REDUCE_3(net, r, x, axes, keep) nn_reduce_at(NN_HERE, net, r, x, axes, keep)
#define NN__REDUCE_4(net, r, x, axes, keep, correction)                                            \
    nn_variance_at(NN_HERE, net, r, x, axes, keep, correction)
#define NN__REDUCE(net, r, ...)                                                                    \
    NN__REDUCE_EXPAND(NN__REDUCE_JOIN(                                                             \
        NN__REDUCE_,                                                                               \
        NN__REDUCE_EXPAND(NN__REDUCE_COUNT(__VA_ARGS__, 4, 3, 2, 1, 0)))(net, r, __VA_ARGS__))

/* ---- immediate. y has x's shape with 1 in the axes, and is i32 for NN_ARGMAX and NN_ARGMIN. */
NN_API nn_result nn_reduce_forward_at(nn_site site, nn_tensor *y, nn_reduction reduction,
                                      const nn_tensor *x, nn_axes axes);
#define nn_reduce_forward(...) nn_reduce_forward_at(NN_HERE, __VA_ARGS__)
/* NN_VAR or NN_STD with a correction other than 1. */
NN_API nn_result nn_variance_forward_at(nn_site site, nn_tensor *y, nn_reduction reduction,
                                        const nn_tensor *x, nn_axes axes, int correction);
#define nn_variance_forward(...) nn_variance_forward_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* Computes dx (x's shape), or adds to it with accumulate. dy and y have x's shape with 1 in the
   axes. y is the result of nn_reduce_forward; it may be NULL for NN_MEAN, NN_SUM, NN_PROD,
   NN_SUM_OF_SQUARES and NN_VAR. NN_ANY, NN_ALL, NN_ARGMAX and NN_ARGMIN have no gradient. Scratch
   comes from the context (nn_desc.scratch_bytes): the size of y for NN_MAX, NN_MIN, NN_VAR and
   NN_STD, twice that for NN_PROD; and the size of x to accumulate NN_MAX, NN_MIN and NN_PROD. */
NN_API nn_result nn_reduce_backward_at(nn_site site, nn_tensor *dx, nn_reduction reduction,
                                       const nn_tensor *dy, const nn_tensor *x, const nn_tensor *y,
                                       nn_axes axes, bool accumulate);
#define nn_reduce_backward(...) nn_reduce_backward_at(NN_HERE, __VA_ARGS__)
/* NN_VAR or NN_STD with a correction other than 1. */
NN_API nn_result nn_variance_backward_at(nn_site site, nn_tensor *dx, nn_reduction reduction,
                                         const nn_tensor *dy, const nn_tensor *x,
                                         const nn_tensor *y, nn_axes axes, int correction,
                                         bool accumulate);
#define nn_variance_backward(...) nn_variance_backward_at(NN_HERE, __VA_ARGS__)
#endif
