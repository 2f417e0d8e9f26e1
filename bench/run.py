#!/usr/bin/env python3
"""Measures the cost of the compiler, side by side with clang, and writes JSON.

usage: run.py BUILD_DIR [--repetitions N] [--output FILE] [--check] [--programs FILE [--many N] [--only-programs]]
       run.py BUILD_DIR --empty CUDA_TOOLKIT [--repetitions N] [--output FILE] [--check]

For each example: seconds of `regrain cc -c` without alternatives against clang++-19 compiling
the same file (device to PTX, host to object, same headers); seconds per further alternative;
peak memory of the compiler. --check fails where a figure is over its budget.
--programs: also the programs of a JSON file as for scripts/pack.py, each once with N alternatives for
sm_90, without a time limit for one, so that load on the machine drops none: CPU seconds of the whole
process tree, seconds by phase, and the share of analysis and transforms.
--only-programs leaves the file's other figures as they are, and so does --empty.
--empty: an empty file, against clang++-19 with the headers of a CUDA toolkit: processor seconds of the whole
process trees, in turn.
"""
import argparse
import contextlib
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from progress import Progress  # noqa: E402
ALTERNATIVES = 8
BUDGET_RATIO = 2.0
BUDGET_PER_ALTERNATIVE_SECONDS = 0.5
BUDGET_MEMORY_MIB = 1536
BUDGET_RATIO_EMPTY = 1.2
OURS = ("transform", "export")
BACK_ENDS = ("optimise", "generate", "assemble")


def measure(command: list) -> tuple[float, float]:
    """Returns the wall seconds and the peak MiB of one run; a failing command ends the
    benchmark."""
    started = time.perf_counter()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    messages = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        sys.exit(f"bench: {' '.join(str(c) for c in command)}\n{messages.decode(errors='replace')}")
    return seconds, usage.ru_maxrss / 1024


def machine() -> dict:
    return {"cores": os.cpu_count(), "system": platform.platform()}


def clang_version() -> dict[str, str]:
    return {"clang": subprocess.check_output(["clang++-19", "--version"], text=True).splitlines()[0]}


def clang_commands(build: Path, source: Path, folder: Path) -> list[list]:
    """Returns clang's own commands for this file: device code to PTX, host code to an object."""
    image = folder / "image"
    image.write_bytes(b"\0" * 64)
    common = ["clang++-19", "-x", "cuda", "-O3", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
              "-Xclang", "-target-sdk-version=12.5", f"-I{build}/include/regrain/cuda", "-include", "regrain_prelude.h"]
    return [common + ["--cuda-device-only", "-S", source, "-o", folder / "device.ptx"],
            common + ["--cuda-host-only", "-c", source, "-o", folder / "host.o",
                      "-Xclang", "-fcuda-include-gpubinary", "-Xclang", image]]


def bench_example(build: Path, source: Path, folder: Path, repetitions: int) -> dict:
    ours = [build / "bin/regrain", "cc", "-O3", "-c", source, "-o", folder / "ours.o"]
    many = ours + [f"--alternatives={ALTERNATIVES}"]
    ptx_only = ours + ["--targets=ptx"]
    samples: dict[str, list[float]] = {"clang": [], "regrain": [], "regrainPtxOnly": [], "alternatives": []}
    memory = 0.0
    for _ in range(repetitions):
        samples["clang"].append(sum(measure(c)[0] for c in clang_commands(build, source, folder)))
        for key, command in (("regrain", ours), ("regrainPtxOnly", ptx_only), ("alternatives", many)):
            seconds, peak = measure(command)
            samples[key].append(seconds)
            memory = max(memory, peak)
    report = json.loads(subprocess.check_output([build / "bin/regrain", "inspect", "--json", folder / "ours.o"]))
    count = sum(len(k["alternatives"]) - 1 for i in report["images"] for k in i["kernels"])
    medians = {key: statistics.median(values) for key, values in samples.items()}
    per_alternative = (medians["alternatives"] - medians["regrain"]) / count if count else 0.0
    return {"program": source.stem, "alternatives": count, "seconds": samples, "medianSeconds": medians,
            "ratioToClang": medians["regrain"] / medians["clang"],
            "ratioToClangPtxOnly": medians["regrainPtxOnly"] / medians["clang"],
            "secondsPerAlternative": per_alternative, "peakMiB": memory}


def clang_for_toolkit(toolkit: Path, folder: Path) -> list[list]:
    """Returns the commands by which clang compiles the empty file for sm_90 with a toolkit's headers. They are
    those of clang's driver, one by one: fatbinary of CUDA 13 does not know the options that clang 19 gives it. The
    header that CUDA 13 no longer has, which clang 19 includes, is empty."""
    (folder / "texture_fetch_functions.h").write_text("")
    source, ptx, cubin, image = (folder / name for name in ("empty.cu", "empty.ptx", "empty.cubin", "empty.fatbin"))
    common = ["clang++-19", "-x", "cuda", f"--cuda-path={toolkit}", "--cuda-gpu-arch=sm_90", f"-I{folder}",
              "-Wno-unknown-cuda-version"]
    return [common + ["--cuda-device-only", "-S", source, "-o", ptx],
            [toolkit / "bin/ptxas", "-m64", "-O0", "--gpu-name", "sm_90", "--output-file", cubin, ptx],
            [toolkit / "bin/fatbinary", "-64", "--create", image, f"--image3=kind=elf,sm=90,file={cubin}",
             f"--image3=kind=ptx,sm=90,file={ptx}"],
            common + ["--cuda-host-only", "-c", source, "-o", folder / "host.o",
                      "-Xclang", "-fcuda-include-gpubinary", "-Xclang", image]]


def processor_seconds(commands: list[list]) -> float:
    before = os.times()
    for command in commands:
        measure(command)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def bench_empty(build: Path, toolkit: Path, repetitions: int) -> dict:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty.cu").write_text("")
        ours = [build / "bin/regrain-nvcc", "-c", folder / "empty.cu", "-o", folder / "ours.o"]
        kinds = {"clang": clang_for_toolkit(toolkit, folder), "regrain": [ours],
                 "regrainCubinOnly": [ours + ["--targets=sm_90"]]}
        for commands in kinds.values():
            processor_seconds(commands)  # reads the files into the cache
        samples = {kind: [] for kind in kinds}
        for _ in range(repetitions):
            for kind, commands in kinds.items():
                samples[kind].append(processor_seconds(commands))
    medians = {kind: statistics.median(values) for kind, values in samples.items()}
    release = subprocess.check_output([toolkit / "bin/ptxas", "--version"], text=True).splitlines()[-1]
    return {"what": "processor seconds for an empty file; clang compiles for sm_90 with the toolkit's headers",
            "machine": machine(), "versions": clang_version() | {"ptxas": release}, "repetitions": repetitions, "processorSeconds": samples, "medianSeconds": medians,
            "ratioToClang": medians["regrain"] / medians["clang"],
            "ratioToClangCubinOnly": medians["regrainCubinOnly"] / medians["clang"]}


def phases_of(messages: str) -> dict[str, float]:
    """Returns the phases that --time-phases reports: seconds by phase, summed over threads, in
    wall-clock time. The passes within a phase, and what is in no phase, are left out."""
    lines = re.findall(r"^ +([0-9.]+) \([ 0-9.]+%\)(?:.*\))?  ([a-z]+)$", messages, re.MULTILINE)
    return {name: float(seconds) for seconds, name in lines}


def bench_many(build: Path, program: dict, root: Path, count: int, folder: Path) -> dict:
    flags = [f.replace("@", f"{root}/") for f in program.get("flags", ["-O3"])]
    output = folder / program["name"]
    before, started, load = os.times(), time.perf_counter(), os.getloadavg()[0]
    done = subprocess.run([build / "bin/regrain", "cc", "--targets=sm_90", f"--alternatives={count}", "--alternative-timeout=0", "--time-phases", "-w",
                           *flags, *[root / s for s in program["sources"]], "-o", output], stderr=subprocess.PIPE, text=True)
    wall, after = time.perf_counter() - started, os.times()
    if done.returncode:
        sys.exit(f"bench: {program['name']}: {done.stderr}")
    report = json.loads(subprocess.check_output([build / "bin/regrain", "inspect", "--json", output]))
    outcomes = [c["outcome"] if c["stage"] != "size" else "pruned for size"
                for i in report["images"] for k in i["kernels"] for c in k["candidates"]]
    phases = phases_of(done.stderr)
    ours, back_ends = (sum(phases.get(p, 0.0) for p in part) for part in (OURS, BACK_ENDS))
    return {"program": program["name"], "target": "sm_90", "asked": count,
            "candidates": {o: outcomes.count(o) for o in sorted(set(outcomes))},
            "cpuSeconds": after.children_user + after.children_system - before.children_user - before.children_system,
            "wallSeconds": wall, "load": load, "phaseSeconds": phases,
            "shareOfAnalysisAndTransforms": ours / (ours + back_ends)}


def empty_over_budget(row: dict) -> list[str]:
    return [f"empty file: {row[key]:.2f} times clang's time, budget {BUDGET_RATIO_EMPTY}"
            for key in ("ratioToClang", "ratioToClangCubinOnly") if row[key] > BUDGET_RATIO_EMPTY]


def over_budget(row: dict) -> list[str]:
    found = []
    if row["ratioToClang"] > BUDGET_RATIO:
        found.append(f"{row['program']}: {row['ratioToClang']:.2f} times clang's time, budget {BUDGET_RATIO}")
    if row["secondsPerAlternative"] > BUDGET_PER_ALTERNATIVE_SECONDS:
        found.append(f"{row['program']}: {row['secondsPerAlternative']:.2f} s per alternative, "
                     f"budget {BUDGET_PER_ALTERNATIVE_SECONDS}")
    if row["peakMiB"] > BUDGET_MEMORY_MIB:
        found.append(f"{row['program']}: {row['peakMiB']:.0f} MiB, budget {BUDGET_MEMORY_MIB}")
    return found


@contextlib.contextmanager
def shown(progress: Progress, done: int, total: int, name: str):
    """On a terminal, a line says meanwhile what is measured, and how long the rest may take."""
    if progress.draws:
        progress.show(done, total, name)
    yield
    progress.hide()


def bench_examples(build: Path, repetitions: int) -> list[dict]:
    rows, progress = [], Progress("bench")
    with tempfile.TemporaryDirectory() as folder:
        sources = sorted((ROOT / "examples").glob("*.cu"))
        for source in sources:
            with shown(progress, len(rows), len(sources), source.name):
                rows.append(bench_example(build, source, Path(folder), repetitions))
            row = rows[-1]
            print(f"{row['program']:18} clang {row['medianSeconds']['clang']:.2f} s  regrain "
                  f"{row['medianSeconds']['regrain']:.2f} s ({row['ratioToClang']:.2f}x)  "
                  f"{row['alternatives']} alternatives, {row['secondsPerAlternative']:.3f} s each  "
                  f"{row['peakMiB']:.0f} MiB", flush=True)
    return rows


def bench_listed(build: Path, listed: Path, count: int) -> list[dict]:
    rows, progress = [], Progress("bench")
    programs = json.loads(listed.read_text())
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            with shown(progress, len(rows), len(programs), program["name"]):
                rows.append(bench_many(build, program, listed.resolve().parent, count, Path(folder)))
            row = rows[-1]
            print(f"{row['program']:18} {row['asked']} alternatives a kernel: {row['cpuSeconds']:.0f} CPU s, "
                  f"{row['wallSeconds']:.0f} s at load {row['load']:.1f}, "
                  f"{row['shareOfAnalysisAndTransforms']:.1%} in analysis and transforms", flush=True)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--output", type=Path, default=ROOT / "bench/results/compile-time.json")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--many", type=int, default=40)
    parser.add_argument("--only-programs", action="store_true")
    parser.add_argument("--empty", type=Path)
    options = parser.parse_args()
    build = options.build.resolve()
    before = json.loads(options.output.read_text()) if options.output.exists() else {}
    if options.only_programs or options.empty:
        result = before
    else:
        result = {"schema": "regrain-compile-time/1.2", "repetitions": options.repetitions,
                  "machine": machine(), "versions": clang_version(),
                  "programs": bench_examples(build, options.repetitions)}
        result |= {key: before[key] for key in ("manyAlternatives", "emptyFile") if key in before}
    if options.empty:
        result["schema"] = "regrain-compile-time/1.2"
        row = result["emptyFile"] = bench_empty(build, options.empty.resolve(), options.repetitions)
        print(f"empty file: {row['ratioToClang']:.2f} times clang's time, for sm_90 alone "
              f"{row['ratioToClangCubinOnly']:.2f} times")
    if options.programs:
        result["schema"] = "regrain-compile-time/1.2"
        result["manyAlternatives"] = bench_listed(build, options.programs, options.many)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(result, indent=1) + "\n")
    found = [line for row in result.get("programs", []) for line in over_budget(row)]
    found += empty_over_budget(result["emptyFile"]) if "emptyFile" in result else []
    for line in found:
        print(f"over budget: {line}")
    return 1 if found and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
