//===- own_threads.cpp - Threads that run no code of the program ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/own_threads.h"

#include "runtime/core/settings.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dirent.h>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

namespace regrain {
namespace {

/// A joined thread stays listed for a moment.
constexpr unsigned mostLooks = 4;

struct Known {
  std::mutex mutex;
  std::multiset<pid_t> threads;

  static Known &get() {
    static Known *known = new Known; // threads end after static destruction
    return *known;
  }
};

} // namespace

OwnThread::OwnThread() {
  Known &known = Known::get();
  std::lock_guard lock(known.mutex);
  known.threads.insert(gettid());
}

OwnThread::~OwnThread() {
  Known &known = Known::get();
  std::lock_guard lock(known.mutex);
  known.threads.erase(known.threads.find(gettid()));
}

static std::vector<pid_t> readThreads(const std::vector<pid_t> &others) {
  DIR *folder = opendir("/proc/self/task");
  if (!folder)
    return {0};
  std::vector<pid_t> threads;
  while (const dirent *entry = readdir(folder))
    if (pid_t thread = std::atoi(entry->d_name); thread > 0)
      threads.push_back(thread);
  closedir(folder);
  Known &known = Known::get();
  std::lock_guard lock(known.mutex);
  std::erase_if(threads, [&](pid_t thread) {
    return thread == gettid() || known.threads.contains(thread) ||
           std::find(others.begin(), others.end(), thread) != others.end();
  });
  return threads;
}

std::vector<pid_t> programThreadsBeside(const std::vector<pid_t> &others) {
  std::vector<pid_t> threads = readThreads(others);
  for (unsigned look = 1; look < mostLooks && !threads.empty(); ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    threads = readThreads(others);
  }
  return threads;
}

DriverCall::DriverCall()
    : isCertain(Settings::get().isTuning && programThreadsBeside({}).empty()) {}

/// A driver's threads live as long as the process.
DriverCall::~DriverCall() {
  if (!isCertain)
    return;
  std::vector<pid_t> added = programThreadsBeside({});
  Known &known = Known::get();
  std::lock_guard lock(known.mutex);
  known.threads.insert(added.begin(), added.end());
}

} // namespace regrain
