/* plan/profile.h - measures the time of each step of a plan's runs, as a table and as a trace for a
   viewer.

   Start it, run, read it, stop it. The CPU's steps are timed by the context's clock around each
   kernel. A device with a queue records the times itself; they are read later, so a profile never
   waits for a step. An OpenCL device records times only if it was opened with
   nn_opencl_desc.profile (an adopted queue: with CL_QUEUE_PROFILING_ENABLE); otherwise its rows
   show calls and "-" for times. Any other device without the backend's slots mark and span is
   assumed to work synchronously and is timed by the context's clock.

   A trainer's plan is nn_trainer_plan(trainer). Under NN_NO_REPORTS these functions do nothing. */
#pragma once

#include "plan/plan.h"

/* Starts a profile of the plan's runs, or starts it again from zero. Allocates its memory now
   (about 400 KB for any number of runs) and frees it in nn_stop_profile, in nn_free_plan, and when
   the plan is made again (nn_replan, nn_move_trainer). NN_ERROR_MEMORY: nothing was changed.
   NN_ERROR_ARGUMENT: plan is NULL, or a sliced run is pending. NN_ERROR_UNSUPPORTED: under
   NN_NO_REPORTS. */
NN_API nn_result nn_start_profile_at(nn_site site, nn_plan *plan);
#define nn_start_profile(...) nn_start_profile_at(NN_HERE, __VA_ARGS__)
/* Stops the profile and discards it. Does nothing if plan is NULL or there is no profile. */
NN_API void nn_stop_profile(nn_plan *plan);

/* Writes a row for each step, the slowest first: calls, total and mean time, share, GFLOP/s, and
   GB/s of its operands and results, each counted once. Steps that run as one are in the row of the
   first of them. Then it writes for each device the time in steps and between them. */
NN_API void nn_write_profile(nn_plan *plan, nn_writer writer);
/* Writes Chrome's trace format; open the file in https://ui.perfetto.dev or chrome://tracing. There
   is a track for each queue of each device, for transfers, and for the host's calls of nn_run. It
   has the last 4096 pieces of work and the last 512 crossings; "left_out" counts the older ones. */
NN_API void nn_write_trace(nn_plan *plan, nn_writer writer);

/* An entry of the table for programs: one per step, in running order. */
typedef struct nn_profile_entry {
    char operation[64]; /* "conv2d+relu" */
    char name[NN_NAME_BYTES];
    nn_device device;
    uint64_t calls;
    uint64_t nanoseconds; /* sum over all calls; 0 if not timed */
    bool timed;           /* false: its device records no times, or it never ran */
    double flops, bytes;  /* sum over all calls; bytes: of operands and results, each once */
} nn_profile_entry;
/* Waits for pending work, reads its times, and returns the number of steps; 0 without a profile. */
NN_API int nn_profile_count(nn_plan *plan);
/* Returns entry i as of the last nn_profile_count; zeroed if i is out of range. */
NN_API nn_profile_entry nn_profile_at(const nn_plan *plan, int i);
