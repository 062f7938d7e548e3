/* kernels/pointwise/cpu_program.c - the interpreter of pointwise programs: where each value
   stands, and one block after the other. What the instructions compute is in cpu_program_rows.c. */
#include "kernels/pointwise/cpu_program.h"

/* ---- broadcasting: an input's steps along the output's axes, folded -------------------------- */

typedef struct nn__program_walk {
    int rank;                                        /* at least 1; the last axis is the row */
    int64_t extent[NN_MAX_RANK], step[NN_MAX_RANK];  /* the row's step is 0 or 1 */
} nn__program_walk;

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

/* ---- where the values stand ------------------------------------------------------------------ */

typedef enum nn__program_kind {
    NN__VALUE_UNUSED, /* nothing reads it */
    NN__VALUE_LANES,  /* one number for the whole tensor, in LANES places */
    NN__VALUE_DIRECT, /* in an input's or output's own storage: place + index of the element */
    NN__VALUE_BUFFER  /* a block of the worker's scratch */
} nn__program_kind;

/* One worker's books, at the beginning of its scratch. */
typedef struct nn__program_run {
    const nn__cpu *cpu;
    const nn_program_args *args;
    const nn_view *inputs, *outputs;
    int item, buffers, lanes; /* buffers and places of lanes that were given out */
    float *memory;            /* lanes, then buffers; NULL: only counting */
    int most_lanes;           /* what memory has room for before the buffers */
    float *place[NN_PROGRAM_LENGTH];
    /* last: who reads it last; count: it is stored */
    uint8_t kind[NN_PROGRAM_LENGTH], last[NN_PROGRAM_LENGTH];
    uint8_t buffer[NN_PROGRAM_LENGTH], free[NN_PROGRAM_LENGTH];
    int free_count;
    bool written[NN_PROGRAM_OUTPUTS]; /* the value is computed where the output stands */
    nn__program_walk walk[NN_PROGRAM_INPUTS];
} nn__program_run;

static int nn__program_operands(uint8_t code) {
    static const uint8_t counts[] = {
#define NN__X(upper, lower, text, operands, weight, value) operands,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return counts[code];
}

static const void *nn__program_storage(const nn_view *view) {
    return view->handle ? (const char *)view->handle + view->offset : NULL;
}

static void nn__program_find_last(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *at = &program->code[i];
        const uint8_t operand[3] = {at->a, at->b, at->c};
        run->last[i] = (uint8_t)i;
        for (int k = 0; k < nn__program_operands(at->code); k++) run->last[operand[k]] = (uint8_t)i;
    }
    for (int k = 0; k < program->output_count; k++) run->last[program->output[k]] = program->count;
}

/* May instruction i be read from its input's storage until the end of the block? Not if it is the
   result of one output and another output overwrites it. */
static bool nn__program_reads_direct(const nn__program_run *run, int i) {
    const nn_program *program = &run->args->program;
    const nn_view *input = &run->inputs[program->code[i].a];
    if (input->dtype != NN_F32 || nn__count(input) != nn__count(&run->outputs[0])) return false;
    if (run->last[i] < program->count) return true;
    for (int k = 0; k < program->output_count; k++)
        if (!run->memory || (program->output[k] != i &&
                             nn__program_storage(&run->outputs[k]) == nn__program_storage(input)))
            return false;
    return true;
}

/* The output in whose storage instruction i may compute, or -1: nobody may read, from i on, an
   input that stands there. */
static int nn__program_writes_direct(const nn__program_run *run, int i) {
    const nn_program *program = &run->args->program;
    if (!run->memory) return -1;
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
    if (run->memory)
        run->place[i] =
            run->memory + run->most_lanes * NN__PROGRAM_LANES + (int64_t)buffer * NN__PROGRAM_BLOCK;
}

static float *nn__program_give_lanes(nn__program_run *run, int i) {
    int lanes = run->lanes++;
    run->kind[i] = NN__VALUE_LANES;
    if (!run->memory) return NULL;
    return run->place[i] = run->memory + lanes * NN__PROGRAM_LANES;
}

static void nn__program_fill(float *to, float value, int n) {
    for (int i = 0; i < n; i++) to[i] = value;
}

static void nn__program_place_leaf(nn__program_run *run, int i) {
    const nn_instruction *at = &run->args->program.code[i];
    float value = at->value, *lanes;
    if (at->code == NN_CODE_INPUT) {
        const nn_view *input = &run->inputs[at->a];
        if (nn__count(input) != 1 || nn__count(&run->outputs[0]) == 0) {
            if (nn__program_reads_direct(run, i)) {
                run->kind[i] = NN__VALUE_DIRECT;
                run->place[i] = run->memory ? nn__f32(input) : NULL;
                return;
            }
            nn__program_fold(input, &run->outputs[0].shape, &run->walk[at->a]);
            nn__program_give_buffer(run, i);
            return;
        }
        if (run->memory && input->dtype == NN_F32) value = *nn__f32(input);
        if (run->memory && input->dtype != NN_F32)
            run->cpu->programs.widen(input->dtype, nn__program_storage(input), &value, 1);
    } else if (at->code == NN_CODE_SCALAR) {
        value = run->args->scalars[at->a];
    }
    lanes = nn__program_give_lanes(run, i);
    if (lanes) nn__program_fill(lanes, value, NN__PROGRAM_LANES);
}

/* Operands that nothing reads after i give their buffers back, also to i itself: rows may work in
   place. */
static void nn__program_take_back(nn__program_run *run, int i) {
    const nn_instruction *at = &run->args->program.code[i];
    const uint8_t operand[3] = {at->a, at->b, at->c};
    for (int k = 0; k < nn__program_operands(at->code); k++) {
        int j = operand[k];
        if (run->last[j] != i || run->kind[j] != NN__VALUE_BUFFER) continue;
        /* given back already */
        if ((k > 0 && j == operand[0]) || (k > 1 && j == operand[1])) continue;
        run->free[run->free_count++] = run->buffer[j];
    }
}

/* Decides for an item where every value stands. memory NULL: counts what may be needed at most. */
static void nn__program_place(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    run->buffers = run->lanes = run->free_count = 0;
    memset(run->written, 0, sizeof run->written);
    nn__program_find_last(run);
    for (int i = 0; i < program->count; i++) {
        uint8_t code = program->code[i].code;
        if (code != NN_CODE_RANDOM && nn__program_operands(code) == 0) {
            run->kind[i] = NN__VALUE_UNUSED;
            if (run->last[i] != i) nn__program_place_leaf(run, i);
            continue;
        }
        nn__program_take_back(run, i);
        run->kind[i] = NN__VALUE_UNUSED;
        if (run->last[i] == i) continue;
        int output = nn__program_writes_direct(run, i);
        if (output < 0) {
            nn__program_give_buffer(run, i);
            continue;
        }
        run->kind[i] = NN__VALUE_DIRECT;
        run->place[i] = nn__f32(&run->outputs[output]);
        run->written[output] = true;
    }
}

/* ---- one block ------------------------------------------------------------------------------- */

static float *nn__program_at(const nn__program_run *run, int i, int64_t at) {
    return run->place[i] + (run->kind[i] == NN__VALUE_DIRECT ? at : 0);
}

/* Numbers at to at + n - 1 of the output's order, from an input that is broadcast or of another
   dtype. */
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
        if (read < count) nn__program_fill(to + 1, to[0], count - 1);
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

/* The last numbers of a tensor, filled up to a whole group: every number is computed by the same
   vectors, wherever it stands. */
static void nn__program_tail(nn__row_function function, const nn__row *row, int done) {
    float lanes[4][NN__PROGRAM_LANES];
    const float *operand[3] = {row->a, row->b, row->c};
    const int mask[3] = {row->a_mask, row->b_mask, row->c_mask};
    int left = row->n - done;
    nn__row tail;
    for (int k = 0; k < 3; k++) {
        nn__program_fill(lanes[k], 1.0f, NN__PROGRAM_LANES);
        if (operand[k])
            memcpy(lanes[k], operand[k] + (done & mask[k]), (size_t)left * sizeof(float));
    }
    tail.y = lanes[3], tail.a = lanes[0], tail.b = lanes[1], tail.c = lanes[2];
    tail.a_mask = tail.b_mask = tail.c_mask = -1;
    tail.n = NN__PROGRAM_LANES;
    function(&tail);
    memcpy(row->y + done, lanes[3], (size_t)left * sizeof(float));
}

static void nn__program_call(const nn__cpu *cpu, nn__row_function function, nn__row *row) {
    int n = row->n, whole = nn__vectors(cpu) ? n - n % NN__PROGRAM_LANES : n;
    if (whole) {
        row->n = whole;
        function(row);
        row->n = n;
    }
    if (whole < n) nn__program_tail(function, row, whole);
}

static void nn__program_step(const nn__program_run *run, int i, int64_t at, int n) {
    const nn_instruction *code = &run->args->program.code[i];
    const nn__cpu *cpu = run->cpu;
    int operands = nn__program_operands(code->code);
    nn__row row;
    row.y = nn__program_at(run, i, at);
    if (code->code == NN_CODE_INPUT) {
        nn__program_gather(run, code->a, row.y, at, n);
        return;
    }
    if (code->code == NN_CODE_RANDOM) {
        cpu->programs.draw(run->args, run->item, row.y, at, n);
        return;
    }
    row.a = row.b = row.c = NULL;
    row.a_mask = row.b_mask = row.c_mask = 0;
    row.n = n;
    row.a = nn__program_at(run, code->a, at);
    row.a_mask = run->kind[code->a] == NN__VALUE_LANES ? 0 : -1;
    if (operands > 1) row.b = nn__program_at(run, code->b, at);
    if (operands > 1) row.b_mask = run->kind[code->b] == NN__VALUE_LANES ? 0 : -1;
    if (operands > 2) row.c = nn__program_at(run, code->c, at);
    if (operands > 2) row.c_mask = run->kind[code->c] == NN__VALUE_LANES ? 0 : -1;
    nn__program_call(cpu, cpu->programs.rows[code->code], &row);
}

/* Output k from a value that was computed elsewhere. */
static void nn__program_store(const nn__program_run *run, int k, int64_t at, int n) {
    const nn__programs *programs = &run->cpu->programs;
    int i = run->args->program.output[k], mask = run->kind[i] == NN__VALUE_LANES ? 0 : -1;
    const nn_view *output = &run->outputs[k];
    const float *from = nn__program_at(run, i, at);
    bool add = run->args->accumulate >> k & 1, number = output->dtype == NN_F32;
    size_t size = nn_dtype_size(output->dtype);
    char *to = (char *)output->handle + output->offset + (size_t)at * size;
    if (number && add) {
        nn__row row;
        row.y = (float *)(void *)to, row.a = row.y, row.b = from, row.c = NULL;
        row.a_mask = -1, row.b_mask = mask, row.c_mask = 0;
        row.n = n;
        nn__program_call(run->cpu, programs->rows[NN_CODE_ADD], &row);
        return;
    }
    if (number && mask) {
        if ((const void *)from != (const void *)to) memcpy(to, from, (size_t)n * sizeof(float));
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
        if (number)
            memcpy(to, values, (size_t)count * sizeof(float));
        else
            programs->narrow(output->dtype, values, to, count);
        to += (size_t)count * size;
    }
}

static void nn__program_block(const nn__program_run *run, int64_t at, int n) {
    const nn_program *program = &run->args->program;
    for (int i = 0; i < program->count; i++) {
        bool input = program->code[i].code == NN_CODE_INPUT;
        if (run->kind[i] == NN__VALUE_BUFFER || (run->kind[i] == NN__VALUE_DIRECT && !input))
            nn__program_step(run, i, at, n);
    }
    for (int k = 0; k < program->output_count; k++)
        if (!run->written[k]) nn__program_store(run, k, at, n);
}

/* ---- units ----------------------------------------------------------------------------------- */

static int nn__program_items(const nn_program_args *args) {
    return args->item_count ? args->item_count : 1;
}

static void nn__program_aim(nn__program_run *run, const nn_program_args *args, int item) {
    run->args = args;
    run->item = item;
    run->inputs = args->item_count ? args->items[item].inputs : args->inputs;
    run->outputs = args->item_count ? args->items[item].outputs : args->outputs;
}

/* Numbers of a unit, whole blocks: fewer where each costs more. Depends on the program only. */
static int64_t nn__program_unit_size(const nn_program *program) {
    static const uint8_t weights[] = {
#define NN__X(upper, lower, text, operands, weight, value) weight,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    int64_t weight = 1, size;
    for (int i = 0; i < program->count; i++)
        if (program->code[i].code > NN_CODE_CONSTANT) weight += weights[program->code[i].code];
    size = 131072 / weight;
    if (size > 32768) size = 32768;
    return size < 4096 ? 4096 : size / 512 * 512;
}

static int nn__program_units_of(const nn_program_args *args, int item) {
    const nn_view *output = args->item_count ? args->items[item].outputs : args->outputs;
    int64_t size = nn__program_unit_size(&args->program);
    return (int)((nn__count(output) + size - 1) / size);
}

static int nn__program_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    int units = 0;
    (void)cpu;
    if (phase > 0) return 0;
    for (int item = 0; item < nn__program_items(args); item++)
        units += nn__program_units_of(args, item);
    return nn__maxi(units, 1);
}

/* The most buffers of any item. */
static int nn__program_count_buffers(const nn__cpu *cpu, const nn_program_args *args) {
    nn__program_run run;
    int most = 0;
    memset(&run, 0, sizeof run);
    run.cpu = cpu;
    for (int item = 0; item < nn__program_items(args); item++) {
        nn__program_aim(&run, args, item);
        nn__program_place(&run);
        most = nn__maxi(most, run.buffers);
    }
    return most;
}

/* Instructions that may be one number for the whole tensor. */
static int nn__program_count_lanes(const nn_program *program) {
    int lanes = 0;
    for (int i = 0; i < program->count; i++) lanes += program->code[i].code <= NN_CODE_CONSTANT;
    return lanes;
}

static size_t nn__program_books(void) {
    return nn__align_up(sizeof(nn__program_run), NN__ALIGNMENT);
}

static size_t nn__program_own_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    size_t buffers = (size_t)nn__program_count_buffers(cpu, args);
    size_t lanes = (size_t)nn__program_count_lanes(&args->program);
    return nn__program_books() +
           (buffers * NN__PROGRAM_BLOCK + lanes * NN__PROGRAM_LANES) * sizeof(float);
}

static void nn__program_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                             void *shared, void *own) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    nn__program_run *run = (nn__program_run *)own;
    int item = 0;
    (void)phase, (void)shared;
    if (nn__present(&args->status) && args->status.handle && *nn__status(&args->status) != 0)
        return;
    while (item < nn__program_items(args) && unit >= nn__program_units_of(args, item))
        unit -= nn__program_units_of(args, item++);
    if (item == nn__program_items(args)) return; /* every item is empty */
    run->cpu = cpu;
    run->memory = (float *)(void *)((char *)own + nn__program_books());
    run->most_lanes = nn__program_count_lanes(&args->program);
    nn__program_aim(run, args, item);
    nn__program_place(run);
    int64_t size = nn__program_unit_size(&args->program), at = unit * size;
    int64_t end = nn__min64(at + size, nn__count(&run->outputs[0]));
    for (; at < end; at += NN__PROGRAM_BLOCK)
        nn__program_block(run, at, (int)nn__min64(NN__PROGRAM_BLOCK, end - at));
}

/* ---- what it refuses ------------------------------------------------------------------------- */

static bool nn__program_holds(const nn__cpu *cpu, nn_dtype dtype) {
    switch (dtype) {
    case NN_F32: return true;
    case NN_F16:
    case NN_BF16:
    case NN_I32:
    case NN_U8:
    case NN_I8:
    case NN_BOOL: return cpu->programs.widen != NULL;
    default: return false;
    }
}

static const char *nn__program_refuses_views(const nn__cpu *cpu, const nn_program *program,
                                             const nn_view *inputs, const nn_view *outputs) {
    for (int k = 0; k < program->output_count; k++) {
        if (!nn__program_holds(cpu, outputs[k].dtype))
            return NN__TEXT("a pointwise program writes f32, f16, bf16, i32, u8, i8 and bool only");
        if (!nn_same_shape(outputs[k].shape, outputs[0].shape))
            return NN__TEXT("the outputs of a pointwise program have one shape");
    }
    for (int k = 0; k < program->input_count; k++) {
        const nn_shape *from = &inputs[k].shape, *to = &outputs[0].shape;
        if (!nn__program_holds(cpu, inputs[k].dtype))
            return NN__TEXT("a pointwise program reads f32, f16, bf16, i32, u8, i8 and bool only");
        for (int i = 1; i <= from->rank; i++)
            if (i > to->rank || (from->extent[from->rank - i] != 1 &&
                                 from->extent[from->rank - i] != to->extent[to->rank - i]))
                return NN__TEXT(
                    "an input of a pointwise program does not broadcast to the outputs' shape");
    }
    return NULL;
}

static const char *nn__program_refuses_code(const nn__cpu *cpu, const nn_program *program) {
    if (program->count < 1 || program->count > NN_PROGRAM_LENGTH || program->output_count < 1 ||
        program->output_count > NN_PROGRAM_OUTPUTS || program->input_count > NN_PROGRAM_INPUTS ||
        program->scalar_count > NN_PROGRAM_SCALARS)
        return NN__TEXT(
            "a pointwise program is too long, or has too many inputs, outputs or scalars");
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *at = &program->code[i];
        const uint8_t operand[3] = {at->a, at->b, at->c};
        if (at->code >= NN_INSTRUCTION_COUNT)
            return NN__TEXT("a pointwise program has an unknown instruction");
        for (int k = 0; k < nn__program_operands(at->code); k++)
            if (operand[k] >= i)
                return NN__TEXT("an instruction names one that does not stand before it");
        if ((at->code == NN_CODE_INPUT && at->a >= program->input_count) ||
            (at->code == NN_CODE_SCALAR && at->a >= program->scalar_count))
            return NN__TEXT("a pointwise program names an input or scalar that it has not");
        if (at->code == NN_CODE_RANDOM
                ? !cpu->programs.draw
                : at->code > NN_CODE_CONSTANT && !cpu->programs.rows[at->code])
            return NN__TEXT(
                "this program did not install an instruction; call nn_use_all_kernels(nn)");
    }
    for (int k = 0; k < program->output_count; k++)
        if (program->output[k] >= program->count)
            return NN__TEXT("an output of a pointwise program names no instruction");
    return NULL;
}

static const char *nn__program_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    const char *why = nn__program_refuses_code(cpu, &args->program);
    if (!why && !args->item_count)
        return nn__program_refuses_views(cpu, &args->program, args->inputs, args->outputs);
    for (int i = 0; !why && i < args->item_count; i++)
        why = nn__program_refuses_views(cpu, &args->program, args->items[i].inputs,
                                        args->items[i].outputs);
    return why;
}

static const nn__cpu_kernel nn__program_kernel = {nn__program_units, nn__program_unit, NULL,
                                                  nn__program_own_bytes, nn__program_refuses};

static void nn__program_row_add(const nn__row *row) {
    for (int i = 0; i < row->n; i++) row->y[i] = row->a[i & row->a_mask] + row->b[i & row->b_mask];
}

NN_PRIVATE void nn__install_program(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (!cpu) return;
    if (!cpu->programs.rows[NN_CODE_ADD]) cpu->programs.rows[NN_CODE_ADD] = nn__program_row_add;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) cpu->programs.rows[NN_CODE_ADD] = nn__program_row8(NN_CODE_ADD);
#endif
    NN__CPU_INSTALL(nn, POINTWISE, pointwise, &nn__program_kernel);
}
