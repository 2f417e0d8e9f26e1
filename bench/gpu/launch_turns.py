#!/usr/bin/env python3
"""Measures the host's cost of launches at several choices, beside NVIDIA's runtime, in one process.

usage: launch_turns.py RESULT.json [--processes N] [--seconds N] [--driver FOLDER]

Beside it lie launch_turns (launch_turns.cpp, -ldl), nvcc.so (launch_turns.cu by nvcc -O3 -shared)
and regrain.so (the same by regrain cc -O3 -shared --alternatives=20
--coarsen='triad_remainder:block.x=3:remainder' --coarsen='sums_lent:shared=global'), and in one or
several folders lib* Regrain's libraries, which are measured in turn. A database is made by a tuning
run of a second, and then gets the choices of GRAINS; `forced` is what REGRAIN_ALTERNATIVE asks for.
With --driver, a folder with another libcuda.so.1, only Regrain runs: a driver that does nothing
shows the runtime's own share.
"""
import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GRAINS = {"triad_same": "original", "triad_block": "block.x=2", "triad_vendor": "compiler=nvcc",
          "triad_apart": "for.aliases=none", "triad_wide": "thread.x=4:contiguous,for.pointers=16",
          "triad_shape": "shape=512x1x1", "eight_block": "block.x=2",
          "void scaled_variant<1>": "variant=scaled_variant<2>"}
FORCED = "triad_forced:block.x=2"


def run(libraries: list[str], seconds: float, env: dict, core: int | None = None) -> subprocess.CompletedProcess:
    pin = (lambda: os.sched_setaffinity(0, {core})) if core is not None else None
    done = subprocess.run([HERE / "launch_turns", str(seconds), *(HERE / each for each in libraries)], env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, preexec_fn=pin)
    if done.returncode:
        sys.exit(f"launch_turns ended with {done.returncode}: {done.stderr}")
    return done


def environment(folder: str, database: Path, driver: str | None, **more: str) -> dict:
    paths = [driver] if driver else []
    paths += [str(HERE / folder), os.environ.get("LD_LIBRARY_PATH", "")]
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(paths), "REGRAIN_DEVICE": "cuda", "REGRAIN_DB": str(database),
            "REGRAIN_ALTERNATIVE": FORCED, "REGRAIN_WATCH": "off", **more}


def choose(database: Path) -> int:
    """Replaces all choices by those of GRAINS, each for the class that the tuning run has seen."""
    with sqlite3.connect(database) as connection:
        names = dict(connection.execute("SELECT id, name FROM kernels"))
        rows = connection.execute("SELECT * FROM choices").fetchall()
        columns = [each[0] for each in connection.execute("SELECT * FROM choices").description]
        classes = {row[columns.index("kernel")]: row for row in rows}
        triad = next(row for row in rows if names[row[columns.index("kernel")]].startswith("triad"))
        of_eight = triad[columns.index("launch_class")] + ":2:1"
        connection.execute("DELETE FROM choices")
        count = 0
        for kernel, name in names.items():
            grain = next((grain for start, grain in GRAINS.items() if name.startswith(start + "(")), None)
            if grain is None:
                continue
            values = dict(zip(columns, classes.get(kernel, triad)))
            values |= {"kernel": kernel, "alternative": grain}
            if name.startswith("eight"):
                values["launch_class"] = of_eight
            connection.execute(f"INSERT INTO choices VALUES ({','.join('?' * len(columns))})", list(values.values()))
            count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("result", type=Path)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--driver")
    options = parser.parse_args()
    folders = sorted(each.name for each in HERE.glob("lib*") if each.is_dir())
    core = (sorted(os.sched_getaffinity(0))[-3:])[0]
    processes = []
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch) / "tuning.db"
        run(["regrain.so"], 0, environment(folders[-1], database, options.driver, REGRAIN_TUNE="session=bench,budget=4"))
        if choose(database) != len(GRAINS):
            sys.exit("the tuning run has not seen all kernels")
        said = run(["regrain.so"], 0, environment(folders[-1], database, options.driver, REGRAIN_VERBOSE="1")).stderr
        chosen = [line for line in said.splitlines() if "(tuned)" in line or "asked for by" in line]
        for number in range(options.processes):
            libraries = ["regrain.so"] if options.driver else ["nvcc.so", "regrain.so"][::1 if number // 2 % 2 else -1]
            folder = folders[number % len(folders)]
            done = run(libraries, options.seconds, environment(folder, database, options.driver), core)
            processes.append({"runtime": folder, "times": json.loads(done.stdout.replace(str(HERE) + "/", ""))})
            summary = {folder: {case: {key: round(statistics.median(each["times"][case][key] for each in processes if each["runtime"] == folder), 4)
                                       for key in times} for case, times in processes[-1]["times"].items() if isinstance(times, dict)}
                       for folder in {each["runtime"] for each in processes}}
            options.result.write_text(json.dumps({"chosen": chosen, "median_of_processes_us": summary, "processes": processes}, indent=1) + "\n")
    print(f"{len(processes)} processes, {options.result}")


if __name__ == "__main__":
    main()
