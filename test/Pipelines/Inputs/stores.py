"""Prints the stores of each kernel in `inspect --json`, with their types."""
import json
import sys

for image in json.load(open(sys.argv[1]))["images"]:
    for kernel in image["kernels"]:
        stores = kernel["stores"]
        words = [f"{n}:{'|'.join(t)}" for n, t in enumerate(stores["parameters"]) if t]
        words += [f"{place}:{'|'.join(stores[place])}" for place in ("variables", "elsewhere") if stores[place]]
        if kernel["stays_in_arguments"]:
            words.append("stays")
        print(kernel["name"].split("(")[0] + ":", " ".join(words) or "nothing")
