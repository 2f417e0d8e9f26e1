#!/usr/bin/env python3
"""The expected answers of the conformance suite.

usage: expected.py check EXPECTED VERSION PROGRAM [DEVIATIONS]
                                                      runs PROGRAM, compares what it answers
       expected.py record EXPECTED VERSION ANSWERS    takes in what NVIDIA's runtime answered

VERSION is CUDA's major version. A line `area.question: answer` of EXPECTED holds for each
version; `area.question [12]: answer` goes before it for version 12. DEVIATIONS has what a
kind of device cannot answer so: `area.question: answer`, several lines for one question
where its versions differ, go before EXPECTED, and `without AREA` leaves an area out. `check`
ends with 77 where there is no device.
"""
import re
import subprocess
import sys

LINE = re.compile(r"([a-z_]+\.[^:\[]*?)(?: \[(\d+)\])?: (.*)")
SKIPPED = 77
TIME_LIMIT = 600  # seconds; each area has a shorter one of its own


def parse(text):
    """Returns the answers by question and version (None: every version), in the order of the
    text."""
    answers = {}
    for line in text.splitlines():
        found = LINE.fullmatch(line)
        if found:
            question, version, answer = found.groups()
            answers.setdefault(question, {})[version] = answer
    return answers


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def wanted(versions, version):
    return versions.get(version, versions.get(None))


def parse_deviations(text):
    """Returns the omitted areas, and the accepted answers by question."""
    left_out, answers = [], {}
    for line in text.splitlines():
        if line.startswith("without "):
            left_out.append(line.split()[1])
        elif found := LINE.fullmatch(line):
            answers.setdefault(found[1], []).append(found[3])
    return left_out, answers


def check(expected_path, version, program, deviations_path=None):
    left_out, deviations = parse_deviations(read(deviations_path) if deviations_path else "")
    command = [program] + ["-" + area for area in left_out]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    if ran.returncode == SKIPPED:
        print("skipped: no such device here")
        return SKIPPED
    expected = parse(read(expected_path))
    actual = {question: each[None] for question, each in parse(ran.stdout).items()}
    expected = {question: versions for question, versions in expected.items()
                if question.split(".")[0] not in left_out}
    failures = 0
    for question, versions in expected.items():
        right = deviations.get(question, [wanted(versions, version)])
        given = actual.get(question, "nothing")
        if given not in right:
            failures += 1
            print(f"{question}: {given}, expected: {' or '.join(right)}")
    for question in actual.keys() - expected.keys():
        failures += 1
        print(f"{question}: {actual[question]}, and nothing is expected")
    if failures:
        print(ran.stdout, ran.stderr, sep="\n")
    print(f"{len(expected)} questions, {failures} wrong, exit {ran.returncode}")
    return 1 if failures or ran.returncode else 0


def record(expected_path, version, answers_path):
    text = read(expected_path)
    before = parse(text)
    header = [line for line in text.splitlines() if line.startswith("#")]
    lines = list(header)
    for question, each in parse(read(answers_path)).items():
        versions = {other: answer for other, answer in before.get(question, {}).items()
                    if other not in (None, version) and answer != each[None]}
        lines += [f"{question} [{other}]: {answer}" for other, answer in versions.items()]
        lines.append(f"{question}: {each[None]}")
    with open(expected_path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return 0


def main(arguments):
    actions = {"check": check, "record": record}
    has_deviations = len(arguments) == 6 and arguments[1] == "check"
    if arguments[1:2] not in ([name] for name in actions) or (len(arguments) != 5
                                                             and not has_deviations):
        print(__doc__, file=sys.stderr)
        return 2
    return actions[arguments[1]](*arguments[2:])


if __name__ == "__main__":
    sys.exit(main(sys.argv))
