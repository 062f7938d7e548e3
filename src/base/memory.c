/* base/memory.c - the only place that takes memory from the host: through the user's hooks, from
   malloc, or out of one block of the caller. nn__release is given the size again, so the block
   needs no headers. */
#include "base/private.h"

#ifndef NN_NO_MALLOC
#include <stdlib.h>

/* ---- malloc ---------------------------------------------------------------------------------- */

/* Linux gives large pages to programs that ask for them ("madvise", the usual default).
   Memory-bound work then takes a tenth less time. Touching 2 MB for the first time takes a tenth of
   the time that 512 small pages take. An allocation that fills a large page starts at the boundary
   of one, so the number of large pages does not depend on malloc; the extra bytes are never
   touched. Only pages that the allocation fills are requested, so it takes no more memory than
   before. 32-bit addresses are too scarce for this. */
#if defined(__linux__) && UINTPTR_MAX > UINT32_MAX
#define NN__MEMORY_PAGE ((size_t)1 << 21)
#ifdef __cplusplus
extern "C"
#endif
int (madvise)(void *address, size_t bytes, int advice);

static void nn__memory_advise(char *from, size_t bytes) {
    if (bytes >= NN__MEMORY_PAGE)
        (void)madvise(from, bytes / NN__MEMORY_PAGE * NN__MEMORY_PAGE, 14); /* MADV_HUGEPAGE */
}
#else
#define NN__MEMORY_PAGE SIZE_MAX
#define nn__memory_advise(from, bytes) ((void)0)
#endif

/* aligned_alloc is C11 and missing on Windows. So this allocates more and keeps malloc's pointer
   before the returned one. */
static void *nn__memory_malloc(void *user, size_t bytes, size_t alignment) {
    (void)user;
    if (bytes >= NN__MEMORY_PAGE) alignment = NN__MEMORY_PAGE;
    const size_t extra = alignment + sizeof(void *);
    if (bytes > SIZE_MAX - extra) return NULL;
    void *whole = calloc(1, bytes + extra); /* see nn__memory_clear */
    if (!whole) return NULL;
    char *from = (char *)whole + sizeof(void *);
    char *aligned = from + (alignment - (size_t)((uintptr_t)from % alignment)) % alignment;
    memcpy(aligned - sizeof whole, &whole, sizeof whole);
    nn__memory_advise(aligned, bytes);
    return aligned;
}

/* Fresh pages of the system are zero, and calloc knows which memory is fresh. So memory that
   nobody touches, such as a plan's room for an input that is bound to a tensor, takes no pages. */
static void nn__memory_clear(const nn__memory *memory, void *pointer, size_t bytes) {
    if (memory->block || memory->allocator.allocate != nn__memory_malloc)
        memset(pointer, 0, bytes);
}

static void nn__memory_free(void *user, void *pointer, size_t bytes, size_t alignment) {
    void *whole = NULL;
    (void)user, (void)bytes, (void)alignment;
    memcpy(&whole, (char *)pointer - sizeof whole, sizeof whole);
    free(whole);
}
#else
#define nn__memory_clear(memory, pointer, bytes) memset(pointer, 0, bytes)
#endif

/* ---- one block ------------------------------------------------------------------------------- */

/* Free pieces, by address. The head is an empty piece at the start of the block. Every piece is
   a multiple of NN__ALIGNMENT, so any released piece can hold its own link. */
struct nn__block {
    nn__block *next;
    size_t     bytes;
};

/* Takes the highest piece that is large enough: the first piece is what nobody has used so far, and
   the others are gaps between allocations. */
static void *nn__memory_take(nn__block *head, size_t bytes) {
    nn__block *fits = NULL;
    for (nn__block *before = head; before->next; before = before->next)
        if (before->next->bytes >= bytes) fits = before;
    if (!fits) return NULL;
    nn__block *piece = fits->next;
    if (piece->bytes == bytes) {
        fits->next = piece->next;
        return piece;
    }
    piece->bytes -= bytes; /* from its end, so the link stays in place */
    return (char *)piece + piece->bytes;
}

static void nn__memory_give(nn__block *head, void *pointer, size_t bytes) {
    nn__block *piece = (nn__block *)pointer;
    nn__block *before = head;
    while (before->next && (uintptr_t)before->next < (uintptr_t)piece) before = before->next;
    piece->next = before->next;
    piece->bytes = bytes;
    before->next = piece;
    if (piece->next && (char *)piece + piece->bytes == (char *)piece->next) {
        piece->bytes += piece->next->bytes;
        piece->next = piece->next->next;
    }
    if (before != head && (char *)before + before->bytes == (char *)piece) {
        before->bytes += piece->bytes;
        before->next = piece->next;
    }
}

/* ---- allocating and releasing ---------------------------------------------------------------- */

NN_PRIVATE nn_result nn__memory_init(nn__memory *memory, const nn_allocator *allocator, void *block,
                                     size_t block_bytes) {
    memset(memory, 0, sizeof *memory);
    if (!block && block_bytes > 0) return NN_ERROR_ARGUMENT;
    if (block) {
        size_t lost = (NN__ALIGNMENT - (size_t)((uintptr_t)block % NN__ALIGNMENT)) % NN__ALIGNMENT;
        if (block_bytes < lost + 2 * NN__ALIGNMENT) return NN_ERROR_ARGUMENT;
        nn__block *head = (nn__block *)(void *)((char *)block + lost);
        nn__block *rest = (nn__block *)(void *)((char *)head + NN__ALIGNMENT);
        rest->next = NULL;
        rest->bytes = (block_bytes - lost) / NN__ALIGNMENT * NN__ALIGNMENT - NN__ALIGNMENT;
        head->next = rest;
        head->bytes = 0;
        memory->block = head;
#ifdef NN__MEASURE
        memory->untouched = rest->bytes;
        memory->block_bytes = lost + NN__ALIGNMENT + rest->bytes;
#endif
        return NN_OK;
    }
    if (allocator && (allocator->allocate || allocator->release)) {
        if (!allocator->allocate || !allocator->release) return NN_ERROR_ARGUMENT;
        memory->allocator = *allocator;
        return NN_OK;
    }
#ifdef NN_NO_MALLOC
    return NN_ERROR_ARGUMENT;
#else
    memory->allocator.allocate = nn__memory_malloc;
    memory->allocator.release = nn__memory_free;
    return NN_OK;
#endif
}

NN_PRIVATE void *nn__allocate(nn__memory *memory, size_t bytes) {
    size_t asked = bytes > 0 ? bytes : 1;
    void *pointer = NULL;
    memory->calls++;
    if (asked > SIZE_MAX - NN__ALIGNMENT) return NULL;
    if (memory->block) {
        pointer = nn__memory_take(memory->block, nn__align_up(asked, NN__ALIGNMENT));
#ifdef NN__MEASURE
        if (pointer)
            memory->untouched = (size_t)nn__min64(
                (int64_t)memory->untouched,
                (char *)pointer - (char *)memory->block - (int64_t)NN__ALIGNMENT);
#endif
    } else {
        pointer = memory->allocator.allocate(memory->allocator.user, asked, NN__ALIGNMENT);
        /* misaligned memory would make kernels crash much later */
        if (pointer && (uintptr_t)pointer % NN__ALIGNMENT != 0) {
            memory->allocator.release(memory->allocator.user, pointer, asked, NN__ALIGNMENT);
            pointer = NULL;
        }
    }
    if (!pointer) return NULL;
    nn__memory_clear(memory, pointer, asked);
    memory->live_bytes += bytes;
    if (memory->live_bytes > memory->peak_bytes) memory->peak_bytes = memory->live_bytes;
    return pointer;
}

NN_PRIVATE void nn__release(nn__memory *memory, void *pointer, size_t bytes) {
    size_t asked = bytes > 0 ? bytes : 1;
    if (!pointer) return;
    if (memory->block) nn__memory_give(memory->block, pointer, nn__align_up(asked, NN__ALIGNMENT));
    else memory->allocator.release(memory->allocator.user, pointer, asked, NN__ALIGNMENT);
    memory->live_bytes -= bytes;
}

NN_PRIVATE size_t nn__available(const nn__memory *memory) {
    size_t largest = 0;
    if (!memory->block) return SIZE_MAX;
    for (const nn__block *piece = memory->block->next; piece; piece = piece->next) {
        if (piece->bytes > largest) largest = piece->bytes;
    }
    return largest;
}

#ifndef NN_NO_REPORTS
/* A larger block has a larger first piece; everything else in it stays the same. */
NN_PRIVATE uint64_t nn__missing(const nn__memory *memory, uint64_t bytes) {
    if (!memory->block) return 0;
    const nn__block *first = memory->block->next;
    const bool at_start =
        first && (const char *)first == (const char *)memory->block + NN__ALIGNMENT;
    const uint64_t wanted = (bytes + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    const uint64_t there = at_start ? first->bytes : 0;
    return wanted > there ? wanted - there : 0;
}
#endif

NN_PRIVATE bool nn__multiply(uint64_t a, uint64_t b, uint64_t *product) {
    /* Multiplies in halves, because on a small processor a 64-bit division is a function of its
       own. */
    const uint64_t a_high = a >> 32, b_high = b >> 32, a_low = (uint32_t)a, b_low = (uint32_t)b;
    if (a_high && b_high) return false;
    const uint64_t middle = a_high * b_low + a_low * b_high; /* one of the two is 0 */
    *product = (middle << 32) + a_low * b_low;
    return middle >> 32 == 0 && *product >= a_low * b_low;
}
