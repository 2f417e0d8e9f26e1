//===- resources.h - Resources of one kernel --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain {

/// Figures of a back end for one kernel; -1 where it reports none.
struct Resources {
  int32_t registers = -1;         ///< per thread; on AMD these are the vector registers
  int32_t spillStoreBytes = -1;   ///< per thread
  int32_t spillLoadBytes = -1;    ///< per thread
  int32_t stackBytes = -1;        ///< per thread; on AMD this is the scratch memory
  int32_t staticSharedBytes = -1; ///< per block
  int32_t codeBytes = -1;
  int32_t occupancyPercent = -1; ///< resident threads of a full multiprocessor
  int32_t occupancyThreads = -1; ///< the threads per block for which the figure holds

  // These are for AMD only.
  int32_t scalarRegisters = -1;       ///< per wave
  int32_t accumulationRegisters = -1; ///< per thread, among `registers`
  int32_t scalarSpills = -1;          ///< registers
  int32_t vectorSpills = -1;          ///< registers
  int32_t waves = -1;                 ///< resident per SIMD unit, for occupancyThreads
};

} // namespace regrain
