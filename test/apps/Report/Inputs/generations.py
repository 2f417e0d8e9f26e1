"""Compares objects with the first: FOLDER BASE OTHER ... (names without .o)."""
import json
import os
import subprocess
import sys


def facts(name):
    report = json.loads(subprocess.run(["regrain", "inspect", "--json", os.path.join(sys.argv[1], name + ".o")],
                                       check=True, capture_output=True, text=True).stdout)
    image, = report["images"]
    kernel, = image["kernels"]
    return {"hash": kernel["hash"], **{target["kind"]: target["generation"] for target in image["targets"]}}


base = facts(sys.argv[2])
for name in sys.argv[3:]:
    other = facts(name)
    print(f"{name}:", ", ".join(f"{fact} {'as ' + sys.argv[2] if other[fact] == base[fact] else 'other'}"
                                for fact in sorted(base, key=lambda fact: (fact != "hash", fact))))
