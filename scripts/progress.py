"""One line that says what is being done and how long it takes, for the other scripts.

On a terminal the line is drawn anew in its place. Elsewhere, in a log, it is printed again at most every
LOG_SECONDS.
"""
import os
import re
import resource
import subprocess
import sys
import time

LOG_SECONDS = 30
# An estimate from fewer steps than this, or within these seconds, says little.
MIN_STEPS, MIN_SECONDS = 10, 10


class Progress:
    """Shows "WHAT: 120 of 456, 63 s, about 170 s left" on stderr."""

    def __init__(self, what: str) -> None:
        self.what, self.started, self.shown_at = what, time.monotonic(), 0.0
        self.draws = sys.stderr.isatty()

    def seconds(self) -> float:
        return time.monotonic() - self.started

    def text(self, done: int, total: int, detail: str) -> str:
        seconds = self.seconds()
        text = f"{self.what}: {done} of {total}, {seconds:.0f} s"
        if MIN_STEPS <= done < total and seconds >= MIN_SECONDS:
            text += f", about {seconds / done * (total - done):.0f} s left"
        return text + (f": {detail}" if detail else "")

    def show(self, done: int, total: int, detail: str = "") -> None:
        now = time.monotonic()
        if self.draws:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80  # 0: unknown
            sys.stderr.write("\r\x1b[K" + self.text(done, total, detail)[:columns - 1])
        elif now - self.shown_at >= LOG_SECONDS:
            sys.stderr.write(self.text(done, total, detail) + "\n")
        else:
            return
        self.shown_at = now
        sys.stderr.flush()

    def say(self, line: str) -> None:
        """Prints a line that stays."""
        sys.stderr.write(("\r\x1b[K" if self.draws else "") + line + "\n")
        sys.stderr.flush()
        self.shown_at = 0.0 if self.draws else self.shown_at

    def hide(self) -> None:
        """Takes the line away before others write."""
        if self.draws:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def end(self, how: str) -> None:
        self.say(f"{self.what}: {how}, {self.seconds():.0f} s")


def run_with_progress(command: list, what: str, step: re.Pattern, **settings) -> int:
    """Runs a command whose lines that match `step` say how far it is, by the groups done, total and
    detail, or nothing; passes its other lines on. Returns its exit code."""
    progress = Progress(what)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", **settings)
    total = 0
    for line in process.stdout:
        match = step.match(line)
        if match and match["total"]:
            total = int(match["total"])
            progress.show(int(match["done"]), total, match["detail"].strip())
        elif not match:
            progress.say(line.rstrip("\n"))
    code = process.wait()
    progress.end("failed" if code else f"{total} done" if total else "nothing to do")
    return code


def processor_seconds() -> float:
    """Returns the processor time of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
