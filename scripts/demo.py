#!/usr/bin/env python3
"""Compiles the examples at several grains, runs each on the CPU and compares all outputs.

usage: demo.py BUILD_DIR [--targets LIST] [EXAMPLE ...]

Each example checks itself against a plain C++ reference; each alternative's output must be the
original's byte for byte. Prints one table, one sentence, and commands to try next; exits 1 where
anything differs.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from progress import Progress
from toolkit import find_toolkit

ROOT = Path(__file__).resolve().parent.parent
ALTERNATIVES = 10
TARGETS = "cpu,ptx,sm_90" if find_toolkit() else "cpu,ptx"
RUN_LIMIT_SECONDS = 120


class Problems:
    """The problems, in the order in which they were found."""

    def __init__(self, progress: Progress) -> None:
        self.sentences: list[str] = []
        self.progress = progress

    def add(self, sentence: str) -> None:
        self.sentences.append(sentence)
        self.progress.say(sentence)


def compile_example(compiler: list, source: Path, output: Path) -> str | None:
    """Compiles with alternatives; returns the compiler's messages if it failed."""
    done = subprocess.run([*compiler, "-O3", f"--alternatives={ALTERNATIVES}", source, "-o", output],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else None


def run_program(program: Path, alternative: str | None, output: Path) -> tuple[int | str, float]:
    """Runs one alternative or the original on the CPU; returns the exit code and the seconds."""
    env = dict(os.environ, REGRAIN_DEVICE="cpu")
    env.pop("REGRAIN_ALTERNATIVE", None)
    if alternative:
        env["REGRAIN_ALTERNATIVE"] = alternative
    started = time.time()
    try:
        done = subprocess.run([program, "--output", output], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=RUN_LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return "time-out", time.time() - started
    return done.returncode, time.time() - started


def cpu_alternatives(kernel: dict) -> list[str]:
    return [a["id"] for a in kernel["alternatives"]
            if a["id"] != "original" and any(c["kind"] == "cpu" and c["symbol"] for c in a["code"])]


def check_kernel(program: Path, kernel: dict, original: bytes, folder: Path, problems: Problems) -> tuple[int, float]:
    """Runs every alternative of a kernel; returns how many agree and the seconds they took."""
    def one(identifier: str):
        output = folder / f"{program.name}.{identifier}.bin"
        code, seconds = run_program(program, f"{kernel['name']}:{identifier}", output)
        same = output.exists() and output.read_bytes() == original
        output.unlink(missing_ok=True)
        return identifier, code, same, seconds

    agree, total = 0, 0.0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for identifier, code, same, seconds in pool.map(one, cpu_alternatives(kernel)):
            total += seconds
            if code == 0 and same:
                agree += 1
            else:
                problems.add(f"{program.name}: {kernel['name']} at {identifier}: "
                             + (f"exit {code}" if code != 0 else "the output differs from the original's"))
    return agree, total


def print_table(rows: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def demonstrate(regrain: Path, targets: str, source: Path, folder: Path, problems: Problems) -> tuple[list, list]:
    """Runs one example; returns rows of the table, and the refusals as sentences."""
    program = folder / source.stem
    messages = compile_example([regrain, "cc", f"--targets={targets}"], source, program)
    if messages is not None:
        problems.add(f"{source.name} does not compile:\n{messages}")
        return [], []
    original_output = folder / f"{source.stem}.bin"
    code, seconds = run_program(program, None, original_output)
    if code != 0:
        problems.add(f"{source.stem}: the original ends with {code}")
        return [], []
    report = json.loads(subprocess.check_output([regrain, "inspect", "--json", program]))
    rows, refused = [], []
    for image in report["images"]:
        for kernel in image["kernels"]:
            names = cpu_alternatives(kernel)
            agree, total = check_kernel(program, kernel, original_output.read_bytes(), folder, problems)
            refusals = [r for r in image["refusals"] if r["kernel"] == kernel["symbol"]]
            refused += [f"{source.name}:{r['line']}: {kernel['name'].split('(')[0]} at {r['id']}: {r['reason']}"
                        for r in refusals]
            rows.append([source.stem, kernel["name"].split("(")[0], str(len(names)), f"{agree} of {len(names)}",
                         str(len(refusals)), f"{seconds + total:.1f} s"])
    return rows, refused


def print_result(rows: list, refused: list) -> None:
    print()
    print_table([["program", "kernel", "grains", "same output", "refused", "run time"]] + rows)
    print("""
Each kernel was compiled as it is and at that many other grains: another share of its work for each
thread and block. The program ran once for each on this CPU; its output is the same if every byte
is that of the original. A grain is refused if nothing proves that it gives the same results.""")
    if refused:
        print("\nrefused:")
        print("\n".join(f"  {line}" for line in refused))


def next_commands(regrain: str) -> list[str]:
    """Returns what to try on a program of one's own."""
    return [f"{regrain} cc -O3 --alternatives=16 program.cu -o program",
            f"{regrain} tune -- ./program",
            f"{regrain} explain program"]


def print_next(regrain: str) -> None:
    print("\nNext, on a program of your own: build it, run it and make it faster, see what its kernels allow.")
    for command in next_commands(regrain):
        print(f"  {command}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--targets", default=TARGETS, help="of regrain cc; only the code for the CPU is run")
    parser.add_argument("examples", nargs="*")
    options = parser.parse_intermixed_args()
    regrain = options.build.resolve() / "bin" / "regrain"
    names = options.examples or sorted(source.stem for source in (ROOT / "examples").glob("*.cu"))
    progress = Progress("examples")
    problems, rows, refused = Problems(progress), [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            progress.show(number, len(names), name)
            more_rows, more_refused = demonstrate(regrain, options.targets, ROOT / "examples" / f"{name}.cu", Path(folder), problems)
            rows += more_rows
            refused += more_refused
    progress.end(f"{len(names)} done")
    print_result(rows, refused)
    if problems.sentences:
        print(f"\ndemo: {len(problems.sentences)} problems: {problems.sentences[0].splitlines()[0]}")
        return 1
    alternatives = sum(int(row[2]) for row in rows)
    print(f"\ndemo: {len(rows)} kernels, {alternatives} alternatives, all outputs agree")
    print_next(os.path.relpath(regrain))
    return 0


if __name__ == "__main__":
    sys.exit(main())
