/* graph/steps.h - the steps and values of a plan, and what the plan lends to fusions, which join
   steps (graph/fusion.h). */
#pragma once

#include "graph/build.h"

typedef enum nn__value_place {
    NN__PLACE_TENSOR, /* stored in the tensor of a parameter, buffer, constant, state or borrowed
                         tensor */
    NN__PLACE_INPUT,  /* in the plan's input buffer, or a bound tensor */
    NN__PLACE_ARENA,  /* in the plan's reused memory */
    NN__PLACE_ALIAS,  /* in the storage of another value */
    NN__PLACE_STATUS  /* the status word of its device */
} nn__value_place;

#define NN__KEPT INT32_MAX

/* One node's result inside a plan. */
typedef struct nn__value {
    nn_node *node;
    int alias_of; /* ALIAS: index of the value that owns the storage (never itself an alias) */
    int first, last;  /* first and last step of its life; last = NN__KEPT: until the end of the
                         run */
    int uses;         /* number of nodes that read it */
    nn_tensor *bound; /* INPUT: the tensor of nn_bind */
    int32_t batch;    /* INPUT: batch of the given data; 0: the input has no batch */
    int32_t time;     /* INPUT: time of the given data; 0: no time, or only batch * time is known
                         and is in `batch` */
    nn__value_place place;
    bool kept;    /* an output, or a node of nn_keep */
    bool front; /* stored after the activations, with the inputs: a result that must survive the
                   run */
#ifndef NN__ONE_PIECE
    bool takes;   /* an input or a state, which accepts uploads and bound tensors */
    int outside;  /* nn__next_outside */
#endif
    bool given;   /* INPUT: uploaded or bound */
    bool checked; /* INPUT: the bound tensor passed its check */
    bool anew;    /* INPUT: given after the start of the last run, which did not read it */
#ifndef NN__LEAN
    nn_site site; /* INPUT: where nn_upload or nn_bind was called */
    bool stays; /* ARENA: computed from weights alone, and kept from run to run (weight_cache.c) */
    bool watched; /* TENSOR: kept values depend on it, and on its address below */
    const void *cached_of;
    uint64_t cached_from;
#endif
#ifndef NN__ONE_PIECE
    nn_device planned; /* a tensor of nn_borrow: its device when the plan was made */
#endif
    nn__offset_bytes offset,
        bytes;              /* in the device's blocks; at the largest batch and time */
    nn_view view;           /* for the current batch and time */
} nn__value;

/* One kernel call, or one transfer. */
typedef struct nn__step {
    nn_node *node;
    int output; /* index of a value; -1: none. With a fused activation: the activation's value */
    int more[NN__MAX_OUTPUTS -
             1]; /* values of the further outputs; -1: none, or nothing reads it */
    nn_activation activation;
    nn_node *fused; /* the activation's node */
    int *inputs;    /* indices of values */
    int device;     /* index into the plan's devices */
#ifndef NN__ONE_PIECE
    int dynamic; /* see nn__next_lowered */
#endif
    nn__args *args; /* has the size of the kernel's struct; NULL: no kernel */
    int32_t units;
#ifndef NN__LEAN
    double flops;    /* at the largest batch and time */
    const char *via; /* see nn__step_via */
    int status;
    /* For each step of a chain: the chain's length, and the number of its steps before this one. 0:
       the step runs alone. */
    int chain, behind;
    struct nn__together_steps *chained;
    /* For weight_cache.c. steady: the step reads only weights. keeps: the step keeps its weights
       prepared, in at most cached_bytes, and in cached_now at the current batch. reader: the only
       step that reads a steady step's result, if it keeps its own form of it; else NULL. */
    bool steady, keeps, ready; /* ready: the kept data is valid */
    struct nn__step *reader;
    uint64_t cached_bytes, cached_offset, cached_now, cached_made;
#endif
    uint32_t expected[4]; /* ns of a piece in slices: see nn__run_expected. 0: unknown */
} nn__step;

/* Returns the value that owns the storage. */
static inline NN__UNUSED nn__value *nn__value_root(nn__value *values, int value) {
    nn__value *v = &values[value];
    return v->place == NN__PLACE_ALIAS ? &values[v->alias_of] : v;
}

#ifndef NN_NO_SPEEDUPS
/* What a plan lends to a fusion, which replaces and removes steps, and may replace the values by a
   longer array in the arena. */
typedef struct nn__steps nn__steps;
struct nn__steps {
    void *plan;
    nn__arena *arena; /* of the plan: what it holds lives as long as the plan */
    nn__step *steps;
    nn__value *values;
    int step_count, value_count;
    int32_t batch, time; /* the largest of the plan */
    bool training;
    bool separate; /* desc.separate_steps */
    bool keeps;    /* results that depend on weights alone may be kept from run to run */
    /* True if what the step reads from input `first` on are weights that allow such keeping. */
    bool (*trusts)(nn__steps *list, const nn__step *step, int first);
    /* True if the step's device has the kernel of its node, for views without memory. */
    bool (*supports)(nn__steps *list, nn__step *step);
};
#endif
