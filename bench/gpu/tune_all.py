#!/usr/bin/env python3
"""Tunes every program of a bundle on the GPU, measures what that gains, and writes one JSON file.

usage: tune_all.py RESULT.json [--programs GLOB] [--rounds N] [--budget SECONDS] [--seconds S]

For each program of programs.json:
  tuning   one run under REGRAIN_TUNE with a budget of S seconds, and one without: wall seconds and
           output of both; a run that a candidate broke is started again without that candidate
  again    the same tuning with an empty database: how many choices are the same
  rounds   nvcc's, clang's, the original and the tuned program, one after the other, N times:
           kernel times from CUPTI, ratios taken within a round
Measurements and choices are read from the database that the tuning wrote.
"""
import argparse
import fnmatch
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

from run_all import HERE, kernel_times, machine, run, spread

RESTARTS = 6
OFF = {"REGRAIN_DB": "off"}


def rows(database: Path, query: str) -> list[dict]:
    if not database.exists():
        return []
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(query)]
    finally:
        connection.close()


def exclude_underway(database: Path, reason: str) -> list[dict]:
    """Does the supervisor's work: the candidate that ran when the process died does not run
    again."""
    broken = rows(database, "SELECT u.*, k.name FROM underway u JOIN kernels k ON k.id = u.kernel")
    connection = sqlite3.connect(database)
    for row in broken:
        connection.execute("INSERT OR IGNORE INTO exclusions (kernel, alternative, reason, at) VALUES (?, ?, ?, '')",
                           (row["kernel"], row["alternative"], reason))
    connection.execute("DELETE FROM underway")
    connection.commit()
    connection.close()
    return broken


def tune(program: dict, database: Path, seconds: float) -> dict:
    """Returns the complete run, and what broke the others."""
    broken = []
    for attempt in range(RESTARTS):
        extra = {"REGRAIN_DB": str(database), "REGRAIN_TUNE": f"session=s{attempt},budget={seconds}"}
        started = time.time()
        got = run(program, program["regrain"], extra, limit=seconds * 3 + 120)
        got["seconds"] = time.time() - started
        if got["code"] == 0 or not database.exists():
            break
        broken += exclude_underway(database, f"the process ended with {got['code']}")
    return {**got, "broken": [f"{row['name']} at {row['alternative']}" for row in broken]}


CHOICES = """SELECT k.name AS kernel, c.* FROM choices c JOIN kernels k ON k.id = c.kernel"""
MEASUREMENTS = """SELECT k.name AS kernel_name, m.* FROM measurements m JOIN kernels k ON k.id = m.kernel"""


def choices_of(database: Path) -> dict:
    return {(row["kernel"], row["launch_class"]): row for row in rows(database, CHOICES)}


def total(sample: dict) -> float:
    return sum(kernel["totalUs"] for kernel in sample.values())


def race(program: dict, database: Path, rounds: int, deadline: float) -> dict:
    variants = {"original": (program["regrain"], OFF), "tuned": (program["regrain"], {"REGRAIN_DB": str(database)})}
    for baseline in ("clang", "nvcc"):
        if baseline in program:
            variants[baseline] = (program[baseline], {})
    samples = {name: [] for name in variants}
    for number in range(rounds + 1):
        if number > 3 and time.time() > deadline:
            break
        for name, (binary, extra) in variants.items():
            sample = kernel_times(program, binary, extra)
            if sample is None:
                return {"error": f"no kernel times of {name}"}
            if number:  # the first round warms up
                samples[name].append(total(sample))
    result = {"rounds": len(samples["original"]),
              "microseconds": {name: statistics.median(values) for name, values in samples.items()}}
    for baseline in samples:
        if baseline != "tuned":
            result[f"over_{baseline}"] = spread([b / t for b, t in zip(samples[baseline], samples["tuned"])])
    if "clang" in samples and "nvcc" in samples:
        result["over_better"] = spread([min(c, n) / t for c, n, t in zip(samples["clang"], samples["nvcc"], samples["tuned"])])
    return result


def measure(program: dict, options: argparse.Namespace, deadline: float) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first.db", Path(folder) / "second.db"
        started = time.time()
        plain = run(program, program["regrain"], OFF)
        plain_seconds = time.time() - started
        tuned = tune(program, first, options.seconds)
        row = {"name": program["name"], "arguments": program["arguments"], "code": plain["code"], "tuningCode": tuned["code"],
               "plainSeconds": plain_seconds, "tuningSeconds": tuned["seconds"], "broken": tuned["broken"],
               "tuningOutputAgrees": tuned["output"] == plain["output"], "comparedBytes": len(plain["output"])}
        if plain["code"] != 0 or tuned["code"] != 0:
            row["stderr"] = (plain["stderr"] + tuned["stderr"])[-2000:]
        after = run(program, program["regrain"], {"REGRAIN_DB": str(first), "REGRAIN_VERBOSE": "1"})
        row["tunedOutputAgrees"] = after["output"] == plain["output"] and after["code"] == plain["code"]
        row["race"] = race(program, first, options.rounds, deadline)
        row["choices"] = list(choices_of(first).values())
        row["measurements"] = rows(first, MEASUREMENTS)
        row["exclusions"] = rows(first, "SELECT k.name, e.* FROM exclusions e JOIN kernels k ON k.id = e.kernel")
        if time.time() < deadline:
            tune(program, second, options.seconds)
            ours, theirs = choices_of(first), choices_of(second)
            row["again"] = [{"kernel": key[0], "class": key[1], "first": ours[key]["alternative"], "second": theirs[key]["alternative"],
                             "gains": [ours[key]["gain"], theirs[key]["gain"]]} for key in ours if key in theirs]
        return row


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("result")
    parser.add_argument("--programs", default="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    deadline = time.time() + options.budget
    bundle = json.loads((HERE / "programs.json").read_text())
    result = {"schema": "regrain-gpu-tuning/1.0", "machine": machine(), "versions": bundle["versions"], "programs": []}
    for program in bundle["programs"]:
        if not fnmatch.fnmatch(program["name"], options.programs) or time.time() > deadline + 60:
            continue
        row = measure(program, options, deadline)
        result["programs"].append(row)
        Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
        ratios = {key: round(value["median"], 3) for key, value in row["race"].items() if key.startswith("over_")}
        print(f"{row['name']}: exit {row['code']} {row['tuningCode']}, agrees {row['tuningOutputAgrees']} {row['tunedOutputAgrees']}, "
              f"{row['plainSeconds']:.1f} s, tuning {row['tuningSeconds']:.1f} s, {ratios} {row['race'].get('error', '')}", flush=True)
        for choice in row["choices"]:
            print(f"  {choice['kernel'][:34]:34} {choice['launch_class']:44} {choice['alternative']:30} {choice['original_us']:9.1f} "
                  f"{choice['chosen_us']:9.1f} {choice['gain']:.3f} {choice['verdict']}", flush=True)
        if row.get("stderr"):
            print(row["stderr"], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
