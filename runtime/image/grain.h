//===- grain.h - The grain of a kernel and its SPEC notation ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grain says how much of the program's launch one launched block and one
// launched thread run. SPEC is its text form, used on the command line, in the
// image and in REGRAIN_ALTERNATIVE; an alternative's id is its canonical SPEC.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace regrain {

/// Factors per dimension x, y, z; each is at least 1.
using Factors = std::array<uint32_t, 3>;

struct Grain {
  Factors block = {1, 1, 1};  ///< blocks of the program per launched block
  Factors thread = {1, 1, 1}; ///< threads of the program per launched thread

  bool isOriginal() const { return *this == Grain(); }
  friend bool operator==(const Grain &, const Grain &) = default;
};

/// A SPEC as written: totals ("block=8") are still to be balanced over the
/// dimensions that a kernel uses.
struct GrainSpec {
  Grain grain;                         ///< what is given per dimension
  std::optional<uint32_t> blockTotal;  ///< "block=8"
  std::optional<uint32_t> threadTotal; ///< "thread=4"
};

/// Parses "block.x=4,thread.y=2", "block=8", "original". On failure returns
/// nothing and sets `error` to one sentence that names the wrong piece.
[[nodiscard]] std::optional<GrainSpec> parseGrainSpec(std::string_view text, std::string &error);

/// The canonical form: block before thread, x before y before z, factors of 1
/// left out; "original" for the identity.
[[nodiscard]] std::string toString(const Grain &grain);

/// A form that may stand in a symbol: "block_x4_thread_y2".
[[nodiscard]] std::string toSymbolSuffix(const Grain &grain);

/// Spreads totals over the dimensions with `uses[d]`, prime factors largest
/// first to the dimension with the smallest factor so far, x before y before z.
[[nodiscard]] Grain balance(const GrainSpec &spec, std::array<bool, 3> blockUses,
                            std::array<bool, 3> threadUses);

/// "GLOB:SPEC", split at the last colon.
struct GrainRequest {
  std::string glob;
  std::string spec;
};
[[nodiscard]] std::optional<GrainRequest> parseGrainRequest(std::string_view text,
                                                            std::string &error);

/// Shell-style match (*, ?, [a-z]) of a whole demangled name. A glob without
/// '(' is matched against the name without its parameter list.
[[nodiscard]] bool matchesKernel(std::string_view glob, std::string_view demangledName);

} // namespace regrain
