/* kernels/attention/args.h - scaled dot product attention and its gradients, in blocks that never
   hold a whole matrix of scores;
   on the CPU in nn_sequence.h. */
#pragma once

#include "device/types.h"

/* y = softmax(scale q k^T + bias) v for each head; source: Vaswani et al., "Attention is all you
   need", 2017; in blocks: Dao et al., "FlashAttention", 2022. Query head h reads key head h / (H /
   K). Query i of sample n has position i + offset, or i + positions[n]; key j has position j. A key
   is masked by any of these: lengths (j >= lengths[n]), causal (j after the query), window (j at a
   distance of `window` or more), starts (j < starts[n][i]), a u8 mask of 0, an f32 mask of
   -infinity. A masked key has no effect on any result, even if it is NaN. If all keys of a query
   are masked, its row is zeros and has no gradient. A length or position outside [0, S] sets the
   status word, and the sample has no keys; so does a start, and the query has no keys.

   heads_inside: q is (N, L, H, E), k (N, S, K, E), v (N, S, K, V) and y (N, L, H, V); the gradients
   have the same shapes. All are f32, but k and v may each be f32, f16 or bf16; their gradients are
   f32.

   Dropout keeps weight (n, h, i, j) where the uniform number of word i % 4 of Philox(seed, stream,
   counter + ((n H + h) S + j) ceil(L / 4) + i / 4) is at least `dropout`. */
typedef struct nn_attention_args {
    nn_view y;       /* (N, H, L, V) */
    nn_view log_sum; /* (N, H, L): log of the sum of exp of each row's scores; infinity if all are
                        masked. May be absent in forward */
    nn_view q, k, v; /* (N, H, L, E), (N, K, S, E), (N, K, S, V) */
    nn_view mask;    /* (N or 1, H or 1, L or 1, S or 1), f32 to add or u8; may be absent */
    nn_view lengths, positions;     /* (N) i32; may be absent: S, and the offset */
    nn_view starts;                 /* (N, L) i32; may be absent: 0 */
    nn_view dy, dq, dk, dv;         /* backward only; dq, dk and dv may be absent */
    nn_view dmask; /* backward only: gradient of an f32 mask, of its shape, summed over its
                      broadcast axes. May be absent */
    nn_view scratch, status;        /* status: forward only */
    uint64_t seed, stream, counter; /* of dropout */
    float scale, dropout;
    int32_t offset, window; /* window 0: none */
    /* With heads_inside: numbers from one position of q, k or v to the next. 0: the rows follow
       each other. Else they are parts of longer rows */
    int32_t q_row, k_row, v_row;
    bool joined; /* dq, dk and dv are parts of rows of the same lengths */
    bool causal, heads_inside;
    /* Subtracts slope |distance| from the scores. The slope of head h is 2^(-8 (h + 1) / H) if H is
       a power of two; otherwise, with P the next smaller power, heads from P on have every second
       slope of 2 P heads. Source: Press et al., "Train short, test long", 2022 */
    bool alibi;
    uint32_t step; /* for the status word */
    nn_precision precision; /* of both products, and of those of the gradients. DEFAULT: HIGHEST */
} nn_attention_args;

/* Views and numbers: see kernels/list.h. */
#define NN_ATTENTION_FORWARD_VIEWS(VIEW, ITEM)                                                     \
    VIEW(OUT, y, 1)                                                                                \
    VIEW(OUT, log_sum, 1)                                                                          \
    VIEW(IN, q, 1) VIEW(IN, k, 1) VIEW(IN, v, 1) VIEW(IN, mask, 1) VIEW(IN, lengths, 1)            \
        VIEW(IN, positions, 1) VIEW(IN, starts, 1) VIEW(SCRATCH, scratch, 1)                       \
            VIEW(CHANGED, status, 1)
#define NN_ATTENTION_BACKWARD_VIEWS(VIEW, ITEM)                                                    \
    VIEW(OUT, dq, 1)                                                                               \
    VIEW(OUT, dk, 1)                                                                               \
    VIEW(OUT, dv, 1) VIEW(OUT, dmask, 1)                                                           \
        VIEW(IN, dy, 1) VIEW(IN, y, 1) VIEW(IN, log_sum, 1) VIEW(IN, q, 1)                         \
        VIEW(IN, k, 1) VIEW(IN, v, 1) VIEW(IN, mask, 1) VIEW(IN, lengths, 1)                       \
            VIEW(IN, positions, 1) VIEW(IN, starts, 1) VIEW(SCRATCH, scratch, 1)
#define NN_ATTENTION_FORWARD_NUMBERS(INT, REAL, OTHER)                                             \
    INT(seed)                                                                                      \
    INT(stream)                                                                                    \
    INT(counter) REAL(scale) REAL(dropout) OTHER(offset) INT(window) INT(causal) INT(heads_inside) \
        INT(alibi) INT(q_row) INT(k_row) INT(v_row) INT(joined) OTHER(step) OTHER(precision) \
            OTHER(dy) OTHER(dq) OTHER(dk) OTHER(dv) OTHER(dmask)
#define NN_ATTENTION_BACKWARD_NUMBERS(INT, REAL, OTHER)                                            \
    INT(seed)                                                                                      \
    INT(stream)                                                                                    \
    INT(counter) REAL(scale) REAL(dropout) OTHER(offset) INT(window) INT(causal) INT(heads_inside) \
        INT(alibi) INT(q_row) INT(k_row) INT(v_row) INT(joined) OTHER(step) OTHER(precision) \
            OTHER(status)
