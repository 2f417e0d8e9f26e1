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

static unsigned slotsOf(const Multiprocessor &multiprocessor, unsigned threads) {
  return std::max(1u, unsigned(llvm::divideCeil(threads, multiprocessor.waveThreads)));
}

unsigned residentBlocks(const Multiprocessor &multiprocessor, unsigned threads,
                        uint64_t sharedBytes) {
  unsigned blocks =
      std::min(multiprocessor.blocks, multiprocessor.slots / slotsOf(multiprocessor, threads));
  uint64_t shared =
      llvm::alignTo(sharedBytes + multiprocessor.sharedOfSystem, multiprocessor.sharedUnit);
  return shared ? std::min<uint64_t>(blocks, multiprocessor.sharedBytes / shared) : blocks;
}

unsigned residentBlocks(const Multiprocessor &multiprocessor, unsigned threads,
                        uint64_t sharedBytes, unsigned registers) {
  uint64_t perSlot =
      llvm::alignTo(uint64_t(registers) * multiprocessor.waveThreads, multiprocessor.registerUnit);
  uint64_t slots = llvm::alignDown(multiprocessor.registers / perSlot, multiprocessor.slotUnit);
  return std::min<uint64_t>(residentBlocks(multiprocessor, threads, sharedBytes),
                            slots / slotsOf(multiprocessor, threads));
}

unsigned mostRegisters(const Multiprocessor &multiprocessor, unsigned threads, unsigned blocks) {
  uint64_t slots =
      llvm::alignTo(uint64_t(blocks) * slotsOf(multiprocessor, threads), multiprocessor.slotUnit);
  uint64_t perSlot = llvm::alignDown(multiprocessor.registers / slots, multiprocessor.registerUnit);
  return perSlot / multiprocessor.waveThreads;
}

} // namespace regrain
