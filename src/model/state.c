/* model/state.c - saves and loads tensors under given names, for weights and checkpoints.

   A file is read once, in pieces, into temporary memory. The tensors change only after the whole
   file was read and its checksum was verified. Only the callers know what the tensors mean. */
#include "model/private.h"

#ifndef NN_NO_FILES

#define NN__STATE_PIECE                                                                            \
    65536 /* numbers read at a time: at most 0.5 MB as stored, as much converted */
/* a block of temporary memory has at most this many bytes, unless one tensor needs more */
#define NN__STATE_BLOCK ((uint64_t)1 << 28)

/* ---- does the file fit? ---------------------------------------------------------------------- */

NN_PRIVATE const char *nn__begins(const char *text, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* True if the name matches a pattern with a star. *middle: the text for the star. */
static bool nn__state_matches(const char *name, const char *pattern, const char *star,
                              const char **middle, int *length) {
    const size_t before = (size_t)(star - pattern), after = strlen(star + 1), whole = strlen(name);
    if (whole < before + after || strncmp(name, pattern, before) != 0 ||
        strcmp(name + whole - after, star + 1) != 0)
        return false;
    *middle = name + before;
    *length = (int)(whole - before - after);
    return true;
}

/* Applies one rename to `name`. False: it does not match. */
static bool nn__state_apply_rename(const nn_rename *rename, const char *prefix, const char *name,
                                   char *text, size_t size) {
    const char *star = strchr(rename->from, '*'), *to_star, *middle;
    int length;
    if (!star) {
        const char *rest = nn__begins(name, rename->from);
        if (rest && rename->to) nn__join_text(text, size, prefix, rename->to, rest);
        return rest != NULL;
    }
    if (!nn__state_matches(name, rename->from, star, &middle, &length)) return false;
    if (!rename->to) return true;
    to_star = strchr(rename->to, '*');
    if (to_star)
        nn__format(text, size, "%s%.*s%.*s%s", prefix, (int)(to_star - rename->to), rename->to,
                   length, middle, to_star + 1);
    else
        nn__join_text(text, size, prefix, rename->to, "");
    return true;
}

NN_PRIVATE bool nn__check_renames(nn_context *nn, const nn_renames *renames, nn_site site,
                                  const char *who) {
    if (!nn__check_list(nn, site, who, "renames", renames->rename, renames->count, false))
        return false;
    for (int i = 0; i < renames->count; i++) {
        if (renames->rename[i].from) continue;
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: renames[%d].from is NULL; wanted a name, its beginning, or a pattern", who,
                    i);
        return false;
    }
    return true;
}

/* Returns the name of an entry after renaming; NULL: it is left out. */
static const char *nn__state_rename(const nn__state *state, const char *name, char *text,
                                    size_t size) {
    const char *inner = nn__begins(name, NN__OPTIMIZER_PREFIX);
    size_t before = inner ? strlen(NN__OPTIMIZER_PREFIX) : 0;
    for (int i = 0; i < state->renames.count; i++) {
        if (!nn__state_apply_rename(&state->renames.rename[i], inner ? NN__OPTIMIZER_PREFIX : "",
                                    name + before, text, size))
            continue;
        return state->renames.rename[i].to ? text : NULL;
    }
    return name;
}

static nn__state_item *nn__state_find(const nn__state *state, const char *name) {
    for (int i = 0; i < state->count; i++) {
        if (strcmp(state->items[i].name, name) == 0) return &state->items[i];
    }
    return NULL;
}

/* Assigns entries to items. Returns the number of mismatches; with a writer, writes a line for
   each. */
static int nn__state_compare(nn__state *state, const nn_safetensors *file,
                             const nn_writer *writer) {
    char wanted[NN__SHAPE_TEXT], given[NN__SHAPE_TEXT], text[NN__STATE_NAME];
    int faults = 0;
    for (int i = 0; i < state->count; i++) state->items[i].entry = -1;
    /* The first pass assigns the entries, so that missing names are reported before unexpected
       ones. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < nn_safetensors_count(file); i++) {
            nn_safetensors_entry entry = nn_safetensors_at(file, i);
            const char *name = nn__state_rename(state, entry.name, text, sizeof text);
            nn__state_item *item = name ? nn__state_find(state, name) : NULL;
            if (pass == 0) {
                if (item && item->entry < 0) item->entry = i;
            } else if (item && item->entry != i) {
                nn__print(
                    writer,
                    "\n  twice:       \"%s\" and \"%s\" of the file are both \"%s\" after renaming",
                    nn_safetensors_at(file, item->entry).name, entry.name, name);
                faults++;
            } else if (name && !item && !state->non_strict &&
                       !(state->ignores && state->ignores(state, name))) {
                nn__print(writer, "\n  unexpected:  \"%s\" %s is in the file, not in the %s",
                          entry.name, nn__format_shape(entry.shape, given, sizeof given),
                          state->owner);
                faults++;
            }
        }
        if (pass == 0) faults += nn__state_compare_scales(state, file, writer);
        for (int i = 0; i < state->count && pass == 0 && !state->non_strict; i++) {
            const nn__state_item *item = &state->items[i];
            if (item->entry >= 0 || item->optional || item->derived) continue;
            nn__print(writer, "\n  missing:     \"%s\" %s is in the %s, not in the file",
                      state->items[i].name,
                      nn__format_shape(state->items[i].tensor->view.shape, wanted, sizeof wanted),
                      state->owner);
            faults++;
        }
    }
    for (int i = 0; i < state->count; i++) {
        const nn__state_item *item = &state->items[i];
        if (item->entry >= 0 && !nn_dtype_size(nn_safetensors_at(file, item->entry).dtype)) {
            nn__print(writer,
                      "\n  wrong dtype: \"%s\" has one in the file that the library does not have",
                      item->name);
            faults++;
        }
        if (item->entry < 0) continue;
        const nn_safetensors_entry entry = nn_safetensors_at(file, item->entry);
        const nn_shape own = nn__state_floats_shape(item, entry.dtype);
        if (nn_same_shape(entry.shape, own)) continue;
        nn__print(writer, "\n  wrong shape: \"%s\" is %s in the file, %s in the %s", item->name,
                  nn__format_shape(entry.shape, given, sizeof given),
                  nn__format_shape(own, wanted, sizeof wanted), state->owner);
        faults++;
    }
    if (state->differs) faults += state->differs(state, file, writer);
    return faults;
}

/* True if every item without an entry has one when a prefix is added to its name, or removed. */
static bool nn__state_prefixed(const nn__state *state, const nn_safetensors *file,
                               const char *prefix, int length, bool in_file) {
    char text[NN__STATE_NAME];
    for (int i = 0; i < state->count; i++) {
        const nn__state_item *item = &state->items[i];
        const char *name = item->name;
        if (item->entry >= 0 || item->optional || item->derived) continue;
        if (in_file) {
            nn__format(text, sizeof text, "%.*s%s", length, prefix, name);
            name = text;
        } else {
            if (strncmp(name, prefix, (size_t)length) != 0) return false;
            name += length;
        }
        if (nn_safetensors_find(file, name) < 0) return false;
    }
    return true;
}

/* If all names differ by one prefix, as those of a wrapped model do, suggests the rename that
   removes it. */
static void nn__state_hint(const nn__state *state, const nn_safetensors *file,
                           const nn_writer *writer) {
    int i = 0;
    if (state->renames.count > 0) return;
    while (i < state->count &&
           (state->items[i].entry >= 0 || state->items[i].optional || state->items[i].derived))
        i++;
    if (i == state->count) return;
    const char *name = state->items[i].name;
    for (int k = 0; k < nn_safetensors_count(file); k++) {
        const char *entry = nn_safetensors_at(file, k).name;
        const size_t here = strlen(name), there = strlen(entry);
        const bool in_file = there > here;
        const char *longer = in_file ? entry : name, *shorter = in_file ? name : entry;
        const size_t length = in_file ? there - here : here - there;
        if (length < 2 || length > 128 || longer[length - 1] != '.' ||
            strcmp(longer + length, shorter) != 0 ||
            !nn__state_prefixed(state, file, longer, (int)length, in_file))
            continue;
        if (in_file)
            nn__print(writer,
                      "\n  all names of the file begin with \"%.*s\"; to remove it, set .renames = "
                      "NN_RENAMES({ \"%.*s*\", \"*\" }) in the desc",
                      (int)length, longer, (int)length, longer);
        else
            nn__print(writer,
                      "\n  all names of the model begin with \"%.*s\"; to put it before the names "
                      "of the file, set .renames = NN_RENAMES({ \"*\", \"%.*s*\" }) in the desc",
                      (int)length, longer, (int)length, longer);
        return;
    }
}

/* The form of a net: as it was described, made by nn_prepare_qat, or made by nn_quantize_net. */
typedef enum nn__form { NN__FORM_REAL, NN__FORM_PREPARED, NN__FORM_INTEGER } nn__form;

static nn__form nn__form_by(const char *name, nn_dtype dtype) {
    const size_t length = strlen(name);
    if (dtype == NN_I32 && length > 7 && strcmp(name + length - 7, ".factor") == 0)
        return NN__FORM_INTEGER;
    return length > 10 && strcmp(name + length - 10, ".log_scale") == 0 ? NN__FORM_PREPARED
                                                                        : NN__FORM_REAL;
}

/* If file and model are different forms of one net, says which model takes the file. */
static void nn__state_hint_numbers(const nn__state *state, const nn_safetensors *file,
                                   const nn_writer *writer) {
    static const char *const forms[] = {"in f32", "of nn_prepare_qat", "of nn_quantize_net"};
    static const char *const ways[] = {
        "into the net as it was described, and give that to nn_quantize_net or nn_prepare_qat",
        "into the model that nn_prepare_qat(net, NULL, NULL) makes of the net as it was described",
        ("into the model that nn_quantize_net(net, NULL, NULL) makes of the net as it was "
         "described")};
    nn__form given = NN__FORM_REAL, wanted = NN__FORM_REAL, one;
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        const nn_safetensors_entry entry = nn_safetensors_at(file, i);
        if ((one = nn__form_by(entry.name, entry.dtype)) > given) given = one;
    }
    for (int i = 0; i < state->count; i++) {
        one = nn__form_by(state->items[i].name, state->items[i].tensor->view.dtype);
        if (one > wanted) wanted = one;
    }
    if (given != wanted)
        nn__print(writer, "\n  the file holds a net %s, and the model is one %s; load the file %s",
                  forms[given], forms[wanted], ways[given]);
}

static nn_result nn__state_misfit(nn__state *state, const nn_safetensors *file) {
    nn_context *nn = state->nn;
    nn_writer writer;
    nn_text text;
    nn_result result;
    memset(&text, 0, sizeof text);
    writer.function = nn_write_text;
    writer.user = &text;
    nn__state_compare(state, file, &writer);
    if (!state->non_strict) nn__state_hint(state, file, &writer);
    nn__state_hint_numbers(state, file, &writer);
    text.size = text.length + 1;
    text.length = 0;
    text.buffer = (char *)nn__allocate(&nn->memory, text.size);
    if (text.buffer) { /* a long list may be cut */
        nn__state_hint_numbers(state, file, &writer);
        nn__state_compare(state, file, &writer);
        if (!state->non_strict) nn__state_hint(state, file, &writer);
    }
    result = nn__fail_at(
        nn, state->site, NN_ERROR_SHAPE, "%s: \"%s\" does not fit %s \"%s\"; nothing was loaded%s",
        state->who, file->path, state->whole, state->net->name, text.buffer ? text.buffer : "");
    nn__release(&nn->memory, text.buffer, text.size);
    return result;
}

/* ---- reading --------------------------------------------------------------------------------- */

static nn_result nn__state_damaged(const nn__state *state, const nn_safetensors *file) {
    return nn__fail_at(state->nn, state->site, NN_ERROR_FORMAT,
                       "%s: \"%s\" is damaged: its checksum does not match its contents; nothing "
                       "was loaded; take "
                       "an older file",
                       state->who, file->path);
}

NN_PRIVATE nn_result nn__state_piece(const nn__state *state, const nn_safetensors *file,
                                     const nn_safetensors_entry *entry, int64_t done, int64_t part,
                                     nn__checksum *checksum) {
    const size_t size = nn_dtype_size(entry->dtype), bytes = (size_t)part * size;
    const uint64_t from = entry->offset + (uint64_t)done * size;
    if (!file->files.read(file->files.user, file->handle, from, state->staging, bytes))
        return nn__fail_at(state->nn, state->site, NN_ERROR_FILE,
                           "%s: \"%s\" of \"%s\": reading byte %llu failed", state->who,
                           entry->name, file->path, (unsigned long long)from);
    if (checksum) nn__checksum_add(checksum, state->staging, bytes);
    return NN_OK;
}

/* Reads one entry in pieces. Adds it to the checksum, and copies it to the item's temporary memory
   (item NULL: only reads). */
static nn_result nn__state_read(const nn__state *state, const nn_safetensors *file, int i,
                                const nn__state_item *item, nn__checksum *checksum) {
    nn_context *nn = state->nn;
    nn_safetensors_entry entry = nn_safetensors_at(file, i);
    int64_t count = (int64_t)(entry.bytes / nn_dtype_size(entry.dtype));
    nn_view view;
    memset(&view, 0, sizeof view);
    if (item) {
        view = item->tensor->view;
        view.handle = state->blocks[item->block].handle;
        view.offset = item->offset;
    }
    for (int64_t done = 0; done < count;) {
        int64_t part = nn__min64(count - done, state->piece);
        void *stored = state->staging, *numbers = stored;
        nn_result result = nn__state_piece(state, file, &entry, done, part, checksum);
        if (result != NN_OK) return result;
        done += part;
        if (!item) continue;
        if (entry.dtype != view.dtype) numbers = state->staging + (size_t)state->piece * 8;
        nn__convert_from_file(entry.dtype, stored, view.dtype, numbers, part);
        result = nn__state_check_integers(state, file, item, numbers, done - part, part);
        if (result != NN_OK) return result;
        result = nn__upload(nn, item->tensor->device, &view, numbers,
                            (uint64_t)part * nn_dtype_size(view.dtype), item->tensor->name,
                            state->site, NULL);
        if (result != NN_OK) return result;
        view.offset += (uint64_t)part * nn_dtype_size(view.dtype);
    }
    return NN_OK;
}

static uint64_t nn__state_pairs(const nn_safetensors *file) {
    uint64_t sum = 0;
    for (int i = 0; i < file->pair_count; i++) {
        if (strcmp(file->pairs[i].key, "checksum") != 0)
            sum += nn__checksum_pair(file->pairs[i].key, file->pairs[i].value);
    }
    return sum;
}

/* Reads the whole file once. stage: also copies entries of items into temporary memory. */
static nn_result nn__state_pass(const nn__state *state, const nn_safetensors *file, bool stage) {
    const char *expected = nn_safetensors_metadata(file, "checksum");
    uint64_t sum = expected ? nn__state_pairs(file) : 0;
    char text[24];
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        nn_safetensors_entry entry = nn_safetensors_at(file, i);
        const nn__state_item *item = NULL;
        nn__checksum checksum;
        nn_result result;
        for (int k = 0; stage && k < state->count && !item; k++) {
            if (state->items[k].entry == i) item = &state->items[k];
        }
        if (!item && !expected) continue;
        if (!nn_dtype_size(entry.dtype)) continue; /* never in a file with a checksum */
        nn__checksum_begin(&checksum, entry.name, entry.dtype, entry.shape);
        nn__checksum *sums = expected ? &checksum : NULL;
        if (item && item->scale >= 0 && entry.dtype != item->tensor->view.dtype)
            result = nn__state_quantize(state, file, i, item, sums);
        else
            result = nn__state_read(state, file, i, item, sums);
        if (result != NN_OK) return result;
        sum += nn__checksum_end(&checksum);
    }
    if (!expected) return NN_OK;
    nn__format(text, sizeof text, "%016llx", (unsigned long long)sum);
    return strcmp(text, expected) == 0 ? NN_OK : nn__state_damaged(state, file);
}

/* Allocates room for one piece as stored and one converted. */
static nn_result nn__state_make_staging(nn__state *state, const nn_safetensors *file) {
    int64_t most = 8;
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        nn_safetensors_entry entry = nn_safetensors_at(file, i);
        const size_t size = nn_dtype_size(entry.dtype);
        if (size) most = nn__max64(most, (int64_t)(entry.bytes / size));
    }
    state->piece = (most < NN__STATE_PIECE ? most : NN__STATE_PIECE) / 8 * 8 + 8;
    state->staging_bytes = (size_t)state->piece * 16;
    state->staging = (char *)nn__allocate(&state->nn->memory, state->staging_bytes);
    return state->staging ? NN_OK : nn__fail_memory(state->nn, state->who, state->staging_bytes);
}

static nn_result nn__state_make_blocks(nn__state *state) {
    nn_context *nn = state->nn;
    state->block_room = nn__maxi(state->count, 1);
    state->blocks = (nn__state_block *)nn__allocate(&nn->memory, sizeof *state->blocks *
                                                                     (size_t)state->block_room);
    if (!state->blocks)
        return nn__fail_memory(nn, state->who, sizeof *state->blocks * (size_t)state->block_room);
    for (int i = 0; i < state->count; i++) {
        nn__state_item *item = &state->items[i];
        uint64_t bytes = nn__padded(item->tensor->bytes);
        int b = state->block_count - 1;
        if (item->entry < 0 && !item->derived) continue;
        while (b >= 0 && !nn_same_device(state->blocks[b].device, item->tensor->device)) b--;
        if (b < 0 || state->blocks[b].bytes + bytes > NN__STATE_BLOCK) {
            b = state->block_count++;
            state->blocks[b].device = item->tensor->device;
        }
        item->block = b;
        item->offset = state->blocks[b].bytes;
        state->blocks[b].bytes += bytes;
    }
    for (int b = 0; b < state->block_count; b++) {
        nn_result result = nn__device_alloc(nn, state->blocks[b].device, state->blocks[b].bytes,
                                            state->who, &state->blocks[b].handle);
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__state_stage(nn__state *state, const nn_safetensors *file) {
    int fits = 0;
    nn_result result = nn__state_make_staging(state, file);
    if (result == NN_OK && nn__state_compare(state, file, NULL) > 0) {
        if (nn_safetensors_metadata(file, "checksum")) result = nn__state_pass(state, file, false);
        return result == NN_OK ? nn__state_misfit(state, file) : result;
    }
    for (int i = 0; i < state->count; i++) fits += state->items[i].entry >= 0;
    if (result == NN_OK && fits == 0)
        return nn__fail_at(state->nn, state->site, NN_ERROR_SHAPE,
                           "%s: none of the %d tensors in \"%s\" has a name of %s \"%s\"; nothing "
                           "was loaded; give "
                           ".renames, or look at the names on both sides",
                           state->who, nn_safetensors_count(file), file->path, state->whole,
                           state->net->name);
    for (int i = 0; i < state->count && result == NN_OK; i++)
        if (state->items[i].entry >= 0 || state->items[i].derived)
            result = nn__check_writable(state->items[i].tensor, state->site, state->who);
    if (result == NN_OK) result = nn__state_make_blocks(state);
    return result == NN_OK ? nn__state_pass(state, file, true) : result;
}

NN_PRIVATE nn_result nn__state_apply(nn__state *state) {
    nn__weights_change(state->nn);
    nn_context *nn = state->nn;
    nn_result result = NN_OK;
    for (int i = 0; i < state->count && (int)result >= 0; i++) {
        const nn__state_item *item = &state->items[i];
        const nn_tensor *tensor = item->tensor;
        const nn__open_device *on = nn__find_device(nn, tensor->device);
        if (item->entry < 0 && !item->derived) continue;
        result = on->backend->copy(on->state, tensor->view.handle, tensor->view.offset,
                                   state->blocks[item->block].handle, item->offset, tensor->bytes);
    }
    for (int b = 0; b < state->block_count; b++) {
        const nn__open_device *on = nn__find_device(nn, state->blocks[b].device);
        nn_result finished = on->backend->finish(on->state);
        if ((int)result >= 0) result = finished;
    }
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(nn, state->site, result, "%s: a copy inside the device: %s", state->who,
                       nn_result_text(result));
}

NN_PRIVATE void nn__state_end(nn__state *state) {
    nn_context *nn = state->nn;
    for (int b = 0; b < state->block_count; b++)
        nn__device_release(nn, state->blocks[b].device, state->blocks[b].handle,
                           state->blocks[b].bytes);
    nn__release(&nn->memory, state->blocks, sizeof *state->blocks * (size_t)state->block_room);
    nn__release(&nn->memory, state->staging, state->staging_bytes);
    nn__release(&nn->memory, state->items, sizeof *state->items * (size_t)state->room);
    memset(state, 0, sizeof *state);
}

/* ---- the list -------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__state_begin(nn__state *state, nn_model *net, int room, nn_site site,
                                const char *who) {
    memset(state, 0, sizeof *state);
    state->nn = net->nn;
    state->net = net;
    state->site = site;
    state->who = who;
    state->owner = "model";
    state->whole = "the model";
    state->room = nn__maxi(room, 1);
    state->items = (nn__state_item *)nn__allocate(&net->nn->memory,
                                                  sizeof *state->items * (size_t)state->room);
    if (state->items) return true;
    nn__fail_memory(net->nn, who, sizeof *state->items * (size_t)state->room);
    state->room = 0;
    return false;
}

NN_PRIVATE void nn__state_add(nn__state *state, const char *name, nn_tensor *tensor) {
    nn__state_item *item = &state->items[state->count++];
    nn__copy_text(item->name, sizeof item->name, name);
    item->tensor = tensor;
    item->entry = item->scale = item->minimum = -1;
}

NN_PRIVATE void nn__state_add_model(nn__state *state) {
    for (nn_node *node = state->net->graph.first; node; node = node->next) {
        if (nn__is_saved(node)) nn__state_add(state, node->name, node->tensor);
    }
    nn__state_add_scales(state);
}

#undef NN__STATE_PIECE
#undef NN__STATE_BLOCK
#endif /* NN_NO_FILES */

typedef int nn__state_part; /* a part must not be empty under NN_NO_FILES */
