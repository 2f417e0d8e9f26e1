//===- launch_plan.h - The plan of a kernel's launches ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan is made with the kernel's first launch on a device: it has the
// original, the alternatives that run where a launch fits them, and all limits.
// A launch then takes no lock and does no look-up.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/core/loaded_image.h"
#include "runtime/core/pointer_verdicts.h"
#include "runtime/core/tuning.h"
#include "runtime/core/variant_launches.h"
#include "runtime/core/watch.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

namespace regrain {

/// What runs at the same time as a block of a launch.
struct Togetherness {
  bool isCooperative = false; ///< all other blocks
  /// Those of a cluster; nothing if the kernel decides.
  std::optional<Extent> cluster = std::nullopt;
  bool mayBeginEarly = false; ///< maybe the end of the launch in front of it: see Launch
};

class LaunchPlan final : public TunableKernel {
public:
  ~LaunchPlan() override;

  /// Loads kernel `index` of the image and makes the choice.
  [[nodiscard]] static cudaError_t make(const image::Image &image, uint32_t index,
                                        LoadedImage &loaded, OpenDevice &device,
                                        bool answersAsCuda13, std::unique_ptr<LaunchPlan> &out);

  /// Launches at the choice for the launch's class, otherwise at the first of
  /// the chosen grains that the launch fits, otherwise the original. `arguments`
  /// are the program's. The errors are those of cudaLaunchKernel.
  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream);

  /// Launches the blocks so that those run at once that the program demands. Launches with clusters
  /// of several blocks run the original, or variants as the source has them. Cooperative launches
  /// run the first of the grains that were asked for at which the device holds all blocks, and the
  /// original if they have clusters; they are not tuned. The errors are those of
  /// cudaLaunchKernelExC.
  [[nodiscard]] cudaError_t launchTogether(const LaunchShape &program, const Togetherness &together,
                                           void **arguments, cudaStream_t stream);
  /// Does the same at the original.
  [[nodiscard]] cudaError_t launchOriginal(const LaunchShape &program, const Togetherness &together,
                                           void **arguments, cudaStream_t stream);
  /// These behave as cudaOccupancyMaxActiveClusters and cudaOccupancyMaxPotentialClusterSize.
  [[nodiscard]] cudaError_t maxActiveClusters(const LaunchShape &program,
                                              const Togetherness &together, int &clusters);
  [[nodiscard]] cudaError_t maxClusterBlocks(const LaunchShape &program, int &blocks);

  /// Returns the function of alternative 0; all queries about the kernel refer
  /// to it.
  Function &originalFunction() { return *original; }
  /// Gives the original's attributes; the program's launch bound also holds on
  /// devices that do not know it.
  [[nodiscard]] cudaError_t attributes(cudaFuncAttributes &out);

  std::span<const ParameterLayout> parameterLayout() const { return parameters; }
  /// Returns whether the original can be launched with this shape.
  [[nodiscard]] cudaError_t validate(const LaunchShape &program) const;

  /// Behaves as cudaFuncSetAttribute; alternatives get the scaled value of what
  /// it allows the original.
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
  bool isTextureOrSurface(uintptr_t word) override;
  bool hasTextureOfHost() override;
  bool hasTextures() override;
  cudaError_t memoryExtent(uintptr_t address, MemoryExtent &out, std::string &reason) override;
  bool mayHaveHeap() override { return device.mayHaveHeap; }
  size_t otherThreads() override;
  std::optional<cudaError_t>
  waitForDevice(std::chrono::steady_clock::time_point deadline) override {
    return device.wait.until(*device.device, deadline);
  }
  std::vector<std::string_view> candidates() const override;
  bool isWorthTrying(size_t candidate, const LaunchClass &launchClass) override;
  bool fits(size_t candidate, const LaunchShape &program, void **arguments,
            cudaStream_t stream) override;
  cudaError_t launchCandidate(size_t candidate, const LaunchShape &program, void **arguments,
                              cudaStream_t stream) override;
  cudaError_t launchOriginal(const LaunchShape &program, void **arguments,
                             cudaStream_t stream) override;
  const Grain &candidateGrain(size_t candidate) const override {
    return alternatives[candidate]->grain;
  }
  CodeFigures figuresOf(std::optional<size_t> candidate, const LaunchShape &program,
                        void **arguments) override;
  LaunchClass classOf(const LaunchShape &program, void **arguments) override;
  cudaError_t findCapture(cudaStream_t stream, bool &isCapturing) override;
  /// Returns whether any stream captures, or this one may.
  bool mayCapture(cudaStream_t stream);

private:
  static constexpr size_t extentParameters = 3; ///< x, y, z of the program's grid or block

  /// Returns whether a launch of the code may begin early. The source's calls that wait are nothing
  /// in code for devices before compute capability 9.0.
  static bool waitsForOthers(const cudaFuncAttributes &attributes) {
    return attributes.ptxVersion >= 90;
  }

  /// A kernel that an alternative launches, and its limits.
  struct Code {
    Code(const LoadedFunction &loaded, const cudaFuncAttributes &attributes);
    Function &function;
    uint32_t singleDimensions;
    uint64_t maxThreads; ///< of a launched block
    uint64_t staticSharedBytes;
    /// The dynamic shared memory for which the function is set up, in bytes.
    std::atomic<uint64_t> dynamicSharedLimit;
    std::vector<ParameterLayout> parameters; ///< including the appended ones
    bool waits; ///< for the launch in front of it, where the source says so: see waitsForOthers
    /// The original's. The program knows its attributes, so that a grain never changes them.
    bool isOriginals = false;
    /// How launches of the code keep the resident blocks down, by the limit and what a block has.
    mutable RecentAnswers residencies = RecentAnswers(4, 3);
    /// How many clusters the device holds at once, by what a cluster and a block have.
    mutable RecentAnswers activeClusters = RecentAnswers(6, 1);
  };
  struct Alternative {
    Alternative(const image::Alternative &entry, std::string id);
    std::string id;
    Grain grain;
    std::unique_ptr<VariantLaunches> variant; ///< null if the grain is one of the original
    bool wholeWarps;
    bool takesGrid;
    bool takesBlock;
    uint64_t lentBytes;                        ///< of a launched block; 0: the grain needs none
    bool isInStep;                             ///< blocks keep in step, by a word of the launch
    uint32_t maxResident;                      ///< of its blocks on a multiprocessor, 0: any number
    std::shared_ptr<Code> whole;               ///< forms of one alternative share their code
    std::shared_ptr<Code> remainder;           ///< null if no launch leaves blocks
    std::atomic<uint32_t> reportedMisfits = 0; ///< one bit per Misfit
  };

  /// The launches that one launch of the program becomes.
  struct Scaled {
    LaunchShape base;  ///< of the kernel of which the grain is one: the program's, or a variant's
    LaunchShape whole; ///< not launched if it has no block
    std::optional<RemainderLaunch> remainder;
    std::optional<uint32_t> wholePercent, remainderPercent; ///< as Launch::sharedPercent
  };
  struct Prepared {
    Scaled scaled = {};
    LentMemory::Loan loan = {}; ///< empty if the grain needs none
  };

  /// The choice for the launches of a class.
  struct ClassChoice {
    ClassChoice(const LaunchClass &launchClass, Alternative *alternative)
        : launchClass(launchClass), alternative(alternative) {}
    const LaunchClass launchClass;
    std::atomic<Alternative *> alternative; ///< null: the original, also after a loss
    std::optional<ClassWatch> watch;
  };
  /// The choices for launches of the same block, of which the device holds the
  /// same number.
  struct ClassGroup {
    ClassGroup(const Extent &block, uint64_t dynamicSharedBytes)
        : block(block), dynamicSharedBytes(dynamicSharedBytes) {}
    const Extent block;
    const uint64_t dynamicSharedBytes;
    std::vector<std::unique_ptr<ClassChoice>> choices; ///< one for each class
    std::atomic<uint64_t> residentBlocks = 0;
    /// OpenDevice::occupancyChanges when that was found; a value that never comes before.
    std::atomic<uint64_t> foundAt = UINT64_MAX;
  };
  class WatchedChoice;

  LaunchPlan(const image::Image &program, const image::Kernel &kernel, OpenDevice &device)
      : program(program), kernel(kernel), device(device) {}
  cudaError_t readOriginal();
  bool hasClusters() const;
  bool hasPlainVariants() const;
  cudaError_t findCluster(const LaunchShape &program, const Togetherness &together,
                          Extent &cluster) const;
  cudaError_t checkClusters(const LaunchShape &shape) const;
  uint64_t activeClusters(const Code &code, const LaunchShape &shape) const;
  Misfit fitClusters(const Alternative &alternative, const LaunchShape &base) const;
  cudaError_t bringTogether(const LaunchShape &program, const Togetherness &together,
                            Launch &launch) const;
  cudaError_t setCluster(cudaFuncAttribute attribute, int value);
  Launch originalLaunch(const LaunchShape &program, void **arguments, cudaStream_t stream,
                        bool mayBeginEarly = false) const;
  cudaError_t readCode(const LoadedFunction &loaded, const image::Alternative &entry, size_t sizes,
                       std::shared_ptr<Code> &out) const;
  Alternative *addAlternative(uint32_t kernelIndex, const AlternativeForm &form,
                              LoadedImage &loaded);
  cudaError_t loadAlternative(uint32_t kernelIndex, const AlternativeForm &form,
                              LoadedImage &loaded, std::unique_ptr<Alternative> &out);
  cudaError_t shareCode(uint32_t kernelIndex, uint32_t base, LoadedImage &loaded, Alternative &to);
  void addResidentSteps(uint32_t index, LoadedImage &loaded);
  void choose(uint32_t index, LoadedImage &loaded);
  static void sayUnmatched();
  void requireAsked() const;
  void chooseAsked(uint32_t index, LoadedImage &loaded);
  void chooseForClasses(uint32_t index, LoadedImage &loaded, Tuning *library);
  void prepareTuning(uint32_t index, LoadedImage &loaded, bool isAsked, Tuning &library);
  bool isMeasuredHere(const image::ClassChoice &choice) const;
  void addClassChoice(std::string_view from, const TunedChoice &choice, uint32_t index,
                      LoadedImage &loaded);
  ClassGroup &groupFor(const LaunchClass &launchClass);
  uint64_t residentBlocks(const Extent &block, uint64_t dynamicSharedBytes) const;
  uint64_t residentBlocksOf(ClassGroup &group) const;
  bool isResident(Function &function, const LaunchShape &shape) const;
  bool isTogether(const Alternative &alternative, const Scaled &scaled) const;
  bool mayWait() const;
  bool keepsTogether(const Alternative &alternative, const Scaled &scaled,
                     const LaunchShape &program) const;
  cudaError_t launchCooperative(const LaunchShape &program, void **arguments, cudaStream_t stream);
  std::optional<Prepared> prepareCooperative(Alternative &alternative, const LaunchShape &program,
                                             void **arguments, cudaStream_t stream);
  LaunchArguments argumentsOf(void **values) const {
    return {values, parameters, pointerParameters};
  }
  ClassChoice *choiceFor(const LaunchShape &program, void **arguments);
  cudaError_t launchChoice(ClassChoice &choice, const LaunchShape &program, void **arguments,
                           cudaStream_t stream, bool mayBeginEarly);
  cudaError_t launchWatched(ClassChoice &choice, Alternative &alternative,
                            const LaunchShape &program, void **arguments, cudaStream_t stream);
  void revert(ClassChoice &choice, const Alternative &alternative);
  cudaError_t launchTunable(const LaunchShape &program, void **arguments, cudaStream_t stream,
                            bool mayBeginEarly = false);
  cudaError_t launchChosen(const LaunchShape &program, void **arguments, cudaStream_t stream,
                           bool mayBeginEarly);
  bool exceedsDevice(const LaunchShape &shape) const;
  Misfit fit(Alternative &alternative, const LaunchShape &program, void **arguments,
             cudaStream_t stream, Scaled &out);
  static tl::expected<LaunchShape, Misfit>
  baseLaunch(const Alternative &alternative, const LaunchShape &program, void *const *arguments);
  Misfit compareLaunch(const KnownLaunch &known, const LaunchShape &program, void **values,
                       cudaStream_t stream);
  Misfit fit(Code &code, const LaunchShape &shape) const;
  Misfit fit(Alternative &alternative, Code &code, LaunchShape &shape,
             std::optional<uint32_t> &sharedPercent) const;
  std::optional<Residency> residencyOf(const Alternative &alternative, const Code &code,
                                       const LaunchShape &shape) const;
  std::optional<Residency> findResidency(const Alternative &alternative, const Code &code,
                                         const LaunchShape &shape) const;
  void sayRefusal(const LaunchShape &program) const;
  bool allowShared(Code &code, uint64_t dynamicBytes) const;
  /// Launches at a grain; returns nothing if the launch does not fit it.
  std::optional<cudaError_t> tryLaunch(Alternative &alternative, const LaunchShape &program,
                                       void **arguments, cudaStream_t stream,
                                       bool mayBeginEarly = false);
  /// Returns nothing if the launch does not fit the grain.
  std::optional<Prepared> prepare(Alternative &alternative, const LaunchShape &program,
                                  void **arguments, cudaStream_t stream);
  Misfit lendMemory(const Alternative &alternative, cudaStream_t stream, Prepared &launch);
  cudaError_t launchAlternative(const Alternative &alternative, const Prepared &prepared,
                                void **arguments, cudaStream_t stream, Togetherness together = {});
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
  std::shared_ptr<Code> originalCode; ///< null if no grain needs it
  uint32_t singleDimensions = 0;      ///< of the original
  uint32_t boundThreads = 0;          ///< the program's launch bounds on this device, 0: none
  bool waits = false;                 ///< the original, as Code
  bool answersAsCuda13 = false;       ///< as RegisteredImage
  mutable std::once_flag isRefusalSaid;
  std::vector<ParameterLayout> parameters;
  std::vector<uint32_t> pointerParameters;      ///< their indices
  std::vector<image::IntegerArgument> integers; ///< those that distinguish classes
  std::unique_ptr<PointerVerdicts> verdicts;    ///< null if no grain needs them
  std::string_view codeGeneration;              ///< in the image
  std::atomic<uint64_t> dynamicSharedLimit = 0; ///< of the original
  /// The blocks of a cluster that the kernel or its attributes demand; 0: the launch decides.
  std::array<std::atomic<uint32_t>, 3> demandedCluster = {};
  std::atomic<bool> allowsLargeClusters = false;
  std::vector<std::unique_ptr<Alternative>> alternatives; ///< all that are loaded
  std::vector<Alternative *> asked;                       ///< the first choice first
  std::deque<ClassGroup> classChoices;                    ///< they precede `asked`
  Tuning *tuning = nullptr;                               ///< null if launches are not measured
};

} // namespace regrain
