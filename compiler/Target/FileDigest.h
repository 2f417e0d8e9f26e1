//===- FileDigest.h - A file by its bytes -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace regrain {

/// 32 hexadecimal digits, the same wherever the file lies. A tool or a library is known by
/// them: versions that they say of themselves are the same for different builds.
llvm::Expected<std::string> digestOfFile(llvm::StringRef path);

} // namespace regrain
