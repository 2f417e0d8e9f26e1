//===- sanitizers.cpp - The program's sanitizer ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/sanitizers.h"

#include <dlfcn.h>
#include <initializer_list>

namespace regrain::cpu {
namespace {

template <typename Function> void find(Function *&function, const char *name) {
  function = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

SanitizerCalls findCalls() {
  SanitizerCalls calls;
  for (const char *symbol : {"__asan_init", "__tsan_init", "__msan_init"})
    calls.isThere |= dlsym(RTLD_DEFAULT, symbol) != nullptr;
  find(calls.unpoison, "__asan_unpoison_memory_region");
  find(calls.currentFiber, "__tsan_get_current_fiber");
  find(calls.createFiber, "__tsan_create_fiber");
  find(calls.destroyFiber, "__tsan_destroy_fiber");
  find(calls.switchToFiber, "__tsan_switch_to_fiber");
  find(calls.acquire, "__tsan_acquire");
  find(calls.release, "__tsan_release");
  find(calls.ignoreBegin, "AnnotateIgnoreWritesBegin");
  find(calls.ignoreEnd, "AnnotateIgnoreWritesEnd");
  return calls;
}

} // namespace

const SanitizerCalls &SanitizerCalls::get() {
  static const SanitizerCalls calls = findCalls();
  return calls;
}

UnseenMemory::UnseenMemory() {
  if (SanitizerCalls::get().ignoreBegin)
    SanitizerCalls::get().ignoreBegin(__FILE__, __LINE__);
}

UnseenMemory::~UnseenMemory() {
  if (SanitizerCalls::get().ignoreEnd)
    SanitizerCalls::get().ignoreEnd(__FILE__, __LINE__);
}

void releaseAt(void *point) {
  if (SanitizerCalls::get().release)
    SanitizerCalls::get().release(point);
}

void acquireAt(void *point) {
  if (SanitizerCalls::get().acquire)
    SanitizerCalls::get().acquire(point);
}

} // namespace regrain::cpu
