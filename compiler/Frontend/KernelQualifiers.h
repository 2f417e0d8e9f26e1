//===- KernelQualifiers.h - __cluster_dims__ and __maxnreg__ ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang 19 has no such attributes. Our headers make them annotations (crt/host_defines.h), by which
// this recognises the kernels whose blocks form clusters, and those with a limit of registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Moves the qualifiers from clang's annotations to those of the kernels (Annotations.h). Prints an
/// error for each limit of registers that nvcc refuses, and returns whether there is any.
[[nodiscard]] bool applyKernelQualifiers(llvm::Module &device);

} // namespace regrain
