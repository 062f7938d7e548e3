/* device/items.c - nn_run_items, a service for backends: makes many long calls, several at a time,
   on threads that end with it. The pool (base/pool.c) does not suit them: it is for short units,
   and its threads have small stacks. */
#include "device/private.h"
#include "base/system.h"

#define NN__ITEMS_THREADS 64 /* most threads of a call */

typedef struct nn__items {
    void (*item)(void *data, int i);
    void *data;
    unsigned count;
    unsigned next; /* the next item; each thread counts up when it takes one */
} nn__items;

#ifdef NN__THREADS

#define NN__ITEMS_STACK ((size_t)8 << 20)

static void nn__items_take(nn__items *items) {
    for (;;) {
        const unsigned i = nn__atomic_add(&items->next, 1);
        if (i >= items->count) return;
        items->item(items->data, (int)i);
    }
}

NN__THREAD_MAIN nn__items_serve(void *data) {
    nn__items_take((nn__items *)data);
    return NN__THREAD_MAIN_RESULT;
}

/* Runs the items. Fewer threads than wanted are no error. */
static void nn__items_share(nn__items *items, int threads) {
    nn__thread_handle thread[NN__ITEMS_THREADS];
    int started = 0;
    while (started < threads - 1 &&
           nn__thread_start(&thread[started], nn__items_serve, items, NN__ITEMS_STACK))
        started++;
    nn__items_take(items);
    while (started > 0) nn__thread_join(thread[--started]);
}

#undef NN__ITEMS_STACK

#else

static void nn__items_share(nn__items *items, int threads) {
    (void)threads;
    for (unsigned i = 0; i < items->count; i++) items->item(items->data, (int)i);
}

#endif

NN_API void nn_run_items(const nn_context *nn, int threads, int count,
                         void (*item)(void *data, int i), void *data) {
    nn__items items;
    if (!nn || !item || count <= 0) return;
    if (threads <= 0) threads = nn__pool_workers(nn->pool);
    if (nn->desc.block || nn->desc.jobs.run) threads = 1;
    items.item = item;
    items.data = data;
    items.count = (unsigned)count;
    items.next = 0;
    nn__items_share(&items, nn__mini(nn__mini(threads, count), NN__ITEMS_THREADS));
}

#undef NN__ITEMS_THREADS
