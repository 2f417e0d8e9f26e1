//===- replay.cpp - One launch, repeated on the same data -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay.h"

#include "runtime/core/host_memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace regrain {
namespace {

/// The free memory of the device that is left to the program.
constexpr size_t reservedBytes = 256 << 20;

/// A repetition that exceeds this time, and this multiple of the first launch, is
/// abandoned. The supervisor of a tuning run allows a repeated original half of that.
constexpr std::chrono::milliseconds leastWait(5000);
constexpr int waitFactor = 200;

/// Returns whether memory of the process is mapped at all of the addresses.
bool isMapped(uintptr_t begin, size_t bytes) {
  auto pageBytes = uintptr_t(sysconf(_SC_PAGESIZE));
  std::array<unsigned char, 4096> residency;
  uintptr_t end = begin + bytes, part = residency.size() * pageBytes;
  for (begin &= -pageBytes; begin < end; begin += std::min(part, end - begin))
    if (mincore(reinterpret_cast<void *>(begin), std::min(part, end - begin), residency.data()) &&
        errno == ENOMEM)
      return false;
  return bytes <= end;
}

} // namespace

Replay::~Replay() {
  for (cudaEvent_t event : {start, end})
    if (event)
      static_cast<void>(device.destroyEvent(event));
}

/// The compiler counts a pointer in a structure as part of the arguments if its offset is
/// a multiple of eight bytes.
std::vector<ArgumentWord> Replay::readWords() const {
  std::vector<ArgumentWord> words;
  const auto *parameters = kernel.entry().parameters();
  for (uint32_t i = 0; parameters && i < parameters->size(); ++i) {
    const image::Parameter &parameter = *parameters->Get(i);
    for (uint32_t at = 0; at + sizeof(uintptr_t) <= parameter.size(); at += sizeof(uintptr_t)) {
      uintptr_t value = 0;
      std::memcpy(&value, static_cast<const std::byte *>(arguments[i]) + at, sizeof value);
      if (parameter.pointer() || !kernel.isTextureOrSurface(value))
        words.push_back({i, parameter.pointer(), value});
    }
  }
  return words;
}

/// Returns whether the driver knows memory at the address from elsewhere, or, if kernels can
/// access all host memory, whether any is mapped there.
bool Replay::isForeign(uintptr_t address) const {
  cudaPointerAttributes attributes = {};
  if (device.pointerAttributes(reinterpret_cast<void *>(address), attributes) != cudaSuccess ||
      attributes.type != cudaMemoryTypeUnregistered)
    return true;
  return around.reachesAllOfHost && isMapped(address, 1);
}

/// Gives the extent of memory that is in no list. What is declared may be gone, as far as it is the
/// host's; a copy would end the process.
bool Replay::extentOf(uintptr_t address, MemoryExtent &extent, std::string &reason) const {
  if (kernel.memoryExtent(address, extent, reason) != cudaSuccess)
    return false;
  cudaPointerAttributes attributes = {};
  bool isUnregistered =
      device.pointerAttributes(reinterpret_cast<void *>(address), attributes) == cudaSuccess &&
      attributes.type == cudaMemoryTypeUnregistered;
  if (!isUnregistered || isMapped(extent.begin, extent.bytes))
    return true;
  reason = "and not all of what is declared around it exists";
  return false;
}

/// Inspects the kernel, its arguments and all memory; returns an empty text if the
/// launch can be repeated.
std::string Replay::whyNotReplayable() {
  if (const auto *reason = kernel.entry().not_replayable(); reason && reason->size())
    return reason->str();
  around.words = readWords();
  around.staysInArguments = kernel.entry().stays_in_arguments();
  around.usesSystemScope = kernel.entry().system_scope();
  around.owned = kernel.ownedMemory();
  around.elsewhere = kernel.memoryElsewhere();
  around.hasTextureOfHost = kernel.hasTextureOfHost();
  around.mayHaveHeap = kernel.mayHaveHeap();
  around.reachesAllOfHost = kernel.deviceProperties().pageableMemoryAccess;
  around.otherThreads = kernel.otherThreads();
  around.isForeign = [this](uintptr_t address) { return isForeign(address); };
  around.hasTextures = kernel.hasTextures();
  // What is stored through a pointer of unknown origin may be a variable.
  around.mayWriteVariables = (StoredTypes(kernel.entry().stored_in_variables()) |
                              StoredTypes(kernel.entry().stored_elsewhere())) != StoredTypes::None;
  around.memoryExtent = [this](uintptr_t address, MemoryExtent &extent, std::string &reason) {
    return extentOf(address, extent, reason);
  };
  return reachesOtherAllocators(around) ? whyNotOnCopies(around, toCopy) : whyNotIsolated(around);
}

/// The copies, and the variables of modules, then are all memory that repetitions can reach.
cudaError_t Replay::copyArguments(std::string &whyNot) {
  uint64_t room = 0, bytes = ArgumentCopies::bytesFor(toCopy);
  cudaError_t status = roomFor(Snapshot::Place::Device, room);
  if (status != cudaSuccess)
    return status;
  status = bytes > room ? cudaErrorMemoryAllocation
                        : ArgumentCopies::take(device, toCopy, stream, copies, whyNot);
  if (status == cudaErrorMemoryAllocation)
    whyNot = "the device has no room for copies of the " + std::to_string(bytes >> 20) +
             " MiB of memory that Regrain's runtime did not allocate";
  else if (status != cudaSuccess)
    whyNot = "the memory that Regrain's runtime did not allocate cannot be copied";
  if (!whyNot.empty())
    return cudaSuccess;
  most.device -= std::min<uint64_t>(most.device, bytes);
  movedArguments.emplace(kernel.entry(), arguments, around.words, *copies);
  std::erase_if(around.owned, [](const Allocation &each) { return !isVariable(each); });
  for (const Allocation &each : copies->allocations())
    around.owned.push_back(each);
  for (ArgumentWord &word : around.words)
    if (word.isPointer && word.value)
      word.value = copies->moved(word.value);
  return cudaSuccess;
}

/// Returns whether a word of the arguments points to the memory.
bool Replay::isArgument(const Allocation &memory) const {
  return std::any_of(around.words.begin(), around.words.end(), [&](const ArgumentWord &word) {
    std::vector<const Allocation *> found = findAround(around.owned, word.value);
    return std::find(found.begin(), found.end(), &memory) != found.end();
  });
}

/// Returns all memory that the program owns, or the part that a kernel which stays in its
/// arguments can reach.
std::vector<MemoryRange> Replay::memoryToCopy(bool argumentsAlone) const {
  std::vector<MemoryRange> ranges;
  for (const Allocation &each : around.owned)
    if (isSaved(around, each) && each.bytes &&
        (!argumentsAlone || isVariable(each) || isArgument(each)))
      ranges.push_back({static_cast<std::byte *>(each.pointer), each.bytes});
  return ranges;
}

cudaError_t Replay::roomFor(Snapshot::Place place, uint64_t &bytes) const {
  if (place == Snapshot::Place::Host) {
    bytes = std::min<uint64_t>(most.host, availableHostBytes() / 2);
    return cudaSuccess;
  }
  size_t freeBytes = 0, wholeBytes = 0;
  cudaError_t status = device.memoryInfo(freeBytes, wholeBytes);
  bytes = std::min<uint64_t>(most.device, freeBytes - std::min(freeBytes, reservedBytes));
  return status;
}

/// Places the copies on the device if there is room, otherwise on the host. Memory that
/// is written gets a second copy.
cudaError_t Replay::takeWhereItFits(const std::vector<MemoryRange> &ranges) {
  cudaError_t status = cudaErrorMemoryAllocation;
  for (Snapshot::Place place : {Snapshot::Place::Device, Snapshot::Place::Host}) {
    uint64_t room = 0;
    if (cudaError_t unknown = roomFor(place, room); unknown != cudaSuccess)
      return unknown;
    if (status == cudaErrorMemoryAllocation && 2 * totalBytes(ranges) <= room)
      status = Snapshot::take(device, ranges, place, stream, before);
  }
  return status;
}

cudaError_t Replay::takeSnapshot(std::string &whyNot) {
  Activity activity(shown, "snapshot");
  std::vector<MemoryRange> all = memoryToCopy(/*argumentsAlone=*/false);
  cudaError_t status = takeWhereItFits(all);
  if (status != cudaErrorMemoryAllocation)
    return status;
  whyNot = "neither the device nor the host has room for copies of the program's " +
           std::to_string(totalBytes(all) >> 20) + " MiB";
  if (!kernel.entry().stays_in_arguments()) {
    whyNot += ", and the kernel may use more memory than its arguments point to";
    return cudaSuccess;
  }
  std::vector<MemoryRange> reached = memoryToCopy(/*argumentsAlone=*/true);
  status = takeWhereItFits(reached);
  copiesArgumentsAlone = status == cudaSuccess;
  if (copiesArgumentsAlone)
    whyNot.clear();
  else
    whyNot += ", nor of the " + std::to_string(totalBytes(reached) >> 20) +
              " MiB that its arguments point to";
  return status == cudaErrorMemoryAllocation ? cudaSuccess : status;
}

CopyBytes Replay::copyBytes() const {
  CopyBytes sum;
  if (copies)
    sum.device += copies->bytes();
  for (const Snapshot *copy : {before.get(), after.get()})
    if (copy)
      sum += copy->bytes();
  for (const std::unique_ptr<Control> &control : controls)
    sum += control->written->bytes();
  return sum;
}

std::vector<std::shared_ptr<void>> Replay::takeUnfinished() {
  std::vector<std::shared_ptr<void>> taken;
  if (isUnfinished)
    taken = {std::shared_ptr<void>(std::move(before)), std::shared_ptr<void>(std::move(copies))};
  return taken;
}

/// Waits for the launches. Work that cannot end while nothing else in the process can use
/// the device waits for the process, or for ever.
cudaError_t Replay::settle() {
  std::optional<cudaError_t> status =
      kernel.waitForDevice(std::chrono::steady_clock::now() + mostWait);
  return status.value_or(cudaErrorLaunchTimeout);
}

cudaError_t Replay::launch(Contestant contestant, const LaunchShape &shape) {
  latest = contestant;
  void **values = movedArguments ? movedArguments->values() : arguments;
  return contestant ? kernel.launchCandidate(*contestant, shape, values, stream)
                    : kernel.launchOriginal(shape, values, stream);
}

/// Must be called after the original's first run.
cudaError_t Replay::readWrites(std::string &whyNot) {
  cudaError_t status = before->changed(written);
  if (status == cudaSuccess)
    status = Snapshot::take(device, written, before->place(), stream, after);
  if (status == cudaErrorMemoryAllocation) {
    whyNot = "there is no room for a copy of the memory that the kernel writes";
    return cudaSuccess;
  }
  if (status == cudaSuccess)
    original.emplace(std::vector{before.get(), after.get()});
  return status;
}

/// Runs the original once more, with timing, and checks that it has the same
/// result. A short one is timed twice, because the host may be kept from its
/// work during one timing, and costs are the lesser ones.
cudaError_t Replay::controlOriginal(std::string &whyNot) {
  double run = 0;
  auto timeOnce = [&] {
    auto begin = std::chrono::steady_clock::now();
    cudaError_t status = timeOne(std::nullopt, originalTime);
    run = secondsSince(begin);
    return status;
  };
  cudaError_t status = timeOnce();
  if (status == cudaSuccess && isShort()) {
    double first = run;
    status = timeOnce();
    run = std::min(run, first);
  }
  auto begin = std::chrono::steady_clock::now();
  if (status == cudaSuccess)
    status = compareRuns(whyNot);
  originalCosts = {originalTime / 1e6, run, run + secondsSince(begin)};
  return status;
}

cudaError_t Replay::begin(std::chrono::milliseconds patience, std::string &whyNot) {
  whyNot = whyNotReplayable();
  cudaError_t status = cudaSuccess;
  if (whyNot.empty() && !toCopy.empty())
    status = copyArguments(whyNot);
  if (status == cudaSuccess && whyNot.empty())
    status = takeSnapshot(whyNot);
  if (status == cudaSuccess && whyNot.empty())
    status = device.createEvent(cudaEventDefault, start);
  if (status == cudaSuccess && whyNot.empty())
    status = device.createEvent(cudaEventDefault, end);
  if (status != cudaSuccess)
    return status;
  return launchForProgram(patience, whyNot);
}

cudaError_t Replay::launchForProgram(std::chrono::milliseconds patience, std::string &whyNot) {
  Activity activity(shown, "original", {{"purpose", "the program's own launch"}});
  isLaunched = true;
  auto begin = std::chrono::steady_clock::now();
  cudaError_t status = kernel.launchOriginal(program, arguments, stream);
  if (status != cudaSuccess || !whyNot.empty())
    return status;
  std::optional<cudaError_t> ended = kernel.waitForDevice(begin + patience);
  auto took = std::chrono::steady_clock::now() - begin;
  firstSeconds = std::chrono::duration<double>(took).count();
  mostWait = std::chrono::ceil<std::chrono::milliseconds>(leastWait + waitFactor * took);
  isUnfinished = !ended;
  if (isUnfinished)
    whyNot = "the launch had not ended after " + std::to_string(patience.count() / 1000) +
             " s; it may wait for other work, which is held back during a measurement";
  return ended.value_or(cudaSuccess);
}

cudaError_t Replay::examine(const Tolerance &tolerance, std::string &whyNot) {
  ofRuns = tolerance;
  Activity activity(shown, "original", {{"purpose", "repeated, to compare it with itself"}});
  cudaError_t status = cudaSuccess;
  if (copies) // which the program's own launch did not reach
    status = launch(std::nullopt, program);
  if (copies && status == cudaSuccess)
    status = settle();
  if (status == cudaSuccess)
    status = readWrites(whyNot);
  isRepeated = true;
  if (status == cudaSuccess && whyNot.empty())
    status = controlOriginal(whyNot);
  if (status == cudaSuccess && whyNot.empty())
    status = checkRepeats();
  return status;
}

cudaError_t Replay::finish(std::string &difference) {
  Activity activity(shown, "check the result");
  cudaError_t status = part ? restoreResult() : cudaSuccess;
  return status == cudaSuccess ? compareAtEnd(difference) : status;
}

} // namespace regrain
