//===- copies.cu - Copies and fills of bytes and rows -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <cstring>
#include <string>
#include <vector>

using namespace conformance;

namespace {

constexpr size_t bytes = 64;

void directions() {
  Buffer<char> device(bytes), other(bytes);
  char *pinned = nullptr, pageable[bytes] = "from the host";
  answer("pinned memory", cudaMallocHost(&pinned, bytes));
  struct {
    const char *name;
    void *memory;
  } places[] = {
      {"device", device.data}, {"other", other.data}, {"pinned", pinned}, {"pageable", pageable}};
  const char *kinds[] = {"host to host", "host to device", "device to host", "device to device",
                         "default"};
  // These copies have the right kind; the answer to a wrong one depends on the
  // addresses.
  for (auto &to : places)
    for (auto &from : places) {
      if (to.memory == from.memory)
        continue;
      bool toDevice = &to < places + 2, fromDevice = &from < places + 2;
      int right = toDevice + 2 * fromDevice;
      cudaMemcpyKind kind = static_cast<cudaMemcpyKind>(
          right == 0
              ? cudaMemcpyHostToHost
              : (right == 1 ? cudaMemcpyHostToDevice
                            : (right == 2 ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice)));
      std::string name = std::string(from.name) + " to " + to.name;
      answer((name + " as " + kinds[kind]).c_str(),
             cudaMemcpy(to.memory, from.memory, bytes, kind));
      answer((name + " by default").c_str(),
             cudaMemcpy(to.memory, from.memory, bytes, cudaMemcpyDefault));
    }
  answer("free pinned memory", cudaFreeHost(pinned));
}

void errors() {
  Buffer<char> device(bytes);
  char host[bytes] = {};
  answer("no direction", cudaMemcpy(device.data, host, bytes, static_cast<cudaMemcpyKind>(9)));
  answer("a negative direction",
         cudaMemcpy(device.data, host, bytes, static_cast<cudaMemcpyKind>(-1)));
  answer("nothing", cudaMemcpy(device.data, host, 0, cudaMemcpyHostToDevice));
  answer("nothing of null", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  answer("to null", cudaMemcpy(nullptr, host, bytes, cudaMemcpyHostToDevice));
  answer("from null", cudaMemcpy(device.data, nullptr, bytes, cudaMemcpyHostToDevice));
  answer("fill null", cudaMemset(nullptr, 0, bytes));
  answer("fill nothing", cudaMemset(device.data, 0, 0));
  answer("fill nothing of null", cudaMemset(nullptr, 0, 0));
}

void inOrder() {
  constexpr int count = 1000;
  cudaStream_t stream = nullptr;
  int *pinned = nullptr;
  std::vector<int> pageable(count, 3), back(count);
  Buffer<int> device(count);
  answer("make a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  answer("take pinned memory", cudaMallocHost(&pinned, count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    pinned[i] = i;
  size_t size = count * sizeof(int);
  Gate gate;
  answer("close a gate", gate.close(stream));
  answer("copy behind it",
         cudaMemcpyAsync(device.data, pinned, size, cudaMemcpyHostToDevice, stream));
  answer("fill behind it", cudaMemsetAsync(device.data, 1, 4, stream));
  answer("copy back behind it",
         cudaMemcpyAsync(pinned, device.data, size, cudaMemcpyDeviceToHost, stream));
  answer("none has happened", cudaStreamQuery(stream) == cudaErrorNotReady && pinned[0] == 0);
  gate.open();
  answer("wait", cudaStreamSynchronize(stream));
  answer("all have happened", pinned[0] == 0x01010101 && pinned[count - 1] == count - 1);
  answer("pageable memory",
         cudaMemcpyAsync(device.data, pageable.data(), size, cudaMemcpyHostToDevice, stream));
  pageable.assign(count, 4); // it has been read
  answer("to pageable memory",
         cudaMemcpyAsync(back.data(), device.data, size, cudaMemcpyDeviceToHost, stream));
  answer("wait for pageable memory", cudaStreamSynchronize(stream));
  answer("pageable memory is as it was", back[0] == 3 && back[count - 1] == 3);
  answer("no direction in a stream",
         cudaMemcpyAsync(device.data, pinned, 4, static_cast<cudaMemcpyKind>(9), stream));
  answer("free pinned memory again", cudaFreeHost(pinned));
  answer("destroy the stream", cudaStreamDestroy(stream));
}

void rows() {
  Buffer<char> device(bytes);
  char host[bytes] = {}, back[6] = {};
  auto copy = [&](size_t toPitch, size_t fromPitch, size_t width, size_t height) {
    return cudaMemcpy2D(device.data, toPitch, host, fromPitch, width, height,
                        cudaMemcpyHostToDevice);
  };
  answer("rows wider than their target", copy(4, 8, 5, 2));
  answer("rows wider than their source", copy(8, 4, 5, 2));
  answer("rows of nothing", copy(4, 4, 0, 2));
  answer("no rows", copy(4, 4, 4, 0));
  answer("one row wider than its pitch", copy(4, 4, 5, 1));
  answer("rows without a direction",
         cudaMemcpy2D(device.data, 8, host, 8, 4, 2, static_cast<cudaMemcpyKind>(9)));
  answer("rows to null", cudaMemcpy2D(nullptr, 8, host, 8, 4, 2, cudaMemcpyHostToDevice));
  answer("fill rows wider than their pitch", cudaMemset2D(device.data, 4, 0, 5, 2));
  answer("fill rows of null", cudaMemset2D(nullptr, 4, 0, 4, 2));
  answer("fill no rows", cudaMemset2D(device.data, 4, 0, 4, 0));
  char *wide = nullptr;
  size_t pitch = 0;
  answer("take rows", cudaMallocPitch(&wide, &pitch, 3, 2));
  answer("copy rows", cudaMemcpy2D(wide, pitch, "abcdef", 3, 3, 2, cudaMemcpyHostToDevice));
  answer("fill a column", cudaMemset2D(wide + 1, pitch, 'x', 1, 2));
  answer("copy rows back", cudaMemcpy2D(back, 3, wide, pitch, 3, 2, cudaMemcpyDeviceToHost));
  answer("the rows", std::string(back, 6).c_str());
  answer("free rows", cudaFree(wide));
}

} // namespace

AREA(copies) {
  directions();
  errors();
  inOrder();
  rows();
}
