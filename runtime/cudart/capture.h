//===- capture.h - Calls that no graph can hold -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/built_graph.h"

namespace regrain {

/// For a call that is not made of calls of the device which would refuse it: what it
/// answers where `stream` captures, which spoils the capture; else cudaSuccess.
[[nodiscard]] cudaError_t refuseCapture(Device &device, cudaStream_t stream);

/// As cudaGraphExecUpdate from a graph that the program built.
[[nodiscard]] cudaError_t updateExecutable(Device &device, cudaGraphExec_t executable,
                                           const BuiltGraph &built,
                                           cudaGraphExecUpdateResultInfo &result);

} // namespace regrain
