//===- OwnSymbols.h - The runtime's symbols in host code --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
}

namespace regrain {

/// Gives the calls of the runtime that clang writes into host code by NVIDIA's names the runtime's
/// symbols. The calls in the source have them already: the headers declare them so.
void useOwnSymbols(llvm::Module &module);

} // namespace regrain
