//===- cudart/LibraryTest.cpp - Libraries that a program loads ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace regrain::test;

namespace {

class Library : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    code = makeImage(readKernels());
    ASSERT_EQ(load(code.data(), library), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }
  static cudaError_t load(const void *code, cudaLibrary_t &library) {
    return cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  }

  std::vector<char> code;
  cudaLibrary_t library = nullptr;
};

TEST_F(Library, Kernel_IsLaunched) {
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "iotaKernel"), cudaSuccess);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "absent"), cudaErrorSymbolNotFound);
  std::vector<int> numbers(100);
  unsigned how[8] = {};
  int *out = numbers.data(), count = 100;
  unsigned *shape = how;
  void *arguments[] = {&out, &shape, &count};
  ASSERT_EQ(cudaLaunchKernel(kernel, 4, 32, arguments, 0, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(numbers[99], 99);
  const char *name = nullptr;
  ASSERT_EQ(cudaFuncGetName(&name, kernel), cudaSuccess);
  EXPECT_STREQ(name, "iotaKernel");
  EXPECT_EQ(
      cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0),
      cudaSuccess);
  EXPECT_EQ(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            1024, 99),
            cudaErrorInvalidDevice);
  cudaFuncAttributes attributes = {};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 1024);
}

TEST_F(Library, Kernels_AreListed) {
  unsigned count = 0;
  ASSERT_EQ(cudaLibraryGetKernelCount(&count, library), cudaSuccess);
  ASSERT_GT(count, 2u);
  std::vector<cudaKernel_t> kernels(count + 1);
  ASSERT_EQ(cudaLibraryEnumerateKernels(kernels.data(), count + 1, library), cudaSuccess);
  EXPECT_EQ(kernels[count], nullptr);
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "countKernel"), cudaSuccess);
  EXPECT_EQ(std::count(kernels.begin(), kernels.end(), kernel), 1);
}

/// A library has variables of its own, beside those of the program and of the same library loaded
/// again.
TEST_F(Library, Variables_AreItsOwn) {
  cudaLibrary_t again = nullptr;
  ASSERT_EQ(load(code.data(), again), cudaSuccess);
  void *first = nullptr, *second = nullptr, *programs = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaLibraryGetGlobal(&first, &bytes, library, "counter"), cudaSuccess);
  EXPECT_EQ(bytes, sizeof(int));
  ASSERT_EQ(cudaLibraryGetGlobal(&second, nullptr, again, "counter"), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolAddress(&programs, &shadows.counter), cudaSuccess);
  EXPECT_NE(first, second);
  EXPECT_NE(first, programs);
  EXPECT_EQ(cudaLibraryGetGlobal(&first, &bytes, library, "absent"), cudaErrorSymbolNotFound);
  EXPECT_EQ(cudaLibraryUnload(again), cudaSuccess);
}

TEST_F(Library, ManagedVariable_IsNoGlobalOne) {
  void *pointer = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaLibraryGetManaged(&pointer, &bytes, library, "managed"), cudaSuccess);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(static_cast<int *>(pointer)[1], 8);
  EXPECT_EQ(cudaLibraryGetGlobal(&pointer, &bytes, library, "managed"), cudaErrorSymbolNotFound);
  EXPECT_EQ(cudaLibraryGetManaged(&pointer, &bytes, library, "counter"), cudaErrorSymbolNotFound);
}

TEST_F(Library, File_IsLoaded) {
  std::string path = testing::TempDir() + "library.fatbin";
  cudaLibrary_t loaded = nullptr;
  EXPECT_EQ(cudaLibraryLoadFromFile(&loaded, (path + ".absent").c_str(), nullptr, nullptr, 0,
                                    nullptr, nullptr, 0),
            cudaErrorFileNotFound);
  std::ofstream(path, std::ios::binary).write(code.data(), std::streamsize(code.size()));
  ASSERT_EQ(
      cudaLibraryLoadFromFile(&loaded, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      cudaSuccess);
  cudaKernel_t kernel = nullptr;
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, loaded, "iotaKernel"), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(loaded), cudaSuccess);
  std::remove(path.c_str());
}

TEST_F(Library, UnloadedLibrary_IsNoHandle) {
  cudaLibrary_t loaded = nullptr;
  ASSERT_EQ(load(code.data(), loaded), cudaSuccess);
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(cudaLibraryGetKernel(&kernel, loaded, "printKernel"), cudaSuccess);
  ASSERT_EQ(cudaLibraryUnload(loaded), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(loaded), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, loaded, "printKernel"), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaLaunchKernel(kernel, 1, 1, nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
}

TEST_F(Library, CodeForOtherDevices_IsRefusedByName) {
  cudaLibrary_t loaded = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(
      load(".version 7.8\n.target sm_70\n.address_size 64\n// no kernel is in here\n", loaded),
      cudaErrorNoKernelImageForDevice);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("runs only on NVIDIA GPUs"),
            std::string::npos);
  std::vector<char> damaged = code;
  damaged[damaged.size() / 2] ^= 1;
  testing::internal::CaptureStderr();
  EXPECT_EQ(load(damaged.data(), loaded), cudaErrorInvalidKernelImage);
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(load(nullptr, loaded), cudaErrorInvalidValue);
}

} // namespace
