#!/usr/bin/env python3
"""Compares compile time and code size for AMD GPUs with NVIDIA's, and writes JSON. Nothing is run.

usage: compile_time.py BUILD_DIR [--repetitions N] [--programs FILE] [--output FILE]

Each example, and each source with kernels of a JSON file as for scripts/pack.py, is compiled for sm_90 and for each
AMD chip, with the originals and one more grain of each kernel, in turns. Seconds are CPU time of the
whole process tree, so that other work on the machine counts little; `backEnds` is what the stages after
the common front end took. Sizes are those of the modules in the image.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from run import BACK_ENDS, phases_of

REFERENCE = "sm_90"
CHIPS = ["gfx90a", "gfx942", "gfx1030", "gfx1100"]
GRAIN = "block.x=2"
LIMIT = 1.3


def compile_once(regrain: Path, target: str, program: dict, output: Path) -> tuple[float, float]:
    """Returns the CPU seconds in all, and those of the back ends."""
    before = os.times()
    done = subprocess.run([regrain, "cc", f"--targets={target}", f"--coarsen=*:{GRAIN}", "--time-phases", "-w", "-c",
                           *program["flags"], program["source"], "-o", output], stderr=subprocess.PIPE, text=True)
    after = os.times()
    if done.returncode:
        sys.exit(f"bench: {program['name']} for {target}:\n{done.stderr}")
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    phases = phases_of(done.stderr)
    return seconds, sum(phases.get(name, 0.0) for name in BACK_ENDS)


def sizes(regrain: Path, built: Path, folder: Path) -> dict | None:
    """Returns the bytes of the originals' module, and of each alternative's; None if the source
    has no kernels."""
    listed = subprocess.run([regrain, "inspect", f"--extract={folder}", built], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    if "holds no Regrain image" in listed.stderr:
        return None
    if listed.returncode:
        sys.exit(f"bench: {listed.stderr}")
    bytes_of = [Path(line.split(" ")[0]).stat().st_size for line in listed.stdout.splitlines()]
    return {"originals": bytes_of[0], "alternatives": bytes_of[1:]}


def bench(regrain: Path, program: dict, folder: Path, repetitions: int) -> dict | None:
    targets = [REFERENCE, *CHIPS]
    samples = {target: [] for target in targets}
    code = {}
    for _ in range(repetitions):
        for target in targets:
            built = folder / f"{program['name']}.{target}.o"
            samples[target].append(compile_once(regrain, target, program, built))
            code[target] = sizes(regrain, built, folder / "modules")
            if code[target] is None:
                return None
    medians = {target: [statistics.median(column) for column in zip(*rows)] for target, rows in samples.items()}
    rows = {}
    for target in targets:
        total, back_ends = medians[target]
        rows[target] = {"cpuSeconds": [total for total, _ in samples[target]], "medianCpuSeconds": total,
                        "medianBackEndSeconds": back_ends, "ratio": total / medians[REFERENCE][0],
                        "codeBytes": code[target]}
    return {"program": program["name"], "targets": rows}


def programs(listed: Path | None):
    for source in sorted((ROOT / "examples").glob("*.cu")):
        yield {"name": source.stem, "source": source, "flags": ["-O3"]}
    if not listed:
        return
    root = listed.resolve().parent
    for program in json.loads(listed.read_text()):
        flags = [flag.replace("@", f"{root}/") for flag in program.get("flags", ["-O3"]) if not flag.startswith("-l")]
        for source in program["sources"]:
            if source.endswith(".cu"):
                yield {"name": f"{program['name']}-{Path(source).stem}", "source": root / source, "flags": flags}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--output", type=Path, default=ROOT / "bench/results/amd-compile-time.json")
    options = parser.parse_args()
    regrain = options.build.resolve() / "bin/regrain"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for program in programs(options.programs):
            row = bench(regrain, program, Path(folder), options.repetitions)
            if row is None:
                continue
            rows.append(row)
            found = row["targets"]
            print(f"{program['name']:34} {REFERENCE} {found[REFERENCE]['medianCpuSeconds']:.2f} s  " +
                  "  ".join(f"{chip} {found[chip]['ratio']:.2f}x" for chip in CHIPS), flush=True)
    worst = {chip: max(row["targets"][chip]["ratio"] for row in rows) for chip in CHIPS}
    overall = {chip: statistics.geometric_mean(row["targets"][chip]["ratio"] for row in rows) for chip in CHIPS}
    version = subprocess.check_output([regrain, "--version"], text=True).splitlines()[0]
    options.output.write_text(json.dumps(
        {"schema": "regrain-amd-compile-time/1.0", "repetitions": options.repetitions, "compiler": version,
         "machine": {"cores": os.cpu_count(), "system": platform.platform()}, "grain": GRAIN, "reference": REFERENCE,
         "geometricMeanRatio": overall, "worstRatio": worst, "programs": rows}, indent=1) + "\n")
    print(f"geometric mean over {REFERENCE}: {overall}\nworst: {worst}, limit {LIMIT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
