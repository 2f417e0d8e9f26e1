"""Interrupts a compile that hangs, and says which files it left."""
import os
import pathlib
import signal
import subprocess
import sys
import time

mode, signal_name, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
command = sys.argv[4:]
temporary = folder / "tmp"
temporary.mkdir(parents=True)
os.chdir(folder)

if mode == "source":
    # Nothing writes to the pipe, so clang waits for the header for ever.
    os.mkfifo("endless.h")
    pathlib.Path("a.cu").write_text('#include "endless.h"\n')
    sign_of_life = None
else:
    # This host compiler begins to write its output and never ends.
    pathlib.Path("slow").write_text(
        '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho half > "$2"\n'
        'touch started\nexec sleep 60\n')
    os.chmod("slow", 0o755)
    pathlib.Path("a.cpp").write_text("int x;\n")
    sign_of_life = pathlib.Path("started")
before = set(os.listdir("."))

process = subprocess.Popen(command, env=dict(os.environ, TMPDIR=str(temporary)))
deadline = time.monotonic() + 20
while sign_of_life and not sign_of_life.exists() and time.monotonic() < deadline:
    time.sleep(0.01)
if not sign_of_life:
    time.sleep(0.5)
process.send_signal(getattr(signal, signal_name))
code = process.wait(timeout=20)
left = sorted(set(os.listdir(".")) - before - {"started"}) + sorted(os.listdir(temporary))
print("failed" if code else "succeeded", "left:", left)
