//===- execution.cpp - Execution of the blocks of a launch ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/execution.h"

#include "runtime/plugins/cpu/fault_message.h"
#include "runtime/plugins/cpu/residents.h"
#include "runtime/plugins/cpu/sanitizers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <pthread.h>
#include <sched.h>
#include <utility>

namespace regrain::cpu {
namespace {

constexpr size_t sharedAlignment = 128;
constexpr size_t arenaAlignment = 64;

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

} // namespace

QueuedLaunch::QueuedLaunch(const RegrainCpuKernel &kernel, const Launch &launch)
    : kernel(kernel), grid(launch.grid), block(launch.block),
      dynamicSharedBytes(launch.dynamicSharedBytes), isCooperative(launch.isCooperative) {
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

bool LaunchRun::fail(cudaError_t status) {
  cudaError_t none = cudaSuccess;
  return error.compare_exchange_strong(none, status);
}

Worker::~Worker() {
  UnseenMemory freed;
  std::free(block.shared);
  std::free(block.arena);
}

Worker &Worker::get() {
  // It is not itself thread-local: the library has static thread-local storage, of which a process
  // that opens the library late has little.
  static thread_local const std::unique_ptr<Worker> worker = std::make_unique<Worker>();
  return *worker;
}

/// Returns the addresses of the calling thread's stack; none if the system does not
/// report them.
static std::pair<uintptr_t, uintptr_t> findStack() {
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

bool Worker::owns(const void *address) const {
  static thread_local const std::pair<uintptr_t, uintptr_t> stack = findStack();
  auto number = uintptr_t(address);
  return (number >= stack.first && number < stack.second) ||
         number - uintptr_t(block.arena) < arenaCapacity;
}

bool Worker::reserve(const QueuedLaunch &launch) {
  const RegrainCpuKernel &kernel = launch.kernel;
  size_t threads = size_t(launch.block[0]) * launch.block[1] * launch.block[2];
  size_t shared = alignUp(kernel.staticSharedBytes, sharedAlignment) + launch.dynamicSharedBytes;
  size_t arena = 0;
  if (__builtin_mul_overflow(kernel.arenaBytesPerThread, threads, &arena) ||
      __builtin_add_overflow(arena, kernel.arenaFixedBytes, &arena) ||
      arena > SIZE_MAX - arenaAlignment)
    return false;
  auto provide = SanitizerCalls::get().isThere ? renew : grow;
  return provide(block.shared, sharedCapacity, shared, sharedAlignment) &&
         provide(block.arena, arenaCapacity, arena, arenaAlignment);
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

void Worker::run(LaunchRun &launchRun, uint64_t begin, uint64_t end) {
  const QueuedLaunch &launch = launchRun.launch;
  if (!SanitizerCalls::get().isThere && !reserve(launch)) {
    launchRun.fail(cudaErrorMemoryAllocation);
    return;
  }
  const Extent grid = launch.grid;
  std::copy(grid.begin(), grid.end(), block.gridDim);
  std::copy(launch.block.begin(), launch.block.end(), block.blockDim);
  block.blockIdx[0] = begin % grid[0];
  block.blockIdx[1] = begin / grid[0] % grid[1];
  block.blockIdx[2] = begin / grid[0] / grid[1];
  block.dynamicSharedBytes = launch.dynamicSharedBytes;
  block.staticSharedBytes = alignUp(launch.kernel.staticSharedBytes, sharedAlignment);
  current = &launchRun;
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
  current = nullptr;
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
    unpoison(block.shared, sharedCapacity);
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

Execution::Execution(int threads)
    : threadCount(threads), crew(std::make_shared<Crew>()), arena(threads) {
  if (threads > tbb::info::default_concurrency())
    oversubscription.emplace(tbb::global_control::max_allowed_parallelism, size_t(threads));
}

void Execution::run(LaunchRun &launchRun, uint64_t residents) {
  releaseAt(&launchRun.begin);
  runBlocks(launchRun, residents);
  acquireAt(&launchRun.end);
}

void Execution::runBlocks(LaunchRun &launchRun, uint64_t residents) {
  uint64_t blocks = launchRun.launch.blockCount();
  bool mayWait = launchRun.launch.kernel.mayWait && blocks > 1;
  if (mayWait) {
    auto launch = std::make_shared<Residents>(launchRun, *crew);
    // All blocks of a cooperative launch are expected to wait for each other.
    uint64_t first = launchRun.launch.isCooperative ? blocks : uint64_t(threadCount);
    return launch->runAll(first, residents);
  }
  if (threadCount == 1 || blocks == 1) {
    Worker::get().run(launchRun, 0, blocks);
    return;
  }
  using Range = tbb::blocked_range<uint64_t>;
  arena.execute([&] {
    tbb::parallel_for(Range(0, blocks), [&](const Range &range) {
      if (!launchRun.isStopped())
        Worker::get().run(launchRun, range.begin(), range.end());
    });
  });
}

} // namespace regrain::cpu
