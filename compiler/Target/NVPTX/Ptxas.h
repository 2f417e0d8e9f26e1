//===- Ptxas.h - PTX to machine code ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"
#include "llvm/ADT/StringMap.h"

namespace regrain::nvptx {

/// What ptxas made of one PTX text.
struct Assembled {
  std::vector<char> cubin;
  llvm::StringMap<Resources> kernels; ///< by symbol; occupancy is not filled in
  std::vector<std::string> warnings;
};

/// Runs `ptxas` for `arch` ("sm_90") and ends it after `seconds`. The error
/// carries ptxas's first message.
llvm::Expected<Assembled> assemble(llvm::StringRef ptxas, llvm::StringRef arch,
                                   llvm::ArrayRef<char> ptx, const CodegenOptions &options,
                                   unsigned seconds);

/// The options among `arguments` that may decide on the code, each with its value in one text and
/// sorted by name; of one name in the order given. What only makes ptxas say more or less, or adds
/// debug information, is left out.
std::vector<std::string> decidingArguments(llvm::ArrayRef<std::string> arguments);

/// Reads the figures per kernel from what `ptxas -v` prints.
llvm::StringMap<Resources> parsePtxasReport(llvm::StringRef report);

/// Fills in codeBytes: the size of each kernel's section in the cubin.
llvm::Error readCodeSizes(llvm::ArrayRef<char> cubin, llvm::StringMap<Resources> &kernels);

} // namespace regrain::nvptx
