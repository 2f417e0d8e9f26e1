//===- Refusal.h - Why something is not possible ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the one record of a refusal, from the code that finds it to the image, the remarks and
// the reports. A function that may refuse returns it: std::optional<Refusal> if success has no
// value, where nothing means success. The stage and the grain belong to the records that contain
// a refusal: RefusedStep (Transforms/RefusablePass.h), RefusedGrain (Selection/Plan.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/RefusalKind.h"
#include "compiler/Refusal/SourcePosition.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <string>

namespace regrain {

/// Why something is not possible. What would lift it follows from the kind: remedyFor().
struct Refusal {
  RefusalKind kind;
  std::string reason;        ///< one clause, without a full stop
  SourcePosition where = {}; ///< in the kernel's own source, if it is known

  friend bool operator==(const Refusal &, const Refusal &) = default;
};

/// The refused kernels of a module by their symbols, in the order in which they were found. They
/// are added by try_emplace, so that the first refusal of a kernel counts.
using RefusedKernels = llvm::MapVector<std::string, Refusal, std::map<std::string, unsigned>>;

} // namespace regrain
