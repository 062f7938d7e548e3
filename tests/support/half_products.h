/* half_products.h: products in half arithmetic against sums in double. A part of test_opencl_mma.c,
   which has the helpers. The device emulates f16 by rounding (NN_HALF 2). */
#ifndef NN_TEST_HALF_PRODUCTS_H
#define NN_TEST_HALF_PRODUCTS_H

/* Opens a GPU without matrix units whose half arithmetic is emulated. */
static nn_context *open_with_halves(nn__opencl **state) {
    nn_context *nn = open_with(NN__OPENCL_MMA_NONE, state);
    if (!nn) return NULL;
    (*state)->half = 2;
    (*state)->half_side = 128;
    return nn;
}

/* Returns the largest distance between y and sums in double, divided by the allowed error:
   2^-11 for each operand, 2^-11 for each step of a sum of eight, 2^-19 of the largest numbers for
   what is too small for f16, and f32 sums. */
static double half_distance(const copied_case *c, const float *a, const float *b, const float *y) {
    double most = 0, a_most = 0, b_most = 0;
    for (int i = 0; i < c->m * c->k; i++) a_most = fmax(a_most, fabs((double)a[i]));
    for (int i = 0; i < c->n * c->k; i++) b_most = fmax(b_most, fabs((double)b[i]));
    for (int i = 0; i < c->m; i++)
        for (int j = 0; j < c->n; j++) {
            double sum = 0, size = 0, apart;
            for (int l = 0; l < c->k; l++) {
                const double product =
                    (double)a[c->transpose_a ? l * c->m + i : i * c->k + l] *
                    (double)b[c->transpose_b ? j * c->k + l : l * c->n + j];
                sum += product;
                size += fabs(product);
            }
            apart = fabs((double)y[i * c->n + j] - sum) /
                    (size * (1.01 / 1024 + 1.01 / 256 + 6e-8 * (c->k + 2)) +
                     a_most * b_most * c->k / 524288 + 1e-38);
            if (!(apart <= most)) most = apart;
        }
    return most;
}

/* Runs a product whose a has numbers up to `size`, among them small ones. */
static double run_half(nn__opencl *state, const copied_case *c, float size) {
    static float a[NUMBERS], b[NUMBERS], y[RESULTS];
    const nn__opencl_kernel *gemm = nn__opencl_kernel_of(NN_KERNEL_GEMM);
    const uint64_t b_at = 4 * NUMBERS, y_at = 8 * NUMBERS, scratch_at = y_at + 4 * RESULTS,
                   bytes = scratch_at + SCRATCH;
    nn_gemm_args g;
    void *buffer = NULL;
    double distance = INFINITY;
    memset(&g, 0, sizeof g);
    for (int i = 0; i < c->m * c->k; i++)
        a[i] = (float)drawn(-8388607, 8388607) / 8388608.0f * size * (i % 5 ? 1 : 1e-4f);
    for (int i = 0; i < c->n * c->k; i++) b[i] = (float)drawn(-8388607, 8388607) / 8388608.0f;
    g.m = c->m;
    g.n = c->n;
    g.k = c->k;
    g.transpose_a = c->transpose_a;
    g.transpose_b = c->transpose_b;
    g.precision = NN_PRECISION_MEDIUM;
    if (state->backend.alloc(state, bytes, &buffer) < 0) return INFINITY;
    set_view(&g.a, buffer, 0, NN_F32, c->m, c->k);
    set_view(&g.b, buffer, b_at, NN_F32, c->k, c->n);
    set_view(&g.y, buffer, y_at, NN_F32, c->m, c->n);
    set_view(&g.scratch, buffer, scratch_at, NN_F32, 1, SCRATCH / 4);
    if (state->backend.fill(state, buffer, 0, bytes, 0xff) >= 0 &&
        nn__opencl_upload(state, buffer, 0, a, 4 * (uint64_t)(c->m * c->k), NULL) >= 0 &&
        nn__opencl_upload(state, buffer, b_at, b, 4 * (uint64_t)(c->n * c->k), NULL) >= 0 &&
        gemm->scratch_bytes(state, &g) <= SCRATCH &&
        nn__opencl_gemm_rounding(state, &g) == NN__OPENCL_ROUND_F16 &&
        gemm->run(state, &g, 0, gemm->units(state, &g)) >= 0 &&
        nn__opencl_download(state, buffer, y_at, y, 4 * (uint64_t)(c->m * c->n), NULL) >= 0 &&
        state->backend.finish(state) >= 0)
        distance = half_distance(c, a, b, y);
    state->backend.release(state, buffer, bytes);
    return distance;
}

/* Random shapes, and numbers far beyond the range of f16 on both sides. With NN_FULL 2,000. */
static void test_half_products(void) {
    static const float sizes[] = {1, 1e-20f, 1e20f, 3e-7f, 7e4f};
    const char *asked = getenv("NN_TEST_CASES");
    const int cases = asked ? atoi(asked) : getenv("NN_FULL") ? 2000 : 4;
    nn__opencl *state = NULL;
    nn_context *nn = open_with_halves(&state);
    if (!nn) SKIP("no OpenCL device here");
    state->half_tested = 1;
    state->half_always = true;
    for (int i = 0; i < cases; i++) {
        copied_case c;
        double distance;
        memset(&c, 0, sizeof c);
        c.m = drawn(1, EXTENT);
        c.n = drawn(1, EXTENT);
        c.k = drawn(1, STEPS);
        c.transpose_a = i % 2 == 1;
        c.transpose_b = i / 2 % 2 == 1;
        distance = run_half(state, &c, sizes[i % 5]);
        if (test_wrong(!(distance <= 1)))
            test_fail(__FILE__, __LINE__, "case %d: m%d n%d k%d a%s b%s: %.3g of what rounding allows",
                      i, c.m, c.n, c.k, c.transpose_a ? "'" : "", c.transpose_b ? "'" : "",
                      distance);
    }
    ENSURE(said[0] == 0);
    nn_close(nn);
}

/* A clock by which each product takes longer than the one before it, or less time: measured_step
   is the difference in nanoseconds. f32 is measured first. */
static uint64_t measured_now, measured_length;
static int measured_step;
static uint64_t measured_clock(void *user) {
    (void)user;
    measured_now += measured_length;
    measured_length += (uint64_t)(int64_t)measured_step;
    return measured_now;
}

/* Half arithmetic, which passes the self-test, is used if it is measured as faster than f32. If it
   is slower, the device computes in f32, and the log says why. Without half arithmetic nothing is
   asked. */
static void test_when_halves_are_used(void) {
    for (int faster = 0; faster < 2; faster++) {
        nn__opencl *state = NULL;
        nn_context *nn = open_with_halves(&state);
        if (!nn) SKIP("no OpenCL device here");
        nn_clock *clock = (nn_clock *)&nn_context_desc(nn)->clock;
        clock->now = measured_clock;
        measured_length = 1000000;
        measured_step = faster ? -30000 : 30000;
        for (int i = 0; i < 2; i++) {
            nn_gemm_args g;
            memset(&g, 0, sizeof g);
            g.m = g.n = g.k = 2048;
            g.precision = i ? NN_PRECISION_MEDIUM : NN_PRECISION_HIGH;
            set_view(&g.a, NULL, 0, NN_F32, g.m, g.k);
            set_view(&g.b, NULL, 0, NN_F32, g.k, g.n);
            set_view(&g.y, NULL, 0, NN_F32, g.m, g.n);
            ENSURE((nn__opencl_gemm_rounding(state, &g) == NN__OPENCL_ROUND_NOT) == !(faster && i));
            ENSURE(state->half_tested == (i ? (faster ? 1 : -1) : 0));
        }
        ENSURE((strstr(said, "half arithmetic is not faster") != NULL) == !faster);
        ENSURE(nn_error_code(nn) == NN_OK);
        nn_close(nn);
    }
}

#endif
