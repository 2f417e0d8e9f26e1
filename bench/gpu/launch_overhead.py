#!/usr/bin/env python3
"""Measures the host's cost of a launch: Regrain against the CUDA runtime, on one GPU.

usage: launch_overhead.py RESULT.json [--rounds N] [--batches N] [--device NAME]

Beside it lie bin/launch_overhead.nvcc and bin/launch_overhead.regrain, both built from
launch_overhead.cu with -O3 (the latter with --alternatives=4), and Regrain's libraries in lib/.
Variants: "cuda runtime"; "original", without a database; "tuned", with a database in which a
grain is chosen for every class of launches that a tuning run has seen. Every round runs
each variant once, in turn; a figure is the median over rounds of a round's median batch,
with the quartiles over rounds. "over_cuda_runtime" are differences within a round.
"""
import argparse
import json
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GRAIN = "block.x=2"


def run(binary: str, batches: int, extra: dict) -> tuple[dict, str]:
    env = {**os.environ, **extra}
    env["LD_LIBRARY_PATH"] = f"{HERE / 'lib'}:" + env.get("LD_LIBRARY_PATH", "")
    done = subprocess.run([HERE / "bin" / binary, str(batches)], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{binary} ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), done.stderr


def choose_grain(database: Path) -> list[str]:
    """Tunes, then replaces each choice by GRAIN; returns the runtime's report of it."""
    run("launch_overhead.regrain", 2, {"REGRAIN_DB": str(database), "REGRAIN_TUNE": "session=bench,budget=5"})
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE choices SET alternative = ?", (GRAIN,))
    connection.close()
    _, said = run("launch_overhead.regrain", 2, {"REGRAIN_DB": str(database), "REGRAIN_VERBOSE": "1"})
    lines = [line for line in said.splitlines() if line.endswith("(tuned)")]
    if not any("eight" in line and GRAIN in line for line in lines):
        sys.exit(f"{GRAIN} is not used: {said}")
    return lines


def summary(values: list[float]) -> dict:
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median_us": round(middle, 4), "quartiles_us": [round(low, 4), round(high, 4)]}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("result", type=Path)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--batches", type=int, default=50)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    os.environ["REGRAIN_DEVICE"] = options.device
    rounds = {"cuda runtime": [], "original": [], "tuned": []}
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "tuning.db"
        chosen = choose_grain(database)
        variants = {"cuda runtime": ("launch_overhead.nvcc", {}),
                    "original": ("launch_overhead.regrain", {"REGRAIN_DB": "off"}),
                    "tuned": ("launch_overhead.regrain", {"REGRAIN_DB": str(database)})}
        names = list(variants)
        for number in range(options.rounds):
            for name in names[number % 3:] + names[:number % 3]:
                binary, extra = variants[name]
                times, _ = run(binary, options.batches, extra)
                rounds[name].append({key: statistics.median(batches) for key, batches in times.items()})
    keys = list(rounds["original"][0])
    difference = {name: {key: summary([mine[key] - theirs[key] for mine, theirs in zip(rounds[name], rounds["cuda runtime"])])
                         for key in keys} for name in ("original", "tuned")}
    result = {"schema": "regrain-launch-overhead", "rounds": options.rounds, "batches_per_round": options.batches,
              "host": platform.processor() or platform.machine(), "chosen": chosen,
              "times": {name: {key: summary([each[key] for each in of]) for key in keys} for name, of in rounds.items()},
              "over_cuda_runtime": difference, "every_round": rounds}
    options.result.write_text(json.dumps(result, indent=1) + "\n")
    for name, figures in difference.items():
        print(name, "over the CUDA runtime, us per call:",
              ", ".join(f"{key} {figure['median_us']:+.3f}" for key, figure in figures.items()))


if __name__ == "__main__":
    main()
