/* lists.h - lists of descs that a test fills in one by one: NODE_AT(desc.outputs, 1) = y; FIELD_AT(data.fields, 0).name = "x".
   Each use copies the list first, so that descs that share one stay apart; the copies live until the program ends. */
#pragma once

#include <stdlib.h>
#include <string.h>

static void *list_blocks; /* each begins with the address of the one before, so that all are reachable */

/* Makes *items a longer copy of itself with at least i + 1 elements, and returns element i. */
static inline void *list_at(const void *list, int *count, int i, size_t bytes) {
    const void *items;
    const int room = *count > i ? *count : i + 1;
    char *block = (char *)calloc(1, 16 + bytes * (size_t)room);
    memcpy(&items, list, sizeof items);
    if (*count > 0) memcpy(block + 16, items, bytes * (size_t)*count);
    void *before = block;
#if defined(__TINYC__) && defined(__x86_64__) /* TinyCC has no __sync_lock_test_and_set */
    __asm__ __volatile__("xchgq %0, %1" : "+r"(before), "+m"(list_blocks) : : "memory");
#else
    before = __sync_lock_test_and_set(&list_blocks, before);
#endif
    memcpy(block, &before, sizeof before);
    items = block + 16;
    memcpy((void *)(size_t)list, &items, sizeof items);
    *count = room;
    return block + 16 + bytes * (size_t)i;
}

#define LIST_AT(type, list, address, i)                                                            \
    (*(type *)list_at(&(list).address, &(list).count, i, sizeof(type)))
#define NODE_AT(list, i)    LIST_AT(nn_node *, list, node, i)
#define TEXT_AT(list, i)    LIST_AT(const char *, list, text, i)
#define INTEGER_AT(list, i) LIST_AT(int64_t, list, number, i)
#define FIELD_AT(list, i)   LIST_AT(nn_field, list, field, i)
#define GROUP_AT(list, i)   LIST_AT(nn_parameter_group, list, group, i)
#define RENAME_AT(list, i)  LIST_AT(nn_rename, list, rename, i)
#define DEVICE_AT(list, i)  LIST_AT(nn_device, list, device, i)
#define NUMBER_AT(list, i)  LIST_AT(float, list, number, i)
#define FUNCTION_AT(list, i) LIST_AT(nn_custom_function, list, function, i)
