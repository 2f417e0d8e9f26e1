"""Opens libraries in the order of the arguments, calls what they have, and prints the results.

usage: open_libraries.py local|global LIBRARY...
"""
import ctypes
import sys

MODE = {"local": ctypes.RTLD_LOCAL, "global": ctypes.RTLD_GLOBAL}[sys.argv[1]]
for library in [ctypes.CDLL(path, MODE) for path in sys.argv[2:]]:
    if hasattr(library, "statusOfForeignCall"):
        print("status", library.statusOfForeignCall())
    elif hasattr(library, "_Z12sumOfDoubledi"):
        print("sum", library._Z12sumOfDoubledi(100))
