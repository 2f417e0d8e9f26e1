#!/usr/bin/env python3
"""Runs every test of the project: the GoogleTest programs through CTest, then lit.

Prints one closing line "N passed, N failed, N skipped"; exits 1 where anything failed.
usage: test.py BUILD_DIR [LIT_FILTER]
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

BUILD_BUDGET_SECONDS = 40 * 60


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
    reasons = [f'{program.name}: {case["classname"]}.{case["name"]}: '
               + "; ".join(skip.get("message", "").strip() for skip in case.get("skipped", [])) for case in skipped]
    passed = len(cases) - len(failed) - len(skipped)
    crashed = 1 if done.returncode and not failed else 0
    return passed, len(failed) + crashed, len(skipped), reasons


def run_lit(build: Path, arguments: list[str]) -> tuple[int, int, int]:
    """Runs lit over the build's test folder; returns passed, failed, skipped."""
    lit = re.search(r"^REGRAIN_LIT:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        done = subprocess.run([sys.executable, lit, "-sv", "--order=smart",
                               "--xunit-xml-output", report.name, *arguments, build / "test"])
        try:
            suites = list(ET.parse(report.name).getroot().iter("testsuite"))
        except ET.ParseError:
            print(f"FAIL: lit ended with {done.returncode} and no report")
            return 0, 1, 0
    counts = [tuple(int(s.get(k, "0")) for k in ("tests", "failures", "skipped")) for s in suites]
    for case in (case for suite in suites for case in suite.iter("testcase")):
        reason = next((skip.get("message", "") for skip in case.iter("skipped")), "")
        if reason and not reason.startswith("Test not selected"):
            print(f'skipped: {case.get("classname")}/{case.get("name")}: {reason}')
    tests, failed, skipped = (sum(column) for column in zip(*counts)) if counts else (0, 1, 0)
    if done.returncode and not failed:
        failed = 1
    return tests - failed - skipped, failed, skipped


def check_build_time() -> tuple[int, int]:
    """Checks the budget for a clean build plus tests; an incremental build is far below it."""
    seconds = int(os.environ.get("REGRAIN_BUILD_SECONDS", "0"))
    print(f"build: {seconds} s of a budget of {BUILD_BUDGET_SECONDS} s")
    return (1, 0) if seconds <= BUILD_BUDGET_SECONDS else (0, 1)


def check_mutations() -> tuple[int, int]:
    """Checks that the text of each planted fault is still in its file; `./run mutations` plants
    them."""
    done = subprocess.run([sys.executable, Path(__file__).parent / "mutate.py", "--check"], stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    return (0, 1) if done.returncode else (1, 0)


def main() -> int:
    build = Path(sys.argv[1]).resolve()
    passed, failed = (sum(counts) for counts in zip(check_build_time(), check_mutations()))
    skipped = 0
    for program in sorted((build / "unittests").glob("*")):
        if program.is_file() and os.access(program, os.X_OK) and re.search(r"Tests?$", program.name):
            ok, bad, left, reasons = run_gtest(program)
            passed, failed, skipped = passed + ok, failed + bad, skipped + left
            for reason in reasons:
                print(f"skipped: {reason}")
    ok, bad, left = run_lit(build, sys.argv[2:])
    print(f"{passed + ok} passed, {failed + bad} failed, {skipped + left} skipped")
    return 1 if failed + bad else 0


if __name__ == "__main__":
    sys.exit(main())
