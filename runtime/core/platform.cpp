//===- platform.cpp - The devices of the process --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/platform.h"

#include "runtime/core/own_threads.h"
#include "runtime/core/registry.h"
#include "runtime/core/settings.h"
#include "runtime/core/software_arrays.h"
#include "runtime/core/thread_state.h"
#include "runtime/core/tuning.h"

#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string_view>

namespace regrain {
namespace {

std::atomic<Platform *> chosenPlatform = nullptr;
std::atomic<bool> isBeingChosen = false; ///< stays true afterwards
std::atomic<bool> exiting = false;

constexpr std::string_view cpuName = "cpu";

} // namespace

/// Device state does not survive fork(); the child gets a clear error instead. If another thread
/// of the parent was choosing the platform, nobody in the child ends the choice.
void markForkedChild() {
  if (Platform *platform = chosenPlatform.load(std::memory_order_acquire))
    platform->state.store(cudaErrorInitializationError, std::memory_order_release);
  else if (isBeingChosen.load(std::memory_order_relaxed))
    chosenPlatform.store(new Platform(cudaErrorInitializationError), std::memory_order_release);
  ThreadState::get().device = nullptr;
}

bool isForkedOff() {
  Platform *platform = chosenPlatform.load(std::memory_order_acquire);
  return platform && platform->status() == cudaErrorInitializationError;
}

bool isExiting() { return exiting.load(std::memory_order_relaxed); }

Platform &Platform::get() {
  if (Platform *platform = chosenPlatform.load(std::memory_order_acquire))
    return *platform;
  // The object lives as long as the process: unregistration runs after static
  // destruction.
  static Platform *platform = new Platform;
  return *platform;
}

Platform *Platform::getIfUsable() {
  Platform *platform = chosenPlatform.load(std::memory_order_acquire);
  return platform && platform->status() == cudaSuccess ? platform : nullptr;
}

Platform::Platform() {
  // Without the two handlers the process still works, but reports less; a
  // failure has no remedy.
  if (pthread_atfork(nullptr, nullptr, markForkedChild) != 0)
    sayVerbose("pthread_atfork failed: CUDA calls in forked child processes are not refused");
  isBeingChosen.store(true, std::memory_order_relaxed);
  DriverCall mayStartThreads;
  choose();
  chosenPlatform.store(this, std::memory_order_release);
  if (std::atexit([] { exiting.store(true, std::memory_order_relaxed); }) != 0)
    sayVerbose("atexit failed: Regrain does not notice that the process exits");
}

/// Takes the plugin if it works and one of its devices has code in every image;
/// otherwise reports why not.
OrError<void> Platform::tryPlugin(const PluginSource &source) {
  if (!Registry::get().hasCodeOf(source.kinds))
    return tl::unexpected(std::string("the program has no code for ") + source.devices);
  OrError<const DevicePlugin *> candidate = source.find();
  if (!candidate)
    return tl::unexpected(candidate.error());
  if ((*candidate)->interfaceVersion != deviceInterfaceVersion)
    return tl::make_unexpected("the plugin belongs to another version of Regrain");
  std::string reason;
  if ((*candidate)->probe(reason) != cudaSuccess)
    return tl::unexpected(std::move(reason));
  plugin = *candidate;
  count = std::min(plugin->count(), maxDevices);
  if (count == 0)
    reason = "no device";
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    OpenDevice *opened = nullptr;
    if (open(ordinal, opened) != cudaSuccess) {
      reason = "device " + std::to_string(ordinal) + " cannot be opened";
    } else if (!Registry::get().hasCodeFor(*opened->device)) {
      reason = "the program has no code for " + std::string(opened->properties.name);
    } else {
      firstFitting = ordinal;
      return {};
    }
  }
  for (auto &device : devices)
    delete device.exchange(nullptr);
  plugin = nullptr;
  count = 0;
  return tl::unexpected(std::move(reason));
}

void Platform::choose() {
  const std::string &wanted = Settings::get().device;
  std::string tried;
  for (const PluginSource &source : pluginSources()) {
    if (!wanted.empty() && wanted != source.name)
      continue;
    if (OrError<void> taken = tryPlugin(source); !taken) {
      tried += (tried.empty() ? "" : "; ") + (source.name + (": " + taken.error()));
      continue;
    }
    if (wanted.empty() && source.name == cpuName)
      say("running on the CPU" + (tried.empty() ? "" : " (" + tried + ")"));
    else
      sayVerbose(std::string("running on ") + devices[firstFitting].load()->properties.name +
                 (wanted.empty() ? "" : ", as REGRAIN_DEVICE asks"));
    state.store(cudaSuccess, std::memory_order_release);
    return;
  }
  if (tried.empty()) {
    std::string names;
    for (const PluginSource &source : pluginSources())
      names += (names.empty() ? "" : ", ") + std::string(source.name);
    tried = "REGRAIN_DEVICE=" + wanted + " is not one of " + names;
  }
  say("no usable device (" + tried + ")");
}

std::optional<Platform::Listed> Platform::unlist(void *pointer) {
  for (int ordinal = 0; ordinal < count; ++ordinal)
    if (OpenDevice *device = getIfOpen(ordinal))
      if (std::optional<Allocation> taken = device->allocations.take(pointer))
        return Listed{device, *taken};
  return std::nullopt;
}

cudaError_t Platform::open(int ordinal, OpenDevice *&out) {
  if (ordinal < 0 || ordinal >= count)
    return cudaErrorInvalidDevice;
  out = devices[ordinal].load(std::memory_order_acquire);
  if (out)
    return cudaSuccess;
  cudaError_t status = openFirst(ordinal, out);
  // The tuning library is loaded here and not at the first launch, which programs time.
  if (status == cudaSuccess)
    (void)findTuning();
  return status;
}

cudaError_t Platform::openFirst(int ordinal, OpenDevice *&out) {
  std::lock_guard lock(opening);
  out = devices[ordinal].load(std::memory_order_acquire);
  if (out)
    return cudaSuccess;
  auto opened = std::make_unique<OpenDevice>();
  opened->ordinal = ordinal;
  std::memset(&opened->properties, 0, sizeof(opened->properties));
  std::string reason;
  cudaError_t status = plugin->open(ordinal, opened->device, reason);
  if (status == cudaSuccess)
    status = opened->device->properties(opened->properties);
  if (status != cudaSuccess) {
    sayVerbose("device " + std::to_string(ordinal) + ": " + reason);
    return status;
  }
  opened->arrays = opened->device->makeArrays();
  if (!opened->arrays)
    opened->arrays = std::make_unique<SoftwareArrays>(*opened->device);
  out = opened.release();
  devices[ordinal].store(out, std::memory_order_release);
  return cudaSuccess;
}

} // namespace regrain
