#!/usr/bin/env python3
"""tools/coverage.py - prints the lines and branches that the tests reach, by room, from what gcov says.

    tools/coverage.py FOLDER [--floor LINES BRANCHES] [--missing ROOM]

FOLDER holds *.gcda and *.gcno of the library, built from src/ by `tools/test_full.sh coverage`. Rooms with a floor
(base device graph plan model train) must reach it; lines and branches that tests/unreached.txt names, with a reason, do
not count. A line there is "FILE: TEXT: REASON": the lines of FILE that contain TEXT, or with "TEXT {" all lines of the
block that begins there. --missing prints what is not reached in a room or a file. Ends with 1 if a floor is missed, or
if an entry of the list names nothing or was reached."""
import argparse
import gzip
import json
import os
import re
import subprocess
import sys

FLOORS = ("base", "device", "graph", "plan", "model", "train")


def read_gcov(folder):
    """Returns {file: {line: [count, [branch counts]]}}, added up over all objects of the folder. Objects may
    compile a line of an inline function to different numbers of branches; the list then has the branches of each number once."""
    files = {}
    notes = [name for name in os.listdir(folder) if name.endswith(".gcda")]
    for note in notes:
        subprocess.run(["gcov", "--json-format", "--branch-probabilities", note], cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    for name in os.listdir(folder):
        if not name.endswith(".gcov.json.gz"):
            continue
        with gzip.open(os.path.join(folder, name)) as packed:
            data = json.load(packed)
        for entry in data["files"]:
            path = entry["file"]
            if "src/" not in path:
                continue
            path = "src/" + path.split("src/", 1)[1]
            lines = files.setdefault(path, {})
            for line in entry["lines"]:
                number = line["line_number"]
                branches = [b["count"] for b in line["branches"] if not b["throw"]]
                known = lines.setdefault(number, [0, {}])
                known[0] += line["count"]
                before = known[1].get(len(branches), [0] * len(branches))
                known[1][len(branches)] = [a + b for a, b in zip(before, branches)]
    return {path: {number: [count, sum(kinds.values(), [])] for number, (count, kinds) in lines.items()}
            for path, lines in files.items()}


def block_end(text, start):
    """Returns the line at which the braces that open at line `start` (from 0) are closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += text[at].count("{") - text[at].count("}")
        if depth <= 0 and (at > start or "{" in text[at]):
            return at
    return start


def read_unreached(path):
    """Returns [(file, set of lines, text, reason)]."""
    entries = []
    if not os.path.exists(path):
        return entries
    for row in open(path, encoding="utf-8"):
        row = row.rstrip("\n")
        if not row or row.startswith("#"):
            continue
        name, words, reason = row.split(": ", 2)
        whole = words.endswith(" {")
        text = open(name, encoding="utf-8").read().split("\n")
        lines = set()
        for at, line in enumerate(text):
            if (words[:-2] if whole else words) not in line:
                continue
            end = block_end(text, at) if whole else at
            lines.update(range(at + 1, end + 2))
        entries.append((name, lines, words, reason))
    return entries


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--floor", nargs=2, type=float, default=(95.0, 85.0))
    parser.add_argument("--missing")
    arguments = parser.parse_args()
    files = read_gcov(arguments.folder)
    entries = read_unreached("tests/unreached.txt")
    failed = 0
    skipped = {}
    for name, lines, words, reason in entries:
        hit = files.get(name, {})
        if not lines or all(hit[n][0] for n in lines if n in hit) and all(min(hit[n][1], default=1) for n in lines if n in hit):
            print(f"FAIL coverage: tests/unreached.txt: {name}: {words}: " + ("was reached" if lines else "is not there"))
            failed += 1
        skipped.setdefault(name, set()).update(lines)
    rooms = {}
    for name, lines in sorted(files.items()):
        room = name.split("/")[1]
        for number, (count, branches) in sorted(lines.items()):
            if number in skipped.get(name, ()):
                continue
            totals = rooms.setdefault(room, [0, 0, 0, 0])
            totals[0] += count > 0
            totals[1] += 1
            totals[2] += sum(b > 0 for b in branches)
            totals[3] += len(branches)
            if arguments.missing and (room == arguments.missing or name == arguments.missing):
                if not count:  # The line stands for its branches, too.
                    print(f"{name}:{number}: line")
                elif branches and min(branches) == 0:
                    print(f"{name}:{number}: branches {[int(b > 0) for b in branches]}")
    print(f"{'room':12} {'lines':>8} {'%':>6} {'branches':>9} {'%':>6}")
    for room, (line, lines, branch, branches) in sorted(rooms.items()):
        a, b = 100 * line / max(1, lines), 100 * branch / max(1, branches)
        short = room in FLOORS and (a < arguments.floor[0] or b < arguments.floor[1])
        print(f"{room:12} {lines:8} {a:6.1f} {branches:9} {b:6.1f}{'  FAIL: below its floor' if short else ''}")
        failed += short
    sys.exit(failed > 0)


main()
