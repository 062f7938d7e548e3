/* kernels/pointwise/cpu.c - the interpreter of pointwise programs, which works block by block.
   cpu_place.c decides where values are stored; vector.h computes the instructions. Builds without
   vectors use the smaller interpreter of cpu_small.c instead. Compiled for size. */
#include "kernels/pointwise/cpu.h"

#ifndef NN_NO_SIMD

/* ---- one block ------------------------------------------------------------------------------- */

/* Fills n numbers with the first one: the first 16 one by one, then by doubling, which copies whole
   vectors. */
static void nn__program_repeat(float *to, int n) {
    const float value = to[0];
    int done = 1;
    for (; done < n && done < 16; done++) to[done] = value;
    while (done < n) {
        const int more = nn__mini(done, n - done);
        memcpy(to + done, to, (size_t)more * sizeof(float));
        done += more;
    }
}

/* Reads elements `at` to at + n - 1, in the output's order, from an input that is broadcast or not
   f32. */
static void nn__program_gather(const nn__program_run *run, int input, float *to, int64_t at,
                               int n) {
    const nn_view *view = &run->inputs[input];
    const nn__program_walk *walk = &run->walk[input];
    int64_t where[NN_MAX_RANK], rest = at, offset = 0;
    int last = walk->rank - 1;
    size_t size = nn_dtype_size(view->dtype);
    const char *storage = (const char *)nn__program_storage(view);
    for (int i = last; i >= 0; i--) {
        where[i] = rest % walk->extent[i];
        rest /= walk->extent[i];
        offset += where[i] * walk->step[i];
    }
    while (n > 0) {
        int count = (int)nn__min64(walk->extent[last] - where[last], n);
        const char *from = storage + (size_t)offset * size;
        int read = walk->step[last] ? count : 1;
        if (view->dtype == NN_F32)
            memcpy(to, from, (size_t)read * sizeof(float));
        else
            run->cpu->programs.widen(view->dtype, from, to, read);
        if (read < count) nn__program_repeat(to, count);
        to += count, n -= count;
        offset += (int64_t)count * walk->step[last];
        where[last] += count;
        for (int i = last; i > 0 && where[i] == walk->extent[i]; i--) { /* carry */
            offset += walk->step[i - 1] - walk->extent[i] * walk->step[i];
            where[i] = 0;
            where[i - 1]++;
        }
    }
}
/* Stores output k of a block from a value that was computed elsewhere. */
static void nn__program_store(const nn__program_run *run, int k, int64_t at, int n) {
    const nn__programs *programs = &run->cpu->programs;
    int i = run->args->program.output[k], mask = run->kind[i] == NN__VALUE_LANES ? 0 : -1;
    const nn_view *output = &run->outputs[k];
    const float *from = run->place[i] + (run->kind[i] == NN__VALUE_DIRECT ? at - run->at : 0);
    bool add = run->args->accumulate >> k & 1, number = output->dtype == NN_F32;
    size_t size = nn_dtype_size(output->dtype);
    char *to = (char *)output->handle + output->offset + (size_t)at * size;
    if (number && add) {
        nn__row row;
        row.y = (float *)(void *)to, row.a = row.y, row.b = from, row.c = row.d = NULL;
        row.a_mask = -1, row.b_mask = mask, row.c_mask = row.d_mask = 0;
        row.n = n, row.streams = false;
        programs->rows[NN_CODE_ADD](&row);
        return;
    }
    if (number && mask) {
        if ((const void *)from != (const void *)to) memcpy(to, from, (size_t)n * sizeof(float));
        return;
    }
    if (number) { /* one number for the whole tensor */
        *(float *)(void *)to = *from;
        nn__program_repeat((float *)(void *)to, n);
        return;
    }
    for (int done = 0; done < n; done += NN__PROGRAM_LANES) {
        float values[NN__PROGRAM_LANES], before[NN__PROGRAM_LANES];
        int count = nn__mini(n - done, NN__PROGRAM_LANES);
        memcpy(values, from + (done & mask), (size_t)count * sizeof(float));
        if (add) {
            programs->widen(output->dtype, to, before, count);
            for (int j = 0; j < count; j++) values[j] = before[j] + values[j];
        }
        programs->narrow(output->dtype, values, to, count);
        to += (size_t)count * size;
    }
}

/* Absent operands are NULL, and C does not allow adding even 0 to NULL. */
static void nn__program_step_on(nn__row *row, int moves, int n) {
    if (moves & 1) row->y += n;
    if (moves & 2) row->a += n;
    if (moves & 4) row->b += n;
    if (moves & 8) row->c += n;
    if (moves & 16) row->d += n;
}

/* Computes elements run->at to end - 1. */
static void nn__program_blocks(nn__program_run *run, int64_t end) {
    const int outputs = run->args->program.output_count;
    const nn__program_step *first = run->steps;
    int block = NN__PROGRAM_BLOCK, n;
    /* a single row from inputs to the output needs no cache, so no blocks */
    if (run->step_count == 1 && first->function && outputs == 1 && run->written[0])
        block = (int)(end - run->at);
    for (int64_t at = run->at; at < end; at += n) {
        n = (int)nn__min64(block, end - at);
        for (int i = 0; i < run->step_count; i++) {
            nn__program_step *step = &run->steps[i];
            if (step->function) {
                step->row.n = n;
                step->function(&step->row);
            } else if (step->input >= 0) {
                nn__program_gather(run, step->input, step->row.y, at, n);
            } else if (step->input == NN__STEP_MASK) {
                step->row.n = n;
                const uint64_t stream = nn__program_stream(run->args, run->item, step->draw);
                run->cpu->programs.mask(run->args, stream, &step->row, at);
            } else {
                const uint64_t stream = nn__program_stream(run->args, run->item, step->draw);
                run->cpu->programs.draw(run->args, stream, step->row.y, at, n);
            }
            if (at + n < end) nn__program_step_on(&step->row, step->moves, n);
        }
        for (int k = 0; k < outputs; k++)
            if (!run->written[k]) nn__program_store(run, k, at, n);
    }
    nn__all_streamed();
}

/* ---- units ----------------------------------------------------------------------------------- */

static const nn_view *nn__program_outputs(const nn_program_args *args, int item) {
    return args->item_count ? args->items[item].outputs : args->outputs;
}

/* Elements per unit, in whole blocks. Expensive programs have smaller units. If the workers have
   many units anyway, units are larger, because each unit first decides where its values are stored,
   and memory is read fastest in long sequential runs. */
#define NN__PROGRAM_UNIT 4096       /* at least */
#define NN__PROGRAM_MOST_UNIT 65536
#define NN__PROGRAM_MANY_UNITS 8 /* per worker */
static int nn__program_unit_size(const nn__cpu *cpu, const nn_program *program, int64_t count) {
    static const uint8_t weights[] = {
#define NN__X(upper, lower, text, operands, weight, value) weight,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    int weight = 1, size;
    for (int i = 0; i < program->count; i++)
        if (program->code[i].code > NN_CODE_CONSTANT) weight += weights[program->code[i].code];
    size = nn__mini(nn__maxi(131072 / weight / 512 * 512, NN__PROGRAM_UNIT), 32768);
    while (size < NN__PROGRAM_MOST_UNIT &&
           count > (int64_t)size * NN__PROGRAM_MANY_UNITS * cpu->workers)
        size *= 2;
    return nn__mini(size, NN__PROGRAM_MOST_UNIT);
}

static int nn__program_units_of(const nn__cpu *cpu, const nn_program_args *args, int item) {
    int64_t count = nn__count(nn__program_outputs(args, item));
    if (count <= NN__PROGRAM_UNIT) return count > 0; /* avoids a division */
    int64_t size = nn__program_unit_size(cpu, &args->program, count);
    return (int)((count + size - 1) / size);
}

static int nn__program_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    int units = 0;
    if (phase > 0) return 0;
    for (int item = 0; item < nn__maxi(args->item_count, 1); item++)
        units += nn__program_units_of(cpu, args, item);
    return nn__maxi(units, 1);
}

static int nn__program_count_leaves(const nn_program *program) {
    int leaves = 0;
    for (int i = 0; i < program->count; i++) leaves += program->code[i].code <= NN_CODE_CONSTANT;
    return leaves;
}

static size_t nn__program_step_bytes(const nn_program *program) {
    return nn__align_up((size_t)program->count * sizeof(nn__program_step), NN__ALIGNMENT);
}

/* Returns the bytes of a worker's scratch: the run, the steps, numbers in lanes, buffers. */
static size_t nn__program_own_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    size_t leaves = (size_t)nn__program_count_leaves(&args->program);
    size_t buffers = (size_t)nn__program_most_buffers(cpu, args);
    return NN__PROGRAM_BOOKS + nn__program_step_bytes(&args->program) +
           (leaves * NN__PROGRAM_LANES + buffers * NN__PROGRAM_BLOCK) * sizeof(float);
}

static void nn__program_lay_out(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    char *own = (char *)(void *)run + NN__PROGRAM_BOOKS;
    run->steps = (nn__program_step *)(void *)own;
    run->lanes = (float *)(void *)(own + nn__program_step_bytes(program));
    run->memory = run->lanes + nn__program_count_leaves(program) * NN__PROGRAM_LANES;
}

/* Runs programs that are a single row from the inputs' storage to the output's: relu, an addition,
   most gradients. They need no run and no steps. Returns false if the program is not of this kind;
   then nothing was done. */
#define NN__PROGRAM_SHORT 6 /* instructions */
static bool nn__program_one_row(const nn__cpu *cpu, const nn_program_args *args,
                                const nn_view *inputs, const nn_view *output, int64_t count,
                                int64_t first, int64_t end) {
    const nn_program *program = &args->program;
    const int last = program->count - 1;
    const nn_instruction *code = program->code, *by = &code[last];
    const float *from[NN__PROGRAM_SHORT];
    int mask[NN__PROGRAM_SHORT], choice = -1;
    float lanes[NN__PROGRAM_SHORT][NN__PROGRAM_LANES];
    nn__row row;
    if (last < 1 || last >= NN__PROGRAM_SHORT || program->output_count != 1 ||
        program->output[0] != last || args->accumulate || output->dtype != NN_F32 ||
        nn__program_operands(by->code) == 0)
        return false;
    if (by->code == NN_CODE_SELECT && code[by->a].code >= NN_CODE_LESS &&
        code[by->a].code <= NN_CODE_NOT_EQUAL && by->b != by->a && by->c != by->a)
        choice = by->a;
    for (int i = 0; i < last; i++) {
        const nn_view *input = &inputs[code[i].a];
        float value = code[i].value;
        if (i == choice) continue;
        if (code[i].code > NN_CODE_CONSTANT) return false;
        if (code[i].code == NN_CODE_INPUT) {
            int64_t numbers = nn__count(input);
            if (input->dtype != NN_F32 || (numbers != count && numbers != 1)) return false;
            from[i] = nn__f32(input) + first;
            mask[i] = -1;
            if (numbers == count) continue;
            value = *nn__f32(input);
        } else if (code[i].code == NN_CODE_SCALAR) {
            value = args->scalars[code[i].a];
        }
        for (int k = 0; k < NN__PROGRAM_LANES; k++) lanes[i][k] = value;
        from[i] = lanes[i];
        mask[i] = 0;
    }
    const nn_instruction *pair = choice < 0 ? by : &code[choice];
    row.y = nn__f32(output) + first;
    row.a = from[pair->a], row.a_mask = mask[pair->a];
    row.b = from[pair->b], row.b_mask = mask[pair->b];
    row.c = from[choice < 0 ? by->c : by->b], row.c_mask = mask[choice < 0 ? by->c : by->b];
    row.d = from[choice < 0 ? 0 : by->c], row.d_mask = mask[choice < 0 ? 0 : by->c];
    row.n = (int)(end - first);
    row.streams = nn__program_streams(cpu, args, inputs, output, count, first);
    if (choice < 0)
        cpu->programs.rows[by->code](&row);
    else
        cpu->programs.selects[nn__program_choice(code, last)](&row);
    if (row.streams) nn__all_streamed();
    return true;
}

static void nn__program_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                             void *shared, void *own) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    nn__program_run *run = (nn__program_run *)own;
    int item = 0;
    (void)phase, (void)shared;
    if (nn__present(&args->status) && args->status.handle && *nn__status(&args->status) != 0)
        return;
    for (; item < args->item_count; item++) {
        int units = nn__program_units_of(cpu, args, item);
        if (unit < units) break;
        unit -= units;
    }
    if (item > 0 && item == args->item_count) return; /* all items are empty */
    const nn_view *outputs = nn__program_outputs(args, item);
    int64_t count = nn__count(outputs), first = 0, end = count;
    if (count > NN__PROGRAM_UNIT) {
        int size = nn__program_unit_size(cpu, &args->program, count);
        first = (int64_t)unit * size;
        end = nn__min64(first + size, count);
    }
    if (count == 0) return;
    const nn_view *inputs = args->item_count ? args->items[item].inputs : args->inputs;
    if (args->recipe && cpu->programs.recipe &&
        cpu->programs.recipe(cpu, args, inputs, outputs, first, end))
        return;
    if (nn__program_one_row(cpu, args, inputs, outputs, count, first, end)) return;
    run->cpu = cpu;
    run->args = args;
    run->item = item;
    run->inputs = inputs;
    run->outputs = outputs;
    run->at = first;
    run->count = count;
    nn__program_lay_out(run);
    nn__program_place(run);
    nn__program_blocks(run, end);
}

static const nn__cpu_kernel nn__program_kernel = {nn__program_units, nn__program_unit, NULL,
                                                  nn__program_own_bytes, nn__program_refuses};

NN_PRIVATE void nn__install_program(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    NN__CPU_INSTALL(nn, POINTWISE, pointwise, &nn__program_kernel);
    /* for outputs with `accumulate` */
    if (cpu && !cpu->programs.rows[NN_CODE_ADD]) nn__install_code_add(nn);
}

#endif
