//===- LoopTripsTests.cpp - How often loops run, by a launch --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoopTrips.h"

#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace regrain;

namespace {

std::string describe(const TripTerm &term) {
  std::string text = std::to_string(term.factor);
  for (uint8_t size : term.sizes)
    text += std::string("*b") + "xyz"[size];
  for (uint32_t parameter : term.parameters)
    text += "*p" + std::to_string(parameter);
  return text;
}

/// Returns "n1: -2 1*p1 / 1*bx" for each loop of unknown length of which a launch tells the trips.
std::string trips(const std::string &body) {
  GrainContext context;
  ParsedKernel parsed(kernelText("%p: !llvm.ptr, %n: i32, %m: i32", body), context.context);
  std::string text;
  for (const FootprintTrips &each : tripsOf(parsed.kernel())) {
    text += "n" + std::to_string(each.loop) + ":";
    for (const TripTerm &term : each.range)
      text += " " + describe(term);
    text += " / " + describe(each.step) + "\n";
  }
  return text;
}

TEST(LoopTrips, FollowFromIntegersAndTheBlock) {
  EXPECT_EQ(trips(R"(
    %two = arith.constant 2 : i32
    %size = grain.block_size x
    %end = arith.muli %n, %m : i32
    scf.for %i = %two to %end step %size : i32 {
      scf.yield
    }
)"),
            "n1: -2 1*p1*p2 / 1*bx\n");
}

TEST(LoopTrips, WhatIsNeverNegativeInTheLowerBoundIsLeftOut) {
  EXPECT_EQ(trips(R"(
    %one = arith.constant 1 : i32
    scf.for %i = %tx to %n step %one : i32 {
      scf.for %j = %i to %n step %one : i32 {
        scf.yield
      }
    }
)"),
            "n1: 1*p1 / 1\nn2: 1*p1 / 1\n");
}

TEST(LoopTrips, OtherBoundsAreNotTold) {
  EXPECT_EQ(trips(R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %read = llvm.load %p : !llvm.ptr -> i32
    scf.for %i = %zero to %read step %one : i32 {
      scf.yield
    }
    scf.for %i = %zero to %tx step %one : i32 {
      scf.yield
    }
    scf.for %i = %read to %n step %one : i32 {
      scf.yield
    }
    %step = arith.addi %n, %one : i32
    scf.for %i = %zero to %n step %step : i32 {
      scf.yield
    }
)"),
            "");
}

} // namespace
