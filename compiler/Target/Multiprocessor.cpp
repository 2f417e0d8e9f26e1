//===- Multiprocessor.cpp - Resources of a multiprocessor -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Multiprocessor.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace regrain {

unsigned residentBlocks(const Multiprocessor &multiprocessor, unsigned threads,
                        uint64_t sharedBytes) {
  unsigned waves = std::max(1u, unsigned(llvm::divideCeil(threads, multiprocessor.waveThreads)));
  unsigned blocks = std::min(multiprocessor.blocks, multiprocessor.slots / waves);
  uint64_t shared =
      llvm::alignTo(sharedBytes + multiprocessor.sharedOfSystem, multiprocessor.sharedUnit);
  return shared ? std::min<uint64_t>(blocks, multiprocessor.sharedBytes / shared) : blocks;
}

} // namespace regrain
