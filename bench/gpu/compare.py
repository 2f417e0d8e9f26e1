#!/usr/bin/env python3
"""Builds programs by nvcc and by Regrain, and times them in turn: nvcc, Regrain untuned, Regrain tuned.

usage: compare.py build MANIFEST WORK [--jobs 8] [--seconds 3600] [--cuda /usr/local/cuda] [--only NAMES]
       compare.py measure MANIFEST WORK RESULT.jsonl [--seconds 120] [--rounds 3] [--budget 5] [--jobs 1] [--only NAMES]

MANIFEST is a JSON list; the first entries are measured first:
  name      of the program
  folder    its sources, relative to the manifest; they are copied for each compiler
  build     a line of the shell, with {compiler} for nvcc, and for regrain-nvcc with its options
  command   what is run and tuned, without a shell's signs; a list of commands is run one after the other
  at        optional: the folder in it where the command is run
  prepare   optional: a line of the shell, run in front of the build, such as one that writes the data
  limit     optional: seconds of a run (60)
  rounds, budget   optional, in place of the options; with a budget of 0 the program is not tuned
  tune      optional: a list of options of regrain tune, such as --survey
  only      optional: a regular expression of the kernels that count
  env       optional: variables of a run, with {folder} for the program's folder
  at_once   optional: whether the runs of a round begin at the same time, for programs that compute long on the host
With several jobs, programs are measured at the same time and take turns on the GPU: one has it from its first launch or
copy until it has called nothing for 80 ms (device_turns.cpp). Their time on the host is not the GPU's.
A round is one run of each. Kernel times are from CUPTI, summed over a run; `ratios` are nvcc's time over the other's in
each round, so that above 1 means that Regrain is faster. What manifests and results have in common: trial.py.
"""
import json
import re
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import trial

COMPILERS = {"nvcc": "nvcc", "regrain": "regrain-nvcc --targets=sm_90 --alternatives=16"}


class Program(trial.Entry):
    @staticmethod
    def libraries(work: Path, cuda: Path) -> dict:
        return {"libkernel_times.so": trial.build_kernel_times(work / "libkernel_times.so", cuda)}

    def builds(self) -> dict:
        return {f"{self.name} {variant}": lambda variant=variant: self.build(variant) for variant in COMPILERS}

    def folder(self, variant: str) -> Path:
        return self.work / variant / self.name

    def run_folder(self, variant: str) -> Path:
        return self.folder(variant) / self.entry.get("at", "")

    def build(self, variant: str) -> str:
        """Returns what went wrong."""
        folder = self.folder(variant)
        shutil.copytree(self.root / self.entry["folder"], folder, symlinks=True, dirs_exist_ok=True)
        for line in filter(None, [self.entry.get("prepare"), self.entry["build"].replace("{compiler}", COMPILERS[variant])]):
            code, text = trial.run(line, folder, 240)
            if code:
                return f"{line}: {text[-600:]}"
        (folder / ".is-built").touch()
        return ""

    def is_built(self) -> bool:
        return all((self.folder(v) / ".is-built").exists() for v in COMPILERS)

    def environment(self, variant: str) -> dict:
        """Returns the variables of the entry, and those that make processes take turns."""
        own = {k: v.replace("{folder}", str(self.folder(variant))) for k, v in self.entry.get("env", {}).items()}
        if self.o.jobs == 1 and not self.entry.get("at_once"):
            return own
        return own | {"CUDA_INJECTION64_PATH": str(self.work / "libkernel_times.so"), "REGRAIN_DEVICE_TURNS": str(self.work / "device.lock")}

    def commands(self) -> list[list[str]]:
        command = self.entry["command"]
        return [shlex.split(c) for c in ([command] if isinstance(command, str) else command)]

    def time(self, label: str, variant: str, **extra: str) -> dict:
        found = {"code": 0, "pass": 0, "fail": 0, "kernels": {}}
        report = self.work / f"{self.name}.{label}.times.json"
        environment = {"CUDA_INJECTION64_PATH": str(self.work / "libkernel_times.so"), "REGRAIN_KERNEL_TIMES": str(report)}
        for command in self.commands():
            report.unlink(missing_ok=True)
            code, text = trial.run(command, self.run_folder(variant), self.entry.get("limit", 60), **(self.environment(variant) | extra | environment))
            found["code"] = found["code"] or code
            found["pass"] += len(re.findall("PASS|success", text, re.I))
            found["fail"] += len(re.findall("FAIL|mismatch|incorrect", text, re.I))
            found["said"] = text[-300:]
            if code and code not in self.entry.get("codes", []) or not report.exists():
                return found | {"error": text[-400:]}
            data = json.loads(report.read_text())
            found["turns"] = data.get("turns", 0)
            add(found["kernels"], {n: k for n, k in data["kernels"].items() if re.search(self.entry.get("only", ""), n)})
        return found | {"us": round(sum(k["totalUs"] for k in found["kernels"].values()), 3)}

    def tune(self, budget: float) -> tuple[list[dict], Path]:
        database = self.work / f"{self.name}.db"
        database.unlink(missing_ok=True)
        return [trial.tune("regrain", command, self.run_folder("regrain"), database, budget, self.entry.get("limit", 60), *self.entry.get("tune", []), **self.environment("regrain"))
                for command in self.commands()], database

    def round(self, variants: dict) -> dict:
        """Returns a run of each variant."""
        at_once = len(variants) if self.entry.get("at_once") else 1
        with ThreadPoolExecutor(at_once) as pool:
            jobs = {label: pool.submit(self.time, label, variant, **extra) for label, (variant, extra) in variants.items()}
            return {label: job.result() for label, job in jobs.items()}

    def measure(self) -> dict:
        rounds, budget = self.entry.get("rounds", self.o.rounds), self.entry.get("budget", self.o.budget)
        row = {"program": self.name, "command": self.entry["command"]}
        variants = {"nvcc": ("nvcc", {}), "untuned": ("regrain", trial.ORIGINALS)}
        if budget:
            row["tuning"], database = self.tune(budget)
            variants["tuned"] = ("regrain", {"REGRAIN_DB": str(database)})
        runs = {label: [] for label in variants}
        for _ in range(rounds):
            its = self.round(variants)
            if wrong := {label: run for label, run in its.items() if "us" not in run}:
                row["stopped" if runs["nvcc"] else "error"] = ", ".join(f"{label}: {run}" for label, run in wrong.items())
                break
            for label, run in its.items():
                runs[label].append(run)
        if not runs["nvcc"]:
            return row
        for label, its in runs.items():
            times = [r["us"] for r in its]
            row[label] = {"us": times, "median_us": trial.median(times), "pass": its[-1]["pass"], "fail": its[-1]["fail"], "code": its[-1]["code"],
                          "turns": its[-1]["turns"], "said": its[-1]["said"], "kernels": largest(its[-1]["kernels"])}
            if label != "nvcc":
                ratios = [round(n["us"] / r["us"], 4) if r["us"] else None for n, r in zip(runs["nvcc"], its)]
                row[label] |= {"ratios": ratios, "nvcc_over": trial.median([r for r in ratios if r])}
        return row

    def shown(self, row: dict) -> str:
        return f"nvcc {row['nvcc']['median_us']} us" + "".join(f", {name} {row[name]['ratios']}" for name in ("untuned", "tuned") if name in row)


def add(kernels: dict, more: dict) -> None:
    for name, k in more.items():
        own = kernels.setdefault(name, {"launches": 0, "totalUs": 0.0, "registers": k["registers"]})
        own["launches"] += k["launches"]
        own["totalUs"] += k["totalUs"]


def largest(kernels: dict) -> dict:
    first = sorted(kernels.items(), key=lambda k: -k[1]["totalUs"])[:10]
    return {name[:80]: [k["launches"], round(k["totalUs"], 2), k["registers"]] for name, k in first}


if __name__ == "__main__":
    raise SystemExit(trial.main(__doc__, Program, seconds=120.0, rounds=3, budget=5.0, jobs=1))
