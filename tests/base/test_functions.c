/* test_functions.c - compares the functions of base/functions.h with those of the C library, over
   the whole range of their arguments, and checks the exact bytes of some results. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "test.h"

static double apart(double got, double wanted) {
    return got == wanted ? 0.0 : fabs(got - wanted) / fabs(wanted);
}

static double draw(uint64_t i) {
    uint32_t words[4];
    nn_random_words(7, 3, i, words);
    return ((double)words[0] * 4294967296.0 + (double)words[1] + 0.5) / 18446744073709551616.0;
}

static void exp_and_log(void) {
    for (uint64_t i = 0; i < 20000; i++) {
        const double x = (draw(i) - 0.5) * 1400.0, e = exp(x), near = 1.0 + x * 1e-5;
        ENSURE(apart(nn__exp(x), e) < 5e-16);
        ENSURE(apart(nn__log(e), log(e)) < 5e-16);
        if (near > 0.0) ENSURE(apart(nn__log(near), log(near)) < 5e-16);
    }
    for (int k = -1074; k < 1024; k++)
        ENSURE(apart(nn__log(ldexp(1.0, k)), log(ldexp(1.0, k))) < 5e-16);
}

static void angles(void) {
    for (uint64_t i = 0; i < 20000; i++) {
        const double x = (draw(i) - 0.5) * (i % 2 ? 20.0 : 2e6);
        ENSURE(fabs(nn__sin(x) - sin(x)) < 5e-16);
        ENSURE(fabs(nn__cos(x) - cos(x)) < 5e-16);
    }
}

/* Angles from 2^20 to the largest float. Of those that are floats, the result is right to 5e-16 of
   itself. */
static void large_angles(void) {
    for (uint64_t i = 0; i < 20000; i++) {
        const double size = ldexp(1.0 + draw(i), 20 + (int)(i % 108)), x = i % 3 ? size : -size;
        const double y = (double)(float)x;
        ENSURE(fabs(nn__sin(x) - sin(x)) < 5e-16 && fabs(nn__cos(x) - cos(x)) < 5e-16);
        ENSURE(apart(nn__sin(y), sin(y)) < 6e-16 && apart(nn__cos(y), cos(y)) < 6e-16);
    }
    ENSURE(nn__sin(1e39) != nn__sin(1e39));
}

static void powers(void) {
    for (uint64_t i = 0; i < 20000; i++) {
        const double x = draw(i), y = draw(i + 50000) * 1000.0, wanted = pow(x, y);
        if (wanted < 1e-290) continue;
        ENSURE(apart(nn__pow(x, y), wanted) < 6e-16 * (1.0 - y * log(x)));
    }
    ENSURE(nn__pow(0.0, 0.5) == 0.0 && nn__pow(0.3, 0.0) == 1.0 && nn__pow(2.0, 10.0) == 1024.0);
}

/* Tests what portable arithmetic uses for powf, log2f, log10f and tanf. */
static void functions_of_floats(void) {
    for (uint64_t i = 0; i < 20000; i++) {
        const double x = exp((draw(i) - 0.5) * 80.0);
        const float base = (float)x, exponent = (float)((draw(i + 50000) - 0.5) * 4.0);
        ENSURE(apart((double)nn__power(base, exponent), pow((double)base, (double)exponent)) < 1e-7);
        ENSURE(fabs(nn__log2(x) - log2(x)) < 1e-13 && fabs(nn__log10(x) - log10(x)) < 1e-13);
        const double angle = (draw(i) - 0.5) * 3.0;
        ENSURE(fabs(nn__tan(angle) - tan(angle)) < 1e-15 * (1.0 + tan(angle) * tan(angle)));
    }
    for (int k = -149; k < 128; k++) ENSURE(nn__log2(ldexp(1.0, k)) == (double)k);
    static const float at[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, -2.0f, 3.0f, -3.0f,
                               1e30f, -1e30f, 16777217.0f, INFINITY, -INFINITY};
    for (int i = 0; i < 15; i++)
        for (int j = 0; j < 15; j++) {
            const float got = nn__power(at[i], at[j]),
                        wanted = (float)pow((double)at[i], (double)at[j]);
            const bool same = wanted != wanted ? got != got
                                               : got == wanted && !signbit(got) == !signbit(wanted);
            if (test_wrong(!same))
                test_fail(__FILE__, __LINE__, "%g to the %g is %g, wanted %g", (double)at[i],
                          (double)at[j], (double)got, (double)wanted);
        }
    const float nan_alone = nn__power(NAN, 2.0f), nan_above = nn__power(2.0f, NAN);
    ENSURE(nan_alone != nan_alone && nan_above != nan_above);
    ENSURE(nn__power(NAN, 0.0f) == 1.0f && nn__power(1.0f, NAN) == 1.0f);
}

static void ends(void) {
    ENSURE(nn__exp(0.0) == 1.0 && nn__exp(710.0) == HUGE_VAL && nn__exp(-746.0) == 0.0);
    ENSURE(nn__exp(HUGE_VAL) == HUGE_VAL && nn__exp(-HUGE_VAL) == 0.0);
    ENSURE(nn__exp(-745.0) > 0.0);
    ENSURE(nn__log(0.0) == -HUGE_VAL && nn__log(HUGE_VAL) == HUGE_VAL && nn__log(1.0) == 0.0);
    ENSURE(nn__log(-1.0) != nn__log(-1.0) && nn__exp(nn__log(-1.0)) != 1.0);
    ENSURE(nn__sin(0.0) == 0.0 && nn__cos(0.0) == 1.0 && nn__sin(HUGE_VAL) != nn__sin(HUGE_VAL));
}

/* Compares a hash of many results, which is the same on every machine, compiler and C library. */
static void same_everywhere(void) {
    uint64_t hash = 14695981039346656037u;
    for (uint64_t i = 0; i < 4000; i++) {
        const double x = draw(i), results[5] = {nn__exp(-40.0 * x), nn__log(x),
                                                nn__sin(1000.0 * x), nn__cos(1000.0 * x),
                                                nn__pow(x, 3.7)};
        for (int k = 0; k < 5; k++) {
            uint64_t bits;
            memcpy(&bits, &results[k], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    printf("functions %016llx\n", (unsigned long long)hash);
    ENSURE(hash == 0x013e7f5da9305856u);
}

int main(void) {
    RUN(exp_and_log);
    RUN(angles);
    RUN(large_angles);
    RUN(powers);
    RUN(functions_of_floats);
    RUN(ends);
    RUN(same_everywhere);
    return test_report();
}
