/* ops/transformer.c - multi-head attention and the encoder layer, composed of products,
   attention and norms. */
#include "ops/transformer.h"
#include "ops/arrange.h"
#include "ops/attention.h"
#include "ops/norm.h"
#include "ops/pointwise.h"
#include "ops/private.h"
#include "ops/table.h"

#include <math.h>

/* ---- attention with its projections ---------------------------------------------------------- */

static bool nn__op_heads_infer(nn__inference *inference) {
    const nn_multihead_attention_desc *desc =
        (const nn_multihead_attention_desc *)inference->params;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give a desc with .num_heads"),
                               NN__TEXT("desc is NULL"));
    for (int i = 0; i < inference->input_count; i++) {
        const nn_shape x = inference->inputs[i].shape;
        nn__format_shape(x, text, sizeof text);
        if (!nn__want_dtype(problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32))
            return false;
        if (x.rank != 3 || nn__is_symbolic(x.extent[2]))
            return nn__problem_set(problem, NN_ERROR_SHAPE,
                                   NN__TEXT("the batch is first and the features are last"),
                                   NN__TEXT("%s is %s; wanted (N, %s, features)"),
                                   inference->roles[i], text, i ? "S" : "L");
    }
    const int width = inference->inputs[0].shape.extent[2];
    if (width > INT32_MAX / 3)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_linear makes rows narrower"),
                               NN__TEXT("query has %d features; in_proj_weight has three times as "
                                        "many rows, more than an extent holds"),
                               width);
    if (desc->num_heads < 1 || width % desc->num_heads)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .num_heads"),
                               NN__TEXT("num_heads is %d; the query's %d features must be a "
                                        "multiple of it"),
                               desc->num_heads, width);
    if (!nn__want_fraction(problem, "dropout", desc->dropout, NN__TEXT("leave it out for 0")))
        return false;
    inference->outputs[0] = inference->inputs[0];
    return true;
}
static const nn__rule nn__rule_heads =
    NN__COMPOSED_LAYER("multihead_attention", nn__op_heads_infer);

/* The state of the builder. */
typedef struct nn__op_heads {
    nn_site site;
    nn_model *net;
    const char *name;
    const nn_multihead_attention_desc *desc;
    int32_t width, heads;
    /* the stacked weights and biases of all three projections; NULL: separate weights; no bias */
    nn_node *weight, *bias;
} nn__op_heads;

static nn_node *nn__op_heads_parameter(const nn__op_heads *h, const char *part, int32_t rows,
                                       int32_t columns, float bound) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = columns ? 2 : 1;
    shape.extent[0] = rows;
    shape.extent[1] = columns;
    return nn__add_parameter(h->net, h->site, h->name, part, &shape, bound, h->desc->shared);
}

/* Returns the bound of torch.nn.init.xavier_uniform_. */
static float nn__op_heads_bound(int32_t rows, int32_t columns) {
    return sqrtf(6.0f / ((float)rows + (float)columns));
}

/* Returns the rows [k width, (k + 1) width) of a stacked parameter. */
static nn_node *nn__op_heads_third(const nn__op_heads *h, nn_node *all, int k) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.start = k * h->width;
    slice.stop = (k + 1) * h->width;
    return nn_slice_at(h->site, h->net, all, &slice);
}

/* Returns projection k (query, key, value) of x (N, L, C), as (N, L, heads, width / heads). */
static nn_node *nn__op_heads_project(const nn__op_heads *h, nn_node *x, int k) {
    static const char *const parts[] = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
    const int32_t columns = x->shape.extent[2];
    nn_shape shape = x->shape;
    nn_node *weight, *bias = NULL;
    weight = h->weight ? nn__op_heads_third(h, h->weight, k)
                       : nn__op_heads_parameter(h, parts[k], h->width, columns,
                                                nn__op_heads_bound(h->width, columns));
    if (h->bias) bias = nn__op_heads_third(h, h->bias, k);
    if (weight->poisoned || (bias && bias->poisoned)) return nn__poison(h->net);
    x = nn__add_linear(&h->net->graph, h->site, "multihead_attention", NULL, x, weight, bias);
    shape.rank = 4;
    shape.extent[2] = h->heads;
    shape.extent[3] = h->width / h->heads;
    return nn_reshape_at(h->site, h->net, x, shape);
}

/* Returns the mask to add to the scores. An f32 mask is added as it is, unless it is a padding
   mask; other masks exclude the keys where they are not 0. */
static nn_node *nn__op_heads_mask(const nn__op_heads *h, nn_node *mask, bool padding) {
    nn_shape shape;
    if (!mask || mask->poisoned) return mask;
    const bool numbers = mask->dtype == NN_F32 && !padding;
    if (mask->dtype == NN_U8 || mask->dtype == NN_BOOL)
        mask = nn_cast_at(h->site, h->net, mask, NN_F32);
    if (!numbers)
        mask = nn__add_text(h->site, h->net, NULL, "m: m != 0 ? -inf : 0", mask, NULL, NULL, NULL,
                            NULL);
    if (!padding || mask->poisoned || mask->shape.rank != 2) return mask;
    shape = mask->shape; /* (N, S) */
    shape.rank = 4;
    shape.extent[3] = shape.extent[1];
    shape.extent[1] = shape.extent[2] = 1;
    return nn_reshape_at(h->site, h->net, mask, shape);
}

static nn_node *nn__op_heads_attend(const nn__op_heads *h, nn_node *const *x) {
    nn_scaled_dot_product_attention_desc desc;
    nn_node *projected[3], *padding, *y;
    memset(&desc, 0, sizeof desc);
    desc.attn_mask = nn__op_heads_mask(h, h->desc->attn_mask, false);
    padding = nn__op_heads_mask(h, h->desc->key_padding_mask, true);
    if (desc.attn_mask && padding)
        desc.attn_mask = nn_add_at(h->site, h->net, desc.attn_mask, padding);
    else if (padding)
        desc.attn_mask = padding;
    desc.lengths = h->desc->lengths;
    desc.dropout_p = h->desc->dropout;
    desc.is_causal = h->desc->is_causal;
    desc.heads_inside = true;
    for (int k = 0; k < 3; k++) {
        projected[k] = nn__op_heads_project(h, x[k], k);
        if (projected[k]->poisoned) return projected[k];
    }
    y = nn_scaled_dot_product_attention_at(h->site, h->net, projected[0], projected[1],
                                           projected[2], &desc);
    return nn_reshape_at(h->site, h->net, y, x[0]->shape);
}

NN_API nn_node *nn_multihead_attention_at(nn_site site, nn_model *net, const char *name,
                                          nn_node *query, nn_node *key, nn_node *value,
                                          const nn_multihead_attention_desc *desc) {
    static const char *const roles[] = {"query", "key", "value"};
    nn__op_heads h;
    nn_node *x[3], *y, *weight, *bias = NULL;
    x[0] = query;
    x[1] = key ? key : query;
    x[2] = value ? value : x[1];
    y = nn__build(site, net, &nn__rule_heads, NULL, name, x, roles, value ? 3 : key ? 2 : 1, desc,
                  0);
    if (!y || y->poisoned) return y;
    h.site = site;
    h.net = net;
    h.name = name;
    h.desc = desc;
    h.width = query->shape.extent[2];
    h.heads = desc->num_heads;
    h.weight = h.bias = NULL;
    if (x[1]->shape.extent[2] == h.width && x[2]->shape.extent[2] == h.width)
        h.weight = nn__op_heads_parameter(&h, "in_proj_weight", 3 * h.width, h.width,
                                          nn__op_heads_bound(3 * h.width, h.width));
    if (!desc->no_bias) {
        h.bias = nn__op_heads_parameter(&h, "in_proj_bias", 3 * h.width, 0, 0.0f);
        bias = nn__op_heads_parameter(&h, "out_proj.bias", h.width, 0, 0.0f);
    }
    y = nn__op_heads_attend(&h, x);
    weight =
        nn__op_heads_parameter(&h, "out_proj.weight", h.width, h.width, nn__fan_bound(h.width));
    if (y->poisoned || weight->poisoned || (bias && bias->poisoned)) return nn__poison(net);
    return nn__add_linear(&net->graph, site, "multihead_attention", name, y, weight, bias);
}

/* ---- the encoder layer ----------------------------------------------------------------------- */

static bool nn__op_encoder_infer(nn__inference *inference) {
    const nn_transformer_encoder_layer_desc *desc =
        (const nn_transformer_encoder_layer_desc *)inference->params;
    nn__problem *problem = inference->problem;
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give a desc with .nhead"),
                               NN__TEXT("desc is NULL"));
    if (desc->nhead < 1) return nn__refuse_number(problem, "nhead", desc->nhead, "at least 1");
    if (desc->dim_feedforward < 0)
        return nn__refuse_number(problem, "dim_feedforward", desc->dim_feedforward, "at least 1");
    if (desc->activation != NN_ACTIVATION_NONE && desc->activation != NN_ACTIVATION_RELU &&
        desc->activation != NN_ACTIVATION_GELU)
        return nn__refuse_number(problem, "activation", (int)desc->activation,
                                 "NN_ACTIVATION_RELU or NN_ACTIVATION_GELU");
    if (desc->dropout != (float)NN_NONE &&
        !nn__want_fraction(problem, "dropout", desc->dropout, NN__TEXT("leave it out for 0.1")))
        return false;
    inference->outputs[0] = inference->inputs[0];
    return true;
}
static const nn__rule nn__rule_encoder =
    NN__COMPOSED_LAYER("transformer_encoder", nn__op_encoder_infer);

typedef struct nn__op_encoder {
    nn_site site;
    nn_model *net;
    const char *name;
    const nn_transformer_encoder_layer_desc *desc;
    float dropout;
} nn__op_encoder;

static const char *nn__op_encoder_name(const nn__op_encoder *e, char *text, size_t size,
                                       const char *part) {
    nn__join_text(text, size, e->name, ".", part);
    return text;
}

static nn_node *nn__op_encoder_norm(const nn__op_encoder *e, nn_node *x, const char *part) {
    char text[2 * NN_NAME_BYTES];
    nn_layer_norm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.epsilon = e->desc->layer_norm_eps;
    desc.no_bias = e->desc->no_bias;
    desc.shared = e->desc->shared;
    return nn_layer_norm_at(e->site, e->net, nn__op_encoder_name(e, text, sizeof text, part), x,
                            &desc);
}

static nn_node *nn__op_encoder_dropout(const nn__op_encoder *e, nn_node *x) {
    return e->dropout > 0.0f ? nn_dropout_at(e->site, e->net, x, e->dropout) : x;
}

static nn_node *nn__op_encoder_attend(const nn__op_encoder *e, nn_node *x) {
    char text[2 * NN_NAME_BYTES];
    nn_multihead_attention_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_heads = e->desc->nhead;
    desc.dropout = e->dropout;
    desc.no_bias = e->desc->no_bias;
    desc.key_padding_mask = e->desc->src_key_padding_mask;
    desc.lengths = e->desc->lengths;
    desc.attn_mask = e->desc->src_mask;
    desc.is_causal = e->desc->is_causal;
    desc.shared = e->desc->shared;
    x = nn_multihead_attention_at(e->site, e->net,
                                  nn__op_encoder_name(e, text, sizeof text, "self_attn"), x, NULL,
                                  NULL, &desc);
    return nn__op_encoder_dropout(e, x);
}

static nn_node *nn__op_encoder_forward(const nn__op_encoder *e, nn_node *x) {
    char text[2 * NN_NAME_BYTES];
    nn_linear_desc desc;
    const int32_t width = x->poisoned ? 1 : x->shape.extent[x->shape.rank - 1];
    memset(&desc, 0, sizeof desc);
    desc.no_bias = e->desc->no_bias;
    desc.shared = e->desc->shared;
    desc.out_features = e->desc->dim_feedforward ? e->desc->dim_feedforward : 2048;
    x = nn_linear_at(e->site, e->net, nn__op_encoder_name(e, text, sizeof text, "linear1"), x,
                     &desc);
    x = e->desc->activation == NN_ACTIVATION_GELU ? nn_gelu_at(e->site, e->net, x)
                                                  : nn_relu_at(e->site, e->net, x);
    x = nn__op_encoder_dropout(e, x);
    desc.out_features = width;
    x = nn_linear_at(e->site, e->net, nn__op_encoder_name(e, text, sizeof text, "linear2"), x,
                     &desc);
    return nn__op_encoder_dropout(e, x);
}

NN_API nn_node *nn_transformer_encoder_layer_at(nn_site site, nn_model *net, const char *name,
                                                nn_node *x,
                                                const nn_transformer_encoder_layer_desc *desc) {
    static const char *const roles[] = {"input"};
    nn__op_encoder e;
    nn_node *y = nn__build(site, net, &nn__rule_encoder, NULL, name, &x, roles, 1, desc, 0);
    if (!y || y->poisoned) return y;
    e.site = site;
    e.net = net;
    e.name = name;
    e.desc = desc;
    e.dropout = desc->dropout == (float)NN_NONE ? 0.0f
                : desc->dropout == 0.0f         ? 0.1f
                                                : desc->dropout;
    for (int half = 0; half < 2 && !x->poisoned; half++) {
        const char *norm = half ? "norm2" : "norm1";
        y = desc->norm_first ? nn__op_encoder_norm(&e, x, norm) : x;
        if (y->poisoned) return y;
        y = half ? nn__op_encoder_forward(&e, y) : nn__op_encoder_attend(&e, y);
        x = nn_add_at(site, net, x, y);
        if (!desc->norm_first) x = nn__op_encoder_norm(&e, x, norm);
    }
    return x;
}
