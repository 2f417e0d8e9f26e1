//===- TransposedGrains.cpp - Accesses in the order of addresses ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/TransposedGrains.h"

#include "compiler/Refusal/FirstError.h"
#include "compiler/Transforms/GrainPipeline.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace regrain;

static constexpr uint32_t side = 32;              ///< of a block, a warp's lanes
static constexpr uint32_t elements[] = {4, 2, 8}; ///< of a launched thread
static constexpr uint32_t mostElements = 8;

static bool isPossible(grain::KernelOp kernel, const Grain &grain) {
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  buildGrainPipeline(passes, grain, GrainPart::Whole);
  FirstError refused(*kernel.getContext());
  return succeeded(passes.run(*trial));
}

std::vector<Grain> regrain::transposedGrainsOf(grain::KernelOp kernel,
                                               const std::set<uint32_t> &divisors) {
  std::vector<Grain> possible;
  for (unsigned line : {0, 1, 2}) {
    Grain grain = {.shape = Factors{side, 1, 1}, .words = {{"staging", "transposed"}}};
    (*grain.shape)[line] *= side;
    if (!isPossible(kernel, grain))
      continue;
    if (line == 0 && !divisors.empty()) {
      Grain divided = grain;
      divided.thread[0] = mostElements;
      for (uint32_t parameter : divisors)
        divided.known.multiples[parameter] = side;
      possible.push_back(divided);
    }
    for (uint32_t count : elements) {
      grain.thread[line] = count;
      possible.push_back(grain);
    }
  }
  return possible;
}
