/* language/speak.c - turns tokens into text that a reader may see: whole characters, and nothing
   that may still become a stop word. */
#include "language/generate_private.h"

typedef struct nn__speaking {
    nn__speech *speech;
    const nn__listener *listener;
} nn__speaking;

static void nn__speak_emit(nn__speech *speech, const nn__listener *listener, size_t bytes) {
    const nn_generator *g = listener->generator;
    if (bytes == 0 || speech->refused) return;
    if (listener->writes) {
        if (g->desc.write.function && !g->desc.write.function(g->desc.write.user, listener->text,
                                                              speech->held, bytes))
            speech->refused = true;
    } else if (listener->writer.function) {
        listener->writer.function(listener->writer.user, speech->held, bytes);
    }
}

/* Returns where the first stop word begins in the held text, or the length if there is none. */
static size_t nn__speak_find(const nn_generator *g, const nn__speech *speech) {
    for (size_t at = 0; at < speech->length; at++)
        for (int32_t i = 0; i < g->desc.stop.count; i++)
            if (g->stop_bytes[i] <= speech->length - at &&
                memcmp(speech->held + at, g->stop_words[i], g->stop_bytes[i]) == 0)
                return at;
    return speech->length;
}

/* Returns where the longest end of the held text that may become a stop word begins, or the length
   if there is none. */
static size_t nn__speak_doubt(const nn_generator *g, const nn__speech *speech) {
    for (size_t at = 0; at < speech->length; at++)
        for (int32_t i = 0; i < g->desc.stop.count; i++)
            if (speech->length - at < g->stop_bytes[i] &&
                memcmp(speech->held + at, g->stop_words[i], speech->length - at) == 0)
                return at;
    return speech->length;
}

static void nn__speak_piece(void *user, const char *text, size_t bytes) {
    nn__speaking *speaking = (nn__speaking *)user;
    nn__speech *speech = speaking->speech;
    const nn_generator *g = speaking->listener->generator;
    size_t found, sure;
    if (speech->stopped) return;
    memcpy(speech->held + speech->length, text, bytes); /* nn__speak_longest made room for it */
    speech->length += bytes;
    found = nn__speak_find(g, speech);
    speech->stopped = found < speech->length;
    sure = speech->stopped ? found : nn__speak_doubt(g, speech);
    nn__speak_emit(speech, speaking->listener, sure);
    speech->length = speech->stopped ? 0 : speech->length - sure;
    memmove(speech->held, speech->held + sure, speech->length);
}

NN__TEXT_PRIVATE bool nn__speak(nn__text_call *call, nn__speech *speech, int32_t id,
                                const nn__listener *listener) {
    nn__speaking speaking;
    nn_writer writer;
    speaking.speech = speech;
    speaking.listener = listener;
    writer.function = nn__speak_piece;
    writer.user = &speaking;
    call->code = nn_decode_next_at(call->site, listener->generator->desc.tokenizer, &speech->stream,
                                   id, writer);
    return call->code == NN_OK;
}

/* Keeps the count of the decoder, because a later turn continues with it. */
NN__TEXT_PRIVATE bool nn__speak_end(nn__text_call *call, nn__speech *speech,
                                    const nn__listener *listener) {
    nn__speaking speaking;
    nn_writer writer;
    int32_t count = speech->stream.count;
    speaking.speech = speech;
    speaking.listener = listener;
    writer.function = nn__speak_piece;
    writer.user = &speaking;
    call->code = nn_decode_end_at(call->site, listener->generator->desc.tokenizer, &speech->stream,
                                  writer);
    speech->stream.count = count;
    nn__speak_emit(speech, listener, speech->length);
    speech->length = 0;
    return call->code == NN_OK;
}

static void nn__speak_nothing(void *user, const char *text, size_t bytes) {
    (void)user, (void)text, (void)bytes;
}

NN__TEXT_PRIVATE bool nn__speak_silently(nn__text_call *call, nn__speech *speech,
                                         const nn_generator *generator, int32_t id) {
    nn_writer nobody;
    nobody.function = nn__speak_nothing;
    nobody.user = NULL;
    call->code = nn_decode_next_at(call->site, generator->desc.tokenizer, &speech->stream, id,
                                   nobody);
    return call->code == NN_OK;
}

static void nn__speak_measure(void *user, const char *text, size_t bytes) {
    size_t *longest = (size_t *)user;
    (void)text;
    if (bytes > *longest) *longest = bytes;
}

NN__TEXT_PRIVATE size_t nn__speak_longest(nn__text_call *call, nn_tokenizer *tokenizer,
                                          bool special) {
    size_t longest = 1;
    nn_writer writer;
    nn_decode_stream stream;
    memset(&stream, 0, sizeof stream);
    stream.desc.special_tokens = special;
    writer.function = nn__speak_measure;
    writer.user = &longest;
    for (int32_t id = 0; id < nn_vocab_size(tokenizer) && call->code == NN_OK; id++) {
        if (!nn_token_text(tokenizer, id)) continue;
        stream.count = 1;
        call->code = nn_decode_next_at(call->site, tokenizer, &stream, id, writer);
        stream.held = 0;
    }
    /* An unfinished character comes out with the next token, with three bytes for each of its
       bytes. */
    longest += 16;
    return call->code == NN_OK && nn__text_grow(call, &tokenizer->decoded, longest) ? longest : 0;
}
