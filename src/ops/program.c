/* ops/program.c - nodes and immediate calls whose kernel is a pointwise program. Nothing here
   depends on a particular operation: programs come from ops/table.txt, from texts
   (ops/expression.c) or from other programs (ops/program_gradient.c). */
#include "ops/program.h"

/* ---- rule ------------------------------------------------------------------------------------ */

/* Each step of training has 2^32 counters of four random words, so no two steps share any. */
NN_PRIVATE void nn__op_program_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *args) {
    const nn__program_params *params = (const nn__program_params *)node->params;
    nn_program_args *to = &args->pointwise;
    const nn_program *program = &params->program;
    to->program = *program; /* the rest stays 0; there is only room for the program's own inputs */
#if defined(NN_NO_TRAINING) && defined(NN_NO_SPEEDUPS)
    to->outputs[0] = lowering->output; /* only gradients and joined programs have more outputs */
#else
    to->program.output_count = 0;
    for (int k = 0; k < program->output_count; k++) { /* omits outputs that nobody reads */
        const nn_view *view = k ? &lowering->more[k - 1] : &lowering->output;
        if (!nn__present(view)) continue;
        to->program.output[to->program.output_count] = program->output[k];
        to->outputs[to->program.output_count++] = *view;
    }
#endif
    memcpy(to->inputs, lowering->inputs, sizeof(nn_view) * program->input_count);
    memcpy(to->scalars, params->scalars, sizeof(float) * program->scalar_count);
    to->scratch = lowering->scratch;
    to->seed = lowering->values->seed;
    to->stream = params->stream;
    to->counter = (uint64_t)lowering->values->step << 32;
}

#ifndef NN_NO_REPORTS
/* One operation for each instruction that computes. */
NN_PRIVATE double nn__op_program_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn_program *program = &((const nn__program_params *)node->params)->program;
    const nn_view *output = &lowering->output;
    int count = 0;
    for (int k = 0; !nn__present(output) && k < NN__MAX_OUTPUTS - 1; k++)
        output = &lowering->more[k];
    for (int i = 0; i < program->count; i++)
        count += nn__instruction_operands(program->code[i].code) > 0;
    return (double)nn__count(output) * (double)(count ? count : 1);
}
#endif

NN_PRIVATE bool nn__op_unary_infer(nn__inference *inference) {
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = inference->inputs[0].shape;
    return nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                          inference->inputs[0].dtype, NN_F32);
}

/* Checks that all inputs are f32 and broadcast to one shape. */
NN_PRIVATE bool nn__op_program_infer(nn__inference *inference) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    const nn__program_params *params = (const nn__program_params *)inference->params;
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    for (int i = 0; i < inference->input_count; i++) {
        const nn__type *input = &inference->inputs[i];
        nn_shape before = shape;
        if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            input->dtype, NN_F32))
            return false;
        if (i == 0) {
            shape = input->shape;
            continue;
        }
        if (!nn__broadcast_shapes(before, input->shape, &shape))
            return nn__problem_set(
                inference->problem, NN_ERROR_SHAPE, NN__TEXT("reshape one of them"),
                NN__TEXT("%s is %s and %s is %s; aligned at their last extents, two must be equal "
                         "or one of them 1"),
                i > 1 ? "the result so far" : inference->roles[0],
                nn__format_shape(before, one, sizeof one), inference->roles[i],
                nn__format_shape(input->shape, other, sizeof other));
        if (!nn__want_one_batch(inference->problem, shape, before, input->shape)) return false;
    }
    for (int k = 0; k < params->program.output_count; k++) {
        inference->outputs[k].dtype = NN_F32;
        inference->outputs[k].shape = shape;
    }
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

NN_PRIVATE void nn__op_line_params(const nn__line *line, const float *numbers,
                                   nn__program_params *params) {
    params->line = line;
    params->program = line->program;
    params->stream = 0;
    if (numbers) memcpy(params->scalars, numbers, sizeof(float) * line->program.scalar_count);
}

#ifndef NN_NO_MIXED_PRECISION
NN_PRIVATE void nn__op_program_dtypes(nn_context *nn, nn_node *const *inputs, int count) {
    for (int i = 0; i < count; i++)
        if (inputs[i] && nn__is_half(inputs[i]->dtype)) nn__install_program_dtypes(nn);
}
#endif

NN_PRIVATE void nn__op_desc_numbers(float *numbers, const void *desc, const float *defaults,
                                    int count) {
    if (desc) memcpy(numbers, desc, sizeof *numbers * (size_t)count);
    for (int i = 0; i < count; i++)
        numbers[i] = nn__or_default(desc ? numbers[i] : 0.0f, defaults[i]);
}

NN_PRIVATE nn_node *nn__op_line_node(nn_site site, nn_model *net, const nn__line *line,
                                     nn_node *const *inputs, const float *numbers) {
    nn__program_params params;
    nn__op_line_params(line, numbers, &params);
    if (net) nn__op_program_dtypes(net->nn, inputs, line->program.input_count);
    return nn__build(site, net, &line->rule, line->install, NULL, inputs, line->roles,
                     line->program.input_count, &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

NN_PRIVATE nn_node *nn__add_line(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const nn__line *line,
                                 nn_node *const *inputs, const char *const *roles, nn_shape shape,
                                 const float *numbers) {
    nn__program_params params;
    nn__op_line_params(line, numbers, &params);
    for (int i = 0; i < line->program.input_count; i++)
        if (inputs[i]->poisoned) return inputs[i];
    line->install(graph->nn);
    return nn__add_node(graph, site, rule ? rule : &line->rule, operation, NULL, inputs,
                        roles ? roles : line->roles, line->program.input_count, NN_F32, shape,
                        &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__op_program_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    tape->program(tape, node, dy);
}

NN_PRIVATE nn_node *nn__tape_numbers(nn__tape *tape, const nn__line *line, nn_node *const *inputs,
                                     nn_shape shape, const nn_node *like, const float *numbers) {
    nn__program_params params;
    nn__op_line_params(line, numbers, &params);
    for (int i = 0; i < line->program.input_count; i++)
        if (inputs[i]->poisoned) return inputs[i];
    line->install(tape->nn);
    return nn__tape_node(tape, &line->rule, like, ".grad", inputs, line->program.input_count,
                         NN_F32, shape, &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

NN_PRIVATE nn_node *nn__tape_line(nn__tape *tape, const nn__line *line, nn_node *const *inputs,
                                  nn_shape shape, const nn_node *like) {
    return nn__tape_numbers(tape, line, inputs, shape, like, NULL);
}

NN_PRIVATE nn_node *nn__tape_program(nn__tape *tape, const nn_program *program,
                                     const float *scalars, nn_node *const *inputs,
                                     const nn_node *like) {
    static const nn__rule rule =
        NN__LINE_RULE("program", NN_ACTIVATION_NONE, NULL);
    nn__program_params params;
    nn_shape shape = inputs[0]->shape;
    memset(&params, 0, sizeof params);
    params.program = *program;
    for (int i = 0; i < program->scalar_count; i++) params.scalars[i] = scalars[i];
    for (int i = 0; i < program->input_count; i++) {
        const nn_shape before = shape;
        if (inputs[i]->poisoned) return inputs[i];
        if (nn__broadcast_shapes(before, inputs[i]->shape, &shape)) continue;
        tape->failed = true;
        return nn__poison(tape->graph->model);
    }
    nn__install_program(tape->nn);
    nn__install_program_general(tape->nn);
    return nn__tape_node(tape, &rule, like, ".step", inputs, program->input_count, NN_F32, shape,
                         &params, NN__PROGRAM_PARAMS_BYTES(&params));
}
#endif

/* ---- immediate ------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__op_program_forward(nn_site site, const char *who, const nn__rule *rule,
                                            nn__install install,
                                            const nn__program_params *params,
                                            const char *const *roles, nn_tensor *y,
                                            const nn_tensor *const *inputs) {
    nn__given given[NN_PROGRAM_INPUTS + 1];
    const int count = params->program.input_count;
    memset(given, 0, sizeof given);
    given[0].role = "y";
    given[0].tensor = y;
    given[0].flags = NN__WRITTEN | NN__IN_ITS_PLACE;
    given[0].dtype = NN_F32;
    for (int i = 0; i < count; i++) {
        given[i + 1].role = roles[i];
        given[i + 1].tensor = inputs[i];
        given[i + 1].dtype = NN_F32;
    }
    return nn__immediate(site, who, rule, install, given, 1, count + 1, params);
}

NN_PRIVATE nn_result nn__op_line_forward(nn_site site, const nn__line *line, nn_tensor *y,
                                         const nn_tensor *const *inputs, const float *numbers) {
    nn__program_params params;
    char who[64];
    nn__op_line_params(line, numbers, &params);
    nn__join_text(who, sizeof who, "nn_", line->rule.name, "_forward");
    return nn__op_program_forward(site, who, &line->rule, line->install, &params, line->roles, y,
                                  inputs);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__op_program_derivative(nn_site site, const char *who,
                                               const nn_program *program, int which,
                                               const nn_tensor *y, nn_tensor *dx,
                                               const nn_tensor *dy,
                                               const nn_tensor *const *inputs,
                                               const float *numbers, bool accumulate) {
    nn_instruction code[NN_PROGRAM_LENGTH];
    uint8_t from[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS];
    nn_program_args args;
    nn__draft draft;
    memset(&args, 0, sizeof args);
    if (!nn__program_derive(program, 1u << which, y != NULL, &draft) ||
        !nn__draft_finish(&draft, code, &args.program, from, scalars))
        return nn__fail_at(dx->nn, site, NN_ERROR_UNSUPPORTED,
                           "%s: the derivative for \"%s\" exceeds the limits of a program: %d "
                           "instructions, %d inputs",
                           who, dx->name, NN_PROGRAM_LENGTH, NN_PROGRAM_INPUTS);
    nn__install_pointwise(dx->nn);
    for (int k = 0; k < args.program.scalar_count; k++) args.scalars[k] = numbers[scalars[k]];
    args.accumulate = accumulate;
    args.outputs[0] = dx->view;
    for (int k = 0; k < args.program.input_count; k++)
        args.inputs[k] = from[k] < NN__DERIVE_RESULT     ? inputs[from[k]]->view
                         : from[k] < NN__DERIVE_GRADIENT ? y->view
                                                         : dy->view;
    return nn__run_immediate(site, who, dx->nn, dx->device, NN_KERNEL_POINTWISE, &args,
                             &args.scratch);
}

NN_PRIVATE nn_result nn__op_program_backward(nn_site site, const char *who,
                                             const nn_program *program, const char *const *roles,
                                             nn_tensor *const *gradients, const nn_tensor *dy,
                                             const nn_tensor *const *inputs, const float *numbers,
                                             bool accumulate) {
    nn__given given[2 * NN_PROGRAM_INPUTS + 1];
    char names[NN_PROGRAM_INPUTS][NN__SYMBOL_BYTES + 2];
    nn_context *nn;
    nn_device device;
    int count = program->input_count, asked = 0, in_place;
    memset(given, 0, sizeof given);
    given[0].role = "dy";
    given[0].tensor = dy;
    for (int i = 0; i < count; i++) asked += gradients[i] != NULL;
    in_place = asked == 1 ? NN__IN_ITS_PLACE
                          : 0; /* else the second gradient would read what the first one
                                  overwrote */
    for (int i = 0; i < count; i++) {
        nn__join_text(names[i], sizeof names[i], "d", roles[i], "");
        given[i + 1].role = roles[i];
        given[i + 1].tensor = inputs[i];
        given[count + i + 1].role = names[i];
        given[count + i + 1].tensor = gradients[i];
        given[count + i + 1].flags = NN__WRITTEN | NN__OPTIONAL | in_place;
    }
    for (int i = 0; i <= 2 * count; i++) given[i].dtype = NN_F32;
    nn_result result = nn__check_given(site, who, given, 2 * count + 1, &nn, &device);
    for (int i = 1; result == NN_OK && i <= 2 * count; i++)
        result = nn__want_shape(nn, site, who, given[i].role, dy->view.shape, given[i].tensor);
    for (int i = 0; i < count && result == NN_OK; i++)
        if (gradients[i])
            result = nn__op_program_derivative(site, who, program, i, NULL, gradients[i], dy,
                                               inputs, numbers, accumulate);
    return result;
}

NN_PRIVATE nn_result nn__op_line_backward(nn_site site, const nn__line *line,
                                          nn_tensor *const *gradients, const nn_tensor *dy,
                                          const nn_tensor *const *inputs, const float *numbers,
                                          bool accumulate) {
    char who[64];
    nn__join_text(who, sizeof who, "nn_", line->rule.name, "_backward");
    return nn__op_program_backward(site, who, &line->program, line->roles, gradients, dy, inputs,
                                   numbers, accumulate);
}
#endif
