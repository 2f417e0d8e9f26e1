//===- ClusterDimensions.h - __cluster_dims__ -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang 19 has no such attribute. Our headers make it an annotation (crt/host_defines.h), by which
// this recognises the kernels whose blocks form clusters.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Moves the dimensions from clang's annotations to those of the kernels (Annotations.h).
void markClusterDimensions(llvm::Module &device);

} // namespace regrain
