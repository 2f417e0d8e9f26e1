#!/usr/bin/env python3
"""Prints the rows of HeCBench in docs/measurements-nvcc.md that take each program's newest figure.

usage: newest.py RESULTS_DIR [--without NAMES]

A later file of FILES replaces the ratios of an earlier one, those of the originals and those after tuning each by
itself. A ratio is nvcc's time over Regrain's. NAMES, with commas between them, are left out: programs without a kernel
of their own. An entry whose name has a comma is an experiment with a program, and is left out as well.
"""
import argparse
import json
import math
import sys
from pathlib import Path

FILES = ("tuned-h200", "mended-h100", "second-h200", "losers-h200", "third-h200", "fourth-h200", "fifth-h200", "sixth-h200",
         "seventh-h200", "eighth-h200", "ninth-h200", "tenth-h200", "eleventh-h200", "twelfth-h200", "thirteenth-h200",
         "fourteenth-h200", "fifteenth-h200", "sixteenth-h200")
MODES = ("untuned", "tuned")
ENOUGH = 0.99


def newest(folder: Path) -> dict[str, dict[str, tuple[float, str]]]:
    """Returns the ratio and the file of each program, by mode."""
    figures = {mode: {} for mode in MODES}
    for name in FILES:
        file = folder / f"hecbench-{name}.json"
        if not file.exists():
            continue
        for row in json.loads(file.read_text())["programs"]:
            for mode in MODES:
                ratio = row.get(mode, {}).get("nvcc_over")
                if ratio and "," not in row["program"]:
                    figures[mode][row["program"]] = (ratio, name)
    return figures


def geomean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def row(mode: str, figures: dict[str, tuple[float, str]]) -> str:
    ranked = sorted((ratio, name) for name, (ratio, _) in figures.items())
    ratios = [ratio for ratio, _ in ranked]
    without = f"{geomean(ratios[:-1]):.3f} (without {ranked[-1][1]})" if len(ranked) > 1 else ""
    least = ", ".join(f"{name} {ratio:.3f}" for ratio, name in ranked[:4])
    title = "**HeCBench, each program's newest figure**" if mode == MODES[0] else "the same"
    return f"| {title} | {mode} | {len(ranked)} | {geomean(ratios):.3f} | {without} | {least} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--without", default="")
    options = parser.parse_args()
    figures = newest(options.results)
    left_out = set(filter(None, options.without.split(",")))
    if unknown := left_out - set().union(*figures.values()):
        sys.exit(f"newest.py: error: {options.results} has no figure of {', '.join(sorted(unknown))}")
    for mode in MODES:
        of_mode = {name: figure for name, figure in figures[mode].items() if name not in left_out}
        if not of_mode:
            sys.exit(f"newest.py: error: {options.results} has no figure of programs, {mode}")
        print(row(mode, of_mode))
        below = sum(ratio < ENOUGH for ratio, _ in of_mode.values())
        files = [file for _, file in of_mode.values()]
        print(f"  {len(of_mode) - below} reach {ENOUGH}; by file: " + ", ".join(f"{f} {files.count(f)}" for f in FILES if f in files))


if __name__ == "__main__":
    main()
