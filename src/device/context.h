/* device/context.h - the context: one allocator, one log, one list of devices, one first error. */
#pragma once

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/result.h"
#include "base/thread.h"
#include "base/writer.h"
#include "device/types.h"

typedef enum nn_instruction_set {
    NN_INSTRUCTIONS_DEFAULT, /* the best that the machine has */
    NN_INSTRUCTIONS_PLAIN,
    NN_INSTRUCTIONS_AVX2, /* with FMA */
    NN_INSTRUCTIONS_AVX512, /* with AVX512VL */
    NN_INSTRUCTIONS_NEON,
    NN_INSTRUCTIONS_SIMD128 /* WebAssembly, RISC-V, POWER, z, LoongArch: where compiled for it */
} nn_instruction_set;

typedef struct nn_desc {
    nn_writer log;          /* default: none. Every error, once, as one text */
    nn_allocator allocator; /* default: malloc and free */
    void *block; /* default: none. All memory comes from these block_bytes bytes, aligned to 16 or
                    better; no malloc, no threads of our own */
    size_t block_bytes;
    int threads;                     /* default: one per core; 1 with block */
    nn_jobs jobs;                    /* default: none. Your job system instead of our threads */
    nn_clock clock;                  /* default: the system's */
    nn_files files;                  /* default: stdio */
    nn_device device;                /* default: cpu. What NN_DEVICE_DEFAULT stands for */
    /* default: the best one. A set that the machine lacks is an error */
    nn_instruction_set instructions;
    /* default: 96 MB. Most that immediate kernels may use; taken at their first need */
    size_t scratch_bytes;
} nn_desc;

/* What becomes of an operation that its device cannot do. */
typedef enum nn_on_unsupported {
    NN_UNSUPPORTED_IS_ERROR, /* a fault with the reason; nothing is made */
    /* It runs on the CPU: what it reads comes down, what it writes goes up, at each run.
       nn_write_plan shows these transfers and why, the ledger counts them as "<name> via cpu".
       Slow, never hidden. Under NN_NO_REPORTS, where nothing could show it: an error. */
    NN_UNSUPPORTED_VIA_CPU
} nn_on_unsupported;

/* Opens a context with the CPU in it. NULL only when there is no memory for it, or a field of desc
   is wrong: then the reason goes to desc->log. desc may be NULL. */
NN_API nn_context *nn_open(const nn_desc *desc);
#ifdef __cplusplus
extern "C++" {
inline nn_context *nn_open(const nn_desc &desc) { return nn_open(&desc); }
}
#endif

/* Waits for all devices, frees everything opened or made with nn, closes it. NULL is allowed. An
   error that was neither asked for (nn_error, nn_error_code) nor given to a log is written to
   stderr, unless NN_NO_STDIO. */
NN_API void nn_close(nn_context *nn);

/* The first failure since nn_open or nn_clear_error, in words; NULL when there was none. The text
   lives until nn_clear_error or nn_close. nn == NULL: a text that says so. */
NN_API const char *nn_error(const nn_context *nn);
NN_API nn_result nn_error_code(const nn_context *nn); /* NN_OK when there was none */
NN_API void nn_clear_error(nn_context *nn);

NN_API int nn_device_count(const nn_context *nn);
/* in the order of opening; the CPU is 0 */
NN_API nn_device nn_device_at(const nn_context *nn, int i);
NN_API bool nn_is_open(const nn_context *nn, nn_device device);
NN_API nn_device nn_best_device(const nn_context *nn); /* the first GPU, else the CPU */
NN_API nn_result nn_finish(nn_context *nn);            /* waits for all devices */
/* "cpu", "opencl:1", or a part of an open device's name after the kind, "opencl:H200". A number is
   only read, as nn_opencl(9) is: so a program may read its options before it opens anything. Ask
   nn_is_open afterwards; whatever is made on a device that is not open fails and says so. */
NN_API nn_result nn_parse_device(nn_context *nn, const char *text, nn_device *device);
/* Writes "opencl:0" into text (at least 16 bytes); returns text. */
NN_API const char *nn_format_device(nn_device device, char *text, size_t size);

/* What the CPU computes with, for reports: threads, "avx512" ... */
NN_API int nn_thread_count(const nn_context *nn);
NN_API const char *nn_instruction_set_name(const nn_context *nn);

/* The context's clock (nn_desc.clock, or the system's) in nanoseconds from any fixed point, never
   going back: for frames, and for what is left of one to nn_run_for. 0: there is none. A device
   with a queue may still be at work: nn_finish waits for it. */
NN_API uint64_t nn_now(const nn_context *nn);

/* Bytes that the context holds now and held at most, and how often its allocator was called.

   How large must nn_desc.block be? Give a large one, make the calls that the program will make
   (training steps, runs and saves included), and read block_needed_bytes: the same calls go through
   in a block of so many bytes. NN_NO_REPORTS leaves the count out, unless NN_MEASURE_BLOCK is
   defined beside it (64 bytes of code on a Cortex-M4). On the desk, with the firmware's macros and
   that one, the figure is an upper bound: pointers have 8 bytes there. A call that finds too little
   says in its error how many bytes it wants and how many are missing. */
typedef struct nn_memory_use {
    uint64_t live_bytes, peak_bytes, calls;
    uint64_t block_bytes;        /* those of nn_desc.block that can be used */
    uint64_t block_needed_bytes; /* of a block in which all up to now would have fitted */
} nn_memory_use;
NN_API nn_memory_use nn_get_memory_use(const nn_context *nn);
