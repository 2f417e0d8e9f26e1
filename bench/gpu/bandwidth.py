#!/usr/bin/env python3
"""Measures memory-bound examples against the device's own copy, and writes one JSON file.

usage: bandwidth.py RESULT.json [--rounds N] [--seconds S]

Tunes each example once (budget S seconds), then runs, one after the other, N times: the
device-to-device copy, nvcc's, clang's, the original and the tuned program. Each run repeats its
kernel and takes the median of its own event times. Bandwidth is the bytes that must move (each
value read once and written once) by that time; percentages are of the copy's in the same round.
"""
import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from run_all import HERE, machine, run, spread
from tune_all import OFF, choices_of, tune

RUN_LIMIT_SECONDS = 300
COPY_FLOATS = 2**30
EDGE = 512
# These are the arguments, and the bytes that must move. The Laplacian reads all values but the
# cube's twelve edges and writes the interior (the articles' figure of merit).
PROBLEMS = {
    "vector_copy": ([str(COPY_FLOATS), "--repeat", "10"], 2 * 4 * COPY_FLOATS),
    "laplacian": ([str(EDGE)] * 3 + ["--repeat", "20"],
                  8 * (EDGE**3 - 8 - 12 * (EDGE - 2)) + 8 * (EDGE - 2)**3),
}


def bandwidth(program: dict, binary: str, extra: dict, size: int) -> float:
    """Returns GB/s; fails if the program does not agree with its own reference."""
    got = run(program, binary, extra, limit=RUN_LIMIT_SECONDS)
    if got["code"] != 0:
        sys.exit(f"bandwidth: {binary} ended with {got['code']}: {got['stderr'][-500:]}")
    times = json.loads(got["stdout"].splitlines()[-1])["kernel_ms"]
    return size / statistics.median(times) / 1e6


def measure(program: dict, size: int, options: argparse.Namespace) -> dict:
    copy = {"arguments": [str(COPY_FLOATS), "--repeat", "10"]}
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "tuned.db"
        tuned = tune(program, database, options.seconds)
        variants = {name: (program[name], {}) for name in ("nvcc", "clang") if name in program}
        variants |= {"original": (program["regrain"], OFF), "tuned": (program["regrain"], {"REGRAIN_DB": str(database)})}
        rates = {name: [] for name in ("copy", *variants)}
        for _ in range(options.rounds):
            rates["copy"].append(bandwidth(copy, "device_copy", OFF, 2 * 4 * COPY_FLOATS))
            for name, (binary, extra) in variants.items():
                rates[name].append(bandwidth(program, binary, extra, size))
        percent = {name: spread([100 * r / c for r, c in zip(rates[name], rates["copy"])]) for name in variants}
        return {"name": program["name"], "arguments": program["arguments"], "bytes": size, "rounds": options.rounds,
                "tuningCode": tuned["code"], "tuningSeconds": tuned["seconds"], "broken": tuned["broken"],
                "choices": list(choices_of(database).values()),
                "gigabytesPerSecond": {name: spread(values) for name, values in rates.items()}, "percentOfCopy": percent}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("result")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    bundle = json.loads((HERE / "programs.json").read_text())
    result = {"schema": "regrain-gpu-bandwidth/1.0", "machine": machine(), "versions": bundle["versions"], "programs": []}
    for program in bundle["programs"]:
        if program["name"] not in PROBLEMS:
            continue
        arguments, size = PROBLEMS[program["name"]]
        row = measure({**program, "arguments": arguments, "outputs": []}, size, options)
        result["programs"].append(row)
        Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
        print(row["name"], {n: f"{p['median']:.1f}%" for n, p in row["percentOfCopy"].items()},
              f"{row['gigabytesPerSecond']['copy']['median']:.0f} GB/s", [c["alternative"] for c in row["choices"]], flush=True)


if __name__ == "__main__":
    main()
