//===- PrimaryContextsTest.cpp - The contexts that programs create --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/driver/primary_contexts.h"

#include <gtest/gtest.h>
#include <vector>

using namespace regrain::driver;

namespace {

/// What the driver below has: for two devices, how often their contexts are retained.
struct Fake {
  int retained[2] = {};
  unsigned flags[2] = {};
  std::vector<CUcontext> stack;
  CUcontext destroyed = nullptr;
  CUresult pushResult = CUDA_SUCCESS;
} fake;

CUcontext primaryOf(CUdevice device) { return reinterpret_cast<CUcontext>(&fake.retained[device]); }

CUresult retain(CUcontext *context, CUdevice device) {
  if (device > 1)
    return CUDA_ERROR_INVALID_DEVICE;
  ++fake.retained[device];
  *context = primaryOf(device);
  return CUDA_SUCCESS;
}
CUresult release(CUdevice device) {
  --fake.retained[device];
  return CUDA_SUCCESS;
}
CUresult setFlags(CUdevice device, unsigned int flags) {
  fake.flags[device] = flags;
  return flags > 0xff ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult push(CUcontext context) {
  if (fake.pushResult == CUDA_SUCCESS)
    fake.stack.push_back(context);
  return fake.pushResult;
}
CUresult pop(CUcontext *context) {
  *context = fake.stack.back();
  fake.stack.pop_back();
  return CUDA_SUCCESS;
}
CUresult current(CUcontext *context) {
  *context = fake.stack.empty() ? nullptr : fake.stack.back();
  return CUDA_SUCCESS;
}
CUresult destroy(CUcontext context) {
  fake.destroyed = context;
  return CUDA_SUCCESS;
}

class Contexts : public testing::Test {
protected:
  void SetUp() override { fake = {}; }
  CUcontext create(CUdevice device, unsigned flags = 0) {
    CUcontext context = nullptr;
    EXPECT_EQ(contexts.create(&context, flags, device), CUDA_SUCCESS);
    return context;
  }
  PrimaryContexts contexts{{retain, release, setFlags, push, pop, current, destroy}};
};

TEST_F(Contexts, ACreatedOneIsThePrimaryOneAndCurrent) {
  EXPECT_EQ(create(1), primaryOf(1));
  EXPECT_EQ(fake.stack, std::vector<CUcontext>{primaryOf(1)});
  EXPECT_EQ(fake.retained[1], 1);
  EXPECT_EQ(fake.flags[1], 0u);
}

TEST_F(Contexts, EachIsReleasedOnce) {
  CUcontext first = create(0), second = create(0);
  EXPECT_EQ(first, second);
  EXPECT_EQ(contexts.destroy(first), CUDA_SUCCESS);
  EXPECT_EQ(fake.retained[0], 1);
  EXPECT_EQ(fake.stack.size(), 1u);
  EXPECT_EQ(contexts.destroy(second), CUDA_SUCCESS);
  EXPECT_EQ(fake.retained[0], 0);
  EXPECT_TRUE(fake.stack.empty());
  EXPECT_EQ(fake.destroyed, nullptr);
}

TEST_F(Contexts, OneThatIsNotCurrentStaysOnTheStack) {
  CUcontext first = create(0);
  create(1);
  EXPECT_EQ(contexts.destroy(first), CUDA_SUCCESS);
  EXPECT_EQ(fake.stack.size(), 2u);
  EXPECT_EQ(fake.retained[0], 0);
}

TEST_F(Contexts, OthersAreDestroyedByTheDriver) {
  CUcontext other = reinterpret_cast<CUcontext>(&fake.stack);
  EXPECT_EQ(contexts.destroy(other), CUDA_SUCCESS);
  EXPECT_EQ(fake.destroyed, other);
}

TEST_F(Contexts, FlagsAreThePrimaryOnes) {
  create(0, CU_CTX_SCHED_BLOCKING_SYNC | CU_CTX_MAP_HOST);
  EXPECT_EQ(fake.flags[0], unsigned(CU_CTX_SCHED_BLOCKING_SYNC));
  CUcontext context = nullptr;
  EXPECT_EQ(contexts.create(&context, 0x100, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(fake.retained[0], 1);
}

TEST_F(Contexts, AFailureKeepsNothing) {
  CUcontext context = nullptr;
  EXPECT_EQ(contexts.create(nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(contexts.create(&context, 0, 2), CUDA_ERROR_INVALID_DEVICE);
  fake.pushResult = CUDA_ERROR_INVALID_CONTEXT;
  EXPECT_EQ(contexts.create(&context, 0, 0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(fake.retained[0], 0);
  EXPECT_EQ(context, nullptr);
}

} // namespace
