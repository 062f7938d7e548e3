/* plan/private.h - the inside of a plan: values, steps, blocks. */
#pragma once

#include "ops/private.h"
#include "plan/calls.h"
#include "plan/plan.h"

#ifndef NN_NO_REPORTS
#define nn__plan_is_dry(plan) ((plan)->desc.dry_run)
#else
#define nn__plan_is_dry(plan) ((void)(plan), false)
#endif

#ifndef NN__LEAN
#define nn__value_given_at(value, at) ((void)((value)->site = (at)))
#else
#define nn__value_given_at(value, at) ((void)(value), (void)(at))
#endif

/* A chain: steps that the device runs as one. Its first step comes first in the plan. */
typedef struct nn__together_steps {
    void *made; /* the backend's object */
    nn_call *calls;
    bool parted; /* cannot run as one at this batch; each step runs alone */
    /* gives the same bytes as its steps, so they may run alone at any time: in slices, and when
       profiled */
    bool alike;
    bool moved;  /* the address of a view changed since the chain was prepared */
} nn__together_steps;

/* The devices of one plan. In the smallest programs (NN__ONE_PIECE) a plan has one device, and a
   node on any other is a fault of the placement. */
#ifdef NN__ONE_PIECE
#define NN__PLAN_DEVICES 1
#define nn__plan_devices(plan) ((void)(plan), 1)
#else
#define NN__PLAN_DEVICES NN_MAX_DEVICES
#define nn__plan_devices(plan) ((plan)->device_count)
#endif

/* One allocation on a device. */
typedef struct nn__piece {
    void *handle;
    nn__offset_bytes bytes;
    nn__offset_bytes arena; /* bytes for activations, at the start of the allocation */
} nn__piece;

/* False at the end of a list of blocks, or if there is no list. */
#ifdef NN__ONE_PIECE
#define nn__is_piece(block) ((block)->bytes != 0)
#else
#define nn__is_piece(block) ((block) && (block)->bytes)
#endif

/* Offsets address the blocks of a device as if each had `largest` bytes. The blocks contain
   activations, inputs, the status word and scratch. Nothing spans two blocks. */
typedef struct nn__plan_device {
    nn_device device;
#ifdef NN__ONE_PIECE
    nn__piece blocks[2];
#else
    nn__piece *blocks; /* in the plan's arena, ended by a block of 0 bytes. NULL: no layout yet */
    /* blocks with the activations: these, or those of the plan that lends its memory */
    nn__piece *arena;
    uint64_t largest;  /* address space of a block, in bytes */
#endif
    uint64_t lower_bound;
    nn__offset_bytes scratch_bytes, scratch_offset, status_offset;
    bool uses_status;
#ifndef NN__LEAN
    bool collects; /* between the two calls of nn__collect: prepare only notes kernels */
#endif
#ifndef NN_NO_TRAINING
    uint32_t said; /* the status word after a step, valid once `told` is done */
    nn_fence told;
    bool asked; /* the word is being copied into `said` */
    bool fresh; /* the word is requested or has arrived, and no run began since */
#endif
} nn__plan_device;

#ifndef NN__LEAN
typedef enum nn__run_moment {
    NN__RUN_STARTS,  /* nn_run or nn_run_for was called */
    NN__STEP_STARTS, /* plan->step, or a piece of it, begins */
    NN__STEP_ENDS,   /* the cursor has moved */
    NN__STEP_FAILS,
    NN__RUN_ENDS
} nn__run_moment;
/* Functions that tell a profile about runs. A program without profiles does not link them. */
typedef struct nn__profiler {
    void (*tell)(nn_plan *plan, nn__run_moment moment);
    /* for the trace: work outside the runs, between two times of nn__system_now */
    void (*beside)(nn_plan *plan, const char *what, uint64_t begun, uint64_t ended,
                   uint64_t bytes);
    void (*stop)(nn_plan *plan);
} nn__profiler;
#endif

/* A step of a trainer with desc.gradients has two plans: backward pass and update. */
typedef enum nn__plan_kind {
    NN__PLAN_RUN,
    NN__PLAN_STEP,
    NN__PLAN_BACKWARD,
    NN__PLAN_UPDATE
} nn__plan_kind;

struct nn_plan {
    nn__owned owned; /* in the model's list of dependents */
    nn_context *nn;
    nn_model *net;
    nn__graph *tape; /* a trainer's nodes, or NULL */
    nn_site site; /* where it was made; for a shell: where it was freed */
#ifndef NN_NO_REPORTS
    const char *gone; /* "model" or "trainer": the plan was freed with it, and this is a shell.
                         NULL: a live plan */
    const char *guard; /* the call that frees the plan; NULL: nn_free_plan */
#endif
    nn__arena arena; /* owns everything below except the blocks */
    nn_plan_desc desc;
    nn_node **targets; /* the nodes to compute */
    int target_count;
    nn__plan_kind kind;
    bool training; /* kind is not NN__PLAN_RUN */
    /* reads states and only infers: bytes do not depend on how a sequence is cut into runs */
    bool streams;
    nn__value *values;
    int value_count;
    nn__step *steps;
    int step_count;
    nn__plan_device devices[NN__PLAN_DEVICES];
    int device_count;
    nn_view *views; /* room for the inputs of any step */
#ifndef NN_NO_SPEEDUPS
    int view_room;
#endif
#ifndef NN__ONE_PIECE
    void *staging;  /* host memory for transfers between devices */
    size_t staging_bytes;
#endif
    nn__run_values run;
    int32_t time;        /* of nn_set_time; 0: follows from the inputs */
    uint32_t generation; /* the model's generation when the plan was made */
    bool lowered;        /* the arguments fit run.batch, run.time and the bound tensors */
#ifndef NN__LEAN
    bool collected;      /* devices built the kernels of the first run together */
#endif
#ifndef NN__ONE_PIECE
    bool borrows;        /* reads tensors of nn_borrow */
    int outside, dynamic; /* see nn__first_outside and nn__first_lowered */
#endif
    bool ran;
    bool running;   /* a run in slices is under way */
    int step, unit; /* its cursor */
    nn__slicing slicing; /* in the model's list between two slices */
    int update;          /* the first step that changes parameters; step_count: none does */
#ifndef NN_NO_TRAINING
    /* a trainer's plan: the known status word of an earlier step, or 0 */
    uint32_t fault;
#endif
#ifndef NN__LEAN
    bool keeps;            /* keeps values from run to run (weight_cache.c) */
    bool cached_whole;       /* all kept values are valid */
    uint64_t cached_changes; /* nn_context.weight_changes when they were computed */
#endif
    nn_slice_use slices;
    struct nn__direct *direct; /* prepared by nn_run_on (direct.c), or NULL */
    bool undirected;           /* a bound tensor changed since then */
    nn_plan *also; /* prepared together with this plan: the plan for evaluation, whose `also` is the
                      plan for updates; or NULL */
#ifndef NN__ONE_PIECE
    /* for a trainer that writes to memory shared with other ranks: the only process that may run
       the plan (nn__helpers_process); 0: any */
    int process;
#endif
#ifndef NN__LEAN
    const char *separate; /* why steps were not joined; NULL: they were, or .separate_steps is the
                             reason */
    const char *note; /* what a trainer's steps do besides this plan; NULL: nothing */
    nn__profiler *profiler; /* the first field of the profile; NULL: no profile */
    bool held; /* between nn__plan_hold and nn__plan_go */
    const char *apart; /* why step `apart_at` is in no chain with its neighbours */
    int apart_at;
    /* writes more lines for nn_write_plan; NULL: none */
    void (*tells)(const void *of, const nn_writer *writer);
    const void *teller;
#endif
};

/* Two linked lists of what every run checks. The first has the values whose address may change
   between runs: inputs and states, then other tensors. The second has the steps with NN__DYNAMIC.
   nn__list_asked builds both when the steps are final. The smallest programs check everything. */
#ifdef NN__ONE_PIECE
#define nn__first_given(plan)       ((void)(plan), 0)
#define nn__next_given(plan, i)     ((void)(plan), (i) + 1)
#define nn__first_outside(plan)   ((void)(plan), 0)
#define nn__next_outside(plan, i) ((void)(plan), (i) + 1)
#define nn__first_lowered(plan, all)   0
#define nn__next_lowered(plan, i, all) ((i) + 1)
#define nn__list_asked(plan)      ((void)(plan))
#else
#define nn__first_outside(plan)   ((plan)->outside)
#define nn__next_outside(plan, i) ((plan)->values[i].outside)
static inline NN__UNUSED int nn__input_or_none(const nn_plan *plan, int i) {
    return i < plan->value_count && plan->values[i].takes ? i : plan->value_count;
}
#define nn__first_given(plan)     nn__input_or_none(plan, (plan)->outside)
#define nn__next_given(plan, i)   nn__input_or_none(plan, (plan)->values[i].outside)
/* all: visits every step */
#define nn__first_lowered(plan, all)   ((all) ? 0 : (plan)->dynamic)
#define nn__next_lowered(plan, i, all) ((all) ? (i) + 1 : (plan)->steps[i].dynamic)
NN_PRIVATE void nn__list_asked(nn_plan *plan); /* lower */
#endif

/* Makes a plan for a trainer, with targets instead of outputs and with the tape's nodes. Fails as
   nn_make_plan does. lender (or NULL): a plan that outlives this one and never runs at the same
   time. Its activation memory is used if it is large enough. */
NN_PRIVATE nn_plan *nn__make_plan(nn_model *net, nn__graph *tape, nn_node *const *targets,
                                  int target_count, const nn_plan_desc *desc,
                                  nn__plan_kind kind, const nn_plan *lender, nn_site site);
/* Swaps the contents of `fresh` into `plan`, whose handle stays valid, and frees the old contents.
   The caller has waited for the devices, so this cannot fail. */
NN_PRIVATE void nn__replace_plan(nn_plan *plan, nn_plan *fresh);
/* Frees any plan, a trainer's too. NULL is allowed. */
NN_PRIVATE void nn__drop_plan(nn_plan *plan);
NN_PRIVATE void nn__plan_destroy(nn__owned *owned); /* also identifies plans in a model's list */
#ifndef NN_NO_REPORTS
/* Call it before nn__drop_plan if the program has the plan's handle: a shell stays, which reports
   that the plan was freed with its model or trainer at `site`. */
NN_PRIVATE void nn__plan_ends(nn_plan *plan, const char *with, nn_site site);
/* True if the plan is NULL or was freed with its model or trainer. The latter is an error in the
   name of `who`. */
NN_PRIVATE bool nn__say_plan_gone(const nn_plan *plan, nn_site site, const char *who);
static inline NN__UNUSED bool nn__plan_gone(const nn_plan *plan, nn_site site, const char *who) {
    return !plan || (plan->gone && nn__say_plan_gone(plan, site, who));
}
#else
#define nn__plan_ends(plan, with, site)  ((void)(site))
#define nn__plan_gone(plan, site, who)   ((void)(site), !(plan))
#endif
/* Reports that a plan is a dry run or stale. */
NN_PRIVATE nn_result nn__refuse_plan(nn_plan *plan, nn_site site, const char *who);
#ifndef NN_NO_TRAINING
/* Unbinds the tensor in all plans of its context. Their inputs must be given again. */
NN_PRIVATE void nn__unbind_tensor(const nn_tensor *tensor);
#endif
/* cache: adds faults for states, which a trainer's plan cannot keep. */
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__plan_refuse_caches(const nn_plan *plan, nn__faults *faults);
#else
#define nn__plan_refuse_caches(plan, faults) ((void)0)
#endif
/* state: adds a fault for each state that no operation continues. */
#ifndef NN__ONE_PIECE
NN_PRIVATE void nn__plan_refuse_states(const nn_plan *plan, nn__faults *faults);
#else
#define nn__plan_refuse_states(plan, faults) ((void)0)
#endif
/* cache: copies the states that `from` keeps to `to`, which is the same plan made anew. */
NN_PRIVATE nn_result nn__plan_carry_caches(nn_plan *to, nn_plan *from, nn_site site);
/* Reports every fault of a model, including those of placement, as nn_make_plan does. Returns
   NN_ERROR_FAULTS, or NN_OK if there is none. */
NN_PRIVATE nn_result nn__check_model(nn_model *net, nn_on_unsupported on_unsupported, nn_site site);
/* order: makes values and steps from the targets, or (all) from every node that is not poisoned.
   False: no memory. */
NN_PRIVATE bool nn__plan_collect(nn_plan *plan, bool all);
/* layout: computes lifetimes, offsets and all byte counts, without allocating on devices. False: no
   memory. */
NN_PRIVATE bool nn__layout(nn_plan *plan, const nn_plan *lender);
/* True if the value is stored with the inputs. */
static inline NN__UNUSED bool nn__in_front(const nn__value *value) {
    return value->front || value->place == NN__PLACE_INPUT;
}
/* Sets handle and offset of a view at `offset` in a device's blocks. arena: in the blocks with the
   activations. */
#ifdef NN__ONE_PIECE
static inline NN__UNUSED void nn__storage(const nn__plan_device *device, bool arena,
                                          uint64_t offset, nn_view *view) {
    (void)arena;
    view->handle = device->blocks->handle;
    view->offset = offset;
}
#else
NN_PRIVATE void nn__storage(const nn__plan_device *device, bool arena, uint64_t offset,
                            nn_view *view);
#endif
NN_PRIVATE void nn__status_view(const nn__plan_device *device, nn_view *view);
/* Computes the views of all values for the current batch and time. Handles are NULL until memory
   exists. */
NN_PRIVATE void nn__resolve_views(nn_plan *plan);
NN_PRIVATE void nn__resolve_view(nn_plan *plan, int i); /* of value i */
/* Changes run.batch and run.time to the next smaller ones to try for a step with these extents
   (nn__extent_kind). Values up to `every` are all tried; larger ones at distances of at most
   1/every. Returns false when there are no more, and restores the largest values. */
NN_PRIVATE bool nn__shrink_run(nn_plan *plan, unsigned kind, int32_t every);
/* Gives the views of a step's values the shapes of the current batch and time. Returns which of the
   two occur in them. */
NN_PRIVATE unsigned nn__resize_step(nn_plan *plan, const nn__step *step);
#ifndef NN__LEAN
/* Returns the precision of a step's products: the plan's, or a lower one of nn_autocast_begin. */
NN_PRIVATE nn_precision nn__step_precision(const nn_plan *plan, const nn_node *node);
/* precision: fails if desc.require_precision is set and a device rounds none of its products. */
NN_PRIVATE nn_result nn__plan_require(nn_plan *plan);
#ifndef NN_NO_REPORTS
/* precision: a part of nn_write_plan. */
NN_PRIVATE void nn__report_precision(const nn_plan *plan, const nn_writer *writer);
#endif
#else
#define nn__plan_require(plan) ((void)(plan), NN_OK)
#endif
/* Computes the arguments of one step from the views of its values. */
NN_PRIVATE void nn__lower_step(nn_plan *plan, nn__step *step);
#ifndef NN_NO_TRAINING
/* False if the step must be refused in training at this batch and time (NN__SPREAD). */
NN_PRIVATE bool nn__step_has_spread(const nn_plan *plan, const nn__step *step);
#else
#define nn__step_has_spread(plan, step) ((void)(plan), (void)(step), true)
#endif
/* Return the size of a kernel's struct, and the part of it that a step of this node uses. */
NN_PRIVATE size_t nn__args_bytes(nn_kernel kernel);
NN_PRIVATE size_t nn__node_args_bytes(const nn_node *node);
/* Prepares a step on its device: kernels, number of units. who: for errors, such as "nn_run". */
NN_PRIVATE nn_result nn__prepare_step(nn_plan *plan, nn__step *step, const char *who);
/* Begins or ends the collecting of the plan's devices (device/backend.h, BUILDING). In between,
   only steps for which nn__collects is true are prepared. Returns true if a device collects. */
#ifdef NN__LEAN
static inline NN__UNUSED bool nn__collect(nn_plan *plan, bool begins) {
    (void)plan, (void)begins;
    return false;
}
#define nn__collects(plan, step) ((void)(plan), (void)(step), false)
#define nn__has_collected(plan)  ((void)(plan))
#else
NN_PRIVATE bool nn__collect(nn_plan *plan, bool begins);
static inline NN__UNUSED bool nn__collects(const nn_plan *plan, const nn__step *step) {
    return plan->devices[step->device].collects;
}
/* Notes that the kernels were collected, so that the first run does not do it again. */
static inline NN__UNUSED void nn__has_collected(nn_plan *plan) { plan->collected = true; }
#endif
/* Computes the arguments of all steps for the current batch and bound tensors, or only those that
   change from run to run. */
NN_PRIVATE nn_result nn__lower_plan(nn_plan *plan);
/* True if the bound tensor fits its input: device, dtype, and shape at its own batch. A tensor that
   fits is not checked again. */
NN_PRIVATE bool nn__bound_fits(const nn_plan *plan, nn__value *value);
/* Determines the batch and time of a run from its inputs. Reports everything that is missing or
   does not fit. */
NN_PRIVATE nn_result nn__run_inputs(nn_plan *plan);
#ifndef NN__ONE_PIECE
/* plan/borrowed.c: checks that tensors of nn_borrow have the shape and device for which the plan
   was made. */
NN_PRIVATE nn_result nn__check_borrowed(const nn_plan *plan, nn_site site, const char *who);
#endif
/* nn__known_fault: the error for a fault of an earlier step, if it is known (a trainer then stops;
   see nn_clear_fault). nn__run_fault: the same for the run just given to the devices. */
NN_PRIVATE nn_result nn__known_fault(nn_plan *plan, nn_site site, const char *who);
NN_PRIVATE nn_result nn__run_fault(nn_plan *plan, nn_site site, const char *who);
#ifndef NN_NO_REPORTS
/* Writes "a batch of 3", or "a batch of 3 and a time of 5" for plans with more than one time. */
#define NN__EXTENTS_TEXT 64
NN_PRIVATE const char *nn__format_extents(const nn_plan *plan, int32_t batch, int32_t time,
                                          char *text, size_t size);
/* Returns the floating point operations of one run of the step, at the batch and time of the
   views. */
NN_PRIVATE double nn__step_flops(nn_plan *plan, const nn__step *step);
#else
#define NN__EXTENTS_TEXT 1
#define nn__format_extents(plan, batch, time, text, size) ((void)(size), (text))
#endif
NN_PRIVATE int nn__find_plan_device(const nn_plan *plan,
                                    nn_device device); /* -1: not in the plan */
/* Returns the index of a node's device; -1: not open, which the placement reports. */
static inline NN__UNUSED int nn__plan_device_of(const nn_plan *plan, const nn_node *node) {
#ifdef NN__ONE_PIECE
    (void)plan, (void)node;
    return 0;
#else
    return nn__find_plan_device(plan, node->device);
#endif
}
/* Returns the value that owns the storage. */
#define nn__root(plan, value) nn__value_root((plan)->values, value)
/* nn__step_via: why a step, or the transfer for one, goes over the CPU; NULL: it does not.
   nn__step_status: the value there that stands for the device's status word; 0: none. */
#ifndef NN__LEAN
#define nn__step_via(step)    ((step)->via)
#define nn__step_status(step) ((step)->status)
#else
#define nn__step_via(step)    ((void)(step), (const char *)NULL)
#define nn__step_status(step) ((void)(step), 0)
#endif
/* Fails for NULL and for plans that were freed, are dry runs or are stale. */
static inline NN__UNUSED nn_result nn__check_plan(nn_plan *plan, nn_site site, const char *who) {
    if (nn__plan_gone(plan, site, who)) return NN_ERROR_ARGUMENT;
    if (!nn__plan_is_dry(plan) && plan->generation == plan->net->generation) return NN_OK;
    return nn__refuse_plan(plan, site, who);
}
/* Reports faults in the status words. Words that were sent after the last run and have arrived are
   used; the others are downloaded. what: for errors, such as "nn_read_report". */
NN_PRIVATE nn_result nn__read_status(nn_plan *plan, nn_site site, const char *what);
#ifndef NN_NO_TRAINING
/* Call it before a trainer's plan is made anew on other devices: saves a fault that only the old
   devices know. */
NN_PRIVATE nn_result nn__weight_cache_fault(nn_plan *plan, nn_site site);
#endif
NN_PRIVATE nn_result nn__clear_status(nn_plan *plan);
/* Runs the plan as nn_run does, in the name of `who`. */
NN_PRIVATE nn_result nn__run_plan(nn_plan *plan, nn_site site, const char *who);
/* Runs the steps before `until`; the number of steps runs all. The caller continues within the same
   library call, or ends the run with nn__run_leave. */
NN_PRIVATE nn_result nn__run_plan_to(nn_plan *plan, int until, nn_site site, const char *who);
NN_PRIVATE void nn__run_past(nn_plan *plan); /* skips a step that the caller did itself */
NN_PRIVATE nn_result nn__run_plan_for(nn_plan *plan, int64_t microseconds, nn_site site,
                                      const char *who);
/* Reports everything that a run would refuse before its first step, without changing anything.
   whole: the run will change parameters before the call returns. */
NN_PRIVATE nn_result nn__run_ready(nn_plan *plan, bool whole, nn_site site, const char *who);
/* For `runs` runs in a row, with nothing between them on the device and no reader of their results:
   nn__plan_hold lets a plan that is a single launch collect several runs into one. *together: the
   number of runs it collects; 1: none, and nn__plan_go must not be called. nn__plan_go starts the
   collected runs. *ran: they were started. The result also reports a known fault, which does not
   change *ran. (plan/chain.c) */
#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)
NN_PRIVATE nn_result nn__plan_hold(nn_plan *plan, int32_t runs, int32_t *together, nn_site site,
                                   const char *who);
NN_PRIVATE nn_result nn__plan_go(nn_plan *plan, bool *ran, nn_site site, const char *who);
#else
#define nn__plan_hold(plan, runs, together, site, who) (*(together) = 1, (void)(runs), NN_OK)
#define nn__plan_go(plan, ran, site, who) ((void)(who), *(ran) = true, NN_OK)
#endif
/* direct: the next nn_run_on prepares everything again. */
#define nn__forget_direct(plan) ((void)((plan)->undirected = true))
/* Registers a run in slices with the model. */
#ifdef NN__ONE_PIECE
#define nn__run_enter(plan) ((void)(plan))
#else
NN_PRIVATE void nn__run_enter(nn_plan *plan);
#endif
/* Ends a run in slices. Does nothing if there was none. */
NN_PRIVATE void nn__run_leave(nn_plan *plan);
NN_PRIVATE int nn__find_value(const nn_plan *plan, const nn_node *node); /* -1: not in the plan */

#include "plan/passes.h"
