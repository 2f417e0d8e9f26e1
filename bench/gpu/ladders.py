#!/usr/bin/env python3
"""Times plain kernels, by nvcc and by Regrain, untuned and tuned, beside versions by hand and the device's copy.

usage: ladders.py build MANIFEST WORK [--jobs 8] [--seconds 3600] [--cuda /usr/local/cuda] [--only NAMES]
       ladders.py measure MANIFEST WORK RESULT.jsonl [--seconds 120] [--budget 5] [--calls 63] [--only NAMES]

MANIFEST is a JSON list (trial.py says what manifests and results have in common):
  name           of the ladder; name+reassociate by custom, if it is built with --reassociate
  source         a file that defines describe() (ladder.h)
  block          the block of the plain kernel
  by_hand        VERSION:BLOCK, each a version by hand; the fastest counts
  flags          optional, for both compilers
  regrain_flags  optional, besides --alternatives=48
  budget         optional, in place of the option
  rounds         optional: how often the programs run in turn (1); the median counts. Kernels of a few
                 microseconds differ from run to run
  grains         optional: grains of all kernels that are built and timed besides what tuning chooses
  launches       optional: a second build is made for the launches that tuning of the first one saw (docs/tuning.md)
`build` compiles each ladder by nvcc with LADDER_BY_HAND, and by regrain-nvcc without; a ladder with `launches` is tuned
there, too. `measure` writes a line for each ladder: medians of kernel times from CUPTI in microseconds, all kernels of a
call together.
"""
import array
import json
import math
import re
from pathlib import Path

import trial

HEADERS = Path(__file__).resolve().parent
LIMIT = 60


class Ladder(trial.Entry):
    @staticmethod
    def libraries(work: Path, cuda: Path) -> dict:
        return {"libtrace.so": trial.build_trace(work / "libtrace.so", cuda)}

    def builds(self) -> dict:
        return {f"{self.name} regrain": self.build_regrain, f"{self.name} nvcc": lambda: self.compile("nvcc")}

    def is_built(self) -> bool:
        return self.program("nvcc").exists() and self.program("regrain").exists()

    def program(self, variant: str) -> Path:
        return self.work / f"{self.name}.{variant}"

    # ---- builds
    def compile(self, variant: str, *more: str) -> str:
        """Returns what went wrong."""
        compilers = {"nvcc": ["nvcc", "-arch=sm_90", "-DLADDER_BY_HAND"]}
        first = compilers.get(variant, ["regrain-nvcc", "--targets=sm_90", "--alternatives=48", *(f"--coarsen=*:{g}" for g in self.entry.get("grains", [])), *self.entry.get("regrain_flags", [])])
        code, text = trial.run([*first, "-O3", "-std=c++17", f"-I{HEADERS}", *self.entry.get("flags", []), *more, str(self.root / self.entry["source"]), "-o", str(self.program(variant))], self.work, 240)
        return text[-600:] if code else ""

    def build_regrain(self) -> str:
        wrong = self.compile("regrain")
        if wrong or not self.entry.get("launches"):
            return wrong
        self.tune("regrain", 2)
        return self.build_for_launches()

    def build_for_launches(self) -> str:
        seen = self.work / f"{self.name}.regrain.json"
        return self.compile("launches", f"--launches={seen}") if seen.exists() else "no launches were recorded"

    def tune(self, variant: str, budget: float) -> dict:
        """Tunes into NAME.VARIANT.db, and writes what was chosen, and for which launches, to NAME.VARIANT.json."""
        database = self.work / f"{self.name}.{variant}.db"
        database.unlink(missing_ok=True)
        return trial.tune("regrain", self.command(variant), self.work, database, budget, LIMIT, "-o", str(self.work / f"{self.name}.{variant}.json"))

    # ---- times
    def command(self, variant: str, *versions: str) -> list[str]:
        return [str(self.program(variant)), str(getattr(self.o, "calls", 63)), *(versions or [f"plain:{self.entry['block']}"])]

    def time(self, variant: str, versions: list[str], **extra: str) -> dict:
        """Returns the median, hash and difference of each version that ran, and what failed."""
        trace = self.work / f"{self.name}.trace"
        trace.unlink(missing_ok=True)
        code, text = trial.run(self.command(variant, *versions), self.work, LIMIT, CUDA_INJECTION64_PATH=str(self.work / "libtrace.so"), REGRAIN_TRACE=str(trace), **extra)
        flush = re.search(r"^FLUSH (\d+)", text, re.M)
        ran = re.findall(r"^VERSION (\S+) (\d+) (\S+) (\S+) (\S+)", text, re.M)
        traced = trial.parse_trace(trace, int(flush.group(1)) if flush else 0) if trace.exists() else []
        found = {}
        if code or len(ran) != len(traced):
            found["error"] = f"exit {code}, {len(ran)} versions, {len(traced)} traced: {text[-300:]}"
        for (name, calls, size, hash_, difference), one in zip(ran, traced):
            times = [t for t in one["warm"] + one["cold"] if t > 0]
            found[name] = {"us": trial.median(times), "min_us": round(min(times, default=0), 3), "calls": int(calls), "bytes": float(size), "hash": hash_, "difference": float(difference), "registers": {k[:60]: r for k, r in one["kernels"].items()}}
        return found

    def difference(self, a: str, b: str) -> float | None:
        """Compares the samples of two runs, as ladder.h compares versions."""
        x, y = array.array("d"), array.array("d")
        try:
            x.frombytes(Path(a).read_bytes())
            y.frombytes(Path(b).read_bytes())
        except OSError:
            return None
        mean = math.sqrt(sum(v * v for v in x) / max(1, len(x)))
        return max((abs(u - v) / (abs(u) + mean + 1e-30) for u, v in zip(x, y)), default=None) if len(x) == len(y) else None

    def measure_plain(self, variant: str, samples: str, **extra: str) -> dict:
        plain = f"plain:{self.entry['block']}"
        found = self.time(variant, [plain], LADDER_SAMPLES=samples, **extra)
        return found.get(plain, {}) | ({"error": found["error"]} if "error" in found else {})

    def measure(self) -> dict:
        samples = {v: str(self.work / f"{self.name}.{v}.samples") for v in ("nvcc", "untuned", "tuned", "launches")}
        plain = f"plain:{self.entry['block']}"
        by_hand = self.entry.get("by_hand", [])
        nvcc = self.time("nvcc", [plain, *by_hand, "copy:0"], LADDER_SAMPLES=samples["nvcc"])
        row = {"ladder": self.name, "block": self.entry["block"], "nvcc": nvcc.get(plain, {})}
        row["untuned"] = self.measure_plain("regrain", samples["untuned"], **trial.ORIGINALS)
        row["untuned"]["difference_from_nvcc"] = self.difference(samples["nvcc"], samples["untuned"])
        tuned = {}
        for variant, key in (("regrain", "tuned"), ("launches", "launches")):
            if key == "launches" and (not self.entry.get("launches") or not self.program(variant).exists() and self.build_for_launches()):
                continue
            tuning = self.tune(variant, self.entry.get("budget", self.o.budget))
            tuned[key] = lambda variant=variant, key=key: self.measure_plain(variant, samples[key], REGRAIN_DB=str(self.work / f"{self.name}.{variant}.db"))
            row[key] = tuned[key]() | {"tuning": tuning}
            row[key]["is_bitwise"] = row[key].get("hash") == row["untuned"].get("hash")
            row[key]["difference_from_untuned"] = self.difference(samples["untuned"], samples[key])
        for _ in range(self.entry.get("rounds", 1) - 1):
            again = self.time("nvcc", [plain, *by_hand, "copy:0"])
            for name in [plain, *by_hand, "copy:0"]:
                add_round(nvcc.get(name, {}), again.get(name, {}))
            for key, function in tuned.items():
                add_round(row[key], function())
        if grains := self.entry.get("grains"):
            row["grains"] = {g: self.measure_plain("regrain", samples["untuned"], REGRAIN_ALTERNATIVE=f"*:{g}") for g in grains}
        times = {v: [nvcc[v]["us"], nvcc[v]["difference"]] for v in by_hand if v in nvcc and nvcc[v]["us"]}
        row |= {"copy_us": nvcc.get("copy:0", {}).get("us"), "by_hand_all": times, "by_hand": min(times, key=lambda v: times[v][0], default=None)}
        if "rounds" in self.entry:
            row["by_hand_rounds_us"] = {v: nvcc[v].get("rounds_us") for v in times}
        return row | self.ratios(row) | {k: v for k, v in nvcc.items() if k == "error"}

    def shown(self, row: dict) -> str:
        hand = row["by_hand_all"].get(row["by_hand"] or "", [None])[0]
        times = {"nvcc": row["nvcc"].get("us"), "untuned": row["untuned"].get("us")} | {k: row[k].get("us") for k in ("tuned", "launches") if k in row}
        return f"{times} by hand {hand} ({row['by_hand']}) copy {row['copy_us']} bitwise {row.get('tuned', {}).get('is_bitwise')}"

    def ratios(self, row: dict) -> dict:
        best = min((row[k]["us"] for k in ("tuned", "launches") if row.get(k, {}).get("us")), default=None)
        if not best:
            return {"error": f"nothing was timed: {row}"[:900]}
        over = {"nvcc_plain_over_tuned": row["nvcc"].get("us"), "copy_over_tuned": row["copy_us"], "by_hand_over_tuned": row["by_hand_all"][row["by_hand"]][0] if row["by_hand"] else None}
        return {"tuned_us": best} | {k: round(v / best, 3) for k, v in over.items() if v}


def add_round(row: dict, again: dict) -> None:
    """Adds the time of another run of a version, and makes the median of all its time."""
    if row.get("us") and again.get("us"):
        row["rounds_us"] = row.get("rounds_us", [row["us"]]) + [again["us"]]
        row["us"] = trial.median(row["rounds_us"])


if __name__ == "__main__":
    raise SystemExit(trial.main(__doc__, Ladder, seconds=120.0, budget=5.0, calls=63))
