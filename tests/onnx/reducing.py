"""Mappings of reductions and similar operators, softmax, matrix products and losses."""
import numpy as np
from graph import Unmapped, axes, c_number, desc, operator, shape_of
from elementwise import give_computed, wholes_are_exact
from layers import requantized

REDUCTIONS = {"ReduceL2": "NN_NORM", "ReduceLogSumExp": "NN_LOGSUMEXP", "ReduceMax": "NN_MAX", "ReduceMean": "NN_MEAN",
              "ReduceMin": "NN_MIN", "ReduceProd": "NN_PROD", "ReduceSum": "NN_SUM", "ReduceSumSquare": "NN_SUM_OF_SQUARES",
              "ReduceL1": "NN_SUM", "ReduceLogSum": "NN_SUM"}


@operator(*REDUCTIONS)
def reduce(n):
    over = n.numbers(1) if n.has(1) else list(n.attribute("axes") or [])
    if n.type not in ("ReduceMax", "ReduceMin"):
        wholes_are_exact(n)
    c = n.x()
    if n.type == "ReduceL1":
        c = n.let("nn_abs(net, %s)", c)
    if over or not n.attribute("noop_with_empty_axes", 0):
        keep = "true" if n.attribute("keepdims", 1) else "false"
        c = n.let("nn_reduce(net, %s, %s, %s, %s)", REDUCTIONS[n.type], c, axes(over), keep)
    elif n.type == "ReduceSumSquare":
        c = n.let("nn_square(net, %s)", c)
    elif n.type == "ReduceL2":
        c = n.let("nn_abs(net, %s)", c)
    else:
        c = n.let("nn_clone(net, %s)", c)
    if n.type == "ReduceLogSum":
        c = n.let("nn_log(net, %s)", c)
    n.give(c)


@operator("ArgMax", "ArgMin")
def arg(n):
    axis = n.axis(0)
    keep = "true" if n.attribute("keepdims", 1) else "false"
    name = "nn_" + n.type.lower()
    if not n.attribute("select_last_index", 0):
        n.set("%s(net, %s, %s, %s)", name, n.x(), axes([axis]), keep, dtype="i32")
        return
    c = n.let("nn_flip(net, %s, %s)", n.x(), axes([axis]))
    c = n.let("nn_cast(net, %s(net, %s, %s, %s), NN_F32)", name, c, axes([axis]), keep)
    n.set('nn_expression(net, "i: %d - i", %s)', n.shape()[axis] - 1, c)


def behind(n, axis, function):
    """Applies function(c), which works along the last axis, to another axis."""
    last = n.rank() - 1
    if axis == last:
        return function(n.x())
    c = function(n.let("nn_transpose(net, %s, %d, %d)", n.x(), axis, last))
    return n.let("nn_transpose(net, %s, %d, %d)", c, axis, last)


@operator("Softmax", "LogSoftmax")
def softmax(n):
    name = "nn_softmax" if n.type == "Softmax" else "nn_log_softmax"
    n.give(behind(n, n.axis(-1), lambda c: n.let("%s(net, %s)", name, c)))


@operator("Hardmax")
def hardmax(n):
    axis = n.axis(-1)
    extent = n.shape()[axis]
    place = n.constant(np.arange(extent, dtype=np.float32))

    def largest(c):
        c = n.let("nn_cast(net, nn_argmax(net, %s, NN_AXES(-1), true), NN_F32)", c)
        return n.let("nn_equal(net, %s, %s)", c, place)
    n.give(behind(n, axis, largest))


@operator("CumSum", "CumProd")
def cumulative(n):
    wholes_are_exact(n)
    total = n.type == "CumSum"
    axis = int(n.number(1)) % n.rank()
    c = n.x()
    backwards = n.attribute("reverse", 0)
    c = n.let("nn_flip(net, %s, %s)", c, axes([axis])) if backwards else c
    if n.attribute("exclusive", 0) and not total:  # a 1 is put before the other factors
        shape = n.shape()
        one = n.constant(np.ones([1 if k == axis else extent for k, extent in enumerate(shape)], np.float32))
        c = n.let("nn_concat(net, NN_NODES(%s, %s), %d)", one, c, axis)
        c = n.let("nn_slice(net, %s, %s)", c, desc("nn_slice_desc", axis=axis, stop=shape[axis]))
    y = n.let("%s(net, %s, %d)", "nn_cumsum" if total else "nn_cumprod", c, axis)
    y = n.let("nn_subtract(net, %s, %s)", y, c) if n.attribute("exclusive", 0) and total else y
    give_computed(n, n.let("nn_flip(net, %s, %s)", y, axes([axis])) if backwards else y)


@operator("MatMul")
def matmul(n):
    wholes_are_exact(n)
    n.set("nn_matmul(net, %s, %s, NULL)", n.x(0), n.x(1))


@operator("MatMulInteger")
def matmul_integer(n):
    """Computes the products in f32, which are exact while all sums are below 2^24."""
    a, b = (n.let("nn_subtract(net, %s, %s)", n.x(i), n.x(2 + i)) if n.has(2 + i) else n.x(i) for i in range(2))
    n.set("nn_matmul(net, %s, %s, NULL)", a, b)


@operator("QLinearMatMul")
def qlinear_matmul(n):
    """Operands: a with its scale and zero point, b with its own, and those of y."""
    a, b = (n.let("nn_subtract(net, %s, %s)", n.x(i), n.x(i + 2)) for i in (0, 3))
    scale = n.constant((n.number(1).astype(np.float32) * n.number(4).astype(np.float32) / n.number(6).astype(np.float32)))
    requantized(n, n.let("nn_matmul(net, %s, %s, NULL)", a, b), scale, n.x(7))


def linear(n):
    """Adds torch.nn.Linear, whose weight has a row for each number of the result."""
    name, weight = n.mapping.layer(), n.number(1)
    n.mapping.parameter(name + ".weight", weight)
    if n.has(2):
        n.mapping.parameter(name + ".bias", np.broadcast_to(n.number(2).reshape(-1), weight.shape[:1]))
    n.set('nn_linear(net, "%s", %s, %s)', name, n.x(),
          desc("nn_linear_desc", out_features=weight.shape[0], no_bias=not n.has(2)))


@operator("Gemm")
def gemm(n):
    wholes_are_exact(n)
    layer = n.attribute("transB", 0) and not n.attribute("transA", 0)
    row = not n.has(2) or n.rank(2) < 2 or n.shape(2)[0] == 1
    if layer and row and (n.attribute("alpha", 1.0), n.attribute("beta", 1.0)) == (1.0, 1.0):
        linear(n)
        return
    options = desc("nn_matmul_desc", transpose_a=bool(n.attribute("transA", 0)), transpose_b=bool(n.attribute("transB", 0)))
    c = n.let("nn_matmul(net, %s, %s, %s)", n.x(0), n.x(1), options)
    alpha, beta = n.attribute("alpha", 1.0), n.attribute("beta", 1.0)
    c = n.let("nn_scale(net, %s, %s)", c, c_number(alpha)) if alpha != 1 else c
    if n.has(2):
        more = n.x(2)
        more = n.let("nn_scale(net, %s, %s)", more, c_number(beta)) if beta != 1 else more
        c = n.let("nn_add(net, %s, %s)", c, more)
    n.give(c)


@operator("Einsum")
def einsum(n):
    text = n.attribute("equation").replace(" ", "")
    c = ", ".join(n.x(i) for i in range(len(n.operands)))
    n.set('nn_einsum(net, "%s", NN_NODES(%s))', text, c)


@operator("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def likelihood(n):
    reduction = {"none": "NN_REDUCTION_NONE", "sum": "NN_SUM", "mean": None}[n.attribute("reduction", "mean")]
    ignored = n.attribute("ignore_index")
    cross = n.type == "SoftmaxCrossEntropyLoss"
    options = desc("nn_cross_entropy_desc" if cross else "nn_nll_desc", weight=n.x(2) if n.has(2) else None,
                   reduction=reduction, ignore=ignored is not None, ignore_index=ignored)
    x, label = n.x(0), n.whole(1)
    n.set("%s(net, %s, %s, %s)", "nn_cross_entropy" if cross else "nn_nll_loss", x, label, options)
    if n.wants(1):
        c = n.let("nn_log_softmax(net, nn_transpose(net, %s, 1, -1))", x)
        n.set("nn_transpose(net, %s, 1, -1)", c, k=1)


@operator("MeanVarianceNormalization")
def mean_variance(n):
    over = axes(n.attribute("axes") or [0, 2, 3])
    c = n.let("nn_subtract(net, %s, nn_mean(net, %s, %s, true))", n.x(), n.x(), over)
    deviation = n.let("nn_sqrt(net, nn_mean(net, nn_square(net, %s), %s, true))", c, over)
    n.set("nn_divide(net, %s, %s)", c, deviation)


@operator("LpNormalization")
def lp_normalization(n):
    axis, p = n.axis(-1), n.attribute("p", 2)
    if p == 2 and np.all(np.linalg.norm(n.operands[0].array, axis=axis) > 0):
        n.set("nn_normalize(net, %s, %d)", n.x(), axis)
        return
    length = n.let("nn_norm(net, %s, %s, true)" if p == 2 else "nn_sum(net, nn_abs(net, %s), %s, true)", n.x(), axes([axis]))
    n.set('nn_expression(net, "x, l: l == 0 ? 0 : x / l", %s, %s)', n.x(), length)
