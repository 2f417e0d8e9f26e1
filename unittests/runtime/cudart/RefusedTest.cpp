//===- cudart/RefusedTest.cpp - Entries that no device supports -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "include/cuda/cuda_runtime_api.h"

#include "unittests/runtime/cudart/Program.h"
#include <functional>

#include <gtest/gtest.h>

namespace {

template <typename... Parameters>
std::function<cudaError_t()> callWithNothing(cudaError_t (*function)(Parameters...)) {
  return [=] { return function(Parameters{}...); };
}

struct Entry {
  const char *name;
  std::function<cudaError_t()> call;
};

const Entry refused[] = {
#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP)
#define REGRAIN_CUDA_STREAM_API(RESULT, NAME, PARAMETERS, ARGUMENTS, GROUP)
#define REGRAIN_CUDA_DEFAULT_STREAM_API(RESULT, NAME, PARAMETERS, GROUP)
#define REGRAIN_CUDA_REFUSED_API(NAME, PARAMETERS, GROUP) {#NAME, callWithNothing(NAME)},
#include "include/cuda/regrain_api.def"
};

TEST(Refused, EachEntry_SaysThatItIsNotSupported) {
  for (const Entry &entry : refused) {
    EXPECT_EQ(entry.call(), cudaErrorNotSupported) << entry.name;
    EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported) << entry.name;
  }
}

/// The CPU has no driver, and shares nothing with other processes.
TEST(Refused, WhatOnlyADriverHas_IsNotSupported) {
  regrain::test::useProgram();
  void *function = &function;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", &function, cudaEnableDefault, &found),
            cudaErrorNotSupported);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(found, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", nullptr, cudaEnableDefault, nullptr),
            cudaErrorInvalidValue);
  cudaFunction_t handle = nullptr;
  EXPECT_EQ(cudaGetFuncBySymbol(&handle, &regrain::test::shadows.iota), cudaErrorNotSupported);
  cudaIpcMemHandle_t memory = {};
  EXPECT_EQ(cudaIpcGetMemHandle(&memory, &memory), cudaErrorNotSupported);
  EXPECT_EQ(cudaIpcOpenMemHandle(&function, memory, cudaIpcMemLazyEnablePeerAccess),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

} // namespace
