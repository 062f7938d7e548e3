/* test_catalogue.c - every case of tests/golden/catalogue, made by PyTorch, on the CPU with each
   instruction set of the machine, and on OpenCL. tests/golden/catalogue/common.py tells how to add
   a case and which error is allowed. `test_catalogue norm` runs only the group norm; with
   NN_CASE=name in the environment, only cases whose names contain it. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "test.h"
#include "open.h"

#include "catalogue.h"

/* Includes every header of tests/golden/catalogue and names the groups: made by the Makefile. */
#include "build/gen/tests/catalogue.h"

static const catalogue_group groups[] = {
#define GROUP(name)                                                                                \
    {#name,                                                                                        \
     catalogue_##name##_cases,                                                                     \
     catalogue_##name##_rows,                                                                      \
     catalogue_##name##_numbers,                                                                   \
     catalogue_##name##_sparse,                                                                    \
     (int)(sizeof catalogue_##name##_cases / sizeof catalogue_##name##_cases[0])},
    CATALOGUE_GROUPS
#undef GROUP
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

static const catalogue_group *group; /* of the running test */

#include "edges.h"

static void run_cases(nn_context *nn, nn_device device, const char *how) {
    catalogue_run run;
    /* Another device compiles programs for each case. The kernels have tests of their own there
       (test_backends, test_ulps), so make test runs only a part of the cases. */
    int sparse = device.kind == NN_CPU || getenv("NN_FULL") ? 1 : 16 * group->sparse;
    const char *wanted = getenv("NN_CASE");
    memset(&run, 0, sizeof run);
    run.nn = nn, run.device = device, run.how = how;
    for (int i = 0; i < group->count; i++) {
        if (wanted ? !strstr(group->cases[i].name, wanted) : i / 2 % sparse != 0) continue;
        catalogue_run_case(&run, group, &group->cases[i]);
    }
    if (run.failures) printf("     %d differences in the group %s\n", run.failures, group->name);
}

static void with_set(nn_instruction_set set) {
    nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = set, .threads = 1}));
    if (!nn) return;
    run_cases(nn, nn_cpu(), nn_instruction_set_name(nn));
    nn_close(nn);
}
static void with_plain(void) { with_set(NN_INSTRUCTIONS_PLAIN); }
static void with_avx2(void) { with_set(NN_INSTRUCTIONS_AVX2); }
static void with_avx512(void) { with_set(NN_INSTRUCTIONS_AVX512); }
static void with_other(void) { with_set(OTHER_SET); }
#ifdef NN_TEST_OPENCL
static nn_context *opencl_nn; /* shared by all groups, to compile once */
static bool opencl_open;
static void with_opencl(void) {
    if (!opencl_nn) {
        opencl_nn = nn_open(&(nn_desc){.threads = 1});
        opencl_open = OPEN_OPENCL(opencl_nn);
    } else if (!opencl_open) SKIP_PART("no OpenCL device here");
    if (opencl_open) run_cases(opencl_nn, nn_opencl(0), "opencl:0");
}
#endif

/* ---- what must fail -------------------------------------------------------------------------- */

static void no_output(nn_model *net, nn_node **in, nn_node **out) {
    (void)net, (void)in, (void)out;
}
static void one_too_large(nn_model *net, nn_node **in, nn_node **out) {
    group->cases[0].build(net, in, out);
    out[0] = nn_offset(net, out[0], 1.0f);
}
static void doubled_gradient(nn_model *net, nn_node **in, nn_node **out) {
    group->cases[0].build(net, in, out);
    out[0] = nn_subtract(net, nn_scale(net, out[0], 2), nn_detach(net, out[0]));
}

static void no_gradient(nn_model *net, nn_node **in, nn_node **out) {
    group->cases[0].build(net, in, out);
    out[0] = nn_detach(net, out[0]);
}
static void another_rank(nn_model *net, nn_node **in, nn_node **out) {
    group->cases[0].build(net, in, out);
    out[0] = nn_unsqueeze(net, out[0], -1);
}

/* Builds the first case of the first group wrongly. The comparison must fail, in a plan and in a
   step, and must pass when the same case is built correctly. */
static void wrong_nets_are_found(void) {
    static const struct {
        void (*build)(nn_model *, nn_node **, nn_node **);
        catalogue_mode mode;
        const char *words;
    } wrong[] = {{no_output, CATALOGUE_BOTH, "sets no out[0]"},
                 {one_too_large, CATALOGUE_PLAN, "in a plan, y0["},
                 {one_too_large, CATALOGUE_STEP, "in a step, y0["},
                 {doubled_gradient, CATALOGUE_BOTH, "the gradient of "},
                 {no_gradient, CATALOGUE_STEP, "no parameter that is trained leads"},
                 {another_rank, CATALOGUE_PLAN, "y0 has rank "},
                 {NULL, CATALOGUE_BOTH, ""}};
    nn_context *nn = nn_open(NULL);
    group = &groups[0];
    for (int k = 0; k < (int)(sizeof wrong / sizeof *wrong); k++) {
        catalogue_case one = group->cases[0];
        catalogue_run run;
        memset(&run, 0, sizeof run);
        run.nn = nn, run.device = nn_cpu(), run.how = "the CPU", run.quiet = true;
        if (wrong[k].build) one.build = wrong[k].build;
        one.mode = wrong[k].mode;
        catalogue_run_case(&run, group, &one);
        ENSURE((run.failures > 0) == (wrong[k].build != NULL));
        if (!strstr(run.said, wrong[k].words)) ENSURE_TEXT(run.said, wrong[k].words);
    }
    nn_close(nn);
}

/* The comparison finds a buffer whose numbers after a step are not PyTorch's. Takes the first case
   with a buffer and without special numbers, and expects the numbers one place before. */
static void wrong_buffers_are_found(void) {
    nn_context *nn = nn_open(NULL);
    int found = 0;
    for (int g = 0; g < GROUPS && !found; g++)
        for (int c = 0; c < groups[g].count && !found; c++) {
            static catalogue_row rows[CATALOGUE_ROWS];
            catalogue_case one = groups[g].cases[c];
            catalogue_group changed = groups[g];
            int buffer = -1;
            if (one.mode == CATALOGUE_PLAN || strcmp(changed.name, "edges") == 0) continue;
            memcpy(rows, changed.rows + one.first, sizeof *rows * (size_t)one.count);
            for (int i = 0; i < one.count; i++)
                if (rows[i].role == 'b' && rows[i].kind != 'i' && rows[i].expected > 0) buffer = i;
            if (buffer < 0) continue;
            changed.rows = rows, one.first = 0, one.mode = CATALOGUE_STEP;
            for (int wrong = 0; wrong < 2; wrong++) {
                catalogue_run run;
                memset(&run, 0, sizeof run);
                run.nn = nn, run.device = nn_cpu(), run.how = "the CPU", run.quiet = true;
                rows[buffer].expected -= wrong;
                catalogue_run_case(&run, &changed, &one);
                ENSURE(run.failures == wrong);
                ENSURE(!wrong || strstr(run.said, "after the step, "));
            }
            found++;
        }
    ENSURE(found == 1);
    nn_close(nn);
}

/* Changes each number of a tensor by a little more than is allowed. The comparison must fail. */
static void wrong_numbers_are_found(void) {
    static const double stored[] = {1, -3.5, 0, 1e302, 1e301, -1e302, 0.001};
    enum { count = sizeof stored / sizeof stored[0] };
    double expected[count];
    catalogue_group own = {"own", NULL, NULL, NULL, 1, 0};
    catalogue_case one = {"numbers", NULL, 0, 0, CATALOGUE_BOTH, false};
    for (int k = 0; k < 4 * count; k++) {
        catalogue_run run;
        double actual[count], error = k & 1 ? 1e-6 : 1e-9;
        double limit = 4 * (k & 1 ? 1e-6 : 1.2e-7) * 3.5;
        int i = k / 4;
        for (int j = 0; j < count; j++) expected[j] = catalogue_number(stored[j]);
        memset(&run, 0, sizeof run);
        run.how = "paper", run.quiet = true, run.group = &own, run.one = &one;
        memcpy(actual, expected, sizeof actual);
        catalogue_compare(&run, "", "y", actual, stored, count, error);
        ENSURE(run.failures == 0);
        actual[i] = k & 2 ? (isnan(expected[i]) ? 1 : NAN)
                          : (isfinite(expected[i]) ? expected[i] + 1.02 * limit : 5);
        catalogue_compare(&run, "", "y", actual, stored, count, error);
        ENSURE(run.failures == 1);
        actual[i] = isfinite(expected[i]) ? expected[i] + 0.98 * limit : expected[i];
        catalogue_compare(&run, "", "y", actual, stored, count, error);
        ENSURE(run.failures == 1);
        actual[i] = isfinite(expected[i]) ? expected[i] + 1e-9 : -expected[i];
        catalogue_compare(&run, "", "y", actual, stored, count, -1);
        ENSURE(run.failures == (isnan(expected[i]) ? 1 : 2));
    }
}

/* A test for each group: its name can be given on the command line. */
static void run_group(const catalogue_group *one, void (*test)(void), const char *how) {
    char name[100];
    snprintf(name, sizeof name, "%s %s", one->name, how);
    group = one;
    test_file_name = __FILE__;
    test_run(test, name);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(wrong_nets_are_found);
    RUN(wrong_buffers_are_found);
    RUN(wrong_numbers_are_found);
    RUN(edges_are_shown);
    RUN(traps_are_tested);
    for (int i = 0; i < GROUPS; i++) {
        run_group(&groups[i], with_plain, "plain");
        run_group(&groups[i], with_avx2, "avx2");
        run_group(&groups[i], with_avx512, "avx512");
        run_group(&groups[i], with_other, "other");
#ifdef NN_TEST_OPENCL
        run_group(&groups[i], with_opencl, "opencl");
#endif
    }
#ifdef NN_TEST_OPENCL
    nn_close(opencl_nn);
#endif
    return test_report();
}
