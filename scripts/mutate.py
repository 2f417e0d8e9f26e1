#!/usr/bin/env python3
"""Plants each fault of test/mutations/mutations.json in a copy of the tree and asserts that a test fails.

usage: mutate.py [--check] [--results FILE] [NAME...]

A mutation is the exact text of a file and its replacement; its tests are GoogleTest programs by name,
"lit:FILTER", or "fuzz": the random kernels, with no test that knows the fault. --check only looks whether each text still occurs exactly once in its file.
Results go to bench/results/mutations.json, those of mutations that did not run this time are kept.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "test/mutations/mutations.json"
BUILD_SECONDS, TEST_SECONDS, FUZZ_SECONDS = 1800, 300, 5400
# The fuzzer must find a fault within the first kernels at the usual options.
FUZZ = ["--seed=1", "--count=3000", "--findings=1"]


def wrong_entries(mutations: list[dict]) -> list[str]:
    """Returns one line for each text that does not occur exactly once, or that is replaced by
    itself."""
    wrong = []
    for mutation in mutations:
        path = ROOT / mutation["file"]
        count = path.read_text().count(mutation["text"]) if path.exists() else 0
        if count != 1:
            wrong.append(f'{mutation["name"]}: its text occurs {count} times in {mutation["file"]}')
        if mutation["text"] == mutation["replacement"] or not mutation["tests"]:
            wrong.append(f'{mutation["name"]}: changes nothing or has no test')
    if len({mutation["name"] for mutation in mutations}) != len(mutations):
        wrong.append("two mutations have one name")
    return wrong


def quiet(command: list, seconds: int, **keywords) -> int:
    """Returns the exit status of a command; that of `timeout` if it takes too long."""
    done = subprocess.run(["timeout", str(seconds), *map(str, command)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **keywords)
    return done.returncode


def targets_of(tests: list[str]) -> list[str]:
    return [target for test in tests
            for target in (["tools/all", "runtime/all", "fuzz/all", "test/all", "test/Target/CPU/all"] if test.startswith("lit:")
                           else ["regrain-fuzz"] if test == "fuzz" else [test])]


class Copy:
    """A copy of the last commit with a build of its own."""

    def __init__(self, folder: Path, own_build: Path):
        self.tree = folder / "tree"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", self.tree], check=True)
        self.environment = {**os.environ, "CCACHE_BASEDIR": str(self.tree), "CCACHE_NOHASHDIR": "1",
                            "CCACHE_SLOPPINESS": "pch_defines,time_macros"}
        cache = own_build / "CMakeCache.txt"
        launcher = re.search(r"^CMAKE_CXX_COMPILER_LAUNCHER:\w+=(.*)$", cache.read_text(), re.M) if cache.exists() else None
        same = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher.group(1)}" for language in ("C", "CXX")] if launcher else []
        if quiet(["cmake", "--preset", "default", *same], 300, cwd=self.tree, env=self.environment):
            raise SystemExit("mutate: configuring the copy failed")

    def remove(self) -> None:
        subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", self.tree], check=True)

    def build(self, targets: list[str]) -> bool:
        return quiet(["ninja", "-C", self.tree / "build", "-j2", *targets], BUILD_SECONDS, env=self.environment) == 0

    def fails(self, test: str) -> bool:
        build = self.tree / "build"
        if test == "fuzz":
            # Status 1 means a finding; 2 is invalid use, 124 the time limit.
            return quiet([build / "bin/regrain-fuzz", *FUZZ], FUZZ_SECONDS) == 1
        if not test.startswith("lit:"):
            return quiet([build / "unittests" / test], TEST_SECONDS, cwd=build / "unittests") != 0
        lit = re.search(r"^REGRAIN_LIT:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)
        # Status 2 means that the filter selects nothing, which would prove nothing.
        return quiet([sys.executable, lit, "-q", "--filter", test[4:], build / "test"], TEST_SECONDS) not in (0, 2)

    def run(self, mutation: dict) -> dict:
        """Applies one mutation, builds, runs its tests, and takes it back."""
        path = self.tree / mutation["file"]
        before = path.read_text()
        started = time.monotonic()
        path.write_text(before.replace(mutation["text"], mutation["replacement"]))
        try:
            built = self.build(targets_of(mutation["tests"]))
            caught = next((test for test in mutation["tests"] if self.fails(test)), None) if built else None
        finally:
            path.write_text(before)
        outcome = "does not build" if not built else "caught" if caught else "not caught"
        return {"outcome": outcome, "by": caught, "seconds": round(time.monotonic() - started)}


def sound(copy: Copy, mutations: list[dict]) -> bool:
    """Returns whether all tests pass without a planted fault: otherwise a failure proves
    nothing."""
    tests = sorted({test for mutation in mutations for test in mutation["tests"]})
    if not copy.build(targets_of(tests)):
        print("mutate: the copy does not build")
        return False
    failing = [test for test in tests if copy.fails(test)]
    if failing:
        print(f"mutate: these fail without any mutation: {', '.join(failing)}")
    return not failing


def record(path: Path, results: dict) -> None:
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(dict(sorted({**known, **results}.items())), indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results/mutations.json")
    arguments = parser.parse_args()
    mutations = json.loads(LIST.read_text())
    wrong = wrong_entries(mutations)
    unknown = set(arguments.names) - {mutation["name"] for mutation in mutations}
    wrong += [f"there is no mutation '{name}'" for name in sorted(unknown)]
    if wrong or arguments.check:
        print("\n".join(wrong) or f"{len(mutations)} mutations, each text occurs once")
        return 1 if wrong else 0
    chosen = [mutation for mutation in mutations if not arguments.names or mutation["name"] in arguments.names]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), ROOT / "build")
        try:
            if not sound(copy, chosen):
                return 1
            for mutation in chosen:
                result = copy.run(mutation)
                missed += result["outcome"] != "caught"
                print(f'{mutation["name"]:28} {result["outcome"]:14} {result["by"] or "":24} {result["seconds"]:4} s', flush=True)
                record(arguments.results, {mutation["name"]: result})
        finally:
            copy.remove()
    print(f"{len(chosen) - missed} of {len(chosen)} faults caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
