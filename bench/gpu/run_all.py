#!/usr/bin/env python3
"""Runs every program of a bundle on the GPU and writes one JSON file.

usage: run_all.py RESULT.json [--repetitions N] [--programs GLOB] [--budget SECONDS] [--time] [--sanitize TOOL,...]

For each program of programs.json: the original, checked by the program itself; every
alternative of every kernel, output compared byte for byte with the original's; and, side by
side, the kernel times of the original against the same source compiled by clang with the
toolkit's headers. Times come from CUPTI and are sums over a run, in pairs A B A B.
With --time also every alternative's kernel times, in rounds of one run each of clang's, the
original and every alternative; ratios are taken within a round. With --sanitize instead each
alternative runs under compute-sanitizer's tools.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUN_LIMIT_SECONDS = 60
SANITIZERS_AT_ONCE = 14
ORIGINALS = "*:original"


def environment(extra: dict) -> dict:
    env = dict(os.environ, REGRAIN_DEVICE="cuda", **extra)
    env["LD_LIBRARY_PATH"] = f"{HERE / 'lib'}:" + env.get("LD_LIBRARY_PATH", "")
    return env


def run(program: dict, binary: str, extra: dict, command: list = [], limit: float = RUN_LIMIT_SECONDS) -> dict:
    """Runs `command` in a folder of its own; returns the exit code, the output bytes and the
    messages."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [str(HERE / a[1:]) if a.startswith("@") else a for a in program["arguments"]]
        try:
            done = subprocess.run([*command, HERE / "bin" / binary, *arguments], cwd=folder,
                                  env=environment({**program.get("environment", {}), **extra}),
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit)
        except subprocess.TimeoutExpired:
            return {"code": "time-out", "output": b"", "stderr": ""}
        output = done.stdout if program.get("compareStdout") else b""
        for name in program.get("outputs", []):
            path = Path(folder) / name
            output += path.read_bytes() if path.exists() else b"(missing)"
        return {"code": done.returncode, "output": output, "stdout": done.stdout.decode(errors="replace"),
                "stderr": done.stderr.decode(errors="replace")}


def one_changed(kernel: str, alternative: str) -> str:
    """Returns the request that runs one kernel at an alternative and the others at the original."""
    return f"{ORIGINALS};{kernel}:{alternative}"


def kernel_times(program: dict, binary: str, extra: dict) -> dict | None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "times.json"
        run(program, binary, {"CUDA_INJECTION64_PATH": str(HERE / "lib" / "libkernel_times.so"),
                              "REGRAIN_KERNEL_TIMES": str(report), **extra})
        return json.loads(report.read_text())["kernels"] if report.exists() else None


def check_alternatives(program: dict, original: dict, deadline: float) -> list[dict]:
    """Runs each alternative of each kernel; the original's output is the reference."""
    checked = []
    for kernel in program["kernels"]:
        for alternative in kernel["alternatives"]:
            if time.time() > deadline:
                return checked
            choice = one_changed(kernel["name"], alternative)
            got = run(program, program["regrain"], {"REGRAIN_ALTERNATIVE": choice, "REGRAIN_VERBOSE": "1"})
            checked.append({"kernel": kernel["name"], "alternative": alternative,
                            "code": got["code"], "comparedBytes": len(got["output"]), "agrees": got["output"] == original["output"],
                            "ran": f": {alternative} (asked for" in got["stderr"],
                            "launchesOfTheOriginal": got["stderr"].count("original for this launch")})
            if got["code"] != 0 or not checked[-1]["agrees"]:
                print(f"  DIFFERS {choice}: exit {got['code']}", flush=True)
    return checked


def compare_with_clang(program: dict, repetitions: int, deadline: float) -> dict | None:
    """Runs pairs, original against clang's; returns both medians and the paired ratios by
    kernel."""
    if "clang" not in program:
        return None
    ours, theirs = [], []
    for _ in range(repetitions + 1):
        if time.time() > deadline and len(ours) >= 3:
            break
        ours.append(kernel_times(program, program["regrain"], {"REGRAIN_ALTERNATIVE": ORIGINALS}))
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


def time_of(sample: dict, symbols: list[str]) -> float:
    """Returns the microseconds of a kernel: its alternative and the original, which may run
    some launches."""
    return sum(sample[s]["totalUs"] for s in symbols if s in sample)


def spread(values: list[float]) -> dict:
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def time_alternatives(program: dict, repetitions: int, deadline: float) -> dict:
    """Makes rounds of one run of each; returns speed-ups over the original and over clang's in
    the same round."""
    choices = [(kernel, a) for kernel in program["kernels"] for a in kernel["alternatives"]]
    rounds = []
    for _ in range(repetitions + 1):
        if time.time() > deadline and len(rounds) >= 3:
            break
        base = kernel_times(program, program["regrain"], {"REGRAIN_ALTERNATIVE": ORIGINALS})
        clang = kernel_times(program, program["clang"], {}) if "clang" in program else base
        runs = [kernel_times(program, program["regrain"], {"REGRAIN_ALTERNATIVE": one_changed(k["name"], a)})
                for k, a in choices]
        if base is None or clang is None or None in runs:
            return {"error": "no kernel times"}
        rounds.append((base, clang, runs))
    rounds = rounds[1:]  # the first warms up
    rows = []
    for index, (kernel, alternative) in enumerate(choices):
        symbols = [kernel["symbol"], kernel["symbols"][alternative]]
        used = [r for r in rounds if time_of(r[0], symbols)]
        if not used:
            continue
        base = [time_of(r[0], symbols) for r in used]
        clang = [time_of(r[1], symbols) for r in used]
        mine = [time_of(r[2][index], symbols) for r in used]
        program_base = [sum(k["totalUs"] for k in r[0].values()) for r in used]
        program_mine = [sum(k["totalUs"] for k in r[2][index].values()) for r in used]
        rows.append({"kernel": kernel["name"], "alternative": alternative, "originalUs": statistics.median(base),
                     "us": statistics.median(mine), "speedup": spread([b / m for b, m in zip(base, mine)]),
                     "speedupOverClang": spread([c / m for c, m in zip(clang, mine) if c]) if any(clang) else None,
                     "programSpeedup": spread([b / m for b, m in zip(program_base, program_mine)])})
    return {"rounds": len(rounds), "alternatives": rows}


def sanitize(program: dict, tools: list[str], deadline: float) -> list[dict]:
    """Runs the original and each alternative under each tool; a tool's report counts as a
    failure."""
    choices = [ORIGINALS] + [one_changed(k["name"], a) for k in program["kernels"] for a in k["alternatives"]]
    small = dict(program, arguments=program.get("smallArguments", program["arguments"]))

    def check(job: tuple[str, str]) -> dict:
        tool, choice = job
        if time.time() > deadline:
            return {"tool": tool, "choice": choice, "code": "not run: out of time"}
        command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", "--print-limit", "5"]
        got = run(small, program["regrain"], {"REGRAIN_ALTERNATIVE": choice}, command, 300)
        row = {"tool": tool, "choice": choice, "code": got["code"]}
        if got["code"] != 0:
            row["text"] = got.get("stdout", "")[:1500]
            print(f"  {tool} {choice}: exit {got['code']}", flush=True)
        return row

    with ThreadPoolExecutor(SANITIZERS_AT_ONCE) as pool:
        return list(pool.map(check, [(tool, choice) for tool in tools for choice in choices]))


def machine() -> dict:
    query = "name,driver_version,clocks.max.sm"
    gpu = subprocess.run(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"],
                         stdout=subprocess.PIPE, text=True) if shutil.which("nvidia-smi") else None
    return {"gpu": gpu.stdout.strip() if gpu else "unknown", "kernel": platform.release()}


def measure(program: dict, original: dict, row: dict, options: argparse.Namespace, deadline: float) -> bool:
    """Fills `row`; returns whether all alternatives are right."""
    row["alternatives"] = check_alternatives(program, original, deadline)
    if options.time:
        row["timed"] = time_alternatives(program, options.repetitions, deadline)
        for a in row["timed"].get("alternatives", []):
            print(f"  {a['kernel'][:30]:30} {a['alternative']:40} {a['originalUs']:10.1f} {a['us']:10.1f} us "
                  f"{a['speedup']['median']:.3f} program {a['programSpeedup']['median']:.3f}", flush=True)
    else:
        row["againstClang"] = compare_with_clang(program, options.repetitions, deadline)
        for name, k in ((row["againstClang"] or {}).get("kernels") or {}).items():
            print(f"  {name[:60]:60} {k['regrainUs']:10.1f} {k['clangUs']:10.1f} us  {k['ratioMedian']:.4f}", flush=True)
    return original["code"] == 0 and all(a["agrees"] for a in row["alternatives"])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("result")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--programs", default="*")
    parser.add_argument("--budget", type=float, default=500)
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--sanitize", type=lambda text: text.split(","), default=[])
    options = parser.parse_args()
    deadline = time.time() + options.budget
    bundle = json.loads((HERE / "programs.json").read_text())
    result = {"schema": "regrain-gpu-run/1.0", "machine": machine(), "versions": bundle["versions"], "programs": []}
    bad = 0
    for program in bundle["programs"]:
        if not fnmatch.fnmatch(program["name"], options.programs):
            continue
        original = run(program, program["regrain"], {"REGRAIN_ALTERNATIVE": ORIGINALS, "REGRAIN_VERBOSE": "1"})
        row = {"name": program["name"], "arguments": program["arguments"], "code": original["code"]}
        print(f"{program['name']}: exit {original['code']}", flush=True)
        if original["code"] != 0:
            row["stderr"] = original["stderr"][-2000:]
            print(original["stderr"][-600:], flush=True)
        if options.sanitize:
            row["sanitizer"] = sanitize(program, options.sanitize, deadline)
            bad += any(r["code"] != 0 for r in row["sanitizer"])
        else:
            bad += not measure(program, original, row, options, deadline)
        result["programs"].append(row)
        Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
    print(f"{len(result['programs']) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
