/* tests/group/test_way_of_a_batch.c - the functions that a batch passes on its way from the loader
   to the update. A training run without a group enters no function of nn_group.h. The table "The
   way of a batch" in docs/how-it-works.md names functions that the way really has, in their order.

   The Makefile compiles this test with the library inside and with -finstrument-functions, so that
   the compiler calls __cyg_profile_func_enter at the start of every function. addr2line, of the
   binutils, knows the name and the file of an address. */
#define _DEFAULT_SOURCE
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "test.h"

#include <stdlib.h>
#include <unistd.h>

enum { SAMPLES = 32, IN = 6, CLASSES = 3, MOST = 20000, NAME = 200 };

/* ---- the trace ------------------------------------------------------------------------------- */

/* Different functions in the order in which they were first entered. */
static void *entered[MOST];
static int entered_count;
static bool tracing;

#if defined(__GNUC__)
#define UNTRACED __attribute__((no_instrument_function))
#else
#define UNTRACED
#endif

UNTRACED void __cyg_profile_func_enter(void *function, void *site);
UNTRACED void __cyg_profile_func_exit(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site) {
    (void)site;
    if (!tracing) return;
    for (int i = 0; i < entered_count; i++)
        if (entered[i] == function) return;
    if (entered_count < MOST) entered[entered_count++] = function;
}
void __cyg_profile_func_exit(void *function, void *site) { (void)function, (void)site; }

typedef struct place {
    char function[NAME], file[NAME];
} place;

static place places[MOST];

/* Asks addr2line for the names of all entered functions. False: it is not there. */
static bool find_places(void) {
    FILE *out = fopen("build/test_way_of_a_batch.addresses", "w");
    if (!out) return false;
    for (int i = 0; i < entered_count; i++) fprintf(out, "%p\n", entered[i]);
    fclose(out);
    char command[300];
    snprintf(command, sizeof command,
             "addr2line -f -e /proc/%d/exe < build/test_way_of_a_batch.addresses 2> /dev/null",
             (int)getpid());
    FILE *in = popen(command, "r");
    int found = 0;
    while (in && found < entered_count && fgets(places[found].function, NAME, in) &&
           fgets(places[found].file, NAME, in)) {
        places[found].function[strcspn(places[found].function, "\n")] = 0;
        places[found].file[strcspn(places[found].file, ":\n")] = 0;
        found++;
    }
    const bool fine = in && pclose(in) == 0 && found == entered_count && found > 0;
    remove("build/test_way_of_a_batch.addresses");
    return fine && strcmp(places[0].function, "??") != 0;
}

static bool is_of_groups(const place *p) {
    return strstr(p->file, "nn_group.h") || strstr(p->file, "src/group/");
}

static int index_of(const char *function) {
    for (int i = 0; i < entered_count; i++)
        if (strcmp(places[i].function, function) == 0) return i;
    return -1;
}

/* ---- a training run -------------------------------------------------------------------------- */

static float number(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

typedef struct job {
    nn_context *nn;
    nn_loader *loader;
    nn_trainer *trainer;
} job;

static job begin(int shards) {
    static float inputs[SAMPLES * IN];
    static int32_t labels[SAMPLES];
    job j;
    for (int i = 0; i < SAMPLES * IN; i++) inputs[i] = number(i);
    for (int i = 0; i < SAMPLES; i++) labels[i] = i % CLASSES;
    j.nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *m = nn_make_model(j.nn, &(nn_model_desc){.seed = 3});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *y = nn_relu(m, nn_linear(m, "a", x, &(nn_linear_desc){.out_features = 8}));
    y = nn_linear(m, "b", y, &(nn_linear_desc){.out_features = CLASSES});
    nn_dataset *data = nn_make_dataset(
        j.nn, &(nn_dataset_desc){
                  .count = SAMPLES,
                  .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(IN), .data = inputs},
                                      {.name = "label", .dtype = NN_I32, .data = labels})});
    j.loader = nn_make_loader(
        j.nn, &(nn_loader_desc){.dataset = data, .batch = 8, .shards = shards});
    j.trainer = nn_make_trainer(m, nn_cross_entropy(m, y, label, NULL),
                                &(nn_trainer_desc){.batch = 8, .learning_rate = 0.1f,
                                                   .shards = shards});
    return j;
}

static void step(job *j, bool trace) {
    tracing = trace;
    const bool fine = nn_next_batch(j->loader) && nn_train_step(j->trainer, j->loader) == NN_OK;
    tracing = false;
    if (!fine) test_fail(__FILE__, __LINE__, "%s", nn_error(j->nn));
}

/* ---- the functions that it enters ------------------------------------------------------------ */

/* Traces everything from the description to the end. */
static void trace_training(int shards) {
    nn_report report;
    entered_count = 0;
    tracing = true;
    job j = begin(shards);
    for (int i = 0; i < 3; i++) step(&j, true);
    tracing = true;
    const nn_result result = nn_read_report(j.trainer, &report);
    nn_close(j.nn);
    tracing = false;
    ENSURE(result == NN_OK && report.loss > 0);
}

/* Counts the functions of groups that were entered. nn__group_table returns the address of their
   table, which a call of nn_make_trainer takes if the program includes nn_group.h. */
static int count_of_groups(bool tell) {
    int count = 0;
    for (int i = 0; i < entered_count; i++) {
        if (!is_of_groups(&places[i]) || strcmp(places[i].function, "nn__group_table") == 0)
            continue;
        if (tell) printf("  entered %s of %s\n", places[i].function, places[i].file);
        count++;
    }
    return count;
}

static void test_no_group(void) {
    trace_training(1);
    if (!find_places()) SKIP("no addr2line here, or a compiler without -finstrument-functions");
    ENSURE(entered_count > 300);
    ENSURE(count_of_groups(true) == 0);
    trace_training(2); /* with shards, the trace has such functions */
    ENSURE(find_places() && count_of_groups(false) > 20);
}

/* ---- the table of the manual ----------------------------------------------------------------- */

/* True if the file of src/ defines the function: its name begins the list of arguments in a line
   that ends with a brace or continues. */
static bool defines(const char *path, const char *function) {
    char name[NAME + 8], line[1000];
    snprintf(name, sizeof name, "src/%s", path);
    FILE *file = fopen(name, "r");
    bool found = false;
    snprintf(name, sizeof name, "%s(", function);
    while (file && !found && fgets(line, sizeof line, file))
        found = line[0] != ' ' && strstr(line, name) && !strchr(line, ';');
    if (file) fclose(file);
    return found;
}

/* Reads rows "| `function` | `room/file.c` | ..." of the section, and checks that each function is
   in its file, was entered, and was so after the row before it. */
static void test_table(void) {
    char line[2000], function[NAME], file[NAME];
    bool inside = false;
    int rows = 0, last = -1;
    entered_count = 0;
    job j = begin(1);
    step(&j, false); /* the first step prepares what the others do not */
    step(&j, true);
    nn_close(j.nn);
    if (!find_places()) SKIP("no addr2line here, or a compiler without -finstrument-functions");
    if (getenv("NN_SHOW"))
        for (int i = 0; i < entered_count; i++)
            printf("%s %s\n", places[i].function, places[i].file);
    FILE *page = fopen("docs/how-it-works.md", "r");
    ENSURE(page != NULL);
    while (page && fgets(line, sizeof line, page)) {
        if (line[0] == '#') inside = strstr(line, "The way of a batch") != NULL;
        if (!inside || sscanf(line, "| `%199[^`]` | `%199[^`]` |", function, file) != 2) continue;
        rows++;
        const int at = index_of(function);
        if (test_wrong(at <= last || !defines(file, function)))
            test_fail(__FILE__, __LINE__, "%s of %s: %s", function, file,
                      at < 0          ? "a step does not enter it"
                      : at <= last    ? "it is entered before the row above"
                                      : "the file does not define it");
        last = at;
    }
    if (page) fclose(page);
    ENSURE(rows >= 10);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_no_group);
    RUN(test_table);
    return test_report();
}
