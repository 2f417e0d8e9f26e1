//===- ApplyGrain.cpp - A kernel at another grain -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ApplyGrain.h"

#include "compiler/Refusal/FirstError.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

/// Returns a refusal of no transform in particular.
static RefusedStep asStep(Refusal refusal) { return {"apply-grain", std::move(refusal)}; }

/// Refuses a grain that does not apply to the kernel at all.
static std::optional<RefusedStep> checkGrain(grain::KernelOp kernel, const Grain &grain) {
  if (!kernel.blocks())
    return asStep(refuse(kernel, RefusalKind::AlreadyExpanded,
                         "the kernel has been expanded into alternatives"));
  if (std::string wrong = findContradiction(grain); !wrong.empty())
    return asStep(refuse(kernel, RefusalKind::Contradiction, wrong));
  return std::nullopt;
}

/// Moves the result into `kernel`. The attributes of parameters depend on the body and move with
/// it.
static void take(grain::KernelOp kernel, grain::KernelOp trial) {
  if (ArrayAttr attributes = trial.getAllArgAttrs())
    kernel.setAllArgAttrs(attributes);
  kernel.getBody().takeBody(trial.getBody());
}

std::optional<RefusedStep> regrain::applyGrain(grain::KernelOp kernel, const Grain &grain,
                                               GrainPart part) {
  if (auto refused = checkGrain(kernel, grain))
    return refused;
  // The clone stands beside the kernel, so that symbols resolve.
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  buildGrainPipeline(passes, grain, part);
  FirstError error(*kernel.getContext());
  if (failed(passes.run(*trial))) {
    if (auto refused = refusedStepOf(*trial))
      return refused;
    // A pass has failed without a refusal, or the verifier does not accept its result.
    return asStep(refuse(kernel, RefusalKind::InvalidResult,
                         "a transform has made invalid code: " + error.message));
  }
  take(kernel, *trial);
  return std::nullopt;
}
