"""Golden values of operations that are a few calls of others, under PyTorch's names."""
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
write(__file__, sparse=24)
