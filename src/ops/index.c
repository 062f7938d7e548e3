/* ops/index.c - index_select and embedding. One kernel gathers the pieces of a tensor, another
   adds their gradients to where they came from. */
#include "ops/index.h"
#include "ops/index_private.h"
#include "ops/quantizer.h"

typedef struct nn__op_index_params {
    int32_t axis;
    bool padding; /* the row padding_idx gets no gradient */
    int32_t padding_idx;
} nn__op_index_params;

/* ---- check ----------------------------------------------------------------------------------- */

/* Computes the shape of y for indices of any shape along an axis of x. */
static bool nn__op_index_shape(nn__problem *problem, nn_shape x, int axis, nn_shape index,
                               nn_shape *y) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    const int rank = x.rank - 1 + index.rank;
    memset(y, 0, sizeof *y);
    if (rank > NN_MAX_RANK)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape the indices first"),
                               NN__TEXT("indices %s into %s give %d axes; at most %d fit"),
                               nn__format_shape(index, one, sizeof one),
                               nn__format_shape(x, other, sizeof other), rank, NN_MAX_RANK);
    for (int i = 0; i < axis; i++) y->extent[y->rank++] = x.extent[i];
    for (int i = 0; i < index.rank; i++) y->extent[y->rank++] = index.extent[i];
    for (int i = axis + 1; i < x.rank; i++) y->extent[y->rank++] = x.extent[i];
    if (nn__free_extents(*y, NN__OF_BATCH) < 2) return true;
    return nn__problem_set(
        problem, NN_ERROR_SHAPE,
        NN__TEXT("select along the axis of the batch, or by fixed indices"),
        NN__TEXT("indices %s and the other axes of %s both depend on the batch: every sample would "
                 "be paired with every other"),
        nn__format_shape(index, one, sizeof one), nn__format_shape(x, other, sizeof other));
}

static bool nn__op_index_select_infer(nn__inference *inference) {
    const nn__op_index_params *params = (const nn__op_index_params *)inference->params;
    const nn__type *x = &inference->inputs[0], *index = &inference->inputs[1];
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    const int axis = params->axis < 0 ? params->axis + x->shape.rank : params->axis;
    if (!nn__want_dtype(problem, inference->operation, "index", index->dtype, NN_I32)) return false;
    if (axis < 0 || axis >= x->shape.rank)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("axes count from 0, negative ones from the end"),
                               NN__TEXT("axis is %d, but the input %s has %d axes"),
                               (int)params->axis, nn__format_shape(x->shape, text, sizeof text),
                               (int)x->shape.rank);
    if (index->shape.rank != 1)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it; nn_embedding takes any shape"),
                               NN__TEXT("index has the shape %s; wanted (n)"),
                               nn__format_shape(index->shape, text, sizeof text));
    inference->outputs[0].dtype = x->dtype;
    return nn__op_index_shape(problem, x->shape, axis, index->shape,
                              &inference->outputs[0].shape);
}

/* Finds the padding row, counted from 0, which gets no gradient. False: the desc names no row of
   the table, or names a row without .padding. */
static bool nn__op_padding_row(nn__problem *problem, const nn_embedding_desc *desc, int32_t rows,
                               int32_t *row) {
    *row = desc->padding_idx < 0 ? desc->padding_idx + rows : desc->padding_idx;
    if (!desc->padding && desc->padding_idx != 0)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .padding = true as well"),
                               NN__TEXT("padding_idx is %d, but padding is false"),
                               desc->padding_idx);
    if (!desc->padding || (*row >= 0 && *row < rows)) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("negative ones count from the end"),
                           NN__TEXT("padding_idx is %d, but there are %d rows"), desc->padding_idx,
                           (int)rows);
}

static bool nn__op_embedding_infer(nn__inference *inference) {
    const nn_embedding_desc *desc = (const nn_embedding_desc *)inference->params;
    const nn__type *index = &inference->inputs[0];
    nn__problem *problem = inference->problem;
    nn_shape *weight = &inference->parameters[0];
    int32_t row;
    if (!nn__want_dtype(problem, "embedding", "index", index->dtype, NN_I32)) return false;
    if (!desc)
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT,
            NN__TEXT("give an nn_embedding_desc with .num_embeddings and .embedding_dim"),
            NN__TEXT("desc is NULL"));
    if (desc->num_embeddings <= 0)
        return nn__refuse_number(problem, "num_embeddings", desc->num_embeddings, "at least 1");
    if (desc->embedding_dim <= 0)
        return nn__refuse_number(problem, "embedding_dim", desc->embedding_dim, "at least 1");
    if (!nn__op_padding_row(problem, desc, desc->num_embeddings, &row)) return false;
    weight->rank = 2;
    weight->extent[0] = desc->num_embeddings;
    weight->extent[1] = desc->embedding_dim;
    inference->parameter_count = 1;
    inference->shared = desc->shared;
    inference->outputs[0].dtype = NN_F32;
    return nn__op_index_shape(problem, *weight, 0, index->shape, &inference->outputs[0].shape);
}

/* ---- lowering -------------------------------------------------------------------------------- */

static void nn__op_gather_args(nn_gather_args *args, const nn_view *y, const nn_view *x,
                               const nn_view *index, int axis) {
    memset(args, 0, sizeof *args);
    args->y = *y;
    args->x = *x;
    args->index = *index;
    args->axis = axis < 0 ? axis + x->shape.rank : axis;
}

static void nn__op_gather_checked(nn_gather_args *args, const nn__lowering *lowering) {
    args->status = lowering->status;
    args->step = (uint32_t)lowering->values->step;
}

static void nn__op_index_select_lower(const nn_node *node, const nn__lowering *lowering,
                                      nn__args *args) {
    nn__op_gather_args(&args->gather, &lowering->output, &lowering->inputs[0],
                       &lowering->inputs[1], ((const nn__op_index_params *)node->params)->axis);
    nn__op_gather_checked(&args->gather, lowering);
}

/* inputs: index, weight */
NN_PRIVATE void nn__op_embedding_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    (void)node;
    nn__op_gather_args(&args->gather, &lowering->output, &lowering->inputs[1],
                       &lowering->inputs[0], 0);
    nn__op_gather_checked(&args->gather, lowering);
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static void nn__op_scatter_args(nn_scatter_add_args *args, const nn_view *dx, const nn_view *dy,
                                const nn_view *index, const nn__op_index_params *params) {
    memset(args, 0, sizeof *args);
    args->y = *dx;
    args->x = *dy;
    args->index = *index;
    args->axis = params->axis < 0 ? params->axis + dx->shape.rank : params->axis;
    args->skip = params->padding;
    args->skip_index = params->padding_idx;
}

/* inputs: dy, index */
static void nn__op_index_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                        nn__args *args) {
    nn__op_scatter_args(&args->scatter_add, &lowering->output, &lowering->inputs[0],
                        &lowering->inputs[1], (const nn__op_index_params *)node->params);
    args->scatter_add.scratch = lowering->scratch;
}

static const nn__rule nn__rule_index_backward = {
    "index_backward", NN_KERNEL_SCATTER_ADD, 0,    NN_ACTIVATION_NONE, nn__op_index_backward_lower,
    nn__gradient_again, NULL, NULL, NULL};

static void nn__op_index_give(nn__tape *tape, nn_node *x, nn_node *dy, nn_node *index,
                              const nn__op_index_params *params) {
    nn_node *inputs[2];
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = index;
    nn__install_scatter_add(tape->nn);
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_index_backward, x, ".grad", inputs, 2, NN_F32,
                                    x->shape, params, sizeof *params));
}

static void nn__op_index_select_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_index_give(tape, node->inputs[0], dy, node->inputs[1],
                      (const nn__op_index_params *)node->params);
}

static void nn__op_embedding_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn_embedding_desc *desc = (const nn_embedding_desc *)node->params;
    nn__op_index_params params;
    memset(&params, 0, sizeof params);
    params.padding = desc->padding;
    params.padding_idx = desc->padding_idx;
    if (params.padding_idx < 0) params.padding_idx += desc->num_embeddings;
    nn__op_index_give(tape, node->inputs[1], dy, node->inputs[0], &params);
}
#endif

static const nn__rule nn__rule_index_select = {"index_select",
                                               NN_KERNEL_GATHER,
                                               NN__DYNAMIC | NN__STATUS | NN__ANY_DTYPE,
                                               NN_ACTIVATION_NONE,
                                               nn__op_index_select_lower,
                                               NN__GRADIENT(nn__op_index_select_gradient),
                                               NULL,
                                               nn__op_index_select_infer,
                                               NULL};
#ifndef NN_NO_TRAINING
/* Adding rows up is the transpose of reading them. Rows of padding_idx are not added, so they have
   no gradient; reading cannot leave them out. */
NN_PRIVATE void nn__op_index_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_index_params *params = (const nn__op_index_params *)node->params;
    nn_node *of = node->inputs[0], *inputs[2];
    if (!nn__wants(of)) return;
    if (params->padding) {
        nn__again_ends(tape, node,
                       NN__TEXT("rows of the embedding's padding_idx get no gradient"));
        return;
    }
    inputs[0] = dy;
    inputs[1] = node->inputs[1];
    nn__give_gradient(tape, of,
                      nn__tape_node(tape, &nn__rule_index_select, of, ".grad", inputs, 2, NN_F32,
                                    of->shape, params, sizeof *params));
}
#endif
static const nn__rule nn__rule_embedding = {"embedding",
                                            NN_KERNEL_GATHER,
                                            NN__DYNAMIC | NN__STATUS | NN__LAYER | NN__ANY_DTYPE,
                                            NN_ACTIVATION_NONE,
                                            nn__op_embedding_lower,
                                            NN__GRADIENT(nn__op_embedding_gradient),
                                            NULL,
                                            nn__op_embedding_infer,
                                            NULL};

#ifndef NN_NO_MIXED_PRECISION
static const nn__rule nn__rule_embedding_checked =
    NN__COMPOSED_LAYER("embedding", nn__op_embedding_infer);
#endif

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_index_select_at(nn_site site, nn_model *net, nn_node *x, int axis,
                                   nn_node *index) {
    static const char *const roles[] = {"input", "index"};
    nn__op_index_params params;
    nn_node *inputs[2];
    memset(&params, 0, sizeof params);
    params.axis = axis;
    inputs[0] = x;
    inputs[1] = index;
    return nn__build(site, net, &nn__rule_index_select, nn__install_gather, NULL, inputs, roles, 2,
                     &params, sizeof params);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__op_embedding_start(nn_model *net, nn_site site, nn_node *node,
                                       const nn_embedding_desc *desc) {
    nn_node *weight = node->inputs[1];
    int32_t row = desc->padding_idx;
    char where[96];
    nn__start *start = &weight->start;
    start->normal = nn__materialize_normal; /* a shared table has it already */
    if (!desc->padding) return true;
    if (row < 0) row += desc->num_embeddings;
    const int64_t from = (int64_t)row * desc->embedding_dim;
    if (start->zeros && start->zeros_from != from) {
        nn__fault *fault = nn__build_fault(net, NN__FAULT_ARGUMENT, site, node->rule->name,
                                           node->name, NULL, NULL, 0);
        nn__fault_operand(fault, "weight", weight, false);
        nn__fault_cause(
            &net->faults, fault,
            NN__TEXT("the layer is shared, and its padding row is %d here; the table described at "
                     "%s has the padding row %d"),
            (int)row, nn__format_site(weight->site, where, sizeof where),
            (int)(start->zeros_from / desc->embedding_dim));
        nn__fault_fix(&net->faults, fault,
                      NN__TEXT("give both the same .padding_idx, or leave .padding out of one"));
        return false;
    }
    start->zeros = desc->embedding_dim;
    start->zeros_from = (nn__zero_count)from;
    return true;
}
#endif

NN_API nn_node *nn_embedding_at(nn_site site, nn_model *net, const char *name, nn_node *index,
                                const nn_embedding_desc *desc) {
    static const char *const roles[] = {"index", "weight"};
#ifndef NN_NO_MIXED_PRECISION
    if (nn__quantizes(net, name)) {
        nn__type type;
        index = nn__build(site, net, &nn__rule_embedding_checked, NULL, name, &index, roles, 1,
                          desc, 0);
        if (!index || index->poisoned) return index;
        type = nn__type_of(index);
        type.shape.extent[type.shape.rank++] = desc->embedding_dim;
        return net->quantizer->embedding(site, net, name, index, desc, type.shape);
    }
#endif
    nn_node *node = nn__build(site, net, &nn__rule_embedding, nn__install_gather, name, &index,
                              roles, 1, desc, desc ? sizeof *desc : 0);
#ifndef NN_NO_TRAINING
    if (node && !node->poisoned && node->rule == &nn__rule_embedding &&
        !nn__op_embedding_start(net, site, node, desc))
        return nn__poison(net);
#endif
#ifndef NN_NO_MIXED_PRECISION
    if (node && !node->poisoned && nn__is_half(node->inputs[1]->dtype)) {
        /* Gathers rows in the stored dtype and converts only those, not the whole table. */
        char cast[2 * NN_NAME_BYTES];
        node->dtype = node->inputs[1]->dtype;
        nn__join_text(cast, sizeof cast, node->name, ".", "f32");
        return nn__add_cast(&net->graph, site, cast, node, NN_F32);
    }
#endif
    return node;
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* Gathers bytes of x into scratch, only to see whether every index is in range. x: any tensor
   with at least `extent` bytes. */
NN_PRIVATE nn_result nn__op_index_inside(nn_site site, const char *who, nn_context *nn,
                                         nn_device device, const nn_view *x, int32_t extent,
                                         const nn_view *index, bool *inside) {
    nn__open_device *on = nn__find_device(nn, device);
    /* the CPU kernel checks indices without gathering */
    const uint64_t count = device.kind == NN_CPU ? 0 : (uint64_t)nn__count(index),
                   bytes = (count + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    nn_gather_args args;
    nn_view space;
    uint32_t word = 0;
    nn_result result = nn__immediate_scratch(nn, device, bytes + NN__ALIGNMENT, who, &space);
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.status.handle = space.handle;
    args.y.handle = device.kind == NN_CPU ? NULL : space.handle;
    args.y.offset = space.offset;
    args.y.shape = index->shape;
    args.status.offset = space.offset + bytes;
    args.status.dtype = NN_I32;
    args.x.handle = x->handle;
    args.x.offset = x->offset;
    args.x.shape.rank = 1;
    args.x.shape.extent[0] = extent;
    args.x.dtype = args.y.dtype = NN_U8;
    args.index = *index;
    nn__install_gather(nn);
    result = on->backend->fill(on->state, space.handle, args.status.offset, 4, 0);
    if ((int)result < 0)
        return nn__fail_at(nn, site, result, "%s: %s", who, nn_result_text(result));
    result = nn__run_immediate(site, who, nn, device, NN_KERNEL_GATHER, &args, NULL);
    if (result == NN_OK)
        result = nn__download(nn, device, &args.status, &word, sizeof word, "status", site);
    *inside = word == 0;
    return result;
}

NN_PRIVATE nn_result nn__op_index_look(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, const nn_view *x, int32_t extent,
                                       const nn_view *index) {
    bool inside = false;
    const nn_result result =
        nn__op_index_inside(site, who, nn, device, x, extent, index, &inside);
    if (result != NN_OK || inside) return result;
    return nn__fail_at(nn, site, NN_ERROR_INDEX,
                       "%s: an index is outside [0, %d); nothing was written", who, (int)extent);
}

static nn_result nn__op_index_forward(nn_site site, const char *who, nn_context *nn,
                                      nn_device device, nn_tensor *y, const nn_tensor *x, int axis,
                                      const nn_tensor *index) {
    nn_gather_args args;
    nn__op_gather_args(&args, &y->view, &x->view, &index->view, axis);
    nn_result result = nn__op_index_look(site, who, nn, device, &x->view,
                                         x->view.shape.extent[args.axis], &index->view);
    if (result != NN_OK) return result;
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_GATHER, &args, NULL);
}

/* given: the tensor that is written, the one that is read, the index. backward: the written one
   is dx, with the shape of x; the other is dy. */
static nn_result nn__op_index_select_check(nn_site site, const char *who, const nn__given *given,
                                           bool backward, int axis, nn__op_index_params *params,
                                           nn_context **nn, nn_device *device) {
    nn__given shapes[3];
    memset(params, 0, sizeof *params);
    params->axis = axis;
    const nn_result result = nn__check_given(site, who, given, NN__COUNT(shapes), nn, device);
    if (result != NN_OK) return result;
    shapes[0] = given[backward];
    shapes[1] = given[!backward];
    shapes[2] = given[2];
    return nn__check_shapes(site, who, *nn, &nn__rule_index_select, shapes, 1, NN__COUNT(shapes),
                            params);
}

NN_API nn_result nn_index_select_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                            int axis, const nn_tensor *index) {
    const char *who = "nn_index_select_forward";
    const nn_dtype dtype = x ? x->view.dtype : NN_F32;
    const nn__given given[] = {
        {"y", y, NN__WRITTEN, dtype}, {"x", x, 0, dtype}, {"index", index, 0, NN_I32}};
    nn__op_index_params params;
    nn_context *nn;
    nn_device device;
    const nn_result result =
        nn__op_index_select_check(site, who, given, false, axis, &params, &nn, &device);
    if (result != NN_OK) return result;
    return nn__op_index_forward(site, who, nn, device, y, x, axis, index);
}

/* Checks y against the shape that weight (rows, dim) and the indices give. */
static nn_result nn__op_table_check(nn_site site, const char *who, nn_context *nn,
                                    const nn_tensor *weight, const char *role,
                                    const nn_tensor *index, const char *y_role,
                                    const nn_tensor *y) {
    char text[NN__SHAPE_TEXT];
    nn__problem problem;
    nn_shape wanted;
    memset(&problem, 0, sizeof problem);
    if (weight->view.shape.rank != 2)
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "%s: %s has the shape %s; wanted (num_embeddings, embedding_dim)", who,
                           role, nn__format_shape(weight->view.shape, text, sizeof text));
    if (!nn__op_index_shape(&problem, weight->view.shape, 0, index->view.shape, &wanted))
        return nn__fail_problem(nn, site, who, &problem);
    return nn__want_shape(nn, site, who, y_role, wanted, y);
}

NN_API nn_result nn_embedding_forward_at(nn_site site, nn_tensor *y, const nn_tensor *index,
                                         const nn_tensor *weight) {
    const char *who = "nn_embedding_forward";
    const nn__given given[] = {
        {"y", y, NN__WRITTEN, NN_F32}, {"index", index, 0, NN_I32}, {"weight", weight, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__op_table_check(site, who, nn, weight, "weight", index, "y", y);
    if (result != NN_OK) return result;
    return nn__op_index_forward(site, who, nn, device, y, weight, 0, index);
}

#ifndef NN_NO_TRAINING
static nn_result nn__op_index_backward(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, nn_tensor *dx, const nn_tensor *dy,
                                       const nn_tensor *index, const nn__op_index_params *params,
                                       bool accumulate) {
    nn_scatter_add_args args;
    nn__op_scatter_args(&args, &dx->view, &dy->view, &index->view, params);
    args.accumulate = accumulate;
    nn_result result = nn__op_index_look(site, who, nn, device, &dx->view,
                                         dx->view.shape.extent[args.axis], &index->view);
    if (result != NN_OK) return result;
    nn__install_scatter_add(nn);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_SCATTER_ADD, &args, &args.scratch);
}

NN_API nn_result nn_index_select_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                             int axis, const nn_tensor *index, bool accumulate) {
    const char *who = "nn_index_select_backward";
    const nn__given given[] = {
        {"dx", dx, NN__WRITTEN, NN_F32}, {"dy", dy, 0, NN_F32}, {"index", index, 0, NN_I32}};
    nn__op_index_params params;
    nn_context *nn;
    nn_device device;
    const nn_result result =
        nn__op_index_select_check(site, who, given, true, axis, &params, &nn, &device);
    if (result != NN_OK) return result;
    return nn__op_index_backward(site, who, nn, device, dx, dy, index, &params, accumulate);
}

NN_API nn_result nn_embedding_backward_at(nn_site site, nn_tensor *dweight, const nn_tensor *dy,
                                          const nn_tensor *index, const nn_embedding_desc *desc,
                                          bool accumulate) {
    const char *who = "nn_embedding_backward";
    const nn__given given[] = {{"dweight", dweight, NN__WRITTEN, NN_F32},
                               {"dy", dy, 0, NN_F32},
                               {"index", index, 0, NN_I32}};
    nn__op_index_params params;
    nn__problem problem;
    nn_context *nn;
    nn_device device;
    memset(&params, 0, sizeof params);
    memset(&problem, 0, sizeof problem);
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__op_table_check(site, who, nn, dweight, "dweight", index, "dy", dy);
    if (result != NN_OK) return result;
    params.padding = desc && desc->padding;
    if (desc && !nn__op_padding_row(&problem, desc, dweight->view.shape.extent[0],
                                    &params.padding_idx))
        return nn__fail_problem(nn, site, who, &problem);
    return nn__op_index_backward(site, who, nn, device, dweight, dy, index, &params, accumulate);
}
#endif
