//===- Occupancy.h - Resident threads of a multiprocessor -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Multiprocessor.h"
#include "runtime/image/resources.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace regrain::nvptx {

/// A thread's registers are allocated in units of this many.
constexpr unsigned registersOfThreadUnit = 8;

/// The most registers of a thread with which a block of 1024 threads can be launched.
constexpr unsigned registersOfLargestBlock = 64;

/// Returns the number in the name of a chip: 90 for "sm_90a"; 0 if there is none.
[[nodiscard]] unsigned capabilityOf(llvm::StringRef arch);

/// Returns the multiprocessor of compute capability `arch` (90 for 9.0); nothing if it is not
/// known.
[[nodiscard]] std::optional<Multiprocessor> multiprocessorOf(unsigned arch);

/// Returns the share, in percent, of a multiprocessor's thread slots that are filled when blocks of
/// `threads` threads with these registers and static shared memory run on compute capability `arch`
/// (90 for 9.0). Dynamic shared memory is not counted. Returns -1 if the chip or the registers are
/// not known.
int32_t occupancyPercent(unsigned arch, const Resources &resources, unsigned threads);

} // namespace regrain::nvptx
