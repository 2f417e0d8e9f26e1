//===- LaunchPath.h - Launches from <<<...>>> to the driver -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image with choices of several kinds, over the driver that stands in for NVIDIA's. A program
// of tests that replaces locks and allocations counts them (LaunchPathTest.cpp).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "runtime/cudart/registration.h"
#include "runtime/image/container.h"
#include "runtime/image/launch_rule.h"
#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

namespace regrain {

inline bool isCounting = false;
inline int locks = 0, allocations = 0;

inline constexpr unsigned threads = 64, lentBytes = 512;
/// The microseconds exceed every budget of the watch.
inline constexpr float tooMuch = 1e9f;

/// Returns six kernels. One has a pointer and an integer; five classes of its launches,
/// which fill a device of one multiprocessor and one resident block, have a choice. The other has
/// two pointers, and a choice for launches in which they point into different allocations. The
/// third has an integer, and a variant of so many blocks. Two have an integer, and a choice of at
/// most 7 and 2 blocks on a multiprocessor. The last has an integer, and a variant with clusters of
/// so many blocks.
inline std::vector<char> makeImage() {
  flatbuffers::FlatBufferBuilder builder;
  image::Dim3 one(1, 1, 1), two(2, 1, 1), three(3, 1, 1);
  std::vector<flatbuffers::Offset<image::Parameter>> parameters = {
      image::CreateParameter(builder, 0, 8, /*pointer=*/true),
      image::CreateParameter(builder, 8, 4)};
  std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "block.x=2", &two, &one, false, true, 12),
      image::CreateAlternativeDirect(builder, "block.x=3:remainder", &three, &one, false, true, 12),
      image::CreateAlternativeDirect(builder, "shared=global", &one, &one, false, false, 24, false,
                                     lentBytes, 16)};
  auto classOf = [&](const char *waves, uint32_t alternative, float originalTime = 0) {
    std::string text =
        std::string("block=64x1x1,shared=0,align=16,waves=") + waves + ",grid=*x1x1,integers=4";
    return image::CreateClassChoiceDirect(builder, text.c_str(), alternative, nullptr, nullptr, 0,
                                          originalTime);
  };
  std::vector<flatbuffers::Offset<image::ClassChoice>> choices = {
      classOf("8", 0), classOf("16", 1), classOf("32", 2, tooMuch), classOf("64", 3, tooMuch),
      classOf("256", 1)};
  std::vector<image::IntegerArgument> integers = {{1, 0, 4}};
  std::vector<flatbuffers::Offset<image::Kernel>> kernels = {image::CreateKernelDirect(
      builder, "kernel", "kernel()", "kernel.cu", 1, &parameters, 0, false, &alternatives, 0,
      nullptr, nullptr, nullptr, &choices, 0, 16, false, &integers)};
  std::vector<flatbuffers::Offset<image::Parameter>> pointers = {
      image::CreateParameter(builder, 0, 8, /*pointer=*/true),
      image::CreateParameter(builder, 8, 8, /*pointer=*/true)};
  std::vector<flatbuffers::Offset<image::Alternative>> ofPointers = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "block.x=2,for.aliases=none", &two, &one, false, true,
                                     16)};
  kernels.push_back(image::CreateKernelDirect(builder, "pair", "pair()", "kernel.cu", 2, &pointers,
                                              0, false, &ofPointers, /*chosen=*/1));
  std::vector<flatbuffers::Offset<image::Parameter>> integer = {
      image::CreateParameter(builder, 0, 4)};
  std::vector<image::RuleStep> rule = {{uint8_t(RuleOp::Argument), 32, 0, 0, 0, 0},
                                       {uint8_t(RuleOp::Constant), 64, 0, 0, 0, 1},
                                       {uint8_t(RuleOp::Given), 64, 3, 0, 0, 0}};
  std::vector<uint32_t> results = {0, 1, 1, 2, 1, 1, 1};
  std::vector<flatbuffers::Offset<image::Alternative>> ofVariant = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, "variant=other", &one, &one, false, false, 0, false,
                                     0, 0, &rule, &results)};
  kernels.push_back(image::CreateKernelDirect(builder, "varied", "varied()", "kernel.cu", 3,
                                              &integer, 0, false, &ofVariant, /*chosen=*/1));
  for (auto [symbol, id] : {std::pair("seven", "max-resident=7"), {"two", "max-resident=2"}}) {
    std::vector<flatbuffers::Offset<image::Alternative>> limited = {
        image::CreateAlternativeDirect(builder, "original"),
        image::CreateAlternativeDirect(builder, id, &one, &one)};
    kernels.push_back(image::CreateKernelDirect(builder, symbol, symbol, "kernel.cu", 4, &integer,
                                                0, false, &limited, /*chosen=*/1));
  }
  std::vector<image::RuleStep> ofClusters = {{uint8_t(RuleOp::Argument), 32, 0, 0, 0, 0},
                                             {uint8_t(RuleOp::Constant), 64, 0, 0, 0, 1}};
  std::vector<uint32_t> clustered;
  for (uint32_t i = 0; i < clusterExtents; ++i) {
    ofClusters.emplace_back(uint8_t(RuleOp::Given), 64, i, 0, 0, 0);
    clustered.push_back(i + 2);
  }
  clustered.insert(clustered.end(), {0, 1, 1});
  ofVariant[1] = image::CreateAlternativeDirect(builder, "variant=clustered", &one, &one, false,
                                                false, 0, false, 0, 0, &ofClusters, &clustered);
  kernels.push_back(image::CreateKernelDirect(builder, "together", "together()", "kernel.cu", 5,
                                              &integer, 0, false, &ofVariant, /*chosen=*/1));
  std::vector<flatbuffers::Offset<image::Entry>> base = {
      image::CreateEntryDirect(builder, 0, 0, "kernel"),
      image::CreateEntryDirect(builder, 1, 0, "pair"),
      image::CreateEntryDirect(builder, 2, 0, "varied"),
      image::CreateEntryDirect(builder, 3, 0, "seven"),
      image::CreateEntryDirect(builder, 4, 0, "two"),
      image::CreateEntryDirect(builder, 5, 0, "together")};
  std::vector<flatbuffers::Offset<image::Entry>> grains = {
      image::CreateEntryDirect(builder, 0, 1, "kernel2"),
      image::CreateEntryDirect(builder, 0, 2, "kernel3"),
      image::CreateEntryDirect(builder, 0, 2, "rest3", nullptr, /*remainder=*/true),
      image::CreateEntryDirect(builder, 0, 3, "kernelGlobal"),
      image::CreateEntryDirect(builder, 1, 1, "pairApart"),
      image::CreateEntryDirect(builder, 2, 1, "other"),
      image::CreateEntryDirect(builder, 5, 1, "clustered")};
  std::vector<uint8_t> code = {1, 2, 3};
  std::vector<flatbuffers::Offset<image::Module>> modules = {
      image::CreateModuleDirect(builder, image::CodeKind::Cubin, "sm_90", /*base=*/true, &code,
                                &base),
      image::CreateModuleDirect(builder, image::CodeKind::Cubin, "sm_90", /*base=*/false, &code,
                                &grains)};
  std::vector<flatbuffers::Offset<image::Variable>> variables;
  builder.Finish(
      image::CreateImageDirect(builder, "test", "kernel.cu", &kernels, &variables, &modules),
      image::ImageIdentifier());
  return wrapImage({builder.GetBufferPointer(), builder.GetSize()});
}

class LaunchPath : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("REGRAIN_DEVICE", "cuda", /*overwrite=*/1);
    setenv("REGRAIN_DB", "off", /*overwrite=*/1);
    FakeDriver &driver = fakeDriver();
    driver.version = 12080;
    for (auto [attribute, value] : {std::pair(cudaDevAttrMaxThreadsPerBlock, 1024),
                                    {cudaDevAttrMaxBlockDimX, 1024},
                                    {cudaDevAttrMaxBlockDimY, 1024},
                                    {cudaDevAttrMaxBlockDimZ, 64},
                                    {cudaDevAttrMaxGridDimX, 65535},
                                    {cudaDevAttrMaxGridDimY, 65535},
                                    {cudaDevAttrMaxGridDimZ, 65535},
                                    {cudaDevAttrMultiProcessorCount, 1},
                                    {cudaDevAttrClusterLaunch, 1},
                                    {cudaDevAttrMaxSharedMemoryPerBlockOptin, 1 << 16},
                                    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 << 10},
                                    {cudaDevAttrReservedSharedMemoryPerBlock, 1 << 10}})
      driver.attributes[attribute] = value;
    static std::vector<char> bytes = makeImage();
    static std::vector<uint64_t> image(bytes.size() / 8 + 1);
    std::memcpy(image.data(), bytes.data(), bytes.size());
    static FatBinaryWrapper wrapper = {.data = image.data()};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &shadow, nullptr, "kernel", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    for (auto [function, name] : {std::pair(&pairShadow, "pair"),
                                  {&variedShadow, "varied"},
                                  {&sevenShadow, "seven"},
                                  {&twoShadow, "two"},
                                  {&togetherShadow, "together"}})
      __cudaRegisterFunction(handle, function, nullptr, name, -1, nullptr, nullptr, nullptr,
                             nullptr, nullptr);
    driver.calls.reserve(100000); // records of the fake driver are not counted
  }

  /// Launches as clang's stub does.
  static cudaError_t launch(dim3 grid, int number = 7) {
    alignas(16) static int data;
    void *pointer = &data;
    void *arguments[] = {&pointer, &number};
    dim3 blocks, block;
    size_t shared = 0;
    cudaStream_t stream = nullptr;
    if (__cudaPushCallConfiguration(grid, dim3(threads), 0, nullptr) != 0)
      return cudaErrorUnknown;
    cudaError_t status = __cudaPopCallConfiguration(&blocks, &block, &shared, &stream);
    return status == cudaSuccess
               ? cudaLaunchKernel(&shadow, blocks, block, arguments, shared, stream)
               : status;
  }

  /// Returns the number of launches that reached the driver, of 50 with `grid`
  /// blocks.
  static long launchCounted(unsigned grid) {
    EXPECT_EQ(launch(grid), cudaSuccess); // makes the plan, and what the choice needs
    std::vector<std::string> &calls = fakeDriver().calls;
    calls.clear();
    locks = allocations = 0;
    isCounting = true;
    for (int i = 0; i < 50; ++i)
      if (launch(grid) != cudaSuccess)
        break;
    isCounting = false;
    return std::count(calls.begin(), calls.end(), "cuLaunchKernel");
  }

  static inline char shadow, pairShadow, variedShadow, sevenShadow, twoShadow, togetherShadow;
};

} // namespace regrain
