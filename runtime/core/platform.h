//===- platform.h - The devices of the process ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the first use of a device one plugin is chosen for the process: the first
// with a device that the registered images have code for, GPUs before the CPU,
// or the one that REGRAIN_DEVICE names. Devices are opened when first used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/allocations.h"
#include "runtime/core/device.h"
#include "runtime/core/device_wait.h"
#include "runtime/core/scratch.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace regrain {

inline constexpr int maxDevices = 32;

/// An open device, with what each launch looks up.
struct OpenDevice {
  int ordinal;
  std::unique_ptr<Device> device;
  cudaDeviceProp properties;
  Allocations allocations;
  Scratch scratch;
  /// How often the device was reset. What a thread bound before the last reset is gone.
  std::atomic<uint32_t> resets = 0;
  DeviceWait wait;
  /// A kernel that allocates memory on the device may have been launched.
  std::atomic<bool> mayHaveHeap = false;
  /// Captures that the program has begun and not ended.
  std::atomic<int> captures = 0;
};

/// How a plugin is reached; finding it may load a library.
struct PluginSource {
  const char *name;    ///< as in REGRAIN_DEVICE
  const char *devices; ///< "AMD GPUs"
  /// The kinds of code that some device of the plugin runs. Where an image of the program
  /// has none of them, the plugin is not even looked for.
  std::span<const image::CodeKind> kinds;
  /// Null, and one sentence in `reason`, where it is not there.
  const DevicePlugin *(*find)(std::string &reason);
};

/// All plugins in the order of preference.
std::span<const PluginSource> pluginSources();

class Platform {
public:
  /// The platform of the process; chosen by the first call.
  static Platform &get();
  /// The platform if one was chosen and can be used, else null. Never chooses.
  static Platform *getIfUsable();

  /// cudaSuccess, or why there is no device: cudaErrorNoDevice, or
  /// cudaErrorInitializationError in a child forked after the choice.
  [[nodiscard]] cudaError_t status() const { return state.load(std::memory_order_acquire); }
  int deviceCount() const { return count; }
  /// The device that a thread starts with.
  int defaultOrdinal() const { return firstFitting; }
  const DevicePlugin &chosenPlugin() const { return *plugin; }

  /// Opens device `ordinal` if it is not open; cudaErrorInvalidDevice where
  /// there is none.
  [[nodiscard]] cudaError_t open(int ordinal, OpenDevice *&out);

  /// Null where device `ordinal` was not opened yet.
  OpenDevice *getIfOpen(int ordinal) { return devices[ordinal].load(std::memory_order_acquire); }

  /// Takes the allocation off the list of whichever device has it: any may be current when it
  /// is freed. Nothing where none has it.
  struct Listed {
    OpenDevice *device;
    Allocation allocation;
  };
  [[nodiscard]] std::optional<Listed> unlist(void *pointer);

private:
  Platform();
  bool tryPlugin(const PluginSource &source, std::string &reason);
  void choose();
  friend void markForkedChild();

  std::atomic<cudaError_t> state = cudaErrorNoDevice;
  const DevicePlugin *plugin = nullptr;
  int count = 0;
  int firstFitting = 0;
  std::mutex opening;
  std::array<std::atomic<OpenDevice *>, maxDevices> devices = {};
};

/// Whether the process was forked off one that had chosen its platform: it can use no device, and
/// locks may be held by threads that it does not have.
bool isForkedOff();

/// Whether the process is on its way out, when code is no longer unloaded.
bool isExiting();

} // namespace regrain
