"""Fails where reports of regrain-fuzz together have fewer pairs of some words than asked for, or fewer forms of kernels.

usage: pairs.py REPORT... -- FORMS INTERPRETED PATTERN=N...    PATTERN: as of a shell, of a word of a grain
"""
import collections
import fnmatch
import json
import sys


def main() -> None:
    at = sys.argv.index("--")
    reports = [json.load(open(name)) for name in sys.argv[1:at]]
    forms, interpreted, *patterns = sys.argv[at + 1:]
    words = collections.Counter()
    for report in reports:
        words.update(report["pairs_by_word"])
    for pattern, least in (each.rsplit("=", 1) for each in patterns):
        found = sum(count for word, count in words.items() if fnmatch.fnmatchcase(word, pattern))
        if found < int(least):
            sys.exit(f"{found} pairs have {pattern}, not {least}: {dict(words)}")
    found = len(set().union(*(report["forms"] for report in reports)))
    if found != int(forms):
        sys.exit(f"{found} forms, not {forms}")
    if sum(report["pairs_interpreted"] for report in reports) < int(interpreted):
        sys.exit("too few pairs are interpreted")


if __name__ == "__main__":
    main()
