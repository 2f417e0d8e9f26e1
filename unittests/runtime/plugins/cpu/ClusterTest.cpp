//===- cpu/ClusterTest.cpp - Memory and barriers of clusters --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/cluster.h"

#include <gtest/gtest.h>

using namespace regrain::cpu;

namespace {

TEST(Clusters, MemoryOfBlocks_IsInOnePiece) {
  Cluster cluster(3, 200);
  ASSERT_TRUE(cluster.hasMemory());
  EXPECT_GE(cluster.bytesOfBlock(), 200u);
  EXPECT_EQ(size_t(cluster.memoryOf(2) - cluster.memoryOf(1)), cluster.bytesOfBlock());
  EXPECT_EQ(cluster.rankOf(cluster.memoryOf(0)), 0u);
  EXPECT_EQ(cluster.rankOf(cluster.memoryOf(1) - 1), 0u);
  EXPECT_EQ(cluster.rankOf(cluster.memoryOf(2) + 199), 2u);
  EXPECT_EQ(cluster.rankOf(cluster.memoryOf(0) - 1), std::nullopt);
  EXPECT_EQ(cluster.rankOf(cluster.memoryOf(0) + 3 * cluster.bytesOfBlock()), std::nullopt);
}

TEST(Clusters, Phase_IsOverWhenAllBlocksHaveArrived) {
  Cluster cluster(2, 0);
  uint32_t first = cluster.arrive();
  EXPECT_FALSE(cluster.isOver(first));
  EXPECT_EQ(cluster.arrive(), first);
  EXPECT_TRUE(cluster.isOver(first));
  uint32_t second = cluster.arrive();
  EXPECT_NE(second, first);
  EXPECT_FALSE(cluster.isOver(second));
}

TEST(Clusters, BlockThatEnds_KeepsNoneWaiting) {
  Cluster cluster(3, 0);
  uint32_t phase = cluster.arrive();
  cluster.end(std::nullopt);
  EXPECT_FALSE(cluster.isOver(phase));
  cluster.end(std::nullopt);
  EXPECT_TRUE(cluster.isOver(phase));
}

/// The arrival of a block that has ended does not count for those that remain.
TEST(Clusters, BlockThatEndsAfterArriving_IsNotAwaited) {
  Cluster cluster(3, 0);
  uint32_t phase = cluster.arrive();
  EXPECT_EQ(cluster.arrive(), phase);
  cluster.end(phase);
  EXPECT_FALSE(cluster.isOver(phase));
  EXPECT_EQ(cluster.arrive(), phase);
  EXPECT_TRUE(cluster.isOver(phase));
}

TEST(Clusters, Number_IsOneClusterUntilItsBlocksHaveEnded) {
  Clusters clusters;
  std::shared_ptr<Cluster> first = clusters.begin(7, 2, 64);
  EXPECT_EQ(clusters.begin(7, 2, 64), first);
  EXPECT_NE(clusters.begin(8, 2, 64), first);
  clusters.end(7);
  EXPECT_EQ(clusters.begin(7, 2, 64), first);
  clusters.end(7);
  EXPECT_NE(clusters.begin(7, 2, 64), first);
}

} // namespace
