//===- Interpreter.h - Device LLVM IR, run by hand --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel of a device module instruction by instruction: nvptx64 (clang's
// own, or what Export writes for a grain), or amdgcn (what the AMD target hands
// to instruction selection). It is the second opinion on every
// other way to run a kernel, so it shares no code with the targets, runs threads
// in a random order, and reports what has no defined result instead of guessing.
//
// Threads of a block run one at a time; the seed decides which runs next, at
// each barrier, warp operation, atomic and volatile access. Blocks start in a
// random order. Functions of the math library are those of libm. On amdgcn the
// lanes of a wave wait for each other where an instruction crosses lanes, and
// those take part whose control flow brings them to the same instance of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/DeviceMemory.h"
#include "interpreter/Fault.h"
#include "llvm/IR/Module.h"
#include <array>
#include <cstring>
#include <functional>
#include <type_traits>

namespace regrain {

/// What the device is asked to run; extents are at least 1.
struct KernelLaunch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint64_t dynamicSharedBytes = 0;
  /// One entry for each parameter: its bytes, little-endian. A parameter passed
  /// by value in memory is the bytes of the structure.
  std::vector<std::vector<uint8_t>> arguments;

  template <typename T> KernelLaunch &with(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto &bytes = arguments.emplace_back(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return *this;
  }
};

/// Which unsynchronised conflicting accesses are faults. Two accesses of a byte
/// conflict where they come from different threads, one of them writes another
/// value than is there, or one reads and one writes, and not both are atomic or
/// volatile. Barriers of the whole block and warp operations synchronise; fences
/// and atomics do not, so that a block that waits for another is a false alarm
/// of Grid.
enum class RaceCheck {
  None,
  Block, ///< between threads of one block, in shared and global memory
  Grid,  ///< between any two threads
};

/// A load or store instruction that a thread is about to run.
struct ObservedAccess {
  std::array<uint32_t, 3> block, thread;
  const llvm::Instruction *instruction;
  uint64_t address; ///< flat
};

struct InterpreterOptions {
  uint64_t seed = 0;
  /// Instructions of all threads together.
  uint64_t stepLimit = 50'000'000;
  /// Blocks that run at the same time; more than 1 for kernels in which a block
  /// waits for another.
  uint32_t residentBlocks = 1;
  /// Threads may also change places at every access of shared or global memory.
  bool switchAtAccesses = false;
  /// All threads of a block must meet at the same barrier instruction, not only
  /// at a barrier of the same number.
  bool sameBarrier = false;
  RaceCheck races = RaceCheck::None;
  /// Amdgcn: lanes of a wave, 32 or 64; 0: as the kernel's processor has.
  uint32_t waveSize = 0;
  /// Told of every load and store, of whatever memory.
  std::function<void(const ObservedAccess &)> observe = nullptr;
};

/// Runs `kernel`, a function of `module`, on `memory`, in which module variables
/// that the module only declares must have been defined. The error is a Fault;
/// `memory` then holds what was written up to it.
[[nodiscard]] llvm::Error interpretKernel(const llvm::Module &module, llvm::StringRef kernel,
                                          const KernelLaunch &launch, DeviceMemory &memory,
                                          const InterpreterOptions &options = {});

} // namespace regrain
