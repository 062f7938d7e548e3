"""Golden values of losses over many classes: several labels per row, and clusters of rare classes."""
from common import *

LABELS = literal([3, 0, -1, 1, 1, 2, 2, -1, -1, 4, 3, 2, 0, 1, 2, 3, 4, 0, 1, 2], (4, 5))
for reduction, ours in [("mean", "NULL"), ("sum", "&(nn_multilabel_margin_desc){.reduction = NN_SUM}"),
                        ("none", "&(nn_multilabel_margin_desc){.reduction = NN_REDUCTION_NONE}")]:
    case("multilabel_margin_" + reduction, [s(4, 5), LABELS], lambda y, l, r=reduction: F.multilabel_margin_loss(y, l, reduction=r),
         "nn_multilabel_margin_loss(net, in[0], in[1], %s)" % ours)
case("multilabel_margin_ties", [t(3, 4), literal([0, 2, -1, -1, 3, -1, 0, 0, 1, 2, 3, -1], (3, 4))], F.multilabel_margin_loss,
     "nn_multilabel_margin_loss(net, in[0], in[1], NULL)")
case("multilabel_margin_row", [s(6), literal([5, 1, -1, 0, 0, 0])], F.multilabel_margin_loss,
     "nn_multilabel_margin_loss(net, in[0], in[1], NULL)")
case("multilabel_margin_no_label", [s(2, 3), literal([-1, 0, 0, 2, -1, -1], (2, 3))],
     lambda y, l: F.multilabel_margin_loss(y, l, reduction="none"),
     "nn_multilabel_margin_loss(net, in[0], in[1], &(nn_multilabel_margin_desc){.reduction = NN_REDUCTION_NONE})")
case("multilabel_margin_nan", [literal([1.0, NAN, 0.5, 2.0, 0.25, 0.75], (2, 3)), literal([0, -1, -1, 2, 1, -1], (2, 3))],
     F.multilabel_margin_loss, "nn_multilabel_margin_loss(net, in[0], in[1], NULL)", gradients=False)

ADAPTIVE = 'nn_adaptive_log_softmax(net, "a", in[0], &(nn_adaptive_log_softmax_desc){%s})'
case("adaptive_log_softmax", [s(3, 16)], None, ADAPTIVE % ".num_classes = 12, .cutoffs = NN_INTEGERS(4, 8)",
     module=torch.nn.AdaptiveLogSoftmaxWithLoss(16, 12, [4, 8]), prefix="a", call=lambda m, x: m.log_prob(x))
case("adaptive_log_softmax_head", [s(3, 9)], None, ADAPTIVE % ".num_classes = 9, .cutoffs = NN_INTEGERS(2, 3, 7), .div_value = 2.0f, .head_bias = true",
     module=torch.nn.AdaptiveLogSoftmaxWithLoss(9, 9, [2, 3, 7], 2.0, True), prefix="a", call=lambda m, x: m.log_prob(x))
case("adaptive_log_softmax_loss", [s(BATCH(4), 8), i(10, BATCH(4))], None,
     "nn_node *y = " + ADAPTIVE % ".num_classes = 10, .cutoffs = NN_INTEGERS(5)" + "; out[0] = nn_nll_loss(net, y, in[1], NULL);",
     module=torch.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5]), prefix="a", call=lambda m, x, t: m(x, t).loss)
write(__file__, sparse=12)
