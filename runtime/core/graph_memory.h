//===- graph_memory.h - Memory that graphs allocate -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An allocation of a graph has its memory from the call that adds it to the graph, so its address
// never changes and no device needs to know of it. The memory stays as long as the graph, an
// executable, or the program's use of it after a launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/platform.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace regrain {

/// The memory of all graphs. Any threads may use it at once.
class GraphMemory {
public:
  static GraphMemory &get();

  struct Bytes {
    uint64_t used = 0, mostUsed = 0;
  };
  /// What became of memory that the program freed outside of graphs.
  enum class Freed : uint8_t {
    NotHere, ///< no graph uses it: the caller frees it as any other memory
    Kept,    ///< a graph may be launched again, and keeps it
    Twice,   ///< no launch has allocated it since it was freed
  };

  /// Notes that the graph allocates `pointer`, which is memory of the device.
  void allocates(cudaGraph_t graph, void *pointer, size_t bytes, int ordinal);
  /// Notes that the graph frees what it, or another graph, allocates; returns cudaErrorInvalidValue
  /// if it is not memory of a graph, or if this graph frees it already.
  [[nodiscard]] cudaError_t frees(cudaGraph_t graph, void *pointer);
  /// Returns whether the graph or the executable allocates or frees.
  bool isUsedBy(const void *owner);

  /// Returns cudaErrorNotSupported if another executable has the graph's allocations, because both
  /// could run at once.
  [[nodiscard]] cudaError_t checkInstantiation(cudaGraph_t graph, cudaGraphExec_t executable);
  /// The executable now does what the graph does.
  void instantiated(cudaGraph_t graph, cudaGraphExec_t executable);
  /// Returns cudaErrorInvalidValue if memory that a launch would allocate has not been freed,
  /// unless each launch frees it first.
  [[nodiscard]] cudaError_t checkLaunch(cudaGraphExec_t executable, bool freesFirst);
  void launched(cudaGraphExec_t executable);

  Freed freedByProgram(void *pointer);
  /// A graph or an executable ends. Returns the memory that nobody uses any more, which the caller
  /// frees.
  [[nodiscard]] std::vector<void *> ended(const void *owner);
  /// The memory of a device that is reset is gone.
  void forget(int ordinal);

  Bytes bytesOf(int ordinal);
  void resetMostUsed(int ordinal);

private:
  struct Block {
    size_t bytes;
    int ordinal;
    unsigned owners = 0;                  ///< graphs and executables
    cudaGraphExec_t executable = nullptr; ///< the one that allocates it
    bool isAllocated = false;             ///< by a launch, and not freed
  };
  struct Use {
    bool allocates = false, frees = false;
  };

  /// Removes the block if nobody uses it, and returns whether it did.
  bool dropIfUnused(void *pointer);

  std::atomic<bool> isInUse = false; ///< a graph has allocated memory
  std::mutex mutex;
  std::map<void *, Block> blocks;
  std::map<const void *, std::map<void *, Use>> uses; ///< by graph or executable
  std::map<int, Bytes> totals;                        ///< by device
};

} // namespace regrain
