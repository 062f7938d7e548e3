/* kernels/attention/args.h - scaled dot product attention and its gradients, in blocks that never
   hold a whole matrix of scores. */
#pragma once

#include "device/types.h"

/* y = softmax(scale q k^T + bias) v for each head; source: Vaswani et al., "Attention is all you
   need", 2017; in blocks: Dao et al., "FlashAttention", 2022. Query head h reads key head
   h / (H / K). Query i of sample n stands at position i + offset, or i + positions[n]; key j at
   position j. A key is masked where one of these says so: lengths (j >= lengths[n]), causal (j is
   behind the query), window (j is `window` or more away from the query), starts (j < starts[n][i]),
   a mask of u8 that is 0, a mask of f32 that is -infinity. Nothing of a masked key reaches a
   result, not even a NaN. A query all of whose keys are masked has a row of zeros, and gives and
   gets no gradient. A length or a position outside [0, S] sets the status word, and the sample has
   no keys; so does a start, and its query has none.

   heads_inside: q is (N, L, H, E), k (N, S, K, E), v (N, S, K, V) and y (N, L, H, V); the gradients
   likewise. All f32, but k and v are f32, f16 or bf16, each for itself; their gradients are f32.

   Dropout keeps weight (n, h, i, j) where the uniform number of word i % 4 of Philox(seed, stream,
   counter + ((n H + h) S + j) ceil(L / 4) + i / 4) is at least `dropout`. */
typedef struct nn_attention_args {
    nn_view y;       /* (N, H, L, V) */
    nn_view log_sum; /* (N, H, L): log of the sum of exp of each row's scores; infinity: all are
                        masked. Forward: may be absent */
    nn_view q, k, v; /* (N, H, L, E), (N, K, S, E), (N, K, S, V) */
    nn_view mask;    /* (N or 1, H or 1, L or 1, S or 1), f32 to add or u8; may be absent */
    nn_view lengths, positions;     /* (N) i32; may be absent: S, and the offset */
    nn_view starts;                 /* (N, L) i32; may be absent: 0 */
    nn_view dy, dq, dk, dv;         /* backward only; dq, dk and dv may be absent */
    nn_view dmask;                  /* backward only, of a mask of f32 and its shape: summed over
                                       what the mask is repeated for. May be absent */
    nn_view scratch, status;        /* status: forward only */
    uint64_t seed, stream, counter; /* of dropout */
    float scale, dropout;
    int32_t offset, window; /* window 0: none */
    bool causal, heads_inside;
    /* - slope |distance| is added to the scores: the slope of head h is 2^(-8 (h + 1) / H) for H a
       power of two; else the heads beyond the next smaller one, P, have every second slope of 2 P
       heads. Source: Press et al., "Train short, test long", 2022 */
    bool alibi;
    uint32_t step; /* for the status word */
} nn_attention_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
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

/* What else it is told: kernels/list.h. */
#define NN_ATTENTION_FORWARD_NUMBERS(INT, REAL, OTHER)                                             \
    INT(seed)                                                                                      \
    INT(stream)                                                                                    \
    INT(counter) REAL(scale) REAL(dropout) OTHER(offset) INT(window) INT(causal) INT(heads_inside) \
        INT(alibi) OTHER(step) OTHER(dy) OTHER(dq) OTHER(dk) OTHER(dv)    \
        OTHER(dmask)
#define NN_ATTENTION_BACKWARD_NUMBERS(INT, REAL, OTHER)                                            \
    INT(seed)                                                                                      \
    INT(stream)                                                                                    \
    INT(counter) REAL(scale) REAL(dropout) OTHER(offset) INT(window) INT(causal) INT(heads_inside) \
        INT(alibi) OTHER(step) OTHER(status)
