#!/usr/bin/env python3
"""Writes docs/runtime-api.md: which entries of the CUDA 13 runtime work on which devices.

usage: runtime_api.py ROOT [--check]

Reads the entries that exist in include/cuda/regrain_api.def, and the names of all entries with the reasons for refusals
in scripts/runtime_api.txt. With --check, it writes nothing, and exits 1 if the page differs or the two files disagree.
"""
import re
import sys
from pathlib import Path

DEVICES = ("nvidia", "amd", "cpu")
TITLES = ("NVIDIA", "AMD", "CPU")
# CUDA 12 gave new symbols to entries that the headers map to their old names.
RENAMED = re.compile(r"_v\d$")
ENTRY = re.compile(r"^REGRAIN_CUDA_(?P<refused>REFUSED_)?(?:STREAM_|DEFAULT_STREAM_)?API\((?P<arguments>.*)$", re.M)
NAME = re.compile(r"\b(cuda[A-Z]\w*), \(")

HEADER = """# The entries of the CUDA 13 runtime

This page lists each function of the CUDA 13 runtime API, and the devices on which it works. `scripts/runtime_api.py`
generates it from `include/cuda/regrain_api.def` and `scripts/runtime_api.txt`; do not edit it.

A program that calls a refused entry compiles and links. The call returns `cudaErrorNotSupported`, and
`REGRAIN_VERBOSE=1` reports its name. Of {total} entries, {works} work on at least one device, and {refused} are refused
on all. The functions that connect CUDA with OpenGL, EGL, VDPAU and Direct3D are in headers of their own, which Regrain
does not provide.

Some entries that work do less than in CUDA:

- On NVIDIA GPUs, a memory pool is one of the driver. On the others it counts and limits allocations. Which memory is
  reused, and when it is released, the device decides: `cudaMemPoolTrimTo`, the release threshold and the attributes of
  reuse have no effect. The bytes that a pool has reserved are not known, and no other device gets access to a pool.
- Textures of the CPU and of AMD's GPUs have no sRGB conversion, seamless cubes, and resource views.
- The attributes of a stream, except for its priority, are kept and have no effect.
- The entries that read or change a graph work on graphs that the program built, not on captured ones
  ([graphs.md](graphs.md)).
- `cudaLibraryLoadData` loads Regrain's images (`regrain-nvcc -fatbin`), and on NVIDIA GPUs also PTX and cubins, of
  whose variables only those of PTX are found. It ignores all options.
- `cudaLaunchKernelExC` ignores attributes that are hints, records the events of a launch at its end, and refuses
  clusters of several blocks on AMD GPUs.
"""


def read_declared(text: str) -> dict[str, bool]:
    """Returns whether each declared entry is refused."""
    declared = {}
    for match in ENTRY.finditer(text):
        if name := NAME.search(match["arguments"]):
            declared[RENAMED.sub("", name[1])] = bool(match["refused"])
    return declared


def read_names(text: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Returns the reasons by key, and for each entry the key by device."""
    reasons, entries = {}, {}
    for line in filter(None, (line.split("#")[0].strip() for line in text.splitlines())):
        if "=" in line:
            key, reason = map(str.strip, line.split("=", 1))
            reasons[key] = reason
            continue
        name, *refusals = line.split()
        entries[name] = {}
        for refusal in refusals:
            device, colon, key = refusal.rpartition(":")
            entries[name].update({one: key for one in (DEVICES if not colon else [device])})
    return reasons, entries


def faults_in(declared: dict[str, bool], reasons: dict[str, str], entries: dict[str, dict[str, str]]):
    """Yields each disagreement between the two files."""
    for name, refusals in entries.items():
        if name not in declared:
            yield f"{name} is not declared"
        elif declared[name] != (len(refusals) == len(DEVICES)):
            yield f"{name} is {'refused' if declared[name] else 'provided'} in regrain_api.def, and not in runtime_api.txt"
        for device, key in refusals.items():
            if device not in DEVICES or key not in reasons:
                yield f"{name}: '{device}:{key}' is unknown"
    used = {key for refusals in entries.values() for key in refusals.values()}
    yield from (f"no entry has the reason '{key}'" for key in sorted(set(reasons) - used))


def page(reasons: dict[str, str], entries: dict[str, dict[str, str]]) -> str:
    refused = sum(len(refusals) == len(DEVICES) for refusals in entries.values())
    lines = [HEADER.format(total=len(entries), works=len(entries) - refused, refused=refused)]
    lines += [f"| entry | {' | '.join(TITLES)} | reason |", "|---|---|---|---|---|"]
    for name in sorted(entries):
        refusals = entries[name]
        everywhere = "refused" if len(refusals) == len(DEVICES) else "not for this device"
        cells = [everywhere if device in refusals else "works" for device in DEVICES]
        why = " ".join(dict.fromkeys(reasons[key] for key in refusals.values()))
        lines.append(f"| `{name}` | {' | '.join(cells)} | {why} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    root = Path(sys.argv[1])
    declared = read_declared((root / "include/cuda/regrain_api.def").read_text())
    reasons, entries = read_names((root / "scripts/runtime_api.txt").read_text())
    faults = list(faults_in(declared, reasons, entries))
    if faults:
        print("\n".join(faults))
        return 1
    target, text = root / "docs/runtime-api.md", page(reasons, entries)
    if "--check" not in sys.argv[2:]:
        target.write_text(text)
    elif target.read_text() != text:
        print("docs/runtime-api.md is not current: run scripts/runtime_api.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
