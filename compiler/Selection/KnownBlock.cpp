//===- KnownBlock.cpp - Benefit of a known block --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/KnownBlock.h"

#include "compiler/Alternatives/Model.h"
#include "compiler/Refusal/FirstError.h"
#include "compiler/Transforms/GrainPipeline.h"
#include "compiler/Transforms/HintLoads/HintLoads.h"
#include "compiler/Transforms/Passes.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

/// A gain below a twentieth is not worth compiling grains for one block alone.
static constexpr double worthwhile = 0.95;

/// Returns the number of shared accesses and barriers of a thread.
static double exchangesOf(grain::KernelOp kernel) {
  double sum = 0;
  for (const auto &[mask, counts] : statisticsOf(kernel, 0).work)
    for (Work kind : {Work::Shared, Work::Barrier})
      sum += counts[unsigned(kind)].at(assumedTrips);
  return sum;
}

/// Returns the number that is left after optimisation for launches with `known`; nothing if such
/// launches are impossible.
static std::optional<double> exchangesLeft(grain::KernelOp kernel, const KnownLaunch &known) {
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  Grain grain;
  grain.known = known;
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  passes.addPass(createSpecialise({.known = toString(grain), .required = true}));
  passes.addPass(createCleanUp());
  buildParallelOptimisation(passes, Grain());
  FirstError refused(*kernel.getContext());
  if (failed(passes.run(*trial)))
    return std::nullopt;
  return exchangesOf(*trial);
}

bool regrain::sharesFootprint(grain::KernelOp kernel, const Factors &block) {
  if (findLoads(kernel, LoadHint::OnlyRead).empty())
    return false;
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  Grain grain;
  grain.known.block = block;
  PassManager passes(kernel.getContext(), grain::KernelOp::getOperationName());
  passes.addPass(createSpecialise({.known = toString(grain), .required = true}));
  passes.addPass(createHintLoads({.hint = LoadHint::OnlyRead, .required = true}));
  passes.addPass(createCleanUp());
  passes.addPass(createStageLoads({.required = true}));
  FirstError refused(*kernel.getContext());
  return succeeded(passes.run(*trial));
}

bool regrain::gainsByBlock(grain::KernelOp kernel, const Factors &block) {
  if (exchangesOf(kernel) == 0)
    return false;
  std::optional<double> any = exchangesLeft(kernel, {});
  KnownLaunch known;
  known.block = block;
  std::optional<double> special = exchangesLeft(kernel, known);
  return any && special && *special <= worthwhile * *any;
}
