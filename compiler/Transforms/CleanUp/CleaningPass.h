//===- CleaningPass.h - A pass that cleans up in between --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/CleanUp/CleanUp.h"

namespace regrain {

/// A pass whose transform takes the rewrites of cleanUp. It makes them once for all kernels. `Base`
/// is what TableGen makes of the pass's definition.
template <typename Base> class CleaningPass : public Base {
public:
  using Base::Base;

  llvm::LogicalResult initialize(mlir::MLIRContext *context) override {
    patterns = cleanUpPatterns(context);
    return llvm::success();
  }

protected:
  mlir::FrozenRewritePatternSet patterns;
};

} // namespace regrain
