//===- MeaningCases.h - Instructions and their meanings ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Listing/Listing.h"

#include "gtest/gtest.h"

namespace regrain::listing {

/// An instruction, and what it does: "global load 128 CONSTANT", "branch", or nothing.
struct MeaningCase {
  const char *text;
  const char *meaning;
};

inline void PrintTo(const MeaningCase &each, std::ostream *out) { *out << each.text; }

inline std::string describe(const Meaning &meaning) {
  std::string text = meaning.role == Role::Barrier  ? "barrier"
                     : meaning.role == Role::Branch ? "branch"
                     : meaning.role == Role::Fma    ? "fma"
                                                    : "";
  if (!meaning.access)
    return text;
  const MemoryAccess &access = *meaning.access;
  text += (text.empty() ? "" : " ") + std::string(nameOf(access.space)) + " " +
          nameOf(access.kind) + " " + std::to_string(access.bits);
  return text + (access.hint.empty() ? "" : " " + access.hint);
}

} // namespace regrain::listing
