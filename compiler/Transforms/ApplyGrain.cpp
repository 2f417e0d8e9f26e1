//===- ApplyGrain.cpp - A kernel at another grain -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ApplyGrain.h"

#include "compiler/Refusal/FirstError.h"
#include "compiler/Transforms/RefusablePass.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

/// Checks whether the grain applies to the kernel at all.
static LogicalResult checkGrain(grain::KernelOp kernel, const Grain &grain, Refusal &refusal) {
  refusal.stage = "apply-grain";
  if (!kernel.blocks())
    return refuse(refusal, kernel, RefusalKind::AlreadyExpanded,
                  "the kernel has been expanded into alternatives");
  if (std::string wrong = findContradiction(grain); !wrong.empty())
    return refuse(refusal, kernel, RefusalKind::Contradiction, wrong);
  return success();
}

/// Moves the result into `kernel`. The attributes of parameters depend on the body and move with
/// it.
static void take(grain::KernelOp kernel, grain::KernelOp trial) {
  if (ArrayAttr attributes = trial.getAllArgAttrs())
    kernel.setAllArgAttrs(attributes);
  kernel.getBody().takeBody(trial.getBody());
}

/// Describes a pass that has failed without a refusal, or whose result the verifier does not
/// accept.
static Refusal internalError(grain::KernelOp kernel, const FirstError &error) {
  Refusal refusal;
  refusal.stage = "apply-grain";
  (void)refuse(refusal, kernel, RefusalKind::InvalidResult,
               "a transform has made invalid code: " + error.message);
  return refusal;
}

LogicalResult regrain::applyGrain(grain::KernelOp kernel, const Grain &grain, GrainPart part,
                                  SmallVectorImpl<Refusal> *refusals) {
  auto fail = [&](const Refusal &refusal) {
    if (refusals)
      refusals->push_back(refusal);
    return failure();
  };
  Refusal refusal;
  if (failed(checkGrain(kernel, grain, refusal)))
    return fail(refusal);
  // The clone stands beside the kernel, so that symbols resolve.
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  buildGrainPipeline(passes, grain, part);
  FirstError error(*kernel.getContext());
  if (failed(passes.run(*trial)))
    return fail(refusalOf(*trial).value_or(internalError(kernel, error)));
  take(kernel, *trial);
  return success();
}
