"""Makes tests/golden/names.h: every name of torch.nn, torch.nn.functional, torch.optim, its schedulers and torch.nn.init, and
every name of torch that the catalogue has, with ours (tests/golden/names.txt), and the defaults of PyTorch's arguments.

    python tests/golden/names.py          (any PyTorch from 2.0 on; run in the repository's root)

A name of PyTorch without a line in names.txt is an error, and so is a line with a name that PyTorch
does not have. tests/ops/test_names.c checks that ours are in nn.h and that the defaults in the
comments of our structs are PyTorch's.
"""
import inspect
import os
import re

import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
SKIP = {"assert_int_or_pair", "boolean_dispatch", "handle_torch_function", "has_torch_function", "has_torch_function_unary",
        "has_torch_function_variadic", "native_channel_shuffle", "grouped_mm", "scaled_addmm", "scaled_grouped_mm", "scaled_mm",
        "upsample_bilinear", "upsample_nearest"}
RENAMED = {"eps": "epsilon", "lr": "learning_rate", "lr_decay": "learning_rate_decay", "ns_steps": "newton_schulz_steps"}


def public(module, wanted):
    return [name for name in sorted(dir(module)) if not name.startswith("_") and wanted(name, getattr(module, name))]


def is_class(base):
    return lambda name, thing: inspect.isclass(thing) and issubclass(thing, base) and thing is not base


def names():
    found = {}
    for name in public(torch.nn, lambda n, t: inspect.isclass(t) and issubclass(t, torch.nn.Module)):
        if not name.startswith("Lazy"):
            found["nn." + name] = getattr(torch.nn, name)
    for name in public(F, lambda n, t: callable(t) and n[0].islower() and not inspect.isclass(t)):
        if not name.endswith("_") and not name.endswith("_with_indices") and name not in SKIP:
            found["F." + name] = getattr(F, name)
    for name in public(torch.optim, is_class(torch.optim.Optimizer)):
        found["optim." + name] = getattr(torch.optim, name)
    for name in public(torch.optim.lr_scheduler, is_class(torch.optim.lr_scheduler.LRScheduler)):
        found["lr_scheduler." + name] = getattr(torch.optim.lr_scheduler, name)
    for name in public(torch.nn.init, lambda n, t: n.endswith("_")):
        found["init." + name] = getattr(torch.nn.init, name)
    return found


def lines():
    """Returns {name: (kind, text)}."""
    table, absent = {}, {}
    with open(os.path.join(HERE, "names.txt")) as text:
        for line in text:
            match = re.match(r"(\S+) ([:=~-]) (.*\S)\s*$", line)
            if line.strip() and not line.startswith("#"):
                assert match, line
                to = absent if match.group(2) == "~" else table
                assert match.group(1) not in to, match.group(1) + " has two lines"
                to[match.group(1)] = match.group(3) if to is absent else (match.group(2), match.group(3))
    return table, absent


def defaults(thing):
    """Returns {argument: default} for each default that is a number, a bool or a word."""
    try:
        given = inspect.signature(thing).parameters.values()
    except ValueError:
        return {}
    found = {}
    for one in given:
        if one.name == "betas":
            found["beta1"], found["beta2"] = one.default
        elif one.name == "etas":
            found["etaminus"], found["etaplus"] = one.default
        elif one.name == "step_sizes":
            found["step_size_min"], found["step_size_max"] = one.default
        elif isinstance(one.default, torch.Tensor) and one.default.numel() == 1:
            found[one.name] = one.default.item()
        elif isinstance(one.default, (bool, int, float, str)):
            found[one.name] = one.default
    return found


def quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


def row(*parts):
    """Returns a line of a table, or two lines if one would be too long."""
    line = "    {" + ", ".join(parts) + "},"
    if len(line) <= 100:
        return line
    cut = len(parts) // 2
    return "    {" + ", ".join(parts[:cut]) + ",\n     " + ", ".join(parts[cut:]) + "},"


def main():
    found, (table, absent) = names(), lines()
    # the names of torch itself are listed by hand
    for name in table:
        if "." not in name:
            found[name] = getattr(torch, name)
        elif name.startswith("utils."):
            found[name] = getattr(torch.nn.utils, name[6:])
    missing, unknown = sorted(set(found) - set(table)), sorted(set(table) - set(found))
    assert not missing and not unknown, "no line: %s; not in PyTorch: %s" % (missing, unknown)
    rows, compared = [], []
    for name, (kind, text) in table.items():
        if kind != ":":
            rows.append(row(quoted(name), "NULL", quoted(("made of: " if kind == "=" else "not: ") + text), "NULL"))
            continue
        parts = [part.strip() for part in text.split(",")]
        planned = parts[0].endswith("?")
        rows.append(row(quoted(name), quoted(parts[0].rstrip("?")), quoted("not: not yet") if planned else "NULL",
                        quoted(parts[1]) if len(parts) > 1 else "NULL"))
        if len(parts) < 2:
            continue
        fields = dict(part.split("=") for part in parts[2:])
        for argument, value in defaults(found[name]).items():
            field = fields.get(argument, RENAMED.get(argument, argument))
            if field.startswith("!"):
                field, value = field[1:], not value
            desc, field = field.split(".") if "." in field else (parts[1], field)
            word = quoted(value) if isinstance(value, str) else "NULL"
            number = 0 if isinstance(value, str) else float(value)
            compared.append(row(quoted(name + "." + argument), quoted(desc), quoted(field), quoted(parts[0]), "%.9g" % number,
                                word))
    with open(os.path.join(HERE, "names.h"), "w") as out:
        out.write("/* Made by tests/golden/names.py from names.txt and PyTorch %s; not edited by hand. */\n" %
                  torch.__version__.split("+")[0])
        out.write("static const struct golden_name {\n    const char *torch, *ours, *instead, *desc;\n} golden_names[] = {\n%s\n};\n" %
                  "\n".join(rows))
        out.write("\n/* argument, our struct and its field, our name, default as a number or as a word */\n"
                  "static const struct golden_default {\n    const char *argument, *desc, *field, *ours;\n    double number;\n"
                  "    const char *word;\n} golden_defaults[] = {\n%s\n};\n" % "\n".join(compared))
        out.write("\n/* arguments that have no field: of one name, or of all */\n"
                  "static const struct golden_absent {\n    const char *argument, *why;\n} golden_absent[] = {\n%s\n};\n" %
                  "\n".join(row(quoted(name), quoted(why)) for name, why in absent.items()))
    print("%d names, %d defaults" % (len(rows), len(compared)))


main()
