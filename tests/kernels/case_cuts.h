/* case_cuts.h: into how many units the CPU cuts the cases of test_backends, and how much scratch
   they take. No other result depends on these numbers, but the time of a step and the memory of a
   plan do. tests/golden/case_cuts.txt has a line for each instruction set, test and kernel. If a
   change of the numbers is intended, write the file anew:

     NN_TEST_WRITE_CUTS=1 build/tests/test_backends correct |
         grep "^cuts " > tests/golden/case_cuts.txt

   All fixed cases and the first CUTS_DRAWN draws of each test are counted, so the numbers are the
   same whether a test runs alone or after others, and for any larger number of draws. */

enum { CUTS_DRAWN = 40, CUTS_SETS = 2 };

static const struct {
    nn_instruction_set set;
    const char        *name;
} cuts_sets[CUTS_SETS] = {{NN_INSTRUCTIONS_PLAIN, "plain"}, {NN_INSTRUCTIONS_AVX2, "avx2"}};

static struct {
    int     cases;
    int64_t units, bytes;
} cuts[CUTS_SETS][NN_KERNEL_COUNT]; /* of the running test */
static bool cuts_paused;
static int cuts_draws; /* how often the running test has drawn shapes */

/* Adds a case to the numbers of a target with three threads. Whatever else depends on the machine
   is fixed here: from how many bytes on stores bypass the caches, and dot products of bytes. */
static void cuts_add(const target *t, const test_case *c) {
    void *state, *args;
    const nn_backend *backend = nn_device_backend(t->nn, t->device, &state);
    int set = 0;
    if (cuts_paused || t->device.kind != NN_CPU || nn_thread_count(t->nn) != 3) return;
    while (set < CUTS_SETS && (int)cuts_sets[set].set != t->group) set++;
    if (set == CUTS_SETS) return;
    nn__cpu *cpu = (nn__cpu *)t->nn->cpu;
    const int64_t stream_bytes = cpu->stream_bytes;
    const bool dots = cpu->dots;
    cpu->stream_bytes = 1 << 22;
    cpu->dots = false;
    args = kernel_args_copy(c->kernel, &((test_case *)(uintptr_t)c)->args);
    kernel_visit_views(c->kernel, args, forget_handle, NULL);
    if (backend->supports(state, c->kernel, args, NULL, 0)) {
        cuts[set][c->kernel].cases++;
        cuts[set][c->kernel].units += backend->units(state, c->kernel, args);
        cuts[set][c->kernel].bytes += (int64_t)backend->scratch_bytes(state, c->kernel, args);
    }
    free(args);
    cpu->stream_bytes = stream_bytes;
    cpu->dots = dots;
}

/* Finds the golden line that begins like `start`, without its end; false: there is none. */
static bool cuts_find(const char *start, char *line, int bytes) {
    FILE *file = fopen("tests/golden/case_cuts.txt", "r");
    bool found = false;
    while (file && !found && fgets(line, bytes, file)) {
        line[strcspn(line, "\n")] = 0;
        found = strncmp(line, start, strlen(start)) == 0;
    }
    if (file) fclose(file);
    return found;
}

/* Compares the numbers of a test that has ended with the golden lines, or prints them. */
static void cuts_compare(const char *test) {
    const bool writes = getenv("NN_TEST_WRITE_CUTS") != NULL;
    int wrong = 0;
    for (int set = 0; set < CUTS_SETS; set++)
        for (int k = 1; k < NN_KERNEL_COUNT; k++) {
            char start[120], now[220], wanted[220];
            if (!cuts[set][k].cases) continue;
            snprintf(start, sizeof start, "cuts %s %s %s: ", cuts_sets[set].name, test,
                     nn_kernel_name((nn_kernel)k));
            snprintf(now, sizeof now, "%s%d cases, %lld units, %lld bytes", start,
                     cuts[set][k].cases, (long long)cuts[set][k].units,
                     (long long)cuts[set][k].bytes);
            if (writes) printf("%s\n", now);
            else if (test_wrong(!cuts_find(start, wanted, sizeof wanted) || strcmp(now, wanted)) &&
                     wrong++ < 12)
                test_fail(__FILE__, __LINE__, "\n  has    %s\n  wanted %s", now,
                          cuts_find(start, wanted, sizeof wanted) ? wanted : "nothing");
        }
    if (wrong)
        printf("  if this is meant: tests/kernels/case_cuts.h says how to write the file anew\n");
}

/* True if the numbers of this run must be those of the file. A run with SIMD on x86-64 wrote it,
   with all fixed cases and at least CUTS_DRAWN draws. Pointers have 64 bits there, which matters
   because scratch memory contains pointers. */
static bool cuts_comparable(void) {
#if defined(NN_NO_SIMD) || !(defined(__x86_64__) || defined(_M_X64))
    return false;
#else
    return sizeof(void *) == 8 && mode_correct && !getenv("NN_TEST_AS") &&
           !getenv("NN_TEST_KERNEL") && !getenv("NN_TEST_CASES") && largest_case == INT64_MAX &&
           number_from("NN_TEST_CPU_CASES", CUTS_DRAWN) >= CUTS_DRAWN;
#endif
}

static void (*cuts_of)(void); /* the running test */
static const char *cuts_name;
static void cuts_run(void) {
    memset(cuts, 0, sizeof cuts);
    cuts_draws = 0;
    cuts_of();
    if (cuts_comparable()) cuts_compare(cuts_name);
}
/* RUN for a test of kernels, whose cuts are compared at its end. */
#define RUN_CASES(test)                                                                            \
    (cuts_of = (test), cuts_name = #test, test_file_name = __FILE__, test_run(cuts_run, #test))
