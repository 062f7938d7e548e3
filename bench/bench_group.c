/* bench_group.c - what a group's collectives cost, and from that a model for more ranks than there
   are here: T(agree) = L h and T(sum of n bytes) = L h + 2 L a + 2 n (1 - 1/W) b with W ranks and
   L = log2 W levels. h: a header there and back, a: a message's latency, 1/b: bytes a second in
   each direction, the addition included. h is measured, a and b are fitted to sums of many sizes.
   Then it prints seconds per step for a net of a given number of parameters on up to 1,024 ranks.

     build/bench/bench_group [ranks]                       threads of this process (2)
     mpirun -n 2 build/bench/bench_group                   processes (make builds it with mpicc)
   Times are the best of many, so other programs on the machine only make the measurement longer.
   Ranks beyond the cores measure the scheduler. */
#define NN_IMPLEMENTATION
#include "nn_group.h"
#ifdef WITH_MPI
#define NN_MPI_IMPLEMENTATION
#include "nn_mpi.h"
#endif

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 8, LARGEST = 16 << 20 };

typedef struct bench {
    nn_meeting *meeting;
    nn_group *group;
    int32_t rank, size;
    double agree, sum[SIZES]; /* seconds */
} bench;

static double now(void) { return (double)nn__system_now() * 1e-9; }
static int bytes_of(int i) { return 1024 << (2 * i > 14 ? 14 : 2 * i); }

/* Runs the same number of times on all ranks. In each run the slowest rank counts, and the best run
   is the result. */
static double best_of(nn_group *group, float *values, int bytes, int times) {
    double best = 1e9;
    for (int i = 0; i < times; i++) {
        double start, taken[1];
        nn__group_agree(group, NN_OK, NULL, NN_HERE, "bench");
        start = now();
        if (bytes < 0)
            for (int k = 0; k < 10; k++) nn__group_agree(group, NN_OK, NULL, NN_HERE, "bench");
        else
            nn__group_sum(group, values, (size_t)bytes / 4, NN_HERE, "bench");
        taken[0] = now() - start;
        if (bytes < 0) taken[0] /= 10;
        if (taken[0] < best) best = taken[0];
    }
    nn__group_news(group, NN_OK, NULL, &best, 1, NN_HERE, "bench");
    return best / nn_group_size(group);
}

static void measure(bench *self) {
    float *values = (float *)calloc(1, LARGEST);
    if (!values) exit(1);
    self->rank = nn_group_rank(self->group);
    self->size = nn_group_size(self->group);
    self->agree = best_of(self->group, values, -1, 200);
    for (int i = 0; i < SIZES && bytes_of(i) <= LARGEST; i++)
        self->sum[i] = best_of(self->group, values, bytes_of(i), i < 5 ? 200 : 20);
    free(values);
}

/* ---- the model ------------------------------------------------------------------------------- */

typedef struct model {
    double h, a, b;
} model;

static double seconds_of(const model *m, double bytes, int ranks) {
    const double levels = log2(ranks);
    return levels * m->h + 2 * levels * m->a + 2 * bytes * (1 - 1.0 / ranks) * m->b;
}

/* Fits by least squares of relative errors: t - L h = 2 L a + 2 n (1 - 1/W) b. Sums that travel
   whole (up to 4 KB) are left out. */
static model fit(const bench *of) {
    const double levels = log2(of->size);
    model m = {of->agree / levels, 0, 0};
    double xx = 0, xy = 0, yy = 0, xt = 0, yt = 0, determinant;
    for (int i = 2; i < SIZES && bytes_of(i) <= LARGEST; i++) {
        const double t = of->sum[i], w = 1 / (t * t);
        const double x = 2 * levels, y = 2.0 * bytes_of(i) * (1 - 1.0 / of->size);
        const double rest = t - levels * m.h;
        xx += w * x * x, xy += w * x * y, yy += w * y * y, xt += w * x * rest, yt += w * y * rest;
    }
    determinant = xx * yy - xy * xy;
    m.a = (xt * yy - yt * xy) / determinant;
    m.b = (yt * xx - xt * xy) / determinant;
    if (m.a < 0) m.a = 0, m.b = yt / yy;
    return m;
}

static void print_page(const bench *of, const char *kind) {
    const model m = fit(of);
    static const double parameters[] = {1e6, 11.7e6, 25.6e6, 110e6};
    printf("%d ranks, %s\n\n", (int)of->size, kind);
    printf("|     bytes | seconds |   model | MB/s |\n|---|---|---|---|\n");
    printf("| agreement | %.3g | %.3g | |\n", of->agree, log2(of->size) * m.h);
    for (int i = 0; i < SIZES && bytes_of(i) <= LARGEST; i++) {
        if (i > 0 && bytes_of(i) == bytes_of(i - 1)) break;
        printf("| %9d | %.3g | %.3g | %.0f |\n", bytes_of(i), of->sum[i],
               seconds_of(&m, bytes_of(i), of->size), bytes_of(i) / of->sum[i] * 1e-6);
    }
    printf("\nh = %.3g us, a = %.3g us, 1/b = %.3g GB/s\n", m.h * 1e6, m.a * 1e6, 1e-9 / m.b);
    printf("T(sum) = L h + 2 L a + 2 n (1 - 1/W) b;  T(step) = C / W + L h + buckets of 4 MiB: "
           "sum of T(sum)\nnot hidden behind the backward pass at all, so an upper limit.\n\n");
    printf("Seconds of the exchange of a step:\n\n| parameters | 2 | 4 | 8 | 64 | 1024 ranks | "
           "efficiency at 1024 if C/W is 1 s |\n|---|---|---|---|---|---|---|\n");
    for (int p = 0; p < 4; p++) {
        static const int ranks[] = {2, 4, 8, 64, 1024};
        const double bytes = 4 * parameters[p], bucket = 4 << 20;
        double all = 0;
        printf("| %.3g M ", parameters[p] * 1e-6);
        for (int r = 0; r < 5; r++) {
            all = log2(ranks[r]) * m.h;
            for (double left = bytes; left > 0; left -= bucket)
                all += seconds_of(&m, left < bucket ? left : bucket, ranks[r]);
            printf("| %.3g ", all);
        }
        printf("| %.0f %% |\n", 100 / (1 + all));
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static void *run_thread(void *data) {
    bench *self = (bench *)data;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    self->group = nn_join_meeting(nn, self->meeting, self->rank, 0);
    if (!self->group) exit(1);
    measure(self);
    nn_close(nn);
    return NULL;
}

int main(int argc, char **argv) {
    static bench all[64];
    const int ranks = argc > 1 ? atoi(argv[1]) : 2;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .log.function = nn_write_stderr});
#ifdef WITH_MPI
    all[0].group = nn_mpi_open(nn, NULL);
    if (!all[0].group) return 1;
    if (nn_group_size(all[0].group) > 1) {
        measure(&all[0]);
        if (all[0].rank == 0) print_page(&all[0], "processes over MPI");
        nn_close(nn);
        return 0;
    }
#endif
    if (ranks < 2 || ranks > 64) return 1;
    nn_meeting *meeting = nn_make_meeting(nn, ranks);
    pthread_t threads[64];
    if (!meeting) return 1;
    for (int r = 0; r < ranks; r++) {
        all[r].meeting = meeting;
        all[r].rank = r;
        if (pthread_create(&threads[r], NULL, run_thread, &all[r]) != 0) return 1;
    }
    for (int r = 0; r < ranks; r++) pthread_join(threads[r], NULL);
    print_page(&all[0], "threads of one process");
    nn_close(nn);
    return 0;
}
