//===- LaunchMetadata.h - Launches within a device module -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit of relocatable device code carries the launches that its source shows as named metadata,
// which LLVM's linker concatenates. So the device link knows the launches of a kernel in all files.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Writes the launches of `code`, of its own kernels and of others, to its module.
void recordLaunches(DeviceCode &code);

/// Moves the launches from the module of `code` to its kernels. Of equal launches of a kernel, the
/// first one stays.
void takeLaunches(DeviceCode &code);

} // namespace regrain
