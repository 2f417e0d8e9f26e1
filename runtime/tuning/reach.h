//===- reach.h - Memory that a launch can reach -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch is repeated only if all memory that it can reach is saved and restored, and
// if no other code uses that memory meanwhile. The gate (core/gate.h) stops the
// program's calls, but neither stores of host threads to memory that they share with
// kernels, nor users of memory that was obtained without this runtime. The memory that
// a launch can reach is therefore proved from its arguments, the compiler's facts
// about the kernel and the list of allocations; without a proof, the launch is not
// repeated. One that reaches memory of other allocators may be repeated on copies.
//
// See docs/decisions/0042-what-a-sampled-launch-can-reach.md and
// docs/decisions/0122-memory-of-other-allocators.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/allocations.h"
#include "runtime/core/device.h"

#include <functional>
#include <string>
#include <vector>

namespace regrain {

/// Eight bytes of the arguments that may be an address.
struct ArgumentWord {
  uint32_t parameter;
  bool isPointer; ///< the parameter is a pointer; otherwise the word is a part of a structure
  uintptr_t value;
};

/// A launch and its surroundings while nothing else in the process uses the device.
struct LaunchSurroundings {
  std::vector<ArgumentWord> words;
  /// True only if it is proved: no memory is accessed but module variables, and memory to
  /// which words of the arguments point.
  bool staysInArguments = false;
  bool usesSystemScope = true;   ///< the host or another device may take part in atomic operations
  std::vector<Allocation> owned; ///< on the launch's device
  std::vector<Allocation> elsewhere; ///< on other devices
  bool hasTextureOfHost = false;     ///< a texture reads memory that is not the device's own
  bool hasTextures = false;
  bool mayWriteVariables = true; ///< of modules
  bool mayHaveHeap = false;      ///< kernels may have allocated memory
  bool reachesAllOfHost = false; ///< kernels may access memory that was never registered
  size_t otherThreads = 0;       ///< threads that may run code of the program meanwhile
  /// Returns whether a kernel may access memory at the address, which is in no
  /// allocation.
  std::function<bool(uintptr_t)> isForeign = [](uintptr_t) { return true; };
  /// Gives the extent of memory that is in no list; see TunableKernel::memoryExtent.
  std::function<bool(uintptr_t, MemoryExtent &, std::string &)> memoryExtent =
      [](uintptr_t, MemoryExtent &, std::string &) { return false; };
};

/// Returns why the launch cannot be repeated; empty if it can, provided that all of
/// `owned` for which isSaved() holds is saved.
[[nodiscard]] std::string whyNotIsolated(const LaunchSurroundings &launch);

/// Returns whether a word of the arguments points to memory that is in no list.
[[nodiscard]] bool reachesOtherAllocators(const LaunchSurroundings &launch);

/// Returns why such a launch cannot be repeated on copies of what its arguments reach; empty if it
/// can. Then `extents` has all memory to copy, sorted and without overlaps.
[[nodiscard]] std::string whyNotOnCopies(const LaunchSurroundings &launch,
                                         std::vector<MemoryExtent> &extents);

/// Returns whether memory is saved before a launch. Managed memory is, unless
/// another thread can use it meanwhile; in that case a launch that may reach it is
/// not isolated.
[[nodiscard]] bool isSaved(const LaunchSurroundings &launch, const Allocation &memory);

/// Returns the allocations that contain the address or end at it.
[[nodiscard]] std::vector<const Allocation *> findAround(const std::vector<Allocation> &memory,
                                                         uintptr_t address);

} // namespace regrain
