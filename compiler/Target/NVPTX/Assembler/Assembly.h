//===- Assembly.h - PTX to machine code and its figures ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/NVPTX/Generate.h"

namespace regrain::nvptx {

/// How the modules of one compile are assembled.
struct Assembly {
  llvm::StringRef ptxas; ///< path
  llvm::StringRef arch;  ///< "sm_90"
  const CodegenOptions &options;
  unsigned seconds;                 ///< after which ptxas is killed
  llvm::ArrayRef<unsigned> threads; ///< of a block of each kernel, for the occupancy
  bool isBase;                      ///< the module of the originals
};

/// Assembles the PTX that `text` holds. Kernels for which registers matter are also assembled with
/// their instructions in the other order, in which `generator` writes them, and each has the order
/// that needs fewer. Originals that wait for loads are also assembled with a limit of registers
/// (LatencyOrder.h). The result has the companion's kernels after its own; those that ptxas does
/// not take are refused.
llvm::Expected<CompiledModule> assembleBest(const Assembly &assembly, CompiledModule text,
                                            const PtxGenerator &generator, Generated &generated,
                                            const CompanionCode &companion);

} // namespace regrain::nvptx
