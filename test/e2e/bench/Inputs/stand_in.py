#!/usr/bin/env python3
"""Stands in for g++, nvcc, regrain-nvcc, regrain and what they build, by the name under which it runs.

A program's times follow from its name and from REGRAIN_DB: 8 us by nvcc, 10 untuned, 5 tuned, 4 for known launches, 9 if a grain is asked for.
The source that has the word "wrong" does not compile; a program named "fails" ends with exit code 3.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

name, arguments = Path(sys.argv[0]).name, sys.argv[1:]


def after(option: str) -> Path:
    return Path(arguments[arguments.index(option) + 1])


def compile_program() -> None:
    if "--version" in arguments:
        return
    sources = [a for a in arguments if a.endswith(".cu")]
    if sources and "wrong" in Path(sources[0]).read_text():
        sys.exit("error: wrong")
    shutil.copy(__file__, after("-o"))
    after("-o").chmod(0o755)
    Path(f"{after('-o')}.compiler").write_text(name + (" launches" if any(a.startswith("--launches=") for a in arguments) else ""))


def tune() -> None:
    command = arguments[arguments.index("--") + 1:]
    after("--json").write_text(json.dumps({"classes": [{"kernel": "plain(int)", "alternative": "thread.x=2", "gain": 2.0, "verified": "bitwise"}]}))
    if "-o" in arguments[:arguments.index("--")]:
        after("-o").write_text("{}")
    Path(os.environ["REGRAIN_DB"]).touch()
    sys.exit(subprocess.call(command))


def run_program() -> None:
    if name == "fails":
        sys.exit(3)
    compiler = Path(f"{sys.argv[0]}.compiler").read_text().split()
    us = 9 if "REGRAIN_ALTERNATIVE" in os.environ else 8 if compiler[0] == "nvcc" else 10 if os.environ.get("REGRAIN_DB", "off") == "off" else 4 if "launches" in compiler else 5
    if report := os.environ.get("REGRAIN_KERNEL_TIMES"):
        Path(report).write_text(json.dumps({"kernels": {"plain(int)": {"launches": 1, "totalUs": us, "registers": 30}, "other": {"launches": 1, "totalUs": 1, "registers": 8}}, "turns": 3 if "REGRAIN_DEVICE_TURNS" in os.environ else 0}))
    if samples := os.environ.get("LADDER_SAMPLES"):
        Path(samples).write_bytes(struct.pack("2d", 1, 3 if compiler[0] == "nvcc" else 4))
    if path := os.environ.get("REGRAIN_TRACE"):
        times = {"plain": us, "hand": 6, "slow": 7, "copy": 3}
        lines = [["memset 8", "kernel 99000 30 first", f"memset 4\nkernel {1000 * times[v.split(':')[0]]} 30 plain(int)", "memset 12"] for v in arguments[1:]]
        Path(path).write_text("\n".join(line for its in lines for line in its) + "\n")
    print("FLUSH 1024")
    for version in arguments[1:]:
        print(f"VERSION {version} {arguments[0]} 1000 {'0' if compiler[0] == 'nvcc' else '1'} 0")


roles = {"g++": lambda: None, "nvidia-smi": lambda: print("a device, 1.0"), "nvcc": compile_program, "regrain-nvcc": compile_program, "regrain": tune if "tune" in arguments else lambda: print("regrain 0")}
roles.get(name, run_program)()
