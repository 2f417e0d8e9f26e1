"""check_objects.py REGRAIN FOLDER FILE...: each kernel at its alternatives is a code object that a loader
takes, and whose metadata say what the image says. A .cu file is compiled for two of the chips, one of each wave
size, in turn; in a folder the executables that hold images are looked for; any other file is one that a compile made.

Checked: no undefined symbol; a descriptor for each kernel; arguments where the program puts them;
local memory; work-group limits; wave size; registers and scratch as reported; no scratch in the
machine code of a kernel that reports none.
"""

import os
import pathlib
import subprocess
import sys

from code_objects import (CHIPS, explicit_arguments, extracted, image, metadata, run,
                          undefined_symbols, uses_scratch)

WAVE = {"gfx90a": 64, "gfx942": 64, "gfx1030": 32, "gfx1100": 32}


def codes_of(images):
    """Returns (kernel, alternative, code) of the image's JSON by chip and symbol in the code."""
    found = {}
    for one in images:
        for kernel in one["kernels"]:
            for alternative in kernel["alternatives"]:
                for code in alternative["code"]:
                    if code["symbol"]:
                        found[code["arch"], code["symbol"]] = kernel, alternative, code
    return found


def check(chip, notes, scratch, kernel, alternative, code):
    """Returns what is wrong with one kernel of a code object."""
    wrong = []

    def expect(what, found, expected):
        if found != expected:
            wrong.append(f"{what} is {found}, expected {expected}")

    offsets = [(p["offset"], p["size"]) for p in kernel["parameters"]]
    expect("the beginning of the arguments", explicit_arguments(notes)[:len(offsets)], offsets)
    expect("local memory", notes[".group_segment_fixed_size"], code["static_shared_bytes"])
    expect("vector registers", notes[".vgpr_count"], code["registers"])
    expect("scalar registers", notes[".sgpr_count"], code["scalar_registers"])
    expect("scratch", notes[".private_segment_fixed_size"], code["stack_bytes"])
    expect("spilled vector registers", notes[".vgpr_spill_count"], code["vector_spills"])
    expect("wave size", notes[".wavefront_size"], WAVE[chip])
    if alternative["id"] == "original":
        expect("work-group limit", notes[".max_flat_workgroup_size"], kernel["max_threads"] or 1024)
    if notes[".private_segment_fixed_size"] == 0 and code["symbol"] in scratch:
        wrong.append("its machine code reaches scratch memory, and it reports none")
    return wrong


def compiled(regrain, source, folder, chips):
    built = folder / (source.stem + ".o")
    run(regrain, "cc", "--targets=" + ",".join(chips), "--alternatives=3", "--coarsen=*:block.x=2",
        f"-I{source.parent}", "-c", source, "-o", built)
    return built


def check_all(regrain, built, modules):
    """Returns the number of kernels that were checked, and what is wrong."""
    checked, failures = 0, []
    codes = codes_of(image(regrain, built))
    for path, symbols in extracted(regrain, built, modules):
        chip = path.suffixes[-2][1:]
        failures += [f"{path}: {line}" for line in undefined_symbols(path)]
        notes, scratch = metadata(path), uses_scratch(path)
        for symbol in symbols:
            if (chip, symbol) not in codes:
                continue  # the remainder of an alternative has no figures of its own
            kernel, alternative, code = codes[chip, symbol]
            where = f"{built.name}: {kernel['name']} at {alternative['id']} for {chip}: "
            wrong = check(chip, notes[symbol], scratch, kernel, alternative, code)
            failures += [where + line for line in wrong]
            checked += 1
    return checked, failures


def with_images(regrain, folder):
    for file in sorted(folder.rglob("*")):
        if file.is_file() and os.access(file, os.X_OK):
            if subprocess.run([regrain, "inspect", file], capture_output=True).returncode == 0:
                yield file


def main(regrain, folder, *names):
    checked, failures, files = 0, [], []
    for name in map(pathlib.Path, names):
        files += with_images(regrain, name) if name.is_dir() else [name]
    for number, file in enumerate(files):
        built = compiled(regrain, file, pathlib.Path(folder), CHIPS[number % 2::2]) if file.suffix == ".cu" else file
        more, wrong = check_all(regrain, built, pathlib.Path(folder) / f"modules{number}")
        checked += more
        failures += wrong
    print("\n".join(failures + [f"{checked} kernels checked, {len(failures)} failures"]))
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
