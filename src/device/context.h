/* device/context.h - the context: allocator, log, open devices and first error. */
#pragma once

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/result.h"
#include "base/thread.h"
#include "base/writer.h"
#include "device/types.h"

typedef enum nn_instruction_set {
    NN_INSTRUCTIONS_DEFAULT, /* the best that the machine supports */
    NN_INSTRUCTIONS_PLAIN,
    NN_INSTRUCTIONS_AVX2, /* with FMA */
    NN_INSTRUCTIONS_AVX512, /* with AVX512VL */
    NN_INSTRUCTIONS_NEON,
    NN_INSTRUCTIONS_SIMD128, /* WebAssembly, RISC-V, POWER, z, LoongArch, if compiled for it */
    /* Of these three NN_ARITHMETIC_PORTABLE takes the best one; their bytes are the same. */
    NN_INSTRUCTIONS_PORTABLE_AVX2,
    NN_INSTRUCTIONS_PORTABLE, /* any processor and compiler */
    NN_INSTRUCTIONS_PORTABLE_AVX512,
    NN_INSTRUCTIONS_COUNT
} nn_instruction_set;

/* How the CPU computes. */
typedef enum nn_arithmetic {
    NN_ARITHMETIC_FAST, /* as fast as the machine can; the last bits depend on its vectors */
    /* The same bytes on every processor, compiler and C library, for lockstep games and replays.
       Products and sums are rounded one by one, in the order of eight lanes. Only for programs
       that define NN_WITH_PORTABLE before the implementation. An x86 without SSE, and threads that
       round differently, are an error. Without AVX2 this is slow with compilers other than gcc and
       clang */
    NN_ARITHMETIC_PORTABLE
} nn_arithmetic;

typedef struct nn_desc {
    nn_writer log;          /* default: none. Receives every error once, as one text */
    nn_allocator allocator; /* default: malloc and free */
    void *block; /* default: none. All memory comes from these block_bytes bytes, aligned to 16 or
                    more. The library then uses no malloc and no threads of its own */
    size_t block_bytes;
    int threads;                     /* default: one per core; 1 with block */
    nn_jobs jobs; /* default: none. Your job system, used instead of threads of the library */
    nn_clock clock;                  /* default: the system's */
    nn_files files;                  /* default: stdio */
    nn_device device;                /* default: cpu. The meaning of NN_DEVICE_DEFAULT */
    /* default: the best one. A set that the machine lacks is an error */
    nn_instruction_set instructions;
    nn_arithmetic arithmetic; /* default: NN_ARITHMETIC_FAST */
    /* default: NN_PRECISION_HIGHEST. The precision of immediate calls, and of plans and trainers
       that leave their .precision 0. Ignored by firmware builds (base/config.h), which compute in
       f32 */
    nn_precision precision;
    /* default: 96 MB. The limit of memory for immediate kernels; allocated when first needed */
    size_t scratch_bytes;
} nn_desc;

/* What happens to an operation that its device does not support. */
typedef enum nn_on_unsupported {
    NN_UNSUPPORTED_IS_ERROR, /* a fault with the reason; nothing is made */
    /* It runs on the CPU: each run downloads its inputs and uploads its outputs. nn_write_plan
       shows these transfers with the reason, and the ledger counts them as "<name> via cpu". Under
       NN_NO_REPORTS, where nothing could show them, this is an error. */
    NN_UNSUPPORTED_VIA_CPU
} nn_on_unsupported;

/* Opens a context, with the CPU as its first device. Returns NULL if there is no memory for it or a
   field of desc is wrong; the reason goes to desc->log. desc may be NULL. */
NN_API nn_context *nn_open(const nn_desc *desc);

/* Waits for all devices, frees everything that was opened or made with nn, and closes it. NULL is
   allowed. If no one read the error (nn_error, nn_error_code) and there is no log, the error is
   written to stderr, unless NN_NO_STDIO. */
NN_API void nn_close(nn_context *nn);

/* Returns the message of the first failure since nn_open or nn_clear_error, or NULL if there was
   none. The text is valid until nn_clear_error or nn_close. For nn == NULL the text says so. */
NN_API const char *nn_error(const nn_context *nn);
NN_API nn_result nn_error_code(const nn_context *nn); /* NN_OK if there was none */
NN_API void nn_clear_error(nn_context *nn);

NN_API int nn_device_count(const nn_context *nn);
/* Returns device i in the order of opening; the CPU is 0. */
NN_API nn_device nn_device_at(const nn_context *nn, int i);
NN_API bool nn_is_open(const nn_context *nn, nn_device device);
NN_API nn_device nn_best_device(const nn_context *nn); /* the first GPU, else the CPU */
NN_API nn_result nn_finish(nn_context *nn);            /* waits for all devices */
/* Parses "cpu", "opencl:1", or a kind and a part of an open device's name, "opencl:H200". A device
   given by number need not be open, so a program can parse its options first. Check with nn_is_open
   afterwards; everything that is made on a device that is not open fails and says so. */
NN_API nn_result nn_parse_device(nn_context *nn, const char *text, nn_device *device);
/* Writes a device such as "opencl:0" into text (at least 16 bytes) and returns text. */
NN_API const char *nn_format_device(nn_device device, char *text, size_t size);

/* Return the CPU's number of threads and the name of its instruction set ("avx512"), for
   reports. */
NN_API int nn_thread_count(const nn_context *nn);
NN_API const char *nn_instruction_set_name(const nn_context *nn);

/* Returns the time of the context's clock (nn_desc.clock, or the system's), in nanoseconds since
   any fixed point; 0 if there is no clock. Use it to measure a frame and the time left for
   nn_run_for. A device with a queue may still be working; nn_finish waits for it. */
NN_API uint64_t nn_now(const nn_context *nn);

/* Bytes that the context holds now, the most it has held, and the number of allocator calls.

   To find the size of nn_desc.block, give a large block, make the calls that the program will make
   (training steps, runs and saves included), and read block_needed_bytes. The same calls will
   succeed in a block of that size. NN_NO_REPORTS leaves this count out unless NN_MEASURE_BLOCK is
   also defined (64 bytes of code on a Cortex-M4). Measured on a PC with the firmware's macros and
   NN_MEASURE_BLOCK, the result is an upper bound, because pointers have 8 bytes there. The error of
   a call that runs out of memory says how many bytes it needs and how many are missing. */
typedef struct nn_memory_use {
    uint64_t live_bytes, peak_bytes, calls;
    uint64_t block_bytes;        /* usable bytes of nn_desc.block */
    uint64_t block_needed_bytes; /* size of a block that would have held everything so far */
} nn_memory_use;
NN_API nn_memory_use nn_context_memory(const nn_context *nn);
