"""Runs a command on a terminal of its own, 100 columns wide, and prints what it shows.

Takes what is typed (Python escapes, "" for nothing) and the command. Where the shown
text ends in {interrupt} the terminal's interrupt key is pressed; {resize} makes it 50
columns wide.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

typed, command = sys.argv[1].encode().decode("unicode_escape"), sys.argv[2:]
process, terminal = pty.fork()
if process == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the test runner may ignore it
    os.execvp(command[0], command)


def resize(columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))


resize(100)
os.write(terminal, typed.encode())
shown, done = b"", set()
deadline = time.monotonic() + 30
while time.monotonic() < deadline and select.select([terminal], [], [], 30)[0]:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    shown += data
    for count in range(shown.count(b"{interrupt}")):
        if ("interrupt", count) not in done:
            done.add(("interrupt", count))
            os.write(terminal, b"\x03")
    if b"{resize}" in shown and "resize" not in done:
        done.add("resize")
        resize(50)
if b"\r\r\n" in shown:
    print("two terminals have ended a line")
text = shown.decode().replace("\r\n", "\n")
print(re.sub("\r\x1b\\[K", "\n<erased>", text), end="")
status = os.waitpid(process, 0)[1]
print("\ncode", os.waitstatus_to_exitcode(status))
