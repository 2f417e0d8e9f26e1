//===- EarlyLaunchTest.cpp - Launches that may begin early ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/cuda/LaunchPath.h"

using namespace regrain;

namespace {

/// Launches a kernel that may begin before the one in front of it has ended, and returns the calls
/// that made launches.
std::vector<std::string> launchEarly(const void *kernel, unsigned grid, void **arguments,
                                     int isAllowed = 1) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = isAllowed;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(threads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  fakeDriver().calls.clear();
  fakeDriver().launchAttributes.clear();
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernel, arguments), cudaSuccess);
  std::vector<std::string> launches;
  for (const std::string &call : fakeDriver().calls)
    if (call.starts_with("cuLaunchKernel"))
      launches.push_back(call);
  return launches;
}

const std::vector<std::string> early = {"cuLaunchKernelEx"}, inOrder = {"cuLaunchKernel"};

TEST_F(LaunchPath, EarlyLaunch_IsTheDriversPermission) {
  alignas(16) static int data;
  void *pointer = &data;
  int number = 7;
  void *arguments[] = {&pointer, &number};
  EXPECT_EQ(launchEarly(&shadow, 8, arguments), early) << "at the original";
  ASSERT_EQ(fakeDriver().launchAttributes.size(), 1u);
  EXPECT_EQ(fakeDriver().launchAttributes[0].id,
            cudaLaunchAttributeProgrammaticStreamSerialization);
  EXPECT_EQ(fakeDriver().launchAttributes[0].val.programmaticStreamSerializationAllowed, 1);
  EXPECT_EQ(launchEarly(&shadow, 16, arguments), early) << "at a grain";
  EXPECT_EQ(fakeDriver().launched.grid[0], 8u);
  EXPECT_EQ(launchEarly(&shadow, 8, arguments, /*isAllowed=*/0), inOrder);
}

/// A launch behind that waits for the remainder must not find other blocks at work.
TEST_F(LaunchPath, RemainderOfAnEarlyLaunch_BeginsBehindTheOtherBlocks) {
  alignas(16) static int data;
  void *pointer = &data;
  int number = 7;
  void *arguments[] = {&pointer, &number};
  EXPECT_EQ(launchEarly(&shadow, 32, arguments),
            (std::vector<std::string>{"cuLaunchKernelEx", "cuLaunchKernel"}));
}

TEST_F(LaunchPath, LaunchWithLentMemory_DoesNotBeginEarly) {
  alignas(16) static int data;
  void *pointer = &data;
  int number = 7;
  void *arguments[] = {&pointer, &number};
  EXPECT_EQ(launchEarly(&shadow, 64, arguments), early) << "a capture has no such memory";
  fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  EXPECT_EQ(launchEarly(&shadow, 64, arguments), inOrder);
  fakeDriver().captureStatus = cudaStreamCaptureStatusActive;
}

/// In code for older devices, the calls that wait are nothing.
TEST_F(LaunchPath, CodeForOlderDevices_DoesNotBeginEarly) {
  const char *ptx =
      ".version 7.8\n.target sm_80\n.visible .entry scale(.param .u64 out) { ret; }\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  void *pointer = nullptr;
  void *arguments[] = {&pointer};
  for (auto [version, calls] : {std::pair(80, &inOrder), {90, &early}}) {
    fakeDriver().ptxVersion = version;
    ASSERT_EQ(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0),
              cudaSuccess);
    ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "scale"), cudaSuccess);
    EXPECT_EQ(launchEarly(kernel, 5, arguments), *calls) << version;
    EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  }
}

} // namespace
