//===- alternative.cpp - Choice of the grain of a launch ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/alternative.h"

#include "runtime/image/integers.h"
#include "runtime/image/launch_limits.h"
#include "runtime/image/max_resident.h"
#include "runtime/image/ring_form.h"
#include "runtime/image/slices.h"
#include "runtime/image/thread_split.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace regrain {
namespace {

constexpr uint64_t sharedCopyAlignment = 16;

/// Kernels count blocks, and the threads of a reshaped launch, as signed numbers of 32 bits.
constexpr uint64_t mostBlocks = std::numeric_limits<int32_t>::max();

/// Any distribution over the dimensions satisfies a total: the compiler has
/// balanced it with knowledge of the kernel that the image does not contain.
bool satisfies(const Factors &factors, const Factors &asked, std::optional<uint32_t> total) {
  return total ? product(factors) == *total : factors == asked;
}

bool satisfies(const Grain &grain, const GrainSpec &spec) {
  Grain rest = spec.grain;
  rest.block = grain.block;
  rest.thread = grain.thread;
  rest.fuse = grain.fuse;
  return grain == rest && satisfies(grain.block, spec.grain.block, spec.blockTotal) &&
         satisfies(grain.thread, spec.grain.thread, spec.threadTotal) &&
         satisfies(grain.fuse, spec.grain.fuse, spec.fuseTotal);
}

std::optional<uint32_t> findAlternative(const image::Kernel &kernel, const GrainSpec &spec) {
  const auto &alternatives = *kernel.alternatives();
  for (uint32_t index = 0; index < alternatives.size(); ++index)
    if (satisfies(grainOf(*alternatives[index]), spec))
      return index;
  return std::nullopt;
}

/// Returns the grain of which `spec` is one with fewer resident blocks.
GrainSpec withAnyResidents(GrainSpec spec) {
  spec.grain = regrain::withAnyResidents(std::move(spec.grain));
  return spec;
}

std::string whyAbsent(const image::Image &image, const image::Kernel &kernel,
                      const GrainSpec &spec) {
  std::string id = toString(spec.grain);
  if (image.refusals() && !spec.hasTotals())
    for (const image::Refusal *refusal : *image.refusals())
      if (refusal->id()->string_view() == id &&
          refusal->kernel()->string_view() == kernel.symbol()->string_view())
        return "it was refused when compiled: " + refusal->reason()->str();
  if (maxResidentOf(spec.grain) && findAlternative(kernel, withAnyResidents(spec)))
    return "the kernel reads how much shared memory its launch has, which max-resident= changes";
  return "the program was not compiled with that grain";
}

/// Returns whether the integer of `bytes` bytes at `argument` equals `value`,
/// signed or not.
bool isInteger(const void *argument, uint32_t bytes, int64_t value) {
  static_assert(std::endian::native == std::endian::little);
  if (bytes == 0 || bytes > sizeof value)
    return false;
  uint32_t unusedBits = 64 - 8 * bytes;
  bool isSigned = int64_t(uint64_t(value) << unusedBits) >> unusedBits == value;
  bool isUnsigned = uint64_t(value) << unusedBits >> unusedBits == uint64_t(value);
  return (isSigned || isUnsigned) && std::memcmp(argument, &value, bytes) == 0;
}

/// Returns whether the integer of `bytes` bytes at `argument` is a multiple of `factor`.
bool isMultiple(const void *argument, uint32_t bytes, uint32_t factor) {
  std::optional<int64_t> value = readInteger(argument, bytes);
  return value && *value % int64_t(factor) == 0;
}

std::string_view nameOf(const image::Kernel &kernel) { return kernel.name()->string_view(); }

OrError<AlternativeRequest> withSpec(GrainRequest request) {
  return parseGrainSpec(request.spec).map([&](GrainSpec spec) {
    return AlternativeRequest{std::move(request.glob), std::move(spec), std::move(request.spec)};
  });
}

} // namespace

std::optional<AlternativeForm> findForm(const image::Kernel &kernel, const GrainSpec &spec) {
  uint32_t most = maxResidentOf(spec.grain);
  if (most && kernel.reads_shared_size())
    return std::nullopt;
  if (std::optional<uint32_t> index = findAlternative(kernel, spec))
    return AlternativeForm{*index};
  std::optional<uint32_t> base = findAlternative(kernel, withAnyResidents(spec));
  return most && base ? std::optional(AlternativeForm{*base, most}) : std::nullopt;
}

std::string idOf(const image::Kernel &kernel, const AlternativeForm &form) {
  Grain grain = grainOf(*kernel.alternatives()->Get(form.index));
  if (form.maxResident)
    grain.codegen[maxResidentKey] = form.maxResident;
  return toString(grain);
}

AlternativeRequests parseAlternativeRequests(std::string_view text) {
  AlternativeRequests parsed;
  while (!text.empty()) {
    size_t end = std::min(text.find(';'), text.size());
    std::string_view piece = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (piece.empty())
      continue;
    OrError<AlternativeRequest> request = parseGrainRequest(piece).and_then(withSpec);
    if (request)
      parsed.requests.push_back(std::move(*request));
    else if (parsed.error.empty())
      parsed.error = std::move(request.error());
  }
  return parsed;
}

std::vector<AlternativeChoice> chooseAlternatives(const image::Image &image,
                                                  const image::Kernel &kernel,
                                                  std::span<const AlternativeRequest> requests) {
  std::vector<AlternativeChoice> choices;
  AlternativeChoice original;
  for (size_t left = requests.size(); left-- > 0;) {
    const AlternativeRequest &request = requests[left];
    if (!matchesKernel(request.glob, nameOf(kernel)))
      continue;
    std::optional<AlternativeForm> found = findForm(kernel, request.spec);
    if (found && !found->isOriginal())
      choices.push_back({*found, "asked for by REGRAIN_ALTERNATIVE"});
    else if (original.reason.empty())
      original.reason = found ? "asked for by REGRAIN_ALTERNATIVE"
                              : "REGRAIN_ALTERNATIVE asks for another grain, but " +
                                    whyAbsent(image, kernel, request.spec);
    if (found && found->isOriginal())
      break;
  }
  bool isAsked = !choices.empty() || !original.reason.empty();
  if (!isAsked && kernel.chosen() != 0) {
    choices.push_back({{kernel.chosen()}, "chosen when compiled"});
    if (kernel.next_choices())
      for (uint32_t index : *kernel.next_choices())
        choices.push_back({{index}, "chosen when compiled"});
  } else if (!isAsked) {
    original.reason = "no other grain was chosen or asked for";
  }
  choices.push_back(std::move(original));
  return choices;
}

Offer offerOf(const image::Image &image, const AlternativeRequest &request) {
  Offer offer = Offer::NoKernel;
  if (image.kernels())
    for (const image::Kernel *kernel : *image.kernels())
      if (matchesKernel(request.glob, nameOf(*kernel)))
        offer = std::max(offer, findForm(*kernel, request.spec) ? Offer::Grain : Offer::NoGrain);
  return offer;
}

std::string whyAbsent(const image::Image &image, const image::Kernel &kernel,
                      const AlternativeRequest &request) {
  bool isPresent = findForm(kernel, request.spec).has_value();
  return isPresent ? std::string() : whyAbsent(image, kernel, request.spec);
}

bool isAskedFor(const image::Kernel &kernel, std::span<const AlternativeRequest> requests) {
  return std::any_of(requests.begin(), requests.end(), [&](const AlternativeRequest &request) {
    return matchesKernel(request.glob, nameOf(kernel));
  });
}

std::string_view describe(Misfit misfit) {
  switch (misfit) {
  case Misfit::None:
    return "the launch fits";
  case Misfit::BlockNotDivisible:
    return "the block's size is not divisible by the thread factors";
  case Misfit::PartialWarps:
    return "the grain needs blocks whose width is a multiple of 32";
  case Misfit::SharedMemory:
    return "the grain needs more shared memory than a block can have";
  case Misfit::TooManyThreads:
    return "the grain needs more threads or blocks than a launch can have";
  case Misfit::TooLarge:
    return "the launch has too many threads or blocks in one dimension for the grain";
  case Misfit::OtherBlock:
    return "the grain is compiled for another block size (for.block)";
  case Misfit::OtherGrid:
    return "the grain is compiled for another grid size (for.grid)";
  case Misfit::OtherArgument:
    return "the grain is compiled for another value of an argument (for.arg)";
  case Misfit::NoMultiple:
    return "an argument is not a multiple of the number for which the grain is compiled (for.arg)";
  case Misfit::Misaligned:
    return "a pointer argument is aligned to fewer bytes than the grain is compiled for "
           "(for.pointers)";
  case Misfit::NotApart:
    return "the pointer arguments are not known to point into different allocations of this "
           "runtime (for.aliases)";
  case Misfit::Captured:
    return "the memory of a graph may be another when it runs, so its pointers may no longer point "
           "into different allocations (for.aliases)";
  case Misfit::AboveBound:
    return "the launched block has more threads than the grain's bound= allows";
  case Misfit::LoanStream:
    return "shared=global and in-step= need memory of the stream, and there is none in a graph "
           "capture or for cudaStreamPerThread";
  case Misfit::LoanMemory:
    return "the device has too little free memory for the grain";
  case Misfit::SeveralThreads:
    return "the block has several threads in a dimension in which the grain's code allows only one";
  case Misfit::NotOffered:
    return "the source's rule leaves out such launches";
  case Misfit::OtherLaunch:
    return "the source's rule says that the original is launched in another way for these "
           "arguments";
  case Misfit::NoLaunch:
    return "the source's rule has no result for the launch, because it divides by zero or "
           "overflows";
  case Misfit::NotResident:
    return "the launch is cooperative, and at the grain its blocks are not on the device all at "
           "once";
  case Misfit::NotLimited:
    return "no shared memory of a block leaves as many of them resident as max-resident= says";
  case Misfit::NotTogether:
    return "a block may wait for another, as in the original or by in-step=, and the device does "
           "not hold all of the grain's blocks at once";
  case Misfit::InClusters:
    return "the launch has clusters of several blocks, which only the original and variants as the "
           "source has them keep";
  case Misfit::NoClusters:
    return "the device cannot hold the clusters that the source's rule says";
  }
  return "unknown";
}

uint32_t alignmentOf(const LaunchArguments &arguments, uint32_t most) {
  uintptr_t bits = most;
  for (uint32_t parameter : arguments.pointers) {
    uintptr_t address = 0;
    std::memcpy(&address, arguments.values[parameter], sizeof address);
    bits |= address;
  }
  return uint32_t(bits & -bits);
}

Misfit compareKnown(const KnownLaunch &known, const LaunchShape &program,
                    const LaunchArguments &arguments) {
  if (known.block && *known.block != program.block)
    return Misfit::OtherBlock;
  if (known.grid && *known.grid != program.grid)
    return Misfit::OtherGrid;
  std::span<const ParameterLayout> parameters = arguments.parameters;
  for (auto [parameter, value] : known.arguments)
    if (parameter >= parameters.size() ||
        !isInteger(arguments.values[parameter], parameters[parameter].size, value))
      return Misfit::OtherArgument;
  for (auto [parameter, factor] : known.multiples)
    if (parameter >= parameters.size() ||
        !isMultiple(arguments.values[parameter], parameters[parameter].size, factor))
      return Misfit::NoMultiple;
  if (known.pointers && known.pointers > alignmentOf(arguments, mostAlignment))
    return Misfit::Misaligned;
  if (known.disjoint && !arguments.areApart)
    return Misfit::NotApart;
  return Misfit::None;
}

uint64_t scaleSharedBytes(uint64_t bytes, const Grain &grain) {
  uint64_t copies = product(grain.fuse);
  if (grain.shared != SharedArrays::Common)
    copies *= product(grain.block);
  if (copies == 1)
    return bytes;
  uint64_t aligned = (bytes + sharedCopyAlignment - 1) / sharedCopyAlignment * sharedCopyAlignment;
  return copies * aligned;
}

uint64_t multipleOfSharedBytes(const Grain &grain) {
  uint64_t bytes = scaleSharedBytes(sharedCopyAlignment, grain);
  return bytes == sharedCopyAlignment ? 1 : bytes;
}

LaunchExtents extentsOf(const LaunchShape &shape) {
  const auto &[grid, block, bytes, cluster] = shape;
  return {grid[0],  grid[1], grid[2],    block[0],   block[1],
          block[2], bytes,   cluster[0], cluster[1], cluster[2]};
}

LaunchShape shapeOf(const LaunchExtents &extents) {
  auto from = [&](size_t first) {
    return Extent{uint32_t(extents[first]), uint32_t(extents[first + 1]),
                  uint32_t(extents[first + 2])};
  };
  return {from(0), from(3), extents[sharedExtent], from(clusterExtents)};
}

tl::expected<LaunchShape, Misfit>
launchOfVariant(const LaunchRule &rule, const LaunchShape &program, void *const *arguments) {
  LaunchExtents given = extentsOf(program);
  std::optional<std::vector<uint64_t>> found = evaluate(rule, given, arguments);
  if (!found)
    return tl::unexpected(Misfit::NoLaunch);
  if (rule.saysOriginal() &&
      !std::equal(given.begin(), given.end(), found->begin() + launchExtents))
    return tl::unexpected(Misfit::OtherLaunch);
  LaunchExtents made;
  for (size_t i = 0; i < launchExtents; ++i) {
    made[i] = (*found)[i];
    if (made[i] == 0 && i != sharedExtent)
      return tl::unexpected(Misfit::NotOffered);
    if (made[i] > std::numeric_limits<uint32_t>::max())
      return tl::unexpected(Misfit::TooManyThreads);
  }
  return shapeOf(made);
}

/// These divide without a division where a grain has no factor.
static uint64_t divide(uint64_t number, uint32_t by) { return by == 1 ? number : number / by; }
static uint64_t divideUp(uint64_t number, uint32_t by) {
  return by == 1 ? number : (number - 1) / by + 1;
}

tl::expected<LaunchShape, Misfit> scaleToGrain(const LaunchShape &program, const Grain &grain,
                                               bool wholeWarps) {
  LaunchShape scaled = program;
  for (int d = 0; d < 3; ++d) {
    if (program.block[d] != 1 && isSliced(grain, d))
      return tl::unexpected(Misfit::SeveralThreads);
    uint64_t blocks = program.grid[d], threads = uint64_t(program.block[d]) * grain.fuse[d];
    if (grain.shape) {
      uint64_t total = blocks * threads;
      if (total > mostBlocks)
        return tl::unexpected(Misfit::TooLarge);
      threads = (*grain.shape)[d];
      blocks = (total - 1) / (d == 0 ? threads / lanesPerThread(grain) : threads) + 1;
    }
    scaled.block[d] = uint32_t(divide(threads, grain.thread[d]));
    if (uint64_t(scaled.block[d]) * grain.thread[d] != threads)
      return tl::unexpected(Misfit::BlockNotDivisible);
    blocks = divideUp(blocks, grain.fuse[d]);
    scaled.grid[d] = uint32_t(grain.remainder ? divide(blocks, grain.block[d])
                                              : divideUp(blocks, grain.block[d]));
    // The kernel counts all of the program's blocks that the last launched one stands for, even
    // those outside of the grid.
    if (uint64_t(scaled.grid[d]) * grain.block[d] * grain.fuse[d] > mostBlocks + 1)
      return tl::unexpected(Misfit::TooLarge);
  }
  if (grain.bound && product(scaled.block) > grain.bound)
    return tl::unexpected(Misfit::AboveBound);
  if (wholeWarps && (scaled.block[0] % warpThreads != 0 || program.block[0] % warpThreads != 0))
    return tl::unexpected(Misfit::PartialWarps);
  uint64_t ofRings = dynamicSharedOf(grain);
  scaled.dynamicSharedBytes =
      ofRings ? ofRings : scaleSharedBytes(program.dynamicSharedBytes, grain);
  return scaled;
}

std::optional<RemainderLaunch> remainderOf(const LaunchShape &program, const Grain &grain) {
  if (!grain.remainder)
    return std::nullopt;
  tl::expected<LaunchShape, Misfit> all =
      scaleToGrain(program, grain.ofRemainder(), /*wholeWarps=*/false);
  if (!all)
    return std::nullopt;
  RemainderLaunch rest = {*all, {}};
  for (int d = 0; d < 3; ++d)
    if (grain.block[d] != 1) {
      rest.shape.grid[d] = all->grid[d] % grain.block[d];
      rest.first[d] = all->grid[d] - rest.shape.grid[d];
      if (rest.shape.grid[d] != 0)
        return rest;
    }
  return std::nullopt;
}

Grain grainOf(const image::Alternative &alternative) {
  OrError<GrainSpec> spec = parseGrainSpec(alternative.id()->string_view());
  return spec ? spec->grain : Grain(); // an opened image has only canonical ids
}

} // namespace regrain
