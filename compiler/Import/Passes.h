//===- Passes.h - Stages of the import as passes ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// Registers grain-lift (structure() on every llvm.func with a body) and
/// grain-raise-loops (raiseLoops() on every function and kernel).
void registerImportPasses();

} // namespace regrain
