//===- Linker.h - Objects to one shared object ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace regrain {

/// Links objects into one shared object with ld.lld and the further `flags`. `what` names the code
/// in messages ("CPU code"). If the linker is not found, the error says where it was looked for;
/// otherwise it contains the linker's message.
llvm::Expected<std::vector<char>> linkObjects(llvm::ArrayRef<std::vector<char>> objects,
                                              llvm::ArrayRef<llvm::StringRef> flags,
                                              llvm::StringRef what);

} // namespace regrain
