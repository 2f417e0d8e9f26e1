//===- Tool.cpp - Programs that the compiler runs -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Tool.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

using namespace llvm;

namespace regrain {

using Statistics = std::optional<sys::ProcessStatistics>;

static thread_local double secondsOfTools = 0;

double toolSeconds() { return secondsOfTools; }

/// Returns the processor time of a process that has not been waited for; 0 if it is not known.
static double processorSeconds(pid_t process) {
  clockid_t clock = {};
  timespec time = {};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return 0;
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// Returns which limit a process has passed that began at `start`, in words; empty if it has passed
/// none.
static std::string whyTooLong(pid_t process, std::chrono::steady_clock::time_point start,
                              const ToolOptions &options) {
  std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (options.processorSeconds && processorSeconds(process) > *options.processorSeconds)
    return "Regrain stopped it after " + std::to_string(*options.processorSeconds) +
           " s of processor time";
  if (options.seconds && taken.count() > *options.seconds)
    return "Regrain stopped it after " + std::to_string(*options.seconds) + " s";
  return "";
}

/// Waits until the process has ended, and kills it when the time is over. It waits by polling:
/// LLVM's timed wait uses one alarm for the whole process, which threads that wait at the same time
/// take from each other.
static sys::ProcessInfo waitWithLimit(const sys::ProcessInfo &child, const ToolOptions &options,
                                      std::string &why, Statistics &statistics) {
  using std::chrono::milliseconds;
  auto start = std::chrono::steady_clock::now();
  sys::ProcessInfo state = sys::Wait(child, 0, &why, &statistics, /*Polling=*/true);
  for (milliseconds pause(1); state.Pid == 0; pause = std::min(2 * pause, milliseconds(16))) {
    if (std::string tooLong = whyTooLong(child.Pid, start, options); !tooLong.empty()) {
      kill(child.Pid, SIGKILL);
      state = sys::Wait(child, std::nullopt, &why, &statistics);
      state.ReturnCode = -1;
      why = std::move(tooLong);
      secondsOfTools += options.processorSeconds.value_or(0);
      return state;
    }
    std::this_thread::sleep_for(pause);
    state = sys::Wait(child, 0, &why, &statistics, /*Polling=*/true);
  }
  return state;
}

ToolEnd runTool(StringRef file, ArrayRef<std::string> arguments, const ToolOptions &options) {
  SmallVector<StringRef> views(arguments.begin(), arguments.end());
  SmallVector<std::optional<StringRef>> redirects;
  if (options.log)
    redirects = {StringRef(), options.log, options.log};
  ToolEnd end;
  bool failed = false;
  sys::ProcessInfo child = sys::ExecuteNoWait(file, views, std::nullopt, redirects,
                                              /*MemoryLimit=*/0, &end.reason, &failed);
  if (failed || child.Pid == sys::ProcessInfo::InvalidPid) {
    end.state = ToolEnd::State::NotStarted;
    return end;
  }
  if (options.onStart)
    options.onStart(child.Pid);
  Statistics statistics;
  sys::ProcessInfo state = options.seconds || options.processorSeconds
                               ? waitWithLimit(child, options, end.reason, statistics)
                               : sys::Wait(child, std::nullopt, &end.reason, &statistics);
  if (statistics)
    secondsOfTools += std::chrono::duration<double>(statistics->TotalTime).count();
  end.exitCode = state.ReturnCode;
  if (state.ReturnCode >= 0)
    return end;
  end.state = ToolEnd::State::EndedEarly;
  if (end.reason.empty())
    end.reason = "was ended";
  return end;
}

} // namespace regrain
