"""Checks that each command accepts the options that bash completes for it, and that its help shows no other.

usage: accepted.py COMPLETE SCRIPT REGRAIN
"""
import re
import subprocess
import sys

COMMANDS = ["cc", "explain", "inspect", "tune", "report", "suite", "db", *(f"db {name}" for name in
            ("list", "show", "export", "import", "merge", "forget", "check"))]


def output(command: list[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
    return done.stdout


def completed(complete: str, script: str, command: str) -> set[str]:
    """Returns the words that begin with a dash, with the '=' that has to follow them."""
    return set(output(["bash", complete, script, "regrain", *command.split(), "-"]).split())


def unknown(regrain: str, command: str, words: set[str]) -> set[str]:
    """Returns those of the words that the command's parser does not know."""
    lines = []
    if command in ("cc", "explain"):
        # All at once, because these report all that is unknown. A word that takes no value leaves a file.
        arguments = [argument for word in sorted(words) for argument in (word, "/dev/null")]
        lines = output([regrain, command, *arguments]).splitlines()
    else:
        # The value is missing or wrong, or no file is named: but the name is known.
        lines = [line for word in words for line in output([regrain, *command.split(), word]).splitlines()]
    return {name for line in lines for name in re.findall("unknown option '([^']*)'", line)}


def shown(regrain: str, command: str) -> set[str]:
    """Returns the names that begin entries of the help."""
    text = output([regrain, *command.split(), "--help"]).split("\nExamples:")[0]
    entries = re.findall(r"^  (-[^\s,]+(?:, -[^\s,]+)*)", text, re.M)
    return {name.split("=")[0].rstrip("[") for entry in entries for name in entry.split(", ")}


def main() -> int:
    complete, script, regrain = sys.argv[1:]
    faults = []
    for command in COMMANDS:
        words = completed(complete, script, command)
        names = {word.rstrip("=") for word in words}
        faults += [f"{command}: {name} is completed, but not accepted"
                   for name in sorted(unknown(regrain, command, words))]
        # Behind a name of which the value is a part, such as -OLEVEL and -Wl,A,B, the help has the value.
        missing = {name for name in shown(regrain, command) - names - {"--"} if f"{name}," not in names
                   and not any(re.fullmatch(re.escape(known) + r"[A-Z].*", name) for known in names)}
        faults += [f"{command}: {name} is in the help, but not completed" for name in sorted(missing)]
        if not names:
            faults.append(f"{command}: no option is completed")
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
