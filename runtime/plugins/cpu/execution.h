//===- execution.h - Execution of the blocks of a launch --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/plugins/cpu/abi.h"
#include "runtime/plugins/cpu/cluster.h"
#include "runtime/plugins/cpu/device_thread.h"
#include "runtime/plugins/cpu/fault.h"
#include "runtime/plugins/cpu/thread_fibers.h"

#include <atomic>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <optional>
#include <string_view>
#include <vector>

namespace regrain::cpu {

/// A launch with its own copy of the arguments; it may run any number of times.
class QueuedLaunch {
public:
  QueuedLaunch(const RegrainCpuKernel &kernel, const Launch &launch);

  uint64_t blockCount() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
  /// Returns the shared memory of a block, static and dynamic.
  size_t sharedBytes() const;
  /// Returns the number of blocks of a cluster.
  uint32_t clusterBlocks() const { return cluster[0] * cluster[1] * cluster[2]; }
  /// Returns the number of clusters in a dimension.
  uint32_t clusterCount(size_t dimension) const { return grid[dimension] / cluster[dimension]; }
  /// Returns the place of a block. Blocks are counted cluster by cluster; x varies fastest among
  /// clusters, and among the blocks of one.
  Extent blockAt(uint64_t index) const;

  const RegrainCpuKernel &kernel;
  const Extent grid;
  const Extent block;
  const uint32_t dynamicSharedBytes;
  const bool isCooperative;
  const Extent cluster;
  std::vector<void *> values;

private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> storage;
};

/// What the barrier over the grid works on, in the layout of NVIDIA's driver: our headers read it
/// on every device (include/cuda/cooperative_groups/regrain_grid.h).
struct GridWorkspace {
  uint32_t bytes = sizeof(GridWorkspace);
  uint32_t barrier = 0;
};

/// One run of a launch.
class LaunchRun {
public:
  /// Blocks that have not begun when `isCancelled` becomes true are skipped.
  LaunchRun(const QueuedLaunch &launch, const std::atomic<bool> &isCancelled)
      : launch(launch), isCancelled(isCancelled) {}

  /// Skips the blocks that have not begun. The first error stays; returns whether this is it.
  bool fail(cudaError_t error);
  bool isStopped() const {
    return error.load(std::memory_order_relaxed) != cudaSuccess ||
           isCancelled.load(std::memory_order_relaxed);
  }
  cudaError_t result() const { return error.load(); }
  /// The number of blocks that run and were seen to wait.
  uint64_t waitingBlocks() const { return waiting.load(std::memory_order_relaxed); }

  const QueuedLaunch &launch;
  GridWorkspace workspace;
  Clusters clusters; ///< only of a launch whose clusters have several blocks
  /// Where a sanitizer sees memory ordered: from the begin of the launch to each block, and from
  /// each block to the end of the launch.
  char begin = 0, end = 0;

private:
  friend class Worker;

  const std::atomic<bool> &isCancelled;
  std::atomic<cudaError_t> error = cudaSuccess;
  std::atomic<uint64_t> waiting = 0;
};

/// The resources that a thread needs to run blocks; they grow to the largest
/// launch so far.
class Worker {
public:
  Worker();
  ~Worker();

  /// Returns the calling thread's own.
  static Worker &get();

  /// Runs the blocks [begin, end), in order.
  void run(LaunchRun &launchRun, uint64_t begin, uint64_t end);

  /// Ends the block that the thread is in, and the launch with an error. The message
  /// names the kernel and the place in it; it is printed if this is the launch's first
  /// error, unless `what` is empty. `instruction` is the one in the kernel. Does not
  /// return. Only code that a kernel called may call it.
  [[noreturn]] void stop(cudaError_t error, std::string_view what, uintptr_t instruction);
  /// Lets other threads of the machine run while the block waits. Does not return if
  /// the run was stopped. Only code that a kernel called may call it.
  void pause();
  ThreadFibers fibers; ///< of the block that runs
  const RegrainCpuBlock &currentBlock() const { return block; }
  /// Returns the workspace of a cooperative launch; null for another one. Only code that a kernel
  /// called may call it.
  GridWorkspace *workspace() {
    return current->launch.isCooperative ? &current->workspace : nullptr;
  }
  /// Returns one of RegrainClusterSpecial.
  uint32_t clusterSpecial(uint32_t which) const;
  /// Returns the block's rank in its cluster.
  uint32_t clusterRank() const;
  /// Returns the rank of the block of the cluster to whose shared memory `pointer` points; nothing
  /// if it points elsewhere.
  std::optional<uint32_t> rankOf(const void *pointer) const;
  /// Returns where the variable at `pointer` is in the block of that rank. Ends the block if there
  /// is no such block.
  void *mapShared(const void *pointer, uint32_t rank, uintptr_t instruction);
  /// All threads of the block have arrived at the barrier of the cluster. Each of them calls these
  /// two, and those calls after the first one have no effect.
  void arriveAtCluster();
  void waitForCluster();
  /// Returns whether the address lies in the arena or on the thread's stack.
  bool owns(const void *address) const;

private:
  bool reserve(const QueuedLaunch &launch);
  void enter(LaunchRun &launchRun, uint64_t begin);
  void leaveCluster();
  bool renewMemory();
  void runFrom(uint64_t begin, uint64_t end);
  void runBlocks(uint64_t begin, uint64_t end);
  void leaveBlock();
  void endSanitized();
  void fail(cudaError_t error, std::string_view what, uintptr_t instruction);

  DeviceThread here;
  std::pair<uintptr_t, uintptr_t> stack; ///< the thread's own
  FaultStack faultStack;
  RegrainCpuBlock block = {};
  void *shared = nullptr; ///< the worker's own; blocks of clusters have other memory
  size_t sharedCapacity = 0;
  size_t arenaCapacity = 0;
  LaunchRun *current = nullptr;
  std::shared_ptr<Cluster> cluster;     ///< of the block; null if the block is alone
  uint64_t clusterNumber = 0;           ///< only if there is a cluster
  std::optional<uint32_t> clusterPhase; ///< at which the block has arrived and not waited
  bool hasPaused = false;               ///< the block that the thread is in
  FaultPoint point;
};

class Crew;

/// The threads that run blocks.
class Execution {
public:
  explicit Execution(int threads);

  int threads() const { return threadCount; }
  /// Runs all blocks; returns when they are complete, or the run was stopped. If the
  /// kernel may wait, `residents` blocks make progress at once.
  void run(LaunchRun &launchRun, uint64_t residents);

  /// Appends the threads of the process that run only work of streams. No launch may be under way.
  void addThreads(std::vector<pid_t> &out);

private:
  /// Registers each worker of oneTBB that comes to the arena, also one that finds no block to run.
  class Arrivals final : public tbb::task_scheduler_observer {
  public:
    explicit Arrivals(tbb::task_arena &arena) : task_scheduler_observer(arena) {}
    ~Arrivals() override { observe(false); }
    void on_scheduler_entry(bool isWorker) override;
  };

  void runBlocks(LaunchRun &launchRun, uint64_t residents);
  void gatherWorkers();

  int threadCount;
  std::shared_ptr<Crew> crew;
  /// Allows more threads than the machine has cores, if the user asks for that.
  std::optional<tbb::global_control> oversubscription;
  tbb::task_arena arena;
  Arrivals arrivals;
  std::atomic<bool> mayHaveWorkers = false;
};

} // namespace regrain::cpu
