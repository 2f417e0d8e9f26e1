//===- Chip.h - The supported AMD GPUs --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace regrain::amdgpu {

/// What the matrix cores of a chip do with numbers of 16 bits.
enum class MatrixCores {
  None,
  FlushSubnormals, ///< subnormal factors and results count as zeros
  KeepSubnormals,  ///< as PTX requires
};

/// One chip, and the resources of its SIMD units. The figures come from LLVM's "User Guide for
/// AMDGPU Backend" and AMD's instruction set documents.
struct Chip {
  llvm::StringLiteral name;
  unsigned major, minor, stepping;
  unsigned waveSize;        ///< lanes of a wave in generated code
  unsigned mostWaves;       ///< max per SIMD unit
  unsigned vectorRegisters; ///< per lane of a SIMD unit, for all of its waves
  unsigned vectorUnit;      ///< the unit of allocation of registers
  unsigned scalarRegisters; ///< per SIMD unit, for all of its waves; 0: they limit nothing
  unsigned scalarUnit;
  unsigned localBytes; ///< local memory that simdsPerUnit SIMD units share
  MatrixCores matrixCores;

  /// Returns the version as the device libraries count it: 9010 for gfx90a, 11000 for gfx1100.
  unsigned isaVersion() const { return major * 1000 + minor * 100 + stepping; }

  /// Returns whether accumulation registers share a register file with the other vector registers.
  bool hasAccumulation() const { return major == 9; }
};

/// The number of SIMD units of a compute unit; from gfx10 on, of the two that form a work-group
/// processor.
inline constexpr unsigned simdsPerUnit = 4;
/// The unit of allocation of local memory, in bytes.
inline constexpr unsigned localUnit = 512;
/// The maximum local memory of a block, in bytes.
inline constexpr unsigned mostLocal = 64 << 10;

/// Returns the chip with this name ("gfx90a"), or null.
const Chip *findChip(llvm::StringRef name);

/// Returns "gfx90a, gfx942, ..." for messages.
std::string chipNames();

/// Fails with a message that lists the known chips if `name` is none.
llvm::Error checkChip(llvm::StringRef name);

} // namespace regrain::amdgpu
