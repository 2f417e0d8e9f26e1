//===- launch_plan.h - How one kernel launches on one device ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made with the kernel's first launch: the original, the alternatives that shall
// run where a launch fits them, and all limits. A launch then takes no lock and
// looks nothing up.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/core/loaded_image.h"
#include "runtime/core/tuning.h"
#include "runtime/core/watch.h"

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace regrain {

class LaunchPlan final : public TunableKernel {
public:
  ~LaunchPlan() override;

  /// Loads kernel `index` of the image and makes the choice.
  [[nodiscard]] static cudaError_t make(const image::Image &image, uint32_t index,
                                        LoadedImage &loaded, OpenDevice &device,
                                        std::unique_ptr<LaunchPlan> &out);

  /// Launches at what is chosen for the launch's class, else at the first of the
  /// chosen grains that the launch fits, else the original.
  /// `arguments` are the program's. Errors are those of cudaLaunchKernel.
  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream);

  /// Alternative 0, which all questions about the kernel are answered for.
  Function &originalFunction() { return *original; }
  /// Its attributes; the program's launch bound holds on devices that do not know it.
  [[nodiscard]] cudaError_t attributes(cudaFuncAttributes &out);

  std::span<const ParameterLayout> parameterLayout() const { return parameters; }
  /// Whether the original can be launched so.
  [[nodiscard]] cudaError_t validate(const LaunchShape &program) const;

  /// As cudaFuncSetAttribute; what it allows the original, the alternative gets
  /// scaled.
  [[nodiscard]] cudaError_t setAttribute(cudaFuncAttribute attribute, int value);
  [[nodiscard]] cudaError_t setCacheConfig(cudaFuncCache config);

  const image::Image &image() const override { return program; }
  const image::Kernel &entry() const override { return kernel; }
  Device &tuningDevice() override { return *device.device; }
  std::string_view generation() const override { return codeGeneration; }
  const cudaDeviceProp &deviceProperties() const override { return device.properties; }
  int driverVersion() const override;
  std::span<const uint32_t> pointers() const override { return pointerParameters; }
  std::vector<Allocation> ownedMemory() override;
  std::vector<Allocation> memoryElsewhere() override;
  bool mayHaveHeap() override { return device.mayHaveHeap; }
  size_t otherThreads() override;
  std::optional<cudaError_t>
  waitForDevice(std::chrono::steady_clock::time_point deadline) override {
    return device.wait.until(*device.device, deadline);
  }
  std::vector<std::string_view> candidates() const override;
  bool fits(size_t candidate, const LaunchShape &program, void **arguments,
            cudaStream_t stream) override;
  cudaError_t launchCandidate(size_t candidate, const LaunchShape &program, void **arguments,
                              cudaStream_t stream) override;
  cudaError_t launchOriginal(const LaunchShape &program, void **arguments,
                             cudaStream_t stream) override;
  LaunchClass classOf(const LaunchShape &program, void **arguments) override;
  bool isRecorded(cudaStream_t stream) override;

private:
  static constexpr size_t extentParameters = 3; ///< of the program's grid or block: x, y, z

  /// A kernel that an alternative launches, and its limits.
  struct Code {
    Code(const LoadedFunction &loaded, const cudaFuncAttributes &attributes);
    Function &function;
    uint32_t singleDimensions;
    uint64_t maxThreads; ///< per launched block
    uint64_t staticSharedBytes;
    /// Dynamic shared bytes that the function is set up for.
    std::atomic<uint64_t> dynamicSharedLimit;
    std::vector<ParameterLayout> parameters; ///< with the appended ones
  };
  struct Alternative {
    explicit Alternative(const image::Alternative &entry);
    std::string_view id;
    Grain grain;
    bool wholeWarps;
    bool takesGrid;
    bool takesBlock;
    uint64_t scratchBytes; ///< of a launched block, 0: takes none
    std::unique_ptr<Code> whole;
    std::unique_ptr<Code> remainder;           ///< null where a launch leaves none
    std::atomic<uint32_t> reportedMisfits = 0; ///< bit per Misfit
  };

  /// The launches that a launch of the program becomes.
  struct Scaled {
    LaunchShape whole; ///< no launch where it has no block
    std::optional<RemainderLaunch> remainder;
  };
  struct Prepared {
    Scaled scaled;
    Scratch::Loan scratch = {}; ///< of nothing where the grain takes none
  };

  /// What launches of a class run at.
  struct ClassChoice {
    ClassChoice(const LaunchClass &launchClass, Alternative *alternative)
        : launchClass(launchClass), alternative(alternative) {}
    const LaunchClass launchClass;
    std::atomic<Alternative *> alternative; ///< null: the original; becomes so where it loses
    std::optional<ClassWatch> watch;
  };
  /// Choices for launches of one block, which the device holds alike.
  struct ClassGroup {
    Extent block;
    uint64_t dynamicSharedBytes;
    uint64_t residentBlocks;
    std::vector<std::unique_ptr<ClassChoice>> choices; ///< by their class, each once
  };
  class WatchedChoice;

  LaunchPlan(const image::Image &program, const image::Kernel &kernel, OpenDevice &device)
      : program(program), kernel(kernel), device(device) {}
  cudaError_t readOriginal();
  cudaError_t readCode(const LoadedFunction &loaded, const image::Alternative &entry, size_t sizes,
                       std::unique_ptr<Code> &out) const;
  Alternative *addAlternative(uint32_t kernelIndex, uint32_t index, LoadedImage &loaded);
  cudaError_t loadAlternative(uint32_t kernelIndex, uint32_t index, LoadedImage &loaded,
                              std::unique_ptr<Alternative> &out);
  void choose(uint32_t index, LoadedImage &loaded);
  void chooseAsked(uint32_t index, LoadedImage &loaded);
  void chooseForClasses(uint32_t index, LoadedImage &loaded, Tuning *library);
  void prepareTuning(uint32_t index, LoadedImage &loaded, bool isAsked, Tuning &library);
  bool isMeasuredHere(const image::ClassChoice &choice) const;
  void addClassChoice(std::string_view from, const TunedChoice &choice, uint32_t index,
                      LoadedImage &loaded);
  ClassGroup &groupFor(const LaunchClass &launchClass);
  uint64_t residentBlocks(const Extent &block, uint64_t dynamicSharedBytes);
  uint32_t alignmentOf(void **arguments) const;
  ClassChoice *choiceFor(const LaunchShape &program, void **arguments) const;
  cudaError_t launchChoice(ClassChoice &choice, const LaunchShape &program, void **arguments,
                           cudaStream_t stream);
  cudaError_t launchWatched(ClassChoice &choice, Alternative &alternative,
                            const LaunchShape &program, void **arguments, cudaStream_t stream);
  void revert(ClassChoice &choice, const Alternative &alternative);
  cudaError_t launchChosen(const LaunchShape &program, void **arguments, cudaStream_t stream);
  bool exceedsDevice(const LaunchShape &shape) const;
  std::optional<Scaled> fit(Alternative &alternative, const LaunchShape &program, void **arguments);
  Misfit fit(Code &code, const LaunchShape &shape) const;
  void sayRefusal(const LaunchShape &program) const;
  bool allowShared(Code &code, uint64_t dynamicBytes) const;
  /// Launches at a grain; nothing where the launch does not fit it.
  std::optional<cudaError_t> tryLaunch(Alternative &alternative, const LaunchShape &program,
                                       void **arguments, cudaStream_t stream);
  /// Nothing where the launch does not fit the grain.
  std::optional<Prepared> prepare(Alternative &alternative, const LaunchShape &program,
                                  void **arguments, cudaStream_t stream);
  Misfit lendScratch(uint64_t blockBytes, const Scaled &scaled, cudaStream_t stream,
                     Scratch::Loan &out);
  cudaError_t launchAlternative(const Alternative &alternative, const LaunchShape &program,
                                const Prepared &prepared, void **arguments, cudaStream_t stream);
  template <typename Visit> void forEachCode(Visit visit) {
    for (const std::unique_ptr<Alternative> &alternative : alternatives)
      for (Code *code : {alternative->whole.get(), alternative->remainder.get()})
        if (code)
          visit(*code);
  }
  void reportMisfit(Alternative &alternative, Misfit misfit);

  const image::Image &program;
  const image::Kernel &kernel;
  OpenDevice &device;
  Function *original = nullptr;
  uint32_t singleDimensions = 0; ///< of the original
  mutable std::once_flag isRefusalSaid;
  std::vector<ParameterLayout> parameters;
  std::vector<uint32_t> pointerParameters;                ///< their indices
  std::vector<image::IntegerArgument> integers;           ///< that tell classes apart
  std::string_view codeGeneration;                        ///< in the image
  std::atomic<uint64_t> dynamicSharedLimit = 0;           ///< of the original
  std::vector<std::unique_ptr<Alternative>> alternatives; ///< all that are loaded
  std::vector<Alternative *> asked;                       ///< the first choice first
  std::vector<ClassGroup> classChoices;                   ///< they go before `asked`
  Tuning *tuning = nullptr;                               ///< where launches are measured
};

} // namespace regrain
