//===- launch_invariants.h - What sampled launches have in common *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next build may have grains for such launches (--launches), in which the length of a row is
// known, although the source has it in a variable. Each launch is compared before such a grain
// runs, so what is noted here decides what is built, never what runs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/image/container.h"

#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// Returns the integers among the kernel's parameters that are a whole parameter, which `for.argN`
/// can name; members of structures are not.
[[nodiscard]] std::vector<image::IntegerArgument> wholeIntegers(const image::Kernel &kernel);

/// The block and the integer arguments that launches of one class have in common.
class LaunchInvariants {
public:
  explicit LaunchInvariants(std::vector<image::IntegerArgument> integers)
      : integers(std::move(integers)) {}

  void add(const LaunchShape &program, void *const *arguments);

  /// Returns "for.block=1024x1x1,for.arg6=16384"; empty if no launch was added.
  [[nodiscard]] std::string text() const;

private:
  std::vector<image::IntegerArgument> integers; ///< of which all launches had the same value
  std::optional<KnownLaunch> known;
};

} // namespace regrain
