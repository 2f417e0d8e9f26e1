//===- KnownBlockTests.cpp - Whether a known block saves exchanges --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/KnownBlock.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

bool gains(const std::string &body, const Factors &block) {
  GrainContext own;
  ParsedKernel parsed(kernelText("%p: !llvm.ptr, %n: i32", body), own.context);
  std::string before = text(parsed.getModule());
  bool result = gainsByBlock(parsed.kernel(), block);
  EXPECT_EQ(text(parsed.getModule()), before) << "the kernel itself is not changed";
  return result;
}

/// A thread waits for the others only if its block is large.
const std::string waitsInLargeBlocks = R"(
      %size = grain.block_size x
      %c32 = arith.constant 32 : i32
      %large = arith.cmpi ugt, %size, %c32 : i32
      llvm.store %n, %p : i32, !llvm.ptr
      scf.if %large {
        grain.barrier (%tx, %ty, %tz)
      }
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.store %v, %p : i32, !llvm.ptr
)";

TEST(KnownBlock, ABlockWithoutBarriersGains) {
  EXPECT_TRUE(gains(waitsInLargeBlocks, {32, 1, 1}));
  EXPECT_FALSE(gains(waitsInLargeBlocks, {64, 1, 1}));
}

TEST(KnownBlock, AKernelThatExchangesNothingDoesNot) {
  EXPECT_FALSE(gains("llvm.store %n, %p : i32, !llvm.ptr\n", {32, 1, 1}));
}

} // namespace
