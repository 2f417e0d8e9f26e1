//===- Phases.cpp - Accesses to shared arrays between barriers ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Phases.h"

namespace regrain::fuzz {

std::optional<Phase> advance(Phase phase, Access access) {
  switch (access) {
  case Access::OwnRead:
    if (phase == Phase::Fresh)
      return Phase::OwnRead;
    if (phase == Phase::OwnRead || phase == Phase::Own || phase == Phase::All)
      return phase;
    return std::nullopt;
  case Access::OwnWrite:
    if (phase == Phase::Fresh || phase == Phase::OwnRead || phase == Phase::Own)
      return Phase::Own;
    return std::nullopt;
  case Access::AnyRead:
    if (phase == Phase::Fresh || phase == Phase::OwnRead || phase == Phase::All)
      return Phase::All;
    return std::nullopt;
  case Access::LeaderWrite:
    if (phase == Phase::Fresh || phase == Phase::Leader)
      return Phase::Leader;
    return std::nullopt;
  case Access::Atomic:
    if (phase == Phase::Fresh || phase == Phase::Atomic)
      return Phase::Atomic;
    return std::nullopt;
  }
  return std::nullopt;
}

Phase join(Phase a, Phase b) {
  if (a == b || b == Phase::Fresh)
    return a;
  if (a == Phase::Fresh)
    return b;
  auto isWeak = [](Phase strong) { return strong == Phase::Own || strong == Phase::All; };
  if (a == Phase::OwnRead && isWeak(b))
    return b;
  if (b == Phase::OwnRead && isWeak(a))
    return a;
  return Phase::Mixed;
}

} // namespace regrain::fuzz
