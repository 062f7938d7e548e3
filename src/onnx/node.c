/* onnx/node.c - what a mapping may ask of its node: operands, attributes, results. */
#include "onnx/integers.h"

/* ---- extents --------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE int64_t nn__onnx_split_extent(int32_t extent, uint8_t *powers) {
    /* an extent that is a multiple of the time stays one when it is multiplied by the batch */
    *powers = 0;
    if (extent >= 0) return extent;
    if (nn_multiply_extents(extent, NN_TIME) != 0) {
        *powers = NN__ONNX_B;
        return -(int64_t)extent;
    }
    if (nn_multiply_extents(extent, NN_BATCH) != 0) {
        *powers = NN__ONNX_T;
        return (int64_t)NN_TIME - extent + 1;
    }
    *powers = NN__ONNX_B | NN__ONNX_T;
    return (int64_t)NN_BATCH_TIME - extent + 1;
}

NN__ONNX_PRIVATE int32_t nn__onnx_join_extent(int64_t number, uint8_t powers) {
    if (number < 0 || number > INT32_MAX) return 0;
    if (powers == 0) return (int32_t)number;
    return nn_multiply_extents((int32_t)number, powers == NN__ONNX_B   ? NN_BATCH
                                                : powers == NN__ONNX_T ? NN_TIME
                                                                       : NN_BATCH_TIME);
}

/* ---- operands -------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE nn__onnx_type nn__onnx_dtype(const nn__onnx_node *n, int i) {
    return nn__onnx_has(n, i) ? n->operands[i]->dtype : NN__ONNX_NONE;
}

NN__ONNX_PRIVATE int nn__onnx_rank(const nn__onnx_node *n, int i) {
    if (!nn__onnx_has(n, i)) return 0;
    if (n->operands[i]->known) return n->operands[i]->known->rank;
    return nn_node_shape(n->operands[i]->node).rank;
}

NN__ONNX_PRIVATE nn_shape nn__onnx_shape(nn__onnx_node *n, int i) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    if (!nn__onnx_has(n, i)) return shape;
    if (!known) return nn_node_shape(n->operands[i]->node);
    if (known->rank > NN_MAX_RANK) {
        nn__onnx_refuse(n, NULL, "operand %d has %d axes; nn.h has at most %d", (int64_t)i,
                        (int64_t)known->rank, (int64_t)NN_MAX_RANK);
        return shape;
    }
    shape.rank = known->rank;
    for (int k = 0; k < known->rank; k++)
        shape.extent[k] = known->extent[k] > INT32_MAX ? INT32_MAX : (int32_t)known->extent[k];
    return shape;
}

NN__ONNX_PRIVATE const nn__onnx_tensor *nn__onnx_numbers(nn__onnx_node *n, int i,
                                                         const char *role) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    if (known && known->count > 0 && !known->data) {
        nn__onnx_refuse(n, NULL, "operand %d (%s) is %s", (int64_t)i, role,
                        nn__onnx_type_name(known->dtype));
        return NULL;
    }
    if (known) return known;
    if (nn__onnx_has(n, i))
        nn__onnx_refuse(n, "if it depends on an input, give that input a value in .values",
                        "operand %d (%s) depends on values that are known only at run time",
                        (int64_t)i, role);
    else
        nn__onnx_refuse(n, NULL, "operand %d (%s) is missing", (int64_t)i, role);
    return NULL;
}

static int32_t nn__onnx_narrow(int64_t number) {
    return number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : (int32_t)number;
}

NN__ONNX_PRIVATE int nn__onnx_wholes(nn__onnx_node *n, int i, const char *role, int32_t *to,
                                     int most) {
    const nn__onnx_tensor *numbers = nn__onnx_numbers(n, i, role);
    if (!numbers) return -1;
    if (numbers->count > (uint64_t)most) {
        nn__onnx_refuse(n, NULL, "operand %d (%s) has %d numbers; at most %d are supported",
                        (int64_t)i, role, (int64_t)numbers->count, (int64_t)most);
        return -1;
    }
    for (uint64_t k = 0; k < numbers->count; k++) {
        if (nn__onnx_power(numbers, k) != 0) {
            nn__onnx_refuse(n, "give that extent a number in .extents",
                            "operand %d (%s) depends on a free extent", (int64_t)i, role);
            return -1;
        }
        to[k] = nn__onnx_narrow(nn__onnx_whole(numbers, k));
    }
    return (int)numbers->count;
}

NN__ONNX_PRIVATE int nn__onnx_extents(nn__onnx_node *n, int i, const char *role, int32_t *to,
                                      bool *plain, int most) {
    const nn__onnx_tensor *numbers = nn__onnx_numbers(n, i, role);
    if (!numbers) return -1;
    if (numbers->count > (uint64_t)most) {
        nn__onnx_refuse(n, NULL, "operand %d (%s) has %d numbers; at most %d are supported",
                        (int64_t)i, role, (int64_t)numbers->count, (int64_t)most);
        return -1;
    }
    for (uint64_t k = 0; k < numbers->count; k++) {
        const int64_t number = nn__onnx_whole(numbers, k);
        const uint8_t powers = nn__onnx_power(numbers, k);
        if (plain) plain[k] = powers == 0;
        to[k] = powers ? nn__onnx_join_extent(number, powers) : nn__onnx_narrow(number);
        if (powers && to[k] == 0) {
            nn__onnx_refuse(n, "give a free extent a number in .extents",
                            "an extent of operand %d (%s) is not a multiple of batch and time",
                            (int64_t)i, role);
            return -1;
        }
    }
    return (int)numbers->count;
}

NN__ONNX_PRIVATE bool nn__onnx_scalar(const nn__onnx_node *n, int i, double *number) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    if (!known || known->count == 0 || known->powers || !known->data) return false;
    *number = nn__onnx_real(known, 0);
    if (known->uniform) return true;
    for (uint64_t k = 1; k < known->count; k++)
        if (nn__onnx_real(known, k) != *number) return false;
    return true;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_x(nn__onnx_node *n, int i) {
    if (!nn__onnx_has(n, i)) {
        nn__onnx_refuse(n, NULL, "operand %d is missing", (int64_t)i);
        return NULL;
    }
    return nn__onnx_node_of(n, n->operands[i], NN_F32);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_index(nn__onnx_node *n, int i) {
    if (!nn__onnx_has(n, i)) {
        nn__onnx_refuse(n, NULL, "operand %d is missing", (int64_t)i);
        return NULL;
    }
    return nn__onnx_node_of(n, n->operands[i], NN_I32);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_raw(nn__onnx_node *n, int i) {
    if (!nn__onnx_has(n, i)) {
        nn__onnx_refuse(n, NULL, "operand %d is missing", (int64_t)i);
        return NULL;
    }
    return nn__onnx_node_of(n, n->operands[i], NN_DTYPE_DEFAULT);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_node_of(nn__onnx_node *n, nn__onnx_value *value,
                                           nn_dtype dtype) {
    nn_dtype is;
    nn_node **form;
    if (value->bytes) {
        if (!value->as_f32) value->as_f32 = n->walk->file->integers->form(n, value);
        if (dtype == NN_I32 && !value->as_i32)
            value->as_i32 = nn_cast_at(n->site, n->net, value->as_f32, NN_I32);
        return dtype == NN_I32 ? value->as_i32 : value->as_f32;
    }
    if (dtype == NN_DTYPE_DEFAULT) {
        if (value->node) return value->node;
        dtype = nn__onnx_is_whole(value->dtype) ? NN_I32 : NN_F32;
    }
    form = dtype == NN_F32 ? &value->as_f32 : &value->as_i32;
    if (*form) return *form;
    if (value->known) {
        *form = nn__onnx_constant_of(n, value->known, dtype);
        return *form;
    }
    is = nn_node_dtype(value->node);
    if (is == dtype || (dtype == NN_F32 && (is == NN_F16 || is == NN_BF16))) return value->node;
    *form = nn_cast_at(n->site, n->net, value->node, dtype);
    return *form;
}

NN__ONNX_PRIVATE void *nn__onnx_scratch(nn__onnx_node *n, uint64_t bytes) {
    return nn__onnx_take(n->walk->call, n->walk->arena, bytes);
}

NN__ONNX_PRIVATE nn__onnx_tensor *nn__onnx_new(nn__onnx_node *n, nn__onnx_type type, int32_t rank,
                                               const int64_t *extents, unsigned char **data) {
    nn__onnx_tensor *tensor =
        nn__onnx_make(n->walk->call, n->walk->arena, type, rank, extents, false, data);
    if (tensor) tensor->stored = true;
    return tensor;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static const nn__onnx_attribute *nn__onnx_in_list(const nn__onnx_attribute *list, int32_t count,
                                                  const char *name) {
    for (int32_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}

/* In a function's body an attribute may stand for one of the call, which may itself be inside a
   function. */
NN__ONNX_PRIVATE const nn__onnx_attribute *nn__onnx_attribute_of(const nn__onnx_node *n,
                                                                 const char *name) {
    const nn__onnx_scope *scope = n->scope;
    const nn__onnx_attribute *found =
        nn__onnx_in_list(n->op->attributes, n->op->attribute_count, name);
    while (found && *found->reference) {
        const char *reference = found->reference;
        if (!scope->call) return NULL;
        found = nn__onnx_in_list(scope->call->attributes, scope->call->attribute_count, reference);
        if (!found)
            return nn__onnx_in_list(scope->function->defaults, scope->function->default_count,
                                    reference);
        scope = scope->caller;
    }
    return found;
}

NN__ONNX_PRIVATE int64_t nn__onnx_int(const nn__onnx_node *n, const char *name, int64_t absent) {
    const nn__onnx_attribute *found = nn__onnx_attribute_of(n, name);
    return found ? found->whole : absent;
}

NN__ONNX_PRIVATE double nn__onnx_float(const nn__onnx_node *n, const char *name, double absent) {
    const nn__onnx_attribute *found = nn__onnx_attribute_of(n, name);
    return found ? found->real : absent;
}

NN__ONNX_PRIVATE const char *nn__onnx_string(const nn__onnx_node *n, const char *name,
                                             const char *absent) {
    const nn__onnx_attribute *found = nn__onnx_attribute_of(n, name);
    return found ? found->text : absent;
}

NN__ONNX_PRIVATE int nn__onnx_ints(nn__onnx_node *n, const char *name, int32_t *to, int most) {
    const nn__onnx_attribute *found = nn__onnx_attribute_of(n, name);
    if (!found) return -1;
    if (found->count > (uint32_t)most || (found->count > 0 && !found->wholes)) {
        nn__onnx_refuse(n, NULL, "its attribute %s has %d numbers; at most %d are supported",
                        name, (int64_t)found->count, (int64_t)most);
        return -2;
    }
    for (uint32_t i = 0; i < found->count; i++) to[i] = nn__onnx_narrow(found->wholes[i]);
    return (int)found->count;
}

NN__ONNX_PRIVATE int nn__onnx_axis(nn__onnx_node *n, int64_t absent, int rank) {
    const int64_t axis = nn__onnx_int(n, "axis", absent);
    if (axis >= -rank && axis < rank) return (int)(axis < 0 ? axis + rank : axis);
    nn__onnx_refuse(n, NULL, "its axis %d is out of range; its operand has %d axes", axis,
                    (int64_t)rank);
    return -1;
}

/* ---- results --------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE void nn__onnx_give(nn__onnx_node *n, int k, nn_node *node, nn__onnx_type dtype) {
    if (!nn__onnx_wants(n, k) || n->refused || !node) return;
    n->results[k]->node = node;
    n->results[k]->dtype = dtype;
}

NN__ONNX_PRIVATE void nn__onnx_give_known(nn__onnx_node *n, int k, const nn__onnx_tensor *tensor) {
    if (!nn__onnx_wants(n, k) || n->refused || !tensor) return;
    n->results[k]->known = tensor;
    n->results[k]->dtype = tensor->dtype;
}

NN__ONNX_PRIVATE void nn__onnx_pass(nn__onnx_node *n, int k, int i) {
    const char *name;
    if (!nn__onnx_wants(n, k) || n->refused || !nn__onnx_has(n, i)) return;
    name = n->results[k]->name;
    *n->results[k] = *n->operands[i];
    n->results[k]->name = name;
}
