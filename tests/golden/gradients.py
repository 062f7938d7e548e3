#!/usr/bin/python3
"""Makes tests/golden/gradients.h: gradients as nodes (torch.autograd.grad), in PyTorch, in float64.

    python3 tests/golden/gradients.py          (PyTorch 2.x; run in the repository's root)

tests/graph/test_gradient.c describes the same nets. Both compute their numbers with the same
formulas.
"""
import torch
import torch.nn.functional as F
from torch.autograd import grad


def some(salt, *shape):
    count = 1
    for n in shape:
        count *= n
    values = [((i * 7919 + salt * 101 + 13) % 1000) / 500.0 - 1.0 for i in range(count)]
    return torch.tensor(values, dtype=torch.float64).reshape(shape).requires_grad_()


def penalty():
    """A critic with convolutions, a group norm and a pool: the gradient penalty of WGAN-GP."""
    x, w1, b1, gw, gb, w2, w3 = (some(1, 3, 2, 6, 6), some(2, 4, 2, 3, 3), some(3, 4), some(4, 4), some(5, 4),
                                 some(6, 3, 4, 3, 3), some(7, 1, 27))
    h = F.conv2d(x, w1, b1, padding=1)
    h = F.group_norm(h, 2, gw, gb)
    h = F.max_pool2d(F.silu(h), 2)
    h = F.softmax(F.conv2d(h, w2, padding=1), dim=-1)
    score = F.linear(h.flatten(1), w3)
    dx, = grad(score.sum(), x, create_graph=True)
    loss = ((dx.square().sum(dim=(1, 2, 3)).sqrt() - 1.0) ** 2).mean()
    return dx, loss, grad(loss, [w1, b1, gw, w2, w3])


def entropy():
    """The gradient of a cross entropy with respect to the logits' weights, and a Hessian-vector product."""
    x, w, v = some(1, 5, 6), some(2, 4, 6), some(3, 4, 6)
    label = torch.tensor([1, 3, 0, 2, 3])
    loss = F.cross_entropy(F.linear(torch.tanh(x), w), label)
    dw, = grad(loss, w, create_graph=True)
    product, = grad(dw, w, grad_outputs=v.detach())
    return loss, dw, product


def physics():
    """y'' + y at some points for a small net y, and the gradient of its mean square with respect to
    the net's parameters."""
    t, w1, b1, w2 = some(1, 7, 1), some(2, 5, 1), some(3, 5), some(4, 1, 5)
    y = F.linear(torch.tanh(F.linear(t, w1, b1)), w2)
    dy, = grad(y.sum(), t, create_graph=True)
    ddy, = grad(dy.sum(), t, create_graph=True)
    loss = ((ddy + y) ** 2).mean()
    return dy, ddy, loss, grad(loss, [w1, b1, w2])


def row(name, tensor):
    values = tensor.detach().flatten().tolist()
    text = ",\n    ".join(", ".join("%.9g" % v for v in values[i:i + 6]) for i in range(0, len(values), 6))
    return "static const double golden_%s[] = {\n    %s};\n" % (name, text)


with open("tests/golden/gradients.h", "w") as out:
    out.write("/* Made by tests/golden/gradients.py with PyTorch %s, in float64. */\n" % torch.__version__.split("+")[0])
    dx, loss, by = penalty()
    out.write(row("penalty_dx", dx) + row("penalty_loss", loss))
    for name, value in zip(("w1", "b1", "gw", "w2", "w3"), by):
        out.write(row("penalty_" + name, value))
    loss, dw, product = entropy()
    out.write(row("entropy_loss", loss) + row("entropy_dw", dw) + row("entropy_product", product))
    dy, ddy, loss, by = physics()
    out.write(row("physics_dy", dy) + row("physics_ddy", ddy) + row("physics_loss", loss))
    for name, value in zip(("w1", "b1", "w2"), by):
        out.write(row("physics_" + name, value))
