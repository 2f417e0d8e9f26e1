#!/usr/bin/env python3
"""Times the kernels on a GPU: plain by nvcc and by Regrain, tuned, by hand, PyTorch's, and the device's copy.

usage: measure.py RESULT.json --regrain BIN [--seconds 550] [--families norm,swiglu,matmul] [--scalings tensor,block,token]
                  [--work DIR] [--nvcc nvcc] [--arch sm_90] [--library-path DIRS] [--alternatives 40] [--budget 40]
                  [--calls 50] [--jobs N] [--only VARIANTS] [--rows 2048]

BIN is the folder of regrain and regrain-nvcc; --library-path is added to LD_LIBRARY_PATH for them and for what they
build. Variants, in the order in which they are measured (--only takes a list):
  nvcc         the plain kernels, by nvcc                    hand   those by hand, by nvcc; for matmul, the queue
  copy         the device's copy of as many bytes            untuned   the plain kernels by Regrain, at their originals
  tuned        the same, after regrain tune --survey         torch   torch.compile, torch._scaled_mm
  reassociated as tuned, built with --reassociate (norm and matmul)
A time is the sum over the kernels of a call, from CUPTI: the median, the tenth and the ninetieth part of CALLS calls
after 20, with the second-level cache as the call before left it ("warm"), and overwritten ("cold"); times by events
stand beside them. RESULT.json is written after each step. A second call with the same --work builds nothing anew.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNELS = HERE.parent
ROWS = [1 << i for i in range(12)]
PRODUCTS = [(2304, 16384), (13312, 16384), (16384, 6656)]
FAMILY_OF_FILE = {"rms_norm": "norm", "activation_fp8": "swiglu", "matmul_fp8": "matmul"}


def cases(family: str, scaling: str, most: int) -> list[str]:
    if family == "matmul":
        return [f"matmul:{m}:{n}:{k}" for n, k in PRODUCTS for m in (1, 8, 16, 32)]
    columns = 16384 if family == "norm" else 6656
    return [f"{family}:{scaling}:{rows}:{columns}" for rows in ROWS if rows <= most]


def parse_trace(path: Path, flush: int) -> list[dict]:
    """Returns, for each case: {warm, cold: microseconds of each call; kernels: {name: registers}}."""
    found, case, calls = [], None, None
    for line in path.read_text(errors="replace").splitlines():
        kind, rest = line.split(" ", 1)
        if kind == "memset":
            count = int(rest)
            if count == 8:
                case = {"warm": [], "cold": [], "kernels": {}}
            elif case is not None and count == 12:
                found.append(case)
                case = None
            calls = None
            if case is not None and count in (4, flush):
                calls = case["warm" if count == 4 else "cold"]
                calls.append(0.0)
        elif case is not None and calls is not None:
            nanoseconds, registers, name = rest.split(" ", 2)
            calls[-1] += int(nanoseconds) / 1000
            if kind == "kernel":
                case["kernels"][name[:120]] = int(registers)
    return found


def spread(times: list[float]) -> dict | None:
    good = sorted(t for t in times if t > 0)
    if not good:
        return None
    part = lambda p: round(good[min(len(good) - 1, int(p * len(good)))], 3)
    return {"us": round(statistics.median(good), 3), "p10": part(0.1), "p90": part(0.9), "calls": len(good)}


def build_trace(library: Path, cuda: Path) -> str:
    """Builds trace.cpp; returns what went wrong."""
    folders = [cuda / "extras/CUPTI", cuda]
    command = ["g++", "-O2", "-std=c++17", "-shared", "-fPIC", str(HERE / "trace.cpp"), *(f"-I{f}/include" for f in folders), *(f"-L{f}/lib64" for f in folders), "-lcupti",
               "-Wl,-rpath," + ":".join(f"{f}/lib64" for f in folders), "-o", str(library)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout[-300:] if done.returncode else ""


class Measurement:
    def __init__(self, options: argparse.Namespace):
        self.o = options
        self.end = time.time() + options.seconds
        self.work = Path(options.work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.result = {"what": "kernels for the inference of language models", "machine": {}, "options": vars(options), "builds": {}, "rows": [], "tuning": {}, "log": []}
        if Path(options.result).exists():
            self.result = json.loads(Path(options.result).read_text())
        self.environment = dict(os.environ)
        self.libraries = ":".join(filter(None, [options.library_path, os.environ.get("LD_LIBRARY_PATH", "")]))
        self.environment.pop("REGRAIN_ALTERNATIVE", None)

    def left(self) -> float:
        return self.end - time.time()

    def save(self) -> None:
        temporary = Path(self.o.result + ".new")
        temporary.write_text(json.dumps(self.result, indent=1))
        temporary.replace(self.o.result)

    def run(self, command: list[str], limit: float, **extra: str) -> tuple[int, str]:
        """Runs a command; Regrain's and what it built find their libraries, and no others see them."""
        is_own = Path(command[0]).parent in (Path(self.o.regrain), self.work) and Path(command[0]).name != "nvcc"
        if is_own:
            extra = {"LD_LIBRARY_PATH": self.libraries, **extra}
        try:
            done = subprocess.run(command, env={**self.environment, **extra}, timeout=max(1, min(limit, self.left() - 2)), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, cwd=self.work, start_new_session=True)
            return done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            return 124, (late.stdout or b"").decode(errors="replace")
        except OSError as error:
            return 127, str(error)

    def note(self, text: str) -> None:
        print(f"[{self.o.seconds - self.left():.0f} s] {text}", flush=True)
        self.result["log"].append(text[:600])
        self.save()

    def describe_machine(self) -> None:
        commands = {"gpu": "nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader", "nvcc": f"{self.o.nvcc} --version",
                    "regrain": f"{self.o.regrain}/regrain --version", "torch": f"{sys.executable} -c 'import torch; print(torch.__version__, torch.version.cuda)'"}
        for name, command in commands.items():
            self.result["machine"][name] = self.run(shlex.split(command), 60)[1].strip().splitlines()[-1:]

    # ---- builds
    def compiler(self, variant: str) -> list[str]:
        if variant == "nvcc":
            return [self.o.nvcc, f"-arch={self.o.arch}", "-DREGRAIN_BY_HAND"]
        more = ["--reassociate"] if variant == "reassociated" else []
        return [f"{self.o.regrain}/regrain-nvcc", f"--targets={self.o.targets or self.o.arch}", *more]

    def grains(self, variant: str, source: Path) -> list[str]:
        """The options that say which grains the file's kernels have."""
        return [f"--alternatives={self.o.alternatives}"] if variant != "nvcc" and FAMILY_OF_FILE.get(source.stem) in self.families else []

    def compile(self, variant: str, source: Path) -> str | None:
        """Returns what went wrong."""
        target = self.work / f"{variant}-{source.parent.name}-{source.stem}.o"
        if target.exists():
            return None
        began = time.time()
        code, text = self.run([*self.compiler(variant), *self.grains(variant, source), "-O3", "-std=c++20", f"-I{KERNELS}/include", "-c", str(source), "-o", f"{target}.part"], 500)
        self.result["builds"][target.name] = {"seconds": round(time.time() - began, 1), "code": code}
        if code:
            return f"{target.name}: {text[-400:]}"
        os.replace(f"{target}.part", target)
        return None

    def link(self, variant: str, sources: list[Path]) -> str | None:
        objects = [str(self.work / f"{variant}-{s.parent.name}-{s.stem}.o") for s in sources]
        code, text = self.run([*self.compiler(variant), *objects, "-o", str(self.work / variant)], 120)
        return f"{variant}: {text[-400:]}" if code else None

    def sources(self, variant: str) -> list[Path]:
        own = sorted((KERNELS / "src").glob("*.cu")) + [KERNELS / "src/status.cpp", HERE / "run.cpp"]
        return own + (sorted((KERNELS / "by_hand").glob("*.cu")) if variant == "nvcc" else [])

    def start_builds(self, pool: concurrent.futures.Executor, variants: list[str]) -> dict:
        """Returns the futures of each variant; files that take longest begin first."""
        slow = lambda s: s.stem not in FAMILY_OF_FILE
        return {v: [pool.submit(self.compile, v, s) for s in sorted(self.sources(v), key=slow)] for v in variants}

    def finish_build(self, variant: str, futures: list) -> bool:
        wrong = [w for w in (f.result() for f in futures) if w] or list(filter(None, [self.link(variant, self.sources(variant))]))
        if wrong:
            self.note("BUILD FAILED " + " | ".join(wrong))
        return not wrong

    def build_trace(self) -> None:
        library = self.work / "libtrace.so"
        if not library.exists() and (wrong := build_trace(library, Path(self.o.cuda))):
            self.note("no CUPTI: " + wrong)

    # ---- times
    def time(self, variant: str, command: list[str], names: list[str], limit: float, **extra: str) -> None:
        trace = self.work / f"{variant}.trace"
        trace.unlink(missing_ok=True)
        code, text = self.run(command, limit, CUDA_INJECTION64_PATH=str(self.work / "libtrace.so"), REGRAIN_TRACE=str(trace), **extra)
        flush = int((re.findall(r"^FLUSH (\d+)", text, re.M) or ["0"])[0])
        done = re.findall(r"^CASE (\S+) (\S+) (\S+) (\S+)", text, re.M)
        for failure in re.findall(r"^FAIL.*", text, re.M)[:3] + ([f"exit {code}: {text[-200:]}"] if code else []):
            self.note(f"{variant}: {failure}")
        measured = parse_trace(trace, flush) if trace.exists() else []
        if len(done) != len(measured):
            self.note(f"{variant}: {len(done)} cases ran and {len(measured)} were traced")
            measured = [{"warm": [], "cold": [], "kernels": {}}] * len(done)
        for (name, size, hash_, events), one in zip(done, measured):
            self.result["rows"].append({"variant": variant, "case": name, "bytes": float(size), "hash": hash_, "warm": spread(one["warm"]), "cold": spread(one["cold"]), "cold_by_events_us": float(events),
                                        "kernels": one["kernels"]})
        self.save()

    def measured(self, variant: str, name: str) -> bool:
        return any(r["variant"] == variant and r["case"] == name for r in self.result["rows"])

    def measure_program(self, variant: str, program: str, mode: str, names: list[str], **extra: str) -> None:
        names = [n for n in names if not self.measured(variant, n)]
        if names and self.left() > 8:
            self.time(variant, [str(self.work / program), mode, str(self.o.calls), *names], names, 120, **extra)

    def tune(self, variant: str, family: str, scaling: str, names: list[str]) -> None:
        key = f"{variant} {family} {scaling}"
        if key in self.result["tuning"] or self.left() < 15:
            return
        report = self.work / "tune.json"
        report.unlink(missing_ok=True)
        budget = min(self.o.budget, self.left() / 2)
        command = [f"{self.o.regrain}/regrain", "tune", "--survey", "--budget", f"{budget:.0f}", "--json", str(report), "--", str(self.work / self.program(variant)), "plain", "64", *names]
        began = time.time()
        code, text = self.run(command, 3 * budget + 60, REGRAIN_DB=str(self.work / f"{variant}.db"))
        entry = {"seconds": round(time.time() - began, 1), "code": code}
        try:
            data = json.loads(report.read_text())
            fields = ("kernel", "class", "alternative", "verdict", "original_us", "chosen_us", "gain", "verified")
            entry["classes"] = [{k: c.get(k) for k in fields} | {"measured": [[m.get("alternative"), m.get("gain")] for m in c.get("measurements", [])][:40]} for c in data["classes"]]
            entry["not_tuned"] = data.get("not_tuned", [])[:8]
            entry["excluded"] = [[e.get("kernel"), e.get("alternative"), str(e.get("reason"))[:160]] for e in data.get("excluded", [])][:40]
        except (OSError, ValueError, KeyError) as error:
            entry["tail"] = f"{error!r} {text[-500:]}"
        self.result["tuning"][key] = entry
        self.note(f"tuned {key} in {entry['seconds']} s, code {code}: {len(entry.get('classes', []))} classes")

    def program(self, variant: str) -> str:
        return {"tuned": "regrain", "untuned": "regrain"}.get(variant, variant)

    def measure(self) -> None:
        self.families = self.o.families.split(",")
        wanted = self.o.only.split(",")
        self.describe_machine()
        self.build_trace()
        groups = [(f, s) for s in self.o.scalings.split(",") for f in self.families if f != "matmul"] + ([("matmul", "")] if "matmul" in self.families else [])
        compiled = ["nvcc"] + ["regrain"] * bool({"tuned", "untuned"} & set(wanted)) + ["reassociated"] * ("reassociated" in wanted)
        with concurrent.futures.ThreadPoolExecutor(self.o.jobs) as pool:
            futures = self.start_builds(pool, compiled)
            self.note("builds began")
            usable = {"nvcc": self.finish_build("nvcc", futures["nvcc"])}
            bytes_of = {}
            for family, scaling in groups:
                names = cases(family, scaling, self.o.rows)
                if usable["nvcc"]:
                    for variant, mode in (("nvcc", "plain"), ("hand", "queue" if family == "matmul" else "hand")):
                        if variant in wanted:
                            self.measure_program(variant, "nvcc", mode, names)
                    bytes_of |= {r["case"]: int(r["bytes"]) for r in self.result["rows"]}
                    copies = sorted({f"copy:{bytes_of[n]}" for n in names if n in bytes_of})
                    if "copy" in wanted:
                        self.measure_program("copy", "nvcc", "plain", copies)
            for variant in ("regrain", "reassociated"):
                if variant in futures and self.left() > 10:
                    usable[variant] = self.finish_build(variant, futures[variant])
            self.note(f"usable: {usable}")
            for family, scaling in groups:
                self.measure_group(family, scaling, wanted, usable)
            for variant in ("tuned", "reassociated"):
                if variant in wanted and usable.get(self.program(variant)) and self.left() > 20:
                    self.inspect(variant)
        self.note("end")
        self.report()

    def measure_group(self, family: str, scaling: str, wanted: list[str], usable: dict) -> None:
        names = cases(family, scaling, self.o.rows)
        if usable.get("regrain") and "untuned" in wanted:
            self.measure_program("untuned", "regrain", "plain", names, REGRAIN_DB="off")
        if usable.get("regrain") and "tuned" in wanted:
            self.tune("tuned", family, scaling, names)
            self.measure_program("tuned", "regrain", "plain", names, REGRAIN_DB=str(self.work / "tuned.db"))
        if "torch" in wanted and (left := [n for n in names if not self.measured("torch", n)]) and self.left() > 40:
            seconds = min(150, self.left() / 3)
            self.time("torch", [sys.executable, str(HERE / "torch_cases.py"), str(self.o.calls), f"{seconds:.0f}", *left], left, seconds + 40)
        if usable.get("reassociated") and "reassociated" in wanted and family != "swiglu":
            self.tune("reassociated", family, scaling, names)
            self.measure_program("reassociated", "reassociated", "plain", names, REGRAIN_DB=str(self.work / "reassociated.db"))
        self.note(f"{family} {scaling}: done")

    def inspect(self, variant: str) -> None:
        """Registers, occupancy and accesses of what was chosen."""
        chosen = {(c["kernel"], c["alternative"]) for k, t in self.result["tuning"].items() if k.startswith(variant + " ") for c in t.get("classes", [])}
        entry = self.result.setdefault("resources", {}).setdefault(variant, [])
        for kernel, alternative in sorted(chosen):
            if self.left() < 15:
                return
            code, text = self.run([f"{self.o.regrain}/regrain", "inspect", "--json", "--code=sass", "--kernel=" + re.sub(r"[^\w:<>, ()]", "?", kernel), f"--alternative={alternative}",
                                   str(self.work / self.program(variant))], 30)
            try:
                for image in json.loads(text[text.index("{"):])["images"]:
                    for k in image["kernels"]:
                        figures = [c | {"id": a["id"]} for a in k["alternatives"] if a["id"] in ("original", alternative) for c in a["code"]]
                        accesses = {s["alternative"]: [s["totals"], s["accesses"]] for s in (k.get("listing") or {}).get("sides", [])}
                        entry.append({"kernel": kernel, "code": figures, "accesses": accesses})
            except (ValueError, KeyError, TypeError) as error:
                entry.append({"kernel": kernel, "error": f"{error!r} {text[-200:]}"})
        self.save()

    def report(self) -> None:
        table = {}
        for row in self.result["rows"]:
            for mode in ("warm", "cold"):
                if row[mode] or mode == "cold":
                    key = f"copy:{row['bytes']:.0f}" if row["variant"] == "copy" else row["case"]
                    table.setdefault((key, mode), {})[row["variant"]] = (row[mode]["us"] if row[mode] else row["cold_by_events_us"], row["bytes"])
        ratios = {}
        columns = ["nvcc", "untuned", "tuned", "reassociated", "hand", "torch"]
        for (name, mode), cells in table.items():
            if name.startswith("copy"):
                continue
            size = next(iter(cells.values()))[1]
            copy = next((c["copy"][0] for (k, m), c in table.items() if m == mode and "copy" in c and abs(c["copy"][1] - size) < 1024), None)
            for over in ("nvcc", "torch", "hand"):
                for under in ("tuned", "reassociated"):
                    if over in cells and under in cells:
                        ratios.setdefault((":".join(name.split(":")[: 1 if name.startswith("matmul") else 2]), mode, over, under), []).append(cells[over][0] / cells[under][0])
            print(f"{name:28} {mode} " + " ".join(f"{c} {cells[c][0] if c in cells else '-':>8}" for c in columns) + f" copy {copy or '-'}")
        self.result["geometric_means"] = []
        for (family, mode, over, under), values in ratios.items():
            entry = {"family": family, "mode": mode, "ratio": f"{over} / {under}", "geomean": round(statistics.geometric_mean(values), 3), "least": round(min(values), 3), "cases": len(values)}
            self.result["geometric_means"].append(entry)
            print(f"{family} {mode} {over}/{under}: geomean {entry['geomean']}, least {entry['least']}, of {len(values)}")
        self.save()


def read_options(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("--regrain", required=True)
    for name, default in (("work", os.path.join(tempfile.gettempdir(), "regrain-kernels")), ("nvcc", "nvcc"), ("arch", "sm_90"), ("targets", ""), ("cuda", os.environ.get("CUDA_PATH", "/usr/local/cuda")), ("library-path", ""),
                          ("families", "norm,swiglu,matmul"), ("scalings", "tensor,block,token"), ("only", "nvcc,hand,copy,untuned,tuned,torch,reassociated")):
        parser.add_argument("--" + name, default=default)
    for name, default in (("seconds", 550.0), ("budget", 40.0)):
        parser.add_argument("--" + name, type=float, default=default)
    for name, default in (("alternatives", 40), ("calls", 50), ("rows", 2048), ("jobs", os.cpu_count() or 4)):
        parser.add_argument("--" + name, type=int, default=default)
    options = parser.parse_args()
    options.result, options.work, options.regrain = (os.path.abspath(path) for path in (options.result, options.work, options.regrain))
    return options


def main() -> None:
    Measurement(read_options(__doc__)).measure()
    os._exit(0)


if __name__ == "__main__":
    main()
