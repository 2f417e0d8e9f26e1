//===- Passes.cpp - The transforms as passes ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Passes.h"

#include "compiler/Transforms/GrainPipeline.h"

namespace regrain {

#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/Passes.h.inc"

void registerTransformPasses() {
  registerRegrainTransformsPasses();
  registerGrainPipeline();
}

} // namespace regrain
