"""Prints the hash of a kernel in each of two reports: A.json B.json KERNEL."""
import json
import sys


def hash_of(path, kernel):
    for image in json.load(open(path))["images"]:
        for entry in image["kernels"]:
            if entry["name"].split("(")[0] == kernel:
                return entry["name"], entry["hash"]
    sys.exit(f"{path}: no kernel {kernel}")


name, first = hash_of(sys.argv[1], sys.argv[3])
print(f"{name}: {first} {hash_of(sys.argv[2], sys.argv[3])[1]}")
