#!/usr/bin/env python3
"""Makes the packages of a build with CPack: Debian packages, and an archive that runs where it is unpacked.

usage: package.py BUILD_DIR DIR [GENERATOR...]    the generators are DEB and TGZ (default: both)
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from progress import Progress

GENERATORS = {"DEB": "Debian packages", "TGZ": "the archive"}


def make(build: Path, folder: Path, generator: str) -> list[Path] | None:
    """Returns the files that were made in the folder; prints what CPack says only if it fails."""
    progress = Progress(GENERATORS[generator])
    # CPack leaves the installed trees behind, which are large.
    with tempfile.TemporaryDirectory(dir=build, prefix="packages.") as work:
        done = subprocess.run(["cpack", "-G", generator, "--config", build / "CPackConfig.cmake", "-B", work],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            progress.say(done.stdout)
            progress.end("failed")
            return None
        made = sorted(file for file in Path(work).iterdir() if file.is_file())
        folder.mkdir(parents=True, exist_ok=True)
        files = [Path(shutil.move(file, folder / file.name)) for file in made]
    progress.end(f"{len(files)} in {folder}")
    return files


def main() -> int:
    build, folder = (Path(argument).resolve() for argument in sys.argv[1:3])
    for generator in sys.argv[3:] or GENERATORS:
        files = make(build, folder, generator)
        if files is None:
            return 1
        for file in files:
            print(f"{file.stat().st_size / 2**20:7.1f} MiB  {file.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
