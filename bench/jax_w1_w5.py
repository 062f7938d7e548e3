"""The work of bench/bench_w1_w5.c with JAX, whose whole step is compiled. It prints the same lines.

    jax_w1_w5.py threads seconds

The step takes and gives all parameters and moments, donated, so that XLA may write where they are. With one thread, the process
is bound to one core, because XLA uses all cores that it sees."""
import os
import sys
import time

threads, seconds = int(sys.argv[1]), float(sys.argv[2])
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402


def peak_kb():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def measure(name, work, inner=1):
    samples, clock = [], time.perf_counter
    start = clock()
    while clock() < start + seconds * 0.2:
        work()
    while len(samples) < 5 or (clock() < start + seconds and len(samples) < 4096):
        before = clock()
        for _ in range(inner):
            work()
        samples.append((clock() - before) * 1e6 / inner)
    samples.sort()
    print("%-24s %10.2f %10.2f %8d" % (name, samples[0], samples[len(samples) // 2], peak_kb()), flush=True)


def drawn(number, shape):
    bound = 1 / max(1, int(jnp.prod(jnp.array(shape[1:])))) ** 0.5
    return jax.random.uniform(jax.random.PRNGKey(number), shape, minval=-bound, maxval=bound)


def conv(p, x):
    y = lax.conv_general_dilated(x, p[0], (1, 1), "SAME", dimension_numbers=("NHWC", "OIHW", "NHWC"))
    return jax.nn.relu(y + p[1])


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def linear(p, x):
    return x @ p[0].T + p[1]


def layers(*shapes):
    return [(drawn(i, s), jnp.zeros(s[0])) for i, s in enumerate(shapes)]


def w1():
    return (layers((16, 3, 3, 3), (10, 16384)), (64, 64, 3), 10,
            lambda p, x: linear(p[1], pool(conv(p[0], x)).reshape(x.shape[0], -1)))


def w2():
    return (layers((32, 1, 3, 3), (64, 32, 3, 3), (128, 12544), (10, 128)), (28, 28, 1), 10,
            lambda p, x: linear(p[3], jax.nn.relu(linear(p[2], pool(conv(p[1], conv(p[0], x))).reshape(x.shape[0], -1)))))


def mlp(a, b, c, d):
    return (layers((b, a), (c, b), (d, c)), (a,), d,
            lambda p, x: linear(p[2], jax.nn.relu(linear(p[1], jax.nn.relu(linear(p[0], x))))))


def train(name, made, batch, adam, inner=1):
    p, shape, classes, net = made
    x = jax.random.uniform(jax.random.PRNGKey(99), (batch,) + shape) - 0.5
    label = jnp.arange(batch) % classes

    def loss(q):
        return -jnp.take_along_axis(jax.nn.log_softmax(net(q, x)), label[:, None], 1).mean()

    def step(state):
        q, first, second, count = state
        value, g = jax.value_and_grad(loss)(q)
        each = jax.tree_util.tree_map
        count = count + 1
        if not adam:
            first = each(lambda m, d: 0.9 * m + d, first, g)
            return (each(lambda w, m: w - 1e-4 * m, q, first), first, second, count), value
        first = each(lambda m, d: 0.9 * m + 0.1 * d, first, g)
        second = each(lambda v, d: 0.999 * v + 0.001 * d * d, second, g)
        rate, scale = 1e-4 / (1 - 0.9 ** count), 1 / (1 - 0.999 ** count)
        q = each(lambda w, m, v: w - rate * m / (jnp.sqrt(v * scale) + 1e-8), q, first, second)
        return (q, first, second, count), value

    zeros = jax.tree_util.tree_map(jnp.zeros_like, p)
    state = [(p, zeros, jax.tree_util.tree_map(jnp.zeros_like, p), jnp.float32(0))]
    compiled = jax.jit(step, donate_argnums=0)

    def work():
        state[0], value = compiled(state[0])
        value.block_until_ready()
    measure(name, work, inner)


def infer(name, made, inner):
    p, shape, _, net = made
    x = jax.random.uniform(jax.random.PRNGKey(99), (1,) + shape) - 0.5
    compiled = jax.jit(net)
    measure(name, lambda: compiled(p, x).block_until_ready(), inner)


print("# JAX %s, %d threads, NHWC" % (jax.__version__, threads), flush=True)
train("W1_train", w1(), 64, True)
train("W2_train", w2(), 64, True)
train("W3_train_adam", mlp(784, 256, 128, 10), 64, True)
train("W3_train_sgd", mlp(784, 256, 128, 10), 64, False)
infer("W4_infer", mlp(4, 64, 64, 2), 20)
train("W4_train_adam", mlp(4, 64, 64, 2), 32, True, 5)
train("W4_train_sgd", mlp(4, 64, 64, 2), 32, False, 5)
infer("W5_infer_w1", w1(), 5)
infer("W5_infer_w2", w2(), 2)
