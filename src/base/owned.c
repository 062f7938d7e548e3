/* base/owned.c - the ring of everything that nn_close has to free. There is no reference
   counting: an item is in one ring or in none. */
#include "base/private.h"

NN_PRIVATE void nn__own(nn__owned *list, nn__owned *item, void (*destroy)(nn__owned *self)) {
    if (!list->next) list->next = list->previous = list; /* a zeroed head is an empty ring */
    item->destroy = destroy;
    item->previous = list;
    item->next = list->next;
    list->next->previous = item;
    list->next = item;
}

NN_PRIVATE void nn__disown(nn__owned *item) {
    if (!item->next) return;
    item->previous->next = item->next;
    item->next->previous = item->previous;
    item->next = item->previous = NULL;
}

/* Destroying an item may remove others or add new ones, so this reads the ring again each time. */
NN_PRIVATE void nn__destroy_all(nn__owned *list) {
    while (list->next && list->next != list) {
        nn__owned *item = list->next;
        nn__disown(item);
        if (item->destroy) item->destroy(item);
    }
}
