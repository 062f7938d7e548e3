/* opencl/choice_file.c - stores measured tiles on disk, by the file hooks of nn_desc.

   There is one readable text file for each device and driver: a head, a line for each shape, and a
   checksum. A line has the kernel, the numbers of opencl/choice.c, " = ", the tile, the number of
   sums (0: the tile's own), the times of the judged and of this tile in ns, and "usual" for shapes
   that stand for similar ones.

   A damaged file, or one of another version or device, is ignored. The file is replaced as a whole,
   with lines that other processes added before. There is no lock: if two processes write at the
   same time, one loses its new lines. */
#include "opencl/private.h"

#define NN__OPENCL_TABLE_HEAD  "nn.h, measured tiles, version 1\n"
#define NN__OPENCL_TABLE_CHECK "check "
#define NN__OPENCL_TABLE_LINE  400u                /* in bytes, at most */
#define NN__OPENCL_TABLE_MOST  ((uint64_t)1 << 20) /* bytes of a file, at most */

NN__OPENCL_PRIVATE const char *nn__opencl_tile_name(const nn__opencl_entry *entry) {
    const int32_t tile = entry->measured.tile;
    int count = 0;
    const char *const *names = nn__opencl_tile_names(entry->shape.kernel, &count);
    return tile > 0 && tile < count ? names[tile] : "judged";
}

NN__OPENCL_PRIVATE size_t nn__opencl_format_entry(const nn__opencl_entry *entry, char *text,
                                                  size_t size) {
    size_t used = nn__opencl_format(text, size, "%s", nn_kernel_name(entry->shape.kernel));
    for (int i = 0; i < NN__OPENCL_SHAPE_NUMBERS && used < size; i++)
        used += nn__opencl_format(text + used, size - used, " %d",
                                  (int)entry->shape.numbers[i]);
    if (used < size)
        used += nn__opencl_format(text + used, size - used, " = %s %d %llu %llu%s",
                                  nn__opencl_tile_name(entry),
                                  (int)entry->measured.splits,
                                  (unsigned long long)entry->judged_time,
                                  (unsigned long long)entry->time, entry->usual ? " usual" : "");
    return used;
}

static bool nn__opencl_table_path(const nn__opencl *device, char *path, size_t size) {
    if (!device->table_folder[0]) return false;
    return nn__opencl_format(path, size, "%s/opencl-%llx.tiles", device->table_folder,
                             (unsigned long long)device->key) < size;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns the next word of a line, and skips the space after it; NULL: there is none. */
static const char *nn__opencl_table_word(const char **at, size_t *length) {
    const char *start = *at;
    while (**at && **at != ' ' && **at != '\n') (*at)++;
    *length = (size_t)(*at - start);
    if (**at == ' ') (*at)++;
    return *length ? start : NULL;
}

static bool nn__opencl_table_is(const char *word, size_t length, const char *text) {
    return word && strlen(text) == length && memcmp(word, text, length) == 0;
}

static bool nn__opencl_table_number(const char **at, int64_t *number) {
    size_t length, i = 0;
    const char *word = nn__opencl_table_word(at, &length);
    const bool negative = word && word[0] == '-';
    *number = 0;
    if (!word || length > 18 || (negative && length < 2)) return false;
    for (i = negative; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') return false;
        *number = *number * 10 + (word[i] - '0');
    }
    if (negative) *number = -*number;
    return true;
}

static bool nn__opencl_table_int(const char **at, int32_t *number) {
    int64_t value;
    if (!nn__opencl_table_number(at, &value) || value > INT32_MAX || value < -INT32_MAX)
        return false;
    *number = (int32_t)value;
    return true;
}

static bool nn__opencl_table_tile_of(nn_kernel kernel, const char *word, size_t length,
                                     int32_t *tile) {
    int count = 0;
    const char *const *names = nn__opencl_tile_names(kernel, &count);
    *tile = 0;
    if (nn__opencl_table_is(word, length, "judged")) return true;
    for (int i = 1; i < count; i++)
        if (nn__opencl_table_is(word, length, names[i])) *tile = i;
    return *tile != 0;
}

static bool nn__opencl_table_kernel(const char *word, size_t length, nn_kernel *kernel) {
    static const nn_kernel kernels[] = {NN_KERNEL_GEMM, NN_KERNEL_CONV2D_FORWARD,
                                        NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                        NN_KERNEL_CONV2D_BACKWARD_WEIGHT};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        *kernel = kernels[i];
        if (nn__opencl_table_is(word, length, nn_kernel_name(kernels[i]))) return true;
    }
    return false;
}

/* Parses one line, up to its newline. */
static bool nn__opencl_table_parse(const char **at, nn__opencl_entry *entry) {
    size_t length;
    int64_t judged, measured;
    const char *word = nn__opencl_table_word(at, &length);
    memset(entry, 0, sizeof *entry);
    if (!nn__opencl_table_kernel(word, length, &entry->shape.kernel)) return false;
    for (int i = 0; i < NN__OPENCL_SHAPE_NUMBERS; i++)
        if (!nn__opencl_table_int(at, &entry->shape.numbers[i])) return false;
    word = nn__opencl_table_word(at, &length);
    if (!nn__opencl_table_is(word, length, "=")) return false;
    word = nn__opencl_table_word(at, &length);
    if (!word ||
        !nn__opencl_table_tile_of(entry->shape.kernel, word, length, &entry->measured.tile) ||
        !nn__opencl_table_int(at, &entry->measured.splits) || entry->measured.splits < 0 ||
        !nn__opencl_table_number(at, &judged) || !nn__opencl_table_number(at, &measured) ||
        judged < 0 || measured < 0)
        return false;
    entry->judged_time = (uint64_t)judged;
    entry->time = (uint64_t)measured;
    word = nn__opencl_table_word(at, &length);
    entry->usual = word != NULL;
    return (!word || nn__opencl_table_is(word, length, "usual")) && **at == '\n';
}

/* Returns what is wrong with the table; NULL: it is valid, and *lines is its first entry. */
static const char *nn__opencl_table_wrong(const nn__opencl *device, const char *text,
                                          const char **lines) {
    const char *check = text, *next;
    char wanted[NN__OPENCL_TABLE_LINE];
    size_t length;
    while ((next = strstr(check + 1, "\n" NN__OPENCL_TABLE_CHECK)) != NULL) check = next;
    if (check == text) return "its end is missing";
    check++;
    nn__opencl_format(
        wanted, sizeof wanted, NN__OPENCL_TABLE_CHECK "%llx\n",
        (unsigned long long)nn__opencl_hash(NN__OPENCL_HASH_START, text, (size_t)(check - text)));
    if (strcmp(check, wanted) != 0) return "it is damaged";
    length = nn__opencl_format(wanted, sizeof wanted, NN__OPENCL_TABLE_HEAD "%s, %s, driver %s\n",
                               device->name, device->platform_name, device->driver);
    if (strncmp(text, wanted, length) != 0) return "the file belongs to another version or device";
    *lines = text + length;
    return NULL;
}

static void nn__opencl_table_take(nn__opencl *device, const char *lines, bool counts) {
    nn__opencl_entry read, *entry;
    for (; *lines && strncmp(lines, NN__OPENCL_TABLE_CHECK, strlen(NN__OPENCL_TABLE_CHECK)) != 0;
         lines++) {
        if (!nn__opencl_table_parse(&lines, &read)) return; /* written by a later version */
        if (nn__opencl_find_entry(device, &read.shape)) continue;
        entry = nn__opencl_add_entry(device, &read.shape);
        if (!entry) return;
        read.hash = entry->hash;
        *entry = read;
        entry->now = entry->measured;
        entry->counts = counts;
    }
}

NN__OPENCL_PRIVATE void nn__opencl_read_entries(nn__opencl *device, bool counts) {
    const nn_files *files = &nn_context_desc(device->nn)->files;
    const char *lines = NULL, *wrong = "it cannot be read";
    char path[320], words[600], *text = NULL;
    uint64_t bytes = 0;
    void *file = nn__opencl_table_path(device, path, sizeof path)
                     ? files->open(files->user, path, false)
                     : NULL;
    if (!file) return;
    /* zeroed, so the text is terminated */
    if (files->size(files->user, file, &bytes) && bytes > 0 && bytes < NN__OPENCL_TABLE_MOST)
        text = (char *)nn_take_memory(device->nn, (size_t)bytes + 1);
    if (text && files->read(files->user, file, 0, text, (size_t)bytes))
        wrong = nn__opencl_table_wrong(device, text, &lines);
    files->close(files->user, file);
    if (!wrong) nn__opencl_table_take(device, lines, counts);
    nn_give_memory(device->nn, text, (size_t)bytes + 1);
    if (!wrong) return;
    nn__opencl_format(words, sizeof words,
                      "opencl: the measured tiles in \"%s\" are ignored: %s; nn_opencl_tune "
                      "measures and writes them again",
                      path, wrong);
    nn__opencl_log(device->nn, words);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool nn__opencl_table_save(nn__opencl *device, const char *path, const char *text,
                                  size_t bytes) {
    nn_result result = nn_save_bytes(device->nn, path, text, bytes);
    if (result == NN_ERROR_FILE) {
        nn__opencl_cache_make_folders(device->table_folder);
        result = nn_save_bytes(device->nn, path, text, bytes);
    }
    return result == NN_OK;
}

NN__OPENCL_PRIVATE bool nn__opencl_write_entries(nn__opencl *device) {
    char path[320], words[500], *text;
    size_t room, used;
    bool saved = false;
    nn__opencl_read_entries(device, !device->begun); /* includes lines that other processes added */
    if (!nn__opencl_table_path(device, path, sizeof path)) {
        nn__opencl_log(
            device->nn,
            "nn_opencl_tune: there is no cache on disk (desc.cache_folder, NN_OPENCL_NO_CACHE, or "
            "a program without files); the measured tiles last until the device is closed");
        return false;
    }
    room = ((size_t)device->entry_count + 3) * NN__OPENCL_TABLE_LINE;
    text = (char *)nn_take_memory(device->nn, room);
    if (text) {
        used = nn__opencl_format(text, room, NN__OPENCL_TABLE_HEAD "%s, %s, driver %s\n",
                                 device->name, device->platform_name, device->driver);
        for (int i = 0; i < device->entry_count; i++) {
            used += nn__opencl_format_entry(&device->entries[i], text + used,
                                            NN__OPENCL_TABLE_LINE);
            text[used++] = '\n';
        }
        used += nn__opencl_format(
            text + used, NN__OPENCL_TABLE_LINE, NN__OPENCL_TABLE_CHECK "%llx\n",
            (unsigned long long)nn__opencl_hash(NN__OPENCL_HASH_START, text, used));
        saved = nn__opencl_table_save(device, path, text, used);
        nn_give_memory(device->nn, text, room);
    }
    if (saved) return true;
    nn__opencl_format(words, sizeof words,
                      "nn_opencl_tune: \"%s\" cannot be written; the measured tiles last until the "
                      "device is closed",
                      path);
    nn__opencl_log(device->nn, words);
    return false;
}

#undef NN__OPENCL_TABLE_HEAD
#undef NN__OPENCL_TABLE_CHECK
#undef NN__OPENCL_TABLE_LINE
#undef NN__OPENCL_TABLE_MOST
