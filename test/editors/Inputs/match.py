"""Applies the patterns of docs/installing.md for Visual Studio Code to messages.

usage: match.py PAGE MESSAGES

Prints the place, the severity and the text of each message, then how many lines have a severity and a place in another
form. Vim, where it is installed, has to find the same places by its own pattern.
"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

page, messages = Path(sys.argv[1]).read_text(), Path(sys.argv[2])
tasks = json.loads(re.search(r"```json\n(.*?)```", page, re.S)[1])
patterns = [matcher["pattern"] for matcher in tasks["tasks"][0]["problemMatcher"]]
lines = messages.read_text().splitlines()
found, unmatched = [], 0
for line in lines:
    pattern = next((each for each in patterns if re.match(each["regexp"], line)), None)
    if pattern:
        match = re.match(pattern["regexp"], line)
        file, number, column, severity, text = (match[pattern[key]] for key in ("file", "line", "column", "severity", "message"))
        found.append((Path(file).name, int(number), int(column)))
        print(f"{found[-1][0]}:{number}:{column} {severity}: {text}")
    elif re.search(r"\b(error|warning|remark|note): ", line) and re.search(r"\w\.\w+:\d+", line):
        unmatched += 1
        print(f"not matched: {line}")
print(f"unmatched: {unmatched}")

if vim := shutil.which("vim"):
    script = re.search(r"```vim\n(.*?)```", page, re.S)[1]
    Path("vim.script").write_text(
        script + f"cgetfile {messages}\n"
        "call writefile(map(filter(getqflist(), 'v:val.valid'), "
        "'fnamemodify(bufname(v:val.bufnr), \":t\") . \" \" . v:val.lnum . \" \" . v:val.col'), 'vim.found')\nqall!\n")
    subprocess.run([vim, "-es", "-N", "-u", "NONE", "-i", "NONE", "-S", "vim.script"], timeout=60)
    places = [(name, int(number), int(column)) for name, number, column in
              (line.split() for line in Path("vim.found").read_text().splitlines())]
    if places != found:
        sys.exit(f"Vim found {places}\nnot {found}")
