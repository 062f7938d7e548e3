/* kernels/rotary/args.h - rotary positions: rotates pairs of numbers by angles that grow with the
   position, and back;
   on the CPU in nn_sequence.h. */
#pragma once

#include "device/types.h"

/* Rotates pair e of a row at position p by p f(e), f(e) = base^(-2 e / width): (a, b) becomes (a
   cos - b sin, b cos + a sin), or with `inverse` (a cos + b sin, b cos - a sin), which is the
   gradient. Pairs are the numbers e and e + width / 2 of a row, or with `interleaved` 2 e and 2 e +
   1; numbers from `width` on are copied. f is divided by `factor`. With `original`, the number of
   positions in training, f is divided fully if a full turn is longer than original / low positions,
   not at all if it is shorter than original / high, and partly in between. Sources: Su et al.,
   "RoFormer", 2021; for `original`, Meta's Llama 3.1. All f32; y may be x. An absent x means pairs
   (0, 1), which `inverse` turns into sines and cosines; then all of y consists of pairs. */
typedef struct nn_rotary_args {
    nn_view y, x;      /* (N, H, L, E); heads_inside: (N, L, H, E). x may be absent */
    nn_view positions; /* i32: (N) of each sample's row 0, or (N, L) of each row; absent: offset */
    nn_view scratch;
    int32_t width, offset, original;
    float base, factor, low, high;
    bool interleaved, heads_inside, inverse;
} nn_rotary_args;

/* Views and numbers: see kernels/list.h. */
#define NN_ROTARY_VIEWS(VIEW, ITEM)                                                                \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, positions, 1) VIEW(SCRATCH, scratch, 1)
#define NN_ROTARY_NUMBERS(INT, REAL, OTHER)                                                        \
    INT(width)                                                                                     \
    INT(offset) INT(original) REAL(base) REAL(factor) REAL(low) REAL(high) INT(interleaved)        \
        INT(heads_inside) INT(inverse)
