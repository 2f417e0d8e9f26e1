#!/usr/bin/env python3
"""Runs a test of the kernels at its original and at every alternative that it has for the CPU.

usage: alternatives.py REGRAIN PROGRAM

Each run checks itself, and must print the line that the original prints, which has a hash of all results.
"""
import concurrent.futures
import json
import os
import subprocess
import sys


def run(program: str, alternative: str) -> str:
    env = dict(os.environ, REGRAIN_DEVICE="cpu", REGRAIN_DB="off", REGRAIN_ALTERNATIVE=f"*:{alternative}")
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return done.stdout.strip() if done.returncode == 0 else f"exit {done.returncode}: {done.stdout[-500:]}"


def main() -> int:
    regrain, program = sys.argv[1:]
    report = json.loads(subprocess.run([regrain, "inspect", "--json", program], stdout=subprocess.PIPE, check=True).stdout)
    found = {a["id"] for image in report["images"] for kernel in image["kernels"] for a in kernel["alternatives"]
             if any(c["kind"] == "cpu" and c["symbol"] for c in a["code"])}
    original = run(program, "original")
    print(f"original: {original}")
    alternatives = sorted(found - {"original"})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda a: run(program, a), alternatives))
    different = [(a, r) for a, r in zip(alternatives, results) if r != original]
    for alternative, result in different:
        print(f"{alternative}: {result}")
    if different or not original.startswith("passed"):
        return 1
    print(f"the same at {len(alternatives)} alternatives")
    return 0


if __name__ == "__main__":
    sys.exit(main())
