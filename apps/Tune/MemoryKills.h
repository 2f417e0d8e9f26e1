//===- MemoryKills.h - Processes killed for lack of memory ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain::tune {

/// How many processes the system has killed for lack of memory since it started, here and,
/// where it counts them apart, in this control group. A process that gets SIGKILL while the
/// number grows was killed by the system, as far as anybody can tell.
[[nodiscard]] uint64_t countMemoryKills();

} // namespace regrain::tune
