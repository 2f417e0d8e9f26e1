//===- ExtentTests.cpp - Grains at the ends of a grid ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest grids cannot be run. Instead, the last launched threads of a
// re-grained kernel are run, value by value: none of their operations may be
// undefined, and they must store what the last blocks of the program store.
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ApplyGrain.h"
#include "runtime/core/alternative.h"
#include "unittests/compiler/Analysis/Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace regrain;

namespace {

/// Each block stores a byte at its number.
constexpr const char *kernelText = R"(
grain.kernel @kernel(%p: !llvm.ptr) {
  %v = arith.constant 1 : i8
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extui %bx : i32 to i64
      %y = arith.extui %by : i32 to i64
      %rows = arith.constant 4294967296 : i64
      %row = arith.muli %y, %rows : i64
      %at = arith.addi %row, %x : i64
      %to = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %to : i8, !llvm.ptr
    }
  }
  grain.return
}
)";

struct Extent {
  const char *grain;
  std::array<uint32_t, 3> grid;
};

void PrintTo(const Extent &extent, std::ostream *out) {
  *out << extent.grain << " of " << extent.grid[0] << "x" << extent.grid[1];
}

class Extents : public testing::TestWithParam<Extent> {};

TEST_P(Extents, TheLastBlockDoesWhatItsBlocksDo) {
  MLIRContext context;
  context
      .loadDialect<grain::GrainDialect, arith::ArithDialect, scf::SCFDialect, LLVM::LLVMDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kernelText, &context);
  ASSERT_TRUE(module);
  auto kernel = *module->getOps<grain::KernelOp>().begin();
  OrError<GrainSpec> spec = parseGrainSpec(GetParam().grain);
  ASSERT_TRUE(spec) << spec.error();
  ASSERT_FALSE(applyGrain(kernel, spec->grain, GrainPart::Whole));
  Setting setting;
  setting.grid = GetParam().grid;
  Value p = kernel.getBody().getArgument(0);
  setting.arguments[p] = {0, p, false};
  // If the runtime gives a launch to the original, the grain need not cover it.
  if (!scaleToGrain({setting.grid, {1, 1, 1}, 0}, spec->grain, /*wholeWarps=*/false))
    return;
  Coordinates last;
  std::set<uint64_t> expected, stored;
  for (unsigned d = 0; d < 2; ++d)
    last.block[d] = (setting.grid[d] - 1) / spec->grain.block[d] * spec->grain.block[d];
  for (uint64_t x = last.block[0]; x < setting.grid[0]; ++x)
    for (uint64_t y = last.block[1]; y < setting.grid[1]; ++y)
      expected.insert(y << 32 | x);
  Evaluator evaluator(setting, [&](Operation *store, const Values &values, const Iterations &) {
    if (isa<LLVM::StoreOp>(store))
      stored.insert(values.find(store->getOperand(1))->second.bits);
  });
  EXPECT_TRUE(evaluator.run(kernel, last)) << "what the last block does is not defined";
  EXPECT_EQ(stored, expected);
}

INSTANTIATE_TEST_SUITE_P(Ends, Extents,
                         testing::Values(Extent{"block.x=2", {2147483647, 1, 1}},
                                         Extent{"block.x=3", {2147483647, 1, 1}},
                                         Extent{"block.x=7", {2147483647, 1, 1}},
                                         Extent{"block.x=16", {2147483645, 1, 1}},
                                         Extent{"block.x=3,block.y=4", {2147483647, 65535, 1}},
                                         Extent{"block.y=16", {1, 65535, 1}},
                                         Extent{"block.x=5", {3, 1, 1}}));

} // namespace
