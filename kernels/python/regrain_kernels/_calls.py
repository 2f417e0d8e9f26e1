# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's functions on views: sizes, types and devices are checked, then the work is queued in a stream."""
import contextlib
import ctypes
from typing import Optional

from ._library import library
from ._view import FP8, View, require, require_dtype, require_written

TYPES = {"float16": 0, "bfloat16": 1}
SCALINGS = {"tensor": 0, "token": 1, "block": 2}
ACTIVATIONS = {"silu": 0, "gelu": 1, "gelu_tanh": 2, "relu": 3, "squared_relu": 4}
BLOCK = 128


def number_of(function: str, what: str, name: str, table) -> int:
    if name not in table:
        raise ValueError(f"{function}: {what} is one of {', '.join(table)}, and not '{name}'")
    return table[name]


def scales_shape(scaling: str, rows: int, columns: int):
    return {"tensor": (1,), "token": (rows,), "block": (rows, (columns + BLOCK - 1) // BLOCK)}[scaling]


def rows_of(view: View) -> int:
    return view.count // view.shape[-1] if view.shape and view.shape[-1] else 0


@contextlib.contextmanager
def _device_of(views):
    """The device of the tensors is current meanwhile."""
    ordinal, before = views[0].device[1], ctypes.c_int()
    library.runtime("cudaGetDevice", ctypes.byref(before))
    if before.value == ordinal:
        yield
        return
    library.runtime("cudaSetDevice", ctypes.c_int(ordinal))
    try:
        yield
    finally:
        library.runtime("cudaSetDevice", before)


def _call(function: str, stream: int, views, *arguments) -> None:
    """Queues the work. On the CPU it is complete when this returns, as the work of other libraries is."""
    views = [view for view in views if view is not None]
    devices = {view.device for view in views}
    require(len(devices) == 1, function, "all tensors must be on one device",
            **{f"tensor {i}": view for i, view in enumerate(views)})
    on_cpu = views[0].device[0] == "cpu"
    if on_cpu != library.device_is_cpu():
        raise ValueError(f"{function}: the tensors are on the {'CPU' if on_cpu else 'GPU'}, and kernels of this process "
                         "run on the other; REGRAIN_DEVICE=cpu or cuda selects")
    if library.is_tuning:
        library.declare(views)
    try:
        if on_cpu:
            library.call(function, *arguments, None)
            library.runtime("cudaStreamSynchronize", ctypes.c_void_p(None))
        else:
            with _device_of(views):
                library.call(function, *arguments, stream or None)
    finally:
        if library.is_tuning:
            library.withdraw(views)


def _check_fp8_result(function: str, out: View, scales: View, rows: int, columns: int, scaling: str) -> None:
    number_of(function, "scaling", scaling, SCALINGS)
    require_dtype(function, "out", out, FP8)
    require_dtype(function, "scales", scales, ("float32",))
    require_written(function, "out", out)
    if scaling != "tensor":
        require_written(function, "scales", scales)
    require(out.count == rows * columns and (not out.shape or out.shape[-1] == columns), function,
            f"out must have {rows} x {columns} elements", out=out)
    shape = scales_shape(scaling, rows, columns)
    count = 1
    for size in shape:
        count *= size
    require(scales.count == count, function, f"scales must have the shape {list(shape)} for the scaling '{scaling}'",
            scales=scales)


def rms_norm_fp8(out: View, scales: View, input: View, residual: Optional[View], weight: View, epsilon: float,
                 scaling: str, stream: int) -> None:
    name = "rms_norm_fp8"
    require_dtype(name, "input", input, TYPES)
    require(bool(input.shape), name, "input must have a dimension", input=input)
    columns, rows = input.shape[-1], rows_of(input)
    _check_fp8_result(name, out, scales, rows, columns, scaling)
    require(weight.count == columns and weight.dtype == input.dtype, name,
            "weight must have the type and the columns of input", weight=weight, input=input)
    if residual is not None:
        require(residual.shape == input.shape and residual.dtype == input.dtype, name,
                "residual must have the type and the shape of input", residual=residual, input=input)
        require_written(name, "residual", residual)
    _call("regrainRmsNormFp8", stream, (out, scales, input, residual, weight), out.pointer, scales.pointer,
          input.pointer, residual.pointer if residual else None, weight.pointer, rows, columns, epsilon,
          TYPES[input.dtype], SCALINGS[scaling])


def _check_halves(name: str, input: View) -> int:
    require_dtype(name, "input", input, TYPES)
    require(bool(input.shape) and input.shape[-1] % 2 == 0, name, "input must have an even number of columns",
            input=input)
    return input.shape[-1] // 2


def activation_and_mul_fp8(out: View, scales: View, input: View, activation: str, scaling: str, stream: int) -> None:
    name = "activation_and_mul_fp8"
    columns, rows = _check_halves(name, input), rows_of(input)
    _check_fp8_result(name, out, scales, rows, columns, scaling)
    _call("regrainActivationAndMulFp8", stream, (out, scales, input), out.pointer, scales.pointer, input.pointer, rows,
          columns, number_of(name, "activation", activation, ACTIVATIONS), TYPES[input.dtype], SCALINGS[scaling])


def quantize_fp8(out: View, scales: View, input: View, scaling: str, stream: int) -> None:
    name = "quantize_fp8"
    require_dtype(name, "input", input, TYPES)
    require(bool(input.shape), name, "input must have a dimension", input=input)
    columns, rows = input.shape[-1], rows_of(input)
    _check_fp8_result(name, out, scales, rows, columns, scaling)
    _call("regrainQuantizeFp8", stream, (out, scales, input), out.pointer, scales.pointer, input.pointer, rows, columns,
          TYPES[input.dtype], SCALINGS[scaling])


def activation(out: View, input: View, activation: str, stream: int) -> None:
    name = "activation"
    require_dtype(name, "input", input, TYPES)
    require_written(name, "out", out)
    require(out.shape == input.shape and out.dtype == input.dtype, name,
            "out must have the type and the shape of input", out=out, input=input)
    _call("regrainActivation", stream, (out, input), out.pointer, input.pointer, input.count,
          number_of(name, "activation", activation, ACTIVATIONS), TYPES[input.dtype])


def activation_and_mul(out: View, input: View, activation: str, stream: int) -> None:
    name = "activation_and_mul"
    columns, rows = _check_halves(name, input), rows_of(input)
    require_written(name, "out", out)
    require(out.count == rows * columns and out.dtype == input.dtype, name,
            "out must have the type of input and half of its columns", out=out, input=input)
    _call("regrainActivationAndMul", stream, (out, input), out.pointer, input.pointer, rows, columns,
          number_of(name, "activation", activation, ACTIVATIONS), TYPES[input.dtype])


def matmul_workspace(m: int, n: int, k: int) -> int:
    return library.workspace_bytes(m, n, k)


def matmul_fp8(out: View, a: View, b: View, scale_a: View, scale_b: View, workspace: Optional[View],
               stream: int) -> None:
    name = "matmul_fp8"
    for what, matrix in (("a", a), ("b", b)):
        require_dtype(name, what, matrix, FP8)
        require(len(matrix.shape) == 2, name, f"{what} must have two dimensions", a=a, b=b)
    require(a.shape[1] == b.shape[1], name, "a and b must have as many columns", a=a, b=b)
    (m, k), n = a.shape, b.shape[0]
    require_dtype(name, "out", out, TYPES)
    require_written(name, "out", out)
    require(out.shape == (m, n), name, f"out must have the shape {[m, n]}", out=out, a=a, b=b)
    for what, scale, count in (("scale_a", scale_a, m), ("scale_b", scale_b, n)):
        require_dtype(name, what, scale, ("float32",))
        require(scale.count in (1, count), name, f"{what} must have 1 or {count} elements", **{what: scale})
    rows, channels = scale_a.count == m != 1, scale_b.count == n != 1
    _call("regrainMatmulFp8", stream, (out, a, b, scale_a, scale_b, workspace), out.pointer, a.pointer, b.pointer,
          scale_a.pointer, int(rows), scale_b.pointer, int(channels), m, n, k, TYPES[out.dtype],
          workspace.pointer if workspace else None, workspace.bytes if workspace else 0)
