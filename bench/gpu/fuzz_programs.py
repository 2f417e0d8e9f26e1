#!/usr/bin/env python3
"""Compiles and runs the programs that `regrain-fuzz --emit=DIR` has written: original against alternatives.

usage: fuzz_programs.py compile DIR --regrain PATH [--targets LIST] [--jobs N] [--first I] [--count N]
       fuzz_programs.py run DIR RESULT.json [--device KIND] [--jobs N] [--limit SECONDS]

compile makes DIR/bin/seedN with the original and every legal grain of DIR/programs.json, for sm_90 unless
--targets says otherwise, and DIR/compiled.json; it needs the compiler and no GPU. run takes each program at the
original and at each grain that has code. A program that checks itself prints OK and ends with 0; of the
others the output must be the original's. A run past the limit waits for ever. Where the original fails, its
grains say nothing and are left out. Exit status 1 where a grain fails or an original does.
"""
import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COMPILE_SECONDS = 300


def compile_program(program: dict, options: argparse.Namespace) -> dict:
    """Makes one executable; gives the program with what the compiler said."""
    binary = options.folder / "bin" / Path(program["file"]).stem
    grains = [f"--coarsen=*:{grain}" for grain in program["grains"]]
    command = [options.regrain, "cc", f"--targets={options.targets}", *grains, "-o", binary, options.folder / program["file"]]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=COMPILE_SECONDS)
        failed = f"the compiler ended with {done.returncode}: {done.stdout[-800:]}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        failed = f"the compiler took more than {COMPILE_SECONDS} s"
    return {**program, "binary": f"bin/{binary.name}", "failed": failed}


def compile_all(options: argparse.Namespace) -> int:
    (options.folder / "bin").mkdir(exist_ok=True)
    programs = json.loads((options.folder / "programs.json").read_text())
    chosen = programs[options.first:][:options.count]
    with ThreadPoolExecutor(options.jobs) as pool:
        compiled = list(pool.map(lambda program: compile_program(program, options), chosen))
    (options.folder / "compiled.json").write_text(json.dumps(compiled, indent=1) + "\n")
    failed = [program for program in compiled if program["failed"]]
    for program in failed:
        print(f"seed {program['seed']}: {program['failed']}")
    print(f"fuzz_programs: {len(compiled)} programs, {len(failed)} do not compile")
    return 1 if failed else 0


def run_at(program: dict, grain: str, options: argparse.Namespace) -> dict:
    """What a program did, and whether the grain was what ran."""
    extra = {"REGRAIN_DEVICE": options.device, "REGRAIN_ALTERNATIVE": f"*:{grain}", "REGRAIN_VERBOSE": "1", "REGRAIN_DB": "off"}
    try:
        done = subprocess.run([options.folder / program["binary"]], env={**os.environ, **extra}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=options.limit)
    except subprocess.TimeoutExpired:
        return {"what": "waits for ever", "output": "", "ran": True}
    what = "ends well" if done.returncode == 0 else f"ends with {done.returncode}: {done.stdout.strip()[-200:]}"
    ran = "gives way" not in done.stderr and (grain == "original" or f": {grain} (asked for" in done.stderr)
    return {"what": what, "output": done.stdout, "ran": ran}


def run_program(program: dict, options: argparse.Namespace) -> dict:
    original = run_at(program, "original", options)
    result = {"seed": program["seed"], "original": original["what"], "agree": 0, "gave_way": 0, "findings": []}
    if original["what"] != "ends well":
        return result
    for grain in program["grains"]:
        got = run_at(program, grain, options)
        if got["what"] == "ends well" and got["output"] != original["output"]:
            got["what"] = "prints something else"
        if got["what"] != "ends well":
            result["findings"].append({"grain": grain, "what": got["what"]})
        else:
            result["agree" if got["ran"] else "gave_way"] += 1
    return result


def record(results: list[dict], options: argparse.Namespace) -> dict:
    """Writes what is known so far; a run that is ended leaves that."""
    summary = {"device": options.device, "programs": len(results), "pairs_agreeing": sum(result["agree"] for result in results),
               "pairs_that_gave_way": sum(result["gave_way"] for result in results),
               "originals_that_fail": [{"seed": result["seed"], "what": result["original"]} for result in results
                                       if result["original"] != "ends well"],
               "findings": [{"seed": result["seed"], **finding} for result in results for finding in result["findings"]]}
    options.result.write_text(json.dumps(summary, indent=1) + "\n")
    return summary


def run_all(options: argparse.Namespace) -> int:
    programs = [program for program in json.loads((options.folder / "compiled.json").read_text()) if not program["failed"]]
    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda program: run_program(program, options), programs):
            results.append(result)
            if len(results) % 50 == 0:
                record(results, options)
    summary = record(results, options)
    found, originals = summary["findings"], summary["originals_that_fail"]
    for finding in found:
        print(f"seed {finding['seed']} at {finding['grain']}: {finding['what']}")
    for result in originals:
        print(f"seed {result['seed']} at original: {result['what']}")
    print(f"fuzz_programs: {len(results)} programs, {summary['pairs_agreeing']} pairs agree, {summary['pairs_that_gave_way']} gave way "
          f"to the original, {len(found)} do not agree, {len(originals)} originals fail")
    return 1 if found or originals else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    compiling = commands.add_parser("compile")
    compiling.add_argument("folder", type=Path)
    compiling.add_argument("--regrain", type=Path, required=True)
    compiling.add_argument("--targets", default="sm_90")
    compiling.add_argument("--first", type=int, default=0)
    compiling.add_argument("--count", type=int, default=None)
    compiling.set_defaults(work=compile_all)
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("result", type=Path)
    running.add_argument("--device", default="cuda")
    running.add_argument("--limit", type=float, default=20, help="seconds of a run")
    running.set_defaults(work=run_all)
    for command in (compiling, running):
        command.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main())
