#!/usr/bin/env python3
"""Runs an example as it is lowered for GPUs, by a library that stands in for a driver, and compares with the CPU.

usage: run_lowered.py BUILD_DIR LIBRARY_DIR FORM TARGET[,TARGET...] EXAMPLE [SIZE...]

FORM is "ir" for a library that interprets LLVM IR, "image" for one that runs code objects. The
original and each of its alternatives must give the CPU's output: byte for byte, or, where it is of single
precision, within 4 units in the last place, as device libraries round otherwise than the CPU's. Code objects are
compiled with -fmad=false, and so is LLVM IR for NVIDIA GPUs: products and sums are fused there, and the CPU leaves them
apart.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from stand_in import environment

ROOT = Path(__file__).resolve().parents[3]
ALTERNATIVES = 8
RUN_LIMIT_SECONDS = 120
MOST_ULPS = 4


def ordered(bits: int) -> int:
    """Returns single-precision bits as an integer that counts units in the last place."""
    return bits if bits < 1 << 31 else (1 << 31) - bits


def distance(wanted: bytes, got: bytes) -> int | None:
    """Returns the distance of two sequences of floats in units in the last place; nothing if
    they are not comparable."""
    if len(wanted) != len(got) or len(wanted) % 4:
        return None
    pairs = zip(*(map(ordered, struct.unpack(f"<{len(row) // 4}I", row)) for row in (wanted, got)))
    return max((abs(a - b) for a, b in pairs), default=0)


def run(program: Path, sizes: list[str], output: Path, variables: dict) -> tuple[int, str]:
    output.unlink(missing_ok=True)
    done = subprocess.run([program, *sizes, "--output", output], env={**os.environ, **variables},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=RUN_LIMIT_SECONDS)
    return done.returncode, done.stdout.strip()


def alternatives_of(regrain: Path, program: Path, target: str) -> list[str]:
    """Returns the alternatives with code for the target, in the form of REGRAIN_ALTERNATIVE."""
    report = json.loads(subprocess.check_output([regrain, "inspect", "--json", program]))
    chip = target
    return [f"{kernel['name']}:{alternative['id']}" for image in report["images"] for kernel in image["kernels"]
            for alternative in kernel["alternatives"]
            if alternative["id"] != "original" and any(c["arch"] == chip and c["symbol"] for c in alternative["code"])]


def complaint(code: int, said: str, apart: int | None, asked: dict) -> str:
    """Returns what is wrong with a run with this output at this distance from the CPU's; empty
    if nothing is."""
    if code:
        return f"ends with status {code}"
    if apart is None:
        return "writes no output of the CPU's size"
    if apart > MOST_ULPS:
        return f"is {apart} ulps from the CPU"
    return "does not run" if asked and "(asked for by REGRAIN_ALTERNATIVE)" not in said else ""


def check(regrain: Path, program: Path, library: Path, target: str, sizes: list[str], wanted: bytes) -> list[str]:
    """Returns what does not agree, one sentence each; prints how much agrees."""
    example, output = program.name, program.with_suffix(".out")
    lowered = {**environment(library, target), "REGRAIN_VERBOSE": "1"}
    wrong: list[str] = []
    ulps: dict[str, int] = {}
    alternatives = alternatives_of(regrain, program, target)
    for alternative in ["original", *alternatives]:
        asked = {"REGRAIN_ALTERNATIVE": alternative} if alternative != "original" else {}
        code, said = run(program, sizes, output, {**lowered, **asked})
        apart = distance(wanted, output.read_bytes()) if output.exists() and not code else None
        if trouble := complaint(code, said, apart, asked):
            wrong.append(f"{example} as {target} at {alternative} {trouble}: {said}")
        else:
            ulps[alternative] = apart
    if "original" in ulps:
        print(f"{example} as {target}: the original and {len(ulps) - 1} alternatives agree with the CPU "
              f"within {max(ulps.values())} ulps")
    else:
        print(f"{example} as {target}: the original fails, {len(ulps)} of {len(alternatives)} alternatives agree with the CPU")
    return wrong


def main() -> int:
    regrain, library = Path(sys.argv[1]).resolve() / "bin/regrain", Path(sys.argv[2]).resolve()
    form, targets, example, sizes = sys.argv[3], sys.argv[4], sys.argv[5], sys.argv[6:]
    wrong = []
    flags = ["--image-form=ir"] if form == "ir" else []
    if form != "ir" or not targets.startswith("gfx"):
        flags.append("-fmad=false")
    with tempfile.TemporaryDirectory() as folder:
        program, output = Path(folder) / example, Path(folder) / "cpu"
        subprocess.run([regrain, "cc", "-O3", *flags, f"--alternatives={ALTERNATIVES}", f"--targets=cpu,{targets}",
                        ROOT / f"examples/{example}.cu", "-o", program], check=True)
        code, said = run(program, sizes, output, {"REGRAIN_DEVICE": "cpu"})
        if code:
            print(f"{example} on the CPU: {said}")
            return 1
        for target in targets.split(","):
            wrong += check(regrain, program, library, target, sizes, output.read_bytes())
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
