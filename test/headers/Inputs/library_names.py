"""Prints a C++ program that prints the type of each function and the value of each enumerator of a library.

usage: library_names.py PREFIX OURS THEIRS HEADER...

OURS and THEIRS are files with the preprocessed headers of Regrain and of a toolkit. The program names what both have,
and fails for a function of ours that the toolkit does not have.
"""
import re
import sys

prefix, ours, theirs, *headers = sys.argv[1:]
NAME = {kind: re.compile(rf"\b({word}\w+){tail}") for kind, word, tail in
        (("function", prefix, r"\s*\("), ("enumerator", prefix.upper() + "_", r"\s*=?[^\w]"))}


def names(path: str, kind: str) -> set[str]:
    return set(NAME[kind].findall(open(path).read()))


# A function with an overload has no one type.
overloaded = set(re.findall(rf"static[^;{{}}(]*\b({prefix}\w+)\s*\(", open(theirs).read()))
functions = names(ours, "function") & names(theirs, "function")
missing = names(ours, "function") - functions
# In cuBLAS, these are macros of a toolkit.
known = {name for name in missing if name + "_v2" in functions or name.replace("_64", "_v2_64") in functions}
if missing - known:
    sys.exit(f"the toolkit lacks {sorted(missing - known)}")
print("\n".join(f"#include <{header}>" for header in headers))
print("#include <cstdio>\n#include <typeinfo>\nint main() {")
for name in sorted(functions - overloaded):
    print(f'  std::printf("{name} %s\\n", typeid(decltype({name})).name());')
for name in sorted(names(ours, "enumerator") & names(theirs, "enumerator")):
    print(f'  std::printf("{name} %d\\n", int({name}));')
print("}")
