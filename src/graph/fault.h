/* graph/fault.h - faults of a description, and the report that lists them all. Also the problem
   that an `infer` function states, which becomes the fault of a builder or the error of an
   immediate call. */
#pragma once

#include "graph/model.h"
#include "tensor/private.h"

typedef enum nn__fault_kind {
    NN__FAULT_SHAPE,
    NN__FAULT_DTYPE,
    NN__FAULT_ARGUMENT,
    NN__FAULT_DEVICE, /* an operand on the wrong device */
    NN__FAULT_NOT_OPEN,
    NN__FAULT_UNSUPPORTED, /* the device has no kernel */
    NN__FAULT_CONTEXT,     /* belongs to another context or model */
    NN__FAULT_INPUT        /* bound or uploaded data */
} nn__fault_kind;

/* An operand of a fault. All texts of a fault are copies in the arena of its list: the nodes may
   belong to another model, which may be freed before the report is written. */
typedef struct nn__operand {
    const char *role, *name;
    nn_shape shape;
    nn_dtype dtype;
    nn_device device;
    bool show_device;
} nn__operand;

typedef struct nn__fault {
    struct nn__fault *next;
    struct nn__faults *list; /* the list that contains it */
    nn__fault_kind kind;
    const char *operation, *name; /* for example: linear "fc" */
    nn_site site;
    int order;
    nn__operand operands[4];
    int operand_count;
    const char *cause, *fix;
} nn__fault;

typedef struct nn__faults {
    nn__arena *arena;
    nn__fault *first, *last;
    int count;
    bool no_memory; /* a fault could not be recorded */
} nn__faults;

/* Texts are formatted into the arena. Under NN_NO_REPORTS faults are only counted. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn__fault *nn__add_fault(nn__faults *faults, nn__fault_kind kind, const char *operation,
                                    const char *name, nn_site site);
/* Adds a fault about a node, at the node's place in the description. */
NN_PRIVATE nn__fault *nn__add_node_fault(nn__faults *faults, nn__fault_kind kind,
                                         const nn_node *node);
NN_PRIVATE void nn__fault_operand(nn__fault *fault, const char *role, const nn_node *node,
                                  bool show_device); /* does nothing for a NULL fault */
NN_PRIVATE void nn__fault_shape_operand(nn__fault *fault, const char *role, const char *name,
                                        nn_shape shape, nn_dtype dtype);
NN_PRIVATE void nn__fault_cause(nn__faults *faults, nn__fault *fault, const char *format, ...);
NN_PRIVATE void nn__fault_fix(nn__faults *faults, nn__fault *fault, const char *format, ...);
#else
static inline NN__UNUSED nn__fault *nn__count_fault(nn__faults *faults) {
    faults->count++;
    return NULL;
}
static inline NN__UNUSED void nn__fault_nothing(const void *faults, const void *fault) {
    (void)faults, (void)fault;
}
#define nn__add_fault(faults, kind, operation, name, site) \
    ((void)(kind), (void)(operation), (void)(name), (void)(site), nn__count_fault(faults))
#define nn__add_node_fault(faults, kind, node) \
    ((void)(kind), (void)(node), nn__count_fault(faults))
#define nn__fault_operand(fault, role, node, show_device) \
    ((void)(role), (void)(node), (void)(show_device), nn__fault_nothing(NULL, fault))
#define nn__fault_shape_operand(fault, role, name, shape, dtype) \
    ((void)(role), (void)(shape), (void)(dtype), nn__fault_nothing(NULL, fault))
#define nn__fault_cause(faults, fault, ...)                                                        \
    (NN__NO_TEXT(__VA_ARGS__), nn__fault_nothing(faults, fault))
#define nn__fault_fix(faults, fault, ...)                                                          \
    (NN__NO_TEXT(__VA_ARGS__), nn__fault_nothing(faults, fault))
#endif
/* Adds a warning about a node: one line in the log, and in every report of a plan of this model
   (nn_write_plan). A repeated text is ignored. */
#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__warn(nn_model *net, nn_site site, const char *operation, const char *name,
                         const char *format, ...);
#else
#define nn__warn(net, site, operation, name, ...) \
    ((void)(net), (void)(site), (void)(operation), (void)(name), NN__NO_TEXT(__VA_ARGS__))
#endif
/* Sorts faults into the order of description. */
NN_PRIVATE void nn__sort_faults(nn__faults *faults);
/* Writes the report of both lists (second may be NULL), in the order of description. `where` names
   the model. */
NN_PRIVATE void nn__write_fault_report(const nn_context *nn, const char *where,
                                       const nn__faults *first, const nn__faults *second,
                                       nn_writer writer);
/* Makes the report the context's error. Returns NN_ERROR_FAULTS. */
NN_PRIVATE nn_result nn__fail_faults(nn_context *nn, const char *where, const nn__faults *first,
                                     const nn__faults *second);

/* ---- a check that a builder and its immediate call share ------------------------------------- */

typedef struct nn__problem {
    nn_result code; /* NN_OK: no problem */
#ifndef NN_NO_REPORTS
    char cause[240], fix[160];
#endif
} nn__problem;
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__problem_set(nn__problem *problem, nn_result code, const char *fix,
                                const char *cause, ...); /* returns false */
#else
static inline NN__UNUSED bool nn__problem_set_code(nn__problem *problem, nn_result code) {
    problem->code = code;
    return false;
}
#define nn__problem_set(problem, code, fix, ...) \
    ((void)(fix), NN__NO_TEXT(__VA_ARGS__), nn__problem_set_code(problem, code))
#endif
