"""The walk over an ONNX model that writes C: the values of a graph, and what an operator's mapping may ask of its node.

A value is known when it can be computed without the numbers of the test: constants, shapes, and what follows from them.
Known values are numbers in the C text (axes, shapes, paddings) or inputs of the net; all others are nodes. Values of
inner nodes come from ONNX's reference evaluator; for values that are not known, only shape and dtype are read.
"""
import re

import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

RANK = 6  # NN_MAX_RANK
OURS = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "int32": "i32", "uint8": "u8", "int8": "i8", "bool": "bool"}
NARROWED = {"float64": "f32", "int64": "i32", "int16": "i32", "uint16": "i32", "uint32": "i32", "uint64": "i32"}
STORED = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "u8": np.uint8, "i8": np.int8, "bool": np.uint8}
PARAMETERS = {"shape", "size", "start", "limit", "delta", "axes"}  # inputs with these names are options of an operator, not data
CREATED = {"ConstantOfShape", "Range", "EyeLike", "Cast", "CastLike"}  # known results of these operators stay numbers, even if they are not integers
EXACT = 1 << 24  # whole numbers below are exact in f32


class Unmapped(Exception):
    """The key of a line of reasons.txt."""


def ours(array):
    """Returns the nn.h dtype that holds the numbers of an array."""
    name = str(array.dtype)
    if name in OURS:
        return OURS[name]
    if name not in NARROWED:
        raise Unmapped("dtype:" + ("string" if array.dtype.kind in "OUS" else name))
    if NARROWED[name] == "i32" and array.size and (array.max() > 2**31 - 1 or array.min() < -2**31):
        raise Unmapped("wide")
    return NARROWED[name]


def stored(array):
    """Returns the bytes that an nn.h tensor has for an array."""
    dtype = ours(array)
    if dtype == "bf16":
        return array.tobytes()
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array).astype(STORED[dtype]).tobytes()


def c_number(number):
    number = float(number)
    if np.isnan(number):
        return "NAN"
    if np.isinf(number):
        return "INFINITY" if number > 0 else "-INFINITY"
    text = "%.9g" % number
    return text + ("f" if "." in text or "e" in text else ".0f")


def as_array(value):
    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else value


class Value:
    def __init__(self, array, known=False, given=False):
        self.array = array  # of the reference
        self.known = known
        self.given = given  # an input of the graph
        self.c = None       # the C variable of its node
        self.dtype = None   # and that node's dtype

    @property
    def shape(self):
        return list(np.shape(self.array))


def branch_taken(model, choice, condition):
    """Returns the model with the nodes of one branch in place of an If."""
    branch = next(helper.get_attribute_value(a) for a in choice.attribute
                  if a.name == ("then_branch" if condition else "else_branch"))
    nodes = []
    for node in model.graph.node:
        if node is not choice and node != choice:
            nodes.append(node)
            continue
        nodes += list(branch.node)
        nodes += [helper.make_node("Identity", [made.name], [name]) for made, name in zip(branch.output, choice.output)]
    taken = type(model)()
    taken.CopyFrom(model)
    del taken.graph.node[:]
    taken.graph.node.extend(nodes)
    return taken


class Mapping:
    """The C statements, inputs, parameters and outputs that a model is turned into."""

    def __init__(self, name, model, inputs, outputs):
        self.name = name
        self.lines, self.inputs, self.parameters, self.outputs = [], [], [], []
        self.layers = 0
        self.trainer = None  # (fields of nn_trainer_desc, step) of a case that trains: its inputs and outputs are pairs (name, array)
        self.variables = 0
        self.values = {"": None}
        graph = model.graph
        for tensor in graph.initializer:
            self.values[tensor.name] = Value(numpy_helper.to_array(tensor), known=True)
        inputs = [as_array(value) for value in inputs]
        self.expected = outputs = [as_array(value) for value in outputs]
        for given, array in zip(graph.input, inputs):
            if not isinstance(array, np.ndarray) and not np.isscalar(array):
                raise Unmapped("sequence")
            self.values[given.name] = Value(np.asarray(array), given=True)
        self.inner = len(graph.node) > 1  # the expansion of a function
        if self.inner:
            for name, value in self.values.items():
                if value and value.given and (name in PARAMETERS or value.array.ndim == 0 and value.array.dtype.kind in "iu"):
                    value.known = True
        nodes, inner = self.evaluate(model, inputs, outputs)
        for node in nodes:
            self.node(node, inner)
        if self.trainer:
            return
        for given in graph.output:
            if given.name:
                self.output(self.values[given.name])
        self.prune()

    def prune(self):
        """Removes everything that no output reads."""
        tokens = re.compile(r"\bv\d+\b|\bin\[\d+\]|\blayer\d+\b")
        needed, kept = set(), []
        for c, _ in self.outputs:
            needed.update(tokens.findall(c))
        for line in reversed(self.lines):
            made, text = line.split(" = ", 1)
            if made.split("*")[1] in needed:
                kept.append(line)
                needed.update(tokens.findall(text))
        numbers = {"in[%d]" % k: "in[%d]" % i for i, k in enumerate(
            k for k in range(len(self.inputs)) if "in[%d]" % k in needed)}

        def renumbered(text):
            return tokens.sub(lambda match: numbers.get(match.group(), match.group()), text)
        self.inputs = [array for k, array in enumerate(self.inputs) if "in[%d]" % k in needed]
        self.parameters = [(name, array) for name, array in self.parameters if name.split(".")[0] in needed]
        self.lines = [renumbered(line) for line in reversed(kept)]
        self.outputs = [(renumbered(c), array) for c, array in self.outputs]

    def evaluate(self, model, inputs, outputs):
        """Finds the nodes, including those of a branch that is always taken, and the values of
        all."""
        graph = model.graph
        found = {given.name: array for given, array in zip(graph.output, outputs)}
        if not self.inner:
            return graph.node, found
        feeds = {given.name: array for given, array in zip(graph.input, inputs)}
        while True:
            try:
                with np.errstate(all="ignore"):
                    inner = ReferenceEvaluator(model).run(None, feeds, intermediate=True)
            except Exception as fault:  # the reference lacks an operator, or one of its dtypes
                raise Unmapped("reference") from fault
            choices = [node for node in model.graph.node if node.op_type == "If"]
            if not choices:
                return model.graph.node, {**inner, **found}
            model = branch_taken(model, choices[0], bool(inner[choices[0].input[0]]))

    def node(self, node, inner):
        operands = [self.values[name] for name in node.input]
        results = []
        for name in node.output:
            array = inner[name] if name else None
            if array is not None and not isinstance(array, np.ndarray):
                if not np.isscalar(array):
                    raise Unmapped("op:" + node.op_type)
                array = np.asarray(array)
            results.append(Value(array) if name else None)
        for name, result in zip(node.output, results):
            self.values[name] = result
        fixed = node.op_type in ("Constant", "Shape", "Size") or not self.inner and node.op_type in CREATED - {"Cast", "CastLike"}
        asked = operands[:1] if node.op_type == "CastLike" else operands  # only the dtype of the second operand matters
        known = fixed or self.inner and all(value is None or value.known for value in asked)
        known = known and not any(a.type == AttributeProto.GRAPH for a in node.attribute)
        for result in results:
            if result is not None:
                result.known = known
        if known and (fixed or node.op_type in CREATED or results[0].array.dtype.kind != "f"):
            return
        function = OPERATORS.get(node.op_type)
        if function is None and not known:
            raise Unmapped("op:" + node.op_type)
        try:
            if function:
                function(Node(self, node, operands, results))
        except Unmapped:
            if not known:
                raise
        for result in results:
            if result is not None and result.c is None and not result.known and not self.trainer:
                raise Unmapped("output:" + node.op_type)

    def output(self, value):
        if value.array.size == 0:
            raise Unmapped("empty")
        if value.known and value.c is None:
            raise Unmapped("known")
        c = self.use(value)
        if value.array.dtype.kind not in "iub":  # a cast to the dtype that a value already has does nothing
            c = self.name_of("nn_cast(net, %s, NN_F32)" % c)
        ours(value.array)
        self.outputs.append((c, value.array))

    # ---- C

    def name_of(self, expression):
        self.lines.append("nn_node *v%d = %s;" % (self.variables, expression))
        self.variables += 1
        return "v%d" % (self.variables - 1)

    def input(self, array):
        array = np.asarray(array)
        dtype = ours(array)
        if array.size == 0:
            raise Unmapped("empty")
        if array.ndim > RANK:
            raise Unmapped("rank")
        self.inputs.append(array)
        return "in[%d]" % (len(self.inputs) - 1), dtype

    def use(self, value):
        """Returns the node of a value."""
        if value.c is None:
            value.c, value.dtype = self.input(value.array)
        return value.c

    def parameter(self, name, array):
        if ours(array) != "f32":
            array = array.astype(np.float32)
        if array.size == 0:
            raise Unmapped("empty")
        self.parameters.append((name, array))

    def layer(self):
        self.layers += 1
        return "layer%d" % self.layers


OPERATORS = {}


def operator(*names):
    def enter(function):
        for name in names:
            assert name not in OPERATORS, name
            OPERATORS[name] = function
        return function
    return enter


class Node:
    """One node of the graph, as its mapping sees it."""

    def __init__(self, mapping, node, operands, results):
        self.mapping, self.node, self.operands, self.results = mapping, node, operands, results
        self.type = node.op_type
        self.attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}

    def attribute(self, name, default=None):
        value = self.attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value

    def has(self, i):
        return i < len(self.operands) and self.operands[i] is not None

    def shape(self, i=0):
        return self.operands[i].shape

    def rank(self, i=0):
        return len(self.shape(i))

    def dtype(self, i=0):
        return str(self.operands[i].array.dtype)

    def axis(self, default, rank=None):
        axis = self.attribute("axis", default)
        return axis % (rank or self.rank() or 1)

    def number(self, i):
        """Returns an operand as numbers in the C text."""
        value = self.operands[i]
        if not (value.known or value.given):
            raise Unmapped("computed:" + self.type)
        return value.array

    def numbers(self, i):
        return [int(number) for number in np.ravel(self.number(i))]

    def raw(self, i=0):
        """Returns an operand as it is."""
        return self.mapping.use(self.operands[i])

    def x(self, i=0):
        """Returns an operand as a node to compute with: f32, f16 or bf16. Whole numbers are cast if
        that is exact."""
        value = self.operands[i]
        c = self.mapping.use(value)
        if value.dtype in ("f32", "f16", "bf16"):
            return c
        whole = value.array.dtype.kind in "iu"
        if whole and value.array.dtype.itemsize > 2 and np.any(np.abs(value.array.astype(np.float64)) >= EXACT):
            raise Unmapped("wide")
        return self.let("nn_cast(net, %s, NN_F32)" % c)

    def whole(self, i):
        """Returns an operand as an i32 node, for indices and labels."""
        value = self.operands[i]
        c = self.mapping.use(value)
        if value.dtype == "i32":
            return c
        return self.let("nn_cast(net, %s, NN_I32)" % c)

    def constant(self, array):
        """Returns constants of the mapping as a node."""
        return self.mapping.input(np.asarray(array))[0]

    def let(self, text, *arguments):
        return self.mapping.name_of(text % arguments if arguments else text)

    def give(self, c, dtype="f32", k=0):
        """Makes the node c the k-th result. dtype is the dtype of c."""
        if k >= len(self.results) or self.results[k] is None:
            return
        result = self.results[k]
        if result.array.size == 0:
            result.known = True
            return
        if result.array.ndim > RANK:
            raise Unmapped("rank")
        result.c, result.dtype = c, dtype

    def wants(self, k):
        return k < len(self.results) and self.results[k] is not None

    def set(self, text, *arguments, dtype="f32", k=0):
        self.give(self.let(text, *arguments), dtype, k)

    def same(self, c, i=0, k=0):
        """Makes c the k-th result, with the dtype of operand i's node."""
        self.give(c, self.operands[i].dtype, k)


# ---- words of C

def axes(numbers):
    numbers = list(numbers)
    return "NN_AXES(%s)" % ", ".join(str(int(n)) for n in numbers) if numbers else "NN_ALL_AXES"


def shape_of(extents):
    extents = list(extents)
    if len(extents) > RANK:
        raise Unmapped("rank")
    if not extents:
        return "nn_make_shape(NULL, 0)"
    if 0 in extents:
        raise Unmapped("empty")
    return "NN_SHAPE(%s)" % ", ".join(str(int(n)) for n in extents)


def desc(kind, **fields):
    parts = [".%s = %s" % (name, "true" if value is True else value) for name, value in fields.items()
             if value is not None and value is not False]
    return "&(%s){%s}" % (kind, ", ".join(parts) or "0")


DTYPES = {TensorProto.FLOAT: "f32", TensorProto.FLOAT16: "f16", TensorProto.BFLOAT16: "bf16", TensorProto.INT32: "i32",
          TensorProto.UINT8: "u8", TensorProto.INT8: "i8", TensorProto.BOOL: "bool", TensorProto.DOUBLE: "f32",
          TensorProto.INT64: "i32"}
