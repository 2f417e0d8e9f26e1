//===- Phases.h - Accesses to shared arrays between barriers ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers separate the phases of a block's memory. In one phase, an array is
// accessed in only one way: by owners, read by all, written by thread 0, or by
// atomics of one operation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>

namespace regrain::fuzz {

/// The kind of access to a shared array since the last barrier.
enum class Phase : uint8_t { Fresh, OwnRead, Own, All, Leader, Atomic, Mixed };
enum class Access : uint8_t { OwnRead, OwnWrite, AnyRead, LeaderWrite, Atomic };

/// Returns the phase after one more access; nothing if that would race.
std::optional<Phase> advance(Phase phase, Access access);
/// Returns the phase at a point where two paths join.
Phase join(Phase a, Phase b);

} // namespace regrain::fuzz
