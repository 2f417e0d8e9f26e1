//===- callbacks.cu - Functions of the host in a stream -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

struct Seen {
  int calls = 0;
  cudaError_t status = cudaErrorUnknown;
  cudaStream_t stream = nullptr;
};

void addOne(void *data) { ++*static_cast<int *>(data); }

void CUDART_CB see(cudaStream_t stream, cudaError_t status, void *data) {
  Seen &seen = *static_cast<Seen *>(data);
  ++seen.calls;
  seen.status = status;
  seen.stream = stream;
}

} // namespace

AREA(callbacks) {
  cudaStream_t stream = nullptr;
  int calls = 0;
  Seen seen;
  answer("make a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  answer("null", cudaLaunchHostFunc(stream, nullptr, nullptr));
  answer("null callback", cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  answer("callback with flags", cudaStreamAddCallback(stream, see, &seen, 1));
  Gate gate;
  answer("close a gate", gate.close(stream));
  answer("function", cudaLaunchHostFunc(stream, addOne, &calls));
  answer("callback", cudaStreamAddCallback(stream, see, &seen, 0));
  answer("function again", cudaLaunchHostFunc(stream, addOne, &calls));
  answer("none is called early", calls == 0 && seen.calls == 0);
  gate.open();
  answer("wait", cudaStreamSynchronize(stream));
  answer("calls of the function", calls);
  answer("calls of the callback", seen.calls);
  answer("what the callback is told", cudaGetErrorName(seen.status));
  answer("the callback's stream", seen.stream == stream);
  answer("in the null stream", cudaLaunchHostFunc(nullptr, addOne, &calls));
  answer("wait for the null stream", cudaStreamSynchronize(nullptr));
  answer("calls in all", calls);
  answer("destroy the stream", cudaStreamDestroy(stream));
}
