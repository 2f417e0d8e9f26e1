//===- Pass.cpp - SplitThreads as a pass ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/SplitThreads.h"

#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_SPLITTHREADS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct SplitThreadsPass : impl::SplitThreadsBase<SplitThreadsPass> {
  using SplitThreadsBase::SplitThreadsBase;
  void runOnOperation() override {
    grain::KernelOp kernel = getOperation();
    uint32_t threads = lanes * warpThreads;
    bool isOfWarps = llvm::isPowerOf2_32(lanes) && lanes > 1 && lanes <= warpThreads &&
                     width == 1 && ArrayRef<uint32_t>(shape) == ArrayRef<uint32_t>({threads, 1, 1});
    bool isOfWarp = lanes == 4 || lanes == 8 || lanes == 16 || lanes == warpThreads;
    bool isBlock = lanes > warpThreads && llvm::isPowerOf2_32(lanes) &&
                   ArrayRef<uint32_t>(shape) == ArrayRef<uint32_t>({lanes, 1, 1});
    bool isGroup = warps ? isOfWarps : isOfWarp || isBlock;
    bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
    if (!isGroup || !isWidth || shape.empty() || shape[0] % warpThreads != 0) {
      kernel.emitError("expects 4, 8, 16 or 32 lanes, or those of a block, each of which takes 1, "
                       "2, 4 or 8 iterations, or 2 to 32 warps, which are the block, "
                       "and a shape of whole warps in x");
      return signalPassFailure();
    }
    auto split = [&](grain::BlocksOp &nest, const Factors &size) {
      return splitThreads(nest, {.lanes = lanes,
                                 .areWarps = warps,
                                 .width = width,
                                 .shape = size,
                                 .mayReorder = reassociate,
                                 .elements = elements});
    };
    if (failed(transformAll(*this, kernel, shape, required, split)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
