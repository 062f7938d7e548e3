"""Golden values of the catalogue: one call of case() holds both sides, PyTorch's and ours.

Each <group>.py beside this file describes cases and ends with write(__file__), which makes <group>.h. Run one with any
PyTorch from 2.0 on, in the repository's root (the version that made a header is in its first line):

    python tests/golden/catalogue/elementwise.py

tests/kernels/test_catalogue.c includes every <group>.h of this folder and runs every case on the CPU, with each instruction set
of the machine, and on OpenCL: forward, gradients, buffers. build/tests/test_catalogue elementwise runs one group;
NN_CASE=name in the environment runs the cases whose names contain it.

    case("elu", [x(5, 7)], lambda x: F.elu(x, 1.25), "nn_elu(net, in[0], &(nn_elu_desc){.alpha = 1.25f})")
    case("prelu", [x(2, 3, 4)], F.prelu, 'nn_prelu(net, "act", in[0], NULL)', parameters={"act.weight": s(3)})
    case("lstm", [x(5, 2, 3)], None, "out[0] = nn_lstm(...); out[1] = nn_output(out[0], 1);",
         module=torch.nn.LSTM(3, 4), prefix="lstm", call=lambda m, x: m(x)[0])

INPUTS are numbers by formula, so that no input is stored: s(2, 3) is a tensor of shape (2, 3) of the kind "s". Kinds:
    s  signed, -2 to 2 in steps of 1/64             p  positive, 1/4 to 17/4         u  0 to 1, both included
    o  inside of 0 to 1: 1/64 to 63/64              t  -2 to 2 in whole steps: ties  d  distinct, -2 to 2 (up to 257)
    w  small, -1/2 to 1/2                           f  far, -32 to 32                b  0 or 1
    i(7, 2, 3): integers from 0 to 6 of shape (2, 3), i32 and int64. x is another name of s.
    literal([1, NAN, -INF], shape): numbers of your own; integers if all are Python ints.
fixed(s(2, 3)): no gradient is asked for. An extent BATCH(4) is free in our net and 4 in the run, TIME(5) likewise; such
an input has no gradient, as an nn_input has none. Gradients are those of the sum over all outputs of y * r; r are
numbers of the kind "r", which is never 0.

PARAMETERS are the ones that the operation itself creates: {"fc.weight": s(4, 3)}; they follow the inputs as arguments. BUFFERS
are described in the same way and follow the parameters; their values after one training step are compared with what PyTorch's function has
written into its arguments. module=: parameters and buffers are those of a torch.nn.Module, under prefix + "." + their
names, filled by the formula (kind "w", or by kinds={"weight": s}; buffers keep what the module gives them) and the
function is call(module, *inputs), by default module(*inputs).

C is either an expression, the first output (further outputs are then nn_output(out[0], k)), or statements that set
out[0], out[1] ... from in[0], in[1] ... and net.

write(__file__, sparse=12) is for a group of many small programs. An OpenCL compiler needs a quarter of a second for each, so
there make test runs every twelfth pair of cases, and make test-full (NN_FULL=1) runs all.

OPTIONS: train=False: PyTorch's eval mode, and on our side a plan instead of a step of a trainer: no gradients;
train=True: only a training step (default: both ways). gradients=False. each=True: every number is compared
relative to itself, for element-wise operations; otherwise relative to the largest of its tensor. double=: the function for
float64 where the usual one cannot take it.

THE LIMIT. Numbers of float64 are stored, and with each tensor the error of PyTorch's own float32, relative as above. Our
error may be 4 times that; PyTorch's is taken to be at least one ulp (2^-23), since a few numbers may be exact by luck.
NaN and infinities must stand at the same places; where PyTorch's float32 overflows and its float64 does not, the
infinity is expected. Integers and bools are compared exactly.
"""
import copy
import inspect
import math
import os
import textwrap

import torch
import torch.nn.functional as F  # noqa: F401 (for the groups)

torch.set_num_threads(1)
NAN, INF = float("nan"), float("inf")
COTANGENT = 900
LIMITS = {"p": (16, 64), "u": (0, 64), "o": (1, 64)}
cases = []


class BATCH(int):
    """An extent that is free in our net."""


class TIME(int):
    """An extent that is free in our net."""


def value(seed, i, kind):
    """Returns the same as catalogue_value of tests/kernels/catalogue.h."""
    h = (i * 2654435761 + seed * 40503 + 12345) & 0xFFFFFFFF
    h ^= h >> 15
    h = (h * 2246822519) & 0xFFFFFFFF
    h ^= h >> 13
    if kind == "p":
        return (h % 257 + 16) / 64
    if kind == "u":
        return (h % 65) / 64
    if kind == "o":
        return (h % 63 + 1) / 64
    if kind == "t":
        return h % 5 - 2
    if kind == "d":
        return ((i * 73 + seed * 31) % 257 - 128) / 64
    if kind == "w":
        return (h % 257 - 128) / 256
    if kind == "f":
        return (h % 257 - 128) / 4
    if kind == "b":
        return h % 2
    if kind == "r":
        return (1 if h & 256 else -1) * (h % 128 + 1) / 64
    if isinstance(kind, int):  # integers below kind
        return h % kind
    assert kind == "s", kind
    return (h % 257 - 128) / 64


class Given:
    """Describes a tensor of a case that has no seed yet."""

    def __init__(self, kind, shape, numbers=None, gradient=True):
        self.kind, self.shape, self.numbers, self.gradient = kind, tuple(shape), numbers, gradient
        self.whole = isinstance(kind, int)
        self.free = any(isinstance(extent, (BATCH, TIME)) for extent in self.shape)
        if self.whole or self.free:
            self.gradient = False

    def make(self, seed, dtype):
        shape = [int(extent) for extent in self.shape]
        numbers = self.numbers
        if numbers is None:
            numbers = [value(seed, i, self.kind) for i in range(math.prod(shape))]
        return torch.tensor(numbers, dtype=torch.int64 if self.whole else dtype).reshape(shape)


def s(*shape):
    return Given("s", shape)


x = s


def p(*shape):
    return Given("p", shape)


def u(*shape):
    return Given("u", shape)


def o(*shape):
    return Given("o", shape)


def t(*shape):
    return Given("t", shape)


def d(*shape):
    return Given("d", shape)


def w(*shape):
    return Given("w", shape)


def f(*shape):
    return Given("f", shape)


def b(*shape):
    return Given("b", shape, gradient=False)


def i(classes, *shape):
    return Given(classes, shape)


def literal(numbers, shape=None, gradient=True):
    shape = (len(numbers),) if shape is None else shape
    whole = all(type(number) is int for number in numbers)
    return Given(1 if whole else "s", shape, list(numbers), gradient)


def fixed(given):
    given.gradient = False
    return given


def as_list(y):
    return list(y) if isinstance(y, (tuple, list)) else [y]


def floating(tensor):
    return tensor.dtype.is_floating_point


def evaluate(one, dtype):
    """Returns the outputs, the gradients of all rows (None where there is none) and the buffers
    after the step, for one dtype."""
    tensors = [given.make(one["seed"] + k, dtype) for k, (_, given) in enumerate(one["rows"])]
    for tensor, (_, given) in zip(tensors, one["rows"]):
        if given.gradient and one["gradients"] and floating(tensor):
            tensor.requires_grad_(True)
    if one["module"] is None:
        function = one["double"] if dtype == torch.float64 and one["double"] else one["function"]
        buffers = tensors[one["inputs"] + one["parameters"]:]
        outputs = as_list(function(*tensors))
        sources = tensors
    else:
        module = copy.deepcopy(one["module"]).to(dtype)
        module.train(one["train"] is not False)
        named = list(module.named_parameters())
        buffers = [tensor for _, tensor in module.named_buffers()]
        for (_, own), given in zip(named, tensors[one["inputs"]:]):
            own.data.copy_(given.detach())
        for own, given in zip(buffers, tensors[one["inputs"] + len(named):]):
            own.data.copy_(given.detach())
        outputs = as_list(one["call"](module, *tensors[:one["inputs"]]))
        sources = tensors[:one["inputs"]] + [own for _, own in named] + buffers
    with torch.no_grad():
        after = [buffer.detach().clone() for buffer in buffers]
    gradients = [None] * len(tensors)
    asked = [k for k, source in enumerate(sources) if source.requires_grad and one["gradients"]]
    ended = [y for y in outputs if floating(y) and y.requires_grad]
    if asked and ended:
        total = []
        for k, y in enumerate(outputs):
            if floating(y) and y.requires_grad:
                total.append(Given("r", y.shape).make(COTANGENT + k, dtype))
        got = torch.autograd.grad(ended, [sources[k] for k in asked], total, allow_unused=True)
        for k, gradient in zip(asked, got):
            gradients[k] = torch.zeros_like(sources[k]) if gradient is None else gradient
    return [y.detach() for y in outputs], gradients, after


def stored(name, exact, single, each):
    """Returns the numbers to be stored, and the error of float32."""
    if not floating(exact):
        assert torch.equal(exact, single), name + ": float32 and float64 disagree on integers"
        return [int(number) for number in exact.flatten()], 0.0
    exact = exact.double().flatten()
    single = single.double().flatten()
    exact = torch.where(torch.isfinite(single), exact, single)
    assert bool(torch.isfinite(exact)[torch.isfinite(single)].all()), name + ": not finite in float64 only"
    finite = torch.isfinite(exact)
    largest = exact[finite].abs().max().item() if finite.any() else 0.0
    scale = exact.abs() if each else torch.full_like(exact, largest)
    error = ((single - exact).abs() / scale.clamp(min=2.0 ** -126))[finite]
    return exact.tolist(), error.max().item() if error.numel() else 0.0


def case(name, inputs, function, c, *, parameters=None, buffers=None, module=None, prefix=None, call=None, kinds=None,
         train=None, gradients=True, each=False, double=None):
    rows = [("in%d" % k, given) for k, given in enumerate(inputs)]
    parameters = dict(parameters or {})
    buffers = dict(buffers or {})
    if module is not None:
        kinds = kinds or {}
        dotted = prefix + "." if prefix else ""
        for own, tensor in module.named_parameters():
            kind = kinds.get(own, w)
            parameters[dotted + own] = kind(*tensor.shape)
        for own, tensor in module.named_buffers():
            whole = not floating(tensor)
            numbers = [int(v) if whole else float(v) for v in tensor.flatten()]
            buffers[dotted + own] = literal(numbers, tensor.shape)
    rows += list(parameters.items())
    rows += [(own, fixed(given)) for own, given in buffers.items()]
    assert name not in [one["name"] for one in cases], name + ": named twice"
    # the seed comes from the name, so that a case keeps its numbers when others come or go
    seed = sum((k + 1) * ord(letter) for k, letter in enumerate(name)) * 16
    cases.append(dict(name=name, rows=rows, inputs=len(inputs), parameters=len(parameters), function=function, c=c,
                      module=module, call=call or (lambda m, *tensors: m(*tensors)), train=train, each=each, double=double,
                      gradients=gradients and train is not False, seed=seed))


# ---- writing ---------------------------------------------------------------------------------------------------------


def number_text(number):
    if isinstance(number, int):
        return str(number)
    if number != number:
        return "1e301"  # The same codes as in catalogue_number of tests/kernels/catalogue.h: not every compiler has constants for NaN and infinity.
    if math.isinf(number):
        return "1e302" if number > 0 else "-1e302"
    return "-0." if number == 0 and math.copysign(1, number) < 0 else "%.9g" % number


def wrapped(text, indent):
    """Returns lines of at most 100 columns, broken at spaces outside of strings."""
    inside, marked = False, []
    for k, letter in enumerate(text):
        if letter == '"' and text[k - 1] != "\\":
            inside = not inside
        marked.append("\0" if letter == " " and inside else letter)
    lines = textwrap.wrap("".join(marked), 100 - indent - 4, break_long_words=False, break_on_hyphens=False)
    joined = ("\n" + " " * (indent + 4)).join(lines)
    return " " * indent + joined.replace("\0", " ")


def snippet(one, outputs):
    text = " ".join(one["c"].split())
    if ";" not in text:
        text = "out[0] = " + text + ";"
        for k in range(1, outputs):
            text += " out[%d] = nn_output(out[0], %d);" % (k, k)
    if "in[" not in text:
        text = "(void)in; " + text
    return text


def extents(shape):
    marks = []
    for extent in shape or (0,):
        mark = {BATCH: "CATALOGUE_BATCH + ", TIME: "CATALOGUE_TIME + "}.get(type(extent), "")
        marks.append(mark + str(int(extent)))
    return "{%s}" % ", ".join(marks)


def write(path, sparse=1):
    group = os.path.splitext(os.path.basename(path))[0]
    path = os.path.join(os.path.dirname(os.path.abspath(path)), group + ".h")
    numbers, rows, table, builders = [], [], [], []

    def row(role, name, given, seed, literal, expected, error, gradient, gradient_error):
        kind, most = ("i", given.kind) if isinstance(given.kind, int) else (given.kind, 0)
        rows.append(wrapped('{"%s", \'%s\', \'%s\', %d, %d, %d, %s, %d, %d, %.2g, %d, %.2g},' % (
            name, role, kind, most, seed, len(given.shape), extents(given.shape), literal, expected, error, gradient,
            gradient_error), 4))

    def keep(own):
        numbers.extend(own)
        return len(numbers) - len(own)

    for one in cases:
        first = len(rows)
        double, single = evaluate(one, torch.float64), evaluate(one, torch.float32)
        outside = one["inputs"] + one["parameters"]
        for k, (name, given) in enumerate(one["rows"]):
            role = "x" if k < one["inputs"] else "p" if k < outside else "b"
            literal = keep(given.numbers) if given.numbers is not None else -1
            expected, error, gradient, gradient_error = -1, 0.0, -1, 0.0
            if role == "b" and one["train"] is not False:
                own, error = stored(one["name"] + " " + name, double[2][k - outside], single[2][k - outside], one["each"])
                expected = keep(own)
            if double[1][k] is not None:
                own, gradient_error = stored(one["name"] + " d" + name, double[1][k], single[1][k], one["each"])
                gradient = keep(own)
            row(role, name, given, one["seed"] + k, literal, expected, error, gradient, gradient_error)
        for k, (y, y32) in enumerate(zip(double[0], single[0])):
            own, error = stored(one["name"] + " y", y, y32, one["each"])
            given = Given("r", y.shape) if floating(y) else Given(1, y.shape)
            # every output that takes part in the loss has a cotangent
            given.gradient = floating(y)
            row("y", "y%d" % k, given, COTANGENT + k, -1, keep(own), error, -1, 0)
        function = group + "_" + one["name"]
        builders.append("static void %s(nn_model *net, nn_node **in, nn_node **out) {\n%s\n}" % (
            function, wrapped(snippet(one, len(double[0])), 4)))
        mode = {None: "CATALOGUE_BOTH", True: "CATALOGUE_STEP", False: "CATALOGUE_PLAN"}[one["train"]]
        if not any(gradient is not None for gradient in double[1]) and one["train"] is None:
            mode = "CATALOGUE_PLAN"
        table.append(wrapped('{"%s", %s, %d, %d, %s, %s},' % (
            one["name"], function, first, len(rows) - first, mode, "true" if one["each"] else "false"), 4))
    text = ",".join(number_text(number) for number in numbers).replace(",", ", ")
    lines = textwrap.wrap(text, 95, break_long_words=False, break_on_hyphens=False)
    with open(path, "w") as out:
        out.write("/* Made by tests/golden/catalogue/%s.py with PyTorch %s; not edited by hand. */\n" % (
            group, torch.__version__.split("+")[0]))
        out.write("\n" + "\n".join(builders) + "\n")
        out.write("\nenum { catalogue_%s_sparse = %d };\n" % (group, sparse))
        out.write("\nstatic const double catalogue_%s_numbers[] = {\n    %s};\n" % (
            group, "\n    ".join(line.replace(", ", ",") for line in lines)))
        out.write("\n/* name, role, kind, kind's number, seed, rank, extents, own numbers, expected, error,\n   "
                  "gradient, error */\nstatic const catalogue_row catalogue_%s_rows[] = {\n%s\n};\n" % (group, "\n".join(rows)))
        out.write("\nstatic const catalogue_case catalogue_%s_cases[] = {\n%s\n};\n" % (group, "\n".join(table)))
    print("%s: %d cases, %d numbers, %d bytes" % (path, len(cases), len(numbers), os.path.getsize(path)))
