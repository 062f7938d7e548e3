/* opencl/chain_kinds.c - the kernels that can be part of a chain, with the functions of their
   kinds. */
#include "opencl/chain.h"

NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_kind_of(const nn_call *call) {
    const nn__opencl_chain_kind *sums;
    switch ((int)call->kernel) {
    case NN_KERNEL_GEMM: return nn__opencl_chain_product();
    case NN_KERNEL_POINTWISE: return nn__opencl_chain_pointwise();
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD: return nn__opencl_chain_sums(call);
    case NN_KERNEL_REDUCE:
        sums = nn__opencl_chain_sums(call);
        return sums ? sums : nn__opencl_chain_of_rows(call);
    case NN_KERNEL_FOLD:
    case NN_KERNEL_REDUCE_BACKWARD:
    case NN_KERNEL_SCAN:
    case NN_KERNEL_STRIDED_COPY: return nn__opencl_chain_of_rows(call);
    case NN_KERNEL_GATHER:
    case NN_KERNEL_GATHER_ELEMENTS:
    case NN_KERNEL_SCATTER_ELEMENTS: return nn__opencl_chain_index(call);
    case NN_KERNEL_CROSS_ENTROPY_FORWARD:
    case NN_KERNEL_CROSS_ENTROPY_BACKWARD:
    case NN_KERNEL_ACCUMULATE: return nn__opencl_chain_loss(call);
    case NN_KERNEL_CLIP:
    case NN_KERNEL_UPDATE: return nn__opencl_chain_update(call);
    default: return NULL;
    }
}

NN__OPENCL_PRIVATE void nn__opencl_chain_list(const nn_call *call, nn__opencl_chain_views *views) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    views->count = 0;
    if (kind) kind->list(call->args, views);
}

NN__OPENCL_PRIVATE bool nn__opencl_chain_is_of_rows(const nn_call *call) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    return kind == nn__opencl_chain_of_rows(call) || kind == nn__opencl_chain_index(call);
}

/* ---- faults ---------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE const char *nn__opencl_chain_fault_of(const nn_call *call, const nn_view **at) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    return kind && kind->fault ? kind->fault(call->args, at) : NULL;
}

NN__OPENCL_PRIVATE const nn_view *nn__opencl_chain_status_of(const nn_call *call, uint32_t *step) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    *step = 0;
    return kind && kind->status ? kind->status(call->args, step) : NULL;
}

NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_step(const nn__opencl_chain *chain) {
    uint32_t step = 0;
    for (int i = 0; i < chain->count && step == 0; i++)
        nn__opencl_chain_status_of(&chain->calls[i], &step);
    return step;
}
