//===- own_kernels.cpp - An NVIDIA GPU: kernels of the plugin -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {
namespace {

/// regrain_delay: one thread reads the clock until the time is over.
/// regrain_copy: each thread copies 16 bytes. The first one then waits for so many cycles since it
/// began: a queue starts a kernel each two microseconds, and what follows a kernel that takes longer
/// is ready when it ends.
constexpr const char *ownPtx = R"(
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

.visible .entry regrain_copy(.param .u64 to, .param .u64 from, .param .u32 count, .param .u64 cycles)
{
  .reg .pred %p<2>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  mov.u64 %rd6, %clock64;
  ld.param.u64 %rd9, [cycles];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  mul.wide.u32 %rd3, %r5, 16;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.v4.u32 {%r6, %r7, %r8, %r9}, [%rd5];
  st.v4.u32 [%rd4], {%r6, %r7, %r8, %r9};
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra done;
again:
  mov.u64 %rd7, %clock64;
  sub.s64 %rd8, %rd7, %rd6;
  setp.lt.u64 %p1, %rd8, %rd9;
  @%p1 bra again;
done:
  ret;
}
)";

constexpr unsigned bytesOfThread = 16, threadsOfBlock = 256;
/// Of more bytes, the copy takes so long that the change between engines does not count.
constexpr size_t mostBytes = 4 << 20;
/// About four microseconds: two kernels of a queue start in that time.
constexpr uint64_t leastCycles = 8000;

bool isMultiple(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % bytesOfThread == 0;
}

} // namespace

CUfunction CudaDevice::ownKernel(CUfunction OwnKernels::*kernel) {
  std::lock_guard lock(ownKernelsLock);
  if (!ownKernels) {
    OwnKernels found;
    CUmodule module = nullptr;
    std::string reason;
    bool isLoaded =
        loadCode(ownPtx, "kernels of the plugin", module, reason) == cudaSuccess &&
        driver.moduleGetFunction(&found.delay, module, "regrain_delay") == CUDA_SUCCESS &&
        driver.moduleGetFunction(&found.copy, module, "regrain_copy") == CUDA_SUCCESS;
    ownKernels = isLoaded ? found : OwnKernels();
  }
  return (*ownKernels).*kernel;
}

cudaError_t CudaDevice::delay(cudaStream_t stream, std::chrono::microseconds time) {
  CUfunction kernel = ownKernel(&OwnKernels::delay);
  if (!kernel)
    return cudaSuccess;
  uint64_t nanoseconds = std::chrono::nanoseconds(time).count();
  void *parameters[] = {&nanoseconds};
  return toRuntime(driver.launchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}

cudaError_t CudaDevice::copyByKernel(void *to, const void *from, size_t bytes,
                                     cudaStream_t stream) {
  bool isSmall = bytes != 0 && bytes <= mostBytes && bytes % bytesOfThread == 0;
  CUfunction kernel =
      isSmall && isMultiple(to) && isMultiple(from) ? ownKernel(&OwnKernels::copy) : nullptr;
  if (!kernel)
    return Device::copyByKernel(to, from, bytes, stream);
  auto count = unsigned(bytes / bytesOfThread);
  unsigned blocks = (count + threadsOfBlock - 1) / threadsOfBlock;
  uint64_t cycles = leastCycles;
  void *parameters[] = {&to, &from, &count, &cycles};
  return toRuntime(driver.launchKernel(kernel, blocks, 1, 1, threadsOfBlock, 1, 1, 0, stream,
                                       parameters, nullptr));
}

} // namespace regrain::cuda
