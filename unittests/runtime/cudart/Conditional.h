//===- cudart/Conditional.h - Tests of conditional nodes --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "unittests/runtime/cudart/Program.h"

#include <gtest/gtest.h>

namespace regrain::test {

inline void ignore(void *) {}

/// A graph, and memory that the bodies of its nodes write.
class Conditional : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemset(memory, 0, sizeof(int)), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }

  cudaGraphConditionalHandle makeHandle(unsigned value = 0, unsigned flags = 0) {
    cudaGraphConditionalHandle handle = 0;
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, value, flags), cudaSuccess);
    return handle;
  }
  cudaError_t addNode(cudaGraph_t to, cudaGraphConditionalHandle handle,
                      cudaGraphConditionalNodeType type, unsigned size = 1) {
    parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
    return cudaGraphAddNode(&node, to, nullptr, 0, &parameters);
  }
  cudaGraph_t body() { return parameters.conditional.phGraph_out[0]; }
  /// Adds a copy between any two places.
  cudaGraphNode_t addCopy(cudaGraph_t to, void *target, const void *source) {
    cudaGraphNode_t copy = nullptr;
    EXPECT_EQ(cudaGraphAddMemcpyNode1D(&copy, to, nullptr, 0, target, source, sizeof(int),
                                       cudaMemcpyDefault),
              cudaSuccess);
    return copy;
  }
  cudaError_t instantiate(cudaGraphExec_t &executable) {
    return cudaGraphInstantiate(&executable, graph, 0);
  }
  int value() {
    int result = 0;
    EXPECT_EQ(cudaMemcpy(&result, memory, sizeof result, cudaMemcpyDefault), cudaSuccess);
    return result;
  }

  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams parameters = {};
  int *memory = nullptr;
};

} // namespace regrain::test
