//===- Trial.cpp - Whether a kernel can have a grain ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/Trial.h"

#include "compiler/Refusal/FirstError.h"
#include "compiler/Transforms/GrainPipeline.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace regrain;

bool regrain::isPossible(grain::KernelOp kernel, const Grain &grain) {
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  buildGrainPipeline(passes, grain, GrainPart::Whole);
  FirstError refused(*kernel.getContext());
  return succeeded(passes.run(*trial));
}
