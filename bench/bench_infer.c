/* bench/bench_infer.c - whole nets that only infer, one picture of 3 x 224 x 224 at a time: our
   side of bench/peers_infer.py.

     bench_infer [threads [seconds [net [profile]]]]
   Default: 1 thread, 0.5 s for each net, all nets. seconds "-": it waits for lines on stdin and
   answers each with the microseconds of the second of two runs of that net, so that its peers can
   take turns with it. They, too, are timed on the second of two consecutive calls.
   profile: also the least time of each step.

   resnet18, mobilenet: those of the examples, 1,000 classes, with batch norms. Weights and picture
   are formulas of names and places (tests/whole/nets.h), the same as the peers'.
   One line for each: name, minimum and median in microseconds, peak resident memory so far in kB;
   then "logits", the net, and five of its results, to show whether all compute the same. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main
#define main mobilenet_main
#include "../examples/16_mobilenet.c"
#undef main

enum { MOST_SAMPLES = 4096, CLASSES = 1000, SIDE = 224, NETS = 2 };

typedef struct infer_net {
    const char *name;
    nn_node *(*build)(nn_model *net, nn_node *x);
    nn_model *net;
    nn_node *logits;
    nn_plan *plan;
} infer_net;

static nn_node *build_resnet(nn_model *net, nn_node *x) {
    return resnet18(net, x, &(resnet_desc){.classes = CLASSES, .width = 64});
}
static nn_node *build_mobilenet(nn_model *net, nn_node *x) {
    return mobilenet_v2(net, x, CLASSES, 0.2f);
}

static long peak_kb(void) { /* VmHWM of Linux; 0 elsewhere */
    char line[128];
    long kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0) kb = atol(line + 6);
    if (file) fclose(file);
    return kb;
}

static double now_us(void) { /* the library's own clock, so that this program needs no POSIX */
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return (double)nn__now(&clock) / 1000;
}

/* ---- numbers that the peers know ------------------------------------------------------------- */

static uint32_t hash_of(const char *name) {
    uint32_t h = 2166136261u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

static float uniform_at(uint32_t seed, uint32_t i) {
    uint32_t h = i * 2654435769u ^ seed;
    h = (h ^ h >> 16) * 2246822507u;
    h = (h ^ h >> 13) * 3266489909u;
    return (float)((h ^ h >> 16) >> 8) / 8388608.0f - 1.0f;
}

static bool ends(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void fill_tensor(nn_tensor *tensor) {
    const char *name = nn_tensor_name(tensor);
    const nn_shape shape = nn_tensor_shape(tensor);
    const int64_t count = nn_shape_count(shape);
    const size_t bytes = (size_t)nn_tensor_bytes(tensor);
    float *to = (float *)malloc(bytes);
    double scale = 0.125, middle = 0;
    if (shape.rank > 1) scale = sqrt(3.0 / ((double)count / shape.extent[0]));
    else if (ends(name, "running_var")) middle = 1, scale = 0.5;
    else if (ends(name, ".weight")) middle = 1, scale = 0.25;
    for (int64_t i = 0; to && i < count; i++)
        to[i] = (float)(middle + (double)uniform_at(hash_of(name), (uint32_t)i) * scale);
    if (to) nn_upload_tensor(tensor, to, bytes);
    free(to);
}

static void fill_net(nn_model *net) {
    for (nn_node *node = net->graph.first; node; node = node->next)
        if (node->tensor && node->dtype == NN_F32) /* the peers do not count batches */
            fill_tensor(node->tensor);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void make(nn_context *nn, infer_net *n) {
    nn_shape shape = NN_SHAPE(NN_BATCH, 3, SIDE, SIDE);
    n->net = nn_make_model(nn, &(nn_model_desc){.name = n->name, .seed = 1});
    nn_node *image = nn_input(n->net, "image", NN_F32, shape);
    n->logits = n->build(n->net, image);
    n->plan = nn_make_plan(n->net, &(nn_plan_desc){.outputs = NN_NODES(n->logits), .batch = 1});
    fill_net(n->net);
    shape.extent[0] = 1;
    nn_tensor *picture = nn_make_tensor(nn, &(nn_tensor_desc){.name = "picture", .shape = shape});
    fill_tensor(picture);
    nn_bind(n->plan, image, picture);
}

static double run_once(const infer_net *n) {
    const double start = now_us();
    nn_run(n->plan);
    return now_us() - start;
}

static int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void measure(const infer_net *n, double seconds, bool profile) {
    static double samples[MOST_SAMPLES];
    static float logits[CLASSES];
    int count = 0;
    run_once(n);
    const double end = now_us() + seconds * 1e6;
    while (count < MOST_SAMPLES && (count < 5 || now_us() < end)) samples[count++] = run_once(n);
    qsort(samples, (size_t)count, sizeof samples[0], compare_samples);
    printf("%-24s %10.2f %10.2f %8ld\n", n->name, samples[0], samples[count / 2], peak_kb());
    nn_download(n->plan, n->logits, logits, sizeof logits);
    printf("logits %s", n->name);
    for (int i = 0; i < CLASSES; i += CLASSES / 5) printf(" %.6f", (double)logits[i]);
    printf("\n");
    if (profile) measure_steps(n->plan, seconds);
    fflush(stdout);
}

/* A line on stdin is the name of a net. */
static void answer(const infer_net *nets) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        for (int i = 0; i < NETS; i++)
            if (strcmp(line, nets[i].name) == 0) {
                run_once(&nets[i]); /* the first run after a wait, which is not timed on either
                                       side */
                printf("%.2f\n", run_once(&nets[i]));
            }
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    infer_net nets[NETS] = {{.name = "resnet18", .build = build_resnet},
                            {.name = "mobilenet", .build = build_mobilenet}};
    const bool asked = argc > 2 && strcmp(argv[2], "-") == 0;
    const char *only = argc > 3 && !asked ? argv[3] : "";
    nn_context *nn = nn_open(
        &(nn_desc){.log = {nn_write_stderr, NULL}, .threads = argc > 1 ? atoi(argv[1]) : 1});
    if (!nn) return 1;
    printf("# nn.h %s, %s, %d thread(s)\n", NN_VERSION, nn_instruction_set_name(nn),
           nn_thread_count(nn));
    fflush(stdout);
    for (int i = 0; i < NETS; i++) {
        if (strncmp(nets[i].name, only, strlen(only)) != 0) continue;
        make(nn, &nets[i]);
        if (!asked) measure(&nets[i], argc > 2 ? atof(argv[2]) : 0.5, argc > 4);
    }
    if (asked) answer(nets);
    const bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
