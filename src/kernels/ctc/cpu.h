/* kernels/ctc/cpu.h - the states of a sample, and the loop over them that each instruction set
   has. */
#pragma once

#include "cpu/sets.h"

/* A margin of -infinity comes before the first row of states and after each row, so the loops need
   no tests for the ends of a row. Rows and margins are multiples of this; no vector is longer. */
#define NN__CTC_LANES 16

typedef struct nn__ctc {
    const float *rows; /* log-probabilities of the sample, `step` apart */
    const int32_t *targets;
    int64_t step;
    int classes, blank, length, states; /* length: rows that count; states: 2 targets + 1 */
    bool valid;
    int32_t *own;   /* the class of each state */
    int32_t *jumps; /* -1: a path may come to the state from two before it; else 0 */
    float *emitted; /* the log-probability of each state's class in the row at hand */
} nn__ctc;

typedef struct nn__ctc_loops {
    /* to[s] = emitted[s] + log(exp(from[s]) + exp(from[s + next]) + exp(from[s + 2 next])), the
       last only where jumps[s] says so */
    void (*step)(const nn__ctc *ctc, const float *from, float *to, const int32_t *jumps, int next);
} nn__ctc_loops;
