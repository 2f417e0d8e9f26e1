//===- clusters.cpp - Clusters of blocks ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel says which blocks form a cluster (__cluster_dims__), or the program by an attribute of
// the kernel or of a launch. Of a variant, the source's rule says it.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"

#include <algorithm>

namespace regrain {
namespace {

/// The most blocks of a cluster on every device that has clusters, and on some of them.
constexpr uint64_t portableBlocks = 8, mostBlocks = 16;

/// An attribute may leave dimensions out.
Extent withoutZeros(Extent extent) {
  for (uint32_t &size : extent)
    size = std::max(size, 1u);
  return extent;
}

} // namespace

bool LaunchPlan::hasClusters() const { return demandedCluster[0] != 0; }

/// Gives the blocks of a cluster of the launch, which are {1, 1, 1} without clusters.
cudaError_t LaunchPlan::findCluster(const LaunchShape &program, const Togetherness &together,
                                    Extent &cluster) const {
  cluster = withoutZeros(together.cluster.value_or(Extent{1, 1, 1}));
  if (hasClusters()) {
    Extent demanded = withoutZeros({demandedCluster[0], demandedCluster[1], demandedCluster[2]});
    if (together.cluster && cluster != demanded)
      return cudaErrorInvalidClusterSize;
    cluster = demanded;
  }
  LaunchShape shape = program;
  shape.cluster = cluster;
  return checkClusters(shape);
}

/// Returns whether the device has such clusters, and they divide the grid.
cudaError_t LaunchPlan::checkClusters(const LaunchShape &shape) const {
  uint64_t blocks = product(shape.cluster);
  if (blocks == 1)
    return cudaSuccess;
  if (!device.properties.clusterLaunch)
    return cudaErrorNotSupported;
  if (blocks > (allowsLargeClusters ? mostBlocks : portableBlocks))
    return cudaErrorInvalidClusterSize;
  for (size_t d = 0; d < shape.cluster.size(); ++d)
    if (shape.grid[d] % shape.cluster[d] != 0)
      return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

/// Returns how many clusters of such a launch the device holds at once; 0 if it does not tell.
/// Programs repeat their launches, and what the device answers changes with its settings.
uint64_t LaunchPlan::activeClusters(const Code &code, const LaunchShape &shape) const {
  const Extent &cluster = shape.cluster;
  uint64_t question[] = {device.occupancyChanges.load(std::memory_order_acquire),
                         cluster[0],
                         cluster[1],
                         cluster[2],
                         product(shape.block),
                         shape.dynamicSharedBytes};
  uint64_t answer[1] = {};
  if (!code.activeClusters.find(question, answer)) {
    Launch launch = originalLaunch(shape, nullptr, nullptr);
    int clusters = 0;
    if (code.function.maxActiveClusters(launch, clusters) == cudaSuccess)
      answer[0] = uint64_t(std::max(clusters, 0));
    code.activeClusters.note(question, answer);
  }
  return answer[0];
}

/// Blocks of another grain have other ranks in their cluster, and other shared memory. `base` is
/// the launch of which the grain is one.
Misfit LaunchPlan::fitClusters(const Alternative &alternative, const LaunchShape &base) const {
  if (!isClustered(base))
    return Misfit::None;
  if (!alternative.grain.isPlainVariant())
    return Misfit::InClusters;
  bool isHeld = checkClusters(base) == cudaSuccess && activeClusters(*alternative.whole, base) != 0;
  return isHeld ? Misfit::None : Misfit::NoClusters;
}

bool LaunchPlan::hasPlainVariants() const {
  return std::ranges::any_of(
      alternatives, [](const auto &alternative) { return alternative->grain.isPlainVariant(); });
}

/// The core knows the demanded clusters for every device, and makes them part of each launch.
cudaError_t LaunchPlan::setCluster(cudaFuncAttribute attribute, int value) {
  if (kernel.cluster())
    return cudaErrorNotPermitted;
  if (value < 0)
    return cudaErrorInvalidValue;
  demandedCluster[attribute - cudaFuncAttributeRequiredClusterWidth] = uint32_t(value);
  return cudaSuccess;
}

cudaError_t LaunchPlan::maxActiveClusters(const LaunchShape &program, const Togetherness &together,
                                          int &clusters) {
  Launch launch = originalLaunch(program, nullptr, nullptr);
  cudaError_t status = validate(program);
  if (status == cudaSuccess)
    status = findCluster(program, together, launch.cluster);
  return status == cudaSuccess ? original->maxActiveClusters(launch, clusters) : status;
}

cudaError_t LaunchPlan::maxClusterBlocks(const LaunchShape &program, int &blocks) {
  cudaError_t status = validate(program);
  if (status == cudaSuccess && !device.properties.clusterLaunch)
    status = cudaErrorNotSupported;
  if (status == cudaSuccess)
    status = original->maxClusterBlocks(originalLaunch(program, nullptr, nullptr), blocks);
  return status;
}

} // namespace regrain
