//===- alternative.h - Choice of the grain of a launch ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice for a kernel is made once; whether a launch fits the choice is
// decided for each launch. Neither needs a device or keeps state.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "runtime/core/device.h"
#include "runtime/image/grain.h"
#include "runtime/image/launch_rule.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regrain {

/// One "GLOB:ID" of REGRAIN_ALTERNATIVE.
struct AlternativeRequest {
  std::string glob;
  GrainSpec spec;
  std::string spelled; ///< the spec as it was written
};

/// The requests of REGRAIN_ALTERNATIVE.
struct AlternativeRequests {
  std::vector<AlternativeRequest> requests; ///< without the malformed ones
  std::string error; ///< one sentence about the first malformed one; empty if there is none
};

/// Parses "GLOB:ID;GLOB:ID".
[[nodiscard]] AlternativeRequests parseAlternativeRequests(std::string_view text);

/// The code of an alternative, and how it is launched.
struct AlternativeForm {
  uint32_t index = 0;       ///< index into Kernel.alternatives
  uint32_t maxResident = 0; ///< as max-resident= says beside what the alternative's id says, 0: any
  bool isOriginal() const { return index == 0 && maxResident == 0; }
  friend bool operator==(const AlternativeForm &, const AlternativeForm &) = default;
};

struct AlternativeChoice {
  AlternativeForm form;
  std::string reason; ///< the origin of the request, or the reason for the original
};

/// Returns how a kernel runs at a grain: by an alternative of that grain, or by one whose launches
/// max-resident= changes; nothing if it has neither.
[[nodiscard]] std::optional<AlternativeForm> findForm(const image::Kernel &kernel,
                                                      const GrainSpec &spec);

/// Returns the id of a form of the kernel.
[[nodiscard]] std::string idOf(const image::Kernel &kernel, const AlternativeForm &form);

/// Returns the choices for the launches of a kernel, the first choice first; a
/// launch takes the first that fits it. The choices are the requests whose glob
/// matches, the last request first; if there is none, those that the image marks
/// as chosen. The original is the last choice and the only one of its form; if it
/// is also the first, its reason says why. A grain that the kernel lacks is
/// omitted, and its reason becomes the one that the image gives for its absence.
[[nodiscard]] std::vector<AlternativeChoice>
chooseAlternatives(const image::Image &image, const image::Kernel &kernel,
                   std::span<const AlternativeRequest> requests);

/// Tells what an image has for a request.
enum class Offer : uint8_t { NoKernel, NoGrain, Grain };

/// Returns whether a kernel of the image matches the request, and whether one of them has the
/// grain.
[[nodiscard]] Offer offerOf(const image::Image &image, const AlternativeRequest &request);

/// Says why a kernel that matches has no such grain; empty if it has it.
[[nodiscard]] std::string whyAbsent(const image::Image &image, const image::Kernel &kernel,
                                    const AlternativeRequest &request);

/// Returns whether REGRAIN_ALTERNATIVE has a request for the kernel.
[[nodiscard]] bool isAskedFor(const image::Kernel &kernel,
                              std::span<const AlternativeRequest> requests);

/// Returns the product over the three dimensions. It does not overflow for a grid
/// that a device accepts: such a grid has fewer than 2^31 blocks in x and 2^16 in
/// y and z.
[[nodiscard]] inline uint64_t product(const Extent &extent) {
  return uint64_t(extent[0]) * extent[1] * extent[2];
}

/// Returns whether a block has more than one thread in one of `dimensions`,
/// which has one bit for each.
[[nodiscard]] inline bool hasSeveral(const Extent &block, uint32_t dimensions) {
  for (uint32_t d = 0; d < block.size(); ++d)
    if ((dimensions >> d & 1) != 0 && block[d] > 1)
      return true;
  return false;
}

/// The size of a launch, the program's own or the device's.
struct LaunchShape {
  Extent grid;
  Extent block;
  uint64_t dynamicSharedBytes;
  Extent cluster = {1, 1, 1}; ///< the blocks of a cluster
  friend bool operator==(const LaunchShape &, const LaunchShape &) = default;
};

/// Returns whether clusters of the launch have several blocks.
[[nodiscard]] inline bool isClustered(const LaunchShape &shape) {
  return product(shape.cluster) > 1;
}

/// The reason why a launch cannot run at a grain.
enum class Misfit : uint8_t {
  None,
  BlockNotDivisible,
  PartialWarps,
  SharedMemory,
  TooManyThreads,
  TooLarge,
  OtherBlock,
  OtherGrid,
  OtherArgument,
  NoMultiple,
  Misaligned,
  NotApart,
  Captured,
  AboveBound,
  LoanStream,
  LoanMemory,
  SeveralThreads,
  NotResident,
  NotTogether,
  NotLimited,
  NotOffered,
  OtherLaunch,
  NoLaunch,
  InClusters,
  NoClusters,
};

/// Returns one sentence for REGRAIN_VERBOSE.
[[nodiscard]] std::string_view describe(Misfit misfit);

/// Returns the extents of a launch as a rule has them.
[[nodiscard]] LaunchExtents extentsOf(const LaunchShape &shape);
/// Returns the launch of such extents, which fit their types.
[[nodiscard]] LaunchShape shapeOf(const LaunchExtents &extents);

/// Returns the launch of a variant for the launch of `program`, by the source's rule. Returns the
/// reason instead if the rule leaves it out, has no result, or says that the original is launched
/// in another way.
[[nodiscard]] tl::expected<LaunchShape, Misfit>
launchOfVariant(const LaunchRule &rule, const LaunchShape &program, void *const *arguments);

/// Scales the launch of `program` to `grain`: it has enough blocks to cover the
/// program's grid (or, with a shape, its threads), each of (block * fused / thread
/// factors) threads, and one 16-byte-aligned copy of the dynamic shared memory for
/// each block that a launched block runs. Clusters stay as they are. Returns the reason instead if
/// the block does not divide, if whole warps are required but the block tears them, if the launched
/// block has more threads than the grain's bound, or if a dimension of a reshaped launch has 2^31
/// threads or more. All extents are at least 1, except where the blocks that do not fill a launched
/// one get a launch of their own: then the grid counts only filled blocks, and can be 0 in a
/// dimension.
[[nodiscard]] tl::expected<LaunchShape, Misfit> scaleToGrain(const LaunchShape &program,
                                                             const Grain &grain, bool wholeWarps);

/// The launch of the blocks that a launch at a grain does not run.
struct RemainderLaunch {
  LaunchShape shape;
  Extent first; ///< in blocks, counted as without block factors
  friend bool operator==(const RemainderLaunch &, const RemainderLaunch &) = default;
};

/// Returns the launch of the blocks that the launch by scaleToGrain, which
/// `program` fits, does not run; nothing if it runs all.
[[nodiscard]] std::optional<RemainderLaunch> remainderOf(const LaunchShape &program,
                                                         const Grain &grain);

/// The arguments of the program's launch.
struct LaunchArguments {
  void *const *values; ///< the address of each
  std::span<const ParameterLayout> parameters;
  std::span<const uint32_t> pointers; ///< which parameters are pointers
  /// It is proved that the pointers which are not null point into different allocations.
  bool areApart = false;
};

/// Returns the alignment in bytes that all pointer arguments have: a power of two up to
/// `most`. Pointers in structures do not count, and null has any alignment.
[[nodiscard]] uint32_t alignmentOf(const LaunchArguments &arguments, uint32_t most);

/// Compares the launch of `program` with the values for which its grain was compiled; returns
/// Misfit::None if all agree. An integer is compared in the width of its parameter. A multiple is a
/// multiple of the signed number: 0 is one, and so are negative ones.
[[nodiscard]] Misfit compareKnown(const KnownLaunch &known, const LaunchShape &program,
                                  const LaunchArguments &arguments);

/// Returns the dynamic shared memory of a launched block that runs `grain`, in
/// bytes.
[[nodiscard]] uint64_t scaleSharedBytes(uint64_t bytes, const Grain &grain);

/// Returns of what the dynamic shared memory of a launched block stays a multiple if it grows:
/// copies lie one behind the other, and each is aligned.
[[nodiscard]] uint64_t multipleOfSharedBytes(const Grain &grain);

/// Returns the grain of an image entry.
[[nodiscard]] Grain grainOf(const image::Alternative &alternative);

} // namespace regrain
