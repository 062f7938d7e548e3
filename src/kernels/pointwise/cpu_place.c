/* kernels/pointwise/cpu_place.c - decides where each value of a pointwise program is stored while
   the CPU runs it, and lists the rows that compute the values. It runs once per unit.
   Compiled for size. */
#include "kernels/pointwise/cpu.h"

#ifndef NN_NO_SIMD

/* ---- operands -------------------------------------------------------------------------------- */

NN_PRIVATE const void *nn__program_storage(const nn_view *view) {
    return view->handle ? (const char *)view->handle + view->offset : NULL;
}

NN_PRIVATE bool nn__program_streams(const nn__cpu *cpu, const nn_program_args *args,
                                    const nn_view *inputs, const nn_view *output, int64_t count,
                                    int64_t at) {
    int64_t bytes = count * (int64_t)sizeof(float);
    /* too small even if all inputs and outputs were of this size */
    if (12 * bytes < cpu->stream_bytes) return false;
    bytes *= args->program.output_count;
    for (int i = 0; i < args->program.input_count; i++) {
        if (nn__program_storage(&inputs[i]) == nn__program_storage(output)) return false;
        bytes += nn__count(&inputs[i]) * (int64_t)nn_dtype_size(inputs[i].dtype);
    }
    return nn__streams_at(cpu, nn__f32(output) + at, bytes);
}

/* x <= c ? c : x is the larger of x and c for every x, including NaN and both zeros. */
NN_PRIVATE int nn__program_choice(const nn_instruction *code, int i) {
    const nn_instruction *select = &code[i], *by = &code[select->a], *c = &code[select->b];
    if (by->code == NN_CODE_LESS_EQUAL && by->a == select->c && by->b == select->b &&
        c->code == NN_CODE_CONSTANT && c->value == c->value)
        return NN__CHOICE_LARGER;
    return by->code - NN_CODE_LESS;
}

/* Returns the fused part whose result is instruction i, or NULL. */
static const nn__program_fusion *nn__program_fusion_at(const nn__program_run *run, int i) {
    for (int k = 0; k < run->fusion_count; k++)
        if (run->fusions[k].place == i) return &run->fusions[k];
    return NULL;
}

/* Lists the values that instruction i reads when it runs. Returns their number. */
static int nn__program_reads(const nn__program_run *run, int i, int *operand) {
    const nn_instruction *code = run->args->program.code, *at = &code[i];
    operand[0] = at->a, operand[1] = at->b, operand[2] = at->c;
    const nn__program_fusion *fusion = nn__program_fusion_at(run, i);
    if (fusion) {
        for (int k = 0; k < fusion->inputs; k++) operand[k] = fusion->input[k];
        return fusion->inputs;
    }
    if (at->code != NN_CODE_SELECT || run->kind[at->a] != NN__VALUE_CHOICE)
        return nn__program_operands(at->code);
    operand[0] = code[at->a].a, operand[1] = code[at->a].b;
    operand[2] = at->b, operand[3] = at->c;
    return 4;
}

/* Finds the comparisons that only one SELECT reads: that SELECT computes them. */
static void nn__program_find_choices(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    for (int i = 0; i < program->count; i++) {
        const int k = program->code[i].a;
        const nn_instruction *by = &program->code[k];
        if (run->kind[i] != NN__VALUE_UNUSED || nn__program_fusion_at(run, i)) continue;
        if (program->code[i].code != NN_CODE_SELECT || by->code < NN_CODE_LESS ||
            by->code > NN_CODE_NOT_EQUAL || run->readers[k] != 1 || run->last[k] != i)
            continue;
        run->kind[k] = NN__VALUE_CHOICE;
        if (run->last[by->a] < i) run->last[by->a] = (uint8_t)i;
        if (run->last[by->b] < i) run->last[by->b] = (uint8_t)i;
        if (by->code == NN_CODE_GREATER_EQUAL && program->code[by->a].code == NN_CODE_RANDOM &&
            run->readers[by->a] == 1 && run->last[by->a] == i && run->cpu->programs.mask)
            run->kind[by->a] = NN__VALUE_DRAWN;
    }
}

static void nn__program_is_read(nn__program_run *run, int k, int by) {
    run->last[k] = (uint8_t)by;
    run->readers[k] = (uint8_t)(run->readers[k] + (run->readers[k] < 2)); /* 2: two or more */
}

NN_PRIVATE void nn__program_find_last(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    bool selects = false;
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *at = &program->code[i];
        const int operands = nn__program_operands(at->code);
        run->kind[i] = NN__VALUE_UNUSED;
        run->last[i] = (uint8_t)i;
        run->readers[i] = 0;
        if (operands == 0) continue;
        nn__program_is_read(run, at->a, i);
        if (operands > 1) nn__program_is_read(run, at->b, i);
        if (operands < 3) continue;
        nn__program_is_read(run, at->c, i);
        selects = selects || at->code == NN_CODE_SELECT;
    }
    for (int k = 0; k < program->output_count; k++) run->last[program->output[k]] = program->count;
    run->fusion_count = 0;
#ifdef NN__PROGRAM_FUSES
    if (program->count > 2) nn__program_find_fused(run);
#endif
    if (selects) nn__program_find_choices(run);
}

/* ---- broadcasting: an input's strides along the output's axes, folded ------------------------ */

static void nn__program_fold(const nn_view *view, const nn_shape *y, nn__program_walk *walk) {
    int64_t steps[NN_MAX_RANK], step = 1;
    int missing = y->rank - view->shape.rank;
    for (int i = y->rank - 1; i >= 0; i--) {
        int32_t extent = i >= missing ? view->shape.extent[i - missing] : 1;
        steps[i] = extent == 1 ? 0 : step;
        step *= extent;
    }
    walk->rank = 0;
    for (int i = 0; i < y->rank; i++) {
        int64_t extent = y->extent[i];
        int last = walk->rank - 1;
        if (extent == 1) continue;
        if (last >= 0 && walk->step[last] == steps[i] * extent) {
            walk->extent[last] *= extent;
            walk->step[last] = steps[i];
            continue;
        }
        walk->extent[walk->rank] = extent;
        walk->step[walk->rank++] = steps[i];
    }
    if (walk->rank == 0) walk->rank = 1, walk->extent[0] = 1, walk->step[0] = 0;
}
/* ---- storage --------------------------------------------------------------------------------- */

/* True if instruction i can be read from its input's storage until the end of the block. False if
   it is an output's result and another output overwrites it. */
static bool nn__program_reads_direct(const nn__program_run *run, int i) {
    const nn_program *program = &run->args->program;
    const nn_view *input = &run->inputs[program->code[i].a];
    if (run->last[i] < program->count) return true;
    for (int k = 0; k < program->output_count; k++)
        if ((program->output[k] != i || (run->args->accumulate >> k & 1)) &&
            nn__program_storage(&run->outputs[k]) == nn__program_storage(input))
            return false;
    return true;
}

/* Returns the output in whose storage instruction i may be computed, or -1. No instruction after i
   may read an input that is stored there. */
static int nn__program_writes_direct(const nn__program_run *run, int i) {
    const nn_program *program = &run->args->program;
    if (run->last[i] < program->count) return -1;
    for (int k = 0; k < program->output_count; k++) {
        const nn_view *output = &run->outputs[k];
        bool free =
            program->output[k] == i && output->dtype == NN_F32 && !(run->args->accumulate >> k & 1);
        for (int j = 0; free && j < program->count; j++)
            free = program->code[j].code != NN_CODE_INPUT || run->last[j] <= i ||
                   nn__program_storage(&run->inputs[program->code[j].a]) !=
                       nn__program_storage(output);
        if (free) return k;
    }
    return -1;
}

static void nn__program_give_buffer(nn__program_run *run, int i) {
    int buffer = run->free_count ? run->free[--run->free_count] : run->buffers++;
    run->kind[i] = NN__VALUE_BUFFER;
    run->buffer[i] = (uint8_t)buffer;
    run->place[i] = run->memory + (int64_t)buffer * NN__PROGRAM_BLOCK;
}

/* Operands that no instruction after i reads give back their buffers. Instruction i may reuse them,
   because rows work in place. */
static void nn__program_take_back(nn__program_run *run, const int *operand, int count, int i) {
    for (int k = 0; k < count; k++) {
        int j = operand[k];
        if (run->last[j] != i || run->kind[j] != NN__VALUE_BUFFER) continue;
        run->kind[j] = NN__VALUE_UNUSED; /* given back */
        run->free[run->free_count++] = run->buffer[j];
    }
}

/* ---- the list of steps ----------------------------------------------------------------------- */

/* Stores one number for the whole tensor. */
static void nn__program_place_number(nn__program_run *run, int i, float value) {
    float *lanes = run->lanes + NN__PROGRAM_LANES * run->lane_count++;
    run->kind[i] = NN__VALUE_LANES;
    run->place[i] = lanes;
    for (int k = 0; k < NN__PROGRAM_LANES; k++) lanes[k] = value;
}

static void nn__program_place_leaf(nn__program_run *run, int i) {
    const nn_instruction *at = &run->args->program.code[i];
    const nn_view *input = &run->inputs[at->a];
    float value = at->code == NN_CODE_SCALAR ? run->args->scalars[at->a] : at->value;
    if (at->code != NN_CODE_INPUT) {
        nn__program_place_number(run, i, value);
        return;
    }
    int64_t count = nn__count(input);
    if (count == 1) {
        if (input->dtype == NN_F32)
            value = *nn__f32(input);
        else
            run->cpu->programs.widen(input->dtype, nn__program_storage(input), &value, 1);
        nn__program_place_number(run, i, value);
        return;
    }
    if (input->dtype == NN_F32 && count == run->count && nn__program_reads_direct(run, i)) {
        run->kind[i] = NN__VALUE_DIRECT;
        run->place[i] = nn__f32(input) + run->at;
        return;
    }
    nn__program_step *step = &run->steps[run->step_count++];
    nn__program_fold(input, &run->outputs[0].shape, &run->walk[at->a]);
    nn__program_give_buffer(run, i);
    step->row.y = run->place[i];
    step->function = NULL;
    step->input = at->a;
    step->moves = 0;
}

/* Adds the step that computes instruction i, without the place of its result. */
static nn__program_step *nn__program_place_step(nn__program_run *run, int i, const int *operand,
                                                int operands) {
    const nn__programs *programs = &run->cpu->programs;
    const nn_instruction *code = run->args->program.code;
    nn__program_step *step = &run->steps[run->step_count++];
    nn__row *row = &step->row;
    const float *none = run->lanes, *from[4] = {none, none, none, none};
    int mask[4] = {0, 0, 0, 0};
    step->input = -1;
    step->draw = code[i].a; /* for RANDOM */
    step->moves = 0;
    row->streams = false;
    for (int k = 0; k < operands; k++) {
        const uint8_t kind = run->kind[operand[k]];
        if (kind == NN__VALUE_DRAWN) {
            step->input = NN__STEP_MASK;
            step->draw = code[operand[k]].a;
            continue;
        }
        from[k] = run->place[operand[k]];
        mask[k] = kind == NN__VALUE_LANES ? 0 : -1;
        step->moves |= (kind == NN__VALUE_DIRECT) << (k + 1);
    }
    row->a = from[0], row->b = from[1], row->c = from[2], row->d = from[3];
    row->a_mask = mask[0], row->b_mask = mask[1], row->c_mask = mask[2], row->d_mask = mask[3];
    if (code[i].code == NN_CODE_RANDOM || step->input == NN__STEP_MASK)
        step->function = NULL;
    else if (nn__program_fusion_at(run, i))
        step->function = programs->parts[nn__program_fusion_at(run, i)->part].row;
    else if (operands == 4)
        step->function = programs->selects[nn__program_choice(code, i)];
    else
        step->function = programs->rows[code[i].code];
    return step;
}

NN_PRIVATE void nn__program_place(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    run->buffers = run->lane_count = run->free_count = run->step_count = 0;
    for (int k = 0; k < program->output_count; k++) run->written[k] = false;
    nn__program_find_last(run);
    for (int i = 0; i < program->count; i++) {
        const int last = run->last[i];
        int operand[4], operands, output;
        if (last == i || run->kind[i] >= NN__VALUE_CHOICE) continue;
        if (program->code[i].code <= NN_CODE_CONSTANT) {
            nn__program_place_leaf(run, i);
            continue;
        }
        operands = nn__program_reads(run, i, operand);
        nn__program_step *step = nn__program_place_step(run, i, operand, operands);
        nn__program_take_back(run, operand, operands, i);
        output = nn__program_writes_direct(run, i);
        if (output < 0) {
            nn__program_give_buffer(run, i);
        } else {
            run->kind[i] = NN__VALUE_DIRECT;
            run->place[i] = nn__f32(&run->outputs[output]) + run->at;
            run->written[output] = true;
            step->moves |= 1;
            step->row.streams = run->readers[i] == 0 &&
                                nn__program_streams(run->cpu, run->args, run->inputs,
                                                    &run->outputs[output], run->count, run->at);
        }
        step->row.y = run->place[i];
    }
}

/* Returns an upper bound from the program alone: every input is gathered, and no result is computed
   in an output's storage. */
NN_PRIVATE int nn__program_most_buffers(const nn__cpu *cpu, const nn_program_args *args) {
    const nn_program *program = &args->program;
    nn__program_run run;
    int live = 0, most = 0;
    for (int i = 0; i < program->count; i++)
        most += program->code[i].code > NN_CODE_CONSTANT || program->code[i].code == NN_CODE_INPUT;
    if (most <= 4) return most;
    run.cpu = cpu;
    run.args = args;
    nn__program_find_last(&run);
    most = 0;
    for (int i = 0; i < program->count; i++) {
        const uint8_t code = program->code[i].code;
        int operand[4], operands;
        if (run.last[i] == i || code == NN_CODE_SCALAR || code == NN_CODE_CONSTANT ||
            run.kind[i] >= NN__VALUE_CHOICE)
            continue;
        operands = nn__program_reads(&run, i, operand);
        for (int k = 0; k < operands; k++) {
            const int j = operand[k];
            if (run.last[j] != i || run.kind[j] != NN__VALUE_BUFFER) continue;
            run.kind[j] = NN__VALUE_UNUSED;
            live--;
        }
        run.kind[i] = NN__VALUE_BUFFER;
        most = nn__maxi(most, ++live);
    }
    return most;
}

#endif
