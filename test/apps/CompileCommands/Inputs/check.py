"""Runs clang's commands of a compile_commands.json without writing files, and lists all entries.

usage: check.py FILE HEADERS    Each command of clang has the folder of headers.
"""
import json
import subprocess
import sys
from pathlib import Path

for entry in json.load(open(sys.argv[1])):
    name = Path(entry["file"]).name
    if "arguments" not in entry:
        print(f"other: {name}")
        continue
    assert any(Path(word[2:]).resolve() == Path(sys.argv[2]).resolve() for word in entry["arguments"] if word[:2] == "-I")
    subprocess.run([*entry["arguments"], "-fsyntax-only"], cwd=entry["directory"], check=True)
    print(f"clang: {name}")
