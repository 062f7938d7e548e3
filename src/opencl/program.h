/* opencl/program.h - programs and their kernels: composing, building, the disk cache. A part of
   opencl/private.h. */
#pragma once

#include "opencl/private.h"

/* ---- programs (opencl/program.c, opencl/cache.c) --------------------------------------------- */

/* Sets the kernel text of the device: embedded, or read from desc.kernel_file. Records errors. */
NN__OPENCL_PRIVATE nn_result nn__opencl_open_text(nn__opencl *device, const char *kernel_file);
NN__OPENCL_PRIVATE nn_result nn__opencl_find_kernel(nn__opencl *device, const char *part,
                                                    const char *entry, const char *options,
                                                    nn__opencl_program_kernel **found);
/* Does the same for a source of the user, which is also the key. */
NN__OPENCL_PRIVATE nn_result nn__opencl_find_user_kernel(nn__opencl *device, const char *source,
                                                         const char *entry,
                                                         nn__opencl_program_kernel **found);
/* Does the same for generated text. Equal keys mean equal texts. */
NN__OPENCL_PRIVATE nn_result nn__opencl_find_made_kernel(nn__opencl *device, uint64_t key,
                                                         nn__opencl_make_text make,
                                                         const void *user, const char *entry,
                                                         nn__opencl_program_kernel **found);
/* Stores programs that were compiled from source in the disk cache. Call this at the end, because
   some drivers compile again to give a binary. */
NN__OPENCL_PRIVATE void nn__opencl_save_programs(nn__opencl *device);
NN__OPENCL_PRIVATE void nn__opencl_free_programs(nn__opencl *device);

#define NN__OPENCL_OPTIONS 512 /* most bytes of a program's options, with the zero */

/* The text of a program, in memory of the context. bytes: with the zero. */
typedef struct nn__opencl_source {
    char *text;
    size_t bytes;
} nn__opencl_source;

typedef struct nn__opencl_built {
    const nn__opencl *device;
    uint64_t file_key;
    unsigned char *binary; /* from the disk; NULL: none */
    size_t binary_bytes;
    cl_program program; /* may exist after a failure */
    cl_int status;      /* of the last call */
    const char *call;   /* its name */
    bool cached;        /* made from the binary */
} nn__opencl_built;

/* Composes the text of a program. Records no error. */
NN__OPENCL_PRIVATE nn_result nn__opencl_program_source(nn__opencl *device, const char *part,
                                                       const char *user_source,
                                                       const char *options,
                                                       nn__opencl_source *source);
/* Writes all options of a program. Returns false if they are too long. */
NN__OPENCL_PRIVATE bool nn__opencl_program_options(const char *options, char *all);
/* Returns the key of a program on disk. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_program_file_key(const nn__opencl *device,
                                                        const nn__opencl_source *source,
                                                        const char *options);
/* Builds a program from built->binary, or else from the text. It calls only the driver, so several
   threads may call it at a time. */
NN__OPENCL_PRIVATE void nn__opencl_build(const nn__opencl *device, const char *text,
                                         const char *options, nn__opencl_built *built);

/* opencl/ahead.c: the `collect` of the backend. */
NN__OPENCL_PRIVATE bool nn__opencl_collect(void *state, bool begins);
/* True if a program with this key is neither built nor noted. Call nn__opencl_ahead_note then. */
NN__OPENCL_PRIVATE bool nn__opencl_ahead_wants(nn__opencl *device, uint64_t key);
NN__OPENCL_PRIVATE void nn__opencl_ahead_note(nn__opencl *device, uint64_t key, const char *part,
                                              const char *user_source, const char *options);
/* Note the program that nn__opencl_find_... would build. */
NN__OPENCL_PRIVATE void nn__opencl_note_kernel(nn__opencl *device, const char *part,
                                               const char *options);
NN__OPENCL_PRIVATE void nn__opencl_note_user_kernel(nn__opencl *device, const char *source);
NN__OPENCL_PRIVATE void nn__opencl_note_made_kernel(nn__opencl *device, uint64_t key,
                                                    nn__opencl_make_text make, const void *user);

/* folder NULL: the default one; "": none. */
NN__OPENCL_PRIVATE void nn__opencl_cache_open(nn__opencl *device, const char *folder);
/* Reads the binary of a program from disk, in memory of the context. NULL: there is none. */
NN__OPENCL_PRIVATE unsigned char *nn__opencl_cache_read(nn__opencl *device, uint64_t key,
                                                        size_t *bytes);
NN__OPENCL_PRIVATE void nn__opencl_cache_save(nn__opencl *device, uint64_t key, cl_program program);
/* Makes the folder and its parents, if they do not exist. */
NN__OPENCL_PRIVATE void nn__opencl_cache_make_folders(const char *folder);
