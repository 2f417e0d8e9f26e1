#!/usr/bin/env python3
"""Configures and builds, and says meanwhile how far it is. The packages have to be there.

usage: build.py [PREFIX [TARGET]]    PREFIX is where `cmake --install build` installs to (default: /usr/local)
"""
import os
import re
import subprocess
import sys
from pathlib import Path

from progress import Progress, run_with_progress

ROOT = Path(__file__).resolve().parent.parent
STEP = re.compile(r"\[(?P<done>\d+)/(?P<total>\d+)\] (?P<detail>.*)|ninja: no work to do.")


def configure(prefix: str) -> bool:
    """Prints what CMake says only if it fails."""
    progress = Progress("configuring")
    done = subprocess.run(["cmake", "--preset", "default", f"-DCMAKE_INSTALL_PREFIX={prefix}"], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        progress.say(done.stdout)
    progress.end("failed" if done.returncode else "done")
    return done.returncode == 0


def build(prefix: str = "/usr/local", target: str = "all") -> bool:
    """Returns whether everything is built; the compiler's messages have been printed if not."""
    return configure(prefix) and run_with_progress(
        ["cmake", "--build", "--preset", "default", "--target", target], "building", STEP, cwd=ROOT,
        env={**os.environ, "NINJA_STATUS": "[%f/%t] "}) == 0


if __name__ == "__main__":
    sys.exit(not build(*sys.argv[1:]))
