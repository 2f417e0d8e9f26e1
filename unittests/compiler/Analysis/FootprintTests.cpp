//===- FootprintTests.cpp - What a kernel asks of global memory -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Footprint.h"

#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace regrain;

namespace {

/// Returns the accesses as text: the memory, the bytes, the loops, and the axes.
std::string describe(const std::vector<AccessFootprint> &accesses) {
  std::string text;
  for (const AccessFootprint &access : accesses) {
    text += access.memory + (access.writes ? " w" : " r") + std::to_string(access.bytes);
    for (const FootprintLoop &loop : access.loops)
      text += loop.number ? " n" + std::to_string(loop.number) + (loop.varies ? "!" : "")
                          : " " + std::to_string(loop.trips);
    if (!access.unknown.empty())
      text += ": unknown";
    for (const FootprintAxis &axis : access.axes) {
      text += " [" + std::to_string(axis.unit);
      for (uint8_t size : axis.sizes)
        text += std::string("*b") + "xyz"[size];
      text += ": " + std::to_string(axis.offset);
      for (int64_t factor : axis.threads)
        text += " " + std::to_string(factor);
      for (int64_t factor : axis.loops)
        text += " +" + std::to_string(factor);
      text += "]";
    }
    text += "\n";
  }
  return text;
}

std::string footprints(const std::string &body) {
  GrainContext context;
  ParsedKernel parsed(kernelText("%p: !llvm.ptr, %q: !llvm.ptr, %n: i32", body), context.context);
  return describe(footprintsOf(parsed.kernel()));
}

TEST(Footprint, TheIndexOfAThreadIsLinear) {
  EXPECT_EQ(footprints(R"(
    %size = grain.block_size x
    %first = arith.muli %bx, %size : i32
    %i = arith.addi %first, %tx : i32
    %at = arith.extsi %i : i32 to i64
    %from = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %from : !llvm.ptr -> f32
    %to = llvm.getelementptr %q[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %to : f32, !llvm.ptr
)"),
            "parameter 0 r4 [0: 0 4 0 0] [1*bx: 4 0 0 0]\n"
            "parameter 1 w4 [0: 0 4 0 0] [1*bx: 4 0 0 0]\n");
}

TEST(Footprint, RowsHaveAUnitOfTheirOwn) {
  EXPECT_EQ(footprints(R"(
    %one = arith.constant 1 : i32
    %y = arith.addi %ty, %one : i32
    %row = arith.muli %y, %n : i32
    %i = arith.addi %row, %tx : i32
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %from : !llvm.ptr -> f32
)"),
            "parameter 0 r4 [0: 0 4 0 0] [1: 4 0 4 0]\n");
}

TEST(Footprint, AMemberHasThePlaceOfItsRecord) {
  EXPECT_EQ(footprints(R"(
    %from = llvm.getelementptr %p[%tx, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %v = llvm.load %from : !llvm.ptr -> f32
)"),
            "parameter 0 r4 [0: 4 8 0 0]\n");
}

TEST(Footprint, LoopsMoveTheAddress) {
  EXPECT_EQ(footprints(R"(
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %eight = arith.constant 8 : i32
    scf.for %i = %zero to %n step %two : i32 {
      scf.for %j = %zero to %eight step %two : i32 {
        %k = arith.addi %i, %tx : i32
        %l = arith.addi %k, %j : i32
        %from = llvm.getelementptr %p[%l] : (!llvm.ptr, i32) -> !llvm.ptr, f64
        %v = llvm.load %from : !llvm.ptr -> f64
      }
    }
)"),
            "parameter 0 r8 n1 4 [0: 0 8 0 0 +16 +16]\n");
}

TEST(Footprint, AWhileLoopThatCountsMovesTheAddress) {
  EXPECT_EQ(footprints(R"(
    %size = grain.block_size x
    %last = scf.while (%i = %tx) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%k: i32):
      %from = llvm.getelementptr %p[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      %v = llvm.load %from : !llvm.ptr -> i8
      %next = arith.addi %k, %size : i32
      scf.yield %next : i32
    }
)"),
            "parameter 0 r1 n1 [0: 0 1 0 0 +0] [0*bx: 0 0 0 0 +1]\n");
}

TEST(Footprint, AWhileLoopThatDoesNotCountIsUnknown) {
  EXPECT_EQ(footprints(R"(
    %one = arith.constant 1 : i32
    %last = scf.while (%i = %tx) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%k: i32):
      %from = llvm.getelementptr %p[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      %v = llvm.load %from : !llvm.ptr -> i8
      %next = arith.shli %k, %one : i32
      scf.yield %next : i32
    }
)"),
            "parameter 0 r1 n1: unknown\n");
}

TEST(Footprint, AnotherPlaceInEachTripVaries) {
  EXPECT_EQ(footprints(R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %next = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %k = llvm.load %next : !llvm.ptr -> i32
      %l = arith.addi %k, %tx : i32
      %from = llvm.getelementptr %p[%l] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %from : !llvm.ptr -> f32
    }
)"),
            "parameter 1 r4 n1 [0: 0 0 0 0 +4]\n"
            "parameter 0 r4 n1! [0: 0 4 0 0 +0] [1: 4 0 0 0 +0]\n");
}

TEST(Footprint, WhatDependsOnThreadsOtherwiseIsUnknown) {
  EXPECT_EQ(footprints(R"(
    %seven = arith.constant 7 : i32
    %i = arith.andi %tx, %seven : i32
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %from : !llvm.ptr -> f32
    %j = arith.muli %tx, %ty : i32
    %to = llvm.getelementptr %p[%j] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %to : f32, !llvm.ptr
)"),
            "parameter 0 r4: unknown\nparameter 0 w4: unknown\n");
}

TEST(Footprint, SharedMemoryAndOwnMemoryAreLeftOut) {
  EXPECT_EQ(footprints(R"(
    %one = arith.constant 1 : i32
    %own = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    %v = llvm.load %own : !llvm.ptr -> f32
)"),
            "");
}

} // namespace
