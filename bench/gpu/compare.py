#!/usr/bin/env python3
"""Builds programs by nvcc and by Regrain, and times them in turn: nvcc, Regrain untuned, Regrain tuned.

usage: compare.py build MANIFEST WORK [--jobs 8] [--seconds 3600] [--cuda /usr/local/cuda] [--only NAMES]
       compare.py measure MANIFEST WORK RESULT.jsonl [--seconds 120] [--rounds 3] [--budget 5] [--only NAMES]

MANIFEST is a JSON list; the first entries are measured first:
  name      of the program
  folder    its sources, relative to the manifest; they are copied for each compiler
  build     a line of the shell, with {compiler} for nvcc, and for regrain-nvcc with its options
  command   what is run and tuned, without a shell's signs
  prepare   optional: a line of the shell, run in front of the build, such as one that writes the data
  limit     optional: seconds of a run (60)
  rounds, budget   optional, in place of the options; with a budget of 0 the program is not tuned
  tune      optional: a list of options of regrain tune, such as --survey
A round is one run of each. Kernel times are from CUPTI, summed over a run; `ratios` are nvcc's time over the other's in
each round, so that above 1 means that Regrain is faster. What manifests and results have in common: trial.py.
"""
import json
import re
import shlex
import shutil
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

    def time(self, variant: str, **extra: str) -> dict:
        report = self.work / f"{self.name}.times.json"
        report.unlink(missing_ok=True)
        code, text = trial.run(shlex.split(self.entry["command"]), self.folder(variant), self.entry.get("limit", 60), CUDA_INJECTION64_PATH=str(self.work / "libkernel_times.so"), REGRAIN_KERNEL_TIMES=str(report), **extra)
        found = {"code": code, "pass": len(re.findall("PASS|success", text, re.I)), "fail": len(re.findall("FAIL|mismatch|incorrect", text, re.I))}
        if code or not report.exists():
            return found | {"error": text[-400:]}
        found["kernels"] = json.loads(report.read_text())["kernels"]
        return found | {"us": round(sum(k["totalUs"] for k in found["kernels"].values()), 3)}

    def measure(self) -> dict:
        rounds, budget = self.entry.get("rounds", self.o.rounds), self.entry.get("budget", self.o.budget)
        row = {"program": self.name, "command": self.entry["command"]}
        variants = {"nvcc": ("nvcc", {}), "untuned": ("regrain", trial.ORIGINALS)}
        if budget:
            database = self.work / f"{self.name}.db"
            row["tuning"] = trial.tune("regrain", shlex.split(self.entry["command"]), self.folder("regrain"), database, budget, self.entry.get("limit", 60), *self.entry.get("tune", []))
            variants["tuned"] = ("regrain", {"REGRAIN_DB": str(database)})
        runs = {name: [] for name in variants}
        for _ in range(rounds):
            for name, (variant, extra) in variants.items():
                runs[name].append(self.time(variant, **extra))
                if "us" not in runs[name][-1]:
                    return row | {"error": f"{name}: {runs[name][-1]}", "us": {n: [r["us"] for r in its if "us" in r] for n, its in runs.items()}}
        for name, its in runs.items():
            times = [r["us"] for r in its]
            row[name] = {"us": times, "median_us": trial.median(times), "pass": its[-1]["pass"], "fail": its[-1]["fail"], "kernels": largest(its[-1]["kernels"])}
            if name != "nvcc":
                ratios = [round(n["us"] / r["us"], 4) for n, r in zip(runs["nvcc"], its)]
                row[name] |= {"ratios": ratios, "nvcc_over": trial.median(ratios)}
        return row

    def shown(self, row: dict) -> str:
        return f"nvcc {row['nvcc']['median_us']} us" + "".join(f", {name} {row[name]['ratios']}" for name in ("untuned", "tuned") if name in row)


def largest(kernels: dict) -> dict:
    first = sorted(kernels.items(), key=lambda k: -k[1]["totalUs"])[:10]
    return {name[:80]: [k["launches"], round(k["totalUs"], 2), k["registers"]] for name, k in first}


if __name__ == "__main__":
    raise SystemExit(trial.main(__doc__, Program, seconds=120.0, rounds=3, budget=5.0))
