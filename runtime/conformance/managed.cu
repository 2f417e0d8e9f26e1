//===- managed.cu - Managed memory --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

constexpr int count = 1000;

struct Node {
  int value;
  Node *next;
};

__global__ void sum(const Node *node, int *out) {
  int all = 0;
  for (; node; node = node->next)
    all += node->value;
  *out = all;
}

__global__ void twice(int *data) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    data[i] *= 2;
}

void inTurn() {
  int *data = nullptr;
  answer("take", cudaMallocManaged(&data, count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    data[i] = i;
  twice<<<1, 256>>>(data);
  answer("wait", cudaDeviceSynchronize());
  bool areTwice = true;
  for (int i = 0; i < count; ++i)
    areTwice = areTwice && data[i] == 2 * i;
  answer("the host sees the kernel's values", areTwice);
  Buffer<int> device(count);
  size_t bytes = count * sizeof(int);
  answer("copy to a device", cudaMemcpy(device.data, data, bytes, cudaMemcpyDefault));
  answer("copy as if from the host", cudaMemcpy(device.data, data, bytes, cudaMemcpyHostToDevice));
  answer("copy as if within a device",
         cudaMemcpy(device.data, data, bytes, cudaMemcpyDeviceToDevice));
  answer("fill", cudaMemset(data, 0xff, bytes));
  answer("wait for the fill", cudaDeviceSynchronize());
  answer("the host sees the fill", data[count - 1]);
  answer("copy back", cudaMemcpy(data, device.data, bytes, cudaMemcpyDeviceToHost));
  answer("what was copied back", data[count - 1]);
  answer("free", cudaFree(data));
}

void linked() {
  Node *list = nullptr;
  int *out = nullptr;
  cudaStream_t stream = nullptr;
  answer("take nodes", cudaMallocManaged(&list, 10 * sizeof(Node)));
  answer("take a sum", cudaMallocManaged(&out, sizeof(int), cudaMemAttachGlobal));
  for (int i = 0; i < 10; ++i)
    list[i] = {i, i < 9 ? list + i + 1 : nullptr};
  answer("make a stream", cudaStreamCreate(&stream));
  answer("attach", cudaStreamAttachMemAsync(stream, out, 0, cudaMemAttachSingle));
  answer("wait for the attachment", cudaStreamSynchronize(stream));
  sum<<<1, 1, 0, stream>>>(list, out);
  answer("wait for the sum", cudaStreamSynchronize(stream));
  answer("the sum", *out);
  answer("attach null", cudaStreamAttachMemAsync(stream, static_cast<int *>(nullptr)));
  answer("attach with flags that are none", cudaStreamAttachMemAsync(stream, out, 0, 64));
  answer("destroy the stream", cudaStreamDestroy(stream));
  answer("free the sum", cudaFree(out));
  answer("free the nodes", cudaFree(list));
}

void errors() {
  void *data = &data;
  answer("nothing", cudaMallocManaged(&data, 0));
  answer("nothing is null", data == nullptr);
  answer("to null", cudaMallocManaged(static_cast<void **>(nullptr), 16));
  answer("flags that are none", cudaMallocManaged(&data, 16, 77));
  answer("no flags", cudaMallocManaged(&data, 16, 0));
  answer("attached to the host", cudaMallocManaged(&data, 16, cudaMemAttachHost));
  answer("free as the host's", cudaFreeHost(data));
  answer("free as a device's", cudaFree(data));
  answer("free again", cudaFree(data));
}

} // namespace

AREA(managed) {
  inTurn();
  linked();
  errors();
}
