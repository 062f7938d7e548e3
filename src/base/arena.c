/* base/arena.c - chunks of memory for small objects that are all freed together. */
#include "base/private.h"

#ifndef NN__ARENA_CHUNK /* tests that fail allocations build with smaller ones */
#define NN__ARENA_CHUNK 4096
#endif
#define NN__ARENA_LOOKS 8 /* within one block, how many chunks are searched for free bytes */

static nn__arena_chunk *nn__arena_chunk_new(nn__arena *arena, size_t bytes) {
    char *start = (char *)nn__allocate(arena->memory, bytes);
    if (!start) return NULL;
    nn__arena_chunk *chunk =
        (nn__arena_chunk *)(void *)(start + bytes - sizeof(nn__arena_chunk));
    chunk->start = start;
    chunk->bytes = bytes;
    chunk->left = bytes - sizeof *chunk;
    return chunk;
}

/* In one block every byte counts. So this uses the free bytes of earlier chunks, or grows the
   current chunk by just the missing bytes: the block allocates from its end, so new memory is
   usually right below the chunk. NULL: a new chunk is needed. */
static nn__arena_chunk *nn__arena_in_block(nn__arena *arena, size_t bytes) {
    nn__memory *memory = arena->memory;
    nn__arena_chunk *chunk = arena->chunk;
    for (int i = 0; chunk && i < NN__ARENA_LOOKS; i++, chunk = chunk->next)
        if (chunk->left >= bytes) return chunk;
    chunk = arena->chunk;
    if (!chunk) return NULL;
    const size_t more = nn__align_up(bytes - chunk->left, NN__ALIGNMENT);
    char *below = (char *)nn__allocate(memory, more);
    if (below && below + more == chunk->start) {
        chunk->start = below;
        chunk->bytes += more;
        chunk->left += more;
        return chunk;
    }
    nn__release(memory, below, more);
    return NULL;
}

NN_PRIVATE void *nn__arena_take(nn__arena *arena, size_t bytes) {
    const size_t header = sizeof(nn__arena_chunk);
    const bool in_block = arena->memory->block != NULL;
    nn__arena_chunk *chunk = arena->chunk;
    if (bytes > SIZE_MAX / 2) return NULL;
    /* a multiple of 16, or of 8 on a small processor: enough for any C type */
    bytes = nn__align_up(bytes > 0 ? bytes : 1, 2 * sizeof(void *));
    if (in_block) chunk = nn__arena_in_block(arena, bytes);
    if (!chunk || chunk->left < bytes) {
        const bool large = in_block || bytes + header > NN__ARENA_CHUNK;
        chunk = nn__arena_chunk_new(
            arena, large ? nn__align_up(header + bytes, NN__ALIGNMENT) : NN__ARENA_CHUNK);
        if (!chunk) return NULL;
        /* after the current chunk, which still has room */
        if (large && !in_block && arena->chunk) {
            chunk->next = arena->chunk->next;
            arena->chunk->next = chunk;
        } else {
            chunk->next = arena->chunk;
            arena->chunk = chunk;
        }
    }
    chunk->left -= bytes;
    return chunk->start + chunk->left;
}

NN_PRIVATE const char *nn__arena_text(nn__arena *arena, const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = (char *)nn__arena_take(arena, bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

NN_PRIVATE bool nn__arena_list(nn__arena *arena, const void **items, size_t bytes) {
    void *copy = nn__arena_take(arena, bytes);
    if (copy && bytes > 0) memcpy(copy, *items, bytes);
    if (copy) *items = copy;
    return copy != NULL;
}

NN_PRIVATE bool nn__arena_texts(nn__arena *arena, nn_texts *texts) {
    const char **copy =
        (const char **)nn__arena_take(arena, sizeof(char *) * (size_t)texts->count);
    for (int i = 0; copy && i < texts->count; i++)
        if (!(copy[i] = nn__arena_text(arena, texts->text[i]))) return false;
    texts->text = copy;
    return copy != NULL;
}

NN_PRIVATE void nn__arena_free(nn__arena *arena) {
    while (arena->chunk) {
        nn__arena_chunk *chunk = arena->chunk;
        arena->chunk = chunk->next;
        nn__release(arena->memory, chunk->start, chunk->bytes);
    }
}

#undef NN__ARENA_CHUNK
#undef NN__ARENA_LOOKS
