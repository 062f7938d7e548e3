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
    out[0] = nn_conv2d_with(net, in[0], in[1], NULL, NULL);
}
static void edges_conv2d_with_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d_with(net, in[0], in[1], NULL, NULL);
}
static void edges_conv2d_with_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d_with(net, in[0], in[1], NULL, NULL);
}
static void edges_conv2d_with_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv2d_with(net, in[0], in[1], NULL, NULL);
}
static void edges_conv_transpose2d_with_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d_with(net, in[0], in[1], NULL,
        &(nn_conv_transpose2d_desc){.stride = 2});
}
static void edges_conv_transpose2d_with_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d_with(net, in[0], in[1], NULL,
        &(nn_conv_transpose2d_desc){.stride = 2});
}
static void edges_conv_transpose2d_with_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d_with(net, in[0], in[1], NULL,
        &(nn_conv_transpose2d_desc){.stride = 2});
}
static void edges_conv_transpose2d_with_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_conv_transpose2d_with(net, in[0], in[1], NULL,
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
    out[0] = nn_addcmul(net, in[0], in[1], in[2], 0.5f);
}
static void edges_addcmul_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcmul(net, in[0], in[1], in[2], 0.5f);
}
static void edges_addcmul_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcmul(net, in[0], in[1], in[2], 0.5f);
}
static void edges_addcdiv_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcdiv(net, in[0], in[1], in[2], 0.5f);
}
static void edges_addcdiv_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcdiv(net, in[0], in[1], in[2], 0.5f);
}
static void edges_addcdiv_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcdiv(net, in[0], in[1], in[2], 0.5f);
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
    out[0] = nn_nan_to_num(net, in[0], 0.5f, 7.0f, -7.0f);
}
static void edges_nan_to_num_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nan_to_num(net, in[0], 0.5f, 7.0f, -7.0f);
}
static void edges_nan_to_num_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_nan_to_num(net, in[0], 0.5f, 7.0f, -7.0f);
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
    out[0] = nn_mse_loss(net, in[0], in[1], NN_MEAN);
}
static void edges_l1_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_l1_loss(net, in[0], in[1], NN_MEAN);
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
        &(nn_adaptive_log_softmax_desc){.num_classes = 4, .cutoffs = {2}});
}
static void edges_adaptive_log_softmax_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_log_softmax(net, "a", in[0],
        &(nn_adaptive_log_softmax_desc){.num_classes = 4, .cutoffs = {2}});
}
static void edges_adaptive_log_softmax_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_adaptive_log_softmax(net, "a", in[0],
        &(nn_adaptive_log_softmax_desc){.num_classes = 4, .cutoffs = {2}});
}
static void edges_soft_margin_loss_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], NN_REDUCTION_NONE);
}
static void edges_soft_margin_loss_infinite(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], NN_REDUCTION_NONE);
}
static void edges_soft_margin_loss_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], NN_REDUCTION_NONE);
}
static void edges_soft_margin_loss_one(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_soft_margin_loss(net, in[0], in[1], NN_REDUCTION_NONE);
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
    0.849853516,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,
    -1.703125,1.21875,-0.779174805,2.6184082,-1.2590332,0.839233398,-0.885253906,
    0.245178223,-0.394042969,0.811645508,0.296386719,-0.219482422,1e301,1e301,1e301,
    2.61645508,-0.631835938,-2.65454102,1e301,1e301,1e301,-0.135498047,2.94140625,
    -3.4987793,2.34375,2.484375,-0.796142578,-0.00756835938,1e301,1e301,1e301,0.971557617,
    -0.124694824,1e301,1e301,1e301,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,
    0.703125,-1.703125,1.21875,0.630859375,-1.60717773,0.168884277,-2.57067871,0.0110473633,
    0.569702148,-0.434997559,0.956726074,-0.395141602,0.329345703,1e302,1e302,-1e302,1e302,
    -1e302,-2.65454102,-1e302,1e302,-1e302,1e302,-1e302,-3.4987793,2.34375,2.484375,
    1e302,-1e302,-1e302,-1e302,-0.133300781,-1e302,1e301,1e302,-1e302,0.761962891,1,1,
    1,1,1,1,1,1,1,1,1.09259033,-1.22033691,1.85845947,-0.252502441,0.30090332,
    -1.15716553,1.14483643,-0.286682129,1.16479492,-0.575439453,2.25,2.34375,2.03125,2.25,
    2.34375,2.03125,0.9375,2.484375,1.40625,0.9375,2.484375,1.40625,2.34375,2.484375,
    0.64453125,0.671875,0.671875,0.671875,0.9296875,0.515625,0.6171875,0.6171875,0.6171875,
    0.359375,-0.046875,-1.453125,0.234985352,0.32434082,0,-0.00439453125,0,0,-0.136230469,
    0,0,0.0366210938,0,0,1.13525391,0,0.09375,-0.78125,0.353088379,1.0223999,-1.65625,
    0.625,0,0.796875,1.15625,-0.859375,1e301,0.390625,-0.984375,0.578125,-0.390625,
    -1.28125,-1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,0.968261719,-0.766784668,
    -0.153076172,1e301,1e301,0.471740723,1e301,1e301,-0.464477539,0.0422363281,0.16217041,
    -0.456542969,1e301,1e301,-1.94390869,1e301,1e301,0.183959961,-1.65625,0.625,0,
    0.796875,1e302,-0.859375,-0.40625,0.390625,-0.984375,-1e302,-0.390625,-1.28125,
    -1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,1e302,1e302,1e302,-1e302,1e301,
    -1e302,1e302,1e302,1e302,1e302,1e301,-1e302,1e301,-1e302,1e302,-1e302,-1e302,1e302,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.657714844,-0.300415039,0.714294434,
    1.29937744,-0.319641113,-0.496337891,-1.92376709,2.1550293,0.816833496,0.545471191,
    -1.15222168,1.36212158,-0.868652344,-0.906005859,-0.0138549805,-0.452148438,1.40899658,
    -1.01751709,2.515625,2.546875,2.21875,3.625,3.75,1.53125,2.96875,3.890625,0.453125,
    2.515625,2.546875,2.21875,3.625,3.75,1.53125,2.96875,3.890625,0.453125,3.59375,
    2.859375,-0.515625,4.859375,5.203125,0.140625,4.03125,6.015625,2.640625,3.59375,
    2.859375,-0.515625,4.859375,5.203125,0.140625,4.03125,6.015625,2.640625,3.75,5.203125,
    -0.12890625,-0.5234375,-0.37109375,-1.1875,-1.2421875,-0.4609375,-1.00390625,
    -1.25390625,-0.421875,-0.7265625,-0.71484375,-0.22265625,-0.14453125,0.1796875,0.484375,
    -0.34375,0.046875,0.66015625,-0.046875,-1.453125,-0.301269531,-0.307373047,0,0,0,0,
    -0.00439453125,0,0,0,0,0,0,0,0,-0.136230469,0,0,0,0,0,0,0,0,0.0366210938,0,
    0,0,0,0,0,0,0,1.13525391,0,0,0,0,0.09375,-0.78125,-1.02593994,-0.276184082,
    -1.65625,0.625,0,0.796875,1.15625,-0.859375,1e301,0.390625,-0.984375,0.578125,
    -0.390625,-1.28125,-1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,-0.180786133,
    -0.231262207,-0.240356445,1e301,1e301,-0.221130371,1e301,1e301,0.16607666,-0.751464844,
    -0.784790039,0.109863281,0.256530762,0.481384277,-0.917358398,0.669006348,0.446289062,
    -0.723510742,-1.65625,0.625,0,0.796875,1e302,-0.859375,-0.40625,0.390625,-0.984375,
    -1e302,-0.390625,-1.28125,-1.671875,0.4375,1.78125,-0.65625,1.78125,1.6875,1e302,
    1e302,1e302,1e302,-1e302,-1e302,-1e302,-1e302,-1e302,-1e302,1e302,-0.101257324,
    -1e302,1e302,0.981689453,-0.568786621,0.940917969,0.315917969,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,-0.164794922,-1.47698975,-0.453491211,-0.317260742,-1.79815674,
    1.2522583,-0.669494629,-0.332397461,0.305358887,-0.516479492,0.721679688,-1.62121582,
    0.281494141,0.690917969,-0.915222168,0.25177002,0.196105957,-1.21429443,2.515625,
    2.546875,2.21875,3.625,3.75,1.53125,2.96875,3.890625,0.453125,3.59375,2.859375,
    -0.515625,4.859375,5.203125,0.140625,4.03125,6.015625,2.640625,3.75,5.203125,
    -0.13671875,-0.9921875,-0.8828125,-0.3671875,-1.71875,-1.73046875,-0.453125,-1.3046875,
    -1.453125,-1.35546875,-1.2109375,-0.77734375,-1.98046875,-1.4609375,-0.76171875,
    -1.53515625,-0.84765625,-0.58984375,-0.046875,-1.453125,-0.0307617188,0.0640869141,0,0,
    0,0,-0.00439453125,0,0,0,0,0,0,0,0,1.13525391,0,0,0,0,0.09375,-0.78125,
    -0.261962891,-0.0761108398,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,
    0.4375,-0.960327148,-0.401489258,0.0797119141,1.29455566,-0.0647583008,-0.083190918,
    0.485351562,0.400817871,1e301,1e301,1e301,1e301,1.45336914,2.38989258,0.866455078,
    1.35571289,4.96875,3.15625,0.208007812,0.378967285,-0.189941406,0.494567871,1e301,
    1e301,0.321777344,0.526123047,-0.0174560547,0.834899902,-0.244140625,1.30047607,1e301,
    1e301,0.438842773,0.475708008,-1.046875,-1.78125,1e302,0.015625,-1e302,0.859375,
    0.5625,0.4375,-0.810241699,-0.485168457,0.160400391,1.12701416,0.687866211,1.88555908,
    0.841674805,-0.869018555,1e302,1e302,1e302,1e302,-1e302,1e302,1e302,-1e302,4.96875,
    3.15625,-1e302,-1e302,0.0311279297,0.235717773,1e302,1e302,0.00830078125,0.065612793,
    1e302,-1e302,-1.29315186,0.693725586,1e302,-1e302,-0.314208984,0.0595092773,1,1,1,1,
    1,1,1,1,0.735900879,0.427429199,0.46105957,-0.605163574,0.343383789,-0.4921875,
    -1.09484863,-0.748718262,1.5,3.46875,0.953125,2.203125,1.5,3.46875,0.953125,2.203125,
    4.96875,3.15625,-0.23828125,0.02734375,-0.23828125,0.02734375,-0.23828125,0.02734375,
    -0.23828125,0.02734375,-0.3515625,0.5390625,-0.3515625,0.5390625,-0.3515625,0.5390625,
    -0.3515625,0.5390625,-0.046875,-1.453125,0.668945312,-0.843994141,-0.00439453125,
    0.0366210938,-0.0886230469,-0.0388183594,-0.136230469,1.13525391,-2.74731445,-1.20336914,
    -0.6875,2.71875,0.135253906,0.208129883,0.233459473,0.114440918,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    1.10089111,0.932495117,0.969970703,-0.448791504,0.475585938,0.484680176,0.969177246,
    0.123657227,1.21551514,-1.25744629,-0.0383300781,1.14300537,1e301,1e301,1e301,1e301,
    1e301,1e301,1e301,1e301,-6.23193359,6.1784668,1.7109375,-7.47143555,1.38452148,
    -9.12841797,0.0834960938,-1.35400391,9.90625,10.015625,0.65246582,0.579589844,
    0.386657715,0.153625488,-0.319519043,-0.0725708008,1.35351562,0.276184082,0.341064453,
    -0.0692749023,0.131591797,0.032043457,-0.132629395,-0.41583252,1e301,1e301,-0.808410645,
    -0.674621582,-0.917236328,-0.448486328,1e301,1e301,-1.23364258,-0.399169922,
    -0.846862793,0.606262207,-0.34777832,0.239868164,0.37109375,0.463134766,-0.186279297,
    0.0417480469,-0.069152832,-0.3984375,0.398742676,0.934082031,0.45111084,-0.128723145,
    1e301,1e301,1.16741943,0.0289916992,0.20513916,-0.532470703,1e301,1e301,0.645568848,
    0.625732422,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,0.01171875,1.32849121,1.35302734,0.380493164,-0.438476562,
    0.0930786133,-0.36907959,-0.151367188,-0.638000488,0.0112304688,-1.08227539,0.306274414,
    1e302,1e302,1e302,-1e302,1e302,-1e302,-1e302,-1e302,-1e302,1e302,1e302,-1e302,
    1e302,-1e302,-1e302,-1e302,9.90625,10.015625,1e302,-1e302,0.0524291992,-0.388305664,
    0.106018066,0.380371094,-1e302,1e302,-0.44909668,0.0676269531,-0.369262695,0.103149414,
    1e302,1e302,0.568603516,0.305725098,-0.499328613,-0.0303344727,-1e302,1e302,
    -1.45483398,0.592102051,0.916870117,-0.522888184,1e302,-1e302,0.823059082,0.12902832,
    -0.0668334961,0.0594482422,1e302,1e302,0.270874023,0.311401367,0.505859375,-0.166137695,
    1e302,-1e302,0.90057373,-0.182861328,-0.677490234,0.403686523,1e302,-1e302,1.0725708,
    -0.319458008,-0.346496582,0.335205078,1,1,1,1,1,1,1,1,1,1,1,1,-0.202270508,
    -0.598449707,-0.734130859,-0.276977539,-0.867797852,-0.499511719,1.39233398,0.751953125,
    0.404724121,0.0585327148,2.63293457,-1.31811523,4.03125,2.71875,-1.1875,4.34375,
    1.28125,0.578125,2.296875,5.859375,4.03125,2.71875,-1.1875,4.34375,1.28125,0.578125,
    2.296875,5.859375,9.90625,10.015625,-0.22265625,-0.27734375,-0.22265625,-0.27734375,
    -0.22265625,-0.27734375,-0.28515625,0.2421875,-0.28515625,0.2421875,-0.28515625,
    0.2421875,-0.22265625,-0.27734375,-0.22265625,-0.27734375,-0.22265625,-0.27734375,
    -0.28515625,0.2421875,-0.28515625,0.2421875,-0.28515625,0.2421875,0.5234375,0.92578125,
    0.5234375,0.92578125,0.5234375,0.92578125,0.32421875,0.22265625,0.32421875,0.22265625,
    0.32421875,0.22265625,0.5234375,0.92578125,0.5234375,0.92578125,0.5234375,0.92578125,
    0.32421875,0.22265625,0.32421875,0.22265625,0.32421875,0.22265625,-0.046875,-1.453125,
    -2.12091064,-1.26208496,-0.00439453125,0.0366210938,-0.0886230469,-0.0388183594,
    -0.0146484375,-0.0725097656,0.0373535156,-0.087890625,-0.136230469,1.13525391,
    -2.74731445,-1.20336914,-0.454101562,-2.24780273,1.15795898,-2.72460938,2.03125,2.9375,
    -0.0602416992,-0.357971191,0.381958008,-0.505371094,0.576904297,0.0773925781,0.292175293,
    1.01763916,1.609375,0,0.90625,-1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,
    -0.078125,-1.34375,1.671875,0.09375,0,-0.78125,0,1.890625,0,0,0.828125,0.3125,0,0,
    1.546875,1.609375,0.90625,1e301,-1.296875,0.546875,1.671875,0,2,4,1,2,5,1.609375,
    0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,-1.34375,
    1.671875,0.09375,0,0,-0.78125,1.890625,0,0,0.828125,0.3125,0,0,1.546875,1.609375,
    1e302,1.984375,-1.296875,0.546875,1.671875,0,3,4,1,2,5,1,1,1,1,1,1,1,1,1,1,
    1,1,0.09375,0,-0.78125,0,1.890625,0,0.828125,0,0.3125,0,1.546875,0,1,1,1,1,1,
    1,0,2,4,0,2,4,-0.046875,-1.453125,0.09375,0,-0.046875,0,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    0.046875,0.046875,-0.390625,-0.390625,0.9453125,0.9453125,0.4140625,0.4140625,0.15625,
    0.15625,0.7734375,0.7734375,0.8046875,-0.3671875,1e301,-1.5859375,0.234375,0.1640625,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.046875,0.046875,-0.390625,-0.390625,0.9453125,0.9453125,0.4140625,
    0.4140625,0.15625,0.15625,0.7734375,0.7734375,0.8046875,1e302,0.484375,-1e302,
    0.234375,0.1640625,1,1,1,1,1,1,1,1,1,1,1,1,0.046875,0.046875,-0.390625,
    -0.390625,0.9453125,0.9453125,0.4140625,0.4140625,0.15625,0.15625,0.7734375,0.7734375,
    1,1,1,1,1,1,-0.046875,-1.453125,0.046875,0.046875,-0.75,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    0.09375,0,0,0,-0.78125,0,0,0,1.890625,0,0,0.828125,1.609375,1e301,0.546875,
    1.671875,0,4,2,5,1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,
    0.546875,-0.078125,-1.34375,1.671875,0.09375,0,0,-0.78125,0,0,0,0,1.890625,0,0,
    0.828125,1.609375,1e302,0.546875,1.671875,0,3,2,5,1,1,1,1,1,1,1,1,1,1,1,1,
    0.09375,0,0,-0.78125,0,0,1.890625,0,0,0.828125,0,0,1,1,1,1,0,3,0,3,
    -0.046875,-1.453125,0.09375,-0.78125,-0.046875,-1.453125,0,1,1.609375,0,0.90625,
    -1.640625,1e301,-1.015625,-1.875,-1.296875,0.546875,-0.078125,-1.34375,1.671875,
    0.03125,0.03125,0.03125,-0.260416667,-0.260416667,-0.260416667,0.630208333,0.630208333,
    0.630208333,0.276041667,0.276041667,0.276041667,0.838541667,1e301,-0.875,0.0833333333,
    1.609375,0,0.90625,1e302,1.984375,-1.015625,-1e302,-1.296875,0.546875,-0.078125,
    -1.34375,1.671875,0.03125,0.03125,0.03125,-0.260416667,-0.260416667,-0.260416667,
    0.630208333,0.630208333,0.630208333,0.276041667,0.276041667,0.276041667,0.838541667,
    1e302,-1e302,0.0833333333,1,1,1,1,1,1,1,1,1,1,1,1,0.03125,0.03125,0.03125,
    -0.260416667,-0.260416667,-0.260416667,0.630208333,0.630208333,0.630208333,0.276041667,
    0.276041667,0.276041667,1,1,1,1,-0.046875,-1.453125,0.09375,-0.78125,-0.046875,
    -1.453125,-0.546875,-1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,
    -1.90625,-0.359375,1e301,0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,
    1.71875,1.578125,-0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,
    -1.734375,1.140625,0.234375,-0.671875,0,0,-0.78125,0,0,0.09375,0,0,0,0,0.828125,
    0,1.890625,0,0,0,0,0.3125,1.546875,0,0,0,0,0,0,0,1.875,0,0,-0.796875,0,0,
    1.515625,1.703125,1.28125,1e301,1.953125,1.71875,1.140625,1.59375,5,2,12,10,1,2,
    13,10,-0.546875,-1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,
    1e302,-0.359375,-0.640625,0.90625,1.28125,-1.84375,-1.921875,0.71875,-1e302,1.953125,
    1.71875,1.578125,-0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,
    -1.734375,1.140625,0.234375,-0.671875,0,0,-0.78125,0,0,0.09375,0,0,1.890625,0,0,
    0.828125,0,0,0,0,0,0.3125,1.546875,0,0,0,0,0,0,0,1.875,0,0,-0.796875,0,0,
    1.515625,1.703125,1e302,0.90625,1.953125,1.71875,1.140625,1.59375,5,2,8,11,1,2,
    13,10,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,0.09375,0,-0.78125,0,0,0,0,0,1.890625,0,0.828125,0,0,0,0,0,0.3125,0,
    1.546875,0,0,0,0,0,-0.796875,0,1.875,0,0,0,0,0,1,1,1,1,1,1,1,1,0,2,8,
    10,0,2,8,10,-0.328125,-1.703125,-0.921875,1.046875,0,0,0,0.09375,1.046875,3,
    -0.546875,-1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,-1.90625,
    -0.359375,1e301,0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,1.71875,
    1.578125,-0.53125,-1.875,0.71875,-0.765625,0.609375,-0.765625,1.59375,1,-1.734375,
    1.140625,0.234375,-0.671875,0.0234375,0.0234375,-0.1953125,-0.1953125,0.0234375,
    0.0234375,-0.1953125,-0.1953125,0.47265625,0.47265625,0.20703125,0.20703125,0.47265625,
    0.47265625,0.20703125,0.20703125,0.078125,0.078125,0.38671875,0.38671875,0.078125,
    0.078125,0.38671875,0.38671875,-0.19921875,-0.19921875,0.46875,0.46875,-0.19921875,
    -0.19921875,0.46875,0.46875,-0.41015625,-0.08984375,-0.70703125,1e301,-0.1015625,
    0.8125,-0.1875,0.5390625,-0.546875,-1.890625,1.703125,0.734375,-0.71875,1.515625,
    -1.4375,-1.359375,1e302,-0.359375,-0.640625,0.90625,1.28125,-1.84375,-1.921875,
    0.71875,-1e302,1.953125,1.71875,1.578125,-0.53125,-1.875,0.71875,-0.765625,0.609375,
    -0.765625,1.59375,1,-1.734375,1.140625,0.234375,-0.671875,0.0234375,0.0234375,
    -0.1953125,-0.1953125,0.0234375,0.0234375,-0.1953125,-0.1953125,0.47265625,0.47265625,
    0.20703125,0.20703125,0.47265625,0.47265625,0.20703125,0.20703125,0.078125,0.078125,
    0.38671875,0.38671875,0.078125,0.078125,0.38671875,0.38671875,-0.19921875,-0.19921875,
    0.46875,0.46875,-0.19921875,-0.19921875,0.46875,0.46875,-0.41015625,-0.08984375,1e302,
    -0.234375,-1e302,0.8125,-0.1875,0.5390625,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.0234375,0.0234375,-0.1953125,-0.1953125,
    0.0234375,0.0234375,-0.1953125,-0.1953125,0.47265625,0.47265625,0.20703125,0.20703125,
    0.47265625,0.47265625,0.20703125,0.20703125,0.078125,0.078125,0.38671875,0.38671875,
    0.078125,0.078125,0.38671875,0.38671875,-0.19921875,-0.19921875,0.46875,0.46875,
    -0.19921875,-0.19921875,0.46875,0.46875,1,1,1,1,1,1,1,1,-0.328125,-1.703125,
    -0.921875,1.046875,0.0234375,0.0234375,0.0234375,0.0234375,-0.4765625,-0.546875,
    -1.890625,1.703125,0.734375,-0.71875,1.515625,-1.4375,-1.359375,-1.90625,-0.359375,
    1e301,0.90625,1.28125,-1.84375,-1.921875,0.71875,0.046875,1.953125,1.71875,1.578125,
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
    0.3125,1.546875,1,1,1,1,1,1,0.921875,0.09375,0.921875,-1.734375,1.265625,1e301,
    0.34375,-0.71875,-0.09375,0.1875,-0.25,6.8125,2.46875,0.8125,-0.125,-1.734375,
    1.265625,1e301,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.34375,-0.71875,
    -0.09375,-1.734375,1.265625,1e301,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,0.1875,
    -0.25,6.8125,2.46875,0.8125,-0.125,-1.734375,1e302,0.921875,-1.734375,1e302,0.921875,
    -1e302,-0.71875,-0.09375,-1e302,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,
    0.1875,-0.25,6.8125,2.46875,0.8125,-0.125,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,1,1,1,1,1,1,1,0.921875,9.90625,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,0.921875,
    0.921875,-1.046875,-1.78125,1e301,0.015625,0.015625,0.859375,0.5625,0.4375,0.09375,
    1.890625,-0.78125,0.828125,0.3125,-0.796875,1.546875,1.875,-1.046875,1e301,-1.78125,
    0.015625,0.015625,0.5625,0.859375,0.4375,-1.046875,-1.78125,1e302,0.015625,-1e302,
    0.859375,0.5625,0.4375,0.09375,1.890625,-0.78125,0.828125,0.3125,-0.796875,1.546875,
    1.875,-1.046875,1e302,-1.78125,0.015625,-1e302,0.5625,0.859375,0.4375,1,1,1,1,1,
    1,1,1,0.09375,1.890625,-0.78125,0.828125,0.3125,-0.796875,1.546875,1.875,1,1,1,1,
    1,1,1,1,-0.328125,-1.703125,-0.921875,1.046875,0.09375,-0.78125,1.890625,0.828125,
    -0.328125,-1.703125,-0.921875,1.046875,-1.046875,-1.78125,1e301,0.015625,0.015625,
    0.859375,0.5625,0.4375,0.09375,-0.78125,0.3125,1.546875,1.890625,0.828125,-0.796875,
    1.875,-1.046875,-1.78125,0.015625,0.859375,1e301,0.015625,0.5625,0.4375,-1.046875,
    -1.78125,1e302,0.015625,-1e302,0.859375,0.5625,0.4375,0.09375,-0.78125,0.3125,
    1.546875,1.890625,0.828125,-0.796875,1.875,-1.046875,-1.78125,-1e302,0.859375,1e302,
    0.015625,0.5625,0.4375,1,1,1,1,1,1,1,1,0.09375,-0.78125,0.3125,1.546875,
    1.890625,0.828125,-0.796875,1.875,1,1,1,1,1,1,1,1,-0.046875,-1.453125,0.09375,
    -0.78125,-0.046875,-1.453125,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    1.984375,0.046875,0,0,0,0,0,0,-1.734375,1.265625,-1.734375,1.265625,-1.734375,
    1e302,0.921875,-1e302,-0.71875,-0.09375,1.984375,0.046875,0,0,0,0,0,0,-1.734375,
    1e302,-1.734375,1e302,1,1,1,1,1,1,1.984375,0.046875,0,0,0,0,0,0,1,1,1,1,
    0.921875,-0.6875,0,0,0.921875,0.921875,0.609375,1.3125,-1.796875,1e301,-1.203125,
    -0.5625,1.125,0.703125,-1.703125,1.21875,1.890625,0.828125,0.09375,0.3125,-0.78125,
    -0.796875,-1.21875,1.875,1.546875,1.078125,-1.796875,-1.203125,0.609375,1.3125,1e301,
    -1.703125,-0.5625,0.703125,1.125,1.21875,2,4,0,1,3,3,0,2,1,4,0.609375,1.3125,
    1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,1.21875,1.890625,0.828125,
    0.3125,-0.78125,0.09375,1.546875,-1.21875,1.875,-0.796875,1.078125,-1.203125,0.4375,
    0.609375,1.3125,1e302,-1e302,-1.703125,0.703125,1.125,1.21875,4,3,0,1,2,0,3,2,
    1,4,1,1,1,1,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    -0.796875,1.875,-1.21875,1.078125,1,1,1,1,1,1,1,1,1,1,0,1,2,3,4,0,1,2,3,
    4,0.921875,0.09375,0.921875,0,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,
    1.125,0.703125,-1.703125,1.21875,0,0,0,0.09375,0,0,0,0,0,-0.78125,1e301,1.21875,
    0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,1.21875,0,0,
    0.09375,0,0,0,0,0,0,-0.78125,1e302,1.21875,1,1,1,1,1,1,1,1,1,1,1,1,
    0.921875,0.09375,0.921875,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,
    0.703125,-1.703125,1.21875,0,0,0.09375,0,0,0,0,0,-0.78125,0,-1.796875,-1.703125,
    0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,1.21875,0,0,
    0,0,0.09375,-0.78125,0,0,0,0,-1.203125,-1e302,1,1,1,1,1,1,1,1,1,1,1,1,
    0.921875,0.09375,0.921875,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,
    0.703125,-1.703125,1.21875,0,0,0,0.09375,0,0,0,-0.78125,0,0,1e301,0.703125,
    0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,1.21875,
    0.09375,0,0,0,0,0,0,-0.78125,0,0,0.609375,0.703125,1,1,1,1,1,1,1,1,1,1,1,
    1,0.921875,0.09375,0.921875,3,1e301,1,1e301,2,1e301,1e301,5,1e302,1,4,1,7,2,
    3,0,0.09375,0,0,0,-0.78125,0,0,0,0,0,0,0,0,1.890625,1e301,1e301,3,0.609375,
    1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,0.609375,
    0.799804688,-1.43714905,1e301,1e301,-0.5625,-0.6328125,-0.444946289,0.757799149,
    0.923567712,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,
    1.21875,0.609375,0.799804688,1e302,1e302,-1e302,-1e302,-1e302,-1e302,1e302,1e302,1,
    1,1,1,1,1,1,1,1,1,2.34375,2.25,3.03125,1.140625,0.3125,2.484375,0.9375,
    1.734375,-0.140625,1.078125,1,1,1,1,1,1,1,1,1,1,0.921875,0.09375,0.921875,
    0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,1.21875,
    0.609375,1.71465022,1.74406469,1e301,1e301,-0.5625,1.29472708,1.73519885,1.76681232,
    2.22301416,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,
    1.21875,0.609375,1.71465022,1e302,1e302,1e302,-1e302,1.125,1.62929395,1.66437787,
    2.15933143,1,1,1,1,1,1,1,1,1,1,0.602864583,0.509114583,0.899739583,0.26953125,
    0.0625,1.684375,0.1375,0.5359375,-0.0890625,0.215625,1,1.69314718,2.09861229,
    2.38629436,2.60943791,1,1.69314718,2.09861229,2.38629436,2.60943791,0.921875,0.09375,
    0.921875,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,-1.703125,
    1.21875,0.09375,1.109375,0,1.140625,0,1.546875,-0.140625,0,0,1.078125,0.609375,
    1.3125,1.3125,1e301,1e301,-0.5625,1.125,1.125,1.125,1.21875,0,1,1,3,3,0,1,1,1,
    4,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,-1.703125,1.21875,
    0.09375,-0.78125,3.03125,0,0,1.546875,-0.140625,0,0,1.078125,0.609375,1.3125,1e302,
    1e302,1e302,-1e302,1.125,1.125,1.125,1.21875,0,1,2,2,2,0,1,1,1,4,1,1,1,1,
    1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,
    -1.21875,1.078125,1,1,1,1,1,1,1,1,1,1,0,1,2,3,4,0,1,2,3,4,0.921875,
    0.09375,0.921875,0,0.609375,1.3125,-1.796875,1e301,-1.203125,-0.5625,1.125,0.703125,
    -1.703125,1.21875,-0.6875,0,1.890625,1.140625,0,2.625,0,0,-0.140625,0,0.609375,
    0.609375,-1.796875,1e301,1e301,-0.5625,-0.5625,-0.5625,-1.703125,-1.703125,0,0,2,3,
    3,0,0,0,3,3,0.609375,1.3125,1e302,0.4375,-1.203125,-1e302,1.125,0.703125,
    -1.703125,1.21875,1.203125,0,0,0.828125,0.3125,2.484375,0,0,0,0,0.609375,0.609375,
    0.609375,0.4375,-1.203125,-1e302,-1e302,-1e302,-1e302,-1e302,0,0,0,3,4,0,0,0,0,
    0,1,1,1,1,1,1,1,1,1,1,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,
    -0.796875,1.875,-1.21875,1.078125,1,1,1,1,1,1,1,1,1,1,0,1,2,3,4,0,1,2,3,
    4,0.921875,0.09375,0.921875,0,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,
    0.09375,-0.78125,0,0,0,0,0,0,-1.734375,1.265625,-1.734375,1e302,0.921875,-1e302,
    -0.71875,-0.09375,0.09375,-0.78125,0,0,0,0,0,0,-1.734375,1e302,1,1,1,1,1,1,
    0.09375,-0.78125,0,0,0,0,0,0,1,1,-0.046875,-1.453125,0.09375,-0.78125,0,0,
    -0.046875,-1.453125,-1.734375,1.265625,1e301,0.34375,-0.71875,-0.09375,0.09375,
    -0.78125,1.890625,0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,-3.328125,1.765625,
    1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,
    0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,-0.421875,
    1e302,0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,0.09375,-0.78125,1.890625,
    0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,-0.203125,2.359375,1,1,1,1,
    -0.046875,-1.453125,0.09375,-0.78125,0,0,0.09375,-0.78125,1.375,-3.1875,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,0,0,1.890625,0.828125,0.3125,1.546875,0,0,
    0.09375,-0.78125,0.421875,0.921875,1e301,0.34375,-0.71875,-0.09375,-1.734375,1e302,
    0.921875,-1e302,-0.71875,-0.09375,0,0,1.890625,0.828125,0.3125,1.546875,0,0,
    0.09375,-0.78125,-1.765625,1.46875,0.921875,-1e302,-0.71875,-0.09375,1,1,1,1,1,1,
    0,0,1.890625,0.828125,0.3125,1.546875,0,0,0.09375,-0.78125,-1.875,0.640625,1,1,1,
    1,-0.046875,-1.453125,0,0,0,0,0.09375,-0.78125,1.484375,-0.421875,-1.734375,
    1.265625,1e301,0.34375,-0.71875,-0.09375,1.984375,0.046875,0,0,0,0,0,0,-1.734375,
    1.265625,-1.734375,1.265625,-1.734375,1e302,0.921875,-1e302,-0.71875,-0.09375,
    1.984375,0.046875,0,0,0,0,0,0,-1.734375,1e302,-1.734375,1e302,1,1,1,1,1,1,
    1.984375,0.046875,0,0,0,0,0,0,1,1,1,1,-0.046875,-1.453125,1.984375,0.046875,0,
    0,-0.046875,-1.453125,-0.046875,-1.453125,-1.734375,1.265625,1e301,0.34375,-0.71875,
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
    {"in0", 'x', 's', 0, 87776, 3, {1, 2, 5}, 217, -1, 0, 227, 0},
    {"c.weight", 'p', 'w', 0, 87777, 3, {2, 2, 3}, -1, -1, 0, 237, 0},
    {"c.bias", 'p', 'w', 0, 87778, 1, {2}, -1, -1, 0, 249, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 5}, -1, 251, 0, -1, 0},
    {"in0", 'x', 's', 0, 199392, 3, {1, 2, 5}, 261, -1, 0, 271, 0},
    {"c.weight", 'p', 'w', 0, 199393, 3, {2, 2, 3}, -1, -1, 0, 281, 0},
    {"c.bias", 'p', 'w', 0, 199394, 1, {2}, -1, -1, 0, 293, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 5}, -1, 295, 0, -1, 0},
    {"in0", 'x', 's', 0, 108496, 3, {1, 2, 5}, 305, -1, 0, 315, 0},
    {"c.weight", 'p', 'w', 0, 108497, 3, {2, 2, 3}, -1, -1, 0, 325, 0},
    {"c.bias", 'p', 'w', 0, 108498, 1, {2}, -1, -1, 0, 337, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 5}, -1, 339, 0, -1, 0},
    {"in0", 'x', 's', 0, 88336, 3, {1, 2, 1}, 349, -1, 0, 351, 0},
    {"c.weight", 'p', 'w', 0, 88337, 3, {2, 2, 3}, -1, -1, 0, 353, 0},
    {"c.bias", 'p', 'w', 0, 88338, 1, {2}, -1, -1, 0, 365, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 1}, -1, 367, 0, -1, 0},
    {"in0", 'x', 's', 0, 87856, 4, {1, 2, 3, 3}, 369, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 87857, 4, {2, 2, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 87858, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 387, 0, -1, 0},
    {"in0", 'x', 's', 0, 199472, 4, {1, 2, 3, 3}, 405, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 199473, 4, {2, 2, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 199474, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 423, 0, -1, 0},
    {"in0", 'x', 's', 0, 108576, 4, {1, 2, 3, 3}, 441, -1, 0, 459, 0},
    {"c.weight", 'p', 'w', 0, 108577, 4, {2, 2, 3, 3}, -1, -1, 0, 477, 0},
    {"c.bias", 'p', 'w', 0, 108578, 1, {2}, -1, -1, 0, 513, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 515, 0, -1, 0},
    {"in0", 'x', 's', 0, 88416, 4, {1, 2, 1, 1}, 533, -1, 0, 535, 0},
    {"c.weight", 'p', 'w', 0, 88417, 4, {2, 2, 3, 3}, -1, -1, 0, 537, 0},
    {"c.bias", 'p', 'w', 0, 88418, 1, {2}, -1, -1, 0, 573, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 575, 0, -1, 0},
    {"in0", 'x', 's', 0, 154464, 4, {1, 2, 3, 3}, 577, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 154465, 4, {2, 1, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 154466, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 595, 0, -1, 0},
    {"in0", 'x', 's', 0, 291856, 4, {1, 2, 3, 3}, 613, -1, 0, -1, 0},
    {"c.weight", 'p', 'w', 0, 291857, 4, {2, 1, 3, 3}, -1, -1, 0, -1, 0},
    {"c.bias", 'p', 'w', 0, 291858, 1, {2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 631, 0, -1, 0},
    {"in0", 'x', 's', 0, 180944, 4, {1, 2, 3, 3}, 649, -1, 0, 667, 0},
    {"c.weight", 'p', 'w', 0, 180945, 4, {2, 1, 3, 3}, -1, -1, 0, 685, 0},
    {"c.bias", 'p', 'w', 0, 180946, 1, {2}, -1, -1, 0, 703, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 3, 3}, -1, 705, 0, -1, 0},
    {"in0", 'x', 's', 0, 155264, 4, {1, 2, 1, 1}, 723, -1, 0, 725, 0},
    {"c.weight", 'p', 'w', 0, 155265, 4, {2, 1, 3, 3}, -1, -1, 0, 727, 0},
    {"c.bias", 'p', 'w', 0, 155266, 1, {2}, -1, -1, 0, 745, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 747, 0, -1, 0},
    {"in0", 'x', 's', 0, 343264, 3, {1, 2, 4}, 749, -1, 0, 757, 0},
    {"c.weight", 'p', 'w', 0, 343265, 3, {2, 2, 2}, -1, -1, 0, 765, 0},
    {"c.bias", 'p', 'w', 0, 343266, 1, {2}, -1, -1, 0, 773, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 8}, -1, 775, 0, -1, 0},
    {"in0", 'x', 's', 0, 540800, 3, {1, 2, 4}, 791, -1, 0, 799, 0},
    {"c.weight", 'p', 'w', 0, 540801, 3, {2, 2, 2}, -1, -1, 0, 807, 0},
    {"c.bias", 'p', 'w', 0, 540802, 1, {2}, -1, -1, 0, 815, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 8}, -1, 817, 0, -1, 0},
    {"in0", 'x', 's', 0, 383184, 3, {1, 2, 4}, 833, -1, 0, 841, 0},
    {"c.weight", 'p', 'w', 0, 383185, 3, {2, 2, 2}, -1, -1, 0, 849, 0},
    {"c.bias", 'p', 'w', 0, 383186, 1, {2}, -1, -1, 0, 857, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 8}, -1, 859, 0, -1, 0},
    {"in0", 'x', 's', 0, 344624, 3, {1, 2, 1}, 875, -1, 0, 877, 0},
    {"c.weight", 'p', 'w', 0, 344625, 3, {2, 2, 2}, -1, -1, 0, 879, 0},
    {"c.bias", 'p', 'w', 0, 344626, 1, {2}, -1, -1, 0, 887, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 889, 0, -1, 0},
    {"in0", 'x', 's', 0, 343504, 4, {1, 2, 2, 3}, 893, -1, 0, 905, 0},
    {"c.weight", 'p', 'w', 0, 343505, 4, {2, 2, 2, 2}, -1, -1, 0, 917, 0},
    {"c.bias", 'p', 'w', 0, 343506, 1, {2}, -1, -1, 0, 933, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 4, 6}, -1, 935, 0, -1, 0},
    {"in0", 'x', 's', 0, 541040, 4, {1, 2, 2, 3}, 983, -1, 0, 995, 0},
    {"c.weight", 'p', 'w', 0, 541041, 4, {2, 2, 2, 2}, -1, -1, 0, 1007, 0},
    {"c.bias", 'p', 'w', 0, 541042, 1, {2}, -1, -1, 0, 1023, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 4, 6}, -1, 1025, 0, -1, 0},
    {"in0", 'x', 's', 0, 383424, 4, {1, 2, 2, 3}, 1073, -1, 0, 1085, 0},
    {"c.weight", 'p', 'w', 0, 383425, 4, {2, 2, 2, 2}, -1, -1, 0, 1097, 0},
    {"c.bias", 'p', 'w', 0, 383426, 1, {2}, -1, -1, 0, 1113, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 4, 6}, -1, 1115, 0, -1, 0},
    {"in0", 'x', 's', 0, 344864, 4, {1, 2, 1, 1}, 1163, -1, 0, 1165, 0},
    {"c.weight", 'p', 'w', 0, 344865, 4, {2, 2, 2, 2}, -1, -1, 0, 1167, 0},
    {"c.bias", 'p', 'w', 0, 344866, 1, {2}, -1, -1, 0, 1183, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 1185, 0, -1, 0},
    {"in0", 'x', 's', 0, 168272, 3, {1, 2, 6}, 1193, -1, 0, 1205, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1217, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 3}, -1, 1223, 0, -1, 0},
    {"in0", 'x', 's', 0, 314256, 3, {1, 2, 6}, 1229, -1, 0, 1241, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1253, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 3}, -1, 1259, 0, -1, 0},
    {"in0", 'x', 's', 0, 196672, 3, {1, 2, 6}, 1265, -1, 0, 1277, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1289, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 3}, -1, 1295, 0, -1, 0},
    {"in0", 'x', 's', 0, 169152, 3, {1, 1, 2}, 1301, -1, 0, 1303, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 1305, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 1, 1}, -1, 1306, 0, -1, 0},
    {"in0", 'x', 's', 0, 167936, 3, {1, 2, 6}, 1307, -1, 0, 1319, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1331, 0, -1, 0},
    {"in0", 'x', 's', 0, 313920, 3, {1, 2, 6}, 1337, -1, 0, 1349, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1361, 0, -1, 0},
    {"in0", 'x', 's', 0, 196336, 3, {1, 2, 6}, 1367, -1, 0, 1379, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 3}, -1, 1391, 0, -1, 0},
    {"in0", 'x', 's', 0, 168816, 3, {1, 1, 2}, 1397, -1, 0, 1399, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 1401, 0, -1, 0},
    {"in0", 'x', 's', 0, 449088, 3, {1, 2, 6}, 1402, -1, 0, 1414, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 1426, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 2}, -1, 1430, 0, -1, 0},
    {"in0", 'x', 's', 0, 672400, 3, {1, 2, 6}, 1434, -1, 0, 1446, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 1458, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 2}, -1, 1462, 0, -1, 0},
    {"in0", 'x', 's', 0, 494768, 3, {1, 2, 6}, 1466, -1, 0, 1478, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 1490, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 2, 2}, -1, 1494, 0, -1, 0},
    {"in0", 'x', 's', 0, 450688, 3, {1, 1, 2}, 1498, -1, 0, 1500, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 1502, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 3, {1, 1, 2}, -1, 1504, 0, -1, 0},
    {"in0", 'x', 's', 0, 447600, 3, {1, 2, 6}, 1506, -1, 0, 1518, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 1530, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 670912, 3, {1, 2, 6}, 1534, -1, 0, 1546, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 1558, 2.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 493280, 3, {1, 2, 6}, 1562, -1, 0, 1574, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 2}, -1, 1586, 0, -1, 0},
    {"in0", 'x', 's', 0, 449200, 3, {1, 1, 2}, 1590, -1, 0, 1592, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 1594, 0, -1, 0},
    {"in0", 'x', 's', 0, 168416, 4, {1, 2, 4, 4}, 1596, -1, 0, 1628, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 1660, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 1668, 0, -1, 0},
    {"in0", 'x', 's', 0, 314400, 4, {1, 2, 4, 4}, 1676, -1, 0, 1708, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 1740, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 1748, 0, -1, 0},
    {"in0", 'x', 's', 0, 196816, 4, {1, 2, 4, 4}, 1756, -1, 0, 1788, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 1820, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 1828, 0, -1, 0},
    {"in0", 'x', 's', 0, 169296, 4, {1, 1, 2, 2}, 1836, -1, 0, 1840, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 1844, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 1, 1, 1}, -1, 1845, 0, -1, 0},
    {"in0", 'x', 's', 0, 168080, 4, {1, 2, 4, 4}, 1846, -1, 0, 1878, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 1910, 0, -1, 0},
    {"in0", 'x', 's', 0, 314064, 4, {1, 2, 4, 4}, 1918, -1, 0, 1950, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 1982, 0, -1, 0},
    {"in0", 'x', 's', 0, 196480, 4, {1, 2, 4, 4}, 1990, -1, 0, 2022, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2054, 0, -1, 0},
    {"in0", 'x', 's', 0, 168960, 4, {1, 1, 2, 2}, 2062, -1, 0, 2066, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 2070, 0, -1, 0},
    {"in0", 'x', 's', 0, 449376, 4, {1, 2, 4, 4}, 2071, -1, 0, 2103, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2135, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2143, 0, -1, 0},
    {"in0", 'x', 's', 0, 672688, 4, {1, 2, 4, 4}, 2151, -1, 0, 2183, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2215, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2223, 0, -1, 0},
    {"in0", 'x', 's', 0, 495056, 4, {1, 2, 4, 4}, 2231, -1, 0, 2263, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2295, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 2303, 0, -1, 0},
    {"in0", 'x', 's', 0, 450976, 4, {1, 1, 2, 2}, 2311, -1, 0, 2315, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 2319, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 1, 2, 2}, -1, 2323, 0, -1, 0},
    {"in0", 'x', 's', 0, 447888, 4, {1, 2, 4, 4}, 2327, -1, 0, 2359, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2391, 0, -1, 0},
    {"in0", 'x', 's', 0, 671200, 4, {1, 2, 4, 4}, 2399, -1, 0, 2431, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2463, 0, -1, 0},
    {"in0", 'x', 's', 0, 493568, 4, {1, 2, 4, 4}, 2471, -1, 0, 2503, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 2535, 0, -1, 0},
    {"in0", 'x', 's', 0, 449488, 4, {1, 1, 2, 2}, 2543, -1, 0, 2547, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 2551, 0, -1, 0},
    {"in0", 'x', 's', 0, 372256, 4, {1, 2, 3, 3}, 2555, -1, 0, 2573, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 2591, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 578384, 4, {1, 2, 3, 3}, 2593, -1, 0, 2611, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 2629, 0, -1, 0},
    {"in0", 'x', 's', 0, 414096, 4, {1, 2, 3, 3}, 2631, -1, 0, 2649, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 2667, 0, -1, 0},
    {"in0", 'x', 's', 0, 373696, 4, {1, 1, 1, 1}, 2669, -1, 0, 2670, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 2671, 0, -1, 0},
    {"in0", 'x', 's', 0, 178384, 2, {2, 4}, 2672, -1, 0, 2680, 5.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 2688, 1.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 324368, 2, {2, 4}, 2696, -1, 0, 2704, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 2712, 0, -1, 0},
    {"in0", 'x', 's', 0, 206784, 2, {2, 4}, 2720, -1, 0, 2728, 1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 2736, 0, -1, 0},
    {"in0", 'x', 's', 0, 179264, 2, {1, 1}, 2744, -1, 0, 2745, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 2746, 0, -1, 0},
    {"in0", 'x', 's', 0, 132560, 2, {2, 4}, 2747, -1, 0, 2755, 2.8e-07},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 2763, 1.5e-07, -1, 0},
    {"in0", 'x', 's', 0, 261360, 2, {2, 4}, 2771, -1, 0, 2779, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 2787, 0, -1, 0},
    {"in0", 'x', 's', 0, 157120, 2, {2, 4}, 2795, -1, 0, 2803, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 2811, 0, -1, 0},
    {"in0", 'x', 's', 0, 133280, 2, {1, 1}, 2819, -1, 0, 2820, 3.6e+08},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 2821, 1.2e-07, -1, 0},
    {"in0", 'x', 's', 0, 179232, 3, {2, 4, 3}, 2822, -1, 0, 2846, 4.8e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 3}, -1, 2870, 4.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 325216, 3, {2, 4, 3}, 2894, -1, 0, 2918, 7e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 3}, -1, 2942, 4.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 207632, 3, {2, 4, 3}, 2966, -1, 0, 2990, 6.8e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 3}, -1, 3014, 0, -1, 0},
    {"in0", 'x', 's', 0, 180112, 3, {2, 2, 1}, 3038, -1, 0, 3042, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 1}, -1, 3046, 0, -1, 0},
    {"in0", 'x', 's', 0, 218064, 2, {4, 2}, 3050, -1, 0, 3058, 4.6e-08},
    {"bn.weight", 'p', 'w', 0, 218065, 1, {2}, -1, -1, 0, 3066, 1.7e-08},
    {"bn.bias", 'p', 'w', 0, 218066, 1, {2}, -1, -1, 0, 3068, 0},
    {"bn.running_mean", 'b', 's', 0, 218067, 1, {2}, 3070, 3072, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 218068, 1, {2}, 3074, 3076, 2.3e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 218069, 0, {0}, 3078, 3079, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3080, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 381232, 2, {4, 2}, 3088, -1, 0, 3096, 3.3e-08},
    {"bn.weight", 'p', 'w', 0, 381233, 1, {2}, -1, -1, 0, 3104, 1.7e-08},
    {"bn.bias", 'p', 'w', 0, 381234, 1, {2}, -1, -1, 0, 3106, 0},
    {"bn.running_mean", 'b', 's', 0, 381235, 1, {2}, 3108, 3110, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 381236, 1, {2}, 3112, 3114, 2.3e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 381237, 0, {0}, 3116, 3117, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3118, 3.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 250304, 2, {4, 2}, 3126, -1, 0, 3134, 1e-07},
    {"bn.weight", 'p', 'w', 0, 250305, 1, {2}, -1, -1, 0, 3142, 0},
    {"bn.bias", 'p', 'w', 0, 250306, 1, {2}, -1, -1, 0, 3144, 0},
    {"bn.running_mean", 'b', 's', 0, 250307, 1, {2}, 3146, 3148, 1.5e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 250308, 1, {2}, 3150, 3152, 2.6e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 250309, 0, {0}, 3154, 3155, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3156, 0, -1, 0},
    {"in0", 'x', 's', 0, 375936, 2, {4, 2}, 3164, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 375937, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 375938, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 375939, 1, {2}, 3172, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 375940, 1, {2}, 3174, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 375941, 0, {0}, 3176, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3177, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 582064, 2, {4, 2}, 3185, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 582065, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 582066, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 582067, 1, {2}, 3193, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 582068, 1, {2}, 3195, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 582069, 0, {0}, 3197, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3198, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 417776, 2, {4, 2}, 3206, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 417777, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 417778, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 417779, 1, {2}, 3214, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 417780, 1, {2}, 3216, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 417781, 0, {0}, 3218, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 3219, 4.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 377376, 2, {1, 2}, 3227, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 377377, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 377378, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 377379, 1, {2}, 3229, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 377380, 1, {2}, 3231, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 377381, 0, {0}, 3233, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 3234, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 218240, 4, {2, 2, 2, 2}, 3236, -1, 0, 3252, 8.4e-08},
    {"bn.weight", 'p', 'w', 0, 218241, 1, {2}, -1, -1, 0, 3268, 1.3e-08},
    {"bn.bias", 'p', 'w', 0, 218242, 1, {2}, -1, -1, 0, 3270, 0},
    {"bn.running_mean", 'b', 's', 0, 218243, 1, {2}, 3272, 3274, 2.3e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 218244, 1, {2}, 3276, 3278, 3.2e-09, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 218245, 0, {0}, 3280, 3281, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 3282, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 250480, 4, {2, 2, 2, 2}, 3298, -1, 0, 3314, 5e-08},
    {"bn.weight", 'p', 'w', 0, 250481, 1, {2}, -1, -1, 0, 3330, 0},
    {"bn.bias", 'p', 'w', 0, 250482, 1, {2}, -1, -1, 0, 3332, 0},
    {"bn.running_mean", 'b', 's', 0, 250483, 1, {2}, 3334, 3336, 1.5e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 250484, 1, {2}, 3338, 3340, 2.6e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 250485, 0, {0}, 3342, 3343, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 3344, 0, -1, 0},
    {"in0", 'x', 's', 0, 218416, 5, {2, 2, 1, 2, 2}, 3360, -1, 0, 3376, 7.7e-08},
    {"bn.weight", 'p', 'w', 0, 218417, 1, {2}, -1, -1, 0, 3392, 1.3e-08},
    {"bn.bias", 'p', 'w', 0, 218418, 1, {2}, -1, -1, 0, 3394, 0},
    {"bn.running_mean", 'b', 's', 0, 218419, 1, {2}, 3396, 3398, 2.3e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 218420, 1, {2}, 3400, 3402, 3.2e-09, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 218421, 0, {0}, 3404, 3405, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 3406, 5.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 250656, 5, {2, 2, 1, 2, 2}, 3422, -1, 0, 3438, 7.7e-08},
    {"bn.weight", 'p', 'w', 0, 250657, 1, {2}, -1, -1, 0, 3454, 0},
    {"bn.bias", 'p', 'w', 0, 250658, 1, {2}, -1, -1, 0, 3456, 0},
    {"bn.running_mean", 'b', 's', 0, 250659, 1, {2}, 3458, 3460, 1.5e-08, -1, 0},
    {"bn.running_var", 'b', 's', 0, 250660, 1, {2}, 3462, 3464, 2.6e-08, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 250661, 0, {0}, 3466, 3467, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 3468, 0, -1, 0},
    {"in0", 'x', 's', 0, 470480, 4, {1, 4, 2, 2}, 3484, -1, 0, 3500, 1.7e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 2, 2}, -1, 3516, 6.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 693792, 4, {1, 4, 2, 2}, 3532, -1, 0, 3548, 1.7e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 2, 2}, -1, 3564, 7.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 516160, 4, {1, 4, 2, 2}, 3580, -1, 0, 3596, 1e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 2, 2}, -1, 3612, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 472080, 4, {1, 1, 1, 1}, 3628, -1, 0, 3629, 7.9e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 3630, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 153872, 2, {3, 4}, 3631, -1, 0, 3643, 6.3e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 3655, 4.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 291264, 2, {3, 4}, 3667, -1, 0, 3679, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 3691, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 180352, 2, {3, 4}, 3703, -1, 0, 3715, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 3727, 0, -1, 0},
    {"in0", 'x', 's', 0, 154672, 2, {1, 1}, 3739, -1, 0, 3740, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 3741, 0, -1, 0},
    {"in0", 'x', 's', 0, 395328, 2, {3, 4}, 3742, -1, 0, 3754, 1.2e-07},
    {"in1", 'x', 's', 0, 395329, 2, {3, 4}, -1, -1, 0, 3766, 4.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3778, 3.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 601456, 2, {3, 4}, 3781, -1, 0, 3793, 4.3e-08},
    {"in1", 'x', 's', 0, 601457, 2, {3, 4}, -1, -1, 0, 3805, 1e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3817, 2.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 437168, 2, {3, 4}, 3820, -1, 0, 3832, 1.1e-07},
    {"in1", 'x', 's', 0, 437169, 2, {3, 4}, -1, -1, 0, 3844, 4.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3856, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 396768, 2, {1, 1}, 3859, -1, 0, 3860, 0},
    {"in1", 'x', 's', 0, 396769, 2, {1, 1}, -1, -1, 0, 3861, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 3862, 0, -1, 0},
    {"in0", 'x', 's', 0, 112064, 2, {3, 4}, 3863, -1, 0, 3875, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 3887, 2.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 232272, 2, {3, 4}, 3899, -1, 0, 3911, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 3923, 4.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 134704, 2, {3, 4}, 3935, -1, 0, 3947, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 3959, 0, -1, 0},
    {"in0", 'x', 's', 0, 112704, 2, {1, 1}, 3971, -1, 0, 3972, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 3973, 0, -1, 0},
    {"in0", 'x', 's', 0, 231712, 2, {3, 4}, 3974, -1, 0, 3986, 1.6e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 3998, 6.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 394880, 2, {3, 4}, 4010, -1, 0, 4022, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4034, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 263952, 2, {3, 4}, 4046, -1, 0, 4058, 4.8e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4070, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 232752, 2, {1, 1}, 4082, -1, 0, 4083, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4084, 0, -1, 0},
    {"in0", 'x', 's', 0, 204016, 2, {3, 4}, 4085, -1, 0, 4097, 6.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4109, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 358592, 2, {3, 4}, 4121, -1, 0, 4133, 2.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4145, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 234336, 2, {3, 4}, 4157, -1, 0, 4169, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4181, 2.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 204976, 2, {1, 1}, 4193, -1, 0, 4194, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4195, 0, -1, 0},
    {"in0", 'x', 's', 0, 358160, 2, {3, 4}, 4196, -1, 0, 4208, 2.9e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4220, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 555696, 2, {3, 4}, 4232, -1, 0, 4244, 3.3e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4256, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 398080, 2, {3, 4}, 4268, -1, 0, 4280, 6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4292, 1.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 359520, 2, {1, 1}, 4304, -1, 0, 4305, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4306, 0, -1, 0},
    {"in0", 'x', 's', 0, 111712, 2, {3, 4}, 4307, -1, 0, 4319, 2e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4331, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 231920, 2, {3, 4}, 4343, -1, 0, 4355, 1.7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4367, 2.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 134352, 2, {3, 4}, 4379, -1, 0, 4391, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4403, 0, -1, 0},
    {"in0", 'x', 's', 0, 112352, 2, {1, 1}, 4415, -1, 0, 4416, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4417, 0, -1, 0},
    {"in0", 'x', 's', 0, 231360, 2, {3, 4}, 4418, -1, 0, 4430, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4442, 5.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 394528, 2, {3, 4}, 4454, -1, 0, 4466, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4478, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 263600, 2, {3, 4}, 4490, -1, 0, 4502, 4.8e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 4514, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 232400, 2, {1, 1}, 4526, -1, 0, 4527, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4528, 0, -1, 0},
    {"in0", 'x', 's', 0, 47232, 2, {3, 4}, 4529, -1, 0, 4541, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 4553, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 133072, 2, {3, 4}, 4559, -1, 0, 4571, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 4583, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 62192, 2, {3, 4}, 4589, -1, 0, 4601, 4.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 4613, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47552, 2, {1, 2}, 4619, -1, 0, 4621, 1.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 4623, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 60272, 2, {3, 4}, 4624, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4636, 0, -1, 0},
    {"in0", 'x', 's', 0, 154704, 2, {3, 4}, 4639, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4651, 0, -1, 0},
    {"in0", 'x', 's', 0, 77152, 2, {3, 4}, 4654, -1, 0, 4666, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4678, 0, -1, 0},
    {"in0", 'x', 's', 0, 60672, 2, {1, 1}, 4681, -1, 0, 4682, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 4683, 0, -1, 0},
    {"in0", 'x', 's', 0, 47328, 2, {3, 4}, 4684, -1, 0, 4696, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4708, 0, -1, 0},
    {"in0", 'x', 's', 0, 133168, 2, {3, 4}, 4711, -1, 0, 4723, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4735, 0, -1, 0},
    {"in0", 'x', 's', 0, 62288, 2, {3, 4}, 4738, -1, 0, 4750, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4762, 0, -1, 0},
    {"in0", 'x', 's', 0, 47648, 2, {1, 1}, 4765, -1, 0, 4766, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 4767, 0, -1, 0},
    {"in0", 'x', 's', 0, 59776, 2, {3, 4}, 4768, -1, 0, 4780, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4792, 0, -1, 0},
    {"in0", 'x', 's', 0, 154208, 2, {3, 4}, 4795, -1, 0, 4807, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4819, 0, -1, 0},
    {"in0", 'x', 's', 0, 76656, 2, {3, 4}, 4822, -1, 0, 4834, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4846, 0, -1, 0},
    {"in0", 'x', 's', 0, 60176, 2, {1, 1}, 4849, -1, 0, 4850, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 4851, 0, -1, 0},
    {"in0", 'x', 's', 0, 60480, 2, {3, 4}, 4852, -1, 0, 4864, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4876, 0, -1, 0},
    {"in0", 'x', 's', 0, 154912, 2, {3, 4}, 4879, -1, 0, 4891, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4903, 0, -1, 0},
    {"in0", 'x', 's', 0, 77360, 2, {3, 4}, 4906, -1, 0, 4918, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4930, 0, -1, 0},
    {"in0", 'x', 's', 0, 60880, 2, {1, 1}, 4933, -1, 0, 4934, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 4935, 0, -1, 0},
    {"in0", 'x', 's', 0, 60224, 2, {3, 4}, 4936, -1, 0, 4948, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4960, 0, -1, 0},
    {"in0", 'x', 's', 0, 154656, 2, {3, 4}, 4963, -1, 0, 4975, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4987, 0, -1, 0},
    {"in0", 'x', 's', 0, 77104, 2, {3, 4}, 4990, -1, 0, 5002, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5014, 0, -1, 0},
    {"in0", 'x', 's', 0, 60624, 2, {1, 1}, 5017, -1, 0, 5018, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5019, 0, -1, 0},
    {"in0", 'x', 's', 0, 60864, 2, {3, 4}, 5020, -1, 0, 5032, 7.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5044, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 155296, 2, {3, 4}, 5047, -1, 0, 5059, 7.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5071, 1.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 77744, 2, {3, 4}, 5074, -1, 0, 5086, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5098, 0, -1, 0},
    {"in0", 'x', 's', 0, 61264, 2, {1, 1}, 5101, -1, 0, 5102, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5103, 0, -1, 0},
    {"in0", 'x', 's', 0, 156272, 2, {3, 4}, 5104, -1, 0, 5116, 1e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5128, 5.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 293664, 2, {3, 4}, 5131, -1, 0, 5143, 1e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5155, 6.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 182752, 2, {3, 4}, 5158, -1, 0, 5170, 2.3e-16},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5182, 1.6e-09, -1, 0},
    {"in0", 'x', 's', 0, 157072, 2, {1, 1}, 5185, -1, 0, 5186, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 5187, 0, -1, 0},
    {"in0", 'x', 's', 0, 46976, 2, {3, 4}, 5188, -1, 0, 5200, 8.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5212, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 132816, 2, {3, 4}, 5215, -1, 0, 5227, 8.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5239, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 61936, 2, {3, 4}, 5242, -1, 0, 5254, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5266, 0, -1, 0},
    {"in0", 'x', 's', 0, 47296, 2, {2, 1}, 5269, -1, 0, 5271, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5273, 0, -1, 0},
    {"in0", 'x', 's', 0, 46864, 2, {3, 4}, 5275, -1, 0, 5287, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5299, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 132704, 2, {3, 4}, 5302, -1, 0, 5314, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5326, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 61824, 2, {3, 4}, 5329, -1, 0, 5341, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 5353, 0, -1, 0},
    {"in0", 'x', 's', 0, 47184, 2, {2, 1}, 5356, -1, 0, 5358, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 5360, 0, -1, 0},
    {"in0", 'x', 's', 0, 92688, 2, {3, 4}, 5362, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5374, 0, -1, 0},
    {"in0", 'x', 's', 0, 204304, 2, {3, 4}, 5377, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5389, 0, -1, 0},
    {"in0", 'x', 's', 0, 113408, 2, {3, 4}, 5392, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5404, 0, -1, 0},
    {"in0", 'x', 's', 0, 93248, 2, {1, 1}, 5407, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 5408, 0, -1, 0},
    {"in0", 'x', 's', 0, 92368, 2, {3, 4}, 5409, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5421, 0, -1, 0},
    {"in0", 'x', 's', 0, 203984, 2, {3, 4}, 5424, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5436, 0, -1, 0},
    {"in0", 'x', 's', 0, 113088, 2, {3, 4}, 5439, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5451, 0, -1, 0},
    {"in0", 'x', 's', 0, 92928, 2, {1, 1}, 5454, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 5455, 0, -1, 0},
    {"in0", 'x', 's', 0, 47392, 2, {3, 4}, 5456, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5468, 0, -1, 0},
    {"in0", 'x', 's', 0, 133232, 2, {3, 4}, 5471, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5483, 0, -1, 0},
    {"in0", 'x', 's', 0, 62352, 2, {3, 4}, 5486, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5498, 0, -1, 0},
    {"in0", 'x', 's', 0, 47712, 2, {1, 1}, 5501, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 5502, 0, -1, 0},
    {"in0", 'x', 's', 0, 46704, 2, {3, 4}, 5503, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5515, 0, -1, 0},
    {"in0", 'x', 's', 0, 132544, 2, {3, 4}, 5518, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5530, 0, -1, 0},
    {"in0", 'x', 's', 0, 61664, 2, {3, 4}, 5533, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {3}, -1, 5545, 0, -1, 0},
    {"in0", 'x', 's', 0, 47024, 2, {1, 1}, 5548, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {1}, -1, 5549, 0, -1, 0},
    {"in0", 'x', 's', 0, 94032, 2, {2, 4}, 5550, -1, 0, 5558, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 5566, 0, -1, 0},
    {"in0", 'x', 's', 0, 205648, 2, {2, 4}, 5574, -1, 0, 5582, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 5590, 0, -1, 0},
    {"in0", 'x', 's', 0, 114752, 2, {2, 4}, 5598, -1, 0, 5606, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 5614, 0, -1, 0},
    {"in0", 'x', 's', 0, 94592, 2, {1, 1}, 5622, -1, 0, 5623, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 5624, 0, -1, 0},
    {"in0", 'x', 's', 0, 112160, 2, {2, 3}, 5625, -1, 0, 5631, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 5637, 0, -1, 0},
    {"in0", 'x', 's', 0, 232368, 2, {2, 3}, 5643, -1, 0, 5649, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 5655, 0, -1, 0},
    {"in0", 'x', 's', 0, 134800, 2, {2, 3}, 5661, -1, 0, 5667, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 5673, 0, -1, 0},
    {"in0", 'x', 's', 0, 112800, 2, {1, 1}, 5679, -1, 0, 5680, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 5681, 0, -1, 0},
    {"in0", 'x', 's', 0, 74448, 2, {2, 4}, 5682, -1, 0, 5690, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 5698, 0, -1, 0},
    {"in0", 'x', 's', 0, 177472, 2, {2, 4}, 5702, -1, 0, 5710, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 5718, 0, -1, 0},
    {"in0", 'x', 's', 0, 93248, 2, {2, 4}, 5722, -1, 0, 5730, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 5738, 0, -1, 0},
    {"in0", 'x', 's', 0, 74928, 2, {1, 2}, 5742, -1, 0, 5744, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 5746, 0, -1, 0},
    {"in0", 'x', 's', 0, 91936, 2, {2, 3}, 5747, -1, 0, 5753, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 5759, 0, -1, 0},
    {"in0", 'x', 's', 0, 203552, 2, {2, 3}, 5771, -1, 0, 5777, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 5783, 0, -1, 0},
    {"in0", 'x', 's', 0, 112656, 2, {2, 3}, 5795, -1, 0, 5801, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 5807, 0, -1, 0},
    {"in0", 'x', 's', 0, 92496, 2, {1, 1}, 5819, -1, 0, 5820, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 5821, 0, -1, 0},
    {"in0", 'x', 's', 0, 74800, 2, {2, 3}, 5823, -1, 0, 5829, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 5835, 0, -1, 0},
    {"in0", 'x', 's', 0, 177824, 2, {2, 3}, 5847, -1, 0, 5853, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 5859, 0, -1, 0},
    {"in0", 'x', 's', 0, 93600, 2, {2, 3}, 5871, -1, 0, 5877, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 5883, 0, -1, 0},
    {"in0", 'x', 's', 0, 75280, 2, {1, 1}, 5895, -1, 0, 5896, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 2, 1}, -1, 5897, 0, -1, 0},
    {"in0", 'x', 's', 0, 254704, 4, {1, 1, 2, 3}, 5899, -1, 0, 5905, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 5}, -1, 5911, 0, -1, 0},
    {"in0", 'x', 's', 0, 426464, 4, {1, 1, 2, 3}, 5931, -1, 0, 5937, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 5}, -1, 5943, 0, -1, 0},
    {"in0", 'x', 's', 0, 288864, 4, {1, 1, 2, 3}, 5963, -1, 0, 5969, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 5}, -1, 5975, 0, -1, 0},
    {"in0", 'x', 's', 0, 255824, 4, {1, 1, 1, 1}, 5995, -1, 0, 5996, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 5997, 0, -1, 0},
    {"in0", 'x', 's', 0, 46208, 4, {1, 1, 2, 3}, 6006, -1, 0, 6012, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 4}, -1, 6018, 0, -1, 0},
    {"in0", 'x', 's', 0, 132048, 4, {1, 1, 2, 3}, 6030, -1, 0, 6036, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 4}, -1, 6042, 0, -1, 0},
    {"in0", 'x', 's', 0, 61168, 4, {1, 1, 2, 3}, 6054, -1, 0, 6060, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 4}, -1, 6066, 0, -1, 0},
    {"in0", 'x', 's', 0, 46528, 4, {1, 1, 1, 1}, 6078, -1, 0, 6079, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 6080, 0, -1, 0},
    {"in0", 'x', 's', 0, 60400, 2, {2, 3}, 6084, -1, 0, 6090, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6096, 0, -1, 0},
    {"in0", 'x', 's', 0, 154832, 2, {2, 3}, 6102, -1, 0, 6108, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6114, 0, -1, 0},
    {"in0", 'x', 's', 0, 77280, 2, {2, 3}, 6120, -1, 0, 6126, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6132, 0, -1, 0},
    {"in0", 'x', 's', 0, 60800, 2, {1, 1}, 6138, -1, 0, 6139, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 6140, 0, -1, 0},
    {"in0", 'x', 's', 0, 60576, 2, {2, 3}, 6141, -1, 0, 6147, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6153, 0, -1, 0},
    {"in0", 'x', 's', 0, 155008, 2, {2, 3}, 6159, -1, 0, 6165, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6171, 0, -1, 0},
    {"in0", 'x', 's', 0, 77456, 2, {2, 3}, 6177, -1, 0, 6183, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6189, 0, -1, 0},
    {"in0", 'x', 's', 0, 60976, 2, {1, 1}, 6195, -1, 0, 6196, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 6197, 0, -1, 0},
    {"in0", 'x', 's', 0, 92080, 2, {2, 3}, 6198, -1, 0, 6204, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 6}, -1, 6210, 0, -1, 0},
    {"in0", 'x', 's', 0, 203696, 2, {2, 3}, 6234, -1, 0, 6240, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 6}, -1, 6246, 0, -1, 0},
    {"in0", 'x', 's', 0, 112800, 2, {2, 3}, 6270, -1, 0, 6276, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 6}, -1, 6282, 0, -1, 0},
    {"in0", 'x', 's', 0, 92640, 2, {1, 1}, 6306, -1, 0, 6307, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 6308, 0, -1, 0},
    {"in0", 'x', 's', 0, 388784, 2, {2, 3}, 6312, -1, 0, 6318, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 6324, 0, -1, 0},
    {"in0", 'x', 's', 0, 594912, 2, {2, 3}, 6336, -1, 0, 6342, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 6348, 0, -1, 0},
    {"in0", 'x', 's', 0, 430624, 2, {2, 3}, 6360, -1, 0, 6366, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 6}, -1, 6372, 0, -1, 0},
    {"in0", 'x', 's', 0, 390224, 2, {1, 1}, 6384, -1, 0, 6385, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 6386, 0, -1, 0},
    {"in0", 'x', 's', 0, 153920, 2, {2, 4}, 6388, -1, 0, 6396, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 1}, -1, 6404, 0, -1, 0},
    {"in0", 'x', 's', 0, 291312, 2, {2, 4}, 6412, -1, 0, 6420, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 1}, -1, 6428, 0, -1, 0},
    {"in0", 'x', 's', 0, 180400, 2, {2, 4}, 6436, -1, 0, 6444, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 4, 1}, -1, 6452, 0, -1, 0},
    {"in0", 'x', 's', 0, 154720, 2, {1, 1}, 6460, -1, 0, 6461, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 6462, 0, -1, 0},
    {"in0", 'x', 's', 0, 111520, 3, {2, 1, 3}, 6463, -1, 0, 6469, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6475, 0, -1, 0},
    {"in0", 'x', 's', 0, 231728, 3, {2, 1, 3}, 6481, -1, 0, 6487, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6493, 0, -1, 0},
    {"in0", 'x', 's', 0, 134160, 3, {2, 1, 3}, 6499, -1, 0, 6505, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 6511, 0, -1, 0},
    {"in0", 'x', 's', 0, 112160, 3, {1, 1, 1}, 6517, -1, 0, 6518, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 6519, 0, -1, 0},
    {"in0", 'x', 's', 0, 154736, 2, {2, 3}, 6520, -1, 0, 6526, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 1, 3}, -1, 6532, 0, -1, 0},
    {"in0", 'x', 's', 0, 292128, 2, {2, 3}, 6538, -1, 0, 6544, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 1, 3}, -1, 6550, 0, -1, 0},
    {"in0", 'x', 's', 0, 181216, 2, {2, 3}, 6556, -1, 0, 6562, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 1, 3}, -1, 6568, 0, -1, 0},
    {"in0", 'x', 's', 0, 155536, 2, {1, 1}, 6574, -1, 0, 6575, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 6576, 0, -1, 0},
    {"in0", 'x', 's', 0, 91728, 3, {2, 1, 3}, 6577, -1, 0, 6583, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 6589, 0, -1, 0},
    {"in0", 'x', 's', 0, 203344, 3, {2, 1, 3}, 6613, -1, 0, 6619, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 6625, 0, -1, 0},
    {"in0", 'x', 's', 0, 112448, 3, {2, 1, 3}, 6649, -1, 0, 6655, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 6661, 0, -1, 0},
    {"in0", 'x', 's', 0, 92288, 2, {1, 1}, 6685, -1, 0, 6686, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 3}, -1, 6687, 0, -1, 0},
    {"in0", 'x', 's', 0, 256624, 4, {1, 4, 1, 2}, 6711, -1, 0, 6719, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 4}, -1, 6727, 0, -1, 0},
    {"in0", 'x', 's', 0, 428384, 4, {1, 4, 1, 2}, 6735, -1, 0, 6743, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 4}, -1, 6751, 0, -1, 0},
    {"in0", 'x', 's', 0, 290784, 4, {1, 4, 1, 2}, 6759, -1, 0, 6767, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 4}, -1, 6775, 0, -1, 0},
    {"in0", 'x', 's', 0, 257744, 4, {1, 4, 1, 1}, 6783, -1, 0, 6787, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 6791, 0, -1, 0},
    {"in0", 'x', 's', 0, 318000, 4, {1, 4, 1, 2}, 6795, -1, 0, 6803, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 6811, 0, -1, 0},
    {"in0", 'x', 's', 0, 506944, 4, {1, 4, 1, 2}, 6819, -1, 0, 6827, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 6835, 0, -1, 0},
    {"in0", 'x', 's', 0, 356000, 4, {1, 4, 1, 2}, 6843, -1, 0, 6851, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 6859, 0, -1, 0},
    {"in0", 'x', 's', 0, 319280, 4, {1, 2, 1, 1}, 6867, -1, 0, 6869, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 6871, 0, -1, 0},
    {"in0", 'x', 's', 0, 228240, 2, {3, 2}, 6873, -1, 0, 6879, 0},
    {"in1", 'x', 'i', 1, 228241, 1, {2}, 6885, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 6887, 0, -1, 0},
    {"in0", 'x', 's', 0, 391408, 2, {3, 2}, 6891, -1, 0, 6897, 0},
    {"in1", 'x', 'i', 1, 391409, 1, {2}, 6903, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 6905, 0, -1, 0},
    {"in0", 'x', 's', 0, 260480, 2, {3, 2}, 6909, -1, 0, 6915, 0},
    {"in1", 'x', 'i', 1, 260481, 1, {2}, 6921, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 6923, 0, -1, 0},
    {"in0", 'x', 's', 0, 229280, 2, {1, 1}, 6927, -1, 0, 6928, 0},
    {"in1", 'x', 'i', 1, 229281, 1, {2}, 6929, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 6931, 0, -1, 0},
    {"in0", 'x', 's', 0, 61392, 2, {2, 5}, 6933, -1, 0, 6943, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 6953, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 6963, 0, -1, 0},
    {"in0", 'x', 's', 0, 155824, 2, {2, 5}, 6973, -1, 0, 6983, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 6993, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7003, 0, -1, 0},
    {"in0", 'x', 's', 0, 78272, 2, {2, 5}, 7013, -1, 0, 7023, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7033, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7043, 0, -1, 0},
    {"in0", 'x', 's', 0, 61792, 2, {1, 1}, 7053, -1, 0, 7054, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 7055, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {1, 1}, -1, 7056, 0, -1, 0},
    {"in0", 'x', 's', 0, 75120, 2, {2, 5}, 7057, -1, 0, 7067, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 7077, 0, -1, 0},
    {"in0", 'x', 's', 0, 178144, 2, {2, 5}, 7079, -1, 0, 7089, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 7099, 0, -1, 0},
    {"in0", 'x', 's', 0, 93920, 2, {2, 5}, 7101, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 7111, 0, -1, 0},
    {"in0", 'x', 's', 0, 75600, 2, {1, 1}, 7113, -1, 0, 7114, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 7115, 0, -1, 0},
    {"in0", 'x', 's', 0, 131600, 2, {2, 5}, 7116, -1, 0, 7126, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 7136, 0, -1, 0},
    {"in0", 'x', 's', 0, 260400, 2, {2, 5}, 7138, -1, 0, 7148, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 7158, 0, -1, 0},
    {"in0", 'x', 's', 0, 156160, 2, {2, 5}, 7160, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 7170, 0, -1, 0},
    {"in0", 'x', 's', 0, 132320, 2, {1, 1}, 7172, -1, 0, 7173, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 7174, 0, -1, 0},
    {"in0", 'x', 's', 0, 91104, 2, {2, 5}, 7175, -1, 0, 7185, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 7195, 0, -1, 0},
    {"in0", 'x', 's', 0, 202720, 2, {2, 5}, 7197, -1, 0, 7207, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 7217, 0, -1, 0},
    {"in0", 'x', 's', 0, 111824, 2, {2, 5}, 7219, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 7229, 0, -1, 0},
    {"in0", 'x', 's', 0, 91664, 2, {1, 1}, 7231, -1, 0, 7232, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 7233, 0, -1, 0},
    {"in0", 'x', 's', 0, 111344, 2, {3, 5}, 7234, -1, 0, 7249, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 7264, 0, -1, 0},
    {"in0", 'x', 's', 0, 111584, 2, {2, 5}, 7267, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7277, 0, -1, 0},
    {"in0", 'x', 's', 0, 231792, 2, {2, 5}, 7287, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7297, 0, -1, 0},
    {"in0", 'x', 's', 0, 134224, 2, {2, 5}, 7307, -1, 0, 7317, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7327, 0, -1, 0},
    {"in0", 'x', 's', 0, 112224, 2, {1, 1}, 7337, -1, 0, 7338, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 7339, 0, -1, 0},
    {"in0", 'x', 's', 0, 234560, 2, {2, 5}, 7340, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7350, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 397728, 2, {2, 5}, 7360, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7370, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 266800, 2, {2, 5}, 7380, -1, 0, 7390, 4.7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7400, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 235600, 2, {1, 1}, 7410, -1, 0, 7411, 1.5e-16},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 7412, 0, -1, 0},
    {"in0", 'x', 's', 0, 93104, 2, {2, 5}, 7413, -1, 0, 7423, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7433, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7443, 0, -1, 0},
    {"in0", 'x', 's', 0, 204720, 2, {2, 5}, 7453, -1, 0, 7463, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7473, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7483, 0, -1, 0},
    {"in0", 'x', 's', 0, 113824, 2, {2, 5}, 7493, -1, 0, 7503, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7513, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7523, 0, -1, 0},
    {"in0", 'x', 's', 0, 93664, 2, {1, 1}, 7533, -1, 0, 7534, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 7535, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {1, 1}, -1, 7536, 0, -1, 0},
    {"in0", 'x', 's', 0, 92784, 2, {2, 5}, 7537, -1, 0, 7547, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7557, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7567, 0, -1, 0},
    {"in0", 'x', 's', 0, 204400, 2, {2, 5}, 7577, -1, 0, 7587, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7597, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7607, 0, -1, 0},
    {"in0", 'x', 's', 0, 113504, 2, {2, 5}, 7617, -1, 0, 7627, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 5}, -1, 7637, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {2, 5}, -1, 7647, 0, -1, 0},
    {"in0", 'x', 's', 0, 93344, 2, {1, 1}, 7657, -1, 0, 7658, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 7659, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 2, {1, 1}, -1, 7660, 0, -1, 0},
    {"in0", 'x', 's', 0, 92288, 2, {3, 2}, 7661, -1, 0, 7667, 0},
    {"in1", 'x', 'i', 1, 92289, 2, {1, 2}, 7673, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 7675, 0, -1, 0},
    {"in0", 'x', 's', 0, 203904, 2, {3, 2}, 7677, -1, 0, 7683, 0},
    {"in1", 'x', 'i', 1, 203905, 2, {1, 2}, 7689, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 7691, 0, -1, 0},
    {"in0", 'x', 's', 0, 113008, 2, {3, 2}, 7693, -1, 0, 7699, 0},
    {"in1", 'x', 'i', 1, 113009, 2, {1, 2}, 7705, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 7707, 0, -1, 0},
    {"in0", 'x', 's', 0, 92848, 2, {1, 2}, 7709, -1, 0, 7711, 0},
    {"in1", 'x', 'i', 1, 92849, 2, {1, 2}, 7713, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 7715, 0, -1, 0},
    {"in0", 'x', 's', 0, 197808, 2, {3, 2}, 7717, -1, 0, 7723, 0},
    {"in1", 'x', 'i', 1, 197809, 2, {1, 2}, 7729, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 197810, 2, {1, 2}, -1, -1, 0, 7731, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 7733, 0, -1, 0},
    {"in0", 'x', 's', 0, 352384, 2, {3, 2}, 7739, -1, 0, 7745, 0},
    {"in1", 'x', 'i', 1, 352385, 2, {1, 2}, 7751, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 352386, 2, {1, 2}, -1, -1, 0, 7753, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 7755, 0, -1, 0},
    {"in0", 'x', 's', 0, 228128, 2, {3, 2}, 7761, -1, 0, 7767, 0},
    {"in1", 'x', 'i', 1, 228129, 2, {1, 2}, 7773, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 228130, 2, {1, 2}, -1, -1, 0, 7775, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 7777, 0, -1, 0},
    {"in0", 'x', 's', 0, 198768, 2, {1, 2}, 7783, -1, 0, 7785, 0},
    {"in1", 'x', 'i', 1, 198769, 2, {1, 2}, 7787, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 198770, 2, {1, 2}, -1, -1, 0, 7789, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 7791, 0, -1, 0},
    {"in0", 'x', 's', 0, 111712, 2, {3, 2}, 7793, -1, 0, 7799, 0},
    {"in1", 'x', 'i', 1, 111713, 2, {1, 2}, 7805, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 111714, 2, {1, 2}, -1, -1, 0, 7807, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 7809, 0, -1, 0},
    {"in0", 'x', 's', 0, 231920, 2, {3, 2}, 7815, -1, 0, 7821, 0},
    {"in1", 'x', 'i', 1, 231921, 2, {1, 2}, 7827, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 231922, 2, {1, 2}, -1, -1, 0, 7829, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 7831, 0, -1, 0},
    {"in0", 'x', 's', 0, 134352, 2, {3, 2}, 7837, -1, 0, 7843, 0},
    {"in1", 'x', 'i', 1, 134353, 2, {1, 2}, 7849, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 134354, 2, {1, 2}, -1, -1, 0, 7851, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 7853, 0, -1, 0},
    {"in0", 'x', 's', 0, 112352, 2, {1, 2}, 7859, -1, 0, 7861, 0},
    {"in1", 'x', 'i', 1, 112353, 2, {1, 2}, 7863, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 112354, 2, {1, 2}, -1, -1, 0, 7865, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 7867, 0, -1, 0},
    {"in0", 'x', 's', 0, 150608, 2, {3, 2}, 7869, -1, 0, 7875, 0},
    {"in1", 'x', 'i', 1, 150609, 1, {2}, 7881, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 7883, 0, -1, 0},
    {"in0", 'x', 's', 0, 288000, 2, {3, 2}, 7887, -1, 0, 7893, 0},
    {"in1", 'x', 'i', 1, 288001, 1, {2}, 7899, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 7901, 0, -1, 0},
    {"in0", 'x', 's', 0, 177088, 2, {3, 2}, 7905, -1, 0, 7911, 0},
    {"in1", 'x', 'i', 1, 177089, 1, {2}, 7917, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 7919, 0, -1, 0},
    {"in0", 'x', 's', 0, 151408, 2, {1, 2}, 7923, -1, 0, 7925, 0},
    {"in1", 'x', 'i', 1, 151409, 1, {2}, 7927, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 7929, 0, -1, 0},
    {"in0", 'x', 's', 0, 386752, 2, {3, 2}, 7933, -1, 0, 7939, 6.9e-08},
    {"in1", 'x', 's', 0, 386753, 2, {3, 2}, -1, -1, 0, 7945, 6.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 7951, 5.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 592880, 2, {3, 2}, 7954, -1, 0, 7960, 8.9e-08},
    {"in1", 'x', 's', 0, 592881, 2, {3, 2}, -1, -1, 0, 7966, 8.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 7972, 6e-08, -1, 0},
    {"in0", 'x', 's', 0, 428592, 2, {3, 2}, 7975, -1, 0, 7981, 3.4e-08},
    {"in1", 'x', 's', 0, 428593, 2, {3, 2}, -1, -1, 0, 7987, 3.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 7993, 9.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 388192, 2, {1, 1}, 7996, -1, 0, 7997, 0},
    {"in1", 'x', 's', 0, 388193, 2, {1, 1}, -1, -1, 0, 7998, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 7999, 3.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 76160, 2, {3, 2}, 8000, -1, 0, 8006, 8.9e-08},
    {"in1", 'x', 's', 0, 76161, 2, {2, 2}, -1, -1, 0, 8012, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8016, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 179184, 2, {3, 2}, 8022, -1, 0, 8028, 6e-08},
    {"in1", 'x', 's', 0, 179185, 2, {2, 2}, -1, -1, 0, 8034, 5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8038, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 94960, 2, {3, 2}, 8044, -1, 0, 8050, 6.5e-08},
    {"in1", 'x', 's', 0, 94961, 2, {2, 2}, -1, -1, 0, 8056, 5.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 8060, 4.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 76640, 2, {1, 1}, 8066, -1, 0, 8067, 0},
    {"in1", 'x', 's', 0, 76641, 2, {2, 1}, -1, -1, 0, 8068, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 8070, 0, -1, 0},
    {"in0", 'x', 's', 0, 328768, 2, {2, 5}, 8072, -1, 0, 8082, 0},
    {"in1", 'x', 's', 0, 328769, 2, {2, 5}, 8092, -1, 0, 8102, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 8112, 0, -1, 0},
    {"in0", 'x', 's', 0, 848448, 2, {2, 3}, 8116, -1, 0, 8122, 0},
    {"in1", 'x', 's', 0, 848449, 2, {2, 3}, 8128, -1, 0, 8134, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 8140, 0, -1, 0},
    {"in0", 'x', 's', 0, 289920, 4, {1, 1, 3, 3}, 8142, -1, 0, 8151, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8160, 0, -1, 0},
    {"in0", 'x', 's', 0, 470272, 4, {1, 1, 3, 3}, 8196, -1, 0, 8205, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8214, 0, -1, 0},
    {"in0", 'x', 's', 0, 326000, 4, {1, 1, 3, 3}, 8250, -1, 0, 8259, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8268, 0, -1, 0},
    {"in0", 'x', 's', 0, 291120, 4, {1, 1, 1, 1}, 8304, -1, 0, 8305, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8306, 0, -1, 0},
    {"in0", 'x', 's', 0, 317648, 4, {1, 1, 3, 3}, 8342, -1, 0, 8351, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8360, 0, -1, 0},
    {"in0", 'x', 's', 0, 506592, 4, {1, 1, 3, 3}, 8396, -1, 0, 8405, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8414, 0, -1, 0},
    {"in0", 'x', 's', 0, 355648, 4, {1, 1, 3, 3}, 8450, -1, 0, 8459, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8468, 0, -1, 0},
    {"in0", 'x', 's', 0, 318928, 4, {1, 1, 1, 1}, 8504, -1, 0, 8505, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8506, 6.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 283344, 4, {1, 1, 3, 3}, 8542, -1, 0, 8551, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8560, 0, -1, 0},
    {"in0", 'x', 's', 0, 463696, 4, {1, 1, 3, 3}, 8596, -1, 0, 8605, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8614, 0, -1, 0},
    {"in0", 'x', 's', 0, 319424, 4, {1, 1, 3, 3}, 8650, -1, 0, 8659, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8668, 0, -1, 0},
    {"in0", 'x', 's', 0, 284544, 4, {1, 1, 1, 1}, 8704, -1, 0, 8705, 3.2e-07},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 6, 6}, -1, 8706, 3.9e-07, -1, 0},
    {"in0", 'x', 's', 0, 200624, 4, {1, 1, 3, 3}, 8742, -1, 0, 8751, 0},
    {"in1", 'x', 'w', 0, 200625, 4, {1, 2, 2, 2}, -1, -1, 0, 8760, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 8768, 0, -1, 0},
    {"in0", 'x', 's', 0, 355200, 4, {1, 1, 3, 3}, 8772, -1, 0, 8781, 0},
    {"in1", 'x', 'w', 0, 355201, 4, {1, 2, 2, 2}, -1, -1, 0, 8790, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 8798, 0, -1, 0},
    {"in0", 'x', 's', 0, 230944, 4, {1, 1, 3, 3}, 8802, -1, 0, 8811, 0},
    {"in1", 'x', 'w', 0, 230945, 4, {1, 2, 2, 2}, -1, -1, 0, 8820, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 8828, 0, -1, 0},
    {"in0", 'x', 's', 0, 201584, 4, {1, 1, 1, 1}, 8832, -1, 0, 8833, 0},
    {"in1", 'x', 'w', 0, 201585, 4, {1, 2, 2, 2}, -1, -1, 0, 8834, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 8842, 0, -1, 0},
    {"in0", 'x', 's', 0, 145408, 3, {1, 1, 6}, 8846, -1, 0, 8852, 3.8e-09},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 3}, -1, 8858, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 282800, 3, {1, 1, 6}, 8861, -1, 0, 8867, 3.8e-09},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 3}, -1, 8873, 4.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 171888, 3, {1, 1, 6}, 8876, -1, 0, 8882, 8.7e-09},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 3}, -1, 8888, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 146208, 3, {1, 1, 2}, 8891, -1, 0, 8893, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 1}, -1, 8895, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 373488, 4, {1, 2, 3, 3}, 8896, -1, 0, 8914, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 8932, 0, -1, 0},
    {"in0", 'x', 's', 0, 579616, 4, {1, 2, 3, 3}, 8934, -1, 0, 8952, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 8970, 0, -1, 0},
    {"in0", 'x', 's', 0, 374928, 4, {1, 1, 1, 1}, 8972, -1, 0, 8973, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 8974, 0, -1, 0},
    {"in0", 'x', 's', 0, 61056, 3, {2, 3, 2}, 8975, -1, 0, 8987, 1e-07},
    {"r.weight_ih_l0", 'p', 'w', 0, 61057, 2, {8, 2}, -1, -1, 0, 8999, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 61058, 2, {8, 2}, -1, -1, 0, 9015, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 61059, 1, {8}, -1, -1, 0, 9031, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 61060, 1, {8}, -1, -1, 0, 9039, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9047, 5.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 155488, 3, {2, 3, 2}, 9059, -1, 0, 9071, 4.1e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 155489, 2, {8, 2}, -1, -1, 0, 9083, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 155490, 2, {8, 2}, -1, -1, 0, 9099, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 155491, 1, {8}, -1, -1, 0, 9115, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 155492, 1, {8}, -1, -1, 0, 9123, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9131, 3.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 77936, 3, {2, 3, 2}, 9143, -1, 0, 9155, 8.6e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 77937, 2, {8, 2}, -1, -1, 0, 9167, 4.7e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 77938, 2, {8, 2}, -1, -1, 0, 9183, 1.1e-07},
    {"r.bias_ih_l0", 'p', 'w', 0, 77939, 1, {8}, -1, -1, 0, 9199, 6.2e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 77940, 1, {8}, -1, -1, 0, 9207, 6.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9215, 8.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 61456, 3, {1, 1, 2}, 9227, -1, 0, 9229, 4.1e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 61457, 2, {8, 2}, -1, -1, 0, 9231, 5.5e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 61458, 2, {8, 2}, -1, -1, 0, 9247, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 61459, 1, {8}, -1, -1, 0, 9263, 9.3e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 61460, 1, {8}, -1, -1, 0, 9271, 9.3e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 9279, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 47424, 3, {2, 3, 2}, 9281, -1, 0, 9293, 7.3e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47425, 2, {6, 2}, -1, -1, 0, 9305, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 47426, 2, {6, 2}, -1, -1, 0, 9317, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47427, 1, {6}, -1, -1, 0, 9329, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 47428, 1, {6}, -1, -1, 0, 9335, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9341, 3.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 133264, 3, {2, 3, 2}, 9353, -1, 0, 9365, 5.4e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 133265, 2, {6, 2}, -1, -1, 0, 9377, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 133266, 2, {6, 2}, -1, -1, 0, 9389, 6.9e-08},
    {"r.bias_ih_l0", 'p', 'w', 0, 133267, 1, {6}, -1, -1, 0, 9401, 2.6e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 133268, 1, {6}, -1, -1, 0, 9407, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9413, 3.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 62384, 3, {2, 3, 2}, 9425, -1, 0, 9437, 4.8e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 62385, 2, {6, 2}, -1, -1, 0, 9449, 9.8e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 62386, 2, {6, 2}, -1, -1, 0, 9461, 4.9e-08},
    {"r.bias_ih_l0", 'p', 'w', 0, 62387, 1, {6}, -1, -1, 0, 9473, 2.6e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 62388, 1, {6}, -1, -1, 0, 9479, 5.3e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9485, 8.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47744, 3, {1, 1, 2}, 9497, -1, 0, 9499, 9.5e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47745, 2, {6, 2}, -1, -1, 0, 9501, 8.8e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 47746, 2, {6, 2}, -1, -1, 0, 9513, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47747, 1, {6}, -1, -1, 0, 9525, 6.4e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 47748, 1, {6}, -1, -1, 0, 9531, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 9537, 9.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47136, 3, {2, 3, 2}, 9539, -1, 0, 9551, 6.2e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47137, 2, {2, 2}, -1, -1, 0, 9563, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 47138, 2, {2, 2}, -1, -1, 0, 9567, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47139, 1, {2}, -1, -1, 0, 9571, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 47140, 1, {2}, -1, -1, 0, 9573, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9575, 4.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 132976, 3, {2, 3, 2}, 9587, -1, 0, 9599, 5.4e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 132977, 2, {2, 2}, -1, -1, 0, 9611, 0},
    {"r.weight_hh_l0", 'p', 'w', 0, 132978, 2, {2, 2}, -1, -1, 0, 9615, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 132979, 1, {2}, -1, -1, 0, 9619, 0},
    {"r.bias_hh_l0", 'p', 'w', 0, 132980, 1, {2}, -1, -1, 0, 9621, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9623, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 62096, 3, {2, 3, 2}, 9635, -1, 0, 9647, 6e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 62097, 2, {2, 2}, -1, -1, 0, 9659, 1e-07},
    {"r.weight_hh_l0", 'p', 'w', 0, 62098, 2, {2, 2}, -1, -1, 0, 9663, 8e-08},
    {"r.bias_ih_l0", 'p', 'w', 0, 62099, 1, {2}, -1, -1, 0, 9667, 8e-09},
    {"r.bias_hh_l0", 'p', 'w', 0, 62100, 1, {2}, -1, -1, 0, 9669, 1e-07},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 9671, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 47456, 3, {1, 1, 2}, 9683, -1, 0, 9685, 3.1e-08},
    {"r.weight_ih_l0", 'p', 'w', 0, 47457, 2, {2, 2}, -1, -1, 0, 9687, 5e-08},
    {"r.weight_hh_l0", 'p', 'w', 0, 47458, 2, {2, 2}, -1, -1, 0, 9691, 0},
    {"r.bias_ih_l0", 'p', 'w', 0, 47459, 1, {2}, -1, -1, 0, 9695, 3.6e-08},
    {"r.bias_hh_l0", 'p', 'w', 0, 47460, 1, {2}, -1, -1, 0, 9697, 3.6e-08},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 9699, 3.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 76256, 3, {2, 2, 3}, 9701, -1, 0, 9713, 0},
    {"p.weight", 'p', 'w', 0, 76257, 1, {1}, -1, -1, 0, 9725, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 9726, 0, -1, 0},
    {"in0", 'x', 's', 0, 179280, 3, {2, 2, 3}, 9738, -1, 0, 9750, 0},
    {"p.weight", 'p', 'w', 0, 179281, 1, {1}, -1, -1, 0, 9762, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 9763, 0, -1, 0},
    {"in0", 'x', 's', 0, 95056, 3, {2, 2, 3}, 9775, -1, 0, 9787, 0},
    {"p.weight", 'p', 'w', 0, 95057, 1, {1}, -1, -1, 0, 9799, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 3}, -1, 9800, 0, -1, 0},
    {"in0", 'x', 's', 0, 76736, 2, {1, 1}, 9812, -1, 0, 9813, 0},
    {"p.weight", 'p', 'w', 0, 76737, 1, {1}, -1, -1, 0, 9814, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 9815, 0, -1, 0},
    {"in0", 'x', 's', 0, 87936, 5, {1, 2, 2, 3, 2}, 9816, -1, 0, 9840, 0},
    {"c.weight", 'p', 'w', 0, 87937, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 9864, 0},
    {"c.bias", 'p', 'w', 0, 87938, 1, {1}, -1, -1, 0, 9866, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 3, 2}, -1, 9867, 0, -1, 0},
    {"in0", 'x', 's', 0, 199552, 5, {1, 2, 2, 3, 2}, 9879, -1, 0, 9903, 0},
    {"c.weight", 'p', 'w', 0, 199553, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 9927, 0},
    {"c.bias", 'p', 'w', 0, 199554, 1, {1}, -1, -1, 0, 9929, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 3, 2}, -1, 9930, 0, -1, 0},
    {"in0", 'x', 's', 0, 108656, 5, {1, 2, 2, 3, 2}, 9942, -1, 0, 9966, 0},
    {"c.weight", 'p', 'w', 0, 108657, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 9990, 0},
    {"c.bias", 'p', 'w', 0, 108658, 1, {1}, -1, -1, 0, 9992, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 3, 2}, -1, 9993, 0, -1, 0},
    {"in0", 'x', 's', 0, 88496, 5, {1, 2, 1, 1, 1}, 10005, -1, 0, 10007, 0},
    {"c.weight", 'p', 'w', 0, 88497, 5, {1, 2, 1, 1, 1}, -1, -1, 0, 10009, 0},
    {"c.bias", 'p', 'w', 0, 88498, 1, {1}, -1, -1, 0, 10011, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 10012, 0, -1, 0},
    {"in0", 'x', 's', 0, 343744, 5, {1, 2, 2, 2, 1}, 10013, -1, 0, 10021, 0},
    {"c.weight", 'p', 'w', 0, 343745, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 10029, 0},
    {"c.bias", 'p', 'w', 0, 343746, 1, {1}, -1, -1, 0, 10045, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 4, 4, 2}, -1, 10046, 0, -1, 0},
    {"in0", 'x', 's', 0, 541280, 5, {1, 2, 2, 2, 1}, 10078, -1, 0, 10086, 0},
    {"c.weight", 'p', 'w', 0, 541281, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 10094, 0},
    {"c.bias", 'p', 'w', 0, 541282, 1, {1}, -1, -1, 0, 10110, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 4, 4, 2}, -1, 10111, 0, -1, 0},
    {"in0", 'x', 's', 0, 383664, 5, {1, 2, 2, 2, 1}, 10143, -1, 0, 10151, 0},
    {"c.weight", 'p', 'w', 0, 383665, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 10159, 0},
    {"c.bias", 'p', 'w', 0, 383666, 1, {1}, -1, -1, 0, 10175, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 4, 4, 2}, -1, 10176, 0, -1, 0},
    {"in0", 'x', 's', 0, 345104, 5, {1, 2, 1, 1, 1}, 10208, -1, 0, 10210, 0},
    {"c.weight", 'p', 'w', 0, 345105, 5, {2, 1, 2, 2, 2}, -1, -1, 0, 10212, 0},
    {"c.bias", 'p', 'w', 0, 345106, 1, {1}, -1, -1, 0, 10228, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 2}, -1, 10229, 0, -1, 0},
    {"in0", 'x', 's', 0, 198672, 4, {1, 2, 3, 3}, 10237, -1, 0, 10255, 0},
    {"in1", 'x', 'w', 0, 198673, 4, {1, 2, 1, 1}, -1, -1, 0, 10273, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 10275, 0, -1, 0},
    {"in0", 'x', 's', 0, 353248, 4, {1, 2, 3, 3}, 10284, -1, 0, 10302, 0},
    {"in1", 'x', 'w', 0, 353249, 4, {1, 2, 1, 1}, -1, -1, 0, 10320, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 10322, 0, -1, 0},
    {"in0", 'x', 's', 0, 228992, 4, {1, 2, 3, 3}, 10331, -1, 0, 10349, 0},
    {"in1", 'x', 'w', 0, 228993, 4, {1, 2, 1, 1}, -1, -1, 0, 10367, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 3, 3}, -1, 10369, 0, -1, 0},
    {"in0", 'x', 's', 0, 199632, 4, {1, 2, 1, 1}, 10378, -1, 0, 10380, 0},
    {"in1", 'x', 'w', 0, 199633, 4, {1, 2, 1, 1}, -1, -1, 0, 10382, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 10384, 0, -1, 0},
    {"in0", 'x', 's', 0, 540560, 4, {1, 2, 2, 2}, 10385, -1, 0, 10393, 0},
    {"in1", 'x', 'w', 0, 540561, 4, {2, 1, 2, 2}, -1, -1, 0, 10401, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 4}, -1, 10409, 0, -1, 0},
    {"in0", 'x', 's', 0, 781056, 4, {1, 2, 2, 2}, 10425, -1, 0, 10433, 0},
    {"in1", 'x', 'w', 0, 781057, 4, {2, 1, 2, 2}, -1, -1, 0, 10441, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 4}, -1, 10449, 0, -1, 0},
    {"in0", 'x', 's', 0, 590080, 4, {1, 2, 2, 2}, 10465, -1, 0, 10473, 0},
    {"in1", 'x', 'w', 0, 590081, 4, {2, 1, 2, 2}, -1, -1, 0, 10481, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 4, 4}, -1, 10489, 0, -1, 0},
    {"in0", 'x', 's', 0, 542320, 4, {1, 2, 1, 1}, 10505, -1, 0, 10507, 0},
    {"in1", 'x', 'w', 0, 542321, 4, {2, 1, 2, 2}, -1, -1, 0, 10509, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 10517, 0, -1, 0},
    {"in0", 'x', 's', 0, 168560, 5, {1, 1, 2, 4, 4}, 10521, -1, 0, 10553, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 10585, 0, -1, 0},
    {"in0", 'x', 's', 0, 314544, 5, {1, 1, 2, 4, 4}, 10589, -1, 0, 10621, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 10653, 0, -1, 0},
    {"in0", 'x', 's', 0, 196960, 5, {1, 1, 2, 4, 4}, 10657, -1, 0, 10689, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 10721, 0, -1, 0},
    {"in0", 'x', 's', 0, 169440, 5, {1, 1, 2, 2, 2}, 10725, -1, 0, 10733, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 10741, 0, -1, 0},
    {"in0", 'x', 's', 0, 168224, 5, {1, 1, 2, 4, 4}, 10742, -1, 0, 10774, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 10806, 0, -1, 0},
    {"in0", 'x', 's', 0, 314208, 5, {1, 1, 2, 4, 4}, 10810, -1, 0, 10842, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 10874, 0, -1, 0},
    {"in0", 'x', 's', 0, 196624, 5, {1, 1, 2, 4, 4}, 10878, -1, 0, 10910, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 2}, -1, 10942, 0, -1, 0},
    {"in0", 'x', 's', 0, 169104, 5, {1, 1, 2, 2, 2}, 10946, -1, 0, 10954, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 10962, 0, -1, 0},
    {"in0", 'x', 's', 0, 449664, 5, {1, 1, 2, 4, 3}, 10963, -1, 0, 10987, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11011, 0, -1, 0},
    {"in0", 'x', 's', 0, 672976, 5, {1, 1, 2, 4, 3}, 11013, -1, 0, 11037, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11061, 0, -1, 0},
    {"in0", 'x', 's', 0, 495344, 5, {1, 1, 2, 4, 3}, 11063, -1, 0, 11087, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11111, 0, -1, 0},
    {"in0", 'x', 's', 0, 451264, 5, {1, 1, 1, 1, 1}, 11113, -1, 0, 11114, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11115, 0, -1, 0},
    {"in0", 'x', 's', 0, 448176, 5, {1, 1, 2, 4, 3}, 11117, -1, 0, 11141, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11165, 3.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 671488, 5, {1, 1, 2, 4, 3}, 11167, -1, 0, 11191, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11215, 0, -1, 0},
    {"in0", 'x', 's', 0, 493856, 5, {1, 1, 2, 4, 3}, 11217, -1, 0, 11241, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11265, 0, -1, 0},
    {"in0", 'x', 's', 0, 449776, 5, {1, 1, 1, 1, 1}, 11267, -1, 0, 11268, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 2, 1}, -1, 11269, 0, -1, 0},
    {"in0", 'x', 's', 0, 145536, 4, {1, 1, 4, 4}, 11271, -1, 0, 11287, 3.9e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 11303, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 282928, 4, {1, 1, 4, 4}, 11307, -1, 0, 11323, 7.8e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 11339, 4.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 172016, 4, {1, 1, 4, 4}, 11343, -1, 0, 11359, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 11375, 0, -1, 0},
    {"in0", 'x', 's', 0, 146336, 4, {1, 1, 2, 2}, 11379, -1, 0, 11383, 8.6e-08},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 11387, 6.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 145664, 5, {1, 1, 2, 2, 4}, 11388, -1, 0, 11404, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 2}, -1, 11420, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 283056, 5, {1, 1, 2, 2, 4}, 11422, -1, 0, 11438, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 2}, -1, 11454, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 172144, 5, {1, 1, 2, 2, 4}, 11456, -1, 0, 11472, 5.4e-09},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 2}, -1, 11488, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 146464, 5, {1, 1, 2, 2, 2}, 11490, -1, 0, 11498, 4.4e-08},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 11506, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 529328, 4, {1, 1, 4, 4}, 11507, -1, 0, 11523, 0},
    {"in1", 'x', 'o', 0, 529329, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 11539, 0, -1, 0},
    {"in0", 'x', 's', 0, 769824, 4, {1, 1, 4, 4}, 11540, -1, 0, 11556, 0},
    {"in1", 'x', 'o', 0, 769825, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 11572, 0, -1, 0},
    {"in0", 'x', 's', 0, 578848, 4, {1, 1, 4, 4}, 11573, -1, 0, 11589, 0},
    {"in1", 'x', 'o', 0, 578849, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 11605, 0, -1, 0},
    {"in0", 'x', 's', 0, 531088, 4, {1, 1, 2, 2}, 11606, -1, 0, 11610, 0},
    {"in1", 'x', 'o', 0, 531089, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 1}, -1, 11614, 0, -1, 0},
    {"in0", 'x', 's', 0, 529648, 5, {1, 1, 3, 3, 3}, 11615, -1, 0, 11642, 0},
    {"in1", 'x', 'o', 0, 529649, 3, {1, 1, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 11669, 0, -1, 0},
    {"in0", 'x', 's', 0, 770144, 5, {1, 1, 3, 3, 3}, 11670, -1, 0, 11697, 0},
    {"in1", 'x', 'o', 0, 770145, 3, {1, 1, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 11724, 0, -1, 0},
    {"in0", 'x', 's', 0, 579168, 5, {1, 1, 3, 3, 3}, 11725, -1, 0, 11752, 0},
    {"in1", 'x', 'o', 0, 579169, 3, {1, 1, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 1, 1, 1}, -1, 11779, 0, -1, 0},
    {"in0", 'x', 's', 0, 220288, 3, {1, 1, 3}, 11780, -1, 0, 11783, 0},
    {"in1", 'x', 'i', 1, 220289, 3, {1, 1, 3}, 11786, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 6}, -1, 11789, 0, -1, 0},
    {"in0", 'x', 's', 0, 383456, 3, {1, 1, 3}, 11795, -1, 0, 11798, 0},
    {"in1", 'x', 'i', 1, 383457, 3, {1, 1, 3}, 11801, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 6}, -1, 11804, 0, -1, 0},
    {"in0", 'x', 's', 0, 252528, 3, {1, 1, 3}, 11810, -1, 0, 11813, 0},
    {"in1", 'x', 'i', 1, 252529, 3, {1, 1, 3}, 11816, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 6}, -1, 11819, 0, -1, 0},
    {"in0", 'x', 's', 0, 221328, 3, {1, 1, 1}, 11825, -1, 0, 11826, 0},
    {"in1", 'x', 'i', 1, 221329, 3, {1, 1, 1}, 11827, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 3, {1, 1, 2}, -1, 11828, 0, -1, 0},
    {"in0", 'x', 's', 0, 220464, 4, {1, 1, 1, 3}, 11830, -1, 0, 11833, 0},
    {"in1", 'x', 'i', 1, 220465, 4, {1, 1, 1, 3}, 11836, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 6}, -1, 11839, 0, -1, 0},
    {"in0", 'x', 's', 0, 383632, 4, {1, 1, 1, 3}, 11851, -1, 0, 11854, 0},
    {"in1", 'x', 'i', 1, 383633, 4, {1, 1, 1, 3}, 11857, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 6}, -1, 11860, 0, -1, 0},
    {"in0", 'x', 's', 0, 252704, 4, {1, 1, 1, 3}, 11872, -1, 0, 11875, 0},
    {"in1", 'x', 'i', 1, 252705, 4, {1, 1, 1, 3}, 11878, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 6}, -1, 11881, 0, -1, 0},
    {"in0", 'x', 's', 0, 221504, 4, {1, 1, 1, 1}, 11893, -1, 0, 11894, 0},
    {"in1", 'x', 'i', 1, 221505, 4, {1, 1, 1, 1}, 11895, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 2, 2}, -1, 11896, 0, -1, 0},
    {"in0", 'x', 's', 0, 220640, 5, {1, 1, 1, 1, 3}, 11900, -1, 0, 11903, 0},
    {"in1", 'x', 'i', 1, 220641, 5, {1, 1, 1, 1, 3}, 11906, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 6}, -1, 11909, 0, -1, 0},
    {"in0", 'x', 's', 0, 383808, 5, {1, 1, 1, 1, 3}, 11933, -1, 0, 11936, 0},
    {"in1", 'x', 'i', 1, 383809, 5, {1, 1, 1, 1, 3}, 11939, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 6}, -1, 11942, 0, -1, 0},
    {"in0", 'x', 's', 0, 252880, 5, {1, 1, 1, 1, 3}, 11966, -1, 0, 11969, 0},
    {"in1", 'x', 'i', 1, 252881, 5, {1, 1, 1, 1, 3}, 11972, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 6}, -1, 11975, 0, -1, 0},
    {"in0", 'x', 's', 0, 221680, 5, {1, 1, 1, 1, 1}, 11999, -1, 0, 12000, 0},
    {"in1", 'x', 'i', 1, 221681, 5, {1, 1, 1, 1, 1}, 12001, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 1, 2, 2, 2}, -1, 12002, 0, -1, 0},
    {"in0", 'x', 's', 0, 60704, 2, {2, 3}, 12010, -1, 0, 12016, 0},
    {"in1", 'x', 's', 0, 60705, 2, {2, 3}, -1, -1, 0, 12022, 0},
    {"in2", 'x', 'u', 0, 60706, 2, {2, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12028, 0, -1, 0},
    {"in0", 'x', 's', 0, 155136, 2, {2, 3}, 12034, -1, 0, 12040, 0},
    {"in1", 'x', 's', 0, 155137, 2, {2, 3}, -1, -1, 0, 12046, 0},
    {"in2", 'x', 'u', 0, 155138, 2, {2, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12052, 0, -1, 0},
    {"in0", 'x', 's', 0, 77584, 2, {2, 3}, 12058, -1, 0, 12064, 0},
    {"in1", 'x', 's', 0, 77585, 2, {2, 3}, -1, -1, 0, 12070, 0},
    {"in2", 'x', 'u', 0, 77586, 2, {2, 3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12076, 0, -1, 0},
    {"in0", 'x', 's', 0, 110816, 2, {2, 3}, 12082, -1, 0, 12088, 0},
    {"in1", 'x', 's', 0, 110817, 2, {2, 3}, -1, -1, 0, 12094, 0},
    {"in2", 'x', 's', 0, 110818, 2, {2, 3}, -1, -1, 0, 12100, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12106, 0, -1, 0},
    {"in0", 'x', 's', 0, 231024, 2, {2, 3}, 12112, -1, 0, 12118, 0},
    {"in1", 'x', 's', 0, 231025, 2, {2, 3}, -1, -1, 0, 12124, 0},
    {"in2", 'x', 's', 0, 231026, 2, {2, 3}, -1, -1, 0, 12130, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12136, 0, -1, 0},
    {"in0", 'x', 's', 0, 133456, 2, {2, 3}, 12142, -1, 0, 12148, 0},
    {"in1", 'x', 's', 0, 133457, 2, {2, 3}, -1, -1, 0, 12154, 0},
    {"in2", 'x', 's', 0, 133458, 2, {2, 3}, -1, -1, 0, 12160, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12166, 0, -1, 0},
    {"in0", 'x', 's', 0, 110064, 2, {2, 3}, 12172, -1, 0, 12178, 0},
    {"in1", 'x', 's', 0, 110065, 2, {2, 3}, -1, -1, 0, 12184, 2.9e-08},
    {"in2", 'x', 'p', 0, 110066, 2, {2, 3}, -1, -1, 0, 12190, 7.6e-09},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12196, 1.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 230272, 2, {2, 3}, 12202, -1, 0, 12208, 0},
    {"in1", 'x', 's', 0, 230273, 2, {2, 3}, -1, -1, 0, 12214, 2.4e-08},
    {"in2", 'x', 'p', 0, 230274, 2, {2, 3}, -1, -1, 0, 12220, 5.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12226, 6e-08, -1, 0},
    {"in0", 'x', 's', 0, 132704, 2, {2, 3}, 12232, -1, 0, 12238, 0},
    {"in1", 'x', 's', 0, 132705, 2, {2, 3}, -1, -1, 0, 12244, 5e-08},
    {"in2", 'x', 'p', 0, 132706, 2, {2, 3}, -1, -1, 0, 12250, 4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12256, 3.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 179808, 2, {2, 3}, 12262, -1, 0, 12268, 4.3e-09},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12274, 2e-09, -1, 0},
    {"in0", 'x', 's', 0, 325792, 2, {2, 3}, 12280, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12286, 3.5e-09, -1, 0},
    {"in0", 'x', 's', 0, 208208, 2, {2, 3}, 12292, -1, 0, 12298, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12304, 0, -1, 0},
    {"in0", 'x', 's', 0, 75152, 2, {2, 3}, 12310, -1, 0, 12316, 0},
    {"in1", 'x', 's', 0, 75153, 2, {2, 3}, -1, -1, 0, 12322, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12328, 0, -1, 0},
    {"in0", 'x', 's', 0, 178176, 2, {2, 3}, 12334, -1, 0, 12340, 0},
    {"in1", 'x', 's', 0, 178177, 2, {2, 3}, -1, -1, 0, 12346, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12352, 0, -1, 0},
    {"in0", 'x', 's', 0, 93952, 2, {2, 3}, 12358, -1, 0, 12364, 0},
    {"in1", 'x', 's', 0, 93953, 2, {2, 3}, -1, -1, 0, 12370, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12376, 0, -1, 0},
    {"in0", 'x', 's', 0, 177824, 2, {2, 3}, 12382, -1, 0, 12388, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12394, 0, -1, 0},
    {"in0", 'x', 's', 0, 323808, 2, {2, 3}, 12400, -1, 0, 12406, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12412, 0, -1, 0},
    {"in0", 'x', 's', 0, 206224, 2, {2, 3}, 12418, -1, 0, 12424, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 12430, 0, -1, 0},
    {"in0", 'x', 's', 0, 77616, 2, {2, 3}, 12436, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 12442, 0, -1, 0},
    {"in0", 'x', 's', 0, 152896, 2, {2, 3}, 12448, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 12454, 0, -1, 0},
    {"in0", 'x', 's', 0, 290288, 2, {2, 3}, 12460, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 12466, 0, -1, 0},
    {"in0", 'x', 's', 0, 179376, 2, {2, 3}, 12472, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 3}, -1, 12478, 0, -1, 0},
    {"in0", 'x', 's', 0, 258288, 3, {2, 2, 4}, 12484, -1, 0, 12500, 8.3e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 4}, -1, 12516, 4.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 430048, 3, {2, 2, 4}, 12532, -1, 0, 12548, 2.9e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 4}, -1, 12564, 3.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 292448, 3, {2, 2, 4}, 12580, -1, 0, 12596, 5.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 2, 4}, -1, 12612, 0, -1, 0},
    {"in0", 'x', 's', 0, 376288, 5, {2, 2, 1, 2, 2}, 12628, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 376289, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 376290, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 376291, 1, {2}, 12644, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 376292, 1, {2}, 12646, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 376293, 0, {0}, 12648, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 12649, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 582416, 5, {2, 2, 1, 2, 2}, 12665, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 582417, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 582418, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 582419, 1, {2}, 12681, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 582420, 1, {2}, 12683, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 582421, 0, {0}, 12685, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 12686, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 418128, 5, {2, 2, 1, 2, 2}, 12702, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 418129, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 418130, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 418131, 1, {2}, 12718, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 418132, 1, {2}, 12720, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 418133, 0, {0}, 12722, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {2, 2, 1, 2, 2}, -1, 12723, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 377728, 5, {1, 2, 1, 1, 1}, 12739, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 377729, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 377730, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 377731, 1, {2}, 12741, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 377732, 1, {2}, 12743, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 377733, 0, {0}, 12745, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 5, {1, 2, 1, 1, 1}, -1, 12746, 3.9e-09, -1, 0},
    {"in0", 'x', 's', 0, 376112, 4, {2, 2, 2, 2}, 12748, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 376113, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 376114, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 376115, 1, {2}, 12764, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 376116, 1, {2}, 12766, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 376117, 0, {0}, 12768, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 12769, 3.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 582240, 4, {2, 2, 2, 2}, 12785, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 582241, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 582242, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 582243, 1, {2}, 12801, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 582244, 1, {2}, 12803, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 582245, 0, {0}, 12805, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 12806, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 417952, 4, {2, 2, 2, 2}, 12822, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 417953, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 417954, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 417955, 1, {2}, 12838, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 417956, 1, {2}, 12840, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 417957, 0, {0}, 12842, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 2, 2, 2}, -1, 12843, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 377552, 4, {1, 2, 1, 1}, 12859, -1, 0, -1, 0},
    {"bn.weight", 'p', 'w', 0, 377553, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.bias", 'p', 'w', 0, 377554, 1, {2}, -1, -1, 0, -1, 0},
    {"bn.running_mean", 'b', 's', 0, 377555, 1, {2}, 12861, -1, 0, -1, 0},
    {"bn.running_var", 'b', 's', 0, 377556, 1, {2}, 12863, -1, 0, -1, 0},
    {"bn.num_batches_tracked", 'b', 'i', 1, 377557, 0, {0}, 12865, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 1, 1}, -1, 12866, 5.4e-09, -1, 0},
    {"in0", 'x', 's', 0, 290672, 2, {3, 4}, 12868, -1, 0, 12880, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 12892, 0, -1, 0},
    {"in0", 'x', 's', 0, 471024, 2, {3, 4}, 12895, -1, 0, 12907, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 12919, 0, -1, 0},
    {"in0", 'x', 's', 0, 326752, 2, {3, 4}, 12922, -1, 0, 12934, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 12946, 0, -1, 0},
    {"in0", 'x', 's', 0, 291872, 2, {1, 1}, 12949, -1, 0, 12950, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 12951, 0, -1, 0},
    {"in0", 'x', 's', 0, 76304, 2, {2, 3}, 12952, -1, 0, 12958, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 12964, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 12966, 0, -1, 0},
    {"in0", 'x', 's', 0, 179328, 2, {2, 3}, 12970, -1, 0, 12976, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 12982, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 12984, 0, -1, 0},
    {"in0", 'x', 's', 0, 95104, 2, {2, 3}, 12988, -1, 0, 12994, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 13000, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 2}, -1, 13002, 0, -1, 0},
    {"in0", 'x', 's', 0, 75824, 2, {2, 3}, 13006, -1, 0, 13012, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13018, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 1}, -1, 13022, 0, -1, 0},
    {"in0", 'x', 's', 0, 178848, 2, {2, 3}, 13024, -1, 0, 13030, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13036, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 1}, -1, 13040, 0, -1, 0},
    {"in0", 'x', 's', 0, 94624, 2, {2, 3}, 13042, -1, 0, 13048, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13054, 0, -1, 0},
    {"y1", 'y', 'r', 0, 901, 2, {2, 1}, -1, 13058, 0, -1, 0},
    {"in0", 'x', 's', 0, 59488, 2, {2, 3}, 13060, -1, 0, 13066, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13072, 0, -1, 0},
    {"in0", 'x', 's', 0, 153920, 2, {2, 3}, 13076, -1, 0, 13082, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13088, 0, -1, 0},
    {"in0", 'x', 's', 0, 76368, 2, {2, 3}, 13092, -1, 0, 13098, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13104, 0, -1, 0},
    {"in0", 'x', 's', 0, 59888, 2, {1, 2}, 13108, -1, 0, 13110, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13112, 0, -1, 0},
    {"in0", 'x', 's', 0, 76368, 1, {3}, 13113, -1, 0, 13116, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 3}, -1, 13119, 0, -1, 0},
    {"in0", 'x', 's', 0, 179392, 1, {3}, 13128, -1, 0, 13131, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 3}, -1, 13134, 0, -1, 0},
    {"in0", 'x', 's', 0, 95168, 1, {3}, 13143, -1, 0, 13146, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 3}, -1, 13149, 0, -1, 0},
    {"in0", 'x', 's', 0, 76848, 1, {1}, 13158, -1, 0, 13159, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13160, 0, -1, 0},
    {"in0", 'x', 's', 0, 60560, 2, {2, 3}, 13161, -1, 0, 13167, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13173, 0, -1, 0},
    {"in0", 'x', 's', 0, 154992, 2, {2, 3}, 13179, -1, 0, 13185, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13191, 0, -1, 0},
    {"in0", 'x', 's', 0, 77440, 2, {2, 3}, 13197, -1, 0, 13203, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13209, 0, -1, 0},
    {"in0", 'x', 's', 0, 60960, 2, {1, 1}, 13215, -1, 0, 13216, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13217, 0, -1, 0},
    {"in0", 'x', 's', 0, 61136, 2, {2, 3}, 13218, -1, 0, 13224, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13230, 0, -1, 0},
    {"in0", 'x', 's', 0, 155568, 2, {2, 3}, 13236, -1, 0, 13242, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13248, 0, -1, 0},
    {"in0", 'x', 's', 0, 78016, 2, {2, 3}, 13254, -1, 0, 13260, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13266, 0, -1, 0},
    {"in0", 'x', 's', 0, 61536, 2, {1, 1}, 13272, -1, 0, 13273, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13274, 0, -1, 0},
    {"in0", 'x', 's', 0, 113200, 2, {2, 4}, 13275, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 4}, -1, 13283, 0, -1, 0},
    {"in0", 'x', 's', 0, 233408, 2, {2, 4}, 13291, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 4}, -1, 13299, 0, -1, 0},
    {"in0", 'x', 's', 0, 135840, 2, {2, 4}, 13307, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {2, 4}, -1, 13315, 0, -1, 0},
    {"in0", 'x', 's', 0, 113840, 2, {1, 1}, 13323, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {1, 1}, -1, 13324, 0, -1, 0},
    {"in0", 'x', 's', 0, 109936, 2, {2, 3}, 13325, -1, 0, 13331, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 13337, 0, -1, 0},
    {"in0", 'x', 's', 0, 230144, 2, {2, 3}, 13343, -1, 0, 13349, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 13355, 0, -1, 0},
    {"in0", 'x', 's', 0, 132576, 2, {2, 3}, 13361, -1, 0, 13367, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 13373, 0, -1, 0},
    {"in0", 'x', 's', 0, 110576, 2, {1, 1}, -1, -1, 0, 13379, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 13380, 0, -1, 0},
    {"in0", 'x', 's', 0, 111344, 3, {2, 3, 1}, 13381, -1, 0, 13387, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13393, 0, -1, 0},
    {"in0", 'x', 's', 0, 231552, 3, {2, 3, 1}, 13399, -1, 0, 13405, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13411, 0, -1, 0},
    {"in0", 'x', 's', 0, 133984, 3, {2, 3, 1}, 13417, -1, 0, 13423, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13429, 0, -1, 0},
    {"in0", 'x', 's', 0, 111984, 3, {1, 1, 1}, 13435, -1, 0, 13436, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13437, 0, -1, 0},
    {"in0", 'x', 's', 0, 154912, 2, {2, 3}, 13438, -1, 0, 13444, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13450, 0, -1, 0},
    {"in0", 'x', 's', 0, 292304, 2, {2, 3}, 13456, -1, 0, 13462, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13468, 0, -1, 0},
    {"in0", 'x', 's', 0, 181392, 2, {2, 3}, 13474, -1, 0, 13480, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13486, 0, -1, 0},
    {"in0", 'x', 's', 0, 155712, 2, {1, 1}, 13492, -1, 0, 13493, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13494, 0, -1, 0},
    {"in0", 'x', 's', 0, 320960, 4, {1, 1, 2, 4}, 13495, -1, 0, 13503, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 13511, 0, -1, 0},
    {"in0", 'x', 's', 0, 509904, 4, {1, 1, 2, 4}, 13519, -1, 0, 13527, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 13535, 0, -1, 0},
    {"in0", 'x', 's', 0, 358960, 4, {1, 1, 2, 4}, 13543, -1, 0, 13551, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 2}, -1, 13559, 0, -1, 0},
    {"in0", 'x', 's', 0, 322240, 4, {1, 1, 2, 2}, 13567, -1, 0, 13571, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 4, 1, 1}, -1, 13575, 0, -1, 0},
    {"in0", 'x', 's', 0, 199776, 3, {1, 2, 3}, -1, -1, 0, 13579, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 1, 1, 2}, -1, 13585, 0, -1, 0},
    {"in0", 'x', 's', 0, 229136, 3, {1, 2, 3}, 13587, -1, 0, 13593, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 13599, 0, -1, 0},
    {"in0", 'x', 's', 0, 198816, 3, {1, 2, 3}, 13607, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 13613, 0, -1, 0},
    {"in0", 'x', 's', 0, 258416, 2, {3, 2}, 13621, -1, 0, 13627, 0},
    {"in1", 'x', 'i', 1, 258417, 2, {1, 2}, 13633, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13635, 0, -1, 0},
    {"in0", 'x', 's', 0, 430176, 2, {3, 2}, 13641, -1, 0, 13647, 0},
    {"in1", 'x', 'i', 1, 430177, 2, {1, 2}, 13653, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13655, 0, -1, 0},
    {"in0", 'x', 's', 0, 292576, 2, {3, 2}, 13661, -1, 0, 13667, 0},
    {"in1", 'x', 'i', 1, 292577, 2, {1, 2}, 13673, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13675, 0, -1, 0},
    {"in0", 'x', 's', 0, 259536, 2, {1, 2}, 13681, -1, 0, 13683, 0},
    {"in1", 'x', 'i', 1, 259537, 2, {1, 2}, 13685, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 2}, -1, 13687, 0, -1, 0},
    {"in0", 'x', 's', 0, 90800, 2, {2, 3}, 13689, -1, 0, 13695, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13701, 0, -1, 0},
    {"in0", 'x', 's', 0, 202416, 2, {2, 3}, 13707, -1, 0, 13713, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13719, 0, -1, 0},
    {"in0", 'x', 's', 0, 111520, 2, {2, 3}, 13725, -1, 0, 13731, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 13737, 0, -1, 0},
    {"in0", 'x', 'i', 1, 224720, 1, {3}, 13743, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 224721, 2, {3, 2}, 13746, -1, 0, 13752, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13758, 0, -1, 0},
    {"in0", 'x', 'i', 1, 342448, 2, {2, 2}, 13764, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 342449, 2, {3, 2}, 13768, -1, 0, 13774, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13780, 0, -1, 0},
    {"in0", 'x', 'i', 1, 387888, 1, {3}, 13784, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 387889, 2, {3, 2}, 13787, -1, 0, 13793, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13799, 0, -1, 0},
    {"in0", 'x', 'i', 1, 539984, 2, {2, 2}, 13805, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 539985, 2, {3, 2}, 13809, -1, 0, 13815, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13821, 0, -1, 0},
    {"in0", 'x', 'i', 1, 725840, 2, {2, 2}, 13825, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 725841, 2, {3, 2}, 13829, -1, 0, 13835, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13841, 0, -1, 0},
    {"in0", 'x', 'i', 1, 256960, 1, {3}, 13845, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 256961, 2, {3, 2}, 13848, -1, 0, 13854, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 2}, -1, 13860, 0, -1, 0},
    {"in0", 'x', 'i', 1, 382368, 2, {2, 2}, 13866, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 382369, 2, {3, 2}, 13870, -1, 0, 13876, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13882, 0, -1, 0},
    {"in0", 'x', 'i', 1, 541536, 2, {2, 2}, 13886, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 541537, 2, {3, 2}, 13890, -1, 0, 13896, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 13902, 0, -1, 0},
    {"in0", 'x', 'i', 1, 225760, 1, {2}, 13906, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 225761, 2, {1, 1}, 13908, -1, 0, 13909, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 1}, -1, 13910, 0, -1, 0},
    {"in0", 'x', 'i', 1, 343808, 2, {1, 1}, 13912, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 343809, 2, {1, 1}, 13913, -1, 0, 13914, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13915, 0, -1, 0},
    {"in0", 'x', 'i', 1, 495616, 2, {1, 1}, 13916, -1, 0, -1, 0},
    {"e.weight", 'p', 's', 0, 495617, 2, {1, 1}, 13917, -1, 0, 13918, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 13919, 0, -1, 0},
    {"in0", 'x', 's', 0, 133440, 1, {1}, -1, -1, 0, 13920, 0},
    {"in1", 'x', 's', 0, 133441, 1, {1}, -1, -1, 0, 13921, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13922, 0, -1, 0},
    {"in0", 'x', 's', 0, 111088, 1, {1}, -1, -1, 0, 13923, 0},
    {"in1", 'x', 's', 0, 111089, 1, {1}, -1, -1, 0, 13924, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13925, 0, -1, 0},
    {"in0", 'x', 's', 0, 283968, 1, {1}, -1, -1, 0, 13926, 0},
    {"in1", 'x', 's', 0, 283969, 1, {1}, -1, -1, 0, 13927, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13928, 0, -1, 0},
    {"in0", 'x', 's', 0, 179616, 1, {1}, -1, -1, 0, 13929, 0},
    {"in1", 'x', 's', 0, 179617, 1, {1}, -1, -1, 0, 13930, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13931, 0, -1, 0},
    {"in0", 'x', 's', 0, 324160, 1, {1}, -1, -1, 0, 13932, 2.6e-08},
    {"in1", 'x', 'o', 0, 324161, 1, {1}, -1, -1, 0, 13933, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13934, 1.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 92704, 1, {1}, -1, -1, 0, 13935, 0},
    {"in1", 'x', 'o', 0, 92705, 1, {1}, -1, -1, 0, 13936, 2.8e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13937, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 360384, 1, {1}, -1, -1, 0, 13938, 7.8e-09},
    {"in1", 'x', 'o', 0, 360385, 1, {1}, -1, -1, 0, 13939, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13940, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 505312, 1, {1}, -1, -1, 0, 13941, 0},
    {"in1", 'x', 's', 0, 505313, 1, {1}, 13942, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13943, 0, -1, 0},
    {"in0", 'x', 'o', 0, 132752, 1, {1}, -1, -1, 0, 13944, 9.6e-09},
    {"in1", 'x', 'o', 0, 132753, 1, {1}, -1, -1, 0, 13945, 9.9e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13946, 4.1e-09, -1, 0},
    {"in0", 'x', 's', 0, 394528, 1, {1}, -1, -1, 0, 13947, 0},
    {"in1", 'x', 's', 0, 394529, 1, {1}, -1, -1, 0, 13948, 0},
    {"in2", 'x', 'p', 0, 394530, 1, {1}, -1, -1, 0, 13949, 2.6e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13950, 5e-08, -1, 0},
    {"in0", 'x', 's', 0, 469920, 1, {1}, -1, -1, 0, 13951, 0},
    {"in1", 'x', 's', 0, 469921, 1, {1}, -1, -1, 0, 13952, 0},
    {"in2", 'x', 's', 0, 469922, 1, {1}, 13953, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13954, 0, -1, 0},
    {"in0", 'x', 's', 0, 471040, 2, {1, 1}, -1, -1, 0, 13955, 0},
    {"in1", 'x', 's', 0, 471041, 2, {1, 1}, -1, -1, 0, 13956, 0},
    {"in2", 'x', 's', 0, 471042, 2, {1, 1}, -1, -1, 0, 13957, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13958, 0, -1, 0},
    {"in0", 'x', 't', 0, 515120, 2, {4, 2}, -1, -1, 0, 13959, 5.8e-08},
    {"in1", 'x', 't', 0, 515121, 2, {4, 2}, -1, -1, 0, 13967, 5.2e-08},
    {"in2", 'x', 't', 0, 515122, 2, {4, 2}, -1, -1, 0, 13975, 4.5e-08},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13983, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 692752, 2, {2, 2}, 13984, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 692753, 2, {2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 692754, 2, {2, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13988, 0, -1, 0},
    {"in0", 'x', 's', 0, 547936, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 547937, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 547938, 1, {1}, 13989, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13990, 6.4e-13, -1, 0},
    {"in0", 'x', 's', 0, 786672, 2, {2, 2}, 13991, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 786673, 2, {2, 2}, -1, -1, 0, -1, 0},
    {"in2", 'x', 's', 0, 786674, 1, {2}, 13995, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 13997, 0, -1, 0},
    {"in0", 'x', 's', 0, 266336, 2, {1, 1}, -1, -1, 0, 13998, 0},
    {"in1", 'x', 'i', 1, 266337, 1, {1}, 13999, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14000, 0, -1, 0},
    {"in0", 'x', 's', 0, 133568, 2, {1, 1}, -1, -1, 0, 14001, 0},
    {"in1", 'x', 'i', 1, 133569, 1, {1}, 14002, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14003, 0, -1, 0},
    {"in0", 'x', 's', 0, 394288, 2, {1, 1}, -1, -1, 0, 14004, 0},
    {"in1", 'x', 'i', 1, 394289, 1, {1}, 14005, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14006, 0, -1, 0},
    {"in0", 'x', 's', 0, 598976, 2, {2, 2}, 14007, -1, 0, 14011, 0},
    {"in1", 'x', 'i', 1, 598977, 1, {2}, 14015, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14017, 0, -1, 0},
    {"in0", 'x', 's', 0, 595408, 2, {1, 1}, -1, -1, 0, 14018, 0},
    {"in1", 'x', 'i', 1, 595409, 2, {1, 1}, 14019, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14020, 0, -1, 0},
    {"in0", 'x', 's', 0, 842656, 2, {2, 2}, 14021, -1, 0, 14025, 0},
    {"in1", 'x', 'i', 1, 842657, 2, {2, 2}, 14029, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14033, 0, -1, 0},
    {"in0", 'x', 's', 0, 510032, 2, {2, 4}, 14034, -1, 0, 14042, 1.4e-07},
    {"a.head.weight", 'p', 'w', 0, 510033, 2, {3, 4}, -1, -1, 0, 14050, 0},
    {"a.tail.0.0.weight", 'p', 'w', 0, 510034, 2, {1, 4}, -1, -1, 0, 14062, 0},
    {"a.tail.0.1.weight", 'p', 'w', 0, 510035, 2, {2, 1}, -1, -1, 0, 14066, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 14068, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 741936, 2, {2, 4}, 14076, -1, 0, 14084, 0},
    {"a.head.weight", 'p', 'w', 0, 741937, 2, {3, 4}, -1, -1, 0, 14092, 0},
    {"a.tail.0.0.weight", 'p', 'w', 0, 741938, 2, {1, 4}, -1, -1, 0, 14104, 0},
    {"a.tail.0.1.weight", 'p', 'w', 0, 741939, 2, {2, 1}, -1, -1, 0, 14108, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 14110, 0, -1, 0},
    {"in0", 'x', 's', 0, 557632, 2, {2, 4}, 14118, -1, 0, 14126, 1.1e-07},
    {"a.head.weight", 'p', 'w', 0, 557633, 2, {3, 4}, -1, -1, 0, 14134, 1.1e-07},
    {"a.tail.0.0.weight", 'p', 'w', 0, 557634, 2, {1, 4}, -1, -1, 0, 14146, 5.9e-08},
    {"a.tail.0.1.weight", 'p', 'w', 0, 557635, 2, {2, 1}, -1, -1, 0, 14150, 1.6e-07},
    {"y0", 'y', 'r', 0, 900, 2, {2, 4}, -1, 14152, 9e-09, -1, 0},
    {"in0", 'x', 's', 0, 357040, 2, {4, 2}, 14160, -1, 0, 14168, 6.8e-08},
    {"in1", 'x', 'b', 0, 357041, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 14176, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 554576, 2, {4, 2}, 14184, -1, 0, 14192, 3.9e-08},
    {"in1", 'x', 'b', 0, 554577, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 14200, 1.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 396960, 2, {4, 2}, 14208, -1, 0, 14216, 4.8e-08},
    {"in1", 'x', 'b', 0, 396961, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 14224, 2.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 358400, 2, {1, 1}, 14232, -1, 0, 14233, 0},
    {"in1", 'x', 'b', 0, 358401, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {1, 1}, -1, 14234, 2.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 841264, 2, {4, 2}, 14235, -1, 0, 14243, 9.3e-08},
    {"in1", 'x', 'b', 0, 841265, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 14251, 3.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 1133312, 2, {4, 2}, 14255, -1, 0, 14263, 1.5e-08},
    {"in1", 'x', 'b', 0, 1133313, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 14271, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 902304, 2, {4, 2}, 14275, -1, 0, 14283, 2.5e-08},
    {"in1", 'x', 'b', 0, 902305, 2, {4, 2}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {4}, -1, 14291, 7.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 843504, 2, {1, 1}, 14295, -1, 0, 14296, 2e-08},
    {"in1", 'x', 'b', 0, 843505, 2, {1, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {1}, -1, 14297, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 260832, 1, {3}, 14298, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 260833, 1, {3}, 14301, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 14304, 0, -1, 0},
    {"in0", 'x', 's', 0, 132032, 1, {2}, 14307, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 132033, 1, {2}, 14309, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 14311, 0, -1, 0},
    {"in0", 'x', 's', 0, 133216, 3, {1, 1, 2}, -1, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 133217, 2, {1, 1}, 14313, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 133218, 1, {1}, 14314, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 133219, 1, {1}, 14315, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14316, 0, -1, 0},
    {"in0", 'x', 's', 0, 261296, 3, {3, 2, 2}, 14317, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 261297, 2, {2, 1}, 14329, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 261298, 1, {2}, 14331, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 261299, 1, {2}, 14333, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 14335, 0, -1, 0},
    {"in0", 'x', 's', 0, 157056, 3, {3, 2, 2}, 14337, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 157057, 2, {2, 1}, 14349, -1, 0, -1, 0},
    {"in2", 'x', 'i', 1, 157058, 1, {2}, 14351, -1, 0, -1, 0},
    {"in3", 'x', 'i', 1, 157059, 1, {2}, 14353, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {2}, -1, 14355, 1.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 523312, 2, {3, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 'i', 1, 523313, 1, {3}, 14357, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14360, 0, -1, 0},
    {"in0", 'x', 's', 0, 708528, 2, {3, 4}, -1, -1, 0, 14361, 0},
    {"in1", 'x', 'i', 1, 708529, 1, {3}, 14373, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 0, {0}, -1, 14376, 0, -1, 0},
    {"in0", 'x', 's', 0, 292848, 2, {2, 3}, -1, -1, 0, 14377, 3.1e-07},
    {"in1", 'x', 's', 0, 292849, 2, {2, 3}, 14383, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 14389, 7.2e-08, -1, 0},
    {"in0", 'x', 'i', 1, 487504, 2, {2, 2}, 14395, -1, 0, -1, 0},
    {"bag.weight", 'p', 's', 0, 487505, 2, {3, 2}, -1, -1, 0, 14399, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 2}, -1, 14405, 0, -1, 0},
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
    {"conv1d_nan", edges_conv1d_nan, 45, 4, CATALOGUE_BOTH, false},
    {"conv1d_infinite", edges_conv1d_infinite, 49, 4, CATALOGUE_BOTH, false},
    {"conv1d_ties", edges_conv1d_ties, 53, 4, CATALOGUE_BOTH, false},
    {"conv1d_one", edges_conv1d_one, 57, 4, CATALOGUE_BOTH, false},
    {"conv2d_nan", edges_conv2d_nan, 61, 4, CATALOGUE_PLAN, false},
    {"conv2d_infinite", edges_conv2d_infinite, 65, 4, CATALOGUE_PLAN, false},
    {"conv2d_ties", edges_conv2d_ties, 69, 4, CATALOGUE_BOTH, false},
    {"conv2d_one", edges_conv2d_one, 73, 4, CATALOGUE_BOTH, false},
    {"depthwise_nan", edges_depthwise_nan, 77, 4, CATALOGUE_PLAN, false},
    {"depthwise_infinite", edges_depthwise_infinite, 81, 4, CATALOGUE_PLAN, false},
    {"depthwise_ties", edges_depthwise_ties, 85, 4, CATALOGUE_BOTH, false},
    {"depthwise_one", edges_depthwise_one, 89, 4, CATALOGUE_BOTH, false},
    {"conv_transpose1d_nan", edges_conv_transpose1d_nan, 93, 4, CATALOGUE_BOTH, false},
    {"conv_transpose1d_infinite", edges_conv_transpose1d_infinite, 97, 4, CATALOGUE_BOTH,
        false},
    {"conv_transpose1d_ties", edges_conv_transpose1d_ties, 101, 4, CATALOGUE_BOTH, false},
    {"conv_transpose1d_one", edges_conv_transpose1d_one, 105, 4, CATALOGUE_BOTH, false},
    {"conv_transpose2d_nan", edges_conv_transpose2d_nan, 109, 4, CATALOGUE_BOTH, false},
    {"conv_transpose2d_infinite", edges_conv_transpose2d_infinite, 113, 4, CATALOGUE_BOTH,
        false},
    {"conv_transpose2d_ties", edges_conv_transpose2d_ties, 117, 4, CATALOGUE_BOTH, false},
    {"conv_transpose2d_one", edges_conv_transpose2d_one, 121, 4, CATALOGUE_BOTH, false},
    {"max_pool1d_nan", edges_max_pool1d_nan, 125, 3, CATALOGUE_BOTH, false},
    {"max_pool1d_infinite", edges_max_pool1d_infinite, 128, 3, CATALOGUE_BOTH, false},
    {"max_pool1d_ties", edges_max_pool1d_ties, 131, 3, CATALOGUE_BOTH, false},
    {"max_pool1d_one", edges_max_pool1d_one, 134, 3, CATALOGUE_BOTH, false},
    {"avg_pool1d_nan", edges_avg_pool1d_nan, 137, 2, CATALOGUE_BOTH, false},
    {"avg_pool1d_infinite", edges_avg_pool1d_infinite, 139, 2, CATALOGUE_BOTH, false},
    {"avg_pool1d_ties", edges_avg_pool1d_ties, 141, 2, CATALOGUE_BOTH, false},
    {"avg_pool1d_one", edges_avg_pool1d_one, 143, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool1d_nan", edges_adaptive_max_pool1d_nan, 145, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool1d_infinite", edges_adaptive_max_pool1d_infinite, 148, 3, CATALOGUE_BOTH,
        false},
    {"adaptive_max_pool1d_ties", edges_adaptive_max_pool1d_ties, 151, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool1d_one", edges_adaptive_max_pool1d_one, 154, 3, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool1d_nan", edges_adaptive_avg_pool1d_nan, 157, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool1d_infinite", edges_adaptive_avg_pool1d_infinite, 159, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_avg_pool1d_ties", edges_adaptive_avg_pool1d_ties, 161, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool1d_one", edges_adaptive_avg_pool1d_one, 163, 2, CATALOGUE_BOTH, false},
    {"max_pool2d_nan", edges_max_pool2d_nan, 165, 3, CATALOGUE_BOTH, false},
    {"max_pool2d_infinite", edges_max_pool2d_infinite, 168, 3, CATALOGUE_BOTH, false},
    {"max_pool2d_ties", edges_max_pool2d_ties, 171, 3, CATALOGUE_BOTH, false},
    {"max_pool2d_one", edges_max_pool2d_one, 174, 3, CATALOGUE_BOTH, false},
    {"avg_pool2d_nan", edges_avg_pool2d_nan, 177, 2, CATALOGUE_BOTH, false},
    {"avg_pool2d_infinite", edges_avg_pool2d_infinite, 179, 2, CATALOGUE_BOTH, false},
    {"avg_pool2d_ties", edges_avg_pool2d_ties, 181, 2, CATALOGUE_BOTH, false},
    {"avg_pool2d_one", edges_avg_pool2d_one, 183, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool2d_nan", edges_adaptive_max_pool2d_nan, 185, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool2d_infinite", edges_adaptive_max_pool2d_infinite, 188, 3, CATALOGUE_BOTH,
        false},
    {"adaptive_max_pool2d_ties", edges_adaptive_max_pool2d_ties, 191, 3, CATALOGUE_BOTH, false},
    {"adaptive_max_pool2d_one", edges_adaptive_max_pool2d_one, 194, 3, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool2d_nan", edges_adaptive_avg_pool2d_nan, 197, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool2d_infinite", edges_adaptive_avg_pool2d_infinite, 199, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_avg_pool2d_ties", edges_adaptive_avg_pool2d_ties, 201, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool2d_one", edges_adaptive_avg_pool2d_one, 203, 2, CATALOGUE_BOTH, false},
    {"global_avg_pool2d_nan", edges_global_avg_pool2d_nan, 205, 2, CATALOGUE_BOTH, false},
    {"global_avg_pool2d_infinite", edges_global_avg_pool2d_infinite, 207, 2, CATALOGUE_BOTH,
        false},
    {"global_avg_pool2d_ties", edges_global_avg_pool2d_ties, 209, 2, CATALOGUE_BOTH, false},
    {"global_avg_pool2d_one", edges_global_avg_pool2d_one, 211, 2, CATALOGUE_BOTH, false},
    {"layer_norm_nan", edges_layer_norm_nan, 213, 2, CATALOGUE_BOTH, false},
    {"layer_norm_infinite", edges_layer_norm_infinite, 215, 2, CATALOGUE_BOTH, false},
    {"layer_norm_ties", edges_layer_norm_ties, 217, 2, CATALOGUE_BOTH, false},
    {"layer_norm_one", edges_layer_norm_one, 219, 2, CATALOGUE_BOTH, false},
    {"rms_norm_nan", edges_rms_norm_nan, 221, 2, CATALOGUE_BOTH, false},
    {"rms_norm_infinite", edges_rms_norm_infinite, 223, 2, CATALOGUE_BOTH, false},
    {"rms_norm_ties", edges_rms_norm_ties, 225, 2, CATALOGUE_BOTH, false},
    {"rms_norm_one", edges_rms_norm_one, 227, 2, CATALOGUE_BOTH, false},
    {"group_norm_nan", edges_group_norm_nan, 229, 2, CATALOGUE_BOTH, false},
    {"group_norm_infinite", edges_group_norm_infinite, 231, 2, CATALOGUE_BOTH, false},
    {"group_norm_ties", edges_group_norm_ties, 233, 2, CATALOGUE_BOTH, false},
    {"group_norm_one", edges_group_norm_one, 235, 2, CATALOGUE_BOTH, false},
    {"batch_norm1d_nan", edges_batch_norm1d_nan, 237, 7, CATALOGUE_STEP, false},
    {"batch_norm1d_infinite", edges_batch_norm1d_infinite, 244, 7, CATALOGUE_STEP, false},
    {"batch_norm1d_ties", edges_batch_norm1d_ties, 251, 7, CATALOGUE_STEP, false},
    {"batch_norm1d_eval_nan", edges_batch_norm1d_eval_nan, 258, 7, CATALOGUE_PLAN, false},
    {"batch_norm1d_eval_infinite", edges_batch_norm1d_eval_infinite, 265, 7, CATALOGUE_PLAN,
        false},
    {"batch_norm1d_eval_ties", edges_batch_norm1d_eval_ties, 272, 7, CATALOGUE_PLAN, false},
    {"batch_norm1d_eval_one", edges_batch_norm1d_eval_one, 279, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_nan", edges_batch_norm2d_nan, 286, 7, CATALOGUE_STEP, false},
    {"batch_norm2d_ties", edges_batch_norm2d_ties, 293, 7, CATALOGUE_STEP, false},
    {"batch_norm3d_nan", edges_batch_norm3d_nan, 300, 7, CATALOGUE_STEP, false},
    {"batch_norm3d_ties", edges_batch_norm3d_ties, 307, 7, CATALOGUE_STEP, false},
    {"local_response_norm_nan", edges_local_response_norm_nan, 314, 2, CATALOGUE_BOTH, false},
    {"local_response_norm_infinite", edges_local_response_norm_infinite, 316, 2, CATALOGUE_BOTH,
        false},
    {"local_response_norm_ties", edges_local_response_norm_ties, 318, 2, CATALOGUE_BOTH, false},
    {"local_response_norm_one", edges_local_response_norm_one, 320, 2, CATALOGUE_BOTH, false},
    {"normalize_nan", edges_normalize_nan, 322, 2, CATALOGUE_BOTH, false},
    {"normalize_infinite", edges_normalize_infinite, 324, 2, CATALOGUE_BOTH, false},
    {"normalize_ties", edges_normalize_ties, 326, 2, CATALOGUE_BOTH, false},
    {"normalize_one", edges_normalize_one, 328, 2, CATALOGUE_BOTH, false},
    {"cosine_similarity_nan", edges_cosine_similarity_nan, 330, 3, CATALOGUE_BOTH, false},
    {"cosine_similarity_infinite", edges_cosine_similarity_infinite, 333, 3, CATALOGUE_BOTH,
        false},
    {"cosine_similarity_ties", edges_cosine_similarity_ties, 336, 3, CATALOGUE_BOTH, false},
    {"cosine_similarity_one", edges_cosine_similarity_one, 339, 3, CATALOGUE_BOTH, false},
    {"softmax_nan", edges_softmax_nan, 342, 2, CATALOGUE_BOTH, false},
    {"softmax_infinite", edges_softmax_infinite, 344, 2, CATALOGUE_BOTH, false},
    {"softmax_ties", edges_softmax_ties, 346, 2, CATALOGUE_BOTH, false},
    {"softmax_one", edges_softmax_one, 348, 2, CATALOGUE_BOTH, false},
    {"softmax_over_nan", edges_softmax_over_nan, 350, 2, CATALOGUE_BOTH, false},
    {"softmax_over_infinite", edges_softmax_over_infinite, 352, 2, CATALOGUE_BOTH, false},
    {"softmax_over_ties", edges_softmax_over_ties, 354, 2, CATALOGUE_BOTH, false},
    {"softmax_over_one", edges_softmax_over_one, 356, 2, CATALOGUE_BOTH, false},
    {"log_softmax_nan", edges_log_softmax_nan, 358, 2, CATALOGUE_BOTH, false},
    {"log_softmax_infinite", edges_log_softmax_infinite, 360, 2, CATALOGUE_BOTH, false},
    {"log_softmax_ties", edges_log_softmax_ties, 362, 2, CATALOGUE_BOTH, false},
    {"log_softmax_one", edges_log_softmax_one, 364, 2, CATALOGUE_BOTH, false},
    {"log_softmax_over_nan", edges_log_softmax_over_nan, 366, 2, CATALOGUE_BOTH, false},
    {"log_softmax_over_infinite", edges_log_softmax_over_infinite, 368, 2, CATALOGUE_BOTH,
        false},
    {"log_softmax_over_ties", edges_log_softmax_over_ties, 370, 2, CATALOGUE_BOTH, false},
    {"log_softmax_over_one", edges_log_softmax_over_one, 372, 2, CATALOGUE_BOTH, false},
    {"softmin_nan", edges_softmin_nan, 374, 2, CATALOGUE_BOTH, false},
    {"softmin_infinite", edges_softmin_infinite, 376, 2, CATALOGUE_BOTH, false},
    {"softmin_ties", edges_softmin_ties, 378, 2, CATALOGUE_BOTH, false},
    {"softmin_one", edges_softmin_one, 380, 2, CATALOGUE_BOTH, false},
    {"softmin_over_nan", edges_softmin_over_nan, 382, 2, CATALOGUE_BOTH, false},
    {"softmin_over_infinite", edges_softmin_over_infinite, 384, 2, CATALOGUE_BOTH, false},
    {"softmin_over_ties", edges_softmin_over_ties, 386, 2, CATALOGUE_BOTH, false},
    {"softmin_over_one", edges_softmin_over_one, 388, 2, CATALOGUE_BOTH, false},
    {"glu_nan", edges_glu_nan, 390, 2, CATALOGUE_BOTH, false},
    {"glu_infinite", edges_glu_infinite, 392, 2, CATALOGUE_BOTH, false},
    {"glu_ties", edges_glu_ties, 394, 2, CATALOGUE_BOTH, false},
    {"glu_one", edges_glu_one, 396, 2, CATALOGUE_BOTH, false},
    {"prod_nan", edges_prod_nan, 398, 2, CATALOGUE_PLAN, false},
    {"prod_infinite", edges_prod_infinite, 400, 2, CATALOGUE_PLAN, false},
    {"prod_ties", edges_prod_ties, 402, 2, CATALOGUE_BOTH, false},
    {"prod_one", edges_prod_one, 404, 2, CATALOGUE_BOTH, false},
    {"sum_nan", edges_sum_nan, 406, 2, CATALOGUE_BOTH, false},
    {"sum_infinite", edges_sum_infinite, 408, 2, CATALOGUE_BOTH, false},
    {"sum_ties", edges_sum_ties, 410, 2, CATALOGUE_BOTH, false},
    {"sum_one", edges_sum_one, 412, 2, CATALOGUE_BOTH, false},
    {"mean_nan", edges_mean_nan, 414, 2, CATALOGUE_BOTH, false},
    {"mean_infinite", edges_mean_infinite, 416, 2, CATALOGUE_BOTH, false},
    {"mean_ties", edges_mean_ties, 418, 2, CATALOGUE_BOTH, false},
    {"mean_one", edges_mean_one, 420, 2, CATALOGUE_BOTH, false},
    {"amax_nan", edges_amax_nan, 422, 2, CATALOGUE_BOTH, false},
    {"amax_infinite", edges_amax_infinite, 424, 2, CATALOGUE_BOTH, false},
    {"amax_ties", edges_amax_ties, 426, 2, CATALOGUE_BOTH, false},
    {"amax_one", edges_amax_one, 428, 2, CATALOGUE_BOTH, false},
    {"amin_nan", edges_amin_nan, 430, 2, CATALOGUE_BOTH, false},
    {"amin_infinite", edges_amin_infinite, 432, 2, CATALOGUE_BOTH, false},
    {"amin_ties", edges_amin_ties, 434, 2, CATALOGUE_BOTH, false},
    {"amin_one", edges_amin_one, 436, 2, CATALOGUE_BOTH, false},
    {"norm_nan", edges_norm_nan, 438, 2, CATALOGUE_BOTH, false},
    {"norm_infinite", edges_norm_infinite, 440, 2, CATALOGUE_BOTH, false},
    {"norm_ties", edges_norm_ties, 442, 2, CATALOGUE_BOTH, false},
    {"norm_one", edges_norm_one, 444, 2, CATALOGUE_BOTH, false},
    {"logsumexp_nan", edges_logsumexp_nan, 446, 2, CATALOGUE_BOTH, false},
    {"logsumexp_infinite", edges_logsumexp_infinite, 448, 2, CATALOGUE_BOTH, false},
    {"logsumexp_ties", edges_logsumexp_ties, 450, 2, CATALOGUE_BOTH, false},
    {"logsumexp_one", edges_logsumexp_one, 452, 2, CATALOGUE_BOTH, false},
    {"var_nan", edges_var_nan, 454, 2, CATALOGUE_BOTH, false},
    {"var_infinite", edges_var_infinite, 456, 2, CATALOGUE_BOTH, false},
    {"var_ties", edges_var_ties, 458, 2, CATALOGUE_BOTH, false},
    {"var_one", edges_var_one, 460, 2, CATALOGUE_BOTH, false},
    {"std_nan", edges_std_nan, 462, 2, CATALOGUE_BOTH, false},
    {"std_infinite", edges_std_infinite, 464, 2, CATALOGUE_BOTH, false},
    {"std_ties", edges_std_ties, 466, 2, CATALOGUE_BOTH, false},
    {"std_one", edges_std_one, 468, 2, CATALOGUE_BOTH, false},
    {"argmax_nan", edges_argmax_nan, 470, 2, CATALOGUE_PLAN, false},
    {"argmax_infinite", edges_argmax_infinite, 472, 2, CATALOGUE_PLAN, false},
    {"argmax_ties", edges_argmax_ties, 474, 2, CATALOGUE_PLAN, false},
    {"argmax_one", edges_argmax_one, 476, 2, CATALOGUE_PLAN, false},
    {"argmin_nan", edges_argmin_nan, 478, 2, CATALOGUE_PLAN, false},
    {"argmin_infinite", edges_argmin_infinite, 480, 2, CATALOGUE_PLAN, false},
    {"argmin_ties", edges_argmin_ties, 482, 2, CATALOGUE_PLAN, false},
    {"argmin_one", edges_argmin_one, 484, 2, CATALOGUE_PLAN, false},
    {"any_nan", edges_any_nan, 486, 2, CATALOGUE_PLAN, false},
    {"any_infinite", edges_any_infinite, 488, 2, CATALOGUE_PLAN, false},
    {"any_ties", edges_any_ties, 490, 2, CATALOGUE_PLAN, false},
    {"any_one", edges_any_one, 492, 2, CATALOGUE_PLAN, false},
    {"all_nan", edges_all_nan, 494, 2, CATALOGUE_PLAN, false},
    {"all_infinite", edges_all_infinite, 496, 2, CATALOGUE_PLAN, false},
    {"all_ties", edges_all_ties, 498, 2, CATALOGUE_PLAN, false},
    {"all_one", edges_all_one, 500, 2, CATALOGUE_PLAN, false},
    {"cumsum_nan", edges_cumsum_nan, 502, 2, CATALOGUE_BOTH, false},
    {"cumsum_infinite", edges_cumsum_infinite, 504, 2, CATALOGUE_BOTH, false},
    {"cumsum_ties", edges_cumsum_ties, 506, 2, CATALOGUE_BOTH, false},
    {"cumsum_one", edges_cumsum_one, 508, 2, CATALOGUE_BOTH, false},
    {"permute_nan", edges_permute_nan, 510, 2, CATALOGUE_BOTH, false},
    {"permute_infinite", edges_permute_infinite, 512, 2, CATALOGUE_BOTH, false},
    {"permute_ties", edges_permute_ties, 514, 2, CATALOGUE_BOTH, false},
    {"permute_one", edges_permute_one, 516, 2, CATALOGUE_BOTH, false},
    {"slice_nan", edges_slice_nan, 518, 2, CATALOGUE_BOTH, false},
    {"slice_infinite", edges_slice_infinite, 520, 2, CATALOGUE_BOTH, false},
    {"slice_ties", edges_slice_ties, 522, 2, CATALOGUE_BOTH, false},
    {"slice_one", edges_slice_one, 524, 2, CATALOGUE_BOTH, false},
    {"concat_nan", edges_concat_nan, 526, 2, CATALOGUE_BOTH, false},
    {"concat_infinite", edges_concat_infinite, 528, 2, CATALOGUE_BOTH, false},
    {"concat_ties", edges_concat_ties, 530, 2, CATALOGUE_BOTH, false},
    {"concat_one", edges_concat_one, 532, 2, CATALOGUE_BOTH, false},
    {"stack_nan", edges_stack_nan, 534, 2, CATALOGUE_BOTH, false},
    {"stack_infinite", edges_stack_infinite, 536, 2, CATALOGUE_BOTH, false},
    {"stack_ties", edges_stack_ties, 538, 2, CATALOGUE_BOTH, false},
    {"stack_one", edges_stack_one, 540, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_nan", edges_pad_replicate_nan, 542, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_infinite", edges_pad_replicate_infinite, 544, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_ties", edges_pad_replicate_ties, 546, 2, CATALOGUE_BOTH, false},
    {"pad_replicate_one", edges_pad_replicate_one, 548, 2, CATALOGUE_BOTH, false},
    {"pad_nan", edges_pad_nan, 550, 2, CATALOGUE_BOTH, false},
    {"pad_infinite", edges_pad_infinite, 552, 2, CATALOGUE_BOTH, false},
    {"pad_ties", edges_pad_ties, 554, 2, CATALOGUE_BOTH, false},
    {"pad_one", edges_pad_one, 556, 2, CATALOGUE_BOTH, false},
    {"flip_nan", edges_flip_nan, 558, 2, CATALOGUE_BOTH, false},
    {"flip_infinite", edges_flip_infinite, 560, 2, CATALOGUE_BOTH, false},
    {"flip_ties", edges_flip_ties, 562, 2, CATALOGUE_BOTH, false},
    {"flip_one", edges_flip_one, 564, 2, CATALOGUE_BOTH, false},
    {"roll_nan", edges_roll_nan, 566, 2, CATALOGUE_BOTH, false},
    {"roll_infinite", edges_roll_infinite, 568, 2, CATALOGUE_BOTH, false},
    {"roll_ties", edges_roll_ties, 570, 2, CATALOGUE_BOTH, false},
    {"roll_one", edges_roll_one, 572, 2, CATALOGUE_BOTH, false},
    {"repeat_nan", edges_repeat_nan, 574, 2, CATALOGUE_BOTH, false},
    {"repeat_infinite", edges_repeat_infinite, 576, 2, CATALOGUE_BOTH, false},
    {"repeat_ties", edges_repeat_ties, 578, 2, CATALOGUE_BOTH, false},
    {"repeat_one", edges_repeat_one, 580, 2, CATALOGUE_BOTH, false},
    {"repeat_interleave_nan", edges_repeat_interleave_nan, 582, 2, CATALOGUE_BOTH, false},
    {"repeat_interleave_infinite", edges_repeat_interleave_infinite, 584, 2, CATALOGUE_BOTH,
        false},
    {"repeat_interleave_ties", edges_repeat_interleave_ties, 586, 2, CATALOGUE_BOTH, false},
    {"repeat_interleave_one", edges_repeat_interleave_one, 588, 2, CATALOGUE_BOTH, false},
    {"unflatten_nan", edges_unflatten_nan, 590, 2, CATALOGUE_BOTH, false},
    {"unflatten_infinite", edges_unflatten_infinite, 592, 2, CATALOGUE_BOTH, false},
    {"unflatten_ties", edges_unflatten_ties, 594, 2, CATALOGUE_BOTH, false},
    {"unflatten_one", edges_unflatten_one, 596, 2, CATALOGUE_BOTH, false},
    {"squeeze_nan", edges_squeeze_nan, 598, 2, CATALOGUE_BOTH, false},
    {"squeeze_infinite", edges_squeeze_infinite, 600, 2, CATALOGUE_BOTH, false},
    {"squeeze_ties", edges_squeeze_ties, 602, 2, CATALOGUE_BOTH, false},
    {"squeeze_one", edges_squeeze_one, 604, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_nan", edges_unsqueeze_nan, 606, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_infinite", edges_unsqueeze_infinite, 608, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_ties", edges_unsqueeze_ties, 610, 2, CATALOGUE_BOTH, false},
    {"unsqueeze_one", edges_unsqueeze_one, 612, 2, CATALOGUE_BOTH, false},
    {"expand_nan", edges_expand_nan, 614, 2, CATALOGUE_BOTH, false},
    {"expand_infinite", edges_expand_infinite, 616, 2, CATALOGUE_BOTH, false},
    {"expand_ties", edges_expand_ties, 618, 2, CATALOGUE_BOTH, false},
    {"expand_one", edges_expand_one, 620, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_nan", edges_pixel_shuffle_nan, 622, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_infinite", edges_pixel_shuffle_infinite, 624, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_ties", edges_pixel_shuffle_ties, 626, 2, CATALOGUE_BOTH, false},
    {"pixel_shuffle_one", edges_pixel_shuffle_one, 628, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_nan", edges_channel_shuffle_nan, 630, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_infinite", edges_channel_shuffle_infinite, 632, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_ties", edges_channel_shuffle_ties, 634, 2, CATALOGUE_BOTH, false},
    {"channel_shuffle_one", edges_channel_shuffle_one, 636, 2, CATALOGUE_BOTH, false},
    {"index_select_nan", edges_index_select_nan, 638, 3, CATALOGUE_BOTH, false},
    {"index_select_infinite", edges_index_select_infinite, 641, 3, CATALOGUE_BOTH, false},
    {"index_select_ties", edges_index_select_ties, 644, 3, CATALOGUE_BOTH, false},
    {"index_select_one", edges_index_select_one, 647, 3, CATALOGUE_BOTH, false},
    {"sort_nan", edges_sort_nan, 650, 3, CATALOGUE_BOTH, false},
    {"sort_infinite", edges_sort_infinite, 653, 3, CATALOGUE_BOTH, false},
    {"sort_ties", edges_sort_ties, 656, 3, CATALOGUE_BOTH, false},
    {"sort_one", edges_sort_one, 659, 3, CATALOGUE_BOTH, false},
    {"top_k_nan", edges_top_k_nan, 662, 2, CATALOGUE_BOTH, false},
    {"top_k_infinite", edges_top_k_infinite, 664, 2, CATALOGUE_BOTH, false},
    {"top_k_ties", edges_top_k_ties, 666, 2, CATALOGUE_PLAN, false},
    {"top_k_one", edges_top_k_one, 668, 2, CATALOGUE_BOTH, false},
    {"kthvalue_nan", edges_kthvalue_nan, 670, 2, CATALOGUE_BOTH, false},
    {"kthvalue_infinite", edges_kthvalue_infinite, 672, 2, CATALOGUE_BOTH, false},
    {"kthvalue_ties", edges_kthvalue_ties, 674, 2, CATALOGUE_PLAN, false},
    {"kthvalue_one", edges_kthvalue_one, 676, 2, CATALOGUE_BOTH, false},
    {"median_nan", edges_median_nan, 678, 2, CATALOGUE_BOTH, false},
    {"median_infinite", edges_median_infinite, 680, 2, CATALOGUE_BOTH, false},
    {"median_ties", edges_median_ties, 682, 2, CATALOGUE_PLAN, false},
    {"median_one", edges_median_one, 684, 2, CATALOGUE_BOTH, false},
    {"median_nans", edges_median_nans, 686, 2, CATALOGUE_BOTH, false},
    {"cumprod_nan", edges_cumprod_nan, 688, 2, CATALOGUE_PLAN, false},
    {"cumprod_infinite", edges_cumprod_infinite, 690, 2, CATALOGUE_PLAN, false},
    {"cumprod_ties", edges_cumprod_ties, 692, 2, CATALOGUE_BOTH, false},
    {"cumprod_one", edges_cumprod_one, 694, 2, CATALOGUE_BOTH, false},
    {"logcumsumexp_nan", edges_logcumsumexp_nan, 696, 2, CATALOGUE_PLAN, false},
    {"logcumsumexp_infinite", edges_logcumsumexp_infinite, 698, 2, CATALOGUE_PLAN, false},
    {"logcumsumexp_ties", edges_logcumsumexp_ties, 700, 2, CATALOGUE_BOTH, false},
    {"logcumsumexp_one", edges_logcumsumexp_one, 702, 2, CATALOGUE_BOTH, false},
    {"cummax_nan", edges_cummax_nan, 704, 3, CATALOGUE_BOTH, false},
    {"cummax_infinite", edges_cummax_infinite, 707, 3, CATALOGUE_BOTH, false},
    {"cummax_ties", edges_cummax_ties, 710, 3, CATALOGUE_BOTH, false},
    {"cummax_one", edges_cummax_one, 713, 3, CATALOGUE_BOTH, false},
    {"cummin_nan", edges_cummin_nan, 716, 3, CATALOGUE_BOTH, false},
    {"cummin_infinite", edges_cummin_infinite, 719, 3, CATALOGUE_BOTH, false},
    {"cummin_ties", edges_cummin_ties, 722, 3, CATALOGUE_BOTH, false},
    {"cummin_one", edges_cummin_one, 725, 3, CATALOGUE_BOTH, false},
    {"gather_nan", edges_gather_nan, 728, 3, CATALOGUE_BOTH, false},
    {"gather_infinite", edges_gather_infinite, 731, 3, CATALOGUE_BOTH, false},
    {"gather_ties", edges_gather_ties, 734, 3, CATALOGUE_BOTH, false},
    {"gather_one", edges_gather_one, 737, 3, CATALOGUE_BOTH, false},
    {"scatter_add_nan", edges_scatter_add_nan, 740, 4, CATALOGUE_BOTH, false},
    {"scatter_add_infinite", edges_scatter_add_infinite, 744, 4, CATALOGUE_BOTH, false},
    {"scatter_add_ties", edges_scatter_add_ties, 748, 4, CATALOGUE_BOTH, false},
    {"scatter_add_one", edges_scatter_add_one, 752, 4, CATALOGUE_BOTH, false},
    {"scatter_nan", edges_scatter_nan, 756, 4, CATALOGUE_BOTH, false},
    {"scatter_infinite", edges_scatter_infinite, 760, 4, CATALOGUE_BOTH, false},
    {"scatter_ties", edges_scatter_ties, 764, 4, CATALOGUE_BOTH, false},
    {"scatter_one", edges_scatter_one, 768, 4, CATALOGUE_BOTH, false},
    {"embedding_nan", edges_embedding_nan, 772, 3, CATALOGUE_BOTH, false},
    {"embedding_infinite", edges_embedding_infinite, 775, 3, CATALOGUE_BOTH, false},
    {"embedding_ties", edges_embedding_ties, 778, 3, CATALOGUE_BOTH, false},
    {"embedding_one", edges_embedding_one, 781, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_nan", edges_pairwise_distance_nan, 784, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_infinite", edges_pairwise_distance_infinite, 787, 3, CATALOGUE_BOTH,
        false},
    {"pairwise_distance_ties", edges_pairwise_distance_ties, 790, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_one", edges_pairwise_distance_one, 793, 3, CATALOGUE_BOTH, false},
    {"cdist_nan", edges_cdist_nan, 796, 3, CATALOGUE_BOTH, false},
    {"cdist_infinite", edges_cdist_infinite, 799, 3, CATALOGUE_BOTH, false},
    {"cdist_ties", edges_cdist_ties, 802, 3, CATALOGUE_BOTH, false},
    {"cdist_one", edges_cdist_one, 805, 3, CATALOGUE_BOTH, false},
    {"cdist_infinity_ties", edges_cdist_infinity_ties, 808, 3, CATALOGUE_BOTH, false},
    {"pairwise_distance_infinity_ties", edges_pairwise_distance_infinity_ties, 811, 3,
        CATALOGUE_BOTH, false},
    {"resize_nearest_nan", edges_resize_nearest_nan, 814, 2, CATALOGUE_BOTH, false},
    {"resize_nearest_infinite", edges_resize_nearest_infinite, 816, 2, CATALOGUE_BOTH, false},
    {"resize_nearest_ties", edges_resize_nearest_ties, 818, 2, CATALOGUE_BOTH, false},
    {"resize_nearest_one", edges_resize_nearest_one, 820, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_nan", edges_resize_bilinear_nan, 822, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_infinite", edges_resize_bilinear_infinite, 824, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_ties", edges_resize_bilinear_ties, 826, 2, CATALOGUE_BOTH, false},
    {"resize_bilinear_one", edges_resize_bilinear_one, 828, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_nan", edges_resize_bicubic_nan, 830, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_infinite", edges_resize_bicubic_infinite, 832, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_ties", edges_resize_bicubic_ties, 834, 2, CATALOGUE_BOTH, false},
    {"resize_bicubic_one", edges_resize_bicubic_one, 836, 2, CATALOGUE_BOTH, false},
    {"grid_sample_nan", edges_grid_sample_nan, 838, 3, CATALOGUE_BOTH, false},
    {"grid_sample_infinite", edges_grid_sample_infinite, 841, 3, CATALOGUE_BOTH, false},
    {"grid_sample_ties", edges_grid_sample_ties, 844, 3, CATALOGUE_BOTH, false},
    {"grid_sample_one", edges_grid_sample_one, 847, 3, CATALOGUE_BOTH, false},
    {"lp_pool1d_nan", edges_lp_pool1d_nan, 850, 2, CATALOGUE_BOTH, false},
    {"lp_pool1d_infinite", edges_lp_pool1d_infinite, 852, 2, CATALOGUE_BOTH, false},
    {"lp_pool1d_ties", edges_lp_pool1d_ties, 854, 2, CATALOGUE_BOTH, false},
    {"lp_pool1d_one", edges_lp_pool1d_one, 856, 2, CATALOGUE_BOTH, false},
    {"global_max_pool2d_nan", edges_global_max_pool2d_nan, 858, 2, CATALOGUE_BOTH, false},
    {"global_max_pool2d_infinite", edges_global_max_pool2d_infinite, 860, 2, CATALOGUE_BOTH,
        false},
    {"global_max_pool2d_one", edges_global_max_pool2d_one, 862, 2, CATALOGUE_BOTH, false},
    {"lstm_nan", edges_lstm_nan, 864, 6, CATALOGUE_BOTH, false},
    {"lstm_infinite", edges_lstm_infinite, 870, 6, CATALOGUE_BOTH, false},
    {"lstm_ties", edges_lstm_ties, 876, 6, CATALOGUE_BOTH, false},
    {"lstm_one", edges_lstm_one, 882, 6, CATALOGUE_BOTH, false},
    {"gru_nan", edges_gru_nan, 888, 6, CATALOGUE_BOTH, false},
    {"gru_infinite", edges_gru_infinite, 894, 6, CATALOGUE_BOTH, false},
    {"gru_ties", edges_gru_ties, 900, 6, CATALOGUE_BOTH, false},
    {"gru_one", edges_gru_one, 906, 6, CATALOGUE_BOTH, false},
    {"rnn_nan", edges_rnn_nan, 912, 6, CATALOGUE_BOTH, false},
    {"rnn_infinite", edges_rnn_infinite, 918, 6, CATALOGUE_BOTH, false},
    {"rnn_ties", edges_rnn_ties, 924, 6, CATALOGUE_BOTH, false},
    {"rnn_one", edges_rnn_one, 930, 6, CATALOGUE_BOTH, false},
    {"prelu_nan", edges_prelu_nan, 936, 3, CATALOGUE_BOTH, false},
    {"prelu_infinite", edges_prelu_infinite, 939, 3, CATALOGUE_BOTH, false},
    {"prelu_ties", edges_prelu_ties, 942, 3, CATALOGUE_BOTH, false},
    {"prelu_one", edges_prelu_one, 945, 3, CATALOGUE_BOTH, false},
    {"conv3d_nan", edges_conv3d_nan, 948, 4, CATALOGUE_BOTH, false},
    {"conv3d_infinite", edges_conv3d_infinite, 952, 4, CATALOGUE_BOTH, false},
    {"conv3d_ties", edges_conv3d_ties, 956, 4, CATALOGUE_BOTH, false},
    {"conv3d_one", edges_conv3d_one, 960, 4, CATALOGUE_BOTH, false},
    {"conv_transpose3d_nan", edges_conv_transpose3d_nan, 964, 4, CATALOGUE_BOTH, false},
    {"conv_transpose3d_infinite", edges_conv_transpose3d_infinite, 968, 4, CATALOGUE_BOTH,
        false},
    {"conv_transpose3d_ties", edges_conv_transpose3d_ties, 972, 4, CATALOGUE_BOTH, false},
    {"conv_transpose3d_one", edges_conv_transpose3d_one, 976, 4, CATALOGUE_BOTH, false},
    {"conv2d_with_nan", edges_conv2d_with_nan, 980, 3, CATALOGUE_BOTH, false},
    {"conv2d_with_infinite", edges_conv2d_with_infinite, 983, 3, CATALOGUE_BOTH, false},
    {"conv2d_with_ties", edges_conv2d_with_ties, 986, 3, CATALOGUE_BOTH, false},
    {"conv2d_with_one", edges_conv2d_with_one, 989, 3, CATALOGUE_BOTH, false},
    {"conv_transpose2d_with_nan", edges_conv_transpose2d_with_nan, 992, 3, CATALOGUE_BOTH,
        false},
    {"conv_transpose2d_with_infinite", edges_conv_transpose2d_with_infinite, 995, 3,
        CATALOGUE_BOTH, false},
    {"conv_transpose2d_with_ties", edges_conv_transpose2d_with_ties, 998, 3, CATALOGUE_BOTH,
        false},
    {"conv_transpose2d_with_one", edges_conv_transpose2d_with_one, 1001, 3, CATALOGUE_BOTH,
        false},
    {"max_pool3d_nan", edges_max_pool3d_nan, 1004, 2, CATALOGUE_BOTH, false},
    {"max_pool3d_infinite", edges_max_pool3d_infinite, 1006, 2, CATALOGUE_BOTH, false},
    {"max_pool3d_ties", edges_max_pool3d_ties, 1008, 2, CATALOGUE_BOTH, false},
    {"max_pool3d_one", edges_max_pool3d_one, 1010, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_nan", edges_avg_pool3d_nan, 1012, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_infinite", edges_avg_pool3d_infinite, 1014, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_ties", edges_avg_pool3d_ties, 1016, 2, CATALOGUE_BOTH, false},
    {"avg_pool3d_one", edges_avg_pool3d_one, 1018, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool3d_nan", edges_adaptive_max_pool3d_nan, 1020, 2, CATALOGUE_BOTH, false},
    {"adaptive_max_pool3d_infinite", edges_adaptive_max_pool3d_infinite, 1022, 2,
        CATALOGUE_BOTH, false},
    {"adaptive_max_pool3d_ties", edges_adaptive_max_pool3d_ties, 1024, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_max_pool3d_one", edges_adaptive_max_pool3d_one, 1026, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool3d_nan", edges_adaptive_avg_pool3d_nan, 1028, 2, CATALOGUE_BOTH, false},
    {"adaptive_avg_pool3d_infinite", edges_adaptive_avg_pool3d_infinite, 1030, 2,
        CATALOGUE_BOTH, false},
    {"adaptive_avg_pool3d_ties", edges_adaptive_avg_pool3d_ties, 1032, 2, CATALOGUE_BOTH,
        false},
    {"adaptive_avg_pool3d_one", edges_adaptive_avg_pool3d_one, 1034, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_nan", edges_lp_pool2d_nan, 1036, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_infinite", edges_lp_pool2d_infinite, 1038, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_ties", edges_lp_pool2d_ties, 1040, 2, CATALOGUE_BOTH, false},
    {"lp_pool2d_one", edges_lp_pool2d_one, 1042, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_nan", edges_lp_pool3d_nan, 1044, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_infinite", edges_lp_pool3d_infinite, 1046, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_ties", edges_lp_pool3d_ties, 1048, 2, CATALOGUE_BOTH, false},
    {"lp_pool3d_one", edges_lp_pool3d_one, 1050, 2, CATALOGUE_BOTH, false},
    {"fractional_max_pool2d_nan", edges_fractional_max_pool2d_nan, 1052, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool2d_infinite", edges_fractional_max_pool2d_infinite, 1055, 3,
        CATALOGUE_BOTH, false},
    {"fractional_max_pool2d_ties", edges_fractional_max_pool2d_ties, 1058, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool2d_one", edges_fractional_max_pool2d_one, 1061, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool3d_nan", edges_fractional_max_pool3d_nan, 1064, 3, CATALOGUE_BOTH,
        false},
    {"fractional_max_pool3d_infinite", edges_fractional_max_pool3d_infinite, 1067, 3,
        CATALOGUE_BOTH, false},
    {"fractional_max_pool3d_ties", edges_fractional_max_pool3d_ties, 1070, 3, CATALOGUE_BOTH,
        false},
    {"max_unpool1d_nan", edges_max_unpool1d_nan, 1073, 3, CATALOGUE_BOTH, false},
    {"max_unpool1d_infinite", edges_max_unpool1d_infinite, 1076, 3, CATALOGUE_BOTH, false},
    {"max_unpool1d_ties", edges_max_unpool1d_ties, 1079, 3, CATALOGUE_BOTH, false},
    {"max_unpool1d_one", edges_max_unpool1d_one, 1082, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_nan", edges_max_unpool2d_nan, 1085, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_infinite", edges_max_unpool2d_infinite, 1088, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_ties", edges_max_unpool2d_ties, 1091, 3, CATALOGUE_BOTH, false},
    {"max_unpool2d_one", edges_max_unpool2d_one, 1094, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_nan", edges_max_unpool3d_nan, 1097, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_infinite", edges_max_unpool3d_infinite, 1100, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_ties", edges_max_unpool3d_ties, 1103, 3, CATALOGUE_BOTH, false},
    {"max_unpool3d_one", edges_max_unpool3d_one, 1106, 3, CATALOGUE_BOTH, false},
    {"lerp_nan", edges_lerp_nan, 1109, 4, CATALOGUE_BOTH, false},
    {"lerp_infinite", edges_lerp_infinite, 1113, 4, CATALOGUE_BOTH, false},
    {"lerp_ties", edges_lerp_ties, 1117, 4, CATALOGUE_BOTH, false},
    {"addcmul_nan", edges_addcmul_nan, 1121, 4, CATALOGUE_BOTH, false},
    {"addcmul_infinite", edges_addcmul_infinite, 1125, 4, CATALOGUE_BOTH, false},
    {"addcmul_ties", edges_addcmul_ties, 1129, 4, CATALOGUE_BOTH, false},
    {"addcdiv_nan", edges_addcdiv_nan, 1133, 4, CATALOGUE_BOTH, false},
    {"addcdiv_infinite", edges_addcdiv_infinite, 1137, 4, CATALOGUE_BOTH, false},
    {"addcdiv_ties", edges_addcdiv_ties, 1141, 4, CATALOGUE_BOTH, false},
    {"expression_nan", edges_expression_nan, 1145, 2, CATALOGUE_BOTH, false},
    {"expression_infinite", edges_expression_infinite, 1147, 2, CATALOGUE_PLAN, false},
    {"expression_ties", edges_expression_ties, 1149, 2, CATALOGUE_BOTH, false},
    {"where_nan", edges_where_nan, 1151, 3, CATALOGUE_BOTH, false},
    {"where_infinite", edges_where_infinite, 1154, 3, CATALOGUE_BOTH, false},
    {"where_ties", edges_where_ties, 1157, 3, CATALOGUE_BOTH, false},
    {"nan_to_num_nan", edges_nan_to_num_nan, 1160, 2, CATALOGUE_BOTH, false},
    {"nan_to_num_infinite", edges_nan_to_num_infinite, 1162, 2, CATALOGUE_BOTH, false},
    {"nan_to_num_ties", edges_nan_to_num_ties, 1164, 2, CATALOGUE_BOTH, false},
    {"cast_ties", edges_cast_ties, 1166, 2, CATALOGUE_PLAN, false},
    {"cast_bool_nan", edges_cast_bool_nan, 1168, 2, CATALOGUE_PLAN, false},
    {"cast_bool_infinite", edges_cast_bool_infinite, 1170, 2, CATALOGUE_PLAN, false},
    {"cast_bool_ties", edges_cast_bool_ties, 1172, 2, CATALOGUE_PLAN, false},
    {"instance_norm_nan", edges_instance_norm_nan, 1174, 2, CATALOGUE_BOTH, false},
    {"instance_norm_infinite", edges_instance_norm_infinite, 1176, 2, CATALOGUE_BOTH, false},
    {"instance_norm_ties", edges_instance_norm_ties, 1178, 2, CATALOGUE_BOTH, false},
    {"batch_norm3d_eval_nan", edges_batch_norm3d_eval_nan, 1180, 7, CATALOGUE_PLAN, false},
    {"batch_norm3d_eval_infinite", edges_batch_norm3d_eval_infinite, 1187, 7, CATALOGUE_PLAN,
        false},
    {"batch_norm3d_eval_ties", edges_batch_norm3d_eval_ties, 1194, 7, CATALOGUE_PLAN, false},
    {"batch_norm3d_eval_one", edges_batch_norm3d_eval_one, 1201, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_eval_nan", edges_batch_norm2d_eval_nan, 1208, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_eval_infinite", edges_batch_norm2d_eval_infinite, 1215, 7, CATALOGUE_PLAN,
        false},
    {"batch_norm2d_eval_ties", edges_batch_norm2d_eval_ties, 1222, 7, CATALOGUE_PLAN, false},
    {"batch_norm2d_eval_one", edges_batch_norm2d_eval_one, 1229, 7, CATALOGUE_PLAN, false},
    {"sum_of_squares_nan", edges_sum_of_squares_nan, 1236, 2, CATALOGUE_BOTH, false},
    {"sum_of_squares_infinite", edges_sum_of_squares_infinite, 1238, 2, CATALOGUE_BOTH, false},
    {"sum_of_squares_ties", edges_sum_of_squares_ties, 1240, 2, CATALOGUE_BOTH, false},
    {"sum_of_squares_one", edges_sum_of_squares_one, 1242, 2, CATALOGUE_BOTH, false},
    {"split_nan", edges_split_nan, 1244, 3, CATALOGUE_BOTH, false},
    {"split_infinite", edges_split_infinite, 1247, 3, CATALOGUE_BOTH, false},
    {"split_ties", edges_split_ties, 1250, 3, CATALOGUE_BOTH, false},
    {"chunk_nan", edges_chunk_nan, 1253, 3, CATALOGUE_BOTH, false},
    {"chunk_infinite", edges_chunk_infinite, 1256, 3, CATALOGUE_BOTH, false},
    {"chunk_ties", edges_chunk_ties, 1259, 3, CATALOGUE_BOTH, false},
    {"diff_nan", edges_diff_nan, 1262, 2, CATALOGUE_BOTH, false},
    {"diff_infinite", edges_diff_infinite, 1264, 2, CATALOGUE_BOTH, false},
    {"diff_ties", edges_diff_ties, 1266, 2, CATALOGUE_BOTH, false},
    {"diff_one", edges_diff_one, 1268, 2, CATALOGUE_BOTH, false},
    {"outer_nan", edges_outer_nan, 1270, 2, CATALOGUE_BOTH, false},
    {"outer_infinite", edges_outer_infinite, 1272, 2, CATALOGUE_BOTH, false},
    {"outer_ties", edges_outer_ties, 1274, 2, CATALOGUE_BOTH, false},
    {"outer_one", edges_outer_one, 1276, 2, CATALOGUE_BOTH, false},
    {"tril_nan", edges_tril_nan, 1278, 2, CATALOGUE_BOTH, false},
    {"tril_infinite", edges_tril_infinite, 1280, 2, CATALOGUE_BOTH, false},
    {"tril_ties", edges_tril_ties, 1282, 2, CATALOGUE_BOTH, false},
    {"tril_one", edges_tril_one, 1284, 2, CATALOGUE_BOTH, false},
    {"triu_nan", edges_triu_nan, 1286, 2, CATALOGUE_BOTH, false},
    {"triu_infinite", edges_triu_infinite, 1288, 2, CATALOGUE_BOTH, false},
    {"triu_ties", edges_triu_ties, 1290, 2, CATALOGUE_BOTH, false},
    {"triu_one", edges_triu_one, 1292, 2, CATALOGUE_BOTH, false},
    {"argsort_nan", edges_argsort_nan, 1294, 2, CATALOGUE_PLAN, false},
    {"argsort_infinite", edges_argsort_infinite, 1296, 2, CATALOGUE_PLAN, false},
    {"argsort_ties", edges_argsort_ties, 1298, 2, CATALOGUE_PLAN, false},
    {"argsort_one", edges_argsort_one, 1300, 2, CATALOGUE_PLAN, false},
    {"reshape_nan", edges_reshape_nan, 1302, 2, CATALOGUE_BOTH, false},
    {"reshape_infinite", edges_reshape_infinite, 1304, 2, CATALOGUE_BOTH, false},
    {"reshape_ties", edges_reshape_ties, 1306, 2, CATALOGUE_BOTH, false},
    {"reshape_one", edges_reshape_one, 1308, 2, CATALOGUE_BOTH, false},
    {"flatten_nan", edges_flatten_nan, 1310, 2, CATALOGUE_BOTH, false},
    {"flatten_infinite", edges_flatten_infinite, 1312, 2, CATALOGUE_BOTH, false},
    {"flatten_ties", edges_flatten_ties, 1314, 2, CATALOGUE_BOTH, false},
    {"flatten_one", edges_flatten_one, 1316, 2, CATALOGUE_BOTH, false},
    {"transpose_nan", edges_transpose_nan, 1318, 2, CATALOGUE_BOTH, false},
    {"transpose_infinite", edges_transpose_infinite, 1320, 2, CATALOGUE_BOTH, false},
    {"transpose_ties", edges_transpose_ties, 1322, 2, CATALOGUE_BOTH, false},
    {"transpose_one", edges_transpose_one, 1324, 2, CATALOGUE_BOTH, false},
    {"pixel_unshuffle_nan", edges_pixel_unshuffle_nan, 1326, 2, CATALOGUE_BOTH, false},
    {"pixel_unshuffle_infinite", edges_pixel_unshuffle_infinite, 1328, 2, CATALOGUE_BOTH,
        false},
    {"pixel_unshuffle_ties", edges_pixel_unshuffle_ties, 1330, 2, CATALOGUE_BOTH, false},
    {"pixel_unshuffle_one", edges_pixel_unshuffle_one, 1332, 2, CATALOGUE_BOTH, false},
    {"affine_grid_one", edges_affine_grid_one, 1334, 2, CATALOGUE_BOTH, false},
    {"affine_grid_ties", edges_affine_grid_ties, 1336, 2, CATALOGUE_BOTH, false},
    {"affine_grid_nan", edges_affine_grid_nan, 1338, 2, CATALOGUE_PLAN, false},
    {"scatter_value_nan", edges_scatter_value_nan, 1340, 3, CATALOGUE_BOTH, false},
    {"scatter_value_infinite", edges_scatter_value_infinite, 1343, 3, CATALOGUE_BOTH, false},
    {"scatter_value_ties", edges_scatter_value_ties, 1346, 3, CATALOGUE_BOTH, false},
    {"scatter_value_one", edges_scatter_value_one, 1349, 3, CATALOGUE_BOTH, false},
    {"detach_nan", edges_detach_nan, 1352, 2, CATALOGUE_BOTH, false},
    {"detach_infinite", edges_detach_infinite, 1354, 2, CATALOGUE_BOTH, false},
    {"detach_ties", edges_detach_ties, 1356, 2, CATALOGUE_BOTH, false},
    {"nn_embedding_nan", edges_nn_embedding_nan, 1358, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_nan", edges_nn_embedding_bag_nan, 1361, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_infinite", edges_nn_embedding_infinite, 1364, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_infinite", edges_nn_embedding_bag_infinite, 1367, 3, CATALOGUE_BOTH,
        false},
    {"nn_embedding_bag_max_infinite", edges_nn_embedding_bag_max_infinite, 1370, 3,
        CATALOGUE_BOTH, false},
    {"nn_embedding_ties", edges_nn_embedding_ties, 1373, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_ties", edges_nn_embedding_bag_ties, 1376, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_max_ties", edges_nn_embedding_bag_max_ties, 1379, 3, CATALOGUE_BOTH,
        false},
    {"nn_embedding_one", edges_nn_embedding_one, 1382, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_one", edges_nn_embedding_bag_one, 1385, 3, CATALOGUE_BOTH, false},
    {"nn_embedding_bag_max_one", edges_nn_embedding_bag_max_one, 1388, 3, CATALOGUE_BOTH,
        false},
    {"mse_loss_one", edges_mse_loss_one, 1391, 3, CATALOGUE_BOTH, false},
    {"l1_loss_one", edges_l1_loss_one, 1394, 3, CATALOGUE_BOTH, false},
    {"smooth_l1_loss_one", edges_smooth_l1_loss_one, 1397, 3, CATALOGUE_BOTH, false},
    {"huber_loss_one", edges_huber_loss_one, 1400, 3, CATALOGUE_BOTH, false},
    {"bce_with_logits_one", edges_bce_with_logits_one, 1403, 3, CATALOGUE_BOTH, false},
    {"kl_div_one", edges_kl_div_one, 1406, 3, CATALOGUE_BOTH, false},
    {"poisson_nll_loss_one", edges_poisson_nll_loss_one, 1409, 3, CATALOGUE_BOTH, false},
    {"hinge_embedding_loss_one", edges_hinge_embedding_loss_one, 1412, 3, CATALOGUE_BOTH,
        false},
    {"bce_loss_one", edges_bce_loss_one, 1415, 3, CATALOGUE_BOTH, false},
    {"gaussian_nll_loss_one", edges_gaussian_nll_loss_one, 1418, 4, CATALOGUE_BOTH, false},
    {"margin_ranking_loss_one", edges_margin_ranking_loss_one, 1422, 4, CATALOGUE_BOTH, false},
    {"triplet_margin_loss_one", edges_triplet_margin_loss_one, 1426, 4, CATALOGUE_BOTH, false},
    {"triplet_margin_loss_ties", edges_triplet_margin_loss_ties, 1430, 4, CATALOGUE_BOTH,
        false},
    {"triplet_margin_loss_infinite", edges_triplet_margin_loss_infinite, 1434, 4,
        CATALOGUE_PLAN, false},
    {"cosine_embedding_loss_one", edges_cosine_embedding_loss_one, 1438, 4, CATALOGUE_PLAN,
        false},
    {"cosine_embedding_loss_infinite", edges_cosine_embedding_loss_infinite, 1442, 4,
        CATALOGUE_PLAN, false},
    {"cross_entropy_one", edges_cross_entropy_one, 1446, 3, CATALOGUE_BOTH, false},
    {"nll_loss_one", edges_nll_loss_one, 1449, 3, CATALOGUE_BOTH, false},
    {"multi_margin_loss_one", edges_multi_margin_loss_one, 1452, 3, CATALOGUE_BOTH, false},
    {"multi_margin_loss_infinite", edges_multi_margin_loss_infinite, 1455, 3, CATALOGUE_BOTH,
        false},
    {"multilabel_margin_loss_one", edges_multilabel_margin_loss_one, 1458, 3, CATALOGUE_BOTH,
        false},
    {"multilabel_margin_loss_infinite", edges_multilabel_margin_loss_infinite, 1461, 3,
        CATALOGUE_BOTH, false},
    {"adaptive_log_softmax_nan", edges_adaptive_log_softmax_nan, 1464, 5, CATALOGUE_BOTH,
        false},
    {"adaptive_log_softmax_infinite", edges_adaptive_log_softmax_infinite, 1469, 5,
        CATALOGUE_BOTH, false},
    {"adaptive_log_softmax_ties", edges_adaptive_log_softmax_ties, 1474, 5, CATALOGUE_BOTH,
        false},
    {"soft_margin_loss_nan", edges_soft_margin_loss_nan, 1479, 3, CATALOGUE_BOTH, false},
    {"soft_margin_loss_infinite", edges_soft_margin_loss_infinite, 1482, 3, CATALOGUE_BOTH,
        false},
    {"soft_margin_loss_ties", edges_soft_margin_loss_ties, 1485, 3, CATALOGUE_BOTH, false},
    {"soft_margin_loss_one", edges_soft_margin_loss_one, 1488, 3, CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_nan", edges_multilabel_soft_margin_loss_nan, 1491, 3,
        CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_infinite", edges_multilabel_soft_margin_loss_infinite, 1494,
        3, CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_ties", edges_multilabel_soft_margin_loss_ties, 1497, 3,
        CATALOGUE_BOTH, false},
    {"multilabel_soft_margin_loss_one", edges_multilabel_soft_margin_loss_one, 1500, 3,
        CATALOGUE_BOTH, false},
    {"bce_loss_infinite", edges_bce_loss_infinite, 1503, 3, CATALOGUE_PLAN, false},
    {"bce_loss_nan", edges_bce_loss_nan, 1506, 3, CATALOGUE_PLAN, false},
    {"ctc_loss_one", edges_ctc_loss_one, 1509, 5, CATALOGUE_PLAN, false},
    {"ctc_loss_infinite", edges_ctc_loss_infinite, 1514, 5, CATALOGUE_PLAN, false},
    {"ctc_loss_ties", edges_ctc_loss_ties, 1519, 5, CATALOGUE_PLAN, false},
    {"all_masked_cross_entropy", edges_all_masked_cross_entropy, 1524, 3, CATALOGUE_PLAN,
        false},
    {"all_masked_cross_entropy_sum", edges_all_masked_cross_entropy_sum, 1527, 3,
        CATALOGUE_BOTH, false},
    {"all_masked_softmax", edges_all_masked_softmax, 1530, 3, CATALOGUE_BOTH, false},
    {"all_masked_embedding_bag", edges_all_masked_embedding_bag, 1533, 3, CATALOGUE_BOTH,
        false},
};
