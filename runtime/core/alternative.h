//===- alternative.h - Which grain a launch runs at -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice for a kernel is made once; whether a launch fits the choice is
// decided for each launch. Both are free of devices and state.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "runtime/core/device.h"
#include "runtime/image/grain.h"

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
};

/// Parses "GLOB:ID;GLOB:ID". Wrong pieces are left out, and `error` becomes one
/// sentence about the first of them.
[[nodiscard]] std::vector<AlternativeRequest> parseAlternativeRequests(std::string_view text,
                                                                       std::string &error);

struct AlternativeChoice {
  uint32_t index = 0; ///< into Kernel.alternatives
  std::string reason; ///< who asked, or why the original runs
};

/// What the launches of a kernel run at, the first choice first; a launch takes
/// the first that fits it. Those are the requests whose glob matches, the last one
/// first; without any, what the image has as chosen. The original is the last
/// choice and the only one with index 0; its reason says why it stands first, if
/// it does. A grain that the kernel lacks is left out, and its reason becomes that
/// which the image gives for its absence.
[[nodiscard]] std::vector<AlternativeChoice>
chooseAlternatives(const image::Image &image, const image::Kernel &kernel,
                   std::span<const AlternativeRequest> requests);

/// Whether REGRAIN_ALTERNATIVE speaks of the kernel.
[[nodiscard]] bool isAskedFor(const image::Kernel &kernel,
                              std::span<const AlternativeRequest> requests);

/// Over the three dimensions. Of a grid that a device takes it does not overflow:
/// that has fewer than 2^31 blocks in x and 2^16 in y and z.
[[nodiscard]] inline uint64_t product(const Extent &extent) {
  return uint64_t(extent[0]) * extent[1] * extent[2];
}

/// Whether a block has more than one thread in one of `dimensions`, a bit each.
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
  friend bool operator==(const LaunchShape &, const LaunchShape &) = default;
};

/// Why a launch cannot run at a grain.
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
  AboveBound,
  ScratchStream,
  ScratchMemory,
  SeveralThreads,
};

/// One sentence for REGRAIN_VERBOSE.
[[nodiscard]] std::string_view describe(Misfit misfit);

/// The launch of `program` at `grain`: enough blocks to cover the program's grid
/// (or, with a shape, its threads), each of (block * fused / thread factors)
/// threads, and one 16-byte-aligned copy of the dynamic shared memory for each
/// block that a launched block runs. Nothing, and the reason, where the block
/// does not divide, whole warps are asked for and not met, the launched block has
/// more threads than the grain's bound, or a dimension of a reshaped launch has 2^31
/// threads or more. All extents are at least 1, but
/// where blocks that do not fill a launched one get a launch of their own: there
/// the grid is of those that are filled, and can be 0 in a dimension.
[[nodiscard]] std::optional<LaunchShape>
scaleToGrain(const LaunchShape &program, const Grain &grain, bool wholeWarps, Misfit &misfit);

/// The launch of the blocks that a launch at a grain leaves.
struct RemainderLaunch {
  LaunchShape shape;
  Extent first; ///< block, counted as without block factors
  friend bool operator==(const RemainderLaunch &, const RemainderLaunch &) = default;
};

/// What scaleToGrain, which `program` fits, leaves; nothing where it leaves none.
[[nodiscard]] std::optional<RemainderLaunch> remainderOf(const LaunchShape &program,
                                                         const Grain &grain);

/// Whether the launch of `program` has what its grain is compiled for: Misfit::None
/// where it has. `arguments` are the program's, one for each of `parameters`; an
/// integer is compared as wide as its parameter.
[[nodiscard]] Misfit compareKnown(const KnownLaunch &known, const LaunchShape &program,
                                  void *const *arguments,
                                  std::span<const ParameterLayout> parameters);

/// Dynamic shared bytes of a launched block that runs `grain`.
[[nodiscard]] uint64_t scaleSharedBytes(uint64_t bytes, const Grain &grain);

/// The grain that an image entry stands for.
[[nodiscard]] Grain grainOf(const image::Alternative &alternative);

} // namespace regrain
