//===- parallel.cpp - Independent work in several threads -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/stream/parallel.h"

#include "runtime/libraries/stream/submit.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace regrain::libraries {
namespace {

/// A thread starts and ends in the time of some hundred thousand operations.
constexpr double operationsPerThread = 1e6;

} // namespace

void forEach(int count, double operations, const std::function<void(int)> &one) {
  int threads = int(std::min(
      {double(threadCount()), double(count), double(count) * operations / operationsPerThread}));
  std::atomic<int> next = 0;
  auto work = [&] {
    for (int i = next++; i < count; i = next++)
      one(i);
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i)
    others.emplace_back(work);
  work();
}

} // namespace regrain::libraries
