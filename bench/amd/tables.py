#!/usr/bin/env python3
"""Compares code for gfx90a with AMD's published figures, and writes JSON. No GPU is used.

usage: tables.py BUILD_DIR [--output FILE] [--slices N] [--check]

The Laplacian of laplacian_steps.h, each hand-made step and the compiler's own grains of the first:
SGPRs, VGPRs, bytes of scratch and waves per SIMD, beside clang's for the same source as HIP and the
figures of AMD's articles (ROCm 5.3); and the bytes that a model of the cache (footprint/Traffic.h)
fetches for 512 x 512 x N points, beside the least and what AMD measured. --check fails where the
hand-made steps are further from the others than stated at TOLERANCE and FETCH_TOLERANCE.
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
# A column of M rows per thread is this grain of the baseline, whose blocks have one row each.
GRAINS = {"tiled": "block.y={rows}", "bounded": "block.y={rows},bound=256",
          "nontemporal": "block.y={rows},stores=nontemporal,bound=256"}
FIGURES = ("sgpr", "vgpr", "scratch", "waves")
PLANE = 512
# Limits for registers between Regrain's code and clang's for HIP, and for VGPRs between Regrain's
# and the published ones: the LLVM release of ROCm 5.3 allocated SGPRs differently.
TOLERANCE = 2
# This limit is between the modelled fetch and the measured one, in units of the
# least.
FETCH_TOLERANCE = 0.3
SOURCE = ("AMD lab notes, Finite difference method - Laplacian, parts 1 to 4 (ROCm 5.3.0, double precision, "
          "one GCD of an MI250X, 512x512x512 points)")
# These are SGPRs, VGPRs, bytes of scratch, and waves per SIMD.
PUBLISHED = {("baseline", 1): (18, 24, 0, 8),
             ("reordered", 1): (24, 18, 0, 8), ("reordered", 2): (26, 28, 0, 8), ("reordered", 4): (34, 54, 0, 8),
             ("reordered", 8): (52, 90, 0, 5), ("reordered", 16): (90, 128, 180, 4),
             ("bounded", 1): (24, 18, 0, 8), ("bounded", 2): (26, 28, 0, 8), ("bounded", 4): (34, 54, 0, 8),
             ("bounded", 8): (52, 94, 0, 5), ("bounded", 16): (84, 170, 0, 2)}
# This is FETCH_SIZE in GB, for 512 slices.
FETCHED = {("baseline", 1): 2.014, ("tiled", 1): 2.014, ("tiled", 2): 1.848, ("tiled", 4): 1.880, ("tiled", 8): 1.820,
           ("tiled", 16): 5.637, ("reordered", 1): 1.347, ("reordered", 2): 1.166, ("reordered", 4): 1.107,
           ("reordered", 8): 1.080, ("reordered", 16): 3.915, ("bounded", 1): 1.346, ("bounded", 2): 1.167,
           ("bounded", 4): 1.107, ("bounded", 8): 1.080, ("bounded", 16): 1.094, ("nontemporal", 8): 1.074}
# The baseline with hand-written nontemporal stores (part 3) has the reads and stores of the
# grain.
FETCHED_AT_GRAIN = {"stores=nontemporal,bound=256": 1.429}
MEASURED_SLICES = 512
# These are for the same kernel at 1024x1024x1024 points, where no slice fits the cache: least over
# fetched (part 4).
LARGE = {"step": "nontemporal", "rows": 8, "edge": 1024, "publishedFetchEfficiency": 0.331}


def run(command: list) -> subprocess.CompletedProcess:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"amd-tables: {' '.join(str(c) for c in command)}\n{done.stderr}")
    return done


def step_of(name: str) -> tuple[str, int]:
    """Returns ("tiled", 4) for "void tiled<4>(...)"."""
    step, rows = re.match(r"(?:void )?(\w+)(?:<(\d+)>)?\(", name).groups()
    return step, int(rows or 1)


def grains() -> dict[str, int]:
    """Returns the rows of a thread by grain."""
    every = [(grain.format(rows=rows).removeprefix("block.y=1,"), rows) for grain in GRAINS.values() for rows in ROWS]
    return {grain: rows for grain, rows in every if grain != "block.y=1"}


def regrain_figures(build: Path, folder: Path) -> dict[tuple[str, int], dict[str, dict]]:
    """Returns the figures by step and rows, then by grain; a grain without code has none. The
    code's IR is in folder, by symbol."""
    command = [build / "bin/regrain", "cc", "-O3", f"--targets={CHIP}", *(f"--coarsen=baseline:{g}" for g in grains()),
               HERE / "laplacian_steps.cu"]
    run([*command, "-c", "-o", folder / "steps.o"])
    run([*command, "--emit=amdgcn", "-o", folder / "steps.ll"])
    for module in re.split(r"^(?=; ModuleID)", (folder / "steps.ll").read_text(), flags=re.M)[1:]:
        for symbol in re.findall(r"amdgpu_kernel void @(\w+)\(", module):
            (folder / f"{symbol}.ll").write_text(re.sub(r"^//.*$", "", module, flags=re.M))
    report = json.loads(run([build / "bin/regrain", "inspect", "--json", folder / "steps.o"]).stdout)
    return {step_of(kernel["name"]): {
                a["id"]: {"sgpr": c["scalar_registers"], "vgpr": c["registers"], "scratch": c["stack_bytes"], "waves": c["waves"],
                          "spills": c["scalar_spills"] + c["vector_spills"], "symbol": c["symbol"]}
                for a in kernel["alternatives"] for c in a["code"] if c["symbol"]}
            for image in report["images"] for kernel in image["kernels"]}


def hip_figures(folder: Path) -> dict[tuple[str, int], dict]:
    """Returns clang's figures for the same kernels as HIP, where unlike types may be one memory, as in Regrain (0201)."""
    output = folder / "steps.s"
    run(["clang++-19", "-x", "hip", f"--offload-arch={CHIP}", "-nogpuinc", "-nogpulib", "--cuda-device-only", "-O3", "-fno-strict-aliasing", "-S",
         HERE / "laplacian_steps.hip", "-o", output])
    names = {"sgpr": "NumSgprs", "vgpr": "NumVgprs", "scratch": "ScratchSize", "waves": "Occupancy"}
    found = {}
    for symbol, text in re.findall(r"^(_Z\w+):(.*?)^; WaveLimiterHint", output.read_text(), re.M | re.S):
        name = run(["c++filt", symbol]).stdout
        found[step_of(name)] = {key: int(re.search(rf"^; {value}: (\d+)", text, re.M)[1]) for key, value in names.items()}
    return found


def model_fetch(build: Path, folder: Path, figures: dict, rows: int, slices: int, edge: int = PLANE) -> dict | None:
    """Returns the traffic by the model; nothing if the code spills, which the model does not
    cover."""
    if figures["scratch"]:
        return None
    symbol = figures["symbol"]
    done = run([build / "bin/regrain-footprint", folder / f"{symbol}.ll", f"--kernel={symbol}", f"--rows={rows}",
                f"--waves={figures['waves']}", f"--slices={slices}", f"--edge={edge}"])
    return json.loads(done.stdout)


def least_bytes(slices: int, edge: int = PLANE) -> dict[str, int]:
    """Every point but the edges is read once, every interior one is written once."""
    edges = 8 + 8 * (edge - 2) + 4 * (slices - 2)
    return {"fetchedBytes": 8 * (edge * edge * slices - edges), "writtenBytes": 8 * (edge - 2) ** 2 * (slices - 2)}


def tables(build: Path, slices: int) -> dict:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, hip = regrain_figures(build, folder), hip_figures(folder)
        steps = [("baseline", 1), *((step, rows) for step in STEPS for rows in ROWS)]
        step_rows = []
        for step, rows in steps:
            figures = ours[step, rows]["original"]
            traffic = model_fetch(build, folder, figures, rows, slices)
            step_rows.append({"step": step, "rows": rows, "regrain": figures, "clangHip": hip[step, rows],
                              "published": dict(zip(FIGURES, PUBLISHED[step, rows])) if (step, rows) in PUBLISHED else None,
                              "traffic": traffic, "publishedFetchGB": FETCHED.get((step, rows))})
        grain_rows = []
        for grain, rows in grains().items():
            figures = ours["baseline", 1].get(grain)
            traffic = model_fetch(build, folder, figures, rows, slices) if figures else None
            grain_rows.append({"grain": grain, "rows": rows, "regrain": figures, "traffic": traffic,
                               "publishedFetchGB": FETCHED_AT_GRAIN.get(grain)})
        large = ours[LARGE["step"], LARGE["rows"]]["original"]
        large_traffic = model_fetch(build, folder, large, LARGE["rows"], slices, LARGE["edge"])
    return {"points": [PLANE, PLANE, slices], "least": least_bytes(slices), "steps": step_rows, "grains": grain_rows,
            "large": LARGE | {"traffic": large_traffic, "least": least_bytes(slices, LARGE["edge"])}}


def modelled(row: dict, data: dict) -> float | None:
    """Returns the bytes fetched, relative to the least."""
    return row["traffic"]["fetchedBytes"] / data["least"]["fetchedBytes"] if row["traffic"] else None


def measured(row: dict) -> float | None:
    gigabytes = row["publishedFetchGB"]
    return gigabytes * 1e9 / least_bytes(MEASURED_SLICES)["fetchedBytes"] if gigabytes else None


def fetch_differences(data: dict) -> list[str]:
    rows = [(f"{row['step']} of {row['rows']} rows", modelled(row, data), measured(row)) for row in data["steps"]]
    rows.append((f"{LARGE['edge']} points wide", modelled(data["large"], data["large"]), 1 / LARGE["publishedFetchEfficiency"]))
    return [f"{what}: the model fetches {model:.3f} times the least, measured {real:.3f}" for what, model, real in rows
            if model and real and abs(model - real) > FETCH_TOLERANCE]


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


def times(value: float | None) -> str:
    return f"{value:.3f}" if value else "-"


def print_tables(data: dict) -> None:
    print(f"{CHIP}: SGPRs / VGPRs / bytes of scratch / waves per SIMD, and what is fetched from memory over the least\n")
    print(f"{'hand-made step':24}{'Regrain':>16}{'clang, as HIP':>16}{'published':>16}{'model':>10}{'measured':>10}")
    for row in data["steps"]:
        name = f"{row['step']}, {row['rows']} rows" if row["rows"] > 1 else row["step"]
        print(f"{name:24}{cell(row['regrain']):>16}{cell(row['clangHip']):>16}{cell(row['published']):>16}"
              f"{times(modelled(row, data)):>10}{times(measured(row)):>10}")
    large = data["large"]
    print(f"{large['step']}, {large['rows']} rows, at {large['edge']} points in x and y".ljust(72) +
          f"{times(modelled(large, large)):>10}{times(1 / large['publishedFetchEfficiency']):>10}")
    print(f"\n{'grain of the baseline':56}{'Regrain':>16}{'model':>10}{'measured':>10}")
    for row in data["grains"]:
        print(f"{row['grain']:56}{cell(row['regrain']):>16}{times(modelled(row, data)):>10}{times(measured(row)):>10}")
    print(f"\npublished, measured: {SOURCE}\nmodel: {'x'.join(map(str, data['points']))} points; nothing for code that spills; "
          "its assumptions are in bench/amd/footprint/Traffic.h")


def versions(build: Path) -> dict:
    first = lambda command: run(command).stdout.splitlines()[0]
    return {"regrain": first([build / "bin/regrain", "--version"]), "clang": first(["clang++-19", "--version"])}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--output", type=Path, default=ROOT / "bench/results/amd-tables.json")
    parser.add_argument("--slices", type=int, default=MEASURED_SLICES)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    data = {"schema": "regrain-amd-tables/1.0", "chip": CHIP, "versions": versions(build),
            "what": "figures of the compilers and of a model; no AMD hardware ran anything", "published": SOURCE}
    data |= tables(build, options.slices)
    print_tables(data)
    options.output.write_text(json.dumps(data, indent=1) + "\n")
    found = differences(data) + fetch_differences(data)
    for line in found:
        print(f"differs: {line}")
    return 1 if found and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
