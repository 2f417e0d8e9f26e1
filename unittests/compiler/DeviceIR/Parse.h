//===- Parse.h - Device IR for tests ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace regrain::test {

/// A module from its text.
struct Parsed {
  explicit Parsed(const char *text) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(text, diagnostic, context);
    if (!module)
      ADD_FAILURE() << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo();
  }

  llvm::Function &function(const char *name) { return *module->getFunction(name); }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

} // namespace regrain::test
