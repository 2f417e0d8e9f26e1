//===- Occupancy.h - Resident threads of a multiprocessor -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Multiprocessor.h"
#include "runtime/image/resources.h"

#include <cstdint>
#include <optional>

namespace regrain::nvptx {

/// Of compute capability `arch` (90 for 9.0); nothing where it is not known.
[[nodiscard]] std::optional<Multiprocessor> multiprocessorOf(unsigned arch);

/// Share of a multiprocessor's thread slots, in percent, that are filled when
/// blocks of `threads` threads with these registers and static shared memory
/// run on compute capability `arch` (90 for 9.0). Nothing but static shared
/// memory is counted. -1 where the chip or the registers are not known.
int32_t occupancyPercent(unsigned arch, const Resources &resources, unsigned threads);

} // namespace regrain::nvptx
