/* device/ledger.c - the ledger of crossings: which tensor was moved where, how often, and by
   which line; and the limits on them. It moves nothing: device/crossing.c asks before each copy
   and reports after it. */
#include "device/private.h"

#define NN__LEDGER_ROWS                                                                            \
    1024 /* most rows; a program that invents a name for each step must not use up the memory */

static const char *nn__ledger_verb(nn_crossing crossing) {
    switch (crossing) {
    case NN_CROSS_UPLOAD: return "upload";
    case NN_CROSS_DOWNLOAD: return "download";
    default: return "device";
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

#ifndef NN_NO_REPORTS
static bool nn__ledger_same_site(nn_site a, nn_site b) {
    if (a.line != b.line) return false;
    if (a.file == b.file) return true; /* the usual case: one string literal */
    return a.file && b.file && strcmp(a.file, b.file) == 0;
}

static bool nn__ledger_matches(const nn_ledger_entry *a, const nn_ledger_entry *b) {
    return a->crossing == b->crossing && a->way == b->way && nn_same_device(a->from, b->from) &&
           nn_same_device(a->to, b->to) && nn__ledger_same_site(a->site, b->site) &&
           strcmp(a->tensor, b->tensor) == 0;
}

static bool nn__ledger_grow(nn_context *nn) {
    nn__ledger *ledger = &nn->ledger;
    int capacity = ledger->capacity > 0 ? ledger->capacity * 2 : 8;
    nn_ledger_entry *entries;
    if (capacity > NN__LEDGER_ROWS) return false;
    entries = (nn_ledger_entry *)nn__allocate(&nn->memory, sizeof *entries * (size_t)capacity);
    if (!entries) return false;
    if (ledger->count > 0)
        memcpy(entries, ledger->entries, sizeof *entries * (size_t)ledger->count);
    nn__release(&nn->memory, ledger->entries, sizeof *entries * (size_t)ledger->capacity);
    ledger->entries = entries;
    ledger->capacity = capacity;
    return true;
}

NN_PRIVATE void nn__ledger_reserve(nn_context *nn, int rows) {
    while (nn->ledger.capacity - nn->ledger.count < rows && nn__ledger_grow(nn)) continue;
}

/* Never fails: if there is no memory for a new row, returns the row "(others)". */
static nn_ledger_entry *nn__ledger_row(nn_context *nn, const nn_ledger_entry *key) {
    nn__ledger *ledger = &nn->ledger;
    for (int i = 0; i < ledger->count; i++) {
        if (nn__ledger_matches(&ledger->entries[i], key)) return &ledger->entries[i];
    }
    if (ledger->count == ledger->capacity && !nn__ledger_grow(nn)) {
        if (ledger->others.count == 0) {
            ledger->others = *key;
            ledger->others.site = nn_make_site(NULL, 0);
            nn__copy_text(ledger->others.tensor, sizeof ledger->others.tensor, "(others)");
        }
        return &ledger->others;
    }
    ledger->entries[ledger->count] = *key;
    return &ledger->entries[ledger->count++];
}

static void nn__ledger_add_row(nn_context *nn, nn_crossing crossing, nn_crossing_way way,
                               nn_device from, nn_device to, uint64_t logical, uint64_t physical,
                               const char *tensor, nn_site site) {
    nn_ledger_entry key, *row;
    memset(&key, 0, sizeof key);
    nn__copy_text(key.tensor, sizeof key.tensor, tensor ? tensor : "");
    key.crossing = crossing;
    key.way = way;
    key.from = from;
    key.to = to;
    key.site = site;
    row = nn__ledger_row(nn, &key);
    row->logical_bytes += logical;
    row->physical_bytes += physical;
    row->count++;
    key.logical_bytes = logical;
    key.physical_bytes = physical;
    key.count = 1;
    for (nn__watch *watch = nn->ledger.watches; watch; watch = watch->next)
        watch->tell(watch, nn, &key, &nn->ledger.fence);
    nn->ledger.fence.value = 0;
}
#else
NN_PRIVATE void nn__ledger_reserve(nn_context *nn, int rows) { (void)nn, (void)rows; }
#endif

NN_PRIVATE nn_result nn__ledger_add(nn_context *nn, nn_crossing crossing, nn_crossing_way way,
                                    nn_device from, nn_device to, uint64_t logical,
                                    uint64_t physical, const char *tensor, nn_site site) {
#ifndef NN_NO_REPORTS
    nn__ledger_add_row(nn, crossing, way, from, to, logical, physical, tensor, site);
#else
    (void)way, (void)from, (void)to, (void)physical, (void)tensor, (void)site;
#endif
    nn->ledger.bytes[crossing] += logical;
    nn->ledger.since_limit[crossing] += logical;
    nn->ledger.crossings++;
    return NN_OK;
}

/* ---- the guard ------------------------------------------------------------------------------- */

static bool nn__ledger_exceeds(uint64_t used, uint64_t more, uint64_t limit) {
    if (limit == 0) return false;
    if (limit == NN_LEDGER_NOTHING) return true;
    return more > limit || used > limit - more;
}

static nn_result nn__ledger_guard(nn_context *nn, nn_crossing crossing, uint64_t bytes,
                                  const char *tensor, nn_site site) {
    const nn__ledger *ledger = &nn->ledger;
    uint64_t limit = crossing == NN_CROSS_UPLOAD     ? ledger->limits.upload_bytes
                     : crossing == NN_CROSS_DOWNLOAD ? ledger->limits.download_bytes
                                                     : ledger->limits.device_bytes;
    const char *verb = nn__ledger_verb(crossing);
    if (nn__ledger_exceeds(ledger->since_limit[crossing], bytes, limit)) {
        return nn__fail_at(
            nn, site, NN_ERROR_LIMIT,
            "nn_ledger_limit: \"%s\", %llu bytes: refused before the copy; %s_bytes allows "
            "%llu, %llu are used; raise the limit, or leave the tensor where it is",
            tensor, (unsigned long long)bytes, verb,
            (unsigned long long)(limit == NN_LEDGER_NOTHING ? 0 : limit),
            (unsigned long long)ledger->since_limit[crossing]);
    }
    limit = ledger->limits.crossings;
    if (nn__ledger_exceeds(ledger->crossings, 1, limit)) {
        return nn__fail_at(
            nn, site, NN_ERROR_LIMIT,
            "nn_ledger_limit: \"%s\", %s of %llu bytes: refused before the copy; crossings "
            "allows %llu, %llu are used; raise the limit, or leave the tensor where it is",
            tensor, crossing == NN_CROSS_DEVICE ? "device copy" : verb, (unsigned long long)bytes,
            (unsigned long long)(limit == NN_LEDGER_NOTHING ? 0 : limit),
            (unsigned long long)ledger->crossings);
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__ledger_ask(nn_context *nn, nn_crossing crossing, uint64_t bytes,
                                    const char *tensor, nn_site site) {
#ifndef NN_NO_REPORTS
    for (nn__watch *watch = nn->ledger.watches; watch; watch = watch->next)
        watch->tell(watch, nn, NULL, NULL);
#endif
    return nn->ledger.guard ? nn->ledger.guard(nn, crossing, bytes, tensor, site) : NN_OK;
}

NN_API void nn_ledger_limit(nn_context *nn, const nn_ledger_limits *limits) {
    if (!nn) return;
    nn->ledger.guard = limits ? nn__ledger_guard : NULL;
    memset(&nn->ledger.limits, 0, sizeof nn->ledger.limits);
    if (limits) nn->ledger.limits = *limits;
    memset(nn->ledger.since_limit, 0, sizeof nn->ledger.since_limit);
    nn->ledger.crossings = 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
NN_API int nn_ledger_count(const nn_context *nn) {
    return nn ? nn->ledger.count + (nn->ledger.others.count > 0 ? 1 : 0) : 0;
}

NN_API nn_ledger_entry nn_ledger_at(const nn_context *nn, int i) {
    nn_ledger_entry none;
    memset(&none, 0, sizeof none);
    if (!nn || i < 0 || i >= nn_ledger_count(nn)) return none;
    return i < nn->ledger.count ? nn->ledger.entries[i] : nn->ledger.others;
}
#else
NN_API int nn_ledger_count(const nn_context *nn) {
    (void)nn;
    return 0;
}

NN_API nn_ledger_entry nn_ledger_at(const nn_context *nn, int i) {
    nn_ledger_entry none;
    (void)nn, (void)i;
    memset(&none, 0, sizeof none);
    return none;
}
#endif

NN_API uint64_t nn_ledger_bytes(const nn_context *nn, nn_crossing crossing) {
    if (!nn || (int)crossing < 0 || (int)crossing > (int)NN_CROSS_DEVICE) return 0;
    return nn->ledger.bytes[crossing];
}

NN_API void nn_reset_ledger(nn_context *nn) {
    if (!nn) return;
#ifndef NN_NO_REPORTS
    nn->ledger.count = 0;
    memset(&nn->ledger.others, 0, sizeof nn->ledger.others);
#endif
    memset(nn->ledger.bytes, 0, sizeof nn->ledger.bytes);
}

#ifndef NN_NO_REPORTS
static const char *nn__ledger_way_name(nn_crossing_way way) {
    return way == NN_WAY_MAPPED ? "mapped" : way == NN_WAY_STAGED ? "staged" : "copied";
}

static void nn__ledger_write_row(const nn_writer *writer, const nn_ledger_entry *entry) {
    char from[32], to[32], logical[32], physical[32], site[96];
    nn__print(writer, "%-8s  %-24s  %-9s  %-9s  %8llu  %10s  %10s  %-6s  %s\n",
              nn__ledger_verb(entry->crossing), entry->tensor,
              nn_format_device(entry->from, from, sizeof from),
              nn_format_device(entry->to, to, sizeof to), (unsigned long long)entry->count,
              nn__format_bytes(logical, sizeof logical, entry->logical_bytes),
              nn__format_bytes(physical, sizeof physical, entry->physical_bytes),
              nn__ledger_way_name(entry->way), nn__format_site(entry->site, site, sizeof site));
}
#endif

NN_API void nn_write_ledger(const nn_context *nn, nn_writer writer) {
#ifndef NN_NO_REPORTS
    char text[3][32];
    if (!nn || !writer.function) return;
    nn__print(&writer, "%-8s  %-24s  %-9s  %-9s  %8s  %10s  %10s  %-6s  %s\n", "crossing", "tensor",
              "from", "to", "count", "bytes", "moved", "way", "line");
    for (int i = 0; i < nn_ledger_count(nn); i++) {
        nn_ledger_entry entry = nn_ledger_at(nn, i);
        nn__ledger_write_row(&writer, &entry);
    }
    nn__print(&writer, "total: uploads %s, downloads %s, between devices %s\n",
              nn__format_bytes(text[0], sizeof text[0], nn->ledger.bytes[NN_CROSS_UPLOAD]),
              nn__format_bytes(text[1], sizeof text[1], nn->ledger.bytes[NN_CROSS_DOWNLOAD]),
              nn__format_bytes(text[2], sizeof text[2], nn->ledger.bytes[NN_CROSS_DEVICE]));
#else
    (void)nn;
    (void)writer;
#endif
}

#undef NN__LEDGER_ROWS
