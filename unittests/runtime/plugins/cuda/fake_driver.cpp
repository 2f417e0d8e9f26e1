//===- fake_driver.cpp - A libcuda.so.1 that records its calls ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every entry point of the symbol table exists: a weak one here, which only
// records, and a strong one in fake_driver_answers.cpp if a test inspects
// parameters or results.
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/cuda/fake_driver.h"
#include "unittests/runtime/plugins/cuda/fake_driver_calls.h"

#include <algorithm>
#include <atomic>
#include <thread>

FakeDriver &fakeDriver() {
  static FakeDriver driver;
  return driver;
}

bool FakeDriver::called(const std::string &symbol) const {
  return std::find(calls.begin(), calls.end(), symbol) != calls.end();
}

size_t FakeDriver::freeBytes() const {
  size_t bytes = memoryBytes;
  for (const auto &[address, size] : allocated)
    bytes -= size;
  return bytes;
}

namespace {

/// Threads note their calls one after the other. No mutex: tests count those.
class Noting {
public:
  Noting() {
    while (isNoting.test_and_set(std::memory_order_acquire))
      std::this_thread::yield();
  }
  ~Noting() { isNoting.clear(std::memory_order_release); }

private:
  static inline std::atomic_flag isNoting;
};

} // namespace

CUresult record(const char *symbol) {
  Noting alone;
  FakeDriver &driver = fakeDriver();
  driver.isNoting = true;
  driver.calls.push_back(symbol);
  auto result = driver.results.find(symbol);
  bool fails = result != driver.results.end() && result->second != CUDA_SUCCESS;
  if (fails)
    driver.failures.push_back(symbol);
  driver.isNoting = false;
  return fails ? result->second : CUDA_SUCCESS;
}

CUresult fail(const char *symbol, CUresult result) {
  Noting alone;
  FakeDriver &driver = fakeDriver();
  driver.isNoting = true;
  driver.calls.push_back(symbol);
  driver.failures.push_back(symbol);
  driver.isNoting = false;
  return result;
}

#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  __attribute__((weak)) CUresult fake_##name parameters { return record(symbol); }
#include "runtime/plugins/cuda/driver_api.def"
