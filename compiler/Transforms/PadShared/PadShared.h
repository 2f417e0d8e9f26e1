//===- PadShared.h - Rows of shared arrays in other banks -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile[offset]    =>    tile[offset + offset / row * pad]        (in bytes)
//
// Lanes that access a column of an array of rows access one bank, one after the other, if a row has
// a multiple of 128 bytes. With more bytes behind each row they access different banks. The
// analysis of bank conflicts (BankConflicts.h) chooses the row and its padding; which rows the
// source declares does not matter.
//
// Legality. Each byte of the array moves to another place, and no two to the same. So the array may
// be padded if all its accesses are known, and each accesses bytes of one row:
// - Its address is used only for GEPs, conversions to generic pointers, loads, stores and atomic
//   operations.
// - Each access has a power of two of bytes, up to 16, and is aligned to its size; the array is
//   aligned as much, and a row is a multiple of that.
// The row of an access is computed from its offset, so an index may run over the end of a row, as
// long as it stays in the array. LLVM simplifies that where it knows the column.
//
// Accesses keep the alignment that they need; a greater one is reduced to that of the padding. The
// static shared arrays of a block have at most 48 KiB, with their padding. Dynamic shared memory is
// not padded, because the launch decides its size.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include <optional>

namespace regrain {

/// Pads the static shared arrays of `kernel` for which lanes then wait less. If none can be padded,
/// this is refused, and nothing has changed.
[[nodiscard]] std::optional<Refusal> padShared(grain::KernelOp kernel);

/// Returns whether padShared would change the kernel.
[[nodiscard]] bool canPadShared(grain::KernelOp kernel);

} // namespace regrain
