//===- Listing.cpp - The instructions of a kernel -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Listing.h"

#include <algorithm>

namespace regrain::listing {

const char *nameOf(Space space) {
  switch (space) {
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Constant:
    return "constant";
  case Space::Parameter:
    return "parameter";
  case Space::Generic:
    return "generic";
  case Space::Texture:
    return "texture";
  }
  return "unknown";
}

const char *nameOf(Kind kind) {
  switch (kind) {
  case Kind::Load:
    return "load";
  case Kind::Store:
    return "store";
  case Kind::Atomic:
    return "atomic";
  case Kind::Copy:
    return "copy";
  case Kind::Prefetch:
    return "prefetch";
  }
  return "unknown";
}

bool Listing::hasLines() const {
  return std::any_of(instructions.begin(), instructions.end(),
                     [](const Instruction &each) { return each.where.isKnown(); });
}

AccessCounts countAccesses(const Listing &listing) {
  AccessCounts counts;
  for (const Instruction &instruction : listing.instructions) {
    if (!instruction.meaning.access)
      continue;
    AccessCount &count = counts[*instruction.meaning.access];
    count.opcodes.insert(instruction.meaning.opcode);
    ++count.count;
  }
  return counts;
}

Totals totalsOf(const Listing &listing) {
  Totals totals;
  for (const Instruction &instruction : listing.instructions) {
    ++totals.instructions;
    totals.barriers += instruction.meaning.role == Role::Barrier;
    totals.branches += instruction.meaning.role == Role::Branch;
    totals.fma += instruction.meaning.role == Role::Fma;
  }
  return totals;
}

} // namespace regrain::listing
