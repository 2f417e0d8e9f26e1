//===- replay_compare.cpp - Results of repeated launches ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay.h"

#include "runtime/tuning/tolerance.h"

#include <algorithm>
#include <utility>

namespace regrain {

static const Allocation *find(const std::vector<Allocation> &owned, uintptr_t address) {
  for (const Allocation &each : owned)
    if (address - reinterpret_cast<uintptr_t>(each.pointer) < each.bytes)
      return &each;
  return nullptr;
}

cudaError_t Replay::findFirst(ExpectedMemory &expected, const std::byte *&at) {
  std::vector<MemoryRange> wrong;
  cudaError_t status = expected.differing(wrong);
  return status == cudaSuccess ? expected.firstDifference(wrong, at) : status;
}

/// Compares memory with the result of the original, or of a control, and then
/// restores the original's result. For a candidate, controls that hold for others do not count.
cudaError_t Replay::compare(Comparison &out, Contestant candidate) {
  std::vector<MemoryRange> wrong;
  const std::byte *at = nullptr;
  cudaError_t status = original->differing(wrong);
  if (status == cudaSuccess)
    status = original->firstDifference(wrong, at);
  out.isBitwise = !at;
  bool hasControl = false;
  for (size_t i = 0; status == cudaSuccess && at && i < controls.size(); ++i) {
    if (candidate && controls[i]->owner && controls[i]->owner != candidate)
      continue;
    hasControl = true;
    status = findFirst(controls[i]->result, at);
  }
  if (at) {
    bool isWritten = !within({{const_cast<std::byte *>(at), 1}}, written).empty();
    out.difference = isWritten ? std::string("differs from the ") +
                                     (hasControl ? "control's" : "original's") + " result at " +
                                     describe(at)
                               : "writes " + describe(at) + ", which the original does not write";
  }
  return status == cudaSuccess ? original->restore(wrong, stream) : status;
}

/// Returns "byte 4096 of 65536 that argument 2 points to", as far as that is
/// known.
std::string Replay::describe(const std::byte *at) const {
  const Allocation *memory = find(around.owned, reinterpret_cast<uintptr_t>(at));
  if (!memory)
    return "a place outside of all known allocations";
  MemoryExtent extent = {reinterpret_cast<uintptr_t>(memory->pointer), memory->bytes};
  if (copies)
    extent = copies->copyIn(*memory);
  auto offset = ptrdiff_t(reinterpret_cast<uintptr_t>(at) - extent.begin);
  std::string text = "byte " + std::to_string(offset) + " of " + std::to_string(extent.bytes) +
                     (isVariable(*memory) ? " of a module variable" : " of an allocation");
  for (const ArgumentWord &word : around.words)
    if (find(around.owned, word.value) == memory)
      return text + " (argument " + std::to_string(word.parameter) + ")";
  return text;
}

/// Returns the types that the kernel may store there, as far as the tolerance measures numbers.
StoredTypes Replay::typesAt(const std::byte *at, const Tolerance &tolerance) const {
  const Allocation *memory = find(around.owned, reinterpret_cast<uintptr_t>(at));
  if (!memory)
    return StoredTypes::Other;
  StoredTypes types = StoredTypes(kernel.entry().stored_elsewhere());
  if (isVariable(*memory))
    types |= StoredTypes(kernel.entry().stored_in_variables());
  for (const ArgumentWord &word : around.words)
    if (find(around.owned, word.value) == memory)
      types |= StoredTypes(kernel.entry().parameters()->Get(word.parameter)->stored());
  // Words are counted from the start of the allocation.
  types = tolerance.measured(types);
  size_t bytes = bytesOfNumber(types);
  return bytes && reinterpret_cast<uintptr_t>(memory->pointer) % bytes == 0 ? types
                                                                            : StoredTypes::Other;
}

/// Checks whether `ranges`, where the control and the original differ, contain numbers that
/// are close.
cudaError_t Replay::measureControl(const std::vector<MemoryRange> &ranges,
                                   const Tolerance &tolerance, uint64_t &largest,
                                   std::string &difference) {
  return original->compare(ranges, [&](std::byte *at, auto now, auto expected) {
    StoredTypes types = typesAt(at, tolerance);
    uint32_t ulps = tolerance.of(types);
    Apartness found = compareNumbers(types, tolerance, now, expected);
    largest = std::max(largest, found.largestUlps);
    if (!found.beyond)
      return true;
    difference = "differs from the original's result at " + describe(at + *found.beyond);
    if (found.ulpsBeyond)
      difference += " by " + std::to_string(*found.ulpsBeyond) + " ulps, where " +
                    std::to_string(ulps) + " are allowed";
    return false;
  });
}

/// Compares the second run of the original with the first one, whose result is then restored.
cudaError_t Replay::compareRuns(std::string &whyNot) {
  std::vector<MemoryRange> apart;
  std::string beyond;
  uint64_t largest = 0;
  Comparison found;
  cudaError_t status = original->differing(apart);
  if (status == cudaSuccess)
    status = measureControl(apart, ofRuns, largest, beyond);
  if (status == cudaSuccess)
    status = compare(found);
  isSteady = found.difference.empty();
  if (!isSteady && beyond.empty() && ofRuns.ulps != 0)
    runsUlps = largest;
  else if (!isSteady)
    whyNot =
        "two runs of the original gave different results, so candidates cannot be checked: the "
        "second run " +
        found.difference;
  return status;
}

/// Returns how far the result of what was launched last may be from the original's.
const Tolerance &Replay::atEnd() const {
  auto own = latest ? allowed.find(*latest) : allowed.end();
  return own != allowed.end() && own->second.ulps >= ofRuns.ulps ? own->second : ofRuns;
}

/// Compares the result of what was timed last, and restores the original's. Where runs of the
/// original differ, a candidate may be as far from it as when it was verified.
cudaError_t Replay::compareAtEnd(std::string &difference) {
  if (!runsUlps) {
    Comparison found;
    cudaError_t status = compare(found);
    difference = std::move(found.difference);
    return status;
  }
  std::vector<MemoryRange> apart;
  uint64_t largest = 0;
  cudaError_t status = original->differing(apart);
  if (status == cudaSuccess)
    status = measureControl(apart, atEnd(), largest, difference);
  return status == cudaSuccess ? original->restore(apart, stream) : status;
}

cudaError_t Replay::keepControl(const std::vector<MemoryRange> &ranges, Contestant owner,
                                std::string &whyNot) {
  std::unique_ptr<Snapshot> controlled;
  cudaError_t status = Snapshot::take(device, ranges, before->place(), stream, controlled);
  if (status == cudaErrorMemoryAllocation) {
    whyNot = "there is no room for a copy of the memory that the control writes";
    return cudaSuccess;
  }
  if (status != cudaSuccess)
    return status;
  written = together(written, controlled->ranges());
  ExpectedMemory result(std::vector{before.get(), after.get(), controlled.get()});
  controls.push_back(
      std::make_unique<Control>(Control{std::move(controlled), std::move(result), owner}));
  return cudaSuccess;
}

/// If launches on their own result do not have it again, or may do other work, each launch is
/// restored.
cudaError_t Replay::checkRepeatsOf(size_t index) {
  const std::byte *at = nullptr;
  if (repeats == 1)
    return cudaSuccess;
  if (restoresEach || !worksTheSameAgain())
    return repeatRestored();
  cudaError_t status = launch(index, program);
  if (status == cudaSuccess)
    status = settle();
  if (status == cudaSuccess)
    status = findFirst(controls.back()->result, at);
  return status == cudaSuccess && at ? repeatRestored() : status;
}

cudaError_t Replay::addControl(size_t candidate, const Tolerance &tolerance, Holds holds,
                               std::string &difference, std::string &whyNot) {
  std::vector<MemoryRange> apart;
  const std::byte *at = nullptr;
  Timing timing;
  largestUlps.reset();
  cudaError_t status = timeLaunches(candidate, program, 1, timing);
  if (status == cudaSuccess)
    status = original->differing(apart);
  if (status == cudaSuccess)
    status = original->firstDifference(apart, at);
  if (status != cudaSuccess || !at)
    return status;
  uint64_t largest = 0;
  size_t known = controls.size();
  status = measureControl(apart, tolerance, largest, difference);
  if (status == cudaSuccess && difference.empty()) {
    allowed[candidate] = tolerance;
    status =
        keepControl(apart, holds == Holds::ForAll ? Contestant() : Contestant(candidate), whyNot);
  }
  if (status == cudaSuccess && controls.size() > known) {
    largestUlps = largest;
    status = checkRepeatsOf(candidate);
  }
  if (status == cudaSuccess)
    status = original->differing(apart);
  return status == cudaSuccess ? original->restore(apart, stream) : status;
}

} // namespace regrain
