/* node_cases.c - runs what node_cases.py made of ONNX's node cases: each on the CPU with plain C
   and with the machine's best instructions, and on OpenCL. Prints a line for each run, "name device
   passed" or "name device why", which node_cases.py reads.
     node_cases numbers [part of a name]      numbers: build/onnx/numbers */
#include "nn.h"
#ifdef NN_TEST_OPENCL
#include "nn_opencl.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, OUTPUTS = 8 };

typedef struct onnx_array {
    const char *name; /* of a parameter; "" */
    nn_dtype dtype;   /* of the stored bytes; outputs are stored as doubles */
    int rank, extent[6];
    long at, count;
} onnx_array;

typedef struct onnx_case {
    const char *name;
    void (*build)(nn_model *net, nn_node **in, nn_node **out);
    int first, inputs, parameters, outputs; /* rows of onnx_arrays, in this order */
    double relative, absolute; /* an error may be relative * |number| + absolute * the largest */
    nn_optimizer optimizer;    /* of a case that is a step of a trainer; else 0 */
} onnx_case;

#include "build/onnx/cases.h"

static char *numbers;

static const char *differ(nn_plan *plan, nn_node *node, const onnx_array *y, const onnx_case *one,
                          char *text, size_t size) {
    nn_shape shape = nn_node_shape(node);
    nn_dtype dtype = nn_node_dtype(node);
    size_t bytes = (size_t)y->count * nn_dtype_size(dtype);
    const double *wanted = (const double *)(numbers + y->at);
    double largest = 0;
    bool same = shape.rank == y->rank;
    void *got;
    for (int i = 0; same && i < y->rank; i++) same = shape.extent[i] == y->extent[i];
    if (!same) {
        int length = snprintf(text, size, "shape (");
        for (int i = 0; i < shape.rank; i++)
            length += snprintf(text + length, size - (size_t)length, "%d,", shape.extent[i]);
        length += snprintf(text + length, size - (size_t)length, ") instead of (");
        for (int i = 0; i < y->rank; i++)
            length += snprintf(text + length, size - (size_t)length, "%d,", y->extent[i]);
        snprintf(text + length, size - (size_t)length, ")");
        return text;
    }
    got = malloc(bytes ? bytes : 1);
    if (nn_download(plan, node, got, bytes) != NN_OK) {
        free(got);
        return "";
    }
    for (long i = 0; i < y->count; i++)
        if (isfinite(wanted[i])) largest = fmax(largest, fabs(wanted[i]));
    for (long i = 0; i < y->count; i++) {
        double limit = one->relative * fabs(wanted[i]) + one->absolute * largest, number;
        if (dtype == NN_F16 || dtype == NN_BF16) continue; /* cast to f32 by the mapper */
        number = dtype == NN_F32   ? (double)((const float *)got)[i]
                 : dtype == NN_I32 ? (double)((const int32_t *)got)[i]
                 : dtype == NN_I8  ? (double)((const int8_t *)got)[i]
                                   : (double)((const uint8_t *)got)[i];
        if (number == wanted[i] || (number != number && wanted[i] != wanted[i])) continue;
        if (isfinite(number) && fabs(number - wanted[i]) <= limit) continue;
        snprintf(text, size, "number %ld of %ld is %.9g instead of %.9g, the largest %.3g", i,
                 y->count, number, wanted[i], largest);
        free(got);
        return text;
    }
    free(got);
    return NULL;
}

static nn_shape shape_of(const onnx_array *array) {
    nn_shape shape = {{0}, 0};
    for (int i = 0; i < array->rank; i++) shape.extent[i] = array->extent[i];
    shape.rank = array->rank;
    return shape;
}

static size_t bytes_of(const onnx_array *array) {
    return (size_t)array->count * nn_dtype_size(array->dtype);
}

static const char *run_plan(nn_model *net, const onnx_case *one, nn_node **in, nn_node **out,
                            char *text, size_t size) {
    const onnx_array *row = onnx_arrays + one->first;
    nn_plan_desc desc = {0};
    nn_plan *plan;
    for (int i = 0; i < one->outputs; i++) desc.outputs[i] = out[i];
    plan = nn_make_plan(net, &desc);
    if (!plan) return "";
    for (int i = 0; i < one->inputs; i++)
        nn_upload(plan, in[i], numbers + row[i].at, bytes_of(&row[i]));
    for (int i = one->inputs; i < one->inputs + one->parameters; i++)
        nn_upload_tensor(nn_find_tensor(net, row[i].name), numbers + row[i].at, bytes_of(&row[i]));
    if (nn_run(plan) != NN_OK) return "";
    for (int i = 0; i < one->outputs; i++) {
        row = onnx_arrays + one->first + one->inputs + one->parameters + i;
        if (differ(plan, out[i], row, one, text, size)) return text[0] ? text : "";
    }
    return NULL;
}

static void run_case(nn_context *nn, nn_device device, const char *how, const onnx_case *one) {
    const onnx_array *row = onnx_arrays + one->first;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device});
    nn_node *in[MOST] = {0}, *out[OUTPUTS] = {0};
    char text[300] = "", name[20];
    const char *why;
    for (int i = 0; i < one->inputs; i++) {
        snprintf(name, sizeof name, "in%d", i);
        in[i] = nn_input(net, name, row[i].dtype, shape_of(&row[i]));
    }
    one->build(net, in, out);
    why = run_plan(net, one, in, out, text, sizeof text);
    if (nn_error(nn)) why = nn_error(nn);
    printf("%s %s ", one->name, how);
    for (const char *at = why ? why : "passed"; *at; at++) putchar(*at == '\n' ? ';' : *at);
    putchar('\n');
    nn_clear_error(nn);
    nn_free_model(net);
}

static void run_all(nn_context *nn, nn_device device, const char *how, const char *wanted) {
    for (size_t i = 0; i < sizeof onnx_cases / sizeof onnx_cases[0]; i++)
        if (!wanted || strstr(onnx_cases[i].name, wanted))
            run_case(nn, device, how, &onnx_cases[i]);
    fflush(stdout);
}

int main(int argc, char **argv) {
    const char *wanted = argc > 2 ? argv[2] : NULL;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    nn_context *nn;
    long size;
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    numbers = (char *)malloc((size_t)size + 1);
    if (!numbers || fread(numbers, 1, (size_t)size, file) != (size_t)size) return 2;
    fclose(file);
    for (int plain = 1; plain >= 0; plain--) {
        nn = nn_open(&(nn_desc){.instructions = plain ? NN_INSTRUCTIONS_PLAIN : 0, .threads = 1});
        run_all(nn, nn_cpu(), plain ? "plain" : "cpu", wanted);
        nn_close(nn);
    }
#ifdef NN_TEST_OPENCL
    nn = nn_open(&(nn_desc){.threads = 1});
    nn_opencl_open(nn, NULL);
    nn_clear_error(nn);
    if (nn_is_open(nn, nn_opencl(0))) run_all(nn, nn_opencl(0), "opencl", wanted);
    nn_close(nn);
#endif
    free(numbers);
    return 0;
}
