/* ops/local_response_norm.c - divides by a power of the mean of squares over neighbouring channels.
   An average pool computes the mean with the channels as its height. */
#include "ops/local_response_norm.h"
#include "ops/arrange.h"
#include "ops/private.h"
#include "ops/table.h"

static bool nn__op_lrn_infer(nn__inference *inference) {
    const nn_local_response_norm_desc *desc =
        (const nn_local_response_norm_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    int32_t places;
    if (!nn__want_dtype(problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32))
        return false;
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_local_response_norm_desc with .size"),
                               NN__TEXT("desc is NULL"));
    if (desc->size < 1 || desc->size > INT32_MAX / 4)
        return nn__refuse_number(problem, "size", desc->size, "at least 1, and below 2^29");
    nn__format_shape(x, text, sizeof text);
    if (x.rank < 3)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s %s has %d extents; %s wants at least 3: (N, C, L ...)"),
                               source, text, (int)x.rank, inference->operation);
    for (int i = 1; i < x.rank; i++)
        if (nn__is_symbolic(x.extent[i]))
            return nn__problem_set(
                problem, NN_ERROR_SHAPE, NN__TEXT("only the first extent may be free"),
                NN__TEXT("extent %d of %s %s depends on the %s"), i, source, text,
                nn__free_words(x.extent[i]));
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = x;
    if (nn__fold_extents(x, 2, x.rank, &places) && places < INT32_MAX / 2 &&
        x.extent[1] < INT32_MAX / 4)
        return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                           NN__TEXT("a channel of %s %s has more places than 31 bits "
                                    "count"), source, text);
}

static const nn__rule nn__rule_lrn = NN__COMPOSED_RULE("local_response_norm", nn__op_lrn_infer);

NN_API nn_node *nn_local_response_norm_at(nn_site site, nn_model *net, nn_node *x,
                                          const nn_local_response_norm_desc *desc) {
    nn_pool2d_desc pool;
    nn_pad_desc pad;
    nn_shape tall;
    x = nn__build_unary(site, net, &nn__rule_lrn, NULL, x, desc, 0);
    if (!x || x->poisoned) return x;
    memset(&pool, 0, sizeof pool);
    memset(&pad, 0, sizeof pad);
    memset(&tall, 0, sizeof tall);
    tall.rank = 4; /* (N, 1, C, places) */
    tall.extent[0] = x->shape.extent[0];
    tall.extent[1] = tall.extent[3] = 1;
    tall.extent[2] = x->shape.extent[1];
    for (int i = 2; i < x->shape.rank; i++) tall.extent[3] *= x->shape.extent[i];
    pad.top = desc->size / 2;
    pad.bottom = (desc->size - 1) / 2;
    pool.kernel_h = desc->size;
    pool.kernel_w = pool.stride = 1;
    nn_node *a = nn_reshape_at(site, net, nn_square_at(site, net, x), tall);
    if (desc->size > 1) a = nn_avg_pool2d_at(site, net, nn_pad_at(site, net, a, &pad), &pool);
    a = nn_reshape_at(site, net, a, x->shape);
    a = nn_scale_at(site, net, a, nn__or_default(desc->alpha, 1e-4f));
    a = nn_offset_at(site, net, a, nn__or_default(desc->k, 1.0f));
    a = nn_log_at(site, net, a); /* to the power of -beta */
    a = nn_scale_at(site, net, a, -nn__or_default(desc->beta, 0.75f));
    return nn_multiply_at(site, net, x, nn_exp_at(site, net, a));
}
