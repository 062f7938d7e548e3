/* tensor/safetensors.c - opens and reads safetensors files, on disk or in memory: 8 bytes of
   header length, the header, the bytes of all tensors. Nothing in a file is trusted:
   tensor/safetensors_header.c checks the header. safetensors_index.c reads several files as one. */
#include "tensor/private.h"

#ifndef NN_NO_FILES

#define NN__SAFETENSORS_HEADER ((uint64_t)100000000) /* the format's own limit */

/* ---- opening --------------------------------------------------------------------------------- */

static void nn__safetensors_destroy(nn__owned *self) {
    /* valid because `owned` is the first field */
    nn_safetensors *file = (nn_safetensors *)(void *)self;
    nn_context *nn = file->nn;
    nn__memory *memory = &nn->memory;
    nn__disown(self);
    nn__safetensors_close_shards(file);
    if (file->handle) file->files.close(file->files.user, file->handle);
    nn__release(memory, file->header, file->header_bytes + 1);
    nn__release(memory, file->entries, sizeof *file->entries * (size_t)file->capacity);
    nn__release(memory, file->pairs, sizeof *file->pairs * (size_t)file->pair_capacity);
    nn__release(memory, file->by_offset, sizeof(int32_t) * (size_t)file->count);
    nn__release(memory, file->by_name, sizeof(int32_t) * (size_t)file->count);
    nn__release(memory, file, sizeof *file);
}

/* Recognises other formats by their first bytes. Returns what the file is and how to convert it;
   NULL: unknown. */
static const char *nn__safetensors_other(const unsigned char start[8]) {
    static const struct {
        char magic[9];
        unsigned char length;
        const char *text;
    } others[] = {{"PK\3\4", 4,
                   NN__TEXT("a zip file, as torch.save writes it (.pt, .pth), not a safetensors "
                            "file; convert it in Python: "
                            "safetensors.torch.save_file(torch.load(path, map_location=\"cpu\"), "
                            "\"weights.safetensors\"), "
                            "for a checkpoint the state_dict in it")},
                  {"\x80\2", 2,
                   NN__TEXT("a Python pickle, as old versions of torch.save wrote it (.pt, .pth), "
                            "not a safetensors file; "
                            "convert it in Python: safetensors.torch.save_file(torch.load(path, "
                            "map_location=\"cpu\"), "
                            "\"weights.safetensors\")")},
                  {"\x89HDF", 4,
                   NN__TEXT("an HDF5 file, as Keras writes it, not a safetensors file; save a dict "
                            "of its arrays with "
                            "safetensors.numpy.save_file")},
                  {"GGUF", 4, NN__TEXT("a GGUF file, not a safetensors file")},
                  {"\x93NUM", 4, NN__TEXT("a NumPy file: nn_load_npy reads it")},
                  {"version ", 8,
                   NN__TEXT("text, not a safetensors file: a Git LFS pointer, which stands for the "
                            "weights; git lfs pull fetches them")},
                  {"<", 1,
                   NN__TEXT("text, not a safetensors file: HTML or XML, such as a page that asks "
                            "to sign in; download the file itself")}};
    int text = 0;
    for (int i = 0; i < NN__COUNT(others); i++)
        if (memcmp(start, others[i].magic, others[i].length) == 0) return others[i].text;
    while (text < 8 && ((start[text] >= ' ' && start[text] <= '~') ||
                        (start[text] >= '\t' && start[text] <= '\r')))
        text++;
    return text == 8 ? NN__TEXT("text, not a safetensors file") : NULL;
}

static bool nn__safetensors_load(nn_safetensors *file, nn_site site, const char *path) {
    nn_context *nn = file->nn;
    const nn_files *files = &file->files;
    unsigned char length_bytes[8];
    uint64_t length = 0;
    if (file->size < 8) {
        nn__fail_at(
            nn, site, NN_ERROR_FORMAT,
            "nn_open_safetensors: \"%s\" has %llu bytes; a safetensors file has at least 10",
            file->path, (unsigned long long)file->size);
        return false;
    }
    if (!files->read(files->user, file->handle, 0, length_bytes, 8)) {
        nn__fail_at(nn, site, NN_ERROR_FILE, "nn_open_safetensors: \"%s\": reading byte 0 failed",
                    file->path);
        return false;
    }
    for (int i = 0; i < 8; i++) length |= (uint64_t)length_bytes[i] << (8 * i);
    if (length_bytes[0] == '{' && length > file->size - 8 && !file->single)
        return nn__safetensors_load_index(file, site, path);
    if (length > file->size - 8 || length > NN__SAFETENSORS_HEADER) {
        const char *other = nn__safetensors_other(length_bytes);
        if (other) {
            nn__fail_at(nn, site, NN_ERROR_FORMAT, "nn_open_safetensors: \"%s\" is %s", file->path,
                        other);
            return false;
        }
    }
    if (length_bytes[0] == 0x1F && length_bytes[1] == 0x8B && length > file->size - 8) {
        nn__fail_at(nn, site, NN_ERROR_FORMAT,
                    "nn_open_safetensors: \"%s\" is gzipped; unpack it first: gunzip \"%s\"",
                    file->path, file->path);
        return false;
    }
    if (length > file->size - 8 || length > NN__SAFETENSORS_HEADER) {
        nn__fail_at(nn, site, NN_ERROR_FORMAT,
                    "nn_open_safetensors: \"%s\": byte 0: a header of %llu bytes, in a file of "
                    "%llu, at most "
                    "%llu are allowed; not a safetensors file, or truncated",
                    file->path, (unsigned long long)length, (unsigned long long)file->size,
                    (unsigned long long)NN__SAFETENSORS_HEADER);
        return false;
    }
    file->header =
        (char *)nn__allocate_for(nn, "nn_open_safetensors: the header", (size_t)length + 1);
    if (!file->header) return false;
    file->header_bytes = (size_t)length;
    if (length > 0 && !files->read(files->user, file->handle, 8, file->header, (size_t)length)) {
        nn__fail_at(nn, site, NN_ERROR_FILE,
                    "nn_open_safetensors: \"%s\": reading %llu bytes at byte 8 failed", file->path,
                    (unsigned long long)length);
        return false;
    }
    return nn__safetensors_parse(file, site);
}

/* Reads the header. Returns the file; NULL: freed, and the error is reported. */
static nn_safetensors *nn__safetensors_opened(nn_safetensors *file, nn_site site,
                                              const char *path) {
    if (!file->single) nn__own(&file->nn->owned, &file->owned, nn__safetensors_destroy);
    if (nn__safetensors_load(file, site, path)) return file;
    nn__safetensors_destroy(&file->owned);
    return NULL;
}

static nn_safetensors *nn__safetensors_open_path(nn_site site, nn_context *nn, const char *path,
                                                 bool single) {
    nn_safetensors *file;
    void *handle;
    uint64_t size = 0;
    if (!nn) return NULL;
    handle = nn__open_to_read(nn, site, "nn_open_safetensors", path, &size);
    if (!handle) return NULL;
    file = (nn_safetensors *)nn__allocate_for(nn, "nn_open_safetensors", sizeof *file);
    if (!file) {
        nn->files.close(nn->files.user, handle);
        return NULL;
    }
    file->nn = nn;
    file->files = nn->files;
    file->handle = handle;
    file->size = size;
    file->single = single;
    nn__copy_text(file->path, sizeof file->path, path);
    return nn__safetensors_opened(file, site, path);
}

static nn_safetensors *nn__inside_open_safetensors(nn_site site, nn_context *nn, const char *path) {
    return nn__safetensors_open_path(site, nn, path, false);
}

NN_PRIVATE nn_safetensors *nn__safetensors_open_one(nn_site site, nn_context *nn,
                                                    const char *path) {
    return nn__safetensors_open_path(site, nn, path, true);
}

NN_API nn_safetensors *nn_open_safetensors_at(nn_site site, nn_context *nn, const char *path) {
    if (!nn__enter(nn, "nn_open_safetensors", site)) return NULL;
    nn_safetensors *made = nn__inside_open_safetensors(site, nn, path);
    nn__leave(nn, NN_OK);
    return made;
}

/* ---- a file in memory ------------------------------------------------------------------------ */

static bool nn__safetensors_memory_read(void *user, void *handle, uint64_t offset, void *data,
                                        size_t bytes) {
    const nn_safetensors *file = (const nn_safetensors *)handle;
    (void)user;
    if (offset > file->size || bytes > file->size - offset) return false;
    memcpy(data, file->memory + offset, bytes);
    return true;
}

static bool nn__safetensors_memory_close(void *user, void *handle) {
    (void)user, (void)handle;
    return true;
}

NN_PRIVATE nn_safetensors *nn__open_safetensors_memory(nn_site site, nn_context *nn,
                                                       const char *who, const void *bytes,
                                                       size_t size) {
    nn_safetensors *file;
    if (!bytes) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "%s: bytes is NULL", who);
        return NULL;
    }
    file = (nn_safetensors *)nn__allocate_for(nn, who, sizeof *file);
    if (!file) return NULL;
    file->nn = nn;
    /* a file in memory is only read and closed; the other functions stay NULL */
    file->files.read = nn__safetensors_memory_read;
    file->files.close = nn__safetensors_memory_close;
    file->handle = file;
    file->memory = (const char *)bytes;
    file->size = size;
    nn__copy_text(file->path, sizeof file->path, "(memory)");
    return nn__safetensors_opened(file, site, file->path);
}

NN_PRIVATE void nn__safetensors_close(nn_safetensors *file) {
    if (file) nn__safetensors_destroy(&file->owned);
}

NN_API void nn_close_safetensors(nn_safetensors *file) {
    nn_context *nn = file ? file->nn : NULL;
    if (!nn__enter(nn, "nn_close_safetensors", nn_make_site(NULL, 0))) return;
    nn__safetensors_close(file);
    nn__leave(nn, NN_OK);
}

/* ---- lookup and reading ---------------------------------------------------------------------- */

NN_API int nn_safetensors_count(const nn_safetensors *file) { return file ? file->count : 0; }

NN_API nn_safetensors_entry nn_safetensors_at(const nn_safetensors *file, int i) {
    nn_safetensors_entry none;
    memset(&none, 0, sizeof none);
    if (!file || i < 0 || i >= file->count) return none;
    return file->entries[file->by_offset[i]];
}

NN_PRIVATE const nn_safetensors_entry *nn__safetensors_lookup(const nn_safetensors *file,
                                                              const char *name) {
    int low = 0, high = file->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const nn_safetensors_entry *entry = &file->entries[file->by_name[middle]];
        int order = strcmp(entry->name, name);
        if (order == 0) return entry;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

NN_API int nn_safetensors_find(const nn_safetensors *file, const char *name) {
    const nn_safetensors_entry *found = file && name ? nn__safetensors_lookup(file, name) : NULL;
    for (int i = 0; found && i < file->count; i++) {
        if (&file->entries[file->by_offset[i]] == found) return i;
    }
    return -1;
}

NN_API const char *nn_safetensors_metadata(const nn_safetensors *file, const char *key) {
    for (int i = 0; file && key && i < file->pair_count; i++) {
        if (strcmp(file->pairs[i].key, key) == 0) return file->pairs[i].value;
    }
    return NULL;
}

static nn_result nn__safetensors_convert(nn_safetensors *file, const nn_safetensors_entry *entry,
                                         nn_dtype dtype, void *to, int64_t count) {
    const nn_files *files = &file->files;
    unsigned char chunk[2048];
    size_t from_size = nn_dtype_size(entry->dtype), to_size = nn_dtype_size(dtype);
    int64_t part = (int64_t)(sizeof chunk / from_size);
    for (int64_t done = 0; done < count; done += part) {
        if (part > count - done) part = count - done;
        if (!files->read(files->user, file->handle, entry->offset + (uint64_t)done * from_size,
                         chunk, (size_t)part * from_size)) {
            return NN_ERROR_FILE;
        }
        nn__convert_from_file(entry->dtype, chunk, dtype, (char *)to + (size_t)done * to_size,
                              part);
    }
    return NN_OK;
}

static nn_result nn__inside_read_safetensors(nn_site site, nn_safetensors *file, int i,
                                             nn_dtype dtype, void *to, size_t bytes) {
    nn_safetensors_entry entry;
    const nn_files *files;
    uint64_t wanted = 0;
    int64_t count;
    bool read_well;
    if (!file) return NN_ERROR_ARGUMENT;
    files = &file->files;
    if (i < 0 || i >= file->count) {
        return nn__fail_at(file->nn, site, NN_ERROR_ARGUMENT,
                           "nn_read_safetensors: \"%s\" has %d tensors, got number %d", file->path,
                           file->count, i);
    }
    entry = nn_safetensors_at(file, i);
    if (nn_dtype_size(entry.dtype) == 0)
        return nn__fail_at(file->nn, site, NN_ERROR_DTYPE,
                           "nn_read_safetensors: \"%s\" has a dtype that the library does not have",
                           entry.name);
    if (dtype == NN_DTYPE_DEFAULT) dtype = entry.dtype;
    if (nn_dtype_size(dtype) == 0) {
        return nn__fail_at(file->nn, site, NN_ERROR_DTYPE,
                           "nn_read_safetensors: \"%s\": %d is no dtype", entry.name, (int)dtype);
    }
    count = (int64_t)(entry.bytes / nn_dtype_size(entry.dtype));
    if (!nn__multiply((uint64_t)count, nn_dtype_size(dtype), &wanted) ||
        wanted != (uint64_t)bytes || (!to && wanted > 0)) {
        return nn__fail_at(
            file->nn, site, NN_ERROR_SHAPE,
            "nn_read_safetensors: \"%s\": %lld numbers as %s want %llu bytes, got %zu%s",
            entry.name, (long long)count, nn_dtype_name(dtype), (unsigned long long)wanted, bytes,
            to ? "" : " at NULL");
    }
    if (wanted == 0) return NN_OK;
    if (dtype == entry.dtype) {
        read_well = files->read(files->user, file->handle, entry.offset, to, bytes);
        if (read_well) nn__convert_from_file(dtype, to, dtype, to, count);
    } else {
        read_well = nn__safetensors_convert(file, &entry, dtype, to, count) == NN_OK;
    }
    if (read_well) return NN_OK;
    return nn__fail_at(
        file->nn, site, NN_ERROR_FILE,
        "nn_read_safetensors: \"%s\" of \"%s\": reading %llu bytes at byte %llu failed", entry.name,
        file->path, (unsigned long long)entry.bytes, (unsigned long long)entry.offset);
}

NN_API nn_result nn_read_safetensors_at(nn_site site, nn_safetensors *file, int i, nn_dtype dtype,
                                        void *to, size_t bytes) {
    return NN__ALONE(file ? file->nn : NULL, "nn_read_safetensors", site,
                     nn__inside_read_safetensors(site, file, i, dtype, to, bytes));
}

/* ---- checksum -------------------------------------------------------------------------------- */

/* Each step is a bijection of the state and of the word, so a change within one word is always
   detected. */
static void nn__checksum_word(nn__checksum *checksum) {
    uint64_t state = (checksum->state ^ checksum->word) * 0x9E3779B97F4A7C15u;
    checksum->state = state ^ state >> 32;
    checksum->word = 0;
}

NN_PRIVATE void nn__checksum_add(nn__checksum *checksum, const void *data, size_t bytes) {
    const unsigned char *at = (const unsigned char *)data;
    while (bytes > 0) {
        if (bytes >= 8 && checksum->length % 8 == 0) {
            for (int i = 0; i < 8; i++) checksum->word |= (uint64_t)at[i] << (8 * i);
            checksum->length += 8, at += 8, bytes -= 8;
        } else {
            checksum->word |= (uint64_t)*at << (8 * (checksum->length % 8));
            checksum->length++, at++, bytes--;
        }
        if (checksum->length % 8 == 0) nn__checksum_word(checksum);
    }
}

NN_PRIVATE uint64_t nn__checksum_end(nn__checksum *checksum) {
    nn__checksum_word(checksum); /* the last, incomplete word */
    checksum->word = checksum->length;
    nn__checksum_word(checksum);
    return checksum->state;
}

static void nn__checksum_text(nn__checksum *checksum, const char *text) {
    nn__checksum_add(checksum, text, strlen(text) + 1);
}

NN_PRIVATE void nn__checksum_begin(nn__checksum *checksum, const char *name, nn_dtype dtype,
                                   nn_shape shape) {
    memset(checksum, 0, sizeof *checksum);
    nn__checksum_text(checksum, name);
    nn__checksum_text(checksum, nn__safetensors_dtype_name(dtype));
    for (int i = 0; i < shape.rank; i++) {
        unsigned char extent[4];
        for (int k = 0; k < 4; k++)
            extent[k] = (unsigned char)((uint32_t)shape.extent[i] >> (8 * k) & 255u);
        nn__checksum_add(checksum, extent, sizeof extent);
    }
}

NN_PRIVATE uint64_t nn__checksum_pair(const char *key, const char *value) {
    nn__checksum checksum;
    memset(&checksum, 0, sizeof checksum);
    nn__checksum_text(&checksum, key);
    nn__checksum_text(&checksum, value);
    return nn__checksum_end(&checksum);
}

#undef NN__SAFETENSORS_HEADER
#endif
