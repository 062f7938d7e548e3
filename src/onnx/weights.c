/* onnx/weights.c - constants and parameters of a described net, and their numbers. */
#include "onnx/mapping.h"

static nn_shape nn__onnx_tensor_shape(const nn__onnx_tensor *tensor) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = tensor->rank;
    for (int i = 0; i < tensor->rank && i < NN_MAX_RANK; i++)
        shape.extent[i] = (int32_t)tensor->extent[i];
    return shape;
}

/* Remembers where the numbers of a tensor of the net come from. */
static void nn__onnx_remember(nn__onnx_walk *walk, const char *name, const nn__onnx_tensor *from,
                              nn_tensor *source) {
    nn__onnx_weight *weight =
        (nn__onnx_weight *)nn__onnx_take(walk->call, walk->arena, sizeof *weight);
    if (!weight) return;
    weight->name = name;
    weight->from = from;
    weight->source = source;
    weight->constant = source != NULL;
    *walk->described->last_weight = weight;
    walk->described->last_weight = &weight->next;
}

/* Writes all numbers as f32, i32, i8, f16 or bf16. */
static void nn__onnx_convert(const nn__onnx_tensor *from, nn_dtype dtype, void *to) {
    const nn__onnx_type half = dtype == NN_F16 ? NN__ONNX_FLOAT16 : NN__ONNX_BFLOAT16;
    if (dtype == NN_F32 && from->uniform) {
        const float number = (float)nn__onnx_real(from, 0);
        for (uint64_t i = 0; i < from->count; i++) ((float *)to)[i] = number;
        return;
    }
    for (uint64_t i = 0; i < from->count; i++) {
        if (dtype == NN_F32) {
            ((float *)to)[i] = (float)nn__onnx_real(from, i);
        } else if (dtype == NN_I8) {
            ((int8_t *)to)[i] = (int8_t)nn__onnx_whole(from, i);
        } else if (dtype == NN_I32) {
            const int64_t number = nn__onnx_whole(from, i);
            ((int32_t *)to)[i] = number > INT32_MAX   ? INT32_MAX
                                 : number < INT32_MIN ? INT32_MIN
                                                      : (int32_t)number;
        } else {
            unsigned char bytes[2];
            nn__onnx_put_real(bytes, half, 0, nn__onnx_real(from, i));
            ((uint16_t *)to)[i] = (uint16_t)(bytes[0] | bytes[1] << 8);
        }
    }
}

/* Extents that a node cannot have are refused. */
static bool nn__onnx_fits_node(nn__onnx_node *n, const nn__onnx_tensor *tensor) {
    if (tensor->powers)
        return nn__onnx_refuse(n, "give that extent a number in .extents",
                               "it computes with numbers that depend on a free extent");
    if (!tensor->data ||
        (nn__onnx_type_size(tensor->dtype) == 0 && (int)tensor->dtype < (int)NN__ONNX_UINT4))
        return nn__onnx_refuse(n, NULL, "it reads dtype %s, which nn.h does not have",
                               nn__onnx_type_name(tensor->dtype));
    if (tensor->rank > NN_MAX_RANK)
        return nn__onnx_refuse(n, NULL, "a tensor has %d axes; nn.h has at most %d",
                               (int64_t)tensor->rank, (int64_t)NN_MAX_RANK);
    if (tensor->count == 0)
        return nn__onnx_refuse(n, NULL, "a tensor has an extent of 0, which nn.h does not have");
    if (tensor->count > INT32_MAX)
        return nn__onnx_refuse(n, NULL, "a tensor has more elements than nn.h can count");
    return true;
}

enum { NN__ONNX_UNIFORM = 1 << 16 };

/* Returns one number that a plan repeats: a file of 100 bytes can ask for gigabytes of it. */
static nn_node *nn__onnx_expanded(nn__onnx_node *n, const nn__onnx_tensor *tensor, nn_dtype dtype) {
    nn__onnx_tensor *one = (nn__onnx_tensor *)nn__onnx_scratch(n, sizeof *one);
    if (!one) return NULL;
    *one = *tensor;
    one->count = 1;
    for (int i = 0; i < one->rank; i++) one->extent[i] = 1;
    return nn_expand_at(n->site, n->net, nn__onnx_constant_of(n, one, dtype),
                        nn__onnx_tensor_shape(tensor));
}

NN__ONNX_PRIVATE nn_node *nn__onnx_constant_of(nn__onnx_node *n, const nn__onnx_tensor *tensor,
                                               nn_dtype dtype) {
    nn__onnx_walk *walk = n->walk;
    nn_shape shape;
    nn_tensor_desc desc;
    nn_tensor *made;
    const char *name;
    if (!tensor || !nn__onnx_fits_node(n, tensor)) return NULL;
    if (tensor->uniform && tensor->count > NN__ONNX_UNIFORM)
        return nn__onnx_expanded(n, tensor, dtype);
    shape = nn__onnx_tensor_shape(tensor);
    name = nn__onnx_unique(walk, *tensor->name ? tensor->name : "constant");
    if (!name) return NULL;
    if (walk->trial) return nn_buffer_at(n->site, n->net, name, dtype, shape, 0);
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = nn_cpu();
    made = nn_make_tensor_at(n->site, walk->file->nn, &desc);
    if (!made) {
        walk->call->code = NN_ERROR_MEMORY;
        return NULL;
    }
    nn__onnx_convert(tensor, dtype, nn_tensor_data(made));
    nn__onnx_remember(walk, name, tensor, made);
    return nn_constant_at(n->site, n->net, name, made);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_constant(nn__onnx_node *n, const float *numbers,
                                            nn_shape shape) {
    int64_t extents[NN_MAX_RANK];
    unsigned char *data;
    nn__onnx_tensor *tensor;
    for (int i = 0; i < shape.rank; i++) extents[i] = shape.extent[i];
    tensor = nn__onnx_new(n, NN__ONNX_FLOAT, shape.rank, extents, &data);
    if (!tensor) return NULL;
    for (uint64_t i = 0; i < tensor->count; i++)
        nn__onnx_put_real(data, NN__ONNX_FLOAT, i, (double)numbers[i]);
    return nn__onnx_constant_of(n, tensor, NN_F32);
}

/* Returns the name "layer.part". */
static const char *nn__onnx_part_name(nn__onnx_node *n, const char *layer, const char *part) {
    nn__onnx_message text;
    memset(&text, 0, sizeof text);
    nn__onnx_say(&text, "%s.%s", layer, part);
    return nn__onnx_copy_text(n->walk->call, n->walk->arena, text.text, text.length);
}

NN__ONNX_PRIVATE void nn__onnx_load(nn__onnx_node *n, const char *layer, const char *part,
                                    const nn__onnx_tensor *tensor, const nn_shape *shape) {
    const char *name = nn__onnx_part_name(n, layer, part);
    if (!name || !tensor || !nn__onnx_fits_node(n, tensor)) return;
    if (shape && nn_shape_count(*shape) != (int64_t)tensor->count) {
        nn__onnx_refuse(n, NULL, "its weight %q has %d numbers, not %d", tensor->name,
                        (int64_t)tensor->count, nn_shape_count(*shape));
        return;
    }
    nn__onnx_remember(n->walk, name, tensor, NULL);
}

NN__ONNX_PRIVATE void nn__onnx_load_buffer(nn__onnx_node *n, const char *layer, const char *part,
                                           const nn__onnx_tensor *tensor) {
    nn__onnx_weight **added = n->walk->described->last_weight;
    nn__onnx_load(n, layer, part, tensor, NULL);
    if (*added) (*added)->buffer = true;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_parameter(nn__onnx_node *n, const char *layer, const char *part,
                                             const nn__onnx_tensor *tensor) {
    const char *name = nn__onnx_part_name(n, layer, part);
    nn_shape shape;
    if (!name || !tensor || !nn__onnx_fits_node(n, tensor)) return NULL;
    shape = nn__onnx_tensor_shape(tensor);
    nn__onnx_remember(n->walk, name, tensor, NULL);
    return nn_parameter_at(n->site, n->net, name, shape, 0, 0);
}

/* ---- nn_load_onnx_weights -------------------------------------------------------------------- */

/* Lists the tensors of a net that have memory, by name. */
static void nn__onnx_list_tensors(nn__onnx_call *call, nn_model *net, nn__onnx_map *tensors) {
    const int count = nn_model_tensor_count(net);
    for (int i = 0; i < count; i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        if (tensor) nn__onnx_set(call, tensors, nn_tensor_name(tensor), tensor);
    }
}

/* Returns the tensor of the net, or NULL after an error message. */
static nn_tensor *nn__onnx_target(const nn__onnx_map *tensors, const nn__onnx_weight *weight,
                                  nn__onnx_message *wrong) {
    nn_tensor *tensor = (nn_tensor *)nn__onnx_find(tensors, weight->name);
    const nn_dtype dtype = tensor ? nn_tensor_dtype(tensor) : NN_DTYPE_DEFAULT;
    const int64_t count = tensor ? nn_shape_count(nn_tensor_shape(tensor)) : 0;
    if (tensor && count == (int64_t)weight->from->count &&
        (dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16 || dtype == NN_I8 ||
         dtype == NN_I32))
        return tensor;
    if (tensor)
        nn__onnx_say(wrong, "\n  %q has %d numbers in the net, %d in the file", weight->name, count,
                     (int64_t)weight->from->count);
    else
        nn__onnx_say(wrong, "\n  %q is not in the net", weight->name);
    return NULL;
}

/* True where the numbers of files are those of the host. */
static bool nn__onnx_host_is_little(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static bool nn__onnx_set_weight(nn__onnx_call *call, nn_tensor *tensor,
                                const nn__onnx_weight *weight) {
    const size_t bytes = (size_t)nn_tensor_bytes(tensor);
    const nn__onnx_tensor *from = weight->from;
    void *numbers;
    if (((nn_tensor_dtype(tensor) == NN_F32 && from->dtype == NN__ONNX_FLOAT &&
          nn__onnx_host_is_little()) ||
         (nn_tensor_dtype(tensor) == NN_I8 && from->dtype == NN__ONNX_INT8)) &&
        !from->uniform) {
        call->code = nn_upload_tensor_at(call->site, tensor, from->data, bytes);
        return call->code == NN_OK;
    }
    numbers = nn_take_memory(call->nn, bytes);
    if (!numbers) return nn__onnx_fail(call, NN_ERROR_MEMORY, "no memory for %q", weight->name);
    nn__onnx_convert(from, nn_tensor_dtype(tensor), numbers);
    call->code = nn_upload_tensor_at(call->site, tensor, numbers, bytes);
    nn_give_memory(call->nn, numbers, bytes);
    return call->code == NN_OK;
}

/* Frees the first copies of constants that the net has copied. tensors: those of the net; NULL: the
   net is gone. */
static void nn__onnx_free_copied(nn__onnx_described *described, const nn__onnx_map *tensors) {
    for (nn__onnx_weight *weight = described->weights; weight; weight = weight->next) {
        if (!weight->source) continue;
        if (tensors && !nn__onnx_find(tensors, weight->name)) continue;
        nn_free_tensor(weight->source);
        weight->source = NULL;
    }
}

NN__ONNX_PRIVATE void nn__onnx_free_sources(nn__onnx_described *described) {
    const bool gone = nn_model_tensor_count(described->net) == 0;
    nn__onnx_arena arena;
    nn__onnx_map tensors;
    nn__onnx_call call;
    bool any = false;
    for (nn__onnx_weight *weight = described->weights; weight && !any; weight = weight->next)
        any = weight->source != NULL;
    if (!any) return;
    memset(&arena, 0, sizeof arena);
    memset(&tensors, 0, sizeof tensors);
    memset(&call, 0, sizeof call);
    arena.nn = call.nn = described->arena.nn;
    call.name = "nn_load_onnx_weights";
    tensors.arena = &arena;
    if (!gone) nn__onnx_list_tensors(&call, described->net, &tensors);
    nn__onnx_free_copied(described, gone ? NULL : &tensors);
    nn__onnx_free_arena(&arena);
}

/* Loads what one call of nn_onnx_net has described. Constants have their numbers already. */
static bool nn__onnx_load_all(nn__onnx_call *call, const nn__onnx_map *tensors,
                              nn__onnx_described *described) {
    nn__onnx_message ignored;
    memset(&ignored, 0, sizeof ignored);
    for (nn__onnx_weight *weight = described->weights; weight; weight = weight->next) {
        nn_tensor *tensor;
        if (weight->constant) continue;
        tensor = nn__onnx_target(tensors, weight, &ignored);
        if (tensor && !nn__onnx_set_weight(call, tensor, weight)) return false;
    }
    nn__onnx_free_copied(described, tensors);
    return true;
}

/* Loads all that was described in the net, or nothing if a weight of the newest description does
   not fit. */
static void nn__onnx_load_net(nn__onnx_call *call, nn_model *net, nn__onnx_described *newest,
                              nn__onnx_map *tensors) {
    nn__onnx_message wrong;
    memset(&wrong, 0, sizeof wrong);
    nn__onnx_list_tensors(call, net, tensors);
    for (nn__onnx_weight *weight = newest->weights; weight && call->code == NN_OK;
         weight = weight->next)
        if (!weight->constant) nn__onnx_target(tensors, weight, &wrong);
    if (wrong.length > 0) nn__onnx_fail(call, NN_ERROR_SHAPE, "nothing was loaded:%s", wrong.text);
    for (nn__onnx_described *d = newest; d && call->code == NN_OK; d = d->next)
        if (d->net == net) nn__onnx_load_all(call, tensors, d);
}

NN_API nn_result nn_load_onnx_weights_at(nn_site site, nn_model *net, nn_onnx *file) {
    nn__onnx_call call;
    nn__onnx_described *newest;
    nn__onnx_arena arena;
    nn__onnx_map tensors;
    if (!file) return NN_ERROR_ARGUMENT;
    call = nn__onnx_begin(file->nn, site, "nn_load_onnx_weights");
    for (newest = file->described; newest && newest->net != net;) newest = newest->next;
    /* the message is already recorded */
    if (net && nn_fault_count(net) > 0 && nn_error(file->nn)) return NN_ERROR_FAULTS;
    if (net && nn_fault_count(net) > 0)
        nn__onnx_fail(&call, NN_ERROR_FAULTS, "the net has mistakes (nn_write_faults lists them)");
    else if (!net || nn_model_context(net) != file->nn || !newest)
        nn__onnx_fail(&call, NN_ERROR_ARGUMENT,
                      "%q was not described in this net; call nn_onnx_net(net, file, ...) first",
                      file->label);
    if (call.code != NN_OK || !newest->weights) return call.code;
    if (!nn_find_tensor_at(site, net, newest->weights->name)) /* takes memory for all */
        return nn_error_code(file->nn);
    memset(&arena, 0, sizeof arena);
    memset(&tensors, 0, sizeof tensors);
    arena.nn = file->nn;
    tensors.arena = &arena;
    nn__onnx_load_net(&call, net, newest, &tensors);
    nn__onnx_free_arena(&arena);
    return call.code;
}

NN_API const char *nn_onnx_name(const nn_onnx *file, const char *name) {
    if (!file || !name) return NULL;
    for (const nn__onnx_described *d = file->described; d; d = d->next) {
        for (const nn__onnx_weight *weight = d->weights; weight; weight = weight->next) {
            if (strcmp(weight->name, name) == 0 && *weight->from->name) return weight->from->name;
            if (strcmp(weight->from->name, name) == 0) return weight->name;
        }
    }
    return NULL;
}
