//===- own_threads.cpp - Threads that run no code of the program ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/own_threads.h"

#include "runtime/core/settings.h"
#include "runtime/core/thread_list.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dirent.h>
#include <thread>
#include <unistd.h>

namespace regrain {
namespace {

/// A joined thread stays listed for a moment.
constexpr unsigned mostLooks = 4;

} // namespace

static ThreadList &known() {
  static ThreadList *list = new ThreadList; // threads end after static destruction
  return *list;
}

OwnThread::OwnThread() { known().addCalling(); }

OwnThread::~OwnThread() { known().removeCalling(); }

static std::vector<pid_t> readThreads(const std::vector<pid_t> &others) {
  DIR *folder = opendir("/proc/self/task");
  if (!folder)
    return {0};
  std::vector<pid_t> threads;
  while (const dirent *entry = readdir(folder))
    if (pid_t thread = std::atoi(entry->d_name); thread > 0)
      threads.push_back(thread);
  closedir(folder);
  std::vector<pid_t> own = known().all();
  std::erase_if(threads, [&](pid_t thread) {
    return thread == gettid() || std::ranges::find(own, thread) != own.end() ||
           std::ranges::find(others, thread) != others.end();
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
  known().add(programThreadsBeside({}));
}

} // namespace regrain
