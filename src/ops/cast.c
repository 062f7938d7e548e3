/* ops/cast.c - the builder and the immediate call of casts. The node, and the pass that inserts
   casts, are in graph/cast.c. */
#include "ops/private.h"

/* For a cast to the dtype that x already has. */
static const nn__rule nn__rule_cast_nothing = NN__COMPOSED_RULE("cast", nn__cast_infer);

NN_API nn_node *nn_cast_at(nn_site site, nn_model *net, nn_node *x, nn_dtype dtype) {
    const nn__rule *rule =
        x && x->dtype == nn__dtype(dtype) ? &nn__rule_cast_nothing : nn__cast_rule(dtype);
    return nn__build_unary(site, net, rule, nn__install_cast, x, &dtype, 0);
}

NN_API nn_result nn_cast_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_DTYPE_DEFAULT},
                               {"x", x, false, NN_DTYPE_DEFAULT}};
    const nn_dtype dtype = y ? y->view.dtype : NN_DTYPE_DEFAULT;
    if (dtype == NN_I32 && x && x->view.dtype == NN_I32) /* not every i32 fits into a float */
        return nn__immediate(site, "nn_cast_forward", nn__copy_rule(), nn__install_strided_copy,
                             given, 1, NN__COUNT(given), NULL);
    return nn__immediate(site, "nn_cast_forward", nn__cast_rule(dtype), nn__install_cast, given, 1,
                         NN__COUNT(given), &dtype);
}
