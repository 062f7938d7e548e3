"""Golden values of rounding to integer steps, with the gradients of a learned scale."""
from common import *


def per_tensor(x, scale, zero, low, high):
    return torch._fake_quantize_learnable_per_tensor_affine(x, scale, zero, low, high, 1.0)


def per_channel(x, scale, zero, axis, low, high):
    return torch._fake_quantize_learnable_per_channel_affine(x, scale, zero, axis, low, high, 1.0)


def as_double(x, scale, zero, low, high):
    """Computes fake quantisation in float64, which PyTorch's functions do not accept. The gradient treats the
    rounding as a constant."""
    whole = (x / scale).round() + zero
    inside = (whole >= low) & (whole <= high)
    through = x / scale + ((x / scale).round() - x / scale).detach()
    return torch.where(inside, through * scale, (whole.detach().clamp(low, high) - zero) * scale)


def double_channel(x, scale, zero, axis, low, high):
    shape = [1] * x.dim()
    shape[axis] = -1
    return as_double(x, scale.reshape(shape), zero.reshape(shape), low, high)


call = "nn_fake_quantize(net, in[0], in[1], in[2], &(nn_fake_quantize_desc){%s})"
for name, scale, zero, low, high in [("clamped", 0.37, 1.0, -4, 4), ("wide", 0.037, -3.0, -128, 127), ("unsigned", 0.29, 5.0, 0, 15)]:
    bounds = ".quant_min = %s, .quant_max = %d" % (low or "NN_NONE", high)
    case("fake_quantize_" + name, [s(5, 7), literal([scale]), literal([zero])], lambda x, k, z, l=low, h=high: per_tensor(x, k, z, l, h),
         call % bounds, double=lambda x, k, z, l=low, h=high: as_double(x, k, z, l, h))
for name, shape, axis in [("rows", (3, 4, 5), 0), ("channels", (2, 3, 4), 1), ("last", (4, 5, 3), -1)]:
    case("fake_quantize_" + name, [s(*shape), literal([0.37, 0.19, 0.53]), literal([1.0, 0.0, -2.0])],
         lambda x, k, z, a=axis: per_channel(x, k, z, a % x.dim(), -4, 4), call % (".axis = %d, .quant_min = -4, .quant_max = 4" % axis),
         double=lambda x, k, z, a=axis: double_channel(x, k, z, a, -4, 4))
case("fake_quantize_no_zero", [s(5, 7), literal([0.37])], lambda x, k: per_tensor(x, k, torch.zeros(1), -128, 127),
     "nn_fake_quantize(net, in[0], in[1], NULL, NULL)", double=lambda x, k: as_double(x, k, torch.zeros(1, dtype=torch.float64), -128, 127))
case("fake_quantize_special", [literal([NAN, INF, -INF, -0.0, 2.0]), literal([0.37])],
     lambda x, k: torch.where(torch.isnan(x), x, x.nan_to_num().div(k).round().clamp(-128, 127).mul(k)),
     "nn_fake_quantize(net, in[0], in[1], NULL, NULL)", gradients=False)
case("fake_quantize_ties", [literal([0.25, 0.25, 0.75, -0.25, -0.75, 1.25, 63.75, -64.25, 1.0]), literal([0.5])],
     lambda x, k: per_tensor(x, k, torch.zeros(1), -128, 127), "nn_fake_quantize(net, in[0], in[1], NULL, NULL)",
     double=lambda x, k: as_double(x, k, torch.zeros(1, dtype=torch.float64), -128, 127))

write(__file__)
