/* kernels/norm/cpu_lines.c - lines of numbers that share a mean, in pieces that stay in the L1
   cache: moments, sums and results. The loops themselves are in kernels/norm/vector.h. */
#include "kernels/norm/cpu.h"
#include "kernels/norm/vector.h"

NN_PRIVATE const nn__norm_loops *nn__norm_loops_of(const nn__cpu *cpu) {
    return NN__OF_NARROW(cpu, nn__norm_loops);
}

/* Vectors add in float. If float overflows, as with squares of numbers around 1e20, the sum is
   computed again in double. */
static double nn__norm_total(const nn__norm_loops *loops, const float *x, int n) {
    double total = loops->total(x, n);
    if (fabs(total) <= (double)FLT_MAX) return total;
    total = 0.0;
    for (int i = 0; i < n; i++) total += (double)x[i];
    return total;
}

static void nn__norm_squares(const nn__norm_loops *loops, const float *x, int n, float mean,
                             double *sums) {
    loops->squares(x, n, mean, sums);
    if (sums[1] <= (double)FLT_MAX) return;
    sums[0] = sums[1] = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = (double)x[i] - (double)mean;
        sums[0] += d;
        sums[1] += d * d;
    }
}

/* Each piece takes two passes: the second corrects the rounding of the piece's mean. Pieces are
   joined as in Chan, Golub and LeVeque, "Algorithms for computing the sample variance", 1983. */
NN_PRIVATE void nn__norm_moments(const nn__cpu *cpu, const float *x, int64_t n, bool rms,
                                 double *mean, double *squares) {
    double all_mean = 0.0, all_squares = 0.0, count = 0.0;
    const nn__norm_loops *loops = nn__norm_loops_of(cpu);
    for (int64_t i = 0; i < n; i += loops->piece) {
        const int m = (int)nn__min64(loops->piece, n - i);
        double sums[2];
        const float rounded = rms ? 0.0f : (float)(nn__norm_total(loops, x + i, m) / m);
        nn__norm_squares(loops, x + i, m, rounded, sums);
        if (rms) {
            all_squares += sums[1];
            continue;
        }
        const double rest = sums[0] / m, own = (double)rounded + rest - all_mean;
        count += m;
        all_squares += sums[1] - rest * sums[0] + own * own * (count - m) * m / count;
        all_mean += own * m / count;
    }
    *mean = all_mean;
    *squares = all_squares;
}

NN_PRIVATE void nn__norm_apply(const nn__cpu *cpu, float *y, const float *x, int64_t n, float mean,
                               float scale, float shift, nn__clamp clamp, int64_t bytes) {
    nn__norm_loops_of(cpu)->apply(y, x, n, mean, scale, shift, clamp,
                                  y != x && nn__streams_at(cpu, y, bytes));
}

NN_PRIVATE void nn__norm_apply_each(const nn__cpu *cpu, float *y, const float *x, int64_t n,
                                    float mean, float rstd, const float *weight,
                                    const float *bias, int64_t bytes) {
    nn__norm_loops_of(cpu)->apply_each(y, x, n, mean, rstd, weight, bias,
                                       y != x && nn__streams_at(cpu, y, bytes));
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__norm_sums(const nn__cpu *cpu, const float *dy, const float *x, int64_t n,
                              float mean, double *sums) {
    const nn__norm_loops *loops = nn__norm_loops_of(cpu);
    for (int64_t i = 0; i < n; i += loops->piece)
        loops->sums(dy + i, x + i, (int)nn__min64(loops->piece, n - i), mean, sums);
}

NN_PRIVATE void nn__norm_sums_each(const nn__cpu *cpu, const float *dy, const float *x, int64_t n,
                                   float mean, float rstd, const float *weight, float *dweight,
                                   float *dbias, double *sums) {
    const nn__norm_loops *loops = nn__norm_loops_of(cpu);
    for (int64_t i = 0; i < n; i += loops->piece)
        loops->sums_each(dy + i, x + i, (int)nn__min64(loops->piece, n - i), mean, rstd,
                         weight ? weight + i : NULL, dweight ? dweight + i : NULL,
                         dbias ? dbias + i : NULL, sums);
}

NN_PRIVATE void nn__norm_dx(const nn__cpu *cpu, float *dx, const float *dy, const float *x,
                            int64_t n, float mean, const float *weight, const float *pqr,
                            bool accumulate, int64_t bytes) {
    nn__norm_loops_of(cpu)->dx(dx, dy, x, n, mean, weight, pqr, accumulate,
                               !accumulate && dx != dy && dx != x &&
                                   nn__streams_at(cpu, dx, bytes));
}
#endif
