//===- reach.h - What memory a launch can reach -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch is repeated only where all memory that it can reach is saved and restored,
// and where nobody else uses that memory meanwhile. The gate (core/gate.h) keeps calls
// of the program away; it stops neither what host threads store to memory that they
// share with kernels, nor anybody who was given memory without this runtime. So what a
// launch can reach is proved from its arguments, the compiler's fact about the kernel
// and the list of allocations; what is not proved refuses.
//
// See docs/decisions/0042-what-a-sampled-launch-can-reach.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/allocations.h"

#include <functional>
#include <string>
#include <vector>

namespace regrain {

/// Eight bytes of the arguments that may be an address.
struct ArgumentWord {
  uint32_t parameter;
  bool isPointer; ///< the parameter is a pointer; else the word is a part of a structure
  uintptr_t value;
};

/// A launch, and what is around it while nothing else of the process uses the device.
struct LaunchSurroundings {
  std::vector<ArgumentWord> words;
  /// Proved: no memory is accessed but what words of the arguments point into, and module
  /// variables.
  bool staysInArguments = false;
  std::vector<Allocation> owned;     ///< on the launch's device
  std::vector<Allocation> elsewhere; ///< on other devices
  bool mayHaveHeap = false;          ///< kernels may have allocated memory
  bool reachesAllOfHost = false;     ///< kernels may access memory that was never registered
  size_t otherThreads = 0;           ///< that may run code of the program's meanwhile
  /// Whether a kernel may access memory at the address, which is in no allocation.
  std::function<bool(uintptr_t)> isForeign = [](uintptr_t) { return true; };
};

/// Why the launch cannot be repeated; empty where it can be, once all of `owned` is saved
/// that isSaved() holds for.
[[nodiscard]] std::string whyNotIsolated(const LaunchSurroundings &launch);

/// Memory that is saved before a launch. Managed memory is where no other thread can
/// use it meanwhile; where one can, a launch that may reach it is not isolated.
[[nodiscard]] bool isSaved(const LaunchSurroundings &launch, const Allocation &memory);

/// The allocations that an address points into or to the end of.
[[nodiscard]] std::vector<const Allocation *> findAround(const std::vector<Allocation> &memory,
                                                         uintptr_t address);

} // namespace regrain
