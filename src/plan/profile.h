/* plan/profile.h - where the time of a plan's runs goes, step by step: a table, and a trace for a
   viewer.

   Start it, run, read it, stop it. The CPU's steps are timed by the context's clock around each
   kernel. A device with a queue is asked for the times that it recorded itself, when the profile is
   read and while the runs go on: nothing waits for a step because of a profile. An OpenCL device
   records times only if it was opened with nn_opencl_desc.profile (an adopted queue: with
   CL_QUEUE_PROFILING_ENABLE); otherwise its rows show calls and "-" for times. Any other device
   without the backend's slots mark and span is taken to work at once, and timed by the context's
   clock.

   A trainer's plan is nn_trainer_plan(trainer). Under NN_NO_REPORTS these functions do nothing. */
#pragma once

#include "plan/plan.h"

/* From now on the plan's runs are profiled; called again, it begins anew. Takes its memory now
   (about 400 KB, whatever the number of runs) and gives it back at nn_stop_profile, nn_free_plan,
   and when the plan is made anew (nn_replan, nn_move_trainer). NN_ERROR_MEMORY: nothing was
   changed. NN_ERROR_ARGUMENT: plan is NULL, or a run in slices is under way. NN_ERROR_UNSUPPORTED
   under NN_NO_REPORTS. */
NN_API nn_result nn_start_profile_at(nn_site site, nn_plan *plan);
#define nn_start_profile(...) nn_start_profile_at(NN_HERE, __VA_ARGS__)
/* Ends it and forgets what was recorded. NULL, or no profile: nothing happens. */
NN_API void nn_stop_profile(nn_plan *plan);

/* A row for each step, the slowest first: calls, total and mean time, share, GFLOP/s, and GB/s of
   its operands and results, each counted once. What steps that run as one have is in the row of the
   first. Then, for each device, the time in steps and between them. */
NN_API void nn_write_profile(nn_plan *plan, nn_writer writer);
/* Chrome's trace format: open the file in https://ui.perfetto.dev or chrome://tracing. A track for
   each queue of each device, for transfers, and for the host's calls of nn_run. The last 4096
   pieces of work and the last 512 crossings; "left_out" tells how many were older. */
NN_API void nn_write_trace(nn_plan *plan, nn_writer writer);

/* The table for programs: one entry a step, in the order of running. */
typedef struct nn_profile_entry {
    char operation[64]; /* "conv2d+relu" */
    char name[NN_NAME_BYTES];
    nn_device device;
    uint64_t calls;
    uint64_t nanoseconds; /* of all calls; 0 if not timed */
    bool timed;           /* false: its device records no times, or it never ran */
    double flops, bytes;  /* of all calls; bytes: of operands and results, each once */
} nn_profile_entry;
/* Waits for what was given to the devices and takes over its times; the number of steps, 0 without
   profile. */
NN_API int nn_profile_count(nn_plan *plan);
/* As nn_profile_count left it. Zeroed when i is out of range. */
NN_API nn_profile_entry nn_profile_at(const nn_plan *plan, int i);
