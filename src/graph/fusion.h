/* graph/fusion.h - fusions: tables of neighbouring steps that a plan replaces by fewer ones, and
   the function that does it.

   A fusion lists its parts, which are steps on one device. Part 0 is the anchor. Every other part
   is linked to an earlier one: a place (an input or a result) of each has the same value. All parts
   stay as they are if something else reads a value that would be gone, if the plan keeps such a
   value, or if the device lacks a kernel or refuses its arguments. The builder of an operation adds
   its fusion to the context, so a program without the operation does not contain it. */
#pragma once

#include "graph/steps.h"

#ifndef NN_NO_SPEEDUPS

#define NN__FUSION_PARTS 8

/* Places of a step: its inputs, from 0 on, and: */
#define NN__RESULT(k) (-1 - (k)) /* its output k */
#define NN__ANY_INPUT 100

typedef struct nn__fusion_link {
    int8_t own;   /* a place of this part */
    int8_t part, place; /* has the same value as this place of an earlier part */
    int8_t instead; /* asked if `part` is absent; 0: none, the link is absent too */
} nn__fusion_link;

enum {
    NN__PART_OPTIONAL = 1, /* the part may be absent */
    NN__PART_ALONE = 2,    /* nothing else reads the value of its first link */
    NN__PART_PLAIN = 4,    /* it has no activation as its epilogue */
    NN__PART_NEAR = 8,     /* at most two steps after the anchor */
    NN__PART_STORAGE = 16  /* the values of its links may be two shapes of one storage */
};

/* The first link finds the part: the step that makes the value, if `own` is a result; otherwise the
   first step after the linked part that reads it. */
typedef struct nn__fusion_part {
    uint8_t kernel; /* NN_KERNEL_NONE: any */
    uint8_t flags;
    bool (*is)(const nn_node *node); /* NULL: always true */
    uint8_t links;
    nn__fusion_link link[2];
} nn__fusion_part;

enum { /* a fusion is applied if every condition that is set holds */
    NN__WHEN_INFERRING = 1, /* the plan does not train */
    NN__WHEN_KEEPING = 2,   /* it may keep what depends on weights alone from run to run */
    NN__WHEN_JOINING = 4    /* nn_plan_desc.separate_steps is not set */
};

struct nn__fusion {
    const nn__fusion_part *parts;
    int count; /* of parts, at most NN__FUSION_PARTS */
    /* found: the step of each part; -1: absent. It may drop optional parts by setting them to -1.
       False: these steps are not joined. */
    bool (*fits)(nn__steps *list, int *found);
    /* Fills made[p] for each part p whose step is replaced; steps of all other parts are removed.
       made[p] begins as a copy of the part's step, with node NULL. False: no memory. */
    bool (*make)(nn__steps *list, const int *found, nn__step *made);
    unsigned when;
    int32_t batch; /* the largest batch of the plan; 0: any */
    int values;    /* the number of values that `make` adds (nn__fusion_value) */
    bool late;     /* the joined step of part 1 moves to just before that of the anchor */
    /* 0, or the part whose joined step writes its output 1 in another form: the value gets the node
       made[renews].node->more. */
    int renews;
    /* NULL, or what takes the place of everything above but `when`: looks at all steps itself, and
       gives steps that are gone the device -1. False: no memory. */
    bool (*whole)(nn__steps *list);
};

/* Replaces all steps that the fusion describes. False: no memory. */
NN_PRIVATE bool nn__fuse(nn__steps *list, const nn__fusion *fusion);
/* For `make`: adds a value for a node that the fusion made, and returns its index. */
NN_PRIVATE int nn__fusion_value(nn__steps *list, nn_node *node);
static inline NN__UNUSED void nn__add_fusion(nn_context *nn, nn__fusion_order order,
                                             const nn__fusion *fusion) {
    nn->fusions[order] = fusion;
    nn->fuse = nn__fuse;
}
#endif
