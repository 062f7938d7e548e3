/* base/config.h - version, platform, and the macros that every room uses.

   Feature macros: define any of them before including nn.h, the same in every file of the program.
     NN_NO_TRAINING     no gradients, updates, trainer, loader: inference only
     NN_NO_REPORTS      no tables, graphs, rows of the ledger, nor messages: faults are counted, nn_error
                        returns the text of its code, the log receives "nn: error -03"
     NN_NO_FILES        no loading or saving, not even through callbacks
     NN_NO_THREADS      no thread is ever created and no thread header is included
     NN_NO_STDIO        no FILE, no writers for stderr or files, no default file hooks
     NN_NO_SIMD         plain C kernels only
     NN_NO_CALL_SITES   no file names and lines in messages
   `make size` prints what each of them saves. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NN_VERSION_MAJOR 0
#define NN_VERSION_MINOR 1
#define NN_VERSION_PATCH 0
#define NN_VERSION       "0.1.0"

/* Linkage of public functions. Define NN_API yourself (static, __declspec(dllexport) ...) to change it. */
#ifndef NN_API
#ifdef __cplusplus
#define NN_API extern "C"
#else
#define NN_API extern
#endif
#endif

#define NN_MAX_RANK   6  /* extents in a shape */
#define NN_NAME_BYTES 64 /* names of tensors and nodes, the ending zero included */

/* Devices open in one context, the CPU included. */
#ifndef NN_MAX_DEVICES
#ifdef NN_NO_REPORTS
#define NN_MAX_DEVICES 2 /* every plan has room for them: 0.2 KB each */
#else
#define NN_MAX_DEVICES 16
#endif
#endif

/* Length of the text that nn_error returns, the ending zero included; longer reports go whole to nn_desc.log.
   Under NN_NO_REPORTS no memory is set aside for it. */
#ifndef NN_ERROR_BYTES
#define NN_ERROR_BYTES 4096
#endif

/* Where a call stands in the user's program. Every call that can be at fault is a macro that passes NN_HERE;
   bindings for other languages call the function with `_at` at its end and pass their own. */
typedef struct nn_site {
    const char *file; /* NULL: unknown */
    int line;
} nn_site;

static inline nn_site nn_make_site(const char *file, int line) {
    nn_site site;
    site.file = file;
    site.line = line;
    return site;
}

#ifdef NN_NO_CALL_SITES
#define NN_HERE nn_make_site(NULL, 0)
#else
#define NN_HERE nn_make_site(__FILE__, __LINE__)
#endif
