"""Golden values that show mistakes of other projects: each case is named after the thread that reports it, and
tests/golden/traps.txt has the list of all of them, with the cases of other groups."""
from common import *

# two samples: the biased variance and the unbiased one differ by a factor of 2
case("pytorch_3122_running_var_is_unbiased", [s(4, 3)], None, 'nn_batch_norm1d(net, "bn", in[0], NULL)', module=torch.nn.BatchNorm1d(3),
     prefix="bn", train=True)
case("pytorch_19902_momentum_weighs_the_new", [s(4, 2)], None, 'nn_batch_norm1d(net, "bn", in[0], &(nn_batch_norm_desc){.momentum = 0.9f})',
     module=torch.nn.BatchNorm1d(2, momentum=0.9), prefix="bn", train=True)
case("airbench_epsilon_of_1e_12", [s(4, 2, 3, 3)], None, 'nn_batch_norm2d(net, "bn", in[0], &(nn_batch_norm_desc){.epsilon = 1e-12f})',
     module=torch.nn.BatchNorm2d(2, eps=1e-12), prefix="bn", train=True)

# where tanh(u) is nearly -1, 1 + tanh(u) loses most digits
case("tt_metal_56517_gelu_tanh_below_4", [literal([-4.0, -4.25, -4.5, -4.75, -5.0, -5.25, -5.5, -6.0, -8.0, -12.0, -30.0])],
     lambda x: x * torch.sigmoid(2 * 0.7978845608028654 * (x + 0.044715 * x ** 3)), "nn_gelu_tanh(net, in[0])", each=True)
case("pocket_tts_278_gelu_is_erf", [literal([0.5, 1.0, 1.5, 2.0, 2.5, -0.5, -1.5, -2.5])], F.gelu, "nn_gelu(net, in[0])", each=True)
case("pocket_tts_278_gelu_tanh_is_not", [literal([0.5, 1.0, 1.5, 2.0, 2.5, -0.5, -1.5, -2.5])], lambda x: F.gelu(x, approximate="tanh"),
     "nn_gelu_tanh(net, in[0])", each=True)

# weights, ignored labels and smoothing together
case("pytorch_73205_smoothing_leaves_ignored_out", [s(4, 3), literal([0, 2, 1, 2]), fixed(p(3))],
     lambda x, t, w: F.cross_entropy(x, t, w, ignore_index=2, label_smoothing=0.25),
     "nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.weight = in[2], .ignore = true, .ignore_index = 2, .label_smoothing = 0.25f})")
case("pytorch_104776_weights_change_smoothing", [s(4, 3), literal([0, 2, 1, 2]), fixed(p(3))],
     lambda x, t, w: F.cross_entropy(x, t, w, label_smoothing=0.25, reduction="none"),
     "nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.weight = in[2], .label_smoothing = 0.25f, .reduction = NN_REDUCTION_NONE})")

# A row with all keys masked is 0 and has no gradient; NaN in masked keys does not reach the result
MASK = literal([1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0], (3, 3), False)
case("pytorch_41508_row_all_masked", [s(3, 2), s(3, 2), s(3, 2), MASK],
     lambda q, k, v, m: F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=(m == 0)[None])[0],
     """nn_node *score = nn_scale(net, nn_matmul(net, in[0], in[1], &(nn_matmul_desc){.transpose_b = true}), 0.70710678f);
     nn_node *share = nn_softmax(net, nn_masked_fill(net, score, in[3], -1e30f));
     out[0] = nn_matmul(net, nn_masked_fill(net, share, in[3], 0), in[2], NULL);""")
case("pytorch_101967_nan_in_a_masked_key", [s(2, 2), literal([1.0, 0.5, NAN, NAN, 0.25, -1.0], (3, 2)), s(3, 2),
                                             literal([0.0, 1.0, 0.0], (1, 3), False)],
     lambda q, k, v, m: torch.softmax((q @ k.T).masked_fill(m != 0, -INF), -1) @ v,
     """nn_node *score = nn_matmul(net, in[0], in[1], &(nn_matmul_desc){.transpose_b = true});
     out[0] = nn_matmul(net, nn_softmax(net, nn_masked_fill(net, score, in[3], -INFINITY)), in[2], NULL);""", gradients=False)

# ctc: two equal labels need a blank between them; an impossible sample has no gradient; an empty
# target is valid
LOGS = "nn_log_softmax(net, in[0])"
CTC = "nn_ctc_loss(net, nn_log_softmax(net, in[0]), in[1], in[2], in[3], &(nn_ctc_loss_desc){%s})"


def ctc(x, t, a, b, **options):
    return F.ctc_loss(x.log_softmax(-1), t, a, b, **options)


case("returnn_1835_zero_infinity_of_the_gradient", [s(2, 2, 3), literal([1, 1, 1, 2], (2, 2)), literal([2, 2]), literal([2, 2])],
     lambda *x: ctc(*x, reduction="sum", zero_infinity=True), CTC % ".zero_infinity = true, .reduction = NN_SUM")
case("pytorch_18215_empty_target", [s(3, 2, 3), literal([1, 2, 2, 1], (2, 2)), literal([3, 2]), literal([0, 2])],
     lambda *x: ctc(*x, reduction="none"), CTC % ".reduction = NN_REDUCTION_NONE")

# of equal numbers the first gives the index, and each has a share in the gradient of the largest
# value
case("amax_shares_among_ties", [literal([2.0, 2.0, 1.0, 0.5, 3.0, 3.0], (2, 3))], lambda x: torch.amax(x, 1), "nn_amax(net, in[0], NN_AXES(1))")
case("pow_of_0_and_of_negative_numbers", [literal([0.0, 0.0, -2.0, -2.0, -8.0, 0.0]), literal([0.0, 2.0, 3.0, -2.0, 0.5, -1.0])], torch.pow,
     "nn_pow(net, in[0], in[1])", gradients=False)
case("round_half_to_even", [literal([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 3.5])], torch.round, "nn_round(net, in[0])")
case("kl_batchmean_of_logs", [s(2, 3), s(2, 3)],
     lambda x, t: F.kl_div(x.log_softmax(1), t.log_softmax(1), reduction="batchmean", log_target=True),
     """out[0] = nn_kl_div(net, nn_log_softmax(net, in[0]), nn_log_softmax(net, in[1]),
     &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN, .log_target = true});""")
write(__file__, sparse=24)
