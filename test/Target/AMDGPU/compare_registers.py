"""compare_registers.py [--json=FILE] REGRAIN CLANG ROCM FOLDER [FLAG...] SOURCE...: registers of the originals for gfx90a
beside those that clang gives for the same source in HIP.

The source is translated as HIP's own tools do it for what these programs use: the runtime's names
begin with hip, the header is HIP's. Fails where a kernel takes over two vector or scalar registers
more than clang's, or scratch that clang's has not.
"""

import json
import pathlib
import re
import shutil
import sys

from code_objects import metadata, run

CHIP = "gfx90a"
TOLERANCE = {"vgpr": 2, "sgpr": 2, "scratch": 0}
OTHER_NAMES = {"cudaThreadSynchronize": "hipDeviceSynchronize", "cudaThreadExit": "hipDeviceReset",
               "cudaDeviceProp": "hipDeviceProp_t", "cudaError": "hipError_t",
               "deviceOverlap": "concurrentKernels"}
HEADERS = r'#\s*include\s*[<"](cuda|cuda_runtime|cuda_runtime_api|device_launch_parameters)\.h[>"]'


def hipify(text):
    for name, other in OTHER_NAMES.items():
        text = re.sub(rf"\b{name}\b", other, text)
    text = re.sub(HEADERS, "#include <hip/hip_runtime.h>", text)
    return re.sub(r"\bcuda([A-Z]\w*)", r"hip\1", text)


def translated(source, folder):
    """Copies the source's folder in HIP; returns the source in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in source.parent.iterdir():
        if file.suffix in (".cu", ".cuh", ".h", ".hpp", ".c", ".cpp") and file.is_file():
            (folder / file.name).write_text(hipify(file.read_text(errors="replace")))
    return folder / source.name


def reference(clang, rocm, source, folder, includes):
    hip = translated(source, folder)
    output = folder / "reference.hsaco"
    run(clang, "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output",
        f"--offload-arch={CHIP}", "-O3", "-w", "-nogpuinc", "-include",
        "__clang_hip_runtime_wrapper.h", "-include", "hip/hip_runtime.h", f"--rocm-device-lib-path={rocm}", *includes, hip, "-o", output)
    return metadata(output)


def ours(regrain, source, folder, includes):
    output = folder / "ours.hsaco"
    run(regrain, "cc", f"--targets={CHIP}", "--emit=hsaco", "-O3", *includes, source, "-o", output)
    return metadata(output)


def figures(kernel):
    return {"vgpr": kernel[".vgpr_count"], "sgpr": kernel[".sgpr_count"],
            "scratch": kernel[".private_segment_fixed_size"]}


def compare(source, found, expected):
    """Returns one row for each kernel of ours: its figures, clang's, and whether ours are worse."""
    for symbol, kernel in sorted(found.items()):
        row = {"source": source.name, "kernel": symbol, "regrain": figures(kernel)}
        if symbol not in expected:
            yield {**row, "clang": None, "worse": True}
            continue
        theirs = figures(expected[symbol])
        worse = any(row["regrain"][name] > theirs[name] + TOLERANCE[name] for name in theirs)
        yield {**row, "clang": theirs, "worse": worse}


def show(row):
    theirs = row["clang"] or {}
    pairs = [f"{name} {value} ({theirs.get(name, 'no such kernel')})"
             for name, value in row["regrain"].items()]
    return f"{row['source']}: {row['kernel']}: {', '.join(pairs)}{' WORSE' if row['worse'] else ''}"


def main(regrain, clang, rocm, folder, *arguments, json_file=None):
    flags = [flag for flag in arguments if flag.startswith("-")]
    rows = []
    for source in (pathlib.Path(name) for name in arguments if not name.startswith("-")):
        work = pathlib.Path(folder) / source.stem
        includes = ["-I" + str(source.parent), *flags]
        expected = reference(clang, rocm, source, work, includes)
        rows += compare(source, ours(regrain, source, work, includes), expected)
    worse = sum(row["worse"] for row in rows)
    print("\n".join([*map(show, rows), f"{len(rows)} kernels compared, {worse} worse"]))
    if json_file:
        versions = [run(tool, "--version").splitlines()[0] for tool in (regrain, clang)]
        pathlib.Path(json_file).write_text(json.dumps(
            {"chip": CHIP, "compilers": versions, "tolerance": TOLERANCE, "kernels": rows}, indent=1))
    return 1 if worse or not rows else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    target = words.pop(0).removeprefix("--json=") if words[0].startswith("--json=") else None
    sys.exit(main(*words, json_file=target))
