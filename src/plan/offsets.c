/* plan/offsets.c - finds offsets for plan/layout.c: the lowest offset at which a value overlaps
   nothing that lives at the same time. */
#include "plan/offsets.h"

/* Returns `offset`, or the start of the next block if `bytes` would cross into it. */
static nn__offset_bytes nn__offsets_fit(const nn__plan_device *device, nn__offset_bytes offset,
                                      nn__offset_bytes bytes) {
#ifdef NN__ONE_PIECE
    (void)device, (void)bytes;
    return offset;
#else
    const uint64_t into = offset % device->largest;
    return into > 0 && bytes > device->largest - into ? offset - into + device->largest : offset;
#endif
}

NN_PRIVATE void nn__offsets_use(nn__plan_device *device, nn__offset_bytes offset,
                               nn__offset_bytes bytes) {
#ifdef NN__ONE_PIECE
    nn__piece *block = device->blocks;
#else
    nn__piece *block = &device->blocks[offset / device->largest];
    offset %= device->largest;
#endif
    /* an overflow asks for more than there is */
    const nn__offset_bytes end =
        offset + bytes < offset ? (nn__offset_bytes)-1 : offset + bytes;
    if (block->bytes < end) block->bytes = end;
}

NN_PRIVATE nn__offset_bytes nn__offsets_behind(nn__plan_device *device, nn__offset_bytes bytes) {
    nn__offset_bytes offset = device->blocks->bytes;
#ifndef NN__ONE_PIECE
    for (const nn__piece *block = device->blocks + 1; block[-1].bytes && block->bytes; block++)
        offset = (uint64_t)(block - device->blocks) * device->largest + block->bytes;
#endif
    offset = nn__offsets_fit(device, offset, bytes);
    nn__offsets_use(device, offset, bytes);
    return offset;
}

#ifdef NN_NO_SPEEDUPS
/* Firmware has short plans: the placed values are sorted by offset, and all of them are
   searched. */
NN_PRIVATE void nn__offsets_put(const nn__plan_device *device, nn__value *value,
                               nn__offsets *places) {
    nn__placed *placed = places->placed;
    nn__offset_bytes offset = 0;
    int at = places->count++;
    for (int i = 0; i < at; i++) {
        if (placed[i].last < value->first || value->last < placed[i].first) continue;
        offset = nn__offsets_fit(device, offset, value->bytes);
        if (offset + value->bytes <= placed[i].offset) break;
        if (offset < placed[i].end) offset = placed[i].end;
    }
    value->offset = nn__offsets_fit(device, offset, value->bytes);
    for (; at > 0 && placed[at - 1].offset > value->offset; at--) placed[at] = placed[at - 1];
    placed[at].offset = value->offset;
    placed[at].end = value->offset + value->bytes;
    placed[at].first = value->first;
    placed[at].last = value->last;
}
#else
/* Returns how many placed values come before (offset, first) in the order. */
static int nn__offsets_before(const nn__offsets *places, uint64_t offset, int first) {
    int low = 0, high = places->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const nn__placed *one = &places->placed[places->order[middle]];
        if (one->offset < offset || (one->offset == offset && one->first < first))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The floor of a step is an offset below which all memory is occupied at that step, so nothing new
   can lie lower. A value placed exactly on the floor raises it, in its steps [first, last].

   Each node of the tree has the lowest and the highest floor of its steps [from, to]. If the two
   are equal, the nodes below it are not up to date. */
static void nn__offsets_raise(nn__offsets *places, int node, int from, int to,
                             const nn__placed *value) {
    uint64_t *low = places->low, *high = places->high;
    if (value->last < from || to < value->first || value->offset < low[node] ||
        high[node] < value->offset)
        return;
    if (value->first <= from && to <= value->last && low[node] == high[node]) {
        low[node] = high[node] = value->end;
        return;
    }
    const int left = 2 * node, right = left + 1, middle = from + (to - from) / 2;
    if (low[node] == high[node]) low[left] = high[left] = low[right] = high[right] = low[node];
    nn__offsets_raise(places, left, from, middle, value);
    nn__offsets_raise(places, right, middle + 1, to, value);
    low[node] = low[left] < low[right] ? low[left] : low[right];
    high[node] = high[left] > high[right] ? high[left] : high[right];
}

/* Returns the highest floor of the steps [first, last], searching the node of the steps [from, to].
   A value that lives through all of them cannot lie lower. */
static uint64_t nn__offsets_floor(const nn__offsets *places, int node, int from, int to, int first,
                                 int last) {
    if (last < from || to < first) return 0;
    if ((first <= from && to <= last) || places->low[node] == places->high[node])
        return places->high[node];
    const int middle = from + (to - from) / 2;
    const uint64_t left = nn__offsets_floor(places, 2 * node, from, middle, first, last),
                   right = nn__offsets_floor(places, 2 * node + 1, middle + 1, to, first, last);
    return left > right ? left : right;
}

/* Returns the position in the order after all values at the same offset. */
static int nn__offsets_next(const nn__offsets *places, int at) {
    const uint64_t offset = places->placed[places->order[at]].offset;
    for (int i = at + 1; i < at + 8; i++) /* usually there are few */
        if (i == places->count || places->placed[places->order[i]].offset != offset) return i;
    return nn__offsets_before(places, offset, INT32_MAX);
}

/* `at` is the first position of an offset, `next` the one after its last. Returns the end of the
   largest value there that lives at the same time as `value`; 0: none does. */
static uint64_t nn__offsets_meets(const nn__offsets *places, int at, int next,
                                 const nn__value *value) {
    uint64_t end = 0;
    int i = next - at > 4
                ? nn__offsets_before(places, places->placed[places->order[at]].offset, value->first)
                : at;
    if (i > at) i--; /* the previous value may still be alive */
    for (; i < next; i++) {
        const nn__placed *one = &places->placed[places->order[i]];
        if (one->first > value->last) break;
        if (one->last >= value->first && end < one->end) end = one->end;
    }
    return end;
}

/* Values come largest first. So a value that overlaps an offset begins less than the first value's
   bytes below it. */
NN_PRIVATE void nn__offsets_put(const nn__plan_device *device, nn__value *value,
                               nn__offsets *places) {
    nn__placed *fresh = &places->placed[places->count];
    uint64_t offset =
        nn__offsets_floor(places, 1, 0, places->steps - 1, value->first, value->last);
    const uint64_t largest = places->count ? places->placed->end : 0; /* it begins at 0 */
    int at = offset > largest ? nn__offsets_before(places, offset - largest, 0) : 0;
    while (at < places->count) {
        const int next = nn__offsets_next(places, at);
        const uint64_t end = nn__offsets_meets(places, at, next, value);
        if (end > offset) {
            offset = nn__offsets_fit(device, offset, value->bytes);
            if (offset + value->bytes <= places->placed[places->order[at]].offset) break;
            if (offset < end) offset = end;
        }
        at = next;
    }
    value->offset = fresh->offset = nn__offsets_fit(device, offset, value->bytes);
    fresh->end = value->offset + value->bytes;
    fresh->first = value->first;
    fresh->last = value->last;
    at = nn__offsets_before(places, fresh->offset, fresh->first);
    memmove(places->order + at + 1, places->order + at, sizeof(int) * (size_t)(places->count - at));
    places->order[at] = places->count++;
    nn__offsets_raise(places, 1, 0, places->steps - 1, fresh);
}
#endif
