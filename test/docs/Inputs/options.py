"""Checks that the options with which README.md and docs/ show commands of regrain are options of these commands.

usage: options.py ROOT BASH_COMPLETION FUZZ_HELP    The completion lists the options of each command.

In a line that calls a command, each word with a dash must be an option of that command. Where an option stands
alone in backticks, some command must have it. Prints one line for each fault and exits 1 if there is one.
"""
import re
import sys
from pathlib import Path

TABLE = re.compile(r'^  "(regrain[^"]*) -"\) words="([^"]*)"', re.M)
CALL = re.compile(r"(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\S*/)?(regrain(?:-nvcc)?(?: [a-z]+){0,2})((?: .*)?)")
ALONE = re.compile(r"`(--?[a-zA-Z][\w-]*)(?:[= ][^`]*)?`")
# The help leaves this one out, because only tests need it.
HIDDEN = {"--image-form"}


def accepts(names: set[str], word: str) -> bool:
    name = word.split("=")[0]
    return name in names | HIDDEN or (word[1:2] != "-" and word[:2] in names)


def calls(text: str):
    """Yields the lines of code blocks and the code in backticks."""
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.S)
    for block in blocks:
        yield from re.sub(r"\\\n\s*|\n\s+(?=\[)", " ", block).splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))


def faults(name: str, text: str, tables: dict[str, set[str]], others: set[str]):
    everything = others.union(*tables.values())
    for line in calls(text):
        call = CALL.match(line.strip())
        if not call:
            continue
        command = call[1].replace("regrain-nvcc", "regrain cc")
        while command not in tables and " " in command:
            command = command.rsplit(" ", 1)[0]
        own = re.split(r" -- | \|\s|\s#|&&", call[2])[0]
        # Options may stand before a subcommand.
        names = set().union(*(words for each, words in tables.items() if each.startswith(command)))
        for word in re.findall(r"(?:^|[\s\[])(-[\w-]+(?:=\S*)?)", own):
            if word != "--" and not accepts(names, word):
                yield f"{name}: '{command}' has no option '{word}': {line.strip()}"
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    for alone in ALONE.finditer(prose):
        if not accepts(everything, alone[1]):
            yield f"{name}: no command has the option '{alone[1]}'"


def main() -> int:
    root, completion, fuzz_help = map(Path, sys.argv[1:])
    tables = {command: {word.rstrip("=") for word in words.split()}
              for command, words in TABLE.findall(completion.read_text())}
    others = set(re.findall(r"--[\w-]+", fuzz_help.read_text()))
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    found = [fault for page in pages if page.exists()
             for fault in faults(page.name, page.read_text(), tables, others)]
    print("\n".join(found) or f"{len(tables)} commands, all options exist")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
