"""Weights and images as formulas of their names and positions; tests/whole/nets.h has them in C."""
import numpy as np


def name_hash(name):
    """Returns the FNV-1a hash of a name."""
    h = 2166136261
    for byte in name.encode():
        h = (h ^ byte) * 16777619 & 0xffffffff
    return h


def words(name, count):
    """Returns a hash of each position, by the finalizer of MurmurHash3."""
    with np.errstate(over="ignore"):
        h = np.arange(count, dtype=np.uint32) * np.uint32(2654435769) ^ np.uint32(name_hash(name))
        for shift, factor in ((16, 2246822507), (13, 3266489909)):
            h = (h ^ (h >> np.uint32(shift))) * np.uint32(factor)
        return h ^ (h >> np.uint32(16))


def uniform(name, shape):
    """Returns numbers in [-1, 1) that are exact in float32."""
    return ((words(name, int(np.prod(shape))) >> np.uint32(8)) / 2.0 ** 23 - 1).reshape(shape)


def value(name, shape):
    """Returns the numbers of a parameter or a buffer as float32."""
    u = uniform(name, shape)
    if len(shape) > 1:
        u = u * np.sqrt(3.0 / np.prod(shape[1:]))
    elif name.endswith("running_var"):
        u = 1 + 0.5 * u
    elif name.endswith(".weight"):
        u = 1 + 0.25 * u
    else:
        u = 0.125 * u
    return u.astype(np.float32)
