//===- execution.cpp - Execution of the blocks of a launch ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/execution.h"

#include "runtime/plugins/cpu/cluster_special.h"
#include "runtime/plugins/cpu/fault_message.h"
#include "runtime/plugins/cpu/residents.h"
#include "runtime/plugins/cpu/sanitizers.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <utility>

namespace regrain::cpu {
namespace {

constexpr size_t sharedAlignment = 128;
constexpr size_t arenaAlignment = 64;
/// The time in which workers come to the arena.
constexpr auto gatheringPatience = std::chrono::milliseconds(300);

size_t alignUp(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Replaces `buffer` by new memory of exactly that size, which no thread has accessed.
bool renew(void *&buffer, size_t &capacity, size_t bytes, size_t alignment) {
  std::free(buffer);
  bool isThere = posix_memalign(&buffer, alignment, bytes) == 0;
  if (!isThere)
    buffer = nullptr;
  capacity = isThere ? bytes : 0;
  return isThere;
}

/// Makes `buffer` at least `bytes` large and discards its contents.
bool grow(void *&buffer, size_t &capacity, size_t bytes, size_t alignment) {
  if (bytes <= capacity)
    return true;
  std::free(buffer);
  capacity = 0;
  buffer = std::aligned_alloc(alignment, alignUp(bytes, alignment));
  if (!buffer)
    return false;
  capacity = bytes;
  return true;
}

/// Returns the addresses of the calling thread's stack; none if the system does not
/// report them.
std::pair<uintptr_t, uintptr_t> findStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return {0, 0};
  void *begin = nullptr;
  size_t bytes = 0;
  int failed = pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_destroy(&attributes);
  return failed ? std::pair<uintptr_t, uintptr_t>{0, 0}
                : std::pair{uintptr_t(begin), uintptr_t(begin) + bytes};
}

} // namespace

QueuedLaunch::QueuedLaunch(const RegrainCpuKernel &kernel, const Launch &launch)
    : kernel(kernel), grid(launch.grid), block(launch.block),
      dynamicSharedBytes(launch.dynamicSharedBytes), isCooperative(launch.isCooperative),
      cluster(launch.cluster) {
  size_t bytes = 0;
  for (const ParameterLayout &parameter : launch.parameters)
    bytes = std::max<size_t>(bytes, size_t(parameter.offset) + parameter.size);
  storage.resize(alignUp(bytes, sizeof(Line)) / sizeof(Line));
  values.reserve(launch.parameters.size());
  auto *base = reinterpret_cast<std::byte *>(storage.data());
  for (size_t i = 0; i < launch.parameters.size(); ++i) {
    const ParameterLayout &parameter = launch.parameters[i];
    values.push_back(base + parameter.offset);
    std::memcpy(values.back(), launch.values[i], parameter.size);
  }
}

size_t QueuedLaunch::sharedBytes() const {
  return alignUp(kernel.staticSharedBytes, sharedAlignment) + dynamicSharedBytes;
}

Extent QueuedLaunch::blockAt(uint64_t index) const {
  uint64_t number = index / clusterBlocks(), rank = index % clusterBlocks();
  Extent place = {};
  for (size_t d = 0; d < place.size(); ++d) {
    place[d] = uint32_t(number % clusterCount(d) * cluster[d] + rank % cluster[d]);
    number /= clusterCount(d);
    rank /= cluster[d];
  }
  return place;
}

bool LaunchRun::fail(cudaError_t status) {
  cudaError_t none = cudaSuccess;
  return error.compare_exchange_strong(none, status);
}

Worker::Worker() : stack(findStack()) { point.stackBegin = stack.first; }

Worker::~Worker() {
  UnseenMemory freed;
  std::free(shared);
  std::free(block.arena);
}

Worker &Worker::get() {
  // It is not itself thread-local: the library has static thread-local storage, of which a process
  // that opens the library late has little.
  static thread_local const std::unique_ptr<Worker> worker = std::make_unique<Worker>();
  return *worker;
}

bool Worker::owns(const void *address) const {
  auto number = uintptr_t(address);
  return (number >= stack.first && number < stack.second) ||
         number - uintptr_t(block.arena) < arenaCapacity;
}

bool Worker::reserve(const QueuedLaunch &launch) {
  const RegrainCpuKernel &kernel = launch.kernel;
  size_t threads = size_t(launch.block[0]) * launch.block[1] * launch.block[2];
  size_t arena = 0;
  if (__builtin_mul_overflow(kernel.arenaBytesPerThread, threads, &arena) ||
      __builtin_add_overflow(arena, kernel.arenaFixedBytes, &arena) ||
      arena > SIZE_MAX - arenaAlignment)
    return false;
  auto provide = SanitizerCalls::get().isThere ? renew : grow;
  if (cluster)
    block.shared = cluster->memoryOf(clusterRank());
  else if (provide(shared, sharedCapacity, launch.sharedBytes(), sharedAlignment))
    block.shared = shared;
  else
    return false;
  return provide(block.arena, arenaCapacity, arena, arenaAlignment);
}

/// Gives each block memory of its own for a sanitizer. What other blocks did with the bytes has
/// no meaning.
bool Worker::renewMemory() {
  UnseenMemory renewed;
  bool isThere = reserve(current->launch);
  if (!isThere)
    current->fail(cudaErrorMemoryAllocation);
  return isThere;
}

/// Prepares the block for the first of several blocks, or for the only one of a cluster.
void Worker::enter(LaunchRun &launchRun, uint64_t begin) {
  const QueuedLaunch &launch = launchRun.launch;
  std::copy(launch.grid.begin(), launch.grid.end(), block.gridDim);
  std::copy(launch.block.begin(), launch.block.end(), block.blockDim);
  std::ranges::copy(launch.blockAt(begin), block.blockIdx);
  block.dynamicSharedBytes = launch.dynamicSharedBytes;
  block.staticSharedBytes = alignUp(launch.kernel.staticSharedBytes, sharedAlignment);
  current = &launchRun;
  uint32_t blocks = launch.clusterBlocks();
  if (blocks == 1)
    return;
  clusterNumber = begin / blocks;
  clusterPhase.reset();
  cluster = launchRun.clusters.begin(clusterNumber, blocks, launch.sharedBytes());
  if (!cluster)
    launchRun.fail(cudaErrorMemoryAllocation);
}

void Worker::leaveCluster() {
  if (current->launch.clusterBlocks() == 1)
    return;
  if (cluster)
    cluster->end(clusterPhase);
  cluster.reset();
  current->clusters.end(clusterNumber);
}

void Worker::run(LaunchRun &launchRun, uint64_t begin, uint64_t end) {
  enter(launchRun, begin);
  if (!launchRun.isStopped() && !SanitizerCalls::get().isThere && !reserve(launchRun.launch))
    launchRun.fail(cudaErrorMemoryAllocation);
  if (!launchRun.isStopped())
    runFrom(begin, end);
  leaveCluster();
  current = nullptr;
}

void Worker::runFrom(uint64_t begin, uint64_t end) {
  acquireAt(&current->begin);
  point.fault.reset();
  // A fault, stop() and pause() return to this point; the frames below own nothing.
  if (_setjmp(point.exit) == 0) {
    expectFaults(&point);
    runBlocks(begin, end);
  }
  expectFaults(nullptr);
  endSanitized();
  if (point.fault)
    fail(errorOf(*point.fault), describe(*point.fault), point.fault->instruction);
  leaveBlock();
}

void Worker::runBlocks(uint64_t begin, uint64_t end) {
  const QueuedLaunch &launch = current->launch;
  for (uint64_t index = begin; index < end && !current->isStopped(); ++index) {
    if (SanitizerCalls::get().isThere && !renewMemory())
      return;
    std::fill_n(block.threadIdx, 3, REGRAIN_CPU_ANY_THREAD);
    launch.kernel.runBlock(launch.values.data(), &block);
    fibers.end(&current->end);
    leaveBlock();
    if (++block.blockIdx[0] < launch.grid[0])
      continue;
    block.blockIdx[0] = 0;
    if (++block.blockIdx[1] < launch.grid[1])
      continue;
    block.blockIdx[1] = 0;
    ++block.blockIdx[2];
  }
}

/// A block that was left by a jump has not restored what the sanitizer knows of its memory.
void Worker::endSanitized() {
  fibers.end(&current->end);
  if (auto unpoison = SanitizerCalls::get().unpoison) {
    unpoison(block.shared, cluster ? cluster->bytesOfBlock() : sharedCapacity);
    unpoison(block.arena, arenaCapacity);
  }
  releaseAt(&current->end);
}

void Worker::leaveBlock() {
  if (hasPaused)
    current->waiting.fetch_sub(1, std::memory_order_relaxed);
  hasPaused = false;
}

/// Prints in one piece, so that the messages of different launches do not mix.
void Worker::fail(cudaError_t error, std::string_view what, uintptr_t instruction) {
  if (!current->fail(error) || what.empty())
    return;
  std::string text = "regrain: " + describePlace(current->launch.kernel, block, instruction) +
                     ": " + std::string(what) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Worker::stop(cudaError_t error, std::string_view what, uintptr_t instruction) {
  expectFaults(nullptr);
  fail(error, what, instruction);
  std::longjmp(point.exit, 1);
}

void Worker::pause() {
  if (current->isStopped())
    std::longjmp(point.exit, 1);
  if (!hasPaused)
    current->waiting.fetch_add(1, std::memory_order_relaxed);
  hasPaused = true;
  sched_yield();
}

uint32_t Worker::clusterRank() const {
  const Extent &size = current->launch.cluster;
  uint32_t rank = 0;
  for (size_t d = size.size(); d-- > 0;)
    rank = rank * size[d] + block.blockIdx[d] % size[d];
  return rank;
}

uint32_t Worker::clusterSpecial(uint32_t which) const {
  const QueuedLaunch &launch = current->launch;
  uint32_t dimension = which % 3;
  switch (which - dimension) {
  case REGRAIN_CLUSTER_INDEX:
    return block.blockIdx[dimension] / launch.cluster[dimension];
  case REGRAIN_CLUSTER_COUNT:
    return launch.clusterCount(dimension);
  case REGRAIN_CLUSTER_BLOCK_INDEX:
    return block.blockIdx[dimension] % launch.cluster[dimension];
  case REGRAIN_CLUSTER_SIZE:
    return launch.cluster[dimension];
  default:
    return which == REGRAIN_CLUSTER_RANK ? clusterRank() : launch.clusterBlocks();
  }
}

std::optional<uint32_t> Worker::rankOf(const void *pointer) const {
  if (cluster)
    return cluster->rankOf(pointer);
  bool isShared = uintptr_t(pointer) - uintptr_t(block.shared) < current->launch.sharedBytes();
  return isShared ? std::optional(0u) : std::nullopt;
}

void *Worker::mapShared(const void *pointer, uint32_t rank, uintptr_t instruction) {
  if (rank >= current->launch.clusterBlocks())
    stop(cudaErrorLaunchFailure, "a rank is not that of a block of the cluster", instruction);
  char *address = const_cast<char *>(static_cast<const char *>(pointer));
  std::optional<uint32_t> from = rankOf(pointer);
  return cluster && from ? cluster->memoryOf(rank) + (address - cluster->memoryOf(*from)) : address;
}

void Worker::arriveAtCluster() {
  if (!cluster)
    return;
  releaseAt(cluster.get());
  if (!clusterPhase)
    clusterPhase = cluster->arrive();
}

void Worker::waitForCluster() {
  if (!cluster)
    return;
  while (clusterPhase && !cluster->isOver(*clusterPhase))
    pause();
  clusterPhase.reset();
  acquireAt(cluster.get());
}

Execution::Execution(int threads)
    : threadCount(threads), crew(std::make_shared<Crew>()), arena(threads), arrivals(arena) {
  if (threads > tbb::info::default_concurrency())
    oversubscription.emplace(tbb::global_control::max_allowed_parallelism, size_t(threads));
}

void Execution::Arrivals::on_scheduler_entry(bool isWorker) {
  if (isWorker)
    static_cast<void>(Worker::get());
}

void Execution::addThreads(std::vector<pid_t> &out) {
  if (mayHaveWorkers)
    gatherWorkers();
  DeviceThread::addAll(out);
}

/// oneTBB starts a worker when there is work, which may be done when the worker comes: it then has
/// not been in the arena. So all are called, and each waits for the others. The calling thread is
/// one of them, and is not registered.
void Execution::gatherWorkers() {
  std::atomic<int> arrived = 0;
  auto deadline = std::chrono::steady_clock::now() + gatheringPatience;
  auto wait = [&](int) {
    for (++arrived; arrived < threadCount && std::chrono::steady_clock::now() < deadline;)
      std::this_thread::yield();
  };
  arena.execute([&] { tbb::parallel_for(0, threadCount, wait, tbb::simple_partitioner()); });
}

void Execution::run(LaunchRun &launchRun, uint64_t residents) {
  releaseAt(&launchRun.begin);
  runBlocks(launchRun, residents);
  acquireAt(&launchRun.end);
}

void Execution::runBlocks(LaunchRun &launchRun, uint64_t residents) {
  uint64_t blocks = launchRun.launch.blockCount();
  uint64_t members = launchRun.launch.clusterBlocks();
  bool mayWait = (launchRun.launch.kernel.mayWait && blocks > 1) || members > 1;
  if (mayWait) {
    auto launch = std::make_shared<Residents>(launchRun, *crew);
    // All blocks of a cooperative launch, and of a cluster, are expected to wait for each other.
    // Blocks begin cluster by cluster, so that the first cluster that has not ended has its
    // threads.
    uint64_t first =
        launchRun.launch.isCooperative ? blocks : std::max(uint64_t(threadCount), members);
    return launch->runAll(first, std::max(residents, members));
  }
  if (threadCount == 1 || blocks == 1) {
    Worker::get().run(launchRun, 0, blocks);
    return;
  }
  if (!mayHaveWorkers.exchange(true))
    arrivals.observe();
  using Range = tbb::blocked_range<uint64_t>;
  arena.execute([&] {
    tbb::parallel_for(Range(0, blocks), [&](const Range &range) {
      if (!launchRun.isStopped())
        Worker::get().run(launchRun, range.begin(), range.end());
    });
  });
}

} // namespace regrain::cpu
