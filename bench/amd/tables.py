#!/usr/bin/env python3
"""Compares code for gfx90a with what AMD published of it, and writes JSON. No GPU is used.

usage: tables.py BUILD_DIR [--output FILE] [--check]

The Laplacian of laplacian_steps.h, each hand-made step and the compiler's own grains of the first:
SGPRs, VGPRs, bytes of scratch and waves per SIMD, beside clang's for the same source as HIP and the
figures of AMD's articles (ROCm 5.3). --check fails where the hand-made steps are further from the
others than stated at TOLERANCE.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CHIP = "gfx90a"
STEPS = ("tiled", "reordered", "bounded", "nontemporal")
ROWS = (1, 2, 4, 8, 16)
# What a column of M rows per thread is as a grain of the baseline, whose blocks have one row each.
GRAINS = {"tiled": "block.y={rows}", "bounded": "block.y={rows},bound=256",
          "nontemporal": "block.y={rows},stores=nontemporal,bound=256"}
FIGURES = ("sgpr", "vgpr", "scratch", "waves")
# Registers between Regrain's code and clang's for HIP, and VGPRs between Regrain's and the published:
# the release of LLVM behind ROCm 5.3 gave out SGPRs otherwise.
TOLERANCE = 2
SOURCE = ("AMD lab notes, Finite difference method - Laplacian, parts 1 to 3 (ROCm 5.3.0, double precision, "
          "one GCD of an MI250X, 512x512x512 points)")
# SGPRs, VGPRs, bytes of scratch, waves per SIMD.
PUBLISHED = {("baseline", 1): (18, 24, 0, 8),
             ("reordered", 1): (24, 18, 0, 8), ("reordered", 2): (26, 28, 0, 8), ("reordered", 4): (34, 54, 0, 8),
             ("reordered", 8): (52, 90, 0, 5), ("reordered", 16): (90, 128, 180, 4),
             ("bounded", 1): (24, 18, 0, 8), ("bounded", 2): (26, 28, 0, 8), ("bounded", 4): (34, 54, 0, 8),
             ("bounded", 8): (52, 94, 0, 5), ("bounded", 16): (84, 170, 0, 2)}


def run(command: list) -> subprocess.CompletedProcess:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"amd-tables: {' '.join(str(c) for c in command)}\n{done.stderr}")
    return done


def step_of(name: str) -> tuple[str, int]:
    """("tiled", 4) of "void tiled<4>(...)"."""
    step, rows = re.match(r"(?:void )?(\w+)(?:<(\d+)>)?\(", name).groups()
    return step, int(rows or 1)


def regrain_figures(build: Path, folder: Path) -> dict[tuple[str, int], dict[str, dict]]:
    """By step and rows, then by grain; a grain without code has None."""
    grains = [grain.format(rows=rows) for grain in GRAINS.values() for rows in ROWS if rows > 1 or "," in grain]
    grains = [grain.removeprefix("block.y=1,") for grain in grains]
    output = folder / "steps.o"
    run([build / "bin/regrain", "cc", "-O3", f"--targets={CHIP}", *(f"--coarsen=baseline:{g}" for g in grains), "-c",
         HERE / "laplacian_steps.cu", "-o", output])
    report = json.loads(run([build / "bin/regrain", "inspect", "--json", output]).stdout)
    found = {}
    for kernel in (k for image in report["images"] for k in image["kernels"]):
        found[step_of(kernel["name"])] = {
            a["id"]: {"sgpr": c["scalar_registers"], "vgpr": c["registers"], "scratch": c["stack_bytes"], "waves": c["waves"],
                      "spills": c["scalar_spills"] + c["vector_spills"]}
            for a in kernel["alternatives"] for c in a["code"] if c["symbol"]}
    found["baseline", 1] |= {grain: None for grain in grains if grain not in found["baseline", 1]}
    return found


def hip_figures(folder: Path) -> dict[tuple[str, int], dict]:
    """What clang reports for the same kernels as HIP."""
    output = folder / "steps.s"
    run(["clang++-19", "-x", "hip", f"--offload-arch={CHIP}", "-nogpuinc", "-nogpulib", "--cuda-device-only", "-O3", "-S",
         HERE / "laplacian_steps.hip", "-o", output])
    names = {"sgpr": "NumSgprs", "vgpr": "NumVgprs", "scratch": "ScratchSize", "waves": "Occupancy"}
    found = {}
    for symbol, text in re.findall(r"^(_Z\w+):(.*?)^; WaveLimiterHint", output.read_text(), re.M | re.S):
        name = run(["c++filt", symbol]).stdout
        found[step_of(name)] = {key: int(re.search(rf"^; {value}: (\d+)", text, re.M)[1]) for key, value in names.items()}
    return found


def registers(build: Path) -> dict:
    with tempfile.TemporaryDirectory() as name:
        ours, hip = regrain_figures(build, Path(name)), hip_figures(Path(name))
    steps = [("baseline", 1), *((step, rows) for step in STEPS for rows in ROWS)]
    return {"steps": [{"step": step, "rows": rows, "regrain": ours[step, rows]["original"], "clangHip": hip[step, rows],
                       "published": dict(zip(FIGURES, PUBLISHED[step, rows])) if (step, rows) in PUBLISHED else None}
                      for step, rows in steps],
            "grains": [{"grain": grain, "regrain": figures} for grain, figures in ours["baseline", 1].items()]}


def differences(data: dict) -> list[str]:
    found = []
    for row in data["steps"]:
        ours, hip, published = row["regrain"], row["clangHip"], row["published"]
        what = f"{row['step']} of {row['rows']} rows"
        found += [f"{what}: {ours[key]} {key}s, clang's HIP {hip[key]}" for key in ("sgpr", "vgpr")
                  if abs(ours[key] - hip[key]) > TOLERANCE]
        found += [f"{what}: {ours['scratch']} bytes of scratch, clang's HIP {hip['scratch']}"] * (ours["scratch"] > hip["scratch"])
        found += [f"{what}: {ours['waves']} waves, clang's HIP {hip['waves']}"] * (ours["waves"] != hip["waves"])
        if published:
            found += [f"{what}: {ours['vgpr']} VGPRs, published {published['vgpr']}"] * (abs(ours["vgpr"] - published["vgpr"]) > TOLERANCE)
            found += [f"{what}: {ours[key]} {key}, published {published[key]}" for key in ("scratch", "waves")
                      if (ours[key] > published[key] if key == "scratch" else ours[key] != published[key])]
    return found


def cell(figures: dict | None) -> str:
    return "/".join(str(figures[key]) for key in FIGURES) if figures else "-"


def print_registers(data: dict) -> None:
    print(f"{CHIP}: SGPRs / VGPRs / bytes of scratch / waves per SIMD\n")
    print(f"{'hand-made step':24}{'Regrain':>16}{'clang, as HIP':>16}{'published':>16}")
    for row in data["steps"]:
        name = f"{row['step']}, {row['rows']} rows" if row["rows"] > 1 else row["step"]
        print(f"{name:24}{cell(row['regrain']):>16}{cell(row['clangHip']):>16}{cell(row['published']):>16}")
    print(f"\n{'grain of the baseline':48}{'Regrain':>16}")
    for row in data["grains"]:
        print(f"{row['grain']:48}{cell(row['regrain']):>16}")
    print(f"\npublished: {SOURCE}")


def versions(build: Path) -> dict:
    first = lambda command: run(command).stdout.splitlines()[0]
    return {"regrain": first([build / "bin/regrain", "--version"]), "clang": first(["clang++-19", "--version"])}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--output", type=Path, default=ROOT / "bench/results/amd-tables.json")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    data = {"schema": "regrain-amd-tables/1.0", "chip": CHIP, "versions": versions(build),
            "what": "figures of the compilers and of a model; no AMD hardware ran anything", "published": SOURCE}
    data |= registers(build)
    print_registers(data)
    options.output.write_text(json.dumps(data, indent=1) + "\n")
    found = differences(data)
    for line in found:
        print(f"differs: {line}")
    return 1 if found and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
