//===- pointer_verdicts.h - Pointers into different allocations -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most launches of a kernel have pointers that it has had before, and the list of allocations has
// not changed since. Then the verdict of that launch holds, and neither a lock nor memory is
// needed. Every change of the list voids all verdicts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/allocations.h"
#include "runtime/core/alternative.h"
#include "runtime/core/recent_answers.h"

namespace regrain {

/// Whether the pointers of a kernel's launches point into different allocations. Any threads may
/// use it at once.
class PointerVerdicts {
public:
  /// For a kernel with more pointers, no verdict is true.
  static constexpr size_t mostPointers = 256;

  /// `count` is the number of pointers of a launch.
  explicit PointerVerdicts(size_t count) : verdicts(count + 1, 1) {}

  /// Returns Allocations::areApart of the pointers.
  [[nodiscard]] bool areApart(const LaunchArguments &arguments, Allocations &allocations);

private:
  RecentAnswers verdicts; ///< of the changes of the list, and the pointers
};

} // namespace regrain
