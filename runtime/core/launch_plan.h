//===- launch_plan.h - How one kernel launches on one device ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made with the kernel's first launch: the original, the alternative that shall
// run, and all limits. A launch then takes no lock and looks nothing up.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/core/loaded_image.h"

#include <array>
#include <atomic>
#include <vector>

namespace regrain {

class LaunchPlan {
public:
  /// Loads kernel `index` of the image and makes the choice.
  [[nodiscard]] static cudaError_t make(const image::Image &image, uint32_t index,
                                        LoadedImage &loaded, OpenDevice &device,
                                        std::unique_ptr<LaunchPlan> &out);

  /// Launches at the chosen grain where the launch fits it, else the original.
  /// `arguments` are the program's. Errors are those of cudaLaunchKernel.
  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream);

  /// Alternative 0, which all questions about the kernel are answered for.
  Function &originalFunction() { return *original; }

  /// As cudaFuncSetAttribute; what it allows the original, the alternative gets
  /// scaled.
  [[nodiscard]] cudaError_t setAttribute(cudaFuncAttribute attribute, int value);
  [[nodiscard]] cudaError_t setCacheConfig(cudaFuncCache config);

private:
  struct Alternative {
    Function *function = nullptr; ///< null: only the original runs
    Grain grain;
    bool wholeWarps = false;
    bool takesGrid = false;
    bool takesBlock = false;
    uint64_t maxThreads = 0; ///< per launched block
    uint32_t staticSharedBytes = 0;
    std::vector<ParameterLayout> parameters; ///< with the appended ones
    /// Dynamic shared bytes that the function is set up for.
    std::atomic<uint64_t> dynamicSharedLimit = 0;
  };

  LaunchPlan(const image::Kernel &kernel, OpenDevice &device) : kernel(kernel), device(device) {}
  cudaError_t readOriginal();
  cudaError_t readAlternative(const image::Alternative &entry, Function &function);
  void choose(const image::Image &image, uint32_t index, LoadedImage &loaded);
  cudaError_t validate(const LaunchShape &program) const;
  std::optional<LaunchShape> fit(const LaunchShape &program);
  bool allowShared(uint64_t dynamicBytes);
  cudaError_t launchOriginal(const LaunchShape &program, void **arguments, cudaStream_t stream);
  cudaError_t launchAlternative(const LaunchShape &program, const LaunchShape &shape,
                                void **arguments, cudaStream_t stream);
  void reportMisfit(Misfit misfit);

  const image::Kernel &kernel;
  OpenDevice &device;
  Function *original = nullptr;
  std::vector<ParameterLayout> parameters;
  std::atomic<uint64_t> dynamicSharedLimit = 0; ///< of the original
  Alternative alternative;
  std::atomic<uint32_t> reportedMisfits = 0; ///< bit per Misfit
};

} // namespace regrain
