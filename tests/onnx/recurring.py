"""lstm, gru, rnn. ONNX has the time first and its own order of gates. A layer with the direction "reverse" becomes
one of our layers between two flips of the time."""
import numpy as np
from graph import Unmapped, desc, operator, shape_of

GATES = {"LSTM": [0, 2, 3, 1], "GRU": [1, 0, 2], "RNN": [0]}  # of ONNX, in PyTorch's order
NAMES = {"LSTM": "nn_lstm", "GRU": "nn_gru", "RNN": "nn_rnn"}


def in_our_order(array, order, hidden):
    return np.concatenate([array[gate * hidden:(gate + 1) * hidden] for gate in order])


@operator(*GATES)
def recurrent(n):
    order, hidden = GATES[n.type], n.attribute("hidden_size")
    direction, layout = n.attribute("direction", "forward"), n.attribute("layout", 0)
    both = direction == "bidirectional"
    weight, recurrence = n.number(1), n.number(2)
    count = 2 if both else 1
    steps = n.shape()[1 if layout else 0]
    if n.has(7):
        raise Unmapped("peepholes")
    if n.attribute("activations") or n.attribute("clip"):
        raise Unmapped("activations")
    if n.type == "GRU" and not n.attribute("linear_before_reset", 0):
        bias = n.number(3)[:, 5 * hidden:] if n.has(3) else np.zeros(1)
        if steps > 1 or n.has(5) or np.any(bias):  # otherwise the state is 0, and there is nothing to reset
            raise Unmapped("gru-reset")
    name = n.mapping.layer()
    for k in range(count):
        suffix = "_reverse" if k else ""
        n.mapping.parameter(name + ".weight_ih_l0" + suffix, in_our_order(weight[k], order, hidden))
        n.mapping.parameter(name + ".weight_hh_l0" + suffix, in_our_order(recurrence[k], order, hidden))
        if n.has(3):
            half = len(order) * hidden
            n.mapping.parameter(name + ".bias_ih_l0" + suffix, in_our_order(n.number(3)[k][:half], order, hidden))
            n.mapping.parameter(name + ".bias_hh_l0" + suffix, in_our_order(n.number(3)[k][half:], order, hidden))

    def state(i):
        return n.x(i) if not layout else n.let("nn_permute(net, %s, NN_AXES(1, 0, 2))", n.x(i))
    fields = dict(hidden_size=hidden, bidirectional=both, no_bias=not n.has(3))
    if n.has(4):
        fields["lengths"] = n.whole(4)
    if n.has(5):
        fields["h_0"] = state(5)
    if n.has(6):
        fields["c_0"] = state(6)
    x = n.x() if layout else n.let("nn_transpose(net, %s, 0, 1)", n.x())
    x = n.let("nn_flip(net, %s, NN_AXES(1))", x) if direction == "reverse" else x
    y = n.let('%s(net, "%s", %s, %s)', NAMES[n.type], name, x, desc(NAMES[n.type] + "_desc", **fields))
    if n.wants(0):
        c = n.let("nn_flip(net, %s, NN_AXES(1))", y) if direction == "reverse" else y
        batch = n.shape()[0 if layout else 1]
        c = n.let("nn_reshape(net, %s, %s)", c, shape_of([batch, steps, count, hidden]))
        n.give(c if layout else n.let("nn_permute(net, %s, NN_AXES(1, 2, 0, 3))", c))
    for k in (1, 2):
        if n.wants(k):
            c = n.let("nn_output(%s, %d)", y, k)
            n.give(n.let("nn_permute(net, %s, NN_AXES(1, 0, 2))", c) if layout else c, k=k)
