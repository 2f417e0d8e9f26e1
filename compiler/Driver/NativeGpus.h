//===- NativeGpus.h - The GPUs of this machine ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <vector>

namespace regrain {

/// Returns the compute capabilities of the NVIDIA GPUs of this machine, as 90 for 9.0, each once.
/// Empty if there is no GPU or no driver.
std::vector<unsigned> nativeGpus();

} // namespace regrain
