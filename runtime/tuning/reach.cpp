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

/// A kernel that stays in its arguments may use any module variable.
std::string whyVariablesChange(const LaunchSurroundings &launch) {
  for (const Allocation &each : launch.owned)
    if (each.kind == MemoryKind::ManagedVariable && launch.otherThreads)
      return "the program has managed variables, which " + threadsText(launch.otherThreads);
  return {};
}

/// Returns whether nothing is known of the memory behind a word that may be an address.
bool isOfOthers(const LaunchSurroundings &launch, const ArgumentWord &word) {
  return word.value && findAround(launch.owned, word.value).empty() &&
         findAround(launch.elsewhere, word.value).empty() &&
         (word.isPointer || launch.isForeign(word.value));
}

/// Returns what keeps a kernel, whichever memory its arguments point to, from being repeated on
/// copies of it.
std::string whyKernelKeepsMemory(const LaunchSurroundings &launch) {
  auto isVariable = [](const Allocation &each) {
    return each.kind == MemoryKind::Variable || each.kind == MemoryKind::ManagedVariable;
  };
  if (!launch.staysInArguments)
    return "and the kernel may use more memory than its arguments point to";
  if (launch.usesSystemScope)
    return "and the kernel has a fence or an atomic operation of system scope";
  if (launch.hasTextures)
    return "and the program has textures, which may read it";
  if (launch.mayWriteVariables && std::any_of(launch.owned.begin(), launch.owned.end(), isVariable))
    return "and the kernel may write variables of the program";
  return {};
}

/// Adds the memory behind one pointer; returns why it cannot be copied, or nothing.
std::string addExtent(const LaunchSurroundings &launch, const ArgumentWord &word,
                      std::vector<MemoryExtent> &extents) {
  MemoryExtent extent = {};
  std::string reason = "whose extent is not known";
  std::vector<const Allocation *> owned = findAround(launch.owned, word.value);
  if (owned.empty()) {
    if (!launch.memoryExtent(word.value, extent, reason))
      return wordText(word) + " memory that Regrain's runtime did not allocate, " + reason;
    extents.push_back(extent);
    return {};
  }
  // One address may be the end of an allocation and the beginning of another.
  for (const Allocation *each : owned) {
    if (each->kind != MemoryKind::Device)
      return wordText(word) + " managed memory or a variable, and another one to memory that "
                              "Regrain's runtime did not allocate";
    auto begin = reinterpret_cast<uintptr_t>(each->pointer);
    extents.push_back({begin, each->bytes});
  }
  bool isWithin = std::any_of(owned.begin(), owned.end(), [&](const Allocation *each) {
    return word.value - reinterpret_cast<uintptr_t>(each->pointer) < each->bytes;
  });
  if (!isWithin)
    return wordText(word) + " the end of an allocation, and another one to memory that Regrain's "
                            "runtime did not allocate";
  if (owned.size() == 2) {
    MemoryExtent &last = extents.back(), &before = extents[extents.size() - 2];
    before = {std::min(last.begin, before.begin), last.bytes + before.bytes};
    extents.pop_back();
  }
  return {};
}

/// Sorts extents, and joins those that overlap or touch: the end of one, which a kernel may be
/// given beside its begin, is the begin of the next.
void joinTouching(std::vector<MemoryExtent> &extents) {
  std::sort(extents.begin(), extents.end(),
            [](const MemoryExtent &a, const MemoryExtent &b) { return a.begin < b.begin; });
  std::vector<MemoryExtent> joined;
  for (const MemoryExtent &extent : extents) {
    bool touches = !joined.empty() && extent.begin - joined.back().begin <= joined.back().bytes;
    if (touches)
      joined.back().bytes =
          std::max(joined.back().bytes, extent.begin - joined.back().begin + extent.bytes);
    else
      joined.push_back(extent);
  }
  extents = std::move(joined);
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
  if (std::string reason = whyVariablesChange(launch); !reason.empty())
    return reason;
  return launch.staysInArguments ? std::string() : whyNotIsolatedAnywhere(launch);
}

bool reachesOtherAllocators(const LaunchSurroundings &launch) {
  return std::any_of(launch.words.begin(), launch.words.end(),
                     [&](const ArgumentWord &word) { return isOfOthers(launch, word); });
}

/// An address in a structure may as well be a number, so it is not moved.
std::string whyNotOnCopies(const LaunchSurroundings &launch, std::vector<MemoryExtent> &extents) {
  auto of = [&](const ArgumentWord &word) {
    return wordText(word) + " memory that Regrain's runtime did not allocate, ";
  };
  for (const ArgumentWord &word : launch.words) {
    bool isOthers = isOfOthers(launch, word);
    bool isAddress = word.value && (isOthers || !findAround(launch.owned, word.value).empty());
    if (!word.isPointer && isAddress)
      return of(word) + "and cannot restore";
    std::string reason = isOthers ? whyKernelKeepsMemory(launch) : whyNotIsolated(launch, word);
    if (!reason.empty())
      return isOthers ? of(word) + reason : reason;
    if (isAddress)
      reason = addExtent(launch, word, extents);
    if (!reason.empty())
      return reason;
  }
  if (std::string reason = whyVariablesChange(launch); !reason.empty())
    return reason;
  joinTouching(extents);
  return {};
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
