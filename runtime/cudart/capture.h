//===- capture.h - Captures and executables in the runtime API --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/built_graph.h"

namespace regrain {

/// For a call whose device calls would not refuse a capture by themselves: returns
/// the call's error if `stream` captures, and invalidates the capture; otherwise
/// returns cudaSuccess.
[[nodiscard]] cudaError_t refuseCapture(Device &device, cudaStream_t stream);

/// Does the work of cudaGraphInstantiate for a graph that the program built.
[[nodiscard]] cudaError_t instantiateBuilt(Device &device, const BuiltGraph &built,
                                           unsigned long long flags, cudaGraphExec_t &executable);

/// Does the work of cudaGraphExecUpdate for a graph that the program built.
[[nodiscard]] cudaError_t updateExecutable(Device &device, cudaGraphExec_t executable,
                                           const BuiltGraph &built,
                                           cudaGraphExecUpdateResultInfo &result);

} // namespace regrain
