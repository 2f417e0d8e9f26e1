#!/usr/bin/env python3
"""Tunes programs that do all at once, breaks half of the runs, and compares what comes out with runs without tuning.

usage: isolation.py build REGRAIN FOLDER [--programs N] [--targets T] [--alternatives N]
       isolation.py run REGRAIN FOLDER [--runs N] [--budget S] [--device NAME] [--output FILE]
       isolation.py loader REGRAIN FOLDER [--budget S] [--device NAME] [--output FILE]

`build` writes N programs (isolation_programs.py) and compiles them; FOLDER then holds all that `run` needs beside
REGRAIN and the runtime, so that a machine with a GPU needs no compiler. `run` makes N tuning runs, over the programs in
turn. Every second one is broken: killed, interrupted or told that its processor time is over at some
moment, given hardly more address space than it needs without tuning, or no memory for copies. After each run the program runs without tuning on what
was learnt. Right is: a run that ends prints what an untuned run prints and ends with its exit code; one that was
killed prints the beginning of that. Exit code 1 where any run is wrong.

`loader` runs busy_loader, which `build` has compiled too, with and without tuning: what waiting at the gate costs a thread
that copies all the time.
"""
import argparse
import json
import os
import platform
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from isolation_programs import make_program

KILLS = {"kill": signal.SIGKILL, "interrupt": signal.SIGINT, "terminate": signal.SIGTERM, "time": signal.SIGXCPU}
TO_PROGRAM = ("kill", "time")  # `regrain tune` forwards the other signals
BREAKS = ["kill", "memory", "interrupt", "copies", "terminate", "time"]
PATIENCE_SECONDS = 300
MARGIN_KIB = 16 << 10  # in address space, beyond what the program needs without tuning


def build(arguments) -> int:
    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    programs = []
    for seed in range(arguments.programs):
        source, facts = make_program(seed)
        path = folder / f"program{seed}.cu"
        path.write_text(source)
        # Reasons name files as the command line does, so the command omits the folder of
        # this machine.
        command = [Path(arguments.regrain).resolve(), "cc", "-O2", "-w", f"--alternatives={arguments.alternatives}", path.name, "-o",
                   f"program{seed}", "-lpthread"]
        if arguments.targets:
            command.insert(2, f"--targets={arguments.targets}")
        if subprocess.run([str(c) for c in command], cwd=folder).returncode:
            return 1
        programs.append(facts)
    loader = Path(__file__).resolve().parent / "busy_loader.cu"
    command[-2] = "busy_loader"
    command[-4] = loader
    if subprocess.run([str(c) for c in command], cwd=folder).returncode:
        return 1
    (folder / "programs.json").write_text(json.dumps(programs, indent=1) + "\n")
    return 0


def limited(program: Path, kib: int) -> list[str]:
    """Returns the command that runs the program with at most that much address space; 0:
    unlimited."""
    return ["sh", "-c", f'ulimit -v {kib}; exec "$0"', str(program)] if kib else [str(program)]


def run_plain(program: Path, environment: dict, kib: int = 0) -> tuple[int, bytes]:
    done = subprocess.run(limited(program, kib), env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=PATIENCE_SECONDS)
    return done.returncode, done.stdout


def least_address_space(program: Path, environment: dict, expected: tuple) -> int:
    """Returns the KiB that the program needs without tuning, and a little more; 0 if no limit
    works."""
    low, high = 0, 64 << 20
    if run_plain(program, environment, high) != expected:
        return 0
    while high - low > MARGIN_KIB:
        middle = (low + high) // 2
        low, high = (low, middle) if run_plain(program, environment, middle) == expected else (middle, high)
    return high + MARGIN_KIB


def children_of(process: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def run_tuned(regrain: str, program: Path, arguments, how: str, rng, environment: dict, expected, facts) -> dict:
    """Makes one run; `wrong` says what is wrong, if anything."""
    database = program.with_suffix(".db")
    report = program.with_suffix(".json")
    report.unlink(missing_ok=True)
    options = ["--db", database, "--json", report, "--budget", arguments.budget]
    if how == "copies":
        options += ["--device-memory=0", f"--host-memory={rng.choice([0, 1])}"]
    started_as = limited(program, facts["addressSpace"] if how == "memory" else 0)
    command = [str(c) for c in [regrain, "tune", *options, "--", *started_as]]
    started = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if how in KILLS:
        time.sleep(rng.uniform(0.05, arguments.budget * 0.8))
        for target in children_of(process.pid) if how in TO_PROGRAM else [process.pid]:
            try:
                os.kill(target, KILLS[how])
            except ProcessLookupError:
                pass  # it has ended before
    try:
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        return {"how": how, "wrong": "it hangs"}
    entry = {"how": how, "code": process.returncode, "seconds": round(time.monotonic() - started, 2)}
    was_broken = how in KILLS and process.returncode == 128 + KILLS[how]
    entry["ended"] = not was_broken
    code, text = expected
    if was_broken and not text.startswith(output):
        entry["wrong"] = f"it printed {output!r}"
    if not was_broken and (process.returncode, output) != expected:
        entry["wrong"] = f"it ended with {process.returncode} and {output!r}, not {code} and {text!r}: {errors[-600:]!r}"
    after = run_plain(program, {**environment, "REGRAIN_DB": str(database)})
    if after != expected:
        entry["wrong"] = entry.get("wrong", "") + f"; run afterwards, {after!r}"
    if report.exists():
        data = json.loads(report.read_text())
        entry["classes"] = len(data.get("classes", []))
        entry["chosen"] = sum(c["alternative"] != "original" for c in data.get("classes", []))
        entry["notTuned"] = sorted({e["reason"] for e in data.get("not_tuned", [])})
        entry["excluded"] = [f'{e["alternative"]}: {e["reason"]}' for e in data.get("excluded", data.get("exclusions", []))]
        entry["restarts"] = data.get("restarts", 0)
    return entry


def prepare(folder: Path, facts: dict, environment: dict, wants_memory: bool) -> tuple:
    program = folder / f"program{facts['seed']}"
    expected = run_plain(program, environment)
    for _ in range(2):
        if run_plain(program, environment) != expected or expected[0] != 0:
            sys.exit(f"isolation: {program} is no test: {expected!r} is not what it always gives")
    facts["addressSpace"] = least_address_space(program, environment, expected) if wants_memory else 0
    return expected


def machine(regrain: str) -> dict:
    gpu = shutil.which("nvidia-smi")
    name = subprocess.run([gpu, "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip() if gpu else ""
    return {"cores": os.cpu_count(), "system": platform.platform(), **({"gpu": name} if name else {})}


def run(arguments) -> int:
    folder = Path(arguments.folder).resolve()
    programs = json.loads((folder / "programs.json").read_text())
    environment = {**os.environ, "REGRAIN_DB": "off"}
    environment.pop("REGRAIN_TUNE", None)
    if arguments.device:
        environment["REGRAIN_DEVICE"] = arguments.device
    rng = random.Random(14)
    expected, runs = {}, []
    for number in range(arguments.runs):
        facts = programs[number // 2 % len(programs)]
        program = folder / f"program{facts['seed']}"
        # A GPU's driver reserves more address space than any limit allows.
        breaks = [b for b in BREAKS if b != "memory" or arguments.device == "cpu"]
        how = breaks[number // 2 % len(breaks)] if number % 2 else "plain"
        if facts["seed"] not in expected:
            program.with_suffix(".db").unlink(missing_ok=True)
            expected[facts["seed"]] = prepare(folder, facts, environment, "memory" in breaks)
        entry = run_tuned(arguments.regrain, program, arguments, how, rng, environment, expected[facts["seed"]], facts)
        runs.append({"program": facts["seed"], **entry})
        print(f"{number + 1}: program {facts['seed']}, {how}: {entry.get('wrong', 'right')}", flush=True)
    wrong = [r for r in runs if "wrong" in r]
    result = {"schema": "regrain-isolation/1.0", "machine": machine(arguments.regrain), "device": arguments.device or "default",
              "budgetSeconds": arguments.budget, "programs": programs, "wrong": len(wrong), "runs": runs}
    if arguments.output:
        Path(arguments.output).write_text(json.dumps(result, indent=1) + "\n")
    print(f"isolation: {len(runs)} runs, {sum(r['how'] != 'plain' for r in runs)} of them broken, {len(wrong)} wrong")
    return 1 if wrong else 0


def loader(arguments) -> int:
    folder = Path(arguments.folder).resolve()
    environment = {**os.environ, "REGRAIN_DB": "off", **({"REGRAIN_DEVICE": arguments.device} if arguments.device else {})}
    program = [folder / "busy_loader", str(3 * arguments.budget)]
    database = folder / "busy_loader.db"
    database.unlink(missing_ok=True)
    report = folder / "busy_loader.json"
    tune = [arguments.regrain, "tune", "--quiet", "--db", database, "--json", report, "--budget", str(arguments.budget), "--"]
    result = {"schema": "regrain-isolation-loader/1.0", "machine": machine(arguments.regrain),
              "device": arguments.device or "default", "budgetSeconds": arguments.budget}
    for name, command in (("untuned", program), ("tuned", [*tune, *program])):
        output = subprocess.run([str(c) for c in command], env=environment, capture_output=True, text=True).stdout
        result[name] = json.loads(output)
    spent = sum(m["seconds"] for c in json.loads(report.read_text())["classes"] for m in c["measurements"])
    result["sampledSeconds"] = round(spent, 3)
    result["shareOfRoundTrips"] = round(result["tuned"]["roundTrips"] / result["untuned"]["roundTrips"], 3)
    print(json.dumps(result, indent=1))
    if arguments.output:
        Path(arguments.output).write_text(json.dumps(result, indent=1) + "\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("build", "run", "loader"):
        command = commands.add_parser(name)
        command.add_argument("regrain")
        command.add_argument("folder")
        if name == "build":
            command.add_argument("--programs", type=int, default=20)
            command.add_argument("--targets", default="")
            command.add_argument("--alternatives", type=int, default=3)
        else:
            command.add_argument("--runs", type=int, default=100)
            command.add_argument("--budget", type=float, default=3)
            command.add_argument("--device", default="")
            command.add_argument("--output")
    arguments = parser.parse_args()
    # Started programs get the default, even if this process was started in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return {"build": build, "run": run, "loader": loader}[arguments.command](arguments)


if __name__ == "__main__":
    sys.exit(main())
