//===- CudaPath.h - regrain cuda-path ---------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Implements `regrain cuda-path`: prints the folder that looks like a CUDA toolkit, or writes it
/// anew. argv[0] is the subcommand's name. Returns the exit code.
int runCudaPath(int argc, char **argv);

/// Returns the description of `regrain cuda-path`.
help::Command describeCudaPath();

} // namespace regrain
