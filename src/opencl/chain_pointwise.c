/* opencl/chain_pointwise.c - pointwise programs as calls of a chain. The loop is that of a separate
   kernel (kernels/pointwise/opencl.c). */
#include "opencl/chain.h"

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)

static void nn__opencl_pointwise_list(const void *args, nn__opencl_chain_views *views) {
    const nn_program_args *p = (const nn_program_args *)args;
    for (int k = 0; !p->item_count && k < p->program.input_count; k++)
        nn__opencl_chain_add(views, &p->inputs[k], false);
    for (int k = 0; !p->item_count && k < p->program.output_count; k++)
        nn__opencl_chain_add(views, &p->outputs[k], true);
}

/* True if input k may be read, by rows or as a number. */
static bool nn__opencl_pointwise_operand(nn__opencl_chain *chain, const nn__opencl_pointwise *p,
                                         int k) {
    const nn_view *x = &p->inputs[k], *y = &p->outputs[0];
    switch (p->reading[k]) {
    case NN__OPENCL_NUMBER: return nn__opencl_chain_number(chain, x);
    case NN__OPENCL_ELEMENTS: return nn__opencl_chain_rows(chain, x);
    default:
        return x->shape.rank == y->shape.rank && x->shape.extent[0] == y->shape.extent[0]
                   ? nn__opencl_chain_rows(chain, x)
                   : nn__opencl_chain_whole(chain, x);
    }
}

static nn__opencl_link nn__opencl_pointwise_judge(nn__opencl_chain *chain, const void *given) {
    const nn_program_args *args = (const nn_program_args *)given;
    nn__opencl_pointwise p;
    chain->why = "its form of element-wise operation is not supported in a joined kernel";
    if (args->item_count || args->accumulate || nn__opencl_count(&args->outputs[0]) < 1 ||
        (chain->by_rows && nn__opencl_present(&args->status)) ||
        !nn__opencl_chain_status(chain, &args->status))
        return NN__LINK_NONE;
    nn__opencl_pointwise_look(args, 0, &p);
    const nn_view *y = &p.outputs[0];
    const int64_t count = nn__opencl_count(y);
    const bool number = count == 1 && chain->by_rows && chain->rows != 1;
    if (p.wide || count > (chain->by_rows ? INT32_MAX : NN__CHAIN_ROWS * NN__CHAIN_WIDTH) ||
        (chain->by_rows && !number &&
         (y->shape.rank < 1 || !nn__opencl_chain_height(chain, y->shape.extent[0]))))
        return NN__LINK_NONE;
    /* Only rows that the chain itself has taken by their numbers may be halves. */
    for (int k = 0; k < args->program.input_count; k++)
        if (nn__opencl_stored(&p.inputs[k]) &&
            nn__opencl_chain_made(chain, &p.inputs[k]) != NN__LINK_ROWS)
            return NN__LINK_NONE;
    for (int k = 0; k < args->program.input_count; k++)
        if (!(number ? nn__opencl_chain_number(chain, &p.inputs[k])
                     : nn__opencl_pointwise_operand(chain, &p, k)))
            return NN__LINK_NONE;
    for (int k = 0; k < args->program.output_count; k++)
        if ((p.outputs[k].dtype != NN_F32 && p.outputs[k].dtype != NN_I32) ||
            (number && nn__opencl_chain_made(chain, &p.outputs[k]) != NN__LINK_NONE))
            return NN__LINK_NONE;
    for (int k = 0; k < args->program.output_count; k++)
        nn__opencl_chain_makes(chain, &p.outputs[k], number ? NN__LINK_NUMBER : NN__LINK_ROWS,
                               number);
    chain->work += 4.0 * (double)count * args->program.count;
    return number ? NN__LINK_NUMBER : NN__LINK_ROWS;
}

static uint64_t nn__opencl_pointwise_words_key(const nn__opencl_chain *chain, const void *given,
                                               uint64_t key) {
    const nn_program_args *args = (const nn_program_args *)given;
    nn__opencl_pointwise p;
    uint64_t words[NN_MAX_RANK * (NN_PROGRAM_INPUTS + 1) + 2];
    int count = 0;
    nn__opencl_pointwise_look(args, 0, &p);
    words[count++] = nn__opencl_pointwise_key(&p);
    words[count++] = chain->by_rows && chain->rows
                         ? (uint64_t)nn__opencl_count(&p.outputs[0]) / chain->rows
                         : 0;
    for (int i = 0; i < p.spread.rank; i++) {
        words[count++] = i + 1 < p.spread.rank ? p.spread.extent[i] : 0;
        for (int k = 0; k < args->program.input_count; k++)
            words[count++] = p.spread.step[k][i];
    }
    return nn__opencl_hash(key, words, sizeof words[0] * (size_t)count);
}

static void nn__opencl_pointwise_give(nn__opencl_launch *launch, const void *given) {
    const nn_program_args *args = (const nn_program_args *)given;
    bool draws = false;
    for (int i = 0; i < args->program.count; i++)
        draws = draws || args->program.code[i].code == NN_CODE_RANDOM;
    nn__opencl_uint(launch, (uint32_t)nn__opencl_count(&args->outputs[0]));
    for (int k = 0; k < args->program.scalar_count; k++)
        nn__opencl_float(launch, args->scalars[k]);
    if (!draws) return;
    nn__opencl_ulong(launch, args->seed);
    nn__opencl_ulong(launch, args->stream);
    nn__opencl_ulong(launch, args->counter);
}

static void nn__opencl_pointwise_numbers(nn__opencl_chain_writer *w, int i, const void *args) {
    const nn_program *program = &((const nn_program_args *)args)->program;
    bool draws = false;
    for (int k = 0; k < program->count; k++)
        draws = draws || program->code[k].code == NN_CODE_RANDOM;
    nn__opencl_chain_put_one(w, "uint", "m", i);
    for (int k = 0; k < program->scalar_count; k++) nn__opencl_chain_put_float(w, "float", i, k);
    if (!draws) return;
    nn__opencl_chain_put_one(w, "ulong", "seed", i);
    nn__opencl_chain_put_one(w, "ulong", "stream", i);
    nn__opencl_chain_put_one(w, "ulong", "counter", i);
}

/* Declares a pointer to a view, or to the work-group's own copy of a number. */
static void nn__opencl_pointwise_pointer(nn__opencl_chain_writer *w, const char *name, int k,
                                         const nn_view *view, const char *type) {
    const nn__opencl_storage *storage = nn__opencl_chain_storage(w, view);
    if (w->phase == NN__PHASE_ROWS && storage && storage->made == NN__LINK_NUMBER)
        NN__CHAIN_PUT(w, "    __global float *%s%d = part + %u;\n", name, k,
                      (unsigned)storage->part);
    else
        NN__CHAIN_PUT(w, "    __global %s *%s%d = (__global %s *)%s;\n", type, name, k, type,
                      NN__CHAIN_NAME(w, view));
}

static void nn__opencl_pointwise_link(nn__opencl_chain_writer *w, int i, const void *given) {
    const nn_program_args *args = (const nn_program_args *)given;
    nn__opencl_pointwise p;
    const nn_program *program = &args->program;
    const bool number = w->chain->link[i] == NN__LINK_NUMBER;
    char step[32];
    nn__opencl_pointwise_look(args, 0, &p);
    NN__CHAIN_PUT(w, "    {\n");
    for (int k = 0; k < program->output_count; k++)
        nn__opencl_pointwise_pointer(w, "y", k, &p.outputs[k],
                                     p.outputs[k].dtype == NN_I32 ? "int" : "float");
    for (int k = 0; k < program->input_count; k++)
        nn__opencl_pointwise_pointer(w, "x", k, &p.inputs[k],
                                     nn__opencl_pointwise_type(p.inputs[k].dtype));
    for (int k = 0; k < program->scalar_count; k++)
        NN__CHAIN_PUT(w, "    float s%d = f%d_%d;\n", k, i, k);
    if (p.draws)
        NN__CHAIN_PUT(w, "    ulong seed = seed%d, stream = stream%d, counter = counter%d;\n", i, i,
                      i);
    for (int a = 0; a < p.spread.rank; a++) {
        if (a + 1 < p.spread.rank)
            NN__CHAIN_PUT(w, "    NN_INDEX e%d = %uu;\n", a, (unsigned)p.spread.extent[a]);
        for (int k = 0; k < program->input_count; k++)
            if (p.reading[k] == NN__OPENCL_SPREAD && p.spread.step[k][a])
                NN__CHAIN_PUT(w, "    NN_INDEX t%d_%d = %uu;\n", k, a,
                              (unsigned)p.spread.step[k][a]);
    }
    if (w->phase == NN__PHASE_ROWS && !number) {
        const unsigned each = (unsigned)(nn__opencl_count(&p.outputs[0]) / w->chain->rows);
        NN__CHAIN_PUT(w, "    ulong begin = row * %uu, stop = row_end * %uu;\n", each, each);
    } else {
        NN__CHAIN_PUT(w, "    ulong begin = 0, stop = m%d;\n", i);
    }
    NN__CHAIN_PUT(w, "    begin += NN_LANE * %uu;\n", (unsigned)p.lanes);
    nn__opencl_format(step, sizeof step, "NN_WIDTH * %uu", (unsigned)p.lanes);
    if (nn__opencl_present(&args->status)) NN__CHAIN_PUT(w, "    if (!faulty)\n");
    nn__opencl_pointwise_put_loop(&w->out, &p, step);
    NN__CHAIN_PUT(w, "    }\n");
}

static const nn_view *nn__opencl_pointwise_status(const void *args, uint32_t *step) {
    (void)step; /* it sets no fault */
    return &((const nn_program_args *)args)->status;
}

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_pointwise(void) {
    static const nn__opencl_chain_kind pointwise = {
        nn__opencl_pointwise_list, nn__opencl_pointwise_judge,   nn__opencl_pointwise_words_key,
        nn__opencl_pointwise_give, nn__opencl_pointwise_numbers, nn__opencl_pointwise_link,
        NULL,                      nn__opencl_pointwise_status,  NULL};
    return &pointwise;
}

#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
