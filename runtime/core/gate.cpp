//===- gate.cpp - The gate of the program's calls -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/gate.h"

#include "runtime/core/settings.h"

#include <pthread.h>

namespace regrain {
namespace {

thread_local bool isInside = false;

} // namespace

constinit std::atomic<Gate::Mode> Gate::mode = Mode::Unknown;

Gate &Gate::get() {
  static Gate *gate = new Gate; // lives as long as the process: calls come during its exit
  return *gate;
}

/// A forked child has one thread. It cannot use the devices of its parent, nor locks
/// that another thread of the parent may have held.
Gate::Mode Gate::decide() {
  Mode decided = Settings::get().isTuning ? Mode::Guarded : Mode::Open;
  if (decided == Mode::Guarded &&
      pthread_atfork(nullptr, nullptr, [] { mode.store(Mode::Open); }) != 0)
    say("pthread_atfork failed: a child process that the program forks may hang");
  Mode expected = Mode::Unknown;
  return mode.compare_exchange_strong(expected, decided) ? decided : expected;
}

bool Gate::enter() {
  Mode known = mode.load(std::memory_order_relaxed);
  if (isInside || (known == Mode::Unknown ? decide() : known) == Mode::Open)
    return false;
  stepIn();
  return true;
}

void Gate::leave() { static_cast<void>(stepOut()); }

void Gate::stepIn() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [this] { return !isClosed; });
  ++inside;
  isInside = true;
}

/// Returns whether the thread was inside. Its state in a parent process does not
/// count.
bool Gate::stepOut() {
  if (!isInside || mode.load(std::memory_order_relaxed) != Mode::Guarded)
    return false;
  isInside = false;
  std::lock_guard lock(mutex);
  --inside;
  if (isClosed)
    changed.notify_all();
  return true;
}

bool Gate::close(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex);
  isClosed = true;
  uint64_t own = isInside ? 1 : 0;
  bool isAlone = changed.wait_until(lock, deadline, [&] { return inside == own; });
  if (!isAlone) {
    isClosed = false;
    changed.notify_all();
  }
  return isAlone;
}

void Gate::open() {
  std::lock_guard lock(mutex);
  isClosed = false;
  changed.notify_all();
}

} // namespace regrain
