//===- cooperative_launch.cpp - Launches whose blocks run at once ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a cooperative launch may wait for each other, so the device must hold all of them.
// How many it holds depends on the grain, whose code has other registers and shared memory. Blocks
// of other launches wait, too, where the program knows that the device holds them.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"
#include "runtime/core/settings.h"

#include <algorithm>

namespace regrain {

/// Returns whether the device holds all blocks of the launch at once; false if it does not report
/// how many it holds.
bool LaunchPlan::isResident(Function &function, const LaunchShape &shape) const {
  int blocks = 0, clusters = 0;
  if (isClustered(shape))
    return function.maxActiveClusters(originalLaunch(shape, nullptr, nullptr), clusters) ==
               cudaSuccess &&
           product(shape.grid) <= uint64_t(std::max(clusters, 0)) * product(shape.cluster);
  if (function.maxActiveBlocks(int(product(shape.block)), shape.dynamicSharedBytes, 0, blocks) !=
      cudaSuccess)
    return false;
  return product(shape.grid) <= uint64_t(blocks) * uint64_t(device.properties.multiProcessorCount);
}

/// Returns whether the device is sure to hold all blocks of a launch at the grain at once. How many
/// are resident is up to the device where the grain limits them.
bool LaunchPlan::isTogether(const Alternative &alternative, const Scaled &scaled) const {
  return !scaled.remainder && !alternative.maxResident &&
         isResident(alternative.whole->function, scaled.whole);
}

/// Returns whether a block may wait for another: then it learns of others, and launches of the
/// kernel cannot be repeated.
bool LaunchPlan::mayWait() const {
  const auto *obstacle = kernel.not_replayable();
  return !kernel.blocks_work_alone() && obstacle && obstacle->size() > 0;
}

/// Returns whether blocks that may wait for each other are on the device all at once, if those of
/// the original are. Otherwise they only wait for blocks that the device has begun before.
bool LaunchPlan::keepsTogether(const Alternative &alternative, const Scaled &scaled,
                               const LaunchShape &program) const {
  // Of a kernel without grain IR it is not known what its blocks do.
  bool isUnknown = alternative.maxResident && !kernel.footprint();
  if ((!isUnknown && !mayWait()) || !isResident(*original, program))
    return true;
  return isTogether(alternative, scaled);
}

/// Blocks that remain would run after the others, for which those may wait.
std::optional<LaunchPlan::Prepared> LaunchPlan::prepareCooperative(Alternative &alternative,
                                                                   const LaunchShape &program,
                                                                   void **arguments,
                                                                   cudaStream_t stream) {
  std::optional<Prepared> prepared = prepare(alternative, program, arguments, stream);
  if (!prepared)
    return std::nullopt;
  const Scaled &scaled = prepared->scaled;
  if (isTogether(alternative, scaled))
    return prepared;
  reportMisfit(alternative, Misfit::NotResident);
  return std::nullopt;
}

cudaError_t LaunchPlan::launchCooperative(const LaunchShape &program, void **arguments,
                                          cudaStream_t stream) {
  for (Alternative *alternative : asked)
    if (auto prepared = prepareCooperative(*alternative, program, arguments, stream))
      return launchAlternative(*alternative, *prepared, arguments, stream, {.isCooperative = true});
  Launch launch = originalLaunch(program, arguments, stream);
  launch.isCooperative = true;
  return device.device->launch(*original, launch);
}

/// Checks a launch of the original, and completes it by what the program demands.
cudaError_t LaunchPlan::bringTogether(const LaunchShape &program, const Togetherness &together,
                                      Launch &launch) const {
  launch.isCooperative = together.isCooperative;
  launch.mayBeginEarly = together.mayBeginEarly && waits && !together.isCooperative;
  cudaError_t status = validate(program);
  if (together.isCooperative && !device.properties.cooperativeLaunch)
    status = cudaErrorNotSupported;
  if (status == cudaSuccess)
    status = findCluster(program, together, launch.cluster);
  if (status == cudaSuccess && together.isCooperative && !isResident(*original, program))
    status = cudaErrorCooperativeLaunchTooLarge;
  if (status == cudaSuccess)
    return status;
  cudaError_t left = device.device->stickyError(); // precedes errors of this launch
  return left != cudaSuccess ? left : status;
}

cudaError_t LaunchPlan::launchTogether(const LaunchShape &program, const Togetherness &together,
                                       void **arguments, cudaStream_t stream) {
  Launch launch = originalLaunch(program, arguments, stream);
  if (cudaError_t status = bringTogether(program, together, launch); status != cudaSuccess)
    return status;
  LaunchShape own = program;
  own.cluster = launch.cluster;
  if (!together.isCooperative)
    return launchTunable(own, arguments, stream, together.mayBeginEarly);
  return isClustered(own) ? device.device->launch(*original, launch)
                          : launchCooperative(own, arguments, stream);
}

cudaError_t LaunchPlan::launchOriginal(const LaunchShape &program, const Togetherness &together,
                                       void **arguments, cudaStream_t stream) {
  Launch launch = originalLaunch(program, arguments, stream);
  cudaError_t status = bringTogether(program, together, launch);
  return status == cudaSuccess ? device.device->launch(*original, launch) : status;
}

} // namespace regrain
