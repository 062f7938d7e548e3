"""Golden values of every loss, with mean, sum and no reduction; common.py explains the cases."""
from common import *

REDUCTIONS = [("mean", "NN_MEAN"), ("sum", "NN_SUM"), ("none", "NN_REDUCTION_NONE")]


def desc(kind, *fields):
    fields = [field for field in fields if field]
    return "&(nn_%s_desc){%s}" % (kind, ", ".join(fields)) if fields else "NULL"


def reduced(name, inputs, function, builder, kind, given=2, fields="", reductions=REDUCTIONS, **options):
    """Adds three cases. If the kind is None, the reduction itself is the last argument. The mean is our default."""
    for reduction, ours in reductions:
        nodes = ", ".join("in[%d]" % k for k in range(given))
        last = ".reduction = " + ours if reduction != "mean" else ""
        last = desc(kind, last, fields) if kind else ours
        case(name + "_" + reduction, inputs(), lambda *x, r=reduction: function(*x, reduction=r),
             "nn_%s(net, %s, %s)" % (builder, nodes, last), **options)


def pair():
    return [s(3, 4), s(3, 4)]


def with_(function, **fixed_ones):
    return lambda *x, reduction: function(*x, reduction=reduction, **fixed_ones)


# ---- elements --------------------------------------------------------------------------------------------------------

reduced("mse", pair, F.mse_loss, "mse_loss", None)
reduced("l1", lambda: [t(3, 4), t(3, 4)], F.l1_loss, "l1_loss", None)
reduced("smooth_l1", pair, F.smooth_l1_loss, "smooth_l1_loss", "smooth_l1")
reduced("smooth_l1_beta", lambda: [t(3, 4), t(3, 4)], with_(F.smooth_l1_loss, beta=2.0), "smooth_l1_loss", "smooth_l1",
        fields=".beta = 2")
reduced("smooth_l1_zero", lambda: [t(3, 4), t(3, 4)], with_(F.smooth_l1_loss, beta=0.0), "smooth_l1_loss", "smooth_l1",
        fields=".beta = NN_NONE")
reduced("huber", pair, F.huber_loss, "huber_loss", "huber")
reduced("huber_delta", lambda: [t(3, 4), t(3, 4)], with_(F.huber_loss, delta=2.0), "huber_loss", "huber",
        fields=".delta = 2")
reduced("bce", lambda: [o(3, 4), u(3, 4)], F.binary_cross_entropy, "bce_loss", "bce")
reduced("bce_weight", lambda: [o(3, 4), u(3, 4), fixed(p(4))],
        lambda x, t, w, reduction: F.binary_cross_entropy(x, t, w.expand(3, 4), reduction=reduction), "bce_loss", "bce",
        fields=".weight = in[2]")
reduced("bce_with_logits", lambda: [s(3, 4), u(3, 4)], F.binary_cross_entropy_with_logits, "bce_with_logits", "bce")
reduced("bce_with_logits_all", lambda: [s(3, 4), u(3, 4), fixed(p(3, 1)), fixed(p(4))],
        lambda x, t, w, q, reduction: F.binary_cross_entropy_with_logits(x, t, w, reduction=reduction, pos_weight=q),
        "bce_with_logits", "bce", fields=".weight = in[2], .pos_weight = in[3]")
BATCHMEAN = REDUCTIONS + [("batchmean", "NN_BATCH_MEAN")]
reduced("kl_div", lambda: [s(3, 4), o(3, 4)], F.kl_div, "kl_div", "kl_div", reductions=BATCHMEAN)
reduced("kl_div_log", lambda: [s(3, 2, 2), s(3, 2, 2)], with_(F.kl_div, log_target=True), "kl_div", "kl_div",
        reductions=BATCHMEAN, fields=".log_target = true")
case("kl_div_vector", [s(5), o(5)], lambda x, t: F.kl_div(x, t, reduction="batchmean"),
     "nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN})")
case("kl_div_batch", [s(BATCH(3), 4), o(BATCH(3), 4)], lambda x, t: F.kl_div(x, t, reduction="batchmean"),
     "nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_BATCH_MEAN})")
reduced("poisson", lambda: [s(3, 4), p(3, 4)], F.poisson_nll_loss, "poisson_nll_loss", "poisson_nll")
reduced("poisson_full", lambda: [s(3, 4), p(3, 4)], with_(F.poisson_nll_loss, full=True), "poisson_nll_loss",
        "poisson_nll", fields=".full = true")
reduced("poisson_rate", lambda: [p(3, 4), p(3, 4)], with_(F.poisson_nll_loss, log_input=False, eps=0.25),
        "poisson_nll_loss", "poisson_nll", fields=".no_log_input = true, .epsilon = 0.25f")
reduced("gaussian", lambda: [s(3, 4), s(3, 4), p(3, 4)], F.gaussian_nll_loss, "gaussian_nll_loss", "gaussian_nll", 3)
reduced("gaussian_full", lambda: [s(3, 4), s(3, 4), p(3, 1)], with_(F.gaussian_nll_loss, full=True),
        "gaussian_nll_loss", "gaussian_nll", 3, ".full = true")
reduced("gaussian_clamped", lambda: [s(3, 4), s(3, 4), u(3)], with_(F.gaussian_nll_loss, eps=0.5), "gaussian_nll_loss",
        "gaussian_nll", 3, ".epsilon = 0.5f")
SIGNS = [1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0]


def signs(*shape):
    return literal(SIGNS[:math.prod(shape)], shape, gradient=False)


reduced("soft_margin", lambda: [s(3, 4), signs(3, 4)], F.soft_margin_loss, "soft_margin_loss", None)
reduced("hinge_embedding", lambda: [t(3, 4), signs(3, 4)], F.hinge_embedding_loss, "hinge_embedding_loss",
        "hinge_embedding")
reduced("hinge_embedding_margin", lambda: [s(3, 4), fixed(t(3, 4))], with_(F.hinge_embedding_loss, margin=0.5),
        "hinge_embedding_loss", "hinge_embedding", fields=".margin = 0.5f")
reduced("margin_ranking", lambda: [t(12), t(12), signs(12)], F.margin_ranking_loss, "margin_ranking_loss",
        "margin_ranking", 3)
reduced("margin_ranking_margin", lambda: [t(12), t(12), s(12)], with_(F.margin_ranking_loss, margin=1.0),
        "margin_ranking_loss", "margin_ranking", 3, ".margin = 1")

# ---- rows ------------------------------------------------------------------------------------------------------------

reduced("multilabel", lambda: [s(3, 4), u(3, 4)], F.multilabel_soft_margin_loss, "multilabel_soft_margin_loss",
        "multilabel_soft_margin")
reduced("multilabel_weight", lambda: [s(3, 4), u(3, 4), fixed(p(4))],
        lambda x, t, w, reduction: F.multilabel_soft_margin_loss(x, t, w, reduction=reduction),
        "multilabel_soft_margin_loss", "multilabel_soft_margin", fields=".weight = in[2]")
reduced("cosine", lambda: [s(4, 3), s(4, 3), signs(4)], F.cosine_embedding_loss, "cosine_embedding_loss",
        "cosine_embedding", 3)
reduced("cosine_margin", lambda: [s(4, 3), s(4, 3), signs(4)], with_(F.cosine_embedding_loss, margin=0.3),
        "cosine_embedding_loss", "cosine_embedding", 3, ".margin = 0.3f")
case("cosine_row", [s(5), s(5), literal([-1.0], (), gradient=False)], F.cosine_embedding_loss,
     "nn_cosine_embedding_loss(net, in[0], in[1], in[2], NULL)")


def three():
    return [s(4, 3), s(4, 3), s(4, 3)]


reduced("triplet", three, F.triplet_margin_loss, "triplet_margin_loss", "triplet_margin", 3)
reduced("triplet_swap", three, with_(F.triplet_margin_loss, swap=True, margin=2.0), "triplet_margin_loss",
        "triplet_margin", 3, ".swap = true, .margin = 2")
reduced("triplet_p1", three, with_(F.triplet_margin_loss, p=1.0, margin=3.0), "triplet_margin_loss", "triplet_margin", 3,
        ".p = 1, .margin = 3")
reduced("triplet_p3", three, with_(F.triplet_margin_loss, p=3.0, eps=1e-3), "triplet_margin_loss", "triplet_margin", 3,
        ".p = 3, .epsilon = 1e-3f")
reduced("triplet_most", lambda: [d(4, 3), d(4, 3), d(4, 3)], with_(F.triplet_margin_loss, p=INF, margin=4.0),
        "triplet_margin_loss", "triplet_margin", 3, ".p = INFINITY, .margin = 4")
case("triplet_row", [s(5), s(5), s(5)], F.triplet_margin_loss,
     "nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL)")

# ---- classes ---------------------------------------------------------------------------------------------------------


def labels():
    return [s(6, 4), i(4, 6)]


IGNORED = [0, 3, -100, 1, 2, -100]
reduced("nll", labels, F.nll_loss, "nll_loss", "nll")
reduced("nll_all", lambda: [s(6, 4), literal(IGNORED), fixed(p(4))],
        lambda x, t, w, reduction: F.nll_loss(x, t, w, reduction=reduction), "nll_loss", "nll",
        fields=".weight = in[2], .ignore = true, .ignore_index = -100")
reduced("nll_images", lambda: [s(2, 3, 2, 2), i(3, 2, 2, 2)], with_(F.nll_loss, ignore_index=1), "nll_loss", "nll",
        fields=".ignore = true, .ignore_index = 1")
reduced("cross_entropy", labels, F.cross_entropy, "cross_entropy", "cross_entropy")
# weights, ignored labels and smoothing together: pytorch#73205, #69339, #91383, #72056, #104776
reduced("cross_entropy_all", lambda: [s(6, 4), literal(IGNORED), fixed(p(4))],
        lambda x, t, w, reduction: F.cross_entropy(x, t, w, reduction=reduction, label_smoothing=0.3), "cross_entropy",
        "cross_entropy", fields=".weight = in[2], .ignore = true, .ignore_index = -100, .label_smoothing = 0.3f")
reduced("cross_entropy_smooth_ignore", lambda: [s(6, 4), literal(IGNORED)], with_(F.cross_entropy, label_smoothing=0.2),
        "cross_entropy", "cross_entropy", fields=".ignore = true, .ignore_index = -100, .label_smoothing = 0.2f")
reduced("cross_entropy_images", lambda: [f(2, 3, 2, 2), i(3, 2, 2, 2), fixed(p(3))],
        lambda x, t, w, reduction: F.cross_entropy(x, t, w, reduction=reduction, ignore_index=1, label_smoothing=0.1),
        "cross_entropy", "cross_entropy",
        fields=".weight = in[2], .ignore = true, .ignore_index = 1, .label_smoothing = 0.1f")
reduced("cross_entropy_soft", lambda: [s(3, 4), u(3, 4)], F.cross_entropy, "cross_entropy", "cross_entropy")
reduced("cross_entropy_soft_all", lambda: [f(3, 4), u(3, 4), fixed(p(4))],
        lambda x, t, w, reduction: F.cross_entropy(x, t, w, reduction=reduction, label_smoothing=0.3), "cross_entropy",
        "cross_entropy", fields=".weight = in[2], .label_smoothing = 0.3f")
reduced("cross_entropy_soft_images", lambda: [f(2, 3, 2, 2), fixed(u(2, 3, 2, 2)), fixed(p(3))],
        lambda x, t, w, reduction: F.cross_entropy(x, t, w, reduction=reduction, label_smoothing=0.1), "cross_entropy",
        "cross_entropy", fields=".weight = in[2], .label_smoothing = 0.1f")
reduced("multi_margin", labels, F.multi_margin_loss, "multi_margin_loss", "multi_margin")
reduced("multi_margin_all", lambda: [t(6, 4), i(4, 6), fixed(p(4))],
        lambda x, t, w, reduction: F.multi_margin_loss(x, t, 2, 2.0, w, reduction=reduction), "multi_margin_loss",
        "multi_margin", fields=".p = 2, .margin = 2, .weight = in[2]")
case("cross_entropy_batch", [s(BATCH(3), 4), literal([1, 3, 0], (BATCH(3),))],
     lambda x, t: F.cross_entropy(x, t, reduction="none"),
     "nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_REDUCTION_NONE})")

# every label ignored: the mean is NaN, its gradient 0 (pytorch#75181)
for reduction, ours in REDUCTIONS:
    case("all_ignored_" + reduction, [s(2, 3), literal([5, 5])],
         lambda x, t, r=reduction: F.cross_entropy(x, t, ignore_index=5, reduction=r),
         "nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = %s, "
         ".ignore = true, .ignore_index = 5})" % ours)

# ---- ctc -------------------------------------------------------------------------------------------------------------

# PyTorch returns the gradient for the input of log_softmax, so the cases compare that gradient. Sample 0
# has equal neighbours, sample 1 no target, 2 too few rows for its targets, 3 just enough (T = L + repeats), 4 a target of the whole length.
CTC_TARGETS = literal([2, 2, 1, 3, 1, 1, 2, 1, 3, 1, 2, 2, 3, 1, 2], (5, 3))
CTC_LENGTHS = [literal([5, 4, 2, 3, 5]), literal([2, 0, 3, 2, 3])]


def ctc(**fixed_ones):
    def function(x, t, a, b, reduction="mean"):
        return F.ctc_loss(F.log_softmax(x, -1), t, a, b, reduction=reduction, **fixed_ones)
    return function


LOGS = "nn_log_softmax(net, in[0]), in[1], in[2], in[3]"
for name, infinity in [("", False), ("_zero_infinity", True)]:
    for reduction, ours in REDUCTIONS:
        fields = [".reduction = " + ours if reduction != "mean" else "", ".zero_infinity = true" if infinity else ""]
        case("ctc" + name + "_" + reduction, [s(5, 5, 4), CTC_TARGETS] + CTC_LENGTHS,
             lambda *x, r=reduction, z=infinity: ctc(zero_infinity=z)(*x, reduction=r),
             "nn_ctc_loss(net, " + LOGS + ", " + desc("ctc_loss", *fields) + ")")
# another blank, free batch and time, numbers far apart
case("ctc_blank", [f(7, 2, 3), literal([0, 0, 1, 1, 0, 1], (2, 3)), literal([7, 6]), literal([3, 2])], ctc(blank=2),
     "nn_ctc_loss(net, " + LOGS + ", &(nn_ctc_loss_desc){.blank = 2})")
case("ctc_batch", [s(TIME(6), BATCH(2), 3), literal([1, 2, 2, 1], (BATCH(2), 2)), literal([6, 5], (BATCH(2),)),
                   literal([2, 1], (BATCH(2),))], ctc(),
     "nn_ctc_loss(net, " + LOGS + ", NULL)")
case("ctc_logs", [s(4, 1, 3), literal([1, 2], (1, 2)), literal([4]), literal([2])],
     lambda x, t, a, b: F.ctc_loss(x, t, a, b, reduction="sum"),
     "nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.reduction = NN_SUM})")
case("ctc_no_rows", [s(4, 2, 3), literal([1, 2, 2, 1], (2, 2)), literal([0, 0]), literal([0, 1])],
     lambda *x: ctc(zero_infinity=True)(*x, reduction="none"),
     "nn_ctc_loss(net, " + LOGS + ", &(nn_ctc_loss_desc){.zero_infinity = true, .reduction = NN_REDUCTION_NONE})")

# ---- combined --------------------------------------------------------------------------------------------------------

case("losses_added", [s(6, 4), i(4, 6), s(6, 4)],
     lambda x, t, z: F.cross_entropy(x, t) + 0.5 * F.mse_loss(x, z) + 0.25 * F.l1_loss(x, z, reduction="sum"),
     "nn_add(net, nn_add(net, nn_cross_entropy(net, in[0], in[1], NULL), "
     "nn_scale(net, nn_mse_loss(net, in[0], in[2], NULL), 0.5f)), "
     "nn_scale(net, nn_l1_loss(net, in[0], in[2], &(nn_l1_desc){.reduction = NN_SUM}), 0.25f))")
case("losses_weighted", [s(6, 4), i(4, 6), fixed(p(6))],
     lambda x, t, w: (F.cross_entropy(x, t, reduction="none") * w).mean(),
     "nn_mean(net, nn_multiply(net, nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){"
     ".reduction = NN_REDUCTION_NONE}), in[2]))")

# ---- NaN, infinities, ties, edges ------------------------------------------------------------------------------------

X = [0.0, NAN, INF, -INF, 1.0, 2.0, -1.0, NAN, INF, -INF, 0.0, 1e30]
T = [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, NAN, INF, INF, NAN, -1e30]


def special(gradient=True):
    return [literal(X), literal(T, gradient=gradient)]


def none(function, **fixed_ones):
    return lambda *x: function(*x, reduction="none", **fixed_ones)


case("special_mse", special(), none(F.mse_loss), "nn_mse_loss(net, in[0], in[1], &(nn_mse_desc){.reduction = NN_REDUCTION_NONE})")
case("special_l1", special(), none(F.l1_loss), "nn_l1_loss(net, in[0], in[1], &(nn_l1_desc){.reduction = NN_REDUCTION_NONE})")
case("special_smooth_l1", special(), none(F.smooth_l1_loss),
     "nn_smooth_l1_loss(net, in[0], in[1], &(nn_smooth_l1_desc){.reduction = NN_REDUCTION_NONE})")
case("special_huber", special(), none(F.huber_loss),
     "nn_huber_loss(net, in[0], in[1], &(nn_huber_desc){.reduction = NN_REDUCTION_NONE})")
case("special_bce", [literal([0.0, 1.0, 0.0, 1.0, 1e-30, 0.5, 0.0]), literal([0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.5])],
     none(F.binary_cross_entropy), "nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE})")
# the gradient stays 0 where it is cut off, even if a chain multiplies it by further factors
case("special_bce_weight", [literal([0.0, 1.0, 0.0, 1.0]), literal([0.0, 0.0, 1.0, 1.0], gradient=False),
                            literal([2.0, 3.0, 4.0, 5.0], gradient=False)],
     lambda x, t, w: F.binary_cross_entropy(x, t, w, reduction="none") * 0.5,
     "nn_scale(net, nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE, .weight = in[2]}), 0.5f)")
case("special_bce_with_logits", special(), none(F.binary_cross_entropy_with_logits),
     "nn_bce_with_logits(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE})")
case("special_kl_div", [literal([0.0, -1.0, -INF, NAN, -INF]), literal([0.0, 1.0, 0.5, 0.5, 0.0], gradient=False)],
     none(F.kl_div), "nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_REDUCTION_NONE})")
case("special_kl_div_log", [literal([0.0, -1.0, -INF, NAN, -INF, -2.0]), literal([0.0, 1.0, 0.5, 0.5, -INF, -INF])],
     none(F.kl_div, log_target=True),
     "nn_kl_div(net, in[0], in[1], &(nn_kl_div_desc){.reduction = NN_REDUCTION_NONE, .log_target = true})")
case("special_poisson", [literal([0.0, 100.0, -INF, NAN, 0.0, 0.5]), literal([1.0, 1.0, 0.0, 1.0, NAN, 0.0], gradient=False)],
     none(F.poisson_nll_loss, full=True),
     "nn_poisson_nll_loss(net, in[0], in[1], &(nn_poisson_nll_desc){.reduction = NN_REDUCTION_NONE, .full = true})")
case("special_gaussian", [literal([0.0, 1.0, NAN, 0.0, INF]), literal([0.0, 1.0, 0.0, 0.0, 0.0]),
                          literal([0.0, INF, 1.0, 1e-6, 1.0])], none(F.gaussian_nll_loss),
     "nn_gaussian_nll_loss(net, in[0], in[1], in[2], &(nn_gaussian_nll_desc){.reduction = NN_REDUCTION_NONE})")
case("special_hinge", special(False), none(F.hinge_embedding_loss),
     "nn_hinge_embedding_loss(net, in[0], in[1], &(nn_hinge_embedding_desc){.reduction = NN_REDUCTION_NONE})")
case("special_ranking", [literal([0.0, NAN, INF, 1.0]), literal([0.0, 1.0, INF, 2.0]),
                         literal([1.0, 1.0, 1.0, -1.0], gradient=False)], none(F.margin_ranking_loss),
     "nn_margin_ranking_loss(net, in[0], in[1], in[2], &(nn_margin_ranking_desc){.reduction = NN_REDUCTION_NONE})")
case("special_cosine", [literal([0.0, 0.0, 1.0, 2.0, 1.0, NAN], (3, 2)), literal([0.0, 0.0, 1.0, 2.0, 1.0, 1.0], (3, 2)),
                        literal([1.0, -1.0, 1.0], gradient=False)], none(F.cosine_embedding_loss),
     "nn_cosine_embedding_loss(net, in[0], in[1], in[2], &(nn_cosine_embedding_desc){.reduction = NN_REDUCTION_NONE})")
for name, p_ in [("p2", 2.0), ("p3", 3.0), ("p1", 1.0)]:
    # Anchor and positive are equal: the distance is 0, and so is its gradient
    case("special_triplet_" + name, [literal([1.0, 2.0, 0.0, 0.5 if name == "p3" else NAN], (2, 2)), literal([1.0, 2.0, 0.0, 1.0], (2, 2)),
                                     literal([1.5, 2.0, 0.0, 1.0], (2, 2))],
         none(F.triplet_margin_loss, p=p_, eps=0.0),
         "nn_triplet_margin_loss(net, in[0], in[1], in[2], &(nn_triplet_margin_desc){.reduction = NN_REDUCTION_NONE, "
         ".p = %d, .epsilon = NN_NONE})" % p_)
case("special_cross_entropy", [literal([0.0, INF, 1.0, -INF, 0.0, 0.0, NAN, 0.0, 1.0, -INF, -INF, 1e30], (4, 3)),
                               literal([1, 1, 2, 2])], none(F.cross_entropy),
     "nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_REDUCTION_NONE})")
case("special_nll", [literal([0.0, INF, NAN, -INF, 0.0, 0.0], (2, 3)), literal([1, 0])], none(F.nll_loss),
     "nn_nll_loss(net, in[0], in[1], &(nn_nll_desc){.reduction = NN_REDUCTION_NONE})")
case("special_multi_margin", [literal([0.0, 1.0, NAN, 1.0, 1.0, 0.0], (2, 3)), literal([1, 0])],
     none(F.multi_margin_loss),
     "nn_multi_margin_loss(net, in[0], in[1], &(nn_multi_margin_desc){.reduction = NN_REDUCTION_NONE})")
# NaN in any class on a path reaches the loss, even if the path skips a blank; zero_infinity does not
# hide it
case("ctc_nan", [literal([-1.5, NAN, -1.4, -1.45, -1.5, -1.2, -1.4, -1.45] + [-1.5, -1.2, -1.4, -1.45] * 4, (3, 2, 4)),
                 literal([1, 2, 1, 2], (2, 2)), literal([2, 2]), literal([2, 2])],
     lambda x, t, a, b: F.ctc_loss(x, t, a, b, reduction="none", zero_infinity=True),
     "nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.zero_infinity = true, .reduction = NN_REDUCTION_NONE})")

write(__file__, sparse=12)
