/* small_nets.h - every loss of the library except the CTC loss, which needs sequences, and every
   kind of activation, each by number, for nets of small layers. */
#pragma once

/* The contents of an input. Rows: one number for each sample; otherwise as many as the net has
   outputs. */
typedef enum small_kind {
    SMALL_ANY, /* from -1 to 1 */
    SMALL_UNIT, /* from 0 to 1 */
    SMALL_BITS, /* 0 or 1 */
    SMALL_SIGNS,
    SMALL_SIGN_ROWS,
    SMALL_LABEL_ROWS,
    SMALL_LABELS /* some labels, then -1 */
} small_kind;

/* True for one number for each sample; i32 for labels. */
static TEST_UNUSED bool small_is_rows(small_kind kind) {
    return kind == SMALL_SIGN_ROWS || kind == SMALL_LABEL_ROWS;
}
static TEST_UNUSED bool small_is_labels(small_kind kind) {
    return kind == SMALL_LABEL_ROWS || kind == SMALL_LABELS;
}

typedef struct small_inputs {
    nn_node *node[2];
    small_kind kind[2];
    int count;
} small_inputs;

#define SMALL_LOSSES                                                                               \
    X(cross_entropy) X(cross_entropy_smooth) X(cross_entropy_weight) X(cross_entropy_sum)          \
    X(cross_entropy_none) X(cross_entropy_soft) X(nll) X(multi_margin) X(multi_margin_2)           \
    X(bce_logits) X(bce_logits_weight) X(bce) X(multilabel_soft_margin) X(mse) X(mse_sum) X(l1)    \
    X(smooth_l1) X(huber) X(kl_div) X(kl_div_log) X(poisson_nll) X(gaussian_nll) X(gaussian_nll_1) \
    X(soft_margin) X(hinge_embedding) X(margin_ranking) X(cosine_embedding) X(triplet)             \
    X(triplet_1) X(triplet_3) X(triplet_swap) X(triplet_largest) X(triplet_cosine)                 \
    X(multilabel_margin) X(mse_of_softmax) X(sum_of_two)
#define X(name) SMALL_##name,
typedef enum small_loss_kind { SMALL_LOSSES SMALL_LOSS_COUNT } small_loss_kind;
#undef X
#define X(name) #name,
static TEST_UNUSED const char *const small_loss_names[] = {SMALL_LOSSES NULL};
#undef X

#define SMALL_ACTIVATIONS                                                                          \
    X(relu) X(gelu) X(leaky_relu) X(sigmoid) X(tanh) X(softplus) X(relu6) X(elu) X(selu) X(celu)   \
    X(silu) X(mish) X(hardsigmoid) X(hardswish) X(hardtanh) X(softsign) X(logsigmoid)              \
    X(tanhshrink) X(softshrink) X(hardshrink) X(threshold) X(gelu_tanh) X(prelu) X(prelu_each)     \
    X(softmax) X(log_softmax) X(softmin) X(glu) X(glu_parts) X(maxout) X(none)
#define X(name) SMALL_##name##_,
typedef enum small_activation_kind { SMALL_ACTIVATIONS SMALL_ACTIVATION_COUNT } small_activation_kind;
#undef X
#define X(name) #name,
static TEST_UNUSED const char *const small_activation_names[] = {SMALL_ACTIVATIONS NULL};
#undef X

static nn_node *small_input(nn_model *m, small_inputs *to, small_kind kind, int outputs) {
    static const char *const names[] = {"target", "other"};
    const nn_dtype dtype = small_is_labels(kind) ? NN_I32 : NN_F32;
    to->kind[to->count] = kind;
    to->node[to->count] = nn_input(m, names[to->count], dtype,
                                   small_is_rows(kind) ? NN_SHAPE(NN_BATCH) : NN_SHAPE(NN_BATCH, outputs));
    return to->node[to->count++];
}

/* Appends a number for an input of this kind; word is random. */
static TEST_UNUSED void small_number(small_kind kind, int outputs, int column, uint32_t word,
                                     float *to) {
    const float unit = nn_word_to_uniform(word);
    int32_t label = (int32_t)(word >> 8) % outputs;
    if (kind == SMALL_LABELS && column > (outputs - 1) / 2) label = -1;
    switch (kind) {
    case SMALL_ANY: *to = 2.0f * unit - 1.0f; break;
    case SMALL_UNIT: *to = unit; break;
    case SMALL_BITS: *to = (float)(word >> 8 & 1); break;
    case SMALL_SIGNS:
    case SMALL_SIGN_ROWS: *to = word >> 8 & 1 ? 1.0f : -1.0f; break;
    default: memcpy(to, &label, sizeof label); break;
    }
}

static TEST_UNUSED nn_node *small_cosine_distance(nn_model *m, nn_node *a, nn_node *b, void *user) {
    (void)user;
    return nn_offset(m, nn_negate(m, nn_cosine_similarity(m, a, b, -1)), 1.0f);
}

/* (outputs), from 0.5 to 1.25 */
static TEST_UNUSED nn_node *small_weight(nn_model *m, const char *name, int outputs) {
    float numbers[512];
    nn_tensor *tensor = nn_make_tensor(nn_model_context(m),
                                       &(nn_tensor_desc){.shape = NN_SHAPE(outputs)});
    for (int i = 0; i < outputs; i++) numbers[i] = 0.5f + 0.25f * (float)(i % 4);
    nn_upload_tensor(tensor, numbers, sizeof(float) * (size_t)outputs);
    return nn_constant(m, name, tensor);
}

/* y (N, outputs) */
static TEST_UNUSED nn_node *small_loss(nn_model *m, small_loss_kind which, nn_node *y, int outputs,
                                       small_inputs *in) {
    nn_node *t;
    switch (which) {
    case SMALL_cross_entropy:
        return nn_cross_entropy(m, y, small_input(m, in, SMALL_LABEL_ROWS, outputs), NULL);
    case SMALL_cross_entropy_smooth:
        return nn_cross_entropy(m, y, small_input(m, in, SMALL_LABEL_ROWS, outputs),
                                &(nn_cross_entropy_desc){.label_smoothing = 0.1f});
    case SMALL_cross_entropy_weight:
        return nn_cross_entropy(m, y, small_input(m, in, SMALL_LABEL_ROWS, outputs),
                                &(nn_cross_entropy_desc){.weight = small_weight(m, "weight", outputs)});
    case SMALL_cross_entropy_sum:
        return nn_cross_entropy(m, y, small_input(m, in, SMALL_LABEL_ROWS, outputs),
                                &(nn_cross_entropy_desc){.reduction = NN_SUM});
    case SMALL_cross_entropy_none:
        t = nn_cross_entropy(m, y, small_input(m, in, SMALL_LABEL_ROWS, outputs),
                             &(nn_cross_entropy_desc){.reduction = NN_REDUCTION_NONE,
                                                      .label_smoothing = 0.1f});
        return nn_mean(m, nn_square(m, t));
    case SMALL_cross_entropy_soft:
        return nn_cross_entropy(m, y, nn_softmax(m, small_input(m, in, SMALL_ANY, outputs)), NULL);
    case SMALL_nll:
        return nn_nll_loss(m, nn_log_softmax(m, y), small_input(m, in, SMALL_LABEL_ROWS, outputs),
                           NULL);
    case SMALL_multi_margin:
        return nn_multi_margin_loss(m, y, small_input(m, in, SMALL_LABEL_ROWS, outputs), NULL);
    case SMALL_multi_margin_2:
        return nn_multi_margin_loss(m, y, small_input(m, in, SMALL_LABEL_ROWS, outputs),
                                    &(nn_multi_margin_desc){.p = 2, .weight = small_weight(m, "weight", outputs)});
    case SMALL_bce_logits:
        return nn_bce_with_logits(m, y, small_input(m, in, SMALL_UNIT, outputs), NULL);
    case SMALL_bce_logits_weight:
        return nn_bce_with_logits(m, y, small_input(m, in, SMALL_UNIT, outputs),
                                  &(nn_bce_desc){.weight = small_weight(m, "weight", outputs),
                                                .pos_weight = small_weight(m, "pos", outputs)});
    case SMALL_bce:
        return nn_bce_loss(m, nn_sigmoid(m, y), small_input(m, in, SMALL_BITS, outputs), NULL);
    case SMALL_multilabel_soft_margin:
        return nn_multilabel_soft_margin_loss(
            m, y, small_input(m, in, SMALL_BITS, outputs),
            &(nn_multilabel_soft_margin_desc){.weight = small_weight(m, "weight", outputs)});
    case SMALL_mse: return nn_mse_loss(m, y, small_input(m, in, SMALL_ANY, outputs), NULL);
    case SMALL_mse_sum:
        return nn_mse_loss(m, y, small_input(m, in, SMALL_ANY, outputs),
                           &(nn_mse_desc){.reduction = NN_SUM});
    case SMALL_l1: return nn_l1_loss(m, y, small_input(m, in, SMALL_ANY, outputs), NULL);
    case SMALL_smooth_l1:
        return nn_smooth_l1_loss(m, y, small_input(m, in, SMALL_ANY, outputs), NULL);
    case SMALL_huber:
        return nn_huber_loss(m, y, small_input(m, in, SMALL_ANY, outputs),
                             &(nn_huber_desc){.delta = 0.5f});
    case SMALL_kl_div:
        return nn_kl_div(m, nn_log_softmax(m, y), small_input(m, in, SMALL_UNIT, outputs),
                         &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN});
    case SMALL_kl_div_log:
        return nn_kl_div(m, nn_log_softmax(m, y), small_input(m, in, SMALL_ANY, outputs),
                         &(nn_kl_div_desc){.log_target = true});
    case SMALL_poisson_nll:
        return nn_poisson_nll_loss(m, y, small_input(m, in, SMALL_UNIT, outputs), NULL);
    case SMALL_gaussian_nll:
        return nn_gaussian_nll_loss(m, y, small_input(m, in, SMALL_ANY, outputs),
                                    nn_softplus(m, y, NULL), NULL);
    case SMALL_gaussian_nll_1:
        return nn_gaussian_nll_loss(m, y, small_input(m, in, SMALL_ANY, outputs),
                                    nn_mean(m, nn_softplus(m, y, NULL), NN_AXES(-1)),
                                    NULL);
    case SMALL_soft_margin:
        return nn_soft_margin_loss(m, y, small_input(m, in, SMALL_SIGNS, outputs), NULL);
    case SMALL_hinge_embedding:
        return nn_hinge_embedding_loss(m, y, small_input(m, in, SMALL_SIGNS, outputs), NULL);
    case SMALL_margin_ranking:
        t = small_input(m, in, SMALL_SIGNS, outputs);
        return nn_margin_ranking_loss(m, y, small_input(m, in, SMALL_ANY, outputs), t,
                                      &(nn_margin_ranking_desc){.margin = 0.5f});
    case SMALL_cosine_embedding:
        t = small_input(m, in, SMALL_SIGN_ROWS, outputs);
        return nn_cosine_embedding_loss(m, y, small_input(m, in, SMALL_ANY, outputs), t, NULL);
    case SMALL_triplet:
    case SMALL_triplet_1:
    case SMALL_triplet_3:
    case SMALL_triplet_largest:
    case SMALL_triplet_swap:
        t = small_input(m, in, SMALL_ANY, outputs);
        return nn_triplet_margin_loss(
            m, y, t, small_input(m, in, SMALL_ANY, outputs),
            &(nn_triplet_margin_desc){.p = which == SMALL_triplet_1         ? 1.0f
                                           : which == SMALL_triplet_3       ? 3.0f
                                           : which == SMALL_triplet_largest ? INFINITY
                                                                            : 2.0f,
                                      .swap = which == SMALL_triplet_swap});
    case SMALL_triplet_cosine:
        t = small_input(m, in, SMALL_ANY, outputs);
        return nn_triplet_margin_with_distance_loss(
            m, y, t, small_input(m, in, SMALL_ANY, outputs),
            &(nn_triplet_margin_with_distance_desc){.distance_function = small_cosine_distance});
    case SMALL_multilabel_margin:
        return nn_multilabel_margin_loss(m, y, small_input(m, in, SMALL_LABELS, outputs), NULL);
    case SMALL_mse_of_softmax: /* of its own log-probabilities: a second softmax */
        return nn_mse_loss(m, nn_softmax(m, nn_log_softmax(m, y)),
                           small_input(m, in, SMALL_ANY, outputs), NULL);
    default:
        return nn_add(m, nn_mse_loss(m, y, small_input(m, in, SMALL_ANY, outputs), NULL),
                      nn_scale(m, nn_mean(m, nn_abs(m, y)), 0.1f));
    }
}

/* y (N, n) of x (N, n); name: of its layer */
static TEST_UNUSED nn_node *small_activation(nn_model *m, small_activation_kind which,
                                             const char *name, nn_node *x, int n) {
    nn_node *parts[2];
    switch (which) {
    case SMALL_relu_: return nn_relu(m, x);
    case SMALL_gelu_: return nn_gelu(m, x);
    case SMALL_leaky_relu_: return nn_leaky_relu(m, x, NULL);
    case SMALL_sigmoid_: return nn_sigmoid(m, x);
    case SMALL_tanh_: return nn_tanh(m, x);
    case SMALL_softplus_: return nn_softplus(m, x, NULL);
    case SMALL_relu6_: return nn_relu6(m, x);
    case SMALL_elu_: return nn_elu(m, x, NULL);
    case SMALL_selu_: return nn_selu(m, x);
    case SMALL_celu_: return nn_celu(m, x, &(nn_celu_desc){.alpha = 1.5f});
    case SMALL_silu_: return nn_silu(m, x);
    case SMALL_mish_: return nn_mish(m, x);
    case SMALL_hardsigmoid_: return nn_hardsigmoid(m, x);
    case SMALL_hardswish_: return nn_hardswish(m, x);
    case SMALL_hardtanh_: return nn_hardtanh(m, x, NULL);
    case SMALL_softsign_: return nn_softsign(m, x);
    case SMALL_logsigmoid_: return nn_logsigmoid(m, x);
    case SMALL_tanhshrink_: return nn_tanhshrink(m, x);
    case SMALL_softshrink_: return nn_softshrink(m, x, &(nn_softshrink_desc){.lambd = 0.1f});
    case SMALL_hardshrink_: return nn_hardshrink(m, x, &(nn_hardshrink_desc){.lambd = 0.1f});
    case SMALL_threshold_: return nn_threshold(m, x, 0.1f, -0.2f);
    case SMALL_gelu_tanh_: return nn_gelu_tanh(m, x);
    case SMALL_prelu_: return nn_prelu(m, name, x, NULL);
    case SMALL_prelu_each_: return nn_prelu(m, name, x, &(nn_prelu_desc){.num_parameters = n});
    case SMALL_softmax_: return nn_softmax(m, x);
    case SMALL_log_softmax_: return nn_log_softmax(m, x);
    case SMALL_softmin_: return nn_softmin(m, x);
    case SMALL_glu_: /* of one half of a layer's outputs */
        return nn_glu(m, nn_linear(m, name, x, &(nn_linear_desc){.out_features = 2 * n}), -1);
    case SMALL_glu_parts_: /* a third, which is not a slice that glu itself makes */
        x = nn_linear(m, name, x, &(nn_linear_desc){.out_features = 3 * n});
        return nn_glu(m, nn_slice(m, x, &(nn_slice_desc){.axis = 1, .start = n}), -1);
    case SMALL_maxout_:
        nn_chunk(m, nn_linear(m, name, x, &(nn_linear_desc){.out_features = 2 * n}), parts, 2, -1);
        return nn_maximum(m, parts[0], parts[1]);
    default: return x;
    }
}
