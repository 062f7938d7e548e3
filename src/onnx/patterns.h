/* onnx/patterns.h - groups of nodes that exporters write out and that are one layer here. */
#pragma once

#include "onnx/mapping.h"

enum { NN__ONNX_PATTERN_INPUTS = 18 }; /* most inputs of a group */

/* A group, found from its last node. Its mapping sees a node whose operands are `inputs`. */
typedef struct nn__onnx_pattern {
    void (*map)(nn__onnx_node *n);
    bool (*fits)(const struct nn__onnx_pattern *pattern, const nn__onnx_scope *scope);
    const nn__onnx_op *named; /* the node of the group that a layer is called after */
    const nn__onnx_op *last;  /* set and read by `fits` */
    const char *inputs[NN__ONNX_PATTERN_INPUTS];
    int count, kind; /* kind: set and read by the mapping */
} nn__onnx_pattern;

typedef enum nn__onnx_match_state {
    NN__ONNX_NO_MATCH,
    NN__ONNX_NEEDS_INPUTS, /* its inputs decide later whether it is a match */
    NN__ONNX_MATCH
} nn__onnx_match_state;

/* Finds the pattern that ends in `op`. The answer stays the same until a further input is known. */
NN__ONNX_PRIVATE nn__onnx_match_state nn__onnx_match(const nn__onnx_walk *walk,
                                                     const nn__onnx_scope *scope,
                                                     const nn__onnx_op *op,
                                                     nn__onnx_pattern *pattern);
/* Returns the node of this scope's graph that makes a value. NULL: none, or of another type. */
NN__ONNX_PRIVATE const nn__onnx_op *nn__onnx_made_by(const nn__onnx_scope *scope, const char *name,
                                                     const char *type);
/* Returns the value of an input of a pattern. */
static inline const nn__onnx_value *nn__onnx_input_of(const nn__onnx_pattern *pattern,
                                                      const nn__onnx_scope *scope, int i) {
    return nn__onnx_see(scope, pattern->inputs[i]);
}
/* Returns the number of axes of a computed value; -1: it is known, or refused. */
NN__ONNX_PRIVATE int nn__onnx_computed_rank(const nn__onnx_value *value);
/* True if an input is one known number. */
NN__ONNX_PRIVATE bool nn__onnx_one_number(const nn__onnx_value *value, double *number);
NN__ONNX_PRIVATE const nn__onnx_attribute *nn__onnx_own_attribute(const nn__onnx_op *op,
                                                                  const char *name);
/* pattern_attention.c: fills the pattern if `op` may be its last node. */
NN__ONNX_PRIVATE bool nn__onnx_find_attention(const nn__onnx_scope *scope, const nn__onnx_op *op,
                                              nn__onnx_pattern *pattern);
