#!/usr/bin/env python3
"""Runs every program of a bundle on the GPU and writes one JSON file.

usage: run_all.py RESULT.json [--repetitions N] [--programs GLOB] [--budget SECONDS]

For each program of programs.json: the original, checked by the program itself; every
alternative of every kernel, output compared byte for byte with the original's; and, side by
side, the kernel times of the original against the same source compiled by clang with the
toolkit's headers. Times come from CUPTI and are sums over a run, in pairs A B A B.
"""
import argparse
import fnmatch
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUN_LIMIT_SECONDS = 60


def environment(extra: dict) -> dict:
    env = dict(os.environ, REGRAIN_DEVICE="cuda", **extra)
    env["LD_LIBRARY_PATH"] = f"{HERE / 'lib'}:" + env.get("LD_LIBRARY_PATH", "")
    return env


def run(program: dict, binary: str, extra: dict) -> dict:
    """One run in a folder of its own; gives exit code, output bytes and what was printed."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [str(HERE / a[1:]) if a.startswith("@") else a for a in program["arguments"]]
        try:
            done = subprocess.run([HERE / "bin" / binary, *arguments], cwd=folder,
                                  env=environment({**program.get("environment", {}), **extra}),
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=RUN_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return {"code": "time-out", "output": b"", "stderr": ""}
        output = done.stdout if program.get("compareStdout") else b""
        for name in program.get("outputs", []):
            path = Path(folder) / name
            output += path.read_bytes() if path.exists() else b"(missing)"
        return {"code": done.returncode, "output": output, "stdout": done.stdout.decode(errors="replace"),
                "stderr": done.stderr.decode(errors="replace")}


def kernel_times(program: dict, binary: str, extra: dict) -> dict | None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "times.json"
        run(program, binary, {"CUDA_INJECTION64_PATH": str(HERE / "lib" / "libkernel_times.so"),
                              "REGRAIN_KERNEL_TIMES": str(report), **extra})
        return json.loads(report.read_text())["kernels"] if report.exists() else None


def check_alternatives(program: dict, original: dict, deadline: float) -> list[dict]:
    """Runs each alternative of each kernel; the original's output is what is right."""
    checked = []
    for kernel in program["kernels"]:
        for alternative in kernel["alternatives"]:
            if time.time() > deadline:
                return checked
            choice = f"{kernel['name']}:{alternative}"
            got = run(program, program["regrain"], {"REGRAIN_ALTERNATIVE": choice, "REGRAIN_VERBOSE": "1"})
            checked.append({"kernel": kernel["name"], "alternative": alternative,
                            "code": got["code"], "agrees": got["output"] == original["output"],
                            "ran": f": {alternative} (asked for" in got["stderr"],
                            "launchesOfTheOriginal": got["stderr"].count("original for this launch")})
            if got["code"] != 0 or not checked[-1]["agrees"]:
                print(f"  DIFFERS {choice}: exit {got['code']}", flush=True)
    return checked


def compare_with_clang(program: dict, repetitions: int, deadline: float) -> dict | None:
    """Pairs of runs, original against clang's; per kernel both medians and the paired ratios."""
    if "clang" not in program:
        return None
    ours, theirs = [], []
    for _ in range(repetitions + 1):
        if time.time() > deadline and len(ours) >= 3:
            break
        ours.append(kernel_times(program, program["regrain"], {}))
        theirs.append(kernel_times(program, program["clang"], {}))
        if ours[-1] is None or theirs[-1] is None:
            return {"error": "no kernel times"}
    ours, theirs = ours[1:], theirs[1:]  # the first pair warms up
    kernels = {}
    for name in ours[0]:
        if name not in theirs[0]:
            continue
        a = [sample[name]["totalUs"] for sample in ours]
        b = [sample[name]["totalUs"] for sample in theirs]
        ratios = [x / y for x, y in zip(a, b)]
        kernels[name] = {"regrainUs": statistics.median(a), "clangUs": statistics.median(b),
                         "ratioMedian": statistics.median(ratios), "ratioMin": min(ratios),
                         "ratioMax": max(ratios), "launches": ours[0][name]["launches"],
                         "registers": [ours[0][name]["registers"], theirs[0][name]["registers"]]}
    total = [sum(k["totalUs"] for k in x.values()) / sum(k["totalUs"] for k in y.values())
             for x, y in zip(ours, theirs)]
    return {"repetitions": len(ours), "kernels": kernels, "totalRatioMedian": statistics.median(total),
            "totalRatioMin": min(total), "totalRatioMax": max(total)}


def machine() -> dict:
    query = "name,driver_version,clocks.max.sm"
    gpu = subprocess.run(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"],
                         stdout=subprocess.PIPE, text=True) if shutil.which("nvidia-smi") else None
    return {"gpu": gpu.stdout.strip() if gpu else "unknown", "kernel": platform.release()}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("result")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--programs", default="*")
    parser.add_argument("--budget", type=float, default=500)
    options = parser.parse_args()
    deadline = time.time() + options.budget
    bundle = json.loads((HERE / "programs.json").read_text())
    result = {"schema": "regrain-gpu-run/1.0", "machine": machine(), "versions": bundle["versions"], "programs": []}
    bad = 0
    for program in bundle["programs"]:
        if not fnmatch.fnmatch(program["name"], options.programs):
            continue
        original = run(program, program["regrain"], {"REGRAIN_VERBOSE": "1"})
        row = {"name": program["name"], "arguments": program["arguments"], "code": original["code"]}
        print(f"{program['name']}: exit {original['code']}", flush=True)
        if original["code"] != 0:
            row["stderr"] = original["stderr"][-2000:]
            print(original["stderr"][-600:], flush=True)
        row["alternatives"] = check_alternatives(program, original, deadline)
        row["againstClang"] = compare_with_clang(program, options.repetitions, deadline)
        bad += original["code"] != 0 or any(not a["agrees"] for a in row["alternatives"])
        if row["againstClang"] and "kernels" in row["againstClang"]:
            for name, k in row["againstClang"]["kernels"].items():
                print(f"  {name[:60]:60} {k['regrainUs']:10.1f} {k['clangUs']:10.1f} us  {k['ratioMedian']:.4f}", flush=True)
        result["programs"].append(row)
        Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
    print(f"{len(result['programs']) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
