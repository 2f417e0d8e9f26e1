#!/usr/bin/env python3
"""Runs the commands of README.md and docs/ with the tools of a build, each page in an empty folder on the CPU device.

usage: page_commands.py ROOT BUILD [--all] [--seconds] [PAGE...]

pages.py describes the blocks. A command fails if its exit status is not 0, or if a line that the page shows below it is
not in what it prints, in this order; numbers and the width of blanks do not count, and "..." stands for any text. A page
ends at its first command that fails. --all also runs what is slow; --seconds prints how long each command took. Prints one line for each
fault and exits 1 if there is one.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pages

# A page that takes longer hangs.
LIMIT_SECONDS = 600


@dataclass
class Result:
    ran: int = 0
    faults: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    seconds: list[tuple[float, str]] = field(default_factory=list)


def plain(line: str) -> str:
    return re.sub(r"\d+(\.\d+)*", "0", " ".join(line.split()))


def matches(expected: str, printed: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, plain(expected).split("..."))), printed) is not None


def first_missing(expected: list[str], printed: str) -> str | None:
    """The first expected line that does not follow the ones before it."""
    rest = iter([plain(line) for line in printed.splitlines()])
    wanted = [line for line in expected if line.strip() not in ("", "...")]
    return next((line for line in wanted if not any(matches(line, each) for each in rest)), None)


class Shell:
    """A bash in which the commands of a page run one after the other, so that later ones see exported variables."""

    def __init__(self, folder: Path, environment: dict[str, str]):
        self.command, self.output = folder / "command", folder / "output"
        (folder / "page").mkdir()
        self.bash = subprocess.Popen(["bash"], cwd=folder / "page", env=environment, text=True, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        self.limit = threading.Timer(LIMIT_SECONDS, lambda: os.killpg(self.bash.pid, signal.SIGKILL))
        self.limit.daemon = True
        self.limit.start()

    def close(self):
        self.limit.cancel()
        self.bash.stdin.close()
        self.bash.wait()

    def run(self, command: str) -> tuple[int, str]:
        self.command.write_text(command + "\n")
        self.bash.stdin.write(f". '{self.command}' > '{self.output}' 2>&1 < /dev/null; echo $?\n")
        self.bash.stdin.flush()
        status = self.bash.stdout.readline()
        printed = self.output.read_text(errors="replace") if self.output.exists() else ""
        return int(status or 1), printed


def reason_to_skip(block: pages.Block, everything: bool) -> str | None:
    if block.kind == "not-run":
        return block.rest
    if block.kind == "slow" and not everything:
        return f"slow: {block.rest}"
    missing = [name for name in block.rest.split() if not shutil.which(name)] if block.kind == "needs" else []
    return f"{' '.join(missing)} is not here" if missing else None


def run_block(block: pages.Block, shell: Shell, result: Result):
    for command in pages.commands(block):
        begin = time.monotonic()
        status, printed = shell.run(command.text)
        result.seconds.append((time.monotonic() - begin, command.text))
        result.ran += block.kind != "hidden"
        missing = None if block.kind == "slow" else first_missing(command.output, printed)
        if not status and not missing:
            continue
        what = f"does not print '{missing}'" if not status else f"ends with {status}"
        result.faults.append(f"{command.line}: '{command.text}' {what}\n{printed.rstrip()}")
        return


def run_page(page: Path, arguments: argparse.Namespace) -> Result:
    result, blocks = Result(), pages.blocks(page.read_text())
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ROOT": str(arguments.root), "BUILD": str(arguments.build), "HOME": folder,
                       "REGRAIN_DEVICE": "cpu", "PATH": f"{arguments.build / 'bin'}:{os.environ['PATH']}"}
        # A database is that of the folder, as it is a user's own.
        for variable in ("REGRAIN_DB", "XDG_CACHE_HOME"):
            environment.pop(variable, None)
        shell = Shell(Path(folder), environment)
        for block in blocks:
            if block.kind == "file":
                (Path(folder) / "page" / block.rest).write_text(block.text)
            elif block.language == "console":
                reason = reason_to_skip(block, arguments.all)
                if reason:
                    result.skipped.append(f"{block.line}: {len(pages.commands(block))} not run: {reason}")
                else:
                    run_block(block, shell, result)
            if result.faults:
                break
        shell.close()
    return result


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seconds", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    arguments = parser.parse_intermixed_args()
    arguments.root, arguments.build = arguments.root.resolve(), arguments.build.resolve()
    paths = [page.resolve() for page in arguments.pages] or pages.pages(arguments.root)
    # Pages that take long come first. What is slow is measured, so pages do not disturb each other then.
    paths.sort(key=lambda page: page.read_text().count("\n$ "), reverse=True)
    with ThreadPoolExecutor(1 if arguments.all else os.cpu_count()) as pool:
        results = dict(zip(paths, pool.map(lambda page: run_page(page, arguments), paths)))
    for page, result in sorted(results.items()):
        name = page.relative_to(arguments.root) if page.is_relative_to(arguments.root) else page.name
        for line in result.skipped:
            print(f"{name}:{line}")
        for seconds, command in result.seconds if arguments.seconds else ():
            print(f"{name}: {seconds:.2f} s: {command}")
    faults = [f"{page.name}:{fault}" for page, result in sorted(results.items()) for fault in result.faults]
    print("\n".join(faults))
    print(f"{sum(result.ran for result in results.values())} commands run, {len(faults)} failed")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
