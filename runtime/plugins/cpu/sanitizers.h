//===- sanitizers.h - The program's sanitizer -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of AddressSanitizer and ThreadSanitizer that are called, if the program
// was built with one of them. The plugin itself is not instrumented.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace regrain::cpu {

struct SanitizerCalls {
  bool isThere = false; ///< some sanitizer of memory or threads

  /// AddressSanitizer; null without it.
  void (*unpoison)(const volatile void *, size_t) = nullptr;

  /// ThreadSanitizer; all are null without it.
  void *(*currentFiber)() = nullptr;
  void *(*createFiber)(unsigned) = nullptr;
  void (*destroyFiber)(void *) = nullptr;
  void (*switchToFiber)(void *, unsigned) = nullptr;
  void (*acquire)(void *) = nullptr;
  void (*release)(void *) = nullptr;
  void (*ignoreBegin)(const char *, int) = nullptr;
  void (*ignoreEnd)(const char *, int) = nullptr;

  static const SanitizerCalls &get();

  bool seesThreads() const { return currentFiber != nullptr; }
};

/// During the lifetime of this object, ThreadSanitizer does not see what the thread allocates and
/// frees as accesses.
class UnseenMemory {
public:
  UnseenMemory();
  ~UnseenMemory();
  UnseenMemory(const UnseenMemory &) = delete;
  UnseenMemory &operator=(const UnseenMemory &) = delete;
};

/// Orders memory between threads that meet at `point`, for ThreadSanitizer alone.
void releaseAt(void *point);
void acquireAt(void *point);

} // namespace regrain::cpu
