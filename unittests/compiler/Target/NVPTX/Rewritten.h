//===- Rewritten.h - LLVM IR before and after a rewrite ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "unittests/compiler/DeviceIR/Parse.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

namespace regrain::nvptx {

/// Returns the module after the rewrite of its function @f; nothing if that stays as it is.
inline std::string rewritten(const std::string &ir, bool (*rewrite)(llvm::Function &)) {
  test::Parsed parsed(ir.c_str());
  if (!parsed.module || !rewrite(parsed.function("f")))
    return {};
  EXPECT_FALSE(verifyModule(*parsed.module, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream(text) << *parsed.module;
  return text;
}

/// Returns the module after the pass over its function @f.
template <class Pass> std::string afterPass(Pass pass, const std::string &ir) {
  test::Parsed parsed(ir.c_str());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  pass.run(parsed.function("f"), functions);
  EXPECT_FALSE(verifyModule(*parsed.module, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream(text) << *parsed.module;
  return text;
}

inline bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace regrain::nvptx
