/* scarce.h: an allocator that fails from a given call on, or at that call alone. It counts live
   bytes.
     scarce memory; memset(&memory, 0, sizeof memory);
     desc.allocator = scarce_memory(&memory);
     memory.calls = 0; memory.fail_at = 3;       // the third from now on; 0: none
     memory.once = true;                         // the third alone

   Include after "nn.h". */
#ifndef NN_SCARCE_H
#define NN_SCARCE_H

#include <stdlib.h>
#include <string.h>

typedef struct scarce {
    int calls, fail_at;
    bool once;
    int64_t live; /* bytes */
} scarce;

static void *scarce_allocate(void *user, size_t bytes, size_t alignment) {
    scarce *memory = (scarce *)user;
    void *found;
    uintptr_t at;
    ++memory->calls;
    if (memory->fail_at > 0 &&
        (memory->once ? memory->calls == memory->fail_at : memory->calls >= memory->fail_at))
        return NULL;
    found = malloc(bytes + alignment + sizeof(void *));
    if (!found) return NULL;
    memory->live += (int64_t)bytes;
    at = ((uintptr_t)found + sizeof(void *) + alignment - 1) / alignment * alignment;
    ((void **)at)[-1] = found;
    return (void *)at;
}

static void scarce_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)alignment;
    if (!memory) return;
    ((scarce *)user)->live -= (int64_t)bytes;
    free(((void **)memory)[-1]);
}

static nn_allocator scarce_memory(scarce *memory) {
    nn_allocator allocator;
    allocator.allocate = scarce_allocate;
    allocator.release = scarce_release;
    allocator.user = memory;
    return allocator;
}

#endif
