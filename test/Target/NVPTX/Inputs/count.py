"""usage: count.py OPCODE PTX - prints, for each kernel, how many instructions begin with OPCODE"""
import re
import sys

opcode, path = sys.argv[1:]
counts, kernel = {}, None
with open(path, encoding="utf-8") as text:
    for line in text:
        if entry := re.search(r"\.entry _Z\d+([a-z_]+?)(?:P\w+)?(?:__grain_\w+)?\(", line):
            kernel = entry[1]
            counts[kernel] = 0
        elif kernel and re.match(rf"\s+(?:@!?%p\d+ )?{re.escape(opcode)}", line):
            counts[kernel] += 1
for kernel, count in counts.items():
    print(f"{kernel}: {count}")
