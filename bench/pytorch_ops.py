"""The rows of bench_ops.c and those of PyTorch, alternately, in one run:

    python bench/pytorch_ops.py [threads [rounds [seconds [part of a name, or names with commas, or elements]]]]

BENCH_OPS: our program (build/bench/bench_ops). Microseconds of the fastest call of all rounds; the ratio is how many times
faster than PyTorch we are (above 1: faster), then the lowest and the highest ratio that a single round had: a row that is low in
one round only is noise. A backward row has all gradients of its operation. BENCH_CLOCK=cpu: time of the processes, for one
thread on a machine that others use too. BENCH_UNTIL: no row begins after this number of seconds. Last come the names of the rows
below
1 and of those that were not measured, with commas, so that they can be passed to another run."""
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
only = part.split(",") if "," in part else []
torch.set_num_threads(threads)
IMAGE = (64, 128, 32, 32)


def norm(channels, call, x=IMAGE):
    return x, [(channels,), (channels,)], call


def conv(n, c, k, h, taps, stride, padding, groups):
    return (n, c, h, h), [(k, c // groups, taps, taps), (k,)], lambda x, w, b: F.conv2d(x, w, b, stride, padding, 1, groups)


whole = {}


def below(limit, *shape):
    """Returns the same integers at each call."""
    if (limit, shape) not in whole:
        whole[limit, shape] = torch.randint(limit, shape)
    return whole[limit, shape]


FLAT, LOGITS = (1024, 4096), (4096, 1000)
POSITIVE = ["log", "log1p", "log2", "log10", "logit", "rsqrt", "sqrt", "pow"]
BOTH = ["xlogy", "bce", "kl_div", "poisson_nll_rate", "gaussian_nll"]  # every input is
FORWARD_ONLY = ["argmax_last", "cummax_last", "sort", "top_k_10", "scatter_add_last", "scatter_add_first", "permute_2", "permute_nhwc",
                "concat", "flip", "roll", "pad", "isnan", "isinf", "isfinite", "floor", "ceil", "round", "trunc", "sign", "remainder",
                "fmod", "heaviside", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "logical_and", "logical_or",
                "logical_xor", "logical_not", "offset", "add", "subtract", "frac", "addcmul", "addcdiv"]  # the last six: their gradient is
# dy itself
none = {"reduction": "none"}
# One number for each element, as in elements.h; gradients by x alone.
elements = {
    "relu": lambda x: F.relu(x), "leaky_relu": lambda x: F.leaky_relu(x), "square": lambda x: torch.square(x),
    "sigmoid": lambda x: torch.sigmoid(x), "tanh": lambda x: torch.tanh(x), "exp": lambda x: torch.exp(x),
    "log": lambda x: torch.log(x), "sqrt": lambda x: torch.sqrt(x), "abs": lambda x: torch.abs(x), "negate": lambda x: -x,
    "softplus": lambda x: F.softplus(x), "scale": lambda x: x * 1.7, "offset": lambda x: x + 1.7, "add": lambda x, w: x + w,
    "subtract": lambda x, w: x - w, "multiply": lambda x, w: x * w, "divide": lambda x, w: x / w,
    "maximum": lambda x, w: torch.maximum(x, w), "minimum": lambda x, w: torch.minimum(x, w),
    "reciprocal": lambda x: torch.reciprocal(x), "rsqrt": lambda x: torch.rsqrt(x), "expm1": lambda x: torch.expm1(x),
    "log1p": lambda x: torch.log1p(x), "log2": lambda x: torch.log2(x), "log10": lambda x: torch.log10(x),
    "exp2": lambda x: torch.exp2(x), "sinh": lambda x: torch.sinh(x), "cosh": lambda x: torch.cosh(x), "atan": lambda x: torch.atan(x),
    "logit": lambda x: torch.logit(x), "sinc": lambda x: torch.sinc(x), "frac": lambda x: torch.frac(x),
    "isnan": lambda x: torch.isnan(x), "isinf": lambda x: torch.isinf(x), "isfinite": lambda x: torch.isfinite(x),
    "sin": lambda x: torch.sin(x), "cos": lambda x: torch.cos(x), "tan": lambda x: torch.tan(x), "erf": lambda x: torch.erf(x),
    "floor": lambda x: torch.floor(x), "ceil": lambda x: torch.ceil(x), "round": lambda x: torch.round(x),
    "trunc": lambda x: torch.trunc(x), "sign": lambda x: torch.sign(x), "relu6": lambda x: F.relu6(x), "elu": lambda x: F.elu(x),
    "selu": lambda x: F.selu(x), "celu": lambda x: F.celu(x, 1.5), "silu": lambda x: F.silu(x), "mish": lambda x: F.mish(x),
    "hardsigmoid": lambda x: F.hardsigmoid(x), "hardswish": lambda x: F.hardswish(x), "hardtanh": lambda x: F.hardtanh(x, -0.5, 0.5),
    "softsign": lambda x: F.softsign(x), "logsigmoid": lambda x: F.logsigmoid(x), "tanhshrink": lambda x: F.tanhshrink(x),
    "softshrink": lambda x: F.softshrink(x), "hardshrink": lambda x: F.hardshrink(x), "threshold": lambda x: F.threshold(x, 0.1, 0.2),
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "clamp": lambda x: torch.clamp(x, -0.5, 0.5),
    "clamp_min": lambda x: torch.clamp_min(x, -0.5), "clamp_max": lambda x: torch.clamp_max(x, 0.5), "pow": lambda x, w: torch.pow(x, w),
    "pow_2.5": lambda x: torch.pow(torch.abs(x), 2.5), "atan2": lambda x, w: torch.atan2(x, w),
    "remainder": lambda x, w: torch.remainder(x, w), "fmod": lambda x, w: torch.fmod(x, w), "fmax": lambda x, w: torch.fmax(x, w),
    "fmin": lambda x, w: torch.fmin(x, w), "logaddexp": lambda x, w: torch.logaddexp(x, w), "xlogy": lambda x, w: torch.xlogy(x, w),
    "heaviside": lambda x, w: torch.heaviside(x, w), "hypot": lambda x, w: torch.hypot(x, w), "less": lambda x, w: x < w,
    "less_equal": lambda x, w: x <= w, "greater": lambda x, w: x > w, "greater_equal": lambda x, w: x >= w,
    "equal": lambda x, w: x == w, "not_equal": lambda x, w: x != w, "logical_and": lambda x, w: torch.logical_and(x, w),
    "logical_or": lambda x, w: torch.logical_or(x, w), "logical_xor": lambda x, w: torch.logical_xor(x, w),
    "logical_not": lambda x: torch.logical_not(x), "where": lambda x, w, m: torch.where(m > 0, x, w),
    "masked_fill": lambda x, w: x.masked_fill(w > 0, 0.5), "nan_to_num": lambda x: torch.nan_to_num(x),
    "lerp": lambda x, w, m: torch.lerp(x, w, m), "addcmul": lambda x, w, m: torch.addcmul(x, w, m, value=0.5),
    "addcdiv": lambda x, w, m: torch.addcdiv(x, w, m, value=0.5), "squared_difference": lambda x, w: F.mse_loss(x, w, **none),
    "huber": lambda x, w: F.huber_loss(x, w, delta=0.5, **none), "prelu": lambda x, w: torch.where(x > 0, x, w * x),
    "l1": lambda x, w: F.l1_loss(x, w, **none), "smooth_l1": lambda x, w: F.smooth_l1_loss(x, w, **none),
    "bce": lambda x, w: F.binary_cross_entropy(x, w, **none),
    "bce_with_logits": lambda x, w: F.binary_cross_entropy_with_logits(x, w, **none), "kl_div": lambda x, w: F.kl_div(x, w, **none),
    "kl_div_log": lambda x, w: F.kl_div(x, w, log_target=True, **none), "poisson_nll": lambda x, w: F.poisson_nll_loss(x, w, **none),
    "poisson_nll_rate": lambda x, w: F.poisson_nll_loss(x, w, log_input=False, **none),
    "gaussian_nll": lambda x, w, m: F.gaussian_nll_loss(x, w, m, **none),
    "hinge_embedding": lambda x, w: F.hinge_embedding_loss(x, w, **none),
    "margin_ranking": lambda x, w, m: F.margin_ranking_loss(x, w, m, margin=0.1, **none),
    "soft_margin": lambda x, w: F.soft_margin_loss(x, w, **none),
    "soft_margins": lambda x, w: -(w * F.logsigmoid(x) + (1 - w) * F.logsigmoid(-x)),
    "chain_residual": lambda x, w: F.relu(1.7 * x + w), "chain_gate": lambda x, w, m: torch.sigmoid(x) * w + m,
    "chain_clip": lambda x, w, m: torch.clamp(x * w - m, -0.5, 0.5)}
mean, var = torch.zeros(128), torch.ones(128)
def attention(n, h, length, keys, width, causal=True):
    return (n, h, length, width), [(n, h, keys, width)] * 2, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal)


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
    **{name: (FLAT, [FLAT] * (call.__code__.co_argcount - 1), call) for name, call in elements.items()},
    "rms_norm": ((4096, 768), [(768,)], lambda x, w: F.rms_norm(x, (768,), w)),
    "instance_norm": norm(128, lambda x, w, b: F.instance_norm(x, None, None, w, b)),
    "attention_12x4x64": attention(12, 4, 64, 64, 32),
    "attention_8x8x256": attention(8, 8, 256, 256, 64),
    "attention_1x12x1024": attention(1, 12, 1024, 1024, 64),
    "attention_full_1x12x1024": attention(1, 12, 1024, 1024, 64, False),
    "attention_one_1x12x1024": attention(1, 12, 1, 1024, 64, False),
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
    "matmul_512": ((512, 512), [(512, 512)], lambda x, w: x @ w),
    "matmul_batched": ((64, 128, 64), [(64, 64, 128)], lambda x, w: x @ w),
    "linear": ((256, 1024), [(1024, 1024), (1024,)], F.linear),
    "ctc_loss": ((50, 32, 40), [], lambda x: F.ctc_loss(x, below(39, 32, 10), [50] * 32, [10] * 32, 39, "none")),
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
    """Returns the call that a row times."""
    x, parameters, call = rows[name]
    inputs = [torch.rand(shape) * 2 - 1 for shape in [x] + parameters]
    for t in inputs[:1] if name in POSITIVE else inputs if name in BOTH else []:
        t.abs_()
    if not back:
        return torch.no_grad()(lambda: call(*inputs))
    wanted = inputs[:1] if name in elements else inputs
    for t in wanted:
        t.requires_grad_()
    y = call(*inputs)
    dy = torch.rand_like(y)
    # PyTorch's gradient of a sum is a view of dy until something reads it. Ours is written, so
    # PyTorch's is written here, too.
    return lambda: [g.contiguous() for g in torch.autograd.grad(y, wanted, dy, retain_graph=True)]


# The numbers that memory-limited rows read: tensors of 4 million numbers; each row writes one.
# Gradients read x, the other operands and dy, except for these.
LIGHT = ("relu leaky_relu square sqrt abs negate scale offset add subtract multiply divide maximum minimum reciprocal frac isnan isfinite "
         "floor ceil round trunc sign relu6 hardsigmoid hardswish hardtanh softshrink hardshrink threshold clamp clamp_min clamp_max less "
         "less_equal greater greater_equal equal not_equal logical_and logical_or logical_xor logical_not where masked_fill nan_to_num "
         "lerp addcmul squared_difference huber l1 smooth_l1 margin_ranking chain_residual chain_clip prelu").split()
LIGHT_BACK = ("relu leaky_relu square sigmoid tanh exp sqrt abs negate scale multiply maximum minimum rsqrt expm1 exp2 tan relu6 hardsigmoid "
              "hardtanh softshrink hardshrink threshold clamp clamp_min clamp_max where masked_fill nan_to_num lerp squared_difference "
              "huber l1 smooth_l1 prelu chain_residual chain_clip").split()
READS_BACK = {"negate": 1, "scale": 1, "multiply": 2, "where": 2, "masked_fill": 2, "lerp": 2}
READ_ONLY = ["sum_last", "sum_first", "amax_last", "amax_first", "prod_last", "norm_last", "global_avg_pool", "mean_channels"]
MILLIONS = {"global_avg_pool": 8.388608, "mean_channels": 8.388608}  # millions of numbers read, if not 4.096


def reads(name, back):
    """Returns the number of tensors that a memory-limited row reads. None: the row computes more,
    or has another size."""
    if not back and name in READ_ONLY:
        return 0
    if name not in elements or name not in (LIGHT_BACK if back else LIGHT):
        return None
    arguments = elements[name].__code__.co_argcount
    return READS_BACK.get(name, arguments + 1) if back else arguments


program = os.environ.get("BENCH_OPS", "build/bench/bench_ops")
if part == "elements":
    only = [name + back for name in elements for back in ["", "_backward"]]
ours = subprocess.Popen([program, str(threads), str(seconds), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

def mine(row):
    print(row, file=ours.stdin, flush=True)
    return float(ours.stdout.readline().split()[1])


# The plain passes of bandwidth.h: the time that the memory needs for the numbers of a row.
passes = [min(mine(f"memory_{n}{past}") for past in (["", "_past"] if n else [""]) for _ in range(max(rounds, 3))) for n in range(4)]
print(f"Microseconds, {threads} thread(s), PyTorch {torch.__version__}. A plain pass over 4 million floats that reads 1: "
      f"{passes[0]:.0f}; reads 1 and writes 1: {passes[1]:.0f}; 2 and 1: {passes[2]:.0f}; 3 and 1: {passes[3]:.0f}\n\n"
      "| operation | ours | PyTorch | PyTorch / ours | of single rounds | pass / ours |\n| --- | --- | --- | --- | --- | --- |")
below_one, not_had, until = [], [], time.monotonic() + float(os.environ.get("BENCH_UNTIL", "1e9"))
for name in rows:
    for back in [False, True]:
        row = name + ("_backward" if back else "")
        if back and name in FORWARD_ONLY or not (row in only if only else part in row):
            continue
        if time.monotonic() > until:
            not_had.append(row)
            continue
        a, b, call = [], [], theirs(name, back)
        for _ in range(rounds):
            time.sleep(0.02)  # PyTorch's threads spin for a while
            a.append(mine(row))
            b.append(least(call))
        turns = [y / x for x, y in zip(a, b)]
        share, n = "", reads(name, back)
        if n is not None and n < len(passes):
            size = MILLIONS.get(name, 4.096) / 4.194304 if n == 0 else 1
            share = f"{passes[n] * size / min(a):.2f}"
        print(f"| {row} | {min(a):.0f} | {min(b):.0f} | {min(b) / min(a):.2f} | {min(turns):.2f} to {max(turns):.2f} | {share} |", flush=True)
        if min(b) < min(a):
            below_one.append(row)
print(f"\nBelow 1: {','.join(below_one)}\nNot measured: {','.join(not_had)}")
ours.stdin.close()
ours.wait()
