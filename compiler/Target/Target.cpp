//===- Target.cpp - The interface of every back end -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Target.h"

mlir::TimingScope regrain::CodegenOptions::time(llvm::StringRef phase) const {
  return timing ? timing->nest(phase) : mlir::TimingScope();
}
