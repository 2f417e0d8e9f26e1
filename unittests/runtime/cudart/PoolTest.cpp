//===- cudart/PoolTest.cpp - Memory pools ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace regrain::test;

namespace {

class Pool : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    properties.maxSize = 1000;
    ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess); // the next test finds no pending work
    if (pool)
      EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }
  uint64_t read(cudaMemPoolAttr attribute) {
    uint64_t value = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
  }

  cudaMemPool_t pool = nullptr;
};

TEST_F(Pool, Allocations_AreCounted) {
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&first, 100, pool, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&second, 200, pool, nullptr), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 300u);
  ASSERT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFree(second), cudaSuccess) << "either kind of free is one";
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemHigh), 300u);
  uint64_t zero = 0;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemHigh), 0u);
}

TEST_F(Pool, TheLimit_BoundsAllocations) {
  void *pointer = nullptr, *other = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&pointer, 900, pool, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&other, 101, pool, nullptr), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(pointer, 0, 900, nullptr), cudaSuccess) << "what is used stays";
  EXPECT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess);
}

TEST_F(Pool, ThePoolOfTheDevice_GivesWhatNamesNone) {
  cudaMemPool_t current = nullptr, first = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&first, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, pool);
  void *pointer = nullptr;
  ASSERT_EQ(cudaMallocAsync(&pointer, 64, nullptr), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 64u);
  ASSERT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  pool = nullptr;
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, first);
  EXPECT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess) << "it outlives the pool";
  EXPECT_EQ(cudaMemPoolDestroy(first), cudaErrorInvalidValue);
}

TEST_F(Pool, Locations_AreThoseOfDevices) {
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  cudaMemPool_t first = nullptr, found = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&first, 0), cudaSuccess);
  ASSERT_EQ(cudaMemGetDefaultMemPool(&found, &device, cudaMemAllocationTypePinned), cudaSuccess);
  EXPECT_EQ(found, first);
  ASSERT_EQ(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, pool), cudaSuccess);
  ASSERT_EQ(cudaMemGetMemPool(&found, &device, cudaMemAllocationTypePinned), cudaSuccess);
  EXPECT_EQ(found, pool);
  EXPECT_EQ(cudaMemGetMemPool(&found, &host, cudaMemAllocationTypePinned), cudaErrorNotSupported);
}

TEST_F(Pool, Attributes_AreKept) {
  int reuses = 0;
  uint64_t threshold = UINT64_MAX;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuses),
            cudaSuccess);
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrReleaseThreshold), UINT64_MAX);
  reuses = 1;
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuses),
            cudaSuccess);
  EXPECT_EQ(reuses, 0);
}

/// The CPU shares nothing with other processes.
TEST_F(Pool, Handles_AreNotSupported) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t other = nullptr;
  EXPECT_EQ(cudaMemPoolCreate(&other, &properties), cudaErrorNotSupported);
  int descriptor = -1;
  EXPECT_EQ(cudaMemPoolExportToShareableHandle(&descriptor, pool, properties.handleTypes, 0),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaMemPoolImportFromShareableHandle(&other, &descriptor, properties.handleTypes, 0),
            cudaErrorNotSupported);
  cudaMemPoolPtrExportData data = {};
  void *pointer = nullptr;
  EXPECT_EQ(cudaMemPoolExportPointer(&data, &data), cudaErrorNotSupported);
  EXPECT_EQ(cudaMemPoolImportPointer(&pointer, pool, &data), cudaErrorNotSupported);
  EXPECT_EQ(cudaMemPoolImportPointer(&pointer, nullptr, &data), cudaErrorInvalidValue);
}

TEST_F(Pool, TheOwner_KeepsItsAccess) {
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtNone};
  ASSERT_EQ(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue);
  access.flags = cudaMemAccessFlagsProtReadWrite;
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
  access.location.id = 1;
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice);
  access.location = {cudaMemLocationTypeHost, 0};
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorNotSupported);
}

} // namespace
