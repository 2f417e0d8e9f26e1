//===- cublas_streams.cu - Order in streams, graphs and errors --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REQUIRES: cublas
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcublas
// RUN: timeout 60 %t
// RUN: %regrain-nvcc --targets=cpu -O1 -cudart static -o %t.static %s -lcublas
// RUN: timeout 60 %t.static
// RUN: %regrain-nvcc --cuda-path=none -O1 -o %t.any %s -lcublas
// RUN: timeout 60 %t.any
#include "reference.h"
#include <cublas_v2.h>

__global__ void fillAfterDelay(float *out, float value, int n) {
  long long start = clock64();
  while (clock64() - start < 20000000)
    ;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = value;
}
__global__ void addOne(float *out, const float *in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] + 1;
}

const int n = 8;

/// A kernel, a product and a kernel in a stream that waits for no other.
void testOrder(cublasHandle_t handle, cudaStream_t stream) {
  DeviceArray<float> a(n * n), c(n * n), out(n * n);
  SUCCEED(cublasSetStream(handle, stream));
  float alpha = 2, beta = 0;
  fillAfterDelay<<<1, 32, 0, stream>>>(a, 3, n * n);
  SUCCEED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a, n, a, n, &beta, c, n));
  alpha = 100; // the value at the call counts
  addOne<<<1, 32, 0, stream>>>(out, c, n * n);
  CHECK(cudaStreamSynchronize(stream));
  for (float value : out.host())
    expectEqual("gemm between kernels", 0, value, 2 * 9 * n + 1);
}

/// The result of a reduction is there when the call returns.
void testResult(cublasHandle_t handle, cudaStream_t stream) {
  DeviceArray<float> a(n);
  fillAfterDelay<<<1, 32, 0, stream>>>(a, 3, n);
  float sum = 0;
  SUCCEED(cublasSasum(handle, n, a, 1, &sum));
  expectEqual("asum after a kernel", 0, sum, 3 * n);
}

/// A graph with a product runs several times.
void testGraph(cublasHandle_t handle, cudaStream_t stream) {
  DeviceArray<float> x(std::vector<float>(n, 1)), y(n);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  float alpha = 2;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SUCCEED(cublasSaxpy(handle, n, &alpha, x, 1, y, 1));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i)
    CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (float value : y.host())
    expectEqual("axpy in a graph", 0, value, 6);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

#define FAIL_WITH(STATUS, CALL) expectEqual(#CALL, __LINE__, int(CALL), int(STATUS))

void testErrors(cublasHandle_t handle) {
  DeviceArray<float> a(n * n);
  float one = 1;
  cublasOperation_t plain = CUBLAS_OP_N;
  FAIL_WITH(CUBLAS_STATUS_NOT_INITIALIZED,
            cublasSgemm(nullptr, plain, plain, n, n, n, &one, a, n, a, n, &one, a, n));
  FAIL_WITH(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemm(handle, plain, plain, -1, n, n, &one, a, n, a, n, &one, a, n));
  FAIL_WITH(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemm(handle, plain, plain, n, n, n, &one, a, n - 1, a, n, &one, a, n));
  FAIL_WITH(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemm(handle, plain, cublasOperation_t(7), n, n, n, &one, a, n, a, n, &one, a, n));
  FAIL_WITH(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemm(handle, plain, plain, n, n, n, nullptr, a, n, a, n, &one, a, n));
  FAIL_WITH(CUBLAS_STATUS_INVALID_VALUE, cublasSgemv(handle, plain, n, n, &one, a, n, a, 0, &one, a, 1));
  FAIL_WITH(CUBLAS_STATUS_NOT_SUPPORTED, cublasSscal_64(handle, 1ll << 40, &one, a, 1));
  FAIL_WITH(CUBLAS_STATUS_NOT_SUPPORTED,
            cublasGemmEx(handle, plain, plain, n, n, n, &one, a, CUDA_R_32F, n, a, CUDA_C_32F, n,
                         &one, a, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  FAIL_WITH(CUBLAS_STATUS_INVALID_VALUE, cublasSetVector(n, 4, a, 0, a, 1));
  FAIL_WITH(CUBLAS_STATUS_INVALID_VALUE, cublasCreate(nullptr));
  FAIL_WITH(CUBLAS_STATUS_NOT_INITIALIZED, cublasDestroy(nullptr));
  expectEqual("name", 0, std::string(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) ==
                             "CUBLAS_STATUS_INVALID_VALUE", true);
}

void testCopies() {
  std::vector<float> from = someNumbers<float>(30), to(30);
  DeviceArray<float> memory(30);
  SUCCEED(cublasSetVector(10, sizeof(float), from.data(), 3, memory, 2));
  SUCCEED(cublasGetVector(10, sizeof(float), memory, 2, to.data(), 1));
  for (int i = 0; i < 10; ++i)
    expectEqual("vector", i, to[i], from[3 * i]);
  SUCCEED(cublasSetMatrix(2, 3, sizeof(float), from.data(), 5, memory, 4));
  SUCCEED(cublasGetMatrix(2, 3, sizeof(float), memory, 4, to.data(), 2));
  for (int i = 0; i < 6; ++i)
    expectEqual("matrix", i, to[i], from[i / 2 * 5 + i % 2]);
}

int main() {
  cublasHandle_t handle;
  cudaStream_t stream;
  SUCCEED(cublasCreate(&handle));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  testOrder(handle, stream);
  testResult(handle, stream);
  testGraph(handle, stream);
  testErrors(handle);
  testCopies();
  SUCCEED(cublasDestroy(handle));
  CHECK(cudaStreamDestroy(stream));
  return verdict("cublas_streams");
}
