//===- Folders.h - Where Regrain and its tools lie --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace regrain {

/// Returns the path of `name` in `folder`.
std::string inFolder(llvm::StringRef folder, llvm::StringRef name);

/// Returns the folder above that of the running executable.
std::string ownRoot();

/// Returns the folder of what the relocatable archive has of other projects: LLVM's tools and
/// libraries, bitcode, the libraries of the CPU device. It exists nowhere else; the system has all
/// of this there.
std::string thirdPartyFolder();

/// Returns the folder with the tools of the LLVM with which this build is linked.
llvm::StringRef llvmToolsFolder();

} // namespace regrain
