//===- Waves.cpp - Lanes that meet where an instruction crosses them ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

using namespace llvm;
using namespace regrain;

/// Returns a negative number if `a` precedes `b` in the order in which a wave
/// runs, and 0 if both are in the same dynamic instance of an instruction.
static int compare(const Thread &a, const Thread &b) {
  for (auto [frame, other] : zip(a.frames, b.frames)) {
    if (frame.function != other.function)
      return frame.function < other.function ? -1 : 1;
    int blocks = frame.function->order->compare(frame.iterations, frame.block, other.iterations,
                                                other.block);
    if (blocks != 0)
      return blocks;
    if (frame.step != other.step)
      return frame.step < other.step ? -1 : 1;
  }
  return int(a.frames.size()) - int(b.frames.size());
}

/// Must be called when all lanes of a wave have stopped: releases those that
/// come first in the order.
bool Machine::releaseWave(Block &block, unsigned wave) {
  MutableArrayRef<Thread> lanes = lanesOf(block, wave);
  SmallVector<Thread *> group;
  unsigned live = 0;
  for (Thread &lane : lanes) {
    if (lane.state == Thread::Runnable)
      return true;
    if (lane.state == Thread::Exited)
      continue;
    ++live;
    int order = group.empty() ? 0 : compare(lane, *group.front());
    if (order < 0)
      group.clear();
    if (order <= 0)
      group.push_back(&lane);
  }
  if (group.empty())
    return true;
  if (group.front()->wait.kind == Collective::Lanes)
    return operate(group);
  if (group.size() == live)
    return true;
  running = group.front();
  return fail(FaultKind::DivergentBarrier,
              Twine(group.size()) + " of the " + Twine(live) +
                  " lanes of a wave that have not ended wait at a barrier");
}

bool Machine::operate(ArrayRef<Thread *> group) {
  SmallVector<Thread *> lanes(waveSize);
  for (Thread *thread : group)
    lanes[thread->clock.lane()] = thread;
  const Wait &wait = group.front()->wait;
  running = group.front();
  if (!(*wait.operation)(*this, lanes, *wait.step))
    return false;
  synchronise(group);
  return true;
}
