//===- IssueTimes.cpp - How long a warp takes for machine code ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembler/IssueTimes.h"

#include "compiler/Target/NVPTX/Assembler/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned scoreboards = 6;

/// Cycles until the result of an instruction with a scoreboard is there.
constexpr uint64_t nearLatency = 35, farLatency = 280, otherLatency = 24;

/// What an instruction of 16 bytes says about its issue.
struct Instruction {
  unsigned opcode;
  unsigned cycles;                 ///< until the next instruction
  unsigned releases;               ///< the scoreboard of its result; `scoreboards` or more: none
  unsigned reads;                  ///< the scoreboard that is released when its operands are read
  unsigned waits;                  ///< the scoreboards that it waits for, one bit each
  std::optional<int64_t> distance; ///< of a branch, in bytes, from the next instruction
};

constexpr unsigned opcodeBits = 12, branch = 0x947;

/// Loads of global, local and generic memory, whose latency depends on where the data is: LDG, LDL
/// and LD.
constexpr std::array<unsigned, 3> loadOpcodes = {0x981, 0x983, 0x980};

bool isLoad(const Instruction &instruction) {
  return is_contained(loadOpcodes, instruction.opcode);
}

/// Returns whether the latency of the result is not fixed.
bool hasResult(const Instruction &instruction) { return instruction.releases < scoreboards; }

/// From 9.0 on, the lowest eight bits of a branch's distance stand apart from the others.
int64_t branchDistance(uint64_t low, uint64_t high, unsigned capability) {
  uint64_t words = low >> 34 | (high & maskTrailingOnes<uint64_t>(18)) << 30;
  int64_t distance =
      capability < 90 ? SignExtend64<48>(words) : SignExtend64<56>(words << 8 | (low >> 16 & 0xff));
  return distance * 4;
}

Instruction decode(const uint8_t *bytes, unsigned capability) {
  uint64_t low = support::endian::read64le(bytes), high = support::endian::read64le(bytes + 8);
  uint64_t control = high >> 41;
  Instruction result = {.opcode = unsigned(low & maskTrailingOnes<uint64_t>(opcodeBits)),
                        .cycles = std::max(1u, unsigned(control & 15)),
                        .releases = unsigned(control >> 5 & 7),
                        .reads = unsigned(control >> 8 & 7),
                        .waits = unsigned(control >> 11 & 63),
                        .distance = std::nullopt};
  if (result.opcode == branch)
    result.distance = branchDistance(low, high, capability);
  return result;
}

/// The issue of one warp's instructions.
class Warp {
public:
  explicit Warp(uint64_t loadLatency) : loadLatency(loadLatency) {}

  void issue(const Instruction &instruction) {
    for (unsigned board = 0; board < scoreboards; ++board)
      if (instruction.waits >> board & 1)
        now = std::max(now, released[board]);
    uint64_t done = now + (isLoad(instruction) ? loadLatency : otherLatency);
    if (isLoad(instruction)) // loads return in order
      done = lastLoad = std::max(done, lastLoad);
    if (instruction.releases < scoreboards)
      released[instruction.releases] = std::max(released[instruction.releases], done);
    if (instruction.reads < scoreboards)
      released[instruction.reads] = std::max(released[instruction.reads], now + readCycles);
    now += instruction.cycles;
  }

  uint64_t time() const { return now; }

private:
  static constexpr uint64_t readCycles = 8;

  uint64_t loadLatency, now = 0, lastLoad = 0;
  std::array<uint64_t, scoreboards> released = {};
};

/// Returns the cycles of the last of `repetitions`: what an iteration finds waiting from the one
/// before counts.
uint64_t cyclesOf(ArrayRef<Instruction> code, unsigned repetitions, uint64_t loadLatency) {
  Warp warp(loadLatency);
  uint64_t begin = 0;
  for (unsigned index = 0; index < repetitions; ++index) {
    begin = warp.time();
    for (const Instruction &instruction : code)
      warp.issue(instruction);
  }
  return warp.time() - begin;
}

IssueTimes timesOf(ArrayRef<Instruction> code, unsigned repetitions) {
  return {.instructions = unsigned(code.size()),
          .results = unsigned(count_if(code, hasResult)),
          .near = cyclesOf(code, repetitions, nearLatency),
          .far = cyclesOf(code, repetitions, farLatency)};
}

/// The instructions from a branch's target to the branch.
struct Range {
  size_t first, last;
  bool operator==(const Range &) const = default;
  bool holds(const Range &other) const {
    return *this != other && first <= other.first && other.last <= last;
  }
};

/// The loops that have no other inside, and those that have.
struct LoopRanges {
  SmallVector<Range> innermost, outer;
};

constexpr size_t instructionBytes = 16;

LoopRanges loopsOf(ArrayRef<Instruction> code) {
  SmallVector<Range> loops;
  for (auto [index, instruction] : enumerate(code)) {
    int64_t back = instruction.distance.value_or(0) / int64_t(instructionBytes) + 1;
    if (instruction.distance && back < 0 && size_t(-back) <= index)
      loops.push_back({index + back, index});
  }
  LoopRanges ranges;
  for (const Range &loop : loops) {
    bool holdsOther = any_of(loops, [&](const Range &other) { return loop.holds(other); });
    (holdsOther ? ranges.outer : ranges.innermost).push_back(loop);
  }
  return ranges;
}

/// Returns the results of the loop's instructions that are in none of the loops `innermost`.
unsigned ownResults(ArrayRef<Instruction> code, const Range &loop, ArrayRef<Range> innermost) {
  unsigned results = 0;
  for (size_t index = loop.first; index <= loop.last; ++index)
    results += hasResult(code[index]) &&
               none_of(innermost, [&](const Range &inner) { return inner.holds({index, index}); });
  return results;
}

bool isKnown(unsigned capability) { return capability >= 80 && capability <= 121; }

} // namespace

std::optional<KernelTimes> issueTimes(ArrayRef<uint8_t> bytes, unsigned capability) {
  if (!isKnown(capability) || bytes.empty() || bytes.size() % instructionBytes)
    return std::nullopt;
  SmallVector<Instruction> code;
  for (; !bytes.empty(); bytes = bytes.drop_front(instructionBytes))
    code.push_back(decode(bytes.data(), capability));
  KernelTimes times = {.whole = timesOf(code, 1), .loops = {}};
  constexpr unsigned repetitions = 3; // after which an iteration finds the same as the one before
  auto timesOfLoop = [&](const Range &loop) {
    return timesOf(ArrayRef(code).slice(loop.first, loop.last - loop.first + 1), repetitions);
  };
  LoopRanges ranges = loopsOf(code);
  for (const Range &loop : ranges.innermost)
    times.loops.push_back(timesOfLoop(loop));
  for (const Range &loop : ranges.outer) {
    times.outerLoops.push_back(timesOfLoop(loop));
    times.outerLoops.back().results = ownResults(code, loop, ranges.innermost);
  }
  return times;
}

StringMap<KernelTimes> issueTimesOf(ArrayRef<char> cubin, unsigned capability) {
  StringMap<KernelTimes> times;
  Expected<StringMap<ArrayRef<uint8_t>>> codes = codeOfFunctions(cubin);
  if (!codes) {
    consumeError(codes.takeError()); // another form of file than is known
    return times;
  }
  for (const auto &[symbol, code] : *codes)
    if (std::optional<KernelTimes> own = issueTimes(code, capability))
      times.try_emplace(symbol, std::move(*own));
  return times;
}

} // namespace regrain::nvptx
