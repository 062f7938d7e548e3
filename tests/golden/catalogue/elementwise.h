/* Made by tests/golden/catalogue/elementwise.py with PyTorch 2.15.0; not edited by hand. */

static void elementwise_relu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu(net, in[0]);
}
static void elementwise_relu_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu(net, in[0]);
}
static void elementwise_gelu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gelu(net, in[0]);
}
static void elementwise_gelu_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gelu(net, in[0]);
}
static void elementwise_leaky_relu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_leaky_relu(net, in[0], &(nn_leaky_relu_desc){.negative_slope = 0.125f});
}
static void elementwise_leaky_relu_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_leaky_relu(net, in[0], &(nn_leaky_relu_desc){.negative_slope = 0.125f});
}
static void elementwise_square(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_square(net, in[0]);
}
static void elementwise_square_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_square(net, in[0]);
}
static void elementwise_sigmoid(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sigmoid(net, in[0]);
}
static void elementwise_sigmoid_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sigmoid(net, in[0]);
}
static void elementwise_tanh(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tanh(net, in[0]);
}
static void elementwise_tanh_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tanh(net, in[0]);
}
static void elementwise_exp(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_exp(net, in[0]);
}
static void elementwise_exp_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_exp(net, in[0]);
}
static void elementwise_log(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log(net, in[0]);
}
static void elementwise_log_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log(net, in[0]);
}
static void elementwise_sqrt(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sqrt(net, in[0]);
}
static void elementwise_sqrt_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sqrt(net, in[0]);
}
static void elementwise_abs(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_abs(net, in[0]);
}
static void elementwise_abs_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_abs(net, in[0]);
}
static void elementwise_negate(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_negate(net, in[0]);
}
static void elementwise_negate_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_negate(net, in[0]);
}
static void elementwise_softplus(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softplus(net, in[0], NULL);
}
static void elementwise_softplus_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softplus(net, in[0], NULL);
}
static void elementwise_scale(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, in[0], 1.25f);
}
static void elementwise_scale_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_scale(net, in[0], 1.25f);
}
static void elementwise_offset(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_offset(net, in[0], 0.75f);
}
static void elementwise_offset_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_offset(net, in[0], 0.75f);
}
static void elementwise_reciprocal(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_reciprocal(net, in[0]);
}
static void elementwise_reciprocal_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_reciprocal(net, in[0]);
}
static void elementwise_rsqrt(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rsqrt(net, in[0]);
}
static void elementwise_rsqrt_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_rsqrt(net, in[0]);
}
static void elementwise_expm1(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expm1(net, in[0]);
}
static void elementwise_expm1_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expm1(net, in[0]);
}
static void elementwise_log1p(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log1p(net, in[0]);
}
static void elementwise_log1p_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log1p(net, in[0]);
}
static void elementwise_log2(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log2(net, in[0]);
}
static void elementwise_log2_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log2(net, in[0]);
}
static void elementwise_sin(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sin(net, in[0]);
}
static void elementwise_sin_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sin(net, in[0]);
}
static void elementwise_cos(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cos(net, in[0]);
}
static void elementwise_cos_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_cos(net, in[0]);
}
static void elementwise_tan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tan(net, in[0]);
}
static void elementwise_tan_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tan(net, in[0]);
}
static void elementwise_erf(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_erf(net, in[0]);
}
static void elementwise_erf_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_erf(net, in[0]);
}
static void elementwise_floor(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_floor(net, in[0]);
}
static void elementwise_floor_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_floor(net, in[0]);
}
static void elementwise_ceil(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ceil(net, in[0]);
}
static void elementwise_ceil_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_ceil(net, in[0]);
}
static void elementwise_round(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_round(net, in[0]);
}
static void elementwise_round_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_round(net, in[0]);
}
static void elementwise_trunc(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_trunc(net, in[0]);
}
static void elementwise_trunc_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_trunc(net, in[0]);
}
static void elementwise_sign(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sign(net, in[0]);
}
static void elementwise_sign_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sign(net, in[0]);
}
static void elementwise_relu6(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu6(net, in[0]);
}
static void elementwise_relu6_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu6(net, in[0]);
}
static void elementwise_relu6_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_relu6(net, in[0]);
}
static void elementwise_elu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_elu(net, in[0], &(nn_elu_desc){.alpha = 1.25f});
}
static void elementwise_elu_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_elu(net, in[0], &(nn_elu_desc){.alpha = 1.25f});
}
static void elementwise_selu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_selu(net, in[0]);
}
static void elementwise_selu_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_selu(net, in[0]);
}
static void elementwise_celu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_celu(net, in[0], &(nn_celu_desc){.alpha = 0.75f});
}
static void elementwise_celu_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_celu(net, in[0], &(nn_celu_desc){.alpha = 0.75f});
}
static void elementwise_silu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_silu(net, in[0]);
}
static void elementwise_silu_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_silu(net, in[0]);
}
static void elementwise_mish(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mish(net, in[0]);
}
static void elementwise_mish_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_mish(net, in[0]);
}
static void elementwise_hardsigmoid(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardsigmoid(net, in[0]);
}
static void elementwise_hardsigmoid_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardsigmoid(net, in[0]);
}
static void elementwise_hardswish(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardswish(net, in[0]);
}
static void elementwise_hardswish_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardswish(net, in[0]);
}
static void elementwise_hardswish_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardswish(net, in[0]);
}
static void elementwise_hardtanh(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardtanh(net, in[0], NULL);
}
static void elementwise_hardtanh_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardtanh(net, in[0], NULL);
}
static void elementwise_hardtanh_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardtanh(net, in[0], NULL);
}
static void elementwise_softsign(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softsign(net, in[0]);
}
static void elementwise_softsign_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softsign(net, in[0]);
}
static void elementwise_logsigmoid(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logsigmoid(net, in[0]);
}
static void elementwise_logsigmoid_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logsigmoid(net, in[0]);
}
static void elementwise_tanhshrink(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tanhshrink(net, in[0]);
}
static void elementwise_tanhshrink_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tanhshrink(net, in[0]);
}
static void elementwise_softshrink(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softshrink(net, in[0], NULL);
}
static void elementwise_softshrink_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softshrink(net, in[0], NULL);
}
static void elementwise_softshrink_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softshrink(net, in[0], NULL);
}
static void elementwise_hardshrink(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardshrink(net, in[0], NULL);
}
static void elementwise_hardshrink_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardshrink(net, in[0], NULL);
}
static void elementwise_hardshrink_nan(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hardshrink(net, in[0], NULL);
}
static void elementwise_threshold(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_threshold(net, in[0], 0.25f, -3);
}
static void elementwise_threshold_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_threshold(net, in[0], 0.25f, -3);
}
static void elementwise_gelu_tanh(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gelu_tanh(net, in[0]);
}
static void elementwise_gelu_tanh_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gelu_tanh(net, in[0]);
}
static void elementwise_clamp(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp(net, in[0], -1, 0.5f);
}
static void elementwise_clamp_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp(net, in[0], -1, 0.5f);
}
static void elementwise_clamp_min(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_min(net, in[0], 0.5f);
}
static void elementwise_clamp_min_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_min(net, in[0], 0.5f);
}
static void elementwise_clamp_max(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_max(net, in[0], 0.5f);
}
static void elementwise_clamp_max_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_clamp_max(net, in[0], 0.5f);
}
static void elementwise_logical_not(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logical_not(net, in[0]);
}
static void elementwise_logical_not_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logical_not(net, in[0]);
}
static void elementwise_gelu_far(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gelu(net, in[0]);
}
static void elementwise_gelu_tanh_far(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_gelu_tanh(net, in[0]);
}
static void elementwise_silu_far(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_silu(net, in[0]);
}
static void elementwise_tanh_far(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tanh(net, in[0]);
}
static void elementwise_erf_far(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_erf(net, in[0]);
}
static void elementwise_elu_far(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_elu(net, in[0], &(nn_elu_desc){.alpha = 1.25f});
}
static void elementwise_softsign_far(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_softsign(net, in[0]);
}
static void elementwise_expm1_near_zero(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expm1(net, in[0]);
}
static void elementwise_log1p_near_zero(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_log1p(net, in[0]);
}
static void elementwise_tanh_near_zero(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tanh(net, in[0]);
}
static void elementwise_sin_near_zero(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_sin(net, in[0]);
}
static void elementwise_tan_near_zero(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_tan(net, in[0]);
}
static void elementwise_erf_near_zero(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_erf(net, in[0]);
}
static void elementwise_add(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_add(net, in[0], in[1]);
}
static void elementwise_add_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_add(net, in[0], in[1]);
}
static void elementwise_subtract(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_subtract(net, in[0], in[1]);
}
static void elementwise_subtract_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_subtract(net, in[0], in[1]);
}
static void elementwise_multiply(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multiply(net, in[0], in[1]);
}
static void elementwise_multiply_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_multiply(net, in[0], in[1]);
}
static void elementwise_divide(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_divide(net, in[0], in[1]);
}
static void elementwise_divide_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_divide(net, in[0], in[1]);
}
static void elementwise_maximum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_maximum(net, in[0], in[1]);
}
static void elementwise_maximum_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_maximum(net, in[0], in[1]);
}
static void elementwise_minimum(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_minimum(net, in[0], in[1]);
}
static void elementwise_minimum_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_minimum(net, in[0], in[1]);
}
static void elementwise_pow(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pow(net, in[0], in[1]);
}
static void elementwise_pow_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_pow(net, in[0], in[1]);
}
static void elementwise_atan2(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_atan2(net, in[0], in[1]);
}
static void elementwise_atan2_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_atan2(net, in[0], in[1]);
}
static void elementwise_remainder(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_remainder(net, in[0], in[1]);
}
static void elementwise_remainder_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_remainder(net, in[0], in[1]);
}
static void elementwise_hypot(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hypot(net, in[0], in[1]);
}
static void elementwise_hypot_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_hypot(net, in[0], in[1]);
}
static void elementwise_less(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_less(net, in[0], in[1]);
}
static void elementwise_less_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_less(net, in[0], in[1]);
}
static void elementwise_less_equal(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_less_equal(net, in[0], in[1]);
}
static void elementwise_less_equal_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_less_equal(net, in[0], in[1]);
}
static void elementwise_greater(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_greater(net, in[0], in[1]);
}
static void elementwise_greater_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_greater(net, in[0], in[1]);
}
static void elementwise_greater_equal(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_greater_equal(net, in[0], in[1]);
}
static void elementwise_greater_equal_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_greater_equal(net, in[0], in[1]);
}
static void elementwise_equal(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_equal(net, in[0], in[1]);
}
static void elementwise_equal_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_equal(net, in[0], in[1]);
}
static void elementwise_not_equal(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_not_equal(net, in[0], in[1]);
}
static void elementwise_not_equal_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_not_equal(net, in[0], in[1]);
}
static void elementwise_logical_and(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logical_and(net, in[0], in[1]);
}
static void elementwise_logical_and_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logical_and(net, in[0], in[1]);
}
static void elementwise_logical_or(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logical_or(net, in[0], in[1]);
}
static void elementwise_logical_or_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_logical_or(net, in[0], in[1]);
}
static void elementwise_squared_difference(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_squared_difference(net, in[0], in[1]);
}
static void elementwise_squared_difference_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_squared_difference(net, in[0], in[1]);
}
static void elementwise_huber(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber(net, in[0], in[1], 0.75f);
}
static void elementwise_huber_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_huber(net, in[0], in[1], 0.75f);
}
static void elementwise_where(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_where(net, in[0], in[1], in[2]);
}
static void elementwise_where_special(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_where(net, in[0], in[1], in[2]);
}
static void elementwise_clamp_by_tensors(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expression(net, "x, a, b: clamp(x, a, b)", in[0], in[1], in[2]);
}
static void elementwise_clamp_by_tensors_ties(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_expression(net, "x, a, b: clamp(x, a, b)", in[0], in[1], in[2]);
}
static void elementwise_lerp(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_lerp(net, in[0], in[1], in[2]);
}
static void elementwise_addcmul(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcmul(net, in[0], in[1], in[2], &(nn_addcmul_desc){.value = 0.5f});
}
static void elementwise_addcdiv(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_addcdiv(net, in[0], in[1], in[2], &(nn_addcdiv_desc){.value = 0.5f});
}
static void elementwise_batch_silu_linear(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_linear(net, "fc", nn_silu(net, in[0]), &(nn_linear_desc){.out_features = 2});
}
static void elementwise_time_linear(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2});
}
static void elementwise_two_outputs(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2}); out[1] =
        nn_output(out[0], 1);
}
static void elementwise_prelu(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prelu(net, "act", in[0], NULL);
}
static void elementwise_prelu_channels(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prelu(net, "act", in[0], &(nn_prelu_desc){.num_parameters = 3});
}
static void elementwise_prelu_flat(nn_model *net, nn_node **in, nn_node **out) {
    out[0] = nn_prelu(net, "act", in[0], &(nn_prelu_desc){.num_parameters = 3});
}

enum { catalogue_elementwise_sparse = 32 };

static const double catalogue_elementwise_numbers[] = {
    0,0,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,1.078125,-0.421875,0,
    0.90625,1.078125,0,0,-0.859375,1.6875,0,-0.421875,0.515625,0,0,1.578125,1.90625,
    0.875,0.96875,0.53125,0.703125,0.90625,0.03125,0.171875,0,0.640625,0.53125,0,0,
    1.140625,0.125,0,1.34375,0.609375,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,
    2.5,-2.5,3,-3,6,100,-100,1e-30,0.09375,-0.78125,0,0,0,1.546875,0,1.875,0,
    1.078125,-0.421875,0,0.90625,0,1.6875,-1.640625,0,1.6875,1e301,1e302,0,0,-0.,1,
    0,0.5,0,1.5,2.5,0,3,0,6,100,0,1e-30,0.087259961,0.0968517558,0.643073661,
    0.262000532,0.348921074,1.71404069,0.0946685022,-0.193849184,0.138593981,1.19127207,
    0.0522461608,-0.204260748,-0.116281502,1.21708672,0.145877539,0.186568821,-0.954266149,
    -0.214181402,-0.0812365604,-0.047915576,0.139193391,0.44415031,-0.0903767694,
    -0.085214729,-0.0954719373,1.04795067,0.978418668,-0.0808839637,-0.0617273661,
    -0.0736139795,1.74914499,-0.130136227,-0.084632079,-0.104208261,1.31163522,-0.162794141,
    -0.0736139795,0.995750792,-0.0982232623,-0.0455002639,-0.158112099,-0.113786538,1e301,
    1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,
    1e301,1e301,0.4140625,0.15625,1.67575362,0.0663920156,1.62655336,-0.161490317,
    1.21555272,-0.437742177,-0.0634687075,0.917075743,-0.0128789009,1.68750006,-1.640625,
    -0.,0.84375,1e301,1e302,1e301,0,-0.,0.841344746,-0.158655254,0.345731231,
    -0.154268769,1.3997892,2.48447584,-0.0155241633,2.99595031,-0.00404969409,5.99999999,
    100,-0.,5e-31,0.01171875,-0.09765625,1.890625,0.103515625,0.0390625,0.193359375,
    -0.099609375,0.234375,-1.21875,0.134765625,-0.421875,0.2109375,0.11328125,0.134765625,
    1.6875,-1.640625,-0.107421875,1.6875,0.953125,-0.052734375,0.064453125,-0.212890625,
    -0.2265625,1.15625,-0.01953125,-0.2265625,-0.19921875,-0.01171875,-0.001953125,1.296875,
    -0.080078125,1.515625,-0.005859375,-0.23828125,-0.037109375,2,0.8125,-0.01171875,
    1.65625,1.15625,-0.04296875,-0.041015625,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,
    1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0.01171875,-0.78125,0.236328125,0.103515625,
    0.0390625,1.546875,-0.099609375,1.875,-0.15234375,1.078125,-0.421875,0.2109375,0.90625,
    0.134765625,1.6875,-1.640625,-0.107421875,1.6875,1e301,1e302,-1e302,0,-0.,1,-0.125,
    0.5,-0.0625,1.5,2.5,-0.3125,3,-0.375,6,100,-12.5,1e-30,0.3046875,2.27050781,
    -4.01757812,-1.47509766,1.15234375,-3.62548828,-2.81396484,5.56640625,2.58984375,
    -2.93115234,1.58203125,-3.05859375,-0.481445312,1.24658203,4.58789062,2.51220703,
    0.456542969,2.3203125,-2.82958984,0.593261719,-1.04736328,2.640625,2.11157227,
    1.12890625,0.793212891,3.39941406,1.37329102,3.11743164,2.20336914,1.12890625,
    1.84790039,3.515625,0.821289062,0.0705566406,0.334228516,1.84790039,0.586181641,
    0.0705566406,0.47265625,2.20336914,0.494384766,1.03149414,1e301,1e302,-1e302,0,-0.,1,
    -1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-1e302,-1e302,0,-0.,
    3.09375,1.59375,1.875,1.21875,3.234375,-2.109375,-8.4375,5.4375,-6.46875,20.25,
    -328.125,171.875,3.375e-30,1e301,1e302,1e302,0,0,1,1,0.25,0.25,2.25,6.25,6.25,9,
    9,36,10000,10000,1e-60,1.56573215e-06,-2.51889573e-08,1.36014077e-08,0.0714323602,
    0.0269556076,1.83476698e-08,-4.07130532e-12,2.43880487e-05,-2.64766117e-10,0.00161603251,
    -4.80934063e-13,9.83607769e-05,2.66444545e-11,4.28981898e-12,3.52218255e-14,
    -0.000333679493,-8.25800764e-05,0.000126293556,5.41788836e-14,-3.3282564e-06,
    3.16807056e-06,0.999983299,0.999999968,0.999999993,0.0953494649,0.0953494649,
    1.186112e-08,5.10908903e-12,1.30071285e-05,2.17243993e-10,0.00150118226,1.13999185e-12,
    0.999941709,2.94007774e-11,3.97896254e-12,1,0.999796573,0.999903898,0.999925154,1,
    7.88926259e-06,6.1441746e-06,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,
    3,-3,6,100,-100,1e-30,1e301,-0.,0,0.20703125,0.078125,0.304134084,-0.156675134,
    0.44063196,-0.286410774,0.160798519,-0.0295750054,0.118300022,0.0409413479,0.0487060863,
    0.00416223443,-0.,-3.19694029e-44,0.421875,1e301,1,0,0.5,0.5,0.731058579,0.268941421,
    0.622459331,0.377540669,0.817574476,0.92414182,0.07585818,0.952574127,0.0474258732,
    0.997527377,1,3.72007598e-44,0.5,0.0747875096,-0.0838260451,1.17290285,0.12977495,
    0.283864631,1.34822527,-0.769503623,0.207205688,-0.858492924,0.142043343,-0.090184941,
    1.58627506,0.320666665,0.327139748,1.40165453,-0.198016169,-0.289082593,0.3918196,
    0.0908389229,-0.066111767,0.0905742383,0.449740552,-0.944829436,0.616134427,-0.918308568,
    -0.302709729,0.358357398,0.1853332,-0.943127934,-0.543686996,0.931799149,-0.886695149,
    -0.244918662,0.803841353,0.834605315,-0.411570056,0.937712339,-0.814624443,-0.876248029,
    -0.95115382,-0.918308568,0.907932195,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,
    2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-0.,0,0.828125,0.3125,0.64964781,
    -0.334667053,1.4745895,-0.958483175,0.194824345,-0.0112185956,0.0448743825,0.00894109618,
    0.0106368213,4.14729237e-05,-0.,-0.,1.6875,1e301,1,-1,0,-0.,0.761594156,
    -0.761594156,0.462117157,-0.462117157,0.905148254,0.986614298,-0.986614298,0.995054754,
    -0.995054754,0.999987712,1,-1,1e-30,22.9398686,-569856.539,8.24967082e-09,
    5.6524528e-08,14571.8839,2.90739614e-12,-3.86274694e-11,909684741,-0.00302097922,
    4.23472788e-07,-6.86015597e-15,6.04954043e+09,59504347,2.43691764e-06,496576518,
    -0.000333815293,-1327024.93,2.31349346e-06,4.16259988e+10,-4.05471032e-05,4.12085432e-11,
    244.691932,729416.37,4.36346225e-09,6.82560338e-08,46630.0285,1.87952882e-12,
    4.84736871e-11,485165195,0.00247875218,3.92786355e-07,1.62611104e-14,3.58491285e+09,
    65659969.1,2.26032941e-06,294267566,0.000203468369,1544174.47,1.37095909e-06,
    4.36731791e+10,9.61116521e-05,7.99195989e-11,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,
    1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-1e302,0,0.828125,0.3125,4.2048422,
    -0.29315393,3.09135238,-0.739209242,4.83182103,-5.13948964,0.138518435,18.2025178,
    0.0536766831,680.786089,-1e302,-3.19694029e-44,1.6875,1e301,1e302,0,1,1,2.71828183,
    0.367879441,1.64872127,0.60653066,4.48168907,12.182494,0.0820849986,20.0855369,
    0.0497870684,403.428793,1e302,3.72007598e-44,1,0.0271493213,-0.229357798,0.510548523,
    0.828125,0.0784313725,3.19354839,-0.389312977,0.5,-0.297709924,0.741935484,-0.104651163,
    0.488687783,1.1372549,0.530769231,0.493150685,-1.26506024,-0.359477124,0.495412844,
    0.67032967,-0.120535714,0.152777778,1.23927962,1.22561198,1.30917706,0,1.38238046,
    -0.724895879,0.71631424,1.32175584,1.40946142,0.37371641,1.3940765,1.23927962,
    -0.227057451,0.708651367,1.23018865,0.259957524,0.871554838,1.22561198,0.351976423,
    1.25276297,1.21639532,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,
    6,100,-100,1e-30,1e301,-0.,-0.,1e302,-1e302,1.546875,0.796875,3.75,2.4375,0.71875,
    -0.16875,-0.675,0.302083333,-0.359375,0.28125,-0.01640625,0.00859375,1.6875e+30,1e301,
    1e302,1e301,-1e302,-1e302,0,1e301,-0.693147181,1e301,0.405465108,0.916290732,1e301,
    1.09861229,1e301,1.79175947,4.60517019,1e301,-69.0775528,0.0684653197,-0.247828621,
    0.518173962,0.357196061,0.0805195783,0.39133186,-0.288582691,1.02062073,-0.371715265,
    0.275515519,-0.107373054,0.520773806,0.310841186,0.750709891,1.05417289,-0.61195628,
    -0.221889671,0.433012702,0.278797612,-0.397747564,0.12622295,0.684653197,1.57619003,
    1.82431494,1.15920231,1.94052184,1.97642354,1.38067013,0.918558654,1.63935963,
    1.95655948,1.96452921,1.62018517,1.45773797,0.718070331,0.80039053,1.34047566,
    1.93649167,1.94855716,1.70934929,0.530330086,2.04251683,1e301,1e302,-1e302,0,-0.,1,
    -1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-0.,1e301,1e302,-1e302,
    0.7734375,1e301,1.32582521,1e301,0.440142688,-0.133408589,1e301,0.261611841,1e301,
    0.344459495,-0.08203125,1e301,8.4375e+14,1e301,1e302,1e301,0,-0.,1,1e301,
    0.707106781,1e301,1.22474487,1.58113883,1e301,1.73205081,1e301,2.44948974,10,1e301,
    1e-15,0.09375,0.78125,1.890625,0.828125,-0.3125,-1.546875,0.796875,-1.875,-1.21875,
    1.078125,-0.421875,1.6875,0.90625,-1.078125,1.6875,1.640625,-0.859375,-1.6875,
    -0.953125,0.421875,-0.515625,1.046875,0.796875,0.640625,1.46875,1.171875,0.859375,
    1.140625,1.109375,1.703125,0.296875,0.984375,0.359375,0.21875,0.46875,1.21875,0.15625,
    1.6875,1.40625,0.5625,0.140625,1.71875,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,
    1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0,-0.78125,-1.890625,0,0,1.546875,0.796875,
    1.875,1.21875,1.078125,-0.421875,-1.6875,0.90625,-1.078125,1.6875,-1.640625,0.859375,
    1.6875,1e301,1e302,1e302,0,0,1,1,0.5,0.5,1.5,2.5,2.5,3,3,6,100,100,1e-30,
    -0.09375,0.78125,-1.890625,-0.828125,-0.3125,-1.546875,0.796875,-1.875,1.21875,
    -1.078125,0.421875,-1.6875,-0.90625,-1.078125,-1.6875,1.640625,0.859375,-1.6875,
    -0.953125,0.421875,-0.515625,0.75,-1.796875,-0.3125,-0.90625,-1.265625,-0.40625,
    0.703125,-0.109375,-0.875,1.53125,1.234375,1.484375,0.40625,0.9375,-1.96875,0.5,
    -0.34375,-1.921875,1.375,-0.484375,-2,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,
    2.5,-2.5,3,-3,6,100,-100,1e-30,-0.09375,0.78125,-1.890625,-0.828125,-0.3125,
    -1.546875,0.796875,-1.875,1.21875,-1.078125,0.421875,-1.6875,-0.90625,-1.078125,
    -1.6875,1.640625,0.859375,-1.6875,1e301,-1e302,1e302,-0.,0,-1,1,-0.5,0.5,-1.5,
    -2.5,2.5,-3,3,-6,-100,100,-1e-30,0.000381575411,-0.530608359,1.65699053e-07,
    3.6605014e-14,1.16457478e-06,0.416018761,-0.796875,8.62322883e-10,-0.00815691206,
    6.04051488e-09,-0.421874899,1.6875,3.95438765e-09,1.07812488,1.6875,-0.000122794592,
    -1.51279495e-06,1.43767035,0.953122234,-0.421874999,0.514850953,0.00407844327,1.13687101,
    8.76424784e-08,4.4202281e-14,3.72664623e-06,0.313261688,26.5,4.59905538e-10,
    0.00671534849,5.60279642e-09,15.2500002,30.25,4.36346224e-09,16.0000001,28.5,
    7.48490286e-05,1.76034476e-06,1.91022415,12.7500029,20,6.50150231,1e301,1e302,-1e302,
    0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-0.78125,0,
    0.4140625,0.15625,1.13085624,-0.214312695,1.16711125,-0.46012769,0.881447482,
    -0.38987233,0.128010679,0.863270302,0.0511310195,1.68332745,-1.640625,-3.19694029e-44,
    0.84375,1e301,1e302,0,0.693147181,0.693147181,1.31326169,0.313261688,0.974076984,
    0.474076984,1.70141328,2.57888973,0.0788897343,3.04858735,0.0485873516,6.00247569,100,
    3.72007598e-44,0.693147181,0.1171875,-0.9765625,2.36328125,1.03515625,0.390625,
    1.93359375,-0.99609375,2.34375,-1.5234375,1.34765625,-0.52734375,2.109375,1.1328125,
    1.34765625,2.109375,-2.05078125,-1.07421875,2.109375,1.19140625,-0.52734375,0.64453125,
    1.15234375,0.41015625,-0.625,2.12890625,-1.23046875,-0.87890625,-1.2890625,-0.9375,
    0.17578125,2.34375,0.4296875,1.58203125,1.30859375,1.54296875,2.2265625,1.30859375,
    -2.03125,0.37109375,-2.32421875,-1.38671875,2.3046875,1e301,1e302,-1e302,0,-0.,1,-1,
    0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0.1171875,-0.9765625,2.36328125,
    1.03515625,0.390625,1.93359375,-0.99609375,2.34375,-1.5234375,1.34765625,-0.52734375,
    2.109375,1.1328125,1.34765625,2.109375,-2.05078125,-1.07421875,2.109375,1e301,1e302,
    -1e302,0,-0.,1.25,-1.25,0.625,-0.625,1.875,3.125,-3.125,3.75,-3.75,7.5,125,-125,
    1.25e-30,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,
    1.078125,-0.421875,1.6875,0.90625,1.078125,1.6875,-1.640625,-0.859375,1.6875,0.953125,
    -0.421875,0.515625,0.234375,0.046875,0.375,1.5625,-0.046875,2.625,-0.28125,0.4375,
    2.6875,-0.390625,2.734375,1.28125,0.453125,2.453125,1.09375,1.03125,1.140625,0.40625,
    0.3125,1.15625,1.15625,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,
    -3,6,100,-100,1e-30,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,
    1.875,-1.21875,1.078125,-0.421875,1.6875,0.90625,1.078125,1.6875,-1.640625,-0.859375,
    1.6875,1e301,1e302,-1e302,0.75,0.75,1.75,-0.25,1.25,0.25,2.25,3.25,-1.75,3.75,
    -2.25,6.75,100.75,-99.25,0.75,-0.0234375,4.08163265,-0.2914675,-0.458626284,
    -0.185803455,-0.897959184,0.166530612,-1.61310649,0.174783796,-0.170363798,0.0821878716,
    -0.134138058,-0.290704049,-0.828673297,-2.8788005,0.645905421,0.123244984,-0.099929159,
    -1.84499055,0.179925031,-0.338407307,0.5,2.28571429,0.392638037,0.744186047,0.771084337,
    0.761904762,0.457142857,0.927536232,0.378698225,0.397515528,0.44137931,0.281938326,
    0.566371681,0.876712329,1.30612245,0.62745098,0.378698225,0.243346008,1.39130435,
    0.653061224,0.810126582,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,
    -3,6,100,-100,1e-30,1e301,0,-0.,-1e302,-1e302,-1.546875,0.796875,-7.5,4.875,
    -0.479166667,0.0675,-0.27,-0.100694444,-0.119791667,-0.046875,0.0001640625,8.59375e-05,
    -1e302,1e301,0,-0.,1e302,-1e302,1,-1,2,-2,0.666666667,0.4,-0.4,0.333333333,
    -0.333333333,0.166666667,0.01,-0.01,1e+30,-0.0199799122,0.131877012,-0.179119458,
    -0.167516299,-0.0674936559,-0.293870126,0.198029509,-0.113185111,0.359411944,
    -0.136373224,0.0887291821,-0.692627063,-0.119069653,-0.125625853,-0.146111001,
    0.175375832,3.4375,-0.0968344322,-0.29060616,0.0271589624,-0.0664642794,0.752576695,
    0.696310624,0.574366527,0.739600262,0.755928946,0.724285968,0.792118034,0.494241651,
    0.838627869,0.632455532,0.749268649,0.936329178,0.640512615,0.615384615,0.557386411,
    0.597948074,2,0.485965391,0.847998304,0.504955522,0.636445827,1e301,1e302,-1e302,0,
    -0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,0,1e301,-1e302,
    1e302,-0.7734375,1e301,-2.65165043,1e301,-0.293428459,0.0533634355,1e301,-0.0872039469,
    1e301,-0.0574099158,0.0008203125,1e301,-1e302,1e301,0,1e301,1e302,-1e302,1,1e301,
    1.41421356,1e301,0.816496581,0.632455532,1e301,0.577350269,1e301,0.40824829,0.1,1e301,
    1e+15,0.228436133,-2.0583196,7.02452405,0.730817747,1.07382194,0.252520402,-4.51460433,
    0.781616287,-0.192834252,0.248198468,-0.218865867,3.74388238,3.64073261,2.84048105,
    3.92355505,-1.38154476,-0.405940006,0.491090497,0.867830188,-1.27932012,0.919200947,
    1.43665208,1.63464909,2.71545074,-0.117503097,2.43623021,-0.836754488,4.66538583,
    -0.58313798,-0.841777024,-0.769786928,-0.481206834,1.21859697,3.01736012,1.63464909,
    1.32506966,-0.157915573,-0.527633447,-0.708983409,-0.0894896386,2.03246251,0.782692746,
    1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,
    1e301,-1e302,0,0.828125,0.3125,4.2048422,-0.29315393,3.09135238,-0.739209242,
    4.83182103,-5.13948964,0.138518435,18.2025178,0.0536766831,680.786089,-1e302,-0.,
    1.6875,1e301,1e302,-1,0,-0.,1.71828183,-0.632120559,0.648721271,-0.39346934,
    3.48168907,11.182494,-0.917915001,19.0855369,-0.950212932,402.428793,1e302,-1,1e-30,
    0.0705882353,-0.294117647,0.923664122,0.187943262,0.0651465798,0.831932773,-0.566666667,
    0.375,-0.586466165,0.669902913,-0.127962085,0.373702422,0.174698795,0.676470588,0.54,
    -0.400763359,-0.25462963,0.342857143,0.7625,-0.0882352941,0.144736842,0.283768173,
    0.976915354,0.71631424,1.48302399,1.56796466,0.62024041,0.340926587,1.60943791,
    0.731466045,0.475845905,1.19297505,1.5075436,1.64625189,0.46608973,1.13943428,
    1.40946142,1.21639532,1.59368956,0.223143551,1.56470202,1.27046255,1e301,1e302,-1e302,
    0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-0.,-0.,
    0.828125,0.3125,0.7734375,-1e302,1.25,-2.4375,0.43125,-0.120535714,-1.125,0.2265625,
    -0.5390625,0.241071429,-0.0162438119,0.00868055556,1.6875,1e301,1e302,1e301,0,-0.,
    0.693147181,-1e302,0.405465108,-0.693147181,0.916290732,1.25276297,1e301,1.38629436,
    1e301,1.94591015,4.61512052,1e301,1e-30,0.0816619834,-0.601122934,2.05371882,
    1.25348913,0.554882708,5.95111704,-0.415691791,2.98488629,-1.63087265,1.99091916,
    -1.21727394,1.79093177,2.78921041,0.467351915,0.606268733,-0.971044739,-0.383324769,
    1.08202128,0.475699446,-0.186376871,0.251899134,0.727920455,0.906890596,0.409390936,
    -0.0692626624,-0.299560282,-1.4150375,1.46760555,-0.142019005,0.108524457,-0.35614381,
    -1,0.442943496,-1.0931094,1.73470962,2.00562455,1.28540222,1.69348696,1.169925,
    1.53138146,1.70735913,1.56224242,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,
    -2.5,3,-3,6,100,-100,1e-30,1e301,-0.,-0.,1e302,-1e302,2.23166889,1.14964761,
    5.4101064,3.51656916,1.03693706,-0.243454788,-0.973819153,0.435814127,-0.51846853,
    0.40575798,-0.0236692155,0.0123981605,2.43454788e+30,1e301,1e302,1e301,-1e302,-1e302,
    0,1e301,-1,1e301,0.584962501,1.32192809,1e301,1.5849625,1e301,2.5849625,6.64385619,
    1e301,-99.6578428,0.0915158882,-0.563241704,-0.190776621,0.0198079595,0.147806627,
    1.51001215,-0.251272508,-0.362997098,-1.19369366,0.0930570569,-0.27042055,0.198112429,
    0.00751845991,1.07339062,1.17946976,0.191032638,-0.848905908,-0.605036617,-0.0367611776,
    0.100978786,0.131708036,0.217009581,-0.692987727,0.994895899,0.999713899,-0.881072516,
    -0.217009581,-0.948984619,-0.981080853,0.201731064,-0.996268001,-0.767543502,0.993084714,
    -0.999965586,0.0936127312,-0.715175383,-0.993197852,-0.155614993,0.933514281,0.999255935,
    -0.970931598,-0.966826557,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,
    -3,6,100,-100,1e-30,1e301,1e301,1e301,0.828125,0.3125,0.835780129,-0.4305534,
    1.6454673,-1.06955375,0.0762635455,0.337982463,-1.35192985,-0.8971807,-1.06733566,
    1.62028736,-1.4147419,-0.741055281,1.6875,1e301,1e301,1e301,0,-0.,0.841470985,
    -0.841470985,0.479425539,-0.479425539,0.997494987,0.598472144,-0.598472144,0.141120008,
    -0.141120008,-0.279415498,-0.506365641,0.506365641,1e-30,0.0302126841,0.78010261,
    -1.7312235,-0.441641277,0.299491721,1.53635293,-0.767165546,1.77048949,-0.133035163,
    -0.805511244,-0.297070669,-1.15026541,0.845997317,-0.,1.63193615,-1.62946523,
    0.534921888,-1.57471915,0.951725184,0.413814258,0.438183358,0.946648261,-0.054177135,
    -0.401888844,0.845924499,0.285517466,-0.116438941,0.270508637,-0.32919759,0.994024515,
    0.664665728,0.710033884,0.731688869,-0.358540217,1,-0.254498094,-0.116438941,0.78265594,
    0.359443368,-0.054177135,0.194547708,0.527088903,1e301,1e302,-1e302,0,-0.,1,-1,0.5,
    -0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,1e301,1e301,-0.,0,-1.30165043,
    -0.670547191,-0.898922885,-0.584299875,-1.07542428,0.252480436,1.00992174,-0.127890007,
    0.152145009,0.471513653,-0.83075613,0.435157973,-1.6875e-30,1e301,1e301,1e301,1,1,
    0.540302306,0.540302306,0.877582562,0.877582562,0.0707372017,-0.801143616,-0.801143616,
    -0.989992497,-0.989992497,0.960170287,0.862318872,0.862318872,1,0.103536068,-525.183317,
    2.81171593,0.914568597,1.24860461,35.1267639,-262.061991,3.83809054,-17707.3223,
    2.20690206,-41.4327993,3203.43316,1.05992052,4.30768591,4.62060983,-2.2487295,
    -0.922980107,1.7141443,25.1824293,-2.79621366,19.2167838,0.323086244,25.9081965,
    -0.697988964,-0.323086244,1.73076132,4.65920712,18.1069629,1.0232212,120.532506,
    1.0232212,9.85956794,43.5583604,0.411785707,-1.73076132,-1.31838506,-0.60881374,
    -0.272053699,0.125655137,-5.04191526,2.37235369,-6.02236782,1e301,1e302,-1e302,0,-0.,
    1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,1e301,1e301,0.828125,
    0.3125,5.29884943,-2.72971031,2.43458702,-1.58248156,215.463329,-0.657299101,2.6291964,
    0.924664562,1.10003198,1.83040527,-2.20634561,-1.15570484,1.6875,1e301,1e301,1e301,0,
    -0.,1.55740772,-1.55740772,0.54630249,-0.54630249,14.1014199,-0.747022297,0.747022297,
    -0.142546543,0.142546543,-0.291006191,-0.587213915,0.587213915,1e-30,0.0645234767,
    -0.0730540021,0.76048078,0.166882521,0.163982827,0.112349014,-0.20359414,0.377847217,
    -0.387896387,0.21726215,-0.0104938989,0.722553539,0.877879687,0.183669131,0.984003457,
    -1.69507119,-0.117379861,0.0371157542,1.01800149,-0.180638385,0.0153693141,-0.679956702,
    -0.974372198,0.849086035,-0.936568575,-0.784075061,0.980834246,-0.915215004,0.936568575,
    0.888388232,-0.936568575,-0.994257542,-0.83611287,0.419344282,-0.948170073,0.749464026,
    0.325401056,0.960123804,-0.994989066,-0.259700158,0.83611287,-0.992978959,1e301,1e302,
    -1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-0.,0,
    0.934438998,0.35261849,0.64211941,-0.330788787,1.64771734,-1.07101627,0.128221718,
    -0.00091896366,0.00367585464,0.000126198078,0.000150132197,4.41669584e-16,-0.,-0.,
    1.90413984,1e301,1,-1,0,-0.,0.842700793,-0.842700793,0.520499878,-0.520499878,
    0.966105146,0.999593048,-0.999593048,0.99997791,-0.99997791,1,1,-1,1.12837917e-30,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-1,0,-2,-1,1,0,0,0,-2,1,
    0,1,1,-2,0,0,0,-1,-2,1,-1,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,
    -2.5,3,-3,6,100,-100,1e-30,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1e301,
    1e302,-1e302,0,-0.,1,-1,0,-1,1,2,-3,3,-3,6,100,-100,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,-0.,2,1,1,-0.,2,-0.,2,2,2,-1,-1,1,2,1,1,
    -0.,-0.,1,-1,-0.,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,
    100,-100,1e-30,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1e301,1e302,-1e302,
    0,-0.,1,-1,1,-0.,2,3,-2,3,-3,6,100,-100,1,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,2,1,0,1,-0.,-1,1,0,-0.,1,-1,-1,-1,-2,0,0,-0.,2,-1,
    -2,1,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,
    1e-30,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1e301,1e302,-1e302,0,-0.,1,
    -1,0,-0.,2,2,-2,3,-3,6,100,-100,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,1,-1,-1,1,0,0,-0.,1,-1,-0.,0,-0.,0,1,-1,-1,0,-0.,1,0,
    1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1e301,1e302,-1e302,0,-0.,1,-1,0,-0.,
    1,2,-2,3,-3,6,100,-100,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,-1,-1,0,0,0,1,1,0,-1,0,0,-1,-1,-1,-1,0,1,1,-1,0,-1,1e301,1e302,
    -1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,1,-1,0,0,1,-1,1,-1,1,1,-1,1,-1,1,1,-1,1,
    0,0,0,0,0,0,0,0,-1.21875,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,0,6,0,6,0,
    5.25,0,0,0,6,6,0,0,6,6,0,6,0,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,
    -2.5,3,-3,6,100,-100,1e-30,0,0,0,0,0.3125,0,-0.796875,0,-1.21875,1.078125,0,
    1.6875,0,0,0,0,-0.859375,6,0,0,-0.,1,0,0.5,0,1.5,2.5,0,3,0,6,6,0,1e-30,
    1e301,1,1e301,1e301,1,1e301,0.0598535183,-0.78125,0.687754053,0.296577231,
    0.134996388,1.546875,-0.196142489,1.85405885,-0.339924853,1.078125,-0.391888599,1.6875,
    0.209549242,1.26600589,0.567730579,-1.57238853,-0.859375,1.6875,0.953125,-0.421875,
    0.515625,-0.611562471,1.78125,-0.886229261,-0.891869004,-0.818011559,1.6875,-1.00386041,
    -0.261168611,-0.9710873,0.6875,-0.321078877,1.9375,-1.01877325,-0.0757336715,
    -0.913567064,-0.291591755,1.515625,1.828125,1.765625,1.3125,0.90625,1e301,1e302,
    -1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-0.78125,
    0,1.03515625,0.390625,1.546875,-0.366442412,1.875,-0.924011552,1.078125,-0.421875,
    0.173148044,0.90625,0.0670958539,1.6875,-1.640625,-3.99617536e-44,1.6875,1e301,1e302,
    -1.25,0,-0.,1,-0.790150699,0.5,-0.491836675,1.5,2.5,-1.14739375,3,-1.18776616,6,
    100,-1.25,1e-30,0.0985032176,-0.820860146,2.04779943,1.43335398,0.328344059,0.68761243,
    -1.07417278,1.44010635,-1.28054183,1.07999534,-0.202768993,2.38388486,1.59327753,
    1.132787,1.77305792,-1.51996236,-0.902946161,0.715772034,1.00144938,-0.443264479,
    0.541767697,0.0820860146,1.01786658,-0.674965758,-0.0272568039,1.28054183,-1.31358221,
    -0.410117818,-0.990042621,1.82230952,-0.756364532,-1.27746173,-0.345426834,0,
    0.919363364,0.39401287,-0.831646092,0.213423638,-1.33393814,1.41187945,1.7073891,
    0.886528958,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,
    -100,1e-30,1e301,-0.820860146,0,1.45592602,0.549406044,1.62530309,-0.515393731,
    1.97006435,-1.29960328,1.132787,-0.443264479,0.24352917,0.95219777,0.0943689411,
    1.77305792,-1.72380631,-5.62053862e-44,1.77305792,1e301,1e302,-1.75809934,0,-0.,
    1.05070099,-1.11133074,0.525350494,-0.691758188,1.57605148,2.62675247,-1.61378576,
    3.15210296,-1.67056873,6.30420592,105.070099,-1.75809934,1.05070099e-30,0.09375,
    -0.065478938,0.31513341,0.268852825,0.0858788689,0.205030493,-0.796875,1.62056577,
    -1.21875,1.078125,-0.040066573,1.6875,0.265110982,0.488486597,1.6875,-0.616258106,
    -0.0735431308,0.223669628,0.071981758,-0.364627297,0.0397607306,0.296875,-0.687140219,
    -0.624988399,-0.506510649,-0.543890715,-0.650591276,0.65625,-0.101773694,0.375,0.65625,
    -0.678770537,1.5,-0.530597808,-0.410183237,1.546875,-0.468282009,-0.685816904,
    -0.650591276,-0.693358617,-0.101773694,-0.69216621,1e301,1e302,-1e302,0,-0.,1,-1,
    0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,-0.78125,0,0.828125,0.3125,
    1.546875,-0.210053969,1.875,-0.625727114,1.078125,-0.421875,0.0601998638,0.90625,
    0.0197465482,1.6875,-1.640625,-1.06721469e-58,1.6875,1e301,1e302,-0.75,0,-0.,1,
    -0.552302146,0.5,-0.364937161,1.5,2.5,-0.723244505,3,-0.736263271,6,100,-0.75,1e-30,
    0.0519917492,-0.7817231,1.1360168,0.836785011,0.307109442,1.6804669,-0.154585238,
    1.99243776,-0.694786758,-0.0521085551,-0.456972751,1.27176765,0.963011582,1.05952758,
    1.62516481,-0.756290719,-0.805207772,0.660641186,0.860777513,-0.395283815,0.178538437,
    0.0576752447,1.0027863,0.111842121,1.04992308,0.92529966,1.67654261,-0.224163515,
    1.39080938,0.0752482165,-0.271535458,1.62569205,0.33456776,1.39080938,0.92529966,
    0.84927936,-0.0375373967,0.760194355,-0.0974595858,0.659531496,0.760194355,-0.132032698,
    1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,
    1e301,1e301,1e301,0.4140625,0.15625,1.43499032,-0.0576375609,1.38742723,-0.316922303,
    1.12264526,-0.463809844,-0.167739375,0.986094346,-0.0949872393,1.70830085,-1.640625,
    3.16497089e-42,0.84375,1e301,1e302,1e301,0,-0.,0.731058579,-0.268941421,0.311229666,
    -0.188770334,1.22636171,2.31035455,-0.18964545,2.85772238,-0.14227762,5.98516426,100,
    -3.72007598e-42,5e-31,0.055311467,0.0786523931,0.0358158799,0.828397564,-0.0274581072,
    1.2082095,-0.196485367,1.46449637,0.0355594334,1.12103992,0.0238342747,1.07960804,
    -0.0848944884,-0.0691054578,1.50807109,0.163477114,-0.715111519,1.60775937,0.363659274,
    -0.231944475,0.0943102298,-0.0092968167,-0.268891674,-0.308215376,0.656572281,
    -0.283695497,0.20555779,-0.241669582,0.20555779,-0.307035041,0.816136655,-0.30092895,
    0.038745394,-0.278017259,-0.298099742,0.389152384,-0.270456728,0.281206374,0.51911057,
    -0.168414041,-0.0449159514,-0.268444172,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,
    2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,1e301,1e301,0.496875,0.1875,1.6227279,
    -0.0471883523,1.6620457,-0.352841139,1.17352611,-0.439226521,-0.185192279,0.925378138,
    -0.100689452,1.68772636,-1.640625,3.16497089e-42,1.0125,1e301,1e302,1e301,0,-0.,
    0.865098388,-0.303401461,0.375245211,-0.220743775,1.40337827,2.4713923,-0.196816204,
    2.986535,-0.145647461,5.99992663,100,-3.72007598e-42,6e-31,0,0,0,0,0.0520833349,
    0.257812508,0,0,0,0,0,0,0,0,0,0,0,0.281250008,0,0,0,1,1,1,1,0.916666667,
    0.25,0,1,1,1,1,0,0,0,1,0,0,0.916666667,1,0,1,1e301,1e302,-1e302,0,-0.,1,
    -1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0,0,0,0.138020837,0.0520833349,
    0.257812508,-0.132812504,0.312500009,-0.203125006,0.179687505,-0.0703125021,0.281250008,
    0,0,0,0,0,0.281250008,1e301,1,0,0.5,0.5,0.666666667,0.333333333,0.583333333,
    0.416666667,0.75,0.916666667,0.0833333333,1,0,1,1,0,0.5,0,0,1.890625,0.828125,0,
    0,0,1.875,0,0,0,1.6875,0,0,0,-1.9140625,-0.859375,1.6875,0,0,0,-0.,-0.,1.125,
    11.75,-0.,-0.,-0.,16,-0.,-0.,-0.,9.5,-0.,-0.,-0.,1.66666667,31.25,3.75,-0.,-0.,
    -0.,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,
    0.09375,0,0.9453125,0.4140625,0.260416667,0.2578125,-0.53125,0.625,-1.21875,1.4375,
    0.140625,1.6875,0,1.078125,1.6875,0,-0.4296875,1e302,1e301,0,-0.,0.666666667,
    -0.333333333,0.291666667,-0.208333333,1.125,2.29166667,-0.208333333,3,-0.,6,100,-0.,
    5e-31,1e301,1,1e301,1e301,0.666666667,1e301,0.09375,-0.78125,0,0.828125,0,0,0,
    1.875,-1.21875,1.078125,0,1.6875,0,1.078125,1.6875,0,-0.859375,0,0,0,0.515625,
    0.71875,-0.671875,1,-0.375,-1,1,1,0.203125,-0.953125,0.421875,-1,-0.625,-1,
    -0.390625,-0.4375,1,-0.1875,1,1,-1,0.875,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,
    2.5,-2.5,3,-3,6,100,-100,1e-30,0,0,1.890625,0.828125,0,0,-0.796875,1.875,0,0,
    0,0,0,0,0,0,-0.859375,1,-1,0,-0.,1,-1,0.5,-0.5,1,1,-1,1,-1,1,1,-1,1e-30,
    1e301,1,1e301,1e301,1,1e301,0.0463712112,-0.138504155,0.895363626,0.265643355,
    0.26122449,0.274238227,-0.0996306584,1.52350724,-0.427983539,0.207168324,-0.384940967,
    0.48,0.31824417,0.296694437,0.956678201,-0.302689068,-0.345064209,0.218154273,
    0.124612978,-0.195563603,0.0775757576,0.296703297,0.578947368,0.311827957,-0.433628319,
    0.0857142857,-0.578947368,-0.64640884,0.0985915493,-0.407407407,-0.561643836,
    -0.0447761194,0.466666667,0.407407407,-0.475409836,0.247058824,0.570469799,-0.366336634,
    -0.640449438,-0.638418079,0.319148936,-0.612121212,1e301,1e302,-1e302,0,-0.,1,-1,
    0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,1e301,1e301,1e301,0.828125,0.3125,
    0.38671875,-0.19921875,0.833333333,-0.541666667,0.1725,-0.0344387755,0.137755102,
    0.056640625,0.0673828125,0.0344387755,-0.000160829821,-8.42441917e-05,1.6875,1e301,
    1e301,1e301,0,-0.,0.5,-0.5,0.333333333,-0.333333333,0.6,0.714285714,-0.714285714,
    0.75,-0.75,0.857142857,0.99009901,-0.99009901,1e-30,6.39900273e-09,-0.78125,
    4.05443556e-05,0.828123542,0.312499996,0.000666017985,-0.796875,1.86521226,
    -8.42692513e-13,1.078125,-3.50800887e-07,1.63803561,0.819839547,1.078125,1.14611405,
    -1.68358963e-10,-0.191382932,0.0629891224,0.94924565,-3.32828265e-06,0.000285026485,
    -6.82560314e-08,-24.5,-2.14451784e-05,-13.2500018,-18.25,-0.000430649798,-23.5,
    -5.2552338,-6.91440011e-13,-31.75,-8.31528373e-07,-3.52975042,-2.35020656,-24.25,
    -1.13687101,-1.02618796e-10,-0.251929081,-0.0380413717,-5.50407844,-7.88929371e-06,
    -0.000552931475,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,
    -100,1e-30,1e301,-0.,1.890625,0.4140625,0.15625,0.416018761,-0.582562305,0.707888754,
    -0.75862231,0.196677518,-0.0320026697,1.55948932,0.0429796976,1.02699398,0.00417255158,
    -6.10324965e-44,-0.859375,0.84375,1e301,0,-1e302,-0.693147181,-0.693147181,
    -0.313261688,-1.31326169,-0.474076984,-0.974076984,-0.201413278,-0.0788897343,
    -2.57888973,-0.0485873516,-3.04858735,-0.00247568514,-3.72007598e-44,-100,-0.693147181,
    0.0464515406,-0.0784253265,0.649702683,0.520112687,0.268864796,1.33088074,-0.735259719,
    0.171812213,-0.00267399963,0.171216274,-0.0101343346,0.519042688,0.569179921,0.918620529,
    0.0102579176,-1.43672648,-0.0787472643,1.49544209,0.885785933,-0.306677594,0.0177108912,
    -0.171094396,-0.0112899989,0.0856630976,-0.285622254,0.713065112,0.713065112,0.992563256,
    0.00979027067,-3.43021274e-05,0.0233661579,-0.00125926963,-0.0704002777,0.285622254,
    0.686307384,0.000158558625,-0.767326413,-0.00979027067,0.808624462,-1.03597242,
    -0.413017539,0.00216680009,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,
    -3,6,100,-100,1e-30,1e301,-0.78125,1.890625,0,0,0.89722719,-0.462207947,
    0.400410501,-0.260266825,0.883300655,-0.410656404,1.64262562,0.897308904,1.06748818,
    1.68745853,-1.640625,-0.859375,0,1e301,1e302,-1e302,0,0,0.238405844,-0.238405844,
    0.0378828427,-0.0378828427,0.594851746,1.5133857,-1.5133857,2.00494525,-2.00494525,
    5.00001229,99,-99,0,0.09375,-0.78125,1.890625,0,0,0,-0.796875,1.875,0,0,
    -0.421875,1.6875,0,1.078125,1.6875,-1.640625,0,1.6875,0.953125,-0.421875,0.515625,
    -0.734375,0.46875,0.875,0,0,0,0.484375,-0.546875,0,0,-0.125,0.78125,0,-1.203125,
    0.296875,0.40625,-0.,-0.453125,1.125,1.21875,0.90625,1e302,-1e302,0,-0.,1,-1,0.5,
    -0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0.09375,-0.78125,0,0,0.3125,1.546875,0,
    0,-1.21875,1.078125,-0.421875,1.6875,0.90625,1.078125,1.6875,-1.640625,0,1e302,
    -1e302,0,0,0.5,-0.5,0,0,1,2,-2,2.5,-2.5,5.5,99.5,-99.5,0,1e301,1,1e301,
    1e301,0.5,1e301,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,
    0,1.078125,0,1.6875,0.90625,1.078125,1.6875,0,-0.859375,0,0.953125,0,0,0.671875,
    -1.8125,-1.34375,-1.546875,0.859375,1.734375,1.78125,1.640625,0,0.71875,0,-1.578125,
    -1.1875,-1.703125,-0.65625,0,1.359375,0,-1.578125,0,0,1e302,-1e302,0,-0.,1,-1,
    0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0.09375,-0.78125,0,0,0.3125,
    1.546875,0,0,-1.21875,1.078125,-0.421875,1.6875,0.90625,1.078125,1.6875,-1.640625,0,
    1e302,-1e302,0,0,1,-1,0,0,1.5,2.5,-2.5,3,-3,6,100,-100,0,1e301,1,1e301,
    1e301,1,1e301,0.09375,0,0,0,0,1.546875,-0.796875,1.875,0,1.078125,0,0,0,
    1.078125,0,0,0,1.6875,0.953125,-0.421875,0.515625,0.796875,-3,-3,-3,-3,0.640625,
    0.84375,0.71875,-3,0.28125,-3,-3,-3,1.1875,-3,-3,-3,1.890625,1.4375,1.734375,
    0.609375,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,
    1e-30,0.09375,-0.78125,0,0,0,1.546875,0,1.875,0,1.078125,-0.421875,0,0.90625,0,
    1.6875,-1.640625,0,0,1e301,1e302,-3,-3,-3,1,-3,0.5,-3,1.5,2.5,-3,3,-3,6,100,
    -3,-3,0.0618610593,-0.881363783,0.0850262882,0.930559219,-0.0357502066,-0.18276403,
    -0.862987004,1.41111056,-0.847462803,-0.138992051,-0.392586946,0.927791871,-0.116871862,
    1.19532598,-0.0878632919,0.202935717,-0.940563223,0.398748642,0.76905739,-0.473564778,
    0.582013573,0.117909727,1.38194759,-0.167934209,1.13526271,-0.141562632,-0.0791859992,
    0.841191991,0.206253023,0.149675351,-0.108455593,0.444115568,0.0328073493,-0.112486036,
    1.71448799,-0.166273756,-0.130362289,1.86941813,-0.125650751,0.26719099,1.52266334,
    1.34668261,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,
    -100,1e-30,1e301,1e301,1e301,0.4140625,0.15625,1.67521007,0.0661120043,1.62631857,
    -0.16164293,1.2158132,-0.437885821,-0.0640432849,0.916748151,-0.0124891796,1.6875,
    -1.640625,-0.,0.84375,1e301,1e302,1e301,0,-0.,0.841191991,-0.158808009,0.34571401,
    -0.15428599,1.39957158,2.48491573,-0.0150842661,2.99636261,-0.00363739208,6,100,-0.,
    5e-31,0,-0.78125,1.890625,0.828125,0,1.546875,-0.796875,1.875,0,1.078125,0,1.6875,
    0.90625,0,0,-1.640625,0,1.6875,0,0,0,-1,0.078125,-0.578125,-0.53125,0.5,
    -0.609375,-0.1875,0.265625,0.5,0.078125,0.5,0.34375,0.265625,0.5,0.5,-0.484375,0.5,
    0.4375,-1,-1,0.5,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,
    100,-100,1e-30,0,0,0,0.828125,0.3125,0,0,0,-1.21875,0,0,0,0,0,0,0,0,1.6875,
    1e301,0.5,-1,0,-0.,0.5,-1,0.5,-0.5,0.5,0.5,-1,0.5,-1,0.5,0.5,-1,1e-30,0,0,
    0,0.828125,0,1.546875,0,0,-1.21875,0,-0.421875,1.6875,0,0,1.6875,0,-0.859375,0,
    0,0,0,0.5,0.5,0.5,1.96875,0.5,1.890625,0.5,0.5,1.59375,0.5,0.84375,0.5625,0.5,
    0.5,0.671875,0.5,1.703125,0.5,0.5,0.5,0.5,1e301,1e302,-1e302,0,-0.,1,-1,0.5,
    -0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0,-0.78125,0,0,0,1.546875,0,0,0,
    1.078125,-0.421875,0,0.90625,0,1.6875,-1.640625,0,0,1e301,1e302,0.5,0.5,0.5,1,
    0.5,0.5,0.5,1.5,2.5,0.5,3,0.5,6,100,0.5,0.5,0.09375,0,1.890625,0,0,1.546875,
    -0.796875,1.875,0,1.078125,0,1.6875,0,1.078125,1.6875,0,-0.859375,1.6875,0,
    -0.421875,0.515625,-0.90625,0.5,-0.859375,0.5,0.5,-0.484375,-0.5625,-1.390625,0.5,
    0.234375,0.5,-1,0.5,-0.40625,-1.359375,0.5,-0.03125,-0.015625,0.5,0.203125,
    -0.390625,1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,
    1e-30,0,0,1.890625,0.828125,0.3125,0,-0.796875,0,-1.21875,0,0,1.6875,0,1.078125,
    0,0,-0.859375,1.6875,1e301,0.5,-1e302,0,-0.,0.5,-1,0.5,-0.5,0.5,0.5,-2.5,0.5,
    -3,0.5,0.5,-100,1e-30,0,0,1,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    1e301,1e302,-1e302,0,-0.,1,-1,0.5,-0.5,1.5,2.5,-2.5,3,-3,6,100,-100,1e-30,0,
    0,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,-30,-12,-8,-6,-5,-4.5,-4,4,5,8,30,
    -4.14462975e-196,2.01223475e-31,-7.52611417e-14,-2.9372525e-08,-2.23342063e-06,
    -0.000106006047,0.000401345824,1.87594434,-1.21875871,1.078125,-0.421875,-0.,-0.,
    -4.88498131e-15,-5.91952587e-09,-1.43325786e-06,-1.52895291e-05,-0.000126684967,
    3.99987332,4.99999857,8,30,-30,-12,-8,-6,-5,-4.5,-4,4,5,8,30,0,-0.,0,
    -6.38482389e-10,-4.83238121e-07,-4.53578871e-05,0.000267051298,1.87562836,-1.21875188,
    1.078125,-0.421875,-0.,-0.,-0.,-8.43964898e-11,-2.2917962e-07,-5.13673741e-06,
    -7.02459482e-05,3.99992975,4.99999977,8,30,-30,-12,-8,-6,-5,-4.5,-4,4,5,8,30,
    -2.54410374e-13,5.28011466e-05,-0.00443644843,-0.010207827,-0.00829607263,-0.0586437191,
    0.041967115,1.97374615,-1.25110468,1.08065488,-0.421875,-2.80728689e-12,-7.37300952e-05,
    -0.00268280104,-0.0148357389,-0.0334642546,-0.0494412418,-0.0719448398,3.92805516,
    4.96653575,7.9973172,30,-30,-12,-8,-6,-5,-4.5,-4,4,5,8,30,0,-1.17972992e-10,
    8.51047067e-07,2.03524533e-05,5.67447597e-05,0.000763409727,-0.00106857008,0.00251428253,
    -0.000221304563,4.85307832e-07,-0.,-1,-1,-0.999999775,-0.999987712,-0.999909204,
    -0.999753211,-0.9993293,0.9993293,0.999909204,0.999999775,1,-30,-12,-8,-6,-5,-4.5,
    -4,4,5,8,30,0,-2.55175924e-63,3.42147691e-28,2.16745259e-16,4.89714579e-12,
    2.80186381e-09,-1.01189058e-07,2.380919e-07,-1.90988686e-11,1.95109014e-28,-0.,-1,-1,
    -1,-1,-1,-1,-0.999999985,0.999999985,1,1,1,-30,-12,-8,-6,-5,-4.5,-4,4,5,8,
    30,1.09659644e-14,-6.00020738e-06,0.000792792539,0.00256589581,0.00263201055,
    0.0214802863,-0.0182440934,1.875,-1.21875,1.078125,-0.421875,-1.25,-1.24999232,
    -1.24958067,-1.24690156,-1.24157757,-1.23611375,-1.22710545,4,5,8,30,-30,-12,-8,-6,
    -5,-4.5,-4,4,5,8,30,9.75546306e-05,-0.00462278107,0.0233410494,0.0169005102,
    0.00868055556,0.0511363636,-0.031875,0.075,-0.0338541667,0.0133101852,-0.000438995838,
    -0.967741935,-0.923076923,-0.888888889,-0.857142857,-0.833333333,-0.818181818,-0.8,0.8,
    0.833333333,0.888888889,0.967741935,1e-20,-1e-12,1e-08,3e-07,-1e-05,0.0001,0.001,
    -0.01,0.05,0.09375,-0.78125,1.89062502,0.828125248,0.312496875,1.5470297,-0.797672274,
    1.85634344,-1.28123665,1e-20,-1e-12,1.00000001e-08,3.00000045e-07,-9.99995e-06,
    0.000100005,0.00100050017,-0.00995016625,0.0512710964,1e-20,-1e-12,1e-08,3e-07,-1e-05,
    0.0001,0.001,-0.01,0.05,0.09375,-0.78125,1.89062498,0.828124752,0.312503125,
    1.54672033,-0.796078921,1.89393939,-1.16071429,1e-20,-1e-12,9.99999995e-09,
    2.99999955e-07,-1.000005e-05,9.99950003e-05,0.000999500333,-0.0100503359,0.0487901642,
    1e-20,-1e-12,1e-08,3e-07,-1e-05,0.0001,0.001,-0.01,0.05,0.09375,-0.78125,1.890625,
    0.828125,0.3125,1.54687498,-0.796874203,1.87481251,-1.2157082,1e-20,-1e-12,1e-08,
    3e-07,-1e-05,9.99999997e-05,0.000999999667,-0.00999966668,0.049958375,1e-20,-1e-12,
    1e-08,3e-07,-1e-05,0.0001,0.001,-0.01,0.05,0.09375,-0.78125,1.890625,0.828125,
    0.3125,1.54687499,-0.796874602,1.87490625,-1.21722688,1e-20,-1e-12,1e-08,3e-07,-1e-05,
    9.99999998e-05,0.000999999833,-0.00999983333,0.0499791693,1e-20,-1e-12,1e-08,3e-07,
    -1e-05,0.0001,0.001,-0.01,0.05,0.09375,-0.78125,1.890625,0.828125,0.3125,1.54687502,
    -0.796875797,1.87518751,-1.22180196,1e-20,-1e-12,1e-08,3e-07,-1e-05,0.0001,
    0.00100000033,-0.0100003333,0.0500417084,1e-20,-1e-12,1e-08,3e-07,-1e-05,0.0001,0.001,
    -0.01,0.05,0.105785547,-0.881546224,2.13334186,0.934438998,0.35261849,1.74546151,
    -0.89917625,2.11549938,-1.37177837,1.12837917e-20,-1.12837917e-12,1.12837917e-08,
    3.3851375e-07,-1.12837917e-05,0.000112837916,0.00112837879,-0.0112834156,0.0563719778,
    -0.8125,1.84375,0.671875,4.390625,0.5625,4,2.421875,-3.171875,4.0625,4.296875,
    1.546875,2.671875,0.5625,2.296875,0.5625,3.546875,1.4375,3.171875,1.4375,0.765625,
    -1.34375,0.390625,-1.34375,-0.96875,-0.359375,2.234375,-0.375,-0.09375,0.515625,
    3.109375,0.5,-2.875,-2.265625,0.328125,-2.28125,0,0,-0.,1,-1,2,-2,2,-2,5.5,
    -5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0.09375,-0.78125,1.890625,0.828125,
    0.3125,1.546875,-0.796875,1.875,-1.21875,1.078125,-0.421875,1.6875,0.90625,1.078125,
    1.6875,-1.640625,-0.859375,1.6875,0.953125,-0.421875,0,1,-1,0,0,3,3,-3,2,2,2,
    1,1,1e302,1,1e301,1e301,1e302,-2,7,0.09375,-0.78125,1.890625,0.828125,0.3125,
    1.546875,-0.796875,1.875,-1.21875,1.078125,-0.421875,1.6875,0.90625,1.078125,1.6875,
    -1.640625,-0.859375,1.6875,0.953125,-0.421875,0,1,-1,1,-1,5,1,-1,0,7.5,-3.5,
    1e302,-1e302,1e302,1e301,1e301,1e301,1e302,-2,0,-0.8125,1.84375,0.671875,4.390625,
    0.5625,4,2.421875,-3.171875,-4.0625,-4.296875,-1.546875,-0.546875,-1.6875,0.390625,
    -2.578125,1.109375,-0.03125,2.046875,-0.921875,0.015625,-1.125,0.953125,-2.015625,-2,
    -0.359375,-2.71875,0.359375,-0.34375,1.296875,-1.0625,2.015625,-1.4375,0.203125,
    -2.15625,0.921875,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,
    1e301,3,0,-7,0.09375,-0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,
    -1.21875,1.078125,-0.421875,1.6875,0.90625,1.078125,1.6875,-1.640625,-0.859375,1.6875,
    0.953125,-0.421875,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,
    -2,7,-0.09375,0.78125,-1.890625,-0.828125,-0.3125,-1.546875,0.796875,-1.875,1.21875,
    -1.078125,0.421875,-1.6875,-0.90625,-1.078125,-1.6875,1.640625,0.859375,-1.6875,
    -0.953125,0.421875,0,-1,1,1,-1,-1,-5,5,-4,3.5,-7.5,1e302,-1e302,1e301,1e301,
    1e301,1e301,-1e302,2,-14,1.08496094,1.32666016,-1.51513672,0.470703125,-1.70458984,
    0.443847656,0.3125,1.10009766,-0.825439453,2.36450195,5.68847656,0.6015625,-0.7265625,
    -0.375,-0.53125,-1.27832031,1.54394531,0.796875,1.12890625,0.789550781,-0.953613281,
    -0.4921875,-0.697265625,0.59375,0.2578125,0.953125,0.90625,-1.26171875,-0.547851562,
    -2.02539062,-1.92578125,0.779296875,0.338378906,1.25097656,1.18945312,0,0,-0.,1,-1,
    2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,-0.78125,
    -1.890625,0,0,4.640625,-2.390625,-5.625,-2.4375,2.15625,-0.84375,1.6875,0.90625,
    1e302,1.6875,1e301,1e301,1e302,-1.90625,-2.953125,0,1,-1,0,0,3,3,-3,2,2,2,1,
    1,1e302,1,1e301,1e301,1e302,-2,7,0,-0.,-0.,0.828125,-0.3125,3.09375,1.59375,
    3.75,2.4375,5.9296875,2.3203125,1e302,-1e302,1e302,1e301,-1.640625,1e301,5.0625,0,
    2.953125,0,0,0,0,-0.,6,-6,-6,-4,11,-11,1e302,-1e302,1e302,1e301,1e301,1e301,
    1e302,-0.,-49,-0.305059623,1.80086355,-0.0387196448,3.36757299,-0.116439164,3.05321785,
    1.80026991,-1.96286587,1.97779239,4.34802472,0.621037242,-0.52991453,-0.803418803,-1,
    -0.538461538,-1.01639344,-1.54098361,-1.91803279,-1.03278689,-0.543859649,-0.824561404,
    -1.02631579,-0.552631579,0.11965812,0.256410256,-0.564102564,0.786324786,0.229508197,
    0.491803279,-1.08196721,1.50819672,0.122807018,0.263157895,-0.578947368,0.807017544,0,
    0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,1e302,
    -0.78125,-1.890625,1e302,1e302,0.515625,-0.265625,-0.625,-0.609375,0.5390625,
    -0.2109375,1.6875,0.90625,0,1.6875,1e301,1e301,0,-0.4765625,-0.0602678571,0,1,-1,
    0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,1e301,0,0,-1e302,
    1e302,-0.34375,-0.177083333,-0.416666667,-0.609375,-1.48242188,-0.580078125,-1e302,
    1e302,1e301,1e301,1e301,1e301,-0.,-0.,-0.0602678571,1e301,0,0,1e302,-1e302,
    0.666666667,-0.666666667,-0.666666667,-1,2.75,-2.75,1e302,-1e302,1e301,1e301,1e301,
    1e301,0,-0.,-1,-0.203125,1.84375,0.671875,4.390625,0.3046875,4,1.3203125,-3.171875,
    0.84375,0.4765625,-0.5703125,-1,2,0,0,-1,2,0,0,-1,2,0,0,-1,0,-2,1,-1,0,-2,
    1,-1,0,-1,1,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,
    1e301,3,0,-7,0.046875,0,1.890625,0.828125,0,0,0,1.875,0,1.078125,0,1.6875,0,
    0.5390625,1.6875,-1.640625,-0.859375,0,0.953125,0,0,1,-1,0,0,3,3,-3,2,2,2,1,
    1,1e302,1,1e301,1e301,1e302,-2,7,0.046875,-0.78125,0,0,0.3125,1.546875,-0.796875,
    0,-1.21875,0,-0.421875,0,0.90625,0.5390625,1.6875,-1.640625,-0.859375,1.6875,0,
    -0.421875,0,1,-0.,1,0,3,3,2,2,5.5,2,1e302,1,1e302,1e301,1e301,1e301,1e302,0,
    7,-0.203125,1.84375,0.9453125,4.390625,0.5625,4,2.421875,-1.8515625,0.9453125,
    -1.0078125,-2.140625,0,-1,2,-2,0,-1,1,-2,0,-1,0,-2,-1,-1,-2,1,-1,-1,-2,1,
    -1,-1,-2,0,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,
    1e301,3,0,-7,0.046875,-0.78125,0,0,0.3125,1.546875,-0.796875,0,-1.21875,0,
    -0.421875,0,0.90625,0.5390625,1.6875,-1.640625,-0.859375,1.6875,0,-0.421875,0,1,-1,
    0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,0.046875,0,1.890625,
    0.828125,0,0,0,1.875,0,1.078125,0,1.6875,0,0.5390625,1.6875,-1.640625,-0.859375,
    0,0.953125,0,0,0,-1,0,-1,2,-2,-3,-2,2,-5.5,1,-1e302,1e302,1e301,1e301,1e301,
    3,-2,-7,-8.07158812,5.32566377,1.21612774,12.0268765,3.6816832,5.61279554,0.287065796,
    -7.44919866,11.5342584,2.33147519,14.6820588,3.98968845,3.4519022,1.41228713,3.97228721,
    0.394806473,0.435128407,0.793058905,0.395967252,12.9474899,9.90397943,1.8943902,
    12.8431701,2.88354288,2.16754526,4.19876464,2.96935825,0.491014367,0.594770929,
    0.381492091,0.481437645,7.09916212,4.1859289,14.2311451,7.49511912,0,0,-0.,1,-1,2,
    -2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,-0.78125,-1e302,0,
    0,18.5625,-9.5625,-0.3515625,4.875,11.859375,4.640625,1.6875,0.90625,1e302,1.6875,
    1e301,1e301,1e302,-1e302,-347432.203,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,
    1e301,1e301,1e302,-2,7,0,-0.,1e302,0,1e301,8.57769636,1e301,0.16245637,1e301,
    55.597429,1e301,1e302,1e301,1e302,1e301,-0.,1e301,1e302,-1e302,1e301,1,0,-1e302,
    1,1,8,-8,0.125,4,30.25,30.25,1e302,-1e302,1e302,1e301,1,1e301,1e302,1e302,
    -823543,0.383325646,0.0279697128,0.512426578,0.659629388,-0.269084002,0.0953752777,
    0.872987922,0.523717343,-1.02784597,2.8361822,1.59093362,-0.602287346,-0.59159971,
    0.463647609,-0.392570135,-1.00406711,-0.993604113,0.851966327,-0.757882174,-1.86849654,
    -1.87500482,1.9700171,-2.04196259,0.451069656,-0.116655435,0.633425883,-0.147361481,
    0.836201867,-0.261713502,1.03351161,-0.327098097,1.98151329,-2.63449415,1.85050048,
    -2.5283853,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,
    3,0,-7,0,-0.78125,-1.890625,0,0,0.356971154,-0.183894231,-0.432692308,-0.3046875,
    0.0629562044,-0.0246350365,0,0,1e301,1e301,1e301,1e301,1e301,-0.4765625,
    -0.0301339286,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,
    -0.,0,0,-0.828125,0.3125,-0.237980769,-0.122596154,-0.288461538,-0.3046875,
    -0.173129562,-0.0677463504,1e301,1e301,1e301,1e301,1e301,1e301,-0.,-0.,-0.0301339286,
    0,0,-3.14159265,1.57079633,-1.57079633,0.588002604,-0.588002604,2.55359005,
    -0.785398163,1.22202532,-1.22202532,1.57079633,-1.57079633,0.785398163,1e301,1e301,
    1e301,0,3.14159265,-0.785398163,-0.8125,1.84375,0.671875,4.390625,0.5625,4,2.421875,
    -3.171875,1.984375,0.828125,0.203125,1.75,1.765625,1.171875,1.859375,1.75,1.765625,
    1.171875,1.859375,0.484375,0.5,1.171875,0.59375,3.890625,3.828125,0.546875,1.171875,
    3.015625,2.953125,0.546875,1.171875,1.015625,0.953125,0.546875,1.171875,0,0,-0.,1,
    -1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0.09375,
    -0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,1.078125,
    -0.421875,1.6875,0.90625,1.078125,1.6875,-1.640625,-0.859375,1.6875,0.953125,
    -0.421875,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,
    1e301,0,-0.,-1e302,1e302,-0.,-0.796875,1.875,-1.21875,-2.15625,-1.265625,1e301,
    1e301,1e301,1e301,1e301,1e301,-0.,0,-0.421875,1e301,0,-0.,1e301,1e301,2,1,-1,
    -0.,1.5,0.5,1e301,1e301,1e301,1e301,1e301,1e301,3,0,-0.,0.932129794,0.989530337,
    -0.457876254,0.936181387,0.411307825,-2.32795399,-0.958628092,-2.45506932,3.56862724,
    4.25137167,2.29453406,2.57547212,1.96676487,2.73008592,1.88597051,2.99715034,2.49359531,
    3.13100985,2.43037822,1.82284226,0.74690115,2.03545238,0.496570268,1.92536523,
    2.14745716,2.125,2.58620892,2.4610739,2.6384514,2.62020582,3.00638156,0.629863887,
    1.14073202,1.0978717,1.83798091,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,
    1e302,1e301,1,1e301,3,0,-7,1e301,-0.,-0.,0.828125,-0.3125,0.858051866,0.442026719,
    1.04006287,0.86178639,1.01321478,0.396475351,1e301,1e301,1e301,1e301,1e301,1e301,0,
    0,0.298310673,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,
    1e301,-0.78125,-1.890625,0,0,1.2870778,-0.663040078,-1.5600943,-0.86178639,0.36844174,
    -0.144172855,0,0,1e301,1e301,1e301,1e301,1e301,-0.953125,-0.298310673,0,1,1,1,1,
    3.60555128,3.60555128,3.60555128,2.82842712,5.85234996,5.85234996,1e302,1e302,1e302,
    1e301,1e301,1e301,1e302,2,9.89949494,1,0,0,0,0,0,0,0,1,1,1,1,0,0,0,0,0,
    0,0,0,1,0,1,0,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,
    1e301,3,0,-7,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,
    0,1,0,0,1,1,1,0,1,0,1,0,1,0,0,0,0,1,0,1,1,1,1,1,1,1,1,1,0,0,0,1,
    1,1,1,1,1,1,1,1,0,0,0,0,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,
    1e302,1e301,1,1e301,3,0,-7,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,
    1e301,1e302,-2,7,1,1,0,0,1,1,1,0,1,0,1,0,1,1,0,0,0,1,0,1,1,0,0,0,0,
    0,0,0,0,0,0,0,1,1,0,0,1,0,0,0,1,0,0,0,0,0,-0.,1,-1,2,-2,2,-2,5.5,
    -5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,1,-1,0,0,3,3,-3,2,2,2,1,1,
    1e302,1,1e301,1e301,1e302,-2,7,0,0,1,1,0,0,0,1,0,1,0,1,0,0,0,0,0,0,1,
    0,0,1,1,0,1,1,1,1,1,1,1,1,0,0,0,1,1,1,1,1,0,0,0,1,0,0,-0.,1,-1,2,
    -2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,1,-1,0,0,3,3,
    -3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,1,0,1,1,0,0,0,1,0,1,0,1,0,
    1,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,1,0,0,0,0,0,1,0,0,
    0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,1,
    -1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,1,0,0,0,0,0,0,
    0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,0,1,
    1,0,1,1,1,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,
    1e301,3,0,-7,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,
    0,1,1,1,1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,0,1,0,1,0,1,0,1,0,1,0,1,
    0,0,1,1,0,0,1,1,0,0,1,1,0,0,-0.,1,-1,2,-2,2,-2,5.5,-5.5,1e302,-1e302,
    1e302,1e301,1,1e301,3,0,-7,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,
    1e301,1e302,-2,7,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,
    1,0,1,1,1,1,1,1,1,1,1,1,1,1,0,1,1,1,1,0,0,-0.,1,-1,2,-2,2,-2,5.5,
    -5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,1,-1,0,0,3,3,-3,2,2,2,1,1,
    1e302,1,1e301,1e301,1e302,-2,7,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
    1,-0.836914062,3.80126953,-4.24023438,-8.19775391,-3.35302734,14.8198242,5.91748047,
    -2.64599609,1.41113281,-9.81640625,3.140625,0.539306641,1.265625,0.129150391,4.58227539,
    0.908447266,0.31640625,1.76391602,0.205322266,0.282226562,0.0197753906,0.821289062,
    0.765625,2.44140625,0.5625,0.451416016,0.0625,0.015625,5.94140625,5.56665039,
    2.06640625,0.0881347656,4.06274414,3.75390625,1.03149414,0,0,-0.,1,-1,2,-2,2,-2,
    5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,1.5625,3.78125,1.65625,
    -0.625,-3.09375,7.96875,18.75,9.75,7.546875,6.328125,1e302,-1e302,1e301,1e301,1e301,
    1e301,-1e302,3.8125,11.8125,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,
    1e301,1e302,-2,7,-0.,-1.5625,-3.78125,-1.65625,0.625,3.09375,-7.96875,-18.75,-9.75,
    -7.546875,-6.328125,-1e302,1e302,1e301,1e301,1e301,1e301,1e302,-3.8125,-11.8125,0,
    1,1,1,1,1,25,25,16,12.25,56.25,1e302,1e302,1e301,1e301,1e301,1e301,1e302,4,
    196,-1.05859375,-1.45043945,1.56225586,1.30078125,-0.0520019531,-0.268554688,1.14624023,
    -2.15478516,-2.56689453,2.16894531,1.37304688,0.4921875,0.0440673828,0.57421875,
    0.7734375,0.236328125,1.23046875,0.167114258,0.048828125,0.3515625,0.11730957,
    0.43359375,0.6328125,0.0889892578,0.141113281,1.04296875,1.171875,1.32421875,0.609375,
    0.00109863281,0.0239257812,0.185668945,0.0590820312,0.90234375,1.03125,0,0,-0.,1,-1,
    2,-2,2,-2,5.5,-5.5,1e302,-1e302,1e302,1e301,1,1e301,3,0,-7,0,0.5859375,
    1.41796875,0.62109375,-0.234375,-1.16015625,0.59765625,1.40625,0.9140625,0.80859375,
    0.31640625,1.265625,-0.6796875,1e301,1e301,1e301,1e301,-1.265625,0.71484375,
    0.31640625,0,1,-1,0,0,3,3,-3,2,2,2,1,1,1e302,1,1e301,1e301,1e302,-2,7,0,
    -0.5859375,-1.41796875,-0.62109375,0.234375,1.16015625,-0.59765625,-1.40625,-0.9140625,
    -0.80859375,-0.31640625,-1.265625,0.6796875,1e301,1e301,1e301,1e301,1.265625,
    -0.71484375,-0.31640625,0,0.46875,0.46875,0.46875,0.46875,0.46875,3.46875,3.46875,
    2.71875,2.34375,5.34375,1e302,1e302,1e301,1e301,1e301,1e301,1e302,1.21875,10.21875,
    0.09375,0,1.890625,0,0.3125,1.546875,-0.796875,1.875,0,1.078125,-0.421875,0,
    -1.21875,-0.78125,0,2.515625,-0.53125,0.90625,-1.984375,0.125,1.4375,-0.21875,0.25,
    0.890625,-0.25,1.640625,-1.140625,0.125,0,1,0,1,0,1,1e301,1,1e302,2,3,1e302,0,
    -0.78125,0,0.828125,0,1.546875,1,1e301,2,1e302,1e301,-1e302,0.09375,0,1.890625,0,
    0.3125,0,1,1,2,2,1e301,1e302,0.09375,-0.78125,1.890625,0,0,1.546875,-0.796875,
    1.875,0,0,-0.421875,0,0.90625,0,0,-1,-0.5,0,-2,1,0,0,0,0,0,1,0.5,1,-1,0,
    0,1.6875,0,0.6875,3.078125,0.765625,0.203125,0.046875,-1,0,0.453125,0.15625,
    0.828125,-1,0,0.859375,0.5,0.03125,-1,0,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,
    2,2,3,3,3,3,3,3,3,3,3,0.09375,-0.390625,0.9453125,0,0,0,0,0,0,0,
    -0.2109375,1.6875,0,1.078125,0.84375,0,0,0,0,0,0.2578125,0,0,-0.5546875,0,0,
    -1.078125,1,1,1,2,2,2,3,3,3,1,1,1,2,2,2,3,3,3,1,1,1,2,2,2,3,3,3,0,
    -0.390625,0.9453125,0,0.3125,1.546875,0,0,-1.21875,0,0,0,0,0,0.84375,0,0,
    1.6875,0,0,0,0,0,0,0,0,0,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,
    3,1,2,3,1,2,3,0,0,0,0.828125,0,0,-0.796875,1.875,0,1.078125,-0.2109375,0,
    0.90625,0,0,-1.640625,-0.859375,0,0.953125,-0.421875,0.2578125,1.234375,-0.21875,
    -0.5546875,-0.859375,1.40625,0,1,1,1,1,2,2,1,2,3,1,2,2,1,2,2,1,2,3,1,2,
    3,1,2,3,1,2,3,0.0615234375,-0.634765625,0.502197266,0.828125,0.0634765625,
    1.37768555,-0.099609375,0.263671875,-0.209472656,0.555908203,-0.421875,1.6875,
    0.0322265625,-0.146484375,1.38842773,0,0.249023438,0.169189453,-0.697265625,1.61132812,
    -1.00927734,0.522216797,-0.,0,0.17578125,2.28271484,-1.77246094,-0.181152344,
    -0.810546875,2.07861328,0.846679688,-6.796875,-0.0952148438,1.92041016,0.883300781,
    -1.265625,-1.18359375,0.749023438,-1.06347656,1.890625,-0.629394531,-1.52490234,
    -1.5546875,-1.38085938,0.345947266,-0.590332031,1.046875,0.28125,0.09375,-0.78125,
    1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,1.078125,-0.421875,1.6875,
    0.076171875,-0.128173828,0.723754883,-0.4140625,0.25390625,0.25378418,-0.305053711,
    -0.9375,-0.990234375,0.176879883,-0.161499023,-0.84375,-0.27734375,-2.38793945,
    -1.59716797,2.58325195,-0.2890625,-1.93395996,-2.56921387,-0.34375,2.77050781,
    -0.198242188,0.0764160156,0.2578125,1.70898438,1.4375,0.481079102,-2.5,0.09375,
    -0.78125,1.890625,0.828125,0.3125,1.546875,-0.796875,1.875,-1.21875,1.078125,
    -0.421875,1.6875,0.0256410256,-0.333333333,0.438405797,0.121004566,0.0854700855,0.66,
    -0.184782609,0.273972603,-0.333333333,0.46,-0.097826087,0.246575342,0.367156111,
    -0.642755556,-0.33036652,0.0940034611,-0.807959402,0.725416667,-0.542572464,-1.43635845,
    -1.44297543,1.405,-0.169384058,-1.80094178,2.13221154,0.415416667,-1.03102355,
    0.47595605,-0.224262753,-1.40936969,-1.66934603,1.11372964,2.21908382,1.94034667,1.5,
    3.46875,2.35724311,-0.306414576,-1.43620485,0.324854829,-1.33559091,-0.211236916,
    5.10354688,0.202233896,0.561767578,-1.36230469,-2.29125977,-3.01171875,0.135253906,
    -5.71289062,-0.654052734,-1.11303711,-0.140625,6.234375,-0.639526367,-1.25793457,
    0.983642578,0.609313965,-0.924682617,-1.21728516,0.36730957,-0.460083008,1.6192627,
    0.95324707,-0.395019531,-0.104431152,0,0,0,0,0,0.09375,0,-0.78125,0,0,0,0,0,
    1.890625,0.828125,0,0,0,0,0,0,0.3125,0,1.546875,0,0,0,0,-0.796875,0,0,1.875,
    -0.28125,2,0.8125,1.953125,1.90625,0.171875,1.859375,1.265625,5,7,13,14,5,7,12,
    15,0.09375,0.29296875,-0.708984375,-0.310546875,-0.1171875,-0.580078125,0.298828125,
    -0.703125,0.45703125,-0.404296875,0.158203125,-0.6328125,-0.33984375,-0.404296875,
    -0.6328125,0.615234375,0.322265625,-0.6328125,0.953125,-0.421875,0.515625,1.234375,
    0.08203125,0.416015625,-5.34375,2,0.75,0.75,0.375,0.375,-0.,-0.,0.75,0.75,-0.,
    0.375,-0.,0.375,-0.,0.75,0.375,-0.,-0.,2,2,2,2,0.75,0.375,-0.0424804688,
    -0.78125,-0.856689453,0.828125,0.327148438,1.546875,-0.796875,1.96289062,-1.21875,
    1.078125,-0.421875,1.6875,-0.410644531,-0.488525391,1.6875,-1.640625,-0.899658203,
    1.76660156,0.953125,-0.441650391,0.733154297,1.234375,-0.311035156,-1.57739258,-4.15625,
    -0.359375,1.109375,0.90625,2,-0.,1,-2.09375,2,2,-1.046875,2,1,1,2,0.90625,
    0.90625,2,2,-2.09375,0,2,-1.046875,0,1,0,-1.421875,0,1e301,1e302,-1e302,1.5,-2,
    -0.,1e301,1e302,1e302,1.5,0.25};

/* name, role, kind, kind's number, seed, rank, extents, own numbers, expected, error,
   gradient, error */
static const catalogue_row catalogue_elementwise_rows[] = {
    {"in0", 'x', 's', 0, 17728, 2, {3, 7}, -1, -1, 0, 0, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 21, 0, -1, 0},
    {"in0", 'x', 's', 0, 130704, 1, {18}, 42, -1, 0, 60, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 78, 3.2e-41, -1, 0},
    {"in0", 'x', 's', 0, 17552, 2, {3, 7}, -1, -1, 0, 96, 1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 117, 9.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 130528, 1, {18}, 138, -1, 0, 156, 8.6e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 174, 1.7e-09, -1, 0},
    {"in0", 'x', 's', 0, 95232, 2, {3, 7}, -1, -1, 0, 192, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 213, 0, -1, 0},
    {"in0", 'x', 's', 0, 288080, 1, {18}, 234, -1, 0, 252, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 270, 3.2e-41, -1, 0},
    {"in0", 'x', 's', 0, 36096, 2, {3, 7}, -1, -1, 0, 288, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 309, 0, -1, 0},
    {"in0", 'x', 's', 0, 175696, 1, {18}, 330, -1, 0, 348, 3.3e-41},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 366, 1e-64, -1, 0},
    {"in0", 'x', 'f', 0, 47280, 2, {3, 7}, -1, -1, 0, 384, 4.1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 405, 3.2e-08, -1, 0},
    {"in0", 'x', 's', 0, 200192, 1, {18}, 426, -1, 0, 444, 1.7e-07},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 462, 4.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 16896, 2, {3, 7}, -1, -1, 0, 480, 5.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 501, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 129872, 1, {18}, 522, -1, 0, 540, 5.7e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 558, 2.8e-08, -1, 0},
    {"in0", 'x', 'f', 0, 10832, 2, {3, 7}, -1, -1, 0, 576, 3.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 597, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 110496, 1, {18}, 618, -1, 0, 636, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 654, 2.2e-08, -1, 0},
    {"in0", 'x', 'p', 0, 10224, 2, {3, 7}, -1, -1, 0, 672, 1.7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 693, 4.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 109888, 1, {18}, 714, -1, 0, 732, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 750, 9.3e-10, -1, 0},
    {"in0", 'x', 'p', 0, 18352, 2, {3, 7}, -1, -1, 0, 768, 3.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 789, 5.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 131328, 1, {18}, 810, -1, 0, 828, 1.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 846, 8.9e-09, -1, 0},
    {"in0", 'x', 's', 0, 10208, 2, {3, 7}, -1, -1, 0, 864, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 885, 0, -1, 0},
    {"in0", 'x', 's', 0, 109872, 1, {18}, 906, -1, 0, 924, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 942, 3.2e-41, -1, 0},
    {"in0", 'x', 's', 0, 35120, 2, {3, 7}, -1, -1, 0, 960, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 981, 0, -1, 0},
    {"in0", 'x', 's', 0, 174720, 1, {18}, 1002, -1, 0, 1020, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1038, 3.2e-41, -1, 0},
    {"in0", 'x', 'f', 0, 64864, 2, {3, 7}, -1, -1, 0, 1056, 3.1e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1077, 7.9e-09, -1, 0},
    {"in0", 'x', 's', 0, 231088, 1, {18}, 1098, -1, 0, 1116, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1134, 1.1e-09, -1, 0},
    {"in0", 'x', 's', 0, 24656, 2, {3, 7}, -1, -1, 0, 1152, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1173, 0, -1, 0},
    {"in0", 'x', 's', 0, 150944, 1, {18}, 1194, -1, 0, 1212, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1230, 3.2e-41, -1, 0},
    {"in0", 'x', 's', 0, 36512, 2, {3, 7}, -1, -1, 0, 1248, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1269, 0, -1, 0},
    {"in0", 'x', 's', 0, 176112, 1, {18}, 1290, -1, 0, 1308, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1326, 0, -1, 0},
    {"in0", 'x', 'p', 0, 92784, 2, {3, 7}, -1, -1, 0, 1344, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1365, 4.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 285632, 1, {18}, 1386, -1, 0, 1404, 6.6e-09},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1422, 1.5e-08, -1, 0},
    {"in0", 'x', 'p', 0, 27504, 2, {3, 7}, -1, -1, 0, 1440, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1461, 2.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 153792, 1, {18}, 1482, -1, 0, 1500, 9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1518, 1.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 21728, 2, {3, 7}, -1, -1, 0, 1536, 3.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1557, 2.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 148016, 1, {18}, 1578, -1, 0, 1596, 6.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1614, 2.2e-08, -1, 0},
    {"in0", 'x', 'p', 0, 22320, 2, {3, 7}, -1, -1, 0, 1632, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1653, 3.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 148608, 1, {18}, 1674, -1, 0, 1692, 2.4e-09},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1710, 2.3e-08, -1, 0},
    {"in0", 'x', 'p', 0, 13424, 2, {3, 7}, -1, -1, 0, 1728, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1749, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 126400, 1, {18}, 1770, -1, 0, 1788, 3.3e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1806, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 10480, 2, {3, 7}, -1, -1, 0, 1824, 4.4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1845, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 110144, 1, {18}, 1866, -1, 0, 1884, 4.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1902, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 10656, 2, {3, 7}, -1, -1, 0, 1920, 4.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 1941, 2.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 110320, 1, {18}, 1962, -1, 0, 1980, 5.6e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 1998, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 10240, 2, {3, 7}, -1, -1, 0, 2016, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2037, 2.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 109904, 1, {18}, 2058, -1, 0, 2076, 5.3e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2094, 3.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 10160, 2, {3, 7}, -1, -1, 0, 2112, 8.9e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2133, 2.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 109824, 1, {18}, 2154, -1, 0, 2172, 7.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2190, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 26640, 2, {3, 7}, -1, -1, 0, 2208, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2229, 0, -1, 0},
    {"in0", 'x', 's', 0, 152928, 1, {18}, 2250, -1, 0, 2268, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2286, 0, -1, 0},
    {"in0", 'x', 's', 0, 16768, 2, {3, 7}, -1, -1, 0, 2304, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2325, 0, -1, 0},
    {"in0", 'x', 's', 0, 129744, 1, {18}, 2346, -1, 0, 2364, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2382, 0, -1, 0},
    {"in0", 'x', 's', 0, 26032, 2, {3, 7}, -1, -1, 0, 2400, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2421, 0, -1, 0},
    {"in0", 'x', 's', 0, 152320, 1, {18}, 2442, -1, 0, 2460, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2478, 0, -1, 0},
    {"in0", 'x', 's', 0, 26080, 2, {3, 7}, -1, -1, 0, 2496, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2517, 0, -1, 0},
    {"in0", 'x', 's', 0, 152368, 1, {18}, 2538, -1, 0, 2556, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2574, 0, -1, 0},
    {"in0", 'x', 't', 0, 17184, 2, {3, 7}, -1, -1, 0, 2592, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2613, 0, -1, 0},
    {"in0", 'x', 's', 0, 130160, 1, {18}, 2634, -1, 0, 2652, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2670, 0, -1, 0},
    {"in0", 'x', 'f', 0, 22048, 2, {3, 7}, -1, -1, 0, 2688, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2709, 0, -1, 0},
    {"in0", 'x', 's', 0, 148336, 1, {17}, 2730, -1, 0, 2747, 0},
    {"y0", 'y', 'r', 0, 900, 1, {17}, -1, 2764, 5.3e-40, -1, 0},
    {"in0", 'x', 's', 0, 71744, 1, {3}, 2781, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 2784, 0, -1, 0},
    {"in0", 'x', 's', 0, 10688, 2, {3, 7}, -1, -1, 0, 2787, 1.4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2808, 2.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 110352, 1, {18}, 2829, -1, 0, 2847, 1.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2865, 4.8e-10, -1, 0},
    {"in0", 'x', 's', 0, 17744, 2, {3, 7}, -1, -1, 0, 2883, 3.7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 2904, 4.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 130720, 1, {18}, 2925, -1, 0, 2943, 3.8e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 2961, 1.4e-09, -1, 0},
    {"in0", 'x', 's', 0, 17488, 2, {3, 7}, -1, -1, 0, 2979, 1.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3000, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 130464, 1, {18}, 3021, -1, 0, 3039, 3.2e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 3057, 4.3e-10, -1, 0},
    {"in0", 'x', 's', 0, 17872, 2, {3, 7}, -1, -1, 0, 3075, 5.5e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3096, 5.4e-08, -1, 0},
    {"in0", 'x', 's', 0, 130848, 1, {18}, 3117, -1, 0, 3135, 2.2e-07},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 3153, 3.8e-09, -1, 0},
    {"in0", 'x', 's', 0, 17280, 2, {3, 7}, -1, -1, 0, 3171, 7.1e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3192, 2.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 130256, 1, {18}, 3213, -1, 0, 3231, 1.3e-07},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 3249, 8.9e-10, -1, 0},
    {"in0", 'x', 'f', 0, 111792, 2, {3, 7}, -1, -1, 0, 3267, 3e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3288, 2e-08, -1, 0},
    {"in0", 'x', 's', 0, 317952, 1, {18}, 3309, -1, 0, 3327, 3e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 3345, 2e-08, -1, 0},
    {"in0", 'x', 'f', 0, 78720, 2, {3, 7}, -1, -1, 0, 3363, 6.2e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3384, 1.3e-09, -1, 0},
    {"in0", 'x', 's', 0, 258256, 1, {17}, 3405, -1, 0, 3422, 7.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {17}, -1, 3439, 7.9e-10, -1, 0},
    {"in0", 'x', 's', 0, 154784, 1, {3}, 3456, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3459, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 60864, 2, {3, 7}, -1, -1, 0, 3462, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3483, 0, -1, 0},
    {"in0", 'x', 's', 0, 227088, 1, {17}, 3504, -1, 0, 3521, 0},
    {"y0", 'y', 'r', 0, 900, 1, {17}, -1, 3538, 3.2e-39, -1, 0},
    {"in0", 'x', 's', 0, 130336, 1, {3}, 3555, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3558, 0, -1, 0},
    {"in0", 'x', 's', 0, 62608, 2, {3, 7}, -1, -1, 0, 3561, 4.6e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3582, 4e-08, -1, 0},
    {"in0", 'x', 's', 0, 228832, 1, {18}, 3603, -1, 0, 3621, 2.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 3639, 2.4e-08, -1, 0},
    {"in0", 'x', 'f', 0, 93408, 2, {3, 7}, -1, -1, 0, 3657, 4e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3678, 4.6e-09, -1, 0},
    {"in0", 'x', 's', 0, 286256, 1, {18}, 3699, -1, 0, 3717, 2.5e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 3735, 1.1e-09, -1, 0},
    {"in0", 'x', 's', 0, 95248, 2, {3, 7}, -1, -1, 0, 3753, 7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3774, 6.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 288096, 1, {18}, 3795, -1, 0, 3813, 5.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 3831, 1.1e-09, -1, 0},
    {"in0", 'x', 's', 0, 96064, 2, {3, 7}, -1, -1, 0, 3849, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3870, 0, -1, 0},
    {"in0", 'x', 's', 0, 288912, 1, {17}, 3891, -1, 0, 3908, 0},
    {"y0", 'y', 'r', 0, 900, 1, {17}, -1, 3925, 0, -1, 0},
    {"in0", 'x', 's', 0, 178720, 1, {3}, 3942, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 3945, 0, -1, 0},
    {"in0", 'x', 's', 0, 94992, 2, {3, 7}, -1, -1, 0, 3948, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 3969, 0, -1, 0},
    {"in0", 'x', 's', 0, 287840, 1, {17}, 3990, -1, 0, 4007, 0},
    {"y0", 'y', 'r', 0, 900, 1, {17}, -1, 4024, 0, -1, 0},
    {"in0", 'x', 's', 0, 177648, 1, {3}, 4041, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 1, {3}, -1, 4044, 0, -1, 0},
    {"in0", 'x', 's', 0, 76960, 2, {3, 7}, -1, -1, 0, 4047, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 4068, 0, -1, 0},
    {"in0", 'x', 's', 0, 256496, 1, {18}, 4089, -1, 0, 4107, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 4125, 0, -1, 0},
    {"in0", 'x', 's', 0, 76208, 2, {3, 7}, -1, -1, 0, 4143, 2.7e-08},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 4164, 3.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 255744, 1, {18}, 4185, -1, 0, 4203, 8.3e-08},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 4221, 7.8e-10, -1, 0},
    {"in0", 'x', 's', 0, 25632, 2, {3, 7}, -1, -1, 0, 4239, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 4260, 0, -1, 0},
    {"in0", 'x', 's', 0, 151920, 1, {18}, 4281, -1, 0, 4299, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 4317, 3.2e-39, -1, 0},
    {"in0", 'x', 's', 0, 76240, 2, {3, 7}, -1, -1, 0, 4335, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 4356, 0, -1, 0},
    {"in0", 'x', 's', 0, 255776, 1, {18}, 4377, -1, 0, 4395, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 4413, 0, -1, 0},
    {"in0", 'x', 's', 0, 76656, 2, {3, 7}, -1, -1, 0, 4431, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 7}, -1, 4452, 0, -1, 0},
    {"in0", 'x', 's', 0, 256192, 1, {18}, 4473, -1, 0, 4491, 0},
    {"y0", 'y', 'r', 0, 900, 1, {18}, -1, 4509, 3.2e-41, -1, 0},
    {"in0", 'x', 't', 0, 112448, 2, {3, 7}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 2, {3, 7}, -1, 4527, 0, -1, 0},
    {"in0", 'x', 's', 0, 318608, 1, {18}, 4548, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {18}, -1, 4566, 0, -1, 0},
    {"in0", 'x', 's', 0, 60400, 1, {11}, 4584, -1, 0, 4595, 1.8e-08},
    {"y0", 'y', 'r', 0, 900, 1, {11}, -1, 4606, 5.1e-09, -1, 0},
    {"in0", 'x', 's', 0, 151696, 1, {11}, 4617, -1, 0, 4628, 3.3e-07},
    {"y0", 'y', 'r', 0, 900, 1, {11}, -1, 4639, 8.3e-09, -1, 0},
    {"in0", 'x', 's', 0, 60720, 1, {11}, 4650, -1, 0, 4661, 7.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {11}, -1, 4672, 5.9e-09, -1, 0},
    {"in0", 'x', 's', 0, 59744, 1, {11}, 4683, -1, 0, 4694, 4.3e-05},
    {"y0", 'y', 'r', 0, 900, 1, {11}, -1, 4705, 2.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 46480, 1, {11}, 4716, -1, 0, 4727, 5.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {11}, -1, 4738, 1.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 47008, 1, {11}, 4749, -1, 0, 4760, 1.2e-10},
    {"y0", 'y', 'r', 0, 900, 1, {11}, -1, 4771, 2e-09, -1, 0},
    {"in0", 'x', 's', 0, 131568, 1, {11}, 4782, -1, 0, 4793, 2.4e-07},
    {"y0", 'y', 'r', 0, 900, 1, {11}, -1, 4804, 3e-08, -1, 0},
    {"in0", 'x', 's', 0, 201632, 1, {9}, 4815, -1, 0, 4824, 6e-08},
    {"y0", 'y', 'r', 0, 900, 1, {9}, -1, 4833, 7.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 202224, 1, {9}, 4842, -1, 0, 4851, 8.8e-08},
    {"y0", 'y', 'r', 0, 900, 1, {9}, -1, 4860, 6e-08, -1, 0},
    {"in0", 'x', 's', 0, 179840, 1, {9}, 4869, -1, 0, 4878, 4.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {9}, -1, 4887, 3.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 156464, 1, {9}, 4896, -1, 0, 4905, 5.1e-08},
    {"y0", 'y', 'r', 0, 900, 1, {9}, -1, 4914, 9.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 156224, 1, {9}, 4923, -1, 0, 4932, 2.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {9}, -1, 4941, 6.3e-08, -1, 0},
    {"in0", 'x', 's', 0, 156144, 1, {9}, 4950, -1, 0, 4959, 8.4e-08},
    {"y0", 'y', 'r', 0, 900, 1, {9}, -1, 4968, 3.6e-08, -1, 0},
    {"in0", 'x', 's', 0, 9552, 3, {2, 1, 4}, -1, -1, 0, 4977, 0},
    {"in1", 'x', 's', 0, 9553, 2, {3, 1}, -1, -1, 0, 4985, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 4988, 0, -1, 0},
    {"in0", 'x', 's', 0, 109216, 1, {20}, 5012, -1, 0, 5032, 0},
    {"in1", 'x', 's', 0, 109217, 1, {20}, 5052, -1, 0, 5072, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 5092, 0, -1, 0},
    {"in0", 'x', 's', 0, 62080, 3, {2, 1, 4}, -1, -1, 0, 5112, 0},
    {"in1", 'x', 's', 0, 62081, 2, {3, 1}, -1, -1, 0, 5120, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 5123, 0, -1, 0},
    {"in0", 'x', 's', 0, 228304, 1, {20}, 5147, -1, 0, 5167, 0},
    {"in1", 'x', 's', 0, 228305, 1, {20}, 5187, -1, 0, 5207, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 5227, 0, -1, 0},
    {"in0", 'x', 's', 0, 64832, 3, {2, 1, 4}, -1, -1, 0, 5247, 0},
    {"in1", 'x', 's', 0, 64833, 2, {3, 1}, -1, -1, 0, 5255, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 5258, 0, -1, 0},
    {"in0", 'x', 's', 0, 231056, 1, {20}, 5282, -1, 0, 5302, 0},
    {"in1", 'x', 's', 0, 231057, 1, {20}, 5322, -1, 0, 5342, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 5362, 0, -1, 0},
    {"in0", 'x', 's', 0, 35040, 3, {2, 1, 4}, -1, -1, 0, 5382, 1.9e-08},
    {"in1", 'x', 'p', 0, 35041, 2, {3, 1}, -1, -1, 0, 5390, 8.2e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 5393, 2.5e-08, -1, 0},
    {"in0", 'x', 's', 0, 174640, 1, {20}, 5417, -1, 0, 5437, 5.6e-10},
    {"in1", 'x', 's', 0, 174641, 1, {20}, 5457, -1, 0, 5477, 6.7e-09},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 5497, 7.2e-09, -1, 0},
    {"in0", 'x', 't', 0, 49488, 3, {2, 1, 4}, -1, -1, 0, 5517, 0},
    {"in1", 'x', 't', 0, 49489, 2, {3, 1}, -1, -1, 0, 5525, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 5528, 0, -1, 0},
    {"in0", 'x', 's', 0, 202400, 1, {20}, 5552, -1, 0, 5572, 0},
    {"in1", 'x', 's', 0, 202401, 1, {20}, 5592, -1, 0, 5612, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 5632, 0, -1, 0},
    {"in0", 'x', 't', 0, 49264, 3, {2, 1, 4}, -1, -1, 0, 5652, 0},
    {"in1", 'x', 't', 0, 49265, 2, {3, 1}, -1, -1, 0, 5660, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 5663, 0, -1, 0},
    {"in0", 'x', 's', 0, 202176, 1, {20}, 5687, -1, 0, 5707, 0},
    {"in1", 'x', 's', 0, 202177, 1, {20}, 5727, -1, 0, 5747, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 5767, 0, -1, 0},
    {"in0", 'x', 'p', 0, 11056, 3, {2, 1, 4}, -1, -1, 0, 5787, 4.6e-08},
    {"in1", 'x', 's', 0, 11057, 2, {3, 1}, -1, -1, 0, 5795, 1.6e-07},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 5798, 1.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 110720, 1, {20}, 5822, -1, 0, 5842, 4.5e-08},
    {"in1", 'x', 's', 0, 110721, 1, {20}, 5862, -1, 0, 5882, 3.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 5902, 0, -1, 0},
    {"in0", 'x', 's', 0, 20960, 3, {2, 1, 4}, -1, -1, 0, 5922, 3e-07},
    {"in1", 'x', 's', 0, 20961, 2, {3, 1}, -1, -1, 0, 5930, 5.5e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 5933, 5.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 147248, 1, {20}, 5957, -1, 0, 5977, 1.1e-08},
    {"in1", 'x', 's', 0, 147249, 1, {20}, 5997, -1, 0, 6017, 1.7e-08},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 6037, 2.8e-08, -1, 0},
    {"in0", 'x', 's', 0, 76000, 3, {2, 1, 4}, -1, -1, 0, 6057, 0},
    {"in1", 'x', 'p', 0, 76001, 2, {3, 1}, -1, -1, 0, 6065, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 6068, 0, -1, 0},
    {"in0", 'x', 's', 0, 255536, 1, {20}, 6092, -1, 0, 6112, 0},
    {"in1", 'x', 's', 0, 255537, 1, {20}, 6132, -1, 0, 6152, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 6172, 0, -1, 0},
    {"in0", 'x', 's', 0, 27296, 3, {2, 1, 4}, -1, -1, 0, 6192, 9e-08},
    {"in1", 'x', 'p', 0, 27297, 2, {3, 1}, -1, -1, 0, 6200, 4.4e-08},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 6203, 3.1e-08, -1, 0},
    {"in0", 'x', 's', 0, 153584, 1, {20}, 6227, -1, 0, 6247, 4e-08},
    {"in1", 'x', 's', 0, 153585, 1, {20}, 6267, -1, 0, 6287, 2.9e-08},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 6307, 2e-08, -1, 0},
    {"in0", 'x', 't', 0, 17840, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 17841, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6327, 0, -1, 0},
    {"in0", 'x', 's', 0, 130816, 1, {20}, 6351, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 130817, 1, {20}, 6371, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6391, 0, -1, 0},
    {"in0", 'x', 't', 0, 94016, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 94017, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6411, 0, -1, 0},
    {"in0", 'x', 's', 0, 286864, 1, {20}, 6435, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 286865, 1, {20}, 6455, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6475, 0, -1, 0},
    {"in0", 'x', 't', 0, 48096, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 48097, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6495, 0, -1, 0},
    {"in0", 'x', 's', 0, 201008, 1, {20}, 6519, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 201009, 1, {20}, 6539, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6559, 0, -1, 0},
    {"in0", 'x', 't', 0, 154560, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 154561, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6579, 0, -1, 0},
    {"in0", 'x', 's', 0, 387344, 1, {20}, 6603, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 387345, 1, {20}, 6623, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6643, 0, -1, 0},
    {"in0", 'x', 't', 0, 25696, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 25697, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6663, 0, -1, 0},
    {"in0", 'x', 's', 0, 151984, 1, {20}, 6687, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 151985, 1, {20}, 6707, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6727, 0, -1, 0},
    {"in0", 'x', 't', 0, 76960, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 76961, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6747, 0, -1, 0},
    {"in0", 'x', 's', 0, 256496, 1, {20}, 6771, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 256497, 1, {20}, 6791, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6811, 0, -1, 0},
    {"in0", 'x', 't', 0, 107600, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 107601, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6831, 0, -1, 0},
    {"in0", 'x', 's', 0, 313760, 1, {20}, 6855, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 313761, 1, {20}, 6875, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6895, 0, -1, 0},
    {"in0", 'x', 't', 0, 92656, 3, {2, 1, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 't', 0, 92657, 2, {3, 1}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 3, {2, 3, 4}, -1, 6915, 0, -1, 0},
    {"in0", 'x', 's', 0, 285504, 1, {20}, 6939, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 285505, 1, {20}, 6959, -1, 0, -1, 0},
    {"y0", 'y', 'i', 1, 900, 1, {20}, -1, 6979, 0, -1, 0},
    {"in0", 'x', 's', 0, 283152, 3, {2, 1, 4}, -1, -1, 0, 6999, 0},
    {"in1", 'x', 's', 0, 283153, 2, {3, 1}, -1, -1, 0, 7007, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 7010, 0, -1, 0},
    {"in0", 'x', 's', 0, 582496, 1, {20}, 7034, -1, 0, 7054, 0},
    {"in1", 'x', 's', 0, 582497, 1, {20}, 7074, -1, 0, 7094, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 7114, 0, -1, 0},
    {"in0", 'x', 's', 0, 25696, 3, {2, 1, 4}, -1, -1, 0, 7134, 0},
    {"in1", 'x', 's', 0, 25697, 2, {3, 1}, -1, -1, 0, 7142, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 7145, 0, -1, 0},
    {"in0", 'x', 's', 0, 151984, 1, {20}, 7169, -1, 0, 7189, 0},
    {"in1", 'x', 's', 0, 151985, 1, {20}, 7209, -1, 0, 7229, 0},
    {"y0", 'y', 'r', 0, 900, 1, {20}, -1, 7249, 0, -1, 0},
    {"in0", 'x', 'b', 0, 25456, 2, {3, 4}, -1, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 25457, 2, {3, 4}, -1, -1, 0, 7269, 0},
    {"in2", 'x', 's', 0, 25458, 1, {4}, -1, -1, 0, 7281, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 7285, 0, -1, 0},
    {"in0", 'x', 's', 0, 151744, 1, {6}, 7297, -1, 0, -1, 0},
    {"in1", 'x', 's', 0, 151745, 1, {6}, 7303, -1, 0, 7309, 0},
    {"in2", 'x', 's', 0, 151746, 1, {6}, 7315, -1, 0, 7321, 0},
    {"y0", 'y', 'r', 0, 900, 1, {6}, -1, 7327, 0, -1, 0},
    {"in0", 'x', 'o', 0, 237936, 2, {3, 5}, -1, -1, 0, 7333, 0},
    {"in1", 'x', 's', 0, 237937, 1, {5}, 7348, -1, 0, 7353, 0},
    {"in2", 'x', 's', 0, 237938, 1, {5}, 7358, -1, 0, 7363, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 5}, -1, 7368, 0, -1, 0},
    {"in0", 'x', 's', 0, 400064, 1, {27}, 7383, -1, 0, 7410, 0},
    {"in1", 'x', 's', 0, 400065, 1, {27}, 7437, -1, 0, 7464, 0},
    {"in2", 'x', 's', 0, 400066, 1, {27}, 7491, -1, 0, 7518, 0},
    {"y0", 'y', 'r', 0, 900, 1, {27}, -1, 7545, 0, -1, 0},
    {"in0", 'x', 's', 0, 17600, 2, {3, 4}, -1, -1, 0, 7572, 0},
    {"in1", 'x', 's', 0, 17601, 2, {3, 4}, -1, -1, 0, 7584, 0},
    {"in2", 'x', 'u', 0, 17602, 2, {3, 4}, -1, -1, 0, 7596, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 7608, 0, -1, 0},
    {"in0", 'x', 's', 0, 47936, 2, {3, 4}, -1, -1, 0, 7620, 0},
    {"in1", 'x', 's', 0, 47937, 2, {3, 4}, -1, -1, 0, 7632, 0},
    {"in2", 'x', 's', 0, 47938, 1, {4}, -1, -1, 0, 7644, 0},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 7648, 0, -1, 0},
    {"in0", 'x', 's', 0, 47184, 2, {3, 4}, -1, -1, 0, 7660, 0},
    {"in1", 'x', 's', 0, 47185, 2, {3, 4}, -1, -1, 0, 7672, 4e-08},
    {"in2", 'x', 'p', 0, 47186, 1, {4}, -1, -1, 0, 7684, 1.1e-07},
    {"y0", 'y', 'r', 0, 900, 2, {3, 4}, -1, 7688, 6.9e-08, -1, 0},
    {"in0", 'x', 's', 0, 258624, 2, {CATALOGUE_BATCH + 4, 3}, -1, -1, 0, -1, 0},
    {"fc.weight", 'p', 's', 0, 258625, 2, {2, 3}, -1, -1, 0, 7700, 7.5e-08},
    {"fc.bias", 'p', 's', 0, 258626, 1, {2}, -1, -1, 0, 7706, 0},
    {"y0", 'y', 'r', 0, 900, 2, {4, 2}, -1, 7708, 6.7e-08, -1, 0},
    {"in0", 'x', 's', 0, 110848, 3, {CATALOGUE_BATCH + 2, CATALOGUE_TIME + 3, 4}, -1, -1, 0, -1,
        0},
    {"fc.weight", 'p', 'w', 0, 110849, 2, {2, 4}, -1, -1, 0, 7716, 0},
    {"fc.bias", 'p', 'w', 0, 110850, 1, {2}, -1, -1, 0, 7724, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 2}, -1, 7726, 0, -1, 0},
    {"in0", 'x', 'd', 0, 120160, 4, {1, 2, 4, 4}, -1, -1, 0, 7738, 0},
    {"y0", 'y', 'r', 0, 900, 4, {1, 2, 2, 2}, -1, 7770, 0, -1, 0},
    {"y1", 'y', 'i', 1, 901, 4, {1, 2, 2, 2}, -1, 7778, 0, -1, 0},
    {"in0", 'x', 't', 0, 26560, 3, {2, 3, 4}, -1, -1, 0, 7786, 0},
    {"act.weight", 'p', 's', 0, 26561, 1, {1}, -1, -1, 0, 7810, 0},
    {"y0", 'y', 'r', 0, 900, 3, {2, 3, 4}, -1, 7811, 0, -1, 0},
    {"in0", 'x', 't', 0, 178624, 4, {2, 3, 2, 2}, -1, -1, 0, 7835, 0},
    {"act.weight", 'p', 's', 0, 178625, 1, {3}, -1, -1, 0, 7859, 0},
    {"y0", 'y', 'r', 0, 900, 4, {2, 3, 2, 2}, -1, 7862, 0, -1, 0},
    {"in0", 'x', 's', 0, 93456, 2, {2, 3}, 7886, -1, 0, -1, 0},
    {"act.weight", 'p', 'w', 0, 93457, 1, {3}, -1, -1, 0, -1, 0},
    {"y0", 'y', 'r', 0, 900, 2, {2, 3}, -1, 7892, 0, -1, 0},
};

static const catalogue_case catalogue_elementwise_cases[] = {
    {"relu", elementwise_relu, 0, 2, CATALOGUE_BOTH, false},
    {"relu_special", elementwise_relu_special, 2, 2, CATALOGUE_BOTH, false},
    {"gelu", elementwise_gelu, 4, 2, CATALOGUE_BOTH, false},
    {"gelu_special", elementwise_gelu_special, 6, 2, CATALOGUE_BOTH, false},
    {"leaky_relu", elementwise_leaky_relu, 8, 2, CATALOGUE_BOTH, false},
    {"leaky_relu_special", elementwise_leaky_relu_special, 10, 2, CATALOGUE_BOTH, false},
    {"square", elementwise_square, 12, 2, CATALOGUE_BOTH, false},
    {"square_special", elementwise_square_special, 14, 2, CATALOGUE_BOTH, false},
    {"sigmoid", elementwise_sigmoid, 16, 2, CATALOGUE_BOTH, false},
    {"sigmoid_special", elementwise_sigmoid_special, 18, 2, CATALOGUE_BOTH, false},
    {"tanh", elementwise_tanh, 20, 2, CATALOGUE_BOTH, false},
    {"tanh_special", elementwise_tanh_special, 22, 2, CATALOGUE_BOTH, false},
    {"exp", elementwise_exp, 24, 2, CATALOGUE_BOTH, false},
    {"exp_special", elementwise_exp_special, 26, 2, CATALOGUE_BOTH, false},
    {"log", elementwise_log, 28, 2, CATALOGUE_BOTH, false},
    {"log_special", elementwise_log_special, 30, 2, CATALOGUE_BOTH, false},
    {"sqrt", elementwise_sqrt, 32, 2, CATALOGUE_BOTH, false},
    {"sqrt_special", elementwise_sqrt_special, 34, 2, CATALOGUE_BOTH, false},
    {"abs", elementwise_abs, 36, 2, CATALOGUE_BOTH, false},
    {"abs_special", elementwise_abs_special, 38, 2, CATALOGUE_BOTH, false},
    {"negate", elementwise_negate, 40, 2, CATALOGUE_BOTH, false},
    {"negate_special", elementwise_negate_special, 42, 2, CATALOGUE_BOTH, false},
    {"softplus", elementwise_softplus, 44, 2, CATALOGUE_BOTH, false},
    {"softplus_special", elementwise_softplus_special, 46, 2, CATALOGUE_BOTH, false},
    {"scale", elementwise_scale, 48, 2, CATALOGUE_BOTH, false},
    {"scale_special", elementwise_scale_special, 50, 2, CATALOGUE_BOTH, false},
    {"offset", elementwise_offset, 52, 2, CATALOGUE_BOTH, false},
    {"offset_special", elementwise_offset_special, 54, 2, CATALOGUE_BOTH, false},
    {"reciprocal", elementwise_reciprocal, 56, 2, CATALOGUE_BOTH, false},
    {"reciprocal_special", elementwise_reciprocal_special, 58, 2, CATALOGUE_BOTH, false},
    {"rsqrt", elementwise_rsqrt, 60, 2, CATALOGUE_BOTH, false},
    {"rsqrt_special", elementwise_rsqrt_special, 62, 2, CATALOGUE_BOTH, false},
    {"expm1", elementwise_expm1, 64, 2, CATALOGUE_BOTH, false},
    {"expm1_special", elementwise_expm1_special, 66, 2, CATALOGUE_BOTH, false},
    {"log1p", elementwise_log1p, 68, 2, CATALOGUE_BOTH, false},
    {"log1p_special", elementwise_log1p_special, 70, 2, CATALOGUE_BOTH, false},
    {"log2", elementwise_log2, 72, 2, CATALOGUE_BOTH, false},
    {"log2_special", elementwise_log2_special, 74, 2, CATALOGUE_BOTH, false},
    {"sin", elementwise_sin, 76, 2, CATALOGUE_BOTH, false},
    {"sin_special", elementwise_sin_special, 78, 2, CATALOGUE_BOTH, false},
    {"cos", elementwise_cos, 80, 2, CATALOGUE_BOTH, false},
    {"cos_special", elementwise_cos_special, 82, 2, CATALOGUE_BOTH, false},
    {"tan", elementwise_tan, 84, 2, CATALOGUE_BOTH, false},
    {"tan_special", elementwise_tan_special, 86, 2, CATALOGUE_BOTH, false},
    {"erf", elementwise_erf, 88, 2, CATALOGUE_BOTH, false},
    {"erf_special", elementwise_erf_special, 90, 2, CATALOGUE_BOTH, false},
    {"floor", elementwise_floor, 92, 2, CATALOGUE_BOTH, false},
    {"floor_special", elementwise_floor_special, 94, 2, CATALOGUE_BOTH, false},
    {"ceil", elementwise_ceil, 96, 2, CATALOGUE_BOTH, false},
    {"ceil_special", elementwise_ceil_special, 98, 2, CATALOGUE_BOTH, false},
    {"round", elementwise_round, 100, 2, CATALOGUE_BOTH, false},
    {"round_special", elementwise_round_special, 102, 2, CATALOGUE_BOTH, false},
    {"trunc", elementwise_trunc, 104, 2, CATALOGUE_BOTH, false},
    {"trunc_special", elementwise_trunc_special, 106, 2, CATALOGUE_BOTH, false},
    {"sign", elementwise_sign, 108, 2, CATALOGUE_BOTH, false},
    {"sign_special", elementwise_sign_special, 110, 2, CATALOGUE_BOTH, false},
    {"relu6", elementwise_relu6, 112, 2, CATALOGUE_BOTH, false},
    {"relu6_special", elementwise_relu6_special, 114, 2, CATALOGUE_BOTH, false},
    {"relu6_nan", elementwise_relu6_nan, 116, 2, CATALOGUE_PLAN, false},
    {"elu", elementwise_elu, 118, 2, CATALOGUE_BOTH, false},
    {"elu_special", elementwise_elu_special, 120, 2, CATALOGUE_BOTH, false},
    {"selu", elementwise_selu, 122, 2, CATALOGUE_BOTH, false},
    {"selu_special", elementwise_selu_special, 124, 2, CATALOGUE_BOTH, false},
    {"celu", elementwise_celu, 126, 2, CATALOGUE_BOTH, false},
    {"celu_special", elementwise_celu_special, 128, 2, CATALOGUE_BOTH, false},
    {"silu", elementwise_silu, 130, 2, CATALOGUE_BOTH, false},
    {"silu_special", elementwise_silu_special, 132, 2, CATALOGUE_BOTH, false},
    {"mish", elementwise_mish, 134, 2, CATALOGUE_BOTH, false},
    {"mish_special", elementwise_mish_special, 136, 2, CATALOGUE_BOTH, false},
    {"hardsigmoid", elementwise_hardsigmoid, 138, 2, CATALOGUE_BOTH, false},
    {"hardsigmoid_special", elementwise_hardsigmoid_special, 140, 2, CATALOGUE_BOTH, false},
    {"hardswish", elementwise_hardswish, 142, 2, CATALOGUE_BOTH, false},
    {"hardswish_special", elementwise_hardswish_special, 144, 2, CATALOGUE_BOTH, false},
    {"hardswish_nan", elementwise_hardswish_nan, 146, 2, CATALOGUE_PLAN, false},
    {"hardtanh", elementwise_hardtanh, 148, 2, CATALOGUE_BOTH, false},
    {"hardtanh_special", elementwise_hardtanh_special, 150, 2, CATALOGUE_BOTH, false},
    {"hardtanh_nan", elementwise_hardtanh_nan, 152, 2, CATALOGUE_PLAN, false},
    {"softsign", elementwise_softsign, 154, 2, CATALOGUE_BOTH, false},
    {"softsign_special", elementwise_softsign_special, 156, 2, CATALOGUE_BOTH, false},
    {"logsigmoid", elementwise_logsigmoid, 158, 2, CATALOGUE_BOTH, false},
    {"logsigmoid_special", elementwise_logsigmoid_special, 160, 2, CATALOGUE_BOTH, false},
    {"tanhshrink", elementwise_tanhshrink, 162, 2, CATALOGUE_BOTH, false},
    {"tanhshrink_special", elementwise_tanhshrink_special, 164, 2, CATALOGUE_BOTH, false},
    {"softshrink", elementwise_softshrink, 166, 2, CATALOGUE_BOTH, false},
    {"softshrink_special", elementwise_softshrink_special, 168, 2, CATALOGUE_BOTH, false},
    {"softshrink_nan", elementwise_softshrink_nan, 170, 2, CATALOGUE_PLAN, false},
    {"hardshrink", elementwise_hardshrink, 172, 2, CATALOGUE_BOTH, false},
    {"hardshrink_special", elementwise_hardshrink_special, 174, 2, CATALOGUE_BOTH, false},
    {"hardshrink_nan", elementwise_hardshrink_nan, 176, 2, CATALOGUE_PLAN, false},
    {"threshold", elementwise_threshold, 178, 2, CATALOGUE_BOTH, false},
    {"threshold_special", elementwise_threshold_special, 180, 2, CATALOGUE_BOTH, false},
    {"gelu_tanh", elementwise_gelu_tanh, 182, 2, CATALOGUE_BOTH, false},
    {"gelu_tanh_special", elementwise_gelu_tanh_special, 184, 2, CATALOGUE_BOTH, false},
    {"clamp", elementwise_clamp, 186, 2, CATALOGUE_BOTH, false},
    {"clamp_special", elementwise_clamp_special, 188, 2, CATALOGUE_BOTH, false},
    {"clamp_min", elementwise_clamp_min, 190, 2, CATALOGUE_BOTH, false},
    {"clamp_min_special", elementwise_clamp_min_special, 192, 2, CATALOGUE_BOTH, false},
    {"clamp_max", elementwise_clamp_max, 194, 2, CATALOGUE_BOTH, false},
    {"clamp_max_special", elementwise_clamp_max_special, 196, 2, CATALOGUE_BOTH, false},
    {"logical_not", elementwise_logical_not, 198, 2, CATALOGUE_PLAN, false},
    {"logical_not_special", elementwise_logical_not_special, 200, 2, CATALOGUE_PLAN, false},
    {"gelu_far", elementwise_gelu_far, 202, 2, CATALOGUE_BOTH, false},
    {"gelu_tanh_far", elementwise_gelu_tanh_far, 204, 2, CATALOGUE_BOTH, false},
    {"silu_far", elementwise_silu_far, 206, 2, CATALOGUE_BOTH, false},
    {"tanh_far", elementwise_tanh_far, 208, 2, CATALOGUE_BOTH, false},
    {"erf_far", elementwise_erf_far, 210, 2, CATALOGUE_BOTH, false},
    {"elu_far", elementwise_elu_far, 212, 2, CATALOGUE_BOTH, false},
    {"softsign_far", elementwise_softsign_far, 214, 2, CATALOGUE_BOTH, false},
    {"expm1_near_zero", elementwise_expm1_near_zero, 216, 2, CATALOGUE_BOTH, true},
    {"log1p_near_zero", elementwise_log1p_near_zero, 218, 2, CATALOGUE_BOTH, true},
    {"tanh_near_zero", elementwise_tanh_near_zero, 220, 2, CATALOGUE_BOTH, true},
    {"sin_near_zero", elementwise_sin_near_zero, 222, 2, CATALOGUE_BOTH, true},
    {"tan_near_zero", elementwise_tan_near_zero, 224, 2, CATALOGUE_BOTH, true},
    {"erf_near_zero", elementwise_erf_near_zero, 226, 2, CATALOGUE_BOTH, true},
    {"add", elementwise_add, 228, 3, CATALOGUE_BOTH, false},
    {"add_special", elementwise_add_special, 231, 3, CATALOGUE_BOTH, false},
    {"subtract", elementwise_subtract, 234, 3, CATALOGUE_BOTH, false},
    {"subtract_special", elementwise_subtract_special, 237, 3, CATALOGUE_BOTH, false},
    {"multiply", elementwise_multiply, 240, 3, CATALOGUE_BOTH, false},
    {"multiply_special", elementwise_multiply_special, 243, 3, CATALOGUE_BOTH, false},
    {"divide", elementwise_divide, 246, 3, CATALOGUE_BOTH, false},
    {"divide_special", elementwise_divide_special, 249, 3, CATALOGUE_BOTH, false},
    {"maximum", elementwise_maximum, 252, 3, CATALOGUE_BOTH, false},
    {"maximum_special", elementwise_maximum_special, 255, 3, CATALOGUE_BOTH, false},
    {"minimum", elementwise_minimum, 258, 3, CATALOGUE_BOTH, false},
    {"minimum_special", elementwise_minimum_special, 261, 3, CATALOGUE_BOTH, false},
    {"pow", elementwise_pow, 264, 3, CATALOGUE_BOTH, false},
    {"pow_special", elementwise_pow_special, 267, 3, CATALOGUE_BOTH, false},
    {"atan2", elementwise_atan2, 270, 3, CATALOGUE_BOTH, false},
    {"atan2_special", elementwise_atan2_special, 273, 3, CATALOGUE_BOTH, false},
    {"remainder", elementwise_remainder, 276, 3, CATALOGUE_BOTH, false},
    {"remainder_special", elementwise_remainder_special, 279, 3, CATALOGUE_BOTH, false},
    {"hypot", elementwise_hypot, 282, 3, CATALOGUE_BOTH, false},
    {"hypot_special", elementwise_hypot_special, 285, 3, CATALOGUE_BOTH, false},
    {"less", elementwise_less, 288, 3, CATALOGUE_PLAN, false},
    {"less_special", elementwise_less_special, 291, 3, CATALOGUE_PLAN, false},
    {"less_equal", elementwise_less_equal, 294, 3, CATALOGUE_PLAN, false},
    {"less_equal_special", elementwise_less_equal_special, 297, 3, CATALOGUE_PLAN, false},
    {"greater", elementwise_greater, 300, 3, CATALOGUE_PLAN, false},
    {"greater_special", elementwise_greater_special, 303, 3, CATALOGUE_PLAN, false},
    {"greater_equal", elementwise_greater_equal, 306, 3, CATALOGUE_PLAN, false},
    {"greater_equal_special", elementwise_greater_equal_special, 309, 3, CATALOGUE_PLAN, false},
    {"equal", elementwise_equal, 312, 3, CATALOGUE_PLAN, false},
    {"equal_special", elementwise_equal_special, 315, 3, CATALOGUE_PLAN, false},
    {"not_equal", elementwise_not_equal, 318, 3, CATALOGUE_PLAN, false},
    {"not_equal_special", elementwise_not_equal_special, 321, 3, CATALOGUE_PLAN, false},
    {"logical_and", elementwise_logical_and, 324, 3, CATALOGUE_PLAN, false},
    {"logical_and_special", elementwise_logical_and_special, 327, 3, CATALOGUE_PLAN, false},
    {"logical_or", elementwise_logical_or, 330, 3, CATALOGUE_PLAN, false},
    {"logical_or_special", elementwise_logical_or_special, 333, 3, CATALOGUE_PLAN, false},
    {"squared_difference", elementwise_squared_difference, 336, 3, CATALOGUE_BOTH, false},
    {"squared_difference_special", elementwise_squared_difference_special, 339, 3,
        CATALOGUE_BOTH, false},
    {"huber", elementwise_huber, 342, 3, CATALOGUE_BOTH, false},
    {"huber_special", elementwise_huber_special, 345, 3, CATALOGUE_BOTH, false},
    {"where", elementwise_where, 348, 4, CATALOGUE_BOTH, false},
    {"where_special", elementwise_where_special, 352, 4, CATALOGUE_BOTH, false},
    {"clamp_by_tensors", elementwise_clamp_by_tensors, 356, 4, CATALOGUE_BOTH, false},
    {"clamp_by_tensors_ties", elementwise_clamp_by_tensors_ties, 360, 4, CATALOGUE_BOTH, false},
    {"lerp", elementwise_lerp, 364, 4, CATALOGUE_BOTH, false},
    {"addcmul", elementwise_addcmul, 368, 4, CATALOGUE_BOTH, false},
    {"addcdiv", elementwise_addcdiv, 372, 4, CATALOGUE_BOTH, false},
    {"batch_silu_linear", elementwise_batch_silu_linear, 376, 4, CATALOGUE_BOTH, false},
    {"time_linear", elementwise_time_linear, 380, 4, CATALOGUE_BOTH, false},
    {"two_outputs", elementwise_two_outputs, 384, 3, CATALOGUE_BOTH, false},
    {"prelu", elementwise_prelu, 387, 3, CATALOGUE_BOTH, false},
    {"prelu_channels", elementwise_prelu_channels, 390, 3, CATALOGUE_BOTH, false},
    {"prelu_flat", elementwise_prelu_flat, 393, 3, CATALOGUE_PLAN, false},
};
