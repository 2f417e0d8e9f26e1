"""usage: scale.py LIBRARY torch|array 0|1

Scales the memory of a tensor of PyTorch, or of an array of Python, and checks it. 1: the memory is declared.
"""
import array
import ctypes
import sys

library, kind, declares = ctypes.CDLL(sys.argv[1]), sys.argv[2], int(sys.argv[3])
if kind == "torch":
    import torch
    values = torch.ones(4096)
    address, read = values.data_ptr(), values.tolist
else:
    values = array.array("f", [1.0] * 4096)
    address, read = values.buffer_info()[0], values.tolist
wrong = 0
for launch in range(1, 21):
    status = library.scale(ctypes.c_void_p(address), ctypes.c_float(2), 4096, declares)
    wrong += status != 0 or any(value != 2.0 ** launch for value in read())
print(f"scale: {wrong} wrong")
