#!/usr/bin/env python3
"""Checks README.md and docs/: every relative link, and every path in backticks, names a file or folder that exists.

usage: check_docs.py ROOT

README.md must also have no line over 100 columns. Prints one line for each fault and exits 1 if there is one.
"""
import re
import sys
from pathlib import Path

FOLDERS = "apps bench cmake compiler docs examples fuzz include interpreter runtime scripts test tools unittests".split()
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./-]+")
MAX_COLUMNS = 100


def paths_in(text: str, page: Path, root: Path):
    """Yields each path that the page names, as written and where it should exist."""
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    for match in LINK.finditer(prose):
        yield match[1], page.parent / match[1]
    for match in CODE.finditer(prose):
        if PATH.fullmatch(match[1]):
            yield match[1], root / match[1]


def main() -> int:
    root = Path(sys.argv[1])
    faults = []
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        name = page.relative_to(root)
        text = page.read_text()
        faults += [f"{name}: '{written}' does not exist" for written, path in paths_in(text, page, root) if not path.exists()]
        if name == Path("README.md"):
            faults += [f"{name}:{number}: {len(line)} columns" for number, line in enumerate(text.splitlines(), 1)
                       if len(line) > MAX_COLUMNS]
    print("\n".join(faults) or "all paths exist")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
