/* tools/test_compiler.c - tests whether a compiler can compile the test programs: it compiles this file, and the compiler of
   the library's objects links the program, which is then run. Comparisons with NaN must be false except for !=, in every
   form that tests use, or else a test could no longer fail. Returns 0 if the compiler can be used. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lists.h"

typedef struct number_list {
    const double *number;
    int count;
} number_list;

static volatile double nan_number, one = 1;
static volatile float nan_float;
static volatile uint64_t large = UINT64_C(0xFFFFFFFFFFFFF800);
static int wrong;

/* Checks the value of a comparison as a number, a condition, a negation, an operand and the condition of a loop. */
#define IS(comparison, wanted)                                                                     \
    do {                                                                                           \
        const bool value = (comparison), not = !(comparison);                                      \
        int seen = 0;                                                                              \
        if (comparison) seen++;                                                                    \
        if (!(comparison)) seen += 10;                                                             \
        if ((comparison) && one == 1) seen += 100;                                                 \
        if (!((comparison) || one != 1)) seen += 1000;                                             \
        while (!(comparison)) {                                                                    \
            seen += 10000;                                                                         \
            break;                                                                                 \
        }                                                                                          \
        wrong += value != (wanted) || not == (wanted) || seen != ((wanted) ? 101 : 11010) ||       \
                 ((comparison) ? 3 : 4) != ((wanted) ? 3 : 4);                                     \
    } while (0)
#define UNORDERED(a, b)                                                                            \
    do {                                                                                           \
        IS((a) < (b), false); IS((a) <= (b), false); IS((a) > (b), false);                         \
        IS((a) >= (b), false); IS((a) == (b), false); IS((a) != (b), true);                        \
    } while (0)
#define ORDERED(a, b)                                                                              \
    do {                                                                                           \
        IS((a) < (b), true); IS((a) <= (b), true); IS((a) > (b), false);                           \
        IS((a) >= (b), false); IS((a) == (b), false); IS((a) != (b), true);                        \
    } while (0)

static double sum(number_list list) {
    double all = 0;
    for (int i = 0; i < list.count; i++) all += list.number[i];
    return all;
}

static void *add_to_lists(void *data) {
    number_list *list = (number_list *)data;
    for (int i = 0; i < 100; i++) LIST_AT(double, *list, number, i) = i;
    return NULL;
}

int main(void) {
    number_list lists[2] = {{NULL, 0}, {NULL, 0}};
    pthread_t thread;
    nan_number = NAN, nan_float = NAN;
    UNORDERED(nan_number, one);
    UNORDERED(one, nan_number);
    UNORDERED(nan_number, nan_number);
    UNORDERED(nan_float, 1.0f);
    UNORDERED(1.0f, nan_float);
    UNORDERED(fabs(nan_number - one), 1e-3);
    UNORDERED(fabsf(nan_float), INFINITY);
    ORDERED(one, 2.0);
    ORDERED(-fabs(one), 0.0);
    IS(isnan(nan_float), true);
    wrong += (double)large != 18446744073709549568.0 || (float)large != 18446744073709551616.0f;
    wrong += (uint64_t)((double)large / 2) != UINT64_C(0x7FFFFFFFFFFFFC00);
    if (pthread_create(&thread, NULL, add_to_lists, &lists[0]) != 0) return 1;
    add_to_lists(&lists[1]);
    pthread_join(thread, NULL);
    wrong += sum(lists[0]) != 4950 || sum(lists[1]) != 4950;
    if (wrong) printf("%d comparisons or conversions are wrong\n", wrong);
    return wrong > 0;
}
