"""Compares a page with the measurements of which its pictures are made.

usage: figures.py TUNING PAGE    prints the figures of the JSON of a tuning that the page does not show;
                                 exits 1 if there are some
       figures.py --size PNG     prints the size of a picture
"""
import json
import struct
import sys
from pathlib import Path


def rounded(microseconds: float) -> str:
    return f"{microseconds:.0f}" if microseconds >= 1000 else f"{microseconds:.2f}"


if sys.argv[1] == "--size":
    print("%d x %d" % struct.unpack(">II", Path(sys.argv[2]).read_bytes()[16:24]))
    sys.exit()
tuning, page = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
text, missing = page.read_text(), []
for each in tuning["classes"]:
    figures = [rounded(each["original_us"]), rounded(each["chosen_us"])]
    if each["verdict"] == "faster":
        figures += [f"{each[key]:.3f}" for key in ("gain", "gain_low", "gain_high")] + [each["alternative"]]
    kernel = each["kernel"].split("(")[0]
    missing += [f"{kernel}: {figure} is not in {page.name}" for figure in figures if figure not in text]
print("\n".join(missing))
sys.exit(bool(missing))
