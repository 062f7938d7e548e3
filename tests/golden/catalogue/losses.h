/* Made by tests/golden/catalogue/losses.py with PyTorch 2.15.0; not edited by hand. */

static void losses_mse_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mse_loss(net, in[0], in[1], NULL);
}
static void losses_mse_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mse_loss(net, in[0], in[1], &(nn_mse_desc){.reduction = NN_SUM});
}
static void losses_mse_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mse_loss(net, in[0], in[1], &(nn_mse_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_l1_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_l1_loss(net, in[0], in[1], NULL);
}
static void losses_l1_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_l1_loss(net, in[0], in[1], &(nn_l1_desc){.reduction = NN_SUM});
}
static void losses_l1_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_l1_loss(net, in[0], in[1], &(nn_l1_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_smooth_l1_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], NULL);
}
static void losses_smooth_l1_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction = NN_SUM});
}
static void losses_smooth_l1_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_smooth_l1_beta_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.beta = 2});
}
static void losses_smooth_l1_beta_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction = NN_SUM,
        .beta = 2});
}
static void losses_smooth_l1_beta_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction =
        NN_REDUCTION_NONE, .beta = 2});
}
static void losses_smooth_l1_zero_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.beta = NN_NONE});
}
static void losses_smooth_l1_zero_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction = NN_SUM,
        .beta = NN_NONE});
}
static void losses_smooth_l1_zero_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction =
        NN_REDUCTION_NONE, .beta = NN_NONE});
}
static void losses_huber_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], NULL);
}
static void losses_huber_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], &(nn_huber_desc){.reduction = NN_SUM});
}
static void losses_huber_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], &(nn_huber_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_huber_delta_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], &(nn_huber_desc){.delta = 2});
}
static void losses_huber_delta_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], &(nn_huber_desc){.reduction = NN_SUM, .delta =
        2});
}
static void losses_huber_delta_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], &(nn_huber_desc){.reduction = NN_REDUCTION_NONE,
        .delta = 2});
}
static void losses_bce_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], NULL);
}
static void losses_bce_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_SUM});
}
static void losses_bce_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_bce_weight_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.weight = in[2]});
}
static void losses_bce_weight_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_SUM, .weight =
        in[2]});
}
static void losses_bce_weight_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE,
        .weight = in[2]});
}
static void losses_bce_with_logits_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], NULL);
}
static void losses_bce_with_logits_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_SUM});
}
static void losses_bce_with_logits_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], &(nn_bce_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_bce_with_logits_all_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], &(nn_bce_desc){.weight = in[2], .pos_weight =
        in[3]});
}
static void losses_bce_with_logits_all_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_SUM, .weight =
        in[2], .pos_weight = in[3]});
}
static void losses_bce_with_logits_all_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], &(nn_bce_desc){.reduction =
        NN_REDUCTION_NONE, .weight = in[2], .pos_weight = in[3]});
}
static void losses_kl_div_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], NULL);
}
static void losses_kl_div_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_SUM});
}
static void losses_kl_div_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_kl_div_batchmean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN});
}
static void losses_kl_div_log_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.log_target = true});
}
static void losses_kl_div_log_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_SUM, .log_target =
        true});
}
static void losses_kl_div_log_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_REDUCTION_NONE,
        .log_target = true});
}
static void losses_kl_div_log_batchmean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN,
        .log_target = true});
}
static void losses_kl_div_vector(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN});
}
static void losses_kl_div_batch(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN});
}
static void losses_poisson_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], NULL);
}
static void losses_poisson_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction =
        NN_SUM});
}
static void losses_poisson_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_poisson_full_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.full = true});
}
static void losses_poisson_full_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction = NN_SUM,
        .full = true});
}
static void losses_poisson_full_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction =
        NN_REDUCTION_NONE, .full = true});
}
static void losses_poisson_rate_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.no_log_input = true,
        .epsilon = 0.25f});
}
static void losses_poisson_rate_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction = NN_SUM,
        .no_log_input = true, .epsilon = 0.25f});
}
static void losses_poisson_rate_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction =
        NN_REDUCTION_NONE, .no_log_input = true, .epsilon = 0.25f});
}
static void losses_gaussian_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], NULL);
}
static void losses_gaussian_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction =
        NN_SUM});
}
static void losses_gaussian_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_gaussian_full_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.full =
        true});
}
static void losses_gaussian_full_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction =
        NN_SUM, .full = true});
}
static void losses_gaussian_full_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction =
        NN_REDUCTION_NONE, .full = true});
}
static void losses_gaussian_clamped_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.epsilon =
        0.5f});
}
static void losses_gaussian_clamped_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction =
        NN_SUM, .epsilon = 0.5f});
}
static void losses_gaussian_clamped_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction =
        NN_REDUCTION_NONE, .epsilon = 0.5f});
}
static void losses_soft_margin_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], NULL);
}
static void losses_soft_margin_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], &(nn_soft_margin_desc){.reduction = NN_SUM});
}
static void losses_soft_margin_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1],
                                 &(nn_soft_margin_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_hinge_embedding_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], NULL);
}
static void losses_hinge_embedding_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], &(nn_hinge_embedding_desc){.reduction =
        NN_SUM});
}
static void losses_hinge_embedding_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], &(nn_hinge_embedding_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_hinge_embedding_margin_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], &(nn_hinge_embedding_desc){.margin =
        0.5f});
}
static void losses_hinge_embedding_margin_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], &(nn_hinge_embedding_desc){.reduction =
        NN_SUM, .margin = 0.5f});
}
static void losses_hinge_embedding_margin_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], &(nn_hinge_embedding_desc){.reduction =
        NN_REDUCTION_NONE, .margin = 0.5f});
}
static void losses_margin_ranking_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2], NULL);
}
static void losses_margin_ranking_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2],
        &(nn_margin_ranking_desc){.reduction = NN_SUM});
}
static void losses_margin_ranking_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2],
        &(nn_margin_ranking_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_margin_ranking_margin_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2], &(nn_margin_ranking_desc){.margin
        = 1});
}
static void losses_margin_ranking_margin_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2],
        &(nn_margin_ranking_desc){.reduction = NN_SUM, .margin = 1});
}
static void losses_margin_ranking_margin_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2],
        &(nn_margin_ranking_desc){.reduction = NN_REDUCTION_NONE, .margin = 1});
}
static void losses_multilabel_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1], NULL);
}
static void losses_multilabel_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_SUM});
}
static void losses_multilabel_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_multilabel_weight_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.weight = in[2]});
}
static void losses_multilabel_weight_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_SUM, .weight = in[2]});
}
static void losses_multilabel_weight_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_REDUCTION_NONE, .weight = in[2]});
}
static void losses_cosine_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2], NULL);
}
static void losses_cosine_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2],
        &(nn_cosine_embedding_desc){.reduction = NN_SUM});
}
static void losses_cosine_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2],
        &(nn_cosine_embedding_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_cosine_margin_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2],
        &(nn_cosine_embedding_desc){.margin = 0.3f});
}
static void losses_cosine_margin_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2],
        &(nn_cosine_embedding_desc){.reduction = NN_SUM, .margin = 0.3f});
}
static void losses_cosine_margin_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2],
        &(nn_cosine_embedding_desc){.reduction = NN_REDUCTION_NONE, .margin = 0.3f});
}
static void losses_cosine_row(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2], NULL);
}
static void losses_triplet_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL);
}
static void losses_triplet_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_SUM});
}
static void losses_triplet_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_triplet_swap_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], &(nn_triplet_margin_desc){.swap =
        true, .margin = 2});
}
static void losses_triplet_swap_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_SUM, .swap = true, .margin = 2});
}
static void losses_triplet_swap_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, .swap = true, .margin = 2});
}
static void losses_triplet_p1_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], &(nn_triplet_margin_desc){.p = 1,
        .margin = 3});
}
static void losses_triplet_p1_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_SUM, .p = 1, .margin = 3});
}
static void losses_triplet_p1_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, .p = 1, .margin = 3});
}
static void losses_triplet_p3_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], &(nn_triplet_margin_desc){.p = 3,
        .epsilon = 1e-3f});
}
static void losses_triplet_p3_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_SUM, .p = 3, .epsilon = 1e-3f});
}
static void losses_triplet_p3_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, .p = 3, .epsilon = 1e-3f});
}
static void losses_triplet_most_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], &(nn_triplet_margin_desc){.p =
        INFINITY, .margin = 4});
}
static void losses_triplet_most_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_SUM, .p = INFINITY, .margin = 4});
}
static void losses_triplet_most_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, .p = INFINITY, .margin = 4});
}
static void losses_triplet_row(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL);
}
static void losses_nll_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], NULL);
}
static void losses_nll_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_SUM});
}
static void losses_nll_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_nll_all_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.weight = in[2], .ignore = true,
        .ignore_index = -100});
}
static void losses_nll_all_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_SUM, .weight = in[2],
        .ignore = true, .ignore_index = -100});
}
static void losses_nll_all_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_REDUCTION_NONE,
        .weight = in[2], .ignore = true, .ignore_index = -100});
}
static void losses_nll_images_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.ignore = true, .ignore_index = 1});
}
static void losses_nll_images_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_SUM, .ignore = true,
        .ignore_index = 1});
}
static void losses_nll_images_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_REDUCTION_NONE,
        .ignore = true, .ignore_index = 1});
}
static void losses_cross_entropy_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], NULL);
}
static void losses_cross_entropy_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM});
}
static void losses_cross_entropy_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_cross_entropy_all_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.weight = in[2],
        .ignore = true, .ignore_index = -100, .label_smoothing = 0.3f});
}
static void losses_cross_entropy_all_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM,
        .weight = in[2], .ignore = true, .ignore_index = -100, .label_smoothing = 0.3f});
}
static void losses_cross_entropy_all_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE, .weight = in[2], .ignore = true, .ignore_index = -100, .label_smoothing =
        0.3f});
}
static void losses_cross_entropy_smooth_ignore_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.ignore = true,
        .ignore_index = -100, .label_smoothing = 0.2f});
}
static void losses_cross_entropy_smooth_ignore_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM,
        .ignore = true, .ignore_index = -100, .label_smoothing = 0.2f});
}
static void losses_cross_entropy_smooth_ignore_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE, .ignore = true, .ignore_index = -100, .label_smoothing = 0.2f});
}
static void losses_cross_entropy_images_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.weight = in[2],
        .ignore = true, .ignore_index = 1, .label_smoothing = 0.1f});
}
static void losses_cross_entropy_images_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM,
        .weight = in[2], .ignore = true, .ignore_index = 1, .label_smoothing = 0.1f});
}
static void losses_cross_entropy_images_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE, .weight = in[2], .ignore = true, .ignore_index = 1, .label_smoothing =
        0.1f});
}
static void losses_cross_entropy_soft_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], NULL);
}
static void losses_cross_entropy_soft_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM});
}
static void losses_cross_entropy_soft_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_cross_entropy_soft_all_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.weight = in[2],
        .label_smoothing = 0.3f});
}
static void losses_cross_entropy_soft_all_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM,
        .weight = in[2], .label_smoothing = 0.3f});
}
static void losses_cross_entropy_soft_all_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE, .weight = in[2], .label_smoothing = 0.3f});
}
static void losses_cross_entropy_soft_images_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.weight = in[2],
        .label_smoothing = 0.1f});
}
static void losses_cross_entropy_soft_images_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM,
        .weight = in[2], .label_smoothing = 0.1f});
}
static void losses_cross_entropy_soft_images_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE, .weight = in[2], .label_smoothing = 0.1f});
}
static void losses_multi_margin_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], NULL);
}
static void losses_multi_margin_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], &(nn_multi_margin_desc){.reduction =
        NN_SUM});
}
static void losses_multi_margin_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], &(nn_multi_margin_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_multi_margin_all_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], &(nn_multi_margin_desc){.p = 2, .margin =
        2, .weight = in[2]});
}
static void losses_multi_margin_all_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], &(nn_multi_margin_desc){.reduction =
        NN_SUM, .p = 2, .margin = 2, .weight = in[2]});
}
static void losses_multi_margin_all_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], &(nn_multi_margin_desc){.reduction =
        NN_REDUCTION_NONE, .p = 2, .margin = 2, .weight = in[2]});
}
static void losses_cross_entropy_batch(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_all_ignored_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_MEAN,
        .ignore = true, .ignore_index = 5});
}
static void losses_all_ignored_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM,
        .ignore = true, .ignore_index = 5});
}
static void losses_all_ignored_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE, .ignore = true, .ignore_index = 5});
}
static void losses_ctc_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3], NULL);
}
static void losses_ctc_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3],
        &(nn_ctc_loss_desc){.reduction = NN_SUM});
}
static void losses_ctc_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3],
        &(nn_ctc_loss_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_ctc_zero_infinity_mean(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3],
        &(nn_ctc_loss_desc){.zero_infinity = true});
}
static void losses_ctc_zero_infinity_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3],
        &(nn_ctc_loss_desc){.reduction = NN_SUM, .zero_infinity = true});
}
static void losses_ctc_zero_infinity_none(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3],
        &(nn_ctc_loss_desc){.reduction = NN_REDUCTION_NONE, .zero_infinity = true});
}
static void losses_ctc_blank(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3],
        &(nn_ctc_loss_desc){.blank = 2});
}
static void losses_ctc_batch(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3], NULL);
}
static void losses_ctc_logs(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.reduction =
        NN_SUM});
}
static void losses_ctc_no_rows(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3],
        &(nn_ctc_loss_desc){.zero_infinity = true, .reduction = NN_REDUCTION_NONE});
}
static void losses_losses_added(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_add(
        net,
        nn_add(net, nn_cross_entropy(net, in[0], in[1], NULL),
               nn_scale(net, nn_mse_loss(net, in[0], in[2], NULL), 0.5f)),
        nn_scale(net, nn_l1_loss(net, in[0], in[2], &(nn_l1_desc){.reduction = NN_SUM}), 0.25f));
}
static void losses_losses_weighted(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mean(net, nn_multiply(net, nn_cross_entropy(net, in[0], in[1],
        &(nn_cross_entropy_desc){.reduction = NN_REDUCTION_NONE}), in[2]));
}
static void losses_special_mse(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mse_loss(net, in[0], in[1], &(nn_mse_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_l1(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_l1_loss(net, in[0], in[1], &(nn_l1_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_smooth_l1(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_special_huber(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], &(nn_huber_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_bce(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_bce_weight(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction =
        NN_REDUCTION_NONE, .weight = in[2]}), 0.5f);
}
static void losses_special_bce_with_logits(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], &(nn_bce_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_special_kl_div(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_kl_div_log(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_REDUCTION_NONE,
        .log_target = true});
}
static void losses_special_poisson(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction =
        NN_REDUCTION_NONE, .full = true});
}
static void losses_special_gaussian(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_special_hinge(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], &(nn_hinge_embedding_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_special_ranking(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2],
        &(nn_margin_ranking_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_cosine(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2],
        &(nn_cosine_embedding_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_triplet_p2(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, .p = 2, .epsilon = NN_NONE});
}
static void losses_special_triplet_p3(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, .p = 3, .epsilon = NN_NONE});
}
static void losses_special_triplet_p1(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2],
        &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, .p = 1, .epsilon = NN_NONE});
}
static void losses_special_cross_entropy(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_special_nll(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_REDUCTION_NONE});
}
static void losses_special_multi_margin(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], &(nn_multi_margin_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void losses_ctc_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.zero_infinity =
        true, .reduction = NN_REDUCTION_NONE});
}

enum { catalogue_losses_sparse = 12 };

static const double catalogue_losses_numbers[] = {
    -0.0185546875,-0.0068359375,-0.0302734375,0.0205078125,0.017578125,0.00854492188,
    0.0048828125,0.0520019531,0.00708007812,0.0424804688,0.0458984375,0.00512695312,
    0.0185546875,0.0068359375,0.0302734375,-0.0205078125,-0.017578125,-0.00854492188,
    -0.0048828125,-0.0520019531,-0.00708007812,-0.0424804688,-0.0458984375,-0.00512695312,
    3.01253255,0.307617188,-0.251953125,0.143554688,-0.2578125,-0.319335938,-0.005859375,
    0.064453125,0.108398438,0.087890625,-0.31640625,0.09375,-0.099609375,-0.307617188,
    0.251953125,-0.143554688,0.2578125,0.319335938,0.005859375,-0.064453125,-0.108398438,
    -0.087890625,0.31640625,-0.09375,0.099609375,13.9277344,0.216796875,3.29589844,
    -0.0590820312,-0.465820312,0.439453125,1.64355469,0.796875,-9.2578125,-6.81738281,
    4.78417969,0.0791015625,-0.263671875,-0.216796875,-3.29589844,0.0590820312,0.465820312,
    -0.439453125,-1.64355469,-0.796875,9.2578125,6.81738281,-4.78417969,-0.0791015625,
    0.263671875,1.33691406,4.44946289,0.000244140625,0.0791015625,0.494384766,0.282226562,
    0.25,6.09472656,7.82250977,4.92285156,0.0087890625,0.00610351562,0.0078125,0,
    -0.0078125,0.0078125,0,0.0078125,0.0078125,-0.0078125,0.0078125,0,-0.0078125,
    -0.0078125,-0.0078125,-0.,0.0078125,-0.0078125,-0.,-0.0078125,-0.0078125,0.0078125,
    -0.0078125,-0.,0.0078125,0.0078125,1.58333333,0.09375,-0.09375,-0.09375,-0.09375,
    -0.09375,0.09375,0.09375,0,0,-0.09375,0.09375,0,-0.09375,0.09375,0.09375,0.09375,
    0.09375,-0.09375,-0.09375,-0.,-0.,0.09375,-0.09375,-0.,24,-0.09375,-0.78125,
    -1.890625,0,-0.3125,1.546875,0.796875,0,-1.21875,0,-0.421875,0,0.09375,0.78125,
    1.890625,-0.,0.3125,-1.546875,-0.796875,-0.,1.21875,-0.,0.421875,-0.,1,3,2,0,2,
    2,4,0,1,0,2,0,-0.0078125,0.0078125,-0.0078125,-0.0078125,-0.0078125,0.0078125,
    0.0078125,0.00158691406,0.00244140625,0.00610351562,-0.00500488281,0.0078125,0.0078125,
    -0.0078125,0.0078125,0.0078125,0.0078125,-0.0078125,-0.0078125,-0.00158691406,
    -0.00244140625,-0.00610351562,0.00500488281,-0.0078125,1.0170695,0.03515625,
    -0.0439453125,0.09375,0.0161132812,0.09375,-0.017578125,-0.09375,-0.09375,0.09375,
    -0.0834960938,-0.09375,0.09375,-0.03515625,0.0439453125,-0.09375,-0.0161132812,-0.09375,
    0.017578125,0.09375,0.09375,-0.09375,0.0834960938,0.09375,-0.09375,9.12475586,0.09375,
    -0.78125,-1.890625,0.828125,-0.185546875,-1.42602539,0.796875,-1.875,0.361816406,
    -0.168457031,0.283447266,-1.0546875,-0.09375,0.78125,1.890625,-0.828125,0.185546875,
    1.42602539,-0.796875,1.875,-0.361816406,0.168457031,-0.283447266,1.0546875,1.375,
    1.78125,2.578125,1.421875,0.176269531,0.424926758,2.8125,2.015625,0.0440673828,
    0.0122070312,0.225708008,0.1953125,-0.00390625,0.0078125,-0.00390625,-0.0078125,0,
    -0.0078125,0,0,0.00390625,0,0.00390625,0,0.00390625,-0.0078125,0.00390625,0.0078125,
    0,0.0078125,0,0,-0.00390625,0,-0.00390625,0,0.416666667,0.09375,-0.046875,0.046875,
    0.046875,-0.09375,-0.09375,0.046875,-0.09375,0,-0.046875,-0.09375,0,-0.09375,
    0.046875,-0.046875,-0.046875,0.09375,0.09375,-0.046875,0.09375,0,0.046875,0.09375,0,
    8.25,-0.09375,0.390625,0,0.828125,-0.3125,1.546875,0.796875,1.875,-1.21875,-1.078125,
    0.2109375,0,0.09375,-0.390625,0,-0.828125,0.3125,-1.546875,-0.796875,-1.875,1.21875,
    1.078125,-0.2109375,0,1,0.25,0,1,3,1,2,1,2,3,0.25,0,-0.0078125,0.0078125,
    -0.0078125,-0.0078125,0,-0.0078125,0,-0.0078125,0,-0.0078125,0.0078125,0,0.0078125,
    -0.0078125,0.0078125,0.0078125,-0.,0.0078125,-0.,0.0078125,-0.,0.0078125,-0.0078125,
    -0.,1.25,-0.09375,-0.09375,-0.09375,0.09375,-0.09375,-0.09375,-0.09375,-0.09375,
    0.09375,-0.09375,0.09375,0.09375,0.09375,0.09375,0.09375,-0.09375,0.09375,0.09375,
    0.09375,0.09375,-0.09375,0.09375,-0.09375,-0.09375,20,-0.09375,0.78125,-1.890625,
    0.828125,-0.3125,-1.546875,-0.,1.875,-1.21875,-1.078125,0.421875,1.6875,0.09375,
    -0.78125,1.890625,-0.828125,0.3125,1.546875,0,-1.875,1.21875,1.078125,-0.421875,
    -1.6875,2,3,1,1,1,2,0,2,3,1,1,1,-0.0078125,-0.0078125,0.00756835937,
    0.00659179688,-0.00671386719,0.0078125,0.0078125,0.00109863281,0.0078125,0.0078125,
    0.0029296875,-0.001953125,0.0078125,0.0078125,-0.00756835937,-0.00659179688,
    0.00671386719,-0.0078125,-0.0078125,-0.00109863281,-0.0078125,-0.0078125,-0.0029296875,
    0.001953125,0.934346517,0.09375,-0.00732421875,-0.0483398438,-0.0146484375,-0.0776367188,
    0.09375,-0.09375,-0.09375,-0.0717773438,-0.09375,-0.00439453125,-0.09375,-0.09375,
    0.00732421875,0.0483398438,0.0146484375,0.0776367188,-0.09375,0.09375,0.09375,
    0.0717773438,0.09375,0.00439453125,0.09375,6.89465332,-0.0131835938,0.78125,1.890625,
    0.569335938,0.209960938,-0.120849609,0.261474609,1.875,0.933105469,-0.0842285156,
    -0.0263671875,-1.58203125,0.0131835938,-0.78125,-1.890625,-0.569335938,-0.209960938,
    0.120849609,-0.261474609,-1.875,-0.933105469,0.0842285156,0.0263671875,1.58203125,
    0.00988769531,2.4375,2.421875,0.236328125,0.225708008,0.00305175781,0.0538330078,
    1.65625,0.29309082,0.00305175781,0.001953125,0.439453125,-0.015625,-0.015625,-0.015625,
    0.015625,-0.015625,0.0078125,-0.015625,0,-0.015625,-0.015625,-0.015625,0.015625,
    0.015625,0.015625,0.015625,-0.015625,0.015625,-0.0078125,0.015625,0,0.015625,0.015625,
    0.015625,-0.015625,2.54166667,-0.09375,0.1875,-0.09375,-0.1875,0.1875,0.1875,0.09375,
    0.1875,0.09375,-0.1875,-0.1875,-0.1875,0.09375,-0.1875,0.09375,0.1875,-0.1875,
    -0.1875,-0.09375,-0.1875,-0.09375,0.1875,0.1875,0.1875,32,-0.09375,-0.,-3.78125,0,
    0.625,1.546875,1.59375,1.875,2.4375,-2.15625,0.84375,0,0.09375,-0.,3.78125,0,
    -0.625,-1.546875,-1.59375,-1.875,-2.4375,2.15625,-0.84375,0,0.5,0,4,0,4,0.5,4,
    0.5,4,2,4,0,-0.0231539424,-0.0153409091,0.141129032,0.00782013685,0.00452488688,
    -0.0525423729,0.00714285714,-0.0141601562,-0.005,-0.000801282051,0.0196078431,
    0.00492610837,0.00794479889,0.00615982313,-0.026828025,-0.000488440289,0.0106787209,
    0.0192820276,-0.00994504434,-0.,0.00994504434,0.0114557583,-0.0106787209,-0.00146915806,
    0.921462555,-0.925,0.0408163265,-0.0869565217,0.0111111111,0.111764706,1.67213115,
    -0.0342857143,-0.0409090909,-0.325714286,0.0303643725,0.522222222,0.141538462,
    0.253879706,0.110978447,0.0879627786,0.158099902,0.0117340447,-0.282399523,-0.119340532,
    -0.0739178775,0.119340532,0.035577152,-0.158099902,-0.0416892957,12.0927294,-0.108165429,
    -0.452488688,3.28506787,3.63636364,1.75,8.2,0.918918919,0.246153846,0.686217009,
    -2.41741742,-0.237304688,-2.43692308,0.0541947985,-1.06787209,-2.58425046,-1.30214097,
    -0.846265688,-2.80001175,0.251080209,-0.833785915,-0.0761966851,0.339696753,0,
    -0.750407323,0.806609673,0.376559543,0.889138146,1.44159474,1.12237063,1.56569725,
    0.592273443,0.682923268,0.701450745,0.853199935,0.693147181,0.516166085,-0.24609375,
    -0.00295138889,0.0682929422,-0.0174005682,0.00116436298,0.00532581454,0.109517045,
    0.0177228009,0.0623123928,0.0012105306,0.0532293876,-0.0696022727,0.0389844739,
    0.00178928219,-0.0371373187,0.0235805729,0.0166466489,-0.00435197742,-0.0567868545,
    -0.0504355156,-0.0178506943,-0.00227983507,-0.018135499,0.0541353282,2.32749906,
    2.0640121,-2.49530075,0.0889285714,-0.756504525,0.168014316,0.493353345,-0.245723684,
    -0.136016949,0.490301724,1.22916667,-0.183088235,0.156891496,-0.65393311,0.724988238,
    -0.154769753,0.428483676,-0.110083184,-0.543582432,0.104830886,0.773691357,-0.432024698,
    -0.324362746,0.0152175892,-0.0195986666,30.1292538,-0.0625,1.32276348,-0.856834975,
    0.462997159,0.465494792,0.303954161,-2.57951389,6.8567753,2.82236842,-38.2212702,
    -19.40625,0.474816176,0.223387288,-0.239875652,-0.25554168,0.418290489,-0.557889053,
    3.85893778,0.965891588,-1.88871862,0.751567337,9.08212485,1.25629232,-0.135308202,
    0.933113402,1.74835494,0.473917176,0.303176178,1.22063359,1.38103344,1.03118937,
    1.11239349,0.885649416,4.02663346,2.98919722,0.451565352,-0.00335679196,-0.00379296232,
    -0.00139135545,0.000271670727,-0.0042603473,-0.00368693821,0.00238037606,0.0042299362,
    4.78146576e-05,0.000815630099,0.0010682453,0.00234957484,0.00891113281,0.00402832031,
    0.00952148438,0.0139160156,0.00610351562,0.00256347656,0.000244140625,-0.00329589844,
    -0.00756835938,-0.00903320312,0.00573730469,0.00659179688,0.723214235,-0.0268279675,
    -0.0225837015,0.0502921496,0.002916858,0.00350842723,0.0252398537,0.00644988716,
    -0.0480289292,-0.00264907441,-0.00451751041,-0.0443140759,0.0028431783,0.10546875,
    -0.0849609375,-0.150878906,-0.017578125,0.177246094,-0.0556640625,-0.131835938,0.09375,
    -0.0893554688,0.12890625,-0.0102539062,-0.181640625,8.29586202,0.0464581319,-0.10500508,
    0.52943758,-0.293925087,-0.173140068,-0.250119117,-0.40796966,-0.511574506,0.421963897,
    0.348519141,-0.24223002,1.33438213,-0.0278320312,-0.952148438,-2.57006836,0.245849609,
    0.190429688,-0.652587891,1.23266602,-1.02539062,-2.39941406,-0.387451172,0.52734375,
    -2.76855469,0.829367946,0.373231285,0.887032974,0.787619899,0.986422117,0.603170899,
    1.25650088,0.507906472,1.05355634,0.793433362,1.24802283,1.74091149,0.00270877883,
    -0.00150479716,-0.0237613092,-0.0554439652,0.000560361112,-0.000195435213,0.000947211477,
    -0.00152220682,-0.000969809545,-0.00082792203,-0.00238829342,0.00188362418,0.0660004784,
    -0.011746704,0.050117226,0.14935193,0.0181159999,-0.0094275233,0.00608499744,
    -0.00366938515,0.00917664077,0.00412690466,0.00349348528,0.0130276422,2.27995775,
    -0.0573023927,-0.571229539,-0.0641970594,-0.0488948749,0.0063811367,0.00112408757,
    0.0507514441,-0.23822767,-0.118675159,-0.172881045,-0.0921898088,-0.503699353,
    0.286179407,1.17420877,0.184939121,-0.0203133403,-0.208356527,0.00199183844,-0.125614797,
    0.452153152,-0.494789715,1.25526655,2.48509323,2.92643469,56.3121233,-0.332274073,
    0.314354699,-4.2326825,-0.344467884,-0.150568077,-0.274404882,-0.0806015868,-0.277975904,
    1.00991835,-2.73380227,-0.327332393,0.760375284,0.728351463,-0.712678283,12.7761366,
    -0.621884414,0.374190923,-1.21200862,0.437627164,1.8105068,0.640526913,7.02193245,
    0.179344419,-3.95508183,7.94683094,1.29776252,5.14296361,0.949797062,1.08519641,
    0.404387246,0.784998461,0.724817104,1.5448441,5.99626469,1.79567595,1.78157315,
    -0.00219726562,-0.00134277344,-0.00634765625,-0.00476074219,-0.00646972656,-0.001953125,
    -0.0068359375,-0.00451660156,-0.000366210938,-0.00048828125,-0.00256347656,-0.0068359375,
    0.00559268496,-0.0144901391,-0.0041856591,0.00137932471,0.0204992877,-0.0132718309,
    -0.00348462025,0.00218874867,-0.0160958656,-0.0237360447,-0.00943836442,0.0134831532,
    -0.318063623,-0.0659179688,-0.0395507812,-0.08203125,-0.0541992188,-0.0571289062,
    -0.0424804688,-0.0249023438,-0.0673828125,-0.0703125,-0.029296875,-0.0791015625,
    -0.00146484375,0.0695183819,-0.10727777,0.267266588,0.0365188902,0.15864174,0.160163695,
    0.0251325244,0.152145311,-0.0943530068,-0.0226196072,-0.100888972,-0.354739039,
    -2.54294375,-0.0439453125,0.756835938,-0.886230469,-0.349365234,-0.219726562,-1.35351562,
    0.361083984,-0.087890625,0.190429688,-0.336914062,0.290039062,-0.659179688,0.151623215,
    0.403221639,-0.250858905,-1.45225898,0.729774815,-0.375745826,0.87981953,-6.38253899,
    2.30044911,-0.950799311,0.125114815,-2.3245435,0.289366077,-1.46874483,-0.530946423,
    -1.16170504,0.938868333,-1.08754309,-0.953414537,-0.206438475,-0.451179373,-0.588094003,
    -0.891390809,-0.928713773,-0.0224609375,-0.0263671875,-0.0234375,-0.0219726562,
    -0.001953125,-0.0068359375,-0.01171875,-0.0249023438,-0.0048828125,-0.0288085938,
    -0.0161132812,-0.0205078125,0.026301041,-0.00970387615,0.0447208727,-0.0266318935,
    -0.104709804,-0.0504242423,0.0557748671,0.0495450797,-0.0868179059,0.0438446675,
    0.0608437337,0.0107628605,-0.8140563,-0.0081874297,-0.00668238537,-0.00274244543,
    -0.0010573069,-0.00282949999,-0.00234573788,-0.00369036369,-0.0509438994,-0.0103498809,
    -0.00107395706,-0.0517461491,-0.00545400398,0.000127928589,-0.00428090313,0.00462787666,
    0.000627775972,0.00274107812,-0.00399508483,-0.00392101142,0.128155747,0.0092178627,
    -0.00179552196,0.168983518,0.0141463228,1.78701364,-0.224894559,-0.468720511,-0.17243264,
    -0.0997963555,-0.0894568749,-0.0390808143,-0.620953789,-0.195391779,-0.157001705,
    -0.461453673,-0.0281488546,-0.0309154687,0.48844287,0.827584652,0.220929319,0.138779307,
    0.0726837109,-0.0396914521,2.44500554,0.396889551,0.0735945492,0.288408545,-0.0497003214,
    -0.00289832519,24.2323299,-0.0139346935,0.424758257,-3.21606146,-4.99423292,-0.104674388,
    -7.15267753,0.12031013,-2.48397142,0.184003729,-0.256077133,0.643282556,-10.3371907,
    -0.0219906882,-0.988890318,6.48237388,15.8410825,-0.152104971,10.281974,0.167306275,
    1.63010625,-0.109252214,-0.596179575,-2.12082218,13.2445256,-0.383204071,0.722089038,
    1.72763632,13.0980826,-0.821693949,2.0229795,-0.360930391,-0.455394761,-0.0613345762,
    -0.790498976,3.50231614,1.72286512,-0.0876427924,-0.100876236,-0.0201765165,-0.206984596,
    -0.109073217,-0.0682562753,-0.197506081,-0.0169903303,-0.142258294,-0.0531580407,
    -0.0130269381,-0.082332784,0.154744305,0.0898428974,0.0469734524,0.785894639,
    0.0579451468,0.253828024,0.441302651,0.000265473911,0.346754591,0.00830594386,
    0.00488510179,0.312607289,14.9873857,-0.009375,-0.0172851562,-0.00498046875,
    -0.0181640625,-0.0123046875,-0.00508635339,0.037439613,-0.0163602139,0.0281156494,
    0.0296022475,0.129919147,-1.57993056,0.00488304205,-0.0316067956,-0.0105984342,
    0.0041836747,-0.0229878083,-0.0169668148,-0.00187682351,0.0175911207,-0.00317876839,
    0.00173110608,0.013865319,-0.014620822,-0.00134277344,0.0152587891,-0.001953125,
    0.000732421875,0.0109863281,-0.000122070312,0.00964355469,-0.00842285156,0.00646972656,
    0.00537109375,-0.0135498047,-0.00634765625,1.62253561,0.0436321649,-0.0308067229,
    -0.323427032,-0.246168297,-0.153953985,0.481793632,-0.21852041,-0.306732182,
    -0.0679370704,0.28613148,-0.274707842,0.0866007576,-0.0263671875,0.174316406,0.147949219,
    0.165527344,0.0541992188,-0.177246094,0.029296875,0.0131835938,-0.0717773438,-0.17578125,
    0.0981445312,-0.03515625,27.0246056,-0.0679894504,2.50664959,1.82309469,-0.451686085,
    -0.65235762,3.96298108,0.358821181,-2.16440823,1.80423624,-4.0887835,0.227640449,
    -2.43164115,-0.0366210938,-1.33056641,-1.15209961,-0.478759766,-0.0341796875,-2.65869141,
    -1.09570312,3.28125,0.418945312,1.6171875,-0.237304688,1.8984375,0.617308492,5.95677173,
    1.30607836,0.436745481,0.765238818,0.394446696,1.21963647,2.49799269,0.416573691,
    6.24656766,1.19380626,2.31098059,-0.00604017368,-0.0183327683,0.0298278808,-0.0259647618,
    -0.0168101001,-0.0147148891,0.000803477004,0.0165184367,-0.00391894748,0.000559336379,
    -0.00323796781,0.0311254722,0.0134882151,0.0136888758,-0.00478222155,0.0244530868,
    0.0163671415,0.016855095,0.00192441503,-0.00817871094,0.00271668136,0.00202787346,
    0.0134277344,-0.00860596188,2.91238298,-0.0121886709,-0.0292377564,-0.0322463176,
    0.273673975,-0.119535411,0.0519982309,0.42328614,-0.0703717832,-0.0546935233,
    -0.0390157189,-0.30023385,0.348024453,0.0336914062,0.0512695312,0.0834956385,
    -0.0687855841,0.091062203,0.00101347559,-0.111331607,0.133221365,0.177246094,0.180175781,
    0.188358848,-0.0758385324,24.9302092,-0.26416618,-0.495463211,-1.11945797,-1.28509635,
    -0.0826723314,-3.16125305,2.28834343,-0.294459697,1.50492346,-1.92966419,-1.9198209,
    -1.05547754,0.295048785,0.329589844,2.09741211,1.88030743,0.0746097344,4.03931979,
    -2.34181392,3.31054688,-1.61270518,0.862410453,0.353039457,0.601805771,7.48844798,
    1.14908549,1.35247008,3.24006094,1.51965581,4.65613954,7.10681999,0.750425531,
    2.00434387,2.23127317,3.33568481,1.58948382,0.00138972356,0.00639204545,-0.0199652778,
    -0.0487689394,0.0059219306,0.00722838785,-0.000202922078,-8.49184783e-05,0.0018177599,
    0.00568683746,0.00217340226,-0.00137629534,-0.00920824216,-0.00964644112,0.000123034039,
    0.00517480876,-0.0115583718,-0.00943041353,-0.00144470577,-0.00825041152,-0.0089795673,
    -0.0116137798,-0.0111297908,-0.00862349301,1.03546016,0.0755928854,-0.179347826,
    0.0561179577,0.047057393,-0.0391071429,0.0515625,-0.154017857,-0.216720779,0.0803571429,
    0.00905987395,0.0645604396,-0.0188419118,-0.128859976,-0.00705219574,-0.139696046,
    -0.130330594,-0.094303396,-0.0859022561,-0.0254937858,-0.0173364692,-0.0685749417,
    -0.123130087,-0.135992692,-0.10867846,7.15880596,0.0172697368,0.234375,-3.15104167,
    0.0767798013,0.172608303,0.245535714,-0.155565239,1.4282491,-0.92625,-0.155665107,
    -0.193061441,-3.32678571,0.0488715866,0.76321512,0.936467092,-0.710859811,-0.457854507,
    -1.04785131,1.08898535,-2.74712704,0.193299881,-1.15599315,0.429159368,-0.151220518,
    0.596253197,-0.967160831,1.16427234,0.27186945,1.23942706,0.596808198,-0.641361107,
    2.56720513,0.877267335,-0.913379128,0.989725026,0.552510484,3.50336323e-05,0.00121173469,
    0.00265066964,-0.0135838964,-0.00012807377,-0.00827991453,-0.00246305419,0.00742827869,
    0.00816761364,-0.00250912409,0.0071997549,0.0227050781,-3.50336323e-05,-0.00121173469,
    -0.00265066964,0.0135838964,0.00012807377,0.00827991453,0.00246305419,-0.00742827869,
    -0.00816761364,0.00250912409,-0.0071997549,-0.0227050781,0.00112099768,0.000926436901,
    0.000666404257,-0.00955717119,0.00204813054,-0.00225089488,0.000843262394,-0.00148229643,
    0.00709420196,0.00142189248,0.00158442666,-0.0251808167,0.897602549,-0.182164634,
    0.0402832031,0.0078125,-0.04734375,-0.0308948864,0.272977941,-0.0473130841,
    -0.00453629032,-0.236473881,-0.0765481651,-0.224506579,-0.0262738854,0.182164634,
    -0.0402832031,-0.0078125,0.04734375,0.0308948864,-0.272977941,0.0473130841,0.00453629032,
    0.236473881,0.0765481651,0.224506579,0.0262738854,-0.152590844,0.0147829056,0.0246744792,
    0.00304570313,0.00627300168,-0.309188473,0.00207987597,0.0482773478,-0.253463327,
    -0.00372837935,-0.18986972,0.0154265893,15.8320165,0.12375,0.167410714,-7.65945513,
    -1.2728588,-0.131578947,-0.869636194,-0.542091837,-0.794491525,-0.618292683,0.200892857,
    0.237676056,-0.177140884,-0.12375,-0.167410714,7.65945513,1.2728588,0.131578947,
    0.869636194,0.542091837,0.794491525,0.618292683,-0.200892857,-0.237676056,0.177140884,
    -0.051675,-0.0936702806,-13.9640245,-0.487474816,0.0474871389,0.00181868178,0.0109155907,
    0.340150101,-0.0334086853,0.195568988,-0.123189843,0.289045092,1.58439355,0.706738627,
    4.75314056,0.911722935,0.549943549,1.06851844,0.947237337,0.471419838,0.99425857,
    0.504933001,0.227954735,0.535388811,-0.00125385802,0.00163966049,-0.000192901235,
    0.00896990741,0.0285456731,-0.00871394231,0.0126201923,-0.0135216346,0.0100790895,
    0.01171875,0.000530478395,-0.000771604938,0.00125385802,-0.00163966049,0.000192901235,
    -0.00896990741,-0.0285456731,0.00871394231,-0.0126201923,0.0135216346,-0.0100790895,
    -0.01171875,-0.000530478395,0.000771604938,0.00692122485,-0.0404435558,-0.00917397191,
    1.79237011,-0.0204326923,-0.0528846154,-0.264423077,-0.116586538,0.0398706897,
    -0.0409482759,0.0608836207,0,0.0826704545,0.107386364,0.00255681818,-0.119318182,
    0.0204326923,0.0528846154,0.264423077,0.116586538,-0.0398706897,0.0409482759,
    -0.0608836207,-0.,-0.0826704545,-0.107386364,-0.00255681818,0.119318182,-0.30869391,
    0.0317748588,-0.0648269628,24.7864971,0.168103448,0.431034483,-8.99676724,-1.91325431,
    2.39583333,-10.6347656,-3.02148438,4.140625,-2.71391753,0.689110825,-0.543653351,
    3.40979381,-0.168103448,-0.431034483,8.99676724,1.91325431,-2.39583333,10.6347656,
    3.02148438,-4.140625,2.71391753,-0.689110825,0.543653351,-3.40979381,-21.406668,
    -40.6680773,0.0779298743,1.25159318,0.592110424,5.65353284,1.73246603,11.4493572,
    9.29082859,3.12416193,1.34291193,4.88458444,1.436453,2.38530931,4.22092465,
    0.00933689024,0.0131478659,0.00552591463,-0.0108612805,-0.000578703704,-0.0238715278,
    0.000289351852,-0.0083912037,-0.00710227273,-0.00724431818,0.0136363636,0.0215909091,
    -0.00933689024,-0.0131478659,-0.00552591463,0.0108612805,0.000578703704,0.0238715278,
    -0.000289351852,0.0083912037,0.00710227273,0.00724431818,-0.0136363636,-0.0215909091,
    -0.00175676681,-0.0224850502,-0.0301407541,0.862866946,0.301757812,0.700195312,
    0.530273438,0.606445312,-0.052734375,0.249023438,-0.087890625,0.005859375,-0.360351562,
    -0.161132812,0.140625,-0.486328125,-0.301757812,-0.700195312,-0.530273438,-0.606445312,
    0.052734375,-0.249023438,0.087890625,-0.005859375,0.360351562,0.161132812,-0.140625,
    0.486328125,-6.18658447,-0.0119476318,-1.82290649,44.6221228,-0.670898438,-3.61328125,
    7.73974609,2.56201172,1.33789062,5.94580078,0.224121094,3.984375,4.13733553,-5.16365132,
    -0.921463816,5.68421053,0.670898438,3.61328125,-7.73974609,-2.56201172,-1.33789062,
    -5.94580078,-0.224121094,-3.984375,-4.13733553,5.16365132,0.921463816,-5.68421053,
    -11.8190002,-15.5553894,-12.9627067,12.4564049,5.00108266,3.84312368,2.04624868,
    4.2357018,3.34702993,-0.3267982,0.78233266,3.16060976,6.54938443,1.15567555,3.10777259,
    -0.00312352844,0.00649330506,0.00173984483,-0.0068552874,-0.00120357471,0.00309428255,
    -0.00448186256,0.0025599086,-0.00652721513,-0.00297827786,0.0025599086,0.00617601811,1,
    -1,-1,1,1,-1,1,-1,1,1,-1,-1,0.900557565,-0.0743536829,0.0600596114,0.0569684222,
    -0.0772933056,-0.0350508584,0.0814525103,-0.0189199896,0.0154234184,-0.0160369867,
    -0.0118052592,0.0255023017,0.0603961037,1,-1,-1,1,1,-1,1,-1,1,1,-1,-1,
    9.85224226,-0.0138794248,-0.519851999,1.5042911,-0.705523414,-0.119131114,0.683212931,
    0.129396592,1.62905021,0.61889571,-0.317200517,-0.132490074,0.464281409,1,-1,-1,1,1,
    -1,1,-1,1,1,-1,-1,0.16022415,1.09485105,1.58796071,1.91022415,0.48000478,
    0.582810477,0.177190786,2.03123651,0.708894246,0.348444581,0.376951335,0.32176257,
    0.0078125,-0.0078125,-0.0078125,0.0078125,0.0078125,0,0.0078125,0,0.0078125,0.0078125,
    -0.0078125,-0.0078125,1,-1,-1,1,1,-1,1,-1,1,1,-1,-1,0.583333333,0.09375,
    -0.09375,0,0.09375,0.09375,-0.09375,0.09375,-0.09375,0.09375,0.09375,-0.09375,0,1,
    -1,-1,1,1,-1,1,-1,1,1,-1,-1,9,0.09375,0.78125,-1.890625,0.828125,0.3125,0,
    -0.796875,0,-1.21875,1.078125,0.421875,0,1,-1,-1,1,1,-1,1,-1,1,1,-1,-1,-1,3,
    1,-2,1,0,1,0,-1,-2,2,0,0,0.0078125,0,0,0.0078125,0,0,0,0.0078125,0.0078125,
    -0.0078125,0.0078125,0.235677083,0.09375,0,0,0,0.09375,-0.09375,0,0,0,0.09375,0,
    -0.09375,7.71875,0.09375,0,0,-0.828125,0.3125,0,0,1.875,1.21875,0,0.421875,
    -1.6875,0.59375,0.5,0.5,2.203125,-0.796875,0,0.5,1.96875,2.0625,0.5,2.078125,
    2.34375,-0.,0,0,-0.,-0.,0,-0.,0,-0.,-0.0078125,0,0.0078125,0,-0.,-0.,0,0,-0.,
    0,-0.,0,0.0078125,-0.,-0.0078125,1,-1,-1,1,1,-1,1,-1,1,1,-1,-1,0.333333333,
    -0.,0,0.09375,-0.,-0.,0.09375,-0.09375,0.09375,-0.,-0.09375,0,0,0,-0.,-0.09375,
    0,0,-0.09375,0.09375,-0.09375,0,0.09375,-0.,-0.,1,-1,-1,1,1,-1,1,-1,1,1,-1,
    -1,9,-0.09375,0,0,-0.,-0.,1.546875,-0.,0,-0.,-0.,0,1.6875,0.09375,-0.,-0.,0,
    0,-1.546875,0,-0.,0,0,-0.,-1.6875,1,-1,-1,1,1,-1,1,-1,1,1,-1,-1,3,0,0,0,
    0,4,0,0,0,0,0,1,-0.,0,0.000122070312,0.0152587891,-0.00927734375,0.0134277344,
    -0.009765625,0.00524902344,0,-0.,-0.000122070312,-0.0100097656,0,-0.,-0.000122070312,
    -0.0152587891,0.00927734375,-0.0134277344,0.009765625,-0.00524902344,-0.,0,
    0.000122070312,0.0100097656,-0.,0,-0.,-0.,0.0234375,-0.,0.015625,-0.,0,-0.,-0.,
    0.0234375,1.4921875,0.0922851562,-0.0791015625,0.140625,-0.139160156,0.120117188,0,
    0.0205078125,0,-0.,0.0102539062,-0.0952148438,0.0161132812,-0.0922851562,0.0791015625,
    -0.140625,0.139160156,-0.120117188,-0.,-0.0205078125,-0.,0,-0.0102539062,0.0952148438,
    -0.0161132812,-0.28125,0.09375,-0.09375,0.28125,-0.,0,-0.28125,0,-0.,0.375,0.28125,
    -0.09375,22.1875,0.0732421875,0.354003906,-3.69262695,-0.401123047,0,-0.990966797,
    0.348632812,-1.171875,-2.32324219,-0.,-0.744873047,-1.21289062,-0.0732421875,
    -0.354003906,3.69262695,0.401123047,-0.,0.990966797,-0.348632812,1.171875,2.32324219,0,
    0.744873047,1.21289062,-0.1875,1.5625,1.890625,1.65625,0,-1.546875,-1.59375,-1.875,0,
    -0.,0.84375,1.6875,2.5625,0.09375,2.953125,1.96875,0,0.359375,1.875,0.375,1,0,
    4.53125,1.71875,-0.00160404248,0.0016294388,0.00205826171,0.00128673267,-0.00479056252,
    0.00297998718,-0.00473050329,0.00152260419,0.00421024031,0.00494689689,0.00328531038,
    -0.0013744811,0.0133056641,0.00329589844,0.00512695313,0.00476074219,0.0108642578,
    -0.00317382812,0.00659179688,-0.0118408203,-0.0146484375,-0.013671875,-0.00500488281,
    0.0101318359,0.920137262,0.0150726981,-0.000344817495,0.00366531675,0.00211628351,
    -0.00833130069,-0.00700870803,0.0123809827,-0.0127019235,0.000461333927,-0.000554403165,
    0.0116902289,0.00471842304,-0.0461425781,0.0256347656,0.00439453125,0.0281982422,
    -0.000366210938,0.0428466797,-0.0164794922,0.0179443359,-0.0303955078,-0.00512695312,
    -0.0318603516,0.0186767578,2.46564637,0.00253037159,-0.00692948672,0.00702035221,
    -0.00731663674,-0.0838809502,0.0325782273,0.0714051887,-0.141877102,-0.140456304,
    -0.178537622,0.0761662554,-0.159893821,0.0300292969,0.0318603516,-0.0205078125,
    0.005859375,0.0427246094,0.29296875,0.0946044922,0.366210938,0.856689453,0.701599121,
    0.295410156,0.834533691,0.731219729,0.811893772,0.885616156,-0.00549664281,0.00118688498,
    0.000101979981,0.00735412902,0.00138120633,9.60774712e-06,0.000528422742,-0.00260587428,
    -0.000365718218,0.00441545789,-0.000943866608,-0.0164748059,0.0130290985,-0.0076675415,
    0.00228881836,0.0252075195,-0.00131607056,-0.0100708008,0.00371932983,-0.0213623047,
    -0.0101337433,-0.00663757324,0.0109672546,0.0388793945,1.20989472,-0.0129774364,
    -0.00668953557,-0.0484424884,-0.024408626,0.000940553881,-0.0030502289,0.0562324524,
    -0.0121965751,-0.0199730335,0.00412605901,0.0098083374,0.000506236149,-0.148601532,
    0.0110549927,0.111431122,0.0975723267,0.0728988647,-0.00881195068,-0.106533051,
    -0.00168228149,-0.0967311859,-0.0110549927,0.0734710693,0.0933666229,5.48948999,
    -0.0404027482,-0.00185800221,0.0190943106,0.0327484872,0.410923927,-0.0161375005,
    0.0205755947,-0.0652204174,-0.300366934,0.392745135,0.262768047,-0.297395969,
    0.0920219421,-0.00556182861,-0.011089325,0.00666046143,-0.784683228,0.254917145,
    -0.184822083,1.15633011,1.74788189,-1.08424759,-1.12994385,-0.425344467,1.98971874,
    2.0165465,1.95888533,0.00571227614,0.000331915755,-0.00294050341,-0.00238774301,
    -0.00447888493,0.00423715853,0.00578924177,0.00321867374,-0.00516400501,0.00261062715,
    -0.00696003484,0.00157990909,0.00350857947,-0.00210765109,-0.00400301016,-0.00370116685,
    0.00943297762,-0.000928797537,0.00118082843,-0.00214039027,0.00885542041,0.00156897875,
    -0.0028626186,0.00261311758,1,-1,-1,1,1.21975984,-0.00163961246,0.00175197529,
    0.00062628684,0,0,0,-0.,0,0,0.0084492421,-0.00534384596,0.000264822831,0.00146450184,
    -0.00138587755,-0.000499612588,0,0,0,-0.,0,0,-0.0080463226,0.00435824297,
    0.00161816995,1,-1,-1,1,0.0242849289,0.0332716427,0.00721769956,0.0261327788,0,-0.,
    0,0.459770631,-0.264514771,-0.527877006,0.00868709823,0.582035581,0.489603402,
    -0.0412527959,0.0234198822,-0.011075343,0,-0.,0,-1.57110169,1.7386001,-0.494068867,
    0.349824118,0.0709016975,0.064019722,1,-1,-1,1,0.285912839,0,0.514146838,1.2742671,
    0.00176216641,0.00280998759,0.000145680424,0,0,0,-0.00567514039,0.0052292902,
    0.000779659288,-0.00226993758,0.00522964663,-0.00270013987,-0.00225020936,-0.00211940652,
    -2.16892292e-05,0,0,0,0.0079034098,0.00152635428,0.00415439668,-0.00268222839,
    0.00649105108,-0.00924332679,1,-1,-1,1,0.524807999,-0.00648679812,0.0170334982,
    -0.0320514484,0.0248640242,-0.0095016413,0.0229170254,0,0,0,-0.0260601396,0.01299725,
    -0.0153908799,-0.015430382,-0.0130480072,0.0234675904,-0.0210299535,-0.00449938877,
    -0.00638358985,0,0,0,-0.0346158111,0.00811244797,0.0167816761,1,-1,-1,1,2.3078969,
    0.0204221373,-0.0258192103,-0.0193652597,0,0,0,0,0,-0.,-0.117895877,-0.077195354,
    0.163163912,0.0316361715,-0.00112929928,0.00586438686,0,0,0,0,0,-0.,0.211060625,
    0.0591946597,-0.0762595167,1,-1,-1,1,1.45678286,0,0,0.162717409,0.00718957195,
    0.00991420112,-0.00985271058,-0.0249426703,-0.0115041973,0.0110939587,0.0300765374,
    -0.0179433986,0.0362568877,-0.014248024,-1,0.109581129,0,0,0,-0.,0,0,-0.0105436033,
    0.019156306,-0.0152173342,0.0201114954,-0.000347239422,-0.0125140083,-0.,0,-0.,0,-0.,
    -0.,-0.00584217107,-0.0226676022,-0.0011684402,-0.006488745,-0.0187246529,0.0125139908,
    0,-0.,0,0,0,0,0.0163857744,0.00351129623,0.0163857744,-0.0136227504,0.0190718924,
    1.74371428e-08,1.85696385,0.0280159835,0.00517947285,-0.00594187935,-0.00709127571,
    -0.0412568308,-0.0264100694,0.0665764667,0.014703267,0.0573622431,0,0,0,-0.0151652942,
    0.0698520995,0.0606610299,0.00486019795,-0.0282777082,0.0892513989,-0.0241482245,
    -0.0886897675,-0.018440469,-0.,0,-0.,-0.0128506893,-0.0750315723,-0.0547191505,
    0.00223107776,0.0695345389,-0.0628413295,-0.0424282422,0.0739865005,-0.0389217741,-0.,
    -0.,0,1.18856819,0.00624026451,0.04363521,0.0191843145,0.876892151,0.37785329,
    -0.0868622247,0,0,0,-0.431891679,0.0735159721,0.864470014,-0.0928254901,-0.00900129216,
    -0.00956387067,-0.676912818,0.296150006,-0.253842025,-0.,-0.,0,0.54315104,-0.584299392,
    -0.222198524,0.0865852256,-0.0346339178,-0.0096204438,-0.199979333,-0.674003296,
    0.340704249,0,0,-0.,-0.111259361,0.51078342,-0.642271491,2.84249481,1.08308063,0,
    1.58603572,-0.029175995,0.0215684075,0.00939612775,-0.0183094765,0.0144399588,
    -0.00235946336,0.0133061676,-0.0153852276,0.0116428983,-0.00828104764,0.021294145,
    -0.00522494439,0.00798820017,-0.0145499618,-0.0165470141,0.00576173429,-0.011759868,
    -0.0172539934,-0.0339124043,0.011433332,-0.00119866857,0.00614699796,-0.000535794967,
    -0.00544525434,0.0211877948,-0.00701844575,0.00715088637,0.0125477422,-0.00268009082,
    0.0196134567,0.0206062367,0.00395189562,-0.0104442298,0.00213404968,-0.0207583501,
    0.0106701987,2.74176326,-0.0528324064,0.0672415939,-0.0384235264,-0.0462962911,
    0.0347580628,0.0897580821,0.0493724799,0.135581067,-0.069630012,-0.0403026966,
    0.0706439616,0.02211312,0.127143818,-0.011675414,0.0518129348,0.0909831206,-0.0209458059,
    -0.00850925853,0.0215734464,-0.082371643,0.0392244993,0.0703492444,0.00904484681,
    -0.0613044619,-0.0743114116,-0.0555661799,-0.0133894084,-0.0446868295,-0.0138122568,
    -0.0812488235,-0.0709459262,-0.0532094244,0.0304055128,-0.0300465478,-0.0796888084,
    0.039191342,7.53075195,-0.172951659,0.058393187,0.0405088516,0.625898691,0.413214538,
    0.218760455,0.382207326,-0.287726583,-2.3375463,0.786660986,-0.639345195,-0.264626951,
    0.0861810068,-0.0337231695,-0.0149881419,-0.914829593,0.244659832,-0.525471737,
    1.13679663,-0.409776679,1.45404243,-0.518799497,0.422159785,-0.488281899,0.0867706524,
    -0.0246700175,-0.0255207097,0.288930901,-0.657874369,0.306711282,-1.51900395,0.697503262,
    0.883503868,-0.267861488,0.21718541,0.75290885,1.0599309,1.26264904,2.32894509,
    0.969319815,0,0,-0.046875,0.046875,0.046875,0,-0.046875,0,-0.046875,0,0,0,
    -0.0234375,0.0234375,0.0234375,-0.0234375,-0.0234375,-0.0234375,0.0234375,0.0234375,
    0.0234375,-0.0234375,-0.0234375,-0.0234375,0.0234375,-0.0234375,0.0234375,-0.0234375,
    -0.0234375,0.0234375,0.0234375,-0.0234375,0.0234375,0.0234375,0.0234375,0.0234375,
    2.710937,0,0,0.1875,0,0,0,0,-0.1875,0,0,0,-0.1875,0.09375,-0.09375,-0.09375,
    -0.09375,0.09375,0.09375,-0.09375,0.09375,-0.09375,-0.09375,-0.09375,0.09375,-0.09375,
    0.09375,-0.09375,0.09375,-0.09375,-0.09375,0.09375,0.09375,0.09375,0.09375,0.09375,
    0.09375,8.890623,0,0,-0.1875,0,1.5625,0,0,0,0,0,1.65625,1.65625,-0.09375,
    0.09375,0.09375,0.78125,-0.78125,0.78125,-0.,-0.,0,-0.828125,-0.828125,-0.828125,
    0.09375,-0.09375,0.09375,-0.78125,-0.78125,-0.78125,0,0,-0.,0.828125,-0.828125,
    -0.828125,5.624998,1.312498,0,2.625004,0.000879278934,0.00643399427,0.00487779421,
    0.00419579201,-0.00685826697,-0.00470380871,-0.000736453395,0.0103963469,0.0137391218,
    -0.0216555732,-0.0157547995,0.00125039709,0.00459257353,0.00527273026,-0.0203080062,
    0.00191860023,-0.000497421108,0.0230213804,2.20462403e-05,-0.0226155172,0.00327000142,
    0.00112723069,0.0222985784,-0.00364974063,-0.00547185246,-0.0117067245,0.015430212,
    -0.00611439224,0.00735568807,-0.0183175717,0.000714407155,0.0122191704,-0.0170091232,
    0.0205283425,-0.0065437789,0.00239934355,0.678970131,0.0538273724,-0.0119944393,
    0.0504868288,-0.0465695811,0.0627026771,0.00416656858,0.0408292648,-0.00561467366,
    -0.00745205403,-0.0463075718,-0.031221728,-0.0206239754,-0.0831604714,-0.00612178036,
    0.0262151943,-0.0447319388,-0.0718048124,-0.000211079033,-0.0131158774,0.0890286969,
    0.00741704458,-0.000820110165,0.0936780677,0.00044996202,0.029333099,0.0181162196,
    -0.076702023,0.09130152,0.00910213526,-0.00395548954,-0.0277133874,-0.0834140232,
    3.50094532e-05,0.047127682,-0.0624563397,0.0201740134,6.81979117,0.0672047388,
    -0.136909963,0.0410906363,-0.658569733,-0.587687236,-0.141853685,-0.,-0.,0,
    -0.650236332,0.40392407,0.685495815,-0.0438093574,0.0724109793,0.0013586598,
    -0.0300209821,0.585115167,0.383790365,0,0,-0.,-0.137948118,-0.261363232,-0.686459092,
    -0.0233953815,0.0644989834,-0.0424492961,0.688590715,0.0025720696,-0.24193668,0,0,-0.,
    0.78818445,-0.142560838,0.000963277356,1.21880571,0.966047937,0,0.407745307,0,0,0,
    -0.0078125,-0.0078125,-0.03125,0,0,0,0,0,0,0,0,-0.0234375,0.0078125,0.0078125,
    0.0078125,0.0078125,0.0078125,0.0078125,-0.0234375,0,0,-0.,-0.,0.0234375,-0.,-0.,
    0.0234375,-0.0078125,-0.0078125,-0.0078125,0.0234375,-0.,-0.,3.48046825,-0.03125,
    -0.03125,-0.125,0,0,0,0,0,0,-0.125,-0.03125,-0.03125,0.03125,0.03125,0.03125,
    0.03125,0.03125,0.03125,-0.09375,0,0,0.03125,0.03125,0.03125,-0.,-0.,0.09375,
    -0.03125,-0.03125,-0.03125,0.09375,-0.,-0.,0.09375,-0.,-0.,10.874996,0,0,0,0,0,
    0,-2.52083333,-0.630208333,-0.630208333,0,0,0,0.03125,0.03125,0.03125,0.78125,-0.,
    -0.,0.630208333,0.630208333,0.630208333,0,-0.828125,0,-0.03125,-0.03125,-0.03125,
    -0.78125,0,0,1.890625,-0.,-0.,-0.,0.828125,-0.,3.515625,4.484375,1.437498,4.484375,
    0,0,0,0,-0.,0,0,-0.,-0.,0,-0.,-0.,0,0,0,0,0,0,0,-0.015625,0,-0.015625,0,
    0,0,0,-0.015625,0,0,0,-0.015625,0,0,0,-0.015625,0,-0.015625,0,0,0,
    -0.411458333,0,-0.09375,0,0,-0.09375,0,0,0,0,0,0,-0.09375,0,0,0,-0.09375,0,
    -0.09375,0,0,0,0,-0.09375,0,-1.09375,0,-0.09375,0,0,0,0.78125,0,0,0,-1.890625,
    0,0,-0.828125,0,0,0,0,0,-0.3125,0,-1.546875,0,0,0,-0.71875,0.875,-0.390625,
    -0.15625,0.59375,-1.890625,-0.029539801,0,0,0,0,0,0,-0.0289179104,0,0,0,0,0,
    -0.017568408,0,0,0,0,-0.0177238806,0,0,0,0,0,0,3,-100,1,2,-100,0.401844942,
    -0.183105469,0,0,0,0,0,0,-0.171386719,0,0,0,0,0,-0.237304688,0,0,0,0,
    -0.0234375,0,0,0,0,0,0,3,-100,1,2,-100,-8.53857422,-0.108398438,0,0,0,0,0,0,
    1.66015625,0,0,0,0,0,-1.78564453,0,0,0,0,-0.981445312,0,0,0,0,0,0,3,-100,1,
    2,-100,-1.21044922,1.29492188,0,-3.09960938,-4.07299805,0,0,0,0,0,0,0,0,0,
    -0.01875,-0.01875,0,-0.01875,0,0,0,0,0,0,0,0,-0.01875,0,0,-0.01875,0.90625,0,
    0,0,-0.09375,0,0,0,0,-0.09375,-0.09375,-0.09375,0,0,-0.09375,0,0,0,0,0,0,0,
    0,-0.09375,0,-1.734375,0,0.78125,0,0,0,0,0,0,-0.09375,0,0,-0.828125,0,0,0,0,
    0,0,0,0,-0.3125,-1.546875,0.796875,0,-1.921875,0.390625,0,-1.625,0.09375,-1.4375,
    -1.90625,0,0.00452733826,-0.00618921679,0.000727609473,0.000934269056,-0.00926738791,
    0.00479897738,0.00127160241,0.00319680812,-0.00388149841,0.000383438909,0.00135940898,
    0.00213865052,-0.00599963345,0.00447621115,0.00128245597,0.000240966337,0.00311342557,
    0.00406067246,-0.00803866509,0.000864567057,0.0055289953,0.0074400764,0.00107184463,
    -0.0140409163,0.864169073,-0.0504473841,0.0326865294,0.0152006478,0.00256020683,
    -0.0504238419,0.0433261581,0.00449574577,0.00260193804,-0.0918246363,0.0398995433,
    0.0188472097,0.0330778832,0.0227462901,-0.0279314273,0.00263307419,0.00255206302,
    0.0045461367,-0.0848490964,0.0733709291,0.00693203066,-0.0465004966,0.0196965234,
    0.0112227407,0.0155812325,8.8232085,0.0389932441,-0.0685740694,0.00804671073,
    0.0215341146,-0.187673067,0.757759961,-0.0270368688,-0.543050026,-1.78832547,1.11714335,
    0.346074865,0.325107249,0.0234167585,0.642876052,0.0940735517,-0.760366363,0.035241389,
    -0.283736817,0.21927929,0.0292161376,0.562292405,0.898540704,-1.51564444,0.0548113345,
    1.31474326,3.50431876,2.91675762,2.50321217,2.38550825,3.90259504,-0.0044668328,
    0.00381544241,-5.52056421e-05,0.000706596027,-0.00204883721,-0.00256489916,
    -0.000200700847,0.00481443722,0,0,0,0,0.000474956912,-0.0028116445,0.0016675458,
    0.000669141791,0.0078483563,-0.000229167864,-0.00888955536,0.00127036693,0,0,0,0,0,3,
    -100,1,2,-100,1.07277011,-0.0596875296,-0.0185376929,0.0232191468,0.0550060757,
    0.190103325,0.0460509648,0.0257140512,-0.261868341,0,0,0,0,0.204560681,-0.216913834,
    0.0101938106,0.00215934219,0.0831316071,-0.00211701156,-0.194671326,0.11365673,0,0,0,
    0,0,3,-100,1,2,-100,25.6767282,-0.101700088,0.0832780689,-0.00512271095,
    0.0235447298,0.0752067261,0.0316007868,-0.276321961,0.169514448,0,0,0,0,0.158521679,
    -0.168277864,-0.122386911,0.132143096,0.237044541,0.099609016,-0.644924261,0.308270705,
    0,0,0,0,0,3,-100,1,2,-100,2.75640356,1.32616074,0,1.36601781,8.71022417,0,
    -0.0193684536,0.0165910675,-0.000472284836,0.00324967098,0.00195663283,0.000848041471,
    0.00414989609,-0.00695457039,0,0,0,0,-0.00071660927,-0.0191829058,0.00288586428,
    0.0170136508,0.00270867691,0.00607795041,-0.00920732761,0.000420700293,0,0,0,0,0,3,
    -100,1,2,-100,2.11037819,-0.0566427365,0.00491898666,0.00447907361,0.0472446762,
    0.0247039381,0.0330518535,0.018929184,-0.0766849756,0,0,0,0,0.0506776985,
    -0.0611424815,0.000709408069,0.00975537495,0.0288588696,0.0235613754,-0.0665505529,
    0.0141303079,0,0,0,0,0,3,-100,1,2,-100,8.05187983,-0.0409015177,-0.00192141241,
    0.03858139,0.00424154013,-0.0518758258,-0.326269503,-0.0387211721,0.416866501,0,0,0,0,
    0.0278709035,-0.483743911,0.424677424,0.0311955835,-0.0014999518,-0.00782440753,
    -0.213957721,0.22328208,0,0,0,0,0,3,-100,1,2,-100,1.08257276,1.23899491,0,
    1.40058018,1.88259228,0,-0.000769718214,-0.000769718635,-0.0215520383,0.000836023985,
    -0.000518911439,-0.000518911319,0.0218691509,-0.000518911439,0.00128862965,0.00128862995,
    -0.000317112546,-0.000317112546,-0.000769718635,0,-0.000769718214,-0.000769718635,
    -0.000518911439,0,-0.000517300494,-0.000518848966,0.00128863007,0,0.00128701871,
    0.0012885676,5.17729427,-0.110741694,0,0.0177981069,0.0117037966,0.122020991,0,
    -0.00651881007,0.304116516,-0.0112792969,0,-0.0112792968,-0.315820312,0,0.326220572,0,
    -0.109287276,0,-0.0104002609,0,0.120566573,0,-0.315820311,0,-0.0112792969,192.1018,0,
    0,0,-0.0340738902,0,0,0,-0.0276041661,0,0,0,0.0616780564,0,0,0.0270760421,
    -0.0771483731,0,0,0.0265624922,6.91308136,0,0,-0.0536385343,-6.83593298,0,0,0,
    1.60377605,0,0,0.922669771,52.7143254,-0.0117180801,0.0268055793,-0.000138328111,
    -0.0149491711,0.0274512679,0.00955680715,-0.0213237598,-0.0156843152,-0.00718556851,
    0.00581685942,0.0156498838,-0.0142811748,0.0968693106,0.00360759186,0.106146654,
    0.109076342,0.0213191194,0.0291316194,0.0764949006,0.132647244,0.072000186,0.0612579985,
    0.0158478422,0.0578400297,3.72829928,0.024421493,-0.0121074895,0.0198024733,
    -0.0321164769,-0.0166183118,-0.0775964399,0.0781517449,0.0160630068,0.0269348364,
    -0.0111554207,-0.0760534636,0.0602740479,0.0717327773,0.224076527,0.13911559,0.143510121,
    0.209803827,0.259608514,0.0413467955,0.157069452,0.0975471813,0.320203431,0.282117494,
    0.0536018688,10.7845964,0.0134885133,-0.0550842616,0.000466477364,0.0411292709,
    0.525981874,-0.0223611946,0.698035539,-1.20165622,-0.749132927,-1.02815988,-0.753380002,
    2.53067281,0.200880082,0.168653519,0.108594926,0.0851574257,-2.36691293,-2.26925668,
    -2.83078012,-0.108612149,4.13409457,4.39996371,2.86383089,1.06182894,2.08317134,
    6.14925379,4.90423377,-0.0249214172,0.130760956,-0.0639129639,-0.0419265747,
    -0.0813980103,-0.0119445801,0.128443909,-0.0351013184,-0.0387268066,0.104645538,
    -0.0285423276,-0.0373764038,3.57434082,4.62006106e-13,2.09547119,1.87467041,2.2088623,
    2.71079102,6.97456632e-14,3.27612305,2.06829834,1.45691126e-10,1.22363281,1.98387451,
    119.915426,-0.0303771973,-0.0812118441,0.176989737,-0.0654006958,-0.0187133789,
    -0.0631072775,-0.00692367547,0.0887443319,0.0588734929,-0.0441193663,-0.0306769726,
    0.015922846,2.59833985,1.9697754,2.33478123e-09,2.89262696,2.55527345,1.82493898,
    1.21252442,1.35261028e-08,0.0133728533,0.403559215,0.464305927,0.161696707,76.917706,
    0.289013521,-0.112288658,-0.0633459573,-0.113378905,1.2207976,-1.93776969,0.461082458,
    0.255889636,-5.01412582,-1.83800505,-1.18173294,8.03386381,0.00083125254,3.04612732,
    0.601724103,2.67899718,-32.684327,-7.39817965e-07,-33.338013,-17.9122929,181.920959,
    92.1236572,82.2599121,4.28203473e-09,44.6736038,51.3364395,135.560742,-0.0215202331,
    -0.00702852063,-0.0177248001,-0.0211751842,-0.0239731827,-0.00444087982,0.0218579981,
    -0.0345674515,0.0454934157,0.0114694005,-0.00413319798,0.0557426356,-0.00945311152,
    0.0196240425,-0.0020285954,-0.0197950363,-0.0170940399,-0.011671257,0.0159294476,
    -0.015284546,0.0265471514,-0.00795278549,-0.0139008522,0.0350795823,70.9026345,
    0.362469482,-0.169592282,0.2286735,-0.095057471,-0.232421875,-0.0783385943,-0.0617942275,
    0.151441748,-0.130047607,0.247930876,-0.166879272,-0.0563842773,0.375220489,
    -0.0200408935,0.269212617,-0.0550601893,-0.211410522,0.0856317495,-0.074836731,
    -0.23242185,-0.163809967,-0.065590856,-0.194375886,0.28748204,499.426125,0.0594940184,
    -0.477759036,-1.65375837,-1.76118762,-0.0146560668,0.428549449,2.83839925,-0.283497575,
    -0.0448379517,0.0492095875,-1.18464088,2.04468519,0.500779566,-0.472761142,2.46566307,
    1.79795539,-0.317330775,0.524300713,-2.92557646,-1.55011579,-0.183448792,-0.0515395705,
    0.45991339,-0.2478396,15.6375326,23.3071391,56.401591,93.2168065,37.8168779,5.87613584,
    49.3664569,5.11219718,0.00390625,0.00390625,-0.01171875,0.00390625,-0.01171875,
    0.00390625,0.00390625,0.00390625,0.00390625,0.00390625,0.00390625,-0.01171875,
    -0.01171875,0.00390625,0.00390625,0.00390625,0.00390625,0.00390625,0,-0.0078125,
    0.00390625,0.00390625,0.00390625,-0.01171875,1.29622396,0,-0.0234375,0,0.0234375,
    0.0234375,0.0234375,-0.0703125,0.0234375,0,0,0,0,0,-0.0234375,0.0234375,0,0,0,0,
    0,0.0234375,-0.0703125,0.0234375,0.0234375,2.328125,0.0234375,0.0234375,-0.0703125,
    0.0234375,-0.1953125,0.5859375,-0.1953125,-0.1953125,0,0.47265625,-0.9453125,
    0.47265625,0,0,0.20703125,-0.20703125,0.078125,0.078125,-0.234375,0.078125,0.38671875,
    -1.16015625,0.38671875,0.38671875,2.23828125,1.60546875,0.6796875,0.27734375,1.80859375,
    3.4140625,-0.125244141,0.0417480469,0.0417480469,0.0417480469,-0.153076172,0.0417480469,
    0.0417480469,0.0695800781,0,-0.0739746094,0.0493164062,0.0246582031,-0.0139160156,
    0.0139160156,0,0,0.0258789062,0.129394531,-0.20703125,0.0517578125,-0.0139160156,
    0.0139160156,0,0,10.7994792,0,0,0,0,-0.506835938,0,0.253417969,0.253417969,
    0.612304688,0.153076172,0.306152344,-1.0715332,0.278320312,0.278320312,-0.834960938,
    0.278320312,-1.77392578,0.506835938,0.506835938,0.760253906,0.22265625,0.22265625,
    -0.66796875,0.22265625,105.019531,0.629882812,0.377929688,0.251953125,-1.25976562,
    -2.70996094,6.77490234,-1.35498047,-2.70996094,0,12.7617188,-19.1425781,6.38085938,
    -1.29394531,0.258789062,0.517578125,0.517578125,0.52734375,1.58203125,-2.109375,0,
    5.36572266,-8.04858398,2.68286133,0,25.53125,7.8046875,16.875,1.40625,8.4375,
    4.3359375,1,3,0,1.81139495,2.58422097,3.81017797,0,0,0,0,0,0,5,5,1e301,0,0,0,
    0,0,0,5,5,0,0,0,0,0,0,0,5,5,0,0,-0.00625199698,0.00164273708,-0.000530409743,
    0.00513966964,-0.00905457894,0.00616278459,0.00223201267,0.000659781684,1e301,1e301,
    1e301,1e301,-7.53172228e-06,-0.00146123938,0.000339168275,0.00112960283,-0.00152080124,
    0.000856290471,0.00196006841,-0.00129555764,-6.31915371e-05,0.00185574721,-0.00343024683,
    0.00163769116,-0.00834254203,0.00263141747,0.00211440333,0.00359672123,1e301,1e301,
    1e301,1e301,-8.16414375e-05,-0.00263195004,-0.000363441898,0.00307703338,0.00012535042,
    0.00235739145,0.00130447854,-0.00378722041,-0.00232530047,0.00708177811,-0.0056710031,
    0.000914525453,-0.0176089095,0.000539012996,0.0060730406,0.0109968559,0,0,0,0,
    0.000604946218,0.000118867347,-0.00627495108,0.00555113752,0.000680073444,-0.0029649438,
    0.000503014815,0.00178185554,-0.00310352341,0.00201155299,0.000898927539,0.000193042879,
    -0.0180745168,0.0040105282,0.00992615261,0.00413783603,0,0,0,0,0,0,0,0,
    0.000432142091,-0.000390071795,-0.00237994435,0.00233787405,0.000633218201,0.000253838733,
    -0.00598554418,0.00509848725,0,0,0,0,0,0,0,0,0,0,0,0,-0.00236886501,
    0.0052747602,-0.00308638755,0.000180492369,2,2,1,3,1,1,2,1,3,1,2,2,3,1,2,5,
    4,2,3,5,2,0,3,2,3,1e302,0.00225300268,0.0209416332,-0.0299933888,0.00679875289,
    -0.0643145092,0.00404639401,0.0508599673,0.00940814794,1e301,1e301,1e301,1e301,
    0.0109892807,-0.0384584415,0.00277105112,0.0246981098,0.00386437249,0.0504875722,
    0.00602988061,-0.0603818254,-0.0339115203,0.0296886732,-0.00497427473,0.0091971219,
    -0.0895072213,0.0516876262,0.006469465,0.03135013,1e301,1e301,1e301,1e301,0.0238954203,
    0.00467134003,-0.0712609525,0.0426941921,0.00198759257,-0.0255646438,0.00696490125,
    0.01661215,-0.0146714687,0.00282188806,0.00793177707,0.00391780359,-0.0751835506,
    0.0700690479,0.00271687182,0.00239763097,0,0,0,0,-0.00553012848,0.016761271,
    -0.0140104337,0.00277929119,-0.00207233037,-0.00659171902,-0.0113024171,0.0199664665,
    -0.00504889687,0.0127499668,-0.0429048571,0.0352037871,-0.0455405435,0.0138122406,
    0.00632370453,0.0254045984,0,0,0,0,0,0,0,0,-0.0164252954,0.00761024494,
    -0.0357687605,0.0445838109,-0.00805862184,0.0153991989,-0.017598655,0.010258078,0,0,0,
    0,0,0,0,0,0,0,0,0,-0.0228566478,0.00995432868,-0.0223888406,0.0352911597,2,2,1,
    3,1,1,2,1,3,1,2,2,3,1,2,5,4,2,3,5,2,0,3,2,3,1e302,-0.0562905392,
    0.0192759944,-0.00316007732,0.0401746221,0.764055385,-0.0974141304,-0.230061411,
    -0.436579844,1e301,1e301,1e301,1e301,0.0248593929,-0.456044633,0.351516217,
    0.0796690235,-0.0471957809,0.0795135597,0.117513423,-0.149831202,-0.0071874639,
    0.00537626088,-0.0385398757,0.0403510787,0.747120889,-0.0125553981,-0.318787808,
    -0.415777683,1e301,1e301,1e301,1e301,0.0522725041,0.0339296009,-0.115689091,
    0.0294869862,0.0281873894,0.00773697902,0.0244530578,-0.0603774263,0.00276460088,
    0.00233147918,-0.00769703302,0.00260095297,0.611535111,-0.0260266211,-0.029034794,
    -0.556473696,0,0,0,0,-0.228021528,0.444412685,-0.521831231,0.305440074,0.0216628276,
    -0.0542413241,0.00700801814,0.0255704784,-0.0348594916,0.0143040161,0.00484558718,
    0.0157098883,0.771072108,-0.35322064,-0.38793698,-0.0299144878,0,0,0,0,0,0,0,0,
    -0.0528298997,-0.0331429127,-0.179051712,0.265024525,0.00432434211,0.0232741295,
    -0.0710802701,0.0434817984,0,0,0,0,0,0,0,0,0,0,0,0,-0.0344277712,0.135890908,
    -0.129947419,0.0284842818,2,2,1,3,1,1,2,1,3,1,2,2,3,1,2,5,4,2,3,5,2,0,
    3,2,3,3.95848536,12.814496,1e302,3.39919915,4.87695449,-0.00626131974,0.00017310493,
    -0.00104593197,0.00713414678,-0.0178881111,0.0130674061,0.000835371325,0.0039853337,0,0,
    0,0,0.0057414063,-0.00721969784,0.000366597715,0.00111169383,0.000503104531,
    0.00280155715,0.000479289915,-0.00378395159,0.000294559786,0.00096317411,-0.00461954187,
    0.00336180797,-0.0168288942,0.0016177333,0.00660136188,0.00860979899,0,0,0,0,
    0.00255828274,-0.00156881017,-0.00118581575,0.000196343183,0.000458866887,-0.0026175103,
    0.00228604888,-0.00012740546,-0.00574905146,0.000422008537,0.00026563209,0.00506141083,
    -0.0172411071,0.00697704986,0.00924308931,0.00102096797,0,0,0,0,-0.000601986041,
    0.000362312099,-0.0076288911,0.00786856504,0.000200320444,-0.00151399524,-0.000145740187,
    0.00145941498,-0.00173518883,0.00678758156,-0.00679558784,0.00174319511,-0.0121415551,
    0.000840169483,0.00703465295,0.00426673269,0,0,0,0,0,0,0,0,-0.00205619303,
    -0.000753616844,-0.000421827259,0.00323163713,0.000408425699,0.000818416572,
    -0.00152325311,0.00029641084,0,0,0,0,0,0,0,0,0,0,0,0,0.00284002545,
    0.000574195638,-0.00415150288,0.000737281793,2,2,1,3,1,1,2,1,3,1,2,2,3,1,2,5,
    4,2,3,5,2,0,3,2,3,3.27898983,-0.00119535226,0.0157707092,-0.0261134543,
    0.0115380973,-0.0286622902,0.022144978,0.00187547271,0.00464183955,0,0,0,0,
    -0.0112581998,-0.0446076074,0.0233908408,0.0324749664,-0.0055517363,0.0286005826,
    0.0464233279,-0.0694721742,-0.000914745348,0.00841802101,-0.00966520226,0.0021619266,
    -0.0689456312,0.0372357677,0.0132768219,0.0184330417,0,0,0,0,0.000494459728,
    -0.0219144267,-0.0120738918,0.0334938587,-0.00526047177,-0.00107411886,0.0118326542,
    -0.00549806354,-0.0121202666,0.00312696574,-0.00546564219,0.0144589431,-0.0571052843,
    0.0067785908,0.00253297432,0.0477937192,0,0,0,0,-0.00212870813,0.0685116176,
    -0.0685174541,0.00213454462,0.00449830974,-0.0281609884,0.00554096792,0.0181217107,
    -0.0462704122,0.0270365588,-0.00182223979,0.0210560932,-0.0893127342,0.00687257169,
    0.00855305366,0.0738871089,0,0,0,0,0,0,0,0,0.000304551019,-0.027304369,
    -0.000965423179,0.0279652412,-0.00181189914,0.00516670697,-0.0769430704,0.0735882625,0,
    0,0,0,0,0,0,0,0,0,0,0,0.00131430489,0.0416588813,-0.0663417006,0.0233685145,2,
    2,1,3,1,1,2,1,3,1,2,2,3,1,2,5,4,2,3,5,2,0,3,2,3,17.3267249,
    -0.00624225418,0.0118364698,-0.00868194322,0.00308772763,0.508163786,-0.0679765333,
    -0.373264598,-0.0669226548,0,0,0,0,0.0127204669,-0.431634237,0.134396461,0.28451731,
    0.0182535998,0.05962631,0.0244705883,-0.102350498,-0.0107866216,0.0350744166,
    -0.0491592806,0.0248714856,0.754836446,-0.0740786446,-0.358974837,-0.321782964,0,0,0,
    0,0.0242406285,-0.290213729,-0.16239501,0.42836811,-0.0253143539,-0.00973325112,
    0.0368711223,-0.00182351736,-0.019505111,0.0368607655,-0.026822282,0.00946662751,
    0.209516899,-0.0420684172,-0.112580923,-0.0548675597,0,0,0,0,0.179883228,0.0418401023,
    -0.331957318,0.110233987,0.00894162955,-0.186822697,0.118320658,0.0595604101,
    -0.0137515073,0.0054418422,-0.00321071497,0.01152038,0.768847193,-0.417192529,
    -0.335223615,-0.0164310496,0,0,0,0,0,0,0,0,0.00876416969,-0.0027043033,
    -0.0158152952,0.00975542885,0.00868113532,0.0212699476,-0.0672810034,0.0373299205,0,0,
    0,0,0,0,0,0,0,0,0,0,0.0103522355,0.0425645951,-0.114847951,0.0619311204,2,2,1,
    3,1,1,2,1,3,1,2,2,3,1,2,5,4,2,3,5,2,0,3,2,3,4.31571229,8.89332087,0,
    3.15237307,2.0398349,-0.0145188484,2.14199577e-08,0.0145188269,9.61765618e-17,
    0.00279380666,-0.00279380666,-0.00110530421,0.0156249989,-0.0145196947,2.05411284e-09,
    -1.18205619e-08,9.76644909e-09,-0.00543436312,3.96467854e-05,0.00539471633,1.25969267e-14,
    -1.25970357e-14,1.09052555e-19,-0.00011581584,0.00110530528,-0.000989489439,0.023107818,
    -0.023107818,-1.07656578e-16,0.014528465,-0.0021583833,-0.0123700817,-6.70662201e-08,
    0.000329681683,-0.000329614617,8.24591792e-16,-1.83130768e-08,1.83130759e-08,
    -0.0230865323,0.0234161472,-0.000329614969,3.77087269e-14,-0.00109647402,0.00109647402,0,
    0,0,0,0,1,1,0,1,7,6,3,2,23.4647665,1,2,2,1,6,5,2,1,2.82939117,
    0.169639897,0.220772212,0.671411132,0.484567977,0.366011905,0.0740542242,0.106349357,
    0.0222883835,0.0110549742,0.0977293336,0.0384749225,0.559071005,1,2,4,2,-6.55461107,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,2,2,1,0,0,0,1,
    -0.,0,-0.0355263136,0.0254656625,0.0271887196,-0.0223770919,-0.0216815403,0.0435081539,
    0.02499537,0.0176921766,-0.028354322,-0.0270607421,-0.0383176134,0.0483835565,
    0.0302317101,0.0269877923,0.0185363986,0.0256845288,0.0351087115,0.0332491361,
    -0.0456474316,0.0303291348,0.0160920669,0.0383753187,-0.0229496208,0.03482745,
    0.0363769531,-0.0330200195,-0.0256958008,0.0275878906,0.0237426758,-0.033203125,
    -0.0241088867,-0.0309448242,0.0296020508,0.0274658203,0.0238647461,-0.0355834961,
    -0.0282592773,-0.0254516602,-0.0239868164,-0.0237426758,-0.0241088867,-0.0303344727,
    0.0303344727,-0.0289306641,-0.0300292969,-0.0321044922,0.0263061523,-0.0305175781,
    11.12913,0.00156555323,-0.0222984179,0.0193726885,0.00136017622,0.0293320064,
    0.0039081116,-0.0421858746,0.00894575654,0.00762980851,0.0287945965,0.0116340687,
    -0.0480584737,0.00503105083,-0.0105990108,0.00417088763,0.00139707236,-0.0287788885,
    0.00438070287,0.00249604925,0.0219021364,-0.0234172376,0.00210785466,0.020313703,
    0.000995680039,5.23600191,0,1e301,1e302,-1e302,1,2,-1,1e301,1e302,-1e302,0,1e+30,
    0,1e301,1e302,-1e302,0.625,6.1875,1.59375,1e301,1e301,-1e302,1e301,6.75e+30,0,1,
    1,1,0,0,0,1e301,1e302,1e302,1e301,-1e+30,0,1e301,-1e302,1e302,-0.625,-6.1875,
    -1.59375,1e301,1e301,1e302,1e301,-6.75e+30,0,1e301,1e302,1e302,1,4,1,1e301,1e301,
    1e302,1e301,1e302,0,1e301,1e302,-1e302,1,2,-1,1e301,1e302,-1e302,0,1e+30,0,-0.,
    1.890625,-0.828125,0.3125,1.546875,0.796875,0,-0.,-1.078125,-0.,1.6875,0,1,1,1,0,
    0,0,1e301,1e302,1e302,1e301,-1e+30,-0.,0,-1.890625,0.828125,-0.3125,-1.546875,
    -0.796875,-0.,0,1.078125,0,-1.6875,0,1e301,1e302,1e302,1,2,1,1e301,1e301,1e302,
    1e301,2e+30,0,1e301,1e302,-1e302,1,2,-1,1e301,1e302,-1e302,0,1e+30,0,1e301,
    1.890625,-0.828125,0.3125,1.546875,0.796875,1e301,1e301,-1.078125,1e301,1.6875,0,1,
    1,1,0,0,0,1e301,1e302,1e302,1e301,-1e+30,0,1e301,-1.890625,0.828125,-0.3125,
    -1.546875,-0.796875,1e301,1e301,1.078125,1e301,-1.6875,0,1e301,1e302,1e302,0.5,1.5,
    0.5,1e301,1e301,1e302,1e301,2e+30,0,1e301,1e302,-1e302,1,2,-1,1e301,1e302,
    -1e302,0,1e+30,0,1e301,1.890625,-0.828125,0.3125,1.546875,0.796875,1e301,1e301,
    -1.078125,1e301,1.6875,0,1,1,1,0,0,0,1e301,1e302,1e302,1e301,-1e+30,0,1e301,
    -1.890625,0.828125,-0.3125,-1.546875,-0.796875,1e301,1e301,1.078125,1e301,-1.6875,0,
    1e301,1e302,1e302,0.5,1.5,0.5,1e301,1e301,1e302,1e301,2e+30,0,1,0,1,1e-30,0.5,
    0,0,-7.81250003e+11,-1.89062501e+12,0,-3.12500001e+11,-3.09375,3.98437502e+11,0,0,1,
    1,1,1,0.5,1e302,1e302,1e302,-1e302,21.5867352,-0.,-1e302,0,100,100,-0.,
    69.0775528,0.693147181,50,0,1,0,1,0,-1.171875e+12,-3.78125002e+12,0,0,0,1,1,2,
    3,4,5,0,150,200,-0.,0,1e301,1e302,-1e302,1,2,-1,1e301,1e302,-1e302,0,1e+30,
    0.046875,1e301,0,-0.828125,0.228455806,1.36248298,-0.214312695,1e301,1e302,-1e302,
    1e301,1.6875e+30,0,1,1,1,0,0,0,1e301,1e302,1e302,1e301,-1e+30,-0.,1e301,-1e302,
    1e302,-0.3125,-3.09375,-0.796875,1e301,1e302,1e302,0,-1.6875e+30,0.693147181,1e301,
    1e301,1e301,1.31326169,2.12692801,0.313261688,1e301,-1e302,1e302,1e301,1e302,0,-1,
    -1e302,1e301,-1e302,-0.,0.78125,-0.9453125,-0.4140625,-0.,0,1,0.5,0.5,0,0,1,
    1e302,1e301,1e301,0,-1,-1e302,1e301,-1e302,-2,-0.09375,2.12365768,-3.11711365,
    -1.3653473,-0.,-0.,0,1,0.5,0.5,-1e302,-1e302,0.09375,-6.37097304,1e302,1e301,
    1e301,1e301,0,5.43656366,1e302,1e301,1e301,1e301,0,100,-1e302,1e301,0,0.5,0,
    -1e302,0,1e301,1e301,2.55036572,1,1,0,1,1e301,0,1,1e302,1e301,1e301,1e301,
    1.64872127,0,1,1e301,0,1e302,0,-0.,1e301,0,1e302,0,1,0,0,0,-0.,0,1e301,-0.,
    -1e302,0,1e302,1,1e-06,1,46875,0,1e301,414062.5,-1e302,-6.90775528,1e302,1e301,
    -6.90775528,1e302,0,1e301,1e302,-1e302,1,2,-1,1e301,1e302,-1e302,0,1e+30,0,
    -0.78125,1.890625,0.828125,0.3125,1.546875,0,1.875,-1.21875,0,0,1.6875,0,1,1,1,
    0,0,0,1e301,1e302,1e302,1e301,-1e+30,1,1e301,1e302,-1e302,1,2,1,1e301,1e302,
    1e301,1,1e+30,0,1e301,1e302,1,-0.,-0.,-0.,0,0,1,1e302,2,0,0,0,-0.,1,1,1,
    -1,0,1e301,1e301,0,0,0,1,2,1,1e301,0,0,-3.12527781e-14,-6.25055563e-14,1e301,
    1e301,0,0,1,2,1,1,0,0,-3.12527781e-14,-6.25055563e-14,1e301,1e301,1,-1,1,1,1,
    1e301,1,2,0,1e301,0.09375,0,1e301,1e301,1,2,0,1,-0.,-0.,1e301,1e301,1.5,2,0,
    1,-0.09375,0,1e301,1e301,0.5,1e301,1,2,0,0.5,0.09375,0,0,0,1,2,0,1,-0.,-0.,
    0,-0.78125,1.5,2,0,1,-0.09375,0,-0.,0.78125,0.5,1,1,2,0,1e301,0.09375,0,0,0,
    1,2,0,1,-0.,-0.,-0.,-0.,1.5,2,0,1,-0.09375,0,0,0,0.5,1e301,0,1e302,1,
    -1e302,0,0,1e301,0,1,-1e302,-1e302,1e+30,1e301,1e301,1e301,0,0.390625,-0.390625,
    1e301,1e301,1e301,0,0,0,1,1,2,2,1e301,0.693147181,1e301,-0.,0,1e302,1e301,
    -1e302,0,0,0,-0.09375,0,0.78125,0,0,1,0,-1e302,1e302,0,1,1e301,1,1,0,0,0,
    0,0.260416667,-0.260416667,-0.,1,0,0,0.333333333,-1.5,1e301,-1.4,-1.45,-1.5,-1.2,
    -1.4,-1.45,-1.5,-1.2,-1.4,-1.45,-1.5,-1.2,-1.4,-1.45,-1.5,-1.2,-1.4,-1.45,-1.5,
    -1.2,-1.4,-1.45,1e301,1e301,1e301,1e301,-0.174320438,0.545942022,-0.192653878,
    -0.183258038,1e301,1e301,1e301,1e301,-0.174320438,-0.235307978,0.588596122,
    -0.183258038,0,0,0,0,0,0,0,0,1,2,1,2,2,2,2,2,1e301,2.6};

/* name, role, kind, kind's number, seed, rank, extents, own numbers, expected, error,
   gradient, error */
static const catalogue_row catalogue_losses_rows[] = {
    {"in0", 'x', 's', 0, 59712, 2, {3, 4}, -1, -1, 0, 0, 3.6e-08},
    {"in1", 'x', 's', 0, 59713, 2, {3, 4}, -1, -1, 0, 12, 3.6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 24, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 48992, 2, {3, 4}, -1, -1, 0, 25, 0},
    {"in1", 'x', 's', 0, 48993, 2, {3, 4}, -1, -1, 0, 37, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 49, 0, -1, 0},
    {"in0", 'x', 's', 0, 61056, 2, {3, 4}, -1, -1, 0, 50, 0},
    {"in1", 'x', 's', 0, 61057, 2, {3, 4}, -1, -1, 0, 62, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 74, 0, -1, 0},
    {"in0", 'x', 't', 0, 44544, 2, {3, 4}, -1, -1, 0, 86, 0},
    {"in1", 'x', 't', 0, 44545, 2, {3, 4}, -1, -1, 0, 98, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 110, 2.5e-08, -1, 0},
    {"in0", 'x', 't', 0, 35040, 2, {3, 4}, -1, -1, 0, 111, 0},
    {"in1", 'x', 't', 0, 35041, 2, {3, 4}, -1, -1, 0, 123, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 135, 0, -1, 0},
    {"in0", 'x', 't', 0, 45648, 2, {3, 4}, -1, -1, 0, 136, 0},
    {"in1", 'x', 't', 0, 45649, 2, {3, 4}, -1, -1, 0, 148, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 160, 0, -1, 0},
    {"in0", 'x', 's', 0, 167136, 2, {3, 4}, -1, -1, 0, 172, 6e-08},
    {"in1", 'x', 's', 0, 167137, 2, {3, 4}, -1, -1, 0, 184, 6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 196, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 149120, 2, {3, 4}, -1, -1, 0, 197, 0},
    {"in1", 'x', 's', 0, 149121, 2, {3, 4}, -1, -1, 0, 209, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 221, 0, -1, 0},
    {"in0", 'x', 's', 0, 169920, 2, {3, 4}, -1, -1, 0, 222, 0},
    {"in1", 'x', 's', 0, 169921, 2, {3, 4}, -1, -1, 0, 234, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 246, 0, -1, 0},
    {"in0", 'x', 't', 0, 305792, 2, {3, 4}, -1, -1, 0, 258, 0},
    {"in1", 'x', 't', 0, 305793, 2, {3, 4}, -1, -1, 0, 270, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 282, 2.4e-08, -1, 0},
    {"in0", 'x', 't', 0, 281696, 2, {3, 4}, -1, -1, 0, 283, 0},
    {"in1", 'x', 't', 0, 281697, 2, {3, 4}, -1, -1, 0, 295, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 307, 0, -1, 0},
    {"in0", 'x', 't', 0, 309776, 2, {3, 4}, -1, -1, 0, 308, 0},
    {"in1", 'x', 't', 0, 309777, 2, {3, 4}, -1, -1, 0, 320, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 332, 0, -1, 0},
    {"in0", 'x', 't', 0, 312736, 2, {3, 4}, -1, -1, 0, 344, 0},
    {"in1", 'x', 't', 0, 312737, 2, {3, 4}, -1, -1, 0, 356, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 368, 0, -1, 0},
    {"in0", 'x', 't', 0, 288640, 2, {3, 4}, -1, -1, 0, 369, 0},
    {"in1", 'x', 't', 0, 288641, 2, {3, 4}, -1, -1, 0, 381, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 393, 0, -1, 0},
    {"in0", 'x', 't', 0, 316720, 2, {3, 4}, -1, -1, 0, 394, 0},
    {"in1", 'x', 't', 0, 316721, 2, {3, 4}, -1, -1, 0, 406, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 418, 0, -1, 0},
    {"in0", 'x', 's', 0, 91520, 2, {3, 4}, -1, -1, 0, 430, 6e-08},
    {"in1", 'x', 's', 0, 91521, 2, {3, 4}, -1, -1, 0, 442, 6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 454, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 78368, 2, {3, 4}, -1, -1, 0, 455, 0},
    {"in1", 'x', 's', 0, 78369, 2, {3, 4}, -1, -1, 0, 467, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 479, 0, -1, 0},
    {"in0", 'x', 's', 0, 93344, 2, {3, 4}, -1, -1, 0, 480, 0},
    {"in1", 'x', 's', 0, 93345, 2, {3, 4}, -1, -1, 0, 492, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 504, 0, -1, 0},
    {"in0", 'x', 't', 0, 225104, 2, {3, 4}, -1, -1, 0, 516, 0},
    {"in1", 'x', 't', 0, 225105, 2, {3, 4}, -1, -1, 0, 528, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 540, 3.1e-08, -1, 0},
    {"in0", 'x', 't', 0, 204656, 2, {3, 4}, -1, -1, 0, 541, 0},
    {"in1", 'x', 't', 0, 204657, 2, {3, 4}, -1, -1, 0, 553, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 565, 0, -1, 0},
    {"in0", 'x', 't', 0, 228368, 2, {3, 4}, -1, -1, 0, 566, 0},
    {"in1", 'x', 't', 0, 228369, 2, {3, 4}, -1, -1, 0, 578, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 590, 0, -1, 0},
    {"in0", 'x', 'o', 0, 59024, 2, {3, 4}, -1, -1, 0, 602, 1.1e-08},
    {"in1", 'x', 'u', 0, 59025, 2, {3, 4}, -1, -1, 0, 614, 5.1e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 626, 2e-08, -1, 0},
    {"in0", 'x', 'o', 0, 48304, 2, {3, 4}, -1, -1, 0, 627, 2e-08},
    {"in1", 'x', 'u', 0, 48305, 2, {3, 4}, -1, -1, 0, 639, 6.9e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 651, 1.2e-08, -1, 0},
    {"in0", 'x', 'o', 0, 60368, 2, {3, 4}, -1, -1, 0, 652, 2.3e-08},
    {"in1", 'x', 'u', 0, 60369, 2, {3, 4}, -1, -1, 0, 664, 4.3e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 676, 5.7e-08, -1, 0},
    {"in0", 'x', 'o', 0, 200144, 2, {3, 4}, -1, -1, 0, 688, 3.1e-08},
    {"in1", 'x', 'u', 0, 200145, 2, {3, 4}, -1, -1, 0, 700, 3.7e-08},
    {"in2", 'x', 'p', 0, 200146, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 712, 6.1e-08, -1, 0},
    {"in0", 'x', 'o', 0, 180912, 2, {3, 4}, -1, -1, 0, 713, 3.2e-08},
    {"in1", 'x', 'u', 0, 180913, 2, {3, 4}, -1, -1, 0, 725, 9.8e-08},
    {"in2", 'x', 'p', 0, 180914, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 737, 4.8e-08, -1, 0},
    {"in0", 'x', 'o', 0, 203168, 2, {3, 4}, -1, -1, 0, 738, 3.5e-08},
    {"in1", 'x', 'u', 0, 203169, 2, {3, 4}, -1, -1, 0, 750, 1.5e-08},
    {"in2", 'x', 'p', 0, 203170, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 762, 4.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 355008, 2, {3, 4}, -1, -1, 0, 774, 1.1e-07},
    {"in1", 'x', 'u', 0, 355009, 2, {3, 4}, -1, -1, 0, 786, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 798, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 329696, 2, {3, 4}, -1, -1, 0, 799, 8.5e-08},
    {"in1", 'x', 'u', 0, 329697, 2, {3, 4}, -1, -1, 0, 811, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 823, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 359232, 2, {3, 4}, -1, -1, 0, 824, 7.3e-08},
    {"in1", 'x', 'u', 0, 359233, 2, {3, 4}, -1, -1, 0, 836, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 848, 5.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 502416, 2, {3, 4}, -1, -1, 0, 860, 6.1e-08},
    {"in1", 'x', 'u', 0, 502417, 2, {3, 4}, -1, -1, 0, 872, 6.1e-08},
    {"in2", 'x', 'p', 0, 502418, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"in3", 'x', 'p', 0, 502419, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 884, 7.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 472240, 2, {3, 4}, -1, -1, 0, 885, 1.3e-07},
    {"in1", 'x', 'u', 0, 472241, 2, {3, 4}, -1, -1, 0, 897, 4.2e-08},
    {"in2", 'x', 'p', 0, 472242, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"in3", 'x', 'p', 0, 472243, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 909, 5.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 507600, 2, {3, 4}, -1, -1, 0, 910, 4.8e-08},
    {"in1", 'x', 'u', 0, 507601, 2, {3, 4}, -1, -1, 0, 922, 6.3e-08},
    {"in2", 'x', 'p', 0, 507602, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"in3", 'x', 'p', 0, 507603, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 934, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 109872, 2, {3, 4}, -1, -1, 0, 946, 0},
    {"in1", 'x', 'o', 0, 109873, 2, {3, 4}, -1, -1, 0, 958, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 970, 7.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 95504, 2, {3, 4}, -1, -1, 0, 971, 0},
    {"in1", 'x', 'o', 0, 95505, 2, {3, 4}, -1, -1, 0, 983, 4.7e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 995, 7.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 111936, 2, {3, 4}, -1, -1, 0, 996, 0},
    {"in1", 'x', 'o', 0, 111937, 2, {3, 4}, -1, -1, 0, 1008, 3e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1020, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 225696, 2, {3, 4}, -1, -1, 0, 1032, 0},
    {"in1", 'x', 'o', 0, 225697, 2, {3, 4}, -1, -1, 0, 1044, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1056, 4.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 199568, 3, {3, 2, 2}, -1, -1, 0, 1057, 1e-08},
    {"in1", 'x', 's', 0, 199569, 3, {3, 2, 2}, -1, -1, 0, 1069, 3.6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1081, 6.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 180336, 3, {3, 2, 2}, -1, -1, 0, 1082, 2.4e-08},
    {"in1", 'x', 's', 0, 180337, 3, {3, 2, 2}, -1, -1, 0, 1094, 5.2e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1106, 1.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 202592, 3, {3, 2, 2}, -1, -1, 0, 1107, 4.6e-08},
    {"in1", 'x', 's', 0, 202593, 3, {3, 2, 2}, -1, -1, 0, 1119, 5.8e-08},
    {"y0", 'y', 'r', 0, 900, 3, {3, 2, 2}, -1, 1131, 7.5e-09, -1, 0},
    {"in0", 'x', 's', 0, 348288, 3, {3, 2, 2}, -1, -1, 0, 1143, 3.6e-08},
    {"in1", 'x', 's', 0, 348289, 3, {3, 2, 2}, -1, -1, 0, 1155, 1.3e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1167, 3.1e-10, -1, 0},
    {"in0", 'x', 's', 0, 157424, 1, {5}, -1, -1, 0, 1168, 4.1e-08},
    {"in1", 'x', 'o', 0, 157425, 1, {5}, -1, -1, 0, 1173, 4.1e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1178, 4.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 128960, 2, {CATALOGUE_BATCH + 3, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 'o', 0, 128961, 2, {CATALOGUE_BATCH + 3, 4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1179, 8.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 132128, 2, {3, 4}, -1, -1, 0, 1180, 4.7e-08},
    {"in1", 'x', 'p', 0, 132129, 2, {3, 4}, -1, -1, 0, 1192, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1204, 1.6e-07, -1, 0},
    {"in0", 'x', 's', 0, 116544, 2, {3, 4}, -1, -1, 0, 1205, 4.4e-08},
    {"in1", 'x', 'p', 0, 116545, 2, {3, 4}, -1, -1, 0, 1217, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1229, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 134432, 2, {3, 4}, -1, -1, 0, 1230, 5.7e-08},
    {"in1", 'x', 'p', 0, 134433, 2, {3, 4}, -1, -1, 0, 1242, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1254, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 258400, 2, {3, 4}, -1, -1, 0, 1266, 4e-08},
    {"in1", 'x', 'p', 0, 258401, 2, {3, 4}, -1, -1, 0, 1278, 1.8e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1290, 3.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 236736, 2, {3, 4}, -1, -1, 0, 1291, 5.9e-08},
    {"in1", 'x', 'p', 0, 236737, 2, {3, 4}, -1, -1, 0, 1303, 4.5e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1315, 1.1e-07, -1, 0},
    {"in0", 'x', 's', 0, 261904, 2, {3, 4}, -1, -1, 0, 1316, 3.7e-08},
    {"in1", 'x', 'p', 0, 261905, 2, {3, 4}, -1, -1, 0, 1328, 5.1e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1340, 4.8e-08, -1, 0},
    {"in0", 'x', 'p', 0, 256992, 2, {3, 4}, -1, -1, 0, 1352, 3.7e-08},
    {"in1", 'x', 'p', 0, 256993, 2, {3, 4}, -1, -1, 0, 1364, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1376, 4.1e-08, -1, 0},
    {"in0", 'x', 'p', 0, 235328, 2, {3, 4}, -1, -1, 0, 1377, 6e-08},
    {"in1", 'x', 'p', 0, 235329, 2, {3, 4}, -1, -1, 0, 1389, 6.1e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1401, 1.6e-08, -1, 0},
    {"in0", 'x', 'p', 0, 260496, 2, {3, 4}, -1, -1, 0, 1402, 4.8e-08},
    {"in1", 'x', 'p', 0, 260497, 2, {3, 4}, -1, -1, 0, 1414, 2.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1426, 5e-08, -1, 0},
    {"in0", 'x', 's', 0, 152352, 2, {3, 4}, -1, -1, 0, 1438, 2.6e-08},
    {"in1", 'x', 's', 0, 152353, 2, {3, 4}, -1, -1, 0, 1450, 2.6e-08},
    {"in2", 'x', 'p', 0, 152354, 2, {3, 4}, -1, -1, 0, 1462, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1474, 5.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 135552, 2, {3, 4}, -1, -1, 0, 1475, 3.6e-08},
    {"in1", 'x', 's', 0, 135553, 2, {3, 4}, -1, -1, 0, 1487, 3.6e-08},
    {"in2", 'x', 'p', 0, 135554, 2, {3, 4}, -1, -1, 0, 1499, 5.8e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1511, 2.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 154896, 2, {3, 4}, -1, -1, 0, 1512, 2.2e-08},
    {"in1", 'x', 's', 0, 154897, 2, {3, 4}, -1, -1, 0, 1524, 2.2e-08},
    {"in2", 'x', 'p', 0, 154898, 2, {3, 4}, -1, -1, 0, 1536, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1548, 2.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 287104, 2, {3, 4}, -1, -1, 0, 1560, 3e-08},
    {"in1", 'x', 's', 0, 287105, 2, {3, 4}, -1, -1, 0, 1572, 3e-08},
    {"in2", 'x', 'p', 0, 287106, 2, {3, 1}, -1, -1, 0, 1584, 1.2e-07},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1587, 1.5e-07, -1, 0},
    {"in0", 'x', 's', 0, 264224, 2, {3, 4}, -1, -1, 0, 1588, 2e-08},
    {"in1", 'x', 's', 0, 264225, 2, {3, 4}, -1, -1, 0, 1600, 2e-08},
    {"in2", 'x', 'p', 0, 264226, 2, {3, 1}, -1, -1, 0, 1612, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1615, 7.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 290848, 2, {3, 4}, -1, -1, 0, 1616, 1.9e-08},
    {"in1", 'x', 's', 0, 290849, 2, {3, 4}, -1, -1, 0, 1628, 1.9e-08},
    {"in2", 'x', 'p', 0, 290850, 2, {3, 1}, -1, -1, 0, 1640, 5.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1643, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 382640, 2, {3, 4}, -1, -1, 0, 1655, 2.2e-08},
    {"in1", 'x', 's', 0, 382641, 2, {3, 4}, -1, -1, 0, 1667, 2.2e-08},
    {"in2", 'x', 'u', 0, 382642, 1, {3}, -1, -1, 0, 1679, 8.5e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1682, 8.6e-09, -1, 0},
    {"in0", 'x', 's', 0, 356112, 2, {3, 4}, -1, -1, 0, 1683, 0},
    {"in1", 'x', 's', 0, 356113, 2, {3, 4}, -1, -1, 0, 1695, 0},
    {"in2", 'x', 'u', 0, 356114, 1, {3}, -1, -1, 0, 1707, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1710, 1.1e-07, -1, 0},
    {"in0", 'x', 's', 0, 387104, 2, {3, 4}, -1, -1, 0, 1711, 3.2e-08},
    {"in1", 'x', 's', 0, 387105, 2, {3, 4}, -1, -1, 0, 1723, 3.2e-08},
    {"in2", 'x', 'u', 0, 387106, 1, {3}, -1, -1, 0, 1735, 7e-09},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1738, 1.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 227200, 2, {3, 4}, -1, -1, 0, 1750, 1.6e-07},
    {"in1", 'x', 's', 0, 227201, 2, {3, 4}, 1762, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1774, 1.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 206752, 2, {3, 4}, -1, -1, 0, 1775, 7.9e-08},
    {"in1", 'x', 's', 0, 206753, 2, {3, 4}, 1787, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1799, 7.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 230464, 2, {3, 4}, -1, -1, 0, 1800, 5e-08},
    {"in1", 'x', 's', 0, 230465, 2, {3, 4}, 1812, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1824, 4.9e-08, -1, 0},
    {"in0", 'x', 't', 0, 345376, 2, {3, 4}, -1, -1, 0, 1836, 0},
    {"in1", 'x', 's', 0, 345377, 2, {3, 4}, 1848, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1860, 3.4e-08, -1, 0},
    {"in0", 'x', 't', 0, 320064, 2, {3, 4}, -1, -1, 0, 1861, 0},
    {"in1", 'x', 's', 0, 320065, 2, {3, 4}, 1873, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1885, 0, -1, 0},
    {"in0", 'x', 't', 0, 349600, 2, {3, 4}, -1, -1, 0, 1886, 0},
    {"in1", 'x', 's', 0, 349601, 2, {3, 4}, 1898, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1910, 0, -1, 0},
    {"in0", 'x', 's', 0, 626240, 2, {3, 4}, -1, -1, 0, 1922, 0},
    {"in1", 'x', 't', 0, 626241, 2, {3, 4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1934, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 592416, 2, {3, 4}, -1, -1, 0, 1935, 0},
    {"in1", 'x', 't', 0, 592417, 2, {3, 4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 1947, 0, -1, 0},
    {"in0", 'x', 's', 0, 632144, 2, {3, 4}, -1, -1, 0, 1948, 0},
    {"in1", 'x', 't', 0, 632145, 2, {3, 4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 1960, 0, -1, 0},
    {"in0", 'x', 't', 0, 317168, 1, {12}, -1, -1, 0, 1972, 0},
    {"in1", 'x', 't', 0, 317169, 1, {12}, -1, -1, 0, 1984, 0},
    {"in2", 'x', 's', 0, 317170, 1, {12}, 1996, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2008, 3e-08, -1, 0},
    {"in0", 'x', 't', 0, 293072, 1, {12}, -1, -1, 0, 2009, 0},
    {"in1", 'x', 't', 0, 293073, 1, {12}, -1, -1, 0, 2021, 0},
    {"in2", 'x', 's', 0, 293074, 1, {12}, 2033, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2045, 0, -1, 0},
    {"in0", 'x', 't', 0, 321152, 1, {12}, -1, -1, 0, 2046, 0},
    {"in1", 'x', 't', 0, 321153, 1, {12}, -1, -1, 0, 2058, 0},
    {"in2", 'x', 's', 0, 321154, 1, {12}, 2070, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 2082, 0, -1, 0},
    {"in0", 'x', 't', 0, 586304, 1, {12}, -1, -1, 0, 2094, 0},
    {"in1", 'x', 't', 0, 586305, 1, {12}, -1, -1, 0, 2106, 0},
    {"in2", 'x', 's', 0, 586306, 1, {12}, -1, -1, 0, 2118, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2130, 0, -1, 0},
    {"in0", 'x', 't', 0, 553696, 1, {12}, -1, -1, 0, 2131, 0},
    {"in1", 'x', 't', 0, 553697, 1, {12}, -1, -1, 0, 2143, 0},
    {"in2", 'x', 's', 0, 553698, 1, {12}, -1, -1, 0, 2155, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2167, 0, -1, 0},
    {"in0", 'x', 't', 0, 591968, 1, {12}, -1, -1, 0, 2168, 0},
    {"in1", 'x', 't', 0, 591969, 1, {12}, -1, -1, 0, 2180, 0},
    {"in2", 'x', 's', 0, 591970, 1, {12}, -1, -1, 0, 2192, 0},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 2204, 0, -1, 0},
    {"in0", 'x', 's', 0, 198880, 2, {3, 4}, -1, -1, 0, 2216, 4.3e-08},
    {"in1", 'x', 'u', 0, 198881, 2, {3, 4}, -1, -1, 0, 2228, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2240, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 179648, 2, {3, 4}, -1, -1, 0, 2241, 5.6e-08},
    {"in1", 'x', 'u', 0, 179649, 2, {3, 4}, -1, -1, 0, 2253, 8.1e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2265, 4.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 201904, 2, {3, 4}, -1, -1, 0, 2266, 8.4e-08},
    {"in1", 'x', 'u', 0, 201905, 2, {3, 4}, -1, -1, 0, 2278, 3.5e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 2290, 5.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 423216, 2, {3, 4}, -1, -1, 0, 2293, 1.8e-08},
    {"in1", 'x', 'u', 0, 423217, 2, {3, 4}, -1, -1, 0, 2305, 2.4e-08},
    {"in2", 'x', 'p', 0, 423218, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2317, 4.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 395472, 2, {3, 4}, -1, -1, 0, 2318, 3.2e-08},
    {"in1", 'x', 'u', 0, 395473, 2, {3, 4}, -1, -1, 0, 2330, 5e-08},
    {"in2", 'x', 'p', 0, 395474, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2342, 7.9e-09, -1, 0},
    {"in0", 'x', 's', 0, 427920, 2, {3, 4}, -1, -1, 0, 2343, 1.5e-07},
    {"in1", 'x', 'u', 0, 427921, 2, {3, 4}, -1, -1, 0, 2355, 3.4e-08},
    {"in2", 'x', 'p', 0, 427922, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 2367, 3.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 109888, 2, {4, 3}, -1, -1, 0, 2370, 3.4e-07},
    {"in1", 'x', 's', 0, 109889, 2, {4, 3}, -1, -1, 0, 2382, 1.1e-07},
    {"in2", 'x', 's', 0, 109890, 1, {4}, 2394, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2398, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 95520, 2, {4, 3}, -1, -1, 0, 2399, 3.7e-07},
    {"in1", 'x', 's', 0, 95521, 2, {4, 3}, -1, -1, 0, 2411, 3.8e-07},
    {"in2", 'x', 's', 0, 95522, 1, {4}, 2423, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2427, 1.2e-06, -1, 0},
    {"in0", 'x', 's', 0, 111952, 2, {4, 3}, -1, -1, 0, 2428, 1.4e-07},
    {"in1", 'x', 's', 0, 111953, 2, {4, 3}, -1, -1, 0, 2440, 8.2e-08},
    {"in2", 'x', 's', 0, 111954, 1, {4}, 2452, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 2456, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 285200, 2, {4, 3}, -1, -1, 0, 2460, 5.1e-07},
    {"in1", 'x', 's', 0, 285201, 2, {4, 3}, -1, -1, 0, 2472, 5.1e-07},
    {"in2", 'x', 's', 0, 285202, 1, {4}, 2484, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2488, 1.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 262320, 2, {4, 3}, -1, -1, 0, 2489, 1.6e-07},
    {"in1", 'x', 's', 0, 262321, 2, {4, 3}, -1, -1, 0, 2501, 1e-07},
    {"in2", 'x', 's', 0, 262322, 1, {4}, 2513, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2517, 8.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 288944, 2, {4, 3}, -1, -1, 0, 2518, 1.2e-07},
    {"in1", 'x', 's', 0, 288945, 2, {4, 3}, -1, -1, 0, 2530, 1.1e-07},
    {"in2", 'x', 's', 0, 288946, 1, {4}, 2542, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 2546, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 96128, 1, {5}, -1, -1, 0, 2550, 6.2e-08},
    {"in1", 'x', 's', 0, 96129, 1, {5}, -1, -1, 0, 2555, 1.9e-08},
    {"in2", 'x', 's', 0, 96130, 0, {0}, 2560, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2561, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 131248, 2, {4, 3}, -1, -1, 0, 2562, 1.2e-07},
    {"in1", 'x', 's', 0, 131249, 2, {4, 3}, -1, -1, 0, 2574, 4.1e-08},
    {"in2", 'x', 's', 0, 131250, 2, {4, 3}, -1, -1, 0, 2586, 7.3e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2598, 1.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 115664, 2, {4, 3}, -1, -1, 0, 2599, 1.7e-07},
    {"in1", 'x', 's', 0, 115665, 2, {4, 3}, -1, -1, 0, 2611, 8.6e-08},
    {"in2", 'x', 's', 0, 115666, 2, {4, 3}, -1, -1, 0, 2623, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2635, 2.6e-07, -1, 0},
    {"in0", 'x', 's', 0, 133552, 2, {4, 3}, -1, -1, 0, 2636, 7e-08},
    {"in1", 'x', 's', 0, 133553, 2, {4, 3}, -1, -1, 0, 2648, 4.9e-08},
    {"in2", 'x', 's', 0, 133554, 2, {4, 3}, -1, -1, 0, 2660, 4.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 2672, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 258544, 2, {4, 3}, -1, -1, 0, 2676, 6.7e-08},
    {"in1", 'x', 's', 0, 258545, 2, {4, 3}, -1, -1, 0, 2688, 3.5e-08},
    {"in2", 'x', 's', 0, 258546, 2, {4, 3}, -1, -1, 0, 2700, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2712, 5.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 236880, 2, {4, 3}, -1, -1, 0, 2713, 6.5e-08},
    {"in1", 'x', 's', 0, 236881, 2, {4, 3}, -1, -1, 0, 2725, 8.5e-08},
    {"in2", 'x', 's', 0, 236882, 2, {4, 3}, -1, -1, 0, 2737, 8.9e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2749, 3.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 262048, 2, {4, 3}, -1, -1, 0, 2750, 8.1e-08},
    {"in1", 'x', 's', 0, 262049, 2, {4, 3}, -1, -1, 0, 2762, 1e-07},
    {"in2", 'x', 's', 0, 262050, 2, {4, 3}, -1, -1, 0, 2774, 5.5e-08},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 2786, 7.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 191952, 2, {4, 3}, -1, -1, 0, 2790, 0},
    {"in1", 'x', 's', 0, 191953, 2, {4, 3}, -1, -1, 0, 2802, 0},
    {"in2", 'x', 's', 0, 191954, 2, {4, 3}, -1, -1, 0, 2814, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2826, 8.5e-09, -1, 0},
    {"in0", 'x', 's', 0, 172720, 2, {4, 3}, -1, -1, 0, 2827, 0},
    {"in1", 'x', 's', 0, 172721, 2, {4, 3}, -1, -1, 0, 2839, 0},
    {"in2", 'x', 's', 0, 172722, 2, {4, 3}, -1, -1, 0, 2851, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2863, 1e-08, -1, 0},
    {"in0", 'x', 's', 0, 194976, 2, {4, 3}, -1, -1, 0, 2864, 0},
    {"in1", 'x', 's', 0, 194977, 2, {4, 3}, -1, -1, 0, 2876, 0},
    {"in2", 'x', 's', 0, 194978, 2, {4, 3}, -1, -1, 0, 2888, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 2900, 3.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 192272, 2, {4, 3}, -1, -1, 0, 2904, 1.4e-07},
    {"in1", 'x', 's', 0, 192273, 2, {4, 3}, -1, -1, 0, 2916, 1.7e-07},
    {"in2", 'x', 's', 0, 192274, 2, {4, 3}, -1, -1, 0, 2928, 1.4e-07},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2940, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 173040, 2, {4, 3}, -1, -1, 0, 2941, 3.4e-07},
    {"in1", 'x', 's', 0, 173041, 2, {4, 3}, -1, -1, 0, 2953, 4.2e-08},
    {"in2", 'x', 's', 0, 173042, 2, {4, 3}, -1, -1, 0, 2965, 2.1e-07},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 2977, 4.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 195296, 2, {4, 3}, -1, -1, 0, 2978, 1.4e-07},
    {"in1", 'x', 's', 0, 195297, 2, {4, 3}, -1, -1, 0, 2990, 5.3e-08},
    {"in2", 'x', 's', 0, 195298, 2, {4, 3}, -1, -1, 0, 3002, 8.8e-08},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 3014, 3.4e-07, -1, 0},
    {"in0", 'x', 'd', 0, 260336, 2, {4, 3}, -1, -1, 0, 3018, 0},
    {"in1", 'x', 'd', 0, 260337, 2, {4, 3}, -1, -1, 0, 3030, 0},
    {"in2", 'x', 'd', 0, 260338, 2, {4, 3}, -1, -1, 0, 3042, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3054, 6.7e-09, -1, 0},
    {"in0", 'x', 'd', 0, 238672, 2, {4, 3}, -1, -1, 0, 3055, 0},
    {"in1", 'x', 'd', 0, 238673, 2, {4, 3}, -1, -1, 0, 3067, 0},
    {"in2", 'x', 'd', 0, 238674, 2, {4, 3}, -1, -1, 0, 3079, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3091, 1.7e-08, -1, 0},
    {"in0", 'x', 'd', 0, 263840, 2, {4, 3}, -1, -1, 0, 3092, 3.2e-08},
    {"in1", 'x', 'd', 0, 263841, 2, {4, 3}, -1, -1, 0, 3104, 2.4e-08},
    {"in2", 'x', 'd', 0, 263842, 2, {4, 3}, -1, -1, 0, 3116, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 3128, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 116320, 1, {5}, -1, -1, 0, 3132, 0},
    {"in1", 'x', 's', 0, 116321, 1, {5}, -1, -1, 0, 3137, 0},
    {"in2", 'x', 's', 0, 116322, 1, {5}, -1, -1, 0, 3142, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3147, 0, -1, 0},
    {"in0", 'x', 's', 0, 59840, 2, {6, 4}, -1, -1, 0, 3148, 0},
    {"in1", 'x', 'i', 4, 59841, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3172, 2.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 49120, 2, {6, 4}, -1, -1, 0, 3173, 0},
    {"in1", 'x', 'i', 4, 49121, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3197, 0, -1, 0},
    {"in0", 'x', 's', 0, 61184, 2, {6, 4}, -1, -1, 0, 3198, 0},
    {"in1", 'x', 'i', 4, 61185, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 3222, 0, -1, 0},
    {"in0", 'x', 's', 0, 128912, 2, {6, 4}, -1, -1, 0, 3228, 1.3e-08},
    {"in1", 'x', 'i', 1, 128913, 1, {6}, 3252, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 128914, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3258, 1.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 113328, 2, {6, 4}, -1, -1, 0, 3259, 0},
    {"in1", 'x', 'i', 1, 113329, 1, {6}, 3283, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 113330, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3289, 0, -1, 0},
    {"in0", 'x', 's', 0, 131216, 2, {6, 4}, -1, -1, 0, 3290, 0},
    {"in1", 'x', 'i', 1, 131217, 1, {6}, 3314, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 131218, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 3320, 0, -1, 0},
    {"in0", 'x', 's', 0, 199120, 4, {2, 3, 2, 2}, -1, -1, 0, 3326, 4e-08},
    {"in1", 'x', 'i', 3, 199121, 3, {2, 2, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3350, 0, -1, 0},
    {"in0", 'x', 's', 0, 179888, 4, {2, 3, 2, 2}, -1, -1, 0, 3351, 0},
    {"in1", 'x', 'i', 3, 179889, 3, {2, 2, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3375, 0, -1, 0},
    {"in0", 'x', 's', 0, 202144, 4, {2, 3, 2, 2}, -1, -1, 0, 3376, 0},
    {"in1", 'x', 'i', 3, 202145, 3, {2, 2, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 2}, -1, 3400, 0, -1, 0},
    {"in0", 'x', 's', 0, 294144, 2, {6, 4}, -1, -1, 0, 3408, 5.4e-08},
    {"in1", 'x', 'i', 4, 294145, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3432, 5.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 271264, 2, {6, 4}, -1, -1, 0, 3433, 8.4e-08},
    {"in1", 'x', 'i', 4, 271265, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3457, 3.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 297888, 2, {6, 4}, -1, -1, 0, 3458, 9e-08},
    {"in1", 'x', 'i', 4, 297889, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 3482, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 428496, 2, {6, 4}, -1, -1, 0, 3488, 4.4e-07},
    {"in1", 'x', 'i', 1, 428497, 1, {6}, 3512, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 428498, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3518, 1.2e-07, -1, 0},
    {"in0", 'x', 's', 0, 400752, 2, {6, 4}, -1, -1, 0, 3519, 1e-07},
    {"in1", 'x', 'i', 1, 400753, 1, {6}, 3543, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 400754, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3549, 3.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 433200, 2, {6, 4}, -1, -1, 0, 3550, 3.4e-08},
    {"in1", 'x', 'i', 1, 433201, 1, {6}, 3574, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 433202, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 3580, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 900800, 2, {6, 4}, -1, -1, 0, 3586, 1.4e-07},
    {"in1", 'x', 'i', 1, 900801, 1, {6}, 3610, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3616, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 860896, 2, {6, 4}, -1, -1, 0, 3617, 9.3e-08},
    {"in1", 'x', 'i', 1, 860897, 1, {6}, 3641, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3647, 7e-09, -1, 0},
    {"in0", 'x', 's', 0, 907904, 2, {6, 4}, -1, -1, 0, 3648, 2e-07},
    {"in1", 'x', 'i', 1, 907905, 1, {6}, 3672, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 3678, 3.5e-08, -1, 0},
    {"in0", 'x', 'f', 0, 549424, 4, {2, 3, 2, 2}, -1, -1, 0, 3684, 4.1e-08},
    {"in1", 'x', 'i', 3, 549425, 3, {2, 2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 549426, 1, {3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3708, 9.6e-08, -1, 0},
    {"in0", 'x', 'f', 0, 518032, 4, {2, 3, 2, 2}, -1, -1, 0, 3709, 1.1e-07},
    {"in1", 'x', 'i', 3, 518033, 3, {2, 2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 518034, 1, {3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3733, 1.2e-07, -1, 0},
    {"in0", 'x', 'f', 0, 554848, 4, {2, 3, 2, 2}, -1, -1, 0, 3734, 4.2e-08},
    {"in1", 'x', 'i', 3, 554849, 3, {2, 2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 554850, 1, {3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 2}, -1, 3758, 7.8e-09, -1, 0},
    {"in0", 'x', 's', 0, 473552, 2, {3, 4}, -1, -1, 0, 3766, 1.5e-07},
    {"in1", 'x', 'u', 0, 473553, 2, {3, 4}, -1, -1, 0, 3778, 4.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3790, 3.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 444592, 2, {3, 4}, -1, -1, 0, 3791, 3.4e-08},
    {"in1", 'x', 'u', 0, 444593, 2, {3, 4}, -1, -1, 0, 3803, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3815, 8.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 478496, 2, {3, 4}, -1, -1, 0, 3816, 4.5e-08},
    {"in1", 'x', 'u', 0, 478497, 2, {3, 4}, -1, -1, 0, 3828, 3.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3840, 5.1e-08, -1, 0},
    {"in0", 'x', 'f', 0, 640544, 2, {3, 4}, -1, -1, 0, 3843, 5.7e-08},
    {"in1", 'x', 'u', 0, 640545, 2, {3, 4}, -1, -1, 0, 3855, 4e-08},
    {"in2", 'x', 'p', 0, 640546, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3867, 2.1e-08, -1, 0},
    {"in0", 'x', 'f', 0, 606720, 2, {3, 4}, -1, -1, 0, 3868, 1.5e-07},
    {"in1", 'x', 'u', 0, 606721, 2, {3, 4}, -1, -1, 0, 3880, 5.2e-08},
    {"in2", 'x', 'p', 0, 606722, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3892, 4.4e-08, -1, 0},
    {"in0", 'x', 'f', 0, 646448, 2, {3, 4}, -1, -1, 0, 3893, 9.3e-08},
    {"in1", 'x', 'u', 0, 646449, 2, {3, 4}, -1, -1, 0, 3905, 8.4e-09},
    {"in2", 'x', 'p', 0, 646450, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3917, 3.3e-08, -1, 0},
    {"in0", 'x', 'f', 0, 786832, 4, {2, 3, 2, 2}, -1, -1, 0, 3920, 8e-08},
    {"in1", 'x', 'u', 0, 786833, 4, {2, 3, 2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 786834, 1, {3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3944, 1.2e-08, -1, 0},
    {"in0", 'x', 'f', 0, 749360, 4, {2, 3, 2, 2}, -1, -1, 0, 3945, 4.4e-08},
    {"in1", 'x', 'u', 0, 749361, 4, {2, 3, 2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 749362, 1, {3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 3969, 1.6e-08, -1, 0},
    {"in0", 'x', 'f', 0, 793456, 4, {2, 3, 2, 2}, -1, -1, 0, 3970, 7.8e-08},
    {"in1", 'x', 'u', 0, 793457, 4, {2, 3, 2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 793458, 1, {3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 2}, -1, 3994, 6.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 255904, 2, {6, 4}, -1, -1, 0, 4002, 0},
    {"in1", 'x', 'i', 4, 255905, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4026, 3.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 234240, 2, {6, 4}, -1, -1, 0, 4027, 0},
    {"in1", 'x', 'i', 4, 234241, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4051, 0, -1, 0},
    {"in0", 'x', 's', 0, 259408, 2, {6, 4}, -1, -1, 0, 4052, 0},
    {"in1", 'x', 'i', 4, 259409, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 4076, 0, -1, 0},
    {"in0", 'x', 't', 0, 383728, 2, {6, 4}, -1, -1, 0, 4082, 7.2e-08},
    {"in1", 'x', 'i', 4, 383729, 1, {6}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 383730, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4106, 2.9e-08, -1, 0},
    {"in0", 'x', 't', 0, 357200, 2, {6, 4}, -1, -1, 0, 4107, 0},
    {"in1", 'x', 'i', 4, 357201, 1, {6}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 357202, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4131, 0, -1, 0},
    {"in0", 'x', 't', 0, 388192, 2, {6, 4}, -1, -1, 0, 4132, 0},
    {"in1", 'x', 'i', 4, 388193, 1, {6}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 388194, 1, {4}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 4156, 0, -1, 0},
    {"in0", 'x', 's', 0, 324096, 2, {CATALOGUE_BATCH + 3, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 324097, 1, {CATALOGUE_BATCH + 3}, 4162, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4165, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 226240, 2, {2, 3}, -1, -1, 0, 4168, 0},
    {"in1", 'x', 'i', 1, 226241, 1, {2}, 4174, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4176, 0, -1, 0},
    {"in0", 'x', 's', 0, 205792, 2, {2, 3}, -1, -1, 0, 4177, 0},
    {"in1", 'x', 'i', 1, 205793, 1, {2}, 4183, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4185, 0, -1, 0},
    {"in0", 'x', 's', 0, 229504, 2, {2, 3}, -1, -1, 0, 4186, 0},
    {"in1", 'x', 'i', 1, 229505, 1, {2}, 4192, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 4194, 0, -1, 0},
    {"in0", 'x', 's', 0, 59488, 3, {5, 5, 4}, -1, -1, 0, 4196, 2.7e-07},
    {"in1", 'x', 'i', 1, 59489, 2, {5, 3}, 4296, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 59490, 1, {5}, 4311, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 59491, 1, {5}, 4316, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4321, 0, -1, 0},
    {"in0", 'x', 's', 0, 48768, 3, {5, 5, 4}, -1, -1, 0, 4322, 9.1e-07},
    {"in1", 'x', 'i', 1, 48769, 2, {5, 3}, 4422, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 48770, 1, {5}, 4437, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 48771, 1, {5}, 4442, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4447, 0, -1, 0},
    {"in0", 'x', 's', 0, 60832, 3, {5, 5, 4}, -1, -1, 0, 4448, 1.5e-06},
    {"in1", 'x', 'i', 1, 60833, 2, {5, 3}, 4548, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 60834, 1, {5}, 4563, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 60835, 1, {5}, 4568, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {5}, -1, 4573, 3.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 430400, 3, {5, 5, 4}, -1, -1, 0, 4578, 3.2e-07},
    {"in1", 'x', 'i', 1, 430401, 2, {5, 3}, 4678, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 430402, 1, {5}, 4693, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 430403, 1, {5}, 4698, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4703, 1.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 402656, 3, {5, 5, 4}, -1, -1, 0, 4704, 6.2e-07},
    {"in1", 'x', 'i', 1, 402657, 2, {5, 3}, 4804, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 402658, 1, {5}, 4819, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 402659, 1, {5}, 4824, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 4829, 1e-07, -1, 0},
    {"in0", 'x', 's', 0, 435104, 3, {5, 5, 4}, -1, -1, 0, 4830, 5.1e-07},
    {"in1", 'x', 'i', 1, 435105, 2, {5, 3}, 4930, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 435106, 1, {5}, 4945, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 435107, 1, {5}, 4950, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {5}, -1, 4955, 2.7e-08, -1, 0},
    {"in0", 'x', 'f', 0, 74688, 3, {7, 2, 3}, -1, -1, 0, 4960, 8.3e-06},
    {"in1", 'x', 'i', 1, 74689, 2, {2, 3}, 5002, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 74690, 1, {2}, 5008, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 74691, 1, {2}, 5010, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 5012, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 73920, 3, {CATALOGUE_TIME + 6, CATALOGUE_BATCH + 2, 3}, -1, -1, 0, -1,
        0},
    {"in1", 'x', 'i', 1, 73921, 2, {CATALOGUE_BATCH + 2, 2}, 5013, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 73922, 1, {CATALOGUE_BATCH + 2}, 5017, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 73923, 1, {CATALOGUE_BATCH + 2}, 5019, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 5021, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 61680, 3, {4, 1, 3}, -1, -1, 0, 5022, 3.7e-08},
    {"in1", 'x', 'i', 1, 61681, 2, {1, 2}, 5034, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 61682, 1, {1}, 5036, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 61683, 1, {1}, 5037, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 5038, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 116080, 3, {4, 2, 3}, -1, -1, 0, 5039, 0},
    {"in1", 'x', 'i', 1, 116081, 2, {2, 2}, 5063, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 116082, 1, {2}, 5067, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 116083, 1, {2}, 5069, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5071, 0, -1, 0},
    {"in0", 'x', 's', 0, 127712, 2, {6, 4}, -1, -1, 0, 5073, 3.2e-08},
    {"in1", 'x', 'i', 4, 127713, 1, {6}, -1, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 127714, 2, {6, 4}, -1, -1, 0, 5097, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 5121, 5.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 203344, 2, {6, 4}, -1, -1, 0, 5122, 3.7e-08},
    {"in1", 'x', 'i', 4, 203345, 1, {6}, -1, -1, 0, -1, 0},
    {"in2", 'x', 'p', 0, 203346, 1, {6}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 5146, 1e-07, -1, 0},
    {"in0", 'x', 's', 0, 110448, 1, {12}, 5147, -1, 0, 5159, 2.4e-08},
    {"in1", 'x', 's', 0, 110449, 1, {12}, 5171, -1, 0, 5183, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 5195, 0, -1, 0},
    {"in0", 'x', 's', 0, 81968, 1, {12}, 5207, -1, 0, 5219, 0},
    {"in1", 'x', 's', 0, 81969, 1, {12}, 5231, -1, 0, 5243, 0},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 5255, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 244624, 1, {12}, 5267, -1, 0, 5279, 0},
    {"in1", 'x', 's', 0, 244625, 1, {12}, 5291, -1, 0, 5303, 0},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 5315, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 152624, 1, {12}, 5327, -1, 0, 5339, 0},
    {"in1", 'x', 's', 0, 152625, 1, {12}, 5351, -1, 0, 5363, 0},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 5375, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 106304, 1, {7}, 5387, -1, 0, 5394, 7.2e-09},
    {"in1", 'x', 's', 0, 106305, 1, {7}, 5401, -1, 0, 5408, 2.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {7}, -1, 5415, 5.6e-11, -1, 0},
    {"in0", 'x', 's', 0, 285184, 1, {4}, 5422, -1, 0, 5426, 8.6e-09},
    {"in1", 'x', 's', 0, 285185, 1, {4}, 5430, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 285186, 1, {4}, 5434, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 5438, 0, -1, 0},
    {"in0", 'x', 's', 0, 469360, 1, {12}, 5442, -1, 0, 5454, 2.4e-08},
    {"in1", 'x', 's', 0, 469361, 1, {12}, 5466, -1, 0, 5478, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 5490, 3.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 175456, 1, {5}, 5502, -1, 0, 5507, 0},
    {"in1", 'x', 's', 0, 175457, 1, {5}, 5512, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {5}, -1, 5517, 0, -1, 0},
    {"in0", 'x', 's', 0, 285760, 1, {6}, 5522, -1, 0, 5528, 2e-08},
    {"in1", 'x', 's', 0, 285761, 1, {6}, 5534, -1, 0, 5540, 1.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 5546, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 208208, 1, {6}, 5552, -1, 0, 5558, 1.1e-08},
    {"in1", 'x', 's', 0, 208209, 1, {6}, 5564, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 5570, 3.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 230480, 1, {5}, 5576, -1, 0, 5581, 0},
    {"in1", 'x', 's', 0, 230481, 1, {5}, 5586, -1, 0, 5591, 0},
    {"in2", 'x', 's', 0, 230482, 1, {5}, 5596, -1, 0, 5601, 0},
    {"y0", 'y', 'r', 0, 900, 1, {5}, -1, 5606, 1.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 150496, 1, {12}, 5611, -1, 0, 5623, 0},
    {"in1", 'x', 's', 0, 150497, 1, {12}, 5635, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {12}, -1, 5647, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 201616, 1, {4}, 5659, -1, 0, 5663, 0},
    {"in1", 'x', 's', 0, 201617, 1, {4}, 5667, -1, 0, 5671, 0},
    {"in2", 'x', 's', 0, 201618, 1, {4}, 5675, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 5679, 0, -1, 0},
    {"in0", 'x', 's', 0, 176496, 2, {3, 2}, 5683, -1, 0, 5689, 1},
    {"in1", 'x', 's', 0, 176497, 2, {3, 2}, 5695, -1, 0, 5701, 1},
    {"in2", 'x', 's', 0, 176498, 1, {3}, 5707, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5710, 2e-13, -1, 0},
    {"in0", 'x', 's', 0, 275616, 2, {2, 2}, 5713, -1, 0, 5717, 0},
    {"in1", 'x', 's', 0, 275617, 2, {2, 2}, 5721, -1, 0, 5725, 0},
    {"in2", 'x', 's', 0, 275618, 2, {2, 2}, 5729, -1, 0, 5733, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5737, 0, -1, 0},
    {"in0", 'x', 's', 0, 275904, 2, {2, 2}, 5739, -1, 0, 5743, 0},
    {"in1", 'x', 's', 0, 275905, 2, {2, 2}, 5747, -1, 0, 5751, 0},
    {"in2", 'x', 's', 0, 275906, 2, {2, 2}, 5755, -1, 0, 5759, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5763, 0, -1, 0},
    {"in0", 'x', 's', 0, 275328, 2, {2, 2}, 5765, -1, 0, 5769, 0},
    {"in1", 'x', 's', 0, 275329, 2, {2, 2}, 5773, -1, 0, 5777, 0},
    {"in2", 'x', 's', 0, 275330, 2, {2, 2}, 5781, -1, 0, 5785, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5789, 0, -1, 0},
    {"in0", 'x', 's', 0, 404912, 2, {4, 3}, 5791, -1, 0, 5803, 0},
    {"in1", 'x', 'i', 1, 404913, 1, {4}, 5815, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 5819, 2.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 110704, 2, {2, 3}, 5823, -1, 0, 5829, 0},
    {"in1", 'x', 'i', 1, 110705, 1, {2}, 5835, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5837, 0, -1, 0},
    {"in0", 'x', 's', 0, 356176, 2, {2, 3}, 5839, -1, 0, 5845, 7.6e-08},
    {"in1", 'x', 'i', 1, 356177, 1, {2}, 5851, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5853, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 46560, 3, {3, 2, 4}, 5855, -1, 0, 5879, 2.3e-07},
    {"in1", 'x', 'i', 1, 46561, 2, {2, 2}, 5903, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 46562, 1, {2}, 5907, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 46563, 1, {2}, 5909, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5911, 3.7e-08, -1, 0},
};

static const catalogue_case catalogue_losses_cases[] = {
    {"mse_mean", losses_mse_mean, 0, 3, CATALOGUE_BOTH, false},
    {"mse_sum", losses_mse_sum, 3, 3, CATALOGUE_BOTH, false},
    {"mse_none", losses_mse_none, 6, 3, CATALOGUE_BOTH, false},
    {"l1_mean", losses_l1_mean, 9, 3, CATALOGUE_BOTH, false},
    {"l1_sum", losses_l1_sum, 12, 3, CATALOGUE_BOTH, false},
    {"l1_none", losses_l1_none, 15, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_mean", losses_smooth_l1_mean, 18, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_sum", losses_smooth_l1_sum, 21, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_none", losses_smooth_l1_none, 24, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_beta_mean", losses_smooth_l1_beta_mean, 27, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_beta_sum", losses_smooth_l1_beta_sum, 30, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_beta_none", losses_smooth_l1_beta_none, 33, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_zero_mean", losses_smooth_l1_zero_mean, 36, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_zero_sum", losses_smooth_l1_zero_sum, 39, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_zero_none", losses_smooth_l1_zero_none, 42, 3, CATALOGUE_BOTH, false},
    {"huber_mean", losses_huber_mean, 45, 3, CATALOGUE_BOTH, false},
    {"huber_sum", losses_huber_sum, 48, 3, CATALOGUE_BOTH, false},
    {"huber_none", losses_huber_none, 51, 3, CATALOGUE_BOTH, false},
    {"huber_delta_mean", losses_huber_delta_mean, 54, 3, CATALOGUE_BOTH, false},
    {"huber_delta_sum", losses_huber_delta_sum, 57, 3, CATALOGUE_BOTH, false},
    {"huber_delta_none", losses_huber_delta_none, 60, 3, CATALOGUE_BOTH, false},
    {"bce_mean", losses_bce_mean, 63, 3, CATALOGUE_BOTH, false},
    {"bce_sum", losses_bce_sum, 66, 3, CATALOGUE_BOTH, false},
    {"bce_none", losses_bce_none, 69, 3, CATALOGUE_BOTH, false},
    {"bce_weight_mean", losses_bce_weight_mean, 72, 4, CATALOGUE_BOTH, false},
    {"bce_weight_sum", losses_bce_weight_sum, 76, 4, CATALOGUE_BOTH, false},
    {"bce_weight_none", losses_bce_weight_none, 80, 4, CATALOGUE_BOTH, false},
    {"bce_with_logits_mean", losses_bce_with_logits_mean, 84, 3, CATALOGUE_BOTH, false},
    {"bce_with_logits_sum", losses_bce_with_logits_sum, 87, 3, CATALOGUE_BOTH, false},
    {"bce_with_logits_none", losses_bce_with_logits_none, 90, 3, CATALOGUE_BOTH, false},
    {"bce_with_logits_all_mean", losses_bce_with_logits_all_mean, 93, 5, CATALOGUE_BOTH, false},
    {"bce_with_logits_all_sum", losses_bce_with_logits_all_sum, 98, 5, CATALOGUE_BOTH, false},
    {"bce_with_logits_all_none", losses_bce_with_logits_all_none, 103, 5, CATALOGUE_BOTH,
        false},
    {"kl_div_mean", losses_kl_div_mean, 108, 3, CATALOGUE_BOTH, false},
    {"kl_div_sum", losses_kl_div_sum, 111, 3, CATALOGUE_BOTH, false},
    {"kl_div_none", losses_kl_div_none, 114, 3, CATALOGUE_BOTH, false},
    {"kl_div_batchmean", losses_kl_div_batchmean, 117, 3, CATALOGUE_BOTH, false},
    {"kl_div_log_mean", losses_kl_div_log_mean, 120, 3, CATALOGUE_BOTH, false},
    {"kl_div_log_sum", losses_kl_div_log_sum, 123, 3, CATALOGUE_BOTH, false},
    {"kl_div_log_none", losses_kl_div_log_none, 126, 3, CATALOGUE_BOTH, false},
    {"kl_div_log_batchmean", losses_kl_div_log_batchmean, 129, 3, CATALOGUE_BOTH, false},
    {"kl_div_vector", losses_kl_div_vector, 132, 3, CATALOGUE_BOTH, false},
    {"kl_div_batch", losses_kl_div_batch, 135, 3, CATALOGUE_PLAN, false},
    {"poisson_mean", losses_poisson_mean, 138, 3, CATALOGUE_BOTH, false},
    {"poisson_sum", losses_poisson_sum, 141, 3, CATALOGUE_BOTH, false},
    {"poisson_none", losses_poisson_none, 144, 3, CATALOGUE_BOTH, false},
    {"poisson_full_mean", losses_poisson_full_mean, 147, 3, CATALOGUE_BOTH, false},
    {"poisson_full_sum", losses_poisson_full_sum, 150, 3, CATALOGUE_BOTH, false},
    {"poisson_full_none", losses_poisson_full_none, 153, 3, CATALOGUE_BOTH, false},
    {"poisson_rate_mean", losses_poisson_rate_mean, 156, 3, CATALOGUE_BOTH, false},
    {"poisson_rate_sum", losses_poisson_rate_sum, 159, 3, CATALOGUE_BOTH, false},
    {"poisson_rate_none", losses_poisson_rate_none, 162, 3, CATALOGUE_BOTH, false},
    {"gaussian_mean", losses_gaussian_mean, 165, 4, CATALOGUE_BOTH, false},
    {"gaussian_sum", losses_gaussian_sum, 169, 4, CATALOGUE_BOTH, false},
    {"gaussian_none", losses_gaussian_none, 173, 4, CATALOGUE_BOTH, false},
    {"gaussian_full_mean", losses_gaussian_full_mean, 177, 4, CATALOGUE_BOTH, false},
    {"gaussian_full_sum", losses_gaussian_full_sum, 181, 4, CATALOGUE_BOTH, false},
    {"gaussian_full_none", losses_gaussian_full_none, 185, 4, CATALOGUE_BOTH, false},
    {"gaussian_clamped_mean", losses_gaussian_clamped_mean, 189, 4, CATALOGUE_BOTH, false},
    {"gaussian_clamped_sum", losses_gaussian_clamped_sum, 193, 4, CATALOGUE_BOTH, false},
    {"gaussian_clamped_none", losses_gaussian_clamped_none, 197, 4, CATALOGUE_BOTH, false},
    {"soft_margin_mean", losses_soft_margin_mean, 201, 3, CATALOGUE_BOTH, false},
    {"soft_margin_sum", losses_soft_margin_sum, 204, 3, CATALOGUE_BOTH, false},
    {"soft_margin_none", losses_soft_margin_none, 207, 3, CATALOGUE_BOTH, false},
    {"hinge_embedding_mean", losses_hinge_embedding_mean, 210, 3, CATALOGUE_BOTH, false},
    {"hinge_embedding_sum", losses_hinge_embedding_sum, 213, 3, CATALOGUE_BOTH, false},
    {"hinge_embedding_none", losses_hinge_embedding_none, 216, 3, CATALOGUE_BOTH, false},
    {"hinge_embedding_margin_mean", losses_hinge_embedding_margin_mean, 219, 3, CATALOGUE_BOTH,
        false},
    {"hinge_embedding_margin_sum", losses_hinge_embedding_margin_sum, 222, 3, CATALOGUE_BOTH,
        false},
    {"hinge_embedding_margin_none", losses_hinge_embedding_margin_none, 225, 3, CATALOGUE_BOTH,
        false},
    {"margin_ranking_mean", losses_margin_ranking_mean, 228, 4, CATALOGUE_BOTH, false},
    {"margin_ranking_sum", losses_margin_ranking_sum, 232, 4, CATALOGUE_BOTH, false},
    {"margin_ranking_none", losses_margin_ranking_none, 236, 4, CATALOGUE_BOTH, false},
    {"margin_ranking_margin_mean", losses_margin_ranking_margin_mean, 240, 4, CATALOGUE_BOTH,
        false},
    {"margin_ranking_margin_sum", losses_margin_ranking_margin_sum, 244, 4, CATALOGUE_BOTH,
        false},
    {"margin_ranking_margin_none", losses_margin_ranking_margin_none, 248, 4, CATALOGUE_BOTH,
        false},
    {"multilabel_mean", losses_multilabel_mean, 252, 3, CATALOGUE_BOTH, false},
    {"multilabel_sum", losses_multilabel_sum, 255, 3, CATALOGUE_BOTH, false},
    {"multilabel_none", losses_multilabel_none, 258, 3, CATALOGUE_BOTH, false},
    {"multilabel_weight_mean", losses_multilabel_weight_mean, 261, 4, CATALOGUE_BOTH, false},
    {"multilabel_weight_sum", losses_multilabel_weight_sum, 265, 4, CATALOGUE_BOTH, false},
    {"multilabel_weight_none", losses_multilabel_weight_none, 269, 4, CATALOGUE_BOTH, false},
    {"cosine_mean", losses_cosine_mean, 273, 4, CATALOGUE_BOTH, false},
    {"cosine_sum", losses_cosine_sum, 277, 4, CATALOGUE_BOTH, false},
    {"cosine_none", losses_cosine_none, 281, 4, CATALOGUE_BOTH, false},
    {"cosine_margin_mean", losses_cosine_margin_mean, 285, 4, CATALOGUE_BOTH, false},
    {"cosine_margin_sum", losses_cosine_margin_sum, 289, 4, CATALOGUE_BOTH, false},
    {"cosine_margin_none", losses_cosine_margin_none, 293, 4, CATALOGUE_BOTH, false},
    {"cosine_row", losses_cosine_row, 297, 4, CATALOGUE_BOTH, false},
    {"triplet_mean", losses_triplet_mean, 301, 4, CATALOGUE_BOTH, false},
    {"triplet_sum", losses_triplet_sum, 305, 4, CATALOGUE_BOTH, false},
    {"triplet_none", losses_triplet_none, 309, 4, CATALOGUE_BOTH, false},
    {"triplet_swap_mean", losses_triplet_swap_mean, 313, 4, CATALOGUE_BOTH, false},
    {"triplet_swap_sum", losses_triplet_swap_sum, 317, 4, CATALOGUE_BOTH, false},
    {"triplet_swap_none", losses_triplet_swap_none, 321, 4, CATALOGUE_BOTH, false},
    {"triplet_p1_mean", losses_triplet_p1_mean, 325, 4, CATALOGUE_BOTH, false},
    {"triplet_p1_sum", losses_triplet_p1_sum, 329, 4, CATALOGUE_BOTH, false},
    {"triplet_p1_none", losses_triplet_p1_none, 333, 4, CATALOGUE_BOTH, false},
    {"triplet_p3_mean", losses_triplet_p3_mean, 337, 4, CATALOGUE_BOTH, false},
    {"triplet_p3_sum", losses_triplet_p3_sum, 341, 4, CATALOGUE_BOTH, false},
    {"triplet_p3_none", losses_triplet_p3_none, 345, 4, CATALOGUE_BOTH, false},
    {"triplet_most_mean", losses_triplet_most_mean, 349, 4, CATALOGUE_BOTH, false},
    {"triplet_most_sum", losses_triplet_most_sum, 353, 4, CATALOGUE_BOTH, false},
    {"triplet_most_none", losses_triplet_most_none, 357, 4, CATALOGUE_BOTH, false},
    {"triplet_row", losses_triplet_row, 361, 4, CATALOGUE_BOTH, false},
    {"nll_mean", losses_nll_mean, 365, 3, CATALOGUE_BOTH, false},
    {"nll_sum", losses_nll_sum, 368, 3, CATALOGUE_BOTH, false},
    {"nll_none", losses_nll_none, 371, 3, CATALOGUE_BOTH, false},
    {"nll_all_mean", losses_nll_all_mean, 374, 4, CATALOGUE_BOTH, false},
    {"nll_all_sum", losses_nll_all_sum, 378, 4, CATALOGUE_BOTH, false},
    {"nll_all_none", losses_nll_all_none, 382, 4, CATALOGUE_BOTH, false},
    {"nll_images_mean", losses_nll_images_mean, 386, 3, CATALOGUE_BOTH, false},
    {"nll_images_sum", losses_nll_images_sum, 389, 3, CATALOGUE_BOTH, false},
    {"nll_images_none", losses_nll_images_none, 392, 3, CATALOGUE_BOTH, false},
    {"cross_entropy_mean", losses_cross_entropy_mean, 395, 3, CATALOGUE_BOTH, false},
    {"cross_entropy_sum", losses_cross_entropy_sum, 398, 3, CATALOGUE_BOTH, false},
    {"cross_entropy_none", losses_cross_entropy_none, 401, 3, CATALOGUE_BOTH, false},
    {"cross_entropy_all_mean", losses_cross_entropy_all_mean, 404, 4, CATALOGUE_BOTH, false},
    {"cross_entropy_all_sum", losses_cross_entropy_all_sum, 408, 4, CATALOGUE_BOTH, false},
    {"cross_entropy_all_none", losses_cross_entropy_all_none, 412, 4, CATALOGUE_BOTH, false},
    {"cross_entropy_smooth_ignore_mean", losses_cross_entropy_smooth_ignore_mean, 416, 3,
        CATALOGUE_BOTH, false},
    {"cross_entropy_smooth_ignore_sum", losses_cross_entropy_smooth_ignore_sum, 419, 3,
        CATALOGUE_BOTH, false},
    {"cross_entropy_smooth_ignore_none", losses_cross_entropy_smooth_ignore_none, 422, 3,
        CATALOGUE_BOTH, false},
    {"cross_entropy_images_mean", losses_cross_entropy_images_mean, 425, 4, CATALOGUE_BOTH,
        false},
    {"cross_entropy_images_sum", losses_cross_entropy_images_sum, 429, 4, CATALOGUE_BOTH,
        false},
    {"cross_entropy_images_none", losses_cross_entropy_images_none, 433, 4, CATALOGUE_BOTH,
        false},
    {"cross_entropy_soft_mean", losses_cross_entropy_soft_mean, 437, 3, CATALOGUE_BOTH, false},
    {"cross_entropy_soft_sum", losses_cross_entropy_soft_sum, 440, 3, CATALOGUE_BOTH, false},
    {"cross_entropy_soft_none", losses_cross_entropy_soft_none, 443, 3, CATALOGUE_BOTH, false},
    {"cross_entropy_soft_all_mean", losses_cross_entropy_soft_all_mean, 446, 4, CATALOGUE_BOTH,
        false},
    {"cross_entropy_soft_all_sum", losses_cross_entropy_soft_all_sum, 450, 4, CATALOGUE_BOTH,
        false},
    {"cross_entropy_soft_all_none", losses_cross_entropy_soft_all_none, 454, 4, CATALOGUE_BOTH,
        false},
    {"cross_entropy_soft_images_mean", losses_cross_entropy_soft_images_mean, 458, 4,
        CATALOGUE_BOTH, false},
    {"cross_entropy_soft_images_sum", losses_cross_entropy_soft_images_sum, 462, 4,
        CATALOGUE_BOTH, false},
    {"cross_entropy_soft_images_none", losses_cross_entropy_soft_images_none, 466, 4,
        CATALOGUE_BOTH, false},
    {"multi_margin_mean", losses_multi_margin_mean, 470, 3, CATALOGUE_BOTH, false},
    {"multi_margin_sum", losses_multi_margin_sum, 473, 3, CATALOGUE_BOTH, false},
    {"multi_margin_none", losses_multi_margin_none, 476, 3, CATALOGUE_BOTH, false},
    {"multi_margin_all_mean", losses_multi_margin_all_mean, 479, 4, CATALOGUE_BOTH, false},
    {"multi_margin_all_sum", losses_multi_margin_all_sum, 483, 4, CATALOGUE_BOTH, false},
    {"multi_margin_all_none", losses_multi_margin_all_none, 487, 4, CATALOGUE_BOTH, false},
    {"cross_entropy_batch", losses_cross_entropy_batch, 491, 3, CATALOGUE_PLAN, false},
    {"all_ignored_mean", losses_all_ignored_mean, 494, 3, CATALOGUE_BOTH, false},
    {"all_ignored_sum", losses_all_ignored_sum, 497, 3, CATALOGUE_BOTH, false},
    {"all_ignored_none", losses_all_ignored_none, 500, 3, CATALOGUE_BOTH, false},
    {"ctc_mean", losses_ctc_mean, 503, 5, CATALOGUE_BOTH, false},
    {"ctc_sum", losses_ctc_sum, 508, 5, CATALOGUE_BOTH, false},
    {"ctc_none", losses_ctc_none, 513, 5, CATALOGUE_BOTH, false},
    {"ctc_zero_infinity_mean", losses_ctc_zero_infinity_mean, 518, 5, CATALOGUE_BOTH, false},
    {"ctc_zero_infinity_sum", losses_ctc_zero_infinity_sum, 523, 5, CATALOGUE_BOTH, false},
    {"ctc_zero_infinity_none", losses_ctc_zero_infinity_none, 528, 5, CATALOGUE_BOTH, false},
    {"ctc_blank", losses_ctc_blank, 533, 5, CATALOGUE_BOTH, false},
    {"ctc_batch", losses_ctc_batch, 538, 5, CATALOGUE_PLAN, false},
    {"ctc_logs", losses_ctc_logs, 543, 5, CATALOGUE_BOTH, false},
    {"ctc_no_rows", losses_ctc_no_rows, 548, 5, CATALOGUE_BOTH, false},
    {"losses_added", losses_losses_added, 553, 4, CATALOGUE_BOTH, false},
    {"losses_weighted", losses_losses_weighted, 557, 4, CATALOGUE_BOTH, false},
    {"special_mse", losses_special_mse, 561, 3, CATALOGUE_BOTH, false},
    {"special_l1", losses_special_l1, 564, 3, CATALOGUE_BOTH, false},
    {"special_smooth_l1", losses_special_smooth_l1, 567, 3, CATALOGUE_BOTH, false},
    {"special_huber", losses_special_huber, 570, 3, CATALOGUE_BOTH, false},
    {"special_bce", losses_special_bce, 573, 3, CATALOGUE_BOTH, false},
    {"special_bce_weight", losses_special_bce_weight, 576, 4, CATALOGUE_BOTH, false},
    {"special_bce_with_logits", losses_special_bce_with_logits, 580, 3, CATALOGUE_BOTH, false},
    {"special_kl_div", losses_special_kl_div, 583, 3, CATALOGUE_BOTH, false},
    {"special_kl_div_log", losses_special_kl_div_log, 586, 3, CATALOGUE_BOTH, false},
    {"special_poisson", losses_special_poisson, 589, 3, CATALOGUE_BOTH, false},
    {"special_gaussian", losses_special_gaussian, 592, 4, CATALOGUE_BOTH, false},
    {"special_hinge", losses_special_hinge, 596, 3, CATALOGUE_BOTH, false},
    {"special_ranking", losses_special_ranking, 599, 4, CATALOGUE_BOTH, false},
    {"special_cosine", losses_special_cosine, 603, 4, CATALOGUE_BOTH, false},
    {"special_triplet_p2", losses_special_triplet_p2, 607, 4, CATALOGUE_BOTH, false},
    {"special_triplet_p3", losses_special_triplet_p3, 611, 4, CATALOGUE_BOTH, false},
    {"special_triplet_p1", losses_special_triplet_p1, 615, 4, CATALOGUE_BOTH, false},
    {"special_cross_entropy", losses_special_cross_entropy, 619, 3, CATALOGUE_BOTH, false},
    {"special_nll", losses_special_nll, 622, 3, CATALOGUE_BOTH, false},
    {"special_multi_margin", losses_special_multi_margin, 625, 3, CATALOGUE_BOTH, false},
    {"ctc_nan", losses_ctc_nan, 628, 5, CATALOGUE_BOTH, false},
};
