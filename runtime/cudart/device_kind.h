//===- device_kind.h - What the libraries ask -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries that are Regrain's own, for the libraries of runtime/libraries.
//
//===----------------------------------------------------------------------===//
#pragma once

extern "C" {

/// Returns whether kernels of the process run on the CPU. The first call chooses the device, as the
/// first call of the runtime API does. The libraries are loaded without Regrain's runtime, too.
bool regrain_device_is_cpu() __attribute__((weak, visibility("default")));

/// Returns the version of HIP, 1000 * major + 10 * minor, if kernels of the process run on AMD
/// GPUs; otherwise 0. The calling thread's device is then also the current one of HIP.
int regrain_hip_version() __attribute__((weak, visibility("default")));
}
