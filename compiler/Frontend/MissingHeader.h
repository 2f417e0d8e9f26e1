//===- MissingHeader.h - What to do about a missing header ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/Diagnostic.h"
#include <memory>

namespace regrain {

/// Returns what to do if the header, as it is named in the source, is not found: which package or
/// folder has it, and how it is named on the command line. One sentence.
std::string adviseOnHeader(llvm::StringRef header);

/// Passes diagnostics on, and adds the advice to each about a header that is not found.
std::unique_ptr<clang::DiagnosticConsumer>
withHeaderAdvice(std::unique_ptr<clang::DiagnosticConsumer> consumer);

} // namespace regrain
