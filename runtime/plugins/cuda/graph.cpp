//===- graph.cpp - An NVIDIA GPU: capture and graphs ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of an update have the same values in the runtime and in the driver. GraphDevice has
// the calls that do not differ between GPUs.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {

cudaError_t CudaDevice::updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                                         cudaGraphExecUpdateResultInfo &result) {
  return toRuntime(driver.graphExecUpdate(executable, graph, &result));
}

cudaError_t CudaDevice::uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  return toRuntime(driver.graphUpload(executable, stream));
}

} // namespace regrain::cuda
