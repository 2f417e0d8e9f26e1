//===- Exchange.cpp - Barriers and warp operations ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

using namespace llvm;
using namespace regrain;

/// Must be called after `last` has stopped: releases all threads that waited
/// for it.
bool Machine::release(Block &block, Thread &last) {
  if (program.spaces().areSegmented())
    return releaseWave(block, last.clock.warp()) && releaseBarrier(block);
  for (bool released = true; released;)
    if (!releaseWarp(block, last.clock.warp(), released))
      return false;
  return releaseBarrier(block);
}

bool Machine::releaseBarrier(Block &block) {
  const Wait *first = nullptr;
  SmallVector<Thread *> group;
  bool mixed = false;
  for (Thread &thread : block.threads) {
    if (thread.state != Thread::Waiting || !isBarrier(thread.wait.kind))
      continue;
    if (!first)
      first = &thread.wait;
    if (thread.wait.b == first->b && thread.wait.kind == first->kind)
      group.push_back(&thread);
    mixed |= thread.wait.step != first->step;
  }
  if (group.empty())
    return true;
  uint64_t wanted = first->c ? first->c : block.live;
  if (group.size() < std::min<uint64_t>(wanted, block.live))
    return true;
  if (options.sameBarrier && mixed) {
    running = group.front();
    return fail(FaultKind::DivergentBarrier, "threads of a block wait at different barriers");
  }
  passBarrier(group, /*whole=*/group.size() == block.live);
  return true;
}

/// Releases the threads that meet at a barrier, each with their common result.
void Machine::passBarrier(ArrayRef<Thread *> group, bool whole) {
  unsigned set = 0;
  uint64_t undefined = 0;
  for (Thread *thread : group) {
    set += thread->wait.value.bits != 0;
    undefined |= thread->wait.value.undefined;
    thread->clock.interval += whole;
  }
  Collective kind = group.front()->wait.kind;
  for (Thread *thread : group) {
    if (kind != Collective::Barrier) {
      uint64_t result = kind == Collective::BarrierAnd  ? set == group.size()
                        : kind == Collective::BarrierOr ? set != 0
                                                        : set;
      write(*thread, *thread->wait.step, undefined ? unknown(32) : Scalar{result, 0});
    }
    makeRunnable(*thread);
  }
}

MutableArrayRef<Thread> Machine::lanesOf(Block &block, unsigned warp) const {
  MutableArrayRef<Thread> rest =
      MutableArrayRef<Thread>(block.threads).drop_front(size_t(warp) * waveSize);
  return rest.take_front(std::min<size_t>(rest.size(), waveSize));
}

bool Machine::releaseWarp(Block &block, unsigned warp, bool &released) {
  released = false;
  MutableArrayRef<Thread> lanes = lanesOf(block, warp);
  bool canRun = any_of(lanes, [](const Thread &lane) {
    return lane.state == Thread::Runnable && lane.turns < patience;
  });
  for (Thread &lane : lanes) {
    if (lane.state != Thread::Waiting || isBarrier(lane.wait.kind))
      continue;
    uint32_t mask = lane.wait.mask;
    if (mask == 0 && canRun)
      continue;
    SmallVector<Thread *> group;
    bool complete = true;
    for (Thread &other : lanes) {
      bool same = other.state == Thread::Waiting && other.wait.kind == lane.wait.kind &&
                  other.wait.mask == mask && (mask || other.wait.step == lane.wait.step);
      bool named = mask == 0 ? same : mask >> other.clock.lane() & 1;
      if (named && same)
        group.push_back(&other);
      complete &= !named || same || other.state == Thread::Exited;
    }
    if (!complete)
      continue;
    released = true;
    return exchange(group);
  }
  return true;
}

namespace {

struct Lanes {
  ArrayRef<Thread *> group;

  Thread *at(unsigned lane) const {
    for (Thread *thread : group)
      if (thread->clock.lane() == lane)
        return thread;
    return nullptr;
  }
  uint32_t mask() const {
    uint32_t mask = 0;
    for (const Thread *thread : group)
      mask |= 1u << thread->clock.lane();
    return mask;
  }
  uint32_t equalTo(uint64_t bits) const {
    uint32_t mask = 0;
    for (const Thread *thread : group)
      if (thread->wait.value.bits == bits)
        mask |= 1u << thread->clock.lane();
    return mask;
  }
};

/// PTX: shfl.sync. The lane that is read, and whether it lies in the segment.
std::pair<unsigned, bool> shuffleSource(Collective kind, unsigned lane, uint32_t b, uint32_t c) {
  uint32_t clamp = c & 31, segment = c >> 8 & 31;
  int32_t lowest = lane & segment, limit = lowest | (clamp & ~segment);
  int32_t offset = b & 31, source = 0;
  bool inside = false;
  switch (kind) {
  case Collective::ShuffleUp:
    source = int32_t(lane) - offset;
    inside = source >= limit;
    break;
  case Collective::ShuffleDown:
    source = int32_t(lane) + offset;
    inside = source <= limit;
    break;
  case Collective::ShuffleXor:
    source = int32_t(lane) ^ offset;
    inside = source <= limit;
    break;
  default:
    source = lowest | int32_t(offset & ~segment);
    inside = source <= limit;
    break;
  }
  return {inside ? unsigned(source) : lane, inside};
}

uint32_t combine(Collective kind, uint32_t a, uint32_t b) {
  switch (kind) {
  case Collective::ReduceAdd:
    return a + b;
  case Collective::ReduceMin:
    return std::min(int32_t(a), int32_t(b));
  case Collective::ReduceMax:
    return std::max(int32_t(a), int32_t(b));
  case Collective::ReduceUMin:
    return std::min(a, b);
  case Collective::ReduceUMax:
    return std::max(a, b);
  case Collective::ReduceAnd:
    return a & b;
  case Collective::ReduceOr:
    return a | b;
  default:
    return a ^ b;
  }
}

/// Returns the result of a vote, match or reduction for `self`, and its
/// predicate.
std::pair<uint64_t, bool> agree(const Lanes &lanes, const Thread &self) {
  uint32_t all = lanes.mask(), unset = lanes.equalTo(0);
  switch (self.wait.kind) {
  case Collective::VoteAll:
    return {unset == 0, false};
  case Collective::VoteAny:
    return {unset != all, false};
  case Collective::VoteUniform:
    return {unset == 0 || unset == all, false};
  case Collective::Ballot:
    return {all & ~unset, false};
  case Collective::MatchAny:
    return {lanes.equalTo(self.wait.value.bits), false};
  case Collective::MatchAll: {
    bool same = lanes.equalTo(self.wait.value.bits) == all;
    return {same ? all : 0, same};
  }
  default: {
    uint32_t result = lanes.group.front()->wait.value.bits;
    for (const Thread *thread : lanes.group.drop_front())
      result = combine(self.wait.kind, result, thread->wait.value.bits);
    return {result, false};
  }
  }
}

bool isShuffle(Collective kind) {
  return kind >= Collective::ShuffleIndex && kind <= Collective::ShuffleXor;
}

} // namespace

void Machine::exchangeWarp(ArrayRef<Thread *> group) {
  Lanes lanes{group};
  uint64_t undefined = 0;
  for (const Thread *thread : group)
    undefined |= thread->wait.value.undefined;
  for (Thread *thread : group) {
    const Wait &wait = thread->wait;
    Scalar value;
    bool predicate = false;
    if (isShuffle(wait.kind)) {
      auto [source, inside] = shuffleSource(wait.kind, thread->clock.lane(), wait.b, wait.c);
      const Thread *from = lanes.at(source);
      value = from ? from->wait.value : unknown(32);
      predicate = inside;
    } else {
      auto [bits, flag] = agree(lanes, *thread);
      value = undefined ? unknown(wait.step->leaves[0].width) : Scalar{bits, 0};
      predicate = flag;
    }
    write(*thread, *wait.step, value);
    if (wait.step->leaves.size() == 2)
      write(*thread, *wait.step, {predicate, 0}, 1);
  }
}

bool Machine::exchange(ArrayRef<Thread *> group) {
  if (group.front()->wait.kind == Collective::Lanes)
    return operate(group);
  if (group.front()->wait.kind != Collective::WarpSync)
    exchangeWarp(group);
  synchronise(group);
  return true;
}

/// Releases lanes, with each of them ordered after what the others did before.
void Machine::synchronise(ArrayRef<Thread *> group) {
  auto seen = group.front()->clock.seen;
  for (const Thread *thread : group.drop_front())
    for (auto [known, other] : zip_equal(seen, thread->clock.seen))
      known = std::max(known, other);
  for (Thread *thread : group) {
    thread->clock.seen = seen;
    ++thread->clock.seen[thread->clock.lane()];
    makeRunnable(*thread);
  }
}
