/* plan/plan.h - a plan decides, checks and counts everything about a step before the first kernel
   runs.

   Making a plan reports all mistakes of the description at once, orders and fuses the operations,
   lays out memory and allocates it, one block per device. After that a run allocates nothing and
   copies nothing that the plan does not show. Plans of one model share its parameters; each has its
   own activations. */
#pragma once

#include "graph/model.h"

typedef struct nn_plan nn_plan;

typedef struct nn_plan_desc {
    nn_nodes outputs; /* the values to compute, at least one: NN_NODES(y, z) */
    int batch;        /* default: 1. The largest batch; runs may have less */
    int time;         /* default: 1. The largest NN_TIME; runs may have less */
    bool poison; /* default: false. For tests: overwrites memory with NaN as soon as the plan frees
                    it. Ignored under NN_NO_REPORTS */
    nn_on_unsupported on_unsupported; /* default: NN_UNSUPPORTED_IS_ERROR. See device/context.h */
    /* default: false. true: convolutions are direct sums, which are more accurate and keep a NaN or
       an infinity local. Winograd's algorithm, the default, is up to three times faster ("Two ways
       of a convolution" in the manual). Ignored by devices that have only direct sums, and under
       NN_NO_SIMD */
    bool direct_convolutions;
    /* default: the context's, which is NN_PRECISION_HIGHEST unless nn_desc says otherwise. See
       device/types.h. Ignored by firmware builds */
    nn_precision precision;
    /* default: false: a device that cannot round computes in f32. true: it is an error if a device
       of the plan has products that may be rounded, and rounds none of them */
    bool require_precision;
    /* default: false: consecutive steps are joined into one, which nn_write_plan shows. Steps of
       small layers are joined on the CPU without changing the bytes (in slices, under a profile and
       with .poison each runs alone), and on devices where each launch has a cost (OpenCL) with sums
       in another order. Plans that only infer on the CPU and cache packed weights (see
       plain_weights) also join a depthwise convolution with the 1 x 1 convolutions around it, and a
       recurrent layer with the product of its inputs, with sums in another order, even under
       NN_NO_SIMD. true: each step runs alone. Ignored under NN_NO_SPEEDUPS, where no steps are
       joined; under NN_NO_SIMD the CPU's small layers are never joined */
    bool separate_steps;
    /* default: false: a plan that only infers caches weights with batch norms folded in, and on the
       CPU also packs weights for its kernels. This saves time in every run but the first and costs
       the memory of NN_MEMORY_PREPARED. Weights are packed again in the first run after a call that
       may have changed a parameter, buffer or constant of any model. A weight is packed in every
       run if nn_tensor_data or nn_tensor_view has given you its address, or if it is in memory of
       yours (nn_borrow, nn_use_weights in place). So write weights with nn_upload_tensor, nn_copy
       or nn_map_tensor, and read them with nn_tensor_const_data. true: packs in every run. Contexts
       with nn_desc.block and plans that change something do not cache, either; ignored under
       NN_NO_SPEEDUPS */
    bool plain_weights;
    /* default: false. true: only checks and counts; neither the plan nor the model's parameters get
       device memory. nn_plan_bytes, nn_plan_allocated, nn_plan_lower_bound, nn_write_plan and
       nn_write_dot answer as for a real plan; calls that run, fill or read the plan are errors.
       Ignored under NN_NO_REPORTS */
    bool dry_run;
} nn_plan_desc;

/* Makes a plan. Returns NULL on failure: the report of all faults is in nn_error and the log, and
   nothing is allocated. */
NN_API nn_plan *nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc *desc);
#define nn_make_plan(...) nn_make_plan_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_plan(nn_plan *plan);
/* Makes a stale plan (one whose model was moved) valid again under the same handle. Its inputs must
   be given again. What it keeps from run to run (nn_cache, states) moves to the new device, in the
   ledger. After a failure the plan is still stale. */
NN_API nn_result nn_replan_at(nn_site site, nn_plan *plan);
#define nn_replan(...) nn_replan_at(NN_HERE, __VA_ARGS__)

/* Called before each step is prepared, with its tensor's name, and once at the end with done ==
   count and "". Returning false stops: nn_prewarm returns NN_CANCELLED and keeps what was built. */
typedef struct nn_prewarm_progress {
    bool (*function)(void *user, int done, int count, const char *name); /* default: none */
    void *user;
} nn_prewarm_progress;
/* Does in advance the work of the first run other than computing. It builds (or loads from the disk
   cache) every kernel that the plan needs, at any batch and time up to its largest, including
   CLBlast's, and reserves rows of the ledger. Runs then allocate and build nothing, unless a driver
   finishes a kernel only when it first runs (PoCL does). It computes and moves nothing, may be
   called at any time between runs, and costs little if all is built. Above 256 values of the batch
   or time (8, if a step depends on both) it prepares a sample of them, at most 1/256 (1/8) apart.
   For a trainer's plan (nn_trainer_plan) it includes nn_evaluate and nn_update. Call it again after
   nn_replan or nn_move_trainer to another device. progress may be NULL. A failure changes nothing;
   kernels already built stay. */
NN_API nn_result nn_prewarm_at(nn_site site, nn_plan *plan, const nn_prewarm_progress *progress);
#define nn_prewarm(...) nn_prewarm_at(NN_HERE, __VA_ARGS__)

/* Copies `bytes` bytes of host memory to an input. The batch and the time of the next run follow
   from the sizes of its inputs, which must agree. If an input depends on both, the time must be
   known: from another input, from nn_set_time, or because .batch is 1. Otherwise the plan's largest
   time is used, and the batch follows. A refused upload keeps the previous data. */
NN_API nn_result nn_upload_at(nn_site site, nn_plan *plan, nn_node *input, const void *data,
                              size_t bytes);
#define nn_upload(...) nn_upload_at(NN_HERE, __VA_ARGS__)
/* Binds an input to a tensor, which runs then read without a copy. The tensor's extents determine
   batch and time. It must outlive the runs or be replaced; NULL returns to the plan's own memory. A
   mismatch is reported by the next run before it starts. */
NN_API nn_result nn_bind_at(nn_site site, nn_plan *plan, nn_node *input, nn_tensor *tensor);
#define nn_bind(...) nn_bind_at(NN_HERE, __VA_ARGS__)

/* Fills every nn_cache of the plan with zeros, and every tensor that is bound to one and was used
   by a run. A new text that begins at position 0 does not need it. */
NN_API nn_result nn_clear_caches_at(nn_site site, nn_plan *plan);
#define nn_clear_caches(...) nn_clear_caches_at(NN_HERE, __VA_ARGS__)
/* A summary of a plan's caches. */
typedef struct nn_cache_use {
    int32_t count;      /* number of caches */
    int32_t length;     /* positions that a sequence may have: the smallest .length */
    nn_node *positions; /* the input with the positions of all caches; NULL: there is none */
} nn_cache_use;
NN_API nn_cache_use nn_plan_caches(const nn_plan *plan);

/* The states of a plan (nn_state, layers with .stateful or .streaming), of one sample or of
   NN_ALL_SAMPLES. A state without NN_BATCH belongs to the only sample of a plan with .batch = 1,
   and otherwise only to all.

   nn_clear_states fills them with zeros, as at the beginning: call it when a voice begins anew.
   nn_save_states copies them to host memory and nn_restore_states from there, in nn_states_bytes
   bytes, which fit every plan of the same net (and, for one sample, every .batch). A state that is
   bound to a tensor (nn_bind) is cleared, but not saved: the tensor is yours. All are errors while
   a run in slices is under way, and change nothing then. A firmware has no states, and none of
   these calls. */
#define NN_ALL_SAMPLES (-1)
NN_API nn_result nn_clear_states_at(nn_site site, nn_plan *plan, int32_t sample);
#define nn_clear_states(...) nn_clear_states_at(NN_HERE, __VA_ARGS__)
NN_API size_t nn_states_bytes(const nn_plan *plan, int32_t sample);
NN_API nn_result nn_save_states_at(nn_site site, nn_plan *plan, int32_t sample, void *to,
                                   size_t bytes);
#define nn_save_states(...) nn_save_states_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_restore_states_at(nn_site site, nn_plan *plan, int32_t sample,
                                      const void *from, size_t bytes);
#define nn_restore_states(...) nn_restore_states_at(NN_HERE, __VA_ARGS__)

/* Sets the time of all further runs, at most the plan's .time; it must agree with the inputs. 0:
   the inputs determine it again. */
NN_API nn_result nn_set_time_at(nn_site site, nn_plan *plan, int32_t time);
#define nn_set_time(...) nn_set_time_at(NN_HERE, __VA_ARGS__)

/* Runs the plan once. A plan that computes losses has a new status for each run. If a label is out
   of range or a loss is NaN, this call returns the error on devices that share the host's memory;
   on others nn_download returns it. */
NN_API nn_result nn_run_at(nn_site site, nn_plan *plan);
#define nn_run(...) nn_run_at(NN_HERE, __VA_ARGS__)
/* Runs the plan in slices: works for at most about `microseconds` and returns NN_PENDING until the
   run is done, then NN_OK. Work is done in pieces: one unit of an operation for each thread; a
   device with a queue gets the same number of units at a time, and the call waits for them. A slice
   ends before a piece that does not fit into the rest of its time. The times of that operation's
   pieces in earlier slices decide this; its first piece starts in the first half of a slice. Each
   call does at least one piece, however short its time is. The bytes are those of nn_run. Inputs
   must not change in between. Without a clock (nn_desc.clock) each call does one piece. While the
   run is pending, calls that would change the model's parameters are errors. From a training step's
   first update to its end, so are calls that would read them, including those of other plans of the
   model. These errors name this plan and change nothing. */
NN_API nn_result nn_run_for_at(nn_site site, nn_plan *plan, int64_t microseconds);
#define nn_run_for(...) nn_run_for_at(NN_HERE, __VA_ARGS__)

/* Runs the plan once on the caller's memory: a direct way for small nets that run thousands of
   times a second, in an audio callback or a game's tick. inputs[i] is the memory of input i, in the
   order in which the model describes those inputs that the plan reads, without states. outputs[i]
   is the memory for output i of nn_plan_desc.outputs. All have the shape at the plan's .batch, and
   at the time of nn_set_time, or else its .time.

   The first call, and each call after something changed (another run, nn_set_time, weights, a
   move), checks and prepares everything; it may allocate and fail. Every other call runs the steps
   and nothing else: no copy, no row of the ledger, no check but for NULL. It has no allocation, no
   lock and no system call if the context has one thread (nn_desc.threads = 1). It does not notice
   that two threads are inside one context, which stays a mistake. See docs/realtime.md. Bytes are
   those of nn_run.

   It is for plans of nn_make_plan on devices that compute in the host's memory, without
   nn_transfer, nn_borrow, and operations that may fault (a label out of range). Outputs must be
   computed by the plan and must not share storage. The memory of one output must not overlap others
   or the inputs. Neither nn_download nor a profile sees such a run. A firmware (NN_NO_TRAINING,
   NN_NO_REPORTS and NN_NO_THREADS together) does not have this call. */
NN_API nn_result nn_run_on_at(nn_site site, nn_plan *plan, const void *const *inputs,
                              void *const *outputs);
#define nn_run_on(...) nn_run_on_at(NN_HERE, __VA_ARGS__)

/* Copies an output, an input or a kept node (nn_keep) of the last run to host memory; the memory of
   other values is reused. `bytes` must be its size at that run's batch and time. If the plan
   computes losses, the call also reads its status word (4 bytes in the ledger) and returns its
   fault. */
NN_API nn_result nn_download_at(nn_site site, nn_plan *plan, const nn_node *node, void *to,
                                size_t bytes);
#define nn_download(...) nn_download_at(NN_HERE, __VA_ARGS__)
/* Returns the storage of an output, input or kept node, for kernels or to avoid a copy. The view is
   zeroed if the plan does not hold the value, is stale, or is bound to a tensor of another shape.
   It is valid until the plan is freed or made again. */
NN_API nn_view nn_plan_view(nn_plan *plan, const nn_node *node);
/* Returns the batch of the last run; before the first run the plan's largest. */
NN_API int32_t nn_plan_batch(const nn_plan *plan);
NN_API int32_t nn_plan_time(const nn_plan *plan); /* the same for the time */

/* ---- memory, exactly, per device ------------------------------------------------------------- */

typedef enum nn_memory_category {
    NN_MEMORY_PARAMETERS, /* the model's, shared by its plans */
    NN_MEMORY_CONSTANTS,  /* the model's, including buffers */
    NN_MEMORY_STATE,      /* the trainer's moments and accumulators; the plan's caches and states */
    NN_MEMORY_INPUTS, /* the plan's input buffers, and results of a step (loss, metrics) */
    NN_MEMORY_ACTIVATIONS, /* all values in between, including gradients, with reuse */
    NN_MEMORY_SCRATCH,     /* scratch of kernels, and the status word */
    NN_MEMORY_PREPARED, /* packed weights: nn_plan_desc.plain_weights */
    NN_MEMORY_CATEGORY_COUNT
} nn_memory_category;
NN_API uint64_t nn_plan_bytes(const nn_plan *plan, nn_device device, nn_memory_category category);
/* Returns the bytes that the plan itself allocated on the device, or would allocate without
   .dry_run: inputs + activations + packed weights + scratch + caches. */
NN_API uint64_t nn_plan_allocated(const nn_plan *plan, nn_device device);
/* Returns a lower bound for the bytes of activations, whatever is reused: the most bytes alive at
   one step. 0 under NN_NO_REPORTS. */
NN_API uint64_t nn_plan_lower_bound(const nn_plan *plan, nn_device device);
/* For benchmarks: the number of slices of nn_run_for, and of those that took longer than their
   time. */
typedef struct nn_slice_use {
    uint64_t slices, late;
} nn_slice_use;
NN_API nn_slice_use nn_plan_slices(const nn_plan *plan);

/* ---- reports (nothing under NN_NO_REPORTS) --------------------------------------------------- */

/* Writes a table: every step with its device, tensor, shape and flops; every tensor with its device
   and bytes; every transfer; totals. */
NN_API void nn_write_plan(const nn_plan *plan, nn_writer writer);
/* Writes a graph for Graphviz: `dot -Tsvg`. */
NN_API void nn_write_dot(const nn_plan *plan, nn_writer writer);
/* For code that owns a plan and shows it to the user, such as nn_text.h's generator. From then on
   nn_free_plan is an error that names the call which frees the plan instead. by: the name of that
   call, a text that outlives the plan; NULL allows nn_free_plan again. */
NN_API void nn_guard_plan(nn_plan *plan, const char *by);
