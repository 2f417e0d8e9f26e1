"""Writes a file of choices for a report: REPORT.json KERNEL CLASS ID ... (name without parameters, class, id)."""
import json
import sys

kernels = {}
report = json.load(open(sys.argv[1]))
for name, launch_class, chosen in zip(*[iter(sys.argv[2:])] * 3):
    found = [k for image in report["images"] for k in image["kernels"] if k["name"].split("(")[0] == name]
    entry = kernels.setdefault(name, {
        "name": found[0]["name"] if found else name + "()", "hash": found[0]["hash"] if found else "00",
        "alternatives": [], "chosen": chosen, "classes": []})
    if chosen != "original" and chosen not in entry["alternatives"]:
        entry["alternatives"].append(chosen)
    entry["classes"].append({
        "class": launch_class, "alternative": chosen, "gain": 1.2, "gain_low": 1.1, "gain_high": 1.3,
        "original_us": 12.0, "chosen_us": 10.0, "verified": "bitwise"})
json.dump({"regrain_choices": "2.0", "kernels": list(kernels.values())}, sys.stdout, indent=2)
