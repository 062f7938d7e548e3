#!/usr/bin/env python3
"""Prints the share of multiply-adds (on matrix units: of their instructions) in the loop of a kernel, as a compiler made it.

  python3 tools/kernel_share.py file.s kernel trips      AMD's assembly (clang -S)
  python3 tools/kernel_share.py file.asm kernel trips dg2     Intel's assembly (of one kernel, dumped by IGC)
  python3 tools/kernel_share.py file.ptx kernel trips chip    NVIDIA's, through $PTXAS and $NVDISASM (default: those of PATH)

trips: how often the loop that multiplies runs in one turn of the loop around it, which fetches; a fraction where only
some of the work-items multiply. The share is in percent: on AMD of the vector instructions, because the others issue beside
them (a packed one counts as two), on NVIDIA of all instructions."""
from fractions import Fraction
import os
import re
import subprocess
import sys
import tempfile


def amd(path, kernel):
    lines, on = [], False
    for line in open(path):
        if line.startswith(kernel + ":"):
            on = True
        elif on and line.startswith("\t.section"):
            break
        elif on:
            lines.append(line)
    return lines, r"^(\.LBB\w+):", r"^\t([a-z]\w+)(.*)", r"s_c?branch", r"(\.LBB\w+)"


def nvidia(path, kernel, chip):
    with tempfile.NamedTemporaryFile(suffix=".cubin") as made:
        subprocess.run([os.environ.get("PTXAS", "ptxas"), "-arch=" + chip, path, "-o", made.name], check=True)
        text = subprocess.run([os.environ.get("NVDISASM", "nvdisasm"), "-c", made.name], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    lines, on = [], False
    for line in text.splitlines():
        if re.match(r"\s*\.section\s", line):
            on = ".text." + kernel + "," in line
        elif on:
            lines.append(line)
    return lines, r"^(\.L_x_\d+):", r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+ )?\s*([A-Z][\w.]*)(.*)", r"BRA", r"`\((\.L_x_\d+)\)"


def intel(path):
    lines = [line for line in open(path) if not line.startswith("//")]
    return lines, r"^(\w+):", r"^(?:\([^)]*\))?\s+([a-z][\w.]*)(.*)", r"while|jmpi|goto", r"\b(_\w+|L\d+)"


def loops(lines, label, instruction, branch, target):
    """Returns the instructions in order, and (first, last) of each loop: a jump back and where it goes."""
    code, labels, found = [], {}, []
    for line in lines:
        at = re.match(label, line.strip() if line.startswith(".L") else line)
        if at:
            labels[at.group(1)] = len(code)
            continue
        op = re.match(instruction, line)
        if op:
            code.append((op.group(1), op.group(2)))
    for i, (op, rest) in enumerate(code):
        to = re.search(target, rest) if re.match(branch, op) else None
        if to and labels.get(to.group(1), i + 1) <= i:
            found.append((labels[to.group(1)], i))
    return [op for op, _ in code], found


def on_units(op):
    return op.startswith(("HMMA", "v_mfma", "v_wmma", "dpas"))


def share(ops, on_amd):
    useful = all_of_them = 0
    for op in ops:
        packed = op.startswith("v_pk_fma")
        multiplies = packed or re.match(r"v_(fma|fmac|mac|mad)_(legacy_)?f32", op) or op.startswith("FFMA")
        multiplies = multiplies or on_units(op)
        useful += 2 if packed else 1 if multiplies else 0
        if op.startswith("v_") or not on_amd:
            all_of_them += 0 if op == "NOP" else 2 if packed else 1
    return useful, all_of_them


def main():
    path, kernel, trips = sys.argv[1], sys.argv[2], float(Fraction(sys.argv[3]))
    on_amd = len(sys.argv) < 5
    chip = "" if on_amd else sys.argv[4]
    code, found = loops(*(amd(path, kernel) if on_amd else intel(path) if chip == "dg2" else nvidia(path, kernel, chip)))
    if not found:
        sys.exit(f"{kernel}: no loop")
    innermost = [a for a in found if not any(a[0] <= b[0] and b[1] <= a[1] and a != b for b in found)]
    if any(on_units(op) for op in code): # the loop with most of them: others do the last turns
        inner = max(innermost, key=lambda loop: sum(on_units(op) for op in code[loop[0]:loop[1] + 1]))
    else:
        inner = max(found, key=lambda loop: share(code[loop[0]:loop[1] + 1], on_amd)[0] / (loop[1] - loop[0] + 1))
    around = [loop for loop in found if loop[0] <= inner[0] and inner[1] <= loop[1] and loop != inner]
    useful, of = (trips * n for n in share(code[inner[0]:inner[1] + 1], on_amd))
    if around:
        first, last = min(around, key=lambda loop: loop[1] - loop[0])
        more = share(code[first:inner[0]] + code[inner[1] + 1:last + 1], on_amd)
        useful, of = useful + more[0], of + more[1]
    print(f"{100.0 * useful / of:.1f}")


main()
