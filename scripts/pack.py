#!/usr/bin/env python3
"""Makes the bundle that runs on a GPU machine: programs, runtime, inputs and one script.

usage: pack.py BUILD_DIR DIST_DIR [--alternatives N] [--targets LIST]

Packs the examples, and the programs described in the JSON file that REGRAIN_PROGRAMS names:
a list of {"name", "sources", "flags", "clangFlags", "arguments", "environment", "outputs",
"compareStdout", "data", "coarsen"}, where paths are relative to the JSON file and an argument "@data/x" stands for a packed file
of `data`. Each GLOB:SPEC of "coarsen" is a grain to compile; a program without has the default space's first.
Where a CUDA toolkit is found, each program is also compiled by clang with the toolkit's headers and
by nvcc, as the baselines for kernel times. On the GPU machine: python3 DIST/run_all.py RESULT.json,
or python3 DIST/tune_all.py RESULT.json for tuning.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from toolkit import find_toolkit

ROOT = Path(__file__).resolve().parent.parent
ARCH = "90"
TARGETS = f"cpu,ptx,sm_{ARCH}"
ALTERNATIVES = "8"
# These sizes keep a GPU busy for some hundred microseconds, and none is a power of two.
# Programs that launch once repeat it: the time of one launch varies by a percent or two.
EXAMPLE_ARGUMENTS = {
    "grid_path": ["1000003", "101"],
    "heat2d": ["2051", "2049", "20"],
    "histogram": ["67108867", "528", "--repeat", "20"],
    "laplacian": ["255", "253", "256", "--repeat", "20"],
    "lu": ["1026"],
    "module_variables": ["3000003"],
    "rms_norm": ["4095", "4099", "--repeat", "20"],
    "vector_copy": ["67108867", "--repeat", "20"],
}
# Under compute-sanitizer a launch takes a hundred times as long.
SMALL_ARGUMENTS = {
    "grid_path": ["10007", "21"],
    "heat2d": ["131", "129", "5"],
    "histogram": ["100003", "7"],
    "laplacian": ["33", "31", "35"],
    "lu": ["130"],
    "module_variables": ["30003"],
    "rms_norm": ["67", "515"],
    "vector_copy": ["100003"],
}
CLANG = "clang++-19"


def fail(message: str) -> None:
    sys.exit(f"pack: {message}")


def call(command: list, **options) -> str:
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode:
        fail(f"{' '.join(str(c) for c in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def describe_programs() -> list[dict]:
    programs = []
    for source in sorted((ROOT / "examples").glob("*.cu")):
        programs.append({"name": source.stem, "sources": [str(source)], "flags": ["-O3"],
                         "arguments": EXAMPLE_ARGUMENTS.get(source.stem, []) + ["--output", "result.bin"],
                         "smallArguments": SMALL_ARGUMENTS.get(source.stem, []) + ["--output", "result.bin"],
                         "outputs": ["result.bin"]})
    extra = os.environ.get("REGRAIN_PROGRAMS")
    if extra:
        folder = Path(extra).resolve().parent
        for program in json.loads(Path(extra).read_text()):
            program["sources"] = [str(folder / s) for s in program["sources"]]
            program["flags"] = [f.replace("@", f"{folder}/") for f in program.get("flags", ["-O3"])]
            program["data"] = [str(folder / d) for d in program.get("data", [])]
            programs.append(program)
    return programs


def compile_with_clang(program: dict, output: Path, work: Path, toolkit: Path) -> None:
    """Builds the baseline: clang -O3, the toolkit's headers, libdevice and assembler."""
    stubs = work / "stubs"
    stubs.mkdir(exist_ok=True)
    # The wrapper headers of clang 19 include this header, which newer toolkits no longer have.
    (stubs / "texture_fetch_functions.h").touch()
    common = [f"--cuda-path={toolkit}", f"--cuda-gpu-arch=sm_{ARCH}", "-Wno-unknown-cuda-version", "-w",
              f"-I{stubs}", *program["flags"], *program.get("clangFlags", [])]
    objects = []
    for index, source in enumerate(program["sources"]):
        base = work / f"{program['name']}.{index}"
        if not source.endswith(".cu"):
            # The CUDA driver compiles C and C++ files with the host compiler.
            compiler = "clang-19" if source.endswith(".c") else CLANG
            call([compiler, *program["flags"], "-w", f"-I{toolkit}/include", "-c", source, "-o", f"{base}.o"])
        else:
            call([CLANG, "-x", "cuda", "--cuda-device-only", "-S", *common, source, "-o", f"{base}.ptx"])
            call([toolkit / "bin/ptxas", "-O3", f"-arch=sm_{ARCH}", f"{base}.ptx", "-o", f"{base}.cubin"])
            call([toolkit / "bin/fatbinary", "-64", f"--create={base}.fatbin",
                  f"--image3=kind=elf,sm={ARCH},file={base}.cubin"])
            call([CLANG, "-x", "cuda", "--cuda-host-only", "-c", *common, source, "-o", f"{base}.o",
                  "-Xclang", "-fcuda-include-gpubinary", "-Xclang", f"{base}.fatbin"])
        objects.append(f"{base}.o")
    call([CLANG, *objects, "-o", output, f"-L{toolkit}/lib64", "-lcudart_static", "-ldl", "-lrt", "-lpthread"])


def compile_with_nvcc(program: dict, output: Path, work: Path, toolkit: Path) -> None:
    objects = []
    for index, source in enumerate(program["sources"]):
        objects.append(work / f"{program['name']}.{index}.nvcc.o")
        call([toolkit / "bin/nvcc", "-O3", f"-arch=sm_{ARCH}", "-w", "-ccbin", CLANG if source.endswith(".cu") else "g++",
              "-allow-unsupported-compiler", *program["flags"], *program.get("clangFlags", []), "-c", source, "-o", objects[-1]])
    call([toolkit / "bin/nvcc", f"-arch=sm_{ARCH}", *objects, "-o", output])


def kernels_of(regrain: Path, program: Path) -> list[dict]:
    """Returns the kernels and the alternatives that have code for the GPU."""
    report = json.loads(call([regrain, "inspect", "--json", program]))
    kernels = []
    for image in report["images"]:
        for kernel in image["kernels"]:
            symbols = {a["id"]: c["symbol"] for a in kernel["alternatives"] for c in a["code"]
                       if a["id"] != "original" and c["kind"] == "cubin" and c["symbol"]}
            kernels.append({"name": kernel["name"], "symbol": kernel["symbol"], "symbols": symbols,
                            "alternatives": list(symbols)})
    return kernels


def pack_runtime(build: Path, dist: Path, toolkit: Path | None) -> None:
    libraries = dist / "lib"
    libraries.mkdir()
    shutil.copy2(build / "lib" / "libregrain.so", libraries)
    for library in ("libregrain-cpu.so", "libregrain-tuning.so"):
        shutil.copy2(build / "lib" / library, libraries)
        for line in call(["ldd", build / "lib" / library]).splitlines():
            if any(name in line for name in ("libtbb", "libsleef", "libsqlite3")):
                name, _, path = line.split()[:3]
                shutil.copy2(path, libraries / name)
    if toolkit and (toolkit / "include" / "cupti.h").exists():
        call(["g++", "-O2", "-shared", "-fPIC", f"-I{toolkit}/include", *(ROOT / "bench/gpu" / f for f in ("kernel_times.cpp", "device_turns.cpp")),
              "-o", libraries / "libkernel_times.so", f"-L{toolkit}/lib64", "-lcupti",
              f"-Wl,-rpath,{toolkit}/lib64"])


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("dist", type=Path)
    parser.add_argument("--alternatives", default=ALTERNATIVES)
    parser.add_argument("--targets", default=TARGETS)
    options = parser.parse_args()
    build, dist = options.build.resolve(), options.dist.resolve()
    regrain, toolkit = build / "bin" / "regrain", find_toolkit()
    if dist.exists():
        shutil.rmtree(dist)
    (dist / "bin").mkdir(parents=True)
    (dist / "data").mkdir()
    work = dist / "work"
    work.mkdir()
    pack_runtime(build, dist, toolkit)
    programs = describe_programs()
    for program in programs:
        program["regrain"] = program["name"]
        grains = [f"--coarsen={c}" for c in program.pop("coarsen", [])] or [f"--alternatives={options.alternatives}"]
        call([regrain, "cc", f"--targets={options.targets}", *grains, *program["flags"], *program["sources"],
              "-o", dist / "bin" / program["name"]])
        program["kernels"] = kernels_of(regrain, dist / "bin" / program["name"])
        if toolkit:
            program["clang"] = program["name"] + ".clang"
            compile_with_clang(program, dist / "bin" / program["clang"], work, toolkit)
            program["nvcc"] = program["name"] + ".nvcc"
            compile_with_nvcc(program, dist / "bin" / program["nvcc"], work, toolkit)
        for data in program.pop("data", []):
            shutil.copy2(data, dist / "data")
        for key in ("sources", "flags", "clangFlags"):
            program.pop(key, None)
        print(f"packed {program['name']}: {sum(len(k['alternatives']) for k in program['kernels'])} alternatives")
    call([regrain, "cc", "--targets=cpu", "-O3", f"-I{ROOT}", ROOT / "bench/gpu/device_copy.cu", "-o", dist / "bin/device_copy"])
    shutil.rmtree(work)
    for script in ("run_all.py", "tune_all.py", "bandwidth.py"):
        shutil.copy2(ROOT / "bench/gpu" / script, dist)
    versions = {"regrain": call([regrain, "--version"]).splitlines()[0], "clang": call([CLANG, "--version"]).splitlines()[0],
                "toolkit": call([toolkit / "bin/ptxas", "--version"]).splitlines()[-2] if toolkit else "none"}
    (dist / "programs.json").write_text(json.dumps({"versions": versions, "programs": programs}, indent=1) + "\n")
    size = sum(f.stat().st_size for f in dist.rglob("*") if f.is_file())
    print(f"{dist}: {len(programs)} programs, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
