/* kernels/pointwise/cpu_small.c - the interpreter of pointwise programs in builds without vectors:
   element by element, instruction by instruction, in little code. It uses the words of the
   instruction table, so its bytes are those of the interpreter in cpu.c. */
#include "kernels/pointwise/cpu.h"

#ifdef NN_NO_SIMD

/* Only gradients and joined programs have several outputs. Only training uses items and
   accumulates. */
#if defined(NN_NO_TRAINING) && defined(NN_NO_SPEEDUPS)
#define nn__program_output_count(args) 1
#else
#define nn__program_output_count(args) (args)->program.output_count
#endif
#ifdef NN_NO_TRAINING
#define nn__program_items(args)         0
#define nn__program_outputs(args, item) ((void)(item), (args)->outputs)
#define nn__program_inputs(args, item)  ((void)(item), (args)->inputs)
#else
#define nn__program_items(args) (args)->item_count
static const nn_view *nn__program_outputs(const nn_program_args *args, int item) {
    return args->item_count ? args->items[item].outputs : args->outputs;
}
static const nn_view *nn__program_inputs(const nn_program_args *args, int item) {
    return args->item_count ? args->items[item].inputs : args->inputs;
}
#endif

/* Reads an element, with broadcasting and any dtype. */
static float nn__program_get(const nn__cpu *cpu, const nn_view *x, const nn_shape *shape,
                             ptrdiff_t at) {
    ptrdiff_t offset = 0, stride = 1;
    float value;
    for (int i = shape->rank - 1, k = x->shape.rank - 1; k >= 0; i--, k--) {
        if (x->shape.extent[k] != 1) offset += at % shape->extent[i] * stride;
        at /= shape->extent[i];
        stride *= x->shape.extent[k];
    }
    if (x->dtype == NN_F32) return nn__f32(x)[offset];
    const char *from = (const char *)x->handle + x->offset;
    cpu->programs.widen(x->dtype, from + (size_t)offset * nn_dtype_size(x->dtype), &value, 1);
    return value;
}

/* Stores an element of any dtype, or adds to it. */
static void nn__program_put(const nn__cpu *cpu, const nn_view *y, ptrdiff_t at, bool add,
                            float value) {
    char *to = (char *)y->handle + y->offset + (size_t)at * nn_dtype_size(y->dtype);
    float before;
    if (y->dtype == NN_F32) {
        nn__f32(y)[at] = add ? nn__f32(y)[at] + value : value;
        return;
    }
    if (add) {
        cpu->programs.widen(y->dtype, to, &before, 1);
        value = before + value;
    }
    cpu->programs.narrow(y->dtype, &value, to, 1);
}

/* Loads the value of an instruction without operands, including random numbers. */
static float nn__program_load(const nn__cpu *cpu, const nn_program_args *args, int item,
                              const nn_instruction *code, ptrdiff_t at) {
    const nn_view *inputs = nn__program_inputs(args, item);
    float y;
    if (code->code == NN_CODE_INPUT)
        return nn__program_get(cpu, &inputs[code->a], &nn__program_outputs(args, item)->shape, at);
    cpu->programs.draw(args, nn__program_stream(args, item, code->a), &y, at, 1);
    return y;
}

/* Computes element `at` of an item. */
static void nn__program_element(const nn__cpu *cpu, const nn_program_args *args, int item,
                                float *values, ptrdiff_t at) {
    const nn_view *inputs = nn__program_inputs(args, item);
    const nn_view *outputs = nn__program_outputs(args, item);
    for (int i = 0; i < args->program.count; i++) {
        const nn_instruction *code = &args->program.code[i];
        float *y = &values[i];
        if (code->code > NN_CODE_RANDOM)
            *y = cpu->programs.rows[code->code](values[code->a], values[code->b], values[code->c]);
        else if (code->code == NN_CODE_CONSTANT)
            *y = code->value;
        else if (code->code == NN_CODE_SCALAR)
            *y = args->scalars[code->a];
        else if (cpu->programs.load)
            *y = cpu->programs.load(cpu, args, item, code, at);
        else
            *y = nn__f32(&inputs[code->a])[at];
    }
    for (int k = 0; k < nn__program_output_count(args); k++) {
        const float value = values[args->program.output[k]];
        if (cpu->programs.put)
            cpu->programs.put(cpu, &outputs[k], at, args->accumulate >> k & 1u, value);
        else
            nn__f32(&outputs[k])[at] = value;
    }
}

/* Elements per unit. Without threads, a program is one unit. */
#ifdef NN_NO_THREADS
#define NN__PROGRAM_UNIT 0
#else
#define NN__PROGRAM_UNIT 4096
#endif
static int nn__program_units_of(const nn_program_args *args, int item) {
    const int64_t count = nn__count(nn__program_outputs(args, item));
#ifdef NN_NO_THREADS
    return count > 0;
#else
    return (int)((count + NN__PROGRAM_UNIT - 1) / NN__PROGRAM_UNIT);
#endif
}

static int nn__program_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    int units = 0, item = 0;
    (void)cpu;
    if (phase > 0) return 0;
    do units += nn__program_units_of(args, item);
    while (++item < nn__program_items(args));
    return nn__maxi(units, 1);
}

static void nn__program_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                             void *shared, void *own) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    int item = 0, units;
    (void)phase, (void)shared;
#ifndef NN_NO_TRAINING
    if (nn__present(&args->status) && args->status.handle && *nn__status(&args->status) != 0)
        return;
#endif
    for (; item < nn__program_items(args) - 1; item++, unit -= units)
        if (unit < (units = nn__program_units_of(args, item))) break;
    ptrdiff_t at = (ptrdiff_t)unit * NN__PROGRAM_UNIT;
    ptrdiff_t end = (ptrdiff_t)nn__count(nn__program_outputs(args, item));
    if (NN__PROGRAM_UNIT && end > at + NN__PROGRAM_UNIT) end = at + NN__PROGRAM_UNIT;
    for (; at < end; at++) nn__program_element(cpu, args, item, (float *)own, at);
}
#undef NN__PROGRAM_UNIT

static size_t nn__program_own_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    (void)cpu;
    return args->program.count * sizeof(float);
}

static const nn__cpu_kernel nn__program_kernel = {nn__program_units, nn__program_unit, NULL,
                                                  nn__program_own_bytes, nn__program_refuses};

NN_PRIVATE void nn__install_program(nn_context *nn) {
    NN__CPU_INSTALL(nn, POINTWISE, pointwise, &nn__program_kernel);
#ifndef NN_NO_TRAINING
    nn__install_program_general(nn);
#endif
}

NN_PRIVATE void nn__install_program_general(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (!cpu) return;
    cpu->programs.load = nn__program_load;
    cpu->programs.put = nn__program_put;
}

#endif
