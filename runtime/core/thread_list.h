//===- thread_list.h - Threads that have registered themselves --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <mutex>
#include <set>
#include <span>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace regrain {

/// Threads of the process, each as often as it has registered itself.
class ThreadList {
public:
  void addCalling() {
    std::lock_guard lock(mutex);
    threads.insert(gettid());
  }
  void removeCalling() {
    std::lock_guard lock(mutex);
    threads.erase(threads.find(gettid()));
  }
  void add(std::span<const pid_t> others) {
    std::lock_guard lock(mutex);
    threads.insert(others.begin(), others.end());
  }
  [[nodiscard]] std::vector<pid_t> all() {
    std::lock_guard lock(mutex);
    return {threads.begin(), threads.end()};
  }

private:
  std::mutex mutex;
  std::multiset<pid_t> threads;
};

} // namespace regrain
