"""The commands of this build, as their own help names them.

usage: commands.py check TOOL...      checks the help of each command
       commands.py examples TOOL...   prints the examples of each command, one a line
"""
import re
import subprocess
import sys

RAW_TYPE = re.compile(r"\b(TEXT|U?INT|FLOAT|BOOLEAN|VALUE in)\b|:\w+ in \[")
MAX_COLUMNS, MIN_EXAMPLES = 100, 2


def section(text: str, title: str) -> list[str]:
    """Returns the lines that begin an entry below the title."""
    lines = text.split(f"\n{title}:\n", 1)[1].split("\n\n")[0].splitlines() if f"\n{title}:\n" in text else []
    return [line.strip() for line in lines if re.match(r"  \S", line)]


def helps(command: list[str]):
    """Yields the words and the help of a command and of all below it."""
    text = subprocess.run([*command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    yield command, text
    for line in section(text, "Commands"):
        yield from helps([*command, line.split()[0]])


def faults(name: str, text: str):
    for line in text.splitlines():
        if len(line) > MAX_COLUMNS:
            yield f"{name}: {len(line)} columns: {line}"
        if RAW_TYPE.search(line):
            yield f"{name}: a raw type: {line}"
    if not text.startswith(f"usage: {name}"):
        yield f"{name}: no usage"
    if len(section(text, "Examples")) < MIN_EXAMPLES:
        yield f"{name}: fewer than {MIN_EXAMPLES} examples"


def main() -> int:
    mode, *tools = sys.argv[1:]
    found = []
    for tool in tools:
        for command, text in helps([tool]):
            name = " ".join([tool.rsplit("/", 1)[-1], *command[1:]])
            if mode == "examples":
                print("\n".join(section(text, "Examples")))
            else:
                found += faults(name, text)
                print(name)
    print("\n".join(found), file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
