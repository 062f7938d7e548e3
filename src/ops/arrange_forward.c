/* ops/arrange_forward.c - the immediate calls of permute, slice, concat, pad, flip and roll. */
#include "ops/arrange_private.h"

static nn_result nn__op_arrange_call(nn_site site, const char *who, nn_tensor *y,
                                     const nn_tensor *x, nn__op_arrange *p) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_DTYPE_DEFAULT},
                               {"x", x, 0, NN_DTYPE_DEFAULT}};
    return nn__immediate(site, who, nn__op_arrange_rule(p->kind), nn__install_strided_copy, given,
                         1, NN__COUNT(given), p);
}

NN_API nn_result nn_permute_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                       nn_axes order) {
    nn__op_arrange p = nn__op_arrange_params(NN__PERMUTE);
    p.axes = order;
    return nn__op_arrange_call(site, "nn_permute_forward", y, x, &p);
}

NN_API nn_result nn_slice_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                     const nn_slice_desc *desc) {
    nn__op_arrange p = nn__op_arrange_params(NN__SLICE);
    if (desc) p.slice = *desc;
    return nn__op_arrange_call(site, "nn_slice_forward", y, x, &p);
}

NN_API nn_result nn_pad_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                   const nn_pad_desc *desc) {
    nn__op_arrange p = nn__op_arrange_params(NN__PAD);
    if (desc) p.pad = *desc;
    return nn__op_arrange_call(site, "nn_pad_forward", y, x, &p);
}

NN_API nn_result nn_flip_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, nn_axes axes) {
    nn__op_arrange p = nn__op_arrange_params(NN__FLIP);
    p.axes = axes;
    return nn__op_arrange_call(site, "nn_flip_forward", y, x, &p);
}

NN_API nn_result nn_roll_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int shift,
                                    int axis) {
    nn__op_arrange p = nn__op_arrange_params(NN__ROLL);
    p.shift = shift;
    p.axis = axis;
    return nn__op_arrange_call(site, "nn_roll_forward", y, x, &p);
}

/* ---- concat: any number of inputs, one copy for each ----------------------------------------- */

static nn_result nn__op_concat_ready(nn_site site, const char *who, nn_tensor *y,
                                     const nn__op_arrange *p, int count) {
    nn__given given[] = {{"y", y, NN__WRITTEN, NN_DTYPE_DEFAULT},
                         {"x", NULL, 0, NN_DTYPE_DEFAULT},
                         {"x", NULL, NN__OPTIONAL, NN_DTYPE_DEFAULT}};
    nn__inference inference;
    nn__problem problem;
    nn_context *nn;
    nn_device device;
    /* the first input that is not NULL: errors about missing inputs are reported to its context */
    for (int i = 0; i < count && !given[2].tensor; i++) given[2].tensor = p->tensors[i];
    for (int i = 0; i < count; i++) {
        given[1].tensor = p->tensors[i];
        nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
        if (result != NN_OK) return result;
    }
    memset(&inference, 0, sizeof inference);
    memset(&problem, 0, sizeof problem);
    inference.operation = "concat";
    inference.params = p;
    inference.input_count = count;
    inference.problem = &problem;
    return nn__op_arrange_infer(&inference) &&
                   nn__hold_types(&inference, given, 1, NN__COUNT(given))
               ? NN_OK
               : nn__fail_problem(y->nn, site, who, &problem);
}

NN_API nn_result nn_concat_forward_at(nn_site site, nn_tensor *y, const nn_tensor *const *x,
                                      int count, int axis) {
    const char *who = "nn_concat_forward";
    nn__op_arrange p = nn__op_arrange_params(NN__CONCAT);
    nn_copy_piece piece;
    if (!x || count < 1)
        return nn__fail_at(y ? y->nn : NULL, site, NN_ERROR_ARGUMENT, "%s: there are no inputs",
                           who);
    p.axis = axis;
    p.tensors = x;
    nn_result result = nn__op_concat_ready(site, who, y, &p, count);
    if (result != NN_OK) return result;
    nn__install_strided_copy(y->nn);
    for (int i = 0; i < count && result == NN_OK; i++) {
        nn_strided_copy_args args;
        nn__op_arrange_forward(&p, &args, &piece, y->view, &x[i]->view, 1);
        result =
            nn__run_immediate(site, who, y->nn, y->device, NN_KERNEL_STRIDED_COPY, &args, NULL);
        p.before += x[i]->view.shape.extent[axis < 0 ? axis + y->view.shape.rank : axis];
    }
    return result;
}
