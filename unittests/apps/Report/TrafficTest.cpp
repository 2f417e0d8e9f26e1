//===- TrafficTest.cpp - Bytes that a block asks for and touches ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Traffic.h"

#include <gtest/gtest.h>

using namespace regrain;
using namespace regrain::report;

namespace {

/// Returns a load of four bytes at `offset` + `perThread` * x.
AccessFootprint load(int64_t perThread, int64_t offset = 0) {
  AccessFootprint access;
  access.memory = "parameter 0";
  access.reads = true;
  access.bytes = 4;
  FootprintAxis axis;
  axis.offset = offset;
  axis.threads = {perThread, 0, 0};
  access.axes = {axis};
  return access;
}

Traffic only(const std::vector<AccessFootprint> &accesses, const LaunchSetting &setting = {}) {
  std::vector<Traffic> all = trafficOf({{}, accesses}, setting);
  EXPECT_EQ(all.size(), 1u);
  return all.front();
}

TEST(Traffic, NeighboursTouchWhatTheyAskFor) {
  Traffic traffic = only({load(4)});
  EXPECT_EQ(traffic.perThread, "4");
  EXPECT_EQ(traffic.asked, 1024u);
  EXPECT_EQ(traffic.touched, 1024u);
}

TEST(Traffic, AStrideTouchesASectorPerThread) {
  EXPECT_EQ(only({load(64)}).touched, 256u * sectorBytes);
  EXPECT_EQ(only({load(0)}).touched, sectorBytes);
  EXPECT_EQ(only({load(-4)}).touched, 1024u + sectorBytes); // 0 is in the last sector alone
}

TEST(Traffic, AStencilSharesSectors) {
  Traffic traffic = only({load(4, -4), load(4), load(4, 4)});
  EXPECT_EQ(traffic.places, 3u);
  EXPECT_EQ(traffic.asked, 3u * 1024);
  EXPECT_EQ(traffic.touched, 1024u + 2 * sectorBytes);
}

TEST(Traffic, AnAccessAcrossSectorsTouchesBoth) {
  AccessFootprint wide = load(0, 24);
  wide.bytes = 16;
  EXPECT_EQ(only({wide}).touched, 2u * sectorBytes);
}

TEST(Traffic, LoadsAndStoresAreApart) {
  AccessFootprint store = load(4);
  store.reads = false;
  store.writes = true;
  EXPECT_EQ(trafficOf({{}, {load(4), store}}, {}).size(), 2u);
}

TEST(Traffic, RowsOfUnknownPitchAreApart) {
  AccessFootprint access = load(4);
  FootprintAxis rows;
  rows.unit = 1;
  rows.threads = {0, 1, 0};
  access.axes.push_back(rows);
  AccessFootprint next = access;
  next.axes.back().offset = 1;
  LaunchSetting setting = {{32, 8, 1}, 16};
  EXPECT_EQ(only({access}, setting).touched, 8u * 128);
  EXPECT_EQ(only({access, next}, setting).touched, 9u * 128);
  EXPECT_EQ(only({access, next}, setting).asked, 2u * 1024);
}

TEST(Traffic, TheBlocksSizeIsAFactor) {
  AccessFootprint access = load(4);
  FootprintAxis rows;
  rows.sizes = {0};
  rows.threads = {0, 4, 0}; // 4 * (y * blockDim.x + x)
  access.axes.push_back(rows);
  EXPECT_EQ(only({access}, {{32, 8, 1}, 16}).touched, 1024u);
}

TEST(Traffic, LoopsOfUnknownLengthRunTheTripsOfTheSetting) {
  AccessFootprint access = load(0);
  access.loops = {{1, 0, false}};
  access.axes.front().loops = {4};
  Traffic traffic = only({access}, {{64, 1, 1}, 32});
  EXPECT_EQ(traffic.perThread, "4*n1");
  EXPECT_EQ(traffic.asked, 64u * 32 * 4);
  EXPECT_EQ(traffic.touched, 128u);
  access.axes.front().loops = {0};
  access.loops.front().varies = true;
  EXPECT_EQ(only({access}, {{64, 1, 1}, 32}).touched, 32u * sectorBytes);
}

TEST(Traffic, LoopsOfKnownLengthAreMultiplied) {
  AccessFootprint access = load(4);
  access.loops = {{0, 8, false}};
  access.axes.front().loops = {0};
  Traffic traffic = only({access});
  EXPECT_EQ(traffic.perThread, "32");
  EXPECT_EQ(traffic.asked, 8u * 1024);
  EXPECT_EQ(traffic.touched, 1024u);
}

TEST(Traffic, WhatIsNotKnownIsSaid) {
  AccessFootprint access = load(4);
  access.unknown = "of something";
  EXPECT_EQ(only({load(4), access}).touched, std::nullopt);
  AccessFootprint large = load(4);
  large.loops = {{1, 0, false}};
  large.axes.front().loops = {1024};
  EXPECT_EQ(only({large}, {{1024, 1, 1}, 1 << 20}).touched, std::nullopt);
}

ArithmeticFootprint sums(uint64_t operations, std::vector<FootprintLoop> loops = {},
                         const std::string &function = "") {
  ArithmeticFootprint made;
  made.bits = 32;
  made.operations = operations;
  made.loops = std::move(loops);
  made.function = function;
  return made;
}

TEST(Arithmetic, TripsOfAllLoopsCount) {
  FootprintLoop known = {0, 8, false}, open = {1, 0, false};
  std::vector<Arithmetic> all =
      arithmeticOf({sums(3), sums(2, {known}), sums(5, {open, known})}, {{32, 2, 1}, 100});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].perThread, "19 + 40*n1");
  EXPECT_EQ(all[0].ofBlock, 64u * (19 + 40 * 100));
  EXPECT_FALSE(all[0].isConditional);
}

TEST(Arithmetic, FunctionsAndOtherNumbersAreApart) {
  ArithmeticFootprint wide = sums(4);
  wide.bits = 64;
  wide.isConditional = true;
  std::vector<Arithmetic> all = arithmeticOf({sums(3), sums(1, {}, "exp"), wide, sums(1)}, {});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].perThread, "4");
  EXPECT_EQ(all[1].function, "exp");
  EXPECT_EQ(all[1].ofBlock, 256u);
  EXPECT_EQ(all[2].bits, 64u);
  EXPECT_TRUE(all[2].isConditional);
}

TEST(Trips, OfALaunchCount) {
  FootprintTrips trips; // (n * by - 5) / 4
  trips.loop = 1;
  trips.range = {{1, {1}, {2}}, {-5, {}, {}}};
  trips.step = {4, {}, {}};
  LaunchSetting setting = {{32, 2, 1}};
  addTrips({trips}, {{2, 10}}, setting);
  EXPECT_EQ(setting.tripsOfLoops, (std::map<uint32_t, uint64_t>{{1, 4}}));
  FootprintLoop told = {1, 0, false}, open = {2, 0, false};
  std::vector<Arithmetic> all = arithmeticOf({sums(3, {told}), sums(1, {told, open})}, setting);
  EXPECT_EQ(all.at(0).perThread, "12 + 4*n2");
}

TEST(Trips, AreNotKnownWithoutAnInteger) {
  FootprintTrips trips;
  trips.loop = 1;
  trips.range = {{1, {}, {2}}};
  trips.step = {1, {}, {3}};
  for (const std::map<uint32_t, int64_t> &arguments :
       {std::map<uint32_t, int64_t>{{3, 1}}, {{2, 10}}, {{2, 10}, {3, 0}}}) {
    LaunchSetting setting;
    addTrips({trips}, arguments, setting);
    EXPECT_TRUE(setting.tripsOfLoops.empty());
  }
  LaunchSetting setting;
  addTrips({trips}, {{2, -3}, {3, 1}}, setting);
  EXPECT_EQ(setting.tripsOfLoops.at(1), 0u);
}

} // namespace
