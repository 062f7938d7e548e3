/* plan/passes.h - the passes that simplify or join the steps of a plan, in the order in which they
   run. Each pass is in the file of its name. */
#pragma once

#include "plan/private.h"

/* rewrite: nn__plan_rewrite applies a fusion of the context, if the context has it; nn__plan_apply
   applies any fusion. False: no memory. */
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__plan_rewrite(nn_plan *plan, nn__fusion_order order);
NN_PRIVATE bool nn__plan_apply(nn_plan *plan, const nn__fusion *fusion);
/* True if the device has the step's kernel and supports it. Views have no memory yet. Makes room
   for the views of a step with many inputs; false without memory. */
NN_PRIVATE bool nn__plan_supports(nn_plan *plan, nn__step *step);
#else
#define nn__plan_rewrite(plan, order) true
#endif
/* order: turns an activation that alone reads the result of a product or convolution into its
   epilogue. */
NN_PRIVATE void nn__plan_fuse(nn_plan *plan);
/* launches: on GPUs, joins successive gradients and losses. A trainer sets it for its plans
   (nn__graph.launches). False: no memory. */
#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)
NN_PRIVATE bool nn__plan_launches(nn_plan *plan);
#endif
/* join: joins consecutive pointwise programs. False: no memory. */
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__plan_join(nn_plan *plan);
#else
#define nn__plan_join(plan) true
#endif
/* halves: leaves out casts from and to f16 and bf16 where a device's kernels read and write these
   dtypes themselves. False: no memory.
   nn__plan_takes_halves: true if the step's device supports the step, and nn_backend.halves is
   true. nn__plan_rounds_to_bf16: true if the step's kernel rounds the operands of its products to
   bf16.
   casts: nn__plan_casts joins the casts of weights that are left. */
#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_MIXED_PRECISION)
NN_PRIVATE bool nn__plan_casts(nn_plan *plan);
NN_PRIVATE bool nn__plan_halves(nn_plan *plan);
NN_PRIVATE bool nn__plan_takes_halves(nn_plan *plan, nn__step *step);
NN_PRIVATE bool nn__plan_rounds_to_bf16(nn_plan *plan, nn__step *step);
#else
#define nn__plan_halves(plan) true
#endif
/* placement: adds every fault of devices and of support to `faults`, in the order of
   description. */
NN_PRIVATE void nn__place(nn_plan *plan, nn__faults *faults);
/* via: runs the steps that placement marked on the CPU, with steps for the transfers. False: no
   memory. Without reports nothing is marked. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__plan_detours(nn_plan *plan);
#else
#define nn__plan_detours(plan) true
#endif
/* chain: decides which steps a device runs as one. False: no memory. */
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__plan_chain(nn_plan *plan);
NN_PRIVATE void nn__chain_free(nn_plan *plan);
/* Prepare the chain that begins at the step, and all chains of the plan. */
NN_PRIVATE nn_result nn__chain_prepare(nn_plan *plan, nn__step *step, const char *who);
NN_PRIVATE nn_result nn__chain_prepare_all(nn_plan *plan, const char *who);
/* Prepares all chains of devices that collect. */
NN_PRIVATE nn_result nn__chain_collect(nn_plan *plan, const char *who);
/* Prepares several runs at once, if the plan is a trainer's and a single prepared chain. */
#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__chain_warm(nn_plan *plan, const char *who);
#else
#define nn__chain_warm(plan, who) ((void)(plan), NN_OK)
#endif
NN_PRIVATE nn_result nn__chain_run(nn_plan *plan, nn__step *step);
/* nn__chain_moves: a view of the step moved. nn__chain_follow: prepares the chains of such steps
   again, once all views are known. */
static inline NN__UNUSED void nn__chain_moves(nn__step *step) {
    if (step->chain) step->chained->moved = true;
}
NN_PRIVATE nn_result nn__chain_follow(nn_plan *plan, const char *who);
static inline NN__UNUSED bool nn__in_chain(const nn__step *step) { return step->chain != 0; }
/* Returns how many steps run with this one: the length of the chain that begins here, else 1. */
static inline NN__UNUSED int nn__chain_length(const nn_plan *plan, const nn__step *step) {
    return step->chain && !step->behind && !step->chained->parted &&
                   !((plan->profiler || plan->desc.poison) && step->chained->alike)
               ? step->chain
               : 1;
}
/* Does the same in a slice, where a step is cut into pieces if possible. */
static inline NN__UNUSED int nn__chain_slice(const nn_plan *plan, const nn__step *step) {
    return step->chain && step->chained->alike ? 1 : nn__chain_length(plan, step);
}
static inline NN__UNUSED int nn__chain_first(const nn_plan *plan, int s) {
    return s - plan->steps[s].behind;
}
static inline NN__UNUSED int nn__chain_last(const nn_plan *plan, int s) {
    return plan->steps[s].chain ? nn__chain_first(plan, s) + plan->steps[s].chain - 1 : s;
}
/* True if the values of a step must live during its whole chain. Chains with the same bytes as
   their steps handle overlapping memory themselves. */
static inline NN__UNUSED bool nn__chain_shares(const nn__step *step) {
    return step->chain && !step->chained->alike;
}
#else
#define nn__plan_chain(plan)           true
#define nn__chain_free(plan)           ((void)0)
#define nn__chain_length(plan, step)   1
#define nn__chain_slice(plan, step)    1
#define nn__chain_first(plan, s)       ((void)(plan), (s))
#define nn__chain_last(plan, s)        ((void)(plan), (s))
#define nn__chain_shares(step)         ((void)(step), false)
#define nn__chain_run(plan, step)      NN_OK
#define nn__chain_moves(step)          ((void)(step))
#define nn__chain_follow(plan, who)    NN_OK
#define nn__chain_prepare(plan, step, who) NN_OK
#define nn__chain_warm(plan, who) ((void)(plan), NN_OK)
#define nn__chain_prepare_all(plan, who)   NN_OK
#define nn__chain_collect(plan, who)       NN_OK
#define nn__in_chain(step)             false
#endif
/* keep: values that are kept from run to run.

   - nn__weight_cache_can: may the plan keep any?
   - nn__weight_cache_trusts: true if the value is a weight that changes only through the library
   - nn__weight_cache_trusts_step: true if the step is in no chain and its inputs from `first` on
     are weights
   - nn__plan_weight_cache: chooses what is kept, and marks values and steps
   - nn__weight_cache_begin: at the start of a run, marks kept values that are no longer valid
   - nn__weight_cache_skips: true if the step has nothing to do
   - nn__weight_cache_turn: tells the step's kernel what to do now; true if it must prepare its
     weights before its own work */
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__weight_cache_can(const nn_plan *plan);
NN_PRIVATE bool nn__weight_cache_trusts(const nn_plan *plan, int value);
NN_PRIVATE bool nn__weight_cache_trusts_step(const nn_plan *plan, const nn__step *step, int first);
NN_PRIVATE void nn__plan_weight_cache(nn_plan *plan);
NN_PRIVATE void nn__weight_cache_lower(nn_plan *plan, nn__step *step);
NN_PRIVATE void nn__weight_cache_begin(nn_plan *plan);
NN_PRIVATE bool nn__weight_cache_skips(const nn__step *step);
NN_PRIVATE bool nn__weight_cache_turn(nn__step *step);
#define nn__value_stays(value) ((value)->stays)
#else
#define nn__plan_weight_cache(plan)        ((void)(plan))
#define nn__weight_cache_begin(plan)       ((void)(plan))
#define nn__weight_cache_skips(step)       ((void)(step), false)
#define nn__weight_cache_turn(step)        ((void)(step), false)
#define nn__value_stays(value)     ((void)(value), false)
#endif
