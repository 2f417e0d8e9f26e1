//===- CompileAll.h - All modules of one file -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Packing/PackImage.h"
#include "compiler/Selection/Build.h"
#include "compiler/Selection/CompileObserver.h"

namespace regrain {

/// Compiles the originals of each target and each grain of each kernel, one task per module, on all
/// cores. Grains of the space are tried in its order until the budget is filled with legal ones;
/// then those that are not worth keeping are dropped. The outcome does not depend on the order in
/// which tasks end. `observer` may be null.
llvm::Expected<std::unique_ptr<Build>> compileAll(llvm::ArrayRef<ArchedDevice> devices,
                                                  const ImageOptions &options,
                                                  CompileObserver *observer = nullptr);

/// Returns the modules of the image, the base of each target before its alternatives.
llvm::Expected<std::vector<PackedModule>> packModules(Build &build);

} // namespace regrain
