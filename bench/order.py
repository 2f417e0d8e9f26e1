#!/usr/bin/env python3
"""Reports the best measured gain among the first grains of each kernel's space.

usage: order.py REGRAIN PROGRAMS RESULTS...

PROGRAMS is a JSON file as scripts/pack.py takes it in REGRAIN_PROGRAMS; the examples are always included. RESULTS are files of
bench/gpu with measurements of single grains ("regrain-gpu-tuning", "regrain-gpu-run"). Of a kernel with several launch classes
the one with the most waves counts, of a grain with several measurements the best. A grain that was never measured counts for
nothing, so that the figures are lower bounds.
"""
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

BUDGETS = (8, 24, 40)
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def waves(measurement: dict) -> Fraction:
    return Fraction(measurement["launch_class"].rsplit("waves=", 1)[1].split(",")[0])


def measurements_of(program: dict) -> list[dict]:
    """Returns the measurements of a tuning run, or the published ones: rows under "timed"."""
    rows = program.get("timed")
    if not isinstance(rows, list):
        return program.get("measurements", [])
    return [{"kernel_name": r[0], "launch_class": r[1], "alternative": r[2], "launch": r[3], "gain": r[7], "outcome": "timed"} for r in rows]


def single_runs_of(program: dict) -> list[dict]:
    timed = program.get("timed")
    return timed.get("alternatives", []) if isinstance(timed, dict) else []


def gains_of(results: dict) -> list[tuple[str, str, str, float]]:
    """Returns (program, kernel, grain, gain over the original)."""
    rows = []
    for program in results["programs"]:
        timed = [m for m in measurements_of(program) if m["outcome"] == "timed" and m["launch"] == 0]
        most = {}
        for m in timed:
            most[m["kernel_name"]] = max(waves(m), most.get(m["kernel_name"], Fraction(0)))
        rows += [(program["name"], m["kernel_name"], m["alternative"], m["gain"])
                 for m in timed if waves(m) == most[m["kernel_name"]]]
        rows += [(program["name"], a["kernel"], a["alternative"], a["speedup"]["median"])
                 for a in single_runs_of(program)]
    rows += [("gaussian", a["kernel"], a["alternative"], a["speedup"]["median"])
             for a in results.get("gaussianShapes", {}).get("alternatives", [])]
    return rows


def spaces_of(regrain: str, source: Path, flags: list[str]) -> dict[str, list[str]]:
    """Returns the legal grains by kernel, in the order in which they are tried."""
    command = [regrain, "explain", "--json", f"--alternatives={max(BUDGETS)}", str(source), *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"order: {' '.join(command)}\n{done.stderr}")
    kernels = [kernel for file in json.loads(done.stdout)["files"] for kernel in file["kernels"]]
    return {kernel["name"]: [grain for group in kernel["grains"] if group["state"] == "legal" for grain in group["ids"]]
            for kernel in kernels}


def read_programs(path: Path) -> list[tuple[str, list[Path], list[str]]]:
    programs = [(source.stem, [source], []) for source in sorted(EXAMPLES.glob("*.cu"))]
    for program in json.loads(path.read_text()):
        flags = [flag.replace("@", f"{path.parent}/") for flag in program.get("flags", [])]
        programs.append((program["name"], [path.parent / source for source in program["sources"]],
                         [flag for flag in flags if not flag.startswith("-l")]))
    return programs


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    best: dict[tuple[str, str], dict[str, float]] = {}
    programs = read_programs(Path(sys.argv[2]).resolve())
    for results in sys.argv[3:]:
        runs = json.loads(Path(results).read_text())
        rows = [row for run in (runs if isinstance(runs, list) else [runs]) for row in gains_of(run)]
        for name, kernel, grain, gain in rows:
            # "lud8192" is the program "lud" with a size.
            program = max((p for p, _, _ in programs if name.startswith(p)), key=len, default=name)
            known = best.setdefault((program, kernel), {})
            known[grain] = max(gain, known.get(grain, 0))
    print(f"{'kernel':44}" + "".join(f"{f'first {b}':>10}" for b in BUDGETS) + f"{'known':>8}  best known")
    for name, sources, flags in programs:
        if not any(program == name for program, _ in best):
            continue
        spaces = {}
        for source in sources:
            if source.suffix == ".cu":
                spaces |= spaces_of(sys.argv[1], source, flags)
        for (program, kernel), known in best.items():
            if program != name:
                continue
            figures = [max([known.get(grain, 0) for grain in spaces.get(kernel, [])[:budget]] + [1.0]) for budget in BUDGETS]
            first = max(known, key=known.get)
            print(f"{(name + ': ' + kernel.split('(')[0])[:43]:44}" + "".join(f"{figure:10.2f}" for figure in figures) +
                  f"{known[first]:8.2f}  {first}")


if __name__ == "__main__":
    main()
