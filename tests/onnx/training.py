"""Optimizers: one step of a trainer, whose state comes from outside as a checkpoint that Python has written.

ONNX counts steps from 0. Its step 0 with given moments has neither bias correction nor dampening,
so it is our second step.
"""
import numpy as np
from graph import Unmapped, c_number, operator

STATES = {"Adagrad": ["sum"], "Adam": ["exp_avg", "exp_avg_sq"], "Momentum": ["momentum_buffer"]}


@operator(*STATES)
def optimizer(n):
    states = STATES[n.type]
    rate, step = float(n.number(0)), int(n.number(1))
    arrays = [value.array for value in n.operands[2:]]
    count = len(arrays) // (2 + len(states))
    values, gradients, moments = arrays[:count], arrays[count:2 * count], arrays[2 * count:]
    fields = dict(gradients="true", weight_decay=c_number(n.attribute("norm_coefficient", 0.0)))
    if step:
        raise Unmapped("step")
    if n.type == "Adagrad":
        fields.update(optimizer="NN_ADAGRAD", learning_rate=c_number(rate), epsilon=c_number(n.attribute("epsilon")),
                      **{"adagrad.learning_rate_decay": c_number(n.attribute("decay_factor", 0.0))})
    elif n.type == "Adam":
        step = 1
        beta1, beta2 = n.attribute("alpha"), n.attribute("beta")
        root = np.sqrt(1 - beta2 ** 2)
        fields.update(optimizer="NN_ADAM", learning_rate=c_number(rate * (1 - beta1 ** 2) / root),
                      epsilon=c_number(n.attribute("epsilon") / root), beta1=c_number(beta1), beta2=c_number(beta2))
    else:
        step = 1
        fields.update(optimizer="NN_SGD", learning_rate=c_number(rate), momentum=c_number(n.attribute("alpha")),
                      **{"sgd.nesterov": "true" if n.attribute("mode") == "nesterov" else "false"})
    names = ["p%d" % k for k in range(count)]
    mapping = n.mapping
    mapping.trainer = (", ".join(".%s = %s" % item for item in fields.items()), step)
    mapping.inputs = list(zip(names, gradients))
    mapping.parameters = list(zip(names, values))
    moved = [name + "." + state for state in states for name in names]
    mapping.parameters += list(zip(moved, moments))
    mapping.outputs = [(name, result.array) for name, result in zip(names + moved, n.results)]
