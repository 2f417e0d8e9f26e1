//===- Diagnostics.h - LLVM's diagnostics of a module -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace regrain {

/// Collects what LLVM reports on a context during its lifetime.
class DiagnosticScope {
public:
  /// `remark` is called for each remark of the pass `remarkPass`, which may be empty.
  using Remark = std::function<void(const llvm::DiagnosticInfoOptimizationBase &)>;
  explicit DiagnosticScope(llvm::LLVMContext &context, std::string remarkPass = {},
                           Remark remark = {});
  ~DiagnosticScope();
  DiagnosticScope(const DiagnosticScope &) = delete;

  /// Returns the first error since construction.
  llvm::Error takeError() const;
  std::vector<std::string> warnings;

private:
  struct Collector;
  void add(const llvm::DiagnosticInfo &info);

  llvm::LLVMContext &context;
  std::unique_ptr<llvm::DiagnosticHandler> previous;
  std::string remarkPass;
  Remark remark;
  std::string error;
};

/// Fails if the module contains something for which a code generator would end the process or
/// generate wrong code: a kernel that does not exist, code to run before main, or invalid IR.
llvm::Error checkDeviceModule(const llvm::Module &module, llvm::ArrayRef<std::string> kernels);

} // namespace regrain
