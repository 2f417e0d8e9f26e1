"""Reading AMD code objects, for the tests beside this file."""

import json
import pathlib
import re
import subprocess

CHIPS = ["gfx90a", "gfx942", "gfx1030", "gfx1100"]


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def scalar(text):
    return int(text, 0) if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text) else text.strip("'\"")


def kernels_of(notes):
    """Returns the kernels in the output of `llvm-readelf --notes`, by symbol: scalars and
    `.args`."""
    kernels, kernel, argument = {}, None, None
    for line in notes.splitlines():
        field = re.match(r"(\s*)(- )?(\.\w+):\s*(.*)$", line)
        if not field:
            continue
        indent = len(field[1]) + (2 if field[2] else 0)
        name, value = field[3], field[4]
        if field[2] and indent <= 4:
            kernel, argument = {".args": []}, None
            indent_of_kernel = indent
        if field[2] and indent > indent_of_kernel:
            argument = {}
            kernel[".args"].append(argument)
        if indent > indent_of_kernel:
            argument[name] = scalar(value)
        elif name != ".args":
            kernel[name] = scalar(value)
            if name == ".name":
                kernels[kernel[name]] = kernel
    return kernels


def metadata(path):
    return kernels_of(run("llvm-readelf", "--notes", path))


def explicit_arguments(kernel):
    return [(entry[".offset"], entry[".size"]) for entry in kernel[".args"]
            if not entry[".value_kind"].startswith("hidden_")]


def undefined_symbols(path):
    return [line for line in run("llvm-readelf", "--dyn-syms", path).splitlines()
            if " UND " in line and not line.rstrip().endswith("UND")]


def uses_scratch(path):
    """Returns the kernels, by symbol, whose machine code accesses scratch memory."""
    found, symbol = set(), None
    for line in run("llvm-objdump", "-d", path).splitlines():
        if heading := re.match(r"[0-9a-f]+ <(.+)>:", line):
            symbol = heading[1]
        elif re.match(r"\s+(scratch_|buffer_(load|store)_\w+ .*\boff, s\[)", line):
            found.add(symbol)
    return found


def image(regrain, built):
    return json.loads(run(regrain, "inspect", "--json", built))["images"]


def extracted(regrain, built, folder):
    """Returns (path, symbols) of each code object in the image of `built`."""
    for line in run(regrain, "inspect", f"--extract={folder}", built).splitlines():
        path, *symbols = line.split(" ")
        if path.endswith(".hsaco"):
            yield pathlib.Path(path), symbols
