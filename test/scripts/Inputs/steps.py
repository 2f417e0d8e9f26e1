"""Runs a command of three steps through scripts/progress.py.

usage: steps.py SCRIPTS EXIT_CODE
"""
import re
import sys

sys.path.insert(0, sys.argv[1])
from progress import run_with_progress

STEPS = f"echo '[1/3] first'; echo 'a warning'; echo '[2/3] second'; echo '[3/3] third'; exit {sys.argv[2]}"
code = run_with_progress(["sh", "-c", STEPS], "working", re.compile(r"\[(?P<done>\d+)/(?P<total>\d+)\] (?P<detail>.*)"))
print("returned", code, file=sys.stderr)
