/* onnx/write_plan_text.c - prints a plan of constants: weights, the block, tensors, kernels, steps,
   and the function that runs them. */
#include "onnx/planned.h"

static void nn__planned_flush(nn__planned *p) {
    nn__onnx_growing *text = &p->w.args;
    if (text->size > 0)
        p->w.desc->writer.function(p->w.desc->writer.user, (const char *)text->at, text->size);
    text->size = 0;
}

static const char *nn__planned_type(nn_dtype dtype) {
    return dtype == NN_F32   ? "float"
           : dtype == NN_I32 ? "int32_t"
           : dtype == NN_I8  ? "int8_t"
                             : "uint8_t";
}

/* ---- head, weights, block -------------------------------------------------------------------- */

static void nn__planned_head(nn__planned *p) {
    nn__onnx_growing *to = &p->w.args;
    const char *n = p->w.name;
    nn__c_print(
        to,
        "/* The plan of the net \"%s\", printed by nn_write_plan_c for nn.h %s. Include it after\n"
        "   nn.h in the file with the implementation. Write the inputs, call %s_run,\n"
        "   read the outputs. */\n#ifndef %s_PLAN_C\n#define %s_PLAN_C\n\n",
        n, NN_VERSION, n, n, n);
    nn__c_includes(&p->w, to);
    nn__c_print(to,
                "#ifndef NN__IMPLEMENTED_HERE\n"
                "#error \"this plan calls kernels of nn.h by name; include it after nn.h in the "
                "file that defines NN_IMPLEMENTATION or NN_STATIC\"\n#endif\n");
    nn__c_print(to,
                "#if NN_VERSION_MAJOR != %d || NN_VERSION_MINOR != %d || NN_VERSION_PATCH != %d\n"
                "#error \"this plan was printed for nn.h %s; print it again\"\n#endif\n"
                "NN__FIXED_CHECK\n",
                (int64_t)NN_VERSION_MAJOR, (int64_t)NN_VERSION_MINOR, (int64_t)NN_VERSION_PATCH,
                NN_VERSION);
    if (p->rare)
        nn__c_print(to, "#ifdef NN_NO_RARE_OPTIONS\n#error \"this plan has pools with dilation, a "
                        "divisor or adaptive windows; do not define NN_NO_RARE_OPTIONS\"\n"
                        "#endif\n");
    nn__planned_flush(p);
}

static void nn__planned_weights(nn__planned *p) {
    for (int i = 0; i < p->value_count && p->w.e.call->code == NN_OK; i++)
        if (p->values[i].leaf && p->values[i].last >= 0)
            p->values[i].array = p->values[i].packed
                                     ? nn__planned_packed_array(p, p->values[i].node)
                                     : nn__c_array_of(&p->w, p->values[i].node);
}

static void nn__planned_block(nn__planned *p) {
    const int64_t scratch = (p->scratch + 15) / 16 * 16, bytes = p->activations + scratch;
    nn__c_print(&p->w.args,
                "\n/* Inputs, activations and outputs; then %d bytes of scratch memory. */\n"
                "static uint64_t %s_block[%d / 8];\n",
                scratch, p->w.name, bytes > 0 ? bytes : 16);
    p->scratch = scratch;
}

/* Prints the shape as a comment says it. */
static void nn__planned_shape(nn__planned *p, const nn_shape *shape, const char *before,
                              const char *after) {
    nn__c_print(&p->w.args, "%s", before);
    for (int i = 0; i < shape->rank; i++)
        nn__c_print(&p->w.args, i ? ", %d" : "%d", (int64_t)shape->extent[i]);
    nn__c_print(&p->w.args, "%s", after);
}

/* Prints the address of a value. */
static void nn__planned_address(nn__planned *p, int value) {
    const nn__planned_value *v = &p->values[value];
    if (v->array)
        nn__c_print(&p->w.args, "%s", v->array);
    else
        nn__c_print(&p->w.args, "(char *)%s_block + %d", p->w.name, v->offset);
}

static void nn__planned_tensors(nn__planned *p) {
    nn__onnx_growing *to = &p->w.args;
    nn__c_print(to, "\nstatic const nn__fixed_tensor %s_tensors[] = {\n", p->w.name);
    for (int i = 0; i < p->tensor_count; i++) {
        const nn__planned_tensor *t = &p->tensors[i];
        nn__c_print(to, "    {");
        nn__planned_address(p, t->value);
        nn__planned_shape(p, &t->shape, ", {", t->shape.rank ? "}" : "0}");
        nn__c_print(to, ", %d, %s},\n", (int64_t)t->shape.rank, nn__c_dtype(t->dtype));
        nn__planned_flush(p);
    }
    if (p->tensor_count == 0) nn__c_print(to, "    {NULL, {0}, 0, 0},\n");
    nn__c_print(to, "};\n");
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* True if a step of the kernel gives the field. */
static bool nn__planned_gives(const nn__planned *p, const nn__planned_kernel *kernel, int field) {
    for (int s = 0; s < p->step_count; s++)
        if (p->steps[s].kernel == kernel && p->steps[s].fields[field]) return true;
    return false;
}

/* Returns the number of a step's kernel, in the order in which kernels first occur. fresh: this
   step is the first of its kernel. */
static int64_t nn__planned_number_of(const nn__planned *p, int step, bool *fresh) {
    int64_t number = 0;
    *fresh = true;
    for (int s = 0; s < step; s++) {
        bool before;
        if (p->steps[s].kernel == p->steps[step].kernel) {
            *fresh = false;
            return nn__planned_number_of(p, s, &before);
        }
        (void)nn__planned_number_of(p, s, &before);
        number += before;
    }
    return number;
}

/* Products in batches have a kernel of their own. */
static const char *nn__planned_object(const nn__planned *p, const nn__planned_kernel *kernel) {
    if (kernel->kernel == NN_KERNEL_GEMM)
        for (int i = 0; i < kernel->count; i++)
            if (strncmp(kernel->fields[i].name, "batch[", 6) == 0)
                for (int s = 0; s < p->step_count; s++)
                    if (p->steps[s].kernel == kernel && p->steps[s].fields[i] > 1)
                        return "nn__gemm_general_kernel";
    return kernel->object;
}

static void nn__planned_calls(nn__planned *p) {
    nn__onnx_growing *to = &p->w.args;
    for (int s = 0; s < p->step_count; s++) {
        const nn__planned_kernel *kernel = p->steps[s].kernel;
        int64_t views = 0, numbers = 0;
        bool fresh;
        const int64_t number = nn__planned_number_of(p, s, &fresh);
        if (!fresh) continue;
        nn__c_print(to, "\nstatic const uint16_t %s_places_%d[] = {", p->w.name, number);
        for (int i = 0; i < kernel->count; i++) {
            if (!nn__planned_gives(p, kernel, i)) continue;
            nn__c_print(to, "%s\n    NN__FIXED(%s, %s)", views + numbers ? "," : "", kernel->args,
                        kernel->fields[i].name);
            *(kernel->fields[i].kind == 'v' ? &views : &numbers) += 1;
        }
        nn__c_print(to, "};\nstatic const nn__fixed_call %s_call_%d = {\n    &%s, %s_places_%d, ",
                    p->w.name, number, nn__planned_object(p, kernel), p->w.name, number);
        nn__c_print(to, "(uint16_t)sizeof(%s), ", kernel->args);
        if (kernel->pointer)
            nn__c_print(to, "(uint16_t)offsetof(%s, %s)", kernel->args, kernel->pointer);
        else
            nn__c_print(to, "0");
        nn__c_print(to, ", %d, %d};\n", views, numbers);
        nn__planned_flush(p);
    }
}

/* ---- what steps point to --------------------------------------------------------------------- */

static const char *nn__planned_code_name(int code) {
    static const char *const names[] = {
#define NN__X(upper, lower, text, operands, weight, value) #upper,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return names[code];
}

static void nn__planned_code(nn__planned *p, int s) {
    const nn__planned_step *step = &p->steps[s];
    nn__onnx_growing *to = &p->w.args;
    if (!step->code) return;
    nn__c_print(to, "\nstatic const nn_instruction %s_code_%d[] = {\n", p->w.name, (int64_t)s);
    for (int i = 0; i < step->code_count; i++) {
        const nn_instruction *one = &step->code[i];
        nn__c_print(to, "    {NN_CODE_%s, %d, %d, %d, %s},\n", nn__planned_code_name(one->code),
                    (int64_t)one->a, (int64_t)one->b, (int64_t)one->c,
                    nn__c_real(&p->w, one->value, false));
    }
    nn__c_print(to, "};\n");
}

static void nn__planned_numbers_of(nn__planned *p, const int64_t *numbers, int count) {
    for (int i = 0; i < count; i++) nn__c_print(&p->w.args, i ? ", %d" : "{%d", numbers[i]);
    nn__c_print(&p->w.args, "}");
}

static void nn__planned_pieces(nn__planned *p, int s) {
    const nn__planned_step *step = &p->steps[s];
    nn__onnx_growing *to = &p->w.args;
    if (!nn__planned_is_piecewise(step) || step->piece_count == 0) return;
    nn__c_print(to, "\nstatic const nn_copy_piece %s_pieces_%d[] = {\n", p->w.name, (int64_t)s);
    for (int i = 0; i < step->piece_count; i++) {
        const nn_copy_piece *piece = &step->pieces[i];
        const nn__planned_tensor *x = &p->tensors[(size_t)piece->x.handle - 1];
        int64_t extent[NN_COPY_AXES];
        for (int k = 0; k < NN_COPY_AXES; k++) extent[k] = piece->extent[k];
        nn__c_print(to, "    {{(void *)(");
        nn__planned_address(p, x->value);
        nn__c_print(to, "), 0, {{0}, 0}, %s}, ", nn__c_dtype(x->dtype));
        nn__planned_numbers_of(p, extent, NN_COPY_AXES);
        nn__c_print(to, ", ");
        nn__planned_numbers_of(p, piece->x_stride, NN_COPY_AXES);
        nn__c_print(to, ", ");
        nn__planned_numbers_of(p, piece->y_stride, NN_COPY_AXES);
        nn__c_print(to, ", %d, %d},\n", piece->x_first, piece->y_first);
        nn__planned_flush(p);
    }
    nn__c_print(to, "};\n");
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Prints the tensors ('v') or the numbers of all steps as one array. */
static void nn__planned_fields_of(nn__planned *p, bool views) {
    nn__onnx_growing *to = &p->w.args;
    nn__c_print(to,
                views ? "\nstatic const uint16_t %s_views[] = {\n"
                      : "\nstatic const int32_t %s_numbers[] = {\n",
                p->w.name);
    for (int s = 0; s < p->step_count; s++) {
        const nn__planned_step *step = &p->steps[s];
        nn__c_print(to, "    ");
        for (int i = 0; i < step->kernel->count; i++) {
            if ((step->kernel->fields[i].kind == 'v') != views ||
                !nn__planned_gives(p, step->kernel, i))
                continue;
            nn__c_print(to, step->fields[i] == INT32_MIN ? "INT32_MIN, " : "%d, ", step->fields[i]);
        }
        nn__c_print(to, "/* %s */\n", nn_describe_node(step->node).operation);
        nn__planned_flush(p);
    }
    nn__c_print(to, "    0};\n");
}

static void nn__planned_steps(nn__planned *p) {
    nn__onnx_growing *to = &p->w.args;
    int64_t view = 0, number = 0;
    nn__c_print(to, "\nstatic const nn__fixed_step %s_steps[] = {\n", p->w.name);
    for (int s = 0; s < p->step_count; s++) {
        const nn__planned_step *step = &p->steps[s];
        bool fresh;
        nn__c_print(to, "    {&%s_call_%d, ", p->w.name, nn__planned_number_of(p, s, &fresh));
        if (step->code)
            nn__c_print(to, "%s_code_%d", p->w.name, (int64_t)s);
        else if (nn__planned_is_piecewise(step) && step->piece_count > 0)
            nn__c_print(to, "%s_pieces_%d", p->w.name, (int64_t)s);
        else
            nn__c_print(to, "NULL");
        nn__c_print(to, ", %s_views + %d, %s_numbers + %d},\n", p->w.name, view, p->w.name, number);
        for (int i = 0; i < step->kernel->count; i++)
            if (nn__planned_gives(p, step->kernel, i))
                *(step->kernel->fields[i].kind == 'v' ? &view : &number) += 1;
        nn__planned_flush(p);
    }
    if (p->step_count == 0) nn__c_print(to, "    {NULL, NULL, NULL, NULL},\n");
    nn__c_print(to, "};\n");
}

/* ---- the function ---------------------------------------------------------------------------- */

/* Prints the functions that kernels call through their device. Returns false if there are none. */
static bool nn__planned_install(nn__planned *p) {
    nn__onnx_growing *to = &p->w.args;
    bool rows = false;
    for (int i = NN_CODE_RANDOM + 1; i < NN_INSTRUCTION_COUNT; i++) rows |= p->rows[i];
    if (!rows && !p->relu && !p->general && !p->dtypes) return false;
    nn__c_print(to, "\nstatic void %s_install(nn__fixed_uses *uses) {\n", p->w.name);
    if (p->relu) nn__c_print(to, "    NN__FIXED_RELU(uses);\n");
    for (int i = NN_CODE_RANDOM + 1; i < NN_INSTRUCTION_COUNT; i++)
        if (p->rows[i])
            nn__c_print(to, "    NN__FIXED_CODE(uses, %s);\n", nn__planned_code_name(i));
    if (p->general || p->dtypes) nn__c_print(to, "    NN__FIXED_GENERAL(uses);\n");
    if (p->dtypes) nn__c_print(to, "    NN__FIXED_DTYPES(uses);\n");
    nn__c_print(to, "}\n");
    return true;
}

static void nn__planned_run(nn__planned *p, bool installs) {
    nn__onnx_growing *to = &p->w.args;
    const char *n = p->w.name;
    nn__c_print(to,
                "\nstatic const nn__fixed_plan %s_plan = {%s_tensors, %s_steps, %d, %s%s,\n"
                "    (char *)%s_block + %d, %d};\n",
                n, n, n, (int64_t)p->step_count, installs ? n : "NULL", installs ? "_install" : "",
                n, p->activations, p->scratch);
    nn__c_print(to,
                "\n/* Computes the outputs. Returns NN_OK. */\n"
                "static inline nn_result %s_run(void) {\n    union {\n        int64_t none;\n",
                n);
    for (int s = 0; s < p->step_count; s++) {
        bool fresh;
        const int64_t number = nn__planned_number_of(p, s, &fresh);
        if (fresh) nn__c_print(to, "        %s of_%d;\n", p->steps[s].kernel->args, number);
    }
    nn__c_print(to, "    } args;\n    return nn__fixed_run(&%s_plan, &args);\n}\n", n);
    nn__planned_flush(p);
}

/* Prints the pointer to an input or output. */
static void nn__planned_end(nn__planned *p, const nn_node *node, const char *base, int value,
                            const char *role) {
    nn__onnx_growing *to = &p->w.args;
    const char *name =
        nn__c_new_name(&p->w, &p->w.arrays, nn__c_text(&p->w, "%s_%s", p->w.name, base));
    const nn_dtype dtype = nn_node_dtype(node);
    nn_shape shape = nn_node_shape(node);
    for (int i = 0; i < shape.rank; i++) {
        uint8_t powers;
        int64_t extent = nn__onnx_split_extent(shape.extent[i], &powers);
        if (powers & 1) extent *= p->desc->batch ? p->desc->batch : 1;
        if (powers & 2) extent *= p->desc->time ? p->desc->time : 1;
        shape.extent[i] = (int32_t)extent;
    }
    nn__c_print(to,
                "static %s *const NN__UNUSED %s = (%s *)(void *)((char *)%s_block + %d); /* %s, ",
                nn__planned_type(dtype), name, nn__planned_type(dtype), p->w.name,
                p->values[value].offset, role);
    nn__planned_shape(p, &shape, nn__c_text(&p->w, "%s (", nn_dtype_name(dtype)), ") */\n");
    nn__planned_flush(p);
}

static void nn__planned_ends(nn__planned *p) {
    nn__c_print(&p->w.args, "\n");
    for (int i = 0; i < p->value_count; i++)
        if (nn_describe_node(p->values[i].node).kind == NN_NODE_INPUT)
            nn__planned_end(p, p->values[i].node, nn_node_name(p->values[i].node), i, "input");
    for (int k = 0; k < p->desc->outputs.count; k++) {
        const nn_node *node = p->desc->outputs.node[k];
        for (int32_t i = 0; i < p->w.count; i++)
            if (p->w.nodes[i] == node)
                nn__planned_end(p, node,
                                p->desc->output_names.count ? p->desc->output_names.text[k]
                                                            : nn_node_name(node),
                                p->of[i], "output");
    }
}

NN__ONNX_PRIVATE bool nn__planned_print(nn__planned *p) {
    static const char *const own[] = {"block", "tensors", "views", "numbers", "steps",
                                      "plan",  "install", "run",   "PLAN_C"};
    static const char *const of_steps[] = {"call", "places", "code", "pieces"};
    bool installs;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        nn__c_new_name(&p->w, &p->w.arrays, nn__c_text(&p->w, "%s_%s", p->w.name, own[i]));
    for (int i = 0; i < 4 * p->step_count; i++)
        nn__c_new_name(&p->w, &p->w.arrays,
                       nn__c_text(&p->w, "%s_%s_%d", p->w.name, of_steps[i % 4], i / 4));
    nn__planned_head(p);
    nn__planned_weights(p);
    if (p->w.e.call->code != NN_OK) return false;
    nn__planned_block(p);
    nn__planned_tensors(p);
    nn__planned_calls(p);
    for (int s = 0; s < p->step_count; s++) {
        nn__planned_code(p, s);
        nn__planned_pieces(p, s);
    }
    nn__planned_fields_of(p, true);
    nn__planned_fields_of(p, false);
    nn__planned_steps(p);
    installs = nn__planned_install(p);
    nn__planned_run(p, installs);
    nn__planned_ends(p);
    nn__c_print(&p->w.args, "\n#endif\n");
    nn__planned_flush(p);
    if (p->w.args.failed)
        return nn__onnx_fail(p->w.e.call, NN_ERROR_MEMORY, "no memory for the text");
    return p->w.e.call->code == NN_OK;
}
