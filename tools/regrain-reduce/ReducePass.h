//===- ReducePass.h - Makes kernels smaller ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// Registers `grain-reduce{test=PROGRAM}`, a pass on a module of grain IR. It changes one operation
/// at a time, as long as the module is valid and `PROGRAM FILE` exits with 1 for it, which says
/// that the module is interesting.
///
/// MLIR's own `reduction-tree` erases operations in the same way. It applies the rewrites of a
/// dialect (DialectReductionPatternInterface) to all operations of a region at once; in MLIR 19 it
/// crashes if the result is not interesting, so the grain dialect offers none.
void registerReducePass();

} // namespace regrain
