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
#include <thread>

using namespace llvm;

namespace regrain {

/// Waits until the process has ended, and kills it when the time is over. It waits by polling:
/// LLVM's timed wait uses one alarm for the whole process, which threads that wait at the same time
/// take from each other.
static sys::ProcessInfo waitWithLimit(const sys::ProcessInfo &child, unsigned seconds,
                                      std::string &why) {
  using std::chrono::steady_clock, std::chrono::milliseconds;
  steady_clock::time_point end = steady_clock::now() + std::chrono::seconds(seconds);
  sys::ProcessInfo state = sys::Wait(child, 0, &why, nullptr, /*Polling=*/true);
  for (milliseconds pause(1); state.Pid == 0; pause = std::min(2 * pause, milliseconds(16))) {
    if (steady_clock::now() > end) {
      kill(child.Pid, SIGKILL);
      state = sys::Wait(child, std::nullopt, &why);
      state.ReturnCode = -1;
      why = "Regrain stopped it after " + std::to_string(seconds) + " s";
      return state;
    }
    std::this_thread::sleep_for(pause);
    state = sys::Wait(child, 0, &why, nullptr, /*Polling=*/true);
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
  sys::ProcessInfo state = options.seconds ? waitWithLimit(child, *options.seconds, end.reason)
                                           : sys::Wait(child, std::nullopt, &end.reason);
  end.exitCode = state.ReturnCode;
  if (state.ReturnCode >= 0)
    return end;
  end.state = ToolEnd::State::EndedEarly;
  if (end.reason.empty())
    end.reason = "was ended";
  return end;
}

} // namespace regrain
