//===- launch_configuration.h - What cudaLaunchConfig_t says ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/launch_plan.h"

namespace regrain {

inline Extent toExtent(const dim3 &size) { return {size.x, size.y, size.z}; }

inline bool isReadable(const cudaLaunchConfig_t *config) {
  return config && (config->numAttrs == 0 || config->attrs);
}

inline LaunchShape shapeOf(const cudaLaunchConfig_t &config) {
  return {toExtent(config.gridDim), toExtent(config.blockDim), config.dynamicSmemBytes};
}

/// Adds what an attribute of a launch or of a kernel node demands.
inline void addTo(Togetherness &together, cudaLaunchAttributeID id,
                  const cudaLaunchAttributeValue &value) {
  if (id == cudaLaunchAttributeCooperative)
    together.isCooperative = value.cooperative != 0;
  if (id == cudaLaunchAttributeClusterDimension)
    together.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
  if (id == cudaLaunchAttributeProgrammaticStreamSerialization)
    together.mayBeginEarly = value.programmaticStreamSerializationAllowed != 0;
}

/// The last of several attributes counts.
inline Togetherness togethernessOf(const cudaLaunchConfig_t &config) {
  Togetherness together;
  for (unsigned i = 0; i < config.numAttrs; ++i)
    addTo(together, config.attrs[i].id, config.attrs[i].val);
  return together;
}

} // namespace regrain
