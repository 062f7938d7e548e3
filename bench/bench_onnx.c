/* bench/bench_onnx.c - our side of bench/onnx.py: describes one ONNX file and runs its net.

     bench_onnx model.onnx [threads [floats]]

   Products of quantised operators are computed in 8-bit integers (nn_onnx_integers), or with
   "floats" in f32. It reads lines from stdin. First the inputs and outputs of the net, then "open":
     in PATH.npy NAME     an input and its numbers
     fixed NUMBER NAME    an input that is fixed while the net is described
     out NAME             an output
   It answers each of the following lines with one line:
     open                 microseconds: file, description, plan, weights, first run; then kB of peak
                          memory since the start of the program
     again                the same, of a second net that is freed after it
     run COUNT            microseconds of COUNT runs, each with its uploads and downloads
     sums                 for each output the sum of its magnitudes
   "plan" and "profile" write the plan's report and the times of its steps to stderr, and answer
   "done". If something fails, the answer is "failed" and the reason. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8, LINE = 1024 };

typedef struct onnx_end {
    char name[LINE];
    nn_tensor *numbers; /* of an input */
    double fixed;       /* of an input without numbers */
    nn_node *node;
    void *data;
    size_t bytes;
} onnx_end;

typedef struct onnx_net {
    nn_model *net;
    nn_plan *plan;
    onnx_end in[MOST], out[MOST];
} onnx_net;

static const char *model_path;
static nn_context *nn;
static bool floats;
static onnx_net first;
static int in_count, out_count;

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1000;
}

/* Returns a number of kB of /proc/self/status; 0 where there is no such file. */
static long status_kb(const char *field) {
    char line[128];
    long kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, field, strlen(field)) == 0) kb = atol(line + strlen(field));
    if (file) fclose(file);
    return kb;
}

static bool failed(void) {
    printf("failed ");
    for (const char *c = nn_error(nn) ? nn_error(nn) : "no reason"; *c; c++)
        putchar(*c == '\n' ? ' ' : *c);
    printf("\n");
    nn_clear_error(nn);
    return false;
}

/* ---- describing ------------------------------------------------------------------------------ */

/* The input node for a dtype is f32, or i32 for all integers. */
static void make_inputs(onnx_net *to, nn_onnx_input *given, nn_onnx_fixed *fixed,
                        nn_onnx_net_desc *desc) {
    desc->inputs.input = given;
    desc->values.value = fixed;
    for (int i = 0; i < in_count; i++) {
        onnx_end *in = &to->in[i];
        if (!in->numbers) {
            fixed[desc->values.count].name = in->name;
            fixed[desc->values.count++].value = in->fixed;
            continue;
        }
        const nn_dtype dtype = nn_tensor_dtype(in->numbers);
        in->node = nn_input(to->net, in->name, dtype == NN_F32 || dtype == NN_F16 ? NN_F32 : NN_I32,
                            nn_tensor_shape(in->numbers));
        given[desc->inputs.count].name = in->name;
        given[desc->inputs.count++].node = in->node;
    }
}

/* Converts the numbers of an input to those of its node. */
static void fill_input(onnx_end *in) {
    const int64_t count = nn_shape_count(nn_tensor_shape(in->numbers));
    const void *from = nn_tensor_const_data(in->numbers);
    in->bytes = (size_t)count * 4;
    in->data = malloc(in->bytes);
    if (in->data && nn_tensor_dtype(in->numbers) == NN_I64)
        for (int64_t i = 0; i < count; i++)
            ((int32_t *)in->data)[i] = (int32_t)((const int64_t *)from)[i];
    else if (in->data)
        memcpy(in->data, from, in->bytes);
}

static bool run(onnx_net *n) {
    bool good = true;
    for (int i = 0; i < in_count && good; i++)
        good = !n->in[i].node ||
               nn_upload(n->plan, n->in[i].node, n->in[i].data, n->in[i].bytes) == NN_OK;
    good = good && nn_run(n->plan) == NN_OK;
    for (int i = 0; i < out_count && good; i++)
        good = nn_download(n->plan, n->out[i].node, n->out[i].data, n->out[i].bytes) == NN_OK;
    return good;
}

static bool plan_net(onnx_net *to, nn_onnx *file, double *times) {
    nn_onnx_net_desc desc;
    nn_onnx_input given[MOST];
    nn_onnx_fixed fixed[MOST];
    nn_plan_desc plan_desc;
    nn_node *outputs[sizeof to->out / sizeof *to->out];
    double start = now_us();
    memset(&desc, 0, sizeof desc);
    memset(&plan_desc, 0, sizeof plan_desc);
    make_inputs(to, given, fixed, &desc);
    nn_onnx_net(to->net, NULL, file, &desc);
    for (int i = 0; i < out_count; i++)
        outputs[i] = to->out[i].node = nn_onnx_node(to->net, file, to->out[i].name);
    plan_desc.outputs = (nn_nodes){outputs, out_count};
    if (nn_fault_count(to->net) > 0 || !to->out[0].node) return false;
    times[1] = now_us() - start;
    start = now_us();
    to->plan = nn_make_plan(to->net, &plan_desc);
    times[2] = now_us() - start;
    start = now_us();
    if (!to->plan || nn_load_onnx_weights(to->net, file) != NN_OK) return false;
    times[3] = now_us() - start;
    return true;
}

/* Times: of the file, the description, the plan, the weights, and the first run. */
static bool open_net(onnx_net *to, double *times) {
    double start = now_us();
    nn_onnx_desc from;
    nn_onnx *file;
    bool good;
    memset(&from, 0, sizeof from);
    from.path = model_path;
    file = nn_open_onnx(nn, &from);
    to->net = nn_make_model(nn, NULL);
    if (file && !floats) nn_onnx_integers(file);
    times[0] = now_us() - start;
    good = file && to->net && plan_net(to, file, times);
    nn_close_onnx(file);
    if (!good) return failed();
    for (int i = 0; i < in_count; i++)
        if (to->in[i].node) fill_input(&to->in[i]);
    for (int i = 0; i < out_count; i++) {
        const nn_node *node = to->out[i].node;
        to->out[i].bytes =
            (size_t)nn_shape_count(nn_node_shape(node)) * nn_dtype_size(nn_node_dtype(node));
        to->out[i].data = malloc(to->out[i].bytes);
    }
    start = now_us();
    if (!run(to)) return failed();
    times[4] = now_us() - start;
    return true;
}

static void free_net(onnx_net *n) {
    for (int i = 0; i < in_count; i++) free(n->in[i].data);
    for (int i = 0; i < out_count; i++) free(n->out[i].data);
    nn_free_model(n->net);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answer_open(bool again, long before_kb) {
    double times[5];
    onnx_net second = first; /* before "open", the first net has only names and numbers */
    if (again)
        for (int i = 0; i < MOST; i++) {
            second.in[i].node = second.out[i].node = NULL;
            second.in[i].data = second.out[i].data = NULL;
        }
    if (!open_net(again ? &second : &first, times)) return;
    for (int i = 0; i < 5; i++) printf("%.1f ", times[i]);
    printf("%ld\n", status_kb("VmHWM:") - before_kb);
    if (again) free_net(&second);
}

static void answer_run(int count) {
    for (int i = 0; i < count; i++) {
        const double start = now_us();
        if (!run(&first)) {
            failed();
            return;
        }
        printf("%.2f ", now_us() - start);
    }
    printf("\n");
}

static void answer_sums(void) {
    for (int i = 0; i < out_count; i++) {
        const bool whole = nn_node_dtype(first.out[i].node) != NN_F32;
        double sum = 0;
        for (size_t k = 0; k < first.out[i].bytes / 4 && !whole; k++)
            sum += fabs((double)((float *)first.out[i].data)[k]);
        printf("%.9g ", sum);
    }
    printf("\n");
}

static void answer_report(bool profile) {
    const nn_writer to_stderr = {nn_write_stderr, NULL};
    if (profile) {
        nn_start_profile(first.plan);
        for (int i = 0; i < 100; i++) run(&first);
        nn_write_profile(first.plan, to_stderr);
        nn_stop_profile(first.plan);
    } else {
        nn_write_plan(first.plan, to_stderr);
    }
    printf("done\n");
}

static void add_end(const char *line) {
    onnx_end *end = strncmp(line, "out", 3) == 0 ? &first.out[out_count++] : &first.in[in_count++];
    char path[LINE] = "";
    if (strncmp(line, "out ", 4) == 0)
        sscanf(line, "out %1023[^\n]", end->name);
    else if (strncmp(line, "fixed ", 6) == 0)
        sscanf(line, "fixed %lf %1023[^\n]", &end->fixed, end->name);
    else if (sscanf(line, "in %1023s %1023[^\n]", path, end->name) == 2)
        end->numbers = nn_load_npy(nn, path);
}

int main(int argc, char **argv) {
    static char line[3 * LINE];
    long before_kb;
    if (argc < 2) {
        printf("bench_onnx is run by bench/onnx.py\n");
        return 0;
    }
    model_path = argv[1];
    floats = argc > 3 && strcmp(argv[3], "floats") == 0;
    nn = nn_open(&(nn_desc){.threads = argc > 2 ? atoi(argv[2]) : 1});
    before_kb = status_kb("VmRSS:");
    while (nn && fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "open", 4) == 0 || strncmp(line, "again", 5) == 0)
            answer_open(line[0] == 'a', before_kb);
        else if (strncmp(line, "run ", 4) == 0)
            answer_run(atoi(line + 4));
        else if (strncmp(line, "sums", 4) == 0)
            answer_sums();
        else if (strncmp(line, "pl", 2) == 0 || strncmp(line, "pr", 2) == 0)
            answer_report(line[1] == 'r');
        else if (in_count < MOST && out_count < MOST)
            add_end(line);
        fflush(stdout);
    }
    nn_clear_error(nn);
    nn_close(nn);
    return 0;
}
