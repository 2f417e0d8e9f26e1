# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for the inference of language models, built by Regrain.

Each function takes tensors of PyTorch, or of any framework that has DLPack. Where PyTorch is installed, the operators
torch.ops.regrain_kernels are registered.
"""
import importlib.util

from ._dlpack import Array
from ._functions import (activation, activation_and_mul, activation_and_mul_fp8, matmul_fp8, quantize_fp8,
                         rms_norm_fp8)
from ._library import KernelError

__all__ = ["Array", "KernelError", "activation", "activation_and_mul", "activation_and_mul_fp8", "matmul_fp8",
           "quantize_fp8", "rms_norm_fp8"]
__version__ = "0.1"

if importlib.util.find_spec("torch"):
    from . import _functions, _torch

    _functions.operators = _torch
