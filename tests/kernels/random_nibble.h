/* random_nibble.h - random cases of the products with 4-bit weights: test_backends.c compares them
   with plain loops on every instruction set. */
#pragma once

static nn_view nibble_bytes(int rows, int columns) {
    const int32_t extents[4] = {rows, columns, 0, 0};
    nn_view view = view_of(NN_U8, 2, extents);
    for (int64_t i = 0; i < view_count(&view); i++) ((uint8_t *)view.handle)[i] = (uint8_t)pick(256);
    return view;
}

/* Numbers of f16 of either sign, some of them subnormal. */
static nn_view nibble_halves(int rows, int columns) {
    const int32_t extents[4] = {rows, columns, 0, 0};
    nn_view view = view_of(NN_F16, 2, extents);
    for (int64_t i = 0; i < view_count(&view); i++)
        ((uint16_t *)view.handle)[i] =
            (uint16_t)(pick(2) * 0x8000 + (pick(20) ? 0x1000 + pick(0x2000) : pick(0x400)));
    return view;
}

static void one_nibble(void) {
    nn_nibble_linear_args *l = &current.args.nibble_linear;
    nn_nibble_floats_args *f = &current.args.nibble_floats;
    const int N = 1 + pick(pick(3) ? 9 : 70), C = 32 * (1 + pick(pick(4) ? 12 : 70)),
              K = odd_extent(pick(4) ? 40 : 400);
    const bool minimum = pick(2) == 0;
    begin_case(NN_KERNEL_NIBBLE_LINEAR, "nibble linear drawn (%d, %d) to %d%s", N, C, K,
               minimum ? ", with minimums" : "");
    l->x = quantized_floats(2, N, C, 0, 0.001f + (float)pick(100));
    for (int64_t i = 0; i < view_count(&l->x); i++) { /* groups of zeros, and great differences */
        float *x = (float *)l->x.handle + i;
        if (i / 32 % 7 == 3) *x = 0.0f;
        if (pick(50) == 0) *x *= 100.0f;
        if (i / 32 % 11 == 5) *x *= 1e-38f;
    }
    l->weight = nibble_bytes(K, C / 2);
    l->scale = nibble_halves(K, C / 32);
    if (minimum) l->minimum = nibble_halves(K, C / 32);
    if (pick(2)) l->bias = quantized_floats(1, K, 0, 0, 1);
    l->y = make_output(false, 2, N, K, 0, 0);
    end_case();

    begin_case(NN_KERNEL_NIBBLE_FLOATS, "nibble floats drawn (%d, %d)", K, C);
    f->weight = nibble_bytes(K, C / 2);
    f->scale = nibble_halves(K, C / 32);
    if (pick(2)) f->minimum = nibble_halves(K, C / 32);
    f->y = make_output(false, 2, K, C, 0, 0);
    end_case();
}

/* Draws NN_TEST_CPU_CASES cases (50) of each kind on the CPU, four times. */
static void test_nibble_random(void) {
    for (int i = 0; i < 4; i++) draw(2, false, one_nibble);
}
