//===- reach.cpp - Memory that a launch can reach -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/reach.h"

#include <algorithm>

namespace regrain {
namespace {

bool isManaged(const Allocation &memory) {
  return memory.kind == MemoryKind::Managed || memory.kind == MemoryKind::ManagedVariable;
}

bool isOfHost(const Allocation &memory) {
  return memory.kind == MemoryKind::Pinned || memory.kind == MemoryKind::Mapped;
}

bool isShared(const Allocation &memory) { return memory.kind == MemoryKind::Shared; }

std::string threadsText(size_t count) {
  return std::to_string(count) + (count == 1 ? " other thread" : " other threads") +
         " of the program may use during a measurement";
}

/// Returns "argument 2 points to" or "argument 0 holds an address of".
std::string wordText(const ArgumentWord &word) {
  return "argument " + std::to_string(word.parameter) +
         (word.isPointer ? " points to" : " holds an address of");
}

/// Returns what keeps the memory behind one word of the arguments from being saved; empty if
/// nothing does.
std::string whyNotIsolated(const LaunchSurroundings &launch, const ArgumentWord &word) {
  if (!word.value)
    return {};
  std::vector<const Allocation *> memory = findAround(launch.owned, word.value);
  if (memory.empty() && !findAround(launch.elsewhere, word.value).empty())
    return wordText(word) + " memory of another device";
  if (memory.empty() && (word.isPointer || launch.isForeign(word.value)))
    return wordText(word) + " memory that Regrain's runtime did not allocate, and cannot restore";
  for (const Allocation *each : memory) {
    if (isOfHost(*each))
      return wordText(word) +
             " page-locked host memory, which the program may change during a measurement";
    if (isShared(*each))
      return wordText(word) +
             " memory that another process may change during a measurement (cudaIpcGetMemHandle)";
    if (isManaged(*each) && launch.otherThreads)
      return wordText(word) + " managed memory, which " + threadsText(launch.otherThreads);
  }
  return {};
}

/// Returns what keeps the memory of a kernel that loads addresses from being saved,
/// beside its device's memory.
std::string whyNotIsolatedAnywhere(const LaunchSurroundings &launch) {
  const std::string loads = "the kernel may use more memory than its arguments point to, and ";
  if (std::any_of(launch.owned.begin(), launch.owned.end(), isOfHost) ||
      std::any_of(launch.elsewhere.begin(), launch.elsewhere.end(), isOfHost))
    return loads + "the program has page-locked memory, which it may change during a measurement";
  if (std::any_of(launch.owned.begin(), launch.owned.end(), isShared))
    return loads + "another process may change memory of the program during a measurement";
  if (!launch.elsewhere.empty())
    return loads + "the program has memory on another device";
  if (launch.otherThreads && std::any_of(launch.owned.begin(), launch.owned.end(), isManaged))
    return loads + "the program has managed memory, which " + threadsText(launch.otherThreads);
  if (launch.mayHaveHeap)
    return loads + "kernels have allocated memory on the device";
  if (launch.reachesAllOfHost)
    return loads + "on this device, kernels can access all host memory";
  return {};
}

} // namespace

std::vector<const Allocation *> findAround(const std::vector<Allocation> &memory,
                                           uintptr_t address) {
  std::vector<const Allocation *> found;
  for (const Allocation &each : memory)
    if (address - reinterpret_cast<uintptr_t>(each.pointer) <= each.bytes && each.bytes)
      found.push_back(&each);
  return found;
}

std::string whyNotIsolated(const LaunchSurroundings &launch) {
  for (const ArgumentWord &word : launch.words)
    if (std::string reason = whyNotIsolated(launch, word); !reason.empty())
      return reason;
  // Memory that the host could use meanwhile is refused above; another device can use any.
  if (launch.usesSystemScope && !launch.elsewhere.empty())
    return "the kernel has a fence or an atomic operation of system scope, and the program has "
           "memory on another device";
  // A kernel that stays in its arguments may read any texture.
  if (launch.hasTextureOfHost)
    return "the program has a texture of memory that it may change during a measurement";
  // A kernel that stays in its arguments may use any module variable.
  for (const Allocation &each : launch.owned)
    if (each.kind == MemoryKind::ManagedVariable && launch.otherThreads)
      return "the program has managed variables, which " + threadsText(launch.otherThreads);
  return launch.staysInArguments ? std::string() : whyNotIsolatedAnywhere(launch);
}

bool isSaved(const LaunchSurroundings &launch, const Allocation &memory) {
  switch (memory.kind) {
  case MemoryKind::Device:
  case MemoryKind::Variable:
    return true;
  case MemoryKind::Managed:
  case MemoryKind::ManagedVariable:
    return launch.otherThreads == 0;
  case MemoryKind::Pinned:
  case MemoryKind::Mapped:
  case MemoryKind::Shared:
    return false;
  }
  return false;
}

} // namespace regrain
