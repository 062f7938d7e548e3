/* tensor/safetensors_index.c - several safetensors files as one, from a
   model.safetensors.index.json as transformers writes it. Its "weight_map" names the file of
   each tensor. The result is a normal nn_safetensors whose bytes are those of all files one
   after another. Index and files must agree about every tensor. */
#include "tensor/safetensors_words.h"

#ifndef NN_NO_FILES

#define NN__INDEX_BYTES ((uint64_t)64 << 20) /* largest index */
#define NN__INDEX_FILES 4096                 /* most files */

/* A file of the index; `begins` is the offset of its first byte among those of all files. */
struct nn__safetensors_shard {
    const char *name;
    nn_safetensors *file;
    uint64_t begins;
};

NN_PRIVATE void nn__safetensors_close_shards(nn_safetensors *file) {
    for (int i = 0; i < file->shard_count; i++) nn__safetensors_close(file->shards[i].file);
    nn__release(&file->nn->memory, file->shards,
                sizeof *file->shards * (size_t)file->shard_capacity);
    file->shards = NULL;
    file->shard_count = file->shard_capacity = 0;
}

static bool nn__safetensors_shards_read(void *user, void *handle, uint64_t offset, void *data,
                                        size_t bytes) {
    const nn_safetensors *file = (const nn_safetensors *)handle;
    int i = file->shard_count - 1;
    (void)user;
    while (i > 0 && file->shards[i].begins > offset) i--;
    if (i < 0) return false;
    const nn_safetensors *from = file->shards[i].file;
    return from->files.read(from->files.user, from->handle, offset - file->shards[i].begins, data,
                            bytes);
}

static bool nn__safetensors_shards_close(void *user, void *handle) {
    (void)user, (void)handle;
    return true;
}

/* ---- the index ------------------------------------------------------------------------------- */

/* Skips a word without quotes: a number, true, false or null. */
static bool nn__index_plain(nn__safetensors_reader *reader) {
    size_t first = reader->at;
    while (reader->at < reader->length &&
           strchr("+-.0123456789aeflnrstuE", reader->text[reader->at]) && reader->text[reader->at])
        reader->at++;
    return reader->at > first ||
           nn__safetensors_wrong(reader, first, "wanted a text or a number in \"metadata\"");
}

/* Skips {"total_size": 123, ...}, which is not needed. */
static bool nn__index_metadata(nn__safetensors_reader *reader) {
    const char *text;
    bool more = true;
    if (!nn__safetensors_expect(reader, '{', "after \"metadata\":")) return false;
    if (nn__safetensors_peek(reader) == '}') {
        reader->at++;
        return true;
    }
    while (more) {
        if (!nn__safetensors_string(reader, &text, "before a key of \"metadata\"") ||
            !nn__safetensors_expect(reader, ':', "after a key of \"metadata\""))
            return false;
        if (nn__safetensors_peek(reader) == '"' ? !nn__safetensors_string(reader, &text, "")
                                                : !nn__index_plain(reader))
            return false;
        if (!nn__safetensors_next(reader, '}', &more, "at the end of \"metadata\"")) return false;
    }
    return true;
}

/* Returns the number of a file in the list; a new one is added. -1: an error. */
static int nn__index_shard(nn__safetensors_reader *reader, size_t at, const char *name) {
    nn_safetensors *file = reader->file;
    void *shards = file->shards;
    for (int i = file->shard_count - 1; i >= 0; i--)
        if (strcmp(file->shards[i].name, name) == 0) return i;
    if (!*name || strpbrk(name, "/\\:") || strcmp(name, "..") == 0) {
        nn__safetensors_wrong(reader, at, "\"%s\" is not the name of a file beside the index",
                              name);
        return -1;
    }
    if (file->shard_count == NN__INDEX_FILES) {
        nn__safetensors_wrong(reader, at, "more than %d files", NN__INDEX_FILES);
        return -1;
    }
    if (!nn__safetensors_grow(file, &shards, file->shard_count, &file->shard_capacity,
                              sizeof *file->shards))
        return -1;
    file->shards = (nn__safetensors_shard *)shards;
    memset(&file->shards[file->shard_count], 0, sizeof *file->shards);
    file->shards[file->shard_count].name = name;
    return file->shard_count++;
}

/* Parses {"tensor": "file", ...} into one entry for each tensor. Until the files are open, the
   offset of an entry is the number of its file. */
static bool nn__index_map(nn__safetensors_reader *reader) {
    nn_safetensors *file = reader->file;
    bool more = true;
    if (!nn__safetensors_expect(reader, '{', "after \"weight_map\":")) return false;
    if (nn__safetensors_peek(reader) == '}') {
        reader->at++;
        return true;
    }
    while (more) {
        nn_safetensors_entry entry;
        const char *name;
        void *entries = file->entries;
        size_t at;
        int shard;
        memset(&entry, 0, sizeof entry);
        if (!nn__safetensors_string(reader, &entry.name, "before a tensor's name") ||
            !nn__safetensors_expect(reader, ':', "after a tensor's name"))
            return false;
        nn__safetensors_peek(reader);
        at = reader->at;
        if (!nn__safetensors_string(reader, &name, "before the name of a file")) return false;
        shard = nn__index_shard(reader, at, name);
        if (shard < 0 ||
            !nn__safetensors_grow(file, &entries, file->count, &file->capacity, sizeof entry))
            return false;
        entry.offset = (uint64_t)shard;
        file->entries = (nn_safetensors_entry *)entries;
        file->entries[file->count++] = entry;
        if (!nn__safetensors_next(reader, '}', &more, "at the end of \"weight_map\"")) return false;
    }
    return true;
}

static bool nn__index_parse(nn__safetensors_reader *reader) {
    bool more = true, map = false, metadata = false;
    if (!nn__safetensors_expect(reader, '{', "at the beginning")) return false;
    while (more) {
        const char *key;
        size_t at;
        nn__safetensors_peek(reader);
        at = reader->at;
        if (!nn__safetensors_string(reader, &key, "before \"metadata\" or \"weight_map\"") ||
            !nn__safetensors_expect(reader, ':', "after a key"))
            return false;
        if (strcmp(key, "weight_map") == 0 && !map) {
            map = true;
            if (!nn__index_map(reader)) return false;
        } else if (strcmp(key, "metadata") == 0 && !metadata) {
            metadata = true;
            if (!nn__index_metadata(reader)) return false;
        } else
            return nn__safetensors_wrong(
                reader, at, "the key \"%s\" %s; wanted metadata and weight_map", key,
                strcmp(key, "weight_map") == 0 || strcmp(key, "metadata") == 0
                    ? "occurs twice"
                    : "is unknown: this is neither a safetensors file nor the index of several");
        if (!nn__safetensors_next(reader, '}', &more, "at the end")) return false;
    }
    if (!map) return nn__safetensors_wrong(reader, 0, "there is no \"weight_map\"");
    nn__safetensors_peek(reader);
    return reader->at == reader->length ||
           nn__safetensors_wrong(reader, reader->at, "more after the last '}'");
}

/* ---- the files ------------------------------------------------------------------------------- */

/* Opens the files in the index's folder. The index closes them; the context does not own them. */
static bool nn__index_open(nn_safetensors *file, nn_site site, const char *path) {
    const char *end = path + strlen(path);
    char text[1024];
    uint64_t begins = 0;
    while (end > path && end[-1] != '/' && end[-1] != '\\') end--;
    for (int i = 0; i < file->shard_count; i++) {
        nn__safetensors_shard *shard = &file->shards[i];
        size_t length =
            nn__format(text, sizeof text, "%.*s%s", (int)(end - path), path, shard->name);
        if (length >= sizeof text) {
            nn__fail_at(file->nn, site, NN_ERROR_ARGUMENT,
                        "nn_open_safetensors: \"%s\": the path of \"%s\" is too long", file->path,
                        shard->name);
            return false;
        }
        shard->file = nn__safetensors_open_one(site, file->nn, text);
        if (!shard->file) return false;
        shard->begins = begins;
        begins += shard->file->size;
    }
    file->size = begins;
    return true;
}

/* Fills in the entries and counts how many of each file the index has. */
static bool nn__index_fill(nn_safetensors *file, nn_site site, int32_t *counts) {
    for (int i = 0; i < file->count; i++) {
        nn_safetensors_entry *entry = &file->entries[i];
        const nn__safetensors_shard *shard = &file->shards[entry->offset];
        const nn_safetensors_entry *there = nn__safetensors_lookup(shard->file, entry->name);
        if (!there) {
            nn__fail_at(file->nn, site, NN_ERROR_FORMAT,
                        "nn_open_safetensors: \"%s\" says that \"%s\" is in \"%s\", which has no "
                        "such tensor; the files are not of one model, or one is not whole",
                        file->path, entry->name, shard->name);
            return false;
        }
        counts[entry->offset]++;
        entry->dtype = there->dtype;
        entry->shape = there->shape;
        entry->bytes = there->bytes;
        entry->offset = shard->begins + there->offset;
    }
    return true;
}

/* Reports a tensor that a file has but the index does not. */
static bool nn__index_rest(nn_safetensors *file, nn_site site, const int32_t *counts) {
    for (int i = 0; i < file->shard_count; i++) {
        const nn__safetensors_shard *shard = &file->shards[i];
        if (counts[i] == shard->file->count) continue;
        for (int k = 0; k < shard->file->count; k++) {
            const nn_safetensors_entry *entry = &shard->file->entries[k],
                                       *here = nn__safetensors_lookup(file, entry->name);
            if (here && here->offset == shard->begins + entry->offset) continue;
            nn__fail_at(file->nn, site, NN_ERROR_FORMAT,
                        "nn_open_safetensors: \"%s\" of \"%s\" is not in the index \"%s\"; the "
                        "files are not of one model",
                        entry->name, shard->name, file->path);
            return false;
        }
    }
    return true;
}

NN_PRIVATE bool nn__safetensors_load_index(nn_safetensors *file, nn_site site, const char *path) {
    nn__safetensors_reader reader;
    int32_t *counts;
    bool fits;
    if (file->size > NN__INDEX_BYTES || file->memory) {
        nn__fail_at(file->nn, site, NN_ERROR_FORMAT,
                    file->memory ? "nn_open_safetensors: \"%s\" begins as the index of several "
                                   "files does, which has to be opened by its path"
                                 : "nn_open_safetensors: \"%s\" begins as the index of several "
                                   "files does, but is longer than 64 MiB",
                    file->path);
        return false;
    }
    file->header_bytes = (size_t)file->size;
    file->header = (char *)nn__allocate_for(file->nn, "nn_open_safetensors: the index",
                                            file->header_bytes + 1);
    if (!file->header) return false;
    if (!file->files.read(file->files.user, file->handle, 0, file->header, file->header_bytes)) {
        nn__fail_at(file->nn, site, NN_ERROR_FILE, "nn_open_safetensors: \"%s\": reading failed",
                    file->path);
        return false;
    }
    memset(&reader, 0, sizeof reader);
    reader.file = file;
    reader.site = site;
    reader.text = file->header;
    reader.length = file->header_bytes;
    if (!nn__index_parse(&reader) || !nn__safetensors_check_names(&reader)) return false;
    file->files.close(file->files.user, file->handle);
    /* from here on, reading means reading these files */
    memset(&file->files, 0, sizeof file->files);
    file->files.read = nn__safetensors_shards_read;
    file->files.close = nn__safetensors_shards_close;
    file->handle = file;
    if (!nn__index_open(file, site, path)) return false;
    counts = (int32_t *)nn__allocate_for(file->nn, "nn_open_safetensors: the index",
                                         sizeof *counts * (size_t)(file->shard_count + 1));
    if (!counts) return false;
    fits = nn__index_fill(file, site, counts) && nn__index_rest(file, site, counts) &&
           nn__safetensors_order(file);
    nn__release(&file->nn->memory, counts, sizeof *counts * (size_t)(file->shard_count + 1));
    return fits;
}

#undef NN__INDEX_BYTES
#undef NN__INDEX_FILES
#endif

typedef int nn__safetensors_index_part; /* a part must not be empty under NN_NO_FILES */
