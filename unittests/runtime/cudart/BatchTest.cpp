//===- cudart/BatchTest.cpp - Attributes of streams, and batches ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <gtest/gtest.h>
#include <thread>

using namespace regrain::test;

namespace {

class Batch : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }
  cudaStream_t stream = nullptr;
};

TEST_F(Batch, Streams_HaveDifferentIds) {
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  unsigned long long ids[4] = {};
  ASSERT_EQ(cudaStreamGetId(stream, &ids[0]), cudaSuccess);
  ASSERT_EQ(cudaStreamGetId(other, &ids[1]), cudaSuccess);
  EXPECT_NE(ids[0], ids[1]);
  ASSERT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(other, &ids[1]), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaStreamGetId(nullptr, &ids[1]), cudaSuccess);
  ASSERT_EQ(cudaStreamGetId(cudaStreamLegacy, &ids[2]), cudaSuccess);
  EXPECT_EQ(ids[1], ids[2]);
  ASSERT_EQ(cudaStreamGetId(cudaStreamPerThread, &ids[2]), cudaSuccess);
  std::thread([&] {
    EXPECT_EQ(cudaStreamGetId(cudaStreamPerThread, &ids[3]), cudaSuccess);
  }).join();
  EXPECT_NE(ids[2], ids[3]) << "each thread has its own stream";
  int device = -1;
  ASSERT_EQ(cudaStreamGetDevice(stream, &device), cudaSuccess);
  EXPECT_EQ(device, 0);
}

TEST_F(Batch, Attributes_AreKeptAndCopied) {
  cudaLaunchAttributeValue value = {};
  ASSERT_EQ(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
            cudaSuccess);
  EXPECT_EQ(value.syncPolicy, cudaSyncPolicyAuto);
  value.syncPolicy = cudaSyncPolicyYield;
  ASSERT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
            cudaSuccess);
  ASSERT_EQ(cudaStreamCopyAttributes(nullptr, stream), cudaSuccess);
  value.syncPolicy = cudaSyncPolicyAuto;
  ASSERT_EQ(cudaStreamGetAttribute(nullptr, cudaLaunchAttributeSynchronizationPolicy, &value),
            cudaSuccess);
  EXPECT_EQ(value.syncPolicy, cudaSyncPolicyYield);
  value = {};
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &value),
            cudaErrorInvalidValue);
}

TEST_F(Batch, Copies_AreAllMade) {
  int from[2] = {1, 2}, to[2] = {};
  void *targets[] = {&to[0], &to[1]};
  const void *sources[] = {&from[0], &from[1]};
  size_t sizes[] = {sizeof(int), sizeof(int)}, index = 0, wrong = 1;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  ASSERT_EQ(cudaMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &index, 1, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(to[0], 1);
  EXPECT_EQ(to[1], 2);
  EXPECT_EQ(cudaMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &wrong, 1, stream),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &index, 1, nullptr),
            cudaErrorInvalidValue);
}

TEST_F(Batch, Boxes_AreCopied) {
  cudaChannelFormatDesc format = {16, 0, 0, 0, cudaChannelFormatKindUnsigned};
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &format, 4, 3), cudaSuccess);
  short from[12] = {}, to[3][5] = {};
  for (short i = 0; i < 12; ++i)
    from[i] = short(i + 1);
  cudaMemcpy3DBatchOp operations[2] = {};
  operations[0].src.type = cudaMemcpyOperandTypePointer;
  operations[0].src.op.ptr.ptr = from;
  operations[0].dst.type = cudaMemcpyOperandTypeArray;
  operations[0].dst.op.array.array = array;
  operations[0].extent = {4, 3, 1};
  operations[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  operations[1].src = operations[0].dst;
  operations[1].src.op.array.offset = {1, 1, 0};
  operations[1].dst.type = cudaMemcpyOperandTypePointer;
  operations[1].dst.op.ptr.ptr = to;
  operations[1].dst.op.ptr.rowLength = 5;
  operations[1].extent = {3, 2, 1};
  operations[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  ASSERT_EQ(cudaMemcpy3DBatchAsync(2, operations, 0, stream), cudaSuccess);
  EXPECT_EQ(to[0][0], 6);
  EXPECT_EQ(to[0][3], 0);
  EXPECT_EQ(to[1][2], 12);
  operations[1].src.type = cudaMemcpyOperandTypeMax;
  EXPECT_EQ(cudaMemcpy3DBatchAsync(2, operations, 0, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy3DBatchAsync(1, operations, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Batch, ReadDuringTheCall_IsOverWhenItReturns) {
  constexpr size_t bytes = 32 << 20;
  void *from = nullptr, *to = nullptr;
  ASSERT_EQ(cudaMalloc(&from, bytes), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&to, bytes), cudaSuccess);
  size_t index = 0, size = bytes;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  const void *source = from;
  ASSERT_EQ(cudaMemcpyBatchAsync(&to, &source, &size, 1, &attributes, &index, 1, stream),
            cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(from), cudaSuccess);
  EXPECT_EQ(cudaFree(to), cudaSuccess);
}

TEST_F(Batch, Hints_AreTakenForManagedMemory) {
  void *memory = nullptr;
  ASSERT_EQ(cudaMallocManaged(&memory, 64, cudaMemAttachGlobal), cudaSuccess);
  size_t size = 64, index = 0;
  cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  EXPECT_EQ(cudaMemPrefetchBatchAsync(&memory, &size, 1, &host, &index, 1, 0, stream), cudaSuccess);
  EXPECT_EQ(cudaMemDiscardBatchAsync(&memory, &size, 1, 0, stream), cudaSuccess);
  EXPECT_EQ(cudaMemDiscardBatchAsync(&memory, &size, 1, 1, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemDiscardAndPrefetchBatchAsync(&memory, &size, 1, &host, &index, 1, 0, stream),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Batch, ABoxBetweenDevices_IsCopied) {
  int from[4] = {1, 2, 3, 4}, to[4] = {};
  cudaMemcpy3DPeerParms box = {};
  box.srcPtr = {from, 8, 8, 2};
  box.dstPtr = {to, 8, 8, 2};
  box.extent = {8, 2, 1};
  ASSERT_EQ(cudaMemcpy3DPeer(&box), cudaSuccess);
  EXPECT_EQ(to[3], 4);
  box.dstDevice = 99;
  EXPECT_EQ(cudaMemcpy3DPeerAsync(&box, stream), cudaErrorInvalidDevice);
}

TEST_F(Batch, PersistentLines_AreReset) { EXPECT_EQ(cudaCtxResetPersistingL2Cache(), cudaSuccess); }

} // namespace
