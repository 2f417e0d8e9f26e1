//===- PtxVersion.h - The lowest PTX version that code needs ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// The newest version that LLVM 19 writes, as in its feature "ptx85".
inline constexpr unsigned newestPtxVersion = 85;

/// The lowest PTX version, times ten, in which everything that `module` asks
/// for by name exists: NVVM intrinsics and inline assembly. 0 where any
/// version will do; newestPtxVersion for what is not known here.
unsigned requiredPtxVersion(const llvm::Module &module);

} // namespace regrain::nvptx
