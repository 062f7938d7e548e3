/* Made by tests/golden/catalogue/edges.py with PyTorch 2.15.0; not edited by hand. */

static void edges_linear_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2});
}
static void edges_linear_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2});
}
static void edges_linear_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2});
}
static void edges_linear_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2});
}
static void edges_matmul_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_matmul(net, in[0], in[1], NULL);
}
static void edges_matmul_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_matmul(net, in[0], in[1], NULL);
}
static void edges_matmul_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_matmul(net, in[0], in[1], NULL);
}
static void edges_matmul_scalar_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_matmul(net, in[0], in[1], NULL);
}
static void edges_matmul_scalar_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_matmul(net, in[0], in[1], NULL);
}
static void edges_matmul_scalar_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_matmul(net, in[0], in[1], NULL);
}
static void edges_matmul_scalar_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_matmul(net, in[0], in[1], NULL);
}
static void edges_einsum_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_einsum(net, "ij,kj->ik", NN_NODES(in[0], in[0]));
}
static void edges_einsum_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_einsum(net, "ij,kj->ik", NN_NODES(in[0], in[0]));
}
static void edges_einsum_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_einsum(net, "ij,kj->ik", NN_NODES(in[0], in[0]));
}
static void edges_einsum_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_einsum(net, "ij,kj->ik", NN_NODES(in[0], in[0]));
}
static void edges_bilinear_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 2});
}
static void edges_bilinear_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 2});
}
static void edges_bilinear_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 2});
}
static void edges_bilinear_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 2});
}
static void edges_lstm_cell_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm_cell(net, "r", in[0], &(nn_lstm_cell_desc){.hidden_size = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_lstm_cell_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm_cell(net, "r", in[0], &(nn_lstm_cell_desc){.hidden_size = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_lstm_cell_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm_cell(net, "r", in[0], &(nn_lstm_cell_desc){.hidden_size = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_lstm_cell_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm_cell(net, "r", in[0], &(nn_lstm_cell_desc){.hidden_size = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_gru_cell_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru_cell(net, "r", in[0], &(nn_gru_cell_desc){.hidden_size = 2});
}
static void edges_gru_cell_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru_cell(net, "r", in[0], &(nn_gru_cell_desc){.hidden_size = 2});
}
static void edges_gru_cell_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru_cell(net, "r", in[0], &(nn_gru_cell_desc){.hidden_size = 2});
}
static void edges_gru_cell_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru_cell(net, "r", in[0], &(nn_gru_cell_desc){.hidden_size = 2});
}
static void edges_rnn_cell_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn_cell(net, "r", in[0], &(nn_rnn_cell_desc){.hidden_size = 2});
}
static void edges_rnn_cell_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn_cell(net, "r", in[0], &(nn_rnn_cell_desc){.hidden_size = 2});
}
static void edges_rnn_cell_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn_cell(net, "r", in[0], &(nn_rnn_cell_desc){.hidden_size = 2});
}
static void edges_rnn_cell_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn_cell(net, "r", in[0], &(nn_rnn_cell_desc){.hidden_size = 2});
}
static void edges_pdist_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pdist(net, in[0], 2);
}
static void edges_pdist_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pdist(net, in[0], 2);
}
static void edges_pdist_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pdist(net, in[0], 2);
}
static void edges_pdist_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pdist(net, in[0], 2);
}
static void edges_triplet_margin_with_distance_loss_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_with_distance_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_triplet_margin_with_distance_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_with_distance_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_triplet_margin_with_distance_loss_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_with_distance_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_triplet_margin_with_distance_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_with_distance_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_conv1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv1d(net, "c", in[0], &(nn_conv1d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_conv1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv1d(net, "c", in[0], &(nn_conv1d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_conv1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv1d(net, "c", in[0], &(nn_conv1d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_conv1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv1d(net, "c", in[0], &(nn_conv1d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_conv2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_conv2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_conv2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_conv2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1});
}
static void edges_depthwise_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1, .groups = 2});
}
static void edges_depthwise_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1, .groups = 2});
}
static void edges_depthwise_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1, .groups = 2});
}
static void edges_depthwise_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3,
        .padding = 1, .groups = 2});
}
static void edges_conv_transpose1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose1d(net, "c", in[0], &(nn_conv_transpose1d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose1d(net, "c", in[0], &(nn_conv_transpose1d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose1d(net, "c", in[0], &(nn_conv_transpose1d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose1d(net, "c", in[0], &(nn_conv_transpose1d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d(net, "c", in[0], &(nn_conv_transpose2d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d(net, "c", in[0], &(nn_conv_transpose2d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d(net, "c", in[0], &(nn_conv_transpose2d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d(net, "c", in[0], &(nn_conv_transpose2d_desc){.out_channels = 2,
        .kernel = 2, .stride = 2});
}
static void edges_max_pool1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_max_pool1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_max_pool1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_max_pool1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_avg_pool1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2});
}
static void edges_avg_pool1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2});
}
static void edges_avg_pool1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2});
}
static void edges_avg_pool1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 2});
}
static void edges_adaptive_max_pool1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool1d(net, in[0], 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_max_pool1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool1d(net, in[0], 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_max_pool1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool1d(net, in[0], 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_max_pool1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool1d(net, in[0], 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_avg_pool1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool1d(net, in[0], 2);
}
static void edges_adaptive_avg_pool1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool1d(net, in[0], 2);
}
static void edges_adaptive_avg_pool1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool1d(net, in[0], 2);
}
static void edges_adaptive_avg_pool1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool1d(net, in[0], 2);
}
static void edges_max_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_max_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_max_pool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_max_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void edges_avg_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2});
}
static void edges_avg_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2});
}
static void edges_avg_pool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2});
}
static void edges_avg_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2});
}
static void edges_adaptive_max_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool2d(net, in[0], 2, 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_max_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool2d(net, in[0], 2, 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_max_pool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool2d(net, in[0], 2, 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_max_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool2d(net, in[0], 2, 2); out[1] = nn_output(out[0], 1);
}
static void edges_adaptive_avg_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool2d(net, in[0], 2, 2);
}
static void edges_adaptive_avg_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool2d(net, in[0], 2, 2);
}
static void edges_adaptive_avg_pool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool2d(net, in[0], 2, 2);
}
static void edges_adaptive_avg_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool2d(net, in[0], 2, 2);
}
static void edges_global_avg_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_global_avg_pool2d(net, in[0]);
}
static void edges_global_avg_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_global_avg_pool2d(net, in[0]);
}
static void edges_global_avg_pool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_global_avg_pool2d(net, in[0]);
}
static void edges_global_avg_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_global_avg_pool2d(net, in[0]);
}
static void edges_layer_norm_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_layer_norm(net, "n", in[0], &(nn_layer_norm_desc){.no_affine = true});
}
static void edges_layer_norm_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_layer_norm(net, "n", in[0], &(nn_layer_norm_desc){.no_affine = true});
}
static void edges_layer_norm_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_layer_norm(net, "n", in[0], &(nn_layer_norm_desc){.no_affine = true});
}
static void edges_layer_norm_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_layer_norm(net, "n", in[0], &(nn_layer_norm_desc){.no_affine = true});
}
static void edges_rms_norm_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rms_norm(net, "n", in[0], &(nn_rms_norm_desc){.no_affine = true});
}
static void edges_rms_norm_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rms_norm(net, "n", in[0], &(nn_rms_norm_desc){.no_affine = true});
}
static void edges_rms_norm_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rms_norm(net, "n", in[0], &(nn_rms_norm_desc){.no_affine = true});
}
static void edges_rms_norm_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rms_norm(net, "n", in[0], &(nn_rms_norm_desc){.no_affine = true});
}
static void edges_group_norm_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2, .no_affine =
        true});
}
static void edges_group_norm_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2, .no_affine =
        true});
}
static void edges_group_norm_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2, .no_affine =
        true});
}
static void edges_group_norm_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2, .no_affine =
        true});
}
static void edges_batch_norm1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm1d(net, "bn", in[0], NULL);
}
static void edges_batch_norm1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm1d(net, "bn", in[0], NULL);
}
static void edges_batch_norm1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm1d(net, "bn", in[0], NULL);
}
static void edges_batch_norm1d_eval_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm1d(net, "bn", in[0], NULL);
}
static void edges_batch_norm1d_eval_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm1d(net, "bn", in[0], NULL);
}
static void edges_batch_norm1d_eval_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm1d(net, "bn", in[0], NULL);
}
static void edges_batch_norm1d_eval_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm1d(net, "bn", in[0], NULL);
}
static void edges_batch_norm2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm2d(net, "bn", in[0], NULL);
}
static void edges_batch_norm2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm2d(net, "bn", in[0], NULL);
}
static void edges_batch_norm3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm3d(net, "bn", in[0], NULL);
}
static void edges_batch_norm3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm3d(net, "bn", in[0], NULL);
}
static void edges_local_response_norm_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_local_response_norm(net, in[0], &(nn_local_response_norm_desc){.size = 3});
}
static void edges_local_response_norm_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_local_response_norm(net, in[0], &(nn_local_response_norm_desc){.size = 3});
}
static void edges_local_response_norm_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_local_response_norm(net, in[0], &(nn_local_response_norm_desc){.size = 3});
}
static void edges_local_response_norm_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_local_response_norm(net, in[0], &(nn_local_response_norm_desc){.size = 3});
}
static void edges_normalize_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_normalize(net, in[0], 1);
}
static void edges_normalize_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_normalize(net, in[0], 1);
}
static void edges_normalize_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_normalize(net, in[0], 1);
}
static void edges_normalize_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_normalize(net, in[0], 1);
}
static void edges_cosine_similarity_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_similarity(net, in[0], in[1], 1);
}
static void edges_cosine_similarity_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_similarity(net, in[0], in[1], 1);
}
static void edges_cosine_similarity_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_similarity(net, in[0], in[1], 1);
}
static void edges_cosine_similarity_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_similarity(net, in[0], in[1], 1);
}
static void edges_softmax_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0]);
}
static void edges_softmax_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0]);
}
static void edges_softmax_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0]);
}
static void edges_softmax_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0]);
}
static void edges_softmax_over_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0], 0);
}
static void edges_softmax_over_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0], 0);
}
static void edges_softmax_over_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0], 0);
}
static void edges_softmax_over_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, in[0], 0);
}
static void edges_log_softmax_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0]);
}
static void edges_log_softmax_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0]);
}
static void edges_log_softmax_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0]);
}
static void edges_log_softmax_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0]);
}
static void edges_log_softmax_over_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0], 0);
}
static void edges_log_softmax_over_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0], 0);
}
static void edges_log_softmax_over_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0], 0);
}
static void edges_log_softmax_over_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log_softmax(net, in[0], 0);
}
static void edges_softmin_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0]);
}
static void edges_softmin_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0]);
}
static void edges_softmin_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0]);
}
static void edges_softmin_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0]);
}
static void edges_softmin_over_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0], 0);
}
static void edges_softmin_over_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0], 0);
}
static void edges_softmin_over_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0], 0);
}
static void edges_softmin_over_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmin(net, in[0], 0);
}
static void edges_glu_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_glu(net, in[0], -1);
}
static void edges_glu_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_glu(net, in[0], -1);
}
static void edges_glu_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_glu(net, in[0], -1);
}
static void edges_glu_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_glu(net, in[0], -1);
}
static void edges_prod_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prod(net, in[0], NN_AXES(1));
}
static void edges_prod_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prod(net, in[0], NN_AXES(1));
}
static void edges_prod_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prod(net, in[0], NN_AXES(1));
}
static void edges_prod_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prod(net, in[0], NN_AXES(1));
}
static void edges_sum_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum(net, in[0], NN_AXES(1));
}
static void edges_sum_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum(net, in[0], NN_AXES(1));
}
static void edges_sum_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum(net, in[0], NN_AXES(1));
}
static void edges_sum_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum(net, in[0], NN_AXES(1));
}
static void edges_mean_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mean(net, in[0], NN_AXES(1));
}
static void edges_mean_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mean(net, in[0], NN_AXES(1));
}
static void edges_mean_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mean(net, in[0], NN_AXES(1));
}
static void edges_mean_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mean(net, in[0], NN_AXES(1));
}
static void edges_amax_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amax(net, in[0], NN_AXES(1));
}
static void edges_amax_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amax(net, in[0], NN_AXES(1));
}
static void edges_amax_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amax(net, in[0], NN_AXES(1));
}
static void edges_amax_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amax(net, in[0], NN_AXES(1));
}
static void edges_amin_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amin(net, in[0], NN_AXES(1));
}
static void edges_amin_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amin(net, in[0], NN_AXES(1));
}
static void edges_amin_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amin(net, in[0], NN_AXES(1));
}
static void edges_amin_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_amin(net, in[0], NN_AXES(1));
}
static void edges_norm_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_norm(net, in[0], NN_AXES(1));
}
static void edges_norm_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_norm(net, in[0], NN_AXES(1));
}
static void edges_norm_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_norm(net, in[0], NN_AXES(1));
}
static void edges_norm_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_norm(net, in[0], NN_AXES(1));
}
static void edges_logsumexp_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logsumexp(net, in[0], NN_AXES(1));
}
static void edges_logsumexp_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logsumexp(net, in[0], NN_AXES(1));
}
static void edges_logsumexp_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logsumexp(net, in[0], NN_AXES(1));
}
static void edges_logsumexp_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logsumexp(net, in[0], NN_AXES(1));
}
static void edges_var_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_var(net, in[0], NN_AXES(1));
}
static void edges_var_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_var(net, in[0], NN_AXES(1));
}
static void edges_var_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_var(net, in[0], NN_AXES(1));
}
static void edges_var_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_var(net, in[0], NN_AXES(1));
}
static void edges_std_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_std(net, in[0], NN_AXES(1));
}
static void edges_std_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_std(net, in[0], NN_AXES(1));
}
static void edges_std_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_std(net, in[0], NN_AXES(1));
}
static void edges_std_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_std(net, in[0], NN_AXES(1));
}
static void edges_argmax_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmax(net, in[0], NN_AXES(1));
}
static void edges_argmax_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmax(net, in[0], NN_AXES(1));
}
static void edges_argmax_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmax(net, in[0], NN_AXES(1));
}
static void edges_argmax_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmax(net, in[0], NN_AXES(1));
}
static void edges_argmin_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmin(net, in[0], NN_AXES(1));
}
static void edges_argmin_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmin(net, in[0], NN_AXES(1));
}
static void edges_argmin_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmin(net, in[0], NN_AXES(1));
}
static void edges_argmin_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argmin(net, in[0], NN_AXES(1));
}
static void edges_any_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_any(net, in[0], NN_AXES(1));
}
static void edges_any_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_any(net, in[0], NN_AXES(1));
}
static void edges_any_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_any(net, in[0], NN_AXES(1));
}
static void edges_any_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_any(net, in[0], NN_AXES(1));
}
static void edges_all_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_all(net, in[0], NN_AXES(1));
}
static void edges_all_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_all(net, in[0], NN_AXES(1));
}
static void edges_all_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_all(net, in[0], NN_AXES(1));
}
static void edges_all_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_all(net, in[0], NN_AXES(1));
}
static void edges_cumsum_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumsum(net, in[0], 1);
}
static void edges_cumsum_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumsum(net, in[0], 1);
}
static void edges_cumsum_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumsum(net, in[0], 1);
}
static void edges_cumsum_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumsum(net, in[0], 1);
}
static void edges_permute_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_permute(net, in[0], NN_AXES(1, 0));
}
static void edges_permute_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_permute(net, in[0], NN_AXES(1, 0));
}
static void edges_permute_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_permute(net, in[0], NN_AXES(1, 0));
}
static void edges_permute_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_permute(net, in[0], NN_AXES(1, 0));
}
static void edges_slice_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_slice(net, in[0], &(nn_slice_desc){.axis = 1, .step = 2});
}
static void edges_slice_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_slice(net, in[0], &(nn_slice_desc){.axis = 1, .step = 2});
}
static void edges_slice_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_slice(net, in[0], &(nn_slice_desc){.axis = 1, .step = 2});
}
static void edges_slice_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_slice(net, in[0], &(nn_slice_desc){.axis = 1, .step = 2});
}
static void edges_concat_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_concat(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_concat_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_concat(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_concat_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_concat(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_concat_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_concat(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_stack_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_stack(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_stack_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_stack(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_stack_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_stack(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_stack_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_stack(net, NN_NODES(in[0], in[0]), 1);
}
static void edges_pad_replicate_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .right = 1, .top = 1, .bottom = 1,
        .mode = NN_PADDING_REPLICATE});
}
static void edges_pad_replicate_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .right = 1, .top = 1, .bottom = 1,
        .mode = NN_PADDING_REPLICATE});
}
static void edges_pad_replicate_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .right = 1, .top = 1, .bottom = 1,
        .mode = NN_PADDING_REPLICATE});
}
static void edges_pad_replicate_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .right = 1, .top = 1, .bottom = 1,
        .mode = NN_PADDING_REPLICATE});
}
static void edges_pad_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .bottom = 1});
}
static void edges_pad_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .bottom = 1});
}
static void edges_pad_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .bottom = 1});
}
static void edges_pad_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .bottom = 1});
}
static void edges_flip_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flip(net, in[0], NN_AXES(1));
}
static void edges_flip_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flip(net, in[0], NN_AXES(1));
}
static void edges_flip_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flip(net, in[0], NN_AXES(1));
}
static void edges_flip_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flip(net, in[0], NN_AXES(1));
}
static void edges_roll_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_roll(net, in[0], 1, 1);
}
static void edges_roll_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_roll(net, in[0], 1, 1);
}
static void edges_roll_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_roll(net, in[0], 1, 1);
}
static void edges_roll_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_roll(net, in[0], 1, 1);
}
static void edges_repeat_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat(net, in[0], NN_SHAPE(2, 2));
}
static void edges_repeat_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat(net, in[0], NN_SHAPE(2, 2));
}
static void edges_repeat_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat(net, in[0], NN_SHAPE(2, 2));
}
static void edges_repeat_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat(net, in[0], NN_SHAPE(2, 2));
}
static void edges_repeat_interleave_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat_interleave(net, in[0], 2, 1);
}
static void edges_repeat_interleave_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat_interleave(net, in[0], 2, 1);
}
static void edges_repeat_interleave_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat_interleave(net, in[0], 2, 1);
}
static void edges_repeat_interleave_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_repeat_interleave(net, in[0], 2, 1);
}
static void edges_unflatten_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unflatten(net, in[0], 1, NN_SHAPE(nn_node_shape(in[0]).extent[1], 1));
}
static void edges_unflatten_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unflatten(net, in[0], 1, NN_SHAPE(nn_node_shape(in[0]).extent[1], 1));
}
static void edges_unflatten_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unflatten(net, in[0], 1, NN_SHAPE(nn_node_shape(in[0]).extent[1], 1));
}
static void edges_unflatten_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unflatten(net, in[0], 1, NN_SHAPE(nn_node_shape(in[0]).extent[1], 1));
}
static void edges_squeeze_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_squeeze(net, in[0], NN_ALL_AXES);
}
static void edges_squeeze_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_squeeze(net, in[0], NN_ALL_AXES);
}
static void edges_squeeze_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_squeeze(net, in[0], NN_ALL_AXES);
}
static void edges_squeeze_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_squeeze(net, in[0], NN_ALL_AXES);
}
static void edges_unsqueeze_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unsqueeze(net, in[0], 1);
}
static void edges_unsqueeze_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unsqueeze(net, in[0], 1);
}
static void edges_unsqueeze_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unsqueeze(net, in[0], 1);
}
static void edges_unsqueeze_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unsqueeze(net, in[0], 1);
}
static void edges_unfold_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 2, .padding = 1});
}
static void edges_unfold_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 2, .padding = 1});
}
static void edges_unfold_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 2, .padding = 1});
}
static void edges_unfold_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 2, .padding = 1});
}
static void edges_fold_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fold(net, in[0], &(nn_fold_desc){.kernel = 2, .out_h =
        nn_node_shape(in[0]).extent[2] > 1 ? 3 : 2, .out_w = nn_node_shape(in[0]).extent[2] > 1 ? 3
        : 2});
}
static void edges_fold_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fold(net, in[0], &(nn_fold_desc){.kernel = 2, .out_h =
        nn_node_shape(in[0]).extent[2] > 1 ? 3 : 2, .out_w = nn_node_shape(in[0]).extent[2] > 1 ? 3
        : 2});
}
static void edges_fold_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fold(net, in[0], &(nn_fold_desc){.kernel = 2, .out_h =
        nn_node_shape(in[0]).extent[2] > 1 ? 3 : 2, .out_w = nn_node_shape(in[0]).extent[2] > 1 ? 3
        : 2});
}
static void edges_fold_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fold(net, in[0], &(nn_fold_desc){.kernel = 2, .out_h =
        nn_node_shape(in[0]).extent[2] > 1 ? 3 : 2, .out_w = nn_node_shape(in[0]).extent[2] > 1 ? 3
        : 2});
}
static void edges_expand_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expand(net, in[0], NN_SHAPE(2, 2, 2, 3));
}
static void edges_expand_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expand(net, in[0], NN_SHAPE(2, 2, 2, 3));
}
static void edges_expand_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expand(net, in[0], NN_SHAPE(2, 2, 2, 3));
}
static void edges_expand_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expand(net, in[0], NN_SHAPE(2, 2, 2, 3));
}
static void edges_pixel_shuffle_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_shuffle(net, in[0], 2);
}
static void edges_pixel_shuffle_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_shuffle(net, in[0], 2);
}
static void edges_pixel_shuffle_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_shuffle(net, in[0], 2);
}
static void edges_pixel_shuffle_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_shuffle(net, in[0], 2);
}
static void edges_channel_shuffle_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_channel_shuffle(net, in[0], 2);
}
static void edges_channel_shuffle_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_channel_shuffle(net, in[0], 2);
}
static void edges_channel_shuffle_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_channel_shuffle(net, in[0], 2);
}
static void edges_channel_shuffle_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_channel_shuffle(net, in[0], 2);
}
static void edges_index_select_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_index_select_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_index_select_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_index_select_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_sort_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sort(net, in[0], 1, NULL); out[1] = nn_output(out[0], 1);
}
static void edges_sort_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sort(net, in[0], 1, NULL); out[1] = nn_output(out[0], 1);
}
static void edges_sort_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sort(net, in[0], 1, NULL); out[1] = nn_output(out[0], 1);
}
static void edges_sort_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sort(net, in[0], 1, NULL); out[1] = nn_output(out[0], 1);
}
static void edges_top_k_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_top_k(net, in[0], 1, 1, NULL);
}
static void edges_top_k_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_top_k(net, in[0], 1, 1, NULL);
}
static void edges_top_k_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_top_k(net, in[0], 1, 1, NULL);
}
static void edges_top_k_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_top_k(net, in[0], 1, 1, NULL);
}
static void edges_kthvalue_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kthvalue(net, in[0], 1, 1);
}
static void edges_kthvalue_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kthvalue(net, in[0], 1, 1);
}
static void edges_kthvalue_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kthvalue(net, in[0], 1, 1);
}
static void edges_kthvalue_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kthvalue(net, in[0], 1, 1);
}
static void edges_median_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_median(net, in[0], 1);
}
static void edges_median_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_median(net, in[0], 1);
}
static void edges_median_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_median(net, in[0], 1);
}
static void edges_median_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_median(net, in[0], 1);
}
static void edges_median_nans(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_median(net, in[0], 1);
}
static void edges_cumprod_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumprod(net, in[0], 1);
}
static void edges_cumprod_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumprod(net, in[0], 1);
}
static void edges_cumprod_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumprod(net, in[0], 1);
}
static void edges_cumprod_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cumprod(net, in[0], 1);
}
static void edges_logcumsumexp_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logcumsumexp(net, in[0], 1);
}
static void edges_logcumsumexp_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logcumsumexp(net, in[0], 1);
}
static void edges_logcumsumexp_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logcumsumexp(net, in[0], 1);
}
static void edges_logcumsumexp_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logcumsumexp(net, in[0], 1);
}
static void edges_cummax_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummax(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_cummax_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummax(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_cummax_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummax(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_cummax_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummax(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_cummin_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummin(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_cummin_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummin(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_cummin_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummin(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_cummin_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cummin(net, in[0], 1); out[1] = nn_output(out[0], 1);
}
static void edges_gather_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gather(net, in[0], 0, in[1]);
}
static void edges_gather_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gather(net, in[0], 0, in[1]);
}
static void edges_gather_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gather(net, in[0], 0, in[1]);
}
static void edges_gather_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gather(net, in[0], 0, in[1]);
}
static void edges_scatter_add_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_add(net, in[0], 0, in[1], in[2]);
}
static void edges_scatter_add_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_add(net, in[0], 0, in[1], in[2]);
}
static void edges_scatter_add_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_add(net, in[0], 0, in[1], in[2]);
}
static void edges_scatter_add_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_add(net, in[0], 0, in[1], in[2]);
}
static void edges_scatter_reduce_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_reduce(net, in[0], 0, in[1], in[2], NN_MAX);
}
static void edges_scatter_reduce_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_reduce(net, in[0], 0, in[1], in[2], NN_MAX);
}
static void edges_scatter_reduce_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_reduce(net, in[0], 0, in[1], in[2], NN_MAX);
}
static void edges_scatter_reduce_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_reduce(net, in[0], 0, in[1], in[2], NN_MAX);
}
static void edges_scatter_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter(net, in[0], 0, in[1], in[2]);
}
static void edges_scatter_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter(net, in[0], 0, in[1], in[2]);
}
static void edges_scatter_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter(net, in[0], 0, in[1], in[2]);
}
static void edges_scatter_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter(net, in[0], 0, in[1], in[2]);
}
static void edges_embedding_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_embedding_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_embedding_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_embedding_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_index_select(net, in[0], 0, in[1]);
}
static void edges_pairwise_distance_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pairwise_distance(net, in[0], in[1], NULL);
}
static void edges_pairwise_distance_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pairwise_distance(net, in[0], in[1], NULL);
}
static void edges_pairwise_distance_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pairwise_distance(net, in[0], in[1], NULL);
}
static void edges_pairwise_distance_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pairwise_distance(net, in[0], in[1], NULL);
}
static void edges_cdist_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cdist(net, in[0], in[1], 2);
}
static void edges_cdist_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cdist(net, in[0], in[1], 2);
}
static void edges_cdist_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cdist(net, in[0], in[1], 2);
}
static void edges_cdist_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cdist(net, in[0], in[1], 2);
}
static void edges_cdist_infinity_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cdist(net, in[0], in[1], INFINITY);
}
static void edges_pairwise_distance_infinity_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pairwise_distance(net, in[0], in[1], &(nn_pairwise_distance_desc){.p = INFINITY,
        .epsilon = NN_NONE});
}
static void edges_resize_nearest_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_NEAREST});
}
static void edges_resize_nearest_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_NEAREST});
}
static void edges_resize_nearest_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_NEAREST});
}
static void edges_resize_nearest_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_NEAREST});
}
static void edges_resize_bilinear_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_LINEAR});
}
static void edges_resize_bilinear_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_LINEAR});
}
static void edges_resize_bilinear_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_LINEAR});
}
static void edges_resize_bilinear_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_LINEAR});
}
static void edges_resize_bicubic_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_CUBIC});
}
static void edges_resize_bicubic_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_CUBIC});
}
static void edges_resize_bicubic_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_CUBIC});
}
static void edges_resize_bicubic_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode =
        NN_RESIZE_CUBIC});
}
static void edges_grid_sample_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_grid_sample(net, in[0], in[1], NULL);
}
static void edges_grid_sample_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_grid_sample(net, in[0], in[1], NULL);
}
static void edges_grid_sample_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_grid_sample(net, in[0], in[1], NULL);
}
static void edges_grid_sample_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_grid_sample(net, in[0], in[1], NULL);
}
static void edges_lp_pool1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool1d(net, in[0], 2, &(nn_pool1d_desc){.kernel = 2});
}
static void edges_lp_pool1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool1d(net, in[0], 2, &(nn_pool1d_desc){.kernel = 2});
}
static void edges_lp_pool1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool1d(net, in[0], 2, &(nn_pool1d_desc){.kernel = 2});
}
static void edges_lp_pool1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool1d(net, in[0], 2, &(nn_pool1d_desc){.kernel = 2});
}
static void edges_global_max_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_global_max_pool2d(net, in[0]);
}
static void edges_global_max_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_global_max_pool2d(net, in[0]);
}
static void edges_global_max_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_global_max_pool2d(net, in[0]);
}
static void edges_lstm_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm(net, "r", in[0], &(nn_lstm_desc){.hidden_size = 2});
}
static void edges_lstm_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm(net, "r", in[0], &(nn_lstm_desc){.hidden_size = 2});
}
static void edges_lstm_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm(net, "r", in[0], &(nn_lstm_desc){.hidden_size = 2});
}
static void edges_lstm_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lstm(net, "r", in[0], &(nn_lstm_desc){.hidden_size = 2});
}
static void edges_gru_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru(net, "r", in[0], &(nn_gru_desc){.hidden_size = 2});
}
static void edges_gru_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru(net, "r", in[0], &(nn_gru_desc){.hidden_size = 2});
}
static void edges_gru_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru(net, "r", in[0], &(nn_gru_desc){.hidden_size = 2});
}
static void edges_gru_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gru(net, "r", in[0], &(nn_gru_desc){.hidden_size = 2});
}
static void edges_rnn_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn(net, "r", in[0], &(nn_rnn_desc){.hidden_size = 2});
}
static void edges_rnn_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn(net, "r", in[0], &(nn_rnn_desc){.hidden_size = 2});
}
static void edges_rnn_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn(net, "r", in[0], &(nn_rnn_desc){.hidden_size = 2});
}
static void edges_rnn_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rnn(net, "r", in[0], &(nn_rnn_desc){.hidden_size = 2});
}
static void edges_prelu_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prelu(net, "p", in[0], NULL);
}
static void edges_prelu_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prelu(net, "p", in[0], NULL);
}
static void edges_prelu_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prelu(net, "p", in[0], NULL);
}
static void edges_prelu_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prelu(net, "p", in[0], NULL);
}
static void edges_conv3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv3d(net, "c", in[0], &(nn_conv3d_desc){.out_channels = 1, .kernel = 1,
        .kernel_h = 1});
}
static void edges_conv3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv3d(net, "c", in[0], &(nn_conv3d_desc){.out_channels = 1, .kernel = 1,
        .kernel_h = 1});
}
static void edges_conv3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv3d(net, "c", in[0], &(nn_conv3d_desc){.out_channels = 1, .kernel = 1,
        .kernel_h = 1});
}
static void edges_conv3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv3d(net, "c", in[0], &(nn_conv3d_desc){.out_channels = 1, .kernel = 1,
        .kernel_h = 1});
}
static void edges_conv_transpose3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose3d(net, "c", in[0], &(nn_conv_transpose3d_desc){.out_channels = 1,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose3d(net, "c", in[0], &(nn_conv_transpose3d_desc){.out_channels = 1,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose3d(net, "c", in[0], &(nn_conv_transpose3d_desc){.out_channels = 1,
        .kernel = 2, .stride = 2});
}
static void edges_conv_transpose3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose3d(net, "c", in[0], &(nn_conv_transpose3d_desc){.out_channels = 1,
        .kernel = 2, .stride = 2});
}
static void edges_conv2d_with_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv2d(net, in[0], in[1], NULL, NULL);
}
static void edges_conv2d_with_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv2d(net, in[0], in[1], NULL, NULL);
}
static void edges_conv2d_with_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv2d(net, in[0], in[1], NULL, NULL);
}
static void edges_conv2d_with_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv2d(net, in[0], in[1], NULL, NULL);
}
static void edges_conv_transpose2d_with_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv_transpose2d(net, in[0], in[1], NULL,
        &(nn_conv_transpose2d_desc){.stride = 2});
}
static void edges_conv_transpose2d_with_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv_transpose2d(net, in[0], in[1], NULL,
        &(nn_conv_transpose2d_desc){.stride = 2});
}
static void edges_conv_transpose2d_with_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv_transpose2d(net, in[0], in[1], NULL,
        &(nn_conv_transpose2d_desc){.stride = 2});
}
static void edges_conv_transpose2d_with_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_functional_conv_transpose2d(net, in[0], in[1], NULL,
        &(nn_conv_transpose2d_desc){.stride = 2});
}
static void edges_max_pool3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_max_pool3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_max_pool3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_max_pool3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_avg_pool3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_avg_pool3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_avg_pool3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_avg_pool3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_avg_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
}
static void edges_adaptive_max_pool3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool3d(net, in[0], 1, 2, 1);
}
static void edges_adaptive_max_pool3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool3d(net, in[0], 1, 2, 1);
}
static void edges_adaptive_max_pool3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool3d(net, in[0], 1, 2, 1);
}
static void edges_adaptive_max_pool3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_max_pool3d(net, in[0], 1, 2, 1);
}
static void edges_adaptive_avg_pool3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool3d(net, in[0], 1, 2, 1);
}
static void edges_adaptive_avg_pool3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool3d(net, in[0], 1, 2, 1);
}
static void edges_adaptive_avg_pool3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool3d(net, in[0], 1, 2, 1);
}
static void edges_adaptive_avg_pool3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_avg_pool3d(net, in[0], 1, 2, 1);
}
static void edges_lp_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool2d(net, in[0], 2, &(nn_pool2d_desc){.kernel = 2});
}
static void edges_lp_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool2d(net, in[0], 2, &(nn_pool2d_desc){.kernel = 2});
}
static void edges_lp_pool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool2d(net, in[0], 2, &(nn_pool2d_desc){.kernel = 2});
}
static void edges_lp_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool2d(net, in[0], 2, &(nn_pool2d_desc){.kernel = 2});
}
static void edges_lp_pool3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool3d(net, in[0], 2, &(nn_pool3d_desc){.kernel = 2});
}
static void edges_lp_pool3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool3d(net, in[0], 2, &(nn_pool3d_desc){.kernel = 2});
}
static void edges_lp_pool3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool3d(net, in[0], 2, &(nn_pool3d_desc){.kernel = 2});
}
static void edges_lp_pool3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lp_pool3d(net, in[0], 2, &(nn_pool3d_desc){.kernel = 2});
}
static void edges_fractional_max_pool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fractional_max_pool2d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_h
        = 1, .out_w = 1, .samples = in[1]});
}
static void edges_fractional_max_pool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fractional_max_pool2d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_h
        = 1, .out_w = 1, .samples = in[1]});
}
static void edges_fractional_max_pool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fractional_max_pool2d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_h
        = 1, .out_w = 1, .samples = in[1]});
}
static void edges_fractional_max_pool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fractional_max_pool2d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_h
        = 1, .out_w = 1, .samples = in[1]});
}
static void edges_fractional_max_pool3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fractional_max_pool3d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_d
        = 1, .out_h = 1, .out_w = 1, .samples = in[1]});
}
static void edges_fractional_max_pool3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fractional_max_pool3d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_d
        = 1, .out_h = 1, .out_w = 1, .samples = in[1]});
}
static void edges_fractional_max_pool3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_fractional_max_pool3d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_d
        = 1, .out_h = 1, .out_w = 1, .samples = in[1]});
}
static void edges_max_unpool1d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool1d(net, in[0], in[1], &(nn_max_unpool1d_desc){.kernel = 2});
}
static void edges_max_unpool1d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool1d(net, in[0], in[1], &(nn_max_unpool1d_desc){.kernel = 2});
}
static void edges_max_unpool1d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool1d(net, in[0], in[1], &(nn_max_unpool1d_desc){.kernel = 2});
}
static void edges_max_unpool1d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool1d(net, in[0], in[1], &(nn_max_unpool1d_desc){.kernel = 2});
}
static void edges_max_unpool2d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool2d(net, in[0], in[1], &(nn_max_unpool2d_desc){.kernel = 2});
}
static void edges_max_unpool2d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool2d(net, in[0], in[1], &(nn_max_unpool2d_desc){.kernel = 2});
}
static void edges_max_unpool2d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool2d(net, in[0], in[1], &(nn_max_unpool2d_desc){.kernel = 2});
}
static void edges_max_unpool2d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool2d(net, in[0], in[1], &(nn_max_unpool2d_desc){.kernel = 2});
}
static void edges_max_unpool3d_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool3d(net, in[0], in[1], &(nn_max_unpool3d_desc){.kernel = 2});
}
static void edges_max_unpool3d_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool3d(net, in[0], in[1], &(nn_max_unpool3d_desc){.kernel = 2});
}
static void edges_max_unpool3d_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool3d(net, in[0], in[1], &(nn_max_unpool3d_desc){.kernel = 2});
}
static void edges_max_unpool3d_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_unpool3d(net, in[0], in[1], &(nn_max_unpool3d_desc){.kernel = 2});
}
static void edges_lerp_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lerp(net, in[0], in[1], in[2]);
}
static void edges_lerp_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lerp(net, in[0], in[1], in[2]);
}
static void edges_lerp_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lerp(net, in[0], in[1], in[2]);
}
static void edges_addcmul_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcmul(net, in[0], in[1], in[2], &(nn_addcmul_desc){.value = 0.5f});
}
static void edges_addcmul_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcmul(net, in[0], in[1], in[2], &(nn_addcmul_desc){.value = 0.5f});
}
static void edges_addcmul_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcmul(net, in[0], in[1], in[2], &(nn_addcmul_desc){.value = 0.5f});
}
static void edges_addcdiv_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcdiv(net, in[0], in[1], in[2], &(nn_addcdiv_desc){.value = 0.5f});
}
static void edges_addcdiv_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcdiv(net, in[0], in[1], in[2], &(nn_addcdiv_desc){.value = 0.5f});
}
static void edges_addcdiv_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcdiv(net, in[0], in[1], in[2], &(nn_addcdiv_desc){.value = 0.5f});
}
static void edges_expression_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expression(net, "x: x > 0 ? x * x : exp(x)", in[0]);
}
static void edges_expression_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expression(net, "x: x > 0 ? x * x : exp(x)", in[0]);
}
static void edges_expression_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expression(net, "x: x > 0 ? x * x : exp(x)", in[0]);
}
static void edges_where_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_where(net, nn_expression(net, "x: x > 1", in[0]), in[0], in[1]);
}
static void edges_where_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_where(net, nn_expression(net, "x: x > 1", in[0]), in[0], in[1]);
}
static void edges_where_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_where(net, nn_expression(net, "x: x > 1", in[0]), in[0], in[1]);
}
static void edges_nan_to_num_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nan_to_num(net, in[0], &(nn_nan_to_num_desc){.nan = 0.5f, .posinf = 7.0f,
        .neginf = -7.0f});
}
static void edges_nan_to_num_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nan_to_num(net, in[0], &(nn_nan_to_num_desc){.nan = 0.5f, .posinf = 7.0f,
        .neginf = -7.0f});
}
static void edges_nan_to_num_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nan_to_num(net, in[0], &(nn_nan_to_num_desc){.nan = 0.5f, .posinf = 7.0f,
        .neginf = -7.0f});
}
static void edges_cast_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cast(net, in[0], NN_I32);
}
static void edges_cast_bool_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cast(net, nn_cast(net, in[0], NN_BOOL), NN_I32);
}
static void edges_cast_bool_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cast(net, nn_cast(net, in[0], NN_BOOL), NN_I32);
}
static void edges_cast_bool_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cast(net, nn_cast(net, in[0], NN_BOOL), NN_I32);
}
static void edges_instance_norm_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_instance_norm(net, "n", in[0], NULL);
}
static void edges_instance_norm_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_instance_norm(net, "n", in[0], NULL);
}
static void edges_instance_norm_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_instance_norm(net, "n", in[0], NULL);
}
static void edges_batch_norm3d_eval_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm3d(net, "bn", in[0], NULL);
}
static void edges_batch_norm3d_eval_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm3d(net, "bn", in[0], NULL);
}
static void edges_batch_norm3d_eval_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm3d(net, "bn", in[0], NULL);
}
static void edges_batch_norm3d_eval_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm3d(net, "bn", in[0], NULL);
}
static void edges_batch_norm2d_eval_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm2d(net, "bn", in[0], NULL);
}
static void edges_batch_norm2d_eval_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm2d(net, "bn", in[0], NULL);
}
static void edges_batch_norm2d_eval_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm2d(net, "bn", in[0], NULL);
}
static void edges_batch_norm2d_eval_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_batch_norm2d(net, "bn", in[0], NULL);
}
static void edges_sum_of_squares_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum_of_squares(net, in[0], NN_AXES(1));
}
static void edges_sum_of_squares_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum_of_squares(net, in[0], NN_AXES(1));
}
static void edges_sum_of_squares_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum_of_squares(net, in[0], NN_AXES(1));
}
static void edges_sum_of_squares_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sum_of_squares(net, in[0], NN_AXES(1));
}
static void edges_split_nan(nn_model *net, nn_node **in, nn_node **out) {
    nn_split(net, in[0], out, (const int[]){1, 2}, 2, 1);
}
static void edges_split_infinite(nn_model *net, nn_node **in, nn_node **out) {
    nn_split(net, in[0], out, (const int[]){1, 2}, 2, 1);
}
static void edges_split_ties(nn_model *net, nn_node **in, nn_node **out) {
    nn_split(net, in[0], out, (const int[]){1, 2}, 2, 1);
}
static void edges_chunk_nan(nn_model *net, nn_node **in, nn_node **out) {
    nn_chunk(net, in[0], out, 2, 1);
}
static void edges_chunk_infinite(nn_model *net, nn_node **in, nn_node **out) {
    nn_chunk(net, in[0], out, 2, 1);
}
static void edges_chunk_ties(nn_model *net, nn_node **in, nn_node **out) {
    nn_chunk(net, in[0], out, 2, 1);
}
static void edges_diff_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_diff(net, in[0], 1);
}
static void edges_diff_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_diff(net, in[0], 1);
}
static void edges_diff_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_diff(net, in[0], 1);
}
static void edges_diff_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_diff(net, in[0], 1);
}
static void edges_outer_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_outer(net, in[0], in[0]);
}
static void edges_outer_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_outer(net, in[0], in[0]);
}
static void edges_outer_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_outer(net, in[0], in[0]);
}
static void edges_outer_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_outer(net, in[0], in[0]);
}
static void edges_tril_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tril(net, in[0], 0);
}
static void edges_tril_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tril(net, in[0], 0);
}
static void edges_tril_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tril(net, in[0], 0);
}
static void edges_tril_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tril(net, in[0], 0);
}
static void edges_triu_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triu(net, in[0], 0);
}
static void edges_triu_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triu(net, in[0], 0);
}
static void edges_triu_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triu(net, in[0], 0);
}
static void edges_triu_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triu(net, in[0], 0);
}
static void edges_argsort_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argsort(net, in[0], 1, NULL);
}
static void edges_argsort_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argsort(net, in[0], 1, NULL);
}
static void edges_argsort_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argsort(net, in[0], 1, NULL);
}
static void edges_argsort_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_argsort(net, in[0], 1, NULL);
}
static void edges_reshape_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_reshape(net, in[0], NN_SHAPE(6));
}
static void edges_reshape_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_reshape(net, in[0], NN_SHAPE(6));
}
static void edges_reshape_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_reshape(net, in[0], NN_SHAPE(6));
}
static void edges_reshape_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_reshape(net, in[0], NN_SHAPE(1));
}
static void edges_flatten_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flatten(net, in[0]);
}
static void edges_flatten_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flatten(net, in[0]);
}
static void edges_flatten_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flatten(net, in[0]);
}
static void edges_flatten_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_flatten(net, in[0]);
}
static void edges_transpose_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_transpose(net, in[0], 0, 1);
}
static void edges_transpose_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_transpose(net, in[0], 0, 1);
}
static void edges_transpose_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_transpose(net, in[0], 0, 1);
}
static void edges_transpose_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_transpose(net, in[0], 0, 1);
}
static void edges_pixel_unshuffle_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_unshuffle(net, in[0], 2);
}
static void edges_pixel_unshuffle_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_unshuffle(net, in[0], 2);
}
static void edges_pixel_unshuffle_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_unshuffle(net, in[0], 2);
}
static void edges_pixel_unshuffle_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pixel_unshuffle(net, in[0], 2);
}
static void edges_affine_grid_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_affine_grid(net, in[0], 1, 1, true);
}
static void edges_affine_grid_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_affine_grid(net, in[0], 2, 2, false);
}
static void edges_affine_grid_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_affine_grid(net, in[0], 2, 2, true);
}
static void edges_scatter_value_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_value(net, in[0], 0, in[1], 0.5f);
}
static void edges_scatter_value_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_value(net, in[0], 0, in[1], 0.5f);
}
static void edges_scatter_value_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_value(net, in[0], 0, in[1], 0.5f);
}
static void edges_scatter_value_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scatter_value(net, in[0], 0, in[1], 0.5f);
}
static void edges_detach_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_add(net, nn_detach(net, in[0]), in[0]);
}
static void edges_detach_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_add(net, nn_detach(net, in[0]), in[0]);
}
static void edges_detach_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_add(net, nn_detach(net, in[0]), in[0]);
}
static void edges_nn_embedding_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding(net, "e", in[0], &(nn_embedding_desc){.num_embeddings = 3,
        .embedding_dim = 2});
}
static void edges_nn_embedding_bag_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = 3,
        .embedding_dim = 2});
}
static void edges_nn_embedding_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding(net, "e", in[0], &(nn_embedding_desc){.num_embeddings = 3,
        .embedding_dim = 2});
}
static void edges_nn_embedding_bag_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = 3,
        .embedding_dim = 2});
}
static void edges_nn_embedding_bag_max_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = 3,
        .embedding_dim = 2, .mode = NN_MAX});
}
static void edges_nn_embedding_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding(net, "e", in[0], &(nn_embedding_desc){.num_embeddings = 3,
        .embedding_dim = 2});
}
static void edges_nn_embedding_bag_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = 3,
        .embedding_dim = 2});
}
static void edges_nn_embedding_bag_max_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = 3,
        .embedding_dim = 2, .mode = NN_MAX});
}
static void edges_nn_embedding_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding(net, "e", in[0], &(nn_embedding_desc){.num_embeddings = 1,
        .embedding_dim = 1});
}
static void edges_nn_embedding_bag_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = 1,
        .embedding_dim = 1});
}
static void edges_nn_embedding_bag_max_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = 1,
        .embedding_dim = 1, .mode = NN_MAX});
}
static void edges_mse_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mse_loss(net, in[0], in[1], NULL);
}
static void edges_l1_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_l1_loss(net, in[0], in[1], NULL);
}
static void edges_smooth_l1_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_smooth_l1_loss(net, in[0], in[1], NULL);
}
static void edges_huber_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber_loss(net, in[0], in[1], NULL);
}
static void edges_bce_with_logits_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_with_logits(net, in[0], in[1], NULL);
}
static void edges_kl_div_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_kl_div(net, in[0], in[1], NULL);
}
static void edges_poisson_nll_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_poisson_nll_loss(net, in[0], in[1], NULL);
}
static void edges_hinge_embedding_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hinge_embedding_loss(net, in[0], in[1], NULL);
}
static void edges_bce_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], NULL);
}
static void edges_gaussian_nll_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gaussian_nll_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_margin_ranking_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_margin_ranking_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_triplet_margin_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_triplet_margin_loss_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_triplet_margin_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_cosine_embedding_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_cosine_embedding_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cosine_embedding_loss(net, in[0], in[1], in[2], NULL);
}
static void edges_cross_entropy_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], NULL);
}
static void edges_nll_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nll_loss(net, in[0], in[1], NULL);
}
static void edges_multi_margin_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], NULL);
}
static void edges_multi_margin_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multi_margin_loss(net, in[0], in[1], NULL);
}
static void edges_multilabel_margin_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_margin_loss(net, in[0], in[1], NULL);
}
static void edges_multilabel_margin_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_margin_loss(net, in[0], in[1], NULL);
}
static void edges_adaptive_log_softmax_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_log_softmax(net, "a", in[0],
        &(nn_adaptive_log_softmax_desc){.num_classes = 4, .cutoffs = NN_INTEGERS(2)});
}
static void edges_adaptive_log_softmax_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_log_softmax(net, "a", in[0],
        &(nn_adaptive_log_softmax_desc){.num_classes = 4, .cutoffs = NN_INTEGERS(2)});
}
static void edges_adaptive_log_softmax_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_log_softmax(net, "a", in[0],
        &(nn_adaptive_log_softmax_desc){.num_classes = 4, .cutoffs = NN_INTEGERS(2)});
}
static void edges_soft_margin_loss_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], &(nn_soft_margin_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void edges_soft_margin_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], &(nn_soft_margin_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void edges_soft_margin_loss_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], &(nn_soft_margin_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void edges_soft_margin_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], &(nn_soft_margin_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void edges_multilabel_soft_margin_loss_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_REDUCTION_NONE});
}
static void edges_multilabel_soft_margin_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_REDUCTION_NONE});
}
static void edges_multilabel_soft_margin_loss_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_REDUCTION_NONE});
}
static void edges_multilabel_soft_margin_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multilabel_soft_margin_loss(net, in[0], in[1],
        &(nn_multilabel_soft_margin_desc){.reduction = NN_REDUCTION_NONE});
}
static void edges_bce_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE});
}
static void edges_bce_loss_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE});
}
static void edges_ctc_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, in[0], in[1], in[2], in[3], NULL);
}
static void edges_ctc_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void edges_ctc_loss_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.reduction =
        NN_REDUCTION_NONE});
}
static void edges_all_masked_cross_entropy(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.ignore = true,
        .ignore_index = -100});
}
static void edges_all_masked_cross_entropy_sum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM,
        .ignore = true, .ignore_index = -100});
}
static void edges_all_masked_softmax(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softmax(net, nn_masked_fill(net, in[0], in[1], -INFINITY));
}
static void edges_all_masked_embedding_bag(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_embedding_bag(net, "bag", in[0], &(nn_embedding_bag_desc){.num_embeddings = 3,
        .embedding_dim = 2, .padding = true, .padding_idx = 1, .mode = NN_MEAN});
}

enum { catalogue_edges_sparse = 40 };

static const double catalogue_edges_numbers[] = {
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,-0.192993164,0.227783203,
    0.772033691,-0.459106445,0.524169922,-0.505493164,1e301,0.739257812,1e301,-0.849121094,
    2.296875,1.59375,-1.04705811,-0.494506836,1e301,1e301,-0.608764648,0.205322266,
    -1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-0.27355957,0.430053711,-0.269714355,
    0.445861816,0.401550293,-0.625793457,1.35571289,1e301,1.0065918,-1e302,2.296875,
    1.59375,1e302,-1e302,-1e302,1e302,0.589355469,-0.00512695312,1,1,1,1,1,1,
    0.101806641,0.0360107422,-0.473266602,-0.893249512,-0.293029785,-0.285339355,2.296875,
    2.296875,1.59375,1.59375,2.296875,1.59375,-1.02734375,-0.3359375,-1.02734375,
    -0.3359375,-1.02734375,-0.3359375,-0.046875,-1.453125,-0.0344238281,-0.376098633,
    -0.00439453125,-0.136230469,0.0366210938,1.13525391,0.09375,-0.78125,-0.398498535,
    -0.723022461,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.235839844,
    0.782226562,-1.30175781,1.64672852,-4.43603516,4.58251953,0.487304688,1.63964844,
    -1.24023438,-1.58398438,1e301,1e301,1e301,1e301,1.47949219,0.637207031,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,-0.277832031,1.11865234,-1.10595703,1.1340332,
    2.60766602,-0.537841797,-1e302,-1e302,1e302,-1e302,-0.0908203125,-0.797851562,1e302,
    -1e302,-1e302,-1e302,1,1,1,1,1,1,-1.01269531,0.16015625,0.461425781,1.60205078,
    -2.47070312,-0.0227050781,1.984375,0.046875,1.984375,0.046875,1.984375,0.046875,
    -0.65625,0.421875,-0.65625,0.421875,1e301,0.139160156,1e301,1e301,-1e302,
    -0.0380859375,-1e302,1e302,1,0.00732421875,0.09375,0.078125,0.921875,0.00439453125,
    0.0864257812,0.0432128906,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    0.0561523438,-0.560058594,1e301,-1.35473633,0.213623047,1e301,1e301,1e301,1e301,
    0.643554688,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,1e301,1e302,
    0.0688476562,-1e302,1e301,0.867431641,1e302,1e301,1e301,1e302,1,1,1,1,1,1,
    1.296875,1.296875,1.296875,2.765625,2.765625,2.765625,3,3,3,3,0.921875,0.172851562,
    0.849853516,-0.328125,1e301,-0.921875,1.046875,-0.395202637,0.139904022,-0.692717552,
    -1.43653679,1e301,1e301,1e301,1.07604122,0.13894558,-0.770629883,-0.019859314,
    2.97513962,-1.50551224,1e301,1e301,1e301,-0.31224823,1.24413681,-0.591983795,1e301,
    1e301,1e301,1.984375,0.046875,1e301,1e301,0.133690834,-1.03234673,-0.328125,1e302,
    -1e302,1.046875,1e301,1e301,-1e302,1e301,1,1,1,1,0.175695419,-0.257749557,
    4.0499382,2.06356907,0.544067383,-0.227294922,-0.51965332,-1.4006958,-1.53918457,
    -0.762878418,-3.46948242,-3.39038086,-1.859375,-3.46948242,-3.39038086,-1.859375,
    -1.40405273,-2.06323242,-0.5703125,-1.40405273,-2.06323242,-0.5703125,1.984375,0.046875,
    -0.573974609,-0.416503906,2.83258057,-0.0158691406,-0.046875,-1.453125,-0.323246002,
    -0.471231461,-0.442623138,-0.462970734,-0.0156269073,-0.00192260742,0.00872039795,
    -0.00707244873,-0.0596008301,0.270332336,-0.219245911,0.0160217285,-0.0726699829,
    0.0589370728,0.496673584,-2.25276947,1.82704926,0.09375,-0.78125,0.255813599,
    -0.685500145,-0.328125,1e301,-0.921875,1.046875,1e301,1e301,0.121195418,-0.186847658,
    1e301,1e301,0.171555011,-0.318336604,-0.328125,1e302,-1e302,1.046875,0,0,0,0,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,-0.761594156,-0.,0,0,-1,-1,0,0,1,1,1,1,-0.00863890747,0.0530946497,
    -0.121942777,0.0713256815,0.254874267,0.254874267,-0.0347410342,-0.0347410342,0,0,0,0,
    0.617210428,0.617210428,-0.026521162,-0.026521162,0.0516217318,0.0516217318,
    0.00518267108,0.00518267108,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.254874267,
    -0.0347410342,0,0,0.617210428,-0.026521162,0.0516217318,0.00518267108,0.254874267,
    -0.0347410342,0,0,0.617210428,-0.026521162,0.0516217318,0.00518267108,0.0395628605,
    0.246559262,0.0395628605,0.246559262,0.11604305,0.480958012,0.11604305,0.480958012,
    -0.046875,-1.453125,0.0889332736,-0.0354186086,-0.00212337161,-0.0658245199,
    8.28569678e-05,0.002568566,-0.,-0.,-0.,-0.,-0.0133247604,-0.413067572,-0.000641492866,
    -0.0198862789,-0.000178412228,-0.00553077907,-0.000933245561,-0.0289306124,0,0,-0.,-0.,
    0,0,0,0,0,0,0,0,0,0,0,0,0.0452985944,-0.00176761531,0,0,0.284261555,
    0.0136851811,0.00380612753,0.0199092386,0.0452985944,-0.00176761531,0,0,0.284261555,
    0.0136851811,0.00380612753,0.0199092386,0.0759792583,-0.0892536611,0.164635906,
    -0.125577349,-0.328125,1e301,-0.921875,1.046875,1e301,1e301,-0.110444226,0.154339997,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    0.190509722,-0.193944893,-0.328125,1e302,-1e302,1.046875,0,0,0,0,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,1,-1,1,-1,1,1,1,1,-0.0239455948,-0.096852104,
    -0.305926104,0.0195243766,-0.0590628681,-0.0590628681,0.000383086077,0.000383086077,
    0.127390465,0.127390465,-0.00375160696,-0.00375160696,0.941210093,0.941210093,
    0.0167410268,0.0167410268,0,0,0,0,0,0,0,0,0,0,0,0,-0.0590628681,0.000383086077,
    0.127390465,-0.00375160696,0.941210093,0.0167410268,-0.0590628681,0.000383086077,
    0.127390465,-0.00375160696,0.229996927,0.0104666457,-0.130431363,0.133766757,
    -0.130431363,0.133766757,-0.046875,-1.453125,-0.103261715,0.0383414025,-5.96863797e-05,
    -0.00185027777,-0.00032280857,-0.0100070657,0.000366857083,0.0113725696,-0.00139645498,
    -0.0432901043,-0.00239184873,-0.0741473106,0.00818889966,0.253855889,0,0,0,0,-0.,-0.,
    0,0,0,0,-0.,-0.,0.00127330943,0.00688658283,-0.00782628443,0.0297910395,0.0510261062,
    -0.174696526,0.00127330943,0.00688658283,-0.00782628443,0.0297910395,0.0330553312,
    -0.12218198,0.22141898,0.0497942813,-0.328125,1e301,-0.921875,1.046875,1e301,1e301,
    -0.134471121,0.0581553816,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,0.505753253,-0.0352027329,-0.328125,1e302,-1e302,
    1.046875,0,0,0,0,1e301,1e301,1e301,1e301,0,0,0,0,0,0,0,0,1,-1,-1,-1,1,1,
    1,1,-0.0664504864,-0.0530717859,0.284420064,0.253389622,0.430115676,0.430115676,
    0.043537819,0.043537819,0,0,0,0,0.430115676,0.043537819,0.430115676,0.043537819,
    0.885013442,-0.266820527,0.885013442,-0.266820527,-0.046875,-1.453125,0.331910753,
    0.253078809,-0.00424001456,-0.131440451,0.0321726135,0.997351018,0,0,-0.,-0.,
    0.090453644,-0.686349088,0.090453644,-0.686349088,0.187513016,0.348530009,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1.69687788,1e301,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0,1e301,0,1e301,
    0,1e301,1e302,1e302,1e302,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,-0.046875,
    -1.453125,0.09375,-0.09375,1.40625,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    1e301,1e301,1e301,-0.052529277,0.00940541488,-0.000322953252,1e301,1e301,1e301,
    0.0293129108,0.0134839187,0.0340029825,1e301,1e301,1e301,0.0232163662,-0.0228893336,
    -0.0336800293,1e301,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0,1e301,0,
    1e301,0,0,0,1e301,-0.,1e301,0,0,-0.,1e301,-0.,1e301,-0.,-0.,1e301,1,1,1,1,
    1,1,-0.00942427473,0.000978796131,-0.0379517273,0.0126027624,0.054922812,-0.019220861,
    0.0146777132,-0.0417556258,0.0154369061,-0.0182646395,-0.0362720143,-0.0234096037,
    -0.00525343851,0.0407768297,0.0225148211,0.00566187708,-0.0186507977,0.0426304647,
    1.30722983,0.921875,-0.1875,0.09375,0.09375,1.140623,0.609375,1.3125,-1.796875,1e301,
    -1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,-0.779174805,2.6184082,-1.2590332,
    0.839233398,-0.885253906,0.245178223,-0.394042969,0.811645508,0.296386719,-0.219482422,
    1e301,1e301,1e301,2.61645508,-0.631835938,-2.65454102,1e301,1e301,1e301,-0.135498047,
    2.94140625,-3.4987793,2.34375,2.484375,-0.796142578,-0.00756835938,1e301,1e301,1e301,
    0.971557617,-0.124694824,1e301,1e301,1e301,0.609375,1.3125,1e302,0.4375,-1.203125,
    -1e302,1.125,0.703125,-1.703125,1.21875,0.630859375,-1.60717773,0.168884277,
    -2.57067871,0.0110473633,0.569702148,-0.434997559,0.956726074,-0.395141602,0.329345703,
    1e302,1e302,-1e302,1e302,-1e302,-2.65454102,-1e302,1e302,-1e302,1e302,-1e302,
    -3.4987793,2.34375,2.484375,1e302,-1e302,-1e302,-1e302,-0.133300781,-1e302,1e301,
    1e302,-1e302,0.761962891,1,1,1,1,1,1,1,1,1,1,1.09259033,-1.22033691,1.85845947,
    -0.252502441,0.30090332,-1.15716553,1.14483643,-0.286682129,1.16479492,-0.575439453,
    2.25,2.34375,2.03125,2.25,2.34375,2.03125,0.9375,2.484375,1.40625,0.9375,2.484375,
    1.40625,2.34375,2.484375,0.64453125,0.671875,0.671875,0.671875,0.9296875,0.515625,
    0.6171875,0.6171875,0.6171875,0.359375,-0.046875,-1.453125,0.234985352,0.32434082,0,
    -0.00439453125,0,0,-0.136230469,0,0,0.0366210938,0,0,1.13525391,0,0.09375,-0.78125,
    0.353088379,1.0223999,-1.65625,0.625,0,0.796875,1.15625,-0.859375,1e301,0.390625,
    -0.984375,0.578125,-0.390625,-1.28125,-1.671875,0.4375,1.78125,-0.65625,1.78125,
    1.6875,0.968261719,-0.766784668,-0.153076172,1e301,1e301,0.471740723,1e301,1e301,
    -0.464477539,0.0422363281,0.16217041,-0.456542969,1e301,1e301,-1.94390869,1e301,1e301,
    0.183959961,-1.65625,0.625,0,0.796875,1e302,-0.859375,-0.40625,0.390625,-0.984375,
    -1e302,-0.390625,-1.28125,-1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,1e302,
    1e302,1e302,-1e302,1e301,-1e302,1e302,1e302,1e302,1e302,1e301,-1e302,1e301,-1e302,
    1e302,-1e302,-1e302,1e302,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    0.657714844,-0.300415039,0.714294434,1.29937744,-0.319641113,-0.496337891,-1.92376709,
    2.1550293,0.816833496,0.545471191,-1.15222168,1.36212158,-0.868652344,-0.906005859,
    -0.0138549805,-0.452148438,1.40899658,-1.01751709,2.515625,2.546875,2.21875,3.625,3.75,
    1.53125,2.96875,3.890625,0.453125,2.515625,2.546875,2.21875,3.625,3.75,1.53125,
    2.96875,3.890625,0.453125,3.59375,2.859375,-0.515625,4.859375,5.203125,0.140625,
    4.03125,6.015625,2.640625,3.59375,2.859375,-0.515625,4.859375,5.203125,0.140625,
    4.03125,6.015625,2.640625,3.75,5.203125,-0.12890625,-0.5234375,-0.37109375,-1.1875,
    -1.2421875,-0.4609375,-1.00390625,-1.25390625,-0.421875,-0.7265625,-0.71484375,
    -0.22265625,-0.14453125,0.1796875,0.484375,-0.34375,0.046875,0.66015625,-0.046875,
    -1.453125,-0.301269531,-0.307373047,0,0,0,0,-0.00439453125,0,0,0,0,0,0,0,0,
    -0.136230469,0,0,0,0,0,0,0,0,0.0366210938,0,0,0,0,0,0,0,0,1.13525391,0,0,
    0,0,0.09375,-0.78125,-1.02593994,-0.276184082,-1.65625,0.625,0,0.796875,1.15625,
    -0.859375,1e301,0.390625,-0.984375,0.578125,-0.390625,-1.28125,-1.671875,0.4375,
    1.78125,-0.65625,1.78125,1.6875,-0.180786133,-0.231262207,-0.240356445,1e301,1e301,
    -0.221130371,1e301,1e301,0.16607666,-0.751464844,-0.784790039,0.109863281,0.256530762,
    0.481384277,-0.917358398,0.669006348,0.446289062,-0.723510742,-1.65625,0.625,0,
    0.796875,1e302,-0.859375,-0.40625,0.390625,-0.984375,-1e302,-0.390625,-1.28125,
    -1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,1e302,1e302,1e302,1e302,-1e302,
    -1e302,-1e302,-1e302,-1e302,-1e302,1e302,-0.101257324,-1e302,1e302,0.981689453,
    -0.568786621,0.940917969,0.315917969,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    -0.164794922,-1.47698975,-0.453491211,-0.317260742,-1.79815674,1.2522583,-0.669494629,
    -0.332397461,0.305358887,-0.516479492,0.721679688,-1.62121582,0.281494141,0.690917969,
    -0.915222168,0.25177002,0.196105957,-1.21429443,2.515625,2.546875,2.21875,3.625,3.75,
    1.53125,2.96875,3.890625,0.453125,3.59375,2.859375,-0.515625,4.859375,5.203125,
    0.140625,4.03125,6.015625,2.640625,3.75,5.203125,-0.13671875,-0.9921875,-0.8828125,
    -0.3671875,-1.71875,-1.73046875,-0.453125,-1.3046875,-1.453125,-1.35546875,-1.2109375,
    -0.77734375,-1.98046875,-1.4609375,-0.76171875,-1.53515625,-0.84765625,-0.58984375,
    -0.046875,-1.453125,-0.0307617188,0.0640869141,0,0,0,0,-0.00439453125,0,0,0,0,0,
    0,0,0,1.13525391,0,0,0,0,0.09375,-0.78125,-0.261962891,-0.0761108398,-1.046875,
    -1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,-0.960327148,-0.401489258,
    0.0797119141,1.29455566,-0.0647583008,-0.083190918,0.485351562,0.400817871,1e301,1e301,
    1e301,1e301,1.45336914,2.38989258,0.866455078,1.35571289,4.96875,3.15625,0.208007812,
    0.378967285,-0.189941406,0.494567871,1e301,1e301,0.321777344,0.526123047,-0.0174560547,
    0.834899902,-0.244140625,1.30047607,1e301,1e301,0.438842773,0.475708008,-1.046875,
    -1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,-0.810241699,-0.485168457,
    0.160400391,1.12701416,0.687866211,1.88555908,0.841674805,-0.869018555,1e302,1e302,
    1e302,1e302,-1e302,1e302,1e302,-1e302,4.96875,3.15625,-1e302,-1e302,0.0311279297,
    0.235717773,1e302,1e302,0.00830078125,0.065612793,1e302,-1e302,-1.29315186,0.693725586,
    1e302,-1e302,-0.314208984,0.0595092773,1,1,1,1,1,1,1,1,0.735900879,0.427429199,
    0.46105957,-0.605163574,0.343383789,-0.4921875,-1.09484863,-0.748718262,1.5,3.46875,
    0.953125,2.203125,1.5,3.46875,0.953125,2.203125,4.96875,3.15625,-0.23828125,
    0.02734375,-0.23828125,0.02734375,-0.23828125,0.02734375,-0.23828125,0.02734375,
    -0.3515625,0.5390625,-0.3515625,0.5390625,-0.3515625,0.5390625,-0.3515625,0.5390625,
    -0.046875,-1.453125,0.668945312,-0.843994141,-0.00439453125,0.0366210938,-0.0886230469,
    -0.0388183594,-0.136230469,1.13525391,-2.74731445,-1.20336914,-0.6875,2.71875,
    0.135253906,0.208129883,0.233459473,0.114440918,1.609375,0,0.90625,-1.640625,1e301,
    -1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1.10089111,0.932495117,
    0.969970703,-0.448791504,0.475585938,0.484680176,0.969177246,0.123657227,1.21551514,
    -1.25744629,-0.0383300781,1.14300537,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    -6.23193359,6.1784668,1.7109375,-7.47143555,1.38452148,-9.12841797,0.0834960938,
    -1.35400391,9.90625,10.015625,0.65246582,0.579589844,0.386657715,0.153625488,
    -0.319519043,-0.0725708008,1.35351562,0.276184082,0.341064453,-0.0692749023,0.131591797,
    0.032043457,-0.132629395,-0.41583252,1e301,1e301,-0.808410645,-0.674621582,-0.917236328,
    -0.448486328,1e301,1e301,-1.23364258,-0.399169922,-0.846862793,0.606262207,-0.34777832,
    0.239868164,0.37109375,0.463134766,-0.186279297,0.0417480469,-0.069152832,-0.3984375,
    0.398742676,0.934082031,0.45111084,-0.128723145,1e301,1e301,1.16741943,0.0289916992,
    0.20513916,-0.532470703,1e301,1e301,0.645568848,0.625732422,1.609375,0,0.90625,1e302,
    1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.01171875,
    1.32849121,1.35302734,0.380493164,-0.438476562,0.0930786133,-0.36907959,-0.151367188,
    -0.638000488,0.0112304688,-1.08227539,0.306274414,1e302,1e302,1e302,-1e302,1e302,
    -1e302,-1e302,-1e302,-1e302,1e302,1e302,-1e302,1e302,-1e302,-1e302,-1e302,9.90625,
    10.015625,1e302,-1e302,0.0524291992,-0.388305664,0.106018066,0.380371094,-1e302,1e302,
    -0.44909668,0.0676269531,-0.369262695,0.103149414,1e302,1e302,0.568603516,0.305725098,
    -0.499328613,-0.0303344727,-1e302,1e302,-1.45483398,0.592102051,0.916870117,
    -0.522888184,1e302,-1e302,0.823059082,0.12902832,-0.0668334961,0.0594482422,1e302,
    1e302,0.270874023,0.311401367,0.505859375,-0.166137695,1e302,-1e302,0.90057373,
    -0.182861328,-0.677490234,0.403686523,1e302,-1e302,1.0725708,-0.319458008,-0.346496582,
    0.335205078,1,1,1,1,1,1,1,1,1,1,1,1,-0.202270508,-0.598449707,-0.734130859,
    -0.276977539,-0.867797852,-0.499511719,1.39233398,0.751953125,0.404724121,0.0585327148,
    2.63293457,-1.31811523,4.03125,2.71875,-1.1875,4.34375,1.28125,0.578125,2.296875,
    5.859375,4.03125,2.71875,-1.1875,4.34375,1.28125,0.578125,2.296875,5.859375,9.90625,
    10.015625,-0.22265625,-0.27734375,-0.22265625,-0.27734375,-0.22265625,-0.27734375,
    -0.28515625,0.2421875,-0.28515625,0.2421875,-0.28515625,0.2421875,-0.22265625,
    -0.27734375,-0.22265625,-0.27734375,-0.22265625,-0.27734375,-0.28515625,0.2421875,
    -0.28515625,0.2421875,-0.28515625,0.2421875,0.5234375,0.92578125,0.5234375,0.92578125,
    0.5234375,0.92578125,0.32421875,0.22265625,0.32421875,0.22265625,0.32421875,0.22265625,
    0.5234375,0.92578125,0.5234375,0.92578125,0.5234375,0.92578125,0.32421875,0.22265625,
    0.32421875,0.22265625,0.32421875,0.22265625,-0.046875,-1.453125,-2.12091064,-1.26208496,
    -0.00439453125,0.0366210938,-0.0886230469,-0.0388183594,-0.0146484375,-0.0725097656,
    0.0373535156,-0.087890625,-0.136230469,1.13525391,-2.74731445,-1.20336914,-0.454101562,
    -2.24780273,1.15795898,-2.72460938,2.03125,2.9375,-0.0602416992,-0.357971191,
    0.381958008,-0.505371094,0.576904297,0.0773925781,0.292175293,1.01763916,1.609375,0,
    0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,
    1.671875,0.09375,0,-0.78125,0,1.890625,0,0,0.828125,0.3125,0,0,1.546875,1.609375,
    0.90625,1e301,-1.296875,0.546875,1.671875,0,2,4,1,2,5,1.609375,0,0.90625,1e302,
    1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.09375,0,0,
    -0.78125,1.890625,0,0,0.828125,0.3125,0,0,1.546875,1.609375,1e302,1.984375,
    -1.296875,0.546875,1.671875,0,3,4,1,2,5,1,1,1,1,1,1,1,1,1,1,1,1,0.09375,
    0,-0.78125,0,1.890625,0,0.828125,0,0.3125,0,1.546875,0,1,1,1,1,1,1,0,2,4,0,
    2,4,-0.046875,-1.453125,0.09375,0,-0.046875,0,1.609375,0,0.90625,-1.640625,1e301,
    -1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.046875,0.046875,
    -0.390625,-0.390625,0.9453125,0.9453125,0.4140625,0.4140625,0.15625,0.15625,0.7734375,
    0.7734375,0.8046875,-0.3671875,1e301,-1.5859375,0.234375,0.1640625,1.609375,0,0.90625,
    1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    0.046875,0.046875,-0.390625,-0.390625,0.9453125,0.9453125,0.4140625,0.4140625,0.15625,
    0.15625,0.7734375,0.7734375,0.8046875,1e302,0.484375,-1e302,0.234375,0.1640625,1,1,
    1,1,1,1,1,1,1,1,1,1,0.046875,0.046875,-0.390625,-0.390625,0.9453125,0.9453125,
    0.4140625,0.4140625,0.15625,0.15625,0.7734375,0.7734375,1,1,1,1,1,1,-0.046875,
    -1.453125,0.046875,0.046875,-0.75,1.609375,0,0.90625,-1.640625,1e301,-1.015625,
    -1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.09375,0,0,0,-0.78125,0,0,
    0,1.890625,0,0,0.828125,1.609375,1e301,0.546875,1.671875,0,4,2,5,1.609375,0,
    0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,
    1.671875,0.09375,0,0,-0.78125,0,0,0,0,1.890625,0,0,0.828125,1.609375,1e302,
    0.546875,1.671875,0,3,2,5,1,1,1,1,1,1,1,1,1,1,1,1,0.09375,0,0,-0.78125,0,
    0,1.890625,0,0,0.828125,0,0,1,1,1,1,0,3,0,3,-0.046875,-1.453125,0.09375,
    -0.78125,-0.046875,-1.453125,0,1,1.609375,0,0.90625,-1.640625,1e301,-1.015625,
    -1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.03125,0.03125,0.03125,
    -0.260416667,-0.260416667,-0.260416667,0.630208333,0.630208333,0.630208333,0.276041667,
    0.276041667,0.276041667,0.838541667,1e301,-0.875,0.0833333333,1.609375,0,0.90625,
    1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    0.03125,0.03125,0.03125,-0.260416667,-0.260416667,-0.260416667,0.630208333,0.630208333,
    0.630208333,0.276041667,0.276041667,0.276041667,0.838541667,1e302,-1e302,0.0833333333,
    1,1,1,1,1,1,1,1,1,1,1,1,0.03125,0.03125,0.03125,-0.260416667,-0.260416667,
    -0.260416667,0.630208333,0.630208333,0.630208333,0.276041667,0.276041667,0.276041667,1,
    1,1,1,-0.046875,-1.453125,0.09375,-0.78125,-0.046875,-1.453125,-0.546875,-1.890625,
    1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,-1.90625,-0.359375,1e301,
    0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0,0,-0.78125,0,0,0.09375,0,0,0,0,0.828125,0,1.890625,0,0,0,
    0,0.3125,1.546875,0,0,0,0,0,0,0,1.875,0,0,-0.796875,0,0,1.515625,1.703125,
    1.28125,1e301,1.953125,1.71875,1.140625,1.59375,5,2,12,10,1,2,13,10,-0.546875,
    -1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,1e302,-0.359375,
    -0.640625,0.90625,1.28125,-1.84375,-1.921875,0.71875,-1e302,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0,0,-0.78125,0,0,0.09375,0,0,1.890625,0,0,0.828125,0,0,0,0,
    0,0.3125,1.546875,0,0,0,0,0,0,0,1.875,0,0,-0.796875,0,0,1.515625,1.703125,
    1e302,0.90625,1.953125,1.71875,1.140625,1.59375,5,2,8,11,1,2,13,10,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.09375,0,
    -0.78125,0,0,0,0,0,1.890625,0,0.828125,0,0,0,0,0,0.3125,0,1.546875,0,0,0,0,
    0,-0.796875,0,1.875,0,0,0,0,0,1,1,1,1,1,1,1,1,0,2,8,10,0,2,8,10,
    -0.328125,-1.703125,-0.921875,1.046875,0,0,0,0.09375,1.046875,3,-0.546875,-1.890625,
    1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,-1.90625,-0.359375,1e301,
    0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0.0234375,0.0234375,-0.1953125,-0.1953125,0.0234375,0.0234375,
    -0.1953125,-0.1953125,0.47265625,0.47265625,0.20703125,0.20703125,0.47265625,0.47265625,
    0.20703125,0.20703125,0.078125,0.078125,0.38671875,0.38671875,0.078125,0.078125,
    0.38671875,0.38671875,-0.19921875,-0.19921875,0.46875,0.46875,-0.19921875,-0.19921875,
    0.46875,0.46875,-0.41015625,-0.08984375,-0.70703125,1e301,-0.1015625,0.8125,-0.1875,
    0.5390625,-0.546875,-1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,
    1e302,-0.359375,-0.640625,0.90625,1.28125,-1.84375,-1.921875,0.71875,-1e302,1.953125,
    1.71875,1.578125,-0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,
    -1.734375,1.140625,0.234375,-0.671875,0.0234375,0.0234375,-0.1953125,-0.1953125,
    0.0234375,0.0234375,-0.1953125,-0.1953125,0.47265625,0.47265625,0.20703125,0.20703125,
    0.47265625,0.47265625,0.20703125,0.20703125,0.078125,0.078125,0.38671875,0.38671875,
    0.078125,0.078125,0.38671875,0.38671875,-0.19921875,-0.19921875,0.46875,0.46875,
    -0.19921875,-0.19921875,0.46875,0.46875,-0.41015625,-0.08984375,1e302,-0.234375,-1e302,
    0.8125,-0.1875,0.5390625,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,0.0234375,0.0234375,-0.1953125,-0.1953125,0.0234375,
    0.0234375,-0.1953125,-0.1953125,0.47265625,0.47265625,0.20703125,0.20703125,0.47265625,
    0.47265625,0.20703125,0.20703125,0.078125,0.078125,0.38671875,0.38671875,0.078125,
    0.078125,0.38671875,0.38671875,-0.19921875,-0.19921875,0.46875,0.46875,-0.19921875,
    -0.19921875,0.46875,0.46875,1,1,1,1,1,1,1,1,-0.328125,-1.703125,-0.921875,
    1.046875,0.0234375,0.0234375,0.0234375,0.0234375,-0.4765625,-0.546875,-1.890625,
    1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,-1.90625,-0.359375,1e301,
    0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0,0,-0.78125,0,0,0.09375,0,0,0,0,0.828125,0,1.890625,0,0,0,
    0,0.3125,1.546875,0,0,0,0,0,0,0,1.875,0,0,-0.796875,0,0,1.515625,1.703125,
    1.28125,1e301,1.953125,1.71875,1.140625,1.59375,5,2,12,10,1,2,13,10,-0.546875,
    -1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,1e302,-0.359375,
    -0.640625,0.90625,1.28125,-1.84375,-1.921875,0.71875,-1e302,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0,0,-0.78125,0,0,0.09375,0,0,1.890625,0,0,0.828125,0,0,0,0,
    0,0.3125,1.546875,0,0,0,0,0,0,0,1.875,0,0,-0.796875,0,0,1.515625,1.703125,
    1e302,0.90625,1.953125,1.71875,1.140625,1.59375,5,2,8,11,1,2,13,10,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.09375,0,
    -0.78125,0,0,0,0,0,1.890625,0,0.828125,0,0,0,0,0,0.3125,0,1.546875,0,0,0,0,
    0,-0.796875,0,1.875,0,0,0,0,0,1,1,1,1,1,1,1,1,0,2,8,10,0,2,8,10,
    -0.328125,-1.703125,-0.921875,1.046875,0.09375,-0.78125,1.890625,0.828125,-0.328125,
    -1.703125,-0.921875,1.046875,0,1,2,3,-0.546875,-1.890625,1.703125,0.734375,-0.71875,
    1.515625,-1.4375,-1.359375,-1.90625,-0.359375,1e301,0.90625,1.28125,-1.84375,
    -1.921875,0.71875,0.046875,1.953125,1.71875,1.578125,-0.53125,-1.875,0.71875,
    -0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,0.234375,-0.671875,
    0.0234375,0.0234375,-0.1953125,-0.1953125,0.0234375,0.0234375,-0.1953125,-0.1953125,
    0.47265625,0.47265625,0.20703125,0.20703125,0.47265625,0.47265625,0.20703125,0.20703125,
    0.078125,0.078125,0.38671875,0.38671875,0.078125,0.078125,0.38671875,0.38671875,
    -0.19921875,-0.19921875,0.46875,0.46875,-0.19921875,-0.19921875,0.46875,0.46875,
    -0.41015625,-0.08984375,-0.70703125,1e301,-0.1015625,0.8125,-0.1875,0.5390625,
    -0.546875,-1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,1e302,
    -0.359375,-0.640625,0.90625,1.28125,-1.84375,-1.921875,0.71875,-1e302,1.953125,
    1.71875,1.578125,-0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,
    -1.734375,1.140625,0.234375,-0.671875,0.0234375,0.0234375,-0.1953125,-0.1953125,
    0.0234375,0.0234375,-0.1953125,-0.1953125,0.47265625,0.47265625,0.20703125,0.20703125,
    0.47265625,0.47265625,0.20703125,0.20703125,0.078125,0.078125,0.38671875,0.38671875,
    0.078125,0.078125,0.38671875,0.38671875,-0.19921875,-0.19921875,0.46875,0.46875,
    -0.19921875,-0.19921875,0.46875,0.46875,-0.41015625,-0.08984375,1e302,-0.234375,-1e302,
    0.8125,-0.1875,0.5390625,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,0.0234375,0.0234375,-0.1953125,-0.1953125,0.0234375,
    0.0234375,-0.1953125,-0.1953125,0.47265625,0.47265625,0.20703125,0.20703125,0.47265625,
    0.47265625,0.20703125,0.20703125,0.078125,0.078125,0.38671875,0.38671875,0.078125,
    0.078125,0.38671875,0.38671875,-0.19921875,-0.19921875,0.46875,0.46875,-0.19921875,
    -0.19921875,0.46875,0.46875,1,1,1,1,1,1,1,1,-0.328125,-1.703125,-0.921875,
    1.046875,0.09375,-0.78125,1.890625,0.828125,-0.328125,-1.703125,-0.921875,1.046875,
    -1.65625,0.625,0,0.796875,1.15625,-0.859375,1e301,0.390625,-0.984375,0.578125,
    -0.390625,-1.28125,-1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,0.0104166667,
    0.0104166667,0.0104166667,0.0104166667,0.0104166667,0.0104166667,0.0104166667,
    0.0104166667,0.0104166667,-0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,
    -0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,1e301,0.251736111,
    -1.65625,0.625,0,0.796875,1e302,-0.859375,-0.40625,0.390625,-0.984375,-1e302,
    -0.390625,-1.28125,-1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,0.0104166667,
    0.0104166667,0.0104166667,0.0104166667,0.0104166667,0.0104166667,0.0104166667,
    0.0104166667,0.0104166667,-0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,
    -0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,1e302,-1e302,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.0104166667,0.0104166667,0.0104166667,
    0.0104166667,0.0104166667,0.0104166667,0.0104166667,0.0104166667,0.0104166667,
    -0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,-0.0868055556,
    -0.0868055556,-0.0868055556,-0.0868055556,1,1,0.921875,0.09375,0.921875,-1.046875,
    -1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,1e301,1e301,1e301,1e301,
    -0.0528772953,1.52585372,-5.32727188,3.85429546,1e301,1e301,1e301,1e301,-1.49448612,
    1.2883501,0.309204024,-0.103068008,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,
    0.5625,0.4375,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1,1,1,1,1,1,1,1,-130.938059,-407.637355,
    437.283708,101.291706,-133.408589,256.93506,-484.223767,360.697296,0,0,0,0,0,0,0,
    0,0.921875,0,0,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,
    1e301,1e301,1e301,1e301,0.521471817,0.663818477,-2.80664331,2.28598826,1e301,1e301,
    1e301,1e301,0.0279891423,1.53940283,1.00760912,0.783695985,-1.046875,-1.78125,1e302,
    0.015625,-1e302,0.859375,0.5625,0.4375,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,-0.,-0.,1e301,0,1e301,0,0,0,1,1,1,1,1,1,1,1,-0.4140625,-1.2890625,
    1.3828125,0.3203125,-0.421875,0.8125,-1.53125,1.140625,1,1,1,1,1,1,1,1,0.921875,
    4.16333634e-17,1,0.1875,-1.859375,-0.796875,-0.859375,1.96875,-0.265625,0.125,-1.0625,
    1e301,0.296875,-1.3125,-1.15625,-1.234375,-1.828125,0.90625,0.515625,1.359375,
    -0.046875,1.953125,1.140625,-0.796875,-1.359375,-1.484375,1.25,-0.493202039,
    -1.12837553,1.07869212,0.182462789,-0.399875029,0.760297694,1e301,1e301,1e301,1e301,
    1e301,1e301,-0.0880070336,-0.17127319,1.44203968,-1.63376129,-0.615157846,1.06615969,
    0.802588924,-0.29898668,0.148970676,0.604688096,-0.470218257,-0.787042758,0.387999027,
    -1.34476935,-0.445317065,-0.498226023,1.89590433,0.00440907985,1e301,1e301,1e301,1e301,
    1e301,1e301,-1.03564441,-1.55689591,0.843604391,0.500675777,1.24140158,0.00685857228,
    1.33886659,0.746346907,-0.666584642,-1.07679058,-1.16794745,0.826109172,0.1875,
    -1.859375,-0.796875,-0.859375,1.96875,-0.265625,1e302,-1.0625,0.578125,0.296875,
    -1.3125,-1.15625,-1e302,-1.828125,0.90625,0.515625,1.359375,-0.046875,1.953125,
    1.140625,-0.796875,-1.359375,-1.484375,1.25,-0.493202039,-1.12837553,1.07869212,
    0.182462789,-0.399875029,0.760297694,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,0.802588924,-0.29898668,0.148970676,0.604688096,-0.470218257,
    -0.787042758,0.387999027,-1.34476935,-0.445317065,-0.498226023,1.89590433,0.00440907985,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1.33886659,
    0.746346907,-0.666584642,-1.07679058,-1.16794745,0.826109172,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,-175.407589,-452.106884,392.814178,56.8221767,
    -106.232765,284.110884,-368.108884,476.812178,-501.517473,224.818177,-249.523472,
    417.519472,135.879118,190.230765,382.93206,-669.513473,-422.460531,382.93206,251.170491,
    -183.642687,112.820844,340.10955,-119.408922,-401.049276,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,-0.328125,-1.703125,-0.921875,1.046875,0,0,0,0,
    0,0,0,0,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,1e301,
    -0.00276153457,1e301,-0.0229685241,1e301,-0.037479543,1e301,0.0632096016,1e301,
    3.93707497,1.5,3.46875,0,0,1e301,-0.01171875,1,1,1e301,1.03493652,0,1,1e301,
    0.0863481331,1e301,0.33054968,1e301,0.445218232,1e301,0.387883956,-1.046875,-1.78125,
    1e302,0.015625,-1e302,0.859375,0.5625,0.4375,1e301,-0.00781119778,1e301,-0.0649681109,
    1e301,-0.106013564,1e301,0.178792873,1e301,3.93707497,1.5,3.46875,0,0,1e301,
    -0.01171875,1,1,1e301,1.03493652,0,1,1e301,-0.573280459,1e301,0.117461058,1e301,
    0.441809248,1e301,0.279635153,1,1,1,1,1,1,1,1,26.4037832,-138.465454,-142.287054,
    -3.28117189,5.86750738,57.0923909,110.015763,84.6542347,0,0,1.5,3.46875,0,0,0.1,
    0.1,1,1,0.9,0.9,0,1,0.46875,-0.07421875,0.46875,-0.07421875,0.46875,-0.07421875,
    0.46875,-0.07421875,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,
    0,0,1,1,0,-0.417050708,-0.145627065,1e301,0.422912573,0.0934447867,0.689879012,
    0.356199821,0.556395792,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,0.5625,
    0.4375,0,0,1,1,0,-0.54125952,0.473144392,1e302,0.445068361,-1e302,0.431884833,
    -0.465820444,0.438476597,1,1,1,1,1,1,1,1,0,0,1,1,0,0.531247832,-0.0820305469,
    0.531247832,-0.0820305469,0.531247832,-0.0820305469,0.531247832,-0.0820305469,-0.046875,
    -1.453125,0,0,1,1,0,-0.478271437,-0.0603023938,1.875,-1.546875,1.921875,1.046875,
    -1.6875,1e301,-0.390625,0.5625,-0.65625,1.40625,1.390625,-0.3125,1.171875,-1.96875,
    -1.15625,0.1875,-0.156791789,-0.0456664037,0.17961477,0.0492307269,1e301,1e301,1e301,
    1e301,-0.200537738,0.0674936804,-0.215233961,0.321890715,1e301,1e301,1e301,1e301,
    4.16059595,1e301,3.15625,4.96875,0,0,0.0640625,1e301,1,1,1.06934989,1e301,0,1,
    0.444638846,-0.203216785,0.453513581,0.287851867,1e301,1e301,1e301,1e301,-0.0345968259,
    0.3558915,0.352933255,0.0304845617,1e301,1e301,1e301,1e301,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,-14.4902341,-56.6436424,72.0748007,20.8885193,-4.57433963,13.7230189,
    -21.0188011,18.5868737,-77.7203465,32.9323502,-39.3306354,62.2891881,4.22692143,
    6.7746549,15.8075281,-33.5258563,0,0,3.15625,4.96875,0,0,0.1,0.1,1,1,0.9,0.9,0,
    1,0.0546875,0.0546875,0.0546875,0.0546875,-0.3203125,-0.3203125,-0.3203125,-0.3203125,
    0.0546875,0.0546875,0.0546875,0.0546875,-0.3203125,-0.3203125,-0.3203125,-0.3203125,
    1.875,-1.546875,1.921875,1.046875,-1.6875,1e301,-0.390625,0.5625,-0.65625,1.40625,
    1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,-0.0876971021,-0.0255422258,
    0.100462498,0.0275358303,1e301,1e301,1e301,1e301,-0.112165176,0.0377507026,
    -0.120385097,0.180040569,1e301,1e301,1e301,1e301,4.16059595,1e301,3.15625,4.96875,0,
    0,0.0640625,1e301,1,1,1.06934989,1e301,0,1,0.326026812,-0.0363331168,0.330990647,
    0.2383324,1e301,1e301,1e301,1e301,0.0579797414,0.276388466,0.274733854,0.0943811955,
    1e301,1e301,1e301,1e301,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,-39.7552576,
    -155.406916,197.743684,57.3095272,-6.09911951,18.2973585,-28.0250681,24.7824983,
    -213.232745,90.3528583,-107.907128,170.895978,5.63589524,9.0328732,21.0767041,
    -44.7011417,0,0,3.15625,4.96875,0,0,0.1,0.1,1,1,0.9,0.9,0,1,0.28515625,
    0.28515625,0.28515625,0.28515625,-0.015625,-0.015625,-0.015625,-0.015625,0.28515625,
    0.28515625,0.28515625,0.28515625,-0.015625,-0.015625,-0.015625,-0.015625,1.875,
    -1.546875,1.921875,1.046875,-1.6875,1e301,-0.390625,0.5625,-0.65625,1.40625,1.390625,
    -0.3125,1.171875,-1.96875,-1.15625,0.1875,0.0937680343,1e301,1.89006424,0.827995184,
    0.312484747,1e301,-0.796694297,1.87489001,-1.21856451,1e301,-0.421684109,1.68748448,
    0.90610006,1e301,1.68721534,-1.64061173,1.87470178,1e301,1.92169022,1.04683804,
    -1.68721344,1e301,-0.390568564,0.562478766,-0.656173695,1e301,1.390506,-0.312496491,
    1.17182215,-1.96846195,-1.15615546,0.187499377,1.875,-1.546875,1.921875,1.046875,1e302,
    -1.328125,-0.390625,0.5625,-1e302,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,
    0.1875,1e301,-0.781234218,1.89006424,0.827995184,1e301,1.54668231,-0.796694297,
    1.87489001,1e301,1.07810677,-0.421684109,1.68748448,1e301,1.07790756,1.68721534,
    -1.64061173,0,-1.54671427,1.92169022,1.04683804,1e301,-1.32792136,-0.390568564,
    0.562478766,1e301,1.40598226,1.390506,-0.312496491,0,-1.96846195,-1.15615546,
    0.187499377,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.0937250036,-0.781249212,
    1.89047579,0.827948461,0.312517182,1.54666683,-0.796848833,1.87463989,-1.2186586,
    1.07785902,-0.4218668,1.68727738,0.90622031,1.0779633,1.68735235,-1.64054531,
    0.999950003,0.999950003,0.999950003,0.999950003,0.999925007,0.999925007,0.999925007,
    0.999925007,0.999925007,0.999925007,0.999925007,0.999925007,0.999950003,0.999950003,
    0.999950003,0.999950003,0.921875,0.0937440247,0.921855414,1.609375,0,0.90625,-1.640625,
    1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,-0.0160220212,
    -0.316240416,0.734910442,0.39023369,1e301,1e301,1e301,1e301,-0.682971479,0.505710942,
    0.135678057,0.356082892,0.651455257,0,0.366838882,-0.664104873,1e301,1e301,1e301,
    1e301,0.246901677,-0.0352716681,-0.606672691,0.754813697,1.609375,0,0.90625,1e302,
    1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,-0.682971479,0.505710942,0.135678057,0.356082892,
    0,0,0,1e301,0,-0.,1e301,-0.,0.246901677,-0.0352716681,-0.606672691,0.754813697,1,
    1,1,1,1,1,1,1,1,1,1,1,-0.20703125,-0.64453125,0.69140625,0.16015625,-0.2109375,
    0.40625,-0.765625,0.5703125,-0.75,0.3984375,-0.3515625,0.703125,0.5,0.5,0.5,0.5,0.5,
    0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.921875,0,1,1.609375,0,0.90625,-1.640625,1e301,
    -1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.00840073367,
    0.0355735646,-0.00837956279,0.00361200882,1e301,1e301,1e301,1e301,0.370806467,
    -0.142451259,-0.291163465,-0.36196767,0.0283730903,-0.00519384964,0.0178911909,
    -0.0307017375,1e301,1e301,1e301,1e301,0.389438429,-0.121930526,-0.497566061,
    0.0824708532,0.120182275,1e301,-0.69803055,1.609375,0,0.90625,1e302,1.984375,
    -1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,-0.155317857,0.526649796,-0.167074379,-0.05886937,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,0.15487854,-0.295343866,-0.0833738149,
    0.248200508,1e301,1e301,0.736980482,1,1,1,1,1,1,1,1,1,1,1,1,-0.0125779453,
    -0.00314448632,-0.00408783221,0.0198102638,-0.0082169484,0.19264179,-0.304027091,
    0.119602249,-0.0462805153,0.029666997,-0.112734589,0.129348107,0.0145605763,
    0.00760540613,0.00830092314,-0.00931884128,-0.218098458,-0.275401397,-0.133706857,
    -0.254563965,0.0402362303,-0.00768264591,0.082165247,-0.0705761709,0.858654397,
    0.238401063,0.981668672,0.921875,0,0,1,1.609375,0,0.90625,-1.640625,1e301,-1.015625,
    -1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,-0.247154541,-0.150373411,
    0.390688036,0.00683991624,1e301,1e301,1e301,1e301,-0.45343429,0.0152276126,
    -0.043217334,0.481424012,0.576760246,0.115359307,0.285517026,0.0223634217,1e301,1e301,
    1e301,1e301,0.209799495,0.112297578,0.0316749862,0.646227941,1.609375,0,0.90625,1e302,
    1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,1e301,
    1e301,1e301,-0.10164046,0.0514576469,-0.,0.0501828134,-0.45343429,0.0152276126,
    -0.043217334,0.481424012,1e301,1e301,1e301,1e301,0.919651587,0.0457867564,0,
    0.034561657,0.209799495,0.112297578,0.0316749862,0.646227941,1,1,1,1,1,1,1,1,1,1,
    1,1,-0.103515625,-0.322265625,0.345703125,0.080078125,-0.10546875,0.203125,-0.3828125,
    0.28515625,-0.375,0.19921875,-0.17578125,0.3515625,0.25,0.25,0.25,0.25,0.25,0.25,
    0.25,0.25,0.25,0.25,0.25,0.25,0.921875,0,1,1.609375,0,0.90625,-1.640625,1e301,
    -1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,-0.48997999,
    0.301054458,-0.0281092791,1e301,0.191225682,-0.123993168,0.00979484696,1e301,
    0.298754308,-0.17706129,0.0183144321,1e301,0.437249301,0.856633601,0.0334852448,1e301,
    0.158361202,0.0530778812,0.0472217639,1e301,0.404389497,0.0902885173,0.919292991,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.0172515615,-0.48997999,0.199471497,1e301,0.138748449,0.191225682,
    -0.,1e301,-0.156000011,0.298754308,-0.199471497,1e301,0.357068617,0.437249301,
    0.904650535,1e301,0.519531772,0.158361202,0,1e301,0.123399612,0.404389497,0.0953494649,
    1e301,1,1,1,1,1,1,1,1,1,1,1,1,0.121527778,-0.465277778,0.555555556,
    -0.211805556,0.194444444,0.310763889,-0.340277778,0.137152778,-0.315972222,0.154513889,
    -0.215277778,0.0746527778,0.333333333,0.333333333,0.333333333,0.333333333,0.333333333,
    0.333333333,0.333333333,0.333333333,0.333333333,0.333333333,0.333333333,0.333333333,
    0.921875,0,1,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,-1.07779425,-1.01557359,1.31066854,0.7826993,1e301,1e301,
    1e301,1e301,-1.45477443,0.951790225,-0.457509359,0.960493567,-0.550328617,-2.15970362,
    -1.25345362,-3.80032862,1e301,1e301,1e301,1e301,-1.56160299,-2.18660299,-3.45222799,
    -0.436602988,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,1e301,1e301,1e301,1e301,-2.38897654,1.4123764,-0.796875,
    1.77347513,-1.45477443,0.951790225,-0.457509359,0.960493567,1e301,1e301,1e301,1e301,
    -0.0837603909,-3.08376039,-1e302,-3.36501039,-1.56160299,-2.18660299,-3.45222799,
    -0.436602988,1,1,1,1,1,1,1,1,1,1,1,1,-0.4140625,-1.2890625,1.3828125,0.3203125,
    -0.421875,0.8125,-1.53125,1.140625,-1.5,0.796875,-0.703125,1.40625,-1.38629436,
    -1.38629436,-1.38629436,-1.38629436,-1.38629436,-1.38629436,-1.38629436,-1.38629436,
    -1.38629436,-1.38629436,-1.38629436,-1.38629436,0.921875,0,0,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,
    -1.5874284,1.3150743,0.681103847,1e301,1.25489653,-0.832536701,1.66766694,1e301,
    0.332531865,-0.482537598,-2.34877079,1e301,-0.827251764,-0.154744988,-3.39665039,1e301,
    -1.84287676,-2.93599499,-3.05290039,1e301,-0.905376764,-2.40474499,-0.0841503921,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.383868251,-1.5874284,1.28281292,1e301,0.734619564,1.25489653,
    -0.796875,1e301,-1.11848782,0.332531865,-0.485937922,1e301,-1.02982731,-0.827251764,
    -0.100206559,1e301,-0.654827312,-1.84287676,-1e302,1e301,-2.09232731,-0.905376764,
    -2.35020656,1e301,1,1,1,1,1,1,1,1,1,1,1,1,0.364583333,-1.39583333,1.66666667,
    -0.635416667,0.583333333,0.932291667,-1.02083333,0.411458333,-0.947916667,0.463541667,
    -0.645833333,0.223958333,-1.09861229,-1.09861229,-1.09861229,-1.09861229,-1.09861229,
    -1.09861229,-1.09861229,-1.09861229,-1.09861229,-1.09861229,-1.09861229,-1.09861229,
    0.921875,0,0,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,0.0159168052,0.208970155,-0.075205306,-0.149681654,1e301,
    1e301,1e301,1e301,0.109096696,-0.233318902,0.184920468,-0.0606982628,0.0295769774,
    0.147875584,0.0597471368,0.762800302,1e301,1e301,1e301,1e301,0.101870282,0.190318743,
    0.674738536,0.0330724385,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,
    0.546875,-0.078125,-1.34375,1.671875,-0.0115824157,0.487586086,-0.476003671,-0.,1e301,
    1e301,1e301,1e301,0.109096696,-0.233318902,0.184920468,-0.0606982628,0.124692307,
    0.62342231,0.251885383,0,1e301,1e301,1e301,1e301,0.101870282,0.190318743,0.674738536,
    0.0330724385,1,1,1,1,1,1,1,1,1,1,1,1,0.103515625,0.322265625,-0.345703125,
    -0.080078125,0.10546875,-0.203125,0.3828125,-0.28515625,0.375,-0.19921875,0.17578125,
    -0.3515625,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.25,0.921875,
    -0.,1,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,1e301,0.359881802,-0.0921228598,0.253914987,1e301,
    -0.333823015,0.142167408,-0.24523077,1e301,-0.0260587872,-0.0500445481,-0.00868421685,
    1e301,0.206511457,0.0375559798,0.572891514,1e301,0.570196417,0.606122805,0.406240914,
    1e301,0.223292125,0.356321215,0.0208675719,1.609375,0,0.90625,1e302,1.984375,
    -1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,-0.1738187,0.359881802,
    1e301,0,-0.152283702,-0.333823015,1e301,-0.00871325552,0.326102402,-0.0260587872,1e301,
    0.00871325552,0.218298419,0.206511457,1e301,0,0.150034163,0.570196417,1e301,
    0.951142221,0.631667419,0.223292125,1e301,0.0488577786,1,1,1,1,1,1,1,1,1,1,1,1,
    -0.121527778,0.465277778,-0.555555556,0.211805556,-0.194444444,-0.310763889,0.340277778,
    -0.137152778,0.315972222,-0.154513889,0.215277778,-0.0746527778,0.333333333,0.333333333,
    0.333333333,0.333333333,0.333333333,0.333333333,0.333333333,0.333333333,0.333333333,
    0.333333333,0.333333333,0.333333333,0.921875,-0.,1,1.609375,0,0.90625,-1.640625,
    1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.0667717673,
    -0.126859404,0.0309237634,-0.,0.251385517,0.177791331,1e301,-0.141802637,0.0646543903,
    1.30219905,0.0280425369,-0.0160917572,1.14624867,0,1e301,-0.218045973,0.113145183,
    -0.0657676287,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,0.0667717673,-0.78125,0.0309237634,-0.,0,0.177791331,0,
    -0.141802637,0.0646543903,1.30219905,0.0280425369,-0.0160917572,1.14624867,0,0,
    -0.218045973,0.113145183,-0.0657676287,1,1,1,1,1,1,1,1,1,1,1,1,0.0685367417,
    -0.571139515,0.0184323687,-0.153603073,1.38215763,0.605407885,0.371719436,0.162819257,
    0.228455806,1.13085624,0.0614412291,0.304134084,0.731058579,0.731058579,0.731058579,
    0.731058579,0.731058579,0.731058579,-0.046875,-1.453125,0.0177676023,-0.000675012512,
    -0.00888380116,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,-0.,1e301,0.0959843397,1.609375,0,0.90625,1e302,1.984375,
    -1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,-1e302,
    0.0959843397,1,1,1,1,1,1,1,1,1,1,1,1,0.09375,0.09375,0.09375,0.09375,-0.78125,
    -0.78125,-0.78125,-0.78125,1.890625,1.890625,1.890625,1.890625,1,1,1,0.921875,
    0.09375,0.921875,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,
    0.546875,-0.078125,-1.34375,1.671875,0.09375,0.09375,0.09375,0.09375,-0.78125,
    -0.78125,-0.78125,-0.78125,1.890625,1.890625,1.890625,1.890625,0.875,1e301,0.796875,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.09375,0.09375,0.09375,0.09375,-0.78125,-0.78125,-0.78125,-0.78125,
    1.890625,1.890625,1.890625,1.890625,1e302,-1e302,0.796875,1,1,1,1,1,1,1,1,1,1,
    1,1,0.09375,0.09375,0.09375,0.09375,-0.78125,-0.78125,-0.78125,-0.78125,1.890625,
    1.890625,1.890625,1.890625,4,4,4,0.921875,0.09375,0.921875,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    0.0234375,0.0234375,0.0234375,0.0234375,-0.1953125,-0.1953125,-0.1953125,-0.1953125,
    0.47265625,0.47265625,0.47265625,0.47265625,0.21875,1e301,0.19921875,1.609375,0,
    0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,
    1.671875,0.0234375,0.0234375,0.0234375,0.0234375,-0.1953125,-0.1953125,-0.1953125,
    -0.1953125,0.47265625,0.47265625,0.47265625,0.47265625,1e302,-1e302,0.19921875,1,1,1,
    1,1,1,1,1,1,1,1,1,0.0234375,0.0234375,0.0234375,0.0234375,-0.1953125,-0.1953125,
    -0.1953125,-0.1953125,0.47265625,0.47265625,0.47265625,0.47265625,1,1,1,0.921875,
    0.09375,0.921875,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,
    0.546875,-0.078125,-1.34375,1.671875,0.09375,0,0,0,1e301,1e301,1e301,1e301,0,0,0,
    1.890625,1.609375,1e301,1.671875,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,
    -1.296875,0.546875,-0.078125,-1.34375,1.671875,0,0,0,0.09375,-0.78125,-0.,-0.,-0.,
    0,0,0,1.890625,1e302,1.984375,1.671875,1,1,1,1,1,1,1,1,1,1,1,1,0.0234375,
    0.0234375,0.0234375,0.0234375,-0.1953125,-0.1953125,-0.1953125,-0.1953125,0.47265625,
    0.47265625,0.47265625,0.47265625,1,1,1,0.921875,0.09375,0.921875,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0,0,
    0,0.09375,1e301,1e301,1e301,1e301,0,0,1.890625,0,-1.640625,1e301,-1.34375,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0,0.09375,0,0,-0.,-0.,-0.78125,-0.,0,0,1.890625,0,0,-1e302,
    -1.34375,1,1,1,1,1,1,1,1,1,1,1,1,0.0234375,0.0234375,0.0234375,0.0234375,
    -0.1953125,-0.1953125,-0.1953125,-0.1953125,0.47265625,0.47265625,0.47265625,0.47265625,
    1,1,1,0.921875,0.09375,0.921875,1.609375,0,0.90625,-1.640625,1e301,-1.015625,
    -1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.0610739303,0,0.0343911452,
    -0.0622598319,1e301,1e301,1e301,1e301,0.466798482,-0.0666854975,-1.14699056,1.42706965,
    2.4704306,1e301,2.21495053,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,
    -1.296875,0.546875,-0.078125,-1.34375,1.671875,0,0,0,1e301,-0.,0,1e301,0,
    0.466798482,-0.0666854975,-1.14699056,1.42706965,1e302,1e302,2.21495053,1,1,1,1,1,
    1,1,1,1,1,1,1,0.046875,0.046875,0.046875,0.046875,-0.390625,-0.390625,-0.390625,
    -0.390625,0.9453125,0.9453125,0.9453125,0.9453125,2,2,2,0.921875,0.09375,0.921875,
    1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.0540712731,0.010814935,0.0267672212,0.00209657078,1e301,1e301,
    1e301,1e301,0.396652171,0.212312608,0.0598855208,1.2217747,2.15970362,1e301,2.10847799,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0,0,0,1e301,-0.718477802,-0.0357709035,-0.,-0.0270012945,
    0.396652171,0.212312608,0.0598855208,1.2217747,1e302,2.06813539,2.10847799,1,1,1,1,
    1,1,1,1,1,1,1,1,0.0234375,0.0234375,0.0234375,0.0234375,-0.1953125,-0.1953125,
    -0.1953125,-0.1953125,0.47265625,0.47265625,0.47265625,0.47265625,2.38629436,2.38629436,
    2.38629436,0.921875,0.09375,0.921875,1.609375,0,0.90625,-1.640625,1e301,-1.015625,
    -1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.0869140625,-0.013671875,
    0.04296875,-0.116210938,1e301,1e301,1e301,1e301,0.438191732,-0.349568685,-1.94478353,
    1.85616048,1.97054036,1e301,1.58241781,1.609375,0,0.90625,1e302,1.984375,-1.015625,
    -1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,-1e302,-1e302,-1e302,1e301,
    -1e302,-1e302,1e301,-1e302,0.438191732,-0.349568685,-1.94478353,1.85616048,1e301,
    1e301,1.58241781,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,-0.,-0.,-0.,-0.,0,0,0,
    0,0,0,0,-0.046875,-1.453125,1e301,1e301,1e301,1e301,1.609375,0,0.90625,-1.640625,
    1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.0309576073,
    -0.00486973598,0.0153048845,-0.0413927558,1e301,1e301,1e301,1e301,0.1741701,
    -0.138944687,-0.773002131,0.737776718,1.40375937,1e301,1.25794189,1.609375,0,0.90625,
    1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,0.1741701,-0.138944687,-0.773002131,
    0.737776718,1e301,1e301,1.25794189,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,-0.046875,-1.453125,1e301,1e301,1e301,1e301,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0,0,
    3,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,3,0,3,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0.921875,0,
    1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,3,0,2,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,
    -1.296875,0.546875,-0.078125,-1.34375,1.671875,1,2,2,1,1,1,1,1,1,1,1,1,1,1,
    1,0,0,0,0.921875,0,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,
    0.546875,-0.078125,-1.34375,1.671875,1,1,1,1.609375,0,0.90625,1e302,1.984375,
    -1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,0.921875,1,1.609375,0,0.90625,-1.640625,1e301,-1.015625,
    -1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0,1,1,1.609375,0,0.90625,
    1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.921875,1,-1.046875,-1.78125,1e301,
    0.015625,0.015625,0.859375,0.5625,0.4375,2.03125,1.9375,2.71875,0.828125,2.9375,
    2.625,1.078125,1.875,-1.046875,-2.828125,1e301,1e301,0.015625,0.875,1.4375,1.875,
    -1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,2.03125,1.9375,
    2.71875,0.828125,2.9375,2.625,1.078125,1.875,-1.046875,-2.828125,1e302,1e302,-1e302,
    -1e302,-1e302,-1e302,1,1,1,1,1,1,1,1,2.03125,1.9375,2.71875,0.828125,2.9375,
    2.625,1.078125,1.875,1,2,3,4,1,2,3,4,0.921875,0.09375,0.921875,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,1.890625,0.3125,-0.78125,0.828125,
    1.546875,-1.734375,0.34375,1.265625,-0.71875,1e301,-0.09375,-1.734375,1e302,0.921875,
    -1e302,-0.71875,-0.09375,0.09375,1.890625,0.3125,-0.78125,0.828125,1.546875,-1.734375,
    -1e302,1e302,-0.71875,0.921875,-0.09375,1,1,1,1,1,1,0.09375,1.890625,0.3125,
    -0.78125,0.828125,1.546875,1,1,1,1,1,1,0.921875,0.09375,0.921875,-1.046875,
    -1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,0.09375,0,-0.78125,0,
    1.890625,0,0.828125,0,-1.046875,1e301,0.015625,0.5625,-1.046875,-1.78125,1e302,
    0.015625,-1e302,0.859375,0.5625,0.4375,0.09375,0,-0.78125,0,1.890625,0,0.828125,0,
    -1.046875,1e302,-1e302,0.5625,1,1,1,1,1,1,1,1,0.09375,0,-0.78125,0,1.890625,0,
    0.828125,0,1,1,1,1,-0.046875,-1.453125,0.09375,0,-0.046875,-1.734375,1.265625,
    1e301,0.34375,-0.71875,-0.09375,0.921875,-0.46875,3.4375,0.28125,1.453125,0.46875,
    -1.734375,1.265625,1e301,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.34375,
    -0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.921875,-0.46875,
    3.4375,0.28125,1.453125,0.46875,-1.734375,1e302,0.921875,-1.734375,1e302,0.921875,
    -1e302,-0.71875,-0.09375,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.921875,-0.46875,
    3.4375,0.28125,1.453125,0.46875,1,1,1,1,1,1,1,1,1,1,1,1,0.921875,-0.6875,
    0.921875,0.921875,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.921875,
    -0.46875,3.4375,0.28125,1.453125,0.46875,-1.734375,1.265625,1e301,-1.734375,1.265625,
    1e301,0.34375,-0.71875,-0.09375,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,
    -1e302,-0.71875,-0.09375,0.921875,-0.46875,3.4375,0.28125,1.453125,0.46875,-1.734375,
    1e302,0.921875,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-1e302,-0.71875,
    -0.09375,1,1,1,1,1,1,0.921875,-0.46875,3.4375,0.28125,1.453125,0.46875,1,1,1,1,
    1,1,1,1,1,1,1,1,0.921875,-0.6875,0.921875,0.921875,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.0625,3.765625,1,-1.234375,2.59375,3.296875,-1.734375,
    -1.734375,1.265625,1e301,1e301,-1.734375,-1.734375,1.265625,1e301,1e301,0.34375,
    0.34375,-0.71875,-0.09375,-0.09375,0.34375,0.34375,-0.71875,-0.09375,-0.09375,
    -1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.0625,3.765625,1,-1.234375,
    2.59375,3.296875,-1.734375,-1.734375,1e302,0.921875,0.921875,-1.734375,-1.734375,
    1e302,0.921875,0.921875,-1e302,-1e302,-0.71875,-0.09375,-0.09375,-1e302,-1e302,
    -0.71875,-0.09375,-0.09375,1,1,1,1,1,1,0.0625,3.765625,1,-1.234375,2.59375,
    3.296875,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.921875,3.75,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,-0.78125,1.890625,0.828125,1.546875,
    -0.796875,1.875,0,-1.734375,1.265625,1e301,0,0.34375,-0.71875,-0.09375,0,0,0,0,
    -1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-0.78125,1.890625,0.828125,1.546875,
    -0.796875,1.875,0,-1.734375,1e302,0.921875,0,-1e302,-0.71875,-0.09375,0,0,0,0,1,
    1,1,1,1,1,-0.78125,1.890625,0.828125,1.546875,-0.796875,1.875,0,1,1,1,0,1,1,
    1,0,0,0,0,0.921875,-0.78125,0,0.921875,0,0,-1.734375,1.265625,1e301,0.34375,
    -0.71875,-0.09375,1.890625,-0.78125,0.09375,1.546875,0.3125,0.828125,1e301,1.265625,
    -1.734375,-0.09375,-0.71875,0.34375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,
    1.890625,-0.78125,0.09375,1.546875,0.3125,0.828125,0.921875,1e302,-1.734375,-0.09375,
    -0.71875,-1e302,1,1,1,1,1,1,1.890625,-0.78125,0.09375,1.546875,0.3125,0.828125,1,
    1,1,1,1,1,0.921875,0.09375,0.921875,-1.734375,1.265625,1e301,0.34375,-0.71875,
    -0.09375,-0.78125,1.890625,0.09375,0.3125,1.546875,0.828125,1e301,-1.734375,1.265625,
    -0.09375,0.34375,-0.71875,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-0.78125,
    1.890625,0.09375,0.3125,1.546875,0.828125,0.921875,-1.734375,1e302,-0.09375,-1e302,
    -0.71875,1,1,1,1,1,1,-0.78125,1.890625,0.09375,0.3125,1.546875,0.828125,1,1,1,
    1,1,1,0.921875,0.09375,0.921875,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    0.1875,-0.25,6.8125,2.46875,0.8125,-0.125,-1.734375,1.265625,1e301,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,0.34375,-0.71875,-0.09375,-1.734375,1.265625,
    1e301,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.34375,-0.71875,-0.09375,
    -1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.1875,-0.25,6.8125,2.46875,0.8125,
    -0.125,-1.734375,1e302,0.921875,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,
    -1e302,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.1875,-0.25,6.8125,
    2.46875,0.8125,-0.125,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,0.921875,2.03125,0.921875,0.921875,0.921875,0.921875,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,-0.6875,2.71875,1.859375,1.078125,-0.140625,1.265625,
    -1.734375,-1.734375,1.265625,1.265625,1e301,1e301,0.34375,0.34375,-0.71875,-0.71875,
    -0.09375,-0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-0.6875,2.71875,
    1.859375,1.078125,-0.140625,1.265625,-1.734375,-1.734375,1e302,1e302,0.921875,
    0.921875,-1e302,-1e302,-0.71875,-0.71875,-0.09375,-0.09375,1,1,1,1,1,1,-0.6875,
    2.71875,1.859375,1.078125,-0.140625,1.265625,1,1,1,1,1,1,1,1,1,1,1,1,0.921875,
    -0.6875,0.921875,0.921875,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,
    0.4375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.046875,
    -1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,-1.046875,-1.78125,1e302,
    0.015625,-1e302,0.859375,0.5625,0.4375,0.09375,-0.78125,1.890625,0.828125,0.3125,
    1.546875,-0.796875,1.875,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,0.5625,
    0.4375,1,1,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    -0.796875,1.875,1,1,1,1,1,1,1,1,0.921875,0.09375,0.921875,-1.734375,1.265625,
    1e301,0.34375,-0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-1.734375,1e302,
    0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,
    0.3125,1.546875,1,1,1,1,1,1,0.921875,0.09375,0.921875,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-1.734375,1e302,
    0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,
    0.3125,1.546875,1,1,1,1,1,1,0.921875,0.09375,0.921875,0.40625,1.59375,-1.03125,
    1e301,0.78125,0.140625,0.421875,-0.21875,0.421875,5.703125,1.25,4.40625,0.0625,
    3.03125,1.171875,1.296875,0,-3.53125,0,0,0,0,0,0.40625,1.59375,-1.03125,0,1e301,
    0.78125,0.140625,0,0.421875,-0.21875,0.421875,0,0,0,0,0.40625,1.59375,-1.03125,0,
    1e301,0.78125,0.140625,0,0.421875,-0.21875,0.421875,0,0,0.40625,1.59375,-1.03125,0,
    1e301,0.78125,0.140625,0,0.421875,-0.21875,0.421875,0,0,0,0,0.40625,1.59375,
    -1.03125,0,1e301,0.78125,0.140625,0,0.421875,-0.21875,0.421875,0,0,0,0,0,0.40625,
    1.59375,1e302,-1.625,-1e302,0.140625,0.421875,-0.21875,0.421875,5.703125,1.25,
    4.40625,0.0625,3.03125,1.171875,1.296875,0,-3.53125,0,0,0,0,0,0.40625,1.59375,
    1e302,0,-1.625,-1e302,0.140625,0,0.421875,-0.21875,0.421875,0,0,0,0,0.40625,
    1.59375,1e302,0,-1.625,-1e302,0.140625,0,0.421875,-0.21875,0.421875,0,0,0.40625,
    1.59375,1e302,0,-1.625,-1e302,0.140625,0,0.421875,-0.21875,0.421875,0,0,0,0,
    0.40625,1.59375,1e302,0,-1.625,-1e302,0.140625,0,0.421875,-0.21875,0.421875,0,0,0,
    0,0,1,1,1,1,1,1,1,1,1,5.703125,1.25,4.40625,0.0625,3.03125,1.171875,1.296875,
    0,-3.53125,0,0,0,0,0,1,1,1,0,1,1,1,0,1,1,1,0,0,0,0,1,1,1,0,1,1,1,
    0,1,1,1,0,0,1,1,1,0,1,1,1,0,1,1,1,0,0,0,0,1,1,1,0,1,1,1,0,1,1,1,
    0,0,0,0,0,0.921875,2.015625,0,0,0,0.921875,0,0,0.921875,0,0,0.921875,0,0,
    0.921875,0,0,0,1.875,-1.546875,1.921875,1.046875,-1.6875,1e301,-0.390625,0.5625,
    -0.65625,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,0.09375,-0.78125,
    0.828125,0.3125,-0.78125,1.890625,0.3125,1.546875,0.828125,0.3125,-0.796875,1.875,
    0.3125,1.546875,1.875,-1.21875,1.875,-3.234375,1e301,1.265625,3.234375,-1.40625,
    1.390625,-1.46875,0.1875,1.875,-1.546875,1.921875,1.046875,1e302,-1.328125,-0.390625,
    0.5625,-1e302,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,0.09375,
    -0.78125,0.828125,0.3125,-0.78125,1.890625,0.3125,1.546875,0.828125,0.3125,-0.796875,
    1.875,0.3125,1.546875,1.875,-1.21875,1.875,1e302,-1.328125,-1e302,3.234375,-1.40625,
    1.390625,-1.46875,0.1875,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.09375,-0.78125,
    0.828125,0.3125,-0.78125,1.890625,0.3125,1.546875,0.828125,0.3125,-0.796875,1.875,
    0.3125,1.546875,1.875,-1.21875,1,2,1,2,4,2,1,2,1,-0.328125,-1.703125,-0.921875,
    1.046875,0.09375,-0.78125,1.890625,0.828125,-0.328125,-1.703125,-0.921875,1.046875,
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.1875,-0.25,6.8125,2.46875,
    0.8125,-0.125,-1.734375,1.265625,1e301,-1.734375,1.265625,1e301,0.34375,-0.71875,
    -0.09375,0.34375,-0.71875,-0.09375,-1.734375,1.265625,1e301,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0.1875,-0.25,6.8125,2.46875,0.8125,-0.125,-1.734375,1e302,0.921875,
    -1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-1e302,-0.71875,-0.09375,-1.734375,
    1e302,0.921875,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-1e302,-0.71875,
    -0.09375,1,1,1,1,1,1,0.1875,-0.25,6.8125,2.46875,0.8125,-0.125,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.921875,9.90625,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,-1.046875,-1.78125,1e301,0.015625,0.015625,
    0.859375,0.5625,0.4375,0.09375,1.890625,-0.78125,0.828125,0.3125,-0.796875,1.546875,
    1.875,-1.046875,1e301,-1.78125,0.015625,0.015625,0.5625,0.859375,0.4375,-1.046875,
    -1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,0.09375,1.890625,-0.78125,
    0.828125,0.3125,-0.796875,1.546875,1.875,-1.046875,1e302,-1.78125,0.015625,-1e302,
    0.5625,0.859375,0.4375,1,1,1,1,1,1,1,1,0.09375,1.890625,-0.78125,0.828125,
    0.3125,-0.796875,1.546875,1.875,1,1,1,1,1,1,1,1,-0.328125,-1.703125,-0.921875,
    1.046875,0.09375,-0.78125,1.890625,0.828125,-0.328125,-1.703125,-0.921875,1.046875,
    -1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,0.09375,-0.78125,
    0.3125,1.546875,1.890625,0.828125,-0.796875,1.875,-1.046875,-1.78125,0.015625,
    0.859375,1e301,0.015625,0.5625,0.4375,-1.046875,-1.78125,1e302,0.015625,-1e302,
    0.859375,0.5625,0.4375,0.09375,-0.78125,0.3125,1.546875,1.890625,0.828125,-0.796875,
    1.875,-1.046875,-1.78125,-1e302,0.859375,1e302,0.015625,0.5625,0.4375,1,1,1,1,1,
    1,1,1,0.09375,-0.78125,0.3125,1.546875,1.890625,0.828125,-0.796875,1.875,1,1,1,1,
    1,1,1,1,-0.046875,-1.453125,0.09375,-0.78125,-0.046875,-1.453125,-1.734375,1.265625,
    1e301,0.34375,-0.71875,-0.09375,1.984375,0.046875,0,0,0,0,0,0,-1.734375,1.265625,
    -1.734375,1.265625,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,1.984375,
    0.046875,0,0,0,0,0,0,-1.734375,1e302,-1.734375,1e302,1,1,1,1,1,1,1.984375,
    0.046875,0,0,0,0,0,0,1,1,1,1,0.921875,-0.6875,0,0,0.921875,0.921875,0.609375,
    1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,1.890625,
    0.828125,0.09375,0.3125,-0.78125,-0.796875,-1.21875,1.875,1.546875,1.078125,-1.796875,
    -1.203125,0.609375,1.3125,1e301,-1.703125,-0.5625,0.703125,1.125,1.21875,2,4,0,1,
    3,3,0,2,1,4,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,
    -1.703125,1.21875,1.890625,0.828125,0.3125,-0.78125,0.09375,1.546875,-1.21875,1.875,
    -0.796875,1.078125,-1.203125,0.4375,0.609375,1.3125,1e302,-1e302,-1.703125,0.703125,
    1.125,1.21875,4,3,0,1,2,0,3,2,1,4,1,1,1,1,1,1,1,1,1,1,0.09375,-0.78125,
    1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,1.078125,1,1,1,1,1,1,
    1,1,1,1,0,1,2,3,4,0,1,2,3,4,0.921875,0.09375,0.921875,0,0.609375,1.3125,
    -1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,0,0,0,0.09375,0,
    0,0,0,0,-0.78125,1e301,1.21875,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,
    1.125,0.703125,-1.703125,1.21875,0,0,0.09375,0,0,0,0,0,0,-0.78125,1e302,1.21875,
    1,1,1,1,1,1,1,1,1,1,1,1,0.921875,0.09375,0.921875,0.609375,1.3125,-1.796875,
    1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,0,0,0.09375,0,0,0,0,0,
    -0.78125,0,-1.796875,-1.703125,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,
    0.703125,-1.703125,1.21875,0,0,0,0,0.09375,-0.78125,0,0,0,0,-1.203125,-1e302,1,
    1,1,1,1,1,1,1,1,1,1,1,0.921875,0.09375,0.921875,0.609375,1.3125,-1.796875,
    1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,0,0,0,0.09375,0,0,0,
    -0.78125,0,0,1e301,0.703125,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,
    0.703125,-1.703125,1.21875,0.09375,0,0,0,0,0,0,-0.78125,0,0,0.609375,0.703125,1,
    1,1,1,1,1,1,1,1,1,1,1,0.921875,0.09375,0.921875,3,1e301,1,1e301,2,1e301,
    1e301,5,1e302,1,4,1,7,2,3,0,0.09375,0,0,0,-0.78125,0,0,0,0,0,0,0,0,
    1.890625,1e301,1e301,3,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,
    0.703125,-1.703125,1.21875,0.609375,0.799804688,-1.43714905,1e301,1e301,-0.5625,
    -0.6328125,-0.444946289,0.757799149,0.923567712,0.609375,1.3125,1e302,0.4375,-1.203125,
    -1e302,1.125,0.703125,-1.703125,1.21875,0.609375,0.799804688,1e302,1e302,-1e302,
    -1e302,-1e302,-1e302,1e302,1e302,1,1,1,1,1,1,1,1,1,1,2.34375,2.25,3.03125,
    1.140625,0.3125,2.484375,0.9375,1.734375,-0.140625,1.078125,1,1,1,1,1,1,1,1,1,
    1,0.921875,0.09375,0.921875,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,
    0.703125,-1.703125,1.21875,0.609375,1.71465022,1.74406469,1e301,1e301,-0.5625,
    1.29472708,1.73519885,1.76681232,2.22301416,0.609375,1.3125,1e302,0.4375,-1.203125,
    -1e302,1.125,0.703125,-1.703125,1.21875,0.609375,1.71465022,1e302,1e302,1e302,-1e302,
    1.125,1.62929395,1.66437787,2.15933143,1,1,1,1,1,1,1,1,1,1,0.602864583,
    0.509114583,0.899739583,0.26953125,0.0625,1.684375,0.1375,0.5359375,-0.0890625,
    0.215625,1,1.69314718,2.09861229,2.38629436,2.60943791,1,1.69314718,2.09861229,
    2.38629436,2.60943791,0.921875,0.09375,0.921875,0.609375,1.3125,-1.796875,1e301,
    -1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,0.09375,1.109375,0,1.140625,0,
    1.546875,-0.140625,0,0,1.078125,0.609375,1.3125,1.3125,1e301,1e301,-0.5625,1.125,
    1.125,1.125,1.21875,0,1,1,3,3,0,1,1,1,4,0.609375,1.3125,1e302,0.4375,
    -1.203125,-1e302,1.125,0.703125,-1.703125,1.21875,0.09375,-0.78125,3.03125,0,0,
    1.546875,-0.140625,0,0,1.078125,0.609375,1.3125,1e302,1e302,1e302,-1e302,1.125,
    1.125,1.125,1.21875,0,1,2,2,2,0,1,1,1,4,1,1,1,1,1,1,1,1,1,1,0.09375,
    -0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,1.078125,1,1,1,
    1,1,1,1,1,1,1,0,1,2,3,4,0,1,2,3,4,0.921875,0.09375,0.921875,0,0.609375,
    1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,-0.6875,0,
    1.890625,1.140625,0,2.625,0,0,-0.140625,0,0.609375,0.609375,-1.796875,1e301,1e301,
    -0.5625,-0.5625,-0.5625,-1.703125,-1.703125,0,0,2,3,3,0,0,0,3,3,0.609375,
    1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,1.21875,1.203125,0,0,
    0.828125,0.3125,2.484375,0,0,0,0,0.609375,0.609375,0.609375,0.4375,-1.203125,
    -1e302,-1e302,-1e302,-1e302,-1e302,0,0,0,3,4,0,0,0,0,0,1,1,1,1,1,1,1,1,
    1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,
    1.078125,1,1,1,1,1,1,1,1,1,1,0,1,2,3,4,0,1,2,3,4,0.921875,0.09375,
    0.921875,0,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,-0.78125,0,0,
    0,0,0,0,-1.734375,1.265625,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,
    0.09375,-0.78125,0,0,0,0,0,0,-1.734375,1e302,1,1,1,1,1,1,0.09375,-0.78125,0,
    0,0,0,0,0,1,1,-0.046875,-1.453125,0.09375,-0.78125,0,0,-0.046875,-1.453125,
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,
    0.3125,1.546875,0,0,0.09375,-0.78125,-3.328125,1.765625,1e301,0.34375,-0.71875,
    -0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.09375,-0.78125,1.890625,
    0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,-0.421875,1e302,0.921875,-1e302,
    -0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    0,0,0.09375,-0.78125,-0.203125,2.359375,1,1,1,1,-0.046875,-1.453125,0.09375,
    -0.78125,0,0,0.09375,-0.78125,1.375,-3.1875,-1.734375,1.265625,1e301,0.34375,
    -0.71875,-0.09375,0,-0.78125,1e301,0.828125,0.3125,1.546875,0,0,0.09375,-0.,
    1.890625,1.265625,1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0,-0.78125,1.890625,0.828125,0.3125,1.546875,0,0,0.09375,-0.,
    1.21875,1e302,0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,
    1.890625,0.828125,0.3125,1.546875,0,0,0,-0.,1,1,1,1,1,1,-0.046875,-1.453125,
    0.09375,-0.,0,0,0,-0.78125,-0.046875,1.671875,-1.734375,1.265625,1e301,0.34375,
    -0.71875,-0.09375,0,0,1.890625,0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,
    0.421875,0.921875,1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0,0,1.890625,0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,
    -1.765625,1.46875,0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0,0,1.890625,
    0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,-1.875,0.640625,1,1,1,1,-0.046875,
    -1.453125,0,0,0,0,0.09375,-0.78125,1.484375,-0.421875,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,1.984375,0.046875,0,0,0,0,0,0,-1.734375,1.265625,
    -1.734375,1.265625,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,1.984375,
    0.046875,0,0,0,0,0,0,-1.734375,1e302,-1.734375,1e302,1,1,1,1,1,1,1.984375,
    0.046875,0,0,0,0,0,0,1,1,1,1,-0.046875,-1.453125,1.984375,0.046875,0,0,
    -0.046875,-1.453125,-0.046875,-1.453125,-1.734375,1.265625,1e301,0.34375,-0.71875,
    -0.09375,-0.0711295445,0.0610708638,1e301,1e301,0.0682926514,1.88939117,0.0711295445,
    -0.0610708638,1e301,1e301,-0.0682926514,-1.88939117,4.077616,1e301,1.2977229,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,0,1e301,-0.,1e301,-1.35556853,-1.31791383,
    -0.,1e301,0,1e301,1.35556853,1.31791383,1e302,1e302,2.35357175,1,1,1,1,1,1,
    -0.0754740167,-0.0556123665,-0.572790471,-0.531283953,1.71586022,0.793905915,
    0.0754740167,0.0556123665,0.572790471,0.531283953,-1.71586022,-0.793905915,0.368761843,
    1.47049572,2.30700493,0.921875,0.09375,-0.09375,1.390626,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.765598878,0.269320248,1e301,1e301,-0.574064761,-1.13786195,
    1e301,1e301,1e301,1e301,2.01780405,2.29309851,1e301,1e301,1.28894412,2.23628633,
    -1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0,1e301,0,1e301,-1.23025291,
    0.232375328,-0.306877015,1e301,1.53712992,1e301,1e302,1e302,1e302,1e302,1.24108147,
    2.09129987,1,1,1,1,1,1,0.351451257,-0.728901615,1.60928915,0.952801846,-0.199794186,
    1.48832332,-2.28744221,-0.207949292,0.526495989,-1.50427426,1.20808636,1.32435126,
    1.20808636,1.32435126,1.20808636,1.32435126,0.921875,-0.6875,-0.09375,0.78125,2.3125,
    0.4375,1,2,3,5,5,1,1,1,1,1,-0.09375,0.09375,-0.09375,-0.78125,0,0,0,0,
    -1.890625,-2.71875,2,1,4,5,5,1,1,1,1,3,0.09375,-0.09375,0.09375,1.890625,
    1.890625,0,0,0,0.78125,0.828125,1,4,4,2,1,2,3,5,5,1,-0.03125,0.03125,
    -0.03125,-0.,-0.390625,0.390625,2,1,4,5,3,3,0.03125,-0.03125,0.03125,0,0.390625,
    -0.390625,1,2,0.40625,1.59375,-1.03125,1e301,0.78125,0.140625,0.421875,-0.21875,
    0.421875,0.390625,2.578125,3.125,2.515625,1.796875,-0.5,2.828125,2.171875,2.8125,
    0.40625,0.40625,1.59375,1.59375,-1.03125,-1.03125,0.40625,0.40625,1.59375,1.59375,
    -1.03125,-1.03125,1e301,1e301,0.78125,0.78125,0.140625,0.140625,1e301,1e301,0.78125,
    0.78125,0.140625,0.140625,0.421875,0.421875,-0.21875,-0.21875,0.421875,0.421875,
    0.421875,0.421875,-0.21875,-0.21875,0.421875,0.421875,0.40625,1.59375,1e302,-1.625,
    -1e302,0.140625,0.421875,-0.21875,0.421875,0.390625,2.578125,3.125,2.515625,1.796875,
    -0.5,2.828125,2.171875,2.8125,0.40625,0.40625,1.59375,1.59375,1e302,1e302,0.40625,
    0.40625,1.59375,1.59375,1e302,1e302,-1.625,-1.625,-1e302,-1e302,0.140625,0.140625,
    -1.625,-1.625,-1e302,-1e302,0.140625,0.140625,0.421875,0.421875,-0.21875,-0.21875,
    0.421875,0.421875,0.421875,0.421875,-0.21875,-0.21875,0.421875,0.421875,1,1,1,1,1,
    1,1,1,1,0.390625,2.578125,3.125,2.515625,1.796875,-0.5,2.828125,2.171875,2.8125,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,0.921875,17.71875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.40625,1.59375,-1.03125,1e301,0.78125,0.140625,0.421875,
    -0.21875,0.421875,0.743164062,2.13769531,3.37695312,2.234375,1.01953125,0.0546875,
    2.19042969,3.18261719,2.77929688,1e301,1e301,1e301,0.9375,-0.375,-1.03125,1e301,
    1e301,1e301,0.858398438,-0.206054688,-0.73828125,1e301,1e301,1e301,0.700195312,
    0.131835938,-0.15234375,1e301,1e301,1e301,0.451171875,0.291015625,0.2109375,1e301,
    1e301,1e301,0.111328125,0.271484375,0.3515625,0.421875,0.26171875,-0.05859375,
    -0.05859375,0.26171875,0.421875,0.40625,1.59375,1e302,-1.625,-1e302,0.140625,0.421875,
    -0.21875,0.421875,0.743164062,2.13769531,3.37695312,2.234375,1.01953125,0.0546875,
    2.19042969,3.18261719,2.77929688,1e301,1e301,1e301,1e301,1e301,1e302,1e301,-1e302,
    -1e302,1e301,1e301,1e302,1e301,-1e302,-1e302,1e301,1e301,1e302,1e301,-1e302,-1e302,
    -1e302,-1e302,0.2109375,1e301,-1e302,-1e302,-1e302,-1e302,0.3515625,0.421875,
    0.26171875,-0.05859375,-0.05859375,0.26171875,0.421875,1,1,1,1,1,1,1,1,1,
    0.743164062,2.13769531,3.37695312,2.234375,1.01953125,0.0546875,2.19042969,3.18261719,
    2.77929688,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,0.921875,17.71875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.40625,1.59375,-1.03125,1e301,0.78125,0.140625,
    0.421875,-0.21875,0.421875,0.440598726,2.2458663,3.8800633,2.58399773,0.639724731,
    -0.679777145,1.84491038,3.79006815,2.97329783,1e301,1e301,1e301,1e301,1e301,
    -1.45377517,1e301,1e301,1e301,1e301,1e301,-1.0098238,1e301,1e301,1e301,1e301,1e301,
    -0.283776283,1e301,1e301,1e301,1e301,1e301,0.31306529,1e301,1e301,1e301,1e301,1e301,
    0.443660975,1e301,1e301,1e301,1e301,1e301,0.53335619,0.40625,1.59375,1e302,-1.625,
    -1e302,0.140625,0.421875,-0.21875,0.421875,0.440598726,2.2458663,3.8800633,2.58399773,
    0.639724731,-0.679777145,1.84491038,3.79006815,2.97329783,-1e302,1e301,1e301,1e301,
    1e301,1e301,1e302,1e301,1e301,1e301,1e301,1e301,1e302,1e301,1e301,1e301,1e301,
    1e301,1e302,1e301,1e301,1e301,1e301,1e301,1e302,1e301,1e301,1e301,1e301,1e301,
    -1e302,1e302,1e302,1e302,1e302,-1e302,1,1,1,1,1,1,1,1,1,0.440598726,2.2458663,
    3.8800633,2.58399773,0.639724731,-0.679777145,1.84491038,3.79006815,2.97329783,1,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,0.921875,17.71875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.40625,1.59375,-1.03125,1e301,0.78125,0.140625,0.421875,-0.21875,
    0.421875,0.42359376,0.906984687,-0.0138670206,0.440847158,0.407742143,-0.182390571,0,
    0.0282297134,0.0201101303,0.00281524658,-0.0656690598,0.900614262,0.311744213,1e301,
    1e301,1e301,1e301,0.273953438,0.621973813,1e301,1e301,0.40625,1.59375,1e302,-1.625,
    -1e302,0.140625,0.421875,-0.21875,0.421875,0.255678356,0.863187611,0,0.213817656,
    0.880096853,-0.223095417,0.000444173813,0.150087118,-0.108966351,-1e302,1e302,-1e302,
    -1e302,-1e302,-1e302,1e302,1e302,-1e302,-1e302,-1e302,-1e302,1,1,1,1,1,1,1,1,
    1,-0.0276938081,-0.0409421325,0.186647415,0.217665732,0.455462396,1.2401104,0,0,0,0,
    0,0,0,0,0,0,0,1,1,1,1,0.921875,1.56148314,0.0355324745,0.033844471,0.327050686,
    0.289773941,-0.709763288,0.854439259,-0.298213959,-0.331763029,0.593688428,0.673724413,
    0.736159444,0.625967979,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    -0.0757304014,0.0552627253,1e301,1e301,-1.87474453,-0.244531895,2.14705922,1e301,
    0.724838344,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,-0.,1e301,0,1e301,
    -1.87474453,-0.244531895,1e302,1e302,0.724838344,1,1,1,1,1,1,0.0662912607,
    0.0662912607,-0.552427173,-0.552427173,1.33687376,1.33687376,1.41421356,1.41421356,
    1.41421356,-0.046875,-1.453125,-0.00302262131,-0.0937012607,1.45388085,-1.65625,0.625,
    0,0.796875,1.15625,-0.859375,1e301,0.390625,-0.984375,0.578125,-0.390625,-1.28125,
    -1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,0,0,0,0,0,0,0.09375,0,0,0,0,
    0,0,0,-0.78125,0,0,0,1e301,1.78125,-1.65625,0.625,0,0.796875,1e302,-0.859375,
    -0.40625,0.390625,-0.984375,-1e302,-0.390625,-1.28125,-1.671875,0.4375,1.78125,
    -0.65625,1.78125,1.6875,0,0,0,0,0.09375,0,0,0,0,0,0,0,0,0,-0.78125,0,0,0,
    1e302,1.78125,0.921875,0.09375,0.921875,1.609375,0,0.90625,-1.640625,1e301,-1.015625,
    -1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,1e301,1e301,1e301,1e301,
    1e301,0.165890319,0.0784261844,0.0989792896,0.112613731,0.0484895468,-0.0335339836,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,-0.165910858,-0.0808974714,
    -0.125036681,-0.0839110422,1e301,1e301,0.164332246,-0.139264713,-0.0845125334,
    -0.151905919,-0.333589542,-0.317477087,1.609375,0,0.90625,1e302,1.984375,-1.015625,
    -1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,1e301,1e301,1e301,1e301,
    1e301,0,0,-0.159733506,0.0100908759,-0.131998419,0.0928625679,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,0.0543324543,-0.283519555,1e301,0.540752481,
    1e301,1e301,0,0,0.124271371,-0.153339832,0.17311278,0.120825959,1,1,1,1,1,1,1,1,
    1,1,1,1,-0.031972859,-0.0216018599,0.0483094595,-0.0521171176,0.124653439,
    -0.0265879848,0.0339372698,-0.0691026403,0.0753357637,-0.0459387308,0.140044179,
    -0.0345935373,0.00701109731,0.00701109731,-0.310545155,-0.310545155,-0.0106772969,
    -0.0106772969,-0.261848469,-0.261848469,-0.0466946613,-0.0466946613,0.843639878,
    0.843639878,0.0103024042,0.0103024042,-1.04713602,-1.04713602,0.00215968774,
    0.00362064275,0.0369534208,0.0599062113,0.00142574534,0.00241535836,0.049436775,
    0.0798373863,-0.0101945089,-0.0170778369,-0.100865943,-0.163510106,0.00722456214,
    0.0121400911,0.178290423,0.286942813,0.00701109731,-0.310545155,-0.0106772969,
    -0.261848469,-0.0466946613,0.843639878,0.0103024042,-1.04713602,0.00701109731,
    -0.310545155,-0.0106772969,-0.261848469,-0.0466946613,0.843639878,0.0103024042,
    -1.04713602,-0.156963674,-0.259575653,-0.213858422,-0.340575518,-0.238841167,
    -0.370085295,-0.156963674,-0.259575653,-0.213858422,-0.340575518,-0.238841167,
    -0.370085295,-0.046875,-1.453125,-0.106388594,0.0112358375,-0.000330615368,-0.0102490764,
    0.000923865819,0.0286398404,-0.,-0.,0,0,-0.000956977117,-0.0296662906,0.0118069796,
    0.366016368,-0.000161002837,-0.00499108796,0.00110890752,0.0343761331,0,0,-0.,-0.,0,
    0,-0.,-0.,0,0,-0.,-0.,0,0,-0.,-0.,0.00705312785,-0.0197091375,0,0,0.0204155118,
    -0.251882232,0.0034347272,-0.0236566937,0.00705312785,-0.0197091375,0,0,0.0204155118,
    -0.251882232,0.0034347272,-0.0236566937,0.127691889,0.0671463398,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,
    1e301,1e301,1e301,1e301,1e301,0.496194271,-0.174278938,0.354667512,0.102938306,
    0.495753264,0.253756332,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    -0.0535089777,0.19882887,-0.180362931,0.0404185287,1e301,1e301,0.216357311,-0.494286675,
    0.160527953,-0.176382366,0.289693753,-0.28374828,1.609375,0,0.90625,1e302,1.984375,
    -1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,1.671875,0.0677090395,
    0.101129878,0,0,-0.114758332,-0.0904177465,0,0,-0.153879324,-0.150288976,-0.153777647,
    -0.346757908,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,-0.0170266692,0.042786003,-0.0289491836,0.0909503897,0.140084669,-0.0113614081,
    0.374743047,0.77538628,-0.038083094,-0.399666368,-0.284693521,0.661959626,0.0762426765,
    0.14351342,-0.30923142,0.0408462361,-0.429186749,2.46611911,0.0762426765,0.14351342,
    -0.30923142,0.0408462361,-0.301753349,1.34957608,0.068670472,-0.0701586137,-1,-1,
    0.089338029,-0.551292582,0,1,-0.173705705,0.400962032,-0.491395833,-0.0163357511,1,1,
    1,1,1,1,1,1,1,1,1,1,0.128931495,0.0365795147,0.563645958,0.176790055,0.190425285,
    0.10182986,-0.0174933198,0.0796664466,-0.132013343,0.0455488857,0.0392823123,
    0.0786631938,-0.00172199466,-0.00172199466,0.300669853,0.300669853,-0.00687761359,
    -0.00687761359,-0.376176159,-0.376176159,0.0833839703,0.0833839703,4.29673963,4.29673963,
    0.00228527476,-0.0049284672,-0.00995013323,0.0317057499,5.4652009e-05,-0.000111485419,
    0.00882124345,-0.0257968748,-0.00789648844,0.0168687938,-0.055583006,0.17778351,
    -0.00172199466,0.300669853,-0.00687761359,-0.376176159,0.0833839703,4.29673963,
    -0.00172199466,0.300669853,-0.00687761359,-0.376176159,0.0231956284,1.62597588,
    -0.0526325879,0.126488126,-0.0449995911,0.189841073,-0.0353668288,0.222549589,
    -0.0526325879,0.126488126,-0.0449995911,0.189841073,-0.0353668288,0.222549589,-0.046875,
    -1.453125,0.0183481705,-0.103206883,5.00971448e-05,0.00155301149,0.000839760051,
    0.0260325616,6.4178156e-05,0.00198952284,0.00195077074,0.0604738928,-0.000991158023,
    -0.0307258987,0.0112827046,0.349763841,-0.,-0.,-0.,-0.,-0.,-0.,-0.,-0.,0,0,-0.,
    -0.,-0.00106873909,-0.0179148811,-0.001369134,-0.0416164424,0.0211447045,-0.240697697,
    -0.00106873909,-0.0179148811,-0.001369134,-0.0416164424,0.0112949114,-0.138553476,
    0.0188955758,-0.0791812314,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,
    -1.296875,0.546875,-0.078125,-1.34375,1.671875,1e301,1e301,1e301,1e301,1e301,1e301,
    -1.09630568,1.11233537,-0.403164445,0.709967573,-0.0573052391,0.176440939,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,0.143114734,-0.53376676,
    0.658091465,-0.819302759,1e301,1e301,0.672975569,0.346383346,0.244117764,0.285808537,
    0.145488437,0.919868408,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,
    0.546875,-0.078125,-1.34375,1.671875,1e301,1e301,1e301,1e301,1e301,1e301,0,0,
    0.362656121,-0.0580025826,0.216643135,-0.0292562765,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,-0.276261732,0.103872037,1e301,-1,1e301,
    1e301,-1,-1,-0.814028172,-0.363347604,-0.867076842,-0.826425803,1,1,1,1,1,1,1,1,
    1,1,1,1,-0.0237351752,-0.536475666,0.458035293,-0.313246174,0.0408540865,0.588005519,
    -0.0643989879,0.870350536,-0.0703904328,0.473975773,-0.0974472626,0.813373893,1.35835647,
    1.35835647,5.07981114,5.07981114,-0.964818675,-0.043963808,-2.1067384,-0.970167864,
    1.35835647,5.07981114,1.35835647,5.07981114,-0.551889102,-0.0390426439,-0.420587916,
    -0.295353953,-0.404749172,-0.210101069,-0.551889102,-0.0390426439,-0.420587916,
    -0.295353953,-0.404749172,-0.210101069,-0.046875,-1.453125,-0.181984088,0.104234454,
    -0.00424759334,-0.131675394,0.0179902247,0.557696966,0,0,-0.,-0.,0.0906153246,
    -0.383791461,0.0906153246,-0.383791461,0.182856603,0.713264979,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    0.09375,0.119018555,1.890625,-0.126159668,-0.0476074219,-0.235656738,0.121398926,
    -0.285644531,-1.21875,-0.164245605,0.0642700195,1.6875,1e301,1.609375,-0.,0.90625,
    0.249938965,1e301,0.154724121,0.285644531,0.197570801,0.546875,0.0119018555,0.204711914,
    1.671875,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,0.09375,0.274658203,1.890625,0.828125,0.3125,-0.543823242,
    0.280151367,-0.659179688,-1.21875,-0.37902832,0.14831543,1.6875,1e302,1.609375,-0.,
    0.90625,1e302,1.984375,0.357055664,1e302,0.455932617,0.546875,0.0274658203,0.472412109,
    1.671875,1,1,1,1,1,1,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,
    1.546875,-0.796875,1.875,-1.21875,1.078125,-0.421875,1.6875,0,1,1,1,1,1,1,1,1,
    1,1,1,1,0.921875,0.09375,0,0.921875,0.1875,-1.859375,-0.796875,-0.859375,1.96875,
    -0.265625,0.125,-1.0625,1e301,0.296875,-1.3125,-1.15625,-1.234375,-1.828125,0.90625,
    0.515625,1.359375,-0.046875,1.953125,1.140625,-0.796875,-1.359375,-1.484375,1.25,
    0.0164794922,-0.137329102,0.332336426,0.145568848,0.0549316406,0.271911621,-0.140075684,
    0.329589844,-0.214233398,0.18951416,-0.0741577148,0.296630859,-0.0314941406,0.262451172,
    -0.635131836,-0.278198242,-0.104980469,-0.51965332,0.267700195,-0.629882812,0.409423828,
    -0.362182617,0.141723633,-0.566894531,1e301,6.62866211,6.09375,0.185913086,0.0255737305,
    -0.706237793,-0.585998535,-0.372314453,-0.292663574,-0.895874023,-0.831665039,1e301,
    0.247131348,0.00622558594,-0.884887695,0.1875,-1.859375,-0.796875,-0.859375,1.96875,
    -0.265625,1e302,-1.0625,0.578125,0.296875,-1.3125,-1.15625,-1e302,-1.828125,0.90625,
    0.515625,1.359375,-0.046875,1.953125,1.140625,-0.796875,-1.359375,-1.484375,1.25,
    0.0446777344,-0.372314453,0.901000977,0.39465332,0.148925781,0.737182617,-0.379760742,
    0.893554688,-0.580810547,0.513793945,-0.201049805,0.804199219,-0.0256347656,0.213623047,
    -0.516967773,-0.22644043,-0.0854492188,-0.422973633,0.217895508,-0.512695312,0.333251953,
    -0.294799805,0.115356445,-0.461425781,-1e302,-1e302,6.09375,1e302,-0.382324219,
    -0.623657227,-0.546630859,0.57043457,-0.109863281,1e302,-0.814331055,0.497314453,
    0.517089844,-0.215698242,-0.888916016,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,-0.00476074219,0.0396728516,-0.0960083008,-0.0420532227,-0.0158691406,
    -0.0785522461,0.0404663086,-0.0952148438,0.0618896484,-0.0547485352,0.0214233398,
    -0.0856933594,-0.029296875,0.244140625,-0.590820312,-0.258789062,-0.09765625,
    -0.483398438,0.249023438,-0.5859375,0.380859375,-0.336914062,0.131835938,-0.52734375,
    6.09375,6.09375,6.09375,-0.5703125,-0.5703125,-0.5703125,-0.5703125,-0.5703125,
    -0.5703125,-0.5703125,-0.5703125,-0.5703125,-0.5703125,-0.5703125,-0.5703125,-0.046875,
    -1.453125,-0.0106201172,0.0172119141,-0.00439453125,-0.136230469,0.09375,-0.753662109,
    -1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,0.347961426,
    0.637939453,-0.838928223,-0.911071777,-1.28222656,-0.316589355,-0.370361328,1.25445557,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,0.0122070312,2.80639648,-0.21484375,
    0.901611328,0.583984375,1.26269531,1.04907227,-0.316162109,11.78125,0.775024414,
    0.802001953,-0.0776977539,0.161804199,1.14294434,1.10101318,-0.857727051,-0.326599121,
    0.105041504,0.540344238,0.0908203125,0.694396973,0.256713867,0.659057617,-0.307495117,
    1.06756592,1e301,1e301,1e301,1e301,0.512207031,0.465637207,0.235961914,0.297363281,
    1e301,1e301,1e301,1e301,0.655578613,0.471252441,0.371948242,0.545898438,-1.046875,
    -1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,0.149291992,-0.297363281,
    -0.890808105,-0.64666748,1.28552246,-1.49017334,0.348388672,0.582214355,-1e302,1e302,
    1e302,-1e302,-1e302,1e302,-1e302,1e302,-1e302,1e302,-1e302,-1e302,1e302,-1e302,
    1e302,-1e302,11.78125,-1e302,-1e302,-1e302,-1e302,-0.534423828,0.684204102,
    0.104675293,-0.0622558594,1e302,1e302,1e302,-1e302,-0.352478027,0.0908813477,
    0.475097656,0.818664551,1e302,-1e302,1e302,1e302,0.187805176,0.163208008,0.246520996,
    0.197570801,1e302,-1e302,-1e302,-1e302,-0.0762939453,-0.0523681641,0.0711669922,
    0.278503418,1,1,1,1,1,1,1,1,-0.272888184,-0.848449707,-0.932495117,1.91900635,
    0.502319336,-1.29748535,1.65386963,0.981628418,0.0625,3.6875,1.828125,1.171875,
    -0.46875,2.484375,0.671875,2.34375,0.0625,3.6875,1.828125,1.171875,-0.46875,2.484375,
    0.671875,2.34375,11.78125,-0.31640625,-0.18359375,0.06640625,-1.234375,-0.31640625,
    -0.18359375,0.06640625,-1.234375,0.109375,-0.76953125,-0.59765625,0.0859375,0.109375,
    -0.76953125,-0.59765625,0.0859375,-0.31640625,-0.18359375,0.06640625,-1.234375,
    -0.31640625,-0.18359375,0.06640625,-1.234375,0.109375,-0.76953125,-0.59765625,0.0859375,
    0.109375,-0.76953125,-0.59765625,0.0859375,-0.046875,-1.453125,0.823608398,0.391052246,
    -0.00439453125,0.0366210938,-0.0886230469,-0.0388183594,-0.0146484375,-0.0725097656,
    0.0373535156,-0.087890625,-0.136230469,1.13525391,-2.74731445,-1.20336914,-0.454101562,
    -2.24780273,1.15795898,-2.72460938,4.96875,0.457946777,0.0142822266,-0.357971191,
    0.237304688,0.975036621,0.436340332,0.0712280273,0.323913574,-1.65625,0.625,0,0.796875,
    1.15625,-0.859375,1e301,0.390625,-0.984375,0.578125,-0.390625,-1.28125,-1.671875,
    0.4375,1.78125,-0.65625,1.78125,1.6875,0.0186767578,-0.155639648,0.376647949,
    0.164978027,0.0622558594,0.308166504,-0.158752441,0.373535156,-0.242797852,0.0289306641,
    -0.241088867,0.583435059,0.255554199,0.0964355469,0.477355957,-0.245910645,0.578613281,
    -0.376098633,1e301,1.25073242,-0.151550293,0.00396728516,-0.395385742,-0.357177734,
    0.365356445,0.378479004,1e301,0.627502441,0.324645996,-1.65625,0.625,0,0.796875,1e302,
    -0.859375,-0.40625,0.390625,-0.984375,-1e302,-0.390625,-1.28125,-1.671875,0.4375,
    1.78125,-0.65625,1.78125,1.6875,-0.00732421875,0.0610351562,-0.147705078,-0.0646972656,
    -0.0244140625,-0.120849609,0.0622558594,-0.146484375,0.0952148438,-0.0329589844,
    0.274658203,-0.664672852,-0.291137695,-0.109863281,-0.543823242,0.280151367,-0.659179688,
    0.428466797,1e302,-1e302,1e302,0.0885009766,0.450439453,0.525512695,-1e302,
    -0.559082031,0.262451172,-0.656738281,-0.516357422,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,0.0194091797,-0.161743164,0.391418457,0.171447754,0.0646972656,0.320251465,
    -0.164978027,0.388183594,-0.252319336,-0.0274658203,0.228881836,-0.553894043,
    -0.242614746,-0.0915527344,-0.453186035,0.233459473,-0.549316406,0.357055664,3.75,3.75,
    -0.0859375,-0.0859375,-0.0859375,-0.0859375,-0.0859375,-0.0859375,-0.0859375,-0.0859375,
    -0.0859375,-0.046875,-1.453125,-0.0102539062,0.0421142578,-0.00439453125,-0.136230469,
    -0.647644043,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,
    -0.144165039,-0.0599975586,0.801513672,0.956359863,-0.142883301,-0.0218505859,
    0.611938477,0.282348633,1e301,1e301,1e301,1e301,0.756103516,2.04418945,0.568115234,
    1.52416992,0.139160156,-0.363708496,0.0253295898,-0.387878418,-0.238647461,-0.0477905273,
    -0.484130859,-0.0130004883,1e301,1e301,-0.113220215,0.126831055,1e301,1e301,
    -0.0374755859,0.0366210938,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,0.5625,
    0.4375,0.69317627,1.04107666,0.368225098,-0.847045898,-0.156555176,-0.260498047,
    -0.356201172,0.225769043,-1e302,1e302,1e302,1e302,-1e302,1e302,-1e302,-1e302,-1e302,
    1e302,-0.0314941406,-0.0978393555,-1e302,1e302,0.160705566,-0.965148926,1e302,1e302,
    0.0524291992,-0.0426025391,-1e302,1e302,0.0385742188,-0.0697631836,1,1,1,1,1,1,1,
    1,0.160400391,-0.682617188,-0.49395752,-0.222473145,0.187072754,0.335876465,
    -0.968078613,-1.18084717,0.34375,2.8125,2.109375,2.859375,0.34375,2.8125,2.109375,
    2.859375,0.26171875,-0.78515625,0.26171875,-0.78515625,-0.13671875,-0.16015625,
    -0.13671875,-0.16015625,0.26171875,-0.78515625,0.26171875,-0.78515625,-0.13671875,
    -0.16015625,-0.13671875,-0.16015625,-0.046875,-1.453125,0.723876953,-0.621520996,
    -0.00439453125,0.0366210938,-0.0886230469,-0.0388183594,-0.136230469,1.13525391,
    -2.74731445,-1.20336914,-0.152526855,-0.696166992,0.0794677734,0.22869873,-0.546875,
    -1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,-1.90625,-0.359375,
    1e301,0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0,0,0,0,0,0,0,0,0,0,0.828125,0,1.890625,0,0,0,0,0.09375,
    -0.78125,0,0,0,0,0,0,0,0,0,0,0,0,0,1.953125,1.71875,1.28125,1e301,-0.546875,
    -1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,1e302,-0.359375,
    -0.640625,0.90625,1.28125,-1.84375,-1.921875,0.71875,-1e302,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0,0,0,0,0,0,0,0,1.890625,0,0,0,0,0,0,0,0,0.09375,
    -0.78125,0,0,0,0,0,0,0,0.828125,0,0,0,0,0,1.953125,1.71875,1e302,1.59375,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    0.09375,0,-0.78125,0,0,0,0,0,1.890625,0,0.828125,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,1,1,1,1,-1.046875,-1.78125,-1.15625,0.015625,0.015625,
    0.859375,0.5625,0.4375,0,0,0,0,0,0.09375,0,0,0.859375,-0.546875,-1.890625,
    1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,-1.90625,-0.359375,1e301,
    0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,1.71875,1.578125,
    -0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,1.140625,
    0.234375,-0.671875,0.01171875,0.01171875,-0.09765625,-0.09765625,0.01171875,0.01171875,
    -0.09765625,-0.09765625,0.236328125,0.236328125,0.103515625,0.103515625,0.236328125,
    0.236328125,0.103515625,0.103515625,0.01171875,0.01171875,-0.09765625,-0.09765625,
    0.01171875,0.01171875,-0.09765625,-0.09765625,0.236328125,0.236328125,0.103515625,
    0.103515625,0.236328125,0.236328125,0.103515625,0.103515625,-0.255859375,0.361328125,
    -0.447265625,1e301,-0.546875,-1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,
    -1.359375,1e302,-0.359375,-0.640625,0.90625,1.28125,-1.84375,-1.921875,0.71875,-1e302,
    1.953125,1.71875,1.578125,-0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,
    1.59375,1,-1.734375,1.140625,0.234375,-0.671875,0.01171875,0.01171875,-0.09765625,
    -0.09765625,0.01171875,0.01171875,-0.09765625,-0.09765625,0.236328125,0.236328125,
    0.103515625,0.103515625,0.236328125,0.236328125,0.103515625,0.103515625,0.01171875,
    0.01171875,-0.09765625,-0.09765625,0.01171875,0.01171875,-0.09765625,-0.09765625,
    0.236328125,0.236328125,0.103515625,0.103515625,0.236328125,0.236328125,0.103515625,
    0.103515625,-1e302,0.361328125,1e302,0.15234375,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.01171875,0.01171875,-0.09765625,
    -0.09765625,0.01171875,0.01171875,-0.09765625,-0.09765625,0.236328125,0.236328125,
    0.103515625,0.103515625,0.236328125,0.236328125,0.103515625,0.103515625,0.01171875,
    0.01171875,-0.09765625,-0.09765625,0.01171875,0.01171875,-0.09765625,-0.09765625,
    0.236328125,0.236328125,0.103515625,0.103515625,0.236328125,0.236328125,0.103515625,
    0.103515625,1,1,1,1,-1.046875,-1.78125,-1.15625,0.015625,0.015625,0.859375,0.5625,
    0.4375,0.01171875,0.01171875,0.01171875,0.01171875,0.01171875,0.01171875,0.01171875,
    0.01171875,-0.26171875,0.1875,-1.859375,-0.796875,-0.859375,1.96875,-0.265625,0.125,
    -1.0625,1e301,0.296875,-1.3125,-1.15625,-1.234375,-1.828125,0.90625,0.515625,1.359375,
    -0.046875,1.953125,1.140625,-0.796875,-1.359375,-1.484375,1.25,0,0,0,0,0.09375,0,
    0,0,-0.78125,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1.96875,1e301,0.1875,-1.859375,
    -0.796875,-0.859375,1.96875,-0.265625,1e302,-1.0625,0.578125,0.296875,-1.3125,
    -1.15625,-1e302,-1.828125,0.90625,0.515625,1.359375,-0.046875,1.953125,1.140625,
    -0.796875,-1.359375,-1.484375,1.25,0,0,0,0,0.09375,0,-0.78125,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,1.96875,1e302,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,0.09375,0,0,0,0,0,-0.78125,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,1,1,0.921875,-0.6875,0.921875,0.921875,0.1875,-1.859375,-0.796875,
    -0.859375,1.96875,-0.265625,0.125,-1.0625,1e301,0.296875,-1.3125,-1.15625,-1.234375,
    -1.828125,0.90625,0.515625,1.359375,-0.046875,1.953125,1.140625,-0.796875,-1.359375,
    -1.484375,1.25,0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,
    -0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,
    0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,-0.0651041667,-0.0651041667,
    -0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,-0.162760417,1e301,0.1875,
    -1.859375,-0.796875,-0.859375,1.96875,-0.265625,1e302,-1.0625,0.578125,0.296875,
    -1.3125,-1.15625,-1e302,-1.828125,0.90625,0.515625,1.359375,-0.046875,1.953125,
    1.140625,-0.796875,-1.359375,-1.484375,1.25,0.0078125,0.0078125,0.0078125,0.0078125,
    0.0078125,0.0078125,-0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,
    -0.0651041667,-0.0651041667,0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,
    -0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,
    -1e302,1e302,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,0.0078125,-0.0651041667,-0.0651041667,
    -0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,0.0078125,0.0078125,0.0078125,
    0.0078125,0.0078125,0.0078125,-0.0651041667,-0.0651041667,-0.0651041667,-0.0651041667,
    -0.0651041667,-0.0651041667,1,1,0.921875,-0.6875,0.921875,0.921875,1.875,-1.546875,
    1.921875,1.046875,-1.6875,1e301,-0.390625,0.5625,-0.65625,1.40625,1.390625,-0.3125,
    1.171875,-1.96875,-1.15625,0.1875,1e301,1e301,-0.654760352,-0.356658078,1e301,1e301,
    0.133081372,-0.191637176,-0.448365348,0.960782889,0.62422181,-0.140274564,0.800652407,
    -1.34509604,-0.519015887,0.0841647384,1e301,2.29315174,2.76721353,1.84487519,1.875,
    -1.546875,1.921875,1.046875,1e302,-1.328125,-0.390625,0.5625,-1e302,1.40625,1.390625,
    -0.3125,1.171875,-1.96875,-1.15625,0.1875,0,-0.,-0.654760352,-0.356658078,1e301,-0.,
    0.133081372,-0.191637176,1e301,0,0.62422181,-0.140274564,0,-0.,-0.519015887,
    0.0841647384,1e302,2.29315174,1e302,1.84487519,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,0.046875,0.046875,-0.390625,-0.390625,0.046875,0.046875,-0.390625,-0.390625,
    0.9453125,0.9453125,0.4140625,0.4140625,0.9453125,0.9453125,0.4140625,0.4140625,2,2,
    2,2,-0.328125,-1.703125,-0.921875,1.046875,-0.0138206397,-0.0717357012,-0.0388294162,
    0.0440944218,2.22578111,1.875,-1.546875,1.921875,1.046875,-1.6875,1e301,-0.390625,
    0.5625,-0.65625,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,1e301,
    1e301,-0.510156396,-0.27789007,1e301,1e301,0.103690324,-0.149314067,1e301,1e301,
    -0.369137555,0.0829522596,1e301,1e301,0.30692336,-0.0497713557,1e301,2.94314617,1.875,
    -1.546875,1.921875,1.046875,1e302,-1.328125,-0.390625,0.5625,-1e302,1.40625,1.390625,
    -0.3125,1.171875,-1.96875,-1.15625,0.1875,0,-0.,-0.510156396,-0.27789007,1e301,-0.,
    0.103690324,-0.149314067,1e301,0,-0.369137555,0.0829522596,0,-0.,0.30692336,
    -0.0497713557,1e302,2.94314617,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.0331456304,
    0.0331456304,-0.276213586,-0.276213586,0.0331456304,0.0331456304,-0.276213586,
    -0.276213586,0.0331456304,0.0331456304,-0.276213586,-0.276213586,0.0331456304,
    0.0331456304,-0.276213586,-0.276213586,2.82842712,2.82842712,-1.046875,-1.78125,
    -1.15625,0.015625,0.015625,0.859375,0.5625,0.4375,-0.0374921499,-0.0637926133,
    -0.0414092402,0.000559584327,0.000559584327,0.030777138,0.0201450358,0.0156683612,
    2.61773548,1.875,-1.546875,1.921875,1.046875,-1.6875,1e301,-0.390625,0.5625,-0.65625,
    1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,0,0,0,0,0,0,0,0,0,0,
    0.09375,0,0,0,0,0,1.390625,1.875,-1.546875,1.921875,1.046875,1e302,-1.328125,
    -0.390625,0.5625,-1e302,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,0,
    0,0,0,0,0,0,0,0,0,0.09375,0,0,0,0,0,1.390625,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0.09375,0,0,0,0,0,1,-0.328125,-1.703125,
    -0.921875,1.046875,0,0,0,0.09375,1.046875,-0.21875,-0.609375,-1.15625,1.875,
    0.421875,-1.171875,-0.515625,1.625,-1.703125,1e301,1.421875,-1.6875,1.34375,0.359375,
    0.359375,-1.984375,0.734375,-1.875,1.390625,-1.6875,0.296875,0.4375,0.546875,
    -1.921875,-1.953125,1.890625,-0.578125,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0.09375,0,1.890625,-0.21875,-0.609375,-1.15625,1.875,0.421875,
    -1.171875,1e302,1.625,-1.703125,-1.59375,1.421875,-1.6875,1.34375,-1e302,0.359375,
    -1.984375,0.734375,-1.875,1.390625,-1.6875,0.296875,0.4375,0.546875,-1.921875,
    -1.953125,1.890625,-0.578125,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0.09375,0,1.890625,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0.09375,0,0,0,0,0,0,0,0,0,
    0,0,0,0,1,0.671875,1e301,-1.078125,-0.78125,1.890625,0.828125,1,2,3,0,0.671875,
    1e301,-1.078125,0,0,1e302,-1e302,-1.078125,-0.78125,1.890625,0.828125,1,2,3,0,
    1e302,-1e302,-1.078125,0,0,1,1,1,-0.78125,1.890625,0.828125,1,2,3,0,1,1,1,0,
    0,0.921875,-0.78125,1,0,0.921875,0.671875,1e301,-1.078125,-0.78125,1.890625,
    0.828125,1,2,3,0,0.671875,1e301,-1.078125,0,0,0,0,0,0,0,0,1e302,-1e302,
    -1.078125,-0.78125,1.890625,0.828125,1,2,3,0,1e302,-1e302,-1.078125,0,0,0,0,0,
    0,0,0,1,1,1,-0.78125,1.890625,0.828125,1,2,3,0,1,1,1,0,0,0,0,0,0,0,0,
    0.921875,-0.78125,1,0,0.921875,0,0,0.671875,1e301,-1.078125,-0.78125,1.890625,
    0.828125,1,2,3,0,0.671875,1e301,-1.078125,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,1e302,-1e302,-1.078125,-0.78125,1.890625,0.828125,1,2,3,0,1e302,
    -1e302,-1.078125,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,
    -0.78125,1.890625,0.828125,1,2,3,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0.921875,-0.78125,1,0,0.921875,0,0,0,0,0,0,-1.734375,1.265625,
    1e301,0.34375,-0.71875,-0.09375,0.0834960938,-0.402832031,1.03393555,0.232910156,
    0.13671875,0.531738281,0.0102539062,-0.378417969,0.856689453,0.595214844,0.17578125,
    1.01513672,-1.61987305,-0.248046875,1e301,-0.880371094,-0.657226562,-0.873046875,
    -1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.0424804688,-0.219726562,1.12255859,
    0.439941406,0.0048828125,0.0483398438,0.0512695312,-0.561523438,0.768066406,0.388183594,
    0.307617188,1.49853516,-0.768798828,1e302,0.794921875,1e301,1.68066406,1.45019531,1,1,
    1,1,1,1,0.0629882812,-0.158691406,1.62475586,0.20703125,0.185546875,1.20849609,
    0.0307617188,-0.622558594,0.265869141,0.62109375,0.126953125,0.338378906,0.1796875,
    1.796875,0.980224609,1.28125,0.64453125,0.34375,-1.734375,1.265625,1e301,0.34375,
    -0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.0344238281,
    -0.769042969,-0.9453125,0.439941406,0.200195312,0.193359375,-0.052734375,0.0793457031,
    -1.72814941,0.103515625,0.209960938,-0.145019531,-1.32128906,1.06567383,1e301,0.4765625,
    0.142089844,-0.1171875,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.09375,
    -0.78125,1.890625,0.828125,0.3125,1.546875,0.0498046875,-0.762939453,0.649902344,
    -0.666381836,0.107421875,1.19641113,0.0454101562,-0.177001953,1.47705078,0.168212891,
    -0.197753906,1.03930664,-1.21972656,1e302,1.45898438,-1e302,-1.15380859,0.945556641,1,
    1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,0.0893554688,
    0.0610351562,0.0738525391,-0.420532227,-0.009765625,0.314208984,0.0893554688,0.347900391,
    -0.531738281,0.595214844,0.048828125,-0.471313477,2.81689453,1.06958008,0.978027344,
    0.270019531,0.990234375,0.876220703,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,0.0155440415,-0.112612613,
    0.382911392,0.163580247,0.0393700787,0.868421053,-0.00281886762,-0.0405811217,
    0.285971799,-0.0171658284,-0.00031000062,1.15789474,-1.64370142,1.08544482,1e301,
    0.396219136,-0.714812992,-0.760416667,-1.734375,1e302,0.921875,-1e302,-0.71875,
    -0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,0.0177514793,-0.111111111,
    1.63513514,0.182758621,0.0632911392,0.202040816,-0.0037813802,-0.0617283951,-3.97735573,
    -0.0100832342,0.0480692197,-0.0404081633,-1.62786612,1e302,2.13809122,-1e302,
    -1.09849684,0.00625,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,
    1.546875,0.0189873418,-0.185185185,0.257446809,0.122119816,0.120481928,0.19488189,
    0.00408588367,-0.0631001372,-0.049298325,-0.0658434029,0.0754826535,0.0805614111,
    0.892405063,0.82962963,1.09574468,1.26958525,0.686746988,0.793307087,-1.734375,1.265625,
    1e301,0.34375,-0.71875,-0.09375,0.016547858,-1.97753906,1e301,0.569335938,0.152300336,
    1.40844572,0.176510485,1.60180664,1e301,0.118164062,0.487361077,0.910510361,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,0.176510485,1e302,0.849853516,0,0.487361077,
    0.910510361,1,1,1,1,1,1,0.1875,-1.5625,3.78125,1.65625,0.625,3.09375,1,1,1,1,
    1,1,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0,-0.78125,0,0,0,0,
    0.09375,0,1.890625,0.828125,0.3125,1.546875,-1.546875,1.265625,1.84375,-0.625,
    -0.296875,1.984375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0,-0.78125,0,0,
    0,0,0.09375,0,1.890625,0.828125,0.3125,1.546875,-1.921875,1e302,0.328125,0.71875,
    0.875,0.46875,1,1,1,1,1,1,0,0,0,0,0,0,0.09375,-0.78125,1.890625,0.828125,
    0.3125,1.546875,1.03125,-0.96875,1.640625,-1.5625,1.015625,-0.984375,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,-0.78125,0,0.828125,0.3125,1.546875,
    -1.734375,1.265625,0.5,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0.09375,-0.,1.890625,0,0.3125,1.546875,-1.734375,7,0.921875,-7,
    -0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,-1.734375,1.265625,1e301,0.34375,
    -0.71875,-0.09375,1,1,1,1,1,1,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1.875,-1.546875,1.921875,1.046875,
    -1.6875,1e301,-0.390625,0.5625,-0.65625,1.40625,1.390625,-0.3125,1.171875,-1.96875,
    -1.15625,0.1875,-0.685624875,-0.0269633113,0.568985088,0.143603099,1e301,1e301,1e301,
    1e301,-1.35641989,0.648675599,-0.928394851,1.63613914,0.883297778,-0.0522033088,
    0.730845292,-1.56193976,0.743912813,-1.67864341,0.777098515,0.157632083,1e301,1e301,
    1e301,1e301,-1.17281314,0.999977516,0.983516981,-0.810681361,1.33493021,-1.26382013,
    -0.591506609,0.520396524,1.875,-1.546875,1.921875,1.046875,1e302,-1.328125,-0.390625,
    0.5625,-1e302,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,-0.685624875,
    -0.0269633113,0.568985088,0.143603099,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,0.883297778,-0.0522033088,0.730845292,-1.56193976,0.743912813,-1.67864341,
    0.777098515,0.157632083,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1.33493021,
    -1.26382013,-0.591506609,0.520396524,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    -130.938059,-407.637355,437.283708,101.291706,-133.408589,256.93506,-484.223767,
    360.697296,-474.341649,251.994001,-222.347648,444.695296,125.997001,180.348648,
    373.049943,-679.395591,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1.875,-1.546875,
    1.921875,1.046875,-1.6875,1e301,-0.390625,0.5625,-0.65625,1.40625,1.390625,-0.3125,
    1.171875,-1.96875,-1.15625,0.1875,0,0,1,1,0,0.326172607,0.593505255,0.322510516,
    0.39086955,0.2890625,1e301,0.2890625,0.2890625,0.523925525,0.362793518,0.364014215,
    0.49707019,0.2890625,0.2890625,0.2890625,0.2890625,1.875,-1.546875,1.921875,1.046875,
    1e302,-1.328125,-0.390625,0.5625,-1e302,1.40625,1.390625,-0.3125,1.171875,-1.96875,
    -1.15625,0.1875,0,0,1,1,0,-0.975094324,0.241269223,-0.991756838,-0.680723237,-1e302,
    0.828182793,0.37042141,-0.0949693298,1e302,-0.80846918,-0.802915009,-0.197510321,
    -0.392514229,1.1409864,0.744259872,0.0881352234,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,0,0,1,1,0,0.515623145,0.515623145,0.515623145,0.515623145,0.320310703,
    0.320310703,0.320310703,0.320310703,0.515623145,0.515623145,0.515623145,0.515623145,
    0.320310703,0.320310703,0.320310703,0.320310703,-0.046875,-1.453125,0,0,1,1,0,
    -0.214233323,-0.361511259,1.875,-1.546875,1.921875,1.046875,-1.6875,1e301,-0.390625,
    0.5625,-0.65625,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,0,0,1,1,
    0,0.131348718,0.518981057,0.126038686,0.225159284,-0.310546611,1e301,-0.27001947,
    -0.240234463,0.418090449,0.184449039,0.186219049,0.379150214,-0.221191589,-0.31933563,
    -0.293945132,-0.251953154,1.875,-1.546875,1.921875,1.046875,1e302,-1.328125,-0.390625,
    0.5625,-1e302,1.40625,1.390625,-0.3125,1.171875,-1.96875,-1.15625,0.1875,0,0,1,1,
    0,0.325191577,-1.03820493,0.343868242,-0.00476282774,1e302,-0.101134709,-0.0242307968,
    0.0539548474,-1e302,0.138424933,0.132199378,-0.546386096,0.10394239,-0.153685716,
    -0.0870356586,0.0231932825,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,1,1,0,
    -0.140626113,-0.140626113,-0.140626113,-0.140626113,0.253905449,0.253905449,0.253905449,
    0.253905449,-0.140626113,-0.140626113,-0.140626113,-0.140626113,0.253905449,0.253905449,
    0.253905449,0.253905449,-0.046875,-1.453125,0,0,1,1,0,-0.0780029498,-0.49859446,
    1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.301757812,0,0.169921875,-0.307617188,1e301,1.58691406,2.9296875,
    2.02636719,2.06787109,-0.295410156,-5.08105469,6.32177734,6.10302734,1e301,4.90600586,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.301757812,0,0.169921875,1e302,-3.10058594,1.58691406,1e302,
    2.02636719,2.06787109,-0.295410156,-5.08105469,6.32177734,1e302,1e302,4.90600586,1,1,
    1,1,1,1,1,1,1,1,1,1,0.1875,0.1875,0.1875,0.1875,-1.5625,-1.5625,-1.5625,
    -1.5625,3.78125,3.78125,3.78125,3.78125,4,4,4,0.921875,0.172851562,0.849853516,
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,0.546875,0.578125,-0.78125,
    1.75,-0.765625,-1.734375,0.34375,1.265625,1e301,-0.71875,-0.09375,-1.734375,1e302,
    0.921875,-1e302,-0.71875,-0.09375,0.09375,0.546875,0.578125,-0.78125,1.75,-0.765625,
    -1.734375,-1e302,1e302,0.921875,-0.71875,-0.09375,1,1,1,1,1,1,0.09375,0.546875,
    0.578125,-0.78125,1.75,-0.765625,1,1,1,1,1,1,-1.734375,1.265625,1e301,0.34375,
    -0.71875,-0.09375,0.09375,-0.78125,0.546875,1.890625,0.828125,0.578125,-1.734375,
    1.265625,0.34375,-0.71875,1e301,-0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,
    -0.09375,0.09375,-0.78125,0.546875,1.890625,0.828125,0.578125,-1.734375,1e302,-1e302,
    -0.71875,0.921875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,0.546875,1.890625,
    0.828125,0.578125,1,1,1,1,1,1,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    -0.09375,0.875,-0.78125,-1.890625,1.0625,0.828125,3,1e301,-1.0625,0.625,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,-0.09375,0.875,-0.78125,-1.890625,1.0625,
    0.828125,1e302,-1e302,1e302,0.625,1,1,1,1,1,1,-0.09375,0.875,-0.78125,-1.890625,
    1.0625,0.828125,0,0,0,0,-0.046875,-1.453125,-0.09375,0.09375,-1.40625,0.671875,
    1e301,-1.078125,1e301,1e301,1e301,0.451416016,1e301,-0.724365234,1e301,1e301,1e301,
    -0.724365234,1e301,1.16235352,1e302,-1e302,-1.078125,1e301,1e301,1e301,1e302,-1e302,
    -1e302,-1e302,1e302,1e302,-1e302,1e302,1.16235352,1,1,1,1.328125,4.09375,2.078125,
    1,1,1,1,1,1,1,1,1,0.921875,0.172851562,0.849853516,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.09375,0,0,0.828125,0.3125,0,-1.734375,0,0,0.34375,
    -0.71875,0,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.09375,0,0,0.828125,
    0.3125,0,-1.734375,0,0,-1e302,-0.71875,0,1,1,1,1,1,1,0.09375,0,0,0.828125,
    0.3125,0,1,0,0,1,1,0,0.921875,0.09375,0.921875,-1.734375,1.265625,1e301,0.34375,
    -0.71875,-0.09375,0.09375,-0.78125,1.890625,0,0.3125,1.546875,-1.734375,1.265625,
    1e301,0,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.09375,
    -0.78125,1.890625,0,0.3125,1.546875,-1.734375,1e302,0.921875,0,-0.71875,-0.09375,1,
    1,1,1,1,1,0.09375,-0.78125,1.890625,0,0.3125,1.546875,1,1,1,0,1,1,0.921875,
    0.09375,0.921875,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,1,
    0,3,2,0,3,2,1,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,1,
    0,3,2,0,3,2,1,1,1,1,1,1,1,1,1,0,1,2,3,0,1,2,3,0.921875,0,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,
    1.546875,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,
    -1e302,-0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,1.890625,
    0.828125,0.3125,1.546875,1,1,1,1,1,1,0.09375,1.625,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-1.734375,1e302,
    0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,
    0.3125,1.546875,1,1,1,1,1,1,0.921875,0.09375,0.921875,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.09375,1.890625,0.3125,-0.78125,0.828125,1.546875,
    -1.734375,0.34375,1.265625,-0.71875,1e301,-0.09375,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0.09375,1.890625,0.3125,-0.78125,0.828125,1.546875,-1.734375,-1e302,
    1e302,-0.71875,0.921875,-0.09375,1,1,1,1,1,1,0.09375,1.890625,0.3125,-0.78125,
    0.828125,1.546875,1,1,1,1,1,1,0.921875,0.09375,0.921875,-1.046875,-1.78125,1e301,
    0.015625,0.015625,0.859375,0.5625,0.4375,0.09375,1.890625,-0.78125,0.828125,0.3125,
    -0.796875,1.546875,1.875,-1.046875,1e301,-1.78125,0.015625,0.015625,0.5625,0.859375,
    0.4375,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,0.09375,
    1.890625,-0.78125,0.828125,0.3125,-0.796875,1.546875,1.875,-1.046875,1e302,-1.78125,
    0.015625,-1e302,0.5625,0.859375,0.4375,1,1,1,1,1,1,1,1,0.09375,1.890625,
    -0.78125,0.828125,0.3125,-0.796875,1.546875,1.875,1,1,1,1,1,1,1,1,-0.328125,
    -1.703125,-0.921875,1.046875,0.09375,-0.78125,1.890625,0.828125,-0.328125,-1.703125,
    -0.921875,1.046875,0,0,0.09375,0,0,-0.78125,0.40625,0.953125,1,1,1,1,1,1,
    0.34375,-1.234375,1.5,0.96875,1.6875,3.46875,0,0,1,1,1,1,2,2,1,1e301,0.5,0.25,
    1,0.5,1e301,-0.75,1e301,-0.25,1e301,1.25,1e301,1.75,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0,0,1.890625,0.828125,0.3125,1.546875,0,0,0.5,0.5,1e301,
    0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0,0,
    1.890625,0.828125,0.3125,1.546875,0,0,0.5,0.5,0.921875,-1e302,-0.71875,-0.09375,1,
    1,1,1,1,1,0,0,1.890625,0.828125,0.3125,1.546875,0,0,0.5,0.5,1,1,1,1,
    -0.046875,-1.453125,0,0,0,0,0.5,0.5,-1.734375,1.265625,1e301,0.34375,-0.71875,
    -0.09375,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-3.46875,2.53125,1e301,
    0.6875,-1.4375,-0.1875,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.09375,
    -0.78125,1.890625,0.828125,0.3125,1.546875,-3.46875,1e302,1.84375,-1e302,-1.4375,
    -0.1875,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,2,2,2,2,
    2,2,0,2,2,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,-0.78125,0,
    0,2.203125,2.375,-1.734375,1.265625,-0.71875,-0.09375,-0.71875,-0.09375,0,2,2,1,
    -1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.046875,-0.390625,0.9453125,
    0.4140625,0.9921875,0.0234375,-1.2265625,0.5859375,1e301,0.125,0,2,2,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,0.09375,-0.78125,0,0,2.203125,2.375,
    -1.734375,1e302,-0.71875,-0.09375,-0.71875,-0.09375,0,2,2,1,-1.734375,1e302,
    0.921875,-1e302,-0.71875,-0.09375,0.046875,-0.390625,0.9453125,0.4140625,0.9921875,
    0.0234375,-1.2265625,1e302,0.1015625,-1e302,0,2,2,1,-1.734375,1e302,0.921875,
    -1e302,-0.71875,-0.09375,0,-0.78125,1.890625,0,0.09375,0.828125,-0.71875,1e302,
    0.921875,-0.09375,0,2,2,1,1,1,1,1,1,0.09375,-0.78125,0,0,2.203125,2.375,1,1,
    1,1,1,1,0,2,2,1,1,1,1,1,1,1,0.046875,-0.390625,0.9453125,0.4140625,0.9921875,
    0.0234375,1,1,1,1,0,2,2,1,1,1,1,1,1,1,0.09375,-0.78125,0,0,1.890625,
    0.828125,1,1,1,1,0,0,0.921875,-0.6875,0.921875,0.921875,0,0.921875,0.09375,
    0.921875,0,0.921875,0.09375,0.921875,0.336914062,-0.336914062,3.22875977,-0.09375,
    0.09375,0.0625,0.0439453125,-0.0439453125,0.109863281,-0.05859375,0.05859375,0.1953125,
    0.0375071978,-0.177246094,1.14500604,-0.0908203125,0.244582153,1.55859892,0.124775142,
    -0.0483398438,1.49743876,0.09375,1,-1.015625,0.215384615,-0.0416892957,0.912214395,
    -0.015625,0.015625,0.0103258236,0.753027834,-0.09375,0.09375,1,0.421875,0,-0.,0,0,
    0.00127161974,0.0178931488,0,0,-0.00566196322,-0.0091612346,-0.0209631377,-0.0129559439,
    -0.0222347633,-0.00741159271,-0.,-0.,0.0222347618,-0.00741159716,-5.85937646e-09,
    0.0234375,0.0209631436,-0.0104815561,-0.,0,-0.0165727986,0.0165728318,0.0209631436,
    -0.0104815561,1.85955114,1e302,1,0.5,1,1e301,1,2,1e302,1,0.5,1,1,-1,1e301,0,0,
    0,-0.09375,0,0.171875,0,0,0,1e302,1,-1e302,1,0.0234375,-0.0234375,0,0,1,1,
    1e302,0,0,0,1e302,1,-1e302,1,0.0234375,-0.0234375,0,0,1,-1,1,-1,1e302,
    -1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,1e301,1e301,1e301,
    1e301,0.124979079,-0.210271655,0.070970919,0.339681985,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,-1.08719662,-1.14829282,-1.77285388,-1.73832705,-1.046875,
    -1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1,1,1,1,1,1,1,1,-0.706443035,0.573583945,0.438889912,
    0.747005388,0.435788408,-0.0957358016,-0.130805916,-0.516709608,-0.729155421,
    -0.729155421,-0.729155421,-0.729155421,-0.664066285,-0.664066285,-0.664066285,
    -0.664066285,1.39322171,1.39322171,1.39322171,1.39322171,-0.486388235,-0.486388235,
    -0.486388235,-0.486388235,-0.285892321,0.285892321,-1.47617851,-1.24570976,-1.34532632,
    -1.49924172,-1.47617851,-1.24570976,-1.34532632,-1.49924172,-1.046875,-1.78125,1e301,
    0.015625,0.015625,0.859375,0.5625,0.4375,-0.,0,1e301,-0.,-0.,-0.,0.289241086,-0.,
    0.693147181,0.693147181,1e301,0.693147181,0.693147181,0.693147181,0.450937282,
    0.693147181,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,
    -0.0693913464,0.668633709,-0.,-0.,1e301,-0.460148817,0.289241086,-0.735631557,
    1.3477445,1.93690881,0,0.693147181,1e301,0.353067092,0.450937282,0.498134548,1,1,1,
    1,1,1,1,1,-0.,0.210110485,-0.,-0.,-0.,-0.,0,-0.504265165,0.693147181,0.313261688,
    0.693147181,0.693147181,0.693147181,0.693147181,0.693147181,0.313261688,0.921875,-0.,
    0.693147181,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,
    -0.0346956732,-0.0401180225,1e301,0.193786652,0.476348802,-0.281202055,-0.150291937,
    0.251610531,1.64232665,1e301,0.527028645,0.693285915,-1.046875,-1.78125,1e302,0.015625,
    -1e302,0.859375,0.5625,0.4375,-0.0346956732,0.00675697749,0,-0.196838348,-0.9453125,
    -0.281202055,0.263770563,-0.162451969,0.751701654,1e301,1e302,0.755785915,1,1,1,1,1,
    1,1,1,-0.0126066291,0.0342683709,0.105055243,0.105055243,-0.254233687,-0.254233687,
    -0.111358557,0.302703943,0.813261688,0.313261688,0.313261688,0.813261688,0.921875,
    0.0670709996,1.25675491,1e302,-1e302,0.5,0.5,0.5,1e302,1e301,1e301,1e301,1e301,0.5,
    0.5,1e301,1e301,1e301,1,1,1,1.140625,-1,-1e302,-0.5,-0.25,-1e302,-2,-1,-1,
    -1e302,-1,-1e302,-1e302,1,1,3,3,1,1,4,1e302,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,
    -1,-1,1,1,3,3,1,1,1.20824053,1.20824053,-100,-100,-100,1e301,0,0,0,0,0,0,0,
    0,0,0,0,0,-100,-100,-100,0,0,0,0,-0.154835138,0,0.154835138,1,1,1,0,1,0,
    1e301,1e301,1e301,0.314050545,0,0.685949455,1,1,0,2,0.9453125,0.4140625,0,0,
    0.9453125,0.4140625,0,0,1.3046875,-0.90625};

/* name, role, kind, kind's number, seed, rank, extents, own numbers, expected, error,
   gradient, error */
static const catalogue_row catalogue_edges_rows[] = {
    {"in0", 'x', 's', 0, 91824, 2, {3, 2}, 0, -1, 0, 6, 0},
    {"fc.weight", 'p', 'w', 0, 91825, 2, {2, 2}, -1, -1, 0, 12, 0},
    {"fc.bias", 'p', 'w', 0, 91826, 1, {2}, -1, -1, 0, 16, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 18, 0, -1, 0},
    {"in0", 'x', 's', 0, 203440, 2, {3, 2}, 24, -1, 0, 30, 0},
    {"fc.weight", 'p', 'w', 0, 203441, 2, {2, 2}, -1, -1, 0, 36, 0},
    {"fc.bias", 'p', 'w', 0, 203442, 1, {2}, -1, -1, 0, 40, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 42, 0, -1, 0},
    {"in0", 'x', 's', 0, 112544, 2, {3, 2}, 48, -1, 0, 54, 0},
    {"fc.weight", 'p', 'w', 0, 112545, 2, {2, 2}, -1, -1, 0, 60, 0},
    {"fc.bias", 'p', 'w', 0, 112546, 1, {2}, -1, -1, 0, 64, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 66, 0, -1, 0},
    {"in0", 'x', 's', 0, 92384, 2, {1, 2}, 72, -1, 0, 74, 0},
    {"fc.weight", 'p', 'w', 0, 92385, 2, {2, 2}, -1, -1, 0, 76, 0},
    {"fc.bias", 'p', 'w', 0, 92386, 1, {2}, -1, -1, 0, 80, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 82, 0, -1, 0},
    {"in0", 'x', 's', 0, 93408, 2, {2, 3}, 84, -1, 0, 90, 0},
    {"in1", 'x', 's', 0, 93409, 2, {3, 2}, -1, -1, 0, 96, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 102, 0, -1, 0},
    {"in0", 'x', 's', 0, 205024, 2, {2, 3}, 106, -1, 0, 112, 0},
    {"in1", 'x', 's', 0, 205025, 2, {3, 2}, -1, -1, 0, 118, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 124, 0, -1, 0},
    {"in0", 'x', 's', 0, 114128, 2, {2, 3}, 128, -1, 0, 134, 0},
    {"in1", 'x', 's', 0, 114129, 2, {3, 2}, -1, -1, 0, 140, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 146, 0, -1, 0},
    {"in0", 'x', 's', 0, 256032, 2, {1, 1}, 150, -1, 0, 151, 0},
    {"in1", 'x', 's', 0, 256033, 2, {1, 1}, -1, -1, 0, 152, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 153, 0, -1, 0},
    {"in0", 'x', 's', 0, 427792, 2, {1, 1}, 154, -1, 0, 155, 0},
    {"in1", 'x', 's', 0, 427793, 2, {1, 1}, -1, -1, 0, 156, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 157, 0, -1, 0},
    {"in0", 'x', 's', 0, 290192, 2, {1, 1}, 158, -1, 0, 159, 0},
    {"in1", 'x', 's', 0, 290193, 2, {1, 1}, -1, -1, 0, 160, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 161, 0, -1, 0},
    {"in0", 'x', 's', 0, 257152, 2, {1, 1}, 162, -1, 0, 163, 0},
    {"in1", 'x', 's', 0, 257153, 2, {1, 1}, -1, -1, 0, 164, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 165, 0, -1, 0},
    {"in0", 'x', 's', 0, 93728, 2, {2, 3}, 166, -1, 0, 172, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 178, 0, -1, 0},
    {"in0", 'x', 's', 0, 205344, 2, {2, 3}, 182, -1, 0, 188, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 194, 0, -1, 0},
    {"in0", 'x', 's', 0, 114448, 2, {2, 3}, 198, -1, 0, 204, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 210, 0, -1, 0},
    {"in0", 'x', 's', 0, 94288, 2, {1, 1}, 214, -1, 0, 215, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 216, 0, -1, 0},
    {"in0", 'x', 's', 0, 130256, 2, {2, 2}, 217, -1, 0, 221, 0},
    {"in1", 'x', 's', 0, 130257, 2, {2, 3}, -1, -1, 0, 225, 0},
    {"b.weight", 'p', 'w', 0, 130258, 3, {2, 2, 3}, -1, -1, 0, 231, 0},
    {"b.bias", 'p', 'w', 0, 130259, 1, {2}, -1, -1, 0, 243, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 245, 0, -1, 0},
    {"in0", 'x', 's', 0, 259056, 2, {2, 2}, 249, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 259057, 2, {2, 3}, -1, -1, 0, -1, 0},
    {"b.weight", 'p', 'w', 0, 259058, 3, {2, 2, 3}, -1, -1, 0, -1, 0},
    {"b.bias", 'p', 'w', 0, 259059, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 253, 0, -1, 0},
    {"in0", 'x', 's', 0, 154816, 2, {2, 2}, 257, -1, 0, 261, 0},
    {"in1", 'x', 's', 0, 154817, 2, {2, 3}, -1, -1, 0, 265, 0},
    {"b.weight", 'p', 'w', 0, 154818, 3, {2, 2, 3}, -1, -1, 0, 271, 0},
    {"b.bias", 'p', 'w', 0, 154819, 1, {2}, -1, -1, 0, 283, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 285, 0, -1, 0},
    {"in0", 'x', 's', 0, 130976, 2, {1, 2}, 289, -1, 0, 291, 0},
    {"in1", 'x', 's', 0, 130977, 2, {1, 3}, -1, -1, 0, 293, 0},
    {"b.weight", 'p', 'w', 0, 130978, 3, {2, 2, 3}, -1, -1, 0, 296, 0},
    {"b.bias", 'p', 'w', 0, 130979, 1, {2}, -1, -1, 0, 308, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 310, 0, -1, 0},
    {"in0", 'x', 's', 0, 151808, 2, {2, 2}, 312, -1, 0, -1, 0},
    {"r.weight_ih", 'p', 'w', 0, 151809, 2, {8, 2}, -1, -1, 0, -1, 0},
    {"r.weight_hh", 'p', 'w', 0, 151810, 2, {8, 2}, -1, -1, 0, -1, 0},
    {"r.bias_ih", 'p', 'w', 0, 151811, 1, {8}, -1, -1, 0, -1, 0},
    {"r.bias_hh", 'p', 'w', 0, 151812, 1, {8}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 316, 8.5e-08, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 320, 5e-08, -1, 0},
    {"in0", 'x', 's', 0, 289200, 2, {2, 2}, 324, -1, 0, 328, 0},
    {"r.weight_ih", 'p', 'w', 0, 289201, 2, {8, 2}, -1, -1, 0, 332, 0},
    {"r.weight_hh", 'p', 'w', 0, 289202, 2, {8, 2}, -1, -1, 0, 348, 0},
    {"r.bias_ih", 'p', 'w', 0, 289203, 1, {8}, -1, -1, 0, 364, 0},
    {"r.bias_hh", 'p', 'w', 0, 289204, 1, {8}, -1, -1, 0, 372, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 380, 2.7e-08, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 384, 0, -1, 0},
    {"in0", 'x', 's', 0, 178288, 2, {2, 2}, 388, -1, 0, 392, 1.3e-07},
    {"r.weight_ih", 'p', 'w', 0, 178289, 2, {8, 2}, -1, -1, 0, 396, 3.6e-08},
    {"r.weight_hh", 'p', 'w', 0, 178290, 2, {8, 2}, -1, -1, 0, 412, 0},
    {"r.bias_ih", 'p', 'w', 0, 178291, 1, {8}, -1, -1, 0, 428, 3.6e-08},
    {"r.bias_hh", 'p', 'w', 0, 178292, 1, {8}, -1, -1, 0, 436, 3.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 444, 5.8e-08, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 448, 5.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 152608, 2, {1, 2}, 452, -1, 0, 454, 9e-08},
    {"r.weight_ih", 'p', 'w', 0, 152609, 2, {8, 2}, -1, -1, 0, 456, 6.2e-08},
    {"r.weight_hh", 'p', 'w', 0, 152610, 2, {8, 2}, -1, -1, 0, 472, 0},
    {"r.bias_ih", 'p', 'w', 0, 152611, 1, {8}, -1, -1, 0, 488, 6e-08},
    {"r.bias_hh", 'p', 'w', 0, 152612, 1, {8}, -1, -1, 0, 496, 6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 504, 1.2e-07, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {1, 2}, -1, 506, 6.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 130000, 2, {2, 2}, 508, -1, 0, 512, 1.5e-07},
    {"r.weight_ih", 'p', 'w', 0, 130001, 2, {6, 2}, -1, -1, 0, 516, 0},
    {"r.weight_hh", 'p', 'w', 0, 130002, 2, {6, 2}, -1, -1, 0, 528, 0},
    {"r.bias_ih", 'p', 'w', 0, 130003, 1, {6}, -1, -1, 0, 540, 0},
    {"r.bias_hh", 'p', 'w', 0, 130004, 1, {6}, -1, -1, 0, 546, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 552, 7.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 258800, 2, {2, 2}, 556, -1, 0, 560, 0},
    {"r.weight_ih", 'p', 'w', 0, 258801, 2, {6, 2}, -1, -1, 0, 564, 0},
    {"r.weight_hh", 'p', 'w', 0, 258802, 2, {6, 2}, -1, -1, 0, 576, 0},
    {"r.bias_ih", 'p', 'w', 0, 258803, 1, {6}, -1, -1, 0, 588, 0},
    {"r.bias_hh", 'p', 'w', 0, 258804, 1, {6}, -1, -1, 0, 594, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 600, 0, -1, 0},
    {"in0", 'x', 's', 0, 154560, 2, {2, 2}, 604, -1, 0, 608, 1.3e-07},
    {"r.weight_ih", 'p', 'w', 0, 154561, 2, {6, 2}, -1, -1, 0, 612, 6.2e-08},
    {"r.weight_hh", 'p', 'w', 0, 154562, 2, {6, 2}, -1, -1, 0, 624, 0},
    {"r.bias_ih", 'p', 'w', 0, 154563, 1, {6}, -1, -1, 0, 636, 6.2e-08},
    {"r.bias_hh", 'p', 'w', 0, 154564, 1, {6}, -1, -1, 0, 642, 4.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 648, 4.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 130720, 2, {1, 2}, 652, -1, 0, 654, 9.3e-08},
    {"r.weight_ih", 'p', 'w', 0, 130721, 2, {6, 2}, -1, -1, 0, 656, 9.7e-08},
    {"r.weight_hh", 'p', 'w', 0, 130722, 2, {6, 2}, -1, -1, 0, 668, 0},
    {"r.bias_ih", 'p', 'w', 0, 130723, 1, {6}, -1, -1, 0, 680, 5.1e-08},
    {"r.bias_hh", 'p', 'w', 0, 130724, 1, {6}, -1, -1, 0, 686, 7.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 692, 1.2e-07, -1, 0},
    {"in0", 'x', 's', 0, 129712, 2, {2, 2}, 694, -1, 0, 698, 2.1e-08},
    {"r.weight_ih", 'p', 'w', 0, 129713, 2, {2, 2}, -1, -1, 0, 702, 0},
    {"r.weight_hh", 'p', 'w', 0, 129714, 2, {2, 2}, -1, -1, 0, 706, 0},
    {"r.bias_ih", 'p', 'w', 0, 129715, 1, {2}, -1, -1, 0, 710, 0},
    {"r.bias_hh", 'p', 'w', 0, 129716, 1, {2}, -1, -1, 0, 712, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 714, 5.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 258512, 2, {2, 2}, 718, -1, 0, 722, 0},
    {"r.weight_ih", 'p', 'w', 0, 258513, 2, {2, 2}, -1, -1, 0, 726, 0},
    {"r.weight_hh", 'p', 'w', 0, 258514, 2, {2, 2}, -1, -1, 0, 730, 0},
    {"r.bias_ih", 'p', 'w', 0, 258515, 1, {2}, -1, -1, 0, 734, 0},
    {"r.bias_hh", 'p', 'w', 0, 258516, 1, {2}, -1, -1, 0, 736, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 738, 0, -1, 0},
    {"in0", 'x', 's', 0, 154272, 2, {2, 2}, 742, -1, 0, 746, 8.9e-08},
    {"r.weight_ih", 'p', 'w', 0, 154273, 2, {2, 2}, -1, -1, 0, 750, 1.5e-07},
    {"r.weight_hh", 'p', 'w', 0, 154274, 2, {2, 2}, -1, -1, 0, 754, 0},
    {"r.bias_ih", 'p', 'w', 0, 154275, 1, {2}, -1, -1, 0, 758, 1.5e-07},
    {"r.bias_hh", 'p', 'w', 0, 154276, 1, {2}, -1, -1, 0, 760, 1.5e-07},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 762, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 130432, 2, {1, 2}, 766, -1, 0, 768, 2.7e-08},
    {"r.weight_ih", 'p', 'w', 0, 130433, 2, {2, 2}, -1, -1, 0, 770, 3.2e-08},
    {"r.weight_hh", 'p', 'w', 0, 130434, 2, {2, 2}, -1, -1, 0, 774, 0},
    {"r.bias_ih", 'p', 'w', 0, 130435, 1, {2}, -1, -1, 0, 778, 8.6e-09},
    {"r.bias_hh", 'p', 'w', 0, 130436, 1, {2}, -1, -1, 0, 780, 8.6e-09},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 782, 4.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 76368, 2, {3, 2}, 784, -1, 0, 790, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 796, 2.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 179392, 2, {3, 2}, 799, -1, 0, 805, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 811, 0, -1, 0},
    {"in0", 'x', 's', 0, 95168, 2, {3, 2}, 814, -1, 0, 820, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 826, 0, -1, 0},
    {"in0", 'x', 's', 0, 76848, 2, {2, 1}, 829, -1, 0, 831, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 833, 0, -1, 0},
    {"in0", 'x', 's', 0, 1190832, 2, {2, 3}, 834, -1, 0, 840, 3.1e-08},
    {"in1", 'x', 's', 0, 1190833, 2, {2, 3}, -1, -1, 0, 846, 4.6e-08},
    {"in2", 'x', 'd', 0, 1190834, 2, {2, 3}, -1, -1, 0, 852, 9.4e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 858, 0, -1, 0},
    {"in0", 'x', 's', 0, 1534432, 2, {2, 3}, 859, -1, 0, 865, 0},
    {"in1", 'x', 's', 0, 1534433, 2, {2, 3}, -1, -1, 0, 871, 0},
    {"in2", 'x', 'd', 0, 1534434, 2, {2, 3}, -1, -1, 0, 877, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 883, 0, -1, 0},
    {"in0", 'x', 's', 0, 1263392, 2, {2, 3}, 884, -1, 0, 890, 5.3e-08},
    {"in1", 'x', 's', 0, 1263393, 2, {2, 3}, -1, -1, 0, 896, 4.8e-08},
    {"in2", 'x', 'd', 0, 1263394, 2, {2, 3}, -1, -1, 0, 902, 2e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 908, 5.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 1193552, 2, {1, 1}, 909, -1, 0, 910, 0},
    {"in1", 'x', 's', 0, 1193553, 2, {1, 1}, -1, -1, 0, 911, 0},
    {"in2", 'x', 'd', 0, 1193554, 2, {1, 1}, -1, -1, 0, 912, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 913, 8.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 87776, 3, {1, 2, 5}, 914, -1, 0, 924, 0},
    {"c.weight", 'p', 'w', 0, 87777, 3, {2, 2, 3}, -1, -1, 0, 934, 0},
    {"c.bias", 'p', 'w', 0, 87778, 1, {2}, -1, -1, 0, 946, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 5}, -1, 948, 0, -1, 0},
    {"in0", 'x', 's', 0, 199392, 3, {1, 2, 5}, 958, -1, 0, 968, 0},
    {"c.weight", 'p', 'w', 0, 199393, 3, {2, 2, 3}, -1, -1, 0, 978, 0},
    {"c.bias", 'p', 'w', 0, 199394, 1, {2}, -1, -1, 0, 990, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 5}, -1, 992, 0, -1, 0},
    {"in0", 'x', 's', 0, 108496, 3, {1, 2, 5}, 1002, -1, 0, 1012, 0},
    {"c.weight", 'p', 'w', 0, 108497, 3, {2, 2, 3}, -1, -1, 0, 1022, 0},
    {"c.bias", 'p', 'w', 0, 108498, 1, {2}, -1, -1, 0, 1034, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 5}, -1, 1036, 0, -1, 0},
    {"in0", 'x', 's', 0, 88336, 3, {1, 2, 1}, 1046, -1, 0, 1048, 0},
    {"c.weight", 'p', 'w', 0, 88337, 3, {2, 2, 3}, -1, -1, 0, 1050, 0},
    {"c.bias", 'p', 'w', 0, 88338, 1, {2}, -1, -1, 0, 1062, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 1}, -1, 1064, 0, -1, 0},
    {"in0", 'x', 's', 0, 87856, 4, {1, 2, 3, 3}, 1066, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 87857, 4, {2, 2, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 87858, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 1084, 0, -1, 0},
    {"in0", 'x', 's', 0, 199472, 4, {1, 2, 3, 3}, 1102, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 199473, 4, {2, 2, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 199474, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 1120, 0, -1, 0},
    {"in0", 'x', 's', 0, 108576, 4, {1, 2, 3, 3}, 1138, -1, 0, 1156, 0},
    {"c.weight", 'p', 'w', 0, 108577, 4, {2, 2, 3, 3}, -1, -1, 0, 1174, 0},
    {"c.bias", 'p', 'w', 0, 108578, 1, {2}, -1, -1, 0, 1210, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 1212, 0, -1, 0},
    {"in0", 'x', 's', 0, 88416, 4, {1, 2, 1, 1}, 1230, -1, 0, 1232, 0},
    {"c.weight", 'p', 'w', 0, 88417, 4, {2, 2, 3, 3}, -1, -1, 0, 1234, 0},
    {"c.bias", 'p', 'w', 0, 88418, 1, {2}, -1, -1, 0, 1270, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 1272, 0, -1, 0},
    {"in0", 'x', 's', 0, 154464, 4, {1, 2, 3, 3}, 1274, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 154465, 4, {2, 1, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 154466, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 1292, 0, -1, 0},
    {"in0", 'x', 's', 0, 291856, 4, {1, 2, 3, 3}, 1310, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 291857, 4, {2, 1, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 291858, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 1328, 0, -1, 0},
    {"in0", 'x', 's', 0, 180944, 4, {1, 2, 3, 3}, 1346, -1, 0, 1364, 0},
    {"c.weight", 'p', 'w', 0, 180945, 4, {2, 1, 3, 3}, -1, -1, 0, 1382, 0},
    {"c.bias", 'p', 'w', 0, 180946, 1, {2}, -1, -1, 0, 1400, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 1402, 0, -1, 0},
    {"in0", 'x', 's', 0, 155264, 4, {1, 2, 1, 1}, 1420, -1, 0, 1422, 0},
    {"c.weight", 'p', 'w', 0, 155265, 4, {2, 1, 3, 3}, -1, -1, 0, 1424, 0},
    {"c.bias", 'p', 'w', 0, 155266, 1, {2}, -1, -1, 0, 1442, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 1444, 0, -1, 0},
    {"in0", 'x', 's', 0, 343264, 3, {1, 2, 4}, 1446, -1, 0, 1454, 0},
    {"c.weight", 'p', 'w', 0, 343265, 3, {2, 2, 2}, -1, -1, 0, 1462, 0},
    {"c.bias", 'p', 'w', 0, 343266, 1, {2}, -1, -1, 0, 1470, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 8}, -1, 1472, 0, -1, 0},
    {"in0", 'x', 's', 0, 540800, 3, {1, 2, 4}, 1488, -1, 0, 1496, 0},
    {"c.weight", 'p', 'w', 0, 540801, 3, {2, 2, 2}, -1, -1, 0, 1504, 0},
    {"c.bias", 'p', 'w', 0, 540802, 1, {2}, -1, -1, 0, 1512, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 8}, -1, 1514, 0, -1, 0},
    {"in0", 'x', 's', 0, 383184, 3, {1, 2, 4}, 1530, -1, 0, 1538, 0},
    {"c.weight", 'p', 'w', 0, 383185, 3, {2, 2, 2}, -1, -1, 0, 1546, 0},
    {"c.bias", 'p', 'w', 0, 383186, 1, {2}, -1, -1, 0, 1554, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 8}, -1, 1556, 0, -1, 0},
    {"in0", 'x', 's', 0, 344624, 3, {1, 2, 1}, 1572, -1, 0, 1574, 0},
    {"c.weight", 'p', 'w', 0, 344625, 3, {2, 2, 2}, -1, -1, 0, 1576, 0},
    {"c.bias", 'p', 'w', 0, 344626, 1, {2}, -1, -1, 0, 1584, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 1586, 0, -1, 0},
    {"in0", 'x', 's', 0, 343504, 4, {1, 2, 2, 3}, 1590, -1, 0, 1602, 0},
    {"c.weight", 'p', 'w', 0, 343505, 4, {2, 2, 2, 2}, -1, -1, 0, 1614, 0},
    {"c.bias", 'p', 'w', 0, 343506, 1, {2}, -1, -1, 0, 1630, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 4, 6}, -1, 1632, 0, -1, 0},
    {"in0", 'x', 's', 0, 541040, 4, {1, 2, 2, 3}, 1680, -1, 0, 1692, 0},
    {"c.weight", 'p', 'w', 0, 541041, 4, {2, 2, 2, 2}, -1, -1, 0, 1704, 0},
    {"c.bias", 'p', 'w', 0, 541042, 1, {2}, -1, -1, 0, 1720, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 4, 6}, -1, 1722, 0, -1, 0},
    {"in0", 'x', 's', 0, 383424, 4, {1, 2, 2, 3}, 1770, -1, 0, 1782, 0},
    {"c.weight", 'p', 'w', 0, 383425, 4, {2, 2, 2, 2}, -1, -1, 0, 1794, 0},
    {"c.bias", 'p', 'w', 0, 383426, 1, {2}, -1, -1, 0, 1810, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 4, 6}, -1, 1812, 0, -1, 0},
    {"in0", 'x', 's', 0, 344864, 4, {1, 2, 1, 1}, 1860, -1, 0, 1862, 0},
    {"c.weight", 'p', 'w', 0, 344865, 4, {2, 2, 2, 2}, -1, -1, 0, 1864, 0},
    {"c.bias", 'p', 'w', 0, 344866, 1, {2}, -1, -1, 0, 1880, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 1882, 0, -1, 0},
    {"in0", 'x', 's', 0, 168272, 3, {1, 2, 6}, 1890, -1, 0, 1902, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1914, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 3}, -1, 1920, 0, -1, 0},
    {"in0", 'x', 's', 0, 314256, 3, {1, 2, 6}, 1926, -1, 0, 1938, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1950, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 3}, -1, 1956, 0, -1, 0},
    {"in0", 'x', 's', 0, 196672, 3, {1, 2, 6}, 1962, -1, 0, 1974, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1986, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 3}, -1, 1992, 0, -1, 0},
    {"in0", 'x', 's', 0, 169152, 3, {1, 1, 2}, 1998, -1, 0, 2000, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 2002, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 1, 1}, -1, 2003, 0, -1, 0},
    {"in0", 'x', 's', 0, 167936, 3, {1, 2, 6}, 2004, -1, 0, 2016, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 2028, 0, -1, 0},
    {"in0", 'x', 's', 0, 313920, 3, {1, 2, 6}, 2034, -1, 0, 2046, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 2058, 0, -1, 0},
    {"in0", 'x', 's', 0, 196336, 3, {1, 2, 6}, 2064, -1, 0, 2076, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 2088, 0, -1, 0},
    {"in0", 'x', 's', 0, 168816, 3, {1, 1, 2}, 2094, -1, 0, 2096, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 2098, 0, -1, 0},
    {"in0", 'x', 's', 0, 449088, 3, {1, 2, 6}, 2099, -1, 0, 2111, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 2123, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 2}, -1, 2127, 0, -1, 0},
    {"in0", 'x', 's', 0, 672400, 3, {1, 2, 6}, 2131, -1, 0, 2143, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 2155, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 2}, -1, 2159, 0, -1, 0},
    {"in0", 'x', 's', 0, 494768, 3, {1, 2, 6}, 2163, -1, 0, 2175, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 2187, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 2}, -1, 2191, 0, -1, 0},
    {"in0", 'x', 's', 0, 450688, 3, {1, 1, 2}, 2195, -1, 0, 2197, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 2199, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 1, 2}, -1, 2201, 0, -1, 0},
    {"in0", 'x', 's', 0, 447600, 3, {1, 2, 6}, 2203, -1, 0, 2215, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 2227, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 670912, 3, {1, 2, 6}, 2231, -1, 0, 2243, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 2255, 2.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 493280, 3, {1, 2, 6}, 2259, -1, 0, 2271, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 2283, 0, -1, 0},
    {"in0", 'x', 's', 0, 449200, 3, {1, 1, 2}, 2287, -1, 0, 2289, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 2291, 0, -1, 0},
    {"in0", 'x', 's', 0, 168416, 4, {1, 2, 4, 4}, 2293, -1, 0, 2325, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2357, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2365, 0, -1, 0},
    {"in0", 'x', 's', 0, 314400, 4, {1, 2, 4, 4}, 2373, -1, 0, 2405, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2437, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2445, 0, -1, 0},
    {"in0", 'x', 's', 0, 196816, 4, {1, 2, 4, 4}, 2453, -1, 0, 2485, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2517, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2525, 0, -1, 0},
    {"in0", 'x', 's', 0, 169296, 4, {1, 1, 2, 2}, 2533, -1, 0, 2537, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 2541, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 1, 1, 1}, -1, 2542, 0, -1, 0},
    {"in0", 'x', 's', 0, 168080, 4, {1, 2, 4, 4}, 2543, -1, 0, 2575, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2607, 0, -1, 0},
    {"in0", 'x', 's', 0, 314064, 4, {1, 2, 4, 4}, 2615, -1, 0, 2647, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2679, 0, -1, 0},
    {"in0", 'x', 's', 0, 196480, 4, {1, 2, 4, 4}, 2687, -1, 0, 2719, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2751, 0, -1, 0},
    {"in0", 'x', 's', 0, 168960, 4, {1, 1, 2, 2}, 2759, -1, 0, 2763, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 2767, 0, -1, 0},
    {"in0", 'x', 's', 0, 449376, 4, {1, 2, 4, 4}, 2768, -1, 0, 2800, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2832, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2840, 0, -1, 0},
    {"in0", 'x', 's', 0, 672688, 4, {1, 2, 4, 4}, 2848, -1, 0, 2880, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2912, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2920, 0, -1, 0},
    {"in0", 'x', 's', 0, 495056, 4, {1, 2, 4, 4}, 2928, -1, 0, 2960, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2992, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 3000, 0, -1, 0},
    {"in0", 'x', 's', 0, 450976, 4, {1, 1, 2, 2}, 3008, -1, 0, 3012, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 3016, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 1, 2, 2}, -1, 3020, 0, -1, 0},
    {"in0", 'x', 's', 0, 447888, 4, {1, 2, 4, 4}, 3024, -1, 0, 3056, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 3088, 0, -1, 0},
    {"in0", 'x', 's', 0, 671200, 4, {1, 2, 4, 4}, 3096, -1, 0, 3128, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 3160, 0, -1, 0},
    {"in0", 'x', 's', 0, 493568, 4, {1, 2, 4, 4}, 3168, -1, 0, 3200, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 3232, 0, -1, 0},
    {"in0", 'x', 's', 0, 449488, 4, {1, 1, 2, 2}, 3240, -1, 0, 3244, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 3248, 0, -1, 0},
    {"in0", 'x', 's', 0, 372256, 4, {1, 2, 3, 3}, 3252, -1, 0, 3270, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 3288, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 578384, 4, {1, 2, 3, 3}, 3290, -1, 0, 3308, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 3326, 0, -1, 0},
    {"in0", 'x', 's', 0, 414096, 4, {1, 2, 3, 3}, 3328, -1, 0, 3346, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 3364, 0, -1, 0},
    {"in0", 'x', 's', 0, 373696, 4, {1, 1, 1, 1}, 3366, -1, 0, 3367, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 3368, 0, -1, 0},
    {"in0", 'x', 's', 0, 178384, 2, {2, 4}, 3369, -1, 0, 3377, 5.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 3385, 1.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 324368, 2, {2, 4}, 3393, -1, 0, 3401, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 3409, 0, -1, 0},
    {"in0", 'x', 's', 0, 206784, 2, {2, 4}, 3417, -1, 0, 3425, 1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 3433, 0, -1, 0},
    {"in0", 'x', 's', 0, 179264, 2, {1, 1}, 3441, -1, 0, 3442, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 3443, 0, -1, 0},
    {"in0", 'x', 's', 0, 132560, 2, {2, 4}, 3444, -1, 0, 3452, 2.8e-07},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 3460, 1.5e-07, -1, 0},
    {"in0", 'x', 's', 0, 261360, 2, {2, 4}, 3468, -1, 0, 3476, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 3484, 0, -1, 0},
    {"in0", 'x', 's', 0, 157120, 2, {2, 4}, 3492, -1, 0, 3500, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 3508, 0, -1, 0},
    {"in0", 'x', 's', 0, 133280, 2, {1, 1}, 3516, -1, 0, 3517, 3.6e+08},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 3518, 1.2e-07, -1, 0},
    {"in0", 'x', 's', 0, 179232, 3, {2, 4, 3}, 3519, -1, 0, 3543, 4.8e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 3}, -1, 3567, 4.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 325216, 3, {2, 4, 3}, 3591, -1, 0, 3615, 7e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 3}, -1, 3639, 4.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 207632, 3, {2, 4, 3}, 3663, -1, 0, 3687, 6.8e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 3}, -1, 3711, 0, -1, 0},
    {"in0", 'x', 's', 0, 180112, 3, {2, 2, 1}, 3735, -1, 0, 3739, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 1}, -1, 3743, 0, -1, 0},
    {"in0", 'x', 's', 0, 218064, 2, {4, 2}, 3747, -1, 0, 3755, 4.6e-08},
    {"bn.weight", 'p', 'w', 0, 218065, 1, {2}, -1, -1, 0, 3763, 1.7e-08},
    {"bn.bias", 'p', 'w', 0, 218066, 1, {2}, -1, -1, 0, 3765, 0},
    {"bn.running_mean", 'b', 's', 0, 218067, 1, {2}, 3767, 3769, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 218068, 1, {2}, 3771, 3773, 2.3e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 218069, 0, {0}, 3775, 3776, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3777, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 381232, 2, {4, 2}, 3785, -1, 0, 3793, 3.3e-08},
    {"bn.weight", 'p', 'w', 0, 381233, 1, {2}, -1, -1, 0, 3801, 1.7e-08},
    {"bn.bias", 'p', 'w', 0, 381234, 1, {2}, -1, -1, 0, 3803, 0},
    {"bn.running_mean", 'b', 's', 0, 381235, 1, {2}, 3805, 3807, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 381236, 1, {2}, 3809, 3811, 2.3e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 381237, 0, {0}, 3813, 3814, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3815, 3.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 250304, 2, {4, 2}, 3823, -1, 0, 3831, 1e-07},
    {"bn.weight", 'p', 'w', 0, 250305, 1, {2}, -1, -1, 0, 3839, 0},
    {"bn.bias", 'p', 'w', 0, 250306, 1, {2}, -1, -1, 0, 3841, 0},
    {"bn.running_mean", 'b', 's', 0, 250307, 1, {2}, 3843, 3845, 1.5e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 250308, 1, {2}, 3847, 3849, 2.6e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 250309, 0, {0}, 3851, 3852, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3853, 0, -1, 0},
    {"in0", 'x', 's', 0, 375936, 2, {4, 2}, 3861, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 375937, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 375938, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 375939, 1, {2}, 3869, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 375940, 1, {2}, 3871, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 375941, 0, {0}, 3873, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3874, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 582064, 2, {4, 2}, 3882, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 582065, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 582066, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 582067, 1, {2}, 3890, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 582068, 1, {2}, 3892, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 582069, 0, {0}, 3894, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3895, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 417776, 2, {4, 2}, 3903, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 417777, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 417778, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 417779, 1, {2}, 3911, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 417780, 1, {2}, 3913, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 417781, 0, {0}, 3915, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3916, 4.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 377376, 2, {1, 2}, 3924, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 377377, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 377378, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 377379, 1, {2}, 3926, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 377380, 1, {2}, 3928, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 377381, 0, {0}, 3930, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 3931, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 218240, 4, {2, 2, 2, 2}, 3933, -1, 0, 3949, 8.4e-08},
    {"bn.weight", 'p', 'w', 0, 218241, 1, {2}, -1, -1, 0, 3965, 1.3e-08},
    {"bn.bias", 'p', 'w', 0, 218242, 1, {2}, -1, -1, 0, 3967, 0},
    {"bn.running_mean", 'b', 's', 0, 218243, 1, {2}, 3969, 3971, 2.3e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 218244, 1, {2}, 3973, 3975, 3.2e-09, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 218245, 0, {0}, 3977, 3978, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 3979, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 250480, 4, {2, 2, 2, 2}, 3995, -1, 0, 4011, 5e-08},
    {"bn.weight", 'p', 'w', 0, 250481, 1, {2}, -1, -1, 0, 4027, 0},
    {"bn.bias", 'p', 'w', 0, 250482, 1, {2}, -1, -1, 0, 4029, 0},
    {"bn.running_mean", 'b', 's', 0, 250483, 1, {2}, 4031, 4033, 1.5e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 250484, 1, {2}, 4035, 4037, 2.6e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 250485, 0, {0}, 4039, 4040, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 4041, 0, -1, 0},
    {"in0", 'x', 's', 0, 218416, 5, {2, 2, 1, 2, 2}, 4057, -1, 0, 4073, 7.7e-08},
    {"bn.weight", 'p', 'w', 0, 218417, 1, {2}, -1, -1, 0, 4089, 1.3e-08},
    {"bn.bias", 'p', 'w', 0, 218418, 1, {2}, -1, -1, 0, 4091, 0},
    {"bn.running_mean", 'b', 's', 0, 218419, 1, {2}, 4093, 4095, 2.3e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 218420, 1, {2}, 4097, 4099, 3.2e-09, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 218421, 0, {0}, 4101, 4102, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 4103, 5.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 250656, 5, {2, 2, 1, 2, 2}, 4119, -1, 0, 4135, 7.7e-08},
    {"bn.weight", 'p', 'w', 0, 250657, 1, {2}, -1, -1, 0, 4151, 0},
    {"bn.bias", 'p', 'w', 0, 250658, 1, {2}, -1, -1, 0, 4153, 0},
    {"bn.running_mean", 'b', 's', 0, 250659, 1, {2}, 4155, 4157, 1.5e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 250660, 1, {2}, 4159, 4161, 2.6e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 250661, 0, {0}, 4163, 4164, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 4165, 0, -1, 0},
    {"in0", 'x', 's', 0, 470480, 4, {1, 4, 2, 2}, 4181, -1, 0, 4197, 1.7e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 2, 2}, -1, 4213, 6.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 693792, 4, {1, 4, 2, 2}, 4229, -1, 0, 4245, 1.7e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 2, 2}, -1, 4261, 7.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 516160, 4, {1, 4, 2, 2}, 4277, -1, 0, 4293, 1e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 2, 2}, -1, 4309, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 472080, 4, {1, 1, 1, 1}, 4325, -1, 0, 4326, 7.9e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 4327, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 153872, 2, {3, 4}, 4328, -1, 0, 4340, 6.3e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4352, 4.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 291264, 2, {3, 4}, 4364, -1, 0, 4376, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4388, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 180352, 2, {3, 4}, 4400, -1, 0, 4412, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4424, 0, -1, 0},
    {"in0", 'x', 's', 0, 154672, 2, {1, 1}, 4436, -1, 0, 4437, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4438, 0, -1, 0},
    {"in0", 'x', 's', 0, 395328, 2, {3, 4}, 4439, -1, 0, 4451, 1.2e-07},
    {"in1", 'x', 's', 0, 395329, 2, {3, 4}, -1, -1, 0, 4463, 4.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4475, 3.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 601456, 2, {3, 4}, 4478, -1, 0, 4490, 4.3e-08},
    {"in1", 'x', 's', 0, 601457, 2, {3, 4}, -1, -1, 0, 4502, 1e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4514, 2.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 437168, 2, {3, 4}, 4517, -1, 0, 4529, 1.1e-07},
    {"in1", 'x', 's', 0, 437169, 2, {3, 4}, -1, -1, 0, 4541, 4.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4553, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 396768, 2, {1, 1}, 4556, -1, 0, 4557, 0},
    {"in1", 'x', 's', 0, 396769, 2, {1, 1}, -1, -1, 0, 4558, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 4559, 0, -1, 0},
    {"in0", 'x', 's', 0, 112064, 2, {3, 4}, 4560, -1, 0, 4572, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4584, 2.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 232272, 2, {3, 4}, 4596, -1, 0, 4608, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4620, 4.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 134704, 2, {3, 4}, 4632, -1, 0, 4644, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4656, 0, -1, 0},
    {"in0", 'x', 's', 0, 112704, 2, {1, 1}, 4668, -1, 0, 4669, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4670, 0, -1, 0},
    {"in0", 'x', 's', 0, 231712, 2, {3, 4}, 4671, -1, 0, 4683, 1.6e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4695, 6.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 394880, 2, {3, 4}, 4707, -1, 0, 4719, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4731, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 263952, 2, {3, 4}, 4743, -1, 0, 4755, 4.8e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4767, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 232752, 2, {1, 1}, 4779, -1, 0, 4780, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4781, 0, -1, 0},
    {"in0", 'x', 's', 0, 204016, 2, {3, 4}, 4782, -1, 0, 4794, 6.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4806, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 358592, 2, {3, 4}, 4818, -1, 0, 4830, 2.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4842, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 234336, 2, {3, 4}, 4854, -1, 0, 4866, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4878, 2.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 204976, 2, {1, 1}, 4890, -1, 0, 4891, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4892, 0, -1, 0},
    {"in0", 'x', 's', 0, 358160, 2, {3, 4}, 4893, -1, 0, 4905, 2.9e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4917, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 555696, 2, {3, 4}, 4929, -1, 0, 4941, 3.3e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4953, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 398080, 2, {3, 4}, 4965, -1, 0, 4977, 6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4989, 1.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 359520, 2, {1, 1}, 5001, -1, 0, 5002, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 5003, 0, -1, 0},
    {"in0", 'x', 's', 0, 111712, 2, {3, 4}, 5004, -1, 0, 5016, 2e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 5028, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 231920, 2, {3, 4}, 5040, -1, 0, 5052, 1.7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 5064, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 134352, 2, {3, 4}, 5076, -1, 0, 5088, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 5100, 0, -1, 0},
    {"in0", 'x', 's', 0, 112352, 2, {1, 1}, 5112, -1, 0, 5113, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 5114, 0, -1, 0},
    {"in0", 'x', 's', 0, 231360, 2, {3, 4}, 5115, -1, 0, 5127, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 5139, 5.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 394528, 2, {3, 4}, 5151, -1, 0, 5163, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 5175, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 263600, 2, {3, 4}, 5187, -1, 0, 5199, 4.8e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 5211, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 232400, 2, {1, 1}, 5223, -1, 0, 5224, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 5225, 0, -1, 0},
    {"in0", 'x', 's', 0, 47232, 2, {3, 4}, 5226, -1, 0, 5238, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 5250, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 133072, 2, {3, 4}, 5256, -1, 0, 5268, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 5280, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 62192, 2, {3, 4}, 5286, -1, 0, 5298, 4.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 5310, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47552, 2, {1, 2}, 5316, -1, 0, 5318, 1.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 5320, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 60272, 2, {3, 4}, 5321, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5333, 0, -1, 0},
    {"in0", 'x', 's', 0, 154704, 2, {3, 4}, 5336, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5348, 0, -1, 0},
    {"in0", 'x', 's', 0, 77152, 2, {3, 4}, 5351, -1, 0, 5363, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5375, 0, -1, 0},
    {"in0", 'x', 's', 0, 60672, 2, {1, 1}, 5378, -1, 0, 5379, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5380, 0, -1, 0},
    {"in0", 'x', 's', 0, 47328, 2, {3, 4}, 5381, -1, 0, 5393, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5405, 0, -1, 0},
    {"in0", 'x', 's', 0, 133168, 2, {3, 4}, 5408, -1, 0, 5420, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5432, 0, -1, 0},
    {"in0", 'x', 's', 0, 62288, 2, {3, 4}, 5435, -1, 0, 5447, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5459, 0, -1, 0},
    {"in0", 'x', 's', 0, 47648, 2, {1, 1}, 5462, -1, 0, 5463, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5464, 0, -1, 0},
    {"in0", 'x', 's', 0, 59776, 2, {3, 4}, 5465, -1, 0, 5477, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5489, 0, -1, 0},
    {"in0", 'x', 's', 0, 154208, 2, {3, 4}, 5492, -1, 0, 5504, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5516, 0, -1, 0},
    {"in0", 'x', 's', 0, 76656, 2, {3, 4}, 5519, -1, 0, 5531, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5543, 0, -1, 0},
    {"in0", 'x', 's', 0, 60176, 2, {1, 1}, 5546, -1, 0, 5547, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5548, 0, -1, 0},
    {"in0", 'x', 's', 0, 60480, 2, {3, 4}, 5549, -1, 0, 5561, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5573, 0, -1, 0},
    {"in0", 'x', 's', 0, 154912, 2, {3, 4}, 5576, -1, 0, 5588, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5600, 0, -1, 0},
    {"in0", 'x', 's', 0, 77360, 2, {3, 4}, 5603, -1, 0, 5615, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5627, 0, -1, 0},
    {"in0", 'x', 's', 0, 60880, 2, {1, 1}, 5630, -1, 0, 5631, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5632, 0, -1, 0},
    {"in0", 'x', 's', 0, 60224, 2, {3, 4}, 5633, -1, 0, 5645, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5657, 0, -1, 0},
    {"in0", 'x', 's', 0, 154656, 2, {3, 4}, 5660, -1, 0, 5672, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5684, 0, -1, 0},
    {"in0", 'x', 's', 0, 77104, 2, {3, 4}, 5687, -1, 0, 5699, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5711, 0, -1, 0},
    {"in0", 'x', 's', 0, 60624, 2, {1, 1}, 5714, -1, 0, 5715, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5716, 0, -1, 0},
    {"in0", 'x', 's', 0, 60864, 2, {3, 4}, 5717, -1, 0, 5729, 7.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5741, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 155296, 2, {3, 4}, 5744, -1, 0, 5756, 7.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5768, 1.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 77744, 2, {3, 4}, 5771, -1, 0, 5783, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5795, 0, -1, 0},
    {"in0", 'x', 's', 0, 61264, 2, {1, 1}, 5798, -1, 0, 5799, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5800, 0, -1, 0},
    {"in0", 'x', 's', 0, 156272, 2, {3, 4}, 5801, -1, 0, 5813, 1e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5825, 5.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 293664, 2, {3, 4}, 5828, -1, 0, 5840, 1e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5852, 6.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 182752, 2, {3, 4}, 5855, -1, 0, 5867, 2.3e-16},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5879, 1.6e-09, -1, 0},
    {"in0", 'x', 's', 0, 157072, 2, {1, 1}, 5882, -1, 0, 5883, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5884, 0, -1, 0},
    {"in0", 'x', 's', 0, 46976, 2, {3, 4}, 5885, -1, 0, 5897, 8.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5909, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 132816, 2, {3, 4}, 5912, -1, 0, 5924, 8.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5936, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 61936, 2, {3, 4}, 5939, -1, 0, 5951, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5963, 0, -1, 0},
    {"in0", 'x', 's', 0, 47296, 2, {2, 1}, 5966, -1, 0, 5968, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5970, 0, -1, 0},
    {"in0", 'x', 's', 0, 46864, 2, {3, 4}, 5972, -1, 0, 5984, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5996, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 132704, 2, {3, 4}, 5999, -1, 0, 6011, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 6023, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 61824, 2, {3, 4}, 6026, -1, 0, 6038, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 6050, 0, -1, 0},
    {"in0", 'x', 's', 0, 47184, 2, {2, 1}, 6053, -1, 0, 6055, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 6057, 0, -1, 0},
    {"in0", 'x', 's', 0, 92688, 2, {3, 4}, 6059, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6071, 0, -1, 0},
    {"in0", 'x', 's', 0, 204304, 2, {3, 4}, 6074, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6086, 0, -1, 0},
    {"in0", 'x', 's', 0, 113408, 2, {3, 4}, 6089, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6101, 0, -1, 0},
    {"in0", 'x', 's', 0, 93248, 2, {1, 1}, 6104, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 6105, 0, -1, 0},
    {"in0", 'x', 's', 0, 92368, 2, {3, 4}, 6106, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6118, 0, -1, 0},
    {"in0", 'x', 's', 0, 203984, 2, {3, 4}, 6121, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6133, 0, -1, 0},
    {"in0", 'x', 's', 0, 113088, 2, {3, 4}, 6136, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6148, 0, -1, 0},
    {"in0", 'x', 's', 0, 92928, 2, {1, 1}, 6151, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 6152, 0, -1, 0},
    {"in0", 'x', 's', 0, 47392, 2, {3, 4}, 6153, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6165, 0, -1, 0},
    {"in0", 'x', 's', 0, 133232, 2, {3, 4}, 6168, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6180, 0, -1, 0},
    {"in0", 'x', 's', 0, 62352, 2, {3, 4}, 6183, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6195, 0, -1, 0},
    {"in0", 'x', 's', 0, 47712, 2, {1, 1}, 6198, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 6199, 0, -1, 0},
    {"in0", 'x', 's', 0, 46704, 2, {3, 4}, 6200, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6212, 0, -1, 0},
    {"in0", 'x', 's', 0, 132544, 2, {3, 4}, 6215, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6227, 0, -1, 0},
    {"in0", 'x', 's', 0, 61664, 2, {3, 4}, 6230, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 6242, 0, -1, 0},
    {"in0", 'x', 's', 0, 47024, 2, {1, 1}, 6245, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 6246, 0, -1, 0},
    {"in0", 'x', 's', 0, 94032, 2, {2, 4}, 6247, -1, 0, 6255, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 6263, 0, -1, 0},
    {"in0", 'x', 's', 0, 205648, 2, {2, 4}, 6271, -1, 0, 6279, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 6287, 0, -1, 0},
    {"in0", 'x', 's', 0, 114752, 2, {2, 4}, 6295, -1, 0, 6303, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 6311, 0, -1, 0},
    {"in0", 'x', 's', 0, 94592, 2, {1, 1}, 6319, -1, 0, 6320, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 6321, 0, -1, 0},
    {"in0", 'x', 's', 0, 112160, 2, {2, 3}, 6322, -1, 0, 6328, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 6334, 0, -1, 0},
    {"in0", 'x', 's', 0, 232368, 2, {2, 3}, 6340, -1, 0, 6346, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 6352, 0, -1, 0},
    {"in0", 'x', 's', 0, 134800, 2, {2, 3}, 6358, -1, 0, 6364, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 6370, 0, -1, 0},
    {"in0", 'x', 's', 0, 112800, 2, {1, 1}, 6376, -1, 0, 6377, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 6378, 0, -1, 0},
    {"in0", 'x', 's', 0, 74448, 2, {2, 4}, 6379, -1, 0, 6387, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 6395, 0, -1, 0},
    {"in0", 'x', 's', 0, 177472, 2, {2, 4}, 6399, -1, 0, 6407, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 6415, 0, -1, 0},
    {"in0", 'x', 's', 0, 93248, 2, {2, 4}, 6419, -1, 0, 6427, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 6435, 0, -1, 0},
    {"in0", 'x', 's', 0, 74928, 2, {1, 2}, 6439, -1, 0, 6441, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 6443, 0, -1, 0},
    {"in0", 'x', 's', 0, 91936, 2, {2, 3}, 6444, -1, 0, 6450, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 6456, 0, -1, 0},
    {"in0", 'x', 's', 0, 203552, 2, {2, 3}, 6468, -1, 0, 6474, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 6480, 0, -1, 0},
    {"in0", 'x', 's', 0, 112656, 2, {2, 3}, 6492, -1, 0, 6498, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 6504, 0, -1, 0},
    {"in0", 'x', 's', 0, 92496, 2, {1, 1}, 6516, -1, 0, 6517, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 6518, 0, -1, 0},
    {"in0", 'x', 's', 0, 74800, 2, {2, 3}, 6520, -1, 0, 6526, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 6532, 0, -1, 0},
    {"in0", 'x', 's', 0, 177824, 2, {2, 3}, 6544, -1, 0, 6550, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 6556, 0, -1, 0},
    {"in0", 'x', 's', 0, 93600, 2, {2, 3}, 6568, -1, 0, 6574, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 6580, 0, -1, 0},
    {"in0", 'x', 's', 0, 75280, 2, {1, 1}, 6592, -1, 0, 6593, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 1}, -1, 6594, 0, -1, 0},
    {"in0", 'x', 's', 0, 254704, 4, {1, 1, 2, 3}, 6596, -1, 0, 6602, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 5}, -1, 6608, 0, -1, 0},
    {"in0", 'x', 's', 0, 426464, 4, {1, 1, 2, 3}, 6628, -1, 0, 6634, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 5}, -1, 6640, 0, -1, 0},
    {"in0", 'x', 's', 0, 288864, 4, {1, 1, 2, 3}, 6660, -1, 0, 6666, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 5}, -1, 6672, 0, -1, 0},
    {"in0", 'x', 's', 0, 255824, 4, {1, 1, 1, 1}, 6692, -1, 0, 6693, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 6694, 0, -1, 0},
    {"in0", 'x', 's', 0, 46208, 4, {1, 1, 2, 3}, 6703, -1, 0, 6709, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 4}, -1, 6715, 0, -1, 0},
    {"in0", 'x', 's', 0, 132048, 4, {1, 1, 2, 3}, 6727, -1, 0, 6733, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 4}, -1, 6739, 0, -1, 0},
    {"in0", 'x', 's', 0, 61168, 4, {1, 1, 2, 3}, 6751, -1, 0, 6757, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 4}, -1, 6763, 0, -1, 0},
    {"in0", 'x', 's', 0, 46528, 4, {1, 1, 1, 1}, 6775, -1, 0, 6776, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 6777, 0, -1, 0},
    {"in0", 'x', 's', 0, 60400, 2, {2, 3}, 6781, -1, 0, 6787, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6793, 0, -1, 0},
    {"in0", 'x', 's', 0, 154832, 2, {2, 3}, 6799, -1, 0, 6805, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6811, 0, -1, 0},
    {"in0", 'x', 's', 0, 77280, 2, {2, 3}, 6817, -1, 0, 6823, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6829, 0, -1, 0},
    {"in0", 'x', 's', 0, 60800, 2, {1, 1}, 6835, -1, 0, 6836, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 6837, 0, -1, 0},
    {"in0", 'x', 's', 0, 60576, 2, {2, 3}, 6838, -1, 0, 6844, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6850, 0, -1, 0},
    {"in0", 'x', 's', 0, 155008, 2, {2, 3}, 6856, -1, 0, 6862, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6868, 0, -1, 0},
    {"in0", 'x', 's', 0, 77456, 2, {2, 3}, 6874, -1, 0, 6880, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6886, 0, -1, 0},
    {"in0", 'x', 's', 0, 60976, 2, {1, 1}, 6892, -1, 0, 6893, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 6894, 0, -1, 0},
    {"in0", 'x', 's', 0, 92080, 2, {2, 3}, 6895, -1, 0, 6901, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 6}, -1, 6907, 0, -1, 0},
    {"in0", 'x', 's', 0, 203696, 2, {2, 3}, 6931, -1, 0, 6937, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 6}, -1, 6943, 0, -1, 0},
    {"in0", 'x', 's', 0, 112800, 2, {2, 3}, 6967, -1, 0, 6973, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 6}, -1, 6979, 0, -1, 0},
    {"in0", 'x', 's', 0, 92640, 2, {1, 1}, 7003, -1, 0, 7004, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 7005, 0, -1, 0},
    {"in0", 'x', 's', 0, 388784, 2, {2, 3}, 7009, -1, 0, 7015, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 7021, 0, -1, 0},
    {"in0", 'x', 's', 0, 594912, 2, {2, 3}, 7033, -1, 0, 7039, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 7045, 0, -1, 0},
    {"in0", 'x', 's', 0, 430624, 2, {2, 3}, 7057, -1, 0, 7063, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 7069, 0, -1, 0},
    {"in0", 'x', 's', 0, 390224, 2, {1, 1}, 7081, -1, 0, 7082, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 7083, 0, -1, 0},
    {"in0", 'x', 's', 0, 153920, 2, {2, 4}, 7085, -1, 0, 7093, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 1}, -1, 7101, 0, -1, 0},
    {"in0", 'x', 's', 0, 291312, 2, {2, 4}, 7109, -1, 0, 7117, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 1}, -1, 7125, 0, -1, 0},
    {"in0", 'x', 's', 0, 180400, 2, {2, 4}, 7133, -1, 0, 7141, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 1}, -1, 7149, 0, -1, 0},
    {"in0", 'x', 's', 0, 154720, 2, {1, 1}, 7157, -1, 0, 7158, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 7159, 0, -1, 0},
    {"in0", 'x', 's', 0, 111520, 3, {2, 1, 3}, 7160, -1, 0, 7166, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 7172, 0, -1, 0},
    {"in0", 'x', 's', 0, 231728, 3, {2, 1, 3}, 7178, -1, 0, 7184, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 7190, 0, -1, 0},
    {"in0", 'x', 's', 0, 134160, 3, {2, 1, 3}, 7196, -1, 0, 7202, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 7208, 0, -1, 0},
    {"in0", 'x', 's', 0, 112160, 3, {1, 1, 1}, 7214, -1, 0, 7215, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 7216, 0, -1, 0},
    {"in0", 'x', 's', 0, 154736, 2, {2, 3}, 7217, -1, 0, 7223, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 1, 3}, -1, 7229, 0, -1, 0},
    {"in0", 'x', 's', 0, 292128, 2, {2, 3}, 7235, -1, 0, 7241, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 1, 3}, -1, 7247, 0, -1, 0},
    {"in0", 'x', 's', 0, 181216, 2, {2, 3}, 7253, -1, 0, 7259, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 1, 3}, -1, 7265, 0, -1, 0},
    {"in0", 'x', 's', 0, 155536, 2, {1, 1}, 7271, -1, 0, 7272, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 7273, 0, -1, 0},
    {"in0", 'x', 's', 0, 91920, 4, {1, 1, 3, 3}, 7274, -1, 0, 7283, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 4, 16}, -1, 7292, 0, -1, 0},
    {"in0", 'x', 's', 0, 203536, 4, {1, 1, 3, 3}, 7356, -1, 0, 7365, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 4, 16}, -1, 7374, 0, -1, 0},
    {"in0", 'x', 's', 0, 112640, 4, {1, 1, 3, 3}, 7438, -1, 0, 7447, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 4, 16}, -1, 7456, 0, -1, 0},
    {"in0", 'x', 's', 0, 92480, 4, {1, 1, 1, 1}, 7520, -1, 0, 7521, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 4, 4}, -1, 7522, 0, -1, 0},
    {"in0", 'x', 's', 0, 59872, 3, {1, 4, 4}, 7538, -1, 0, 7554, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 7570, 0, -1, 0},
    {"in0", 'x', 's', 0, 154304, 3, {1, 4, 4}, 7579, -1, 0, 7595, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 7611, 0, -1, 0},
    {"in0", 'x', 's', 0, 76752, 3, {1, 4, 4}, 7620, -1, 0, 7636, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 7652, 0, -1, 0},
    {"in0", 'x', 's', 0, 60272, 3, {1, 4, 1}, 7661, -1, 0, 7665, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 7669, 0, -1, 0},
    {"in0", 'x', 's', 0, 91728, 3, {2, 1, 3}, 7673, -1, 0, 7679, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 7685, 0, -1, 0},
    {"in0", 'x', 's', 0, 203344, 3, {2, 1, 3}, 7709, -1, 0, 7715, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 7721, 0, -1, 0},
    {"in0", 'x', 's', 0, 112448, 3, {2, 1, 3}, 7745, -1, 0, 7751, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 7757, 0, -1, 0},
    {"in0", 'x', 's', 0, 92288, 2, {1, 1}, 7781, -1, 0, 7782, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 7783, 0, -1, 0},
    {"in0", 'x', 's', 0, 256624, 4, {1, 4, 1, 2}, 7807, -1, 0, 7815, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 4}, -1, 7823, 0, -1, 0},
    {"in0", 'x', 's', 0, 428384, 4, {1, 4, 1, 2}, 7831, -1, 0, 7839, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 4}, -1, 7847, 0, -1, 0},
    {"in0", 'x', 's', 0, 290784, 4, {1, 4, 1, 2}, 7855, -1, 0, 7863, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 4}, -1, 7871, 0, -1, 0},
    {"in0", 'x', 's', 0, 257744, 4, {1, 4, 1, 1}, 7879, -1, 0, 7883, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 7887, 0, -1, 0},
    {"in0", 'x', 's', 0, 318000, 4, {1, 4, 1, 2}, 7891, -1, 0, 7899, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 7907, 0, -1, 0},
    {"in0", 'x', 's', 0, 506944, 4, {1, 4, 1, 2}, 7915, -1, 0, 7923, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 7931, 0, -1, 0},
    {"in0", 'x', 's', 0, 356000, 4, {1, 4, 1, 2}, 7939, -1, 0, 7947, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 7955, 0, -1, 0},
    {"in0", 'x', 's', 0, 319280, 4, {1, 2, 1, 1}, 7963, -1, 0, 7965, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 7967, 0, -1, 0},
    {"in0", 'x', 's', 0, 228240, 2, {3, 2}, 7969, -1, 0, 7975, 0},
    {"in1", 'x', 'i', 1, 228241, 1, {2}, 7981, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 7983, 0, -1, 0},
    {"in0", 'x', 's', 0, 391408, 2, {3, 2}, 7987, -1, 0, 7993, 0},
    {"in1", 'x', 'i', 1, 391409, 1, {2}, 7999, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 8001, 0, -1, 0},
    {"in0", 'x', 's', 0, 260480, 2, {3, 2}, 8005, -1, 0, 8011, 0},
    {"in1", 'x', 'i', 1, 260481, 1, {2}, 8017, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 8019, 0, -1, 0},
    {"in0", 'x', 's', 0, 229280, 2, {1, 1}, 8023, -1, 0, 8024, 0},
    {"in1", 'x', 'i', 1, 229281, 1, {2}, 8025, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 8027, 0, -1, 0},
    {"in0", 'x', 's', 0, 61392, 2, {2, 5}, 8029, -1, 0, 8039, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8049, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8059, 0, -1, 0},
    {"in0", 'x', 's', 0, 155824, 2, {2, 5}, 8069, -1, 0, 8079, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8089, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8099, 0, -1, 0},
    {"in0", 'x', 's', 0, 78272, 2, {2, 5}, 8109, -1, 0, 8119, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8129, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8139, 0, -1, 0},
    {"in0", 'x', 's', 0, 61792, 2, {1, 1}, 8149, -1, 0, 8150, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 8151, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {1, 1}, -1, 8152, 0, -1, 0},
    {"in0", 'x', 's', 0, 75120, 2, {2, 5}, 8153, -1, 0, 8163, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 8173, 0, -1, 0},
    {"in0", 'x', 's', 0, 178144, 2, {2, 5}, 8175, -1, 0, 8185, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 8195, 0, -1, 0},
    {"in0", 'x', 's', 0, 93920, 2, {2, 5}, 8197, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 8207, 0, -1, 0},
    {"in0", 'x', 's', 0, 75600, 2, {1, 1}, 8209, -1, 0, 8210, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 8211, 0, -1, 0},
    {"in0", 'x', 's', 0, 131600, 2, {2, 5}, 8212, -1, 0, 8222, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 8232, 0, -1, 0},
    {"in0", 'x', 's', 0, 260400, 2, {2, 5}, 8234, -1, 0, 8244, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 8254, 0, -1, 0},
    {"in0", 'x', 's', 0, 156160, 2, {2, 5}, 8256, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 8266, 0, -1, 0},
    {"in0", 'x', 's', 0, 132320, 2, {1, 1}, 8268, -1, 0, 8269, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 8270, 0, -1, 0},
    {"in0", 'x', 's', 0, 91104, 2, {2, 5}, 8271, -1, 0, 8281, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 8291, 0, -1, 0},
    {"in0", 'x', 's', 0, 202720, 2, {2, 5}, 8293, -1, 0, 8303, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 8313, 0, -1, 0},
    {"in0", 'x', 's', 0, 111824, 2, {2, 5}, 8315, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 8325, 0, -1, 0},
    {"in0", 'x', 's', 0, 91664, 2, {1, 1}, 8327, -1, 0, 8328, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 8329, 0, -1, 0},
    {"in0", 'x', 's', 0, 111344, 2, {3, 5}, 8330, -1, 0, 8345, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 8360, 0, -1, 0},
    {"in0", 'x', 's', 0, 111584, 2, {2, 5}, 8363, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8373, 0, -1, 0},
    {"in0", 'x', 's', 0, 231792, 2, {2, 5}, 8383, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8393, 0, -1, 0},
    {"in0", 'x', 's', 0, 134224, 2, {2, 5}, 8403, -1, 0, 8413, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8423, 0, -1, 0},
    {"in0", 'x', 's', 0, 112224, 2, {1, 1}, 8433, -1, 0, 8434, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 8435, 0, -1, 0},
    {"in0", 'x', 's', 0, 234560, 2, {2, 5}, 8436, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8446, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 397728, 2, {2, 5}, 8456, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8466, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 266800, 2, {2, 5}, 8476, -1, 0, 8486, 4.7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8496, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 235600, 2, {1, 1}, 8506, -1, 0, 8507, 1.5e-16},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 8508, 0, -1, 0},
    {"in0", 'x', 's', 0, 93104, 2, {2, 5}, 8509, -1, 0, 8519, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8529, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8539, 0, -1, 0},
    {"in0", 'x', 's', 0, 204720, 2, {2, 5}, 8549, -1, 0, 8559, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8569, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8579, 0, -1, 0},
    {"in0", 'x', 's', 0, 113824, 2, {2, 5}, 8589, -1, 0, 8599, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8609, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8619, 0, -1, 0},
    {"in0", 'x', 's', 0, 93664, 2, {1, 1}, 8629, -1, 0, 8630, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 8631, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {1, 1}, -1, 8632, 0, -1, 0},
    {"in0", 'x', 's', 0, 92784, 2, {2, 5}, 8633, -1, 0, 8643, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8653, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8663, 0, -1, 0},
    {"in0", 'x', 's', 0, 204400, 2, {2, 5}, 8673, -1, 0, 8683, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8693, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8703, 0, -1, 0},
    {"in0", 'x', 's', 0, 113504, 2, {2, 5}, 8713, -1, 0, 8723, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 8733, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 8743, 0, -1, 0},
    {"in0", 'x', 's', 0, 93344, 2, {1, 1}, 8753, -1, 0, 8754, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 8755, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {1, 1}, -1, 8756, 0, -1, 0},
    {"in0", 'x', 's', 0, 92288, 2, {3, 2}, 8757, -1, 0, 8763, 0},
    {"in1", 'x', 'i', 1, 92289, 2, {1, 2}, 8769, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 8771, 0, -1, 0},
    {"in0", 'x', 's', 0, 203904, 2, {3, 2}, 8773, -1, 0, 8779, 0},
    {"in1", 'x', 'i', 1, 203905, 2, {1, 2}, 8785, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 8787, 0, -1, 0},
    {"in0", 'x', 's', 0, 113008, 2, {3, 2}, 8789, -1, 0, 8795, 0},
    {"in1", 'x', 'i', 1, 113009, 2, {1, 2}, 8801, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 8803, 0, -1, 0},
    {"in0", 'x', 's', 0, 92848, 2, {1, 2}, 8805, -1, 0, 8807, 0},
    {"in1", 'x', 'i', 1, 92849, 2, {1, 2}, 8809, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 8811, 0, -1, 0},
    {"in0", 'x', 's', 0, 197808, 2, {3, 2}, 8813, -1, 0, 8819, 0},
    {"in1", 'x', 'i', 1, 197809, 2, {1, 2}, 8825, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 197810, 2, {1, 2}, -1, -1, 0, 8827, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8829, 0, -1, 0},
    {"in0", 'x', 's', 0, 352384, 2, {3, 2}, 8835, -1, 0, 8841, 0},
    {"in1", 'x', 'i', 1, 352385, 2, {1, 2}, 8847, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 352386, 2, {1, 2}, -1, -1, 0, 8849, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8851, 0, -1, 0},
    {"in0", 'x', 's', 0, 228128, 2, {3, 2}, 8857, -1, 0, 8863, 0},
    {"in1", 'x', 'i', 1, 228129, 2, {1, 2}, 8869, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 228130, 2, {1, 2}, -1, -1, 0, 8871, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8873, 0, -1, 0},
    {"in0", 'x', 's', 0, 198768, 2, {1, 2}, 8879, -1, 0, 8881, 0},
    {"in1", 'x', 'i', 1, 198769, 2, {1, 2}, 8883, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 198770, 2, {1, 2}, -1, -1, 0, 8885, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 8887, 0, -1, 0},
    {"in0", 'x', 's', 0, 285872, 2, {3, 2}, 8889, -1, 0, 8895, 0},
    {"in1", 'x', 'i', 1, 285873, 2, {1, 2}, 8901, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 285874, 2, {1, 2}, -1, -1, 0, 8903, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8905, 0, -1, 0},
    {"in0", 'x', 's', 0, 466224, 2, {3, 2}, 8911, -1, 0, 8917, 0},
    {"in1", 'x', 'i', 1, 466225, 2, {1, 2}, 8923, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 466226, 2, {1, 2}, -1, -1, 0, 8925, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8927, 0, -1, 0},
    {"in0", 'x', 's', 0, 321952, 2, {3, 2}, 8933, -1, 0, 8939, 0},
    {"in1", 'x', 'i', 1, 321953, 2, {1, 2}, 8945, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 321954, 2, {1, 2}, -1, -1, 0, 8947, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8949, 0, -1, 0},
    {"in0", 'x', 's', 0, 287072, 2, {1, 2}, 8955, -1, 0, 8957, 0},
    {"in1", 'x', 'i', 1, 287073, 2, {1, 2}, 8959, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 287074, 2, {1, 2}, -1, -1, 0, 8961, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 8963, 0, -1, 0},
    {"in0", 'x', 's', 0, 111712, 2, {3, 2}, 8965, -1, 0, 8971, 0},
    {"in1", 'x', 'i', 1, 111713, 2, {1, 2}, 8977, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 111714, 2, {1, 2}, -1, -1, 0, 8979, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8981, 0, -1, 0},
    {"in0", 'x', 's', 0, 231920, 2, {3, 2}, 8987, -1, 0, 8993, 0},
    {"in1", 'x', 'i', 1, 231921, 2, {1, 2}, 8999, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 231922, 2, {1, 2}, -1, -1, 0, 9001, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 9003, 0, -1, 0},
    {"in0", 'x', 's', 0, 134352, 2, {3, 2}, 9009, -1, 0, 9015, 0},
    {"in1", 'x', 'i', 1, 134353, 2, {1, 2}, 9021, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 134354, 2, {1, 2}, -1, -1, 0, 9023, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 9025, 0, -1, 0},
    {"in0", 'x', 's', 0, 112352, 2, {1, 2}, 9031, -1, 0, 9033, 0},
    {"in1", 'x', 'i', 1, 112353, 2, {1, 2}, 9035, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 112354, 2, {1, 2}, -1, -1, 0, 9037, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 9039, 0, -1, 0},
    {"in0", 'x', 's', 0, 150608, 2, {3, 2}, 9041, -1, 0, 9047, 0},
    {"in1", 'x', 'i', 1, 150609, 1, {2}, 9053, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 9055, 0, -1, 0},
    {"in0", 'x', 's', 0, 288000, 2, {3, 2}, 9059, -1, 0, 9065, 0},
    {"in1", 'x', 'i', 1, 288001, 1, {2}, 9071, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 9073, 0, -1, 0},
    {"in0", 'x', 's', 0, 177088, 2, {3, 2}, 9077, -1, 0, 9083, 0},
    {"in1", 'x', 'i', 1, 177089, 1, {2}, 9089, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 9091, 0, -1, 0},
    {"in0", 'x', 's', 0, 151408, 2, {1, 2}, 9095, -1, 0, 9097, 0},
    {"in1", 'x', 'i', 1, 151409, 1, {2}, 9099, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 9101, 0, -1, 0},
    {"in0", 'x', 's', 0, 386752, 2, {3, 2}, 9105, -1, 0, 9111, 6.9e-08},
    {"in1", 'x', 's', 0, 386753, 2, {3, 2}, -1, -1, 0, 9117, 6.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 9123, 5.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 592880, 2, {3, 2}, 9126, -1, 0, 9132, 8.9e-08},
    {"in1", 'x', 's', 0, 592881, 2, {3, 2}, -1, -1, 0, 9138, 8.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 9144, 6e-08, -1, 0},
    {"in0", 'x', 's', 0, 428592, 2, {3, 2}, 9147, -1, 0, 9153, 3.4e-08},
    {"in1", 'x', 's', 0, 428593, 2, {3, 2}, -1, -1, 0, 9159, 3.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 9165, 9.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 388192, 2, {1, 1}, 9168, -1, 0, 9169, 0},
    {"in1", 'x', 's', 0, 388193, 2, {1, 1}, -1, -1, 0, 9170, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 9171, 3.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 76160, 2, {3, 2}, 9172, -1, 0, 9178, 8.9e-08},
    {"in1", 'x', 's', 0, 76161, 2, {2, 2}, -1, -1, 0, 9184, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 9188, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 179184, 2, {3, 2}, 9194, -1, 0, 9200, 6e-08},
    {"in1", 'x', 's', 0, 179185, 2, {2, 2}, -1, -1, 0, 9206, 5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 9210, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 94960, 2, {3, 2}, 9216, -1, 0, 9222, 6.5e-08},
    {"in1", 'x', 's', 0, 94961, 2, {2, 2}, -1, -1, 0, 9228, 5.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 9232, 4.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 76640, 2, {1, 1}, 9238, -1, 0, 9239, 0},
    {"in1", 'x', 's', 0, 76641, 2, {2, 1}, -1, -1, 0, 9240, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 9242, 0, -1, 0},
    {"in0", 'x', 's', 0, 328768, 2, {2, 5}, 9244, -1, 0, 9254, 0},
    {"in1", 'x', 's', 0, 328769, 2, {2, 5}, 9264, -1, 0, 9274, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 9284, 0, -1, 0},
    {"in0", 'x', 's', 0, 848448, 2, {2, 3}, 9288, -1, 0, 9294, 0},
    {"in1", 'x', 's', 0, 848449, 2, {2, 3}, 9300, -1, 0, 9306, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 9312, 0, -1, 0},
    {"in0", 'x', 's', 0, 289920, 4, {1, 1, 3, 3}, 9314, -1, 0, 9323, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9332, 0, -1, 0},
    {"in0", 'x', 's', 0, 470272, 4, {1, 1, 3, 3}, 9368, -1, 0, 9377, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9386, 0, -1, 0},
    {"in0", 'x', 's', 0, 326000, 4, {1, 1, 3, 3}, 9422, -1, 0, 9431, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9440, 0, -1, 0},
    {"in0", 'x', 's', 0, 291120, 4, {1, 1, 1, 1}, 9476, -1, 0, 9477, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9478, 0, -1, 0},
    {"in0", 'x', 's', 0, 317648, 4, {1, 1, 3, 3}, 9514, -1, 0, 9523, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9532, 0, -1, 0},
    {"in0", 'x', 's', 0, 506592, 4, {1, 1, 3, 3}, 9568, -1, 0, 9577, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9586, 0, -1, 0},
    {"in0", 'x', 's', 0, 355648, 4, {1, 1, 3, 3}, 9622, -1, 0, 9631, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9640, 0, -1, 0},
    {"in0", 'x', 's', 0, 318928, 4, {1, 1, 1, 1}, 9676, -1, 0, 9677, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9678, 6.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 283344, 4, {1, 1, 3, 3}, 9714, -1, 0, 9723, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9732, 0, -1, 0},
    {"in0", 'x', 's', 0, 463696, 4, {1, 1, 3, 3}, 9768, -1, 0, 9777, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9786, 0, -1, 0},
    {"in0", 'x', 's', 0, 319424, 4, {1, 1, 3, 3}, 9822, -1, 0, 9831, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9840, 0, -1, 0},
    {"in0", 'x', 's', 0, 284544, 4, {1, 1, 1, 1}, 9876, -1, 0, 9877, 3.2e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 9878, 3.9e-07, -1, 0},
    {"in0", 'x', 's', 0, 200624, 4, {1, 1, 3, 3}, 9914, -1, 0, 9923, 0},
    {"in1", 'x', 'w', 0, 200625, 4, {1, 2, 2, 2}, -1, -1, 0, 9932, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 9940, 0, -1, 0},
    {"in0", 'x', 's', 0, 355200, 4, {1, 1, 3, 3}, 9944, -1, 0, 9953, 0},
    {"in1", 'x', 'w', 0, 355201, 4, {1, 2, 2, 2}, -1, -1, 0, 9962, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 9970, 0, -1, 0},
    {"in0", 'x', 's', 0, 230944, 4, {1, 1, 3, 3}, 9974, -1, 0, 9983, 0},
    {"in1", 'x', 'w', 0, 230945, 4, {1, 2, 2, 2}, -1, -1, 0, 9992, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 10000, 0, -1, 0},
    {"in0", 'x', 's', 0, 201584, 4, {1, 1, 1, 1}, 10004, -1, 0, 10005, 0},
    {"in1", 'x', 'w', 0, 201585, 4, {1, 2, 2, 2}, -1, -1, 0, 10006, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 10014, 0, -1, 0},
    {"in0", 'x', 's', 0, 145408, 3, {1, 1, 6}, 10018, -1, 0, 10024, 3.8e-09},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 3}, -1, 10030, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 282800, 3, {1, 1, 6}, 10033, -1, 0, 10039, 3.8e-09},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 3}, -1, 10045, 4.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 171888, 3, {1, 1, 6}, 10048, -1, 0, 10054, 8.7e-09},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 3}, -1, 10060, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 146208, 3, {1, 1, 2}, 10063, -1, 0, 10065, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 10067, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 373488, 4, {1, 2, 3, 3}, 10068, -1, 0, 10086, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 10104, 0, -1, 0},
    {"in0", 'x', 's', 0, 579616, 4, {1, 2, 3, 3}, 10106, -1, 0, 10124, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 10142, 0, -1, 0},
    {"in0", 'x', 's', 0, 374928, 4, {1, 1, 1, 1}, 10144, -1, 0, 10145, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 10146, 0, -1, 0},
    {"in0", 'x', 's', 0, 61056, 3, {2, 3, 2}, 10147, -1, 0, 10159, 9.4e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 61057, 2, {8, 2}, -1, -1, 0, 10171, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 61058, 2, {8, 2}, -1, -1, 0, 10187, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 61059, 1, {8}, -1, -1, 0, 10203, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 61060, 1, {8}, -1, -1, 0, 10211, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10219, 5.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 155488, 3, {2, 3, 2}, 10231, -1, 0, 10243, 1e-07},
    {"r.weight_ih_l0", 'p', 'w', 0, 155489, 2, {8, 2}, -1, -1, 0, 10255, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 155490, 2, {8, 2}, -1, -1, 0, 10271, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 155491, 1, {8}, -1, -1, 0, 10287, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 155492, 1, {8}, -1, -1, 0, 10295, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10303, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 77936, 3, {2, 3, 2}, 10315, -1, 0, 10327, 7.8e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 77937, 2, {8, 2}, -1, -1, 0, 10339, 5.4e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 77938, 2, {8, 2}, -1, -1, 0, 10355, 1.1e-07},
    {"r.bias_ih_l0", 'p', 'w', 0, 77939, 1, {8}, -1, -1, 0, 10371, 6.2e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 77940, 1, {8}, -1, -1, 0, 10379, 6.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10387, 8.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 61456, 3, {1, 1, 2}, 10399, -1, 0, 10401, 4.1e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 61457, 2, {8, 2}, -1, -1, 0, 10403, 5.5e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 61458, 2, {8, 2}, -1, -1, 0, 10419, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 61459, 1, {8}, -1, -1, 0, 10435, 9.3e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 61460, 1, {8}, -1, -1, 0, 10443, 9.3e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 10451, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 47424, 3, {2, 3, 2}, 10453, -1, 0, 10465, 7.3e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47425, 2, {6, 2}, -1, -1, 0, 10477, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 47426, 2, {6, 2}, -1, -1, 0, 10489, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47427, 1, {6}, -1, -1, 0, 10501, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 47428, 1, {6}, -1, -1, 0, 10507, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10513, 3.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 133264, 3, {2, 3, 2}, 10525, -1, 0, 10537, 5.4e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 133265, 2, {6, 2}, -1, -1, 0, 10549, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 133266, 2, {6, 2}, -1, -1, 0, 10561, 6.9e-08},
    {"r.bias_ih_l0", 'p', 'w', 0, 133267, 1, {6}, -1, -1, 0, 10573, 2.6e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 133268, 1, {6}, -1, -1, 0, 10579, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10585, 3.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 62384, 3, {2, 3, 2}, 10597, -1, 0, 10609, 4.8e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 62385, 2, {6, 2}, -1, -1, 0, 10621, 9.8e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 62386, 2, {6, 2}, -1, -1, 0, 10633, 4.9e-08},
    {"r.bias_ih_l0", 'p', 'w', 0, 62387, 1, {6}, -1, -1, 0, 10645, 2.6e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 62388, 1, {6}, -1, -1, 0, 10651, 5.3e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10657, 8.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47744, 3, {1, 1, 2}, 10669, -1, 0, 10671, 9.5e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47745, 2, {6, 2}, -1, -1, 0, 10673, 8.8e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 47746, 2, {6, 2}, -1, -1, 0, 10685, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47747, 1, {6}, -1, -1, 0, 10697, 6.4e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 47748, 1, {6}, -1, -1, 0, 10703, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 10709, 9.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47136, 3, {2, 3, 2}, 10711, -1, 0, 10723, 6.2e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47137, 2, {2, 2}, -1, -1, 0, 10735, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 47138, 2, {2, 2}, -1, -1, 0, 10739, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47139, 1, {2}, -1, -1, 0, 10743, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 47140, 1, {2}, -1, -1, 0, 10745, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10747, 4.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 132976, 3, {2, 3, 2}, 10759, -1, 0, 10771, 5.4e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 132977, 2, {2, 2}, -1, -1, 0, 10783, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 132978, 2, {2, 2}, -1, -1, 0, 10787, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 132979, 1, {2}, -1, -1, 0, 10791, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 132980, 1, {2}, -1, -1, 0, 10793, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10795, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 62096, 3, {2, 3, 2}, 10807, -1, 0, 10819, 6e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 62097, 2, {2, 2}, -1, -1, 0, 10831, 1e-07},
    {"r.weight_hh_l0", 'p', 'w', 0, 62098, 2, {2, 2}, -1, -1, 0, 10835, 8e-08},
    {"r.bias_ih_l0", 'p', 'w', 0, 62099, 1, {2}, -1, -1, 0, 10839, 8e-09},
    {"r.bias_hh_l0", 'p', 'w', 0, 62100, 1, {2}, -1, -1, 0, 10841, 1e-07},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 10843, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47456, 3, {1, 1, 2}, 10855, -1, 0, 10857, 3.1e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47457, 2, {2, 2}, -1, -1, 0, 10859, 5e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 47458, 2, {2, 2}, -1, -1, 0, 10863, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47459, 1, {2}, -1, -1, 0, 10867, 3.6e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 47460, 1, {2}, -1, -1, 0, 10869, 3.6e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 10871, 3.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 76256, 3, {2, 2, 3}, 10873, -1, 0, 10885, 0},
    {"p.weight", 'p', 'w', 0, 76257, 1, {1}, -1, -1, 0, 10897, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 10898, 0, -1, 0},
    {"in0", 'x', 's', 0, 179280, 3, {2, 2, 3}, 10910, -1, 0, 10922, 0},
    {"p.weight", 'p', 'w', 0, 179281, 1, {1}, -1, -1, 0, 10934, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 10935, 0, -1, 0},
    {"in0", 'x', 's', 0, 95056, 3, {2, 2, 3}, 10947, -1, 0, 10959, 0},
    {"p.weight", 'p', 'w', 0, 95057, 1, {1}, -1, -1, 0, 10971, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 10972, 0, -1, 0},
    {"in0", 'x', 's', 0, 76736, 2, {1, 1}, 10984, -1, 0, 10985, 0},
    {"p.weight", 'p', 'w', 0, 76737, 1, {1}, -1, -1, 0, 10986, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 10987, 0, -1, 0},
    {"in0", 'x', 's', 0, 87936, 5, {1, 2, 2, 3, 2}, 10988, -1, 0, 11012, 0},
    {"c.weight", 'p', 'w', 0, 87937, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 11036, 0},
    {"c.bias", 'p', 'w', 0, 87938, 1, {1}, -1, -1, 0, 11038, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 3, 2}, -1, 11039, 0, -1, 0},
    {"in0", 'x', 's', 0, 199552, 5, {1, 2, 2, 3, 2}, 11051, -1, 0, 11075, 0},
    {"c.weight", 'p', 'w', 0, 199553, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 11099, 0},
    {"c.bias", 'p', 'w', 0, 199554, 1, {1}, -1, -1, 0, 11101, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 3, 2}, -1, 11102, 0, -1, 0},
    {"in0", 'x', 's', 0, 108656, 5, {1, 2, 2, 3, 2}, 11114, -1, 0, 11138, 0},
    {"c.weight", 'p', 'w', 0, 108657, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 11162, 0},
    {"c.bias", 'p', 'w', 0, 108658, 1, {1}, -1, -1, 0, 11164, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 3, 2}, -1, 11165, 0, -1, 0},
    {"in0", 'x', 's', 0, 88496, 5, {1, 2, 1, 1, 1}, 11177, -1, 0, 11179, 0},
    {"c.weight", 'p', 'w', 0, 88497, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 11181, 0},
    {"c.bias", 'p', 'w', 0, 88498, 1, {1}, -1, -1, 0, 11183, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 11184, 0, -1, 0},
    {"in0", 'x', 's', 0, 343744, 5, {1, 2, 2, 2, 1}, 11185, -1, 0, 11193, 0},
    {"c.weight", 'p', 'w', 0, 343745, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 11201, 0},
    {"c.bias", 'p', 'w', 0, 343746, 1, {1}, -1, -1, 0, 11217, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 4, 4, 2}, -1, 11218, 0, -1, 0},
    {"in0", 'x', 's', 0, 541280, 5, {1, 2, 2, 2, 1}, 11250, -1, 0, 11258, 0},
    {"c.weight", 'p', 'w', 0, 541281, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 11266, 0},
    {"c.bias", 'p', 'w', 0, 541282, 1, {1}, -1, -1, 0, 11282, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 4, 4, 2}, -1, 11283, 0, -1, 0},
    {"in0", 'x', 's', 0, 383664, 5, {1, 2, 2, 2, 1}, 11315, -1, 0, 11323, 0},
    {"c.weight", 'p', 'w', 0, 383665, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 11331, 0},
    {"c.bias", 'p', 'w', 0, 383666, 1, {1}, -1, -1, 0, 11347, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 4, 4, 2}, -1, 11348, 0, -1, 0},
    {"in0", 'x', 's', 0, 345104, 5, {1, 2, 1, 1, 1}, 11380, -1, 0, 11382, 0},
    {"c.weight", 'p', 'w', 0, 345105, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 11384, 0},
    {"c.bias", 'p', 'w', 0, 345106, 1, {1}, -1, -1, 0, 11400, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 2}, -1, 11401, 0, -1, 0},
    {"in0", 'x', 's', 0, 198672, 4, {1, 2, 3, 3}, 11409, -1, 0, 11427, 0},
    {"in1", 'x', 'w', 0, 198673, 4, {1, 2, 1, 1}, -1, -1, 0, 11445, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 11447, 0, -1, 0},
    {"in0", 'x', 's', 0, 353248, 4, {1, 2, 3, 3}, 11456, -1, 0, 11474, 0},
    {"in1", 'x', 'w', 0, 353249, 4, {1, 2, 1, 1}, -1, -1, 0, 11492, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 11494, 0, -1, 0},
    {"in0", 'x', 's', 0, 228992, 4, {1, 2, 3, 3}, 11503, -1, 0, 11521, 0},
    {"in1", 'x', 'w', 0, 228993, 4, {1, 2, 1, 1}, -1, -1, 0, 11539, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 11541, 0, -1, 0},
    {"in0", 'x', 's', 0, 199632, 4, {1, 2, 1, 1}, 11550, -1, 0, 11552, 0},
    {"in1", 'x', 'w', 0, 199633, 4, {1, 2, 1, 1}, -1, -1, 0, 11554, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 11556, 0, -1, 0},
    {"in0", 'x', 's', 0, 540560, 4, {1, 2, 2, 2}, 11557, -1, 0, 11565, 0},
    {"in1", 'x', 'w', 0, 540561, 4, {2, 1, 2, 2}, -1, -1, 0, 11573, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 4}, -1, 11581, 0, -1, 0},
    {"in0", 'x', 's', 0, 781056, 4, {1, 2, 2, 2}, 11597, -1, 0, 11605, 0},
    {"in1", 'x', 'w', 0, 781057, 4, {2, 1, 2, 2}, -1, -1, 0, 11613, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 4}, -1, 11621, 0, -1, 0},
    {"in0", 'x', 's', 0, 590080, 4, {1, 2, 2, 2}, 11637, -1, 0, 11645, 0},
    {"in1", 'x', 'w', 0, 590081, 4, {2, 1, 2, 2}, -1, -1, 0, 11653, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 4}, -1, 11661, 0, -1, 0},
    {"in0", 'x', 's', 0, 542320, 4, {1, 2, 1, 1}, 11677, -1, 0, 11679, 0},
    {"in1", 'x', 'w', 0, 542321, 4, {2, 1, 2, 2}, -1, -1, 0, 11681, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 11689, 0, -1, 0},
    {"in0", 'x', 's', 0, 168560, 5, {1, 1, 2, 4, 4}, 11693, -1, 0, 11725, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 11757, 0, -1, 0},
    {"in0", 'x', 's', 0, 314544, 5, {1, 1, 2, 4, 4}, 11761, -1, 0, 11793, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 11825, 0, -1, 0},
    {"in0", 'x', 's', 0, 196960, 5, {1, 1, 2, 4, 4}, 11829, -1, 0, 11861, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 11893, 0, -1, 0},
    {"in0", 'x', 's', 0, 169440, 5, {1, 1, 2, 2, 2}, 11897, -1, 0, 11905, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 11913, 0, -1, 0},
    {"in0", 'x', 's', 0, 168224, 5, {1, 1, 2, 4, 4}, 11914, -1, 0, 11946, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 11978, 0, -1, 0},
    {"in0", 'x', 's', 0, 314208, 5, {1, 1, 2, 4, 4}, 11982, -1, 0, 12014, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 12046, 0, -1, 0},
    {"in0", 'x', 's', 0, 196624, 5, {1, 1, 2, 4, 4}, 12050, -1, 0, 12082, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 12114, 0, -1, 0},
    {"in0", 'x', 's', 0, 169104, 5, {1, 1, 2, 2, 2}, 12118, -1, 0, 12126, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 12134, 0, -1, 0},
    {"in0", 'x', 's', 0, 449664, 5, {1, 1, 2, 4, 3}, 12135, -1, 0, 12159, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12183, 0, -1, 0},
    {"in0", 'x', 's', 0, 672976, 5, {1, 1, 2, 4, 3}, 12185, -1, 0, 12209, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12233, 0, -1, 0},
    {"in0", 'x', 's', 0, 495344, 5, {1, 1, 2, 4, 3}, 12235, -1, 0, 12259, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12283, 0, -1, 0},
    {"in0", 'x', 's', 0, 451264, 5, {1, 1, 1, 1, 1}, 12285, -1, 0, 12286, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12287, 0, -1, 0},
    {"in0", 'x', 's', 0, 448176, 5, {1, 1, 2, 4, 3}, 12289, -1, 0, 12313, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12337, 3.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 671488, 5, {1, 1, 2, 4, 3}, 12339, -1, 0, 12363, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12387, 0, -1, 0},
    {"in0", 'x', 's', 0, 493856, 5, {1, 1, 2, 4, 3}, 12389, -1, 0, 12413, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12437, 0, -1, 0},
    {"in0", 'x', 's', 0, 449776, 5, {1, 1, 1, 1, 1}, 12439, -1, 0, 12440, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 12441, 0, -1, 0},
    {"in0", 'x', 's', 0, 145536, 4, {1, 1, 4, 4}, 12443, -1, 0, 12459, 3.9e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 12475, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 282928, 4, {1, 1, 4, 4}, 12479, -1, 0, 12495, 7.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 12511, 4.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 172016, 4, {1, 1, 4, 4}, 12515, -1, 0, 12531, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 12547, 0, -1, 0},
    {"in0", 'x', 's', 0, 146336, 4, {1, 1, 2, 2}, 12551, -1, 0, 12555, 8.6e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 12559, 6.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 145664, 5, {1, 1, 2, 2, 4}, 12560, -1, 0, 12576, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 2}, -1, 12592, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 283056, 5, {1, 1, 2, 2, 4}, 12594, -1, 0, 12610, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 2}, -1, 12626, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 172144, 5, {1, 1, 2, 2, 4}, 12628, -1, 0, 12644, 5.4e-09},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 2}, -1, 12660, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 146464, 5, {1, 1, 2, 2, 2}, 12662, -1, 0, 12670, 4.4e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 12678, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 529328, 4, {1, 1, 4, 4}, 12679, -1, 0, 12695, 0},
    {"in1", 'x', 'o', 0, 529329, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 12711, 0, -1, 0},
    {"in0", 'x', 's', 0, 769824, 4, {1, 1, 4, 4}, 12712, -1, 0, 12728, 0},
    {"in1", 'x', 'o', 0, 769825, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 12744, 0, -1, 0},
    {"in0", 'x', 's', 0, 578848, 4, {1, 1, 4, 4}, 12745, -1, 0, 12761, 0},
    {"in1", 'x', 'o', 0, 578849, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 12777, 0, -1, 0},
    {"in0", 'x', 's', 0, 531088, 4, {1, 1, 2, 2}, 12778, -1, 0, 12782, 0},
    {"in1", 'x', 'o', 0, 531089, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 12786, 0, -1, 0},
    {"in0", 'x', 's', 0, 529648, 5, {1, 1, 3, 3, 3}, 12787, -1, 0, 12814, 0},
    {"in1", 'x', 'o', 0, 529649, 3, {1, 1, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 12841, 0, -1, 0},
    {"in0", 'x', 's', 0, 770144, 5, {1, 1, 3, 3, 3}, 12842, -1, 0, 12869, 0},
    {"in1", 'x', 'o', 0, 770145, 3, {1, 1, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 12896, 0, -1, 0},
    {"in0", 'x', 's', 0, 579168, 5, {1, 1, 3, 3, 3}, 12897, -1, 0, 12924, 0},
    {"in1", 'x', 'o', 0, 579169, 3, {1, 1, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 12951, 0, -1, 0},
    {"in0", 'x', 's', 0, 220288, 3, {1, 1, 3}, 12952, -1, 0, 12955, 0},
    {"in1", 'x', 'i', 1, 220289, 3, {1, 1, 3}, 12958, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 6}, -1, 12961, 0, -1, 0},
    {"in0", 'x', 's', 0, 383456, 3, {1, 1, 3}, 12967, -1, 0, 12970, 0},
    {"in1", 'x', 'i', 1, 383457, 3, {1, 1, 3}, 12973, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 6}, -1, 12976, 0, -1, 0},
    {"in0", 'x', 's', 0, 252528, 3, {1, 1, 3}, 12982, -1, 0, 12985, 0},
    {"in1", 'x', 'i', 1, 252529, 3, {1, 1, 3}, 12988, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 6}, -1, 12991, 0, -1, 0},
    {"in0", 'x', 's', 0, 221328, 3, {1, 1, 1}, 12997, -1, 0, 12998, 0},
    {"in1", 'x', 'i', 1, 221329, 3, {1, 1, 1}, 12999, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 13000, 0, -1, 0},
    {"in0", 'x', 's', 0, 220464, 4, {1, 1, 1, 3}, 13002, -1, 0, 13005, 0},
    {"in1", 'x', 'i', 1, 220465, 4, {1, 1, 1, 3}, 13008, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 6}, -1, 13011, 0, -1, 0},
    {"in0", 'x', 's', 0, 383632, 4, {1, 1, 1, 3}, 13023, -1, 0, 13026, 0},
    {"in1", 'x', 'i', 1, 383633, 4, {1, 1, 1, 3}, 13029, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 6}, -1, 13032, 0, -1, 0},
    {"in0", 'x', 's', 0, 252704, 4, {1, 1, 1, 3}, 13044, -1, 0, 13047, 0},
    {"in1", 'x', 'i', 1, 252705, 4, {1, 1, 1, 3}, 13050, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 6}, -1, 13053, 0, -1, 0},
    {"in0", 'x', 's', 0, 221504, 4, {1, 1, 1, 1}, 13065, -1, 0, 13066, 0},
    {"in1", 'x', 'i', 1, 221505, 4, {1, 1, 1, 1}, 13067, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 13068, 0, -1, 0},
    {"in0", 'x', 's', 0, 220640, 5, {1, 1, 1, 1, 3}, 13072, -1, 0, 13075, 0},
    {"in1", 'x', 'i', 1, 220641, 5, {1, 1, 1, 1, 3}, 13078, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 6}, -1, 13081, 0, -1, 0},
    {"in0", 'x', 's', 0, 383808, 5, {1, 1, 1, 1, 3}, 13105, -1, 0, 13108, 0},
    {"in1", 'x', 'i', 1, 383809, 5, {1, 1, 1, 1, 3}, 13111, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 6}, -1, 13114, 0, -1, 0},
    {"in0", 'x', 's', 0, 252880, 5, {1, 1, 1, 1, 3}, 13138, -1, 0, 13141, 0},
    {"in1", 'x', 'i', 1, 252881, 5, {1, 1, 1, 1, 3}, 13144, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 6}, -1, 13147, 0, -1, 0},
    {"in0", 'x', 's', 0, 221680, 5, {1, 1, 1, 1, 1}, 13171, -1, 0, 13172, 0},
    {"in1", 'x', 'i', 1, 221681, 5, {1, 1, 1, 1, 1}, 13173, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 2}, -1, 13174, 0, -1, 0},
    {"in0", 'x', 's', 0, 60704, 2, {2, 3}, 13182, -1, 0, 13188, 0},
    {"in1", 'x', 's', 0, 60705, 2, {2, 3}, -1, -1, 0, 13194, 0},
    {"in2", 'x', 'u', 0, 60706, 2, {2, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13200, 0, -1, 0},
    {"in0", 'x', 's', 0, 155136, 2, {2, 3}, 13206, -1, 0, 13212, 0},
    {"in1", 'x', 's', 0, 155137, 2, {2, 3}, -1, -1, 0, 13218, 0},
    {"in2", 'x', 'u', 0, 155138, 2, {2, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13224, 0, -1, 0},
    {"in0", 'x', 's', 0, 77584, 2, {2, 3}, 13230, -1, 0, 13236, 0},
    {"in1", 'x', 's', 0, 77585, 2, {2, 3}, -1, -1, 0, 13242, 0},
    {"in2", 'x', 'u', 0, 77586, 2, {2, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13248, 0, -1, 0},
    {"in0", 'x', 's', 0, 110816, 2, {2, 3}, 13254, -1, 0, 13260, 0},
    {"in1", 'x', 's', 0, 110817, 2, {2, 3}, -1, -1, 0, 13266, 0},
    {"in2", 'x', 's', 0, 110818, 2, {2, 3}, -1, -1, 0, 13272, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13278, 0, -1, 0},
    {"in0", 'x', 's', 0, 231024, 2, {2, 3}, 13284, -1, 0, 13290, 0},
    {"in1", 'x', 's', 0, 231025, 2, {2, 3}, -1, -1, 0, 13296, 0},
    {"in2", 'x', 's', 0, 231026, 2, {2, 3}, -1, -1, 0, 13302, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13308, 0, -1, 0},
    {"in0", 'x', 's', 0, 133456, 2, {2, 3}, 13314, -1, 0, 13320, 0},
    {"in1", 'x', 's', 0, 133457, 2, {2, 3}, -1, -1, 0, 13326, 0},
    {"in2", 'x', 's', 0, 133458, 2, {2, 3}, -1, -1, 0, 13332, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13338, 0, -1, 0},
    {"in0", 'x', 's', 0, 110064, 2, {2, 3}, 13344, -1, 0, 13350, 0},
    {"in1", 'x', 's', 0, 110065, 2, {2, 3}, -1, -1, 0, 13356, 2.9e-08},
    {"in2", 'x', 'p', 0, 110066, 2, {2, 3}, -1, -1, 0, 13362, 7.6e-09},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13368, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 230272, 2, {2, 3}, 13374, -1, 0, 13380, 0},
    {"in1", 'x', 's', 0, 230273, 2, {2, 3}, -1, -1, 0, 13386, 2.4e-08},
    {"in2", 'x', 'p', 0, 230274, 2, {2, 3}, -1, -1, 0, 13392, 5.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13398, 6e-08, -1, 0},
    {"in0", 'x', 's', 0, 132704, 2, {2, 3}, 13404, -1, 0, 13410, 0},
    {"in1", 'x', 's', 0, 132705, 2, {2, 3}, -1, -1, 0, 13416, 5e-08},
    {"in2", 'x', 'p', 0, 132706, 2, {2, 3}, -1, -1, 0, 13422, 4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13428, 3.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 179808, 2, {2, 3}, 13434, -1, 0, 13440, 4.3e-09},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13446, 2e-09, -1, 0},
    {"in0", 'x', 's', 0, 325792, 2, {2, 3}, 13452, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13458, 3.5e-09, -1, 0},
    {"in0", 'x', 's', 0, 208208, 2, {2, 3}, 13464, -1, 0, 13470, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13476, 0, -1, 0},
    {"in0", 'x', 's', 0, 75152, 2, {2, 3}, 13482, -1, 0, 13488, 0},
    {"in1", 'x', 's', 0, 75153, 2, {2, 3}, -1, -1, 0, 13494, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13500, 0, -1, 0},
    {"in0", 'x', 's', 0, 178176, 2, {2, 3}, 13506, -1, 0, 13512, 0},
    {"in1", 'x', 's', 0, 178177, 2, {2, 3}, -1, -1, 0, 13518, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13524, 0, -1, 0},
    {"in0", 'x', 's', 0, 93952, 2, {2, 3}, 13530, -1, 0, 13536, 0},
    {"in1", 'x', 's', 0, 93953, 2, {2, 3}, -1, -1, 0, 13542, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13548, 0, -1, 0},
    {"in0", 'x', 's', 0, 177824, 2, {2, 3}, 13554, -1, 0, 13560, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13566, 0, -1, 0},
    {"in0", 'x', 's', 0, 323808, 2, {2, 3}, 13572, -1, 0, 13578, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13584, 0, -1, 0},
    {"in0", 'x', 's', 0, 206224, 2, {2, 3}, 13590, -1, 0, 13596, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13602, 0, -1, 0},
    {"in0", 'x', 's', 0, 77616, 2, {2, 3}, 13608, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 13614, 0, -1, 0},
    {"in0", 'x', 's', 0, 152896, 2, {2, 3}, 13620, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 13626, 0, -1, 0},
    {"in0", 'x', 's', 0, 290288, 2, {2, 3}, 13632, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 13638, 0, -1, 0},
    {"in0", 'x', 's', 0, 179376, 2, {2, 3}, 13644, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 13650, 0, -1, 0},
    {"in0", 'x', 's', 0, 258288, 3, {2, 2, 4}, 13656, -1, 0, 13672, 8.3e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 4}, -1, 13688, 4.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 430048, 3, {2, 2, 4}, 13704, -1, 0, 13720, 2.9e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 4}, -1, 13736, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 292448, 3, {2, 2, 4}, 13752, -1, 0, 13768, 5.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 4}, -1, 13784, 0, -1, 0},
    {"in0", 'x', 's', 0, 376288, 5, {2, 2, 1, 2, 2}, 13800, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 376289, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 376290, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 376291, 1, {2}, 13816, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 376292, 1, {2}, 13818, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 376293, 0, {0}, 13820, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 13821, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 582416, 5, {2, 2, 1, 2, 2}, 13837, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 582417, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 582418, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 582419, 1, {2}, 13853, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 582420, 1, {2}, 13855, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 582421, 0, {0}, 13857, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 13858, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 418128, 5, {2, 2, 1, 2, 2}, 13874, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 418129, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 418130, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 418131, 1, {2}, 13890, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 418132, 1, {2}, 13892, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 418133, 0, {0}, 13894, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 13895, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 377728, 5, {1, 2, 1, 1, 1}, 13911, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 377729, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 377730, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 377731, 1, {2}, 13913, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 377732, 1, {2}, 13915, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 377733, 0, {0}, 13917, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 2, 1, 1, 1}, -1, 13918, 3.9e-09, -1, 0},
    {"in0", 'x', 's', 0, 376112, 4, {2, 2, 2, 2}, 13920, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 376113, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 376114, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 376115, 1, {2}, 13936, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 376116, 1, {2}, 13938, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 376117, 0, {0}, 13940, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 13941, 3.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 582240, 4, {2, 2, 2, 2}, 13957, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 582241, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 582242, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 582243, 1, {2}, 13973, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 582244, 1, {2}, 13975, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 582245, 0, {0}, 13977, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 13978, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 417952, 4, {2, 2, 2, 2}, 13994, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 417953, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 417954, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 417955, 1, {2}, 14010, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 417956, 1, {2}, 14012, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 417957, 0, {0}, 14014, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 14015, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 377552, 4, {1, 2, 1, 1}, 14031, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 377553, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 377554, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 377555, 1, {2}, 14033, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 377556, 1, {2}, 14035, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 377557, 0, {0}, 14037, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 14038, 5.4e-09, -1, 0},
    {"in0", 'x', 's', 0, 290672, 2, {3, 4}, 14040, -1, 0, 14052, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 14064, 0, -1, 0},
    {"in0", 'x', 's', 0, 471024, 2, {3, 4}, 14067, -1, 0, 14079, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 14091, 0, -1, 0},
    {"in0", 'x', 's', 0, 326752, 2, {3, 4}, 14094, -1, 0, 14106, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 14118, 0, -1, 0},
    {"in0", 'x', 's', 0, 291872, 2, {1, 1}, 14121, -1, 0, 14122, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 14123, 0, -1, 0},
    {"in0", 'x', 's', 0, 76304, 2, {2, 3}, 14124, -1, 0, 14130, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 14136, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 14138, 0, -1, 0},
    {"in0", 'x', 's', 0, 179328, 2, {2, 3}, 14142, -1, 0, 14148, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 14154, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 14156, 0, -1, 0},
    {"in0", 'x', 's', 0, 95104, 2, {2, 3}, 14160, -1, 0, 14166, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 14172, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 14174, 0, -1, 0},
    {"in0", 'x', 's', 0, 75824, 2, {2, 3}, 14178, -1, 0, 14184, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14190, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 1}, -1, 14194, 0, -1, 0},
    {"in0", 'x', 's', 0, 178848, 2, {2, 3}, 14196, -1, 0, 14202, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14208, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 1}, -1, 14212, 0, -1, 0},
    {"in0", 'x', 's', 0, 94624, 2, {2, 3}, 14214, -1, 0, 14220, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14226, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 1}, -1, 14230, 0, -1, 0},
    {"in0", 'x', 's', 0, 59488, 2, {2, 3}, 14232, -1, 0, 14238, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14244, 0, -1, 0},
    {"in0", 'x', 's', 0, 153920, 2, {2, 3}, 14248, -1, 0, 14254, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14260, 0, -1, 0},
    {"in0", 'x', 's', 0, 76368, 2, {2, 3}, 14264, -1, 0, 14270, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14276, 0, -1, 0},
    {"in0", 'x', 's', 0, 59888, 2, {1, 2}, 14280, -1, 0, 14282, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 14284, 0, -1, 0},
    {"in0", 'x', 's', 0, 76368, 1, {3}, 14285, -1, 0, 14288, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 3}, -1, 14291, 0, -1, 0},
    {"in0", 'x', 's', 0, 179392, 1, {3}, 14300, -1, 0, 14303, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 3}, -1, 14306, 0, -1, 0},
    {"in0", 'x', 's', 0, 95168, 1, {3}, 14315, -1, 0, 14318, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 3}, -1, 14321, 0, -1, 0},
    {"in0", 'x', 's', 0, 76848, 1, {1}, 14330, -1, 0, 14331, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 14332, 0, -1, 0},
    {"in0", 'x', 's', 0, 60560, 2, {2, 3}, 14333, -1, 0, 14339, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14345, 0, -1, 0},
    {"in0", 'x', 's', 0, 154992, 2, {2, 3}, 14351, -1, 0, 14357, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14363, 0, -1, 0},
    {"in0", 'x', 's', 0, 77440, 2, {2, 3}, 14369, -1, 0, 14375, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14381, 0, -1, 0},
    {"in0", 'x', 's', 0, 60960, 2, {1, 1}, 14387, -1, 0, 14388, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 14389, 0, -1, 0},
    {"in0", 'x', 's', 0, 61136, 2, {2, 3}, 14390, -1, 0, 14396, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14402, 0, -1, 0},
    {"in0", 'x', 's', 0, 155568, 2, {2, 3}, 14408, -1, 0, 14414, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14420, 0, -1, 0},
    {"in0", 'x', 's', 0, 78016, 2, {2, 3}, 14426, -1, 0, 14432, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14438, 0, -1, 0},
    {"in0", 'x', 's', 0, 61536, 2, {1, 1}, 14444, -1, 0, 14445, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 14446, 0, -1, 0},
    {"in0", 'x', 's', 0, 113200, 2, {2, 4}, 14447, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 4}, -1, 14455, 0, -1, 0},
    {"in0", 'x', 's', 0, 233408, 2, {2, 4}, 14463, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 4}, -1, 14471, 0, -1, 0},
    {"in0", 'x', 's', 0, 135840, 2, {2, 4}, 14479, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 4}, -1, 14487, 0, -1, 0},
    {"in0", 'x', 's', 0, 113840, 2, {1, 1}, 14495, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {1, 1}, -1, 14496, 0, -1, 0},
    {"in0", 'x', 's', 0, 109936, 2, {2, 3}, 14497, -1, 0, 14503, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 14509, 0, -1, 0},
    {"in0", 'x', 's', 0, 230144, 2, {2, 3}, 14515, -1, 0, 14521, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 14527, 0, -1, 0},
    {"in0", 'x', 's', 0, 132576, 2, {2, 3}, 14533, -1, 0, 14539, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 14545, 0, -1, 0},
    {"in0", 'x', 's', 0, 110576, 2, {1, 1}, -1, -1, 0, 14551, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 14552, 0, -1, 0},
    {"in0", 'x', 's', 0, 111344, 3, {2, 3, 1}, 14553, -1, 0, 14559, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14565, 0, -1, 0},
    {"in0", 'x', 's', 0, 231552, 3, {2, 3, 1}, 14571, -1, 0, 14577, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14583, 0, -1, 0},
    {"in0", 'x', 's', 0, 133984, 3, {2, 3, 1}, 14589, -1, 0, 14595, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14601, 0, -1, 0},
    {"in0", 'x', 's', 0, 111984, 3, {1, 1, 1}, 14607, -1, 0, 14608, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 14609, 0, -1, 0},
    {"in0", 'x', 's', 0, 154912, 2, {2, 3}, 14610, -1, 0, 14616, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14622, 0, -1, 0},
    {"in0", 'x', 's', 0, 292304, 2, {2, 3}, 14628, -1, 0, 14634, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14640, 0, -1, 0},
    {"in0", 'x', 's', 0, 181392, 2, {2, 3}, 14646, -1, 0, 14652, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14658, 0, -1, 0},
    {"in0", 'x', 's', 0, 155712, 2, {1, 1}, 14664, -1, 0, 14665, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 14666, 0, -1, 0},
    {"in0", 'x', 's', 0, 320960, 4, {1, 1, 2, 4}, 14667, -1, 0, 14675, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 14683, 0, -1, 0},
    {"in0", 'x', 's', 0, 509904, 4, {1, 1, 2, 4}, 14691, -1, 0, 14699, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 14707, 0, -1, 0},
    {"in0", 'x', 's', 0, 358960, 4, {1, 1, 2, 4}, 14715, -1, 0, 14723, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 14731, 0, -1, 0},
    {"in0", 'x', 's', 0, 322240, 4, {1, 1, 2, 2}, 14739, -1, 0, 14743, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 1}, -1, 14747, 0, -1, 0},
    {"in0", 'x', 's', 0, 199776, 3, {1, 2, 3}, -1, -1, 0, 14751, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 2}, -1, 14757, 0, -1, 0},
    {"in0", 'x', 's', 0, 229136, 3, {1, 2, 3}, 14759, -1, 0, 14765, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 14771, 0, -1, 0},
    {"in0", 'x', 's', 0, 198816, 3, {1, 2, 3}, 14779, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 14785, 0, -1, 0},
    {"in0", 'x', 's', 0, 258416, 2, {3, 2}, 14793, -1, 0, 14799, 0},
    {"in1", 'x', 'i', 1, 258417, 2, {1, 2}, 14805, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14807, 0, -1, 0},
    {"in0", 'x', 's', 0, 430176, 2, {3, 2}, 14813, -1, 0, 14819, 0},
    {"in1", 'x', 'i', 1, 430177, 2, {1, 2}, 14825, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14827, 0, -1, 0},
    {"in0", 'x', 's', 0, 292576, 2, {3, 2}, 14833, -1, 0, 14839, 0},
    {"in1", 'x', 'i', 1, 292577, 2, {1, 2}, 14845, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14847, 0, -1, 0},
    {"in0", 'x', 's', 0, 259536, 2, {1, 2}, 14853, -1, 0, 14855, 0},
    {"in1", 'x', 'i', 1, 259537, 2, {1, 2}, 14857, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 14859, 0, -1, 0},
    {"in0", 'x', 's', 0, 90800, 2, {2, 3}, 14861, -1, 0, 14867, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14873, 0, -1, 0},
    {"in0", 'x', 's', 0, 202416, 2, {2, 3}, 14879, -1, 0, 14885, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14891, 0, -1, 0},
    {"in0", 'x', 's', 0, 111520, 2, {2, 3}, 14897, -1, 0, 14903, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14909, 0, -1, 0},
    {"in0", 'x', 'i', 1, 224720, 1, {3}, 14915, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 224721, 2, {3, 2}, 14918, -1, 0, 14924, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14930, 0, -1, 0},
    {"in0", 'x', 'i', 1, 342448, 2, {2, 2}, 14936, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 342449, 2, {3, 2}, 14940, -1, 0, 14946, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14952, 0, -1, 0},
    {"in0", 'x', 'i', 1, 387888, 1, {3}, 14956, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 387889, 2, {3, 2}, 14959, -1, 0, 14965, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 14971, 0, -1, 0},
    {"in0", 'x', 'i', 1, 539984, 2, {2, 2}, 14977, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 539985, 2, {3, 2}, 14981, -1, 0, 14987, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14993, 0, -1, 0},
    {"in0", 'x', 'i', 1, 725840, 2, {2, 2}, 14997, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 725841, 2, {3, 2}, 15001, -1, 0, 15007, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 15013, 0, -1, 0},
    {"in0", 'x', 'i', 1, 256960, 1, {3}, 15017, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 256961, 2, {3, 2}, 15020, -1, 0, 15026, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 15032, 0, -1, 0},
    {"in0", 'x', 'i', 1, 382368, 2, {2, 2}, 15038, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 382369, 2, {3, 2}, 15042, -1, 0, 15048, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 15054, 0, -1, 0},
    {"in0", 'x', 'i', 1, 541536, 2, {2, 2}, 15058, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 541537, 2, {3, 2}, 15062, -1, 0, 15068, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 15074, 0, -1, 0},
    {"in0", 'x', 'i', 1, 225760, 1, {2}, 15078, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 225761, 2, {1, 1}, 15080, -1, 0, 15081, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 15082, 0, -1, 0},
    {"in0", 'x', 'i', 1, 343808, 2, {1, 1}, 15084, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 343809, 2, {1, 1}, 15085, -1, 0, 15086, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 15087, 0, -1, 0},
    {"in0", 'x', 'i', 1, 495616, 2, {1, 1}, 15088, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 495617, 2, {1, 1}, 15089, -1, 0, 15090, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 15091, 0, -1, 0},
    {"in0", 'x', 's', 0, 133440, 1, {1}, -1, -1, 0, 15092, 0},
    {"in1", 'x', 's', 0, 133441, 1, {1}, -1, -1, 0, 15093, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15094, 0, -1, 0},
    {"in0", 'x', 's', 0, 111088, 1, {1}, -1, -1, 0, 15095, 0},
    {"in1", 'x', 's', 0, 111089, 1, {1}, -1, -1, 0, 15096, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15097, 0, -1, 0},
    {"in0", 'x', 's', 0, 283968, 1, {1}, -1, -1, 0, 15098, 0},
    {"in1", 'x', 's', 0, 283969, 1, {1}, -1, -1, 0, 15099, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15100, 0, -1, 0},
    {"in0", 'x', 's', 0, 179616, 1, {1}, -1, -1, 0, 15101, 0},
    {"in1", 'x', 's', 0, 179617, 1, {1}, -1, -1, 0, 15102, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15103, 0, -1, 0},
    {"in0", 'x', 's', 0, 324160, 1, {1}, -1, -1, 0, 15104, 2.6e-08},
    {"in1", 'x', 'o', 0, 324161, 1, {1}, -1, -1, 0, 15105, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15106, 1.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 92704, 1, {1}, -1, -1, 0, 15107, 0},
    {"in1", 'x', 'o', 0, 92705, 1, {1}, -1, -1, 0, 15108, 2.8e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15109, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 360384, 1, {1}, -1, -1, 0, 15110, 7.8e-09},
    {"in1", 'x', 'o', 0, 360385, 1, {1}, -1, -1, 0, 15111, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15112, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 505312, 1, {1}, -1, -1, 0, 15113, 0},
    {"in1", 'x', 's', 0, 505313, 1, {1}, 15114, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15115, 0, -1, 0},
    {"in0", 'x', 'o', 0, 132752, 1, {1}, -1, -1, 0, 15116, 9.6e-09},
    {"in1", 'x', 'o', 0, 132753, 1, {1}, -1, -1, 0, 15117, 9.9e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15118, 4.1e-09, -1, 0},
    {"in0", 'x', 's', 0, 394528, 1, {1}, -1, -1, 0, 15119, 0},
    {"in1", 'x', 's', 0, 394529, 1, {1}, -1, -1, 0, 15120, 0},
    {"in2", 'x', 'p', 0, 394530, 1, {1}, -1, -1, 0, 15121, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15122, 5e-08, -1, 0},
    {"in0", 'x', 's', 0, 469920, 1, {1}, -1, -1, 0, 15123, 0},
    {"in1", 'x', 's', 0, 469921, 1, {1}, -1, -1, 0, 15124, 0},
    {"in2", 'x', 's', 0, 469922, 1, {1}, 15125, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15126, 0, -1, 0},
    {"in0", 'x', 's', 0, 471040, 2, {1, 1}, -1, -1, 0, 15127, 0},
    {"in1", 'x', 's', 0, 471041, 2, {1, 1}, -1, -1, 0, 15128, 0},
    {"in2", 'x', 's', 0, 471042, 2, {1, 1}, -1, -1, 0, 15129, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15130, 0, -1, 0},
    {"in0", 'x', 't', 0, 515120, 2, {4, 2}, -1, -1, 0, 15131, 5.8e-08},
    {"in1", 'x', 't', 0, 515121, 2, {4, 2}, -1, -1, 0, 15139, 5.2e-08},
    {"in2", 'x', 't', 0, 515122, 2, {4, 2}, -1, -1, 0, 15147, 4.5e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15155, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 692752, 2, {2, 2}, 15156, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 692753, 2, {2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 692754, 2, {2, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15160, 0, -1, 0},
    {"in0", 'x', 's', 0, 547936, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 547937, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 547938, 1, {1}, 15161, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15162, 6.4e-13, -1, 0},
    {"in0", 'x', 's', 0, 786672, 2, {2, 2}, 15163, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 786673, 2, {2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 786674, 1, {2}, 15167, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15169, 0, -1, 0},
    {"in0", 'x', 's', 0, 266336, 2, {1, 1}, -1, -1, 0, 15170, 0},
    {"in1", 'x', 'i', 1, 266337, 1, {1}, 15171, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15172, 0, -1, 0},
    {"in0", 'x', 's', 0, 133568, 2, {1, 1}, -1, -1, 0, 15173, 0},
    {"in1", 'x', 'i', 1, 133569, 1, {1}, 15174, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15175, 0, -1, 0},
    {"in0", 'x', 's', 0, 394288, 2, {1, 1}, -1, -1, 0, 15176, 0},
    {"in1", 'x', 'i', 1, 394289, 1, {1}, 15177, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15178, 0, -1, 0},
    {"in0", 'x', 's', 0, 598976, 2, {2, 2}, 15179, -1, 0, 15183, 0},
    {"in1", 'x', 'i', 1, 598977, 1, {2}, 15187, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15189, 0, -1, 0},
    {"in0", 'x', 's', 0, 595408, 2, {1, 1}, -1, -1, 0, 15190, 0},
    {"in1", 'x', 'i', 1, 595409, 2, {1, 1}, 15191, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15192, 0, -1, 0},
    {"in0", 'x', 's', 0, 842656, 2, {2, 2}, 15193, -1, 0, 15197, 0},
    {"in1", 'x', 'i', 1, 842657, 2, {2, 2}, 15201, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15205, 0, -1, 0},
    {"in0", 'x', 's', 0, 510032, 2, {2, 4}, 15206, -1, 0, 15214, 1.4e-07},
    {"a.head.weight", 'p', 'w', 0, 510033, 2, {3, 4}, -1, -1, 0, 15222, 0},
    {"a.tail.0.0.weight", 'p', 'w', 0, 510034, 2, {1, 4}, -1, -1, 0, 15234, 0},
    {"a.tail.0.1.weight", 'p', 'w', 0, 510035, 2, {2, 1}, -1, -1, 0, 15238, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 15240, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 741936, 2, {2, 4}, 15248, -1, 0, 15256, 0},
    {"a.head.weight", 'p', 'w', 0, 741937, 2, {3, 4}, -1, -1, 0, 15264, 0},
    {"a.tail.0.0.weight", 'p', 'w', 0, 741938, 2, {1, 4}, -1, -1, 0, 15276, 0},
    {"a.tail.0.1.weight", 'p', 'w', 0, 741939, 2, {2, 1}, -1, -1, 0, 15280, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 15282, 0, -1, 0},
    {"in0", 'x', 's', 0, 557632, 2, {2, 4}, 15290, -1, 0, 15298, 1.1e-07},
    {"a.head.weight", 'p', 'w', 0, 557633, 2, {3, 4}, -1, -1, 0, 15306, 1.1e-07},
    {"a.tail.0.0.weight", 'p', 'w', 0, 557634, 2, {1, 4}, -1, -1, 0, 15318, 5.9e-08},
    {"a.tail.0.1.weight", 'p', 'w', 0, 557635, 2, {2, 1}, -1, -1, 0, 15322, 1.6e-07},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 15324, 9e-09, -1, 0},
    {"in0", 'x', 's', 0, 357040, 2, {4, 2}, 15332, -1, 0, 15340, 6.8e-08},
    {"in1", 'x', 'b', 0, 357041, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 15348, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 554576, 2, {4, 2}, 15356, -1, 0, 15364, 3.9e-08},
    {"in1", 'x', 'b', 0, 554577, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 15372, 1.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 396960, 2, {4, 2}, 15380, -1, 0, 15388, 4.8e-08},
    {"in1", 'x', 'b', 0, 396961, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 15396, 2.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 358400, 2, {1, 1}, 15404, -1, 0, 15405, 0},
    {"in1", 'x', 'b', 0, 358401, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 15406, 2.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 841264, 2, {4, 2}, 15407, -1, 0, 15415, 9.3e-08},
    {"in1", 'x', 'b', 0, 841265, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 15423, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 1133312, 2, {4, 2}, 15427, -1, 0, 15435, 1.5e-08},
    {"in1", 'x', 'b', 0, 1133313, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 15443, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 902304, 2, {4, 2}, 15447, -1, 0, 15455, 2.5e-08},
    {"in1", 'x', 'b', 0, 902305, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 15463, 7.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 843504, 2, {1, 1}, 15467, -1, 0, 15468, 2e-08},
    {"in1", 'x', 'b', 0, 843505, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 15469, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 260832, 1, {3}, 15470, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 260833, 1, {3}, 15473, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 15476, 0, -1, 0},
    {"in0", 'x', 's', 0, 132032, 1, {2}, 15479, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 132033, 1, {2}, 15481, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 15483, 0, -1, 0},
    {"in0", 'x', 's', 0, 133216, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 133217, 2, {1, 1}, 15485, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 133218, 1, {1}, 15486, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 133219, 1, {1}, 15487, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15488, 0, -1, 0},
    {"in0", 'x', 's', 0, 261296, 3, {3, 2, 2}, 15489, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 261297, 2, {2, 1}, 15501, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 261298, 1, {2}, 15503, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 261299, 1, {2}, 15505, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 15507, 0, -1, 0},
    {"in0", 'x', 's', 0, 157056, 3, {3, 2, 2}, 15509, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 157057, 2, {2, 1}, 15521, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 157058, 1, {2}, 15523, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 157059, 1, {2}, 15525, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 15527, 1.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 523312, 2, {3, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 523313, 1, {3}, 15529, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15532, 0, -1, 0},
    {"in0", 'x', 's', 0, 708528, 2, {3, 4}, -1, -1, 0, 15533, 0},
    {"in1", 'x', 'i', 1, 708529, 1, {3}, 15545, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 15548, 0, -1, 0},
    {"in0", 'x', 's', 0, 292848, 2, {2, 3}, -1, -1, 0, 15549, 3.1e-07},
    {"in1", 'x', 's', 0, 292849, 2, {2, 3}, 15555, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 15561, 7.2e-08, -1, 0},
    {"in0", 'x', 'i', 1, 487504, 2, {2, 2}, 15567, -1, 0, -1, 0},
    {"bag.weight", 'p', 's', 0, 487505, 2, {3, 2}, -1, -1, 0, 15571, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 15577, 0, -1, 0},
};

static const catalogue_case catalogue_edges_cases[] = {
    {"linear_nan", edges_linear_nan, 0, 4, CATALOGUE_BOTH, false},
    {"linear_infinite", edges_linear_infinite, 4, 4, CATALOGUE_BOTH, false},
    {"linear_ties", edges_linear_ties, 8, 4, CATALOGUE_BOTH, false},
    {"linear_one", edges_linear_one, 12, 4, CATALOGUE_BOTH, false},
    {"matmul_nan", edges_matmul_nan, 16, 3, CATALOGUE_BOTH, false},
    {"matmul_infinite", edges_matmul_infinite, 19, 3, CATALOGUE_BOTH, false},
    {"matmul_ties", edges_matmul_ties, 22, 3, CATALOGUE_BOTH, false},
    {"matmul_scalar_nan", edges_matmul_scalar_nan, 25, 3, CATALOGUE_BOTH, false},
    {"matmul_scalar_infinite", edges_matmul_scalar_infinite, 28, 3, CATALOGUE_BOTH, false},
    {"matmul_scalar_ties", edges_matmul_scalar_ties, 31, 3, CATALOGUE_BOTH, false},
    {"matmul_scalar_one", edges_matmul_scalar_one, 34, 3, CATALOGUE_BOTH, false},
    {"einsum_nan", edges_einsum_nan, 37, 2, CATALOGUE_BOTH, false},
    {"einsum_infinite", edges_einsum_infinite, 39, 2, CATALOGUE_BOTH, false},
    {"einsum_ties", edges_einsum_ties, 41, 2, CATALOGUE_BOTH, false},
    {"einsum_one", edges_einsum_one, 43, 2, CATALOGUE_BOTH, false},
    {"bilinear_nan", edges_bilinear_nan, 45, 5, CATALOGUE_BOTH, false},
    {"bilinear_infinite", edges_bilinear_infinite, 50, 5, CATALOGUE_PLAN, false},
    {"bilinear_ties", edges_bilinear_ties, 55, 5, CATALOGUE_BOTH, false},
    {"bilinear_one", edges_bilinear_one, 60, 5, CATALOGUE_BOTH, false},
    {"lstm_cell_nan", edges_lstm_cell_nan, 65, 7, CATALOGUE_PLAN, false},
    {"lstm_cell_infinite", edges_lstm_cell_infinite, 72, 7, CATALOGUE_BOTH, false},
    {"lstm_cell_ties", edges_lstm_cell_ties, 79, 7, CATALOGUE_BOTH, false},
    {"lstm_cell_one", edges_lstm_cell_one, 86, 7, CATALOGUE_BOTH, false},
    {"gru_cell_nan", edges_gru_cell_nan, 93, 6, CATALOGUE_BOTH, false},
    {"gru_cell_infinite", edges_gru_cell_infinite, 99, 6, CATALOGUE_BOTH, false},
    {"gru_cell_ties", edges_gru_cell_ties, 105, 6, CATALOGUE_BOTH, false},
    {"gru_cell_one", edges_gru_cell_one, 111, 6, CATALOGUE_BOTH, false},
    {"rnn_cell_nan", edges_rnn_cell_nan, 117, 6, CATALOGUE_BOTH, false},
    {"rnn_cell_infinite", edges_rnn_cell_infinite, 123, 6, CATALOGUE_BOTH, false},
    {"rnn_cell_ties", edges_rnn_cell_ties, 129, 6, CATALOGUE_BOTH, false},
    {"rnn_cell_one", edges_rnn_cell_one, 135, 6, CATALOGUE_BOTH, false},
    {"pdist_nan", edges_pdist_nan, 141, 2, CATALOGUE_BOTH, false},
    {"pdist_infinite", edges_pdist_infinite, 143, 2, CATALOGUE_BOTH, false},
    {"pdist_ties", edges_pdist_ties, 145, 2, CATALOGUE_BOTH, false},
    {"pdist_one", edges_pdist_one, 147, 2, CATALOGUE_BOTH, false},
    {"triplet_margin_with_distance_loss_nan", edges_triplet_margin_with_distance_loss_nan, 149,
        4, CATALOGUE_BOTH, false},
    {"triplet_margin_with_distance_loss_infinite",
        edges_triplet_margin_with_distance_loss_infinite, 153, 4, CATALOGUE_BOTH, false},
    {"triplet_margin_with_distance_loss_ties", edges_triplet_margin_with_distance_loss_ties,
        157, 4, CATALOGUE_BOTH, false},
    {"triplet_margin_with_distance_loss_one", edges_triplet_margin_with_distance_loss_one, 161,
        4, CATALOGUE_BOTH, false},
    {"conv1d_nan", edges_conv1d_nan, 165, 4, CATALOGUE_BOTH, false},
    {"conv1d_infinite", edges_conv1d_infinite, 169, 4, CATALOGUE_BOTH, false},
    {"conv1d_ties", edges_conv1d_ties, 173, 4, CATALOGUE_BOTH, false},
    {"conv1d_one", edges_conv1d_one, 177, 4, CATALOGUE_BOTH, false},
    {"conv2d_nan", edges_conv2d_nan, 181, 4, CATALOGUE_PLAN, false},
    {"conv2d_infinite", edges_conv2d_infinite, 185, 4, CATALOGUE_PLAN, false},
    {"conv2d_ties", edges_conv2d_ties, 189, 4, CATALOGUE_BOTH, false},
    {"conv2d_one", edges_conv2d_one, 193, 4, CATALOGUE_BOTH, false},
    {"depthwise_nan", edges_depthwise_nan, 197, 4, CATALOGUE_PLAN, false},
    {"depthwise_infinite", edges_depthwise_infinite, 201, 4, CATALOGUE_PLAN, false},
    {"depthwise_ties", edges_depthwise_ties, 205, 4, CATALOGUE_BOTH, false},
    {"depthwise_one", edges_depthwise_one, 209, 4, CATALOGUE_BOTH, false},
    {"conv_transpose1d_nan", edges_conv_transpose1d_nan, 213, 4, CATALOGUE_BOTH, false},
    {"conv_transpose1d_infinite", edges_conv_transpose1d_infinite, 217, 4, CATALOGUE_BOTH,
        false},
    {"conv_transpose1d_ties", edges_conv_transpose1d_ties, 221, 4, CATALOGUE_BOTH, false},
    {"conv_transpose1d_one", edges_conv_transpose1d_one, 225, 4, CATALOGUE_BOTH, false},
    {"conv_transpose2d_nan", edges_conv_transpose2d_nan, 229, 4, CATALOGUE_BOTH, false},
    {"conv_transpose2d_infinite", edges_conv_transpose2d_infinite, 233, 4, CATALOGUE_BOTH,
        false},
    {"conv_transpose2d_ties", edges_conv_transpose2d_ties, 237, 4, CATALOGUE_BOTH, false},
    {"conv_transpose2d_one", edges_conv_transpose2d_one, 241, 4, CATALOGUE_BOTH, false},
    {"max_pool1d_nan", edges_max_pool1d_nan, 245, 3, CATALOGUE_BOTH, false},
    {"max_pool1d_infinite", edges_max_pool1d_infinite, 248, 3, CATALOGUE_BOTH, false},
    {"max_pool1d_ties", edges_max_pool1d_ties, 251, 3, CATALOGUE_BOTH, false},
    {"max_pool1d_one", edges_max_pool1d_one, 254, 3, CATALOGUE_BOTH, false},
    {"avg_pool1d_nan", edges_avg_pool1d_nan, 257, 2, CATALOGUE_BOTH, false},
    {"avg_pool1d_infinite", edges_avg_pool1d_infinite, 259, 2, CATALOGUE_BOTH, false},
    {"avg_pool1d_ties", edges_avg_pool1d_ties, 261, 2, CATALOGUE_BOTH, false},
    {"avg_pool1d_one", edges_avg_pool1d_one, 263, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool1d_nan", edges_adaptive_max_pool1d_nan, 265, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool1d_infinite", edges_adaptive_max_pool1d_infinite, 268, 3, CATALOGUE_BOTH,
        false},
    {"adaptive_max_pool1d_ties", edges_adaptive_max_pool1d_ties, 271, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool1d_one", edges_adaptive_max_pool1d_one, 274, 3, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool1d_nan", edges_adaptive_avg_pool1d_nan, 277, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool1d_infinite", edges_adaptive_avg_pool1d_infinite, 279, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_avg_pool1d_ties", edges_adaptive_avg_pool1d_ties, 281, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool1d_one", edges_adaptive_avg_pool1d_one, 283, 2, CATALOGUE_BOTH, false},
    {"max_pool2d_nan", edges_max_pool2d_nan, 285, 3, CATALOGUE_BOTH, false},
    {"max_pool2d_infinite", edges_max_pool2d_infinite, 288, 3, CATALOGUE_BOTH, false},
    {"max_pool2d_ties", edges_max_pool2d_ties, 291, 3, CATALOGUE_BOTH, false},
    {"max_pool2d_one", edges_max_pool2d_one, 294, 3, CATALOGUE_BOTH, false},
    {"avg_pool2d_nan", edges_avg_pool2d_nan, 297, 2, CATALOGUE_BOTH, false},
    {"avg_pool2d_infinite", edges_avg_pool2d_infinite, 299, 2, CATALOGUE_BOTH, false},
    {"avg_pool2d_ties", edges_avg_pool2d_ties, 301, 2, CATALOGUE_BOTH, false},
    {"avg_pool2d_one", edges_avg_pool2d_one, 303, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool2d_nan", edges_adaptive_max_pool2d_nan, 305, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool2d_infinite", edges_adaptive_max_pool2d_infinite, 308, 3, CATALOGUE_BOTH,
        false},
    {"adaptive_max_pool2d_ties", edges_adaptive_max_pool2d_ties, 311, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool2d_one", edges_adaptive_max_pool2d_one, 314, 3, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool2d_nan", edges_adaptive_avg_pool2d_nan, 317, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool2d_infinite", edges_adaptive_avg_pool2d_infinite, 319, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_avg_pool2d_ties", edges_adaptive_avg_pool2d_ties, 321, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool2d_one", edges_adaptive_avg_pool2d_one, 323, 2, CATALOGUE_BOTH, false},
    {"global_avg_pool2d_nan", edges_global_avg_pool2d_nan, 325, 2, CATALOGUE_BOTH, false},
    {"global_avg_pool2d_infinite", edges_global_avg_pool2d_infinite, 327, 2, CATALOGUE_BOTH,
        false},
    {"global_avg_pool2d_ties", edges_global_avg_pool2d_ties, 329, 2, CATALOGUE_BOTH, false},
    {"global_avg_pool2d_one", edges_global_avg_pool2d_one, 331, 2, CATALOGUE_BOTH, false},
    {"layer_norm_nan", edges_layer_norm_nan, 333, 2, CATALOGUE_BOTH, false},
    {"layer_norm_infinite", edges_layer_norm_infinite, 335, 2, CATALOGUE_BOTH, false},
    {"layer_norm_ties", edges_layer_norm_ties, 337, 2, CATALOGUE_BOTH, false},
    {"layer_norm_one", edges_layer_norm_one, 339, 2, CATALOGUE_BOTH, false},
    {"rms_norm_nan", edges_rms_norm_nan, 341, 2, CATALOGUE_BOTH, false},
    {"rms_norm_infinite", edges_rms_norm_infinite, 343, 2, CATALOGUE_BOTH, false},
    {"rms_norm_ties", edges_rms_norm_ties, 345, 2, CATALOGUE_BOTH, false},
    {"rms_norm_one", edges_rms_norm_one, 347, 2, CATALOGUE_BOTH, false},
    {"group_norm_nan", edges_group_norm_nan, 349, 2, CATALOGUE_BOTH, false},
    {"group_norm_infinite", edges_group_norm_infinite, 351, 2, CATALOGUE_BOTH, false},
    {"group_norm_ties", edges_group_norm_ties, 353, 2, CATALOGUE_BOTH, false},
    {"group_norm_one", edges_group_norm_one, 355, 2, CATALOGUE_BOTH, false},
    {"batch_norm1d_nan", edges_batch_norm1d_nan, 357, 7, CATALOGUE_STEP, false},
    {"batch_norm1d_infinite", edges_batch_norm1d_infinite, 364, 7, CATALOGUE_STEP, false},
    {"batch_norm1d_ties", edges_batch_norm1d_ties, 371, 7, CATALOGUE_STEP, false},
    {"batch_norm1d_eval_nan", edges_batch_norm1d_eval_nan, 378, 7, CATALOGUE_PLAN, false},
    {"batch_norm1d_eval_infinite", edges_batch_norm1d_eval_infinite, 385, 7, CATALOGUE_PLAN,
        false},
    {"batch_norm1d_eval_ties", edges_batch_norm1d_eval_ties, 392, 7, CATALOGUE_PLAN, false},
    {"batch_norm1d_eval_one", edges_batch_norm1d_eval_one, 399, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_nan", edges_batch_norm2d_nan, 406, 7, CATALOGUE_STEP, false},
    {"batch_norm2d_ties", edges_batch_norm2d_ties, 413, 7, CATALOGUE_STEP, false},
    {"batch_norm3d_nan", edges_batch_norm3d_nan, 420, 7, CATALOGUE_STEP, false},
    {"batch_norm3d_ties", edges_batch_norm3d_ties, 427, 7, CATALOGUE_STEP, false},
    {"local_response_norm_nan", edges_local_response_norm_nan, 434, 2, CATALOGUE_BOTH, false},
    {"local_response_norm_infinite", edges_local_response_norm_infinite, 436, 2, CATALOGUE_BOTH,
        false},
    {"local_response_norm_ties", edges_local_response_norm_ties, 438, 2, CATALOGUE_BOTH, false},
    {"local_response_norm_one", edges_local_response_norm_one, 440, 2, CATALOGUE_BOTH, false},
    {"normalize_nan", edges_normalize_nan, 442, 2, CATALOGUE_BOTH, false},
    {"normalize_infinite", edges_normalize_infinite, 444, 2, CATALOGUE_BOTH, false},
    {"normalize_ties", edges_normalize_ties, 446, 2, CATALOGUE_BOTH, false},
    {"normalize_one", edges_normalize_one, 448, 2, CATALOGUE_BOTH, false},
    {"cosine_similarity_nan", edges_cosine_similarity_nan, 450, 3, CATALOGUE_BOTH, false},
    {"cosine_similarity_infinite", edges_cosine_similarity_infinite, 453, 3, CATALOGUE_BOTH,
        false},
    {"cosine_similarity_ties", edges_cosine_similarity_ties, 456, 3, CATALOGUE_BOTH, false},
    {"cosine_similarity_one", edges_cosine_similarity_one, 459, 3, CATALOGUE_BOTH, false},
    {"softmax_nan", edges_softmax_nan, 462, 2, CATALOGUE_BOTH, false},
    {"softmax_infinite", edges_softmax_infinite, 464, 2, CATALOGUE_BOTH, false},
    {"softmax_ties", edges_softmax_ties, 466, 2, CATALOGUE_BOTH, false},
    {"softmax_one", edges_softmax_one, 468, 2, CATALOGUE_BOTH, false},
    {"softmax_over_nan", edges_softmax_over_nan, 470, 2, CATALOGUE_BOTH, false},
    {"softmax_over_infinite", edges_softmax_over_infinite, 472, 2, CATALOGUE_BOTH, false},
    {"softmax_over_ties", edges_softmax_over_ties, 474, 2, CATALOGUE_BOTH, false},
    {"softmax_over_one", edges_softmax_over_one, 476, 2, CATALOGUE_BOTH, false},
    {"log_softmax_nan", edges_log_softmax_nan, 478, 2, CATALOGUE_BOTH, false},
    {"log_softmax_infinite", edges_log_softmax_infinite, 480, 2, CATALOGUE_BOTH, false},
    {"log_softmax_ties", edges_log_softmax_ties, 482, 2, CATALOGUE_BOTH, false},
    {"log_softmax_one", edges_log_softmax_one, 484, 2, CATALOGUE_BOTH, false},
    {"log_softmax_over_nan", edges_log_softmax_over_nan, 486, 2, CATALOGUE_BOTH, false},
    {"log_softmax_over_infinite", edges_log_softmax_over_infinite, 488, 2, CATALOGUE_BOTH,
        false},
    {"log_softmax_over_ties", edges_log_softmax_over_ties, 490, 2, CATALOGUE_BOTH, false},
    {"log_softmax_over_one", edges_log_softmax_over_one, 492, 2, CATALOGUE_BOTH, false},
    {"softmin_nan", edges_softmin_nan, 494, 2, CATALOGUE_BOTH, false},
    {"softmin_infinite", edges_softmin_infinite, 496, 2, CATALOGUE_BOTH, false},
    {"softmin_ties", edges_softmin_ties, 498, 2, CATALOGUE_BOTH, false},
    {"softmin_one", edges_softmin_one, 500, 2, CATALOGUE_BOTH, false},
    {"softmin_over_nan", edges_softmin_over_nan, 502, 2, CATALOGUE_BOTH, false},
    {"softmin_over_infinite", edges_softmin_over_infinite, 504, 2, CATALOGUE_BOTH, false},
    {"softmin_over_ties", edges_softmin_over_ties, 506, 2, CATALOGUE_BOTH, false},
    {"softmin_over_one", edges_softmin_over_one, 508, 2, CATALOGUE_BOTH, false},
    {"glu_nan", edges_glu_nan, 510, 2, CATALOGUE_BOTH, false},
    {"glu_infinite", edges_glu_infinite, 512, 2, CATALOGUE_BOTH, false},
    {"glu_ties", edges_glu_ties, 514, 2, CATALOGUE_BOTH, false},
    {"glu_one", edges_glu_one, 516, 2, CATALOGUE_BOTH, false},
    {"prod_nan", edges_prod_nan, 518, 2, CATALOGUE_PLAN, false},
    {"prod_infinite", edges_prod_infinite, 520, 2, CATALOGUE_PLAN, false},
    {"prod_ties", edges_prod_ties, 522, 2, CATALOGUE_BOTH, false},
    {"prod_one", edges_prod_one, 524, 2, CATALOGUE_BOTH, false},
    {"sum_nan", edges_sum_nan, 526, 2, CATALOGUE_BOTH, false},
    {"sum_infinite", edges_sum_infinite, 528, 2, CATALOGUE_BOTH, false},
    {"sum_ties", edges_sum_ties, 530, 2, CATALOGUE_BOTH, false},
    {"sum_one", edges_sum_one, 532, 2, CATALOGUE_BOTH, false},
    {"mean_nan", edges_mean_nan, 534, 2, CATALOGUE_BOTH, false},
    {"mean_infinite", edges_mean_infinite, 536, 2, CATALOGUE_BOTH, false},
    {"mean_ties", edges_mean_ties, 538, 2, CATALOGUE_BOTH, false},
    {"mean_one", edges_mean_one, 540, 2, CATALOGUE_BOTH, false},
    {"amax_nan", edges_amax_nan, 542, 2, CATALOGUE_BOTH, false},
    {"amax_infinite", edges_amax_infinite, 544, 2, CATALOGUE_BOTH, false},
    {"amax_ties", edges_amax_ties, 546, 2, CATALOGUE_BOTH, false},
    {"amax_one", edges_amax_one, 548, 2, CATALOGUE_BOTH, false},
    {"amin_nan", edges_amin_nan, 550, 2, CATALOGUE_BOTH, false},
    {"amin_infinite", edges_amin_infinite, 552, 2, CATALOGUE_BOTH, false},
    {"amin_ties", edges_amin_ties, 554, 2, CATALOGUE_BOTH, false},
    {"amin_one", edges_amin_one, 556, 2, CATALOGUE_BOTH, false},
    {"norm_nan", edges_norm_nan, 558, 2, CATALOGUE_BOTH, false},
    {"norm_infinite", edges_norm_infinite, 560, 2, CATALOGUE_BOTH, false},
    {"norm_ties", edges_norm_ties, 562, 2, CATALOGUE_BOTH, false},
    {"norm_one", edges_norm_one, 564, 2, CATALOGUE_BOTH, false},
    {"logsumexp_nan", edges_logsumexp_nan, 566, 2, CATALOGUE_BOTH, false},
    {"logsumexp_infinite", edges_logsumexp_infinite, 568, 2, CATALOGUE_BOTH, false},
    {"logsumexp_ties", edges_logsumexp_ties, 570, 2, CATALOGUE_BOTH, false},
    {"logsumexp_one", edges_logsumexp_one, 572, 2, CATALOGUE_BOTH, false},
    {"var_nan", edges_var_nan, 574, 2, CATALOGUE_BOTH, false},
    {"var_infinite", edges_var_infinite, 576, 2, CATALOGUE_BOTH, false},
    {"var_ties", edges_var_ties, 578, 2, CATALOGUE_BOTH, false},
    {"var_one", edges_var_one, 580, 2, CATALOGUE_BOTH, false},
    {"std_nan", edges_std_nan, 582, 2, CATALOGUE_BOTH, false},
    {"std_infinite", edges_std_infinite, 584, 2, CATALOGUE_BOTH, false},
    {"std_ties", edges_std_ties, 586, 2, CATALOGUE_BOTH, false},
    {"std_one", edges_std_one, 588, 2, CATALOGUE_BOTH, false},
    {"argmax_nan", edges_argmax_nan, 590, 2, CATALOGUE_PLAN, false},
    {"argmax_infinite", edges_argmax_infinite, 592, 2, CATALOGUE_PLAN, false},
    {"argmax_ties", edges_argmax_ties, 594, 2, CATALOGUE_PLAN, false},
    {"argmax_one", edges_argmax_one, 596, 2, CATALOGUE_PLAN, false},
    {"argmin_nan", edges_argmin_nan, 598, 2, CATALOGUE_PLAN, false},
    {"argmin_infinite", edges_argmin_infinite, 600, 2, CATALOGUE_PLAN, false},
    {"argmin_ties", edges_argmin_ties, 602, 2, CATALOGUE_PLAN, false},
    {"argmin_one", edges_argmin_one, 604, 2, CATALOGUE_PLAN, false},
    {"any_nan", edges_any_nan, 606, 2, CATALOGUE_PLAN, false},
    {"any_infinite", edges_any_infinite, 608, 2, CATALOGUE_PLAN, false},
    {"any_ties", edges_any_ties, 610, 2, CATALOGUE_PLAN, false},
    {"any_one", edges_any_one, 612, 2, CATALOGUE_PLAN, false},
    {"all_nan", edges_all_nan, 614, 2, CATALOGUE_PLAN, false},
    {"all_infinite", edges_all_infinite, 616, 2, CATALOGUE_PLAN, false},
    {"all_ties", edges_all_ties, 618, 2, CATALOGUE_PLAN, false},
    {"all_one", edges_all_one, 620, 2, CATALOGUE_PLAN, false},
    {"cumsum_nan", edges_cumsum_nan, 622, 2, CATALOGUE_BOTH, false},
    {"cumsum_infinite", edges_cumsum_infinite, 624, 2, CATALOGUE_BOTH, false},
    {"cumsum_ties", edges_cumsum_ties, 626, 2, CATALOGUE_BOTH, false},
    {"cumsum_one", edges_cumsum_one, 628, 2, CATALOGUE_BOTH, false},
    {"permute_nan", edges_permute_nan, 630, 2, CATALOGUE_BOTH, false},
    {"permute_infinite", edges_permute_infinite, 632, 2, CATALOGUE_BOTH, false},
    {"permute_ties", edges_permute_ties, 634, 2, CATALOGUE_BOTH, false},
    {"permute_one", edges_permute_one, 636, 2, CATALOGUE_BOTH, false},
    {"slice_nan", edges_slice_nan, 638, 2, CATALOGUE_BOTH, false},
    {"slice_infinite", edges_slice_infinite, 640, 2, CATALOGUE_BOTH, false},
    {"slice_ties", edges_slice_ties, 642, 2, CATALOGUE_BOTH, false},
    {"slice_one", edges_slice_one, 644, 2, CATALOGUE_BOTH, false},
    {"concat_nan", edges_concat_nan, 646, 2, CATALOGUE_BOTH, false},
    {"concat_infinite", edges_concat_infinite, 648, 2, CATALOGUE_BOTH, false},
    {"concat_ties", edges_concat_ties, 650, 2, CATALOGUE_BOTH, false},
    {"concat_one", edges_concat_one, 652, 2, CATALOGUE_BOTH, false},
    {"stack_nan", edges_stack_nan, 654, 2, CATALOGUE_BOTH, false},
    {"stack_infinite", edges_stack_infinite, 656, 2, CATALOGUE_BOTH, false},
    {"stack_ties", edges_stack_ties, 658, 2, CATALOGUE_BOTH, false},
    {"stack_one", edges_stack_one, 660, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_nan", edges_pad_replicate_nan, 662, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_infinite", edges_pad_replicate_infinite, 664, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_ties", edges_pad_replicate_ties, 666, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_one", edges_pad_replicate_one, 668, 2, CATALOGUE_BOTH, false},
    {"pad_nan", edges_pad_nan, 670, 2, CATALOGUE_BOTH, false},
    {"pad_infinite", edges_pad_infinite, 672, 2, CATALOGUE_BOTH, false},
    {"pad_ties", edges_pad_ties, 674, 2, CATALOGUE_BOTH, false},
    {"pad_one", edges_pad_one, 676, 2, CATALOGUE_BOTH, false},
    {"flip_nan", edges_flip_nan, 678, 2, CATALOGUE_BOTH, false},
    {"flip_infinite", edges_flip_infinite, 680, 2, CATALOGUE_BOTH, false},
    {"flip_ties", edges_flip_ties, 682, 2, CATALOGUE_BOTH, false},
    {"flip_one", edges_flip_one, 684, 2, CATALOGUE_BOTH, false},
    {"roll_nan", edges_roll_nan, 686, 2, CATALOGUE_BOTH, false},
    {"roll_infinite", edges_roll_infinite, 688, 2, CATALOGUE_BOTH, false},
    {"roll_ties", edges_roll_ties, 690, 2, CATALOGUE_BOTH, false},
    {"roll_one", edges_roll_one, 692, 2, CATALOGUE_BOTH, false},
    {"repeat_nan", edges_repeat_nan, 694, 2, CATALOGUE_BOTH, false},
    {"repeat_infinite", edges_repeat_infinite, 696, 2, CATALOGUE_BOTH, false},
    {"repeat_ties", edges_repeat_ties, 698, 2, CATALOGUE_BOTH, false},
    {"repeat_one", edges_repeat_one, 700, 2, CATALOGUE_BOTH, false},
    {"repeat_interleave_nan", edges_repeat_interleave_nan, 702, 2, CATALOGUE_BOTH, false},
    {"repeat_interleave_infinite", edges_repeat_interleave_infinite, 704, 2, CATALOGUE_BOTH,
        false},
    {"repeat_interleave_ties", edges_repeat_interleave_ties, 706, 2, CATALOGUE_BOTH, false},
    {"repeat_interleave_one", edges_repeat_interleave_one, 708, 2, CATALOGUE_BOTH, false},
    {"unflatten_nan", edges_unflatten_nan, 710, 2, CATALOGUE_BOTH, false},
    {"unflatten_infinite", edges_unflatten_infinite, 712, 2, CATALOGUE_BOTH, false},
    {"unflatten_ties", edges_unflatten_ties, 714, 2, CATALOGUE_BOTH, false},
    {"unflatten_one", edges_unflatten_one, 716, 2, CATALOGUE_BOTH, false},
    {"squeeze_nan", edges_squeeze_nan, 718, 2, CATALOGUE_BOTH, false},
    {"squeeze_infinite", edges_squeeze_infinite, 720, 2, CATALOGUE_BOTH, false},
    {"squeeze_ties", edges_squeeze_ties, 722, 2, CATALOGUE_BOTH, false},
    {"squeeze_one", edges_squeeze_one, 724, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_nan", edges_unsqueeze_nan, 726, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_infinite", edges_unsqueeze_infinite, 728, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_ties", edges_unsqueeze_ties, 730, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_one", edges_unsqueeze_one, 732, 2, CATALOGUE_BOTH, false},
    {"unfold_nan", edges_unfold_nan, 734, 2, CATALOGUE_BOTH, false},
    {"unfold_infinite", edges_unfold_infinite, 736, 2, CATALOGUE_BOTH, false},
    {"unfold_ties", edges_unfold_ties, 738, 2, CATALOGUE_BOTH, false},
    {"unfold_one", edges_unfold_one, 740, 2, CATALOGUE_BOTH, false},
    {"fold_nan", edges_fold_nan, 742, 2, CATALOGUE_BOTH, false},
    {"fold_infinite", edges_fold_infinite, 744, 2, CATALOGUE_BOTH, false},
    {"fold_ties", edges_fold_ties, 746, 2, CATALOGUE_BOTH, false},
    {"fold_one", edges_fold_one, 748, 2, CATALOGUE_BOTH, false},
    {"expand_nan", edges_expand_nan, 750, 2, CATALOGUE_BOTH, false},
    {"expand_infinite", edges_expand_infinite, 752, 2, CATALOGUE_BOTH, false},
    {"expand_ties", edges_expand_ties, 754, 2, CATALOGUE_BOTH, false},
    {"expand_one", edges_expand_one, 756, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_nan", edges_pixel_shuffle_nan, 758, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_infinite", edges_pixel_shuffle_infinite, 760, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_ties", edges_pixel_shuffle_ties, 762, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_one", edges_pixel_shuffle_one, 764, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_nan", edges_channel_shuffle_nan, 766, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_infinite", edges_channel_shuffle_infinite, 768, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_ties", edges_channel_shuffle_ties, 770, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_one", edges_channel_shuffle_one, 772, 2, CATALOGUE_BOTH, false},
    {"index_select_nan", edges_index_select_nan, 774, 3, CATALOGUE_BOTH, false},
    {"index_select_infinite", edges_index_select_infinite, 777, 3, CATALOGUE_BOTH, false},
    {"index_select_ties", edges_index_select_ties, 780, 3, CATALOGUE_BOTH, false},
    {"index_select_one", edges_index_select_one, 783, 3, CATALOGUE_BOTH, false},
    {"sort_nan", edges_sort_nan, 786, 3, CATALOGUE_BOTH, false},
    {"sort_infinite", edges_sort_infinite, 789, 3, CATALOGUE_BOTH, false},
    {"sort_ties", edges_sort_ties, 792, 3, CATALOGUE_BOTH, false},
    {"sort_one", edges_sort_one, 795, 3, CATALOGUE_BOTH, false},
    {"top_k_nan", edges_top_k_nan, 798, 2, CATALOGUE_BOTH, false},
    {"top_k_infinite", edges_top_k_infinite, 800, 2, CATALOGUE_BOTH, false},
    {"top_k_ties", edges_top_k_ties, 802, 2, CATALOGUE_PLAN, false},
    {"top_k_one", edges_top_k_one, 804, 2, CATALOGUE_BOTH, false},
    {"kthvalue_nan", edges_kthvalue_nan, 806, 2, CATALOGUE_BOTH, false},
    {"kthvalue_infinite", edges_kthvalue_infinite, 808, 2, CATALOGUE_BOTH, false},
    {"kthvalue_ties", edges_kthvalue_ties, 810, 2, CATALOGUE_PLAN, false},
    {"kthvalue_one", edges_kthvalue_one, 812, 2, CATALOGUE_BOTH, false},
    {"median_nan", edges_median_nan, 814, 2, CATALOGUE_BOTH, false},
    {"median_infinite", edges_median_infinite, 816, 2, CATALOGUE_BOTH, false},
    {"median_ties", edges_median_ties, 818, 2, CATALOGUE_PLAN, false},
    {"median_one", edges_median_one, 820, 2, CATALOGUE_BOTH, false},
    {"median_nans", edges_median_nans, 822, 2, CATALOGUE_BOTH, false},
    {"cumprod_nan", edges_cumprod_nan, 824, 2, CATALOGUE_PLAN, false},
    {"cumprod_infinite", edges_cumprod_infinite, 826, 2, CATALOGUE_PLAN, false},
    {"cumprod_ties", edges_cumprod_ties, 828, 2, CATALOGUE_BOTH, false},
    {"cumprod_one", edges_cumprod_one, 830, 2, CATALOGUE_BOTH, false},
    {"logcumsumexp_nan", edges_logcumsumexp_nan, 832, 2, CATALOGUE_PLAN, false},
    {"logcumsumexp_infinite", edges_logcumsumexp_infinite, 834, 2, CATALOGUE_PLAN, false},
    {"logcumsumexp_ties", edges_logcumsumexp_ties, 836, 2, CATALOGUE_BOTH, false},
    {"logcumsumexp_one", edges_logcumsumexp_one, 838, 2, CATALOGUE_BOTH, false},
    {"cummax_nan", edges_cummax_nan, 840, 3, CATALOGUE_BOTH, false},
    {"cummax_infinite", edges_cummax_infinite, 843, 3, CATALOGUE_BOTH, false},
    {"cummax_ties", edges_cummax_ties, 846, 3, CATALOGUE_BOTH, false},
    {"cummax_one", edges_cummax_one, 849, 3, CATALOGUE_BOTH, false},
    {"cummin_nan", edges_cummin_nan, 852, 3, CATALOGUE_BOTH, false},
    {"cummin_infinite", edges_cummin_infinite, 855, 3, CATALOGUE_BOTH, false},
    {"cummin_ties", edges_cummin_ties, 858, 3, CATALOGUE_BOTH, false},
    {"cummin_one", edges_cummin_one, 861, 3, CATALOGUE_BOTH, false},
    {"gather_nan", edges_gather_nan, 864, 3, CATALOGUE_BOTH, false},
    {"gather_infinite", edges_gather_infinite, 867, 3, CATALOGUE_BOTH, false},
    {"gather_ties", edges_gather_ties, 870, 3, CATALOGUE_BOTH, false},
    {"gather_one", edges_gather_one, 873, 3, CATALOGUE_BOTH, false},
    {"scatter_add_nan", edges_scatter_add_nan, 876, 4, CATALOGUE_BOTH, false},
    {"scatter_add_infinite", edges_scatter_add_infinite, 880, 4, CATALOGUE_BOTH, false},
    {"scatter_add_ties", edges_scatter_add_ties, 884, 4, CATALOGUE_BOTH, false},
    {"scatter_add_one", edges_scatter_add_one, 888, 4, CATALOGUE_BOTH, false},
    {"scatter_reduce_nan", edges_scatter_reduce_nan, 892, 4, CATALOGUE_BOTH, false},
    {"scatter_reduce_infinite", edges_scatter_reduce_infinite, 896, 4, CATALOGUE_BOTH, false},
    {"scatter_reduce_ties", edges_scatter_reduce_ties, 900, 4, CATALOGUE_BOTH, false},
    {"scatter_reduce_one", edges_scatter_reduce_one, 904, 4, CATALOGUE_BOTH, false},
    {"scatter_nan", edges_scatter_nan, 908, 4, CATALOGUE_BOTH, false},
    {"scatter_infinite", edges_scatter_infinite, 912, 4, CATALOGUE_BOTH, false},
    {"scatter_ties", edges_scatter_ties, 916, 4, CATALOGUE_BOTH, false},
    {"scatter_one", edges_scatter_one, 920, 4, CATALOGUE_BOTH, false},
    {"embedding_nan", edges_embedding_nan, 924, 3, CATALOGUE_BOTH, false},
    {"embedding_infinite", edges_embedding_infinite, 927, 3, CATALOGUE_BOTH, false},
    {"embedding_ties", edges_embedding_ties, 930, 3, CATALOGUE_BOTH, false},
    {"embedding_one", edges_embedding_one, 933, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_nan", edges_pairwise_distance_nan, 936, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_infinite", edges_pairwise_distance_infinite, 939, 3, CATALOGUE_BOTH,
        false},
    {"pairwise_distance_ties", edges_pairwise_distance_ties, 942, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_one", edges_pairwise_distance_one, 945, 3, CATALOGUE_BOTH, false},
    {"cdist_nan", edges_cdist_nan, 948, 3, CATALOGUE_BOTH, false},
    {"cdist_infinite", edges_cdist_infinite, 951, 3, CATALOGUE_BOTH, false},
    {"cdist_ties", edges_cdist_ties, 954, 3, CATALOGUE_BOTH, false},
    {"cdist_one", edges_cdist_one, 957, 3, CATALOGUE_BOTH, false},
    {"cdist_infinity_ties", edges_cdist_infinity_ties, 960, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_infinity_ties", edges_pairwise_distance_infinity_ties, 963, 3,
        CATALOGUE_BOTH, false},
    {"resize_nearest_nan", edges_resize_nearest_nan, 966, 2, CATALOGUE_BOTH, false},
    {"resize_nearest_infinite", edges_resize_nearest_infinite, 968, 2, CATALOGUE_BOTH, false},
    {"resize_nearest_ties", edges_resize_nearest_ties, 970, 2, CATALOGUE_BOTH, false},
    {"resize_nearest_one", edges_resize_nearest_one, 972, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_nan", edges_resize_bilinear_nan, 974, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_infinite", edges_resize_bilinear_infinite, 976, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_ties", edges_resize_bilinear_ties, 978, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_one", edges_resize_bilinear_one, 980, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_nan", edges_resize_bicubic_nan, 982, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_infinite", edges_resize_bicubic_infinite, 984, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_ties", edges_resize_bicubic_ties, 986, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_one", edges_resize_bicubic_one, 988, 2, CATALOGUE_BOTH, false},
    {"grid_sample_nan", edges_grid_sample_nan, 990, 3, CATALOGUE_BOTH, false},
    {"grid_sample_infinite", edges_grid_sample_infinite, 993, 3, CATALOGUE_BOTH, false},
    {"grid_sample_ties", edges_grid_sample_ties, 996, 3, CATALOGUE_BOTH, false},
    {"grid_sample_one", edges_grid_sample_one, 999, 3, CATALOGUE_BOTH, false},
    {"lp_pool1d_nan", edges_lp_pool1d_nan, 1002, 2, CATALOGUE_BOTH, false},
    {"lp_pool1d_infinite", edges_lp_pool1d_infinite, 1004, 2, CATALOGUE_BOTH, false},
    {"lp_pool1d_ties", edges_lp_pool1d_ties, 1006, 2, CATALOGUE_BOTH, false},
    {"lp_pool1d_one", edges_lp_pool1d_one, 1008, 2, CATALOGUE_BOTH, false},
    {"global_max_pool2d_nan", edges_global_max_pool2d_nan, 1010, 2, CATALOGUE_BOTH, false},
    {"global_max_pool2d_infinite", edges_global_max_pool2d_infinite, 1012, 2, CATALOGUE_BOTH,
        false},
    {"global_max_pool2d_one", edges_global_max_pool2d_one, 1014, 2, CATALOGUE_BOTH, false},
    {"lstm_nan", edges_lstm_nan, 1016, 6, CATALOGUE_BOTH, false},
    {"lstm_infinite", edges_lstm_infinite, 1022, 6, CATALOGUE_BOTH, false},
    {"lstm_ties", edges_lstm_ties, 1028, 6, CATALOGUE_BOTH, false},
    {"lstm_one", edges_lstm_one, 1034, 6, CATALOGUE_BOTH, false},
    {"gru_nan", edges_gru_nan, 1040, 6, CATALOGUE_BOTH, false},
    {"gru_infinite", edges_gru_infinite, 1046, 6, CATALOGUE_BOTH, false},
    {"gru_ties", edges_gru_ties, 1052, 6, CATALOGUE_BOTH, false},
    {"gru_one", edges_gru_one, 1058, 6, CATALOGUE_BOTH, false},
    {"rnn_nan", edges_rnn_nan, 1064, 6, CATALOGUE_BOTH, false},
    {"rnn_infinite", edges_rnn_infinite, 1070, 6, CATALOGUE_BOTH, false},
    {"rnn_ties", edges_rnn_ties, 1076, 6, CATALOGUE_BOTH, false},
    {"rnn_one", edges_rnn_one, 1082, 6, CATALOGUE_BOTH, false},
    {"prelu_nan", edges_prelu_nan, 1088, 3, CATALOGUE_BOTH, false},
    {"prelu_infinite", edges_prelu_infinite, 1091, 3, CATALOGUE_BOTH, false},
    {"prelu_ties", edges_prelu_ties, 1094, 3, CATALOGUE_BOTH, false},
    {"prelu_one", edges_prelu_one, 1097, 3, CATALOGUE_BOTH, false},
    {"conv3d_nan", edges_conv3d_nan, 1100, 4, CATALOGUE_BOTH, false},
    {"conv3d_infinite", edges_conv3d_infinite, 1104, 4, CATALOGUE_BOTH, false},
    {"conv3d_ties", edges_conv3d_ties, 1108, 4, CATALOGUE_BOTH, false},
    {"conv3d_one", edges_conv3d_one, 1112, 4, CATALOGUE_BOTH, false},
    {"conv_transpose3d_nan", edges_conv_transpose3d_nan, 1116, 4, CATALOGUE_BOTH, false},
    {"conv_transpose3d_infinite", edges_conv_transpose3d_infinite, 1120, 4, CATALOGUE_BOTH,
        false},
    {"conv_transpose3d_ties", edges_conv_transpose3d_ties, 1124, 4, CATALOGUE_BOTH, false},
    {"conv_transpose3d_one", edges_conv_transpose3d_one, 1128, 4, CATALOGUE_BOTH, false},
    {"conv2d_with_nan", edges_conv2d_with_nan, 1132, 3, CATALOGUE_BOTH, false},
    {"conv2d_with_infinite", edges_conv2d_with_infinite, 1135, 3, CATALOGUE_BOTH, false},
    {"conv2d_with_ties", edges_conv2d_with_ties, 1138, 3, CATALOGUE_BOTH, false},
    {"conv2d_with_one", edges_conv2d_with_one, 1141, 3, CATALOGUE_BOTH, false},
    {"conv_transpose2d_with_nan", edges_conv_transpose2d_with_nan, 1144, 3, CATALOGUE_BOTH,
        false},
    {"conv_transpose2d_with_infinite", edges_conv_transpose2d_with_infinite, 1147, 3,
        CATALOGUE_BOTH, false},
    {"conv_transpose2d_with_ties", edges_conv_transpose2d_with_ties, 1150, 3, CATALOGUE_BOTH,
        false},
    {"conv_transpose2d_with_one", edges_conv_transpose2d_with_one, 1153, 3, CATALOGUE_BOTH,
        false},
    {"max_pool3d_nan", edges_max_pool3d_nan, 1156, 2, CATALOGUE_BOTH, false},
    {"max_pool3d_infinite", edges_max_pool3d_infinite, 1158, 2, CATALOGUE_BOTH, false},
    {"max_pool3d_ties", edges_max_pool3d_ties, 1160, 2, CATALOGUE_BOTH, false},
    {"max_pool3d_one", edges_max_pool3d_one, 1162, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_nan", edges_avg_pool3d_nan, 1164, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_infinite", edges_avg_pool3d_infinite, 1166, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_ties", edges_avg_pool3d_ties, 1168, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_one", edges_avg_pool3d_one, 1170, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool3d_nan", edges_adaptive_max_pool3d_nan, 1172, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool3d_infinite", edges_adaptive_max_pool3d_infinite, 1174, 2,
        CATALOGUE_BOTH, false},
    {"adaptive_max_pool3d_ties", edges_adaptive_max_pool3d_ties, 1176, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_max_pool3d_one", edges_adaptive_max_pool3d_one, 1178, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool3d_nan", edges_adaptive_avg_pool3d_nan, 1180, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool3d_infinite", edges_adaptive_avg_pool3d_infinite, 1182, 2,
        CATALOGUE_BOTH, false},
    {"adaptive_avg_pool3d_ties", edges_adaptive_avg_pool3d_ties, 1184, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_avg_pool3d_one", edges_adaptive_avg_pool3d_one, 1186, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_nan", edges_lp_pool2d_nan, 1188, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_infinite", edges_lp_pool2d_infinite, 1190, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_ties", edges_lp_pool2d_ties, 1192, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_one", edges_lp_pool2d_one, 1194, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_nan", edges_lp_pool3d_nan, 1196, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_infinite", edges_lp_pool3d_infinite, 1198, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_ties", edges_lp_pool3d_ties, 1200, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_one", edges_lp_pool3d_one, 1202, 2, CATALOGUE_BOTH, false},
    {"fractional_max_pool2d_nan", edges_fractional_max_pool2d_nan, 1204, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool2d_infinite", edges_fractional_max_pool2d_infinite, 1207, 3,
        CATALOGUE_BOTH, false},
    {"fractional_max_pool2d_ties", edges_fractional_max_pool2d_ties, 1210, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool2d_one", edges_fractional_max_pool2d_one, 1213, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool3d_nan", edges_fractional_max_pool3d_nan, 1216, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool3d_infinite", edges_fractional_max_pool3d_infinite, 1219, 3,
        CATALOGUE_BOTH, false},
    {"fractional_max_pool3d_ties", edges_fractional_max_pool3d_ties, 1222, 3, CATALOGUE_BOTH,
        false},
    {"max_unpool1d_nan", edges_max_unpool1d_nan, 1225, 3, CATALOGUE_BOTH, false},
    {"max_unpool1d_infinite", edges_max_unpool1d_infinite, 1228, 3, CATALOGUE_BOTH, false},
    {"max_unpool1d_ties", edges_max_unpool1d_ties, 1231, 3, CATALOGUE_BOTH, false},
    {"max_unpool1d_one", edges_max_unpool1d_one, 1234, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_nan", edges_max_unpool2d_nan, 1237, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_infinite", edges_max_unpool2d_infinite, 1240, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_ties", edges_max_unpool2d_ties, 1243, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_one", edges_max_unpool2d_one, 1246, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_nan", edges_max_unpool3d_nan, 1249, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_infinite", edges_max_unpool3d_infinite, 1252, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_ties", edges_max_unpool3d_ties, 1255, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_one", edges_max_unpool3d_one, 1258, 3, CATALOGUE_BOTH, false},
    {"lerp_nan", edges_lerp_nan, 1261, 4, CATALOGUE_BOTH, false},
    {"lerp_infinite", edges_lerp_infinite, 1265, 4, CATALOGUE_BOTH, false},
    {"lerp_ties", edges_lerp_ties, 1269, 4, CATALOGUE_BOTH, false},
    {"addcmul_nan", edges_addcmul_nan, 1273, 4, CATALOGUE_BOTH, false},
    {"addcmul_infinite", edges_addcmul_infinite, 1277, 4, CATALOGUE_BOTH, false},
    {"addcmul_ties", edges_addcmul_ties, 1281, 4, CATALOGUE_BOTH, false},
    {"addcdiv_nan", edges_addcdiv_nan, 1285, 4, CATALOGUE_BOTH, false},
    {"addcdiv_infinite", edges_addcdiv_infinite, 1289, 4, CATALOGUE_BOTH, false},
    {"addcdiv_ties", edges_addcdiv_ties, 1293, 4, CATALOGUE_BOTH, false},
    {"expression_nan", edges_expression_nan, 1297, 2, CATALOGUE_BOTH, false},
    {"expression_infinite", edges_expression_infinite, 1299, 2, CATALOGUE_PLAN, false},
    {"expression_ties", edges_expression_ties, 1301, 2, CATALOGUE_BOTH, false},
    {"where_nan", edges_where_nan, 1303, 3, CATALOGUE_BOTH, false},
    {"where_infinite", edges_where_infinite, 1306, 3, CATALOGUE_BOTH, false},
    {"where_ties", edges_where_ties, 1309, 3, CATALOGUE_BOTH, false},
    {"nan_to_num_nan", edges_nan_to_num_nan, 1312, 2, CATALOGUE_BOTH, false},
    {"nan_to_num_infinite", edges_nan_to_num_infinite, 1314, 2, CATALOGUE_BOTH, false},
    {"nan_to_num_ties", edges_nan_to_num_ties, 1316, 2, CATALOGUE_BOTH, false},
    {"cast_ties", edges_cast_ties, 1318, 2, CATALOGUE_PLAN, false},
    {"cast_bool_nan", edges_cast_bool_nan, 1320, 2, CATALOGUE_PLAN, false},
    {"cast_bool_infinite", edges_cast_bool_infinite, 1322, 2, CATALOGUE_PLAN, false},
    {"cast_bool_ties", edges_cast_bool_ties, 1324, 2, CATALOGUE_PLAN, false},
    {"instance_norm_nan", edges_instance_norm_nan, 1326, 2, CATALOGUE_BOTH, false},
    {"instance_norm_infinite", edges_instance_norm_infinite, 1328, 2, CATALOGUE_BOTH, false},
    {"instance_norm_ties", edges_instance_norm_ties, 1330, 2, CATALOGUE_BOTH, false},
    {"batch_norm3d_eval_nan", edges_batch_norm3d_eval_nan, 1332, 7, CATALOGUE_PLAN, false},
    {"batch_norm3d_eval_infinite", edges_batch_norm3d_eval_infinite, 1339, 7, CATALOGUE_PLAN,
        false},
    {"batch_norm3d_eval_ties", edges_batch_norm3d_eval_ties, 1346, 7, CATALOGUE_PLAN, false},
    {"batch_norm3d_eval_one", edges_batch_norm3d_eval_one, 1353, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_eval_nan", edges_batch_norm2d_eval_nan, 1360, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_eval_infinite", edges_batch_norm2d_eval_infinite, 1367, 7, CATALOGUE_PLAN,
        false},
    {"batch_norm2d_eval_ties", edges_batch_norm2d_eval_ties, 1374, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_eval_one", edges_batch_norm2d_eval_one, 1381, 7, CATALOGUE_PLAN, false},
    {"sum_of_squares_nan", edges_sum_of_squares_nan, 1388, 2, CATALOGUE_BOTH, false},
    {"sum_of_squares_infinite", edges_sum_of_squares_infinite, 1390, 2, CATALOGUE_BOTH, false},
    {"sum_of_squares_ties", edges_sum_of_squares_ties, 1392, 2, CATALOGUE_BOTH, false},
    {"sum_of_squares_one", edges_sum_of_squares_one, 1394, 2, CATALOGUE_BOTH, false},
    {"split_nan", edges_split_nan, 1396, 3, CATALOGUE_BOTH, false},
    {"split_infinite", edges_split_infinite, 1399, 3, CATALOGUE_BOTH, false},
    {"split_ties", edges_split_ties, 1402, 3, CATALOGUE_BOTH, false},
    {"chunk_nan", edges_chunk_nan, 1405, 3, CATALOGUE_BOTH, false},
    {"chunk_infinite", edges_chunk_infinite, 1408, 3, CATALOGUE_BOTH, false},
    {"chunk_ties", edges_chunk_ties, 1411, 3, CATALOGUE_BOTH, false},
    {"diff_nan", edges_diff_nan, 1414, 2, CATALOGUE_BOTH, false},
    {"diff_infinite", edges_diff_infinite, 1416, 2, CATALOGUE_BOTH, false},
    {"diff_ties", edges_diff_ties, 1418, 2, CATALOGUE_BOTH, false},
    {"diff_one", edges_diff_one, 1420, 2, CATALOGUE_BOTH, false},
    {"outer_nan", edges_outer_nan, 1422, 2, CATALOGUE_BOTH, false},
    {"outer_infinite", edges_outer_infinite, 1424, 2, CATALOGUE_BOTH, false},
    {"outer_ties", edges_outer_ties, 1426, 2, CATALOGUE_BOTH, false},
    {"outer_one", edges_outer_one, 1428, 2, CATALOGUE_BOTH, false},
    {"tril_nan", edges_tril_nan, 1430, 2, CATALOGUE_BOTH, false},
    {"tril_infinite", edges_tril_infinite, 1432, 2, CATALOGUE_BOTH, false},
    {"tril_ties", edges_tril_ties, 1434, 2, CATALOGUE_BOTH, false},
    {"tril_one", edges_tril_one, 1436, 2, CATALOGUE_BOTH, false},
    {"triu_nan", edges_triu_nan, 1438, 2, CATALOGUE_BOTH, false},
    {"triu_infinite", edges_triu_infinite, 1440, 2, CATALOGUE_BOTH, false},
    {"triu_ties", edges_triu_ties, 1442, 2, CATALOGUE_BOTH, false},
    {"triu_one", edges_triu_one, 1444, 2, CATALOGUE_BOTH, false},
    {"argsort_nan", edges_argsort_nan, 1446, 2, CATALOGUE_PLAN, false},
    {"argsort_infinite", edges_argsort_infinite, 1448, 2, CATALOGUE_PLAN, false},
    {"argsort_ties", edges_argsort_ties, 1450, 2, CATALOGUE_PLAN, false},
    {"argsort_one", edges_argsort_one, 1452, 2, CATALOGUE_PLAN, false},
    {"reshape_nan", edges_reshape_nan, 1454, 2, CATALOGUE_BOTH, false},
    {"reshape_infinite", edges_reshape_infinite, 1456, 2, CATALOGUE_BOTH, false},
    {"reshape_ties", edges_reshape_ties, 1458, 2, CATALOGUE_BOTH, false},
    {"reshape_one", edges_reshape_one, 1460, 2, CATALOGUE_BOTH, false},
    {"flatten_nan", edges_flatten_nan, 1462, 2, CATALOGUE_BOTH, false},
    {"flatten_infinite", edges_flatten_infinite, 1464, 2, CATALOGUE_BOTH, false},
    {"flatten_ties", edges_flatten_ties, 1466, 2, CATALOGUE_BOTH, false},
    {"flatten_one", edges_flatten_one, 1468, 2, CATALOGUE_BOTH, false},
    {"transpose_nan", edges_transpose_nan, 1470, 2, CATALOGUE_BOTH, false},
    {"transpose_infinite", edges_transpose_infinite, 1472, 2, CATALOGUE_BOTH, false},
    {"transpose_ties", edges_transpose_ties, 1474, 2, CATALOGUE_BOTH, false},
    {"transpose_one", edges_transpose_one, 1476, 2, CATALOGUE_BOTH, false},
    {"pixel_unshuffle_nan", edges_pixel_unshuffle_nan, 1478, 2, CATALOGUE_BOTH, false},
    {"pixel_unshuffle_infinite", edges_pixel_unshuffle_infinite, 1480, 2, CATALOGUE_BOTH,
        false},
    {"pixel_unshuffle_ties", edges_pixel_unshuffle_ties, 1482, 2, CATALOGUE_BOTH, false},
    {"pixel_unshuffle_one", edges_pixel_unshuffle_one, 1484, 2, CATALOGUE_BOTH, false},
    {"affine_grid_one", edges_affine_grid_one, 1486, 2, CATALOGUE_BOTH, false},
    {"affine_grid_ties", edges_affine_grid_ties, 1488, 2, CATALOGUE_BOTH, false},
    {"affine_grid_nan", edges_affine_grid_nan, 1490, 2, CATALOGUE_PLAN, false},
    {"scatter_value_nan", edges_scatter_value_nan, 1492, 3, CATALOGUE_BOTH, false},
    {"scatter_value_infinite", edges_scatter_value_infinite, 1495, 3, CATALOGUE_BOTH, false},
    {"scatter_value_ties", edges_scatter_value_ties, 1498, 3, CATALOGUE_BOTH, false},
    {"scatter_value_one", edges_scatter_value_one, 1501, 3, CATALOGUE_BOTH, false},
    {"detach_nan", edges_detach_nan, 1504, 2, CATALOGUE_BOTH, false},
    {"detach_infinite", edges_detach_infinite, 1506, 2, CATALOGUE_BOTH, false},
    {"detach_ties", edges_detach_ties, 1508, 2, CATALOGUE_BOTH, false},
    {"nn_embedding_nan", edges_nn_embedding_nan, 1510, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_nan", edges_nn_embedding_bag_nan, 1513, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_infinite", edges_nn_embedding_infinite, 1516, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_infinite", edges_nn_embedding_bag_infinite, 1519, 3, CATALOGUE_BOTH,
        false},
    {"nn_embedding_bag_max_infinite", edges_nn_embedding_bag_max_infinite, 1522, 3,
        CATALOGUE_BOTH, false},
    {"nn_embedding_ties", edges_nn_embedding_ties, 1525, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_ties", edges_nn_embedding_bag_ties, 1528, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_max_ties", edges_nn_embedding_bag_max_ties, 1531, 3, CATALOGUE_BOTH,
        false},
    {"nn_embedding_one", edges_nn_embedding_one, 1534, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_one", edges_nn_embedding_bag_one, 1537, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_max_one", edges_nn_embedding_bag_max_one, 1540, 3, CATALOGUE_BOTH,
        false},
    {"mse_loss_one", edges_mse_loss_one, 1543, 3, CATALOGUE_BOTH, false},
    {"l1_loss_one", edges_l1_loss_one, 1546, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_loss_one", edges_smooth_l1_loss_one, 1549, 3, CATALOGUE_BOTH, false},
    {"huber_loss_one", edges_huber_loss_one, 1552, 3, CATALOGUE_BOTH, false},
    {"bce_with_logits_one", edges_bce_with_logits_one, 1555, 3, CATALOGUE_BOTH, false},
    {"kl_div_one", edges_kl_div_one, 1558, 3, CATALOGUE_BOTH, false},
    {"poisson_nll_loss_one", edges_poisson_nll_loss_one, 1561, 3, CATALOGUE_BOTH, false},
    {"hinge_embedding_loss_one", edges_hinge_embedding_loss_one, 1564, 3, CATALOGUE_BOTH,
        false},
    {"bce_loss_one", edges_bce_loss_one, 1567, 3, CATALOGUE_BOTH, false},
    {"gaussian_nll_loss_one", edges_gaussian_nll_loss_one, 1570, 4, CATALOGUE_BOTH, false},
    {"margin_ranking_loss_one", edges_margin_ranking_loss_one, 1574, 4, CATALOGUE_BOTH, false},
    {"triplet_margin_loss_one", edges_triplet_margin_loss_one, 1578, 4, CATALOGUE_BOTH, false},
    {"triplet_margin_loss_ties", edges_triplet_margin_loss_ties, 1582, 4, CATALOGUE_BOTH,
        false},
    {"triplet_margin_loss_infinite", edges_triplet_margin_loss_infinite, 1586, 4,
        CATALOGUE_PLAN, false},
    {"cosine_embedding_loss_one", edges_cosine_embedding_loss_one, 1590, 4, CATALOGUE_PLAN,
        false},
    {"cosine_embedding_loss_infinite", edges_cosine_embedding_loss_infinite, 1594, 4,
        CATALOGUE_PLAN, false},
    {"cross_entropy_one", edges_cross_entropy_one, 1598, 3, CATALOGUE_BOTH, false},
    {"nll_loss_one", edges_nll_loss_one, 1601, 3, CATALOGUE_BOTH, false},
    {"multi_margin_loss_one", edges_multi_margin_loss_one, 1604, 3, CATALOGUE_BOTH, false},
    {"multi_margin_loss_infinite", edges_multi_margin_loss_infinite, 1607, 3, CATALOGUE_BOTH,
        false},
    {"multilabel_margin_loss_one", edges_multilabel_margin_loss_one, 1610, 3, CATALOGUE_BOTH,
        false},
    {"multilabel_margin_loss_infinite", edges_multilabel_margin_loss_infinite, 1613, 3,
        CATALOGUE_BOTH, false},
    {"adaptive_log_softmax_nan", edges_adaptive_log_softmax_nan, 1616, 5, CATALOGUE_BOTH,
        false},
    {"adaptive_log_softmax_infinite", edges_adaptive_log_softmax_infinite, 1621, 5,
        CATALOGUE_BOTH, false},
    {"adaptive_log_softmax_ties", edges_adaptive_log_softmax_ties, 1626, 5, CATALOGUE_BOTH,
        false},
    {"soft_margin_loss_nan", edges_soft_margin_loss_nan, 1631, 3, CATALOGUE_BOTH, false},
    {"soft_margin_loss_infinite", edges_soft_margin_loss_infinite, 1634, 3, CATALOGUE_BOTH,
        false},
    {"soft_margin_loss_ties", edges_soft_margin_loss_ties, 1637, 3, CATALOGUE_BOTH, false},
    {"soft_margin_loss_one", edges_soft_margin_loss_one, 1640, 3, CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_nan", edges_multilabel_soft_margin_loss_nan, 1643, 3,
        CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_infinite", edges_multilabel_soft_margin_loss_infinite, 1646,
        3, CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_ties", edges_multilabel_soft_margin_loss_ties, 1649, 3,
        CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_one", edges_multilabel_soft_margin_loss_one, 1652, 3,
        CATALOGUE_BOTH, false},
    {"bce_loss_infinite", edges_bce_loss_infinite, 1655, 3, CATALOGUE_PLAN, false},
    {"bce_loss_nan", edges_bce_loss_nan, 1658, 3, CATALOGUE_PLAN, false},
    {"ctc_loss_one", edges_ctc_loss_one, 1661, 5, CATALOGUE_PLAN, false},
    {"ctc_loss_infinite", edges_ctc_loss_infinite, 1666, 5, CATALOGUE_PLAN, false},
    {"ctc_loss_ties", edges_ctc_loss_ties, 1671, 5, CATALOGUE_PLAN, false},
    {"all_masked_cross_entropy", edges_all_masked_cross_entropy, 1676, 3, CATALOGUE_PLAN,
        false},
    {"all_masked_cross_entropy_sum", edges_all_masked_cross_entropy_sum, 1679, 3,
        CATALOGUE_BOTH, false},
    {"all_masked_softmax", edges_all_masked_softmax, 1682, 3, CATALOGUE_BOTH, false},
    {"all_masked_embedding_bag", edges_all_masked_embedding_bag, 1685, 3, CATALOGUE_BOTH,
        false},
};
