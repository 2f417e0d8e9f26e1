//===- Check.cpp - Invariants of a cooperating program --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Check.h"

namespace regrain::fuzz::cooperation {

namespace {

#include "fuzz/cooperation/CheckWords.inc"

struct Checker {
  const char *name;
  bool (*function)(const unsigned *, Range, unsigned, unsigned);
};

const Checker &checkerOf(Invariant invariant) {
  static const Checker checkers[] = {{"isLinear", isLinear},
                                     {"isPermutation", isPermutation},
                                     {"addsUp", addsUp},
                                     {"isAtMost", isAtMost}};
  return checkers[size_t(invariant)];
}

} // namespace

const char *functionOf(Invariant invariant) { return checkerOf(invariant).name; }

bool holds(const Check &check, const std::vector<uint32_t> &words) {
  return checkerOf(check.invariant)
      .function(words.data(), {check.first, check.count, check.stride}, check.a, check.b);
}

} // namespace regrain::fuzz::cooperation
