/* ops/immediate.c - what the operations share: checks of operands, running one kernel at once,
   and shapes with symbolic extents. Nothing here depends on a particular operation. */
#include "ops/private.h"

/* ---- immediate calls ------------------------------------------------------------------------- */

/* True if two tensors of one device share bytes; *same: exactly the same ones. On the CPU
   handles are addresses, and tensors in the caller's memory may overlap in any way. Elsewhere
   only views of one buffer overlap. */
static bool nn__given_shares(const nn_tensor *a, const nn_tensor *b, bool *same) {
    uint64_t a_at = a->view.offset, b_at = b->view.offset, a_bytes = nn_tensor_bytes(a),
             b_bytes = nn_tensor_bytes(b);
    *same = false;
    if (a->device.kind == NN_CPU) {
        a_at += (uint64_t)(uintptr_t)a->view.handle;
        b_at += (uint64_t)(uintptr_t)b->view.handle;
    } else if (a->view.handle != b->view.handle) {
        return false;
    }
    *same = a_at == b_at && a_bytes == b_bytes;
    return a_at < b_at + b_bytes && b_at < a_at + a_bytes;
}

static nn_result nn__check_overlap(nn_site site, const char *who, const nn__given *given, int count,
                                   nn_context *nn) {
    bool same;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count && given[i].tensor && (given[i].flags & NN__WRITTEN); j++) {
            if (i == j || !given[j].tensor ||
                !nn__given_shares(given[i].tensor, given[j].tensor, &same))
                continue;
            if (same && (given[i].flags & NN__IN_ITS_PLACE) && !(given[j].flags & NN__WRITTEN))
                continue;
            const char *or_same = given[i].flags & NN__IN_ITS_PLACE
                                      ? ", or exactly the memory of an operand of its shape"
                                      : "";
            return nn__fail_at(
                nn, site, NN_ERROR_ARGUMENT,
                "%s: %s \"%s\" shares memory with %s \"%s\", which would change while it is read; "
                "give %s memory of its own%s",
                who, given[i].role, given[i].tensor->name, given[j].role, given[j].tensor->name,
                given[i].role, or_same);
        }
    return NN_OK;
}

static nn_result nn__check_operands(nn_site site, const char *who, const nn__given *given,
                                    int count, nn_context **nn, nn_device *device) {
    const nn__given *first = NULL;
    for (int i = 0; i < count && !first; i++)
        if (given[i].tensor) first = &given[i];
    *nn = first ? first->tensor->nn : NULL;
    for (int i = 0; i < count; i++) {
        const nn_tensor *tensor = given[i].tensor;
        char one[32], other[32];
        if (tensor) nn__tensor_changes(tensor); /* it may be written */
        if (!tensor && (given[i].flags & NN__OPTIONAL)) continue;
        if (!tensor)
            return nn__fail_at(*nn, site, NN_ERROR_ARGUMENT, "%s: %s is NULL; give a tensor", who,
                               given[i].role);
        if (tensor->nn != *nn)
            return nn__fail_at(*nn, site, NN_ERROR_ARGUMENT,
                               "%s: %s \"%s\" and %s \"%s\" belong to different contexts; use one",
                               who, first->role, first->tensor->name, given[i].role, tensor->name);
        if (nn__check_whole(tensor, false, site, who) != NN_OK) return NN_ERROR_ARGUMENT;
        if (nn__is_mapped(tensor)) return nn__fail_mapped(tensor, site, who);
        if ((given[i].flags & NN__WRITTEN) && tensor->read_only)
            return nn__check_writable(tensor, site, who);
        if (!nn_same_device(tensor->device, first->tensor->device))
            return nn__fail_at(
                *nn, site, NN_ERROR_DEVICE,
                "%s: %s \"%s\" is on %s, %s \"%s\" on %s; copy one of them: nn_copy_to", who,
                first->role, first->tensor->name,
                nn_format_device(first->tensor->device, one, sizeof one), given[i].role,
                tensor->name, nn_format_device(tensor->device, other, sizeof other));
        if (given[i].dtype != NN_DTYPE_DEFAULT && tensor->view.dtype != given[i].dtype &&
            !((given[i].flags & NN__OR_HALF) && nn__is_half(tensor->view.dtype)))
            return nn__fail_at(*nn, site, NN_ERROR_DTYPE, "%s: %s \"%s\" is %s; wanted %s", who,
                               given[i].role, tensor->name, nn_dtype_name(tensor->view.dtype),
                               nn_dtype_name(given[i].dtype));
    }
    if (!first) return nn__fail_at(NULL, site, NN_ERROR_ARGUMENT, "%s: no tensor is given", who);
    *device = first->tensor->device;
    if (!nn__find_device(*nn, *device)) return nn__fail_not_open(*nn, site, who, *device);
    return nn__check_overlap(site, who, given, count, *nn);
}

NN_PRIVATE nn_result nn__check_given(nn_site site, const char *who, const nn__given *given,
                                     int count, nn_context **nn, nn_device *device) {
    nn_context *first = NULL;
    for (int i = 0; i < count && !first; i++)
        if (given[i].tensor) first = given[i].tensor->nn;
    return NN__ALONE(first, who, site, nn__check_operands(site, who, given, count, nn, device));
}

static nn_result nn__run_alone(nn_site site, const char *who, nn_context *nn, nn_device device,
                               nn_kernel kernel, void *args, nn_view *scratch, bool runs) {
    nn__open_device *on = nn__find_device(nn, device);
    char name[32], reason[160];
    nn_range all;
    nn_result result;
    if (!on) return nn__fail_not_open(nn, site, who, device);
    nn__set_precision(kernel, args, nn->desc.precision);
    if (!nn__has_kernel(on->backend, kernel))
        return nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED, "%s: %s has no kernel %s", who,
                           nn_format_device(device, name, sizeof name),
                           nn_kernel_name(kernel));
    reason[0] = 0;
    if (!nn__supports(on, kernel, args, reason, sizeof reason))
        return nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED, "%s: %s cannot run %s: %s", who,
                           nn_format_device(device, name, sizeof name),
                           nn_kernel_name(kernel), reason[0] ? reason : "no reason given");
    if (scratch) {
        result = nn__immediate_scratch(
            nn, device, on->backend->scratch_bytes(on->state, kernel, args), who, scratch);
        if (result != NN_OK) return result;
    }
    all.first = 0;
    all.count = -1;
    result = on->backend->prepare(on->state, kernel, args);
    if ((int)result >= 0 && runs) result = nn__call_kernel(on, kernel, args, all);
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(nn, site, result, "%s: %s on %s failed: %s", who, nn_kernel_name(kernel),
                       nn_format_device(device, name, sizeof name),
                       nn_result_text(result));
}

NN_PRIVATE nn_result nn__run_immediate(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, nn_kernel kernel, void *args,
                                       nn_view *scratch) {
    return NN__ALONE(nn, who, site,
                     nn__run_alone(site, who, nn, device, kernel, args, scratch, true));
}

NN_PRIVATE nn_result nn__prepare_immediate(nn_site site, const char *who, nn_context *nn,
                                           nn_device device, nn_kernel kernel, void *args,
                                           nn_view *scratch) {
    return NN__ALONE(nn, who, site,
                     nn__run_alone(site, who, nn, device, kernel, args, scratch, false));
}

NN_PRIVATE nn_result nn__fail_problem(nn_context *nn, nn_site site, const char *who,
                                      const nn__problem *problem) {
#ifdef NN_NO_REPORTS
    return nn__fail_at(nn, site, problem->code, who);
#else
    if (!problem->cause[0])
        return nn__fail_at(nn, site, problem->code, "%s: %s", who, nn_result_text(problem->code));
    return nn__fail_at(nn, site, problem->code, problem->fix[0] ? "%s: %s; %s" : "%s: %s", who,
                       problem->cause, problem->fix);
#endif
}

NN_PRIVATE nn_result nn__fail_shape(nn_context *nn, nn_site site, const char *who, const char *role,
                                    nn_shape wanted, nn_shape given) {
    char want[NN__SHAPE_TEXT], have[NN__SHAPE_TEXT];
    return nn__fail_at(nn, site, NN_ERROR_SHAPE, "%s: %s has the shape %s; wanted %s", who, role,
                       nn__format_shape(given, have, sizeof have),
                       nn__format_shape(wanted, want, sizeof want));
}

NN_PRIVATE nn_result nn__want_shape(nn_context *nn, nn_site site, const char *who, const char *role,
                                    nn_shape wanted, const nn_tensor *tensor) {
    if (!tensor || nn_same_shape(tensor->view.shape, wanted)) return NN_OK;
    return nn__fail_shape(nn, site, who, role, wanted, tensor->view.shape);
}

/* ---- immediate calls from rules -------------------------------------------------------------- */

NN_PRIVATE bool nn__hold_types(const nn__inference *inference, const nn__given *given, int outputs,
                               int count) {
    const nn__given *parameters = given + outputs + 1; /* after x */
    for (int i = 0; i < nn__mini(inference->parameter_count, count - outputs - 1); i++)
        if (parameters[i].tensor &&
            !nn__want_role_shape(inference->problem, parameters[i].role, inference->parameters[i],
                                 parameters[i].tensor->view.shape))
            return false;
    for (int k = 0; k < outputs; k++) {
        const nn_tensor *tensor = given[k].tensor;
        const nn_dtype wanted = nn__dtype(inference->outputs[k].dtype);
        if (!tensor) continue;
        if (tensor->view.dtype != wanted)
            return nn__problem_set(inference->problem, NN_ERROR_DTYPE, "",
                                   NN__TEXT("%s \"%s\" is %s; wanted %s"), given[k].role,
                                   tensor->name, nn_dtype_name(tensor->view.dtype),
                                   nn_dtype_name(wanted));
        if (!nn__want_role_shape(inference->problem, given[k].role, inference->outputs[k].shape,
                                 tensor->view.shape))
            return false;
    }
    return true;
}

NN_PRIVATE bool nn__shapes_fit(const nn__rule *rule, const nn__given *given, int outputs, int count,
                               const void *params, nn__problem *problem) {
    const char *roles[NN__INFERRED];
    nn__type types[NN__INFERRED];
    nn__inference inference;
    memset(&inference, 0, sizeof inference);
    memset(problem, 0, sizeof *problem);
    for (int i = 0; i < count - outputs; i++) {
        const nn_tensor *tensor = given[outputs + i].tensor;
        roles[i] = given[outputs + i].role;
        memset(&types[i], 0, sizeof types[i]);
        if (!tensor) continue;
        types[i].dtype = tensor->view.dtype;
        types[i].shape = tensor->view.shape;
        inference.input_count = i + 1; /* optional operands come last */
    }
    inference.operation = rule->name;
    inference.params = params;
    inference.inputs = types;
    inference.roles = roles;
    inference.problem = problem;
    return rule->infer(&inference) && nn__hold_types(&inference, given, outputs, count);
}

NN_PRIVATE nn_result nn__check_shapes(nn_site site, const char *who, nn_context *nn,
                                      const nn__rule *rule, const nn__given *given, int outputs,
                                      int count, const void *params) {
    nn__problem problem;
    return nn__shapes_fit(rule, given, outputs, count, params, &problem)
               ? NN_OK
               : nn__fail_problem(nn, site, who, &problem);
}

NN_PRIVATE nn_result nn__immediate(nn_site site, const char *who, const nn__rule *rule,
                                   nn__install install, const nn__given *given, int outputs,
                                   int count, const void *params) {
    nn_view inputs[NN__INFERRED];
    nn_copy_piece pieces[2]; /* for a strided copy */
    nn__run_values values;
    nn__lowering lowering;
    nn__args args;
    nn_node node;
    nn_context *nn;
    nn_device device;
    nn_result result = nn__check_given(site, who, given, count, &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, rule, given, outputs, count, params);
    if (result != NN_OK) return result;
    if (install) install(nn);
    memset(&values, 0, sizeof values);
    memset(&lowering, 0, sizeof lowering);
    memset(&args, 0, sizeof args);
    memset(&node, 0, sizeof node);
    node.rule = rule;
    node.name = rule->name;
    nn__set_operation(&node, rule->name);
    memcpy(&node.params, &params, sizeof params); /* drops the const: nobody writes through it */
    for (int i = outputs; i < count; i++) {
        inputs[i - outputs] = nn__view_of(given[i].tensor);
        if (given[i].tensor) node.input_count = i - outputs + 1;
    }
    lowering.inputs = inputs;
    lowering.output = nn__view_of(given[0].tensor);
    for (int k = 1; k < outputs; k++) lowering.more[k - 1] = nn__view_of(given[k].tensor);
    lowering.values = &values;
    lowering.pieces = pieces;
    rule->lower(&node, &lowering, &args);
    const nn_view *scratch = nn__kernel_scratch(rule->kernel, &args);
    const ptrdiff_t at = scratch ? (const char *)scratch - (const char *)&args : 0;
    nn_view *in_args = scratch ? (nn_view *)(void *)((char *)&args + at) : NULL;
    return nn__run_immediate(site, who, nn, device, rule->kernel, &args, in_args);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__symbolic_count(nn_shape shape, int64_t *count) {
    uint64_t product = 1;
    for (int i = 0; i < shape.rank; i++) {
        const int32_t factor = nn__extent_factor(shape.extent[i]);
        if (factor < 1 || !nn__multiply(product, (uint64_t)factor, &product) || product > INT64_MAX)
            return false;
    }
    *count = (int64_t)product;
    return true;
}

NN_PRIVATE bool nn__fold_extents(nn_shape shape, int first, int end, int32_t *extent) {
    int32_t product = 1;
    for (int i = first; i < end; i++)
        if (!nn__extent_multiply(product, shape.extent[i], &product)) return false;
    *extent = product;
    return true;
}

NN_PRIVATE bool nn__broadcast_shapes(nn_shape a, nn_shape b, nn_shape *y) {
    nn_shape wide = a.rank >= b.rank ? a : b, thin = a.rank >= b.rank ? b : a;
    int missing = wide.rank - thin.rank;
    for (int i = 0; i < thin.rank; i++) {
        int32_t p = wide.extent[missing + i], q = thin.extent[i];
        if (p != q && p != 1 && q != 1) return false;
        wide.extent[missing + i] = p == 1 ? q : p;
    }
    *y = wide;
    return true;
}

NN_PRIVATE nn_shape nn__keep_axes(nn_shape x, uint32_t axes) {
    for (int i = 0; i < x.rank; i++)
        if (axes >> i & 1u) x.extent[i] = 1;
    return x;
}

NN_PRIVATE bool nn__want_one_batch(nn__problem *problem, nn_shape y, nn_shape a, nn_shape b) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT], result[NN__SHAPE_TEXT];
    if (nn__free_extents(y, NN__OF_BATCH) < 2) return true;
    nn__format_shape(a, one, sizeof one);
    nn__format_shape(b, other, sizeof other);
    return nn__problem_set(problem, NN_ERROR_SHAPE,
                           NN__TEXT("give both one shape, so that sample meets sample: "
                                    "nn_reshape(net, b, nn_node_shape(a))"),
                           NN__TEXT("a is %s and b is %s; the result %s would pair every sample of "
                                    "the batch with every other"),
                           one, other, nn__format_shape(y, result, sizeof result));
}

NN_PRIVATE bool nn__want_dtype(nn__problem *problem, const char *operation, const char *role,
                               nn_dtype given, nn_dtype wanted) {
    char fix[96];
    if (given == wanted) return true;
#ifndef NN_NO_MIXED_PRECISION
    if (wanted == NN_F32 && nn__is_half(given)) return true; /* nn__add_node widens it */
#endif
    nn__explain(fix, sizeof fix, "give %s as %s", role, nn_dtype_name(wanted));
    return nn__problem_set(problem, NN_ERROR_DTYPE, fix, NN__TEXT("%s is %s; %s wants %s"), role,
                           nn_dtype_name(given), operation, nn_dtype_name(wanted));
}

NN_PRIVATE bool nn__refuse_number(nn__problem *problem, const char *field, int value,
                                  const char *wanted) {
    char fix[64];
#ifndef NN_NO_MIXED_PRECISION
    const bool others = wanted[0] != 'f' && (wanted[1] != ':' || wanted[0] > '1');
#else
    const bool others = true;
#endif
    nn__explain(fix, sizeof fix, others ? "set .%s" : "leave .%s out", field);
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT(fix),
                           NN__TEXT("%s is %d; it must be %s"), field, value, wanted);
}

NN_PRIVATE bool nn__want_fraction(nn__problem *problem, const char *field, float value,
                                  const char *fix) {
    if (value >= 0.0f && value <= 1.0f) return true;
    (void)fix;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT(fix),
                           NN__TEXT("%s is %g; it must be between 0 and 1"), field, (double)value);
}

NN_PRIVATE bool nn__refuse_argument(nn__problem *problem, const char *name, int value,
                                    const char *wanted) {
    char fix[64];
    nn__explain(fix, sizeof fix, "another %s", name);
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT(fix),
                           NN__TEXT("%s is %d; it must be %s"), name, value, wanted);
}

NN_PRIVATE bool nn__want_image(nn__problem *problem, const char *operation, const char *source,
                               nn_shape x, int known) {
    char text[NN__SHAPE_TEXT];
    nn__format_shape(x, text, sizeof text);
    if (x.rank != 4)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s %s has %d extents; %s wants 4: (N, C, H, W)"), source,
                               text, (int)x.rank, operation);
    for (int i = known; i < 4; i++)
        if (nn__is_symbolic(x.extent[i]))
            return nn__problem_set(
                problem, NN_ERROR_SHAPE,
                NN__TEXT("windows may keep such an extent (.same) or divide it (.stride = "
                         ".kernel), whatever it is; nn_multiply_extents(NN_TIME, 2) is one that 2 "
                         "divides"),
                NN__TEXT("extent %d of %s %s depends on the %s"), i, source, text,
                nn__free_words(x.extent[i]));
    return true;
}

NN_PRIVATE bool nn__count_windows(int32_t x, int64_t more, int64_t stride, int32_t *windows) {
#ifndef NN_NO_RARE_OPTIONS
    if (nn__is_symbolic(x)) { /* x is a symbolic multiple of the stride: x / stride windows */
        const int32_t factor = nn__extent_factor(x);
        return factor % stride == 0 && more < 0 && more >= -stride &&
               nn__extent_make(factor / stride, nn__extent_kind(x), windows);
    }
#endif
    if (nn__is_symbolic(x) || x + more < 0) return false;
    *windows = (int32_t)nn__min64((x + more) / stride + 1, INT32_MAX);
    return true;
}

NN_PRIVATE bool nn__want_padded(nn__problem *problem, const char *source, nn_shape x,
                                int64_t around_h, int64_t around_w) {
    const int64_t h = x.extent[2] + around_h, w = x.extent[3] + around_w;
    if (h <= INT32_MAX / 2 && w <= INT32_MAX / 2) return true;
    return nn__problem_set(
        problem, NN_ERROR_SHAPE, NN__TEXT("less padding"),
        NN__TEXT("%s with its padding is %lld x %lld; both must be less than 2^30"), source,
        (long long)h, (long long)w);
}

NN_PRIVATE const char *nn__channels_last_words(nn_shape x) {
    const int32_t *e = x.extent;
    if (x.rank != 4 || e[3] < 1 || e[3] > 4 || e[1] <= 4 || e[2] <= 4) return "";
    return NN__TEXT("; it looks like NHWC, and images are (N, C, H, W) here as in PyTorch");
}

NN_PRIVATE bool nn__want_role_shape(nn__problem *problem, const char *role, nn_shape wanted,
                                    nn_shape given) {
    char want[NN__SHAPE_TEXT], have[NN__SHAPE_TEXT];
    if (nn__equal_shapes(&wanted, &given)) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, "", NN__TEXT("%s has the shape %s; wanted %s"),
                           role, nn__format_shape(given, have, sizeof have),
                           nn__format_shape(wanted, want, sizeof want));
}
