"""Golden values of operations with PyTorch's names that are a few calls of other operations."""
from common import *

# ---- over an axis: the last one, others, from the end, a free one -------------------------------------------------------
for name in ["softmax", "log_softmax", "softmin"]:
    case(name + "_last", [s(3, 4)], lambda x, f=getattr(F, name): f(x, 1), "nn_%s(net, in[0])" % name)
    case(name + "_over", [s(2, 3, 4)], lambda x, f=getattr(F, name): f(x, 1), "nn_%s(net, in[0], 1)" % name)
    case(name + "_first", [s(3, 2, 2)], lambda x, f=getattr(F, name): f(x, 0), "nn_%s(net, in[0], -3)" % name)
case("softmax_over_time", [s(BATCH(2), TIME(3), 2)], lambda x: F.softmax(x, 1), "nn_softmax(net, in[0], 1)")
case("softmax_over_batch", [s(BATCH(3), 2)], lambda x: F.softmax(x, 0), "nn_softmax(net, in[0], 0)")
case("softmax2d", [s(2, 3, 2, 2)], torch.nn.Softmax2d(), "nn_softmax(net, in[0], -3)")
case("glu", [s(3, 6)], lambda x: F.glu(x, 1), "nn_glu(net, in[0], 1)")
case("glu_default", [s(2, 3, 4)], F.glu, "nn_glu(net, in[0], -1)")
case("glu_middle", [s(2, 4, 3)], lambda x: F.glu(x, 1), "nn_glu(net, in[0], 1)")
case("glu_first", [d(4, 2)], lambda x: F.glu(x, 0), "nn_glu(net, in[0], -2)")

# ---- norms ----------------------------------------------------------------------------------------------------------------
for mode in [True, False]:
    case("batch_norm3d" + ("" if mode else "_eval"), [s(2, 3, 2, 3, 2)], None, 'nn_batch_norm3d(net, "bn", in[0], NULL)',
         module=torch.nn.BatchNorm3d(3), prefix="bn", train=mode)
case("batch_norm3d_batch", [s(BATCH(3), 2, 1, 2, 2)], None, 'nn_batch_norm3d(net, "bn", in[0], &(nn_batch_norm_desc){.momentum = 0.3f})',
     module=torch.nn.BatchNorm3d(2, momentum=0.3), prefix="bn", train=True)
case("instance_norm3d", [s(2, 3, 2, 2, 2)], torch.nn.InstanceNorm3d(3), 'nn_instance_norm(net, "in", in[0], NULL)')

# ---- other shapes ---------------------------------------------------------------------------------------------------------
case("repeat_interleave", [s(2, 3)], lambda x: torch.repeat_interleave(x, 2, 1), "nn_repeat_interleave(net, in[0], 2, 1)")
case("repeat_interleave_first", [s(2, 3, 2)], lambda x: torch.repeat_interleave(x, 3, 0), "nn_repeat_interleave(net, in[0], 3, -3)")
case("repeat_interleave_batch", [s(BATCH(3), 2)], lambda x: torch.repeat_interleave(x, 2, 0), "nn_repeat_interleave(net, in[0], 2, 0)")
case("repeat_interleave_once", [s(2, 3)], lambda x: torch.repeat_interleave(x, 1, -1), "nn_repeat_interleave(net, in[0], 1, -1)")
case("unflatten", [s(2, 6)], torch.nn.Unflatten(1, (2, 3)), "nn_unflatten(net, in[0], 1, NN_SHAPE(2, 3))")
case("unflatten_first", [s(6, 2)], torch.nn.Unflatten(0, (3, 1, 2)), "nn_unflatten(net, in[0], -2, NN_SHAPE(3, 1, 2))")
case("squeeze", [s(1, 2, 1, 3)], torch.squeeze, "nn_squeeze(net, in[0], NN_ALL_AXES)")
case("squeeze_axes", [s(1, 2, 1, 3)], lambda x: torch.squeeze(x, (0, 1)), "nn_squeeze(net, in[0], NN_AXES(0, 1))")
case("squeeze_one", [s(2, 3, 1)], lambda x: torch.squeeze(x, -1), "nn_squeeze(net, in[0], NN_AXES(-1))")
case("unsqueeze", [s(2, 3)], lambda x: torch.unsqueeze(x, 1), "nn_unsqueeze(net, in[0], 1)")
case("unsqueeze_last", [s(2, 3)], lambda x: torch.unsqueeze(x, -1), "nn_unsqueeze(net, in[0], -1)")
case("unsqueeze_scalar", [s()], lambda x: torch.unsqueeze(x, 0), "nn_unsqueeze(net, in[0], 0)")
# ---- windows as columns ---------------------------------------------------------------------------------------------------
WINDOWS = [("", dict(kernel_size=2), ".kernel = 2"),
           ("_padded", dict(kernel_size=(2, 3), padding=(1, 0), stride=(1, 2)),
            ".kernel = 2, .kernel_w = 3, .padding = 1, .padding_w = NN_NONE, .stride_w = 2"),
           ("_dilated", dict(kernel_size=(3, 2), dilation=(1, 2), padding=1), ".kernel = 3, .kernel_w = 2, .dilation_w = 2, .padding = 1"),
           ("_apart", dict(kernel_size=2, stride=3), ".kernel = 2, .stride = 3"),
           ("_patches", dict(kernel_size=(2, 1), stride=(2, 1)), ".kernel = 2, .kernel_w = 1, .stride = 2, .stride_w = 1")]
for name, how, ours in WINDOWS:
    case("unfold" + name, [s(2, 2, 5, 6)], lambda x, how=how: F.unfold(x, **how), "nn_unfold(net, in[0], &(nn_unfold_desc){%s})" % ours)
    columns = F.unfold(torch.zeros(2, 2, 5, 6), **how).shape
    case("fold" + name, [s(*columns)], lambda x, how=how: F.fold(x, (5, 6), **how),
         "nn_fold(net, in[0], &(nn_fold_desc){.out_h = 5, .out_w = 6, %s})" % ours)
case("unfold_batch", [s(BATCH(3), 2, 4, 4)], lambda x: F.unfold(x, 3, padding=1), "nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 3, .padding = 1})")
case("unfold_time", [s(2, 1, 2, TIME(5))], lambda x: F.unfold(x, (2, 1)), "nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 2, .kernel_w = 1})")
case("fold_batch", [s(BATCH(3), 4, 6)], lambda x: F.fold(x, (3, 4), 2), "nn_fold(net, in[0], &(nn_fold_desc){.out_h = 3, .out_w = 4, .kernel = 2})")
case("fold_of_unfold", [s(2, 3, 4, 5)], lambda x: F.fold(F.unfold(x, 3, padding=1), (4, 5), 3, padding=1),
     "nn_fold(net, nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 3, .padding = 1}), &(nn_fold_desc){.out_h = 4, .out_w = 5, .kernel = 3, .padding = 1})")

# ---- layers ---------------------------------------------------------------------------------------------------------------
case("bilinear", [s(3, 4), s(3, 2)], None, 'nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 5})',
     module=torch.nn.Bilinear(4, 2, 5), prefix="b")
case("bilinear_wide", [s(2, 3, 2), s(2, 3, 3)], None, 'nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 1, .no_bias = true})',
     module=torch.nn.Bilinear(2, 3, 1, bias=False), prefix="b")
case("bilinear_batch", [s(BATCH(3), 4), s(BATCH(3), 2)], None, 'nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 2})',
     module=torch.nn.Bilinear(4, 2, 2), prefix="b")
for name, cell in [("lstm", torch.nn.LSTMCell), ("gru", torch.nn.GRUCell), ("rnn", torch.nn.RNNCell)]:
    c = 'nn_%s_cell(net, "r", %%s, &(nn_%s_cell_desc){.hidden_size = 4%%s})' % (name, name)
    case(name + "_cell", [s(2, 3)], None, c % ("in[0]", ""), module=cell(3, 4), prefix="r")
    case(name + "_cell_batch", [s(BATCH(3), 3)], None, c % ("in[0]", ", .no_bias = true"), module=cell(3, 4, bias=False), prefix="r")
    if name == "lstm":
        case("lstm_cell_state", [s(2, 3), s(2, 4), s(2, 4)], None, c % ("in[0]", ", .h_0 = in[1], .c_0 = in[2]"), module=cell(3, 4), prefix="r",
             call=lambda m, x, h, c: m(x, (h, c)))
        case("lstm_cell_loop", [s(2, 3), s(2, 3)], None, "nn_node *h = %s; out[0] = %s; out[1] = nn_output(out[0], 1);" % (
            c % ("in[0]", ""), c % ("in[1]", ", .h_0 = h, .c_0 = nn_output(h, 1), .shared = true")), module=cell(3, 4), prefix="r",
             call=lambda m, x, z: m(z, m(x)))
    else:
        case(name + "_cell_state", [s(2, 3), s(2, 4)], None, c % ("in[0]", ", .h_0 = in[1]"), module=cell(3, 4), prefix="r",
             call=lambda m, x, h: m(x, h))
        case(name + "_cell_loop", [s(2, 3), s(2, 3)], None, "nn_node *h = %s; out[0] = %s;" % (
            c % ("in[0]", ""), c % ("in[1]", ", .h_0 = h, .shared = true")), module=cell(3, 4), prefix="r", call=lambda m, x, z: m(z, m(x)))
case("rnn_cell_relu", [s(2, 3)], None, 'nn_rnn_cell(net, "r", in[0], &(nn_rnn_cell_desc){.hidden_size = 4, .nonlinearity = NN_ACTIVATION_RELU})',
     module=torch.nn.RNNCell(3, 4, nonlinearity="relu"), prefix="r")

# ---- distances ------------------------------------------------------------------------------------------------------------
for p, text in [(2, "2"), (1, "1"), (3, "3"), (1.5, "1.5f"), (INF, "INFINITY")]:
    case("pdist_" + text.strip("f").replace(".", "_").lower(), [d(5, 3)], lambda x, p=p: F.pdist(x, p), "nn_pdist(net, in[0], %s)" % text)
case("pdist_two", [s(2, 3)], F.pdist, "nn_pdist(net, in[0], 2)")
case("pdist_equal", [literal([1.0, 2.0, 1.0, 2.0, 0.0, -1.0], (3, 2))], F.pdist, "nn_pdist(net, in[0], 2)")
TRIPLET = "nn_triplet_margin_with_distance_loss(net, in[0], in[1], in[2], %s)"
case("triplet_with_distance", [s(3, 4), s(3, 4), s(3, 4)], F.triplet_margin_with_distance_loss, TRIPLET % "NULL")
case("triplet_with_distance_swap", [s(3, 4), s(3, 4), s(3, 4)],
     lambda a, p, n: F.triplet_margin_with_distance_loss(a, p, n, swap=True, margin=2.0, reduction="none"),
     TRIPLET % "&(nn_triplet_margin_with_distance_desc){.swap = true, .margin = 2, .reduction = NN_REDUCTION_NONE}")
case("triplet_with_distance_own", [s(3, 4), s(3, 4), s(3, 4)],
     lambda a, p, n: F.triplet_margin_with_distance_loss(a, p, n, distance_function=lambda x, y: 1 - F.cosine_similarity(x, y), margin=0.5, swap=True),
     TRIPLET % "&(nn_triplet_margin_with_distance_desc){.distance_function = catalogue_far, .margin = 0.5f, .swap = true}")
write(__file__, sparse=24)
