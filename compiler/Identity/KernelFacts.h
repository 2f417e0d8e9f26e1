//===- KernelFacts.h - Facts of a kernel over all its compiles --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/memory_use.h"
#include <optional>
#include <string>

namespace regrain {

/// The facts that choices and the tuner need of a kernel. They hold for all device compiles of its
/// file.
struct KernelFacts {
  std::string hash; ///< of its content (KernelHash.h)
  /// Why launches cannot be repeated on the same memory (Replay.h); nothing if they can.
  std::optional<std::string> notReplayable;
  unsigned maxThreads = 0;     ///< the largest launch bounds; 0 if a compile has none
  bool mayAllocate = true;     ///< it may allocate memory on the device (Replay.h)
  bool usesSystemScope = true; ///< it synchronises with what runs outside its device (Replay.h)
  bool readsSharedSize = true; ///< it may read how much shared memory a launch has (Replay.h)
  /// How it uses memory (Analysis/MemoryUse.h); unknown if grain IR was not asked for.
  MemoryUse memory = MemoryUse::unknown();
};

} // namespace regrain
