//===- graph.cpp - An AMD GPU: capture and graphs -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of an update have the same values in CUDA and in HIP. GraphDevice has the calls that
// do not differ between GPUs.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/hip/device.h"

namespace regrain::hip {

cudaError_t HipDevice::updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                                        cudaGraphExecUpdateResultInfo &result) {
  int outcome = cudaGraphExecUpdateSuccess;
  HipResult status = library.graphExecUpdate(executable, graph, &result.errorNode, &outcome);
  result.result = static_cast<cudaGraphExecUpdateResult>(outcome);
  result.errorFromNode = nullptr;
  return toRuntime(status);
}

/// Before 5.3, only the first launch of a graph uploads it, which CUDA allows. The query
/// detects what is wrong with the stream: like an upload, it invalidates a capture.
cudaError_t HipDevice::uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  if (library.graphUpload)
    return toRuntime(library.graphUpload(executable, toHip(stream)));
  cudaError_t status = queryStream(stream);
  return status == cudaErrorNotReady ? cudaSuccess : status;
}

} // namespace regrain::hip
