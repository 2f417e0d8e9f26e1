//===- ImageWrapper.h - What registers an image -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/GlobalVariable.h"

namespace regrain {

/// Writes the release of CUDA, as in CUDART_VERSION, into the last field of `wrapper`, which is the
/// argument of __cudaRegisterFatBinary: FatBinaryWrapper in runtime/cudart/registration.h.
void setCudaVersion(llvm::GlobalVariable &wrapper, unsigned cudaVersion);

} // namespace regrain
