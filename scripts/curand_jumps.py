#!/usr/bin/env python3
"""Writes include/cuda/regrain_curand_jumps.h: how cuRAND's generators XORWOW and MRG32k3a jump ahead.

usage: curand_jumps.py ROOT [--check]

A generator's step is a linear map of its state. Its n-th power is a polynomial in the step: x^n modulo the map's
characteristic polynomial. The header has these polynomials for powers of two, of which every distance is a sum. With
--check, it writes nothing, and exits 1 if the header differs.
"""
import sys
from pathlib import Path

XORWOW_DEGREE, XORWOW_ROWS = 160, 67 + 64
MRG_ROWS = 127 + 64
# L'Ecuyer's moduli, and the coefficients of s[n], s[n+1], s[n+2] in s[n+3].
MRG = ((2**32 - 209, (-810728, 1403580, 0)), (2**32 - 22853, (-1370589, 0, 527612)))

HEADER = """\
//===- regrain_curand_jumps.h - Jumps of the random generators --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scripts/curand_jumps.py generates this header; do not edit it. Row k of a table is x to the power
// 2^k, modulo the characteristic polynomial of the generator's step. This polynomial in the step
// advances a state by 2^k steps. Its coefficients begin with that of x^0.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_CURAND_JUMPS_H
#define REGRAIN_CURAND_JUMPS_H
#pragma GCC system_header

"""


def xorwow_bits(count):
    """Returns `count` successive lowest bits of the newest word of Marsaglia's xorshift of 160 bits."""
    words, bits, mask = [1, 2, 3, 4, 5], [], 2**32 - 1
    for _ in range(count):
        t = words[0] ^ words[0] >> 2
        last = words[4]
        words = words[1:] + [(last ^ last << 4 ^ t ^ t << 1) & mask]
        bits.append(words[4] & 1)
    return bits


def recurrence_over_bits(bits):
    """Returns the shortest recurrence of a sequence (Berlekamp and Massey), as a polynomial: bit i belongs to x^i."""
    current, previous, length, since = 1, 1, 0, 1
    for n in range(len(bits)):
        difference = sum(bits[n - i] for i in range(length + 1) if current >> i & 1) & 1
        if not difference:
            since += 1
            continue
        changed = current ^ previous << since
        if 2 * length <= n:
            previous, length, since = current, n + 1 - length, 1
        else:
            since += 1
        current = changed
    return sum((current >> i & 1) << (length - i) for i in range(length + 1))


def square_over_bits(value, modulus):
    product = sum((value >> i & 1) << 2 * i for i in range(XORWOW_DEGREE))
    for i in range(2 * XORWOW_DEGREE, XORWOW_DEGREE - 1, -1):
        if product >> i & 1:
            product ^= modulus << (i - XORWOW_DEGREE)
    return product


def xorwow_rows():
    modulus = recurrence_over_bits(xorwow_bits(3 * XORWOW_DEGREE))
    assert modulus.bit_length() == XORWOW_DEGREE + 1
    value = 2
    for _ in range(XORWOW_ROWS):
        yield [value >> 32 * i & 2**32 - 1 for i in range(XORWOW_DEGREE // 32)]
        value = square_over_bits(value, modulus)


def square_over_integers(value, modulus, recurrence):
    product = [0] * 5
    for i, a in enumerate(value):
        for j, b in enumerate(value):
            product[i + j] += a * b
    for top in (4, 3):
        for i, coefficient in enumerate(recurrence):
            product[top - 3 + i] += product[top] * coefficient
    return [coefficient % modulus for coefficient in product[:3]]


def mrg_rows():
    values = [[0, 1, 0] for _ in MRG]
    for _ in range(MRG_ROWS):
        yield values[0] + values[1]
        values = [square_over_integers(value, *component) for value, component in zip(values, MRG)]


def table(name, comment, rows):
    rows = list(rows)
    lines = [f"/* {comment} */", f"static constexpr unsigned int {name}[{len(rows)}][{len(rows[0])}] = {{"]
    lines += ["    {" + ", ".join(f"0x{word:x}" for word in row) + "}," for row in rows]
    return "\n".join(lines + ["};", ""])


def header():
    return "\n".join([
        HEADER + table("regrainXorwowJumps", "160 coefficients that are bits, 32 to a word.", xorwow_rows()),
        table("regrainMrgJumps", "Three coefficients for each of the two components.", mrg_rows()),
        "#endif\n",
    ])


def main():
    path = Path(sys.argv[1]) / "include/cuda/regrain_curand_jumps.h"
    if sys.argv[2:] == ["--check"]:
        sys.exit(0 if path.read_text() == header() else f"{path} differs: run scripts/curand_jumps.py")
    path.write_text(header())


main()
