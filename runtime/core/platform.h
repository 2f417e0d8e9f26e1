//===- platform.h - The devices of the process ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the first use of a device, one plugin is chosen for the process: the one
// that REGRAIN_DEVICE names, otherwise the first with a device for which the
// registered images have code, GPUs before the CPU. Devices are opened when
// first used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/allocations.h"
#include "runtime/core/device.h"
#include "runtime/core/device_wait.h"
#include "runtime/core/lent_memory.h"
#include "runtime/image/or_error.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace regrain {

inline constexpr int maxDevices = 32;

/// An open device, and the members that each launch needs.
struct OpenDevice {
  int ordinal;
  std::unique_ptr<Device> device;
  std::unique_ptr<Arrays> arrays;
  cudaDeviceProp properties;
  Allocations allocations;
  LentMemory lentMemory;
  /// Counts the resets of the device. A binding of a thread from before the last reset
  /// is void.
  std::atomic<uint32_t> resets = 0;
  /// Counts the changes of settings, of the device or of a kernel, that decide how many blocks are
  /// resident.
  std::atomic<uint32_t> occupancyChanges = 0;
  DeviceWait wait;
  /// A kernel that allocates memory on the device may have been launched.
  std::atomic<bool> mayHaveHeap = false;
  /// The number of captures that the program has begun and not ended.
  std::atomic<int> captures = 0;
  /// The end of the latest launch of a graph with conditional nodes; null before the first one.
  cudaEvent_t lastConditionalLaunch = nullptr;
  std::mutex conditionalLaunches; ///< guards that, and such launches
};

/// The way to a plugin; finding it may load a library.
struct PluginSource {
  const char *name;    ///< as in REGRAIN_DEVICE
  const char *devices; ///< "AMD GPUs"
  /// The kinds of code that any device of the plugin runs. If an image of the program has
  /// none of them, the plugin is not probed.
  std::span<const image::CodeKind> kinds;
  /// It is an error if the plugin is not available.
  OrError<const DevicePlugin *> (*find)();
};

/// Returns all plugins in the order of preference.
std::span<const PluginSource> pluginSources();

class Platform {
public:
  /// Returns the platform of the process, which the first call chooses.
  static Platform &get();
  /// Returns the platform if one was chosen and can be used, otherwise null.
  /// Never chooses.
  static Platform *getIfUsable();

  /// Returns cudaSuccess, or the reason for having no device:
  /// cudaErrorNoDevice, or cudaErrorInitializationError in a child forked after
  /// the choice had begun.
  [[nodiscard]] cudaError_t status() const { return state.load(std::memory_order_acquire); }
  int deviceCount() const { return count; }
  bool hasDevice(int ordinal) const { return ordinal >= 0 && ordinal < count; }
  /// Returns the device with which a thread starts.
  int defaultOrdinal() const { return firstFitting; }
  const DevicePlugin &chosenPlugin() const { return *plugin; }

  /// Opens device `ordinal` if it is not open; returns cudaErrorInvalidDevice
  /// if there is none.
  [[nodiscard]] cudaError_t open(int ordinal, OpenDevice *&out);

  /// Returns null if device `ordinal` is not open.
  OpenDevice *getIfOpen(int ordinal) { return devices[ordinal].load(std::memory_order_acquire); }

  /// Removes the allocation from the list of the device that has it: any device may be
  /// current when memory is freed. Returns nothing if no device has it.
  struct Listed {
    OpenDevice *device;
    Allocation allocation;
  };
  [[nodiscard]] std::optional<Listed> unlist(void *pointer);

private:
  Platform();
  /// Makes a platform without devices, for a forked child.
  explicit Platform(cudaError_t status) : state(status) {}
  cudaError_t openFirst(int ordinal, OpenDevice *&out);
  OrError<void> tryPlugin(const PluginSource &source);
  void choose();
  friend void markForkedChild();

  std::atomic<cudaError_t> state = cudaErrorNoDevice;
  const DevicePlugin *plugin = nullptr;
  int count = 0;
  int firstFitting = 0;
  std::mutex opening;
  std::array<std::atomic<OpenDevice *>, maxDevices> devices = {};
};

/// Returns whether the process was forked off one that had chosen its platform, or was choosing
/// it: it cannot use any device, and threads that it does not have may hold locks.
bool isForkedOff();

/// Returns whether the process is exiting, when code is no longer unloaded.
bool isExiting();

} // namespace regrain
