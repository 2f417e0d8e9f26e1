//===- CacheHints.h - Cache hints in PTX ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target selects ld.global.nc for loads that are invariant, and has no instruction
// with another hint. So the hints are written into its PTX (docs/decisions/0080):
//
//   ld.global.f32 %f1, [%rd1+4];   =>   ld.global.cs.L2::128B.f32 %f1, [%rd1+4];
//
// StreamMarks.h tells which instructions were nontemporal in LLVM IR. A hint has no effect on
// values. So every load from global memory may have one that is not volatile or atomic, and those
// have another name in PTX.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain::nvptx {

/// The hints that a grain asks for.
struct CacheHints {
  /// What the instruction of a nontemporal load has: "streaming", "evict-first", "no-allocate".
  /// Otherwise, such a load is a streaming one, as the program says. "readonly" concerns loads that
  /// are marked invariant, and needs nothing here.
  std::string loads;
  /// The bytes that a load brings into the second-level cache: "64", "128", "256"; empty: not said.
  std::string prefetch;
};

/// Returns the PTX version, times ten, that has the hints; 0 if any has them.
unsigned requiredPtxVersion(const CacheHints &hints);

/// Refuses hints that `arch` ("sm_90") does not have.
std::optional<Refusal> refuseHints(const CacheHints &hints, llvm::StringRef arch);

/// Writes the hints into PTX, in place of the marks of StreamMarks.h. Loads through generic
/// addresses, which may be of shared memory, have no other hint than the streaming one.
std::string writeHints(llvm::StringRef ptx, const CacheHints &hints);

/// Returns whether some instruction of the PTX has each of the hints.
bool hasHints(llvm::StringRef ptx, const CacheHints &hints);

} // namespace regrain::nvptx
