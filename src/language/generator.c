/* language/generator.c - makes a generator: checks its description, makes its plan, takes its
   memory; and takes prompts. */
#include "language/generate_private.h"

/* ---- checks ---------------------------------------------------------------------------------- */

/* True if the node is an i32 input of one of two shapes, or NULL. */
static bool nn__generator_input(nn__text_call *call, const char *role, const nn_node *node,
                                nn_shape shape, nn_shape other, const char *wanted) {
    nn_shape is;
    if (!node) return true;
    is = nn_node_shape(node);
    if (nn_node_dtype(node) != NN_I32)
        return nn__text_fail(call, NN_ERROR_DTYPE, "%s \"%s\" is %s; wanted an input %s i32", role,
                             nn_node_name(node), nn_dtype_name(nn_node_dtype(node)), wanted);
    return nn_same_shape(is, shape) || nn_same_shape(is, other) ||
           nn__text_fail(call, NN_ERROR_SHAPE, "%s \"%s\" has another shape; wanted an input %s",
                         role, nn_node_name(node), wanted);
}

static nn_shape nn__generator_shape(int32_t a, int32_t b, int32_t c) {
    int32_t extents[3];
    extents[0] = a;
    extents[1] = b;
    extents[2] = c;
    return nn_make_shape(extents, c ? 3 : b ? 2 : 1);
}

static bool nn__generator_check_logits(nn__text_call *call, nn_generator *g) {
    const nn_generator_desc *desc = &g->desc;
    nn_shape is = nn_node_shape(desc->logits), wanted, flat;
    int32_t size = nn_vocab_size(desc->tokenizer);
    g->vocabulary = is.rank > 0 ? is.extent[is.rank - 1] : 0;
    wanted = desc->last ? nn__generator_shape(NN_BATCH, g->vocabulary, 0)
                        : nn__generator_shape(NN_BATCH, NN_TIME, g->vocabulary);
    flat = desc->last ? wanted : nn__generator_shape(NN_BATCH_TIME, g->vocabulary, 0);
    if (nn_node_dtype(desc->logits) != NN_F32)
        return nn__text_fail(call, NN_ERROR_DTYPE, "logits \"%s\" are %s; wanted f32: nn_cast",
                             nn_node_name(desc->logits),
                             nn_dtype_name(nn_node_dtype(desc->logits)));
    if (g->vocabulary < 1 || (!nn_same_shape(is, wanted) && !nn_same_shape(is, flat)))
        return nn__text_fail(call, NN_ERROR_SHAPE, "logits \"%s\" have another shape; wanted %s",
                             nn_node_name(desc->logits),
                             desc->last ? "(NN_BATCH, vocabulary), as .last is given"
                                        : "(NN_BATCH, NN_TIME, vocabulary)");
    if (g->vocabulary < size || (g->vocabulary > size && !desc->padded_vocabulary))
        return nn__text_fail(
            call, NN_ERROR_SHAPE,
            "logits \"%s\" are for %d tokens, but the tokenizer has %d ids; it belongs to another "
            "model%s",
            nn_node_name(desc->logits), (int64_t)g->vocabulary, (int64_t)size,
            g->vocabulary > size ? ", or the vocabulary was padded: set .padded_vocabulary" : "");
    return true;
}

static bool nn__generator_check_caches(nn__text_call *call, const nn_generator_desc *desc,
                                       const nn_cache_use *caches) {
    const char *is = desc->positions ? nn_node_name(desc->positions) : NULL;
    if (!is && caches->count == 0) return true;
    if (!is)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "logits \"%s\" come from a cache, and .positions is missing; give the "
                             "input that says how many tokens of each text the cache holds",
                             nn_node_name(desc->logits));
    if (caches->count == 0)
        return nn__text_fail(
            call, NN_ERROR_ARGUMENT,
            "positions \"%s\" is given, but logits \"%s\" do not come from a cache, so earlier "
            "tokens would be forgotten; describe the model with nn_cache, or leave .positions out",
            is, nn_node_name(desc->logits));
    if (caches->positions && caches->positions != desc->positions)
        return nn__text_fail(
            call, NN_ERROR_ARGUMENT,
            ".positions is \"%s\", but the cache reads \"%s\"; give the same input to both", is,
            nn_node_name(caches->positions));
    return caches->length >= desc->context ||
           nn__text_fail(call, NN_ERROR_ARGUMENT,
                         ".context is %d, but a cache of the model has a length of %d and would be "
                         "full earlier; give a .context of at most %d, or a longer cache",
                         (int64_t)desc->context, (int64_t)caches->length, (int64_t)caches->length);
}

/* Checks that the plan has each of these inputs and takes its values; otherwise reports which one
   it lacks. */
static bool nn__generator_check_plan(nn__text_call *call, nn_generator *g) {
    nn_node *roles[4];
    const nn_cache_use caches = nn_plan_caches(g->plan);
    roles[0] = g->desc.ids;
    roles[1] = g->desc.positions;
    roles[2] = g->desc.places;
    roles[3] = g->desc.last;
    for (int i = 0; i < 4 && call->code == NN_OK; i++)
        if (roles[i]) call->code = nn_bind_at(call->site, g->plan, roles[i], NULL);
    if (call->code != NN_OK) return false;
    return nn__generator_check_caches(call, &g->desc, &caches);
}

static bool nn__generator_check_nodes(nn__text_call *call, nn_generator *g) {
    const nn_generator_desc *desc = &g->desc;
    nn_shape grid = nn__generator_shape(NN_BATCH, NN_TIME, 0);
    nn_shape column = nn__generator_shape(NN_BATCH, 0, 0);
    nn_shape row = desc->positions ? grid : nn__generator_shape(NN_TIME, 0, 0);
    const nn_node *roles[4];
    roles[0] = desc->ids;
    roles[1] = desc->positions;
    roles[2] = desc->places;
    roles[3] = desc->last;
    g->places_shared = desc->places && nn_node_shape(desc->places).rank == 1;
    for (int i = 1; i < 4; i++)
        for (int j = 0; j < i && roles[i]; j++)
            if (roles[i] == roles[j])
                return nn__text_fail(call, NN_ERROR_ARGUMENT,
                                     "\"%s\" is given twice among .ids, .positions, .places and "
                                     ".last; they are different inputs",
                                     nn_node_name(roles[i]));
    return nn__generator_input(call, "ids", desc->ids, grid, grid, "(NN_BATCH, NN_TIME)") &&
           nn__generator_input(call, "positions", desc->positions, column, column, "(NN_BATCH)") &&
           nn__generator_input(call, "places", desc->places, grid, row,
                               desc->positions ? "(NN_BATCH, NN_TIME), because there is a cache"
                                               : "(NN_BATCH, NN_TIME) or (NN_TIME)") &&
           nn__generator_input(call, "last", desc->last, column, column, "(NN_BATCH)") &&
           nn__generator_check_logits(call, g) && nn__generator_check_plan(call, g);
}

/* Checks the numbers of the desc and fills in their defaults. */
static bool nn__generator_check_numbers(nn__text_call *call, nn_generator *g) {
    nn_generator_desc *desc = &g->desc;
    const char *wrong = NULL;
    if (!desc->ids) wrong = "desc->ids is NULL; give the input that takes the ids";
    else if (!desc->logits) wrong = "desc->logits is NULL";
    else if (desc->context < 2) wrong = "desc->context must be given: 2 tokens or more";
    else if (desc->batch < 0 || desc->chunk < 0 || desc->max_tokens < 0 || desc->longest < 0)
        wrong = ".batch, .chunk, .longest or .max_tokens is negative; wanted 0 (default) or more";
    else if (desc->slide && desc->positions)
        wrong = ".slide is set and the model has a cache, whose rows keep their positions; "
                "describe the model without a cache, or leave .slide out";
    else if (desc->longest > 0 && (!desc->slide || desc->longest < desc->context))
        wrong = ".longest is given without .slide, or is below .context";
    if (wrong) return nn__text_fail(call, NN_ERROR_ARGUMENT, "%s", wrong);
    if (desc->batch == 0) desc->batch = 1;
    if (desc->chunk == 0) desc->chunk = 64;
    if (desc->chunk > desc->context) desc->chunk = desc->context;
    if (desc->longest == 0 && desc->context <= INT32_MAX / 8) desc->longest = 8 * desc->context;
    g->room = desc->slide && desc->longest > 0 ? desc->longest : desc->context;
    g->widest = desc->positions ? desc->chunk : desc->context;
    if ((int64_t)desc->batch * g->room > INT32_MAX / 64)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "%d texts (.batch) of %d tokens (.longest or .context) are too many; "
                             "wanted fewer than 2^25 tokens in all",
                             (int64_t)desc->batch, (int64_t)g->room);
    return nn__sample_check(call, &desc->sampling);
}

/* Checks that a list has as many texts as it says. */
static bool nn__generator_check_list(nn__text_call *call, const char *field, nn_texts list) {
    bool wrong = list.count < 0 || list.count > 1 << 16 || (list.count > 0 && !list.text);
    for (int i = 0; i < list.count && !wrong; i++) wrong = !list.text[i];
    return !wrong || nn__text_fail(call, NN_ERROR_ARGUMENT,
                                   "desc->%s has %d texts; wanted at most 65536, none of them NULL "
                                   "(NN_TEXTS counts them)",
                                   field, (int64_t)list.count);
}

static bool nn__generator_check_words(nn__text_call *call, nn_generator *g) {
    const nn_texts ends = g->desc.end_tokens, stop = g->desc.stop;
    if (!nn__generator_check_list(call, "end_tokens", ends) ||
        !nn__generator_check_list(call, "stop", stop))
        return false;
    for (int i = 0; i < ends.count; i++)
        if (nn_token_id(g->desc.tokenizer, ends.text[i]) < 0)
            return nn__text_fail(call, NN_ERROR_ARGUMENT,
                                 "end token \"%s\" is not in the vocabulary", ends.text[i]);
    for (int i = 0; i < stop.count; i++) {
        size_t bytes = strlen(stop.text[i]);
        if (bytes == 0 || bytes > 1 << 16 || !nn__text_is_utf8(stop.text[i], bytes))
            return nn__text_fail(call, NN_ERROR_ARGUMENT,
                                 "stop word %q is empty, too long, or not UTF-8", bytes,
                                 stop.text[i]);
        if (bytes > g->held_capacity) g->held_capacity = bytes;
    }
    return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct nn__generator_cursor {
    char *memory; /* NULL: it only counts */
    uint64_t used;
} nn__generator_cursor;

static void *nn__generator_take(nn__generator_cursor *cursor, uint64_t count, size_t size) {
    void *taken = cursor->memory ? cursor->memory + cursor->used : NULL;
    cursor->used += (count * size + 63) / 64 * 64;
    return taken;
}

/* Takes the memory of the lists and copies them into it. */
static void nn__generator_take_words(nn_generator *g, nn__generator_cursor *cursor) {
    const nn_texts ends = g->desc.end_tokens, stop = g->desc.stop;
    g->end_ids = (int32_t *)nn__generator_take(cursor, (uint64_t)ends.count, sizeof(int32_t));
    g->stop_words =
        (const char **)nn__generator_take(cursor, (uint64_t)stop.count, sizeof(char *));
    g->stop_bytes = (size_t *)nn__generator_take(cursor, (uint64_t)stop.count, sizeof(size_t));
    for (int i = 0; i < ends.count && cursor->memory; i++)
        g->end_ids[i] = nn_token_id(g->desc.tokenizer, ends.text[i]);
    for (int i = 0; i < stop.count; i++) {
        const size_t bytes = strlen(stop.text[i]);
        char *word = (char *)nn__generator_take(cursor, bytes + 1, 1);
        if (!cursor->memory) continue;
        memcpy(word, stop.text[i], bytes + 1);
        g->stop_words[i] = word;
        g->stop_bytes[i] = bytes;
    }
}

static void nn__generator_divide_memory(nn_generator *g, nn__generator_cursor *cursor) {
    uint64_t batch = (uint64_t)g->desc.batch, size = (uint64_t)g->vocabulary, rows;
    uint64_t grid = batch * (uint64_t)g->widest;
    int32_t *ids;
    char *held;
    rows = g->in_memory ? 0 : g->desc.last || g->desc.positions ? batch : grid;
    g->texts = (nn__writing *)nn__generator_take(cursor, batch, sizeof *g->texts);
    ids = (int32_t *)nn__generator_take(cursor, batch * (uint64_t)g->room, sizeof *ids);
    held = (char *)nn__generator_take(cursor, batch + 1, g->held_capacity);
    g->input_ids = (int32_t *)nn__generator_take(cursor, grid, sizeof(int32_t));
    g->input_places = (int32_t *)nn__generator_take(cursor, grid, sizeof(int32_t));
    g->input_positions = (int32_t *)nn__generator_take(cursor, batch, sizeof(int32_t));
    g->input_last = (int32_t *)nn__generator_take(cursor, batch, sizeof(int32_t));
    g->rows = (float *)nn__generator_take(cursor, rows * size, sizeof(float));
    g->sampler.size = g->vocabulary;
    g->sampler.scores = (float *)nn__generator_take(cursor, size, sizeof(float));
    g->sampler.kept = (float *)nn__generator_take(cursor, size, sizeof(float));
    g->sampler.weights = (double *)nn__generator_take(cursor, size, sizeof(double));
    g->sampler.order = (int32_t *)nn__generator_take(cursor, size, sizeof(int32_t));
    g->sampler.seen = (uint32_t *)nn__generator_take(cursor, size / 32 + 1, sizeof(uint32_t));
    if (cursor->memory) {
        for (uint64_t i = 0; i < batch; i++) {
            g->texts[i].ids = ids + i * (uint64_t)g->room;
            g->texts[i].speech.held = held + i * g->held_capacity;
            g->texts[i].speech.stream.desc.special_tokens = g->desc.special_tokens;
        }
        g->rehearsed = held + batch * g->held_capacity;
    }
    nn__generator_take_words(g, cursor);
}

static bool nn__generator_take_memory(nn__text_call *call, nn_generator *g) {
    nn__generator_cursor cursor;
    size_t longest = nn__speak_longest(call, g->desc.tokenizer, g->desc.special_tokens);
    if (longest == 0) return false;
    g->held_capacity += longest;
    g->in_memory = nn_node_device(g->desc.logits).kind == NN_CPU;
    for (int32_t id = 0; id < g->vocabulary && !g->has_gaps; id++)
        g->has_gaps = !nn_token_text(g->desc.tokenizer, id);
    memset(&cursor, 0, sizeof cursor);
    nn__generator_divide_memory(g, &cursor);
    g->memory = cursor.used <= SIZE_MAX ? nn_take_memory(g->nn, (size_t)cursor.used) : NULL;
    if (!g->memory)
        return nn__text_fail(call, NN_ERROR_MEMORY, "no memory for %d bytes of a generator",
                             (int64_t)cursor.used);
    g->memory_bytes = (size_t)cursor.used;
    cursor.memory = (char *)g->memory;
    cursor.used = 0;
    nn__generator_divide_memory(g, &cursor);
    return true;
}

/* ---- making and freeing ---------------------------------------------------------------------- */

/* Also called by nn_close, where the model frees the plan. */
static void nn__generator_release(void *object) {
    nn_generator *g = (nn_generator *)object;
    if (g->owned) g->desc.tokenizer->users--;
    nn_give_memory(g->nn, g->memory, g->memory_bytes);
    nn_give_memory(g->nn, g, sizeof *g);
}

NN_API void nn_free_generator(nn_generator *generator) {
    if (!generator) return;
    if (generator->busy) {
        nn_record_error(generator->nn, NN_ERROR_ARGUMENT,
                        "nn_free_generator: called by the generator's own .write, which returns "
                        "false to end a text; nothing was freed");
        return;
    }
    nn_guard_plan(generator->plan, NULL);
    if (generator->plan) nn_free_plan(generator->plan);
    if (generator->owned) nn_disown(generator->nn, generator->owned);
    nn__generator_release(generator);
}

static bool nn__generator_plan(nn__text_call *call, nn_model *net, nn_generator *g) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.outputs.node = &g->desc.logits;
    desc.outputs.count = 1;
    desc.batch = g->desc.batch;
    desc.time = g->widest;
    g->plan = nn_make_plan_at(call->site, net, &desc);
    if (!g->plan) call->code = nn_error_code(g->nn); /* it was reported there */
    nn_guard_plan(g->plan, "nn_free_generator");
    return g->plan != NULL;
}

NN_API nn_generator *nn_make_generator_at(nn_site site, nn_model *net,
                                          const nn_generator_desc *desc) {
    nn__text_call call;
    nn_generator *g;
    nn_context *nn = nn_model_context(net);
    if (!nn && desc && desc->tokenizer) nn = desc->tokenizer->nn;
    if (!nn) return NULL;
    call = nn__text_begin(nn, site, "nn_make_generator");
    if (!net || !desc || !desc->tokenizer || desc->tokenizer->nn != nn) {
        nn__text_fail(
            &call, NN_ERROR_ARGUMENT, "%s",
            !net    ? "net is NULL"
            : !desc ? "desc is NULL"
            : !desc->tokenizer
                ? "desc->tokenizer is NULL"
                : "desc->tokenizer belongs to another context; open one in the model's context");
        return NULL;
    }
    g = (nn_generator *)nn_take_memory(call.nn, sizeof *g);
    if (!g) {
        nn__text_fail(&call, NN_ERROR_MEMORY, "no memory for a generator");
        return NULL;
    }
    g->nn = call.nn;
    g->desc = *desc;
    if (nn__generator_check_numbers(&call, g) && nn__generator_check_words(&call, g) &&
        nn__generator_plan(&call, net, g) && nn__generator_check_nodes(&call, g) &&
        nn__generator_take_memory(&call, g)) {
        g->owned = nn_own(g->nn, g, nn__generator_release);
        if (g->owned) {
            desc->tokenizer->users++;
            return g;
        }
        nn__text_fail(&call, NN_ERROR_MEMORY, "no memory for a generator");
    }
    nn_free_generator(g);
    return NULL;
}

NN_API nn_plan *nn_generator_plan(const nn_generator *generator) {
    return generator ? generator->plan : NULL;
}

NN_API nn_result nn_set_sampling_at(nn_site site, nn_generator *generator,
                                    const nn_sampling *sampling) {
    nn__text_call call;
    nn_sampling defaults;
    if (!generator) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(generator->nn, site, "nn_set_sampling");
    memset(&defaults, 0, sizeof defaults);
    if (!sampling) sampling = &defaults;
    if (nn__sample_check(&call, sampling)) generator->desc.sampling = *sampling;
    return call.code;
}

/* ---- prompts --------------------------------------------------------------------------------- */

/* Returns the text of that number, which must not be under way; NULL: an error. */
static nn__writing *nn__generator_text(nn__text_call *call, nn_generator *g, int32_t text) {
    if (text < 0 || text >= g->desc.batch)
        nn__text_fail(call, NN_ERROR_ARGUMENT,
                      "there is no text %d; texts are numbered from 0 to %d (.batch - 1)",
                      (int64_t)text, (int64_t)g->desc.batch - 1);
    else if (g->busy)
        nn__text_fail(call, NN_ERROR_ARGUMENT,
                      "it was called from the generator's own .write, which may only return false "
                      "to end a text");
    else if (g->writing)
        nn__text_fail(call, NN_ERROR_ARGUMENT,
                      "texts are still being generated; call nn_generate until it ends, or call "
                      "nn_cancel_generation and then nn_generate");
    return call->code == NN_OK ? &g->texts[text] : NULL;
}

static bool nn__generator_room(nn__text_call *call, const nn_generator *g, const nn__writing *w,
                               int64_t count) {
    if (count < 1) return nn__text_fail(call, NN_ERROR_ARGUMENT, "the prompt has no tokens");
    return count < g->room - w->count ||
           nn__text_fail(call, NN_ERROR_ARGUMENT,
                         "the prompt has %d tokens and the text %d; the %s is %d, and one more "
                         "token must fit; shorten the prompt, or call nn_forget",
                         count, (int64_t)w->count,
                         g->desc.slide ? "longest text (.longest)" : "context (.context)",
                         (int64_t)g->room);
}

/* Adds the `count` ids that were written after those of the text. */
static void nn__generator_accept(nn__text_call *call, nn_generator *g, nn__writing *w,
                                 int32_t count) {
    for (int32_t i = 0; i < count && call->code == NN_OK; i++)
        nn__speak_silently(call, &w->speech, g, w->ids[w->count + i]);
    if (call->code != NN_OK) return;
    w->count += count;
    w->answer = w->count;
    w->prompted = true;
    w->ending = NN_ENDED_NOT;
}

NN_API nn_result nn_prompt_ids_at(nn_site site, nn_generator *generator, int32_t text,
                                  const int32_t *ids, int32_t count) {
    nn__text_call call;
    nn__writing *w;
    if (!generator) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(generator->nn, site, "nn_prompt_ids");
    w = nn__generator_text(&call, generator, text);
    if (w && !ids) nn__text_fail(&call, NN_ERROR_ARGUMENT, "ids is NULL");
    if (call.code != NN_OK || !nn__generator_room(&call, generator, w, count)) return call.code;
    for (int32_t i = 0; i < count; i++)
        if (!nn_token_text(generator->desc.tokenizer, ids[i]))
            nn__text_fail(&call, NN_ERROR_INDEX,
                          "id %d at index %d is not in the vocabulary, which has ids below %d",
                          (int64_t)ids[i], (int64_t)i,
                          (int64_t)nn_vocab_size(generator->desc.tokenizer));
    if (call.code != NN_OK) return call.code;
    memcpy(w->ids + w->count, ids, (size_t)count * sizeof *ids);
    nn__generator_accept(&call, generator, w, count);
    return call.code;
}

NN_API nn_result nn_prompt_at(nn_site site, nn_generator *generator, int32_t text,
                              const char *prompt, size_t bytes) {
    nn__text_call call;
    nn__writing *w;
    nn_encode_desc desc;
    nn_tokens tokens;
    if (!generator) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(generator->nn, site, "nn_prompt");
    w = nn__generator_text(&call, generator, text);
    if (!w) return call.code;
    memset(&desc, 0, sizeof desc);
    memset(&tokens, 0, sizeof tokens);
    desc.no_special_tokens = generator->desc.no_special_tokens || w->count > 0;
    desc.max_length = NN_NONE;
    call.code = nn_encode_at(site, generator->desc.tokenizer, prompt, bytes, &desc, &tokens);
    if (call.code != NN_OK || !nn__generator_room(&call, generator, w, tokens.count))
        return call.code;
    tokens.ids = w->ids + w->count;
    tokens.capacity = generator->room - w->count;
    call.code = nn_encode_at(site, generator->desc.tokenizer, prompt, bytes, &desc, &tokens);
    if (call.code == NN_OK) nn__generator_accept(&call, generator, w, tokens.count);
    return call.code;
}

NN_API nn_result nn_forget_at(nn_site site, nn_generator *generator, int32_t text) {
    nn__text_call call;
    if (!generator) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(generator->nn, site, "nn_forget");
    if (!nn__generator_text(&call, generator, text == -1 ? 0 : text)) return call.code;
    for (int32_t i = 0; i < generator->desc.batch; i++) {
        nn__writing *w = &generator->texts[i];
        if (text != -1 && text != i) continue;
        w->count = w->fed = w->answer = 0;
        w->prompted = false;
        w->ending = NN_ENDED_NOT;
        w->speech.stream.held = w->speech.stream.count = 0;
    }
    return call.code;
}
