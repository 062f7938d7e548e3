/* plan/passes.h - what turns the steps of a plan into fewer or better ones, in the order in which
   plans are made; each pass is a part of its name. */
#pragma once

#include "plan/private.h"

/* fold: batch norms become part of the products before them in a plan that only infers. False: no
   memory. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__plan_fold(nn_plan *plan);
#else
#define nn__plan_fold(plan) true
#endif
/* order: an activation that alone reads the result of a product or convolution becomes its
   epilogue. */
NN_PRIVATE void nn__plan_fuse(nn_plan *plan);
/* block: a convolution, its relu and the 2 x 2 maximum behind it become one step, and so do their
   gradients. False: no memory. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__plan_block(nn_plan *plan);
/* Has the device the kernel of the step's node, for views without memory? */
NN_PRIVATE bool nn__block_supports(nn_plan *plan, nn__step *step);
#else
#define nn__plan_block(plan) true
#endif
/* bands: a depthwise convolution and those of 1 x 1 around it become one step. False: no memory. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__plan_bands(nn_plan *plan);
#else
#define nn__plan_bands(plan) true
#endif
/* launches: on GPUs gradients and losses that follow one another become one step each. The trainer
   gives it to its plans (nn__graph.launches). False: no memory. */
#if !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)
NN_PRIVATE bool nn__plan_launches(nn_plan *plan);
#endif
/* join: neighbouring pointwise programs become one step. False: no memory. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__plan_join(nn_plan *plan);
#else
#define nn__plan_join(plan) true
#endif
/* placement: every fault of devices and of support, into `faults`, in the order of description. */
NN_PRIVATE void nn__place(nn_plan *plan, nn__faults *faults);
/* via: steps that placement marked go over the CPU, with steps for what crosses. False: no memory.
   Without reports nothing is marked. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__plan_detours(nn_plan *plan);
#else
#define nn__plan_detours(plan) true
#endif
/* chain: which steps a device runs as one. False: no memory. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__plan_chain(nn_plan *plan);
NN_PRIVATE void nn__chain_free(nn_plan *plan);
/* Makes ready what a run of the chain that begins at the step needs; of all chains. */
NN_PRIVATE nn_result nn__chain_prepare(nn_plan *plan, nn__step *step, const char *who);
NN_PRIVATE nn_result nn__chain_prepare_all(nn_plan *plan, const char *who);
/* Of a trainer's plan that is one chain, made ready: also what several steps at once need. */
#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__chain_warm(nn_plan *plan, const char *who);
#else
#define nn__chain_warm(plan, who) ((void)(plan), NN_OK)
#endif
NN_PRIVATE nn_result nn__chain_run(nn_plan *plan, nn__step *step);
/* The step's views moved; and, when all did, makes the chains of such steps ready anew. */
static inline NN__UNUSED void nn__chain_moves(nn__step *step) {
    if (step->chain) step->chained->moved = true;
}
NN_PRIVATE nn_result nn__chain_follow(nn_plan *plan, const char *who);
static inline NN__UNUSED bool nn__in_chain(const nn__step *step) { return step->chain != 0; }
/* How many steps run with this one: 1, or where a chain begins that runs as one those of it. */
static inline NN__UNUSED int nn__chain_length(const nn_plan *plan, const nn__step *step) {
    return step->chain && !step->behind && !step->chained->parted &&
                   !((plan->profiler || plan->desc.poison) && step->chained->alike)
               ? step->chain
               : 1;
}
/* Of a slice, which does no more than a piece of a step where it can. */
static inline NN__UNUSED int nn__chain_slice(const nn_plan *plan, const nn__step *step) {
    return step->chain && step->chained->alike ? 1 : nn__chain_length(plan, step);
}
static inline NN__UNUSED int nn__chain_first(const nn_plan *plan, int s) {
    return s - plan->steps[s].behind;
}
static inline NN__UNUSED int nn__chain_last(const nn_plan *plan, int s) {
    return plan->steps[s].chain ? nn__chain_first(plan, s) + plan->steps[s].chain - 1 : s;
}
/* What a step shares its memory's life with: all of its chain, unless that has the bytes of its
   steps and looks after what overlaps. */
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
#define nn__in_chain(step)             false
#endif
/* keep: chooses what is kept from run to run, and says so in values and steps; can anything be?
   trusts_step: the step is the CPU's, and its inputs from `first` on are weights. begin: what is
   kept may not be as it should. skips: the step has nothing to do. turn: the step has to prepare
   its weights before it does its own work; tells its kernel what to do now. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__keep_can(const nn_plan *plan);
NN_PRIVATE bool nn__keep_trusts_step(const nn_plan *plan, const nn__step *step, int first);
NN_PRIVATE void nn__plan_keep(nn_plan *plan);
NN_PRIVATE void nn__keep_lower(nn_plan *plan, nn__step *step);
NN_PRIVATE void nn__keep_begin(nn_plan *plan);
NN_PRIVATE bool nn__keep_skips(const nn__step *step);
NN_PRIVATE bool nn__keep_turn(nn__step *step);
#define nn__value_stays(value) ((value)->stays)
#else
#define nn__plan_keep(plan)        ((void)(plan))
#define nn__keep_begin(plan)       ((void)(plan))
#define nn__keep_skips(step)       ((void)(step), false)
#define nn__keep_turn(step)        ((void)(step), false)
#define nn__value_stays(value)     ((void)(value), false)
#endif
