//===- GridConstants.h - Parameters that no thread copies -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `const __grid_constant__ T x` is one object for all threads of a launch: its address may leave
// the thread, and hardware may read it, as that of a tensor map. In LLVM IR it is a parameter in
// memory
// (`byval`) with `readonly`, which holds for all pointers that are derived from it. So no stage
// has a reason to copy it, and targets leave it where the launch's parameters are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Gives the parameters that clang has annotated (GridConstantRules.h) these attributes, and
/// removes the annotations. A number or pointer becomes a parameter in memory if its address is
/// used for more than to read it; its place in the launch's parameters stays. No pass may have run.
void keepGridConstants(llvm::Module &device);

} // namespace regrain
