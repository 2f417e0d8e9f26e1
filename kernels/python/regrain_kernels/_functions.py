# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the package, on any tensors that have __dlpack__. Tensors of PyTorch go to its operators."""
import ctypes

from . import _calls
from ._dlpack import Array, view
from ._library import library
from ._view import View, require


# The module _torch, once it has registered the operators. torch.compile reads this as a constant.
operators = None


def _is_torch(tensor) -> bool:
    return operators is not None and isinstance(tensor, operators.torch.Tensor)


def _stream_number(stream) -> int:
    """Takes a number, or the stream of a framework."""
    if stream is None:
        return 0
    for attribute in ("cuda_stream", "ptr"):
        stream = getattr(stream, attribute, stream)
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    return int(stream)


class _Result:
    """A tensor that is written: the caller's, or a new array."""

    def __init__(self, function, name, given, shape, dtype, like: View, stream: int):
        self.tensor = given if given is not None else Array(shape, dtype, like.device, stream)
        self.view = view(function, name, given, stream) if given is not None else self.tensor.view()


def _scales(function, scaling, scale, scales, rows, columns, like, stream):
    _calls.number_of(function, "scaling", scaling, _calls.SCALINGS)
    if scaling == "tensor":
        require(scale is not None, function, "the scaling 'tensor' needs a scale")
        return _Result(function, "scale", scale, None, None, like, stream)
    require(scale is None, function, f"the scaling '{scaling}' computes the scales, and takes none")
    shape = _calls.scales_shape(scaling, rows, columns)
    return _Result(function, "scales", scales, shape, "float32", like, stream)


def rms_norm_fp8(input, weight, epsilon=1e-6, *, residual=None, scaling="token", scale=None, out=None, scales=None,
                 stream=None):
    """Returns fp8 numbers and their scales: of input, or of input + residual, which becomes the residual; normalised
    by the root of the mean square of each row, times weight."""
    if _is_torch(input):
        return operators.rms_norm_fp8(input, weight, epsilon, residual, scaling, scale, out, scales)
    number = _stream_number(stream)
    x = view("rms_norm_fp8", "input", input, number)
    w = view("rms_norm_fp8", "weight", weight, number)
    r = None if residual is None else view("rms_norm_fp8", "residual", residual, number)
    columns, rows = x.shape[-1] if x.shape else 0, _calls.rows_of(x)
    to = _Result("rms_norm_fp8", "out", out, x.shape, "float8_e4m3fn", x, number)
    by = _scales("rms_norm_fp8", scaling, scale, scales, rows, columns, x, number)
    _calls.rms_norm_fp8(to.view, by.view, x, r, w, epsilon, scaling, number)
    return to.tensor, by.tensor


def activation_and_mul_fp8(input, activation="silu", *, scaling="token", scale=None, out=None, scales=None,
                           stream=None):
    """Returns fp8 numbers and their scales: of activation(left half) * right half of each row."""
    if _is_torch(input):
        return operators.activation_and_mul_fp8(input, activation, scaling, scale, out, scales)
    number = _stream_number(stream)
    x = view("activation_and_mul_fp8", "input", input, number)
    columns, rows = (x.shape[-1] if x.shape else 0) // 2, _calls.rows_of(x)
    to = _Result("activation_and_mul_fp8", "out", out, (*x.shape[:-1], columns), "float8_e4m3fn", x, number)
    by = _scales("activation_and_mul_fp8", scaling, scale, scales, rows, columns, x, number)
    _calls.activation_and_mul_fp8(to.view, by.view, x, activation, scaling, number)
    return to.tensor, by.tensor


def quantize_fp8(input, *, scaling="token", scale=None, out=None, scales=None, stream=None):
    """Returns fp8 numbers and their scales."""
    if _is_torch(input):
        return operators.quantize_fp8(input, scaling, scale, out, scales)
    number = _stream_number(stream)
    x = view("quantize_fp8", "input", input, number)
    columns, rows = x.shape[-1] if x.shape else 0, _calls.rows_of(x)
    to = _Result("quantize_fp8", "out", out, x.shape, "float8_e4m3fn", x, number)
    by = _scales("quantize_fp8", scaling, scale, scales, rows, columns, x, number)
    _calls.quantize_fp8(to.view, by.view, x, scaling, number)
    return to.tensor, by.tensor


def activation(input, activation="silu", *, out=None, stream=None):
    """Returns activation(input); out may be input."""
    if _is_torch(input):
        return operators.activation(input, activation, out)
    number = _stream_number(stream)
    x = view("activation", "input", input, number)
    to = _Result("activation", "out", out, x.shape, x.dtype, x, number)
    _calls.activation(to.view, x, activation, number)
    return to.tensor


def activation_and_mul(input, activation="silu", *, out=None, stream=None):
    """Returns activation(left half) * right half of each row."""
    if _is_torch(input):
        return operators.activation_and_mul(input, activation, out)
    number = _stream_number(stream)
    x = view("activation_and_mul", "input", input, number)
    shape = (*x.shape[:-1], (x.shape[-1] if x.shape else 0) // 2)
    to = _Result("activation_and_mul", "out", out, shape, x.dtype, x, number)
    _calls.activation_and_mul(to.view, x, activation, number)
    return to.tensor


def matmul_fp8(a, b, scale_a, scale_b, dtype="bfloat16", *, out=None, stream=None):
    """Returns a * transpose(b) for fp8 matrices, times the scales of a's rows and b's rows. a has at most 32 rows."""
    if _is_torch(a):
        return operators.matmul_fp8(a, b, scale_a, scale_b, dtype, out)
    number = _stream_number(stream)
    views = [view("matmul_fp8", name, tensor, number)
             for name, tensor in (("a", a), ("b", b), ("scale_a", scale_a), ("scale_b", scale_b))]
    for matrix in views[:2]:
        require(len(matrix.shape) == 2, "matmul_fp8", "a and b must have two dimensions", a=views[0], b=views[1])
    (m, k), n = views[0].shape, views[1].shape[0]
    _calls.number_of("matmul_fp8", "dtype", dtype, _calls.TYPES)
    to = _Result("matmul_fp8", "out", out, (m, n), dtype, views[0], number)
    workspace = _zeros(_calls.matmul_workspace(m, n, k), views[0].device, number)
    _calls.matmul_fp8(to.view, *views, workspace.view() if workspace else None, number)
    return to.tensor


def _zeros(count: int, device, stream: int):
    """Returns a workspace for one call; new memory of the CPU is zero."""
    if count == 0:
        return None
    array = Array((count,), "uint8", device, stream)
    if device[0] != "cpu":
        library.runtime("cudaMemsetAsync", ctypes.c_void_p(array.view().pointer), ctypes.c_int(0),
                        ctypes.c_size_t(count), ctypes.c_void_p(stream))
    return array
