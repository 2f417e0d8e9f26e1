"""What ladders.py and compare.py have in common: a manifest, builds side by side, times one after the other.

A manifest is a JSON list of entries with names. Files are relative to it. The first entries are measured first, each
result is a line of JSON, and an entry is not begun if the time left is shorter than what the one before took. regrain,
regrain-nvcc and nvcc are those in the PATH.
"""
import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "kernels/bench"))
from measure import build_trace, parse_trace  # noqa: E402,F401

ORIGINALS = {"REGRAIN_DB": "off"}
deadline = float("inf")  # no command runs longer


def run(command, folder: Path, limit: float, **extra: str) -> tuple[int, str]:
    """Runs a list, or a line of the shell, in a session of its own; 124 says that it was ended at its limit."""
    environment = {k: v for k, v in os.environ.items() if k not in ("REGRAIN_ALTERNATIVE", "REGRAIN_DB")} | extra
    child = subprocess.Popen(command, cwd=folder, shell=isinstance(command, str), env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        text, _ = child.communicate(timeout=max(1, min(limit, deadline - time.time())))
        return child.returncode, text.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        return 124, child.communicate()[0].decode(errors="replace")


def build_kernel_times(library: Path, cuda: Path) -> str:
    """Builds kernel_times.cpp; returns what went wrong."""
    folders = [cuda / "extras/CUPTI", cuda]
    command = ["g++", "-O2", "-std=c++17", "-shared", "-fPIC", *(str(ROOT / "bench/gpu" / f) for f in ("kernel_times.cpp", "device_turns.cpp")), *(f"-I{f}/include" for f in folders),
               *(f"-L{f}/lib64" for f in folders), "-lcupti", "-Wl,-rpath," + ":".join(f"{f}/lib64" for f in folders), "-o", str(library)]
    code, text = run(command, library.parent, 60)
    return text[-300:] if code else ""


def tune(regrain: str, command: list[str], folder: Path, database: Path, budget: float, limit: float, *options: str, **extra: str) -> dict:
    """Tunes a program; returns what was chosen, and why the rest was not."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "tune.json"
        began = time.time()
        code, text = run([regrain, "tune", "--budget", f"{budget:g}", "--json", str(report), *options, "--", *command], folder, limit, REGRAIN_DB=str(database), **extra)
        entry = {"code": code, "seconds": round(time.time() - began, 1)}
        try:
            data = json.loads(report.read_text())
            entry["chosen"] = [[c["kernel"][:80], c["alternative"], c.get("gain"), c.get("verdict"), c.get("verified")] for c in data["classes"]]
            entry["measured"] = [[[m.get(k) for k in ("alternative", "gain", "outcome", "launch")] for m in c.get("measurements", [])][:40] for c in data["classes"]][:6]
            entry["not_tuned"] = [[n.get("kernel", "")[:80], n.get("reason", "")[:160]] for n in data.get("not_tuned", [])][:6]
            entry["excluded"] = [[str(e.get("alternative")), str(e.get("reason"))[:160]] for e in data.get("excluded", [])][:12]
        except (OSError, ValueError, KeyError) as error:
            entry["error"] = f"{error!r} {text[-600:]}"
        return entry


def machine() -> dict:
    def last(command: str) -> str:
        return (run(command, ROOT, 20)[1].strip().splitlines() or ["unknown"])[-1]
    return {"gpu": last("nvidia-smi --query-gpu=name,driver_version --format=csv,noheader"), "nvcc": last("nvcc --version"), "regrain": last("regrain --version")}


def median(values: list[float]) -> float | None:
    return round(statistics.median(values), 3) if values else None


class Entry:
    """An entry of a manifest. A kind of entries defines libraries(), builds(), is_built(), measure() and shown()."""

    def __init__(self, entry: dict, options: argparse.Namespace):
        self.entry, self.o, self.name = entry, options, entry["name"]
        self.work = Path(options.work).resolve()
        self.root = Path(options.manifest).resolve().parent

    def set_failed(self) -> None:
        (self.work / f"{self.name}.failed").touch()

    def is_failed(self) -> bool:
        """Whether a build of it failed, or all builds have ended without it."""
        return (self.work / f"{self.name}.failed").exists() or (self.work / "build.json").exists() and not self.is_built()


def read_manifest(options: argparse.Namespace, kind: type) -> list[Entry]:
    entries = json.loads(Path(options.manifest).read_text())
    names = options.only.split(",") if options.only else [e["name"] for e in entries]
    if unknown := set(names) - {e["name"] for e in entries}:
        raise SystemExit(f"error: {options.manifest} has no entry {', '.join(sorted(unknown))}")
    return [kind(e, options) for e in entries if e["name"] in names]


def build(options: argparse.Namespace, kind: type) -> int:
    global deadline
    deadline = time.time() + options.seconds
    work = Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    (work / "build.json").unlink(missing_ok=True)
    failed = kind.libraries(work, Path(options.cuda))

    def timed(entry: Entry, label: str, function) -> str:
        began = time.time()
        wrong = function()
        print(f"{label}: {'FAILED' if wrong else 'built'} in {time.time() - began:.1f} s", flush=True)
        if wrong:
            entry.set_failed()
        return wrong

    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = {label: pool.submit(timed, entry, label, function) for entry in read_manifest(options, kind) for label, function in entry.builds().items()}
        failed |= {label: job.result() for label, job in jobs.items()}
    failed = {label: text for label, text in failed.items() if text}
    (work / "build.json").write_text(json.dumps(failed, indent=1))
    for label, text in failed.items():
        print(f"FAILED {label}: {text}")
    return 1 if failed else 0


def measure(options: argparse.Namespace, kind: type) -> int:
    """Measures entries in their order, as many at once as there are jobs. Entries that are still being built are put off."""
    global deadline
    deadline, took, bad = time.time() + options.seconds, 8.0, 0
    left, jobs = read_manifest(options, kind), getattr(options, "jobs", 1)
    lock = threading.Lock()

    def begin() -> Entry | None:
        """Takes the next entry off the list, and waits for one that is built."""
        nonlocal bad
        while time.time() + took < deadline:
            with lock:
                for entry in [e for e in left if e.is_failed()]:
                    left.remove(entry)
                    bad += 1
                    print(f"{entry.name}: not built", flush=True)
                if not left:
                    return None
                if entry := next((e for e in left if e.is_built()), None):
                    left.remove(entry)
                    return entry
            time.sleep(0.3)
        return None

    def work(_: int) -> None:
        nonlocal took, bad
        while entry := begin():
            began = time.time()
            row = entry.measure()
            seconds = time.time() - began
            with lock:
                took = seconds if jobs == 1 else took
                bad += "error" in row
                print(json.dumps(row | {"seconds": round(seconds, 1)}), file=file, flush=True)
                print(f"{entry.name:36} {row.get('error') or entry.shown(row)} {seconds:.0f} s", flush=True)

    with open(options.result, "a") as file:
        print(json.dumps({"machine": machine()}), file=file, flush=True)
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(work, range(jobs)))
    if left:
        print(f"out of time in front of {', '.join(e.name for e in left)}", flush=True)
    return 1 if bad else 0


def main(description: str, kind: type, **numbers: float) -> int:
    """`numbers` are options of measuring, with their defaults."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, function in (("build", build), ("measure", measure)):
        one = commands.add_parser(name)
        one.set_defaults(function=function)
        for word in ("manifest", "work") + (("result",) if name == "measure" else ()):
            one.add_argument(word)
        one.add_argument("--only", default="")
    commands.choices["build"].add_argument("--jobs", type=int, default=8)
    commands.choices["build"].add_argument("--cuda", default="/usr/local/cuda")
    commands.choices["build"].add_argument("--seconds", type=float, default=3600.0)
    for name, default in numbers.items():
        commands.choices["measure"].add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    return options.function(options, kind)
