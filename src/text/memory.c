/* text/memory.c - memory of a tokenizer, hashes of texts, and error messages. All memory comes from
   the context, and nothing is printed. */
#include "text/private.h"

struct nn__text_block {
    nn__text_block *next;
    size_t bytes;
    size_t used;
};

enum { NN__TEXT_BLOCK = 16384, NN__TEXT_BLOCK_HEAD = 64 };

NN__TEXT_PRIVATE nn__text_call nn__text_begin(nn_context *nn, nn_site site, const char *name) {
    nn__text_call call;
    call.nn = nn;
    call.site = site;
    call.name = name;
    call.code = NN_OK;
    call.item = -1;
    return call;
}

NN__TEXT_PRIVATE bool nn__text_grow(nn__text_call *call, nn__text_buffer *buffer, uint64_t bytes) {
    uint64_t wanted = (uint64_t)buffer->bytes + buffer->bytes / 2 + 1024;
    void *data;
    if (bytes <= buffer->bytes) return true;
    if (wanted < bytes) wanted = bytes;
    data = wanted <= SIZE_MAX ? nn_take_memory(call->nn, (size_t)wanted) : NULL;
    if (!data)
        return nn__text_fail(call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)wanted);
    if (buffer->bytes > 0) memcpy(data, buffer->data, buffer->bytes);
    nn_give_memory(call->nn, buffer->data, buffer->bytes);
    buffer->data = data;
    buffer->bytes = (size_t)wanted;
    return true;
}

NN__TEXT_PRIVATE void nn__text_drop(nn_context *nn, nn__text_buffer *buffer) {
    nn_give_memory(nn, buffer->data, buffer->bytes);
    buffer->data = NULL;
    buffer->bytes = 0;
}

NN__TEXT_PRIVATE void *nn__text_take(nn__text_call *call, nn_tokenizer *t, uint64_t bytes) {
    nn__text_block *block = t->blocks;
    uint64_t rounded = (bytes + 15) / 16 * 16, size;
    char *memory;
    if (!block || block->bytes - block->used < rounded) {
        size = rounded + NN__TEXT_BLOCK_HEAD;
        if (size < NN__TEXT_BLOCK) size = NN__TEXT_BLOCK;
        block = size <= SIZE_MAX ? (nn__text_block *)nn_take_memory(call->nn, (size_t)size) : NULL;
        if (!block) {
            nn__text_fail(call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)size);
            return NULL;
        }
        block->bytes = (size_t)size;
        block->used = NN__TEXT_BLOCK_HEAD;
        block->next = t->blocks;
        t->blocks = block;
    }
    memory = (char *)block + block->used;
    block->used += (size_t)rounded;
    return memory;
}

NN__TEXT_PRIVATE void nn__text_free_blocks(nn_tokenizer *t) {
    while (t->blocks) {
        nn__text_block *block = t->blocks;
        t->blocks = block->next;
        nn_give_memory(t->nn, block, block->bytes);
    }
}

/* Multiplicative hash of eight bytes at a time. Results may differ between byte orders; they are
   never stored. */
NN__TEXT_PRIVATE uint64_t nn__text_hash(const char *text, size_t bytes) {
    uint64_t hash = 0x9e3779b97f4a7c15u ^ bytes, word;
    for (; bytes >= 8; bytes -= 8, text += 8) {
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    word = 0;
    for (size_t i = 0; i < bytes; i++) word = word << 8 | (unsigned char)text[i];
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 29;
    hash *= 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 32;
}

/* ---- errors in words ------------------------------------------------------------------------- */

typedef struct nn__text_message {
    char text[600];
    size_t length;
} nn__text_message;

static void nn__text_letter(nn__text_message *message, char letter) {
    if (message->length + 1 < sizeof message->text) message->text[message->length++] = letter;
}

static void nn__text_number(nn__text_message *message, uint64_t value, uint32_t base, int least) {
    char digits[24];
    int count = 0;
    do {
        digits[count++] = "0123456789ABCDEF"[value % base];
        value /= base;
    } while (value > 0 || count < least);
    while (count > 0) nn__text_letter(message, digits[--count]);
}

static void nn__text_words(nn__text_message *message, const char *text) {
    while (*text) nn__text_letter(message, *text++);
}

/* Quotes at most 60 bytes, in whole characters. Characters that cannot be shown become question
   marks. */
static void nn__text_quote(nn__text_message *message, const char *text, size_t bytes) {
    size_t at = 0, length;
    nn__text_letter(message, '"');
    while (at < bytes && at < 60) {
        uint32_t point = nn__text_decode(text, bytes, at, &length);
        bool shown = point >= 32 && point != 127 && point != 0xfffd;
        for (size_t i = 0; i < length && shown; i++) nn__text_letter(message, text[at + i]);
        if (!shown) nn__text_letter(message, '?');
        at += length;
    }
    nn__text_words(message, at < bytes ? "...\"" : "\"");
}

static void nn__text_format(nn__text_message *message, const char *format, va_list *arguments) {
    for (; *format; format++) {
        if (*format != '%') {
            nn__text_letter(message, *format);
            continue;
        }
        format++;
        if (*format == 's') {
            const char *text = va_arg(*arguments, const char *);
            nn__text_words(message, text ? text : "(none)");
        } else if (*format == 'q') {
            size_t bytes = va_arg(*arguments, size_t);
            nn__text_quote(message, va_arg(*arguments, const char *), bytes);
        } else if (*format == 'd') {
            int64_t value = va_arg(*arguments, int64_t);
            if (value < 0) nn__text_letter(message, '-');
            nn__text_number(message, value < 0 ? 0u - (uint64_t)value : (uint64_t)value, 10, 1);
        } else {
            nn__text_words(message, "U+");
            nn__text_number(message, va_arg(*arguments, uint32_t), 16, 4);
        }
    }
}

NN__TEXT_PRIVATE bool nn__text_fail(nn__text_call *call, nn_result code, const char *format, ...) {
    nn__text_message message;
    va_list arguments;
    if (call->code != NN_OK) return false;
    call->code = code;
    message.length = 0;
    nn__text_words(&message, call->name);
#if !defined(NN_NO_CALL_SITES) || !defined(NN_NO_REPORTS)
    if (call->site.file) {
        nn__text_words(&message, " at ");
        nn__text_words(&message, call->site.file);
        nn__text_letter(&message, ':');
        nn__text_number(&message, (uint64_t)(call->site.line < 0 ? 0 : call->site.line), 10, 1);
    }
#endif
    nn__text_words(&message, ": ");
    if (call->item >= 0) {
        nn__text_words(&message, "text ");
        nn__text_number(&message, (uint64_t)call->item, 10, 1);
        nn__text_words(&message, " of the batch: ");
    }
    va_start(arguments, format);
    nn__text_format(&message, format, &arguments);
    va_end(arguments);
    message.text[message.length] = 0;
    nn_record_error(call->nn, code, message.text);
    return false;
}
