//===- MemoryKills.h - Processes killed for lack of memory ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain::tune {

/// Returns the number of processes that the system has killed for lack of memory since it
/// started, and, if it counts them separately, in this control group. A process that gets
/// SIGKILL while the number grows was most probably killed by the system.
[[nodiscard]] uint64_t countMemoryKills();

} // namespace regrain::tune
