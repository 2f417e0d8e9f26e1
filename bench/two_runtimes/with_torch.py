#!/usr/bin/env python3
"""Uses PyTorch and a library that Regrain built, in one process.

usage: with_torch.py torch-first|library-first LIBRARY

Prints a line that begins with PASS or FAIL for each check, or with SKIP if there is no PyTorch with a GPU. The exit
code is 1 after a failure.
"""
import ctypes
import sys

COUNT = 1000003


def open_library(path: str) -> ctypes.CDLL:
    return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)


def main() -> int:
    order, path = sys.argv[1:]
    library = open_library(path) if order == "library-first" else None
    if library:  # the runtime begins before PyTorch is there
        begin = ctypes.c_void_p()
        if library.own_allocate(ctypes.byref(begin), 16) or library.own_release(begin):
            print(f"FAIL {order}: the library without PyTorch")
            return 1
    try:
        import torch
    except ImportError:
        print("SKIP PyTorch is not installed")
        return 0
    if not torch.cuda.is_available():
        print("SKIP PyTorch sees no GPU")
        return 0
    if not library:
        torch.ones(4, device="cuda").sum().item()
        library = open_library(path)

    failures = 0

    def check(what: str, is_right: bool) -> None:
        nonlocal failures
        failures += not is_right
        print(f"{'PASS' if is_right else 'FAIL'} {order}: {what}")

    values = torch.arange(COUNT, dtype=torch.int32, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    status = library.own_add(ctypes.c_void_p(values.data_ptr()), COUNT, 7, ctypes.c_void_p(stream.cuda_stream))
    stream.synchronize()
    expected = torch.arange(7, COUNT + 7, dtype=torch.int32)
    check("a kernel of the library on PyTorch's memory and stream", status == 0 and torch.equal(values.cpu(), expected))

    own = ctypes.c_void_p()
    status = library.own_makeStream(ctypes.byref(own))
    outside = torch.cuda.ExternalStream(own.value)
    with torch.cuda.stream(outside):
        twice = values * 2
    status = status or library.own_add(ctypes.c_void_p(twice.data_ptr()), COUNT, 1, own)
    outside.synchronize()
    check("PyTorch on the library's stream", status == 0 and torch.equal(twice.cpu(), expected * 2 + 1))

    left = torch.rand(300, 200, dtype=torch.float64)
    product = (left.cuda() @ left.cuda().T).cpu()
    check("PyTorch's own kernels and cuBLAS", torch.allclose(product, left @ left.T))
    launches = ctypes.c_int(-1)
    status = library.own_countLaunches(ctypes.byref(launches))
    check("the library's variable", status == 0 and launches.value == 2)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
