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

/// The result of ptxas for one PTX text.
struct Assembled {
  std::vector<char> cubin;
  llvm::StringMap<Resources> kernels; ///< by symbol; the occupancy is not filled in
  std::vector<std::string> warnings;
};

/// Runs `ptxas` for `arch` ("sm_90") and kills it after `seconds`. The error contains ptxas's first
/// message.
llvm::Expected<Assembled> assemble(llvm::StringRef ptxas, llvm::StringRef arch,
                                   llvm::ArrayRef<char> ptx, const CodegenOptions &options,
                                   unsigned seconds);

/// Returns whether `ptxas` may assemble for `arch` ("sm_70"): false if its help lists other
/// architectures alone.
bool mayAssembleFor(llvm::StringRef ptxas, llvm::StringRef arch);

/// Returns the options among `arguments` that may affect the code, each with its value in one text
/// and sorted by name; options of the same name stay in the given order. Options that only change
/// ptxas's messages or add debug information are left out.
std::vector<std::string> decidingArguments(llvm::ArrayRef<std::string> arguments);

/// Returns `options` for a kernel whose grain asks for `level` ("O1"), which replaces that of the
/// command line; an empty level changes nothing.
CodegenOptions atLevel(CodegenOptions options, llvm::StringRef level);

/// Parses the figures per kernel from the output of `ptxas -v`.
llvm::StringMap<Resources> parsePtxasReport(llvm::StringRef report);

/// Returns the machine code of each kernel and function of a cubin, by symbol. It lies in the
/// cubin.
llvm::Expected<llvm::StringMap<llvm::ArrayRef<uint8_t>>>
codeOfFunctions(llvm::ArrayRef<char> cubin);

/// Sets codeBytes to the size of each kernel's section in the cubin.
llvm::Error readCodeSizes(llvm::ArrayRef<char> cubin, llvm::StringMap<Resources> &kernels);

} // namespace regrain::nvptx
