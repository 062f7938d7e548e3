/* language/generate.c - runs the model again and again: chooses what each run reads, and uses its
   logits. */
#include "language/generate_private.h"

/* ---- a turn ---------------------------------------------------------------------------------- */

static bool nn__generate_begin(nn__text_call *call, nn_generator *g) {
    bool prompted = false, any = false;
    for (int32_t i = 0; i < g->desc.batch; i++) prompted |= g->texts[i].prompted;
    for (int32_t i = 0; i < g->desc.batch; i++) {
        nn__writing *w = &g->texts[i];
        w->active = prompted ? w->prompted : w->count > 0 && w->count < g->room;
        if (!w->active) continue;
        any = true;
        w->answer = w->count;
        w->ending = NN_ENDED_NOT;
        w->before = w->speech.stream;
        w->speech.length = 0;
        w->speech.stopped = w->speech.refused = false;
    }
    if (!any)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "there is no text to continue; call nn_prompt first");
    g->writing = true;
    g->cancelled = g->by_caller = false;
    return true;
}

static void nn__generate_listen(nn__listener *listener, const nn_generator *g, int32_t text) {
    memset(listener, 0, sizeof *listener);
    listener->generator = g;
    listener->text = text;
    listener->writes = true;
}

static void nn__generate_end(nn__text_call *call, nn_generator *g, int32_t text, nn_ending ending) {
    nn__writing *w = &g->texts[text];
    nn__listener listener;
    nn__generate_listen(&listener, g, text);
    w->active = w->prompted = false;
    w->ending = ending;
    if (ending == NN_ENDED_BY_CALLER) w->speech.refused = g->by_caller = true;
    nn__speak_end(call, &w->speech, &listener);
}

static nn_result nn__generate_finish(nn__text_call *call, nn_generator *g) {
    for (int32_t i = 0; i < g->desc.batch; i++)
        if (g->texts[i].active) nn__generate_end(call, g, i, NN_ENDED_BY_CALLER);
    g->writing = g->cancelled = false;
    return call->code != NN_OK ? call->code : g->by_caller ? NN_CANCELLED : NN_OK;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int32_t nn__generate_least(int32_t a, int32_t b) { return a < b ? a : b; }

/* With a cache: a run reads tokens that are not in the cache yet. The last token of a text is read
   in a run of width 1, or, with .last, in the same run as those before it. */
static void nn__generate_choose_new(nn_generator *g) {
    int32_t most = 0, room = g->desc.chunk;
    bool picks = g->desc.last != NULL;
    for (int32_t i = 0; i < g->desc.batch; i++) {
        const nn__writing *w = &g->texts[i];
        if (w->active) g->run_rows = i + 1;
        if (w->active && w->count - w->fed > most) most = w->count - w->fed;
    }
    for (int32_t i = 0; i < g->run_rows; i++)
        if (g->texts[i].count < g->room)
            room = nn__generate_least(room, g->desc.context - g->texts[i].fed);
    if (!picks && most > 1) most--;
    else picks = true;
    g->run_time = nn__generate_least(most, room);
    for (int32_t i = 0; i < g->desc.batch; i++) {
        nn__writing *w = &g->texts[i];
        int32_t unread = w->active ? w->count - w->fed : 0;
        /* A full text cannot continue; its neighbours' run may overwrite its end in the cache. */
        if (w->count == g->room) w->fed = nn__generate_least(w->fed, g->room - g->run_time);
        w->feeds = nn__generate_least(unread - (!picks && unread > 0), g->run_time);
        w->chooses = picks && unread > 0 && w->feeds == unread;
    }
}

/* Without a cache: a run reads all of each text, or its end. */
static void nn__generate_choose_all(nn_generator *g) {
    g->run_rows = g->run_time = 1;
    for (int32_t i = 0; i < g->desc.batch; i++) {
        nn__writing *w = &g->texts[i];
        w->chooses = w->active;
        w->feeds = w->active ? nn__generate_least(w->count, g->desc.context) : 0;
        if (w->active) g->run_rows = i + 1;
        if (w->feeds > g->run_time) g->run_time = w->feeds;
    }
}

static bool nn__generate_upload(nn__text_call *call, nn_generator *g, nn_node *input,
                                const int32_t *values, int64_t count) {
    if (input && call->code == NN_OK)
        call->code = nn_upload_at(call->site, g->plan, input, values,
                                  (size_t)count * sizeof *values);
    return call->code == NN_OK;
}

static bool nn__generate_prepare(nn__text_call *call, nn_generator *g) {
    int64_t time;
    if (g->desc.positions) nn__generate_choose_new(g);
    else nn__generate_choose_all(g);
    time = g->run_time;
    for (int32_t i = 0; i < g->run_rows; i++) {
        const nn__writing *w = &g->texts[i];
        int32_t from = g->desc.positions ? w->fed : w->count - w->feeds;
        for (int32_t t = 0; t < time; t++) {
            g->input_ids[i * time + t] = t < w->feeds ? w->ids[from + t] : 0;
            g->input_places[i * time + t] = (g->desc.positions ? w->fed : 0) + t;
        }
        g->input_positions[i] = w->fed;
        g->input_last[i] = (int32_t)(i * time) + (w->feeds > 0 ? w->feeds - 1 : 0);
    }
    call->code = nn_set_time_at(call->site, g->plan, g->run_time);
    return nn__generate_upload(call, g, g->desc.ids, g->input_ids, g->run_rows * time) &&
           nn__generate_upload(call, g, g->desc.positions, g->input_positions, g->run_rows) &&
           nn__generate_upload(call, g, g->desc.places, g->input_places,
                               g->places_shared ? time : g->run_rows * time) &&
           nn__generate_upload(call, g, g->desc.last, g->input_last, g->run_rows);
}

/* ---- its logits ------------------------------------------------------------------------------ */

/* Returns the first row of the run's logits in the host's memory; NULL: an error. */
static const float *nn__generate_read(nn__text_call *call, nn_generator *g) {
    int64_t rows = g->desc.last ? g->run_rows : (int64_t)g->run_rows * g->run_time;
    if (g->in_memory && nn_node_device(g->desc.logits).kind != NN_CPU) {
        nn__text_fail(call, NN_ERROR_DEVICE,
                      "logits \"%s\" were in host memory when this generator was made but are not "
                      "any more; free it and call nn_make_generator again",
                      nn_node_name(g->desc.logits));
    } else if (g->in_memory) {
        nn_view view = nn_plan_view(g->plan, g->desc.logits);
        if (view.handle) return (const float *)((const char *)view.handle + view.offset);
        nn__text_fail(call, NN_ERROR_BACKEND, "the plan no longer holds the logits");
    } else {
        call->code =
            nn_download_at(call->site, g->plan, g->desc.logits, g->rows,
                           (size_t)rows * (size_t)g->vocabulary * sizeof *g->rows);
    }
    return call->code == NN_OK ? g->rows : NULL;
}

static bool nn__generate_sample(nn__text_call *call, nn_generator *g, const float *logits) {
    for (int32_t i = 0; i < g->run_rows; i++) {
        nn__writing *w = &g->texts[i];
        int64_t row = g->desc.last ? i : g->input_last[i];
        float *scores = g->sampler.scores;
        if (!w->active || !w->chooses) continue;
        memcpy(scores, logits + row * g->vocabulary, (size_t)g->vocabulary * sizeof *scores);
        for (int32_t id = 0; g->has_gaps && id < g->vocabulary; id++)
            if (!nn_token_text(g->desc.tokenizer, id)) scores[id] = -INFINITY;
        w->next = nn__sample_token(&g->sampler, &g->desc.sampling, w->ids, w->count, (uint64_t)i);
        if (w->next < 0)
            return nn__text_fail(call, NN_ERROR_NAN,
                                 "logits \"%s\" after token %d of text %d have a NaN or +infinity, "
                                 "or are all -infinity",
                                 nn_node_name(g->desc.logits), (int64_t)w->count - 1, (int64_t)i);
    }
    return true;
}

/* Adds the chosen token to the text, and ends the text if it has to end. */
static void nn__generate_append(nn__text_call *call, nn_generator *g, int32_t text) {
    nn__writing *w = &g->texts[text];
    nn_ending ending = NN_ENDED_NOT;
    nn__listener listener;
    bool ends = false;
    nn__generate_listen(&listener, g, text);
    w->ids[w->count++] = w->next;
    for (int32_t i = 0; i < g->desc.end_tokens.count; i++) ends |= g->end_ids[i] == w->next;
    if (ends) { /* an incomplete character before it is written; the end token is not */
        nn__speak_end(call, &w->speech, &listener);
        nn__speak_silently(call, &w->speech, g, w->next);
        w->speech.stream.held = 0;
    } else
        nn__speak(call, &w->speech, w->next, &listener);
    if (ends) ending = NN_ENDED_BY_TOKEN;
    else if (w->speech.refused) ending = NN_ENDED_BY_CALLER;
    else if (w->speech.stopped) ending = NN_ENDED_BY_WORD;
    else if (w->count - w->answer == g->desc.max_tokens) ending = NN_ENDED_BY_LENGTH;
    else if (w->count == g->room) ending = NN_ENDED_BY_CONTEXT;
    if (ending != NN_ENDED_NOT) nn__generate_end(call, g, text, ending);
}

/* Uses the logits of a run that is done. False: an error, and nothing was changed. */
static bool nn__generate_take(nn__text_call *call, nn_generator *g) {
    bool chooses = false;
    const float *logits = NULL;
    for (int32_t i = 0; i < g->run_rows; i++) chooses |= g->texts[i].chooses;
    if (chooses) {
        logits = nn__generate_read(call, g);
        if (!logits || !nn__generate_sample(call, g, logits)) return false;
    }
    for (int32_t i = 0; i < g->run_rows; i++) {
        nn__writing *w = &g->texts[i];
        if (g->desc.positions) w->fed += w->feeds;
        if (w->chooses) nn__generate_append(call, g, i);
    }
    return call->code == NN_OK;
}

/* ---- continuing ------------------------------------------------------------------------------ */

static bool nn__generate_done(const nn_generator *g) {
    for (int32_t i = 0; i < g->desc.batch; i++)
        if (g->texts[i].active) return false;
    return true;
}

/* Does one run, or a slice of it. */
static nn_result nn__generate_run(nn__text_call *call, nn_generator *g, bool limited,
                                  int64_t microseconds) {
    nn_result result;
    if (!g->running && !nn__generate_prepare(call, g)) return call->code;
    if (limited || g->sliced) {
        do result = nn_run_for_at(call->site, g->plan, limited ? microseconds : 1000000);
        while (result == NN_PENDING && !limited);
    } else {
        result = nn_run_at(call->site, g->plan);
    }
    g->running = g->sliced = result == NN_PENDING;
    if (result != NN_OK) return result;
    if (!g->cancelled) nn__generate_take(call, g);
    return call->code;
}

static nn_result nn__generate_until(nn__text_call *call, nn_generator *g, bool limited,
                                    int64_t microseconds) {
    const nn_clock *clock = &nn_context_desc(g->nn)->clock;
    uint64_t start = clock->now ? clock->now(clock->user) : 0;
    int64_t left = microseconds;
    if (!g->writing && !nn__generate_begin(call, g)) return call->code;
    while (!nn__generate_done(g)) {
        nn_result result;
        if (g->cancelled && !g->running) break;
        result = nn__generate_run(call, g, limited, left);
        if (result != NN_OK) return result;
        if (!limited) continue;
        left = clock->now ? microseconds - (int64_t)((clock->now(clock->user) - start) / 1000) : 0;
        if (left <= 0 && !nn__generate_done(g)) return NN_PENDING;
    }
    return nn__generate_finish(call, g);
}

static nn_result nn__generate_go_on(nn__text_call *call, nn_generator *g, bool limited,
                                    int64_t microseconds) {
    nn_result result;
    if (g->busy) {
        nn__text_fail(call, NN_ERROR_ARGUMENT,
                      "it was called from the generator's own .write, which may only return false "
                      "to end a text");
        return call->code;
    }
    g->busy = true;
    result = nn__generate_until(call, g, limited, microseconds);
    g->busy = false;
    return result;
}

NN_API nn_result nn_generate_at(nn_site site, nn_generator *generator) {
    nn__text_call call;
    if (!generator) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(generator->nn, site, "nn_generate");
    return nn__generate_go_on(&call, generator, false, 0);
}

NN_API nn_result nn_generate_for_at(nn_site site, nn_generator *generator, int64_t microseconds) {
    nn__text_call call;
    if (!generator) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(generator->nn, site, "nn_generate_for");
    return nn__generate_go_on(&call, generator, true, microseconds);
}

NN_API void nn_cancel_generation(nn_generator *generator) {
    if (generator && generator->writing) generator->cancelled = true;
}

/* ---- what was written ------------------------------------------------------------------------ */

static const nn__writing *nn__generate_text(const nn_generator *g, int32_t text) {
    return g && text >= 0 && text < g->desc.batch ? &g->texts[text] : NULL;
}

NN_API nn_ending nn_text_ending(const nn_generator *generator, int32_t text) {
    const nn__writing *w = nn__generate_text(generator, text);
    return w ? w->ending : NN_ENDED_NOT;
}

NN_API const int32_t *nn_text_ids(const nn_generator *generator, int32_t text, int32_t *count) {
    const nn__writing *w = nn__generate_text(generator, text);
    if (count) *count = w ? w->count : 0;
    return w && w->count > 0 ? w->ids : NULL;
}

NN_API const int32_t *nn_answer_ids(const nn_generator *generator, int32_t text, int32_t *count) {
    const nn__writing *w = nn__generate_text(generator, text);
    if (count) *count = w ? w->count - w->answer : 0;
    return w && w->count > w->answer ? w->ids + w->answer : NULL;
}

NN_API nn_result nn_write_answer_at(nn_site site, nn_generator *generator, int32_t text,
                                    nn_writer writer) {
    const nn__writing *w = nn__generate_text(generator, text);
    nn__text_call call;
    nn__speech speech;
    nn__listener listener;
    int32_t end;
    if (!generator) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(generator->nn, site, "nn_write_answer");
    if (!w)
        nn__text_fail(&call, NN_ERROR_ARGUMENT,
                      "there is no text %d; texts are numbered from 0 to %d (.batch - 1)",
                      (int64_t)text, (int64_t)generator->desc.batch - 1);
    else if (!writer.function)
        nn__text_fail(&call, NN_ERROR_ARGUMENT, "the writer has no function; nothing was written");
    if (call.code != NN_OK || w->count == w->answer) return call.code;
    nn__generate_listen(&listener, generator, text);
    listener.writes = false;
    listener.writer = writer;
    memset(&speech, 0, sizeof speech);
    speech.stream = w->before;
    speech.held = generator->rehearsed;
    end = w->count - (w->ending == NN_ENDED_BY_TOKEN);
    for (int32_t i = w->answer; i < end && call.code == NN_OK; i++)
        nn__speak(&call, &speech, w->ids[i], &listener);
    speech.refused = w->ending == NN_ENDED_BY_CALLER; /* held text was not written then */
    if (call.code == NN_OK && w->ending != NN_ENDED_NOT)
        nn__speak_end(&call, &speech, &listener);
    return call.code;
}

/* ---- describing ------------------------------------------------------------------------------ */

NN_API nn_node *nn_pick_rows_at(nn_site site, nn_model *net, nn_node *x, nn_node *last) {
    nn_shape shape = nn_node_shape(x);
    int32_t extents[2];
    /* this call reports the fault */
    if (shape.rank != 3) return nn_index_select_at(site, net, x, 0, last);
    extents[0] = nn_multiply_extents(shape.extent[0], shape.extent[1]);
    extents[1] = shape.extent[2];
    return nn_index_select_at(site, net, nn_reshape_at(site, net, x, nn_make_shape(extents, 2)), 0,
                              last);
}
