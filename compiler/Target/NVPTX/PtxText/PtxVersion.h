//===- PtxVersion.h - The lowest PTX version that code needs ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// The newest version that LLVM 19 emits, as in its feature "ptx85".
inline constexpr unsigned newestPtxVersion = 85;

/// Returns the lowest PTX version, times ten, that has everything that `module` asks for by name:
/// NVVM intrinsics, inline assembly and large parameters. Returns 0 if any version will do, and
/// newestPtxVersion for names that are not known here.
unsigned requiredPtxVersion(const llvm::Module &module);

/// Replaces the version and the target in PTX that was made for an older chip by those of `arch`
/// ("sm_100a"). Later chips run all that the PTX of an older one has, except for what belongs to
/// that chip alone.
std::string retarget(llvm::StringRef ptx, llvm::StringRef arch);

} // namespace regrain::nvptx
