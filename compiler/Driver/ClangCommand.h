//===- ClangCommand.h - A compile as clang would be called ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace regrain {

/// Returns whether `program` is this build's regrain-nvcc under any of its names.
bool isOwnCompiler(llvm::StringRef program);

/// Returns the command by which clang compiles the host side of the only source that the arguments
/// of `regrain cc` name, and nothing but it. Files that the arguments name are read.
llvm::Expected<std::vector<std::string>> clangCommand(llvm::ArrayRef<std::string> arguments);

} // namespace regrain
