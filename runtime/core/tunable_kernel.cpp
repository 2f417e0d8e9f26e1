//===- tunable_kernel.cpp - The tuning library's view of a kernel ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"

#include "runtime/core/array_table.h"
#include "runtime/core/declared_memory.h"
#include "runtime/core/own_threads.h"
#include "runtime/core/registry.h"
#include "runtime/image/launch_limits.h"

#include <algorithm>

namespace regrain {

int LaunchPlan::driverVersion() const { return Platform::get().chosenPlugin().codeVersion(); }

/// Returns the allocations and the variables of the loaded modules.
static std::vector<Allocation> memoryOn(OpenDevice &device) {
  std::vector<Allocation> owned = device.allocations.list();
  std::vector<Allocation> variables = Registry::get().variablesOn(device.ordinal);
  owned.insert(owned.end(), variables.begin(), variables.end());
  return owned;
}

/// Calls `visit` with each device that is open.
template <typename Visit> static void forEachDevice(Visit visit) {
  Platform &platform = Platform::get();
  for (int ordinal = 0; ordinal < platform.deviceCount(); ++ordinal)
    if (OpenDevice *open = platform.getIfOpen(ordinal))
      visit(*open);
}

std::vector<Allocation> LaunchPlan::ownedMemory() { return memoryOn(device); }

std::vector<Allocation> LaunchPlan::memoryElsewhere() {
  std::vector<Allocation> all;
  forEachDevice([&](OpenDevice &other) {
    if (&other == &device)
      return;
    std::vector<Allocation> owned = memoryOn(other);
    all.insert(all.end(), owned.begin(), owned.end());
  });
  return all;
}

bool LaunchPlan::isTextureOrSurface(uintptr_t word) {
  return ArrayTable::get().textures.find(word) || ArrayTable::get().surfaces.find(word);
}

/// Returns the memory that a texture reads; null if it reads an array.
static const void *memoryOf(const cudaResourceDesc &resource) {
  switch (resource.resType) {
  case cudaResourceTypeLinear:
    return resource.res.linear.devPtr;
  case cudaResourceTypePitch2D:
    return resource.res.pitch2D.devPtr;
  default:
    return nullptr;
  }
}

bool LaunchPlan::hasTextureOfHost() {
  std::vector<KnownTexture> textures = ArrayTable::get().textures.list();
  return std::any_of(textures.begin(), textures.end(), [](const KnownTexture &texture) {
    const void *memory = memoryOf(texture.resource);
    if (!memory)
      return false;
    std::vector<Allocation> all = texture.device->allocations.list();
    return std::none_of(all.begin(), all.end(), [&](const Allocation &each) {
      auto from = reinterpret_cast<uintptr_t>(memory) - reinterpret_cast<uintptr_t>(each.pointer);
      return each.kind == MemoryKind::Device && from < each.bytes;
    });
  });
}

bool LaunchPlan::hasTextures() { return !ArrayTable::get().textures.list().empty(); }

cudaError_t LaunchPlan::memoryExtent(uintptr_t address, MemoryExtent &out, std::string &reason) {
  if (std::optional<MemoryExtent> declared = declaredAround(address)) {
    out = *declared;
    return cudaSuccess;
  }
  return device.device->memoryExtent(address, out, reason);
}

size_t LaunchPlan::otherThreads() {
  std::vector<pid_t> ofDevices;
  forEachDevice([&](OpenDevice &open) { open.device->addThreads(ofDevices); });
  return programThreadsBeside(ofDevices).size();
}

std::vector<std::string_view> LaunchPlan::candidates() const {
  std::vector<std::string_view> ids;
  for (const auto &alternative : alternatives)
    ids.push_back(alternative->id);
  return ids;
}

bool LaunchPlan::fits(size_t candidate, const LaunchShape &program, void **arguments,
                      cudaStream_t stream) {
  return prepare(*alternatives[candidate], program, arguments, stream).has_value();
}

cudaError_t LaunchPlan::launchCandidate(size_t candidate, const LaunchShape &program,
                                        void **arguments, cudaStream_t stream) {
  if (auto status = tryLaunch(*alternatives[candidate], program, arguments, stream))
    return *status;
  return launchOriginal(program, arguments, stream);
}

/// Returns the number of blocks of the original that the whole device holds at once;
/// 1 if the device does not report it.
uint64_t LaunchPlan::residentBlocks(const Extent &block, uint64_t dynamicSharedBytes) const {
  int blocks = 0;
  int threads = int(std::min<uint64_t>(product(block), maxBlockThreads));
  if (original->maxActiveBlocks(threads, dynamicSharedBytes, 0, blocks) != cudaSuccess)
    blocks = 1;
  return uint64_t(std::max(blocks, 1)) * uint64_t(device.properties.multiProcessorCount);
}

/// What the device does not report does not speak against the code.
CodeFigures LaunchPlan::figuresOf(std::optional<size_t> candidate, const LaunchShape &program,
                                  void **arguments) {
  Function *function = original;
  LaunchShape launched = program;
  if (candidate) {
    Alternative &alternative = *alternatives[*candidate];
    function = &alternative.whole->function;
    launched = baseLaunch(alternative, program, arguments).value_or(program);
    launched = scaleToGrain(launched, alternative.grain, alternative.wholeWarps).value_or(launched);
  }
  CodeFigures figures;
  cudaFuncAttributes attributes = {};
  if (function->attributes(attributes) == cudaSuccess)
    figures.localBytes = attributes.localSizeBytes;
  int blocks = 0;
  auto threads = int(std::min<uint64_t>(product(launched.block), maxBlockThreads));
  if (function->maxActiveBlocks(threads, launched.dynamicSharedBytes, 0, blocks) != cudaSuccess ||
      blocks < 1)
    return figures;
  if (candidate && alternatives[*candidate]->maxResident)
    blocks = std::min(blocks, int(alternatives[*candidate]->maxResident));
  const cudaDeviceProp &properties = device.properties;
  figures.residentBlocks = uint64_t(blocks) * uint64_t(properties.multiProcessorCount);
  figures.residentLocalBytes = figures.localBytes * uint64_t(blocks) * uint64_t(threads);
  figures.occupancy =
      double(blocks) * threads / std::max(properties.maxThreadsPerMultiProcessor, 1);
  return figures;
}

LaunchClass LaunchPlan::classOf(const LaunchShape &program, void **arguments) {
  return classify(program, residentBlocks(program.block, program.dynamicSharedBytes),
                  alignmentOf(argumentsOf(arguments), widestAccess),
                  readMagnitudes(integers, arguments));
}

/// A capture that the program began without this runtime is visible only on its
/// own streams.
cudaError_t LaunchPlan::findCapture(cudaStream_t stream, bool &isCapturing) {
  isCapturing = true;
  if (device.captures.load(std::memory_order_relaxed) != 0)
    return cudaSuccess;
  CaptureInfo info;
  cudaError_t status = device.device->captureInfo(stream, info);
  isCapturing = status != cudaSuccess || info.status != cudaStreamCaptureStatusNone;
  return status;
}

bool LaunchPlan::mayCapture(cudaStream_t stream) {
  bool isCapturing = false;
  return findCapture(stream, isCapturing) != cudaSuccess || isCapturing;
}

} // namespace regrain
