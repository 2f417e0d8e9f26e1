//===- RefusalKind.h - What keeps a kernel at its original ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reason for which a kernel has no other grain is of one of these kinds.
// A kind has an id for tools and a remedy for people; the reason itself is
// worded where the obstacle is found.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace regrain {

enum class RefusalKind {
#define REFUSAL(kind, id, remedy) kind,
#include "compiler/Refusal/RefusalKind.def"
};

/// "divergent-barrier": part of the formats, never changed.
[[nodiscard]] llvm::StringRef idOf(RefusalKind kind);

/// What would lift such a refusal: one clause in the imperative, without a full
/// stop.
[[nodiscard]] llvm::StringRef remedyFor(RefusalKind kind);

/// Something in a kernel that stands in the way.
struct Obstacle {
  RefusalKind kind;
  std::string reason; ///< one clause, without a full stop
};

} // namespace regrain
