//===- InstructionOrder.h - Which order takes fewer registers ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM writes the instructions of a block in the program's order, or in one in which few values are
// live together. ptxas orders them again, but not in large blocks. The second order saves large
// expressions, such as stencils in double, many spills; other kernels lose a few registers by it
// (docs/decisions/0078). So where registers matter, both are assembled, and each kernel has the one
// that is better for it, whatever other kernels are in its module.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"

namespace regrain::nvptx {

/// Returns the bytes that a kernel's code spills and loads again; none if they are not known.
[[nodiscard]] int32_t spilledBytes(const Resources &resources);

/// Returns whether the kernel spills, or takes so many registers that fewer than half of the
/// threads of a multiprocessor are resident by far: then the other order is worth another assembly.
[[nodiscard]] bool takesManyRegisters(const KernelCode &kernel);

/// Returns whether the kernels of `candidate` spill fewer bytes together than the same kernels of
/// `other`, or as many, while more of their threads are resident.
[[nodiscard]] bool takesFewer(llvm::ArrayRef<KernelCode> candidate,
                              llvm::ArrayRef<KernelCode> other);

} // namespace regrain::nvptx
