#!/usr/bin/env python3
"""Checks README.md and docs/.

- Each relative link, and each path in backticks, names a file or folder that exists; an anchor names a heading.
- Each page has one title.
- Each fenced block states its language, and commands are in sessions, of which pages.py says when they are run.
- docs/README.md, from which the site takes the order of its pages, lists each page of docs/.
- README.md has no line over 100 columns.

usage: check_docs.py ROOT

Prints one line for each fault and exits 1 if there is one.
"""
import re
import sys
from pathlib import Path

import pages

FOLDERS = "apps bench cmake compiler docs examples fuzz include interpreter kernels runtime scripts test tools unittests".split()
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./-]+")
COMMAND = re.compile(r"\s*(?:\$ |(?:[A-Z_]+=\S+ )*(?:\S*/)?(?:regrain(?:-\w+)?|run|nvcc|cmake|make|gdb|python3?|apt-get) )")
MAX_COLUMNS = 100


def path_faults(page: Path, text: str, root: Path):
    prose = pages.prose(text)
    for written, anchor in LINK.findall(prose):
        target = page.parent / written if written else page
        if not target.exists():
            yield f"'{written}' does not exist"
        elif anchor and target.suffix == ".md" and anchor not in pages.anchors(target.read_text()):
            yield f"'{written}#{anchor}' names no heading"
    for match in CODE.finditer(prose):
        if PATH.fullmatch(match[1]) and not (root / match[1]).exists():
            yield f"'{match[1]}' does not exist"


def block_faults(text: str):
    titles = len(re.findall(r"^# ", pages.prose(text), re.M))
    if titles != 1:
        yield 1, f"the page has {titles} titles"
    for block in pages.blocks(text):
        if not block.language:
            yield block.line, "the block has no language"
        elif block.kind == "unknown" or (block.kind and (block.language == "console") == (block.kind == "file")):
            yield block.line, "what follows the language is none of the notes of scripts/pages.py"
        elif block.language != "console" and not block.kind and any(map(COMMAND.match, block.text.splitlines())):
            yield block.line, "the block has commands but is not a console session"
        elif block.language == "console" and not pages.commands(block):
            yield block.line, "the session has no command with '$ '"


def index_faults(root: Path):
    index = root / "docs/README.md"
    if not index.exists():
        return
    listed = {index.name, *(written for written, _ in LINK.findall(index.read_text()))}
    yield from (f"{page.name} is not listed" for page in sorted((root / "docs").glob("*.md")) if page.name not in listed)


def main() -> int:
    root = Path(sys.argv[1])
    faults = [f"docs/README.md: {fault}" for fault in index_faults(root)]
    for page in pages.pages(root):
        name, text = page.relative_to(root), page.read_text()
        faults += [f"{name}: {fault}" for fault in path_faults(page, text, root)]
        faults += [f"{name}:{line}: {fault}" for line, fault in block_faults(text)]
        if name == Path("README.md"):
            faults += [f"{name}:{number}: {len(line)} columns" for number, line in enumerate(text.splitlines(), 1)
                       if len(line) > MAX_COLUMNS]
    print("\n".join(faults) or "all paths exist")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
