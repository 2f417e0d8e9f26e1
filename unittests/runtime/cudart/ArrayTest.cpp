//===- cudart/ArrayTest.cpp - Arrays and textures on the CPU device -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <gtest/gtest.h>
#include <numeric>

namespace {

const cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
const cudaChannelFormatDesc bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};

class Array : public testing::Test {
protected:
  void TearDown() override {
    if (array)
      EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }
  /// Creates an array of 8 by 4 bytes that contain 0, 1, 2, ...
  void makeNumbered() {
    ASSERT_EQ(cudaMallocArray(&array, &bytes, 8, 4, cudaArraySurfaceLoadStore), cudaSuccess);
    std::vector<uint8_t> numbers(32);
    std::iota(numbers.begin(), numbers.end(), 0);
    ASSERT_EQ(cudaMemcpyToArray(array, 0, 0, numbers.data(), 32, cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  std::vector<uint8_t> contents() {
    std::vector<uint8_t> data(32);
    EXPECT_EQ(cudaMemcpy2DFromArray(data.data(), 8, array, 0, 0, 8, 4, cudaMemcpyDeviceToHost),
              cudaSuccess);
    return data;
  }
  cudaResourceDesc ofArray() const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }

  cudaArray_t array = nullptr;
};

TEST_F(Array, UnknownFormats_AreInvalid) {
  for (cudaChannelFormatDesc format : {cudaChannelFormatDesc{},
                                       {8, 8, 8, 0, cudaChannelFormatKindUnsigned},
                                       {8, 0, 0, 0, cudaChannelFormatKindFloat},
                                       {64, 0, 0, 0, cudaChannelFormatKindSigned},
                                       {16, 8, 0, 0, cudaChannelFormatKindSigned},
                                       {0, 8, 0, 0, cudaChannelFormatKindSigned},
                                       {32, 0, 0, 0, cudaChannelFormatKindNone}})
    EXPECT_EQ(cudaMallocArray(&array, &format, 4), cudaErrorInvalidChannelDescriptor);
}

TEST_F(Array, UnsoundShapes_AreInvalid) {
  EXPECT_EQ(cudaMallocArray(&array, &floats, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array, nullptr, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(nullptr, &floats, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array, &floats, 4, 4, 0x1000), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array, &floats, 4, 4, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &floats, {4, 0, 2}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &floats, {4, 4, 0}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &floats, {4, 4, 5}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &floats, {4, 2, 6}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &floats, {4, 4, 1}, cudaArraySparse), cudaErrorNotSupported);
  EXPECT_EQ(array, nullptr);
}

TEST_F(Array, Info_IsWhatWasAskedFor) {
  ASSERT_EQ(cudaMalloc3DArray(&array, &floats, {4, 0, 3}, cudaArrayLayered), cudaSuccess);
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  EXPECT_EQ(cudaArrayGetInfo(&format, &extent, &flags, array), cudaSuccess);
  EXPECT_EQ(format.x, 32);
  EXPECT_EQ(extent.width, 4u);
  EXPECT_EQ(extent.height, 0u);
  EXPECT_EQ(extent.depth, 3u);
  EXPECT_EQ(flags, unsigned(cudaArrayLayered));
  EXPECT_EQ(cudaGetChannelDesc(&format, array), cudaSuccess);
  EXPECT_EQ(cudaArrayGetInfo(&format, nullptr, nullptr, nullptr), cudaErrorInvalidResourceHandle);
}

TEST_F(Array, RunOfBytes_ContinuesInTheNextRow) {
  makeNumbered();
  const uint8_t run[] = {90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101};
  EXPECT_EQ(cudaMemcpyToArray(array, 6, 0, run, 12, cudaMemcpyHostToDevice), cudaSuccess);
  std::vector<uint8_t> got = contents();
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], i >= 6 && i < 18 ? 84 + i : i) << i;
  uint8_t back[12] = {};
  EXPECT_EQ(cudaMemcpyFromArray(back, array, 6, 0, 12, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::vector<uint8_t>(back, back + 12), std::vector<uint8_t>(run, run + 12));
}

TEST_F(Array, CopiesOutOfBounds_AreInvalid) {
  makeNumbered();
  uint8_t data[64] = {};
  EXPECT_EQ(cudaMemcpyToArray(array, 0, 3, data, 9, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToArray(array, 8, 0, data, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 1, 0, data, 8, 8, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, data, 4, 8, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, nullptr, 8, 8, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DFromArray(data, 8, nullptr, 0, 0, 8, 2, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DFromArray(data, 8, array, 0, 0, 8, 2, cudaMemcpyKind(9)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(contents()[31], 31) << "nothing was written";
}

TEST_F(Array, ArrayToArray_CopiesRows) {
  makeNumbered();
  EXPECT_EQ(cudaMemcpy2DArrayToArray(array, 4, 2, array, 0, 0, 4, 2), cudaSuccess);
  std::vector<uint8_t> got = contents();
  EXPECT_EQ(got[2 * 8 + 4], 0);
  EXPECT_EQ(got[3 * 8 + 7], 11);
  EXPECT_EQ(cudaMemcpyArrayToArray(array, 0, 0, array, 0, 2, 16), cudaSuccess);
  EXPECT_EQ(contents()[0], 16);
  EXPECT_EQ(contents()[15], 11);
}

TEST_F(Array, Levels_HalveAndLiveWithTheirArray) {
  cudaMipmappedArray_t mipmap = nullptr;
  ASSERT_EQ(cudaMallocMipmappedArray(&mipmap, &floats, {8, 2, 0}, 99), cudaSuccess);
  cudaArray_t level = nullptr;
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap, 4), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap, 2), cudaSuccess);
  cudaExtent extent = {};
  EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaSuccess);
  EXPECT_EQ(extent.width, 2u);
  EXPECT_EQ(extent.height, 1u);
  EXPECT_EQ(cudaFreeArray(level), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaSuccess);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaErrorInvalidValue);
}

TEST_F(Array, TexturesThatCannotBeFiltered_SayWhy) {
  makeNumbered();
  cudaResourceDesc resource = ofArray();
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  description.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidFilterSetting);
  description.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  description.sRGB = 1;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorNotSupported);
  description.addressMode[1] = cudaTextureAddressMode(4);
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidValue);
}

TEST_F(Array, TexturesOfMemory_NeedAlignmentAndAFormat) {
  void *memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, {32, 0, 0, 0, cudaChannelFormatKindSigned}, 1024};
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  cudaResourceDesc known = {};
  cudaTextureDesc knownDescription = {};
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&known, texture), cudaSuccess);
  EXPECT_EQ(known.res.linear.devPtr, memory);
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&knownDescription, texture), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  description.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidNormSetting);
  description.readMode = cudaReadModeElementType;
  resource.res.linear.devPtr = static_cast<char *>(memory) + 4;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidValue);
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc.y = 8;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Array, Surfaces_NeedTheFlag) {
  makeNumbered();
  cudaResourceDesc resource = ofArray(), known = {};
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&known, surface), cudaSuccess);
  EXPECT_EQ(known.res.array.array, array);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  cudaArray_t plain = nullptr;
  ASSERT_EQ(cudaMallocArray(&plain, &bytes, 4), cudaSuccess);
  resource.res.array.array = plain;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(plain), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(plain), cudaErrorInvalidValue);
}

TEST_F(Array, ReferencesThatTheProgramLacks_AreInvalid) {
  textureReference reference = {};
  alignas(512) float memory[4] = {};
  EXPECT_EQ(cudaBindTexture(nullptr, &reference, memory, &floats, 4), cudaErrorInvalidTexture);
  const textureReference *found = nullptr;
  EXPECT_EQ(cudaGetTextureReference(&found, &reference), cudaErrorInvalidTexture);
  EXPECT_EQ(cudaUnbindTexture(&reference), cudaErrorInvalidTexture);
}

} // namespace
