//===- memory.h - Memory of graphs in the runtime API -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/graph_memory.h"

namespace regrain {

/// Allocates memory on the thread's device for a graph.
[[nodiscard]] cudaError_t allocateInGraph(OpenDevice &current, cudaGraph_t graph, size_t bytes,
                                          void **pointer);

/// Must be called when a graph or an executable ends: frees the memory that nobody uses any more.
[[nodiscard]] cudaError_t endGraphMemory(OpenDevice &current, const void *owner);

} // namespace regrain
