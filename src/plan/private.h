/* plan/private.h - the inside of a plan: values, steps, blocks. */
#pragma once

#include "ops/private.h"
#include "plan/plan.h"

typedef enum nn__value_place {
    NN__PLACE_TENSOR, /* a leaf's tensor */
    NN__PLACE_INPUT,  /* the plan's input buffer, or a bound tensor */
    NN__PLACE_ARENA,  /* reused memory of the plan */
    NN__PLACE_ALIAS,  /* the storage of another value */
    NN__PLACE_STATUS  /* its device's status word */
} nn__value_place;

#define NN__KEPT INT32_MAX

#ifndef NN_NO_REPORTS
#define nn__plan_is_dry(plan) ((plan)->desc.dry_run)
#else
#define nn__plan_is_dry(plan) ((void)(plan), false)
#endif

#ifndef NN_NO_REPORTS
#define nn__value_given_at(value, at) ((void)((value)->site = (at)))
#else
#define nn__value_given_at(value, at) ((void)(value), (void)(at))
#endif

/* One node's result inside a plan. */
typedef struct nn__value {
    nn_node *node;
    int alias_of; /* ALIAS: index of the value whose storage it is (already resolved to a
    non-alias) */
    int first, last;  /* steps between which it lives; last = NN__KEPT: until the end of the run */
    int uses;         /* how many nodes read it */
    nn_tensor *bound; /* INPUT: nn_bind */
    int32_t batch;    /* INPUT: of what was given; 0: the input has no batch */
    int32_t time;     /* INPUT: the same; 0 although there is one: only batch * time is known, and
                         stands as batch */
    nn__value_place place;
    bool kept;    /* an output, or nn_keep */
    bool front; /* lies behind the activations, with the inputs: what a trainer's step leaves
    behind */
#ifndef NN__ONE_PIECE
    bool takes;   /* an input, or a state: uploads and bound tensors are for it */
    int outside;  /* nn__next_outside */
#endif
    bool given;   /* INPUT: filled or bound */
    bool checked; /* INPUT: the bound tensor was checked */
    bool anew;    /* INPUT: given after the last run began, which therefore did not read it */
#ifndef NN_NO_REPORTS
    nn_site site; /* INPUT: of nn_upload or nn_bind */
    bool stays;   /* ARENA: made from weights alone, and kept from run to run (keep.c) */
    bool watched; /* TENSOR: something that is kept was made from it, where it stood */
    const void *kept_of;
    uint64_t kept_from;
#endif
#ifndef NN__ONE_PIECE
    nn_device planned; /* of nn_borrow: where the tensor stood when the plan was made */
#endif
    nn__place_bytes offset,
        bytes;              /* in the device's blocks, at the plan's largest batch and time */
    nn_view view;           /* resolved for the current batch and time */
} nn__value;

/* One kernel call, or one crossing. */
typedef struct nn__step {
    nn_node *node;
    int output; /* a value; -1: none. With a fused activation it is the activation's */
    int more[NN__MAX_OUTPUTS -
             1]; /* values of the further outputs; -1: none, or nothing reads it */
    nn_activation activation;
    nn_node *fused; /* the activation's node */
    int *inputs;    /* values */
    int device;     /* index into the plan's devices */
#ifndef NN__ONE_PIECE
    int dynamic; /* nn__next_lowered */
#endif
    nn__args *args; /* only as large as those of its kernel; NULL: no kernel */
    int32_t units;
#ifndef NN_NO_REPORTS
    double flops;    /* at the largest batch and time */
    const char *via; /* see nn__step_via */
    int status;
    /* Of each step of a chain: how many steps that has, and how many of them stand before this one.
       0: it runs alone. */
    int chain, behind;
    struct nn__together_steps *chained;
    /* keep.c: a step that reads only weights, and the one that alone reads its result and keeps
       what it makes of that, or NULL; one that keeps its weights prepared, in so many bytes at most
       and so many at the batch of the run */
    bool steady, keeps, ready; /* ready: what it keeps stands there */
    struct nn__step *reader;
    uint64_t kept_bytes, kept_offset, kept_now, kept_made;
#endif
    uint64_t chunk_ns; /* the longest piece that did not end a slice */
} nn__step;

/* Steps that the device runs as one, beginning with the one that points here first. */
typedef struct nn__together_steps {
    void *made; /* by the backend */
    nn_call *calls;
    bool parted; /* not at this batch: each runs alone */
    /* any of them may run alone at any time, with the same bytes: in slices, and when profiled */
    bool alike;
    bool moved;  /* a view has another place since it was made ready */
} nn__together_steps;

/* Devices of one plan. The smallest programs (NN__ONE_PIECE) have plans of one device each,
   whichever it is; a node elsewhere is a fault of the placement. */
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
    nn__place_bytes bytes;
    nn__place_bytes arena; /* of these for activations: the first ones */
} nn__piece;

/* False: the end of a list of blocks, or no list. */
#ifdef NN__ONE_PIECE
#define nn__is_piece(block) ((block)->bytes != 0)
#else
#define nn__is_piece(block) ((block) && (block)->bytes)
#endif

/* Offsets count through the blocks of a device as if each were `largest` bytes: activations,
   inputs, the status word, scratch. Nothing lies across two blocks. */
typedef struct nn__plan_device {
    nn_device device;
#ifdef NN__ONE_PIECE
    nn__piece blocks[2];
#else
    nn__piece *blocks; /* in the plan's arena; one of no bytes ends them. NULL: no layout yet */
    /* where activations are: these blocks, or those of the plan that lends its own */
    nn__piece *arena;
    uint64_t largest;  /* bytes of a block */
#endif
    uint64_t lower_bound;
    nn__place_bytes scratch_bytes, scratch_offset, status_offset;
    bool uses_status;
#ifndef NN_NO_TRAINING
    uint32_t said; /* the status word as it was behind a step, once `told` is done */
    nn_fence told;
    bool asked; /* the word is on its way into `said` */
    bool fresh; /* ... or has come, and no run began since */
#endif
} nn__plan_device;

#ifndef NN_NO_REPORTS
typedef enum nn__run_moment {
    NN__RUN_STARTS,  /* a call of nn_run or nn_run_for */
    NN__STEP_STARTS, /* plan->step, or a piece of it */
    NN__STEP_ENDS,   /* the cursor has moved */
    NN__STEP_FAILS,
    NN__RUN_ENDS
} nn__run_moment;
/* How a run tells a profile, which a program that takes none does not link. */
typedef struct nn__profiler {
    void (*tell)(nn_plan *plan, nn__run_moment moment);
    /* what went on beside the runs, between two times of nn__system_now: for the trace */
    void (*beside)(nn_plan *plan, const char *what, uint64_t begun, uint64_t ended,
                   uint64_t bytes);
    void (*stop)(nn_plan *plan);
} nn__profiler;
#endif

/* A step of a trainer with desc.gradients is two plans: the backward pass and the update. */
typedef enum nn__plan_kind {
    NN__PLAN_RUN,
    NN__PLAN_STEP,
    NN__PLAN_BACKWARD,
    NN__PLAN_UPDATE
} nn__plan_kind;

struct nn_plan {
    nn__owned owned; /* in the model's dependents */
    nn_context *nn;
    nn_model *net;
    nn__graph *tape; /* a trainer's nodes, or NULL */
    nn_site site; /* where it was made; of a shell: where it was freed */
#ifndef NN_NO_REPORTS
    const char *gone; /* what it was freed with, "model" or "trainer": this is a shell. NULL: it is
                         a plan */
    const char *guard; /* the call that frees it; NULL: nn_free_plan */
#endif
    nn__arena arena; /* everything below but the blocks */
    nn_plan_desc desc;
    nn_node **targets; /* what must be computed */
    int target_count;
    nn__plan_kind kind;
    bool training; /* kind is not NN__PLAN_RUN */
    nn__value *values;
    int value_count;
    nn__step *steps;
    int step_count;
    nn__plan_device devices[NN__PLAN_DEVICES];
    int device_count;
    nn_view *views; /* room for the inputs of any step */
#ifndef NN__ONE_PIECE
    void *staging;  /* for crossings between devices; in host memory */
    size_t staging_bytes;
#endif
    nn__run_values run;
    int32_t time;        /* nn_set_time; 0: it follows from the inputs */
    uint32_t generation; /* of the model when it was made */
    bool lowered;        /* args are those of run.batch, run.time and of what is bound */
#ifndef NN__ONE_PIECE
    bool borrows;        /* it reads tensors of nn_borrow */
    int outside, dynamic; /* nn__first_outside, nn__first_lowered */
#endif
    bool ran;
    bool running;   /* a sliced run is under way */
    int step, unit; /* its cursor */
    nn__slicing slicing; /* in the model's list between two slices */
    int update;          /* the first step that changes parameters; step_count: there is none */
#ifndef NN_NO_TRAINING
    /* of a trainer's plan: the status word that a step is known to have left, or 0 */
    uint32_t fault;
#endif
#ifndef NN_NO_REPORTS
    bool keeps;            /* something from run to run: keep.c */
    bool kept_whole;       /* all of that stands there, as of */
    uint64_t kept_changes; /* nn_context.weight_changes */
#endif
    nn_slice_use slices;
    nn_plan *also; /* prepared with it: a trainer's evaluation, and of that its update; or NULL */
#ifndef NN__ONE_PIECE
    /* of a trainer that writes to memory which other ranks map: the process that may
       (nn__crew_process); 0: any */
    int process;
#endif
#ifndef NN_NO_REPORTS
    const char *separate; /* why each step is alone; NULL: .separate_steps says so, or none is */
    const char *note; /* of a trainer: what its steps do beside this plan; NULL: nothing */
    nn__profiler *profiler; /* the first field of the profile; NULL: none is taken */
    bool held; /* between nn__plan_hold and nn__plan_go */
    const char *apart; /* why the step `apart_at` is in no chain with the one before or behind it */
    int apart_at;
    /* what nn_write_plan tells of it beside; NULL: nothing */
    void (*tells)(const void *of, const nn_writer *writer);
    const void *teller;
#endif
};

/* The values, and the steps, that every run asks: those that may stand elsewhere than in the last
   one, which are inputs, states and tensors; and those of NN__DYNAMIC. Each names the next one, as
   soon as the plan's steps are what they stay; inputs and states are the first. The smallest
   programs ask all. */
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
/* all: of any step */
#define nn__first_lowered(plan, all)   ((all) ? 0 : (plan)->dynamic)
#define nn__next_lowered(plan, i, all) ((all) ? (i) + 1 : (plan)->steps[i].dynamic)
NN_PRIVATE void nn__list_asked(nn_plan *plan); /* lower */
#endif

/* A plan for a trainer: targets instead of outputs, with the tape's nodes. Same failures as
   nn_make_plan. lender (or NULL): a plan that never runs at the same time and outlives this one:
   its memory for activations is used where it is large enough. */
NN_PRIVATE nn_plan *nn__make_plan(nn_model *net, nn__graph *tape, nn_node *const *targets,
                                  int target_count, const nn_plan_desc *desc,
                                  nn__plan_kind kind, const nn_plan *lender, nn_site site);
/* The contents of `fresh` become those of `plan`, whose handle stays; what it had is freed. The
   caller has waited for the devices, so that this cannot fail. */
NN_PRIVATE void nn__replace_plan(nn_plan *plan, nn_plan *fresh);
/* Frees any plan, also a trainer's; NULL is allowed. */
NN_PRIVATE void nn__drop_plan(nn_plan *plan);
NN_PRIVATE void nn__plan_destroy(nn__owned *owned); /* tells a plan among what a model owns */
#ifndef NN_NO_REPORTS
/* Before nn__drop_plan of a plan whose handle the program has: leaves a shell, which says that it
   went with its model or trainer at `site`. */
NN_PRIVATE void nn__plan_ends(nn_plan *plan, const char *with, nn_site site);
/* True for NULL, and for a plan that was freed with its model or trainer, with an error in the name
   of `who`. */
NN_PRIVATE bool nn__plan_gone(const nn_plan *plan, nn_site site, const char *who);
#else
#define nn__plan_ends(plan, with, site)  ((void)(site))
#define nn__plan_gone(plan, site, who)   ((void)(site), !(plan))
#endif
#ifndef NN_NO_TRAINING
/* No plan of the tensor's context is bound to it any more: inputs that were have to be given
   anew. */
NN_PRIVATE void nn__unbind_tensor(const nn_tensor *tensor);
#endif
/* cache: faults for the states that a trainer's plan would keep. */
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__plan_refuse_caches(const nn_plan *plan, nn__faults *faults);
#else
#define nn__plan_refuse_caches(plan, faults) ((void)0)
#endif
/* cache: what `from`, of an earlier place, keeps from run to run becomes that of `to`, which is the
   same plan made anew. */
NN_PRIVATE nn_result nn__plan_carry_caches(nn_plan *to, nn_plan *from, nn_site site);
/* Reports every fault of a model, those of placement included, as nn_make_plan would:
   NN_ERROR_FAULTS, or NN_OK if there is none. */
NN_PRIVATE nn_result nn__check_model(nn_model *net, nn_on_unsupported on_unsupported, nn_site site);
/* order: values and steps from the targets, or (all) from every node that is not poisoned. False:
   no memory, or too many devices. */
NN_PRIVATE bool nn__plan_collect(nn_plan *plan, bool all);
/* layout: lifetimes to offsets; computes every byte count. No allocation on devices. False: no
   memory. */
NN_PRIVATE bool nn__layout(nn_plan *plan, const nn_plan *lender);
/* Does the value lie with the inputs? */
static inline NN__UNUSED bool nn__in_front(const nn__value *value) {
    return value->front || value->place == NN__PLACE_INPUT;
}
/* Handle and offset of what is at `offset` of a device's blocks, or of its activations' blocks. */
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
/* Views of all values for the current batch and time. Handles are NULL where memory does not exist
   yet. */
NN_PRIVATE void nn__resolve_views(nn_plan *plan);
/* Takes run.batch and run.time to the next smaller ones at which a step of this kind
   (nn__extent_kind) is asked what it needs: each value up to `every`, those above not more than
   1/every apart. False: there are no more, and both are the largest again. */
NN_PRIVATE bool nn__shrink_run(nn_plan *plan, unsigned kind, int32_t every);
/* Gives the views of a step's values the shapes of the current batch and time; returns which of the
   two they have. */
NN_PRIVATE unsigned nn__resize_step(nn_plan *plan, const nn__step *step);
/* Arguments of one step from the views of its values. */
NN_PRIVATE void nn__lower_step(nn_plan *plan, nn__step *step);
#ifndef NN_NO_TRAINING
/* False: the step is refused in a training at this batch and time (NN__SPREAD). */
NN_PRIVATE bool nn__step_has_spread(const nn_plan *plan, const nn__step *step);
#else
#define nn__step_has_spread(plan, step) ((void)(plan), (void)(step), true)
#endif
/* Of a kernel's own struct, and as much of it as a step of this node has. */
NN_PRIVATE size_t nn__args_bytes(nn_kernel kernel);
NN_PRIVATE size_t nn__node_args_bytes(const nn_node *node);
/* Makes ready what a run of a step needs on its device: kernels, units. who: "nn_run". */
NN_PRIVATE nn_result nn__prepare_step(nn_plan *plan, nn__step *step, const char *who);
/* Arguments of all steps for the batch and the bindings of this run, or only of those that change
   from run to run. */
NN_PRIVATE nn_result nn__lower_plan(nn_plan *plan);
/* Does the bound tensor fit its input, on its device and in the batch that it brings? One that does
   is looked at once. */
NN_PRIVATE bool nn__bound_fits(const nn_plan *plan, nn__value *value);
/* Takes the batch of a run from what was given; reports everything that is missing or does not
   fit. */
NN_PRIVATE nn_result nn__run_inputs(nn_plan *plan);
#ifndef NN__ONE_PIECE
/* plan/borrowed.c: are the tensors of nn_borrow what they were when the plan was made? */
NN_PRIVATE nn_result nn__check_borrowed(const nn_plan *plan, nn_site site, const char *who);
#endif
/* A fault that is known already: of an earlier step (a trainer goes no further, see
   nn_clear_fault), and of the run that was just given to the devices. */
NN_PRIVATE nn_result nn__known_fault(nn_plan *plan, nn_site site, const char *who);
NN_PRIVATE nn_result nn__run_fault(nn_plan *plan, nn_site site, const char *who);
#ifndef NN_NO_REPORTS
/* "a batch of 3", "a batch of 3 and a time of 5": the latter for plans that have more than one
   time. */
#define NN__EXTENTS_TEXT 64
NN_PRIVATE const char *nn__format_extents(const nn_plan *plan, int32_t batch, int32_t time,
                                          char *text, size_t size);
/* What one run of the step computes at the batch and time of the views. */
NN_PRIVATE double nn__step_flops(nn_plan *plan, const nn__step *step);
#else
#define NN__EXTENTS_TEXT 1
#define nn__format_extents(plan, batch, time, text, size) ((void)(size), (text))
#endif
NN_PRIVATE int nn__find_plan_device(const nn_plan *plan,
                                    nn_device device); /* -1: none of the plan's */
/* The index of a node's device; -1: not open, which the placement reports. */
static inline NN__UNUSED int nn__plan_device_of(const nn_plan *plan, const nn_node *node) {
#ifdef NN__ONE_PIECE
    (void)plan, (void)node;
    return 0;
#else
    return nn__find_plan_device(plan, node->device);
#endif
}
/* The value whose storage a value uses. */
static inline NN__UNUSED nn__value *nn__root(const nn_plan *plan, int value) {
    nn__value *v = &plan->values[value];
    return v->place == NN__PLACE_ALIAS ? &plan->values[v->alias_of] : v;
}
/* Why a step, or what it crosses for, goes over the CPU, and the value that stands for its device's
   status word there; NULL and 0: it does not. */
#ifndef NN_NO_REPORTS
#define nn__step_via(step)    ((step)->via)
#define nn__step_status(step) ((step)->status)
#else
#define nn__step_via(step)    ((void)(step), (const char *)NULL)
#define nn__step_status(step) ((void)(step), 0)
#endif
NN_PRIVATE nn_result nn__check_plan(nn_plan *plan, nn_site site, const char *who); /* NULL, stale */
/* Reports the status words: those that were sent behind the last run, if they are here, as they are
   behind a download that ended after it, and downloads the others. what: "nn_read_report". */
NN_PRIVATE nn_result nn__read_status(nn_plan *plan, nn_site site, const char *what);
#ifndef NN_NO_TRAINING
/* Before a trainer's plan is made anew in another place: a fault that only its devices know becomes
   known to it. */
NN_PRIVATE nn_result nn__keep_fault(nn_plan *plan, nn_site site);
#endif
NN_PRIVATE nn_result nn__clear_status(nn_plan *plan);
/* nn_run and nn_run_for in the name of `who`. */
NN_PRIVATE nn_result nn__run_plan(nn_plan *plan, nn_site site, const char *who);
/* The same as far as step `until`; the number of steps: to the end. The caller goes on with it in
   the same call of the library, or ends the run with nn__run_leave. */
NN_PRIVATE nn_result nn__run_plan_to(nn_plan *plan, int until, nn_site site, const char *who);
NN_PRIVATE void nn__run_past(nn_plan *plan); /* the caller did the step itself */
NN_PRIVATE nn_result nn__run_plan_for(nn_plan *plan, int64_t microseconds, nn_site site,
                                      const char *who);
/* Everything that a run would refuse before its first step is refused here, and nothing has
   changed. whole: it will change parameters before the call returns. */
NN_PRIVATE nn_result nn__run_ready(nn_plan *plan, bool whole, nn_site site, const char *who);
/* The next `runs` runs follow one another with nothing else on the plan's device between them, and
   nobody looks at what they write: a plan that is one launch may become one launch with its next
   runs. *together: so many will, of which the first may come before nn__plan_go; 1: nothing is
   held, and nothing is to go. go: what is held runs, and with it comes what is known of the status
   word, which makes no difference to *ran. (plan/chain.c) */
#if !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)
NN_PRIVATE nn_result nn__plan_hold(nn_plan *plan, int32_t runs, int32_t *together, nn_site site,
                                   const char *who);
NN_PRIVATE nn_result nn__plan_go(nn_plan *plan, bool *ran, nn_site site, const char *who);
#else
#define nn__plan_hold(plan, runs, together, site, who) (*(together) = 1, (void)(runs), NN_OK)
#define nn__plan_go(plan, ran, site, who) ((void)(who), *(ran) = true, NN_OK)
#endif
/* From here on others are told that a run of the plan in slices is under way. */
#ifdef NN__ONE_PIECE
#define nn__run_enter(plan) ((void)(plan))
#else
NN_PRIVATE void nn__run_enter(nn_plan *plan);
#endif
/* The plan has no run in slices under way any more. Harmless if it had none. */
NN_PRIVATE void nn__run_leave(nn_plan *plan);
NN_PRIVATE int nn__find_value(const nn_plan *plan, const nn_node *node); /* -1: not in the plan */

/* ---- self-test ------------------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
typedef struct nn__self_test_view {
    nn_view *view; /* inside args or items */
    uint64_t at;   /* in the block */
    bool output;
} nn__self_test_view;

/* One case: arguments, and their contents in one block of host memory, with a gap behind each
   view. */
typedef struct nn__self_test {
    nn_kernel kernel;
    nn__args args;
    nn_update_item items[3];
    nn_norm_track_item tracks[2];
    nn_copy_piece pieces[2];
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn__self_test_view views[16];
    int view_count;
    uint64_t used;
    uint64_t counter; /* of random numbers */
    char *block;      /* NN__SELF_TEST_BYTES */
    char what[80];
} nn__self_test;
#define NN__SELF_TEST_BYTES ((size_t)1 << 18)
/* Describes case i of test->kernel, with contents; false: there are no more. */
NN_PRIVATE bool nn__self_test_describe(nn__self_test *test, int i);
#endif

#include "plan/passes.h"
