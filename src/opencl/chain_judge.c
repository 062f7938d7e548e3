/* opencl/chain_judge.c - which calls can be links of a chain: the layers of a net of at most 128
   numbers, its loss, the gradients and the update. */
#include "opencl/chain.h"

#define NN__CHAIN_WEIGHED  (1 << 16) /* rows, whose weights every work-group adds up */
#define NN__CHAIN_NUMBERS  (1 << 15) /* of parameters that one work-group updates */

/* ---- views ----------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_chain_add(nn__opencl_chain_views *views, const nn_view *view,
                                             bool written) {
    if (!nn__opencl_present(view)) return;
    if (views->count < NN__CHAIN_STORAGES) {
        views->view[views->count] = view;
        views->written[views->count] = written;
    }
    views->count++;
}

static void nn__opencl_chain_add_entropy(nn__opencl_chain_views *views,
                                         const nn_cross_entropy_args *e, bool backward) {
    nn__opencl_chain_add(views, &e->logits, false);
    nn__opencl_chain_add(views, &e->label, false);
    nn__opencl_chain_add(views, &e->weight, false);
    if (backward) nn__opencl_chain_add(views, &e->dloss, false);
    nn__opencl_chain_add(views, backward ? &e->dlogits : &e->loss, true);
}

NN__OPENCL_PRIVATE void nn__opencl_chain_list(const nn_call *call, nn__opencl_chain_views *views) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    views->count = 0;
    if (kind) {
        kind->list(call->args, views);
        return;
    }
    switch ((int)call->kernel) {
    case NN_KERNEL_GEMM: {
        const nn_gemm_args *g = (const nn_gemm_args *)call->args;
        nn__opencl_chain_add(views, &g->a, false);
        nn__opencl_chain_add(views, &g->b, false);
        nn__opencl_chain_add(views, &g->epilogue.bias, false);
        nn__opencl_chain_add(views, &g->y, true);
        break;
    }
    case NN_KERNEL_POINTWISE: {
        const nn_program_args *p = (const nn_program_args *)call->args;
        for (int k = 0; !p->item_count && k < p->program.input_count; k++)
            nn__opencl_chain_add(views, &p->inputs[k], false);
        for (int k = 0; !p->item_count && k < p->program.output_count; k++)
            nn__opencl_chain_add(views, &p->outputs[k], true);
        break;
    }
    case NN_KERNEL_REDUCE: {
        const nn_reduce_args *r = (const nn_reduce_args *)call->args;
        nn__opencl_chain_add(views, &r->x, false);
        nn__opencl_chain_add(views, &r->y, true);
        break;
    }
    case NN_KERNEL_CROSS_ENTROPY_FORWARD:
    case NN_KERNEL_CROSS_ENTROPY_BACKWARD:
        nn__opencl_chain_add_entropy(views, (const nn_cross_entropy_args *)call->args,
                                     call->kernel == NN_KERNEL_CROSS_ENTROPY_BACKWARD);
        break;
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD: {
        const nn_softmax_args *x = (const nn_softmax_args *)call->args;
        const bool backward = call->kernel == NN_KERNEL_SOFTMAX_BACKWARD;
        nn__opencl_chain_add(views, backward ? &x->y : &x->x, false);
        if (backward) nn__opencl_chain_add(views, &x->dy, false);
        nn__opencl_chain_add(views, backward ? &x->x : &x->y, true);
        break;
    }
    case NN_KERNEL_ACCUMULATE: {
        const nn_accumulate_args *a = (const nn_accumulate_args *)call->args;
        nn__opencl_chain_add(views, &a->value, false);
        nn__opencl_chain_add(views, &a->total, true);
        break;
    }
    case NN_KERNEL_CLIP: {
        const nn_clip_args *c = (const nn_clip_args *)call->args;
        for (int32_t i = 0; i < c->count; i++)
            nn__opencl_chain_add(views, &c->items[i].gradient, false);
        nn__opencl_chain_add(views, &c->scale, true);
        nn__opencl_chain_add(views, &c->norm, true);
        break;
    }
    case NN_KERNEL_UPDATE: {
        const nn_update_args *u = (const nn_update_args *)call->args;
        nn__opencl_chain_add(views, &u->gradient_scale, false);
        for (int32_t i = 0; i < u->count; i++) {
            nn__opencl_chain_add(views, &u->items[i].gradient, false);
            nn__opencl_chain_add(views, &u->items[i].parameter, true);
            nn__opencl_chain_add(views, &u->items[i].moment1, true);
            nn__opencl_chain_add(views, &u->items[i].moment2, true);
        }
        break;
    }
    default: break;
    }
}

/* ---- storages -------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE int nn__opencl_chain_find(const nn__opencl_chain *chain, const nn_view *view) {
    if (!nn__opencl_present(view)) return -1;
    for (int i = 0; i < chain->storage_count; i++)
        if (chain->storages[i].handle == view->handle && chain->storages[i].offset == view->offset)
            return i;
    return -1;
}

/* Notes a view; false: there are too many, or it is none that a chain reads. */
static bool nn__opencl_chain_note(nn__opencl_chain *chain, const nn_view *view) {
    nn__opencl_storage *storage = &chain->storages[chain->storage_count];
    int buffer = 0;
    if (!nn__opencl_present(view)) return true;
    if ((view->dtype != NN_F32 && view->dtype != NN_I32) || view->offset % 4 != 0 ||
        view->offset / 4 >> NN__CHAIN_PLACE || nn__opencl_count(view) < 1) {
        chain->why = "it has a dtype other than f32, or nothing inside";
        return false;
    }
    if (nn__opencl_chain_find(chain, view) >= 0) return true;
    while (buffer < chain->buffer_count && chain->buffers[buffer] != view->handle) buffer++;
    if (chain->storage_count == NN__CHAIN_STORAGES || buffer == NN__CHAIN_BUFFERS) {
        chain->why = "more tensors than one kernel takes";
        return false;
    }
    if (buffer == chain->buffer_count) chain->buffers[chain->buffer_count++] = view->handle;
    memset(storage, 0, sizeof *storage);
    storage->handle = view->handle;
    storage->offset = view->offset;
    storage->buffer = (int8_t)buffer;
    chain->storage_count++;
    return true;
}

static nn__opencl_link nn__opencl_chain_made(const nn__opencl_chain *chain, const nn_view *view) {
    const int i = nn__opencl_chain_find(chain, view);
    return i < 0 ? NN__LINK_NONE : (nn__opencl_link)chain->storages[i].made;
}

/* Read whole, by every work-group: it must come from outside. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_whole(nn__opencl_chain *chain, const nn_view *view) {
    const int i = nn__opencl_chain_find(chain, view);
    if (i >= 0) chain->storages[i].whole = true;
    return !chain->by_rows || nn__opencl_chain_made(chain, view) == NN__LINK_NONE;
}
/* Does a work-group write rows of what others may still be reading whole? A plan lets the last
   reader of a value overwrite it. */
static bool nn__opencl_chain_overwrites(nn__opencl_chain *chain,
                                        const nn__opencl_chain_views *views) {
    for (int i = 0; chain->by_rows && i < views->count; i++)
        if (views->written[i] &&
            chain->storages[nn__opencl_chain_find(chain, views->view[i])].whole)
            return true;
    return false;
}
/* Read in rows of the work-group's own. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_rows(const nn__opencl_chain *chain, const nn_view *view) {
    const nn__opencl_link made = nn__opencl_chain_made(chain, view);
    return !chain->by_rows || made == NN__LINK_NONE || made == NN__LINK_ROWS;
}
static bool nn__opencl_chain_number(const nn__opencl_chain *chain, const nn_view *view) {
    const nn__opencl_link made = nn__opencl_chain_made(chain, view);
    return !chain->by_rows || made == NN__LINK_NONE || made == NN__LINK_NUMBER;
}

/* The call writes the view, as `link`, with so many partial sums. */
NN__OPENCL_PRIVATE void nn__opencl_chain_makes(nn__opencl_chain *chain, const nn_view *view,
                                               nn__opencl_link link, int64_t parts) {
    const int i = nn__opencl_chain_find(chain, view);
    if (i < 0) return;
    chain->storages[i].made = (uint8_t)link;
    chain->storages[i].part = (int32_t)chain->parts;
    chain->parts += (uint32_t)(parts + 3) / 4 * 4; /* whole float4 */
}

/* Is it the number of rows that all of the chain has? */
NN__OPENCL_PRIVATE bool nn__opencl_chain_height(nn__opencl_chain *chain, int64_t rows) {
    if (!chain->by_rows) return rows <= NN__CHAIN_ROWS;
    if (chain->rows == 0 && rows < INT32_MAX) chain->rows = (uint32_t)rows;
    return (int64_t)chain->rows == rows;
}

NN__OPENCL_PRIVATE bool nn__opencl_chain_status(nn__opencl_chain *chain, const nn_view *status) {
    if (!nn__opencl_present(status)) return true;
    if (!nn__opencl_present(&chain->status)) chain->status = *status;
    return chain->status.handle == status->handle && chain->status.offset == status->offset;
}

/* Of an operand in rows of whole float4 it matters whether it begins with one; of others the text
   must not know. */
static void nn__opencl_chain_align(nn__opencl_chain *chain, const nn_view *view, int32_t width) {
    const int i = nn__opencl_chain_find(chain, view);
    if (width % 4 == 0) chain->storages[i].aligned = view->offset % 16 == 0;
}

/* ---- calls: may it be a link, and which one? NONE: it may not -------------------------------- */

static nn__opencl_link nn__opencl_chain_gemm(nn__opencl_chain *chain, const nn_gemm_args *g) {
    int64_t products = 1;
    for (int i = 0; i < NN_GEMM_BATCH; i++) products *= g->batch[i] ? g->batch[i] : 1;
    const bool sums = g->transpose_a;
    const nn_view *const bias = &g->epilogue.bias;
    if (products != 1 || g->accumulate || (sums && g->transpose_b) ||
        (sums && (nn__opencl_present(bias) || g->epilogue.activation)) || g->a.dtype != NN_F32 ||
        g->b.dtype != NN_F32) {
        chain->why = "a product of another kind";
        return NN__LINK_NONE;
    }
    chain->why = "a layer is wider than 128";
    if (g->n > NN__CHAIN_WIDTH || (sums ? g->m : g->k) > NN__CHAIN_WIDTH || g->k < 1)
        return NN__LINK_NONE;
    chain->why = "it has other rows, or too many";
    if (!nn__opencl_chain_height(chain, sums ? g->k : g->m) ||
        !nn__opencl_chain_rows(chain, &g->a) || !nn__opencl_chain_whole(chain, bias))
        return NN__LINK_NONE;
    if (!(sums ? nn__opencl_chain_rows(chain, &g->b) : nn__opencl_chain_whole(chain, &g->b)))
        return NN__LINK_NONE;
    nn__opencl_chain_align(chain, &g->a, sums ? g->m : g->k);
    nn__opencl_chain_align(chain, &g->b, g->transpose_b ? g->k : g->n);
    nn__opencl_chain_align(chain, &g->y, g->n);
    chain->work += 2.0 * (double)g->m * (double)g->n * (double)g->k;
    nn__opencl_chain_makes(chain, &g->y, sums ? NN__LINK_SUMS : NN__LINK_ROWS,
                           sums ? (int64_t)g->m * g->n : 0);
    return sums ? NN__LINK_SUMS : NN__LINK_ROWS;
}

/* May the input k be read, by rows or as a number? */
static bool nn__opencl_chain_operand(nn__opencl_chain *chain, const nn__opencl_pointwise *p,
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

static nn__opencl_link nn__opencl_chain_pointwise(nn__opencl_chain *chain,
                                                  const nn_program_args *args) {
    nn__opencl_pointwise p;
    chain->why = "element-wise work of another kind";
    if (args->item_count || args->accumulate || nn__opencl_count(&args->outputs[0]) < 1 ||
        (chain->by_rows && nn__opencl_present(&args->status)) ||
        !nn__opencl_chain_status(chain, &args->status))
        return NN__LINK_NONE;
    nn__opencl_pointwise_look(chain->device, args, 0, &p);
    const nn_view *y = &p.outputs[0];
    const int64_t count = nn__opencl_count(y);
    const bool number = count == 1 && chain->by_rows && chain->rows != 1;
    if (p.wide || count > (chain->by_rows ? INT32_MAX : NN__CHAIN_ROWS * NN__CHAIN_WIDTH) ||
        (chain->by_rows && !number &&
         (y->shape.rank < 1 || !nn__opencl_chain_height(chain, y->shape.extent[0]))))
        return NN__LINK_NONE;
    for (int k = 0; k < args->program.input_count; k++)
        if (!(number ? nn__opencl_chain_number(chain, &p.inputs[k])
                     : nn__opencl_chain_operand(chain, &p, k)))
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

static nn__opencl_link nn__opencl_chain_reduce(nn__opencl_chain *chain,
                                               const nn_reduce_args *args) {
    const nn_shape *x = &args->x.shape;
    const bool all = args->axes + 1 == 1u << x->rank, columns = !all;
    chain->why = "a reduction of another kind";
    if (args->x.dtype != NN_F32 || (columns && x->extent[1] > NN__CHAIN_WIDTH) ||
        nn__opencl_count(&args->x) >
            (chain->by_rows ? INT32_MAX : NN__CHAIN_ROWS * NN__CHAIN_WIDTH))
        return NN__LINK_NONE;
    if ((columns || chain->by_rows) && !nn__opencl_chain_height(chain, x->extent[0]))
        return NN__LINK_NONE;
    if (!nn__opencl_chain_rows(chain, &args->x)) return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &args->y, all ? NN__LINK_TOTAL : NN__LINK_SUMS,
                           all ? 1 : x->extent[1]);
    chain->work += 2.0 * (double)nn__opencl_count(&args->x);
    return all ? NN__LINK_TOTAL : NN__LINK_SUMS;
}

static nn__opencl_link nn__opencl_chain_entropy(nn__opencl_chain *chain,
                                                const nn_cross_entropy_args *args, bool backward) {
    const nn_shape *x = &args->logits.shape;
    chain->why = "a cross entropy of another kind";
    const bool each = args->reduction == NN_REDUCTION_NONE;
    if (x->rank != 2 || x->extent[1] > NN__CHAIN_WIDTH ||
        (chain->by_rows && backward && args->reduction == NN_MEAN &&
         (nn__opencl_present(&args->weight) || args->ignore) &&
         x->extent[0] > NN__CHAIN_WEIGHED) ||
        !nn__opencl_chain_height(chain, x->extent[0]) ||
        !nn__opencl_chain_status(chain, &args->status))
        return NN__LINK_NONE;
    if (!nn__opencl_chain_rows(chain, &args->logits) ||
        !nn__opencl_chain_whole(chain, &args->label) ||
        !nn__opencl_chain_whole(chain, &args->weight) ||
        (backward && !(each ? nn__opencl_chain_rows(chain, &args->dloss)
                            : nn__opencl_chain_number(chain, &args->dloss))))
        return NN__LINK_NONE;
    const nn__opencl_link link = backward || each ? NN__LINK_ROWS : NN__LINK_TOTAL;
    nn__opencl_chain_makes(chain, backward ? &args->dlogits : &args->loss, link,
                           backward ? 0
                           : each   ? 1 /* the mark of a fault */
                                    : 3);
    chain->work += 20.0 * (double)nn__opencl_count(&args->logits);
    return link;
}

/* CPUs are faster with its own kernel, which has a row in vectors. */
static nn__opencl_link nn__opencl_chain_softmax(nn__opencl_chain *chain,
                                                const nn_softmax_args *args, bool backward) {
    const nn_shape *x = &args->x.shape;
    chain->why = "a softmax of another kind";
    if (chain->device->cpu || x->rank != 2 || x->extent[1] > NN__CHAIN_WIDTH ||
        !nn__opencl_chain_height(chain, x->extent[0]) ||
        !nn__opencl_chain_rows(chain, backward ? &args->y : &args->x) ||
        (backward && !nn__opencl_chain_rows(chain, &args->dy)))
        return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, backward ? &args->x : &args->y, NN__LINK_ROWS, 0);
    chain->work += 20.0 * (double)nn__opencl_count(&args->x);
    return NN__LINK_ROWS;
}

static nn__opencl_link nn__opencl_chain_accumulate(nn__opencl_chain *chain,
                                                   const nn_accumulate_args *args) {
    const nn__opencl_link made = nn__opencl_chain_made(chain, &args->value);
    chain->why = "a metric of several numbers";
    if (args->sums || !nn__opencl_chain_status(chain, &args->status) ||
        (chain->by_rows && made != NN__LINK_NONE && made != NN__LINK_TOTAL) ||
        !nn__opencl_chain_whole(chain, &args->total))
        return NN__LINK_NONE;
    nn__opencl_chain_makes(chain, &args->total, NN__LINK_LAST, 0);
    return NN__LINK_LAST;
}

static nn__opencl_link nn__opencl_chain_clip(nn__opencl_chain *chain, const nn_clip_args *args) {
    chain->why = "the norm of all gradients comes first";
    if (chain->by_rows) return NN__LINK_NONE;
    for (int32_t i = 0; i < args->count; i++) {
        chain->work += 2.0 * (double)nn__opencl_count(&args->items[i].gradient);
        if (nn__opencl_count(&args->items[i].gradient) > NN__CHAIN_NUMBERS) return NN__LINK_NONE;
    }
    return NN__LINK_LAST;
}

static nn__opencl_link nn__opencl_chain_update(nn__opencl_chain *chain,
                                               const nn_update_args *args) {
    int64_t numbers = 0;
    chain->why = "an update of many numbers";
    if (!nn__opencl_chain_status(chain, &args->status) ||
        !nn__opencl_chain_whole(chain, &args->gradient_scale))
        return NN__LINK_NONE;
    for (int32_t i = 0; i < args->count; i++) {
        const nn_update_item *item = &args->items[i];
        const nn__opencl_link made = nn__opencl_chain_made(chain, &item->gradient);
        const bool added = made == NN__LINK_SUMS || made == NN__LINK_TOTAL;
        numbers += nn__opencl_count(&item->parameter);
        if ((chain->by_rows && made != NN__LINK_NONE && !added) ||
            (chain->by_rows &&
             nn__opencl_chain_made(chain, &item->parameter) != NN__LINK_NONE))
            return NN__LINK_NONE;
    }
    if (numbers > (chain->by_rows ? 1 << 22 : NN__CHAIN_NUMBERS)) return NN__LINK_NONE;
    for (int32_t i = 0; i < args->count; i++) {
        nn__opencl_chain_makes(chain, &args->items[i].parameter, NN__LINK_LAST, 0);
        nn__opencl_chain_makes(chain, &args->items[i].moment1, NN__LINK_LAST, 0);
        nn__opencl_chain_makes(chain, &args->items[i].moment2, NN__LINK_LAST, 0);
    }
    chain->work += 8.0 * (double)numbers;
    return NN__LINK_LAST;
}

static nn__opencl_link nn__opencl_chain_link(nn__opencl_chain *chain, const nn_call *call) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    if (kind) return kind->judge(chain, call->args);
    switch ((int)call->kernel) {
    case NN_KERNEL_GEMM:
        return nn__opencl_chain_gemm(chain, (const nn_gemm_args *)call->args);
    case NN_KERNEL_POINTWISE:
        return nn__opencl_chain_pointwise(chain, (const nn_program_args *)call->args);
    case NN_KERNEL_REDUCE:
        return nn__opencl_chain_reduce(chain, (const nn_reduce_args *)call->args);
    case NN_KERNEL_CROSS_ENTROPY_FORWARD:
    case NN_KERNEL_CROSS_ENTROPY_BACKWARD:
        return nn__opencl_chain_entropy(chain, (const nn_cross_entropy_args *)call->args,
                                        call->kernel == NN_KERNEL_CROSS_ENTROPY_BACKWARD);
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD:
        return nn__opencl_chain_softmax(chain, (const nn_softmax_args *)call->args,
                                        call->kernel == NN_KERNEL_SOFTMAX_BACKWARD);
    case NN_KERNEL_ACCUMULATE:
        return nn__opencl_chain_accumulate(chain, (const nn_accumulate_args *)call->args);
    case NN_KERNEL_CLIP: return nn__opencl_chain_clip(chain, (const nn_clip_args *)call->args);
    case NN_KERNEL_UPDATE:
        return nn__opencl_chain_update(chain, (const nn_update_args *)call->args);
    default: chain->why = "no operation of small nets"; return NN__LINK_NONE;
    }
}

static nn__opencl_link nn__opencl_chain_judge(nn__opencl_chain *chain, const nn_call *call) {
    nn__opencl_chain_views views;
    nn__opencl_chain_list(call, &views);
    if (views.count > NN__CHAIN_STORAGES) {
        chain->why = "more tensors than one kernel takes";
        return NN__LINK_NONE;
    }
    for (int i = 0; i < views.count; i++)
        if (!nn__opencl_chain_note(chain, views.view[i])) return NN__LINK_NONE;
    const nn__opencl_link link = nn__opencl_chain_link(chain, call);
    if (link != NN__LINK_ROWS || !nn__opencl_chain_overwrites(chain, &views)) return link;
    chain->why = "it overwrites what other rows are still made from";
    return NN__LINK_NONE;
}

/* OpenCL promises 1024 bytes of arguments. */
static bool nn__opencl_chain_fits(nn__opencl_chain *chain, const nn_call *call) {
    unsigned char numbers[NN__OPENCL_PARAMETERS];
    nn__opencl_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.device = chain->device;
    launch.into = numbers;
    nn__opencl_chain_numbers(&launch, call);
    chain->numbers += (int)launch.bytes;
    return 96 + 16 * NN__CHAIN_BUFFERS + 4 * chain->storage_count + chain->numbers <=
           NN__OPENCL_PARAMETERS;
}

/* Buffers that the chain writes come first, in the order of what it writes, for of that their
   numbers stand in the text: inputs may be bound to any buffer without a new text. */
static void nn__opencl_chain_number_buffers(nn__opencl_chain *chain) {
    const void *old[NN__CHAIN_BUFFERS];
    int8_t number[NN__CHAIN_BUFFERS], next = 0;
    memcpy(old, chain->buffers, sizeof old);
    memset(number, -1, sizeof number);
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < chain->storage_count; s++) {
            nn__opencl_storage *storage = &chain->storages[s];
            storage->own = storage->made != NN__LINK_NONE;
            if (number[storage->buffer] >= 0 || (pass == 0 && !storage->own)) continue;
            chain->buffers[next] = old[storage->buffer];
            number[storage->buffer] = next++;
        }
    for (int s = 0; s < chain->storage_count; s++)
        chain->storages[s].buffer = number[chain->storages[s].buffer];
}

NN__OPENCL_PRIVATE int nn__opencl_chain_look(nn__opencl_chain *chain, const nn_call *calls,
                                             int count, bool by_rows) {
    nn__opencl *device = chain->device;
    const uint32_t piece = chain->piece;
    nn__opencl_runs *const runs = chain->runs;
    uint32_t most[NN__CHAIN_CALLS];
    memcpy(most, chain->most, sizeof most);
    memset(chain, 0, sizeof *chain);
    memcpy(chain->most, most, sizeof most);
    chain->piece = piece;
    chain->runs = runs;
    chain->device = device;
    chain->calls = calls;
    chain->by_rows = by_rows;
    for (int i = 0; i < count && i < NN__CHAIN_CALLS; i++) {
        chain->link[i] = (uint8_t)nn__opencl_chain_judge(chain, &calls[i]);
        if (chain->link[i] != NN__LINK_NONE && !nn__opencl_chain_fits(chain, &calls[i])) {
            chain->link[i] = NN__LINK_NONE;
            chain->why = "more arguments than OpenCL promises";
        }
        if (chain->link[i] == NN__LINK_NONE) break;
        chain->count++;
    }
    if (chain->count == count) chain->why = NULL;
    if (by_rows && nn__opencl_present(&chain->status)) {
        chain->fault = chain->parts;
        chain->parts += 4;
    }
    nn__opencl_chain_number_buffers(chain);
    return chain->count;
}

#undef NN__CHAIN_NUMBERS
#undef NN__CHAIN_WEIGHED
