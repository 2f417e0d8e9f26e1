//===- HipRuntimeTest.cpp - The whole runtime over the stand-in -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with code only for AMD GPUs is tested from its registration to its end: the
// modules that are loaded and when, the values of their slots, the launches, and the
// unloading after a wait for the device.
//
//===----------------------------------------------------------------------===//
#include "image_generated.h"
#include "runtime/cudart/registration.h"
#include "runtime/image/container.h"
#include "unittests/runtime/plugins/hip/stand_in.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace regrain;

namespace {

std::vector<uint8_t> bytesOf(const char *text) { return {text, text + std::strlen(text) + 1}; }

/// Returns one kernel that takes a pointer, and its grain block.x=2, whose module has a
/// slot for the variable; both for gfx90a and for gfx1100.
std::vector<char> makeImage() {
  flatbuffers::FlatBufferBuilder builder;
  image::Dim3 one(1, 1, 1), two(2, 1, 1);
  std::vector<flatbuffers::Offset<image::Parameter>> parameters = {
      image::CreateParameter(builder, 0, 8, /*pointer=*/true)};
  std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "block.x=2", &two, &one, false, true, 8)};
  std::vector<flatbuffers::Offset<image::Kernel>> kernels = {
      image::CreateKernelDirect(builder, "kernel", "kernel()", "kernel.cu", 1, &parameters, 0,
                                false, &alternatives, /*chosen=*/1)};
  std::vector<flatbuffers::Offset<image::Variable>> variables = {
      image::CreateVariableDirect(builder, "variable", image::VariableKind::Device, 8, 8)};
  std::vector<flatbuffers::Offset<image::Slot>> slots = {
      image::CreateSlotDirect(builder, 0, "slot")};
  std::vector<flatbuffers::Offset<image::Entry>> base = {
      image::CreateEntryDirect(builder, 0, 0, "kernel")};
  std::vector<flatbuffers::Offset<image::Entry>> grain = {
      image::CreateEntryDirect(builder, 0, 1, "kernel2")};
  std::vector<flatbuffers::Offset<image::Module>> modules;
  for (const char *arch : {"gfx1100", "gfx90a"}) {
    std::vector<uint8_t> baseCode = bytesOf((std::string("base of ") + arch).c_str());
    std::vector<uint8_t> grainCode = bytesOf((std::string("grain of ") + arch).c_str());
    modules.push_back(image::CreateModuleDirect(builder, image::CodeKind::Hsaco, arch,
                                                /*base=*/true, &baseCode, &base));
    modules.push_back(image::CreateModuleDirect(builder, image::CodeKind::Hsaco, arch,
                                                /*base=*/false, &grainCode, &grain, &slots));
  }
  builder.Finish(
      image::CreateImageDirect(builder, "test", "kernel.cu", &kernels, &variables, &modules),
      image::ImageIdentifier());
  return wrapImage({builder.GetBufferPointer(), builder.GetSize()});
}

/// The program's image as in clang's host code.
struct Program {
  Program() : bytes(makeImage()), image(bytes.size() / 8 + 1) {
    std::memcpy(image.data(), bytes.data(), bytes.size());
    wrapper.data = image.data();
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &shadow, nullptr, "kernel", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
  }
  ~Program() { __cudaUnregisterFatBinary(handle); }

  cudaError_t launch(unsigned grid, cudaStream_t stream) {
    void *pointer = nullptr;
    void *arguments[] = {&pointer};
    return cudaLaunchKernel(&shadow, dim3(grid), dim3(64), arguments, 0, stream);
  }

  std::vector<char> bytes;
  std::vector<uint64_t> image;
  FatBinaryWrapper wrapper;
  void **handle;
  char shadow = 0;
};

TEST(HipRuntime, Program_RunsItsGrainAndGivesAllBack) {
  setenv("REGRAIN_DB", "off", 1);
  setenv("REGRAIN_DEVICE", "hip", 1);
  HipStandIn &library = hipStandIn();
  library.globals = {{"variable", 0}, {"slot", 0}};
  {
    Program program;
    EXPECT_TRUE(library.calls.empty()) << "nothing is asked before the first use";
    ASSERT_EQ(program.launch(9, cudaStreamLegacy), cudaSuccess);
    EXPECT_EQ(library.launched.grid[0], 5u);
    EXPECT_EQ(library.launched.stream, nullptr);
    EXPECT_EQ(library.loadedCode, "grain of gfx90a");
    EXPECT_EQ(library.globals["slot"], reinterpret_cast<uint64_t>(&library.globals["variable"]));
    EXPECT_TRUE(library.calledInOrder("hipMemcpyAsync", "hipModuleLaunchKernel"));
    EXPECT_EQ(library.live["hipModuleLoadData"], 2);
    EXPECT_EQ(program.launch(9, cudaStreamPerThread), cudaSuccess);
    EXPECT_EQ(library.live["hipModuleLoadData"], 2);
    library.calls.clear();
  }
  EXPECT_TRUE(library.calledInOrder("hipDeviceSynchronize", "hipModuleUnload"));
  EXPECT_FALSE(library.calledInOrder("hipModuleUnload", "hipDeviceSynchronize"));
  EXPECT_EQ(library.liveObjects(), 0);
  EXPECT_EQ(library.changedCodes, 0);
  EXPECT_EQ(library.legacyHandles, 0);
}

TEST(HipRuntime, LoadFails_IsTheLaunchsError) {
  HipStandIn &library = hipStandIn();
  library.results["hipModuleLoadData"] = static_cast<hip::HipResult>(cudaErrorMemoryAllocation);
  {
    Program program;
    EXPECT_EQ(program.launch(9, nullptr), cudaErrorMemoryAllocation);
    library.results.clear();
    EXPECT_EQ(program.launch(9, nullptr), cudaSuccess);
  }
  EXPECT_EQ(library.liveObjects(), 0);
}

/// Before version 7 the process ends, from 7 on every call fails until the device
/// is reset.
TEST(HipRuntime, FailedKernel_IsASticky) {
  HipStandIn &library = hipStandIn();
  Program program;
  ASSERT_EQ(program.launch(9, nullptr), cudaSuccess);
  auto illegal = static_cast<hip::HipResult>(cudaErrorIllegalAddress);
  library.results = {{"hipDeviceSynchronize", illegal}, {"hipGetDevice", illegal}};
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  library.results.clear();
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(HipRuntime, Questions_AreAnsweredAsOfADeviceOfCudas) {
  int count = 0, driver = 0, runtime = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  EXPECT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_GE(driver, runtime);
  cudaDeviceProp properties;
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(properties.warpSize, 32);
}

} // namespace
