//===- cudart/LaunchTest.cpp - Launches on the CPU device -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace regrain::test;

namespace {

class Launches : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&numbers), count * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&how), 16), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaFree(numbers), cudaSuccess);
    EXPECT_EQ(cudaFree(how), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), expectedError);
  }

  /// Expects an error that the test provoked, which then is the thread's last
  /// one.
  void expectError(cudaError_t actual, cudaError_t expected) {
    EXPECT_EQ(actual, expected);
    EXPECT_EQ(cudaPeekAtLastError(), expected);
    expectedError = expected;
  }

  static constexpr int count = 1000;
  int *numbers = nullptr;
  uint32_t *how = nullptr;
  cudaError_t expectedError = cudaSuccess;
};

TEST_F(Launches, Original_RunsAllBlocks) {
  ASSERT_EQ(cudaMemset(numbers, 0xff, count * sizeof(int)), cudaSuccess);
  ASSERT_EQ(launch(&shadows.iota, 16, 64, 40, nullptr, numbers, how, count), cudaSuccess);
  std::vector<int> result(count), expected(count);
  ASSERT_EQ(cudaMemcpy(result.data(), numbers, count * sizeof(int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(result, expected);
  EXPECT_EQ(how[0], 1u);
  EXPECT_EQ(how[1], 16u);
  EXPECT_EQ(how[3], 40u);
}

TEST_F(Launches, Grid3D_EachBlockOnce) {
  uint32_t *marks = nullptr;
  constexpr uint32_t blocks = 7 * 5 * 11;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&marks), blocks * 4, cudaMemAttachGlobal),
            cudaSuccess);
  ASSERT_EQ(cudaMemset(marks, 0, blocks * 4), cudaSuccess);
  ASSERT_EQ(launch(&shadows.grid, dim3(7, 5, 11), 32, 0, nullptr, marks), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (uint32_t block = 0; block < blocks; ++block)
    EXPECT_EQ(marks[block], 1u) << block;
  EXPECT_EQ(cudaFree(marks), cudaSuccess);
}

TEST_F(Launches, SharedMemoryAndArena_AreBigEnoughAndAligned) {
  std::vector<int> host(1024);
  std::iota(host.begin(), host.end(), 0);
  for (uint32_t threads : {32u, 1024u, 64u}) {
    ASSERT_EQ(cudaMemcpy(numbers, host.data(), 960 * 4, cudaMemcpyHostToDevice), cudaSuccess);
    uint32_t blocks = threads == 1024 ? 0 : 960 / threads;
    if (blocks == 0)
      continue;
    ASSERT_EQ(launch(&shadows.reverse, blocks, threads, threads * 4, nullptr, numbers),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (uint32_t i = 0; i < 960; ++i)
      ASSERT_EQ(numbers[i], int(i / threads * threads + threads - 1 - i % threads));
  }
}

TEST_F(Launches, CallConfiguration_IsAStack) {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(1), dim3(2), 3, cudaStreamLegacy), 0u);
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(4, 5, 6), dim3(7, 8, 9), 10, nullptr), 0u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.z, 6u);
  EXPECT_EQ(block.y, 8u);
  EXPECT_EQ(shared, 10u);
  EXPECT_EQ(stream, nullptr);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(stream, cudaStreamLegacy);
  expectError(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
              cudaErrorMissingConfiguration);
}

TEST_F(Launches, NullOrTooLargeExtents_AreInvalidConfiguration) {
  auto attempt = [&](dim3 grid, dim3 block) {
    return launch(&shadows.iota, grid, block, 0, nullptr, numbers, how, 0);
  };
  for (dim3 wrong : {dim3(0), dim3(1, 0), dim3(1, 1, 0)}) {
    EXPECT_EQ(attempt(wrong, 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(attempt(1, wrong), cudaErrorInvalidConfiguration);
  }
  EXPECT_EQ(attempt(dim3(1, 65536), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(attempt(dim3(0x80000000u), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(attempt(1, 1025), cudaErrorInvalidConfiguration);
  EXPECT_EQ(attempt(1, dim3(64, 32)), cudaErrorInvalidConfiguration);
  expectError(attempt(1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  expectedError = cudaSuccess;
}

TEST_F(Launches, LaunchBounds_AreKept) {
  EXPECT_EQ(launch(&shadows.grid, 1, 256, 0, nullptr, how), cudaSuccess);
  expectError(launch(&shadows.grid, 1, 257, 0, nullptr, how), cudaErrorLaunchOutOfResources);
}

TEST_F(Launches, RowsThatTheCodeIsNotFor_AreNotSupported) {
  EXPECT_EQ(launch(&shadows.reverse, 1, dim3(32, 1, 2), 128, nullptr, numbers), cudaSuccess);
  expectError(launch(&shadows.reverse, 1, dim3(32, 2), 128, nullptr, numbers),
              cudaErrorNotSupported);
}

TEST_F(Launches, TooMuchSharedMemory_UntilTheAttributeAllowsIt) {
  EXPECT_EQ(launch(&shadows.bigShared, 1, 32, 8 << 10, nullptr), cudaSuccess);
  EXPECT_EQ(launch(&shadows.bigShared, 1, 32, (8 << 10) + 1, nullptr), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(&shadows.bigShared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 100 << 10),
            cudaSuccess);
  EXPECT_EQ(launch(&shadows.bigShared, 1, 32, 100 << 10, nullptr), cudaSuccess);
  expectError(cudaFuncSetAttribute(&shadows.bigShared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   200 << 10),
              cudaErrorInvalidValue);
}

TEST_F(Launches, UnknownFunctions_AreInvalidDeviceFunction) {
  int notAKernel = 0;
  EXPECT_EQ(launch(&notAKernel, 1, 1, 0, nullptr), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(&shadows.wrongVersion, 1, 1, 0, nullptr), cudaErrorInvalidKernelImage);
  expectError(launch(&shadows.notInImage, 1, 1, 0, nullptr), cudaErrorInvalidDeviceFunction);
}

TEST_F(Launches, MemoryThatCannotBeLent_IsReportedOnceAndPasses) {
  EXPECT_EQ(launch(&shadows.hungry, 1, 32, 0, nullptr), cudaSuccess);
  expectError(cudaDeviceSynchronize(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(launch(&shadows.iota, 1, 32, 0, nullptr, numbers, how, 32), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Launches, AKernelsNameAndParameters) {
  const char *name = nullptr;
  ASSERT_EQ(cudaFuncGetName(&name, &shadows.iota), cudaSuccess);
  EXPECT_STREQ(name, "iotaKernel");
  size_t offset = 0, size = 0;
  ASSERT_EQ(cudaFuncGetParamInfo(&shadows.iota, 2, &offset, &size), cudaSuccess);
  EXPECT_EQ(offset, 16u);
  EXPECT_EQ(size, 4u);
  ASSERT_EQ(cudaFuncGetParamInfo(&shadows.iota, 1, &offset, nullptr), cudaSuccess);
  EXPECT_EQ(offset, 8u);
  expectError(cudaFuncGetParamInfo(&shadows.iota, 3, &offset, &size), cudaErrorInvalidValue);
  expectError(cudaFuncGetParamInfo(&shadows.iota, 0, nullptr, &size), cudaErrorInvalidValue);
  expectError(cudaFuncGetName(nullptr, &shadows.iota), cudaErrorInvalidValue);
  expectError(cudaFuncGetName(&name, &name), cudaErrorInvalidDeviceFunction);
}

TEST_F(Launches, Attributes) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &shadows.reverse), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 64u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &shadows.reverse, 256, 0),
            cudaSuccess);
  EXPECT_EQ(blocks, 8);
  ASSERT_EQ(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &shadows.reverse, 256, 100 << 10),
      cudaSuccess);
  EXPECT_EQ(blocks, 2);
}

/// The CPU device holds 2048 threads for each of its processors, and at most 32 blocks.
TEST_F(Launches, CooperativeLaunch_TakesWhatTheDeviceHolds) {
  int processors = 0, can = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0), cudaSuccess);
  EXPECT_EQ(can, 1);
  int count = 0;
  void *arguments[] = {&numbers, &how, &count};
  auto attempt = [&](unsigned grid, unsigned block) {
    return cudaLaunchCooperativeKernel(&shadows.iota, grid, block, arguments, 0, nullptr);
  };
  EXPECT_EQ(attempt(2 * processors, 1024), cudaSuccess);
  EXPECT_EQ(attempt(32 * processors, 32), cudaSuccess);
  EXPECT_EQ(attempt(1, 1025), cudaErrorInvalidConfiguration);
  EXPECT_EQ(attempt(2 * processors + 1, 1024), cudaErrorCooperativeLaunchTooLarge);
  expectError(attempt(32 * processors + 1, 32), cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(Launches, CooperativeAttribute_MakesTheLaunchCooperative) {
  int processors = 0, count = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  void *arguments[] = {&numbers, &how, &count};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2 * processors + 1);
  config.blockDim = dim3(1024);
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelExC(&config, &shadows.iota, arguments), cudaSuccess);
  attribute.val.cooperative = 1;
  expectError(cudaLaunchKernelExC(&config, &shadows.iota, arguments),
              cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(Launches, ClusterAttribute_MustDivideTheGrid) {
  int count = 0;
  void *arguments[] = {&numbers, &how, &count};
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[1].id = cudaLaunchAttributePreferredClusterDimension; // a hint
  attributes[1].val.preferredClusterDim.x = 4;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(6, 4);
  config.blockDim = dim3(8);
  config.attrs = attributes;
  config.numAttrs = 2;
  auto attempt = [&](unsigned x, unsigned y) {
    attributes[0].val.clusterDim.x = x;
    attributes[0].val.clusterDim.y = y;
    attributes[0].val.clusterDim.z = 1;
    return cudaLaunchKernelExC(&config, &shadows.iota, arguments);
  };
  EXPECT_EQ(attempt(3, 2), cudaSuccess);
  EXPECT_EQ(attempt(2, 4), cudaSuccess);
  EXPECT_EQ(attempt(4, 1), cudaErrorInvalidClusterSize);
  EXPECT_EQ(attempt(1, 3), cudaErrorInvalidClusterSize);
  EXPECT_EQ(attempt(6, 2), cudaErrorInvalidClusterSize) << "more than eight blocks";
  int clusters = 0;
  attributes[0].val.clusterDim.x = 3;
  attributes[0].val.clusterDim.y = 2;
  ASSERT_EQ(cudaOccupancyMaxActiveClusters(&clusters, &shadows.iota, &config), cudaSuccess);
  int processors = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(clusters, 32 * processors / 6);
  static_cast<void>(cudaGetLastError());
}

/// Attributes of a kernel count for every launch, and other grains are not for clusters.
TEST_F(Launches, DemandedClusters_AreThoseOfEachLaunch) {
  auto demand = [](int width) {
    return cudaFuncSetAttribute(&shadows.grid, cudaFuncAttributeRequiredClusterWidth, width);
  };
  unsigned grid[8] = {}, *out = grid;
  ASSERT_EQ(demand(2), cudaSuccess);
  cudaFuncAttributes attributes = {};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &shadows.grid), cudaSuccess);
  EXPECT_EQ(attributes.requiredClusterWidth, 2);
  void *arguments[] = {&out};
  EXPECT_EQ(cudaLaunchKernel(&shadows.grid, 4, 1, arguments, 0, nullptr), cudaSuccess);
  expectError(cudaLaunchKernel(&shadows.grid, 5, 1, arguments, 0, nullptr),
              cudaErrorInvalidClusterSize);
  ASSERT_EQ(demand(0), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(&shadows.grid, 5, 1, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Launches, EventsOfALaunch_AreRecordedBehindIt) {
  int count = 0;
  void *arguments[] = {&numbers, &how, &count};
  cudaEvent_t completion = nullptr, programmatic = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&completion, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&programmatic, cudaEventDisableTiming), cudaSuccess);
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeLaunchCompletionEvent;
  attributes[0].val.launchCompletionEvent.event = completion;
  attributes[1].id = cudaLaunchAttributeProgrammaticEvent;
  attributes[1].val.programmaticEvent.event = programmatic;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(8);
  config.attrs = attributes;
  config.numAttrs = 2;
  std::atomic<bool> mayGo = false;
  auto wait = [](void *flag) {
    while (!*static_cast<std::atomic<bool> *>(flag))
      std::this_thread::yield();
  };
  ASSERT_EQ(cudaLaunchHostFunc(nullptr, wait, &mayGo), cudaSuccess);
  ASSERT_EQ(cudaLaunchKernelExC(&config, &shadows.iota, arguments), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(completion), cudaErrorNotReady);
  EXPECT_EQ(cudaEventQuery(programmatic), cudaErrorNotReady);
  mayGo = true;
  EXPECT_EQ(cudaEventSynchronize(completion), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(programmatic), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(completion), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(programmatic), cudaSuccess);
}

TEST_F(Launches, Variables) {
  int value = 5, size4[4] = {10, 20, 30, 40}, back = 0;
  ASSERT_EQ(cudaMemcpyToSymbol(&shadows.counter, &value, 4, 0, cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(launch(&shadows.count, 3, 1, 0, nullptr, 2), cudaSuccess); // 3 * table[2]
  ASSERT_EQ(cudaMemcpyFromSymbol(&back, &shadows.counter, 4, 0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(back, 5 + 3 * 3);
  ASSERT_EQ(cudaMemcpyToSymbol(&shadows.table, &size4[1], 8, 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(launch(&shadows.count, 1, 1, 0, nullptr, 2), cudaSuccess);
  int *address = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), &shadows.counter),
            cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, &shadows.table), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*address, 5 + 3 * 3 + 30);
  EXPECT_EQ(bytes, 16u);
  EXPECT_EQ(cudaMemcpyToSymbol(&value, &value, 4, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidSymbol);
  expectError(cudaMemcpyToSymbol(&shadows.table, size4, 16, 4, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
}

/// An object of NVIDIA's compiler in the program has a fat binary for its image.
TEST_F(Launches, KernelOfAnotherCompiler_IsRefusedByName) {
  alignas(8) static const char code[] = "\x50\xed\x55\xba\1\0\x10\0\4\0\0\0\0\0\0\0code";
  regrain::FatBinaryWrapper wrapper = {.data = code};
  char shadow;
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &shadow, nullptr, "foreign", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  testing::internal::CaptureStderr();
  expectError(launch(&shadow, 1, 1, 0, nullptr), cudaErrorNoKernelImageForDevice);
  expectError(launch(&shadow, 1, 1, 0, nullptr), cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "regrain: kernel foreign does not run: another compiler made its object, for NVIDIA "
            "GPUs that are not here; compile the source with Regrain\n");
  __cudaUnregisterFatBinary(handle);
}

TEST_F(Launches, ManagedVariable_HasOneAddress) {
  auto *memory = static_cast<int *>(regrain_managedAddress(&shadows.managed));
  EXPECT_EQ(memory[0], 7);
  EXPECT_EQ(memory, shadows.managed) << "the program has the address";
  EXPECT_EQ(memory, regrain_managedAddress(&shadows.managed));
  void *address = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, &shadows.managed), cudaSuccess);
  EXPECT_EQ(address, memory);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, memory), cudaSuccess);
  EXPECT_EQ(bytes, 8u);
  int value = 30;
  EXPECT_EQ(cudaMemcpyToSymbol(memory, &value, 4, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(memory[1], 30);
  expectError(cudaGetSymbolAddress(&address, memory + 1), cudaErrorInvalidSymbol);
}

TEST(ManagedVariables, StartAnewAfterReset) {
  useProgram();
  *static_cast<int *>(regrain_managedAddress(&shadows.managed)) = 9;
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(shadows.managed, nullptr);
  EXPECT_EQ(*static_cast<int *>(regrain_managedAddress(&shadows.managed)), 7);
}

} // namespace
