//===- LargeConstants.h - Constants beyond constant memory ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang places each const variable of device code in constant memory, of which a kernel can read 64
// KiB; nvcc places only those there that are declared __constant__. Where all together are larger,
// the largest are moved to global memory, which changes nothing but the time to read them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Moves constants until the rest fits, or nothing more can be moved. With relocatable device code,
/// those stay that other translation units may name.
void moveLargeConstants(llvm::Module &module, bool isRelocatable);

} // namespace regrain
