/* opencl/chain_text.c - writes the kernel of a chain: one call after the other, each as a loop of
   the work-group, with a barrier where a call reads or overwrites what others have written. Widths
   stand in the text; rows, places and numbers are arguments, so that another batch or another
   learning rate builds nothing. */
#include "opencl/chain.h"

#define NN__CHAIN_TEXT_BYTES ((size_t)256 * 1024)

NN__OPENCL_PRIVATE int nn__opencl_chain_lanes(nn__opencl *device) {
    return device->cpu ? device->lanes : 4;
}

/* ---- what the text of a call has ------------------------------------------------------------- */

#define NN__CHAIN_PUT(w, ...) NN__OPENCL_PUT(&(w)->out, __VA_ARGS__)

NN__OPENCL_PRIVATE const char *nn__opencl_chain_name(nn__opencl_chain_writer *w,
                                                     const nn_view *view) {
    char *name = w->names[w->name++ % 16];
    const int i = nn__opencl_chain_find(w->chain, view);
    if (i < 0) nn__opencl_copy_text(name, sizeof w->names[0], "0");
    else nn__opencl_format(name, sizeof w->names[0], "p%d", i);
    return name;
}
#define NN__CHAIN_NAME(w, view) nn__opencl_chain_name(w, view)

/* The rows that the work-group does: all m of call i, or a piece of the chain's. */
static const char *nn__opencl_chain_range(const nn__opencl_chain_writer *w, int i, char *text,
                                          size_t size) {
    if (w->phase == NN__PHASE_ROWS) return "row, row_end";
    nn__opencl_format(text, size, "0u, m%d", i);
    return text;
}

static const nn__opencl_storage *nn__opencl_chain_storage(const nn__opencl_chain_writer *w,
                                                          const nn_view *view) {
    const int i = nn__opencl_chain_find(w->chain, view);
    return i < 0 ? NULL : &w->chain->storages[i];
}

NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_part(const nn__opencl_chain_writer *w,
                                                  const nn_view *view) {
    const nn__opencl_storage *storage = nn__opencl_chain_storage(w, view);
    return storage ? (uint32_t)storage->part : 0;
}

static void nn__opencl_chain_put_gemm(nn__opencl_chain_writer *w, int i, const nn_gemm_args *g) {
    const unsigned n = (unsigned)g->n, k = (unsigned)g->k, m = (unsigned)g->m;
    const char *y = NN__CHAIN_NAME(w, &g->y), *a = NN__CHAIN_NAME(w, &g->a);
    const char *b = NN__CHAIN_NAME(w, &g->b), *bias = NN__CHAIN_NAME(w, &g->epilogue.bias);
    if (!w->chain->device->cpu)
        nn__opencl_chain_put_product(w, i, g);
    else if (g->transpose_b)
        NN__CHAIN_PUT(w, "    nn_chain_dots(%s, %s, %s, %s, %uu, %uu, 0u, m%d, %d);\n", y, a, b,
                      bias, n, k, i, (int)g->epilogue.activation);
    else if (g->transpose_a)
        NN__CHAIN_PUT(w, "    nn_chain_product(%s, %s, 1u, %uu, %s, 0, %uu, 0u, %uu, 0u, m%d, "
                         "0);\n", y, a, m, b, n, m, i);
    else
        NN__CHAIN_PUT(w, "    nn_chain_product(%s, %s, %uu, 1u, %s, %s, %uu, 0u, m%d, 0u, %uu, "
                         "%d);\n", y, a, k, b, bias, n, i, k, (int)g->epilogue.activation);
}

/* A pointer to where a view is read or written: a number of the group's own, or the view. */
static void nn__opencl_chain_put_pointer(nn__opencl_chain_writer *w, const char *name, int k,
                                         const nn_view *view, const char *type) {
    const nn__opencl_storage *storage = nn__opencl_chain_storage(w, view);
    if (w->phase == NN__PHASE_ROWS && storage && storage->made == NN__LINK_NUMBER)
        NN__CHAIN_PUT(w, "    __global float *%s%d = part + %u;\n", name, k,
                      (unsigned)storage->part);
    else
        NN__CHAIN_PUT(w, "    __global %s *%s%d = (__global %s *)%s;\n", type, name, k, type,
                      NN__CHAIN_NAME(w, view));
}

static void nn__opencl_chain_put_pointwise(nn__opencl_chain_writer *w, int i,
                                           const nn_program_args *args) {
    nn__opencl_pointwise p;
    const nn_program *program = &args->program;
    const bool number = w->chain->link[i] == NN__LINK_NUMBER;
    char step[32];
    nn__opencl_pointwise_look(w->chain->device, args, 0, &p);
    NN__CHAIN_PUT(w, "    {\n");
    for (int k = 0; k < program->output_count; k++)
        nn__opencl_chain_put_pointer(w, "y", k, &p.outputs[k],
                                     p.outputs[k].dtype == NN_I32 ? "int" : "float");
    for (int k = 0; k < program->input_count; k++)
        nn__opencl_chain_put_pointer(w, "x", k, &p.inputs[k],
                                     p.inputs[k].dtype == NN_I32 ? "int" : "float");
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

static void nn__opencl_chain_put_reduce(nn__opencl_chain_writer *w, int i,
                                        const nn_reduce_args *r) {
    char scale[16];
    const nn_shape *x = &r->x.shape;
    const unsigned part = (unsigned)nn__opencl_chain_part(w, &r->y);
    if (w->chain->link[i] == NN__LINK_SUMS) {
        char to[24];
        nn__opencl_format(to, sizeof to, w->phase == NN__PHASE_ROWS ? "part + %u" : "p%u",
                          w->phase == NN__PHASE_ROWS
                              ? part
                              : (unsigned)nn__opencl_chain_find(w->chain, &r->y));
        nn__opencl_format(scale, sizeof scale, "f%d_0", i);
        if (w->chain->device->cpu)
            NN__CHAIN_PUT(w, "    nn_chain_columns(%s, %s, %uu, 0u, m%d, f%d_0);\n", to,
                          NN__CHAIN_NAME(w, &r->x), (unsigned)x->extent[1], i, i);
        else
            nn__opencl_chain_put_columns(w, i, &r->x, (uint32_t)x->extent[1], to,
                                         w->phase == NN__PHASE_ROWS ? "1.0f" : scale);
        return;
    }
    NN__CHAIN_PUT(w, "    {\n");
    if (w->phase == NN__PHASE_ROWS) {
        const unsigned each = (unsigned)(nn__opencl_count(&r->x) / w->chain->rows);
        NN__CHAIN_PUT(w, "    float t = nn_chain_total(nn_chain_elements(%s, row * %uu, row_end * "
                         "%uu), lanes);\n    if (NN_LANE == 0) part[%u] = more ? part[%u] + t : "
                         "t;\n    }\n", NN__CHAIN_NAME(w, &r->x), each, each, part, part);
        return;
    }
    NN__CHAIN_PUT(w, "    float t = nn_chain_total(nn_chain_elements(%s, 0u, m%d), lanes);\n"
                     "    if (NN_LANE == 0) %s[0] = t * f%d_0;\n    }\n",
                  NN__CHAIN_NAME(w, &r->x), i, NN__CHAIN_NAME(w, &r->y), i);
}

/* The end of a loss: `t` has its three sums. */
static void nn__opencl_chain_put_loss(nn__opencl_chain_writer *w, int i,
                                      const nn_cross_entropy_args *e, const char *first) {
    NN__CHAIN_PUT(w, "    if (t[2] > 0.0f) {\n        faulty = true;\n"
                     "        if (%s) nn_set_status(status, status_offset, step, "
                     "NN_FAULT_LABEL);\n    }\n", first);
    NN__CHAIN_PUT(w, "    total%d = t[2] > 0.0f ? NAN : %s;\n    if (%s) %s[0] = total%d;\n", i,
                  e->reduction == NN_MEAN ? "t[0] / t[1]" : "t[0]", first,
                  NN__CHAIN_NAME(w, &e->loss), i);
}

/* How many times its slope the gradient of each row is. Rows that count differently are added up by
   every work-group. */
static void nn__opencl_chain_put_scale(nn__opencl_chain_writer *w, int i,
                                       const nn_cross_entropy_args *e, int flags) {
    const bool by_rows = w->phase == NN__PHASE_ROWS;
    const nn__opencl_storage *number = nn__opencl_chain_storage(w, &e->dloss);
    if (!nn__opencl_present(&e->dloss) || e->reduction == NN_REDUCTION_NONE)
        NN__CHAIN_PUT(w, "    float scale = 1.0f;\n");
    else if (by_rows && number && number->made == NN__LINK_NUMBER)
        NN__CHAIN_PUT(w, "    float scale = part[%u];\n", (unsigned)number->part);
    else
        NN__CHAIN_PUT(w, "    float scale = %s[0];\n", NN__CHAIN_NAME(w, &e->dloss));
    if (e->reduction != NN_MEAN) return;
    if (by_rows && (e->ignore || nn__opencl_present(&e->weight)))
        NN__CHAIN_PUT(w, "    float all = nn_chain_total(nn_chain_weights((const __global int *)"
                         "%s, %s, %d, %d, ignore%d, rows), lanes);\n",
                      NN__CHAIN_NAME(w, &e->label), NN__CHAIN_NAME(w, &e->weight),
                      (int)e->logits.shape.extent[1], flags, i);
    else
        NN__CHAIN_PUT(w, "    float all = %s;\n", by_rows ? "(float)rows" : "t[1]");
    NN__CHAIN_PUT(w, "    if (scale != 0.0f) scale /= all;\n");
}

static void nn__opencl_chain_put_entropy_slope(nn__opencl_chain_writer *w, int i,
                                               const nn_cross_entropy_args *e, int flags,
                                               const char *rows) {
    nn__opencl_chain_put_scale(w, i, e, flags);
    NN__CHAIN_PUT(w, "    nn_chain_slope(%s, %s, (const __global int *)%s, %s, %s, %d, %d, "
                     "ignore%d, smoothing%d, scale, %s);\n    }\n",
                  NN__CHAIN_NAME(w, &e->dlogits), NN__CHAIN_NAME(w, &e->logits),
                  NN__CHAIN_NAME(w, &e->label), NN__CHAIN_NAME(w, &e->weight),
                  e->reduction == NN_REDUCTION_NONE ? NN__CHAIN_NAME(w, &e->dloss) : "0",
                  (int)e->logits.shape.extent[1], flags, i, i, rows);
}

static void nn__opencl_chain_put_entropy(nn__opencl_chain_writer *w, int i,
                                         const nn_cross_entropy_args *e, bool backward) {
    char range[32];
    const int classes = e->logits.shape.extent[1];
    const int flags = (e->ignore ? 1 : 0) + (e->log_probabilities ? 2 : 0);
    const char *rows = nn__opencl_chain_range(w, i, range, sizeof range);
    const bool by_rows = w->phase == NN__PHASE_ROWS, each = e->reduction == NN_REDUCTION_NONE;
    if (each && !backward) NN__CHAIN_PUT(w, "    float wrong%d;\n", i);
    NN__CHAIN_PUT(w, "    {\n");
    if (!backward || (!by_rows && e->reduction == NN_MEAN)) {
        const char *const logits = NN__CHAIN_NAME(w, &e->logits);
        NN__CHAIN_PUT(w, "    float t[3];\n    nn_chain_entropy(t, %s, %s, (const __global int *)"
                         "%s, %s, %d, %d, ignore%d, smoothing%d, %s);\n",
                      each ? NN__CHAIN_NAME(w, &e->loss) : "0", logits,
                      NN__CHAIN_NAME(w, &e->label), NN__CHAIN_NAME(w, &e->weight), classes, flags,
                      i, i, rows);
        if (!each)
            NN__CHAIN_PUT(w, "    for (int k = 0; k < 3; k++) t[k] = nn_chain_total(t[k], "
                             "lanes);\n");
    }
    if (backward) {
        nn__opencl_chain_put_entropy_slope(w, i, e, flags, rows);
    } else if (each) {
        NN__CHAIN_PUT(w, "    wrong%d = t[2];\n    }\n", i);
        nn__opencl_chain_put_fault(w, i);
    } else if (by_rows) {
        const unsigned part = (unsigned)nn__opencl_chain_part(w, &e->loss);
        NN__CHAIN_PUT(w, "    if (NN_LANE == 0)\n        for (int k = 0; k < 3; k++)\n"
                         "            part[%u + k] = more ? part[%u + k] + t[k] : t[k];\n    }\n",
                      part, part);
    } else {
        nn__opencl_chain_put_loss(w, i, e, "NN_LANE == 0");
        NN__CHAIN_PUT(w, "    }\n");
    }
}

static void nn__opencl_chain_put_softmax(nn__opencl_chain_writer *w, int i,
                                         const nn_softmax_args *x, bool backward) {
    char range[32];
    const char *rows = nn__opencl_chain_range(w, i, range, sizeof range);
    NN__CHAIN_PUT(w, "    nn_chain_softmax%s(%s, %s, ", backward ? "_slope" : "",
                  NN__CHAIN_NAME(w, backward ? &x->x : &x->y),
                  NN__CHAIN_NAME(w, backward ? &x->y : &x->x));
    if (backward) NN__CHAIN_PUT(w, "%s, ", NN__CHAIN_NAME(w, &x->dy));
    NN__CHAIN_PUT(w, "%uu, %d, %s);\n", (unsigned)x->x.shape.extent[1], (int)x->logarithm, rows);
}

/* Who wrote the view as a total; -1: nobody. */
static int nn__opencl_chain_total_of(const nn__opencl_chain_writer *w, const nn_view *view) {
    for (int i = 0; i < w->chain->count; i++) {
        nn__opencl_chain_views views;
        if (w->chain->link[i] != NN__LINK_TOTAL) continue;
        nn__opencl_chain_list(&w->chain->calls[i], &views);
        const nn_view *y = views.view[views.count - 1];
        if (y->handle == view->handle && y->offset == view->offset) return i;
    }
    return -1;
}

static void nn__opencl_chain_put_accumulate(nn__opencl_chain_writer *w, int i,
                                            const nn_accumulate_args *a) {
    const int total = nn__opencl_chain_total_of(w, &a->value);
    if (w->phase == NN__PHASE_REST && total >= 0)
        NN__CHAIN_PUT(w, "    {\n    float value = total%d;\n", total);
    else
        NN__CHAIN_PUT(w, "    {\n    float value = %s[0];\n", NN__CHAIN_NAME(w, &a->value));
    if (a->check)
        NN__CHAIN_PUT(w, "    if (!(fabs(value) < INFINITY)) {\n        if (NN_LANE == 0) "
                         "nn_set_status(status, status_offset, step, NN_FAULT_LOSS);\n"
                         "        faulty = true;\n    }\n");
    if (nn__opencl_present(&a->total))
        NN__CHAIN_PUT(w, "    if (!faulty && NN_LANE == 0) {\n        %s[0] += value * weight%d;\n"
                         "        %s[1] += weight%d;\n    }\n",
                      NN__CHAIN_NAME(w, &a->total), i, NN__CHAIN_NAME(w, &a->total), i);
    NN__CHAIN_PUT(w, "    }\n");
}

static void nn__opencl_chain_put_call(nn__opencl_chain_writer *w, int i) {
    const nn_call *call = &w->chain->calls[i];
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    if (kind) {
        kind->put(w, i, call->args);
        return;
    }
    switch ((int)call->kernel) {
    case NN_KERNEL_GEMM:
        nn__opencl_chain_put_gemm(w, i, (const nn_gemm_args *)call->args);
        break;
    case NN_KERNEL_POINTWISE:
        nn__opencl_chain_put_pointwise(w, i, (const nn_program_args *)call->args);
        break;
    case NN_KERNEL_REDUCE:
        nn__opencl_chain_put_reduce(w, i, (const nn_reduce_args *)call->args);
        break;
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD:
        nn__opencl_chain_put_softmax(w, i, (const nn_softmax_args *)call->args,
                                     call->kernel == NN_KERNEL_SOFTMAX_BACKWARD);
        break;
    case NN_KERNEL_ACCUMULATE:
        nn__opencl_chain_put_accumulate(w, i, (const nn_accumulate_args *)call->args);
        break;
    case NN_KERNEL_CLIP:
        nn__opencl_chain_put_clip(w, i, (const nn_clip_args *)call->args);
        break;
    case NN_KERNEL_UPDATE:
        nn__opencl_chain_put_update(w, i, (const nn_update_args *)call->args);
        break;
    default:
        nn__opencl_chain_put_entropy(w, i, (const nn_cross_entropy_args *)call->args,
                                     call->kernel == NN_KERNEL_CROSS_ENTROPY_BACKWARD);
        break;
    }
}

/* ---- what the rest does with sums over the rows ---------------------------------------------- */

static void nn__opencl_chain_put_finish(nn__opencl_chain_writer *w, int i) {
    const nn_call *call = &w->chain->calls[i];
    nn__opencl_chain_views views;
    nn__opencl_chain_list(call, &views);
    const nn_view *y = views.view[views.count - 1];
    const unsigned part = (unsigned)nn__opencl_chain_part(w, y);
    char scale[24];
    nn__opencl_copy_text(scale, sizeof scale, "1.0f");
    if (call->kernel == NN_KERNEL_REDUCE)
        nn__opencl_format(scale, sizeof scale, "f%d_0", i);
    if (w->chain->link[i] == NN__LINK_SUMS) {
        NN__CHAIN_PUT(w, "    nn_chain_finish(%s, parts + %u, %uu, groups, %uu, %s);\n",
                      NN__CHAIN_NAME(w, y), part, (unsigned)w->chain->parts,
                      (unsigned)nn__opencl_count(y), scale);
    } else if (call->kernel == NN_KERNEL_REDUCE) {
        NN__CHAIN_PUT(w, "    total%d = nn_chain_sum(parts + %u, %uu, groups) * %s;\n"
                         "    if (NN_LANE == 0) %s[0] = total%d;\n", i, part,
                      (unsigned)w->chain->parts, scale, NN__CHAIN_NAME(w, y), i);
    } else {
        NN__CHAIN_PUT(w, "    {\n    float t[3];\n    for (uint k = 0; k < 3; k++)\n"
                         "        t[k] = nn_chain_sum(parts + %u + k, %uu, groups);\n",
                      part, (unsigned)w->chain->parts);
        nn__opencl_chain_put_loss(w, i, (const nn_cross_entropy_args *)call->args, "NN_LANE == 0");
        NN__CHAIN_PUT(w, "    }\n");
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void nn__opencl_chain_put_head(nn__opencl_chain_writer *w) {
    const nn__opencl_chain *chain = w->chain;
    const bool one = chain->device->cpu;
    const int lanes = nn__opencl_chain_lanes(chain->device);
    bool angles = false, kinds = false;
    NN__CHAIN_PUT(w, "#define NN_ONE %d\n#define NV %d\n#define V float%d\n"
                     "#define NN_LOAD vload%d\n#define NN_STORE vstore%d\n", (int)one, lanes, lanes,
                  lanes, lanes);
    NN__CHAIN_PUT(w, "#define NN_DOWN 4u\n#define NN_TALL %du\n", one ? 8 : 4);
    NN__CHAIN_PUT(w, "#define NN_LANE %s\n#define NN_WIDTH %s\n#define NN_NEXT %s\n",
                  one                            ? "0u"
                  : w->phase == NN__PHASE_REST ? "(uint)get_global_id(0)"
                                                 : "(uint)get_local_id(0)",
                  one                            ? "1u"
                  : w->phase == NN__PHASE_REST ? "(uint)get_global_size(0)"
                  : nn__opencl_chain_is_wide(chain->device) ? "256u"
                                                            : "(uint)get_local_size(0)",
                  one ? "" : "NN_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    w->patch = w->out.used;
    NN__CHAIN_PUT(w, "#define NN_CACHE          \n");
    nn__opencl_chain_put_words(&w->out, one);
    if (!one) nn__opencl_chain_put_tile_words(&w->out);
    for (int i = 0; i < chain->count; i++) {
        kinds = kinds || nn__opencl_chain_kind_of(&chain->calls[i]);
        if (chain->calls[i].kernel == NN_KERNEL_POINTWISE)
            angles = angles || nn__opencl_pointwise_has_angles(
                                   &((const nn_program_args *)chain->calls[i].args)->program);
    }
    if (kinds) nn__opencl_chain_put_kind_words(&w->out);
    nn__opencl_pointwise_put_words(&w->out, one ? 16 : 4, false, angles);
    nn__opencl_chain_put_parameters(w);
    NN__CHAIN_PUT(w, ") {\n    __local float lanes[%d];\n", NN__CHAIN_LANES);
    if (w->phase == NN__PHASE_ALL || w->phase == NN__PHASE_REST)
        NN__CHAIN_PUT(w, "    const uint none = 0, lane = NN_LANE;\n");
    else
        NN__CHAIN_PUT(w, "    __local volatile uint none_of[1];\n"
                         "    if (NN_LANE == 0) none_of[0] = 0;\n    NN_NEXT\n");
    if (!one)
        NN__CHAIN_PUT(w, "    __local float4 cache_of[NN_CACHE];\n"
                         "    __local float *cache = (__local float *)cache_of;\n");
    if (w->phase == NN__PHASE_REST && nn__opencl_present(&chain->status))
        NN__CHAIN_PUT(w, "    bool faulty = parts[parts_offset + %uu] != 0.0f;\n",
                      (unsigned)chain->fault);
    else
        NN__CHAIN_PUT(w, "    bool faulty = nn_faulty(status, status_offset);\n");
    /* What does not change from piece to piece, or from run to run, compilers keep in registers, of
       which a place for each view and call takes most: the places are made from a number that they
       do not know. */
    if (w->phase == NN__PHASE_RUNS) nn__opencl_chain_put_run(w);
    const bool by_rows = w->phase == NN__PHASE_ROWS;
    for (int s = 0; s < chain->storage_count; s++) {
        NN__CHAIN_PUT(w, by_rows ? "#define p%d " : "    __global float *p%d = ", s);
        if (chain->storages[s].own)
            NN__CHAIN_PUT(w, "(b%d + (o%d + none))", (int)chain->storages[s].buffer, s);
        else
            NN__CHAIN_PUT(w, "nn_chain_at(o%d, b0, b1, b2, b3, b4, b5, b6, b7)", s);
        NN__CHAIN_PUT(w, by_rows ? "\n" : ";\n");
    }
    for (int i = 0; i < chain->count; i++)
        if (chain->link[i] == NN__LINK_TOTAL) NN__CHAIN_PUT(w, "    float total%d;\n", i);
}

/* A barrier if the call reads or writes what was written since the last one, or writes what was
   read since then. */
static void nn__opencl_chain_put_barrier(nn__opencl_chain_writer *w, int i) {
    nn__opencl_chain *chain = w->chain;
    nn__opencl_chain_views views;
    bool needed = false;
    nn__opencl_chain_list(&chain->calls[i], &views);
    if (chain->calls[i].kernel == NN_KERNEL_GEMM && !chain->device->cpu) return; /* see there */
    for (int k = 0; k < views.count; k++)
        if (views.written[k]) nn__opencl_chain_forget(w, views.view[k]);
    for (int k = 0; k < views.count; k++) {
        const int s = nn__opencl_chain_find(chain, views.view[k]);
        const nn__opencl_storage *at = &chain->storages[s];
        needed = needed || at->written || (views.written[k] && at->read);
    }
    if (needed) nn__opencl_chain_put_next(w);
    for (int k = 0; k < views.count; k++) {
        nn__opencl_storage *at = &chain->storages[nn__opencl_chain_find(chain, views.view[k])];
        at->read = true;
        at->written = at->written || views.written[k];
    }
}

static void nn__opencl_chain_put_rows(nn__opencl_chain_writer *w) {
    NN__CHAIN_PUT(w, "    __global float *part = parts + parts_offset + get_group_id(0) * %uu;\n"
                     "    bool more = false;\n",
                  (unsigned)w->chain->parts);
    if (nn__opencl_present(&w->chain->status))
        NN__CHAIN_PUT(w, "    if (get_global_id(0) == 0) part[%uu] = faulty ? 1.0f : 0.0f;\n",
                      (unsigned)w->chain->fault);
    NN__CHAIN_PUT(w, "    for (uint row = (uint)get_group_id(0) * piece; row < rows; "
                     "row += groups * piece, more = true) {\n"
                     "    uint row_end = min(row + piece, rows);\n"
                     "    const uint none = none_of[0], lane = NN_LANE + none;\n");
    for (int i = 0; i < w->chain->count; i++) {
        if (w->chain->link[i] == NN__LINK_LAST) continue;
        nn__opencl_chain_put_barrier(w, i);
        nn__opencl_chain_put_call(w, i);
    }
    NN__CHAIN_PUT(w, "    NN_NEXT\n    }\n");
}

static void nn__opencl_chain_put_rest(nn__opencl_chain_writer *w) {
    NN__CHAIN_PUT(w, "    parts += parts_offset;\n");
    for (int i = 0; i < w->chain->count; i++) {
        const int link = w->chain->link[i];
        const nn_view *at;
        if (nn__opencl_chain_fault_of(&w->chain->calls[i], &at)) nn__opencl_chain_put_fault(w, i);
        if (link == NN__LINK_SUMS || link == NN__LINK_TOTAL) nn__opencl_chain_put_finish(w, i);
        if (link == NN__LINK_LAST || link == NN__LINK_NUMBER) nn__opencl_chain_put_call(w, i);
    }
}

/* How much of local memory the text came to use, where the text asks for it. */
static void nn__opencl_chain_put_room(nn__opencl_chain_writer *w) {
    char number[12];
    nn__opencl_format(number, sizeof number, "%u", (unsigned)(w->deepest / 4 + 1));
    memcpy(w->out.text + w->patch + strlen("#define NN_CACHE "), number, strlen(number));
}

NN__OPENCL_PRIVATE char *nn__opencl_chain_make(nn__opencl *device, const void *user,
                                               size_t *bytes) {
    const nn__opencl_chain_text *text = (const nn__opencl_chain_text *)user;
    nn__opencl_chain_writer writer, *w = &writer;
    memset(w, 0, sizeof *w);
    *bytes = w->out.size = NN__CHAIN_TEXT_BYTES;
    w->out.text = (char *)nn_take_memory(device->nn, *bytes);
    w->chain = text->chain;
    w->phase = text->phase;
    w->room = nn__opencl_chain_room(device, text->phase);
    if (!w->out.text) {
        nn_record_error(device->nn, NN_ERROR_MEMORY, "opencl: no memory for the text of a chain");
        return NULL;
    }
    for (int s = 0; s < w->chain->storage_count; s++)
        w->chain->storages[s].read = w->chain->storages[s].written = false;
    nn__opencl_chain_put_head(w);
    if (w->phase == NN__PHASE_ROWS) {
        nn__opencl_chain_put_rows(w);
    } else if (w->phase == NN__PHASE_REST) {
        nn__opencl_chain_put_rest(w);
    } else {
        for (int i = 0; i < w->chain->count; i++) {
            nn__opencl_chain_put_barrier(w, i);
            nn__opencl_chain_put_call(w, i);
        }
    }
    if (w->phase == NN__PHASE_RUNS)
        NN__CHAIN_PUT(w, "    NN_NEXT\n    run += %d;\n    (void)step;\n    }\n", w->word);
    else
        NN__CHAIN_PUT(w, "    (void)parts, (void)rows;\n");
    NN__CHAIN_PUT(w, "    (void)lanes, (void)faulty;\n}\n");
    nn__opencl_chain_put_room(w);
    return w->out.text;
}

#undef NN__CHAIN_TEXT_BYTES
#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
