/* onnx/write_plan_packed.c - weights of integer layers that are all from -8 to 7: a plan of
   constants stores two of them in a byte. kernels/integer/args.h has the order of the halves. */
#include "onnx/planned.h"

/* Returns the value that a step reads as its weight; -1: its kernel does not unpack weights. */
static int nn__planned_weight_of(const nn__planned *p, const nn__planned_step *step) {
    const nn__planned_kernel *kernel = step->kernel;
    if (kernel->kernel != NN_KERNEL_INTEGER_CONV2D) return -1;
    const int64_t tensor = step->fields[nn__planned_field_at(kernel, "weight")],
                  groups = step->fields[nn__planned_field_at(kernel, "params.groups")];
    return groups == 1 && tensor ? p->tensors[tensor - 1].value : -1;
}

/* Counts how often steps read a value. */
static int nn__planned_uses_of(const nn__planned *p, int value) {
    int uses = 0;
    for (int s = 0; s < p->step_count; s++) {
        const nn__planned_step *step = &p->steps[s];
        for (int i = 0; i < step->kernel->count; i++)
            uses += step->kernel->fields[i].kind == 'v' && step->fields[i] &&
                    p->tensors[step->fields[i] - 1].value == value;
        for (int i = 0; i < step->piece_count; i++)
            uses += p->tensors[(size_t)step->pieces[i].x.handle - 1].value == value;
    }
    return uses;
}

/* Returns the bytes of a tensor in memory of the context, to be given back. NULL: an error. */
static int8_t *nn__planned_read(nn__planned *p, const nn_node *node, size_t *count) {
    nn__onnx_call *call = p->w.e.call;
    nn_tensor *tensor = nn_find_tensor_at(call->site, p->w.e.net, nn_node_name(node));
    *count = tensor ? nn_tensor_bytes(tensor) : 0;
    if (!tensor) {
        call->code = NN_ERROR_MEMORY; /* nn_error has the reason */
        return NULL;
    }
    int8_t *host = (int8_t *)nn_take_memory(call->nn, *count);
    if (!host) {
        nn__onnx_fail(call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)*count);
    } else if (nn_download_tensor_at(call->site, tensor, host, *count) != NN_OK) {
        call->code = NN_ERROR_BACKEND; /* nn_error has the reason */
        nn_give_memory(call->nn, host, *count);
        host = NULL;
    }
    return host;
}

/* True if all weights of a value are from -8 to 7. */
static bool nn__planned_is_small(nn__planned *p, const nn_node *node) {
    size_t count;
    int8_t *weights = nn__planned_read(p, node, &count);
    bool fits = weights != NULL;
    for (size_t i = 0; i < count && fits; i++) fits = weights[i] >= -8 && weights[i] <= 7;
    if (weights) nn_give_memory(p->w.e.call->nn, weights, count);
    return fits;
}

/* Adds the room for unpacked weights to the scratch memory of a step. */
static void nn__planned_packed_scratch(nn__planned *p, const nn__planned_step *step) {
    const nn__planned_kernel *kernel = step->kernel;
    const nn_shape *weight =
        &p->tensors[step->fields[nn__planned_field_at(kernel, "weight")] - 1].shape;
    const int32_t *w = weight->extent, depth = w[1] * w[2] * w[3];
    const int64_t window = (int64_t)(depth + 3) / 4 * 4 * (1 + 2 * (int64_t)sizeof(int16_t)),
                  bytes = window + NN_INTEGER_PACKED_SCRATCH(w[0], depth);
    if (bytes > p->scratch) p->scratch = bytes;
}

NN__ONNX_PRIVATE bool nn__planned_pack(nn__planned *p) {
    for (int value = 0; value < p->value_count && p->w.e.call->code == NN_OK; value++) {
        int uses = 0;
        for (int s = 0; s < p->step_count; s++)
            uses += nn__planned_weight_of(p, &p->steps[s]) == value;
        if (uses == 0 || !p->values[value].leaf || uses != nn__planned_uses_of(p, value) ||
            !nn__planned_is_small(p, p->values[value].node))
            continue;
        p->values[value].packed = true;
        for (int s = 0; s < p->step_count; s++) {
            if (nn__planned_weight_of(p, &p->steps[s]) != value) continue;
            p->steps[s].kernel = nn__planned_packed_kernel();
            nn__planned_packed_scratch(p, &p->steps[s]);
        }
    }
    return p->w.e.call->code == NN_OK;
}

NN__ONNX_PRIVATE const char *nn__planned_packed_array(nn__planned *p, const nn_node *node) {
    nn__onnx_growing *to = &p->w.args;
    const char *name = nn__c_new_name(&p->w, &p->w.arrays,
                                      nn__c_text(&p->w, "%s_%s", p->w.name, nn_node_name(node)));
    size_t count;
    int8_t *weights = nn__planned_read(p, node, &count);
    if (!weights) return "";
    nn__c_print(to, "\n/* %d weights, two in a byte */\nstatic const uint8_t %s[%d] = {",
                (int64_t)count, name, (int64_t)(count + 7) / 8 * 4);
    for (size_t i = 0; i < (count + 7) / 8 * 4; i++) {
        const size_t first = i / 4 * 8 + i % 4, second = first + 4;
        const int less = first < count ? weights[first] + 8 : 8,
                  more = second < count ? weights[second] + 8 : 8;
        if (i > 0) nn__c_print(to, ",");
        nn__c_print(to, i % 8 == 0 ? "\n    %d" : " %d", (int64_t)(less | more << 4));
        if (i % 8 == 7 && to->size > 0) {
            p->w.desc->writer.function(p->w.desc->writer.user, (const char *)to->at, to->size);
            to->size = 0;
        }
    }
    nn__c_print(to, "};\n");
    nn_give_memory(p->w.e.call->nn, weights, count);
    return name;
}
