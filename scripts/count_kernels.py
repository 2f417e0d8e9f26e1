#!/usr/bin/env python3
"""Compares the kernels of built files with those in their images.

usage: count_kernels.py REGRAIN FILE|FOLDER...

For each kernel that the host's code can launch, clang writes a stub into the object file. The image is written by the
compilation for devices, so the stubs are an independent list of the kernels in the source. Of a folder, the programs
and shared libraries below it are read.

A stub without a kernel in the image is an error. The reverse is none: clang writes no stub for a kernel of internal
linkage that the host's code does not use, and the images of several objects may have the same template.
"""
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

STUB = "__device_stub__"
ELF_TYPES_OF_PROGRAMS = (2, 3)


def is_program(path: Path) -> bool:
    """Returns whether the file is an ELF program or shared library."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(18)
    return start[:4] == b"\x7fELF" and int.from_bytes(start[16:18], "little") in ELF_TYPES_OF_PROGRAMS


def files_of(paths: list[str]) -> list[Path]:
    files = []
    for path in map(Path, paths):
        if path.is_dir():
            below = sorted(file for file in path.rglob("*") if not file.is_symlink())
            files += filter(is_program, below)
        else:
            files.append(path)
    return files


def kernel_of(stub: str) -> str:
    """Returns the symbol of the stub's kernel: in a mangled name, a length precedes the stub's prefix."""
    return re.sub(rf"(\d+){STUB}", lambda found: str(int(found[1]) - len(STUB)), stub).replace(STUB, "")


def without_unit(symbol: str) -> str:
    """Removes what the device compiler appends to the names of internal linkage to tell files apart."""
    return re.sub(r"(\.static\.|__static__|\.intern\.|__intern__).*", "", symbol)


def kernels_in_source(file: Path) -> Counter:
    listed = subprocess.run(["nm", "--defined-only", file], capture_output=True, text=True)
    symbols = (line.split()[-1] for line in listed.stdout.splitlines())
    return Counter(kernel_of(symbol) for symbol in symbols if STUB in symbol)


def kernels_in_images(regrain: str, file: Path) -> Counter:
    """A file without an image has none."""
    report = subprocess.run([regrain, "inspect", "--json", file], capture_output=True, text=True)
    images = json.loads(report.stdout)["images"] if report.returncode == 0 else []
    return Counter(without_unit(kernel["symbol"]) for image in images for kernel in image["kernels"])


def main(regrain: str, paths: list[str]) -> int:
    programs = kernels = 0
    complete = True
    for file in files_of(paths):
        source = kernels_in_source(file)
        if not source:
            continue
        programs += 1
        kernels += source.total()
        for symbol in source - kernels_in_images(regrain, file):
            complete = False
            print(f"count_kernels: error: {file}: the image lacks {symbol}")
    print(f"count_kernels: {programs} files, {kernels} kernels in the source")
    return 0 if complete and programs else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
