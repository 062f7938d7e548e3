/* opencl/chain_text.c - writes the kernel of a chain: the calls in sequence, each as a loop of the
   work-group, with barriers where a call reads or overwrites data of other work-items. Widths are
   part of the text. Rows, places and numbers are arguments, so another batch or learning rate needs
   no new build. */
#include "opencl/chain.h"

#define NN__CHAIN_TEXT_BYTES ((size_t)48 * 1024)

/* ---- what the text of a call contains -------------------------------------------------------- */

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

NN__OPENCL_PRIVATE const nn__opencl_storage *
nn__opencl_chain_storage(const nn__opencl_chain_writer *w, const nn_view *view) {
    const int i = nn__opencl_chain_find(w->chain, view);
    return i < 0 ? NULL : &w->chain->storages[i];
}

NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_part(const nn__opencl_chain_writer *w,
                                                  const nn_view *view) {
    const nn__opencl_storage *storage = nn__opencl_chain_storage(w, view);
    return storage ? (uint32_t)storage->part : 0;
}

NN__OPENCL_PRIVATE const char *nn__opencl_chain_range(const nn__opencl_chain_writer *w, int i,
                                                      char *text, size_t size) {
    if (w->phase == NN__PHASE_ROWS) return "row, row_end";
    nn__opencl_format(text, size, "0u, m%d", i);
    return text;
}

static void nn__opencl_chain_put_call(nn__opencl_chain_writer *w, int i) {
    const nn_call *call = &w->chain->calls[i];
    nn__opencl_chain_kind_of(call)->put(w, i, call->args);
}

/* ---- the whole kernel ------------------------------------------------------------------------ */

static void nn__opencl_chain_put_head(nn__opencl_chain_writer *w) {
    const nn__opencl_chain *chain = w->chain;
    bool angles = false, rows = false;
    NN__CHAIN_PUT(w, "#define NN_LANE %s\n#define NN_WIDTH %s\n#define NN_NEXT %s\n",
                  w->phase == NN__PHASE_REST ? "(uint)get_global_id(0)" : "(uint)get_local_id(0)",
                  w->phase == NN__PHASE_REST ? "(uint)get_global_size(0)"
                  : nn__opencl_chain_is_wide(chain->device) ? "256u"
                                                            : "(uint)get_local_size(0)",
                  "NN_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    w->patch = w->out.used;
    NN__CHAIN_PUT(w, "#define NN_CACHE          \n");
    nn__opencl_chain_put_words(&w->out);
    nn__opencl_chain_put_tile_words(&w->out);
    for (int i = 0; i < chain->count; i++) {
        rows = rows || nn__opencl_chain_is_of_rows(&chain->calls[i]);
        if (chain->calls[i].kernel == NN_KERNEL_POINTWISE)
            angles = angles || nn__opencl_pointwise_has_angles(
                                   &((const nn_program_args *)chain->calls[i].args)->program);
    }
    if (rows) nn__opencl_chain_put_row_words(&w->out);
    nn__opencl_pointwise_put_words(&w->out, 4, false, angles);
    nn__opencl_chain_put_parameters(w);
    NN__CHAIN_PUT(w, ") {\n    __local float lanes[%d];\n", NN__CHAIN_LANES);
    if (w->phase == NN__PHASE_ALL || w->phase == NN__PHASE_REST)
        NN__CHAIN_PUT(w, "    const uint none = 0, lane = NN_LANE;\n");
    else
        NN__CHAIN_PUT(w, "    __local volatile uint none_of[1];\n"
                         "    if (NN_LANE == 0) none_of[0] = 0;\n    NN_NEXT\n");
    NN__CHAIN_PUT(w, "    __local float4 cache_of[NN_CACHE];\n"
                     "    __local float *cache = (__local float *)cache_of;\n");
    if (w->phase == NN__PHASE_REST && nn__opencl_present(&chain->status))
        NN__CHAIN_PUT(w, "    bool faulty = parts[parts_offset + %uu] != 0.0f;\n",
                      (unsigned)chain->fault);
    else
        NN__CHAIN_PUT(w, "    bool faulty = nn_faulty(status, status_offset);\n");
    /* Compilers keep pointers that do not change between pieces or runs in registers, and one
       pointer per view would need most of them. An unknown zero (`none`) in each place prevents
       that. */
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

/* Writes a barrier if the call reads or writes something written since the last barrier, or writes
   something read since then. */
static void nn__opencl_chain_put_barrier(nn__opencl_chain_writer *w, int i) {
    nn__opencl_chain *chain = w->chain;
    nn__opencl_chain_views views;
    bool needed = false;
    nn__opencl_chain_list(&chain->calls[i], &views);
    if (chain->calls[i].kernel == NN_KERNEL_GEMM) return; /* products write their own barriers */
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
        const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(&w->chain->calls[i]);
        const nn_view *at;
        if (nn__opencl_chain_fault_of(&w->chain->calls[i], &at)) nn__opencl_chain_put_fault(w, i);
        if (kind->finish) kind->finish(w, i, w->chain->calls[i].args);
        if (link == NN__LINK_LAST || link == NN__LINK_NUMBER) nn__opencl_chain_put_call(w, i);
    }
}

/* Inserts the used size of local memory into the text. */
static void nn__opencl_chain_put_room(nn__opencl_chain_writer *w) {
    char number[12];
    nn__opencl_format(number, sizeof number, "%u", (unsigned)(w->deepest / 4 + 1));
    memcpy(w->out.text + w->patch + strlen("#define NN_CACHE "), number, strlen(number));
}

static void nn__opencl_chain_put_all(nn__opencl_chain_writer *w) {
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
}

/* If the buffer is too small, writes the text again with the required size. */
NN__OPENCL_PRIVATE char *nn__opencl_chain_make(nn__opencl *device, const void *user,
                                               size_t *bytes) {
    const nn__opencl_chain_text *text = (const nn__opencl_chain_text *)user;
    nn__opencl_chain_writer writer, *w = &writer;
    for (*bytes = NN__CHAIN_TEXT_BYTES;; *bytes = w->out.used + 1) {
        memset(w, 0, sizeof *w);
        w->out.size = *bytes;
        w->out.text = (char *)nn_take_memory(device->nn, *bytes);
        w->chain = text->chain;
        w->phase = text->phase;
        w->room = nn__opencl_chain_room(device, text->phase);
        if (!w->out.text) {
            nn_record_error(device->nn, NN_ERROR_MEMORY,
                            "opencl: no memory for the source of a chain");
            return NULL;
        }
        nn__opencl_chain_put_all(w);
        nn__opencl_chain_put_room(w);
        if (w->out.used < w->out.size) return w->out.text;
        nn_give_memory(device->nn, w->out.text, *bytes);
    }
}

#undef NN__CHAIN_TEXT_BYTES
#undef NN__CHAIN_PUT
#undef NN__CHAIN_NAME
