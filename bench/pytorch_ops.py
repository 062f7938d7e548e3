"""The rows of bench_ops.c beside PyTorch's, in turns, in one run:

    python bench/pytorch_ops.py [threads [rounds [seconds [part of a name]]]]

BENCH_OPS: our program (build/bench/bench_ops). Microseconds of the fastest call of all rounds; the ratio is how many times
faster than PyTorch we are (above 1: faster). A backward row has all gradients of its operation. BENCH_CLOCK=cpu: time of the
processes, for one thread on a machine that others use too."""
import os
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

threads = int(sys.argv[1]) if len(sys.argv) > 1 else torch.get_num_threads()
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.2
clock = time.process_time if "BENCH_CLOCK" in os.environ else time.perf_counter
part = sys.argv[4] if len(sys.argv) > 4 else ""
torch.set_num_threads(threads)
IMAGE = (64, 128, 32, 32)


def norm(channels, call, x=IMAGE):
    return x, [(channels,), (channels,)], call


def conv(n, c, k, h, taps, stride, padding, groups):
    return (n, c, h, h), [(k, c // groups, taps, taps), (k,)], lambda x, w, b: F.conv2d(x, w, b, stride, padding, 1, groups)


whole = {}


def below(limit, *shape):
    """The same whole numbers at each call."""
    if (limit, shape) not in whole:
        whole[limit, shape] = torch.randint(limit, shape)
    return whole[limit, shape]


FLAT, LOGITS = (1024, 4096), (4096, 1000)
POSITIVE = ["log", "log1p", "sqrt", "pow"]
FORWARD_ONLY = ["remainder", "argmax_last", "cummax_last", "sort", "top_k_10", "scatter_add_last", "scatter_add_first", "permute_2",
                "permute_nhwc", "concat", "flip", "roll", "pad"]
FIRST_ONLY = ["multiply", "divide", "maximum", "pow", "atan2", "hypot", "smooth_l1", "bce_with_logits"]  # gradients, as ours
mean, var = torch.zeros(128), torch.ones(128)
rows = {
    "batch_norm_train": norm(128, lambda x, w, b: F.batch_norm(x, None, None, w, b, True)),
    "batch_norm_eval": norm(128, lambda x, w, b: F.batch_norm(x, mean, var, w, b, False)),
    "layer_norm": norm(768, lambda x, w, b: F.layer_norm(x, (768,), w, b), (4096, 768)),
    "group_norm": norm(128, lambda x, w, b: F.group_norm(x, 32, w, b)),
    "max_pool_2": (IMAGE, [], lambda x: F.max_pool2d(x, 2)),
    "max_pool_3_2_1": (IMAGE, [], lambda x: F.max_pool2d(x, 3, 2, 1)),
    "avg_pool_2": (IMAGE, [], lambda x: F.avg_pool2d(x, 2)),
    "avg_pool_3_1_1": (IMAGE, [], lambda x: F.avg_pool2d(x, 3, 1, 1)),
    "adaptive_avg_pool_7": (IMAGE, [], lambda x: F.adaptive_avg_pool2d(x, 7)),
    "softmax": ((4096, 1000), [], lambda x: F.softmax(x, 1)),
    "chain": ((1024, 4096), [], lambda x: torch.maximum(x * torch.sigmoid(1.7 * x), 0.1 * x) + 0.5 * torch.tanh(x)),
    "gelu": ((1024, 4096), [], F.gelu),
    **{name: (FLAT, [], call) for name, call in {
        "relu": F.relu, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "exp": torch.exp, "log": torch.log, "log1p": torch.log1p,
        "sqrt": torch.sqrt, "expm1": torch.expm1, "erf": torch.erf, "sin": torch.sin, "cos": torch.cos, "tan": torch.tan,
        "softplus": F.softplus, "elu": F.elu, "selu": F.selu, "silu": F.silu, "mish": F.mish, "hardswish": F.hardswish,
        "hardsigmoid": F.hardsigmoid, "logsigmoid": F.logsigmoid, "softsign": F.softsign,
        "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "clamp": lambda x: torch.clamp(x, -0.5, 0.5)}.items()},
    **{name: (FLAT, [FLAT], call) for name, call in {
        "multiply": torch.mul, "divide": torch.div, "maximum": torch.maximum, "pow": torch.pow, "atan2": torch.atan2,
        "remainder": torch.remainder, "hypot": torch.hypot,
        "smooth_l1": lambda x, w: F.smooth_l1_loss(x, w, reduction="none"),
        "bce_with_logits": lambda x, w: F.binary_cross_entropy_with_logits(x, w, reduction="none")}.items()},
    "rms_norm": ((4096, 768), [(768,)], lambda x, w: F.rms_norm(x, (768,), w)),
    "instance_norm": norm(128, lambda x, w, b: F.instance_norm(x, None, None, w, b)),
    "log_softmax": (LOGITS, [], lambda x: F.log_softmax(x, 1)),
    "cross_entropy": (LOGITS, [], lambda x: F.cross_entropy(x, below(1000, 4096), reduction="none")),
    "sum_last": (LOGITS, [], lambda x: x.sum(1)),
    "sum_first": (LOGITS, [], lambda x: x.sum(0)),
    "mean_channels": (IMAGE, [], lambda x: x.mean((0, 2, 3))),
    "amax_last": (LOGITS, [], lambda x: x.amax(1)),
    "amax_first": (LOGITS, [], lambda x: x.amax(0)),
    "prod_last": (LOGITS, [], lambda x: x.prod(1)),
    "var_last": (LOGITS, [], lambda x: x.var(1)),
    "norm_last": (LOGITS, [], lambda x: torch.linalg.vector_norm(x, dim=1)),
    "logsumexp_last": (LOGITS, [], lambda x: torch.logsumexp(x, 1)),
    "argmax_last": (LOGITS, [], lambda x: x.argmax(1)),
    "cumsum_last": (LOGITS, [], lambda x: x.cumsum(1)),
    "cumsum_first": (LOGITS, [], lambda x: x.cumsum(0)),
    "cumprod_last": (LOGITS, [], lambda x: x.cumprod(1)),
    "logcumsumexp_last": (LOGITS, [], lambda x: torch.logcumsumexp(x, 1)),
    "cummax_last": (LOGITS, [], lambda x: torch.cummax(x, 1)[0]),
    "sort": (LOGITS, [], lambda x: torch.sort(x, dim=1, stable=True)[0]),
    "top_k_10": (LOGITS, [], lambda x: torch.topk(x, 10, 1)[0]),
    "gather_last": (LOGITS, [], lambda x: x.gather(1, below(1000, *LOGITS))),
    "gather_first": (LOGITS, [], lambda x: x.gather(0, below(4096, *LOGITS))),
    "scatter_add_last": (LOGITS, [LOGITS], lambda x, w: x.scatter_add(1, below(1000, *LOGITS), w)),
    "scatter_add_first": (LOGITS, [LOGITS], lambda x, w: x.scatter_add(0, below(4096, *LOGITS), w)),
    "embedding": ((30000, 256), [], lambda x: F.embedding(below(30000, 8192), x)),
    "permute_2": ((2048, 2048), [], lambda x: x.t().contiguous()),
    "permute_nhwc": (IMAGE, [], lambda x: x.permute(0, 2, 3, 1).contiguous()),
    "concat": ((32, 64, 32, 32), [(32, 64, 32, 32)], lambda x, w: torch.cat([x, w], 1)),
    "flip": (IMAGE, [], lambda x: torch.flip(x, (3,))),
    "roll": (IMAGE, [], lambda x: torch.roll(x, 5, 1)),
    "pad": (IMAGE, [], lambda x: F.pad(x, (1, 1, 1, 1))),
    "resize_nearest_64": ((8, 64, 32, 32), [], lambda x: F.interpolate(x, size=(64, 64))),
    "resize_cubic_64": ((8, 64, 32, 32), [], lambda x: F.interpolate(x, size=(64, 64), mode="bicubic")),
    "resize_linear_20": ((8, 64, 64, 64), [], lambda x: F.interpolate(x, size=(20, 20), mode="bilinear")),
    "resize_antialias_20": ((8, 64, 64, 64), [], lambda x: F.interpolate(x, size=(20, 20), mode="bilinear", antialias=True)),
    "adaptive_max_pool_7": (IMAGE, [], lambda x: F.adaptive_max_pool2d(x, 7)),
    "global_avg_pool": (IMAGE, [], lambda x: F.adaptive_avg_pool2d(x, 1)),
    **{"grid_sample_" + ours: ((8, 64, 32, 32), [(8, 32, 32, 2)],
                               lambda x, w, mode=mode: F.grid_sample(x, w, mode=mode, align_corners=False))
       for ours, mode in [("linear", "bilinear"), ("nearest", "nearest"), ("cubic", "bicubic")]},
    "resize_linear_2": ((8, 64, 32, 32), [], lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")),
    "depthwise_3_56": conv(8, 144, 144, 56, 3, 1, 1, 144),
    "depthwise_3_s2_112": conv(8, 96, 96, 112, 3, 2, 1, 96),
    "depthwise_3_14": conv(8, 576, 576, 14, 3, 1, 1, 576),
    "depthwise_5_28": conv(8, 240, 240, 28, 5, 1, 2, 240),
    "depthwise_7_56": conv(8, 96, 96, 56, 7, 1, 3, 96),
    "depthwise_7_14": conv(8, 384, 384, 14, 7, 1, 3, 384),
    "conv_3_s2": conv(32, 64, 128, 32, 3, 2, 1, 1),
    "conv_7_s2": conv(8, 3, 64, 224, 7, 2, 3, 1),
    "vector_matrix": ((1, 4096), [(4096, 4096)], lambda x, w: x @ w),
}


def least(call):
    call()
    best, end, calls = 1e9, clock() + seconds, 0
    while calls < 3 or clock() < end:
        start = clock()
        call()
        best = min(best, clock() - start)
        calls += 1
    return best * 1e6


def theirs(name, back):
    x, parameters, call = rows[name]
    inputs = [torch.rand(shape) * 2 - 1 for shape in [x] + parameters]
    if name in POSITIVE:
        inputs[0].abs_()
    if not back:
        with torch.no_grad():
            return least(lambda: call(*inputs))
    wanted = inputs[:1] if name in FIRST_ONLY else inputs
    for t in wanted:
        t.requires_grad_()
    y = call(*inputs)
    dy = torch.rand_like(y)
    return least(lambda: torch.autograd.grad(y, wanted, dy, retain_graph=True))


program = os.environ.get("BENCH_OPS", "build/bench/bench_ops")
ours = subprocess.Popen([program, str(threads), str(seconds), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(f"Microseconds, {threads} thread(s), PyTorch {torch.__version__}\n\n| operation | ours | PyTorch | PyTorch / ours |\n"
      "| --- | --- | --- | --- |")
for name in rows:
    for back in [False, True]:
        row = name + ("_backward" if back else "")
        if part not in row or back and name in FORWARD_ONLY:
            continue
        a = b = 1e9
        for _ in range(rounds):
            time.sleep(0.02)  # PyTorch's threads spin for a while
            print(row, file=ours.stdin, flush=True)
            a = min(a, float(ours.stdout.readline().split()[1]))
            b = min(b, theirs(name, back))
        print(f"| {row} | {a:.0f} | {b:.0f} | {b / a:.2f} |", flush=True)
ours.stdin.close()
ours.wait()
