//===- alternative_launch.cpp - A launch at another grain -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch of the program is scaled, checked against all limits and given the
// memory that its grain needs. It becomes one launch, and a second one if
// blocks remain.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"
#include "runtime/core/settings.h"

#include <algorithm>

namespace regrain {
namespace {

constexpr size_t inlineParameters = 64; // more parameters go to the heap

bool hasBlocks(const LaunchShape &shape) {
  return shape.grid[0] != 0 && shape.grid[1] != 0 && shape.grid[2] != 0;
}

} // namespace

/// Sets the code's limit of dynamic shared memory; returns false if the device
/// has less. Of threads that raise the limit at once, none sets it below another's.
bool LaunchPlan::allowShared(Code &code, uint64_t dynamicBytes) const {
  if (code.isOriginals)
    return dynamicBytes <= dynamicSharedLimit.load(std::memory_order_relaxed);
  if (dynamicBytes + code.staticSharedBytes > device.properties.sharedMemPerBlockOptin)
    return false;
  if (dynamicBytes <= code.dynamicSharedLimit.load(std::memory_order_relaxed))
    return true;
  static std::mutex raising;
  std::lock_guard lock(raising);
  if (dynamicBytes <= code.dynamicSharedLimit.load(std::memory_order_relaxed))
    return true;
  if (code.function.setAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize, int(dynamicBytes)) !=
      cudaSuccess)
    return false;
  code.dynamicSharedLimit.store(dynamicBytes, std::memory_order_relaxed);
  return true;
}

Misfit LaunchPlan::fit(Code &code, const LaunchShape &shape) const {
  if (exceedsDevice(shape) || product(shape.block) > code.maxThreads)
    return Misfit::TooManyThreads;
  if (hasSeveral(shape.block, code.singleDimensions))
    return Misfit::SeveralThreads;
  return allowShared(code, shape.dynamicSharedBytes) ? Misfit::None : Misfit::SharedMemory;
}

/// Lets no more blocks be resident than the grain allows, and checks the launch.
Misfit LaunchPlan::fit(Alternative &alternative, Code &code, LaunchShape &shape,
                       std::optional<uint32_t> &sharedPercent) const {
  if (alternative.maxResident && !exceedsDevice(shape)) {
    std::optional<Residency> found = residencyOf(alternative, code, shape);
    if (!found)
      return Misfit::NotLimited;
    shape.dynamicSharedBytes = found->dynamicBytes;
    sharedPercent = found->sharedPercent;
  }
  return fit(code, shape);
}

/// The pointers that a graph keeps are compared when it is made. When it runs, the memory to which
/// they pointed may have been freed, and another allocation may contain two of them.
Misfit LaunchPlan::compareLaunch(const KnownLaunch &known, const LaunchShape &program,
                                 void **values, cudaStream_t stream) {
  LaunchArguments arguments = argumentsOf(values);
  if (known.disjoint)
    arguments.areApart = verdicts->areApart(arguments, device.allocations);
  Misfit misfit = compareKnown(known, program, arguments);
  return misfit == Misfit::None && known.disjoint && mayCapture(stream) ? Misfit::Captured : misfit;
}

/// Returns the launch of which a grain is one.
tl::expected<LaunchShape, Misfit> LaunchPlan::baseLaunch(const Alternative &alternative,
                                                         const LaunchShape &program,
                                                         void *const *arguments) {
  return alternative.variant ? alternative.variant->of(program, arguments) : program;
}

/// Checks all launches before the first one is made.
Misfit LaunchPlan::fit(Alternative &alternative, const LaunchShape &program, void **arguments,
                       cudaStream_t stream, Scaled &out) {
  tl::expected<LaunchShape, Misfit> base = baseLaunch(alternative, program, arguments);
  if (!base)
    return base.error();
  Misfit misfit = compareLaunch(alternative.grain.known, *base, arguments, stream);
  if (misfit != Misfit::None)
    return misfit;
  tl::expected<LaunchShape, Misfit> whole =
      scaleToGrain(*base, alternative.grain, alternative.wholeWarps);
  if (!whole)
    return whole.error();
  out.base = *base;
  out.whole = *whole;
  if (alternative.remainder)
    out.remainder = remainderOf(*base, alternative.grain);
  if (hasBlocks(out.whole))
    misfit = fit(alternative, *alternative.whole, out.whole, out.wholePercent);
  if (misfit == Misfit::None && out.remainder)
    misfit = fit(alternative, *alternative.remainder, out.remainder->shape, out.remainderPercent);
  return misfit == Misfit::None ? fitClusters(alternative, out.base) : misfit;
}

void LaunchPlan::reportMisfit(Alternative &alternative, Misfit misfit) {
  if (!Settings::get().verbose)
    return;
  uint32_t bit = 1u << uint32_t(misfit);
  if (alternative.reportedMisfits.fetch_or(bit, std::memory_order_relaxed) & bit)
    return;
  say(kernel.name()->str() + ": " + alternative.id + " does not run for this launch, because " +
      std::string(describe(misfit)));
}

/// Blocks that remain wait for the others: if they ended first, a launch behind them could take all
/// of the work for done. Lent memory is the launch's alone until all of it has ended.
cudaError_t LaunchPlan::launchAlternative(const Alternative &alternative, const Prepared &prepared,
                                          void **arguments, cudaStream_t stream,
                                          Togetherness together) {
  void *inlineValues[inlineParameters];
  std::vector<void *> heapValues;
  void **values = inlineValues;
  size_t count = parameters.size() + 1 + 3 * extentParameters;
  if (count > inlineParameters) {
    heapValues.resize(count);
    values = heapValues.data();
  }
  const Scaled &scaled = prepared.scaled;
  Extent grid = scaled.base.grid, block = scaled.base.block, first = {};
  void **next = std::copy_n(arguments, parameters.size(), values);
  auto append = [&](Extent &extent) {
    for (uint32_t &size : extent)
      *next++ = &size;
  };
  void *lent = prepared.loan.address();
  if (lent)
    *next++ = &lent;
  if (alternative.takesGrid)
    append(grid);
  if (alternative.takesBlock)
    append(block);
  append(first); // the first launch does not take it, and its layout ends before it
  auto launch = [&](const Code &code, const LaunchShape &shape,
                    std::optional<uint32_t> sharedPercent, bool mayBeginEarly) {
    return device.device->launch(code.function,
                                 {.grid = shape.grid,
                                  .block = shape.block,
                                  .dynamicSharedBytes = uint32_t(shape.dynamicSharedBytes),
                                  .stream = stream,
                                  .values = values,
                                  .parameters = code.parameters,
                                  .isCooperative = together.isCooperative,
                                  .cluster = shape.cluster,
                                  .sharedPercent = sharedPercent,
                                  .mayBeginEarly = mayBeginEarly});
  };
  cudaError_t status = cudaSuccess;
  if (hasBlocks(scaled.whole))
    status = launch(*alternative.whole, scaled.whole, scaled.wholePercent,
                    together.mayBeginEarly && alternative.whole->waits && !lent);
  if (status != cudaSuccess || !scaled.remainder)
    return status;
  first = scaled.remainder->first;
  return launch(*alternative.remainder, scaled.remainder->shape, scaled.remainderPercent,
                /*mayBeginEarly=*/false);
}

/// Takes memory for all blocks of a launch, or a word. The remainder runs after the first launch,
/// in the same memory.
Misfit LaunchPlan::lendMemory(const Alternative &alternative, cudaStream_t stream,
                              Prepared &launch) {
  if (stream == cudaStreamPerThread || mayCapture(stream))
    return Misfit::LoanStream;
  const Scaled &scaled = launch.scaled;
  uint64_t blocks = product(scaled.whole.grid);
  if (scaled.remainder)
    blocks = std::max(blocks, product(scaled.remainder->shape.grid));
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(blocks, alternative.lentBytes, &bytes))
    return Misfit::LoanMemory;
  auto loan = alternative.isInStep ? device.lentMemory.lendWord(*device.device, stream)
                                   : device.lentMemory.lend(*device.device, stream, bytes);
  if (!loan)
    return Misfit::LoanMemory;
  launch.loan = std::move(*loan);
  return Misfit::None;
}

std::optional<LaunchPlan::Prepared> LaunchPlan::prepare(Alternative &alternative,
                                                        const LaunchShape &program,
                                                        void **arguments, cudaStream_t stream) {
  std::optional<Prepared> prepared(std::in_place);
  Misfit misfit = fit(alternative, program, arguments, stream, prepared->scaled);
  if (misfit == Misfit::None && !keepsTogether(alternative, prepared->scaled, program))
    misfit = Misfit::NotTogether;
  if (misfit == Misfit::None && alternative.isInStep && !isTogether(alternative, prepared->scaled))
    misfit = Misfit::NotTogether;
  if (misfit == Misfit::None && alternative.lentBytes)
    misfit = lendMemory(alternative, stream, *prepared);
  if (misfit != Misfit::None) {
    reportMisfit(alternative, misfit);
    prepared.reset();
  }
  return prepared;
}

std::optional<cudaError_t> LaunchPlan::tryLaunch(Alternative &alternative,
                                                 const LaunchShape &program, void **arguments,
                                                 cudaStream_t stream, bool mayBeginEarly) {
  if (std::optional<Prepared> prepared = prepare(alternative, program, arguments, stream))
    return launchAlternative(alternative, *prepared, arguments, stream,
                             {.mayBeginEarly = mayBeginEarly});
  return std::nullopt;
}

} // namespace regrain
