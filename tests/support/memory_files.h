/* memory_files.h: file hooks over memory, for tests and fuzz targets: a few files, and a disk that
   can fail.
     memory_disk disk; memset(&disk, 0, sizeof disk); desc.files = memory_files(&disk);
     memory_put(&disk, "a.idx", bytes, size);    // a file
     disk.fail_at = 3;                           // the third operation from now on and all later
                                                 // ones fail

   Include after "nn.h". */
#ifndef NN_MEMORY_FILES_H
#define NN_MEMORY_FILES_H

#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define MEMORY_UNUSED __attribute__((unused))
#else
#define MEMORY_UNUSED
#endif

#define MEMORY_FILES 64

typedef struct memory_file {
    char           name[128]; /* empty: free */
    unsigned char *bytes;
    size_t         size;
} memory_file;

typedef struct memory_disk {
    memory_file files[MEMORY_FILES];
    int         open_files;
    int         operations, fail_at; /* 0: never */
    bool        fail_writes_only;
} memory_disk;

static MEMORY_UNUSED memory_file *memory_find(memory_disk *disk, const char *name) {
    for (int i = 0; i < MEMORY_FILES; i++) {
        if (strcmp(disk->files[i].name, name) == 0) return &disk->files[i];
    }
    return NULL;
}

static MEMORY_UNUSED void memory_delete(memory_file *file) {
    if (!file) return;
    free(file->bytes);
    memset(file, 0, sizeof *file);
}

static MEMORY_UNUSED memory_file *memory_put(memory_disk *disk, const char *name, const void *bytes,
                                             size_t size) {
    memory_file *file = memory_find(disk, name);
    if (file) memory_delete(file);
    file = memory_find(disk, "");
    if (!file || strlen(name) >= sizeof file->name) return NULL;
    strcpy(file->name, name);
    file->bytes = (unsigned char *)malloc(size + 1);
    file->size = size;
    if (size > 0) memcpy(file->bytes, bytes, size);
    return file;
}

static bool memory_fails(memory_disk *disk) {
    return ++disk->operations >= disk->fail_at && disk->fail_at > 0;
}

static void *memory_open(void *user, const char *path, bool write) {
    memory_disk *disk = (memory_disk *)user;
    memory_file *file;
    if (memory_fails(disk)) return NULL;
    file = write ? memory_put(disk, path, NULL, 0) : path[0] ? memory_find(disk, path) : NULL;
    if (file) disk->open_files++;
    return file;
}

static bool memory_read(void *user, void *file, uint64_t offset, void *data, size_t bytes) {
    const memory_file *from = (const memory_file *)file;
    if (memory_fails((memory_disk *)user)) return false;
    if (offset > from->size || bytes > from->size - offset) return false;
    if (bytes > 0) memcpy(data, from->bytes + offset, bytes);
    return true;
}

static bool memory_write(void *user, void *file, const void *data, size_t bytes) {
    memory_file *to = (memory_file *)file;
    unsigned char *grown;
    if (memory_fails((memory_disk *)user)) return false;
    grown = (unsigned char *)realloc(to->bytes, to->size + bytes + 1);
    if (!grown) return false;
    to->bytes = grown;
    if (bytes > 0) memcpy(to->bytes + to->size, data, bytes);
    to->size += bytes;
    return true;
}

static bool memory_size(void *user, void *file, uint64_t *bytes) {
    if (memory_fails((memory_disk *)user)) return false;
    *bytes = ((const memory_file *)file)->size;
    return true;
}

static bool memory_flush(void *user, void *file) {
    (void)file;
    return !memory_fails((memory_disk *)user);
}

static bool memory_close(void *user, void *file) {
    (void)file;
    ((memory_disk *)user)->open_files--;
    return !memory_fails((memory_disk *)user);
}

static bool memory_rename(void *user, const char *from, const char *to) {
    memory_disk *disk = (memory_disk *)user;
    memory_file *file = memory_find(disk, from);
    if (memory_fails(disk) || !file) return false;
    memory_delete(memory_find(disk, to));
    strcpy(file->name, to);
    return true;
}

static bool memory_remove(void *user, const char *path) {
    memory_delete(memory_find((memory_disk *)user, path));
    return true;
}

static MEMORY_UNUSED nn_files memory_files(memory_disk *disk) {
    nn_files files;
    files.open = memory_open;
    files.read = memory_read;
    files.write = memory_write;
    files.size = memory_size;
    files.flush = memory_flush;
    files.close = memory_close;
    files.rename = memory_rename;
    files.remove = memory_remove;
    files.user = disk;
    return files;
}

static MEMORY_UNUSED void memory_free(memory_disk *disk) {
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk->files[i]);
}

#endif
