#!/usr/bin/env python3
"""Compiles and runs the programs that `regrain-fuzz --emit=DIR` has written: original against alternatives.

usage: fuzz_programs.py compile DIR --regrain PATH [--targets LIST] [--jobs N] [--first I] [--count N] [--batch N]
       fuzz_programs.py run DIR RESULT.json [--device KIND] [--jobs N] [--limit SECONDS]

compile makes DIR/bin/batchN of so many programs each, with the original and every legal grain of DIR/programs.json, for
sm_90 unless --targets says otherwise, and DIR/compiled.json; it needs the compiler and no GPU. Starting a process on a GPU
takes longer than most of the programs, so that one process runs a batch. run takes each program at the original and at each
grain that has code. A program that checks itself prints OK and ends with 0; of the others the output must be the
original's. A run past the limit waits for ever. Where a batch does not end well, its programs run one by one. Where the
original fails, its grains say nothing and are left out. Exit status 1 where a grain fails or an original does.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

COMPILE_SECONDS = 600


def kernel_of(seed: int) -> str:
    return f"kernel{seed}"


def headers_of(programs: list[dict], folder: Path) -> list[str]:
    """Returns the lines by which the programs include headers."""
    texts = [(folder / program["file"]).read_text() for program in programs]
    return sorted({line for text in texts for line in text.splitlines() if line.startswith("#include <")})


def batch_source(programs: list[dict], folder: Path) -> str:
    """Returns one program made of several: the arguments are the seeds of those to run."""
    # Their own headers come first, since the declarations of a header must not be in a
    # namespace.
    lines = [*headers_of(programs, folder), "#include <cstdio>", "#include <cstdlib>"]
    for program in programs:
        seed = program["seed"]
        lines += [f"#define kernel {kernel_of(seed)}", "#define main run", f"namespace seed{seed} {{", f'#include "../{program["file"]}"',
                  "}", "#undef main", "#undef kernel"]
    calls = [f'  {{{program["seed"]}, seed{program["seed"]}::run}},' for program in programs]
    lines += ["static const struct { int seed; int (*run)(); } programs[] = {", *calls, "};",
              "int main(int count, char **arguments) {", "  for (int i = 1; i < count; ++i)", "    for (const auto &program : programs)",
              "      if (program.seed == atoi(arguments[i])) {", '        printf("seed %d\\n", program.seed);', "        fflush(stdout);",
              "        if (int status = program.run())", "          return status;", "      }", '  printf("all\\n");', "}", ""]
    return "\n".join(lines)


def compile_batch(name: str, programs: list[dict], options: argparse.Namespace) -> list[dict]:
    """Makes one executable, or one of each program if that fails; returns them with the
    compiler's messages."""
    source = options.folder / "bin" / f"{name}.cu"
    source.write_text(batch_source(programs, options.folder))
    grains = [f'--coarsen={kernel_of(program["seed"])}:{grain}' for program in programs for grain in program["grains"]]
    # The choice of fused products and sums depends on the registers that live across loops.
    command = [options.regrain, "cc", "-fmad=false", f"--targets={options.targets}", *grains, "-o", source.with_suffix(""), source]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=COMPILE_SECONDS)
        failed = f"the compiler ended with {done.returncode}: {done.stdout[-800:]}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        failed = f"the compiler took more than {COMPILE_SECONDS} s"
    if failed and len(programs) > 1:
        return [batch for program in programs for batch in compile_batch(f'seed{program["seed"]}', [program], options)]
    return [{"binary": f"bin/{name}", "programs": programs, "failed": failed}]


def compile_all(options: argparse.Namespace) -> int:
    (options.folder / "bin").mkdir(exist_ok=True)
    programs = json.loads((options.folder / "programs.json").read_text())
    chosen = programs[options.first:][:options.count]
    groups = [chosen[at:at + options.batch] for at in range(0, len(chosen), options.batch)]
    with ThreadPoolExecutor(options.jobs) as pool:
        made = pool.map(lambda numbered: compile_batch(f"batch{numbered[0]}", numbered[1], options), enumerate(groups))
        batches = [batch for several in made for batch in several]
    (options.folder / "compiled.json").write_text(json.dumps(batches, indent=1) + "\n")
    failed = [batch for batch in batches if batch["failed"]]
    for batch in failed:
        print(f'{batch["binary"]}: {batch["failed"]}')
    print(f"fuzz_programs: {len(chosen)} programs, {len(failed)} do not compile")
    return 1 if failed else 0


def in_sections(output: str) -> dict[int, str]:
    """Returns the output of each program of a batch."""
    pieces = re.split(r"^seed (\d+)\n", output.removesuffix("all\n"), flags=re.M)
    return {int(seed): text for seed, text in zip(pieces[1::2], pieces[2::2])}


def has_run(seed: int, grain: str, said: str) -> bool:
    """Returns whether the grain was what ran."""
    own = [line for line in said.splitlines() if re.search(rf"\b{kernel_of(seed)}\b", line)]
    return not any("gives way" in line for line in own) and (
        grain == "original" or any(f": {grain} (asked for" in line for line in own))


def run_at(batch: dict, grains: dict[int, str], options: argparse.Namespace) -> dict[int, dict]:
    """Returns the outcome of each program at its grain, and whether the grain was what ran."""
    request = ";".join(f"{kernel_of(seed)}:{grain}" for seed, grain in grains.items())
    extra = {"REGRAIN_DEVICE": options.device, "REGRAIN_ALTERNATIVE": request, "REGRAIN_VERBOSE": "1", "REGRAIN_DB": "off"}
    try:
        done = subprocess.run([options.folder / batch["binary"], *map(str, grains)], env={**os.environ, **extra}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=options.limit)
    except subprocess.TimeoutExpired:
        done = None
    if done and done.returncode == 0 and done.stdout.endswith("all\n"):
        sections = in_sections(done.stdout)
        return {seed: {"what": "ends well", "output": sections[seed], "ran": has_run(seed, grain, done.stderr)}
                for seed, grain in grains.items()}
    if len(grains) > 1:
        return {seed: run_at(batch, {seed: grain}, options)[seed] for seed, grain in grains.items()}
    what = f"ends with {done.returncode}: {done.stdout.strip()[-200:]}" if done else "waits for ever"
    return {seed: {"what": what, "output": "", "ran": True} for seed in grains}


def grains_on(device: str, grains: list[str]) -> list[str]:
    """Returns the grains without what the device refuses: the CPU has no multiprocessor whose blocks
    max-resident= limits. What is nothing but that is left out."""
    if device != "cpu":
        return grains
    left = [",".join(piece for piece in grain.split(",") if not piece.startswith("max-resident=")) for grain in grains]
    return [grain for grain in left if grain]


def run_batch(batch: dict, options: argparse.Namespace) -> list[dict]:
    programs = {program["seed"]: program for program in batch["programs"]}
    originals = run_at(batch, {seed: "original" for seed in programs}, options)
    results = {seed: {"seed": seed, "original": originals[seed]["what"], "agree": 0, "gave_way": 0, "findings": []} for seed in programs}
    sound = [seed for seed in programs if originals[seed]["what"] == "ends well"]
    named = {seed: grains_on(options.device, programs[seed]["grains"]) for seed in sound}
    for number in range(max(map(len, named.values()), default=0)):
        grains = {seed: own[number] for seed, own in named.items() if number < len(own)}
        for seed, got in run_at(batch, grains, options).items():
            if got["what"] == "ends well" and got["output"] != originals[seed]["output"]:
                got["what"] = "prints something else"
            if got["what"] != "ends well":
                results[seed]["findings"].append({"grain": grains[seed], "what": got["what"]})
            else:
                results[seed]["agree" if got["ran"] else "gave_way"] += 1
    return list(results.values())


def record(results: list[dict], options: argparse.Namespace) -> dict:
    """Writes the results so far; they remain if the run is ended."""
    summary = {"device": options.device, "programs": len(results), "pairs_agreeing": sum(result["agree"] for result in results),
               "pairs_that_gave_way": sum(result["gave_way"] for result in results),
               "originals_that_fail": [{"seed": result["seed"], "what": result["original"]} for result in results
                                       if result["original"] != "ends well"],
               "findings": [{"seed": result["seed"], **finding} for result in results for finding in result["findings"]]}
    options.result.write_text(json.dumps(summary, indent=1) + "\n")
    return summary


def run_all(options: argparse.Namespace) -> int:
    batches = [batch for batch in json.loads((options.folder / "compiled.json").read_text()) if not batch["failed"]]
    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for batch in as_completed([pool.submit(run_batch, batch, options) for batch in batches]):
            results += batch.result()
            record(results, options)
    summary = record(results, options)
    found, originals = summary["findings"], summary["originals_that_fail"]
    for finding in found:
        print(f"seed {finding['seed']} at {finding['grain']}: {finding['what']}")
    for result in originals:
        print(f"seed {result['seed']} at original: {result['what']}")
    print(f"fuzz_programs: {len(results)} programs, {summary['pairs_agreeing']} pairs agree, {summary['pairs_that_gave_way']} gave way "
          f"to the original, {len(found)} do not agree, {len(originals)} originals fail")
    return 1 if found or originals else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    compiling = commands.add_parser("compile")
    compiling.add_argument("folder", type=Path)
    compiling.add_argument("--regrain", type=Path, required=True)
    compiling.add_argument("--targets", default="sm_90")
    compiling.add_argument("--first", type=int, default=0)
    compiling.add_argument("--count", type=int, default=None)
    compiling.add_argument("--batch", type=int, default=20, help="programs to an executable")
    compiling.set_defaults(work=compile_all)
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("result", type=Path)
    running.add_argument("--device", default="cuda")
    running.add_argument("--limit", type=float, default=60, help="seconds of a run")
    running.set_defaults(work=run_all)
    for command in (compiling, running):
        command.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main())
