#!/usr/bin/env python3
"""Makes the site of README.md, docs/ and the generated reference: it opens from disk and is searched without a network.

usage: docs.py ROOT BUILD DIR [--pictures]    --pictures makes the pictures anew, where there is a browser

Sphinx renders a copy of the pages, which docs/site configures. The copy has the contents of docs/README.md as its
navigation, a link in place of each path of a page in backticks, and the reference: the dialect and the passes as
mlir-tblgen describes them, and the help of each command. A warning of Sphinx is an error.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pages
import pictures

LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:)([^)#\s]+)(#[^)\s]*)?\)")
PAGE = re.compile(r"(?<![\[`])`docs/([\w./-]+\.md)`")
CONTENTS = "all-pages.md"  # docs/README.md


def relative(target: str, page: Path) -> str:
    return os.path.relpath(target, page.parent)


def title_of(page: Path, anchor: str = "") -> str:
    headings = pages.anchors(page.read_text())
    return headings.get(anchor) or next(iter(headings.values()))


def outside_of_blocks(text: str, change) -> str:
    """Changes the text between fenced blocks."""
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.S | re.M)
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


def page_of_site(root: Path, source: Path, page: Path) -> str:
    """The text of a page as Sphinx reads it; `page` is its path in the site."""
    text = re.sub(r"^<!-- run: .*? -->\n", "", source.read_text(), flags=re.S | re.M)
    text = re.sub(r"^( *)```(\w+) file: (.+)$", r"\1```{code-block} \2\n\1:caption: \3", text, flags=re.M)
    text = re.sub(r"^( *```\w+) [^\n`]*$", r"\1", text, flags=re.M)

    def link(match: re.Match) -> str:
        target = (source.parent / match[2]).resolve()
        if not target.is_relative_to(root / "docs"):
            path = str(target.relative_to(root))
            return match[1] if match[1].strip("`") == path else f"{match[1]} (`{path}`)"
        name = str(target.relative_to(root / "docs"))
        # A link that shows the path shows the title of the page, or of the section, instead.
        shown = title_of(target, (match[3] or "#")[1:]) if match[1].endswith(".md") else match[1]
        return f"[{shown}]({relative(CONTENTS if name == 'README.md' else name, page)}{match[3] or ''})"

    def named_page(match: re.Match) -> str:
        number = re.match(r"decisions/(\d+)-", match[1])
        name = CONTENTS if match[1] == "README.md" else match[1]
        shown = f"decision {number[1]}" if number else title_of(root / "docs" / match[1])
        return f"[{shown}]({relative(name, page)})"

    return outside_of_blocks(text, lambda part: PAGE.sub(named_page, LINK.sub(link, part)))


def toctree(entries: list[str], *options: str) -> str:
    return "\n".join(["```{toctree}", ":hidden:", ":titlesonly:", *options, "", *entries, "```", ""])


def navigation(contents: str, generated: list[str]) -> str:
    """The sections of docs/README.md, each page at its first link; generated pages are at the end of the reference."""
    trees, seen = [], set()
    for section in re.split(r"^## ", contents, flags=re.M)[1:]:
        title = section.splitlines()[0]
        linked = dict.fromkeys(name for _, name, _ in LINK.findall(section) if name.endswith(".md"))
        names = [name for name in linked if name not in seen]
        seen.update(names)
        trees.append(toctree(names + (generated if title == "Reference" else []), f":caption: {title}"))
    return "\n".join(trees)


def help_of_commands(regrain: Path) -> str:
    """The help of each command that `regrain help` lists, and of regrain-nvcc."""
    def said(*command) -> str:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    listed = re.search(r"^Commands:\n(.*?)\n\n", said(regrain, "help"), re.S | re.M)[1]
    names = re.findall(r"^  ([a-z-]+)  ", listed, re.M)
    sections = [f"## regrain {name}\n\n```text\n{said(regrain, 'help', name)}\n```\n" for name in names]
    return "\n".join(["# Commands\n", "This page has the help that each command prints.\n", *sections])


def made_by_tablegen(file: Path) -> str:
    """What mlir-tblgen wrote, without its comment and the mark for a table of contents, and with languages that Sphinx
    knows."""
    text = re.sub(r"^<!--.*?-->\n|^\[TOC\]\n", "", file.read_text(), flags=re.M)
    # These headings would be most of the page's contents.
    text = re.sub(r"^#{3,} (Options|Attributes|Operands|Results|Successors):?$", r"\1:\n", text, flags=re.M)
    text = text.replace("<table>", '<table class="docutils">')
    return re.sub(r"^```mlir$", "```text", text, flags=re.M)


def write_reference(build: Path, stage: Path) -> list[str]:
    """Writes the generated pages; returns their paths in the site."""
    passes = made_by_tablegen(build / "compiler/Transforms/Passes.md")
    dialect = made_by_tablegen(build / "compiler/Dialect/Grain/GrainDialect.md")
    written = {
        "commands.md": help_of_commands(build / "bin/regrain"),
        # The first line is the summary, and what follows it the description.
        "dialect.md": re.sub(r"^# .*\n+(.*)\n", r"# The dialect grain\n\n*\1*\n\n", dialect, count=1, flags=re.M),
        "passes.md": "# The passes of grain IR\n\nThis page lists the passes that transform grain IR. `regrain-opt` has"
                     " a flag for each, and [architecture](../architecture.md) says how they follow each other.\n\n"
                     + re.sub(r"^###", "##", passes, flags=re.M),
    }
    (stage / "reference").mkdir()
    for name, text in written.items():
        (stage / "reference" / name).write_text(text)
    return [f"reference/{name}" for name in written]


def write_pages(root: Path, build: Path, stage: Path, new_pictures: bool):
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(root / "docs/site", stage)
    for source in pages.pages(root)[1:]:
        name = source.relative_to(root / "docs")
        page = Path(CONTENTS) if name == Path("README.md") else name
        (stage / page).parent.mkdir(exist_ok=True)
        (stage / page).write_text(page_of_site(root, source, page))
    for source in (root / "docs").rglob("*.png"):
        (stage / source.relative_to(root / "docs")).parent.mkdir(exist_ok=True)
        shutil.copy(source, stage / source.relative_to(root / "docs"))
    if new_pictures and pictures.browser():
        pictures.make(root, build, stage / "pictures", list(pictures.PICTURES))
    # So many decisions would make the navigation long; they have a table of their own.
    for decision in (stage / "decisions").glob("[0-9]*.md"):
        decision.write_text("---\norphan: true\n---\n" + decision.read_text())
    first = page_of_site(root, root / "README.md", Path("index.md"))
    contents = (root / "docs/README.md").read_text()
    trees = navigation(contents, write_reference(build, stage))
    (stage / "index.md").write_text("\n".join([first, toctree([CONTENTS]), trees]))


def complete_theme(site: Path):
    """Debian's theme expects a web server: it imports a style sheet from the server's root, and a module, which
    browsers do not load from disk. Brings both in."""
    style, normalize = site / "_static/styles/furo.css", "/javascript/normalize.css/normalize.css"
    if normalize in style.read_text():
        style.write_text(style.read_text().replace(normalize, "normalize.css"))
        shutil.copy(Path("/usr/share/javascript/normalize.css/normalize.min.css"), style.parent / "normalize.css")
    script, module = site / "_static/scripts/furo.js", 'import Gumshoe from "./gumshoe-patched.js";'
    if module in script.read_text():
        script.write_text((script.parent / "gumshoe-patched.js").read_text() + script.read_text().replace(module, ""))


def main() -> int:
    root, build, site = (Path(argument).resolve() for argument in sys.argv[1:4])
    stage = build / "docs/pages"
    write_pages(root, build, stage, "--pictures" in sys.argv[4:])
    done = subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-j", "auto", "-d", build / "docs/doctrees",
                           "-b", "html", stage, site])
    if done.returncode == 0:
        complete_theme(site)
    print(f"{site / 'index.html'}" if done.returncode == 0 else "the site has faults")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
