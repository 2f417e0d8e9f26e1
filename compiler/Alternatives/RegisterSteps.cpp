//===- RegisterSteps.cpp - Grains that bound registers --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/RegisterSteps.h"

#include "runtime/image/grain_keys.h"
#include <algorithm>
#include <string>

using namespace regrain;

namespace {

constexpr unsigned leastRegisters = 16, mostOfAThread = 255; ///< that registers= accepts

class Steps {
public:
  Steps(const Multiprocessor &multiprocessor, const Resources &original, const BlockBounds &blocks)
      : multiprocessor(multiprocessor), blocks(blocks), registers(std::max(1, original.registers)),
        sharedBytes(std::max(0, original.staticSharedBytes)),
        spills(original.spillStoreBytes > 0 || original.spillLoadBytes > 0) {}

  std::vector<Grain> run() {
    if (spills)
      addFewerBlocks();
    if (grains.empty())
      addMoreBlocks();
    return std::move(grains);
  }

private:
  void add(std::string_view key, unsigned value) {
    Grain grain;
    if (addPiece(grain, std::string(key) + "=" + std::to_string(value)))
      grains.push_back(std::move(grain));
  }

  void addMoreBlocks() {
    unsigned resident = residentBlocks(multiprocessor, blocks.threads, sharedBytes, registers);
    unsigned most = residentBlocks(multiprocessor, blocks.threads, sharedBytes);
    unsigned before = registers;
    for (unsigned count = resident + 1; count <= most && grains.size() < mostRegisterSteps;
         ++count) {
      unsigned bound = mostRegisters(multiprocessor, blocks.threads, count);
      if (bound < leastRegisters || 2 * bound < registers)
        return;
      if (bound >= before || 8 * count < 9 * resident)
        continue;
      if (blocks.mostThreads == blocks.threads)
        add("blocks-per-sm", count);
      else
        add("registers", bound);
      before = bound;
      resident = count;
    }
  }

  void addFewerBlocks() {
    if (blocks.leastBlocks > 1) {
      add("blocks-per-sm", blocks.leastBlocks - 1);
      if (blocks.leastBlocks > 2)
        add("blocks-per-sm", 1);
    } else if (blocks.mostRegisters) {
      unsigned resident = residentBlocks(multiprocessor, blocks.threads, sharedBytes, registers);
      unsigned bound = std::min(
          mostOfAThread, mostRegisters(multiprocessor, blocks.threads, std::max(1u, resident / 2)));
      if (bound > blocks.mostRegisters)
        add("registers", bound);
    } else if (blocks.threads < blocks.mostThreads) {
      add("bound", blocks.threads);
    }
  }

  const Multiprocessor &multiprocessor;
  const BlockBounds &blocks;
  unsigned registers;
  uint64_t sharedBytes;
  bool spills;
  std::vector<Grain> grains;
};

} // namespace

bool regrain::onlyBoundsRegisters(Grain grain) {
  Grain before = grain;
  grain.codegen.erase("registers");
  grain.codegen.erase("blocks-per-sm");
  grain.bound = 0;
  return grain.isOriginal() && grain != before;
}

std::vector<Grain> regrain::registerSteps(const Multiprocessor &multiprocessor,
                                          const Resources &original, const BlockBounds &blocks) {
  if (!multiprocessor.registers || original.registers < 0 || !blocks.threads)
    return {};
  return Steps(multiprocessor, original, blocks).run();
}
