"""What the pages of the documentation consist of: README.md and docs/, in GitHub's Markdown.

Fenced blocks state their language. What follows it tells what scripts/page_commands.py does with the block:

  console                 a session: lines with "$ " are commands, which are run; the others are what they print
  console slow: REASON    the commands run only with --commands=all; what they print depends on the machine
  console needs: PROGRAMS the commands run where these are on the path
  console not-run: REASON the commands are not run
  LANGUAGE file: NAME     the block is written to the file before the commands below it run

A line "<!-- run: COMMAND -->" is a command that readers do not see, such as one that makes a file which they have.
"""
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

PART = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<text>.*?)^ *```$|^<!-- run: (?P<hidden>.*?) -->$",
                  re.S | re.M)
NOTE = re.compile(r"(?P<kind>slow|needs|not-run|file): (?P<rest>.+)")


@dataclass
class Block:
    line: int  # of the fence
    language: str
    kind: str  # one of NOTE's, "" without a note, "hidden", or "unknown"
    rest: str  # the reason, the program or the file
    text: str


@dataclass
class Command:
    line: int
    text: str
    output: list[str]


def pages(root: Path) -> list[Path]:
    return [page for page in (root / "README.md", *sorted((root / "docs").rglob("*.md"))) if page.exists()]


def prose(text: str) -> str:
    """The text with its fenced blocks emptied, so that the numbers of lines stay."""
    return re.sub(r"^ *```.*?^ *```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.S | re.M)


def blocks(text: str) -> list[Block]:
    """The fenced blocks and hidden commands, in order."""
    found = []
    for part in PART.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        if part["hidden"] is not None:
            found.append(Block(line, "console", "hidden", "", f"$ {part['hidden']}\n"))
            continue
        language, _, note = part["info"].strip().partition(" ")
        match = NOTE.fullmatch(note.strip())
        kind = match["kind"] if match else "unknown" if note.strip() else ""
        found.append(Block(line, language, kind, match["rest"] if match else "", textwrap.dedent(part["text"])))
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a session; a command goes on in the next line after a backslash."""
    found, continues = [], False
    for number, line in enumerate(block.text.splitlines(), block.line + (block.kind != "hidden")):
        if continues:
            found[-1].text += "\n" + line
        elif line.startswith("$ "):
            found.append(Command(number, line[2:], []))
        elif found:
            found[-1].output.append(line)
        continues = (continues or line.startswith("$ ")) and line.endswith("\\")
    return found


def anchors(text: str) -> dict[str, str]:
    """The headings of a page by the names that GitHub and the site give them."""
    found: dict[str, str] = {}
    for heading in re.findall(r"^#+ +(.+?) *$", prose(text), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        plain = name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while name in found:
            number += 1
            name = f"{plain}-{number}"
        found[name] = heading
    return found
