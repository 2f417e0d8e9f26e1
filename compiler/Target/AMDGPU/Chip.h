//===- Chip.h - The AMD GPUs that code is made for --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace regrain::amdgpu {

/// One chip, and what its SIMD units hold. Figures from LLVM's "User Guide for
/// AMDGPU Backend" and AMD's instruction set documents.
struct Chip {
  llvm::StringLiteral name;
  unsigned major, minor, stepping;
  unsigned waveSize;        ///< lanes of a wave, as code is made for it
  unsigned mostWaves;       ///< of a SIMD unit
  unsigned vectorRegisters; ///< of a lane of a SIMD unit, for all of its waves
  unsigned vectorUnit;      ///< registers are given out in these units
  unsigned scalarRegisters; ///< of a SIMD unit, for all of its waves; 0: they limit nothing
  unsigned scalarUnit;
  unsigned localBytes; ///< local memory that simdsPerUnit SIMD units share

  /// As the device libraries count: 9010 for gfx90a, 11000 for gfx1100.
  unsigned isaVersion() const { return major * 1000 + minor * 100 + stepping; }

  /// Accumulation registers share a file with the other vector registers.
  bool hasAccumulation() const { return major == 9; }
};

/// SIMD units of a compute unit; from gfx10 on, of the two that run as one.
inline constexpr unsigned simdsPerUnit = 4;
/// Local memory is given out in these units, in bytes.
inline constexpr unsigned localUnit = 512;
/// The most local memory that a block can have, in bytes.
inline constexpr unsigned mostLocal = 64 << 10;

llvm::ArrayRef<Chip> knownChips();

/// Null where no chip has this name ("gfx90a").
const Chip *findChip(llvm::StringRef name);

/// "gfx90a, gfx942, ...": for messages.
std::string chipNames();

} // namespace regrain::amdgpu
