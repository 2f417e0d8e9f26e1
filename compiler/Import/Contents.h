//===- Contents.h - What an imported module remembers -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Import/Import.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Intrinsics.h"
#include <vector>

namespace regrain {

/// The function attribute of a parked instruction's stand-in: the body of the function is that
/// instruction, and export inlines it.
inline constexpr llvm::StringLiteral parkedAttribute = "regrain-parked";

/// The parked intrinsics, by the name of their stand-in.
using ParkedIntrinsics = llvm::StringMap<llvm::Intrinsic::ID>;

struct ImportedModule::Contents {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  RefusedKernels notRaised;
  std::vector<std::string> shownConstants;
  /// The prepared device module without kernel bodies, as bitcode: device
  /// functions, stand-ins, variables, attributes, metadata. Bytes, because each
  /// export reads it into a context of its own.
  llvm::SmallVector<char, 0> skeleton;
  llvm::SmallVector<char, 0> base; ///< see ImportedModule::base
};

} // namespace regrain
