#!/usr/bin/env python3
"""Makes the pictures of the documentation: pages of `regrain report`, as a headless Chromium shows them.

usage: pictures.py ROOT BUILD DIR [NAME...]    the pictures of these names (default: all), as DIR/NAME

The measurements are in the repository, so that a picture has the figures of the text beside it. The page around them is
that of the build, and so is the code that it shows.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


@dataclass
class Picture:
    program: str  # one of PROGRAMS
    address: str  # what follows the page's own
    width: int
    height: int


PICTURES = {
    "tutorial-report.png": Picture("nearest", "", 1100, 1000),
    "tutorial-grains.png": Picture("nearest", "#/kernel/0", 1100, 770),
    "report-grains.png": Picture("hotspot3D", "#/kernel/0", 960, 820),
}


def browser() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def nearest(root: Path, regrain: Path, folder: Path) -> list[Path]:
    """The program of the tutorial, and a tuning of it on a CPU."""
    source = re.search(r"```cuda file: nearest.cu\n(.*?)```", (root / "docs/tutorial.md").read_text(), re.S)[1]
    (folder / "nearest.cu").write_text(source)
    command = [regrain, "cc", "-O3", "-lineinfo", "--alternatives=12", "nearest.cu", "-o", "nearest"]
    subprocess.run(command, cwd=folder, check=True)
    return [root / "docs/pictures/nearest.json", folder / "nearest"]


def hotspot3d(root: Path, _: Path, folder: Path) -> list[Path]:
    """A tuning on an H100."""
    reports = json.loads((root / "bench/results/h100-regrain-tune.json").read_text())["reports"]
    (folder / "tune.json").write_text(json.dumps(reports[0]))
    return [folder / "tune.json"]


PROGRAMS = {"nearest": nearest, "hotspot3D": hotspot3d}


def take(picture: Picture, page: Path, file: Path) -> None:
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run([browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={profile}", f"--window-size={picture.width},{picture.height}",
                        "--virtual-time-budget=3000", f"--screenshot={file}", f"file://{page}{picture.address}"],
                       check=True, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make(root: Path, build: Path, folder: Path, names: list[str]) -> None:
    """Makes the pictures; there has to be a browser."""
    regrain = build / "bin/regrain"
    folder.mkdir(parents=True, exist_ok=True)
    for program in sorted({PICTURES[name].program for name in names}):
        with tempfile.TemporaryDirectory() as work:
            page = Path(work) / "report.html"
            inputs = PROGRAMS[program](root, regrain, Path(work))
            subprocess.run([regrain, "report", *inputs, "-o", page], cwd=work, check=True,
                           env={**os.environ, "REGRAIN_DEVICE": "cpu"})
            for name in names:
                if PICTURES[name].program == program:
                    take(PICTURES[name], page, folder / name)


def main() -> int:
    root, build, folder = (Path(argument).resolve() for argument in sys.argv[1:4])
    if not browser():
        print("pictures.py: error: Chromium is needed (Debian: chromium-headless-shell)", file=sys.stderr)
        return 1
    make(root, build, folder, sys.argv[4:] or list(PICTURES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
