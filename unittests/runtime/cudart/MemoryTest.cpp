//===- cudart/MemoryTest.cpp - Memory and copies on the CPU device --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace {

struct CudaFree {
  void operator()(void *pointer) const { EXPECT_EQ(cudaFree(pointer), cudaSuccess); }
};
using DeviceBytes = std::unique_ptr<char, CudaFree>;

DeviceBytes allocate(size_t bytes) {
  void *pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
  return DeviceBytes(static_cast<char *>(pointer));
}

TEST(Memory, Allocation_IsAligned) {
  for (size_t bytes : {1, 100, 5000})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(allocate(bytes).get()) % 256, 0u);
}

TEST(Memory, TooMuch_FailsAndTheProgramGoesOn) {
  void *pointer = &pointer;
  EXPECT_EQ(cudaMalloc(&pointer, size_t(1) << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaMallocHost(&pointer, SIZE_MAX), cudaErrorMemoryAllocation);
  size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&pointer, &pitch, SIZE_MAX, 2), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocPitch(&pointer, &pitch, SIZE_MAX / 4, 8), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_TRUE(allocate(16));
}

TEST(Memory, CopyBeyondAnAllocation_IsRefused) {
  constexpr size_t bytes = 96, pitch = 32;
  DeviceBytes device = allocate(bytes), other = allocate(2 * bytes);
  std::vector<char> host(2 * bytes);
  char *start = device.get();
  EXPECT_EQ(cudaMemcpy(start, host.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(start, host.data(), bytes + 1, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), start + 1, bytes, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(other.get(), start, bytes + 1, cudaMemcpyDefault, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(start + 1, 0, bytes), cudaErrorInvalidValue);
  // The last row of a rectangle ends with its width.
  EXPECT_EQ(cudaMemset2D(start + 8, pitch, 0, pitch - 8, 3), cudaSuccess);
  EXPECT_EQ(cudaMemset2D(start + 8, pitch, 0, pitch, 3), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(start, 0, bytes), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(Memory, NothingAndNull) {
  void *pointer = &pointer;
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(Memory, LocationsAreDevicesOrTheHost) {
  void *pointer = nullptr;
  EXPECT_EQ(cudaMallocManaged(&pointer, 64, cudaMemAttachGlobal), cudaSuccess);
  for (auto [location, expected] :
       {std::pair<cudaMemLocation, cudaError_t>({cudaMemLocationTypeDevice, 0}, cudaSuccess),
        {{cudaMemLocationTypeHost, 7}, cudaSuccess},
        {{cudaMemLocationTypeHostNumaCurrent, 0}, cudaSuccess},
        {{cudaMemLocationTypeInvalid, 0}, cudaErrorInvalidValue}}) {
    EXPECT_EQ(cudaMemPrefetchAsync_v2(pointer, 64, location, 0, nullptr), expected);
    EXPECT_EQ(cudaMemAdvise_v2(pointer, 64, cudaMemAdviseSetPreferredLocation, location), expected);
  }
  EXPECT_EQ(cudaMemPrefetchAsync_v2(pointer, 64, {cudaMemLocationTypeDevice, 0}, 1, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST(Memory, FreeingWhatIsNotOurs_IsInvalidValue) {
  int local = 0;
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  DeviceBytes bytes = allocate(64);
  EXPECT_EQ(cudaFree(bytes.get() + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(bytes.get()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(Memory, PointerAttributes) {
  cudaPointerAttributes attributes;
  DeviceBytes bytes = allocate(64);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, bytes.get() + 63), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 0);
  int local = 0;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &local), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  void *host = nullptr, *device = nullptr;
  ASSERT_EQ(cudaHostAlloc(&host, 64, cudaHostAllocMapped), cudaSuccess);
  ASSERT_EQ(cudaHostGetDevicePointer(&device, host, 0), cudaSuccess);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, host), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes.devicePointer, device);
  unsigned flags = 0;
  EXPECT_EQ(cudaHostGetFlags(&flags, host), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaHostAllocMapped));
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST(Memory, HostRegistration) {
  int local[16] = {};
  EXPECT_EQ(cudaHostUnregister(local), cudaErrorHostMemoryNotRegistered);
  ASSERT_EQ(cudaHostRegister(local, sizeof(local), cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(local + 4, 4, cudaHostRegisterDefault),
            cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(local), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorHostMemoryAlreadyRegistered);
}

TEST(Memory, Info) {
  size_t freeBytes = 0, totalBytes = 0;
  ASSERT_EQ(cudaMemGetInfo(&freeBytes, &totalBytes), cudaSuccess);
  EXPECT_GT(freeBytes, 0u);
  EXPECT_LE(freeBytes, totalBytes);
}

TEST(Copies, RoundTripAndFill) {
  DeviceBytes bytes = allocate(8);
  char back[8] = {};
  ASSERT_EQ(cudaMemcpy(bytes.get(), "abcdefg", 8, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemset(bytes.get() + 2, 'x', 3), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(back, bytes.get(), 8, cudaMemcpyDefault), cudaSuccess);
  EXPECT_STREQ(back, "abxxxfg");
}

TEST(Copies, TwoDimensions) {
  void *pointer = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pointer, &pitch, 3, 2), cudaSuccess);
  EXPECT_GE(pitch, 3u);
  ASSERT_EQ(cudaMemcpy2D(pointer, pitch, "abcABC", 3, 3, 2, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(pointer, pitch, '-', 1, 2), cudaSuccess);
  char back[7] = {};
  ASSERT_EQ(cudaMemcpy2D(back, 3, pointer, pitch, 3, 2, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_STREQ(back, "-bc-BC");
  EXPECT_EQ(cudaMemcpy2D(back, 2, pointer, pitch, 3, 2, cudaMemcpyDeviceToHost),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST(Copies, ThreeDimensions) {
  cudaPitchedPtr box = {};
  ASSERT_EQ(cudaMalloc3D(&box, {4, 3, 2}), cudaSuccess);
  char from[24], back[24] = {};
  for (int i = 0; i < 24; ++i)
    from[i] = char('a' + i);
  cudaMemcpy3DParms in = {}, out = {};
  in.srcPtr = {from, 4, 4, 3};
  in.dstPtr = box;
  in.extent = {4, 3, 2};
  in.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  out.srcPtr = box;
  out.srcPos = {1, 1, 1};
  out.dstPtr = {back, 4, 4, 3};
  out.extent = {2, 2, 1};
  out.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_EQ(std::memcmp(back, "rs", 2), 0);
  EXPECT_EQ(std::memcmp(back + 4, "vw", 2), 0);
  EXPECT_EQ(cudaFree(box.ptr), cudaSuccess);
}

TEST(Copies, WrongArguments) {
  char local[4];
  EXPECT_EQ(cudaMemcpy(nullptr, local, 4, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(local, local, 4, cudaMemcpyKind(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(Errors, NamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaError_t(12345)), "unrecognized error code");
}

TEST(Errors, UnsupportedEntries_SaySo) {
  cudaArray_t plane = nullptr;
  EXPECT_EQ(cudaArrayGetPlane(&plane, nullptr, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

TEST(Memory, FreeInOrder_KeepsTheAddressUntilTheStreamIsThere) {
  void *pointer = nullptr, *other = nullptr;
  std::atomic<bool> isOpen = false;
  auto wait = [](void *open) {
    while (!*static_cast<std::atomic<bool> *>(open))
      std::this_thread::yield();
  };
  size_t before = 0, during = 0, after = 0, total = 0;
  constexpr size_t bytes = 1 << 20;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&pointer, bytes, nullptr), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(nullptr, wait, &isOpen), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&other, bytes), cudaSuccess);
  EXPECT_NE(other, pointer);
  EXPECT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  isOpen = true;
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(other), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - during, 2 * bytes);
  EXPECT_EQ(before, after);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(Versions, AreOfCuda12) {
  int version = 0;
  ASSERT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 13000);
  ASSERT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_GE(version, 13000);
}

} // namespace
