/* node_cases.c - runs what node_cases.py made of ONNX's node cases on one device.

     node_cases build/onnx/numbers plain | cpu | opencl | spoiled

   plain: the CPU with plain C; cpu: with the machine's best instructions; spoiled: as plain, and
   all results are made wrong. Prints a line for each case, "name device passed" or "name device
   why", which node_cases.py reads. The status is 3 where there is no such device.
 */
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
    const char *name; /* of a parameter or moment; "" */
    nn_dtype dtype;   /* of the stored bytes; outputs are stored as doubles */
    int rank, extent[6];
    long at, count;
} onnx_array;

typedef struct onnx_case {
    const char *name;
    void (*build)(nn_model *net, nn_node **in, nn_node **out);
    int first, inputs, parameters, outputs; /* rows of onnx_arrays, in this order */
    double relative, absolute; /* an error may be relative * |number| + absolute * the largest */
    /* Of a case that is a step of a trainer, and has no `build`: inputs are gradients under the
       names of their parameters, parameters and outputs are parameters and moments. */
    const nn_trainer_desc *trainer;
    const char *step; /* number of steps done before */
} onnx_case;

#include "build/onnx/cases.h"
#include "lists.h"

static char *numbers;
/* If not 0, results are made wrong by this times their largest number. In results with infinite
   numbers or NaN, only these are made wrong: they become finite. Then no case may pass. */
static double spoiled;

static double spoil(double number, double largest, bool infinite) {
    if (!infinite) return number + spoiled * largest;
    return spoiled != 0 && !isfinite(number) ? spoiled : number;
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

static double number_at(const void *values, nn_dtype dtype, long i) {
    return dtype == NN_F32   ? (double)((const float *)values)[i]
           : dtype == NN_I32 ? (double)((const int32_t *)values)[i]
           : dtype == NN_I8  ? (double)((const int8_t *)values)[i]
                             : (double)((const uint8_t *)values)[i];
}

/* Writes what differs, or nothing, into text. */
static void compare(const onnx_case *one, const onnx_array *y, const void *got, nn_dtype dtype,
                    char *text, size_t size) {
    const double *wanted = (const double *)(numbers + y->at);
    double largest = 0;
    bool infinite = false;
    for (long i = 0; i < y->count; i++) {
        infinite = infinite || !isfinite(wanted[i]);
        if (isfinite(wanted[i])) largest = fmax(largest, fabs(wanted[i]));
    }
    for (long i = 0; i < y->count; i++) {
        double limit = one->relative * fabs(wanted[i]) + one->absolute * largest;
        double number = spoil(number_at(got, dtype, i), largest > 0 ? largest : 1, infinite);
        if (number == wanted[i] || (number != number && wanted[i] != wanted[i])) continue;
        if (isfinite(number) && isfinite(wanted[i]) && fabs(number - wanted[i]) <= limit) continue;
        snprintf(text, size, "%s: number %ld of %ld is %.9g instead of %.9g, the largest %.3g",
                 y->name, i, y->count, number, wanted[i], largest);
        return;
    }
}

static void words_of(nn_shape shape, char *text, size_t size) {
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < shape.rank && length + 12 < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%d,", shape.extent[i]);
}

static void compare_output(nn_plan *plan, nn_node *node, const onnx_case *one, const onnx_array *y,
                           char *text, size_t size) {
    nn_dtype dtype = nn_node_dtype(node);
    size_t bytes = (size_t)y->count * nn_dtype_size(dtype);
    char got_words[80], words[80];
    void *got;
    if (dtype != NN_F32 && dtype != NN_I32 && nn_dtype_size(dtype) != 1) {
        snprintf(text, size, "the result is %s", nn_dtype_name(dtype));
        return;
    }
    if (!nn_same_shape(nn_node_shape(node), shape_of(y))) {
        words_of(nn_node_shape(node), got_words, sizeof got_words);
        words_of(shape_of(y), words, sizeof words);
        snprintf(text, size, "shape (%s) instead of (%s)", got_words, words);
        return;
    }
    got = malloc(bytes ? bytes : 1);
    if (nn_download(plan, node, got, bytes) == NN_OK) compare(one, y, got, dtype, text, size);
    free(got);
}

static void run_plan(nn_model *net, const onnx_case *one, nn_node **in, nn_node **out, char *text,
                     size_t size) {
    const onnx_array *row = onnx_arrays + one->first;
    nn_plan_desc desc = {0};
    nn_plan *plan;
    for (int i = 0; i < one->outputs; i++) NODE_AT(desc.outputs, i) = out[i];
    plan = nn_make_plan(net, &desc);
    if (!plan) return;
    for (int i = 0; i < one->inputs; i++, row++)
        nn_upload(plan, in[i], numbers + row->at, bytes_of(row));
    for (int i = 0; i < one->parameters; i++, row++)
        nn_upload_tensor(nn_find_tensor(net, row->name), numbers + row->at, bytes_of(row));
    if (nn_run(plan) != NN_OK) return;
    for (int i = 0; i < one->outputs && !text[0]; i++, row++)
        compare_output(plan, out[i], one, row, text, size);
}

/* ---- optimizers: one step from a state that is given as a foreign checkpoint ----------------- */

static char state_file[60]; /* each process has its own */

/* Writes parameters and moments under the names that nn_load_checkpoint knows from Python. */
static void write_state(nn_context *nn, const onnx_case *one) {
    const onnx_array *row = onnx_arrays + one->first + one->inputs;
    const char *metadata[] = {"step", one->step};
    nn_tensor *tensors[MOST];
    char name[100];
    for (int i = 0; i < one->parameters; i++) {
        snprintf(name, sizeof name, "%s%s", strchr(row[i].name, '.') ? "optimizer.state." : "",
                 row[i].name);
        tensors[i] = nn_wrap(nn, name, NN_F32, shape_of(&row[i]), numbers + row[i].at);
    }
    nn_save_safetensors(nn, state_file, tensors, one->parameters, metadata, 2);
}

static void compare_state(nn_context *nn, const onnx_case *one, char *text, size_t size) {
    const onnx_array *row = onnx_arrays + one->first + one->inputs + one->parameters;
    nn_safetensors *file = nn_open_safetensors(nn, state_file);
    char name[100];
    float got[100];
    for (int i = 0; file && i < one->outputs && !text[0]; i++, row++) {
        snprintf(name, sizeof name, "%s%s", strchr(row->name, '.') ? "optimizer.state." : "",
                 row->name);
        if (nn_read_safetensors(file, nn_safetensors_find(file, name), NN_F32, got,
                                (size_t)row->count * sizeof *got) == NN_OK)
            compare(one, row, got, NN_F32, text, size);
    }
    nn_close_safetensors(file);
}

static void run_step(nn_context *nn, nn_model *net, const onnx_case *one, char *text, size_t size) {
    const onnx_array *row = onnx_arrays + one->first;
    nn_node *loss = NULL;
    nn_trainer *trainer;
    for (int i = 0; i < one->inputs; i++) {
        nn_node *sum = nn_sum(net, nn_parameter(net, row[i].name, shape_of(&row[i]), 0, 0));
        loss = loss ? nn_add(net, loss, sum) : sum;
    }
    trainer = nn_make_trainer(net, loss, one->trainer);
    write_state(nn, one);
    if (!trainer || nn_load_checkpoint(trainer, state_file, NULL) != NN_OK) return;
    for (int i = 0; i < one->inputs; i++)
        nn_write_gradient(trainer, row[i].name, numbers + row[i].at, bytes_of(&row[i]));
    nn_update(trainer);
    nn_save_checkpoint(trainer, state_file, NULL);
    compare_state(nn, one, text, size);
}

static void run_case(nn_context *nn, nn_device device, const char *how, const onnx_case *one) {
    const onnx_array *row = onnx_arrays + one->first;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device});
    nn_node *in[MOST] = {0}, *out[OUTPUTS] = {0};
    char text[300] = "", name[20];
    for (int i = 0; i < one->inputs && one->build; i++) {
        snprintf(name, sizeof name, "in%d", i);
        in[i] = nn_input(net, name, row[i].dtype, shape_of(&row[i]));
    }
    if (one->build) {
        one->build(net, in, out);
        run_plan(net, one, in, out, text, sizeof text);
    } else {
        run_step(nn, net, one, text, sizeof text);
    }
    printf("%s %s ", one->name, how);
    for (const char *at = nn_error(nn) ? nn_error(nn) : text[0] ? text : "passed"; *at; at++)
        putchar(*at == '\n' ? ';' : *at);
    putchar('\n');
    nn_clear_error(nn);
    nn_free_model(net);
}

/* Returns the context in which `how` runs, and its device; NULL: there is none here. */
static nn_context *open_device(const char *how, nn_device *device) {
    bool plain = strcmp(how, "cpu") != 0 && strcmp(how, "opencl") != 0;
    nn_context *nn = nn_open(&(nn_desc){
        .instructions = plain ? NN_INSTRUCTIONS_PLAIN : NN_INSTRUCTIONS_DEFAULT, .threads = 1});
    *device = nn_cpu();
    if (strcmp(how, "opencl") != 0) return nn;
#ifdef NN_TEST_OPENCL
    nn_opencl_open(nn, NULL);
#endif
    nn_clear_error(nn);
    *device = nn_opencl(0);
    if (nn_is_open(nn, *device)) return nn;
    nn_close(nn);
    return NULL;
}

int main(int argc, char **argv) {
    FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
    const char *how = argc > 2 ? argv[2] : "";
    nn_context *nn;
    nn_device device;
    long size;
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    numbers = (char *)malloc((size_t)size + 1);
    if (!numbers || fread(numbers, 1, (size_t)size, file) != (size_t)size) return 2;
    fclose(file);
    spoiled = strcmp(how, "spoiled") == 0 ? 0.05 : 0.0;
    snprintf(state_file, sizeof state_file, "build/onnx/state-%s.safetensors", how);
    nn = open_device(how, &device);
    if (!nn) return 3;
    for (size_t i = 0; i < sizeof onnx_cases / sizeof onnx_cases[0]; i++)
        run_case(nn, device, how, &onnx_cases[i]);
    nn_close(nn);
    remove(state_file);
    free(numbers);
    return 0;
}
