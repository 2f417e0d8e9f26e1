#!/usr/bin/env python3
"""Makes docs/performance.md from measurements.

usage: performance.py RESULTS_DIR > docs/performance.md

Reads RESULTS_DIR/h100-tuning.json, which bench/gpu/tune_all.py wrote on the GPU machine, and where they
are there h100-bandwidth.json of bench/gpu/bandwidth.py, h100-launch-overhead.json of bench/gpu/launch_overhead.py and
amd-tables.json of bench/amd/tables.py, for which no GPU ran anything.
"""
import json
import math
import sys
from pathlib import Path

BASELINES = ("original", "clang", "nvcc", "better")
MODES = {"thread factors alone": lambda s: "thread" in s and "block" not in s and not other(s),
         "block factors alone": lambda s: "block" in s and "thread" not in s and not other(s),
         "both": lambda s: not other(s),
         "both, fusion and shapes": lambda s: "addresses" not in s and s != "control",
         "all, with addresses of loops": lambda s: True}


def other(spec: str) -> bool:
    return any(word in spec for word in ("fuse", "shape", "addresses", "control"))


def geomean(values: list[float]) -> float:
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else 1


def best_by_mode(program: dict, mode) -> dict[tuple, float]:
    """Returns, for each kernel and class, the best gain at its first sampled launch; at least
    1, the original's."""
    best = {}
    for kernel, launch_class, spec, launch, _, _, _, gain in program["timed"]:
        if launch == 0:
            key = (kernel, launch_class)
            best[key] = max(best.get(key, 1), gain if mode(spec) else 1)
    return best


def launch_overhead(data: dict) -> str:
    calls = {"empty_kernel": "launch of an empty kernel", "one_argument": "launch with one argument",
             "eight_arguments": "launch with eight arguments", "graph_of_100_call": "`cudaGraphLaunch` of 100 launches",
             "graph_of_100_whole": "the same, until it is done"}
    cell = lambda figure: f"{figure['median_us']:.3f}"
    more = lambda figure: f"{figure['median_us']:+.3f} ({figure['quartiles_us'][0]:+.3f} to {figure['quartiles_us'][1]:+.3f})"
    rows = [f"| {text} | {cell(data['times']['cuda runtime'][key])} | {more(data['over_cuda_runtime']['original'][key])} "
            f"| {more(data['over_cuda_runtime']['tuned'][key])} |" for key, text in calls.items()]
    return "\n".join(["\n## Cost of a call on the host\n",
                      f"Times are microseconds: medians of {data['rounds']} rounds, with the quartiles. Differences are taken within a round. A tuned",
                      "launch runs a grain from a database; an empty kernel has no grain.\n", "| call | CUDA runtime | Regrain, original, over it | tuned, over it |",
                      "|---|---|---|---|", *rows])


def bandwidth(data: dict) -> str:
    rows = []
    for p in data["programs"]:
        percent = {name: f"{p['percentOfCopy'][name]['median']:.1f}" for name in ("nvcc", "clang", "original", "tuned")}
        chosen = ", ".join(f"`{c['alternative']}`" for c in p["choices"])
        rows.append(f"| {p['name']} {' '.join(p['arguments'][:-2])} | {p['alternatives']} | " + " | ".join(percent.values())
                    + f" | {chosen} | {p['gigabytesPerSecond']['copy']['median']:.0f} |")
    return "\n".join(["\n## Bandwidth of the examples\n", "The bandwidth counts the bytes that must move. It is a percentage of that of the device-to-device copy in the same round.\n",
                      "| example | grains tried | nvcc | clang | original | tuned | chosen | copy, GB/s |", "|---|---|---|---|---|---|---|---|", *rows])


def amd_tables(data: dict) -> str:
    figures = lambda f: " / ".join(str(f[key]) for key in ("sgpr", "vgpr", "scratch", "waves")) if f else "–"
    modelled = lambda row, base=data: f"{row['traffic']['fetchedBytes'] / base['least']['fetchedBytes']:.2f}" if row["traffic"] else "–"
    large = data["large"]
    measured = lambda row: f"{row['publishedFetchGB'] * 1e9 / data['least']['fetchedBytes']:.2f}" if row["publishedFetchGB"] else "–"
    steps = [f"| {s['step']}, {s['rows']} | {figures(s['regrain'])} | {figures(s['clangHip'])} | {figures(s['published'])} "
             f"| {modelled(s)} | {measured(s)} |" for s in data["steps"]]
    grains = [f"| `{g['grain']}` | {figures(g['regrain'])} | {modelled(g)} | {measured(g)} |" for g in data["grains"] if g["regrain"]]
    points = "×".join(str(n) for n in data["points"])
    return "\n".join([f"\n## The Laplacian for {data['chip']}\n",
                      "No AMD hardware ran any of this code. The tables show figures of compilers, figures that AMD published, and a model.",
                      "Registers are SGPRs / VGPRs / bytes of scratch / waves per SIMD. The first table has the five hand-made steps of",
                      f"`bench/amd/laplacian_steps.h`, beside clang's code for the same source as HIP ({data['versions']['clang']})",
                      f"and beside {data['published']}.\n",
                      f"Fetched is the number of bytes read from memory, divided by the minimum, {data['least']['fetchedBytes'] / 1e9:.3f} GB at {points} points. The",
                      "model takes the accesses of the compiled kernel in the order of its LLVM IR. Blocks start in order, and share a cache of",
                      "8 MiB with 16 ways; nothing was fitted. `bench/amd/footprint/Traffic.h` states the assumptions. The model shows how the",
                      "order of reads and the stores affect the cache. It gives all or nothing in cases in which hardware gives something",
                      "between, and it has no figures for code that spills.\n",
                      "| step, rows per thread | Regrain | clang, as HIP | published | fetched, modelled | measured by AMD |", "|---|---|---|---|---|---|",
                      *steps, f"| {large['step']}, {large['rows']}, {large['edge']} points in x and y | | | | {modelled(large, large)} "
                              f"| {1 / large['publishedFetchEfficiency']:.2f} |", "\nThe second table has the unchanged source of the first step at the compiler's own grains:\n",
                      "| grain | Regrain | fetched, modelled | measured by AMD, by hand |", "|---|---|---|---|", *grains])


def main() -> None:
    data = json.loads((Path(sys.argv[1]) / "h100-tuning.json").read_text())
    programs = data["programs"]
    ratio = {b: {p["name"]: p["race"][f"over_{b}"]["median"] for p in programs} for b in BASELINES}
    print("# Measured performance\n")
    print("This page has the times of tuned programs on an H100, and figures of compiled code for an AMD GPU. `bench/performance.py`"
          "\nmakes it from `bench/results/h100-*.json` and `amd-tables.json`; do not edit it.\n")
    print(f"{data['machine']['gpu']}; {data['what']}\n")
    print("## Speedup of the whole kernel time after tuning\n")
    print("The first four columns divide the kernel time of a baseline by that of the tuned program. The next two are wall-clock times."
          "\n")
    print("| program | original | clang | nvcc | better of both | run, s | tuning run, s | outputs equal |")
    print("|---|---|---|---|---|---|---|---|")
    for p in programs:
        equal = "yes" if p["tuningOutputAgrees"] and p["tunedOutputAgrees"] else "see below" if "note" in p else "no"
        cells = " | ".join(f"{ratio[b][p['name']]:.3f}" for b in BASELINES)
        print(f"| {p['name']} | {cells} | {p['plainSeconds']:.1f} | {p['tuningSeconds']:.1f} | {equal} |")
    for name, keep in (("geomean", lambda n: True), ("without gaussian", lambda n: n != "gaussian")):
        cells = " | ".join(f"**{geomean([v for n, v in ratio[b].items() if keep(n)]):.3f}**" for b in BASELINES)
        print(f"| {name} | {cells} | | | |")
    for p in programs:
        if "note" in p:
            print(f"\n{p['name']}: {p['note']}.")
    print("\n## Gain by kind of grain\n\nFor each kernel and class of launches, this is the best gain at the first sampled launch, among the original and the"
          "\ngrains that a mode allows. The table shows geometric means.\n\n| mode | geomean | kernels and classes |\n|---|---|---|")
    for name, mode in MODES.items():
        gains = [g for p in programs for g in best_by_mode(p, mode).values()]
        print(f"| {name} | {geomean(gains):.3f} | {len(gains)} |")
    same = [a["first"] == a["second"] for p in programs for a in p["again"] or []]
    print(f"\n## Repeatability of choices\n\nPrograms were tuned twice, each time with an empty database. The second tuning chose the same grain for {sum(same)} of"
          f"\n{len(same)} classes.")
    examples = Path(sys.argv[1]) / "h100-bandwidth.json"
    if examples.exists():
        print(bandwidth(json.loads(examples.read_text())))
    overhead = Path(sys.argv[1]) / "h100-launch-overhead.json"
    if overhead.exists():
        print(launch_overhead(json.loads(overhead.read_text())))
    tables = Path(sys.argv[1]) / "amd-tables.json"
    if tables.exists():
        print(amd_tables(json.loads(tables.read_text())))


if __name__ == "__main__":
    main()
