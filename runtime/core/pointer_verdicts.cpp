//===- pointer_verdicts.cpp - Pointers into different allocations ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/pointer_verdicts.h"

#include <cstring>

namespace regrain {

bool PointerVerdicts::areApart(const LaunchArguments &arguments, Allocations &allocations) {
  std::array<uint64_t, mostPointers + 1> words;
  size_t count = arguments.pointers.size();
  if (count > mostPointers)
    return false;
  // A change after this makes the question that is noted below one that nobody asks.
  words[0] = allocations.changes();
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&words[i + 1], arguments.values[arguments.pointers[i]], sizeof(uint64_t));
  std::span<const uint64_t> question(words.data(), count + 1);
  uint64_t areApart = 0;
  if (verdicts.find(question, {&areApart, 1}))
    return areApart != 0;
  areApart = allocations.areApart(question.subspan(1));
  verdicts.note(question, {&areApart, 1});
  return areApart != 0;
}

} // namespace regrain
