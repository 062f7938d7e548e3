"""Element by element: functions of the table, expressions for what it lacks, comparisons, casts."""
import numpy as np
from graph import DTYPES, EXACT, Unmapped, c_number, desc, operator, ours

# Operators of one operand without numbers.
SIMPLE = {"Abs": "abs", "Atan": "atan", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Exp": "exp",
          "Floor": "floor", "HardSwish": "hardswish", "IsNaN": "isnan", "Log": "log", "Mish": "mish", "Neg": "negate",
          "Reciprocal": "reciprocal", "Relu": "relu", "Round": "round", "Sigmoid": "sigmoid", "Sign": "sign", "Sin": "sin",
          "Sinh": "sinh", "Softsign": "softsign", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh"}
# Functions that the table lacks, as a user would write them.
WRITTEN = {"Acos": "atan2(sqrt((1 - x) * (1 + x)), x)", "Asin": "atan2(x, sqrt((1 - x) * (1 + x)))",
           "Acosh": "log(x + sqrt((x - 1) * (x + 1)))", "Atanh": "0.5 * (log1p(x) - log1p(-x))",
           "Asinh": "sign(x) * log1p(abs(x) + x * x / (1 + sqrt(1 + x * x)))"}
# Operators of two operands. The result is a number, or 1 or 0.
ARITHMETIC = {"Add": "add", "Sub": "subtract", "Mul": "multiply", "Div": "divide", "Pow": "pow"}
TRUTHS = {"Equal": "equal", "Greater": "greater", "GreaterOrEqual": "greater_equal", "Less": "less",
          "LessOrEqual": "less_equal", "And": "logical_and", "Or": "logical_or", "Xor": "logical_xor"}


COMPUTED = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Mod": np.remainder, "Pow": np.power}


def wholes_are_exact(n):
    """Whole numbers are computed in f32, which is exact below 2^24. The cases neither wrap around
    nor exceed it."""
    result = n.results[0].array
    if result.dtype.kind not in "iu":
        return
    arrays = [value.array.astype(np.float64) for value in n.operands if value is not None]
    if n.type == "Mod" and n.attribute("fmod", 0):
        there = np.fmod(*arrays)
    elif n.type in COMPUTED:
        there = COMPUTED[n.type](*arrays)
    else:
        there = result.astype(np.float64)
    if n.type == "Div":
        there = np.trunc(there)
    if np.any(there != result) or any(np.any(np.abs(array) >= EXACT) for array in arrays + [there]):
        raise Unmapped("whole")


def give_computed(n, c):
    """Makes c the result, cast back if it has whole numbers. Inner results of an expansion are not
    cast."""
    array = n.results[0].array
    if array.dtype.kind not in "iu" or n.mapping.inner:
        n.give(c)
        return
    # a power is computed by a logarithm, so it is rounded; a quotient of integers is truncated
    c = n.let("nn_%s(net, %s)", {"Pow": "round", "Div": "trunc"}[n.type], c) if n.type in ("Pow", "Div") else c
    dtype = ours(array)
    n.give(n.let("nn_cast(net, %s, NN_%s)", c, dtype.upper()), dtype)


@operator(*SIMPLE)
def simple(n):
    if n.type not in ("Abs", "Neg", "Sign"):
        wholes_are_exact(n)
    n.set("nn_%s(net, %s)", SIMPLE[n.type], n.x())


@operator(*WRITTEN)
def written(n):
    n.set('nn_expression(net, "x: %s", %s)', WRITTEN[n.type], n.x())


@operator(*ARITHMETIC)
def arithmetic(n):
    wholes_are_exact(n)
    give_computed(n, n.let("nn_%s(net, %s, %s)", ARITHMETIC[n.type], n.x(0), n.x(1)))


@operator(*TRUTHS)
def truths(n):
    if n.operands[0].array.dtype.kind in "OUS":
        raise Unmapped("dtype:string")
    n.set("nn_%s(net, %s, %s)", TRUTHS[n.type], n.x(0), n.x(1))


@operator("Not")
def logical_not(n):
    n.set("nn_logical_not(net, %s)", n.x())


@operator("Mod")
def mod(n):
    wholes_are_exact(n)
    give_computed(n, n.let("nn_%s(net, %s, %s)", "fmod" if n.attribute("fmod", 0) else "remainder", n.x(0), n.x(1)))


@operator("Max", "Min", "Sum", "Mean")
def variadic(n):
    if n.type in ("Sum", "Mean"):
        wholes_are_exact(n)
    name = {"Max": "maximum", "Min": "minimum"}.get(n.type, "add")
    c = n.x(0)
    for i in range(1, len(n.operands)):
        c = n.let("nn_%s(net, %s, %s)", name, c, n.x(i))
    n.give(n.let("nn_scale(net, %s, %s)", c, c_number(1 / len(n.operands))) if n.type == "Mean" else c)


@operator("Softplus")
def softplus(n):
    n.set("nn_softplus(net, %s, NULL)", n.x())


@operator("Elu")
def elu(n):
    n.set("nn_elu(net, %s, &(nn_elu_desc){%s})", n.x(), c_number(n.attribute("alpha", 1.0)))


@operator("Celu")
def celu(n):
    n.set("nn_celu(net, %s, &(nn_celu_desc){%s})", n.x(), c_number(n.attribute("alpha", 1.0)))


@operator("Selu")
def selu(n):
    alpha, gamma = n.attribute("alpha"), n.attribute("gamma")
    if alpha is None and gamma is None:
        n.set("nn_selu(net, %s)", n.x())
    else:
        n.set("nn_scale(net, nn_elu(net, %s, &(nn_elu_desc){%s}), %s)", n.x(), c_number(alpha), c_number(gamma))


@operator("Gelu")
def gelu(n):
    n.set("nn_gelu%s(net, %s)", "_tanh" if n.attribute("approximate") == "tanh" else "", n.x())


@operator("LeakyRelu")
def leaky_relu(n):
    n.set("nn_leaky_relu(net, %s, &(nn_leaky_relu_desc){%s})", n.x(), c_number(n.attribute("alpha", 0.01)))


@operator("ThresholdedRelu")
def thresholded_relu(n):
    n.set("nn_threshold(net, %s, %s, 0)", n.x(), c_number(n.attribute("alpha", 1.0)))


@operator("HardSigmoid")
def hard_sigmoid(n):
    n.set('nn_expression(net, "x: clamp(%.9g * x + %.9g, 0, 1)", %s)', n.attribute("alpha", 0.2), n.attribute("beta", 0.5),
          n.x())


@operator("Shrink")
def shrink(n):
    wholes_are_exact(n)
    n.set('nn_expression(net, "x: x < -%.9g ? x + %.9g : x > %.9g ? x - %.9g : 0", %s)', n.attribute("lambd", 0.5),
          n.attribute("bias", 0.0), n.attribute("lambd", 0.5), n.attribute("bias", 0.0), n.x())


@operator("Swish")
def swish(n):
    alpha = n.attribute("alpha", 1.0)
    if alpha == 1:
        n.set("nn_silu(net, %s)", n.x())
    else:
        n.set('nn_expression(net, "x: x * sigmoid(%.9g * x)", %s)', alpha, n.x())


@operator("SwiGLU")
def swiglu(n):
    alpha = n.attribute("alpha", 1.0)
    n.set('nn_expression(net, "gate, x: gate * sigmoid(%.9g * gate) * x", %s, %s)', alpha, n.x(0), n.x(1))


@operator("PRelu")
def prelu(n):
    """Describes a layer if the slopes are known: one for all, or one for each channel."""
    value = n.operands[1]
    channels = n.rank() > 1 and value.array.size == n.shape()[1] and value.shape == [value.array.size] + [1] * (n.rank() - 2)
    if (value.known or value.given) and (value.array.size == 1 or channels):
        name = n.mapping.layer()
        n.mapping.parameter(name + ".weight", value.array.reshape(-1))
        n.set('nn_prelu(net, "%s", %s, %s)', name, n.x(), desc("nn_prelu_desc", num_parameters=value.array.size))
    else:
        n.set('nn_expression(net, "x, slope: x > 0 ? x : slope * x", %s, %s)', n.x(0), n.x(1))


@operator("IsInf")
def is_inf(n):
    positive, negative = n.attribute("detect_positive", 1), n.attribute("detect_negative", 1)
    if positive and negative:
        n.set("nn_isinf(net, %s)", n.x())
        return
    text = "x == inf" if positive else "x == -inf" if negative else "0 * (x == 0)"
    n.set('nn_expression(net, "x: %s", %s)', text, n.x())


@operator("Identity")
def identity(n):
    if not isinstance(n.operands[0].array, np.ndarray):
        raise Unmapped("sequence")
    n.same(n.let("nn_clone(net, %s)", n.raw()))


@operator("Clip")
def clip(n):
    low = n.x(1) if n.has(1) else None
    high = n.x(2) if n.has(2) else None
    c = n.x()
    c = n.let("nn_maximum(net, %s, %s)", c, low) if low else c
    c = n.let("nn_minimum(net, %s, %s)", c, high) if high else c
    n.give(c)
    if not low and not high:
        n.set("nn_clone(net, %s)", c)


@operator("Where")
def where(n):
    n.set("nn_where(net, %s, %s, %s)", n.x(0), n.x(1), n.x(2))


@operator("Dropout")
def dropout(n):
    training = n.has(2) and bool(n.number(2))
    if training and (not n.has(1) or float(n.number(1)) != 0):
        raise Unmapped("random")
    n.set("nn_dropout(net, %s, 0.5f)", n.x())
    if n.wants(1):
        n.set('nn_expression(net, "x: x == x || 1", %s)', n.x(), k=1)


@operator("Cast", "CastLike")
def cast(n):
    to = n.attribute("to") if n.type == "Cast" else None
    if to is None:
        to = next((key for key, value in TENSORS.items() if value == n.operands[1].array.dtype), None)
    if to not in DTYPES:
        result = n.results[0].array.dtype
        raise Unmapped("dtype:" + ("string" if result.kind in "OUST" else result.name))
    dtype = DTYPES[to]
    c = n.raw()
    if dtype == n.operands[0].dtype:
        n.give(n.let("nn_clone(net, %s)", c), dtype)
    else:
        n.set("nn_cast(net, %s, NN_%s)", c, dtype.upper(), dtype=dtype)


def _tensors():
    from onnx import helper
    found = {}
    for to in DTYPES:
        found[to] = np.dtype(helper.tensor_dtype_to_np_dtype(to))
    return found


TENSORS = _tensors()
