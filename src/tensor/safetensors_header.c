/* tensor/safetensors_header.c - the JSON header of a safetensors file: parsed, checked, sorted.
   It accepts exactly the header's grammar, three levels deep, without recursion, and trusts
   nothing that it has not checked. tensor/safetensors_words.c reads the words. */
#include "tensor/safetensors_words.h"

#ifndef NN_NO_FILES

static const struct {
    const char *name;
    nn_dtype dtype;
} nn__safetensors_dtypes[] = {{"F32", NN_F32}, {"F16", NN_F16},  {"BF16", NN_BF16}, {"F64", NN_F64},
                              {"I64", NN_I64}, {"I32", NN_I32},  {"I16", NN_I16},   {"I8", NN_I8},
                              {"U8", NN_U8},   {"BOOL", NN_BOOL}};

/* Dtypes of files that the library does not have: their tensors can be skipped, but not read. */
static const struct {
    char name[12];
    unsigned char bits;
} nn__safetensors_others[] = {{"U16", 16},         {"U32", 32},        {"U64", 64},
                              {"C64", 64},         {"F8_E4M3", 8},     {"F8_E5M2", 8},
                              {"F8_E8M0", 8},      {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8},
                              {"F6_E2M3", 6},      {"F6_E3M2", 6},     {"F4", 4}};

NN_PRIVATE const char *nn__safetensors_dtype_name(nn_dtype dtype) {
    int i = 0;
    while (i + 1 < NN__COUNT(nn__safetensors_dtypes) && nn__safetensors_dtypes[i].dtype != dtype)
        i++;
    return nn__safetensors_dtypes[i].name;
}

/* ---- entries --------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__safetensors_grow(nn_safetensors *file, void **items, int count, int *capacity,
                                     size_t item_bytes) {
    int wanted = *capacity > 0 ? *capacity * 2 : 16;
    void *grown;
    if (count < *capacity) return true;
    grown = nn__allocate_for(file->nn, "nn_open_safetensors: the table of contents",
                             item_bytes * (size_t)wanted);
    if (!grown) return false;
    if (count > 0) memcpy(grown, *items, item_bytes * (size_t)count);
    nn__release(&file->nn->memory, *items, item_bytes * (size_t)*capacity);
    *items = grown;
    *capacity = wanted;
    return true;
}

static bool nn__safetensors_read_metadata(nn__safetensors_reader *reader) {
    nn_safetensors *file = reader->file;
    bool more = true;
    if (!nn__safetensors_expect(reader, '{', "after \"__metadata__\":")) return false;
    if (nn__safetensors_peek(reader) == '}') {
        reader->at++;
        return true;
    }
    while (more) {
        nn__safetensors_pair pair;
        void *pairs = file->pairs;
        if (!nn__safetensors_string(reader, &pair.key, "before a key of __metadata__"))
            return false;
        if (!nn__safetensors_expect(reader, ':', "after a key of __metadata__")) return false;
        if (!nn__safetensors_string(reader, &pair.value,
                                    "before a value of __metadata__, which are strings"))
            return false;
        if (!nn__safetensors_grow(file, &pairs, file->pair_count, &file->pair_capacity,
                                  sizeof pair))
            return false;
        file->pairs = (nn__safetensors_pair *)pairs;
        file->pairs[file->pair_count++] = pair;
        if (!nn__safetensors_next(reader, '}', &more, "at the end of __metadata__")) return false;
    }
    return true;
}

/* bits: of one element. */
static bool nn__safetensors_read_dtype(nn__safetensors_reader *reader, nn_safetensors_entry *entry,
                                       int *bits) {
    size_t at = reader->at;
    const char *name;
    if (!nn__safetensors_string(reader, &name, "before a dtype")) return false;
    for (int i = 0; i < NN__COUNT(nn__safetensors_dtypes); i++) {
        if (strcmp(name, nn__safetensors_dtypes[i].name) == 0)
            entry->dtype = nn__safetensors_dtypes[i].dtype;
    }
    *bits = 8 * (int)nn_dtype_size(entry->dtype);
    if (entry->dtype != NN_DTYPE_DEFAULT) return true;
    entry->dtype = NN_DTYPE_COUNT;
    for (int i = 0; i < NN__COUNT(nn__safetensors_others); i++) {
        *bits = nn__safetensors_others[i].bits;
        if (strcmp(name, nn__safetensors_others[i].name) == 0) return true;
    }
    return nn__safetensors_wrong(
        reader, at, "dtype \"%s\" is unknown here; known: F32 F16 BF16 F64 I64 I32 I16 I8 U8 BOOL",
        name);
}

static bool nn__safetensors_read_shape(nn__safetensors_reader *reader,
                                       nn_safetensors_entry *entry) {
    bool more = true;
    uint64_t extent;
    if (!nn__safetensors_expect(reader, '[', "before a shape")) return false;
    if (nn__safetensors_peek(reader) == ']') {
        reader->at++;
        return true;
    }
    while (more) {
        size_t at = reader->at;
        if (!nn__safetensors_number(reader, &extent, "in a shape")) return false;
        if (entry->shape.rank == NN_MAX_RANK) {
            return nn__safetensors_wrong(reader, at, "a shape with more than %d extents",
                                         NN_MAX_RANK);
        }
        if (extent > (uint64_t)INT32_MAX) {
            return nn__safetensors_wrong(reader, at, "extent %llu is above %d",
                                         (unsigned long long)extent, INT32_MAX);
        }
        entry->shape.extent[entry->shape.rank++] = (int32_t)extent;
        if (!nn__safetensors_next(reader, ']', &more, "at the end of a shape")) return false;
    }
    return true;
}

static bool nn__safetensors_read_offsets(nn__safetensors_reader *reader,
                                         nn_safetensors_entry *entry) {
    uint64_t begin, end, data = reader->file->size - 8 - reader->length;
    size_t at = reader->at;
    if (!nn__safetensors_expect(reader, '[', "before data_offsets")) return false;
    if (!nn__safetensors_number(reader, &begin, "in data_offsets")) return false;
    if (!nn__safetensors_expect(reader, ',', "between two data_offsets")) return false;
    if (!nn__safetensors_number(reader, &end, "in data_offsets")) return false;
    if (!nn__safetensors_expect(reader, ']', "after two data_offsets")) return false;
    if (begin > end || end > data) {
        return nn__safetensors_wrong(
            reader, at, "data_offsets [%llu, %llu] lie outside the file's %llu bytes of data",
            (unsigned long long)begin, (unsigned long long)end, (unsigned long long)data);
    }
    entry->offset = 8 + reader->length + begin;
    entry->bytes = end - begin;
    return true;
}

static bool nn__safetensors_check_entry(nn__safetensors_reader *reader,
                                        const nn_safetensors_entry *entry, int bits, size_t at) {
    uint64_t count = (uint64_t)bits, bytes;
    char shape[NN__SHAPE_TEXT];
    nn__format_shape(entry->shape, shape, sizeof shape);
    for (int i = 0; i < entry->shape.rank; i++) {
        if (nn__multiply(count, (uint64_t)entry->shape.extent[i], &count)) continue;
        return nn__safetensors_wrong(reader, at, "\"%s\": the bytes of %s %s do not fit 64 bits",
                                     entry->name, shape, nn_dtype_name(entry->dtype));
    }
    bytes = count / 8 + (count % 8 != 0);
    if (bytes == entry->bytes) return true;
    return nn__safetensors_wrong(
        reader, at, "\"%s\": %s %s has %llu bytes, its data_offsets span %llu", entry->name, shape,
        nn_dtype_name(entry->dtype), (unsigned long long)bytes, (unsigned long long)entry->bytes);
}

static bool nn__safetensors_read_entry(nn__safetensors_reader *reader, const char *name) {
    static const char *const keys[3] = {"dtype", "shape", "data_offsets"};
    nn_safetensors *file = reader->file;
    nn_safetensors_entry entry;
    void *entries = file->entries;
    bool seen[3] = {false, false, false}, more = true;
    size_t first = reader->at;
    int bits = 0;
    memset(&entry, 0, sizeof entry);
    entry.name = name;
    if (!nn__safetensors_expect(reader, '{', "after a tensor's name")) return false;
    while (more) {
        const char *key;
        size_t at = reader->at;
        int which = 0;
        if (!nn__safetensors_string(reader, &key, "before dtype, shape or data_offsets"))
            return false;
        while (which < 3 && strcmp(key, keys[which]) != 0) which++;
        if (which == 3)
            return nn__safetensors_wrong(reader, at, "\"%s\": the key \"%s\" is unknown", name,
                                         key);
        if (seen[which])
            return nn__safetensors_wrong(reader, at, "\"%s\" has two keys \"%s\"", name, key);
        seen[which] = true;
        if (!nn__safetensors_expect(reader, ':', "after a key")) return false;
        nn__safetensors_peek(reader);
        if (which == 0 && !nn__safetensors_read_dtype(reader, &entry, &bits)) return false;
        if (which == 1 && !nn__safetensors_read_shape(reader, &entry)) return false;
        if (which == 2 && !nn__safetensors_read_offsets(reader, &entry)) return false;
        if (!nn__safetensors_next(reader, '}', &more, "at the end of a tensor")) return false;
    }
    for (int i = 0; i < 3; i++) {
        if (!seen[i])
            return nn__safetensors_wrong(reader, first, "\"%s\" has no %s", name, keys[i]);
    }
    if (!nn__safetensors_check_entry(reader, &entry, bits, first)) return false;
    if (!nn__safetensors_grow(file, &entries, file->count, &file->capacity, sizeof entry))
        return false;
    file->entries = (nn_safetensors_entry *)entries;
    file->entries[file->count++] = entry;
    return true;
}

static bool nn__safetensors_read_all(nn__safetensors_reader *reader) {
    bool more = true, metadata = false;
    if (reader->length == 0 || reader->text[0] != '{') {
        return nn__safetensors_wrong(reader, 0,
                                     "the header does not begin with '{'; not a safetensors file?");
    }
    reader->at = 1;
    if (nn__safetensors_peek(reader) == '}') {
        reader->at++;
        more = false;
    }
    while (more) {
        const char *name;
        size_t at = reader->at;
        if (!nn__safetensors_string(reader, &name, "before a tensor's name")) return false;
        if (!nn__safetensors_expect(reader, ':', "after a tensor's name")) return false;
        if (strcmp(name, "__metadata__") == 0) {
            if (metadata) return nn__safetensors_wrong(reader, at, "a second __metadata__");
            metadata = true;
            if (!nn__safetensors_read_metadata(reader)) return false;
        } else if (!nn__safetensors_read_entry(reader, name)) {
            return false;
        }
        if (!nn__safetensors_next(reader, '}', &more, "at the end of the header")) return false;
    }
    nn__safetensors_peek(reader);
    if (reader->at == reader->length) return true;
    return nn__safetensors_wrong(reader, reader->at, "more after the header's last '}'");
}

/* ---- order: duplicates, gaps, overlaps ------------------------------------------------------- */

typedef bool (*nn__safetensors_before)(const nn_safetensors *file, int32_t a, int32_t b);

static bool nn__safetensors_name_before(const nn_safetensors *file, int32_t a, int32_t b) {
    int order = strcmp(file->entries[a].name, file->entries[b].name);
    return order < 0 || (order == 0 && a < b);
}

static bool nn__safetensors_key_before(const nn_safetensors *file, int32_t a, int32_t b) {
    int order = strcmp(file->pairs[a].key, file->pairs[b].key);
    return order < 0 || (order == 0 && a < b);
}

static bool nn__safetensors_offset_before(const nn_safetensors *file, int32_t a, int32_t b) {
    const nn_safetensors_entry *x = &file->entries[a], *y = &file->entries[b];
    if (x->offset != y->offset) return x->offset < y->offset;
    if (x->bytes != y->bytes) return x->bytes < y->bytes;
    return a < b;
}

/* Heap sort needs no memory and no recursion, and no file can make it slow. */
static void nn__safetensors_sort(const nn_safetensors *file, int32_t *order, int count,
                                 nn__safetensors_before before) {
    for (int i = 0; i < count; i++) order[i] = i;
    for (int start = count / 2, end = count; end > 1;) {
        int root = 0;
        int32_t item;
        if (start > 0) {
            root = --start;
        } else {
            end--;
            item = order[0];
            order[0] = order[end];
            order[end] = item;
        }
        item = order[root];
        for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
            if (child + 1 < end && before(file, order[child], order[child + 1])) child++;
            if (!before(file, item, order[child])) break;
            order[root] = order[child];
            root = child;
        }
        order[root] = item;
    }
}

static int32_t *nn__safetensors_make_order(nn_safetensors *file, int count,
                                           nn__safetensors_before before) {
    size_t bytes = sizeof(int32_t) * (size_t)count;
    int32_t *order =
        (int32_t *)nn__allocate_for(file->nn, "nn_open_safetensors: the table of contents", bytes);
    if (order) nn__safetensors_sort(file, order, count, before);
    return order;
}

NN_PRIVATE bool nn__safetensors_check_names(const nn__safetensors_reader *reader) {
    nn_safetensors *file = reader->file;
    const char *twice = NULL;
    if (file->count > 0) {
        file->by_name = nn__safetensors_make_order(file, file->count, nn__safetensors_name_before);
        if (!file->by_name) return false;
    }
    for (int i = 1; i < file->count; i++) {
        const char *name = file->entries[file->by_name[i]].name;
        if (strcmp(name, file->entries[file->by_name[i - 1]].name) != 0) continue;
        return nn__safetensors_wrong(reader, (size_t)(name - reader->text),
                                     "two tensors are named \"%s\"", name);
    }
    if (file->pair_count > 1) {
        int32_t *by_key =
            nn__safetensors_make_order(file, file->pair_count, nn__safetensors_key_before);
        if (!by_key) return false;
        for (int i = 1; i < file->pair_count && !twice; i++) {
            const char *key = file->pairs[by_key[i]].key;
            if (strcmp(key, file->pairs[by_key[i - 1]].key) == 0) twice = key;
        }
        nn__release(&file->nn->memory, by_key, sizeof(int32_t) * (size_t)file->pair_count);
    }
    if (!twice) return true;
    return nn__safetensors_wrong(reader, (size_t)(twice - reader->text),
                                 "__metadata__ has two keys \"%s\"", twice);
}

NN_PRIVATE bool nn__safetensors_order(nn_safetensors *file) {
    if (file->count == 0) return true;
    file->by_offset = nn__safetensors_make_order(file, file->count, nn__safetensors_offset_before);
    return file->by_offset != NULL;
}

static bool nn__safetensors_check_offsets(const nn__safetensors_reader *reader) {
    nn_safetensors *file = reader->file;
    uint64_t end = 8 + reader->length;
    if (!nn__safetensors_order(file)) return false;
    for (int i = 0; i < file->count; i++) {
        const nn_safetensors_entry *entry = &file->entries[file->by_offset[i]];
        size_t at = (size_t)(entry->name - reader->text);
        if (entry->offset < end)
            return nn__safetensors_wrong(reader, at, "\"%s\" overlaps the tensor before it",
                                         entry->name);
        if (entry->offset > end) {
            return nn__safetensors_wrong(reader, at, "%llu unused bytes before \"%s\"",
                                         (unsigned long long)(entry->offset - end), entry->name);
        }
        end += entry->bytes;
    }
    if (end == file->size) return true;
    return nn__safetensors_wrong(reader, (size_t)(end - 8), "%llu bytes after the last tensor",
                                 (unsigned long long)(file->size - end));
}

NN_PRIVATE bool nn__safetensors_parse(nn_safetensors *file, nn_site site) {
    nn__safetensors_reader reader;
    reader.file = file;
    reader.site = site;
    reader.text = file->header;
    reader.length = file->header_bytes;
    reader.at = 0;
    reader.before = 8;
    return nn__safetensors_read_all(&reader) && nn__safetensors_check_names(&reader) &&
           nn__safetensors_check_offsets(&reader);
}
#endif
