"""Stops a command and its children for a while once it has printed "ready", then ends it.

Takes the seconds for which it is stopped, and the command; prints what it prints and how it ends.
"""
import os
import signal
import subprocess
import sys
import time

seconds, command = float(sys.argv[1]), sys.argv[2:]
process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
for line in process.stdout:
    print(line, end="")
    if line == "ready\n":
        break
time.sleep(0.5)
children = [int(pid) for pid in open(f"/proc/{process.pid}/task/{process.pid}/children").read().split()]
for pid in [process.pid, *children]:
    os.kill(pid, signal.SIGSTOP)
time.sleep(seconds)
for pid in [process.pid, *children]:
    os.kill(pid, signal.SIGCONT)
time.sleep(0.5)
process.send_signal(signal.SIGTERM)
print(process.communicate()[0], end="")
print("code", process.returncode, flush=True)
