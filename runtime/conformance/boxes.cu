//===- boxes.cu - Copies and fills of boxes -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <vector>

using namespace conformance;

namespace {

constexpr size_t width = 5, height = 3, depth = 4, total = width * height * depth;

cudaMemcpy3DParms whole(cudaPitchedPtr to, cudaPitchedPtr from, cudaMemcpyKind kind) {
  cudaMemcpy3DParms box = {};
  box.dstPtr = to;
  box.srcPtr = from;
  box.extent = make_cudaExtent(width, height, depth);
  box.kind = kind;
  return box;
}

void errors(cudaPitchedPtr device, cudaPitchedPtr host) {
  cudaMemcpy3DParms box = whole(device, host, cudaMemcpyHostToDevice);
  box.kind = static_cast<cudaMemcpyKind>(9);
  answer("no direction", cudaMemcpy3D(&box));
  box = whole(device, host, cudaMemcpyHostToDevice);
  box.dstPtr.ptr = nullptr;
  answer("to null", cudaMemcpy3D(&box));
  box = whole(device, host, cudaMemcpyHostToDevice);
  box.srcPtr.pitch = width - 1;
  answer("wider than its pitch", cudaMemcpy3D(&box));
  box = whole(device, host, cudaMemcpyHostToDevice);
  box.extent.depth = 0;
  answer("nothing", cudaMemcpy3D(&box));
  answer("fill nothing", cudaMemset3D(device, 1, make_cudaExtent(0, 1, 1)));
  answer("fill wider than the pitch",
         cudaMemset3D(device, 1, make_cudaExtent(device.pitch + 1, 1, 1)));
}

} // namespace

AREA(boxes) {
  std::vector<char> in(total), out(total);
  for (size_t i = 0; i < total; ++i)
    in[i] = char(i);
  cudaPitchedPtr device = {};
  cudaPitchedPtr from = make_cudaPitchedPtr(in.data(), width, width, height);
  cudaPitchedPtr to = make_cudaPitchedPtr(out.data(), width, width, height);
  answer("take", cudaMalloc3D(&device, make_cudaExtent(width, height, depth)));
  cudaMemcpy3DParms up = whole(device, from, cudaMemcpyHostToDevice);
  cudaMemcpy3DParms down = whole(to, device, cudaMemcpyDeviceToHost);
  answer("copy", cudaMemcpy3D(&up));
  answer("copy back", cudaMemcpy3D(&down));
  answer("all is back", in == out);
  answer("fill a corner", cudaMemset3D(device, 99, make_cudaExtent(2, 2, 2)));
  down.srcPos = make_cudaPos(1, 1, 1);
  down.dstPos = make_cudaPos(0, 0, 0);
  down.extent = make_cudaExtent(3, 2, 3);
  answer("copy a part", cudaMemcpy3DAsync(&down, nullptr));
  answer("wait", cudaDeviceSynchronize());
  answer("first of the part", int(out[0]));
  answer("next of the part", int(out[1]));
  answer("last of the part", int(out[2 + width + 2 * width * height]));
  answer("beside the part", int(out[3]));
  errors(device, from);
  answer("free", cudaFree(device.ptr));
  answer("null", cudaMemcpy3D(nullptr));
}
