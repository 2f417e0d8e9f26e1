#!/usr/bin/env python3
"""Runs every test of the project: the GoogleTest programs, the conformance suites of the runtime, then lit.

Prints one closing line "N passed, N failed, N skipped"; exits 1 where anything failed.
usage: test.py [--build] BUILD_DIR [LIT_FILTER]    with --build, builds first
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from build import build as build_all
from count_kernels import is_program
from progress import Progress, processor_seconds, run_with_progress
from speed import Slowness

# The build of a fresh clone and all tests take at most 25 minutes on two cores, the tests alone 15. What is
# compared is processor time: minutes on the wall say nothing on a machine that does other work meanwhile. On a machine
# that is slower than the one for which the budgets were set, they grow by as much. A build of which parts are there
# takes less.
CORES = 2
BUDGET_SECONDS = CORES * 25 * 60
TESTS_BUDGET_SECONDS = CORES * 15 * 60
LIT_STEP = re.compile(r"(?:PASS|UNSUPPORTED|XFAIL): (?P<detail>.*) \((?P<done>\d+) of (?P<total>\d+)\)")


def run_gtest(program: Path) -> tuple[int, int, int, list[str]]:
    """Runs one GoogleTest program; returns passed, failed, skipped and the reasons for skips."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        # No test accesses a database of the user.
        done = subprocess.run([program, f"--gtest_output=json:{report.name}"], cwd=program.parent,
                              env={**os.environ, "REGRAIN_DB": "off"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        try:
            suites = json.load(open(report.name))["testsuites"]
        except (json.JSONDecodeError, KeyError):
            print(done.stdout)
            print(f"FAIL: {program.name}: ended with {done.returncode} and no report")
            return 0, 1, 0, []
    cases = [case for suite in suites for case in suite["testsuite"]]
    failed = [case for case in cases if "failures" in case]
    skipped = [case for case in cases if case.get("result") == "SKIPPED"]
    if failed or done.returncode:
        print(done.stdout)
    # The report of older versions of GoogleTest has no reasons; the output has them.
    runs = (run.split("\n", 1) for run in done.stdout.split("[ RUN      ] ")[1:])
    said = {name: match[1] for name, text in runs if (match := re.search(r": Skipped\n(.*?)\s*\[  SKIPPED", text, re.S))}
    names = [f'{case["classname"]}.{case["name"]}' for case in skipped]
    reasons = [f"{program.name}: {name}: {said.get(name, '')}" for name in names]
    passed = len(cases) - len(failed) - len(skipped)
    crashed = 1 if done.returncode and not failed else 0
    return passed, len(failed) + crashed, len(skipped), reasons


def run_lit(build: Path, arguments: list[str]) -> tuple[int, int, int]:
    """Runs lit over the build's test folder; returns passed, failed, skipped."""
    lit = re.search(r"^REGRAIN_LIT:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        code = run_with_progress([sys.executable, lit, "-v", "--order=smart", "--xunit-xml-output", report.name,
                                  *arguments, build / "test"], "lit tests", LIT_STEP)
        try:
            suites = list(ET.parse(report.name).getroot().iter("testsuite"))
        except ET.ParseError:
            print(f"FAIL: lit ended with {code} and no report")
            return 0, 1, 0
    counts = [tuple(int(s.get(k, "0")) for k in ("tests", "failures", "skipped")) for s in suites]
    for case in (case for suite in suites for case in suite.iter("testcase")):
        reason = next((skip.get("message", "") for skip in case.iter("skipped")), "")
        if reason and not reason.startswith("Test not selected"):
            print(f'skipped: {case.get("classname")}/{case.get("name")}: {reason}')
    tests, failed, skipped = (sum(column) for column in zip(*counts)) if counts else (0, 1, 0)
    if code and not failed:
        failed = 1
    return tests - failed - skipped, failed, skipped


def check_budget(what: str, seconds: float, budget: int, slowness: float) -> tuple[int, int]:
    """Returns how many checks passed and failed."""
    print(f"{what}: {seconds:.0f} s of processor time of a budget of {budget * slowness:.0f} s, "
          f"which is {budget // CORES // 60} minutes of {CORES} cores, times {slowness:.2f} for this machine's speed")
    return (1, 0) if seconds <= budget * slowness else (0, 1)


def run_unit_tests(build: Path) -> tuple[int, int, int]:
    """Runs the GoogleTest programs; returns passed, failed, skipped."""
    programs = [program for program in sorted((build / "unittests").glob("*"))
                if program.is_file() and os.access(program, os.X_OK) and re.search(r"Tests?$", program.name)]
    progress, counts, skips = Progress("unit tests"), (0, 0, 0), []
    for number, program in enumerate(programs):
        progress.show(number, len(programs), program.name)
        *more, reasons = run_gtest(program)
        counts = tuple(map(sum, zip(counts, more)))
        skips += reasons
    progress.end(f"{len(programs)} programs done")
    for reason in skips:
        print(f"skipped: {reason}")
    return counts


def run_conformance(build: Path) -> tuple[int, int, int]:
    """Compares the runtime's answers on each device with CUDA's (runtime/conformance); returns passed, failed,
    skipped. The CPU is always among the devices."""
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        subprocess.run(["ctest", "--test-dir", build, "-R", "^conformance-", "-j2", "--output-junit", report.name],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "REGRAIN_DB": "off"})
        try:
            cases = list(ET.parse(report.name).getroot().iter("testcase"))
        except ET.ParseError:
            cases = []
    if not cases:
        print("FAIL: conformance: ctest reported no suite")
        return 0, 1, 0
    states = {case.get("name"): case.get("status") for case in cases}
    failed = [case for case in cases if states[case.get("name")] == "fail"]
    for case in failed:
        print(f"FAIL: {case.get('name')}\n{case.findtext('system-out')}")
    skipped = [name for name, state in states.items() if state in ("notrun", "disabled")]
    for name in skipped:
        print(f"skipped: {name}: this machine has no such device")
    print(f"conformance suites: {len(states) - len(skipped)} done")
    return len(states) - len(failed) - len(skipped), len(failed), len(skipped)


def check_kernel_counts(build: Path) -> tuple[int, int]:
    """Checks that each kernel in the source of the end-to-end programs, as the lit tests have built them, is in its
    image. A test builds one program at several grains: its first one is read."""
    first = {}
    for folder in ("programs", "examples"):
        for file in sorted((build / "test/e2e" / folder / "Output").glob("*.tmp*")):
            if is_program(file):
                first.setdefault(file.name.split(".tmp")[0], file)
    if not first:
        return (0, 0)
    done = subprocess.run([sys.executable, Path(__file__).parent / "count_kernels.py", build / "bin/regrain", *first.values()],
                          stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    return (0, 1) if done.returncode else (1, 0)


def check_mutations() -> tuple[int, int]:
    """Checks that the text of each planted fault is still in its file; `./run mutations` plants
    them."""
    done = subprocess.run([sys.executable, Path(__file__).parent / "mutate.py", "--check"], stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    return (0, 1) if done.returncode else (1, 0)


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[0] == "--build":
        arguments.pop(0)
        if not build_all():
            print("FAIL: the build")
            return 1
    build, build_seconds = Path(arguments[0]).resolve(), processor_seconds()
    with Slowness() as slow:
        passed, failed, skipped = map(sum, zip((*check_mutations(), 0), run_unit_tests(build),
                                               run_conformance(build), run_lit(build, arguments[1:]),
                                               (*check_kernel_counts(build), 0)))
    seconds, slowness = processor_seconds(), slow.factor()
    for what, used, budget in (("build and tests", seconds, BUDGET_SECONDS),
                               ("tests", seconds - build_seconds, TESTS_BUDGET_SECONDS)):
        ok, bad = check_budget(what, used, budget, slowness)
        passed, failed = passed + ok, failed + bad
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
