//===- thread_fibers.cpp - CUDA threads for ThreadSanitizer ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/thread_fibers.h"

#include "runtime/plugins/cpu/sanitizers.h"

namespace regrain::cpu {
namespace {

constexpr unsigned unordered = 1; // a switch orders no memory

/// Runs `action` as one of the fibers.
template <typename Action> void runAs(void *fiber, Action action) {
  const SanitizerCalls &calls = SanitizerCalls::get();
  void *here = calls.currentFiber();
  calls.switchToFiber(fiber, unordered);
  action();
  calls.switchToFiber(here, unordered);
}

} // namespace

ThreadFibers::Fiber &ThreadFibers::fiberOf(uint32_t thread) {
  if (thread >= fibers.size())
    fibers.resize(thread + 1);
  if (!fibers[thread].handle)
    fibers[thread].handle = SanitizerCalls::get().createFiber(0);
  return fibers[thread];
}

void ThreadFibers::enter(uint32_t thread) {
  const SanitizerCalls &calls = SanitizerCalls::get();
  if (!calls.seesThreads())
    return;
  Fiber &fiber = fiberOf(thread);
  worker = calls.currentFiber();
  calls.switchToFiber(fiber.handle, unordered);
  if (fiber.meeting) {
    UnseenMemory freed;
    calls.acquire(fiber.meeting.get());
    fiber.meeting = nullptr;
  }
  calls.release(&recorded);
}

void ThreadFibers::leave() {
  if (worker)
    SanitizerCalls::get().switchToFiber(worker, unordered);
  worker = nullptr;
}

void ThreadFibers::meet(uint32_t thread, bool isFirst) {
  if (!SanitizerCalls::get().seesThreads())
    return;
  UnseenMemory renewed;
  if (isFirst)
    meeting = std::make_shared<char>();
  Fiber &fiber = fiberOf(thread);
  fiber.meeting = meeting;
  runAs(fiber.handle, [&] { SanitizerCalls::get().release(meeting.get()); });
}

void ThreadFibers::end(void *point) {
  leave();
  for (Fiber &fiber : fibers) {
    if (!fiber.handle)
      continue;
    runAs(fiber.handle, [&] { SanitizerCalls::get().release(point); });
    SanitizerCalls::get().destroyFiber(fiber.handle);
  }
  UnseenMemory freed;
  fibers.clear();
  meeting = nullptr;
}

} // namespace regrain::cpu
