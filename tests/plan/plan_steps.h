/* tests/plan/plan_steps.h - the nets of test_plan_steps.c and the steps of their plans. A step is
   its operation, then the activation that it fused. The steps are given first with all kernels,
   then without composed ones; NULL: the same steps. */
{"mlp", CPU, false, mlp, 2, 30,
     "linear > relu; linear > relu; linear",
     NULL},
{"mlp, trained", CPU, true, mlp, 2, 30,
     "linear > relu; linear > relu; linear; cross_entropy; cross_entropy_backward; product; "
     "reduce; product; pointwise_backward; product; reduce; product; pointwise_backward; "
     "product; reduce; accumulate; update",
     NULL},
{"mlp, trained on a GPU", GPU, true, mlp, 2, 130,
     "linear > relu; linear > relu; linear; cross_entropy; linear_back; linear_back; "
     "linear_back; update",
     "linear > relu; linear > relu; linear; cross_entropy; cross_entropy_backward; product; "
     "reduce; product; pointwise_backward; product; reduce; product; pointwise_backward; "
     "product; reduce; accumulate; update"},
{"narrow mlp, trained on a GPU", GPU, true, narrow_mlp, 2, 6,
     "linear > tanh; linear; cross_entropy; linear_back; pointwise_backward; linear_back; update",
     "linear > tanh; linear; cross_entropy; cross_entropy_backward; product; reduce; product; "
     "pointwise_backward; product; reduce; accumulate; update"},
{"norm after conv", CPU, false, norm_after_conv, 4, 3,
     "fold; conv2d + batch_norm > relu; fold; conv2d + batch_norm; linear",
     "conv2d; batch_norm > relu; conv2d; batch_norm; linear"},
{"norm after conv, on a GPU", GPU, false, norm_after_conv, 4, 3,
     "fold; conv2d + batch_norm > relu; fold; conv2d + batch_norm; linear",
     "conv2d; batch_norm > relu; conv2d; batch_norm; linear"},
{"norm after conv, trained on a GPU", GPU, true, norm_after_conv, 4, 3,
     "conv2d; batch_norm > relu; conv2d; batch_norm; linear; cross_entropy; linear_back; "
     "norm_backward; conv2d_backward_weight; conv2d_backward_input; pointwise_backward; "
     "norm_backward; conv2d_backward_weight; update; running_stats",
     "conv2d; batch_norm > relu; conv2d; batch_norm; linear; cross_entropy; "
     "cross_entropy_backward; product; reduce; product; norm_backward; conv2d_backward_weight; "
     "conv2d_backward_input; pointwise_backward; norm_backward; conv2d_backward_weight; "
     "accumulate; update; running_stats"},
{"norm of two", CPU, false, norm_of_two, 4, 3,
     "conv2d; batch_norm; add; linear",
     NULL},
{"blocks", CPU, false, blocks, 4, 3,
     "conv_pool > relu; conv_pool > relu; linear",
     "conv2d > relu; max_pool2d; conv2d; max_pool2d; relu; linear"},
{"blocks, trained", CPU, true, blocks, 4, 3,
     "conv_pool > relu; conv_pool > relu; linear; cross_entropy; cross_entropy_backward; "
     "product; reduce; product; conv_pool_back_weight; conv_pool_back_input; "
     "conv_pool_back_weight; accumulate; update",
     "conv2d > relu; max_pool2d; conv2d; max_pool2d; relu; linear; cross_entropy; "
     "cross_entropy_backward; product; reduce; product; pointwise_backward; pool2d_backward; "
     "conv2d_backward_weight; conv2d_backward_input; pool2d_backward; pointwise_backward; "
     "conv2d_backward_weight; accumulate; update"},
{"plain block", CPU, false, plain_block, 4, 3,
     "conv_pool; linear",
     "conv2d; max_pool2d; linear"},
{"plain block, trained", CPU, true, plain_block, 4, 3,
     "conv_pool; linear; cross_entropy; cross_entropy_backward; product; reduce; product; "
     "conv_pool_back_weight; accumulate; update",
     "conv2d; max_pool2d; linear; cross_entropy; cross_entropy_backward; product; reduce; "
     "product; pool2d_backward; conv2d_backward_weight; accumulate; update"},
{"no block", CPU, false, no_block, 4, 3,
     "conv2d > relu; mean; max_pool2d; mean; add; linear",
     NULL},
{"no block, trained", CPU, true, no_block, 4, 3,
     "conv2d > relu; mean; max_pool2d; mean; add; linear; cross_entropy; cross_entropy_backward;"
     " product; reduce; product; mean_scale; expand; pool2d_backward; mean_scale; "
     "expand + add + pointwise...; conv2d_backward_weight; accumulate; update",
     NULL},
{"mobile", CPU, false, mobile, 4, 3,
     "conv2d > relu; fold; separable; mean; linear",
     "conv2d > relu; conv2d; batch_norm > relu6; conv2d > relu6; conv2d; add; mean; linear"},
{"depthwise", CPU, false, depthwise, 4, 8,
     "tanh; separable; linear",
     "tanh; conv2d > relu; conv2d; linear"},
{"stem", CPU, false, stem_alone, 4, 3,
     "separable",
     "conv2d > relu; conv2d > relu; conv2d"},
{"depthwise with two readers", CPU, false, stem, 4, 3,
     "conv2d > relu; conv2d > relu; conv2d; conv2d; add + tanh",
     NULL},
{"sum, then tanh", CPU, false, sum_then_tanh, 4, 8,
     "separable; add + tanh",
     "conv2d > relu6; conv2d > relu6; conv2d; add + tanh"},
{"prelu after conv", CPU, false, prelu_after_conv, 4, 3,
     "conv2d > prelu; fold; conv2d + batch_norm > prelu; conv2d; prelu; linear",
     "conv2d > prelu; conv2d; batch_norm; prelu; conv2d; prelu; linear"},
{"prelu after conv, trained", CPU, true, prelu_after_conv, 4, 3,
     "conv2d; prelu; conv2d; batch_norm; prelu; conv2d; prelu; linear; cross_entropy; "
     "cross_entropy_backward; product; reduce; product; pointwise_backward; reduce; "
     "conv2d_backward_weight; conv2d_backward_input; pointwise_backward; reduce; norm_backward; "
     "conv2d_backward_weight; conv2d_backward_input; pointwise_backward; reduce; "
     "conv2d_backward_weight; accumulate; update; running_stats",
     NULL},
{"prelu of two", CPU, false, prelu_of_two, 4, 3,
     "conv2d; prelu + add; linear",
     NULL},
{"recurrent", CPU, false, recurrent, 3, 6,
     "lstm",
     "lstm; lstm; linear"},
{"recurrent, then tanh", CPU, false, recurrent_tanh, 3, 6,
     "gru; linear > tanh",
     "gru; gru; linear > tanh"},
{"many norms, trained on a GPU", GPU, true, many_norms, 2, 6,
     "batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > "
     "tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; "
     "batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; linear; cross_entropy; "
     "linear_back; update; running_stats",
     "batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > "
     "tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; "
     "batch_norm > tanh; batch_norm > tanh; batch_norm > tanh; linear; cross_entropy; "
     "cross_entropy_backward; product; reduce; accumulate; update; running_stats"},
