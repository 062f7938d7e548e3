/* base/private.h - helpers for all rooms, hidden from users. Every .c part includes it. */
#pragma once

#include "base/config.h"
#include "base/list.h"
#include "base/result.h"
#include "base/writer.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/random.h"
#include "base/file.h"
#include "base/clock.h"

#include <stdarg.h>
#include <string.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST) ||                                               \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "nn.h: -ffast-math, -Ofast, -ffinite-math-only and /fp:fast hide every NaN and infinity: a \
step on NaN would return NN_OK. Compile the file that defines NN_IMPLEMENTATION without them; \
its kernels choose their instructions themselves and are no slower. The others may keep them."
#endif

/* For static tables: in newer Windows SDKs INFINITY and NAN are calls, not constants. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#define NN__INFINITY __builtin_inff()
#define NN__NAN      __builtin_nanf("")
#elif defined(__TINYC__)
#define NN__INFINITY (1e38f * 1e38f)
#define NN__NAN      (0.0f / 0.0f) /* tcc does not accept infinity * 0 as a constant */
#else
#define NN__INFINITY (1e38f * 1e38f)
#define NN__NAN      (NN__INFINITY * 0.0f)
#endif

/* Private functions are static in the drop-in, and hidden symbols if a part is compiled on its
   own. Tests define NN_PRIVATE as extern, to call the private functions of a library that is
   compiled once. */
#if defined(__GNUC__) || defined(__clang__) || defined(__TINYC__)
#define NN__UNUSED __attribute__((unused))
#else
#define NN__UNUSED
#endif
/* For functions that must be inlined. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#define NN__ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define NN__ALWAYS_INLINE __forceinline
#else
#define NN__ALWAYS_INLINE inline
#endif
/* For functions that must not be inlined, as many small ones share them. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#define NN__APART __attribute__((noinline))
#elif defined(_MSC_VER)
#define NN__APART __declspec(noinline)
#else
#define NN__APART
#endif
/* Put these around functions whose results must be the same bits everywhere, such as first
   weights. Otherwise compilers fuse a product and a sum into one instruction with one rounding:
   gcc with its default -std=gnu17, clang always. */
#if defined(__clang__)
#define NN__UNFUSED_BEGIN _Pragma("STDC FP_CONTRACT OFF")
#define NN__UNFUSED_END   _Pragma("STDC FP_CONTRACT DEFAULT")
#elif defined(__GNUC__) && !defined(__TINYC__)
#define NN__UNFUSED_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")")
#define NN__UNFUSED_END   _Pragma("GCC pop_options")
#elif defined(_MSC_VER)
#define NN__UNFUSED_BEGIN __pragma(fp_contract(off))
#define NN__UNFUSED_END   __pragma(fp_contract(on))
#else
#define NN__UNFUSED_BEGIN
#define NN__UNFUSED_END
#endif
#ifdef NN_PRIVATE
#elif defined(NN_IMPLEMENTATION) || defined(NN_STATIC)
#define NN_PRIVATE NN__RARELY NN__STATIC NN__UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN_PRIVATE extern
#endif

/* Checks for mistakes inside the library; off unless the tests turn it on. */
#ifndef NN_ASSERT
#define NN_ASSERT(condition) ((void)0)
#endif

#define NN__COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#ifndef NN_NO_SPEEDUPS
/* Computes nn_random_words for counter to counter + 3, one after another: base/random.c. */
NN_PRIVATE void nn__random_sixteen(uint64_t seed, uint64_t stream, uint64_t counter,
                                   uint32_t words[16]);
#endif

/* Alignment of every allocation and of every tensor in an arena: a cache line if there are
   threads or vectors. */
#if defined(NN_NO_SIMD) && defined(NN_NO_THREADS)
#define NN__ALIGNMENT ((size_t)16)
#else
#define NN__ALIGNMENT ((size_t)64)
#endif

/* The smallest programs: a plan has one device, and its memory is one allocation, whose size
   fits into size_t. */
#if defined(NN__NO_TRAINER) && defined(NN_NO_THREADS) && defined(NN__LEAN)
#define NN__ONE_PIECE
typedef size_t nn__offset_bytes;
#else
typedef uint64_t nn__offset_bytes; /* on a device */
#endif

static inline NN__UNUSED int64_t nn__min64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline NN__UNUSED int64_t nn__max64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline NN__UNUSED int nn__mini(int a, int b) { return a < b ? a : b; }
static inline NN__UNUSED int nn__maxi(int a, int b) { return a > b ? a : b; }
/* cannot overflow */
static inline NN__UNUSED int nn__ceil_div(int a, int b) { return a / b + (a % b != 0); }
static inline NN__UNUSED size_t nn__align_up(size_t n, size_t to) { return (n + to - 1) / to * to; }
/* Returns the bytes of a tensor inside a block: rounded up to NN__ALIGNMENT. */
static inline NN__UNUSED nn__offset_bytes nn__padded(nn__offset_bytes bytes) {
    return (bytes + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
}

/* ---- writer: formatting without printf, stdio or the locale ---------------------------------- */

/* Understands %s %c %d %u %lld %llu (64 bit) %zu %x %p %%, %g (float as double, up to 6
   significant digits), %f with a precision (%.2f), and field widths with the flags '-' and '0'
   and '*'. NULL strings are printed as "(none)". */
NN_PRIVATE void nn__print(const nn_writer *writer, const char *format, ...);
NN_PRIVATE void nn__vprint(const nn_writer *writer, const char *format, va_list arguments);
/* Makes a writer into text[size], which becomes "" at once; out->length counts all characters, even
   those that do not fit. */
NN_PRIVATE nn_writer nn__write_into(nn_text *out, char *text, size_t size);
/* Writes into text[size], zero-terminated if size > 0. Returns the length of the whole text. */
NN_PRIVATE size_t nn__format(char *text, size_t size, const char *format, ...);
NN_PRIVATE size_t nn__vformat(char *text, size_t size, const char *format, va_list arguments);
/* Copies at most size - 1 bytes and terminates with zero. */
NN_PRIVATE void nn__copy_text(char *to, size_t size, const char *from);
/* Returns text n of several zero-terminated texts that follow one another. */
static inline NN__UNUSED const char *nn__nth_text(const char *texts, int n) {
    for (; n > 0; n--) texts += strlen(texts) + 1;
    return texts;
}
/* Joins names without a format, since a firmware without reports has names but no formats.
   Returns the length of the whole text. */
NN_PRIVATE size_t nn__join_text(char *text, size_t size, const char *first, const char *second,
                                const char *third);

/* Texts for people go through nn__explain and nn__fail. Under NN_NO_REPORTS the program contains
   neither the texts nor the computation of their arguments; the compiler still checks the
   arguments. */
#ifdef NN_NO_REPORTS
#define NN__NTH_TEXT(texts, n)        ((void)(n), (texts))
static inline NN__UNUSED void nn__ignore_text(const char *format, ...) { (void)format; }
static inline NN__UNUSED size_t nn__explain_nothing(char *text) {
    text[0] = 0;
    return 0;
}
#define NN__TEXT(text)                ""
#define NN__NO_TEXT(...)              (false ? nn__ignore_text(__VA_ARGS__) : (void)0)
#define nn__explain(text, size, ...)                                                               \
    (NN__NO_TEXT(__VA_ARGS__), (void)(size), nn__explain_nothing(text))
#else
#define NN__TEXT(text) text
#define NN__NTH_TEXT   nn__nth_text
#define nn__explain    nn__format
#endif
/* Writes a number of bytes as "1.5 MB" or "312 B", in powers of 1000. Returns text. */
NN_PRIVATE const char *nn__format_bytes(char *text, size_t size, uint64_t bytes);

/* ---- memory: one allocator on top of malloc, the user's hooks or one block ------------------- */

#if !defined(NN_NO_REPORTS) || defined(NN_MEASURE_BLOCK)
#define NN__MEASURE
#endif

typedef struct nn__block nn__block; /* free list inside the caller's block */

typedef struct nn__memory {
    nn_allocator allocator;
    nn__block *block;    /* not NULL: all memory comes from the caller's block */
    uint64_t live_bytes; /* allocated and not yet released */
    uint64_t peak_bytes;
    uint64_t calls; /* number of allocations, for tests that demand zero */
#ifdef NN__MEASURE
    size_t block_bytes; /* usable bytes of the block, including the start of its list */
    size_t untouched;   /* bytes at its beginning that were never allocated */
#endif
} nn__memory;

/* Prepares the memory. With a block, puts the free list at its start; returns NN_ERROR_ARGUMENT if
   the block is too small for that. */
NN_PRIVATE nn_result nn__memory_init(nn__memory *memory, const nn_allocator *allocator, void *block,
                                     size_t block_bytes);
/* Returns zeroed memory aligned to NN__ALIGNMENT, or NULL if none is left. nn__release needs the
   same `bytes`. */
NN_PRIVATE void *nn__allocate(nn__memory *memory, size_t bytes);
NN_PRIVATE void nn__release(nn__memory *memory, void *pointer, size_t bytes); /* NULL is allowed */
/* Returns the largest allocation that would succeed now; SIZE_MAX if only the system knows. */
NN_PRIVATE size_t nn__available(const nn__memory *memory);
#ifndef NN_NO_REPORTS
/* Returns how many more bytes the block needs for this allocation to succeed; 0 without a block. */
NN_PRIVATE uint64_t nn__missing(const nn__memory *memory, uint64_t bytes);
#endif

/* A list of chunks for small objects that are freed together: nodes, names, faults. */
typedef struct nn__arena_chunk nn__arena_chunk;
/* The header is at the end of its chunk, which is used from there down, so that a chunk in one
   block can grow downwards. Its size is a multiple of the alignment inside the chunk. */
struct nn__arena_chunk {
    nn__arena_chunk *next;
    char            *start;
    size_t           bytes; /* allocated bytes, including this header */
    size_t           left;  /* free bytes, at the start */
};
typedef struct nn__arena {
    nn__memory *memory;
    nn__arena_chunk *chunk;
} nn__arena;
NN_PRIVATE void *nn__arena_take(nn__arena *arena,
                                size_t bytes); /* zeroed, aligned to two pointers, or NULL */
/* Returns a copy; NULL: no memory. */
NN_PRIVATE const char *nn__arena_text(nn__arena *arena, const char *text);
/* Replaces the array of a list by a copy in the arena; nn__arena_texts also copies the texts.
   False: no memory. */
NN_PRIVATE bool nn__arena_list(nn__arena *arena, const void **items, size_t bytes);
NN_PRIVATE bool nn__arena_texts(nn__arena *arena, nn_texts *texts);
NN_PRIVATE void nn__arena_free(nn__arena *arena);

/* False on overflow. */
NN_PRIVATE bool nn__multiply(uint64_t a, uint64_t b, uint64_t *product);

/* ---- owned: everything that nn_close frees, newest first ------------------------------------- */

typedef struct nn__owned nn__owned;
struct nn__owned {
    nn__owned *next, *previous;
    void (*destroy)(nn__owned *self);
};
NN_PRIVATE void nn__own(nn__owned *list, nn__owned *item,
                        void (*destroy)(nn__owned *self)); /* list: a ring's head */
NN_PRIVATE void nn__disown(nn__owned *item);               /* harmless twice */
NN_PRIVATE void nn__destroy_all(nn__owned *list);

/* ---- thread: a fixed pool, or the user's job system, or one thread --------------------------- */

typedef struct nn__pool nn__pool;
typedef void (*nn__work)(void *data, int unit, int worker);

/* threads <= 0: one per core. jobs->run not NULL: uses the user's job system with jobs->workers
   items at once. *pool may stay NULL, which means one thread; nn__parallel accepts that. */
NN_PRIVATE nn_result nn__pool_open(nn__memory *memory, const nn_jobs *jobs, int threads,
                                   nn__pool **pool);
NN_PRIVATE void nn__pool_close(nn__memory *memory, nn__pool *pool);
NN_PRIVATE int nn__pool_workers(const nn__pool *pool); /* at least 1 */
/* Calls work(data, unit, worker) once for every unit in [first, first + count), on any worker
   and in any order; returns when all are done. worker is in [0, nn__pool_workers), and no two
   units run with the same worker at once. False: the job system returned before its items had
   run. Some units are not done then, and the caller does all units itself from now on. */
NN_PRIVATE bool nn__parallel(nn__pool *pool, int first, int count, nn__work work, void *data);

/* Helper threads of our own, which work beside the caller until they are dismissed. They may touch
   nothing but their data. */
typedef struct nn__helpers nn__helpers;
/* Starts up to `count` threads, each of which calls run(helpers, data, 0 ...) once. *data:
   data_bytes of zeroed memory, in one allocation with the helpers. NULL: no threads
   (NN_NO_THREADS, a context in a block, no memory). */
NN_PRIVATE nn__helpers *nn__helpers_open(nn__memory *memory, int count, size_t data_bytes,
                                         void (*run)(nn__helpers *helpers, void *data, int number),
                                         void **data);
NN_PRIVATE int nn__helpers_count(const nn__helpers *helpers); /* 0 for NULL */
NN_PRIVATE void nn__helpers_lock(nn__helpers *helpers);
NN_PRIVATE void nn__helpers_unlock(nn__helpers *helpers);
/* With the lock held: */
NN_PRIVATE void nn__helpers_wake(nn__helpers *helpers); /* the caller wakes the helpers */
NN_PRIVATE void nn__helpers_wait(nn__helpers *helpers); /* a helper waits for nn__helpers_wake */
/* true: a helper must return from run */
NN_PRIVATE bool nn__helpers_quits(const nn__helpers *helpers);
NN_PRIVATE void nn__helpers_tell(nn__helpers *helpers); /* a helper wakes the caller */
/* The caller waits for nn__helpers_tell; briefly: about 1 ms. Returns the milliseconds that surely
   passed. */
NN_PRIVATE int nn__helpers_listen(nn__helpers *helpers, bool briefly);
/* Without the lock: */
/* True after fork(): the helpers belong to the parent process. Here they have no threads, and their
   lock must not be touched; nn__helpers_close only frees their memory. */
NN_PRIVATE bool nn__helpers_lost(const nn__helpers *helpers);
/* The number of this process, which fork() changes; 0: not known. */
NN_PRIVATE int nn__helpers_process(void);
NN_PRIVATE void nn__helpers_dismiss(nn__helpers *helpers); /* asks the helpers to return */
/* true if all have returned, after at most `milliseconds` */
NN_PRIVATE bool nn__helpers_gone(nn__helpers *helpers, int milliseconds);
/* Dismisses the helpers and waits at most `milliseconds` (0: for ever). False: some did not
   return; they, and the memory of the helpers and their data, are abandoned. */
NN_PRIVATE bool nn__helpers_close(nn__memory *memory, nn__helpers *helpers, int milliseconds);

/* ---- busy: one context belongs to one thread at a time --------------------------------------- */

#ifndef NN_NO_THREADS
typedef struct nn__visit {
    const char *call; /* "nn_run"; NULL: none */
    nn_site site;
} nn__visit;
typedef struct nn__busy {
    uintptr_t owner;  /* atomic: the thread inside; 0: none */
    int depth;        /* of its nested calls; this field and the next one belong to the owner */
    nn__visit inside; /* its outermost call */
    unsigned waits;   /* atomic: there is a refused call */
    unsigned lock;    /* atomic; guards the fields below */
    unsigned number;  /* of refused calls so far */
    nn__visit refused; /* the first refused call that the owner was not told of yet */
} nn__busy;
/* False: another thread is inside. It is told of `call` when it leaves, unless call is NULL. */
NN_PRIVATE bool nn__busy_enter(nn__busy *busy, const char *call, nn_site site);
/* Called by the thread inside. Returns true, and clears the record, if a call was refused that the
   thread was not told of yet. */
NN_PRIVATE bool nn__busy_refused(nn__busy *busy, nn__visit *refused, nn__visit *inside);
/* Leaves. Returns false if there is such a call; then the thread stays inside, unless `anyway`. */
NN_PRIVATE bool nn__busy_leave(nn__busy *busy, bool anyway);
#endif

/* ---- file: what loaders and savers use ------------------------------------------------------- */
#ifndef NN_NO_FILES
/* Fills empty hooks with stdio (unless NN_NO_STDIO). */
NN_PRIVATE void nn__files_init(nn_files *files);
/* A file that is written beside its target and renamed to it at the end, so that the old file
   survives every failure. */
typedef struct nn__save {
    const nn_files *files;
    void *handle;
    char path[512];
    char temporary[540];
    bool failed;
} nn__save;
NN_PRIVATE nn_result nn__save_begin(nn__save *save, const nn_files *files, const char *path);
NN_PRIVATE nn_result nn__save_write(nn__save *save, const void *data, size_t bytes);
/* commit: flush to disk, close, rename. Otherwise, or after a failure: close and remove the
   temporary file. */
NN_PRIVATE nn_result nn__save_end(nn__save *save, bool commit);
/* Renames `from` to `to`, in one step. False: it failed, or there is no `from`. */
NN_PRIVATE bool nn__replace_file(const nn_files *files, const char *from, const char *to);
#endif

/* ---- clock ----------------------------------------------------------------------------------- */
/* nanoseconds of the system's clock, from any thread; 0: there is none */
NN_PRIVATE uint64_t nn__system_now(void);
/* Sleeps for about a millisecond; returns at once if the system has no such call. */
NN_PRIVATE void nn__system_rest(void);
/* sets an empty hook to the system's monotonic clock */
NN_PRIVATE void nn__clock_init(nn_clock *clock);
static inline NN__UNUSED uint64_t nn__now(const nn_clock *clock) {
    return clock->now ? clock->now(clock->user) : 0;
}
