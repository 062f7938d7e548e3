/* base/config.h - version, platform, and the macros that all parts use.

   Feature macros: define any of them before including nn.h, the same in every file of the program.
     NN_NO_TRAINING     no gradients, updates, trainer, loader: inference only
     NN_NO_TRAINING_OPTIONS  a trainer for firmware (train/small.h): SGD, Adam and AdamW at a rate
                        that you set, one batch, one device. No loader, nn_fit, evaluation,
                        checkpoint, schedule, group or gradient of a gradient
     NN_NO_REPORTS      no tables, graphs, profiles, rows of the ledger, self-test or messages:
                        faults are counted, nn_error returns the text of the code, and the log
                        receives "nn: error -03". Objects that were freed or are still in use are
                        not recognized
     NN_NO_SPEEDUPS     plans are not rewritten for speed: no fused operations, no weights that stay
                        packed from run to run, no search trees for nets of hundreds of operations
     NN_NO_MIXED_PRECISION  floats are f32: no f16, no bf16, no weights of 8 or 4 bits.
                        Casts that you describe work
     NN_NO_RARE_OPTIONS no dilation, divisor or adaptive windows of pools, no padding_mode of
                        convolutions but zeros, and no windows over an extent that depends on the
                        batch or the time
     NN_NO_FILES        no loading or saving, not even through callbacks
     NN_NO_THREADS      no thread is ever created and no thread header is included
     NN_NO_STDIO        no FILE, no writers for stderr or files, no default file hooks
     NN_NO_SIMD         plain C kernels only
     NN_NO_CALL_SITES   no file names and lines in messages
     NN_NO_MALLOC       malloc and free are not linked: nn_open needs nn_desc.block or
                        nn_desc.allocator
     NN_MEASURE_BLOCK   with NN_NO_REPORTS: nn_context_memory still says how large nn_desc.block
                        must be
   NN_NO_TRAINING, NN_NO_REPORTS, NN_NO_SPEEDUPS, NN_NO_MIXED_PRECISION and NN_NO_THREADS together
   make a firmware build: a plan has one device, the CPU or another. nn_transfer within that device
   is a view of its input; a node on a second device is a fault. Calls that read or write parameters
   do not check whether a sliced run is pending or a tensor is mapped.
   For programs whose calls are all in one file:
     NN_STATIC          every function is static, so the compiler drops unused ones: half of the
                        program's size and compile time. The file that defines it contains the
                        implementation, as with NN_IMPLEMENTATION; a second file that defines it
                        has a copy of its own
   And for warnings:
     NN_QUIET           define it before including nn.h, and g++ -Wextra does not warn about fields
                        that a desc leaves out, as in { .kernel = 3 }. (gcc and clang do not warn.)
                        It turns -Wmissing-field-initializers off for the rest of the file, so it
                        is not the default
   And for names:
     NN_PREFIX          #define NN_PREFIX my_ makes every public function my_nn_open, my_nn_close
                        ... for the linker. Programs still write nn_open. Use it in a library that
                        contains its own copy of nn.h
   `make size` prints what each of them saves. */
#pragma once

#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if INT_MAX < 2147483647
#error "nn.h counts in int and needs one of 32 bits or more"
#endif
#if CHAR_BIT != 8
#error "nn.h needs bytes of 8 bits"
#endif
#if FLT_RADIX != 2 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128
#error "nn.h needs float to be the 32-bit format of IEEE 754"
#endif

#if defined(NN_QUIET) && defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

#define NN_VERSION_MAJOR 0
#define NN_VERSION_MINOR 1
#define NN_VERSION_PATCH 0
#define NN_VERSION       "0.1.0"

/* Two kinds of functions are compiled for size: those that a program calls once or seldom, such as
   those that describe a net, and those that prepare the work of a kernel's loops. src/nn.h sets
   NN__RARELY before each group of files, kernels/cpu.c before each file that says so. */
#define NN__RARELY
#if defined(__has_attribute)
#if __has_attribute(cold)
#define NN__COLD __attribute__((cold))
#endif
#endif
#ifndef NN__COLD
#define NN__COLD
#endif

/* Linkage of public functions. Define NN_API yourself (__declspec(dllexport) ...) to change it.
   NN_STATIC makes them static. Without optimization, gcc drops unused static functions only if they
   are also inline. With optimization they are not marked inline, because that would change which
   calls are inlined. */
#if defined(NN_STATIC) && !defined(__OPTIMIZE__) && (defined(__GNUC__) || defined(__TINYC__))
#define NN__STATIC static inline
#else
#define NN__STATIC static
#endif
#ifdef NN_API
#define NN__OWN_API
#elif defined(NN_STATIC)
#define NN_API NN__RARELY NN__STATIC
#define NN__OWN_API
#elif defined(__cplusplus)
#define NN_API extern "C" NN__RARELY
#else
#define NN_API NN__RARELY extern
#endif

/* Turns off warnings that the program's own options may turn on. With NN_STATIC a program need not
   use every function, and the implementation uses C casts even where it is compiled as C++. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#ifdef __ARM_EABI__ /* enums may be unsigned on this ABI, so some range checks are always false */
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#elif defined(_MSC_VER)
#pragma warning(push)
#ifdef NN__OWN_API
#pragma warning(disable : 4505) /* unreferenced function with internal linkage has been removed */
#endif
#endif

/* The linker name of a public function; base/prefix.h uses it. */
#ifdef NN_PREFIX
#define NN__PREFIX               NN_PREFIX
#define NN__PASTE(prefix, name)  prefix##name
#define NN__EXPAND(prefix, name) NN__PASTE(prefix, name)
#define NN__PREFIXED(name)       NN__EXPAND(NN_PREFIX, name)
#else
#define NN__PREFIX
#endif

#define NN_MAX_RANK   6  /* most extents of a shape */
#define NN_NAME_BYTES 128 /* size of tensor and node names, including the final zero */

/* Files of one program that define different feature macros disagree about the layout of structs.
   So functions that take such a struct carry the macros in their linker names, and such files do
   not link. If an "undefined reference to nn_open_without_files" led you here, define the same
   NN_NO_ macros in every file. */
#if defined(NN_NO_TRAINING) || defined(NN_NO_REPORTS) || defined(NN_NO_FILES) ||                   \
    defined(NN_NO_THREADS) || defined(NN_NO_SPEEDUPS) || defined(NN_NO_MIXED_PRECISION) ||         \
    defined(NN_NO_RARE_OPTIONS) || defined(NN_NO_TRAINING_OPTIONS)
#ifdef NN_NO_TRAINING
#define NN__WITHOUT_1 _training
#elif defined(NN_NO_TRAINING_OPTIONS)
#define NN__WITHOUT_1 _training_options
#else
#define NN__WITHOUT_1
#endif
#ifdef NN_NO_REPORTS
#define NN__WITHOUT_2 _reports
#else
#define NN__WITHOUT_2
#endif
#ifdef NN_NO_FILES
#define NN__WITHOUT_3 _files
#else
#define NN__WITHOUT_3
#endif
#ifdef NN_NO_THREADS
#define NN__WITHOUT_4 _threads
#else
#define NN__WITHOUT_4
#endif
#ifdef NN_NO_SPEEDUPS
#define NN__WITHOUT_5 _speedups
#else
#define NN__WITHOUT_5
#endif
#ifdef NN_NO_MIXED_PRECISION
#define NN__WITHOUT_6 _mixed_precision
#else
#define NN__WITHOUT_6
#endif
#ifdef NN_NO_RARE_OPTIONS
#define NN__WITHOUT_7 _rare_options
#else
#define NN__WITHOUT_7
#endif
#define NN__JOIN_NAME(prefix, name, a, b, c, d, e, f, g)                                           \
    prefix##name##_without##a##b##c##d##e##f##g
#define NN__EXPAND_NAME(prefix, name, a, b, c, d, e, f, g)                                         \
    NN__JOIN_NAME(prefix, name, a, b, c, d, e, f, g)
#define NN__BUILT(name)                                                                            \
    NN__EXPAND_NAME(NN__PREFIX, name, NN__WITHOUT_1, NN__WITHOUT_2, NN__WITHOUT_3, NN__WITHOUT_4,  \
                    NN__WITHOUT_5, NN__WITHOUT_6, NN__WITHOUT_7)
#define nn_open        NN__BUILT(nn_open)
#define nn_add_backend NN__BUILT(nn_add_backend)
#define nn_fit_at      NN__BUILT(nn_fit_at)
#define nn_fit_using_at NN__BUILT(nn_fit_using_at)
#endif

/* There is no trainer, or only the one of train/small.h. */
#if defined(NN_NO_TRAINING) || defined(NN_NO_TRAINING_OPTIONS)
#define NN__NO_TRAINER
#endif

/* Nodes without a name get the name of their operation, without a number. Nothing shows these names
   here, and there is no nn_quantize_net, which names tensors after nodes. */
#if defined(NN_NO_REPORTS) && defined(NN__NO_TRAINER)
#define NN__UNNUMBERED
#endif

/* Fields of structs that several features use exist unless all of these are left out. */
#if defined(NN_NO_REPORTS) && defined(NN_NO_SPEEDUPS) && defined(NN_NO_MIXED_PRECISION)
#define NN__LEAN
#endif

/* Largest number of open devices in one context, including the CPU. */
#ifndef NN_MAX_DEVICES
#ifdef NN__LEAN
#define NN_MAX_DEVICES 2 /* each takes 0.2 KB in every plan */
#else
#define NN_MAX_DEVICES 16
#endif
#endif

/* Size of device names, including the final zero. */
#ifdef NN__LEAN
#define NN_DEVICE_NAME_BYTES 32
#else
#define NN_DEVICE_NAME_BYTES NN_NAME_BYTES
#endif

/* Size of the text that nn_error returns, including the final zero. Longer reports go to
   nn_desc.log in full. Under NN_NO_REPORTS no memory is reserved for it. */
#ifndef NN_ERROR_BYTES
#define NN_ERROR_BYTES 4096
#endif

/* The file and line of a call in the user's program. Every call that can fail is a macro that
   passes NN_HERE; bindings for other languages call the function whose name ends in `_at` and pass
   their own. */
#if defined(NN_NO_CALL_SITES) && defined(NN_NO_REPORTS)
/* No message shows a site, so it stores nothing; this saves some 0.2 KB in a small plan. */
typedef struct nn_site {
    char none;
} nn_site;

static inline nn_site nn_make_site(const char *file, int line) {
    nn_site site;
    (void)file, (void)line;
    site.none = 0;
    return site;
}
#else
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
#endif

/* Marks functions that are inlined at the call so that an optimizing compiler sees the desc's
   values. Features that the desc does not use are then left out of the program. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define NN__HERE_INLINE inline __attribute__((always_inline, unused))
#else
#define NN__HERE_INLINE inline
#endif

#ifdef NN_NO_CALL_SITES
#define NN_HERE nn_make_site(NULL, 0)
#else
#define NN_HERE nn_make_site(__FILE__, __LINE__)
#endif
