//===- RefusalKind.h - Why a kernel keeps its original ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reason for which a kernel does not get another grain belongs to one of these kinds. A kind
// has an id for tools and a remedy for people; the reason itself is worded where it is found
// (Refusal.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace regrain {

enum class RefusalKind {
#define REFUSAL(kind, id, remedy) kind,
#include "compiler/Refusal/RefusalKind.def"
};

/// Returns an id such as "divergent-barrier": it is part of the file formats and never changes.
[[nodiscard]] llvm::StringRef idOf(RefusalKind kind);

/// Returns what would lift such a refusal: one clause in the imperative, without a full stop.
[[nodiscard]] llvm::StringRef remedyFor(RefusalKind kind);

} // namespace regrain
