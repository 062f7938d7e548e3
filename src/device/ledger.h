/* device/ledger.h - the ledger lists every transfer of bytes between devices, by tensor and by the
   line that asked for it. Under NN_NO_REPORTS it has only sums and limits, no rows. */
#pragma once

#include "base/result.h"
#include "base/writer.h"
#include "device/types.h"

typedef enum nn_crossing { NN_CROSS_UPLOAD, NN_CROSS_DOWNLOAD, NN_CROSS_DEVICE } nn_crossing;
typedef enum nn_crossing_way { NN_WAY_COPIED, NN_WAY_MAPPED, NN_WAY_STAGED } nn_crossing_way;

/* One row: all crossings of one tensor, in one direction, from one line of the program. Copies
   between host arrays and CPU tensors are rows, too; physical_bytes is 0 if nothing was copied. */
typedef struct nn_ledger_entry {
    char tensor[NN_NAME_BYTES]; /* or the purpose: "init", "status" */
    nn_crossing crossing;
    nn_crossing_way way;
    nn_device from, to;
    uint64_t logical_bytes;  /* sum of the tensor's bytes */
    uint64_t physical_bytes; /* sum of the bytes that were actually moved */
    uint64_t count;
    nn_site site;
} nn_ledger_entry;

NN_API int nn_ledger_count(const nn_context *nn);
NN_API nn_ledger_entry nn_ledger_at(const nn_context *nn, int i);
NN_API uint64_t nn_ledger_bytes(const nn_context *nn,
                                nn_crossing crossing); /* logical bytes since the last reset */
NN_API void nn_reset_ledger(nn_context *nn);
NN_API void nn_write_ledger(const nn_context *nn,
                            nn_writer writer); /* writes a table; nothing under NN_NO_REPORTS */

/* Sets limits, counted from this call on. A crossing that would exceed one is refused before it
   starts, with NN_ERROR_LIMIT and the line of the call. 0 means no limit for that field;
   NN_LEDGER_NOTHING allows nothing at all. */
#define NN_LEDGER_NOTHING UINT64_MAX
typedef struct nn_ledger_limits {
    uint64_t upload_bytes;   /* default: no limit */
    uint64_t download_bytes; /* default: no limit */
    uint64_t device_bytes;   /* default: no limit; from device to device */
    uint64_t crossings;      /* default: no limit; number of crossings of any kind */
} nn_ledger_limits;
NN_API void nn_ledger_limit(nn_context *nn, const nn_ledger_limits *limits); /* NULL: no limits */
