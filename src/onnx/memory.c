/* onnx/memory.c - an arena for each file and each walk, a table of names, and messages. */
#include "onnx/private.h"

struct nn__onnx_block {
    nn__onnx_block *next;
    size_t bytes;
    size_t used;
};

enum { NN__ONNX_BLOCK = 16384, NN__ONNX_BLOCK_HEAD = 64 };

NN__ONNX_PRIVATE nn__onnx_call nn__onnx_begin(nn_context *nn, nn_site site, const char *name) {
    nn__onnx_call call;
    call.nn = nn;
    call.site = site;
    call.name = name;
    call.code = NN_OK;
    return call;
}

static nn__onnx_block *nn__onnx_new_block(nn__onnx_call *call, nn__onnx_arena *arena,
                                          uint64_t size) {
    nn__onnx_block *block = NULL;
    if (arena->limit > 0 && (size > arena->limit || arena->taken > arena->limit - size)) {
        nn__onnx_fail(call, NN_ERROR_LIMIT,
                      "reading the file needs more memory than 64 MB and three times its size");
        return NULL;
    }
    if (size <= SIZE_MAX) block = (nn__onnx_block *)nn_take_memory(arena->nn, (size_t)size);
    if (!block) {
        nn__onnx_fail(call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)size);
        return NULL;
    }
    block->bytes = (size_t)size;
    block->used = NN__ONNX_BLOCK_HEAD;
    arena->taken += size;
    return block;
}

/* Large pieces get blocks of their own. These come after the first block in the list, so that later
   pieces still go into the first. */
NN__ONNX_PRIVATE void *nn__onnx_take(nn__onnx_call *call, nn__onnx_arena *arena, uint64_t bytes) {
    nn__onnx_block *block = arena->blocks;
    uint64_t rounded;
    char *memory;
    if (bytes > (uint64_t)1 << 40) bytes = (uint64_t)1 << 40;
    rounded = (bytes + 15) / 16 * 16;
    if (rounded == 0) rounded = 16;
    if (!block || block->bytes - block->used < rounded) {
        const bool large = rounded > NN__ONNX_BLOCK / 4;
        nn__onnx_block *made = nn__onnx_new_block(
            call, arena, large ? rounded + NN__ONNX_BLOCK_HEAD : (uint64_t)NN__ONNX_BLOCK);
        if (!made) return NULL;
        if (large && block) {
            made->next = block->next;
            block->next = made;
        } else {
            made->next = block;
            arena->blocks = made;
        }
        block = made;
    }
    memory = (char *)block + block->used;
    block->used += (size_t)rounded;
    return memory;
}

NN__ONNX_PRIVATE void nn__onnx_free_arena(nn__onnx_arena *arena) {
    while (arena->blocks) {
        nn__onnx_block *block = arena->blocks;
        arena->blocks = block->next;
        nn_give_memory(arena->nn, block, block->bytes);
    }
    arena->taken = 0;
}

NN__ONNX_PRIVATE const char *nn__onnx_copy_text(nn__onnx_call *call, nn__onnx_arena *arena,
                                                const char *text, size_t bytes) {
    char *copy;
    if (bytes == 0) return "";
    copy = (char *)nn__onnx_take(call, arena, (uint64_t)bytes + 1);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

/* ---- a table of names ------------------------------------------------------------------------ */

static uint32_t nn__onnx_hash(const char *key) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash ^ hash >> 15;
}

static nn__onnx_slot *nn__onnx_slot_of(const nn__onnx_map *map, const char *key) {
    uint32_t i = nn__onnx_hash(key) & (map->size - 1);
    while (map->slots[i].key && strcmp(map->slots[i].key, key) != 0) i = (i + 1) & (map->size - 1);
    return &map->slots[i];
}

NN__ONNX_PRIVATE void *nn__onnx_find(const nn__onnx_map *map, const char *key) {
    return map->size > 0 ? nn__onnx_slot_of(map, key)->value : NULL;
}

NN__ONNX_PRIVATE bool nn__onnx_set(nn__onnx_call *call, nn__onnx_map *map, const char *key,
                                   void *value) {
    nn__onnx_slot *slot;
    if (map->used * 2 >= map->size) {
        nn__onnx_map larger;
        memset(&larger, 0, sizeof larger);
        larger.arena = map->arena;
        larger.size = map->size ? map->size * 2 : 16;
        larger.slots = (nn__onnx_slot *)nn__onnx_take(call, map->arena,
                                                      (uint64_t)larger.size * sizeof *larger.slots);
        if (!larger.slots) return false;
        for (uint32_t i = 0; i < map->size; i++)
            if (map->slots[i].key) *nn__onnx_slot_of(&larger, map->slots[i].key) = map->slots[i];
        larger.used = map->used;
        *map = larger;
    }
    slot = nn__onnx_slot_of(map, key);
    if (!slot->key) map->used++;
    slot->key = key;
    slot->value = value;
    return true;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void nn__onnx_letter(nn__onnx_message *message, char letter) {
    if (message->length + 1 < sizeof message->text) message->text[message->length++] = letter;
    message->text[message->length] = 0;
}

static void nn__onnx_words(nn__onnx_message *message, const char *text) {
    while (*text) nn__onnx_letter(message, *text++);
}

static void nn__onnx_say_whole(nn__onnx_message *message, int64_t value) {
    char digits[24];
    int count = 0;
    uint64_t rest = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    if (value < 0) nn__onnx_letter(message, '-');
    do {
        digits[count++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    while (count > 0) nn__onnx_letter(message, digits[--count]);
}

/* Four digits after the point are enough for messages. */
static void nn__onnx_say_real(nn__onnx_message *message, double value) {
    int exponent = 0;
    if (value != value || value > 1e300 || value < -1e300) {
        nn__onnx_words(message, value != value ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    if (value < 0) nn__onnx_letter(message, '-');
    value = fabs(value);
    if (value == floor(value) && value < 1e15) {
        nn__onnx_say_whole(message, (int64_t)value);
        return;
    }
    while (value >= 1e4) value /= 10, exponent++;
    while (value < 1e-3) value *= 10, exponent--;
    nn__onnx_say_whole(message, (int64_t)value);
    nn__onnx_letter(message, '.');
    for (int i = 0; i < 4; i++) {
        value = (value - floor(value)) * 10;
        nn__onnx_letter(message, (char)('0' + (int)value));
    }
    if (exponent != 0) {
        nn__onnx_letter(message, 'e');
        nn__onnx_say_whole(message, exponent);
    }
}

static void nn__onnx_quote(nn__onnx_message *message, const char *text) {
    size_t at = 0;
    nn__onnx_letter(message, '"');
    for (; text[at] && at < 80; at++)
        nn__onnx_letter(message, (unsigned char)text[at] < 32 || text[at] == 127 ? '?' : text[at]);
    /* not in the middle of a character of several bytes */
    while (text[at] && ((unsigned char)text[at] & 0xc0) == 0x80)
        nn__onnx_letter(message, text[at++]);
    nn__onnx_words(message, text[at] ? "...\"" : "\"");
}

NN__ONNX_PRIVATE void nn__onnx_say_with(nn__onnx_message *message, const char *format,
                                        va_list *arguments) {
    for (; *format; format++) {
        const char *text;
        if (*format != '%') {
            nn__onnx_letter(message, *format);
            continue;
        }
        format++;
        if (*format == 's' || *format == 'q') {
            text = va_arg(*arguments, const char *);
            if (!text) text = "(none)";
            if (*format == 's')
                nn__onnx_words(message, text);
            else
                nn__onnx_quote(message, text);
        } else if (*format == 'd') {
            nn__onnx_say_whole(message, va_arg(*arguments, int64_t));
        } else if (*format == 'g') {
            nn__onnx_say_real(message, va_arg(*arguments, double));
        } else {
            nn__onnx_letter(message, *format);
        }
    }
}

NN__ONNX_PRIVATE void nn__onnx_say(nn__onnx_message *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    nn__onnx_say_with(message, format, &arguments);
    va_end(arguments);
}

NN__ONNX_PRIVATE void nn__onnx_say_call(nn__onnx_message *message, const nn__onnx_call *call) {
    nn__onnx_say(message, "%s", call->name);
#if !defined(NN_NO_CALL_SITES) || !defined(NN_NO_REPORTS)
    if (call->site.file)
        nn__onnx_say(message, " at %s:%d", call->site.file, (int64_t)call->site.line);
#endif
    nn__onnx_say(message, ": ");
}

NN__ONNX_PRIVATE bool nn__onnx_fail(nn__onnx_call *call, nn_result code, const char *format, ...) {
    nn__onnx_message message;
    va_list arguments;
    if (call->code != NN_OK) return false;
    call->code = code;
    message.length = 0;
    nn__onnx_say_call(&message, call);
    va_start(arguments, format);
    nn__onnx_say_with(&message, format, &arguments);
    va_end(arguments);
    nn_record_error(call->nn, code, message.text);
    return false;
}

NN__ONNX_PRIVATE bool nn__onnx_check_texts(nn__onnx_call *call, const char *field, nn_texts list) {
    bool wrong = list.count < 0 || (list.count > 0 && !list.text);
    for (int i = 0; i < list.count && !wrong; i++) wrong = !list.text[i];
    return !wrong ||
           nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                         ".%s is a list of %d texts without an array, or one of them is NULL; "
                         "NN_TEXTS counts them",
                         field, (int64_t)list.count);
}
