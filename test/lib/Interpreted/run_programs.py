#!/usr/bin/env python3
"""Runs programs of test/e2e/programs as they are lowered for GPUs; each checks its own results.

usage: run_programs.py BUILD_DIR LIBRARY_DIR FORM TARGET[,TARGET...] PROGRAM...

Each is compiled with the last grain that its first lines ask for, and runs as original and at that grain, on a
library that stands in for a driver (see run_lowered.py).
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from stand_in import environment

PROGRAMS = Path(__file__).resolve().parents[2] / "e2e/programs"


def check(build: Path, library: Path, form: str, targets: str, name: str, program: Path) -> list[str]:
    source = PROGRAMS / f"{name}.cu"
    grains = re.findall(r"--coarsen='([^']*)'", source.read_text())[-1:]
    permits = ["--reassociate"] if "--reassociate" in source.read_text() else []
    compiled = subprocess.run([build / "bin/regrain", "cc", "-O1", f"--image-form={form}", f"--targets={targets}", "-o", program, source,
                               *permits, *(f"--coarsen={grain}" for grain in grains)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    if compiled.returncode:
        return [f"{name} for {targets}: {compiled.stdout}"]
    wrong = []
    for target in targets.split(","):
        for choice in ({"REGRAIN_ALTERNATIVE": "*:original"}, {}):
            done = subprocess.run([program], env={**os.environ, **environment(library, target), **choice}, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=120)
            if done.returncode:
                wrong.append(f"{name} as {target}{' at its grain' if not choice else ''}: {done.stdout.strip()}")
    return wrong


def main() -> int:
    build, library = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    form, targets, names = sys.argv[3], sys.argv[4], sys.argv[5:]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            wrong += check(build, library, form, targets, name, Path(folder) / name)
    print("\n".join(wrong) if wrong else f"{len(names)} programs as {targets} agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
