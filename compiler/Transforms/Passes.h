//===- Passes.h - The transforms as passes ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/DealIterations/DealIterations.h"
#include "compiler/Transforms/ExchangeInWarp/ExchangeInWarp.h"
#include "compiler/Transforms/HintLoads/HintLoads.h"
#include "compiler/Transforms/SetLaunch/SetLaunch.h"
#include "mlir/Pass/Pass.h"

namespace regrain {

#define GEN_PASS_DECL
#include "compiler/Transforms/Passes.h.inc"

/// Registers the passes of the transforms and their pipeline for pass pipelines and command lines.
void registerTransformPasses();

} // namespace regrain
