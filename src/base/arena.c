/* base/arena.c - chunks of memory for small things that are all freed together, never one by
   one. */
#include "base/private.h"

/* Little where all memory is one block of a firmware's. */
#define NN__ARENA_CHUNK(arena) ((size_t)((arena)->memory->block ? 512 : 4096))

struct nn__arena_chunk {
    nn__arena_chunk *next;
    size_t           bytes; /* as allocated, this header included */
    size_t           used;
};

NN_PRIVATE void *nn__arena_take(nn__arena *arena, size_t bytes) {
    const size_t header = nn__align_up(sizeof(nn__arena_chunk), 2 * sizeof(void *));
    /* 16, or 8 on a small processor: enough for whatever C has */
    const size_t alignment = 2 * sizeof(void *);
    nn__arena_chunk *chunk = arena->chunk;
    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = nn__align_up(bytes > 0 ? bytes : 1, alignment);
    if (arena->memory->block) /* every byte counts: whatever an earlier chunk has left */
        while (chunk && chunk->bytes - chunk->used < bytes) chunk = chunk->next;
    if (!chunk || chunk->bytes - chunk->used < bytes) {
        const size_t usual = NN__ARENA_CHUNK(arena);
        bool large = bytes > usual - header;
        size_t whole = large ? header + bytes : usual;
        chunk = (nn__arena_chunk *)nn__allocate(arena->memory, whole);
        if (!chunk) return NULL;
        chunk->bytes = whole;
        chunk->used = header;
        if (large && arena->chunk) { /* behind the current one, which still has room */
            chunk->next = arena->chunk->next;
            arena->chunk->next = chunk;
        } else {
            chunk->next = arena->chunk;
            arena->chunk = chunk;
        }
    }
    void *pointer = (char *)chunk + chunk->used;
    chunk->used += bytes;
    return pointer;
}

NN_PRIVATE const char *nn__arena_text(nn__arena *arena, const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = (char *)nn__arena_take(arena, bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

NN_PRIVATE void nn__arena_free(nn__arena *arena) {
    while (arena->chunk) {
        nn__arena_chunk *chunk = arena->chunk;
        arena->chunk = chunk->next;
        nn__release(arena->memory, chunk, chunk->bytes);
    }
}

#undef NN__ARENA_CHUNK
