//===- Rewritten.h - LLVM IR before and after a rewrite ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "unittests/compiler/DeviceIR/Parse.h"
#include "llvm/IR/Verifier.h"
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

inline bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace regrain::nvptx
