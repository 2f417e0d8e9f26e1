//===- tuning.h - The core and the tuning library ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libregrain-tuning reads and writes the database and measures. It is loaded if a
// database file exists or REGRAIN_TUNE is set; without it, every kernel runs at
// the requested grain or as its original.
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

/// The version changes whenever a change of this file or of device.h affects the
/// library.
inline constexpr uint32_t tuningInterfaceVersion = 10;

/// What the device reports of code for one launch.
struct CodeFigures {
  uint64_t localBytes = 0;     ///< of a launched thread: spills and arrays
  double occupancy = 1;        ///< the part of a multiprocessor's threads that are resident
  uint64_t residentBlocks = 1; ///< launched blocks that the whole device holds at once
  /// Of the threads that share a multiprocessor, and its first-level cache: spills and arrays.
  uint64_t residentLocalBytes = 0;
};

/// A kernel on a device, as it appears to the tuning library.
class TunableKernel {
public:
  virtual ~TunableKernel() = default;

  virtual const image::Image &image() const = 0;
  virtual const image::Kernel &entry() const = 0;
  virtual Device &tuningDevice() = 0;
  /// Returns image::Module::generation of the code that the device runs; it is empty in
  /// older images.
  virtual std::string_view generation() const = 0;
  virtual const cudaDeviceProp &deviceProperties() const = 0;
  virtual int driverVersion() const = 0;
  /// Returns the indices of the parameters that are pointers.
  virtual std::span<const uint32_t> pointers() const = 0;

  /// Returns the program's memory on the device, including module variables.
  virtual std::vector<Allocation> ownedMemory() = 0;
  /// Returns the same for all other devices.
  virtual std::vector<Allocation> memoryElsewhere() = 0;
  /// Returns whether the word is the handle of a texture or surface of the program. What a
  /// kernel reads through it does not change: kernels that write through surfaces are not
  /// measured.
  virtual bool isTextureOrSurface(uintptr_t word) = 0;
  /// Returns whether the program has a texture of memory that host threads can write.
  virtual bool hasTextureOfHost() = 0;
  virtual bool hasTextures() = 0;
  /// Gives the extent of memory that is in no list of allocations: what the calling thread has
  /// declared (declared_memory.h), or what the device knows of it. See Device::memoryExtent.
  virtual cudaError_t memoryExtent(uintptr_t address, MemoryExtent &out, std::string &reason) = 0;
  /// Returns whether there may be memory that kernels have allocated.
  virtual bool mayHaveHeap() = 0;
  /// Returns the number of threads of the process, except the calling one, that may
  /// run code of the program.
  virtual size_t otherThreads() = 0;

  /// Waits for all work that was given to the device; returns nothing if the work is
  /// not complete at `deadline`.
  [[nodiscard]] virtual std::optional<cudaError_t>
  waitForDevice(std::chrono::steady_clock::time_point deadline) = 0;

  /// Returns the ids of the loaded alternatives, without the original.
  virtual std::vector<std::string_view> candidates() const = 0;
  /// Returns whether the candidate can differ from the others for launches of the class.
  virtual bool isWorthTrying(size_t candidate, const LaunchClass &launchClass) = 0;
  /// Returns whether a launch in `stream` fits the candidate, an index into
  /// candidates().
  virtual bool fits(size_t candidate, const LaunchShape &program, void **arguments,
                    cudaStream_t stream) = 0;
  /// Launches at the candidate, which the launch fits; at the original if the program
  /// has meanwhile taken the memory that the candidate needs.
  virtual cudaError_t launchCandidate(size_t candidate, const LaunchShape &program,
                                      void **arguments, cudaStream_t stream) = 0;
  virtual cudaError_t launchOriginal(const LaunchShape &program, void **arguments,
                                     cudaStream_t stream) = 0;

  /// Returns the grain of a candidate.
  virtual const Grain &candidateGrain(size_t candidate) const = 0;
  /// Returns the figures of the original's code (no candidate), or of a candidate's that the launch
  /// fits.
  virtual CodeFigures figuresOf(std::optional<size_t> candidate, const LaunchShape &program,
                                void **arguments) = 0;

  virtual LaunchClass classOf(const LaunchShape &program, void **arguments) = 0;

  /// Finds out whether any stream captures: waiting for the device, or a copy, would invalidate the
  /// capture. If that is not known, it may.
  [[nodiscard]] virtual cudaError_t findCapture(cudaStream_t stream, bool &isCapturing) = 0;
};

/// The choice of the database for one class.
struct TunedChoice {
  LaunchClass launchClass;
  std::string alternative;                         ///< the id of the alternative
  double originalMicroseconds, chosenMicroseconds; ///< of a launch, as measured
};

class Tuning {
public:
  virtual ~Tuning() = default;

  /// Returns whether the process measures, so that launches go through
  /// launch().
  virtual bool isMeasuring() const = 0;

  /// Returns the choices for the kernel on its device. Reports to the user by
  /// itself.
  virtual std::vector<TunedChoice> choices(TunableKernel &kernel) = 0;

  /// Records in the report that the kernel is not measured, and why.
  virtual void decline(TunableKernel &kernel, const std::string &reason) = 0;

  /// Makes the launch that the program asks for, with the original's result, and
  /// may measure it.
  virtual cudaError_t launch(TunableKernel &kernel, const LaunchShape &program, void **arguments,
                             cudaStream_t stream) = 0;

  /// Waits for the launch that is being measured, if any: later launches then know
  /// that a stream captures.
  virtual void settle() = 0;

  /// Must be called before the kernel and its code are removed.
  virtual void forget(TunableKernel &kernel) = 0;
};

/// Returns the process's tuning library; null if it has nothing to do.
Tuning *findTuning();

} // namespace regrain

/// The entry of the library: it is linked in, or found in libregrain-tuning.so. `gate` is the
/// process's. Returns null, and one sentence in `reason`, if the library cannot work.
extern "C" regrain::Tuning *regrainTuning(uint32_t interfaceVersion, regrain::Gate &gate,
                                          std::string &reason);
