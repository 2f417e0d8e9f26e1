//===- submit.cpp - Work of a library in a stream -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/stream/submit.h"

#include "runtime/cudart/device_kind.h"

#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

namespace regrain::libraries {
namespace {

using Work = std::function<void()>;

void runOnce(void *data) { (*std::unique_ptr<Work>(static_cast<Work *>(data)))(); }
void runAgain(void *data) { (*static_cast<Work *>(data))(); }

} // namespace

cudaError_t checkDevice() {
  // A process without Regrain's runtime has no such function.
  return regrain_device_is_cpu && regrain_device_is_cpu() ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t submit(cudaStream_t stream, Work work) {
  auto data = std::make_unique<Work>(std::move(work));
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaError_t status = cudaStreamIsCapturing(stream, &capture);
  if (status != cudaSuccess)
    return status;
  // A graph runs the work at each launch, and does not say when it is destroyed.
  bool isCaptured = capture == cudaStreamCaptureStatusActive;
  status = cudaLaunchHostFunc(stream, isCaptured ? runAgain : runOnce, data.get());
  if (status == cudaSuccess)
    static_cast<void>(data.release());
  return status;
}

cudaError_t submitAndWait(cudaStream_t stream, Work work) {
  cudaError_t status = submit(stream, std::move(work));
  return status == cudaSuccess ? cudaStreamSynchronize(stream) : status;
}

int threadCount() {
  const char *asked = std::getenv("REGRAIN_NUM_THREADS");
  int count = asked ? std::atoi(asked) : 0;
  return count > 0 ? count : int(std::thread::hardware_concurrency());
}

} // namespace regrain::libraries
