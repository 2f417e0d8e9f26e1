//===- suite.h - Questions to a CUDA runtime --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite needs nothing but the runtime API, so NVIDIA's compiler and runtime take it
// as ours do. An area is a function that asks the runtime questions; each prints one
// line, `area.question: answer`. What NVIDIA's runtime answers is what expected.txt
// holds, and what every device of ours has to answer.
//
// An answer may depend on nothing but the rules of the API: no address, time or count
// of a device's units. Each area has a process of its own, so that an area may reset
// the device or make it fail.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>
#include <thread>

namespace conformance {

/// Defines the area of this name, which areas.def lists.
#define AREA(NAME) void conformance::NAME##Area()

#define CONFORMANCE_AREA(NAME) void NAME##Area();
#include "areas.def"

/// Says what the question was answered.
void answer(const char *question, const char *text);
void answer(const char *question, bool holds);
void answer(const char *question, long long number);
inline void answer(const char *question, int number) {
  answer(question, static_cast<long long>(number));
}

/// The status that a call gave, and the thread's last error where that is another one;
/// it is read by this.
void answer(const char *question, cudaError_t status);

/// The status of the launch before, which is read by this.
inline void answerLaunch(const char *question) { answer(question, cudaPeekAtLastError()); }

/// Work of a stream that lasts until it is opened.
class Gate {
public:
  Gate() = default;
  Gate(const Gate &) = delete;
  ~Gate() { open(); }
  cudaError_t close(cudaStream_t stream) { return cudaLaunchHostFunc(stream, pass, this); }
  void open() { isOpen = true; }

private:
  static void pass(void *self) {
    while (!static_cast<Gate *>(self)->isOpen)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::atomic<bool> isOpen{false};
};

/// Device memory for the length of a scope.
template <typename T> struct Buffer {
  explicit Buffer(size_t size) {
    if (cudaMalloc(&data, size * sizeof(T)) != cudaSuccess)
      data = nullptr;
  }
  ~Buffer() { static_cast<void>(cudaFree(data)); }
  Buffer(const Buffer &) = delete;
  T *data = nullptr;
};

/// What `data` holds, once the device has done its work.
template <typename T> T read(const T *data) {
  T value = {};
  if (cudaMemcpy(&value, data, sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
    std::printf("a value cannot be read: %s\n", cudaGetErrorName(cudaGetLastError()));
  return value;
}

/// A longer question: a function that returns whether all of it held, after it has
/// printed what did not.
struct Case {
  const char *name;
  bool (*run)();
};
void answerCases(const Case *cases, size_t count);

/// Ends the case as failed unless `condition` holds.
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition);                                \
      return false;                                                                                \
    }                                                                                              \
  } while (0)

/// Ends the case as failed unless `call` gives `expected`.
#define EXPECT_STATUS(expected, call)                                                              \
  do {                                                                                             \
    cudaError_t actual = (call);                                                                   \
    if (actual != (expected)) {                                                                    \
      std::printf("  %s:%d: %s gave %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(actual));   \
      return false;                                                                                \
    }                                                                                              \
  } while (0)

#define EXPECT_OK(call) EXPECT_STATUS(cudaSuccess, call)

} // namespace conformance
