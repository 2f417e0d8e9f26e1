//===- Prepare.h - Prepare device compiles for the targets ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

namespace regrain {

/// Serialises each device module and, if alternatives are asked for, exposes its variables, imports
/// it and plans the grains.
llvm::Expected<PreparedDevices> prepareDevices(llvm::ArrayRef<ArchedDevice> devices,
                                               const ImageOptions &options);

} // namespace regrain
