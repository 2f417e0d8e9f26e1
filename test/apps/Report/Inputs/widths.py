"""Prints the accesses of each side of each listing: kernel, alternative, memory, access, bits and count.

usage: widths.py REPORT
"""
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
assert (report["version"]["major"], report["version"]["minor"]) >= (1, 7)
for kernel in report["images"][0]["kernels"]:
    for side in kernel["listing"]["sides"]:
        assert len(side["instructions"]) == side["totals"]["instructions"]
        for access in side["accesses"]:
            print(kernel["name"].split("(")[0], side["alternative"], access["memory"], access["access"], access["bits"],
                  access["count"])
