/* bench/bench_integers.c - ResNet-18 in f32 and in 8-bit integers, one picture of 3 x 224 x 224 at a
   time, with several instruction sets. bench/integers.py runs it beside other libraries.

     bench_integers [threads [seconds [folder | profile]]]
   Default: 1 thread, 0.5 s for each net. profile: also prints the least time of each step.
   With "-" for seconds, it writes resnet18.onnx and picture.npy into the folder, and then answers
   lines on stdin: "NAME COUNT" asks for the microseconds of COUNT runs of a net, "NAME sums" for
   five of its results. If the folder has resnet18-qdq.onnx, a file that onnxruntime quantised, the
   nets of that file run, too.

   The names of nets say how they compute: f32-avx2, i8-avx2 (nn_quantize_net), qdq-avx2
   (nn_onnx_integers), and the same with avx512, which for integers means VNNI if the processor has
   it. Weights are seeded; calibration reads eight pictures of noise. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main

enum { MOST_SAMPLES = 4096, CLASSES = 1000, SIDE = 224, NUMBERS = 3 * SIDE * SIDE, MOST_NETS = 16 };

typedef struct integers_net {
    char name[32];
    nn_context *nn;
    nn_node *logits;
    nn_plan *plan;
} integers_net;

static integers_net nets[MOST_NETS];
static int net_count;
static char folder[512];

static double now_us(void) { /* the library's own clock, so that this program needs no POSIX */
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return (double)nn__now(&clock) / 1000;
}

/* Sample i: smooth noise between -1 and 1. */
static void draw(int32_t sample, float *to) {
    uint32_t words[4];
    float last = 0;
    for (int i = 0; i < NUMBERS; i++) {
        nn_random_words(3, (uint64_t)sample, (uint64_t)i, words);
        last = 0.8f * last + 0.4f * (2 * nn_word_to_uniform(words[0]) - 1);
        to[i] = last;
    }
}
static nn_result get(void *user, int32_t sample, void *const *to) {
    (void)user;
    draw(sample, (float *)to[0]);
    return NN_OK;
}
static nn_loader *pictures(nn_context *nn) {
    return nn_make_loader(
        nn, &(nn_loader_desc){
                .dataset = nn_make_dataset(
                    nn, &(nn_dataset_desc){.fields = NN_FIELDS({.name = "image",
                                                                .shape = NN_SHAPE(3, SIDE, SIDE)}),
                                           .count = 8,
                                           .get = get}),
                .batch = 4});
}

/* ---- nets ------------------------------------------------------------------------------------ */

static void add_net(nn_context *nn, const char *kind, const char *set, nn_model *net,
                    nn_node *image, nn_node *logits) {
    static float picture[NUMBERS];
    integers_net *n = &nets[net_count];
    if (!net || !image || !logits || net_count == MOST_NETS) return;
    snprintf(n->name, sizeof n->name, "%s-%s", kind, set);
    n->nn = nn;
    n->logits = logits;
    n->plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits), .batch = 1});
    if (!n->plan) return;
    net_count++;
    draw(100, picture);
    nn_upload(n->plan, image, picture, sizeof picture);
}

static void add_file(nn_context *nn, const char *set) {
    char path[600];
    snprintf(path, sizeof path, "%s/resnet18-qdq.onnx", folder);
    FILE *there = fopen(path, "rb");
    if (!there) return;
    fclose(there);
    nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.path = path});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "qdq"});
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(1, 3, SIDE, SIDE));
    nn_onnx_integers(file);
    nn_node *logits = nn_onnx_net(
        net, NULL, file, &(nn_onnx_net_desc){.inputs = NN_ONNX_INPUTS({"image", image})});
    add_net(nn, "qdq", set, net, image, logits);
    nn_load_onnx_weights(net, file);
    nn_close_onnx(file);
}

static void write_files(nn_model *net, nn_node *logits) {
    char path[600];
    static float picture[NUMBERS];
    nn_context *nn = net->nn;
    snprintf(path, sizeof path, "%s/resnet18.onnx", folder);
    nn_save_onnx(net, path, &(nn_onnx_save_desc){.outputs = NN_NODES(logits),
                                                 .output_names = NN_TEXTS("logits")});
    nn_tensor *tensor =
        nn_make_tensor(nn, &(nn_tensor_desc){.name = "x", .shape = NN_SHAPE(9, 3, SIDE, SIDE)});
    for (int i = 0; tensor && i < 9; i++) {
        draw(i < 8 ? i : 100, picture);
        memcpy((float *)nn_tensor_data(tensor) + (size_t)i * NUMBERS, picture, sizeof picture);
    }
    snprintf(path, sizeof path, "%s/pictures.npy", folder);
    nn_save_npy(tensor, path);
}

static nn_context *add_set(nn_instruction_set which, int threads, bool save) {
    nn_context *nn = nn_open(&(nn_desc){
        .log = {nn_write_stderr, NULL}, .threads = threads, .instructions = which});
    if (!nn) return NULL;
    const char *set = nn_instruction_set_name(nn);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "resnet18", .seed = 1});
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, SIDE, SIDE));
    nn_node *logits = resnet18(net, image, &(resnet_desc){.classes = CLASSES, .width = 64});
    add_net(nn, "f32", set, net, image, logits);
    if (save) write_files(net, logits);
    nn_model *whole = nn_quantize_net(net, pictures(nn), NULL);
    if (whole)
        add_net(nn, "i8", set, whole, nn_copied_node(whole, image), nn_copied_node(whole, logits));
    if (folder[0]) add_file(nn, set);
    return nn;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static double run_once(const integers_net *n) {
    const double start = now_us();
    nn_run(n->plan);
    return now_us() - start;
}
static int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* In each turn every net runs once. */
static void measure_all(double seconds, bool profile) {
    static double samples[MOST_NETS][MOST_SAMPLES];
    int turns = 0;
    const double end = now_us() + seconds * 1e6 * net_count;
    while (turns < MOST_SAMPLES && (turns < 3 || now_us() < end)) {
        for (int i = 0; i < net_count; i++) {
            run_once(&nets[i]); /* not timed: it fills the caches */
            samples[i][turns] = run_once(&nets[i]);
        }
        turns++;
    }
    for (int i = 0; i < net_count; i++) {
        qsort(samples[i], (size_t)turns, sizeof samples[i][0], compare_samples);
        printf("%-24s %10.2f %10.2f\n", nets[i].name, samples[i][0], samples[i][turns / 2]);
        if (profile) measure_steps(nets[i].plan, seconds);
        fflush(stdout);
    }
}

static void answer(void) {
    static float logits[CLASSES];
    char line[64], name[32], what[32];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%31s %31s", name, what) != 2) continue;
        for (int i = 0; i < net_count; i++) {
            if (strcmp(name, nets[i].name) != 0) continue;
            run_once(&nets[i]);
            for (int k = 0; k < atoi(what); k++) printf("%.2f ", run_once(&nets[i]));
            if (atoi(what) > 0) continue;
            nn_download(nets[i].plan, nets[i].logits, logits, sizeof logits);
            for (int k = 0; k < CLASSES; k += CLASSES / 5) printf("%.6f ", (double)logits[k]);
        }
        printf("\n");
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 1;
    const bool asked = argc > 2 && strcmp(argv[2], "-") == 0;
    const bool profile = !asked && argc > 3 && strcmp(argv[3], "profile") == 0;
    nn_context *nn[2];
    if (argc > 3 && !profile) snprintf(folder, sizeof folder, "%s", argv[3]);
    nn[0] = add_set(NN_INSTRUCTIONS_DEFAULT, threads, asked);
    if (!nn[0]) return 1;
    const bool more = strcmp(nn_instruction_set_name(nn[0]), "avx512") == 0;
    nn[1] = more ? add_set(NN_INSTRUCTIONS_AVX2, threads, false) : NULL;
    printf("# nn.h %s, %d thread(s):", NN_VERSION, threads);
    for (int i = 0; i < net_count; i++) printf(" %s", nets[i].name);
    printf("\n");
    fflush(stdout);
    if (asked) answer();
    else measure_all(argc > 2 ? atof(argv[2]) : 0.5, profile);
    bool failed = false;
    for (int i = 0; i < 2; i++) {
        failed = failed || (nn[i] && nn_error(nn[i]) != NULL);
        nn_close(nn[i]);
    }
    return failed;
}
