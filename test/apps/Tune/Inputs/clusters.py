"""Prints which variants were timed in each class: usage: clusters.py REPORT.json
Or lets one class of a file of choices run an alternative, and the others the original: clusters.py CHOICES.json ID CLASS"""
import json
import sys

path = sys.argv[1]
with open(path) as file:
    read = json.load(file)
if len(sys.argv) > 2:
    _, _, chosen, part = sys.argv
    for kernel in read["kernels"]:
        for entry in kernel["classes"]:
            entry["alternative"] = chosen if part in entry["class"] else "original"
        kernel["alternatives"] = sorted({entry["alternative"] for entry in kernel["classes"]} - {"original"})
        kernel["chosen"] = "original"
    with open(path, "w") as file:
        json.dump(read, file)
    sys.exit()
excluded = {(e["kernel"], e["alternative"]) for e in read["excluded"]}
for entry in sorted(read["classes"], key=lambda each: (each["kernel"], each["class"])):
    variants = {m["alternative"] for m in entry["measurements"] if m["alternative"].startswith("variant=") and m["pairs"]}
    print(entry["kernel"].split("(")[0].removeprefix("void "), entry["class"].rsplit(",", 1)[1] + ":", ", ".join(sorted(variants)), "timed;",
          ", ".join(a for k, a in sorted(excluded) if k == entry["kernel"] and a.startswith("variant=")), "excluded")
