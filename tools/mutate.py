#!/usr/bin/env python3
"""tools/mutate.py - makes small changes of the sources, one at a time, and counts how many the tests notice.

    tools/mutate.py [--count 300] [--seed 1] [--rooms kernels,ops,...] [--least 97] [--jobs 2] [--cap 45]
                    [--only N,M,...] [--excuses]

A change (a mutant) turns a + into a -, moves a bound or an index by one, or negates a condition. Numbers grow by one. But a
number that is added on the left of < or <= ("i + 16 <= n" of an unrolled loop) shrinks by one, also where that <= is the
change: a larger number would only leave more to the loop for the rest, while a smaller one lets the loop run beyond the end.
All mutants are compiled into one library at once: each changed expression E becomes (mutant_is(k) ? (E changed) : (E)), and the
variable NN_MUTANT says which one is alive. A first run of every test program tells which of them each program evaluates. Each
mutant is then run against the programs that evaluate it, until one reports a failure, crashes or hangs. Those that are named
for the mutant's room come first (FIRST). The others follow, beginning with those that have killed most in that room for their
time. A program ends at its first failure. A mutant that has had --cap seconds of processor time without a failure survives. OpenCL is hidden, so
that the programs take seconds. A survivor that changes only the condition of a prefetch (prefetches_only) cannot change a
result and is counted as equivalent. Any other survivor needs a test, or a line in tests/survivors.txt, as the survivor is printed:
"FILE: EXPRESSION -> CHANGED  # REASON". The line covers this one change and says why no result can differ. A line that matches
no change of the sources any more is a failure; --excuses only looks for such lines, which takes a second (make check). Ends
with 1 if fewer than --least of 100 are killed or excused, or if a line of tests/survivors.txt excuses nothing.
Works in build/full/mutation; needs gcc and what `make test` has built."""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

FOLDER = "build/full/mutation"
SWAPS = {" + ": " - ", " - ": " + ", " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ",
         " != ": " == ", " && ": " || ", " || ": " && ", " * ": " + "}
TOKEN = re.compile(r" (?:\+|-|<|<=|>|>=|==|!=|&&|\|\||\*) |(?<![\w.\"'])[0-9]+(?![\w.xX\"'])|!(?=[a-z(])")
PREFETCHES = r"(nn__ahead|nn__gemm_ahead|nn__conv_ahead|nn__panel_ahead)\("
ADDED = re.compile(r" \+ ([1-9][0-9]*)$")
# Room, or file's folder: the programs that are most likely to kill its mutants.
KERNEL_TESTS = ("test_catalogue test_golden test_pool test_winograd test_depthwise test_reductions test_pointwise test_ulps "
                "test_gather_scatter_sort test_dtypes test_chain test_backends").split()
FIRST = {"kernels": KERNEL_TESTS, "cpu": KERNEL_TESTS,
         "ops": "test_ops test_catalogue test_golden test_shapes_given test_random_shapes test_random_graphs".split(),
         "graph": "test_graph test_ops test_catalogue test_faults test_recompute test_random_graphs test_inspect".split(),
         "plan": "test_plan_values test_report test_reproducible test_chain test_random_graphs".split(),
         "program": "test_program test_expression test_extremes test_pointwise test_catalogue".split()}
# These run one test at a time, as PROGRAM:TEST, since a mutant needs few of their tests. They get these arguments and
# variables: the kernels are compared once, with fewer random cases, and not timed.
APART = {"test_backends": (["correct"], {"NN_TEST_CPU_CASES": "40"})}
HEADER = """#ifndef NN__MUTANT_H
#define NN__MUTANT_H
extern int nn__mutant;
extern unsigned char nn__mutant_seen[];
static inline int mutant_is(int k) { return nn__mutant_seen[k] = 1, nn__mutant == k; }
#endif
"""
STATE = """#include <stdio.h>
#include <stdlib.h>
int nn__mutant = -1;
unsigned char nn__mutant_seen[%d];
__attribute__((constructor)) static void nn__mutant_begin(void) {
    const char *text = getenv("NN_MUTANT");
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (text) nn__mutant = atoi(text);
}
__attribute__((destructor)) static void nn__mutant_end(void) {
    const char *path = getenv("NN_MUTANT_SEEN");
    FILE *file = path ? fopen(path, "ab") : NULL;
    if (!file) return;
    for (int i = 0; i < %d; i++)
        if (nn__mutant_seen[i]) fprintf(file, "%%d\\n", i);
    fclose(file);
}
"""


def matching(text, start):
    """Returns the place of the parenthesis that closes the one at `start`, or -1."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
    return -1


def balanced(text):
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            return False
    return depth == 0


def chunk_of(line):
    """Returns (start, end) of an expression of a line that can be put into parentheses; None if there is none."""
    if re.match(r"\s*(#|case |enum|typedef|static const|static \w+ \w+\[|//|/\*|\*)", line) or '"' in line or "_mm" in line:
        return None
    found = re.search(r"\b(if|while) \(", line)
    if found:
        end = matching(line, found.end() - 1)
        return (found.end(), end) if end > 0 else None
    found = re.search(r"\bfor \(([^;]*);([^;]+);", line)
    if found:
        return found.start(2) + 1, found.end(2)
    found = re.search(r"\breturn ([^;{]+);", line)
    if found and balanced(found.group(1)):
        return found.start(1), found.end(1)
    found = re.search(r"[\w\])] ([-+*]?=) ([^=;{][^;{]*);\s*\\?$", line)
    if found and balanced(found.group(2)):
        text = found.group(2)
        depth = 0
        for c in text:  # a comma outside parentheses begins another declarator
            depth += (c in "([") - (c in ")]")
            if c == "," and depth == 0:
                return None
        return found.start(2), found.end(2)
    return None


def prefetches_only(lines, number):
    """True for "if (...) F(...);", on one line or two, where F prefetches memory and does nothing else."""
    found = re.match(r"\s*if \(", lines[number])
    if not found:
        return False
    end = matching(lines[number], found.end() - 1)
    if end < 0:
        return False
    rest = lines[number][end + 1:].split("/*")[0].strip()
    if not rest and number + 1 < len(lines):
        rest = lines[number + 1].strip()
    return re.match(PREFETCHES, rest) is not None


def sites_of(path):
    """Returns [(line number, start, end, changed expression)] of a file."""
    sites, comment = [], False
    for number, line in enumerate(open(path, encoding="utf-8").read().split("\n")):
        if comment or line.lstrip().startswith("/*"):
            comment = "*/" not in line
            continue
        body = line.split("/*")[0]
        chunk = chunk_of(body)
        if not chunk:
            continue
        start, end = chunk
        text = body[start:end]
        for token in TOKEN.finditer(text):
            word = token.group(0)
            added = ADDED.search(text[:token.start()]) if word == " <= " else None
            if added:  # as the number's own change
                sites.append((number, start, end, text[:added.start(1)] + str(int(added.group(1)) - 1) + text[token.start():]))
                continue
            if word in SWAPS:
                new = SWAPS[word]
                if word == " * " and re.search(r"[(,]\s*(const )?\w+$", text[:token.start()]):
                    continue  # a pointer's type
            elif word == "!":
                new = ""
            else:
                added = text[:token.start()].endswith(" + ") and int(word) > 0 and re.match(r" <=? ", text[token.end():])
                new = str(int(word) + (-1 if added else 1))
            sites.append((number, start, end, text[:token.start()] + new + text[token.end():]))
    return sites


def candidates(rooms):
    found = []
    for room in rooms:
        for path in sorted(glob.glob(f"src/{room}/**/*.[ch]", recursive=True)):
            name = os.path.basename(path)
            if "opencl" in name or name in ("reference.h", "cases.h"):
                continue
            # Macros of public headers call these inline functions from the test programs, which are not compiled with mutants.
            if path.endswith(".h") and "NN__HERE_INLINE" in open(path, encoding="utf-8").read():
                continue
            found += [(path,) + site for site in sites_of(path)]
    return found


def write_sources(chosen):
    shutil.rmtree(f"{FOLDER}/src", ignore_errors=True)
    shutil.copytree("src", f"{FOLDER}/src")
    for path in sorted({mutant[0] for mutant in chosen if mutant}):
        lines = open(path, encoding="utf-8").read().split("\n")
        for k, mutant in enumerate(chosen):
            if mutant and mutant[0] == path:
                _, number, start, end, new = mutant
                lines[number] = f"{lines[number][:start]}(mutant_is({k}) ? ({new}) : ({lines[number][start:end]})){lines[number][end:]}"
        with open(f"{FOLDER}/{path}", "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    with open(f"{FOLDER}/mutant.h", "w", encoding="utf-8") as file:
        file.write(HEADER)
    with open(f"{FOLDER}/nn.c", "w", encoding="utf-8") as file:
        file.write(STATE % (len(chosen), len(chosen)) + '#include "mutant.h"\n#define NN_IMPLEMENTATION\n#include "packaging/nn_all.h"\n')


def compile_library(chosen):
    """Takes out mutants that do not compile, until the rest does; they become None."""
    flags = f"gcc -std=gnu99 -w -DNN_PRIVATE=extern -I{FOLDER} -I{FOLDER}/src -Ibuild/gen -I.".split()
    while True:
        write_sources(chosen)
        run = subprocess.run(flags + ["-fsyntax-only", "-fmax-errors=0", f"{FOLDER}/nn.c"], capture_output=True, text=True)
        if run.returncode == 0:
            break
        wrong = set(re.findall(rf"{FOLDER}/(src/[\w/.]+):(\d+):", run.stderr))
        before = sum(1 for m in chosen if m)
        for k, mutant in enumerate(chosen):
            if mutant and (mutant[0], str(mutant[1] + 1)) in wrong:
                chosen[k] = None
        if sum(1 for m in chosen if m) == before:
            sys.exit("what does not compile is no mutant:\n" + run.stderr[:3000])
    text = subprocess.run(flags + ["-E", f"{FOLDER}/nn.c"], capture_output=True, text=True, check=True).stdout
    compiled = set(re.findall(r"mutant_is\((\d+)\)", text))  # code of other machines is not
    for k in range(len(chosen)):
        if str(k) not in compiled:
            chosen[k] = None
    subprocess.run(flags + ["-O1", "-c", f"{FOLDER}/nn.c", "-o", f"{FOLDER}/nn.o"], check=True)


def stop(run):
    """Ends a program with its children."""
    try:
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run_program(name, limit, variables):
    """(seconds of processor time, failed?) of one run in a folder of its own, which `limit` seconds of the clock end."""
    work = f"{FOLDER}/work/{name}.{os.getpid()}.{random.random()}"
    os.makedirs(f"{work}/build")
    for link in ("src", "tests", "examples", "docs", "README.md", "nn.h", "nn_more.h", "nn_opencl.h", "nn_group.h", "nn_sequence.h", "nn_quantize.h", "nn_self_test.h", "nn_mpi.h", "nn_text.h", "nn_onnx.h", "kernels.cl"):
        os.symlink(os.path.abspath(link), f"{work}/{link}")
    for link in ("tests", "gen", "lib", "quick"):
        os.symlink(os.path.abspath(f"build/{link}"), f"{work}/build/{link}")
    program, _, test = name.partition(":")
    words, settings = APART.get(program, ([], {}))
    run = subprocess.Popen([os.path.abspath(f"{FOLDER}/{program}")] + words + ([test] if test else []), cwd=work, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
                           env=dict(os.environ, OCL_ICD_VENDORS="/nowhere", **settings, **variables))
    ended = threading.Timer(limit, stop, [run])  # also of children, which hold the pipe
    ended.start()
    failed = any(line.startswith(b"FAIL ") for line in run.stdout)  # ends at the first
    if failed:
        stop(run)
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    failed = run.returncode != 0 or failed
    ended.cancel()
    run.stdout.close()
    shutil.rmtree(work, ignore_errors=True)
    return used.ru_utime + used.ru_stime, failed


def link_programs(jobs):
    """Links the programs of make test that do not choose the library's macros with the mutants."""
    names = []
    orders = []
    # What make compiled with tcc wants tcc's own library (QUICK in the Makefile).
    quick = re.findall(r"\| tests: (\S+) \|", open("build/circumstances", encoding="utf-8").read())
    for path in sorted(glob.glob("build/tests/test_*.o")):
        name = os.path.basename(path)[:-2]
        if name in ("test_mpi", "test_mnist") or name.startswith("test_opencl"):
            continue
        names.append(name)
        others = [o for o in ("build/quick/nn_opencl.o", "build/quick/nn_text.o", "build/quick/nn_onnx.o", "build/quick/nn_audio.o")
                  if os.path.exists(o)]
        order = ["gcc", path, f"{FOLDER}/nn.o", "-o", f"{FOLDER}/{name}", "-lm", "-lpthread"]
        orders.append(order[:3] + others + order[3:] + quick + ["-lOpenCL"])
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        failed = list(pool.map(lambda o: subprocess.run(o, capture_output=True).returncode, orders))
    linked = [name for name, wrong in zip(names, failed) if not wrong]
    for program in set(linked) & set(APART):
        source = open(glob.glob(f"tests/*/{program}.c")[0], encoding="utf-8").read()
        linked.remove(program)
        linked += sorted({f"{program}:{test}" for test in re.findall(r"^ *RUN(?:_CASES)?\((test_\w+)\)", source, re.M)})
    return linked


def change_of(site, sites):
    """Returns a change in words: EXPRESSION -> CHANGED. Where the file has the same one elsewhere, it is the whole line, and as
    many of the lines after it as distinguish it from the others, so that a reason covers one change alone."""
    path, number, start, end, new = site
    lines = open(path, encoding="utf-8").read().split("\n")
    same = [s for s in sites if s[0] == path and s[1] != number and s[4] == new and
            lines[s[1]][s[2]:s[3]] == lines[number][start:end]]
    if not same:
        return f"{lines[number][start:end]} -> {new}"

    def words(number, line, more):
        return " ".join([line.strip()] + [text.strip() for text in lines[number + 1:number + 1 + more]])
    more = 0
    while more < 4 and any(words(s[1], lines[s[1]], more) == words(number, lines[number], more) for s in same):
        more += 1
    return f"{words(number, lines[number], more)} -> {words(number, lines[number][:start] + new + lines[number][end:], 0)}"


def excuses():
    rows = []
    if os.path.exists("tests/survivors.txt"):
        for row in open("tests/survivors.txt", encoding="utf-8"):
            if row.strip() and not row.startswith("#"):
                change, _, reason = row.rstrip("\n").partition("  # ")
                rows.append(change.split(": ", 1) + [reason])
    return rows


def stale_excuses():
    """Prints the lines of tests/survivors.txt that excuse no change of the sources, and returns their number."""
    rows = excuses()
    sites = {}
    for site in candidates(sorted({row[0].split("/")[1] for row in rows if row[0].startswith("src/")})):
        sites.setdefault(site[0], []).append(site)
    changes = {path: {change_of(site, sites[path]) for site in sites[path]} for path in {row[0] for row in rows} & set(sites)}
    seen, stale = set(), 0
    for row in rows:
        if len(row) < 3 or not row[2]:
            wrong = "has no reason, which would stand after two spaces and a #"
        elif row[1] not in changes.get(row[0], ()):
            wrong = "matches no change of the sources any more: mend it, or delete it"
        elif (row[0], row[1]) in seen:
            wrong = "occurs twice"
        else:
            seen.add((row[0], row[1]))
            continue
        print(f"tests/survivors.txt: {': '.join(row[:2])}  {wrong}", flush=True)
        stale += 1
    return stale


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default="kernels,ops,graph,plan,program,cpu")
    parser.add_argument("--least", type=float, default=97)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cap", type=float, default=45)
    parser.add_argument("--only", default="")
    parser.add_argument("--excuses", action="store_true")
    arguments = parser.parse_args()
    stale = stale_excuses()
    if arguments.excuses:
        sys.exit(stale > 0)
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    sites = candidates(arguments.rooms.split(","))
    random.seed(arguments.seed)
    # Few files have most of the lines; each file has its turn, so that rules are tried as often as kernels.
    by_file = {}
    for site in sites:
        by_file.setdefault(site[0], []).append(site)
    chosen, taken, paths = [], set(), sorted(by_file)
    while len(chosen) < arguments.count * 5 // 4 and by_file:
        path = random.choice(paths)
        site = random.choice(by_file[path])
        if (path, site[1]) not in taken:  # one in a line
            taken.add((path, site[1]))
            chosen.append(site)
    compile_library(chosen)
    alive = [k for k, mutant in enumerate(chosen) if mutant][:arguments.count]
    names = link_programs(arguments.jobs)
    print(f"{len(sites)} places, {len(alive)} mutants, {len(names)} programs", flush=True)
    took, sees, begun = {}, {}, time.time()
    for name in names:
        seen = os.path.abspath(f"{FOLDER}/{name}.seen")
        took[name], failed = run_program(name, 600, {"NN_MUTANT": "-1", "NN_MUTANT_SEEN": seen})
        if failed:
            print(f"left out: {name} fails without a mutant, or hangs", flush=True)
            continue
        if os.path.exists(seen):
            for word in set(open(seen, encoding="utf-8").read().split()):
                sees.setdefault(int(word), []).append(name)
    excused = excuses()

    kills, spent = {}, {}  # by (room, program)

    def judge(k):
        room = chosen[k][0].split("/")[1]
        first = FIRST.get(room, [])
        tried, cost, all_seconds = set(), {}, 0
        while True:
            for name in sees.get(k, []):  # seconds for a kill in this room
                pair = (room, name)
                cost[name] = (took[name] + 0.02 + spent.get(pair, 0)) / (kills.get(pair, 0) + (1 if name.split(":")[0] in first else 0.1))
            left = [name for name in cost if name not in tried]
            if not left or all_seconds > arguments.cap:
                return None
            name = min(left, key=cost.get)
            tried.add(name)
            seconds, failed = run_program(name, patience * (10 + 5 * took[name]), {"NN_MUTANT": str(k)})
            all_seconds += seconds
            spent[room, name] = spent.get((room, name), 0) + seconds
            if failed:
                kills[room, name] = kills.get((room, name), 0) + 1
                return name

    # How many times longer than its processor time a program takes here now: the machine may have other work.
    patience = max(1, (time.time() - begun) / max(0.1, sum(took.values())))
    begun, slow = time.time(), [f"{n} {took[n]:.0f}" for n in sorted(took, key=took.get)[-6:]]
    print(f"{sum(took.values()):.0f} seconds without mutants; the slowest: {', '.join(slow)}", flush=True)
    if arguments.only:
        alive = [int(number) for number in arguments.only.split(",")]
    survivors = reasons = equivalent = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for done, (k, killer) in enumerate(zip(alive, pool.map(judge, alive)), 1):
            if done % 20 == 0:
                print(f"{done} judged in {time.time() - begun:.0f} seconds", flush=True)
            path, number = chosen[k][:2]
            if killer:
                continue
            change = change_of(chosen[k], sites)
            if prefetches_only(open(path, encoding="utf-8").read().split("\n"), number):
                equivalent += 1
                print(f"equivalent {k} {path}:{number + 1}: {change}", flush=True)
                continue
            reason = next((r for f, text, r in excused if f == path and text == change), None)
            reasons += reason is not None
            survivors += reason is None
            print(f"{'excused' if reason else 'SURVIVED'} {k} {path}:{number + 1}: {change}"
                  f"{'  (' + reason + ')' if reason else '' if k in sees else '  (no test evaluates it)'}", flush=True)
    killed = len(alive) - survivors - reasons - equivalent
    share = 100 * (killed + reasons + equivalent) / max(1, len(alive))
    print(f"{killed} of {len(alive)} killed, {equivalent} equivalent, {reasons} excused, {survivors} survived: {share:.1f} %, "
          f"{arguments.least:g} wanted")
    sys.exit(share < arguments.least or stale > 0)


main()
