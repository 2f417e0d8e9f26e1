# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shared library, by ctypes.

It lies beside this file, or REGRAIN_KERNELS_LIBRARY names it. Regrain's runtime is found through it.
"""
import ctypes
import os
from pathlib import Path

VERSION = 1
SUCCESS = 0

_pointer, _integer, _size = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_SIGNATURES = {
    "regrainRmsNormFp8": [_pointer] * 5 + [_size, _size, ctypes.c_float, _integer, _integer, _pointer],
    "regrainActivationAndMulFp8": [_pointer] * 3 + [_size, _size, _integer, _integer, _integer, _pointer],
    "regrainQuantizeFp8": [_pointer] * 3 + [_size, _size, _integer, _integer, _pointer],
    "regrainActivation": [_pointer] * 2 + [_size, _integer, _integer, _pointer],
    "regrainActivationAndMul": [_pointer] * 2 + [_size, _size, _integer, _integer, _pointer],
    "regrainMatmulFp8": [_pointer] * 4 + [_integer, _pointer, _integer] + [_size] * 3
                        + [_integer, _pointer, ctypes.c_size_t, _pointer],
}


class KernelError(RuntimeError):
    """A call of the library or of the runtime failed."""


class Library:
    def __init__(self, path: Path):
        self.path = path
        self._handle = ctypes.CDLL(str(path))
        version = self._handle.regrainKernelsVersion()
        if version != VERSION:
            raise ImportError(f"{path} has version {version} of the interface; this package needs {VERSION}")
        self._handle.regrainKernelsError.restype = ctypes.c_char_p
        self._functions = {}
        self.is_tuning = bool(os.environ.get("REGRAIN_TUNE"))

    def _function(self, name: str):
        if name not in self._functions:
            try:
                function = getattr(self._handle, name)
            except AttributeError:
                raise KernelError(f"{self.path} has no {name}") from None
            function.argtypes = _SIGNATURES[name]
            function.restype = _integer
            self._functions[name] = function
        return self._functions[name]

    def call(self, name: str, *arguments) -> None:
        if self._function(name)(*arguments) != SUCCESS:
            raise KernelError(self._handle.regrainKernelsError().decode())

    def workspace_bytes(self, m: int, n: int, k: int) -> int:
        function = self._handle.regrainMatmulFp8Workspace
        function.argtypes, function.restype = [_size] * 3, ctypes.c_size_t
        return function(m, n, k)

    def runtime(self, name: str, *arguments) -> None:
        """Calls an entry of Regrain's runtime, by CUDA's name."""
        status = getattr(self._handle, "regrain_" + name)(*arguments)
        if status:
            text = self._handle.regrain_cudaGetErrorString
            text.restype = ctypes.c_char_p
            raise KernelError(f"{name}: {text(status).decode()}")

    def device_is_cpu(self) -> bool:
        function = self._handle.regrain_device_is_cpu
        function.restype = ctypes.c_bool
        return function()

    def declare(self, views) -> None:
        """Tells the tuner what the calling thread's launches reach (docs/tuning.md)."""
        for view in views:
            self._handle.regrain_declare_memory(_pointer(view.pointer), ctypes.c_size_t(view.bytes))

    def withdraw(self, views) -> None:
        for view in views:
            self._handle.regrain_withdraw_memory(_pointer(view.pointer), ctypes.c_size_t(view.bytes))


def _open() -> Library:
    beside = Path(__file__).resolve().parent / "libregrain-kernels.so"
    return Library(Path(os.environ.get("REGRAIN_KERNELS_LIBRARY") or beside))


library = _open()
