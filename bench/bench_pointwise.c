/* bench_pointwise.c: compares pointwise programs with a copy of their inputs and outputs, and times
   single functions. Times are the best of some runs; ratios are of two things measured
   alternately.

   ./bench_pointwise [threads]    default: all cores */
#define NN_IMPLEMENTATION
#include "../nn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT (64 * 1000 * 100)
#define RUNS 9

static nn_context *nn;
static float *x, *y, *z, *copies;
static char *scratch;
static const nn_backend *cpu;
static void *state;

static double now(void) {
    return (double)nn_context_desc(nn)->clock.now(nn_context_desc(nn)->clock.user);
}

static nn_view view_of(float *data, int32_t a, int32_t b, int32_t c) {
    nn_view view;
    memset(&view, 0, sizeof view);
    view.handle = data;
    view.dtype = NN_F32;
    view.shape = nn_make_shape(NULL, 0);
    view.shape.rank = 3;
    view.shape.extent[0] = a, view.shape.extent[1] = b, view.shape.extent[2] = c;
    return view;
}

static nn_instruction instruction(nn_instruction_code code, int a, int b, int c, float value) {
    nn_instruction i;
    i.code = (uint8_t)code;
    i.a = (uint8_t)a, i.b = (uint8_t)b, i.c = (uint8_t)c;
    i.value = value;
    return i;
}

static nn_range all(void) {
    nn_range range;
    range.first = 0, range.count = -1;
    return range;
}

static void prepare(nn_program_args *args) {
    args->scratch.handle = scratch;
    args->scratch.dtype = NN_U8;
    args->scratch.shape.rank = 1;
    args->scratch.shape.extent[0] = 1 << 24;
    if (cpu->scratch_bytes(state, NN_KERNEL_POINTWISE, args) > 1 << 24) exit(1);
}

static double run_program(const nn_program_args *args) {
    double start = now();
    if (cpu->kernels[NN_KERNEL_POINTWISE](state, NN_KERNEL_POINTWISE, args, all()) != NN_OK)
        exit(1);
    return now() - start;
}

static nn_instruction_code chain[12] = {NN_CODE_MULTIPLY, NN_CODE_ADD,  NN_CODE_MAXIMUM,
                                        NN_CODE_SUBTRACT, NN_CODE_ABS,  NN_CODE_MULTIPLY,
                                        NN_CODE_MINIMUM,  NN_CODE_ADD,  NN_CODE_NEGATE,
                                        NN_CODE_MULTIPLY, NN_CODE_LESS, NN_CODE_SELECT};

/* Prints the best time of the program and of memcpy of its inputs and outputs on this thread, in
   ms. */
static void against_copy(const char *name, nn_program_args *args) {
    double best[2] = {1e30, 1e30};
    int i, k;
    prepare(args);
    for (i = 0; i < RUNS; i++) {
        double t = run_program(args);
        if (t < best[0]) best[0] = t;
        t = now();
        for (k = 0; k < args->program.input_count; k++)
            memcpy(copies + (size_t)k * COUNT, args->inputs[k].handle,
                   (size_t)nn_shape_count(args->inputs[k].shape) * sizeof(float));
        for (k = 0; k < args->program.output_count; k++)
            memcpy(copies + (size_t)(3 + k) * COUNT, args->outputs[k].handle,
                   COUNT * sizeof(float));
        t = now() - t;
        if (t < best[1]) best[1] = t;
    }
    printf("%-46s %7.2f ms, copy of inputs and outputs %7.2f ms, ratio %.2f\n", name,
           best[0] / 1e6, best[1] / 1e6, best[0] / best[1]);
}

/* Measures twelve operations over two inputs and one output, and their gradients by both inputs. */
static void twelve(bool broadcast) {
    nn_instruction code[20], back_code[NN_PROGRAM_LENGTH];
    nn_program_args args, back;
    nn__draft draft;
    uint8_t from[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS];
    int i, n = 0;
    memset(&args, 0, sizeof args);
    code[n++] = instruction(NN_CODE_INPUT, 0, 0, 0, 0);
    code[n++] = instruction(NN_CODE_INPUT, 1, 0, 0, 0);
    code[n++] = instruction(NN_CODE_CONSTANT, 0, 0, 0, 0.75f);
    for (i = 0; i < 12; i++, n++)
        code[n] = instruction(chain[i], n - 1, i == 11 ? 0 : i % 3, i == 11 ? 4 : 0, 0);
    args.program.code = code;
    args.program.count = (uint8_t)n;
    args.program.input_count = 2, args.program.output_count = 1;
    args.program.output[0] = (uint8_t)(n - 1);
    args.inputs[0] = view_of(x, 64, 1000, 100);
    args.inputs[1] = broadcast ? view_of(y, 1, 1, 100) : view_of(y, 64, 1000, 100);
    args.outputs[0] = view_of(z, 64, 1000, 100);
    against_copy(broadcast ? "12 operations, (64, 1000, 100) and (100)"
                           : "12 operations, (64, 1000, 100)", &args);
    memset(&back, 0, sizeof back);
    if (!nn__program_derive(&args.program, 3, false, &draft) ||
        !nn__draft_finish(&draft, back_code, &back.program, from, scalars))
        exit(1);
    for (i = 0; i < back.program.input_count; i++)
        back.inputs[i] =
            from[i] < 2 ? args.inputs[from[i]] : view_of(z + 2 * COUNT, 64, 1000, 100);
    for (i = 0; i < 2; i++) back.outputs[i] = view_of(z + (size_t)i * COUNT, 64, 1000, 100);
    against_copy(broadcast ? "their gradients, (100)" : "their gradients", &back);
}

/* Returns the nanoseconds of one call, measured over `calls` calls in a row. */
static double run_single(nn_kernel kernel, const void *args, int calls) {
    double start = now();
    int i;
    for (i = 0; i < calls; i++)
        if (cpu->kernels[kernel](state, kernel, args, all()) != NN_OK) exit(1);
    return (now() - start) / calls;
}

/* Measures a program over (rows, 10, 10). */
static void single_rows(const char *name, const nn_instruction *code, int count, int inputs,
                        int32_t rows) {
    nn_program_args args;
    double best = 1e30;
    int i, calls = rows == 1 ? 5000 : 1;
    memset(&args, 0, sizeof args);
    args.program.code = code;
    args.program.count = (uint8_t)count;
    args.program.input_count = (uint8_t)inputs, args.program.output_count = 1;
    args.program.output[0] = (uint8_t)(count - 1);
    args.inputs[0] = view_of(x, rows, 10, 10);
    args.inputs[1] = view_of(y, rows, 10, 10);
    args.outputs[0] = view_of(z, rows, 10, 10);
    args.seed = 7;
    prepare(&args);
    for (i = 0; i < RUNS; i++) {
        double t = run_single(NN_KERNEL_POINTWISE, &args, calls);
        if (t < best) best = t;
    }
    printf("%-10s %8ld numbers: %9.2f us\n", name, (long)rows * 100, best / 1e3);
}

static void single(const char *name, const nn_instruction *code, int count, int inputs) {
    single_rows(name, code, count, inputs, 1);
    single_rows(name, code, count, inputs, COUNT / 100);
}

int main(int argc, char **argv) {
    nn_desc desc;
    nn_instruction code[10];
    int i;
    memset(&desc, 0, sizeof desc);
    if (argc > 1) desc.threads = atoi(argv[1]);
    nn = nn_open(&desc);
    nn_use_all_kernels(nn);
    cpu = nn_device_backend(nn, nn_cpu(), &state);
    x = (float *)malloc(COUNT * sizeof(float));
    y = (float *)malloc(COUNT * sizeof(float));
    z = (float *)malloc(3 * COUNT * sizeof(float));
    copies = (float *)malloc(5 * COUNT * sizeof(float));
    memset(copies, 0, 5 * COUNT * sizeof(float));
    scratch = (char *)malloc((1 << 24) + 64);
    scratch += 64 - (uintptr_t)scratch % 64;
    for (i = 0; i < COUNT; i++)
        x[i] = (float)(i % 1000) * 0.006f - 3, y[i] = (float)(i % 777) * 0.005f - 2,
        z[i] = z[COUNT + i] = 0, z[2 * COUNT + i] = 1;
    printf("%s, %d threads\n", nn_instruction_set_name(nn), nn_thread_count(nn));
    twelve(false);
    twelve(true);
    code[0] = instruction(NN_CODE_INPUT, 0, 0, 0, 0);
    code[1] = instruction(NN_CODE_CONSTANT, 0, 0, 0, 0.0f);
    code[2] = instruction(NN_CODE_LESS_EQUAL, 0, 1, 0, 0);
    code[3] = instruction(NN_CODE_SELECT, 2, 1, 0, 0);
    single("relu", code, 4, 1);
    code[1] = instruction(NN_CODE_INPUT, 1, 0, 0, 0);
    code[2] = instruction(NN_CODE_ADD, 0, 1, 0, 0);
    single("add", code, 3, 2);
    code[1] = instruction(NN_CODE_SIGMOID, 0, 0, 0, 0);
    single("sigmoid", code, 2, 1);
    code[1] = instruction(NN_CODE_TANH, 0, 0, 0, 0);
    single("tanh", code, 2, 1);
    code[1] = instruction(NN_CODE_CONSTANT, 0, 0, 0, 0.70710678f);
    code[2] = instruction(NN_CODE_MULTIPLY, 0, 1, 0, 0);
    code[3] = instruction(NN_CODE_ERF, 2, 0, 0, 0);
    code[4] = instruction(NN_CODE_CONSTANT, 0, 0, 0, 0.5f);
    code[5] = instruction(NN_CODE_FMA, 3, 4, 4, 0);
    code[6] = instruction(NN_CODE_MULTIPLY, 0, 5, 0, 0);
    single("gelu", code, 7, 1);
    code[1] = instruction(NN_CODE_RANDOM, 0, 0, 0, 0);
    code[2] = instruction(NN_CODE_CONSTANT, 0, 0, 0, 0.5f);
    code[3] = instruction(NN_CODE_CONSTANT, 0, 0, 0, 2.0f);
    code[4] = instruction(NN_CODE_CONSTANT, 0, 0, 0, 0.0f);
    code[5] = instruction(NN_CODE_GREATER_EQUAL, 1, 2, 0, 0);
    code[6] = instruction(NN_CODE_SELECT, 5, 0, 4, 0);
    code[7] = instruction(NN_CODE_MULTIPLY, 6, 3, 0, 0);
    single("dropout", code, 8, 1);
    nn_close(nn);
    return 0;
}
