/* plan/plan.h - a plan: everything about a step decided, checked and counted before one kernel
   runs.

   Making a plan reports all mistakes of the description at once, chooses the order, fuses, lays out
   memory and allocates it: one block a device. After that a run allocates nothing and copies
   nothing that the plan does not show. Plans of one model share its parameters; each has its own
   activations. */
#pragma once

#include "graph/model.h"

typedef struct nn_plan nn_plan;

typedef struct nn_plan_desc {
    nn_node *outputs[8]; /* what to compute; at least one. NULL ends the list */
    int batch;           /* default: 1. The largest batch; any smaller one runs as well */
    int time;            /* default: 1. The largest time (NN_TIME); any smaller one runs as well */
    bool poison; /* default: false. For tests: memory is overwritten with NaN as soon as the plan
                    calls it free. Ignored under NN_NO_REPORTS */
    nn_on_unsupported on_unsupported; /* default: NN_UNSUPPORTED_IS_ERROR. See device/context.h */
    /* default: false. true: convolutions are direct sums, which are more accurate and keep a NaN or
       an infinity where it is, instead of Winograd's way, which is up to three times faster: "Two
       ways of a convolution" in the manual. Ignored by devices that know direct sums only, and
       under NN_NO_SIMD */
    bool direct_convolutions;
    /* default: false. Steps that stand behind each other become one, which nn_write_plan shows.
       Those of small layers: on the CPU with the same bytes (in slices, under a profile and with
       .poison each is alone anyway), on devices that have a price for every kernel that they are
       given (OpenCL) with sums of another order. In plans that only infer on the CPU and keep
       weights prepared (see plain_weights): a depthwise convolution and those of 1 x 1 around it,
       with sums of another order, under NN_NO_SIMD too. true: each step stays alone. Ignored under
       NN_NO_REPORTS, where all do; under NN_NO_SIMD the CPU's small layers always do */
    bool separate_steps;
    /* default: false, which keeps weights prepared in a plan that only infers on the CPU: packed as
       kernels like them, and with batch norms folded in, which saves time in every run but the
       first; it costs the memory that NN_MEMORY_PREPARED tells. They are prepared anew in the first
       run after a call that may have changed a parameter, buffer or constant of any model; and in
       every run while nn_tensor_data or nn_tensor_view has given you the address of one that this
       plan reads, or it stands in memory of yours (nn_borrow, nn_use_weights in place): write with
       nn_upload_tensor, nn_copy or nn_map_tensor, read with nn_tensor_const_data. true: prepared in
       every run. Contexts with nn_desc.block and plans that change something keep nothing, either;
       ignored under NN_NO_REPORTS */
    bool plain_weights;
    bool dry_run; /* default: false. Only checks and counts: neither the plan nor the model's
                     parameters get memory on a device. nn_plan_bytes, nn_plan_allocated,
                     nn_plan_lower_bound, nn_write_plan and nn_write_dot answer as they would with
                     it; what runs, fills or reads the plan is an error. Ignored under
                     NN_NO_REPORTS */
} nn_plan_desc;

/* NULL on failure: the report of all faults is in nn_error and the log, and nothing was
   allocated. */
NN_API nn_plan *nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc *desc);
#define nn_make_plan(...) nn_make_plan_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_plan(nn_plan *plan);
/* Makes a stale plan (its model was moved) valid again, in place: same handle, inputs to be given
   anew, what it keeps from run to run (nn_cache) taken along to the new device, where the ledger
   shows it. On failure it stays stale. */
NN_API nn_result nn_replan_at(nn_site site, nn_plan *plan);
#define nn_replan(...) nn_replan_at(NN_HERE, __VA_ARGS__)

/* Called before each step that is prepared, with its tensor's name, and once at the end with done
   == count and ""; false stops: nn_prewarm returns NN_CANCELLED, and what was built stays. */
typedef struct nn_prewarm_progress {
    bool (*function)(void *user, int done, int count, const char *name); /* default: none */
    void *user;
} nn_prewarm_progress;
/* Does now what the first run would do besides computing: builds (or loads from the disk cache)
   every kernel that the plan needs, at any batch and time up to its largest, CLBlast's included,
   and reserves rows of the ledger. Runs then allocate nothing, build nothing and create no buffer;
   but a driver may finish a kernel only when it first runs (PoCL does). Computes nothing, moves
   nothing, may be called at any time between runs, and costs little when all is built. Above 256
   (8, where a step depends on the batch and on the time) values not more than 1/256 (1/8) apart
   stand for those between them. The plan of a trainer (nn_trainer_plan) takes those of nn_evaluate
   and nn_update along; after nn_replan or nn_move_trainer to another device call it again.
   progress: NULL for none. On failure nothing is changed but what was built. */
NN_API nn_result nn_prewarm_at(nn_site site, nn_plan *plan, const nn_prewarm_progress *progress);
#define nn_prewarm(...) nn_prewarm_at(NN_HERE, __VA_ARGS__)

/* Fills an input with `bytes` bytes of host memory. The batch and the time of the next run follow
   from the bytes of its inputs, and all inputs must agree. Of an input that depends on both the
   time must be known: from another input, from nn_set_time, or because .batch is 1; else it is the
   plan's largest, and the batch follows. A refused upload leaves what was given before. */
NN_API nn_result nn_upload_at(nn_site site, nn_plan *plan, nn_node *input, const void *data,
                              size_t bytes);
#define nn_upload(...) nn_upload_at(NN_HERE, __VA_ARGS__)
/* Makes an input read a tensor where it stands: no copy. The extents that stand for NN_BATCH and
   NN_TIME say both. The tensor must outlive the runs, or be replaced; NULL: back to the plan's own
   memory. What does not fit is reported by the next run, before it starts. */
NN_API nn_result nn_bind_at(nn_site site, nn_plan *plan, nn_node *input, nn_tensor *tensor);
#define nn_bind(...) nn_bind_at(NN_HERE, __VA_ARGS__)

/* Zeros in every nn_cache of the plan, and in what is bound to one and was read by a run. A new
   text that begins at position 0 does not need it. */
NN_API nn_result nn_clear_caches_at(nn_site site, nn_plan *plan);
#define nn_clear_caches(...) nn_clear_caches_at(NN_HERE, __VA_ARGS__)
/* What the nn_cache of a plan are for. */
typedef struct nn_cache_use {
    int32_t count;      /* how many there are */
    int32_t length;     /* positions that a sequence may have: the least .length of them */
    nn_node *positions; /* the input that tells all of them where to write; NULL: there is none */
} nn_cache_use;
NN_API nn_cache_use nn_plan_caches(const nn_plan *plan);

/* The time of all runs from now on, at most the plan's .time; what inputs say must be the same. 0:
   it follows from the inputs again. */
NN_API nn_result nn_set_time_at(nn_site site, nn_plan *plan, int32_t time);
#define nn_set_time(...) nn_set_time_at(NN_HERE, __VA_ARGS__)

/* One run, whole. A plan that computes losses has a status of its own for each run: a label out of
   range or a loss that is NaN is the error of this call where the device's memory is the host's,
   and else of nn_download. */
NN_API nn_result nn_run_at(nn_site site, nn_plan *plan);
#define nn_run(...) nn_run_at(NN_HERE, __VA_ARGS__)
/* A run in slices: works for about so many microseconds, returns NN_PENDING until the run is done,
   then NN_OK. It stops after the work unit (one on each thread) during which time ran out; a device
   with a queue is given as many units at a time, and waited for. Same bytes as nn_run. Inputs must
   not change in between. Without a clock (nn_desc.clock) each call works for one such unit. While
   the run is pending nothing may change the model's parameters; and from a training step's first
   update to its end nothing may read them either, other plans of the model included: such calls are
   errors that name this plan, and change nothing. */
NN_API nn_result nn_run_for_at(nn_site site, nn_plan *plan, int64_t microseconds);
#define nn_run_for(...) nn_run_for_at(NN_HERE, __VA_ARGS__)

/* Reads an output, an input or a kept node of the last run; any other value has lost its memory to
   another. `bytes` must be its bytes at that run's batch and time. A plan that computes losses also
   reads its status word (4 bytes in the ledger), and reports what it says. */
NN_API nn_result nn_download_at(nn_site site, nn_plan *plan, const nn_node *node, void *to,
                                size_t bytes);
#define nn_download(...) nn_download_at(NN_HERE, __VA_ARGS__)
/* Where an output, input or kept node is, for kernels and for no copy at all; zeroed if the plan
   does not hold it, is stale, or was bound to a tensor that does not fit. Valid until the plan is
   freed or remade. */
NN_API nn_view nn_plan_view(nn_plan *plan, const nn_node *node);
NN_API int32_t nn_plan_batch(const nn_plan *plan); /* of the last run; before it the largest */
NN_API int32_t nn_plan_time(const nn_plan *plan);  /* the same */

/* ---- memory, exactly, per device ------------------------------------------------------------- */

typedef enum nn_memory_category {
    NN_MEMORY_PARAMETERS, /* of the model, shared by its plans */
    NN_MEMORY_CONSTANTS,  /* of the model, buffers included */
    NN_MEMORY_STATE,      /* of the trainer: moments, accumulators; of the plan: caches */
    NN_MEMORY_INPUTS, /* the plan's own input buffers, and what a step leaves behind (loss,
    metrics) */
    NN_MEMORY_ACTIVATIONS, /* everything between, gradients included, after reuse */
    NN_MEMORY_SCRATCH,     /* of kernels, and the status word */
    NN_MEMORY_PREPARED, /* the plan's own copies of weights: nn_plan_desc.plain_weights */
    NN_MEMORY_CATEGORY_COUNT
} nn_memory_category;
NN_API uint64_t nn_plan_bytes(const nn_plan *plan, nn_device device, nn_memory_category category);
/* Bytes that the plan itself allocated on the device, or would without .dry_run: inputs +
   activations + prepared weights + scratch, and its caches. */
NN_API uint64_t nn_plan_allocated(const nn_plan *plan, nn_device device);
/* No reuse of memory can need less than this for activations: the most bytes alive at one step. 0
   under NN_NO_REPORTS. */
NN_API uint64_t nn_plan_lower_bound(const nn_plan *plan, nn_device device);
/* Units by which slices of nn_run_for overran, for benchmarks: slices run, and those that overran
   by more than a unit's time. */
typedef struct nn_slice_use {
    uint64_t slices, late;
} nn_slice_use;
NN_API nn_slice_use nn_plan_slices(const nn_plan *plan);

/* ---- reports (nothing under NN_NO_REPORTS) --------------------------------------------------- */

/* A table: every step with its device, tensor, shape, flops; every tensor with its device and
   bytes; every transfer; totals. */
NN_API void nn_write_plan(const nn_plan *plan, nn_writer writer);
/* Graphviz: `dot -Tsvg`. */
NN_API void nn_write_dot(const nn_plan *plan, nn_writer writer);
/* For what makes a plan of its own and shows it, as nn_text.h's generator: nn_free_plan is an error
   from then on, which names the call that frees it instead. by: its name, a text that outlives the
   plan; NULL: nn_free_plan frees it again. */
NN_API void nn_guard_plan(nn_plan *plan, const char *by);
/* For backends and tools: tells `each` (NULL: only counts) every kernel that a run gives to a
   device, in order: an nn_kernel and its arguments (kernels/list.h), which last for the call: at
   the batch of the last run, before it at the largest. A dry run's have no memory. Returns how
   many. */
NN_API int32_t nn_plan_calls(nn_plan *plan,
                             void (*each)(void *user, nn_device device, int kernel,
                                          const void *args),
                             void *user);

#ifdef __cplusplus
extern "C++" {
inline nn_plan *nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc &desc) {
    return nn_make_plan_at(site, net, &desc);
}
inline nn_result nn_prewarm_at(nn_site site, nn_plan *plan, const nn_prewarm_progress &progress) {
    return nn_prewarm_at(site, plan, &progress);
}
}
#endif
