/* text/decode.c - decodes ids to text, all at once or one by one. No piece ends inside a
   character. */
#include "text/private.h"

/* Collects the output of one call in the tokenizer's buffer. */
typedef struct nn__text_writing {
    nn__text_call *call;
    nn_tokenizer *t;
    nn_decode_stream *stream;
    size_t length;
} nn__text_writing;

static bool nn__text_append(nn__text_writing *out, const char *text, size_t bytes) {
    if (!nn__text_grow(out->call, &out->t->decoded, (uint64_t)out->length + bytes)) return false;
    if (bytes > 0) memcpy((char *)out->t->decoded.data + out->length, text, bytes);
    out->length += bytes;
    return true;
}

/* Returns the length of a character that begins with this byte. */
static size_t nn__text_whole(unsigned char first) {
    return first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Appends bytes after the pending ones. Whole characters are written; an incomplete one at the end
   stays pending. */
static bool nn__text_append_bytes(nn__text_writing *out, const char *text, size_t bytes) {
    nn_decode_stream *stream = out->stream;
    for (size_t i = 0; i < bytes; i++) {
        size_t held, at = 0, length;
        const char *pending = (const char *)stream->pending;
        if (stream->held == 0 && (unsigned char)text[i] < 0x80) {
            if (!nn__text_append(out, text + i, 1)) return false;
            continue;
        }
        stream->pending[stream->held++] = (uint8_t)text[i];
        held = (size_t)stream->held;
        while (at < held) {
            uint32_t point = nn__text_decode(pending, held, at, &length);
            if (at + length == held && length < nn__text_whole((unsigned char)pending[at])) break;
            if (!nn__text_append(out, point == 0xfffd ? "\xef\xbf\xbd" : pending + at,
                                 point == 0xfffd ? 3 : length))
                return false;
            at += length;
        }
        memmove(stream->pending, stream->pending + at, held - at);
        stream->held = (int32_t)(held - at);
    }
    return true;
}

/* Replaces pending bytes, which are no character, by U+FFFD. */
static bool nn__text_flush(nn__text_writing *out) {
    if (out->stream->held == 0) return true;
    out->stream->held = 0;
    return nn__text_append(out, "\xef\xbf\xbd", 3);
}

/* Writes the bytes that the letters of a token stand for. A token with other letters is written as
   it is. */
static bool nn__text_put_spelled(nn__text_writing *out, const nn__text_token *token) {
    const int16_t *byte_of = out->t->byte_of;
    size_t length;
    for (int pass = 0; pass < 2; pass++)
        for (size_t at = 0; at < token->written_bytes; at += length) {
            uint32_t point = nn__text_decode(token->written, token->written_bytes, at, &length);
            char byte;
            if (point >= 324 || byte_of[point] < 0)
                return nn__text_append_bytes(out, token->written, token->written_bytes);
            byte = (char)byte_of[point];
            if (pass && !nn__text_append_bytes(out, &byte, 1)) return false;
        }
    return true;
}

/* Drops a leading ##. Else writes a space first, except with cleanup before certain punctuation and
   endings. */
static bool nn__text_put_wordpiece(nn__text_writing *out, const nn__text_token *token) {
    static const char *const close[] = {".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"};
    const nn_tokenizer *t = out->t;
    if (out->stream->count > 0) {
        bool blank = true;
        if (token->written_bytes >= t->decode_bytes &&
            memcmp(token->written, t->decode_text, t->decode_bytes) == 0)
            return nn__text_append(out, token->written + t->decode_bytes,
                                   token->written_bytes - t->decode_bytes);
        for (size_t i = 0; i < sizeof close / sizeof close[0] && t->cleanup; i++)
            blank = blank && (token->written_bytes < strlen(close[i]) ||
                              memcmp(token->written, close[i], strlen(close[i])) != 0);
        if (blank && !nn__text_append(out, " ", 1)) return false;
    }
    return nn__text_append(out, token->written, token->written_bytes);
}

/* Decodes as Llama 2's decoder does: <0x41> is a byte, Replace steps apply, and the text's first
   space is dropped. */
static bool nn__text_put_replaced(nn__text_writing *out, const nn__text_token *token) {
    const nn_tokenizer *t = out->t;
    const char *text = token->written;
    bool first = out->stream->count == 0 && t->decode_strips;
    unsigned value = 0;
    if (t->decode_falls_back && token->written_bytes == 6 && memcmp(text, "<0x", 3) == 0 &&
        text[5] == '>') {
        for (int i = 3; i < 5; i++) {
            const char *digits = "0123456789ABCDEF", *digit = strchr(digits, text[i]);
            value = digit && text[i] ? value * 16 + (unsigned)(digit - digits) : 256;
        }
        if (value < 256) {
            char byte = (char)value;
            return nn__text_append_bytes(out, &byte, 1);
        }
    }
    if (!nn__text_flush(out)) return false;
    for (size_t at = 0; at < token->written_bytes;) {
        const nn__text_step *step = NULL;
        for (uint32_t i = 0; i < t->decode_count && !step; i++)
            if (token->written_bytes - at >= t->decode_steps[i].text_bytes &&
                memcmp(text + at, t->decode_steps[i].text, t->decode_steps[i].text_bytes) == 0)
                step = &t->decode_steps[i];
        if (!step && !(first && text[at] == ' ') && !nn__text_append(out, text + at, 1))
            return false;
        if (step && !(first && step->with_bytes == 1 && step->with[0] == ' ') &&
            !nn__text_append(out, step->with, step->with_bytes))
            return false;
        at += step ? step->text_bytes : 1;
        first = false;
    }
    return true;
}

/* Replaces the sign for a space by a space. In the first token it is dropped. */
static bool nn__text_put_metaspace(nn__text_writing *out, const nn__text_token *token) {
    const nn_tokenizer *t = out->t;
    bool first = out->stream->count == 0 && t->decode_strips;
    for (size_t at = 0; at < token->written_bytes;) {
        bool sign = token->written_bytes - at >= t->decode_bytes &&
                    memcmp(token->written + at, t->decode_text, t->decode_bytes) == 0;
        if (sign ? !first && !nn__text_append(out, " ", 1)
                 : !nn__text_append(out, token->written + at, 1))
            return false;
        at += sign ? t->decode_bytes : 1;
    }
    return true;
}

static bool nn__text_put_token(nn__text_writing *out, int32_t id) {
    const nn_tokenizer *t = out->t;
    const nn__text_token *token = nn__text_by_id(&t->vocab, (uint32_t)id);
    bool written = true;
    if (token->special && !out->stream->desc.special_tokens) return true;
    switch (t->decoder) {
    case NN__TEXT_DECODE_BYTES: written = nn__text_put_spelled(out, token); break;
    case NN__TEXT_DECODE_WORDPIECE: written = nn__text_put_wordpiece(out, token); break;
    case NN__TEXT_DECODE_METASPACE: written = nn__text_put_metaspace(out, token); break;
    case NN__TEXT_DECODE_SEQUENCE: written = nn__text_put_replaced(out, token); break;
    case NN__TEXT_DECODE_PLAIN:
        written = nn__text_append_bytes(out, token->written, token->written_bytes);
        break;
    default:
        written = (out->stream->count == 0 || nn__text_append(out, " ", 1)) &&
                  nn__text_append(out, token->written, token->written_bytes);
    }
    if (out->stream->count < INT32_MAX) out->stream->count++;
    return written;
}

static bool nn__text_check_id(nn__text_call *call, const nn_tokenizer *t, int32_t id, int64_t at) {
    if (id >= 0 && nn__text_by_id(&t->vocab, (uint32_t)id)) return true;
    return nn__text_fail(call, NN_ERROR_INDEX,
                         "id %d at index %d is not in the vocabulary, which has ids below %d",
                         (int64_t)id, at, (int64_t)t->vocab.size);
}

static void nn__text_hand_over(const nn__text_writing *out, nn_writer writer) {
    if (out->call->code == NN_OK && out->length > 0)
        writer.function(writer.user, (const char *)out->t->decoded.data, out->length);
}

/* Starts a call. False: an argument is wrong. */
static bool nn__text_begin_writing(nn__text_writing *out, nn__text_call *call, nn_tokenizer *t,
                                   nn_decode_stream *stream, nn_writer writer) {
    out->call = call;
    out->t = t;
    out->stream = stream;
    out->length = 0;
    if (!writer.function)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "the writer has no function; nothing was written");
    if (!stream) return nn__text_fail(call, NN_ERROR_ARGUMENT, "stream is NULL");
    if (stream->held < 0 || stream->held > 4 || stream->count < 0)
        return nn__text_fail(
            call, NN_ERROR_ARGUMENT,
            "*stream did not begin as zeros; initialise it with = { 0 } or memset");
    return true;
}

NN_API nn_result nn_decode_at(nn_site site, nn_tokenizer *tokenizer, const int32_t *ids,
                              int32_t count, const nn_decode_desc *desc, nn_writer writer) {
    nn__text_call call;
    nn__text_writing out;
    nn_decode_stream stream;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_decode");
    memset(&stream, 0, sizeof stream);
    if (desc) stream.desc = *desc;
    nn__text_begin_writing(&out, &call, tokenizer, &stream, writer);
    if (count < 0 || (count > 0 && !ids))
        nn__text_fail(&call, NN_ERROR_ARGUMENT, "%d ids%s", (int64_t)count, ids ? "" : " at NULL");
    for (int32_t i = 0; i < count && call.code == NN_OK; i++)
        nn__text_check_id(&call, tokenizer, ids[i], i);
    for (int32_t i = 0; i < count && call.code == NN_OK; i++) nn__text_put_token(&out, ids[i]);
    if (call.code == NN_OK) nn__text_flush(&out);
    nn__text_hand_over(&out, writer);
    return call.code;
}

NN_API nn_result nn_decode_next_at(nn_site site, nn_tokenizer *tokenizer, nn_decode_stream *stream,
                                   int32_t id, nn_writer writer) {
    nn__text_call call;
    nn__text_writing out;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_decode_next");
    if (nn__text_begin_writing(&out, &call, tokenizer, stream, writer) &&
        nn__text_check_id(&call, tokenizer, id, stream->count))
        nn__text_put_token(&out, id);
    nn__text_hand_over(&out, writer);
    return call.code;
}

NN_API nn_result nn_decode_end_at(nn_site site, nn_tokenizer *tokenizer, nn_decode_stream *stream,
                                  nn_writer writer) {
    nn__text_call call;
    nn__text_writing out;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_decode_end");
    if (nn__text_begin_writing(&out, &call, tokenizer, stream, writer) && nn__text_flush(&out)) {
        stream->count = 0;
        nn__text_hand_over(&out, writer);
    }
    return call.code;
}
