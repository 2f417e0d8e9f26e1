# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators of PyTorch, torch.ops.regrain_kernels.

Each operator writes to tensors that it is given, as an operator that is captured in a graph should. It has an
implementation for the CPU, for CUDA, and one that computes nothing, with which torch.compile traces it. None has a
derivative. The functions below allocate the results.
"""
import torch

from . import _calls
from ._view import View

_TYPES = {torch.float16: "float16", torch.bfloat16: "bfloat16", torch.float32: "float32", torch.uint8: "uint8"}
FP8 = getattr(torch, "float8_e4m3fn", torch.uint8)  # PyTorch has it since 2.1
if FP8 is not torch.uint8:
    _TYPES[FP8] = "float8_e4m3fn"
_DTYPES = {name: dtype for dtype, name in _TYPES.items()}

_SCHEMAS = {
    "rms_norm_fp8": "(Tensor(a!) out, Tensor(b!) scales, Tensor input, Tensor(c!)? residual, Tensor weight, "
                    "float epsilon, str scaling) -> ()",
    "activation_and_mul_fp8": "(Tensor(a!) out, Tensor(b!) scales, Tensor input, str activation, str scaling) -> ()",
    "quantize_fp8": "(Tensor(a!) out, Tensor(b!) scales, Tensor input, str scaling) -> ()",
    "activation": "(Tensor(a!) out, Tensor input, str activation) -> ()",
    "activation_and_mul": "(Tensor(a!) out, Tensor input, str activation) -> ()",
    "matmul_fp8": "(Tensor(a!) out, Tensor a, Tensor b, Tensor scale_a, Tensor scale_b) -> ()",
}


def _view(function: str, name: str, tensor) -> View:
    dtype = _TYPES.get(tensor.dtype)
    if dtype is None:
        raise TypeError(f"{function}: {name} has the type {tensor.dtype} and the shape {list(tensor.shape)}; known are "
                        f"{', '.join(_DTYPES)}")
    found = View(tensor.data_ptr(), tuple(tensor.shape), dtype, (tensor.device.type, tensor.device.index or 0))
    if not tensor.is_contiguous():
        raise ValueError(f"{function}: {name} must have its elements without gaps, row by row, and is {found} with the "
                         f"strides {list(tensor.stride())}; make it contiguous first")
    return found


def _stream_of(tensor) -> int:
    return torch.cuda.current_stream(tensor.device).cuda_stream if tensor.is_cuda else 0


_workspaces = {}  # of zeros, by device and stream


def _workspace(a, b, stream: int):
    """Returns a workspace for the stream, which each product leaves as it was. A graph gets one of its own, because it
    may run in any stream."""
    count = _calls.matmul_workspace(a.shape[0], b.shape[0], a.shape[1])
    if not count:
        return None
    if a.is_cuda and torch.cuda.is_current_stream_capturing():
        return torch.zeros(count, dtype=torch.uint8, device=a.device)
    key = (a.device, stream)
    if key not in _workspaces or _workspaces[key].numel() < count:
        _workspaces[key] = torch.zeros(count, dtype=torch.uint8, device=a.device)
    return _workspaces[key]


def _operator(name: str):
    names = [part.strip().split(" ")[-1] for part in _SCHEMAS[name].rsplit(") ->", 1)[0][1:].split(",")]
    function = getattr(_calls, name)

    def run(*arguments):
        parts = [_view(name, what, each) if isinstance(each, torch.Tensor) else each
                 for what, each in zip(names, arguments)]
        stream = _stream_of(arguments[0])
        if name == "matmul_fp8":
            workspace = _workspace(arguments[1], arguments[2], stream)
            parts.append(None if workspace is None else _view(name, "workspace", workspace))
        function(*parts, stream)
    return run


def _register() -> "torch.library.Library":
    library = torch.library.Library("regrain_kernels", "DEF")
    for name, schema in _SCHEMAS.items():
        library.define(name + schema)
        for key in ("CPU", "CUDA"):
            library.impl(name, _operator(name), key)
        library.impl(name, lambda *arguments: None, "Meta")
    return library


_library = _register()  # the operators go with this object
_ops = torch.ops.regrain_kernels


def _scales(function, input, scaling, scale, scales, columns):
    if scaling == "tensor":
        if scale is None:
            raise ValueError(f"{function}: the scaling 'tensor' needs a scale")
        return scale
    if scale is not None:
        raise ValueError(f"{function}: the scaling '{scaling}' computes the scales, and takes none")
    _calls.number_of(function, "scaling", scaling, _calls.SCALINGS)
    rows = 1
    for size in input.shape[:-1]:
        rows *= size
    shape = _calls.scales_shape(scaling, rows, columns)
    return torch.empty(shape, dtype=torch.float32, device=input.device) if scales is None else scales


def rms_norm_fp8(input, weight, epsilon, residual, scaling, scale, out, scales):
    scales = _scales("rms_norm_fp8", input, scaling, scale, scales, input.shape[-1])
    out = torch.empty(input.shape, dtype=FP8, device=input.device) if out is None else out
    _ops.rms_norm_fp8(out, scales, input, residual, weight, epsilon, scaling)
    return out, scales


def _half(input, dtype):
    return torch.empty((*input.shape[:-1], input.shape[-1] // 2), dtype=dtype, device=input.device)


def activation_and_mul_fp8(input, activation, scaling, scale, out, scales):
    scales = _scales("activation_and_mul_fp8", input, scaling, scale, scales, input.shape[-1] // 2)
    out = _half(input, FP8) if out is None else out
    _ops.activation_and_mul_fp8(out, scales, input, activation, scaling)
    return out, scales


def quantize_fp8(input, scaling, scale, out, scales):
    scales = _scales("quantize_fp8", input, scaling, scale, scales, input.shape[-1])
    out = torch.empty(input.shape, dtype=FP8, device=input.device) if out is None else out
    _ops.quantize_fp8(out, scales, input, scaling)
    return out, scales


def activation(input, activation, out):
    out = torch.empty_like(input) if out is None else out
    _ops.activation(out, input, activation)
    return out


def activation_and_mul(input, activation, out):
    out = _half(input, input.dtype) if out is None else out
    _ops.activation_and_mul(out, input, activation)
    return out


def matmul_fp8(a, b, scale_a, scale_b, dtype, out):
    dtype = _DTYPES.get(dtype, dtype)
    out = torch.empty((a.shape[0], b.shape[0]), dtype=dtype, device=a.device) if out is None else out
    _ops.matmul_fp8(out, a, b, scale_a, scale_b)
    return out
