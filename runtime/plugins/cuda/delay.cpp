//===- delay.cpp - An NVIDIA GPU: delays in streams -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {
namespace {

/// One thread reads the clock until the time is over.
constexpr const char *delayPtx = R"(
.version 6.0
.target sm_50
.address_size 64

.visible .entry regrain_delay(.param .u64 nanoseconds)
{
  .reg .pred %p<2>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [nanoseconds];
  mov.u64 %rd2, %globaltimer;
again:
  mov.u64 %rd3, %globaltimer;
  sub.s64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p1, %rd4, %rd1;
  @%p1 bra again;
  ret;
}
)";

} // namespace

cudaError_t CudaDevice::delay(cudaStream_t stream, std::chrono::microseconds time) {
  std::lock_guard lock(delayLock);
  if (!delayer && !hasNoDelays) {
    CUmodule module = nullptr;
    std::string reason;
    hasNoDelays = loadCode(delayPtx, "delays", module, reason) != cudaSuccess ||
                  driver.moduleGetFunction(&delayer, module, "regrain_delay") != CUDA_SUCCESS;
  }
  if (hasNoDelays)
    return cudaSuccess;
  uint64_t nanoseconds = std::chrono::nanoseconds(time).count();
  void *parameters[] = {&nanoseconds};
  return toRuntime(driver.launchKernel(delayer, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}

} // namespace regrain::cuda
