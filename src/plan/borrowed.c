/* plan/borrowed.c - checks tensors of nn_borrow. A run reads such a tensor wherever it is stored,
   but its shape and device must still be those for which the plan was made. The owner can change
   both. */
#include "plan/private.h"

#ifndef NN__ONE_PIECE

NN_PRIVATE nn_result nn__check_borrowed(const nn_plan *plan, nn_site site, const char *who) {
    for (int i = 0; i < plan->value_count; i++) {
        const nn_node *node = plan->values[i].node;
        char was[NN__SHAPE_TEXT], is[NN__SHAPE_TEXT], from[16], to[16];
        if (node->kind != NN__BORROWED) continue;
        const nn_tensor *tensor = node->tensor;
        if (!nn_same_shape(tensor->view.shape, node->shape))
            return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                               "%s: \"%s\" of nn_borrow was %s and is %s now; give what changes "
                               "its size, as a loader's last batch, to an nn_input by nn_bind, or "
                               "make the loader with .drop_last",
                               who, node->name, nn__format_shape(node->shape, was, sizeof was),
                               nn__format_shape(tensor->view.shape, is, sizeof is));
        if (!nn_same_device(tensor->device, plan->values[i].planned))
            return nn__fail_at(plan->nn, site, NN_ERROR_DEVICE,
                               "%s: \"%s\" of nn_borrow stood on %s and was moved to %s since this "
                               "plan was made; make the plan anew",
                               who, node->name,
                               nn_format_device(plan->values[i].planned, from, sizeof from),
                               nn_format_device(tensor->device, to, sizeof to));
    }
    return NN_OK;
}

#endif

typedef int nn__plan_borrowed_part; /* a part must not be empty under NN__ONE_PIECE */
