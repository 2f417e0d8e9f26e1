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

llvm::Expected<regrain::CompiledModule>
regrain::Target::compileBaseWith(const CompanionCode &, std::unique_ptr<llvm::Module>,
                                 llvm::ArrayRef<std::string>, const CodegenOptions &) const {
  return llvm::createStringError("the target has no kernels of the vendor's compiler");
}
