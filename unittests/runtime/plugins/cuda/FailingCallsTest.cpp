//===- FailingCallsTest.cpp - A correct program's calls of the driver -----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tools such as compute-sanitizer report each call of the driver that fails as an error of
// the program. In a correct program, from the start of the process on, no call fails.
//
//===----------------------------------------------------------------------===//
#include "image_generated.h"
#include "include/cuda/cuda_runtime_api.h"
#include "runtime/cudart/registration.h"
#include "runtime/image/container.h"
#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using namespace regrain;

namespace {

char shadowKernel, shadowVariable;

/// Returns an image of one kernel, which has a pointer and an alternative, and one variable.
std::vector<char> makeImage() {
  flatbuffers::FlatBufferBuilder builder;
  image::Dim3 one(1, 1, 1), two(2, 1, 1);
  std::vector<flatbuffers::Offset<image::Parameter>> parameters = {
      image::CreateParameter(builder, 0, 8, /*pointer=*/true)};
  std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "block.x=2", &two, &one, false, true, 12)};
  std::vector<flatbuffers::Offset<image::Kernel>> kernels = {
      image::CreateKernelDirect(builder, "kernel", "kernel()", "kernel.cu", 1, &parameters,
                                /*chosen=*/1, false, &alternatives)};
  std::vector<flatbuffers::Offset<image::Variable>> variables = {
      image::CreateVariableDirect(builder, "variable", image::VariableKind::Device, 8, 8)};
  std::vector<flatbuffers::Offset<image::Entry>> base = {
      image::CreateEntryDirect(builder, 0, 0, "kernel")};
  std::vector<flatbuffers::Offset<image::Entry>> grains = {
      image::CreateEntryDirect(builder, 0, 1, "kernel2")};
  std::vector<flatbuffers::Offset<image::Slot>> slots = {
      image::CreateSlotDirect(builder, 0, "slot")};
  std::vector<uint8_t> code = {1, 2, 3};
  std::vector<flatbuffers::Offset<image::Module>> modules = {
      image::CreateModuleDirect(builder, image::CodeKind::Cubin, "sm_90", /*base=*/true, &code,
                                &base),
      image::CreateModuleDirect(builder, image::CodeKind::Cubin, "sm_90", /*base=*/false, &code,
                                &grains, &slots)};
  builder.Finish(
      image::CreateImageDirect(builder, "test", "kernel.cu", &kernels, &variables, &modules),
      image::ImageIdentifier());
  return wrapImage({builder.GetBufferPointer(), builder.GetSize()});
}

class FailingCalls : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("REGRAIN_DEVICE", "cuda", /*overwrite=*/1);
    setenv("REGRAIN_DB", "off", /*overwrite=*/1);
    setenv("REGRAIN_ALTERNATIVE", "kernel:block.x=2", /*overwrite=*/1);
    FakeDriver &driver = fakeDriver();
    for (auto attribute : {cudaDevAttrMaxThreadsPerBlock, cudaDevAttrMaxBlockDimX,
                           cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ, cudaDevAttrMaxGridDimX,
                           cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ})
      driver.attributes[attribute] = 1024;
    driver.attributes[cudaDevAttrMaxSharedMemoryPerBlockOptin] = 1 << 16;
    driver.captureStatus = cudaStreamCaptureStatusNone;
    driver.globals = {{"variable", 0}, {"slot", 0}};
    static std::vector<char> bytes = makeImage();
    static std::vector<uint64_t> image(bytes.size() / 8 + 1);
    std::memcpy(image.data(), bytes.data(), bytes.size());
    static FatBinaryWrapper wrapper = {.data = image.data()};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    static char name[] = "variable";
    __cudaRegisterFunction(handle, &shadowKernel, nullptr, "kernel", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    __cudaRegisterVar(handle, &shadowVariable, name, name, 0, 8, 0, 0);
  }
};

/// Runs in a thread that has no context yet.
void runProgram() {
  int devices = 0, current = -1;
  EXPECT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
  cudaDeviceProp properties;
  EXPECT_EQ(cudaGetDeviceProperties(&properties, current), cudaSuccess);
  uint64_t host = 7;
  void *memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(memory, &host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(&shadowVariable, &host, sizeof host, 0, cudaMemcpyHostToDevice),
            cudaSuccess);
  void *arguments[] = {&memory};
  EXPECT_EQ(cudaLaunchKernel(&shadowKernel, dim3(8), dim3(64), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  cudaFuncAttributes function;
  cudaPointerAttributes pointer;
  EXPECT_EQ(cudaFuncGetAttributes(&function, &shadowKernel), cudaSuccess);
  EXPECT_EQ(cudaPointerGetAttributes(&pointer, &host), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(FailingCalls, CorrectProgram_HasNone) {
  std::thread(runProgram).join();
  std::thread(runProgram).join(); // the driver and the device are open
  EXPECT_EQ(fakeDriver().launched.grid[0], 4u) << "the alternative ran";
  EXPECT_NE(fakeDriver().globals["slot"], 0u);
  EXPECT_EQ(fakeDriver().failures, std::vector<std::string>());
}

/// Gaps between allocations are for code that needs them, which this image does not have.
TEST_F(FailingCalls, Allocation_IsAsTheProgramAsks) {
  void *memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 1024), cudaSuccess);
  EXPECT_EQ(fakeDriver().allocated.at(reinterpret_cast<uint64_t>(memory)), 1024u);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

/// The last test of the file: it fails on purpose.
TEST_F(FailingCalls, OfTheProgramItself_AreSeen) {
  void *memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, fakeDriver().memoryBytes + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(fakeDriver().failures, std::vector<std::string>{"cuMemAlloc_v2"});
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

} // namespace
