"""Finds the CUDA toolkit, for scripts that can do without it."""
import os
from pathlib import Path


def find_toolkit() -> Path | None:
    """Returns the root of a toolkit with an assembler, or nothing."""
    candidates = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/usr/lib/cuda"]
    for candidate in candidates:
        if candidate and (Path(candidate) / "bin" / "ptxas").exists():
            return Path(candidate)
    return None
