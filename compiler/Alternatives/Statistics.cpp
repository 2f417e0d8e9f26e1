//===- Statistics.cpp - What a thread of a kernel does --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Statistics.h"

#include "compiler/Alternatives/Limits.h"
#include "compiler/Alternatives/Model.h"
#include "compiler/Alternatives/Strides.h"
#include "compiler/Alternatives/ThreadStride.h"
#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/BankConflicts.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace regrain;

double Count::at(double trips) const {
  double sum = 0;
  for (const auto &[loops, coefficient] : terms) {
    double product = coefficient;
    for (size_t i = 0; i < loops.size(); ++i)
      product *= trips;
    sum += product;
  }
  return sum;
}

std::string Count::text() const {
  std::string sum;
  for (const auto &[loops, coefficient] : terms) {
    std::string product;
    llvm::raw_string_ostream(product) << llvm::format("%.10g", coefficient);
    for (unsigned loop : loops)
      product += "*n" + std::to_string(loop);
    sum += (sum.empty() ? "" : " + ") + product;
  }
  return sum.empty() ? "0" : sum;
}

KnownLaunch Joinable::alignedFor(uint32_t joined) const {
  KnownLaunch known;
  known.pointers = std::min(widestAccess, joined * most);
  if (uint32_t factor = std::min(joined, widestAccess / least); factor > 1)
    for (uint32_t parameter : strides)
      known.multiples[parameter] = factor;
  return known;
}

KnownLaunch Joinable::dividedFor(uint32_t joined) const {
  KnownLaunch known;
  known.pointers = alignedFor(joined).pointers;
  for (uint32_t parameter : divisors)
    known.multiples[parameter] = joined;
  return known;
}

CoordinateUse regrain::coordinateUse(grain::KernelOp kernel) {
  CoordinateUse use;
  auto mark = [](std::array<bool, 3> &read, Block &body) {
    for (auto [dimension, coordinate] : llvm::enumerate(body.getArguments()))
      read[dimension] |=
          llvm::any_of(coordinate.getUsers(), [](Operation *user) { return !isBarrier(user); });
  };
  kernel.walk([&](grain::BlocksOp blocks) { mark(use.block, blocks.getBody().front()); });
  kernel.walk([&](grain::ThreadsOp threads) { mark(use.thread, threads.getBody().front()); });
  return use;
}

namespace {

constexpr double callArithmetic = 10;
/// The assumed share of the threads for which an equation of their coordinates holds.
constexpr double fewThreads = 1.0 / 16;
/// The share of loads from which on a kernel counts as one that scatters its loads.
constexpr double manyLoads = 0.25;
/// The bytes that a GPU fetches together.
constexpr int64_t sectorBytes = 32;

/// How often code runs for one thread: `times` for each trip of `loops`.
struct Frequency {
  double times = 1;
  std::vector<unsigned> loops;
};

class Collector {
public:
  Collector(grain::KernelOp kernel, Statistics &statistics)
      : kernel(kernel), uniformity(kernel), accesses(kernel), statistics(statistics) {}

  void run() {
    kernel.walk([&](grain::ThreadsOp nest) {
      threads = nest.getBody().getArguments();
      visit(nest.getBody(), Frequency(), 0);
      nest.walk([&](Operation *op) {
        if (ThreadStride(uniformity, threads[0], 0).dividesNeighbours(op))
          addStrides(kernel, op->getOperand(1), widestAccess, ofDivisors);
      });
    });
    chooseMultiples();
    countHeld();
    double often = scattered.at(assumedTrips);
    statistics.scattersLoads = often > 0 && often >= manyLoads * loads.at(assumedTrips);
  }

private:
  static uint8_t coordinates(Dependence dependence) {
    return uint8_t(dependence & (Dependence::Blocks | Dependence::Threads));
  }

  uint8_t dependenceOf(Operation *op) const {
    uint8_t mask = 0;
    for (Value operand : op->getOperands())
      mask |= coordinates(uniformity.of(operand));
    return mask;
  }

  void add(Work kind, uint8_t mask, const Frequency &frequency, double times = 1) {
    statistics.work[mask][unsigned(kind)].terms[frequency.loops] += times * frequency.times;
  }

  void visit(Region &region, const Frequency &frequency, uint8_t control) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(op, frequency, control);
  }

  void visit(Operation &op, const Frequency &frequency, uint8_t control) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      add(Work::Branch, dependenceOf(&op) | control, frequency);
      Frequency inside = frequency;
      inside.times *= isForFew(branch) ? fewThreads : branch.getElseRegion().empty() ? 1 : 0.5;
      for (Region &region : op.getRegions())
        visit(region, inside, control);
    } else if (isa<LoopLikeOpInterface>(op)) {
      visitLoop(op, frequency, control | coordinates(uniformity.ofControl(&op)));
    } else if (op.getNumRegions()) {
      for (Region &region : op.getRegions())
        visit(region, frequency, control);
    } else {
      count(op, frequency, control);
    }
  }

  /// Returns whether few threads take the branch, as in if (threadIdx.x == 0).
  bool isForFew(scf::IfOp branch) const {
    auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
    return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
           overlap(uniformity.of(branch.getCondition()), Dependence::Threads);
  }

  void visitLoop(Operation &op, const Frequency &frequency, uint8_t control) {
    Frequency inside = frequency;
    if (std::optional<double> trips = tripsOf(op))
      inside.times *= *trips;
    else
      inside.loops.push_back(++unknownLoops);
    add(Work::Branch, control, inside);
    for (Region &region : op.getRegions())
      visit(region, inside, control);
  }

  void count(Operation &op, const Frequency &frequency, uint8_t control) {
    uint8_t mask = dependenceOf(&op) | control;
    if (isBarrier(&op)) {
      add(Work::Barrier, control, frequency);
    } else if (isa<LLVM::CallOp>(op)) {
      add(Work::Arithmetic, mask, frequency, callArithmetic);
    } else if (std::optional<Access> access = accesses.of(&op)) {
      countAccess(*access, mask, frequency);
    } else if (op.getNumResults() && isMemoryEffectFree(&op) &&
               !op.hasTrait<OpTrait::ConstantLike>() && !op.hasTrait<OpTrait::IsTerminator>() &&
               !isa<grain::GrainDialect>(op.getDialect())) {
      add(Work::Arithmetic, mask, frequency);
    }
  }

  void countAccess(const Access &access, uint8_t mask, const Frequency &frequency) {
    switch (access.kind) {
    case Base::Stack:
    case Base::ByValue:
      return;
    case Base::Shared:
    case Base::DynamicShared:
      return add(Work::Shared, mask, frequency);
    case Base::Parameter:
    case Base::Variable:
    case Base::Unknown:
      break;
    }
    add(Work::Global, mask, frequency);
    Value address;
    if (auto load = dyn_cast<LLVM::LoadOp>(access.op))
      address = load.getAddr();
    else if (auto store = dyn_cast<LLVM::StoreOp>(access.op))
      address = store.getAddr();
    if (access.reads && address)
      countLoad(address, frequency);
    if (!address || !access.size)
      return;
    for (auto [dimension, coordinate] : llvm::enumerate(threads)) {
      std::optional<int64_t> stride = ThreadStride(uniformity, coordinate, dimension).of(address);
      bool isJoinable = dimension == 0 && !access.isOrdered && access.kind == Base::Parameter &&
                        *access.size <= 8;
      if (isJoinable && stride && *stride > *access.size && *stride % (2 * *access.size) == 0)
        join(statistics.ownJoinable, ofOwn, address, uint32_t(*access.size));
      if (stride != access.size)
        continue;
      statistics.consecutive[mask][dimension].terms[frequency.loops] += frequency.times;
      statistics.isWidenable |= dimension == 0 && !access.isOrdered && *access.size <= 8;
      if (isJoinable)
        join(statistics.joinable, ofNeighbours, address, uint32_t(*access.size));
    }
  }

  void countLoad(Value address, const Frequency &frequency) {
    loads.terms[frequency.loops] += frequency.times;
    if (!overlap(uniformity.of(address), Dependence::ThreadX))
      return;
    std::optional<int64_t> stride = ThreadStride(uniformity, threads[0], 0).of(address);
    if (!stride || std::abs(*stride) > sectorBytes)
      scattered.terms[frequency.loops] += frequency.times;
  }

  /// Chooses few parameters that make addresses aligned, and few that also make divisors multiples.
  void chooseMultiples() {
    statistics.ownJoinable.strides = chooseStrides(ofOwn);
    Joinable &joinable = statistics.joinable;
    joinable.strides = chooseStrides(ofNeighbours);
    if (ofDivisors.empty() || !joinable.isAny())
      return;
    ofDivisors.insert(ofNeighbours.begin(), ofNeighbours.end());
    joinable.divisors = chooseStrides(ofDivisors);
  }

  void join(Joinable &all, StrideChoices &choices, Value address, uint32_t bytes) {
    all.least = all.isAny() ? std::min(all.least, bytes) : bytes;
    all.most = std::max(all.most, bytes);
    addStrides(kernel, address, widestAccess / bytes, choices);
  }

  /// Counts the values at the start of the block where most are live.
  void countHeld() {
    Liveness liveness(kernel);
    unsigned most = 0;
    kernel.walk([&](Block *block) {
      std::map<uint8_t, unsigned> held;
      unsigned sum = 0;
      auto hold = [&](Value value) {
        if (Operation *op = value.getDefiningOp(); op && op->hasTrait<OpTrait::ConstantLike>())
          return;
        unsigned registers = isWide(value.getType()) ? 2 : 1;
        held[coordinates(uniformity.of(value))] += registers;
        sum += registers;
      };
      llvm::for_each(liveness.getLiveIn(block), hold);
      llvm::for_each(block->getArguments(), hold);
      if (sum > most) {
        most = sum;
        statistics.held = std::move(held);
      }
    });
  }

  static bool isWide(Type type) {
    return isa<LLVM::LLVMPointerType, IndexType>(type) ||
           (type.isIntOrFloat() && type.getIntOrFloatBitWidth() > 32);
  }

  grain::KernelOp kernel;
  Uniformity uniformity;
  Accesses accesses;
  Statistics &statistics;
  Block::BlockArgListType threads; ///< coordinates
  unsigned unknownLoops = 0;
  Count loads, scattered; ///< of global memory
  StrideChoices ofNeighbours, ofOwn, ofDivisors;
};

/// Returns whether the kernel has a barrier, or memory that a block has in common.
bool blocksCooperate(grain::KernelOp kernel) {
  WalkResult found = kernel.walk([](Operation *op) {
    return isBarrier(op) || isa<grain::SharedOp, grain::DynamicSharedOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Returns whether atomic operations whose results nobody uses update a shared array.
bool accumulatesInShared(grain::KernelOp kernel) {
  WalkResult found = kernel.walk([](LLVM::AtomicRMWOp update) {
    Operation *base = update.getPtr().getDefiningOp();
    while (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(base))
      base = base->getOperand(0).getDefiningOp();
    bool isShared = isa_and_nonnull<grain::SharedOp, grain::DynamicSharedOp>(base);
    return isShared && update.getRes().use_empty() ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Returns the bytes of arrays whose size is known.
uint64_t bytesOfArrays(grain::KernelOp kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  uint64_t bytes = 0;
  kernel.walk([&](LLVM::AllocaOp array) {
    APInt count;
    if (matchPattern(array.getArraySize(), m_ConstantInt(&count)))
      bytes += layout.getTypeSize(array.getElemType()).getFixedValue() * count.getLimitedValue();
  });
  return bytes;
}

} // namespace

bool regrain::hasLoopOfUnknownLength(const Statistics &statistics) {
  return llvm::any_of(statistics.work, [](const auto &work) {
    return llvm::any_of(work.second, [](const Count &count) {
      return llvm::any_of(count.terms, [](const auto &term) { return !term.first.empty(); });
    });
  });
}

Statistics regrain::statisticsOf(grain::KernelOp kernel, unsigned launchBounds) {
  Statistics statistics;
  statistics.use = coordinateUse(kernel);
  statistics.mostThreads = launchBounds;
  statistics.sharedBytes = sizeOf(kernel, launchBounds, Grain()).staticSharedBytes;
  statistics.arrayBytes = bytesOfArrays(kernel);
  statistics.loops = loopFactsOf(kernel);
  statistics.meetsPointers = mayMeetInMemory(kernel);
  statistics.pairsNumbers = convertsCodes(kernel);
  statistics.sumsInLoops = hasSumsInLoops(kernel);
  statistics.accumulatesShared = accumulatesInShared(kernel);
  Collector(kernel, statistics).run();
  std::vector<BankAccess> ofShared = bankAccessesOf(kernel);
  if (const BankAccess *worst = worstConflict(ofShared))
    statistics.worstConflict = {worst->ways(), positionInKernel(worst->op).line};
  bool lanesCooperate = ThreadSummary(kernel).findWarpOperation();
  statistics.cooperates = lanesCooperate || blocksCooperate(kernel);
  statistics.isWidenable &= !lanesCooperate;
  if (lanesCooperate)
    statistics.joinable = {};
  return statistics;
}

std::string regrain::describe(const Statistics &statistics) {
  constexpr const char *names[workKinds] = {"arithmetic operations", "global accesses",
                                            "shared accesses", "branches", "barriers"};
  std::string text;
  for (unsigned kind = 0; kind < workKinds; ++kind) {
    Count all;
    for (const auto &[mask, counts] : statistics.work)
      for (const auto &[loops, coefficient] : counts[kind].terms)
        all.terms[loops] += coefficient;
    text += (kind ? ", " : "") + all.text() + " " + names[kind];
  }
  if (const BankConflict &worst = statistics.worstConflict; worst.ways > 1) {
    text += "; " + std::to_string(worst.ways) + "-way bank conflicts of shared memory";
    text += worst.line ? " in line " + std::to_string(worst.line) : "";
  }
  if (statistics.gainsByBlock) {
    const Factors &block = *statistics.seenBlock;
    text += "; fewer if the block is known to be " + std::to_string(block[0]) + "x" +
            std::to_string(block[1]) + "x" + std::to_string(block[2]) +
            ", as in this file's launches";
  }
  return text;
}
