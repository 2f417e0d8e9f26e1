//===- GridConstantRules.h - Where __grid_constant__ may be ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang 19 has no attribute `grid_constant`. Our own one (crt/host_defines.h) leaves an annotation
// at the parameter, which clang copies to instances of templates and writes into LLVM IR.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTContext.h"

namespace regrain {

/// The annotation of a parameter with __grid_constant__.
inline constexpr llvm::StringLiteral gridConstantAnnotation = "regrain.grid_constant";

/// Reports what nvcc refuses: parameters of other functions than kernels, those that are no const
/// objects, and declarations of one kernel that differ. The annotations in an explicit
/// instantiation are not compared; those of the template count.
void checkGridConstants(clang::ASTContext &context);

} // namespace regrain
