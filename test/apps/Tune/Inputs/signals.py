"""Sends signals to a command once it has printed "ready", a second apart.

Takes the signals' names, separated by commas, and the command; prints what it prints
and how it ends.
"""
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # the test runner may ignore it
names, command = sys.argv[1].split(","), sys.argv[2:]
process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
for line in process.stdout:
    print(line, end="")
    if line == "ready\n":
        break
for name in names:
    time.sleep(0.5)
    if process.poll() is None:
        process.send_signal(getattr(signal, name))
try:
    print(process.communicate(timeout=20)[0], end="")
except subprocess.TimeoutExpired:
    process.kill()
    print("did not end")
print("code", process.returncode, flush=True)
