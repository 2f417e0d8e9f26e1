#!/usr/bin/env python3
# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds libregrain-kernels.so and puts Regrain's runtime beside it.

usage: build_library.py FOLDER

The environment may name: REGRAIN_NVCC, the compiler (regrain-nvcc); REGRAIN_KERNELS_FLAGS, its options
(-O3 --targets=cpu --alternatives=24; for a GPU for example -O3 -arch=sm_90 --alternatives=24 --choose=FILE); and
REGRAIN_KERNELS_LIBRARY, a library that is copied instead of being built.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent
FLAGS = "-O3 --targets=cpu --alternatives=24"
RUNTIME = ("libregrain.so", "libregrain-cpu.so", "libregrain-tuning.so")


def runtime_folder(compiler: str) -> Path:
    root = subprocess.run([compiler.replace("regrain-nvcc", "regrain"), "--cuda-path"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    return (Path(root) / "lib64/libcudart.so").resolve().parent


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "libregrain-kernels.so"
    compiler = os.environ.get("REGRAIN_NVCC", "regrain-nvcc")
    if given := os.environ.get("REGRAIN_KERNELS_LIBRARY"):
        shutil.copy2(given, library)
    else:
        sources = sorted([*SOURCES.glob("src/*.cu"), *SOURCES.glob("src/*.cpp")])
        flags = os.environ.get("REGRAIN_KERNELS_FLAGS", FLAGS).split()
        command = [compiler, *flags, "-std=c++20", "-shared", "-Xcompiler", "-fPIC", "-Xlinker", "-rpath=$ORIGIN",
                   f"-I{SOURCES / 'include'}", f"-I{SOURCES / 'src'}", *sources, "-o", library]
        subprocess.run([str(part) for part in command], check=True)
    runtime = runtime_folder(compiler)
    for name in RUNTIME:
        shutil.copy2((runtime / name).resolve(), folder / name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build(Path(sys.argv[1]))
