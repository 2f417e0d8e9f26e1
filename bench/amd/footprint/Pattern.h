//===- Pattern.h - The accesses of a stencil's thread -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses are read off the compiled kernel: its amdgcn LLVM IR is interpreted
// on a small grid. The order is that of the IR; the machine scheduler, which comes
// after, may move loads past each other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench/amd/footprint/Traffic.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace regrain::footprint {

/// Returns the accesses of a thread in the interior, in its order, of a kernel
/// with the parameters of bench/amd/laplacian_steps.h, in which a thread has
/// `rows` rows. A kernel at a grain has the program's grid as three more
/// parameters. It is an error if the kernel does not run or threads of the
/// interior differ.
[[nodiscard]] llvm::Expected<std::vector<PointAccess>>
readPattern(const llvm::Module &module, llvm::StringRef kernel, uint32_t rows);

} // namespace regrain::footprint
