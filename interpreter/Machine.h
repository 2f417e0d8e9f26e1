//===- Machine.h - A launch in progress -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that return bool return false if the run ends by a fault, which
// fail() has recorded.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/AmdgpuDispatch.h"
#include "interpreter/Interpreter.h"
#include "interpreter/Program.h"
#include "interpreter/Races.h"
#include <list>
#include <random>

namespace regrain {

/// Operations that threads perform together.
enum class Collective {
  Barrier,
  BarrierAnd,
  BarrierOr,
  BarrierCount,
  WarpSync,
  ShuffleIndex,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  VoteAll,
  VoteAny,
  VoteUniform,
  Ballot,
  MatchAny,
  MatchAll,
  ReduceAdd,
  ReduceMin,
  ReduceMax,
  ReduceUMin,
  ReduceUMax,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  Lanes, ///< the operation of Wait::operation
};

inline bool isBarrier(Collective kind) { return kind <= Collective::BarrierCount; }

/// The operation of lanes of a wave that meet: it gets them by number, null where a
/// lane is absent. It reads their operands and writes their results like those of
/// any instruction.
using LaneOperation = std::function<bool(Machine &, llvm::ArrayRef<Thread *>, const Step &)>;

/// The number of turns after which lanes that query the active lanes no longer wait for
/// a running thread: it may itself wait for one of them.
constexpr unsigned patience = 64;

/// The event for which a thread waits, with its operands.
struct Wait {
  Collective kind = Collective::Barrier;
  uint32_t mask = 0; ///< lanes; 0: those that arrive before the others run out of turns
  Scalar value;
  uint32_t b = 0, c = 0; ///< shuffle: lane and clamp; barrier: number and threads, 0: all
  const Step *step = nullptr;
  const LaneOperation *operation = nullptr; ///< of Collective::Lanes
};

struct Frame {
  const FunctionCode *function = nullptr;
  unsigned block = 0, step = 0;
  std::vector<Scalar> registers;
  Iterations iterations;      ///< if the function has an order
  size_t locals = 0;          ///< of the thread, at the start of the call
  const Step *call = nullptr; ///< in the caller
};

struct Block;

struct Thread {
  enum State { Runnable, Waiting, Exited };
  Block *block = nullptr;
  std::array<uint32_t, 3> index = {};
  ThreadClock clock;
  State state = Runnable;
  unsigned turns = 0; ///< number of turns since it last waited
  Wait wait;
  std::vector<Frame> frames;
  std::vector<MemoryRegion> locals; ///< sorted by address
  uint64_t nextLocal = 0, localEnd = 0;
  bool hasUsedMemory = false;    ///< of the device, which other launches may use, too
  bool hasAwaitedLaunch = false; ///< the one in front of this one
};

/// A barrier in shared memory at which one thread arrives, and which counts copied bytes.
struct CopyBarrier {
  struct Row {
    uint64_t to = 0;
    std::vector<Scalar> bytes;
  };
  std::vector<Row> rows; ///< that are copied in this phase
  uint64_t expected = 0; ///< bytes in this phase
  bool isOdd = false;    ///< the number of the phase
  bool canEnd = false;   ///< all threads of the phase have arrived
};

struct Block {
  std::array<uint32_t, 3> index = {};
  std::vector<MemoryRegion> shared;
  std::map<uint64_t, CopyBarrier> copyBarriers; ///< by address
  std::vector<Thread> threads;
  unsigned live = 0;
};

class Machine {
public:
  Machine(Program &program, const KernelLaunch &launch, DeviceMemory &memory,
          const InterpreterOptions &options)
      : program(program), launch(launch), memory(memory), options(options), random(options.seed),
        races(options.races == RaceCheck::Grid) {}

  llvm::Error run(const llvm::Function &kernel);

  /// Records why the run ends; always returns false.
  bool fail(FaultKind kind, const llvm::Twine &what);

  Scalar read(const Thread &thread, const Step &step, unsigned operand, unsigned index = 0) const {
    return read(thread, step.operands[operand], index);
  }
  Scalar read(const Thread &thread, int32_t operand, unsigned index) const {
    return operand >= 0 ? thread.frames.back().registers[operand + index]
                        : program.constant(operand, index);
  }
  void write(Thread &thread, const Step &step, Scalar value, unsigned index = 0) const {
    thread.frames.back().registers[step.result + index] = value;
  }
  /// Returns the flat address to which an operand points.
  Scalar readAddress(const Thread &thread, const Step &step, unsigned operand) const;
  /// Reads an operand on which control or addresses depend.
  bool readDefined(const Thread &thread, const Step &step, unsigned operand, llvm::StringRef what,
                   uint64_t &value);

  struct Access {
    uint64_t align = 1;
    bool atomic = false; ///< or volatile
  };
  bool load(Thread &thread, Scalar address, const Leaf &leaf, Access access, Scalar &value);
  bool store(Thread &thread, Scalar address, const Leaf &leaf, Access access, Scalar value);
  bool copy(Thread &thread, uint64_t to, uint64_t from, uint64_t size);
  bool fill(Thread &thread, uint64_t to, Scalar byte, uint64_t size);
  /// Writes what a thread has asked for that has accessed these bytes then.
  void settle(Thread &thread, uint64_t to, llvm::ArrayRef<Scalar> bytes);
  /// Makes a bitcast between different numbers of scalars, which are a sequence
  /// of bits.
  bool reinterpret(Thread &thread, const Step &step);
  /// Allocates local memory of the running frame; returns 0 if there is none
  /// left.
  uint64_t allocateLocal(Thread &thread, uint64_t size, uint64_t align);

  /// Ends the thread as if its kernel had returned.
  void exit(Thread &thread) {
    thread.frames.clear();
    thread.state = Thread::Exited;
  }
  void suspend(Thread &thread, Wait wait) {
    thread.wait = wait;
    thread.turns = 0;
    thread.state = Thread::Waiting;
  }
  void offerSwitch() { yield |= random() % 4 == 0; }

  /// Returns the number of instructions that all threads have executed so far.
  uint64_t clock() const { return steps; }
  /// Returns the number of lanes of a warp or wave.
  uint32_t lanes() const { return waveSize; }
  bool hintsFollowWaits() const { return options.hintsFollowWaits; }

  Program &program;
  const KernelLaunch &launch;
  DeviceMemory &memory;
  std::optional<AmdgpuDispatch> dispatch; ///< only on amdgcn

private:
  // Steps.
  bool runThread(Thread &thread);
  bool execute(Thread &thread, const Step &step);
  bool executeLanes(Thread &thread, const Step &step);
  void observe(const Thread &thread, const Step &step, unsigned operand) const;
  bool executeMemory(Thread &thread, const Step &step);
  bool executeControl(Thread &thread, const Step &step);
  bool executeVector(Thread &thread, const Step &step);
  bool atomicUpdate(Thread &thread, const Step &step);
  bool compareExchange(Thread &thread, const Step &step);
  bool address(Thread &thread, const Step &step);
  Scalar castAddress(const Thread &thread, const llvm::Instruction &cast, const Leaf &to,
                     Scalar value) const;
  void moveRow(Thread &thread, const Step &step, unsigned operand, unsigned from, unsigned to,
               unsigned count);
  bool jump(Thread &thread, unsigned target);
  bool call(Thread &thread, const Step &step);
  bool enter(Thread &thread, const llvm::Function &function, const Step *call);
  void leave(Thread &thread, const Step &step);

  // Memory.
  MemoryRegion *locate(Thread &thread, uint64_t address, uint64_t size);
  MemoryRegion *check(Thread &thread, Scalar address, uint64_t size, Access access, bool write);
  bool checkRace(Thread &thread, const MemoryRegion &region, uint64_t address, bool write,
                 bool atomic, bool changes);

  // Threads.
  bool startBlock(uint64_t linear, const llvm::Function &kernel);
  bool dispatchKernel(const llvm::Function &kernel);
  bool passArguments(Thread &thread, const llvm::Function &kernel);
  bool checkArguments(const llvm::Function &kernel);
  bool schedule(const llvm::Function &kernel);
  void makeRunnable(Thread &thread);
  bool release(Block &block, Thread &last);
  bool releaseBarrier(Block &block);
  void passBarrier(llvm::ArrayRef<Thread *> group, bool whole);
  llvm::MutableArrayRef<Thread> lanesOf(Block &block, unsigned warp) const;
  bool releaseWarp(Block &block, unsigned warp, bool &released);
  bool releaseWave(Block &block, unsigned wave);
  bool operate(llvm::ArrayRef<Thread *> group);
  void synchronise(llvm::ArrayRef<Thread *> group);
  bool exchange(llvm::ArrayRef<Thread *> group);
  void exchangeWarp(llvm::ArrayRef<Thread *> group);
  bool reportStuck();

  InterpreterOptions options;
  std::mt19937_64 random;
  RaceDetector races;
  std::list<Block> resident;
  std::vector<Thread *> runnable;
  std::optional<Fault> fault;
  const Thread *running = nullptr;
  uint64_t steps = 0;
  uint32_t waveSize = 32;
  bool yield = false;
};

} // namespace regrain
