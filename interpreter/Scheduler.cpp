//===- Scheduler.cpp - Blocks and threads in a random order ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"
#include "runtime/image/launch_limits.h"

#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;
using namespace regrain;

bool Machine::fail(FaultKind kind, const Twine &what) {
  if (fault)
    return false;
  fault.emplace(kind, what.str());
  if (!running || running->frames.empty())
    return false;
  FaultPlace &place = fault->place.emplace();
  place.block = running->block->index;
  place.thread = running->index;
  const Frame &frame = running->frames.back();
  place.function = frame.function->function->getName().str();
  if (frame.step == 0)
    return false;
  const Instruction &instruction =
      *frame.function->blocks[frame.block].steps[frame.step - 1].instruction;
  place.instruction = instruction.getOpcodeName();
  if (const DILocation *location = instruction.getDebugLoc()) {
    place.file = location->getFilename().str();
    place.line = location->getLine();
  }
  return false;
}

static std::array<uint32_t, 3> unflatten(uint64_t linear, const std::array<uint32_t, 3> &extent) {
  return {uint32_t(linear % extent[0]), uint32_t(linear / extent[0] % extent[1]),
          uint32_t(linear / extent[0] / extent[1])};
}

static uint64_t product(const std::array<uint32_t, 3> &extent) {
  return uint64_t(extent[0]) * extent[1] * extent[2];
}

bool Machine::checkArguments(const llvm::Function &kernel) {
  if (product(launch.grid) == 0 || product(launch.block) == 0 ||
      product(launch.block) > maxBlockThreads)
    return fail(FaultKind::BadLaunch, "a grid or a block of no threads, or too large a block");
  if (kernel.arg_size() != launch.arguments.size())
    return fail(FaultKind::BadLaunch, Twine(launch.arguments.size()) + " arguments for " +
                                          Twine(kernel.arg_size()) + " parameters");
  for (const Argument &argument : kernel.args()) {
    Type *inMemory = argument.getPointeeInMemoryValueType();
    Type *type = inMemory ? inMemory : argument.getType();
    SmallVector<Leaf> leaves;
    uint64_t size = program.layout().getTypeAllocSize(type);
    if (launch.arguments[argument.getArgNo()].size() != size ||
        (!inMemory && !flatten(type, program.layout(), leaves)))
      return fail(FaultKind::BadLaunch,
                  "parameter " + Twine(argument.getArgNo()) + " takes " + Twine(size) + " bytes");
  }
  return true;
}

bool Machine::passArguments(Thread &thread, const llvm::Function &kernel) {
  Frame &frame = thread.frames.back();
  for (const Argument &argument : kernel.args()) {
    const std::vector<uint8_t> &bytes = launch.arguments[argument.getArgNo()];
    Scalar *to = &frame.registers[frame.function->arguments[argument.getArgNo()]];
    if (argument.hasByRefAttr() && dispatch) {
      *to = {dispatch->argument(argument.getArgNo()), 0};
      continue;
    }
    if (Type *type = argument.getParamByValType()) {
      uint64_t own =
          allocateLocal(thread, bytes.size(), argument.getParamAlign().valueOrOne().value());
      for (size_t i = 0; i < bytes.size(); ++i)
        if (!store(thread, {own + i, 0}, {type, 8, 0}, {}, {bytes[i], 0}))
          return false;
      *to = {own, 0};
      continue;
    }
    SmallVector<Leaf> leaves;
    if (!flatten(argument.getType(), program.layout(), leaves))
      return fail(FaultKind::Unsupported, "the type of a parameter");
    for (const Leaf &leaf : leaves) {
      uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + leaf.offset, (leaf.width + 7) / 8);
      *to++ = {bits & maskOf(leaf.width), 0};
    }
  }
  return true;
}

bool Machine::startBlock(uint64_t linear, const llvm::Function &kernel) {
  Block &block = resident.emplace_back();
  block.index = unflatten(linear, launch.grid);
  block.shared = program.sharedMemory();
  block.threads.resize(product(launch.block));
  block.live = block.threads.size();
  for (auto [number, thread] : enumerate(block.threads)) {
    thread.block = &block;
    thread.index = unflatten(number, launch.block);
    thread.clock.block = linear;
    thread.clock.lanes = waveSize;
    thread.clock.thread = number;
    thread.clock.seen[thread.clock.lane()] = 1;
    thread.nextLocal = localWindow + (linear * block.threads.size() + number) * localStride;
    thread.localEnd = thread.nextLocal + localStride;
    running = &thread;
    if (!enter(thread, kernel, nullptr) || !passArguments(thread, kernel))
      return false;
    makeRunnable(thread);
  }
  return true;
}

void Machine::makeRunnable(Thread &thread) {
  thread.state = Thread::Runnable;
  runnable.push_back(&thread);
}

bool Machine::schedule(const llvm::Function &kernel) {
  std::vector<uint64_t> pending(product(launch.grid));
  for (auto [number, block] : enumerate(pending))
    block = number;
  std::shuffle(pending.begin(), pending.end(), random);
  uint64_t atOnce = std::max(options.residentBlocks, 1u);
  while (!pending.empty() || !resident.empty()) {
    while (!pending.empty() && resident.size() < atOnce) {
      if (!startBlock(pending.back(), kernel))
        return false;
      pending.pop_back();
    }
    if (runnable.empty())
      return reportStuck();
    size_t pick = random() % runnable.size();
    Thread &thread = *runnable[pick];
    if (!runThread(thread))
      return false;
    if (thread.state == Thread::Runnable) {
      if (++thread.turns == patience && !release(*thread.block, thread))
        return false;
      continue;
    }
    runnable[pick] = runnable.back();
    runnable.pop_back();
    Block &block = *thread.block;
    if (thread.state == Thread::Exited) {
      --block.live;
      if (options.allWait && !thread.hasAwaitedLaunch)
        return fail(FaultKind::Race, "a thread ends that has not waited for the launch in front");
    }
    if (!release(block, thread))
      return false;
    if (block.live == 0)
      resident.remove_if([&](const Block &other) { return &other == &block; });
  }
  return true;
}

/// Reports that nothing can run: threads wait for threads that wait for
/// something else.
bool Machine::reportStuck() {
  const Thread *atBarrier = nullptr, *atWarp = nullptr;
  unsigned barriers = 0;
  for (const Block &block : resident)
    for (const Thread &thread : block.threads)
      if (thread.state == Thread::Waiting) {
        bool barrier = isBarrier(thread.wait.kind);
        barriers += barrier;
        (barrier ? atBarrier : atWarp) = &thread;
      }
  running = atBarrier ? atBarrier : atWarp;
  if (atBarrier)
    return fail(FaultKind::DivergentBarrier, Twine(barriers) + " threads wait at a barrier that " +
                                                 Twine(running->block->live) +
                                                 " running threads of the block do not all reach");
  return fail(FaultKind::Deadlock, "lanes of a warp wait for lanes that do not come");
}

/// Prepares the inputs of the processor and the dispatch on amdgcn.
bool Machine::dispatchKernel(const llvm::Function &kernel) {
  if (!program.spaces().areSegmented())
    return true;
  if (kernel.getCallingConv() != CallingConv::AMDGPU_KERNEL)
    return fail(FaultKind::BadLaunch, "the function is no amdgpu_kernel");
  waveSize = options.waveSize ? options.waveSize : waveSizeOf(kernel);
  if (waveSize != 32 && waveSize != 64)
    return fail(FaultKind::BadLaunch, "nothing says how many lanes a wave has");
  uint64_t most = mostThreads(kernel);
  if (product(launch.block) > most)
    return fail(FaultKind::BadLaunch, "a block of " + Twine(product(launch.block)) +
                                          " threads, and the kernel is compiled for at most " +
                                          Twine(most));
  dispatch.emplace(kernel, launch, program.staticShared(), memory);
  return true;
}

Error Machine::run(const llvm::Function &kernel) {
  if (checkArguments(kernel) && dispatchKernel(kernel) && schedule(kernel))
    return Error::success();
  Fault result = *fault;
  return make_error<Fault>(std::move(result));
}
