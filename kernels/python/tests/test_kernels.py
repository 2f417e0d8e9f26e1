# Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the package on the CPU. A function that the library lacks is skipped.

usage: REGRAIN_KERNELS_LIBRARY=FILE PYTHONPATH=kernels/python python3 -m unittest discover -s kernels/python/tests
"""
import gc
import unittest

try:
    import numpy as np
except ImportError as error:
    raise unittest.SkipTest(f"numpy cannot be imported: {error}")

import regrain_kernels as rk
from regrain_kernels import _dlpack
from regrain_kernels._library import library

try:
    import torch
except ImportError:
    torch = None

FINITE = np.array([((8 + code % 8) * 2.0 ** (code // 8 - 10)) if code >= 8 else code * 2.0 ** -9
                   for code in range(0x7F)], dtype=np.float64)


def encode(values):
    """Returns the codes of e4m3, rounded to nearest even and saturated."""
    magnitudes = np.minimum(np.abs(values.astype(np.float64)), 448)
    above = np.clip(np.searchsorted(FINITE, magnitudes), 0, 0x7E)
    below = np.maximum(above - 1, 0)
    to_above, to_below = FINITE[above] - magnitudes, magnitudes - FINITE[below]
    codes = np.where((to_above < to_below) | ((to_above == to_below) & (above % 2 == 0)), above, below)
    return (codes | (np.signbit(values) << 7)).astype(np.uint8)


def has(function: str) -> bool:
    return hasattr(library._handle, function)


def halves(*shape):
    return (np.random.default_rng(1).standard_normal(shape) * 3).astype(np.float16)


class Lent:
    """A producer of DLPack with the newer protocol, and flags."""

    def __init__(self, array, flags=0):
        self.array, self.flags = array, flags

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, max_version, stream=None):
        assert max_version[0] == 1
        capsule = self.array.__dlpack__(max_version=(1, 0))
        address = _dlpack._python.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
        _dlpack._ManagedVersioned.from_address(address).flags = self.flags
        return capsule


class Quantize(unittest.TestCase):
    def test_each_row_has_a_scale(self):
        x = halves(5, 300)
        codes, scales = rk.quantize_fp8(x)
        scales = np.from_dlpack(scales)
        np.testing.assert_array_equal(scales, np.abs(x).max(axis=1).astype(np.float32) / np.float32(448))
        inverse = np.float32(1) / scales
        np.testing.assert_array_equal(np.from_dlpack(codes), encode(x.astype(np.float32) * inverse[:, None]))

    def test_one_scale_is_given(self):
        x = halves(3, 128)
        codes, _ = rk.quantize_fp8(x, scaling="tensor", scale=np.array([0.25], np.float32))
        np.testing.assert_array_equal(np.from_dlpack(codes), encode(x.astype(np.float32) * np.float32(4)))

    def test_blocks_have_scales(self):
        _, scales = rk.quantize_fp8(halves(3, 300), scaling="block")
        self.assertEqual(np.from_dlpack(scales).shape, (3, 3))

    def test_no_rows(self):
        codes, scales = rk.quantize_fp8(np.zeros((0, 64), np.float16))
        self.assertEqual((codes.shape, scales.shape), ((0, 64), (0,)))

    def test_given_results(self):
        x, out, scales = halves(4, 64), np.zeros((4, 64), np.uint8), np.zeros(4, np.float32)
        self.assertIs(rk.quantize_fp8(x, out=out, scales=scales)[0], out)
        np.testing.assert_array_equal(out, np.from_dlpack(rk.quantize_fp8(x)[0]))


class Protocol(unittest.TestCase):
    def setUp(self):
        self.out = _dlpack.Array((4, 64), "float8_e4m3fn", ("cpu", 0), 0)
        self.x = _dlpack.Array((4, 64), "float16", ("cpu", 0), 0)
        np.copyto(self.writable(self.x), halves(4, 64))

    @staticmethod
    def writable(array):
        import ctypes
        memory = (ctypes.c_byte * array.view().bytes).from_address(array.view().pointer)
        return np.frombuffer(memory, np.float16).reshape(array.shape)

    def test_capsules_with_a_version(self):
        first, _ = rk.quantize_fp8(Lent(self.x))
        np.testing.assert_array_equal(np.from_dlpack(first), np.from_dlpack(rk.quantize_fp8(self.x)[0]))

    def test_read_only_is_read_but_not_written(self):
        rk.quantize_fp8(Lent(self.x, flags=1))
        with self.assertRaisesRegex(ValueError, r"out is written, but is read-only; it is float8_e4m3fn?|uint8\[4, 64\]"):
            rk.quantize_fp8(self.x, out=Lent(self.out, flags=1))

    def test_lent_memory_is_given_back(self):
        capsule = self.x.__dlpack__()
        del capsule
        used = np.from_dlpack(self.x)
        rk.quantize_fp8(Lent(self.x))
        del used
        gc.collect()
        self.assertEqual(len(_dlpack._exported), 0)

    def test_a_capsule_is_used_once(self):
        capsule = self.x.__dlpack__()

        class Same(Lent):
            def __dlpack__(self, **_):
                return capsule
        rk.quantize_fp8(Same(self.x))
        with self.assertRaisesRegex(TypeError, "not used yet"):
            rk.quantize_fp8(Same(self.x))


class Errors(unittest.TestCase):
    def check(self, error, text, *arguments, **named):
        with self.assertRaisesRegex(error, text):
            rk.quantize_fp8(*arguments, **named)

    def test_gaps(self):
        self.check(ValueError, r"input must have .* is float16\[64, 4\] on cpu:0 with the strides \[1, 64\]", halves(4, 64).T)

    def test_types(self):
        self.check(TypeError, r"type 2 with 64 bits of DLPack and the shape \[4, 64\]", np.zeros((4, 64)))
        self.check(TypeError, r"input must be float16 or bfloat16, and is float32\[4, 64\]", np.zeros((4, 64), np.float32))
        self.check(TypeError, "must have __dlpack__", [1.0])

    def test_shapes(self):
        self.check(ValueError, r"scales must have the shape \[4\] for the scaling 'token'; scales is float32\[3\]",
                   halves(4, 64), scales=np.zeros(3, np.float32))
        self.check(ValueError, r"out must have 4 x 64 elements; out is uint8\[4, 32\]", halves(4, 64),
                   out=np.zeros((4, 32), np.uint8))

    def test_scalings(self):
        self.check(ValueError, "one of tensor, token, block, and not 'row'", halves(4, 64), scaling="row")
        self.check(ValueError, "needs a scale", halves(4, 64), scaling="tensor")
        self.check(ValueError, "takes none", halves(4, 64), scale=np.ones(1, np.float32))


@unittest.skipUnless(has("regrainRmsNormFp8"), "the library has no norm")
class Norm(unittest.TestCase):
    def test_the_residual_becomes_the_sum(self):
        x, residual, weight = halves(4, 256), halves(4, 256), np.ones(256, np.float16)
        total = x + residual
        first, _ = rk.rms_norm_fp8(x, weight, residual=residual)
        np.testing.assert_array_equal(residual, total)
        np.testing.assert_array_equal(np.from_dlpack(first), np.from_dlpack(rk.rms_norm_fp8(total, weight)[0]))

    def test_weight_of_another_length(self):
        with self.assertRaisesRegex(ValueError, r"weight is float16\[9\] on cpu:0, input is float16\[4, 256\]"):
            rk.rms_norm_fp8(halves(4, 256), halves(9))


@unittest.skipUnless(has("regrainActivation"), "the library has no activations")
class Activations(unittest.TestCase):
    def test_in_place(self):
        x = halves(4, 64)
        expected = np.maximum(x, np.float16(0))
        rk.activation(x, "relu", out=x)
        np.testing.assert_array_equal(x, expected)

    def test_halves_of_rows(self):
        x = halves(4, 64)
        product = np.from_dlpack(rk.activation_and_mul(x, "relu"))
        np.testing.assert_array_equal(product, np.maximum(x[:, :32], 0) * x[:, 32:])
        with self.assertRaisesRegex(ValueError, "even number of columns"):
            rk.activation_and_mul(halves(4, 63))


@unittest.skipUnless(has("regrainMatmulFp8"), "the library has no product")
class Product(unittest.TestCase):
    def test_small_numbers(self):
        values = np.random.default_rng(1).integers(-4, 5, (16, 64)).astype(np.float32)
        a, b, one = encode(values[:4]), encode(values), np.ones(1, np.float32)
        product = np.from_dlpack(rk.matmul_fp8(a, b, one, one, "float16"))
        np.testing.assert_array_equal(product, (values[:4] @ values.T).astype(np.float16))


@unittest.skipUnless(torch, "PyTorch is not installed")
class Torch(unittest.TestCase):
    def test_same_results_as_by_dlpack(self):
        x = halves(5, 300)
        codes, scales = rk.quantize_fp8(torch.from_numpy(x), scaling="block")
        expected = rk.quantize_fp8(x, scaling="block")
        np.testing.assert_array_equal(codes.view(torch.uint8).numpy(), np.from_dlpack(expected[0]))
        np.testing.assert_array_equal(scales.numpy(), np.from_dlpack(expected[1]))

    def test_bfloat16(self):
        x = torch.from_numpy(halves(5, 300)).bfloat16()
        _, scales = rk.quantize_fp8(x)
        torch.testing.assert_close(scales, x.float().abs().amax(1) / 448, rtol=0, atol=0)

    @unittest.skipUnless(hasattr(torch, "compile"), "this PyTorch has no derivatives of meta tensors")
    def test_operators_without_data(self):
        x = torch.empty((5, 300), dtype=torch.float16, device="meta")
        out, scales = rk.quantize_fp8(x)
        self.assertEqual((tuple(out.shape), tuple(scales.shape), out.device.type), ((5, 300), (5,), "meta"))

    def test_gaps(self):
        with self.assertRaisesRegex(ValueError, r"input must have .* strides \[1, 64\]"):
            rk.quantize_fp8(torch.from_numpy(halves(4, 64)).t())
        with self.assertRaisesRegex(TypeError, r"input has the type torch.float64 and the shape \[4, 64\]"):
            rk.quantize_fp8(torch.zeros(4, 64, dtype=torch.float64))

    @unittest.skipUnless(hasattr(torch, "compile"), "this PyTorch has no torch.compile")
    def test_compiled(self):
        x = torch.from_numpy(halves(5, 256))
        compiled = torch.compile(lambda x: rk.quantize_fp8(x * 2), fullgraph=True, backend="aot_eager")
        for one, other in zip(compiled(x), rk.quantize_fp8(x * 2)):
            torch.testing.assert_close(one.float(), other.float(), rtol=0, atol=0)


if __name__ == "__main__":
    unittest.main()
