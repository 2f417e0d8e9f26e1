"""Runs a command whose output is not read, terminates it, and says how it ends."""
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
time.sleep(1)
process.terminate()
try:
    print("code", process.wait(timeout=10))
except subprocess.TimeoutExpired:
    process.kill()
    print("does not end")
