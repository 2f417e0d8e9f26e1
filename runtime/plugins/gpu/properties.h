//===- properties.h - cudaDeviceProp from attributes ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// Fills in the fields of `out` that have the value of an attribute of `device`. An
/// attribute that the device does not know is 0: not supported.
void addAttributes(Device &device, cudaDeviceProp &out);

} // namespace regrain
