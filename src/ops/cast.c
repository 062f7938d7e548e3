/* ops/cast.c - what users say of casts. The node, and the pass that inserts casts, are in
   graph/cast.c. */
#include "ops/private.h"

static bool nn__op_cast_check(nn_dtype from, nn_dtype to, nn__problem *problem) {
    if (nn__can_cast(from) && nn__can_cast(to)) return true;
    const nn_dtype wrong = nn__can_cast(from) ? to : from;
    if (nn_dtype_size(wrong) == 0)
        return nn__problem_set(problem, NN_ERROR_DTYPE, NN__TEXT("NN_F16, NN_BF16 ..."),
                               NN__TEXT("%d is no dtype"), (int)wrong);
    return nn__problem_set(problem, NN_ERROR_DTYPE, NN__TEXT("convert it on the host"),
                           NN__TEXT("%s cannot be cast; f32, f16, bf16, i32, i8, u8 and bool can"),
                           nn_dtype_name(wrong));
}

NN_API nn_node *nn_cast_at(nn_site site, nn_model *net, nn_node *x, nn_dtype dtype) {
    static const char *const roles[] = {"input"};
    nn__problem problem;
    if (!nn__check_inputs(net, site, "cast", NULL, &x, roles, 1)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (!nn__op_cast_check(x->dtype, dtype, &problem))
        return nn__poison_problem(net, site, "cast", NULL, &x, roles, 1, &problem);
    if (x->dtype == nn__dtype(dtype)) return x;
    nn_node *node = nn__add_cast(&net->graph, site, NULL, x, dtype);
    if (node->poisoned) return node;
    node->device = net->scope ? net->scope->device : net->device;
    node->scope = net->scope;
    node->moves = net->scope == NULL;
    return node;
}

NN_API nn_result nn_cast_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x) {
    const char *who = "nn_cast_forward";
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_DTYPE_DEFAULT},
                               {"x", x, false, NN_DTYPE_DEFAULT}};
    nn_context *nn;
    nn_device device;
    nn_program_args args;
    nn__problem problem;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result != NN_OK) return result;
    memset(&problem, 0, sizeof problem);
    if (!nn__op_cast_check(x->view.dtype, y->view.dtype, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    result = nn__want_shape(nn, site, who, "y", x->view.shape, y);
    if (result != NN_OK) return result;
    nn__install_cast(nn);
    nn__cast_args(&args, &y->view, &x->view);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_POINTWISE, &args, &args.scratch);
}
