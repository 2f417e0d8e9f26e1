"""Prints each kernel of a report with the reason against repeating it, or "-"; files without their folder."""
import json
import re
import sys

for image in json.load(open(sys.argv[1]))["images"]:
    for kernel in image["kernels"]:
        reason = kernel["not_replayable"] or "-"
        print(kernel["name"].split("(")[0] + ": " + re.sub(r"\(\S*/", "(", reason))
