//===- grain_key_groups.h - The parts of the table of keys ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of grain_keys.h is the groups one after the other. Rules of several groups share
// what follows.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain_keys.h"

namespace regrain {

using KeyWords = std::span<const std::string_view>;
using KeyPieces = std::vector<std::string>;

/// What a launched block and thread execute.
[[nodiscard]] std::span<const GrainKey> nestKeys();
/// Where data lies and how it is accessed.
[[nodiscard]] std::span<const GrainKey> memoryKeys();
/// What code generators do.
[[nodiscard]] std::span<const GrainKey> codeKeys();
/// The launches for which the code is.
[[nodiscard]] std::span<const GrainKey> launchKeys();

[[nodiscard]] inline std::string sayIf(bool isBroken, const char *sentence) {
  return isBroken ? sentence : "";
}

[[nodiscard]] inline uint64_t product(const Factors &factors) {
  return uint64_t(factors[0]) * factors[1] * factors[2];
}

[[nodiscard]] bool exceeds(const Factors &size, const Factors &limits);

/// Returns whether no launch has a block of this size.
[[nodiscard]] bool holdsTooMany(const Factors &block);

/// Returns the launched block; nothing if the grain does not determine it. It is an
/// error if no such block is possible.
[[nodiscard]] OrError<std::optional<Factors>> launchedBlock(const Grain &grain);

} // namespace regrain
