//===- ApplyGrain.cpp - A kernel at another grain -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ApplyGrain.h"

#include "compiler/Refusal/FirstError.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Support/Timing.h"

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

namespace {

/// Times passes by the names that they have on command lines. MLIR's own PassManager::enableTiming
/// tells passes apart by their addresses, which the passes of a later manager may have, too.
class PassTiming : public PassInstrumentation {
public:
  explicit PassTiming(TimingScope &phase) : phase(phase) {}

  void runBeforePass(Pass *pass, Operation *) override {
    running = phase.nest(pass->getArgument());
  }
  void runAfterPass(Pass *, Operation *) override { running.stop(); }
  void runAfterPassFailed(Pass *, Operation *) override { running.stop(); }

private:
  TimingScope &phase;
  TimingScope running; ///< The passes run one after the other.
};

} // namespace

std::optional<RefusedStep> regrain::applyGrain(grain::KernelOp kernel, const Grain &grain,
                                               GrainPart part, TimingScope *timing) {
  if (auto refused = checkGrain(kernel, grain))
    return refused;
  // The clone stands beside the kernel, so that symbols resolve.
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  buildGrainPipeline(passes, grain, part);
  if (timing)
    passes.addInstrumentation(std::make_unique<PassTiming>(*timing));
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
