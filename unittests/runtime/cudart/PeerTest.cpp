//===- cudart/PeerTest.cpp - Links between devices and the host -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <gtest/gtest.h>

namespace {

const cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd,
                                          cudaAtomicOperationIntegerIncrement,
                                          cudaAtomicOperationCAS, cudaAtomicOperationFloatMin};

TEST(Peer, TheCpu_SharesItsAtomicOperationsWithTheHost) {
  regrain::test::useProgram();
  unsigned known[] = {0, 0, 0, 99};
  ASSERT_EQ(cudaDeviceGetHostAtomicCapabilities(known, operations, 4, 0), cudaSuccess);
  constexpr unsigned words = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
  EXPECT_EQ(known[0], words | cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned |
                          cudaAtomicCapabilityReduction);
  EXPECT_EQ(known[1] & words, unsigned(cudaAtomicCapabilityScalar32));
  EXPECT_TRUE(known[2] & cudaAtomicCapabilityScalar128);
  EXPECT_FALSE(known[2] & cudaAtomicCapabilityReduction);
  EXPECT_EQ(known[3], 0u);
}

TEST(Peer, WrongQuestionsAboutAtomicOperations_AreRefused) {
  regrain::test::useProgram();
  unsigned known[4];
  auto absent = static_cast<cudaAtomicOperation>(13);
  EXPECT_EQ(cudaDeviceGetHostAtomicCapabilities(known, &absent, 1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetHostAtomicCapabilities(known, operations, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetHostAtomicCapabilities(nullptr, operations, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetHostAtomicCapabilities(known, operations, 4, 99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetP2PAtomicCapabilities(known, operations, 4, 0, 0), cudaErrorInvalidDevice)
      << "a device is not its own peer";
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

} // namespace
