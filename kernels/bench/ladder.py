#!/usr/bin/env python3
"""Prints, for each kernel, the steps from the plain source to what regrain tune chose, beside the version by hand.

usage: ladder.py RESULT.json --regrain BIN [options of measure.py]

RESULT.json is what measure.py wrote for these families and scalings, with the same --work: the times of nvcc, of the
original, of the version by hand and of the copy are taken from there. A step is a part of the chosen grain, such as
thread.x=8:contiguous, then thread.x=8:contiguous,exchange=levels; each is built, run, and added to RESULT.json under
"ladders". Registers, occupancy and widths of accesses are those of the machine code. Nothing here needs tuning again.
With --targets=sm_90,gfx942, the table has vector registers, scalar registers and waves of AMD's code object, too.
"""
import collections
import concurrent.futures
import json
import os
import re
from pathlib import Path

import measure

ROWS = (1, 32, 2048)
TOKENS = (1, 32)


def steps_of(grain: str) -> list[str]:
    """Returns the parts of a grain, each one piece longer, all for the same launches."""
    pieces, depth = [""], 0
    for letter in grain:  # commas in brackets belong to a variant's name
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    conditions = [p for p in pieces if p.startswith("for.")]
    changes = [p for p in pieces if not p.startswith("for.")]
    return [",".join(changes[: i + 1] + conditions) for i in range(len(changes))]


def pattern_of(kernel: str) -> str:
    return "*" + kernel.split("::")[-1].split("(")[0] + "*" if "<" not in kernel else "*" + re.sub(r"^.*?(\w+<.*>).*$", r"\1", kernel) + "*"


def is_kernel(kernel: str, symbol: str) -> bool:
    """Returns whether a symbol, mangled or not, is that of a kernel with its template arguments."""
    if "<" in symbol:
        return symbol.startswith(kernel.rsplit(">", 1)[0])
    name, arguments = re.match(r".*?(\w+)<(.*)>", kernel).groups()
    codes = [f"Li{a}E" if a.isdigit() else {"true": "Lb1E", "false": "Lb0E"}.get(a, "") for a in arguments.split(", ")]
    return f"{len(name)}{name}I" in symbol and all(code in symbol for code in codes)


def figures_of(code: dict) -> dict:
    """Returns what a report says of the code for one target."""
    if not code.get("registers"):
        return {}
    if code["arch"].startswith("gfx"):
        return {"amd": {"arch": code["arch"], "vector": code["registers"], "scalar": code["scalar_registers"], "waves": code["waves"], "spills": (code["vector_spills"] or 0) + (code["scalar_spills"] or 0)}}
    return {"registers": code["registers"], "occupancy": code["occupancy_percent"], "spills": (code["spill_store_bytes"] or 0) + (code["spill_load_bytes"] or 0)}


class Ladder(measure.Measurement):
    def choose(self) -> None:
        """Finds the grains of each kernel that most of its classes have."""
        self.chosen, self.steps = {}, {}
        for key, entry in self.result["tuning"].items():
            if not key.startswith("tuned "):
                continue
            votes = collections.defaultdict(collections.Counter)
            for one in entry.get("classes", []):
                if one["alternative"] not in ("original", "compiler=nvcc"):
                    votes[one["kernel"]][one["alternative"]] += 1
            for kernel, counts in votes.items():
                self.chosen.setdefault(kernel, counts.most_common(1)[0][0])
        for kernel, grain in self.chosen.items():
            self.steps[kernel] = steps_of(grain)

    def grains(self, variant: str, source: Path) -> list[str]:
        family = measure.FAMILY_OF_FILE.get(source.stem)
        words = {"norm": "rmsNorm", "swiglu": "actAndMul", "matmul": "matmul"}
        return [f"--coarsen={pattern_of(kernel)}:{step}" for kernel, steps in self.steps.items() if family and words[family] in kernel for step in steps]

    def cases(self) -> list[tuple[str, str]]:
        """Returns cases of RESULT.json with the kernel that each calls."""
        found = []
        for row in self.result["rows"]:
            words = row["case"].split(":")
            wanted = row["variant"] == "untuned" and (int(words[1]) in TOKENS if words[0] == "matmul" else int(words[2]) in ROWS)
            for kernel in row["kernels"] if wanted else []:
                known = [k for k in self.steps if is_kernel(k, kernel)]
                found += [(row["case"], known[0])] if known else []
        return found

    def figures(self, kernel: str, step: str) -> dict:
        """Registers, occupancy, spills, and the widths of accesses to global memory."""
        command = [f"{self.o.regrain}/regrain", "inspect", "--json", "--code", f"--kernel={pattern_of(kernel)}", f"--alternative={step}", str(self.work / "ladder")]
        code, text = self.run(command, 40)
        found = {}
        try:
            for image in json.loads(text[text.index("{"):])["images"]:
                for k in image["kernels"]:
                    for alternative in k["alternatives"]:
                        for c in alternative["code"] if alternative["id"] == step else []:
                            found |= figures_of(c)
                    for side in (k.get("listing") or {}).get("sides", []):
                        if side["alternative"] == step:
                            found["accesses"] = side["accesses"]
        except (ValueError, KeyError, TypeError) as error:
            found["error"] = f"{error!r} {text[-200:]}"
        return found

    def build(self) -> bool:
        with concurrent.futures.ThreadPoolExecutor(self.o.jobs) as pool:
            return self.finish_build("ladder", [pool.submit(self.compile, "ladder", s) for s in self.sources("ladder")])

    def measure(self) -> None:
        self.families = self.o.families.split(",")
        self.choose()
        for old in self.work.glob("ladder-*.o"):  # another tuning chose other grains
            old.unlink()
        if not self.steps or not self.build():
            print("nothing is tuned, or nothing was built")
            return
        cases = self.cases()
        figures = {(kernel, step): self.figures(kernel, step) for kernel, steps in self.steps.items() for step in ["original", *steps]}
        for kernel, steps in self.steps.items():
            names = [case for case, its in cases if its == kernel]
            for step in steps:
                self.measure_step(kernel, step, names)
        self.result["ladders"] = []
        for case, kernel in cases:
            self.describe(case, kernel, figures)
        self.save()

    def measure_step(self, kernel: str, step: str, names: list[str]) -> None:
        variant = f"step {step}"
        left = [n for n in names if not self.measured(variant, n)]
        if left and self.left() > 8:
            self.time(variant.replace("/", "|"), [str(self.work / "ladder"), "plain", str(self.o.calls), *left], left, 60, REGRAIN_DB="off",
                      REGRAIN_ALTERNATIVE=f"{pattern_of(kernel)}:{step}")

    def describe(self, case: str, kernel: str, figures: dict) -> None:
        rows = {r["variant"]: r for r in self.result["rows"] if r["case"] == case}
        size = rows["untuned"]["bytes"]
        copy = next((r for r in self.result["rows"] if r["variant"] == "copy" and abs(r["bytes"] - size) < 1024), None)
        steps = [("naive, nvcc", rows.get("nvcc"), {}), ("naive, Regrain", rows["untuned"], figures[(kernel, "original")])]
        steps += [(step, rows.get(f"step {step}"), figures[(kernel, step)]) for step in self.steps[kernel]]
        steps += [("tuned for its class", rows.get("tuned"), {}), ("by hand", rows.get("hand"), {}), ("copy of the bytes", copy, {})]
        print(f"\n{case}  {kernel}\n{'':64}{'warm us':>9}{'cold us':>9}{'cold GB/s':>10}{'regs':>6}{'occ %':>6}{'spills':>7}  {'AMD v/s/waves':14} widths")
        for name, row, known in steps:
            if not row:
                continue
            warm, cold = ((row[mode] or {}).get("us") for mode in ("warm", "cold"))
            cold = cold or row["cold_by_events_us"]
            registers = known.get("registers") or next(iter(row["kernels"].values()), None)
            entry = {"case": case, "kernel": kernel, "step": name, "warm_us": warm, "cold_us": cold, "GB/s": round(size / cold / 1000, 1), "registers": registers, **known}
            self.result["ladders"].append(entry)
            short = re.sub(r",for\..*", "", name)
            print(f"{short[:63]:64}{warm or '-':>9}{cold:>9}{entry['GB/s']:>10}{registers or '-':>6}{known.get('occupancy', '-'):>6}{known.get('spills', '-'):>7}  {amd(known.get('amd')):14} {widths(known.get('accesses'))}")


def amd(code: dict | None) -> str:
    return f"{code['vector']}/{code['scalar']}/{code['waves']}" if code else "-"


def widths(accesses) -> str:
    """Returns how many instructions access global memory, and the bytes of a thread: "load 16x4 store 8x2"."""
    counts = collections.Counter()
    for one in accesses or []:
        if one["memory"] == "global":
            counts[(one["access"], (one["bits"] or 0) // 8)] += one["count"]
    return " ".join(f"{access} {size or '?'}x{count}" for (access, size), count in sorted(counts.items()))


def main() -> None:
    Ladder(measure.read_options(__doc__)).measure()
    os._exit(0)


if __name__ == "__main__":
    main()
