/* kernels/reduce/cpu_fold_vectors.c - computes the state of consecutive numbers, for the reductions
   of cpu_fold.c that have loops in kernels/reduce/vector.h. */
#include "kernels/reduce/cpu.h"
#include "kernels/reduce/vector.h"

/* Computes mean and sum of squares in double, one number after the other. */
static void nn__fold_variance_exact(nn__fold_state *state, const float *x, int n) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; i++) sum += (double)x[i];
    state->a = sum / n;
    for (int i = 0; i < n; i++) {
        const double difference = (double)x[i] - state->a;
        squares += difference * difference;
    }
    state->b = squares;
}

NN_PRIVATE bool nn__fold_vectors(const nn__cpu *cpu, nn_reduction reduction, nn__fold_state *state,
                                 const float *x, int n, double index) {
    const nn__fold_loops *loops = NN__OF_NARROW(cpu, nn__fold_loops);
    if (!loops->product) return false;
    switch (reduction) {
    case NN_PROD: state->a = loops->product(x, n); return true;
    case NN_SUM_OF_SQUARES:
    case NN_NORM: state->a = loops->squares(x, n, reduction != NN_NORM); return true;
    case NN_ARGMAX:
    case NN_ARGMIN: {
        const int place = loops->place(x, n, reduction == NN_ARGMIN);
        state->a = (double)x[place];
        state->b = index + place;
        return true;
    }
    case NN_VAR:
    case NN_STD:
        if (!loops->variance(state, x, n)) nn__fold_variance_exact(state, x, n);
        return true;
    case NN_LOGSUMEXP: {
        const float largest = nn__row_max(cpu, x, n);
        state->a = largest == largest ? (double)largest : 0.0; /* the sum shows a NaN */
        state->b = (double)nn__row_exp(cpu, NULL, x, (float)nn__fold_shift(state->a), n);
        return true;
    }
    default: return false;
    }
}
