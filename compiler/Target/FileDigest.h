//===- FileDigest.h - Digest of a file's contents ---------------*- C++ -*-===//
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

/// Returns 32 hexadecimal digits that do not depend on the path. They identify a tool or a library,
/// because different builds may report the same version.
llvm::Expected<std::string> digestOfFile(llvm::StringRef path);

} // namespace regrain
