/* test.h: the whole test harness. A test program is a main() that calls RUN(test) for every test
   and returns test_report(). `./test_x name` runs only the tests whose name contains `name`. It
   counts tests, not checks, but a test that executed no check fails. */
#ifndef NN_TEST_H
#define NN_TEST_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define TEST_UNUSED __attribute__((unused))
#else
#define TEST_UNUSED
#endif

enum { TEST_REASONS = 8, TEST_REASON_BYTES = 160 };

static const char *test_file_name = __FILE__; /* of the program: RUN sets it */
static int test_passed, test_failed, test_skipped;
static int test_this_failed, test_this_skipped; /* the running test */
static int test_in_progress;
static long test_this_checks;
static char test_this_reasons[TEST_REASONS][TEST_REASON_BYTES]; /* reasons why parts were skipped */
static int test_this_reason_count;
static int test_filter_count;
static char **test_filters;
static unsigned long test_filters_fit; /* one bit for each of the first 32 filters: it fits a test's
                                          name */

/* Reports that the running test executed `count` checks without the macros below. */
static TEST_UNUSED void test_checked(long count) { test_this_checks += count; }

/* A check whose caller reports the failure with test_fail: if (test_wrong(a != b))
   test_fail(...). */
static TEST_UNUSED int test_wrong(int wrong) {
    test_this_checks++;
    return wrong;
}

static TEST_UNUSED void test_fail(const char *file, int line, const char *format, ...) {
    va_list list;
    test_this_failed++;
    if (!test_in_progress) test_failed++; /* in main, before the first test or after the last */
    if (test_this_failed > 20) return; /* the first failures are enough */
    printf("FAIL %s:%d: ", file, line);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("%s\n",
           test_this_failed == 20 ? " (further failures of this test are not printed)" : "");
    fflush(stdout);
}

static TEST_UNUSED int test_ensure_close(double a, double b, double tolerance, int nan_allowed,
                                         const char *text, const char *file, int line) {
    test_this_checks++;
    if (a == b || fabs(a - b) <= tolerance) return 1;
    if (nan_allowed && a != a && b != b) return 1;
    test_fail(file, line, "%s: %.9g is not within %.3g of %.9g", text, a, tolerance, b);
    return 0;
}

static TEST_UNUSED int test_ensure_text(const char *actual, const char *expected, const char *file,
                                        int line) {
    test_this_checks++;
    if (actual && expected && strcmp(actual, expected) == 0) return 1;
    test_fail(file, line, "texts differ\n--- actual\n%s\n--- expected\n%s\n---",
              actual ? actual : "(null)", expected ? expected : "(null)");
    return 0;
}

/* Counts and prints a part of a test that cannot run here, each reason once in a test. The test
   continues. */
static TEST_UNUSED void test_skip_part(const char *file, int line, const char *reason) {
    int i;
    for (i = 0; i < test_this_reason_count; i++)
        if (strncmp(test_this_reasons[i], reason, TEST_REASON_BYTES - 1) == 0) return;
    if (i < TEST_REASONS) {
        strncpy(test_this_reasons[i], reason, TEST_REASON_BYTES - 1);
        test_this_reason_count++;
    }
    test_skipped++;
    printf("SKIP %s:%d: %s\n", file, line, reason);
}

/* A failed check is printed and the test continues, except that ENSURE leaves the test function.
   Two NaN are not close, unless a test uses ENSURE_CLOSE_OR_NAN. */
#define ENSURE(condition)                                                                          \
    do {                                                                                           \
        test_this_checks++;                                                                        \
        if (!(condition)) { test_fail(__FILE__, __LINE__, "%s", #condition); return; }             \
    } while (0)
/* The same in a function that returns a value. */
#define ENSURE_OR(result, condition)                                                               \
    do {                                                                                           \
        test_this_checks++;                                                                        \
        if (!(condition)) { test_fail(__FILE__, __LINE__, "%s", #condition); return (result); }    \
    } while (0)
#define ENSURE_CLOSE(a, b, tolerance)                                                              \
    ((void)test_ensure_close((double)(a), (double)(b), (double)(tolerance), 0, #a " ~ " #b,        \
                             __FILE__, __LINE__))
#define ENSURE_CLOSE_OR_NAN(a, b, tolerance)                                                       \
    ((void)test_ensure_close((double)(a), (double)(b), (double)(tolerance), 1, #a " ~ " #b,        \
                             __FILE__, __LINE__))
#define ENSURE_TEXT(actual, expected)                                                              \
    ((void)test_ensure_text((actual), (expected), __FILE__, __LINE__))
#define SKIP(reason)                                                                               \
    do {                                                                                           \
        printf("SKIP %s:%d: %s\n", __FILE__, __LINE__, (reason));                                  \
        test_this_skipped = 1;                                                                     \
        return;                                                                                    \
    } while (0)
#define SKIP_PART(reason) test_skip_part(__FILE__, __LINE__, (reason))
#define RUN(test) (test_file_name = __FILE__, test_run((test), #test))

static TEST_UNUSED void test_start(int argc, char **argv) {
    test_filter_count = argc > 1 ? argc - 1 : 0;
    test_filters = argv ? argv + 1 : NULL;
}

static TEST_UNUSED void test_run(void (*test)(void), const char *name) {
    int i, wanted = test_filter_count == 0;
    for (i = 0; i < test_filter_count; i++) {
        if (!strstr(name, test_filters[i])) continue;
        wanted = 1;
        if (i < 32) test_filters_fit |= 1ul << i;
    }
    if (!wanted) return;
    test_this_failed = test_this_skipped = test_this_reason_count = 0;
    test_this_checks = 0;
    test_in_progress = 1;
    test();
    if (!test_this_checks && !test_this_failed && !test_this_skipped && !test_this_reason_count)
        test_fail(test_file_name, 0, "%s executed no check", name);
    test_in_progress = 0;
    if (test_this_failed) {
        test_failed++;
        printf("FAIL %s: %s (%d checks)\n", test_file_name, name, test_this_failed);
    } else if (test_this_skipped) test_skipped++;
    else if (test_this_checks) test_passed++; /* else every part of it was skipped and counted */
    fflush(stdout);
}

/* The last call of every test program; returns its exit code. First prints each filter that fits no
   test of this program, for scripts that run several programs. */
static TEST_UNUSED int test_report(void) {
    const char *slash = strrchr(test_file_name, '/');
    const char *base = slash ? slash + 1 : test_file_name;
    const char *dot = strrchr(base, '.');
    int i, length = dot ? (int)(dot - base) : (int)strlen(base);
    for (i = 0; i < test_filter_count && i < 32; i++)
        if (!(test_filters_fit >> i & 1))
            printf("no name of a test here contains \"%s\"\n", test_filters[i]);
    printf("%.*s: %d passed, %d failed, %d skipped\n", length, base, test_passed, test_failed,
           test_skipped);
    return test_failed ? 1 : 0;
}

#endif /* NN_TEST_H */
