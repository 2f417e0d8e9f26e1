//===- Interpreter.h - Interpreter of device LLVM IR ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter runs a kernel of a device module instruction by instruction:
// nvptx64 (clang's own, or the output of Export for a grain), or amdgcn (the
// input of the AMD target's instruction selection). It is an independent check
// of every other way to run a kernel, so it shares no code with the targets,
// runs threads in a random order, and reports operations without a defined
// result instead of choosing one.
//
// Threads of a block run one at a time; the seed determines which one runs
// next, at each barrier, warp operation, atomic and volatile access. Blocks
// start in a random order. Functions of the math library are those of libm. On
// amdgcn the lanes of a wave wait for each other at an instruction that
// exchanges values between lanes; those lanes take part that reach the same
// dynamic instance of it.
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

/// A launch of the device; extents are at least 1.
struct KernelLaunch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint64_t dynamicSharedBytes = 0;
  /// There is one entry for each parameter: its bytes, little-endian. For a
  /// parameter passed by value in memory, they are the bytes of the structure.
  std::vector<std::vector<uint8_t>> arguments;

  template <typename T> KernelLaunch &with(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto &bytes = arguments.emplace_back(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return *this;
  }
};

/// Selects which unsynchronised conflicting accesses are faults. Two accesses of
/// a byte conflict if they come from different threads, not both are atomic or
/// volatile, and one of them writes a value that differs from the present one,
/// or one reads and one writes. Barriers of the whole block and warp operations
/// synchronise; fences and atomics do not, so that Grid falsely reports a block
/// that waits for another.
enum class RaceCheck {
  None,
  Block, ///< between threads of one block, in shared and global memory
  Grid,  ///< between any two threads
};

/// A load or store instruction that a thread is about to execute.
struct ObservedAccess {
  std::array<uint32_t, 3> block, thread;
  const llvm::Instruction *instruction;
  uint64_t address; ///< flat address
};

struct InterpreterOptions {
  uint64_t seed = 0;
  /// The limit of instructions, over all threads.
  uint64_t stepLimit = 50'000'000;
  /// The number of blocks that run at the same time; more than 1 for kernels in
  /// which a block waits for another.
  uint32_t residentBlocks = 1;
  /// Lets threads also switch at every access of shared or global memory.
  bool switchAtAccesses = false;
  /// Requires all threads of a block to meet at the same barrier instruction,
  /// not only at a barrier of the same number.
  bool sameBarrier = false;
  RaceCheck races = RaceCheck::None;
  /// Makes a hint to the launch behind (griddepcontrol.launch_dependents) a fault if its thread has
  /// not waited for the launch in front (griddepcontrol.wait).
  bool hintsFollowWaits = false;
  /// Makes the end of a thread a fault if it has not waited for the launch in front.
  bool allWait = false;
  /// For amdgcn, the lanes of a wave, 32 or 64; 0 means those of the kernel's
  /// processor.
  uint32_t waveSize = 0;
  /// It is called for every load and store, of any memory.
  std::function<void(const ObservedAccess &)> observe = nullptr;
};

/// Runs `kernel`, a function of `module`, on `memory`, in which the module
/// variables that the module only declares must have been defined. The error is
/// a Fault; `memory` then has the stores up to it.
[[nodiscard]] llvm::Error interpretKernel(const llvm::Module &module, llvm::StringRef kernel,
                                          const KernelLaunch &launch, DeviceMemory &memory,
                                          const InterpreterOptions &options = {});

} // namespace regrain
