//===- suite.h - Questions to a CUDA runtime --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite needs only the runtime API, so it works with NVIDIA's compiler and runtime
// as well as with ours. An area is a function that asks the runtime questions; each
// prints one line, `area.question: answer`. expected.txt has the answers of NVIDIA's
// runtime, which every device of ours must give.
//
// An answer may depend only on the rules of the API: not on an address, a time or the
// number of a device's units. Each area has a process of its own, so that an area may
// reset the device or make it fail.
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

/// Prints the answer to the question.
void answer(const char *question, const char *text);
void answer(const char *question, bool holds);
void answer(const char *question, long long number);
inline void answer(const char *question, int number) {
  answer(question, static_cast<long long>(number));
}

/// Prints the status that a call returned, and the thread's last error if that is
/// another one; reads, and so clears, the last error.
void answer(const char *question, cudaError_t status);

/// Prints the status of the preceding launch; reads, and so clears, the last
/// error.
inline void answerLaunch(const char *question) { answer(question, cudaPeekAtLastError()); }

/// Work of a stream that lasts until open() is called.
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

/// Device memory for the duration of a scope.
template <typename T> struct Buffer {
  explicit Buffer(size_t size) {
    if (cudaMalloc(&data, size * sizeof(T)) != cudaSuccess)
      data = nullptr;
  }
  ~Buffer() { static_cast<void>(cudaFree(data)); }
  Buffer(const Buffer &) = delete;
  T *data = nullptr;
};

/// Returns the contents of `data` once the device has completed its work.
template <typename T> T read(const T *data) {
  T value = {};
  if (cudaMemcpy(&value, data, sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
    std::printf("a value cannot be read: %s\n", cudaGetErrorName(cudaGetLastError()));
  return value;
}

/// Asks a longer question: a function that returns whether all its conditions
/// held, after it has printed those that did not.
struct Case {
  const char *name;
  bool (*run)();
};
void answerCases(const Case *cases, size_t count);

/// Fails the case unless `condition` holds.
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition);                                \
      return false;                                                                                \
    }                                                                                              \
  } while (0)

/// Fails the case unless `call` returns `expected`.
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
