/* kernels/pointwise/opencl_items.c - runs pointwise programs: units, launches, and several items in
   one launch if nothing is broadcast, such as the parameters of an optimizer. opencl.c generates
   the source text. */
#include "kernels/pointwise/opencl.h"

/* ---- one item -------------------------------------------------------------------------------- */

/* Returns the numbers per unit, a multiple of the lanes. */
static int64_t nn__opencl_program_unit(void) {
    return 1 << 20;
}

static int32_t nn__opencl_program_units_of(const nn_program_args *args,
                                           int item) {
    const nn_view *outputs = args->item_count ? args->items[item].outputs : args->outputs;
    return nn__opencl_ceil_div(nn__opencl_count(&outputs[0]), nn__opencl_program_unit());
}

static int nn__opencl_program_items(const nn_program_args *args) {
    return args->item_count ? args->item_count : 1;
}

static int32_t nn__opencl_program_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_program_args *args = (const nn_program_args *)arguments;
    int32_t units = 0;
    for (int item = 0; item < nn__opencl_program_items(args); item++)
        units += nn__opencl_program_units_of(args, item);
    return units;
}

static nn_result nn__opencl_program_run_item(nn__opencl *device, const nn_program_args *args,
                                             int item, int64_t first, int64_t end) {
    nn__opencl_pointwise p;
    int64_t each = 4;
    nn__opencl_pointwise_look(args, item, &p);
    nn__opencl_launch launch = nn__opencl_begin_made(device, nn__opencl_pointwise_key(&p),
                                                     nn__opencl_pointwise_make, &p, "nn_program");
    nn__opencl_view(&launch, &args->status);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, (uint32_t)each);
    for (int k = 0; k < args->program.output_count; k++) nn__opencl_view(&launch, &p.outputs[k]);
    for (int k = 0; k < args->program.input_count; k++) nn__opencl_view(&launch, &p.inputs[k]);
    for (int k = 0; k < args->program.scalar_count; k++)
        nn__opencl_float(&launch, args->scalars[k]);
    if (p.draws) {
        nn__opencl_ulong(&launch, args->seed);
        nn__opencl_ulong(&launch, args->stream + (uint64_t)item);
        nn__opencl_ulong(&launch, args->counter);
    }
    for (int i = 0; i < p.spread.rank; i++) {
        if (p.wide) nn__opencl_ulong(&launch, p.spread.extent[i]);
        else nn__opencl_uint(&launch, (uint32_t)p.spread.extent[i]);
    }
    for (int k = 0; k < args->program.input_count; k++)
        for (int i = 0; p.reading[k] == NN__OPENCL_SPREAD && i < p.spread.rank; i++) {
            if (p.spread.step[k][i] == 0) continue;
            if (p.wide) nn__opencl_ulong(&launch, p.spread.step[k][i]);
            else nn__opencl_uint(&launch, (uint32_t)p.spread.step[k][i]);
        }
    return nn__opencl_run_flat(&launch, (uint64_t)((end - first + each - 1) / each),
                               256);
}

/* ---- several items in one launch ------------------------------------------------------------- */

/* Items that use the same buffers and the same source text. */
typedef struct nn__opencl_batch {
    nn__opencl_pointwise item; /* the first one */
    uint64_t key;
    uint64_t table[NN__OPENCL_TABLE];
    int64_t blocks;
    int32_t count;
} nn__opencl_batch;

/* Returns the numbers per item in the table. */
static int nn__opencl_program_record(const nn_program_args *args) {
    return 3 + args->program.output_count + args->program.input_count;
}

static bool nn__opencl_program_is_plain(const nn__opencl_pointwise *p) {
    bool plain = p->args->item_count > 1 && !p->draws && !p->wide;
    for (int k = 0; k < p->args->program.input_count; k++)
        plain = plain && p->reading[k] != NN__OPENCL_SPREAD;
    return plain;
}

static bool nn__opencl_program_fits(const nn__opencl_batch *batch, const nn__opencl_pointwise *p,
                                    uint64_t key) {
    const nn_program *program = &p->args->program;
    bool same = batch->key == key &&
                (batch->count + 1) * nn__opencl_program_record(p->args) <= NN__OPENCL_TABLE;
    for (int k = 0; k < program->output_count; k++)
        same = same && p->outputs[k].handle == batch->item.outputs[k].handle;
    for (int k = 0; k < program->input_count; k++)
        same = same && p->inputs[k].handle == batch->item.inputs[k].handle;
    return same;
}

/* Runs the batch and empties it. */
static nn_result nn__opencl_program_flush(nn__opencl *device, nn__opencl_batch *batch) {
    nn__opencl_pointwise *p = &batch->item;
    const int32_t count = batch->count;
    nn_view base;
    batch->count = 0;
    if (count == 0) return NN_OK;
    p->many = true;
    const nn_program_args *args = p->args;
    nn__opencl_launch launch = nn__opencl_begin_made(device, nn__opencl_pointwise_key(p),
                                                     nn__opencl_pointwise_make, p, "nn_program");
    nn__opencl_view(&launch, &args->status);
    nn__opencl_uint(&launch, 4);
    nn__opencl_table(&launch, batch->table, (size_t)(count * nn__opencl_program_record(args)));
    nn__opencl_uint(&launch, (uint32_t)count);
    for (int k = 0; k < args->program.output_count; k++) {
        base = nn__opencl_base(&p->outputs[k]);
        nn__opencl_view(&launch, &base);
    }
    for (int k = 0; k < args->program.input_count; k++) {
        base = nn__opencl_base(&p->inputs[k]);
        nn__opencl_view(&launch, &base);
    }
    for (int k = 0; k < args->program.scalar_count; k++)
        nn__opencl_float(&launch, args->scalars[k]);
    return nn__opencl_run_flat(&launch, (uint64_t)batch->blocks, 256);
}

/* Adds elements [first, end) of an item to the batch. The batch runs when it is full or holds items
   of another kind. An item that cannot be batched runs at once. */
static nn_result nn__opencl_program_take(nn__opencl *device, nn__opencl_batch *batch,
                                         const nn_program_args *args, int item, int64_t first,
                                         int64_t end) {
    const int64_t each = 4;
    nn__opencl_pointwise p;
    nn_result result = NN_OK;
    nn__opencl_pointwise_look(args, item, &p);
    if (!nn__opencl_program_is_plain(&p))
        return nn__opencl_program_run_item(device, args, item, first, end);
    const uint64_t key = nn__opencl_pointwise_key(&p);
    if (batch->count > 0 && !nn__opencl_program_fits(batch, &p, key))
        result = nn__opencl_program_flush(device, batch);
    if (batch->count == 0) {
        batch->item = p;
        batch->key = key;
        batch->blocks = 0;
    }
    uint64_t *record = batch->table + batch->count++ * nn__opencl_program_record(args);
    *record++ = (uint64_t)batch->blocks;
    *record++ = (uint64_t)first;
    *record++ = (uint64_t)end;
    for (int k = 0; k < args->program.output_count; k++)
        *record++ = nn__opencl_offset(&p.outputs[k]);
    for (int k = 0; k < args->program.input_count; k++)
        *record++ = nn__opencl_offset(&p.inputs[k]);
    batch->blocks += (end - first + each - 1) / each;
    return result;
}

static nn_result nn__opencl_program_run(nn__opencl *device, const void *arguments, int32_t first,
                                        int32_t count) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    int64_t unit = nn__opencl_program_unit();
    nn_result result = NN_OK;
    int32_t base = 0, end = first + count;
    nn__opencl_batch batch;
    batch.count = 0;
    for (int item = 0; result >= 0 && item < nn__opencl_program_items(args); item++) {
        int32_t units = nn__opencl_program_units_of(args, item);
        int32_t from = first > base ? first - base : 0,
                to = end - base < units ? end - base : units;
        const nn_view *outputs = args->item_count ? args->items[item].outputs : args->outputs;
        int64_t total = nn__opencl_count(&outputs[0]), stop = to * unit < total ? to * unit : total;
        base += units;
        if (from >= to) continue;
        result = args->item_count > 1
                     ? nn__opencl_program_take(device, &batch, args, item, from * unit, stop)
                     : nn__opencl_program_run_item(device, args, item, from * unit, stop);
    }
    return result < 0 ? result : nn__opencl_program_flush(device, &batch);
}

static bool nn__opencl_program_holds(nn_dtype dtype) {
    return dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16 || dtype == NN_I32 ||
           dtype == NN_U8 || dtype == NN_I8 || dtype == NN_BOOL;
}

static const char *nn__opencl_program_refuses(nn__opencl *device, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    (void)device;
    for (int item = 0; item < nn__opencl_program_items(args); item++) {
        const nn_view *inputs = args->item_count ? args->items[item].inputs : args->inputs;
        const nn_view *outputs = args->item_count ? args->items[item].outputs : args->outputs;
        bool holds = true;
        for (int k = 0; k < args->program.input_count; k++)
            holds &= nn__opencl_program_holds(inputs[k].dtype);
        for (int k = 0; k < args->program.output_count; k++)
            holds &= nn__opencl_program_holds(outputs[k].dtype);
        if (!holds)
            return "the tensors of a pointwise program must be f32, f16, bf16, i32, u8, i8 or bool";
    }
    return NULL;
}

/* Programs read and write f16 and bf16 wherever they are not refused. */
static bool nn__opencl_program_halves(nn__opencl *device, const void *arguments) {
    (void)device, (void)arguments;
    return true;
}

static const nn__opencl_kernel nn__opencl_program_kernel_of_all = {
    nn__opencl_program_refuses, NULL, nn__opencl_program_units, nn__opencl_program_run,
    nn__opencl_program_halves};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_pointwise(void) {
    return &nn__opencl_program_kernel_of_all;
}
