#!/usr/bin/env python3
"""Tests Regrain's runtime and NVIDIA's in one process, on an NVIDIA GPU.

usage: run.py build REGRAIN_BUILD_DIR DIR    builds everything into DIR; needs nvcc, and no GPU
       run.py run DIR                        runs it; DIR may have been moved to another machine

Prints a line that begins with PASS, FAIL or SKIP for each check; the exit code is 1 after a failure.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = ("libregrain.so", "libregrain-cpu.so")


def call(*command) -> None:
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"FAIL {' '.join(str(part) for part in command)}\n{done.stdout}")


def build(regrain_build: Path, out: Path) -> None:
    regrain, lib = regrain_build / "bin/regrain-nvcc", regrain_build / "lib"
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    out.mkdir(parents=True, exist_ok=True)
    for name in LIBRARIES:
        shutil.copy2(lib / name, out)
    for name in ("main.cpp", "part.cu", "with_torch.py", "run.py"):
        shutil.copy2(HERE / name, out)
    part, program = HERE / "part.cu", HERE / "main.cpp"
    foreign, own = ("-DPART(NAME)=foreign_##NAME", "-DPART(NAME)=own_##NAME")
    shared = ("-O2", "-shared", "-Xcompiler", "-fPIC")
    call(nvcc, *shared, "-arch=native" if has_gpu() else "-arch=sm_90", foreign, part, "-o", out / "libforeign.so")
    call(regrain, *shared, "-DPART(NAME)=own_##NAME", part, "-o", out / "libown.so")
    call(regrain, *shared, "-cudart", "static", own, part, "-o", out / "libcarrier.so")
    rpath = "-Wl,-rpath,$ORIGIN"
    for name, libraries in (("foreign_first", ("foreign", "own")), ("own_first", ("own", "foreign")),
                            ("carrier", ("carrier", "foreign"))):
        call("g++", program, f"-L{out}", *(f"-l{library}" for library in libraries), rpath,
             f"-Wl,-rpath-link,{out}", "-o", out / name)
    # An object of nvcc is linked with Regrain's runtime, which hands its code to the driver.
    call(nvcc, "-O2", "-arch=sm_90", foreign, "-c", part, "-o", out / "foreign.o")
    call(regrain, "-O2", own, "-c", part, "-o", out / "own.o")
    call(regrain, program, out / "foreign.o", out / "own.o", "-Xlinker", "-rpath=$ORIGIN", "-o", out / "mixed")
    call(regrain, "-cudart", "static", program, out / "foreign.o", out / "own.o", "-o", out / "mixed_static")


def has_gpu() -> bool:
    return Path("/proc/driver/nvidia/version").exists()


def run(out: Path) -> int:
    env = {**os.environ, "REGRAIN_DEVICE": "cuda", "REGRAIN_DB": "off"}
    env["LD_LIBRARY_PATH"] = f"{out}:{env.get('LD_LIBRARY_PATH', '')}"
    commands = [[out / name] for name in ("foreign_first", "own_first", "carrier", "mixed", "mixed_static")]
    for library in ("libown.so", "libcarrier.so"):
        commands += [[sys.executable, out / "with_torch.py", order, out / library]
                     for order in ("torch-first", "library-first")]
    failures = 0
    for command in commands:
        done = subprocess.run(command, env=env, timeout=300)
        what = " ".join(Path(part).name for part in command)
        failures += done.returncode != 0
        print(f"{'FAIL' if done.returncode else 'PASS'} {what}: exit code {done.returncode}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["build", regrain_build, out]:
            build(Path(regrain_build).resolve(), Path(out).resolve())
        case ["run", out]:
            sys.exit(run(Path(out).resolve()))
        case _:
            sys.exit(__doc__)
