#!/usr/bin/python3
"""Makes tests/golden/golden.h: what PyTorch computes for every operation, forward and backward, and for the optimizers.

    /usr/bin/python3 tests/golden/make_golden.py          (Debian's python3-torch 1.13; run in the repository's root)

Inputs are not in the file: both sides compute exactly the same numbers from an integer formula (value() here,
golden_value() in the header). Gradients are those of sum(y * r), where r has the values of the seed COTANGENT.
"""
import os

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
COTANGENT = 900
cases = []


def value(seed, i, kind):
    h = (i * 2654435761 + seed * 40503 + 12345) & 0xFFFFFFFF
    h ^= h >> 15
    h = (h * 2246822519) & 0xFFFFFFFF
    h ^= h >> 13
    if kind == "p":  # positive
        return (h % 257 + 16) / 64
    if kind == "u":  # in [0, 1]
        return (h % 65) / 64
    if kind == "t":  # coarse steps: many ties and zeros
        return h % 5 - 2
    return (h % 257 - 128) / 64  # "s"


def values(seed, shape, kind="s"):
    count = 1
    for extent in shape:
        count *= extent
    return torch.tensor([float(value(seed, i, kind)) for i in range(count)], dtype=torch.float32).reshape(shape)


def labels(seed, shape, classes):
    count = 1
    for extent in shape:
        count *= extent
    return torch.tensor([int(value(seed, i, "u") * 64) % classes for i in range(count)]).reshape(shape)


def case(name, inputs, function):
    """Each input is (name, shape, kind). A kind in capitals asks for no gradient; "L7": labels of 7 classes. A name with a dot
    is a parameter that the operation itself makes."""
    number = len(cases)
    tensors, asked = [], []
    for i, (_, shape, kind) in enumerate(inputs):
        seed = number * 10 + i
        if kind[0] == "L":
            tensors.append(labels(seed, shape, int(kind[1:])))
            continue
        tensor = values(seed, shape, kind.lower())
        if kind.islower():
            tensor.requires_grad_(True)
            asked.append(tensor)
        tensors.append(tensor)
    y = function(*tensors)
    (y * values(COTANGENT, list(y.shape))).sum().backward()
    numbers = y.detach().flatten().tolist()
    for tensor in asked:
        numbers += tensor.grad.flatten().tolist()
    cases.append((name, inputs, list(y.shape), numbers))


def describe_operations():
    case("linear", [("x", (2, 3, 5), "s"), ("fc.weight", (4, 5), "s"), ("fc.bias", (4,), "s")], F.linear)
    case("linear_no_bias", [("x", (7, 3), "s"), ("fc.weight", (2, 3), "s")], F.linear)
    case("matmul", [("a", (5, 7), "s"), ("b", (7, 3), "s")], torch.matmul)

    def conv(name, x, weight, bias, **options):
        inputs = [("x", x, "s"), ("conv.weight", weight, "s")] + ([("conv.bias", (weight[0],), "s")] if bias else [])
        case(name, inputs, lambda *tensors: F.conv2d(*tensors, **options))

    conv("conv2d_padding", (2, 3, 5, 4), (4, 3, 3, 3), True, padding=1)
    conv("conv2d_stride", (2, 2, 7, 8), (3, 2, 3, 2), True, stride=(2, 3), padding=(1, 0))
    conv("conv2d_dilation", (1, 2, 8, 7), (2, 2, 3, 2), True, dilation=(2, 3), padding=(2, 1))
    conv("conv2d_groups", (1, 4, 5, 5), (6, 2, 3, 3), True, groups=2, padding=1)
    conv("conv2d_depthwise", (1, 3, 6, 6), (3, 1, 3, 3), True, groups=3, stride=2)
    conv("conv2d_1x1", (2, 3, 4, 4), (5, 3, 1, 1), False)
    conv("conv2d_whole_image", (2, 2, 4, 3), (3, 2, 4, 3), True)

    def block(x, weight, bias, fc_weight, fc_bias):
        h = F.max_pool2d(F.relu(F.conv2d(x, weight, bias, padding=1)), 2)
        return F.linear(h.flatten(1), fc_weight, fc_bias)

    case("block", [("x", (2, 3, 6, 6), "s"), ("conv.weight", (4, 3, 3, 3), "s"), ("conv.bias", (4,), "s"), ("fc.weight", (3, 36), "s"),
                   ("fc.bias", (3,), "s")], block)

    image = [("x", (1, 2, 7, 6), "s")]
    case("max_pool2d", image, lambda x: F.max_pool2d(x, 2))
    case("max_pool2d_padding", image, lambda x: F.max_pool2d(x, 3, 2, 1))
    case("max_pool2d_ceil", image, lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True))
    case("max_pool2d_oblong", image, lambda x: F.max_pool2d(x, (3, 2), (1, 2), (1, 0)))
    case("max_pool2d_ties", [("x", (1, 2, 7, 6), "t")], lambda x: F.max_pool2d(x, 3, 2, 1))
    case("avg_pool2d", image, lambda x: F.avg_pool2d(x, 2))
    case("avg_pool2d_padding", image, lambda x: F.avg_pool2d(x, 3, 2, 1))
    case("avg_pool2d_inside", image, lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False))
    case("avg_pool2d_ceil", image, lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True))
    case("avg_pool2d_ceil_inside", image, lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False))
    case("global_avg_pool2d", image, lambda x: F.adaptive_avg_pool2d(x, 1))

    unary = [("relu", "s", F.relu), ("sigmoid", "s", torch.sigmoid), ("tanh", "s", torch.tanh), ("gelu", "s", F.gelu),
             ("leaky_relu", "s", lambda x: F.leaky_relu(x, 0.125)), ("exp", "s", torch.exp), ("log", "p", torch.log), ("sqrt", "p", torch.sqrt),
             ("square", "s", torch.square), ("abs", "t", torch.abs), ("negate", "s", torch.neg), ("softplus", "s", F.softplus),
             ("scale", "s", lambda x: x * 1.25), ("offset", "s", lambda x: x + 0.75)]
    for name, kind, function in unary:
        case(name, [("x", (5, 7), kind)], function)
    case("relu_ties", [("x", (4, 5), "t")], F.relu)
    case("leaky_relu_ties", [("x", (4, 5), "t")], lambda x: F.leaky_relu(x, 0.125))
    # Far from zero, where a naive formula overflows or loses all digits.
    far = lambda function: lambda x: function(x * 16)
    for name, function in [("sigmoid", torch.sigmoid), ("tanh", torch.tanh), ("gelu", F.gelu), ("softplus", F.softplus)]:
        case(name + "_far", [("x", (5, 7), "s")], far(function))

    binary = [("add", torch.add), ("subtract", torch.sub), ("multiply", torch.mul), ("divide", torch.div), ("maximum", torch.maximum),
              ("minimum", torch.minimum)]
    for name, function in binary:
        case(name, [("a", (2, 1, 4), "s"), ("b", (3, 1), "p")], function)
    case("add_bias", [("a", (3, 4, 5), "s"), ("b", (5,), "s")], torch.add)
    case("add_same", [("a", (3, 5), "s"), ("b", (3, 5), "s")], torch.add)
    case("multiply_number", [("a", (3, 5), "s"), ("b", (), "p")], torch.mul)
    case("maximum_ties", [("a", (4, 5), "t"), ("b", (4, 5), "t")], torch.maximum)
    case("minimum_ties", [("a", (4, 5), "t"), ("b", (4, 5), "t")], torch.minimum)
    case("square_of_self", [("x", (3, 4), "s")], lambda x: x * x)
    case("detach", [("x", (3, 4), "s")], lambda x: x * x.detach())
    case("reshape", [("x", (3, 4), "s")], lambda x: torch.tanh(x.reshape(2, 6)))

    cube = [("x", (3, 4, 5), "s")]
    case("sum", cube, lambda x: x.sum())
    case("sum_axes", cube, lambda x: x.sum((0, 2), keepdim=True))
    case("sum_last", cube, lambda x: x.sum(2))
    case("mean", cube, lambda x: x.mean())
    case("mean_axis", cube, lambda x: x.mean(1))
    case("amax", cube, lambda x: x.amax(1))
    case("amax_all", cube, lambda x: x.amax())
    case("amax_ties", [("x", (3, 4, 5), "t")], lambda x: x.amax((1, 2), keepdim=True))

    for shape, name in [((3, 7), ""), ((2, 3, 5), "_rank3")]:
        case("softmax" + name, [("x", shape, "s")], lambda x: torch.softmax(x, -1))
        case("log_softmax" + name, [("x", shape, "s")], lambda x: torch.log_softmax(x, -1))
    case("softmax_far", [("x", (3, 7), "s")], lambda x: torch.softmax(x * 64, -1))

    def entropy(name, weight=False, shape=(6, 5), **options):
        label = (shape[0],) + shape[2:]
        inputs = [("logits", shape, "s"), ("label", label, "L%d" % shape[1])] + ([("weight", (shape[1],), "P")] if weight else [])
        case("cross_entropy" + name, inputs, lambda x, label, *w: F.cross_entropy(x, label, *w, **options))

    entropy("")
    entropy("_sum", reduction="sum")
    entropy("_weight", weight=True)
    entropy("_weight_sum", weight=True, reduction="sum")
    entropy("_ignore", ignore_index=2)
    entropy("_smoothing", label_smoothing=0.125)
    entropy("_everything", weight=True, ignore_index=2, label_smoothing=0.125)
    entropy("_rank3", shape=(2, 4, 5))
    entropy("_rank3_everything", shape=(2, 4, 5), weight=True, ignore_index=1, label_smoothing=0.25)

    bce = F.binary_cross_entropy_with_logits
    pair = [("logits", (4, 3), "s"), ("target", (4, 3), "U")]
    case("bce", pair, bce)
    case("bce_sum", pair, lambda x, t: bce(x, t, reduction="sum"))
    case("bce_weight", pair + [("weight", (4, 1), "P")], lambda x, t, w: bce(x, t, weight=w))
    case("bce_pos_weight", pair + [("pos_weight", (3,), "P")], lambda x, t, p: bce(x, t, pos_weight=p))
    case("bce_everything", pair + [("weight", (3,), "P"), ("pos_weight", (3,), "P")],
         lambda x, t, w, p: bce(x, t, weight=w, pos_weight=p, reduction="sum"))
    case("bce_far", pair, lambda x, t: bce(x * 32, t))
    case("mse", [("x", (4, 3), "s"), ("target", (4, 3), "s")], F.mse_loss)
    case("mse_sum", [("x", (4, 3), "s"), ("target", (4, 3), "S")], lambda x, t: F.mse_loss(x, t, reduction="sum"))

    case("index_select", [("x", (4, 5, 3), "s"), ("index", (7,), "L5")], lambda x, i: torch.index_select(x, 1, i))
    case("index_select_last", [("x", (3, 6), "s"), ("index", (4,), "L6")], lambda x, i: torch.index_select(x, -1, i))
    case("embedding", [("index", (4, 6), "L7"), ("tok.weight", (7, 5), "s")], F.embedding)
    case("embedding_padding", [("index", (12,), "L4"), ("tok.weight", (4, 3), "s")], lambda i, w: F.embedding(i, w, padding_idx=-1))
    # Further cases belong at the end, because the numbers of a case depend on its place in the
    # list.
    case("matmul_batch", [("a", (3, 4, 5), "s"), ("b", (3, 5, 2), "s")], torch.matmul)
    case("matmul_broadcast", [("a", (2, 1, 4, 3), "s"), ("b", (3, 3, 5), "s")], torch.matmul)
    case("matmul_shared", [("a", (2, 3, 4), "s"), ("b", (4, 5), "s")], torch.matmul)
    case("matmul_row", [("a", (4,), "s"), ("b", (3, 4, 2), "s")], torch.matmul)
    case("matmul_column", [("a", (3, 2, 4), "s"), ("b", (4,), "s")], torch.matmul)
    case("matmul_dot", [("a", (6,), "s"), ("b", (6,), "s")], torch.matmul)
    case("matmul_ta", [("a", (2, 5, 3), "s"), ("b", (5, 4), "s")],
         lambda a, b: torch.matmul(a.transpose(-1, -2), b))
    case("matmul_tb", [("a", (3, 4), "s"), ("b", (2, 5, 4), "s")],
         lambda a, b: torch.matmul(a, b.transpose(-1, -2)))
    case("matmul_ta_tb", [("a", (2, 3, 4), "s"), ("b", (2, 5, 3), "s")],
         lambda a, b: torch.matmul(a.transpose(-1, -2), b.transpose(-1, -2)))


def optimizers():
    """Trains linear(4, 3) - tanh - linear(3, 2) under mse. Returns the parameters after the first and the last of 5 steps."""
    lines = []
    adam = dict(lr=0.05)
    for name, max_norm, make in [
            ("sgd", 0, lambda p: torch.optim.SGD(p, lr=0.1)),
            ("sgd_weight_decay", 0, lambda p: torch.optim.SGD(p, lr=0.1, weight_decay=0.25)),
            ("sgd_momentum", 0, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.875)),
            ("sgd_dampening", 0, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.875, dampening=0.5, weight_decay=0.125)),
            ("sgd_nesterov", 0, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.875, nesterov=True, weight_decay=0.125)),
            ("adam", 0, lambda p: torch.optim.Adam(p, **adam)),
            ("adam_weight_decay", 0, lambda p: torch.optim.Adam(p, weight_decay=0.25, **adam)),
            ("adam_betas", 0, lambda p: torch.optim.Adam(p, lr=0.05, betas=(0.75, 0.9375), eps=0.0078125)),
            ("adamw", 0, lambda p: torch.optim.AdamW(p, **adam)),
            ("adamw_weight_decay", 0, lambda p: torch.optim.AdamW(p, weight_decay=0.25, **adam)),
            ("sgd_clip", 0.5, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.875)),
            ("adamw_clip", 0.5, lambda p: torch.optim.AdamW(p, **adam)),
            ("sgd_clip_idle", 1024, lambda p: torch.optim.SGD(p, lr=0.1))]:
        parameters = [values(500 + i, shape).requires_grad_(True) for i, shape in enumerate([(3, 4), (3,), (2, 3), (2,)])]
        optimizer = make(parameters)
        numbers = []
        for step in range(5):
            x, target = values(600 + step, (6, 4)), values(700 + step, (6, 2))
            y = F.linear(torch.tanh(F.linear(x, parameters[0], parameters[1])), parameters[2], parameters[3])
            optimizer.zero_grad()
            F.mse_loss(y, target).backward()
            if max_norm:
                torch.nn.utils.clip_grad_norm_(parameters, max_norm)
            optimizer.step()
            for parameter in parameters if step in (0, 4) else []:
                numbers += parameter.detach().flatten().tolist()
        lines.append((name, numbers))
    return lines


HEAD = """\
/* Made by tests/golden/make_golden.py with PyTorch %s; not edited by hand. Values of every operation: y, then the gradient of
   sum(y * r) for every input that has one. Inputs and r come from golden_value. */
#ifndef GOLDEN_H
#define GOLDEN_H

enum { GOLDEN_COTANGENT = %d, GOLDEN_INPUTS = 5 };

typedef struct golden_input {
    const char *name; /* with a dot: a parameter that the operation makes itself */
    int seed, rank, extent[4];
    char kind;        /* s signed, p positive, u unit, t many ties; in capitals: without gradient; L: labels */
    int classes;
} golden_input;

typedef struct golden_case {
    const char *name;
    int inputs;
    golden_input input[GOLDEN_INPUTS];
    int rank, extent[4]; /* of y */
    int first, count;    /* in golden_numbers */
} golden_case;

static double golden_value(int seed, int i, char kind) {
    unsigned h = (unsigned)i * 2654435761u + (unsigned)seed * 40503u + 12345u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    switch (kind) {
        case 'p': case 'P': return ((double)(h %% 257u) + 16) / 64;
        case 'u': case 'U': return (double)(h %% 65u) / 64;
        case 't': case 'T': return (double)(h %% 5u) - 2;
        default: return ((double)(h %% 257u) - 128) / 64;
    }
}
"""


def extents(shape):
    return "{%s}" % ", ".join(str(extent) for extent in (tuple(shape) or (0,)))


def write(path):
    describe_operations()
    updates = optimizers()
    numbers, rows, update_rows = [], [], []
    for number, (name, inputs, shape, own) in enumerate(cases):
        texts = []
        for i, (input_name, input_shape, kind) in enumerate(inputs):
            texts.append("{\"%s\", %d, %d, %s, '%s', %s}" % (input_name, number * 10 + i, len(input_shape), extents(input_shape), kind[0],
                                                             kind[1:] or "0"))
        rows.append('    {"%s", %d, {%s}, %d, %s, %d, %d},' % (name, len(inputs), ", ".join(texts), len(shape), extents(shape), len(numbers),
                                                               len(own)))
        numbers += own
    for name, own in updates:
        update_rows.append('    {"%s", %d, %d},' % (name, len(numbers), len(own)))
        numbers += own
    with open(path, "w") as out:
        out.write(HEAD % (torch.__version__, COTANGENT))
        out.write("\nstatic const golden_case golden_cases[] = {\n" + "\n".join(rows) + "\n};\n")
        out.write("\n/* Parameters of linear - tanh - linear after the first and the fifth step. */\n")
        out.write("static const struct golden_update { const char *name; int first, count; } golden_updates[] = {\n")
        out.write("\n".join(update_rows) + "\n};\n\nstatic const double golden_numbers[] = {\n")
        for i in range(0, len(numbers), 10):
            out.write("    " + ",".join("%.9g" % n for n in numbers[i:i + 10]) + ",\n")
        out.write("};\n\n#endif\n")
    print("%s: %d cases, %d updates, %d numbers, %d bytes" % (path, len(cases), len(updates), len(numbers), os.path.getsize(path)))


if __name__ == "__main__":
    write(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.h"))
