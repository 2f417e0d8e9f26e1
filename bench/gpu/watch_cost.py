#!/usr/bin/env python3
"""Measures the cost of the watch over chosen grains (docs/decisions/0045).

usage: watch_cost.py RESULT.json [--rounds N] [--launches N] [--device NAME] [--program FILE]

FILE (bin/watch_cost.regrain beside this script) is built from watch_cost.cu with -O3
--alternatives=4; Regrain's libraries lie in lib/ beside it, unless FILE finds its own. A grain
is put in the place of every choice of a tuning run; then, for kernels of several lengths, each round
runs the program once with the watch and once with REGRAIN_WATCH=off, in turn first. "cost_percent"
is the median over rounds of (with / without - 1) within a round, with the quartiles, of the wall
clock and of the work of the process's threads.
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
STEPS = [16, 256, 4096]


def run(program: Path, launches: int, steps: int, extra: dict) -> tuple[dict, str]:
    env = {**os.environ, **extra}
    env["LD_LIBRARY_PATH"] = f"{HERE / 'lib'}:" + env.get("LD_LIBRARY_PATH", "")
    done = subprocess.run([program, str(launches), str(steps)], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{program} ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), done.stderr


def choose_grain(program: Path, database: Path, steps: int) -> None:
    """Tunes, then replaces each choice by GRAIN, recorded as no faster."""
    run(program, 4, steps, {"REGRAIN_DB": str(database), "REGRAIN_TUNE": "session=bench,budget=5"})
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE choices SET alternative = ?, chosen_us = original_us", (GRAIN,))
    connection.close()
    _, said = run(program, 4, steps, {"REGRAIN_DB": str(database), "REGRAIN_VERBOSE": "1"})
    if not any(GRAIN in line and line.endswith("(tuned)") for line in said.splitlines()):
        sys.exit(f"{GRAIN} is not used: {said}")


def measure(program: Path, database: Path, steps: int, rounds: int, launches: int) -> dict:
    choose_grain(program, database, steps)
    variants = [("with", {}), ("without", {"REGRAIN_WATCH": "off"})]
    times = {"with": [], "without": []}
    reverted = 0
    for number in range(rounds):
        for name, extra in variants[::1 if number % 2 else -1]:
            figures, said = run(program, launches, steps, {"REGRAIN_DB": str(database), **extra})
            times[name].append(figures)
            reverted += "goes on with the original" in said
    cost = {}
    for clock in ("wall_us", "work_us"):
        ratios = [100 * (a[clock] / b[clock] - 1) for a, b in zip(times["with"], times["without"])]
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        cost[clock] = {"median": round(middle, 4), "quartiles": [round(low, 4), round(high, 4)]}
    return {"steps": steps, "launch_us": round(statistics.median(t["wall_us"] for t in times["without"]), 3),
            "cost_percent": cost, "runs_reverted": reverted, "every_round": times}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("result", type=Path)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--launches", type=int, default=100000)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--program", type=Path, default=HERE / "bin/watch_cost.regrain")
    options = parser.parse_args()
    os.environ["REGRAIN_DEVICE"] = options.device
    kernels = []
    for steps in STEPS:
        with tempfile.TemporaryDirectory() as folder:
            kernels.append(measure(options.program, Path(folder) / "tuning.db", steps, options.rounds,
                                   max(options.launches * STEPS[0] // steps, 2000)))
        print({key: value for key, value in kernels[-1].items() if key != "every_round"}, flush=True)
    result = {"schema": "regrain-watch-cost", "rounds": options.rounds, "device": options.device,
              "host": platform.processor() or platform.machine(), "kernels": kernels}
    options.result.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
