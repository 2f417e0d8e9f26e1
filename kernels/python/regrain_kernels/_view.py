# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels know of a tensor, whichever framework it is from."""
import math
from dataclasses import dataclass
from typing import Optional, Tuple

ITEM_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float8_e4m3fn": 1, "uint8": 1}
FP8 = ("float8_e4m3fn", "uint8")


@dataclass
class View:
    """A tensor without gaps."""
    pointer: Optional[int]
    shape: Tuple[int, ...]
    dtype: str
    device: Tuple[str, int]  # "cpu" or "cuda", and the ordinal
    is_readonly: bool = False
    owner: object = None  # keeps the memory

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.count * ITEM_BYTES[self.dtype]

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)} on {self.device[0]}:{self.device[1]}"


def require(condition: bool, function: str, what: str, **views: View) -> None:
    """Raises a ValueError that names the shapes and types of the tensors."""
    if not condition:
        shown = ", ".join(f"{name} is {view}" for name, view in views.items())
        raise ValueError(f"{function}: {what}; {shown}" if shown else f"{function}: {what}")


def require_dtype(function: str, name: str, view: View, allowed) -> None:
    if view.dtype not in allowed:
        raise TypeError(f"{function}: {name} must be {' or '.join(allowed)}, and is {view}")


def require_written(function: str, name: str, view: View) -> None:
    if view.is_readonly:
        raise ValueError(f"{function}: {name} is written, but is read-only; it is {view}")
