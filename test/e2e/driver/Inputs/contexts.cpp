//===- contexts.cpp - Contexts of both interfaces in one thread -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "expect_code.h"
#include <cuda.h>
#include <cuda_runtime.h>
#include <thread>

static CUcontext current() {
  CUcontext context = nullptr;
  CHECK(cuCtxGetCurrent(&context));
  return context;
}

/// The primary context is popped, pushed again, and current below a context that is destroyed.
static void testTheRuntimesContext() {
  CUcontext popped = nullptr, created = nullptr;
  CHECK(cudaFree(nullptr));
  CUcontext primary = current();
  EXPECT(true, primary != nullptr);
  CHECK(cuCtxPopCurrent(&popped));
  EXPECT(true, popped == primary && !current());
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));
  CHECK(cuCtxPushCurrent(primary));
  EXPECT(true, current() == primary);
  CHECK(cuCtxCreate(&created, 0, 0));
  CHECK(cuCtxDestroy(created));
  EXPECT(true, current() == primary);
  CHECK(cuCtxSetCurrent(nullptr));
  EXPECT(true, !current());
}

/// A library that pushes and pops a context leaves that of the runtime current.
static void testContextAboveTheRuntimes() {
  CUcontext primary = nullptr, popped = nullptr;
  CHECK(cudaFree(nullptr));
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK(cuCtxPushCurrent(primary));
  CHECK(cuCtxPopCurrent(&popped));
  EXPECT(true, popped == primary && current() == primary);
  CHECK(cuDevicePrimaryCtxRelease(0));
}

int main() {
  testTheRuntimesContext();
  std::thread(testContextAboveTheRuntimes).join();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
