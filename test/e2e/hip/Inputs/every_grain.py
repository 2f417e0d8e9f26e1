"""Runs a program over the library that stands in for HIP, once at every grain that it has.
every_grain.py REGRAIN FOLDER-OF-THE-LIBRARY PROGRAM
"""
import json
import os
import subprocess
import sys


def main() -> None:
    regrain, folder, program = sys.argv[1:]
    env = dict(os.environ, LD_LIBRARY_PATH=folder, REGRAIN_DEVICE="hip", HIP_VISIBLE_DEVICES="-1", REGRAIN_VERBOSE="1")

    def run(*command: str, **more: str) -> subprocess.CompletedProcess:
        return subprocess.run(command, capture_output=True, text=True, check=True, env=dict(env, **more))

    print(run(program).stderr)
    report = json.loads(run(regrain, "inspect", "--json", program).stdout)
    grains = [a["id"] for image in report["images"] for kernel in image["kernels"] for a in kernel["alternatives"]]
    runs = {grain: run(program, REGRAIN_ALTERNATIVE=f"*:{grain}") for grain in grains}
    for grain, done in runs.items():
        if done.stdout != runs["original"].stdout or "cannot be loaded" in done.stderr:
            sys.exit(f"{grain}: {done.stdout}{done.stderr}")
    print("grains that agree:", len(grains))


main()
