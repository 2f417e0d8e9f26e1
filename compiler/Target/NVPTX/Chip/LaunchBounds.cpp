//===- LaunchBounds.cpp - Bounds of a kernel's registers ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Chip/LaunchBounds.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/Chip/Occupancy.h"

using namespace llvm;

namespace regrain::nvptx {

/// Returns why `blocks` blocks of the kernel cannot be promised, or nothing.
static std::optional<std::string> findMisfit(const Function &kernel, unsigned blocks,
                                             StringRef arch) {
  unsigned threads = boundThreads(kernel);
  if (unsigned limit = annotation(kernel, "maxnreg"))
    return "blocks-per-sm= and the program's __maxnreg__(" + std::to_string(limit) +
           ") both bound the registers: registers= takes the place of the latter";
  if (!threads)
    return "blocks-per-sm= needs the largest block of the launches, which this kernel does not "
           "state: write bound= or for.block= beside it, or __launch_bounds__ in the program";
  std::optional<Multiprocessor> multiprocessor =
      arch.empty() ? std::nullopt : multiprocessorOf(capabilityOf(arch));
  if (!multiprocessor)
    return std::nullopt;
  unsigned most = residentBlocks(*multiprocessor, threads, /*sharedBytes=*/0);
  if (blocks <= most)
    return std::nullopt;
  return "a multiprocessor of " + arch.str() + " holds " + std::to_string(most) + " blocks of " +
         std::to_string(threads) + " threads";
}

void boundRegisters(Module &module, ArrayRef<std::string> kernels, unsigned registers,
                    StringRef arch, RefusedKernels &refused) {
  for (const std::string &symbol : kernels) {
    Function &kernel = *module.getFunction(symbol);
    if (unsigned blocks = kernel.getFnAttributeAsParsedInteger("regrain-blocks-per-sm")) {
      if (std::optional<std::string> misfit = findMisfit(kernel, blocks, arch))
        refused.insert({symbol, Refusal{RefusalKind::NotOnTarget, std::move(*misfit)}});
      setAnnotation(kernel, "minctasm", blocks);
    }
    bool isBounded = annotation(kernel, "maxntidx") || annotation(kernel, "minctasm") ||
                     annotation(kernel, "maxnreg");
    unsigned told = kernel.getFnAttributeAsParsedInteger("regrain-registers");
    if (unsigned most = told ? told : isBounded ? 0 : registers)
      setAnnotation(kernel, "maxnreg", most);
  }
}

} // namespace regrain::nvptx
