//===- tuning.h - The core and the tuning library ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libregrain-tuning reads and writes the database and measures. It is loaded where
// a database file exists or REGRAIN_TUNE is set; without it every kernel runs what
// was asked for, or its original.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/allocations.h"
#include "runtime/core/gate.h"
#include "runtime/core/launch_class.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regrain {

/// Changes whenever this file or device.h does in a way that the library notices.
inline constexpr uint32_t tuningInterfaceVersion = 5;

/// A kernel on a device, as the tuning library sees it.
class TunableKernel {
public:
  virtual ~TunableKernel() = default;

  virtual const image::Image &image() const = 0;
  virtual const image::Kernel &entry() const = 0;
  virtual Device &tuningDevice() = 0;
  /// image::Module::generation of the code that the device runs; empty in older images.
  virtual std::string_view generation() const = 0;
  virtual const cudaDeviceProp &deviceProperties() const = 0;
  virtual int driverVersion() const = 0;
  /// Which parameters are pointers, as their indices.
  virtual std::span<const uint32_t> pointers() const = 0;

  /// What the program owns on the device, module variables included.
  virtual std::vector<Allocation> ownedMemory() = 0;
  /// The same on all other devices.
  virtual std::vector<Allocation> memoryElsewhere() = 0;
  /// Whether there may be memory that kernels have allocated.
  virtual bool mayHaveHeap() = 0;
  /// Threads of the process, but the calling one, that may run code of the program's.
  virtual size_t otherThreads() = 0;

  /// Waits for all work that the device has been given; nothing where it is not done at
  /// `deadline`.
  [[nodiscard]] virtual std::optional<cudaError_t>
  waitForDevice(std::chrono::steady_clock::time_point deadline) = 0;

  /// Ids of the alternatives that are loaded, without the original.
  virtual std::vector<std::string_view> candidates() const = 0;
  /// Whether a launch in `stream` fits the candidate, an index into candidates().
  virtual bool fits(size_t candidate, const LaunchShape &program, void **arguments,
                    cudaStream_t stream) = 0;
  /// Launches at the candidate, which the launch fits; at the original where the program
  /// has taken the memory since that the candidate needs.
  virtual cudaError_t launchCandidate(size_t candidate, const LaunchShape &program,
                                      void **arguments, cudaStream_t stream) = 0;
  virtual cudaError_t launchOriginal(const LaunchShape &program, void **arguments,
                                     cudaStream_t stream) = 0;

  virtual LaunchClass classOf(const LaunchShape &program, void **arguments) = 0;

  /// Whether a graph is being recorded, from `stream` or another: waiting for the
  /// device, or a copy, would spoil it.
  virtual bool isRecorded(cudaStream_t stream) = 0;
};

/// What the database says for one class.
struct TunedChoice {
  LaunchClass launchClass;
  std::string alternative;                         ///< id
  double originalMicroseconds, chosenMicroseconds; ///< of a launch, as measured
};

class Tuning {
public:
  virtual ~Tuning() = default;

  /// Whether the process is there to measure: launches go through launch().
  virtual bool isMeasuring() const = 0;

  /// Choices for the kernel as it is here. Says itself what the user should know.
  virtual std::vector<TunedChoice> choices(TunableKernel &kernel) = 0;

  /// Says in the report that the kernel is not measured, and why.
  virtual void decline(TunableKernel &kernel, const std::string &reason) = 0;

  /// Does what the program asks for with the original's result, and may measure.
  virtual cudaError_t launch(TunableKernel &kernel, const LaunchShape &program, void **arguments,
                             cudaStream_t stream) = 0;

  /// Waits for the launch that is being measured, if any: those that follow see that a
  /// graph is recorded.
  virtual void settle() = 0;

  /// The kernel and its code go away.
  virtual void forget(TunableKernel &kernel) = 0;
};

/// The process's tuning library; null where there is nothing for it to do.
Tuning *findTuning();

} // namespace regrain

/// The library's entry: linked in, or found in libregrain-tuning.so. `gate` is the process's.
/// Null, and one sentence in `reason`, where it cannot work.
extern "C" regrain::Tuning *regrainTuning(uint32_t interfaceVersion, regrain::Gate &gate,
                                          std::string &reason);
