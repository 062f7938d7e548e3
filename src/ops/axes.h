/* ops/axes.h - the axes argument of nn_reduce, nn_flip and nn_permute. */
#pragma once

#include "device/types.h"

/* Axes of a tensor: NN_AXES(1, 2) counts its arguments; -1 is the last axis, as in PyTorch.
   NN_ALL_AXES means all of them, from first to last. It is a struct, so that an axis or a bit mask
   is not passed by mistake. To fill it at run time: axes.axis[axes.count++] = 1. */
typedef struct nn_axes {
    int axis[NN_MAX_RANK];
    int count; /* 0: all axes */
} nn_axes;

#ifdef __cplusplus
extern "C++" {
template <typename... Axes> inline nn_axes nn_make_axes_of(Axes... axes) {
    static_assert(sizeof...(Axes) <= NN_MAX_RANK, "a shape has at most NN_MAX_RANK axes");
    return nn_axes{{static_cast<int>(axes)...}, static_cast<int>(sizeof...(Axes))};
}
}
#define NN_AXES(...) nn_make_axes_of(__VA_ARGS__)
#define NN_ALL_AXES  nn_make_axes_of()
#else
#define NN_AXES(...) ((nn_axes){{__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int))})
#define NN_ALL_AXES  ((nn_axes){{0}, 0})
#endif
