//===- PtxNames.h - Names that PTX accepts ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Returns whether PTX accepts a name: [a-zA-Z][a-zA-Z0-9_$]* or [_$%][a-zA-Z0-9_$]+.
bool isPtxName(llvm::StringRef name);

/// Makes the names of globals legal. The code generator would do so for local ones in the same way,
/// but not in debug information. Kernels keep their names, which the caller has verified.
void makeNamesLegal(llvm::Module &module);

} // namespace regrain::nvptx
