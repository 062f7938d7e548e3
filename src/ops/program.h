/* ops/program.h - operations whose kernel is a pointwise program: lines of the table, expressions,
   their gradients. */
#pragma once

#include "ops/private.h"
#include "program/private.h"

/* One line of ops/table.txt, made by tools/table.c. The rule is the first field. */
typedef struct nn__line {
    nn__rule rule;
    nn_program program;
    const char *const *roles; /* of its inputs */
    nn__install install;      /* the kernel, with the instructions of the program and no others */
#ifndef NN_NO_TRAINING
    nn_program gradient; /* of the first input, over y, dy and the line's numbers; count 0: by the
                            rules of instructions */
#endif
} nn__line;

/* The params of a node. The instructions are the line's, or stand in the graph's arena. */
typedef struct nn__program_params {
    const nn__line *line; /* NULL: an expression, or made from others */
    nn_program program;
    uint64_t stream;                   /* of RANDOM */
    float scalars[NN_PROGRAM_SCALARS]; /* last: only program.scalar_count of them are stored */
} nn__program_params;
#define NN__PROGRAM_PARAMS_BYTES(params)                                                           \
    (offsetof(nn__program_params, scalars) + sizeof(float) * (size_t)(params)->program.scalar_count)

NN_PRIVATE void nn__op_program_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *args);
NN_PRIVATE bool nn__op_unary_infer(nn__inference *inference); /* of one input, one output */
NN_PRIVATE bool nn__op_program_infer(nn__inference *inference);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__op_program_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
#endif
#ifdef NN_NO_REPORTS
#define nn__op_program_flops NULL
#else
NN_PRIVATE double nn__op_program_flops(const nn_node *node, const nn__lowering *lowering);
#endif
#define NN__LINE_RULE(name, fuses, infer)                                                          \
    {                                                                                              \
        name, NN_KERNEL_POINTWISE, NN__IN_PLACE | NN__ANY_DTYPE, fuses, nn__op_program_lower,      \
            NN__GRADIENT(nn__op_program_gradient), nn__op_program_flops, infer, NULL               \
    }

/* Is the node one whose params are nn__program_params? */
static inline NN__UNUSED bool nn__is_program(const nn_node *node) {
    return node->kind == NN__OPERATION && node->rule->lower == nn__op_program_lower;
}
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
/* For nn_copy_model: after the fields of a node were taken from another graph's, what they point to
   there is copied into the arena of the node's own. True for nodes of other operations; false: no
   memory. (ops/expression.c, ops/custom.c) */
NN_PRIVATE bool nn__own_program(nn_node *node);
NN_PRIVATE bool nn__own_custom(nn_node *node);
#endif
NN_PRIVATE const nn__line *nn__find_line(int i); /* NULL: there are no more */
/* The line of a numbered function; NULL: it has none (copy, dropout). */
NN_PRIVATE const nn__line *nn__line_of(nn_pointwise_op op);
/* numbers: as many as the line has scalars. */
NN_PRIVATE void nn__op_line_params(const nn__line *line, const float *numbers,
                                   nn__program_params *params);
/* Installs what reads inputs of f16 and bf16, if there are any. */
#ifdef NN_NO_REPORTS
#define nn__op_program_dtypes(nn, inputs, count) ((void)0)
#else
NN_PRIVATE void nn__op_program_dtypes(nn_context *nn, nn_node *const *inputs, int count);
#endif

/* What the builders and calls of the table do. numbers: as many as the line has scalars. */
NN_PRIVATE nn_node *nn__op_line_node(nn_site site, nn_model *net, const nn__line *line,
                                     nn_node *const *inputs, const float *numbers);
/* The same for builders that have checked their inputs and compose with lines. shape: of the
   result. rule, roles: NULL for those of the line. */
NN_PRIVATE nn_node *nn__add_line(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const nn__line *line,
                                 nn_node *const *inputs, const char *const *roles, nn_shape shape,
                                 const float *numbers);
#ifndef NN_NO_TRAINING
/* A line without numbers, for gradient rules. */
NN_PRIVATE nn_node *nn__tape_line(nn__tape *tape, const nn__line *line, nn_node *const *inputs,
                                  nn_shape shape, const nn_node *like);
#endif
NN_PRIVATE nn_result nn__op_line_forward(nn_site site, const nn__line *line, nn_tensor *y,
                                         const nn_tensor *const *inputs, const float *numbers);
/* The same for any program; who: the call's name. */
NN_PRIVATE nn_result nn__op_program_forward(nn_site site, const char *who, const nn__rule *rule,
                                            nn__install install,
                                            const nn__program_params *params,
                                            const char *const *roles, nn_tensor *y,
                                            const nn_tensor *const *inputs);
#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__op_line_backward(nn_site site, const nn__line *line,
                                          nn_tensor *const *gradients, const nn_tensor *dy,
                                          const nn_tensor *const *inputs, const float *numbers,
                                          bool accumulate);
/* dx of input `which`, of checked tensors. y: the result, where the rule of the last instruction
   needs it; NULL: from the inputs and dy alone. */
NN_PRIVATE nn_result nn__op_program_derivative(nn_site site, const char *who,
                                               const nn_program *program, int which,
                                               const nn_tensor *y, nn_tensor *dx,
                                               const nn_tensor *dy,
                                               const nn_tensor *const *inputs,
                                               const float *numbers, bool accumulate);
/* From the inputs and dy alone. */
NN_PRIVATE nn_result nn__op_program_backward(nn_site site, const char *who,
                                             const nn_program *program, const char *const *roles,
                                             nn_tensor *const *gradients, const nn_tensor *dy,
                                             const nn_tensor *const *inputs, const float *numbers,
                                             bool accumulate);
#endif
